"""Tests of the program as a process: terminals, pipes, full disks, Ctrl-C, a second writer, few file descriptors."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import stat
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import constant
from tests.support.commands import CODE, ROOT, Run, environment, started
from tests.support.serve_process import until
from tests.support.tasks import alive
from tests.unit.service.test_cli_loading import HOSTILE_XML, LAW, control_characters, hostile_store

LOCKED = "vigente: s is being written by another process; wait for it, or stop it\n"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_store(tmp_path_factory.mktemp("hostile"))


def _ended(*arguments: str | Path, stdout: int = subprocess.PIPE, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run the program to its end; a given descriptor of its output is closed."""
    running = started(*arguments, stdout=stdout, stderr=subprocess.PIPE, **options)
    if stdout != subprocess.PIPE:
        os.close(stdout)
    return subprocess.CompletedProcess(running.args, *_rest(running))


def _rest(running: subprocess.Popen[Any]) -> tuple[int, Any, Any]:
    out, err = running.communicate(timeout=60)
    return running.returncode, out, err


def _screen(columns: int, *arguments: str | Path, **more: str) -> str:
    """Run the program on a terminal of that width, and return the text of the screen."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    running = started(*arguments, stdout=terminal, stderr=terminal, env=environment(**more))
    os.close(terminal)
    written = b"".join(iter(lambda: _read_terminal(screen), b""))
    os.close(screen)
    assert running.wait(timeout=60) == 0
    return written.decode().replace("\r\n", "\n")


def _read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other side has closed
        return b""


def _names(file: Path, count: int) -> Path:
    file.write_text("".join(f"urn:lex:br:federal:lei:2020-01-02;{99930 + i}\n" for i in range(count)), "utf-8")
    return file


def _interruptible(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the program so that it handles SIGINT, even where the tests were started with SIGINT ignored."""
    return started(
        *arguments,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


# Terminals and pipes


def test_output_is_raw_in_a_pipe_and_escaped_on_a_terminal(hostile: Path) -> None:
    query: list[str | Path] = ["--store", hostile, "query", "describe_work", "-p", f"norma={LAW}", "--format", "csv"]
    assert f"Lei fictícia {HOSTILE_XML}" in _ended(*query).stdout.decode()
    screen = _screen(80, *query)
    assert "Lei fictícia \\u009031m\\u202eevil" in screen
    exported = _screen(80, "--store", hostile, "export", "-")
    assert control_characters(screen + exported, keep="\n\t") == []


def test_progress_line_is_updated_only_on_a_terminal(tmp_path: Path) -> None:
    few, many = _names(tmp_path / "few.txt", 40), _names(tmp_path / "many.txt", 5200)
    screen = _screen(80, "--store", tmp_path / "a", "load", few)
    assert "\x1b[" in screen
    assert " records read" in screen
    assert "\x1b[3" not in _screen(80, "--store", tmp_path / "b", "load", few, NO_COLOR="1"), "the cursor may move"
    assert "\x1b" not in _screen(80, "--store", tmp_path / "c", "load", few, TERM="dumb")
    first, summary = _ended("--store", tmp_path / "d", "load", many, text=True).stderr.splitlines()
    assert first.startswith("5000 records read, ")
    assert summary.startswith("1 files, 5200 records: 5200 loaded, ")


def test_narrow_terminal_shows_rows_as_blocks(sample_store: Path) -> None:
    query: list[str | Path] = ["--store", sample_store, "query", "amendments_of_work", "-p", f"norma={CODE}"]
    assert _screen(60, *query).splitlines()[:3] == [
        "alteradora  urn:lex:br:federal:lei:1993;8656",
        "registro    https://w3id.org/vigente/id/documento/74014730f5f0f441bde7c127a9ed1456",
        "",
    ]
    assert _screen(200, *query).splitlines()[0].split() == ["alteradora", "registro"]
    assert "in-force" in _screen(20, "--help")


@pytest.mark.parametrize("command", ["export -", f"timeline {CODE} --json", "query statistics --format csv", "--help"])
def test_closed_pipe_is_no_error(sample_store: Path, command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = _ended("--store", sample_store, *command.split(), stdout=writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["export -", "stats --json", "query providers --format csv"])
def test_full_disk_is_reported(sample_store: Path, command: str) -> None:
    ended = _ended("--store", sample_store, *command.split(), stdout=os.open("/dev/full", os.O_WRONLY), text=True)
    assert ended.returncode == 2
    assert ended.stderr == "vigente: the answer cannot be written: No space left on device\n"


def test_closed_streams_are_no_error(sample_store: Path) -> None:
    program = f"'{sys.executable}' -m service --store '{sample_store}'"
    for command, code in ((f"{program} stats >&-", 0), (f"{program} bogus 2>&-", 2)):
        ended = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60, env=environment())
        assert (ended.returncode, ended.stdout, ended.stderr) == (code, b"", b"")


def test_non_utf8_arguments_and_ascii_output_are_supported(sample_store: Path) -> None:
    plain = environment(PYTHONIOENCODING="ascii")
    bad = _ended("--store", os.fsdecode(b"\xff"), "stats", env=plain)
    assert bad.returncode == 4
    assert bad.stderr == b"vigente: there is no store at \\udcff; `vigente load` or `vigente demo` makes one\n"
    unnamed = _ended("name", "parse", os.fsdecode(b"\xff"))
    assert (unnamed.returncode, b"Traceback" in unnamed.stderr) == (2, False)
    described = _ended("--store", sample_store, "query", "describe_work", "-p", f"norma={CODE}", env=plain)
    assert b"C\\xf3digo de Defesa do Consumidor" in described.stdout
    listed = json.loads(_ended("--store", sample_store, "queries", "--json", env=plain).stdout)
    assert "Cópias de uma versão" in {query["titulo"] for query in listed}


@pytest.mark.parametrize("module", ["vigente", "service"])
def test_program_runs_as_a_module(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", module, "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=True)
    assert done.stdout.startswith(b"vigente ")


# Two processes, and Ctrl-C


def test_second_writer_finds_the_store_locked(run: Run, tmp_path: Path) -> None:
    _names(tmp_path / "few.txt", 1)
    writing = _interruptible(tmp_path, "--store", "s", "load", str(_names(tmp_path / "many.txt", 40_000)))
    try:
        _wait_for_progress(writing)
        for command in ("load few.txt", "rebuild", "quarantine retry"):
            assert run(f"--store s {command}", code=4).err == LOCKED
        run("--store s stats")  # readers do not wait for a lock
    finally:
        writing.kill()
        writing.communicate()


def _wait_for_progress(process: subprocess.Popen[str]) -> None:
    """Wait until the process reports that its first batches are read."""
    assert process.stderr is not None
    assert process.stderr.readline().startswith("5000 records read, ")


def test_sigint_keeps_committed_batches(run: Run, tmp_path: Path) -> None:
    loading = _interruptible(tmp_path, "load", str(_names(tmp_path / "many.txt", 40_000)))
    _wait_for_progress(loading)
    loading.send_signal(signal.SIGINT)
    code, out, err = _rest(loading)
    assert (code, out, "Traceback" in err) == (130, "", False)
    summary, last = err.splitlines()[-2:]
    assert last == "vigente: stopped; finished work is kept"
    loaded = int(summary.split(": ")[1].split()[0])
    assert 5_000 <= loaded < 40_000
    assert summary.startswith(f"1 files, {loaded} records: {loaded} loaded, 0 unchanged, 0 deleted, 0 refused (")
    records = run("stats --json").json["classes"]["https://w3id.org/vigente/ns#RegistroFonte"]
    assert records == loaded + 1, "the records and the vocabularies"


def test_sigint_ends_a_running_query(sample_store: Path, tmp_path: Path) -> None:
    """The process ends by SIGINT itself (130 in shells): the engine does not react to Ctrl-C."""
    header = "# title@pt-br: t\n# title@en: t\n# question@pt-br: p\n# question@en: q\n"
    pattern = " . ".join(f"?s{i} ?p{i} ?o{i}" for i in range(5))
    (tmp_path / "long.rq").write_text(f"{header}SELECT (COUNT(*) AS ?n) {{ {pattern} }}", "utf-8")
    asking = _interruptible(tmp_path, "--store", str(sample_store), "query", "long.rq")
    while _cpu_seconds(asking.pid) < 3:  # seconds; the start alone takes one
        time.sleep(0.1)
    asking.send_signal(signal.SIGINT)
    assert _rest(asking) == (-signal.SIGINT, "", "")


def _cpu_seconds(process: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_sigint_ends_a_check_without_files(sample_store: Path, tmp_path: Path) -> None:
    checking = _interruptible(tmp_path, "--store", str(sample_store), "check", "--report", "r.nt")
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".r.nt.*.part")) and time.monotonic() < deadline and checking.poll() is None:
        time.sleep(0.01)
    checking.send_signal(signal.SIGINT)
    code, out, err = _rest(checking)
    assert (code, out, "Traceback" in err) == (130, "", False)
    assert list(tmp_path.iterdir()) == []


# Limits of the system

#: Starts a check with two processes, prints their ids, and waits.
CHECKER_SCRIPT = constant("programs", "cli_processes_checker_script")


def test_workers_of_a_check_end_with_their_parent(sample_store: Path, tmp_path: Path) -> None:
    script = tmp_path / "checker.py"
    script.write_text(CHECKER_SCRIPT, "utf-8")
    command = [sys.executable, str(script), str((sample_store / "current").resolve())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as running:
        assert running.stdout is not None
        workers = [int(pid) for pid in running.stdout.readline().split()]
        assert len(workers) == 2
        running.kill()
    until(lambda: not any(map(alive, workers)), 30)


@pytest.mark.parametrize("files", [8, 20])
def test_too_few_file_descriptors_are_reported_in_one_line(sample_store: Path, files: int) -> None:
    program = [sys.executable, "-m", "service", "--store", str(sample_store), "check"]
    command = ["/bin/sh", "-c", f'ulimit -n {files} && exec "$0" "$@"', *program]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert ended.returncode == 4
    assert re.fullmatch(r"vigente: .*(Too many open files|file descriptors).*ulimit -n.*\n", ended.stderr), ended.stderr


#: Drops root's permission to enter any folder, after all imports; runs the commands, and prints their exit codes.
NOBODY_SCRIPT = constant("programs", "cli_processes_nobody_script")


def test_unreadable_folder_is_reported(tmp_path: Path) -> None:
    """The commands run as the user nobody where the tests run as root."""
    closed = tmp_path / "closed"
    closed.mkdir()
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(place.stat().st_mode | stat.S_IXOTH | stat.S_IROTH)
    closed.chmod(0)
    try:
        command = [sys.executable, "-c", NOBODY_SCRIPT, str(closed / "store"), __file__]
        ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=ROOT)
    finally:
        closed.chmod(stat.S_IRWXU)
    assert ended.stdout == "4\n4\n4\n"
    assert ended.stderr.count("Permission denied") == 3
    assert "Traceback" not in ended.stderr
