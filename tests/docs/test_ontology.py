"""Tests of the pages on the ontology: examples run, terms exist, and every decision is in the index."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.namespaces import NAMESPACES

DOCS = Path(__file__).resolve().parents[2] / "docs"
GRAPH = DOCS / "reference" / "graph.md"
DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))
each_decision = pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem[:4])


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GRAPH.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_python_examples_run() -> None:
    result = doctest.testfile(str(GRAPH), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 5


def test_example_query_answers_from_the_example_periods() -> None:
    periods = next(block for block in _blocks("turtle") if "vig:Lacuna" in block)
    query = next(block for block in _blocks("sparql") if "1992-01-01" in block)
    store = ox.Store()
    store.load(periods.encode(), format=ox.RdfFormat.TURTLE)

    def versions(day: str, known: str) -> list[str]:
        asked = query.replace('"1992-01-01"^^xsd:date AS ?em', f'"{day}"^^xsd:date AS ?em')
        answers = store.query(
            asked.replace('"1992-01-01"^^xsd:date AS ?conhecido', f'"{known}"^^xsd:date AS ?conhecido')
        )
        assert isinstance(answers, ox.QuerySolutions)
        return [answer["versao"].value for answer in answers]

    first = ["urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11;publicacao;1990-09-12"]
    signed = ["urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11;assinatura;1990-09-11"]
    assert versions("1992-01-01", "1992-01-01") == first
    assert (versions("1991-03-10", "1992-01-01"), versions("1991-03-11", "1992-01-01")) == ([], first)
    assert versions("1992-01-01", "1990-09-10") == []
    assert (versions("1992-01-01", "1990-09-11"), versions("1992-01-01", "1990-09-12")) == (signed, first)
    assert (versions("1993-05-22", "1993-05-21"), versions("1993-05-22", "1993-05-22")) == (first, [])
    assert (versions("1993-05-21", "1993-05-22"), versions("1993-05-21", "2007-01-10")) == (first, [])


@pytest.mark.parametrize("page", [GRAPH, *DECISIONS], ids=lambda page: page.stem[:5])
def test_every_documented_term_exists(page: Path) -> None:
    prefixes = "|".join(NAMESPACES)
    spoken = set(re.findall(rf"(?<![\w/])({prefixes}):([A-Za-z][\w-]*)", page.read_text("utf-8")))
    unknown = {f"{prefix}:{term}" for prefix, term in spoken if term not in NAMESPACES[prefix]}
    assert unknown <= {"eli:has_version"}, "eli:has_version is documented as a trap; all others must exist"


@each_decision
def test_decision_status_matches_the_index(page: Path) -> None:
    stated = re.search(r"^Status: (accepted|superseded by \[(\d{4})\])", page.read_text("utf-8"), re.MULTILINE)
    assert stated is not None
    row = re.search(
        rf"\({page.name}\) \| .* \| (.+) \|$", (DOCS / "decisions" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert row is not None
    assert row[1].startswith(f"superseded by {stated[2]}" if stated[2] else "accepted")


@each_decision
def test_decision_has_its_three_sections(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.match(rf"# {page.stem[:4]}: \S", text)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


def test_index_lists_every_decision() -> None:
    listed = re.findall(r"\]\((0[^)]+\.md)\)", (DOCS / "decisions" / "README.md").read_text("utf-8"))
    assert listed == [page.name for page in DECISIONS]
    assert len(DECISIONS) >= 5


@pytest.mark.parametrize("page", [GRAPH, DOCS / "decisions" / "README.md", *DECISIONS], ids=lambda page: page.stem)
def test_links_to_ontology_and_decisions_are_valid(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        if "ontology/" in target or Path(target).name.startswith("0"):
            assert (page.parent / target).is_file(), target
