"""Real engines on loopback for tests: ``oxigraph serve`` and Virtuoso, if their programs are installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from pathlib import Path

import httpx
import pyoxigraph as ox

from graph.store.engine import graph_block
from graph.store.remote.endpoint import Credentials, Endpoint, Limits
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.folder import assign_endpoint
from graph.store.remote.probe import OWN_GRAPHS, Properties


class EngineName(StrEnum):
    """The engines with which endpoints are tested: one that is written to, and one that is only read."""

    OXIGRAPH = "oxigraph"
    VIRTUOSO = "virtuoso"


#: By engine, the suffixes of its addresses for queries and updates.
_PATHS = {EngineName.OXIGRAPH: ("/query", "/update"), EngineName.VIRTUOSO: ("/sparql", "/sparql-auth")}
#: The largest number of triples in a request: Virtuoso refuses some 2,000.
_MOST = 1_000
#: By engine, the program of its server.
PROGRAMS = {EngineName.OXIGRAPH: "oxigraph", EngineName.VIRTUOSO: "virtuoso-t"}
WHY_NOT = {
    EngineName.OXIGRAPH: "the program oxigraph is not installed: `pip install oxigraph`",
    EngineName.VIRTUOSO: "the program virtuoso-t is not installed: Debian's virtuoso-opensource-7-bin has it",
}
_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "virtuoso"
#: The seconds that a server may take to start.
_STARTING = 60.0


@dataclass(slots=True)
class Served:
    """The running server of an engine.

    Attributes:
        url: the URL of the server.
        process: the process of the server that runs, or ran last.
    """

    name: EngineName
    url: str
    _command: Sequence[str]
    _folder: Path
    _rows: int
    process: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        """Start the server on its files, always at the same address; return when it answers."""
        environment = {**os.environ, "VIRTUOSO_ROWS": str(self._rows)}
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=self._folder, env=environment)
        _await(self.url + _PATHS[self.name][0], self.process)

    def kill(self) -> None:
        """Kill the server with SIGKILL, and wait until it has ended."""
        self.process.kill()
        self.process.wait()

    @property
    def sql_port(self) -> str:
        """The port on which Virtuoso accepts SQL."""
        return self._command[-1]

    @property
    def credentials(self) -> Credentials | None:
        """The credentials for writing; None if the engine needs none."""
        return Credentials("dba", "dba") if self.name is EngineName.VIRTUOSO else None

    def engine(self, limits: Limits | None = None) -> RemoteEngine:
        """Return a client of the server itself, without a proxy."""
        query, update = (self.url + path for path in _PATHS[self.name])
        is_oxigraph = self.name is EngineName.OXIGRAPH
        properties = Properties(
            query,
            update,
            self.url + "/store" if is_oxigraph else None,
            (("union-default-graph", "true"),) if is_oxigraph else (),
            () if is_oxigraph else OWN_GRAPHS,
            is_standard=is_oxigraph,
            keeps_empty_graphs=is_oxigraph,
        )
        return RemoteEngine(Endpoint(query, update, self.credentials, limits), properties)

    def connect(self, folder: Path) -> None:
        """Connect a folder to the server: to write to Oxigraph, to read Virtuoso, whose requests are not atomic."""
        assign_endpoint(folder, self.url, atomic=self.name is EngineName.OXIGRAPH)

    @property
    def options(self) -> list[str]:
        """The options of the command line that connect a folder to the server."""
        return ["--endpoint", self.url, *(["--atomic"] if self.name is EngineName.OXIGRAPH else [])]

    def empty(self) -> None:
        """Delete all quads that tests wrote."""
        engine = self.engine()
        if self.name is EngineName.OXIGRAPH:
            engine.update("DROP ALL")
        else:
            own = " && ".join(f"?g != <{graph}>" for graph in OWN_GRAPHS)
            engine.update(f"DELETE {{ GRAPH ?g {{ ?s ?p ?o }} }} WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER ({own}) }}")
        assert len(engine) == 0


def programs(name: EngineName) -> str | None:
    """Return the path of the program that serves an engine; None if it is not installed."""
    beside = Path(sys.executable).with_name(PROGRAMS[name])
    return str(beside) if beside.exists() else shutil.which(PROGRAMS[name])


@contextmanager
def serving_engine(name: EngineName, folder: Path, rows: int = 1000) -> Iterator[Served]:
    """Run an empty server of an engine on a free port until the block ends; its files are in ``folder``.

    Args:
        rows: the number of rows after which Virtuoso truncates an answer; small by default, to test truncation.
    """
    program = programs(name)
    assert program is not None, WHY_NOT[name]
    folder.mkdir(parents=True, exist_ok=True)
    port, other = _free_ports(2)
    if name is EngineName.OXIGRAPH:
        command = [program, "serve", "--location", str(folder / "data"), "--bind", f"127.0.0.1:{port}"]
    else:
        command = [str(_SCRIPT), str(folder), str(port), str(other)]
    served = Served(name, f"http://127.0.0.1:{port}", command, folder, rows)
    try:
        served.start()
        yield served
    finally:
        served.kill()


def fill(engine: RemoteEngine, quads: Iterable[ox.Quad]) -> None:
    """Insert quads through an endpoint, as other programs would."""
    for graph, graph_quads in groupby(sorted(quads, key=_graph), _graph):
        lines = [f"{quad.triple} .\n" for quad in graph_quads]
        for start in range(0, len(lines), _MOST):
            engine.update(f"INSERT DATA {{\n{graph_block(graph, ''.join(lines[start : start + _MOST]))}}}")


def _graph(quad: ox.Quad) -> str:
    assert isinstance(quad.graph_name, ox.NamedNode)
    return quad.graph_name.value


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _STARTING
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended"
        try:
            httpx.get(url, params={"query": "ASK {}"}, timeout=5, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no server at {url} within {_STARTING:g} s")


def _free_ports(number: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [server_socket.getsockname()[1] for server_socket in sockets]
    for server_socket in sockets:
        server_socket.close()
    return ports
