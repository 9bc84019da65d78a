"""Tests that queries, commands and checks give the same results on each remote engine as on the embedded store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from graph import store as stores
from graph.entities import Event, Record
from graph.errors import BadQuery
from graph.store import Store, WritableStore
from graph.store.remote import engine as here
from graph.store.remote.engine import fetch_for_query
from ontology.namespaces import RDF
from queries.catalogue import named
from service.cli.program import execute
from tests.support.query_records import records_in
from tests.support.served_engines import EngineName, Served, fill
from tests.unit.queries.test_catalogue_rows import CASES, DATA, Case, records_of, rows

#: The cases, sorted by records: those over the same records are consecutive.
IN_ORDER: list[Case] = sorted(CASES, key=records_of)
SAMPLE = Path(__file__).parents[3] / "samples"


@pytest.fixture(scope="module")
def pairs(
    served: Served,
    record: Callable[..., Record],
    deletion: Callable[..., Record],
    event: Callable[..., Event],
    store_of: Callable[..., WritableStore],
) -> Iterator[Callable[[str], tuple[WritableStore, Store]]]:
    """Return a function: ``pairs(records)`` returns an embedded store and the same quads in the engine."""
    engine = served.engine()
    locals_: dict[str, WritableStore] = {}
    loaded: list[str] = []

    def pair(name: str) -> tuple[WritableStore, Store]:
        if name not in locals_:
            locals_[name] = store_of(*records_in(DATA / name, record, deletion, event))
        local = locals_[name]
        if loaded != [name]:
            served.empty()
            fill(engine, local.engine)
            loaded[:] = [name]
        return local, Store(engine, None)

    yield pair
    engine.endpoint.close()


@pytest.mark.parametrize("case", IN_ORDER, ids=lambda case: case["expected"].removesuffix(".tsv"))
def test_remote_query_returns_the_embedded_rows(
    case: Case, pairs: Callable[[str], tuple[WritableStore, Store]]
) -> None:
    local, store = pairs(records_of(case))
    expected = rows(local, case["query"], case["parameters"]).decode().splitlines()
    remote_rows = rows(store, case["query"], case["parameters"]).decode().splitlines()
    if "ORDER BY" not in named(case["query"]).text:
        expected, remote_rows = sorted(expected), sorted(remote_rows)
    assert remote_rows == expected


def test_remote_construct_and_ask_equal_the_embedded_answers(
    pairs: Callable[[str], tuple[WritableStore, Store]], served: Served
) -> None:
    local, store = pairs("sound.jsonl")
    construct = "CONSTRUCT { ?s <urn:p> ?o } WHERE { ?s <https://w3id.org/vigente/ns#nome> ?o }"
    both = [queried.answer(construct) for queried in (local, store)]
    here_, remote_triples = (sorted(map(str, triples)) for triples in both if isinstance(triples, ox.QueryTriples))
    assert here_ == remote_triples != []
    for query, truth in (("ASK { ?s ?p ?o }", True), ("ASK { ?s <urn:none> ?o }", False)):
        assert bool(store.answer(query)) is truth
    name = next(iter(local.graphs()))
    inside = f"SELECT ?s WHERE {{ GRAPH <{name.value}> {{ ?s ?p ?o }} }}"
    assert sorted(map(str, store.select(inside))) == sorted(map(str, local.select(inside)))
    assert {graph.value for graph in store.graphs()} == {graph.value for graph in local.graphs()}
    assert served.process.poll() is None


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("SELECT ?s WHERE { ?s <urn:p> ?o MINUS { ?s a <urn:c> } }", {"urn:p", RDF["type"], "urn:c"}),
        ("PREFIX x: <urn:> SELECT ?a ?b WHERE { ?a x:p/^x:q* ?b } GROUP BY ?a ?b ?c", {"urn:p", "urn:q"}),
        ("SELECT ?s WHERE { ?s ?p 'MINUS' }", {None}),
        ("SELECT ?s WHERE { ?s <urn:p> ?o ; ?p 2 }", {None}),
        ("SELECT ?s WHERE { VALUES ?p { <urn:p> } GRAPH ?g { <urn:s> ?p <urn:o> } }", {None}),
    ],
)
def test_query_fetches_only_the_data_it_needs(query: str, read: set[str | None]) -> None:
    asked: list[str | None] = []

    def look_up(name: ox.NamedNode | None) -> Iterator[ox.Quad]:
        asked.append(None if name is None else name.value)
        yield from ()

    fetch_for_query(query, look_up)
    assert set(asked) == read


def test_fetch_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here, "MOST", 1)
    node = ox.NamedNode("urn:x")
    with pytest.raises(BadQuery, match="more than 1 triples"):
        fetch_for_query(
            "SELECT ?s WHERE { ?s <urn:p> ?o }", lambda name: iter([ox.Quad(node, name or node, node, node)] * 2)
        )


@pytest.fixture
def command(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command on either store: ``command(remote, argument...)``.

    It returns exit code, stdout and stderr.
    """
    served.empty()
    if served.credentials is not None:
        monkeypatch.setenv("VIGENTE_ENDPOINT_USER", served.credentials.user)
        monkeypatch.setenv("VIGENTE_ENDPOINT_PASSWORD", served.credentials.password)

    def run(remote: bool, *arguments: str) -> tuple[int, str, str]:
        where = ["--store", str(tmp_path / ("beside" if remote else "here"))]
        code = execute([*where, *(served.options if remote else []), *arguments])
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


def test_commands_give_the_same_output_on_both_stores(
    command: Callable[..., tuple[int, str, str]], served: Served, tmp_path: Path
) -> None:
    norm = "urn:lex:br:federal:lei:1990-09-11;8078"
    files = [str(path) for path in sorted(SAMPLE.rglob("*.xml"))][:3]
    assert command(False, "load", *files)[0] in (0, 3)
    writes = served.name is EngineName.OXIGRAPH
    if writes:
        assert command(True, "load", *files)[0] in (0, 3)
    else:
        with stores.open(tmp_path / "here") as store:
            fill(served.engine(), store.engine)
    asked: list[list[str]] = [
        ["in-force", norm, "--on", "2000-01-01", "--json"],
        ["show", norm, "--json"],
        ["timeline", norm, "--json"],
        ["text", norm, "--on", "2000-01-01", "--json"],
        ["diff", norm, "--from", "1992-01-01", "--to", "2000-01-01", "--json"],
        ["quarantine", "list", "--json"],
        ["resolve", "Código de Defesa do Consumidor", "--json"],
        ["query", "works_by_type", "--json"],
        ["stats", "--json"],
        *([["quarantine", "retry", "--json"], ["rebuild", "--json"]] if writes else []),
    ]
    for arguments in asked:
        (code, here_, _), (there_code, remote_output, errors) = (
            command(remote, *arguments) for remote in (False, True)
        )
        assert (there_code, _sorted(remote_output)) == (code, _sorted(here_)), (arguments, errors)
    checked = [json.loads(command(remote, "check", "--workers", "1", "--json")[1]) for remote in (False, True)]
    assert checked[1].pop("snapshot") is None
    assert checked[0].pop("snapshot")
    assert checked[1]["results"] == checked[0]["results"]
    assert command(True, "export", str(tmp_path / "all.nq"))[0] == 0
    assert writes or command(True, "rebuild")[0] == 4, "it is only read"
    for refused in (["backup", str(tmp_path / "b")], ["optimize"]):
        code, _, errors = command(True, *refused)
        assert (code, "not behind an endpoint" in errors) == (4, True), refused


def _sorted(text: str) -> Any:
    """Return a document with the rows of its table sorted, and without the elapsed time."""
    data = json.loads(text)
    if isinstance(data, Mapping):
        data = {key: value for key, value in data.items() if key != "seconds"}
    if isinstance(data, Mapping) and "results" in data:
        return sorted(map(str, data["results"]["bindings"]))
    return data


def test_wrong_password_is_reported(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if served.name is not EngineName.VIRTUOSO:
        pytest.skip("oxigraph serve asks nobody who they are")
    monkeypatch.setenv("VIGENTE_ENDPOINT_USER", "dba")
    monkeypatch.setenv("VIGENTE_ENDPOINT_PASSWORD", "errada")
    served.empty()
    where = ["--store", str(tmp_path / "s"), "--endpoint", f"{served.url}/sparql-auth"]
    assert execute([*where, "stats"]) == 4
    errors = capfd.readouterr().err
    assert "rejects the credentials" in errors
    assert "errada" not in errors
