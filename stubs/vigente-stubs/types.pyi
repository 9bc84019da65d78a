# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from datetime import date as date
from datetime import time as time
from enum import StrEnum as StrEnum
from typing import Any as Any
from typing import ClassVar as ClassVar
from typing import Literal as Literal
from typing import TypeAlias as TypeAlias
from vigente import Axis as Axis
from vigente import Name as Name
from vigente import Status as Status
__all__ = ['ActDays', 'AfterToday', 'Agreement', 'AgreesInPart', 'Ambiguous', 'AmendedText', 'AmendingAct', 'AmendmentWithoutVersion', 'Amendments', 'AnswerInterval', 'Application', 'ArticleGap', 'ArticlesMissing', 'AxisAnswer', 'BeforeFirstMemento', 'BeforePublication', 'BillPreview', 'Blame', 'Candidate', 'CandidatesCut', 'CaputEnded', 'Change', 'ChangeDay', 'ChangeKind', 'ChangedProvision', 'Citation', 'CommencementChanged', 'Componente', 'Content', 'Contradiction', 'ConversionGap', 'Counting', 'Counts', 'Coverage', 'CoveredSource', 'CoveredText', 'CuratedFact', 'DatedVersion', 'DatesBeforeNorm', 'DatesOfWording', 'DerivedDiffers', 'DerivedText', 'Descritor', 'Deviation', 'Dialect', 'Difference', 'Disagreement', 'DisagreementCode', 'Dispute', 'Dossier', 'EarlierTextUnknown', 'EditorialNoteKind', 'Effect', 'EffectChange', 'EfficacyDiffers', 'EquivalentNames', 'EventMeaning', 'Explanation', 'Expression', 'Facets', 'Follows', 'Forma', 'Fragmento', 'FullTextAnswer', 'InForce', 'InText', 'Interpreted', 'Interval', 'ItemAnswer', 'Kind', 'KnownOnlyLater', 'Lack', 'Line', 'Local', 'Match', 'MatchReason', 'MeasureEnd', 'MeasureLapsed', 'Missing', 'MissingDay', 'MostRecentPast', 'NamedTarget', 'NextToCome', 'NoEffectToday', 'NoHarvestDate', 'NoTextInForce', 'NoVersionAnswers', 'NoVersionDates', 'NormMatch', 'NormUndated', 'NotComparable', 'NotInForceToday', 'NotInText', 'NotUnderstood', 'NotYetInForce', 'Notice', 'NumbersBeganAnew', 'Occupant', 'OnDay', 'OnlyMentioned', 'Operation', 'OperationKind', 'OrderNotApplied', 'OtherVersion', 'Outcome', 'OutsideKnowledgeHorizon', 'PartStatus', 'PartsNotUsed', 'PassagesOmitted', 'Period', 'Preview', 'Propriedade', 'ProvisionFound', 'ProvisionNote', 'ProvisionText', 'ProvisionUnknown', 'ProvisionsInForceEarly', 'ProvisionsMarked', 'ProvisionsNotYetInForce', 'RangeEnd', 'Reason', 'RecentChange', 'RecentChanges', 'Record', 'RecordWithdrawn', 'ReferenceName', 'RefusalReason', 'RefusedOperation', 'RelatedAct', 'RelatedData', 'RelatedDocuments', 'Relations', 'Resolution', 'Rest', 'ReturnedInstead', 'RfcParts', 'Role', 'SameInVersion', 'SameNumber', 'SeveralCitations', 'SeveralOccupants', 'SeveralVersions', 'Shortfall', 'Situation', 'SourcesContradict', 'Span', 'Statement', 'Stats', 'Step', 'SupersededView', 'TailLeft', 'Term', 'TermPassed', 'Text', 'TextAnswer', 'TextDisagreement', 'TextPart', 'TextUnknown', 'Timeline', 'Titles', 'Undated', 'UndatedText', 'UndecidedProvisions', 'UnderstoodAs', 'Unit', 'UnknownName', 'UnknownValue', 'UnknownVersion', 'UnparsedReason', 'UnparsedText', 'UnspecificSearch', 'Valid', 'Versao', 'VersionAnswer', 'Vetoed', 'View', 'WiderLevel', 'WithoutEffect', 'WitnessData', 'WordsLeft', 'WordsStatus', 'WordsUnknown']
@dataclass(frozen=True, slots=True)
class ActDays(Notice):
    act: str
    named: str
    signed: date
    published: date | None
@dataclass(frozen=True, slots=True)
class Notice:
    CODE: ClassVar[str]

    @property
    def code(self) -> str:
        ...
@dataclass(frozen=True, slots=True)
class AfterToday(Notice):
    day: date
class Agreement(StrEnum):
    ALL_FIELDS = 'every'
    NAME = 'itself'
    NORM_OF_NAME = 'norm'
    VERSION_OF_PROVISION = 'version'
    BEGINS_SO = 'begins'
    EQUIVALENT = 'equivalent'
    CITED_AS = 'cited_as'
    READ_AS = 'read_as'
    KNOWN_AS = 'known_as'
    NICKNAMED = 'nicknamed'
    NUMBER = 'number'
    ONE_NUMBER = 'one_number'
    NUMBERS_DIFFER = 'numbers_differ'
    COMPONENT = 'component'
    ANNEX_OF_NAME = 'annex'
    NUMBER_MISSING = 'number_unsaid'
    AUTHORITY_MISSING = 'authority_unsaid'
    PLACE_MISSING = 'place_unsaid'
    TYPE_MISSING = 'type_unsaid'
    IT_IS = 'it_is'
    OTHER_AUTHORITY = 'other_authority'
    OTHER_ORGAN = 'other_organ'
    ABBREVIATED = 'abbreviated'
    SAME_SUMMARY = 'same_summary'
    TYPE = 'type'
    SUBTYPE = 'subtype'
    OTHER_SUBTYPE = 'other_subtype'
    NO_SUBTYPE = 'no_subtype'
    YEAR = 'year'
    MONTH = 'month'
    YEAR_ALONE = 'year_alone'
    FULL_DATE = 'full_date'
    OTHER_DAY = 'other_day'
    DATES_DIFFER = 'dates_differ'
    OTHER_YEAR = 'other_year'
    OF_DAY = 'of_day'
    BY_TYPE = 'said_type'
    BY_AUTHORITY = 'said_authority'
    BY_PLACE = 'said_place'
    BY_YEAR = 'said_year'
    ALL_WORDS = 'has_words'
    SOME_WORDS = 'some_words'
    WORDS_IN_NORM = 'words_in_norm'
    WORDS_OF = 'stand_in'
    REFERS = 'refers'
    CAUSE = 'names_cause'
    ONLY_FACTS = 'only_facts'
    FACTS_PAGE = 'page_of_facts'
    GONE = 'gone'
    IN_RANGE = 'in_range'
    IN_FORCE = 'in_force'
    IN_FORCE_FROM = 'in_force_from'
    KNOWN_FORCE_NONE = 'no_force_known'
    MADE_KNOWN = 'made_known'
@dataclass(frozen=True, slots=True)
class AgreesInPart(Notice):
    names: tuple[str, ...]
    more: bool
    why: tuple[MatchReason, ...]
@dataclass(frozen=True, slots=True)
class MatchReason:
    code: Agreement
    value: str | None = ...
    since: date | None = ...
    until: date | None = ...
    known: date | None = ...
@dataclass(frozen=True, slots=True)
class Ambiguous(Notice):
    names: tuple[str, ...]
    count: int
    more: bool = ...
    nickname: bool = ...
@dataclass(frozen=True, slots=True)
class AmendedText:
    parts: tuple[TextPart, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def is_certain(self) -> bool:
        ...
@dataclass(frozen=True, slots=True)
class TextPart:
    fragment: str
    within: str | None
    label: str | None
    heading: str | None
    text: str | None
    made_by: tuple[Name, ...] = ...
    status: PartStatus = ...
    reason: RefusalReason | Rest | None = ...
class PartStatus(StrEnum):
    IN_FORCE = 'in-force'
    REPEALED = 'repealed'
    UNKNOWN = 'unknown'
class RefusalReason(StrEnum):
    VETOED = 'vetoed'
    AMBIGUOUS_SCOPE = 'ambiguous-scope'
    AMBIGUOUS_LABEL = 'ambiguous-label'
    PARTIAL_TEXT = 'partial-text'
    NOT_QUOTED = 'not-quoted'
    TARGET_NOT_FOUND = 'target-not-found'
    LABEL_TAKEN = 'label-taken'
    SOLE_PARAGRAPH = 'sole-paragraph'
    WORDS_NOT_FOUND = 'words-not-found'
    IN_PART = 'in-part'
    OVERTAKEN = 'overtaken'
    NOT_UNDERSTOOD = 'not-understood'
    WHOLE_NORM = 'whole-norm'
class Rest(StrEnum):
    KEPT = 'kept'
    GONE = 'gone'
    UNSTATED = 'unsaid'
    UNDECIDED = 'undecided'
@dataclass(frozen=True, slots=True)
class Outcome:
    operation: Operation
    refused: RefusalReason | None
    touched: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class Operation:
    source: Name | None
    target: Name
    kind: OperationKind
    label: str | None = ...
    text: str | None = ...
    heading: str | None = ...
    replaced: str | None = ...
    position: Name | None = ...
    effect: date | None = ...
    known: date | None = ...
    line: int = ...
    refused: RefusalReason | None = ...
    becomes: Name | None = ...
    group: str | None = ...
    parts: Rest = ...
    paragraphs: Rest = ...
    replaces: bool = ...
    letters: bool = ...
    follows: Follows | Term | None = ...
class OperationKind(StrEnum):
    SUBSTITUTION = 'substitution'
    INSERTION = 'insertion'
    REPEAL = 'repeal'
    RENUMBERING = 'renumbering'
    SUPPRESSION = 'suppression'
    EXPRESSION = 'expression'
class Follows(StrEnum):
    FORCE = 'force'
    PUBLICATION = 'publication'
@dataclass(frozen=True, slots=True)
class Term:
    number: int
    unit: Unit

    def __str__(self) -> str:
        ...
class Unit(StrEnum):
    DAY = 'day'
    MONTH = 'month'
    YEAR = 'year'
    FOLLOWING_MONTH = 'following month'
    FOLLOWING_YEAR = 'following year'
@dataclass(frozen=True, slots=True)
class AmendingAct:
    act: str
    known: date | None
    in_text: InText | None
    provisions: int
    operations: int
    applied: int
    refused: tuple[RefusedOperation, ...]
class InText(StrEnum):
    PUBLISHED = 'published'
    DERIVED = 'derived'
@dataclass(frozen=True, slots=True)
class RefusedOperation:
    target: str
    kind: OperationKind
    code: RefusalReason
@dataclass(frozen=True, slots=True)
class AmendmentWithoutVersion(Notice):
    amending: str
@dataclass(frozen=True, slots=True)
class Amendments:
    act: Name | None
    operations: tuple[Operation, ...]
    left: tuple[UnparsedText, ...]

    @property
    def doubts(self) -> tuple[Operation, ...]:
        ...
@dataclass(frozen=True, slots=True)
class UnparsedText:
    line: int
    text: str
    code: UnparsedReason
    named: tuple[str, ...] = ...
class UnparsedReason(StrEnum):
    NO_TARGET = 'no-target'
    NOT_PLACED = 'not-placed'
    FORMULA = 'formula'
    ANNEX = 'annex'
    COMMENCEMENT = 'commencement'
@dataclass(frozen=True, slots=True)
class AnswerInterval(Interval):
    status: Status
    version: str | None
@dataclass(frozen=True, slots=True)
class Interval:
    start: date
    until: date | None

    @property
    def edges(self) -> frozenset[date]:
        ...

    def holds(self, day: date) -> bool:
        ...

    def overlaps(self, other: Interval) -> bool:
        ...

    def intersection(self, other: Interval) -> Interval | None:
        ...

    def split(self, days: Iterable[date]) -> Iterator[Interval]:
        ...
@dataclass(frozen=True, slots=True)
class Application:
    name: Name
    applied: AmendedText
    changes: tuple[ChangedProvision, ...]
    other_targets: tuple[Name, ...]
    not_understood: tuple[UnparsedText, ...]

    @property
    def is_certain(self) -> bool:
        ...

    def as_json(self) -> dict[str, Any]:
        ...
@dataclass(frozen=True, slots=True)
class ChangedProvision:
    fragment: str
    before: TextPart | None
    after: TextPart | None
    words: tuple[tuple[Sign, str], ...]
Sign: TypeAlias = Literal['=', '-', '+']
@dataclass(frozen=True, slots=True)
class ArticleGap:
    first: int
    last: int
@dataclass(frozen=True, slots=True)
class ArticlesMissing(Notice):
    gaps: tuple[ArticleGap, ...]
@dataclass(frozen=True, slots=True)
class AxisAnswer:
    status: Status
    since: date | None = ...
    until: date | None = ...
@dataclass(frozen=True, slots=True)
class BeforeFirstMemento(Notice):
    day: date
    first: date
@dataclass(frozen=True, slots=True)
class BeforePublication(Notice):
    on: date
    first: date
@dataclass(frozen=True, slots=True)
class BillPreview:
    act: Name | None
    on: date | None
    norms: tuple[Preview, ...]
    not_found: tuple[Name, ...]
    not_understood: tuple[UnparsedText, ...]

    @property
    def is_certain(self) -> bool:
        ...

    def as_json(self) -> dict[str, Any]:
        ...
@dataclass(frozen=True, slots=True)
class Preview:
    name: Name
    answer: TextAnswer
    before: tuple[TextPart, ...]
    applied: AmendedText
    changes: tuple[ChangedProvision, ...]
@dataclass(frozen=True, slots=True)
class TextAnswer:
    name: str
    asked: str
    on: date | None
    as_known: date | None
    status: Status | None
    force: AxisAnswer | None
    efficacy: AxisAnswer | None
    version: str | None
    provisions: tuple[ProvisionText, ...]
    undecided: tuple[str, ...]
    because: tuple[Reason, ...]
    notices: Notices
    known_up_to: Horizon
    sources: tuple[str, ...]
    notes: tuple[ProvisionNote, ...] = ...
    nearest: str | None = ...

    @property
    def marks(self) -> Mapping[str, Situation]:
        ...

    @property
    def is_unknown(self) -> bool:
        ...

    def as_json(self) -> dict[str, object]:
        ...
Notices: TypeAlias = tuple[Notice, ...]
Horizon: TypeAlias = tuple[tuple[str, date], ...]
@dataclass(frozen=True, slots=True)
class ProvisionText:
    name: str
    label: str | None
    text: str | None
    level: int
    heading: str | None
    version: str | None
    situation: str | None
    undecided: bool = ...
    derived_from: tuple[str, ...] = ...
    markup: str | None = ...

    @property
    def grouping(self) -> bool:
        ...

    @property
    def omitted(self) -> bool:
        ...

    @property
    def lines(self) -> tuple[str, ...]:
        ...
@dataclass(frozen=True, slots=True)
class Reason:
    event: str | None
    effect: str | None
    known: str | None
    cause: str | None
    source: str | None
    version: str | None = ...
    provisions: tuple[str, ...] = ...
    counted: Counting | None = ...
    undone_by: tuple[Reason, ...] = ...
    meaning: EventMeaning | None = ...
    of_act: bool = ...
    named: str | None = ...
@dataclass(frozen=True, slots=True)
class Counting:
    number: int
    unit: Unit
    since: date
    counted: date | None = ...

    def __str__(self) -> str:
        ...
class EventMeaning(StrEnum):
    COMMENCEMENT_CLAUSE = 'commencement_clause'
    OVERTURNED_VETO = 'overturned_veto'
    INSERTION = 'insertion'
@dataclass(frozen=True, slots=True)
class ProvisionNote:
    provision: str
    kind: EditorialNoteKind
    text: str
    target: str | None
    url: str | None
    source: str
    struck: bool = ...
class EditorialNoteKind(StrEnum):
    VIDE = 'vide'
    PROMULGACAO = 'promulgacao'
    VIGENCIA = 'vigencia'
    PRODUCAO_DE_EFEITO = 'producao.efeito'
    REGULAMENTO = 'regulamento'
    VIDE_ADI = 'vide.adi'
    RETIFICACAO = 'retificacao'
    REPUBLICACAO = 'republicacao'
    OUTRA = 'outra'
class Situation(StrEnum):
    OMISSIS = 'omissis'
    REVOGADO = 'revogado'
    SUSPENSO = 'suspenso'
    VETADO = 'vetado'
    SUPERADO = 'superado'
@dataclass(frozen=True, slots=True)
class Blame:
    name: str
    on: date
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class Step:
    status: Status
    label: str | None
    heading: str | None
    text: str | None
    since: date | None
    known: str | None
    act: str | None
    source: str | None
    derived: bool
    version: str | None = ...
    bounds: ChangeDay | None = ...
    until: date | None = ...
    original: bool = ...
    wording_open: bool = ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class ChangeDay:
    first: date | None
    last: date | None

    @property
    def exact(self) -> date | None:
        ...

    @property
    def is_vague(self) -> bool:
        ...

    def is_settled(self, on: date) -> bool:
        ...

    def is_pending(self, on: date) -> bool:
        ...
@dataclass(frozen=True, slots=True)
class Line:
    provision: str
    step: Step
@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    label: str | None
    score: Share
    why: WhyInWords
    reasons: tuple[MatchReason, ...] = field(init=False)
    excerpt: str | None = ...

    def __post_init__(self) -> None:
        ...

    def as_json(self) -> dict[str, object]:
        ...
Share: TypeAlias = float
WhyInWords: TypeAlias = tuple[MatchReason, ...]
@dataclass(frozen=True, slots=True)
class CandidatesCut(Notice):
    looked_at: int | None = ...
    found: int | None = ...
    shown: int | None = ...
@dataclass(frozen=True, slots=True)
class CaputEnded(Notice):
    caput: str
    status: Status
@dataclass(frozen=True, slots=True)
class Change:
    provision: str
    kind: ChangeKind
    before: ProvisionText | None
    after: ProvisionText | None
    words: tuple[tuple[Sign, str], ...]
    because: tuple[Reason, ...]
class ChangeKind(StrEnum):
    BEGUN = 'begun'
    BEGUN_AMENDED = 'begun-amended'
    INSERTED = 'inserted'
    CHANGED = 'changed'
    REVOKED = 'revoked'
    ANNULLED = 'annulled'
    EXPIRED = 'expired'
    CONVERTED = 'converted'
    VETOED = 'vetoed'
    RESTORED = 'restored'
    MOVED = 'moved'
@dataclass(frozen=True, slots=True)
class Citation:
    text: str
    start: Count
    end: Count
    name: str
    kind: Kind
    confidence: float
    reason: str | None = ...
    ends: tuple[RangeEnd, ...] = ...

    def as_json(self) -> dict[str, object]:
        ...
Count: TypeAlias = int
class Kind(StrEnum):
    COMPLEX = 'complex'
    INDIVIDUAL = 'individual'
    EXPRESSION = 'expression'
    FRAGMENT = 'fragment'
    REFERENCE = 'reference'
@dataclass(frozen=True, slots=True)
class RangeEnd:
    text: str
    start: Count
    end: Count
    name: str
@dataclass(frozen=True, slots=True)
class CommencementChanged(Notice):
    norm: str
    acts: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class Componente:
    id: str
    titulo: str | None = ...
class Content(StrEnum):
    TEXT = 'text'
    EVENTS = 'events'
    DESCRIPTION = 'description'
    OPERATIONS = 'operations'
    RECORDS = 'records'
@dataclass(frozen=True, slots=True)
class Contradiction:
    notice: SourcesContradict
    days: Dispute | None

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class SourcesContradict(Notice):
    on: Disagreement
    names: tuple[str, ...]
    event: str | None = ...
    day: date | None = ...
    start: date | None = ...
    cause: str | None = ...
    statements: tuple[Statement, ...] = ...
class Disagreement(StrEnum):
    DATES = 'dates'
    HISTORIES = 'histories'
    WORDINGS = 'wordings'
    ENDED_AND_PRINTED = 'ended-and-printed'
@dataclass(frozen=True, slots=True)
class Statement:
    by: str
    curated: bool
    record: str
    version: str | None = ...
    effect: str | None = ...
    known: str | None = ...
@dataclass(frozen=True, slots=True)
class Dispute(Interval):
    known: date

    def touches(self, period: Period) -> bool:
        ...
@dataclass(frozen=True, slots=True)
class Period:
    version: str | None
    status: Status
    valid_from: date
    valid_until: date | None
    known_from: date
    known_until: date | None
    axis: Axis

    @property
    def valid(self) -> Interval:
        ...

    @property
    def known(self) -> Interval:
        ...

    def is_known(self, known: date) -> bool:
        ...

    def holds(self, on: date, known: date) -> bool:
        ...

    def within(self, valid: Interval, known: Interval) -> Period:
        ...
@dataclass(frozen=True, slots=True)
class ConversionGap(Notice):
    measure: str
    ended: str | None
    law: str
    start: date
@dataclass(frozen=True, slots=True)
class Counts:
    norms: int
    with_provisions: int
    amended: int
@dataclass(frozen=True, slots=True)
class Coverage:
    name: str | None
    status: Status | None
    sources: tuple[CoveredSource, ...]
    texts: tuple[CoveredText, ...]
    amending: tuple[AmendingAct, ...]
    missing: tuple[Missing, ...]
    counts: Counts | None = ...

    def as_json(self) -> dict[str, Any]:
        ...
@dataclass(frozen=True, slots=True)
class CoveredSource:
    source: str | None
    what: tuple[Content, ...]
    up_to: date | None
    records: int
    withdrawn: int = ...
@dataclass(frozen=True, slots=True)
class CoveredText:
    version: str | None
    since: date | None
    whole: bool | None
    derived: bool
@dataclass(frozen=True, slots=True)
class Missing:
    code: str
    names: tuple[str, ...]
    what: _What
    how_to_give: _How
_What: TypeAlias = Shortfall | Notice
@dataclass(frozen=True, slots=True)
class Shortfall:
    lack: Lack
    names: tuple[str, ...] = ...
    count: int = ...
class Lack(StrEnum):
    NOT_DESCRIBED = 'not-described'
    NO_TEXT = 'no-text'
    NOT_WHOLE = 'text-not-whole'
    SOURCE_UNDATED = 'source-undated'
    ACT_NOT_IN_TEXT = 'act-not-in-text'
    ACT_UNDATED = 'act-undated'
    CHANGES_WITHOUT_ACT = 'changes-without-act'
    NOT_UNDERSTOOD = 'orders-not-understood'
    NOT_DERIVED = 'operations-not-derived'
    NORMS_NOT_DERIVED = 'norms-not-derived'
    REFUSED = 'operations-refused'
    UNDATED = 'operations-undated'
    OWN_DAY = 'operations-with-own-day'
    OF_MEASURES = 'operations-of-measures'
    WITHOUT_BASE = 'operations-without-base'
_How: TypeAlias = tuple[str, str | None]
@dataclass(frozen=True, slots=True)
class CuratedFact(Notice):
    curator: str
    source: str | None
@dataclass(frozen=True, slots=True)
class DatedVersion:
    name: str
    version_date: date | None
    view_date: date | None
@dataclass(frozen=True, slots=True)
class DatesBeforeNorm(Notice):
    oldest: date
    versions: tuple[DatedVersion, ...]
@dataclass(frozen=True, slots=True)
class DatesOfWording(Notice):
    ...
@dataclass(frozen=True, slots=True)
class DerivedDiffers(Notice):
    day: date
    acts: tuple[str, ...]
    provisions: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class DerivedText(Notice):
    day: date
    acts: tuple[str, ...]
    base: str | None = ...
@dataclass(frozen=True, slots=True)
class Descritor:
    datas: tuple[date, ...] = ...
    periodo: bool = ...
    identificadores: tuple[str, ...] = ...
    apelido: str | None = ...
    componentes: tuple[Componente, ...] = ...
    retificacao: int | None = ...
    ano: int | None = ...
    epoca: str | None = ...
@dataclass(frozen=True, slots=True)
class Deviation:
    code: str
    message: str
    span: Span
@dataclass(frozen=True, slots=True)
class Span:
    start: Count
    end: Count
class Dialect(StrEnum):
    LEXML_10 = 'lexml-1.0'
    LEXML_07 = 'lexml-0.7'
    RFC_9676 = 'rfc-9676'
@dataclass(frozen=True, slots=True)
class Difference:
    name: str
    asked: str
    since: date
    until: date
    as_known: date
    comparable: bool
    changes: tuple[Change, ...]
    undecided: tuple[str, ...] = ...
    effects: tuple[EffectChange, ...] = ...
    notices: Notices = ...
    original: bool = ...
    lacks_provision: bool = ...

    @property
    def is_unknown(self) -> bool:
        ...

    @property
    def nearest(self) -> str | None:
        ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class EffectChange:
    name: str
    before: Status
    after: Status
    because: tuple[Reason, ...]
class DisagreementCode(StrEnum):
    MISSING_NOTE = 'missing-note'
    WRONG_ACT = 'wrong-act'
    UNSTRUCK_WORDING = 'unstruck-wording'
    NOT_COMPILED = 'not-compiled'
    WORDS_DIFFER = 'words-differ'
    DAYS_DIFFER = 'days-differ'
@dataclass(frozen=True, slots=True)
class Dossier:
    name: str
    day: OnDay
    today: OnDay
    texts: tuple[Period, ...] = ...
    notices: tuple[Notice, ...] = ...
    contradictions: tuple[Contradiction, ...] = ...
    effects_on: tuple[Effect, ...] = ...
    effects_by: tuple[Effect, ...] = ...
    around: RelatedData | None = ...
    copies: tuple[tuple[ItemAnswer, str | None], ...] = ...
    sources: tuple[Record, ...] = ...
    notes: tuple[ProvisionNote, ...] = ...

    @property
    def is_unknown(self) -> bool:
        ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class OnDay:
    answer: InForce
    shown_as: Status
    effect: WithoutEffect | None
    intervals: tuple[AnswerInterval, ...]
    newest: str | None
    reasons: tuple[Explanation, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def disputed(self) -> bool:
        ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class InForce:
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
    nearest: str | None = ...

    @property
    def is_unknown(self) -> bool:
        ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class VersionAnswer:
    name: str
    version_date: date | None
    event: str | None
    view_date: date | None
    valid_from: date
    valid_until: date | None
    known_from: date
    known_until: date | None
@dataclass(frozen=True, slots=True)
class Expression:
    name: str
    language: str | None
    form: str
@dataclass(frozen=True, slots=True)
class ItemAnswer:
    url: str | None
    format: str | None
    kind: str | None
    publisher: str | None
@dataclass(frozen=True, slots=True)
class WithoutEffect:
    start: date | None
    until: date | None
    suspended: bool
    decided: bool
    open_start: bool
    open_end: bool
    because: tuple[Reason, ...]
@dataclass(frozen=True, slots=True)
class Explanation:
    role: Role
    reason: Reason
class Role(StrEnum):
    BEGAN = 'began'
    DECIDED = 'decided'
    WORDED = 'worded'
    WITHOUT_EFFECT = 'without-effect'
    UNDOES = 'undoes'
@dataclass(frozen=True, slots=True)
class RelatedData:
    called: Titles
    issues: tuple[str, ...]
    related: tuple[RelatedDocuments, ...]
@dataclass(frozen=True, slots=True)
class Titles:
    epigraph: str | None
    nicknames: tuple[Text, ...]
    summaries: tuple[str, ...]
    epigraphs: tuple[tuple[str, str], ...] = ...
    summary_authors: tuple[tuple[str, tuple[str, ...]], ...] = ...
@dataclass(frozen=True, slots=True)
class Text:
    value: str
    language: str = ...
@dataclass(frozen=True, slots=True)
class RelatedDocuments:
    relation: str
    names: tuple[str, ...]

    @property
    def code(self) -> str:
        ...
@dataclass(frozen=True, slots=True)
class Effect:
    name: str
    reason: Reason

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class Record:
    iri: str
    identifier: str | None
    provider: str | None
    datestamp: str | None
    curator: str | None
    origin: str | None = ...
    cited: str | None = ...
    remark: str | None = ...

    @property
    def called(self) -> str:
        ...
@dataclass(frozen=True, slots=True)
class EarlierTextUnknown(Notice):
    first: date | None
@dataclass(frozen=True, slots=True)
class EfficacyDiffers(Notice):
    force: Status
    status: Status
    since: date | None
    until: date | None
    because: tuple[Reason, ...]
@dataclass(frozen=True, slots=True)
class EquivalentNames(Notice):
    names: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class Facets:
    type: dict[str, int]
    year: dict[str, int]
    place: dict[str, int]
@dataclass(frozen=True, slots=True)
class Forma:
    tipo: str
    linguas: tuple[str, ...] = ...
@dataclass(frozen=True, slots=True)
class Fragmento:
    partes: tuple[str | tuple[str, str], ...]
    inserido_por: str | None = ...
@dataclass(frozen=True, slots=True)
class FullTextAnswer:
    words: str
    on: date | None
    as_known: date | None
    total: int
    every_word: bool
    in_one_provision: bool
    facets: Facets
    results: tuple[NormMatch, ...]
    suggestion: str | None
    meant: tuple[NamedTarget, ...]
    next_offset: int | None

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class NormMatch:
    name: str
    title: str
    nickname: str | None
    summary: str | None
    score: float
    valid: Valid | None
    status: Status
    hits: int
    provisions_found: int
    provisions: tuple[ProvisionFound, ...]
@dataclass(frozen=True, slots=True)
class Valid:
    valid_from: date | None
    valid_until: date | None
@dataclass(frozen=True, slots=True)
class ProvisionFound:
    name: str
    label: str | None
    excerpt: str
    version: str | None
    valid: Valid | None
    status: WordsStatus
    source: str
class WordsStatus(StrEnum):
    IN_FORCE = 'in-force'
    PAST = 'past'
    FUTURE = 'future'
    UNKNOWN = 'unknown'
@dataclass(frozen=True, slots=True)
class NamedTarget:
    nickname: str
    name: str
    label: str
    known: bool
    url: str
    on: date | None = ...
@dataclass(frozen=True, slots=True)
class Interpreted(Notice):
    target: str
    event: str
    ruling: str | None
    known: str | None
    effect: str | None
    earlier_wording: bool
@dataclass(frozen=True, slots=True)
class KnownOnlyLater(Notice):
    first: date
@dataclass(frozen=True, slots=True)
class Local:
    pais: str
    detalhe: tuple[str, ...] = ...
class Match(StrEnum):
    EXACT = 'exact'
    ALIAS = 'alias'
    PARTIAL = 'partial'
    WIDER = 'wider'
    NONE = 'none'
class MeasureEnd(StrEnum):
    LAPSED = 'lapsed'
    REJECTED = 'rejected'
    NOT_KEPT = 'not-kept'
    NOT_STATED = 'not-stated'
@dataclass(frozen=True, slots=True)
class MeasureLapsed(Notice):
    measure: str
    end: MeasureEnd
    effect: str | None
    provisions: tuple[str, ...] = ...

    @property
    def is_earlier(self) -> bool:
        ...
class MissingDay(StrEnum):
    START = 'start'
    KNOWN = 'known'
@dataclass(frozen=True, slots=True)
class MostRecentPast(Notice):
    name: str
    today: date
    axis: Axis
    status: Status
    until: date | None
@dataclass(frozen=True, slots=True)
class NextToCome(Notice):
    name: str
    today: date
    axis: Axis
    status: Status
    start: date
@dataclass(frozen=True, slots=True)
class NoEffectToday(Notice):
    today: date
    with_effect: str | None
@dataclass(frozen=True, slots=True)
class NoHarvestDate(Notice):
    ...
@dataclass(frozen=True, slots=True)
class NoTextInForce(Notice):
    since: date
    until: date
    before: Status
    after: Status
@dataclass(frozen=True, slots=True)
class NoVersionAnswers(Notice):
    name: str
    on: date
    as_known: date
    status: Status

    @property
    def code(self) -> str:
        ...
@dataclass(frozen=True, slots=True)
class NoVersionDates(Notice):
    day: date | None
    year: int | None
@dataclass(frozen=True, slots=True)
class NormUndated(Notice):
    norm: str
@dataclass(frozen=True, slots=True)
class NotComparable(Notice):
    days: tuple[date, ...]
@dataclass(frozen=True, slots=True)
class NotInForceToday(Notice):
    today: date
    in_force: str | None = ...
    changed: str | None = ...
    since: date | None = ...
@dataclass(frozen=True, slots=True)
class NotInText(Notice):
    version: str
@dataclass(frozen=True, slots=True)
class NotUnderstood(Notice):
    on: date | None = ...
@dataclass(frozen=True, slots=True)
class NotYetInForce(Notice):
    start: date
@dataclass(frozen=True, slots=True)
class NumbersBeganAnew(Notice):
    ...
@dataclass(frozen=True, slots=True)
class Occupant:
    name: str
    start: date | None
    until: date | None
    known: date
@dataclass(frozen=True, slots=True)
class OnlyMentioned(Notice):
    ...
@dataclass(frozen=True, slots=True)
class OrderNotApplied(Notice):
    act: str
    provisions: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class OtherVersion(Notice):
    asked: str
    answered: bool
@dataclass(frozen=True, slots=True)
class OutsideKnowledgeHorizon(Notice):
    horizon: date
@dataclass(frozen=True, slots=True)
class PartsNotUsed(Notice):
    parts: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class PassagesOmitted(Notice):
    ...
@dataclass(frozen=True, slots=True)
class Propriedade:
    tipo: str
    data: date
@dataclass(frozen=True, slots=True)
class ProvisionUnknown(Notice):
    norm: str
    day: date | None = ...
    nearest: str | None = ...
@dataclass(frozen=True, slots=True)
class ProvisionsInForceEarly(Notice):
    provisions: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class ProvisionsMarked(Notice):
    situation: Situation
    provisions: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class ProvisionsNotYetInForce(Notice):
    provisions: tuple[str, ...]
    start: date | None
@dataclass(frozen=True, slots=True)
class RecentChange:
    day: date
    name: str
    version: str | None
    status: Status
@dataclass(frozen=True, slots=True)
class RecentChanges:
    since: date
    until: date
    as_known: date
    changes: tuple[RecentChange, ...]

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class RecordWithdrawn(Notice):
    record: str | None
    provider: str | None = ...
    withdrawn_on: date | None = ...
    missing_since: date | None = ...
    more: int = ...
    curated: bool = ...
@dataclass(frozen=True, slots=True)
class ReferenceName(Notice):
    name: str | None = ...
@dataclass(frozen=True, slots=True)
class RelatedAct:
    name: str
    relations: tuple[str, ...]
    day: date | None
    year: int | None
    changed: int | None = ...
    repealed: int | None = ...

    @property
    def read(self) -> Name | None:
        ...

    @property
    def order(self) -> tuple[int, date, str]:
        ...
@dataclass(frozen=True, slots=True)
class Relations:
    name: str
    to: tuple[RelatedAct, ...]
    by: tuple[RelatedAct, ...]

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class Resolution:
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
        ...

    def as_json(self) -> dict[str, object]:
        ...
Level: TypeAlias = Literal['fragment', 'individual', 'complex']
class ReturnedInstead(StrEnum):
    NORM = 'norm'
    VERSIONS = 'versions'
    VERSION = 'version'
    VERSION_OF_TEXT = 'version-of-text'
@dataclass(frozen=True, slots=True)
class RfcParts:
    anexos: tuple[tuple[str, ...], ...] = ...
    expressao: tuple[str, ...] = ...
    lingua: str | None = ...
    manifestacao: tuple[tuple[str, ...], ...] = ...
    particao: str | None = ...
    datas_locais: tuple[str | None, ...] = ...
@dataclass(frozen=True, slots=True)
class SameInVersion(Notice):
    version: str
    made_by: str
@dataclass(frozen=True, slots=True)
class SameNumber(Notice):
    names: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class SeveralCitations(Notice):
    names: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class SeveralOccupants(Notice):
    occupants: tuple[Occupant, ...]
    chosen: str
    on: date
@dataclass(frozen=True, slots=True)
class SeveralVersions(Notice):
    ...
@dataclass(frozen=True, slots=True)
class Stats:
    quads: int
    classes: _Counts
    known_up_to: Horizon

    def as_json(self) -> dict[str, object]:
        ...
_Counts: TypeAlias = tuple[tuple[str, int], ...]
@dataclass(frozen=True, slots=True)
class SupersededView(Notice):
    version: str
    as_known: date
    last: date
@dataclass(frozen=True, slots=True)
class TailLeft(Notice):
    tail: str
@dataclass(frozen=True, slots=True)
class TermPassed(Notice):
    measure: str
    since: date
@dataclass(frozen=True, slots=True)
class TextDisagreement:
    provision: str
    code: DisagreementCode
    a: WitnessData
    b: WitnessData
@dataclass(frozen=True, slots=True)
class WitnessData:
    source: str
    origin: str | None
    act: str | None
    text: str | None
    days: tuple[date, date] | None
@dataclass(frozen=True, slots=True)
class TextUnknown(Notice):
    version: str
    nearest: str | None = ...
@dataclass(frozen=True, slots=True)
class Timeline:
    name: str
    periods: tuple[Period, ...]
    events: tuple[Reason, ...]
    notices: Notices = ...

    def as_json(self) -> dict[str, object]:
        ...
@dataclass(frozen=True, slots=True)
class Undated(Notice):
    events: tuple[str, ...] = ...
    words: tuple[str, ...] = ...
    missing: tuple[MissingDay, ...] = ...
@dataclass(frozen=True, slots=True)
class UndatedText(Notice):
    version: str | None = ...
@dataclass(frozen=True, slots=True)
class UndecidedProvisions(Notice):
    provisions: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class UnderstoodAs(Notice):
    asked: str
    name: str
    repaired: bool = ...
@dataclass(frozen=True, slots=True)
class UnknownName(Notice):
    name: str
    one: bool = ...
@dataclass(frozen=True, slots=True)
class UnknownValue(Notice):
    field: str
    value: str
    near: tuple[str, ...] = ...
@dataclass(frozen=True, slots=True)
class UnknownVersion(Notice):
    asked: str
    day: date | None = ...
    views: tuple[View, ...] = ...
    neighbours: tuple[date, ...] = ...
@dataclass(frozen=True, slots=True)
class View:
    event: str | None
    day: date | None
@dataclass(frozen=True, slots=True)
class UnspecificSearch(Notice):
    expected: str
@dataclass(frozen=True, slots=True)
class Versao:
    datas: tuple[date, ...] = ...
    periodo: bool = ...
    palavra: str | None = ...
    data: date | None = ...
    evento: str | None = ...
    visao: tuple[date, ...] = ...
    visao_periodo: bool = ...
    hora: time | None = ...
@dataclass(frozen=True, slots=True)
class Vetoed(Notice):
    ...
@dataclass(frozen=True, slots=True)
class WiderLevel(Notice):
    asked: str
    given: ReturnedInstead
@dataclass(frozen=True, slots=True)
class WordsLeft(Notice):
    understood: str
    names: tuple[str, ...]
    left: str
@dataclass(frozen=True, slots=True)
class WordsUnknown(Notice):
    provisions: tuple[str, ...] = ...
