"""Tests of citations typed without capitals, commas and connectives: they are understood as if written in full."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graph.entities import Record, Text
from graph.store import WritableStore, in_memory
from graph.urn import parse
from queries.resolution.interpretation import interpret
from queries.resolution.suggesting import suggest
from queries.resolution.typed import in_citation_notation, norm_and_articles, with_acronyms
from service.web.pages.search import SearchForm, find_matches

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
BIDDING = "urn:lex:br:federal:lei:2021-04-01;14133"
FORMER_BIDDING = "urn:lex:br:federal:lei:1993-06-21;8666"
PENAL = "urn:lex:br:federal:decreto.lei:1940-12-07;2848"
REISSUE = "urn:lex:br:federal:medida.provisoria:2001-09-06;2206-1"
CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99901"
#: A citation as people type it, in lower case; the same citation as printed; and the provision.
PAIRS = (
    ("art 5 inciso xi da constituicao", "art. 5º, inciso XI, da Constituição", f"{CONSTITUTION}!art5_cpt_inc11"),
    ("art 5 xi cf", "art. 5º, XI, da CF", f"{CONSTITUTION}!art5_cpt_inc11"),
    ("titulo iv do cdc", "Título IV do CDC", f"{CODE}!tit4"),
    ("capítulo v do título i do cdc", "Capítulo V do Título I do CDC", f"{CODE}!tit1_cap5"),
    ("inciso viii do art 6 do cdc", "inciso VIII do art. 6º do CDC", f"{CODE}!art6_cpt_inc8"),
    ("art 57-a do cdc", "art. 57-A do CDC", f"{CODE}!art57-1"),
    ("art 121 § 2 i codigo penal", "art. 121, § 2º, I, do Código Penal", f"{PENAL}!art121_par2_inc1"),
    ("art. 6º, inc. viii, do cdc", "art. 6º, inc. VIII, do CDC", f"{CODE}!art6_cpt_inc8"),
)
#: Citations with the article after the norm; and the provision.
NORM_FIRST = (
    ("código do consumidor artigo 49", f"{CODE}!art49"),
    ("codigo do consumidor art. 49", f"{CODE}!art49"),
    ("código de defesa do consumidor artigo 57", f"{CODE}!art57"),
    ("codigo de defesa do consumidor, artigo 57", f"{CODE}!art57"),
    ("cdc art 57", f"{CODE}!art57"),
    ("cdc artigo 57", f"{CODE}!art57"),
    ("cdc artigo 6 inciso viii", f"{CODE}!art6_cpt_inc8"),
    ("lei 8078 artigo 57", f"{CODE}!art57"),
    ("lei 8.078 de 1990 artigo 57", f"{CODE}!art57"),
    ("constituição art 5", f"{CONSTITUTION}!art5"),
    ("constituicao artigo 5 xi", f"{CONSTITUTION}!art5_cpt_inc11"),
    ("cf artigo 5", f"{CONSTITUTION}!art5"),
    ("cf art 57 do cdc", f"{CODE}!art57"),
    ("lei de licitacoes art 75", f"{BIDDING}!art75"),
    ("lei de licitações artigo 75", f"{BIDDING}!art75"),
    ("lei dos relogios de pulso artigo 2", f"{CLOCKS}!art2"),
)


@pytest.fixture
def store(record: Callable[..., Record]) -> WritableStore:
    """Return a store of norms with well-known nicknames, a reissue, a norm with its own nickname, and provisions."""
    made = in_memory()
    known = (CODE, CONSTITUTION, PENAL, BIDDING, FORMER_BIDDING)
    norms = [record(f"{norm}@1991-03-11;publicacao;1990-09-12") for norm in known]
    norms.append(record(f"{REISSUE}@2001-09-10;publicacao;2001-09-10"))
    nicknamed = record(f"{CLOCKS}@2001-03-06;publicacao;2001-03-06", nicknames=[Text("Lei dos Relógios de Pulso")])
    provisions = {provision for *_, provision in (*PAIRS, *NORM_FIRST)} | {f"{FORMER_BIDDING}!art75"}
    parts = {provision.replace("!", "@1991-03-11;publicacao;1990-09-12!") for provision in provisions}
    made.apply([*norms, nicknamed, *map(record, sorted(parts))])
    return made


@pytest.mark.parametrize(("typed", "printed", "provision"), PAIRS)
def test_lower_case_is_read_like_upper_case(store: WritableStore, typed: str, printed: str, provision: str) -> None:
    for text in (typed, printed, typed.upper()):
        assert [suggestion.name for suggestion in suggest(store, text)] == [provision], text
        result = find_matches(store, SearchForm(words=text))
        assert result.matches[0].name == provision, text
        assert not any(notice.code == "words-left" for notice in result.notices), text


@pytest.mark.parametrize(("typed", "provision"), NORM_FIRST)
def test_article_after_its_norm_is_read(store: WritableStore, typed: str, provision: str) -> None:
    result = find_matches(store, SearchForm(words=typed))
    assert result.matches[0].name == provision
    assert not any(notice.code == "words-left" for notice in result.notices)
    assert interpret(store, typed).name == parse(provision)


def test_article_after_a_nickname_of_two_norms_is_that_of_the_day(store: WritableStore) -> None:
    def names_on(day: date) -> set[str]:
        result = find_matches(store, SearchForm(words="lei de licitacoes artigo 75", on=day))
        return {match.name for match in result.matches if match.name.endswith("!art75")}

    assert names_on(date(2000, 1, 1)) == {f"{FORMER_BIDDING}!art75"}
    assert names_on(date(2022, 6, 1)) == {f"{FORMER_BIDDING}!art75", f"{BIDDING}!art75"}
    assert names_on(date(2025, 1, 1)) == {f"{BIDDING}!art75"}


@pytest.mark.parametrize(
    "text",
    ["art 57", "cdc artigo", "altera o cdc", "lei que altera o artigo 57 do cdc", "cdc artigo 57 multa"],
)
def test_other_words_are_no_norm_with_articles(text: str) -> None:
    assert norm_and_articles(text) == ("", "")


@pytest.mark.parametrize(
    ("text", "name", "shortest"),
    [
        ("codigo de defesa do consumidor", CODE, 8),
        ("lei dos relogios de pulso", CLOCKS, 9),
        ("lei nº 99.901, de 5 de março de 2001", CLOCKS, 9),
        ("art. 57 do codigo de defesa do consumidor", f"{CODE}!art57", 19),
    ],
)
def test_connectives_do_not_change_suggestions(store: WritableStore, text: str, name: str, shortest: int) -> None:
    """Check each prefix of the text, and the whole text without its connectives."""
    for end in range(shortest, len(text) + 1):
        assert name in [suggestion.name for suggestion in suggest(store, text[:end])], text[:end]
    without = [word for word in text.split() if word not in ("de", "do", "dos")]
    assert name in [suggestion.name for suggestion in suggest(store, " ".join(without))]


def test_suggested_text_is_understood_by_search(store: WritableStore) -> None:
    for typed in ("art 121 § 2 i codigo penal", "art 5 xi constituicao federal", "art 6 viii codigo defesa consumidor"):
        (suggestion,) = suggest(store, typed)
        assert find_matches(store, SearchForm(words=suggestion.text)).matches[0].name == suggestion.name


@pytest.mark.parametrize(
    "text",
    [
        "cf. decreto civil",
        "mil e vil",
        "lei 8078",
        "art 5 l 8078",
        "inciso único",
        "urn:lex:br:federal:lei:1990;8078!art5",
    ],
)
def test_words_that_are_not_numerals_are_unchanged(text: str) -> None:
    assert in_citation_notation(text) == text


@pytest.mark.parametrize(
    "typed",
    [
        "MPV 2.206-1",
        "mpv 2.206-1",
        "MP 2206-1/2001",
        "mp 2206-1/2001",
        "mp nº 2.206-1 de 2001",
        "Medida Provisória nº 2.206-1, de 6 de setembro de 2001",
        "medida provisoria 2206-1",
        "2.206-1",
        "2206-1/2001",
        "MPV 2206-1, de 06/09/2001",
        REISSUE,
    ],
)
def test_reissue_is_found_by_its_number(store: WritableStore, typed: str) -> None:
    result = find_matches(store, SearchForm(words=typed))
    assert [match.name for match in result.matches] == [REISSUE]
    assert result.notices == ()


@pytest.mark.parametrize("typed", ["MPV 2.206-1", "mpv 2206-1", "MP 2.206", "medida provisória 2206-1", "2206-1"])
def test_reissue_is_suggested(store: WritableStore, typed: str) -> None:
    assert [suggestion.name for suggestion in suggest(store, typed)] == [REISSUE]


@pytest.mark.parametrize("typed", ["2.206-2", "mpv 2.206-2/2001", "2.206-1/2002"])
def test_another_reissue_is_not_found(store: WritableStore, typed: str) -> None:
    assert REISSUE not in [match.name for match in find_matches(store, SearchForm(words=typed)).matches]


@pytest.mark.parametrize("typed", ["lc 101/2000", "LC 101/2000", "dl nº 2848/1940", "ec 45, de 2004"])
def test_type_abbreviations_are_read_in_lower_case(typed: str) -> None:
    assert with_acronyms(typed) == typed.upper().replace("Nº", "nº").replace(", DE", ", de")
    assert with_acronyms("em 10 dias, in 3 partes, cap 2") == "em 10 dias, IN 3 partes, cap 2"
