"""Tests of the sandbox of workers: whatever the query or task, no connection is made and no file is changed."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pyoxigraph as ox
import pytest

from graph.errors import BadQuery
from service.web.http.problems import Problem
from service.web.tasks import worker
from tests.support.tasks import Asking, asking, fill

#: Queries that would make the engine connect to HOST, if it were allowed.
FEDERATED_QUERIES = {
    "SERVICE": "SELECT * { SERVICE <HOST> { ?s ?p ?o } }",
    "SERVICE SILENT": "SELECT * { SERVICE SILENT <HOST> { ?s ?p ?o } }",
    "small letters": "SELECT * { service silent<HOST>{ ?s ?p ?o } }",
    "in EXISTS": "SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE SILENT <HOST> { ?s ?p ?o } } }",
    "in a subselect": "SELECT * { { SELECT * { SERVICE SILENT <HOST> { ?s ?p ?o } } } }",
    "in OPTIONAL": "SELECT * { ?s ?p ?o OPTIONAL { SERVICE SILENT <HOST> { ?s ?p ?o } } }",
    "in CONSTRUCT": "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <HOST> { ?s ?p ?o } }",
    "behind a comment": "SELECT * { # ' \n SERVICE <HOST> { ?s ?p ?o } # ' \n }",
    "before a comment": "SELECT * { SERVICE# <x>\n<HOST> { ?s ?p ?o } }",
    "by a variable": "SELECT * { VALUES ?x { <HOST> } SERVICE SILENT ?x { ?s ?p ?o } }",
    "by a prefix": "PREFIX SERVICE: <HOST> SELECT * { SERVICE SERVICE: { ?s ?p ?o } }",
    "escaped": "SELECT * { \\u0053ERVICE <HOST> { ?s ?p ?o } }",
    "escaped long": "SELECT * { \\U00000053ERVICE SILENT <HOST> { ?s ?p ?o } }",
    "LOAD": "LOAD <HOST>",
    "LOAD SILENT": "LOAD SILENT <HOST> INTO GRAPH <http://x.example/g>",
    "an update": "INSERT { ?s ?p ?o } WHERE { SERVICE <HOST> { ?s ?p ?o } }",
}
#: The queries of them that are refused as updates; the others are refused because of SERVICE.
UPDATES = ("LOAD", "LOAD SILENT")
#: Queries that name HOST as a graph: answered from the store alone.
GRAPH_NAMING_QUERIES = [
    "SELECT * FROM <HOST> { ?s ?p ?o }",
    "SELECT * FROM NAMED <HOST> { GRAPH <HOST> { ?s ?p ?o } }",
    "DESCRIBE <HOST>",
]


class _Listener:
    """A listener on loopback that counts connections."""

    def __init__(self, server: socket.socket) -> None:
        self._server = server
        self.port: int = server.getsockname()[1]
        self.host = f"http://127.0.0.1:{self.port}/"
        self.came = 0
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.came += 1
            connection.close()


@contextmanager
def _listening() -> Iterator[_Listener]:
    server = socket.create_server(("127.0.0.1", 0))
    try:
        yield _Listener(server)
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    store = fill(tmp_path_factory.mktemp("network") / "store", 20)
    with asking(store, workers=1, query_seconds=5, per_client=8) as pool_client:
        yield pool_client


needs_filter = pytest.mark.skipif(
    not Path("/proc/sys/kernel/seccomp").exists(), reason="this system has no filter of system calls"
)


def test_listener_detects_connections() -> None:
    with _listening() as listening:
        with pytest.raises(OSError):  # noqa: PT011 - the engine's message about a closed connection varies
            list(ox.Store().query(FEDERATED_QUERIES["SERVICE"].replace("HOST", listening.host)))  # type: ignore[arg-type]
        assert listening.came > 0


@pytest.mark.parametrize("name", FEDERATED_QUERIES)
def test_query_to_another_host_is_rejected_and_not_sent(name: str, asked: Asking) -> None:
    with _listening() as listening:
        error = asked.begin("sparql", query=FEDERATED_QUERIES[name].replace("HOST", listening.host)).exception(10)
        if name in UPDATES:
            assert isinstance(error, Problem)
            assert (error.status, error.code) == (403, "read-only")
        else:
            assert isinstance(error, BadQuery)
        time.sleep(0.05)
        assert listening.came == 0


@pytest.mark.parametrize("query", GRAPH_NAMING_QUERIES)
def test_graph_names_are_never_fetched(query: str, asked: Asking) -> None:
    with _listening() as listening:
        asked.run("sparql", query=query.replace("HOST", listening.host))
        asked.run("sparql", query="ASK {}", default_graphs=[listening.host], named_graphs=[listening.host])
        time.sleep(0.05)
        assert listening.came == 0


@needs_filter
@pytest.mark.parametrize("name", ["SERVICE", "SERVICE SILENT", "in EXISTS", "in a subselect", "by a variable"])
def test_sandbox_blocks_connections_of_the_engine(name: str, asked: Asking) -> None:
    """Run queries without the guard: the operating system refuses connections that the guard might overlook."""
    assert asked.pool.sandboxed is True
    with _listening() as listening:
        asked.begin("unguarded", query=FEDERATED_QUERIES[name].replace("HOST", listening.host)).exception(10)
        time.sleep(0.05)
        assert listening.came == 0


@needs_filter
def test_sandbox_denies_sockets_programs_and_files(asked: Asking, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept", encoding="ascii")
    with _listening() as listening:
        outcomes = asked.run("escape", port=listening.port, path=str(tmp_path / "new"))
        assert listening.came == 0
    refused = ("tcp", "udp", "tcp6", "unix", "program", "write", "append", "delete", "rename", "folder")
    assert outcomes.splitlines() == [f"{name} PermissionError" for name in refused]
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


@needs_filter
def test_large_index_result_needs_no_temporary_file(asked: Asking) -> None:
    """Check a result beyond SQLite's cache: it would need temporary files, which a worker cannot create."""
    assert asked.run("collect", rows=400_000) == "400000"


def test_engine_threads_are_sandboxed(asked: Asking) -> None:
    """Check each thread: one started before the filter would not be restricted."""
    (process,) = asked.whole(1)
    threads = list(Path(f"/proc/{process}/task").iterdir())
    assert len(threads) > 1
    for thread in threads:
        status = (thread / "status").read_text(encoding="ascii")
        assert "Seccomp:\t2" in status
        assert "NoNewPrivs:\t1" in status


def test_unsupported_machine_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    assert worker.install() is False


#: The fields of a system call in the filter: its number, the architecture, the instruction pointer, six arguments.
CALL = struct.Struct("=IIQ6Q")
ALLOWED, REFUSED, ENDED = 0x7FFF0000, 0x00050001, 0x80000000


def _filter_result(
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


@pytest.mark.parametrize(
    ("machine", "number", "arguments", "ruling"),
    [
        ("x86_64", 0, (), ALLOWED),  # read
        ("x86_64", 41, (2, 1, 0), REFUSED),  # socket
        ("x86_64", 42, (3,), REFUSED),  # connect
        ("x86_64", 0x40000000 + 41, (2, 1, 0), REFUSED),  # socket of x32
        ("x86_64", 59, (), REFUSED),  # execve
        ("x86_64", 425, (), REFUSED),  # io_uring_setup
        ("x86_64", 2, (0, os.O_RDONLY), ALLOWED),  # open
        ("x86_64", 2, (0, os.O_RDWR), REFUSED),
        ("x86_64", 257, (0, 0, os.O_RDONLY | os.O_CLOEXEC), ALLOWED),  # openat
        ("x86_64", 257, (0, 0, os.O_RDONLY | os.O_CREAT), REFUSED),
        ("x86_64", 202, (), ALLOWED),  # futex
        ("aarch64", 63, (), ALLOWED),  # read
        ("aarch64", 198, (10, 1, 0), REFUSED),  # socket
        ("aarch64", 203, (), REFUSED),  # connect
        ("aarch64", 221, (), REFUSED),  # execve
        ("aarch64", 56, (0, 0, os.O_RDONLY), ALLOWED),  # openat
        ("aarch64", 56, (0, 0, os.O_WRONLY), REFUSED),
        ("aarch64", 98, (), ALLOWED),  # futex
    ],
)
def test_filter_decides_for_each_call(machine: str, number: int, arguments: tuple[int, ...], ruling: int) -> None:
    assert _filter_result(machine, number, *arguments) == ruling
    assert _filter_result(machine, number, *arguments, architecture=0x40000003) == ENDED, (
        "expected calls of another architecture to be refused"
    )


@pytest.mark.parametrize("machine", worker.MACHINES)
def test_endpoint_worker_may_only_connect(machine: str) -> None:
    platform = worker.MACHINES[machine]
    for number in platform.connecting:
        assert (_filter_result(machine, number), _filter_result(machine, number, connecting=True)) == (REFUSED, ALLOWED)
    for number in platform.refused:
        assert _filter_result(machine, number, connecting=True) == REFUSED
    for number, place in platform.opening:
        arguments = [0] * place + [os.O_WRONLY]
        assert _filter_result(machine, number, *arguments, connecting=True) == REFUSED
