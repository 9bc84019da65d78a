"""Conversion to and from RDF terms: Python values to N-Triples text, and the engine's terms to Python values.

Text is several times faster to make than engine objects, and is used unchanged in updates, bulk loads and exports. All
values are escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

import pyoxigraph as ox

from graph.civil import When, parse_when
from graph.errors import BadDate
from ontology.namespaces import XSD


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its language (BCP 47, lower case), e.g. ``Text("Lei do Audiovisual", "pt-br")``."""

    value: str
    language: str = "pt-br"


#: A value in a row of an answer.
Cell: TypeAlias = str | int | float | bool | date | Text | None
#: A triple as three terms in N-Triples.
Statement: TypeAlias = tuple[str, str, str]
#: One row of an answer, by variable name.
Solution: TypeAlias = dict[str, Cell]

# An absolute IRI without the characters that IRIREF excludes (RDF 1.1 N-Quads, section 6), and without brackets, which
# the engine rejects.
_ABSOLUTE_IRI = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\\[\]\ud800-\udfff]*')
# Characters to be written as ECHAR or UCHAR (RDF 1.1 N-Quads, section 6).
_TO_ESCAPE = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")

_DATE = f"^^<{XSD['date']}>"
_MOMENT = f"^^<{XSD['dateTime']}>"
_YEAR = f"^^<{XSD['gYear']}>"
_INTEGER = f"^^<{XSD['integer']}>"
_BOOLEAN = f"^^<{XSD['boolean']}>"
#: Reads the values of a datatype; values of other datatypes stay text.
_READ_AS: Mapping[str, Callable[[str], Cell]] = MappingProxyType(
    {
        XSD["date"]: date.fromisoformat,
        XSD["integer"]: int,
        XSD["decimal"]: float,
        XSD["double"]: float,
        XSD["boolean"]: lambda value: value in ("true", "1"),
    }
)


@lru_cache(maxsize=1 << 15)
def iri(value: str) -> str:
    """Return an IRI in N-Triples.

    >>> iri("urn:lex:br:federal:lei:1990-09-11;8078")
    '<urn:lex:br:federal:lei:1990-09-11;8078>'

    Raises:
        ValueError: the IRI is relative or has an invalid character, which is an error of the caller.
    """
    if _ABSOLUTE_IRI.fullmatch(value) is None:
        raise ValueError(f"not an absolute IRI: {value!r}")
    return f"<{value}>"


def statement(line: str) -> Statement:
    """Return the terms of a line of N-Triples that this module or the engine wrote, without its line feed.

    >>> statement('<urn:b> <urn:p> "two words" .')
    ('<urn:b>', '<urn:p>', '"two words"')
    """
    subject, predicate, target = line[:-2].split(" ", 2)
    return subject, predicate, target


def quad(triple: Statement, graph: str) -> ox.Quad:
    """Return a statement that this module wrote as a quad in a named graph.

    >>> print(quad(("<urn:b>", "<urn:p>", '"two words"@en'), "urn:g"))
    <urn:b> <urn:p> "two words"@en <urn:g>
    """
    subject, predicate, target = triple
    return ox.Quad(ox.NamedNode(subject[1:-1]), _node(predicate), _term(target), ox.NamedNode(graph))


@lru_cache(maxsize=1 << 10)
def _node(written: str) -> ox.NamedNode:
    return ox.NamedNode(written[1:-1])


@lru_cache(maxsize=1 << 12)
def _term(written: str) -> ox.NamedNode | ox.Literal:
    if written[0] == "<":
        return ox.NamedNode(written[1:-1])
    end = written.rindex('"')
    value = written[1:end]
    if "\\" in value:
        value = str(json.loads(f'"{value}"'))
    kind = written[end + 1 :]
    if kind[:1] == "@":
        return ox.Literal(value, language=kind[1:])
    return ox.Literal(value, datatype=ox.NamedNode(kind[3:-1]) if kind else None)


def string(value: str) -> str:
    r"""Return a plain string literal in N-Triples.

    >>> print(string('a "b"\n'))
    "a \"b\"\n"
    """
    if value.isprintable() and '"' not in value and "\\" not in value:  # most values need no escaping
        return f'"{value}"'
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    if _TO_ESCAPE.search(value):
        value = _TO_ESCAPE.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", value)
    if _SURROGATE.search(value):
        value = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value)
    return f'"{value}"'


def text(value: Text) -> str:
    """Return a literal with its language in N-Triples. Language tags are in lower case, as in the engine.

    >>> print(text(Text("Lei Seca", "pt-BR")))
    "Lei Seca"@pt-br
    """
    return f"{string(value.value)}@{_tag(value.language)}"


@lru_cache(maxsize=1024)
def _tag(language: str) -> str:
    """Return a language tag for RDF; ``und`` if it is not well formed (RFC 5646, section 2.2.9)."""
    try:
        return ox.Literal("", language=language).language or "und"
    except ValueError:
        return "und"


def day(value: date) -> str:
    """Return an xsd:date without a zone in N-Triples.

    >>> print(day(date(1990, 9, 11)))
    "1990-09-11"^^<http://www.w3.org/2001/XMLSchema#date>
    """
    return f'"{value.isoformat()}"{_DATE}'


@lru_cache(maxsize=1 << 6)
def moment(value: datetime) -> str:
    """Return an xsd:dateTime in UTC in N-Triples.

    >>> print(moment(datetime(2026, 3, 1, 12, 30, tzinfo=UTC)))
    "2026-03-01T12:30:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>

    Raises:
        ValueError: the moment has no zone.
    """
    if value.tzinfo is None:
        raise ValueError(f"expected a datetime with a zone, got {value.isoformat()}")
    return f'"{value.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"{_MOMENT}'


def when(value: When) -> str:
    """Return a day as xsd:date, a year as xsd:gYear, and other bounds as a plain string ``first/last``."""
    written = str(value)
    if value.exact is not None:
        return f'"{written}"{_DATE}'
    return f'"{written}"{_YEAR}' if len(written) == 4 else f'"{written}"'


def number(value: int) -> str:
    """Return an xsd:integer in N-Triples."""
    return f'"{value}"{_INTEGER}'


def boolean(value: bool) -> str:
    """Return an xsd:boolean in N-Triples."""
    return f'"{"true" if value else "false"}"{_BOOLEAN}'


_EngineTerm: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


def read(term: _EngineTerm | None) -> Cell:
    """Return a term of the engine as a Python value: an IRI or string as ``str``, a date as ``date``, and so on.

    >>> read(ox.Literal("1990-09-11", datatype=ox.NamedNode(XSD["date"])))
    datetime.date(1990, 9, 11)
    >>> read(ox.Literal("1990", datatype=ox.NamedNode(XSD["gYear"])))
    '1990'
    """
    if term is None:
        return None
    if not isinstance(term, ox.Literal):
        return term.value if isinstance(term, ox.NamedNode) else str(term)
    if term.language is not None:
        return Text(term.value, term.language)
    return _typed(term.value, term.datatype.value)


def _typed(value: str, datatype: str) -> Cell:
    make = _READ_AS.get(datatype)
    if make is None:
        return value
    try:
        return make(value)
    except ValueError:
        return value


def read_when(value: Cell) -> When | None:
    """Return the bounds that :func:`when` wrote, given the result of :func:`read`; None for None.

    Raises:
        BadDate: the text has another form.
    """
    if value is None:
        return None
    return When.on(value) if isinstance(value, date) else parse_when(str(value))


def day_stated(written: str | None) -> When | None:
    """Return the day in the text of a source; None if there is none or it is invalid."""
    try:
        return read_when(written)
    except BadDate:
        return None


def to_engine(value: str | int | bool | date | Text, *, as_iri: bool = False) -> ox.NamedNode | ox.Literal:
    """Return a parameter of a query as a term of the engine; a ``str`` is an IRI only if ``as_iri`` is true.

    Raises:
        ValueError: ``as_iri`` is true and the value is not an absolute IRI.
    """
    if as_iri:
        return ox.NamedNode(iri(str(value))[1:-1])
    if isinstance(value, Text):
        return ox.Literal(value.value, language=_tag(value.language))
    if isinstance(value, bool):
        return ox.Literal("true" if value else "false", datatype=ox.NamedNode(XSD["boolean"]))
    if isinstance(value, int):
        return ox.Literal(str(value), datatype=ox.NamedNode(XSD["integer"]))
    if isinstance(value, date):
        return ox.Literal(value.isoformat(), datatype=ox.NamedNode(XSD["date"]))
    return ox.Literal(value)
