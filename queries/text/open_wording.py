"""Days on which a provision is certainly in force, and only its wording is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from graph.read_model.subject import standing
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.wording.marks import begins_with_mark
from ontology.events import EVENTS, Effect
from queries.answers import InForce
from queries.in_force import in_force
from queries.intervals import AnswerInterval, over_force
from queries.text.text import text

#: The effects of events that change a wording, and do not end a provision.
_CHANGES_WORDING = frozenset({Effect.RESTORES_WORDING})


def is_wording_open(store: Store, answer: InForce) -> bool:
    """Return whether a provision was certainly in force on a day on which its status is unknown.

    It was in force if three conditions hold: its norm was in force, only a change of its wording has no certain day,
    and it has a wording before and after the possible days. A later wording such as "(Revogado)" states an end.

    Args:
        answer: the answer for D and K.
    """
    if answer.status is not Status.UNKNOWN or not answer.because:
        return False
    key = is_wording_open, answer.name, answer.on, answer.as_known, answer.axis
    return bool(store.cached(key, lambda: (answer.on,) if _is_wording_open(store, answer) else ()))


def intervals_of_force(
    store: Store, target: Name, intervals: Sequence[AnswerInterval], known: date
) -> tuple[AnswerInterval, ...]:
    """Return intervals; those on which only the wording of a provision is unknown are in force without a version.

    Args:
        target: the norm or provision, without version.
        intervals: the answers for all days of force, as known on K.
        known: K, a civil date.
    """
    if target == target.work:
        return tuple(intervals)
    return tuple(
        replace(interval, status=standing(target))
        if interval.status is Status.UNKNOWN and is_wording_open(store, in_force(store, target, interval.start, known))
        else interval
        for interval in intervals
    )


def _is_wording_open(store: Store, answer: InForce) -> bool:
    target = parse(answer.name)
    terms = (EVENTS.get(reason.event or "") for reason in answer.because)
    if target == target.work or not all(term is not None and term.effect in _CHANGES_WORDING for term in terms):
        return False
    if not in_force(store, target.work, answer.on, answer.as_known, answer.axis).status.stands:
        return False
    rows = over_force(store, target, answer.as_known)
    before = next((row for row in reversed(rows) if row.start <= answer.on and row.status is not Status.UNKNOWN), None)
    later = next((row for row in rows if row.start > answer.on and row.status is not Status.UNKNOWN), None)
    if before is None or before.version is None or later is None or later.version is None:
        return False
    after = text(store, target, later.start, answer.as_known).provisions
    return bool(after) and not begins_with_mark(after[0].text or "")
