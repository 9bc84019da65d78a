"""Tests of commands that are refused: the message with the expected value, the exit code, and no traceback."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from loaders.sources.registry import FORMATS
from service.cli.naming import LARGEST_TEXT
from tests.support.commands import CODE, ROOT, Run, printed, table_of

REFUSED = table_of("commands/refused.toml")
HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"
URL = "http://127.0.0.1:9/oai"


@pytest.mark.parametrize("command", REFUSED["empty-folder"])
def test_refused_command_writes_nothing(command: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{CODE}\n", "utf-8")
    err = run(command, code=2).err
    assert printed(REFUSED["empty-folder"][command], err), err
    assert err.count("\n") == (4 if "\nsee " in err else 1), "one line, or a marker below the place in the name"
    assert "segredo" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["names.txt"]


def test_refused_command_on_a_store_writes_nothing(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "folder.nq").mkdir()
    got = {command: ask(command, code=2).err for command in REFUSED["sample"]}
    assert {command: err for command, err in got.items() if not printed(REFUSED["sample"][command], err)} == {}
    assert [path.name for path in tmp_path.iterdir()] == ["folder.nq"]


def test_invalid_query_files_are_refused(ask: Run, tmp_path: Path) -> None:
    rows = [
        *((f"{HEADER}{query}".encode(), message) for query, message in REFUSED["queries"].items()),
        (b"# title@en: Q\nSELECT * {}", "query q: expected a header with title@pt-br, question@pt-br, question@en; …"),
        (b"\xff\xfe", "the query q.rq cannot be read: …"),
        (f"{HEADER}ASK {'{' * 5000}".encode(), "expected at most 100 brackets within each other, got more in line 5"),
    ]
    for content, message in rows:
        (tmp_path / "q.rq").write_bytes(content)
        err = ask("query q.rq", code=2).err
        assert printed(message, err), err


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        (f"url = '{URL}'\nca_file = 'missing.pem'", "", "…expected verify to name a file of certificates…"),
        (f"url = '{URL}'\nset = ' '", "", "…expected set to be a text…"),
        (f"name = 'x'\nurl = '{URL}'", "--only y", "expected --only to name one of x; got 'y'"),
        ("\x00", "", "…is not valid TOML…"),
        ("url = 'http://a.invalid'\n'\\u001b[2J' = 1", "", "…is unknown…"),
    ],
)
def test_invalid_files_of_providers_are_refused(run: Run, tmp_path: Path, text: str, more: str, message: str) -> None:
    (tmp_path / "providers.toml").write_text(f"[[providers]]\n{text}", "utf-8")
    err = run(f"harvest --providers providers.toml {more}", code=2).err
    assert printed(message, err), err
    assert (err.count("\n"), "\x1b" in err) == (1, False)
    assert [path.name for path in tmp_path.iterdir()] == ["providers.toml"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"\xff\xfe", "expected UTF-8, got byte 0xFF at 0…"),
        (b"a" * (LARGEST_TEXT + 1), "expected at most 32 MiB of text, got more…"),
    ],
)
def test_invalid_standard_input_is_refused(run: Run, given: bytes, message: str) -> None:
    assert printed(message, run("cite -", given=given, code=2).err)


@pytest.mark.parametrize("command", ["in-force", "show", "timeline", "resolve", "name parse", "name canonical"])
def test_invalid_name_is_shown_with_a_marker(run: Run, command: str) -> None:
    assert run(command, "urn:lex:br:federal:lei:1990-13-01;1", code=2).err == (
        "vigente: expected a day of the calendar, got '1990-13-01'\n"
        "  urn:lex:br:federal:lei:1990-13-01;1\n"
        "                         ^^^^^^^^^^\n"
        "see LexML 1.0 part 2, section 4.4\n"
    )


@pytest.mark.parametrize("command", ["name parse", "name canonical"])
def test_text_that_is_no_name_is_shown_with_a_marker(run: Run, command: str) -> None:
    assert run(command, "rubbish", code=2).err == (
        "vigente: expected a name that starts with 'urn:lex:', got 'rubbish'\n"
        "  rubbish\n  ^^^^^^^\nsee LexML 1.0 part 2, section 3\n"
    )


def test_unknown_format_of_a_source_is_refused_with_the_known_ones(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{CODE}\n", "utf-8")
    err = run("load --as xml names.txt", code=2).err
    assert err == f"vigente: expected --as {' or '.join(FORMATS)}, got 'xml'\n"
    assert not (tmp_path / "vigente.store").exists()


def test_missing_store_is_reported_and_not_created(run: Run, tmp_path: Path) -> None:
    commands = [f"{word} {CODE}" for word in ("show", "timeline", "resolve", "in-force")]
    for command in (*commands, "stats", "export -", "rebuild", "quarantine list", "quarantine retry", "check", "serve"):
        err = run(command, code=4).err
        assert printed("there is no store at vigente.store; `vigente load` or `vigente demo` makes one", err), command
    run("query providers", code=4)
    run("serve-graph --port 0", code=4)
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_not_accepted_as_a_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_text("x", "utf-8")
    for path in ("file", "folder"):
        for command in ("stats", "load file", "rebuild"):
            err = run(f"--store {path} {command}", code=4).err
            assert err == f"vigente: {path} is not a store of Vigente: expected a folder with store.json in it\n"
    long = "a" * 300
    assert run(f"--store {long} stats", code=4).err == f"vigente: {long}: File name too long\n"


@pytest.mark.parametrize("harm", ["no-layout", "no-current", "cut", "block"])
def test_damaged_store_is_reported(sample_store: Path, tmp_path: Path, run: Run, harm: str) -> None:
    """A command that writes mends a missing link to the current snapshot."""
    (tmp_path / "names.txt").write_text("urn:lex:br:federal:lei:2020-01-02;99930\n", "utf-8")
    for command in ("stats", f"in-force {CODE}", "rebuild", "load names.txt"):
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        shutil.copytree(sample_store, tmp_path / "store", symlinks=True)
        _damage(tmp_path / "store", harm)
        if harm == "no-current" and command in ("rebuild", "load names.txt"):
            run(f"--store store {command}")
        else:
            assert run(f"--store store {command}", code=4).err.splitlines()[-1].startswith("vigente: ")


def _damage(store: Path, how: str) -> None:
    if how == "no-layout":
        (store / "store.json").write_text("{", encoding="utf-8")
    elif how == "no-current":
        (store / "current").unlink()
    else:
        for file in store.rglob("*.sst"):
            content = bytearray(file.read_bytes())
            if how == "block" and len(content) < 2048:
                continue
            file.unlink()  # snapshots share files with the data
            if how == "cut":
                content.clear()
            else:
                content[5] ^= 0xFF
                content[200] ^= 0xFF
            file.write_bytes(content)


def test_documentation_lists_every_format_of_a_query(run: Run) -> None:
    (taken,) = re.findall(r"expected --format (.+?), got", run("query timeline --format nada", code=2).err)
    page = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    (documented,) = re.findall(
        r"`--format` of `query` is (.+?) for SELECT and ASK, (.+?) for CONSTRUCT", page, re.DOTALL
    )
    tables, graphs = (re.findall(r"`(\w+)`", listed) for listed in documented)
    assert [*tables, *graphs] == taken.split(", ")
    assert len(graphs) == 4
