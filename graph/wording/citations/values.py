"""The context in which citations are read, and the citations that were found."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from typing import Annotated

from annotated_types import Ge, Le

from graph.errors import BadName, BadParameter, Count
from graph.urn import Kind, Name, parse
from graph.wording.folding import words
from graph.wording.provisions import KINDS
from ontology.places import UNITS

#: The confidence of a complete citation, and of citations with missing or inferred parts.
FULL, YEAR_ONLY, NICKNAMED, UNDATED, CHOSEN, NO_AUTHORITY = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
_SPHERES = frozenset({"federal", "estadual", "distrital", "municipal"})


@dataclass(frozen=True)
class Context:
    """The position of a text, to resolve its references to itself.

    Attributes:
        norm: the name of the norm to which the text belongs, for "desta Lei"; None if it is not known.
        provision: the identifier of the provision to which the text belongs, for "deste artigo" and "do caput".
        on: the day of the text, which decides which norm a nickname means.
        place: the state or municipality of the text, which decides whose law "Lei nº 1.234" is.
        authority: the body that issued the text, which decides whose act "Resolução nº 5" is.
        known: the names of norms that texts cite without number and day, such as the organic law of the place.
        is_order: whether the text orders changes; an act of a place changes only norms of that place.

    Raises:
        BadName: ``norm`` is not a name.
        BadParameter: ``place`` is not a place in Brazil.
    """

    norm: str | None = None
    provision: str | None = None
    on: date | None = None
    place: str | None = None
    authority: str | None = None
    known: tuple[str, ...] = ()
    is_order: bool = False

    def __post_init__(self) -> None:
        _ = self.where

    @cached_property
    def work(self) -> Name | None:
        """The norm of the text, without version and provision; None if it is not known."""
        return None if self.norm is None else parse(self.norm).work

    @cached_property
    def where(self) -> str:
        """The country and places of the text: the given place, else that of the norm, else ``br``."""
        work = self.work
        if self.place is not None:
            return place_of(self.place)
        return "br" if work is None else ";".join((work.local.pais, *work.local.detalhe))

    @cached_property
    def sphere(self) -> str:
        """The place and authority of the laws of the place, e.g. ``br;sao.paulo:estadual``."""
        _, *levels = self.where.split(";")
        if not levels or levels[0] not in UNITS.values():
            return "br:federal"
        own = "distrital" if levels[0] == "distrito.federal" else "estadual"
        return f"{self.where}:{'municipal' if levels[1:] else own}"

    @property
    def orders_in_place(self) -> bool:
        """Whether the text orders changes of norms of a state or municipality."""
        return self.is_order and self.where != "br"

    @cached_property
    def issuer(self) -> str | None:
        """The place and authority of the norm if a body issued it; None for the laws of a sphere of government."""
        if self.authority is not None and self.authority not in _SPHERES:
            return f"{self.where}:{self.authority}"
        if self.work is None or any(subject[0] in _SPHERES for subject in self.work.autoridade):
            return None
        place = ";".join((self.work.local.pais, *self.work.local.detalhe))
        return f"{place}:{','.join(map(';'.join, self.work.autoridade))}"

    @cached_property
    def levels(self) -> dict[str, str]:
        """The numbers of the provision's levels by prefix; of a quoted provision, the levels in the quoted norm."""
        levels: dict[str, str] = {}
        for part in (self.provision or "").split("_"):
            match = re.match(r"[a-z]+", part)
            if match is not None and match[0] in {"alt", "asp"}:
                levels.clear()
            elif match is not None and match[0] in KINDS:
                levels[match[0]] = part[match.end() :]
        return levels


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """The first or the last provision of a cited range.

    Attributes:
        text: the cited words, from ``start`` to ``end``.
        start: the index of its first character in the text.
        end: the index after its last character.
        name: canonical name of the provision.
    """

    text: str
    start: Count
    end: Count
    name: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A norm, a provision or a range of provisions that a text cites.

    Attributes:
        text: the cited words, from ``start`` to ``end``.
        start: the index of its first character in the text.
        end: the index after its last character.
        name: canonical name of the norm, provision or range (``![art6,art10]``), or a reference if the text does not
            identify it.
        kind: ``complex``, ``fragment`` or ``reference``.
        confidence: how well the text identifies the norm, from 0 to 1; docs/reference/citations.md has the table. It is
            1 only if the text names the norm by type, number and date, no part of the name is taken from the context,
            and the words can be read in only one way.
        reason: why the confidence is less than 1; None if it is 1.
        ends: the first and the last provision of a range; empty for any other citation.
    """

    text: str
    start: Count
    end: Count
    name: str
    kind: Kind
    confidence: Annotated[float, Ge(0), Le(1)]
    reason: str | None = None
    ends: tuple[RangeEnd, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return {**asdict(self), "kind": self.kind.value}


#: Matches a place: words, with dots or spaces between them; levels are separated by semicolons.
_OF_PLACE = re.compile(r"[\w .;'’-]+")


def place_of(text: str) -> str:
    """Return a place in the spelling of names, which has no connectives.

    >>> place_of("sp;campinas"), place_of("BA;Feira de Santana"), place_of("br;rio.de.janeiro;marica")
    ('br;sao.paulo;campinas', 'br;bahia;feira.santana', 'br;rio.janeiro;marica')

    Raises:
        BadParameter: its first part is not a unit of the federation.
    """
    levels = [".".join(words(level)) for level in text.split(";")]
    plain = ";".join(levels if levels[0] == "br" else ["br", *levels])
    problem = f"expected a place such as rio.grande.sul;caxias.sul, got {text!r}"
    if _OF_PLACE.fullmatch(text) is None:  # other characters would be left out
        raise BadParameter(problem)
    try:
        local = parse(f"urn:lex:{plain}:federal:lei:2000;99901").local
    except BadName as refused:
        raise BadParameter(problem) from refused
    if local.detalhe and local.detalhe[0] not in UNITS.values() and not local.detalhe[0].startswith("justica."):
        raise BadParameter(f"{problem}, whose first part is none of the 27 units of the federation")
    return ";".join((local.pais, *local.detalhe))
