"""Where sources contradict each other no page takes a side in silence: it says who says what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Event, Record, Text
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.pages import page, said
from tests.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
ENDED, TOLD, ALIKE, AMENDED = (f"{LAW}{number}" for number in (99920, 99921, 99922, 99923))
CAUSE = "urn:lex:br:federal:lei:2002-11-30;99908"
ONE, OTHER = "https://um.example/oai", "https://dois.example/oai"


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]
) -> Iterator[httpx.Client]:
    """A service over laws of which two providers speak."""
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
    records.append(record(f"{AMENDED}@2010-01-01;alteracao;2010-01-01", key="later", provider=ONE))
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_an_end_that_sources_date_differently_is_contested(site: httpx.Client) -> None:
    found = said(page(site, f"/{ENDED}?on=2006-06-01"))
    both = (
        f"segundo {OTHER}, revogação, com efeito a partir de 01/01/2007; "
        f"segundo {ONE}, revogação, com efeito a partir de 01/01/2006"
    )
    assert found.startswith(f"As fontes não concordam: {both}. Pelas regras deste serviço: ")
    assert both in said(page(site, f"/{ENDED}?on=2004-06-01")), "until when it is in force is told too"
    before = said(page(site, f"/{ENDED}?on=2004-06-01&as_known=2004-12-31"))
    assert before == "Em vigor desde 06/03/2001; texto de 06/03/2001.", "then nobody knew of an end"
    english = said(page(site, f"/{ENDED}?on=2006-06-01", "en"))
    assert english.startswith(f"The sources do not agree: by {OTHER}, revocation, with effect from 1 January 2007 on;")


def test_a_wording_that_sources_date_differently_is_contested_while_it_holds(site: httpx.Client) -> None:
    found = said(page(site, f"/{AMENDED}?on=2003-06-01"))
    assert f"segundo {ONE}, vale o texto de 01/03/2003" in found
    assert f"segundo {OTHER}, vale o texto de 01/04/2003" in found
    later = said(page(site, f"/{AMENDED}?on=2012-01-01"))
    assert later == "Em vigor desde 06/03/2001; texto de 01/01/2010."
    contested = "//div[contains(@class, 'contested')]"
    assert len(page(site, f"/{AMENDED}?on=2003-06-01").elements(contested)) == 1, "and looks like it"
    assert page(site, f"/{AMENDED}?on=2012-01-01").elements(contested) == []


def test_summaries_that_differ_say_who_writes_them(site: httpx.Client) -> None:
    told = page(site, f"/{TOLD}").all("//p[@class='ementa']")
    assert sorted(told) == [f"Trata das ampulhetas. (segundo {OTHER})", f"Trata dos relógios. (segundo {ONE})"]
    alike = page(site, f"/{ALIKE}").all("//p[@class='ementa']")
    assert not any("segundo" in one for one in alike), "other capitals are no other summary"
