"""Contradictions between sources: the values, the records that state them, and the days on which the answers differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations
from typing import NamedTuple

from graph.civil import When, parse_when
from graph.errors import BadDate, BadName
from graph.store import Store
from graph.terms import Cell, day_stated
from graph.time.intervals import Interval
from graph.time.kinds import Status
from graph.urn import Name, from_iri, parse
from ontology.events import EVENTS, Effect, EventKind
from ontology.iris import provider_of
from queries.answers import InForce, Period
from queries.catalogue import named
from queries.evidence import Version, versions
from queries.notices import Disagreement, Notice, SourcesContradict, Statement

#: Events that make the first text of a norm: each occurs once.
_FIRST: tuple[str, ...] = (EventKind.ASSINATURA, EventKind.PUBLICACAO)
_AMENDMENT = EventKind.ALTERACAO
#: An ending occurs once. Other events may occur again, and are the same event only if they have one cause.
_ENDINGS = (Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS, Effect.VETOES)


@dataclass(frozen=True, slots=True)
class _DatedStatement:
    """One statement of one record, with its days and causes.

    Attributes:
        version: the version that it names; None for a statement on an event.
        begins: the first day stated by the record; None if the statement is not about that.
        causes: the causing norms and judgments, without their provisions.
        prolongs: whether a later statement with other days is a new term rather than a correction.
        undone: days on which something may have undone an event: after them it may occur again.
    """

    record: str
    version: str | None
    days: tuple[When | None, ...]
    begins: When | None
    causes: frozenset[str] = frozenset()
    prolongs: bool = False
    undone: tuple[date, ...] = ()

    def contradicts(self, other: _DatedStatement) -> bool:
        """Return whether both state days that cannot be equal; changes by different norms do not contradict."""
        if self.causes and other.causes and self.causes.isdisjoint(other.causes):
            return False
        return bool(self._differing_days(other))

    def corrects(self, other: _DatedStatement) -> bool:
        """Return whether one of two statements of a curator corrects the other, which was not withdrawn."""
        if not self.contradicts(other) or (self.prolongs and len(self._differing_days(other)) > 1):
            return False
        first, last = sorted(
            statement.begins.first if statement.begins is not None else date.min for statement in (self, other)
        )
        return not any(first <= day <= last for day in self.undone)

    def _differing_days(self, other: _DatedStatement) -> list[int]:
        """Return the indexes of the days that both state and that cannot be equal."""
        pairs = enumerate(zip(self.days, other.days, strict=True))
        return [index for index, (a, b) in pairs if a is not None and b is not None and _are_distinct_days(a, b)]


def contradictions(
    store: Store,
    target: Name,
    known: Sequence[Version],
    as_known: date | None,
    *,
    between: tuple[date, date] | None = None,
) -> Iterator[SourcesContradict]:
    """Yield the notices on versions or events of a norm or provision that two providers (or curators) date differently.

    Args:
        target: the norm or provision.
        known: its versions.
        as_known: K, a civil date; None for all data.
        between: two days D in their order, to yield only differences that affect one of them or a day between them;
            None for all differences.
    """
    if store.summary(target.iri).has_one_provider:
        return
    who = _Who(store, target)
    made: dict[str, set[str]] = {}
    for version, cause in store.summary(target.iri).causes():
        made.setdefault(version, set()).add(cause)
    for about, group in (*_versions(known, made, as_known), *_events(store, target, as_known)):
        statements = (
            _contradicting_statements(group, who) if between is None or _first_days_differ(group, *between) else ()
        )
        if statements:
            yield replace(about, names=(target.canonical,), statements=statements)


def contradictions_of_container(store: Store, target: Name, as_known: date) -> tuple[SourcesContradict, ...]:
    """Return the notices of :func:`contradictions` for a norm or container, which many provisions share.

    Args:
        target: a norm, or a provision that holds others.
        as_known: K, a civil date.
    """
    key = contradictions_of_container, target.canonical, as_known
    return store.cached(key, lambda: tuple(contradictions(store, target, versions(store, target.iri), as_known)))


def notices_on_several(
    notices_by_name: Mapping[str, Iterable[SourcesContradict]], most: int
) -> Iterator[SourcesContradict]:
    """Yield the notices on several norms or provisions: in full for the first ``most`` names; one notice
    lists the others.

    Args:
        notices_by_name: the notices by canonical name.
        most: the number of names in full.
    """
    contradictory = {
        name: notices for name, notices in ((name, tuple(some)) for name, some in notices_by_name.items()) if notices
    }
    names = list(contradictory)
    yield from (notice for name in names[:most] for notice in contradictory[name])
    if others := names[most:]:
        yield SourcesContradict(Disagreement.HISTORIES, tuple(others))


def _first_days_differ(statements: Iterable[_DatedStatement], first: date, last: date) -> bool:
    """Return whether the first days of the sources differ, and the difference overlaps two given days."""
    begins = [statement.begins for statement in statements if statement.begins is not None]
    if not any(_are_distinct_days(a, b) for a, b in combinations(begins, 2)):
        return False
    ends = [statement.last for statement in begins]
    return min(statement.first for statement in begins) <= last and any(end is None or end > first for end in ends)


class _Author(NamedTuple):
    name: str
    curated: bool


class _Who:
    """Finds the author of a record; it is looked up only if sources differ.

    Args:
        target: the subject of the records, whose summary has their providers.
    """

    def __init__(self, store: Store, target: Name) -> None:
        self._store = store
        self._providers = store.summary(target.iri).providers()
        self._identified = store.summary(target.iri).identified()

    def corrects_itself(self, record: str) -> bool:
        """Return whether a record is a curated fact without an id. With an id it would replace the fact that it
        corrects."""
        return record not in self._providers and record not in self._identified

    def __call__(self, record: str) -> _Author:
        return self._store.memoized((_Who, record), lambda: self._name(record))

    def _name(self, record: str) -> _Author:
        provider = self._providers.get(record)
        if provider is not None:
            return _Author(provider_of(provider), curated=False)
        return next(map(_name, named("origin_of_record").rows(self._store, {"registro": record})))


def _name(row: dict[str, Cell]) -> _Author:
    if row["curador"] is not None:
        return _Author(str(row["curador"]), curated=True)
    if row["provedor"] is not None:
        return _Author(provider_of(str(row["provedor"])), curated=False)
    return _Author(str(row["origem"] or row["registro"]), curated=False)


def _contradicting_statements(statements: Sequence[_DatedStatement], who: _Who) -> tuple[Statement, ...]:
    """Return the statements of authors who contradict each other.

    They include a curator who states one fact twice without an id, with different days.
    """
    if not any(a.contradicts(b) for a, b in combinations(statements, 2)):
        return ()
    by_author: dict[_Author, list[_DatedStatement]] = {}
    for statement in statements:
        by_author.setdefault(who(statement.record), []).append(statement)
    at_odds: set[_Author] = set()
    for a, b in combinations(by_author, 2):
        if not (a in at_odds and b in at_odds) and all(x.contradicts(y) for x in by_author[a] for y in by_author[b]):
            at_odds |= {a, b}
    for author, own in by_author.items():
        facts = (
            [dated_statement for dated_statement in own if who.corrects_itself(dated_statement.record)]
            if author.curated
            else []
        )
        if any(a.record != b.record and a.corrects(b) for a, b in combinations(facts, 2)):
            at_odds.add(author)
    return tuple(
        _statement(dated_statement, author) for author in sorted(at_odds) for dated_statement in by_author[author]
    )


def _statement(statement: _DatedStatement, author: _Author) -> Statement:
    if statement.version is not None:
        return Statement(author.name, author.curated, statement.record, version=statement.version)
    effect, known = (str(day) if day is not None else None for day in statement.days)
    return Statement(author.name, author.curated, statement.record, effect=effect, known=known)


#: The subject of statements, without the target, and the statements.
_Group = tuple[SourcesContradict, list[_DatedStatement]]


def _versions(known: Iterable[Version], made: Mapping[str, Iterable[str]], as_known: date | None) -> Iterator[_Group]:
    """Group the first text of a norm by its event, and each amendment by either of its days.

    An amendment may start force in parts, and two amendments may start on one day. A source that states several days
    does not contradict a source that states one of them.

    Args:
        made: the stated causes of versions, by their IRIs.
    """
    groups: dict[SourcesContradict, list[_DatedStatement]] = {}
    for version in known:
        start, view = version.version_date, version.view_date
        if view is None or (as_known is not None and view > as_known):
            continue
        starts, known_on = When.on(start) if start is not None else None, When.on(view)
        if version.event in _FIRST and not version.inserts:
            facts: dict[SourcesContradict, tuple[When | None, ...]] = {_group_key(version.event): (starts, known_on)}
        elif version.event == _AMENDMENT and start is not None:
            facts = {
                _group_key(version.event, day=view): (starts,),
                _group_key(version.event, start=start): (known_on,),
            }
        else:
            continue
        causes = frozenset(_norm(cause) for cause in made.get(version.iri, ()))
        for about, days in facts.items():
            begins = days[0] if days[0] is starts else None
            statements = (_DatedStatement(record, version.name, days, begins, causes) for record in version.sources)
            groups.setdefault(about, []).extend(statements)
    yield from groups.items()


def _events(store: Store, target: Name, as_known: date | None) -> Iterator[_Group]:
    """Group the events that act on the norm by kind and cause, with the days that records state themselves."""
    groups: dict[SourcesContradict, list[_DatedStatement]] = {}
    events = store.summary(target.iri).events()
    undone = tuple(
        when.first
        for event in events
        if _is_undoing_kind(event.kind) and (when := day_stated(event.effect)) is not None
    )
    for event in events:
        term = EVENTS.get(event.kind)
        if term is None or term.effect is None or (event.cause is None and term.effect not in _ENDINGS):
            continue
        effect, known = day_stated(event.effect), day_stated(event.known)
        if as_known is not None and known is not None and not known.possible_on(as_known):
            continue
        cause = from_iri(_norm(event.cause)) if event.cause is not None else None
        prolongs = event.kind == EventKind.CADUCIDADE
        statement = _DatedStatement(event.record, None, (effect, known), effect, prolongs=prolongs, undone=undone)
        groups.setdefault(_group_key(event.kind, cause=cause), []).append(statement)
    yield from groups.items()


def _group_key(
    event: str, *, day: date | None = None, start: date | None = None, cause: str | None = None
) -> SourcesContradict:
    """Return a notice on an event, used as the key of a group; its names and statements are added later."""
    return SourcesContradict(Disagreement.DATES, (), event, day, start, cause)


def _is_undoing_kind(kind: str) -> bool:
    term = EVENTS.get(kind)
    return term is not None and term.effect in (Effect.RESTORES, Effect.REINSTATES, Effect.RESTORES_WORDING)


def _norm(cause: str) -> str:
    """Return the norm or judgment of a cause, by IRI: one source may name the provision, another only the norm."""
    return cause.partition("!")[0]


def _are_distinct_days(day: When, other: When) -> bool:
    """Return whether two days, given by their bounds, cannot be equal."""
    return (day.last is not None and day.last < other.first) or (other.last is not None and other.last < day.first)


@dataclass(frozen=True, slots=True)
class Dispute(Interval):
    """Days of force between the first days of two sources for the same change.

    Attributes:
        known: the first day on which the difference could be known.
    """

    known: date

    def touches(self, period: Period) -> bool:
        """Return whether the interval overlaps a period."""
        return self.overlaps(period.valid) and Interval(self.known, None).overlaps(period.known)


def dispute(notice: SourcesContradict) -> Dispute | None:
    """Return the interval of a notice; None if it does not have two days."""
    if notice.on is not Disagreement.DATES:
        return None
    try:
        effects = sorted(effect.first for effect in map(effect_of, notice.statements) if effect is not None)
        known = sorted(since.first if since is not None else date.min for since in map(known_since, notice.statements))
    except (BadDate, BadName):
        return None
    if len(effects) < 2 or effects[0] == effects[-1]:
        return None
    return Dispute(effects[0], effects[-1], known[1])


def disputes(notices: Iterable[Notice]) -> Iterator[Dispute]:
    """Yield the intervals on which sources differ on the status or the text, from the notices
    ``sources-contradict``."""
    for notice in notices:
        disputed = dispute(notice) if isinstance(notice, SourcesContradict) else None
        if disputed is not None:
            yield disputed


def disagreements(store: Store, answer: InForce) -> tuple[SourcesContradict, ...]:
    """Return the notices ``sources-contradict`` of an answer; for a provision, also those on its norm."""
    notices = [notice for notice in answer.notices if isinstance(notice, SourcesContradict)]
    name = parse(answer.name) if answer.status is not Status.UNKNOWN_NAME else None
    if name is not None and name != name.work:
        notices += contradictions(store, name.work, versions(store, name.work.iri), answer.as_known)
    return tuple(dict.fromkeys(notices))


def is_disputed(store: Store, answer: InForce) -> bool:
    """Return whether sources differ on the status or the text of the day of an answer; errors as for
    :func:`disagreements`."""
    return any(disputed.holds(answer.on) for disputed in disputes(disagreements(store, answer)))


def effect_of(statement: Statement) -> When | None:
    """Return the first day of effect of a statement; None if it has none.

    Raises:
        BadDate, BadName: it has no readable day, or names no version.
    """
    if statement.version is None:
        return parse_when(statement.effect) if statement.effect is not None else None
    begins = parse(statement.version).version_date
    return When.on(begins) if begins is not None else None


def known_since(statement: Statement) -> When | None:
    """Return the day of knowledge of a statement; None if it has none; errors as for :func:`effect_of`."""
    if statement.version is None:
        return parse_when(statement.known) if statement.known is not None else None
    seen = parse(statement.version).view_date
    return When.on(seen) if seen is not None else None
