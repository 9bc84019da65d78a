"""Decides which changes count after their cause fell: rules F1 to F9 of docs/explanation/time.md.

A norm or judgment causes events and versions of other norms. If it is annulled, never enters into force, lapses as a
provisional measure, or is suspended by a court, its changes do not count on the days concerned. The numbers of the
rules, and the sources of law, are those of docs/explanation/time.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum

from graph.civil import When
from graph.time.events import (
    REINSTATING,
    RESTORING,
    SUSPENSIONS,
    Events,
    History,
    LifecycleEvent,
    Member,
    State,
    days_of_lapse,
    first_start,
    known_events,
    order_key,
    possibly_known,
)
from graph.time.kinds import Axis, Status
from ontology.events import Effect

#: The maximum length of a chain of causes; results that depend on a longer one are unknown.
_DEEPEST = 16
_FALLS: Mapping[Effect, Status] = {Effect.ANNULS: Status.ANNULLED}
#: A provisional measure falls with its lapse or rejection (F6), and with its conversion (F7).
_PROVISIONAL_FALLS: Mapping[Effect, Status] = {
    **_FALLS,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
}


class Fate(IntEnum):
    """Whether the changes of a cause count on a day, in ascending order of doubt."""

    COUNTS = 0
    PERHAPS = 1
    FALLEN = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effect of the fall of a cause on one day, as known on another.

    Attributes:
        fate: whether the changes of the cause count.
        status: of a fallen cause, the status of a work that has no other text; it states how the cause ended. None if
            the cause did not end.
        because: the names of the events that ended it, each followed by the names of the events that prevented its
            restoration.
        suspends: whether the cause is (or may be) only suspended.
    """

    fate: Fate
    status: Status | None = None
    because: tuple[str, ...] = ()
    suspends: bool = False


_COUNTS = Verdict(Fate.COUNTS)
_TOO_DEEP = Verdict(Fate.PERHAPS)
#: A cause that was never in force because the cause of its start fell; nothing ended it.
_NOT_BEGUN = State(Status.VACATIO)


@dataclass(frozen=True, slots=True)
class CountedMembers:
    """The versions and events of a work that count on one day, as known on another.

    Attributes:
        members: the versions that count, in the order of their views. A version that may have fallen has a day of
            knowledge without an upper bound.
        movers: the versions that may have fallen and move or cancel a start, with their stated days of knowledge.
        voided: versions whose text is void or suspended by a decision that restores no earlier text, each with the
            verdict on it.
        lists: the events that count, of the work and of each parent. An event that may have fallen has a day of
            knowledge without an upper bound.
        fallen: the versions that fell, each with the verdict on its causes.
        because: the names of the events and versions that fell, each followed by those of the events that ended its
            cause.
    """

    members: tuple[Member, ...]
    movers: tuple[Member, ...]
    voided: tuple[tuple[Member, Verdict], ...]
    lists: tuple[tuple[LifecycleEvent, ...], ...]
    fallen: tuple[tuple[Member, Verdict], ...]
    because: tuple[str, ...]


class Causes:
    """Decides whether the causes of one work have fallen.

    Args:
        history: the versions and events of the work.
        histories: the histories of its causes, of their causes and so on, by name. A missing cause never falls.
    """

    def __init__(self, history: History, histories: Mapping[str, History]) -> None:
        self._histories = {name: histories[name] for name in _reachable_causes(history, histories)}
        self._cycles: dict[date, frozenset[tuple[str | None, str]]] = {}
        self._own_name = next((name for name, candidate in self._histories.items() if candidate == history), None)
        self._found: dict[tuple[str, date, date, Axis, frozenset[str], int, bool], Verdict] = {}
        self._starts: dict[tuple[str, date, date, Axis, int], When | None] = {}
        self._excludes = any(
            not h.undoes for cause_history in self._histories.values() for events in cause_history.lists for h in events
        )
        self._is_deep = len(self._histories) >= _DEEPEST
        self._days = sorted(
            {day for cause_history in self._histories.values() for day in _days_of_effect(cause_history)}
        )

    def __bool__(self) -> bool:
        return bool(self._histories)

    @property
    def days(self) -> Sequence[date]:
        """Return the days on which the fate of a cause may change, ascending."""
        return self._days

    @property
    def days_of_knowledge(self) -> set[date]:
        """Return the days on which something about a cause became known."""
        return {day for history in self._histories.values() for day in _days_of_knowledge(history)}

    @property
    def has_suspension(self) -> bool:
        """Return whether a cause is ever suspended."""
        return any(
            h.effect is Effect.SUSPENDS
            for history in self._histories.values()
            for events in history.lists
            for h in events
        )

    def counting(
        self, ranked: Sequence[Member], lists: Sequence[Sequence[LifecycleEvent]], day: date, known: date, axis: Axis
    ) -> CountedMembers:
        """Return the versions and events of a work that count on D, as known on K.

        Args:
            ranked: its versions, in the order of their views.
            lists: its events and those of each parent, in the order of their effect.
        """
        return self._counting(self._own_name, ranked, lists, day, known, axis, 0)

    def _counting(
        self,
        work: str | None,
        ranked: Sequence[Member],
        lists: Sequence[Sequence[LifecycleEvent]],
        day: date,
        known: date,
        axis: Axis,
        depth: int,
    ) -> CountedMembers:
        reasons: list[str] = []
        fallen: list[tuple[Member, Verdict]] = []
        members: list[Member] = []
        movers: list[Member] = []
        voided: list[tuple[Member, Verdict]] = []
        acts = frozenset(cause for m in ranked if m.view.certain_on(known) for cause in m.causes)
        for member, causes in _with_causes(ranked):
            if not member.view.possible_on(known):
                continue
            free = [cause for cause in causes if (work, cause) not in self._cycles_on(known)]
            verdict = self._verdict_on_all(free, len(causes), acts, day, known, axis, depth)
            if verdict.fate is Fate.FALLEN:
                fallen.append((member, verdict))
            elif verdict.fate is Fate.COUNTS:
                members.append(member)
            elif member.view.certain_on(known) and member.sets_start:
                movers.append(member)
            else:
                members.append(replace(member, view=possibly_known(member.view)))
            if verdict.fate is not Fate.COUNTS:
                reasons.extend((member.name, *verdict.because))
            if verdict.fate is Fate.COUNTS and self._excludes:
                voided.extend(
                    (member, voided_verdict)
                    for voided_verdict in self._verdicts_excluding_return(free, acts, day, known, axis, depth)
                )
        kept = tuple(self._counting_events(work, events, day, known, axis, reasons, depth) for events in lists)
        return CountedMembers(
            tuple(members), tuple(movers), tuple(voided), kept, tuple(fallen), tuple(dict.fromkeys(reasons))
        )

    def _counting_events(
        self,
        work: str | None,
        events: Sequence[LifecycleEvent],
        day: date,
        known: date,
        axis: Axis,
        reasons: list[str],
        depth: int,
    ) -> tuple[LifecycleEvent, ...]:
        """Return the known events of a list that count on a day, in the order of their effect.

        The names of the other events, and of the events that ended their causes, are appended to ``reasons``. An event
        in a cycle of causes counts as stated. A conversion always counts: the provisional measure has ended even if the
        law falls.
        """
        kept = []
        for stated in events:
            if not stated.known.possible_on(known):
                continue
            cause = stated.cause
            if (
                cause is None
                or cause not in self._histories
                or stated.effect is Effect.CONVERTS
                or (work, cause) in self._cycles_on(known)
            ):
                kept.append(stated)
                continue
            event = self._with_start(stated, cause, day, known, axis, depth) if stated.with_cause else stated
            acts = frozenset(
                other.cause
                for other in events
                if other.effect is event.effect and other.cause is not None and other.known.certain_on(known)
            )
            verdict = self._verdict_on(cause, acts, day, known, axis, depth)
            if verdict.fate is Fate.PERHAPS:
                kept.append(replace(event, known=possibly_known(event.known)))
            elif verdict.fate is Fate.COUNTS:
                kept.append(event)
            if verdict.fate is not Fate.COUNTS and event.when.possible_on(day):
                reasons.extend((event.name, *verdict.because))
        return tuple(sorted(kept, key=order_key))

    def _with_start(
        self, event: LifecycleEvent, cause: str, day: date, known: date, axis: Axis, depth: int
    ) -> LifecycleEvent:
        """Return an event with the first day of force of its cause on D, as known on K; unchanged if there is none.

        If versions of the cause may have fallen or may not be known, the day is known only within bounds.
        """
        if depth >= _DEEPEST:
            return event
        key = (cause, day, known, axis, depth if self._is_deep else 0)
        if key not in self._starts:
            history = self._histories[cause]
            ranked = sorted(history.members, key=rank)
            ordered = [sorted(events, key=order_key) for events in history.lists]
            counting = self._counting(cause, ranked, ordered, day, known, axis, depth + 1)
            sure = [m for m in counting.members if m.view.certain_on(known)]
            starts = (first_start(sure), first_start(sorted((*counting.members, *counting.movers), key=rank)))
            days = sorted(start for start in starts if start is not None)
            self._starts[key] = When(days[0], days[-1]) if days else None
        when = self._starts[key]
        return event if when is None else replace(event, when=when)

    def _verdicts_excluding_return(
        self, causes: Sequence[str], acts: frozenset[str], day: date, known: date, axis: Axis, depth: int
    ) -> Iterator[Verdict]:
        """Yield the verdict on the text of a version if a decision on its cause excludes that the earlier text returns.

        The text is void with its cause, and it is unknown which text applies. If the cause is only suspended, the text
        is suspended.
        """
        void = [self._verdict_on(cause, acts, day, known, axis, depth, all_undo=True) for cause in causes]
        void = [verdict for verdict in void if verdict.fate is not Fate.COUNTS]
        if void:
            suspended = all(verdict.suspends for verdict in void) and any(v.fate is Fate.FALLEN for v in void)
            because = tuple(dict.fromkeys(name for verdict in void for name in verdict.because))
            yield Verdict(Fate.PERHAPS, Status.SUSPENDED if suspended else None, because)

    def _verdict_on_all(
        self,
        causes: Sequence[str],
        number: int,
        acts: frozenset[str],
        day: date,
        known: date,
        axis: Axis,
        depth: int,
    ) -> Verdict:
        """Return the verdict on a version: it has fallen if all its causes have, and may have fallen if some have.

        Args:
            causes: its causes outside of cycles.
            number: the number of all its causes.
        """
        verdicts = [self._verdict_on(cause, acts, day, known, axis, depth) for cause in causes]
        felled = [verdict for verdict in verdicts if verdict.fate is not Fate.COUNTS]
        if not felled:
            return _COUNTS
        because = tuple(dict.fromkeys(name for verdict in felled for name in verdict.because))
        if len(verdicts) == number and all(verdict.fate is Fate.FALLEN for verdict in verdicts):
            return Verdict(Fate.FALLEN, felled[0].status, because)
        return Verdict(Fate.PERHAPS, None, because)

    def _verdict_on(
        self,
        cause: str,
        acts: frozenset[str],
        day: date,
        known: date,
        axis: Axis,
        depth: int,
        *,
        all_undo: bool = False,
    ) -> Verdict:
        """Return the verdict on a cause.

        Args:
            acts: the known causes of all versions of the work, or of all its events with the same effect.
            all_undo: whether events that restore no earlier text count like others.
        """
        history = self._histories.get(cause)
        if history is None:
            return _COUNTS
        if depth >= _DEEPEST:
            return _TOO_DEEP
        kept_by = frozenset(law for law in _successors(history) if any(_is_law_or_part_of_it(act, law) for act in acts))
        key = (cause, day, known, axis, kept_by, depth if self._is_deep else 0, all_undo)
        verdict = self._found.get(key)
        if verdict is None:
            verdict = self._found[key] = self._verdict(
                cause, history, kept_by, day, known, axis, depth, all_undo=all_undo
            )
        return verdict

    def _verdict(
        self,
        cause: str,
        history: History,
        kept_by: frozenset[str],
        day: date,
        known: date,
        axis: Axis,
        depth: int,
        *,
        all_undo: bool,
    ) -> Verdict:
        """Return the verdict on a cause by rules F1 to F4, F6, F7 and F9.

        Args:
            kept_by: the laws that converted the cause and make the same change themselves.
            all_undo: whether events that restore no earlier text count like others; rule F1 is then not applied.
        """
        counting, events, first = self._events(cause, history, day, known, axis, depth, all_undo=all_undo)
        felled = counting.because
        states = [] if all_undo else [self._never(cause, history, first, day, known, axis, depth)]
        states += [] if all_undo or first is not None else [_lost_start(history, counting, known)]
        falls = _PROVISIONAL_FALLS if history.provisional else _FALLS
        decided = replace(
            events,
            lists=tuple(tuple(_unsure_if_undecided(h, kept_by) for h in event_list) for event_list in events.lists),
        )
        suspensions: list[State | None] = []
        for index in range(len(events.lists)):
            states.append(decided.fold(index, day, falls, RESTORING))
            if axis is Axis.EFFICACY:
                suspensions.append(events.fold(index, day, SUSPENSIONS, REINSTATING))
        verdicts = [_verdict_for_state(state) for state in states if state is not None]
        verdicts += [replace(_verdict_for_state(state), suspends=True) for state in suspensions if state is not None]
        worst = max(verdicts, key=lambda verdict: verdict.fate, default=_COUNTS)
        return replace(worst, because=(*worst.because, *felled)) if worst.fate is not Fate.COUNTS else _COUNTS

    def _never(
        self, cause: str, history: History, first: date | None, day: date, known: date, axis: Axis, depth: int
    ) -> State | None:
        """Apply rule F1: return how the cause ended before its start; None if it was in force by D, or no start is
        known."""
        if first is None:
            return None
        ends: list[State] = []
        until = max(first, day)
        for change_day in (first, *(mark for mark in self._days if first < mark <= until)):
            _, events, begun = self._events(cause, history, change_day, known, axis, depth)
            ended = events.end(change_day)
            if ended is None and begun is not None and begun <= change_day:
                return None
            if ended is not None:
                ends.append(ended)
        return max(ends, key=lambda ended: ended.status is Status.UNKNOWN, default=_NOT_BEGUN)

    def _events(
        self,
        cause: str,
        history: History,
        day: date,
        known: date,
        axis: Axis,
        depth: int,
        *,
        all_undo: bool = False,
    ) -> tuple[CountedMembers, Events, date | None]:
        """Return what counts of a cause on a day, the events of it that undo its changes, and its first day of force.

        The first day is None if no source states it.
        """
        ranked = sorted(history.members, key=rank)
        ordered = [sorted(events, key=order_key) for events in history.lists]
        counting = self._counting(cause, ranked, ordered, day, known, axis, depth + 1)
        first = first_start([m for m in counting.members if m.view.certain_on(known)])
        lapses = days_of_lapse(counting.lists[0], known) if history.inherited else ()
        each_known = (
            known_events(events, known, () if index else lapses) for index, events in enumerate(counting.lists)
        )
        lists = tuple(tuple(h for h in events if h.undoes or all_undo) for events in each_known)
        return counting, Events(known, first, lists), first

    def _cycles_on(self, known: date) -> frozenset[tuple[str | None, str]]:
        """Return the pairs (work, cause of an act on it) in a cycle of causes, as known on a day."""
        if known not in self._cycles:
            edges = {
                name: _causes_known(history, known) & self._histories.keys()
                for name, history in self._histories.items()
            }
            reached = {name: _work_and_dependencies(name, edges) for name in edges}
            pairs = ((name, cause) for name, causes in edges.items() for cause in causes)
            self._cycles[known] = frozenset((name, cause) for name, cause in pairs if name in reached[cause])
        return self._cycles[known]


def _lost_start(history: History, counting: CountedMembers, known: date) -> State | None:
    """Apply rule F1 to a cause whose first text fell with the act that made it: it was never in force.

    None if a source states no first day of force, or if a text with one stands. The state is unknown if the text may
    have fallen.
    """
    stated = [m for m in history.members if m.original and m.version_date is not None and m.view.certain_on(known)]
    fallen = {member.name for member, _ in counting.fallen}
    doubtful = {m.name for m in counting.members if not m.view.certain_on(known)}
    if not stated or any(m.name not in fallen | doubtful for m in stated):
        return None
    return _NOT_BEGUN if all(m.name in fallen for m in stated) else State(Status.UNKNOWN)


def _work_and_dependencies(name: str, edges: Mapping[str, set[str]]) -> set[str]:
    """Return a work, and all works on which its fate depends."""
    works: set[str] = set()
    left = {name}
    while left:
        work = left.pop()
        works.add(work)
        left |= edges[work] - works
    return works


def _causes_known(history: History, known: date) -> set[str]:
    events = (h for event_list in history.lists for h in event_list if h.effect is not Effect.CONVERTS)
    causes = {h.cause for h in events if h.cause is not None and h.known.possible_on(known)}
    return causes | {cause for m in history.members if m.view.possible_on(known) for cause in m.causes}


def _successors(history: History) -> set[str]:
    """Return the laws that a provisional measure was converted into."""
    return {h.cause for events in history.lists for h in events if h.effect is Effect.CONVERTS and h.cause is not None}


def _is_law_or_part_of_it(cause: str, law: str) -> bool:
    """Return whether a cause is a law, or a provision of it."""
    return cause == law or cause.startswith(f"{law}!")


def _unsure_if_undecided(event: LifecycleEvent, kept_by: frozenset[str]) -> LifecycleEvent:
    """Apply rule F7: return an event with its day of knowledge unbounded if it is a conversion that does not decide.

    A conversion decides on a change if its law made the same change, or is known to have left it out.

    The changes that the law left out are known if the conversion was stated with its law. If the conversion is inferred
    from a relation of the two norms, it is unsure, because no source states what the law kept.
    """
    decides = (
        event.effect is not Effect.CONVERTS or event.cause in kept_by or (event.stated and event.cause is not None)
    )
    return event if decides else replace(event, known=possibly_known(event.known))


def rank(member: Member) -> tuple[date, int, str]:
    """Return the sort key of a version: the day of its view, then its order on that day, then its name."""
    return member.view.first, member.order, member.name


def _verdict_for_state(state: State) -> Verdict:
    """Return the verdict for the state of a cause."""
    if state.status is Status.UNKNOWN:
        return Verdict(Fate.PERHAPS, None, state.because)
    if state is _NOT_BEGUN:
        return Verdict(Fate.FALLEN)
    status = Status.EXPIRED if state.status is Status.CONVERTED else state.status
    return Verdict(Fate.FALLEN, status, state.because)


def _with_causes(ranked: Sequence[Member]) -> Iterable[tuple[Member, tuple[str, ...]]]:
    """Yield each version with its causes. A view without causes gets those of the earlier view with the same start.

    A correction of an amendment's text falls with the amendment. The view of the text as first published does not fall
    with an amendment before its start.
    """
    causes: dict[date, tuple[str, ...]] = {}
    for member in ranked:
        if member.version_date is None:
            yield member, member.causes
            continue
        if member.causes:
            causes[member.version_date] = member.causes
        yield member, causes.get(member.version_date, ())


def causes_of(history: History) -> set[str]:
    """Return the names of the causes of versions and events, including those of the parents, without conversions."""
    events = {
        h.cause
        for event_list in history.lists
        for h in event_list
        if h.cause is not None and h.effect is not Effect.CONVERTS
    }
    return events | {cause for member in history.members for cause in member.causes}


def _reachable_causes(history: History, histories: Mapping[str, History]) -> set[str]:
    """Return the known causes of a work, their causes and so on."""
    causes: set[str] = set()
    left = causes_of(history)
    while left:
        name = left.pop()
        if name in histories and name not in causes:
            causes.add(name)
            left |= causes_of(histories[name])
    return causes


def _days_of_effect(history: History) -> Iterable[date]:
    for events in history.lists:
        for event in events:
            yield from event.when.days_of_change
    yield from (m.version_date for m in history.members if m.version_date is not None)


def _days_of_knowledge(history: History) -> Iterable[date]:
    for events in history.lists:
        for event in events:
            yield from event.known.days_of_change
    for member in history.members:
        yield from member.view.days_of_change
