"""Tests of the public API: results and errors of each method, and that exactly the public names are documented."""

from __future__ import annotations

import copy
import pickle
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, assert_type

import pandas as pd
import polars as pl
import pytest
import rdflib
from mypy import api
from rdflib.graph import ModificationException

import samples
import vigente
from graph import store as stores
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG
from queries.in_force import in_force
from scripts.stubs import STUBS, stubs
from tests.support.cases import tuples
from tests.support.documentation import page_text
from tests.support.harvesting import everything, numbers, repository
from tests.support.oai_server import OaiServer
from tests.support.served_engines import Served
from vigente import errors, reports, types
from vigente.answers import Answers

PAGE = page_text("python")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
REVOKED = "urn:lex:br:federal:lei:2001-03-05;99907"
CLOCK = "urn:lex:br:federal:lei:2001-03-05;99916"
NOBODY = "urn:lex:br:federal:lei:2031-01-01;99999"
SAMPLE = samples.folder() / "oai" / "lei-8078-1990.xml"
D, K = date(1993, 6, 15), date(2007, 1, 10)
_URN = rdflib.URIRef


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Iterator[vigente.Store]:
    with vigente.open(sample_store) as opened:
        yield opened


# Public names


def test_values_are_of_public_classes(store: vigente.Store) -> None:
    """The stubs, which a test compares with the sources, cannot name a class that no public module exports."""
    for module in (types, reports):
        assert {getattr(module, name).__module__ for name in module.__all__} == {module.__name__}
    answer = store.in_force(CODE, D, K)
    assert pickle.loads(pickle.dumps(answer.version)) == answer.version  # noqa: S301 - our own value


@pytest.mark.slow
def test_stubs_equal_the_sources_and_name_no_internal_module(tmp_path: Path) -> None:
    assert {path.name: path.read_text("utf-8") for path in STUBS.iterdir()} == stubs(), "python -m scripts.stubs"
    internal = r"(?m)^(from|import) (graph|loaders|ontology|queries|samples|service)\b"
    assert not [name for name, text in stubs().items() if re.search(internal, text)]
    shutil.copytree(STUBS, tmp_path / "vigente")
    program, options = tmp_path / "program.py", ("--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}")
    program.write_text("import vigente\nreveal_type(vigente.open('a').in_force('LGPD').version)\n", "utf-8")
    shown, problems, code = api.run([*options, str(program), str(tmp_path / "vigente")])
    assert (re.findall(r'Revealed type is "(.*)"', shown), problems, code) == (
        ["vigente.types.VersionAnswer | None"], "", 0
    ), shown  # fmt: skip


def test_public_names_methods_and_errors_are_documented() -> None:
    """The docstring of vigente.errors lists each class at the depth of its inheritance."""
    assert sorted(re.findall(r"^\| `vigente\.(\w+)` \|", PAGE, re.MULTILINE)) == sorted(vigente.__all__)
    assert all(getattr(vigente, name).__doc__ for name in vigente.__all__)
    methods = {name for name in vars(vigente.Store) if not name.startswith("_")}
    assert methods == {
        "apply", "blame", "close", "coverage", "diff", "disagreements", "find", "frames", "harvest", "in_force",
        "load", "preview", "query", "rdflib", "recent", "relations", "resolve", "search", "show", "stats", "text",
        "timeline",
    }  # fmt: skip
    assert {name for name in methods - {"close"} if not re.search(rf"^#+ .*`{name}`", PAGE, re.MULTILINE)} == set()
    documented = re.findall(r"^ {8}( *)(\w+)(?: {2,}|$)", vigente.VigenteError.__doc__ or "", re.MULTILINE)
    depths = {name: len(indent) // 2 for indent, name in documented}
    assert depths == {name: getattr(errors, name).__mro__.index(vigente.VigenteError) for name in errors.__all__}


# What is refused


@pytest.mark.parametrize(
    ("method", "given", "named", "error", "message"), tuples("public_api", "invalid_values_are_refused")
)
def test_invalid_values_are_refused(
    store: vigente.Store, method: str, given: tuple[object, ...], named: dict[str, object], error: str, message: str
) -> None:
    with pytest.raises(getattr(errors, error), match=message or None):
        getattr(store, method)(*given, **named)


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda s: s.in_force(CODE, datetime(1993, 6, 15, 12, tzinfo=UTC)), errors.BadDate),
        (lambda s: s.apply(NOBODY, b"Art. 1"), errors.UnknownName),
        (lambda s: s.apply(REVOKED, b"Art. 1"), (errors.BadParameter, "a norm with a text in the store")),
        *((lambda s, ask=ask: getattr(s, ask)(0.5), (errors.BadParameter, "a name")) for ask in ("timeline", "text")),
        (lambda s: s.resolve(float("nan")), (errors.BadParameter, "expected a name")),
        (lambda _: vigente.cite("deste artigo", provision="art2"), (errors.BadParameter, "norm together with provi")),
        (lambda _: vigente.cite("x", norm=CODE, provision="second"), (errors.BadParameter, "id of a provision")),
        (lambda _: vigente.cite("desta Lei", on="yesterday"), errors.BadDate),
        (lambda s: s.query("timeline", norma=CODE).column("begin"), (KeyError, "timeline has no column 'begin'")),
        (lambda s: s.query("timeline", norma=CODE).graph(), (errors.BadQuery, "makes a table")),
        (lambda s: s.query(f"DESCRIBE <{REVOKED}>").to_pandas(), (errors.BadQuery, "makes triples")),
        (lambda s: s.query(Path("nowhere.rq")), errors.BadQuery),
        (lambda s: s.rdflib().query("SELECT * { SERVICE <http://127.0.0.1:1/> {} }"), (errors.BadQuery, "SERVICE")),
    ],
)
def test_invalid_questions_are_refused(
    store: vigente.Store, ask: Callable[[Any], object], error: type[Exception] | tuple[type[Exception], str]
) -> None:
    kind, message = error if isinstance(error, tuple) else (error, None)
    with pytest.raises(kind, match=message):
        ask(store)


# One name


def test_answer_equals_the_internal_function(store: vigente.Store, sample_store: Path) -> None:
    with stores.open(sample_store) as internal:
        expected = in_force(internal, CODE, D, K)
    answer = store.in_force(CODE, D, K)
    assert isinstance(answer, vigente.Answer)
    assert answer.as_json() == expected.as_json()
    assert answer.status is vigente.Status.IN_FORCE
    for name, on, axis in (
        (vigente.parse(CODE), "1993-06-15", "force"),
        (CODE, datetime(1993, 6, 15), vigente.Axis.FORCE),  # noqa: DTZ001 - data frames have such days
        (f"{CODE}@versao.vigente.em;1993-06-15", None, None),
    ):
        other = store.in_force(name, on, K, axis)
        assert (other.version, other.on, other.axis) == (answer.version, D, vigente.Axis.FORCE)


def test_answer_is_an_immutable_picklable_value(store: vigente.Store) -> None:
    answer = store.in_force(CODE, D, K)
    assert answer == store.in_force(CODE, D, K) != store.in_force(CODE, D)
    for twin in (pickle.loads(pickle.dumps(answer)), copy.copy(answer)):  # noqa: S301 - our own bytes
        assert twin == answer
    with pytest.raises(errors.StoreProblem, match="ask the question again"):
        pickle.loads(pickle.dumps(answer)).graph()  # noqa: S301


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
    everything_there = {tuple(_plain(term).n3() for term in quad[:3]) for quad in store.rdflib().quads()}
    for name in (CODE, f"{CLOCK}!art1_cpt", REVOKED):
        graph = store.in_force(name, "2005-01-01").graph()
        assert len(graph) > 10
        assert {tuple(term.n3() for term in triple) for triple in graph} <= everything_there
    unknown = store.in_force(NOBODY)
    assert (unknown.status, len(unknown.graph())) == (vigente.Status.UNKNOWN_NAME, 0)


def _plain(term: Any) -> Any:
    """Return a text without the datatype xsd:string: both are the same literal in RDF 1.1."""
    if isinstance(term, rdflib.Literal) and term.datatype == rdflib.XSD.string:
        return rdflib.Literal(str(term))
    return term


# Many names


def test_one_name_gives_one_answer_and_several_give_a_list(store: vigente.Store) -> None:
    """Check the types at run time; type checkers read this file too."""
    assert_type(store.in_force(CODE), vigente.Answer)
    assert_type(store.in_force(vigente.parse(CODE)), vigente.Answer)
    assert isinstance(assert_type(store.in_force((CODE,)), Answers), Answers)


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
    days |= {f"{a}_{b}" for a in ("valid", "known") for b in ("from", "until")}
    for column in polars.columns:
        assert polars.schema[column] == (pl.Date if column in days else pl.String)
        assert str(pandas[column].dtype) == ("datetime64[s]" if column in days else "string")
    assert polars["valid_from"].to_list() == [date(1993, 5, 22), None, None]
    assert list(pandas["valid_until"].isna()) == [False, True, True]
    assert pandas["valid_until"][0] == pd.Timestamp("1993-09-08")
    assert polars["status"].to_list() == ["in-force", "not-published", "unknown-name"]
    assert polars["notices"][2] == "not-understood"
    nothing = store.in_force([])
    assert (len(nothing), nothing.to_polars().schema) == (0, polars.schema)
    assert str(nothing.to_pandas()["on"].dtype) == "datetime64[s]"


# The other questions


def test_other_questions_take_parsed_names_and_dates(store: vigente.Store) -> None:
    assert len(store.diff(CLOCK, "2001-06-01", date(2002, 5, 2), "2002-07-01").changes) == 4
    assert store.resolve(vigente.parse(CODE), on="1993-06-15", as_known=K).match.value == "exact"
    (citation,) = vigente.cite("art. 2º desta Lei", norm=vigente.parse(CODE), on="1990-09-11")
    assert citation.name == f"{CODE}!art2"


def test_search_by_fields_and_by_words(store: vigente.Store) -> None:
    by_fields = store.search(type="lei", number="8078", day="1990-09-11")
    assert [by_field.name for by_field in by_fields] == [CODE]
    assert by_fields.complete
    assert [candidate.name for candidate in store.search("Código de Defesa do Consumidor")] == [CODE]
    by_text = store.search(text="relógio", year=2001)
    assert len(by_text) >= 1
    assert all("2001" in result.name and "elógio" in (result.excerpt or "") for result in by_text)
    assert not store.search(text="relógio", year=1990)


# SPARQL


def test_catalogue_query_has_its_declared_columns_and_types(store: vigente.Store) -> None:
    result = store.query("timeline", norma=vigente.parse(CODE))
    assert result.columns[:3] == ("versao", "situacao", "eixo")
    assert result.to_polars().schema["fim"] == pl.Date
    assert str(result.to_pandas()["fim"].dtype) == "datetime64[s]"
    assert {row["inicio"] for row in result} == set(result.column("inicio"))


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


def test_graphs_booleans_and_files_of_queries(store: vigente.Store, tmp_path: Path) -> None:
    described = store.query(f"DESCRIBE <{REVOKED}>")
    assert (_URN(REVOKED), _URN(VIG["numero"]), rdflib.Literal("99907")) in described.graph()
    assert len(described) == 0
    for number, there in (("99907", True), ("0", False)):
        result = store.query(f"ASK {{ ?norm <{VIG['numero']}> '{number}' }}")
        assert (bool(result), result.rows) == (there, ((there,),))
        assert bool(store.query(f"SELECT ?norm {{ ?norm <{VIG['numero']}> '{number}' }}")) is there
        assert bool(store.query(f"CONSTRUCT {{ ?norm a ?norm }} {{ ?norm <{VIG['numero']}> '{number}' }}")) is there
    query_file = tmp_path / "numbers.rq"
    query_file.write_text(f"SELECT ?n {{ <{CODE}> <{VIG['numero']}> ?n }}", encoding="utf-8")
    assert store.query(query_file).rows[0] == ("8078",)
    with pytest.raises(errors.BadParameter, match="no parameter 'norma'"):
        store.query(query_file, norma=CODE)


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
def test_rdflib_view_is_read_only(store: vigente.Store) -> None:
    made, derived = (_URN("urn:a"), _URN("urn:a"), _URN("urn:a")), _URN(DERIVED_GRAPH)
    everything_there = "SELECT ?s ?p ?o ?g { GRAPH ?g { ?s ?p ?o } }"
    before = set(store.query(everything_there).rows)
    view: Any = store.rdflib()
    changes: list[Callable[[], object]] = [
        lambda: view.add(made),
        lambda: view.remove((None, None, None)),
        lambda: view.update("INSERT DATA { <urn:a> <urn:a> <urn:a> }"),
        lambda: view.parse(data="<urn:a> <urn:a> <urn:a> .", format="nt"),
        lambda: view.remove_graph(derived),
        lambda: view.graph(derived).remove((None, None, None)),
        lambda: view.addN([(*made, view.default_graph)]),
    ]
    for change in changes:
        with pytest.raises(ModificationException, match="read-only"):
            change()
    assert set(store.query(everything_there).rows) == before


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


def test_closed_store_raises(sample_store: Path) -> None:
    store = vigente.open(sample_store)
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
        assert store.load(SAMPLE).complete
        assert store.in_force(CODE, D, K).status is vigente.Status.IN_FORCE
        assert before.status is vigente.Status.UNKNOWN_NAME
        assert store.load(SAMPLE).loaded == 0
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
        store.load(SAMPLE)
        answers = store.in_force([CODE, REVOKED], D, K)
        assert [answer.status.value for answer in answers] == ["in-force", "unknown-name"]
        assert (_URN(CODE), _URN(VIG["numero"]), rdflib.Literal("8078")) in answers[0].graph()
        with pytest.raises(errors.NotAStore, match="SPARQLStore"):
            store.rdflib()
