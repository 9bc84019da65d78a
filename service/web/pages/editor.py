"""The SPARQL editor, ``/sparql/editor``: an editor, the catalogue's queries as examples, prefixes and downloads.

Without script it is a form. It sends the query to the endpoint, and buttons select the format of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import dropwhile

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.errors import BadParameter
from ontology.namespaces import PREFIXES
from queries.catalogue import Parameter, Query, catalogue, find, spelled
from service.web.http.negotiation import Language
from service.web.http.problems import Problem, repeated_parameter, unknown_parameter
from service.web.pages.examples import example_value, example_values
from service.web.pages.frame import Frame, frame_of, render, vary_headers
from service.web.replies import METHODS, PATH_OF_EDITOR, conditional, entity_tag, readable
from service.web.service import service_of
from words.texts import texts_in

_OWN = ("query", "example", "lang")
#: The first query in the editor, which every store can answer.
_FIRST = """PREFIX vig: <{vig}>

SELECT DISTINCT ?norma ?versao ?inicio ?conhecidoDesde WHERE {{
  ?periodo vig:periodoDe ?norma ; vig:versao ?versao ;
    vig:inicio ?inicio ; vig:conhecidoDesde ?conhecidoDesde .
}}
ORDER BY ?norma ?inicio ?conhecidoDesde
LIMIT 20
"""
#: The formats of the buttons, by their values of ``format``: for tables, and for statements.
_TABLES = (("csv", "CSV"), ("tsv", "TSV"), ("json", "JSON"), ("xml", "XML"))
_GRAPHS = (("ttl", "Turtle"), ("nt", "N-Triples"), ("rdf", "RDF/XML"), ("jsonld", "JSON-LD"))
#: The messages that the script shows.
_TOLD = (
    "editor.boolean_no",
    "editor.boolean_yes",
    "editor.cut",
    "editor.empty",
    "editor.lost",
    "editor.query",
    "editor.rows_many",
    "editor.rows_one",
    "editor.running",
    "editor.statements",
)


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of a query in a form: its declaration, its value, and an example for an empty field."""

    parameter: Parameter
    value: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class _Example:
    """The selected example.

    Attributes:
        query: the query of the catalogue.
        fields: its parameters with their values.
        text: the query with the values inserted; None where a value is missing or invalid.
        problem: the error in the values; None where all are valid.
    """

    query: Query
    fields: tuple[Field, ...]
    text: str | None
    problem: str | None


def query_named(name: str) -> Query:
    """Return a query of the catalogue.

    Raises:
        Problem: 404 ``unknown-address``: there is no such query.
    """
    query = find(name)
    if query is None:
        raise Problem(404, "unknown-address", "there is no query of that name; /queries lists those there are")
    return query


def routes() -> list[Route]:
    """Return the route of the editor."""
    return [Route(PATH_OF_EDITOR, _editor, methods=METHODS)]


@readable
def _editor(request: Request) -> Response:
    frame = frame_of(request)
    given = _given_parameters(request)
    example = _chosen_example(given, example_values(service_of(request).snapshot.store)) if "example" in given else None
    query = given.get("query")
    if query is None:
        query = _FIRST.format(vig=PREFIXES["vig"])
        if example is not None:
            query = _without_header(example.text or example.query.text)
    body = _page(frame, query, example)
    headers = {
        "ETag": entity_tag(service_of(request).snapshot, body),
        "Cache-Control": "no-cache",
        **vary_headers(frame),
    }
    return conditional(request, Response(body, headers=headers, media_type="text/html"))


def _given_parameters(request: Request) -> dict[str, str]:
    """Return the parameters of the address: those of the page and those of the selected example.

    Raises:
        Problem: 400 ``unknown-parameter``, ``repeated-parameter``; 404 ``unknown-address``: no such query.
    """
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given:
            raise repeated_parameter(name, name, name)
        given[name] = value
    known = list(_OWN)
    if "example" in given:
        query = query_named(given["example"])
        known += [parameter.name for parameter in query.parameters]
    for name in given:
        if name not in known:
            raise unknown_parameter(name, known)
    return given


def _chosen_example(given: Mapping[str, str], examples: Mapping[str, str]) -> _Example:
    query = query_named(given["example"])
    fields = tuple(
        Field(parameter, given.get(parameter.name, example_value(parameter, examples)))
        for parameter in query.parameters
    )
    values = {field.parameter.name: field.value.strip() for field in fields if field.value.strip()}
    try:
        return _Example(query, fields, spelled(query, values), None)
    except BadParameter as error:
        return _Example(query, fields, None, str(error))


def _without_header(text: str) -> str:
    """Return a query of the catalogue without the comments at its start, whose content the page shows."""
    lines = text.splitlines(keepends=True)
    return "".join(dropwhile(lambda line: line.startswith("#"), lines))


def _page(frame: Frame, query: str, example: _Example | None) -> bytes:
    portuguese = frame.language is Language.PORTUGUESE
    titles = sorted(
        (listed_query.titulo if portuguese else listed_query.title, listed_query.name)
        for listed_query in catalogue().values()
    )
    return render(
        "editor.html",
        frame,
        path=PATH_OF_EDITOR,
        query=query,
        example=example,
        examples=titles,
        prefixes=dict(sorted(PREFIXES.items())),
        data={
            "prefixes": dict(PREFIXES),
            "words": {key.partition(".")[2]: texts_in(frame.language).text(key) for key in _TOLD},
        },
        tables=_TABLES,
        graphs=_GRAPHS,
    )
