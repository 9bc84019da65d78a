"""Tests that links keep the days of their page: from the law of a day, they open other laws as of that day."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.pages import Page, page

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
AMENDING = "urn:lex:br:federal:lei:1993;8703"
REVOKED, REVOKING = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:federal:lei:2006-05-08;99908"


def queries_to(page: Page, name: str) -> set[str]:
    """Return the queries of a page's links to a norm."""
    return {urlsplit(href).query for href in page.all("//main//a/@href") if urlsplit(href).path == f"/{name}"}


@pytest.mark.parametrize(
    ("path", "to", "query"),
    [
        pytest.param(f"/{CODE}?on=2003-02-01", AMENDING, "on=2003-02-01", id="lists, reasons and notes"),
        pytest.param(
            f"/{CODE}?on=2009-06-01&as_known=2010-01-01", AMENDING, "on=2009-06-01&as_known=2010-01-01", id="both days"
        ),
        pytest.param(
            f"/{CODE}?on=2003-02-01&axis=efficacy", AMENDING, "on=2003-02-01&axis=efficacy", id="the other clock"
        ),
        pytest.param(f"/{CODE}!art57?on=2003-02-01", AMENDING, "on=2003-02-01", id="a provision"),
        pytest.param(f"/{AMENDING}?on=2009-06-01", CODE, "on=2009-06-01", id="from the act that amends"),
        pytest.param(f"/{REVOKED}?on=2009-06-01", REVOKING, "on=2009-06-01", id="what revoked it"),
        pytest.param(f"/text/{CODE}?on=2003-02-01", AMENDING, "on=2003-02-01", id="the whole text"),
        pytest.param(
            f"/diff/{CODE}?from=1991-06-01&to=2003-02-01", AMENDING, "on=2003-02-01", id="the second day of two"
        ),
        pytest.param(f"/blame/{CODE}?on=2003-02-01", CODE, "on=2003-02-01", id="where the words come from"),
    ],
)
def test_link_keeps_the_dates_of_its_page(sample: httpx.Client, path: str, to: str, query: str) -> None:
    source_page = page(sample, path)
    assert queries_to(source_page, to) == {query}
    assert sample.get(f"/{to}?{query}", headers={"accept": "text/html"}, follow_redirects=True).status_code == 200


def test_page_of_today_has_links_without_dates(sample: httpx.Client) -> None:
    assert queries_to(page(sample, f"/{CODE}"), AMENDING) == {""}


def test_act_without_a_text_on_the_date_is_linked_without_it(sample: httpx.Client) -> None:
    """Check an act that is newer than the day, or ended before it: with the day, its address would return 404."""
    assert queries_to(page(sample, f"/{REVOKED}?on=2005-01-01"), REVOKING) == {""}
    assert queries_to(page(sample, f"/{REVOKING}?on=2009-06-01"), REVOKED) == {""}
    assert queries_to(page(sample, f"/{REVOKING}?on=2003-02-01"), REVOKED) == {"on=2003-02-01"}
