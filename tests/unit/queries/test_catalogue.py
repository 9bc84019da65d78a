"""Tests of reading .rq files: invalid headers and values are refused with a reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib.paths import MulPath, SequencePath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue

from graph.civil import today
from graph.entities import Event, Record
from graph.errors import BadParameter, BadQuery, NotYetKnown
from graph.store import WritableStore, in_memory
from graph.store import open as open_store
from graph.urn import parse
from ontology.namespaces import VIG
from queries.catalogue import (
    DEPRECATED_NAMES,
    Column,
    Group,
    Kind,
    Parameter,
    Query,
    catalogue,
    find,
    from_file,
    labels,
    named,
    read,
    selects,
    unprojected_parameters,
)
from tests.support.demo_store import demo_store

ROOT = Path(__file__).resolve().parents[3]
HEAD = "# title@pt-br: Título\n# title@en: Title\n# question@pt-br: O que é?\n# question@en: What is it?\n"
BODY = "SELECT ?a WHERE { ?a ?b ?c }"
LINES = (
    "one each of title@pt-br:, title@en:, question@pt-br:, question@en:, limits@pt-br:, limits@en:, group:, "
    "competency: with a text, or param ..., or column ..."
)
each_query = pytest.mark.parametrize("query", catalogue().values(), ids=lambda query: query.name)

# Headers


@each_query
def test_every_query_is_described_in_both_languages(query: Query) -> None:
    """Check that the two differ: an English sentence in both would be shown as Portuguese."""
    assert query.titulo != query.title
    assert query.pergunta != query.question
    assert (query.limits is None) == (query.limites is None)
    assert query.limits is None or query.limits != query.limites
    for portuguese, english in ((query.pergunta, query.question), (query.limites or "", query.limits or "")):
        named = {text: {*re.findall(r"\?\w+", text)} for text in (portuguese, english)}
        assert named[portuguese] == named[english], "the same variables in both"


@each_query
def test_every_column_and_parameter_has_a_label_in_both_languages(query: Query) -> None:
    every: list[Column | Parameter] = [*query.columns, *query.parameters]
    for declared in every:
        assert declared.name not in (declared.label, declared.rotulo), declared.name
        assert declared.label[:1].isupper(), declared.name
        assert declared.rotulo[:1].isupper(), declared.name
    for shown in (query.columns, query.parameters):
        for texts in ([declared.label for declared in shown], [declared.rotulo for declared in shown]):
            assert len(set(texts)) == len(texts), "each label names one column"


def test_every_label_is_used() -> None:
    declared = {(query.name, column.name) for query in catalogue().values() for column in query.columns}
    declared |= {(query.name, parameter.name) for query in catalogue().values() for parameter in query.parameters}
    own = {f"{query}.{name}" for query, name in declared}
    assert set(labels()) <= own | {name for _, name in declared}
    assert all(set(stated) == {"pt-BR", "en"} for stated in labels().values())


@each_query
def test_query_variables_are_the_parameters_then_the_columns(query: Query) -> None:
    values = {"iri": "urn:x:1", "date": "2001-03-05", "integer": "1", "string": "x"}
    solutions = query.answer(in_memory(), {p.name: values[p.kind] for p in query.parameters})
    assert isinstance(solutions, ox.QuerySolutions)
    declared = [parameter.name for parameter in query.parameters] + [column.name for column in query.columns]
    assert [variable.value for variable in solutions.variables] == declared


def test_header_is_parsed() -> None:
    query = read(
        "q",
        HEAD + "#\n# competency: 1 26\n# limits@pt-br: Nem tudo.\n# limits@en: Not all.\n"
        "# param a iri required: the norm: any\n"
        "# param d date = 2001-03-05: the day\n#column a iri: itself\n# column c string: a value\n"
        "PREFIX x: <urn:x:>\n# param z iri required: this line is no header any more\n"
        "SELECT ?a ?d ?c WHERE { ?a x:b ?c }",
    )
    assert (query.name, query.titulo, query.title, query.question) == ("q", "Título", "Title", "What is it?")
    assert (query.pergunta, query.limites) == ("O que é?", "Nem tudo.")
    assert (query.competency, query.limits) == ((1, 26), "Not all.")
    bare = read("q", HEAD + BODY)
    assert (bare.competency, bare.limits, bare.limites) == ((), None, None)
    assert [(p.name, p.kind, p.meaning, p.default) for p in query.parameters] == [
        ("a", Kind.IRI, "the norm: any", None),
        ("d", Kind.DATE, "the day", "2001-03-05"),
    ]
    assert [(c.name, c.kind, c.meaning) for c in query.columns] == [
        ("a", Kind.IRI, "itself"),
        ("c", Kind.STRING, "a value"),
    ]


NO_HEADER = (
    "query q: expected a header with title@pt-br, title@en, question@pt-br, question@en; see docs/reference/queries.md"
)
BAD_HEADERS = {
    "nothing": (
        "",
        NO_HEADER,
    ),
    "no header": (
        BODY,
        NO_HEADER,
    ),
    "one title": (
        "# title@pt-br: Título\n" + BODY,
        "query q: expected a header with title@en, question@pt-br, question@en; see docs/reference/queries.md",
    ),
    "misspelt": (
        HEAD + "# parameter a iri required: it\n" + BODY,
        f"query q, line 5: expected {LINES}, got 'parameter a iri required: it'; see docs/reference/queries.md",
    ),
    "unknown field": (
        HEAD + "# author: nobody\n" + BODY,
        f"query q, line 5: expected {LINES}, got 'author: nobody'; see docs/reference/queries.md",
    ),
    "said twice": (
        HEAD + "# title@en: Another\n" + BODY,
        f"query q, line 5: expected {LINES}, got 'title@en: Another'; see docs/reference/queries.md",
    ),
    "empty": (
        "# title@pt-br:\n" + BODY,
        f"query q, line 1: expected {LINES}, got 'title@pt-br:'; see docs/reference/queries.md",
    ),
    "limits in one language": (
        HEAD + "# limits@en: Not all.\n" + BODY,
        "query q: expected a header with limits@pt-br; see docs/reference/queries.md",
    ),
    "unknown group": (
        HEAD + "# group: law\n" + BODY,
        (
            "query q: expected `# group:` with one of force, changes, provisions, relations, statistics, sources, "
            "got 'law'; see docs/reference/queries.md"
        ),
    ),
    "competency that is no number": (
        HEAD + "# competency: 1, 2\n" + BODY,
        "query q: expected `# competency: NUMBER ...`, got '1, 2'; see docs/reference/queries.md",
    ),
    "parameter without need": (
        HEAD + "# param a iri: it\n" + BODY,
        "query q, line 5: expected `# param NAME KIND[/VOCABULARY] required: meaning` or `= DEFAULT:`",
    ),
    "parameter without meaning": (
        HEAD + "# param a iri required:\n" + BODY,
        "query q, line 5: expected `# param NAME KIND[/VOCABULARY] required: meaning` or `= DEFAULT:`",
    ),
    "parameter of no kind": (
        HEAD + "# param a uri required: it\n" + BODY,
        "query q, line 5: expected one of iri, date, integer, string, got 'uri'",
    ),
    "column without meaning": (
        HEAD + "# column a iri\n" + BODY,
        "query q, line 5: expected `# column NAME KIND: meaning`",
    ),
    "column of no kind": (
        HEAD + "# column a number: it\n" + BODY,
        "query q, line 5: expected one of iri, date, integer, string, got 'number'",
    ),
    "parameter twice": (
        HEAD + "# param a iri required: it\n# param a iri required: it\n" + BODY,
        "query q: a is declared twice; see docs/reference/queries.md",
    ),
    "column twice": (
        HEAD + "# column a iri: it\n# column a iri: it\n" + BODY,
        "query q: a is declared twice; see docs/reference/queries.md",
    ),
    "default of another kind": (
        HEAD + "# param a date = soon: it\n" + BODY,
        (
            "query q: the default does not fit: parameter 'a' of query q expects a date YYYY-MM-DD: "
            "expected a date YYYY-MM-DD, got 'soon'"
        ),
    ),
    "not projected": (
        HEAD + "# param b iri required: it\n# param c iri required: it\n" + BODY,
        (
            "query q: expected parameter b, c in the projection of every SELECT that uses it, "
            "or the engine would not heed its value; see docs/reference/queries.md"
        ),
    ),
    "not projected inside": (
        HEAD + "# param a iri required: it\nSELECT ?a WHERE { { SELECT ?b WHERE { ?a ?b ?c } } }",
        (
            "query q: expected parameter a in the projection of every SELECT that uses it, "
            "or the engine would not heed its value; see docs/reference/queries.md"
        ),
    ),
}


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_invalid_header_is_refused_and_reported(case: str) -> None:
    text, message = BAD_HEADERS[case]
    with pytest.raises(BadQuery) as refused:
        read("q", text)
    assert str(refused.value) == message


def test_unprojected_parameter_is_unbound_in_the_engine() -> None:
    """Show how the engine runs the query that the case above refuses."""
    store = ox.Store()
    store.update("INSERT DATA { <urn:x:1> <urn:x:p> 1 . <urn:x:2> <urn:x:p> 2 }")
    text = "SELECT ?a ?b WHERE { { SELECT ?b WHERE { ?a <urn:x:p> ?b } } }"
    solutions = store.query(text, substitutions={ox.Variable("a"): ox.NamedNode("urn:x:1")})
    assert isinstance(solutions, ox.QuerySolutions)
    assert len(list(solutions)) == 2
    assert unprojected_parameters(text, {"a"}) == ["a"]


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("SELECT ?a WHERE { ?a ?b ?c }", []),
        ("select distinct ?a where { ?a ?b ?c }", []),
        ("SELECT * WHERE { ?a ?b ?c }", []),
        ("SELECT ?b WHERE { ?b ?c ?d }", ["a"]),
        ("SELECT ?b (?a AS ?x) WHERE { ?a ?b ?c }", ["a"]),
        ("SELECT (STR(?b) AS ?a) WHERE { ?x ?b ?c }", []),
        ("SELECT ?a (COUNT(*) AS ?n) WHERE { ?a ?b ?c } GROUP BY ?a", []),
        ("SELECT ?b (COUNT(*) AS ?n) WHERE { ?a ?b ?c } GROUP BY ?b", ["a"]),
        ("SELECT ?a { { SELECT ?b { ?b ?c ?d } } ?a ?b ?c }", []),
        ("SELECT ?a { { SELECT * { ?a ?b ?c } } }", []),
        ("SELECT ?a { { SELECT ?a { { SELECT ?b { ?a ?b ?c } } } } }", ["a"]),
        ("ASK { ?a ?b ?c }", []),
        ("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }", []),
        ("CONSTRUCT { ?a ?b ?c } WHERE { { SELECT ?b { ?a ?b ?c } } }", ["a"]),
        ("SELECT ?b { ?b <urn:x#SELECT> '''{ ?a ''' } # ?a", ["a"]),
        ('SELECT $a { $a <urn:x?b#> "}" , \'{\' , """ " } """ }', []),
        ("SELECT ?a { ?a ?b 'SELECT ?b { ?a' . # { SELECT ?c { ?a\n }", []),
        ("SELECT ?a FROM <urn:x> { ?a ?b ?c FILTER (?c < 3 && ?c > 1) }", []),
        ("}}} nonsense {{{ ?a", []),
    ],
)
def test_unprojected_parameters_are_found(text: str, free: list[str]) -> None:
    assert unprojected_parameters(text, {"a"}) == free


# Files


def test_query_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "minha.rq"
    path.write_text(HEAD + BODY, "utf-8")
    assert from_file(path) == read("minha", HEAD + BODY)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "the query {path} cannot be read: [Errno 2] No such file or directory: '{path}'"),
        (
            b"# title@en: \xff",
            "the query {path} cannot be read: 'utf-8' codec can't decode byte 0xff in position 12: invalid start byte",
        ),
        (b"# title@en: Norms\nSELECT * {}", NO_HEADER.replace("title@pt-br, title@en", "title@pt-br")),
    ],
)
def test_file_that_is_not_a_query_is_refused(content: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "q.rq"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadQuery) as refused:
        from_file(path)
    assert str(refused.value) == message.format(path=path)


@pytest.mark.parametrize("head", ["", "# how many statements there are\n"])
def test_file_without_a_header_runs_without_parameters(head: str, tmp_path: Path) -> None:
    path = tmp_path / "minha.rq"
    path.write_text(f"{head}SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o }}", encoding="utf-8")
    query = from_file(path)
    assert (query.title, query.parameters, query.columns) == ("minha", (), ())
    store = in_memory()
    (row,) = query.rows(store)
    assert isinstance(row["n"], int)
    with pytest.raises(BadParameter, match="has no parameter 'norma'; it has: none"):
        query.rows(store, {"norma": "urn:lex:br:federal:lei:2001-03-05;99901"})


def test_folder_is_not_a_query(tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match=rf"^the query {re.escape(str(tmp_path))} cannot be read: .*[Dd]irectory"):
        from_file(tmp_path)


def test_name_missing_from_the_catalogue_is_refused() -> None:
    with pytest.raises(BadQuery) as refused:
        named("timelime")
    assert str(refused.value) == (
        f"there is no query 'timelime'; there are: {', '.join(catalogue())}, or a path to a .rq file"
    )


# Values


@pytest.fixture
def query() -> Query:
    return read(
        "q",
        HEAD + "# param norma iri required: the norm\n# param em date = 2001-03-05: the day\n"
        "# param quantos integer = 3: how many\n# param texto string = nada: a text\n"
        "SELECT ?norma ?em ?quantos ?texto { BIND (1 AS ?um) }",
    )


@pytest.mark.parametrize(
    ("values", "bound"),
    [
        ({"norma": "urn:x:1"}, {}),
        ({"norma": "URN:LEX:br;sp:estadual:lei:1997-12-30;9990"}, {}),
        ({"norma": "urn:lex:br:federal:lei:2001-03-05;99901![art6,art10]"}, {}),
        ({"norma": "urn:x:1", "em": "1990-09-12"}, {"em": "1990-09-12"}),
        ({"norma": "urn:x:1", "em": date(1990, 9, 12)}, {"em": "1990-09-12"}),
        ({"norma": "urn:x:1", "quantos": "-12"}, {"quantos": "-12"}),
        ({"norma": "urn:x:1", "quantos": 12}, {"quantos": "12"}),
        ({"norma": "urn:x:1", "texto": '" . } DROP ALL #'}, {"texto": '" . } DROP ALL #'}),
    ],
)
def test_values_become_terms_of_their_kind(values: dict[str, object], bound: dict[str, str], query: Query) -> None:
    terms = query.bindings(values)
    norma = {
        "urn:x:1": "urn:x:1",
        "URN:LEX:br;sp:estadual:lei:1997-12-30;9990": "urn:lex:br;sao.paulo:estadual:lei:1997-12-30;9990",
    }.get(str(values["norma"]), "urn:lex:br:federal:lei:2001-03-05;99901!%5Bart6,art10%5D")
    assert terms["norma"] == ox.NamedNode(norma)
    datatypes = {"em": "date", "quantos": "integer", "texto": "string"}
    for name, default in (("em", "2001-03-05"), ("quantos", "3"), ("texto", "nada")):
        term = terms[name]
        assert isinstance(term, ox.Literal)
        assert term.value == bound.get(name, default)
        assert term.datatype.value == f"http://www.w3.org/2001/XMLSchema#{datatypes[name]}"


BAD_IRI = "parameter 'norma' of query q expects an IRI or a name urn:lex:...: "
BAD_DATE = "parameter 'em' of query q expects a date YYYY-MM-DD: "
BAD_NUMBER = "parameter 'quantos' of query q expects a whole number: "


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "query q needs parameter 'norma' (iri): the norm"),
        ({"norma": None}, "query q needs parameter 'norma' (iri): the norm"),
        ({"norma": "urn:x:1", "Em": "1990-09-12"}, "query q has no parameter 'Em'; it has: norma, em, quantos, texto"),
        ({"norma": "lei 8078"}, BAD_IRI + "not an absolute IRI: 'lei 8078'"),
        ({"norma": "urn:x:1> . <urn:x:2"}, BAD_IRI + "not an absolute IRI: 'urn:x:1> . <urn:x:2'"),
        ({"norma": ""}, BAD_IRI + "not an absolute IRI: ''"),
        ({"norma": "urn:x:1", "em": "12/09/1990"}, BAD_DATE + "expected a date YYYY-MM-DD, got '12/09/1990'"),
        ({"norma": "urn:x:1", "em": "1990-09-12Z"}, BAD_DATE + "expected a date YYYY-MM-DD, got '1990-09-12Z'"),
        (
            {"norma": "urn:x:1", "em": datetime(1990, 9, 12)},  # noqa: DTZ001 - tests a time without a zone
            BAD_DATE + "expected a date YYYY-MM-DD, got '1990-09-12T00:00:00'",
        ),
        ({"norma": "urn:x:1", "quantos": "1_000"}, BAD_NUMBER + "got '1_000'"),
        ({"norma": "urn:x:1", "quantos": "1.0"}, BAD_NUMBER + "got '1.0'"),
        ({"norma": "urn:x:1", "quantos": " 1"}, BAD_NUMBER + "got ' 1'"),
        ({"norma": "urn:x:1", "quantos": "\u0663"}, BAD_NUMBER + "got '\u0663'"),
        ({"norma": "urn:x:1", "quantos": True}, BAD_NUMBER + "got 'True'"),
    ],
)
def test_invalid_values_are_refused_before_execution(
    values: dict[str, object], message: str, query: Query, code_store: WritableStore
) -> None:
    ask: list[Callable[[], object]] = [
        lambda: query.bindings(values),
        lambda: query.rows(code_store, values),
        lambda: query.answer(code_store, values),
    ]
    for call in ask:
        with pytest.raises(BadParameter) as refused:
            call()
        assert str(refused.value) == message


def test_invalid_name_is_refused_with_its_reason(query: Query) -> None:
    with pytest.raises(BadParameter) as refused:
        query.bindings({"norma": "urn:lex:br:federal:lei:20x0;1"})
    assert str(refused.value).startswith(BAD_IRI + "expected ")
    assert "^" in str(refused.value)


# The catalogue itself


@each_query
def test_query_projects_exactly_the_parameters_and_columns(query: Query, code_store: WritableStore) -> None:
    (outer, *_) = selects(query.text)
    assert not outer.everything
    declared = {p.name for p in query.parameters} | {c.name for c in query.columns}
    assert outer.projected == declared
    values = {
        p.name: {Kind.IRI: "urn:x:1", Kind.DATE: "2001-01-01", Kind.INTEGER: "1", Kind.STRING: "x"}[p.kind]
        for p in query.parameters
    }
    solutions = query.answer(code_store, values)
    assert isinstance(solutions, ox.QuerySolutions)
    assert {variable.value for variable in solutions.variables} == declared


@each_query
def test_every_parameter_is_used(query: Query) -> None:
    for parameter in query.parameters:
        assert len(re.findall(rf"[?$]{parameter.name}\b", query.text.partition("SELECT")[2])) > 1


def test_every_research_question_has_a_query_that_states_its_limits() -> None:
    assert {query.group for query in catalogue().values()} == set(Group)
    answering = [query for query in catalogue().values() if query.competency]
    assert {number for query in answering for number in query.competency} == set(range(1, 32))
    assert [query.name for query in answering if query.limits is None] == []


@each_query
def test_titles_and_questions_are_complete_sentences(query: Query) -> None:
    assert query.title != query.titulo
    assert query.question.strip().split(". ")[0].count("?") >= 1
    for text in (query.title, query.titulo, query.question, *(p.meaning for p in query.parameters)):
        assert text == text.strip() != ""


def test_every_vocabulary_term_is_written_and_queried() -> None:
    """Check that each term is used by the code and by a query: a term used by one alone is not needed."""
    code = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "graph").rglob("*.py")))
    asked = "\n".join(
        line for query in catalogue().values() for line in query.text.splitlines() if not line.startswith("#")
    )
    in_code = {term for term in VIG if re.search(rf"[\"']{term}[\"']", code)}
    in_queries = {term for term in VIG if re.search(rf"\bvig:{term}\b", asked)}
    of_individuals = {
        "Eixo",
        "Motivo",
        "Situacao",
    }  # classes of axes, reasons and statuses, which only vigente.ttl uses
    assert set(VIG) - in_code == of_individuals
    assert set(VIG) - in_queries == {*of_individuals, "prazoDecorrido"}  # a reason, which queries return as a value


def test_no_query_accepts_a_future_day_of_knowledge() -> None:
    """Check that the day of knowledge may be at most today, while D may be later (docs/explanation/time.md)."""
    now = today()
    tomorrow = now + timedelta(days=1)
    query = named("in_force_on_day")
    assert query.bindings({"em": tomorrow, "conhecido": now})
    for name in ("conhecido", "conhecidoAntes", "conhecidoDepois"):
        asked = next(q for q in catalogue().values() if any(p.name == name for p in q.parameters))
        values = {p.name: tomorrow if p.name == name else now for p in asked.parameters if p.kind.value == "date"}
        with pytest.raises(NotYetKnown, match=str(tomorrow)):
            asked.bindings({**values, **{p.name: "urn:x:y" for p in asked.parameters if p.kind.value == "iri"}})


def _paths(node: object) -> Iterator[SequencePath]:
    """Yield the sequence paths of a parsed query."""
    if isinstance(node, SequencePath):
        yield node
        yield from _paths(list(node.args))
    elif isinstance(node, CompValue):
        yield from _paths(list(node.values()))
    elif isinstance(node, list | tuple | set):
        for child in node:
            yield from _paths(child)


def paths_beginning_optionally(text: str) -> list[str]:
    """Return the paths of a query that begin with an optional step: ``p?/q``.

    From a bound subject the engine evaluates such a path over the whole store.
    """
    sequence_paths = _paths(prepareQuery(text).algebra)
    return [str(path) for path in sequence_paths if isinstance(path.args[0], MulPath) and path.args[0].zero]


@pytest.mark.slow
def test_no_query_path_begins_with_an_optional_step() -> None:
    assert {
        name: paths for name, query in catalogue().items() if (paths := paths_beginning_optionally(query.text))
    } == {}


@pytest.mark.parametrize(
    ("path", "is_found"),
    [("<a:p>?/<a:q>", True), ("<a:p>*/<a:q>", True), ("<a:p>/<a:q>?", False), ("<a:p>/<a:q>", False)],
)
def test_optional_path_beginning_is_found_anywhere_in_a_query(path: str, *, is_found: bool) -> None:
    query = f"SELECT * {{ OPTIONAL {{ {{ SELECT ?s {{ ?s {path} ?o }} }} UNION {{ ?s ?p ?o }} }} }}"
    assert bool(paths_beginning_optionally(query)) == is_found


@pytest.mark.parametrize(
    ("query", "parameter", "given", "iri"),
    [
        ("works_by_number", "tipo", "lei", "https://w3id.org/vigente/vocab/tipoDocumento/lei"),
        ("events_of_provisions", "tipo", "revogacao", "https://w3id.org/vigente/vocab/evento/revogacao"),
        ("works_by_number", "tipo", "https://exemplo.example/lei", "https://exemplo.example/lei"),
    ],
)
def test_vocabulary_term_is_given_by_its_notation(query: str, parameter: str, given: str, iri: str) -> None:
    others = {"numero": "8078", "norma": "urn:lex:br:federal:lei:2001-03-05;99901"}
    values = {p.name: others.get(p.name, given) for p in named(query).parameters}
    assert named(query).bindings(values)[parameter] == ox.NamedNode(iri)


def test_acts_that_changed_provisions_are_counted_once(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> None:
    """Acts by name with and without the day; insertions, repeals; no vetoes, reissues, rectifications or own events."""
    law, other, repealing = (
        f"urn:lex:br:federal:lei:{name}" for name in ("1998-01-05;99931", "2000-06-01;99932", "2001-06-01;99934")
    )
    measure, reissue = (f"urn:lex:br:federal:medida.provisoria:2001-0{n};99940" for n in ("7-01", "8-01"))
    by_year = "urn:lex:br:federal:lei:2000;99932"

    def made(kind: str, part: str, cause: str | None = None) -> Event:
        return event(kind, f"{law}!{part}", "2002-06-02", "2002-06-02", cause)

    store = store_of(
        record(f"{law}@1998-01-06;publicacao;1998-01-06"),
        record(
            law,
            key="fatos",
            events=[
                made("redacao", "art1", other),
                made("redacao", "art1", by_year),
                made("alteracao", "art2", f"{other}!art3"),
                made("publicacao", "art2-1", other),
                made("revogacao", "art3", repealing),
                made("veto", "art4", "urn:lex:br:federal:lei:1999-01-01;99941"),
                made("retificacao", "art5", "urn:lex:br:federal:lei:1999-01-01;99942"),
                made("redacao", "art6", f"{law}!art9"),
                made("redacao", "art7"),
                made("revogacao", "art8"),
                made("redacao", "art1"),
            ],
        ),
        record(f"{reissue}-1", ("altera", measure)),
    )
    assert [
        (row["norma"], row["alteradoras"], row["dispositivos"], row["versoes"])
        for row in named("most_amended").rows(store)
    ] == [(law, 2, 7, 0)]
    assert [
        (row["alteradora"], row["dispositivos"], row["revogados"])
        for row in named("amending_acts").rows(store, {"norma": law})
    ] == [(None, 1, 1), (other, 3, 0), (repealing, 0, 1)]
    assert not list(named("amending_acts").rows(store, {"norma": measure}))
    assert [(row["alteradora"], row["normas"], row["dispositivos"]) for row in named("most_amending").rows(store)] == [
        (other, 1, 3),
        (repealing, 1, 1),
    ]


def test_bills_are_no_norms_that_are_not_in_force(
    record: Callable[..., Record], store_of: Callable[..., WritableStore]
) -> None:
    """Bills have neither force nor an unknown status; a query lists them only if it asks for their type."""
    law, bill = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:senado.federal:projeto.lei;pls:2001-03-05;31"
    store = store_of(
        *(record(f"{name}@inicio.vigencia;publicacao;2001-03-06") for name in (law, bill)),
    )
    days = {"conhecido": "2010-01-01"}
    (stock,) = (row for row in named("stock_by_year").rows(store, days) if row["ano"] == 2001)
    assert (stock["emVigor"], stock["indeterminadas"]) == (0, 1)
    in_period = {**days, "de": "2001-01-01", "ate": "2002-01-01"}
    assert {row["alvo"] for row in named("changes_in_period").rows(store, in_period)} == {law}
    of_type = {**in_period, "tipo": "projeto.lei;pls"}
    assert {row["alvo"] for row in named("changes_in_period").rows(store, of_type)} == {bill}
    (first,) = {row["inicio"] for row in named("changes_in_period").rows(store, in_period)}
    assert {row["alvo"] for row in named("changes_on_day").rows(store, {**days, "dia": str(first)})} == {law}
    assert {row["norma"] for row in named("gaps_on_day").rows(store, {**days, "em": "2005-01-01"})} == {law}


def test_certain_end_of_a_norm_without_a_start_is_a_change_of_its_day(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> None:
    """Check Lei 8.666/1993, whose sources state its end and not its start; a norm that may be restored is left out."""
    ended, restored, later = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99907, 99908, 99909))
    events = [
        event("revogacao", ended, "2003-06-01", "2003", later),
        event("revogacao", ended, "2004-06-01", "2004", later),
        event("revogacao", restored, "2003-06-01", "2003", later),
        event("restauracao", restored, "2005-06-01", "2005", later),
    ]
    store = store_of(record(ended), record(restored), record(later, events=events))

    def changed(day: str, known: str) -> list[tuple[str, str]]:
        rows = named("changes_on_day").rows(store, {"dia": day, "conhecido": known})
        return [(str(row["alvo"]), str(row["situacao"])) for row in rows]

    assert changed("2003-06-01", "2003-12-31") == [(ended, "https://w3id.org/vigente/ns#revogada")]
    assert changed("2003-06-01", "2003-12-30") == []
    assert changed("2004-06-01", "2010-01-01") == []


def test_effects_of_a_norm_on_itself_are_no_changes_between_norms(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> None:
    law, later = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:federal:lei:2003-03-05;99908"
    events = [
        event("entrada.vigor", f"{law}!art1", "2001-06-01", "2001-03-06", f"{law}!art9"),
        event("revogacao", f"{law}!art2", "2003-06-01", "2003-03-06", f"{later}!art3"),
    ]
    store = store_of(record(f"{law}@2001-03-06;publicacao;2001-03-06", events=events))
    rows = named("changes_between_norms").rows(store, {"norma": law})
    assert [(row["sentido"], row["outra"]) for row in rows] == [("sofre", f"{later}!art3")]


def test_causes_of_amendments_count_but_bills_only_on_request(
    record: Callable[..., Record], event: Callable[..., Event], store_of: Callable[..., WritableStore]
) -> None:
    """Check competency questions 8 and 9: causes of amendments of provisions count; bills count only on request."""
    law, amending = "urn:lex:br:federal:lei:1998-01-05;99931", "urn:lex:br:federal:lei:2000-06-01;99932"
    bill = "urn:lex:br:senado.federal:projeto.lei;pls:2017;99933"
    store = store_of(
        record(f"{law}@1998-01-06;publicacao;1998-01-06"),
        record(bill, ("altera", law)),
        record(amending, key="causa", events=[event("alteracao", f"{law}!art2", "2000-06-02", "2000-06-02", amending)]),
    )

    def rows(query: str, column: str, **values: int) -> list[tuple[object, object]]:
        count = "alteradoras" if query == "most_amended" else "normas"
        return [(row[column], row[count]) for row in named(query).rows(store, values)]

    assert rows("most_amended", "norma") == [(parse(law).iri, 1)]
    assert rows("most_amended", "norma", projetos=1) == [(parse(law).iri, 2)]
    assert rows("most_amending", "alteradora") == [(parse(amending).iri, 1)]
    assert {name for name, _ in rows("most_amending", "alteradora", projetos=1)} == {
        parse(amending).iri,
        parse(bill).iri,
    }


def test_rows_without_an_order_are_the_same_rows(tmp_path: Path) -> None:
    values = {"norma": "urn:lex:br:federal:lei:1990-09-11;8078"}
    with open_store(demo_store(tmp_path)) as store:
        ordered = [str(row) for row in named("citations").rows(store, values)]
        assert sorted(ordered) == sorted(str(row) for row in named("citations").unordered_rows(store, values))
        assert ordered


@pytest.mark.parametrize(("deprecated", "name"), DEPRECATED_NAMES.items())
def test_a_deprecated_name_gives_the_query_with_a_warning(deprecated: str, name: str) -> None:
    assert deprecated not in catalogue()
    with pytest.warns(DeprecationWarning, match=f"the name {deprecated} of a query is deprecated: use {name}"):
        assert named(deprecated) is named(name)
    assert find(deprecated) is catalogue()[name]
