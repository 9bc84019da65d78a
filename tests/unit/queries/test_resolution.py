"""Tests of resolving names beyond the answers of tests/data/answers: limits, vocabulary, JSON, and inexact names."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.entities import Record, Source
from graph.errors import BadName
from graph.store import WritableStore
from graph.urn import parse
from graph.vocabulary import Concept, Scheme, built_in
from queries.answers import Resolution
from queries.in_force import in_force
from queries.messages import message
from queries.resolution.interpretation import interpret, refuse_bad_question
from queries.resolution.typed import in_citation_notation, norm_and_articles, spoken, with_acronyms
from queries.resolution.works import AT_MOST
from queries.resolve import MOST_CANDIDATES, resolve
from queries.timeline import timeline
from tests.support.records import record, store_of
from tests.support.web_api import sampled

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def names(resolution: Resolution) -> list[str]:
    return [candidate.name for candidate in resolution.candidates]


def test_truncated_candidate_list_is_reported() -> None:
    few = [f"urn:lex:br:federal:lei:2001-03-{day:02d};{number}" for day in (5, 6) for number in range(99901, 99914)]
    resolution = resolve(store_of(*map(record, few)), "urn:lex:br:federal:lei:2001-03")
    assert len(resolution.candidates) == MOST_CANDIDATES < len(few)
    assert f"{len(few)} candidates; the best {MOST_CANDIDATES} are returned" in map(message, resolution.notices)
    many = [f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in range(99901, 99901 + AT_MOST + 1)]
    store = store_of(*map(record, many))
    resolution = resolve(store, "urn:lex:br:federal:lei:2001")
    messages = {notice.code: message(notice) for notice in resolution.notices}
    assert len(resolution.candidates) == MOST_CANDIDATES
    assert f"only {AT_MOST} of the matching works were examined: give more details" in messages["candidates-cut"]
    assert "more than" in messages["ambiguous"]
    exact = resolve(store, "urn:lex:br:federal:lei:2001;99950")
    assert names(exact) == ["urn:lex:br:federal:lei:2001-03-05;99950"]
    assert "candidates-cut" not in {notice.code for notice in exact.notices}


def test_every_type_and_body_abbreviation_is_understood() -> None:
    kinds = list(built_in().concepts(Scheme.TIPO_DOCUMENTO))
    bodies = list(built_in().concepts(Scheme.AUTORIDADE))
    made = {concept.notation: f"urn:lex:br:federal:{concept.notation}:2001-03-05;99907" for concept in kinds}
    made |= {concept.notation: f"urn:lex:br:{concept.notation}:ato:2001-03-05;99908" for concept in bodies}
    store = store_of(*(record(name) for name in made.values()))
    wrong = []
    for concept in (*kinds, *bodies):
        for text in concept.alternative:
            if built_in().one(concept.scheme, text) != concept or ";" in concept.notation:
                continue
            asked = made[concept.notation].replace(f":{concept.notation}:", f":{text}:")
            if names(resolve(store, asked))[:1] != [parse(made[concept.notation]).canonical]:
                wrong.append(asked)
    assert wrong == []


def test_labels_use_the_vocabulary_of_the_store() -> None:
    name = "urn:lex:br;bahia;sao.ficticio:municipal:lei:2001;99907"
    store = store_of(record(name))
    concept = Concept(Scheme.LOCALIDADE, "br;bahia;sao.ficticio", "São Fictício - BA")
    store.apply([Record(Source("urn:x:place", "vocabulary", "0", "vocabulary/1"), None, concepts=(concept,))])
    (candidate,) = resolve(store, name).candidates
    assert candidate.label == "Lei nº 99.907, de 2001, do Município de São Fictício - BA"


def test_resolution_json_document(code_store: WritableStore) -> None:
    asked = f"{CODE}@1993-05-22!1993-05-22"
    resolution = resolve(code_store, asked)
    assert (resolution.candidates[0].label or "").startswith("Lei nº 8.078")
    assert resolution.as_json() == {
        "asked": asked,
        "canonical": asked,
        "dialect": "lexml-0.7",
        "match": "exact",
        "level": "individual",
        "steps": ["read as LexML 0.7", "event left open: looked up by the dates of version and view"],
        "candidates": [
            {
                "name": f"{CODE}@1993-05-22;alteracao;1993-05-22",
                "label": resolution.candidates[0].label,
                "score": 1.0,
                "why": "in force from 1993-05-22, made known on 1993-05-22 by alteracao",
                "reasons": [{"code": "made_known", "value": "alteracao", "since": "1993-05-22", "known": "1993-05-22"}],
            }
        ],
        "notices": [],
    }


# Texts that are not exact names: they are followed with a notice, or refused; never silently corrected


@pytest.mark.parametrize("behind", ["%%%", "%", "+", "/", "%20", "*", "<", "8%7", "=1", "&x", "|", "^"])
def test_invalid_name_is_refused(code_store: WritableStore, behind: str) -> None:
    for ask in (interpret, in_force, resolve, timeline):
        with pytest.raises(BadName):
            ask(code_store, CODE + behind)
    with pytest.raises(BadName):
        refuse_bad_question(CODE + behind)


@pytest.mark.parametrize("behind", [".", ",", ";", ":", "?", ")", ").", '"', "'", "”", "’,", " ", "; "])
def test_surrounding_punctuation_is_removed_and_reported(code_store: WritableStore, behind: str) -> None:
    refuse_bad_question(CODE + behind)
    interpretation = interpret(code_store, CODE + behind)
    assert interpretation.name == parse(CODE)
    (notice,) = interpretation.notices
    assert (notice.code, repr(CODE + behind) in message(notice)) == ("understood-as", True)
    resolution = resolve(code_store, CODE + behind)
    assert (resolution.asked, names(resolution)) == (CODE + behind, [CODE])
    assert resolution.steps[0] == "read without what stands around the name"


def test_inexact_names_are_handled_over_http(tmp_path: Path) -> None:
    with sampled(tmp_path / "store") as api:
        for behind in ("%25%25%25", "%25", "%", "+", "/"):
            assert api.client.get(f"/{CODE}{behind}", follow_redirects=False).status_code in (400, 422), behind
            assert api.client.get("/api/v1/in-force", params={"urn": f"{CODE}{behind}"}).status_code == 422
        for behind in ("%22", "'", ";", ",", ".", "%20"):
            led = api.client.get(f"/{CODE}{behind}", follow_redirects=False)
            assert led.status_code == 303, behind
            assert "understood-as" in led.headers["Vigente-Notice"]


# Citations as people type them


@pytest.mark.parametrize("text", ["art 57", "cdc artigo", "altera o cdc", "lei que altera o artigo 57 do cdc"])
def test_other_words_are_no_norm_with_articles(text: str) -> None:
    assert norm_and_articles(text) == norm_and_articles("cdc artigo 57 multa") == ("", "")


@pytest.mark.parametrize("text", ["cf. decreto civil", "mil e vil", "art 5 l 8078", "inciso único", "urn:x:1;1!art5"])
def test_words_that_are_not_numerals_are_unchanged(text: str) -> None:
    assert in_citation_notation(text) == text


@pytest.mark.parametrize("typed", ["lc 101/2000", "LC 101/2000", "dl nº 2848/1940", "ec 45, de 2004"])
def test_type_abbreviations_are_read_in_lower_case(typed: str) -> None:
    assert with_acronyms(typed) == typed.upper().replace("Nº", "nº").replace(", DE", ", de")
    assert with_acronyms("em 10 dias, in 3 partes, cap 2") == "em 10 dias, IN 3 partes, cap 2"


@pytest.mark.parametrize("trap", ["a ", "nos termos ", "de acordo com ", "- ", "v. ", "e ", "("])
def test_long_texts_are_read_quickly(trap: str) -> None:
    text = trap * (3000 // len(trap))
    assert spoken(f"{text}x Lei nº 8.078/90 {text}x", None).left
