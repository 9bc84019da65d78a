"""Tests of the OAI-PMH client over HTTP: status codes, waits, redirects, TLS, connection reuse, and rate limits."""

from __future__ import annotations

import ssl
import threading
import time
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
import trustme

from loaders.oai_pmh import (
    BadAddress,
    BadSettings,
    Busy,
    Client,
    DepartureCode,
    FaultCode,
    ProviderFault,
    Refused,
    Settings,
    Stopped,
    Unreachable,
    Waiting,
)
from loaders.oai_pmh.fetching import retry_after
from tests.support.oai_asking import LIST, codes, fault_of, listed, note, one_page, quick
from tests.support.oai_server import (
    Connection,
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    gzipped,
    list_page,
    provider,
    silence,
    trickle,
)

PAGE = list_page([99901], "")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def busy(status: int = 503, **fields: str) -> Reply:
    return Reply("<html>ocupado</html>", status, {name.replace("_", "-"): text for name, text in fields.items()})


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_honoured(status: int) -> None:
    waits: list[Waiting] = []
    began = time.monotonic()
    pages, asked = listed([busy(status, Retry_After="1"), PAGE], on_wait=waits.append)
    assert time.monotonic() - began >= 1
    assert (len(pages), len(asked)) == (1, 2)
    assert [(wait.seconds, wait.attempt, wait.attempts, wait.fault.code) for wait in waits] == [(1.0, 1, 2, "busy")]


def test_retry_after_date_uses_the_server_clock() -> None:
    waits: list[Waiting] = []
    then = datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)
    answer = busy(
        Date=format_datetime(then, usegmt=True), Retry_After=format_datetime(then + timedelta(0, 1), usegmt=True)
    )
    listed([answer, PAGE], on_wait=waits.append)
    assert [wait.seconds for wait in waits] == [1.0]


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"Retry-After": "0"}, 0),
        ({"Retry-After": "Fri, 02 Jan 2026 03:05:05 GMT"}, 60),
        ({"Retry-After": "Friday, 02-Jan-26 03:05:05 GMT"}, 60),
        ({"Retry-After": "Fri Jan  2 03:05:05 2026"}, 60),
        ({"Retry-After": "Thu, 01 Jan 2026 03:05:05 GMT"}, 0),
        ({"Retry-After": "Fri, 02 Jan 2026 03:05:05 GMT", "Date": "Fri, 02 Jan 2026 03:05:00 GMT"}, 5),
        ({"Retry-After": "Fri, 02 Jan 2026 03:05:05 GMT", "Date": "?"}, 60),
        ({"Retry-After": "9" * 15}, 999_999_999_999_999),
        ({"Retry-After": "9" * 5000}, None),
        ({"Retry-After": "1.5"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "amanha"}, None),
        ({"Retry-After": "Fri, 99 Jan 2026 03:05:05 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_parsed_in_all_its_forms(fields: dict[str, str], seconds: float | None) -> None:
    assert retry_after(httpx.Headers(fields), NOW) == seconds


@pytest.mark.parametrize("text", ["3", "Fri, 02 Jan 2099 03:05:05 GMT"])
def test_wait_over_the_limit_is_an_immediate_fault(text: str) -> None:
    fault, _, asked = fault_of([busy(Retry_After=text)], longest_wait=2)
    assert isinstance(fault, Busy)
    assert (fault.code, fault.transient, len(asked)) == (FaultCode.BUSY, True, 1)
    assert fault.retry_after is not None
    assert fault.retry_after > 2
    assert "a wait of at most 2 seconds (longest_wait), RFC 9110, section 10.2.3" in str(fault)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_server_error_is_retried(status: int) -> None:
    pages, asked = listed([Reply("x", status), PAGE])
    assert (len(pages), len(asked)) == (1, 2)
    fault, _, asked = fault_of([Reply("x", status)])
    assert isinstance(fault, Busy if status in {429, 503} else Refused)
    assert (fault.transient, fault.payload, len(asked)) == (True, b"x", 3)
    assert f"the server answered with the status {status}" in str(fault)


def test_waits_grow_up_to_the_limit() -> None:
    waits: list[Waiting] = []
    listed([*[Reply("x", 500)] * 4, PAGE], on_wait=waits.append, retries=4, backoff=0.02, longest_wait=0.1)
    assert [wait.seconds for wait in waits] == [0.02, 0.04, 0.08, 0.1]


@pytest.mark.parametrize("status", [201, 204, 206, 304, 400, 401, 403, 404, 410, 414, 501])
def test_other_error_status_is_final(status: int) -> None:
    body = "" if status in {204, 304} else "x"
    fault, _, asked = fault_of([Reply(body, status)])
    assert isinstance(fault, Refused)
    assert (fault.code, fault.transient, len(asked)) == (FaultCode.STATUS, False, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(status: int) -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.target.startswith("/oai?"):
            return Reply("", status, {"Location": asked.target.replace("/oai?", "/novo/oai?")})
        return PAGE

    pages, asked = listed(script)
    assert codes(pages[0]) == []
    assert asked[1].target == "/novo/oai?verb=ListRecords&metadataPrefix=oai_lexml"
    assert pages[0].url.endswith("/oai?verb=ListRecords&metadataPrefix=oai_lexml")
    assert {request.connection for request in asked} == {1}


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("/oai?verb=ListRecords", "more than 3 redirects, the last to http://127.0.0.1:"),
        (None, "a redirect without a target"),
        ("ftp://exemplo.gov.br/oai", "a redirect to 'ftp://exemplo.gov.br/oai': the scheme is 'ftp'"),
        ("file:///etc/passwd", "the scheme is 'file'"),
        ("http://ana:segredo@[::1/oai", "a redirect to '[::1/oai'"),
        ("http://exemplo.gov.br:99999/oai", "there is no port 99999"),
    ],
)
def test_invalid_redirect_is_a_fault(location: str | None, message: str) -> None:
    fault, _, asked = fault_of([Reply("", 302, {} if location is None else {"Location": location})], redirects=3)
    assert isinstance(fault, Refused)
    assert (fault.code, fault.transient) == (FaultCode.REDIRECT, False)
    assert message in str(fault)
    assert "segredo" not in str(fault)
    assert len(asked) == (4 if location and location.startswith("/") else 1)


def test_redirect_to_another_host_is_reported_without_credentials() -> None:
    with OaiServer([PAGE]) as other:
        script = [Reply("", 301, {"Location": f"http://localhost:{other.port}/oai"})]
        with OaiServer(script) as server, Client(f"http://ana:segredo@127.0.0.1:{server.port}/oai", quick()) as client:
            page = client.page(LIST)
        assert note(page, DepartureCode.OTHER_HOST).message == "a redirect led to another host, localhost"
        assert "authorization" in server.asked[0].fields
        assert "authorization" not in other.asked[0].fields


def test_credentials_are_sent_and_never_shown() -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.fields["authorization"] != "Basic YW5hOnNlZ3JlZG8=":
            return Reply("", 401)
        return PAGE if "metadataPrefix" in asked.arguments else Reply("", 302, {"Location": "/x"})

    with OaiServer(script) as server, Client(f"http://ana:segredo@127.0.0.1:{server.port}/oai", quick()) as client:
        page = client.page(LIST)
        assert client.base_url == server.url
        with pytest.raises(Refused) as raised:
            client.identify()
    for text in (page.url, str(raised.value), raised.value.url):
        assert "segredo" not in text
        assert "ana" not in text


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            "ftp://exemplo.gov.br/oai",
            "ftp://exemplo.gov.br/oai: the scheme is 'ftp' (expected the base URL of a provider",
        ),
        ("exemplo.gov.br/oai", "the scheme is ''"),
        ("http:///oai", "there is no host in it"),
        ("http://exemplo.gov.br/oai#a", "it has a fragment"),
        ("http://ana:segredo@exemplo.gov.br:99999/", "http://exemplo.gov.br:99999/: there is no port 99999"),
        ("http://ana:segredo@[::1", "the base URL: it is not a URL"),
        ("http://exemplo.gov.br/\ud800", "the base URL: it is not a URL"),
    ],
)
def test_base_url_is_checked_before_any_request(url: str, message: str) -> None:
    with pytest.raises(BadAddress) as raised:
        Client(url)
    assert message in str(raised.value)
    assert "segredo" not in str(raised.value)


def test_query_in_the_base_url_is_kept() -> None:
    with OaiServer([PAGE]) as server, Client(server.url + "?rota=oai", quick()) as client:
        client.page(LIST)
    assert server.asked[0].target == "/oai?rota=oai&verb=ListRecords&metadataPrefix=oai_lexml"


def test_closed_port_and_unknown_host_are_faults() -> None:
    with OaiServer([PAGE]) as server:
        url = server.url
    with Client(url, quick(retries=1)) as client, pytest.raises(Unreachable) as raised:
        client.page(LIST)
    assert (raised.value.code, raised.value.transient) == (FaultCode.CONNECTION, True)
    for host in ("a..b", "a" * 70):
        with Client(f"http://{host}/oai", quick(retries=0)) as client, pytest.raises(Unreachable) as raised:
            client.page(LIST)
        assert raised.value.code == FaultCode.UNKNOWN_HOST


def test_requests_share_one_connection() -> None:
    pages, asked = listed(provider(range(99901, 99941), 2))
    assert len(pages) == len(asked) == 20
    assert {request.connection for request in asked} == {1}


def test_closed_connection_is_reopened() -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        reply = provider(range(99901, 99905), 1)(asked)
        assert isinstance(reply, str)
        return Reply(reply, length=None)

    pages, asked = listed(script, retries=0)
    assert (len(pages), [request.connection for request in asked]) == (4, [1, 2, 3, 4])


def test_requests_are_spaced_by_a_pause() -> None:
    _, asked = listed(provider(range(99901, 99904), 1), politeness=0.2)
    pauses = [later.received_at - earlier.received_at for earlier, later in pairwise(asked)]
    assert len(pauses) == 2
    assert min(pauses) >= 0.19


def test_harvester_identifies_itself() -> None:
    _, asked = listed([PAGE], user_agent="Arquivo/1", contact="arquivo@exemplo.gov.br")
    fields = asked[0].fields
    assert fields["user-agent"] == "Arquivo/1 (arquivo@exemplo.gov.br)"
    assert fields["from"] == "arquivo@exemplo.gov.br"
    assert fields["accept-encoding"] == "gzip, deflate"
    _, asked = listed([PAGE], contact="https://exemplo.gov.br/contato")
    assert asked[0].fields["user-agent"] == "Vigente (https://exemplo.gov.br/contato)"
    assert "from" not in asked[0].fields


@pytest.mark.parametrize(
    "changed",
    [
        {"retries": -1},
        {"politeness": float("nan")},
        {"page_seconds": 0.0},
        {"page_bytes": 0},
        {"contact": "a\r\nX: y"},
        {"user_agent": ""},
        {"user_agent": "Câmara"},
    ],
)
def test_invalid_settings_are_refused(changed: dict[str, float | str]) -> None:
    with pytest.raises(BadSettings, match=f"expected {next(iter(changed))} "):
        quick(**changed)


def test_compressed_responses_are_decompressed() -> None:
    packed = gzipped(PAGE)
    assert isinstance(packed.body, bytes)
    two_members = Reply(packed.body + gzipped("\n").body, fields={"Content-Encoding": "x-gzip"})  # type: ignore[operator]
    for answer in (packed, two_members, Reply(PAGE, fields={"Content-Encoding": "identity"})):
        assert one_page([answer]).payload.strip() == PAGE.strip().encode()


@pytest.mark.parametrize("window", [15, -15])
def test_raw_and_zlib_deflate_are_decompressed(window: int) -> None:
    packer = zlib.compressobj(wbits=window)
    body = packer.compress(PAGE.encode()) + packer.flush()
    assert one_page([Reply(body, fields={"Content-Encoding": "deflate"})]).payload == PAGE.encode()


@pytest.mark.parametrize("script", [[silence], [busy(Retry_After="60")], [trickle(PAGE, 0.05)]])
def test_stop_interrupts_waiting_and_reading(script: list[ScriptedAnswer]) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with (
        OaiServer(script) as server,
        Client(server.url, quick(), stopped=stop.is_set) as client,
        pytest.raises(Stopped),
    ):
        client.page(LIST)
    assert time.monotonic() - began < 10


def _certified(tmp_path: Path) -> tuple[ssl.SSLContext, Path]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    path = tmp_path / "autoridade.pem"
    authority.cert_pem.write_to_path(str(path))
    return context, path


def test_unknown_certificate_authority_is_a_fault(tmp_path: Path) -> None:
    context, authority = _certified(tmp_path)
    fault, _, asked = fault_of([PAGE], context=context)
    assert isinstance(fault, Unreachable)
    assert (fault.code, fault.transient, asked) == (FaultCode.TLS, False, [])
    assert "certificate" in fault.problem
    with OaiServer(provider(range(99901, 99905), 2), context) as server:
        with Client(server.url, quick(verify=authority)) as client:
            assert [page.notes for page in client.pages(LIST)] == [(), ()]
        assert server.connections == 1
        with Client(server.url, quick(verify=False)) as client:
            assert codes(client.page(LIST)) == [DepartureCode.UNCHECKED_CERTIFICATE]


def test_redirect_from_https_to_http_is_refused(tmp_path: Path) -> None:
    context, authority = _certified(tmp_path)
    fault, _, asked = fault_of(
        [Reply("", 302, {"Location": "http://127.0.0.1/oai"})], context=context, verify=authority
    )
    assert (fault.code, len(asked)) == (FaultCode.REDIRECT, 1)
    assert "it leads from https to http" in str(fault)


def test_server_without_tls_is_a_fault() -> None:
    def script(connection: Connection) -> None:
        raise AssertionError(connection)

    with OaiServer([script]) as server:
        url = server.url.replace("http:", "https:")
        with Client(url, quick(retries=0, connect_timeout=0.5)) as client, pytest.raises(ProviderFault) as raised:
            client.page(LIST)
    assert raised.value.code in {FaultCode.TLS, FaultCode.TIMEOUT}


def test_file_without_a_certificate_authority_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "nada.pem", Path(__file__)):
        with pytest.raises(BadSettings, match="expected verify to name a file of certificates"):
            Client("https://exemplo.gov.br/oai", Settings(verify=path))
