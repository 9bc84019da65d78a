"""Tests of ``/timeline/{name}``: picture and table agree with the API, in both languages, and every link works."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, cast

import httpx
import lxml.html
import pytest
from lxml.html import HtmlElement

from graph.time.kinds import Status
from tests.support.web_names import AHEAD, CODE, ENDED, RESTORED, SUSPENDED, TEXT

NAMES = (CODE, TEXT, f"{TEXT}!art2", f"{TEXT}!art1", ENDED, RESTORED, SUSPENDED, AHEAD)

#: The statuses that the picture shows by a pattern.
PATTERNED = {status.value for status in Status} - {"unknown-name", "no-such-provision", "in-force"}


def page(web: httpx.Client, path: str, language: str = "pt-BR") -> HtmlElement:
    answer = web.get(path, headers={"Accept-Language": language, "Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    return lxml.html.document_fromstring(answer.content)


def _elements(page: HtmlElement, path: str) -> list[HtmlElement]:
    """Return the elements at an XPath."""
    return [element for element in cast("list[HtmlElement]", page.xpath(path)) if isinstance(element, HtmlElement)]


def _drawn_periods(page: HtmlElement) -> Iterator[HtmlElement]:
    yield from _elements(page, "(//svg[@class='timeline'])[1]/g[@class='marks']/a")


def rows(page: HtmlElement, table: str = "periods") -> list[list[str]]:
    """Return the text of the cells of a table."""
    lines = _elements(page, f"(//table[@class='{table}'])[1]/tbody/tr")
    return [["".join(cell.itertext()) for cell in row] for row in lines]


def periods(web: httpx.Client, name: str, axis: str = "force") -> list[dict[str, Any]]:
    all_periods = web.get("/api/v1/timeline", params={"urn": name}).json()["periods"]
    return [period for period in all_periods if period["axis"] == axis]


def _shown_periods(web: httpx.Client, name: str) -> list[dict[str, Any]]:
    """Return the periods that a page shows: it divides the vacatio of Lei 8.078/1990 at the day of its publication."""
    published, shown_periods = "1990-09-12", list[dict[str, Any]]()
    for period in periods(web, name):
        if name == CODE and period["status"] == "vacatio":
            later = {**period, "known_from": published}
            shown_periods += [
                {**period, "known_until": published},
                {**later, "until": published},
                {**later, "from": published},
            ]
        else:
            shown_periods.append(period)
    return shown_periods


@pytest.mark.parametrize("name", NAMES)
def test_picture_and_table_have_every_period_once(web: httpx.Client, name: str) -> None:
    timeline_page = page(web, f"/timeline/{name}", "en")
    expected = _shown_periods(web, name)
    drawn = list(_drawn_periods(timeline_page))
    assert len(drawn) == len(rows(timeline_page)) == len(expected) > 0
    for box, row, period in zip(drawn, rows(timeline_page), expected, strict=True):
        looks = {class_name for class_name in _elements(box, "./rect")[0].classes if class_name not in ("even", "now")}
        assert looks == ({str(period["status"])} - {"in-force"})
        assert row[3] == day(period["from"])
        assert row[4] == (day(period["until"], -1) if period["until"] else "no known end")
        assert row[5] == day(period["known_from"])
        assert row[6] == (day(period["known_until"], -1) if period["known_until"] else "today")


def day(text: str, later: int = 0) -> str:
    """Return a date, moved by a number of days, as the English pages write it."""
    moved = date.fromisoformat(text) + timedelta(days=later)
    return f"{moved.day} {month_name[moved.month]} {moved.year}"


@pytest.mark.parametrize("name", NAMES)
def test_every_period_links_to_its_text_or_row(web: httpx.Client, name: str) -> None:
    timeline_page = page(web, f"/timeline/{name}")
    for box, period in zip(_drawn_periods(timeline_page), _shown_periods(web, name), strict=True):
        address = box.get("href", "")
        if period["version"] is None:
            assert len(_elements(timeline_page, f"//tr[@id='{address[1:]}']")) == 1
            continue
        answer = web.get(address, headers={"Accept": "application/json"})
        assert answer.status_code == 200, address
        assert answer.json()["version"]["name"] == period["version"]
        assert (answer.json()["on"], answer.json()["as_known"]) == (period["from"], period["known_from"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_picture_has_accessible_titles(web: httpx.Client, name: str, language: str) -> None:
    timeline_page = page(web, f"/timeline/{name}", language)
    picture, *_ = _elements(timeline_page, "//svg[@class='timeline']")
    for role in ("aria-labelledby", "aria-describedby"):
        assert timeline_page.get_element_by_id(picture.get(role, "")).text
    titles = [_elements(box, "./title")[0].text or "" for box in _drawn_periods(timeline_page)]
    assert all(len(text) > 30 for text in titles)
    assert len(set(titles)) == len(titles), "no two rectangles have the same title"


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_has_the_patterns_in_use_and_one_description(web: httpx.Client, name: str) -> None:
    timeline_page = page(web, f"/timeline/{name}")
    patterns = [pattern.get("id", "") for pattern in _elements(timeline_page, "//pattern")]
    marks = {
        kind
        for mark in _elements(timeline_page, "//*[@class='marks']//rect")
        for kind in (mark.get("class") or "").split()
    }
    assert len(patterns) == len(set(patterns))
    assert {pattern.removeprefix("h-") for pattern in patterns} == marks & PATTERNED
    first, *_ = _elements(timeline_page, "//svg[@class='timeline']")
    described = first.get("aria-describedby", "")
    assert len(_elements(timeline_page, f"//*[@id='{described}']")) == 1


def test_efficacy_has_its_own_timeline(web: httpx.Client) -> None:
    force = rows(page(web, f"/timeline/{SUSPENDED}"))
    efficacy = rows(page(web, f"/timeline/{SUSPENDED}?axis=efficacy"))
    assert force != efficacy
    assert len(efficacy) == len(periods(web, SUSPENDED, "efficacy"))
