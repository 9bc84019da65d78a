"""Tests of the files and folders that commands write: what is replaced, written to, and refused."""

from __future__ import annotations

import os
import re
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import typer

from service.cli.program import app, execute
from tests.docs.test_remote_commands import commands
from tests.support.harvesting import repository
from tests.support.oai_server import OaiServer

#: Each command that writes a file, as ``COMMAND PARAMETER``: its arguments, in which OUT is that file, and the ending
#: of OUT. The arguments have the store, an act and a list of names in this folder, and the address of a provider.
REPLACING = {
    "structure --output": ("structure act.txt -o OUT", ".xml"),
    "convert file": ("convert OUT names.txt", ".nq"),
    "export file": ("export OUT", ".nq"),
    "check --report": ("check --report OUT --workers 1", ".nt"),
    "harvest --report": ("harvest URL --politeness 0 --report OUT", ".json"),
}
#: Those that write new files only.
CREATING = {"publish --template": ("publish --template OUT", ".csv"), "backup target": ("backup OUT", ".tar")}
#: The parameters that name files to read.
READING = """
    load paths, load --profiles, convert paths, check --profiles, harvest --profiles, harvest --providers,
    harvest --names, structure file, amendments files, apply name, apply --amendments, preview file, publish source,
    restore backup
"""
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
    assert found | {"apply name"} == {*REPLACING, *CREATING, *reading}


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


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        ("structure act.txt -o act.txt", "act.txt"),
        ("structure act.txt -o ./vigente.store/../act.txt", "act.txt"),
        ("structure act.txt -o link.xml", "act.txt"),
        ("convert names.nq names.nq", "names.nq"),
        ("convert folder/names.nq folder", "folder/names.nq"),
        ("harvest --names names.txt URL --report names.txt", "names.txt"),
        ("harvest --providers names.txt --report names.txt", "names.txt"),
    ],
)
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
