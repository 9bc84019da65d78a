"""Tests of the pages on the steps behind a wording, and on disagreements between sources."""

from __future__ import annotations

import httpx

from tests.support.pages import page
from tests.support.web_names import AHEAD

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


def test_provision_steps_have_act_and_date(web: httpx.Client) -> None:
    blame_page = page(web, f"/blame/{CODE}!art57_par1u")
    steps = blame_page.all("//ol[contains(@class, 'steps')]/li")
    assert steps
    assert "8.703" in " ".join(steps)


def test_a_norm_lists_each_provision_with_its_last_step(web: httpx.Client) -> None:
    blame_page = page(web, f"/blame/{CODE}?on=01/01/2000")
    assert len(blame_page.all("//ol[contains(@class, 'steps')]/li/h2")) > 1


def test_agreeing_sources_have_no_disagreements(web: httpx.Client) -> None:
    assert "Nenhuma divergência" in page(web, f"/disagreements/{CODE}").text
    assert "do not disagree" in page(web, f"/disagreements/{CODE}?lang=en").text


def test_invalid_request_is_rejected(web: httpx.Client) -> None:
    for prefix in ("/blame", "/disagreements"):
        assert web.get(f"{prefix}/urn:lex:br:federal:lei:2020-01-02;99999").status_code == 404
        assert web.get(f"{prefix}/{CODE}?x=1").status_code == 400
    assert web.get(f"/blame/{CODE}?on=1993-13-01").status_code == 422


def test_article_steps_include_its_parts_by_date(web: httpx.Client) -> None:
    blame_page = page(web, f"/blame/{CODE}!art57")
    assert "incluindo parágrafos, incisos e alíneas" in blame_page.text
    steps = blame_page.all("//ol[contains(@class, 'steps')]/li")
    assert any("parágrafo único do art. 57" in step and "8.703" in step for step in steps)
    assert "art. 57" in blame_page.all("//ol[contains(@class, 'steps')]/li/h2")
    days = [element.get("datetime") for element in blame_page.elements("//ol[contains(@class, 'steps')]/li//time")]
    assert days == sorted(str(day) for day in days)
    assert "including paragraphs" in page(web, f"/blame/{CODE}!art57?lang=en").text


def test_the_steps_of_a_norm_without_a_text_speak_of_the_norm(web: httpx.Client) -> None:
    assert page(web, f"/blame/{AHEAD}").all("//p[@class='card']") == [
        "Nenhuma fonte dá a redação dos dispositivos desta norma."
    ]
