"""Commands that ask: in-force, timeline, resolve, name, query, queries, stats, export."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import pyoxigraph as ox
import typer

from graph import store as stores
from graph.errors import BadParameter
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from graph.terms import Cell
from graph.urn import parse
from ontology.namespaces import PREFIXES
from queries import in_force, resolve, timeline
from queries.answers import Status
from queries.catalogue import Query, catalogue, from_file, named
from service.cli.context import Exit, put_json, settings
from service.render import in_force_lines, resolution_lines, table, timeline_lines

__all__ = ["add_to"]

_AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="A name urn:lex:... in any dialect.")]


def _put(lines: Iterator[str]) -> None:
    for line in lines:
        typer.echo(line)


def ask_in_force(
    context: typer.Context,
    name: _Name,
    on: Annotated[str | None, typer.Option("--on", metavar="D", help="Day on which it applies; default today.")] = None,
    as_known: Annotated[
        str | None, typer.Option("--as-known", metavar="K", help="Day on which one asks; default today.")
    ] = None,
    axis: Annotated[str | None, typer.Option("--axis", help="force (default) or efficacy.")] = None,
    as_json: _AsJson = False,
) -> int:
    """Which version was in force on D, as known on K, and why."""
    with stores.open(settings(context).store) as store:
        answer = in_force(store, name, on, as_known, axis)
    if as_json:
        put_json(answer.as_json())
    else:
        _put(in_force_lines(answer))
    return Exit.UNKNOWN_NAME if answer.status is Status.UNKNOWN_NAME else Exit.ANSWERED


def ask_timeline(context: typer.Context, name: _Name, as_json: _AsJson = False) -> int:
    """All versions of a norm with both clocks, and the events behind them."""
    with stores.open(settings(context).store) as store:
        answer = timeline(store, name)
    if as_json:
        put_json(answer.as_json())
    else:
        _put(timeline_lines(answer))
    return Exit.ANSWERED


def ask_resolve(context: typer.Context, name: _Name, as_json: _AsJson = False) -> int:
    """What a name leads to: exact names, and temporal references executed."""
    with stores.open(settings(context).store) as store:
        answer = resolve(store, name)
    if as_json:
        put_json(answer.as_json())
    else:
        _put(resolution_lines(answer))
    return Exit.ANSWERED if answer.candidates else Exit.UNKNOWN_NAME


def name_parse(name: _Name, as_json: _AsJson = False) -> int:
    """Every part of a name, under the names of the grammar."""
    parts = parse(name).parts()
    if as_json:
        put_json(parts)
    else:
        _put(table(("part", "value"), [(key, _plain(value)) for key, value in parts.items() if value is not None]))
    return Exit.ANSWERED


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "; ".join(_plain(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items() if part is not None)
    return str(value)


def name_canonical(name: _Name, as_json: _AsJson = False) -> int:
    """The canonical spelling of a name."""
    parsed = parse(name)
    if as_json:
        put_json({"asked": name, "canonical": parsed.canonical, "kind": parsed.kind.value})
    else:
        typer.echo(parsed.canonical)
    return Exit.ANSWERED


def list_queries(as_json: _AsJson = False) -> int:
    """The catalogue of queries."""
    queries = catalogue().values()
    if as_json:
        put_json([_described(query) for query in queries])
    else:
        for query in queries:
            typer.echo(f"{query.name}: {query.title}")
            typer.echo(f"    {query.question}")
            for p in query.parameters:
                need = "required" if p.default is None else f"default {p.default}"
                typer.echo(f"    -p {p.name}=... ({p.kind}, {need}) {p.meaning}")
    return Exit.ANSWERED


def _described(query: Query) -> dict[str, object]:
    return {
        "name": query.name,
        "title": query.title,
        "titulo": query.titulo,
        "question": query.question,
        "parameters": [
            {
                "name": p.name,
                "kind": p.kind.value,
                "required": p.default is None,
                "default": p.default,
                "meaning": p.meaning,
            }
            for p in query.parameters
        ],
        "columns": [{"name": c.name, "kind": c.kind.value, "meaning": c.meaning} for c in query.columns],
    }


_RESULT_FORMATS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
}
_FORMATS = ("table", *_RESULT_FORMATS, "ttl")


def run_query(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A name from the catalogue, or a .rq file.")],
    values: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter; repeatable.")
    ] = None,
    output: Annotated[str, typer.Option("--format", help="table, csv, tsv, json, or ttl for CONSTRUCT.")] = "table",
) -> int:
    """Run a query of the catalogue, or a .rq file."""
    if output not in _FORMATS:
        raise BadParameter(f"expected --format {', '.join(_FORMATS)}, got {output!r}")
    given = dict(_pair(value) for value in values or [])
    wanted = from_file(Path(query)) if query.endswith(".rq") else named(query)
    bound = wanted.bindings(given)
    with stores.open(settings(context).store) as store:
        found = store.answer(wanted.text, bound)
        if isinstance(found, ox.QueryTriples):
            if output != "ttl":
                raise BadParameter("this query makes triples: use --format ttl")
            ox.serialize(found, _stdout(), ox.RdfFormat.TURTLE, prefixes=dict(PREFIXES))
        elif output in _RESULT_FORMATS:
            found.serialize(_stdout(), _RESULT_FORMATS[output])
        elif output == "ttl":
            raise BadParameter("this query makes a table: use --format table, csv, tsv or json")
        elif isinstance(found, ox.QueryBoolean):
            typer.echo("yes" if found else "no")
        else:
            rows = store.select(wanted.text, bound)
            hidden = {p.name for p in wanted.parameters}
            names = [v.value for v in found.variables if v.value not in hidden]
            _put(table(names, [[_cell(row[name]) for name in names] for row in rows]))
    return Exit.ANSWERED


def _stdout() -> BinaryIO:
    sys.stdout.flush()
    return sys.stdout.buffer


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadParameter(f"expected a parameter as NAME=VALUE, got {text!r}")
    return name, value


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return getattr(value, "value", None) or str(value)


def show_stats(context: typer.Context, as_json: _AsJson = False) -> int:
    """How much the store holds, of what, from whom, and up to when."""
    folder = settings(context).store
    with stores.open(folder) as store:
        quads = len(store)
        classes = {str(row["classe"]): row["entidades"] for row in named("statistics").rows(store)}
        providers = {str(row["provedor"]): str(row["horizonte"]) for row in named("providers").rows(store)}
    refused = Quarantine(Path(folder) / QUARANTINE).count()
    if as_json:
        put_json({"quads": quads, "classes": classes, "known_up_to": providers, "quarantine": refused})
        return Exit.ANSWERED
    typer.echo(f"{quads} quads; {refused} refused records in quarantine")
    short = {iri: f"{prefix}:" for prefix, iri in PREFIXES.items()}
    rows = [[_shortened(iri, short), str(count)] for iri, count in classes.items()]
    _put(table(("class", "entities"), rows))
    for provider, newest in providers.items():
        typer.echo(f"known up to {newest} by {provider}")
    return Exit.ANSWERED


def _shortened(iri: str, prefixes: dict[str, str]) -> str:
    for namespace, prefix in prefixes.items():
        if iri.startswith(namespace):
            return prefix + iri.removeprefix(namespace)
    return iri


_EXPORTS = {
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
}


def export(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="FILE.nq, .trig, .nt or .ttl, or - for N-Quads on stdout.")
    ],
) -> int:
    """Write the whole graph as RDF; .nq and .trig keep who said what."""
    rdf_format = ox.RdfFormat.N_QUADS if file == "-" else _EXPORTS.get(Path(file).suffix)
    if rdf_format is None:
        raise BadParameter(f"expected a file name ending in {', '.join(_EXPORTS)}, got {file!r}")
    with stores.open(settings(context).store) as store, _output(file) as output:
        store.dump(output, rdf_format, PREFIXES)
    return Exit.ANSWERED


@contextmanager
def _output(file: str) -> Iterator[BinaryIO]:
    """A file that appears whole or not at all; or stdout."""
    if file == "-":
        yield _stdout()
        return
    path = Path(file)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as output:
            yield output
        part.replace(path)
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("in-force")(ask_in_force)
    app.command("timeline")(ask_timeline)
    app.command("resolve")(ask_resolve)
    names = typer.Typer(help="Names: their parts and canonical spelling.")
    names.command("parse")(name_parse)
    names.command("canonical")(name_canonical)
    app.add_typer(names, name="name")
    app.command("query")(run_query)
    app.command("queries")(list_queries)
    app.command("stats")(show_stats)
    app.command("export")(export)
