"""From what happened to what was in force: the pure derivation of bitemporal rectangles. No store in sight.

Two independent days make a question: D, the day on which a text applies, and K, the day on which one asks with what
was known then. The answer for (D, K) on one axis is one :class:`Rectangle` or none; rectangles of one work and axis
never overlap. All intervals are half open, ``[from, until)``; an open end is None.

The rules are those of LexML 1.0 part 2, section 12 (versions and views), and of docs/time.md:

1. Of each version (one day of entry into force) the latest view known by K counts; a view known only within bounds
   counts as of its first possible day, so that it gives way to any that is dated (section 12.5).
2. A version runs to the start of the next; a view may cancel the start of another version (prorogued vacatio).
3. Before the first start, from the first view on, the norm is in vacatio; unless every text that is dated presupposes
   an earlier one.
4. Terminations known by K cut from their effect on, of several terms of a temporary norm the one heard of last; an
   annulment with effect on or before the first start voids every day; a restoration undoes a termination from its
   effect on. What already ended cannot end again.
5. Suspensions act on efficacy only, until reinstated; efficacy may start later than force.
6. A provision ends with the norm or grouping that holds it.
7. Whatever is known only within bounds makes the days between these bounds ``unknown``: nothing is guessed.
8. Where bounds overlap, an ending and a restoration may have come in either order. The orders in which the fewest
   restorations find nothing to undo count; where these do not agree, what stands is ``unknown``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.civil import When
from graph.entities import Axis
from graph.happenings import Events, Happening, State, Status, standing, turn, unknown
from ontology.events import Effect

__all__ = ["Happening", "Member", "Rectangle", "Status", "derive", "find"]


@dataclass(frozen=True, slots=True)
class Member:
    """One version and view of a work (an individual work), as the clocks see it.

    Attributes:
        name: what the rectangle will point at.
        version_date: first day of force (LexML "data da versão"); None when the source doesn't say.
        view: from when on anyone could know it (LexML "data da visão"), as far as that is known.
        order: rank among views of one version made on one day (:func:`ontology.events.rank`).
        cancels: the start of another version that this one annuls (a vacatio prorogued, restarted or rewritten).
        original: whether it may be the norm's first text; an amendment, say, presupposes an earlier one.
    """

    name: str
    version_date: date | None
    view: When
    order: int = 1
    cancels: date | None = None
    original: bool = True


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Days ``[start, end)``, as known on days ``[known_from, known_until)``.

    ``version`` is a member's name if and only if ``status`` is in-force; else ``because`` names what decided:
    happenings, or members that are not placed in time. In vacatio nothing needs a reason.
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


_VACATIO = State(Status.VACATIO)
_ON_EFFICACY = frozenset({Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY})
_FORCE = frozenset({Axis.FORCE})
_EFFICACY = frozenset({Axis.EFFICACY})
_BOTH = _FORCE | _EFFICACY


def find(rectangles: Iterable[Rectangle], day: date, known: date, axis: Axis) -> Rectangle | None:
    """The one rectangle that holds (D, K) on the axis, or None (the norm was not published, or nothing is said)."""
    return next((r for r in rectangles if axis in r.axes and r.holds(day, known)), None)


def derive(
    members: Sequence[Member],
    happenings: Sequence[Happening] = (),
    inherited: Sequence[Sequence[Happening]] = (),
) -> tuple[Rectangle, ...]:
    """All rectangles of one work, on both axes, in the order of their start and knowledge.

    The time it takes grows with the number of days on which knowledge changed times the number of days on which
    something starts or ends.

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
    ranked = sorted(members, key=lambda m: (m.view.first, m.order, m.name))
    lists = [sorted(each, key=turn) for each in (happenings, *inherited)]
    told = [happening for each in lists for happening in each]
    clocks = (_FORCE, _EFFICACY) if any(h.effect in _ON_EFFICACY for h in told) else (_BOTH,)
    ledgers = {clock: _Ledger(clock) for clock in clocks}
    for known in sorted({day for when in (*(m.view for m in ranked), *(h.known for h in told)) for day in when.breaks}):
        slice_ = _Slice.at(known, ranked, lists)
        for clock, ledger in ledgers.items():
            ledger.turn(known, slice_.runs(efficacy=clock is _EFFICACY))
    return _join_axes(rectangle for ledger in ledgers.values() for rectangle in ledger.close())


def _join_axes(found: Iterable[Rectangle]) -> tuple[Rectangle, ...]:
    """One rectangle for both axes where they agree, which is nearly always."""
    joined: dict[tuple[object, ...], Rectangle] = {}
    for one in found:
        key = (one.status, one.version, one.because, one.start, one.end, one.known_from, one.known_until)
        twin = joined.get(key)
        joined[key] = one if twin is None else replace(one, axes=one.axes | twin.axes)
    return tuple(sorted(joined.values(), key=lambda r: (r.start, r.known_from, sorted(r.axes))))


class _Ledger:
    """The runs of one clock from one day of knowledge to the next: what stays, and what became a rectangle."""

    def __init__(self, axes: frozenset[Axis]) -> None:
        self._axes = axes
        #: From the first day of each run to its state, its end, and since when it was known.
        self._open: dict[date, tuple[State, date | None, date]] = {}
        self._closed: list[Rectangle] = []

    def turn(self, known: date, runs: Iterable[tuple[State, date, date | None]]) -> None:
        """Take what is known from that day on."""
        before, self._open = self._open, {}
        for state, start, end in runs:
            was, until, since = before.get(start, (None, None, known))
            if was == state and until == end:
                del before[start]
                self._open[start] = state, end, since
            else:
                self._open[start] = state, end, known
        self._close(before, known)

    def close(self) -> list[Rectangle]:
        """All rectangles; what is still open has no end of knowledge."""
        self._close(self._open, None)
        return self._closed

    def _close(self, runs: Mapping[date, tuple[State, date | None, date]], known_until: date | None) -> None:
        for start, (state, end, since) in runs.items():
            self._closed.append(
                Rectangle(self._axes, state.status, state.version, state.because, start, end, since, known_until)
            )


@dataclass(frozen=True, slots=True)
class _Slice:
    """The world as known on one day.

    Attributes:
        origin: the first day that there is anything to say of; None before the first view.
        starts: the first day of each version, ascending.
        texts: what applies from each of ``starts`` on.
        published: the day from which on it is vacatio until the first start; None where that cannot be said.
        doubt: what applies before the first of ``starts`` and before ``published``.
        rivals: starts told by members that may or may not have been heard of, with the members' names.
        marks: the days on which the events change anything, ascending, with the first day of the calendar before all.
        ended: what ended the work, from each of ``marks`` on.
        idle: what keeps a text in force from having effect, from each of ``marks`` on.
    """

    origin: date | None
    starts: tuple[date, ...]
    texts: tuple[State, ...]
    published: date | None
    doubt: State
    rivals: tuple[tuple[date, str], ...]
    marks: tuple[date, ...]
    ended: tuple[State | None, ...]
    idle: tuple[State | None, ...]

    @classmethod
    def at(cls, known: date, ranked: Sequence[Member], lists: Sequence[Sequence[Happening]]) -> _Slice:
        """From members in the order of their views, and happenings in the order of their turns."""
        heard = [m for m in ranked if m.view.possible_on(known)]
        sure = [m for m in heard if m.view.certain_on(known)]
        cancelled = {m.cancels for m in sure}
        latest = {
            m.version_date: m.name for m in sure if m.version_date not in cancelled and m.version_date is not None
        }
        starts = tuple(sorted(latest))
        published, open_ = _vacatio(heard, sure, starts)
        rivals = tuple(
            (m.version_date, m.name)
            for m in (heard if starts and len(sure) < len(heard) else ())
            if m.version_date is not None and not m.view.certain_on(known)
        )
        events = Events(known, starts[0] if starts else None, tuple(standing(each, known) for each in lists))
        return cls(
            min([heard[0].view.first, *starts[:1]]) if heard else None,
            starts,
            tuple(State(Status.IN_FORCE, latest[start]) for start in starts),
            published,
            unknown(sorted(m.name for m in open_)),
            rivals,
            *events.verdicts(),
        )

    def runs(self, *, efficacy: bool) -> Iterator[tuple[State, date, date | None]]:
        """Maximal runs of equal state on a clock, ascending; the last one is open."""
        if self.origin is None:
            return
        start, current = self.origin, self._state(self.origin, efficacy=efficacy)
        published = () if self.published is None else (self.published,)
        for day in sorted({*self.starts, *self.marks, *published, *(day for day, _ in self.rivals)}):
            if day > self.origin and (state := self._state(day, efficacy=efficacy)) != current:
                yield current, start, day
                start, current = day, state
        yield current, start, None

    def _state(self, day: date, *, efficacy: bool) -> State:
        place = bisect_right(self.marks, day) - 1
        ended = self.ended[place]
        if ended is not None:
            return ended
        text = self._text(day)
        return self.idle[place] or text if efficacy and text.status is Status.IN_FORCE else text

    def _text(self, day: date) -> State:
        """Rules 1 to 3 and 7: which version runs, as if nothing ever ended."""
        place = bisect_right(self.starts, day)
        if self.rivals:
            begun = self.starts[place - 1] if place else None
            doubts = [name for start, name in self.rivals if start <= day and (begun is None or begun < start)]
            if doubts:
                return unknown(sorted(doubts))
        if place:
            return self.texts[place - 1]
        return _VACATIO if self.published is not None and self.published <= day else self.doubt


def _vacatio(
    heard: Sequence[Member], sure: Sequence[Member], starts: Sequence[date]
) -> tuple[date | None, Sequence[Member]]:
    """Rules 3 and 7: from when on it is surely vacatio, and the members that leave the days before that open.

    It is none where no first text is dated: every dated view presupposes an earlier text, whose start is not told.
    """
    first = [m for m in sure if m.original]
    if not starts or all(m.version_date is None for m in first):
        return None, heard
    published = min(m.view.last for m in first if m.view.last is not None)
    return published, [m for m in heard if m.view.first < published]
