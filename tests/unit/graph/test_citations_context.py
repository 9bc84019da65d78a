"""Tests of citations that depend on the place and the day of their text, and of the kind and confidence of each."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from graph.errors import BadName, BadParameter
from graph.urn import Kind, parse
from graph.wording.citations import Context, cite
from graph.wording.nicknames import nicknames

LAW = "urn:lex:br:federal:lei:2020;99901"


def cited(text: str, context: Context | None = None) -> list[tuple[str, str]]:
    """Return the words and the names of the citations, without the prefix of federal names."""
    return [(citation.text, citation.name.removeprefix("urn:lex:br:federal:")) for citation in cite(text, context)]


@pytest.mark.parametrize(
    ("text", "provision", "expected"),
    [
        ("no art. 336, I", "art12_cpt", [("art. 336, I", "art336_cpt_inc1")]),
        ("no caput", "art12_par3", [("caput", "art12_cpt")]),
        ("no inciso II", "art12_par3", [("inciso II", "art12_cpt_inc2")]),
        ("no § 2º", "art12_cpt", [("§ 2º", "art12_par2")]),
        ("nos §§ 1º e 3º deste artigo", "art12_par4", [("§§ 1º", "art12_par1"), ("3º deste artigo", "art12_par3")]),
        (
            "incisos I a III do caput",
            "art12_par3",
            [("incisos I a III do caput", "[art12_cpt_inc1,art12_cpt_inc3]")],
        ),
        ("§ 2º do art. 3º-A desta Lei", "art1_cpt", [("§ 2º do art. 3º-A desta Lei", "art3-1_par2")]),
        ("no § 2º", "art1_cpt_alt1_art73_par4", [("§ 2º", "art73_par2")]),
        ("Título II desta Lei", "art1_cpt", [("Título II", "tit2"), ("Lei", "")]),
        ("Esta Lei", "art1_cpt", [("Lei", "")]),
    ],
)
def test_relative_citation_is_resolved_by_the_context(
    text: str, provision: str, expected: list[tuple[str, str]]
) -> None:
    named = [(words, f"lei:2020;99901!{name}" if name else "lei:2020;99901") for words, name in expected]
    assert cited(text, Context(norm=LAW, provision=provision)) == named
    assert cited(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A Lei nº 99902/20 passa a vigorar acrescida do seguinte § 2º, numerando-se o parágrafo único como § 1º:",
        "A Lei nº 99902/20 passa a vigorar acrescida do art. 12-A em seu Capítulo I",
        "Altera a Lei nº 99902/20 e revoga o art. 7º",
    ],
)
def test_provision_in_an_amending_command_is_not_resolved_by_the_context(text: str) -> None:
    assert cited(text, Context(norm=LAW, provision="art1_cpt")) == [("Lei nº 99902/20", "lei:2020;99902")]


def test_possessive_paragraph_belongs_to_the_preceding_article() -> None:
    citations = cited("no caput do art. 358 e em seu § 1º", Context(norm=LAW, provision="art361_cpt"))
    assert citations == [("caput do art. 358", "lei:2020;99901!art358_cpt"), ("§ 1º", "lei:2020;99901!art358_par1")]
    assert cited("em seu § 1º", Context(norm=LAW, provision="art361_cpt")) == []


def test_context_gives_issuer_and_place() -> None:
    senate = Context(norm="urn:lex:br:senado.federal:projeto.resolucao;prs:2017;99901")
    town = Context(norm="urn:lex:br;sao.paulo;campinas:municipal:lei:2020;99901")
    resolution = cite("Resolução nº 93, de 1970", senate)[0]
    assert (resolution.name, resolution.confidence) == ("urn:lex:br:senado.federal:resolucao:1970;93", 0.5)
    assert [
        citation.name for citation in cite("Lei Municipal nº 15/01, Lei Estadual nº 16/01, Lei nº 17/01", town)
    ] == [
        "urn:lex:br;sao.paulo;campinas:municipal:lei:2001;15",
        "urn:lex:br;sao.paulo:estadual:lei:2001;16",
        "urn:lex:br;sao.paulo;campinas:municipal:lei:2001;17",
    ]
    assert cite("Resolução nº 93, de 1970", Context(norm=LAW)) == ()


@pytest.mark.parametrize(
    ("text", "day", "name"),
    [
        ("Código Civil", date(1990, 1, 1), "lei:1916-01-01;3071"),
        ("Código Civil", date(2003, 1, 10), "lei:1916-01-01;3071"),
        ("Código Civil", date(2003, 1, 11), "lei:2002-01-10;10406"),
        ("CPC", date(1950, 1, 1), "decreto.lei:1939-09-18;1608"),
        ("CPC", date(2016, 3, 17), "lei:1973-01-11;5869"),
        ("CPC", date(2016, 3, 18), "lei:2015-03-16;13105"),
        ("Constituição", date(1950, 1, 1), "constituicao:1946-09-18;1946"),
        ("Constituição", date(1967, 3, 14), "constituicao:1946-09-18;1946"),
        ("Constituição", date(1967, 3, 15), "constituicao:1967-01-24;1967"),
        ("Lei de Licitações", date(2020, 1, 1), "lei:1993-06-21;8666"),
        ("Lei de Licitações", date(2022, 1, 1), "lei:lei.licitacoes"),
        ("Lei de Licitações", date(2024, 1, 1), "lei:2021-04-01;14133"),
    ],
)
def test_date_decides_which_norm_a_nickname_means(text: str, day: date, name: str) -> None:
    assert cited(f"a {text}", Context(on=day)) == [(text, name)]


def test_nickname_is_not_cited_before_its_norm_exists() -> None:
    assert cite("a Constituição e o Código Florestal", Context(on=date(1800, 1, 1))) == ()


def test_nickname_dates_are_not_before_the_norm() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            made = parse(nickname.name).oldest_day
            assert made is not None
            assert nickname.since is not None
            assert made <= nickname.since
            before = Context(on=nickname.since - timedelta(days=1))
            found_names = [citation.name for citation in cite(f"o {nickname.text}", before)]
            assert nickname.name not in found_names, nickname.text
            if nickname == listed[-1] and len(nickname.text) > 2:
                assert [citation.name for citation in cite(f"o {nickname.text}", Context(on=date(2025, 1, 1)))] == [
                    nickname.name
                ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("LDB", date(1996, 12, 23)),
        ("LGPD", date(2018, 8, 15)),
        ("CLT", date(1943, 5, 1)),
        ("Lei do Inquilinato", date(1991, 10, 21)),
        ("Lei do Mandado de Segurança", date(2009, 8, 10)),
        ("Lei das Sociedades por Ações", date(1976, 12, 17)),
        ("Código Eleitoral", date(1965, 7, 19)),
        ("Código Penal", date(1940, 12, 31)),
        ("Código Penal Militar", date(1969, 10, 21)),
        ("Lei de Licitações e Contratos Administrativos", date(2021, 4, 1)),
        ("Regimento Comum do Congresso Nacional", date(1970, 1, 1)),
    ],
)
def test_nickname_is_valid_from_the_day_of_publication(text: str, first: date) -> None:
    assert len(cite(f"o {text}", Context(on=first))) == 1
    assert cite(f"o {text}", Context(on=first - timedelta(days=1))) == ()


def test_confidence_and_kind_depend_on_the_text() -> None:
    text = (
        "Lei nº 99.901, de 5 de maio de 2001; Lei nº 99.901, de 2001; art. 1º da CLT; Lei nº 99.901; Código Civil;"
        " Decreto de 5 de maio de 2001"
    )
    assert [(citation.confidence, citation.kind) for citation in cite(text)] == [
        (1.0, Kind.COMPLEX),
        (0.9, Kind.COMPLEX),
        (0.8, Kind.FRAGMENT),
        (0.7, Kind.REFERENCE),
        (0.5, Kind.COMPLEX),
        (0.7, Kind.REFERENCE),
    ]


def test_offsets_count_characters_of_the_original_text() -> None:
    text = "“Ação” \U0001d11e,   \n\n\tnos termos do art. 5º,\n      XI,      da   Constituição   Federal."
    (citation,) = cite(text)
    assert (
        citation.text == text[citation.start : citation.end] == "art. 5º,\n      XI,      da   Constituição   Federal"
    )
    assert citation.as_json() == {
        "text": citation.text,
        "start": citation.start,
        "end": citation.end,
        "name": "urn:lex:br:federal:constituicao:1988-10-05;1988!art5_cpt_inc11",
        "kind": "fragment",
        "confidence": 0.8,
        "reason": "the Constitution without its year",
        "ends": (),
    }


def test_context_of_a_version_uses_its_work() -> None:
    version = Context(norm=f"{LAW}@2021-01-01;alteracao;2021-01-02!art5", provision="art1_cpt")
    assert cited("desta Lei", version) == [("Lei", "lei:2020;99901")]
    with pytest.raises(BadName):
        Context(norm="Lei nº 1")


def test_every_nickname_maps_to_a_canonical_name() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            assert parse(nickname.name).canonical == nickname.name
            assert nickname.since is None or nickname.until is None or nickname.since < nickname.until
        ends = [nickname.until for nickname in listed if nickname.name != listed[-1].name]
        assert all(ends), f"{listed[0].text}: only the last norm may have no end"


def test_nicknames_differing_only_in_connectives_are_equal() -> None:
    name = [("Lei das Inelegibilidades", "lei.complementar:1990-05-18;64")]
    assert cited("a Lei das Inelegibilidades", Context(on=date(2020, 1, 1))) == name
    assert [citation.confidence for citation in cite("a Lei de Inelegibilidades")] == [0.8]


SENATE = Context(norm="urn:lex:br:senado.federal:projeto.resolucao;prs:2017;99901", provision="art1_cpt")


@pytest.mark.parametrize(
    "text",
    [
        "Resolução nº 99901 da Agência Nacional de Petróleo",
        "Resolução nº 99901, de 2001, da Agência Nacional de Petróleo",
        "Resolução nº 99901, de 2001, do Governo de Campinas",
        "Resolução nº 99901/ABCD",
    ],
)
def test_body_named_in_the_text_overrides_the_context(text: str) -> None:
    assert cite(text, SENATE) == ()


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("Resolução nº 99901, de 2001", "senado.federal"),
        ("Resolução nº 99901, de 2001, do Senado", "senado.federal"),
        ("Resolução nº 99901, de 2001 (NR)", "senado.federal"),
        ("Resolução nº 99901, de 2001 - CONAMA", "conselho.nacional.meio.ambiente"),
    ],
)
def test_body_missing_from_the_text_is_taken_from_the_context(text: str, issuer: str) -> None:
    assert [citation.name for citation in cite(text, SENATE)] == [f"urn:lex:br:{issuer}:resolucao:2001;99901"]


STATE = "urn:lex:br;sao.paulo:estadual:lei:2011-01-01;99901"


@pytest.mark.parametrize("context", [Context(norm=STATE), Context(place="sp"), Context(place="br;sao.paulo")])
@pytest.mark.parametrize(
    ("text", "name", "confidence"),
    [
        ("Lei nº 10.261/1968", "br;sao.paulo:estadual:lei:1968;10261", 0.5),
        ("Lei Complementar Estadual nº 1.000/2007", "br;sao.paulo:estadual:lei.complementar:2007;1000", 0.8),
        ("Lei Complementar nº 1.000/2007", "br;sao.paulo:estadual:lei.complementar:2007;1000", 0.5),
        ("Decreto nº 52.833, de 24 de março de 2008", "br;sao.paulo:estadual:decreto:2008-03-24;52833", 0.5),
        ("Lei nº 8.666, de 21 de junho de 1993", "br:federal:lei:1993-06-21;8666", 0.5),
        ("Lei Federal nº 99.901, de 21 de junho de 1993", "br:federal:lei:1993-06-21;99901", 1.0),
        ("Medida Provisória nº 99.901, de 21 de junho de 1993", "br:federal:medida.provisoria:1993-06-21;99901", 0.5),
    ],
)
def test_place_decides_whose_law_is_meant(context: Context, text: str, name: str, confidence: float) -> None:
    assert [(citation.name, citation.confidence) for citation in cite(text, context)] == [
        (f"urn:lex:{name}", confidence)
    ]


def test_explicit_place_overrides_the_place_of_the_norm() -> None:
    context = Context(norm=STATE, place="rj;niteroi")
    assert [citation.name for citation in cite("Lei nº 99.901/1968", context)] == [
        "urn:lex:br;rio.janeiro;niteroi:municipal:lei:1968;99901"
    ]
    with pytest.raises(BadParameter, match="expected a place"):
        Context(place="nowhere")


@pytest.mark.parametrize(
    "text", ["art. 57, § 3º, IV, alínea, da CLT", "arts. 57, (i), da CLT", "o art. 57, 2º, da CLT"]
)
def test_provision_before_another_norm_is_not_resolved_by_the_context(text: str) -> None:
    citations = cited(text, Context(norm=LAW, provision="art1_cpt"))
    assert citations == [("CLT", "decreto.lei:1943-05-01;5452")]
    assert cited("o art. 57. A CLT", Context(norm=LAW))[0] == ("art. 57", "lei:2020;99901!art57")


def test_article_heading_is_not_a_citation() -> None:
    context = Context(norm=LAW, provision="art1_cpt")
    assert cited("“Art. 5º O prazo é de um ano.\n\n§ 2º ..................", context) == []
    assert cited("Art. 5º e seguintes", context) == [("Art. 5º", "lei:2020;99901!art5")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("inciso VI e do parágrafo único do art. 24 da CLT", [("art24_cpt_inc6", 0.6), ("art24_par1u", 0.8)]),
        ("o caput e o inciso II do art. 24 da CLT", [("art24_cpt", 0.8), ("art24_cpt_inc2", 0.8)]),
        ("art. 5º, § 2º e inciso III, da CLT", [("art5_par2", 0.8), ("art5_par2_inc3", 0.6)]),
        ("art. 5º, caput e inciso III, da CLT", [("art5_cpt", 0.8), ("art5_cpt_inc3", 0.8)]),
        ("inciso II do art. 5º e § 1º da CLT", [("art5_cpt_inc2", 0.8), ("art5_par1", 0.6)]),
        ("arts. 2º, § 3º, 4º da CLT", [("art2_par3", 0.8), ("art4", 0.6)]),
        ("art. 4º, conforme o art. 5º, ambos da CLT", [("art4", 0.6), ("art5", 0.8)]),
        ("arts. 3º e 4º, conforme o art. 5º, todos da CLT", [("art3", 0.6), ("art4", 0.6), ("art5", 0.8)]),
        ("arts. 3º e 4º, conforme o art. 5º, ambos da CLT", [("art5", 0.8)]),
    ],
)
def test_ambiguous_reading_has_lower_confidence(text: str, expected: list[tuple[str, float]]) -> None:
    citations = cite(text)
    assert [(citation.name.partition("!")[2], citation.confidence) for citation in citations] == expected
    assert all(citation.reason is not None for citation in citations)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Lei nº 8.078, de 11 de setembro de 1990", 1.0),
        ("Lei nº 8.078, de 11 de setembro de 2009", 0.5),
        ("Lei nº 10.261/1968", 0.5),
        ("Lei Complementar nº 101, de 4 de maio de 2000", 1.0),
        ("Lei Complementar nº 1.000, de 4 de maio de 2000", 0.5),
        ("PL 2562/2018", 0.9),
        ("PL 2562/2019", 0.5),
    ],
)
def test_unknown_federal_number_has_lower_confidence(text: str, confidence: float) -> None:
    (citation,) = cite(text)
    assert citation.confidence == confidence
    assert (citation.reason is None) == (confidence == 1.0)


def test_nickname_citation_states_its_period() -> None:
    (citation,) = cite("CPC", Context(on=date(1990, 1, 1)))
    assert citation.name == "urn:lex:br:federal:lei:1973-01-11;5869"
    assert citation.reason == "nickname of this norm from 1974-01-01 until 2016-03-18"
