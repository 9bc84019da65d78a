"""Tests of reading .rq files: invalid headers and values are refused with a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import timedelta
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib.paths import MulPath, SequencePath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue

from graph.civil import today
from graph.errors import BadParameter, BadQuery, NotYetKnown
from graph.store import WritableStore, in_memory
from graph.store import open as open_store
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
from queries.resolution.interpretation import cited_names
from tests.support.cases import constant, tuples, values

ROOT = Path(__file__).resolve().parents[3]
HEAD = "# title@pt-br: Título\n# title@en: Title\n# question@pt-br: O que é?\n# question@en: What is it?\n"
BODY = "SELECT ?a WHERE { ?a ?b ?c }"
LINES = (
    "one each of title@pt-br:, title@en:, question@pt-br:, question@en:, limits@pt-br:, limits@en:, group:, "
    "competency: with a text, or param ..., or column ..."
)


def faults(fault_of: Callable[[Query], object]) -> dict[str, object]:
    """Return the queries of the catalogue that have a fault, each with it."""
    return {name: fault for name, query in catalogue().items() if (fault := fault_of(query))}


def variables(text: str | None) -> set[str]:
    return {*re.findall(r"\?\w+", text or "")}


# Headers


def test_every_query_is_described_in_both_languages() -> None:
    """Check that the two differ: an English sentence in both would be shown as Portuguese."""

    def fault(query: Query) -> object:
        pairs = ((query.titulo, query.title), (query.pergunta, query.question), (query.limites, query.limits))
        written = [query.title, query.titulo, query.question, *(p.meaning for p in query.parameters)]
        return (
            [pair for pair in pairs if pair != (None, None) and pair[0] == pair[1]]
            + [pair for pair in pairs if (pair[0] is None) != (pair[1] is None)]
            + [pair for pair in pairs if variables(pair[0]) != variables(pair[1])]
            + [text for text in written if not text or text != text.strip()]
            + [query.question for _ in "?" if "?" not in query.question.strip().split(". ")[0]]
        )

    assert faults(fault) == {}


def test_every_column_and_parameter_has_a_label_in_both_languages() -> None:
    def fault(query: Query) -> object:
        every: list[Column | Parameter] = [*query.columns, *query.parameters]
        texts = [(declared, text) for declared in every for text in (declared.label, declared.rotulo)]
        wrong = [declared.name for declared, text in texts if declared.name == text or not text[:1].isupper()]
        for shown in (query.columns, query.parameters):
            for labelled in ([each.label for each in shown], [each.rotulo for each in shown]):
                wrong += [text for text in labelled if labelled.count(text) > 1]
        return wrong

    assert faults(fault) == {}
    declared = {(query.name, each.name) for query in catalogue().values() for each in query.columns}
    declared |= {(query.name, each.name) for query in catalogue().values() for each in query.parameters}
    own = {f"{query}.{name}" for query, name in declared}
    assert set(labels()) <= own | {name for _, name in declared}
    assert all(set(stated) == {"pt-BR", "en"} for stated in labels().values())


def test_no_two_names_or_titles_are_nearly_the_same() -> None:
    for texts in zip(*((query.name, query.title, query.titulo) for query in catalogue().values()), strict=True):
        near = [pair for pair in combinations(texts, 2) if SequenceMatcher(None, *pair).ratio() > 0.85]
        assert near == []


def test_every_query_has_an_example_that_runs(sample_store: Path) -> None:
    with open_store(sample_store) as store:
        for query in catalogue().values():
            list(query.rows(store, {**query.example, **cited_names(store, query, query.example)}))


def test_query_variables_are_the_parameters_then_the_columns() -> None:
    """Check what the query projects, and that each parameter is used."""
    store, values = in_memory(), {"iri": "urn:x:1", "date": "2001-03-05", "integer": "1", "string": "x"}

    def fault(query: Query) -> object:
        given = {p.name: "vig:eficacia" if p.name == "eixo" else values[p.kind] for p in query.parameters}
        solutions = query.answer(store, given)
        assert isinstance(solutions, ox.QuerySolutions)
        declared = [*(each.name for each in query.parameters), *(each.name for each in query.columns)]
        (outer, *_) = selects(query.text)
        body = query.text.partition("SELECT")[2]
        unused = [p.name for p in query.parameters if len(re.findall(rf"[?$]{p.name}\b", body)) < 2]
        projected = [variable.value for variable in solutions.variables]
        return unused or (projected, outer) * (
            projected != declared or outer.everything or outer.projected != {*declared}
        )

    assert faults(fault) == {}


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
BAD_HEADERS = tomllib.loads((ROOT / "tests" / "data" / "queries" / "headers.toml").read_text("utf-8"))["headers"]


@pytest.mark.parametrize("stated", BAD_HEADERS, ids=lambda stated: stated["case"])
def test_invalid_header_is_refused_and_reported(stated: dict[str, str]) -> None:
    with pytest.raises(BadQuery) as refused:
        read("q", stated["text"].replace("HEAD\n", HEAD).replace("BODY", BODY))
    assert str(refused.value) == stated["message"].replace("LINES", LINES)


#: Queries in which a parameter ``a`` is projected by every SELECT that uses it; then those in which it is not.
PROJECTED = constant("catalogue", "projected")
FREE = """
    SELECT ?b WHERE { ?b ?c ?d }
    SELECT ?b (?a AS ?x) WHERE { ?a ?b ?c }
    SELECT ?b (COUNT(*) AS ?n) WHERE { ?a ?b ?c } GROUP BY ?b
    SELECT ?a { { SELECT ?a { { SELECT ?b { ?a ?b ?c } } } } }
    CONSTRUCT { ?a ?b ?c } WHERE { { SELECT ?b { ?a ?b ?c } } }
    SELECT ?b { ?b <urn:x#SELECT> '''{ ?a ''' } # ?a
"""


def test_unprojected_parameters_are_found() -> None:
    found = {
        text: unprojected_parameters(text, {"a"}) for text in map(str.strip, f"{PROJECTED}{FREE}".split("\n")) if text
    }
    free = {text.strip() for text in FREE.strip().splitlines()}
    assert found == {text: ["a"] if text in free else [] for text in found}
    assert unprojected_parameters("SELECT ?a { ?a ?b 'SELECT ?b { ?a' . # { SELECT ?c { ?a\n }", {"a"}) == []


# Files


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


@pytest.mark.parametrize(("values", "bound"), values("catalogue", "values_become_terms_of_their_kind"))
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


BAD_IRI = "parameter 'norma' of query q expects a name, a citation or a nickname of a norm, or an IRI: "


@pytest.mark.parametrize(("values", "message"), tuples("catalogue", "invalid_values_are_refused"))
def test_invalid_values_are_refused_before_execution(
    values: dict[str, object], message: str, query: Query, code_store: WritableStore
) -> None:
    asking: tuple[Callable[..., object], ...] = (lambda _, given: query.bindings(given), query.rows, query.answer)
    for ask in asking:
        with pytest.raises(BadParameter) as refused:
            ask(code_store, values)
        assert str(refused.value) == message


def test_invalid_name_is_refused_with_its_reason(query: Query) -> None:
    with pytest.raises(BadParameter) as refused:
        query.bindings({"norma": "urn:lex:br:federal:lei:20x0;1"})
    assert str(refused.value).startswith(BAD_IRI + "expected ")
    assert "^" in str(refused.value)


# The catalogue itself


def test_every_research_question_has_a_query_that_states_its_limits() -> None:
    assert {query.group for query in catalogue().values()} == set(Group)
    answering = [query for query in catalogue().values() if query.competency]
    assert {number for query in answering for number in query.competency} == set(range(1, 32))
    assert [query.name for query in answering if query.limits is None] == []


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


#: What every path with an optional step before another one has; parsing a query takes long.
_OPTIONAL = re.compile(r"[?*]\s*/")


@pytest.mark.slow
def test_no_query_path_begins_with_an_optional_step() -> None:
    assert faults(lambda query: _OPTIONAL.search(query.text) and paths_beginning_optionally(query.text)) == {}


@pytest.mark.parametrize(
    ("path", "is_found"),
    [("<a:p>?/<a:q>", True), ("<a:p>*/<a:q>", True), ("<a:p>/<a:q>?", False), ("<a:p>/<a:q>", False)],
)
def test_optional_path_beginning_is_found_anywhere_in_a_query(path: str, *, is_found: bool) -> None:
    query = f"SELECT * {{ OPTIONAL {{ {{ SELECT ?s {{ ?s {path} ?o }} }} UNION {{ ?s ?p ?o }} }} }}"
    assert bool(paths_beginning_optionally(query)) == is_found


@pytest.mark.parametrize(
    ("query", "parameter", "given", "iri"), values("catalogue", "vocabulary_term_is_given_by_its_notation")
)
def test_vocabulary_term_is_given_by_its_notation(query: str, parameter: str, given: str, iri: str) -> None:
    others = {"numero": "8078", "norma": "urn:lex:br:federal:lei:2001-03-05;99901"}
    values = {p.name: others.get(p.name, given) for p in named(query).parameters}
    assert named(query).bindings(values)[parameter] == ox.NamedNode(iri)


def test_rows_without_an_order_are_the_same_rows(sample_store: Path) -> None:
    values = {"norma": "urn:lex:br:federal:lei:1990-09-11;8078"}
    with open_store(sample_store) as store:
        ordered = [str(row) for row in named("citations").rows(store, values)]
        assert sorted(ordered) == sorted(str(row) for row in named("citations").unordered_rows(store, values))
        assert ordered


def test_a_deprecated_name_gives_the_query_with_a_warning() -> None:
    for deprecated, name in DEPRECATED_NAMES.items():
        assert deprecated not in catalogue()
        with pytest.warns(DeprecationWarning, match=f"the name {deprecated} of a query is deprecated: use {name}"):
            assert named(deprecated) is named(name)
        assert find(deprecated) is catalogue()[name]
