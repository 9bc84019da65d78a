"""What ``text`` and ``diff`` answer: frozen values, each with its notices.

The fields declare the JSON documents of docs/reference/json.md, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from graph.wording.provisions import is_grouping
from queries.answers import AxisAnswer
from queries.documents import Horizon, Notices, document
from queries.reasons import UNLESS_EMPTY, Reason, Status

#: The text with the words: both, only the first, only the second.
Sign: TypeAlias = Literal["=", "-", "+"]


@dataclass(frozen=True, slots=True)
class ProvisionText:
    """A provision in a text.

    Attributes:
        name: the provision, without version.
        label: as the source prints it.
        text: its own words.
        level: 1 directly under the norm.
        heading: the name of a grouping, or the title of an article.
        version: the version that made it read so; None where no source dates it.
        situation: the situation of the wording by its source: ``vetado``, ``revogado``, ``omissis`` ...
        undecided: true where the sources do not tell how it reads, or whether it applies: it has its label and place
            alone.
        derived_from: of a derived text, the provisions of acts that made it read so; nobody published these words.
        markup: the words as XML, where they do not show all.
    """

    name: str
    label: str | None
    text: str | None
    level: Annotated[int, Field(ge=0)]
    heading: str | None
    version: str | None
    situation: str | None
    undecided: Annotated[bool, UNLESS_EMPTY] = False
    derived_from: Annotated[tuple[str, ...], UNLESS_EMPTY] = ()
    markup: Annotated[str | None, Field(exclude=True)] = None

    @property
    def grouping(self) -> bool:
        """Whether it groups articles: its heading stands behind its label, that of an article before."""
        return is_grouping(self.name.rpartition("!")[2])

    @property
    def omitted(self) -> bool:
        """Whether the source leaves out its words."""
        return self.situation == "omissis" and not self.text

    @property
    def lines(self) -> tuple[str, ...]:
        """What is printed of it, in its order: label, heading and each paragraph."""
        first = (self.label, self.heading) if self.grouping else (self.heading, self.label)
        return tuple(line for line in (*first, *(self.text or "").split("\n")) if line)


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """How a norm or provision read on ``on``, as anyone could have known it on ``as_known``.

    Attributes:
        name: the norm or provision, canonical; as typed where it leads to no one name.
        asked: the name as typed.
        on, as_known: D and K; None where the text of one version was asked for, whenever it was in force.
        status: as for ``in-force``; None likewise.
        force, efficacy: the status on each axis, with its days; None likewise.
        version: the version of the norm with this text.
        provisions: in the order of the document, the undecided ones with their label alone; none where the sources do
            not allow a text, and the notices say why.
        undecided: provisions of which the sources do not tell whether they apply, or how they read.
        because: what decided the status.
        notices: what to know beside the answer.
        known_up_to: the newest datestamp harvested, by provider.
        sources: identifiers of the source records.
    """

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

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)


class ChangeKind(StrEnum):
    """What became of a provision from one day to another; one that is gone in a later whole text is revoked.

    What came with a first text has begun to be in force with it: nobody inserted it into another.
    """

    BEGUN = "begun"
    INSERTED = "inserted"
    CHANGED = "changed"
    REVOKED = "revoked"
    ANNULLED = "annulled"
    EXPIRED = "expired"
    CONVERTED = "converted"
    VETOED = "vetoed"
    RESTORED = "restored"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One provision that reads otherwise on the second day.

    Attributes:
        provision: its name, without version.
        kind: what became of it.
        before, after: how it reads; None where it is not in the text.
        words: for a change, the words of both in order, each with ``=`` (both), ``-`` (before) or ``+`` (after); none
            where the source leaves out those of one of them, whose ``situation`` is ``omissis``.
        because: what made the change, as far as sources say.
    """

    provision: str
    kind: ChangeKind
    before: ProvisionText | None
    after: ProvisionText | None
    words: tuple[tuple[Sign, str], ...]
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class EffectChange:
    """A norm or provision that is in force on both days with different efficacy.

    Attributes:
        name: without version.
        before, after: how it stands by the clock of efficacy: ``in-force`` (with effect), ``suspended`` or ``unknown``.
        because: what suspended or reinstated it, as far as sources say.
    """

    name: str
    before: Status
    after: Status
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed in a norm or provision between two days.

    Attributes:
        name: the norm or provision, canonical; as typed where it leads to no one name.
        asked: the name as typed.
        since: the first day D.
        until: the second day D.
        as_known: K, for both days.
        comparable: whether both days have a text; if not, ``changes`` is empty and the notices say why.
        changes: in the order of the later text.
        undecided: provisions that are not compared: on one of the days the sources do not tell whether they apply, or
            how they read.
        effects: what is in force on both days and has effect on one of them alone; its words need not have changed.
        notices: what to know beside the answer.
    """

    name: str
    asked: str
    since: Annotated[date, Field(serialization_alias="from")]
    until: date
    as_known: date
    comparable: bool
    changes: tuple[Change, ...]
    undecided: tuple[str, ...] = ()
    effects: tuple[EffectChange, ...] = ()
    notices: Notices = ()

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return document(self)
