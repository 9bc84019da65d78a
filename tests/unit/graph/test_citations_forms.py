"""Tests of forms of citation in bills, decisions and newspapers; a lawyer gave the expected names."""

from __future__ import annotations

import pytest

from graph.wording.citations import Context, cite

OWN = Context(norm="urn:lex:br:federal:lei:2020;99901", provision="art12_par3")
CDC = "lei:1990-09-11;8078"
CF = "constituicao:1988-10-05;1988"
LAW = "Lei nº 8.078, de 11 de setembro de 1990"


def answers(text: str) -> list[tuple[str, float]]:
    """Return the names, without the prefix of federal names, and the confidence."""
    return [(citation.name.removeprefix("urn:lex:br:federal:"), citation.confidence) for citation in cite(text, OWN)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"o art. 3º e seus parágrafos da {LAW}", [(f"{CDC}!art3", 1.0)]),
        (f"os arts. 3º e 5º, e seus respectivos incisos, da {LAW}", [(f"{CDC}!art3", 1.0), (f"{CDC}!art5", 1.0)]),
        (f"art. 12 et seq. da {LAW}", [(f"{CDC}!art12", 1.0)]),
        (f"arts. 18 usque 20 da {LAW}", [(f"{CDC}![art18,art20]", 1.0)]),
        (f"arts. 18-20 da {LAW}", [(f"{CDC}![art18,art20]", 1.0)]),
        ("a Carta Magna, art. 37", [(CF, 0.8), (f"{CF}!art37", 0.8)]),
        ("o art. 37 da Lei Maior", [(f"{CF}!art37", 0.8)]),
        ("o art. 37 da Lei Maior do Estado", []),
        (f"aplica-se o art. 9º, no que couber, da {LAW}", [(f"{CDC}!art9", 1.0)]),
        ("o inciso XII, parte final, do art. 5º da CF/88", [(f"{CF}!art5_cpt_inc12", 1.0)]),
        ("o art. 5º, XII, in fine, da CF/88", [(f"{CF}!art5_cpt_inc12", 1.0)]),
        ("lei 8078/90, artigo 6, inciso 8", [("lei:1990;8078", 0.9), ("lei:1990;8078!art6_cpt_inc8", 0.9)]),
        (
            f'art. 28, § 9º, "e", itens 1 a 7, da {LAW}',
            [(f"{CDC}![art28_par9_ali5_ite1,art28_par9_ali5_ite7]", 1.0)],
        ),
        (f'art. 96, "a" e "c", da {LAW}', [(f"{CDC}!art96_cpt_ali1", 1.0), (f"{CDC}!art96_cpt_ali3", 1.0)]),
    ],
)
def test_provision_is_read_through_surrounding_words(text: str, expected: list[tuple[str, float]]) -> None:
    assert answers(text) == expected


def test_number_after_a_paragraph_list_is_an_article() -> None:
    citations = answers(f"arts. 5º, 7º, §§ 1º e 2º, e 8º da {LAW}")
    assert [name.partition("!")[2] for name, _ in citations] == ["art5", "art7_par1", "art7_par2", "art8"]
    assert [sure for _, sure in citations] == [1.0, 1.0, 1.0, 0.6]
    citations = answers(f"arts. 5º, §§ 1º e 2º, 6º e 7º, da {LAW}")
    assert [(name.partition("!")[2], sure) for name, sure in citations[2:]] == [("art6", 0.6), ("art7", 0.6)]
    citations = answers(f"arts. 5º, 7º, §§ 1º, 2º e 8º da {LAW}")
    assert citations[-1][0] == f"{CDC}!art7_par8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Lei nº 8.429, de 2 de junho de 1992 (Lei de Improbidade Administrativa), arts. 9º e 10",
            ["lei:1992-06-02;8429"] * 2 + ["lei:1992-06-02;8429!art9", "lei:1992-06-02;8429!art10"],
        ),
        (
            "Código Tributário Nacional (Lei nº 5.172, de 25 de outubro de 1966), arts. 150, § 4º, e 173, I",
            ["lei:1966-10-25;5172"] * 2 + ["lei:1966-10-25;5172!art150_par4", "lei:1966-10-25;5172!art173_cpt_inc1"],
        ),
        (
            "Lei nº 13.105, de 16 de março de 2015 – Código de Processo Civil – art. 1.021, § 4º",
            ["lei:2015-03-16;13105"] * 2 + ["lei:2015-03-16;13105!art1021_par4"],
        ),
        (
            "Lei nº 8.429, de 2 de junho de 1992 (Lei de Improbidade Administrativa), art. 5º da CF/88",
            ["lei:1992-06-02;8429"] * 2 + [f"{CF}!art5"],
        ),
    ],
)
def test_provisions_after_a_norm_with_two_names_belong_to_it(text: str, expected: list[str]) -> None:
    assert [name for name, _ in answers(text)] == expected


def test_provisions_of_another_text_after_a_norm_do_not_belong_to_it() -> None:
    assert answers(f"a {LAW}, art. 9º do Regulamento da Previdência Social") == [(CDC, 1.0)]
    assert answers(f"a {LAW}, art. 9º") == [(CDC, 1.0), (f"{CDC}!art9", 1.0)]
    assert answers(f"a {LAW}, no art. 6º, e outras") == [(CDC, 1.0), (f"{CDC}!art6", 0.6)]
    assert answers(f"a {LAW}, no art. 6º desta Lei")[-1] == ("lei:2020;99901!art6", 0.8)


def test_same_norm_means_the_last_cited_norm_of_that_type() -> None:
    assert answers(f"a {LAW}, e o art. 6º da mesma Lei")[1:] == [(f"{CDC}!art6", 0.6)]
    decree = "Decreto nº 3.048, de 6 de maio de 1999"
    assert answers(f"a {LAW}, o {decree}, e o art. 6º da referida Lei")[-1] == (f"{CDC}!art6", 0.6)
    assert answers(f"a {LAW}, e o art. 6º do referido Decreto") == [(CDC, 1.0)]
    text = "as Leis nºs 8.078, de 11 de setembro de 1990, e 8.112, de 11 de dezembro de 1990, e o art. 6º da mesma Lei"
    assert [name for name, _ in answers(text)] == [CDC, "lei:1990-12-11;8112"]
    (citation,) = [
        candidate for candidate in cite(f"a {LAW}, e o art. 6º da mesma Lei", OWN) if "art6" in candidate.name
    ]
    assert citation.reason == "the norm is the one cited before"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MPs 927 e 936, de 2020", [("medida.provisoria:2020;927", 0.9), ("medida.provisoria:2020;936", 0.9)]),
        ("Emenda Constitucional 45", [("emenda.constitucional:;45", 0.7)]),
        ("caduca a medida provisória 60 dias depois", []),
        ("LEIS Nºs 8.212/1991 E 8.213/1991", [("lei:1991;8212", 0.9), ("lei:1991;8213", 0.9)]),
        (
            "PLS nºs 10 e 11, de 2015",
            [
                ("urn:lex:br:senado.federal:projeto.lei;pls:2015;10", 0.9),
                ("urn:lex:br:senado.federal:projeto.lei;pls:2015;11", 0.9),
            ],
        ),
        (
            "Projeto de Decreto Legislativo (SF) nº 55/2017",
            [("urn:lex:br:senado.federal:projeto.decreto.legislativo;pds:2017;55", 0.9)],
        ),
        (
            "Lei Complementar do Estado do Rio de Janeiro nº 69, de 19 de novembro de 1990",
            [("urn:lex:br;rio.janeiro:estadual:lei.complementar:1990-11-19;69", 1.0)],
        ),
        (
            "Lei do Distrito Federal nº 4.949, de 15 de outubro de 2012",
            [("urn:lex:br;distrito.federal:distrital:lei:2012-10-15;4949", 1.0)],
        ),
        (
            "Portaria Interministerial MPS/MF nº 15, de 10 de janeiro de 2018",
            [
                (
                    "urn:lex:br:ministerio.fazenda,ministerio.previdencia.social:portaria.interministerial:2018-01-10;15",
                    1.0,
                )
            ],
        ),
        (
            "RICD, art. 24",
            [
                (n, 0.8)
                for n in (
                    "urn:lex:br:camara.deputados:resolucao:1989-09-21;17",
                    "urn:lex:br:camara.deputados:resolucao:1989-09-21;17!art24",
                )
            ],
        ),
        ("Lei nº 8.078, de 11.IX.1990", [(CDC, 1.0)]),
        ("Decreto nº 85.080, de 18-VIII-1980", [("decreto:1980-08-18;85080", 1.0)]),
        ("Lei nº 8.078, de 11.IXI.1990", [("lei:;8078", 0.7)]),
        (
            "Resolução-RDC ANVISA nº 216, de 15 de setembro de 2004",
            [("urn:lex:br:agencia.nacional.vigilancia.sanitaria:resolucao:2004-09-15;216", 1.0)],
        ),
        ("o AI-5 e o AI-20", [("ato.institucional:1968-12-13;5", 0.8)]),
        (
            "LC nº 69 e 70, do Estado do Rio de Janeiro",
            [(f"urn:lex:br;rio.janeiro:estadual:lei.complementar:;{number}", 0.7) for number in (69, 70)],
        ),
    ],
)
def test_common_citation_forms_are_read(text: str, expected: list[tuple[str, float]]) -> None:
    assert answers(text) == expected


def test_issuer_named_beside_another_body_is_uncertain() -> None:
    (citation,) = cite("Portaria Conjunta RFB/PGFN nº 1.751, de 2 de outubro de 2014")
    assert citation.confidence == 0.6
    assert citation.reason == "the text names PGFN beside the body"
