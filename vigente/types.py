"""The types of the values that the public API returns, and of their parts."""

# ruff: noqa: I001  # a line has several names

from __future__ import annotations

from graph.amendments import (
    AmendedText, Amendments, Follows, Operation, OperationKind, Outcome, PartStatus, RefusalReason, Rest, TextPart,
    UnparsedReason, UnparsedText,
)  # fmt: skip
from graph.civil import Counting, Term, Unit
from graph.entities import EditorialNoteKind
from graph.errors import Span
from graph.terms import Text
from graph.time.intervals import Interval
from graph.time.kinds import Situation
from graph.urn.values import (
    Componente, Descritor, Deviation, Dialect, Forma, Fragmento, Kind, Local, Propriedade, RfcParts, Versao,
)  # fmt: skip
from graph.wording.citations.values import Citation, RangeEnd
from queries.answers import (
    AxisAnswer, Candidate, Expression, InForce, ItemAnswer, Match, Period, Resolution, Timeline, VersionAnswer,
)  # fmt: skip
from queries.consolidation.applied import Application, BillPreview
from queries.consolidation.blame import Blame, Line, Step
from queries.consolidation.derive import ChangedProvision, Preview
from queries.consolidation.disagreements import DisagreementCode, TextDisagreement, WitnessData
from queries.contradictions import Dispute
from queries.coverage import (
    AmendingAct, Content, Counts, Coverage, CoveredSource, CoveredText, InText, Lack, Missing, RefusedOperation,
    Shortfall,
)  # fmt: skip
from queries.dossier import Contradiction, Dossier, Effect, OnDay
from queries.editorial_notes import ProvisionNote
from queries.efficacy import WithoutEffect
from queries.full_text import Facets, FullTextAnswer, NamedTarget, NormMatch, ProvisionFound, Valid, WordsStatus
from queries.intervals import AnswerInterval
from queries.naming import Agreement, MatchReason
from queries.notices import (
    ActDays, AfterToday, AgreesInPart, Ambiguous, AmendmentWithoutVersion, ArticleGap, ArticlesMissing,
    BeforeFirstMemento, BeforePublication, CandidatesCut, CaputEnded, CommencementChanged, ConversionGap, CuratedFact,
    DatedVersion, DatesBeforeNorm, DatesOfWording, DerivedDiffers, DerivedText, Disagreement, EarlierTextUnknown,
    EfficacyDiffers, EquivalentNames, Interpreted, KnownOnlyLater, MeasureEnd, MeasureLapsed, MissingDay,
    MostRecentPast, NextToCome, NoEffectToday, NoHarvestDate, NoTextInForce, NoVersionAnswers, NoVersionDates,
    NormUndated, NotComparable, NotInForceToday, NotInText, NotUnderstood, NotYetInForce, Notice, NumbersBeganAnew,
    Occupant, OnlyMentioned, OrderNotApplied, OtherVersion, OutsideKnowledgeHorizon, PartsNotUsed, PassagesOmitted,
    ProvisionUnknown, ProvisionsInForceEarly, ProvisionsMarked, ProvisionsNotYetInForce, RecordWithdrawn,
    ReferenceName, ReturnedInstead, SameInVersion, SameNumber, SeveralCitations, SeveralOccupants, SeveralVersions,
    SourcesContradict, Statement, SupersededView, TailLeft, TermPassed, TextUnknown, Undated, UndatedText,
    UndecidedProvisions, UnderstoodAs, UnknownName, UnknownValue, UnknownVersion, UnspecificSearch, Vetoed, View,
    WiderLevel, WordsLeft, WordsUnknown,
)  # fmt: skip
from queries.reasons import EventMeaning, Explanation, Reason, Role
from queries.recent import RecentChange, RecentChanges
from queries.related import Record, RelatedData, RelatedDocuments, Titles
from queries.related_acts import RelatedAct, Relations
from queries.statistics import Stats
from queries.text.answers import Change, ChangeKind, Difference, EffectChange, ProvisionText, TextAnswer
from queries.text.changes import ChangeDay
from vigente.public import make_public

__all__ = [
    "ActDays", "AfterToday", "Agreement", "AgreesInPart", "Ambiguous", "AmendedText", "AmendingAct",
    "AmendmentWithoutVersion", "Amendments", "AnswerInterval", "Application", "ArticleGap", "ArticlesMissing",
    "AxisAnswer", "BeforeFirstMemento", "BeforePublication", "BillPreview", "Blame", "Candidate", "CandidatesCut",
    "CaputEnded", "Change", "ChangeDay", "ChangeKind", "ChangedProvision", "Citation", "CommencementChanged",
    "Componente", "Content", "Contradiction", "ConversionGap", "Counting", "Counts", "Coverage", "CoveredSource",
    "CoveredText", "CuratedFact", "DatedVersion", "DatesBeforeNorm", "DatesOfWording", "DerivedDiffers",
    "DerivedText", "Descritor", "Deviation", "Dialect", "Difference", "Disagreement", "DisagreementCode", "Dispute",
    "Dossier", "EarlierTextUnknown", "EditorialNoteKind", "Effect", "EffectChange", "EfficacyDiffers",
    "EquivalentNames", "EventMeaning", "Explanation", "Expression", "Facets", "Follows", "Forma", "Fragmento",
    "FullTextAnswer", "InForce", "InText", "Interpreted", "Interval", "ItemAnswer", "Kind", "KnownOnlyLater", "Lack",
    "Line", "Local", "Match", "MatchReason", "MeasureEnd", "MeasureLapsed", "Missing", "MissingDay", "MostRecentPast",
    "NamedTarget", "NextToCome", "NoEffectToday", "NoHarvestDate", "NoTextInForce", "NoVersionAnswers",
    "NoVersionDates", "NormMatch", "NormUndated", "NotComparable", "NotInForceToday", "NotInText", "NotUnderstood",
    "NotYetInForce", "Notice", "NumbersBeganAnew", "Occupant", "OnDay", "OnlyMentioned", "Operation", "OperationKind",
    "OrderNotApplied", "OtherVersion", "Outcome", "OutsideKnowledgeHorizon", "PartStatus", "PartsNotUsed",
    "PassagesOmitted", "Period", "Preview", "Propriedade", "ProvisionFound", "ProvisionNote", "ProvisionText",
    "ProvisionUnknown", "ProvisionsInForceEarly", "ProvisionsMarked", "ProvisionsNotYetInForce", "RangeEnd", "Reason",
    "RecentChange", "RecentChanges", "Record", "RecordWithdrawn", "ReferenceName", "RefusalReason",
    "RefusedOperation", "RelatedAct", "RelatedData", "RelatedDocuments", "Relations", "Resolution", "Rest",
    "ReturnedInstead", "RfcParts", "Role", "SameInVersion", "SameNumber", "SeveralCitations", "SeveralOccupants",
    "SeveralVersions", "Shortfall", "Situation", "SourcesContradict", "Span", "Statement", "Stats", "Step",
    "SupersededView", "TailLeft", "Term", "TermPassed", "Text", "TextAnswer", "TextDisagreement", "TextPart",
    "TextUnknown", "Timeline", "Titles", "Undated", "UndatedText", "UndecidedProvisions", "UnderstoodAs", "Unit",
    "UnknownName", "UnknownValue", "UnknownVersion", "UnparsedReason", "UnparsedText", "UnspecificSearch", "Valid",
    "Versao", "VersionAnswer", "Vetoed", "View", "WiderLevel", "WithoutEffect", "WitnessData", "WordsLeft",
    "WordsStatus", "WordsUnknown",
]  # fmt: skip

make_public(__name__)
