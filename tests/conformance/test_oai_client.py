"""Tests of the OAI-PMH client: what it reads of lists, pages and tokens, faults, waits, limits, and redirects."""

from __future__ import annotations

import gzip
import re
import ssl
import subprocess
import sys
import threading
import time
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import BadDate, VigenteError
from loaders import oai_pmh as oai
from loaders.oai_pmh import DepartureCode as Note
from loaders.oai_pmh import FaultCode
from loaders.oai_pmh import FaultCode as Code
from loaders.oai_pmh.client import read_answer
from loaders.oai_pmh.fetching import retry_after
from tests.support.cases import constant
from tests.support.memory import needs_peak
from tests.support.oai_asking import LIST, codes, fault_of, listed, note, one_page, quick
from tests.support.oai_server import (
    Behaviour,
    Connection,
    OaiServer,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    cut_chunk,
    cut_short,
    envelope,
    error_page,
    gzipped,
    header,
    identifier,
    identify_page,
    list_page,
    provider,
    record,
    reset,
    silence,
    trickle,
    trickled_head,
)

# The OAI-PMH client


DAY, SECOND = oai.Granularity.DAY, oai.Granularity.SECOND
ROOT = Path(__file__).resolve().parents[2]
DATA = tomllib.loads((ROOT / "tests" / "data" / "oai" / "client.toml").read_text("utf-8"))
ANSWERS = tomllib.loads((ROOT / "tests" / "data" / "oai" / "answers.toml").read_text("utf-8"))
FIRST = list_page([99901, 99902], "t1")
LAST = list_page([99903], "")
SOUND = list_page([record(99901)]).strip()
NAMED = {
    "{FIRST}": FIRST,
    "{LAST}": LAST,
    "{SOUND}": SOUND,
    "{BARE}": SOUND.partition("?>\n")[2],
    "{RECORD}": record(99904),
    "{MARK}": "\ufeff",
    "{BYTE}": "\udce7",  # a byte that is not UTF-8
    "{NOTICE}": "<br />\n<b>Notice</b>: Undefined index: a in <b>/oai.php</b> on line <b>68</b><br />\n",
}
BEHAVIOURS: dict[str, Behaviour] = {
    "shorter than its Content-Length": cut_short(LAST),
    "nothing of its Content-Length": cut_short(LAST, 0),
    "cut without a length": cut_short(LAST, declared=False),
    "within a chunk": cut_chunk(LAST),
    "reset": reset,
    "closed without a word": lambda _: None,
    "within the head": lambda connection: connection.send(b"HTTP/1.1 200"),
    "no HTTP": lambda connection: connection.send(b"no HTTP at all\r\n\r\n"),
    "bad length": lambda connection: connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"),
}


def filled(text: str) -> str:
    for name, value in NAMED.items():
        text = text.replace(name, value)
    return text


def answer_of(row: Mapping[str, Any]) -> ScriptedAnswer:
    """Return the answer of a row of tests/data/oai/answers.toml."""
    if "behaviour" in row:
        return BEHAVIOURS[row["behaviour"]]
    if "error" in row:
        text = error_page(row["error"])
    elif "envelope" in row:
        text = envelope(filled(row["envelope"]))
    elif "list" in row:
        text = list_page(map(filled, row["list"]), row.get("token"), **row.get("of_token", {}))
    else:
        text = filled(row["text"])
    replaced = row.get("replaced", ())
    for old, new in zip(replaced[::2], replaced[1::2], strict=True):
        text = text.replace(old, new)
    body = text[: row.get("cut")].encode(row.get("encoding", "utf-8"), "surrogateescape")
    if "gzip_cut" in row:  # the end of the body is that of the connection
        return Reply(gzip.compress(body)[: row["gzip_cut"]], fields={"Content-Encoding": "gzip"}, length=None)
    return Reply(body, row.get("status", 200), row.get("fields", {}))


# Faults


@pytest.mark.parametrize(
    ("kind", "code", "transient", "row"),
    [
        pytest.param(*fault["of"], row, id=f"{fault['of'][1]} {row}")
        for fault in ANSWERS["faults"]
        for row in fault["answers"]
    ],
)
def test_answer_within_a_list_is_a_fault_and_never_its_end(
    kind: str, code: str, transient: bool, row: Mapping[str, Any]
) -> None:
    answer = answer_of(row)
    fault, pages, asked = fault_of([FIRST, answer])
    assert (type(fault).__name__, fault.code, fault.transient, len(pages)) == (kind, code, transient, 1)
    assert [request.arguments.get("resumptionToken") for request in asked] == [None, *["t1"] * (3 if transient else 1)]
    assert str(fault).startswith(f"{fault.url}: {fault.problem} (expected {fault.expected}")
    assert fault.url.endswith("?verb=ListRecords&resumptionToken=t1")
    if isinstance(fault, oai.ProtocolFault):
        assert f"the error '{fault.oai_code}': 'as asked'" in str(fault)
    if transient:
        pages, asked = listed([FIRST, answer, LAST])
        assert [header.identifier[-5:] for page in pages for header in page.headers] == ["99901", "99902", "99903"]
        assert len(asked) == 3


def test_fault_keeps_the_payload_and_the_parser_position() -> None:
    fault, _, _ = fault_of([list_page(["<record><header></record>"])])
    assert fault.payload.startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n<OAI-PMH")
    assert "header line 2 and record, line 2, column" in fault.problem
    assert "OAI-PMH 2.0, section 3.2" in fault.expected


@given(st.data())
@settings(max_examples=60)
def test_page_truncated_at_any_byte_is_a_fault(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([FIRST, LAST, list_page([99901]), envelope("<ListRecords/>")])).encode().rstrip()
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(oai.BadPage):
        read_answer(cut, LIST, "http://exemplo.gov.br/oai", datetime.now(UTC), complete=True)


@given(st.binary(max_size=400))
@settings(max_examples=100)
def test_any_bytes_are_a_page_or_a_fault(data: bytes) -> None:
    for payload in (data, envelope("").encode().replace(b"</OAI", data + b"</OAI")):
        try:
            read_answer(payload, LIST, "http://exemplo.gov.br/oai", datetime.now(UTC))
        except oai.ProviderFault as fault:
            assert fault.payload == payload  # noqa: PT017 (both outcomes are right)


_FLAT = constant("programs", "oai_client_flat")


@needs_peak
@pytest.mark.slow
def test_huge_page_is_refused_in_little_memory_even_in_gzip() -> None:
    run = subprocess.run([sys.executable, "-c", _FLAT], cwd=ROOT, capture_output=True, text=True, check=True)
    before, large, after, bomb, last = run.stdout.splitlines()
    assert large == bomb == "too-large False 65536"
    assert max(int(after), int(last)) - int(before) < 40 << 10  # KiB


# Pages that are read, with notes


@pytest.mark.parametrize("row", ANSWERS["lists"], ids=lambda row: str(row["answers"])[:70])
def test_unusual_page_is_read_and_noted(row: Mapping[str, Any]) -> None:
    script = [answer_of(answer) for answer in row["answers"]]
    pages, asked = listed(script, retries=0)
    assert [page.size for page in pages] == row["sizes"]
    assert len(asked) == len(script)
    for page, expected in zip(pages, row["notes"], strict=True):
        assert set(codes(page)) == set(expected)
        for code, message in expected.items():
            assert message in note(page, Note(code)).message
        if "around" in expected:
            assert page.payload.decode().removeprefix("\ufeff") in (SOUND, NAMED["{BARE}"])
        else:
            assert page.payload in [answer.body for answer in script if isinstance(answer, Reply)]


def test_empty_page_ends_a_list_only_after_its_announced_size() -> None:
    for first in (list_page([99901, 99902], "a", completeListSize=3, cursor=0), list_page([99901], "a")):
        for end, code in ((envelope(""), Code.NO_ANSWER), (error_page("noRecordsMatch"), Code.NO_RECORDS)):
            fault, pages, _ = fault_of([first, end])
            assert (fault.code, len(pages)) == (code, 1)
    with OaiServer([envelope("")]) as server, oai.Client(server.url, quick()) as client:
        page = client.page(oai.Request(oai.Verb.LIST_RECORDS, token="a"), complete=True)  # noqa: S106 (no secret)
    assert (page.is_last, codes(page)) == (True, [Note.END_WITHOUT_LIST])


def test_invalid_records_do_not_stop_a_page() -> None:
    entries = [
        "<record><metadata/></record>",
        "<record><header><datestamp>2026-01-01</datestamp></header></record>",
        record(99901, stamp="2008-07-08-10:20:20:002221"),
        record(99902, stamp=""),
        record(99903).replace("<header>", '<header status="draft">'),
        record(99904).replace("<header>", '<q:header xmlns:q="x">').replace("</header>", "</q:header>"),
    ]
    page = one_page([list_page(entries)])
    assert (page.size, [h.identifier for h in page.headers]) == (6, [identifier(n) for n in range(99901, 99905)])
    assert [h.datestamp for h in page.headers][:2] == ["2008-07-08-10:20:20:002221", None]
    assert [(n.code, n.count) for n in page.notes] == [
        (Note.NO_HEADER, 1),
        (Note.NO_IDENTIFIER, 1),
        (Note.BAD_DATESTAMP, 2),
        (Note.UNKNOWN_STATUS, 1),
    ]


# Lists and tokens


def test_page_has_all_fields_of_its_answer() -> None:
    entries = [record(99901, sets=["leis", "leis:federais"]), record(99902, stamp="2026-01-03", deleted=True)]
    text = list_page(entries, " t/1 ", completeListSize=7, cursor=0, expirationDate="2026-02-01T01:00:00Z")
    page = one_page([text])
    assert page.payload == text.encode()
    assert (page.request, page.size, page.is_last, page.errors, page.notes) == (LIST, 2, False, (), ())
    assert (page.response_date, page.base_url) == ("2026-02-01T00:00:00Z", "http://exemplo.gov.br/oai")
    assert page.headers == (
        oai.Header(identifier(99901), "2026-01-02T03:04:05Z", False, ("leis", "leis:federais")),
        oai.Header(identifier(99902), "2026-01-03", True, ()),
    )
    assert page.token == oai.Token("t/1", 7, 0, "2026-02-01T01:00:00Z")
    assert (page.complete_list_size, page.granularity) == (7, oai.Granularity.SECOND)
    assert page.fetched_at.utcoffset() is not None
    request = oai.Request(
        oai.Verb.LIST_IDENTIFIERS, prefix="p", from_="2026-01-01T00:00:00Z", until="2026-01-03T00:00:00Z"
    )
    page = one_page([list_page([header(99901, deleted=True)], verb="ListIdentifiers")], request)
    assert page.headers == (oai.Header(identifier(99901), "2026-01-02T03:04:05Z", True, ()),)
    page = one_page([error_page("noRecordsMatch")])
    assert (page.size, page.headers, page.is_last, page.notes) == (0, (), True, ())
    assert page.errors == (oai.OaiError("noRecordsMatch", "as asked"),)


@pytest.mark.parametrize("verb", [oai.Verb.LIST_RECORDS, oai.Verb.LIST_IDENTIFIERS])
def test_list_is_followed_to_its_end(verb: oai.Verb) -> None:
    numbers = range(99901, 99908)
    pages, asked = listed(provider(numbers, 3), oai.Request(verb, prefix="oai_lexml", from_="2026-01-01", set="leis"))
    assert [h.identifier for page in pages for h in page.headers] == [identifier(n) for n in numbers]
    assert [page.is_last for page in pages] == [False, False, True]
    assert {code for page in pages for code in codes(page)} == set()
    assert asked[0].arguments == {"verb": verb, "metadataPrefix": "oai_lexml", "from": "2026-01-01", "set": "leis"}
    assert [a.arguments for a in asked[1:]] == [{"verb": verb, "resumptionToken": token} for token in ("3", "6")]
    resumed, _ = listed(provider(numbers, 3), LIST, "6", received=6, complete_list_size=7)
    assert [h.identifier for page in resumed for h in page.headers] == [identifier(99907)]
    assert codes(resumed[0]) == []


INSIDE = record(99901).replace("<Ementa>", "<resumptionToken>x</resumptionToken><Ementa>")
RESUMPTION = '<t:resumptionToken xmlns:t="z">a</t:resumptionToken>'


@pytest.mark.parametrize(
    ("page", "sent"),
    [
        *((list_page([99901], token), token) for token in ("a%2Fb%3D", "a+b c&d=e;f", "é/ü", "<x>&amp;", "\u00a0")),
        (list_page([99901, "<resumptionToken>a<!-- x -->b<![CDATA[&]]></resumptionToken>"]), "ab&"),
        (list_page([INSIDE], "y"), "y"),
        (envelope(f'<l:ListRecords xmlns:l="y">{record(99901)}{RESUMPTION}</l:ListRecords>'), "a"),
        (list_page([99901], None), None),
        (list_page([99901], ""), None),
        (list_page([99901], " \n "), None),
        (list_page([INSIDE, record(99902).replace("<metadata>", "<resumptionToken>y</resumptionToken><metadata>")]),
         None),
    ],
)  # fmt: skip
def test_token_is_sent_back_encoded_once(page: str, sent: str | None) -> None:
    pages, asked = listed([page, LAST])
    assert (pages[0].token, pages[0].is_last) == (None if sent is None else oai.Token(sent), sent is None)
    assert pages[0].size >= 1
    assert [a.arguments for a in asked[1:]] == [{"verb": "ListRecords", "resumptionToken": sent}] * (sent is not None)


@pytest.mark.parametrize("tokens", [["a", "a"], ["a", "b", "a"], ["a", "b", "c", "b"]])
def test_repeated_token_is_a_loop(tokens: list[str]) -> None:
    script = [list_page([99901 + number], token) for number, token in enumerate(tokens)]
    fault, pages, asked = fault_of(script)
    assert isinstance(fault, oai.TokenLoop)
    assert (fault.code, len(pages), len(asked)) == (Code.TOKEN_LOOP, len(tokens) - 1, len(tokens))
    assert f"the resumption token '{tokens[-1]}' was returned twice in one list" in str(fault)
    with OaiServer([script[0]]) as server, oai.Client(server.url, quick()) as client, pytest.raises(oai.TokenLoop):
        next(client.pages(LIST, "a"))


def test_endless_list_is_bounded() -> None:
    fault, pages, asked = fault_of(lambda asked: list_page([99901], str(asked.received_at)), max_pages=5)
    assert isinstance(fault, oai.TokenLoop)
    assert (fault.code, len(pages), len(asked)) == (Code.ENDLESS_LIST, 5, 5)


# The other verbs


def test_identify_describes_the_provider() -> None:
    with OaiServer(lambda _: identify_page(server.url)) as server, oai.Client(server.url, quick()) as client:
        identity = client.identify()
    assert (identity.repository_name, identity.base_url) == ("Arquivo Fictício", server.url)
    assert (identity.deleted, identity.granularity) == (oai.DeletedRecord.PERSISTENT, oai.Granularity.SECOND)
    assert identity.earliest is not None
    assert str(identity.earliest.moment) == "2001-01-01 00:00:00+00:00"
    assert (identity.admin_emails, identity.page.notes) == (("arquivo@exemplo.gov.br",), ())


def test_nonconforming_identify_is_read() -> None:
    page = identify_page(
        "http://outro.gov.br/oai",
        protocolVersion="1.1",
        earliestDatestamp="desde sempre",
        granularity="YYYY",
        deletedRecord="yes",
        adminEmail=None,
        repositoryName=None,
    )
    by_day = identify_page("x", granularity="YYYY-MM-DD", earliestDatestamp="2001-01-01T00:00:00Z")
    with OaiServer([page, by_day, list_page([99901])]) as server, oai.Client(server.url, quick()) as client:
        identity, other, listed_page = client.identify(), client.identify(), client.page(LIST)
    assert (identity.earliest, identity.earliest_written) == (None, "desde sempre")
    assert (identity.granularity, identity.deleted) == (None, None)
    assert {departure.code: departure.count for departure in identity.page.notes} == {
        Note.WRONG_VERSION: 1,
        Note.WRONG_BASE_URL: 1,
        Note.UNKNOWN_WORD: 2,
        Note.BAD_EARLIEST: 1,
        Note.MISSING_DESCRIPTION: note(identity.page, Note.MISSING_DESCRIPTION).count,
    }
    assert Note.OTHER_GRANULARITY in codes(other.page)
    assert (listed_page.granularity, codes(listed_page)) == (oai.Granularity.SECOND, [Note.OTHER_GRANULARITY])


def test_formats_sets_and_single_records_are_requested() -> None:
    parts = "<metadataPrefix>oai_lexml</metadataPrefix><schema>s</schema><metadataNamespace>n</metadataNamespace>"
    sets = "<set><setSpec>{0}</setSpec><setName>Leis</setName></set>"
    script = [
        envelope(f"<ListMetadataFormats><metadataFormat>{parts}</metadataFormat></ListMetadataFormats>"),
        list_page([sets.format("a")], "t", verb="ListSets"),
        list_page([sets.format("b")], verb="ListSets"),
        envelope(f"<GetRecord>{record(99901)}</GetRecord>"),
        error_page("idDoesNotExist"),
        envelope("<GetRecord/>"),
        error_page("noSetHierarchy"),
    ]
    with OaiServer(script) as server, oai.Client(server.url, quick()) as client:
        assert client.metadata_formats("oai:x:1") == (oai.MetadataFormat("oai_lexml", "s", "n"),)
        assert list(client.sets()) == [oai.SetSpec("a", "Leis"), oai.SetSpec("b", "Leis")]
        page = client.record(identifier(99901), "oai_lexml")
        assert (page.size, page.headers[0].identifier, page.is_last) == (1, identifier(99901), True)
        for code in (Code.NO_RECORD, Code.NO_ANSWER):
            with pytest.raises(VigenteError) as raised:
                client.record(identifier(99902), "oai_lexml")
            assert getattr(raised.value, "code", None) == code
        with pytest.raises(oai.ProtocolFault) as no_sets:
            list(client.sets())
    assert no_sets.value.code == Code.NO_SETS
    assert server.asked[0].arguments == {"verb": "ListMetadataFormats", "identifier": "oai:x:1"}
    assert server.asked[2].arguments == {"verb": "ListSets", "resumptionToken": "t"}


@pytest.mark.parametrize("arguments", [*DATA["requests"], {"verb": "ListRecords", "prefix": "\ud800"}])
def test_invalid_requests_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(oai.BadRequest, match=r"expected .+ OAI-PMH 2\.0, section .+ got "):
        oai.Request(oai.Verb(arguments.pop("verb")), **arguments)


def test_client_imports_nothing_of_the_graph() -> None:
    program = "import sys, loaders.oai_pmh; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    packages = ("graph", "loaders", "queries", "service")
    own = [name for name in run.stdout.split() if name.partition(".")[0] in packages]
    assert sorted(name for name in own if not name.startswith("loaders.oai_pmh")) == [
        *("graph", "graph.civil", "graph.errors", "graph.wording", "graph.wording.folding"),
        *("loaders", "loaders.codes", "loaders.lines", "loaders.xml"),
    ]
    assert "pyoxigraph" not in run.stdout


def test_documentation_lists_every_setting_fault_and_method() -> None:
    page = (ROOT / "docs" / "reference" / "oai-pmh-client.md").read_text("utf-8")
    named = set(re.findall(r"`([A-Za-z_]+)", page))
    faults: Sequence[type] = [
        oai.ProviderFault,
        *oai.ProviderFault.__subclasses__(),
        *oai.ProtocolFault.__subclasses__(),
    ]
    assert {field.name for field in fields(oai.Settings)} <= named
    assert {name for name in vars(oai.Client) if not name.startswith("_")} - {"close", "base_url"} <= named
    assert {fault.__name__ for fault in faults} <= named


# Datestamps


@pytest.mark.parametrize("text", DATA["datestamps"]["doubtful"])
def test_malformed_datestamp_keeps_a_doubtful_day(text: str) -> None:
    stamp = oai.parse_datestamp(text)
    assert (stamp.day, stamp.moment, stamp.text) == (date(2008, 7, 8), None, text)
    assert stamp.doubt
    assert not oai.is_datestamp(text)


def test_text_without_a_day_is_not_a_datestamp() -> None:
    for text in (*DATA["datestamps"]["none"], "x" * 1000):
        with pytest.raises(BadDate, match=r"OAI-PMH 2\.0, section 3\.3, got") as error:
            oai.parse_datestamp(text)
        assert len(str(error.value)) < 200
        assert not oai.is_datestamp(text)
    assert oai.parse_datestamp(" 2026-01-02\n") == oai.Datestamp("2026-01-02", date(2026, 1, 2))


@given(st.datetimes(timezones=st.just(UTC)))
@settings(max_examples=100)
def test_written_datestamp_is_read_back(moment: datetime) -> None:
    for granularity in oai.Granularity:
        stamp = oai.parse_datestamp(oai.format_datestamp(moment, granularity))
        assert (stamp.granularity, stamp.doubt, stamp.day) == (granularity, None, moment.date())
    assert oai.parse_datestamp(oai.format_datestamp(moment, SECOND)).moment == moment.replace(microsecond=0)


def test_moments_are_written_in_utc_and_no_zone_is_assumed() -> None:
    for moment, granularity, text in (
        (datetime(2026, 1, 1, 22, 30, 1, 999999, tzinfo=timezone(timedelta(hours=-3))), SECOND, "2026-01-02T01:30:01Z"),
        (datetime(2026, 1, 1, 22, 30, 1, 999999, tzinfo=timezone(timedelta(hours=-3))), DAY, "2026-01-02"),
        (date(2026, 1, 2), DAY, "2026-01-02"),
        (datetime(999, 1, 2, tzinfo=UTC), SECOND, "0999-01-02T00:00:00Z"),
    ):
        assert oai.format_datestamp(moment, granularity) == text
    with pytest.raises(BadDate, match="a moment: a day does not say"):
        oai.format_datestamp(date(2026, 1, 2), SECOND)
    with pytest.raises(BadDate, match="a moment with its time zone"):
        oai.format_datestamp(datetime(2026, 1, 2), SECOND)  # noqa: DTZ001


@pytest.mark.parametrize(("datestamp", "other", "order"), DATA["datestamps"]["compared"])
def test_comparison_is_none_when_uncertain(datestamp: str, other: str, order: int | str) -> None:
    one, two = oai.parse_datestamp(datestamp), oai.parse_datestamp(other)
    known = (order, -order) if isinstance(order, int) else (None, None)
    assert (oai.compare(one, two), oai.compare(two, one)) == known


# The OAI-PMH client over HTTP

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
