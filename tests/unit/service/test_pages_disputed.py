"""Tests of contradicting sources: pages prefer no source silently, and name the source of each statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Event, Record, Text
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
ENDED, TOLD, ALIKE, AMENDED, LATER, COMING = (f"{LAW}{number}" for number in range(99920, 99926))
CAUSE = "urn:lex:br:federal:lei:2002-11-30;99908"
ONE, OTHER, THIRD = (f"https://{word}.example/oai" for word in ("um", "dois", "tres"))
ONE_NAMED, OTHER_NAMED, THIRD_NAMED = (f"{word}.example" for word in ("um", "dois", "tres"))


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]
) -> Iterator[httpx.Client]:
    """Return a client of a service over laws with records of two or more providers."""
    store = tmp_path_factory.mktemp("disputed") / "store"
    first = "@2001-03-06;publicacao;2001-03-06"
    summaries = ("Trata dos relógios.", "Trata das ampulhetas.")
    records = [
        record(
            f"{name}{first}",
            key=f"{name}{provider}",
            provider=provider,
            summaries=[Text(summary)] if name in (TOLD, ALIKE) else [],
            events=[event("revogacao", ENDED, end, "2005-01-01", CAUSE)] if name == ENDED else [],
        )
        for name in (ENDED, TOLD, ALIKE, AMENDED)
        for provider, summary, end in (
            (ONE, summaries[0], "2006-01-01"),
            (OTHER, summaries[1] if name == TOLD else summaries[0].upper(), "2007-01-01"),
        )
    ]
    records += [
        record(f"{AMENDED}@{day};alteracao;2003-02-01", key=f"{AMENDED}{day}", provider=provider)
        for day, provider in (("2003-03-01", ONE), ("2003-04-01", OTHER))
    ]
    records += [
        record(f"{LATER}{first}", key=f"{LATER}{provider}", provider=provider, datestamp=day)
        for provider, day in ((ONE, "2008-12-15"), (THIRD, "2010-02-03"))
    ]
    records += [
        record(f"{COMING}@{day};publicacao;2001-03-06", key=f"{COMING}{day}", provider=f"https://{who}.example/oai")
        for who, day in (("um", "2990-01-01"), ("<i>x</i>", "2001-06-01"))
    ]
    records.append(record(f"{AMENDED}@2010-01-01;alteracao;2010-01-01", key="later", provider=ONE))
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_end_dated_differently_by_sources_is_disputed(site: httpx.Client) -> None:
    status = status_words(page(site, f"/{ENDED}?on=2006-06-01"))
    both = (
        f"segundo {OTHER_NAMED}, revogação, com efeitos a partir de 01/01/2007; "
        f"segundo {ONE_NAMED}, revogação, com efeitos a partir de 01/01/2006"
    )
    assert status.startswith(f"As fontes divergem: {both}. Pelas regras deste serviço: ")
    assert both in status_words(page(site, f"/{ENDED}?on=2004-06-01")), "until when it is in force is told too"
    before = status_words(page(site, f"/{ENDED}?on=2004-06-01&as_known=2004-12-31"))
    assert before == "Em vigor desde 06/03/2001; texto de 06/03/2001.", "then nobody knew of an end"
    english = status_words(page(site, f"/{ENDED}?on=2006-06-01", "en"))
    assert english.startswith(f"Sources disagree: by {OTHER_NAMED}, revocation, with effect from 1 January 2007 on;")


def test_wording_dated_differently_is_disputed_while_it_applies(site: httpx.Client) -> None:
    status = status_words(page(site, f"/{AMENDED}?on=2003-06-01"))
    assert f"segundo {ONE_NAMED}, texto de 01/03/2003" in status
    assert f"segundo {OTHER_NAMED}, texto de 01/04/2003" in status
    later = status_words(page(site, f"/{AMENDED}?on=2012-01-01"))
    assert later == "Em vigor desde 06/03/2001; texto de 01/01/2010."
    contested = "//div[contains(@class, 'contested')]"
    assert len(page(site, f"/{AMENDED}?on=2003-06-01").elements(contested)) == 1, "and looks like it"
    assert page(site, f"/{AMENDED}?on=2012-01-01").elements(contested) == []


def test_different_summaries_name_their_sources(site: httpx.Client) -> None:
    reported = page(site, f"/{TOLD}").all("//p[@class='ementa']")
    assert sorted(reported) == [
        f"Trata das ampulhetas. (segundo {OTHER_NAMED})",
        f"Trata dos relógios. (segundo {ONE_NAMED})",
    ]
    alike = page(site, f"/{ALIKE}").all("//p[@class='ementa']")
    assert not any("segundo" in summary for summary in alike), "other capitals are no other summary"


def test_badge_states_the_dispute(site: httpx.Client) -> None:
    """Check the days between the two stated ends, and no others."""
    reported = site.get(f"/badge/{ENDED}?on=2006-06-01&format=svg").text
    assert "Em 01/06/2006: revogada desde 01/01/2006, mas as fontes divergem" in reported
    assert "As fontes divergem quanto às datas que determinam a situação." in reported
    assert "? Em 01/06/2006: revogada" in reported
    html = page(site, f"/badge/{ENDED}?on=2006-06-01&format=html", "en")
    box = html.one("//main/p")
    assert "On 1 June 2006: revoked since 1 January 2006, but sources differ" in html.text
    assert "contested" in str(box.get("class")).split()
    assert str(box.get("title")).startswith("Sources disagree on the dates that decide the status.")
    for day in ("2005-12-31", "2007-01-01"):
        assert "divergem" not in site.get(f"/badge/{ENDED}?on={day}&format=svg").text, "then they agree"
    before = site.get(f"/badge/{ENDED}?on=2006-06-01&as_known=2004-12-31&format=svg").text
    assert "✓ Em vigor" in before
    assert "divergem" not in before, "nobody knew of an end"
    assert "divergem" in site.get(f"/badge/{AMENDED}?on=2003-03-15&format=svg").text, "one has another text by then"
    assert "divergem" not in site.get(f"/badge/{TOLD}?on=2006-06-01&format=svg").text


def test_search_results_state_the_dispute(site: httpx.Client) -> None:
    search_page = page(site, "/search?q=Lei 99.920/2001&on=2006-06-01")
    then, today = search_page.elements("//ol[@class='found']/li[1]//span[contains(@class, 'badge')]")
    assert then.text_content() == "em 01/06/2006: Revogada, mas as fontes divergem"
    assert "contested" in str(then.get("class")).split()
    assert str(then.get("title")).startswith("As fontes divergem quanto às datas")
    assert today.text_content() == "hoje: Revogada"
    assert today.get("title") is None


def test_timeline_marks_disputed_periods(site: httpx.Client) -> None:
    """Check the rectangles with a day between the two ends, from the day on which both were known."""
    timeline_page = page(site, f"/timeline/{ENDED}")
    reported = timeline_page.all("//svg//g[@class='marks']/a/title")
    rows = timeline_page.all("//table[contains(@class, 'periods')]/tbody/tr/td[2]")
    marks = [str(element.get("class")).split() for element in timeline_page.elements("//svg//g[@class='marks']/a/path")]
    assert rows == ["Em vigor", "Em vigor", "Revogada, mas as fontes divergem (situação atual)"]
    assert ["mas as fontes divergem" in title for title in reported] == [False, False, True]
    assert ["contested" in mark for mark in marks] == [False, False, True]
    assert "borda tracejada: as fontes divergem quanto às datas deste período" in timeline_page.text
    calm = page(site, f"/timeline/{TOLD}")
    assert "divergem" not in calm.text
    assert calm.elements("//*[contains(@class, 'contested')]") == []


def test_provision_states_the_disputed_end_of_its_norm(site: httpx.Client) -> None:
    status = status_words(page(site, f"/{ENDED}!art1?on=2006-06-01"))
    assert status.startswith("As fontes divergem: ")
    assert "mas as fontes divergem" in site.get(f"/badge/{ENDED}!art1?on=2006-06-01&format=svg").text


def test_source_coverage_is_stated_once(site: httpx.Client) -> None:
    """Check that sources with the same last day are grouped, and that others have their own day."""
    (alike,) = page(site, f"/{TOLD}").all("//p[contains(@class, 'horizon')]")
    assert alike == (
        f"Dados atualizados, por fonte: {OTHER_NAMED}, {ONE_NAMED}, até 15/12/2008. O que elas publicaram depois não "
        "consta aqui. As fontes não citadas nesta lista não informam até que data estão atualizadas."
    )
    (apart,) = page(site, f"/{LATER}", "en").all("//p[contains(@class, 'horizon')]")
    assert apart == (
        f"Data current, by source: {THIRD_NAMED}, up to 3 February 2010; {ONE_NAMED}, up to 15 December 2008. "
        "What they published later is not included. Sources not in this list do not state how current they are."
    )


def test_disputed_date_has_a_sentence_and_both_sources(site: httpx.Client) -> None:
    """Check a day on which the status is that of today, and on which one source states another status."""
    norm_page = page(site, f"/{ENDED}?on=2006-06-01")
    then, now = norm_page.all("//section[contains(@class, 'standing')]//div/p[1]")
    assert now.startswith("Hoje, ")
    assert then.startswith("Em 01/06/2006, ")
    assert "As fontes divergem: segundo" in then
    assert "As fontes divergem: veja acima o que cada uma informa." in norm_page.text
    assert {ONE_NAMED, OTHER_NAMED} <= {
        who
        for who in (ONE_NAMED, OTHER_NAMED)
        for source in norm_page.all("//section[@class='sources']//li")
        if who in source
    }
    rows = norm_page.all("//section[@class='history']//tbody/tr")
    assert [("as fontes divergem" in row) for row in rows] == [False, True]
    agreed = page(site, f"/{ENDED}?on=2010-01-01")
    assert "As fontes divergem: veja acima" not in agreed.text
    assert "Sources disagree" in page(site, f"/{ENDED}?on=2006-06-01", "en").text


def test_answer_states_its_knowledge_date(site: httpx.Client) -> None:
    then, _ = page(site, f"/{ENDED}?on=2010-01-01&as_known=2009-01-01").all(
        "//section[contains(@class, 'standing')]//div/p[1]"
    )
    assert then.startswith("Em 01/01/2010, conforme o publicado até 01/01/2009:")


def test_future_start_is_stated_and_source_names_are_escaped(site: httpx.Client) -> None:
    norm_page = page(site, f"/{COMING}")
    assert "segundo um.example, em vigor só a partir de 01/01/2990" in status_words(norm_page)
    assert "segundo https://<i>x</i>.example/oai, em vigor desde 01/06/2001" in status_words(norm_page)
    english = page(site, f"/{COMING}", "en")
    assert "in force only from 1 January 2990 on" in english.text
    assert "&lt;" not in english.text
