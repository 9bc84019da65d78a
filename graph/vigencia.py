"""From what happened to what was in force: the pure derivation of bitemporal rectangles. No store in sight.

Two independent days make a question: D, the day on which a text applies, and K, the day on which one asks with what
was known then. The answer for (D, K) on one axis is one :class:`Rectangle` or none; rectangles of one work and axis
never overlap. All intervals are half open, ``[from, until)``; an open end is None.

The rules are those of LexML 1.0 part 2, section 12 (versions and views), and of docs/time.md:

1. Of each version (one day of entry into force) the latest view known by K counts.
2. A version runs to the start of the next; a view may cancel the start of another version (prorogued vacatio).
3. Before the first start, from the first view on, the norm is in vacatio.
4. Terminations known by K cut from their effect on; an annulment with effect on or before the first start voids every
   day; a restoration undoes a termination from its effect on. What already ended cannot end again.
5. Suspensions act on efficacy only, until reinstated; efficacy may start later than force.
6. A provision ends with the norm or grouping that holds it.
7. Whatever is known only within bounds makes the days between these bounds ``unknown``: nothing is guessed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import partial

from graph.civil import When
from graph.entities import Axis
from ontology.events import Effect

__all__ = ["Happening", "Member", "Rectangle", "Status", "derive", "find"]


class Status(StrEnum):
    """What a rectangle says of its days."""

    IN_FORCE = "in-force"
    VACATIO = "vacatio"
    SUSPENDED = "suspended"
    REVOKED = "revoked"
    ANNULLED = "annulled"
    EXPIRED = "expired"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Member:
    """One version and view of a work (an individual work), as the clocks see it.

    Attributes:
        name: what the rectangle will point at.
        version_date: first day of force (LexML "data da versão"); None when the source doesn't say.
        view: from when on anyone could know it (LexML "data da visão"), as far as that is known.
        order: rank among views of one version made on one day (:func:`ontology.events.rank`).
        cancels: the start of another version that this one annuls (a vacatio prorogued, restarted or rewritten).
    """

    name: str
    version_date: date | None
    view: When
    order: int = 1
    cancels: date | None = None


@dataclass(frozen=True, slots=True)
class Happening:
    """A life-cycle event, as the clocks see it.

    Attributes:
        name: what a rectangle will give as its reason.
        effect: what it does.
        when: from when it has effect.
        known: from when on anyone could know it.
        cancels: the name of another happening that this one takes back.
    """

    name: str
    effect: Effect
    when: When
    known: When
    cancels: str | None = None


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Days ``[start, end)``, as known on days ``[known_from, known_until)``.

    ``version`` is a member's name if and only if ``status`` is in-force; else ``because`` names what decided
    (happenings, or members that are not placed in time).
    """

    axes: frozenset[Axis]
    status: Status
    version: str | None
    because: tuple[str, ...]
    start: date
    end: date | None
    known_from: date
    known_until: date | None

    def holds(self, day: date, known: date) -> bool:
        """Whether (D, K) lies within."""
        return (
            self.start <= day
            and (self.end is None or day < self.end)
            and self.known_from <= known
            and (self.known_until is None or known < self.known_until)
        )


@dataclass(frozen=True, slots=True)
class _State:
    """What applies on one (D, K, axis)."""

    status: Status
    version: str | None = None
    because: tuple[str, ...] = ()


_ACTIVE = _State(Status.IN_FORCE)
_ENDS = {Effect.REVOKES: Status.REVOKED, Effect.ANNULS: Status.ANNULLED, Effect.EXPIRES: Status.EXPIRED}


def find(rectangles: Iterable[Rectangle], day: date, known: date, axis: Axis) -> Rectangle | None:
    """The one rectangle that holds (D, K) on the axis, or None (the norm was not published, or nothing is said)."""
    return next((r for r in rectangles if axis in r.axes and r.holds(day, known)), None)


def derive(
    members: Sequence[Member],
    happenings: Sequence[Happening] = (),
    inherited: Sequence[Sequence[Happening]] = (),
) -> tuple[Rectangle, ...]:
    """All rectangles of one work, on both axes, in the order of their start and knowledge.

    Args:
        members: every version and view of the work, in any order.
        happenings: what ended, suspended or restored the work itself.
        inherited: the same for each of its parents, the nearest first; for a provision only.

    >>> law = Member("v1", date(1991, 3, 11), When.on(date(1990, 9, 12)))
    >>> for r in derive([law]):
    ...     print(r.status, r.version, r.start, r.end, r.known_from)
    vacatio None 1990-09-12 1991-03-11 1990-09-12
    in-force v1 1991-03-11 None 1990-09-12
    """
    masks = (tuple(happenings), *(tuple(events) for events in inherited))
    open_since: dict[tuple[Axis, _State, date, date | None], date] = {}
    closed: list[tuple[Axis, _State, date, date | None, date, date | None]] = []
    for known in _knowledge_days(members, masks):
        slice_ = _Slice.at(known, members, masks)
        now = {
            (axis, state, start, end)
            for axis in Axis
            for state, start, end in _runs(slice_.days, partial(slice_.state, axis=axis))
        }
        for key in [key for key in open_since if key not in now]:
            closed.append((*key, open_since.pop(key), known))
        for key in now:
            open_since.setdefault(key, known)
    closed.extend((*key, since, None) for key, since in open_since.items())
    return _join_axes(closed)


def _knowledge_days(members: Sequence[Member], masks: Sequence[Sequence[Happening]]) -> list[date]:
    days = {day for member in members for day in member.view.breaks}
    days.update(day for mask in masks for happening in mask for day in happening.known.breaks)
    return sorted(days)


def _runs(days: Sequence[date], state_on: Callable[[date], _State]) -> Iterable[tuple[_State, date, date | None]]:
    """Maximal runs of equal state from day to day; the last one is open."""
    start: date | None = None
    current: _State | None = None
    for day in days:
        state = state_on(day)
        if state != current:
            if current is not None and start is not None:
                yield current, start, day
            current, start = state, day
    if current is not None and start is not None:
        yield current, start, None


def _join_axes(found: Iterable[tuple[Axis, _State, date, date | None, date, date | None]]) -> tuple[Rectangle, ...]:
    """One rectangle for both axes where they agree, which is nearly always."""
    axes: dict[tuple[_State, date, date | None, date, date | None], set[Axis]] = {}
    for axis, state, start, end, known_from, known_until in found:
        axes.setdefault((state, start, end, known_from, known_until), set()).add(axis)
    rectangles = [
        Rectangle(frozenset(on), state.status, state.version, state.because, start, end, known_from, known_until)
        for (state, start, end, known_from, known_until), on in axes.items()
    ]
    rectangles.sort(key=lambda r: (r.start, r.known_from, sorted(r.axes), r.known_until or date.max))
    return tuple(rectangles)


@dataclass(frozen=True, slots=True)
class _Slice:
    """The world as known on one day."""

    known: date
    days: tuple[date, ...]
    starts: tuple[date, ...]
    views: tuple[Member, ...]
    unplaced: tuple[Member, ...]
    masks: tuple[tuple[Happening, ...], ...]

    @classmethod
    def at(cls, known: date, members: Sequence[Member], masks: Sequence[Sequence[Happening]]) -> _Slice:
        heard = [m for m in members if m.view.possible_on(known)]
        sure = [m for m in heard if m.view.certain_on(known)]
        cancelled = {m.cancels for m in sure if m.cancels is not None}
        latest: dict[date, Member] = {}
        for member in sorted(sure, key=lambda m: (m.view.last or date.max, m.order, m.name)):
            if member.version_date is not None and member.version_date not in cancelled:
                latest[member.version_date] = member
        starts = tuple(sorted(latest))
        unplaced = [
            m
            for m in heard
            if m.version_date is not None and m.version_date not in latest and not m.view.certain_on(known)
        ]
        if not starts:
            unplaced = heard
        heard_masks = tuple(_standing(mask, known) for mask in masks)
        first = min((m.view.first for m in heard), default=None)
        days: tuple[date, ...] = ()
        if first is not None:
            origin = min([first, *starts])
            marks = {origin, *starts}
            marks.update(m.version_date for m in unplaced if m.version_date is not None)
            marks.update(day for mask in heard_masks for happening in mask for day in happening.when.breaks)
            days = tuple(sorted(day for day in marks if day >= origin))
        return cls(known, days, starts, tuple(latest[day] for day in starts), tuple(unplaced), heard_masks)

    def state(self, day: date, axis: Axis) -> _State:
        ended = [self._ended(mask, day) for mask in self.masks]
        certain = [state for state in ended if state.status not in (Status.IN_FORCE, Status.UNKNOWN)]
        doubtful = [state for state in ended if state.status is Status.UNKNOWN]
        if certain or doubtful:
            return (certain or doubtful)[0]
        text = self._text(day)
        if axis is Axis.EFFICACY and text.status is Status.IN_FORCE:
            for mask in self.masks:
                effect = self._efficacy(mask, day)
                if effect is not None:
                    return effect
        return text

    def _text(self, day: date) -> _State:
        """Rules 1 to 3 and 7: which version runs, as if nothing ever ended."""
        place = bisect_right(self.starts, day)
        floor = self.starts[place - 1] if place else date.min
        doubts = tuple(
            m.name for m in self.unplaced if m.version_date is None or floor < m.version_date <= day
        )  # a later start that may or may not have been known
        if doubts:
            return _State(Status.UNKNOWN, None, tuple(sorted(doubts)))
        if place:
            return _State(Status.IN_FORCE, self.views[place - 1].name)
        return _State(Status.VACATIO if self.starts else Status.UNKNOWN)

    def _ended(self, mask: Sequence[Happening], day: date) -> _State:
        """Rule 4: fold the terminations and restorations that reach the day."""
        state = _ACTIVE
        for happening in mask:
            ends = _ENDS.get(happening.effect)
            if ends is None and happening.effect is not Effect.RESTORES:
                continue
            void = happening.effect is Effect.ANNULS and self._ex_tunc(happening)
            if not void and not happening.when.possible_on(day):
                continue
            certain = happening.known.certain_on(self.known) and (void or happening.when.certain_on(day))
            if ends is not None and state.status in (Status.IN_FORCE, Status.UNKNOWN):
                state = _State(ends if certain else Status.UNKNOWN, None, (happening.name,))
            elif ends is None and state.status is not Status.IN_FORCE:
                state = _ACTIVE if certain else _State(Status.UNKNOWN, None, (happening.name,))
        return state

    def _ex_tunc(self, happening: Happening) -> bool:
        """Whether an annulment takes effect on or before the first start: then it voids every day."""
        return bool(self.starts) and happening.when.certain_on(self.starts[0])

    def _efficacy(self, mask: Sequence[Happening], day: date) -> _State | None:
        """Rule 5: None when the text has effect on the day."""
        late = self._not_yet_effective(mask, day)
        if late is not None:
            return late
        state: _State | None = None
        for happening in mask:
            if happening.effect not in (Effect.SUSPENDS, Effect.REINSTATES) or not happening.when.possible_on(day):
                continue
            certain = happening.known.certain_on(self.known) and happening.when.certain_on(day)
            if happening.effect is Effect.SUSPENDS and (state is None or state.status is Status.UNKNOWN):
                state = _State(Status.SUSPENDED if certain else Status.UNKNOWN, None, (happening.name,))
            elif happening.effect is Effect.REINSTATES and state is not None:
                state = None if certain else _State(Status.UNKNOWN, None, (happening.name,))
        return state

    def _not_yet_effective(self, mask: Sequence[Happening], day: date) -> _State | None:
        starts = [h for h in mask if h.effect is Effect.STARTS_EFFICACY]
        if not starts:
            return None
        latest = max(starts, key=lambda h: (h.known.first, h.name))
        if latest.when.certain_on(day):
            return None
        certain = latest.known.certain_on(self.known) and not latest.when.possible_on(day)
        return _State(Status.SUSPENDED if certain else Status.UNKNOWN, None, (latest.name,))


def _standing(mask: Sequence[Happening], known: date) -> tuple[Happening, ...]:
    """The happenings heard of by ``known`` and not taken back, in the order in which they act."""
    heard = [h for h in mask if h.known.possible_on(known)]
    taken_back = {h.cancels for h in heard if h.cancels is not None and h.known.certain_on(known)}
    return tuple(
        sorted(
            (h for h in heard if h.name not in taken_back),
            key=lambda h: (h.when.first, h.known.first, h.effect is Effect.RESTORES, h.name),
        )
    )
