"""Pages of the catalogue of queries: the list by subject, one query, and its answer as a table and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import cast
from urllib.parse import unquote

from markupsafe import Markup

from graph.errors import BadDate, BadName, BadParameter, NotYetKnown
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import Cell as Value
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme, built_in
from graph.wording.folding import folded
from graph.wording.numerals import read_day
from ontology.iris import ID, VOCAB, provider_of
from ontology.namespaces import CRM, ELI, SKOS, VIG
from queries.answers import Match
from queries.catalogue import Column, Group, Kind, Parameter, Query, find, spelled
from queries.evidence import is_dated_by_act
from queries.reasons import Status
from queries.resolve import resolve
from queries.vocabulary import vocabulary
from service.render import shortened
from service.web.http.name_paths import LONGEST_PATH, description_path, name_path
from service.web.http.negotiation import Language
from service.web.http.problems import Problem
from service.web.pages.editor import Field
from service.web.pages.examples import EXAMPLE_VALUES, example_value, example_values
from service.web.pages.frame import Frame, label_of, labelled, render, source_name
from service.web.pages.sentences import Sentences
from service.web.tasks.messages import Answer
from service.web.text_layout import cut

#: The task type of the page of an answer.
KIND = "page.query"
#: The task type of a file with an answer: that of SPARQL queries.
FILE_KIND = "sparql"
#: The path of the page of an answer, and the media types of its files by their values of ``format``.
_ANSWER = "/queries/{}/answer"
FILES: Mapping[str, str] = MappingProxyType(
    {
        "csv": "text/csv",
        "tsv": "text/tab-separated-values",
        "json": "application/sparql-results+json",
    }
)
#: The maximum number of rows of a table, bars of a chart, and characters of a cell.
_ROWS, _BARS, _LONGEST = 200, 40, 300
#: The maximum number of norms that a page counts.
_MOST_COUNTED = 10_000
#: The parameters that take a norm, a provision or a version.
_OF_NAMES = frozenset({"dispositivo", "nome", "norma", "versao"})
_OF_NORMS, _OF_PROVISIONS = frozenset({"nome", "norma"}), frozenset({"dispositivo", "nome"})
#: The maximum number of characters of a citation or nickname that is resolved outside a task.
_LONGEST_CITATION = 200
#: The columns with codes, and the messages of the codes; the messages of terms of other ontologies.
_OF_CODES = frozenset({"relogio", "sentido"})
_CODES: Mapping[str, str] = MappingProxyType(
    {
        "efficacy": "explained.code_efficacy",
        "faz": "explained.code_faz",
        "force": "explained.code_force",
        "recebe": "explained.code_recebe",
        "sofre": "explained.code_sofre",
    }
)
_TERMS: Mapping[str, str] = MappingProxyType(
    {
        str(ELI["amends"]): "explained.term_amends",
        str(CRM["P67_refers_to"]): "explained.term_refers_to",
        str(SKOS["altLabel"]): "explained.term_other_label",
        str(SKOS["prefLabel"]): "explained.term_label",
    }
)
#: The messages of kinds of resources that the service names itself.
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "colheita": "explained.kind_harvest",
        "evento": "explained.kind_event",
        "fato": "explained.kind_fact",
        "lacuna": "explained.kind_gap",
        "operacao": "explained.kind_operation",
        "periodo": "explained.kind_period",
    }
)
#: Columns with ordinals or years, which a chart does not measure.
_NOT_MEASURED = frozenset({"ordem", "ano", "decada", "paginas"})


@dataclass(frozen=True, slots=True)
class _Cell:
    """A value in the table.

    Attributes:
        text: the value for readers; for a name, the norm or provision in words.
        path: the path of its page; None where there is none.
        name: the name in the graph, where the text differs from it.
    """

    text: str
    path: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar of the chart.

    Attributes:
        label: the other columns of the row.
        value: the value of the measured column.
        width: the width of the bar, from 0 to 100.
    """

    label: str
    value: int
    width: float


@dataclass(frozen=True, slots=True)
class _Chart:
    """The measured column, with a bar for each of the first rows."""

    column: Column
    bars: tuple[_Bar, ...]
    more: int


def queries_page(frame: Frame, queries: Iterable[Query], sought: str, about: str = "") -> bytes:
    """Return the page of the catalogue: queries by subject, by title.

    Args:
        frame: the frame of the page.
        queries: the queries of the catalogue.
        sought: words, all of which a query has in its title, question or name; empty for all queries.
        about: the name of a norm or provision: only queries that take it, each a link to its answer. Queries about a
            provision of the norm have a link to their form. Empty for all queries.

    Raises:
        BadName: ``about`` is no valid name.
    """
    name = parse(about) if about else None
    queries = tuple(queries)
    paths = {query.name: frame.to(f"/queries/{query.name}") for query in queries}
    if name is not None:
        paths = {query.name: path for query in queries if (path := _path_about(query, name, frame)) is not None}
    wanted = folded(sought).split()
    groups: dict[Group, list[tuple[str, Query]]] = {group: [] for group in Group}
    for query in queries:
        title = title_of(query, frame)
        text = folded(f"{title} {_question(query, frame)} {query.name}")
        if query.name in paths and query.group is not None and all(word in text for word in wanted):
            groups[query.group].append((title, query))
    shown_groups = [
        (group.value, sorted(listed, key=lambda entry: folded(entry[0]))) for group, listed in groups.items() if listed
    ]
    sentences = Sentences(frame, built_in(), lambda _: False)
    return render(
        "queries.html",
        frame,
        groups=shown_groups,
        sought=sought,
        about=name,
        title=sentences.title(name.canonical) if name is not None else None,
        paths=paths,
    )


def _norm_parameter(query: Query, name: Name) -> str | None:
    """Return the parameter of a query that takes a norm or provision; None where it has none."""
    wanted = _OF_PROVISIONS if name.fragmento is not None else _OF_NORMS
    return next((parameter.name for parameter in query.parameters if parameter.name in wanted), None)


def _path_about(query: Query, name: Name, frame: Frame) -> str | None:
    """Return the path of the answer about a norm or provision; None where the query has no such parameter.

    A query about one provision has a form with a provision of the norm.
    """
    parameter = _norm_parameter(query, name)
    if parameter is not None:
        return frame.to(_ANSWER.format(query.name), **{parameter: name.canonical})
    if any(parameter.name in _OF_PROVISIONS for parameter in query.parameters):
        return frame.to(f"/queries/{query.name}", norma=name.canonical)
    return None


def query_page(frame: Frame, query: Query, today: date, store: Store, about: str = "") -> bytes:
    """Return the page of one query: what it answers, what it does not, its parameters, columns and text.

    Its form has example values about a norm of the store.

    Args:
        frame: the frame of the page.
        query: the query.
        today: the default of a day without an example.
        store: a snapshot.
        about: the name of the norm or provision of the examples; empty for a well-known norm of the store.

    Raises:
        BadName: ``about`` is no valid name.
        StoreProblem: the store cannot be read.
    """
    name = parse(about) if about else None
    values = example_values(store, (name.provision or name.work) if name is not None else None)
    lines = query.text.split("\n")
    text = "\n".join(line for line in lines if not line.startswith("# "))
    fields = tuple(
        Field(
            parameter,
            example_value(parameter, values) or _default(parameter, today.isoformat()),
            EXAMPLE_VALUES.get(parameter.name, ""),
        )
        for parameter in query.parameters
    )
    return render("query.html", frame, query=query, title=title_of(query, frame), text=text.strip(), fields=fields)


def title_of(query: Query, frame: Frame) -> str:
    """Return the title of a query in the language of a page."""
    return query.titulo if frame.language is Language.PORTUGUESE else query.title


def _question(query: Query, frame: Frame) -> str:
    return query.pergunta if frame.language is Language.PORTUGUESE else query.question


def show_answer(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the answer of a query, or its form if values are missing or invalid (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``query``, its name; ``values``, texts by the name of their parameter; ``frame``; ``today``.

    Raises:
        Problem: 404 ``unknown-address``: there is no such query.
        StoreProblem: the store cannot be read.
    """
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    query = find(str(arguments["query"]))
    if query is None:
        raise Problem(404, "unknown-address", "there is no query of that name; /queries lists those there are")
    fields = _fields(store, query, cast("Mapping[str, str]", arguments["values"]), str(arguments["today"]))
    values = {field.parameter.name: field.value for field in fields if field.value}
    missing = [field.parameter.name for field in fields if not field.value]
    sentences = _sentences(store, frame)
    rows: list[Mapping[str, Value]] | None = None
    problem, wrong = None, ""
    if not missing:
        try:
            rows = list(islice(query.rows(store, values), _ROWS + 1))
        except (BadParameter, NotYetKnown) as error:
            problem = str(error)
            wrong = ", ".join(
                labelled(field.parameter, frame.language) for field in fields if not _is_valid(query, field)
            )
    body = render(
        "answer.html",
        frame,
        query=query,
        title=title_of(query, frame),
        question=_question(query, frame),
        reach=_reach(store, query, sentences),
        fields=fields,
        problem=problem,
        wrong=wrong,
        rows=None
        if rows is None
        else [[_cell_of(column, row[column.name], sentences) for column in query.columns] for row in rows[:_ROWS]],
        more=rows is not None and len(rows) > _ROWS,
        chart=_chart(query, rows[:_ROWS], sentences) if rows else None,
        files=[(kind, frame.to(_ANSWER.format(query.name), **values, format=kind)) for kind in FILES],
    )
    return Answer(body, "text/html")


def _sentences(store: Store, frame: Frame) -> Sentences:
    return Sentences(
        frame, vocabulary(store), lambda _: False, is_dated_by_act=partial(is_dated_by_act, MemoizingStore(store))
    )


def _reach(store: Store, query: Query, sentences: Sentences) -> Markup | None:
    """Return the sentence that a query about the whole store counts loaded norms only; None for queries about one."""
    if any(parameter.required and parameter.kind is not Kind.DATE for parameter in query.parameters):
        return None
    if query.group is Group.SOURCES:
        return None
    held = sum(1 for _ in islice(store.names.norms(), _MOST_COUNTED + 1))
    if held > _MOST_COUNTED:
        return sentences.words("explained.partial_most", n=sentences.words.number(_MOST_COUNTED))
    return sentences.words.count("explained.partial", held)


def _fields(store: Store, query: Query, values: Mapping[str, str], today: str) -> tuple[Field, ...]:
    given = _with_days(query, values)
    given |= {
        parameter.name: _name_of(store, given[parameter.name])
        for parameter in query.parameters
        if parameter.name in _OF_NAMES and given.get(parameter.name)
    }
    return tuple(
        Field(
            parameter,
            given.get(parameter.name) or _default(parameter, today),
            EXAMPLE_VALUES.get(parameter.name, ""),
        )
        for parameter in query.parameters
    )


def file_query(store: Store, query: Query, values: Mapping[str, str], today: str) -> str:
    """Return the text of a query with the values of a form inserted, as :func:`show_answer` reads them.

    Raises:
        BadParameter, NotYetKnown: a value is missing or invalid.
        StoreProblem: the store cannot be read.
    """
    short = {key: value for key, value in values.items() if len(value) <= _LONGEST_CITATION or ":" in value}
    fields = _fields(store, query, short, today)
    return spelled(query, {field.parameter.name: field.value for field in fields if field.value})


def _with_days(query: Query, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a form, with the days that readers write, such as 01/06/1993, as ISO 8601 dates."""
    return {
        key: _iso_day(value.strip())
        if any(parameter.name == key and parameter.kind is Kind.DATE for parameter in query.parameters)
        else value.strip()
        for key, value in values.items()
    }


def _iso_day(text: str) -> str:
    try:
        return read_day(text).isoformat()
    except BadDate:
        return text


def _name_of(store: Store, text: str) -> str:
    """Return the name that a citation or a nickname identifies; the text itself where it identifies none or several."""
    if ":" in text:
        return text
    try:
        resolution = resolve(store, text)
    except (BadName, BadDate):
        return text
    if resolution.match in {Match.NONE, Match.WIDER} or len(resolution.candidates) != 1:
        return text
    return resolution.candidates[0].name


def _is_valid(query: Query, field: Field) -> bool:
    try:
        replace(query, parameters=(field.parameter,)).bindings({field.parameter.name: field.value})
    except (BadParameter, NotYetKnown):
        return False
    return True


def _default(parameter: Parameter, today: str) -> str:
    """Return the value of an empty field: the default of the parameter, or today for a date."""
    if parameter.default is not None:
        return parameter.default
    return today if parameter.kind is Kind.DATE else ""


def _cell_of(column: Column, value: Value, sentences: Sentences) -> _Cell:
    """Return the cell of a column. A code has its label."""
    code = str(value)
    if column.name == "status" and code in set(Status):
        return _Cell(sentences.words(f"status.{code}"), name=code)
    key = _CODES.get(code) if column.name in _OF_CODES else None
    return _Cell(sentences.words(key), name=code) if key is not None else _cell(value, sentences)


def _cell(value: Value, sentences: Sentences) -> _Cell:
    if value is None:
        return _Cell("")
    if isinstance(value, date):
        return _Cell(sentences.words.day(value))
    text = str(value)
    if not text.startswith("urn:lex:"):
        return _other_cell(text, sentences)
    try:
        name = parse(from_iri(text)).canonical
    except BadName:
        path = description_path(text)
        return _Cell(cut(text, _LONGEST), path if len(path) <= LONGEST_PATH else None)
    path = name_path(name)
    return _Cell(cut(sentences.title(name), _LONGEST), path if len(path) <= LONGEST_PATH else None, name)


def _other_cell(text: str, sentences: Sentences) -> _Cell:
    """Return the cell of a value that is no name of a norm. A term or a source has its label."""
    if text.startswith(VOCAB) and (cell := _vocabulary_cell(text, sentences)) is not None:
        return cell
    if (key := _TERMS.get(text)) is not None:
        return _Cell(sentences.words(key), name=shortened(text))
    called = label_of(text, sentences.frame.language)
    if called is not None:
        return _Cell(called, f"/ns#{text.removeprefix(str(VIG))}" if text.startswith(str(VIG)) else None, text)
    if text.startswith(f"{ID}provedor/"):
        return _Cell(cut(source_name(provider_of(text)), _LONGEST), None, provider_of(text))
    if text.startswith(ID):
        path = description_path(text)
        kind, _, rest = text.removeprefix(ID).partition("/")
        key = _KINDS.get(kind)
        kind_in_words = sentences.words(key) if key is not None else kind
        called = source_name(text) if source_name(text) != text else f"{kind_in_words} {rest[:8]}"
        return _Cell(cut(called, _LONGEST), path if len(path) <= LONGEST_PATH else None, text)
    return _Cell(cut(shortened(text), _LONGEST))


def _vocabulary_cell(iri: str, sentences: Sentences) -> _Cell | None:
    """Return the cell of a vocabulary or of one of its values; None where its value is unknown."""
    scheme, _, notation = iri.removeprefix(VOCAB).partition("/")
    path = iri.removeprefix(VOCAB.removesuffix("/vocab/"))
    if scheme not in set(Scheme) or len(path) > LONGEST_PATH:
        return None
    if not notation:
        called = label_of(iri, sentences.frame.language)
        return _Cell(called or scheme, path, iri)
    concept = sentences.vocabulary.concept(Scheme(scheme), unquote(notation))
    if concept is None:
        return _Cell(cut(unquote(notation), _LONGEST), None, iri)
    portuguese = sentences.frame.language is Language.PORTUGUESE
    return _Cell(cut(concept.label if portuguese else concept.label_en or concept.label, _LONGEST), path, iri)


def _chart(query: Query, rows: Sequence[Mapping[str, Value]], sentences: Sentences) -> _Chart | None:
    """Return the chart of the first column with counts; None where there is no such column or it has no values."""
    measured = next(
        (column for column in query.columns if column.kind is Kind.INTEGER and column.name not in _NOT_MEASURED),
        None,
    )
    if measured is None:
        return None
    labels = [
        column.name for column in query.columns if column.kind is not Kind.INTEGER or column.name in _NOT_MEASURED
    ]
    counted = [(row, row[measured.name]) for row in rows]
    points = [(row, value) for row, value in counted if isinstance(value, int) and value >= 0]
    if not points:
        return None
    most = max(1, *(value for _, value in points))
    bars = tuple(
        _Bar(
            " · ".join(_cell(row[name], sentences).text for name in labels if row[name] is not None),
            value,
            100 * value / most,
        )
        for row, value in points[:_BARS]
    )
    return _Chart(measured, bars, len(points) - len(bars))
