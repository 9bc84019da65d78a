"""Statuses, reasons, notices, and the answers to one question as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from graph.civil import ONE_DAY
from graph.time.kinds import Axis, Status
from ontology.events import EventKind
from queries.answers import AxisAnswer, InForce, Period, Resolution, Timeline
from queries.messages import match_message, message, reason_message
from queries.notices import Notice
from queries.reasons import DECLARATION, Reason, are_declarations, flattened, interrupts
from service.render.tables import table

if TYPE_CHECKING:
    from queries.text.answers import TextAnswer

STATUS_TEXTS = {
    Status.UNKNOWN_NAME: "unknown: no source describes it, or the text does not identify exactly one name",
    Status.NO_SUCH_PROVISION: "no such provision: the whole text of the norm lacks it",
    Status.NOT_PUBLISHED: "not published",
    Status.VACATIO: "not yet in force (vacatio legis)",
    Status.IN_FORCE: "in force",
    Status.IN_PROGRESS: "a bill, not a norm in force; no source states that it was converted into a law",
    Status.DECIDED: "a decision, not a norm in force",
    Status.SUSPENDED: "in force, but without effect (suspended)",
    Status.REVOKED: "revoked",
    Status.ANNULLED: "annulled",
    Status.EXPIRED: "expired",
    Status.CONVERTED: "converted into a law",
    Status.VETOED: "vetoed",
    Status.UNKNOWN: "unknown: the sources do not allow an answer",
}

#: The effect of each event, in words.
EVENT_TEXTS: Mapping[str, str] = {
    EventKind.ALTERACAO: "amended",
    EventKind.ANULACAO: "annulled",
    EventKind.CADUCIDADE: "terminated at the end of its term",
    EventKind.CONVERSAO: "converted into a law",
    EventKind.DECLARACAO_INCONSTITUCIONALIDADE: "declared unconstitutional",
    EventKind.PRORROGACAO_VACATIO: "postponed",
    EventKind.PUBLICACAO: "inserted",
    EventKind.REJEICAO: "rejected",
    EventKind.RENUMERACAO: "renumbered",
    EventKind.REPRISTINACAO: "restored",
    EventKind.REVOGACAO: "revoked",
    EventKind.SUSPENSAO: "suspended",
    EventKind.VETO: "vetoed",
}


def interval_text(start: date, end: date | None) -> str:
    return f"[{start}, {end if end is not None else '...'})"


def answer_text(answer: InForce | TextAnswer, published: date | None) -> str:
    """Return the status of an answer. What a court declared unconstitutional is not called annulled."""
    if answer.status is Status.ANNULLED and are_declarations(answer.because):
        return EVENT_TEXTS[DECLARATION]
    if answer.status is Status.VACATIO and answer.on is not None and answer.as_known is not None:
        days = (answer.on, answer.as_known)
        return _vacatio_text(days, days, published)
    return status_text(answer.status)


def _vacatio_text(first: tuple[date, date], last: tuple[date | None, date | None], published: date | None) -> str:
    """Return the status in vacatio: whether the norm is only signed, or published.

    Args:
        first: the first D and K.
        last: the last D and K; None where there is none.
        published: the day on which the norm was published; None if no source states it.
    """
    if published is None:
        return STATUS_TEXTS[Status.VACATIO]
    if all(published <= day for day in first):
        return f"published, {STATUS_TEXTS[Status.VACATIO]}"
    if any(day is not None and day < published for day in last):
        return "signed, not yet published"
    return STATUS_TEXTS[Status.VACATIO]


def status_text(status: Status | None) -> str:
    """Return a status in words; for None, that the answer is the text of one version."""
    return "the text of one version" if status is None else STATUS_TEXTS[status]


def reason_lines(reason: Reason, asked: AxisAnswer | None = None) -> Iterator[str]:
    """Yield the lines of a reason. If it was undone, the first line is the chain in words; then each event follows.

    Args:
        asked: the status on the axis of the question.
    """
    if reason.undone_by:
        yield f"  because    {_since_text(reason, asked)}{_chain(reason)}"
    yield f"  because    {reason_message(reason)}"
    for undone in flattened(reason.undone_by):
        yield f"  undone by  {reason_message(undone)}"


def _since_text(reason: Reason, asked: AxisAnswer | None) -> str:
    if asked is None or not asked.status.stands:
        return ""
    if any(asked.since is not None and undoing.effect == asked.since.isoformat() for undoing in reason.undone_by):
        return f"in force {'again ' if interrupts(reason) else ''}since {asked.since}: "
    known = max((undoing.known for undoing in reason.undone_by if undoing.known is not None), default=None)
    return f"in force, as known since {known}: " if known is not None else "in force: "


def _chain(reason: Reason) -> str:
    """Return an event and the events that undid it in words: revoked by A, which was annulled by B."""
    text = EVENT_TEXTS.get(reason.event or "", f"changed by the event {reason.event or '(not named)'}")
    if reason.cause is not None:
        text += f" by {reason.cause}"
    return text + "".join(f", which was {_chain(undoing)}" for undoing in reason.undone_by)


def notice_lines(notices: Iterable[Notice]) -> Iterator[str]:
    """Yield a line for each notice."""
    for notice in notices:
        yield f"  notice     {message(notice)} ({notice.code})"


def axis_lines(force: AxisAnswer | None, efficacy: AxisAnswer | None) -> Iterator[str]:
    """Yield a line for each axis with its status and days; no line where no day is known on either axis."""
    if force is None or efficacy is None or not any((force.since, force.until, efficacy.since, efficacy.until)):
        return
    for axis, answer in (("force", force), ("efficacy", efficacy)):
        yield f"  {axis:<10} {answer.status.value} [{answer.since or '...'}, {answer.until or '...'})"


def in_force_lines(answer: InForce, published: date | None = None) -> Iterator[str]:
    """Yield the lines of an answer, most important first.

    Args:
        published: the day on which the norm was published; None if no source states it.
    """
    yield answer.name
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {answer_text(answer, published)}"
    version = answer.version
    if version is not None:
        yield f"  version    {version.name}"
        yield f"  in force   {interval_text(version.valid_from, version.valid_until)}"
        yield f"  known      {interval_text(version.known_from, version.known_until)}"
    yield from axis_lines(answer.force, answer.efficacy)
    asked = answer.force if answer.axis is Axis.FORCE else answer.efficacy
    for reason in answer.because:
        yield from reason_lines(reason, asked)
    for item in answer.items:
        yield f"  copy       {' '.join(part for part in (item.format, item.kind, item.url) if part)}"
    for source in answer.sources:
        yield f"  source     {source}"
    for provider, newest in answer.known_up_to:
        yield f"  harvested up to {newest} from {provider}"
    yield from notice_lines(answer.notices)


def timeline_lines(answer: Timeline, width: int | None = None, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a timeline: its periods as a table, then the events.

    Args:
        answer: the timeline.
        width: as for :func:`table`.
        published: as for :func:`in_force_lines`.
    """
    yield answer.name
    axes: dict[tuple[str, str, str], list[str]] = {}
    for period in answer.periods:
        valid = interval_text(period.valid_from, period.valid_until)
        known = interval_text(period.known_from, period.known_until)
        axes.setdefault((valid, known, period_text(answer.name, period, published)), []).append(str(period.axis))
    rows = [
        (valid, known, "both" if len(of) > 1 else of[0], description)
        for (valid, known, description), of in axes.items()
    ]
    if rows:
        yield from table(("valid", "known", "axis", "what"), rows, width)
    for reason in answer.events:
        yield f"  event      {reason_message(reason)}"
    yield from notice_lines(answer.notices)


def period_text(name: str, period: Period, published: date | None) -> str:
    if period.status is Status.VACATIO:
        last = (_day_before(period.valid_until), _day_before(period.known_until))
        return _vacatio_text((period.valid_from, period.known_from), last, published)
    if period.version is None:
        return STATUS_TEXTS[period.status]
    return period.version.removeprefix(name)


def _day_before(day: date | None) -> date | None:
    return day - ONE_DAY if day is not None else None


def resolution_lines(answer: Resolution) -> Iterator[str]:
    """Yield the lines of a resolution: the name, the steps and the candidates."""
    yield answer.canonical or answer.asked
    yield f"  match      {answer.match} at the level {answer.level}, read as {answer.dialect or 'words'}"
    for step in answer.steps:
        yield f"  step       {step}"
    for candidate in answer.candidates:
        yield f"  candidate  {candidate.name}"
        yield f"             {candidate.label or 'no label'}: {match_message(candidate.why)} ({candidate.score:g})"
    yield from notice_lines(answer.notices)
