"""Notices about versions and views, force, efficacy and the text of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.entities import Axis
from queries.notices.notice import Notice
from queries.reasons import Reason, Status


@dataclass(frozen=True, slots=True)
class View:
    """A view of a version: the event that made it and the day since which it was known."""

    event: str | None
    day: date | None


@dataclass(frozen=True, slots=True)
class UnknownVersion(Notice):
    """No source knows a version with the days that were asked for.

    Attributes:
        asked: the name.
        day: the first day of the version that was asked for.
        views: the views of the version of that day; empty where there is no such version.
        neighbours: the first days of the versions before and after.
    """

    CODE = "unknown-version"
    asked: str
    day: date | None = None
    views: tuple[View, ...] = ()
    neighbours: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True)
class SeveralVersions(Notice):
    """No source has the text of several versions that was asked for."""

    CODE = "several-versions"


@dataclass(frozen=True, slots=True)
class NoVersionAnswers(Notice):
    """No version answers a temporal reference; the code is the status.

    Attributes:
        name: the norm or provision.
        on, as_known: D and K.
        status: why.
    """

    CODE = "no-version"
    name: str
    on: date
    as_known: date
    status: Status

    @property
    def code(self) -> str:
        return self.status.value


@dataclass(frozen=True, slots=True)
class SameInVersion(Notice):
    """The version has the provision as an earlier one made it.

    Attributes:
        version: the version of the norm.
        made_by: the version of the provision.
    """

    CODE = "same-in-version"
    version: str
    made_by: str


@dataclass(frozen=True, slots=True)
class SupersededView(Notice):
    """Another view has taken the place of the version.

    Attributes:
        version: the version.
        as_known: K.
        last: the last day K on which it answered.
    """

    CODE = "superseded-view"
    version: str
    as_known: date
    last: date


@dataclass(frozen=True, slots=True)
class NotInForceToday(Notice):
    """The version or text is not the one in force today.

    Attributes:
        today: the day.
        in_force: the version that is; None where none is, or where the version is the same and its text is not.
        changed: what has changed within the version since its day; None where another version is in force.
        since: that day.
    """

    CODE = "not-in-force-today"
    today: date
    in_force: str | None = None
    changed: str | None = None
    since: date | None = None


@dataclass(frozen=True, slots=True)
class NoEffectToday(Notice):
    """The version is not the one that has effect today.

    Attributes:
        today: the day.
        with_effect: the version that has; None where none has.
    """

    CODE = "no-effect-today"
    today: date
    with_effect: str | None


@dataclass(frozen=True, slots=True)
class NextToCome(Notice):
    """No version is in force today; the next one to come is given.

    Attributes:
        name: the norm or provision.
        today: the day.
        axis: the axis of the question.
        status: the status today.
        start: the first day of the version that is given.
    """

    CODE = "next-to-come"
    name: str
    today: date
    axis: Axis
    status: Status
    start: date


@dataclass(frozen=True, slots=True)
class MostRecentPast(Notice):
    """No version is in force today; the last one that was is given.

    Attributes:
        name, today, axis, status: as for :class:`NextToCome`.
        until: the first day after the version that is given; None where that is not known.
    """

    CODE = "most-recent-past"
    name: str
    today: date
    axis: Axis
    status: Status
    until: date | None


@dataclass(frozen=True, slots=True)
class BeforeFirstMemento(Notice):
    """The day lies before the first memento, which is given (RFC 7089, section 4.5.3).

    Attributes:
        day: the day asked.
        first: the day of the first memento.
    """

    CODE = "before-first-memento"
    day: date
    first: date


@dataclass(frozen=True, slots=True)
class AfterToday(Notice):
    """What will be known on a later day is not known; the last memento is given (RFC 7089, section 4.5.3).

    Attributes:
        day: the day asked.
    """

    CODE = "after-today"
    day: date


# Force and efficacy


@dataclass(frozen=True, slots=True)
class EfficacyDiffers(Notice):
    """The norm or provision is in force and has no effect, or may have none; or it has ended, and has effect.

    Attributes:
        force: the status on the axis of force.
        status: on the axis of efficacy.
        since, until: the days ``[since, until)``; None where the bound is not known.
        because: what decided that status.
    """

    CODE = "efficacy-differs"
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


@dataclass(frozen=True, slots=True)
class MeasureLapsed(Notice):
    """A provisional measure lost its effect from its edition (Constitution, art. 62, §§ 3 and 11).

    Attributes:
        measure: the provisional measure.
        end: whether it lapsed, was rejected, or was converted into a law that does not keep what the answer rests on.
        effect: its first day without force, as sources state it; None where not stated.
    """

    CODE = "mpv-lapsed"
    measure: str
    end: MeasureEnd
    effect: str | None


@dataclass(frozen=True, slots=True)
class ConversionGap(Notice):
    """The law that converted a provisional measure came into force after the measure had ended.

    Attributes:
        measure: the provisional measure.
        ended: its first day without force, as sources state it; None where not stated.
        law: the law.
        start: the first day of the law.
    """

    CODE = "conversion-gap"
    measure: str
    ended: str | None
    law: str
    start: date


# Texts


@dataclass(frozen=True, slots=True)
class NotYetInForce(Notice):
    """The text given is the one that is to come.

    Attributes:
        start: its first day.
    """

    CODE = "not-yet-in-force"
    start: date


@dataclass(frozen=True, slots=True)
class NotInText(Notice):
    """The text in force does not have the provision.

    Attributes:
        version: the version of the norm.
    """

    CODE = "not-in-text"
    version: str


@dataclass(frozen=True, slots=True)
class TextUnknown(Notice):
    """No source gives the text of a version, or says what it changed.

    Attributes:
        version: the version.
        nearest: the nearest version before it that has a text; None where none is known or none was sought.
    """

    CODE = "text-unknown"
    version: str
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class WordsUnknown(Notice):
    """No source has the words of provisions as they read then.

    Attributes:
        provisions: those provisions; empty where it is the one asked for.
    """

    CODE = "words-unknown"
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vetoed(Notice):
    """The provision was vetoed: the text has its place, not its words."""

    CODE = "vetoed"


@dataclass(frozen=True, slots=True)
class UndecidedProvisions(Notice):
    """The sources do not decide whether some provisions apply.

    Attributes:
        provisions: those provisions.
    """

    CODE = "undecided-provisions"
    provisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassagesOmitted(Notice):
    """The source leaves out passages of the texts that are compared."""

    CODE = "passages-omitted"


@dataclass(frozen=True, slots=True)
class NotComparable(Notice):
    """The sources do not allow a text on some of the days that are compared.

    Attributes:
        days: those days; empty where nothing is known of the name.
    """

    CODE = "not-comparable"
    days: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class NoTextInForce(Notice):
    """No text was in force on either of the days that are compared.

    Attributes:
        since, until: the two days.
        before, after: the status on each.
    """

    CODE = "no-text-in-force"
    since: date
    until: date
    before: Status
    after: Status


#: The closed list.


@dataclass(frozen=True, slots=True)
class DerivedText(Notice):
    """No published text is as new as the acts in the store: the text is derived from them.

    Attributes:
        day: the first day on which it reads so.
        acts: the acts that made it.
        base: the published version that they were applied to; None where its text has none.
    """

    CODE = "derived-text"
    day: date
    acts: tuple[str, ...]
    base: str | None = None


@dataclass(frozen=True, slots=True)
class DerivedDiffers(Notice):
    """The acts in the store make provisions read otherwise than the published text does.

    Attributes:
        day: since when.
        acts: the acts.
        provisions: those that read otherwise.
    """

    CODE = "derived-differs"
    day: date
    acts: tuple[str, ...]
    provisions: tuple[str, ...]
