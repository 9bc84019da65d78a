"""Tests of pages with many entries: length and work are limited, and the rest is counted and linked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from itertools import islice
from time import process_time
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from graph.errors import BadParameter
from graph.store import Store, in_memory
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis
from graph.urn import parse
from ontology.events import event_iri
from queries import intervals
from queries.catalogue import named
from queries.related import Record
from queries.text.answers import ProvisionText
from service.web.http.negotiation import Language
from service.web.names.parameters import RequestParameters
from service.web.pages import norm
from service.web.pages.frame import Frame
from service.web.pages.norm_request import NormPageRequest
from service.web.pages.related import records_listed
from service.web.text_layout import bytes_of, lay_out
from tests.support.law_parts import fact_records
from tests.support.laws import BODY, law
from tests.support.pages import HEAVIEST, Page, page
from tests.support.sites.limits import COPIED, COPIES, CURATORS, DISPUTED, HALTED, LONG, PAUSES, WORDS, suspensions


@pytest.fixture(scope="module")
def crowded(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("limits")


def _links(page: Page, section: str) -> dict[str, dict[str, str]]:
    """Return the words of each note on further entries, with the query of its link."""
    notes = page.elements(f"//section[contains(@class, '{section}')]//*[contains(@class, 'soft')][a]")
    return {
        " ".join(note.text_content().split()): {
            key: value[0] for key, value in parse_qs(urlsplit(note.xpath("./a/@href")[0]).query).items()
        }
        for note in notes
    }


def test_disputes_beyond_the_limit_are_counted(crowded: httpx.Client) -> None:
    norm_page = page(crowded, f"/{DISPUTED}")
    (reported,) = [notice for notice in norm_page.all("//div[@class='notices']//li") if "divergem" in notice]
    assert reported.count("o curador Curador") == 12
    assert f"e mais {CURATORS - 12}" in reported
    assert f"e mais {CURATORS - 5}" in norm_page.all("//strong[@class='word']")[0]
    (rest,) = norm_page.elements("//div[@class='notices']//a[contains(@href, 'events_of_work')]")
    assert parse_qs(urlsplit(rest.get("href") or "").query) == {"example": ["events_of_work"], "norma": [DISPUTED]}
    listed = norm_page.elements("//section[contains(@class, 'sources')]//ol/li")
    cited = set(norm_page.all("//a[@class='ref']/@href"))
    assert cited <= {f"#{item.get('id')}" for item in listed}, "each source that a sentence cites is listed"


def test_uncited_records_are_omitted_first() -> None:
    every = {
        index: Record(f"urn:x:{index}", str(index), None, None, "C", None, "d" * 300, "r" * 300)
        for index in range(1, 81)
    }
    listing = records_listed(every, 60, 500)
    assert [number for number, _ in listing.shown] == [*range(1, 61)]
    assert listing.more == 440
    assert listing.shown[0][1].remark == "r" * 300
    assert {(record.cited, record.remark) for _, record in listing.shown[30:]} == {(None, None)}
    assert records_listed(dict(islice(every.items(), 3)), 1, 3).more == 0


def test_copies_beyond_the_limit_are_counted_and_linked(crowded: httpx.Client) -> None:
    norm_page = page(crowded, f"/{COPIED}")
    shown = norm_page.elements("//section[contains(@class, 'copies')]//li[a[@rel]]")
    version = f"{COPIED}@2001-06-01;publicacao;2001-03-06"
    assert 1 < len(shown) < COPIES
    more = f"e mais {COPIES - len(shown)} (Ver a lista inteira)"
    assert _links(norm_page, "copies") == {more: {"example": "copies_of_version", "versao": version}}
    assert page(crowded, f"/sparql/editor?example=copies_of_version&versao={version}").response.status_code == 200


@pytest.mark.parametrize(("on", "first"), [("2003-01-15", "01/01/2003"), ("2007-11-15", "01/11/2007")])
def test_periods_without_effect_near_the_date_are_listed(crowded: httpx.Client, on: str, first: str) -> None:
    provision_page = page(crowded, f"/{HALTED}!art1?on={on}")
    (reported,) = [
        paragraph for paragraph in provision_page.all("//section[@class='history']/p") if "sem eficácia" in paragraph
    ]
    assert reported.count(";") == 11
    assert first in reported
    assert _links(provision_page, "history") == {f"e mais {PAUSES - 12} (Ver a lista inteira)": {"axis": "efficacy"}}


def test_long_provision_is_split_into_parts(crowded: httpx.Client) -> None:
    provision_page, words = page(crowded, f"/{LONG}!art1"), list[str]()
    while True:
        words += provision_page.one("//div[contains(@class, 'law')]").text_content().split()
        assert len(provision_page.response.content) < HEAVIEST
        following = provision_page.all("//a[@rel='next']/@href")
        if not following:
            break
        assert "(continua na parte seguinte)" in provision_page.text
        provision_page = page(crowded, following[0])
        assert "(continuação da parte anterior)" in provision_page.text
        assert len(provision_page.elements("//*[@id='art1']")) == 1
    assert words.count("longo") == words.count("<") == WORDS
    assert "(continua na parte seguinte)" not in provision_page.text


@pytest.mark.parametrize(
    "words", ["longo < " * 40_000, "&" * 100_000, "x" * 200_000, "uma linha\n" * 30_000, "é" * 60_000]
)
def test_parts_keep_all_words_in_order(words: str) -> None:
    name = f"{LONG}!art1_par1"
    version = f"{LONG}@2001-06-01;publicacao;2001-03-06!art1_par1"
    reading = lay_out([ProvisionText(name, "§ 1º", words, 1, None, version, None)])
    assert len(reading.parts) > 1
    assert "".join(line for text_part in reading.parts for block in text_part for line in block.lines) == words.replace(
        "\n", ""
    )
    for blocks in reading.parts:
        (block,) = blocks
        assert sum(map(bytes_of, block.lines)) <= 45_000
        assert (block.continued, block.goes_on) == (blocks is not reading.parts[0], blocks is not reading.parts[-1])


def test_missing_part_is_rejected_before_rendering(crowded: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    error_page = page(crowded, f"/{DISPUTED}?part=999", "en")
    assert error_page.response.status_code == 422
    assert "expected part from 1 to 1, got 999" in error_page.text

    def put_together(*_: object) -> None:
        pytest.fail("the page is put together")

    monkeypatch.setattr(norm, "dossier", put_together)
    monkeypatch.setattr(norm, "related_data", put_together)
    frame = Frame(Language.PORTUGUESE, False, f"/{HALTED}", (), "http://x.invalid")
    today = date(2026, 1, 1)
    asked = NormPageRequest(frame, HALTED, None, None, today, Axis.FORCE, RequestParameters(), today, 999)
    with in_memory() as store:
        store.apply(law(HALTED, BODY))
        with pytest.raises(BadParameter):
            norm.norm_page(store, asked.as_json())


@cache
def _store_with_suspensions(count: int) -> Store:
    """Return a store with an article that has this number of suspensions."""
    store = in_memory()
    store.apply([*law(HALTED, BODY), *fact_records(suspensions(f"{HALTED}!art1", count))])
    return store


@pytest.mark.parametrize("query", ["events_of_provisions", "provisions_acted_on", "provisions_with_own_periods"])
def test_query_time_is_linear_in_records_of_a_provision(query: str) -> None:
    """Check the time: a join with each record would be quadratic in the number of records."""
    taken = [min(_query_seconds(query, count) for _ in range(3)) for count in (25, 100)]
    assert taken[1] < 8 * taken[0] + 0.005


def _query_seconds(query: str, count: int) -> float:
    """Return the CPU seconds of a query on a norm with an article that has this number of suspensions."""
    store = _store_with_suspensions(count)
    parameters = {"norma": HALTED, **({"tipo": event_iri("suspensao")} if query == "events_of_provisions" else {})}
    start = process_time()
    rows = list(named(query).rows(store, parameters))
    assert str(rows[0]["dispositivo"]).endswith("!art1")
    return process_time() - start


def test_periods_of_many_suspensions_are_reported() -> None:
    target, halted = parse(f"{HALTED}!art1"), MemoizingStore(_store_with_suspensions(25))
    reported = intervals.provision_periods(halted, target)
    today = date(2026, 1, 1)
    rows = [period for period in reported if period.axis is Axis.EFFICACY and period.holds(period.valid_from, today)]
    assert sum(row.status == "suspended" for row in rows) == 25
    assert intervals.over_force(halted, target, today)[-1].status == "in-force"
