"""Tests of docs/reference/frbroo.md: each query has the printed answer, and each declared term is written or a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.entities import Document, Record, Relation, RelationKind, Source
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.pipeline import load
from loaders.sources.vocabulary import built_in_record
from ontology.namespaces import FRBROO, NAMESPACES, RDF

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "frbroo.md").read_text("utf-8")
PREFIXES = re.findall(r"^```sparql\n(PREFIX.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
EXAMPLES = re.findall(r"^```sparql\n(SELECT.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Terms that only the ontology uses: superclasses, superproperties, domains, ranges and inverses.
ONLY_IN_RULES = {
    "frbroo": {"F1_Work", "F2_Expression", "R4i_comprises_carriers_of", "R10i_is_member_of"}
    | {"R23_created_a_realisation_of"},
    "crm": {"E7_Activity", "E12_Production", "E65_Creation", "P12_occurred_in_the_presence_of"},
}
#: Written only by the projection to LRMoo, which has no R18.
PROJECTED = {"P108_has_produced"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    store = in_memory()
    store.apply([built_in_record()])
    load([ROOT / "samples"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    """Return norms with enacting formulas, and a document that is a member of a set."""
    store = in_memory()
    data = ROOT / "tests" / "data"
    load([data / "oai_lexml", data / "planalto"], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    member = Relation(RelationKind.MEMBRO_DE, parse("urn:lex:br:federal:colecao:2001-03-05;99902"))
    document = Document(parse("urn:lex:br:federal:lei:2001-03-05;99903"), relations=(member,))
    store.apply([Record(Source("urn:x:1", "oai_lexml", "0" * 64, "oai_lexml/1"), document)])
    return store


def _written(term: object) -> str:
    if isinstance(term, ox.NamedNode) and term.value.startswith(str(FRBROO)):
        return f"frbroo:{term.value.removeprefix(str(FRBROO))}"
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_query_has_the_printed_answer(example: tuple[str, str], store: WritableStore, texts: WritableStore) -> None:
    query, printed = example
    answer = (texts if "2010-05-05;99901" in query else store).answer(PREFIXES + query)
    assert isinstance(answer, ox.QuerySolutions)
    rows = [" ".join(_written(term) for term in row) for row in answer]
    if "2010-05-05;99901" in query:
        rows.sort(key=lambda row: "sancao" in row)
    assert rows == printed.splitlines()
    assert len(EXAMPLES) == 9


def test_declared_terms_of_frbroo_and_cidoc_crm_are_written_or_rules(
    store: WritableStore, texts: WritableStore
) -> None:
    quads = [*store.engine, *texts.engine]
    written = {quad.predicate.value for quad in quads}
    written |= {
        q.object.value for q in quads if q.predicate.value == RDF["type"] and isinstance(q.object, ox.NamedNode)
    }
    ontology = (ROOT / "ontology" / "vigente.ttl").read_text("utf-8")
    for prefix, terms in ONLY_IN_RULES.items():
        space = NAMESPACES[prefix]
        unwritten = {name for name in space if space[name] not in written}
        assert unwritten == terms | (PROJECTED if prefix == "crm" else set())
        assert {name for name in terms if f"{prefix}:{name}" not in ontology} == set()
