"""A slow evaluator of the rules of time: one question at a time, straight from the rules of docs/time.md.

:func:`state` shares nothing with the derivation but the values that go in. It knows no rectangles: for each pair of
days it looks at everything again, so that its answer can be checked against the rules by eye.

:func:`check` holds a table of answers against both, the derivation and this evaluator.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import product

from graph.civil import parse_when
from graph.entities import Axis
from graph.vigencia import Happening, Member, Status, derive, find
from ontology.events import Effect, rank

__all__ = ["check", "event", "state", "view"]

_UNDOING = (Effect.RESTORES, Effect.REINSTATES)
_ENDINGS = {Effect.REVOKES: Status.REVOKED, Effect.ANNULS: Status.ANNULLED, Effect.EXPIRES: Status.EXPIRED}


def state(
    members: Sequence[Member],
    happenings: Sequence[Happening],
    inherited: Sequence[Sequence[Happening]],
    day: date,
    known: date,
    axis: Axis,
) -> tuple[Status | None, str | None]:
    """Status and version of a work on ``day`` (D), as known on ``known`` (K); two Nones where there is no answer."""
    heard = [m for m in members if m.view.possible_on(known)]
    if not heard:
        return None, None
    certain = [m for m in heard if m.view.certain_on(known)]
    cancelled = [m.cancels for m in certain]
    starts = [m.version_date for m in certain if m.version_date is not None and m.version_date not in cancelled]
    if day < min([m.view.first for m in heard] + starts):
        return None, None
    lists = [_still_said(each, known) for each in (happenings, *inherited)]
    elsewhere = [frozenset(h.name for each in lists[:at] for h in each) for at in range(len(lists))]
    ends = [
        _ended(each, day, known, min(starts, default=None), others)
        for each, others in zip(lists, elsewhere, strict=True)
    ]
    for end in ends:
        if end in _ENDINGS.values():
            return end, None
    if Status.UNKNOWN in ends:
        return Status.UNKNOWN, None
    status, version = _text(heard, certain, starts, day)
    if status is Status.IN_FORCE and axis is Axis.EFFICACY:
        for each, others in zip(lists, elsewhere, strict=True):
            efficacy = _efficacy(each, day, known, others)
            if efficacy is not Status.IN_FORCE:
                return efficacy, None
    return status, version


def _text(
    heard: Sequence[Member], certain: Sequence[Member], starts: Sequence[date], day: date
) -> tuple[Status, str | None]:
    """Which text runs on a day, were there no events."""
    if not starts:
        return Status.UNKNOWN, None
    begun = [start for start in starts if start <= day]
    for member in heard:
        if member in certain or member.version_date is None or member.version_date in starts:
            continue
        if member.version_date <= day and all(member.version_date > start for start in begun):
            return Status.UNKNOWN, None
    if not begun:
        originals = [m for m in certain if m.original]
        published = any(m.view.last is not None and m.view.last <= day for m in originals)
        vacatio = published and any(m.version_date is not None for m in originals)
        return (Status.VACATIO if vacatio else Status.UNKNOWN), None
    views = [m for m in certain if m.version_date == max(begun)]
    return Status.IN_FORCE, max(views, key=lambda m: (m.view.first, m.order, m.name)).name


def _still_said(happenings: Sequence[Happening], known: date) -> list[Happening]:
    """What one may have heard by K and is not surely taken back by then, in the order in which it acts."""
    heard = [h for h in happenings if h.known.possible_on(known)]
    taken_back = [h.cancels for h in heard if h.known.certain_on(known)]
    said = [h for h in heard if h.name not in taken_back and not _prolonged(h, heard, known)]
    return sorted(said, key=lambda h: (h.when.first, h.known.first, h.effect is Effect.RESTORES, h.name))


def _prolonged(one: Happening, heard: Sequence[Happening], known: date) -> bool:
    """Whether another term of a temporary norm was surely heard of after this one."""
    if one.effect is not Effect.EXPIRES or not one.known.certain_on(known):
        return False
    others = [h for h in heard if h.effect is Effect.EXPIRES and h.known.certain_on(known)]
    return any(other.known.first > one.known.first for other in others)


def _ended(
    said: Sequence[Happening], day: date, known: date, first_start: date | None, elsewhere: frozenset[str]
) -> Status:
    """How the events left the work by the end of a day: in force, surely ended, or unknown."""
    void = [
        h.name for h in said if h.effect is Effect.ANNULS and first_start is not None and h.when.certain_on(first_start)
    ]
    acts = [h for h in said if h.effect in (*_ENDINGS, Effect.RESTORES)]
    reach = tuple(h for h in acts if h.name in void or h.when.possible_on(day))
    sure = {h.name for h in reach if h.known.certain_on(known) and (h.name in void or h.when.certain_on(day))}
    return _agreed(reach, sure, elsewhere)


def _efficacy(said: Sequence[Happening], day: date, known: date, elsewhere: frozenset[str]) -> Status:
    """Whether a text in force has effect on a day: in force, suspended, or unknown."""
    late = [h for h in said if h.effect is Effect.STARTS_EFFICACY]
    if late:
        start = max(late, key=lambda h: (h.known.first, h.name))
        if not start.when.possible_on(day) and start.known.certain_on(known):
            return Status.SUSPENDED
        if not start.when.certain_on(day):
            return Status.UNKNOWN
    acts = [h for h in said if h.effect in (Effect.SUSPENDS, Effect.REINSTATES)]
    reach = tuple(h for h in acts if h.when.possible_on(day))
    sure = {h.name for h in reach if h.known.certain_on(known) and h.when.certain_on(day)}
    return _agreed(reach, sure, elsewhere)


def _agreed(reach: tuple[Happening, ...], sure: set[str], elsewhere: frozenset[str]) -> Status:
    """What stands after every order that the days allow; unknown where they do not agree.

    Of all orders those count in which the fewest restorations find nothing to restore.
    """
    orders = _orders(reach)
    if orders is None:
        return Status.UNKNOWN
    ends = [_after(order, sure) for order in orders]
    fewest = min(len(idle - elsewhere) for _, idle in ends)
    left = {now for now, idle in ends if len(idle - elsewhere) == fewest}
    return left.pop() if len(left) == 1 else Status.UNKNOWN


@lru_cache(maxsize=1 << 12)
def _orders(reach: tuple[Happening, ...]) -> frozenset[tuple[Happening, ...]] | None:
    """All orders in which events may have come, each on any of its days that another event has too; None for too many.

    Events of one day act in the order in which they were known, endings before restorations.
    """
    edges = {day for h in reach for day in (h.when.first, h.when.last or date.max)}
    if all(h.when.exact for h in reach) or len({h.effect in _UNDOING for h in reach}) < 2:
        edges = set()
    choices = [
        [day for day in edges if h.when.first <= day <= (h.when.last or date.max)] or [h.when.first] for h in reach
    ]
    ways = 1
    for days in choices:
        ways *= len(days)
    if ways > 512:
        return None
    return frozenset(
        tuple(
            h
            for _, h in sorted(
                zip(days, reach, strict=True),
                key=lambda pair: (pair[0], pair[1].known.first, pair[1].effect is Effect.RESTORES, pair[1].name),
            )
        )
        for days in product(*choices)
    )


def _after(order: Sequence[Happening], sure: set[str]) -> tuple[Status, set[str]]:
    """What stands after events in that order, and which of them found nothing to undo."""
    now, idle = Status.IN_FORCE, set[str]()
    for happening in order:
        begins = {**_ENDINGS, Effect.SUSPENDS: Status.SUSPENDED}.get(happening.effect)
        if begins is None and now is Status.IN_FORCE:
            idle.add(happening.name)
        elif begins is None:
            now = Status.IN_FORCE if happening.name in sure else Status.UNKNOWN
        elif now in (Status.IN_FORCE, Status.UNKNOWN):
            now = begins if happening.name in sure else Status.UNKNOWN
    return now, idle


def view(name: str, start: str | None, seen: str, word: str = "publicacao", cancels: str | None = None) -> Member:
    """A member from texts: its version date, when its view was known, and the event word that ranks it."""
    return Member(
        name,
        date.fromisoformat(start) if start else None,
        parse_when(seen),
        rank(word),
        date.fromisoformat(cancels) if cancels else None,
    )


def event(name: str, effect: Effect, when: str, known: str, cancels: str | None = None) -> Happening:
    """A happening from texts."""
    return Happening(name, effect, parse_when(when), parse_when(known), cancels)


def check(
    table: str,
    members: Sequence[Member],
    happenings: Sequence[Happening] = (),
    inherited: Sequence[Sequence[Happening]] = (),
) -> None:
    """The derivation and the slow evaluator both answer as the table says.

    A row is a question: D, K, the answer in force, and the answer in efficacy where it differs. An answer is a
    version's name, a status, or ``-`` where there is none.
    """
    rectangles = derive(members, happenings, inherited)
    for row in table.strip().splitlines():
        on, as_known, force, *efficacy = row.split()
        day, known = date.fromisoformat(on), date.fromisoformat(as_known)
        for axis, expected in ((Axis.FORCE, force), (Axis.EFFICACY, efficacy[0] if efficacy else force)):
            rectangle = find(rectangles, day, known, axis)
            derived = (rectangle.version or rectangle.status) if rectangle else "-"
            assert derived == expected, f"{row.strip()}: derived {derived} in {axis}"
            status, version = state(members, happenings, inherited, day, known, axis)
            replayed = version or status or "-"
            assert replayed == expected, f"{row.strip()}: replayed {replayed} in {axis}"
