"""Tests of texts with words that are not understood: no redirect, no exact match, and the words are reported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record, Text
from graph.errors import UnknownName
from graph.store import WritableStore
from queries.english import message
from queries.in_force import in_force
from queries.resolution.typed import spoken
from queries.resolve import resolve
from queries.timeline import timeline

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
CIVIL = "urn:lex:br:federal:lei:2002-01-10;10406"
OLD_TENDERS = "urn:lex:br:federal:lei:1993-06-21;8666"
TENDERS = "urn:lex:br:federal:lei:2021-04-01;14133"
CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
CONSUMER = "Código de Defesa do Consumidor"


@pytest.fixture(scope="module")
def store(record: Make, store_of: StoreOf, code_records: tuple[Record, ...]) -> WritableStore:
    return store_of(*code_records, *map(record, (CIVIL, OLD_TENDERS, TENDERS, CONSTITUTION)))


MORE_THAN_UNDERSTOOD = [
    "Lei nº 8.078 (1991)",
    "Lei nº 8.078 - 1991",
    "Lei nº 8.078, ano 1991",
    "Lei 8078/199",
    "Lei 8078/19900",
    "Lei 8078/1990/1991",
    "Lei 8078 11705",
    "Lei nº 8.078 da Itália, de 1962",
    "Lei nº 8.078/90 da Argentina",
    "Lei nº 8.078/90 de Campinas",
    "Lei nº 8.078 paulista",
    "Lei nº 8.078 do estado",
    f"{CONSUMER} argentino",
    "Código Civil italiano",
    "antigo Código Civil",
    "Código Civil anterior",
    "CPC revogado",
    "Decreto que regulamenta a Lei nº 8.078/90",
    "Lei que revogou a Lei nº 8.078/90",
    "Projeto de Lei que altera a Lei nº 8.078/90",
    "Tabela I da Lei nº 8.078/90",
    "Retificação da Lei nº 8.078/90",
    "Lei nº 8.078/90, redação original",
    "Constituição da Itália",
    "Código Civil, de 10 de janeiro de 2003",
    "§ 1º da Lei nº 8.078/90",
    "Lei nº 8.078/91, de 11 de setembro de 1990",
    "Lei nº 8.078/90, de 1991",
    "Constituição da República Federativa da Alemanha",
    "Lei nº 8.078/90 e o resto",
]


@pytest.mark.parametrize("text", MORE_THAN_UNDERSTOOD)
def test_text_with_unread_words_is_not_resolved(text: str, store: WritableStore) -> None:
    answer = in_force(store, text, "2020-06-15", "2020-06-15")
    assert (answer.name, answer.status.value, answer.version) == (text, "unknown-name", None)
    assert [notice.code for notice in answer.notices] in (["words-left"], ["not-understood"])
    resolution = resolve(store, text)
    assert resolution.match.value == "none"
    assert all(candidate.score <= 0.5 for candidate in resolution.candidates)
    assert [notice.code for notice in resolution.notices] in (["words-left"], ["not-understood"])
    with pytest.raises(UnknownName):
        timeline(store, text)


@pytest.mark.parametrize(
    ("text", "cited", "left"),
    [
        ("Tabela I da Lei nº 8.078/90", "Lei nº 8.078/90", "Tabela I da"),
        ("Lei nº 8.078/90, redação original", "Lei nº 8.078/90", ", redação original"),
        ("Errata da Lei nº 8.078/90 (inteira)", "Lei nº 8.078/90", "Errata da ... (inteira)"),
        (f"{CONSUMER} sem a Lei nº 8.078/90", f"{CONSUMER}; Lei nº 8.078/90", "sem a"),
    ],
)
def test_interpreted_and_ignored_words_are_quoted(text: str, cited: str, left: str, store: WritableStore) -> None:
    for notices in (in_force(store, text).notices, resolve(store, text).notices):
        (notice,) = notices
        assert notice.code == "words-left"
        assert f"interpreted {cited!r} as " in message(notice)
        assert f"{left!r} was not understood and was ignored" in message(notice)
    with pytest.raises(UnknownName, match="words-left: interpreted "):
        timeline(store, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lei 8078 de 90", CODE),
        ("Nos termos da Lei nº 8.078/90.", CODE),
        ("Veja, conforme o art. 6º da Lei nº 8.078/90", f"{CODE}!art6"),
        ("v. (Lei nº 8.078, de 1990);", CODE),
        ("segundo a Lei nº 8.078/90\u200b", CODE),
        (f"{CONSUMER} (Lei nº 8.078/90)", CODE),
        (f"Lei nº 8.078 - {CONSUMER}", CODE),
        (f"o {CONSUMER}, instituído pela Lei nº 8.078, de 11 de setembro de 1990", CODE),
        ("Lei 8.078/90, art. 6º", f"{CODE}!art6"),
        ("Lei 8.078/90 art. 6º", f"{CODE}!art6"),
        ("CDC, art. 6º, VIII", f"{CODE}!art6_cpt_inc8"),
        ("Código Civil brasileiro", CIVIL),
        ("Constituição da República Federativa do Brasil", CONSTITUTION),
        ("Lei de Licitações (Lei nº 8.666/93)", OLD_TENDERS),
        ("Lei de Licitações (Lei nº 14.133/2021)", TENDERS),
    ],
)
def test_fully_understood_text_is_resolved(text: str, name: str, store: WritableStore) -> None:
    (notice,) = [candidate for candidate in in_force(store, text).notices if candidate.code == "understood-as"]
    assert f"is understood as {name}:" in message(notice)
    assert resolve(store, text).match.value != "none"
    assert resolve(store, text).candidates[0].name == name.partition("!")[0]


@pytest.mark.parametrize(
    "text", ["Lei nº 8.078/90 e Lei nº 8.666/93", "Lei nº 8.078/90, arts. 6º e 7º", f"{CONSUMER} (Lei nº 8.666/93)"]
)
def test_several_norms_or_provisions_are_reported(text: str, store: WritableStore) -> None:
    for notices in (in_force(store, text).notices, resolve(store, text).notices):
        assert [notice.code for notice in notices] == ["several-citations"]


@pytest.mark.parametrize(
    "text", ["lei 8078 de 91", "Lei nº 8.078, de 11 de setembro de 1991", "Lei nº 8.078/91", "art. 6º da Lei 8.078/91"]
)
def test_citation_without_an_exact_match_names_partial_matches(text: str, store: WritableStore) -> None:
    answer = in_force(store, text)
    assert answer.status.value == "unknown-name"
    assert [(notice.code, CODE in message(notice)) for notice in answer.notices] == [("agrees-in-part", True)]
    resolution = resolve(store, text)
    assert "agrees-in-part" in {notice.code for notice in resolution.notices}
    with pytest.raises(UnknownName, match=f"agrees-in-part: no work matches completely; partial matches: {CODE}"):
        timeline(store, text)


def test_citation_of_an_unknown_norm_is_not_resolved(store: WritableStore) -> None:
    for text in ("Lei nº 99.999, de 5 de maio de 2001", "art. 2º da Lei nº 99.999/2001"):
        assert [notice.code for notice in in_force(store, text).notices] == ["unknown-name"]


@pytest.mark.parametrize("text", ["Lei de Licitações", "art. 5º da Lei de Licitações"])
def test_nickname_shared_by_two_norms_on_the_day_is_ambiguous(text: str, store: WritableStore) -> None:
    answer, resolution = in_force(store, text, "2022-01-01", "2022-01-01"), resolve(store, text, on="2022-01-01")
    for notices in (answer.notices, resolution.notices):
        assert [notice.code for notice in notices] == ["ambiguous"]
        assert all(name in message(notices[0]) for name in (OLD_TENDERS, TENDERS))
    assert {candidate.name for candidate in resolution.candidates} == {OLD_TENDERS, TENDERS}
    assert answer.status.value == "unknown-name"
    assert resolve(store, text, "2022-01-01").notices == resolution.notices
    assert [candidate.name for candidate in resolve(store, text, on="2020-01-01").candidates] == [OLD_TENDERS]


def test_day_limits_a_nickname_given_by_a_source(record: Make, store_of: StoreOf) -> None:
    text = "Lei de Licitações"
    store = store_of(record(OLD_TENDERS, nicknames=[Text(text)]), record(TENDERS))
    for day, names in (
        ("2020-01-01", [OLD_TENDERS]),
        ("2022-01-01", [OLD_TENDERS, TENDERS]),
        ("2024-01-01", [TENDERS]),
    ):
        assert [candidate.name for candidate in resolve(store, text, on=day).candidates] == names
    assert [notice.code for notice in in_force(store, text, "2022-01-01").notices] == ["ambiguous"]


def test_text_does_not_resolve_to_a_later_norm(store: WritableStore) -> None:
    assert "no norm had this name on 1985-01-01" in message(
        resolve(store, "Lei do Inquilinato", on="1985-01-01").notices[0]
    )
    resolution = resolve(store, CONSUMER, on="1985-01-01")
    assert (resolution.match.value, resolution.candidates) == ("none", ())
    assert resolve(store, CONSUMER, on="1990-09-12").match.value == "alias"


@pytest.mark.parametrize("trap", ["a ", "nos termos ", "de acordo com ", "- ", "v. ", "e ", "("])
def test_long_texts_are_read_quickly(trap: str) -> None:
    text = trap * (3000 // len(trap))
    assert spoken(f"{text}x Lei nº 8.078/90 {text}x", None).left


def test_number_with_a_letter_is_another_norm(store: WritableStore) -> None:
    resolution = resolve(store, "Lei nº 8.078-A/91")
    assert (resolution.canonical, resolution.match.value) == ("urn:lex:br:federal:lei:1991;8078-a", "none")


def test_days_of_a_nickname_are_reported(store: WritableStore) -> None:
    resolution = resolve(store, "CPC", on="1990-01-01")
    assert resolution.canonical == "urn:lex:br:federal:lei:1973-01-11;5869"
    assert "nickname of this norm from 1974-01-01 until 2016-03-18" in resolution.steps
