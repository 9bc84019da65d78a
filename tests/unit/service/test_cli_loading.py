"""Tests of commands that write a store: demo, load, convert, rebuild, optimize and quarantine."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from loaders.sources.registry import FORMATS
from tests.support.commands import CODE, Run

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


def test_records_of_a_killed_load_are_reported(run: Run, tmp_path: Path, record: Callable[..., Record]) -> None:
    law = record("urn:lex:br:federal:lei:2001-03-05;99901", key="a")
    with open_for_writing(tmp_path / "s", create=True) as store:
        store.apply([law])
    journal = {"graphs": [law.source.iri], "works": [], "rest": None}
    (tmp_path / "s" / "journal.json").write_text(json.dumps(journal), "utf-8")
    assert "note: a load was killed: 1 records of its last batch were rolled back" in run("--store s rebuild").err
    assert "killed" not in run("--store s rebuild").err


def test_convert_writes_quads_and_keeps_what_is_refused(run: Run, tmp_path: Path, names: Callable[..., Path]) -> None:
    names(GOOD, "no name")
    done = run("convert out.nq.gz names.txt --as names --json", code=3)
    assert done.json["refused"] == {"bad-name": 1}
    quads = ox.parse(gzip.decompress((tmp_path / "out.nq.gz").read_bytes()), ox.RdfFormat.N_QUADS)
    assert any("99930" in str(quad.subject) for quad in quads)
    assert (tmp_path / "out.nq.gz.refused").is_dir()
