"""Writes to the graph behind an endpoint: operations as requests of limited size, and the revision after them.

An atomic engine (``oxigraph serve``) runs a transaction as one request, like the embedded one. Virtuoso is not atomic.
Its operations are recorded in the local journal before the first is sent, and can be run twice. After a broken
connection or a kill, the next writer runs them again. A graph of a record is prepared in a graph that no query sees,
counted, and copied to its own graph by one statement. A new graph that fits into one request needs no preparation.

During such a write the endpoint is in a state that readers recognise. Each change sets a new state, which decides
whether an index of names is still valid.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from pathlib import Path
from uuid import uuid4

import pyoxigraph as ox

from graph.errors import EndpointProblem, StoreDamaged, unwritable_store_error
from graph.store.embedded import Transactions
from graph.store.engine import graph_block
from graph.store.journal import Journal, sync_to_disk
from graph.store.names import NameIndex
from graph.store.remote.dialects import STAGING, STATES, WRITING
from graph.store.remote.engine import RemoteEngine
from graph.terms import iri
from ontology.iris import DERIVED_GRAPH

# Splits operations into requests of a limited number of triples; a graph stays in one request if it fits.


_DROP = re.compile(r"DROP SILENT GRAPH (<[^>]*>)")
_DATA = re.compile(r"(INSERT|DELETE) DATA \{\s*(.*)\}", re.DOTALL)


def parse_operation(operation: str) -> tuple[str, list[ox.Quad]] | tuple[str, str]:
    """Return the parts of an update: ``DROP`` and the IRI of a graph, or ``INSERT`` or ``DELETE`` and quads.

    Raises:
        ValueError: it is none of these.
    """
    if match := _DROP.fullmatch(operation):
        return "DROP", match[1][1:-1]
    if match := _DATA.fullmatch(operation):
        return match[1], list(ox.parse(match[2], ox.RdfFormat.TRIG, lenient=True))
    raise ValueError(f"expected DROP SILENT GRAPH, INSERT DATA or DELETE DATA, got {operation[:80]!r}")


def inserts(quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    """Yield requests that insert quads. The quads must be grouped by graph; a request has at most ``most``."""
    return _requests("INSERT", quads, most)


def deletes(quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    """Yield requests that delete quads; otherwise as :func:`inserts`."""
    return _requests("DELETE", quads, most)


def _requests(verb: str, quads: Iterable[ox.Quad], most: int) -> Iterator[str]:
    blocks: list[str] = []
    room = most
    for graph, lines in _pieces(quads, most):
        if len(lines) > room and blocks:
            yield f"{verb} DATA {{\n{''.join(blocks)}}}"
            blocks, room = [], most
        blocks.append(graph_block(graph, "".join(f"{line}\n" for line in lines)))
        room -= len(lines)
    if blocks:
        yield f"{verb} DATA {{\n{''.join(blocks)}}}"


def _pieces(quads: Iterable[ox.Quad], most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the IRI of each graph with at most ``most`` of its quads as lines; a larger graph is yielded in parts."""
    for graph, graph_quads in groupby(quads, lambda quad: quad.graph_name):
        assert isinstance(graph, ox.NamedNode)  # noqa: S101 - every quad has a named graph
        lines: list[str] = []
        for quad in graph_quads:
            lines.append(f"{quad.triple} .")
            if len(lines) == most:
                yield graph.value, lines
                lines = []
        if lines:
            yield graph.value, lines


# The state of an endpoint. An index of names is valid for exactly one state.


#: The file in the folder.
REVISION = "revision.json"


class Revision:
    """The states in which the endpoint may be: one, or two during a change.

    Attributes:
        known: their names, the older one first; empty if no state was recorded.
        writing: whether a writer of this folder has marked the endpoint as being written, or was about to.

    Raises:
        StoreDamaged: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: tuple[str, ...] = ()
        self.writing = False
        try:
            data = json.loads(path.read_bytes())
            self.known, self.writing = tuple(map(str, data["states"])), bool(data["writing"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreDamaged(f"{path} cannot be read: {error!r}; delete it; the index is then rebuilt") from None

    def record_start(self) -> None:
        """Record that a writer is about to mark the endpoint as being written."""
        self._write(self.known, writing=True)

    def new_state(self) -> str:
        """Return a new state for the endpoint. It is recorded on the disk when this returns."""
        new = f"{STATES}{uuid4().hex}"
        self._write((*self.known[-1:], new), writing=self.writing)
        return new

    def record_state(self, state: str, *, writing: bool) -> None:
        """Record the state of the endpoint, and whether it is still being written."""
        self._write((state,), writing=writing)

    def _write(self, states: tuple[str, ...], *, writing: bool) -> None:
        new = self._path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump({"states": states, "writing": writing}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
            sync_to_disk(self._path.parent)
        except OSError as error:
            raise unwritable_store_error(error) from None
        self.known, self.writing = states, writing


# Writes to the graph behind an endpoint. With an engine that is not atomic, a journal makes each change atomic.


_STAGING = ox.NamedNode(STAGING)
_DERIVED = ox.NamedNode(DERIVED_GRAPH)


class RemoteTransactions(Transactions):
    """Changes the graph behind an endpoint; each call is atomic.

    Args:
        engine: the engine of the endpoint.
        names: the index of names of the folder.
        journal: records operations for an engine whose requests are not atomic.
        revision: the recorded state of the endpoint.
    """

    def __init__(self, engine: RemoteEngine, names: NameIndex, journal: Journal, revision: Revision) -> None:
        super().__init__(engine, names)
        self._remote = engine
        self._journal = journal
        self._revision = revision

    def close(self) -> None:
        """Close the connections."""
        super().close()
        self._remote.endpoint.close()

    def carry_out(self, operations: Sequence[str]) -> None:
        """As :meth:`Transactions.carry_out`.

        Raises:
            EndpointProblem: the endpoint cannot be reached; the next call of :meth:`settle` finishes the write.
        """
        if self._remote.dialect.is_atomic:
            self._run_and_set_state(operations)
        else:
            self._journal.begin(operations)
            self._mark_as_being_written()
            self.settle()

    def settle(self) -> None:
        """Run the operations of the journal, and mark the endpoint as no longer being written."""
        load = self._journal.under_way
        if load is not None:
            if self._remote.dialect.is_atomic:  # the journal of an earlier release
                self._run_and_set_state(load.operations)
            else:
                self._carry_out(load.operations)
            self._journal.end()
        if self._revision.writing:
            self._run_and_set_state(gone=[WRITING])

    def flush(self) -> None:
        """Record the changes as flushed in the index: an endpoint answers an update once it has stored it."""
        self._names.mark_flushed()

    def prefetching(self, works: Collection[str] = (), graphs: Collection[str] = ()) -> AbstractContextManager[None]:
        """As :meth:`Transactions.prefetching`: the data of these lookups are fetched in a few requests instead of
        one each."""
        return self._remote.prefetching(works, graphs)

    def _mark_as_being_written(self) -> None:
        """Mark the endpoint as being written."""
        self._revision.record_start()
        for request in self._remote.dialect.state_change_operations((), [WRITING]):
            self._remote.update(request)

    def _run_and_set_state(self, operations: Sequence[str] = (), gone: Sequence[str] = ()) -> None:
        """Run operations and set a new state, in one request if the engine's requests are atomic."""
        new = self._revision.new_state()
        states = self._remote.dialect.state_change_operations(
            [*gone, *(state for state in self._revision.known if state.startswith(STATES))], [new]
        )
        if self._remote.dialect.is_atomic:
            self._remote.update(" ;\n".join((*operations, *states)))
        else:
            for request in (*operations, *states):
                self._remote.update(request)
        self._revision.record_state(new, writing=self._revision.writing and WRITING not in gone)

    def _carry_out(self, operations: Sequence[str]) -> None:
        """Run operations with an engine whose requests are not atomic; they can be run twice."""
        dropped: dict[str, None] = {}
        for operation in operations:
            verb, content = parse_operation(operation)
            if isinstance(content, str):
                dropped[content] = None
            elif verb == "DELETE":
                self._send(deletes(content, self._remote.dialect.most))
            else:
                self._insert(content, dropped)
        self._send(f"DROP SILENT GRAPH {iri(graph)}" for graph in (*dropped, STAGING))

    def _insert(self, quads: Iterable[ox.Quad], dropped: dict[str, None]) -> None:
        """Write graphs. A graph that replaces another, or is too long for one request, is prepared and then moved."""
        by_graph: dict[ox.NamedNode, list[ox.Quad]] = {}
        for quad in quads:
            assert isinstance(quad.graph_name, ox.NamedNode)  # noqa: S101 - every quad has a named graph
            by_graph.setdefault(quad.graph_name, []).append(quad)
        limit = self._remote.dialect.most
        self._send(inserts(by_graph.pop(_DERIVED, ()), limit))
        at_once: list[ox.Quad] = []
        for graph, graph_quads in by_graph.items():
            if graph.value in dropped or len(graph_quads) > limit:
                dropped.pop(graph.value, None)
                self._replace_graph(graph, graph_quads)
            else:
                at_once += graph_quads
        self._send(inserts(at_once, limit))

    def _replace_graph(self, graph: ox.NamedNode, quads: Sequence[ox.Quad]) -> None:
        staged = {ox.Quad(quad.subject, quad.predicate, quad.object, _STAGING) for quad in quads}
        self._send([f"DROP SILENT GRAPH {_STAGING}", *inserts(staged, self._remote.dialect.most)])
        self._check_count(_STAGING, len(staged))
        self._remote.update(
            f"DELETE {{ GRAPH {graph} {{ ?s ?p ?o }} }} INSERT {{ GRAPH {graph} {{ ?a ?b ?c }} }} "
            f"WHERE {{ {{ GRAPH {graph} {{ ?s ?p ?o }} }} UNION {{ GRAPH {_STAGING} {{ ?a ?b ?c }} }} }}"
        )
        self._check_count(graph, len(staged))

    def _check_count(self, graph: ox.NamedNode, expected: int) -> None:
        count = self._remote.count(graph)
        if count != expected:
            url = self._remote.endpoint.url
            raise EndpointProblem(f"{url} has {count} triples in {graph}, expected {expected}: run the command again")

    def _send(self, requests: Iterable[str]) -> None:
        for request in requests:
            self._remote.update(request)
