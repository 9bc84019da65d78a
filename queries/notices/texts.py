"""Notices about force, efficacy and the text of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from queries.notices.notice import Notice
from queries.reasons import Reason, Status

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
