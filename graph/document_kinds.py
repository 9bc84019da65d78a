"""Documents that are not norms: bills, judgments and books, by the first word of their type."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from graph.urn import Name


class NoNorm(StrEnum):
    """The kind of a document that is not a norm."""

    BILL = "bill"
    JUDGMENT = "judgment"
    BOOK = "book"


_WORDS: Mapping[NoNorm, frozenset[str]] = MappingProxyType(
    {
        NoNorm.BILL: frozenset({"projeto", "proposta", "substitutivo"}),
        NoNorm.JUDGMENT: frozenset({"acordao", "sumula", "decisao", "sentenca", "despacho"}),
        NoNorm.BOOK: frozenset(
            {"livro", "artigo", "tese", "dissertacao", "monografia", "folheto", "revista", "capitulo"}
        ),
    }
)


def non_norm_kind(name: Name) -> NoNorm | None:
    """Return the kind of a document that is not a norm; None for a norm.

    >>> from graph.urn import parse
    >>> non_norm_kind(parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;3")).value
    'bill'
    """
    return kind_of_type(name.tipo_documento[0])


def kind_of_type(notation: str) -> NoNorm | None:
    """Return the kind of the documents of a type that are not norms; None for a type of norms.

    >>> kind_of_type("projeto.lei;pls").value
    'bill'
    """
    first = notation.partition(";")[0].partition(".")[0]
    return next((kind for kind, words in _WORDS.items() if first in words), None)


def begins_with_its_event(name: Name) -> bool:
    """Return whether a text of a document begins on the day of the event that made it, as that of a bill or judgment.

    They have no start of force.
    """
    return non_norm_kind(name) in {NoNorm.BILL, NoNorm.JUDGMENT}
