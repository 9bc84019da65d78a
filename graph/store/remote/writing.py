"""The store behind an endpoint, for writing: what an engine does not carry out as a whole is made whole here.

An atomic engine (``oxigraph serve``) takes a transaction as one request, like the embedded one. For another (Virtuoso)
the operations stand in the journal here before the first is sent, and are good to be done twice: what a cut connection
or a killed process leaves half done is done again by the next writer. A graph of a record is got ready in a graph that
no question sees, counted, and switched into its place by one statement; what fits into one statement needs none of it.

While a load or such operations are under way the endpoint is in the state of being written, which readers are told;
each change of anything leaves it in a new state, by which who has an index of names knows whether it still fits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox

from graph.entities import Record
from graph.errors import EndpointProblem
from graph.mapping import Mapped
from graph.store.applied import Applied
from graph.store.flight import Derived
from graph.store.journal import Journal
from graph.store.names import NameIndex
from graph.store.remote.dialects import STAGING, STATES, WRITING
from graph.store.remote.engine import RemoteEngine
from graph.store.remote.requests import deletes, inserts, parsed
from graph.store.remote.revision import Revision
from graph.store.writable import WritableStore
from graph.terms import iri
from ontology.iris import DERIVED_GRAPH

_Arriving = TypeVar("_Arriving", Record, Mapped)
_STAGING = ox.NamedNode(STAGING)
_DERIVED = ox.NamedNode(DERIVED_GRAPH)


class RemoteWritable(WritableStore):
    """A graph behind an endpoint that records can be put into.

    Args:
        revision: in which state the endpoint is, as far as is known here.
    """

    def __init__(
        self, engine: RemoteEngine, path: Path, journal: Journal, names: NameIndex, revision: Revision
    ) -> None:
        super().__init__(engine, path, journal, names)
        self._remote = engine
        self._revision = revision

    def close(self) -> None:
        """Let go of the files and connections. Closing twice is no fault."""
        try:
            super().close()
        finally:
            self._remote.endpoint.close()

    def _load(
        self,
        graphs: Iterable[str],
        blocks: Path | bytes,
        changed: Derived,
        rest: Callable[[], list[str]],
    ) -> None:
        self._journal.begin(graphs := tuple(graphs), changed.works)
        self._write_word()
        super()._load(graphs, blocks, changed, rest)

    def _settle(self) -> None:
        """What a load or operations under way come to; then nothing is being written any more."""
        super()._settle()
        if self._revision.writing:
            self._become(gone=[WRITING])

    def _transact(self, operations: Sequence[str]) -> None:
        if not operations:
            return
        self.changed = True
        if self._remote.dialect.is_atomic:
            self._become(operations)
        elif self._journal.under_way is not None:
            self._carry_out(operations)
        else:
            self._journal.begin((), ())
            self._journal.count(operations)
            self._write_word()
            self._settle()

    def _take(self, batch: Sequence[_Arriving], ready: Callable[[_Arriving], Mapped]) -> Applied:
        if self._flight is None:
            self.settle()
        # what is just being written is looked up when it is there
        graphs = {each.source.iri for each in batch if not self._is_flying(each.source.iri)}
        with self._remote.reading_ahead(graphs=graphs):
            return super()._take(batch, ready)

    def _launch(self, fresh: Mapping[str, Mapped], new: Sequence[Mapped], touched: Collection[str]) -> None:
        said = (term for record in new for subject, _, target in record.decisive for term in (subject, target))
        nodes = {term[1:-1] for term in said if term.startswith("<")}
        with self._remote.reading_ahead(nodes.union(touched)):
            super()._launch(fresh, new, touched)

    def _derive(self, works: Iterable[str]) -> None:
        with self._remote.reading_ahead(concerned := list(works)):
            super()._derive(concerned)

    def _flush(self) -> None:
        self.names.flushed()

    def _write_word(self) -> None:
        """Tell readers that the endpoint is being written."""
        self._revision.begins()
        for request in self._remote.dialect.becomes((), [WRITING]):
            self._remote.update(request)

    def _become(self, operations: Sequence[str] = (), gone: Sequence[str] = ()) -> None:
        """Carry out operations and come into a new state: in one request where the engine's requests are whole."""
        new = self._revision.coming()
        states = self._remote.dialect.becomes(
            [*gone, *(state for state in self._revision.known if state.startswith(STATES))], [new]
        )
        if self._remote.dialect.is_atomic:
            self._remote.update(" ;\n".join((*operations, *states)))
        else:
            for request in (*operations, *states):
                self._remote.update(request)
        self._revision.came(new, writing=self._revision.writing and WRITING not in gone)

    def _carry_out(self, operations: Sequence[str]) -> None:
        """Operations for an engine that may do a request in part; good to be done twice."""
        dropped: dict[str, None] = {}
        for operation in operations:
            verb, said = parsed(operation)
            if isinstance(said, str):
                dropped[said] = None
            elif verb == "DELETE":
                self._send(deletes(said, self._remote.dialect.most))
            else:
                self._insert(said, dropped)
        self._send(f"DROP SILENT GRAPH {iri(graph)}" for graph in (*dropped, STAGING))

    def _insert(self, quads: Iterable[ox.Quad], dropped: dict[str, None]) -> None:
        """Write graphs: what replaces another graph, or is too long for one statement, is switched into its place."""
        by_graph: dict[ox.NamedNode, list[ox.Quad]] = {}
        for quad in quads:
            assert isinstance(quad.graph_name, ox.NamedNode)  # noqa: S101 - everything is said in a named graph
            by_graph.setdefault(quad.graph_name, []).append(quad)
        most = self._remote.dialect.most
        self._send(inserts(by_graph.pop(_DERIVED, ()), most))
        at_once: list[ox.Quad] = []
        for graph, said in by_graph.items():
            if graph.value in dropped or len(said) > most:
                dropped.pop(graph.value, None)
                self._switch(graph, said)
            else:
                at_once += said
        self._send(inserts(at_once, most))

    def _switch(self, graph: ox.NamedNode, quads: Sequence[ox.Quad]) -> None:
        staged = {ox.Quad(quad.subject, quad.predicate, quad.object, _STAGING) for quad in quads}
        self._send([f"DROP SILENT GRAPH {_STAGING}", *inserts(staged, self._remote.dialect.most)])
        self._count(_STAGING, len(staged))
        self._remote.update(
            f"DELETE {{ GRAPH {graph} {{ ?s ?p ?o }} }} INSERT {{ GRAPH {graph} {{ ?a ?b ?c }} }} "
            f"WHERE {{ {{ GRAPH {graph} {{ ?s ?p ?o }} }} UNION {{ GRAPH {_STAGING} {{ ?a ?b ?c }} }} }}"
        )
        self._count(graph, len(staged))

    def _count(self, graph: ox.NamedNode, expected: int) -> None:
        found = self._remote.count(graph)
        if found != expected:
            url = self._remote.endpoint.url
            raise EndpointProblem(f"{url} has {found} triples in {graph}, expected {expected}: run the same again")

    def _send(self, requests: Iterable[str]) -> None:
        for request in requests:
            self._remote.update(request)
