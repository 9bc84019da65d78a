"""Tests of citations in running text: for every pattern, the words cited and the names that are found."""

from __future__ import annotations

import pytest

from graph.wording.citations import cite

CF = "constituicao:1988-10-05;1988"
CLT = "decreto.lei:1943-05-01;5452"


def cited(text: str) -> list[tuple[str, str]]:
    """Return the words and the names of the citations, without the prefix of federal names."""
    return [(citation.text, citation.name.removeprefix("urn:lex:br:federal:")) for citation in cite(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("art. 5º, XI, da Constituição Federal", f"{CF}!art5_cpt_inc11"),
        ("inciso III do § 2º do art. 12-B da Lei Complementar nº 95/98", "lei.complementar:1998;95!art12-2_par2_inc3"),
        ("caput do art. 7º da MP 869/2018", "medida.provisoria:2018;869!art7_cpt"),
        ("art. 59, inc. V, da Constituição Federal", f"{CF}!art59_cpt_inc5"),
        ("art. 155, § 2º, XII, “g”, da Constituição Federal", f"{CF}!art155_par2_inc12_ali7"),
        ("alínea a do inciso X do § 2º do art. 155 da Constituição Federal", f"{CF}!art155_par2_inc10_ali1"),
        ("item 2 da alínea c do inciso I do art. 7º da Lei nº 99901/20", "lei:2020;99901!art7_cpt_inc1_ali3_ite2"),
        ("parágrafo único do art. 1º da Lei 12.527, de 18 de novembro de 2011", "lei:2011-11-18;12527!art1_par1u"),
        ("art. 12-B, § 2º-A, inciso III-C, da Lei nº 99901/20", "lei:2020;99901!art12-2_par2-1_inc3-3"),
        ("art. 3º-A-A da Lei nº 99901/20", "lei:2020;99901!art3-1-1"),
        ("artigo 2-C da Lei nº 7998, de 11 de janeiro de 1990", "lei:1990-01-11;7998!art2-3"),
        ("§ 1o do art. 5o da Lei no 9.394/1996", "lei:1996;9394!art5_par1"),
        ("parágrafo primeiro do artigo 4º da Lei nº 99901/20", "lei:2020;99901!art4_par1"),
        ("artigo único da Lei nº 99901/20", "lei:2020;99901!art1u"),
        ("art. 1.815 da Lei nº 10.406, de 10 de janeiro de 2002", "lei:2002-01-10;10406!art1815"),
        ("§ 4º, ambos do art. 790 da CLT", f"{CLT}!art790_par4"),
        ("art. 173, § 1º, III, também da Constituição", f"{CF}!art173_par1_inc3"),
        ("Const., art. 56, II", f"{CF}!art56_cpt_inc2"),
        ("alínea 'a', inciso I, § 2º, art. 3º, da Lei nº 99901/20", "lei:2020;99901!art3_par2_inc1_ali1"),
        ("inciso II, § 1º, do art. 5º da Lei nº 99901/20", "lei:2020;99901!art5_par1_inc2"),
        ("art. 5º, LXXIV, CF/88", f"{CF}!art5_cpt_inc74"),
        ("ART. 5º, INCISO II, DA LEI Nº 99901, DE 2020", "lei:2020;99901!art5_cpt_inc2"),
        ("art. 114 do ADCT", "ato.disposicoes.constitucionais.transitorias:1988-10-05;1988!art114"),
        ("art. 6º, VIII, da Lei nº 8.078", "lei:;8078!art6_cpt_inc8"),
        ("art. 5, LV CF/1988", f"{CF}!art5_cpt_inc55"),
        ("art. 790 CLT", f"{CLT}!art790"),
        ("§ 4.º do art. 5.º da CF/88", f"{CF}!art5_par4"),
        ("art. 5º, inc. I, letra a, da CF", f"{CF}!art5_cpt_inc1_ali1"),
        ("letra “b” do inc. I do art. 5º da CF", f"{CF}!art5_cpt_inc1_ali2"),
        ("§ 4 o do art. 3 o da Lei n o 99.901, de 2001", "lei:2001;99901!art3_par4"),
        ("§ 3 o -A do art. 5º da CLT", f"{CLT}!art5_par3-1"),
        ("art. 61 § 1º, II, b, da Constituição", f"{CF}!art61_par1_inc2_ali2"),
        ("art. 2º caput da CLT", f"{CLT}!art2_cpt"),
        ("art. 300 e seguintes do CPC", "lei:2015-03-16;13105!art300"),
    ],
)
def test_provision_is_cited_with_its_norm(text: str, name: str) -> None:
    assert cited(f"Nos termos do {text}.") == [(text, name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lei nº 8.078, de 11 de setembro de 1990", "lei:1990-09-11;8078"),
        ("Lei no 9.986, de 18 de julho de 2000", "lei:2000-07-18;9986"),
        ("Lei n.º 9.986, de 18.7.2000", "lei:2000-07-18;9986"),
        ("Lei nº 9.503, de 23 setembro de 1997", "lei:1997-09-23;9503"),
        ("Lei nº 9.472, 16 de julho de 1997", "lei:1997-07-16;9472"),
        ("LEI Nº 8.078, DE 11 DE SETEMBRO DE 1990", "lei:1990-09-11;8078"),
        ("Lei Federal nº 8.666, de 21-06-1993", "lei:1993-06-21;8666"),
        ("Lei nº 11.171, de 2005", "lei:2005;11171"),
        ("Lei nº 8.112/90", "lei:1990;8112"),
        ("Decreto 25/37", "decreto:1937;25"),
        ("Lei nº 99.901, de 1º.4.2021", "lei:2021-04-01;99901"),
        ("Lei nº 99.901, de 1º/4/2021", "lei:2021-04-01;99901"),
        ("Lei nº 99.901, de 5 de dezembro de1966", "lei:1966-12-05;99901"),
        ("Lei nº 99.901, de 5 de dezembro de 1.966", "lei:1966-12-05;99901"),
        ("Lei nº 99.901, de dezembro de 1966", "lei:1966;99901"),
        ("Lei n o 99.901, de 5 de maio de 2001", "lei:2001-05-05;99901"),
        ("Lei nº 99 .901, de 5 de maio de 2001", "lei:2001-05-05;99901"),
        ("D.L. 1.510/76", "decreto.lei:1976;1510"),
        ("L.C. 95/98", "lei.complementar:1998;95"),
        ("Dec. 99.901/2001", "decreto:2001;99901"),
        ("Lei nº 3.890-A, de 25 de abril de 1961", "lei:1961-04-25;3890-a"),
        ("CC/1916", "lei:1916-01-01;3071"),
        ("CP/1940", "decreto.lei:1940-12-07;2848"),
        ("Lei das Contravenções Penais", "decreto.lei:1941-10-03;3688"),
        ("PEC 45/2019", "urn:lex:br:camara.deputados:proposta.emenda.constitucional;pec:2019;45"),
        (
            "Proposta de Emenda à Constituição nº 45, de 2019, do Senado Federal",
            "urn:lex:br:senado.federal:proposta.emenda.constitucional;pec:2019;45",
        ),
        ("PDL nº 11, de 2019", "urn:lex:br:camara.deputados:projeto.decreto.legislativo;pdl:2019;11"),
        ("PLN 39/2022", "urn:lex:br:congresso.nacional:projeto.lei;pln:2022;39"),
        ("EC 45/04", "emenda.constitucional:2004;45"),
        ("Decreto-Lei no 5.452, de 1ode maio de 1943", CLT),
        ("MP nº 2.158-35/2001", "medida.provisoria:2001;2158-35"),
        ("MP 2206-1/2001", "medida.provisoria:2001;2206-1"),
        ("MPV 2.206-1", "medida.provisoria:;2206-1"),
        ("Medida Provisória nº 2.206-1, de 6 de setembro de 2001", "medida.provisoria:2001-09-06;2206-1"),
        ("Lei nr. 8.112/90", "lei:1990;8112"),
        ("Lei de Introdução ao Código Civil", "decreto.lei:1942-09-04;4657"),
        ("Medida Provisória no 2.192-70, de 24 de agosto de 2001", "medida.provisoria:2001-08-24;2192-70"),
        ("Decreto Legislativo nº 99901, de 2001", "decreto.legislativo:2001;99901"),
        ("Constituição da República Federativa do Brasil de 1988", CF),
        ("Constituição Federal de 1967", "constituicao:1967-01-24;1967"),
        ("CF/88", CF),
        ("Lei Maria da Penha", "lei:2006-08-07;11340"),
        ("Lei Camata", "lei.complementar:1999-05-31;96"),
        ("Lei das PPPs", "lei:2004-12-30;11079"),
        ("Lei do Audiovisual", "lei:1993-07-20;8685"),
        ("Estatuto do Idoso", "lei:2003-10-01;10741"),
        ("Código de Defesa do Consumidor", "lei:1990-09-11;8078"),
        ("Constituição dos Estados Unidos do Brasil de 1946", "constituicao:1946-09-18;1946"),
        ("Constituição Federal, de 24 de janeiro de 1967", "constituicao:1967-01-24;1967"),
        ("Constituição de 5 de outubro de 1988", CF),
        ("Constituição de 88", CF),
        ("CPC de 73", "lei:1973-01-11;5869"),
        ("Lei nº 8.078 de 90", "lei:1990;8078"),
        ("Código Civil, de 10 de janeiro de 2002", "lei:2002-01-10;10406"),
        ("Código de Processo Civil de 1973", "lei:1973-01-11;5869"),
        ("CPC/2015", "lei:2015-03-16;13105"),
        ("novo CPC", "lei:2015-03-16;13105"),
        ("Novo Código de Processo Civil", "lei:2015-03-16;13105"),
        ("Lei nº 8.078", "lei:;8078"),
        ("Decreto de 24 de maio de 2017", "decreto:2017-05-24"),
        ("Resolução do Senado Federal nº 42, de 2016", "urn:lex:br:senado.federal:resolucao:2016;42"),
        ("Resolução nº 42, de 2016, do Senado Federal", "urn:lex:br:senado.federal:resolucao:2016;42"),
        ("Resolução CONAMA nº 1, de 1986", "urn:lex:br:conselho.nacional.meio.ambiente:resolucao:1986;1"),
        ("Portaria MTB nº 1.129, de 2017", "urn:lex:br:ministerio.trabalho:portaria:2017;1129"),
        ("Res. TSE 23.607/2019", "urn:lex:br:tribunal.superior.eleitoral:resolucao:2019;23607"),
        ("Súmula 7/STJ", "urn:lex:br:superior.tribunal.justica:sumula:;7"),
        ("Súmula Vinculante nº 11", "urn:lex:br:supremo.tribunal.federal:sumula.vinculante:;11"),
        ("Súmula nº 331 do TST", "urn:lex:br:tribunal.superior.trabalho:sumula:;331"),
        ("Lei Distrital nº 99901, de 2011", "urn:lex:br;distrito.federal:distrital:lei:2011;99901"),
        ("Lei nº 99901, de 2011, do Estado de São Paulo", "urn:lex:br;sao.paulo:estadual:lei:2011;99901"),
        ("PL 2562/2003", "urn:lex:br:camara.deputados:projeto.lei;pl:2003;2562"),
        ("Projeto de Lei do Senado nº 321, de 1995", "urn:lex:br:senado.federal:projeto.lei;pls:1995;321"),
        (
            "Projeto de Lei Complementar nº 18, de 2022",
            "urn:lex:br:camara.deputados:projeto.lei.complementar;plp:2022;18",
        ),
    ],
)
def test_norm_is_cited(text: str, name: str) -> None:
    assert cited(f"Nos termos da {text}.") == [(text, name)]


@pytest.mark.parametrize(
    "text",
    [
        "a Comissão de Constituição, Justiça e Cidadania",
        "as Comissões de Constituição e Justiça",
        "a Constituição Estadual",
        "a constituição de empresa",
        "na forma da Lei",
        "a Lei 10 dias depois",
        "o art. 5º da Convenção de Haia",
        "o art. 5º do Regulamento",
        "o art. 5º daquela Lei",
        "a Lei nº 99.901, de 31 de fevereiro de 2001",
        "a Lei Estadual nº 99901, de 1990",
        "a Lei Municipal nº 99901, de 1990",
        "a Resolução nº 99901, de 2001",
        "a Portaria XYZ nº 99901, de 2001",
        "a PI MTPS/MMIRDH nº 4, de 11 de maio de 2016",
        "o Projeto de Resolução nº 99901, de 2019",
        "o Anteprojeto de Lei nº 99901, de 2019",
        "a ADI 4.983 e o RE 1.234",
        "o Código Florestal de 1934",
        "o CC e o CP",
        "o art. 5º, o § 1º do art. 2º desta Lei e este artigo",
    ],
)
def test_text_without_an_identifiable_norm_is_not_cited(text: str) -> None:
    assert cited(f"Veja {text}.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o § 1º da Lei nº 99901/20", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("o § 1º e o art. 5º da Lei nº 99901/20", [("art. 5º da Lei nº 99901/20", "lei:2020;99901!art5")]),
        ("renumerado o § 1º como parágrafo único; e o art. 18 da CLT", [("art. 18 da CLT", f"{CLT}!art18")]),
        ("art. 5º, 30 dias após a Lei nº 99901/20", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("o art. 3º, I, e da Lei nº 99901/20", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("como na CLT\n\nArt. 2º Revoga-se o resto", [("CLT", CLT)]),
        ("as Leis nºs 99901/20 e 30 decretos", [("Leis nºs 99901/20", "lei:2020;99901")]),
        ("a Lei nº 99901 e 12/2002", [("Lei nº 99901", "lei:;99901")]),
        ("as Leis nºs 99901/20, 30 dias depois", [("Leis nºs 99901/20", "lei:2020;99901")]),
        ("a Lei nº 99901/20 e 2.000 reais", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("a Lei nº 99901/20, e 5 de maio de 2002", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("arts. 5º e 10 anos da Lei nº 99901/20", [("Lei nº 99901/20", "lei:2020;99901")]),
        ("propostas de emenda à Constituição", [("Constituição", CF)]),
    ],
)
def test_citation_uses_only_the_words_of_the_text(text: str, expected: list[tuple[str, str]]) -> None:
    assert cited(text) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lei nº 99.911/2001-RJ", "urn:lex:br;rio.janeiro:estadual:lei:2001;99911"),
        ("Lei nº 99.911, de 2001 (SP)", "urn:lex:br;sao.paulo:estadual:lei:2001;99911"),
        ("Lei nº 99.911/2001/DF", "urn:lex:br;distrito.federal:distrital:lei:2001;99911"),
        ("Lei federal nº 99.911/2001-RJ", "urn:lex:br:federal:lei:2001;99911"),
        ("Lei nº 99.904/2008 do Município de São Paulo", "urn:lex:br;sao.paulo;sao.paulo:municipal:lei:2008;99904"),
        ("Lei nº 99.904, de 3 de junho de 2008, do Município de Campinas", None),
        ("Decreto nº 99.904/2008, da Prefeitura Municipal de Campinas", None),
        ("Lei nº 99.904/2008, no Município de Campinas", "urn:lex:br:federal:lei:2008;99904"),
    ],
)
def test_words_after_a_norm_name_its_issuer(text: str, name: str | None) -> None:
    assert [citation.name for citation in cite(text)] == ([name] if name else [])
