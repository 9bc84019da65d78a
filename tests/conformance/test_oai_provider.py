"""Tests of the OAI-PMH provider by the clauses of the protocol (OAI-PMH 2.0 of 2002-06-14, as of 2015-01-08)."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
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
START = 1772323200  # 2026-03-01T00:00:00Z
COUNT, PAGE = 25, 10
ERRORS = tomllib.loads((Path(__file__).parents[1] / "data" / "oai" / "errors.toml").read_text("utf-8"))


class Provider:
    """A repository that is queried without HTTP, at a time that a test sets."""

    def __init__(self, folder: Path, count: int = 0) -> None:
        self.folder = folder
        self.clock = Clock(START)
        self.publish(*((FIRST + n, "Norma fictícia.") for n in range(count)))

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

    def pages(self, query: str) -> Iterator[Element]:
        verb = query.partition("&")[0]
        while True:
            answer = self(query)
            yield answer
            more = token(answer)
            if more is None or not more.text:
                return
            query = f"{verb}&resumptionToken={more.text}"

    def names(self, query: str) -> list[str]:
        """Return the identifiers that all pages of a list have."""
        return [name for page in self.pages(query) for name in texts(page, "identifier")]


@pytest.fixture
def provider(tmp_path: Path) -> Provider:
    return Provider(tmp_path / "store", COUNT)


def code(answer: Element) -> str | None:
    error = answer.find(f"{OAI}error")
    return None if error is None else error.get("code")


def texts(answer: Element, name: str) -> list[str]:
    return [element.text or "" for element in answer.iter(f"{OAI}{name}")]


def token(answer: Element) -> Element | None:
    return next(answer.iter(f"{OAI}resumptionToken"), None)


# 3.2 and 3.6: the answer, and errors


def test_answer_repeats_the_request(provider: Provider) -> None:
    answer = provider(f"verb=GetRecord&metadataPrefix=oai_dc&identifier={at(FIRST)}")
    request = answer.find(f"{OAI}request")
    assert request is not None
    assert (request.text, texts(answer, "responseDate")) == (BASE, [utc(provider.clock.now)])
    expected = {"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": at(FIRST)}
    assert {str(key): str(value) for key, value in request.attrib.items()} == expected


@pytest.mark.parametrize("expected", ERRORS)
def test_errors_have_their_codes(provider: Provider, expected: str) -> None:
    for written in ERRORS[expected]:
        for verb in ("ListRecords", "ListIdentifiers") if "LIST" in written else ("",):
            query = written.replace("LIST", verb).replace("KNOWN", at(FIRST))
            answer = provider(query)
            assert (query, code(answer)) == (query, expected)
            assert [child.tag for child in answer] == [f"{OAI}{name}" for name in ("responseDate", "request", "error")]
            assert expected not in ("badVerb", "badArgument") or not answer[1].attrib


# 4.2, 4.4, 2.4: Identify and formats


def test_identify_describes_the_repository(provider: Provider) -> None:
    (identify,) = provider("verb=Identify").iter(f"{OAI}Identify")
    parts = [(child.tag.removeprefix(OAI), child.text) for child in identify]
    (earliest,) = texts(identify, "earliestDatestamp")
    assert [parts[0][0], *parts[1:8], parts[8][0]] == [
        "repositoryName",
        ("baseURL", BASE),
        ("protocolVersion", "2.0"),
        ("adminEmail", "arquivo@example.org"),
        ("earliestDatestamp", earliest),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
        ("compression", "gzip"),
        "description",
    ]
    listed = provider.pages("verb=ListIdentifiers&metadataPrefix=oai_dc")
    assert min(stamp for page in listed for stamp in texts(page, "datestamp")) >= earliest


def test_every_record_is_available_in_dublin_core(provider: Provider) -> None:
    for of in ("", f"&identifier={at(FIRST)}"):
        assert texts(provider(f"verb=ListMetadataFormats{of}"), "metadataPrefix") == ["oai_dc", "oai_lexml"]
    for prefix, root in (
        ("oai_dc", "{http://www.openarchives.org/OAI/2.0/oai_dc/}dc"),
        ("oai_lexml", "{http://www.lexml.gov.br/oai_lexml}LexML"),
    ):
        listed = provider.pages(f"verb=ListRecords&metadataPrefix={prefix}")
        assert [metadata[0].tag for page in listed for metadata in page.iter(f"{OAI}metadata")] == [root] * COUNT


# 4.6, 2.6: sets


def test_record_of_a_set_is_in_the_enclosing_sets(provider: Provider) -> None:
    assert texts(provider("verb=ListSets"), "setSpec") == ["tipo", "tipo:lei"]
    for spec in ("tipo", "tipo:lei"):
        query = f"verb=ListIdentifiers&metadataPrefix=oai_dc&set={spec}"
        assert len(provider.names(query)) == COUNT
        assert set(texts(provider(query), "setSpec")) == {"tipo:lei"}


def test_sets_are_paginated_and_may_be_none(tmp_path: Path) -> None:
    provider = Provider(tmp_path / "store")
    with publishing(provider.folder, provider.clock) as batch:
        for n in range(35):
            batch.name_set(f"lugar:l{n:03}", f"Lugar fictício {n}")
    listed = [spec for page in provider.pages("verb=ListSets") for spec in texts(page, "setSpec")]
    assert listed == sorted(["tipo", "tipo:lei", *(f"lugar:l{n:03}" for n in range(35))])
    with closing(sqlite3.connect(provider.folder / "publication.sqlite")) as db, db:
        db.execute("DELETE FROM sets")
    assert code(provider("verb=ListSets")) == "noSetHierarchy"
    assert code(provider("verb=ListRecords&metadataPrefix=oai_dc")) == "noRecordsMatch"


# 2.7.1 and 2.5: selective harvesting, datestamps, deletions


def test_both_bounds_are_inclusive(provider: Provider) -> None:
    second = provider.publish((FIRST, "Outra ementa."))
    for bounds, expected in (
        (f"from={utc(second)}&until={utc(second)}", 1),
        (f"from={utc(second + 1)}", 0),
        (f"until={utc(second - 1)}", COUNT - 1),
        ("from=2026-03-01&until=2026-03-01", COUNT),
        ("until=2026-02-28", 0),
        ("from=2026-03-02", 0),
    ):
        assert len(provider.names(f"verb=ListIdentifiers&metadataPrefix=oai_dc&{bounds}")) == expected, bounds


def test_later_publication_is_stamped_after_earlier_answers(provider: Provider) -> None:
    since = f"verb=ListIdentifiers&metadataPrefix=oai_dc&from={utc(provider.clock.now)}"
    of_other = f"verb=GetRecord&metadataPrefix=oai_lexml&identifier={at(FIRST + 1)}"
    before = texts(provider(of_other), "datestamp")
    provider.publish((FIRST, "Outra ementa."), (FIRST + 1, "Norma fictícia."), later=0)
    assert provider.names(since) == []
    provider.clock.now += 2
    assert provider.names(since) == [at(FIRST)]
    assert texts(provider(of_other), "datestamp") == before  # an unchanged record keeps its datestamp


def test_deletions_are_persistent(provider: Provider) -> None:
    of_first = f"verb=GetRecord&metadataPrefix=oai_lexml&identifier={at(FIRST)}"
    provider.publish((FIRST, None))
    provider.clock.now += 2 * KEPT_SECONDS
    provider.publish((FIRST + 1, "Outra ementa."))
    answer = provider(of_first)
    (record,) = answer.iter(f"{OAI}record")
    assert [child.tag for child in record] == [f"{OAI}header"]
    assert (record[0].get("status"), texts(answer, "setSpec")) == ("deleted", ["tipo:lei"])
    provider.publish((FIRST, "De volta."))
    assert next(provider(of_first).iter(f"{OAI}header")).get("status") is None


# 3.5: resumption tokens


@pytest.mark.parametrize("verb", ["ListRecords", "ListIdentifiers"])
def test_lists_are_paginated(provider: Provider, verb: str) -> None:
    provider.publish(*((FIRST + n, "Norma fictícia.") for n in range(COUNT, 95)))
    names: list[str] = []
    for page in provider.pages(f"verb={verb}&metadataPrefix=oai_lexml"):
        element, before = token(page), len(names)
        names += texts(page, "identifier")
        assert element is not None
        assert (element.get("completeListSize"), element.get("cursor")) == ("95", str(before))
        assert bool(element.text) is (len(names) < 95)
    assert sorted(names) == sorted(at(FIRST + n) for n in range(95))
    stamp = provider.publish((FIRST, "Outra ementa."))
    assert token(provider(f"verb={verb}&metadataPrefix=oai_dc&from={utc(stamp)}")) is None


def test_list_continues_with_its_original_contents(provider: Provider) -> None:
    first = provider("verb=ListRecords&metadataPrefix=oai_lexml")
    more = token(first)
    assert more is not None
    second = f"verb=ListRecords&resumptionToken={more.text}"
    before = provider.raw(second).partition(b"<ListRecords>")[2]
    changed = ((FIRST + n, "Outra ementa.") for n in range(12, 20))
    stamp = provider.publish(*changed, (FIRST + 20, None), (FIRST + COUNT, "Nova."))
    assert provider.raw(second).partition(b"<ListRecords>")[2] == before
    assert [*texts(first, "identifier"), *provider.names(second)] == [at(FIRST + n) for n in range(COUNT)]
    later = provider.names(f"verb=ListIdentifiers&metadataPrefix=oai_lexml&from={utc(stamp)}")
    assert set(later) == {at(FIRST + n) for n in (*range(12, 21), COUNT)}


def test_foreign_and_expired_tokens_are_refused(provider: Provider) -> None:
    more = token(provider("verb=ListRecords&metadataPrefix=oai_lexml"))
    assert more is not None
    assert more.text
    assert more.get("expirationDate") == utc(provider.clock.now + KEPT_SECONDS)
    listed = f"verb=ListRecords&resumptionToken={more.text}"
    foreign = (listed.replace("Records", "Identifiers"), listed[:-1], f"{listed}é")
    assert [code(provider(query)) for query in (*foreign, listed)] == [*["badResumptionToken"] * 3, None]
    provider.clock.now += KEPT_SECONDS + 1
    assert code(provider(listed)) == "badResumptionToken"
