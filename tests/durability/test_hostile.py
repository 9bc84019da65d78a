"""Tests of hostile input over HTTP: pages, addresses and queries; nothing is fetched, changed or executed."""

from __future__ import annotations

import json
import socket
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Item, ItemKind
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from graph.terms import Text
from loaders.pipeline import load
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame, render, web_address
from service.web.settings import Connections, Limits, Settings
from tests.support.pages import HEAVIEST, Page, page
from tests.support.raw_http import connect, problem, response_to, rest, statuses
from tests.support.records import record
from tests.support.sparql_endpoint import asking, filled
from tests.support.web import serving
from tests.support.web_names import CODE, TEXT, code_of

# Hostile text in records and addresses is escaped


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
HOSTILE_TEXT = f"""<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>
<Identificacao URN="{LAW_WITH_TEXT}{VERSION}"/><CicloDeVida>
<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>
</CicloDeVida></Metadado><Norma><Articulacao><Artigo id="art1"><Rotulo>Art. 1º &lt;b&gt;</Rotulo>
<Caput id="art1_cpt">
<p>Antes {{{{ 7*7 }}}} {{% raw %}} &lt;/p&gt;&lt;script&gt;alert(3)&lt;/script&gt; \u202edepois</p>
</Caput></Artigo>
</Articulacao></Norma></LexML>"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service with hostile records, and with a norm whose names and summary are extremely long."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "texto.xml").write_text(HOSTILE_TEXT.replace("depois", "palavra " * 60_000 + "depois"), "utf-8")
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
    assert norm_page.all("//section[@class='names']//p")[0] == "Lei \\u202e99901\\u202c \\u0007nº"
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


# Invalid and hostile addresses

NAMES = tomllib.loads(_WRITTEN.replace("CODE", CODE))["names"]
LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"


@pytest.mark.parametrize("name", [LAST, f"{TEXT}!art2", f"{CODE}@[1991-03-11,1993-05-22]", f"{LAST}~texto;pt-br"])
def test_raw_and_encoded_names_are_equivalent(web: httpx.Client, name: str) -> None:
    raw, encoded = web.get(f"/{name}"), web.get("/" + quote(name, safe=""))
    assert raw.status_code == encoded.status_code
    assert raw.status_code in (200, 300, 303)
    for field in ("location", "content-location"):
        assert raw.headers.get(field) == encoded.headers.get(field)
    assert code_of(web.get("/" + quote(quote(name, safe=""), safe=""))) == (400, "encoded-twice")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        *NAMES["invalid"],
        (f"/{CODE}" + "a" * 2048, 404, "unknown-name"),
        ("/urn:lex:br:" + "a" * 20000, 414, "address-too-long"),
    ],
)
def test_invalid_name_address_is_rejected(web: httpx.Client, path: str, status: int, code: str) -> None:
    response = web.get(path)
    assert code_of(response) == (status, code)
    assert {"set-cookie", "location"}.isdisjoint(response.headers)
    if code == "unknown-parameter":
        known = ("on", "as_known", "axis", "vigente_em", "conhecido_em", "eficaz_em")
        assert all(word in response.json()["detail"] for word in known)


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        *NAMES["redirecting"],
        ("/urn:lex:br:" + "%41" * 33000, (400, 414, 431)),
        ("/urn:lex:br:" + "a" * 2000 + "?" + "on=1993-06-15&" * 5000, (400, 414, 422, 431)),
    ],
)
def test_hostile_targets_do_not_redirect_elsewhere(web: httpx.Client, target: str, allowed: list[int]) -> None:
    own = f"127.0.0.1:{web.base_url.port}"
    answer = response_to(f"http://{own}", f"GET {target} HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n".encode())
    assert statuses(answer)[0] in allowed
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"\nlocation:" not in head or f"\nlocation: http://{own}/urn:lex:br".encode() in head


def test_only_the_configured_address_is_shown(web: httpx.Client, names_store: Path) -> None:
    answers = [web.get(f"/{CODE}", headers={"host": 'evil"><script>'})]
    with serving(Settings(names_store, base="https://direito.example/vigente")) as address:
        answers += [httpx.get(f"{address}/{name}", headers={"host": "evil.example"}) for name in (CODE, LAST)]
    assert answers[1].headers["location"] == f"https://direito.example/vigente/{LAST}"
    for answer in answers:
        assert "evil" not in answer.text + str(answer.headers)
    assert name_path("//evil.example") == "/%2F%2Fevil.example"
    assert name_path("..") != "/../"


# The endpoint with hostile queries and bodies


HEAD = b"POST /sparql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/sparql-query\r\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("sparql") / "store")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with asking(folder, Limits(body_bytes=64 * 1024)) as client:
        yield client
        assert client.get("/sparql", params={"query": "ASK { ?s ?p ?o }"}).json()["boolean"] is True


# Nothing is fetched


@contextmanager
def listener() -> Iterator[tuple[str, list[object]]]:
    """Run a listener on loopback, and yield its address and the list of clients that connected."""
    callers: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        ended = False

        def listen() -> None:
            while not ended:
                with suppress(TimeoutError):
                    called, caller = listening.accept()
                    called.close()
                    callers.append(caller)

        thread = Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/x", callers
            time.sleep(0.15)
        finally:
            ended = True
            thread.join(5)


DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "sparql" / "requests.toml").read_text("utf-8"))
FEDERATION: dict[str, list[str]] = DATA["federation"]


def test_queries_do_not_contact_other_hosts(client: httpx.Client) -> None:
    with listener() as (address, callers):
        for kind, expected in (("refused", (400, "bad-query")), ("updates", (403, "read-only"))):
            for text in FEDERATION[kind]:
                answer = client.get("/sparql", params={"query": text.replace("@", address)})
                assert (answer.status_code, answer.json()["code"]) == expected, text
        dataset = {"default-graph-uri": address, "named-graph-uri": address}
        for text, more in (*((text, {}) for text in FEDERATION["answered"]), ("SELECT * { ?s ?p ?o }", dataset)):
            answer = client.post("/sparql", data={"query": text.replace("@", address), "format": "json", **more})
            assert answer.status_code == 200, text
            document = answer.json()
            assert document == [] or document.get("boolean") is False or document["results"]["bindings"] == []
        assert client.post("/sparql", data={"update": f"LOAD <{address}>"}).status_code == 403
    assert not callers
    with listener() as (address, callers), pytest.raises(httpx.HTTPError):
        httpx.get(address, timeout=2)
    assert callers


# Bodies


def send(client: httpx.Client, sent: bytes, *, end: bool = False) -> bytes:
    """Send these bytes on a connection, and return the response."""
    with connect(str(client.base_url)) as connection:
        with suppress(ConnectionError):  # the answer may arrive before all is sent
            connection.sendall(HEAD + sent)
            if end:
                connection.shutdown(socket.SHUT_WR)
        return rest(connection)


def chunked(*chunks: bytes) -> bytes:
    return b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in chunks)


TOO_LARGE = (413, "body-too-large")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (chunked(b"ASK", b" {", b"}", b""), 200, None),
        (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, None),
        (b"Content-Length: 2000000\r\n\r\n", *TOO_LARGE),  # without a body: the answer is immediate
        (chunked(*[b"#" * 4096] * 500, b""), *TOO_LARGE),
        (chunked(*[b"#" * 4096] * 20), *TOO_LARGE),
        (b"Content-Length: 3\r\n\r\nASK {}", 400, "bad-query"),
        *((b"Content-Length: " + length + b"\r\n\r\nASK {}", 400, None) for length in (b"-1", b"x", b"1e3", b"9" * 23)),
        # the chunks determine the length, and nothing is read after them
        (b"Content-Length: 6\r\n" + chunked(b"ASK {}", b""), 200, None),
        *(
            (b"Content-Length: %d\r\n\r\n%s" % (len(body), body), 400, "bad-request")
            for body in (b"ASK { ?s ?p '\xff' }", b"\xff\xfeA\x00S\x00K\x00", "ASK{}".encode("utf-16"), b"\xed\xa0\x80")
        ),
    ],
)  # fmt: skip
def test_body_has_its_status(client: httpx.Client, sent: bytes, status: int, code: str | None) -> None:
    start = time.monotonic()
    came = send(client, sent)
    assert statuses(came) in ([status], [413] if code is None and status == 400 else [])
    assert code is None or problem(came) == code
    assert b"connection: close" in came.lower()
    assert time.monotonic() - start < 5


def test_incomplete_and_too_large_bodies_are_refused(client: httpx.Client, folder: Path) -> None:
    assert 200 not in statuses(send(client, b"Content-Length: 100\r\n\r\nASK {}", end=True))
    headers = {"Content-Type": "application/sparql-query"}
    answer = client.post("/sparql", content=b"#" * 2_000_000, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == TOO_LARGE
    settings = Settings(folder, connections=Connections(body_seconds=0.3))
    with serving(settings) as address, httpx.Client(base_url=address) as slow:
        came = send(slow, b"Content-Length: 100\r\n\r\nASK")
    assert (statuses(came), problem(came)) == ([408], "slow-body")
