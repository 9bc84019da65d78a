"""Tests of citations with their place beside them, of abbreviated ones, and of what is left out.

The expected names follow the words: a place or body beside a norm decides before the context.
"""

from __future__ import annotations

import pytest

from graph.wording.citations import Context, cite, read_citations

TOWN = "urn:lex:br;sao.paulo;campinas:municipal"
STATE = "urn:lex:br;minas.gerais:estadual"
CF = "urn:lex:br:federal:constituicao:1988-10-05;1988"
STF = "urn:lex:br:supremo.tribunal.federal"
LAW = "urn:lex:br:federal:lei:2001;99901"


@pytest.mark.parametrize("place", [None, "sp;sao.paulo", "rj"])
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lei Municipal nº 99.901/2010 de Campinas/SP", f"{TOWN}:lei:2010;99901"),
        ("Lei nº 99.901/2010, do Município de Campinas (SP)", f"{TOWN}:lei:2010;99901"),
        ("Lei Municipal de Campinas/SP nº 99.901/2010", f"{TOWN}:lei:2010;99901"),
        ("Decreto Municipal nº 99.901/2010 (Campinas - SP)", f"{TOWN}:decreto:2010;99901"),
        ("Lei nº 99.901/2010 do Município de Campinas, Estado de São Paulo", f"{TOWN}:lei:2010;99901"),
        ("Lei Estadual nº 99.901/75 (MG)", f"{STATE}:lei:1975;99901"),
        ("Lei Estadual nº 99.901/75, art. 12, § 2º (MG)", f"{STATE}:lei:1975;99901"),
        ("Lei Estadual/MG nº 99.901/75", f"{STATE}:lei:1975;99901"),
        ("Lei Estadual de Minas Gerais nº 99.901/75", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75 do Estado de Minas Gerais", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/2013 do DF", "urn:lex:br;distrito.federal:distrital:lei:2013;99901"),
        ("Lei nº 99.901/2010 - Campinas/SP", f"{TOWN}:lei:2010;99901"),
        ("Lei nº 99.901/75, editada pelo Estado de Minas Gerais", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75, do Governo de Minas Gerais", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75 (Minas Gerais)", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75 [estado de minas gerais]", f"{STATE}:lei:1975;99901"),
        ("LEI Nº 99.901/75 (ESTADO DE MINAS GERAIS)", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75 (Código de Obras), do Estado de Minas Gerais", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75 (Pref. de Santos)", None),
        ("Código Penal (Estado de Minas Gerais)", None),
        ("Lei nº 99.901/75 - MG", f"{STATE}:lei:1975;99901"),
        ("Lei nº 99.901/75, art. 12, § 2º (Estado de Minas Gerais)", f"{STATE}:lei:1975;99901"),
        ("Lei MG nº 99.901/75", f"{STATE}:lei:1975;99901"),
        ("Lei de Minas Gerais nº 99.901/75", f"{STATE}:lei:1975;99901"),
        ("Lei (Estado de Minas Gerais) nº 99.901/75", f"{STATE}:lei:1975;99901"),
        ("Emenda Constitucional nº 99.901/75 (Estado de Minas Gerais)", f"{STATE}:emenda.constitucional:1975;99901"),
        (
            "Emenda Constitucional nº 99.901/75 à Constituição do Estado de Minas Gerais",
            f"{STATE}:emenda.constitucional:1975;99901",
        ),
        ("Constituição do Estado de Minas Gerais", f"{STATE}:constituicao:constituicao"),
        ("Constituição de Minas Gerais de 1989", f"{STATE}:constituicao:1989;1989"),
        ("Lei nº 99.901/2013, de Brasília/DF", "urn:lex:br;distrito.federal:distrital:lei:2013;99901"),
        ("Lei nº 99.901/2010, do Município de Santos", None),
        ("Lei nº 99.901/2010 (Câmara Municipal de Santos)", None),
        ("PL nº 99.901/2010 (Câmara Municipal de Campinas/SP)", None),
        ("Decreto Legislativo nº 99.901/2010 (Assembleia Legislativa)", None),
        ("Lei nº 99.901/75 (lei mineira)", None),
        ("Lei de Campinas/SP nº 99.901/2010", None),
        ("Constituição mineira", None),
        ("Lei Municipal de Campinas nº 99.901/2010", None),
        ("Lei nº 99.901/75 mineira", None),
    ],
)
def test_place_beside_a_norm_decides_before_the_context(text: str, name: str | None, place: str | None) -> None:
    cited = read_citations(text, Context(place=place))
    assert [citation.name for citation in cited.citations][:1] == ([name] if name is not None else [])
    assert [one.code.value for one in cited.left_out] == ([] if name is not None else ["no-place"])


@pytest.mark.parametrize(
    ("text", "place", "name", "sure"),
    [
        ("Lei nº 99.901, de 1º de março de 2001, de São Paulo", None, "br;sao.paulo:estadual", 0.6),
        ("Lei nº 99.901/2001 do Rio de Janeiro", "sp", "br;rio.janeiro:estadual", 0.6),
        ("Lei nº 99.901/2001 de São Paulo", "sp;sao.paulo", "br;sao.paulo;sao.paulo:municipal", 0.6),
        (
            "Lei nº 99.901, de 1º de março de 2001 (Município de São Paulo)",
            None,
            "br;sao.paulo;sao.paulo:municipal",
            0.6,
        ),
        ("Lei nº 99.901, de 1º de março de 2001 (Prefeitura de Recife)", "sp", "br;pernambuco;recife:municipal", 0.6),
        ("Lei nº 99.901, de 1º de março de 2001, Minas Gerais", "sp", "br;minas.gerais:estadual", 0.6),
        ("Lei nº 99.901, de 1º de março de 2001 (PMSP)", None, "br:federal", 0.5),
        ("Lei nº 99.901, de 1º de março de 2001 (SP, Capital)", None, "br:federal", 0.5),
        ("Lei nº 99.901, de 1º de março de 2001 (Campinas)", None, "br:federal", 0.5),
        ("Lei nº 99.901, de 1º de março de 2001, da Capital", None, "br:federal", 0.5),
        ("Lei nº 99.901, de 1º de março de 2001 (Reforma Agrária)", None, "br:federal", 1.0),
        ("Lei nº 99.901, de 1º de março de 2001 (Código Civil)", None, "br:federal", 1.0),
        ("Lei nº 99.901, de 1º de março de 2001 (NR)", None, "br:federal", 1.0),
        ("Lei nº 99.901/2001 de Campinas", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Lei nº 99.901/2001 (Campinas)", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Lei nº 99.901/2001 do Município", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Lei nº 99.901/2001, deste Estado", "sp;campinas", "br;sao.paulo:estadual", 0.8),
        ("Lei nº 99.901/2001 de Campinas", "sp;santos", None, 0),
        ("Lei Municipal 99.901/2011, Belo Horizonte", "sp;sao.paulo", "br;minas.gerais;belo.horizonte:municipal", 0.6),
        ("Lei Municipal nº 99.901/2011, Campinas", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Lei Municipal nº 99.901/2011, Código de Obras", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("LEI Nº 99.901/2011 - PREFEITURA DE CAMPINAS", None, None, 0),
        ("LEI Nº 99.901/2011 - PREFEITURA DE CAMPINAS", "sp;santos", None, 0),
        ("LEI Nº 99.901/2011 - PREFEITURA DE CAMPINAS", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Lei nº 99.901/2011 - Sumaré", "sp;campinas", None, 0),
        ("Lei nº 99.901/2011, Sumaré", "sp;campinas", None, 0),
        ("Lei nº 99.901/2011 (Sumaré)", "sp;campinas", None, 0),
        ("Lei nº 99.901/2011 - Código de Obras", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.5),
        ("Lei nº 8.666, de 21 de junho de 1993 (Sumaré)", "sp;campinas", "br:federal", 0.5),
        ("Lei Orgânica do Município", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.7),
        ("Lei Orgânica do Município", "sp", None, 0),
        ("Emenda à Lei Orgânica nº 99.901/2001", "sp;campinas", "br;sao.paulo;campinas:municipal", 0.8),
        ("Constituição do Estado", "sp;campinas", "br;sao.paulo:estadual", 0.7),
        ("Constituição Estadual", "sp", "br;sao.paulo:estadual", 0.7),
    ],
)
def test_unsure_place_lowers_the_confidence(text: str, place: str | None, name: str | None, sure: float) -> None:
    cited = read_citations(text, Context(place=place))
    issuers = [(each.name.removeprefix("urn:lex:").rsplit(":", 2)[0], each.confidence) for each in cited.citations]
    assert issuers[:1] == ([(name, sure)] if name is not None else [])
    assert len(cited.left_out) == (name is None)


@pytest.mark.parametrize(
    ("text", "name", "sure"),
    [
        ("Portaria MS/GM nº 99.901/2002", "ministerio.saude:portaria:2002;99901", 0.8),
        ("Portaria nº 99.901/GM/MS, de 5.11.2002", "ministerio.saude:portaria:2002-11-05;99901", 0.8),
        (
            "Portaria nº 99.901/2020 do Ministério da Infraestrutura",
            "ministerio.infraestrutura:portaria:2020;99901",
            0.8,
        ),
        ("Provimento nº 99.901/2023 do CNJ", "conselho.nacional.justica:provimento:2023;99901", 0.8),
        ("Ato Normativo TST nº 99.901/2019", "tribunal.superior.trabalho:ato.normativo:2019;99901", 0.8),
        ("RDC nº 99.901/2004 da Anvisa", "agencia.nacional.vigilancia.sanitaria:resolucao:2004;99901", 0.9),
        ("REN ANEEL 99.901/2021", "agencia.nacional.energia.eletrica:resolucao.normativa:2021;99901", 0.9),
        ("Resolução CFM nº 99.901/2018", "conselho.federal.medicina:resolucao:2018;99901", 0.8),
        ("Deliberação CVM-99.901", "comissao.valores.mobiliarios:deliberacao:;99901", 0.7),
        ("L. nº 99.901/2001", "federal:lei:2001;99901", 0.9),
        ("D. 99.901/2001", "federal:decreto:2001;99901", 0.9),
        ("Provimento nº 99.901/2000 do Conselho Federal da OAB", "ordem.advogados.brasil:provimento:2000;99901", 0.8),
        ("Provimento CFOAB nº 99.901/2000", "ordem.advogados.brasil:provimento:2000;99901", 0.8),
        (
            "Portaria Interministerial MF/MJ nº 99.901, de 5 de maio de 2020",
            "ministerio.fazenda,ministerio.justica:portaria.interministerial:2020-05-05;99901",
            1.0,
        ),
        (
            "Portaria Interministerial nº 99.901/MS/MF/CGU, de 29 de maio de 2008",
            "controladoria.geral.uniao,ministerio.fazenda,ministerio.saude:portaria.interministerial:2008-05-29;99901",
            1.0,
        ),
        (
            "Portaria Interministerial nº 99.901/2011, dos Ministérios da Saúde e da Educação",
            "ministerio.educacao,ministerio.saude:portaria.interministerial:2011;99901",
            0.9,
        ),
        ("Circular nº 99.901 do Bacen, de 2 de janeiro de 2020", "banco.central:circular:2020-01-02;99901", 1.0),
        ("Súmula 99.901, IV, do TST", "tribunal.superior.trabalho:sumula:;99901", 0.5),
        ("Instrução Normativa nº 99.901/2002 da Receita Federal", None, 0.5),
        ("Lei Orgânica do Município de Curitiba", "br;parana;curitiba:municipal:lei.organica:lei.organica", 0.6),
    ],
)
def test_acts_of_bodies_are_named(text: str, name: str | None, sure: float) -> None:
    (citation,) = cite(text)
    assert citation.confidence == sure
    assert name is None or citation.name.removeprefix("urn:lex:").removeprefix("br:") == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ali c, inc X, par 6, art 1 da Lei 99.901/2001", [f"{LAW}!art1_par6_inc10_ali3"]),
        ("§ 8 art 32 da Lei 99.901/2001", [f"{LAW}!art32_par8"]),
        ("art 40 par 4 da Lei 99.901/2001", [f"{LAW}!art40_par4"]),
        ("inc II art 5 da CF", [f"{CF}!art5_cpt_inc2"]),
        ("art. 5.º, n.º XXXV, CF", [f"{CF}!art5_cpt_inc35"]),
        ('letra "c", inciso III, art. 105, CF', [f"{CF}!art105_cpt_inc3_ali3"]),
        ("art. 10 usque 12 da Lei 99.901/2001", [f"{LAW}![art10,art12]"]),
        ("art. 7º, alínea 'a', inciso II, § 3º da Lei 99.901/2001", [f"{LAW}!art7_par3_inc2_ali1"]),
        ("art. 22 A da Lei 99.901/2001", [f"{LAW}!art22-1"]),
        ("arts. 22A e 23 B da Lei 99.901/2001", [f"{LAW}!art22-1", f"{LAW}!art23-2"]),
        ("art. 22-a, § 1º, da Lei 99.901/2001", [f"{LAW}!art22-1_par1"]),
        ("conforme o art. 22 a Lei 99.901/2001", [LAW]),
        ("p. único do art. 7 da Lei 99.901/2001", [f"{LAW}!art7_par1u"]),
        ("§§ 1º ao 3º art. 9º da Lei 99.901/2001", [f"{LAW}![art9_par1,art9_par3]"]),
        ("Lei 99.901/2001 (LRP), arts. 167, I, e 169", [LAW, f"{LAW}!art167_cpt_inc1", f"{LAW}!art169"]),
    ],
)
def test_reversed_and_abbreviated_provisions_are_named(text: str, names: list[str]) -> None:
    assert [citation.name for citation in cite(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anexo II da Lei 99.901/2001", [f"{LAW};anexo.2", LAW]),
        ("Lei 99.901/2001, Anexo Único, art. 3º", [LAW, f"{LAW};anexo.unico", f"{LAW};anexo.unico!art3"]),
        ("arts. 3º e 5º do Anexo A da Lei 99.901/2001", [f"{LAW};anexo.a!art3", f"{LAW};anexo.a!art5", LAW]),
        ("ADI 99.901/DF, julgada em 5 de maio de 2011", [f"{STF};plenario:acordao;adi:2011-05-05;99901"]),
        ("RE 99.901, Segunda Turma, j. 15/03/2017", [f"{STF};turma.2:acordao;re:2017-03-15;99901"]),
        ("Recurso Extraordinário nº 99.901, de 15 de março de 2017", [f"{STF}:acordao;re:2017-03-15;99901"]),
        ("HC 99.901/STF, Plenário, j. 17.2.2016", [f"{STF};plenario:acordao;hc:2016-02-17;99901"]),
    ],
)
def test_annexes_and_judgments_with_a_day_are_named(text: str, names: list[str]) -> None:
    cited = read_citations(text)
    assert ([citation.name for citation in cited.citations], cited.left_out) == (names, ())


@pytest.mark.parametrize(
    ("text", "provision", "names"),
    [
        ("o caput do artigo anterior", "art6", ["art5_cpt"]),
        ("o caput e o § 1º do artigo seguinte", "art6_par2", ["art7_cpt", "art7_par1"]),
        ("o parágrafo anterior", "art6_par2", ["art6_par1"]),
        ("o artigo anterior", "art1", []),
        ("o artigo anterior", "art6-1", []),
        ("o artigo anterior da Lei nº 99.901/2001", "art6", [""]),
    ],
)
def test_provision_beside_that_of_the_context_is_a_chosen_reading(text: str, provision: str, names: list[str]) -> None:
    cited = cite(text, Context(norm=LAW, provision=provision))
    assert [citation.name.partition("!")[2] for citation in cited] == names
    assert all(citation.confidence == 0.6 for citation in cited if "!" in citation.name)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("item 4.02 da lista anexa à LC 99.901/2003", "item 4.02 da lista anexa"),
        ("Tabela II da Lei nº 99.901/2001", "Tabela II"),
        ("Lei nº 99.901/2001, Tabela II", "Tabela II"),
        ("Anexo III-A da Lei nº 99.901/2001", "Anexo III-A"),
        ("Anexo da Lei nº 99.901/2001", "Anexo"),
        ("art. 3º c/c 4º da Lei 99.901/2001", "art. 3º c/c 4º"),
        ('al. "b" do n. 3 do art. 4º da Lei nº 99.901/2001', 'al. "b" do n. 3'),
        ("art. 1º, par. 1º, al. a, nº 2, da Lei nº 99.901/2001", "art. 1º, par. 1º, al. a, nº 2"),
        ('art. 3º, 2, "c", da Lei nº 99.901/2001', 'art. 3º, 2, "c"'),
        ("arts. 1º a 5º, exceto o art. 3º, da Lei nº 99.901/2001", "arts. 1º a 5º"),
        ("art. 5º, exceto o IV, da Lei nº 99.901/2001", "art. 5º, exceto o IV"),
        ("§ 1o. do art. 5o. da Lei nº 99.901/2001", "§ 1o. do art. 5o."),
        ("nota de rodapé 2 da Lei nº 99.901/2001", "nota de rodapé 2"),
        ("Lei nº 99.901/2001; art. 73, VI", "art. 73, VI"),
        ("Lei nº 99.901/2001; art. 73, VI, do Regulamento", None),
        ("CF 5º XXXV", "5º XXXV"),
        ("§ único, art. 3º; Lei nº 99.901/2001", "§ único, art. 3º"),
        ("nota 2 da Lei nº 99.901/2001", "nota 2"),
        ("subitem 17.05 da lista de serviços da LC 99.901/2003", "subitem 17.05 da lista de serviços"),
        ("Lei nº 99.901/2001: 73, VI, b", "73, VI, b"),
        ('Lei nº 99.901/2001 (LRP), arts. 167, I, "30", e 169', '"30", e 169'),
        ("CF, 5º, XXXV", "5º, XXXV"),
        ("conforme o art. 22 a Lei nº 99.901/2001", None),
        ("o disposto no art. 5º e a Lei nº 99.901/2001", None),
        ("(Art. 228 ao 241) Lei nº 99.901/2001", None),
        ("Art. 2º A Lei nº 99.901/2001 passa a vigorar", None),
        ("Art. 2º O art. 7º da Lei nº 99.901/2001", None),
        ("a Lei nº 99.901/2001, 5 anos depois", None),
        ("no § 1º, a Lei nº 99.901/2001", None),
        ("incisos I e II do art. 5º da Lei 99.901/2001", None),
        ("a Lei nº 99.901/2001, art. 3º", None),
        ("Altera a Lei nº 99.901/2001, para dispor sobre o art. 3º", None),
        ("Altera a Lei nº 99.901/2001 para o fim", None),
    ],
)
def test_level_that_is_not_read_is_stated(text: str, unread: str | None) -> None:
    citation = cite(text)[-1]
    assert (citation.confidence <= 0.5) is (unread is not None)
    assert unread is None or (citation.reason or "").endswith(f"not read: {unread}")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Lei Complementar Municipal nº 99.901, de 10 de maio de 2010", ["no-place"]),
        ("a Constituição Estadual, art. 5º", ["no-place"]),
        ("Lei nº 99.901, de 30 de fevereiro de 2001", ["wrong-day"]),
        ("Decreto de 31.04.1991", ["wrong-day"]),
        ("Resolução SMA-33", ["no-authority"]),
        ("Resolução da Secretaria do Meio Ambiente nº 99.901/2001", ["no-authority"]),
        ("Resolução nº 99.901/2015 da OAB/SP", ["no-authority"]),
        ("D. nº 10", ["type-unknown"]),
        ("Lei Orgânica da Polícia Civil", ["several-readings"]),
        ("Portaria 99.901/78", ["no-authority"]),
        ("Portaria SVS/MS nº 99.901/98", ["no-authority"]),
        ("ADI 99.901/DF, Rel. Min. Fulana; ADC 99", ["judgment-without-day"] * 2),
        ("AgRg no REsp 9.999.901/RJ (Tema 106)", ["judgment-without-day"]),
        ("Acórdão nº 99.901/2019-TCU-Plenário", ["judgment-without-day"]),
        ("HC 99.901, julgado em 5 de maio de 2011", ["no-authority"]),
        ("AgRg no REsp 99.901/RJ, julgado em 5 de maio de 2011", ["type-unknown"]),
        ("Convenção 158 da OIT", ["foreign"]),
        ("Convenção de Viena de 1969", ["foreign"]),
        ("Enunciado 37 do FONAJE", ["type-unknown"]),
        ("Enunciado FONAJE 37", ["type-unknown"]),
        ("Enunciado 37 da tabela", []),
        ("Pacto de San José da Costa Rica", ["foreign"]),
        ("Regulamento (UE) 2016/679", ["foreign"]),
        ("o Código Civil italiano", ["foreign"]),
        ("Enunciado nº 99.901 da Jornada", ["type-unknown"]),
        ("Parecer AGU nº 99.901/2010", ["type-unknown"]),
        ("o antigo Código Civil", ["several-readings"]),
        ("Regimento Interno do STF, art. 21", ["several-readings"]),
        ("o Projeto de Lei e a lei, em 5 artigos", []),
        ("Lei nº 99.901/2001", []),
    ],
)
def test_what_has_no_name_is_left_out_with_its_code(text: str, left: list[str]) -> None:
    cited = read_citations(f"Veja    {text}, acima.")
    assert [one.code.value for one in cited.left_out] == left
    assert all(one.text in text for one in cited.left_out)
