"""Tests of responses with text around them, or with another status than 200."""

from __future__ import annotations

import pytest

from loaders.oai_pmh import BadToken, DepartureCode, FaultCode, ProtocolFault, Refused, Token
from tests.support.oai_asking import codes, fault_of, note, one_page
from tests.support.oai_server import Reply, envelope, error_page, identifier, list_page, record

MARK = b"\xef\xbb\xbf"
NOTICE = b"<br />\n<b>Notice</b>: Undefined index: a in <b>/oai.php</b> on line <b>68</b><br />\n"


@pytest.mark.parametrize("before", [b"\n", b" \r\n\t", b"\n" + MARK, MARK + b"\n", b"\n" + MARK + b"\n"])
def test_white_space_before_the_declaration_is_skipped_and_reported(before: bytes) -> None:
    sound = list_page([record(99901)]).strip().encode()
    page = one_page([Reply(before + sound)])
    assert [header.identifier for header in page.headers] == [identifier(99901)]
    assert "white space before it" in note(page, DepartureCode.AROUND).message
    assert page.payload == (MARK if MARK in before else b"") + sound


@pytest.mark.parametrize(
    ("before", "behind", "message"),
    [
        (NOTICE, b"", "<b>68</b><br />' before it"),
        (b"Warning: x\n", b"", "'Warning: x' before it"),
        (b"", NOTICE, "'<br />\\n<b>Notice</b>"),
        (b"x", b"\n</body>\n", "'x' before it, '</body>' behind it"),
        (b"\xe7\n", b"\x00", "before it, '\\x00' behind it"),
    ],
)
@pytest.mark.parametrize("has_declaration", [True, False])
def test_text_around_a_response_is_skipped_and_reported(
    before: bytes, behind: bytes, message: str, has_declaration: bool
) -> None:
    sound = list_page([record(99901)], "a").strip().encode()
    sound = sound if has_declaration else sound.partition(b"?>\n")[2]
    page = one_page([Reply(before + sound + behind)])
    assert ([header.identifier for header in page.headers], page.token) == ([identifier(99901)], Token("a"))
    assert message in note(page, DepartureCode.AROUND).message
    assert page.payload == sound


@pytest.mark.parametrize("before", [MARK, b"", b"<!-- <OAI-PMH> -->"])
@pytest.mark.parametrize("behind", [b"", b"\n", b"\n<!-- </OAI-PMH> -->"])
def test_allowed_text_around_a_response_is_not_reported(before: bytes, behind: bytes) -> None:
    sound = list_page([record(99901)]).encode()
    sent = before + (sound.partition(b"?>\n")[2] if b"<!" in before else sound) + behind
    page = one_page([Reply(sent)])
    assert (page.payload, codes(page)) == (sent, [])


RESPONSE = list_page([record(99901)]).strip().encode()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (RESPONSE + RESPONSE, FaultCode.ILL_FORMED),
        (RESPONSE + RESPONSE.partition(b"?>")[2], FaultCode.ILL_FORMED),
        (NOTICE + RESPONSE[:-40], FaultCode.WRONG_ROOT),
        (b"x" + RESPONSE.replace(b"</Ementa>", b""), FaultCode.ILL_FORMED),
        (RESPONSE.replace(b"</record>", b"") + NOTICE, FaultCode.ILL_FORMED),
        (b"\n<!DOCTYPE x>" + RESPONSE.partition(b"?>")[2], FaultCode.DOCTYPE),
        (MARK + b"\n" + RESPONSE.replace(b"UTF-8", b"ISO-8859-1"), FaultCode.ILL_FORMED),
        (b"<p>x</p>\n</OAI-PMH>", FaultCode.WRONG_ROOT),
    ],
)
def test_incomplete_response_is_a_fault_whatever_surrounds_it(sent: bytes, code: FaultCode) -> None:
    fault, pages, _ = fault_of([Reply(sent)], retries=0)
    assert (fault.code, pages) == (code, [])


@pytest.mark.parametrize("status", [400, 404, 422, 500])
def test_protocol_error_with_another_status_is_recognised(status: int) -> None:
    empty = one_page([Reply(error_page("noRecordsMatch"), status)], retries=0)
    assert (empty.size, empty.is_last) == (0, True)
    assert f"status {status}" in note(empty, DepartureCode.STATUS).message
    fault, _, _ = fault_of([Reply(error_page("badArgument"), status)], retries=0)
    assert (fault.code, type(fault)) == (FaultCode.BAD_ARGUMENT, ProtocolFault)
    script = [Reply(list_page([99901], "a")), Reply(error_page("badResumptionToken"), status)]
    fault, pages, _ = fault_of(script, retries=0)
    assert (type(fault), len(pages)) == (BadToken, 1)


@pytest.mark.parametrize(
    "body",
    ["", "<html/>", list_page([99901]), error_page("noRecordsMatch")[:-5], "<OAI-PMH/>", envelope("<error/>x<x/>")],
)
def test_other_bodies_with_an_error_status_are_refused(body: str) -> None:
    fault, pages, _ = fault_of([Reply(body, 422)], retries=0)
    assert (type(fault), fault.code, pages) == (Refused, FaultCode.STATUS, [])


def test_busy_status_means_busy_whatever_the_body() -> None:
    fault, _, _ = fault_of([Reply(error_page("noRecordsMatch"), 503)], retries=0)
    assert fault.code == FaultCode.BUSY


def declared_latin(text: str, encoding: str) -> bytes:
    page = list_page([record(99901).replace("Norma fictícia.", text)])
    return page.replace("encoding='UTF-8'", "encoding='ISO-8859-1'", 1).encode(encoding)


@pytest.mark.parametrize("text", ["Lei nº 99.901: § 1º da ação", "ºº", "Proposição e sanção, em 1º/01"])
def test_utf_8_declared_as_latin_1_is_reported(text: str) -> None:
    page = one_page([Reply(declared_latin(text, "utf-8"))])
    assert "was read as 'Ã" in note(page, DepartureCode.DOUBTFUL_ENCODING).message
    assert DepartureCode.DOUBTFUL_ENCODING not in codes(one_page([Reply(declared_latin(text, "iso-8859-1"))]))
    assert DepartureCode.DOUBTFUL_ENCODING not in codes(one_page([list_page([record(99901)])]))


@pytest.mark.parametrize("text", ["oai:x:a b", "oai:x:a<b", 'oai:x:"', "oai:x:{1}"])
def test_identifier_that_is_not_a_uri_is_reported(text: str) -> None:
    bad = record(99901).replace(identifier(99901), text.replace("<", "&lt;"))
    page = one_page([list_page([bad, record(99902)])])
    departure = note(page, DepartureCode.BAD_IDENTIFIER)
    assert (departure.count, page.headers[0].identifier) == (1, text)
    assert repr(text) in departure.message


@pytest.mark.parametrize("text", ["oai:x:a%20b", "oai:x:njur/[1]", "oai:x:ação"])
def test_almost_valid_uri_identifier_is_not_reported(text: str) -> None:
    page = one_page([list_page([record(99901).replace(identifier(99901), text)])])
    assert DepartureCode.BAD_IDENTIFIER not in codes(page)
