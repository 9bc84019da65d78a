"""Tests of references to the text of a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import httpx
import pytest

from graph.civil import today
from graph.urn import parse
from graph.vocabulary import built_in
from service.web.pages.citing import CitationData, abnt, in_text, place_of
from tests.support.pages import page, words_of
from tests.support.web_names import CODE, ENDED, TEXT


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
