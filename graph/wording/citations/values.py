"""What goes into the reading of citations beside the text, and what comes out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from graph.urn import Kind, Name, parse
from graph.wording.provision_kinds import KINDS

__all__ = ["Citation", "Context"]

_SPHERES = frozenset({"federal", "estadual", "distrital", "municipal"})


@dataclass(frozen=True)
class Context:
    """Where a text stands, so that what it says of itself can be read.

    Attributes:
        norm: the name of the norm that the text is of: what "desta Lei" means.
        provision: the id of the provision that it is of: what "deste artigo" and "do caput" mean.
        on: the day of the text: which norm a nickname meant then.

    Raises:
        BadName: ``norm`` is no name.
    """

    norm: str | None = None
    provision: str | None = None
    on: date | None = None

    def __post_init__(self) -> None:
        if self.norm is not None:
            _ = self.work

    @cached_property
    def work(self) -> Name | None:
        """The norm, without version and provision."""
        return None if self.norm is None else parse(self.norm).work

    @cached_property
    def place(self) -> str:
        """Country and places of the norm; ``br`` where no norm is said."""
        return "br" if self.work is None else ";".join((self.work.local.pais, *self.work.local.detalhe))

    @cached_property
    def issuer(self) -> str | None:
        """Place and body of the norm, where a body issued it and no sphere of government."""
        if self.work is None or any(subject[0] in _SPHERES for subject in self.work.autoridade):
            return None
        return f"{self.place}:{','.join(map(';'.join, self.work.autoridade))}"

    @cached_property
    def levels(self) -> dict[str, str]:
        """The levels of the provision; of a quoted provision those in the norm that it is quoted from."""
        found: dict[str, str] = {}
        for part in (self.provision or "").split("_"):
            match = re.match(r"[a-z]+", part)
            if match is not None and match[0] in {"alt", "asp"}:
                found.clear()
            elif match is not None and match[0] in KINDS:
                found[match[0]] = part[match.end() :]
        return found


@dataclass(frozen=True, slots=True)
class Citation:
    """A norm or provision that a text cites.

    Attributes:
        text: the words, as they stand from ``start`` to ``end``, half open, in characters.
        name: canonical name of the norm or provision, or a reference where the text says less than an identity.
        kind: ``complex``, ``fragment`` or ``reference``.
        confidence: how much is said, from 0 to 1: 1 type, number and date; 0.9 the year instead of the date; 0.8 a
            nickname, or relative to the context; 0.7 no date; 0.5 the body that issued a lower norm is not said and
            taken from the context, or a nickname passed from one norm to another and nothing says which is meant:
            then it is the last one; or a law in the text of a state's or municipality's norm does not say whose it
            is.
    """

    text: str
    start: int
    end: int
    name: str
    kind: Kind
    confidence: float

    def as_json(self) -> dict[str, object]:
        """The document of docs/interfaces.md."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "name": self.name,
            "kind": self.kind.value,
            "confidence": self.confidence,
        }
