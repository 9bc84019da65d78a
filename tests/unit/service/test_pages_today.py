"""Tests of the address of a norm or provision without a day: it redirects to the text of today."""

from __future__ import annotations

import json
from datetime import date
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.pages import page, words_of
from tests.support.web_names import links

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99916"


def _law_text(client: httpx.Client, address: str) -> str:
    return str(page(client, address).one("//div[contains(@class, 'law')]").text_content())


@pytest.mark.parametrize("provision", [f"{CODE}!art57", f"{CODE}!art57_cpt", f"{CODE}!art57_par1u", f"{CLOCKS}!art1"])
def test_provision_without_a_date_opens_the_text_of_today(sample: httpx.Client, provision: str) -> None:
    """Compare with the same address with the day of today."""
    today = sample.get("/api/v1/in-force", params={"urn": provision}).json()["on"]
    assert _law_text(sample, f"/{provision}") == _law_text(sample, f"/{provision}?on={today}")
    canonical = page(sample, f"/{provision}").one("//link[@rel='canonical']").get("href", "")
    assert _law_text(sample, canonical) == _law_text(sample, f"/{provision}?on={today}")
    assert _law_text(sample, links(sample.get(f"/{provision}"))["current"]) == _law_text(
        sample, f"/{provision}?on={today}"
    )


@pytest.mark.parametrize(
    ("asked", "on", "known"),
    [
        (f"{CODE}!art57", "1993-09-08", None),
        (f"{CODE}!art57?as_known=1993-06-01", "1993-05-22", "1993-06-01"),
        (f"{CODE}@1993-05-22;alteracao;1993-05-22!art57", "1993-05-22", "1993-05-22"),
        (f"{CODE}@1993-05-22;retificacao;2007-01-10!art57", "1993-05-22", None),
        (f"{CODE}@1993-09-08;retificacao;2007-01-10!art57", "1993-09-08", None),
        (f"{CODE}@1991-03-11;publicacao;1990-09-12!art57", None, None),
    ],
)
def test_redirect_has_a_date_if_the_name_alone_is_ambiguous(
    sample: httpx.Client, asked: str, on: str | None, known: str | None
) -> None:
    answer = sample.get(f"/{asked}", headers={"Accept": "application/json"}, follow_redirects=True)
    assert answer.status_code == 200
    stated = parse_qs(urlsplit(str(answer.url)).query)
    assert (stated.get("on"), stated.get("as_known")) == ([on] if on else None, [known] if known else None)
    assert json.loads(answer.text)["on"] == (on or "1991-03-11")
    if known is None:
        assert "memento-datetime" in answer.headers


def test_text_other_than_the_current_one_states_so(sample: httpx.Client) -> None:
    old = page(sample, f"/{CODE}@1991-03-11;publicacao;1990-09-12!art57")
    assert "Este não é o texto em vigor hoje." in old.text
    for day in ("1992-01-01", "1993-06-01"):
        provision_page = page(sample, f"/{CODE}!art57?on={day}")
        boxes = provision_page.all("//section[contains(@class, 'standing')]//span[@class='when']")
        assert len(boxes) == 2, "today, and the day that is asked"
    now = page(sample, f"/{CODE}!art57")
    assert len(now.all("//section[contains(@class, 'standing')]//span[@class='when']")) == 1
    assert "Este não é o texto em vigor hoje." not in now.text


def test_unsourced_provision_is_not_called_out_of_force(sample: httpx.Client) -> None:
    provision_page = page(sample, f"/{CODE}!art58")
    assert "Nenhuma fonte traz este dispositivo." in provision_page.text
    assert "Não havia texto em vigor nessa data." not in provision_page.text
    early = page(sample, f"/{CODE}!art57_par1u?on=1993-06-01")
    assert "em que se soube da norma" not in early.text


def test_date_field_contains_today_on_the_current_page(sample: httpx.Client) -> None:
    for address in (CODE, f"{CODE}!art57", CLOCKS):
        norm_page = page(sample, f"/{address}")
        today = sample.get("/api/v1/in-force", params={"urn": address}).json()["on"]
        assert set(norm_page.all("//input[@name='on']/@value")) == {f"{date.fromisoformat(today):%d/%m/%Y}"}
    norm_page = page(sample, f"/{CODE}?on=1992-01-01")
    assert set(norm_page.all("//input[@name='on']/@value")) == {"01/01/1992"}


def test_article_history_includes_changes_of_its_parts(sample: httpx.Client) -> None:
    """Check one row for each text, with a link to it; the timeline states that its picture omits them."""
    provision_page = page(sample, f"/{CODE}!art57")
    assert "incluindo parágrafos, incisos e alíneas" in str(provision_page.all("//section[@class='history']//h3")[0])
    rows = provision_page.elements("(//section[@class='history']//table)[1]/tbody/tr")
    assert [" ".join(words_of(cell) for cell in row) for row in rows] == [
        "só em 11/09/1990 Assinado, ainda não publicado",
        "de 12/09/1990 a 10/03/1991 Publicado, em vacatio legis",
        "de 11/03/1991 a 21/05/1993 texto de 11/03/1991",
        "de 22/05/1993 a 07/09/1993 texto de 22/05/1993 (dado pela Lei nº 8.656, de 1993) (mudou: caput)",
        "desde 08/09/1993 texto de 08/09/1993 (dado pela Lei nº 8.703, de 1993) (mudou: parágrafo único)",
    ]
    assert [row.get("class") for row in rows] == [None, None, None, None, "current"]
    second, third = (provision_page.follow(f"texto de {day}") for day in ("22/05/1993", "08/09/1993"))
    assert "on=1993-05-22" in second.path
    assert "Parágrafo único" not in second.one("//div[@class='law']").text_content()
    assert "Parágrafo único" in third.one("//div[@class='law']").text_content()
    english = page(sample, f"/{CODE}!art57", "en")
    assert "(changed: sole paragraph)" in english.text
    assert "como um todo, sem as suas partes" in page(sample, f"/timeline/{CODE}!art57").text
    assert "como um todo" not in page(sample, f"/timeline/{CODE}").text


def test_diff_lists_an_inserted_part_before_the_next_article(sample: httpx.Client) -> None:
    diff_page = page(sample, "/diff/urn:lex:br:federal:lei:2001-03-05;99916?from=2001-06-01&to=2002-06-01")
    assert [element.get("id") for element in diff_page.elements("//*[@id][.//del or .//ins][not(.//*[@id])]")] == [
        "art1_cpt",
        "art1_par1u",
        "art2_cpt",
    ]
    assert diff_page.elements("//article[@id='art2']//*[@id='art2_cpt']"), "one change, with both its anchors"


def test_provision_omitted_by_a_source_is_not_called_inserted(sample: httpx.Client) -> None:
    diff_page = page(sample, f"/diff/{CODE}?from=1990-09-12&to=1993-09-08")
    changes = diff_page.all("//article[contains(@class, 'change')]/@id")
    assert changes
    assert not [change for change in changes if "omi" in change]
    inserted = len(diff_page.all("//article[contains(@class, 'inserted')]"))
    assert f"{inserted} dispositivos incluídos" in diff_page.text or "1 dispositivo incluído" in diff_page.text
