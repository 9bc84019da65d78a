"""What began the days of an answer, or may have: the first text, or a restoration on a day that is not certain; and
what undoes an ending or a suspension.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from graph.entities import Axis
from graph.store import Store
from graph.urn import parse
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect
from queries import in_force
from queries.answers import InForce
from queries.efficacy import WithoutEffect
from queries.evidence import versions
from queries.intervals import AnswerInterval, standing_since
from queries.reasons import Reason, Status
from queries.status import ENDED

_SIGNED, _PUBLISHED = "assinatura", "publicacao"
_UNDOES = frozenset({Effect.RESTORES, Effect.REINSTATES})
_ENDS = frozenset({Effect.REVOKES, Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS, Effect.VETOES})


def beginning(store: Store, answer: InForce, intervals: Sequence[AnswerInterval]) -> tuple[Reason, ...]:
    """Return the reasons that began the days of force of an answer: those that first made its text.

    Where it is in force again, also what had ended it; where nobody knows since when, all that leaves that open.

    Args:
        store: an opened store.
        answer: for one D and K.
        intervals: the answers for all days of force, as known on that K.

    Raises:
        StoreProblem: the store cannot be read.
    """
    since = standing_since(answer, intervals)
    if answer.status is not Status.IN_FORCE or since is None:
        return ()
    target = parse(answer.name)
    doubted = list(_doubted_before(since, intervals))
    if doubted:
        told = (in_force(store, target, one.start, answer.as_known).because for one in doubted)
        return tuple(dict.fromkeys(one for because in told for one in because if one.event is not None))
    known = answer.as_known
    views = [
        (one.event, one.view_date)
        for one in versions(store, target.iri)
        if one.version_date == since and one.view_date is not None and one.view_date <= known
    ]
    printed = [day for event, day in views if event in FIRST_TEXT_EVENTS and event != _SIGNED]
    first = in_force(store, target, since, min(printed or [day for _, day in views], default=known))
    made = first.version.name if first.version is not None else None
    began = tuple(one for one in first.because if one.version == made)
    if not any(one.until == since and one.status in ENDED for one in intervals):
        return began
    before = in_force(store, target, since - timedelta(days=1), known)
    return (*began, *(one for one in before.because if _effect_of(one) in _ENDS))


def _doubted_before(day: date, intervals: Sequence[AnswerInterval]) -> Iterator[AnswerInterval]:
    """Yield the intervals of unknown status up to a day, from the latest on, with the end before them."""
    doubted = False
    for one in reversed(intervals):
        if one.until == day and (one.status is Status.UNKNOWN or (doubted and one.status in ENDED)):
            yield one
            day, doubted = one.start, one.status is Status.UNKNOWN


def undoing(
    store: Store, answer: InForce, intervals: Sequence[AnswerInterval], effect: WithoutEffect | None
) -> tuple[Reason, ...]:
    """What restores what has ended, or reinstates what is suspended, on the day up to which that is told to be so.

    Args:
        store, answer, intervals: as for :func:`beginning`.
        effect: the days on which it has no effect; None where it has.

    Raises:
        StoreProblem: the store cannot be read.
    """
    ends: list[tuple[date, Axis]] = []
    if answer.status in ENDED:
        ended = (one.until for one in intervals if one.status is answer.status and one.until is not None)
        ends += [(day, Axis.FORCE) for day in ended if day > answer.on][:1]
    if effect is not None and effect.until is not None:
        ends.append((effect.until, Axis.EFFICACY))
    told = (in_force(store, parse(answer.name), day, answer.as_known, axis).because for day, axis in ends)
    return tuple(one for because in told for one in because if _effect_of(one) in _UNDOES)


def _effect_of(reason: Reason) -> Effect | None:
    term = EVENTS.get(reason.event or "")
    return term.effect if term is not None else None


def deciding(answer: InForce, because: Iterable[Reason]) -> Iterator[Reason]:
    """The reasons that decide how something stands on D: a signature does not, once the same was published.

    Args:
        answer: for one D and K.
        because: its reasons, and others like them.
    """
    because, day = list(because), answer.on.isoformat()
    printed = {one.effect for one in because if one.event == _PUBLISHED and one.known is not None and one.known <= day}
    yield from (one for one in because if one.event != _SIGNED or one.effect not in printed)
