"""Tests of epigraphs and titles: the name read from each kind, the hints it needs, and the reasons for refusals."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import date
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadEpigraph, BadParameter
from graph.urn import Kind, Name, parse
from graph.wording.epigraph import LONGEST, from_epigraph
from graph.wording.numerals import MONTHS

SHARED = Path(__file__).resolve().parents[4] / "shared"
TITLES = SHARED / "data" / "portal-titles-sample.tsv"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("LEI Nº 11.705, DE 19 DE JUNHO DE 2008", "federal:lei:2008-06-19;11705"),
        ("Lei nº 99901 , de 1º de maio de 2011", "federal:lei:2011-05-01;99901"),
        ("LEI COMPLEMENTAR Nº 95, DE 26 DE FEVEREIRO DE 1998.", "federal:lei.complementar:1998-02-26;95"),
        ("DECRETO-LEI N° 5.452, DE 1° DE MAIO DE 1943", "federal:decreto.lei:1943-05-01;5452"),
        ("Decreto Legislativo nº 43 de 30/03/2009", "federal:decreto.legislativo:2009-03-30;43"),
        ("MEDIDA PROVISÓRIA No 2.200-2, DE 24 DE AGOSTO DE 2001.", "federal:medida.provisoria:2001-08-24;2200-2"),
        ("MPV 1118/2022", "federal:medida.provisoria:2022;1118"),
        ("[ Medida Provisória nº 1282/2024 ]", "federal:medida.provisoria:2024;1282"),
        ("EMENDA CONSTITUCIONAL Nº 45, DE 2004", "federal:emenda.constitucional:2004;45"),
        ("Lei federal nº 8.078/90", "federal:lei:1990;8078"),
        ("Lei nº 99901/05", "federal:lei:2005;99901"),
        ("Decreto nº 99.901-A, de 2 de janeiro de 1911", "federal:decreto:1911-01-02;99901-a"),
        ("CONSTITUIÇÃO DA REPÚBLICA FEDERATIVA DO BRASIL DE 1988", "federal:constituicao:1988-10-05;1988"),
        ("Constituição dos Estados Unidos do Brasil, de 1946", "federal:constituicao:1946-09-18;1946"),
        ("PL 2562/2003", "camara.deputados:projeto.lei;pl:2003;2562"),
        ("[ Projeto de Lei do Senado nº 321/1995 ]", "senado.federal:projeto.lei;pls:1995;321"),
        ("PROJETO DE LEI DA CÂMARA Nº 71 DE 2017", "senado.federal:projeto.lei;plc:2017;71"),
        ("PRS 99901/2017", "senado.federal:projeto.resolucao;prs:2017;99901"),
        ("RESOLUÇÃO DO SENADO FEDERAL Nº 42, DE 2016", "senado.federal:resolucao:2016;42"),
        ("Resolução nº 42, de 2016, do Senado Federal", "senado.federal:resolucao:2016;42"),
        ("Resolução CONAMA nº 1, de 23 de janeiro de 1986", "conselho.nacional.meio.ambiente:resolucao:1986-01-23;1"),
        ("Projeto de Lei do Congresso Nacional nº 39/2022", "congresso.nacional:projeto.lei;pln:2022;39"),
        ("PLN 39/2022", "congresso.nacional:projeto.lei;pln:2022;39"),
        ("Medida Provisória nº 2165-36/2001", "federal:medida.provisoria:2001;2165-36"),
        ("Decreto de 30/05/1994 ( seq-sf: 6 )", "federal:decreto:1994-05-30;seq-sf-6"),
    ],
)
def test_epigraph_gives_the_name_of_its_norm(text: str, name: str) -> None:
    reading = from_epigraph(text)
    assert reading.name == f"urn:lex:br:{name}"
    assert (reading.text, reading.kind) == (text, Kind.COMPLEX)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lei Ordinária n° 6790", "urn:lex:br:federal:lei:;6790"),
        ("Decreto de 30 de maio de 1994", "urn:lex:br:federal:decreto:1994-05-30"),
    ],
)
def test_epigraph_without_number_or_date_is_a_reference(text: str, name: str) -> None:
    reading = from_epigraph(text)
    assert (reading.name, reading.kind) == (name, Kind.REFERENCE)
    assert any("reference" in step for step in reading.steps)


@pytest.mark.parametrize(
    ("text", "place", "authority", "name"),
    [
        (
            "Lei Municipal nº 15, de 04 de abril de 2011",
            "rs;campinas",
            None,
            "br;rio.grande.sul;campinas:municipal:lei",
        ),
        ("Lei nº 15, de 4 de abril de 2011", "br;sao.paulo;campinas", None, "br;sao.paulo;campinas:municipal:lei"),
        ("Lei nº 15, de 4 de abril de 2011", "sp", None, "br;sao.paulo:estadual:lei"),
        ("Lei Distrital nº 15, de 4 de abril de 2011", None, None, "br;distrito.federal:distrital:lei"),
        ("Lei nº 15, de 4 de abril de 2011", "df", None, "br;distrito.federal:distrital:lei"),
        ("Lei Federal nº 15, de 4 de abril de 2011", "sp;campinas", None, "br:federal:lei"),
        ("LEI Nº 15, DE 4 DE ABRIL DE 2011, DO ESTADO DE SÃO PAULO", None, None, "br;sao.paulo:estadual:lei"),
        ("RESOLUÇÃO NORMATIVA nº 15, de 04/04/2011", None, "ANEEL", "{aneel}:resolucao.normativa"),
        ("Portaria nº 15 de 04-04-2011", None, "ministerio.saude", "br:ministerio.saude:portaria"),
        ("RESOLUÇÃO HOMOLOGATÓRIA nº 15, de 4.4.2011", None, "aneel", "{aneel}:resolucao.homologatoria"),
        ("MPV 15, de 4 de abril de 2011", None, "congresso.nacional", "br:congresso.nacional:medida.provisoria;mpv"),
        (
            "PEC 15, de 4 de abril de 2011",
            None,
            "camara.deputados",
            "br:camara.deputados:proposta.emenda.constitucional;pec",
        ),
        (
            "Resolução nº 15, de 4 de abril de 2011",
            "rs;campinas",
            "camara.municipal",
            "br;rio.grande.sul;campinas:camara.municipal:resolucao",
        ),
    ],
)
def test_hints_complete_the_epigraph(text: str, place: str | None, authority: str | None, name: str) -> None:
    spelled = name.format(aneel="br:agencia.nacional.energia.eletrica")
    assert from_epigraph(text, place=place, authority=authority).name == f"urn:lex:{spelled}:2011-04-04;15"


def test_steps_explain_the_origin_of_each_part() -> None:
    text = "Resolução nº 99901, de 2016 - Dispõe sobre tudo"
    assert from_epigraph(text, place="sp;campinas", authority="camara.municipal").steps == (
        "place 'br;sao.paulo;campinas' from the hint",
        "no day: the year alone",
        "left out after the date: '- Dispõe sobre tudo'",
        "authority 'camara.municipal' from the hint",
    )
    assert from_epigraph("LEI Nº 11.705, DE 19 DE JUNHO DE 2008").steps == ()


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        ("", "empty", ""),
        (" [ ] ", "empty", " [ ] "),
        ("Lei nº 99901\x00", "bad-character", "\x00"),
        ("Tributação ambiental", "number-missing", "Tributação ambiental"),
        ("Lei Municipal nº 15, de 4 de abril de 2011", "place-missing", "Lei Municipal nº 15, de 4 de abril de 2011"),
        ("Portaria nº 369 de 21-10-2013", "authority-missing", "Portaria nº 369 de 21-10-2013"),
        ("PEC 45/2019", "authority-missing", "PEC 45/2019"),
        ("LEI Nº 99901, DE 31 DE FEVEREIRO DE 2008", "bad-date", ", DE 31 DE FEVEREIRO DE 2008"),
        ("Lei nº 99901, de 2011, do Município de Campinas", "place-missing", ", do Município de Campinas"),
        ("REsp 99901 / RJ", "rest", " / RJ"),
        ("Acórdão do processo Nº RR - 190-25.2014.5.05.0222", "no-type", None),
        ("99901, de 2011", "no-type", "9"),
        ("Lei nº 1234567890123", "bad-number", "1234567890123"),
    ],
)
def test_error_states_the_expected_text_and_its_position(text: str, code: str, marked: str | None) -> None:
    with pytest.raises(BadEpigraph) as refused:
        from_epigraph(text)
    error = refused.value
    assert error.code == code
    assert error.problem.startswith("expected ")
    if marked is not None:
        assert text[error.span.start : error.span.end] == marked


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("CONSTITUIÇÃO DO PARAGUAI", "rest"),
        ("Constituição da Bahia", "rest"),
        ("Constituição da Itália", "rest"),
        ("Constituição da Itália, de 1947", "rest"),
        ("Constituição da República Portuguesa, de 1976", "rest"),
        ("Constituição do Império do Brasil, de 1988", "rest"),
        ("Constituição Estadual", "rest"),
        ("Constituição do Estado de São Paulo, de 5 de outubro de 1989", "rest"),
        ("CONSTITUIÇÃO FEDERAL - SP", "rest"),
        ("CONSTITUIÇÃO DOS ESTADOS UNIDOS DO BRASIL", "rest"),
        ("Constituição Federal de 1969", "rest"),
        ("Constituição Federal, de 6 de outubro de 1988", "rest"),
        ("CONSTITUIÇÃO DE RENDA", "rest"),
        ("Lei nº 99901, de 2011 - Campinas/SP", "place-missing"),
        ("Lei nº 99901, de 2011 - Campinas - SP", "place-missing"),
        ("Lei nº 99901, de 2011 (Município de Campinas)", "place-missing"),
        ("Lei nº 99901, de 2011 - Prefeitura de Campinas", "place-missing"),
        ("Lei nº 99901, de 2011 - Itália", "place-missing"),
        ("Lei nº 99901, de 2011 (Argentina)", "place-missing"),
        ("Lei nº 99901, de 2011, do Governador", "place-missing"),
        ("Medida Provisória nº 99901, de 2011 - SP", "authority-missing"),
        ("Lei nº 0, de 2011", "bad-number"),
        ("Lei nº 000/2011", "bad-number"),
        ("Lei nº 0-A, de 2011", "bad-number"),
        ("Lei nº 99901, de 5 de maio de 2200", "bad-date"),
        ("Lei nº 99901/2200", "bad-date"),
        ("Lei nº 99901, de 5 de maio de 1499", "bad-date"),
        ("Lei nº 99901/1499", "bad-date"),
        ("Decreto de 5 de maio de 2200", "bad-date"),
    ],
)
def test_invalid_or_non_federal_epigraph_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadEpigraph) as refused:
        from_epigraph(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("behind", "place"),
    [
        (" - SP", "sao.paulo"),
        ("-RJ", "rio.janeiro"),
        (" (São Paulo)", "sao.paulo"),
        (" (Pará)", "para"),
        (" - Estado de São Paulo", "sao.paulo"),
        (" (Governo do Estado da Bahia)", "bahia"),
        (" Estado de São Paulo", "sao.paulo"),
        (", Estado de São Paulo.", "sao.paulo"),
        (" - Rio Grande do Sul (RS)", "rio.grande.sul"),
    ],
)
def test_state_after_the_date_is_the_place(behind: str, place: str) -> None:
    reading = from_epigraph(f"Lei nº 99901, de 5 de maio de 2011{behind}")
    assert reading.name == f"urn:lex:br;{place}:estadual:lei:2011-05-05;99901"
    assert f"place 'br;{place}' from the text" in reading.steps


@pytest.mark.parametrize("behind", [" - Publicação Original", " - Dispõe sobre o Estado de São Paulo", " (LDB)"])
def test_other_text_after_the_date_is_ignored_and_reported(behind: str) -> None:
    reading = from_epigraph(f"Lei nº 99901, de 2099{behind}")
    assert reading.name == "urn:lex:br:federal:lei:2099;99901"
    assert any(step.startswith("left out after the date") for step in reading.steps)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Constituição Federal", 1988),
        ("CONSTITUIÇÃO DA REPÚBLICA FEDERATIVA DO BRASIL - texto compilado", 1988),
        ("Constituição da República Federativa do Brasil, de 5 de outubro de 1988", 1988),
        ("Constituição Federal (1967)", 1967),
        ("CONSTITUIÇÃO DA REPÚBLICA DOS ESTADOS UNIDOS DO BRASIL, DE 16 DE JULHO DE 1934", 1934),
        ("Constituição do Brasil/1946", 1946),
        ("CONSTITUIÇÃO POLÍTICA DO IMPÉRIO DO BRASIL, DE 25 DE MARÇO DE 1824", 1824),
    ],
)
def test_constitutions_of_brazil_are_named(text: str, year: int) -> None:
    assert from_epigraph(text).name.endswith(f";{year}")


@pytest.mark.parametrize("place", ["xx", "são@paulo", "sp;campinas;centro;sul"])
def test_invalid_place_hint_is_refused(place: str) -> None:
    with pytest.raises(BadParameter, match="expected a place"):
        from_epigraph("Lei nº 99901, de 2011", place=place)


def test_invalid_authority_hint_is_refused() -> None:
    with pytest.raises(BadParameter, match="expected an authority"):
        from_epigraph("Lei nº 99901, de 2011", authority="a:b")


@given(
    number=st.integers(1, 999_999),
    day=st.dates(date(1822, 1, 1), date.today()),  # noqa: DTZ011 - no norm has a later date
    capitals=st.booleans(),
    dotted=st.booleans(),
)
def test_number_and_date_round_trip(number: int, day: date, *, capitals: bool, dotted: bool) -> None:
    spelled = f"{number:,}".replace(",", ".") if dotted else str(number)
    text = f"Decreto nº {spelled}, de {day.day} de {MONTHS[day.month - 1]} de {day.year}"
    reading = from_epigraph(text.upper() if capitals else text, place="br")
    assert reading.name == f"urn:lex:br:federal:decreto:{day.isoformat()};{number}"


@given(st.text(max_size=60) | st.text("LeidcrtoMPnº°. ,/-0123456789\n[]()", max_size=60))
def test_any_text_gives_a_name_or_an_error(text: str) -> None:
    try:
        reading = from_epigraph(text)
    except BadEpigraph as refused:
        assert 0 <= refused.span.start <= refused.span.end <= max(1, len(text))  # noqa: PT017
    else:
        assert parse(reading.name).canonical == reading.name


@pytest.mark.parametrize("trap", ["1", "1.", "Lei ", "(", "I", "nº ", " ", "de ", "Lei nº 1 ", ", "])
def test_adversarial_texts_are_parsed_quickly(trap: str) -> None:
    for text in (trap * (LONGEST // len(trap)), "Lei nº 99901" + trap * 450 + "x", trap * 1_000_000):
        assert any(_seconds(text) < 1 for _ in range(10)), "a text that is no epigraph takes long"


def _seconds(text: str) -> float:
    start = process_time()
    try:
        from_epigraph(text)
    except BadEpigraph as refused:
        assert len(str(refused)) < 1000  # noqa: PT017
    return process_time() - start


@pytest.mark.parametrize(
    "text",
    [
        "Lei n° 1683, de 09 de Novembro de 1991",
        "Lei nº 10354 , de 19 de abril de 2008",
        "Lei Complementar nº 8, de 27 de Junho de 2003",
        "Decreto nº 48741, de 28 de dezembro de 2023",
        "Decreto nº 3.894, de 18 de agosto de 2011",
        "Lei nº 10.261/1968",
    ],
)
def test_number_unknown_to_federal_norms_needs_a_place(text: str) -> None:
    with pytest.raises(BadEpigraph) as refused:
        from_epigraph(text)
    assert refused.value.code == "place-missing"
    assert from_epigraph(text, place="mg").name.startswith("urn:lex:br;minas.gerais:estadual:")
    assert from_epigraph(text, place="br").name.startswith("urn:lex:br:federal:")
    assert from_epigraph(text, authority="federal").name.startswith("urn:lex:br:federal:")


@pytest.mark.parametrize(
    ("text", "authority", "number"),
    [
        ("Acórdão nº 3201-008.134 do Processo 10880.934613/2009-31", "stj", "3201-008134"),
        ("Acórdão nº 106-11.001", "stj", "106-11001"),
        ("Acórdão nº 545571 do Processo nº20090910064183apc", "stj", "545571"),
        ("Acórdão nº 545571, Processo 2009.09.1", "stj", "545571"),
    ],
)
def test_judgment_is_named_by_its_number_not_by_its_case(text: str, authority: str, number: str) -> None:
    reading = from_epigraph(text, authority=authority)
    assert (reading.name, reading.kind) == (f"urn:lex:br:superior.tribunal.justica:acordao:;{number}", Kind.REFERENCE)
    with pytest.raises(BadEpigraph) as refused:
        from_epigraph(text)
    assert refused.value.code == "authority-missing"


def test_invalid_case_after_a_judgment_is_refused() -> None:
    with pytest.raises(BadEpigraph) as refused:
        from_epigraph("Acórdão nº 3201-008.134 da Turma", authority="stj")
    assert refused.value.code == "rest"


@pytest.mark.skipif(not TITLES.exists(), reason="the sample of titles is not here")
def test_state_and_municipal_titles_are_not_read_as_federal() -> None:
    with TITLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if not parse(row["urn"]).local.detalhe:
                continue
            try:
                parsed = parse(from_epigraph(row["title"]).name)
            except BadEpigraph:
                continue
            assert parsed.local.detalhe, row["title"]


@pytest.mark.skipif(not TITLES.exists(), reason="the sample of titles is not here")
def test_portal_titles_give_the_portal_names() -> None:
    """Check titles of norms and bills. Titles of judgments and books do not contain the number that their name has."""
    outcome: Counter[str] = Counter()
    with TITLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            outcome[_compared(row["title"], parse(row["urn"]))] += 1
    assert outcome["right"] >= 36
    assert outcome["as far as it says"] >= 6
    assert outcome["other"] <= 1, "a bill of 2019 that the portal dates 2022"
    assert outcome["norm refused"] == 0


def _compared(title: str, name: Name) -> str:
    place = ";".join((name.local.pais, *name.local.detalhe))
    authority = ",".join(";".join(subject) for subject in name.autoridade)
    try:
        parsed = parse(from_epigraph(title, place=place, authority=authority).name)
    except BadEpigraph:
        judged = {"acordao", "folheto", "livro"} & set(name.tipo_documento)
        return "refused" if judged else "norm refused"
    if parsed == name:
        return "right"
    same = (parsed.local, parsed.autoridade, parsed.tipo_documento, parsed.descritor.identificadores) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor.identificadores,
    )
    dated = parsed.representative_date is None and parsed.representative_year in {None, name.representative_year}
    return "as far as it says" if same and dated else "other"


@pytest.mark.parametrize(
    ("text", "place"),
    [("Lei Municipal nº 99904, de 2008", "Campinas"), ("LEI Nº 5, DE 2008", "nowhere"), ("LEI Nº 5, DE 2008", "xx;y")],
)
def test_hint_of_an_unknown_unit_is_refused(text: str, place: str) -> None:
    with pytest.raises(BadParameter, match="expected a place"):
        from_epigraph(text, place=place)


def test_municipal_norm_requires_its_municipality() -> None:
    with pytest.raises(BadEpigraph, match="give it as a hint"):
        from_epigraph("Lei Municipal nº 99904, de 2008", place="SP")
