"""Tests of docs/reference/queries.md: examples run, the table equals the catalogue, SPARQL returns the tables."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from graph.store import WritableStore
from queries.catalogue import catalogue, read
from service.catalogue_page import PAGE as CATALOGUE
from service.catalogue_page import catalogue_page

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "queries.md"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def _sparql_blocks() -> list[str]:
    return re.findall(r"^```sparql\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_python_examples_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted) == (0, 2)


def test_query_table_matches_the_catalogue() -> None:
    rows = re.findall(r"^\| \[(\w+)\]\((\S+)\) \| (.*) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows == [
        (
            query.name,
            f"../../queries/sparql/{query.name}.rq",
            ", ".join(p.name if p.default is None else f"({p.name})" for p in query.parameters),
            query.title,
        )
        for query in catalogue().values()
    ]


def test_research_question_table_matches_the_query_headers() -> None:
    rows = re.findall(r"^\| (\d+) \| .* \| (\[.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {
        int(number): re.findall(r"\[(\w+)\]\(\.\./\.\./queries/sparql/\1\.rq\)", files) for number, files in rows
    } == {
        number: [query.name for query in catalogue().values() if number in query.competency] for number in range(1, 32)
    }


def test_catalogue_page_is_up_to_date() -> None:
    assert CATALOGUE.read_text("utf-8") == catalogue_page()


def test_links_are_valid() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE.read_text("utf-8")):
        assert (PAGE.parent / target).exists(), target


def test_example_query_file_returns_rows(code_store: WritableStore) -> None:
    query = read("normas_alteradas", _sparql_blocks()[0])
    rows = list(query.rows(code_store, {"norma": "urn:lex:br:federal:lei:1993;8656"}))
    assert [row["alterada"] for row in rows] == [CODE]


def test_example_commands_have_the_required_parameters() -> None:
    for name, rest in re.findall(r"^    vigente query (\w+) (.*)$", PAGE.read_text("utf-8"), re.MULTILINE):
        given = re.findall(r"-p (\w+)=", rest)
        assert given == [p.name for p in catalogue()[name].parameters if p.default is None]


@pytest.mark.parametrize(
    ("d", "k", "suffix"),
    [
        ("1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
        ("1993-05-21", "2007-01-09", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-05-22", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
        ("1991-03-10", "2007-01-09", "vacatio"),
        ("1991-03-11", "1990-09-10", None),
    ],
)
def test_plain_sparql_example_returns_the_version_or_status(
    d: str, k: str, suffix: str | None, code_store: WritableStore
) -> None:
    query = _sparql_blocks()[1].replace("1993-06-15", d).replace("2007-01-09", k)
    rows = [(row["versao"], row["situacao"]) for row in code_store.select(query)]
    if suffix is None:
        assert rows == []
    elif suffix.startswith("@"):
        assert rows == [(CODE + suffix, None)]
    else:
        assert rows == [(None, f"https://w3id.org/vigente/ns#{suffix}")]
