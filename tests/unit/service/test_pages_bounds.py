"""Tests that pages show the bounds of a change known only within bounds, and never a possible day as exact."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import httpx
import pytest
from markupsafe import Markup

from graph.store import open_for_writing
from queries.text.change_days import ChangeDay, last_change, pending_change, uncertain_days
from service.web.http.negotiation import Language
from service.web.pages.frame import words_in
from service.web.pages.reading_bar import Stop, _distinguish_labels
from service.web.settings import Settings
from tests.support.pages import page, status_words, words_of
from tests.support.web import serving
from tests.unit.queries.test_differences_causes import CHAPTER
from tests.unit.queries.test_rules_of_provisions import LAW as SAMPLE
from tests.unit.queries.test_rules_of_provisions import fact, law_records

LAW, EXACT, BOTH = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99971, 99972, 99973))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over laws with a repealed article."""
    store = tmp_path_factory.mktemp("bounds") / "store"
    with open_for_writing(store, create=True) as opened:
        for name, day in ((LAW, '"2003"'), (EXACT, "2003-05-02")):
            repeal = fact("revogacao", day, "art2").replace(SAMPLE, name)
            opened.apply(law_records("", CHAPTER, repeal, name=name))
        repeals = (fact("revogacao", '"2003"', "art2"), fact("revogacao", "2003-12-31", "art1").replace('"A"', '"B"'))
        opened.apply(law_records("", CHAPTER, *(repeal.replace(SAMPLE, BOTH) for repeal in repeals), name=BOTH))
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_status_line_has_date_bounds(site: httpx.Client) -> None:
    words = status_words(page(site, f"/{LAW}"))
    assert "com alterações, a última entre 01/01/2003 e 31/12/2003 (dia não determinado pelas fontes)" in words
    assert "the last one between 1 January 2003 and 31 December 2003" in status_words(page(site, f"/{LAW}", "en"))
    assert "com alterações" not in status_words(page(site, f"/{LAW}?on=2003-06-01")).partition("Hoje")[0]


def test_status_line_has_an_exact_date(site: httpx.Client) -> None:
    assert "com alterações até 02/05/2003" in status_words(page(site, f"/{EXACT}"))


def test_history_has_the_dates_of_changes(site: httpx.Client) -> None:
    words = page(site, f"/{EXACT}").text
    assert "texto com as alterações de 02/05/2003 (mudou" in words
    words = page(site, f"/{LAW}").text
    assert (
        "pelo menos desde 31/12/2003 texto com as alterações ocorridas entre 01/01/2003 e 31/12/2003,"
        " em dia não determinado pelas fontes" in words
    )


def test_timeline_and_bar_show_possible_dates_as_bounds(site: httpx.Client) -> None:
    words = page(site, f"/timeline/{LAW}").text
    assert "pelo menos desde 31/12/2003: texto com as alterações ocorridas entre" in words
    norm_page = page(site, f"/{LAW}")
    stops = "//div[contains(@class, 'stops')]//ol//a"
    assert norm_page.all(f"{stops}/@title")[-1] == "pelo menos desde 31/12/2003"
    assert norm_page.all(stops)[-1] == "2003"
    assert len(norm_page.all(stops)) == 2


#: The first day in the form of a comparison.
FIRST_DAY = "//input[@id='from']/@value"


@pytest.mark.parametrize("path", ["", "/text"])
def test_comparison_with_the_previous_text_spans_the_bounds_of_the_change(site: httpx.Client, path: str) -> None:
    """Check that the first day is before the first possible day: on a day within the bounds nothing is certain."""
    difference = page(site, f"{path}/{LAW}").follow("anterior ↔ atual")
    assert difference.all(FIRST_DAY) == ["31/12/2002"]
    assert "1 dispositivo revogado" in difference.text
    assert page(site, f"{path}/{EXACT}").follow("anterior ↔ atual").all(FIRST_DAY) == ["01/05/2003"]


def test_revocation_by_an_act_that_no_source_names_has_its_bounds(site: httpx.Client) -> None:
    words = status_words(page(site, f"/{LAW}!art2"))
    assert words.startswith("Revogado entre 01/01/2003 e 31/12/2003; as fontes não informam por qual ato.")
    english = status_words(page(site, f"/{LAW}!art2", "en"))
    assert english.startswith(
        "Revoked between 1 January 2003 and 31 December 2003; the sources do not state by which act."
    )
    assert "Art. 2º (Revogado entre 01/01/2003 e 31/12/2003)" in page(site, f"/{LAW}").text
    assert "por qual ato" not in page(site, f"/{EXACT}!art2").text
    assert "Art. 2º (Revogado)" in page(site, f"/{EXACT}").text


def test_reference_of_an_end_within_bounds_has_no_exact_day(site: httpx.Client) -> None:
    reference = words_of(page(site, f"/cite/{LAW}!art2").one("//pre[@id='abnt']"))
    assert (
        " Revogado entre 1 jan. 2003 e 31 dez. 2003, por ato que as fontes não informam; última redação em vigor pelo "
        "menos até 31 dez. 2002. Disponível em: "
    ) in reference
    exact = words_of(page(site, f"/cite/{EXACT}!art2").one("//pre[@id='abnt']"))
    assert " Revogado; última redação em vigor até 1 maio 2003. Disponível em: " in exact


def test_a_text_begins_on_the_exact_day_of_one_of_its_changes(site: httpx.Client) -> None:
    heading = words_of(page(site, f"/{BOTH}").one("//h2[@id='text-title']"))
    assert heading == "Texto desde 31/12/2003", "another change has this day as its last possible one"


def test_recent_changes_have_date_bounds(site: httpx.Client) -> None:
    words = page(site, "/recent?from=2003-01-01&to=2003-12-31").text
    assert "Entre 01/01/2003 e 31/12/2003 (dia não determinado pelas fontes)" in words
    assert "02/05/2003" in words


def test_the_last_change_has_the_bounds_of_all_changes() -> None:
    year, day = ChangeDay(date(2003, 1, 1), date(2003, 12, 31)), ChangeDay(date(2003, 6, 1), date(2003, 6, 1))
    assert last_change([year, day], date(2001, 1, 1), date(2004, 1, 1)) == ChangeDay(date(2003, 6, 1), year.last)
    assert last_change([year, day], date(2001, 1, 1), date(2003, 7, 1)) == day
    assert last_change([year], date(2001, 1, 1), date(2003, 7, 1)) is None
    assert pending_change([year, day], date(2003, 7, 1)) == year
    assert uncertain_days([year, day]) == {date(2003, 1, 1): year, date(2003, 12, 31): year}


@pytest.mark.parametrize(("language", "word"), [(Language.PORTUGUESE, "em"), (Language.ENGLISH, "in")])
def test_labels_of_texts_within_bounds_differ_in_one_year(language: Language, word: str) -> None:
    """Check two bounds in different months, two in one month, and an exact day beside a bound."""
    days = [
        date(2014, 8, 5),
        date(2015, 3, 17),
        date(2015, 9, 15),
        date(2016, 3, 1),
        date(2016, 3, 9),
        date(2019, 6, 26),
    ]
    exact = date(2019, 11, 12)
    stops = [Stop("a", Markup("t"), day, str(day.year), shown=False, skipped=False) for day in (*days, exact)]
    labels = [stop.begins for stop in _distinguish_labels(stops, [*days, exact], {*days}, words_in(language))]
    assert labels == [
        "2014",
        f"{word} 03/2015",
        f"{word} 09/2015",
        f"{word} 01/03/2016",
        f"{word} 09/03/2016",
        "2019",
        "11/2019",
    ]
