"""Laid-out texts, and the intervals of days in which each text is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from graph.civil import ONE_DAY, day_before
from graph.read_model.rectangles import ordinal
from graph.store import Store
from graph.terms import day_stated
from graph.time.intervals import Interval
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce
from queries.evidence import versions
from queries.in_force import in_force
from queries.intervals import doubtful, over_force
from queries.notices import ProvisionsNotYetInForce
from queries.orders import days_of_orders
from queries.text.answers import TextAnswer
from queries.text.changes import OPEN, changes_by_part, days_of_change
from queries.text.composition import suspended_within
from queries.text.text import text
from service.web.names.parameters import RequestParameters
from service.web.names.versions import known_versions, last_known_days
from service.web.text_layout import Block, Reading, coming_block, lay_out


@dataclass(frozen=True, slots=True)
class Span(Interval):
    """The days of force in which a text is the same, as known on one day.

    Attributes:
        open_start, open_until: whether the text beyond the bound is unknown.
    """

    open_start: bool
    open_until: bool

    @property
    def edges(self) -> frozenset[date]:
        """The bounds beyond which the text is unknown."""
        bounds = ((self.start, self.open_start), (self.until, self.open_until))
        return frozenset(day for day, is_open in bounds if is_open and day is not None)


def span_of_text(store: Store, name: Name, on: date, known: date) -> Span:
    """Return the interval around D in which a norm or provision has the text of D, on the axis of force.

    Args:
        name: a name without a version.
        on, known: D and K, civil dates.
    """
    day = on.isoformat()
    first: tuple[str, bool] = ("", False)
    until: tuple[str, bool] | None = None
    for changes in changes_by_part(store, name, known):
        begun, ended = _adjacent_changes(changes, day)
        first = max(first, begun)
        # of two bounds on one day the open one is first
        until = min(until, ended, key=lambda bound: (bound[0], not bound[1])) if until and ended else until or ended
    return Span(
        date.fromisoformat(first[0]) if first[0] else date.min,
        date.fromisoformat(until[0]) if until else None,
        first[1],
        until is not None and until[1],
    )


def _adjacent_changes(changes: list[tuple[str, str]], day: str) -> tuple[tuple[str, bool], tuple[str, bool] | None]:
    """Return the last change up to a day and the first one after it, each with whether the text beyond is unknown."""
    index = sum(start <= day for start, _ in changes)
    begun = ("", False)
    if index:
        begun = (changes[index - 1][0], index > 1 and changes[index - 2][1].startswith(OPEN))
    ended = (changes[index][0], changes[index][1].startswith(OPEN)) if index < len(changes) else None
    return begun, ended


#: The maximum number of provisions with one first day of force that have a block.
_MOST_COMING = 200


@dataclass(frozen=True, slots=True)
class TextWithLayout:
    """A text with its layout.

    Attributes:
        span: the interval of force in which it is the same; None for a text without a day, or on the axis of efficacy.
        suspended: the suspended provisions of a norm that is not suspended, on these days; on the axis of force.
        coming: the blocks of provisions that are published and not yet in force.
    """

    answer: TextAnswer
    reading: Reading
    span: Span | None = None
    suspended: frozenset[str] = frozenset()
    coming: tuple[Block, ...] = ()


def read(
    store: Store, name: Name, on: date | None = None, known: date | None = None, axis: Axis = Axis.FORCE
) -> TextWithLayout:
    """Return the text of a norm or provision with its parts on a day; without days, that of a version.

    Args:
        name: the name; with days, without a version.
        on, known: D and K, civil dates: both or neither.
        axis: force or efficacy, for the text of a day.

    Raises:
        As :func:`queries.text.text.text`.
    """
    return store.memoized((read, name.canonical, on, known, axis), lambda: _read(store, name, on, known, axis))


def _read(store: Store, name: Name, on: date | None, known: date | None, axis: Axis) -> TextWithLayout:
    days = (on, known, axis if on is not None else None)
    answer = text(store, name, *days)
    coming = tuple(_coming(store, answer, days))
    found = TextWithLayout(answer, lay_out(answer.provisions, coming), coming=coming)
    if on is None or known is None or axis is not Axis.FORCE:
        return found
    span = span_of_text(store, name, on, known)
    return replace(found, span=span, suspended=suspended_within(store, name.work, on, known))


def text_on(store: Store, asked: str | Name, on: date, known: date) -> TextAnswer:
    """Return the text of a norm or provision."""
    return read(store, parse(asked) if isinstance(asked, str) else asked, on, known).answer


def last_knowledge_day(store: Store, name: Name, known: date) -> date | None:
    """Return the last day up to K on which anything of a norm or its provisions became known; None if there is none."""
    norm, day = name.work, ordinal(known)
    with store.full_text.history_of(norm.iri) as (table, number):
        days = {*table.days_of_knowledge(number), *map(ordinal, days_of_orders(store, norm))}
    days |= {ordinal(version.view_date) for version in versions(store, norm.iri) if version.view_date is not None}
    last = max((each for each in days if each <= day), default=None)
    return date.fromordinal(last) if last is not None else None


def last_day_of_data(store: Store, name: Name, answer: InForce) -> date | None:
    """Return the last day up to K that the data of an answer cover; None if no source states how far its data go.

    A fact may have become known after the newest record of the providers. The answer for that day is the answer for K.
    """
    covered = max((day for _, day in answer.known_up_to), default=None)
    if covered is None:
        return None
    stated = (day_stated(reason.known) for reason in answer.because)
    facts = (last_knowledge_day(store, name, answer.as_known), *(when.last for when in stated if when is not None))
    return min(answer.as_known, max((covered, *(day for day in facts if day is not None))))


def _coming(store: Store, answer: TextAnswer, days: tuple[date | None, date | None, Axis | None]) -> Iterator[Block]:
    """Yield the blocks of the provisions that a text leaves out because they are not yet in force."""
    for notice in answer.notices:
        if isinstance(notice, ProvisionsNotYetInForce):
            for name in notice.provisions[:_MOST_COMING]:
                provisions = text(store, name, *days).provisions
                own = next((provision for provision in provisions if provision.name == name), None)
                if own is not None:
                    yield coming_block(own, notice.start)


def reads_alike(text_read: TextWithLayout, other: TextWithLayout) -> bool:
    """Return whether two texts have the same provisions and the same undecided provisions."""
    alike = text_read.answer.provisions == other.answer.provisions
    return alike and text_read.answer.undecided == other.answer.undecided


#: In the address of a comparison, in place of the first day: the last day before with another text.
PREVIOUS = "previous"


def previous_text_day(store: Store, target: Name, on: date, known: date) -> date | None:
    """Return the last day before D whose text certainly differs from that of D, on the axis of force.

    A change within bounds counts from the day before its first possible day, if it has certainly happened by D.

    Args:
        target: the norm or provision, without version.
        on, known: D and K, civil dates.

    Returns:
        None if the sources give no earlier text with a difference.
    """
    words = _decided_words(text_on(store, target, on, known))
    settled = (change for change in days_of_change(store, target, known) if change.is_settled(on))
    for first in sorted({change.first for change in settled if change.first is not None}, reverse=True):
        before = day_before(first)
        text_before = text_on(store, target, before, known)
        words_before = _decided_words(text_before)
        has_words = text_before.status is not Status.VACATIO and any(words_before.values())
        if has_words and _is_changed(words_before, words):
            return before
    return None


def _decided_words(answer: TextAnswer) -> dict[str, tuple[str | None, ...] | None]:
    """Return the label, heading, text and situation of each provision; None for one that the sources do not decide."""
    words: dict[str, tuple[str | None, ...] | None] = {
        part.name: None if part.undecided else (part.label, part.heading, part.text, part.situation)
        for part in answer.provisions
    }
    return words | dict.fromkeys(answer.undecided)


def _is_changed(
    before: Mapping[str, tuple[str | None, ...] | None], after: Mapping[str, tuple[str | None, ...] | None]
) -> bool:
    """Return whether two texts differ in a provision that the sources decide on both days."""
    undecided = {name for words in (before, after) for name, part in words.items() if part is None}
    return any(before.get(name) != after.get(name) for name in {*before, *after} - undecided)


def read_alone(store: Store, target: Name, shown: InForce, began: date, today: date) -> TextWithLayout:
    """Return the text that the name of a version identifies without days: that of its first day, as last known.

    Args:
        target: the norm.
        shown: the answer of the page, with a version.
        began: the first day of the version.
        today: the current civil date.
    """
    known, version = today, shown.version
    assert version is not None  # noqa: S101 - by the caller
    now = in_force(store, target, began, known, shown.axis).version
    if (now is None or now.name != version.name) and version.known_until is not None:
        known = version.known_until - ONE_DAY
    return read(store, target, began, known, shown.axis)


def days_shown(store: Store, target: Name, shown: InForce, text: TextWithLayout) -> Span | None:
    """Return the interval around the day of an answer in which the text is the same, as known on its K.

    On the axis of efficacy it is the interval of the version.

    Args:
        target: the norm or provision.
        shown: the answer of the page.
        text: its text.

    Returns:
        None where no version answers.
    """
    version = shown.version
    if version is None:
        return None
    span = text.span
    if span is not None and span.start > date.min:
        if any(change.exact == span.start for change in days_of_change(store, target, shown.as_known)):
            span = replace(span, open_start=False)  # a part certainly changed on that day
        return _since_force(store, target, shown, span)
    unsure = doubtful(over_force(store, target, shown.as_known))
    return Span(version.valid_from, version.valid_until, version.valid_from in unsure, version.valid_until in unsure)


def _since_force(store: Store, target: Name, shown: InForce, span: Span) -> Span:
    """Return the interval without the days before force on which the text was already known to read so.

    The days before force are those of vacatio, or of unknown status.
    """
    rows = over_force(store, target, shown.as_known) if shown.axis is Axis.FORCE else ()
    index = next((i for i, interval in enumerate(rows) if interval.holds(shown.on)), None)
    if index is None:
        return span
    while index and rows[index - 1].version is not None and rows[index - 1].until == rows[index].start:
        index -= 1
    start = rows[index].start
    before = rows[index - 1].status if index else None
    if span.start >= start or before not in (Status.VACATIO, Status.UNKNOWN):
        return span
    return replace(span, start=start, open_start=before is Status.UNKNOWN)


def days_as_known_today(shown: InForce, text: TextWithLayout, today: date) -> Span | None:
    """Return the days of force of the text of an answer; None without a text, or where another is known today.

    Args:
        shown, text: as for :func:`days_shown`.
        today: the current civil date.
    """
    version = shown.version
    if version is None or shown.axis is not Axis.FORCE:
        return None
    if version.known_until is not None and version.known_until <= today:
        return None
    return text.span


def text_once_known(store: Store, target: Name, shown: InForce) -> RequestParameters | None:
    """Return the days of the last known text of a norm or provision, where no text at all is known on the answer's K.

    Args:
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a version answers, a text is known for another day, or no text was ever known.
    """
    if shown.version is not None or shown.axis is not Axis.FORCE:
        return None
    return last_known_days(known_versions(store, target), shown.as_known)


def text_never_in_force(store: Store, target: Name, shown: InForce) -> RequestParameters | None:
    """Return the last day of vacatio of a norm or provision that ended in vacatio, as known on the answer's K.

    Args:
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a text was in force on some day, or the status of some day is unknown.
    """
    if shown.axis is not Axis.FORCE or shown.status not in ENDED:
        return None
    rows = over_force(store, target, shown.as_known)
    if any(row.version is not None or row.status is Status.UNKNOWN for row in rows):
        return None
    end = next((row.until for row in rows if row.status is Status.VACATIO and row.until is not None), None)
    return RequestParameters(end - ONE_DAY) if end is not None else None
