"""Of which days the text is that a page shows, and whether that of other days is the same."""

from __future__ import annotations

from datetime import date, timedelta

from graph.entities import Axis
from graph.store import Store
from graph.urn import Name
from queries import in_force
from queries.answers import InForce
from queries.stretches import over_force
from service.web.names.asked import Asked
from service.web.names.known_versions import known_versions
from service.web.names.text_days import last_known
from service.web.pages.history import doubtful
from service.web.pages.remembered import Read, read
from service.web.pages.span import Span, span_of_text

__all__ = ["days_as_known_today", "days_shown", "read_alone", "reads_alike", "text_once_known"]

_ONE_DAY = timedelta(days=1)


def reads_alike(one: Read, other: Read) -> bool:
    """Whether two texts have the same words, and the same provisions of which nobody knows whether they apply."""
    alike = one.answer.provisions == other.answer.provisions
    return alike and one.answer.undecided == other.answer.undecided


def read_alone(store: Store, target: Name, shown: InForce, began: date, today: date) -> Read:
    """The text to which the name of a norm's version leads by itself: of its first day, as last known.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm.
        shown: the answer that the page shows; a version answers.
        began: the version's own day.
        today: the civil date taken for today.

    Raises:
        StoreProblem: the store cannot be read.
    """
    known, version = today, shown.version
    assert version is not None  # noqa: S101 - by the caller
    now = in_force(store, target, began, known, shown.axis).version
    if (now is None or now.name != version.name) and version.known_until is not None:
        known = version.known_until - _ONE_DAY
    return read(store, target, began.isoformat(), known.isoformat(), shown.axis.value)


def days_shown(store: Store, target: Name, shown: InForce, text: Read) -> Span | None:
    """The days around that of an answer on which a norm or provision reads as it does, as known then; on the clock of
    efficacy those of its version.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm or provision.
        shown: the answer that the page shows.
        text: its text.

    Returns:
        None where no version answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    version = shown.version
    if version is None:
        return None
    span = text.span if target == target.work else _span(store, target, shown)
    if span is not None and span.first is not None:
        return span
    unsure = doubtful(over_force(store, target, shown.as_known))
    return Span(version.valid_from, version.valid_until, version.valid_from in unsure, version.valid_until in unsure)


def _span(store: Store, target: Name, shown: InForce) -> Span | None:
    return span_of_text(store, target, shown.on, shown.as_known) if shown.axis is Axis.FORCE else None


def days_as_known_today(store: Store, target: Name, shown: InForce, text: Read, today: date) -> Span | None:
    """The days of force of the text that is shown; None where none is, or what is known today is another.

    Args:
        store, target, shown, text: as for :func:`days_shown`.
        today: the civil date taken for today.
    """
    version = shown.version
    if version is None or shown.axis is not Axis.FORCE:
        return None
    if version.known_until is not None and version.known_until <= today:
        return None
    if target == target.work:
        return text.span
    return span_of_text(store, target, shown.on, shown.as_known)


def text_once_known(store: Store, target: Name, shown: InForce) -> Asked | None:
    """The days that lead to the last text that was known of a norm or provision, where that of an answer never was.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a version answers, or there is a text of another day, or never was one.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if shown.version is not None or shown.axis is not Axis.FORCE:
        return None
    return last_known(known_versions(store, target), shown.as_known)
