"""Notices about what the sources do not say, and where they contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from queries.notices.notice import Notice


@dataclass(frozen=True, slots=True)
class NoHarvestDate(Notice):
    """No source of the answer says when it was harvested."""

    CODE = "no-harvest-date"


@dataclass(frozen=True, slots=True)
class OutsideKnowledgeHorizon(Notice):
    """K lies after the newest record of the providers.

    Attributes:
        horizon: the day of that record.
    """

    CODE = "outside-knowledge-horizon"
    horizon: date


@dataclass(frozen=True, slots=True)
class NoVersionDates(Notice):
    """No source says from when the norm is in force; only its name dates it.

    Attributes:
        day: the representative date of the name; None where it has the year alone, or none.
        year: its year.
    """

    CODE = "no-version-dates"
    day: date | None
    year: int | None


class Missing(StrEnum):
    """Which day of a version nobody states."""

    START = "start"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Undated(Notice):
    """Something happened, but no source says exactly from when on.

    Attributes:
        events: the events whose days are not stated; where there are any the rest is empty.
        words: words that name a version in place of its first day of force.
        missing: which days of a version are not stated.
    """

    CODE = "undated"
    events: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class UndatedText(Notice):
    """No source says when the text was in force, if ever.

    Attributes:
        version: the version of the text; None where it names none.
    """

    CODE = "undated-text"
    version: str | None = None


@dataclass(frozen=True, slots=True)
class BeforePublication(Notice):
    """The day is before the first day on which the sources know the norm or provision.

    Attributes:
        on: D.
        first: that first day.
    """

    CODE = "before-publication"
    on: date
    first: date


@dataclass(frozen=True, slots=True)
class EarlierTextUnknown(Notice):
    """The first text known presupposes an earlier one, of which nothing is known.

    Attributes:
        first: the day since which the first text is known; None where nobody says.
    """

    CODE = "earlier-text-unknown"
    first: date | None


@dataclass(frozen=True, slots=True)
class AmendmentWithoutVersion(Notice):
    """A source states an amendment, but no version starts with it.

    Attributes:
        amending: the amending norm.
    """

    CODE = "amendment-without-version"
    amending: str


@dataclass(frozen=True, slots=True)
class DatedVersion:
    """A version with those of its days that lie before its norm."""

    name: str
    version_date: date | None
    view_date: date | None


@dataclass(frozen=True, slots=True)
class DatesBeforeNorm(Notice):
    """A source dates versions before the norm itself.

    Attributes:
        oldest: the earliest day that the name of the norm allows.
        versions: the versions.
    """

    CODE = "dates-before-norm"
    oldest: date
    versions: tuple[DatedVersion, ...]


@dataclass(frozen=True, slots=True)
class DatesOfWording(Notice):
    """The days of the wordings are those on which the amending norms were signed, not of their entry into force."""

    CODE = "dates-of-wording"


@dataclass(frozen=True, slots=True)
class ActDays(Notice):
    """The days of an amending norm, where a source gives less of them, or dates by signature what was published later.

    Attributes:
        act: the amending norm.
        named: how the source of the change names it; the same, or by its year alone.
        signed: the day of its name.
        published: the day of its publication, since which the change counts as known; None where no source dates it.
    """

    CODE = "act-days"
    act: str
    named: str
    signed: date
    published: date | None


@dataclass(frozen=True, slots=True)
class CuratedFact(Notice):
    """A fact is stated by a curator, and by no provider.

    Attributes:
        curator: who states it.
        source: what the curator cites; None for nothing.
    """

    CODE = "curated-fact"
    curator: str
    source: str | None


class Disagreement(StrEnum):
    """On what sources differ."""

    DATES = "dates"
    HISTORIES = "histories"
    WORDINGS = "wordings"
    ENDED_AND_PRINTED = "ended-and-printed"


@dataclass(frozen=True, slots=True)
class Statement:
    """What one record states.

    Attributes:
        by: the provider or curator.
        curated: whether that is a curator.
        record: the IRI of the record.
        version: the version that it names; None of a statement on an event.
        effect, known: from when the event has effect and since when it is known; None where not stated.
    """

    by: str
    curated: bool
    record: str
    version: str | None = None
    effect: str | None = None
    known: str | None = None


@dataclass(frozen=True, slots=True)
class SourcesContradict(Notice):
    """Sources contradict each other.

    Attributes:
        on: on what they differ: the dates of one event; the histories of provisions; the wordings of one version; or
            one ends a provision that another prints later.
        names: the norm or provision, the provisions, or the version that prints what ended.
        event: of dates: the event.
        day: of dates: the day since which an amendment is known, on whose start they differ.
        start: of dates: the day on which an amendment starts, on whose publication they differ.
        cause: of dates: the norm that caused the event.
        statements: of dates: what each record states.
    """

    CODE = "sources-contradict"
    on: Disagreement
    names: tuple[str, ...]
    event: str | None = None
    day: date | None = None
    start: date | None = None
    cause: str | None = None
    statements: tuple[Statement, ...] = ()
