"""A slow evaluator of the rules of time: it answers one question at a time, by the rules of docs/explanation/time.md.

:func:`state` shares only its input types with the derivation. It has no periods: for each pair of days it evaluates
everything again, including every cause and its causes, so that the code can be compared with the rules by reading.
vigencia_orders.py evaluates the order of events; vigencia_tables.py has tables of answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import IntEnum
from itertools import chain, combinations

from graph.civil import When
from graph.time.force import History, LifecycleEvent, Member, Moves
from graph.time.kinds import Axis, Status
from ontology.events import Effect
from tests.support.vigencia_orders import ENDINGS, RESTORING, agreed

#: The maximum depth of causes of causes.
_DEEPEST = 16
#: The maximum number of moves of a start whose cause may have fallen; each is tried with and without effect.
_MOST_DOUBTFUL_MOVES = 6

Answer = tuple[Status | None, str | None]
_NOTHING: Answer = (None, None)
_UNKNOWN: Answer = (Status.UNKNOWN, None)


class Fate(IntEnum):
    """Whether an act still counts, by the fate of its cause."""

    STANDS = 0
    PERHAPS = 1
    FALLEN = 2


@dataclass(frozen=True)
class CountedEvents:
    """A list of events that count on a day, in order of effect, with the names of those that are certain."""

    events: tuple[LifecycleEvent, ...]
    sure: frozenset[str]


@dataclass(frozen=True)
class Texts:
    """The versions of a work as they count on a day.

    Attributes:
        alive: the versions that may have been known on K and have not certainly fallen.
        sure: the versions that were certainly known on K and have certainly not fallen.
        placed: those of ``sure`` that have a start.
        waits: postponements that suspend a law in force: the publication, and the first day of force that they state.
    """

    alive: tuple[Member, ...]
    sure: tuple[Member, ...]
    placed: tuple[Member, ...]
    waits: tuple[tuple[When, date], ...]

    @property
    def starts(self) -> frozenset[date]:
        return frozenset(m.version_date for m in self.placed if m.version_date is not None)

    @property
    def rivals(self) -> tuple[date, ...]:
        """The starts that are not certain, on days on which no version certainly starts."""
        dates = (m.version_date for m in self.alive if m not in self.sure)
        return tuple(day for day in dates if day is not None and day not in self.starts)


@dataclass(frozen=True)
class Start:
    """A text that begins to apply on a day, or within bounds.

    ``text`` is None if it is not known which text applies. ``status`` is not in-force if the text has no effect.
    """

    first: date
    last: date | None
    text: str | None
    rank: tuple[int, date, str]
    sure: bool = True
    status: Status = Status.IN_FORCE

    def decided(self, day: date) -> bool:
        return self.sure and self.last is not None and self.last <= day

    @property
    def exact(self) -> bool:
        return self.first == self.last


def state(history: History, causes: Mapping[str, History], day: date, known: date, axis: Axis) -> Answer:
    """Return status and version of a work on ``day`` (D), as known on ``known`` (K); two Nones if there is no answer.

    Args:
        causes: by name, the histories of the works that caused its versions and events, of their causes, and so on.
    """
    return World(history, causes, known, axis).answer(day)


class World:
    """A work and its causes, as known on one day, on one axis."""

    def __init__(self, history: History, causes: Mapping[str, History], known: date, axis: Axis) -> None:
        self.history = history
        self.causes = causes
        self.known = known
        self.axis = axis
        self._fates: dict[object, Fate] = {}
        self._around: dict[str, frozenset[str]] = {}
        histories = (history, *causes.values())
        whens = [
            h.when
            for work_history in histories
            for event_list in (work_history.events, *work_history.inherited)
            for h in event_list
        ]
        bounds = {day for when in whens for day in (when.first, when.last) if day is not None}
        starts = {
            m.version_date for work_history in histories for m in work_history.members if m.version_date is not None
        }
        self.marks = bounds | starts

    def answer(self, day: date) -> Answer:
        """Return the answer; unknown if it depends on moves of a start whose cause may have fallen."""
        asked = Work(self, self.history, None, 0, frozenset())
        doubtful = sorted(
            {
                m.name
                for on in (day, *(lapse - timedelta(1) for lapse in asked.lapses(day) if lapse > date.min))
                for m in self.history.members
                if (m.moves is not None or m.cancels is not None)
                and m.view.certain_on(self.known)
                and asked.fate_of(m, on) is Fate.PERHAPS
            }
        )
        if len(doubtful) > _MOST_DOUBTFUL_MOVES:
            return _UNKNOWN
        subsets = chain.from_iterable(combinations(doubtful, many) for many in range(len(doubtful) + 1))
        answers = {Work(self, self.history, None, 0, frozenset(kept)).answer(day) for kept in subsets}
        return answers.pop() if len(answers) == 1 else _UNKNOWN

    def fate(self, cause: str, done: frozenset[str], day: date, depth: int) -> Fate:
        """Return the fate of a cause on a day, for an act on a target.

        Args:
            done: the causes of all acts of the same kind on the same target; a conversion law may be among them.
        """
        history = self.causes.get(cause)
        if history is None:
            return Fate.STANDS
        if depth > _DEEPEST:
            return Fate.PERHAPS
        key = (cause, done, day, depth)
        if key not in self._fates:
            work = Work(self, history, cause, depth, frozenset())
            fates = [work.never_began(day), work.fallen(day, done)]
            if self.axis is Axis.EFFICACY:
                fates.append(work.suspended(day))
            self._fates[key] = max(fates)
        return self._fates[key]

    def reached_from(self, cause: str) -> frozenset[str]:
        """Return the names of a work and of all its direct and indirect causes."""
        if cause not in self._around:
            reached, left = {cause}, [cause]
            while left:
                history = self.causes.get(left.pop())
                for name in _causes_of(history, self.known) if history is not None else ():
                    if name not in reached:
                        reached.add(name)
                        left.append(name)
            self._around[cause] = frozenset(reached)
        return self._around[cause]


def _causes_of(history: History, known: date) -> set[str]:
    """Return the causes of all acts that may have been known on K, except conversions, which never fall."""
    acts = [h for event_list in (history.events, *history.inherited) for h in event_list if h.known.possible_on(known)]
    caused = {h.cause for h in acts if h.cause is not None and h.effect is not Effect.CONVERTS}
    return caused | {cause for m in history.members if m.view.possible_on(known) for cause in m.causes}


@dataclass(frozen=True)
class Work:
    """One work in a world: the work of the question (``name`` None), or a cause.

    ``kept`` has the names of the doubtful moves of a start that are assumed to count; the others are assumed to have
    fallen. With ``all_known``, versions that may be known count as known.
    """

    world: World
    history: History
    name: str | None
    depth: int
    kept: frozenset[str]
    all_known: bool = False

    # What counts on a day

    def _on_a_cycle(self, cause: str) -> bool:
        """Return whether the fate of a cause depends on this work."""
        reached = self.world.reached_from(cause)
        if self.name is not None:
            return self.name in reached
        return any(self.world.causes.get(name) == self.history for name in reached)

    def _fate(self, cause: str, done: frozenset[str], day: date) -> Fate:
        if self._on_a_cycle(cause):
            return Fate.STANDS
        return self.world.fate(cause, done, day, self.depth + 1)

    def fate_of(self, member: Member, day: date) -> Fate:
        """Return the fate of a version: fallen if all its causes are fallen, perhaps if only some are."""
        fates = {self._fate(cause, self._done(), day) for cause in self._causes(member)}
        if not fates:
            return Fate.STANDS
        return fates.pop() if len(fates) == 1 else Fate.PERHAPS

    def _done(self) -> frozenset[str]:
        """Return the causes of the versions of this work that were certainly known on K."""
        return frozenset(c for m in self.history.members if m.view.certain_on(self.world.known) for c in m.causes)

    def _causes(self, member: Member) -> tuple[str, ...]:
        """Return the causes of a view, or else those of the last earlier view of its version that has some."""
        if member.causes or member.version_date is None:
            return member.causes
        views = [m for m in self.history.members if m.version_date == member.version_date and m.causes]
        possible = [m for m in views if m.view.possible_on(self.world.known) and _by_view(m) < _by_view(member)]
        return max(possible, key=_by_view).causes if possible else ()

    def _fate_now(self, member: Member, day: date) -> Fate:
        """Return the fate of a version as :meth:`fate_of` does; ``kept`` decides doubtful moves of a start."""
        fate = self.fate_of(member, day)
        moves = member.moves is not None or member.cancels is not None
        if fate is Fate.PERHAPS and moves and member.view.certain_on(self.world.known):
            return Fate.STANDS if member.name in self.kept else Fate.FALLEN
        return fate

    def texts(self, day: date) -> Texts:
        possible = [m for m in self.history.members if m.view.possible_on(self.world.known)]
        fates = {m: self._fate_now(m, day) for m in possible}
        alive = tuple(m for m in possible if fates[m] is not Fate.FALLEN)
        sure = tuple(m for m in alive if self._is_sure(m, fates[m]))
        cancelled = {m.cancels for m in sure if m.cancels is not None}
        waiting = {}
        for mover in sorted((m for m in sure if m.moves is not None), key=_by_view):
            assert mover.version_date is not None
            earlier = {
                m.version_date
                for m in sure
                if m != mover and m.view.first <= mover.view.first
                if m.version_date is not None and m.version_date not in cancelled
                if m.moves is None or _by_view(m) < _by_view(mover)
            }
            if not earlier:
                continue
            if min(earlier) > mover.view.first:
                moved = {min(earlier), *(start_day for start_day in earlier if start_day < mover.version_date)}
                cancelled |= moved - {mover.version_date}
            elif mover.moves is Moves.PROROGUES:
                waiting[mover] = (mover.view, mover.version_date)
        placed = tuple(
            m for m in sure if m not in waiting and m.version_date is not None and m.version_date not in cancelled
        )
        return Texts(alive, sure, placed, tuple(waiting.values()))

    def _is_sure(self, member: Member, fate: Fate) -> bool:
        if self.all_known and not member.view.certain_on(self.world.known):
            return True
        return fate is Fate.STANDS and member.view.certain_on(self.world.known)

    def counted_events(self, day: date) -> tuple[CountedEvents, ...]:
        """Return each list of events that count, the work's own first.

        Events that are certainly unknown or withdrawn on K, or have fallen, do not count. Of several certain expiries,
        only the term that became known last counts.
        """
        lists = (self.history.events, *self.history.inherited)
        return tuple(self._counted(event_list, day, own=index == 0) for index, event_list in enumerate(lists))

    def _counted(self, events: Sequence[LifecycleEvent], day: date, *, own: bool) -> CountedEvents:
        known = self.world.known
        dated = [self._with_start(h, day) for h in events]
        fates = {h: self._fate_of_event(h, events, day) for h in dated if h.known.possible_on(known)}
        possible = [h for h, fate in fates.items() if fate is not Fate.FALLEN]
        sure = {h.name for h in possible if fates[h] is Fate.STANDS and h.known.certain_on(known)}
        taken_back = {h.cancels for h in possible if h.name in sure}
        left = [h for h in possible if h.name not in taken_back]
        lapses = _lapses(left, sure) if own and self.history.inherited else {}
        terms = [h for h in possible if h.is_term and h.name in sure and h not in lapses]
        last = max((h.known.first for h in terms), default=None)
        counts = [h for h in left if h not in terms or h.known.first == last]
        return CountedEvents(tuple(sorted(counts, key=_by_turn)), frozenset(sure))

    def _with_start(self, event: LifecycleEvent, day: date) -> LifecycleEvent:
        """Return an event; if it begins with its cause, it gets the bounds of the first day of the cause."""
        cause = event.cause
        history = self.world.causes.get(cause) if cause is not None and event.with_cause else None
        if history is None or cause is None or self._on_a_cycle(cause) or self.depth >= _DEEPEST:
            return event
        every = frozenset(m.name for m in history.members)
        starts = [
            Work(self.world, history, cause, self.depth + 1, frozenset()).first_start(day),
            Work(self.world, history, cause, self.depth + 1, every, all_known=True).first_start(day),
        ]
        days = sorted(start for start in starts if start is not None)
        return replace(event, when=When(days[0], days[-1])) if days else event

    def _fate_of_event(self, event: LifecycleEvent, beside: Sequence[LifecycleEvent], day: date) -> Fate:
        if event.cause is None or event.effect is Effect.CONVERTS:
            return Fate.STANDS
        done = {h.cause for h in beside if h.effect is event.effect and h.known.certain_on(self.world.known)}
        return self._fate(event.cause, frozenset(c for c in done if c is not None), day)

    def lapses(self, day: date) -> list[date]:
        """Return the days up to ``day`` on which a wording of a provision lapsed and the previous one returned."""
        if not self.history.inherited:
            return []
        counted_events = self.counted_events(day)[0]
        return sorted({lapse for lapse in _lapses(counted_events.events, counted_events.sure).values() if lapse <= day})

    def first_start(self, day: date) -> date | None:
        return min(self.texts(day).starts, default=None)

    # The answer

    def answer(self, day: date) -> Answer:
        known = self.world.known
        possible = [m.view for m in self.history.members if m.view.possible_on(known)]
        stated = (h for events in self.history.lists for h in events if h.effect is Effect.VETOES)
        vetoes = [h.known for h in stated if h.known.possible_on(known)]
        if not possible and not vetoes:
            return _NOTHING
        texts = self.texts(day)
        if day < min([when.first for when in (*possible, *vetoes)] + list(texts.starts)):
            return _NOTHING
        end = self._end(day, self.counted_events(day))
        if end is not Status.IN_FORCE:
            return end, None
        status, version = self._text(texts, day)
        if status is Status.IN_FORCE:
            status = self._own_start(day)
            version = version if status is Status.IN_FORCE else None
        if status is Status.IN_FORCE and self._has_passed(day):
            return _UNKNOWN
        if status is Status.IN_FORCE and self.world.axis is Axis.EFFICACY:
            efficacy = self._efficacy(texts, day)
            if efficacy is not Status.IN_FORCE:
                return efficacy, None
        return status, version

    def _has_passed(self, day: date) -> bool:
        """Apply R32: return whether a measure, whose end is not known, is past its latest possible day."""
        of_measure = self.counted_events(day)[1:] if self.history.inherited else self.counted_events(day)
        ends = (h for each in of_measure for h in each.events if h.effect in ENDINGS and h.name in each.sure)
        return self.history.latest is not None and day > self.history.latest and next(ends, None) is None

    def _own_start(self, day: date) -> Status:
        """Apply R28: return the status that a provision's own start of force gives it."""
        for counted in self.counted_events(day):
            starts = [h for h in counted.events if h.effect is Effect.STARTS_FORCE]
            if not starts:
                continue
            sure = [h for h in starts if h.name in counted.sure]
            answers = set() if sure else {Status.UNKNOWN}
            for start in starts:
                last = start.known.last if start.name in counted.sure else None
                if last is not None and any(last < later.known.first for later in sure):
                    continue
                if start.when.certain_on(day):
                    answers.add(Status.IN_FORCE)
                else:
                    answers.add(Status.UNKNOWN if start.when.possible_on(day) else Status.VACATIO)
            return answers.pop() if len(answers) == 1 else Status.UNKNOWN
        return Status.IN_FORCE

    def _end(self, day: date, lists: Sequence[CountedEvents]) -> Status:
        """Return the status of the work after all events up to a day; a certain ending has precedence over a doubt."""
        ends = self._folds(lists, day, tuple(ENDINGS))
        for end in ends:
            if end in ENDINGS.values():
                return end
        return Status.UNKNOWN if Status.UNKNOWN in ends else Status.IN_FORCE

    def _folds(self, lists: Sequence[CountedEvents], day: date, kinds: Collection[Effect]) -> list[Status]:
        """Return the status after each list of events up to a day, if only endings of these kinds count."""
        first_start = self.first_start(day)
        statuses = []
        for counted, elsewhere in zip(lists, _elsewhere(lists), strict=True):
            void = {
                h.name
                for h in counted.events
                if h.effect is Effect.ANNULS and first_start is not None and h.when.certain_on(first_start)
            }
            acts = [h for h in counted.events if h.effect in kinds or h.effect in RESTORING]
            reach = tuple(h for h in acts if h.name in void or h.when.possible_on(day))
            sure = {h.name for h in reach if h.name in counted.sure and (h.name in void or h.when.certain_on(day))}
            statuses.append(agreed(reach, sure, elsewhere))
        return statuses

    def _suspensions(self, lists: Sequence[CountedEvents], day: date) -> list[Status]:
        statuses = []
        for counted, elsewhere in zip(lists, _elsewhere(lists), strict=True):
            acts = [h for h in counted.events if h.effect in (Effect.SUSPENDS, Effect.REINSTATES)]
            reach = tuple(h for h in acts if h.when.possible_on(day))
            sure = {h.name for h in reach if h.name in counted.sure and h.when.certain_on(day)}
            statuses.append(agreed(reach, sure, elsewhere))
        return statuses

    def _efficacy(self, texts: Texts, day: date) -> Status:
        """Return the efficacy of a text in force: in-force, suspended or unknown. Its own events decide first."""
        for published, end in texts.waits:
            if published.possible_on(day) and day < end:
                return Status.SUSPENDED if published.certain_on(day) else Status.UNKNOWN
        lists = self.counted_events(day)
        for counted, suspension in zip(lists, self._suspensions(lists, day), strict=True):
            late = [h for h in counted.events if h.effect is Effect.STARTS_EFFICACY]
            if late:
                start = max(late, key=lambda h: (h.known.first, h.name))
                if not start.when.possible_on(day) and start.name in counted.sure:
                    return Status.SUSPENDED
                if not start.when.certain_on(day):
                    return Status.UNKNOWN
            if suspension is not Status.IN_FORCE:
                return suspension
        return Status.IN_FORCE

    # Which text applies

    def _text(self, texts: Texts, day: date) -> Answer:
        """Return which text applies on a day, without considering endings."""
        starts = [*self._starts(texts, day), *self._returns(day)]
        running = _running(starts, day)
        rivals = [rival for rival in texts.rivals if rival <= day]
        if running is not None:
            if running.text is None or any(rival > running.first for rival in rivals):
                return _UNKNOWN
            return running.status, running.text if running.status is Status.IN_FORCE else None
        if rivals or any(start.first <= day for start in starts):
            return _UNKNOWN
        originals = [m for m in texts.sure if m.original]
        published = any(m.view.last is not None and m.view.last <= day for m in originals)
        if texts.placed and published and any(m.version_date is not None for m in originals):
            return Status.VACATIO, None
        return self._how_the_last_fell(day), None

    def _how_the_last_fell(self, day: date) -> Status:
        """Return the status of a work that only fallen causes put into force: how its latest version's cause fell."""
        begun = [
            m
            for m in sorted(self.history.members, key=_by_view)
            if m.view.certain_on(self.world.known) and self._fate_now(m, day) is Fate.FALLEN
            if m.version_date is not None and m.version_date <= day and self.fate_of(m, day) is Fate.FALLEN
        ]
        if not any(m.original for m in begun):
            return Status.UNKNOWN  # no source states the wording before the first amendment
        begun = [m for m in begun if (m.version_date or date.min) >= _first_original(begun)]
        last = max(begun, key=lambda m: m.version_date or date.min)
        last = [m for m in begun if m.version_date == last.version_date][-1]
        fell = [cause for cause in self._causes(last) if self._fate(cause, self._done(), day) is Fate.FALLEN]
        work = Work(self.world, self.world.causes[fell[0]], fell[0], self.depth + 1, frozenset())
        return work.how_it_fell(day, self._done())

    def _starts(self, texts: Texts, day: date) -> list[Start]:
        """Return the starts of versions, and of wordings that an event restores."""
        starts = []
        for start in sorted(texts.starts):
            latest = max((m for m in texts.placed if m.version_date == start), key=_by_view)
            starts.append(Start(start, start, latest.name, (1, date.min, ""), status=self._hollow(latest, day)))
        counted_events = self.counted_events(day)[0]
        if not self.history.inherited and any(h.effect is Effect.STARTS_FORCE for h in counted_events.events):
            starts.extend(self._published_texts(texts))
        known_members = {m.name for m in self.history.members if m.view.certain_on(self.world.known)}
        for h in counted_events.events:
            if h.effect is Effect.RESTORES_WORDING:
                text = h.wording if h.wording in known_members else None
                rank = (2, h.known.first, h.name)
                starts.append(Start(h.when.first, h.when.last, text, rank, h.name in counted_events.sure))
        return starts

    def _published_texts(self, texts: Texts) -> Iterable[Start]:
        """Yield the starts of first texts without a day, in a norm of which an event states the start of force.

        Such a text applies from its publication on; the event decides when it is in force.
        """
        undated = [m for m in texts.sure if m.original and m.version_date is None]
        for published in {m.view.last for m in undated} - texts.starts:
            latest = max((m for m in undated if m.view.last == published), key=_by_view)
            assert published is not None
            yield Start(published, published, latest.name, (1, date.min, ""))

    def _hollow(self, member: Member, day: date) -> Status:
        """Return the status of a version's text if causes that fell or were suspended restore nothing."""
        status = Status.IN_FORCE
        if self.fate_of(member, day) is not Fate.STANDS:
            return status  # the fate of the version is evaluated elsewhere
        for cause in self._causes(member):
            fallen, suspended = self._without_return(cause, day)
            if fallen is not Fate.STANDS:
                return Status.UNKNOWN
            if suspended is Fate.FALLEN or (suspended is Fate.PERHAPS and status is Status.IN_FORCE):
                status = Status.SUSPENDED if suspended is Fate.FALLEN else Status.UNKNOWN
        return status

    def _without_return(self, cause: str, day: date) -> tuple[Fate, Fate]:
        """Return whether a cause has fallen and whether it is suspended, counting events that restore nothing."""
        history = self.world.causes.get(cause)
        if history is None or self._on_a_cycle(cause):
            return Fate.STANDS, Fate.STANDS
        work = Work(self.world, history, cause, self.depth + 1, frozenset())
        on_efficacy = self.world.axis is Axis.EFFICACY
        return (
            work.fallen(day, self._done(), also_for_good=True),
            work.suspended(day, also_for_good=True) if on_efficacy else Fate.STANDS,
        )

    def _returns(self, day: date) -> list[Start]:
        """Return, for each day on which a wording of a provision lapsed, the start of the previous one."""
        returning: list[Start] = []
        for lapse in self.lapses(day):
            if lapse == date.min:
                continue
            eve = lapse - timedelta(1)
            texts = self.texts(eve)
            starts = [s for s in (*self._starts(texts, eve), *returning) if s.first <= eve]
            plain = [s for s in starts if s.sure and s.exact]
            doubtful = [s for s in starts if s not in plain]
            days = sorted({s.first for s in plain})
            if not days:
                continue
            back = days[-2] if len(days) > 1 else None
            open_rivals = any(back is None or rival > back for rival in texts.rivals if rival < lapse)
            open_wordings = any(back is None or s.last is None or s.last >= back for s in doubtful)
            rank = (0, date.min, "")
            if open_rivals or open_wordings:
                returning.append(Start(lapse, lapse, None, rank))
            elif back is not None:
                text = max((s for s in plain if s.first == back), key=lambda s: s.rank).text
                returning.append(Start(lapse, lapse, text, rank))
        return returning

    # The fate of the work as a cause

    def never_began(self, day: date) -> Fate:
        """Apply F1: return whether it was not in force on any day from its start to ``day``."""
        start = self.first_start(day)
        if start is None:
            return self._lost_start(day)
        until = max(start, day)
        days = {start, until} | {mark for mark in self.world.marks if start < mark < until}
        return min(self._out_of_force(on) for on in days)

    def _lost_start(self, day: date) -> Fate:
        """Apply F1 to a work without a start: whether every text with a first day fell with the act that made it."""
        known = self.world.known
        firsts = [m for m in self.history.members if m.original and m.version_date and m.view.certain_on(known)]
        return min((self._fate_now(m, day) for m in firsts), default=Fate.STANDS)

    def _out_of_force(self, day: date) -> Fate:
        if not any(start <= day for start in self.texts(day).starts):
            return Fate.FALLEN
        end = self._end(day, [_undoing(counted) for counted in self.counted_events(day)])
        return {Status.IN_FORCE: Fate.STANDS, Status.UNKNOWN: Fate.PERHAPS}.get(end, Fate.FALLEN)

    def fallen(self, day: date, done: frozenset[str], *, also_for_good: bool = False) -> Fate:
        """Apply F2, F3, F6, F7: return whether it is annulled, or a measure that lapsed or whose law omits the act.

        Args:
            also_for_good: count also the events that state that they restore nothing.
        """
        kinds = [Effect.ANNULS]
        if self.history.provisional:
            kinds += [Effect.EXPIRES, Effect.CONVERTS]
        lists = []
        for counted in self.counted_events(day) if also_for_good else map(_undoing, self.counted_events(day)):
            open_ = {h.name for h in counted.events if h.effect is Effect.CONVERTS and not _decides(h, done)}
            lists.append(CountedEvents(counted.events, counted.sure - open_))
        return _fate_by(self._folds(lists, day, kinds))

    def how_it_fell(self, day: date, done: frozenset[str]) -> Status:
        """Return the status that a fallen cause leaves: how it ended before its start, else how it fell."""
        if self.never_began(day) is Fate.FALLEN:
            start = self.first_start(day)
            assert start is not None
            days = sorted({start, *(mark for mark in self.world.marks if start < mark <= day)})
            ends = [self._end(on, [_undoing(counted) for counted in self.counted_events(on)]) for on in days]
            ended = next((end for end in ends if end is not Status.IN_FORCE), Status.UNKNOWN)
            return Status.EXPIRED if ended is Status.CONVERTED else ended
        if self.fallen(day, done) is Fate.FALLEN:
            kinds = (Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS) if self.history.provisional else (Effect.ANNULS,)
            lists = []
            for counted in map(_undoing, self.counted_events(day)):
                conversions = [h for h in counted.events if h.effect is Effect.CONVERTS]
                lists.append(
                    CountedEvents(counted.events, counted.sure - {h.name for h in conversions if not _decides(h, done)})
                )
            sure = (Status.ANNULLED, Status.EXPIRED, Status.CONVERTED)
            ended = next(end for end in self._folds(lists, day, kinds) if end in sure)
            return Status.EXPIRED if ended is Status.CONVERTED else ended
        return Status.SUSPENDED

    def suspended(self, day: date, *, also_for_good: bool = False) -> Fate:
        """Apply F4: return whether a court suspended it."""
        lists = self.counted_events(day)
        return _fate_by(self._suspensions(lists if also_for_good else [_undoing(counted) for counted in lists], day))


def _decides(conversion: LifecycleEvent, done: frozenset[str]) -> bool:
    """Return whether a conversion decides the fate of an act: the law adopted the act, or certainly omitted it."""
    law = conversion.cause
    return law is not None and (conversion.stated or any(name == law or name.startswith(f"{law}!") for name in done))


def _undoing(counted_events: CountedEvents) -> CountedEvents:
    """Return the events without those that state that they restore nothing."""
    return CountedEvents(tuple(h for h in counted_events.events if h.undoes), counted_events.sure)


def _fate_by(stands: Sequence[Status]) -> Fate:
    fates = {Status.IN_FORCE: Fate.STANDS, Status.UNKNOWN: Fate.PERHAPS}
    return max(fates.get(status, Fate.FALLEN) for status in stands)


def _lapses(events: Iterable[LifecycleEvent], sure: Collection[str]) -> dict[LifecycleEvent, date]:
    """Return the lapses of single wordings: certain expiries with a certain restoration on the same day."""
    exact = [(h, h.when.exact) for h in events if h.name in sure]
    back = {day for h, day in exact if h.effect is Effect.RESTORES}
    return {h: day for h, day in exact if h.effect is Effect.EXPIRES and day is not None and day in back}


def _elsewhere(lists: Sequence[CountedEvents]) -> list[frozenset[str]]:
    """Return, for each list, the names of the events in the previous lists."""
    return [frozenset(h.name for counted in lists[:index] for h in counted.events) for index in range(len(lists))]


def _running(starts: Sequence[Start], day: date) -> Start | None:
    """Return the start that is certainly the last one on or before a day; None if there is none."""
    possible = [start for start in starts if start.first <= day]
    for candidate in possible:
        if candidate.decided(day) and all(
            _surely_before(other, candidate, day) for other in possible if other is not candidate
        ):
            return candidate
    return None


def _surely_before(start: Start, other: Start, day: date) -> bool:
    if start.exact and other.exact and start.decided(day):
        return (start.first, start.rank) < (other.first, other.rank)
    return start.last is not None and (start.last, start.rank[0]) < (other.first, other.rank[0])


def _first_original(members: Sequence[Member]) -> date:
    return min(m.version_date for m in members if m.original and m.version_date is not None)


def _by_view(member: Member) -> tuple[date, int, str]:
    return member.view.first, member.order, member.name


def _by_turn(event: LifecycleEvent) -> tuple[date, date, bool, str]:
    return event.when.first, event.known.first, event.effect in RESTORING, event.name
