"""Tests of pages and their headers: cases as data, robots.txt, the sitemap, badges, and metadata in the head."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.robotparser import RobotFileParser

import httpx
import lxml.html
import pyoxigraph as ox
import pytest
from babel.messages.pofile import read_po
from rdflib import SDO

from graph import store as stores
from graph.store import Store
from graph.store import open as open_store
from graph.vocabulary import built_in
from queries.catalogue import catalogue
from queries.naming import Agreement, MatchReason
from queries.notices import CandidatesCut, SeveralCitations, any_of
from queries.profiles import projected
from queries.reasons import Reason
from queries.searches import WAYS, SearchForm, SearchMatch, SearchMatches, find_matches
from service.web.api.endpoints import ENDPOINTS
from service.web.cached_documents import asset_path
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.home import MOST, show_sitemap
from service.web.pages.meanings import meaning
from service.web.pages.reasons import reason_sentence
from service.web.pages.writer import PageWriter
from service.web.settings import Settings
from tests.support.cases import tuples, values
from tests.support.in_process import client_of
from tests.support.page_cases import PageCase, cases, check
from tests.support.pages import BROWSER, HEAVIEST, Page, page, words_of
from tests.support.records import record, store_of
from tests.support.sites.timeline_long import NORM, VERSIONS
from tests.support.web import serving
from tests.support.web_names import AHEAD, CODE, ENDED, FOREIGN, GONE, SUSPENDED, TEXT, UNDATED

# Pages and their headers, of which no table of cases says all


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Iterator[Store]:
    """Yield the store of the sample, opened for reading."""
    with open_store(sample_store) as opened:
        yield opened


LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"


def test_event_known_by_year_has_no_day() -> None:
    """Check that no day is given for an event of which only the year is known."""
    writer = PageWriter(Frame(Language.PORTUGUESE, False, "/", (), "http://x"), built_in(), lambda _: False)
    reported = {
        "1998": "em algum dia de 1998",
        "1998-05-01": "a partir de 01/05/1998",
        "1998-05-01/..": "em data não informada, não antes de 01/05/1998",
        "1998-05-01/1998-06-30": "em algum dia entre 01/05/1998 e 30/06/1998",
        None: "em data não informada pelas fontes",
    }
    for stated, expected in reported.items():
        assert writer.when(stated).striptags() == expected
    reason = reason_sentence(Reason("revogacao", "1998", None, None, "urn:x"), writer).text
    assert "Revogação: efeitos em algum dia de 1998; publicação em data não informada pelas fontes." in str(reason)


@pytest.mark.parametrize(("accept", "query", "language"), values("page_answers", "page_language_is_negotiated"))
def test_page_language_is_negotiated(web: httpx.Client, accept: str, query: str, language: str) -> None:
    norm_page = page(web, f"/{LAST}{query}", accept)
    assert norm_page.root.get("lang") == language
    assert norm_page.response.headers["content-language"] == language
    assert norm_page.response.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"


# Problems, choices, caches


def test_matching_etag_returns_304(web: httpx.Client) -> None:
    held = {"accept": BROWSER, "if-none-match": page(web, f"/{LAST}").response.headers["etag"]}
    again = web.get(f"/{LAST}", headers={**held, "accept-language": "pt-BR"})
    assert (again.status_code, again.content) == (304, b"")
    assert web.get(f"/{LAST}", headers={**held, "accept-language": "en"}).status_code == 200


def test_style_sheets_are_immutable_and_local(web: httpx.Client) -> None:
    norm_page = page(web, f"/{LAST}")
    href, *_ = norm_page.all("//link[@rel='stylesheet']/@href")
    style = web.get(href)
    assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in style.headers["cache-control"]
    assert web.get(href, headers={"if-none-match": style.headers["etag"]}).status_code == 304
    old = web.get("/assets/0000000000000000/vigente.css")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert "url(" not in style.text
    assert "@import" not in style.text


#: Every kind of page, with texts, without one, and with errors.
KINDS = f"/ /{LAST} /{TEXT} /{CODE}?on=1991-03-10 /descriptions/{UNDATED} /search?q=lei /{FOREIGN} /nothing".split()


@pytest.mark.parametrize("path", [*KINDS, f"/diff/{TEXT}?from=2001-06-01&to=2002-05-02"])
def test_every_page_follows_the_content_security_policy(web: httpx.Client, path: str) -> None:
    """Check for inline styles and scripts, other hosts, one title, one main heading, and a label for each field."""
    checked_page = page(web, path)
    policy = checked_page.response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert len(checked_page.response.content) < HEAVIEST
    inline = "//style | //@style | //script[not(@type='application/ld+json' or @src)] | //@onclick"
    assert checked_page.elements(inline) == []
    loaded = checked_page.all("//link[@rel='stylesheet' or @rel='icon']/@href | //img/@src | //script/@src")
    assert [address for address in loaded if not address.startswith("/assets/")] == []
    assert [len(checked_page.elements(f"//{element}")) for element in ("h1", "main", "title")] == [1, 1, 1]
    assert set(checked_page.all("//input[not(@type='hidden')]/@id")) <= set(checked_page.all("//label/@for"))
    assert checked_page.elements("//input[not(@type='hidden') and not(@id)]") == []
    ids = checked_page.all("//@id")
    assert len(ids) == len(set(ids))


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


CODE_PLAIN = "urn:lex:br:federal:lei:1990-09-11;8078"


def test_not_acceptable_page_is_in_the_language_of_the_browser(sample: httpx.Client) -> None:
    """Check also a format that does not exist: it has no influence on the language."""
    reader = {"accept": BROWSER, "accept-language": "pt-BR"}
    refused = Page(sample, sample.put("/", headers=reader))
    assert refused.response.status_code == 405
    assert refused.all("//h1 | //title") == ["Método não permitido · Vigente", "Método não permitido"]
    refused = page(sample, f"/{CODE_PLAIN}?format=pdf")
    assert (refused.response.status_code, refused.all("//h1")) == (406, ["Formato não disponível"])
    plain = sample.get(f"/{CODE_PLAIN}?format=pdf", headers={"accept": "application/json"})
    assert plain.json()["code"] == "not-acceptable"


@pytest.mark.parametrize(("path", "wrong", "kept"), tuples("page_answers", "invalid_date_keeps_the_typed_values"))
def test_invalid_date_keeps_the_typed_values(
    sample: httpx.Client, path: str, wrong: tuple[str, str], kept: dict[str, str]
) -> None:
    answer = sample.get(path, headers={"accept": "text/html", "accept-language": "pt-BR"})
    assert answer.status_code in (404, 422)
    error_page = Page(sample, answer)
    form = "//main//form"
    assert error_page.all(f"{form}/@action") == [answer.request.url.raw_path.decode().partition("?")[0]]
    typed = dict(zip(error_page.all(f"{form}//input/@name"), error_page.all(f"{form}//input/@value"), strict=True))
    assert typed == {**kept, wrong[0]: wrong[1]}
    assert error_page.all(f"{form}//input[@aria-invalid='true']/@name") == [wrong[0]]
    assert f"Data inválida: “{wrong[1]}”. Informe uma data que exista no calendário (dd/mm/aaaa)" in answer.text
    program = sample.get(path, headers={"accept": "application/json"})
    assert (program.status_code, program.headers["content-type"]) == (answer.status_code, "application/problem+json")


def test_file_error_is_a_page_for_a_browser(sample: httpx.Client) -> None:
    path = "/text/urn:lex:br:federal:lei:2001-03-05;99999?format=pdf"
    answer = sample.get(path, headers={"accept": "text/html,*/*;q=0.8", "accept-language": "pt-BR"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "nº 99.999</span>, de 5 de março de 2001." in answer.text
    assert sample.get(path, headers={"accept": "*/*"}).headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(("words", "articles"), values("page_answers", "article_range_finds_the_articles_between"))
def test_article_range_finds_the_articles_between(store: Store, words: str, articles: list[int]) -> None:
    law = "urn:lex:br:federal:lei:2001-03-05;99916"
    result = find_matches(store, SearchForm(words=words))
    assert [match.name for match in result.matches if "!" in match.name] == [f"{law}!art{n}" for n in articles]
    if " e " not in words:
        assert result.matches[1].why == (MatchReason(Agreement.IN_RANGE),)
    assert any_of(result.notices, SeveralCitations) == (" e " in words)


LONG = (f"/timeline/{CODE}", f"/{TEXT}?on=2001-06-01&lang=pt", "/queries", "/search?q=lei", asset_path("vigente.css"))
DATA = f"/{TEXT}?format=ttl /{TEXT}?format=jsonld /api/v1/timeline?urn={CODE} /openapi.json /vocab?format=ttl".split()


def ask(web: httpx.Client, path: str, coding: str, method: str = "GET", **headers: str) -> httpx.Response:
    asked = {"accept": BROWSER, "accept-encoding": coding, **headers}
    return web.request(method, path, headers=asked, follow_redirects=True)


@pytest.mark.parametrize("path", [*LONG, *DATA])
def test_compressed_and_plain_responses_are_equal(web: httpx.Client, path: str) -> None:
    plain, short, headed = ask(web, path, "identity"), ask(web, path, "gzip"), ask(web, path, "br, gzip;q=0.1", "HEAD")
    assert plain.status_code == short.status_code == 200
    assert "content-encoding" not in plain.headers
    assert short.headers["content-encoding"] == headed.headers["content-encoding"] == "gzip"
    assert short.content == plain.content
    assert int(short.headers["content-length"]) < len(plain.content) / 2
    assert headed.headers["content-length"] == short.headers["content-length"]
    for response in (plain, short):
        assert "Accept-Encoding" in response.headers["vary"].split(", ")
    assert short.headers["etag"].startswith('W/"'), "its bytes are others than those of the plain one"
    assert short.headers["etag"].removeprefix("W/") == plain.headers["etag"].removeprefix("W/")
    again = ask(web, path, "gzip", **{"if-none-match": short.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", short.headers["etag"])
    assert "Accept-Encoding" in again.headers["vary"].split(", ")


def test_uncompressed_small_response_keeps_its_etag(web: httpx.Client) -> None:
    """Check that a 304 has the ETag of its 200, here a strong one (RFC 9110, section 15.4.5)."""
    small = ask(web, "/context.jsonld", "gzip")
    assert "content-encoding" not in small.headers
    tag = small.headers["etag"]
    assert tag.startswith('"')
    for held, reported in ((tag, tag), (f'"other", {tag}', tag), (f"W/{tag}", f"W/{tag}")):
        again = ask(web, "/context.jsonld", "gzip", **{"if-none-match": held})
        assert (again.status_code, again.headers["etag"]) == (304, reported), held


@pytest.mark.parametrize(
    ("path", "coding"),
    [
        (LONG[0], "gzip;q=0"),
        (LONG[0], "br"),
        (LONG[0], "gzip;q=x, *;q=0"),
        (asset_path("badge.css"), "gzip"),
        ("/health", "gzip"),
    ],
)
def test_response_is_uncompressed_if_not_accepted_or_not_smaller(web: httpx.Client, path: str, coding: str) -> None:
    assert "content-encoding" not in ask(web, path, coding).headers


@pytest.mark.parametrize("path", [f"/timemap/{CODE}", "/urn:lex:br:federal:lei:1990-13-41;1", "/nada"])
def test_problem_page_has_one_vary_header(web: httpx.Client, path: str) -> None:
    """Check also problems that set Vary themselves, as 406 does."""
    answer = ask(web, path, "gzip", accept="text/html")
    assert answer.status_code >= 400
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers.get_list("vary") == ["Accept, Accept-Language, Accept-Encoding"]


@pytest.fixture(scope="module")
def amended(site_of: Callable[[str], httpx.Client]) -> httpx.Client:
    return site_of("timeline_long")


@pytest.mark.parametrize("language", ["pt-BR", "en"])
def test_long_timeline_has_limited_size_and_is_split(amended: httpx.Client, language: str) -> None:
    first = page(amended, f"/timeline/{NORM}?lang={language}")
    assert len(first.response.content) < 2 * HEAVIEST
    landmarks = first.all("//nav/@aria-label")
    assert len(set(landmarks)) == len(landmarks) > 3, "each is known by its own name"
    marks = first.all("//svg[contains(@class, 'timeline')]//a/@href")
    assert len(marks) == 2 * VERSIONS - 1, "one for each version until the next, and one from then on"
    reported = ["".join(element.itertext()) for element in first.elements("//svg[contains(@class, 'timeline')]//a")]
    assert all(reported)
    parts = list(dict.fromkeys(first.all("//nav[@class='parts'][1]/a/@href")))
    numbers: list[str] = []
    events = 0
    for part in parts:
        timeline_page = page(amended, part, language)
        assert len(timeline_page.response.content) < 2 * HEAVIEST
        numbers += timeline_page.all("//table[@class='periods']/tbody/tr/@id")
        events += len(timeline_page.elements("//table[@class='happened']/tbody/tr"))
    assert [f"#{number}" for number in numbers] == [f"#{mark.partition('#')[2]}" for mark in marks]
    assert events == VERSIONS
    last = page(amended, f"/timeline/{NORM}{marks[-1].partition('#')[0]}", language)
    assert last.elements(f"//tr[@id='{marks[-1].partition('#')[2]}']//a/@href"), "a mark leads to its row"
    assert page(amended, f"/timeline/{NORM}?parte=2").follow("41–60").elements("//tr[@id='p41']")
    assert page(amended, f"/timeline/{NORM}?part=99").response.status_code == 422


HTML = {"accept": "text/html"}
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"


def test_every_operation_has_a_form_with_its_parameters(sample: httpx.Client) -> None:
    page = lxml.html.document_fromstring(sample.get("/api", headers={"Accept-Language": "pt-BR"}).text)
    found = {}
    for form in page.iter("form"):
        if form.get("action") == "/api":
            fields = {element.get("name"): element.get("value") for element in form.iter("input", "select")}
            operation = fields.pop("operation")
            found[operation] = set(fields)
    asked = [endpoint for endpoint in ENDPOINTS if "{" not in endpoint.path]
    assert found == {endpoint.operation: {p.name for p in endpoint.parameters} for endpoint in asked}


#: The letter of an axis at the end of a description, which forms leave out.
_LETTER = re.compile(r" \([DK]\)$")


def test_operations_and_parameters_are_translated(sample: httpx.Client) -> None:
    """Check that each has a Portuguese text, and that no translation is unused."""
    reported = {endpoint.summary for endpoint in ENDPOINTS}
    reported |= {parameter.meaning for endpoint in ENDPOINTS for parameter in endpoint.parameters}
    reported |= {parameter.meaning for query in catalogue().values() for parameter in query.parameters}
    reported |= {column.meaning for query in catalogue().values() for column in query.columns}
    source = files("words").joinpath("locale/pt_BR/LC_MESSAGES/vigente.po").read_bytes()
    assert {str(message.id) for message in read_po(io.BytesIO(source)) if message.context == "meaning"} == reported
    for path in ("/api", "/queries/version_in_force", "/queries/version_in_force/answer"):
        portuguese = lxml.html.document_fromstring(sample.get(f"{path}?lang=pt-BR", headers=HTML).text)
        english = lxml.html.document_fromstring(sample.get(f"{path}?lang=en", headers=HTML).text)
        texts = {
            " ".join("".join(map(str, element.itertext())).split()).removesuffix(".")
            for element in english.iter("p", "span", "dd")
        }
        present_texts = {text for text in reported if {text.removesuffix("."), _LETTER.sub("", text)} & texts}
        assert present_texts, path
        written = "".join(map(str, portuguese.itertext()))
        for text in present_texts - {"Type of document: lei, decreto-lei, acórdão."}:
            assert _LETTER.sub("", meaning(text, Language.PORTUGUESE)[0]) in written, text
    assert not lxml.html.document_fromstring(sample.get("/api?lang=pt-BR", headers=HTML).text).xpath(
        "//main//*[@lang='en']"
    )


def test_form_redirects_without_empty_fields(sample: httpx.Client) -> None:
    asked = {"operation": "inForce", "urn": LAW, "on": "1993-06-15", "as_known": "", "axis": ""}
    sent = sample.get("/api", params=asked)
    assert sent.status_code == 303
    answer = sample.get(sent.headers["location"])
    assert answer.json() == sample.get("/api/v1/in-force", params={"urn": LAW, "on": "1993-06-15"}).json()
    assert "as_known" not in sent.headers["location"]


def test_curl_examples_return_200(sample: httpx.Client) -> None:
    page = lxml.html.document_fromstring(sample.get("/api").text)
    examples = [pre.text.split("'")[1] for pre in page.iter("pre") if pre.text is not None]
    assert len(examples) == len([endpoint for endpoint in ENDPOINTS if "{" not in endpoint.path])
    statuses = {example: sample.get(example).status_code for example in examples}
    assert {example for example, status in statuses.items() if status != 200} == set()


def test_unknown_operation_is_rejected(sample: httpx.Client) -> None:
    for query, status, code in (
        ("?operation=nothing", 404, "unknown-address"),
        ("?operation=inForce&norm=x", 400, "unknown-parameter"),
        ("?urn=x", 400, "unknown-parameter"),
    ):
        answer = sample.get(f"/api{query}", headers={"Accept": "application/problem+json"})
        assert (answer.status_code, answer.json()["code"]) == (status, code), query


WORDS = (MatchReason(Agreement.ALL_WORDS),)


def test_custom_search_function_extends_results(store: Store) -> None:
    def guessing(_: Store, form: SearchForm) -> SearchMatches:
        guessed = (SearchMatch(TEXT, 0.1, WORDS), SearchMatch(CODE, 0.1, WORDS))
        return SearchMatches(guessed if form.words else (), (CandidatesCut(looked_at=1),), complete=False)

    result = find_matches(store, SearchForm(words="Lei 8.078/1990"), (*WAYS, guessing))
    listed = [match.name for match in result.matches]
    assert (listed[0], listed[-1], len(set(listed))) == (CODE, TEXT, len(listed))
    assert result.matches[0].why != WORDS, "what was found first keeps its reason"
    assert not result.complete
    assert [notice.code for notice in result.notices] == ["candidates-cut"]
    assert find_matches(store, SearchForm()) == SearchMatches()


# Pages whose cases are data (tests/data/pages)


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file}: {case.name}")
def test_page_has_what_its_case_says(site_of: Callable[[str], httpx.Client], case: PageCase) -> None:
    check(site_of(case.site), case)


# Robots.txt, the sitemap of all norms, the badge of a norm, and the metadata in the head of its page


SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = "https://direito.example"
CDC = name_path(CODE)


@pytest.fixture(scope="module")
def norms_web(names_store: Path) -> httpx.Client:
    """Return a client of a service over the store of web_names.py, in this process."""
    return client_of(Settings(names_store))


# The sitemap and robots.txt


def _read_addresses(document: bytes, root: str) -> list[str]:
    element = ET.fromstring(document)
    assert element.tag == SPACE + root
    return [str(location.text) for location in element.iter(SPACE + "loc")]


def _map_addresses(store: Store, first: str | None, most: int = MOST) -> list[str]:
    answer = show_sitemap(store, {"base": BASE, "from": first, "most": most})
    assert answer.media == "application/xml"
    return _read_addresses(answer.body, "sitemapindex" if first is None else "urlset")


def _pages(store: Store, most: int = MOST) -> list[list[str]]:
    """Return the addresses of each page; the address of a page has its first name."""
    return [_map_addresses(store, httpx.URL(page).params["from"], most) for page in _map_addresses(store, None, most)]


def test_sitemap_has_every_norm_on_one_page() -> None:
    names = [f"urn:lex:br:federal:lei:2001-03-05;{99901 + n}" for n in range(23)]
    versions = ("2001-03-06;publicacao;2001-03-06", "2002-01-01;alteracao;2001-12-01")
    many = store_of(*(record(f"{name}@{version}") for name in names for version in versions))
    for most in (1, 5, 22, 23, 24, MOST):
        pages = _pages(many, most)
        assert len(pages) == -(-23 // most)
        assert all(len(page) <= most for page in pages)
        assert [address for page in pages for address in page] == [f"{BASE}/{name}" for name in names]
    assert _pages(store_of()) == [[]]
    long = "urn:lex:br:federal:lei:2001-03-05;99901;" + "a" * 2100
    assert all(len(address) < 2048 for page in _pages(store_of(record(f"{long}@2001-03-06"))) for address in page)


def test_sitemap_contains_only_norms(norms_web: httpx.Client) -> None:
    (page,) = _read_addresses(norms_web.get("/sitemap.xml").content, "sitemapindex")
    answer = norms_web.get(page)
    assert answer.headers["content-type"] == "application/xml"
    addresses = _read_addresses(answer.content, "urlset")
    assert str(norms_web.base_url.join(CDC)) in addresses
    assert str(norms_web.base_url.join(name_path(GONE))) not in addresses
    assert not any("!" in address or "@" in address for address in addresses)
    statuses = {address: norms_web.get(address, headers={"Accept": "text/html"}).status_code for address in addresses}
    assert set(statuses.values()) <= {200, 303}, statuses
    again = norms_web.get(page, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_any_query_of_the_sitemap_is_handled(norms_web: httpx.Client) -> None:
    for query in ("from=a&from=b", "page=1", "From=a"):
        assert norms_web.get(f"/sitemap.xml?{query}").status_code == 400
    for first in ("%00", "%FF", "'; DROP TABLE summaries", "urn:lex:br", "~", "x" * 5000):
        answer = norms_web.get(f"/sitemap.xml?from={first}")
        assert answer.status_code in (200, 400, 414), answer.text
        assert norms_web.get("/sitemap.xml").status_code == 200


def test_robots_allow_norms_and_disallow_queries(norms_web: httpx.Client) -> None:
    rules = RobotFileParser()
    rules.parse(norms_web.get("/robots.txt").text.splitlines())
    assert rules.site_maps() == [str(norms_web.base_url.join("/sitemap.xml"))]
    allowed = {path: rules.can_fetch("*", path) for path in ("/", CDC, f"/timeline{CDC}", "/queries")}
    assert set(allowed.values()) == {True}
    for path in ("/sparql", "/sparql/editor", "/api/v1/search", "/badge/x", "/timegate/x", "/timemap/x", "/search?q=a"):
        assert not rules.can_fetch("*", path), path


# The badge

#: Norms and queries, and the text of the badge for screen readers; "…" stands for other text.
BADGES = tuples("page_answers", "badges")


@pytest.mark.parametrize(("name", "query", "expected"), BADGES)
def test_badge_has_the_status_of_the_api(norms_web: httpx.Client, name: str, query: str, expected: str) -> None:
    headers = {"Accept": "image/*", "Accept-Language": "pt-BR"}
    answer = norms_web.get(f"/badge{name_path(name)}?{query}", headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml"), answer.text
    label = str(ET.fromstring(answer.content).get("aria-label"))
    assert expected.strip("…") in label
    assert expected.endswith("…") or label.endswith(expected.strip("…")), label


@pytest.mark.parametrize("name", [CODE, GONE, f"{TEXT}!art1", "x" * 300, "<script>alert(1)</script>", 'a" onload="b'])
def test_badge_is_valid_for_any_name_and_format(norms_web: httpx.Client, name: str) -> None:
    for format_ in ("svg", "html"):
        answer = norms_web.get(f"/badge{name_path(name)}?format={format_}")
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors *" in policy
        assert ("unsafe" in policy, "script-src" in policy, b"<script" in answer.content) == (False, False, False)
        if format_ == "svg":
            picture = ET.fromstring(answer.content)
            assert not any(key.startswith("on") for element in picture.iter() for key in element.attrib)
            assert float(picture.get("width", "0")) < 520


def test_html_badge_links_to_the_answer(norms_web: httpx.Client) -> None:
    answer = norms_web.get(f"/badge{CDC}?on=1993-06-01", headers={"Accept": "text/html"})
    (link,) = lxml.html.document_fromstring(answer.content).iter("a")
    assert link.get("target") == "_top"
    linked = norms_web.get(str(link.get("href")), headers={"Accept": "application/json"}, follow_redirects=True)
    assert linked.json()["on"] == "1993-06-01"


def test_one_client_can_load_many_badges(names_store: Path) -> None:
    """Request more at once than the number of tasks that one client may have."""
    addresses = [f"/badge{CDC}?on=1993-06-{day:02}" for day in range(1, 13)]
    with (
        serving(Settings(names_store)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
        ThreadPoolExecutor(12) as crew,
    ):
        assert {answer.status_code for answer in crew.map(client.get, addresses)} == {200}


def test_only_badges_may_be_framed_and_only_past_ones_are_kept(norms_web: httpx.Client) -> None:
    for path in ("/", CDC, f"/timeline{CDC}", "/sparql/editor", "/queries"):
        answer = norms_web.get(path, headers={"Accept": "text/html, */*;q=0.1"}, follow_redirects=True)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path
    assert norms_web.get(f"/badge{CDC}?on=1993-06-01").headers["cache-control"] == "no-cache"
    assert "max-age" in norms_web.get(f"/badge{CDC}?on=1993-06-01&as_known=2000-01-01").headers["cache-control"]


@pytest.mark.parametrize(("path", "status"), values("page_answers", "invalid_badge_is_rejected"))
def test_invalid_badge_is_rejected(norms_web: httpx.Client, path: str, status: int) -> None:
    answer = norms_web.get(f"/badge{path}")
    assert answer.status_code == status, answer.text
    assert json.loads(answer.content)["code"]


# The head of a page


def _head(
    norms_web: httpx.Client, path: str, language: str = "pt-BR"
) -> tuple[dict[str | None, str | None], list[str | None], Any]:
    """Return the metadata of a page by their names, its canonical addresses, and the page."""
    headers = {"Accept": "text/html", "Accept-Language": language}
    answer = norms_web.get(path, headers=headers, follow_redirects=True)
    page = lxml.html.document_fromstring(answer.content)
    metas = {meta.get("property") or meta.get("name"): meta.get("content") for meta in page.iter("meta")}
    return metas, [link.get("href") for link in page.iter("link") if link.get("rel") == "canonical"], page


def _json_ld(norms_web: httpx.Client, path: str) -> dict[str, Any]:
    """Return the schema.org data of a page."""
    _, _, page = _head(norms_web, f"/{path}")
    (data,) = [script.text for script in page.iter("script") if script.get("type") == "application/ld+json"]
    return json.loads(data or "")  # type: ignore[no-any-return]


def _schema_terms(value: object) -> Iterator[str]:
    """Return the schema.org terms in a document and in its nested objects."""
    if isinstance(value, list):
        for item in value:
            yield from _schema_terms(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield inner if key == "@type" else key
            yield from _schema_terms(inner)


def test_json_ld_uses_only_schema_org_terms(norms_web: httpx.Client) -> None:
    dated = (f"{CODE}?on=1993-06-01", f"{CODE}?on=1990-01-01")
    for name in (CODE, *dated, ENDED, SUSPENDED, AHEAD, UNDATED, TEXT, f"{TEXT}!art2"):
        data = _json_ld(norms_web, name)
        assert data.pop("@context") == "https://schema.org"
        terms = {term for term in _schema_terms(data) if not term.startswith("@")}
        assert terms
        assert {term for term in terms if term not in SDO} == set(), name


def test_json_ld_values_are_in_the_graph(norms_web: httpx.Client, names_store: Path) -> None:
    """The values of shared properties, of the norm and of its version, are all in the graph."""
    data = _json_ld(norms_web, f"{CODE}?on=1993-06-01")
    in_graph: dict[str, set[str]] = {}
    with stores.open(names_store) as store:
        for triple in projected(store, "schema"):
            of = str(triple.subject)[1:-1]
            if of in (CODE, data["legislationIdentifier"]) and isinstance(triple.object, ox.Literal):
                key = triple.predicate.value.removeprefix("http://schema.org/")
                in_graph.setdefault(key, set()).add(triple.object.value)
    listed = {key: value if isinstance(value, list) else [value] for key, value in data.items()}
    in_page = {key: set(texts) for key, texts in listed.items() if all(isinstance(text, str) for text in texts)}
    shared = set(in_graph) & set(in_page)
    assert shared >= {"legislationDate", "legislationDateVersion", "legislationIdentifier", "name", "alternateName"}
    assert {key: in_page[key] - in_graph[key] for key in shared} == {key: set() for key in shared}


def test_json_ld_has_the_legal_force_of_today_and_the_last_day_covered(norms_web: httpx.Client) -> None:
    for path, force in (
        (CODE, "InForce"),
        (f"{CODE}?on=1993-06-01", "NotInForce"),
        (ENDED, "NotInForce"),
        (AHEAD, "NotInForce"),
        (SUSPENDED, "InForce"),
        (UNDATED, None),
    ):
        stated = _json_ld(norms_web, path).get("legislationLegalForce")
        assert stated == (f"https://schema.org/{force}" if force else None), path
    assert _json_ld(norms_web, f"{CODE}?on=1993-06-01")["temporalCoverage"] == "1993-05-22/1993-09-07"
    assert _json_ld(norms_web, CODE)["temporalCoverage"] == "1993-09-08/.."


def test_canonical_address_ignores_dates_and_language(norms_web: httpx.Client) -> None:
    seen = set()
    for path in (f"{CODE}?on=1993-06-01", f"{CODE}?on=1993-07-01&lang=en", f"{CODE}?vigente_em=1993-06-01"):
        data = _json_ld(norms_web, path)
        metas, canonical, _ = _head(norms_web, f"/{path}")
        seen |= {*canonical, metas["og:url"], data["url"]}
        assert str(metas["og:title"]).startswith("Código de Defesa do Consumidor (CDC), L")
        assert str(data["name"]).endswith(("11 de setembro de 1990", "11 September 1990"))
        assert metas["og:description"]
    (address,) = seen
    assert norms_web.get(str(address), headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize("path", ["/", f"/timeline/{CODE}", "/sparql/editor?query=ASK+%7B%7D"])
def test_other_pages_have_metadata(norms_web: httpx.Client, path: str) -> None:
    for language, locale in (("pt-BR", "pt_BR"), ("en", "en")):
        metas, canonical, _ = _head(norms_web, path, language)
        assert [metas["og:url"]] == canonical == [str(norms_web.base_url.join(path.partition("?")[0]))]
        assert len(str(metas["og:description"])) > 30
        assert metas["og:locale"] == locale
