"""The store for writing. Each source record has one named graph, which is replaced as a whole; derived triples have a
separate graph.

All writes use the same steps. First the changes of a batch are computed from the stored and the new quads: the replaced
records, and the derived data of affected works. Then one transaction writes them (embedded.py; for an endpoint
remote/folder.py). Finally the index of names is updated (names.py).
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, TypeAlias, cast

import pyoxigraph as ox

from graph.acts import acts_stated, named_acts
from graph.civil import leading_day
from graph.entities import Record, Source
from graph.errors import StoreDamaged, unwritable_store_error
from graph.mapping import Arriving, MappedRecord, map_record, placed
from graph.patterns import DECISIVE, STAMPS, Patterns, affected_works
from graph.read_model.table import StoredNorm
from graph.statements import dates_itself
from graph.store.comparison import IndexComparison
from graph.store.derivation import Derivation, changes
from graph.store.embedded import Store, Transactions, translating_engine_errors
from graph.store.engine import Engine, derived_block, graph_block
from graph.store.filling import fill, fill_records, refill
from graph.store.journal import BatchResult, PreviousState
from graph.store.names import NameIndex
from graph.terms import Cell, Statement, iri, read, statement
from graph.terms import quad as quad_of
from ontology.iris import DERIVED_GRAPH, hashed_iri, provider_iri
from ontology.namespaces import CRM, DCTERMS, PROV, VIG, XSD

__all__ = ["BatchResult", "WritableStore", "in_memory"]


# Compares the stored state of a record with an incoming one, and extends tombstones with the stored data.


_ABOUT = ox.NamedNode(CRM["P129_is_about"])
_ASSOCIATED = ox.NamedNode(PROV["wasAssociatedWith"])
_ATTRIBUTED = ox.NamedNode(PROV["wasAttributedTo"])
_DATE = ox.NamedNode(XSD["date"])
_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_DOUBTFUL = ox.NamedNode(VIG["datestampDuvidoso"])
_FETCHED_ON = ox.NamedNode(VIG["obtidoEm"])
_GENERATED = ox.NamedNode(PROV["wasGeneratedBy"])
# What every record of a harvest has.
_HARVESTED = (_ATTRIBUTED, _GENERATED)
_IDENTIFIER = ox.NamedNode(DCTERMS["identifier"])
_MISSING_SINCE = ox.NamedNode(VIG["ausenteDesde"])
_SET = ox.NamedNode(VIG["conjunto"])
_TOMBSTONE = ox.NamedNode(VIG["lapide"])
# The granularity of seconds: OAI-PMH 2.0, section 3.3.
_SECONDS = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The stored state of a record before a record of the same source replaces it.

    Attributes:
        provider: the IRI of the provider, if it is known.
        about: the IRIs of the documents that the record describes; of a tombstone, those that it described.
        datestamp: as the provider wrote it.
        doubtful_stamp: whether its datestamp is later than its day of fetch.
        missing_since: the civil date on which the record was first missing; None if it is not.
        run: the harvest that loaded it.
        fetched: the civil date on which it was fetched; None if none is stated.
    """

    provider: str | None
    about: tuple[str, ...]
    datestamp: str | None
    doubtful_stamp: bool
    missing_since: date | None
    run: str | None = None
    fetched: date | None = None

    @classmethod
    def of(cls, source: Source, about: tuple[str, ...]) -> StoredRecord:
        """Return the state that a record of the same batch leaves; ``about`` has the IRIs of its documents."""
        days = source.missing_since, source.run, source.day_of_fetch
        return cls(_provider(source), about, source.datestamp, source.doubtful_stamp, *days)

    def outlasts(self, source: Source) -> bool:
        """Return whether the stored record is newer than the incoming one, and is kept (OAI-PMH 2.0, section 2.5).

        A harvest replaces any stored record, because it has the provider's current state; within one harvest the newer
        record is kept. If the provider no longer lists a record, only a newer datestamp in a file restores it. Of two
        files without datestamps, the one with the later stated day of fetch is kept. If two records cannot be compared
        (two providers, invalid or doubtful days), the last record read is used.
        """
        if source.run is not None and source.run == self.run:  # twice in one harvest: the list changed meanwhile
            order = _compared(source.datestamp, self.datestamp)
            return order is not None and order < 0
        if source.run is not None or source.missing_since is not None or source.doubtful_stamp or self.doubtful_stamp:
            return False
        day = source.day_of_fetch
        if source.datestamp is None and self.datestamp is None and day is not None and self.fetched is not None:
            return day < self.fetched
        if _provider(source) != self.provider:
            return False
        order = _compared(source.datestamp, self.datestamp)
        return order is not None and (order < 0 or (order == 0 and self.missing_since is not None))

    def is_dated_earlier_by(self, source: Source) -> bool:
        """Return whether an equal record states an earlier day of fetch, or the only one. A harvest keeps its own."""
        day = source.day_of_fetch
        return self.run is None and day is not None and (self.fetched is None or day < self.fetched)

    def extend_tombstone(self, tombstone: Record) -> Record:
        """Return the tombstone with data of the stored record: the documents that it described, and the first day on
        which it was missing. A missing record also keeps its last datestamp."""
        source = tombstone.source
        if source.missing_since is not None:
            days = [day for day in (source.missing_since, self.missing_since) if day is not None]
            source = replace(source, missing_since=min(days))
            if source.datestamp is None:
                source = replace(source, datestamp=self.datestamp, doubtful_stamp=self.doubtful_stamp)
        return replace(tombstone, source=source, was_about=self.about)


def _provider(source: Source) -> str | None:
    return provider_iri(source.provider) if source.provider is not None else None


def _compared(datestamp: str | None, other: str | None) -> int | None:
    """Compare two datestamps: return -1, 0 or 1; None if they cannot be compared.

    Different days can be compared. Two datestamps of one day can be compared if both have seconds or they are equal.

    >>> _compared("2008-12-15T23:59:59Z", "2008-12-16"), _compared("2008-12-15", "2008-12-15T10:00:00Z")
    (-1, None)
    """
    if datestamp is None or other is None:
        return None
    days = leading_day(datestamp), leading_day(other)
    if days[0] is None or days[1] is None:
        return None
    if days[0] != days[1]:
        return -1 if days[0] < days[1] else 1
    if datestamp == other:
        return 0
    if not (_SECONDS.fullmatch(datestamp) and _SECONDS.fullmatch(other)):
        return None
    return -1 if datestamp < other else 1


def stored_record(engine: Engine, record: str) -> StoredRecord | None:
    """Return the stored state of a record; None if there is none."""
    graph = ox.NamedNode(iri(record)[1:-1])
    if not engine.contains_named_graph(graph):
        return None

    def values(predicate: ox.NamedNode) -> Iterator[Cell]:
        return (read(quad.object) for quad in engine.quads_for_pattern(graph, predicate, None, graph))

    return StoredRecord(
        next((str(provider) for provider in values(_ATTRIBUTED)), None),
        tuple(sorted(str(name) for name in values(_ABOUT))),
        next((str(stamp) for stamp in values(_DATESTAMP)), None),
        any(values(_DOUBTFUL)),
        next((day for day in values(_MISSING_SINCE) if isinstance(day, date)), None),
        next((str(run) for run in values(_GENERATED)), None),
        Patterns(engine).day_of_fetch(record),
    )


def place_of(engine: Engine, record: str, provider: str, identifier: str) -> str:
    """Return the IRI of the named graph for a harvested record.

    It is the IRI of the record, unless a harvest of another provider has already used that graph.

    Identifiers of two providers should never be equal (OAI-PMH 2.0, section 2.4). If they are, both records are kept.

    Args:
        record: the IRI of the record by its identifier.
        provider: base URL of the provider.
    """
    graph = ox.NamedNode(iri(record)[1:-1])
    if ox.Quad(graph, _ATTRIBUTED, ox.NamedNode(provider_iri(provider)), graph) in engine:
        return record
    if any(next(iter(engine.quads_for_pattern(graph, term, None, graph)), None) is None for term in _HARVESTED):
        return record  # from a file: a harvest replaces it
    return separate_graph(provider, identifier)


def separate_graph(provider: str, identifier: str) -> str:
    """Return the IRI of the named graph for a record whose identifier is also used by another provider."""
    return hashed_iri("registro", provider, identifier)


def living(engine: Engine, provider: str, set_: str | None) -> list[str]:
    """Return the identifiers of the records that harvests of one list loaded, without deleted records.

    Args:
        provider: base URL of the provider.
        set_: the set that was harvested; None for harvests without a set.
    """
    living_records: list[str] = []
    for run in _subjects(engine, _ASSOCIATED, ox.NamedNode(provider_iri(provider))):
        sets = [read(quad.object) for quad in engine.quads_for_pattern(run, _SET, None, None)]
        if sets != ([] if set_ is None else [set_]):
            continue
        for record in _subjects(engine, _GENERATED, run):
            if next(iter(engine.quads_for_pattern(record, _TOMBSTONE, None, record)), None) is None:
                identifiers = engine.quads_for_pattern(record, _IDENTIFIER, None, record)
                living_records.extend(str(read(quad.object)) for quad in identifiers)
    return living_records


def _subjects(engine: Engine, predicate: ox.NamedNode, target: ox.NamedNode) -> Iterator[ox.NamedNode]:
    for quad in engine.quads_for_pattern(None, predicate, target, None):
        if isinstance(quad.subject, ox.NamedNode):
            yield quad.subject


# Lookups by pattern over stored quads and the quads of a batch that will be written.


#: A statement, and the IRI of its graph.
_Placed: TypeAlias = tuple[Statement, str]


class Index:
    """An index in memory of the statements of named graphs, by subject, and by object with predicate.

    Statements are stored as text and converted to quads when they are looked up, because most are not looked up.
    """

    def __init__(self) -> None:
        self._of_subject: defaultdict[str, list[_Placed]] = defaultdict(list)
        self._of_object: defaultdict[tuple[str, str], list[_Placed]] = defaultdict(list)

    def extend(self, graph: str, statements: Iterable[Statement]) -> None:
        """Add statements of a graph.

        Args:
            graph: its IRI.
        """
        for triple in statements:
            placed = (triple, graph)
            self._of_subject[triple[0]].append(placed)
            if triple[2][0] == "<":
                self._of_object[triple[2], triple[1]].append(placed)

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | ox.Literal | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Return the matching statements as quads; None matches any term."""
        if subject is not None:
            placed: Iterable[_Placed] = self._of_subject.get(str(subject), ())
        elif isinstance(object, ox.NamedNode) and predicate is not None:
            placed = self._of_object.get((str(object), str(predicate)), ())
        else:
            placed = chain.from_iterable(self._of_subject.values())
        if not placed:
            return iter(())
        predicate_term = str(predicate) if predicate is not None else None
        object_term = str(object) if object is not None else None
        name = graph_name.value if graph_name is not None else None
        return iter(
            [
                quad_of(statement, where)
                for statement, where in placed
                if (predicate_term is None or statement[1] == predicate_term)
                and (object_term is None or statement[2] == object_term)
                and (name is None or where == name)
            ]
        )


class Overlay:
    """The quads of a store as they will be when a batch is written, for :class:`graph.patterns.Patterns`.

    Most new quads are about works without stored quads. Whether a node has stored quads is looked up once. If it has
    none, the store is not queried for it again. The store must not change while this object is used.

    Args:
        engine: the store's engine.
        coming: the statements of the batch.
        replaced: the graphs whose stored quads are replaced.
    """

    def __init__(self, engine: Engine, coming: Index, replaced: Collection[str] = ()) -> None:
        self._engine = engine
        self._coming = coming
        self._replaced = frozenset(map(ox.NamedNode, replaced))
        self._stored: dict[tuple[ox.NamedNode | None, ox.NamedNode | ox.Literal | None], bool] = {}

    def quads_for_pattern(
        self,
        subject: ox.NamedNode | None,
        predicate: ox.NamedNode | None,
        object: ox.NamedNode | ox.Literal | None,  # noqa: A002 - as the engine calls it
        graph_name: ox.NamedNode | None = None,
        /,
    ) -> Iterator[ox.Quad]:
        """Yield each quad with these terms; None matches any term."""
        coming = self._coming.quads_for_pattern(subject, predicate, object, graph_name)
        if not self._is_stored(subject, object):
            return coming
        stored = self._engine.quads_for_pattern(subject, predicate, object, graph_name)
        if self._replaced:
            stored = (quad for quad in stored if quad.graph_name not in self._replaced)
        return chain(stored, coming)

    def _is_stored(self, subject: ox.NamedNode | None, target: ox.NamedNode | ox.Literal | None) -> bool:
        """Return whether the store has quads with the subject; if it is None, with the object."""
        if subject is not None:
            target = None
        key = subject, target
        known = self._stored.get(key)
        if known is None:
            known = next(iter(self._engine.quads_for_pattern(subject, None, target, None)), None) is not None
            self._stored[key] = known
        return known


# The stored statements of records that will be replaced.


_DECISIVE, _STAMPS = frozenset(map(iri, DECISIVE)), frozenset(map(iri, STAMPS))


class StoredRecords:
    """The stored graphs of the records of a batch, which do not change before the batch is written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def patterns(self, record: str) -> Patterns:  # noqa: ARG002 - EmbeddedRecords needs it
        """Return lookups in the data of a record that decide periods and horizons."""
        return Patterns(self._engine)

    def touched(self, record: MappedRecord) -> set[str]:
        """Return the works whose periods may change when a record replaces the stored one."""
        return affected_works(self.patterns(record.graph), ox.NamedNode(record.graph)).union(record.touched)

    def replacement(self, record: MappedRecord) -> tuple[str, str]:
        """Return an update operation to run first (empty if none is needed), and the lines to insert after it."""
        return f"DROP SILENT GRAPH {iri(record.graph)}", record.lines


class EmbeddedRecords(StoredRecords):
    """Graphs in the embedded engine: only the differences of a changed record are written."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._read: dict[str, bytes] = {}

    def patterns(self, record: str) -> Patterns:
        """As :meth:`StoredRecords.patterns`."""
        return Patterns(_index(record, self._decisive_statements(record)))

    def touched(self, record: MappedRecord) -> set[str]:
        """As :meth:`StoredRecords.touched`; empty if the data that decide periods are unchanged (decision 0016)."""
        before, after = self._decisive_statements(record.graph), set(record.decisive)
        index = Patterns(_index(record.graph, after))
        if _without_datestamps(before) == _without_datestamps(after) and (
            before == after or dates_itself(index, after)
        ):
            return set()
        return super().touched(record)

    def replacement(self, record: MappedRecord) -> tuple[str, str]:
        """As :meth:`StoredRecords.replacement`, but only changed lines are deleted and inserted."""
        before, after = self._lines(record.graph), set(record.lines.split("\n")[:-1])
        gone, come = _joined_lines(before - after), _joined_lines(after - before)
        return (f"DELETE DATA {{\n{graph_block(record.graph, gone)}}}" if gone else ""), come

    def _lines(self, record: str) -> set[str]:
        known = self._read.get(record)
        if known is None:
            known = self._read[record] = _dump(self._engine, ox.NamedNode(record))
        return set(known.decode().split("\n")[:-1])

    def _decisive_statements(self, record: str) -> set[Statement]:
        return {stated for stated in map(statement, self._lines(record)) if stated[1] in _DECISIVE}


def _index(record: str, statements: Iterable[Statement]) -> Index:
    index = Index()
    index.extend(record, statements)
    return index


def _joined_lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in sorted(lines))


def _without_datestamps(statements: Iterable[Statement]) -> set[Statement]:
    return {statement for statement in statements if statement[1] not in _STAMPS}


def _dump(engine: Engine, graph: ox.NamedNode) -> bytes:
    written = BytesIO()
    engine.dump(written, ox.RdfFormat.N_TRIPLES, from_graph=graph)
    return written.getvalue()


# The store itself.


_HASH = ox.NamedNode(VIG["hashConteudo"])
_LOADER = ox.NamedNode(VIG["carregador"])

# The number of works that are derived in one step after a writer was killed.
_DERIVED_AT_ONCE = 2_000
# Placeholder for an unchanged record, whose stored state is not read.
_NOTHING = StoredRecord(None, (), None, doubtful_stamp=False, missing_since=None, fetched=date.min)


class WritableStore(Store):
    """A store to which records can be written.

    Args:
        engine: the engine with the quads.
        path: the folder; None for a store in memory.
        names: the index of names.
        transactions: writes changes to the engine; None for an embedded engine.

    Attributes:
        changed: whether its content was changed since it was opened.
        lost: the number of records lost because the engine lost the end of its log; they must be loaded again.
        left: the state that the previous writer left.
    """

    def __init__(
        self, engine: Engine, path: Path | None, names: NameIndex, transactions: Transactions | None = None
    ) -> None:
        super().__init__(engine, path, names)
        self.changed = False
        self.lost = 0
        self.left = PreviousState()
        self._transactions = transactions or Transactions(engine, names)

    def __enter__(self) -> WritableStore:
        return self

    def close(self) -> None:
        """Close the files. Closing twice has no effect."""
        self._transactions.close()
        super().close()

    def apply(self, records: Sequence[Arriving]) -> BatchResult:
        """Write a batch of records to the graph: each replaces the earlier record of its source.

        After the call either every record of the batch is in the graph, or (after an error) none. A record equal to the
        stored one, by payload and loader, is skipped, unless it states an earlier day of fetch. A record of a file is
        also skipped if the stored one has a later datestamp, or a later day of fetch if both have no datestamp. A
        tombstone keeps the documents that the record described.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        with (
            translating_engine_errors(),
            self._transactions.prefetching(graphs={record.source.iri for record in records}),
        ):
            fresh, stored_graphs, result = self._reduced(records)
            if fresh:
                self._replace_records(fresh, stored_graphs.intersection(fresh))
            return result

    def reduced(self, batch: Sequence[Arriving]) -> tuple[list[MappedRecord], BatchResult]:
        """Return the records that :meth:`apply` would write, and its result; nothing is written."""
        fresh, _, result = self._reduced(batch)
        return list(fresh.values()), result

    def _reduced(self, batch: Sequence[Arriving]) -> tuple[dict[str, MappedRecord], set[str], BatchResult]:
        """Return the records to write, by their graphs, those of these graphs that exist, and the counts."""
        fresh: dict[str, MappedRecord] = {}
        stored_graphs: set[str] = set()
        loaded = unchanged = deleted = older = 0
        for record in batch:
            placed_record: Arriving = record
            held: StoredRecord | None = None
            same = False
            if record.source.iri in fresh or self.has_graph(record.source.iri):
                placed_record = self._placed(record, fresh)
                before = fresh.get(placed_record.source.iri)
                held, same = (
                    self._find_stored(placed_record.source)
                    if before is None
                    else _state_in_batch(before, placed_record.source)
                )
                if before is None and held is not None:
                    stored_graphs.add(placed_record.source.iri)
            source = placed_record.source
            if same and (held is None or not held.is_dated_earlier_by(source)):
                unchanged += 1
            elif held is not None and not same and held.outlasts(source):
                older += 1
            elif placed_record.deleted:
                tombstone = Record(source, None, was_about=placed_record.about)
                fresh[source.iri] = map_record(held.extend_tombstone(tombstone) if held is not None else tombstone)
                deleted += 1
            else:
                fresh[source.iri] = map_record(placed_record)
                loaded += 1
        return fresh, stored_graphs, BatchResult(loaded, unchanged, deleted, older)

    def _placed(self, record: Arriving, fresh: Mapping[str, MappedRecord]) -> Arriving:
        """Return the record in its named graph: if two providers use one identifier, each record has its own graph."""
        source = record.source
        if source.run is None or source.provider is None or source.identifier is None:
            return record
        before = fresh.get(source.iri)
        if before is not None and before.source.run is not None:
            same_provider = before.source.provider == source.provider
            place = source.iri if same_provider else separate_graph(source.provider, source.identifier)
        else:
            place = place_of(self.engine, source.iri, source.provider, source.identifier)
        return record if place == source.iri else placed(record, place)

    def _find_stored(self, source: Source) -> tuple[StoredRecord | None, bool]:
        """Return the stored state of a source's record, None if there is none, and whether it is equal."""
        graph, engine, day = ox.NamedNode(source.iri), self.engine, source.day_of_fetch
        if (
            ox.Quad(graph, _HASH, ox.Literal(source.payload_hash), graph) not in engine
            or ox.Quad(graph, _LOADER, ox.Literal(source.loader), graph) not in engine
        ):
            return stored_record(engine, source.iri), False
        if (
            day is None
            or ox.Quad(graph, _FETCHED_ON, ox.Literal(str(day), datatype=_DATE), graph) in engine
            or self._literal_in(graph, _GENERATED) is not None
        ):
            return _NOTHING, True
        return stored_record(engine, source.iri), True

    def _literal_in(self, graph: ox.NamedNode, predicate: ox.NamedNode) -> Cell:
        """Return one value of a property of a record in its own graph; None if it has none."""
        quad = next(iter(self.engine.quads_for_pattern(graph, predicate, None, graph)), None)
        return None if quad is None else read(quad.object)

    def _replace_records(self, fresh: Mapping[str, MappedRecord], there: Collection[str]) -> None:
        """Compute all changes of a batch, and write them in one transaction.

        Args:
            fresh: its records, by their graphs.
            there: the graphs among them that exist already.
        """
        stored = EmbeddedRecords(self.engine) if isinstance(self.engine, ox.Store) else StoredRecords(self.engine)
        index = Index()
        for record in fresh.values():
            index.extend(record.graph, record.decisive)
        touched = {
            work
            for record in fresh.values()
            for work in (stored.touched(record) if record.graph in there else record.touched)
        }
        acts = [acts_stated(record.decisive) for record in fresh.values()]
        acts += [named_acts(stored.patterns(graph), ox.NamedNode(graph)) for graph in there]
        named = {name for stated in acts for name in stated.named}
        described = {name for stated in acts for name in stated.described}
        stamps = {stamp for graph in there for stamp in stored.patterns(graph).stamp(graph)}
        with self._transactions.prefetching(works=touched.union(_decisive_iris(fresh.values()))):
            derivation = Derivation(Overlay(self.engine, index, replaced=there), named)
            names, caused = derivation.joined(described)
            works = {*derivation.dependants(touched | caused), *names}
            members = [member for graph in there for member in stored.patterns(graph).members_in(graph)]
            derived = derivation.of(sorted(works), [version for work, version in members if work in works])
            horizons = Derivation(self.engine).moved_horizons(fresh, stamps, self.datestamps)
        gone, come = [], []
        for record in fresh.values():
            before, after = stored.replacement(record) if record.graph in there else ("", record.lines)
            gone += [before] if before else []
            come += [graph_block(record.graph, after)] if after else []
        lines = derived.after - derived.before
        come += [derived_block(lines)] if lines else []
        inserts = [f"INSERT DATA {{\n{''.join(come)}}}"] if come else []
        self.names.intend(fresh, derived.packed)
        self._transact([*gone, *inserts, *changes(derived.before - derived.after, set()), *changes(*horizons)])
        self.names.put({graph: record.entries for graph, record in fresh.items()}, derived.packed)

    def _transact(self, operations: Sequence[str]) -> None:
        """Run operations in one transaction. Without operations nothing happens."""
        if operations:
            self.changed = True
            self._transactions.carry_out(operations)

    def has_graph(self, record: str) -> bool:
        """Return whether the store has the named graph of a record."""
        return self.engine.contains_named_graph(ox.NamedNode(iri(record)[1:-1]))

    def hash_of(self, record: str) -> str | None:
        """Return the hash of the payload of a record by its IRI; None if the store never had it."""
        with translating_engine_errors():
            stored = self._literal_in(ox.NamedNode(iri(record)[1:-1]), _HASH)
        return stored if isinstance(stored, str) else None

    def holds(self, record: str, provider: str, identifier: str) -> bool:
        """Return whether the store has a provider's record or its tombstone; arguments as for :func:`place_of`."""
        with translating_engine_errors():
            return self.has_graph(place_of(self.engine, record, provider, identifier))

    def is_active(self, record: str, provider: str, identifier: str) -> bool:
        """Return whether a provider's record is stored and not withdrawn; arguments as for :func:`place_of`."""
        with translating_engine_errors():
            place = place_of(self.engine, record, provider, identifier)
            return self.has_graph(place) and self._literal_in(ox.NamedNode(iri(place)[1:-1]), _TOMBSTONE) is None

    def has_records_of_run(self, run: str) -> bool:
        """Return whether a harvest run loaded any record or tombstone."""
        with translating_engine_errors():
            quads = self.engine.quads_for_pattern(None, _GENERATED, ox.NamedNode(run), None)
            return next(iter(quads), None) is not None

    def datestamps(self) -> set[str]:
        """Return the datestamps of all records, as written."""
        if isinstance(self.engine, ox.Store):  # it makes terms distinct without decoding them
            return {str(row["d"]) for row in self.select(f"SELECT DISTINCT ?d WHERE {{ ?r {_DATESTAMP} ?d }}")}
        return {str(read(quad.object)) for quad in self.engine.quads_for_pattern(None, _DATESTAMP, None, None)}

    def active_identifiers(self, provider: str, set_: str | None) -> list[str]:
        """Return the identifiers of a provider's records that harvests of a set loaded and that are not deleted.

        Args:
            provider: base URL of the provider.
            set_: the set; None for harvests without a set.
        """
        with translating_engine_errors():
            return living(self.engine, provider, set_)

    @property
    def marked(self) -> list[str]:
        """Return the works that a killed process of an earlier release left to be derived."""
        return Derivation(self.engine).marked()

    def finish(self) -> int:
        """Complete the index of names after a kill, and derive pending works. Return the number of these works."""
        with translating_engine_errors():
            if not self.names.is_whole:
                self.changed = fill(self.names, self.engine) or self.changed
            records, works = self.names.pending
            self.changed = refill(self.names, self.engine, records) or self.changed
            left = sorted({*self.marked, *works})
            for start in range(0, len(left), _DERIVED_AT_ONCE):
                self._derive(left[start : start + _DERIVED_AT_ONCE])
            self.changed = self.names.refresh() or self.changed
        return len(left)

    def check_readable(self) -> None:
        """Read all listed data once, so that the engine checks its checksums. An unreadable index of names is emptied.

        Raises:
            StoreDamaged: the data cannot be read.
        """
        with translating_engine_errors():
            len(self.engine)
        if not self.names.is_sound:
            self.names.clear()

    def compare_with_index(self) -> None:
        """Compare the graph with the index after a kill, and count the records that the graph lost.

        The index is updated after the graph. If it has records that the graph lacks, the engine lost the end of its
        log. The index is then emptied. The number is in :attr:`lost`.
        """
        with translating_engine_errors():
            has_graph = self.engine.contains_named_graph
            records, _ = self.names.unflushed
            self.lost = sum(refill(self.names, self.engine, [record]) for record in records)
            self.lost += sum(not has_graph(ox.NamedNode(record)) for record in self.names.records())
            if self.lost:
                self.names.clear()

    def _derive(self, works: Iterable[str], named: Iterable[str] = ()) -> None:
        """Rewrite the derived data of these works and of those that depend on them, and remove their marks.

        Args:
            named: names of acts about which no statement may be derived yet.
        """
        with self._transactions.prefetching(works=(concerned := list(works))):
            derivation = Derivation(self.engine, named)
            change = derivation.of(derivation.dependants(concerned))
        if change.packed:
            self.names.intend((), change.packed)
            self._transact(changes(change.before, change.after))
            self.changed = self.names.put({}, change.packed) or self.changed

    def _index_follows_graph(self) -> bool:
        """Return whether the whole index can be read, and has what the records of the graph state."""
        try:
            if not self.names.is_sound:
                return False
            self.names.refresh()
            return not any(IndexComparison(self.names, self.engine).all())
        except StoreDamaged:
            return False

    def rebuild(self, batch: int = 500) -> int:
        """Derive all works again from the asserted graphs, and rebuild the index of names. Return the number of works.

        It can be interrupted and run again.
        """
        with translating_engine_errors():
            is_whole = self._index_follows_graph()
            if not is_whole:
                self.names.clear()
                self.changed = True
                fill_records(self.names, self.engine)
            derivation = Derivation(self.engine)
            works, named = sorted(derivation.works()), derivation.names_of_acts()
            for start in range(0, len(works), batch):
                self._derive(works[start : start + batch], named)
            self.names.mark_complete()
            self.changed = (self.names.remake_full_text() if is_whole else self.names.refresh()) or self.changed
            self._transact(changes(*derivation.horizons()))
            return len(works)

    def take_over(
        self, quads: Iterable[Path], summaries: Mapping[str, str | None], norms: Iterable[StoredNorm]
    ) -> None:
        """Fill a new embedded store with a graph whose derived data and rows are known.

        Args:
            quads: files of N-Quads in gzip, with the derived graph.
            summaries: the derived summaries, by the IRI of the work.
            norms: the rows of all norms.

        Raises:
            StoreDamaged: the files are not N-Quads, or the store cannot be written.
        """
        assert isinstance(self.engine, ox.Store)  # noqa: S101 - it is new
        try:
            for part in quads:
                with gzip.open(part) as content:
                    self.engine.bulk_load(cast("IO[bytes]", content), ox.RdfFormat.N_QUADS)
        except (OSError, EOFError, RuntimeError, SyntaxError, ValueError) as error:
            raise StoreDamaged(f"the graph cannot be loaded: {error}") from None
        self.changed = True
        fill_records(self.names, self.engine)
        self.names.put({}, summaries)
        self.names.put_norms(norms)
        self.names.mark_complete()

    def take_difference(
        self, gone: Iterable[bytes], come: Iterable[bytes], summaries: Mapping[str, str | None]
    ) -> None:
        """Change the graph and what follows from it into another known state, in one transaction.

        Args:
            gone: the quads that are removed, as lines of N-Quads.
            come: the quads that are added.
            summaries: the derived summaries that differ, by the IRI of the work; None for a work without one.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        records = set[str]()
        operations: list[str] = []
        for verb, quads in (("DELETE", gone), ("INSERT", come)):
            lines = defaultdict[str, list[str]](list)
            for quad in quads:
                triple, graph, _ = quad.decode().rsplit(" ", 2)
                lines[graph[1:-1]].append(f"{triple} .\n")
            blocks = "".join(graph_block(graph, "".join(some)) for graph, some in lines.items())
            operations += [f"{verb} DATA {{\n{blocks}}}"] if blocks else []
            records |= lines.keys() - {DERIVED_GRAPH}
        with translating_engine_errors():
            self.names.intend(records, summaries)
            self._transact(operations)
            refill(self.names, self.engine, sorted(records))
            self.names.put({}, summaries)
            self.names.refresh()

    def optimize(self) -> None:
        """Rewrite the engine's files after many loads, for faster lookups. The data are unchanged.

        It needs up to twice the disk space while it runs. It can be interrupted and run again.

        Raises:
            StoreDamaged: the store cannot be read or written.
        """
        with translating_engine_errors():
            try:
                self.engine.optimize()
            except OSError as error:
                raise unwritable_store_error(error) from None
            self.changed = True

    def flush(self) -> None:
        """Sync everything to the disk, and free the engine's memory."""
        self._transactions.flush()


def _decisive_iris(records: Iterable[MappedRecord]) -> set[str]:
    """Return the IRIs of the subjects and objects of the decisive statements of records."""
    terms = (term for record in records for subject, _, target in record.decisive for term in (subject, target))
    return {term[1:-1] for term in terms if term.startswith("<")}


def _state_in_batch(before: MappedRecord, source: Source) -> tuple[StoredRecord | None, bool]:
    """Return the state that a record of the same batch leaves, and whether the next record is equal to it."""
    earlier = before.source
    same = (earlier.payload_hash, earlier.loader) == (source.payload_hash, source.loader)
    return StoredRecord.of(earlier, before.about), same


def in_memory() -> WritableStore:
    """Return a store without a folder: for tests, and for research on data that fit in memory."""
    return WritableStore(ox.Store(), None, NameIndex(None))
