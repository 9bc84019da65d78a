"""Pages of the catalogue of queries: the list by subject, one query, and its answer as a table and a chart."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from io import StringIO
from itertools import islice
from types import MappingProxyType
from typing import cast
from urllib.parse import unquote

from markupsafe import Markup

from graph.errors import BadDate, BadName, BadParameter, NotYetKnown, UnknownName
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import Cell as Value
from graph.terms import Text
from graph.time.kinds import Status
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme, built_in
from graph.wording.folding import folded
from graph.wording.labels import humanised, label
from graph.wording.numerals import read_day
from ontology.iris import ID, VOCAB, provider_of
from ontology.namespaces import CRM, ELI, SKOS, VIG
from queries.catalogue import Column, Group, Kind, Parameter, Query, find
from queries.evidence import is_dated_by_act, records
from queries.related import records_of
from queries.resolution.interpretation import identified
from queries.vocabulary import vocabulary
from service.render.tables import shortened
from service.web.http.name_paths import LONGEST_PATH, description_path, name_path
from service.web.http.negotiation import Language
from service.web.pages.editor import Field, query_named
from service.web.pages.examples import EXAMPLE_VALUES, example_value, example_values
from service.web.pages.frame import (
    Frame,
    Messages,
    format_markup,
    label_of,
    labelled,
    record_name,
    render,
    source_name,
    variables,
)
from service.web.pages.meanings import meaning, without_variables
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer, CappedBuffer
from service.web.text_layout import cut

#: The task type of the page of an answer.
KIND = "page.query"
#: The task type of CSV with the names beside the IRIs, and its ``format``.
NAMED_KIND, NAMED = "query.names", "csv-names"
#: The end of the names of columns with names, and the bytes by which spreadsheets recognise UTF-8.
_NAME_SUFFIX, _BYTE_ORDER_MARK = "_nome", b"\xef\xbb\xbf"
#: The path of the page of an answer, that of the API, and the values of ``format`` of files; all but one are the API's.
_ANSWER, API_PATH, FILES = "/queries/{}/answer", "/api/v1/queries/", (NAMED, "csv", "json")
#: The maximum number of rows of a table, bars of a chart, and characters of a cell.
_ROWS, _BARS, _LONGEST = 200, 40, 300
#: The maximum number of characters of an acronym of a document type, such as PLS.
_LONGEST_ACRONYM = 5
#: The maximum number of norms that a page counts.
_MOST_COUNTED = 10_000
#: The parameters that take a norm, a provision or a version.
_OF_NAMES = frozenset({"dispositivo", "nome", "norma", "sujeito", "versao"})
#: The messages of examples of such a parameter.
_WRITTEN: Mapping[str, str] = MappingProxyType(
    {
        "dispositivo": "explained.written_provision",
        "nome": "explained.written_name",
        "norma": "explained.written_norm",
    }
)
#: The parameter of the axis, and the messages of its values.
_AXIS = "eixo"
_AXES: Mapping[str, str] = MappingProxyType(
    {str(VIG["forca"]): "explained.code_force", str(VIG["eficacia"]): "explained.code_efficacy"}
)
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
#: The columns with the norm or provision of a row; and the statuses of situations that agree with it in gender.
_SUBJECTS = ("dispositivo", "alvo", "norma")
_ENDED: Mapping[str, str] = MappingProxyType(
    {
        VIG["anulada"]: "status.annulled",
        VIG["convertida"]: "status.converted",
        VIG["revogada"]: "status.revoked",
        VIG["vetada"]: "status.vetoed",
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
#: The column of source records; a day or bounds as a text; the beginning of the IRIs of events.
_RECORD, _WHEN = "registro", re.compile(r"\d{4}-\d\d-\d\d(?:/\d{4}-\d\d-\d\d)?", re.ASCII)
_EVENT = f"{ID}evento/"
#: The letter of an axis at the end of a description; and a name that may be that of a query.
_LETTER = re.compile(r" \([DK][12]?\)$")
_QUERY_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+", re.ASCII)
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
    writer = PageWriter(frame, built_in(), lambda _: False)
    return render(
        "queries.html",
        frame,
        groups=shown_groups,
        sought=sought,
        about=name,
        title=writer.title(name.canonical) if name is not None else None,
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
        query: the query.
        today: the default of a day without an example.
        about: the name of the norm or provision of the examples; empty for a well-known norm of the store.

    Raises:
        BadName: ``about`` is no valid name.
    """
    name = parse(about) if about else None
    values = example_values(store, (name.provision or name.work) if name is not None else None)
    lines = query.text.split("\n")
    text = "\n".join(line for line in lines if not line.startswith("# "))
    fields = tuple(
        Field(parameter, example_value(parameter, values) or _default(parameter, today.isoformat()))
        for parameter in query.parameters
    )
    writer = PageWriter(frame, built_in(), lambda _: False)
    return render(
        "query.html",
        frame,
        query=query,
        title=title_of(query, frame),
        question=_question_in_words(query, fields, writer),
        limits=_limits_in_words(query, frame),
        text=text.strip(),
        fields=_form(store, fields, writer),
    )


def title_of(query: Query, frame: Frame) -> str:
    """Return the title of a query in the language of a page."""
    return query.titulo if frame.language is Language.PORTUGUESE else query.title


def _question(query: Query, frame: Frame) -> str:
    return query.pergunta if frame.language is Language.PORTUGUESE else query.question


def _question_in_words(query: Query, fields: Iterable[Field], writer: PageWriter) -> Markup:
    """Return the question of a query with the values of its parameters in place of their variables.

    A parameter without a value, and a column, have their label.
    """
    frame, said = writer.frame, {field.parameter.name: _value_in_words(field, writer) for field in fields}
    declared: tuple[Parameter | Column, ...] = (*query.columns, *query.parameters)
    labels = {one.name: labelled(one, frame.language) for one in declared}
    return variables(_question(query, frame), {name: said.get(name) or f"“{label}”" for name, label in labels.items()})


def _value_in_words(field: Field, writer: PageWriter) -> str:
    if field.value in _AXES:
        return str(writer.words(_AXES[field.value]))
    if field.parameter.kind is Kind.DATE:
        return _when(field.value, writer)
    if field.value.startswith("urn:lex:"):
        return writer.label(field.value)
    if field.value.startswith(VOCAB):
        return _other_cell(field.value, writer).text
    return field.value


def _limits_in_words(query: Query, frame: Frame) -> Markup | None:
    """Return the limits of a query, with the titles of other queries, as links, in place of their names."""
    text = query.limites if frame.language is Language.PORTUGUESE else query.limits
    if text is None:
        return None
    text = without_variables(text, frame.language)
    markup, end = Markup(""), 0
    for match in _QUERY_NAME.finditer(text):
        other = find(match[0])
        if other is not None:
            path = frame.to(f"/queries/{other.name}")
            markup += format_markup('{}<a href="{}">{}</a>', text[end : match.start()], path, title_of(other, frame))
            end = match.end()
    return markup + format_markup("{}", text[end:])


@dataclass(frozen=True, slots=True)
class _FormField:
    """A field of a form.

    Attributes:
        parameter: the parameter.
        value: its value as readers write it: for a norm or provision the citation, if the service reads it back.
        example: an example for an empty field.
        options: for a choice, each value with its words; else empty.
        hint: what to write.
        hint_language: the language of the hint.
    """

    parameter: Parameter
    value: str
    example: str
    options: tuple[tuple[str, str], ...]
    hint: str
    hint_language: Language


def _form(store: Store, fields: Iterable[Field], writer: PageWriter) -> tuple[_FormField, ...]:
    """Return the fields of a form, in words where the form reads the words back."""
    return tuple(_form_field(store, field, writer.words) for field in fields)


def _form_field(store: Store, field: Field, words: Messages) -> _FormField:
    example, options = _choices(field, words)
    hint, language = _hint(field.parameter, words)
    return _FormField(field.parameter, _as_written(store, field), example, options, hint, language)


def _choices(field: Field, words: Messages) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the example of an empty field, and the values that a reader can choose."""
    name = field.parameter.name
    if name == _AXIS and field.value in _AXES:
        return "", tuple((value, str(words(key)).capitalize()) for value, key in _AXES.items())
    if field.parameter.vocabulary is not None and field.parameter.default == f"{VOCAB}{field.parameter.vocabulary}":
        return str(words("explained.every_term")), ()
    return str(words(_WRITTEN[name])) if name in _WRITTEN else EXAMPLE_VALUES.get(name, ""), ()


def _hint(parameter: Parameter, words: Messages) -> tuple[str, Language]:
    """Return what to write into a field, without the letters of the axes and without identifiers, and its language."""
    if parameter.name in _WRITTEN:
        return str(words("explained.hint_name")), words.language
    if parameter.name == _AXIS:
        return "", words.language
    if parameter.vocabulary is not None:
        return str(words("explained.hint_term")), words.language
    said, language = meaning(parameter.meaning, words.language)
    return _LETTER.sub("", said), language


def _as_written(store: Store, field: Field) -> str:
    """Return the value of a field as readers write it; the value itself where it would not be read back."""
    parameter, value = field.parameter, field.value
    if parameter.vocabulary is not None and value.startswith(VOCAB):
        return "" if value == parameter.default else unquote(value.removeprefix(f"{VOCAB}{parameter.vocabulary}/"))
    if parameter.name not in _OF_NAMES or not value.startswith("urn:lex:"):
        return value
    try:
        stated = label(parse(value), vocabulary=vocabulary(store))
    except BadName:
        return value
    stated = stated[:1].upper() + stated[1:]
    return stated if len(stated) <= _LONGEST_CITATION and _name_of(store, stated) == value else value


def show_answer(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the answer of a query, or its form if values are missing or invalid (runs in a worker process).

    Args:
        arguments: ``query``, its name; ``values``, texts by the name of their parameter; ``frame``; ``today``.

    Raises:
        Problem: 404 ``unknown-address``: there is no such query.
    """
    frame = Frame.of_json(arguments["frame"])
    query = query_named(str(arguments["query"]))
    fields = _fields(store, query, cast("Mapping[str, str]", arguments["values"]), str(arguments["today"]))
    values = {field.parameter.name: field.value for field in fields if field.value}
    missing = [field.parameter.name for field in fields if not field.value]
    writer = _writer(store, frame)
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
        question=_question_in_words(query, fields, writer),
        limits=_limits_in_words(query, frame),
        reach=_reach(store, query, writer),
        fields=_form(store, fields, writer),
        problem=problem,
        wrong=wrong,
        rows=None if rows is None else [_cells(query, row, writer, store) for row in rows[:_ROWS]],
        more=rows is not None and len(rows) > _ROWS,
        unknown=_unknown(store, fields, writer) if rows is not None and not rows else (),
        chart=_chart(query, rows[:_ROWS], writer) if rows else None,
        files=[(kind, frame.to(_ANSWER.format(query.name), **values, format=kind)) for kind in FILES],
        editor=frame.to("/sparql/editor", example=query.name, **values),
    )
    return Answer(body, "text/html")


def _writer(store: Store, frame: Frame) -> PageWriter:
    return PageWriter(
        frame, vocabulary(store), lambda _: False, is_dated_by_act=partial(is_dated_by_act, MemoizingStore(store))
    )


def _unknown(store: Store, fields: Iterable[Field], writer: PageWriter) -> tuple[str, ...]:
    """Return the norms, in words, that the values of parameters name, and that no source of the store describes."""
    names = (field.value for field in fields if field.parameter.name in _OF_NAMES)
    norms = dict.fromkeys(parse(name).work for name in names if name.startswith("urn:lex:"))
    return tuple(writer.label(norm) for norm in norms if not records(store, norm.iri))


def _reach(store: Store, query: Query, writer: PageWriter) -> Markup | None:
    """Return the sentence that a query about the whole store counts loaded norms only; None for queries about one."""
    if any(parameter.required and parameter.kind is not Kind.DATE for parameter in query.parameters):
        return None
    if query.group is Group.SOURCES:
        return None
    held = sum(1 for _ in islice(store.names.norms(), _MOST_COUNTED + 1))
    if held > _MOST_COUNTED:
        return writer.words("explained.partial_most", n=writer.words.number(_MOST_COUNTED))
    return writer.words.count("explained.partial", held)


def _fields(store: Store, query: Query, values: Mapping[str, str], today: str) -> tuple[Field, ...]:
    given = _with_days(query, values)
    for parameter in query.parameters:
        text = given.get(parameter.name)
        if text and parameter.name in _OF_NAMES:
            given[parameter.name] = _name_of(store, text)
        elif text and parameter.vocabulary is not None:
            given[parameter.name] = _term_of(store, parameter.vocabulary, text)
    return tuple(
        Field(parameter, given.get(parameter.name) or _default(parameter, today)) for parameter in query.parameters
    )


def values_read(store: Store, query: Query, values: Mapping[str, str], today: str) -> dict[str, str]:
    """Return the values of a form as the query takes them: names for citations, ISO 8601 for days, and defaults."""
    short = {key: value for key, value in values.items() if len(value) <= _LONGEST_CITATION or ":" in value}
    return {field.parameter.name: field.value for field in _fields(store, query, short, today) if field.value}


def show_named_file(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the answer of a query as CSV with a column of names beside each column of IRIs (in a worker process).

    The names are those of the page of the answer, in its language.

    Args:
        arguments: ``query``, ``values``, ``frame`` and ``today``, as for :func:`show_answer`.

    Raises:
        BadParameter, NotYetKnown: a value is missing or invalid.
        Problem: 404 ``unknown-address``: there is no such query; 413 ``answer-too-large``.
    """
    query = query_named(str(arguments["query"]))
    given = cast("Mapping[str, str]", arguments["values"])
    values = values_read(store, query, given, str(arguments["today"]))
    writer = _writer(store, Frame.of_json(arguments["frame"]))
    columns = [*(_column_of(parameter) for parameter in query.parameters), *query.columns]
    fields = [name for column in columns for name in _file_columns(column)]
    names: dict[tuple[str, str], str] = {}
    output = CappedBuffer()
    output.write(_BYTE_ORDER_MARK + _csv_line(fields))
    for row in query.rows(store, values):
        texts: list[str] = []
        for column in columns:
            text = _file_text(row[column.name])
            texts.append(text)
            if column.kind is Kind.IRI:
                key = column.name, text
                if key not in names:
                    names[key] = _cell_of(column, row[column.name], writer, store).text
                texts.append(names[key])
        output.write(_csv_line(texts))
    return Answer(output.getvalue(), "text/csv")


def _column_of(parameter: Parameter) -> Column:
    """Return the column of a parameter; an answer repeats the values of the question."""
    return Column(parameter.name, parameter.kind, parameter.meaning, parameter.label, parameter.rotulo)


def _file_columns(column: Column) -> tuple[str, ...]:
    return (column.name, f"{column.name}{_NAME_SUFFIX}") if column.kind is Kind.IRI else (column.name,)


def _file_text(value: Value) -> str:
    """Return a value as SPARQL 1.1 CSV writes it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.value if isinstance(value, Text) else str(value)


def _csv_line(texts: Iterable[str]) -> bytes:
    """Return a line of CSV (RFC 4180)."""
    line = StringIO(newline="")
    csv.writer(line).writerow(texts)
    return line.getvalue().encode()


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
        return identified(store, text).canonical
    except (BadName, UnknownName):
        return text


def _term_of(store: Store, scheme: str, text: str) -> str:
    """Return the notation of the term of a vocabulary with a label, such as Lei; the text where there is none."""
    concept = vocabulary(store).one(Scheme(scheme), text) if ":" not in text and scheme in set(Scheme) else None
    return concept.notation if concept is not None else text


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


def _path_of(iri: str) -> str | None:
    path = description_path(iri)
    return path if len(path) <= LONGEST_PATH else None


def _cells(query: Query, row: Mapping[str, Value], writer: PageWriter, store: Store) -> list[_Cell]:
    subject = next((str(row[name]) for name in _SUBJECTS if row.get(name) is not None), "")
    return [
        _agreeing_cell(column, str(row[column.name]), subject, writer)
        or _cell_of(column, row[column.name], writer, store)
        for column in query.columns
    ]


def _agreeing_cell(column: Column, code: str, subject: str, writer: PageWriter) -> _Cell | None:
    """Return the cell of a status or situation that agrees in gender with the subject of its row.

    None for other values, and for a row without a norm or provision.
    """
    if not subject.startswith("urn:lex:"):
        return None
    if column.name == "status" and code in set(Status):
        return _Cell(writer.agreed(f"status.{code}", from_iri(subject)), name=code)
    if (key := _ENDED.get(code)) is None:
        return None
    called = str(writer.agreed(key, from_iri(subject)).striptags()).lower()
    return _Cell(called, f"/ns#{code.removeprefix(str(VIG))}", code)


def _cell_of(column: Column, value: Value, writer: PageWriter, store: Store) -> _Cell:
    """Return the cell of a column. A code has its label, and an event its kind."""
    code = str(value)
    if column.name == _RECORD and code.startswith(ID) and source_name(code) == code:
        record = records_of(store, [code])[code]
        return _Cell(cut(record_name(record, writer.words), _LONGEST), _path_of(code), record.called)
    if code.startswith(_EVENT):
        cell, kinds = _cell(value, writer), sorted(store.links(code, CRM["P2_has_type"]))
        called = [kind.text for iri in kinds if (kind := _vocabulary_cell(iri, writer)) is not None]
        return replace(cell, text=f"{', '.join(called)} ({cell.text})") if called else cell
    if column.name == "status" and code in set(Status):
        return _Cell(writer.words(f"status.{code}"), name=code)
    key = _CODES.get(code) if column.name in _OF_CODES else None
    return _Cell(writer.words(key), name=code) if key is not None else _cell(value, writer)


def _cell(value: Value, writer: PageWriter) -> _Cell:
    if value is None:
        return _Cell("")
    if isinstance(value, bool):
        return _Cell(str(writer.words("editor.boolean_yes" if value else "editor.boolean_no")))
    if isinstance(value, date):
        return _Cell(writer.words.day(value))
    if isinstance(value, Text):
        return _Cell(cut(value.value, _LONGEST))
    text = str(value)
    if _WHEN.fullmatch(text):
        return _Cell(_when(text, writer))
    if not text.startswith("urn:lex:"):
        return _other_cell(text, writer)
    try:
        name = parse(from_iri(text)).canonical
    except BadName:
        return _Cell(cut(text, _LONGEST), _path_of(text))
    path = name_path(name)
    return _Cell(cut(writer.title(name), _LONGEST), path if len(path) <= LONGEST_PATH else None, name)


def _when(text: str, writer: PageWriter) -> str:
    """Return a day, or the first and last possible day, in words; the text itself where it is no such day."""
    try:
        first, _, last = text.partition("/")
        days = [writer.words.day(date.fromisoformat(day)) for day in (first, last) if day]
    except ValueError:
        return text
    return days[0] if len(days) == 1 else str(writer.words("norm.between", first=days[0], last=days[1]).striptags())


def _other_cell(text: str, writer: PageWriter) -> _Cell:
    """Return the cell of a value that is no name of a norm. A term or a source has its label."""
    if text.startswith(VOCAB) and (cell := _vocabulary_cell(text, writer)) is not None:
        return cell
    if (key := _TERMS.get(text)) is not None:
        return _Cell(writer.words(key), name=shortened(text))
    called = label_of(text, writer.frame.language)
    if called is not None:
        return _Cell(called, f"/ns#{text.removeprefix(str(VIG))}" if text.startswith(str(VIG)) else None, text)
    if text.startswith(f"{ID}provedor/"):
        return _Cell(cut(source_name(provider_of(text)), _LONGEST), None, provider_of(text))
    if text.startswith(ID):
        kind, _, rest = text.removeprefix(ID).partition("/")
        key = _KINDS.get(kind)
        kind_in_words = writer.words(key) if key is not None else kind
        called = source_name(text) if source_name(text) != text else f"{kind_in_words} {rest[:8]}"
        return _Cell(cut(called, _LONGEST), _path_of(text), text)
    return _Cell(cut(shortened(text), _LONGEST))


def _vocabulary_cell(iri: str, writer: PageWriter) -> _Cell | None:
    """Return the cell of a vocabulary or of one of its values; None where its value is unknown."""
    scheme, _, notation = iri.removeprefix(VOCAB).partition("/")
    path = iri.removeprefix(VOCAB.removesuffix("/vocab/"))
    if scheme not in set(Scheme) or len(path) > LONGEST_PATH:
        return None
    if not notation:
        called = label_of(iri, writer.frame.language)
        return _Cell(called or scheme, path, iri)
    concept, subtype = writer.vocabulary.concept(Scheme(scheme), unquote(notation)), ""
    if concept is None and scheme == Scheme.TIPO_DOCUMENTO:
        kind, _, subtype = unquote(notation).partition(";")
        concept = writer.vocabulary.concept(Scheme.TIPO_DOCUMENTO, kind)
    if concept is None:
        return _Cell(cut(unquote(notation), _LONGEST), None, iri)
    portuguese = writer.frame.language is Language.PORTUGUESE
    called = concept.label if portuguese else concept.label_en or concept.label
    return _Cell(
        cut(f"{called} ({_subtype(subtype)})" if subtype else called, _LONGEST), None if subtype else path, iri
    )


def _subtype(notation: str) -> str:
    """Return the words of the subtype of a document type: an acronym in capitals, or the words of the notation."""
    is_acronym = "." not in notation and len(notation) <= _LONGEST_ACRONYM
    return notation.upper() if is_acronym else ", ".join(map(humanised, notation.split(";")))


def _chart(query: Query, rows: Sequence[Mapping[str, Value]], writer: PageWriter) -> _Chart | None:
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
            " · ".join(_cell(row[name], writer).text for name in labels if row[name] is not None),
            value,
            100 * value / most,
        )
        for row, value in points[:_BARS]
    )
    return _Chart(measured, bars, len(points) - len(bars))
