"""The format of .rq files: queries with a header that declares them, and parameters that are checked before execution.

A query is a file; its leading comment is its documentation and its signature::

    # title@pt-br: Versão vigente em um dia
    # title@en: Version in force on a day
    # question@pt-br: Que versão da norma estava em vigor em ?em, conforme o publicado até ?conhecido?
    # question@en: Which version of the norm was in force on ?em, as known on ?conhecido?
    # competency: 1
    # limits@pt-br: Uma linha ou nenhuma; nenhuma onde nenhuma fonte data a norma.
    # limits@en: One row or none; none where no source dates the norm.
    # param norma iri required: the norm, by its canonical name
    # param eixo iri = https://w3id.org/vigente/ns#forca: the clock to read
    # column versao iri: the individual work in force; unbound in a gap

A declared parameter is a variable of the query and must be in its projection. The engine silently ignores the value of
any other variable. Missing, unknown and ill-typed values are refused here, as are files that break these
rules. docs/reference/queries.md has the complete format."""

from __future__ import annotations

import re
import shlex
import tomllib
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from textwrap import indent
from types import MappingProxyType
from typing import Annotated, Any

import pyoxigraph as ox
from pydantic import Field

from graph.civil import parse_day, today
from graph.errors import BadDate, BadName, BadParameter, BadQuery, NotYetKnown
from graph.sparql import TOKEN, substitute_variables
from graph.store import Store
from graph.terms import Solution, to_engine
from graph.time.kinds import AXES
from graph.urn import parse
from ontology.iris import vocab_iri
from ontology.namespaces import VIG


class Kind(StrEnum):
    """The datatypes of parameters and columns."""

    IRI = "iri"
    DATE = "date"
    INTEGER = "integer"
    STRING = "string"


class Group(StrEnum):
    """The subjects of queries, in the order of the catalogue's page."""

    FORCE = "force"
    CHANGES = "changes"
    PROVISIONS = "provisions"
    RELATIONS = "relations"
    STATISTICS = "statistics"
    SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter.

    Attributes:
        name: its variable in the query.
        kind: its datatype.
        required: whether a value is required.
        default: the default value; None if a value is required.
        meaning: a description in English.
        label: the label in English; the name where none is declared.
        rotulo: the same in Portuguese.
        vocabulary: the vocabulary of an IRI, whose notations are accepted too; None if any IRI is accepted.
        example: a value about the bundled sample; None if the default is one.
    """

    name: str
    kind: Kind
    required: bool = field(init=False, default=False)
    default: str | None
    meaning: str
    label: str
    rotulo: str
    vocabulary: Annotated[str | None, Field(exclude=True)] = None
    example: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "required", self.default is None)

    def may_cite(self, value: object) -> bool:
        """Return whether a value may be a citation or a nickname of a norm, in place of its name."""
        return (
            self.kind is Kind.IRI and self.vocabulary is None and isinstance(value, str) and ":" not in (value or ":")
        )


@dataclass(frozen=True, slots=True)
class Column:
    """A declared column of the answer.

    Attributes:
        name: its variable in the query.
        kind: its datatype.
        meaning: a description in English.
        label: the label in English; the name where none is declared.
        rotulo: the same in Portuguese.
    """

    name: str
    kind: Kind
    meaning: str
    label: str
    rotulo: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query with its parsed header.

    >>> query = named("version_in_force")
    >>> [p.name for p in query.parameters]
    ['norma', 'em', 'conhecido', 'eixo']

    Attributes:
        name: the file's name, without ``.rq``.
        title: the title in English.
        titulo: the title in Portuguese.
        question: the question in English.
        pergunta: the question in Portuguese.
        limits: omissions and cost of the answer, in English; None if the header does not state them.
        limites: the same in Portuguese.
        group: its subject; None if the header does not state it.
        competency: the numbers of the competency questions that it answers (docs/reference/queries.md).
        parameters: the parameters, in the order of the header.
        columns: the columns of the answer, in the order of the header.
        text: the whole file.
    """

    name: str
    title: str
    titulo: str
    question: str
    pergunta: str
    limits: str | None
    limites: str | None
    group: Group | None
    competency: tuple[int, ...]
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    text: Annotated[str, Field(exclude=True)]

    @property
    def example(self) -> Mapping[str, str]:
        """Values for all parameters without a default, about the bundled sample."""
        return {p.name: p.example for p in self.parameters if p.required and p.example is not None}

    @property
    def command(self) -> str:
        """The command with the example."""
        values = (word for name, value in self.example.items() for word in ("-p", f"{name}={value}"))
        return shlex.join(("vigente", "query", self.name, *values))

    def rows(self, store: Store, values: Mapping[str, object] | None = None) -> Iterator[Solution]:
        """Return the rows of the answer.

        Args:
            values: by parameter name: ``str`` or a value of the declared kind; names of norms may have any dialect.

        Raises:
            BadParameter: a value is missing, not declared, or not of its kind.
            NotYetKnown: a day of knowledge is in the future.
        """
        return store.select(self.text, self.bindings(values or {}))

    def unordered_rows(self, store: Store, values: Mapping[str, object] | None = None) -> Iterator[Solution]:
        """Return the rows of :meth:`rows` in any order; errors as for :meth:`rows`.

        Sorting thousands of rows takes the engine longer than finding them.
        """
        return store.select(_ORDER.sub("", self.text), self.bindings(values or {}))

    def answer(
        self, store: Store, values: Mapping[str, object] | None = None
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Return the engine's own answer, for serialisation in a standard format; errors as for :meth:`rows`."""
        return store.answer(self.text, self.bindings(values or {}))

    def bindings(self, values: Mapping[str, object]) -> dict[str, ox.NamedNode | ox.Literal]:
        """Return the engine's terms for the parameters, after checking them; errors as for :meth:`rows`."""
        declared = {parameter.name for parameter in self.parameters}
        for name in values:
            if name not in declared:
                known = ", ".join(p.name for p in self.parameters) or "none"
                raise BadParameter(f"query {self.name} has no parameter {name!r}; it has: {known}")
        bound = {}
        for parameter in self.parameters:
            value = values.get(parameter.name, parameter.default)
            if value is None:
                raise BadParameter(
                    f"query {self.name} needs parameter {parameter.name!r} ({parameter.kind}): {parameter.meaning}"
                )
            bound[parameter.name] = _term(self.name, parameter, value)
        return bound


def _term(query: str, parameter: Parameter, value: object) -> ox.NamedNode | ox.Literal:
    text = value.isoformat() if isinstance(value, date) else str(value)
    try:
        match parameter.kind:
            case Kind.IRI:
                return to_engine(_iri(parameter, text), as_iri=True)
            case Kind.DATE:
                return to_engine(_refuse_future_day(parameter.name, parse_day(text)))
            case Kind.INTEGER:
                return to_engine(_whole_number(text))
            case Kind.STRING:
                return to_engine(text)
    except (ValueError, BadDate, BadName) as error:
        raise invalid_value(query, parameter, error) from None


def invalid_value(query: str, parameter: Parameter, error: Exception) -> BadParameter:
    """Return the error of a value that a parameter of a query does not accept."""
    return BadParameter(f"parameter {parameter.name!r} of query {query} expects {_ARTICLE[parameter.kind]}: {error}")


def _iri(parameter: Parameter, text: str) -> str:
    """Return the IRI of a value: of a name, of a term of the parameter's vocabulary, or the text itself."""
    if text.lower().startswith("urn:lex:"):
        return parse(text).iri
    if text.startswith(_OWN_PREFIX):
        text = VIG[text.removeprefix(_OWN_PREFIX)]
    if parameter.name == _AXIS and text not in AXES.values():
        raise ValueError(f"{text}; the axes are vig:forca and vig:eficacia")
    return vocab_iri(parameter.vocabulary, text) if parameter.vocabulary and _TERM.fullmatch(text) else text


def _refuse_future_day(name: str, day: date) -> date:
    """Return the day; raise NotYetKnown for a day of knowledge in the future (docs/explanation/time.md)."""
    now = today()
    if name.startswith(_KNOWN) and day > now:
        raise NotYetKnown(day, now)
    return day


def _whole_number(text: str) -> int:
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError(f"got {text!r}")
    return int(text)


#: The order of the rows, which the last lines of a query state; and a term of a vocabulary in the notation of names,
#: such as ``lei`` or ``acordao;adi``.
_ORDER = re.compile(r"^ORDER BY .*\Z", re.MULTILINE | re.DOTALL)
_TERM = re.compile(r"[a-z][a-z0-9.;]*", re.ASCII)
#: The prefix of parameters that are days of knowledge (K).
_KNOWN = "conhecido"
#: The parameter of the axis.
_AXIS = "eixo"
_OWN_PREFIX = "vig:"
_ARTICLE = {
    Kind.IRI: "a name, a citation or a nickname of a norm, or an IRI",
    Kind.DATE: "a date YYYY-MM-DD",
    Kind.INTEGER: "a whole number from 0 up",
    Kind.STRING: "a text",
}

_REQUIRED = ("title@pt-br", "title@en", "question@pt-br", "question@en")
_LIMITS = ("limits@pt-br", "limits@en")
_FIELDS = (*_REQUIRED, *_LIMITS, "group", "competency")
_LINES = f"one each of {', '.join(f'{field}:' for field in _FIELDS)} with a text, or param ..., or column ..."
_NUMBERS = re.compile(r"[1-9][0-9]*(?: [1-9][0-9]*)*", re.ASCII)
_WHOLE_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_HEADER = re.compile(r"#\s?(.*)")
_PARAMETER = re.compile(r"(\w+)\s+(\w+)(?:/(\w+))?\s+(?:(required)|=\s*(\S+)):\s+(.+)", re.ASCII)
_COLUMN = re.compile(r"(\w+)\s+(\w+):\s+(.+)", re.ASCII)


def read(name: str, text: str) -> Query:
    """Return a query from the text of its file; the header is the comment lines at its beginning.

    Raises:
        BadQuery: a header line is unknown or repeated; a title, a question or limits lack one of the languages; the
            group, a competency or a default is not valid; or a SELECT uses a parameter and does not project it.
    """
    fields: dict[str, str] = {}
    parameters: list[Parameter] = []
    columns: list[Column] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            break
        key, _, value = match[1].partition(" ")
        if key == "param":
            parameters.append(_parameter(name, number, value))
        elif key == "column":
            columns.append(_column(name, number, value))
        elif key.removesuffix(":") in _FIELDS and key.endswith(":") and key[:-1] not in fields and value.strip():
            fields[key[:-1]] = value.strip()
        elif match[1].strip():
            raise BadQuery(
                f"query {name}, line {number}: expected {_LINES}, got {match[1]!r}; see docs/reference/queries.md"
            )
    needed = (*_REQUIRED, *(_LIMITS if fields.keys() & {*_LIMITS} else ()))
    missing = [key for key in needed if key not in fields]
    if missing:
        raise BadQuery(f"query {name}: expected a header with {', '.join(missing)}; see docs/reference/queries.md")
    query = Query(
        name,
        fields["title@en"],
        fields["title@pt-br"],
        fields["question@en"],
        fields["question@pt-br"],
        fields.get("limits@en"),
        fields.get("limits@pt-br"),
        _group(name, fields.get("group")),
        _competency(name, fields.get("competency")),
        tuple(parameters),
        tuple(columns),
        text,
    )
    _check(query)
    return query


def _check(query: Query) -> None:
    """Raise BadQuery if the header contradicts the query in a way that the engine would not report."""
    for declared in (query.parameters, query.columns):
        names = [declaration.name for declaration in declared]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BadQuery(f"query {query.name}: {', '.join(twice)} is declared twice; see docs/reference/queries.md")
    for parameter in query.parameters:
        if parameter.default is not None:
            try:
                _term(query.name, parameter, parameter.default)
            except BadParameter as error:
                raise BadQuery(f"query {query.name}: the default does not fit: {error}") from None
    free = unprojected_parameters(query.text, {parameter.name for parameter in query.parameters})
    if free:
        raise BadQuery(
            f"query {query.name}: expected parameter {', '.join(free)} in the projection of every SELECT that uses it, "
            "or the engine would not heed its value; see docs/reference/queries.md"
        )


def _kind(name: str, number: int, word: str) -> Kind:
    try:
        return Kind(word)
    except ValueError:
        raise BadQuery(f"query {name}, line {number}: expected one of {', '.join(Kind)}, got {word!r}") from None


def _group(name: str, value: str | None) -> Group | None:
    if value is None:
        return None
    try:
        return Group(value)
    except ValueError:
        raise BadQuery(
            f"query {name}: expected `# group:` with one of {', '.join(Group)}, got {value!r}; see "
            "docs/reference/queries.md"
        ) from None


def _competency(name: str, value: str | None) -> tuple[int, ...]:
    if value is None:
        return ()
    if not _NUMBERS.fullmatch(value):
        raise BadQuery(
            f"query {name}: expected `# competency: NUMBER ...`, got {value!r}; see docs/reference/queries.md"
        )
    return tuple(map(int, value.split()))


def _parameter(name: str, number: int, value: str) -> Parameter:
    match = _PARAMETER.fullmatch(value)
    if match is None:
        raise BadQuery(
            f"query {name}, line {number}: expected `# param NAME KIND[/VOCABULARY] required: meaning` or `= DEFAULT:`"
        )
    kind = _kind(name, number, match[2])
    example = examples().get(f"{name}.{match[1]}") or examples().get(match[1])
    return Parameter(match[1], kind, match[5], match[6], *_labels(name, match[1]), match[3], example)


def _column(name: str, number: int, value: str) -> Column:
    match = _COLUMN.fullmatch(value)
    if match is None:
        raise BadQuery(f"query {name}, line {number}: expected `# column NAME KIND: meaning`")
    return Column(match[1], _kind(name, number, match[2]), match[3], *_labels(name, match[1]))


def _labels(query: str, name: str) -> tuple[str, str]:
    """Return the labels of a parameter or column in English and Portuguese: those of the query, else of the name."""
    declared = labels()
    stated = declared.get(f"{query}.{name}") or declared.get(name)
    return (stated["en"], stated["pt-BR"]) if stated is not None else (name, name)


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Return the labels of parameters and columns by language, by ``name`` or ``query.name``."""
    return _table("labels.toml")


@cache
def examples() -> Mapping[str, str]:
    """Return the example values of parameters, by ``name`` or ``query.name``."""
    return _table("examples.toml")


def _table(file: str) -> Mapping[str, Any]:
    return MappingProxyType(tomllib.loads(_text(file)))


@cache
def catalogue() -> Mapping[str, Query]:
    """Return all queries of the catalogue, by name, in order."""
    return {name: _of_catalogue(name) for name in sorted(_names())}


@cache
def _names() -> frozenset[str]:
    entries = files("queries").joinpath("sparql").iterdir()
    return frozenset(entry.name.removesuffix(".rq") for entry in entries if entry.name.endswith(".rq"))


@cache
def _of_catalogue(name: str) -> Query:
    """Return a query by its name. Commands need few of them."""
    return read(name, _FRAGMENT.sub(_fragment, _text(f"{name}.rq")))


def _fragment(reference: re.Match[str]) -> str:
    """Return the lines of a shared part of queries, indented as the comment that names it."""
    return indent(_text("fragments", f"{reference[2]}.rq"), reference[1])


def _text(*path: str) -> str:
    return files("queries").joinpath("sparql", *path).read_text(encoding="utf-8")


#: A comment in the body of a query of the catalogue that stands for a shared part of queries.
_FRAGMENT = re.compile(r"^( +)# fragment ([a-z_]+)\n", re.MULTILINE)


#: The deprecated names of queries, each with the name of the query.
DEPRECATED_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "endings_by_source": "repeals_by_source",
        "equivalents_of_work": "other_names_of_norm",
        "most_amending": "norms_amending_most",
        "norms_with_witnesses": "norms_with_several_text_sources",
        "provisions_with_life": "provisions_with_own_periods",
        "withdrawn_records_about": "withdrawals_by_name",
    }
)


def find(name: str) -> Query | None:
    """Return a query of the catalogue by its name or a deprecated name; None if there is no such query."""
    name = DEPRECATED_NAMES.get(name, name)
    return _of_catalogue(name) if name in _names() else None


def named(name: str) -> Query:
    """Return a query of the catalogue.

    Warns:
        DeprecationWarning: the name is deprecated.

    Raises:
        BadQuery: there is no such query; the message lists the names.
    """
    query = find(name)
    if query is None:
        raise BadQuery(f"there is no query {name!r}; there are: {', '.join(catalogue())}, or a path to a .rq file")
    if query.name != name:
        detail = f"the name {name} of a query is deprecated: use {query.name}"
        warnings.warn(detail, DeprecationWarning, stacklevel=2)
    return query


def from_file(path: Path) -> Query:
    """Return a query from a user's file. Without a header, it has no parameters, and its title is the file's name.

    Raises:
        BadQuery: the file cannot be read as UTF-8 text, or its header is invalid.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadQuery(f"the query {path} cannot be read: {error}") from None
    return from_text(text, path.stem)


def from_text(text: str, name: str = "query") -> Query:
    """Return a query from its text. Without a header, it has no parameters, and its title is ``name``.

    Raises:
        BadQuery: the header is invalid.
    """
    if not _has_header(text):
        return Query(name, name, name, name, name, None, None, None, (), (), (), text)
    return read(name, text)


def _has_header(text: str) -> bool:
    """Return whether a comment of the header declares anything."""
    for line in text.splitlines():
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            return False
        if match[1].partition(" ")[0].removesuffix(":") in (*_FIELDS, "param", "column"):
            return True
    return False


@dataclass(slots=True)
class Select:
    """One SELECT of a query.

    Attributes:
        nested: whether it is inside another group.
        everything: whether it projects ``*``.
        projected: the variables that it projects.
        used: the variables in its expressions and between its braces, including those of inner SELECTs.
        depth: the number of open braces inside of it; None before the first.
    """

    nested: bool
    everything: bool = False
    projected: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    depth: int | None = None


def unprojected_parameters(query: str, parameters: Collection[str]) -> list[str]:
    """Return the parameters that the query, or an inner SELECT that uses them, does not project, sorted.

    >>> unprojected_parameters("SELECT ?a ?b WHERE { { SELECT ?b WHERE { ?a ?b ?c } } }", {"a"})
    ['a']
    >>> unprojected_parameters("SELECT ?a ?b WHERE { { SELECT ?a ?b WHERE { ?a ?b ?c } } }", {"a"})
    []
    """
    missing: set[str] = set()
    for select in selects(query):
        if not select.everything:
            wanted = select.used & set(parameters) if select.nested else set(parameters)
            missing |= wanted - select.projected
    return sorted(missing)


def selects(query: str) -> list[Select]:
    """Return every SELECT of a query, in order. The result for text that is not SPARQL is unspecified."""
    select_clauses: list[Select] = []
    inside: list[Select] = []
    braces = brackets = 0
    named = False
    for token in TOKEN.finditer(query):
        variable, word, sign = token["variable"], token["word"], token["sign"]
        heading = inside[-1] if inside and inside[-1].depth is None else None
        if word is not None and word.upper() == "SELECT":
            select_clauses.append(Select(nested=braces > 0))
            inside.append(select_clauses[-1])
            brackets = 0
        elif variable is not None:
            if heading is not None and (brackets == 0 or named):
                heading.projected.add(variable)
            else:
                for select in inside:
                    select.used.add(variable)
        elif sign == "{":
            braces += 1
            if heading is not None:
                heading.depth = braces
        elif sign == "}":
            if inside and inside[-1].depth == braces:
                inside.pop()
            braces -= 1
        elif heading is not None and sign is not None:
            brackets += {"(": 1, ")": -1, "*": 0}[sign]
            heading.everything = heading.everything or (sign == "*" and brackets == 0)
        named = word is not None and word.upper() == "AS"
    return select_clauses


def spelled(query: Query, values: Mapping[str, object]) -> str:
    """Return the text of a query with the values in place of its parameters, for any endpoint with the same data.

    Args:
        query: a query of the catalogue.
        values: as for :meth:`queries.catalogue.Query.rows`.

    Raises:
        BadParameter: a value is missing, not declared, or not of its kind.

    >>> from queries.catalogue import named
    >>> text = spelled(named("providers"), {})
    >>> text == named("providers").text
    True
    """
    return substitute_variables(query.text, query.bindings(values))
