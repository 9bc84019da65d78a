"""Tests of pages, lists and tokens: what the client reads from valid and slightly invalid responses."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from graph.errors import VigenteError
from loaders.oai_pmh import (
    BadRequest,
    BadToken,
    Client,
    DeletedRecord,
    DepartureCode,
    FaultCode,
    Granularity,
    Header,
    MetadataFormat,
    NoRecords,
    OaiError,
    ProtocolFault,
    ProviderFault,
    Request,
    SetSpec,
    Settings,
    Token,
    TokenLoop,
    Verb,
)
from tests.support.oai_asking import LIST, codes, fault_of, listed, note, one_page, quick
from tests.support.oai_server import (
    OaiServer,
    envelope,
    error_page,
    header,
    identifier,
    identify_page,
    list_page,
    provider,
    record,
)

ROOT = Path(__file__).resolve().parents[2]


def test_client_imports_nothing_of_the_graph() -> None:
    program = "import sys, loaders.oai_pmh; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {
        name for name in run.stdout.split() if name.partition(".")[0] in {"graph", "loaders", "queries", "service"}
    }
    room = {name for name in loaded if name.startswith("loaders.oai_pmh")}
    leaves = {
        "graph.civil",
        "graph.errors",
        "graph.wording",
        "graph.wording.folding",
        "loaders.codes",
        "loaders.lines",
        "loaders.xml",
    }
    assert loaded - room == {"graph", "loaders", *leaves}
    assert "pyoxigraph" not in run.stdout


def test_page_has_all_fields_of_its_answer() -> None:
    entries = [record(99901, sets=["leis", "leis:federais"]), record(99902, stamp="2026-01-03", deleted=True)]
    text = list_page(entries, " t/1 ", completeListSize=7, cursor=0, expirationDate="2026-02-01T01:00:00Z")
    page = one_page([text])
    assert page.payload == text.encode()
    assert (page.request, page.size, page.is_last, page.errors, page.notes) == (LIST, 2, False, (), ())
    assert (page.response_date, page.base_url) == ("2026-02-01T00:00:00Z", "http://exemplo.gov.br/oai")
    assert page.headers == (
        Header(identifier(99901), "2026-01-02T03:04:05Z", False, ("leis", "leis:federais")),
        Header(identifier(99902), "2026-01-03", True, ()),
    )
    assert page.token == Token("t/1", 7, 0, "2026-02-01T01:00:00Z")
    assert (page.complete_list_size, page.granularity) == (7, Granularity.SECOND)
    assert page.fetched_at.utcoffset() is not None


@pytest.mark.parametrize("verb", [Verb.LIST_RECORDS, Verb.LIST_IDENTIFIERS])
def test_list_is_followed_to_its_end(verb: Verb) -> None:
    numbers = range(99901, 99908)
    pages, asked = listed(provider(numbers, 3), Request(verb, prefix="oai_lexml", from_="2026-01-01", set="leis"))
    assert [h.identifier for page in pages for h in page.headers] == [identifier(n) for n in numbers]
    assert [page.is_last for page in pages] == [False, False, True]
    assert {code for page in pages for code in codes(page)} == set()
    assert asked[0].arguments == {"verb": verb, "metadataPrefix": "oai_lexml", "from": "2026-01-01", "set": "leis"}
    assert [a.arguments for a in asked[1:]] == [{"verb": verb, "resumptionToken": token} for token in ("3", "6")]
    resumed, _ = listed(provider(numbers, 3), LIST, "6", received=6, complete_list_size=7)
    assert [h.identifier for page in resumed for h in page.headers] == [identifier(99907)]
    assert codes(resumed[0]) == []


@pytest.mark.parametrize("token", ["a%2Fb%3D", "a+b c&d=e;f", "é/ü", "<x>&amp;", "1710000000123"])
def test_token_is_sent_back_encoded_once(token: str) -> None:
    _, asked = listed([list_page([99901], token), list_page([99902], "")])
    assert asked[1].arguments == {"verb": "ListRecords", "resumptionToken": token}


def test_comment_in_a_token_is_ignored() -> None:
    page = list_page([99901, "<resumptionToken>a<!-- x -->b<![CDATA[&]]></resumptionToken>"])
    assert one_page([page]).token == Token("ab&")


@pytest.mark.parametrize("token", [None, "", " \n "])
def test_page_without_a_token_is_the_last(token: str | None) -> None:
    pages, asked = listed([list_page([99901], token)])
    assert (len(pages), pages[0].is_last, pages[0].notes, len(asked)) == (1, True, (), 1)


def test_tokens_inside_records_are_ignored() -> None:
    inside = record(99901).replace("<Ementa>", "<resumptionToken>x</resumptionToken><Ementa>")
    pages, _ = listed(
        [list_page([inside, record(99902).replace("<metadata>", "<resumptionToken>y</resumptionToken><metadata>")])]
    )
    assert (len(pages), pages[0].size, pages[0].token) == (1, 2, None)


def test_token_outside_the_list_is_a_fault() -> None:
    fault, pages, _ = fault_of(
        [envelope(f"<ListRecords>{record(99901)}</ListRecords><resumptionToken>x</resumptionToken>")]
    )
    assert (fault.code, pages) == (FaultCode.MISPLACED_TOKEN, [])
    fault, _, _ = fault_of([list_page(["<resumptionToken>x</resumptionToken>", 99901], "y")])
    assert fault.code == FaultCode.CONTRADICTION


@pytest.mark.parametrize("tokens", [["a", "a"], ["a", "b", "a"], ["a", "b", "c", "b"]])
def test_repeated_token_is_a_loop(tokens: list[str]) -> None:
    script = [list_page([99901 + number], token) for number, token in enumerate(tokens)]
    fault, pages, asked = fault_of(script)
    assert isinstance(fault, TokenLoop)
    assert (fault.code, len(pages), len(asked)) == (FaultCode.TOKEN_LOOP, len(tokens) - 1, len(tokens))
    assert f"the resumption token '{tokens[-1]}' was returned twice in one list" in str(fault)


def test_repeated_token_after_resuming_is_a_loop() -> None:
    with OaiServer([list_page([99901], "a")]) as server, Client(server.url, quick()) as client:
        pages = client.pages(LIST, "a")
        with pytest.raises(TokenLoop):
            next(pages)


def test_endless_list_is_bounded() -> None:
    fault, pages, asked = fault_of(lambda asked: list_page([99901], str(asked.received_at)), max_pages=5)
    assert isinstance(fault, TokenLoop)
    assert (fault.code, len(pages), len(asked)) == (FaultCode.ENDLESS_LIST, 5, 5)


@pytest.mark.parametrize(
    ("attributes", "noted"),
    [
        ({"completeListSize": "muitos"}, DepartureCode.BAD_TOKEN_ATTRIBUTE),
        ({"completeListSize": "-1"}, DepartureCode.BAD_TOKEN_ATTRIBUTE),
        ({"cursor": "1.0"}, DepartureCode.BAD_TOKEN_ATTRIBUTE),
        ({"cursor": "5"}, DepartureCode.WRONG_CURSOR),
        ({"expirationDate": "amanhã"}, DepartureCode.BAD_TOKEN_ATTRIBUTE),
        ({"expirationDate": "2026-01-31T00:00:00Z"}, DepartureCode.BAD_TOKEN_ATTRIBUTE),
    ],
)
def test_token_attributes_are_read_leniently(attributes: dict[str, str], noted: DepartureCode) -> None:
    pages, _ = listed([list_page([99901], "a", **attributes), list_page([99902])])
    assert codes(pages[0]) == [noted]


def test_wrong_list_size_is_noted_and_drops_nothing() -> None:
    pages, _ = listed([list_page([99901, 99902], "a", completeListSize=2), list_page([99903], "")])
    assert [codes(page) for page in pages] == [[], [DepartureCode.WRONG_SIZE]]
    assert note(pages[1], DepartureCode.WRONG_SIZE).message == (
        "completeListSize is 2: expected 3, the number received, OAI-PMH 2.0, section 3.5"
    )


def test_empty_page_ends_a_list_only_after_its_announced_size() -> None:
    full = list_page([99901, 99902], "a", completeListSize=2, cursor=0)
    for end in (envelope(""), error_page("noRecordsMatch")):
        pages, _ = listed([full, end])
        assert [page.size for page in pages] == [2, 0]
        assert codes(pages[1]) == ([DepartureCode.END_WITHOUT_LIST] if end == envelope("") else [])
    for first in (full.replace('Size="2"', 'Size="3"'), list_page([99901], "a")):
        fault, pages, _ = fault_of([first, envelope("")])
        assert (fault.code, len(pages)) == (FaultCode.NO_ANSWER, 1)
        fault, pages, _ = fault_of([first, error_page("noRecordsMatch")])
        assert isinstance(fault, NoRecords)
    fault, _, _ = fault_of([full, envelope("<maintenance/>")])
    assert fault.code == FaultCode.NO_ANSWER
    with OaiServer([envelope("")]) as server, Client(server.url, quick()) as client:
        page = client.page(Request(Verb.LIST_RECORDS, token="a"), complete=True)  # noqa: S106 (no secret)
    assert (page.is_last, codes(page)) == (True, [DepartureCode.END_WITHOUT_LIST])


def test_token_decides_whether_an_empty_list_ends() -> None:
    pages, _ = listed([list_page([], "a"), list_page([99901], "b"), list_page([])])
    assert [page.size for page in pages] == [0, 1, 0]
    assert [codes(page) for page in pages] == [[DepartureCode.EMPTY_LIST], [], [DepartureCode.EMPTY_LIST]]


def test_no_records_match_is_an_empty_list() -> None:
    page = one_page([error_page("noRecordsMatch")])
    assert (page.size, page.headers, page.is_last, page.notes) == (0, (), True, ())
    assert page.errors == (OaiError("noRecordsMatch", "as asked"),)


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("badArgument", FaultCode.BAD_ARGUMENT),
        ("badVerb", FaultCode.BAD_VERB),
        ("cannotDisseminateFormat", FaultCode.NO_FORMAT),
        ("idDoesNotExist", FaultCode.NO_RECORD),
        ("noMetadataFormats", FaultCode.NO_FORMATS),
        ("noSetHierarchy", FaultCode.NO_SETS),
        ("outro", FaultCode.UNKNOWN_ERROR),
    ],
)
def test_protocol_errors_are_faults(code: str, known: FaultCode) -> None:
    fault, _, asked = fault_of([error_page(code)])
    assert isinstance(fault, ProtocolFault)
    assert (fault.code, fault.oai_code, fault.transient, len(asked)) == (known, code, False, 1)
    assert f"the provider answered with the error '{code}': 'as asked'" in str(fault)


def test_rejected_token_has_its_own_fault() -> None:
    fault, pages, _ = fault_of([list_page([99901], "a"), error_page("badResumptionToken")])
    assert isinstance(fault, BadToken)
    assert (fault.code, len(pages)) == (FaultCode.BAD_TOKEN, 1)


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
        (DepartureCode.NO_HEADER, 1),
        (DepartureCode.NO_IDENTIFIER, 1),
        (DepartureCode.BAD_DATESTAMP, 2),
        (DepartureCode.UNKNOWN_STATUS, 1),
    ]


def test_elements_are_matched_in_any_namespace() -> None:
    resumption = '<t:resumptionToken xmlns:t="z">a</t:resumptionToken>'
    page = one_page([envelope(f'<l:ListRecords xmlns:l="y">{record(99901)}{resumption}</l:ListRecords>')])
    assert (page.size, page.token) == (1, Token("a"))


def test_identify_describes_the_provider() -> None:
    with OaiServer(lambda _: identify_page(server.url)) as server, Client(server.url, quick()) as client:
        identity = client.identify()
    assert (identity.repository_name, identity.base_url) == ("Arquivo Fictício", server.url)
    assert (identity.deleted, identity.granularity) == (DeletedRecord.PERSISTENT, Granularity.SECOND)
    assert identity.earliest is not None
    assert (str(identity.earliest.moment), identity.admin_emails) == (
        "2001-01-01 00:00:00+00:00",
        ("arquivo@exemplo.gov.br",),
    )
    assert identity.page.notes == ()


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
    with OaiServer([page]) as server, Client(server.url, quick()) as client:
        identity = client.identify()
    assert (identity.earliest, identity.earliest_written, identity.granularity, identity.deleted) == (
        None,
        "desde sempre",
        None,
        None,
    )
    assert set(codes(identity.page)) == {
        DepartureCode.WRONG_VERSION,
        DepartureCode.WRONG_BASE_URL,
        DepartureCode.UNKNOWN_WORD,
        DepartureCode.BAD_EARLIEST,
        DepartureCode.MISSING_DESCRIPTION,
    }
    assert note(identity.page, DepartureCode.UNKNOWN_WORD).count == 2


def test_seconds_from_a_day_granularity_provider_are_noted() -> None:
    identify = identify_page("x", granularity="YYYY-MM-DD", earliestDatestamp="2001-01-01T00:00:00Z")
    with OaiServer([identify, list_page([99901])]) as server, Client(server.url, quick()) as client:
        assert DepartureCode.OTHER_GRANULARITY in codes(client.identify().page)
        page = client.page(LIST)
    assert (page.granularity, codes(page)) == (Granularity.SECOND, [DepartureCode.OTHER_GRANULARITY])


def test_formats_sets_and_single_records_are_requested() -> None:
    parts = "<metadataPrefix>oai_lexml</metadataPrefix><schema>s</schema><metadataNamespace>n</metadataNamespace>"
    formats = f"<metadataFormat>{parts}</metadataFormat>"
    sets = "<set><setSpec>{0}</setSpec><setName>Leis</setName></set>"
    script = [
        envelope(f"<ListMetadataFormats>{formats}</ListMetadataFormats>"),
        list_page([sets.format("a")], "t", verb="ListSets"),
        list_page([sets.format("b")], verb="ListSets"),
        envelope(f"<GetRecord>{record(99901)}</GetRecord>"),
        error_page("idDoesNotExist"),
        envelope("<GetRecord/>"),
        error_page("noSetHierarchy"),
    ]
    with OaiServer(script) as server, Client(server.url, quick()) as client:
        assert client.metadata_formats("oai:x:1") == (MetadataFormat("oai_lexml", "s", "n"),)
        assert list(client.sets()) == [SetSpec("a", "Leis"), SetSpec("b", "Leis")]
        page = client.record(identifier(99901), "oai_lexml")
        assert (page.size, page.headers[0].identifier, page.is_last) == (1, identifier(99901), True)
        for code in (FaultCode.NO_RECORD, FaultCode.NO_ANSWER):
            with pytest.raises(VigenteError) as raised:
                client.record(identifier(99902), "oai_lexml")
            assert getattr(raised.value, "code", None) == code
        with pytest.raises(ProtocolFault) as no_sets:
            list(client.sets())
    assert no_sets.value.code == FaultCode.NO_SETS
    assert server.asked[0].arguments == {"verb": "ListMetadataFormats", "identifier": "oai:x:1"}
    assert server.asked[2].arguments == {"verb": "ListSets", "resumptionToken": "t"}


@pytest.mark.parametrize(
    "arguments",
    [
        {"verb": Verb.LIST_RECORDS},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "token": "t"},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "identifier": "i"},
        {"verb": Verb.LIST_RECORDS, "prefix": " "},
        {"verb": Verb.LIST_RECORDS, "prefix": "\ud800"},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "from_": "01/02/2026"},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "from_": "2026-01-02T03:04:05.1Z"},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "from_": "2026-01-02", "until": "2026-01-02T03:04:05Z"},
        {"verb": Verb.LIST_RECORDS, "prefix": "p", "from_": "2026-01-02", "until": "2026-01-01"},
        {"verb": Verb.GET_RECORD, "prefix": "p"},
        {"verb": Verb.IDENTIFY, "prefix": "p"},
        {"verb": Verb.IDENTIFY, "token": "t"},
        {"verb": Verb.LIST_SETS, "prefix": "p"},
    ],
)
def test_invalid_requests_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(BadRequest, match=r"expected .+ OAI-PMH 2\.0, section .+ got "):
        Request(**arguments)  # type: ignore[arg-type]


def test_header_list_is_read() -> None:
    request = Request(
        Verb.LIST_IDENTIFIERS, prefix="oai_lexml", from_="2026-01-01T00:00:00Z", until="2026-01-03T00:00:00Z"
    )
    page = one_page([list_page([header(99901, deleted=True)], verb="ListIdentifiers")], request)
    assert page.headers == (Header(identifier(99901), "2026-01-02T03:04:05Z", True, ()),)


def test_documentation_lists_every_setting_fault_and_method() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "oai-pmh-client.md").read_text("utf-8")
    named = set(re.findall(r"`([A-Za-z_]+)", page))
    assert {field.name for field in fields(Settings)} <= named
    assert {name for name in vars(Client) if not name.startswith("_")} - {"close", "base_url"} <= named
    faults: list[type[ProviderFault]] = [
        ProviderFault,
        *ProviderFault.__subclasses__(),
        *ProtocolFault.__subclasses__(),
    ]
    assert {fault.__name__ for fault in faults} <= named
