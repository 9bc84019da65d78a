"""Tests of commands that write: loading, converted files, output on stdout and stderr, and refused commands."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generate import write_sources
from graph.quarantine import Quarantine
from graph.store import in_memory
from loaders.documents import BadInput
from loaders.pipeline import convert, load
from loaders.sources.registry import FORMATS
from loaders.sources.vocabulary import built_in_record
from ontology.iris import DERIVED_GRAPH
from service import output
from service.cli import main
from service.cli.naming import LARGEST_TEXT
from service.render.tables import table
from tests.support.cases import constant, values
from tests.support.commands import CODE, ROOT, Run, printed, table_of

# Commands that write a store


GOOD = "urn:lex:br:federal:lei:2020-01-02;99930"
BAD = "urn:lex:br:federal:lei:2020-13-02;99931"
WHY = (
    "expected a day of the calendar, got '2020-13-02' "
    "(expected a name of the lex namespace, LexML 1.0 part 2, section 4.4)"
)


@pytest.fixture
def names(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes lines into names.txt."""

    def write(*lines: str) -> Path:
        (tmp_path / "names.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return tmp_path / "names.txt"

    return write


def test_demo_loads_the_sample_once(run: Run, tmp_path: Path, names: Callable[..., Path]) -> None:
    """It loads nothing again, mends what was interrupted, and prints the output of the commands that it shows."""
    done = run("demo")
    assert (
        done.err
        == "9 files, 67 records: 66 loaded, 0 unchanged, 1 deleted, 0 refused " + done.err[done.err.rindex("(") :]
    )
    rows = [line.split() for line in done.lines if line.startswith("   199")]
    assert [(on, known, answer[-1]) for on, known, *answer in rows] == [
        ("1991-03-10", "2008-12-15", "vacatio"),
        ("1993-05-22", "1993-05-01", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-05-22", "1993-05-22", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
    ]
    assert max(map(len, done.lines[:14])) <= 120
    assert "  on 2008-12-01, as known on 2008-12-15, force: unknown: the sources do not allow an answer" in done.lines
    assert done.lines[-4] == "docs/start/tutorial.md is a tutorial of fifteen minutes."
    assert done.lines[-2].endswith("at http://127.0.0.1:8000/:")
    assert done.lines[-1] == "  vigente serve"
    assert [path.name for path in tmp_path.iterdir()] == ["vigente.store"]
    shown = [line.removeprefix("$ vigente ") for line in done.lines if line.startswith("$ vigente ")]
    assert [command for command in shown if run(command).out not in done.out] == []
    again = run("demo")
    assert (again.out, again.err) == (done.out, "vigente.store has the sample already: nothing to load\n")
    names(GOOD)
    noted = run("load names.txt").err.splitlines()[0]
    assert noted == "note: `vigente demo` made the store vigente.store; its sample has fictional records"
    for name in ("data", "snapshots"):
        shutil.rmtree(tmp_path / "vigente.store" / name)
    (tmp_path / "vigente.store" / "current").unlink()
    (tmp_path / "vigente.store" / "snapshots").mkdir()
    assert run("demo").err.startswith("9 files, 67 records: 66 loaded, ")
    (tmp_path / "vigente.store" / "store.json").write_text("{", "utf-8")
    assert run("demo", code=4).err.startswith("vigente: ")


def test_demo_needs_a_new_store(run: Run, tmp_path: Path, names: Callable[..., Path]) -> None:
    names(GOOD)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "empty").mkdir()
    run("--store mine load names.txt")
    for path in ("mine", "full", "names.txt"):
        assert run(f"--store {path} demo", code=2).err == (
            f"vigente: the demo loads fictional records and needs a new store, but {path} exists; "
            "give a folder that does not exist: `vigente --store demo.store demo`\n"
        )
    assert f"  vigente --store 'empty' timeline '{CODE}'" in run("--store empty demo").lines


@pytest.mark.parametrize("files", [(), ("README.md", "checksums.py")])
def test_folder_without_sources_is_reported_with_the_known_formats(
    run: Run, tmp_path: Path, files: tuple[str, ...]
) -> None:
    (tmp_path / "laws").mkdir()
    (tmp_path / "others").mkdir()
    for name in files:
        (tmp_path / "laws" / name).write_text("Leis da cidade.\n", "utf-8")
    done = run("load laws others", code=3)
    lines = done.err.splitlines()
    first = lines.index(
        "vigente: expected a file of a known format, got none in laws, others; the formats, by the value of --as:"
    )
    assert lines[first + 1 :] == [
        *(f"  {source.name}: {source.title}" for source in FORMATS.values()),
        "docs/reference/sources.md describes them",
    ]
    assert (done.out, run("load --json laws", code=3).json["read"]) == ("", 0)
    (tmp_path / "laws" / "list.csv").write_text("nome\n", "utf-8")  # of a known format, without records
    assert "known format" not in run("load laws").err


@pytest.mark.parametrize(
    ("lines", "refused"),
    [
        ([GOOD, BAD], ["  refused: 1 bad-name", f"  names.txt, line 2 {BAD}: {WHY}"]),
        (
            [*[BAD] * 5, BAD.replace("-13-", "-14-"), GOOD],
            [
                "  refused: 6 bad-name",
                f"  5 times: {WHY}",
                *(f"    names.txt, line {line} {BAD}" for line in (1, 2, 3)),
                "    ... and 2 more places",
                f"  names.txt, line 6 {BAD}: {WHY}".replace("-13-", "-14-"),
            ],
        ),
    ],
)
def test_refusals_are_counted_and_equal_ones_printed_once(
    run: Run, names: Callable[..., Path], lines: list[str], refused: list[str]
) -> None:
    names(*lines)
    done = run("load names.txt", code=3)
    summary, *rest = done.err.splitlines()
    bad = len(lines) - 1
    assert summary.startswith(f"1 files, {len(lines)} records: 1 loaded, 0 unchanged, 0 deleted, {bad} refused (")
    assert (done.out, rest) == ("", refused)
    document = run("load names.txt --json", code=3).json
    assert " ".join(document) == (
        "files read loaded unchanged deleted older refused refusals refusals_omitted deviations notes notes_omitted "
        "note_counts dropped seconds"
    )
    assert (document["read"], document["unchanged"], document["refused"]) == (len(lines), 1, {"bad-name": bad})
    assert list(document["refusals"][0]) == ["origin", "position", "identifier", "code", "problem", "expected"]
    positions = [refusal["position"] for refusal in document["refusals"]]
    assert positions == [f"line {number}" for number, line in enumerate(lines, 1) if line != GOOD]


def test_equal_notes_are_printed_once_with_a_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "names.txt").write_text(f"{GOOD}\n", "utf-8")
    for number in range(5):
        (tmp_path / "names" / f"note{number}.md").write_text("A note.", "utf-8")
    (noted,) = [line for line in run("load names").err.splitlines() if "skipped" in line]
    assert noted.startswith("  5 times: ")


def test_quarantine_is_listed_and_retried(run: Run, tmp_path: Path, names: Callable[..., Path]) -> None:
    names(GOOD)
    run("load names.txt")
    assert (run("quarantine list").err, run("quarantine retry").out) == ("the quarantine is empty\n", "")
    names(GOOD, BAD)
    run("load names.txt", code=3)
    document = run("quarantine list --json").json
    assert (list(document), document["damaged"]) == (["refused", "damaged"], [])
    (entry,) = document["refused"]
    assert (entry["identifier"], entry["code"]) == (BAD, "bad-name")
    assert run("quarantine list").lines[2] == (
        f"{entry['key'][:12]}  bad-name  names.txt, line 2  {BAD}  expected a day of the calendar, got '2020-13-02'"
    )
    assert run("quarantine retry --json", code=3).json["refused"] == {"bad-name": 1}
    shutil.rmtree(tmp_path / "vigente.store" / "quarantine")
    (tmp_path / "vigente.store" / "quarantine").mkdir()
    (tmp_path / "vigente.store" / "quarantine" / f"{'0' * 64}.json").write_text("{", "utf-8")
    (tmp_path / "vigente.store" / "quarantine" / "stray").write_text("x", "utf-8")
    damaged = run("quarantine list", code=4)
    assert (damaged.out, damaged.err.splitlines()) == (
        "",
        [
            f"damaged: {'0' * 64}.json: not JSON: the file was changed or truncated",
            "damaged: stray: not a file of the quarantine",
        ],
    )
    run("quarantine list --json", code=4)
    counted = run("stats", code=4).lines[0].partition("; ")[2]
    assert counted == "in quarantine: 2, of which 2 damaged (`vigente quarantine list`)"
    stats = run("stats --json", code=4).json
    assert (stats["quarantine"], stats["quarantine_damaged"]) == (2, 2)


def test_rebuild_and_optimize_keep_the_data(run: Run, sample_store: Path, tmp_path: Path) -> None:
    shutil.copytree(sample_store, tmp_path / "vigente.store", symlinks=True)
    before = sorted(run("export -").lines)
    for command, said, keys in (("rebuild", "periods of ", {"works"}), ("optimize", "compacted: ", {"bytes"})):
        assert run(command).err.startswith(said)
        assert run(f"{command} --json").json.keys() == keys
        assert sorted(run("export -").lines) == before


def test_convert_writes_quads_and_keeps_what_is_refused(run: Run, tmp_path: Path, names: Callable[..., Path]) -> None:
    names(GOOD, "no name")
    done = run("convert out.nq.gz names.txt --as names --json", code=3)
    assert done.json["refused"] == {"bad-name": 1}
    quads = ox.parse(gzip.decompress((tmp_path / "out.nq.gz").read_bytes()), ox.RdfFormat.N_QUADS)
    assert any("99930" in str(quad.subject) for quad in quads)
    assert (tmp_path / "out.nq.gz.refused").is_dir()


# The output on stdout and stderr


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9031m\u202eevil\u2066\x7f\u200b\U000e0001"
ESCAPED = "\\u001b]0;owned\\u0007\\u001b[2J\\u009031m\\u202eevil\\u2066\\u007f\\u200b\\U000e0001"
#: The characters of HOSTILE that XML allows: none below U+0020.
HOSTILE_XML = "\x9031m\u202eevil\u2066\x7f\u200b\U000e0001"
RECORD = constant("cli_loading", "record")
LAW = "urn:lex:br:federal:lei:2020-01-02;99930"


def hostile_store(folder: Path) -> Path:
    """Make a store with a record and a refused record full of control sequences of terminals; return its path."""
    (folder / f"x{HOSTILE_XML}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert main(["--store", str(folder / "store"), "load", str(folder)]) == 3
    return folder / "store"


def control_characters(text: str, keep: str = "\n") -> list[str]:
    return [c for c in text if not c.isprintable() and c not in keep]


@pytest.mark.parametrize(
    ("text", "keep", "shown"),
    [
        (HOSTILE, "", ESCAPED),
        ("Lei nº 8.078 – ação", "", "Lei nº 8.078 – ação"),
        ("a\nb\tc", "\n", "a\nb\\u0009c"),
        ("\udcff", "", "\\udcff"),
    ],
)
def test_shown_escapes_control_characters(text: str, keep: str, shown: str) -> None:
    assert output.shown(text, keep=keep) == shown


@settings(max_examples=100)
@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_shown_text_and_json_are_printable_and_lose_nothing(text: str, document: dict[str, str]) -> None:
    shown = output.shown(text)
    assert shown.isprintable()
    assert output.shown(shown) == shown
    written = io.StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        patched.setattr(sys.stdout, "write", written.write)
        output.print_json(document)
    assert json.loads(written.getvalue()) == document
    assert control_characters(written.getvalue()) == []


def test_text_of_sources_is_escaped_on_the_terminal(run: Run, tmp_path: Path) -> None:
    """Each command on a hostile record, as text and as JSON, and the messages of the load."""
    hostile_store(tmp_path)
    for command in (
        f"in-force {LAW} --on 2020-02-01 --as-known 2020-02-01",
        f"timeline {LAW}",
        f"resolve {LAW}",
        "stats",
        "quarantine list",
    ):
        done = run(f"--store store {command}")
        assert control_characters(done.out + done.err) == [], command
        document = run(f"--store store {command} --json")
        assert control_characters(document.out) == [], command
        assert document.json
    done = run(f"--store store query describe_work -p norma={LAW}")
    assert control_characters(done.out + done.err) == []
    assert f"Lei fictícia {ESCAPED[ESCAPED.index('90') - 4 :]}" in done.out
    (tmp_path / f"x{HOSTILE}.xml").write_text(RECORD.format(hostile=HOSTILE_XML), encoding="utf-8")
    assert control_characters(run("--store s load", str(tmp_path / f"x{HOSTILE}.xml"), code=3).err) == []


@pytest.mark.parametrize(
    ("rows", "width", "lines"),
    [
        ([("a", "bb"), ("", "ação")], None, ["x  y", "-  ----", "a  bb", "   ação"]),
        ([("a", "bb"), ("", "ação")], 7, ["x  y", "-  ----", "a  bb", "   ação"]),
        ([("a", "bb"), ("", "ação")], 6, ["x  a", "y  bb", "", "x", "y  ação"]),
        ([("法", "1"), ("a", "2")], None, ["x   y", "--  -", "法  1", "a   2"]),
    ],
    ids=["table", "as wide as the table", "blocks below its width", "wide characters"],
)
def test_table_or_blocks(rows: list[tuple[str, str]], width: int | None, lines: list[str]) -> None:
    assert list(table(("x", "y"), rows, width=width)) == lines


# Commands that are refused


REFUSED = table_of("commands/refused.toml")
HEADER = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"


@pytest.mark.parametrize("command", REFUSED["empty-folder"])
def test_refused_command_writes_nothing(command: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{CODE}\n", "utf-8")
    err = run(command, code=2).err
    assert printed(REFUSED["empty-folder"][command], err), err
    lines = 1 if "\nsee " not in err else 4 if "^" in err else 2
    assert err.count("\n") == lines, "one line, or a marker below the place in the name"
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


@pytest.mark.parametrize(("text", "more", "message"), values("cli_loading", "invalid_files_of_providers_are_refused"))
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


# Converting sources to N-Quads


@pytest.mark.slow
@pytest.mark.usefixtures("short_constitution")
def test_converted_quads_equal_the_asserted_quads(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    write_sources(sources, 30)
    output = BytesIO()
    summary = convert([sources], output, Quarantine(tmp_path / "q"))
    assert (summary.older, summary.files) == (0, sum(path.is_file() for path in sources.rglob("*")))
    quads = list(ox.parse(output.getvalue(), ox.RdfFormat.N_QUADS))
    assert len(quads) == len(set(quads)), "each once"
    store = in_memory()
    store.apply([built_in_record()])
    load([sources], store, Quarantine(tmp_path / "q2"))
    assert set(quads) == {quad for quad in store.engine if quad.graph_name != ox.NamedNode(DERIVED_GRAPH)}


def test_repeated_record_is_written_once(tmp_path: Path) -> None:
    def record(day: str) -> str:
        head = f"<header><identifier>oai:a:1</identifier><datestamp>{day}</datestamp></header>"
        name = "<DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03;99901</DocumentoIndividual>"
        lexml = f"<LexML xmlns='http://www.lexml.gov.br/oai_lexml'>{name}</LexML>"
        return f"<record>{head}<metadata>{lexml}</metadata></record>"

    records = "".join(map(record, ("2026-01-01", "2026-01-01", "2026-01-02")))
    (tmp_path / "p.xml").write_text(
        f"<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><ListRecords>{records}</ListRecords></OAI-PMH>"
    )
    output = BytesIO()
    summary = convert([tmp_path / "p.xml"], output, Quarantine(tmp_path / "q"))
    assert (summary.loaded, summary.unchanged, summary.older) == (2, 1, 1), "the vocabularies, and one record"
    assert b"2026-01-01" in output.getvalue()
    assert b"2026-01-02" not in output.getvalue()


@pytest.mark.parametrize("wrong", [{"as_kind": "nothing"}, {"workers": 0}])
def test_invalid_options_are_rejected_before_writing(tmp_path: Path, wrong: dict[str, Any]) -> None:
    output = BytesIO()
    with pytest.raises(BadInput):
        convert([tmp_path], output, Quarantine(tmp_path / "q"), **wrong)
    assert output.getvalue() == b""
