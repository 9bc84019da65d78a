"""Derives groups of norms on their own, so that several machines can share the norms (docs/reference/remote.md).

The statements and entries of a record are divided by norm. A group has those of its norms, and those of the acts that
decide on their days. The rules are those of a whole store: they run on the group in a store in memory.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import pyoxigraph as ox

from graph.acts import Acts
from graph.index_rows import IndexEntries
from graph.mapping import MappedRecord
from graph.patterns import COMPONENT_OF, STAMPS, Patterns
from graph.read_model.table import StoredNorm
from graph.statements import StatementsReader
from graph.store.derivation import Derivation
from graph.store.names import NameIndex
from graph.terms import Statement, iri
from graph.time.acts import is_of_year, name_of_year
from graph.time.statements import WorkStatements

_NORM = re.compile(r"[^!@~]*")
_LEX = "<urn:lex:"
_STAMPS = frozenset(map(iri, STAMPS))
_NONE = IndexEntries()


def key_of(name: str) -> str:
    """Return the key of a norm, by the IRI of it, of a provision, of a version or of a text of it.

    Names of a norm with its day and with only its year have one key.

    >>> key_of("urn:lex:br:federal:lei:1990-09-11;8078@1993-05-22;alteracao;1993-05-22~texto;pt-br!art1")
    'urn:lex:br:federal:lei:1990;8078'
    """
    match = _NORM.match(name)
    norm = match[0] if match is not None else name
    return name_of_year(norm) or norm


class Share(NamedTuple):
    """What one record states about the norms with one key.

    Attributes:
        record: the IRI of the record.
        lines: the statements that decide periods, as N-Triples.
        entries: the summaries, editions and printed parts; nothing else decides rows.
    """

    record: str
    lines: str
    entries: IndexEntries = IndexEntries()

    @property
    def of_others(self) -> Share:
        """The same without what only the norm's own rows need."""
        return self._replace(entries=IndexEntries(summaries=self.entries.summaries))


def shares_of(record: MappedRecord) -> Iterator[tuple[str, Share]]:
    """Yield what a record states about each norm, by its key.

    The statements of an event belong to each norm that the event names. Each share has the days of the record.
    """
    stamps = [stated for stated in record.decisive if stated[1] in _STAMPS]
    named: dict[str, set[str]] = {}
    for subject, _, target in record.decisive:
        if not subject.startswith(_LEX) and target.startswith(_LEX):
            named.setdefault(subject, set()).add(key_of(target[1:-1]))
    lines: dict[str, list[Statement]] = {}
    for stated in record.decisive:
        subject, _, target = stated
        keys = {key_of(subject[1:-1])} if subject.startswith(_LEX) else set(named.get(subject, ()))
        if target.startswith(_LEX):
            keys.add(key_of(target[1:-1]))
        for key in keys:
            lines.setdefault(key, []).append(stated)
    entries = _entries_by_key(record.entries)
    for key in sorted(lines.keys() | entries.keys()):
        own = dict.fromkeys([*stamps, *lines.get(key, ())])
        yield key, Share(record.graph, "".join(f"{' '.join(line)} .\n" for line in own), entries.get(key, _NONE))


def _entries_by_key(entries: IndexEntries) -> dict[str, IndexEntries]:
    summaries: dict[str, list[tuple[str, str]]] = {}
    for summary in entries.summaries:
        summaries.setdefault(key_of(summary[0]), []).append(summary)
    found = {key: IndexEntries(summaries=some) for key, some in summaries.items()}
    for key in {key_of(text) for text, _ in (*entries.editions, *entries.parts)}:
        editions = [edition for edition in entries.editions if key_of(edition[0]) == key]
        parts = [part for part in entries.parts if key_of(part[0]) == key]
        found[key] = found.get(key, _NONE)._replace(editions=editions, parts=parts)
    return found


class DerivedNorms(NamedTuple):
    """What follows from the statements about a group of norms.

    Attributes:
        lines: the triples of the derived graph, as N-Triples without line feeds.
        summaries: the derived summary of each work that has one.
        norms: the norms with rows, and their rows.
    """

    lines: set[str]
    summaries: dict[str, str]
    norms: list[StoredNorm]


class Group:
    """The statements about some norms, and about acts that decide on their days.

    Args:
        own: the shares of the norms of the group, by key.
        others: the shares of other norms, by key.
    """

    def __init__(self, own: Mapping[str, Collection[Share]], others: Mapping[str, Collection[Share]]) -> None:
        self._own, self._others = own, others
        engine = ox.Store()
        for share in (share for some in (*own.values(), *others.values()) for share in some):
            graph = ox.NamedNode(share.record)
            engine.extend(
                ox.Quad(triple.subject, triple.predicate, triple.object, graph)
                for triple in ox.parse(share.lines, ox.RdfFormat.N_TRIPLES)
            )
        self._patterns = Patterns(engine)
        self._named = Derivation(engine).names_of_acts()
        self._derivation = Derivation(engine, self._named)
        components = self._patterns.subjects_in(COMPONENT_OF, None)
        works = self._derivation.dependants({*self._derivation.works(), *components})
        self._works = {work for work in works if key_of(work) in own}

    def _stated(self, works: Iterable[str]) -> Mapping[str, WorkStatements]:
        """Return the statements about these works, and about those that decide on their days."""
        return StatementsReader(self._patterns, Acts(self._patterns, self._named)).read(works).works

    def needed(self) -> set[str]:
        """Return the keys of the other norms that decide on the days of norms of the group."""
        return set(map(key_of, self._stated(self._works))) - self._own.keys()

    def derived(self) -> DerivedNorms:
        """Return what follows for the norms of the group."""
        known = {*self._own, *self._others}
        deciding = self._stated(self._works).keys() | set(filter(is_of_year, self._named))
        others = {work for work in deciding - self._works if key_of(work) in known}
        change = self._derivation.of(sorted(self._works))
        index = NameIndex(None)
        index.put(dict(self._entries()), {**self._derivation.of(sorted(others)).packed, **change.packed})
        index.refresh()
        norms = [norm for norm in index.stored_norms() if key_of(norm.name) in self._own]
        index.close()
        summaries = {work: packed for work, packed in change.packed.items() if packed is not None}
        return DerivedNorms(change.after, summaries, norms)

    def _entries(self) -> Iterator[tuple[str, IndexEntries]]:
        found: dict[str, list[IndexEntries]] = {}
        for share in (share for some in (*self._own.values(), *self._others.values()) for share in some):
            found.setdefault(share.record, []).append(share.entries)
        for record, some in found.items():
            yield (
                record,
                IndexEntries(
                    summaries=[summary for entries in some for summary in entries.summaries],
                    editions=[edition for entries in some for edition in entries.editions],
                    parts=[part for entries in some for part in entries.parts],
                ),
            )
