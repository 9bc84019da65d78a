"""The state that an incoming record replaces: whether it is newer and stays, and what a tombstone keeps of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

import pyoxigraph as ox

from graph.civil import leading_day
from graph.entities import Record, Source
from graph.store.engine import Engine
from graph.terms import Cell, iri, read
from ontology.iris import hashed_iri, provider_iri
from ontology.namespaces import CRM, DCTERMS, PROV, VIG

_ABOUT = ox.NamedNode(CRM["P129_is_about"])
_ASSOCIATED = ox.NamedNode(PROV["wasAssociatedWith"])
_ATTRIBUTED = ox.NamedNode(PROV["wasAttributedTo"])
_DATESTAMP = ox.NamedNode(VIG["datestamp"])
_DOUBTFUL = ox.NamedNode(VIG["datestampDuvidoso"])
_GENERATED = ox.NamedNode(PROV["wasGeneratedBy"])
_IDENTIFIER = ox.NamedNode(DCTERMS["identifier"])
_MISSING_SINCE = ox.NamedNode(VIG["ausenteDesde"])
_SET = ox.NamedNode(VIG["conjunto"])
_TOMBSTONE = ox.NamedNode(VIG["lapide"])
# The granularity of seconds: OAI-PMH 2.0, section 3.3.
_SECONDS = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Held:
    """The stored state of a record before a record of the same source replaces it.

    Attributes:
        provider: the IRI of the provider, if it is known.
        about: the IRIs of what the record is about, or (a tombstone) was.
        datestamp: as the provider wrote it.
        doubtful_stamp: whether its datestamp was in the future when it was read.
        missing_since: the civil date on which the record was first missing; None if it is not.
        run: the harvest that brought it.
    """

    provider: str | None
    about: tuple[str, ...]
    datestamp: str | None
    doubtful_stamp: bool
    missing_since: date | None
    run: str | None = None

    @classmethod
    def of(cls, source: Source, about: tuple[str, ...]) -> Held:
        """What a record of the same batch leaves behind, and what it is about."""
        return cls(_provider(source), about, source.datestamp, source.doubtful_stamp, source.missing_since, source.run)

    def outlasts(self, source: Source) -> bool:
        """Return whether the stored record stays, because a file brings an older datestamp (OAI-PMH 2.0, section 2.5).

        A harvest always counts: the provider says so now; within one harvest the newer of two counts. Of a record that
        its provider no longer lists nothing brings a file back but a newer datestamp. Where two datestamps cannot be
        compared (they are of two providers, no days, or doubtful), what is read last counts.
        """
        if source.run is not None and source.run == self.run:  # twice in one harvest: the list moved under it
            order = _compared(source.datestamp, self.datestamp)
            return order is not None and order < 0
        if source.run is not None or source.missing_since is not None or source.doubtful_stamp or self.doubtful_stamp:
            return False
        if _provider(source) != self.provider:
            return False
        order = _compared(source.datestamp, self.datestamp)
        return order is not None and (order < 0 or (order == 0 and self.missing_since is not None))

    def remembered_by(self, tombstone: Record) -> Record:
        """The tombstone with what was here before: what the record was about, since when it has been missing, and (of
        one that is missing, which tells no datestamp of its own) the last datestamp."""
        source = tombstone.source
        if source.missing_since is not None:
            days = [day for day in (source.missing_since, self.missing_since) if day is not None]
            source = replace(source, missing_since=min(days))
            if source.datestamp is None:
                source = replace(source, datestamp=self.datestamp, doubtful_stamp=self.doubtful_stamp)
        return replace(tombstone, source=source, was_about=self.about)


def _provider(source: Source) -> str | None:
    return provider_iri(source.provider) if source.provider is not None else None


def _compared(one: str | None, other: str | None) -> int | None:
    """The order of two datestamps, as -1, 0 or 1; None where they cannot be compared.

    Days compare, and so do two moments of one day in the granularity of seconds.

    >>> _compared("2008-12-15T23:59:59Z", "2008-12-16"), _compared("2008-12-15", "2008-12-15T10:00:00Z")
    (-1, None)
    """
    if one is None or other is None:
        return None
    days = leading_day(one), leading_day(other)
    if days[0] is None or days[1] is None:
        return None
    if days[0] != days[1]:
        return -1 if days[0] < days[1] else 1
    if one == other:
        return 0
    if not (_SECONDS.fullmatch(one) and _SECONDS.fullmatch(other)):
        return None
    return -1 if one < other else 1


def held_in(engine: Engine, record: str) -> Held | None:
    """What the graph of a record holds; None where there is none."""
    graph = ox.NamedNode(iri(record)[1:-1])
    if not engine.contains_named_graph(graph):
        return None

    def said(predicate: ox.NamedNode) -> Iterator[Cell]:
        return (read(quad.object) for quad in engine.quads_for_pattern(graph, predicate, None, graph))

    return Held(
        next((str(provider) for provider in said(_ATTRIBUTED)), None),
        tuple(sorted(str(name) for name in said(_ABOUT))),
        next((str(stamp) for stamp in said(_DATESTAMP)), None),
        any(said(_DOUBTFUL)),
        next((day for day in said(_MISSING_SINCE) if isinstance(day, date)), None),
        next((str(run) for run in said(_GENERATED)), None),
    )


def place_of(engine: Engine, record: str, provider: str, identifier: str) -> str:
    """The named graph for a harvested record: its own, unless a harvest of another provider has it.

    Identifiers of two providers should never be the same (OAI-PMH 2.0, section 2.4); where they are, both records stay.

    Args:
        record: the IRI of the record by its identifier.
        provider: base URL of the provider.
    """
    graph = ox.NamedNode(iri(record)[1:-1])
    owner = next(iter(engine.quads_for_pattern(graph, _ATTRIBUTED, None, graph)), None)
    if owner is None or read(owner.object) == provider_iri(provider):
        return record
    if next(iter(engine.quads_for_pattern(graph, _GENERATED, None, graph)), None) is None:
        return record  # of a file: the provider says now what counts
    return other_place(provider, identifier)


def other_place(provider: str, identifier: str) -> str:
    """Return the named graph for a record whose identifier a record of another provider has too."""
    return hashed_iri("registro", provider, identifier)


def living(engine: Engine, provider: str, set_: str | None) -> list[str]:
    """The identifiers of the records that harvests of one list brought, less those that are gone.

    Args:
        provider: base URL of the provider.
        set_: the set that was harvested; None for the harvests of everything.
    """
    found: list[str] = []
    for run in _subjects(engine, _ASSOCIATED, ox.NamedNode(provider_iri(provider))):
        sets = [read(quad.object) for quad in engine.quads_for_pattern(run, _SET, None, None)]
        if sets != ([] if set_ is None else [set_]):
            continue
        for record in _subjects(engine, _GENERATED, run):
            if next(iter(engine.quads_for_pattern(record, _TOMBSTONE, None, record)), None) is None:
                identifiers = engine.quads_for_pattern(record, _IDENTIFIER, None, record)
                found.extend(str(read(quad.object)) for quad in identifiers)
    return found


def _subjects(engine: Engine, predicate: ox.NamedNode, target: ox.NamedNode) -> Iterator[ox.NamedNode]:
    for quad in engine.quads_for_pattern(None, predicate, target, None):
        if isinstance(quad.subject, ox.NamedNode):
            yield quad.subject
