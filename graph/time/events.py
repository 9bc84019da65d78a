"""Versions and events of a work, and the status of the work after its events on each day (docs/explanation/time.md).

Days of events may be known only within bounds. If an ending and a restoration may have come in either order, each order
is evaluated. If the results differ, the status is unknown. The numbers of rules are those of :mod:`graph.time.force`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from itertools import product
from math import prod

from graph.civil import When
from graph.time.kinds import Status
from ontology.events import Effect


@dataclass(frozen=True, slots=True)
class LifecycleEvent:
    """A life-cycle event: its effect, and the days of effect and knowledge.

    Attributes:
        name: its IRI, which is a reason in a period.
        effect: its effect.
        when: the first day of effect.
        known: the first day on which anyone could know of it.
        cancels: the name of another event that this one withdraws.
        cause: the name of the norm, judgment or provision that caused it.
        undoes: whether the fall or suspension of its target restores what the target had revoked or changed; a
            decision may exclude that (Lei 9.868/1999, arts. 11 and 27).
        stated: False if it is inferred from a relation of two norms, which does not state its content.
        wording: of a restored wording, the name of the version with that text.
        with_cause: whether it has effect from the first day of force of its cause, as known on K; ``when`` is that day
            according to everything that ever became known.
        is_term: whether it is the term of a temporary norm, which a later term replaces (rule R15).
    """

    name: str
    effect: Effect
    when: When
    known: When
    cancels: str | None = None
    cause: str | None = None
    undoes: bool = True
    stated: bool = True
    wording: str | None = None
    with_cause: bool = False
    is_term: bool = False


class Moves(Enum):
    """How a version may move the start of a norm that is not yet in force (LexML 1.0 part 2, section 12.1)."""

    PROROGUES = "prorogues"
    REPUBLISHES = "republishes"


@dataclass(frozen=True, slots=True)
class Member:
    """One version and view of a work (an individual work), for the derivation.

    Attributes:
        name: the IRI of the version, as periods have it.
        version_date: first day of force (LexML "data da versão"); None if the source does not state it.
        view: the first day on which anyone could know of it (LexML "data da visão"), possibly within bounds.
        order: rank among views of one version made on one day (:func:`ontology.events.rank`).
        cancels: the start of another version that this one cancels; None if the source states none.
        original: whether it may be the norm's first text; False, for example, for an amendment.
        causes: the names of the works that caused it.
        moves: how it moves the start of a norm that is not yet in force; None if it does not.
    """

    name: str
    version_date: date | None
    view: When
    order: int = 1
    cancels: date | None = None
    original: bool = True
    causes: tuple[str, ...] = ()
    moves: Moves | None = None

    @property
    def sets_start(self) -> bool:
        """Return whether it moves or cancels the start of another version."""
        return self.moves is not None or self.cancels is not None


@dataclass(frozen=True, slots=True)
class History:
    """The versions and events of one work, from which its periods are derived.

    Attributes:
        members: every version and view of the work, in any order.
        events: the events that act on the work itself.
        inherited: the events of each of its parents, the nearest first: of a provision, its containers and its norm.
        provisional: whether its lapse undoes its changes, as for a provisional measure issued on or after 2001-09-12
            (Constitution, art. 62 § 3; EC 32/2001, art. 2). It is also true for an earlier measure as a cause, whose
            lapse and conversion are unsure (rule F10).
        norm: of a provision, the norm it belongs to; else None.
        latest: of a provisional measure issued on or after 2001-09-12, and of its provisions, the last day on which it
            may be in force if no source states its end; else None.
    """

    members: tuple[Member, ...] = ()
    events: tuple[LifecycleEvent, ...] = ()
    inherited: tuple[tuple[LifecycleEvent, ...], ...] = ()
    provisional: bool = False
    norm: str | None = None
    latest: date | None = None

    @property
    def lists(self) -> tuple[tuple[LifecycleEvent, ...], ...]:
        """Return the events of the work, then those of each parent."""
        return (self.events, *self.inherited)


@dataclass(frozen=True, slots=True)
class Starts:
    """The starts of force of some versions, after postponements and republications have moved them.

    Attributes:
        cancelled: the starts that no longer count.
        moved: the start that a version moved, by the name of the version: the next start at that time.
        late: postponements published on or after the start that they would move, with the start that they state; they
            suspend a law in force until then.
    """

    cancelled: frozenset[date]
    moved: Mapping[str, date]
    late: Mapping[Member, date]

    @classmethod
    def of(cls, ranked: Sequence[Member]) -> Starts:
        """Return the starts of the versions that count, in the order of their views (rule F8 of
        docs/explanation/time.md)."""
        cancelled = {m.cancels for m in ranked if m.cancels is not None}
        moved: dict[str, date] = {}
        late: dict[Member, date] = {}
        for index, member in enumerate(ranked):
            if member.moves is None or member.version_date is None or member.cancels is not None:
                continue
            earlier = [
                other.version_date
                for place, other in enumerate(ranked)
                if place != index
                and other.version_date is not None
                and other.version_date not in cancelled
                and other.view.first <= member.view.first
                and other not in late
                and not (place > index and other.moves is not None)
            ]
            if not earlier:
                continue
            start = min(earlier)
            if start <= member.view.first:
                if member.moves is Moves.PROROGUES:
                    late[member] = member.version_date
                continue
            gone = {day for day in earlier if day in (start, min(day, member.version_date))} - {member.version_date}
            if gone:
                moved[member.name] = start
                cancelled |= gone
        return cls(frozenset(cancelled), moved, late)


def first_start(ranked: Sequence[Member]) -> date | None:
    """Return the first day of force of some versions; None if none of them has a start.

    Args:
        ranked: the versions that count, in the order of their views.
    """
    starts = Starts.of(ranked)
    dates = (m.version_date for m in ranked if m not in starts.late)
    return min((day for day in dates if day is not None and day not in starts.cancelled), default=None)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a work for one (D, K, axis): the status, the version in force, and the reasons."""

    status: Status
    version: str | None = None
    because: tuple[str, ...] = ()


#: The effects that end a work, with the resulting status.
ENDINGS: Mapping[Effect, Status] = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}
#: The effects that suspend the efficacy of a work in force.
SUSPENSIONS: Mapping[Effect, Status] = {Effect.SUSPENDS: Status.SUSPENDED}
#: The effects that undo an ending, and those that undo a suspension.
RESTORING = frozenset({Effect.RESTORES, Effect.RESTORES_WORDING})
REINSTATING = frozenset({Effect.REINSTATES})
#: The maximum number of orders of events that are evaluated; if there are more, the result is unknown.
_MOST_ORDERS = 512


@dataclass(frozen=True, slots=True)
class Events:
    """The events as known on one day: one list for the work itself, then one for each parent.

    ``first`` is the first day of the first version, or None if no version is dated.
    """

    known: date
    first: date | None
    lists: tuple[tuple[LifecycleEvent, ...], ...]

    def verdicts(self) -> tuple[tuple[date, ...], tuple[State | None, ...], tuple[State | None, ...]]:
        """Return the days on which something changes, and the ending and the suspension on each of them."""
        if not any(self.lists):
            return (date.min,), (None,), (None,)
        marks = tuple(
            sorted({date.min, *(day for events in self.lists for h in events for day in h.when.days_of_change)})
        )
        return marks, tuple(self.end(day) for day in marks), tuple(self.suspension(day) for day in marks)

    def end(self, day: date) -> State | None:
        """Return the certain ending of the work, else a possible one, else None (rules 4 and 6)."""
        ended = [
            state
            for index in range(len(self.lists))
            if (state := self.fold(index, day, ENDINGS, RESTORING)) is not None
        ]
        return next((state for state in ended if state.status is not Status.UNKNOWN), ended[0] if ended else None)

    def suspension(self, day: date) -> State | None:
        """Return the nearest suspension of the efficacy of a text in force, else None (rules 5 and 6)."""
        return next(
            (state for index in range(len(self.lists)) if (state := self._suspension(index, day)) is not None), None
        )

    def _suspension(self, index: int, day: date) -> State | None:
        late = [h for h in self.lists[index] if h.effect is Effect.STARTS_EFFICACY]
        if late:
            latest = max(late, key=lambda h: (h.known.first, h.name))
            if not latest.when.certain_on(day):
                sure = latest.known.certain_on(self.known) and not latest.when.possible_on(day)
                return State(Status.SUSPENDED if sure else Status.UNKNOWN, None, (latest.name,))
        return self.fold(index, day, SUSPENSIONS, REINSTATING)

    def fold(self, index: int, day: date, begins: Mapping[Effect, Status], undoes: Collection[Effect]) -> State | None:
        """Return the state at the end of a day by one list of events; None if nothing ended or suspended the work.

        The status is ``unknown_state`` if it depends on an order that is not known (rule 8).

        Args:
            index: the position of the list.
            day: D.
            begins: the effects that begin the state, with the resulting status.
            undoes: the effects that undo it.
        """
        relevant = [
            h
            for h in self.lists[index]
            if (h.effect in begins or h.effect in undoes) and self._may_have_effect_by(h, day)
        ]
        loose = sorted(h.name for h in relevant if h.when.exact is None)
        if not loose or len({h.effect in undoes for h in relevant}) == 1:
            return self._fold_in_order(relevant, day, begins)[0]
        orders = _possible_orders(relevant)
        elsewhere = {h.name for events in self.lists[:index] for h in events}
        worlds = [
            (state, len(idle - elsewhere))
            for state, idle in (self._fold_in_order(order, day, begins) for order in orders)
        ]
        fewest = min((idle for _, idle in worlds), default=0)
        likely = [state for state, idle in worlds if idle == fewest]
        if len({None if state is None else state.status for state in likely}) == 1:
            return likely[0]
        return unknown_state(loose)

    def _may_have_effect_by(self, event: LifecycleEvent, day: date) -> bool:
        return self._is_void(event) or event.when.possible_on(day)

    def _is_void(self, event: LifecycleEvent) -> bool:
        """Return whether an event is an annulment that voids every day of the work (rule 4)."""
        annuls = event.effect is Effect.ANNULS
        return annuls and self.first is not None and event.when.certain_on(self.first)

    def _fold_in_order(
        self, events: Iterable[LifecycleEvent], day: date, begins: Mapping[Effect, Status]
    ) -> tuple[State | None, set[str]]:
        """Return the state after all events up to a day in their order, and the restorations that had nothing to undo.

        A certain ending is not replaced by a later one.
        """
        state: State | None = None
        idle: set[str] = set()
        for event in events:
            sure = event.known.certain_on(self.known) and (self._is_void(event) or event.when.certain_on(day))
            if event.effect not in begins:
                if state is None:
                    idle.add(event.name)
                else:
                    state = None if sure else unknown_state([event.name])
            elif state is None or state.status is Status.UNKNOWN:
                state = State(begins[event.effect] if sure else Status.UNKNOWN, None, (event.name,))
        return state, idle


def known_events(
    ordered: Sequence[LifecycleEvent], known: date, lapses: Collection[date] = ()
) -> tuple[LifecycleEvent, ...]:
    """Return the events that may be known on a day, without those certainly withdrawn or replaced by a later term.

    Of the terms of a temporary norm, only those that became known last count.

    Args:
        ordered: events.
        known: the day of knowledge.
        lapses: days on which a wording of the work lapsed; an expiry on such a day is not the term of a temporary norm.
    """
    possible = [h for h in ordered if h.known.possible_on(known)]
    taken_back = {h.cancels for h in possible if h.known.certain_on(known)}
    expiries = [h for h in possible if h.is_term and h.known.certain_on(known)]
    terms = [h for h in expiries if h.when.exact is None or h.when.first not in lapses]
    newest = max((h.known.first for h in terms), default=None)
    return tuple(
        h
        for h in possible
        if h.name not in taken_back and not (h in terms and newest is not None and h.known.first < newest)
    )


def own_starts(lists: Sequence[Sequence[LifecycleEvent]], known: date) -> tuple[LifecycleEvent | None, ...]:
    """Return the possible own starts of force of a provision; with None if it possibly has none.

    The nearest list with such a start counts. A start counts unless another one certainly became known after it.

    Args:
        lists: the known events of the provision, then those of each parent.
        known: the day of knowledge.
    """
    stated = next(
        (starts for events in lists if (starts := [h for h in events if h.effect is Effect.STARTS_FORCE])), []
    )
    sure = [h for h in stated if h.known.certain_on(known)]
    left = [h for h in stated if not any(event.known.first > (h.known.last or date.max) for event in sure)]
    return tuple(left) if sure or not left else (*left, None)


def days_of_lapse(events: Sequence[LifecycleEvent], known: date) -> frozenset[date]:
    """Return the days on which a provision both expired and was restored, by its own events that are certain on K."""
    taken_back = {h.cancels for h in events if h.known.certain_on(known)}
    sure = [h for h in events if h.known.certain_on(known) and h.when.exact is not None and h.name not in taken_back]
    restored = {h.when.first for h in sure if h.effect is Effect.RESTORES}
    return frozenset(h.when.first for h in sure if h.effect is Effect.EXPIRES and h.when.first in restored)


def order_key(event: LifecycleEvent, day: date | None = None) -> tuple[date, date, bool, str]:
    """Return the sort key of an event: by effect, then by knowledge, endings before restorations.

    Args:
        day: the assumed day of effect; None for the first possible one.
    """
    return day or event.when.first, event.known.first, event.effect in RESTORING, event.name


def _possible_orders(events: Sequence[LifecycleEvent]) -> list[tuple[LifecycleEvent, ...]]:
    """Return the possible orders of events; empty if there are too many combinations of days.

    Each event is placed on each of its possible days that is a bound of any event. The order by first days is first.
    """
    edges = sorted({day for h in events for day in (h.when.first, h.when.last or date.max)})
    days = [[day for day in edges if h.when.first <= day <= (h.when.last or date.max)] for h in events]
    if prod(map(len, days)) > _MOST_ORDERS:
        return []
    orders: dict[tuple[LifecycleEvent, ...], None] = {}
    for chosen in product(*days):
        ordered = sorted(zip(events, chosen, strict=True), key=lambda pair: order_key(*pair))
        orders[tuple(h for h, _ in ordered)] = None
    return list(orders)


def possibly_known(known: When) -> When:
    """Return a day of knowledge without its upper bound, for something that may not have happened."""
    return When.not_before(known.first)


def unknown_state(because: Iterable[str]) -> State:
    return State(Status.UNKNOWN, None, tuple(because))
