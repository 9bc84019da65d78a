"""Notices: what a reader has to know beside an answer, as typed values from one closed list.

A notice has a code, which is stable, and typed fields. :mod:`queries.english` and the pages make the sentences; no
code reads a sentence. docs/reference/notices.md lists the codes with their meanings.

Names are canonical. Days are civil dates; ``effect`` and ``known`` of a statement are days as sources write them: a
day, a year, or bounds ``first/last``.
"""

from __future__ import annotations

from collections.abc import Iterable

from queries.notices.names import (
    AgreesInPart,
    Ambiguous,
    CandidatesCut,
    EquivalentNames,
    Given,
    NotUnderstood,
    NotYetTold,
    NumbersBeganAnew,
    Occupant,
    OnlyMentioned,
    OtherVersion,
    PartsNotUsed,
    ProvisionUnknown,
    RecordWithdrawn,
    ReferenceName,
    SameNumber,
    SeveralCitations,
    SeveralOccupants,
    TailLeft,
    TooLittleSaid,
    UnderstoodAs,
    UnknownName,
    UnknownValue,
    WiderLevel,
    WordsLeft,
)
from queries.notices.notice import Notice
from queries.notices.sources import (
    ActDays,
    AmendmentWithoutVersion,
    BeforePublication,
    CuratedFact,
    DatedVersion,
    DatesBeforeNorm,
    DatesOfWording,
    Disagreement,
    EarlierTextUnknown,
    Missing,
    NoHarvestDate,
    NoVersionDates,
    OutsideKnowledgeHorizon,
    SourcesContradict,
    Statement,
    Undated,
    UndatedText,
)
from queries.notices.texts import (
    AfterToday,
    BeforeFirstMemento,
    ConversionGap,
    DerivedDiffers,
    DerivedText,
    EfficacyDiffers,
    MeasureEnd,
    MeasureLapsed,
    MostRecentPast,
    NextToCome,
    NoEffectToday,
    NotComparable,
    NoTextInForce,
    NotInForceToday,
    NotInText,
    NotYetInForce,
    NoVersionAnswers,
    PassagesOmitted,
    SameInVersion,
    SeveralVersions,
    SupersededView,
    TextUnknown,
    UndecidedProvisions,
    UnknownVersion,
    Vetoed,
    View,
    WordsUnknown,
)

__all__ = [
    "ActDays",
    "AfterToday",
    "AgreesInPart",
    "Ambiguous",
    "AmendmentWithoutVersion",
    "AnyNotice",
    "BeforeFirstMemento",
    "BeforePublication",
    "CandidatesCut",
    "ConversionGap",
    "CuratedFact",
    "DatedVersion",
    "DatesBeforeNorm",
    "DatesOfWording",
    "DerivedDiffers",
    "DerivedText",
    "Disagreement",
    "EarlierTextUnknown",
    "EfficacyDiffers",
    "EquivalentNames",
    "Given",
    "MeasureEnd",
    "MeasureLapsed",
    "Missing",
    "MostRecentPast",
    "NextToCome",
    "NoEffectToday",
    "NoHarvestDate",
    "NoTextInForce",
    "NoVersionAnswers",
    "NoVersionDates",
    "NotComparable",
    "NotInForceToday",
    "NotInText",
    "NotUnderstood",
    "NotYetInForce",
    "NotYetTold",
    "Notice",
    "NumbersBeganAnew",
    "Occupant",
    "OnlyMentioned",
    "OtherVersion",
    "OutsideKnowledgeHorizon",
    "PartsNotUsed",
    "PassagesOmitted",
    "ProvisionUnknown",
    "RecordWithdrawn",
    "ReferenceName",
    "SameInVersion",
    "SameNumber",
    "SeveralCitations",
    "SeveralOccupants",
    "SeveralVersions",
    "SourcesContradict",
    "Statement",
    "SupersededView",
    "TailLeft",
    "TextUnknown",
    "TooLittleSaid",
    "Undated",
    "UndatedText",
    "UndecidedProvisions",
    "UnderstoodAs",
    "UnknownName",
    "UnknownValue",
    "UnknownVersion",
    "Vetoed",
    "View",
    "WiderLevel",
    "WordsLeft",
    "WordsUnknown",
    "any_of",
]

AnyNotice = (
    AfterToday
    | AgreesInPart
    | Ambiguous
    | AmendmentWithoutVersion
    | BeforeFirstMemento
    | BeforePublication
    | CandidatesCut
    | ConversionGap
    | CuratedFact
    | DatesBeforeNorm
    | ActDays
    | DatesOfWording
    | DerivedDiffers
    | DerivedText
    | EarlierTextUnknown
    | EfficacyDiffers
    | EquivalentNames
    | MeasureLapsed
    | MostRecentPast
    | NextToCome
    | NoEffectToday
    | NoHarvestDate
    | NoTextInForce
    | NoVersionAnswers
    | NoVersionDates
    | NotComparable
    | NotInForceToday
    | NotInText
    | NotUnderstood
    | NotYetInForce
    | NotYetTold
    | NumbersBeganAnew
    | OnlyMentioned
    | OtherVersion
    | OutsideKnowledgeHorizon
    | PartsNotUsed
    | PassagesOmitted
    | ProvisionUnknown
    | RecordWithdrawn
    | ReferenceName
    | SameInVersion
    | SameNumber
    | SeveralCitations
    | SeveralOccupants
    | SeveralVersions
    | SourcesContradict
    | SupersededView
    | TailLeft
    | TextUnknown
    | TooLittleSaid
    | Undated
    | UndatedText
    | UndecidedProvisions
    | UnderstoodAs
    | UnknownName
    | UnknownValue
    | UnknownVersion
    | Vetoed
    | WiderLevel
    | WordsLeft
    | WordsUnknown
)


def any_of(notices: Iterable[Notice], *kinds: type[Notice]) -> bool:
    """Whether there is a notice of one of some kinds."""
    return any(isinstance(one, kinds) for one in notices)
