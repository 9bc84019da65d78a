"""Tests that no page of the sample has a broken link, in both languages."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from tests.support.pages import BROWSER, HEAVIEST, Page

#: The start addresses: the first page, and answers of every kind.
START_PAGES = (
    "/",
    "/search?q=lei+99916",
    "/search?type=lei&year=2008",
    "/search?type=decreto&year=2008&place=SP&lang=en",
    "/urn:lex:br:federal:lei:2001-03-05;99916?lang=en",
    "/urn:lex:br:federal:lei:2001-03-05;99907?on=2010-01-01",
    "/urn:lex:br:federal:lei:2007-05-07;99914?on=2010-01-01",
    "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-15&as_known=2007-01-09",
    "/urn:lex:br:federal:lei:1990-09-11;8078!art57?on=1992-01-01",
    "/diff/urn:lex:br:federal:lei:2001-03-05;99916?from=2001-06-01&to=2002-05-02",
    "/queries",
    "/problems",
    "/ns",
    "/vocab/evento",
)
#: The most pages that are requested: names, versions and records have thousands of pages.
MAX_PAGES = 450


def test_no_link_is_broken(sample: httpx.Client) -> None:
    """Check that each internal link returns or redirects to 200, each fragment exists, and others are http(s)."""
    headers = {"accept": BROWSER, "accept-language": "pt-BR"}
    base = str(sample.base_url).rstrip("/")
    waiting = [(path, "the beginning") for path in START_PAGES]
    seen = {path for path, _ in waiting}
    dead: list[str] = []
    pages = 0
    while waiting and pages < MAX_PAGES:
        path, origin = waiting.pop(0)
        response = sample.get(path, headers=headers, follow_redirects=True)
        pages += 1
        begun = response.status_code == 404 and path.replace("&lang=pt-BR", "").replace("&lang=en", "") in START_PAGES
        if response.status_code not in (200, 300) and not begun:
            dead.append(f"{response.status_code} {path} on {origin}")
            continue
        if not response.headers["content-type"].startswith("text/html"):
            continue
        assert len(response.content) < HEAVIEST or path.startswith(("/ns", "/vocab", "/shapes")), path
        read = Page(sample, response)
        ids = set(read.all("//@id"))
        for href in read.all("//a/@href | //link/@href | //img/@src"):
            target = urlsplit(urljoin(str(response.url), href))
            assert target.scheme in ("http", "https"), href
            if f"{target.scheme}://{target.netloc}" != base:
                continue
            same = (target.path, target.query) == (
                response.url.raw_path.decode().partition("?")[0],
                response.url.query.decode(),
            )
            if same and target.fragment and target.fragment not in ids:
                dead.append(f"#{target.fragment} of {path}")
            within = target.path + (f"?{target.query}" if target.query else "")
            if within not in seen:
                seen.add(within)
                waiting.append((within, path))
    assert not dead, "\n".join(dead)
    assert pages > 150


@pytest.mark.parametrize(
    ("path", "portuguese", "english"),
    [
        ("/vocab", "Tipos de documento", "Document types"),
        ("/vocab/evento", "A autoridade competente assina o documento", "The competent authority signs the document"),
        ("/vocab/evento/retificacao", "Retificação", "Rectification"),
        ("/vocab/localidade/br;acre", "Outros nomes e siglas", "Other names and abbreviations"),
        ("/ns", "período bitemporal", "bitemporal period"),
        ("/shapes", "Verificações dos dados", "Checks of the data"),
    ],
)
def test_vocabulary_pages_are_translated(sample: httpx.Client, path: str, portuguese: str, english: str) -> None:
    for query, language, own, other in (("", "pt-BR", portuguese, english), ("?lang=en", "en", english, portuguese)):
        response = sample.get(path + query, headers={"accept": BROWSER, "accept-language": "pt-BR"})
        assert response.headers["content-language"] == language
        read = Page(sample, response)
        assert read.all("/html/@lang") == [language]
        text = response.text.partition("<main")[2].casefold()
        assert own.casefold() in text
        assert other.casefold() not in text
    assert sample.get(path).headers["content-type"].startswith("text/turtle")
