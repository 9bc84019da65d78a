"""Tests of the band of a timeline: which text was in force when, as known today."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest

from tests.support.pages import page, words_of
from tests.support.web_names import CODE, TEXT


@pytest.mark.parametrize("name", [CODE, TEXT, f"{CODE}!art57"])
def test_timeline_band_links_to_every_text_in_order(web: httpx.Client, name: str) -> None:
    timeline_page = page(web, f"/timeline/{name}")
    listed = timeline_page.all("//ol[@class='texts']//a/@href")
    assert timeline_page.all("//*[local-name()='svg'][@class='band']//a/@href") == listed
    assert len(listed) >= 2
    edges = [
        (float(element.get("x").rstrip("%")), float(element.get("width").rstrip("%")))
        for element in timeline_page.elements("//*[local-name()='svg'][@class='band']//rect")
    ]
    assert edges == sorted(edges)
    assert edges[0][0] == 0
    assert edges[-1][0] + edges[-1][1] == pytest.approx(100, abs=0.1)
    for (left, width), (after, _) in pairwise(edges):
        assert left + width == pytest.approx(after, abs=0.2), "the scale is linear and has no holes"
    (now,) = timeline_page.elements("//ol[@class='texts']/li[@class='now']")
    assert "situação atual" in words_of(now)
    days = listed[0].partition("on=")[2]
    assert page(web, listed[0]).response.status_code == 200
    assert days in listed[0]
