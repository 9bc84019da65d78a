"""Notices: information for a reader besides an answer, as typed values from one closed list.

A notice has a code, which is stable, and typed fields. :mod:`queries.messages` and the pages make the sentences; no
code reads a sentence. docs/reference/notices.md lists the codes with their meanings.

Names are canonical. Days are civil dates; ``effect`` and ``known`` of a statement are days as sources write them: a
day, a year, or bounds ``first/last``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar, TypeVar, dataclass_transform

from graph.time.kinds import EC_32_2001, Axis, Situation, Status
from graph.urn import parse
from queries.naming import MatchReason
from queries.reasons import Reason


@dataclass(frozen=True, slots=True)
class Notice:
    """The base of all notices."""

    CODE: ClassVar[str]

    @property
    def code(self) -> str:
        """The code that identifies the notice."""
        return self.CODE


_Kind = TypeVar("_Kind", bound=Notice)


@dataclass_transform(frozen_default=True)
def _of_code(code: str) -> Callable[[type[_Kind]], type[_Kind]]:
    """Return the decorator that makes a class the dataclass of the notice with a code."""

    def declared(kind: type[_Kind]) -> type[_Kind]:
        made = dataclass(frozen=True, slots=True)(kind)
        made.CODE = code
        return made

    return declared


@_of_code("parts-not-used")
class PartsNotUsed(Notice):
    """The name contains a day; the answer ignores other parts of the name.

    Attributes:
        parts: the ignored parts, spelled as in the name.
    """

    parts: tuple[str, ...]


@_of_code("other-version")
class OtherVersion(Notice):
    """The name states a version other than that of the answer.

    Attributes:
        asked: the name.
        answered: whether another version is in force.
    """

    asked: str
    answered: bool


@_of_code("reference-name")
class ReferenceName(Notice):
    """The name lacks a part needed to find a norm: its number, or authority and year.

    Attributes:
        name: None if it was given in words.
    """

    name: str | None = None


@_of_code("understood-as")
class UnderstoodAs(Notice):
    """How a text was understood.

    Attributes:
        asked: the text.
        name: the name that it means.
        repaired: whether the text has the form of a name but is not valid as written.
    """

    asked: str
    name: str
    repaired: bool = False


@_of_code("not-understood")
class NotUnderstood(Notice):
    """A text is not a name, a citation or a known nickname.

    Attributes:
        on: the requested day, if the text names a norm on other days.
    """

    on: date | None = None


@_of_code("words-left")
class WordsLeft(Notice):
    """A part of the text was not understood.

    Attributes:
        understood: the part that was understood.
        names: the names that the understood part means.
        left: the part that was not understood.
    """

    understood: str
    names: tuple[str, ...]
    left: str


@_of_code("unknown-value")
class UnknownValue(Notice):
    """The search found nothing, and one of its values is in no vocabulary.

    Attributes:
        field: ``type``, ``authority`` or ``place``.
        value: as in the question.
        near: values with a similar spelling.
    """

    field: str
    value: str
    near: tuple[str, ...] = ()


@_of_code("too-little-said")
class UnspecificSearch(Notice):
    """A search is not specific enough, or has an invalid value.

    Attributes:
        expected: what is needed.
    """

    expected: str


@_of_code("unknown-name")
class UnknownName(Notice):
    """No source mentions a name, or a text does not identify one name.

    Attributes:
        name: the name or the text.
        one: whether the text identifies exactly one name.
    """

    name: str
    one: bool = True


@_of_code("only-mentioned")
class OnlyMentioned(Notice):
    """No source describes the name; sources only refer to it."""


@_of_code("not-yet-told")
class KnownOnlyLater(Notice):
    """No source describes the name on the day of knowledge; the facts about it became known later.

    Attributes:
        first: the first day on which it was known.
    """

    first: date


@_of_code("provision-unknown")
class ProvisionUnknown(Notice):
    """The norm is known; no source has the provision itself.

    Attributes:
        norm: the norm.
        day: the day on which the whole text of the norm lacks the provision; None if the sources do not give the whole
            text, or it was not read.
        nearest: the nearest provision in the text of that day, also if the sources have only parts of it; None if they
            have none like it, or it was not read.
    """

    norm: str
    day: date | None = None
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class ArticleGap:
    """Successive articles that a text lacks, by the numbers of the first and of the last, which may be one."""

    first: int
    last: int


@_of_code("articles-missing")
class ArticlesMissing(Notice):
    """The text lacks articles from the first to its last one: the sources give only part of it.

    Attributes:
        gaps: the missing articles.
    """

    gaps: tuple[ArticleGap, ...]


@_of_code("ambiguous")
class Ambiguous(Notice):
    """Several works match the question.

    Attributes:
        names: the first of them.
        count: their number.
        more: whether there are works that were not compared.
        nickname: whether the question is a nickname of all of them.
    """

    names: tuple[str, ...]
    count: int
    more: bool = False
    nickname: bool = False


@_of_code("agrees-in-part")
class AgreesInPart(Notice):
    """No work matches every value of the question; some match part of them.

    Attributes:
        names: the first works that match in part.
        more: whether more works match in part.
        why: the values in which the first work matches and those in which it differs.
    """

    names: tuple[str, ...]
    more: bool
    why: tuple[MatchReason, ...]


@_of_code("several-citations")
class SeveralCitations(Notice):
    """The text cites more than one norm or provision.

    Attributes:
        names: the first of them.
    """

    names: tuple[str, ...]


@_of_code("equivalent-names")
class EquivalentNames(Notice):
    """Sources know the document under more than one name.

    Attributes:
        names: the other names.
    """

    names: tuple[str, ...]


@_of_code("same-number")
class SameNumber(Notice):
    """The store also knows names with the same authority, type, number and year.

    Attributes:
        names: those names.
    """

    names: tuple[str, ...]


@_of_code("numbers-began-anew")
class NumbersBeganAnew(Notice):
    """The numbers of constitutional amendments restarted with the Constitution of 1988: the year is required."""


@_of_code("tail-left")
class TailLeft(Notice):
    """The version or provision in the text is ignored until a norm is chosen.

    Attributes:
        tail: the version or provision, as the text writes it.
    """

    tail: str


@_of_code("candidates-cut")
class CandidatesCut(Notice):
    """There are more candidates than returned.

    Attributes:
        looked_at: the number compared; None if all were.
        found: the number found; None if not all were compared.
        shown: the number returned; None if all are returned.
    """

    looked_at: int | None = None
    found: int | None = None
    shown: int | None = None


class ReturnedInstead(StrEnum):
    """The result returned instead of the requested one."""

    NORM = "norm"
    VERSIONS = "versions"
    VERSION = "version"
    VERSION_OF_TEXT = "version-of-text"


@_of_code("wider-level")
class WiderLevel(Notice):
    """Nothing is known at the requested level; a wider one is returned (LexML 1.0 part 5, section 2.5).

    Attributes:
        asked: the name.
        given: the result: the norm, versions of the norm, a whole version, or the version of a text.
    """

    asked: str
    given: ReturnedInstead


@dataclass(frozen=True, slots=True)
class Occupant:
    """A provision that had an identifier, with the days ``[start, until)`` on which it was in force.

    Attributes:
        start: None if nothing of its force is known.
        until: None where no end is known.
        known: K.
    """

    name: str
    start: date | None
    until: date | None
    known: date


@_of_code("several-occupants")
class SeveralOccupants(Notice):
    """Several provisions had the identifier, in sequence.

    Attributes:
        occupants: all of them, in order.
        chosen: the provision that is meant.
        on: the day D for which it is meant.
    """

    occupants: tuple[Occupant, ...]
    chosen: str
    on: date


@_of_code("record-withdrawn")
class RecordWithdrawn(Notice):
    """A record about the name was withdrawn by its provider, or is no longer listed.

    Attributes:
        record: its identifier at the provider; None if the notice only counts further records.
        provider: None if it is unknown.
        withdrawn_on: the day of the deletion; None if it is unknown.
        missing_since: the day on which it was first noticed that the provider no longer lists it.
        more: the number of further withdrawn records.
        curated: whether the record is a curated fact, which its curator withdrew.
    """

    record: str | None
    provider: str | None = None
    withdrawn_on: date | None = None
    missing_since: date | None = None
    more: int = 0
    curated: bool = False


@_of_code("no-harvest-date")
class NoHarvestDate(Notice):
    """No source of the answer has a date of harvest."""


@_of_code("outside-knowledge-horizon")
class OutsideKnowledgeHorizon(Notice):
    """K is after the newest record of the providers: the answer lacks what they published later.

    The problem of the same code is a refusal: K is in the future, or before the norm became known.

    Attributes:
        horizon: the day of that record.
    """

    horizon: date


@_of_code("no-version-dates")
class NoVersionDates(Notice):
    """No source states from when the norm is in force; only its name has a date.

    Attributes:
        day: the representative date of the name; None where it has the year alone, or none.
        year: its year.
    """

    day: date | None
    year: int | None


class MissingDay(StrEnum):
    """A day of a version that no source states."""

    START = "start"
    KNOWN = "known"


@_of_code("undated")
class Undated(Notice):
    """An event occurred, but no source states its exact first day.

    Attributes:
        events: the events without stated days; if there are any, the other fields are empty.
        words: words that name a version instead of its first day of force.
        missing: the days of a version that are not stated.
    """

    events: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    missing: tuple[MissingDay, ...] = ()


@_of_code("undated-text")
class UndatedText(Notice):
    """No source states when the text was in force, if ever.

    Attributes:
        version: the version of the text; None if its name has none.
    """

    version: str | None = None


@_of_code("before-publication")
class BeforePublication(Notice):
    """The day is before the first day on which the norm or provision is known.

    Attributes:
        on: D.
        first: that first day.
    """

    on: date
    first: date


@_of_code("earlier-text-unknown")
class EarlierTextUnknown(Notice):
    """The first known text presupposes an earlier text, which no source gives.

    Attributes:
        first: the first day on which that text was known; None if no source states it.
    """

    first: date | None


@_of_code("amendment-without-version")
class AmendmentWithoutVersion(Notice):
    """A source states an amendment, but no version starts with it.

    Attributes:
        amending: the amending norm.
    """

    amending: str


@dataclass(frozen=True, slots=True)
class DatedVersion:
    """A version with days before the date of its norm."""

    name: str
    version_date: date | None
    view_date: date | None


@_of_code("dates-before-norm")
class DatesBeforeNorm(Notice):
    """A source dates versions before the norm itself.

    Attributes:
        oldest: the earliest day that the name of the norm allows.
        versions: the versions.
    """

    oldest: date
    versions: tuple[DatedVersion, ...]


@_of_code("dates-of-wording")
class DatesOfWording(Notice):
    """The days of the wordings are those of the signature of the amending norms, not of their entry into force."""


@_of_code("norm-undated")
class NormUndated(Notice):
    """A provision is dated by its wording alone, because no source states the first day of force of its norm.

    The provision may have entered into force later than its wording.

    Attributes:
        norm: the norm.
    """

    norm: str


@_of_code("commencement-changed")
class CommencementChanged(Notice):
    """The clause on the start or end of force was changed: the norm, or some articles, may have other days.

    The answer does not use a start of force that a source states for the provision itself.

    Attributes:
        norm: the norm.
        acts: the acts that changed the clause, as sources name them.
    """

    norm: str
    acts: tuple[str, ...]


@_of_code("act-days")
class ActDays(Notice):
    """The days of signature and publication of an amending norm.

    The source of the change states only a part of them, or dates the norm by its signature.

    Attributes:
        act: the amending norm.
        named: its name in the source of the change, which may have only the year.
        signed: the day of its name.
        published: the day of its publication, from which the change counts as known; None if no source dates it.
    """

    act: str
    named: str
    signed: date
    published: date | None


@_of_code("curated-fact")
class CuratedFact(Notice):
    """A curator states a fact that no provider states.

    Attributes:
        curator: the curator.
        source: the curator's source; None if there is none.
    """

    curator: str
    source: str | None


class Disagreement(StrEnum):
    """The subject of a difference between sources."""

    DATES = "dates"
    HISTORIES = "histories"
    WORDINGS = "wordings"
    ENDED_AND_PRINTED = "ended-and-printed"


@dataclass(frozen=True, slots=True)
class Statement:
    """The statement of one record.

    Attributes:
        by: the provider or curator.
        curated: whether it is a curator.
        record: the IRI of the record.
        version: the version that it names; None for a statement on an event.
        effect, known: the first day of effect and the day of knowledge; None if not stated.
    """

    by: str
    curated: bool
    record: str
    version: str | None = None
    effect: str | None = None
    known: str | None = None


@_of_code("sources-contradict")
class SourcesContradict(Notice):
    """Sources contradict each other.

    Attributes:
        on: the subject: the dates of one event; the histories of provisions; the wordings of one version; or one source
            ends a provision that another prints later.
        names: the norm or provision, the provisions, or the version with the ended provision.
        event: for dates, the event.
        day: for dates, the day of knowledge of an amendment with different starts.
        start: for dates, the start of an amendment with different publications.
        cause: for dates, the norm that caused the event.
        statements: for dates, the statement of each record.
    """

    on: Disagreement
    names: tuple[str, ...]
    event: str | None = None
    day: date | None = None
    start: date | None = None
    cause: str | None = None
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A view of a version: the event that made it and its day of knowledge."""

    event: str | None
    day: date | None


@_of_code("unknown-version")
class UnknownVersion(Notice):
    """No source knows a version with the requested days.

    Attributes:
        asked: the name.
        day: the first day of the requested version.
        views: the views of the version of that day; empty if there is no such version.
        neighbours: the first days of the versions before and after.
    """

    asked: str
    day: date | None = None
    views: tuple[View, ...] = ()
    neighbours: tuple[date, ...] = ()


@_of_code("several-versions")
class SeveralVersions(Notice):
    """The name means several versions, and no source has a single text of them. The versions are returned."""


@_of_code("no-version")
class NoVersionAnswers(Notice):
    """No version answers a temporal reference; the code is the status.

    Attributes:
        name: the norm or provision.
        on, as_known: D and K.
        status: the reason.
    """

    name: str
    on: date
    as_known: date
    status: Status

    @property
    def code(self) -> str:
        return self.status.value


@_of_code("same-in-version")
class SameInVersion(Notice):
    """The version has the provision unchanged from an earlier one.

    Attributes:
        version: the version of the norm.
        made_by: the version of the provision.
    """

    version: str
    made_by: str


@_of_code("superseded-view")
class SupersededView(Notice):
    """Another view has replaced the version.

    Attributes:
        version: the version.
        as_known: K.
        last: the last day K on which the version was the answer.
    """

    version: str
    as_known: date
    last: date


@_of_code("not-in-force-today")
class NotInForceToday(Notice):
    """The version or text is not the one in force today.

    Attributes:
        today: the day.
        in_force: the version in force today; None if there is none, or if only the text of the version differs.
        changed: the norm or provision whose content changed later within the version; None if another version is in
            force.
        since: the day of the returned text.
    """

    today: date
    in_force: str | None = None
    changed: str | None = None
    since: date | None = None


@_of_code("no-effect-today")
class NoEffectToday(Notice):
    """The version is not the one with effect today.

    Attributes:
        today: the day.
        with_effect: the version with effect; None if there is none.
    """

    today: date
    with_effect: str | None


@_of_code("next-to-come")
class NextToCome(Notice):
    """No version is in force today; the next one is returned.

    Attributes:
        name: the norm or provision.
        today: the day.
        axis: the axis of the question.
        status: the status today.
        start: the first day of the returned version.
    """

    name: str
    today: date
    axis: Axis
    status: Status
    start: date


@_of_code("most-recent-past")
class MostRecentPast(Notice):
    """No version is in force today; the last one in force is returned.

    Attributes:
        name: the norm or provision.
        today: the day.
        axis: the axis of the question.
        status: the status today.
        until: the first day after the returned version; None if it is not known.
    """

    name: str
    today: date
    axis: Axis
    status: Status
    until: date | None


@_of_code("before-first-memento")
class BeforeFirstMemento(Notice):
    """The day is before the first memento, which is returned (RFC 7089, section 4.5.3).

    Attributes:
        day: the requested day.
        first: the day of the first memento.
    """

    day: date
    first: date


@_of_code("after-today")
class AfterToday(Notice):
    """The requested day of a TimeGate over knowledge is in the future: the last memento is returned (RFC 7089, 4.5.3).

    Attributes:
        day: the requested day.
    """

    day: date


@_of_code("efficacy-differs")
class EfficacyDiffers(Notice):
    """The norm or provision is in force without effect, or perhaps without effect; or it has ended and has effect.

    Attributes:
        force: the status on the axis of force.
        status: the status on the axis of efficacy.
        since, until: the days ``[since, until)`` with that status; None for a bound that is not known.
        because: the events that decided that status.
    """

    force: Status
    status: Status
    since: date | None
    until: date | None
    because: tuple[Reason, ...]


class MeasureEnd(StrEnum):
    """How a provisional measure ended."""

    LAPSED = "lapsed"
    REJECTED = "rejected"
    NOT_KEPT = "not-kept"
    NOT_STATED = "not-stated"  # it lapsed, was rejected, or was converted into a law that does not keep the change


@_of_code("mpv-lapsed")
class MeasureLapsed(Notice):
    """A provisional measure that lapses or is rejected loses its effect from its issue on (Constitution, art. 62 § 3).
    If it is converted, only the changes that the law does not keep lose effect (§§ 3, 11 and 12). A measure issued
    before EC 32/2001 lost its effect unless it was converted or reissued in time (art. 62, sole paragraph, first text).

    Attributes:
        measure: the provisional measure.
        end: whether it lapsed, was rejected, or was converted into a law that does not keep the change; or that the
            sources do not state which.
        effect: its first day without force, as sources state it; None if not stated.
        provisions: for the text of a norm, the changed provisions; empty if the change is that of the requested name.
    """

    measure: str
    end: MeasureEnd
    effect: str | None
    provisions: tuple[str, ...] = ()

    @property
    def is_earlier(self) -> bool:
        """Return whether the measure was issued before EC 32/2001."""
        issued = parse(self.measure).oldest_day
        return issued is not None and issued < EC_32_2001


@_of_code("term-passed")
class TermPassed(Notice):
    """The latest possible day of a provisional measure has passed, and no source states how the measure ended.

    A measure lasts 60 days and 60 more, without the recess of Congress (Constitution, art. 62 §§ 3, 4 and 7). It then
    stays in force while the bill of conversion waits for sanction (§ 12).

    Attributes:
        measure: the provisional measure.
        since: the first day on which its status is unknown for this reason.
    """

    measure: str
    since: date


@_of_code("conversion-gap")
class ConversionGap(Notice):
    """The law that converted a provisional measure came into force after the measure had ended.

    Attributes:
        measure: the provisional measure.
        ended: its first day without force, as sources state it; None if not stated.
        law: the law.
        start: the first day of the law.
    """

    measure: str
    ended: str | None
    law: str
    start: date


@_of_code("not-yet-in-force")
class NotYetInForce(Notice):
    """The returned text is not in force yet on D: it is the text of the coming start of force.

    Attributes:
        start: the first day of force.
    """

    start: date


@_of_code("provisions-not-yet-in-force")
class ProvisionsNotYetInForce(Notice):
    """The text leaves out provisions that are published and not yet in force.

    Attributes:
        provisions: those provisions; each includes its parts.
        start: their first day of force; None where it is unknown.
    """

    provisions: tuple[str, ...]
    start: date | None


@_of_code("provisions-in-force-early")
class ProvisionsInForceEarly(Notice):
    """These provisions are in force, and their norm is in vacatio.

    Attributes:
        provisions: those provisions; each includes its parts.
    """

    provisions: tuple[str, ...]


@_of_code("not-in-text")
class NotInText(Notice):
    """The text in force does not have the provision.

    Attributes:
        version: the version of the norm.
    """

    version: str


@_of_code("text-unknown")
class TextUnknown(Notice):
    """No source has the text of a version, or states what it changed, if it is not the original text.

    Attributes:
        version: the version.
        nearest: the nearest earlier version with a text; None if none is known or none was searched.
    """

    version: str
    nearest: str | None = None


@_of_code("words-unknown")
class WordsUnknown(Notice):
    """No source has the text of provisions on that day.

    Attributes:
        provisions: those provisions; empty if it is the requested one.
    """

    provisions: tuple[str, ...] = ()


@_of_code("vetoed")
class Vetoed(Notice):
    """The provision was vetoed: the text shows its position without its wording."""


@_of_code("provisions-marked")
class ProvisionsMarked(Notice):
    """The text marks provisions that are not in force, or have no effect, and whose words do not state it.

    Attributes:
        situation: ``revogado``, ``suspenso``, ``vetado`` or ``superado``.
        provisions: those provisions.
    """

    situation: Situation
    provisions: tuple[str, ...]


@_of_code("interpreted")
class Interpreted(Notice):
    """A ruling interprets the norm or provision, one that contains it, or a part of it. Force, efficacy and words stay.

    Attributes:
        target: what the ruling interprets.
        event: ``interpretacao.conforme`` or ``inconstitucionalidade.sem.reducao.texto``.
        ruling: the ruling; None if the source does not name it.
        known: its day of knowledge, as the source states it; None if it is not stated.
        effect: the first day to which the ruling applies, if it states one; None if it applies to all days.
        earlier_wording: whether the wording of D began after the ruling, which therefore interprets an earlier one.
    """

    target: str
    event: str
    ruling: str | None
    known: str | None
    effect: str | None
    earlier_wording: bool


@_of_code("caput-ended")
class CaputEnded(Notice):
    """The caput of the article is no longer in force; other parts of the article are.

    Attributes:
        caput: its name.
        status: its status, such as ``revoked``.
    """

    caput: str
    status: Status


@_of_code("undecided-provisions")
class UndecidedProvisions(Notice):
    """The sources do not decide whether some provisions apply.

    Attributes:
        provisions: those provisions.
    """

    provisions: tuple[str, ...]


@_of_code("passages-omitted")
class PassagesOmitted(Notice):
    """The source omits passages of the compared texts."""


@_of_code("not-comparable")
class NotComparable(Notice):
    """The sources do not determine a text on some of the compared days.

    Attributes:
        days: those days; empty where nothing is known of the name.
    """

    days: tuple[date, ...]


@_of_code("no-text-in-force")
class NoTextInForce(Notice):
    """No text was in force on either of the compared days.

    Attributes:
        since, until: the two days.
        before, after: the status on each.
    """

    since: date
    until: date
    before: Status
    after: Status


@_of_code("derived-text")
class DerivedText(Notice):
    """No published text is as new as the acts in the store: the text is derived from them.

    Attributes:
        day: the first day of this text.
        acts: the acts that made it.
        base: the published version to which they were applied; None if that text names no version.
    """

    day: date
    acts: tuple[str, ...]
    base: str | None = None


@_of_code("derived-differs")
class DerivedDiffers(Notice):
    """The text of provisions derived from the acts in the store differs from the published text.

    Attributes:
        day: the first day of the difference.
        acts: the acts.
        provisions: those that differ.
    """

    day: date
    acts: tuple[str, ...]
    provisions: tuple[str, ...]


@_of_code("order-not-applied")
class OrderNotApplied(Notice):
    """An act in the store orders a change of provisions that is not in their text.

    The order is not understood, was refused, no source dates it, or it cites the norm with a day that no source states.

    Attributes:
        act: the act.
        provisions: the provisions that it names; the norm if it names the whole norm; also the name of another day.
    """

    act: str
    provisions: tuple[str, ...]


#: The closed list of notices.
AnyNotice = (
    AfterToday
    | AgreesInPart
    | Ambiguous
    | AmendmentWithoutVersion
    | BeforeFirstMemento
    | BeforePublication
    | CaputEnded
    | CandidatesCut
    | ConversionGap
    | CuratedFact
    | DatesBeforeNorm
    | ActDays
    | CommencementChanged
    | DatesOfWording
    | NormUndated
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
    | Interpreted
    | KnownOnlyLater
    | NumbersBeganAnew
    | ArticlesMissing
    | OnlyMentioned
    | OrderNotApplied
    | OtherVersion
    | OutsideKnowledgeHorizon
    | PartsNotUsed
    | PassagesOmitted
    | ProvisionUnknown
    | ProvisionsInForceEarly
    | ProvisionsMarked
    | ProvisionsNotYetInForce
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
    | TermPassed
    | TextUnknown
    | UnspecificSearch
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
    """Return whether any of the notices is of one of the given kinds."""
    return any(isinstance(notice, kinds) for notice in notices)
