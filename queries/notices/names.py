"""Notices about what a question says and what its name leads to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from queries.naming import MatchReason
from queries.notices.notice import Notice

# What the question says


@dataclass(frozen=True, slots=True)
class PartsNotUsed(Notice):
    """The name asks by a day; the answer leaves out other parts of it.

    Attributes:
        parts: as the name writes them.
    """

    CODE = "parts-not-used"
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherVersion(Notice):
    """The name asks for a version that is not the one of the answer.

    Attributes:
        asked: the name.
        answered: whether another version is in force.
    """

    CODE = "other-version"
    asked: str
    answered: bool


@dataclass(frozen=True, slots=True)
class ReferenceName(Notice):
    """The name leaves out what finds a norm: its number, or authority and year.

    Attributes:
        name: None where words said it.
    """

    CODE = "reference-name"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class UnderstoodAs(Notice):
    """What a text was taken for.

    Attributes:
        asked: the text.
        name: what it means.
        repaired: whether the text has the shape of a name and is none as it stands.
    """

    CODE = "understood-as"
    asked: str
    name: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class NotUnderstood(Notice):
    """A text is no name, no citation and no nickname that is known.

    Attributes:
        on: the day on which it named no norm, where it names one on other days.
    """

    CODE = "not-understood"
    on: date | None = None


@dataclass(frozen=True, slots=True)
class WordsLeft(Notice):
    """A text says more than what was understood of it.

    Attributes:
        understood: the part that was understood.
        names: what that part means.
        left: the part that was not understood.
    """

    CODE = "words-left"
    understood: str
    names: tuple[str, ...]
    left: str


@dataclass(frozen=True, slots=True)
class UnknownValue(Notice):
    """The search found nothing, and one of its values is in no vocabulary.

    Attributes:
        field: ``type``, ``authority`` or ``place``.
        value: as the question has it.
        near: values with a similar spelling.
    """

    CODE = "unknown-value"
    field: str
    value: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TooLittleSaid(Notice):
    """A search says too little, or a value that cannot be.

    Attributes:
        expected: what would do.
    """

    CODE = "too-little-said"
    expected: str


# What the name leads to


@dataclass(frozen=True, slots=True)
class UnknownName(Notice):
    """No source speaks of a name, or a text leads to no one name.

    Attributes:
        name: the name or the text.
        one: False where the text leads to no one name.
    """

    CODE = "unknown-name"
    name: str
    one: bool = True


@dataclass(frozen=True, slots=True)
class OnlyMentioned(Notice):
    """No source describes the name; others refer to it."""

    CODE = "only-mentioned"


@dataclass(frozen=True, slots=True)
class NotYetTold(Notice):
    """No source describes the name, and what is stated of it was known later only.

    Attributes:
        first: the first day on which it was known.
    """

    CODE = "not-yet-told"
    first: date


@dataclass(frozen=True, slots=True)
class ProvisionUnknown(Notice):
    """The norm is known; no source has the provision by itself.

    Attributes:
        norm: the norm.
    """

    CODE = "provision-unknown"
    norm: str


@dataclass(frozen=True, slots=True)
class Ambiguous(Notice):
    """Several works match the question.

    Attributes:
        names: the first of them.
        count: how many there are.
        more: whether further works were not compared.
        nickname: whether the question is a nickname that all of them have.
    """

    CODE = "ambiguous"
    names: tuple[str, ...]
    count: int
    more: bool = False
    nickname: bool = False


@dataclass(frozen=True, slots=True)
class AgreesInPart(Notice):
    """No work matches every value of the question; some match part of them.

    Attributes:
        names: the first works that match in part.
        more: whether more works match in part.
        why: the values in which the first work matches and those in which it differs.
    """

    CODE = "agrees-in-part"
    names: tuple[str, ...]
    more: bool
    why: tuple[MatchReason, ...]


@dataclass(frozen=True, slots=True)
class SeveralCitations(Notice):
    """The text cites more than one norm or provision.

    Attributes:
        names: the first of them.
    """

    CODE = "several-citations"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EquivalentNames(Notice):
    """Sources know the document under more than one name.

    Attributes:
        names: the other names.
    """

    CODE = "equivalent-names"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SameNumber(Notice):
    """The store also knows names with the same authority, type, number and year.

    Attributes:
        names: those names.
    """

    CODE = "same-number"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumbersBeganAnew(Notice):
    """The numbers of constitutional amendments began anew with the Constitution of 1988: the year has to be said."""

    CODE = "numbers-began-anew"


@dataclass(frozen=True, slots=True)
class TailLeft(Notice):
    """Version or provision wait until the norm is chosen.

    Attributes:
        tail: as the text writes them.
    """

    CODE = "tail-left"
    tail: str


@dataclass(frozen=True, slots=True)
class CandidatesCut(Notice):
    """There are more candidates than are given.

    Attributes:
        looked_at: how many were compared; None where all were.
        found: how many were found; None where not all were compared.
        shown: how many are given; None where all that were found are.
    """

    CODE = "candidates-cut"
    looked_at: int | None = None
    found: int | None = None
    shown: int | None = None


class Given(StrEnum):
    """What is given in place of what was asked."""

    NORM = "norm"
    VERSIONS = "versions"
    VERSION = "version"
    VERSION_OF_TEXT = "version-of-text"


@dataclass(frozen=True, slots=True)
class WiderLevel(Notice):
    """Nothing is known at the level asked; a wider one is given (LexML 1.0 part 5, section 2.5).

    Attributes:
        asked: the name.
        given: what is given: the norm, versions of the norm, a whole version, or the version of a text.
    """

    CODE = "wider-level"
    asked: str
    given: Given


@dataclass(frozen=True, slots=True)
class Occupant:
    """A provision that had an identifier, with the days ``[start, until)`` on which it was in force.

    Attributes:
        start: None where nothing of its force is known.
        until: None where no end is known.
        known: K.
    """

    name: str
    start: date | None
    until: date | None
    known: date


@dataclass(frozen=True, slots=True)
class SeveralOccupants(Notice):
    """Several provisions had the identifier, one after the other.

    Attributes:
        occupants: all of them, in order.
        chosen: the one that is meant.
        on: the day D for which it is meant.
    """

    CODE = "several-occupants"
    occupants: tuple[Occupant, ...]
    chosen: str
    on: date


@dataclass(frozen=True, slots=True)
class RecordWithdrawn(Notice):
    """A record about the name was withdrawn by its provider, or is no longer listed.

    Attributes:
        record: its identifier at the provider; None where the notice only counts further records.
        provider: None where it is unknown.
        withdrawn_on: the day of the deletion; None where it is unknown.
        missing_since: the day on which it was first noticed that the provider no longer lists it.
        more: the number of further withdrawn records.
    """

    CODE = "record-withdrawn"
    record: str | None
    provider: str | None = None
    withdrawn_on: date | None = None
    missing_since: date | None = None
    more: int = 0
