"""Composition: the words of a provision in the text of its norm on (D, K), by the norm's texts and its own periods.

docs/reference/rules-of-composition.md has the rules under the numbers that stand here (``W1`` ...). They are pure
functions. A provision without periods of its own has the words of the latest text of its norm that has it; no other
rule applies to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.time.kinds import ENDED, Status


class Words(StrEnum):
    """The words of a provision in a text."""

    #: Those of the latest text of the norm that has it.
    PRINTED = "printed"
    #: The same; the complete text contains it after its end: a revocation, a veto, or another one.
    PRINTED_AFTER_REVOCATION = "printed-after-revocation"
    PRINTED_AFTER_VETO = "printed-after-veto"
    PRINTED_AFTER_END = "printed-after-end"
    #: The same; it was restored after the complete text.
    PRINTED_BEFORE_RESTORATION = "printed-before-restoration"
    #: Those of its own version.
    OWN = "own"
    #: It is vetoed: what its source prints, if anything.
    VETOED = "vetoed"
    #: The sources do not decide whether it applies, or its words: it has only its label.
    UNDECIDED = "undecided"
    #: The same: its version is known, and no source has its words.
    WORDLESS = "wordless"
    #: The complete text is newer than its version, and lacks it.
    LACKING = "lacking"
    #: It is in vacatio, and has no words before it comes into force.
    COMING = "coming"
    #: It has no words on that day.
    NONE = "none"


#: The words of a complete text that contains a provision after its end, by the status that the end gave it.
_AFTER_END = {Status.REVOKED: Words.PRINTED_AFTER_REVOCATION, Status.VETOED: Words.PRINTED_AFTER_VETO}
#: The words of a text of the norm itself.
PRINTED = frozenset({Words.PRINTED, Words.PRINTED_AFTER_END, *_AFTER_END.values(), Words.PRINTED_BEFORE_RESTORATION})


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """What the periods of a provision choose on (D, K).

    Attributes:
        status: the status of its own period.
        start: the first day of that period.
        made: the first day of force and the day of knowledge in the name of its version, None for a day that the name
            lacks; None in a gap.
    """

    status: Status
    start: date
    made: tuple[date | None, date | None] | None


@dataclass(frozen=True, slots=True)
class WordsDecision:
    """The words of a provision in a text, and the number of the rule that decided them."""

    rule: str
    words: Words


def decide_words(
    own: OwnChoice | None,
    whole: tuple[date, date] | None,
    *,
    is_printed: bool,
    is_ended_after: Callable[[], bool],
    has_unknown_wording: Callable[[], bool],
    has_words: Callable[[], bool],
) -> WordsDecision:
    """Return the words that a text shows for a provision with periods of its own.

    Args:
        own: what its periods choose; None if none contains (D, K).
        whole: the first day of force and the view of the complete text of the norm; None if it has none.
        is_printed: whether a text that gives the norm's text on (D, K) has the provision.
        is_ended_after: whether the complete text may contain it because nobody could know of its end
            (:func:`graph.time.combination.is_ended_after`).
        has_unknown_wording: whether it may have had a wording on D that no source has.
        has_words: whether a source has the words of its own version.
    """
    if own is None:
        return WordsDecision("W5", Words.UNDECIDED if has_unknown_wording() else Words.NONE)
    if own.made is None:
        return _words_in_gap(own, whole, is_printed=is_printed, is_ended_after=is_ended_after)
    start, view = own.made
    if whole is not None and start is not None and start <= whole[0] and (view or date.min) <= whole[1]:
        if not is_printed:
            return WordsDecision("W7", Words.UNDECIDED if start == whole[0] else Words.LACKING)
        return WordsDecision("W6", Words.PRINTED_BEFORE_RESTORATION if own.start > whole[0] else Words.PRINTED)
    return WordsDecision("W8", Words.OWN if has_words() else Words.WORDLESS)


def _words_in_gap(
    own: OwnChoice, whole: tuple[date, date] | None, *, is_printed: bool, is_ended_after: Callable[[], bool]
) -> WordsDecision:
    """W1: a complete text that begins in the gap contains the provision: it has these words. W2: a vetoed provision has
    what its source prints. W3: an unknown status leaves its words undecided. W4: in another gap it has no words; in
    vacatio they are coming."""
    if is_printed and whole is not None and own.start <= whole[0] and not (own.status in ENDED and is_ended_after()):
        return WordsDecision("W1", _AFTER_END.get(own.status, Words.PRINTED_AFTER_END))
    if own.status is Status.VETOED:
        return WordsDecision("W2", Words.VETOED)
    if own.status is Status.UNKNOWN:
        return WordsDecision("W3", Words.UNDECIDED)
    return WordsDecision("W4", Words.COMING if own.status is Status.VACATIO else Words.NONE)
