"""Tests of commands that write: demo, load, rebuild, quarantine; a second process, Ctrl-C, and messages."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.entities import Record
from graph.store import open_for_writing
from loaders.sources.registry import FORMATS
from service.cli import main

ROOT = Path(__file__).resolve().parents[3]
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
GOOD = "urn:lex:br:federal:lei:2020-01-02;99930"
BAD = "urn:lex:br:federal:lei:2020-13-02;99931"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function: ``run(argument...)`` returns exit code, stdout and stderr.

    It runs in an empty folder with the default store.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIGENTE_STORE", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def _start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the program as a process that handles SIGINT, even where the tests were started with SIGINT ignored."""
    return subprocess.Popen(
        [sys.executable, "-m", "service", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )


def _many_names(folder: Path, count: int) -> Path:
    listed = folder / "many.txt"
    listed.write_text("".join(f"urn:lex:br:federal:lei:2020-01-02;{99930 + i}\n" for i in range(count)), "utf-8")
    return listed


def test_demo_loads_the_sample(run: Run, tmp_path: Path) -> None:
    code, out, err = run("demo")
    lines = out.splitlines()
    assert code == 0
    assert err == "9 files, 67 records: 66 loaded, 0 unchanged, 1 deleted, 0 refused " + err[err.rindex("(") :]
    rows = [line.split() for line in lines if line.startswith("   199")]
    assert [(on, known, answer[-1]) for on, known, *answer in rows] == [
        ("1991-03-10", "2008-12-15", "vacatio"),
        ("1993-05-22", "1993-05-01", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-05-22", "1993-05-22", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
    ]
    assert max(map(len, lines[:14])) <= 120
    assert "  on 2008-12-01, as known on 2008-12-15, force: unknown: the sources do not allow an answer" in lines
    assert lines[-4] == "docs/start/tutorial.md is a tutorial of fifteen minutes."
    assert lines[-2].endswith("at http://127.0.0.1:8000/:")
    assert lines[-1] == "  vigente serve"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vigente.store"]


def test_demo_prints_the_output_of_its_commands(run: Run) -> None:
    _, out, _ = run("demo")
    for command in (line for line in out.splitlines() if line.startswith("$ vigente ")):
        words = [word.replace("'", "") for word in command.split()[2:]]
        assert run(*words)[1] in out


def test_second_demo_loads_nothing(run: Run) -> None:
    first = run("demo")
    second = run("demo")
    assert (second[0], second[1]) == (0, first[1])
    assert second[2] == "vigente.store has the sample already: nothing to load\n"


def test_demo_rejects_another_store(run: Run, tmp_path: Path) -> None:
    listed = tmp_path / "names.txt"
    listed.write_text(f"{GOOD}\n", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    run("--store", "mine", "load", "names.txt")
    for path in ("mine", "full", "names.txt"):
        message = (
            f"vigente: the demo loads fictional records and needs a new store, but {path} exists; "
            "give a folder that does not exist: `vigente --store demo.store demo`\n"
        )
        assert run("--store", path, "demo") == (2, "", message)


@pytest.mark.parametrize("files", [(), ("README.md", "checksums.py")])
def test_a_folder_without_sources_is_reported_with_the_known_formats(
    run: Run, tmp_path: Path, files: tuple[str, ...]
) -> None:
    (tmp_path / "laws").mkdir()
    (tmp_path / "others").mkdir()
    for name in files:
        (tmp_path / "laws" / name).write_text("Leis da cidade.\n", encoding="utf-8")
    code, out, err = run("load", "laws", "others")
    assert (code, out) == (3, "")
    lines = err.splitlines()
    message_index = lines.index(
        "vigente: expected a file of a known format, got none in laws, others; the formats, by the value of --as:"
    )
    assert lines[message_index + 1 : -1] == [
        f"  {source_format.name}: {source_format.title}" for source_format in FORMATS.values()
    ]
    assert lines[-1] == "docs/reference/sources.md describes them"
    assert json.loads(run("load", "--json", "laws")[1])["read"] == 0
    (tmp_path / "laws" / "list.csv").write_text("nome\n", encoding="utf-8")  # of a known format, without records
    code, _, err = run("load", "laws")
    assert (code, "known format" in err) == (0, False)


def test_demo_accepts_an_empty_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, out, _ = run("--store", "empty", "demo")
    assert code == 0
    assert f"  vigente --store 'empty' timeline '{CODE}'" in out.splitlines()


def test_interrupted_demo_is_resumed(run: Run, tmp_path: Path) -> None:
    run("demo")
    for name in ("data", "snapshots"):
        shutil.rmtree(tmp_path / "vigente.store" / name)
    (tmp_path / "vigente.store" / "current").unlink()
    (tmp_path / "vigente.store" / "snapshots").mkdir()
    code, _, err = run("demo")
    assert (code, err.startswith("9 files, 67 records: 66 loaded, ")) == (0, True)


def test_load_into_the_demo_store_prints_a_note(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n", encoding="utf-8")
    run("demo")
    _, _, err = run("load", "names.txt")
    assert err.splitlines()[0] == (
        "note: `vigente demo` made the store vigente.store; its sample has fictional records"
    )


def test_load_reports_counts_and_refusals(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n{BAD}\n", encoding="utf-8")
    code, out, err = run("load", "names.txt")
    assert (code, out) == (3, "")
    lines = err.splitlines()
    assert lines[0].startswith("1 files, 2 records: 1 loaded, 0 unchanged, 0 deleted, 1 refused (")
    assert lines[1] == "  refused: 1 bad-name"
    assert lines[2] == (
        f"  names.txt, line 2 {BAD}: expected a day of the calendar, got '2020-13-02' "
        "(expected a name of the lex namespace, LexML 1.0 part 2, section 4.4)"
    )
    assert len(lines) == 3


def test_equal_refusals_are_printed_once_with_a_count(run: Run, tmp_path: Path) -> None:
    other = BAD.replace("2020-13-02", "2020-14-02")
    (tmp_path / "names.txt").write_text("\n".join([*[BAD] * 5, other, GOOD]), encoding="utf-8")
    code, _, err = run("load", "names.txt")
    assert (code, err.splitlines()[1:]) == (
        3,
        [
            "  refused: 6 bad-name",
            (
                "  5 times: expected a day of the calendar, got '2020-13-02' "
                "(expected a name of the lex namespace, LexML 1.0 part 2, section 4.4)"
            ),
            *(f"    names.txt, line {line} {BAD}" for line in (1, 2, 3)),
            "    ... and 2 more places",
            (
                f"  names.txt, line 6 {other}: expected a day of the calendar, got '2020-14-02' "
                "(expected a name of the lex namespace, LexML 1.0 part 2, section 4.4)"
            ),
        ],
    )
    _, out, _ = run("load", "names.txt", "--json")
    assert [refusal["position"] for refusal in json.loads(out)["refusals"]] == [f"line {line}" for line in range(1, 7)]


def test_equal_notes_are_printed_once_with_a_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "names.txt").write_text(f"{GOOD}\n", encoding="utf-8")
    for number in range(5):
        (tmp_path / "names" / f"note{number}.md").write_text("A note.", encoding="utf-8")
    _, _, err = run("load", "names")
    noted = [line for line in err.splitlines() if "skipped" in line]
    assert len(noted) == 1
    assert noted[0].startswith("  5 times: ")


def test_load_as_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n{BAD}\n", encoding="utf-8")
    code, out, err = run("load", "names.txt", "--json")
    document = json.loads(out)
    assert code == 3
    assert err.startswith("1 files, ")
    assert list(document) == [
        "files", "read", "loaded", "unchanged", "deleted", "older", "refused", "refusals", "refusals_omitted",
        "deviations", "notes", "notes_omitted", "note_counts", "dropped", "seconds",
    ]  # fmt: skip
    assert (document["read"], document["loaded"], document["refused"]) == (2, 1, {"bad-name": 1})
    assert list(document["refusals"][0]) == ["origin", "position", "identifier", "code", "problem", "expected"]
    code, out, _ = run("load", "names.txt", "--json")
    assert (code, json.loads(out)["unchanged"]) == (3, 1)


def test_quarantine_is_listed_and_retried(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n{BAD}\n", encoding="utf-8")
    run("load", "names.txt")
    code, out, _ = run("quarantine", "list", "--json")
    document = json.loads(out)
    assert (code, list(document), document["damaged"]) == (0, ["refused", "damaged"], [])
    assert [(entry["identifier"], entry["code"]) for entry in document["refused"]] == [(BAD, "bad-name")]
    code, out, _ = run("quarantine", "list")
    key = document["refused"][0]["key"][:12]
    assert out.splitlines()[2] == (
        f"{key}  bad-name  names.txt, line 2  {BAD}  expected a day of the calendar, got '2020-13-02'"
    )
    code, out, _ = run("quarantine", "retry", "--json")
    assert (code, json.loads(out)["refused"]) == (3, {"bad-name": 1})


def test_empty_quarantine_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n", encoding="utf-8")
    assert run("load", "names.txt")[0] == 0
    assert run("quarantine", "list") == (0, "", "the quarantine is empty\n")
    assert run("quarantine", "retry")[0] == 0


def test_damaged_quarantine_files_are_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"{GOOD}\n", encoding="utf-8")
    run("load", "names.txt")
    quarantine = tmp_path / "vigente.store" / "quarantine"
    quarantine.mkdir(exist_ok=True)
    (quarantine / f"{'0' * 64}.json").write_text("{", encoding="utf-8")
    (quarantine / "stray").write_text("x", encoding="utf-8")
    code, out, err = run("quarantine", "list")
    assert (code, out) == (4, "")
    assert err.splitlines() == [
        f"damaged: {'0' * 64}.json: not JSON: the file was changed or truncated",
        "damaged: stray: not a file of the quarantine",
    ]
    code, out, _ = run("stats")
    assert (code, out.splitlines()[0].partition("; ")[2]) == (
        4,
        "in quarantine: 2, of which 2 damaged (`vigente quarantine list`)",
    )
    code, out, _ = run("stats", "--json")
    assert (code, json.loads(out)["quarantine"], json.loads(out)["quarantine_damaged"]) == (4, 2, 2)
    assert run("quarantine", "list", "--json")[0] == 4


def test_rebuild_keeps_the_data(run: Run) -> None:
    run("demo")
    before = run("export", "-")[1]
    code, out, err = run("rebuild")
    assert (code, out) == (0, "")
    assert err.startswith("periods of ")
    assert sorted(run("export", "-")[1].splitlines()) == sorted(before.splitlines())


def test_second_writer_finds_the_store_locked(run: Run, tmp_path: Path) -> None:
    writing = _start(tmp_path, "--store", "s", "load", str(_many_names(tmp_path, 40_000)))
    try:
        _wait_for_progress(writing)
        locked = "vigente: s is being written by another process; wait for it, or stop it\n"
        (tmp_path / "names.txt").write_text(f"{GOOD}\n", encoding="utf-8")
        assert run("--store", "s", "load", "names.txt") == (4, "", locked)
        assert run("--store", "s", "rebuild") == (4, "", locked)
        assert run("--store", "s", "quarantine", "retry") == (4, "", locked)
        assert run("--store", "s", "stats")[0] == 0  # readers do not wait for a lock
    finally:
        writing.kill()
        writing.communicate()


def test_sigint_keeps_committed_batches(run: Run, tmp_path: Path) -> None:
    listed = _many_names(tmp_path, 40_000)
    loading = _start(tmp_path, "load", str(listed))
    _wait_for_progress(loading)
    loading.send_signal(signal.SIGINT)
    out, err = loading.communicate(timeout=60)
    assert (loading.returncode, out) == (130, "")
    assert "Traceback" not in err
    summary, last = err.splitlines()[-2:]
    assert last == "vigente: stopped; finished work is kept"
    loaded = int(summary.split(": ")[1].split()[0])
    assert 5_000 <= loaded < 40_000
    assert summary.startswith(f"1 files, {loaded} records: {loaded} loaded, 0 unchanged, 0 deleted, 0 refused (")
    _, printed, _ = run("stats", "--json")
    assert json.loads(printed)["classes"]["https://w3id.org/vigente/ns#RegistroFonte"] == loaded + 1  # and vocabularies


def _cpu_seconds(process: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_sigint_ends_a_running_query(run: Run, tmp_path: Path) -> None:
    """Check that the process ends by SIGINT itself (130 in shells): the engine does not react to Ctrl-C."""
    run("demo")
    query = tmp_path / "long.rq"
    pattern = " . ".join(f"?s{i} ?p{i} ?o{i}" for i in range(5))
    query.write_text(
        "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"
        f"SELECT (COUNT(*) AS ?n) {{ {pattern} }}",
        "utf-8",
    )
    asking = _start(tmp_path, "query", "long.rq")
    while _cpu_seconds(asking.pid) < 4:  # seconds; the start alone takes one
        time.sleep(0.1)
    asking.send_signal(signal.SIGINT)
    out, err = asking.communicate(timeout=20)
    assert (asking.returncode, out, err) == (-signal.SIGINT, "", "")


def _wait_for_progress(process: subprocess.Popen[str]) -> None:
    """Wait until the process reports that its first batches are read."""
    assert process.stderr is not None
    assert process.stderr.readline().startswith("5000 records read, ")


def test_records_of_a_killed_load_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Callable[..., Record]
) -> None:
    folder = tmp_path / "store"
    law_record = record("urn:lex:br:federal:lei:2001-03-05;99901", key="a")
    with open_for_writing(folder, create=True) as store:
        store.apply([law_record])
    journal = {"graphs": [law_record.source.iri], "works": [], "rest": None}
    (folder / "journal.json").write_text(json.dumps(journal), "utf-8")
    assert main(["--store", str(folder), "rebuild"]) == 0
    printed = capsys.readouterr().err
    assert "note: a load was killed: 1 records of its last batch were rolled back" in printed
    assert main(["--store", str(folder), "rebuild"]) == 0
    assert "killed" not in capsys.readouterr().err


@pytest.mark.parametrize("module", ["vigente", "service"])
def test_program_runs_as_a_module(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", module, "--version"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout.startswith(b"vigente ")) == (0, True)
