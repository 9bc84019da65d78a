"""What sources date differently: both are named, with who says it; neither is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from graph.civil import When
from graph.store import Store
from graph.terms import Cell
from graph.urn import Name, from_iri
from ontology.events import EVENTS, Effect
from ontology.iris import provider_of
from queries.answers import Notice
from queries.catalogue import named
from queries.evidence import Version, day_stated, notation, versions

__all__ = ["contradicted", "contradictions", "of_several"]

#: Events that make the first text of a norm: there is one of each.
_FIRST = ("assinatura", "publicacao")
_AMENDMENT = "alteracao"
#: What ends a norm does so once; anything else may happen again, and is one thing only where one cause is named.
#: Most norms or provisions that are named of those on which sources differ, without saying how.
_NAMED = 5
_ENDINGS = (Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES)


@dataclass(frozen=True, slots=True)
class _Said:
    """One statement of one record, in words, with the days that it gives and what it says to have made it so.

    Attributes:
        begins: from when on it is so by the record; None where the statement is not about that.
    """

    record: str
    words: str
    days: tuple[When | None, ...]
    begins: When | None
    causes: frozenset[str] = frozenset()

    def contradicts(self, other: _Said) -> bool:
        """Whether a day is stated by both, and cannot be the same; what different norms made are two facts."""
        if self.causes and other.causes and self.causes.isdisjoint(other.causes):
            return False
        return any(a is not None and b is not None and _apart(a, b) for a, b in zip(self.days, other.days, strict=True))


def contradictions(
    store: Store,
    target: Name,
    known: Sequence[Version],
    as_known: date | None,
    *,
    between: tuple[date, date] | None = None,
) -> Iterator[Notice]:
    """Where two providers (or curators) date one version or one event of a norm or provision differently.

    Args:
        store: an opened store.
        target: the norm or provision.
        known: its versions.
        as_known: K, a civil date: only what was known then counts; None for all.
        between: two days D in their order: only what is so by one source and not by another on one of them, or on a
            day between them; None for all.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if store.summary(target.iri).of_one_voice:
        return
    who = _Who(store, target)
    made: dict[str, set[str]] = {}
    for version, cause in store.summary(target.iri).causes():
        made.setdefault(version, set()).add(cause)
    for about, said in (*_versions(known, made, as_known), *_events(store, target, as_known)):
        told = _told(said, who) if between is None or _differ(said, *between) else []
        if told:
            message = f"sources date {about} of {target.canonical} differently: {'; '.join(told)}"
            yield Notice("sources-contradict", message)


def contradicted(store: Store, target: Name, as_known: date) -> tuple[Notice, ...]:
    """The notices of :func:`contradictions` on what many provisions follow, which are asked for with each of them.

    Args:
        store: an opened store.
        target: a norm, or a provision that holds others.
        as_known: K, a civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = contradicted, target.canonical, as_known
    return store.lasting(key, lambda: tuple(contradictions(store, target, versions(store, target.iri), as_known)))


def of_several(told: Mapping[str, Iterable[Notice]], most: int) -> Iterator[Notice]:
    """The notices on several norms or provisions: of the first ones in full, of others only which they are.

    Args:
        told: by canonical name.
        most: of how many in full.
    """
    found = {name: notices for name, notices in ((name, tuple(some)) for name, some in told.items()) if notices}
    names = list(found)
    yield from (notice for name in names[:most] for notice in found[name])
    if others := names[most:]:
        shown = ", ".join(others[:_NAMED]) + (" ..." if len(others) > _NAMED else "")
        yield Notice("sources-contradict", f"sources date what became of these differently: {shown}")


def _differ(said: Iterable[_Said], first: date, last: date) -> bool:
    """Whether the days from which something is so by its sources are not the same, and reach into those of two days."""
    begins = [one.begins for one in said if one.begins is not None]
    if not any(_apart(a, b) for a, b in combinations(begins, 2)):
        return False
    ends = [one.last for one in begins]
    return min(one.first for one in begins) <= last and any(end is None or end > first for end in ends)


class _Who:
    """Who makes the statements of a record, in words; found out only where there is something to tell.

    Args:
        store: an opened store.
        target: what the records speak of: its summary says which are of providers.
    """

    def __init__(self, store: Store, target: Name) -> None:
        self._store = store
        self._providers = store.summary(target.iri).providers()

    def __call__(self, record: str) -> str:
        return self._store.kept((_Who, record), lambda: self._name(record))

    def _name(self, record: str) -> str:
        provider = self._providers.get(record)
        if provider is not None:
            return provider_of(provider)
        return next(map(_name, named("origin_of_record").rows(self._store, {"registro": record})))


def _name(row: dict[str, Cell]) -> str:
    if row["curador"] is not None:
        return f"the curator {row['curador']}"
    return provider_of(str(row["provedor"])) if row["provedor"] is not None else str(row["origem"] or row["registro"])


def _told(said: Sequence[_Said], who: Callable[[str], str]) -> list[str]:
    """The statements of those that contradict each other, where no one makes both."""
    if not any(a.contradicts(b) for a, b in combinations(said, 2)):
        return []
    by: dict[str, list[_Said]] = {}
    for one in said:
        by.setdefault(who(one.record), []).append(one)
    at_odds: set[str] = set()
    for a, b in combinations(by, 2):
        if not (a in at_odds and b in at_odds) and all(x.contradicts(y) for x in by[a] for y in by[b]):
            at_odds |= {a, b}
    return [f"{one.words} by {name} (record {one.record})" for name in sorted(at_odds) for one in by[name]]


_Group = tuple[str, list[_Said]]


def _versions(known: Iterable[Version], made: Mapping[str, Iterable[str]], as_known: date | None) -> Iterator[_Group]:
    """The first text of a norm by the event that made it, and each amendment by either of its days.

    An amendment may begin in parts, and two may begin on one day; a source that tells of all contradicts none.

    Args:
        made: what versions are stated to be caused by, by their IRIs.
    """
    groups: dict[str, list[_Said]] = {}
    for version in known:
        start, view = version.version_date, version.view_date
        if start is None or view is None or (as_known is not None and view > as_known):
            continue
        starts, heard = When.on(start), When.on(view)
        if version.event in _FIRST and not version.inserts:
            facts: dict[str, tuple[When, ...]] = {f"the {version.event}": (starts, heard)}
        elif version.event == _AMENDMENT:
            facts = {
                f"the {version.event} of {view}": (starts,),
                f"the publication of the {version.event} in force from {start}": (heard,),
            }
        else:
            continue
        causes = frozenset(made.get(version.iri, ()))
        for about, days in facts.items():
            begins = days[0] if days[0] is starts else None
            said = (_Said(record, version.name, days, begins, causes) for record in version.sources)
            groups.setdefault(about, []).extend(said)
    yield from groups.items()


def _events(store: Store, target: Name, as_known: date | None) -> Iterator[_Group]:
    """The events that act on the norm, each by its kind and cause, with the days that records state themselves."""
    groups: dict[str, list[_Said]] = {}
    for told in store.summary(target.iri).events():
        kind = notation(told.kind) or ""
        term = EVENTS.get(kind)
        if term is None or term.effect is None or (told.cause is None and term.effect not in _ENDINGS):
            continue
        effect, known = day_stated(told.effect), day_stated(told.known)
        if as_known is not None and known is not None and not known.possible_on(as_known):
            continue
        cause = f" by {from_iri(told.cause)}" if told.cause is not None else ""
        words = f"effect {effect or 'not stated'}, known {known or 'not stated'}"
        groups.setdefault(f"the {kind}{cause}", []).append(_Said(told.record, words, (effect, known), effect))
    yield from groups.items()


def _apart(one: When, other: When) -> bool:
    """Whether two days, as far as they are known, cannot be one."""
    return (one.last is not None and one.last < other.first) or (other.last is not None and other.last < one.first)
