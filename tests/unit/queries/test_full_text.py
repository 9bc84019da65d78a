"""Tests of full-text search beyond the answers of tests/data/answers: pages, the index, excerpts, and interfaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import samples
import vigente
from graph.civil import today
from graph.errors import BadParameter
from graph.quarantine import Quarantine
from graph.store import Store, in_memory, open_for_writing
from graph.store import open as open_for_reading
from graph.store.fulltext import Match
from graph.terms import Text
from graph.urn import parse
from loaders.pipeline import load
from queries.full_text import SearchFilters, find, marked_excerpt, parse_query, plain
from queries.resolution.searching import LONGEST as LONGEST_EXCERPT
from service.cli import main
from tests.support.cases import values
from tests.support.pages import page, words_of
from tests.support.records import record
from tests.support.web_names import place

CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99916"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
ARTICLE = f"{CLOCKS}!art1_cpt"


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Iterator[Store]:
    with open_for_reading(sample_store) as opened:
        yield opened


def test_matches_of_a_frequent_word_are_counted_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a search for a frequent word does not rank by score, and that titles are still first."""
    store = in_memory()
    summary = [Text("Lei fictícia dos relógios")]
    laws = [record(f"{CLOCKS[:-5]}{99901 + n}", key=f"law{n}", summaries=summary) for n in range(30)]
    store.apply([*laws, record(CODE, key="title", epigraphs=[Text("Relógios da Lei fictícia")])])
    scored = find(store, "relógios lei", limit=5)
    monkeypatch.setattr("graph.store.fulltext._MOST_SCORED", 10)
    common = find(store, "relógios lei", limit=5)
    assert common.results[0].name == scored.results[0].name == CODE
    assert (common.total, common.facets) == (scored.total, scored.facets)
    pages = [find(store, "relógios lei", limit=10, offset=offset) for offset in range(0, 31, 10)]
    assert len({result.name for answer in pages for result in answer.results}) == common.total == 31
    assert "<mark>" in common.results[1].provisions[0].excerpt


def test_filters_apply_in_the_index_and_pages_reach_the_end() -> None:
    """Filter 300 bills that share one word: all matches are found, however many others have the word."""
    store = in_memory()
    names = [f"urn:lex:br:federal:lei:{1900 + n % 100}-01-02;{99901 + n}" for n in range(300)]
    store.apply([record(name, key=name, epigraphs=[Text(f"Lei fictícia {name[-5:]}, do senado")]) for name in names])
    assert find(store, "senado").total == sum(find(store, "senado").facets.year.values()) == 300
    answer = find(store, "senado", SearchFilters(year=1990), limit=100)
    assert answer.total == len(answer.results) == 3
    assert (answer.facets.type, answer.facets.year) == ({"lei": 3}, {"1990": 3})
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        shown = find(store, "senado", limit=90, offset=offset)
        seen += [result.name for result in shown.results]
        offset = shown.next_offset
    assert len(seen) == len(set(seen)) == 300


@pytest.mark.parametrize(
    ("text", "limit", "reported"),
    [
        ("", 20, "expected words with letters or digits, got ''"),
        ("a" * 1001, 20, "expected words of at most 1000 characters, got 1001"),
        ("lei", 101, "expected limit from 1 to 100"),
    ],
)
def test_invalid_search_is_refused(store: Store, text: str, limit: int, reported: str) -> None:
    with pytest.raises(BadParameter, match=reported):
        find(store, text, limit=limit)


_EMPTY = in_memory()


@given(st.text(max_size=60))
@example('"a" OR NEAR(b c) -"d* {title}: e')
@example('a" OR text:"b')
def test_text_is_never_executed_as_an_fts_expression(text: str) -> None:
    try:
        answer = find(_EMPTY, text)
    except BadParameter:
        return
    assert answer.total == 0


@settings(max_examples=100)
@given(st.text("abcé <>&\"'", max_size=400), st.sampled_from("abcé"))
def test_excerpt_is_text_with_mark_tags_only(text: str, word: str) -> None:
    marked = marked_excerpt([text], lambda other: word if other == word else None)
    bare = plain(marked)
    assert len(bare) <= LONGEST_EXCERPT + 2
    assert bare.strip("…") in " ".join(text.split()) or "…" in bare
    left = marked.replace("<mark>", "").replace("</mark>", "")
    assert not {"<", ">"} & set(left)


def test_quotes_minus_and_star_are_parsed() -> None:
    query = parse_query("«lei seca» decreto-lei -“ato nulo” licit* da")
    assert [(clause.match, clause.words) for clause in query.wanted] == [
        (Match.PHRASE, ("lei", "seca")),
        (Match.TERM, ("decret", "lei")),
        (Match.PREFIX, ("licit",)),
    ]
    assert [(clause.match, clause.words) for clause in query.unwanted] == [(Match.PHRASE, ("ato", "nulo"))]
    assert [clause.words for clause in parse_query("do que").wanted] == [("do",), ("que",)]


def test_result_names_can_be_queried(store: Store) -> None:
    for norm in find(store, "fictícia", limit=100).results:
        names = [norm.name, *(provision.name for provision in norm.provisions)]
        assert [parse(name).canonical for name in names] == names


# The index follows the graph


def test_days_left_by_a_killed_writer_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check also that a rebuild of the store, and of the index, changes nothing."""
    folder = tmp_path / "store"
    with monkeypatch.context() as patch:
        patch.setattr("graph.store.names.NameIndex.refresh", lambda _: False)
        with open_for_writing(folder, create=True) as store:
            load([samples.folder() / "lexml_xml"], store, Quarantine(tmp_path / "quarantine"))
            assert store.names.full_text.is_stale
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as published:
        assert not published.names.full_text.is_stale
        before = find(published, "relógio mostra", SearchFilters(on=date(2001, 7, 1))).as_json()
    assert ARTICLE in json.dumps(before)
    with open_for_writing(folder) as store:
        store.rebuild()
        assert not store.changed
        store.names.clear()
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as published:
        assert find(published, "relógio mostra", SearchFilters(on=date(2001, 7, 1))).as_json() == before


# All interfaces


@pytest.mark.parametrize("asked", values("full_text", "cli_python_and_api_give_the_same_answer"))
def test_cli_python_and_api_give_the_same_answer(
    sample_store: Path, sample: httpx.Client, asked: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given_options = {key: value for key, value in asked.items() if key not in ("q", "in_force")}
    options = [part for key, value in given_options.items() for part in (f"--{key}".replace("_", "-"), value)]
    options += ["--in-force"] if "in_force" in asked else []
    capsys.readouterr()
    assert main(["--store", str(sample_store), "search", asked["q"], *options, "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    with vigente.open(sample_store) as store:
        python_answer = store.find(
            asked["q"],
            on=asked.get("on"),
            as_known=asked.get("as_known"),
            place=asked.get("place"),
            authority=asked.get("authority"),
            year=int(asked["year"]) if "year" in asked else None,
            in_force="in_force" in asked,
            norm=asked.get("norm"),
        )
    assert python_answer.as_json() == reported
    answer = sample.get("/api/v1/search", params=asked).json()
    for key in ("total", "facets", "results", "suggestion", "every_word", "in_one_provision", "meant"):
        assert answer[key] == reported[key]
    assert answer["candidates"] == []


def test_api_paginates_and_refuses_conflicting_parameters(sample: httpx.Client) -> None:
    seen: list[str] = []
    answer = sample.get("/api/v1/search", params={"q": "lei", "limit": "7"}).json()
    seen += [result["name"] for result in answer["results"]]
    while answer["next"] is not None:
        answer = sample.get("/api/v1/search", params={"q": "lei", "limit": "7", "after": answer["next"]}).json()
        seen += [result["name"] for result in answer["results"]]
    assert len(seen) == len(set(seen)) == answer["total"] > 7
    other = sample.get("/api/v1/search", params={"q": "lei", "limit": "7"}).json()["next"]
    for bad in (
        {"q": "lei", "number": "1"},
        {"on": "2001-01-01", "type": "lei", "number": "1"},
        {"q": "-x"},
        {"q": "lei", "in_force": "sim"},
        {"q": "norma", "after": other},
    ):
        assert sample.get("/api/v1/search", params=bad).status_code == 422, bad


def test_command_line_prints_readable_results(sample_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["--store", str(sample_store), "search"]
    assert main([*ask, "relógio", "mostra", "--on", "2001-07-01"]) == 0
    assert "art. 1º, caput: Todo relógio fictício mostra uma hora. [in-force [2001-06-01, 2002-05-02)]" in (
        capsys.readouterr().out
    )
    assert main([*ask, "consumidro"]) == 0
    assert capsys.readouterr().out.startswith("did you mean: consumidor\n0 norms\n")
    assert main([*ask, "-penal"]) == 2


def test_page_names_the_norm_of_a_nickname_beside_words(sample: httpx.Client) -> None:
    shown = page(sample, "/search?q=multa+cdc")
    found = "//ol[@class='found']/li/h3/a/@title"
    assert shown.all(found) == page(sample, "/search?q=multa").all(found)
    assert "não foi entendido" not in shown.text
    assert [words_of(named) for named in shown.elements("//p[@class='meant']")] == [
        (
            "“CDC” é apelido desta norma: Lei nº 8.078, de 11 de setembro de 1990. "
            "As outras palavras são buscadas nela primeiro, e depois nas demais normas."
        )
    ]
    absent = page(sample, "/search?q=rel%C3%B3gio+ECA")
    assert "“ECA” é apelido desta norma, que não foi encontrada no acervo: Lei nº 8.069" in absent.text
    assert absent.all(found)


@pytest.mark.parametrize(("word", "days"), [("hoje", 0), ("ontem", 1), ("HOJE.", 0), ("vigente hoje", 0)])
def test_today_and_yesterday_at_the_end_are_days(sample: httpx.Client, store: Store, word: str, days: int) -> None:
    day = today() - timedelta(days)
    for text in (f"CDC {word}", f"multa CDC {word}"):
        answer = find(store, text)
        assert [(target.name, target.on) for target in answer.meant] == [(CODE, day)]
        assert (answer.on, answer.suggestion) == (day, None)
    assert find(store, f"fornecedro {word}").suggestion == f"fornecedor {word}"
    led = sample.get("/search", params={"q": f"art. 57 do CDC {word}"}, headers={"accept": "text/html"})
    assert (led.status_code, place(led)) == (303, f"/{CODE}!art57?on={day}")
