"""What ended, suspended or restored a work, as known on one day: which of it stands on each day (docs/time.md).

Days of happenings may be known within bounds only. Where an ending and a restoration may have come in either order,
each order is gone through; where they do not agree, what stands is unknown. Rules have the numbers that they have in
:mod:`graph.vigencia`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import product
from math import prod

from graph.civil import When
from ontology.events import Effect

__all__ = ["Events", "Happening", "State", "Status", "standing", "turn", "unknown"]


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
class State:
    """What applies on one (D, K, axis)."""

    status: Status
    version: str | None = None
    because: tuple[str, ...] = ()


_ENDINGS = {Effect.REVOKES: Status.REVOKED, Effect.ANNULS: Status.ANNULLED, Effect.EXPIRES: Status.EXPIRED}
_SUSPENSIONS = {Effect.SUSPENDS: Status.SUSPENDED}
#: So many orders are gone through; where there may be more, nothing is sure.
_MOST_ORDERS = 512


@dataclass(frozen=True, slots=True)
class Events:
    """What the happenings say, as known on one day: one list for the work itself, then one for each parent.

    ``first`` is the first day of the first version, or None where no version is placed in time.
    """

    known: date
    first: date | None
    lists: tuple[tuple[Happening, ...], ...]

    def verdicts(self) -> tuple[tuple[date, ...], tuple[State | None, ...], tuple[State | None, ...]]:
        """The days between which nothing changes; what ended the work, and what idles it, from each of them on."""
        if not any(self.lists):
            return (date.min,), (None,), (None,)
        marks = tuple(sorted({date.min, *(day for each in self.lists for h in each for day in h.when.breaks)}))
        return marks, tuple(self._end(day) for day in marks), tuple(self._idleness(day) for day in marks)

    def _end(self, day: date) -> State | None:
        """Rules 4 and 6: what surely ended the work; else what may have; else None."""
        ended = [
            state
            for at in range(len(self.lists))
            if (state := self._fold(at, day, _ENDINGS, Effect.RESTORES)) is not None
        ]
        return next((state for state in ended if state.status is not Status.UNKNOWN), ended[0] if ended else None)

    def _idleness(self, day: date) -> State | None:
        """Rules 5 and 6: what keeps a text in force from having effect, the nearest first; else None."""
        return next((state for at in range(len(self.lists)) if (state := self._idle(at, day)) is not None), None)

    def _idle(self, at: int, day: date) -> State | None:
        late = [h for h in self.lists[at] if h.effect is Effect.STARTS_EFFICACY]
        if late:
            latest = max(late, key=lambda h: (h.known.first, h.name))
            if not latest.when.certain_on(day):
                sure = latest.known.certain_on(self.known) and not latest.when.possible_on(day)
                return State(Status.SUSPENDED if sure else Status.UNKNOWN, None, (latest.name,))
        return self._fold(at, day, _SUSPENSIONS, Effect.REINSTATES)

    def _fold(self, at: int, day: date, begins: Mapping[Effect, Status], undoes: Effect) -> State | None:
        """What stands by the end of a day; unknown where it hangs on an order that nobody knows (rule 8)."""
        said = [h for h in self.lists[at] if (h.effect in begins or h.effect is undoes) and self._reaches(h, day)]
        loose = sorted(h.name for h in said if h.when.exact is None)
        if not loose or len({h.effect is undoes for h in said}) == 1:
            return self._in_turn(said, day, begins)[0]
        orders = _orders(said)
        elsewhere = {h.name for each in self.lists[:at] for h in each}
        worlds = [(state, len(idle - elsewhere)) for state, idle in (self._in_turn(one, day, begins) for one in orders)]
        fewest = min((idle for _, idle in worlds), default=0)
        likely = [state for state, idle in worlds if idle == fewest]
        if len({None if state is None else state.status for state in likely}) == 1:
            return likely[0]
        return unknown(loose)

    def _reaches(self, happening: Happening, day: date) -> bool:
        return self._is_void(happening) or happening.when.possible_on(day)

    def _is_void(self, happening: Happening) -> bool:
        """Whether it leaves no day on which the work was ever in force (rule 4)."""
        annuls = happening.effect is Effect.ANNULS
        return annuls and self.first is not None and happening.when.certain_on(self.first)

    def _in_turn(
        self, said: Iterable[Happening], day: date, begins: Mapping[Effect, Status]
    ) -> tuple[State | None, set[str]]:
        """What stands after all that reaches a day in turn, and what had nothing to undo.

        What stands surely cannot begin again.
        """
        state: State | None = None
        idle: set[str] = set()
        for happening in said:
            sure = happening.known.certain_on(self.known) and (
                self._is_void(happening) or happening.when.certain_on(day)
            )
            if happening.effect not in begins:
                if state is None:
                    idle.add(happening.name)
                else:
                    state = None if sure else unknown([happening.name])
            elif state is None or state.status is Status.UNKNOWN:
                state = State(begins[happening.effect] if sure else Status.UNKNOWN, None, (happening.name,))
        return state, idle


def standing(turns: Sequence[Happening], known: date) -> tuple[Happening, ...]:
    """The happenings heard of by ``known`` and not surely taken back by then."""
    heard = [h for h in turns if h.known.possible_on(known)]
    taken_back = {h.cancels for h in heard if h.known.certain_on(known)}
    terms = [h for h in heard if h.effect is Effect.EXPIRES and h.known.certain_on(known)]
    last = max(terms, key=_term, default=None)
    return tuple(
        h
        for h in heard
        if h.name not in taken_back and not (h in terms and last is not None and _term(h)[0] < _term(last)[0])
    )


def _term(expiry: Happening) -> tuple[date, date, str]:
    """Which of several terms of a temporary norm counts: the one heard of last."""
    return expiry.known.first, expiry.when.first, expiry.name


def turn(happening: Happening, day: date | None = None) -> tuple[date, date, bool, str]:
    """When its turn comes: by effect, then by knowledge, endings before restorations.

    Args:
        day: on which it is taken to have effect; None for the first on which it may have.
    """
    return day or happening.when.first, happening.known.first, happening.effect is Effect.RESTORES, happening.name


def _orders(said: Sequence[Happening]) -> list[tuple[Happening, ...]]:
    """The orders in which happenings may have come, each on any of its days that is an edge of another's; first that of
    their first days. None at all where there may be too many.
    """
    edges = sorted({day for h in said for day in (h.when.first, h.when.last or date.max)})
    days = [[day for day in edges if h.when.first <= day <= (h.when.last or date.max)] for h in said]
    if prod(map(len, days)) > _MOST_ORDERS:
        return []
    found: dict[tuple[Happening, ...], None] = {}
    for chosen in product(*days):
        turns = sorted(zip(said, chosen, strict=True), key=lambda pair: turn(*pair))
        found[tuple(h for h, _ in turns)] = None
    return list(found)


def unknown(because: Iterable[str]) -> State:
    return State(Status.UNKNOWN, None, tuple(because))
