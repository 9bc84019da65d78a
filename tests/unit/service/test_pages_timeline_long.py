"""Tests of timelines of many versions: a page of limited size with every rectangle, and tables in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

import httpx
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import HEAVIEST, page
from tests.support.web import serving
from tests.support.web_names import TEXT

NORM = "urn:lex:br:federal:lei:1990-01-02;99961"
VERSIONS = 200


@pytest.fixture(scope="module")
def amended(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record]) -> Iterator[httpx.Client]:
    """Return a client of a service over a law that was amended every two months."""
    days = [date(1990, 1, 3) + timedelta(days=60 * n) for n in range(VERSIONS)]
    folder = tmp_path_factory.mktemp("amended") / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply([record(f"{NORM}@{day};{'alteracao' if n else 'publicacao'};{day}") for n, day in enumerate(days)])
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_long_timeline_has_limited_size_and_is_split(amended: httpx.Client, language: str) -> None:
    first = page(amended, f"/timeline/{NORM}?lang={language}")
    assert len(first.response.content) < HEAVIEST
    landmarks = first.all("//nav/@aria-label")
    assert len(set(landmarks)) == len(landmarks) > 3, "each is known by its own name"
    marks = first.all("//svg//a/@href")
    assert len(marks) == 2 * VERSIONS - 1, "one for each version until the next, and one from then on"
    reported = ["".join(element.itertext()) for element in first.elements("//svg//a")]
    assert all(reported)
    parts = list(dict.fromkeys(first.all("//nav[@class='parts'][1]/a/@href")))
    numbers: list[str] = []
    events = 0
    for part in parts:
        timeline_page = page(amended, part, language)
        assert len(timeline_page.response.content) < HEAVIEST
        numbers += timeline_page.all("//table[@class='periods']/tbody/tr/@id")
        events += len(timeline_page.elements("//table[@class='happened']/tbody/tr"))
    assert [f"#{number}" for number in numbers] == [f"#{mark.partition('#')[2]}" for mark in marks]
    assert events == VERSIONS
    last = page(amended, f"/timeline/{NORM}{marks[-1].partition('#')[0]}", language)
    assert last.elements(f"//tr[@id='{marks[-1].partition('#')[2]}']//a/@href"), "a mark leads to its row"
    assert page(amended, f"/timeline/{NORM}?parte=2").follow("41–60").elements("//tr[@id='p41']")
    assert page(amended, f"/timeline/{NORM}?part=99").response.status_code == 422


def test_article_timeline_includes_its_changed_parts(web: httpx.Client) -> None:
    """Check art. 57: its caput was reworded and a paragraph inserted, while the article kept its version."""
    timeline_page = page(web, "/timeline/urn:lex:br:federal:lei:1990-09-11;8078!art57")
    named = timeline_page.all("//svg[@class='timeline']/title")
    assert [title.partition(",")[0] for title in named] == [
        "Linha do tempo: Art. 57 da Lei nº 8.078",
        "Linha do tempo: Caput do art. 57 da Lei nº 8.078",
        "Linha do tempo: Parágrafo único do art. 57 da Lei nº 8.078",
    ]
    assert "Nele, estes dispositivos têm alterações próprias" in timeline_page.text
    second = timeline_page.all("//table[@class='periods'][2]/tbody/tr/th")
    assert "texto de 22/05/1993 (alteração de 22/05/1993)" in second
    assert any("caput do art. 57" in heading for heading in timeline_page.all("//table[@class='happened']/tbody/tr/th"))
    assert len(timeline_page.all("//@id")) == len(set(timeline_page.all("//@id")))
    assert "mudou por si" not in page(web, f"/timeline/{TEXT}").text
