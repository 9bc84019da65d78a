"""The embedded engine: one named graph per source record, replaced whole; derived triples in a graph of their own.

Questions run over the union of all graphs. A batch of records goes in as one transaction; the works it touches are
marked in the same transaction and the mark goes with the transaction that derives their periods, so that a process
killed between the two leaves work to do but never a wrong answer unmarked. Horizons of providers go with the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from graph.derived import horizon_lines, rectangle_lines
from graph.entities import Record
from graph.errors import BadQuery, StoreDamaged
from graph.life import Patterns, life_of, touched_by
from graph.mapping import mapped
from graph.store.arriving import Held, held_in
from graph.terms import Cell, Solution, iri, read
from ontology.iris import DERIVED_GRAPH, provider_iri
from ontology.namespaces import VIG

__all__ = ["Applied", "Store", "WritableStore", "in_memory"]

_Bindings = Mapping[str, ox.NamedNode | ox.Literal]

_DERIVED = ox.NamedNode(DERIVED_GRAPH)
_TO_DERIVE = ox.NamedNode(VIG["aDerivar"])
_HASH = ox.NamedNode(VIG["hashConteudo"])
_LOADER = ox.NamedNode(VIG["carregador"])
_PERIOD_OF = ox.NamedNode(VIG["periodoDe"])
_HORIZON = ox.NamedNode(VIG["horizonte"])


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a batch of records: each record is counted once.

    Attributes:
        older: records and deletions from files that left what is there alone, since that has a later datestamp.
    """

    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0

    def __add__(self, other: Applied) -> Applied:
        return Applied(
            self.loaded + other.loaded,
            self.unchanged + other.unchanged,
            self.deleted + other.deleted,
            self.older + other.older,
        )


class Store:
    """A graph that can be asked. Close it, or use it as a context manager."""

    def __init__(self, engine: ox.Store, path: Path | None) -> None:
        self._engine: ox.Store | None = engine
        self.path = path

    @property
    def engine(self) -> ox.Store:
        """The engine itself, for questions of a kind that this class does not have."""
        if self._engine is None:
            raise StoreDamaged("the store is closed")
        return self._engine

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files. Closing twice is no fault."""
        self._engine = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been loaded yet."""
        with _telling_damage():
            return next(iter(self.engine.quads_for_pattern(None, None, None, None)), None) is None

    def __len__(self) -> int:
        """The number of quads."""
        with _telling_damage():
            return len(self.engine)

    def select(self, query: str, bindings: _Bindings | None = None) -> Iterator[Solution]:
        """The rows of a SELECT over the union of all graphs, each by variable name.

        Raises:
            BadQuery: the engine refuses the query, or it is no SELECT.
            StoreDamaged: the store cannot be read; also while rows are taken.
        """
        found = self._ask(query, bindings)
        if not isinstance(found, ox.QuerySolutions):
            raise BadQuery("expected a SELECT query, got one with another kind of answer")
        return _rows(found)

    def answer(
        self, query: str, bindings: _Bindings | None = None
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """The engine's own answer to any query, for writing it out in a standard format.

        Raises:
            BadQuery: the engine refuses the query.
        """
        return self._ask(query, bindings)

    def _ask(self, query: str, bindings: _Bindings | None) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        values: dict[ox.Variable, ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple] = {
            ox.Variable(name): term for name, term in (bindings or {}).items()
        }
        try:
            return self.engine.query(query, use_default_graph_as_union=True, substitutions=values)
        except SyntaxError as error:
            raise BadQuery(f"the query is not SPARQL 1.1: {error}") from None
        except ValueError as error:
            raise BadQuery(f"the query cannot be answered: {error}") from None
        except (OSError, RuntimeError) as error:
            if "SELECT projection" in str(error):  # the engine's word for a value without a place to go
                raise BadQuery(f"a parameter does not stand in the query's projection: {error}") from None
            raise StoreDamaged(f"the store cannot be read: {error}") from None

    def dump(self, output: IO[bytes], rdf_format: ox.RdfFormat, prefixes: Mapping[str, str]) -> None:
        """All quads (or, in a format without graphs, all triples of all graphs) as RDF.

        Raises:
            OSError: the output cannot be written.
            StoreDamaged: the store cannot be read.
        """
        with _telling_damage():
            if rdf_format.supports_datasets:
                self.engine.dump(output, rdf_format, prefixes=dict(prefixes))
                return
            triples = {quad.triple for quad in self.engine.quads_for_pattern(None, None, None, None)}
            ox.serialize(sorted(triples, key=str), output, rdf_format, prefixes=dict(prefixes))


@contextmanager
def _telling_damage() -> Iterator[None]:
    """What the engine raises when it meets damage, as an error of ours."""
    try:
        yield
    except RuntimeError as error:
        raise StoreDamaged(f"the store cannot be read: {error}") from None


def _rows(found: ox.QuerySolutions) -> Iterator[Solution]:
    names = [variable.value for variable in found.variables]
    try:
        for row in found:
            yield {name: read(row[name]) for name in names}
    except (OSError, RuntimeError) as error:
        raise StoreDamaged(f"the store cannot be read: {error}") from None


class WritableStore(Store):
    """A graph that records can be put into."""

    #: Whether anything was written since it was opened.
    changed = False

    def __enter__(self) -> WritableStore:
        return self

    def apply(self, records: Sequence[Record]) -> Applied:
        """Put a batch of records into the graph: each replaces what its source said before.

        After the call every record of the batch is in the graph, or (an error) none is. A record equal to what is
        there, by payload and loader, is left alone; one from a file also leaves alone what has a later datestamp. A
        tombstone keeps what the record was about.
        """
        with _telling_damage():
            return self._apply(records)

    def _apply(self, records: Sequence[Record]) -> Applied:
        fresh: dict[str, Record] = {}
        loaded = unchanged = deleted = older = 0
        for record in records:
            before = fresh.get(record.source.iri)
            if self._same(record, before):
                unchanged += 1
                continue
            held = Held.of(before) if before is not None else held_in(self.engine, record.source.iri)
            if held is not None and held.outlasts(record.source):
                older += 1
                continue
            if record.deleted:
                fresh[record.source.iri] = held.remembered_by(record) if held is not None else record
                deleted += 1
            else:
                fresh[record.source.iri] = record
                loaded += 1
        if fresh:
            self._replace(fresh)
            self._derive(self.marked)
        return Applied(loaded, unchanged, deleted, older)

    def _same(self, record: Record, before: Record | None) -> bool:
        source = record.source
        if before is not None:
            return (before.source.payload_hash, before.source.loader) == (source.payload_hash, source.loader)
        graph = ox.NamedNode(iri(source.iri)[1:-1])
        known = (self._literal(graph, _HASH, graph), self._literal(graph, _LOADER, graph))
        return known == (source.payload_hash, source.loader)

    def _literal(self, subject: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> Cell:
        quad = next(iter(self.engine.quads_for_pattern(subject, predicate, None, graph)), None)
        return None if quad is None else read(quad.object)

    def _replace(self, fresh: Mapping[str, Record]) -> None:
        patterns = Patterns(self.engine)
        touched: set[str] = set()
        drops: list[str] = []
        inserts: list[str] = []
        horizons = self._moved_horizons(fresh)
        for graph, record in fresh.items():
            node = ox.NamedNode(graph)
            if self.engine.contains_named_graph(node):
                touched |= touched_by(patterns, node)
                drops.append(f"DROP SILENT GRAPH {iri(graph)} ;\n")
            lines, touches = mapped(record)
            touched |= touches
            inserts.append(f"GRAPH {iri(graph)} {{\n" + "\n".join(lines) + "\n}\n")
        marks = [f"{iri(work)} {iri(VIG['aDerivar'])} true .\n" for work in sorted(touched)]
        inserts.append(f"GRAPH {iri(DERIVED_GRAPH)} {{\n{''.join(marks)}}}\n")
        self._transact(["".join(drops) + "INSERT DATA {\n" + "".join(inserts) + "}", *_changes(*horizons)])

    def _moved_horizons(self, fresh: Mapping[str, Record]) -> tuple[set[str], set[str]]:
        """The lines of horizons to take away and to put in their place, when these records replace what is there.

        As a rule a horizon only rises. It falls when a record that made it is replaced by an older one: then all
        records are looked at.
        """
        newest = _newest(fresh.values())
        patterns = Patterns(self.engine)
        fallen = any(
            day == patterns.horizon(provider) and day > newest.get(provider, date.min)
            for graph in fresh
            for provider, day in patterns.stamp(graph)
        )
        if fallen:
            for provider, day in patterns.horizons(without=fresh.keys()).items():
                newest[provider] = max(day, newest.get(provider, day))
            return self._horizon_lines(), {line for p, day in newest.items() for line in horizon_lines(p, day)}
        gone: set[str] = set()
        come: set[str] = set()
        for provider, day in newest.items():
            known = patterns.horizon(provider)
            if known is None or known < day:
                gone.update(horizon_lines(provider, known) if known is not None else ())
                come.update(horizon_lines(provider, day))
        return gone, come

    def _transact(self, operations: Sequence[str]) -> None:
        """One update request is one transaction: whole, or not at all. Of no operations nothing comes."""
        if not operations:
            return
        self.changed = True
        try:
            self.engine.update(" ;\n".join(operations))
        except (OSError, RuntimeError) as error:
            raise StoreDamaged(f"the store cannot be written: {error}") from None

    @property
    def marked(self) -> list[str]:
        """Works whose periods are still to be derived: more than none only after a process was killed."""
        return [
            quad.subject.value
            for quad in self.engine.quads_for_pattern(None, _TO_DERIVE, None, _DERIVED)
            if isinstance(quad.subject, ox.NamedNode)
        ]

    def finish(self) -> int:
        """Derive what a killed process left marked; the number of works it concerned."""
        with _telling_damage():
            left = self.marked
            self._derive(left)
        return len(left)

    def _derive(self, works: Iterable[str]) -> None:
        """Rewrite the periods of these works and of those that depend on them, and take their marks away."""
        patterns = Patterns(self.engine)
        before: set[str] = set()
        after: set[str] = set()
        for work in patterns.with_dependants(works):
            before.update(self._derived_lines(work))
            after.update(rectangle_lines(work, life_of(patterns, work)))
        self._transact(_changes(before, after))

    def _derived_lines(self, work: str) -> Iterator[str]:
        """Everything derived for one work as it stands in the graph, with its mark."""
        node = ox.NamedNode(work)
        for quad in self.engine.quads_for_pattern(node, _TO_DERIVE, None, _DERIVED):
            yield f"{quad.subject} {quad.predicate} {quad.object} ."
        for found in self.engine.quads_for_pattern(None, _PERIOD_OF, node, _DERIVED):
            for quad in self.engine.quads_for_pattern(found.subject, None, None, _DERIVED):
                yield f"{quad.subject} {quad.predicate} {quad.object} ."

    def rebuild(self, batch: int = 500) -> int:
        """Derive everything anew from what is asserted; the number of works. Safe to kill: it can be run again."""
        with _telling_damage():
            patterns = Patterns(self.engine)
            works = sorted(patterns.works_with_life() | self._works_with_periods() | set(self.marked))
            for start in range(0, len(works), batch):
                self._derive(works[start : start + batch])
            newest = patterns.horizons()
            come = {line for provider, day in newest.items() for line in horizon_lines(provider, day)}
            self._transact(_changes(self._horizon_lines(), come))
            return len(works)

    def _works_with_periods(self) -> set[str]:
        return {
            quad.object.value
            for quad in self.engine.quads_for_pattern(None, _PERIOD_OF, None, _DERIVED)
            if isinstance(quad.object, ox.NamedNode)
        }

    def _horizon_lines(self) -> set[str]:
        return {
            f"{quad.subject} {quad.predicate} {quad.object} ."
            for found in self.engine.quads_for_pattern(None, _HORIZON, None, _DERIVED)
            for quad in self.engine.quads_for_pattern(found.subject, None, None, _DERIVED)
        }

    def flush(self) -> None:
        """Bring everything to the disk."""
        self.engine.flush()


def _changes(before: set[str], after: set[str]) -> list[str]:
    """The operations that turn some lines of the derived graph into others."""
    where = iri(DERIVED_GRAPH)
    return [
        f"{verb} DATA {{ GRAPH {where} {{\n" + "\n".join(sorted(lines)) + "\n} }"
        for verb, lines in (("DELETE", before - after), ("INSERT", after - before))
        if lines
    ]


def _newest(records: Iterable[Record]) -> dict[str, date]:
    """The newest day of each provider's datestamps in a batch."""
    newest: dict[str, date] = {}
    for record in records:
        day = record.source.datestamp_day
        if day is not None and record.source.provider is not None:
            provider = provider_iri(record.source.provider)
            newest[provider] = max(day, newest.get(provider, day))
    return newest


def in_memory() -> WritableStore:
    """A store without a folder: for tests, and for research on what fits in memory."""
    return WritableStore(ox.Store(), None)
