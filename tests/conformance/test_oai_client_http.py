"""Tests of the OAI-PMH client over HTTP: waits, limits, redirects, TLS, connections, and settings."""

from __future__ import annotations

import ssl
import threading
import time
import tomllib
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st

from loaders import oai_pmh as oai
from loaders.oai_pmh import FaultCode
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
    trickled_head,
)

DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "oai" / "client.toml").read_text("utf-8"))
PAGE = list_page([99901], "")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
THEN = datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)
SECRET = "ana:segredo"  # noqa: S105 - of no server


def busy(**fields: str) -> Reply:
    return Reply("<html>ocupado</html>", 503, {name.replace("_", "-"): text for name, text in fields.items()})


# Waits


@pytest.mark.parametrize(
    ("answers", "waits", "options"),
    [
        ([busy(Retry_After="1")], [1.0], {}),
        (
            [busy(Date=format_datetime(THEN, usegmt=True),
                  Retry_After=format_datetime(THEN + timedelta(0, 1), usegmt=True))],
            [1.0],
            {},
        ),
        ([Reply("x", 500)] * 4, [0.02, 0.04, 0.08, 0.1], {"retries": 4, "backoff": 0.02, "longest_wait": 0.1}),
    ],
    ids=["seconds", "a date by the clock of the server", "growing to the limit"],
)  # fmt: skip
def test_waits_are_those_asked_for(answers: list[Reply], waits: list[float], options: dict[str, Any]) -> None:
    seen: list[oai.Waiting] = []
    began = time.monotonic()
    pages, asked = listed([*answers, PAGE], on_wait=seen.append, **options)
    assert time.monotonic() - began >= sum(waits)
    assert (len(pages), len(asked)) == (1, len(answers) + 1)
    assert [wait.seconds for wait in seen] == waits
    assert [(wait.attempt, wait.attempts) for wait in seen] == [
        (n + 1, options.get("retries", 2)) for n in range(len(waits))
    ]


@pytest.mark.parametrize(("after", "now", "seconds"), DATA["retry_after"])
def test_retry_after_is_parsed_in_all_its_forms(after: str, now: str, seconds: int) -> None:
    fields = {name: text for name, text in (("Retry-After", after), ("Date", now)) if text}
    assert retry_after(httpx.Headers(fields), NOW) == (None if seconds < 0 else seconds)
    assert retry_after(httpx.Headers({"Retry-After": "9" * 5000}), NOW) is None


@pytest.mark.parametrize("text", ["3", "Fri, 02 Jan 2099 03:05:05 GMT"])
def test_wait_over_the_limit_is_an_immediate_fault(text: str) -> None:
    fault, _, asked = fault_of([busy(Retry_After=text)], longest_wait=2)
    assert isinstance(fault, oai.Busy)
    assert (fault.code, fault.transient, len(asked)) == (FaultCode.BUSY, True, 1)
    assert fault.retry_after is not None
    assert fault.retry_after > 2
    assert "a wait of at most 2 seconds (longest_wait), RFC 9110, section 10.2.3" in str(fault)


@pytest.mark.parametrize(
    ("answer", "code", "transient", "requests", "options"),
    [
        (trickle(PAGE, 0.01), FaultCode.TOO_SLOW, False, 1, {"page_seconds": 0.5}),
        (trickled_head(0.05), FaultCode.TOO_SLOW, False, 1, {"page_seconds": 0.5}),
        (silence, FaultCode.TIMEOUT, True, 2, {"read_timeout": 0.3, "retries": 1}),
        (PAGE, FaultCode.TOO_LARGE, False, 1, {"page_bytes": len(PAGE.encode()) - 1}),
        (Reply("x", 500), FaultCode.STATUS, True, 3, {}),
    ],
    ids=["slow body", "slow head", "silent", "large", "failing"],
)
def test_answer_over_a_limit_is_a_fault(
    answer: ScriptedAnswer, code: FaultCode, transient: bool, requests: int, options: dict[str, Any]
) -> None:
    began = time.monotonic()
    fault, _, asked = fault_of([answer], **options)
    assert (fault.code, fault.transient, len(asked)) == (code, transient, requests)
    assert time.monotonic() - began < 3
    message = {
        FaultCode.TIMEOUT: "the server sent nothing for 0.3 seconds",
        FaultCode.TOO_LARGE: "(page_bytes)",
        FaultCode.STATUS: "the server answered with the status 500",
    }
    assert message.get(code, "") in str(fault)
    assert one_page([PAGE], page_bytes=len(PAGE.encode())).size == 1


@pytest.mark.parametrize(
    "answer", [silence, busy(Retry_After="60"), trickle(PAGE, 0.05)], ids=["silent", "busy", "slow"]
)
def test_stop_interrupts_waiting_and_reading(answer: ScriptedAnswer) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    with (
        OaiServer([answer]) as server,
        oai.Client(server.url, quick(), stopped=stop.is_set) as client,
        pytest.raises(oai.Stopped),
    ):
        client.page(LIST)
    assert time.monotonic() - began < 10


_FIELDS = [
    b"Content-Length: %d" % len(PAGE.encode()),
    b"Content-Length: -1",
    b"Content-Encoding: gzip",
    b"Content-Encoding: \xff",
    b"Transfer-Encoding: chunked",
    b"Location: http://%00/",
    b"Location: //[::/",
    b"Location: \xe9\xff",
    b"Retry-After: 9e9",
    b"Retry-After: \xb2",
    b"Date: Mon, 99 Foo",
]


@settings(max_examples=100)
@given(
    st.sampled_from([b"200", b"302", b"503", b"999", b"100", b"000", b"x"]),
    st.lists(st.sampled_from(_FIELDS), max_size=4),
    st.binary(max_size=20),
)
def test_any_server_output_is_a_page_or_a_fault(status: bytes, fields: list[bytes], noise: bytes) -> None:
    sent = b"\r\n".join([b"HTTP/1.1 " + status + b" OK", *fields]) + b"\r\n\r\n" + noise + PAGE.encode()
    hasty = quick(retries=0, read_timeout=0.5, page_seconds=1.0)
    with OaiServer([lambda connection: connection.send(sent)]) as server, oai.Client(server.url, hasty) as client:
        try:
            page = client.page(LIST)
        except oai.ProviderFault as fault:
            assert str(fault).startswith(server.url)  # noqa: PT017 (both outcomes are right)
        else:
            assert page.size == 1


# Redirects and addresses


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


@pytest.mark.parametrize(("location", "message"), DATA["redirects"])
def test_invalid_redirect_is_a_fault(location: str, message: str) -> None:
    fault, _, asked = fault_of([Reply("", 302, {"Location": location} if location else {})], redirects=3)
    assert (type(fault), fault.code, fault.transient) == (oai.Refused, FaultCode.REDIRECT, False)
    assert message in str(fault)
    assert "segredo" not in str(fault)
    assert len(asked) == (4 if location.startswith("/") else 1)


def test_credentials_are_sent_to_the_provider_alone_and_never_shown() -> None:
    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.fields["authorization"] != "Basic YW5hOnNlZ3JlZG8=":
            return Reply("", 401)
        host = asked.arguments.get("set")
        return Reply("", 302, {"Location": f"http://{host}:{other.port}/oai" if host else "/x"})

    with (
        OaiServer([PAGE]) as other,
        OaiServer(script) as server,
        oai.Client(f"http://{SECRET}@127.0.0.1:{server.port}/oai", quick()) as client,
    ):
        assert client.base_url == server.url
        for host in ("127.0.0.1", "localhost"):  # another port of the same host, and another host
            page = client.page(oai.Request(oai.Verb.LIST_RECORDS, prefix="oai_lexml", set=host))
        with pytest.raises(oai.Refused) as raised:
            client.identify()
    for text in (page.url, str(raised.value), raised.value.url):
        assert "segredo" not in text
        assert "ana" not in text
    assert note(page, oai.DepartureCode.OTHER_HOST).message == "a redirect led to another host, localhost"
    assert [asked.fields.get("authorization") for asked in other.asked] == [None, None]


@pytest.mark.parametrize(("url", "message"), [*DATA["base_urls"], ("http://x/\ud800", "the base URL: it is not a URL")])
def test_base_url_is_checked_before_any_request(url: str, message: str) -> None:
    with pytest.raises(oai.BadAddress) as raised:
        oai.Client(url)
    assert message in str(raised.value)
    assert "segredo" not in str(raised.value)


def test_query_in_the_base_url_is_kept() -> None:
    with OaiServer([PAGE]) as server, oai.Client(server.url + "?rota=oai", quick()) as client:
        client.page(LIST)
    assert server.asked[0].target == "/oai?rota=oai&verb=ListRecords&metadataPrefix=oai_lexml"


def test_closed_port_and_unknown_host_are_faults() -> None:
    with OaiServer([PAGE]) as server:
        closed = server.url
    for url, code, transient in (
        (closed, FaultCode.CONNECTION, True),
        ("http://a..b/oai", FaultCode.UNKNOWN_HOST, None),
        (f"http://{'a' * 70}/oai", FaultCode.UNKNOWN_HOST, None),
    ):
        with oai.Client(url, quick(retries=0)) as client, pytest.raises(oai.Unreachable) as raised:
            client.page(LIST)
        assert raised.value.code == code
        assert transient is None or raised.value.transient is transient


# Connections and settings


def test_requests_share_one_connection_which_is_reopened() -> None:
    answers = provider(range(99901, 99907), 2)

    def closing(asked: ReceivedRequest) -> ScriptedAnswer:
        reply = answers(asked)
        assert isinstance(reply, str)
        return Reply(reply, length=None)

    for script, connections in ((answers, [1, 1, 1]), (closing, [1, 2, 3])):
        pages, asked = listed(script, retries=0)
        assert (len(pages), [request.connection for request in asked]) == (3, connections)


def test_requests_are_spaced_by_a_pause() -> None:
    _, asked = listed(provider(range(99901, 99904), 1), politeness=0.2)
    pauses = [later.received_at - earlier.received_at for earlier, later in pairwise(asked)]
    assert len(pauses) == 2
    assert min(pauses) >= 0.19


def test_harvester_identifies_itself() -> None:
    _, asked = listed([PAGE], user_agent="Arquivo/1", contact="arquivo@exemplo.gov.br")
    fields = asked[0].fields
    assert fields["user-agent"] == "Arquivo/1 (arquivo@exemplo.gov.br)"
    assert (fields["from"], fields["accept-encoding"]) == ("arquivo@exemplo.gov.br", "gzip, deflate")
    _, asked = listed([PAGE], contact="https://exemplo.gov.br/contato")
    assert asked[0].fields["user-agent"] == "Vigente (https://exemplo.gov.br/contato)"
    assert "from" not in asked[0].fields


@pytest.mark.parametrize(("name", "value"), DATA["settings"])
def test_invalid_settings_are_refused(name: str, value: float | str) -> None:
    with pytest.raises(oai.BadSettings, match=f"expected {name} "):
        quick(**{name: value})


def packed(window: int) -> bytes:
    packer = zlib.compressobj(wbits=window)
    return packer.compress(PAGE.encode()) + packer.flush()


@pytest.mark.parametrize(
    "answer",
    [
        gzipped(PAGE),
        Reply(packed(31) + zlib.compress(b"\n", wbits=31), fields={"Content-Encoding": "x-gzip"}),
        Reply(PAGE, fields={"Content-Encoding": "identity"}),
        Reply(packed(15), fields={"Content-Encoding": "deflate"}),
        Reply(packed(-15), fields={"Content-Encoding": "deflate"}),
    ],
    ids=["gzip", "gzip of two members", "identity", "zlib", "raw"],
)
def test_compressed_responses_are_decompressed(answer: Reply) -> None:
    assert one_page([answer]).payload.strip() == PAGE.strip().encode()


# TLS


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """Return the context of a server, and the file of the authority that issued its certificate."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    path = tmp_path_factory.mktemp("tls") / "autoridade.pem"
    authority.cert_pem.write_to_path(str(path))
    return context, path


def test_unknown_certificate_authority_is_a_fault(certified: tuple[ssl.SSLContext, Path]) -> None:
    context, authority = certified
    fault, _, asked = fault_of([PAGE], context=context)
    assert isinstance(fault, oai.Unreachable)
    assert (fault.code, fault.transient, asked) == (FaultCode.TLS, False, [])
    assert "certificate" in fault.problem
    with OaiServer(provider(range(99901, 99905), 2), context) as server:
        with oai.Client(server.url, quick(verify=authority)) as client:
            assert [page.notes for page in client.pages(LIST)] == [(), ()]
        assert server.connections == 1
        with oai.Client(server.url, quick(verify=False)) as client:
            assert codes(client.page(LIST)) == [oai.DepartureCode.UNCHECKED_CERTIFICATE]
    plain = Reply("", 302, {"Location": "http://127.0.0.1/oai"})
    fault, _, asked = fault_of([plain], context=context, verify=authority)
    assert (fault.code, len(asked)) == (FaultCode.REDIRECT, 1)
    assert "it leads from https to http" in str(fault)


def test_server_without_tls_is_a_fault() -> None:
    def script(connection: Connection) -> None:
        raise AssertionError(connection)

    with OaiServer([script]) as server:
        url = server.url.replace("http:", "https:")
        client = oai.Client(url, quick(retries=0, connect_timeout=0.5))
        with client, pytest.raises(oai.ProviderFault) as raised:
            client.page(LIST)
    assert raised.value.code in {FaultCode.TLS, FaultCode.TIMEOUT}


def test_file_without_a_certificate_authority_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "nada.pem", Path(__file__)):
        with pytest.raises(oai.BadSettings, match="expected verify to name a file of certificates"):
            oai.Client("https://exemplo.gov.br/oai", oai.Settings(verify=path))
