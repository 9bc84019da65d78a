"""Tests of full-text search: matching of words, and the days on which the words found apply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import samples
import vigente
from graph.entities import Record, Text
from graph.errors import BadParameter, NotYetKnown
from graph.quarantine import Quarantine
from graph.store import Store, in_memory, open_for_writing
from graph.store import open as open_for_reading
from graph.store.fulltext import Match
from graph.urn import parse
from loaders.pipeline import load
from queries.full_text import (
    FullTextAnswer,
    SearchFilters,
    Valid,
    WordsStatus,
    find,
    marked_excerpt,
    parse_query,
    plain,
)
from queries.notices import Ambiguous, any_of
from queries.reasons import Status
from queries.resolution.searching import LONGEST as LONGEST_EXCERPT
from queries.resolve import resolve
from service.cli import main
from service.render.searches import full_text_lines
from service.web.settings import Settings
from tests.support.demo_store import demo_store
from tests.support.web import serving

Make = Callable[..., Record]

CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99916"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
ARTICLE = f"{CLOCKS}!art1_cpt"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = in_memory()
    load([samples.folder()], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


def provisions(answer: FullTextAnswer) -> list[str]:
    return [provision.name for norm in answer.results for provision in norm.provisions]


@pytest.mark.parametrize(
    "text",
    [
        "relógio mostra",
        "RELOGIOS MOSTRAM",
        "relógios mostrando",
        '"relogio ficticio mostra"',
        "“fictício mostra” relógio",
        "mostra relóg*",
        "todo o relógio mostra a hora",
        "hora -minuto relógio mostra",
    ],
)
def test_typed_text_finds_the_provision(sample: Store, text: str) -> None:
    answer = find(sample, text)
    assert [result.name for result in answer.results] == [CLOCKS]
    assert ARTICLE in provisions(answer)
    assert answer.every_word
    assert answer.suggestion is None


@pytest.mark.parametrize(
    "text", ['"mostra relogio"', "relógio -mostra fictício hora", '"relógios mostram"', "relogio* -todo*"]
)
def test_excluded_or_reordered_words_are_not_found(sample: Store, text: str) -> None:
    assert ARTICLE not in provisions(find(sample, text))


@pytest.mark.parametrize(
    ("on", "hour"),
    [
        ("2001-05-31", None),
        ("2001-06-01", "uma"),
        ("2002-05-01", "uma"),
        ("2002-05-02", "duas"),
        ("2020-01-01", "duas"),
    ],
)
def test_only_words_in_force_on_the_day_are_found(sample: Store, on: str, hour: str | None) -> None:
    answer = find(sample, "relógio mostra", SearchFilters(on=date.fromisoformat(on)))
    article_matches = [
        provision for norm in answer.results for provision in norm.provisions if provision.name == ARTICLE
    ]
    assert [hour in plain(provision.excerpt) for provision in article_matches if hour] == ([True] if hour else [])
    assert all(provision.status is WordsStatus.IN_FORCE for provision in article_matches)
    for other in {"uma", "duas"} - {hour}:
        assert find(sample, f"relógio mostra {other} hora", SearchFilters(on=date.fromisoformat(on))).total == 0 or (
            ARTICLE not in provisions(find(sample, f'"mostra {other}"', SearchFilters(on=date.fromisoformat(on))))
        )


def test_known_date_limits_the_words_found(sample: Store) -> None:
    """Check the article that read ``duas oras`` until the rectification of 2002-07-01."""
    before = SearchFilters(on=date(2002, 5, 2), as_known=date(2002, 6, 30))
    assert ARTICLE in provisions(find(sample, '"duas oras"', before))
    assert ARTICLE not in provisions(find(sample, '"duas horas"', before))
    after = SearchFilters(on=date(2002, 5, 2), as_known=date(2002, 7, 1))
    assert ARTICLE not in provisions(find(sample, '"duas oras"', after))
    assert ARTICLE in provisions(find(sample, '"duas horas"', after))


def test_former_words_are_found_without_a_day_but_not_as_in_force(sample: Store) -> None:
    (norm,) = find(sample, '"uma hora"').results
    (provision,) = (provision_found for provision_found in norm.provisions if provision_found.name == ARTICLE)
    assert provision.status is WordsStatus.PAST
    assert provision.valid is not None
    assert (provision.valid.valid_from, provision.valid.valid_until) == (date(2001, 6, 1), date(2002, 5, 2))
    assert find(sample, '"uma hora"', SearchFilters(in_force=True)).total == 0


def test_wording_in_force_is_shown_first(sample: Store) -> None:
    (norm,) = find(sample, "relógio mostra").results
    assert [(provision.name, provision.status) for provision in norm.provisions if provision.name == ARTICLE] == [
        (ARTICLE, WordsStatus.IN_FORCE)
    ]


def test_titles_and_nicknames_rank_first(sample: Store) -> None:
    assert find(sample, "código de defesa do consumidor").results[0].name == CODE
    first = find(sample, "CDC").results[0]
    assert (first.name, first.status) == (CODE, Status.IN_FORCE)
    assert find(sample, "lei 8078").results[0].name == CODE
    assert find(sample, "lei nº 8.078").results[0].name == CODE


def test_nickname_prefixes_rank_before_texts_with_the_words(record: Make) -> None:
    """Check that ``código consumo`` finds the Código de Defesa do Consumidor first, whatever other laws contain."""
    store = in_memory()
    store.apply(
        [
            record(CODE, nicknames=[Text("Código de Defesa do Consumidor")]),
            record(CLOCKS, key="clocks", summaries=[Text("Lei fictícia do código sobre o consumo de relógios")]),
        ]
    )
    for typed in ("codigo consumo", "consumo código", "código consumos"):
        answer = find(store, typed)
        assert [result.name for result in answer.results] == [CODE, CLOCKS], typed
    assert [result.name for result in find(store, "código defesa").results] == [CODE]
    assert find(store, "consumo").results[0].name != CODE
    none = find(store, "código arrependimentos consumo")
    assert not none.every_word


def test_citation_by_a_nickname_of_several_norms_means_each_of_them(record: Make) -> None:
    """Check the years in which both laws were called Lei de Licitações; the store has art. 75 of the newer one only."""
    old, new = "urn:lex:br:federal:lei:1993-06-21;8666", "urn:lex:br:federal:lei:2021-04-01;14133"
    store = in_memory()
    store.apply([record(old, key="old"), record(new, key="new"), record(f"{new}!art75", key="article")])
    for text, on, said in (
        ("lei de licitacoes art 75", date(2022, 6, 1), ""),
        ("Lei de Licitações, art. 75 em 01/06/2022", None, " on 2022-06-01"),
    ):
        answer, cited = find(store, text, SearchFilters(on=on)), text.partition(" em ")[0]
        assert [(target.name, target.label, target.known) for target in answer.meant] == [
            (f"{new}!art75", "Art. 75 da Lei nº 14.133, de 1º de abril de 2021", True),
            (old, "Lei nº 8.666, de 21 de junho de 1993", True),
        ]
        assert answer.on == date(2022, 6, 1)
        assert list(full_text_lines(answer, 20, 0, of_norm=False))[:2] == [
            f"{cited} may mean Art. 75 da Lei nº 14.133, de 1º de abril de 2021, {new}!art75{said}",
            f"{cited} may mean Lei nº 8.666, de 21 de junho de 1993, {old}{said}",
        ]
    resolved = resolve(store, "lei de licitacoes art 75", on="2022-06-01")
    assert [(candidate.name, candidate.score) for candidate in resolved.candidates] == [(f"{new}!art75", 1), (old, 0.5)]
    assert any_of(resolved.notices, Ambiguous)
    assert [target.name for target in find(store, "lei de licitacoes art 75").meant] == [f"{new}!art75"]
    (older,) = find(store, "lei de licitacoes", SearchFilters(on=date(2000, 1, 1))).meant
    assert older.name == old


def test_words_with_similar_stems_and_other_meanings_are_not_found(record: Make) -> None:
    store = in_memory()
    summaries = {CODE: "Normas fictícias de licitação", CLOCKS: "Fins lícitos dos relógios"}
    store.apply([record(name, key=name, summaries=[Text(text)]) for name, text in summaries.items()])
    for typed, name in (("licitação", CODE), ("licitações", CODE), ("licitante", CODE), ("lícito", CLOCKS)):
        assert [result.name for result in find(store, typed).results] == [name], typed


def test_drought_is_not_found_by_a_section(record: Make) -> None:
    store = in_memory()
    summaries = {CODE: "Combate à seca fictícia", CLOCKS: "Altera a Seção V e outras seções"}
    store.apply([record(name, key=name, summaries=[Text(text)]) for name, text in summaries.items()])
    for typed, name in (("seca", CODE), ("secas", CODE), ("seção", CLOCKS), ("secoes", CLOCKS)):
        assert [result.name for result in find(store, typed).results] == [name], typed


def test_matches_of_a_frequent_word_are_counted_in_full(record: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a search for a frequent word does not rank by score, and that titles are still first."""
    store = in_memory()
    store.apply(
        [
            record(f"{CLOCKS[:-5]}{99901 + number}", key=f"law{number}", summaries=[Text("Lei fictícia dos relógios")])
            for number in range(30)
        ]
        + [record(CODE, key="title", epigraphs=[Text("Relógios da Lei fictícia")])]
    )
    scored = find(store, "relógios lei", limit=5)
    monkeypatch.setattr("graph.store.fulltext._MOST_SCORED", 10)
    common = find(store, "relógios lei", limit=5)
    assert common.results[0].name == scored.results[0].name == CODE
    assert (common.total, common.facets) == (scored.total, scored.facets)
    assert common.total == 31
    seen = {
        result.name
        for offset in range(0, 31, 10)
        for result in find(store, "relógios lei", limit=10, offset=offset).results
    }
    assert len(seen) == 31
    assert "<mark>" in common.results[1].provisions[0].excerpt


def test_title_of_a_revoked_norm_is_found_with_its_status(sample: Store) -> None:
    """Check Lei fictícia 99.907, revoked by 99.908 from 2006-07-01 on."""
    (norm,) = (
        result
        for result in find(sample, "99.907", SearchFilters(on=date(2010, 1, 1))).results
        if result.name.endswith(";99907")
    )
    assert norm.status is Status.REVOKED
    assert all(provision.status is not WordsStatus.IN_FORCE for provision in norm.provisions)
    assert all(
        not result.name.endswith(";99907") for result in find(sample, "99.907", SearchFilters(in_force=True)).results
    )


def test_norm_in_force_precedes_a_revoked_norm_with_the_same_words_in_its_title(sample: Store) -> None:
    """Check titles that differ in their numbers only; the revoked law would come first by its score."""
    answer = find(sample, "lei fictícia", SearchFilters(type="lei", place="br"))
    assert [(result.name.rpartition(";")[2], result.status.value) for result in answer.results] == [
        ("99916", "in-force"),
        ("99912", "in-force"),
        ("99905", "in-force"),
        ("99910", "in-force"),
        ("99908", "in-force"),
        ("99914", "unknown"),
        ("99907", "revoked"),
        ("99906", "unknown"),
    ]


def test_suggestion_is_a_known_accented_word(sample: Store) -> None:
    assert find(sample, "consumidro").suggestion == "consumidor"
    assert find(sample, "relojio ficticio").suggestion == "relógio ficticio"
    assert find(sample, "xyzwvutsrq").suggestion is None


def test_words_in_several_provisions_of_one_norm_match_together(sample: Store) -> None:
    answer = find(sample, "código arrependimento consumidor zzzz")
    assert not answer.every_word
    assert answer.total > 0


def test_filters_apply_in_the_index_and_pages_reach_the_end(record: Make) -> None:
    """Filter 700 bills that share one word: all matches are found, however many others have the word."""
    store = in_memory()
    store.apply(
        [
            record(
                f"urn:lex:br:federal:lei:{1900 + number % 100}-01-02;{99901 + number}",
                key=f"bill{number}",
                epigraphs=[Text(f"Lei fictícia nº {99901 + number}, do senado")],
            )
            for number in range(700)
        ]
    )
    assert find(store, "senado").total == 700
    answer = find(store, "senado", SearchFilters(year=1990), limit=100)
    assert answer.total == len(answer.results) == 7
    assert answer.facets.type == {"lei": 7}
    assert answer.facets.year == {"1990": 7}
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = find(store, "senado", limit=90, offset=offset)
        seen += [result.name for result in page.results]
        offset = page.next_offset
    assert len(seen) == len(set(seen)) == 700
    assert sum(find(store, "senado").facets.year.values()) == 700


def test_places_types_and_authorities_are_read_in_common_spellings(sample: Store) -> None:
    towns = find(sample, "fictícia", SearchFilters(place="Campinas"))
    assert towns.total == 2
    assert towns.facets.place == {"br;sao.paulo;campinas": 2}
    assert find(sample, "fictícia", SearchFilters(type="Resolução")).facets.type == {"resolucao": 1}
    assert find(sample, "consumidor", SearchFilters(authority="federal", type="lei")).total == 1
    assert find(sample, "consumidor", SearchFilters(authority="STF")).total == 0


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("", "expected words with letters or digits, got ''"),
        ('"" - *', "expected words with letters or digits"),
        ("-penal", "expected words beside those that are excluded, got '-penal'"),
        ("a" * 1001, "expected words of at most 1000 characters, got 1001"),
    ],
)
def test_query_without_searchable_words_is_refused(sample: Store, text: str, reported: str) -> None:
    with pytest.raises(BadParameter, match=reported.replace("*", r"\*")):
        find(sample, text)


def test_invalid_page_or_day_is_refused(sample: Store) -> None:
    with pytest.raises(BadParameter, match="expected limit from 1 to 100"):
        find(sample, "lei", limit=101)
    with pytest.raises(NotYetKnown):
        find(sample, "lei", SearchFilters(as_known=date(2999, 1, 1)))


@given(st.text(max_size=60))
@example('"a" OR NEAR(b c) -"d* {title}: e')
@example('a" OR text:"b')
def test_text_is_never_executed_as_an_fts_expression(text: str) -> None:
    store = _EMPTY
    try:
        answer = find(store, text)
    except BadParameter:
        return
    assert answer.total == 0


_EMPTY = in_memory()


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


# The index follows the graph


def test_replaced_or_deleted_words_are_not_found(record: Make) -> None:
    store = in_memory()
    name = "urn:lex:br:federal:lei:2001-03-05;99901"
    store.apply([record(name, key="a", epigraphs=[Text("Lei da ampulheta")])])
    assert find(store, "ampulhetas").total == 1
    store.apply([record(name, key="a", epigraphs=[Text("Lei do relógio")])])
    assert find(store, "ampulheta").total == 0
    assert find(store, "relógios").total == 1


def test_published_store_has_the_days_and_rebuild_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        load([samples.folder()], store, Quarantine(tmp_path / "quarantine"))
    with open_for_reading(folder) as published:
        before = find(published, "relógio mostra").as_json()
        assert not published.names.is_stale
    with open_for_writing(folder) as store:
        store.rebuild()
        assert not store.changed
        store.names.clear()
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as published:
        assert find(published, "relógio mostra").as_json() == before


def test_days_left_by_a_killed_writer_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "store"
    with monkeypatch.context() as patch:
        patch.setattr("graph.store.names.NameIndex.refresh", lambda _: False)
        with open_for_writing(folder, create=True) as store:
            load([samples.folder()], store, Quarantine(tmp_path / "quarantine"))
            assert store.names.is_stale
    with open_for_writing(folder):
        pass
    with open_for_reading(folder) as published:
        assert not published.names.is_stale
        answer = find(published, "relógio mostra", SearchFilters(on=date(2001, 7, 1)))
        assert ARTICLE in provisions(answer)


# All interfaces


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_store(tmp_path_factory.mktemp("full-text"))


@pytest.fixture(scope="module")
def web(path: Path) -> Iterator[httpx.Client]:
    with serving(Settings(path)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


@pytest.mark.processes
@pytest.mark.parametrize(
    "asked",
    [
        {"q": "relogios mostram"},
        {"q": "relógio mostra", "on": "2001-07-01"},
        {"q": '"duas oras"', "on": "2002-05-02", "as_known": "2002-06-30"},
        {"q": "fictícia", "place": "Campinas"},
        {"q": "consumidor", "in_force": "true", "year": "1990", "authority": "federal"},
        {"q": "consumidro"},
        {"q": "relógio", "norm": CLOCKS},
        {"q": '"duas horas" atrasam', "norm": "Lei nº 99.916/2001", "on": "2003-01-01"},
    ],
)
def test_cli_python_and_api_give_the_same_answer(
    path: Path, web: httpx.Client, asked: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = [
        part
        for key, value in asked.items()
        if key not in ("q", "in_force")
        for part in (f"--{key}".replace("_", "-"), value)
    ]
    options += ["--in-force"] if "in_force" in asked else []
    capsys.readouterr()
    assert main(["--store", str(path), "search", asked["q"], *options, "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    with vigente.open(path) as store:
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
    answer = web.get("/api/v1/search", params=asked).json()
    for key in ("total", "facets", "results", "suggestion", "every_word", "in_one_provision"):
        assert answer[key] == reported[key]
    assert answer["candidates"] == []


@pytest.mark.processes
def test_api_paginates_and_refuses_conflicting_parameters(web: httpx.Client) -> None:
    asked = {"q": "lei", "limit": "7"}
    seen: list[str] = []
    after: str | None = None
    while True:
        answer = web.get("/api/v1/search", params={**asked, **({"after": after} if after else {})}).json()
        seen += [result["name"] for result in answer["results"]]
        after = answer["next"]
        if after is None:
            break
    assert len(seen) == len(set(seen)) == answer["total"] > 7
    for bad in ({"q": "lei", "number": "1"}, {"on": "2001-01-01", "type": "lei", "number": "1"}, {"q": "-x"}):
        assert web.get("/api/v1/search", params=bad).status_code == 422
    assert web.get("/api/v1/search", params={"q": "lei", "in_force": "sim"}).status_code == 422
    other = web.get("/api/v1/search", params={"q": "lei", "limit": "7"}).json()["next"]
    assert web.get("/api/v1/search", params={"q": "norma", "after": other}).status_code == 422


def test_result_names_can_be_queried(sample: Store) -> None:
    for norm in find(sample, "fictícia", limit=100).results:
        assert parse(norm.name).canonical == norm.name
        for provision in norm.provisions:
            assert parse(provision.name).canonical == provision.name


def test_command_line_prints_readable_results(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(path), "search", "relógio", "mostra", "--on", "2001-07-01"]) == 0
    assert "art. 1º, caput: Todo relógio fictício mostra uma hora. [in-force [2001-06-01, 2002-05-02)]" in (
        capsys.readouterr().out
    )
    assert main(["--store", str(path), "search", "consumidro"]) == 0
    assert capsys.readouterr().out.startswith("did you mean: consumidor\n0 norms\n")
    assert main(["--store", str(path), "search", "-penal"]) == 2


@pytest.mark.parametrize("day", ["em 1º de junho de 1993", "em 01/06/1993"])
def test_query_that_cites_a_provision_on_a_day_has_that_day(sample: Store, day: str) -> None:
    answer = find(sample, f"art. 57 do CDC {day}")
    assert [(target.name, target.on) for target in answer.meant] == [
        ("urn:lex:br:federal:lei:1990-09-11;8078!art57", date(1993, 6, 1))
    ]
    assert answer.on == date(1993, 6, 1)
    assert all(provision.status is WordsStatus.IN_FORCE for norm in answer.results for provision in norm.provisions)


@pytest.mark.parametrize("text", ["art. 57 do CDC em 1993", "cdc artigo 57 no ano de 1993"])
def test_query_that_cites_a_provision_in_a_year_has_its_last_day(sample: Store, text: str) -> None:
    answer = find(sample, text)
    assert [(target.name, target.on) for target in answer.meant] == [
        ("urn:lex:br:federal:lei:1990-09-11;8078!art57", date(1993, 12, 31))
    ]
    assert answer.on == date(1993, 12, 31)
    words = find(sample, "multa em 1993")
    assert (words.meant, words.on) == ((), None)


def test_words_with_a_day_at_their_end_have_that_day(sample: Store) -> None:
    """Check the day in words and in figures; in a phrase it is a word, as a year is without a norm."""
    on = find(sample, "multa", SearchFilters(on=date(1993, 6, 1)))
    assert on.total
    for text in ("multa em 1º de junho de 1993", "multa em 01/06/1993"):
        answer = find(sample, text)
        assert (answer.meant, answer.on, answer.results) == ((), date(1993, 6, 1), on.results)
    for text in ('multa "em 1º de junho de 1993"', "multa em 1993"):
        assert find(sample, text).on is None


def test_words_in_several_provisions_are_reported(record: Make) -> None:
    store = in_memory()
    store.apply(
        [
            record(CODE, key="title", epigraphs=[Text("Lei fictícia da clepsidra")]),
            record(CODE, key="summary", summaries=[Text("Dispõe sobre astrolábios.")]),
            record(CLOCKS, key="other", summaries=[Text("Dispõe sobre a ampulheta e a bússola.")]),
        ]
    )
    expected = {
        "ampulheta bússola": (True, True, "1 norm"),
        "clepsidra astrolábio": (True, False, "1 norm with the words, in several provisions"),
        "clepsidra xyzw": (False, False, "1 norm with some of the words; none has all of them"),
    }
    for text, stated in expected.items():
        answer = find(store, text)
        line = next(full_text_lines(answer, 20, 0, of_norm=False))
        assert (answer.every_word, answer.in_one_provision, line) == stated, text
        assert answer.total == 1


def test_days_of_a_norm_are_those_of_its_status(sample: Store) -> None:
    """Check the CDC, whose text changed in 1993: it is in force since 1991-03-11."""
    found = find(sample, "consumidor", SearchFilters(on=date(2001, 1, 1)))
    code = next(norm for norm in found.results if norm.name == "urn:lex:br:federal:lei:1990-09-11;8078")
    assert code.valid == Valid(date(1991, 3, 11), None)
    before = find(sample, "consumidor", SearchFilters(on=date(1991, 3, 10)))
    assert all(norm.name != code.name or norm.valid != code.valid for norm in before.results)
