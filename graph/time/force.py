"""The derivation of bitemporal periods from versions and events: pure functions without a store.

A question has two independent days: D, the day on which a text applies, and K, the day of knowledge. The answer for (D,
K) on one axis is one :class:`BitemporalPeriod` or none; periods of one work and axis never overlap. All intervals
are half open, ``[from, until)``; an open end is None.

The rules are those of LexML 1.0 part 2, section 12 (versions and views), and of docs/explanation/time.md:

1. Of each version (one day of entry into force) the latest view known by K counts. A view known only within bounds
counts as of its first possible day, so that any dated view takes precedence (section 12.5).
2. A version runs to the start of the next; a view may cancel the start of another version (a postponed start of force).
3. Before the first start, from the first view on, the norm is in vacatio. This does not apply if every dated text
presupposes an earlier one.
4. A termination known by K applies from its day of effect on; of several terms of a temporary norm, the one that became
known last. An annulment with effect on or before the first start voids every day. A restoration undoes a termination
from its day of effect on. An ended work cannot end again.
5. Suspensions act on efficacy only, until reinstated; efficacy may start later than force.
6. A provision ends with its norm or the grouping that contains it.
7. If a day is known only within bounds, the status is ``unknown_state`` between these bounds.
8. If bounds overlap, an ending and a restoration may have come in either order. The orders in which the fewest
restorations have nothing to undo are used; if these differ, the status is ``unknown_state``.
9. The changes of a cause count only as long as the cause has not fallen (:mod:`graph.time.causes`).
10. If a provision has its own first day of force, it is in vacatio before that day. Of several such days, the one that
became known last counts.
11. A provisional measure is ``unknown_state`` after its latest possible day, unless an end of it is known
(:mod:`graph.time.measure_terms`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, product

from graph.civil import ONE_DAY, When, day_before
from graph.time.causes import Causes, CountedMembers, Verdict, rank
from graph.time.events import (
    ENDINGS,
    Events,
    History,
    LifecycleEvent,
    Member,
    Moves,
    Starts,
    State,
    days_of_lapse,
    known_events,
    order_key,
    own_starts,
    unknown_state,
)
from graph.time.intervals import BitemporalPeriod, Interval
from graph.time.kinds import Axis, Status
from graph.time.measure_terms import TERM_PASSED
from ontology.events import Effect

__all__ = ["BitemporalPeriod", "History", "LifecycleEvent", "Member", "Moves", "derive", "find"]


_VACATIO = State(Status.VACATIO)
#: The maximum number of versions that may have fallen and would move a start, for which each combination is evaluated.
_MOST_MOVERS = 6
_ON_EFFICACY = frozenset({Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY})
_FORCE = frozenset({Axis.FORCE})
_EFFICACY = frozenset({Axis.EFFICACY})
_BOTH = _FORCE | _EFFICACY


def find(periods: Iterable[BitemporalPeriod], day: date, known: date, axis: Axis) -> BitemporalPeriod | None:
    """Return the only period that contains (D, K) on the axis, or None (the norm was not published, or has no
    dates)."""
    return next((r for r in periods if axis in r.axes and r.holds(day, known)), None)


def derive(history: History, causes: Mapping[str, History] | None = None) -> tuple[BitemporalPeriod, ...]:
    """Return all periods of one work, on both axes, sorted by start and day of knowledge.

    The time is proportional to the number of days with new knowledge times the number of days with a start or an end.

    Args:
        history: the versions and events of the work.
        causes: the histories of the norms and judgments that caused them, of their causes and so on, by name; a missing
            cause never falls.

    >>> law = Member("v1", date(1991, 3, 11), When.on(date(1990, 9, 12)))
    >>> for r in derive(History((law,))):
    ...     print(r.status, r.version, r.days.start, r.days.until, r.known.start)
    vacatio None 1990-09-12 1991-03-11 1990-09-12
    in-force v1 1991-03-11 None 1990-09-12
    """
    work = _Work.of(history, causes or {})
    ledgers = {clock: _Ledger(clock) for clock in work.axis_groups}
    for known in work.days_of_knowledge:
        slices = _Slices(work, known)
        for clock, ledger in ledgers.items():
            ledger.update(known, slices.runs(Axis.EFFICACY if clock is _EFFICACY else Axis.FORCE))
    return _join_axes(period for ledger in ledgers.values() for period in ledger.close())


@dataclass(frozen=True, slots=True)
class _Work:
    """A work in the form that the derivation reads.

    Attributes:
        ranked: its versions, in the order of their views.
        lists: its events and those of each parent, in the order of their effect.
        causes: decides whether its causes have fallen.
        is_part: whether it is part of another work: a provision or an annex.
        latest: as :attr:`graph.time.events.History.latest`.
    """

    ranked: tuple[Member, ...]
    lists: tuple[tuple[LifecycleEvent, ...], ...]
    causes: Causes
    is_part: bool
    latest: date | None

    @classmethod
    def of(cls, history: History, causes: Mapping[str, History]) -> _Work:
        lists = tuple(tuple(sorted(events, key=order_key)) for events in history.lists)
        ranked, is_part = tuple(sorted(history.members, key=rank)), bool(history.inherited)
        return cls(ranked, lists, Causes(history, causes), is_part, history.latest)

    @property
    def axis_groups(self) -> tuple[frozenset[Axis], ...]:
        """Return sets of axes to derive: one for each axis if they may differ, else one set with both."""
        differ = (
            any(h.effect in _ON_EFFICACY for events in self.lists for h in events)
            or any(m.moves is Moves.PROROGUES for m in self.ranked)
            or self.causes.has_suspension
        )
        return (_FORCE, _EFFICACY) if differ else (_BOTH,)

    @property
    def publications(self) -> Iterator[When]:
        """Yield the days of knowledge of each view, and of a veto of the work or of what contains it.

        A veto is published with the norm.
        """
        yield from (m.view for m in self.ranked)
        yield from (h.known for events in self.lists for h in events if h.effect is Effect.VETOES)

    @property
    def days_of_knowledge(self) -> list[date]:
        """Return the days on which something became known, ascending."""
        whens = (*(m.view for m in self.ranked), *(h.known for events in self.lists for h in events))
        return sorted({day for when in whens for day in when.days_of_change} | self.causes.days_of_knowledge)


def _join_axes(periods: Iterable[BitemporalPeriod]) -> tuple[BitemporalPeriod, ...]:
    """Return the periods sorted, with equal periods of both axes combined into one."""
    joined: dict[tuple[object, ...], BitemporalPeriod] = {}
    for period in periods:
        key = (period.status, period.version, period.because, period.days, period.known)
        twin = joined.get(key)
        joined[key] = period if twin is None else replace(period, axes=period.axes | twin.axes)
    return tuple(sorted(joined.values(), key=lambda r: (r.days.start, r.known.start, sorted(r.axes))))


class _Ledger:
    """Collects periods while the day of knowledge advances: the open runs, and the finished periods."""

    def __init__(self, axes: frozenset[Axis]) -> None:
        self._axes = axes
        #: The state, the end, and the day of knowledge of each open run, by its first day.
        self._open: dict[date, tuple[State, date | None, date]] = {}
        self._closed: list[BitemporalPeriod] = []

    def update(self, known: date, runs: Iterable[tuple[State, date, date | None]]) -> None:
        """Replace the open runs by those of a day of knowledge; finish those that changed."""
        before, self._open = self._open, {}
        for state, start, end in runs:
            was, until, since = before.get(start, (None, None, known))
            if was == state and until == end:
                del before[start]
                self._open[start] = state, end, since
            else:
                self._open[start] = state, end, known
        self._close(before, known)

    def close(self) -> list[BitemporalPeriod]:
        """Return all periods. The end of knowledge of the runs that are still open is None."""
        self._close(self._open, None)
        return self._closed

    def _close(self, runs: Mapping[date, tuple[State, date | None, date]], known_until: date | None) -> None:
        for start, (state, end, since) in runs.items():
            days, known = Interval(start, end), Interval(since, known_until)
            period = BitemporalPeriod(self._axes, state.status, state.version, state.because, days, known)
            self._closed.append(period)


class _Slices:
    """A work as known on one day: one :class:`_Slice` for all days on which the same versions and events count.

    Args:
        work: the work.
        known: the day of knowledge.
    """

    def __init__(self, work: _Work, known: date) -> None:
        self._work = work
        self._known = known
        self._published = min((when.first for when in work.publications if when.possible_on(known)), default=None)
        self._returned: dict[Axis, dict[date, State | None]] = {axis: {} for axis in Axis}
        for axis in Axis if work.is_part else ():
            self._note_lapses(axis)
        self._as_stated = self._slice(CountedMembers(work.ranked, (), (), work.lists, (), ()), Axis.FORCE)
        self._made: dict[tuple[CountedMembers, Axis], tuple[_Slice, ...] | None] = {}
        self._on: dict[tuple[Axis, int], tuple[tuple[_Slice, ...] | None, CountedMembers]] = {}

    def runs(self, axis: Axis) -> Iterator[tuple[State, date, date | None]]:
        """Yield the maximal runs of equal state on an axis, ascending: state, first day, and end, None for the last."""
        start, current = date.min, self._state(date.min, axis)
        for day in self._days(axis):
            state = self._state(day, axis)
            if state == current:
                continue
            if state is not None and current is not None and state.version == current.version is not None:
                current = replace(current, because=tuple(dict.fromkeys((*current.because, *state.because))))
                continue
            if current is not None:
                yield current, start, day
            start, current = day, state
        if current is not None:
            yield current, start, None

    def _days(self, axis: Axis) -> list[date]:
        """Return the days on which the state may change, ascending."""
        if self._published is None:
            return []
        causes = self._work.causes
        days = {self._published, *causes.days, *self._as_stated.days}
        for day in (date.min, *causes.days):
            slices = self._slices(day, axis)[0] if causes else ()
            days.update(day for alternative in slices or () for day in alternative.days)
        return sorted(days)

    def _state(self, day: date, axis: Axis) -> State | None:
        """Return the state on a day; None before anything is known of the work."""
        stated = self._state_if_published(self._as_stated, day, axis)
        if not self._work.causes:
            return stated
        slices, counting = self._slices(day, axis)
        if slices is None:
            return unknown_state(counting.because)
        state, *others = (self._state_if_published(alternative, day, axis) for alternative in slices)
        if any(_answer(other) != _answer(state) for other in others):
            return unknown_state(counting.because)
        if state is None or state == stated:
            return state
        return replace(state, because=tuple(dict.fromkeys((*state.because, *counting.because))))

    def _state_if_published(self, slice_: _Slice, day: date, axis: Axis) -> State | None:
        if self._published is None or day < min(self._published, slice_.first or date.max):
            return None
        return slice_.state(day, efficacy=axis is Axis.EFFICACY)

    def _slices(self, day: date, axis: Axis) -> tuple[tuple[_Slice, ...] | None, CountedMembers]:
        """Return the slices for a day, one for each alternative, and the versions and events that count.

        There are alternatives if versions that would move a start may have fallen. The slices are None if there are too
        many alternatives.
        """
        work = self._work
        place = bisect_right(work.causes.days, day)
        alternatives = self._on.get((axis, place))
        if alternatives is None:
            since = work.causes.days[place - 1] if place else date.min
            counting = work.causes.counting(work.ranked, work.lists, since, self._known, axis)
            if (counting, axis) not in self._made:
                self._made[counting, axis] = self._alternatives(counting, axis)
            alternatives = self._on[axis, place] = (self._made[counting, axis], counting)
        return alternatives

    def _note_lapses(self, axis: Axis) -> None:
        """Record the text restored on each day on which a wording lapsed: rule F6, if the part's own events state it.

        The events state that the part expired and was restored on one day. Then the text returns that preceded the text
        of the day before. The versions that count on that day decide which text this is.
        """
        work, known = self._work, self._known
        for day in sorted(days_of_lapse(work.lists[0], known)):
            before = day_before(day)
            counting = work.causes.counting(work.ranked, work.lists, before, known, axis)
            states = {way.previous_text(before) for way in self._alternatives(counting, axis) or ()}
            self._returned[axis][day] = states.pop() if len(states) == 1 else unknown_state(counting.because)

    def _alternatives(self, counting: CountedMembers, axis: Axis) -> tuple[_Slice, ...] | None:
        if len(counting.movers) > _MOST_MOVERS:
            return None
        ways = product(*(((), (mover,)) for mover in counting.movers))
        return tuple(
            self._slice(replace(counting, members=tuple(sorted((*counting.members, *chain(*way)), key=rank))), axis)
            for way in ways
        )

    def _slice(self, counting: CountedMembers, axis: Axis) -> _Slice:
        return _Slice.at(self._known, counting, self._work, self._returned[axis])


def _answer(state: State | None) -> tuple[Status, str | None] | None:
    return None if state is None else (state.status, state.version)


@dataclass(frozen=True, slots=True)
class _Slice:
    """The versions and events of a work that count, as known on one day.

    Attributes:
        first: the first day of the first version; None if no version is dated.
        starts: the first day of each text, ascending.
        texts: the state from each of ``starts`` on.
        published: the first day of vacatio before ``first``; None if it is not known.
        doubt: the state before the first of ``starts``, and before ``published`` if that is known.
        rivals: starts of members that may or may not be known, with the members' names.
        restored: restored wordings that are in doubt, or whose day is known only within bounds: the days, the event's
            name, and the version's; None if the version is not known.
        fallen: the state from the start of each fallen version on, ascending, if nothing else decides it.
        suspended: late postponements: the days from which each suspends the efficacy of a text, the day on which this
            ends, and its name.
        marks: the days on which the events change anything, ascending, with the first day of the calendar before all.
        ended: the ending of the work, from each of ``marks`` on.
        idle: the suspension of the efficacy of a text in force, from each of ``marks`` on.
        own_starts: the possible own starts of force of a provision; None is an item if it possibly has none.
        latest: the last day on which a provisional measure may be in force, if its end is not known.
    """

    first: date | None
    starts: tuple[date, ...]
    texts: tuple[State, ...]
    published: date | None
    doubt: State
    rivals: tuple[tuple[date, str], ...]
    restored: tuple[tuple[When, str, str | None], ...]
    fallen: tuple[tuple[date, State], ...]
    suspended: tuple[tuple[When, date, str], ...]
    marks: tuple[date, ...]
    ended: tuple[State | None, ...]
    idle: tuple[State | None, ...]
    own_starts: tuple[LifecycleEvent | None, ...]
    latest: date | None

    @classmethod
    def at(cls, known: date, counting: CountedMembers, work: _Work, returned: Mapping[date, State | None]) -> _Slice:
        """Return the slice for a day of knowledge.

        Args:
            counting: members in the order of their views, and events in the order of their effect.
            work: the work; any of its members may be the restored wording, including fallen ones.
            returned: the state restored on the days on which a wording lapses; None if there is none.
        """
        possible = [m for m in counting.members if m.view.possible_on(known)]
        sure = [m for m in possible if m.view.certain_on(known)]
        moves = Starts.of(sure)
        voided = {
            member.name: State(verdict.status or Status.UNKNOWN, None, verdict.because)
            for member, verdict in counting.voided
        }
        texts = {
            m.version_date: voided.get(m.name) or State(Status.IN_FORCE, m.name)
            for m in sure
            if m.version_date is not None and m.version_date not in moves.cancelled and m not in moves.late
        }
        begins = tuple(sorted(texts))
        lapses = days_of_lapse(counting.lists[0], known) & returned.keys()
        events = (
            known_events(counting.lists[0], known, lapses),
            *(known_events(event_list, known) for event_list in counting.lists[1:]),
        )
        restored = []
        surely = {m.name for m in work.ranked if m.view.certain_on(known)}
        back = {day: state for day in lapses if (state := returned[day]) is not None}
        texts = {**back, **texts}
        for event in sorted(events[0], key=lambda h: (h.known.first, h.name)):
            if event.effect is Effect.RESTORES_WORDING:
                version = event.wording if event.wording in surely else None
                is_sure = event.known.certain_on(known)
                if is_sure and (day := event.when.exact) is not None:
                    texts[day] = State(Status.IN_FORCE, version) if version is not None else unknown_state([event.name])
                else:
                    restored.append((event.when, event.name, version if is_sure else None))
        if not work.is_part and any(event.effect is Effect.STARTS_FORCE for event in events[0]):
            undated = [m for m in sure if m.original and m.version_date is None]
            texts = {**{m.view.days_of_change[-1]: State(Status.IN_FORCE, m.name) for m in undated}, **texts}
        published, open_ = _vacatio(possible, sure, begins)
        starts = tuple(sorted(texts))
        return cls(
            min(begins, default=None),
            starts,
            tuple(texts[start] for start in starts),
            published,
            unknown_state(sorted(m.name for m in open_) or _vetoes(counting.lists[0], known)),
            tuple(
                (m.version_date, m.name)
                for m in (possible if starts or counting.fallen else ())
                if m.version_date is not None and not m.view.certain_on(known)
            ),
            tuple(restored),
            _fallen_states(counting.fallen, known),
            tuple((m.view, until, m.name) for m, until in moves.late.items()),
            *Events(known, min(begins, default=None), events).verdicts(),
            own_starts(events, known),
            None if _has_stated_end(events[1:] if work.is_part else events, known) else work.latest,
        )

    @property
    def days(self) -> Iterator[date]:
        """Yield the days on which the state may change."""
        yield from (*self.starts, *self.marks, *(day for day, _ in (*self.rivals, *self.fallen)))
        yield from (day for view, until, _ in self.suspended for day in (*view.days_of_change, until))
        yield from (day for when, _, _ in self.restored for day in when.days_of_change)
        if self.published is not None:
            yield self.published
        if self.latest is not None:
            yield self.latest + ONE_DAY

    def state(self, day: date, *, efficacy: bool) -> State:
        """Return the state on a day, on the axis of force or on that of efficacy."""
        place = bisect_right(self.marks, day) - 1
        ended = self.ended[place]
        if ended is not None:
            return ended
        text = self._with_own_start(self._text(day), day)
        if self.latest is not None and day > self.latest and text.version is not None:
            return unknown_state((text.version, TERM_PASSED))
        if not efficacy or text.status is not Status.IN_FORCE:
            return text
        for view, until, name in self.suspended:
            if view.possible_on(day) and day < until:
                return State(Status.SUSPENDED, None, (name,)) if view.certain_on(day) else unknown_state((name,))
        return self.idle[place] or text

    def previous_text(self, day: date) -> State | None:
        """Return the state with the text before the current one of a day; None if the current text is the first."""
        place = bisect_right(self.starts, day) - 1
        since = self.starts[place - 1] if place > 0 else None
        rivals = [(start, name) for start, name in self.rivals if start <= day and start not in self.starts]
        doubts = [name for start, name in rivals if since is None or since < start]
        doubts += [
            name
            for when, name, _ in self.restored
            if when.first <= day and (since is None or since <= (when.last or date.max))
        ]
        if doubts:
            return unknown_state(sorted(doubts))
        return self.texts[place - 1] if place > 0 else None

    def _with_own_start(self, text: State, day: date) -> State:
        """Apply rule 10: return the state of a text in force, changed if the provision has its own start of force.

        The own start is then a reason of the state, because it does not depend on the start of the norm.
        """
        if text.status is not Status.IN_FORCE or not self.own_starts:
            return text
        names = tuple(sorted(start.name for start in self.own_starts if start is not None))
        if all(start is not None and start.when.certain_on(day) for start in self.own_starts):
            return replace(text, because=tuple(dict.fromkeys((*text.because, *names))))
        if all(start is not None and not start.when.possible_on(day) for start in self.own_starts):
            return State(Status.VACATIO, None, names)
        return unknown_state(names)

    def _text(self, day: date) -> State:
        """Return the state with the current version, without endings (rules 1 to 3 and 7)."""
        place = bisect_right(self.starts, day)
        begun = self.starts[place - 1] if place else None
        doubts = [name for start, name in self.rivals if start <= day and (begun is None or begun < start)]
        if doubts:
            return unknown_state(sorted(doubts))
        text = self.texts[place - 1] if place else None
        for when, name, version in self.restored:
            if not when.possible_on(day) or (begun is not None and when.last is not None and when.last < begun):
                continue
            if version is None or not when.certain_on(day) or (begun is not None and begun > when.first):
                return unknown_state((name,))
            text = State(Status.IN_FORCE, version)
        if text is not None:
            return text
        if self.published is not None and self.published <= day:
            return _VACATIO
        fell = [state for start, state in self.fallen if start <= day]
        return fell[-1] if fell else self.doubt


def _fallen_states(fallen: Iterable[tuple[Member, Verdict]], known: date) -> tuple[tuple[date, State], ...]:
    """Return the start of each fallen version and the state in which it ended, ascending.

    Before a fallen amendment, a provision had a text that no source gives. The fall therefore decides the state only if
    no version precedes those that fell.
    """
    states = [
        (member.version_date, State(verdict.status, None, (member.name, *verdict.because)))
        for member, verdict in fallen
        if member.version_date is not None and verdict.status is not None and member.view.certain_on(known)
    ]
    firsts = [
        m.version_date for m, _ in fallen if m.version_date is not None and m.original and m.view.certain_on(known)
    ]
    since = min(firsts, default=date.max)
    return tuple(sorted((pair for pair in states if pair[0] >= since), key=lambda pair: pair[0]))


def _has_stated_end(lists: Iterable[Iterable[LifecycleEvent]], known: date) -> bool:
    """Return whether an end of a measure is certainly known on K."""
    return any(h.effect in ENDINGS and h.known.certain_on(known) for events in lists for h in events)


def _vetoes(events: Iterable[LifecycleEvent], known: date) -> list[str]:
    """Return the names of the vetoes known by a day; before the first view, only they show that the work exists."""
    return sorted(h.name for h in events if h.effect is Effect.VETOES and h.known.possible_on(known))


def _vacatio(
    possible: Sequence[Member], sure: Sequence[Member], starts: Sequence[date]
) -> tuple[date | None, Sequence[Member]]:
    """Return the first day of certain vacatio, and the members that make the days before it uncertain (rules 3, 7).

    The day is None if no first text is dated. Every dated view then presupposes an earlier text with an unknown start.
    """
    first = [m for m in sure if m.original]
    if not starts or all(m.version_date is None for m in first):
        return None, possible
    published = min(m.view.days_of_change[-1] for m in first)
    return published, [m for m in possible if m.view.first < published]
