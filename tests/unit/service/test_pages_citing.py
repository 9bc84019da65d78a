"""Tests of references to the text of a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import httpx
import pytest
from playwright.sync_api import Browser, expect

from graph.civil import today
from graph.urn import parse
from graph.vocabulary import built_in
from service.web.pages.citing import CitationData, abnt, in_text, place_of
from tests.support.pages import page, words_of
from tests.support.web_names import AHEAD, CODE, ENDED, RESTORED, TEXT


def test_provision_is_cited_as_of_a_date(web: httpx.Client) -> None:
    cite_page = page(web, f"/{CODE}!art57?on=1993-06-01&as_known=2000-01-01").follow("Citar")
    address = words_of(cite_page.one("//pre[@id='address']"))
    assert address == f"{web.base_url}/{CODE}!art57?on=1993-06-01&as_known=2000-01-01"
    reference = words_of(cite_page.one("//pre[@id='abnt']"))
    assert reference.startswith(
        "BRASIL. Lei nº 8.078, de 11 de setembro de 1990, art. 57. Dispõe sobre a proteção do consumidor e dá outras "
        "providências. Diário Oficial da União: seção 1, Brasília, DF, n. 123, p. 1, 12 set. 1990. Redação em "
        "1 jun. 1993"
    )
    assert words_of(cite_page.one("//pre[@id='abnt']/strong")) == "Diário Oficial da União"
    assert f"Disponível em: {address}. Acesso em: " in reference
    assert words_of(cite_page.one("//pre[@id='in-text']")) == "(Brasil, 1990, art. 57)", "NBR 10520:2023"
    assert page(web, address).response.status_code == 200, "the permanent address leads to the text"


@pytest.mark.parametrize(
    ("kind", "begins"), [("bib", "@misc{br-federal-lei-1990-09-11-8078,"), ("ris", "TY  - STAT\r\n")]
)
def test_reference_is_downloaded_for_reference_managers(web: httpx.Client, kind: str, begins: str) -> None:
    answer = web.get(f"/cite/{CODE}?on=1993-06-01&format={kind}")
    assert answer.status_code == 200
    assert answer.text.startswith(begins)
    assert f"{CODE}?on=1993-06-01&as_known=" in answer.text
    assert answer.headers["content-disposition"].endswith(f'.{kind}"')


def test_invalid_citation_is_rejected(web: httpx.Client) -> None:
    assert web.get("/cite/urn:lex:br:federal:lei:2020-01-02;99999").status_code == 404
    assert web.get(f"/cite/{CODE}?format=doc").status_code == 406
    assert web.get(f"/cite/{CODE}?as_known=2990-01-01").status_code in {404, 422}
    assert web.get(f"/cite/{CODE}?on=1993-13-01").status_code == 422


def test_reference_omits_unknown_data(web: httpx.Client) -> None:
    cite_page = page(web, f"/cite/{TEXT}?on=2001-06-01")
    reference = words_of(cite_page.one("//pre[@id='abnt']"))
    assert "Diário Oficial" not in reference
    assert "None" not in cite_page.text
    assert not cite_page.elements("//pre[@id='abnt']/strong")


def test_reference_of_a_text_not_in_force_has_its_status(web: httpx.Client) -> None:
    for name, stated in (
        (f"{RESTORED}?on=2002-06-01", "Situação em 1 jun. 2002: vigência encerrada, conforme"),
        (f"{AHEAD}?on=2010-01-01", "Redação em 1 jan. 2010 (publicada, em vacatio legis), conforme"),
        (f"{CODE}?on=1993-06-01", "Redação em 1 jun. 1993, conforme"),
    ):
        assert stated in words_of(page(web, f"/cite/{name}", "en").one("//pre[@id='abnt']"))


def test_reference_of_an_ended_text_has_its_end_and_the_last_day_of_its_last_wording(web: httpx.Client) -> None:
    cite_page = page(web, f"/cite/{TEXT}!art2")
    now = today()
    month = ("jan.", "fev.", "mar.", "abr.", "maio", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez.")[
        now.month - 1
    ]
    address = f"{web.base_url}/{TEXT}!art2?on={now.isoformat()}&as_known={now.isoformat()}"
    ending = "Revogado pela Lei nº 99.917, de 2002; última redação em vigor até 1 maio 2002"
    assert words_of(cite_page.one("//pre[@id='abnt']")) == (
        "BRASIL. Lei nº 99.916, de 5 de março de 2001, art. 2º. Dispõe sobre relógios fictícios. Brasília, DF: "
        f"Presidência da República, 2001. {ending}. Disponível em: {address}. "
        f"Acesso em: {now.day} {month} {now.year}."
    )
    assert f"note = {{{ending}}}," in web.get(f"/cite/{TEXT}!art2?format=bib").text
    assert f"N1  - {ending}\r\n" in web.get(f"/cite/{TEXT}!art2?format=ris").text
    ended = words_of(page(web, f"/cite/{ENDED}").one("//pre[@id='abnt']"))
    assert " Vigência encerrada; última redação em vigor até 31 dez. 2001, conforme o publicado até " in ended


def test_the_address_of_a_name_without_a_text_on_the_day_leads_to_its_status(web: httpx.Client) -> None:
    now = f"{today():%d/%m/%Y}"
    leads = page(web, f"/cite/{TEXT}!art2").all("//main/p")[1]
    assert leads == (
        "As fontes não informam até que data estão atualizadas. "
        f"O endereço permanente leva à situação em {now}, conforme o publicado até {now}."
    )
    ahead = page(web, f"/cite/{AHEAD}?on=2010-01-01").all("//main/p")[1]
    assert ahead.startswith("Texto de 01/01/2010. ")
    assert "O endereço permanente leva ao texto de 01/01/2010, conforme" in ahead


def test_provision_is_cited_with_the_largest_unit_first(web: httpx.Client) -> None:
    cite_page = page(web, f"/cite/{TEXT}!art1_par1u")
    assert words_of(cite_page.one("//pre[@id='in-text']")) == "(Brasil, 2001, art. 1º, parágrafo único)"
    reference = words_of(cite_page.one("//pre[@id='abnt']"))
    assert reference.startswith("BRASIL. Lei nº 99.916, de 5 de março de 2001, art. 1º, parágrafo único. ")


def test_reference_of_a_federal_norm_has_place_and_publisher(web: httpx.Client) -> None:
    """Check a norm of which no source states the publication in a gazette, and norms without a known publisher."""
    assert (
        "address = {Brasília, DF},\n  publisher = {Presidência da República},"
        in web.get(f"/cite/{TEXT}?format=bib").text
    )
    reported = web.get(f"/cite/{TEXT}?format=ris").text
    assert "\r\nCY  - Brasília, DF\r\nPB  - Presidência da República\r\n" in reported
    published = web.get(f"/cite/{CODE}?format=ris").text
    assert "Presidência" not in published, "a source states the gazette"


def _cited(name: str, *, planalto: bool = False) -> CitationData:
    read = parse(name)
    day = date(2026, 1, 2)
    return CitationData(
        read, "Brasil", "T", None, None, read.work.representative_date, day, None, day, "a", is_from_planalto=planalto
    )


@pytest.mark.parametrize(
    ("name", "planalto", "published"),
    [
        ("urn:lex:br:federal:lei:1993-06-21;8666", False, " Brasília, DF: Presidência da República, 1993."),
        ("urn:lex:br:federal:constituicao:1988-10-05;1988", False, " Brasília, DF: Presidência da República, [1988]."),
        ("urn:lex:br:federal:decreto.lei:1943-05-01;5452", False, ""),
        ("urn:lex:br:federal:decreto.lei:1943-05-01;5452", True, " Brasília, DF: Presidência da República."),
        ("urn:lex:br:federal:lei:1993;8666", False, " Brasília, DF: Presidência da República, 1993."),
        ("urn:lex:br;sao.paulo:estadual:lei:1993-06-21;99901", False, ""),
        ("urn:lex:br:senado.federal:resolucao:2001-03-05;99901", False, ""),
    ],
)
def test_place_and_publisher_follow_from_the_federal_authority(name: str, planalto: bool, published: str) -> None:
    assert _cited(name, planalto=planalto).published == published


def test_a_bill_with_a_year_only_is_cited_by_its_year() -> None:
    assert in_text(_cited("urn:lex:br:senado.federal:projeto.lei;pls:2018;31")) == "(Brasil, 2018)"


def test_an_undated_bill_has_no_day_of_its_wording() -> None:
    bill = replace(_cited("urn:lex:br:senado.federal:projeto.lei;pls:2018;31"), undated=True)
    assert abnt(bill) == "BRASIL. T. Disponível em: a. Acesso em: 2 jan. 2026."
    known = replace(bill, known=date(2020, 5, 7))
    assert abnt(known) == "BRASIL. T. Conforme o publicado até 7 maio 2020. Disponível em: a. Acesso em: 2 jan. 2026."


def test_a_city_has_its_state_in_parentheses() -> None:
    assert (
        place_of(parse("urn:lex:br;sao.paulo;campinas:municipal:lei:2008-06-02;99903"), built_in()) == "Campinas (SP)"
    )


def test_reference_has_the_coverage_date(web: httpx.Client) -> None:
    covered = max(web.get(f"/api/v1/in-force?urn={CODE}").json()["known_up_to"].values())
    year, _, day = covered.split("-")
    reference = words_of(page(web, f"/cite/{CODE}").one("//pre[@id='abnt']"))
    assert "Acesso em: " in reference
    stated = reference.partition("conforme o publicado até ")[2].partition(". Disponível")[0]
    assert (stated.split()[0], stated.split()[-1]) == (str(int(day)), year)


def test_a_reference_to_the_current_text_has_its_first_day(web: httpx.Client) -> None:
    address = f"/cite/{CODE}"
    assert page(web, f"/{CODE}").follow("citar").path.startswith(address), "one click from the text"
    for asked in ("", "?on=1993-09-08", "?on=2003-01-01"):
        cite_page = page(web, address + asked)
        reference = words_of(cite_page.one("//pre[@id='abnt']"))
        assert "Redação vigente desde 8 set. 1993, conforme o publicado até" in reference
        assert f"{CODE}?on=1993-09-08&as_known=" in reference
        assert "Texto em vigor desde 08/09/1993" in cite_page.text
        for kind in ("bibtex", "ris"):
            assert "Redação vigente desde 8 set. 1993" in words_of(cite_page.one(f"//pre[@id='{kind}']"))
    old = words_of(page(web, f"{address}?on=1993-06-01").one("//pre[@id='abnt']"))
    assert "Redação em 1 jun. 1993" in old


def test_no_reference_before_the_norm(web: httpx.Client) -> None:
    cite_page = page(web, f"/cite/{CODE}?on=1980-01-01")
    assert not cite_page.elements("//pre")
    sentence = "Em 01/01/1980: Não publicada: nessa data ainda não existia ou não havia sido publicada."
    assert cite_page.all("//main//p[@class='card']") == [sentence]
    assert web.get(f"/cite/{CODE}?on=1980-01-01&format=bib").status_code == 404


@pytest.mark.parametrize("name", [f"{CODE}?on=1993-06-01", f"{CODE}!art57?on=1993-06-01"])
def test_permanent_link_uses_the_share_function_of_the_browser(browser: Browser, site: str, name: str) -> None:
    with browser.new_context(locale="pt-BR") as context:
        reader = context.new_page()
        reader.goto(f"{site}/{name}")
        link = reader.get_by_role("link", name="Endereço permanente")
        expect(link).to_have_attribute("href", f"{site}/{name}")
        expect(reader.get_by_role("button", name="Compartilhar")).to_have_count(0)
        reader.add_init_script("navigator.share = async (shared) => { window.shared = shared; }")
        reader.reload()
        reader.get_by_role("button", name="Compartilhar").click()
        shared = reader.evaluate("window.shared")
        assert shared["url"] == f"{site}/{name}"
        assert "texto de 01/06/1993" in shared["title"]


@pytest.mark.parametrize(("language", "until"), [("pt-BR", "conforme o publicado até"), ("en", "as published up to")])
@pytest.mark.parametrize("asked", ["", "?on=1993-06-01", "?on=1993-06-01&as_known=2000-01-01"])
def test_the_permanent_address_has_the_day_of_knowledge_of_the_sentence(
    web: httpx.Client, asked: str, language: str, until: str
) -> None:
    found = page(web, f"/cite/{CODE}{asked}", language)
    address = words_of(found.one("//pre[@id='address']"))
    known = date.fromisoformat(address.partition("as_known=")[2])
    in_words = f"{known:%d/%m/%Y}" if language == "pt-BR" else f"{known.day} {known:%B} {known.year}"
    assert f"{until} {in_words}." in found.text
    covered = max(web.get(f"/api/v1/in-force?urn={CODE}").json()["known_up_to"].values())
    assert known.isoformat() == (covered if "as_known" not in asked else "2000-01-01")
    reference = words_of(found.one("//pre[@id='abnt']"))
    assert f" {known.year}. Disponível em: {address}." in reference
    law = "//div[@class='law']"
    assert page(web, address).all(law) == page(web, f"/{CODE}{asked}").all(law)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("pt-BR", "As fontes não informam até que data estão atualizadas."),
        ("en", "The sources do not state how current they are."),
    ],
)
def test_the_address_has_today_where_no_source_states_its_last_day(
    web: httpx.Client, language: str, sentence: str
) -> None:
    found = page(web, f"/cite/{TEXT}", language)
    assert sentence in found.text
    assert words_of(found.one("//pre[@id='address']")).endswith(f"&as_known={today().isoformat()}")
    assert "conforme o publicado até" not in words_of(found.one("//pre[@id='abnt']"))
