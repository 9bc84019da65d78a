"""Tests of the sandbox of workers: whatever the query or task, no connection is made and no file is changed."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from service.web.tasks import worker
from tests.durability.test_sparql_hostile import FEDERATION, listener
from tests.support.tasks import Asking, asking, fill

needs_filter = pytest.mark.skipif(
    not Path("/proc/sys/kernel/seccomp").exists(), reason="this system has no filter of system calls"
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    store = fill(tmp_path_factory.mktemp("network") / "store", 20)
    with asking(store, workers=1, query_seconds=5, per_client=8) as pool_client:
        yield pool_client


@needs_filter
def test_sandbox_blocks_connections_of_the_engine(asked: Asking) -> None:
    """Run queries without the guard: the operating system refuses connections that the guard might overlook."""
    assert asked.pool.sandboxed is True
    with listener() as (host, callers):
        for query in FEDERATION["refused"]:
            if query.startswith("SELECT"):
                asked.begin("unguarded", query=query.replace("@", host)).exception(10)
    assert not callers
    with listener() as (host, callers), pytest.raises(OSError):  # noqa: PT011 - the message of the engine varies
        list(ox.Store().query(FEDERATION["refused"][0].replace("@", host)))  # type: ignore[arg-type]
    assert callers


@needs_filter
def test_sandbox_denies_sockets_programs_and_files(asked: Asking, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept", encoding="ascii")
    with listener() as (host, callers):
        port = host.rpartition(":")[2].partition("/")[0]
        outcomes = asked.run("escape", port=port, path=str(tmp_path / "new"))
    assert not callers
    refused = ("tcp", "udp", "tcp6", "unix", "program", "write", "append", "delete", "rename", "folder")
    assert outcomes.splitlines() == [f"{name} PermissionError" for name in refused]
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]
    # a result beyond SQLite's cache would need temporary files, which a worker cannot create
    assert asked.run("collect", rows=400_000) == "400000"


def test_engine_threads_are_sandboxed(asked: Asking) -> None:
    """Check each thread: one started before the filter would not be restricted."""
    (process,) = asked.whole(1)
    threads = [(thread / "status").read_text("ascii") for thread in Path(f"/proc/{process}/task").iterdir()]
    assert len(threads) > 1
    assert all("Seccomp:\t2" in status and "NoNewPrivs:\t1" in status for status in threads)


def test_unsupported_machine_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    assert worker.install() is False


#: The fields of a system call in the filter: its number, the architecture, the instruction pointer, six arguments.
CALL = struct.Struct("=IIQ6Q")
ALLOWED, REFUSED, ENDED = 0x7FFF0000, 0x00050001, 0x80000000


def decision(
    machine: str, number: int, *arguments: int, architecture: int | None = None, connecting: bool = False
) -> int:
    """Return the decision of a machine's filter on a system call, by interpreting the filter as the kernel does."""
    platform = worker.MACHINES[machine]
    six = [*arguments, *[0] * (6 - len(arguments))]
    call = CALL.pack(number, platform.architecture if architecture is None else architecture, 0, *six)
    code = [struct.unpack("=HBBI", step) for step in worker.instructions(platform, connecting=connecting)]
    index, word = 0, 0
    while True:
        operation, if_so, if_not, value = code[index]
        index += 1
        match operation:
            case 0x20:
                (word,) = struct.unpack_from("=I", call, value)
            case 0x06:
                return int(value)
            case _:
                so = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[operation]
                index += if_so if so else if_not


#: By machine and decision: the numbers of system calls with their arguments.
DECISIONS: dict[tuple[str, int], list[tuple[int, ...]]] = {
    ("x86_64", ALLOWED): [
        (0,),  # read
        (202,),  # futex
        (2, 0, os.O_RDONLY),  # open
        (257, 0, 0, os.O_RDONLY | os.O_CLOEXEC),  # openat
    ],
    ("x86_64", REFUSED): [
        (41, 2, 1, 0),  # socket
        (0x40000000 + 41, 2, 1, 0),  # socket of x32
        (42, 3),  # connect
        (59,),  # execve
        (425,),  # io_uring_setup
        (2, 0, os.O_RDWR),  # open
        (257, 0, 0, os.O_RDONLY | os.O_CREAT),  # openat
    ],
    ("aarch64", ALLOWED): [(63,), (98,), (56, 0, 0, os.O_RDONLY)],  # read, futex, openat
    ("aarch64", REFUSED): [(198, 10, 1, 0), (203,), (221,), (56, 0, 0, os.O_WRONLY)],  # socket, connect, execve, openat
}


def test_filter_decides_for_each_call() -> None:
    for (machine, decided), calls in DECISIONS.items():
        for call in calls:
            assert decision(machine, *call) == decided, (machine, call)
            assert decision(machine, *call, architecture=0x40000003) == ENDED, "a call of another architecture"


@pytest.mark.parametrize("machine", worker.MACHINES)
def test_endpoint_worker_may_only_connect(machine: str) -> None:
    platform = worker.MACHINES[machine]
    for number in platform.connecting:
        assert (decision(machine, number), decision(machine, number, connecting=True)) == (REFUSED, ALLOWED)
    for number in platform.refused:
        assert decision(machine, number, connecting=True) == REFUSED
    for number, place in platform.opening:
        assert decision(machine, number, *[0] * place, os.O_WRONLY, connecting=True) == REFUSED
