"""Typed answers: frozen values, each with its reasons, sources and horizon of knowledge.

The fields, in their order, define the JSON documents of docs/reference/json.md, which
:func:`queries.documents.document` returns. Days are civil dates; intervals are half open.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from graph.time.intervals import Interval
from graph.time.kinds import Axis, Status
from graph.urn import Dialect
from queries.documents import Horizon, Notices, Share, WhyInWords, document
from queries.naming import UNLESS_NONE, MatchReason
from queries.notices import (
    NotUnderstood,
    NoVersionAnswers,
    ReferenceName,
    UnknownName,
    UnknownVersion,
    WordsLeft,
    any_of,
)
from queries.reasons import UNLESS_EMPTY, Reason

#: The target of a name: a provision, a version, or a norm through time.
Level: TypeAlias = Literal["fragment", "individual", "complex"]


@dataclass(frozen=True, slots=True)
class AxisAnswer:
    """The status on one axis on D, and the days ``[since, until)`` around D with the same status, as known on K.

    Attributes:
        status: one of the statuses.
        since: the first day of the interval around D with this status, as known on K; None if it is open or not known,
            or there is no answer (``unknown-name``, ``not-published``).
        until: the day after the last one of that interval; None likewise.
    """

    status: Status
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class VersionAnswer:
    """The version in force, with the period in which it is the answer.

    Attributes:
        name: canonical name of the version.
        version_date: its first day of force; None if the name has none.
        event: the event that made this view; None if the name has none.
        view_date: the first day on which anyone could know the view; None if the name has none.
        valid_from: the first day on which it is in force.
        valid_until: the first day on which it is no longer in force; None if no such day is known.
        known_from: the first day of knowledge on which this is the answer.
        known_until: the first day of knowledge on which this is no longer the answer; None if there is none.
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
        name: canonical name of the text.
        language: its language or languages, as in the name; None if the name has none.
        form: its content type, such as ``texto``.
    """

    name: str
    language: str | None
    form: str


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """A copy at its publisher.

    Attributes:
        url: its address.
        format: its media type.
        kind: the kind of copy, such as ``conteudo``.
        publisher: the name of its publisher.
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
        on: D, the day on which the text applies.
        as_known: K, the day of knowledge.
        axis: the requested axis.
        status: the status on the requested axis: that of ``force`` or of ``efficacy``.
        force: the status on the axis of force, with its days.
        efficacy: the status on the axis of efficacy, with its days.
        version: the version in force; None unless the status is ``in-force``.
        expressions: the texts of the version.
        items: the copies of these texts.
        because: the events that decided the status.
        notices: further information on the answer.
        known_up_to: for each provider, the newest datestamp harvested from it.
        sources: identifiers of the source records of the answer. If all records about the name are deleted, those of
            the deleted records.
        nearest: if the norm has no such provision, the nearest one in its text.
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
    nearest: Annotated[str | None, UNLESS_EMPTY] = None

    @property
    def is_unknown(self) -> bool:
        """Whether the name is unknown, the text identifies no single name, or the norm has no such provision."""
        return self.status.names_nothing

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


@dataclass(frozen=True, slots=True)
class Period:
    """A period of a timeline: a version in force, or a gap and its reason.

    Attributes:
        version: canonical name of the version; None in a gap.
        status: ``in-force``, or in a gap the status that explains it.
        valid_from: the first day of the version or gap.
        valid_until: the day after its last day; None if it is open.
        known_from: the first day of knowledge on which this is the answer.
        known_until: the first day of knowledge on which this is no longer the answer; None if there is none.
        axis: the axis of the period.
    """

    version: str | None
    status: Status
    valid_from: Annotated[date, Field(serialization_alias="from")]
    valid_until: Annotated[date | None, Field(serialization_alias="until")]
    known_from: date
    known_until: date | None
    axis: Axis

    @property
    def valid(self) -> Interval:
        """The days of force of the period."""
        return Interval(self.valid_from, self.valid_until)

    @property
    def known(self) -> Interval:
        """The days of knowledge of the period."""
        return Interval(self.known_from, self.known_until)

    def is_known(self, known: date) -> bool:
        """Return whether the days of knowledge of the period contain K, a civil date."""
        return self.known.holds(known)

    def holds(self, on: date, known: date) -> bool:
        """Return whether the period contains (D, K), both civil dates."""
        return self.valid.holds(on) and self.is_known(known)

    def within(self, valid: Interval, known: Interval) -> Period:
        """Return the period on these days of force and of knowledge."""
        return replace(
            self, valid_from=valid.start, valid_until=valid.until, known_from=known.start, known_until=known.until
        )


@dataclass(frozen=True, slots=True)
class Timeline:
    """All periods and events of a norm, sorted by day of knowledge.

    Attributes:
        name: the norm or provision, canonical.
        periods: the versions in force and the gaps, on both axes.
        events: the events that caused the periods.
        notices: further information on the answer.
    """

    name: str
    periods: tuple[Period, ...]
    events: tuple[Reason, ...]
    notices: Notices = ()

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
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
        name: canonical name.
        label: the name in words, in Portuguese; None if it was not requested.
        score: how well it matches, from 0 to 1; in a search in texts, how well the words match.
        why: the reasons as English text.
        reasons: the same reasons as values.
        excerpt: in a search in texts, the text around the match.
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
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving a name or citation. Every inference is reported.

    Attributes:
        asked: the name as typed.
        canonical: the canonical name; None if the text does not identify one name.
        dialect: the grammar by which the name was read; None if the text does not identify one name.
        match: how the name was found.
        level: the kind of entity: ``fragment`` (a provision), ``individual`` (a version) or ``complex`` (a norm).
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

    @property
    def is_unknown(self) -> bool:
        """Whether the text means no norm or provision: none has the name, or words of it were not understood."""
        if any(isinstance(notice, NoVersionAnswers) and notice.status.names_nothing for notice in self.notices):
            return True
        return any_of(self.notices, WordsLeft) or (
            not self.candidates and any_of(self.notices, UnknownName, UnknownVersion, ReferenceName, NotUnderstood)
        )

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)
