"""The days of reasons: the most exact that the store has, so that no answer gives two days for one event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from graph.errors import BadName
from graph.terms import day_stated
from graph.time.kinds import Axis
from graph.urn import parse
from queries.answers import InForce
from queries.evidence import bounds_of
from queries.notices import ActDays
from queries.reasons import Reason


def with_days_of_acts(because: Iterable[Reason], answer: InForce) -> Iterator[Reason]:
    """Yield the reasons of an answer; an exact day of the causing act replaces bounds that contain it.

    The day is that of the signature of the act where the source dates wordings so, and where another source states that
    the status of the answer began on the day of signature or publication.

    Args:
        because: the reasons.
        answer: the answer, with the days of the acts in its notices.
    """
    every = list(because)
    days_by_act = {notice.act: notice for notice in answer.notices if isinstance(notice, ActDays)}
    since = (answer.force if answer.axis is Axis.FORCE else answer.efficacy).since
    for reason in every:
        dated = _with_bounds(reason, every)
        undone_by = tuple(with_days_of_acts(reason.undone_by, answer))
        yield replace(_with_day_of_act(dated, days_by_act, since), undone_by=undone_by)


def _with_day_of_act(reason: Reason, days_by_act: Mapping[str, ActDays], since: date | None) -> Reason:
    act = days_by_act.get(reason.cause.partition("!")[0]) if reason.cause is not None else None
    effect = day_stated(reason.effect)
    if act is None or since is None or since not in {act.signed, act.published}:
        return reason
    if effect is None or effect.exact is not None or not effect.possible_on(since):
        return reason
    day = since.isoformat()
    return replace(reason, effect=day, known=day, of_act=reason.of_act and since != act.published)


def most_exact(because: Iterable[Reason]) -> list[Reason]:
    """Return reasons, each event once where it is stated more and less exactly.

    It is the same event if the act has the same type, number and year, and the exact day is within the bounds. An event
    without days that made a version has the days in the name of the version. It is left out if another reason with the
    same cause states an event with these days. An event whose cause is an act is left out if another source names the
    provision of that act.
    """
    every = list(because)
    dated = [(_with_bounds(reason, every), _bounds(reason)) for reason in every]
    stated = {(reason.effect, reason.cause) for reason, bounds in dated if bounds is None and reason.effect is not None}
    shown = [
        reason
        for reason, bounds in dated
        if bounds is None or stated.isdisjoint({(reason.effect, reason.cause), (bounds, reason.cause)})
    ]
    exact = {_of_act(reason): reason for reason in shown if reason.cause is not None and _is_exact(reason)}
    by_provision = {
        _alone(reason, reason.cause.partition("!")[0]) for reason in shown if reason.cause and "!" in reason.cause
    }
    return [
        reason
        for reason in shown
        if _alone(reason, reason.cause) not in by_provision
        and (_is_exact(reason) or not _is_within(exact.get(_of_act(reason)), reason))
    ]


def _alone(reason: Reason, cause: str | None) -> Reason:
    """Return a reason with another cause, and without what tells apart the records that state it."""
    return replace(reason, cause=cause, source=None, named=None)


def _with_bounds(reason: Reason, every: Sequence[Reason]) -> Reason:
    """Return a reason; an event without days that made a version has the bounds in its name, or the day of its act."""
    days = _bounds(reason)
    if days is None or reason.effect is not None or reason.known is not None:
        return reason
    acts = {parse(other.cause).work for other in every if other.version == reason.version and other.cause is not None}
    signed = acts.pop().representative_date if len(acts) == 1 else None
    within = day_stated(days)
    if signed is not None and within is not None and within.possible_on(signed):
        days = signed.isoformat()
    return replace(reason, effect=days, known=days)


def _bounds(reason: Reason) -> str | None:
    """Return the bounds in the name of the version that an event made; None for other events."""
    days = bounds_of(parse(reason.version)) if reason.version is not None else None
    return "/".join(day.isoformat() for day in days) if days is not None else None


def _of_act(reason: Reason) -> object:
    """Return what identifies an event of an act: the event, its provisions, and the act without its day."""
    try:
        act: object = parse(reason.cause or "").work
    except BadName:
        act = reason.cause
    return reason.event, reason.provisions, reason.counted, act


def _is_exact(reason: Reason) -> bool:
    effect = day_stated(reason.effect)
    return effect is not None and effect.exact is not None


def _is_within(exact: Reason | None, vague: Reason) -> bool:
    """Return whether a reason with an exact day of effect is within the bounds of another."""
    if exact is None or vague.cause is None or vague.undone_by:
        return False
    day, bounds = day_stated(exact.effect), day_stated(vague.effect)
    return day is not None and bounds is not None and day.exact is not None and bounds.possible_on(day.exact)
