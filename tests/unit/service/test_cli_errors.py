"""Tests of errors on the command line: a message with the expected value, the exit code, and no traceback."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loaders.sources.registry import FORMATS
from service.cli import main

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
HEADER = b"# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"

# Drops root's permission to enter any folder, after all imports.
_NOBODY_SCRIPT = """
import os, sys
from service.cli import main
main(["--store", "/nowhere", "stats"])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main())
"""

Fails = Callable[..., str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an undamaged store. It is shared: copy it before damaging it."""
    store = tmp_path_factory.mktemp("demo") / "store"
    assert main(["--store", str(store), "demo"]) == 0
    return store


@pytest.fixture
def fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fails:
    """Return a function: ``fails(code, argument...)`` runs a command, checks its exit code, and returns its message.

    The command runs in an empty folder.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIGENTE_STORE", raising=False)

    def call(code: int, *arguments: str) -> str:
        capsys.readouterr()
        exit_code = main(arguments)
        printed = capsys.readouterr()
        assert (exit_code, printed.out) == (code, "")
        return printed.err

    return call


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing command; see `vigente --help`"),
        (["bogus"], "No such command 'bogus'; see `vigente --help`"),
        (["timelin", CODE], "No such command 'timelin'. Did you mean 'timeline'?; see `vigente --help`"),
        (["in-force"], "Missing argument 'NAME'; see `vigente in-force --help`"),
        (["load"], "Missing argument 'PATH...'; see `vigente load --help`"),
        (["name", "parse"], "Missing argument 'NAME'; see `vigente name parse --help`"),
        (["in-force", CODE, "--bogus"], "No such option: --bogus; see `vigente in-force --help`"),
        (["stats", "extra"], "Got unexpected extra argument(s) (extra); see `vigente stats --help`"),
        (["in-force", CODE, "--on"], "Option '--on' requires an argument; see `vigente --help`"),
        (
            ["stats", "--store", "x"],
            "expected --store before the command: `vigente --store DIR COMMAND`; see `vigente stats --help`",
        ),
        (
            ["--store", "", "stats"],
            "Invalid value for --store: expected a folder, got an empty text; see `vigente --help`",
        ),
    ],
)
def test_invalid_usage_is_reported(fails: Fails, arguments: list[str], message: str) -> None:
    assert fails(2, *arguments) == f"vigente: {message}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--on", "1991-3-1"], "--on: expected a date YYYY-MM-DD, got '1991-3-1'"),
        (["--as-known", "tomorrow"], "--as-known: expected a date YYYY-MM-DD, got 'tomorrow'"),
        (["--on", "1991-02-30T"], "--on: expected a date YYYY-MM-DD, got '1991-02-30T'"),
        (["--axis", "x"], "expected axis force or efficacy, got 'x'"),
    ],
)
def test_invalid_arguments_are_reported_before_the_store_is_opened(
    fails: Fails, arguments: list[str], message: str
) -> None:
    assert fails(2, "in-force", CODE, *arguments) == f"vigente: {message}\n"


def test_invalid_calendar_day_is_rejected(fails: Fails) -> None:
    message = fails(2, "in-force", CODE, "--on", "1991-02-29")
    assert message.startswith("vigente: --on: expected a day of the calendar (")
    assert message.endswith("), got '1991-02-29'\n")


@pytest.mark.parametrize(
    ("reference", "option", "value", "message"),
    [
        ("versao.vigente.em;1993-06-15", "--on", "1993-06-16", "on 1993-06-15"),
        ("versao.consultada.em;1993-06-15", "--as-known", "1993-06-16", "as_known 1993-06-15"),
        ("versao.eficaz.em;1993-06-15", "--axis", "force", "axis efficacy"),
    ],
)
def test_contradictory_dates_are_rejected(fails: Fails, reference: str, option: str, value: str, message: str) -> None:
    printed = fails(2, "in-force", f"{CODE}@{reference}", option, value)
    assert printed == f"vigente: the name says {message}, the parameter says {value}; leave one of them out\n"


@pytest.mark.parametrize(
    "command", [["in-force"], ["show"], ["timeline"], ["resolve"], ["name", "parse"], ["name", "canonical"]]
)
def test_invalid_name_is_shown_with_a_marker(fails: Fails, command: list[str]) -> None:
    assert fails(2, *command, "urn:lex:br:federal:lei:1990-13-01;1") == (
        "vigente: expected a day of the calendar, got '1990-13-01'\n"
        "  urn:lex:br:federal:lei:1990-13-01;1\n"
        "                         ^^^^^^^^^^\n"
        "see LexML 1.0 part 2, section 4.4\n"
    )


@pytest.mark.parametrize("command", [["name", "parse"], ["name", "canonical"]])
def test_non_name_is_shown_with_a_marker(fails: Fails, command: list[str]) -> None:
    assert fails(2, *command, "rubbish") == (
        "vigente: expected a name that starts with 'urn:lex:', got 'rubbish'\n"
        "  rubbish\n"
        "  ^^^^^^^\n"
        "see LexML 1.0 part 2, section 3\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["stats"],
        ["show", CODE],
        ["timeline", CODE],
        ["resolve", CODE],
        ["in-force", CODE],
        ["export", "-"],
        ["rebuild"],
        ["quarantine", "list"],
        ["quarantine", "retry"],
        ["query", "providers"],
    ],
)
def test_missing_store_is_reported_and_not_created(fails: Fails, tmp_path: Path, command: list[str]) -> None:
    message = "vigente: there is no store at vigente.store; `vigente load` or `vigente demo` makes one\n"
    assert fails(4, *command) == message
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_not_accepted_as_a_store(fails: Fails, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_text("x", encoding="utf-8")
    for path in ("file", "folder"):
        for command in (["stats"], ["load", "file"], ["rebuild"]):
            message = f"vigente: {path} is not a store of Vigente: expected a folder with store.json in it\n"
            assert fails(4, "--store", path, *command) == message


def test_too_long_path_is_reported(fails: Fails) -> None:
    long = "a" * 300
    assert fails(4, "--store", long, "stats") == f"vigente: {long}: File name too long\n"


def test_missing_input_path_creates_no_store(fails: Fails, tmp_path: Path) -> None:
    assert fails(2, "load", "nothing.xml") == (
        "vigente: expected a file or folder, got nothing.xml, which does not exist\n"
    )
    (tmp_path / "names.txt").write_text(f"{CODE}\n", encoding="utf-8")
    assert fails(2, "load", "--as", "xml", "names.txt") == f"vigente: expected --as {' or '.join(FORMATS)}, got 'xml'\n"
    assert not (tmp_path / "vigente.store").exists()


def test_unreadable_folder_is_reported(tmp_path: Path) -> None:
    """Check as the user nobody where the tests run as root."""
    closed = tmp_path / "closed"
    closed.mkdir()
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(place.stat().st_mode | stat.S_IXOTH | stat.S_IROTH)
    closed.chmod(0)
    try:
        for arguments in (["stats"], ["demo"], ["load", __file__]):
            ended = subprocess.run(
                [sys.executable, "-c", _NOBODY_SCRIPT, "--store", str(closed / "store"), *arguments],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
                cwd=Path(__file__).parents[3],
            )
            assert (ended.returncode, ended.stdout) == (4, "")
            assert "Permission denied" in ended.stderr
            assert "Traceback" not in ended.stderr
    finally:
        closed.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("arguments", [["stats"], ["in-force", CODE], ["rebuild"], ["load", "names.txt"], ["demo"]])
@pytest.mark.parametrize("harm", ["no-layout", "no-current", "cut", "block"])
def test_damaged_store_is_reported(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str, arguments: list[str]
) -> None:
    store = tmp_path / "store"
    shutil.copytree(made, store, symlinks=True)
    (tmp_path / "names.txt").write_text("urn:lex:br:federal:lei:2020-01-02;99930\n", encoding="utf-8")
    _damage(store, harm)
    given = [str(tmp_path / word) if word == "names.txt" else word for word in arguments]
    capsys.readouterr()
    code = main(["--store", str(store), *given])
    printed = capsys.readouterr()
    mended = harm == "no-current" and arguments[0] in ("rebuild", "load", "demo")
    assert code == (0 if mended else 4)
    assert mended or printed.err.splitlines()[-1].startswith("vigente: ")


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


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("missing/x.nq", "missing/x.nq cannot be written: No such file or directory"),
        ("folder.nq", "folder.nq cannot be written: Is a directory"),
        ("x.rd", "expected a file name ending in .nq, .trig, .nt, .ttl, .n3, .rdf, .jsonld, or -, got 'x.rd'"),
        ("nq", "expected a file name ending in .nq, .trig, .nt, .ttl, .n3, .rdf, .jsonld, or -, got 'nq'"),
    ],
)
def test_unwritable_export_is_reported(fails: Fails, made: Path, tmp_path: Path, file: str, message: str) -> None:
    (tmp_path / "folder.nq").mkdir()
    assert fails(2, "--store", str(made), "export", file) == f"vigente: {message}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["folder.nq"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEADER + b"SELECT * { ?s ?p", "the query is not SPARQL 1.1: error at 5:17: expected one of "),
        (HEADER + b"INSERT DATA { <a:a> <a:b> 1 }", "the query is not SPARQL 1.1: error at 5:"),
        (HEADER + b"DROP ALL", "the query is not SPARQL 1.1: error at 5:"),
        (
            b"# title@en: Q\nSELECT * {}",
            "query q: expected a header with title@pt-br, question@pt-br, question@en; see ",
        ),
        (b"\xff\xfe", "the query q.rq cannot be read: "),
        (HEADER + b"ASK { SERVICE <http://x> {} }", "expected a query of this store alone, got SERVICE in line 5"),
        (HEADER + b"ASK " + b"{" * 5000, "expected at most 100 brackets within each other, got more in line 5"),
        (
            HEADER + b"CONSTRUCT WHERE { ?s ?p ?o }",
            "query q returns triples: expected --format ttl, nt, rdf, jsonld, got table",
        ),
    ],
)
def test_invalid_query_files_are_rejected(
    fails: Fails, made: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "q.rq").write_bytes(content)
    assert fails(2, "--store", str(made), "query", "q.rq").startswith(f"vigente: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.rq"], "the query none.rq cannot be read: "),
        (["none"], "there is no query 'none'; there are: amended_before_force, "),
        (["providers", "-p", "a"], "expected a parameter as NAME=VALUE, got 'a'\n"),
        (["providers", "-p", "a=b"], "query providers has no parameter 'a'; it has: none\n"),
        (["timeline"], "query timeline needs parameter 'norma' (iri): "),
        (["timeline", "-p", "norma=x"], "parameter 'norma' of query timeline expects an IRI or a name urn:lex:...: "),
        (
            ["providers", "--format", "xls"],
            "expected --format table, csv, tsv, json, xml, ttl, nt, rdf, jsonld, got 'xls'\n",
        ),
        (
            ["providers", "--format", "ttl"],
            "query providers returns a table: expected --format table, csv, tsv, json, xml, got ttl\n",
        ),
    ],
)
def test_invalid_query_arguments_are_rejected(fails: Fails, made: Path, arguments: list[str], message: str) -> None:
    assert fails(2, "--store", str(made), "query", *arguments).startswith(f"vigente: {message}")
