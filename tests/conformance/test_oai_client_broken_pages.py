"""Tests of incomplete or damaged pages: each is a fault, and never ends a list."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loaders.oai_pmh import BadPage, Client, DepartureCode, FaultCode, ProviderFault, Unreachable
from loaders.oai_pmh.client import read_answer
from tests.support.memory import needs_peak
from tests.support.oai_asking import LIST, codes, fault_of, listed, one_page, quick
from tests.support.oai_server import (
    OaiServer,
    Reply,
    ScriptedAnswer,
    cut_chunk,
    cut_short,
    envelope,
    gzipped,
    list_page,
    record,
    reset,
    silence,
    trickle,
    trickled_head,
)

ROOT = Path(__file__).resolve().parents[2]
FIRST = list_page([99901, 99902], "t1")
LAST = list_page([99903], "")
MAINTENANCE = "<!DOCTYPE html>\n<html><head><title>Em manuten\u00e7\u00e3o</title></head><body><p>Volte</body></html>"


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(cut_short(LAST), id="shorter than its Content-Length"),
        pytest.param(cut_short(LAST, 0), id="nothing of its Content-Length"),
        pytest.param(cut_chunk(LAST), id="within a chunk"),
        pytest.param(reset, id="reset"),
        pytest.param(lambda connection: None, id="closed without a word"),  # noqa: ARG005
        pytest.param(lambda connection: connection.send(b"HTTP/1.1 200"), id="within the head"),
        pytest.param(lambda connection: connection.send(b"no HTTP at all\r\n\r\n"), id="no HTTP"),
        pytest.param(
            lambda connection: connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), id="bad length"
        ),
    ],
)
def test_dropped_connection_is_retried_and_then_a_fault(behaviour: ScriptedAnswer) -> None:
    fault, pages, asked = fault_of([FIRST, behaviour])
    assert isinstance(fault, Unreachable)
    assert (fault.code, fault.transient, len(pages)) == (FaultCode.CONNECTION, True, 1)
    assert [a.arguments.get("resumptionToken") for a in asked] == [None, "t1", "t1", "t1"]
    received_pages, asked = listed([FIRST, behaviour, LAST])
    assert [page.size for page in received_pages] == [2, 1]
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("answer", "code", "transient"),
    [
        pytest.param(MAINTENANCE, FaultCode.HTML, True, id="HTML with status 200"),
        pytest.param("<?xml version='1.0'?><html xmlns='x'></html>", FaultCode.HTML, True, id="XHTML"),
        pytest.param("", FaultCode.EMPTY, True, id="empty"),
        pytest.param(" \n", FaultCode.EMPTY, True, id="blank"),
        pytest.param("Tente mais tarde", FaultCode.ILL_FORMED, True, id="plain text"),
        pytest.param("<rss/>", FaultCode.WRONG_ROOT, True, id="another root"),
        pytest.param(cut_short(LAST, declared=False), FaultCode.TRUNCATED, True, id="cut without a length"),
        pytest.param(LAST[:-20], FaultCode.TRUNCATED, True, id="truncated"),
        pytest.param(LAST.replace("<Ementa>", "<Ementa>a < b"), FaultCode.ILL_FORMED, False, id="ill-formed"),
        pytest.param(LAST + LAST, FaultCode.ILL_FORMED, False, id="two responses"),
        pytest.param(LAST.replace("Norma", "\x0b"), FaultCode.ILL_FORMED, False, id="invalid character"),
        pytest.param(LAST.replace("Norma", "&#x1;"), FaultCode.ILL_FORMED, False, id="invalid reference"),
        pytest.param(LAST.replace("Norma", "&nbsp;"), FaultCode.ILL_FORMED, False, id="entity of HTML"),
        pytest.param(LAST.encode("latin-1"), FaultCode.BAD_ENCODING, False, id="Latin 1 that says UTF-8"),
        pytest.param(LAST.encode("utf-16"), FaultCode.BAD_ENCODING, False, id="UTF-16"),
        pytest.param(LAST.replace("UTF-8", "windows-1252"), FaultCode.BAD_ENCODING, False, id="another encoding"),
        pytest.param("<!DOCTYPE OAI-PMH [<!ENTITY a 'b'>]>" + LAST[39:], FaultCode.DOCTYPE, False, id="DOCTYPE"),
        pytest.param(envelope(""), FaultCode.NO_ANSWER, False, id="neither records nor error"),
        pytest.param(envelope(record(99904)), FaultCode.NO_ANSWER, False, id="records outside of the list"),
        pytest.param(list_page([99904], verb="ListIdentifiers"), FaultCode.NO_ANSWER, False, id="another verb"),
        pytest.param(list_page(["<records/>"]), FaultCode.NO_ANSWER, False, id="something else in the list"),
        pytest.param(
            envelope("<ListRecords>" + record(99904) + "</ListRecords><error code='badVerb'/>"),
            FaultCode.CONTRADICTION,
            False,
            id="records and an error",
        ),
        pytest.param(envelope("<ListRecords/><ListRecords/>"), FaultCode.CONTRADICTION, False, id="two lists"),
        pytest.param(Reply(LAST, fields={"Content-Encoding": "br"}), FaultCode.BAD_CONTENT_ENCODING, True, id="br"),
        pytest.param(
            Reply(LAST, fields={"Content-Encoding": "gzip"}), FaultCode.BAD_CONTENT_ENCODING, True, id="no gzip"
        ),
    ],
)
def test_invalid_page_in_the_middle_of_a_list_is_a_fault(
    answer: ScriptedAnswer, code: FaultCode, transient: bool
) -> None:
    fault, pages, asked = fault_of([FIRST, answer])
    assert isinstance(fault, BadPage)
    assert (fault.code, fault.transient, len(pages)) == (code, transient, 1)
    assert len(asked) == (4 if transient else 2)
    assert str(fault) == f"{fault.url}: {fault.problem} (expected {fault.expected})"
    assert fault.url.endswith("?verb=ListRecords&resumptionToken=t1")


def test_fault_keeps_the_payload_and_the_parser_position() -> None:
    fault, _, _ = fault_of([list_page(["<record><header></record>"])])
    assert fault.payload.startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n<OAI-PMH")
    assert "Opening and ending tag mismatch: header line 2 and record, line 2, column" in fault.problem
    assert "OAI-PMH 2.0, section 3.2" in fault.expected


def test_temporary_maintenance_page_loses_no_record() -> None:
    pages, _ = listed([FIRST, MAINTENANCE, "", LAST])
    assert [h.identifier[-5:] for page in pages for h in page.headers] == ["99901", "99902", "99903"]


def test_declared_encodings_are_read() -> None:
    page = LAST.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert one_page([page]).payload == page


@pytest.mark.parametrize(
    ("namespace", "noted"),
    [("", True), ("http://exemplo.gov.br/", True), ("http://www.openarchives.org/OAI/2.0/", False)],
)
def test_wrong_namespace_is_noted(namespace: str, noted: bool) -> None:
    page = one_page([LAST.replace("http://www.openarchives.org/OAI/2.0/", namespace)])
    assert page.size == 1
    assert codes(page) == ([DepartureCode.NAMESPACE] if noted else [])


_FIELDS = [
    b"Content-Length: %d" % len(LAST.encode()),
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


@settings(max_examples=60)
@given(
    st.sampled_from([b"200", b"302", b"503", b"999", b"100", b"000", b"x"]),
    st.lists(st.sampled_from(_FIELDS), max_size=4),
    st.binary(max_size=20),
)
def test_any_server_output_is_a_page_or_a_fault(status: bytes, fields: list[bytes], noise: bytes) -> None:
    sent = b"\r\n".join([b"HTTP/1.1 " + status + b" OK", *fields]) + b"\r\n\r\n" + noise + LAST.encode()
    hasty = quick(retries=0, read_timeout=1.0, page_seconds=2.0)
    with OaiServer([lambda connection: connection.send(sent)]) as server, Client(server.url, hasty) as client:
        try:
            page = client.page(LIST)
        except ProviderFault as fault:
            assert str(fault).startswith(server.url)  # noqa: PT017 (both outcomes are right)
        else:
            assert page.size == 1


@given(st.data())
def test_page_truncated_at_any_byte_is_a_fault(data: st.DataObject) -> None:
    complete_page = data.draw(
        st.sampled_from([FIRST, LAST, list_page([99901], verb="ListRecords"), envelope("<ListRecords/>")])
    )
    payload = complete_page.encode().rstrip()
    cut = payload[: data.draw(st.integers(0, len(payload) - 1))]
    with pytest.raises(BadPage):
        read_answer(cut, LIST, "http://exemplo.gov.br/oai", datetime.now(UTC), complete=True)


@given(st.binary(max_size=400))
def test_any_bytes_are_a_page_or_a_fault(data: bytes) -> None:
    for payload in (data, envelope("").encode().replace(b"</OAI", data + b"</OAI")):
        try:
            read_answer(payload, LIST, "http://exemplo.gov.br/oai", datetime.now(UTC))
        except ProviderFault as fault:
            assert fault.payload == payload  # noqa: PT017 (both outcomes are right)


@pytest.mark.parametrize("cut", [0, 1, 10, 100, 400, -9, -1])
def test_gzip_page_truncated_anywhere_is_a_fault(cut: int) -> None:
    packed = gzipped(FIRST)
    assert isinstance(packed.body, bytes)
    cut_reply = Reply(packed.body[:cut], fields=packed.fields, length=None)
    fault, pages, _ = fault_of([cut_reply], retries=0)
    assert (fault.code, pages) == (FaultCode.EMPTY if cut == 0 else FaultCode.TRUNCATED, [])


def test_slow_response_ends_at_the_deadline() -> None:
    for behaviour in (trickle(LAST, 0.01), trickled_head(0.05)):
        began = time.monotonic()
        fault, _, asked = fault_of([behaviour], page_seconds=0.5)
        assert (fault.code, fault.transient, len(asked)) == (FaultCode.TOO_SLOW, False, 1)
        assert time.monotonic() - began < 3


def test_silent_server_ends_at_the_read_timeout() -> None:
    fault, _, asked = fault_of([silence], read_timeout=0.3, retries=1)
    assert (fault.code, fault.transient, len(asked)) == (FaultCode.TIMEOUT, True, 2)
    assert fault.problem == "the server sent nothing for 0.3 seconds"


def test_page_over_the_limit_is_refused() -> None:
    assert one_page([FIRST], page_bytes=len(FIRST.encode())).size == 2
    fault, _, asked = fault_of([FIRST], page_bytes=len(FIRST.encode()) - 1)
    assert (fault.code, fault.transient, len(asked)) == (FaultCode.TOO_LARGE, False, 1)
    assert "(page_bytes)" in fault.expected


_FLAT = """
import gzip, resource, sys, zlib
from loaders.oai_pmh import Client, ProviderFault, Settings
from tests.support.oai_asking import LIST
from tests.support.memory import peak
from tests.support.oai_server import OaiServer, list_page, streamed

page = list_page([99901], "x").encode()
spaces = b" " * (1 << 20)

def endless():
    yield page[:-11]
    for _ in range(1 << 10):
        yield spaces

def bomb():
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield b"".join([packer.compress(page), *(packer.compress(spaces) for _ in range(1 << 10)), packer.flush()])

for script in ([page], [streamed(endless)], [streamed(bomb, "Content-Encoding: gzip")]):
    with OaiServer(script) as server, Client(server.url, Settings(page_bytes=8 << 20, politeness=0)) as client:
        try:
            client.page(LIST)
        except ProviderFault as fault:
            print(fault.code, fault.transient, len(fault.payload))
    print(peak())
"""


@needs_peak
@pytest.mark.slow
def test_gigabyte_is_refused_in_little_memory_even_in_gzip() -> None:
    run = subprocess.run([sys.executable, "-c", _FLAT], cwd=ROOT, capture_output=True, text=True, check=True)
    before, large, after, bomb, last = run.stdout.splitlines()
    assert large == bomb == "too-large False 65536"
    assert max(int(after), int(last)) - int(before) < 40 << 10  # KiB
