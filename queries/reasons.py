"""Statuses and reasons: the status of a norm or provision on a day, and the events that decided it.

A reason names the whole chain: an event whose cause fell later carries the event that felled the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from graph.civil import Counting
from graph.lifecycle_events import ENDINGS, SUSPENSIONS
from ontology.events import EVENTS

#: The events that end a norm or provision, or suspend it.
_INTERRUPTING = frozenset(name for name, term in EVENTS.items() if term.effect in {*ENDINGS, *SUSPENSIONS})
#: Of a field: a document leaves it out where it is None, empty or false.
UNLESS_EMPTY = Field(exclude_if=lambda value: not value)


class Status(StrEnum):
    """What an answer says, in the order in which the cases are tried (docs/explanation/time.md)."""

    UNKNOWN_NAME = "unknown-name"
    NOT_PUBLISHED = "not-published"
    VACATIO = "vacatio"
    IN_FORCE = "in-force"
    SUSPENDED = "suspended"
    REVOKED = "revoked"
    ANNULLED = "annulled"
    EXPIRED = "expired"
    CONVERTED = "converted"
    VETOED = "vetoed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reason:
    """An event that decided the answer.

    Attributes:
        event: its notation in the event vocabulary; None for a view whose name says no event.
        effect: from when it has effect: a day, a year, or bounds ``first/last``; None where nothing is known.
        known: from when on anyone could know it, likewise.
        cause: the norm or judgment that caused it, or a provision of one.
        source: the record that states it.
        version: the individual work that it made.
        provisions: where it acts on part of the norm alone and made a view of the whole, the provisions, canonical.
        counted: how the day of effect was counted: the term, and the day of publication; None where a source states it.
        undone_by: what took its effect away later, such as the annulment of its cause, from the nearest on.
    """

    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    source: str | None
    version: Annotated[str | None, Field(exclude=True)] = None
    provisions: Annotated[tuple[str, ...], UNLESS_EMPTY] = ()
    counted: Annotated[Counting | None, UNLESS_EMPTY] = None
    undone_by: Annotated[tuple[Reason, ...], UNLESS_EMPTY] = ()


class Role(StrEnum):
    """What a reason explains of how a norm stands on a day: the code of a reason in a dossier.

    ``began``: it began the days that have the status; ``decided``: it decided the answer; ``worded``: it gave a part
    of the text its words; ``without-effect``: it took the effect away, or holds it back; ``undoes``: it ends, on a
    later day, what has ended or has no effect.
    """

    BEGAN = "began"
    DECIDED = "decided"
    WORDED = "worded"
    WITHOUT_EFFECT = "without-effect"
    UNDOES = "undoes"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reason with the role that it has in a dossier."""

    role: Role
    reason: Reason


class Acting(NamedTuple):
    """An event with its place among those that decided a period.

    Attributes:
        place: its position in the order of the derivation: an event, then the event that felled its cause.
        target: the name of the work or provision that it acts on.
        reason: one statement of it; an event that several records state has several.
    """

    place: int
    target: str
    reason: Reason


def chained(events: Sequence[Acting]) -> list[Reason]:
    """The reasons in their order, each event that acts on the cause of an earlier event nested in that event's reason.

    Of several earlier events with that cause the nearest one counts. An event that acts on no such cause stays at the
    top, so that none is left out.

    >>> revoked = Reason("revogacao", "2005-01-01", "2004-12-01", "urn:lex:br;a", None)
    >>> annulled = Reason("anulacao", "2010-06-23", "2010-06-23", "urn:lex:br;b", None)
    >>> (reason,) = chained([Acting(0, "urn:lex:br;x", revoked), Acting(1, "urn:lex:br;a", annulled)])
    >>> reason.event, [one.event for one in reason.undone_by]
    ('revogacao', ['anulacao'])
    """
    caused: dict[str, set[int]] = {}
    for one in events:
        for name in _containing(one.reason.cause):
            caused.setdefault(name, set()).add(one.place)
    felled: dict[int, list[Acting]] = {}
    top: list[Acting] = []
    for one in events:
        nearest = max((place for place in caused.get(one.target, ()) if place < one.place), default=None)
        (top if nearest is None else felled.setdefault(nearest, [])).append(one)
    return [_with_chain(one, felled) for one in top]


def flattened(because: Iterable[Reason]) -> Iterator[Reason]:
    """Reasons, each followed by those that are nested in it."""
    for one in because:
        yield one
        yield from flattened(one.undone_by)


def interrupts(reason: Reason) -> bool:
    """Return whether its event ends or suspends its target. An amendment or a prorogation does not."""
    return reason.event in _INTERRUPTING


def _with_chain(one: Acting, felled: dict[int, list[Acting]]) -> Reason:
    """A reason with those that act on its cause; a place is later than its parent's, so this ends."""
    names = set(_containing(one.reason.cause))
    acting = (other for other in felled.get(one.place, ()) if other.target in names)
    undone = tuple(dict.fromkeys(_with_chain(other, felled) for other in acting))
    return replace(one.reason, undone_by=undone) if undone else one.reason


def _containing(name: str | None) -> Iterator[str]:
    """A name, and those of the provisions and the norm that contain it."""
    if name is None:
        return
    norm, mark, fragment = name.partition("!")
    steps = fragment.split("_") if mark else []
    yield from (f"{norm}!{'_'.join(steps[:count])}" for count in range(len(steps), 0, -1))
    yield norm
    if "@" in norm:
        yield norm.partition("@")[0]
