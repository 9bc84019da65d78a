"""Tests of the OAI-PMH provider by the clauses of the protocol (OAI-PMH 2.0 of 2002-06-14, as of 2015-01-08)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from lxml import etree

from graph.publication import KEPT_SECONDS, Publication, publishing
from loaders.xml import Element
from service.web.oai import ProtocolError, Repository, error_answer, read_arguments, utc
from tests.support.oai_publishing import FIRST, Clock, at, publish_versions

OAI = "{http://www.openarchives.org/OAI/2.0/}"
BASE = "http://example.org/oai"
#: 2026-03-01T00:00:00Z
START = 1772323200
COUNT = 25
PAGE = 10


class Provider:
    """A repository that is queried without HTTP, at a time that a test sets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock(START)

    def publish(self, *changes: tuple[int, str | None], later: int = 10) -> int:
        """Publish changes, advance the clock, and return their datestamp."""
        publish_versions(self.folder, self.clock, changes)
        stamp = self.clock.now + 2
        self.clock.now += later
        return stamp

    def raw(self, query: str) -> bytes:
        now = self.clock.now
        try:
            asked = read_arguments(parse_qsl(query, keep_blank_values=True))
        except ProtocolError as error:
            return error_answer(error, BASE, now)
        with Publication(self.folder, self.clock) as publication:
            return Repository(publication, BASE, now, PAGE).answer(asked)

    def __call__(self, query: str) -> Element:
        return etree.fromstring(self.raw(query))


@pytest.fixture
def provider(tmp_path: Path) -> Provider:
    new_provider = Provider(tmp_path / "store")
    new_provider.publish(*((FIRST + n, "Norma fictícia.") for n in range(COUNT)))
    return new_provider


def code(answer: Element) -> str | None:
    error = answer.find(f"{OAI}error")
    return None if error is None else error.get("code")


def texts(answer: Element, name: str) -> list[str]:
    return [element.text or "" for element in answer.iter(f"{OAI}{name}")]


def token(answer: Element) -> Element | None:
    return next(answer.iter(f"{OAI}resumptionToken"), None)


def pages(provider: Provider, query: str) -> Iterator[Element]:
    verb = query.partition("&")[0]
    while True:
        answer = provider(query)
        yield answer
        more = token(answer)
        if more is None or not more.text:
            return
        query = f"{verb}&resumptionToken={more.text}"


# 3.2: the answer


def test_answer_repeats_the_request(provider: Provider) -> None:
    request = provider(f"verb=GetRecord&metadataPrefix=oai_dc&identifier={at(FIRST)}").find(f"{OAI}request")
    assert request is not None
    assert request.text == BASE
    assert {str(key): str(value) for key, value in request.attrib.items()} == {
        "verb": "GetRecord",
        "metadataPrefix": "oai_dc",
        "identifier": at(FIRST),
    }


def test_response_date_is_utc(provider: Provider) -> None:
    assert texts(provider("verb=Identify"), "responseDate") == [utc(provider.clock.now)]


@pytest.mark.parametrize("query", ["verb=Nothing", "", "verb=ListSets&verb=ListSets", "verb=ListRecords"])
def test_invalid_request_is_not_repeated(provider: Provider, query: str) -> None:
    request = provider(query).find(f"{OAI}request")
    assert request is not None
    assert not request.attrib


# 3.6: errors


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "badVerb"),
        ("verb=", "badVerb"),
        ("verb=identify", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("verb=Identify&x=1", "badArgument"),
        ("verb=Identify&resumptionToken=x", "badArgument"),
        ("verb=ListMetadataFormats&set=tipo", "badArgument"),
        ("verb=ListMetadataFormats&identifier=oai:x:y", "idDoesNotExist"),
        ("verb=ListSets&set=tipo", "badArgument"),
        ("verb=ListSets&resumptionToken=x", "badResumptionToken"),
        ("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
        ("verb=GetRecord&identifier=oai:x:y", "badArgument"),
        ("verb=GetRecord&identifier=oai:x:y&metadataPrefix=oai_dc", "idDoesNotExist"),
        (f"verb=GetRecord&identifier={at(FIRST)}&metadataPrefix=marc21", "cannotDisseminateFormat"),
        (f"verb=GetRecord&identifier={at(FIRST)}&metadataPrefix=oai_dc&until=2026-01-01", "badArgument"),
        ("verb=GetRecord&identifier=%01&metadataPrefix=oai_dc", "badArgument"),
        *(
            (f"verb={verb}&{arguments}", expected)
            for verb in ("ListRecords", "ListIdentifiers")
            for arguments, expected in (
                ("from=2026-01-01", "badArgument"),
                ("metadataPrefix=oai_dc&metadataPrefix=oai_dc", "badArgument"),
                ("metadataPrefix=", "badArgument"),
                ("metadataPrefix=marc21", "cannotDisseminateFormat"),
                ("metadataPrefix=oai_dc&identifier=x", "badArgument"),
                ("metadataPrefix=oai_dc&from=junk", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-02-30", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-1-1", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-01T00:00Z", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-01T00:00:00.0Z", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-01T25:00:00Z", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-01T00:00:00%2B00:00", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-02T00:00:00Z", "badArgument"),
                ("metadataPrefix=oai_dc&from=2026-01-02&until=2026-01-01", "badArgument"),
                ("metadataPrefix=oai_dc&set=a b", "badArgument"),
                ("metadataPrefix=oai_dc&set=really:wrong:set", "noRecordsMatch"),
                ("metadataPrefix=oai_dc&until=1969-12-31", "noRecordsMatch"),
                ("metadataPrefix=oai_dc&from=9999-12-31", "noRecordsMatch"),
                ("resumptionToken=junk", "badResumptionToken"),
                ("resumptionToken=", "badArgument"),
                ("resumptionToken=junk&metadataPrefix=oai_dc", "badArgument"),
                ("resumptionToken=junk&from=2026-01-01", "badArgument"),
            )
        ),
    ],
)
def test_errors_have_their_codes(provider: Provider, query: str, expected: str) -> None:
    answer = provider(query)
    assert code(answer) == expected
    assert [child.tag for child in answer] == [f"{OAI}responseDate", f"{OAI}request", f"{OAI}error"]


# 4.2: Identify


def test_identify_has_the_earliest_datestamp(provider: Provider) -> None:
    answer = provider("verb=Identify")
    assert texts(answer, "baseURL") == [BASE]
    assert texts(answer, "protocolVersion") == ["2.0"]
    assert texts(answer, "deletedRecord") == ["persistent"]
    assert texts(answer, "granularity") == ["YYYY-MM-DDThh:mm:ssZ"]
    assert texts(answer, "adminEmail") == ["arquivo@example.org"]
    assert texts(answer, "compression") == ["gzip"]
    stamps = {stamp for page in pages(provider, "verb=ListIdentifiers&metadataPrefix=oai_dc") for stamp in
              texts(page, "datestamp")}  # fmt: skip
    assert min(stamps) >= texts(answer, "earliestDatestamp")[0]


def test_identify_elements_are_in_the_required_order(provider: Provider) -> None:
    (identify,) = provider("verb=Identify").iter(f"{OAI}Identify")
    assert [child.tag.removeprefix(OAI) for child in identify] == [
        "repositoryName", "baseURL", "protocolVersion", "adminEmail", "earliestDatestamp", "deletedRecord",
        "granularity", "compression", "description",
    ]  # fmt: skip


# 4.4, 2.4: formats


def test_every_record_is_available_in_dublin_core(provider: Provider) -> None:
    assert texts(provider("verb=ListMetadataFormats"), "metadataPrefix") == ["oai_dc", "oai_lexml"]
    assert texts(provider(f"verb=ListMetadataFormats&identifier={at(FIRST)}"), "metadataPrefix") == [
        "oai_dc", "oai_lexml",
    ]  # fmt: skip
    for prefix, root in (
        ("oai_dc", "{http://www.openarchives.org/OAI/2.0/oai_dc/}dc"),
        ("oai_lexml", "{http://www.lexml.gov.br/oai_lexml}LexML"),
    ):
        root_tags = [
            metadata[0].tag
            for page in pages(provider, f"verb=ListRecords&metadataPrefix={prefix}")
            for metadata in page.iter(f"{OAI}metadata")
        ]
        assert root_tags == [root] * COUNT


# 4.6, 2.6: sets


def test_record_of_a_set_is_in_the_enclosing_sets(provider: Provider) -> None:
    assert texts(provider("verb=ListSets"), "setSpec") == ["tipo", "tipo:lei"]
    for spec in ("tipo", "tipo:lei"):
        listed = list(pages(provider, f"verb=ListIdentifiers&metadataPrefix=oai_dc&set={spec}"))
        assert sum(len(texts(page, "identifier")) for page in listed) == COUNT
        assert set(texts(listed[0], "setSpec")) == {"tipo:lei"}


def test_provider_without_sets_has_no_set_hierarchy(tmp_path: Path) -> None:
    provider = Provider(tmp_path / "store")
    publish_versions(provider.folder, provider.clock, [])
    with sqlite3.connect(provider.folder / "publication.sqlite") as db:
        db.execute("DELETE FROM sets")
    db.close()
    assert code(provider("verb=ListSets")) == "noSetHierarchy"
    assert code(provider("verb=ListRecords&metadataPrefix=oai_dc")) == "noRecordsMatch"


# 2.7.1: selective harvesting


def test_both_bounds_are_inclusive(provider: Provider) -> None:
    second = provider.publish((FIRST, "Outra ementa."))
    query = "verb=ListIdentifiers&metadataPrefix=oai_dc"
    for bounds, expected in (
        (f"from={utc(second)}&until={utc(second)}", 1),
        (f"from={utc(second + 1)}", 0),
        (f"until={utc(second - 1)}", COUNT - 1),
        ("from=2026-03-01&until=2026-03-01", COUNT),
        ("until=2026-02-28", 0),
        ("from=2026-03-02", 0),
    ):
        listed = [name for page in pages(provider, f"{query}&{bounds}") for name in texts(page, "identifier")]
        assert len(listed) == expected, bounds


def test_later_publication_is_stamped_after_earlier_answers(provider: Provider) -> None:
    asked = provider.clock.now
    publish_versions(provider.folder, provider.clock, [(FIRST, "Outra ementa.")])
    assert len(texts(provider(f"verb=ListIdentifiers&metadataPrefix=oai_dc&from={utc(asked)}"), "identifier")) == 0
    provider.clock.now += 2
    assert texts(provider(f"verb=ListIdentifiers&metadataPrefix=oai_dc&from={utc(asked)}"), "identifier") == [at(FIRST)]


# 2.5.1: deletions


def test_deletions_are_persistent(provider: Provider) -> None:
    provider.publish((FIRST, None))
    provider.clock.now += 2 * KEPT_SECONDS
    provider.publish((FIRST + 1, "Outra ementa."))
    answer = provider(f"verb=GetRecord&metadataPrefix=oai_lexml&identifier={at(FIRST)}")
    (record,) = answer.iter(f"{OAI}record")
    assert [child.tag for child in record] == [f"{OAI}header"]
    assert record[0].get("status") == "deleted"
    assert texts(answer, "setSpec") == ["tipo:lei"]
    provider.publish((FIRST, "De volta."))
    answer = provider(f"verb=GetRecord&metadataPrefix=oai_lexml&identifier={at(FIRST)}")
    assert next(answer.iter(f"{OAI}header")).get("status") is None


# 3.5: resumption tokens


@pytest.mark.parametrize("verb", ["ListRecords", "ListIdentifiers"])
def test_lists_are_paginated(provider: Provider, verb: str) -> None:
    provider.publish(*((FIRST + n, "Norma fictícia.") for n in range(COUNT, 95)))
    listed = list(pages(provider, f"verb={verb}&metadataPrefix=oai_lexml"))
    names = [name for page in listed for name in texts(page, "identifier")]
    assert sorted(names) == sorted(at(FIRST + n) for n in range(95))
    tokens = [token(page) for page in listed]
    assert all(token_element is not None and token_element.get("completeListSize") == "95" for token_element in tokens)
    done = 0
    for page, element in zip(listed, tokens, strict=True):
        assert element is not None
        assert element.get("cursor") == str(done)
        done += len(texts(page, "identifier"))
    assert tokens[-1] is not None
    assert not tokens[-1].text


def test_single_page_list_has_no_token(provider: Provider) -> None:
    query = f"verb=ListRecords&metadataPrefix=oai_dc&until={utc(START + 2)}&set=tipo"
    assert len(list(pages(provider, query))) == 3
    stamp = provider.publish((FIRST, "Outra ementa."))
    assert token(provider(f"verb=ListRecords&metadataPrefix=oai_dc&from={utc(stamp)}")) is None


def test_list_continues_with_its_original_contents(provider: Provider) -> None:
    first = provider("verb=ListRecords&metadataPrefix=oai_lexml")
    more = token(first)
    assert more is not None
    second = f"verb=ListRecords&resumptionToken={more.text}"
    before = provider.raw(second).partition(b"<ListRecords>")[2]
    stamp = provider.publish(
        *((FIRST + n, "Outra ementa.") for n in range(12, 20)), (FIRST + 20, None), (FIRST + COUNT, "Nova.")
    )
    assert provider.raw(second).partition(b"<ListRecords>")[2] == before
    names = [*texts(first, "identifier"), *(name for page in pages(provider, second) for name in texts(page,
             "identifier"))]  # fmt: skip
    assert names == [at(FIRST + n) for n in range(COUNT)]
    changed = provider(f"verb=ListIdentifiers&metadataPrefix=oai_lexml&from={utc(stamp)}")
    assert set(texts(changed, "identifier")) == {at(FIRST + n) for n in (*range(12, 21), COUNT)}


def test_foreign_and_expired_tokens_are_refused(provider: Provider) -> None:
    more = token(provider("verb=ListRecords&metadataPrefix=oai_lexml"))
    assert more is not None
    assert more.text
    assert more.get("expirationDate") == utc(provider.clock.now + KEPT_SECONDS)
    assert code(provider(f"verb=ListIdentifiers&resumptionToken={more.text}")) == "badResumptionToken"
    assert code(provider(f"verb=ListRecords&resumptionToken={more.text[:-1]}")) == "badResumptionToken"
    assert code(provider(f"verb=ListRecords&resumptionToken={more.text}é")) == "badResumptionToken"
    assert code(provider(f"verb=ListRecords&resumptionToken={more.text}")) is None
    provider.clock.now += KEPT_SECONDS + 1
    assert code(provider(f"verb=ListRecords&resumptionToken={more.text}")) == "badResumptionToken"


def test_sets_are_paginated(tmp_path: Path) -> None:
    provider = Provider(tmp_path / "store")
    publish_versions(provider.folder, provider.clock, [])
    with publishing(provider.folder, provider.clock) as batch:
        for n in range(35):
            batch.name_set(f"lugar:l{n:03}", f"Lugar fictício {n}")
    listed = [spec for page in pages(provider, "verb=ListSets") for spec in texts(page, "setSpec")]
    assert listed == sorted(["tipo", "tipo:lei", *(f"lugar:l{n:03}" for n in range(35))])


def test_unchanged_record_keeps_its_datestamp(provider: Provider) -> None:
    query = f"verb=GetRecord&metadataPrefix=oai_lexml&identifier={at(FIRST)}"
    before = texts(provider(query), "datestamp")
    provider.publish((FIRST, "Norma fictícia."), (FIRST + 1, "Outra ementa."))
    assert texts(provider(query), "datestamp") == before
