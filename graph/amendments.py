"""Operations of amending acts: what an act changes in a provision of another (Akoma Ntoso's ``textualMod``).

An operation is data: it can be listed and exported without being applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.urn import Name


class OperationKind(StrEnum):
    """What is done to the target."""

    SUBSTITUTION = "substitution"
    """It reads so from now on; where there was none it is inserted."""
    INSERTION = "insertion"
    REPEAL = "repeal"
    RENUMBERING = "renumbering"
    SUPPRESSION = "suppression"
    EXPRESSION = "expression"
    """Some of its words are replaced by others."""


class Refused(StrEnum):
    """Why an operation is not to be applied."""

    VETOED = "vetoed"
    AMBIGUOUS_SCOPE = "ambiguous-scope"


@dataclass(frozen=True, slots=True)
class Operation:
    """One change that one act makes to one provision.

    Attributes:
        source: the provision of the amending act that orders it; None where the act's name is not known.
        target: the norm or provision that is changed.
        label: the new label of the target, where it gets words or another number.
        text: its new words without label; None for a repeal, a suppression and a renumbering.
        heading: the new name of a grouping, or title of an article.
        replaced: of a kind ``expression``, the words that ``text`` takes the place of.
        position: of an insertion, the provision after which it comes by its label; None where it is the first.
        effect: the first day of force that the act states; None where it states none.
        known: the day of the act's publication; None where it does not say.
        line: where it stands in the act, from 1.
        refused: why it is not to be applied; None where it may be.
    """

    source: Name | None
    target: Name
    kind: OperationKind
    label: str | None = None
    text: str | None = None
    heading: str | None = None
    replaced: str | None = None
    position: Name | None = None
    effect: date | None = None
    known: date | None = None
    line: int = 0
    refused: Refused | None = None


class NotUnderstood(StrEnum):
    """Why words of an amending act give no operation."""

    NO_TARGET = "no-target"
    """They quote new words, and name no norm that gets them."""
    NOT_PLACED = "not-placed"
    """They stand in a quotation and have no label."""
    FORMULA = "formula"
    """They speak of a change in words that are not known here."""


@dataclass(frozen=True, slots=True)
class Left:
    """Words of an amending act that give no operation.

    Attributes:
        line: where they begin, from 1.
        text: the words.
        code: why.
    """

    line: int
    text: str
    code: NotUnderstood


@dataclass(frozen=True, slots=True)
class Amendments:
    """What an act changes.

    Attributes:
        act: its name; None where neither the act nor who asks says it.
        operations: in the order of the act.
        left: what was not understood, in the same order.
    """

    act: Name | None
    operations: tuple[Operation, ...]
    left: tuple[Left, ...]
