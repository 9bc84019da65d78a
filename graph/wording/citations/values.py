"""The context in which citations are read, and the citations that are found."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from typing import Annotated

from annotated_types import Ge, Le

from graph.errors import BadName, BadParameter, Count
from graph.urn import Kind, Name, parse
from graph.wording.provisions import KINDS
from ontology.places import UNITS

#: How sure a complete citation is, and one that leaves something out.
FULL, YEAR_ONLY, NICKNAMED, UNDATED, CHOSEN, NO_AUTHORITY = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
_SPHERES = frozenset({"federal", "estadual", "distrital", "municipal"})


@dataclass(frozen=True)
class Context:
    """The position of a text, to resolve its references to itself.

    Attributes:
        norm: the name of the norm that the text is of: what "desta Lei" means.
        provision: the id of the provision that it is of: what "deste artigo" and "do caput" mean.
        on: the day of the text: which norm a nickname meant then.
        place: the state or municipality that the text is from: whose law "Lei nº 1.234" is there.

    Raises:
        BadName: ``norm`` is no name.
        BadParameter: ``place`` is no place.
    """

    norm: str | None = None
    provision: str | None = None
    on: date | None = None
    place: str | None = None

    def __post_init__(self) -> None:
        _ = self.where

    @cached_property
    def work(self) -> Name | None:
        """The norm, without version and provision."""
        return None if self.norm is None else parse(self.norm).work

    @cached_property
    def where(self) -> str:
        """Country and places of the text: the place given, else that of the norm; ``br`` without both."""
        work = self.work
        if self.place is not None:
            return place_of(self.place)
        return "br" if work is None else ";".join((work.local.pais, *work.local.detalhe))

    @cached_property
    def sphere(self) -> str:
        """Place and sphere that issue the laws of the place: ``br;sao.paulo:estadual``."""
        _, *levels = self.where.split(";")
        if not levels or levels[0] not in UNITS.values():
            return "br:federal"
        own = "distrital" if levels[0] == "distrito.federal" else "estadual"
        return f"{self.where}:{'municipal' if levels[1:] else own}"

    @cached_property
    def issuer(self) -> str | None:
        """Place and body of the norm, where a body issued it and no sphere of government."""
        if self.work is None or any(subject[0] in _SPHERES for subject in self.work.autoridade):
            return None
        place = ";".join((self.work.local.pais, *self.work.local.detalhe))
        return f"{place}:{','.join(map(';'.join, self.work.autoridade))}"

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
        text: the cited words, from ``start`` to ``end``.
        start: the index of its first character in the text.
        end: the index after its last character.
        name: canonical name of the norm or provision, or a reference if the text does not identify it.
        kind: ``complex``, ``fragment`` or ``reference``.
        confidence: how well the text identifies the norm, from 0 to 1; docs/reference/citations.md has the table. It is
            1 only if the text names the norm by type, number and date, no part of the name is taken from the context,
            and the words can be read in only one way.
        reason: why the confidence is less than 1; None if it is 1.
    """

    text: str
    start: Count
    end: Count
    name: str
    kind: Kind
    confidence: Annotated[float, Ge(0), Le(1)]
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        """The document of docs/reference/json.md."""
        return {**asdict(self), "kind": self.kind.value}


def place_of(text: str) -> str:
    """Return a place in the spelling of names: ``sp;campinas`` gives ``br;sao.paulo;campinas``.

    Raises:
        BadParameter: it names no unit of the federation first.
    """
    plain = text.strip().lower()
    plain = plain if plain == "br" or plain.startswith("br;") else f"br;{plain}"
    problem = f"expected a place such as rio.grande.sul;caxias.sul, got {text!r}"
    try:
        local = parse(f"urn:lex:{plain}:federal:lei:2000;99901").local
    except BadName as refused:
        raise BadParameter(problem) from refused
    if local.detalhe and local.detalhe[0] not in UNITS.values() and not local.detalhe[0].startswith("justica."):
        raise BadParameter(f"{problem}, which names none of the 27 units of the federation first")
    return ";".join((local.pais, *local.detalhe))
