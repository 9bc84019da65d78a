"""How long a norm or provision answers alike and reads alike: over days of force, and over days of knowledge.

A version is in force for a interval of days, and what it holds may change within: a fact on an article, a veto that is
overturned, a provision rectified by itself. The intervals here are those of :mod:`queries.intervals`, cut where that
happens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeAlias

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name, from_iri, to_iri
from queries.answers import Period
from queries.catalogue import named
from queries.evidence import versions
from queries.intervals import AnswerInterval, over_force, over_knowledge
from queries.provision_periods import provision_periods
from queries.provisions.editions import editions, readable
from queries.provisions.parts import held
from queries.reasons import Status
from queries.status import periods_of
from queries.text.composition import presupposes
from queries.text.derived import Derived, derived_texts

#: What a text has of a part, other than one of its versions: nothing; or nobody knows.
_ABSENT, OPEN = "", "?"
_NAMES = "urn:lex:"


def same_over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """The answers for all days of force with one text each, by the clock of force, in their order.

    Args:
        target: a norm or provision of which there are records.
        known: K, a civil date, the same for all.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = same_over_force, target.canonical, known
    return store.lasting(key, lambda: tuple(_over_force(store, target, known)))


def _over_force(store: Store, target: Name, known: date) -> Iterator[AnswerInterval]:
    found = over_force(store, target, known)
    heard = known.isoformat()
    days = _days(changes_by_part(store, target, heard))
    around = _around(store, target)
    edges = {edge for one in around for edge in (one.valid_from, one.valid_until) if edge is not None}
    days |= _printed_anew(store, target, edges, found, around, lambda day: (day, known))
    yield from (piece for one in found for piece in _cut(one, days))


def same_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """The answers for one day of force on all days of knowledge with one text each, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = same_over_knowledge, target.canonical, on, today
    return store.lasting(key, lambda: tuple(_over_knowledge(store, target, on, today)))


def _over_knowledge(store: Store, target: Name, on: date, today: date) -> Iterator[AnswerInterval]:
    found = over_knowledge(store, target, on, today)
    day = on.isoformat()
    told = (
        _steps(none, ((one[4], one[5], one[1]) for one in part if one[2] <= day and (one[3] is None or day < one[3])))
        for none, part in _by_part(store, target)
    )
    days = {one for one in _days(told) if one <= today}
    around = _around(store, target)
    edges = {edge for one in around for edge in (one.known_from, one.known_until) if edge is not None}
    edges |= {one.view_date for one in versions(store, target.work.iri) if one.view_date is not None}
    heard = {edge for edge in edges if edge <= today}
    days |= _printed_anew(store, target, heard, found, around, lambda day: (on, day))
    yield from (piece for one in found for piece in _cut(one, days))


def changes_by_part(store: Store, name: Name, heard: str) -> Iterator[list[tuple[str, str]]]:
    """The days of force on which what a text has of each of its parts becomes another, with what it has from then on.

    That is the part's version; ``""`` where it has none, :data:`OPEN` where nobody knows, from the day ``""`` on where
    that is so of all days before the first that is known; behind both may stand a number, where a whole text may have
    it all the same. The parts are the norm or provision itself, and what it
    holds that has a life of its own.

    Args:
        name: without version.
        heard: K in ISO 8601, as the days are.
    """
    for none, part in _by_part(store, name):
        yield _steps(
            none,
            (
                (start, until, state)
                for _, state, start, until, since, before in part
                if since <= heard and (before is None or heard < before)
            ),
        )


def versions_over_time(store: Store, norm: Name, known: date) -> dict[str, list[tuple[str, str]]]:
    """Return the versions that each provision of a norm with a life of its own has had, each with its first day.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date.

    Returns:
        By the provision's canonical name: first days in ISO 8601, and the canonical name of the version from then on;
        empty where there is none.

    Raises:
        StoreProblem: the store cannot be read.
    """
    heard = known.isoformat()
    periods: dict[str, list[tuple[str, str | None, str]]] = {}
    for part, state, start, until, since, before in _of_norm(store, norm):
        if part != norm.iri and since <= heard and (before is None or heard < before):
            periods.setdefault(part, []).append((start, until, state))
    return {
        from_iri(part): [
            (day, from_iri(state) if state.startswith(_NAMES) else "") for day, state in _steps(_ABSENT, found)
        ]
        for part, found in periods.items()
    }


def state_on(changes: Sequence[tuple[str, str]], day: str) -> str:
    """What a text has of a part on a day, by the changes of the part in their order."""
    return next((state for since, state in reversed(changes) if since <= day), "")


def states_on(store: Store, name: Name, on: date, known: date) -> tuple[str, ...]:
    """What a text has on D as known on K of each of its parts, as :func:`changes_by_part` writes it.

    Args:
        name: without version.
        on, known: D and K, civil dates.
    """
    day = on.isoformat()
    return tuple(state_on(changes, day) for changes in changes_by_part(store, name, known.isoformat()))


def versions_on(store: Store, name: Name, on: date, known: date) -> tuple[str, ...]:
    """The versions that a norm or provision, and what it holds that has a life of its own, have on D as known on K.

    Args:
        name: without version.
        on, known: D and K, civil dates.

    Returns:
        Canonical names: of what follows its norm none but its own.
    """
    return tuple(from_iri(state) for state in states_on(store, name, on, known) if state.startswith(_NAMES))


def within(store: Store, provision: Name) -> tuple[str, ...]:
    """Return the parts of a provision with versions or events of their own, by IRI, such as paragraphs of an
    article."""
    return store.lasting((within, provision.iri), lambda: tuple(_within(store, provision)))


def _within(store: Store, provision: Name) -> Iterator[str]:
    inner = held(store, provision).keys() - {provision.iri}
    for part in sorted({row[0] for row in _of_norm(store, provision.work)}):
        if part in inner or part.startswith(f"{provision.iri}_"):
            yield part


def _steps(none: str, periods: Iterable[tuple[str, str | None, str]]) -> list[tuple[str, str]]:
    """From ``[first, until)`` and what there is: the days on which it becomes another, with what it is then.

    Args:
        none: what it is on all other days.
    """
    found: list[tuple[str, str]] = [("", none)] if none == OPEN else []
    state, end = none, None
    for start, until, now in sorted(periods):
        if end is not None and end < start and state != none:
            found.append((end, state := none))
        if now != state:
            found.append((start, now))
        state, end = now, until
    if end is not None and state != none:
        found.append((end, none))
    return found


#: A rectangle of a part by the clock of force: its IRI, what a text has of it, days of force, days of knowledge.
_Row: TypeAlias = tuple[str, str, str, str | None, str, str | None]


def _of_norm(store: Store, norm: Name) -> tuple[_Row, ...]:
    """The rectangles of a norm and of all that it holds."""
    return store.lasting((_of_norm, norm.iri), lambda: tuple(_rows(store, norm)))


def _by_part(store: Store, name: Name) -> Iterator[tuple[str, list[_Row]]]:
    """The rectangles of each part that decides of a text, with what it has of the part where none holds a day."""
    whole = name.work.iri
    parts: dict[str, list[_Row]] = {}
    for row in _of_norm(store, name.work):
        parts.setdefault(row[0], []).append(row)
    inner = within(store, name) if name != name.work else [part for part in parts if part != whole]
    if name != name.work and name.iri not in parts:
        yield _ABSENT, [_row(name.iri, one) for one in provision_periods(store, name) if one.axis is Axis.FORCE]
    else:
        inner = [name.iri, *inner]
    for part in inner:
        yield OPEN if part != whole and presupposes(store, part) else _ABSENT, parts.get(part, [])
    derived = derived_texts(store, name.work)
    if derived:
        yield _ABSENT, list(_derived_rows(derived))


def _derived_rows(derived: Sequence[Derived]) -> Iterator[_Row]:
    """The days on which acts make the text read otherwise, like those of a part."""
    for at, one in enumerate(derived):
        until = derived[at + 1].day.isoformat() if at + 1 < len(derived) else None
        yield one.text, one.text, one.day.isoformat(), until, one.known.isoformat(), None


def _rows(store: Store, norm: Name) -> Iterator[_Row]:
    living = named("provisions_with_life").rows(store, {"norma": norm.canonical})
    dated = (edition.version.version_date for edition in editions(store, norm.iri) if edition.whole)
    wholes = sorted(day.isoformat() for day in dated if day is not None)
    for part in (norm.iri, *(str(row["dispositivo"]) for row in living)):
        for one in store.summary(part).periods():
            if Axis.FORCE in one.axes:
                state = one.version or (OPEN if one.status.value == Status.UNKNOWN else _ABSENT)
                if one.version is None and part != norm.iri:
                    state += _printing(wholes, one.start)
                yield part, state, one.start, one.end, one.known_from, one.known_until


def _printing(wholes: Sequence[str], since: str) -> str:
    """Which of the whole texts have a provision all the same that has no version from a day on: those of no earlier
    day; the number of the others, or nothing where that is all of them."""
    before = bisect_left(wholes, since)
    return str(before) if before < len(wholes) else ""


def _row(part: str, one: Period) -> _Row:
    """A rectangle of a provision that follows its norm."""
    start, until, since, before = (
        day.isoformat() if day is not None else None
        for day in (one.valid_from, one.valid_until, one.known_from, one.known_until)
    )
    named = to_iri(one.version) if one.version is not None else None
    state = named or (OPEN if one.status is Status.UNKNOWN else _ABSENT)
    return part, state, str(start), until, str(since), before


def _days(parts: Iterable[list[tuple[str, str]]]) -> set[date]:
    return {date.fromisoformat(day) for changes in parts for day, _ in changes if day}


def _around(store: Store, target: Name) -> list[Period]:
    return [one for one in periods_of(store, target.work) if one.axis is Axis.FORCE]


def _printed_anew(
    store: Store,
    target: Name,
    edges: Iterable[date],
    found: Iterable[AnswerInterval],
    around: Iterable[Period],
    at: Callable[[date], tuple[date, date]],
) -> set[date]:
    """The days within an answer on which another text of the norm is the one that it rests on.

    What follows its norm reads as in the last whole text, or in the first; what no source says may have changed it.

    Args:
        at: the (D, K) of a day.
    """
    every = editions(store, target.work.iri)
    days = {day for one in found if one.version is not None for day in edges if one.start < day and one.holds(day)}
    starts = {one.start for one in found}
    printed: set[date] = set()
    before: object = None
    for day in sorted(days | starts):
        on, known = at(day)
        version = next((one.version for one in around if one.holds(on, known)), None)
        rests_on = readable(every, version, known) if version is not None else None
        now = (rests_on.missing, rests_on.editions[-1:]) if rests_on is not None else None
        if now != before and day not in starts:
            printed.add(day)
        before = now
    return printed


def _cut(one: AnswerInterval, days: Iterable[date]) -> Iterator[AnswerInterval]:
    """A interval in pieces, where a version answers."""
    within = sorted(day for day in days if one.version is not None and one.start < day and one.holds(day))
    starts = [one.start, *within]
    for start, until in zip(starts, (*within, one.until), strict=True):
        yield replace(one, start=start, until=until)
