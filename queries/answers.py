"""Typed answers: frozen values, each with its reasons, sources and the horizon of what was known.

``as_json()`` gives the documents promised in docs/interfaces.md. Dates are civil dates; intervals are half open.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.entities import Axis

__all__ = [
    "Candidate",
    "Expression",
    "InForce",
    "ItemAnswer",
    "Match",
    "Notice",
    "Period",
    "Reason",
    "Resolution",
    "Status",
    "Timeline",
    "VersionAnswer",
]


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
    UNKNOWN = "unknown"


def _day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader has to know beside the answer; ``code`` is stable (docs/interfaces.md lists all)."""

    code: str
    message: str

    def as_json(self) -> dict[str, object]:
        return {"code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class VersionAnswer:
    """The version in force, with the rectangle in which it is the answer.

    Attributes:
        name: the individual work, canonical.
        version_date: first day of force of the version.
        event: the event that made its view; None where the name leaves it open.
        view_date: from when on anyone could know the view.
        valid_from, valid_until: the days on which it is in force, ``[from, until)``.
        known_from, known_until: the days on which one would have got this answer.
    """

    name: str
    version_date: date | None
    event: str | None
    view_date: date | None
    valid_from: date
    valid_until: date | None
    known_from: date
    known_until: date | None

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "version_date": _day(self.version_date),
            "event": self.event,
            "view_date": _day(self.view_date),
            "from": _day(self.valid_from),
            "until": _day(self.valid_until),
            "known_from": _day(self.known_from),
            "known_until": _day(self.known_until),
        }


@dataclass(frozen=True, slots=True)
class Expression:
    """A text of the version: its language(s) and form."""

    name: str
    language: str | None
    form: str

    def as_json(self) -> dict[str, object]:
        return {"name": self.name, "language": self.language, "form": self.form}


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """A copy at its publisher."""

    url: str | None
    format: str | None
    kind: str | None
    publisher: str | None

    def as_json(self) -> dict[str, object]:
        return {"url": self.url, "format": self.format, "kind": self.kind, "publisher": self.publisher}


@dataclass(frozen=True, slots=True)
class Reason:
    """An event that decided the answer.

    Attributes:
        event: its notation in the event vocabulary; None for a view whose name says no event.
        effect: from when it has effect: a day, a year, or bounds ``first/last``; None where nothing is known.
        known: from when on anyone could know it, likewise.
        cause: the norm or judgment that caused it.
        source: the record that states it.
        version: the individual work that it made.
        provisions: where it acts on part of the norm alone and made a view of the whole, the provisions, canonical.
    """

    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    source: str | None
    version: str | None = None
    provisions: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "event": self.event,
            "effect": self.effect,
            "known": self.known,
            "cause": self.cause,
            "source": self.source,
            **({"provisions": list(self.provisions)} if self.provisions else {}),
        }


@dataclass(frozen=True, slots=True)
class InForce:
    """The answer to: which text was in force on ``on``, as anyone could have known it on ``as_known``?

    ``version`` is None unless ``status`` is in-force.
    """

    name: str
    asked: str
    on: date
    as_known: date
    axis: Axis
    status: Status
    version: VersionAnswer | None
    expressions: tuple[Expression, ...]
    items: tuple[ItemAnswer, ...]
    because: tuple[Reason, ...]
    notices: tuple[Notice, ...]
    known_up_to: tuple[tuple[str, date], ...]
    sources: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "asked": self.asked,
            "on": _day(self.on),
            "as_known": _day(self.as_known),
            "axis": self.axis.value,
            "status": self.status.value,
            "version": self.version.as_json() if self.version else None,
            "expressions": [e.as_json() for e in self.expressions],
            "items": [i.as_json() for i in self.items],
            "because": [r.as_json() for r in self.because],
            "notices": [n.as_json() for n in self.notices],
            "known_up_to": {provider: _day(day) for provider, day in self.known_up_to},
            "sources": list(self.sources),
        }


@dataclass(frozen=True, slots=True)
class Period:
    """A rectangle of a timeline: a version in force, or (``version`` None) a gap and why."""

    version: str | None
    status: Status
    axis: Axis
    valid_from: date
    valid_until: date | None
    known_from: date
    known_until: date | None

    def is_known(self, known: date) -> bool:
        """Whether K, a civil date, lies within."""
        return self.known_from <= known and (self.known_until is None or known < self.known_until)

    def holds(self, on: date, known: date) -> bool:
        """Whether (D, K), both civil dates, lies within."""
        return self.valid_from <= on and (self.valid_until is None or on < self.valid_until) and self.is_known(known)

    def as_json(self) -> dict[str, object]:
        return {
            "version": self.version,
            "status": self.status.value,
            "from": _day(self.valid_from),
            "until": _day(self.valid_until),
            "known_from": _day(self.known_from),
            "known_until": _day(self.known_until),
            "axis": self.axis.value,
        }


@dataclass(frozen=True, slots=True)
class Timeline:
    """All rectangles and events of a norm, in the order in which they came to be known."""

    name: str
    periods: tuple[Period, ...]
    events: tuple[Reason, ...]
    notices: tuple[Notice, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "periods": [p.as_json() for p in self.periods],
            "events": [e.as_json() for e in self.events],
            "notices": [n.as_json() for n in self.notices],
        }


class Match(StrEnum):
    """How a resolved name was found (LexML part 5, section 2.5)."""

    EXACT = "exact"
    ALIAS = "alias"
    PARTIAL = "partial"
    WIDER = "wider"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that may be meant, and why."""

    name: str
    label: str | None
    score: float
    why: str

    def as_json(self) -> dict[str, object]:
        return {"name": self.name, "label": self.label, "score": self.score, "why": self.why}


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a name or citation leads to; never a silent guess.

    ``canonical`` and ``dialect`` are None where the text makes no one name.
    """

    asked: str
    canonical: str | None
    dialect: str | None
    match: Match
    level: str
    steps: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    notices: tuple[Notice, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "asked": self.asked,
            "canonical": self.canonical,
            "dialect": self.dialect,
            "match": self.match.value,
            "level": self.level,
            "steps": list(self.steps),
            "candidates": [c.as_json() for c in self.candidates],
            "notices": [n.as_json() for n in self.notices],
        }
