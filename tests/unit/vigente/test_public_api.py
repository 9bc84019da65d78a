"""Tests of the public API: results and errors of each method, and that exactly the public names are documented."""

from __future__ import annotations

import copy
import doctest
import pickle
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, assert_type

import pandas as pd
import polars as pl
import pytest
import rdflib
from rdflib.graph import ModificationException

import samples
import vigente
from graph import store as stores
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG
from queries.in_force import in_force
from tests.support.demo_store import demo_store
from tests.support.harvesting import everything, numbers, repository
from tests.support.oai_server import OaiServer
from tests.support.served_engines import Served
from vigente import errors
from vigente.answers import Answers

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
REVOKED = "urn:lex:br:federal:lei:2001-03-05;99907"
CLOCK = "urn:lex:br:federal:lei:2001-03-05;99916"
D, K = date(1993, 6, 15), date(2007, 1, 10)
_URN = rdflib.URIRef


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_store(tmp_path_factory.mktemp("public"))


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[vigente.Store]:
    with vigente.open(path) as opened:
        yield opened


# Public names


def test_documented_names_are_the_public_names() -> None:
    documented = re.findall(r"^\| `vigente\.(\w+)` \|", PAGE, re.MULTILINE)
    assert sorted(documented) == sorted(vigente.__all__)
    assert all(getattr(vigente, name).__doc__ for name in vigente.__all__)


def test_every_method_is_documented_on_the_page() -> None:
    methods = {name for name in vars(vigente.Store) if not name.startswith("_")}
    assert methods == {
        "close", "diff", "find", "harvest", "in_force", "load", "query", "rdflib", "resolve", "search", "show", "text",
        "timeline",
    }  # fmt: skip
    for name in methods - {"close"}:
        assert re.search(rf"^#+ .*`{name}`", PAGE, re.MULTILINE), name


def test_error_hierarchy_is_documented() -> None:
    """Check that the docstring of vigente.errors lists each class at the depth of its inheritance."""
    documented = re.findall(r"^ {8}( *)(\w+)(?: {2,}|$)", vigente.VigenteError.__doc__ or "", re.MULTILINE)
    depths = {name: len(indent) // 2 for indent, name in documented}
    assert depths == {name: getattr(errors, name).__mro__.index(vigente.VigenteError) for name in errors.__all__}


@pytest.mark.parametrize(
    ("page", "least"), [("reference/python.md", 45), ("start/five-things.md", 4), ("how-to/ask-in-python.md", 15)]
)
def test_page_examples_run(page: str, least: int, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vigente.store").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, encoding="utf-8")
    assert results.attempted >= least
    assert results.failed == 0


# One name


def test_answer_equals_the_internal_function(store: vigente.Store, path: Path) -> None:
    with stores.open(path) as internal:
        expected = in_force(internal, CODE, D, K)
    answer = store.in_force(CODE, D, K)
    assert isinstance(answer, vigente.Answer)
    assert answer.as_json() == expected.as_json()
    assert answer.status is vigente.Status.IN_FORCE


@pytest.mark.parametrize(
    ("name", "on", "axis"),
    [
        (vigente.parse(CODE), "1993-06-15", "force"),
        (CODE, datetime(1993, 6, 15), vigente.Axis.FORCE),  # noqa: DTZ001 - data frames have such days
        (f"{CODE}@versao.vigente.em;1993-06-15", None, None),
    ],
)
def test_names_days_and_axes_are_accepted_in_every_form(store: vigente.Store, name: Any, on: Any, axis: Any) -> None:
    answer, plain = store.in_force(name, on, K, axis), store.in_force(CODE, D, K)
    assert (answer.version, answer.on, answer.axis) == (plain.version, D, vigente.Axis.FORCE)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"name": "urn:lex:br:federal"}, errors.BadName),
        ({"name": [CODE, None]}, errors.BadParameter),
        ({"on": "15/06/1993"}, errors.BadDate),
        ({"on": 1993}, errors.BadDate),
        ({"on": datetime(1993, 6, 15, 12, tzinfo=UTC)}, errors.BadDate),
        ({"as_known": "2999-01-01"}, errors.NotYetKnown),
        ({"axis": "validity"}, errors.BadParameter),
        ({"name": f"{CODE}@versao.vigente.em;1993-06-15", "on": "1993-06-16"}, errors.BadParameter),
    ],
)
def test_invalid_values_are_refused(store: vigente.Store, arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        store.in_force(**{"name": CODE, **arguments})


def test_answer_graph_contains_the_deciding_statements(store: vigente.Store) -> None:
    answer = store.in_force(REVOKED, "2006-07-01", "2006-05-09")
    graph = answer.graph()
    (gap,) = graph.subjects(_URN(VIG["situacao"]), _URN(VIG["revogada"]))
    (event,) = graph.objects(gap, _URN(VIG["decididoPor"]))
    (reason,) = answer.because
    assert graph.value(event, _URN(VIG["causadoPor"])) == _URN(str(reason.cause))
    begins = graph.value(predicate=_URN(VIG["dataVersao"]), object=rdflib.Literal(date(2006, 7, 1)))
    assert begins is not None, "the day of effect is that of the law that revokes"
    for record in (*answer.sources, str(reason.source)):
        assert (_URN(record), rdflib.RDF.type, _URN(VIG["RegistroFonte"])) in graph
    assert (_URN(REVOKED), _URN(VIG["numero"]), rdflib.Literal("99907")) in graph
    assert not list(graph.subjects(_URN(VIG["versao"]), None)), "the day before, another period held"


def test_answer_graph_is_a_subset_of_the_store(store: vigente.Store) -> None:
    everything_there = {quad[:3] for quad in store.rdflib().quads()}
    for name in (CODE, f"{CLOCK}!art1_cpt", REVOKED):
        graph = store.in_force(name, "2005-01-01").graph()
        assert len(graph) > 10
        written = {tuple(term.n3() for term in triple) for triple in graph}
        assert written <= {tuple(_plain(term).n3() for term in triple) for triple in everything_there}


def _plain(term: Any) -> Any:
    """Return a text without the datatype xsd:string: both are the same literal in RDF 1.1."""
    if isinstance(term, rdflib.Literal) and term.datatype == rdflib.XSD.string:
        return rdflib.Literal(str(term))
    return term


def test_answer_graph_without_sources_is_empty(store: vigente.Store) -> None:
    answer = store.in_force("urn:lex:br:federal:lei:2031-01-01;99999")
    assert answer.status is vigente.Status.UNKNOWN_NAME
    assert len(answer.graph()) == 0


def test_one_name_gives_one_answer_and_several_give_a_list(store: vigente.Store) -> None:
    """Check the types at run time; type checkers read this file too."""
    assert_type(store.in_force(CODE), vigente.Answer)
    assert_type(store.in_force(vigente.parse(CODE)), vigente.Answer)
    assert isinstance(assert_type(store.in_force((CODE,)), Answers), Answers)


def test_answer_is_an_immutable_picklable_value(store: vigente.Store) -> None:
    answer = store.in_force(CODE, D, K)
    assert answer == store.in_force(CODE, D, K) != store.in_force(CODE, D)
    for twin in (pickle.loads(pickle.dumps(answer)), copy.copy(answer)):  # noqa: S301 - our own bytes
        assert twin == answer
    with pytest.raises(errors.StoreProblem, match="ask the question again"):
        pickle.loads(pickle.dumps(answer)).graph()  # noqa: S301


# Many names


def test_many_names_become_data_frames_with_dates(store: vigente.Store) -> None:
    names = [CODE, REVOKED, "nada disso"]
    answers = store.in_force(pl.Series(names), on=D, as_known=K)
    assert [answer.asked for answer in answers] == names
    assert answers[0] == store.in_force(CODE, D, K)
    assert list(answers[1:]) == [answers[1], answers[2]]
    pandas, polars = answers.to_pandas(), answers.to_polars()
    assert list(pandas.columns) == polars.columns
    paragraph = PAGE.split("A frame has one row", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    assert re.findall(r"`(\w+)`", paragraph) == polars.columns
    days = {"on", "as_known", *(f"{a}_{b}" for a in ("force", "efficacy") for b in ("since", "until"))}
    days |= {f"{a}_{b}" for a, b in (("valid", "from"), ("valid", "until"), ("known", "from"), ("known", "until"))}
    for column in polars.columns:
        assert polars.schema[column] == (pl.Date if column in days else pl.String)
        assert str(pandas[column].dtype) == ("datetime64[s]" if column in days else "string")
    assert polars["valid_from"].to_list() == [date(1993, 5, 22), None, None]
    assert list(pandas["valid_until"].isna()) == [False, True, True]
    assert pandas["valid_until"][0] == pd.Timestamp("1993-09-08")
    assert polars["status"].to_list() == ["in-force", "not-published", "unknown-name"]
    assert polars["notices"][2] == "not-understood"


def test_no_names_give_a_data_frame_with_the_same_columns(store: vigente.Store) -> None:
    nothing = store.in_force([])
    assert len(nothing) == 0
    assert nothing.to_polars().schema == store.in_force([CODE]).to_polars().schema
    assert str(nothing.to_pandas()["on"].dtype) == "datetime64[s]"


def test_error_names_the_invalid_name_in_a_list(store: vigente.Store) -> None:
    with pytest.raises(errors.BadName, match="urn:lex:br:federal:lei:1990-13-11;8078"):
        store.in_force([CODE, "urn:lex:br:federal:lei:1990-13-11;8078"])


# The other questions


def test_timeline_text_and_diff_are_answered(store: vigente.Store) -> None:
    assert store.timeline(REVOKED).periods[-1].valid_from == date(2006, 7, 1)
    with pytest.raises(errors.UnknownName):
        store.timeline("urn:lex:br:federal:lei:2031-01-01;99999")
    text = store.text(f"{CLOCK}!art1_cpt", on="2002-05-02", as_known="2002-06-30")
    assert [provision.text for provision in text.provisions] == ["Todo relógio fictício mostra duas oras."]
    changed = store.diff(CLOCK, "2001-06-01", date(2002, 5, 2), "2002-07-01").changes
    assert len(changed) == 4
    with pytest.raises(errors.BadParameter, match="days in order"):
        store.diff(CLOCK, "2002-05-02", "2001-06-01")
    for ask in (store.timeline, store.text, store.resolve):
        with pytest.raises(errors.BadParameter, match="expected a name"):
            ask(float("nan"))  # type: ignore[arg-type]


def test_resolve_uses_the_day_to_choose_a_nickname(store: vigente.Store) -> None:
    resolution = store.resolve("Lei nº 8.078/90", on="1993-06-15", as_known=K)
    assert [candidate.name for candidate in resolution.candidates] == [CODE]
    assert store.resolve(vigente.parse(CODE)).match.value == "exact"


def test_search_by_fields_and_by_words(store: vigente.Store) -> None:
    by_fields = store.search(type="lei", number="8078", day="1990-09-11")
    assert [by_field.name for by_field in by_fields] == [CODE]
    assert by_fields.complete
    assert [candidate.name for candidate in store.search("Código de Defesa do Consumidor")] == [CODE]
    by_text = store.search(text="relógio", year=2001)
    assert len(by_text) >= 1
    assert all("2001" in result.name and "elógio" in (result.excerpt or "") for result in by_text)
    assert not store.search(text="relógio", year=1990)
    with pytest.raises(errors.BadParameter, match="expected text with no arguments except"):
        store.search("Lei", text="relógio")
    with pytest.raises(errors.BadParameter):
        store.search()


def test_cite_uses_the_context_of_the_text() -> None:
    (citation,) = vigente.cite("art. 2º desta Lei", norm=vigente.parse(CODE), on="1990-09-11")
    assert citation.name == f"{CODE}!art2"
    with pytest.raises(errors.BadParameter, match="norm together with provision"):
        vigente.cite("deste artigo", provision="art2")
    with pytest.raises(errors.BadParameter, match="id of a provision"):
        vigente.cite("deste artigo", norm=CODE, provision="second")
    with pytest.raises(errors.BadDate):
        vigente.cite("desta Lei", on="yesterday")


# SPARQL


def test_catalogue_query_has_its_declared_columns_and_types(store: vigente.Store) -> None:
    result = store.query("timeline", norma=vigente.parse(CODE))
    assert result.columns[:3] == ("versao", "situacao", "eixo")
    assert result.to_polars().schema["fim"] == pl.Date
    assert str(result.to_pandas()["fim"].dtype) == "datetime64[s]"
    assert {row["inicio"] for row in result} == set(result.column("inicio"))
    with pytest.raises(KeyError, match="timeline has no column 'begin'"):
        result.column("begin")
    with pytest.raises(errors.BadQuery, match="makes a table"):
        result.graph()


def test_columns_of_other_queries_have_the_type_of_their_values(store: vigente.Store) -> None:
    result = store.query("""
        PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
        SELECT ?day ?mixed ?whole ?number ?yes ?text {
          VALUES (?day ?mixed ?whole ?number ?yes ?text) {
            ("1990-09-11"^^xsd:date "1990"^^xsd:gYear 1 2.5 true "a"@pt)
            (UNDEF "1990-09-11"^^xsd:date UNDEF 1 UNDEF UNDEF)
          }
        }
    """)
    assert result.rows[0] == (date(1990, 9, 11), "1990", 1, 2.5, True, "a")
    types = [pl.Date, pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.String]
    assert list(result.to_polars().schema.values()) == types
    assert [str(dtype) for dtype in result.to_pandas().dtypes] == [
        "datetime64[s]", "string", "Int64", "Float64", "boolean", "string"
    ]  # fmt: skip
    assert result.to_polars()["mixed"].to_list() == ["1990", "1990-09-11"]


def test_triples_become_a_graph_not_a_table(store: vigente.Store) -> None:
    result = store.query(f"DESCRIBE <{REVOKED}>")
    assert (_URN(REVOKED), _URN(VIG["numero"]), rdflib.Literal("99907")) in result.graph()
    assert len(result) == 0
    with pytest.raises(errors.BadQuery, match="makes triples"):
        result.to_pandas()


@pytest.mark.parametrize(("number", "there"), [("99907", True), ("0", False)])
def test_ask_query_is_a_boolean(store: vigente.Store, number: str, there: bool) -> None:
    result = store.query(f"ASK {{ ?norm <{VIG['numero']}> '{number}' }}")
    assert (bool(result), result.rows) == (there, ((there,),))
    assert bool(store.query(f"SELECT ?norm {{ ?norm <{VIG['numero']}> '{number}' }}")) is there
    assert bool(store.query(f"CONSTRUCT {{ ?norm a ?norm }} {{ ?norm <{VIG['numero']}> '{number}' }}")) is there


def test_query_file_takes_its_parameters(store: vigente.Store, tmp_path: Path) -> None:
    query_file = tmp_path / "numbers.rq"
    query_file.write_text(f"SELECT ?n {{ <{CODE}> <{VIG['numero']}> ?n }}", encoding="utf-8")
    assert store.query(query_file).rows[0] == ("8078",)
    with pytest.raises(errors.BadParameter, match="no parameter 'norma'"):
        store.query(query_file, norma=CODE)


@pytest.mark.parametrize(
    ("query", "parameters", "error"),
    [
        ("no_such_query", {}, errors.BadQuery),
        ("SELECT ?s { ?s", {}, errors.BadQuery),
        ("INSERT DATA { <urn:a> <urn:a> <urn:a> }", {}, errors.BadQuery),
        ("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", {}, errors.BadQuery),
        ("timeline", {}, errors.BadParameter),
        ("timeline", {"norma": "not an IRI"}, errors.BadParameter),
        (Path("nowhere.rq"), {}, errors.BadQuery),
    ],
)
def test_invalid_queries_are_refused(
    store: vigente.Store, query: str | Path, parameters: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        store.query(query, **parameters)


# rdflib


def test_rdflib_view_has_every_quad(store: vigente.Store) -> None:
    view = store.rdflib()
    (expected,) = store.query("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }").column("n")
    assert sum(1 for _ in view.quads()) == expected
    record = _URN("oai:exemplo.vigente.invalid:amostra/lei-99907-2001")
    assert {graph.identifier for graph in view.graphs()} > {record, _URN(DERIVED_GRAPH)}
    assert (_URN(REVOKED), _URN(VIG["numero"]), rdflib.Literal("99907")) in view.graph(record)
    ((count,),) = view.query("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }")  # type: ignore[misc]
    assert int(str(count)) == expected


@pytest.mark.filterwarnings("ignore:Dataset.:DeprecationWarning")  # raised inside rdflib
@pytest.mark.parametrize(
    "change",
    [
        lambda view: view.add((_URN("urn:a"), _URN("urn:a"), _URN("urn:a"))),
        lambda view: view.remove((None, None, None)),
        lambda view: view.update("INSERT DATA { <urn:a> <urn:a> <urn:a> }"),
        lambda view: view.parse(data="<urn:a> <urn:a> <urn:a> .", format="nt"),
        lambda view: view.remove_graph(_URN(DERIVED_GRAPH)),
        lambda view: view.graph(_URN(DERIVED_GRAPH)).remove((None, None, None)),
        lambda view: view.addN([(_URN("urn:a"), _URN("urn:a"), _URN("urn:a"), view.default_graph)]),
    ],
)
def test_rdflib_view_is_read_only(store: vigente.Store, change: Callable[[rdflib.Dataset], object]) -> None:
    everything_there = "SELECT ?s ?p ?o ?g { GRAPH ?g { ?s ?p ?o } }"
    before = set(store.query(everything_there).rows)
    with pytest.raises(ModificationException, match="read-only"):
        change(store.rdflib())
    assert set(store.query(everything_there).rows) == before


def test_rdflib_view_refuses_federation(store: vigente.Store) -> None:
    with pytest.raises(errors.BadQuery, match="SERVICE"):
        store.rdflib().query("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }")


# Opening, writing, closing


def test_missing_store_is_created_only_on_request(tmp_path: Path) -> None:
    with pytest.raises(errors.StoreMissing):
        vigente.open(tmp_path / "nothing")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(errors.NotAStore):
        vigente.open(tmp_path / "other", create=True)
    with vigente.open(str(tmp_path / "new"), create=True) as made:
        assert not made.query("ASK { GRAPH ?g { ?s ?p ?o } }")
    with vigente.open(tmp_path / "new", create=True) as again:
        assert again.in_force(CODE).status is vigente.Status.UNKNOWN_NAME


def test_closed_store_raises(path: Path) -> None:
    store = vigente.open(path)
    answer, view = store.in_force(CODE, D, K), store.rdflib()
    store.close()
    store.close()
    for ask in (
        lambda: store.in_force(CODE),
        lambda: store.timeline(CODE),
        lambda: store.search("Lei 8078"),
        lambda: store.query("coverage"),
        store.rdflib,
        lambda: store.load(samples.folder()),
        answer.graph,
        lambda: list(view.quads()),
    ):
        with pytest.raises(errors.StoreProblem):
            ask()


def test_loaded_data_is_available_immediately(tmp_path: Path) -> None:
    with vigente.open(tmp_path, create=True) as store:
        before = store.in_force(CODE)
        summary = store.load(samples.folder() / "oai" / "lei-8078-1990.xml")
        assert summary.complete
        assert store.in_force(CODE, D, K).status is vigente.Status.IN_FORCE
        assert before.status is vigente.Status.UNKNOWN_NAME
        assert store.load(samples.folder() / "oai" / "lei-8078-1990.xml").loaded == 0
        with pytest.raises(errors.BadInput):
            store.load(tmp_path / "nothing.xml")
        with stores.open_for_writing(tmp_path), pytest.raises(errors.StoreLocked):
            store.load(samples.folder() / "nomes.txt")
        assert store.in_force(CODE, D, K).status is vigente.Status.IN_FORCE


def test_harvested_data_is_available_immediately(tmp_path: Path) -> None:
    with OaiServer(repository(25)) as server, vigente.open(tmp_path, create=True) as store:
        report = store.harvest(server.url, politeness=0)
        assert (report.ended.value, report.summary.loaded, report.fault) == ("complete", 25, None)
        assert numbers(tmp_path) == everything(25)
        assert store.harvest(server.url, politeness=0).summary.loaded == 0
        window = store.harvest(server.url, since="2031-01-01", until="2031-01-02", politeness=0)
        assert window.summary.read == 0
        with pytest.raises(errors.BadProviders):
            store.harvest("ftp://127.0.0.1/oai")
        with pytest.raises(errors.BadParameter):
            store.harvest(server.url, since="2026-01-02", until="2026-01-01")


def test_store_beside_an_endpoint_is_used(written: Served, tmp_path: Path) -> None:
    written.empty()
    written.connect(tmp_path / "beside")
    with vigente.open(tmp_path / "beside") as store:
        store.load(samples.folder() / "oai" / "lei-8078-1990.xml")
        answers = store.in_force([CODE, REVOKED], D, K)
        assert [answer.status.value for answer in answers] == ["in-force", "unknown-name"]
        assert (_URN(CODE), _URN(VIG["numero"]), rdflib.Literal("8078")) in answers[0].graph()
        with pytest.raises(errors.NotAStore, match="SPARQLStore"):
            store.rdflib()


@pytest.mark.parametrize("name", [5, None, 1.5])
def test_name_of_the_wrong_type_is_refused(store: vigente.Store, name: object) -> None:
    with pytest.raises(errors.BadParameter, match=f"^expected a name, or names, got {type(name).__name__}$"):
        store.in_force(name)  # type: ignore[call-overload]  # the refusal is what is tested
