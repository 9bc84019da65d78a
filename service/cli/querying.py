"""Commands for SPARQL queries: query, queries."""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, BinaryIO

import pyoxigraph as ox
import typer

from graph import store as stores
from graph.errors import BadParameter
from graph.store import Store
from graph.terms import Text, read
from ontology.namespaces import PREFIXES
from queries.catalogue import Query, catalogue, from_file, named
from queries.guard import refuse_unsafe
from queries.resolution.interpretation import cited_names
from service.cli.context import AsJson, Exit
from service.cli.opening import settings
from service.cli.timer import timer_line
from service.output import print_json, print_lines, print_message, stdout_bytes, terminal_width
from service.render.tables import shortened, table
from service.results import queries_document, write_results

_RESULT_FORMATS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}
_GRAPH_FORMATS = {
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "rdf": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}
_TABLES = ("table", *_RESULT_FORMATS)
_FORMATS = (*_TABLES, *_GRAPH_FORMATS)


def run_query(
    context: typer.Context,
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help="A name of the catalogue, or a .rq file.",
            autocompletion=lambda: list(catalogue()),
        ),
    ],
    values: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter; repeatable.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(_FORMATS),
            help="The last four are for CONSTRUCT, the others for SELECT and ASK. Default: table.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run a query of the catalogue, or a .rq file."""
    if as_json and output not in (None, "json"):
        raise BadParameter(f"expected --json or --format {output}, not both")
    output = "json" if as_json else output or "table"
    if output not in _FORMATS:
        raise BadParameter(f"expected --format {', '.join(_FORMATS)}, got {output!r}")
    given = _parameters(values or [])
    wanted = from_file(Path(query)) if query.endswith(".rq") else _named(query)
    refuse_unsafe(wanted.text)
    if not any(parameter.may_cite(given.get(parameter.name)) for parameter in wanted.parameters):
        wanted.bindings(given)  # refuses invalid values before the store is opened
    with stores.open(settings(context).store) as store, _interruptible():
        names = cited_names(store, wanted, given)
        for parameter, name in names.items():
            print_message(f"note: {parameter}={given[parameter]} is understood as {name}")
        bound = wanted.bindings(given | names)
        with timer_line(wanted.name):
            write_result = _writer_of(store.answer(wanted.text, bound), wanted, output)
        write_result()
    return Exit.ANSWERED


def _named(name: str) -> Query:
    """Return a query of the catalogue, with a message if the name is deprecated."""
    with warnings.catch_warnings(record=True, action="always", category=DeprecationWarning) as deprecated:
        query = named(name)
    for warning in deprecated:
        print_message(f"note: {warning.message}")
    return query


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process at once, because Python handles no signals while the engine runs."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # the parent process set another handler
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _writer_of(
    answer: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, query: Query, output: str
) -> Callable[[], None]:
    """Return a function that writes the answer to stdout.

    Formats of RDF and of results are written to a file or pipe at once; the function then writes nothing.
    """
    if isinstance(answer, ox.QueryTriples):
        if output not in _GRAPH_FORMATS:
            wanted = ", ".join(_GRAPH_FORMATS)
            raise BadParameter(f"query {query.name} returns triples: expected --format {wanted}, got {output}")
        return _bytes_writer(lambda into: ox.serialize(answer, into, _GRAPH_FORMATS[output], prefixes=dict(PREFIXES)))
    if output in _GRAPH_FORMATS:
        raise BadParameter(f"query {query.name} returns a table: expected --format {', '.join(_TABLES)}, got {output}")
    if output in _RESULT_FORMATS:
        ends = output in ("csv", "tsv") and isinstance(
            answer, ox.QuerySolutions
        )  # only for these does the engine write a final line break
        return _bytes_writer(lambda into: write_results(answer, into, _RESULT_FORMATS[output]), b"" if ends else b"\n")
    if isinstance(answer, ox.QueryBoolean):
        return partial(print_lines, ["yes" if answer else "no"])
    return partial(print_lines, list(_rows(query, answer, terminal_width())))


def _bytes_writer(write: Callable[[BinaryIO], object], ended: bytes = b"") -> Callable[[], None]:
    """Write bytes to a file or pipe at once; for a terminal, return a function that writes them after the timer."""
    if not sys.stdout.isatty():
        stdout = stdout_bytes()
        write(stdout)
        stdout.write(ended)
        return lambda: None
    held = BytesIO()
    write(held)

    def put() -> None:
        stdout_bytes().write(held.getvalue() + ended)

    return put


def query_lines(query: Query, store: Store, values: Mapping[str, object], width: int | None) -> Iterator[str]:
    """Yield the lines of the table that ``vigente query`` shows for a SELECT query of the catalogue."""
    solutions = query.answer(store, values)
    assert isinstance(solutions, ox.QuerySolutions)  # noqa: S101 - the caller names a SELECT
    return _rows(query, solutions, width)


def _rows(query: Query, solutions: ox.QuerySolutions, width: int | None) -> Iterator[str]:
    """Yield the lines of an answer, without the columns that repeat parameters."""
    given = {parameter.name for parameter in query.parameters}
    names = [variable.value for variable in solutions.variables if variable.value not in given]
    return table(names, [[_cell(row[name]) for name in names] for row in solutions], width)


def _parameters(values: list[str]) -> dict[str, str]:
    """Return the parameters by name.

    Raises:
        BadParameter: a parameter is not ``NAME=VALUE``, or is repeated.
    """
    given: dict[str, str] = {}
    for name, value in map(_parameter, values):
        if name in given:
            raise BadParameter(f"expected the parameter {name} once, got {given[name]!r} and {value!r}")
        given[name] = value
    return given


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadParameter(f"expected a parameter as NAME=VALUE, got {text!r}")
    return name, value


def _cell(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None) -> str:
    if isinstance(term, ox.NamedNode):
        return shortened(term.value)
    value = read(term)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.value if isinstance(value, Text) else str(value)


def list_queries(as_json: AsJson = False) -> int:
    """List the queries of the catalogue."""
    if as_json:
        print_json(queries_document())
    else:
        print_lines(line for query in catalogue().values() for line in _query_lines(query))
    return Exit.ANSWERED


def _query_lines(query: Query) -> Iterator[str]:
    yield f"{query.name}: {query.title}"
    yield f"    {query.question}"
    if query.competency:
        yield f"    answers competency question {', '.join(map(str, query.competency))}"
    if query.limits is not None:
        yield f"    {query.limits}"
    for p in query.parameters:
        need = "required" if p.default is None else f"default {p.default}"
        yield f"    -p {p.name}=... ({p.kind}, {need}) {p.meaning}"
    yield f"    {query.command}"
