"""Reads what sources state about works from the graph, for the rules of evidence. No rule is applied here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TypeAlias

import pyoxigraph as ox

from graph.acts import Acts
from graph.civil import Term, When, parse_counting
from graph.errors import BadDate, BadName
from graph.patterns import CAUSE, COMPONENT_OF, HAS_MEMBER, OWN_LIFE, PROVISION_OF, TARGET, Patterns
from graph.terms import Cell, Statement, read_when
from graph.time.acts import act_meant, is_of_year
from graph.time.statements import CAPUT, StatedEvent, StatedVersion, Statements, WorkStatements, is_provision, norm_of
from graph.urn import from_iri, parse
from ontology.iris import making_event_iri
from ontology.namespaces import CRM, FRBROO, VIG

_CONCEIVED = ox.NamedNode(FRBROO["R16_initiated"])
_MADE = frozenset({FRBROO["R16_initiated"], FRBROO["R19_created_a_realisation_of"]})
_LINKS_VERSION, _LINKS_EVENT = str(HAS_MEMBER), str(TARGET)
_TYPE_OF_EVENT: str = CRM["P2_has_type"]
_EFFECT: str = VIG["dataEfeito"]
_KNOWN: str = VIG["dataConhecimento"]
_VERSION_DATE: str = VIG["dataVersao"]
_VIEW_DATE: str = VIG["dataVisao"]
_VIEW_ORDER: str = VIG["ordemVisao"]
_VIEW_EVENT: str = VIG["eventoVisao"]
_INSERTS: str = VIG["insercao"]
_CANCELS: str = VIG["cancelaVersao"]
_UNDOES: str = VIG["desfazEfeitos"]
_WORDING: str = VIG["restauraRedacao"]
_COUNTED: str = VIG["contagem"]

#: The values of a node, by predicate.
_Facts: TypeAlias = Mapping[str, Sequence[Cell]]


class StatementsReader:
    """Reads statements about works from quads that do not change. Each work is read once.

    Args:
        patterns: the quads.
        acts: the acts of these quads.
    """

    def __init__(self, patterns: Patterns, acts: Acts) -> None:
        self._patterns = patterns
        self._acts = acts
        self._works: dict[str, WorkStatements] = {}
        #: What was read until now; it grows with each call of :meth:`read`.
        self.statements = Statements(self._works)

    def read(self, works: Iterable[str]) -> Statements:
        """Read the statements about some works and all works that decide on their days.

        Args:
            works: norms and provisions, as IRIs.

        Returns:
            All statements that were read until now.
        """
        left = deque(works)
        while left:
            work = left.popleft()
            if work not in self._works:
                self._works[work] = found = self._statements(work)
                left.extend(self._deciding(work, found))
        return self.statements

    def _statements(self, work: str) -> WorkStatements:
        patterns = self._patterns
        norms = tuple(patterns.links(work, PROVISION_OF))
        holders = tuple(patterns.holders(work)) if norms else ()
        lives = bool(patterns.links(work, OWN_LIFE))
        events = tuple(self._event(work, event) for event in patterns.sources(TARGET, work))
        versions = tuple(self._version(work, version) for version in patterns.links(work, HAS_MEMBER))
        return WorkStatements(norms, holders, tuple(patterns.links(work, COMPONENT_OF)), lives, versions, events)

    def _deciding(self, work: str, found: WorkStatements) -> Iterator[str]:
        """Yield the works that decide on the days of a work."""
        yield from (*found.norms, *found.holders, *found.wholes)
        if is_provision(work) and found.events:
            yield f"{work}{CAPUT}"
        caused = {cause for version in found.versions for cause in version.causes}
        for cause in caused.union(event.cause for event in found.events if event.cause is not None):
            yield from (cause, norm_of(cause))

    def _act(self, cause: str) -> str:
        """Return the act, or the provision of it, that the name of a cause means."""
        return act_meant(cause, self._acts) or cause

    def _version(self, work: str, version: str) -> StatedVersion:
        facts = self._patterns.facts(version)
        view_date = _first_day(facts, _VIEW_DATE)
        bounds = _bounds_of_view(version) if view_date is None else None
        is_open = view_date is None and bounds is None
        makings = (making_event_iri(version), *self._patterns.sources(_CONCEIVED, version))
        named = {cause for making in makings for cause in self._patterns.links(making, CAUSE)}
        return StatedVersion(
            version,
            version_date=_first_day(facts, _VERSION_DATE),
            view_date=view_date,
            bounds=bounds,
            order=min((n for n in facts.get(_VIEW_ORDER, ()) if isinstance(n, int)), default=0),
            events=tuple(sorted(event for event in facts.get(_VIEW_EVENT, ()) if isinstance(event, str))),
            inserts=_INSERTS in facts,
            cancels=_first_day(facts, _CANCELS),
            causes=tuple(sorted(map(self._act, named))),
            by_year=frozenset(map(self._act, filter(is_of_year, named))),
            harvested=self._patterns.first_harvest(work, HAS_MEMBER, version) if is_open else None,
        )

    def _event(self, work: str, event: str) -> StatedEvent:
        facts = self._patterns.facts(event)
        effect, known = _stated_when(facts, _EFFECT), _stated_when(facts, _KNOWN)
        is_open = any(when is None or when.last is None for when in (effect, known))
        named = next(iter(self._patterns.links(event, CAUSE)), None)
        return StatedEvent(
            event,
            kinds=tuple(sorted(str(kind) for kind in facts.get(_TYPE_OF_EVENT, ()))),
            effect=effect,
            known=known,
            cause=self._act(named) if named is not None else None,
            by_year=named is not None and is_of_year(named),
            undoes=False not in facts.get(_UNDOES, ()),
            wording=next((str(version) for version in facts.get(_WORDING, ())), None),
            makes=not _MADE.isdisjoint(facts),
            harvested=self._patterns.first_harvest(event, TARGET, work) if is_open else None,
            proven=self._patterns.first_proof(event, TARGET, work) if is_open else None,
            term=_term(facts),
        )


def dates_itself(record: Patterns, statements: Iterable[Statement]) -> bool:
    """Return whether a record states the days of each version and event that it links to a work.

    The datestamp and the day of fetch of such a record do not affect periods.

    Args:
        record: the statements of the record, for lookups.
        statements: the same statements.
    """
    for subject, predicate, target in statements:
        if predicate == _LINKS_VERSION and _first_day(record.facts(target[1:-1]), _VIEW_DATE) is None:
            return False
        if predicate == _LINKS_EVENT and not _has_last_days(record.facts(subject[1:-1])):
            return False
    return True


def _has_last_days(facts: _Facts) -> bool:
    """Return whether an event has a day of knowledge, and each of its stated days has an upper bound."""
    effect, known = _stated_when(facts, _EFFECT), _stated_when(facts, _KNOWN)
    return known is not None and known.last is not None and (effect is None or effect.last is not None)


def _bounds_of_view(version: str) -> When | None:
    """Return the bounds of the day on which a version became known, if its name states them."""
    if "[" not in version and "%5B" not in version:
        return None
    try:
        versao = parse(from_iri(version)).versao
    except BadName:
        return None
    return When(versao.visao[0], versao.visao[-1]) if versao is not None and versao.visao_periodo else None


def _term(facts: _Facts) -> Term | None:
    """Return the term by which a day of effect was counted; None if there is none, or if the mapping writes another
    form."""
    for cell in facts.get(_COUNTED, ()):
        try:
            counting = parse_counting(str(cell))
        except BadDate:
            continue
        return Term(counting.number, counting.unit)
    return None


def _first_day(facts: _Facts, predicate: str) -> date | None:
    return min((d for d in facts.get(predicate, ()) if isinstance(d, date)), default=None)


def _stated_when(facts: _Facts, predicate: str) -> When | None:
    for cell in facts.get(predicate, ()):
        try:
            return read_when(cell)
        except BadDate:
            continue
    return None
