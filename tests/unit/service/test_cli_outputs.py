"""Tests of the files and folders that commands write, and of ``vigente check``: what is replaced, found and refused."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pyoxigraph as ox
import pytest
import typer
from rdflib import RDF, Graph, Namespace

from graph import store as stores
from graph.store.names import NAMES
from ontology.iris import DERIVED_GRAPH
from queries.checks.shapes import Severity, checks
from service.cli.program import app, execute
from tests.docs.test_remote_commands import commands
from tests.support.cases import constant, values
from tests.support.commands import ROOT, Run
from tests.support.engines import embedded
from tests.support.harvesting import repository
from tests.support.oai_server import OaiServer
from tests.support.records import record

# The files and folders that commands write


#: Each command that writes a file, as ``COMMAND PARAMETER``: its arguments, in which OUT is that file, and the ending
#: of OUT. The arguments have the store, an act and a list of names in this folder, and the address of a provider.
REPLACING = constant("cli_outputs", "replacing")
#: Those that write new files only.
CREATING = {"publish --template": ("publish --template OUT", ".csv"), "backup target": ("backup OUT", ".tar")}
#: The parameters that name files to read.
READING = constant("cli_outputs", "reading")
_FILES = re.compile(r"FILE|PATH|OUT|TARGET|BACKUP|BILL|SOURCE\b|DIR")
BEFORE = b"before"

Execute = Callable[[str, str], tuple[int, str]]


def test_every_parameter_that_names_a_file_is_tested() -> None:
    found = set()
    for words in commands():
        command: Any = typer.main.get_command(app)
        for word in words.split():
            command = command.commands[word]
        found |= {f"{words} {p.opts[0]}" for p in command.params if p.metavar and _FILES.search(p.metavar)}
    reading = {" ".join(row.split()) for row in READING.split(",")}
    of_builds = {"build sources", "build --out"}  # tests/spark
    assert found | {"apply name"} == {*REPLACING, *CREATING, *reading, *of_builds}


@pytest.fixture
def executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Execute:
    """Return a function that runs arguments in a folder with a store, and returns the exit code and the messages."""
    monkeypatch.chdir(tmp_path)
    Path("act.txt").write_text("LEI Nº 99.901, DE 2 DE JANEIRO DE 2001\n\nArt. 1º Esta Lei é fictícia.\n", "utf-8")
    Path("names.txt").write_text("urn:lex:br:federal:lei:1990-09-11;8078\n", "utf-8")
    assert execute(["--store", "vigente.store", "load", "names.txt"]) == 0
    capfd.readouterr()

    def run_command(arguments: str, out: str) -> tuple[int, str]:
        with OaiServer(repository(1)) as server:
            given = [{"OUT": out, "URL": server.url}.get(word, word) for word in arguments.split()]
            code = execute(["--store", "vigente.store", *given])
        return code, capfd.readouterr().err

    return run_command


@pytest.mark.parametrize("command", REPLACING)
def test_a_link_means_its_target_and_a_file_keeps_its_permissions(command: str, executed: Execute) -> None:
    arguments, ending = REPLACING[command]
    old, new = Path(f"old{ending}"), Path(f"new{ending}")
    old.write_bytes(BEFORE)
    old.chmod(0o640)
    for link, target in ((Path(f"link{ending}"), old), (Path(f"dangling{ending}"), new)):
        link.symlink_to(target)
        assert executed(arguments, str(link))[0] in {0, 3, 5}
        assert link.readlink() == target
        assert target.read_bytes() != BEFORE
        assert target.stat().st_size > 1
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("command", [*REPLACING, "publish --template"])
@pytest.mark.parametrize("kind", ["device", "fifo", "socket"])
def test_what_is_not_a_file_is_written_to(command: str, kind: str, executed: Execute) -> None:
    arguments, ending = {**REPLACING, **CREATING}[command]
    if (command, kind) == ("publish --template", "socket"):
        pytest.skip("a template is a new file, and is not sent")
    out = Path(f"out{ending}")
    received: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        if kind == "device":
            try:
                os.mknod(out, 0o666 | stat.S_IFCHR, os.makedev(1, 3))  # never the machine's /dev/null
            except PermissionError:
                pytest.skip("only root can make a device")
        elif kind == "fifo":
            os.mkfifo(out)
        else:
            listening.bind(str(out))
            listening.listen()

        def read() -> None:
            if kind == "fifo":
                received.append(out.read_bytes())
            elif kind == "socket":
                connection, _ = listening.accept()
                with connection, connection.makefile("rb") as stream:
                    received.append(stream.read())

        reader = Thread(target=read, daemon=True)
        reader.start()
        before = out.lstat()
        code, messages = executed(arguments, str(out))
        reader.join(20)
    assert code in {0, 3, 5}, messages
    assert (out.lstat().st_mode, out.lstat().st_ino) == (before.st_mode, before.st_ino)
    assert kind == "device" or len(received[0]) > 1


@pytest.mark.parametrize("command", [*REPLACING, *CREATING])
def test_what_cannot_be_written_is_refused_and_nothing_is_lost(command: str, executed: Execute) -> None:
    arguments, ending = {**REPLACING, **CREATING}[command]
    folder, protected, within = Path(f"folder{ending}"), Path(f"protected{ending}"), Path(f"vigente.store/out{ending}")
    folder.mkdir()
    protected.write_bytes(BEFORE)
    protected.chmod(0o444)
    refused = {str(folder): "folder", str(protected): "protected", f"{protected}/out{ending}": ""}
    if command != "backup target":  # it makes the folder
        refused[f"none/out{ending}"] = ""
    if command in {"export file", "check --report", "harvest --report", "backup target"}:
        refused[str(within)] = "within the store"
    for out, why in refused.items():
        code, messages = executed(arguments, out)
        assert (code in {2, 4}, out in messages, why in messages) == (True, True, True), messages
        assert messages.count("\n") <= 1 + messages.count("note:")
    assert protected.read_bytes() == BEFORE
    assert list(folder.iterdir()) == []
    assert not within.exists()


@pytest.mark.parametrize(("arguments", "file"), values("cli_outputs", "an_input_is_no_output"))
def test_an_input_is_no_output(arguments: str, file: str, executed: Execute) -> None:
    Path("link.xml").symlink_to("act.txt")
    Path("folder").mkdir()
    for path in ("names.nq", "folder/names.nq"):
        Path(path).write_bytes(BEFORE)
    before = Path(file).read_bytes()
    code, messages = executed(arguments, "")
    assert (code, "is an input of this command; give the name of another file" in messages) == (2, True)
    assert Path(file).read_bytes() == before


@pytest.mark.usefixtures("executed")  # its folder has the act
def test_stdout_is_never_replaced(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["structure", "act.txt", "-o", "/dev/stdout"]) == 0
    assert capfd.readouterr().out.startswith("<?xml")


# ``vigente check`` on a store


LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
VIG = "https://w3id.org/vigente/ns#"
SH = Namespace("http://www.w3.org/ns/shacl#")
DQV = Namespace("http://www.w3.org/ns/dqv#")
CHECK = "--store store check --workers 1 --json --severity violation"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "store"
    with stores.open_for_writing(where, create=True) as opened:
        opened.apply([record(f"{LAW}@2001-04-01;publicacao;2001-03-06")])
    return where


def _invalidate_store(where: Path) -> None:
    """Give a period an end that is before its beginning, and that no event explains."""
    with stores.open_for_writing(where) as opened:
        (period,) = opened.engine.quads_for_pattern(None, ox.NamedNode(f"{VIG}versao"), None, None)
        end = ox.Literal("2001-01-01", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#date"))
        embedded(opened).add(ox.Quad(period.subject, ox.NamedNode(f"{VIG}fim"), end, ox.NamedNode(DERIVED_GRAPH)))
        opened.changed = True


def test_check_accepts_a_valid_store_and_reports_an_invalid_one(store: Path, run: Run) -> None:
    assert run(CHECK).json["conforms"] is True
    _invalidate_store(store)
    document = run("--store store check --workers 1 --json --report r.nt", code=5).json
    assert document["conforms"] is False
    failed = {tally["code"]: tally for tally in document["checks"] if tally["results"]}
    bad = {code for code, tally in failed.items() if tally["severity"] == "violation"}
    assert bad == {"period-start", "periods-follow-sources"}
    assert failed["periods-follow-sources"]["providers"] == {"https://provedor.example/oai": 1}
    page = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
    keys = {*document, *document["checks"][0], *failed["period-start"]["examples"][0]}
    assert keys == set(re.findall(r"`([a-z]+)`", page.split("## check\n")[1].split("##")[0])) - {*Severity}
    graph = Graph().parse("r.nt", format="nt")
    (report,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert str(graph.value(report, SH.conforms)) == "false"
    results = list(graph.objects(report, SH.result))
    assert len(results) == sum(tally["results"] for tally in failed.values())
    for result in results:
        for needed in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert len(list(graph.objects(result, needed))) == 1
    measures = [
        graph.value(measured, DQV.isMeasurementOf) for measured in graph.subjects(RDF.type, DQV.QualityMeasurement)
    ]
    assert {str(measure).rpartition("#")[2] for measure in measures} == {*checks(), "violations", "warnings", "infos"}
    assert "https://w3id.org/vigente/shapes#period-start" in run("--store store check --workers 1", code=5).out


#: Changes of the index of names.


def test_wrong_index_of_names_is_reported_and_rebuilt(store: Path, run: Run) -> None:
    with stores.open_for_writing(store) as opened:
        opened.apply([record(f"{LAW}@2002-01-01;alteracao;2002-01-01", key="2002")])
    run(CHECK)
    for file in (store / NAMES, store / "current" / NAMES):
        with closing(sqlite3.connect(file)) as index, index:
            index.execute("UPDATE summaries SET packed = packed || ' ' WHERE record = 0 AND name = ?", (LAW,))
    document = run(CHECK, code=5).json
    (tally,) = (entry for entry in document["checks"] if entry["results"])
    assert (document["conforms"], tally["code"], tally["results"]) == (False, "periods-follow-sources", 1)
    assert [(example["focus"], example["detail"]) for example in tally["examples"]] == [
        (LAW, "the index of names differs")
    ]
    run("--store store rebuild")
    run(CHECK)


def test_writer_keeps_a_held_snapshot(store: Path) -> None:
    def write(number: int) -> None:
        with stores.open_for_writing(store) as opened:
            opened.apply([record(f"urn:lex:br:federal:lei:2002-01-01;{number}", key=str(number))])

    with stores.holding(store) as snapshot:
        for number in range(99911, 99914):
            write(number)
        with stores.open_snapshot(snapshot) as held:
            assert len(list(held.select(f"SELECT ?p WHERE {{ <{LAW}> ?p ?o }}"))) > 3
    write(99915)
    assert not snapshot.exists()


def test_sources_beyond_ten_are_summarized_in_one_row(tmp_path: Path, run: Run) -> None:
    with stores.open_for_writing(tmp_path / "store", create=True) as opened:
        names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}@inicio.vigencia" for n in range(12)]
        opened.apply([record(name, provider=f"https://{n:02}.example/oai") for n, name in enumerate(names)])
    done = run("--store store check --workers 1")
    rows = [line.split(maxsplit=3)[2:] for line in done.lines if line.startswith("info      version-undated")]
    assert rows == [
        *(["1", f"https://{n:02}.example/oai"] for n in range(10)),
        ["2", "2 other sources; --json names them"],
    ]
    assert "info: version-undated, 12 results among " in done.out
    assert len(run("--store store check --workers 1 --json").json["checks"]) == len(checks())
