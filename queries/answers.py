"""Typed answers: frozen values, each with its reasons, sources and horizon of knowledge.

The fields define the JSON documents of docs/reference/json.md, in their order; :func:`queries.documents.document`
writes them. Days are civil dates; intervals are half open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from graph.entities import Axis
from graph.urn import Dialect
from queries.documents import Horizon, Notices, Share, WhyInWords, document
from queries.naming import UNLESS_NONE, MatchReason
from queries.reasons import Reason, Status

#: The target of a name: a provision, a version, or a norm through time.
Level: TypeAlias = Literal["fragment", "individual", "complex"]


@dataclass(frozen=True, slots=True)
class AxisAnswer:
    """The status on one axis on D, and the days ``[since, until)`` around D that have this status, as known on K.

    Attributes:
        status: one of the statuses.
        since, until: the days around D with this status, as known on K; None if a bound is not known, or there is no
            answer (``unknown-name``, ``not-published``).
    """

    status: Status
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class VersionAnswer:
    """The version in force, with the period in which it is the answer.

    Attributes:
        name: the individual work, canonical.
        version_date: its first day of force.
        event: the event that made this view; None if the name has none.
        view_date: the first day on which anyone could know the view.
        valid_from, valid_until: the days on which it is in force, ``[from, until)``.
        known_from, known_until: the days of knowledge on which this is the answer.
    """

    name: str
    version_date: date | None
    event: str | None
    view_date: date | None
    valid_from: Annotated[date, Field(serialization_alias="from")]
    valid_until: Annotated[date | None, Field(serialization_alias="until")]
    known_from: date
    known_until: date | None


@dataclass(frozen=True, slots=True)
class Expression:
    """A text of the version.

    Attributes:
        name: canonical.
        language: one or more; None if the name has none.
        form: such as ``texto``.
    """

    name: str
    language: str | None
    form: str


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """A copy at its publisher.

    Attributes:
        url: its address.
        format: the media type.
        kind: the kind of copy, such as ``conteudo``.
        publisher: its publisher.
    """

    url: str | None
    format: str | None
    kind: str | None
    publisher: str | None


@dataclass(frozen=True, slots=True)
class InForce:
    """The answer to the question: which text was in force on ``on``, as known on ``as_known``?

    Attributes:
        name: the norm or provision, canonical; as typed if it does not identify one.
        asked: the name as typed.
        on, as_known: D and K.
        axis: the requested axis.
        status: on the requested axis: that of ``force`` or of ``efficacy``.
        force, efficacy: the status on each axis, with its days.
        version: None unless the status is ``in-force``.
        expressions: texts of the version.
        items: copies of these texts.
        because: the deciding events.
        notices: further information on the answer.
        known_up_to: the newest datestamp harvested, by provider.
        sources: identifiers of the source records; if all are deleted, of those that were about the name.
    """

    name: str
    asked: str
    on: date
    as_known: date
    axis: Axis
    status: Status
    force: AxisAnswer
    efficacy: AxisAnswer
    version: VersionAnswer | None
    expressions: tuple[Expression, ...]
    items: tuple[ItemAnswer, ...]
    because: tuple[Reason, ...]
    notices: Notices
    known_up_to: Horizon
    sources: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)


@dataclass(frozen=True, slots=True)
class Period:
    """A period of a timeline: a version in force, or a gap and its reason.

    Attributes:
        version: the individual work, canonical; None in a gap.
        status: ``in-force``, or the reason of the gap.
        valid_from, valid_until: the days of the version or gap, ``[from, until)``.
        known_from, known_until: the days of knowledge on which this is the answer.
        axis: the axis of the period.
    """

    version: str | None
    status: Status
    valid_from: Annotated[date, Field(serialization_alias="from")]
    valid_until: Annotated[date | None, Field(serialization_alias="until")]
    known_from: date
    known_until: date | None
    axis: Axis

    def is_known(self, known: date) -> bool:
        """Return whether the known interval contains K, a civil date."""
        return self.known_from <= known and (self.known_until is None or known < self.known_until)

    def holds(self, on: date, known: date) -> bool:
        """Return whether the period contains (D, K), both civil dates."""
        return self.valid_from <= on and (self.valid_until is None or on < self.valid_until) and self.is_known(known)


@dataclass(frozen=True, slots=True)
class Timeline:
    """All periods and events of a norm, sorted by day of knowledge.

    Attributes:
        name: the norm or provision, canonical.
        periods: versions in force and gaps.
        events: the events that caused them.
        notices: further information on the answer.
    """

    name: str
    periods: tuple[Period, ...]
    events: tuple[Reason, ...]
    notices: Notices = ()

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)


class Match(StrEnum):
    """How a resolved name was found (LexML part 5, section 2.5)."""

    EXACT = "exact"
    ALIAS = "alias"
    PARTIAL = "partial"
    WIDER = "wider"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible name, with the reasons for it.

    Attributes:
        name: canonical.
        label: the name in words, in Portuguese; None if it was not requested.
        score: from 0 to 1; of a search in texts, how well the words match.
        why: the reasons as text.
        reasons: the same as values.
        excerpt: of a search in texts, the text around the match.
    """

    name: str
    label: str | None
    score: Share
    why: WhyInWords
    reasons: tuple[MatchReason, ...] = field(init=False, repr=False, compare=False, default=())
    excerpt: Annotated[str | None, UNLESS_NONE] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "reasons", self.why)

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving a name or citation; never a silent guess.

    Attributes:
        asked: the name as typed.
        canonical, dialect: None if the text does not identify one name.
        match: how the name was found.
        level: the target of the name: a provision, a version, or a norm through time.
        steps: the steps by which the name was read.
        candidates: at most 20, best first.
        notices: further information on the answer.
    """

    asked: str
    canonical: str | None
    dialect: Dialect | None
    match: Match
    level: Level
    steps: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    notices: Notices

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)
