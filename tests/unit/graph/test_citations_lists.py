"""Tests of citations of several provisions or several norms: which provision belongs to which norm."""

from __future__ import annotations

import pytest

from graph.wording.citations import cite, cite_ends

CF = "constituicao:1988-10-05;1988"
CLT = "decreto.lei:1943-05-01;5452"


def cited(text: str) -> list[tuple[str, str]]:
    """Return the words and the names of the citations, without the prefix of federal names."""
    return [(citation.text, citation.name.removeprefix("urn:lex:br:federal:")) for citation in cite(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Leis nºs 9.474, de 22 de julho de 1997, e 13.445, de 24 de maio de 2017",
            [
                ("Leis nºs 9.474, de 22 de julho de 1997", "lei:1997-07-22;9474"),
                ("13.445, de 24 de maio de 2017", "lei:2017-05-24;13445"),
            ],
        ),
        (
            "as Leis nºs 99.901, de 2003, 99.902, de 1997 (Código de Trânsito Brasileiro), e 99.903, de 2015",
            [
                ("Leis nºs 99.901, de 2003", "lei:2003;99901"),
                ("99.902, de 1997", "lei:1997;99902"),
                ("Código de Trânsito Brasileiro", "lei:1997-09-23;9503"),
                ("99.903, de 2015", "lei:2015;99903"),
            ],
        ),
        (
            "Leis no 8.212 e 8.213, ambas de 24 de julho de 1991",
            [("Leis no 8.212", "lei:1991-07-24;8212"), ("8.213, ambas de 24 de julho de 1991", "lei:1991-07-24;8213")],
        ),
        (
            "Leis nºs 8.080 e 8.142, de 28 de dezembro de 1990",
            [("Leis nºs 8.080", "lei:;8080"), ("8.142, de 28 de dezembro de 1990", "lei:1990-12-28;8142")],
        ),
        (
            "Resoluções do Senado Federal nºs 40 e 43, de 2001, e 48, de 2007",
            [
                ("Resoluções do Senado Federal nºs 40", "urn:lex:br:senado.federal:resolucao:2001;40"),
                ("43, de 2001", "urn:lex:br:senado.federal:resolucao:2001;43"),
                ("48, de 2007", "urn:lex:br:senado.federal:resolucao:2007;48"),
            ],
        ),
        (
            "incisos V e XI do art. 49 da Constituição Federal",
            [("incisos V", f"{CF}!art49_cpt_inc5"), ("XI do art. 49 da Constituição Federal", f"{CF}!art49_cpt_inc11")],
        ),
        (
            "o inciso I do art. 1º e os arts. 2º a 5º e 8º do Decreto nº 99901/17",
            [
                ("inciso I do art. 1º", "decreto:2017;99901!art1_cpt_inc1"),
                ("arts. 2º a 5º", "decreto:2017;99901![art2,art5]"),
                ("8º do Decreto nº 99901/17", "decreto:2017;99901!art8"),
            ],
        ),
        (
            "a alínea a do inciso I e o inciso II do caput do art. 159 da Constituição",
            [
                ("alínea a do inciso I", f"{CF}!art159_cpt_inc1_ali1"),
                ("inciso II do caput do art. 159 da Constituição", f"{CF}!art159_cpt_inc2"),
            ],
        ),
        (
            "alíneas b e e do inciso II do art. 7º da CLT",
            [
                ("alíneas b", f"{CLT}!art7_cpt_inc2_ali2"),
                ("e do inciso II do art. 7º da CLT", f"{CLT}!art7_cpt_inc2_ali5"),
            ],
        ),
        (
            "arts. 7º, XVIII, e 39, § 3º, ambos da Constituição Federal",
            [
                ("arts. 7º, XVIII", f"{CF}!art7_cpt_inc18"),
                ("39, § 3º, ambos da Constituição Federal", f"{CF}!art39_par3"),
            ],
        ),
        (
            "arts. 14, § 3º, inciso V e 17, da Constituição",
            [("arts. 14, § 3º, inciso V", f"{CF}!art14_par3_inc5"), ("17, da Constituição", f"{CF}!art17")],
        ),
        (
            "§ 9º do art. 73 e § 1º do art. 105, ambos da Lei nº 99.901, de 1997",
            [
                ("§ 9º do art. 73", "lei:1997;99901!art73_par9"),
                ("§ 1º do art. 105, ambos da Lei nº 99.901, de 1997", "lei:1997;99901!art105_par1"),
            ],
        ),
        (
            "art. 5º e inciso II do art. 7º da CLT",
            [("art. 5º", f"{CLT}!art5"), ("inciso II do art. 7º da CLT", f"{CLT}!art7_cpt_inc2")],
        ),
        (
            "art. 308 e parágrafo único do art. 310 da CLT",
            [("art. 308", f"{CLT}!art308"), ("parágrafo único do art. 310 da CLT", f"{CLT}!art310_par1u")],
        ),
        (
            "arts. 1º e 2º, inciso VII, e §§ 1º e 2º do art. 105 da CLT",
            [
                ("arts. 1º", f"{CLT}!art1"),
                ("2º, inciso VII", f"{CLT}!art2_cpt_inc7"),
                ("§§ 1º", f"{CLT}!art105_par1"),
                ("2º do art. 105 da CLT", f"{CLT}!art105_par2"),
            ],
        ),
        (
            "os incisos I e II do § 2º do art. 8º, e o § 1º do art. 9º, todos da CLT",
            [
                ("incisos I", f"{CLT}!art8_par2_inc1"),
                ("II do § 2º do art. 8º", f"{CLT}!art8_par2_inc2"),
                ("§ 1º do art. 9º, todos da CLT", f"{CLT}!art9_par1"),
            ],
        ),
        (
            "LC 95/1998, art. 8º, § 1º; art. 1.013 do CPC/2015",
            [
                ("LC 95/1998", "lei.complementar:1998;95"),
                ("art. 8º, § 1º", "lei.complementar:1998;95!art8_par1"),
                ("art. 1.013 do CPC/2015", "lei:2015-03-16;13105!art1013"),
            ],
        ),
        (
            "arts. 57, § 3º, IV, e, § 4º, da Constituição",
            [("arts. 57, § 3º, IV", f"{CF}!art57_par3_inc4"), ("§ 4º, da Constituição", f"{CF}!art57_par4")],
        ),
        (
            "art. 4º, nos termos do art. 5º, ambos da Lei nº 99.901, de 2001",
            [
                ("art. 4º", "lei:2001;99901!art4"),
                ("art. 5º, ambos da Lei nº 99.901, de 2001", "lei:2001;99901!art5"),
            ],
        ),
        (
            "alíneas d, e, h e n do inciso I do art. 1º da CLT",
            [
                ("alíneas d", f"{CLT}!art1_cpt_inc1_ali4"),
                ("e", f"{CLT}!art1_cpt_inc1_ali5"),
                ("h", f"{CLT}!art1_cpt_inc1_ali8"),
                ("n do inciso I do art. 1º da CLT", f"{CLT}!art1_cpt_inc1_ali14"),
            ],
        ),
        (
            "arts. 212-A, X, d, e XI, da Constituição Federal",
            [
                ("arts. 212-A, X, d", f"{CF}!art212-1_cpt_inc10_ali4"),
                ("XI, da Constituição Federal", f"{CF}!art212-1_cpt_inc11"),
            ],
        ),
        (
            "§§ 1º ao 5º do art. 3º da CLT",
            [("§§ 1º ao 5º do art. 3º da CLT", f"{CLT}![art3_par1,art3_par5]")],
        ),
        ("do art. 3º ao art. 5º da CLT", [("art. 3º ao art. 5º da CLT", f"{CLT}![art3,art5]")]),
        ("arts. 5º a 3º da CLT", [("arts. 5º", f"{CLT}!art5"), ("3º da CLT", f"{CLT}!art3")]),
        (
            "arts. 1º, III; 5º, II e X; e 37, caput, da Constituição",
            [
                ("arts. 1º, III", f"{CF}!art1_cpt_inc3"),
                ("5º, II", f"{CF}!art5_cpt_inc2"),
                ("X", f"{CF}!art5_cpt_inc10"),
                ("37, caput, da Constituição", f"{CF}!art37_cpt"),
            ],
        ),
        (
            "parágrafos primeiro e segundo do artigo 5º da CLT",
            [("parágrafos primeiro", f"{CLT}!art5_par1"), ("segundo do artigo 5º da CLT", f"{CLT}!art5_par2")],
        ),
        (
            "art. 5º e seu parágrafo único da CLT",
            [("art. 5º", f"{CLT}!art5"), ("parágrafo único da CLT", f"{CLT}!art5_par1u")],
        ),
        (
            "Lei nº 99.901, de 2001, em especial o art. 18",
            [("Lei nº 99.901, de 2001", "lei:2001;99901"), ("art. 18", "lei:2001;99901!art18")],
        ),
        (
            "Lei nº 99.901, de 2001, em seu art. 18",
            [("Lei nº 99.901, de 2001", "lei:2001;99901"), ("art. 18", "lei:2001;99901!art18")],
        ),
        (
            "Leis nºs 3.890-A, de 1961, 5.655, de 1971, e 9.991, de 2000",
            [
                ("Leis nºs 3.890-A, de 1961", "lei:1961;3890-a"),
                ("5.655, de 1971", "lei:1971;5655"),
                ("9.991, de 2000", "lei:2000;9991"),
            ],
        ),
        (
            "Lei nº 5.869, de 11 de janeiro de 1973 – Código de Processo Civil",
            [
                ("Lei nº 5.869, de 11 de janeiro de 1973", "lei:1973-01-11;5869"),
                ("Código de Processo Civil", "lei:1973-01-11;5869"),
            ],
        ),
        (
            "Código Florestal (Lei nº 4.771, de 15 de setembro de 1965)",
            [
                ("Código Florestal", "lei:1965-09-15;4771"),
                ("Lei nº 4.771, de 15 de setembro de 1965", "lei:1965-09-15;4771"),
            ],
        ),
        (
            "arts. 8º e 35–E da CLT",
            [("arts. 8º", f"{CLT}!art8"), ("35–E da CLT", f"{CLT}!art35-5")],
        ),
        (
            "arts. 392 ,392-A e 473,III da CLT",
            [
                ("arts. 392", f"{CLT}!art392"),
                ("392-A", f"{CLT}!art392-1"),
                ("473,III da CLT", f"{CLT}!art473_cpt_inc3"),
            ],
        ),
        (
            "nos §§ 1º e 2º, arts. 3º e 4º da CLT",
            [("arts. 3º", f"{CLT}!art3"), ("4º da CLT", f"{CLT}!art4")],
        ),
        (
            "CLT, art. 5º, CPC, art. 6º",
            [
                ("CLT", CLT),
                ("art. 5º", f"{CLT}!art5"),
                ("CPC", "lei:2015-03-16;13105"),
                ("art. 6º", "lei:2015-03-16;13105!art6"),
            ],
        ),
        (
            "art. 37, §§ 2º a 6º, da Constituição",
            [("art. 37, §§ 2º a 6º, da Constituição", f"{CF}![art37_par2,art37_par6]")],
        ),
        (
            "(Const., art. 50, caput e § 1º, e art. 58, § 2º, III)",
            [
                ("Const., art. 50, caput", f"{CF}!art50_cpt"),
                ("§ 1º", f"{CF}!art50_par1"),
                ("art. 58, § 2º, III", f"{CF}!art58_par2_inc3"),
            ],
        ),
        (
            "arts. 18 da Lei nº 99901/20, e 15 da Lei nº 99902/20",
            [
                ("arts. 18 da Lei nº 99901/20", "lei:2020;99901!art18"),
                ("15 da Lei nº 99902/20", "lei:2020;99902!art15"),
            ],
        ),
        (
            "Consolidação das Leis do Trabalho (CLT), aprovada pelo Decreto-Lei nº 5.452, de 1º de maio de 1943",
            [
                ("Consolidação das Leis do Trabalho", CLT),
                ("CLT", CLT),
                ("Decreto-Lei nº 5.452, de 1º de maio de 1943", CLT),
            ],
        ),
        (
            "Acrescenta § 10 ao art. 176 da CLT e o art. 234-A à Lei nº 99901/20",
            [
                ("§ 10", f"{CLT}!art176_par10"),
                ("art. 176 da CLT", f"{CLT}!art176"),
                ("art. 234-A", "lei:2020;99901!art234-1"),
                ("Lei nº 99901/20", "lei:2020;99901"),
            ],
        ),
        (
            "o Capítulo III da Lei nº 99901/20",
            [("Capítulo III", "lei:2020;99901!cap3"), ("Lei nº 99901/20", "lei:2020;99901")],
        ),
        (
            "na Seção I do Capítulo IV do Título IV da Constituição",
            [("Seção I do Capítulo IV do Título IV", f"{CF}!tit4_cap4_sec1"), ("Constituição", CF)],
        ),
    ],
)
def test_each_list_item_is_cited(text: str, expected: list[tuple[str, str]]) -> None:
    assert cited(f"{text}.") == expected


LAW = "lei:2001-03-01;99901"
LATER = "lei:2001-03-02;99902"
BOTH = "Leis nºs 99.901, de 1º de março de 2001, e 99.902, de 2 de março de 2001"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("art. 4º, § 2º, e o § 5º do art. 6º", ["art4_par2", "art6_par5"]),
        ("art. 4º, § 2º, e o caput do art. 6º", ["art4_par2", "art6_cpt"]),
        ("art. 4º, § 2º, e o parágrafo único do art. 6º", ["art4_par2", "art6_par1u"]),
        ("art. 4º, caput, e os §§ 5º e 7º do art. 6º", ["art4_cpt", "art6_par5", "art6_par7"]),
        ("art. 4º, § 2º, inciso I, e o inciso II do § 3º do art. 6º", ["art4_par2_inc1", "art6_par3_inc2"]),
        ("arts. 4º, § 2º, e 5º, I, e o § 5º do art. 6º", ["art4_par2", "art5_cpt_inc1", "art6_par5"]),
        ("art. 4º, § 2º, e § 5º", ["art4_par2", "art4_par5"]),
        ("art. 121, § 2º, VI, c/c art. 14, II,", ["art121_par2_inc6", "art14_cpt_inc2"]),
        ("art. 5º, II, c. c. o art. 6º", ["art5_cpt_inc2", "art6"]),
        ("art. 5º, II, b e c,", ["art5_cpt_inc2_ali2", "art5_cpt_inc2_ali3"]),
    ],
)
def test_sibling_provision_belongs_to_the_same_article(words: str, expected: list[str]) -> None:
    citations = cite(f"{words} da Lei nº 99.901, de 1º de março de 2001")
    assert [citation.name.partition("!")[2] for citation in citations] == expected
    assert {citation.confidence for citation in citations} == {1.0}


def sure(text: str) -> list[tuple[str, float]]:
    """Return the names of provisions, without the prefix of federal names, with the confidence of each."""
    return [
        (citation.name.removeprefix("urn:lex:br:federal:"), citation.confidence)
        for citation in cite(text)
        if citation.kind == "fragment"
    ]


def test_provisions_of_several_norms_are_paired_only_by_respectively() -> None:
    assert sure(f"arts. 3º e 4º das {BOTH}, respectivamente") == [(f"{LAW}!art3", 1.0), (f"{LATER}!art4", 1.0)]
    assert sure(f"{BOTH}, arts. 3º e 4º, respectivamente") == [(f"{LAW}!art3", 1.0), (f"{LATER}!art4", 1.0)]
    assert [confidence for _, confidence in sure(f"arts. 3º e 4º das {BOTH}")] == [0.6, 0.6]
    assert [confidence for _, confidence in sure(f"{BOTH}, art. 3º")] == [0.6]


@pytest.mark.parametrize("date", [", de 2 de março de 2001", "/2001"])
def test_dated_number_after_an_article_is_not_an_article(date: str) -> None:
    text = f"Leis nºs 99.901, de 1º de março de 2001, art. 3º, e 99.902{date}, art. 4º"
    assert sure(text) == [(f"{LAW}!art3", 1.0)]


@pytest.mark.parametrize(
    "unnamed", ["Constituição Estadual", "Lei nº 99.903, de 3 de março de 2001, do Município de Santos"]
)
def test_article_after_an_unresolved_norm_is_uncertain(unnamed: str) -> None:
    text = f"{unnamed}, art. 115, e art. 37 da Lei nº 99.901, de 1º de março de 2001"
    assert sure(text) == [(f"{LAW}!art115", 0.6), (f"{LAW}!art37", 1.0)]


def test_range_lists_its_ends_at_their_offsets() -> None:
    text = "veja    os arts. 6º a 10 e 15 da Lei nº 99.901, de 1º de março de 2001"
    interval, single = cite(text)
    assert (interval.name, single.name, single.ends) == (
        f"urn:lex:br:federal:{LAW}![art6,art10]",
        f"urn:lex:br:federal:{LAW}!art15",
        (),
    )
    assert [(end.text, end.name) for end in interval.ends] == [
        ("arts. 6º", f"urn:lex:br:federal:{LAW}!art6"),
        ("10", f"urn:lex:br:federal:{LAW}!art10"),
    ]
    assert all(text[end.start : end.end] == end.text for end in interval.ends)
    assert [each.name for each in cite_ends(text)] == [end.name for end in interval.ends] + [single.name]
