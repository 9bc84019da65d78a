"""The days of force on which a norm reads as a page shows it: those of its version, as far as nothing in it changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from graph.store import Store
from graph.urn import Name
from queries import in_force
from queries.answers import InForce
from queries.stretches import over_force
from service.web.pages.history import doubtful
from service.web.pages.remembered import Read, read

__all__ = ["DaysShown", "days_shown", "read_alone", "reads_alike"]

_ONE_DAY = timedelta(days=1)
#: How many neighbouring texts are compared at most: each is put together.
_NEIGHBOURS = 12


@dataclass(frozen=True, slots=True)
class DaysShown:
    """Days ``[first, until)`` of force of a text; None where nothing ends it.

    Attributes:
        doubtful: those of the two on whose other side nobody knows how it stands, or reads.
    """

    first: date
    until: date | None
    doubtful: frozenset[date]


def reads_alike(one: Read, other: Read) -> bool:
    """Whether two texts have the same words, and the same provisions of which nobody knows whether they apply."""
    return one.reading == other.reading and one.answer.undecided == other.answer.undecided


def read_alone(store: Store, target: Name, shown: InForce, began: date, today: date) -> Read:
    """The text to which the name of a norm's version leads by itself: of its first day, as last known.

    Args:
        store, target, shown: as for :func:`days_shown`; a version answers.
        began: the version's own day.
        today: the civil date taken for today.
    """
    known, version = today, shown.version
    assert version is not None  # noqa: S101 - by the caller
    now = in_force(store, target, began, known, shown.axis).version
    if (now is None or now.name != version.name) and version.known_until is not None:
        known = version.known_until - _ONE_DAY
    return read(store, target, began.isoformat(), known.isoformat(), shown.axis.value)


def days_shown(store: Store, target: Name, shown: InForce, text: Read) -> DaysShown | None:
    """The days around that of an answer on which a norm reads as it does; of a provision those of its version.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm or provision.
        shown: the answer for D and K.
        text: the text of that answer.

    Returns:
        None where no version answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if shown.version is None:
        return None
    first, until = shown.version.valid_from, shown.version.valid_until
    unsure = doubtful(over_force(store, target, shown.as_known))
    if target != target.work:
        return DaysShown(first, until, unsure)

    def on(day: date) -> Read:
        return read(store, target, day.isoformat(), shown.as_known.isoformat(), shown.axis.value)

    begun, ended = text.since, text.until
    for _ in range(_NEIGHBOURS):
        if begun is None or begun <= first or not reads_alike(before := on(begun - _ONE_DAY), text):
            break
        begun = before.since
    for _ in range(_NEIGHBOURS):
        if ended is None or (until is not None and ended >= until) or not reads_alike(after := on(ended), text):
            break
        ended = after.until
    if begun is not None and begun > first:
        first = begun
        unsure |= _unsure(text, on(first - _ONE_DAY), first)
    if ended is not None and (until is None or ended < until):
        until = ended
        unsure |= _unsure(text, on(until), until)
    return DaysShown(first, until, unsure)


def _unsure(text: Read, beside: Read, edge: date) -> frozenset[date]:
    """The edge between two texts, where only in the other one there are provisions that may apply or not."""
    return frozenset({edge} if set(beside.answer.undecided) - set(text.answer.undecided) else ())
