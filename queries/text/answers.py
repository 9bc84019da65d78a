"""The answers of ``text`` and ``diff``: frozen values, each with its notices.

The fields define the JSON documents of docs/reference/json.md, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from graph.time.kinds import Situation, Status
from graph.wording.marks import unstated_situation
from graph.wording.provisions import is_grouping
from queries.answers import AxisAnswer
from queries.documents import Horizon, Notices, document
from queries.editorial_notes import ProvisionNote
from queries.notices import ProvisionsMarked, ProvisionUnknown, UnknownName, any_of
from queries.reasons import UNLESS_EMPTY, Reason

#: The text that has the words: ``=`` both, ``-`` only the first, ``+`` only the second.
Sign: TypeAlias = Literal["=", "-", "+"]
_CAPUT = "_cpt"
#: The situations that a text marks.
_MARKED = frozenset(Situation) - {Situation.OMISSIS}


@dataclass(frozen=True, slots=True)
class ProvisionText:
    """A provision in a text.

    Attributes:
        name: canonical name of the provision, without version.
        label: its label, as the source prints it; None if it has none.
        text: its own text, without that of its parts; None if it has none.
        level: its depth: 1 for the requested provision or directly under the requested norm, 2 for their parts, and so
            on.
        heading: the name of a grouping, or the title of an article.
        version: the version that made it; None if no source dates it.
        situation: the status of the wording in the source: ``vetado``, ``revogado``, ``omissis`` ...
        undecided: true if the sources do not decide its text, or whether it applies; it then has only its label and
            position.
        derived_from: of a derived text, the provisions of acts that made it; nobody published this text.
        markup: the text as XML, if the plain text is incomplete.
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
        """Return whether it groups articles: its heading follows its label; that of an article precedes it."""
        return is_grouping(self.name.rpartition("!")[2])

    @property
    def omitted(self) -> bool:
        """Return whether the source omits its text."""
        return self.situation == "omissis" and not self.text

    @property
    def lines(self) -> tuple[str, ...]:
        """Return its printed lines, in order: label, heading and each paragraph."""
        first = (self.label, self.heading) if self.grouping else (self.heading, self.label)
        return tuple(line for line in (*first, *(self.text or "").split("\n")) if line)


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """The text of a norm or provision on ``on``, as known on ``as_known``.

    Attributes:
        name: the norm or provision, canonical; as typed if it does not identify one.
        asked: the name as typed.
        on: D; None if the text of one version was requested, whenever it was in force.
        as_known: K; None likewise.
        status: the status on the requested axis; None likewise.
        force: the status on the axis of force, with its days; None likewise.
        efficacy: the status on the axis of efficacy, with its days; None likewise.
        version: canonical name of the version of the norm with this text; None if there is none.
        provisions: the provisions in the order of the document, undecided ones with only their label. Empty if the
            sources do not determine a text; the notices give the reason.
        undecided: names of the provisions for which the sources do not decide whether they apply, or their text.
        because: the events that decided the status.
        notices: further information on the answer.
        known_up_to: for each provider, the newest datestamp harvested from it.
        sources: identifiers of the source records of the answer.
        notes: the notes of publishers on the norm or provision and its parts.
        nearest: if the norm has no such provision, the nearest one in its text.
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
    notes: tuple[ProvisionNote, ...] = ()
    nearest: Annotated[str | None, UNLESS_EMPTY] = None

    @property
    def marks(self) -> Mapping[str, Situation]:
        """Return the situation of each provision that a text marks, by name: see :class:`ProvisionsMarked`."""
        marked = (notice for notice in self.notices if isinstance(notice, ProvisionsMarked))
        return {name: notice.situation for notice in marked for name in notice.provisions}

    @property
    def is_unknown(self) -> bool:
        """Whether the name is unknown, the text identifies no single name, or the norm has no such provision."""
        return self.status is not None and self.status.names_nothing

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def marked_provisions(provisions: Sequence[ProvisionText], suspended: Iterable[str]) -> Iterator[ProvisionsMarked]:
    """Return the notices on the provisions of a text that are not in force, or have no effect: one for each situation.

    An article and its caput have one mark.

    Args:
        provisions: the text.
        suspended: the names of provisions in force that have no effect.
    """
    by_name = {provision.name: provision for provision in provisions}
    without_effect = frozenset(suspended)
    marked: dict[Situation, list[str]] = {}

    def situation_of(name: str) -> str | None:
        parts = (by_name[part] for part in (name, name + _CAPUT) if part in by_name)
        stated = unstated_situation(by_name[name].situation, (line for part in parts for line in part.lines))
        return stated or (Situation.SUSPENSO.value if name in without_effect else None)

    for name in by_name:
        situation = situation_of(name)
        article = name.removesuffix(_CAPUT)
        is_repeated = article != name and article in by_name and situation_of(article) == situation
        if situation in _MARKED and not is_repeated:
            marked.setdefault(Situation(situation), []).append(name)
    return (ProvisionsMarked(situation, tuple(names)) for situation, names in marked.items())


class ChangeKind(StrEnum):
    """The change of a provision from one day to another.

    A provision that a later complete text lacks counts as revoked.

    A provision that was published before it came into force has begun: no act inserted it between the days. If its
    wording changed before, it has begun amended. Only a provision that had ended, or was suspended, is restored.
    """

    BEGUN = "begun"
    BEGUN_AMENDED = "begun-amended"
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
    """One provision whose text differs on the second day.

    Attributes:
        provision: canonical name of the provision, without version.
        kind: the kind of change.
        before: the provision on the first day; None if it has no text on that day.
        after: the provision on the second day; None likewise.
        words: for a change, the words of both in order, each with ``=`` (both), ``-`` (before) or ``+`` (after); empty
            if the source omits one of the texts, whose ``situation`` is ``omissis``.
        because: the events that made the change, if sources state them.
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
        name: canonical name of the norm or provision, without version.
        before: its status on the axis of efficacy on the first day: ``in-force`` (with effect), ``suspended`` or
            ``unknown``.
        after: the same on the second day.
        because: the events that suspended or reinstated it, if sources state them.
    """

    name: str
    before: Status
    after: Status
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes of a norm or provision between two days.

    Attributes:
        name: the norm or provision, canonical; as typed if it does not identify one.
        asked: the name as typed.
        since: the first of the two days D.
        until: the second of the two days D.
        as_known: K, the day of knowledge for both days.
        comparable: whether both days have a text; if not, ``changes`` is empty and the notices give the reason.
        changes: the changed provisions, in the order of the later text.
        undecided: names of provisions that are not compared, because on one of the days the sources do not decide
            whether they apply, or their text.
        effects: norms and provisions that are in force on both days and have effect on only one; their text may be
            unchanged.
        notices: further information on the answer.
        original: whether the first text is the text as published, in force or not; the first day is then that of its
            publication.
        lacks_provision: whether the whole text of the norm lacks the provision on the second day.
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
    original: Annotated[bool, UNLESS_EMPTY] = False
    lacks_provision: Annotated[bool, UNLESS_EMPTY] = False

    @property
    def is_unknown(self) -> bool:
        """Whether the name is unknown, the text identifies no single name, or the norm has no such provision."""
        return self.lacks_provision or any_of(self.notices, UnknownName)

    @property
    def nearest(self) -> str | None:
        """If the norm has no such provision, the nearest one in its text on the second day."""
        lacking = (notice for notice in self.notices if isinstance(notice, ProvisionUnknown))
        return next((notice.nearest for notice in lacking if notice.day == self.until), None)

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)
