"""Tests of the pages of texts: references to the text of a day, and texts laid out for reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.provisions import law
from graph.civil import today
from graph.urn import parse
from graph.vocabulary import built_in
from queries.text.answers import ProvisionText
from service.web import text_layout
from service.web.pages.citing import CitationData, abnt, in_text, place_of
from service.web.text_layout import lay_out
from tests.support.cases import values
from tests.support.pages import HEAVIEST, page, words_of
from tests.support.sites.reading import NORM
from tests.support.web_names import CODE, ENDED, TEXT

# References to the text of a day


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
    ("name", "planalto", "published"), values("pages_reading", "place_and_publisher_follow_from_the_federal_authority")
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


# Texts laid out for reading


LONG = law(1)
PROVISIONS = 2_000


@pytest.fixture(scope="module")
def long(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("reading")


def provisions(draw: st.DrawFn) -> list[ProvisionText]:
    """Draw chapters, and articles with caput, items and paragraphs, of any length."""
    texts: list[ProvisionText] = []

    def add(fragment: str, label: str | None, words: str | None, *, level: int, event: str = "publicacao") -> None:
        version = f"{NORM}@2001-06-01;{event};2001-03-06!{fragment}"
        heading = "Do capítulo" if fragment.startswith("cap") else None
        texts.append(ProvisionText(f"{NORM}!{fragment}", label, words, level, heading, version, None))

    words = st.sampled_from(["Palavra.", "Palavras à parte; e mais.\n\nOutra linha.", "É longo. " * 600])
    article = 0
    for chapter in range(1, draw(st.integers(0, 3)) + 1):
        add(f"cap{chapter}", f"Capítulo {chapter}", None, level=1)
        for _ in range(draw(st.integers(0, 25))):
            article += 1
            event = draw(st.sampled_from(["publicacao", "alteracao"]))
            add(f"art{article}", f"Art. {article}.", None, level=2)
            add(f"art{article}_cpt", None, draw(words), level=3, event=event)
            if draw(st.booleans()):
                add(f"art{article}_cpt_inc1", "I –", draw(words), level=4)
            if draw(st.booleans()):
                add(f"art{article}_par1u", "Parágrafo único.", draw(words), level=3)
    return texts


@given(st.composite(provisions)())
def test_layout_has_every_provision_once_and_limits_parts(text: list[ProvisionText]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_layout, "_PART", 60_000)
        reading = lay_out(text)
    blocks = [block for part in reading.parts for block in part]
    fragments = [fragment for block in blocks for fragment in block.fragments]
    assert fragments == [provision_text.name.rpartition("!")[2] for provision_text in text]
    assert [line for block in blocks for line in block.lines] == [
        line for provision_text in text for line in (provision_text.text or "").split("\n") if line.strip()
    ]
    for part in reading.parts:
        heaviest = max(block.weight for block in part)
        assert sum(block.weight for block in part) <= 60_000 * 1.25 + heaviest
    assert [entry.fragment for entry in reading.entries] == [f for f in fragments if f.startswith("cap")]
    for entry in reading.entries:
        assert entry.fragment in {f for block in reading.parts[entry.part - 1] for f in block.fragments}
    changed = [
        provision_text
        for provision_text in text
        if provision_text.version is not None and ";alteracao;" in provision_text.version
    ]
    assert [block.changed for block in blocks if block.changed] == [
        provision_text.version for provision_text in changed
    ]


def test_page_of_a_long_norm_has_its_whole_text(long: httpx.Client) -> None:
    norm_page = page(long, f"/{LONG}?on=2005-01-01")
    fragments = norm_page.all("//div[contains(@class, 'law')]//@id")
    assert len(fragments) == len(set(fragments)) == PROVISIONS
    articles = [fragment for fragment in fragments if re.fullmatch("art[0-9]+", fragment)]
    assert articles == [f"art{number}" for number in range(1, PROVISIONS // 5 + 1)]
    assert norm_page.all("//*[contains(@class, 'parts')] | //nav[contains(@class, 'articles')]") == []


def test_long_diff_is_split_into_parts(long: httpx.Client) -> None:
    diff_page = page(long, f"/diff/{LONG}?from=2002-01-01&to=2005-01-01")
    anchors: list[str] = []
    while True:
        assert len(diff_page.response.content) < HEAVIEST
        anchors += diff_page.all("//article[contains(@class, 'change')]/@id")
        following = diff_page.all("//a[@rel='next']/@href")
        if not following:
            break
        diff_page = page(long, following[0])
    assert anchors == [f"art{number}_cpt" for number in range(10, PROVISIONS // 5 + 1, 10)]
