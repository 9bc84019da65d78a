"""The status of a norm or provision in words, with its days and text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup

from graph.civil import ONE_DAY
from graph.terms import day_stated
from graph.time.kinds import ENDED, Status
from graph.urn import parse
from ontology.events import EventKind
from queries.answers import InForce
from queries.efficacy import WithoutEffect
from queries.intervals import SINCE, AnswerInterval, first_possible_start, first_with_same_status, status_since
from queries.reasons import Reason, are_declarations
from queries.text.changes import ChangeDay
from queries.text.wording_history import is_ended_by_act
from service.web.pages.frame import gender
from service.web.pages.writer import DECLARED_VOID, PageWriter
from words.texts import FORESEEN

_CONVERSION, _REVOCATION, _START = EventKind.CONVERSAO, EventKind.REVOGACAO, EventKind.INICIO_VIGENCIA
#: The statuses of what was in force before; a veto precedes force.
_ENDED_AFTER_FORCE = frozenset(ENDED) - {Status.VETOED}
#: The statuses that may follow vacatio other than in force.
_BEFORE_FORCE = {*ENDED, Status.UNKNOWN}


def status_label(answer: InForce, writer: PageWriter, effect: WithoutEffect | None = None) -> Markup:
    """Return the status in a word or two that agree in gender with the norm or provision."""
    if effect is not None and not effect.decided:
        return writer.words("status.effect_undecided")
    if effect is not None:
        return writer.words(f"status.{'suspended' if effect.suspended else 'no_effect_yet'}")
    if writer.is_wording_open(answer):
        return writer.words("status.wording_open")
    return writer.agreed(f"status.{_shown_status(answer, writer, answer.status)}", answer.name)


def status_sentence(
    answer: InForce,
    intervals: Sequence[AnswerInterval],
    version: str | None,
    writer: PageWriter,
    effect: WithoutEffect | None = None,
    changed: ChangeDay | None = None,
    *,
    changed_by_act: bool = False,
) -> Markup:
    """Return the status as a sentence with its days and text.

    Args:
        answer: the answer for one D and K.
        intervals: the answers for all days of force, as known on that K.
        version: the version of the text.
        effect: the days without effect; None where it has effect.
        changed: the day of the last change of its text within the version; None where it did not change.
        changed_by_act: whether the day of the last change is only that of the act.
    """
    text = status_clause(answer, intervals, writer, effect)
    if _has_days(answer, intervals, writer, effect) and answer.status is Status.IN_FORCE and version is not None:
        text += _text_in_force(version, changed, writer, of_act=changed_by_act)
    return text + "."


def status_clause(  # noqa: PLR0911 - a table of statuses
    answer: InForce,
    intervals: Sequence[AnswerInterval],
    writer: PageWriter,
    effect: WithoutEffect | None = None,
    *,
    named: bool = True,
) -> Markup:
    """Return the status with its days, without the text and a full stop; the arguments are those of
    :func:`status_sentence`, and whether the norm that revoked it is named.
    """
    words, status = writer.words, answer.status
    if writer.is_wording_open(answer):
        return words("norm.is_wording_open")
    suspended = without_effect_words(effect, writer) if effect is not None else None
    index = _index(answer, intervals)
    if index is None or not _has_days(answer, intervals, writer, effect):
        ended = _ended_by(answer, writer) if index is None and suspended is None else None
        if suspended is not None:
            return words("norm.is_in_force_also", effect=suspended)
        return ended or _is(answer, writer) + _start_on_publication(answer, writer)
    if status is Status.VACATIO:
        return _vacatio(answer, next((row for row in intervals[index:] if row.status is not status), None), writer)
    first, end, open_end = _span(intervals, index)
    if status is Status.ANNULLED and not any(
        interval.version or interval.status is Status.UNKNOWN for interval in intervals[:index]
    ):
        return _is(answer, writer, "_origin")
    start, is_ended = intervals[first].start, status in ENDED
    doubtful = (first > 0 and intervals[first - 1].status is Status.UNKNOWN) or (
        is_ended and is_at_last(answer.because, start)
    )
    day, of_act = words.time(start), end is None and is_ended_by_act(answer)
    if status is Status.CONVERTED:
        law, when = _law_of_conversion(answer), "norm.at_latest_on" if doubtful else "norm.published_day"
        if law is not None:
            return _is(answer, writer, "_into", law=writer.link(law, short=True), when=words(when, day=day))
        text = _is(answer, writer, "_since", when=words(when, day=day))
        return text + " " + _last_day(end, writer, open_end) if end is not None else text
    if end is not None:
        since = writer.interval(start, end, (start if doubtful else None, end if open_end else None))
    elif (possible := first_possible_start(answer.because, intervals, first)) is not None:
        since = words("norm.since_open", first=words.time(possible))
    else:
        since = words("norm.at_least_since" if doubtful else "norm.since", day=day)
    if end is None and (between := revoked_between(answer, writer)) is not None:
        is_constitution = parse(answer.name).tipo_documento[0] == "constituicao"
        act = words("norm.which_amendment" if is_constitution else "norm.which_act")
        return _is(answer, writer, "_between", since=writer.of_act(between) if of_act else between, act=act)
    if end is None and named and (by := revoked_by(answer, writer, first=True)) is not None:
        from_day = since if doubtful else words("norm.when_day", day=day)
        return _is(answer, writer, "_by", by=by, since=writer.of_act(from_day) if of_act else from_day)
    again = status is Status.IN_FORCE and _is_again(intervals, first)
    text = _is(answer, writer, "_again" if again else "_since", since=writer.of_act(since) if of_act else since)
    return text + ", " + suspended if suspended is not None else text


def _index(answer: InForce, intervals: Sequence[AnswerInterval]) -> int | None:
    return next((index for index, interval in enumerate(intervals) if interval.holds(answer.on)), None)


def _has_days(
    answer: InForce, intervals: Sequence[AnswerInterval], writer: PageWriter, effect: WithoutEffect | None
) -> bool:
    """Return whether the days of a status are stated with it."""
    index, status = _index(answer, intervals), answer.status
    if writer.is_wording_open(answer) or (effect is not None and status is Status.SUSPENDED):
        return False
    return index is not None and status in {*SINCE, Status.VACATIO} and intervals[index].status is status


def _span(intervals: Sequence[AnswerInterval], index: int) -> tuple[int, date | None, bool]:
    """Return the first interval with the status of one, the day after the last, and whether the next is unknown."""
    status, last = intervals[index].status, index
    while last + 1 < len(intervals) and intervals[last + 1].status is status:
        last += 1
    is_open = last + 1 < len(intervals) and intervals[last + 1].status is Status.UNKNOWN
    return first_with_same_status(intervals, index), intervals[last].until, is_open


def _text_in_force(version: str, changed: ChangeDay | None, writer: PageWriter, *, of_act: bool) -> Markup:
    """Return the text in force, to follow the status: its wording, or the day or bounds of its last change."""
    words = writer.words
    if changed is None:
        return words("norm.and", text=writer.wording(version))
    corrected = writer.correction(version)
    text = words("norm.and", text=corrected) if corrected is not None else Markup("")
    if changed.exact is not None:
        day = words.time(changed.exact)
        return text + words("norm.changed_to", day=writer.of_act(day) if of_act else day)
    last = words.time(changed.last or date.max)
    if changed.first is None:
        return text + words("norm.changed_at_latest", last=last)
    return text + words("norm.changed_between", first=words.time(changed.first), last=last)


def _start_on_publication(answer: InForce, writer: PageWriter) -> Markup:
    """Return the clause by which a norm starts on its publication, whose day no source states; else nothing."""
    norm = parse(answer.name).work.canonical
    for reason in answer.because if answer.status is Status.UNKNOWN else ():
        bounds = day_stated(reason.effect)
        clause = reason.cause if reason.cause is not None and reason.cause.startswith(f"{norm}!") else None
        if reason.event != _START or clause is None or bounds is None or reason.effect != reason.known:
            continue
        values = {"clause": writer.link(clause, short=True), "first": writer.words.time(bounds.first)}
        if bounds.last is None:
            return Markup(". ") + writer.words("norm.starts_on_publication", **values)
        last = writer.words.time(bounds.last)
        return Markup(". ") + writer.words("norm.starts_on_publication_between", **values, last=last)
    return Markup("")


def _ended_by(answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the status of a revoked norm of which no source dates a text; None if its end has no exact day."""
    by = revoked_by(answer, writer)
    ended = [day_stated(reason.effect) for reason in answer.because if reason.event == _REVOCATION]
    day = ended[0].exact if by and len(ended) == 1 and ended[0] is not None else None
    if day is None:
        return None
    return _is(answer, writer, "_by", by=by, since=writer.words("norm.when_day", day=writer.words.time(day)))


def converted_into(answer: InForce, writer: PageWriter) -> Markup | None:
    """Return that a measure was converted into a law that a source names, without the day; else None."""
    law = _law_of_conversion(answer) if answer.status is Status.CONVERTED else None
    return _is(answer, writer, "_law", law=writer.link(law, short=True)) if law is not None else None


def revoked_by(answer: InForce, writer: PageWriter, *, first: bool = False) -> Markup | None:
    """Return the norm that revoked a revoked norm, where exactly one stated cause is known; else None.

    Several acts may revoke one after the other, such as a provisional measure and its law of conversion.

    Args:
        first: whether the first of them is asked, instead of the one that was not undone.
    """
    if answer.status is not Status.REVOKED:
        return None
    stated = [reason for reason in answer.because if reason.event == _REVOCATION and not writer.is_inferred(reason)]
    day = min((reason.effect or "" for reason in stated), default=None)
    acts = [reason.cause for reason in stated if ((reason.effect or "") == day if first else not reason.undone_by)]
    return writer.by_one(acts[0], short=True) if len(acts) == 1 and acts[0] is not None else None


def revoked_between(answer: InForce, writer: PageWriter) -> Markup | None:
    """Return the bounds of a revocation by an act that no source names, in words; None for any other answer."""
    if answer.status is not Status.REVOKED:
        return None
    revocations = [reason for reason in answer.because if reason.event == _REVOCATION]
    effect = day_stated(revocations[0].effect) if len(revocations) == 1 else None
    if effect is None or effect.exact is not None or effect.last is None or revocations[0].cause is not None:
        return None
    return writer.words("norm.between", first=writer.words.time(effect.first), last=writer.words.time(effect.last))


def days_of_status(
    answer: InForce,
    intervals: Sequence[AnswerInterval],
    version: str | None,
    writer: PageWriter,
    effect: WithoutEffect | None = None,
    changed: ChangeDay | None = None,
) -> frozenset[date]:
    """Return the civil dates that :func:`status_sentence` states, for the same arguments."""
    days: set[date | None] = set()
    if effect is not None and effect.decided:
        days |= {effect.start, effect.until, effect.until - ONE_DAY if effect.until is not None else None}
    began = status_since(answer, intervals)
    following = next((interval for interval in intervals if answer.on < interval.start), None)
    if answer.status is Status.VACATIO and following is not None:
        days |= {following.start, following.start - ONE_DAY}
    if began is not None:
        later = (row.start for row in intervals if began < row.start and row.status is not answer.status)
        same = (row.until for row in reversed(intervals) if row.status is answer.status)
        last = next(later, None) or next(same, None)
        days |= {began, last - ONE_DAY if last is not None else None}
        if answer.status.stands and version is not None:
            made = parse(version)
            is_corrected = changed is None or writer.correction(version) is not None
            days |= {made.view_date if is_corrected else None}
            days |= {made.version_date} if changed is None else {changed.first, changed.last}
    return frozenset(day for day in days if day is not None)


def without_effect_words(effect: WithoutEffect, writer: PageWriter) -> Markup:
    """Return the days without effect, as part of a sentence."""
    words = writer.words
    if not effect.decided:
        return words("norm.effect_undecided")
    if not effect.suspended:
        if effect.until is None:
            return words("norm.no_effect_yet")
        return words("norm.no_effect_until", day=words.time(effect.until))
    text = words("norm.suspended")
    if effect.start is not None:
        text += " " + words("norm.at_least_since" if effect.open_start else "norm.since", day=words.time(effect.start))
    if effect.until is not None:
        text += " " + _last_day(effect.until, writer, effect.open_end)
    return text


def _vacatio(answer: InForce, after: AnswerInterval | None, writer: PageWriter) -> Markup:
    """Return the status of vacatio, with the first day of force or the status that followed instead of force."""
    said = _is(answer, writer)
    if after is None or (after.version is None and after.status not in _BEFORE_FORCE):
        return said
    if after.status is Status.UNKNOWN:
        return writer.words("tenses.after_undecided", said=said, until=_last_day(after.start, writer, True))
    values = {"said": said, "day": writer.words.time(after.start)}
    key = "tenses.comes"
    if after.version is None:
        key, values["how"] = "tenses.in_vain", writer.status_word(after.status, answer.name).lower()
    # the day foreseen on K may have changed since
    tense = FORESEEN if answer.as_known < writer.today else writer.tense(after.start)
    return writer.words(key, tense, **values)


def _last_day(end: date, writer: PageWriter, doubtful: bool) -> Markup:
    """Return the last day of an interval; the last known one where the status after it is unknown."""
    return writer.words("norm.at_least_until" if doubtful else "norm.until", day=writer.words.time(end - ONE_DAY))


def _is(answer: InForce, writer: PageWriter, ending: str = "", **values: object) -> Markup:
    """Return the message on a status, in the right gender and tense."""
    if is_unpublished_on_k(answer):
        day = writer.words.time(answer.as_known)
        return writer.words("norm.is_not_published_known", *gender(answer.name, writer.vocabulary), day=day)
    key = f"norm.is_{_shown_status(answer, writer, answer.status.value.replace('-', '_'))}{ending}"
    return writer.words(key, writer.tense(answer.on), *gender(answer.name, writer.vocabulary), **values)


def is_unpublished_on_k(answer: InForce) -> bool:
    """Return whether K is why a norm or provision is not published: its name allows the day D, which is after K."""
    issued = parse(answer.name).oldest_day
    is_after = answer.status is Status.NOT_PUBLISHED and answer.as_known < answer.on
    return is_after and issued is not None and issued <= answer.on


def _shown_status(answer: InForce, writer: PageWriter, status: str) -> str:
    """Return a status as messages name it: a declaration of unconstitutionality, and a signature, have their own."""
    if answer.status is Status.VACATIO and writer.published_on is not None:
        published = writer.published_on(parse(answer.name).work)
        if published is not None and published > answer.on:
            return "signed"
    return DECLARED_VOID if answer.status is Status.ANNULLED and are_declarations(answer.because) else status


def _law_of_conversion(answer: InForce) -> str | None:
    """Return the name of the law that converted a measure; None where no source names it."""
    conversions = (reason.cause for reason in answer.because if reason.event == _CONVERSION)
    return next((cause for cause in conversions if cause is not None), None)


def is_at_last(because: Sequence[Reason], day: date) -> bool:
    """Return whether a day is the last one within the bounds of a deciding event, which may have happened earlier."""
    effects = (day_stated(reason.effect) for reason in because)
    return any(effect is not None and effect.exact is None and effect.last == day for effect in effects)


def _is_again(intervals: Sequence[AnswerInterval], index: int) -> bool:
    """Return whether the text of an interval was in force before, or an earlier interval had ended.

    Two ends are none of something in force: a veto, and one that follows vacatio only.
    """
    before = intervals[:index]
    if any(interval.version is not None and interval.version == intervals[index].version for interval in before):
        return True
    ended = next((i for i, interval in enumerate(before) if interval.status in _ENDED_AFTER_FORCE), None)
    return ended is not None and (ended == 0 or any(row.status is not Status.VACATIO for row in before[:ended]))
