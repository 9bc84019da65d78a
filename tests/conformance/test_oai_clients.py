"""Tests of OAI-PMH between independent programs: other clients with our provider, our client with another provider.

Chains of three, and restarts, too.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from lxml import etree

from graph.publication import Publication
from loaders import oai_pmh as oai
from loaders.xml import Element
from service.cli import main
from service.web.oai import utc
from service.web.settings import Settings
from tests.support.harvesting import once
from tests.support.oai_asking import LIST, quick
from tests.support.oai_http_clients import CLIENTS, Listed
from tests.support.oai_independent import LEXML, IndependentProvider, norms
from tests.support.oai_publishing import FIRST, at, name, publish_sheet, sheet, shown
from tests.support.oai_server import identifier
from tests.support.sparql_endpoint import filled
from tests.support.web import serving

# independent clients leave connections to the garbage collector
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning"
)

COUNT = 120  # at least three pages of at most 40,000 bytes
OAI = "{http://www.openarchives.org/OAI/2.0/}"
WHOLE: Listed = {at(FIRST + n): n == 1 for n in range(COUNT)}
RECORDS = {"verb": "ListRecords", "metadataPrefix": "oai_lexml"}


# Our provider


class Served(NamedTuple):
    """A provider with a list of three pages, then one change and one deletion."""

    store: Path
    url: str
    since: str


@pytest.fixture(scope="module", autouse=True)
def small_pages() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.web.oai.PAGE_BYTES", 40_000)
        yield


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("provider")
    store, file = folder / "store", folder / "normas.csv"
    assert publish_sheet(store, sheet(file, ((FIRST + n, "Norma fictícia.") for n in range(COUNT)))) == 0
    shown()
    changed = ((FIRST + n, "Outra ementa." if n == 0 else "Norma fictícia.") for n in range(COUNT) if n != 1)
    assert publish_sheet(store, sheet(file, changed)) == 0
    shown()
    with Publication(store) as publication:
        record = publication.record(at(FIRST))
        assert record is not None
    with serving(Settings(store)) as address:
        yield Served(store, f"{address}/oai", utc(record.stamp))


def page_of(client: httpx.Client, url: str, more: str | None) -> tuple[Element, list[str], str | None]:
    """Return a page of the list of all records, its identifiers, and the token of the next page."""
    asked = RECORDS if more is None else {"verb": "ListRecords", "resumptionToken": more}
    page = etree.fromstring(client.get(url, params=asked).content)
    names = [element.text or "" for element in page.iter(f"{OAI}identifier")]
    return page, names, page.findtext(f".//{OAI}resumptionToken")


@pytest.mark.parametrize("client", CLIENTS)
def test_incremental_harvest_gets_the_changes(client: str, provider: Served) -> None:
    assert CLIENTS[client](provider.url, None) == WHOLE
    assert CLIENTS[client](provider.url, provider.since) == {at(FIRST): False, at(FIRST + 1): True}
    assert CLIENTS[client](provider.url, "2199-01-01T00:00:00Z") == {}


def test_post_head_compression_and_refused_methods(provider: Served, tmp_path: Path) -> None:
    with httpx.Client() as client:
        fetched, posted = client.get(provider.url, params=RECORDS), client.post(provider.url, data=RECORDS)
        assert fetched.headers["content-encoding"] == "gzip"
        assert fetched.headers["content-type"] == "text/xml; charset=UTF-8"
        # the token after the records has an expiration date
        first, second = (response.content.partition(b"<resumptionToken")[0] for response in (fetched, posted))
        assert first.partition(b"<ListRecords>")[2] == second.partition(b"<ListRecords>")[2] != b""
        plain = client.get(provider.url, params=RECORDS, headers={"Accept-Encoding": "identity"})
        assert len(plain.content) > 5 * len(gzip.compress(plain.content))
        assert client.head(provider.url, params=RECORDS).status_code == 200
        assert client.put(provider.url).status_code == 405
        assert client.post(provider.url, content=b"{}", headers={"Content-Type": "application/json"}).status_code == 415
        many = client.get(provider.url, params={"verb": ["Identify"] * 30})
        assert b'code="badArgument"' in many.content
    with serving(Settings(filled(tmp_path / "store"))) as address:  # a service without publications
        assert httpx.get(f"{address}/oai?verb=Identify").status_code == 404


def test_rate_limited_client_gets_retry_after(provider: Served) -> None:
    with httpx.Client(timeout=60) as client, ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda _: client.get(provider.url, params=RECORDS), range(48)))
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)


def test_harvest_survives_a_restarted_provider(provider: Served) -> None:
    names: list[str] = []
    more: str | None = None
    for number in range(9):
        if more or not number:
            with serving(Settings(provider.store)) as address, httpx.Client() as client:
                _, page_names, more = page_of(client, f"{address}/oai", more)
                names += page_names
    assert not more
    assert sorted(names) == sorted(WHOLE)


def test_harvest_during_publication_is_consistent(tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(file, ((FIRST + n, "Norma fictícia.") for n in range(COUNT)))) == 0
    shown()
    with serving(Settings(store)) as address, httpx.Client() as client:
        url = f"{address}/oai"
        page, names, more = page_of(client, url, None)
        assert publish_sheet(store, sheet(file, ((FIRST + n, "Outra ementa.") for n in range(5, COUNT + 3)))) == 0
        while more:
            _, page_names, more = page_of(client, url, more)
            names += page_names
        assert sorted(names) == sorted(WHOLE)
        shown()
        later = CLIENTS["sickle"](url, page.findtext(f"{OAI}responseDate") or "")
    assert later == {at(FIRST + n): n < 5 for n in range(COUNT + 3)}


# Chains


def metadata(store: Path) -> dict[str, bytes | None]:
    """Return what a store publishes: metadata by identifier, None for deleted records."""
    with Publication(store) as publication:
        records = publication.records(publication.window(None, None, None), 0)
        return {record.identifier: record.metadata for record in records}


def pass_on(store: Path, domain: str) -> None:
    """Publish the harvested records of a store."""
    options = ["--domain", domain, "--email", "agregador@example.org"]
    assert main(["--store", str(store), "publish", "--harvested", *options]) == 0
    shown()


def test_three_chained_providers_give_the_same_records(
    provider: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(store: Path, number: int) -> list[object]:
        capsys.readouterr()
        code = main(["--store", str(store), "show", name(FIRST + number), "--on", "2026-06-01", "--json"])
        data = json.loads(capsys.readouterr().out or "{}")
        return [code, *(data.get(key) for key in ("status", "question", "force", "efficacy", "called", "texts"))]

    first, second = tmp_path / "first", tmp_path / "second"
    assert once(first, provider.url).summary.refused.total() == 0
    pass_on(first, "um.example.org")
    with serving(Settings(first)) as address:
        middle = f"{address}/oai"
        assert once(second, middle).summary.refused.total() == 0
        pass_on(second, "dois.example.org")
    assert metadata(provider.store) == metadata(first) == metadata(second)
    for number in range(3):  # a norm that was changed, one that was deleted, and one that was unchanged
        asked = answer(second, number)
        assert asked == answer(first, number)
        # only this store received the second norm before its deletion
        assert number == 1 or asked == answer(provider.store, number)
        assert number or "Outra ementa." in str(asked)
    with Publication(second) as publication:
        record = publication.record(at(FIRST))
        sets = {spec for spec, _ in publication.sets()}
    assert record is not None
    assert record.about is not None
    origins = etree.fromstring(record.about).iter("{http://www.openarchives.org/OAI/2.0/provenance}baseURL")
    assert [origin.text for origin in origins] == [middle, provider.url]
    assert {"provedor", "lugar:br:sao.paulo:campinas", "autoridade:municipal", "tipo:lei"} <= sets
    for store, domain in ((first, "um.example.org"), (second, "dois.example.org")):
        pass_on(store, domain)
    with Publication(second) as publication:
        assert publication.record(at(FIRST)) == record


# Our client with an independent provider


def test_foreign_provider_is_listed_in_full() -> None:
    held = norms(120)
    window = {"from_": "2026-01-02T00:00:00Z", "until": "2026-01-04T23:59:59Z"}
    with IndependentProvider(held) as provider, oai.Client(provider.url, quick()) as client:
        about = client.identify()
        assert (about.deleted, about.granularity) == (oai.DeletedRecord.PERSISTENT, oai.Granularity.SECOND)
        assert about.page.notes == ()
        schema = "http://projeto.lexml.gov.br/esquemas/oai_lexml.xsd"
        assert client.metadata_formats() == (oai.MetadataFormat("oai_lexml", schema, LEXML),)
        specs = ["normas", "normas:leis"]
        assert list(client.sets()) == [oai.SetSpec(spec, f"Conjunto {spec}") for spec in specs]
        for verb in (oai.Verb.LIST_RECORDS, oai.Verb.LIST_IDENTIFIERS):
            pages = list(client.pages(oai.Request(verb, prefix="oai_lexml")))
            assert [(page.size, page.notes) for page in pages] == [(50, ()), (50, ()), (20, ())]
            headers = [header for page in pages for header in page.headers]
            assert {h.identifier: (h.deleted, h.sets) for h in headers} == {
                key: (norm.deleted, norm.sets) for key, norm in held.items()
            }
        some = oai.Request(oai.Verb.LIST_RECORDS, prefix="oai_lexml", set="normas:leis", **window)
        identifiers = {header.identifier for page in client.pages(some) for header in page.headers}
        assert identifiers == {identifier(99901 + n) for n in range(24, 96) if n % 3}


def test_single_record_and_errors_of_a_foreign_provider() -> None:
    with IndependentProvider(norms(100)) as provider, oai.Client(provider.url, quick()) as client:
        pages = list(client.pages(LIST))
        assert [(page.size, page.is_last, page.notes) for page in pages] == [(50, False, ()), (50, True, ())]
        assert len(provider.requests) == 2
        page = client.record(identifier(99903), "oai_lexml")
        assert [header.identifier for header in page.headers] == [identifier(99903)]
        assert client.record(identifier(99907), "oai_lexml").headers[0].deleted
        for number, prefix, code in (
            (199999, "oai_lexml", oai.FaultCode.NO_RECORD),
            (99903, "marc", oai.FaultCode.NO_FORMAT),
        ):
            with pytest.raises(oai.ProtocolFault) as raised:
                client.record(identifier(number), prefix)
            assert raised.value.code == code
        with pytest.raises(oai.BadToken):
            client.page(oai.Request(oai.Verb.LIST_RECORDS, token="abc"))  # noqa: S106 (no secret)
        nothing = client.page(oai.Request(oai.Verb.LIST_RECORDS, prefix="oai_lexml", from_="2030-01-01"))
        assert (nothing.size, nothing.is_last) == (0, True)
        assert [error.code for error in nothing.errors] == ["noRecordsMatch"]
