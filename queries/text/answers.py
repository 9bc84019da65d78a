"""What ``text`` and ``diff`` answer: frozen values, each with its notices. ``as_json()`` is docs/interfaces.md's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.wording.provision_kinds import is_grouping
from queries.answers import Notice, Reason, Status

__all__ = ["Change", "ChangeKind", "Difference", "EffectChange", "ProvisionText", "TextAnswer"]


@dataclass(frozen=True, slots=True)
class ProvisionText:
    """A provision in a text.

    Attributes:
        name: the provision, without version.
        version: the version that made it read so; None where no source dates it.
        level: 1 directly under the norm.
        heading: the name of a grouping, or the title of an article.
        markup: the words as XML, where they do not show all.
        situation: what the source says of the wording, e.g. ``"vetado"``.
    """

    name: str
    version: str | None
    level: int
    label: str | None
    heading: str | None
    text: str | None
    markup: str | None
    situation: str | None

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

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "label": self.label,
            "text": self.text,
            "level": self.level,
            "heading": self.heading,
            "version": self.version,
            "situation": self.situation,
        }


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """How a norm or provision read on ``on``, as anyone could have known it on ``as_known``.

    Attributes:
        status: as of ``in_force``; None where the text of one version was asked for, whenever it was in force.
        version: the norm's version whose text it is.
        undecided: provisions that may or may not be in it, or of whose words nobody knows.
        provisions: in the order of the document; none where the sources do not allow a text, and the notices say why.
    """

    name: str
    asked: str
    on: date | None
    as_known: date | None
    status: Status | None
    version: str | None
    provisions: tuple[ProvisionText, ...]
    because: tuple[Reason, ...]
    notices: tuple[Notice, ...]
    known_up_to: tuple[tuple[str, date], ...]
    sources: tuple[str, ...]
    undecided: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "asked": self.asked,
            "on": self.on.isoformat() if self.on is not None else None,
            "as_known": self.as_known.isoformat() if self.as_known is not None else None,
            "status": self.status.value if self.status is not None else None,
            "version": self.version,
            "provisions": [provision.as_json() for provision in self.provisions],
            "undecided": list(self.undecided),
            "because": [reason.as_json() for reason in self.because],
            "notices": [notice.as_json() for notice in self.notices],
            "known_up_to": {provider: day.isoformat() for provider, day in self.known_up_to},
            "sources": list(self.sources),
        }


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
    RESTORED = "restored"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One provision that reads otherwise on the second day.

    Attributes:
        provision: its name, without version.
        before, after: how it reads; None where it is not in the text.
        words: for a change, the words of both in order, each with ``"="`` (both), ``"-"`` (before) or ``"+"`` (after);
            none where the source leaves out those of one of them.
        because: what made the change, as far as sources say.
    """

    provision: str
    kind: ChangeKind
    before: ProvisionText | None
    after: ProvisionText | None
    words: tuple[tuple[str, str], ...]
    because: tuple[Reason, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "provision": self.provision,
            "kind": self.kind.value,
            "before": self.before.as_json() if self.before is not None else None,
            "after": self.after.as_json() if self.after is not None else None,
            "words": [[sign, words] for sign, words in self.words],
            "because": [reason.as_json() for reason in self.because],
        }


@dataclass(frozen=True, slots=True)
class EffectChange:
    """A norm or provision that is in force on both days, and whose efficacy is not the same.

    Attributes:
        name: without version.
        before, after: how it stands by the clock of efficacy: in force (with effect), suspended or unknown.
        because: what suspended or reinstated it, as far as sources say.
    """

    name: str
    before: Status
    after: Status
    because: tuple[Reason, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "before": self.before.value,
            "after": self.after.value,
            "because": [reason.as_json() for reason in self.because],
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed in a norm or provision between two days.

    Attributes:
        since, until: the two days D, both asked as known on ``as_known``.
        comparable: whether both days have a text; if not, nothing is said of changes and the notices say why.
        undecided: provisions that are not compared: on one of the days nobody knows whether or how they apply.
        effects: what is in force on both days and has effect on one of them alone; its words need not have changed.
    """

    name: str
    asked: str
    since: date
    until: date
    as_known: date
    comparable: bool
    changes: tuple[Change, ...]
    notices: tuple[Notice, ...]
    undecided: tuple[str, ...] = ()
    effects: tuple[EffectChange, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "asked": self.asked,
            "from": self.since.isoformat(),
            "until": self.until.isoformat(),
            "as_known": self.as_known.isoformat(),
            "comparable": self.comparable,
            "changes": [change.as_json() for change in self.changes],
            "undecided": list(self.undecided),
            "effects": [change.as_json() for change in self.effects],
            "notices": [notice.as_json() for notice in self.notices],
        }
