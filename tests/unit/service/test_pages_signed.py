"""Tests that tables of days distinguish the signature of a norm from its publication."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.entities import Record
from graph.store import open_for_writing
from graph.vocabulary import built_in
from queries.naming import Agreement, MatchReason
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.phrases import why
from service.web.pages.sentences import Sentences
from service.web.settings import Settings
from tests.support.pages import page, words_of
from tests.support.web import serving

SIGNED, PUBLISHED = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99971, 99972))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record]) -> Iterator[httpx.Client]:
    """Return a client of a service over a law with a signature only, and one published on a later day."""
    store = tmp_path_factory.mktemp("signed") / "store"
    with open_for_writing(store, create=True) as opened:
        opened.apply(
            [
                record(f"{SIGNED}@2002-01-01;assinatura;2001-03-05"),
                record(f"{PUBLISHED}@2002-01-01;assinatura;2001-03-05"),
                record(f"{PUBLISHED}@2002-01-01;publicacao;2001-03-09"),
            ]
        )
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_norm_is_signed_before_its_publication(site: httpx.Client) -> None:
    rows = [words_of(element) for element in page(site, f"/{PUBLISHED}").elements("//table[@class='lives']/tbody/tr")]
    assert rows[:2] == [
        "de 05/03/2001 a 08/03/2001 Assinada, ainda não publicada",
        "de 09/03/2001 a 31/12/2001 Publicada, em vacatio legis",
    ]
    timeline = page(site, f"/timeline/{PUBLISHED}")
    periods = [[*element.itertext()][1:5] for element in timeline.elements("//table[@class='periods']/tbody/tr")]
    assert ["nenhum texto", "Assinada, ainda não publicada", "05/03/2001", "08/03/2001"] in periods
    assert ["nenhum texto", "Publicada, em vacatio legis", "09/03/2001", "31/12/2001"] in periods


@pytest.mark.parametrize("path", ["/{}", "/timeline/{}"])
def test_norm_without_publication_date_is_signed(site: httpx.Client, path: str) -> None:
    words = page(site, path.format(SIGNED)).text
    assert "Assinada; publicação não informada pelas fontes" in words
    assert "Publicada" not in words.replace("Publicada, em vacatio legis Em vigor", "")


def test_recent_changes_distinguish_the_signature_from_the_publication(site: httpx.Client) -> None:
    for reversed_days in ("from=2001-03-31&to=2001-03-01", "from=2200-01-01"):
        refused = site.get(f"/recent?{reversed_days}")
        assert (refused.status_code, refused.json()["code"]) == (422, "bad-parameter")
    recent_page = page(site, "/recent?from=2001-03-01&to=2001-03-31")
    rows = recent_page.all("//ul[contains(@class, 'recent')]//ul/li")
    assert sorted(rows) == [
        "Lei nº 99.971, de 5 de março de 2001: assinada; publicação não informada pelas fontes",
        "Lei nº 99.972, de 5 de março de 2001: assinada, ainda não publicada",
    ]


def test_unstated_authority_is_one_phrase() -> None:
    sentences = Sentences(Frame(Language.PORTUGUESE, False, "/", (), "http://x"), built_in(), lambda _: False)
    reasons = [MatchReason(Agreement.AUTHORITY_MISSING), MatchReason(Agreement.IT_IS, "br:federal")]
    assert why(reasons, sentences) == "autoridade não indicada (a desta norma: Federal)"
