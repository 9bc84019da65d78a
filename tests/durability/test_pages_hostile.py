"""Tests that hostile text in records and addresses is escaped: no markup, no script, and only http(s) links."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Item, ItemKind, Record
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from graph.terms import Text
from loaders.pipeline import load
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame, render, web_address
from service.web.settings import Settings
from tests.support.pages import HEAVIEST, Page, page
from tests.support.web import serving

LAW, LAW_WITH_TEXT, HUGE_LAW = (f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99901, 99902, 99903))
_WRITTEN = (Path(__file__).parents[1] / "data" / "hostile_requests.toml").read_text("utf-8")
_NAMED = _WRITTEN.replace("HUGE", HUGE_LAW).replace("WITH_TEXT", LAW_WITH_TEXT).replace("LAW", LAW)
PAGES: dict[str, list[str]] = tomllib.loads(_NAMED)["pages"]
VERSION = "@2001-06-01;publicacao;2001-03-06"
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
BIDIRECTIONAL_TITLE = "Lei \u202e99901\u202c \u0007nº"
LONG = f"Apelido {'comprida ' * 110_000}"
LINKED = ('https://um.example/"onmouseover="alert(1)', "https://um.example/normal?a=1&b=<2>", "HTTPS://um.example/A")
ADDRESSES = (
    *LINKED,
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "https://user:secret@um.example/",
    "ftp://um.example/a",
    "//um.example/a",
)
TEXT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>
<Identificacao URN="{LAW_WITH_TEXT}{VERSION}"/><CicloDeVida>
<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>
</CicloDeVida></Metadado><Norma><Articulacao><Artigo id="art1"><Rotulo>Art. 1º &lt;b&gt;</Rotulo>
<Caput id="art1_cpt">
<p>Antes {{{{ 7*7 }}}} {{% raw %}} &lt;/p&gt;&lt;script&gt;alert(3)&lt;/script&gt; \u202edepois</p>
</Caput></Artigo>
</Articulacao></Norma></LexML>"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record]) -> Iterator[httpx.Client]:
    """Return a client of a service with hostile records, and with a norm whose names and summary are extremely long."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "texto.xml").write_text(TEXT.replace("depois", "palavra " * 60_000 + "depois"), "utf-8")
    records = [
        record(
            f"{LAW}{VERSION}",
            items=tuple(Item(address, SCRIPT, ItemKind.CONTENT, "1") for address in ADDRESSES),
            epigraphs=(Text(BIDIRECTIONAL_TITLE),),
            nicknames=(Text(f"Apelido {SCRIPT}"), Text('"><svg onload=alert(1)>', "en")),
            summaries=(Text(f"{SCRIPT} {'palavra ' * 40_000}"),),
            key=f"oai:{SCRIPT}",
            provider="javascript:alert(1)",
        ),
        record(
            f"{HUGE_LAW}{VERSION}",
            epigraphs=(Text(f"Lei {LONG}"), Text(f"Outra lei {LONG}"), Text("x" * 1_000_000)),
            nicknames=tuple(Text(f"{number} {LONG}") for number in range(4)),
            summaries=(Text(LONG),),
        ),
    ]
    with open_for_writing(folder / "store", create=True) as store:
        store.apply(records)
        load([folder / "texto.xml"], store, Quarantine(folder / "quarantine"))
    with serving(Settings(folder / "store")) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def _assert_harmless(page: Page) -> None:
    """Check that a page has no element or script from a record or a URL, and only http(s) addresses."""
    for block in page.elements("//script[not(starts-with(@src, '/assets/') and not(node()))]"):
        assert block.attrib == {"type": "application/ld+json"}
        assert json.loads(block.text or "")["@type"]
    assert page.elements("//svg | //img[not(starts-with(@src, '/assets/'))] | //b | //iframe") == []
    assert [name for element in page.elements("//*") for name in element.attrib if str(name).startswith("on")] == []
    links = page.all("//@href | //@src | //@action")
    assert {link.partition(":")[0].lower() for link in links if ":" in link.partition("/")[0]} <= {"http", "https"}
    assert "\u202e" not in page.response.text
    assert "\u0007" not in page.response.text


@pytest.mark.parametrize("path", [*PAGES["harmless"], f"/search?q={'a' * 5000}"])
def test_text_of_records_and_addresses_is_escaped(hostile: httpx.Client, path: str) -> None:
    _assert_harmless(page(hostile, path))


def test_record_text_is_shown_as_written(hostile: httpx.Client) -> None:
    norm_page = page(hostile, f"/{LAW}")
    assert norm_page.one("//h1").text_content() == "Lei \\u202e99901\\u202c \\u0007nº"
    assert SCRIPT in norm_page.one("//p[@class='ementa']").text_content()
    assert len(norm_page.response.content) < 100_000, "a long summary must not enlarge the page"
    law = page(hostile, f"/{LAW_WITH_TEXT}").one("//div[contains(@class, 'law')]").text_content()
    assert "Antes {{ 7*7 }} {% raw %} </p><script>alert(3)</script> \\u202epalavra" in law


def test_only_http_addresses_are_links(hostile: httpx.Client) -> None:
    copies = page(hostile, f"/{LAW}").one("//section[contains(@class, 'copies')]")
    links = copies.findall(".//a")
    assert {link.get("href") for link in links} - {None} == set(LINKED)
    for address in ADDRESSES:
        assert address in copies.text_content() or address.startswith("//")
    for link in links:
        assert set(str(link.get("rel")).split()) == {"external", "nofollow", "noreferrer"}


@given(st.text(max_size=60))
@settings(max_examples=100)
def test_templates_escape_any_text(text: str) -> None:
    frame = Frame(Language.PORTUGUESE, False, "/x", (("q", text),), "http://um.example")
    texts = dict.fromkeys(("title", "meaning", "detail", "parameter", "sought"), text)
    empty: dict[str, tuple[()]] = dict.fromkeys(("neighbours", "candidates", "referring", "known"), ())
    nothing = dict.fromkeys(("norm", "without", "wrong"), None)
    field = {"name": text, "value": text, "label": text, "is_day": True, "wrong": True, "incomplete": False}
    made = render(
        "problem.html", frame, status=404, code="x", **texts, **empty, **nothing, near=(text,), form=[field]
    ).decode()
    for piece in ("<script", "<b>", "javascript:"):
        assert piece not in made.replace(piece, "", text.count(piece)) or piece not in text
    assert made.count("<h1>") == 1


@given(st.text(max_size=40) | st.sampled_from(ADDRESSES))
@settings(max_examples=100)
def test_linked_address_is_http(text: str) -> None:
    address = web_address(text)
    assert address is None or (
        address == text and text.lower().startswith(("http://", "https://")) and text.isprintable()
    )


@pytest.mark.parametrize("path", PAGES["light"])
def test_page_size_is_limited_for_any_name_and_text(hostile: httpx.Client, path: str) -> None:
    served_page = page(hostile, path)
    assert served_page.response.status_code == 200
    assert len(served_page.response.content) < (20_000 if path.startswith("/search") else HEAVIEST)
    if path.startswith("/search"):
        assert len(served_page.elements("//ol[@class='found']/li")) >= 1
