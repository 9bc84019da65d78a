"""Statuses and reasons: how a norm or provision stands on a day, and the events that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

#: Of a field: a document leaves it out where it is None, empty or false.
UNLESS_EMPTY = Field(exclude_if=lambda value: not value)


class Status(StrEnum):
    """What an answer says, in the order in which the cases are tried (docs/time.md)."""

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
        counted: how the day of effect was counted, e.g. ``"180 days from 2015-07-07"``; None where a source states it.
        undone_by: what took its effect away later, such as the annulment of its cause, from the nearest on.
    """

    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    source: str | None
    version: Annotated[str | None, Field(exclude=True)] = None
    provisions: Annotated[tuple[str, ...], UNLESS_EMPTY] = ()
    counted: Annotated[str | None, UNLESS_EMPTY] = None
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
    """A reason with what it explains."""

    role: Role
    reason: Reason
