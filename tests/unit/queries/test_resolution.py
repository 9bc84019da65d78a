"""Tests that citations, aliases, incomplete names and words resolve to the norm, or to ranked candidates."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from graph.entities import Record, Source
from graph.errors import BadName
from graph.store import WritableStore
from graph.urn import parse
from graph.vocabulary import Concept, Scheme, built_in
from queries.answers import Resolution
from queries.english import match_message, message
from queries.resolution.works import AT_MOST
from queries.resolve import MOST_CANDIDATES, resolve

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
ALIKE = (
    LAW,
    "urn:lex:br:federal:lei:2003-07-08;99907",
    "urn:lex:br;bahia:estadual:lei:2001-05-06;99907",
    "urn:lex:br;sao.paulo;campinas:municipal:lei:2001-09-10;99907",
    "urn:lex:br:federal:decreto:2001-03-05;99907",
    "urn:lex:br:federal:lei:2001-03-05;99908",
    "urn:lex:br:federal:emenda.constitucional:1982-07-05;99922",
    "urn:lex:br:federal:emenda.constitucional:1999-03-18;99922",
    "urn:lex:br:camara.deputados:projeto.lei;pl:2003-11-20;99962",
    "urn:lex:br:federal:medida.provisoria:2000-08-28;99901-5",
    "urn:lex:br:superior.tribunal.militar;plenario:acordao:1987-02-18;40_1986010499423",
    "urn:lex:br:federal:decreto:1999-12-21;lex-99916",
    "urn:lex:br:federal:resolucao:2005;99950",
    "urn:lex:br:senado.federal:resolucao:2016-11-01;99942",
)


@pytest.fixture(scope="module")
def store(record: Make, store_of: StoreOf) -> WritableStore:
    return store_of(*map(record, ALIKE))


def names(resolution: Resolution) -> list[str]:
    return [candidate.name for candidate in resolution.candidates]


def codes(resolution: Resolution) -> list[str]:
    return [notice.code for notice in resolution.notices]


# Incomplete names (LexML part 5, section 2.5)


@pytest.mark.parametrize(
    ("asked", "expected", "why"),
    [
        ("urn:lex:br:federal:lei:2001;99907", LAW, "the year matches; its full date is 2001-03-05"),
        ("urn:lex:br:federal:lei:2001-03;99907", LAW, "year and month match"),
        ("urn:lex:br:federal:lei:2003-07;99907", ALIKE[1], "year and month match"),
        ("urn:lex:br:federal:decreto:;99907", ALIKE[4], "of 2001-03-05"),
        ("urn:lex:br;bahia:estadual:lei:;99907", ALIKE[2], "of 2001-05-06"),
        ("urn:lex:br;ba:estadual:lei:;99907", ALIKE[2], "of 2001-05-06"),
        ("urn:lex:br:federal:decreto:2001-03-05", ALIKE[4], "the number is not given"),
        ("urn:lex:br:camara.deputados:projeto.lei:2003;99962", ALIKE[8], "of the subtype pl"),
        ("urn:lex:br:cd:pl:2003;99962", ALIKE[8], "of the subtype pl"),
        ("urn:lex:br:projeto.lei:2003;99962", ALIKE[8], "the authority is not given"),
        ("urn:lex:br:federal:mp:;99901-5", ALIKE[9], "of 2000-08-28"),
        ("urn:lex:br:federal:mp:2000;99901", ALIKE[9], "a component of its number matches"),
        ("urn:lex:br:stm:acordao:1987;1986010499423", ALIKE[10], "a component of its number matches"),
        ("urn:lex:br:superior.tribunal.militar:acordao:;40_1986010499423", ALIKE[10], "of another organ"),
        (ALIKE[10].replace(";plenario", ";plenario;presidente"), ALIKE[10], "of another organ"),
        ("urn:lex:br:federal:decreto:1999;lex-99916", ALIKE[11], "the year matches"),
        ("urn:lex:br:federal:resolucao:2005-06-07;99950", ALIKE[12], "its name has only the year"),
    ],
)
def test_name_with_a_missing_field_finds_its_only_work(
    asked: str, expected: str, why: str, store: WritableStore
) -> None:
    resolution = resolve(store, asked)
    assert (resolution.match.value, names(resolution)[:1]) == ("partial", [expected])
    assert why in match_message(resolution.candidates[0].why)
    assert resolution.candidates[0].score < 1
    assert resolution.candidates[0].label
    assert all(candidate.score < resolution.candidates[0].score for candidate in resolution.candidates[1:])


def test_candidates_are_ranked_with_reasons(store: WritableStore) -> None:
    resolution = resolve(store, "urn:lex:br:lei:2001;99907")
    assert names(resolution) == [LAW, ALIKE[2], ALIKE[3]]
    assert "ambiguous" in codes(resolution)
    assert all(
        "the authority is not given; it is " in match_message(candidate.why) for candidate in resolution.candidates
    )


def test_number_with_another_date_or_authority_is_an_explained_candidate(store: WritableStore) -> None:
    for asked, expected, why in (
        ("urn:lex:br:federal:lei:2001-03-06;99907", LAW, "the day does not: it is 2001-03-05"),
        ("urn:lex:br:federal:lei:2002;99907", ALIKE[1], "of another year: 2003"),
        ("urn:lex:br;acre:estadual:lei:2001;99907", LAW, "of another authority: br:federal"),
        ("urn:lex:br:congresso.nacional:lei:2001-03-05;99907", LAW, "of another authority: br:federal"),
        ("urn:lex:br:federal:resolucao:2016;99942", ALIKE[13], "of another authority: br:senado.federal"),
        ("urn:lex:br:federal:lei;decreto:2001;99907", LAW, "of no subtype"),
        ("urn:lex:br:camara.deputados:projeto.lei;plp:2003;99962", ALIKE[8], "of another subtype: pl"),
    ):
        resolution = resolve(store, asked)
        assert names(resolution)[0] == expected
        assert why in match_message(resolution.candidates[0].why)
        assert resolution.candidates[0].score < 0.8
        assert "agrees-in-part" in codes(resolution)


def test_same_amendment_number_of_two_constitutions_gives_both(store: WritableStore) -> None:
    for asked in ("EC 99922", "Emenda Constitucional nº 99.922", "urn:lex:br:federal:ec:;99922"):
        resolution = resolve(store, asked)
        assert names(resolution) == [ALIKE[7], ALIKE[6]]
        assert codes(resolution) == ["ambiguous", "numbers-began-anew"]
    assert names(resolve(store, "EC nº 99.922, de 1982")) == [ALIKE[6]]


def test_truncated_candidate_list_is_reported(record: Make, store_of: StoreOf) -> None:
    few = [f"urn:lex:br:federal:lei:2001-03-{day:02d};{number}" for day in (5, 6) for number in range(99901, 99914)]
    resolution = resolve(store_of(*map(record, few)), "urn:lex:br:federal:lei:2001-03")
    assert len(resolution.candidates) == MOST_CANDIDATES < len(few)
    assert [(n.code, message(n)) for n in resolution.notices if n.code == "candidates-cut"] == [
        ("candidates-cut", f"{len(few)} candidates; the best {MOST_CANDIDATES} are returned")
    ]
    many = [f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in range(99901, 99901 + AT_MOST + 1)]
    store = store_of(*map(record, many))
    resolution = resolve(store, "urn:lex:br:federal:lei:2001")
    assert len(resolution.candidates) == MOST_CANDIDATES
    assert f"only {AT_MOST} of the matching works were examined: give more details" in next(
        message(n) for n in resolution.notices if n.code == "candidates-cut"
    )
    assert "more than" in next(message(n) for n in resolution.notices if n.code == "ambiguous")
    exact = resolve(store, "urn:lex:br:federal:lei:2001;99950")
    assert names(exact) == ["urn:lex:br:federal:lei:2001-03-05;99950"]
    assert "candidates-cut" not in codes(exact)


def test_unknown_name_has_no_candidate(store: WritableStore) -> None:
    for asked in ("urn:lex:br:federal:lei:2001;99999", "urn:lex:br:federal:lei:;99999", "Lei nº 99.999, de 2001"):
        resolution = resolve(store, asked)
        assert (resolution.match.value, resolution.candidates, codes(resolution)) == ("none", (), ["unknown-name"])
    assert codes(resolve(store, "urn:lex:br:lei:2001")) == ["reference-name"]


def test_year_and_full_date_names_suggest_each_other(record: Make, store_of: StoreOf) -> None:
    year = "urn:lex:br:federal:lei:2001;99907"
    store = store_of(record(LAW), record(year), record(ALIKE[2]))
    for asked, other in ((LAW, year), (year, LAW)):
        resolution = resolve(store, asked)
        assert (resolution.match.value, names(resolution)) == ("exact", [asked])
        assert [(n.code, other in message(n)) for n in resolution.notices] == [("same-number", True)]


def test_equivalent_names_suggest_each_other(record: Make, store_of: StoreOf) -> None:
    congress_name = "urn:lex:br:congresso.nacional:medida.provisoria;mpv:2018-05-27;99932"
    other = "urn:lex:br:federal:medida.provisoria:2018-05-27;99932"
    store = store_of(record(congress_name, ("equivalente.a", other)), record(other))
    for asked, reported in ((congress_name, other), (other, congress_name)):
        resolution = resolve(store, asked)
        assert (resolution.match.value, names(resolution)) == ("exact", [asked, reported])
        assert [candidate.score for candidate in resolution.candidates] == [1.0, 0.9]
        assert codes(resolution) == ["equivalent-names"]


# The rest of the name is followed


def test_version_and_provision_of_an_incomplete_name_are_resolved(record: Make, store_of: StoreOf) -> None:
    first = f"{LAW}@2001-03-06;publicacao;2001-03-06"
    store = store_of(record(first), record(f"{first}!art2"), record(ALIKE[2]))
    for asked, match, expected in (
        ("urn:lex:br:federal:lei:2001;99907@2001-03-06", "partial", first),
        ("urn:lex:br:federal:lei:;99907@inicio.vigencia!art2", "partial", f"{first}!art2"),
        ("urn:lex:br:federal:lei:2001;99907@versao.vigente.em;2002-01-01", "partial", first),
        ("urn:lex:br:federal:lei:2001;99907!art9", "wider", LAW),
    ):
        resolution = resolve(store, asked)
        assert (resolution.match.value, names(resolution)) == (match, [expected]), asked
        assert f"the norm is {LAW}" in resolution.steps
    assert codes(resolve(store, "urn:lex:br:federal:lei:2001;99907!art9")) == ["wider-level"]
    several = resolve(store, "urn:lex:br:lei:2001;99907!art2")
    assert (several.match.value, len(several.candidates)) == ("partial", 2)
    assert "tail-left" in codes(several)


# Aliases and words


@pytest.mark.parametrize(
    "asked",
    [
        "urn:lex:br:federal:lei:codigo.defesa.consumidor",
        "urn:lex:br:federal:lei:1990;codigo.defesa.consumidor",
        "urn:lex:br:federal:lei:1990-09-11;codigo.defesa.consumidor",
        "urn:lex:br:federal:lei:Código de Defesa do Consumidor",
        "Código de Defesa do Consumidor",
        "CÓDIGO DE DEFESA DO CONSUMIDOR",
        "codigo de defesa do consumidor",
    ],
)
def test_alias_given_by_a_source_resolves(asked: str, code_store: WritableStore) -> None:
    resolution = resolve(code_store, asked)
    assert (resolution.match.value, names(resolution)) == ("alias", [CODE])
    assert "known as" in match_message(resolution.candidates[0].why)


def test_alias_resolves_to_version_and_provision(code_store: WritableStore) -> None:
    resolution = resolve(
        code_store, "urn:lex:br:federal:lei:codigo.defesa.consumidor@versao.vigente.em;1993-06-15", "2007-01-09"
    )
    assert (resolution.match.value, names(resolution)) == ("alias", [f"{CODE}@1993-05-22;alteracao;1993-05-22"])


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ("Lei nº 8.078, de 11 de setembro de 1990", "exact"),
        ("LEI No 8.078, DE 11 DE SETEMBRO DE 1990", "exact"),
        ("Lei 8.078/90", "partial"),
        ("lei federal nº 8078", "partial"),
        ("CDC", "exact"),
        ("o art. 6º, VIII, do CDC", "wider"),
        ("https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078", "exact"),
        ("http://www.lexml.gov.br/urn/urn%3Alex%3Abr%3Afederal%3Alei%3A1990-09-11%3B8078", "exact"),
    ],
)
def test_citation_or_address_resolves_to_the_norm(asked: str, match: str, code_store: WritableStore) -> None:
    resolution = resolve(code_store, asked)
    assert (resolution.asked, resolution.match.value, names(resolution)) == (asked, match, [CODE])


def test_ambiguous_or_meaningless_words_are_reported(code_store: WritableStore) -> None:
    both = resolve(code_store, "Leis nºs 8.078/90 e 99.999, de 21 de maio de 1993")
    assert (both.match.value, both.canonical, both.dialect, names(both)) == ("none", None, None, [CODE])
    assert match_message(both.candidates[0].why).startswith("cited as urn:lex:br:federal:lei:1990;8078")
    assert codes(both) == ["several-citations"]
    nothing = resolve(code_store, "uma lei qualquer")
    assert (nothing.match.value, nothing.candidates, codes(nothing)) == ("none", (), ["not-understood"])


def test_day_of_a_citation_decides_which_norm_a_nickname_means(record: Make, store_of: StoreOf) -> None:
    old, new = "urn:lex:br:federal:lei:1916-01-01;3071", "urn:lex:br:federal:lei:2002-01-10;10406"
    store = store_of(record(old), record(new))
    for day, expected in (("2003-01-10", old), ("2003-01-11", new)):
        assert names(resolve(store, "Código Civil", on=day)) == [expected]


@pytest.mark.parametrize("text", ["\x00", "a\x00b", "(" * 4000, "art. " * 800, "urn:lex:br:" + ";" * 4000, "\ud800"])
def test_hostile_text_is_answered_or_refused(text: str, code_store: WritableStore) -> None:
    try:
        resolution = resolve(code_store, text)
    except BadName:
        return
    assert (resolution.match.value, resolution.candidates) == ("none", ())


# Normalisation


def test_acronyms_and_ordinals_are_expanded_and_reported(record: Make, store_of: StoreOf) -> None:
    name = "urn:lex:br:supremo.tribunal.federal;turma.1:acordao;ms:2012-05-29;99926"
    resolution = resolve(store_of(record(name)), "urn:lex:br:stf;1.turma:acordao;ms:2012-05-29;99926")
    assert (resolution.match.value, names(resolution)) == ("exact", [name])
    assert [re.sub(r" \(.*", "", step) for step in resolution.steps] == [
        "authority 'stf' written 'supremo.tribunal.federal'",
        "authority '1.turma' written 'turma.1'",
    ]


@pytest.mark.parametrize("name", ALIKE)
def test_canonical_name_resolves_to_itself(name: str, store: WritableStore) -> None:
    resolution = resolve(store, name)
    assert (resolution.match.value, resolution.canonical, names(resolution), resolution.candidates[0].score) == (
        "exact",
        name,
        [name],
        1.0,
    )


def test_every_type_and_body_abbreviation_is_understood(record: Make, store_of: StoreOf) -> None:
    kinds = list(built_in().concepts(Scheme.TIPO_DOCUMENTO))
    bodies = list(built_in().concepts(Scheme.AUTORIDADE))
    made = {concept.notation: f"urn:lex:br:federal:{concept.notation}:2001-03-05;99907" for concept in kinds}
    made |= {concept.notation: f"urn:lex:br:{concept.notation}:ato:2001-03-05;99908" for concept in bodies}
    store = store_of(*(record(name) for name in made.values()))
    for concept in (*kinds, *bodies):
        for text in concept.alternative:
            if built_in().one(concept.scheme, text) != concept or ";" in concept.notation:
                continue
            asked = made[concept.notation].replace(f":{concept.notation}:", f":{text}:")
            assert names(resolve(store, asked))[:1] == [parse(made[concept.notation]).canonical], asked


@pytest.mark.parametrize("place", ["br;xx;campinas", "br;rj;", "br;;campinas"])
def test_invalid_place_is_refused(place: str, store: WritableStore) -> None:
    with pytest.raises(BadName):
        resolve(store, f"urn:lex:{place}:municipal:lei:2001-09-10;99907")


def test_place_in_another_state_is_not_substituted(store: WritableStore) -> None:
    resolution = resolve(store, "urn:lex:br;rj;campinas:municipal:lei:2001-09-10;99907")
    assert resolution.match.value != "exact"
    assert "of another authority: br;sao.paulo;campinas:municipal" in " ".join(
        match_message(candidate.why) for candidate in resolution.candidates
    )


def test_labels_use_the_vocabulary_of_the_store(record: Make, store_of: StoreOf) -> None:
    name = "urn:lex:br;bahia;sao.ficticio:municipal:lei:2001;99907"
    store = store_of(record(name))
    concept = Concept(Scheme.LOCALIDADE, "br;bahia;sao.ficticio", "São Fictício - BA")
    store.apply([Record(Source("urn:x:place", "vocabulary", "0", "vocabulary/1"), None, concepts=(concept,))])
    (candidate,) = resolve(store, name).candidates
    assert candidate.label == "Lei nº 99.907, de 2001, do Município de São Fictício - BA"
