"""Tests of the OAI-PMH provider over HTTP with independent clients and our own; chains of three; kills and restarts."""

from __future__ import annotations

import gzip
import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from lxml import etree

from graph.publication import Publication
from service.cli import main
from service.web.oai import utc
from service.web.settings import Settings
from tests.support.harvesting import once
from tests.support.oai_http_clients import CLIENTS, Listed
from tests.support.oai_publishing import FIRST, at, name, publish_sheet, sheet, shown
from tests.support.serve_process import served
from tests.support.web import serving

# independent clients leave connections to the garbage collector
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning"
)

COUNT = 1201  # three pages of at most 500 records
OAI = "{http://www.openarchives.org/OAI/2.0/}"


class Served(NamedTuple):
    """A provider with a list of three pages, then one change and one deletion."""

    store: Path
    url: str
    since: str


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("provider")
    store, norms = folder / "store", folder / "normas.csv"
    assert publish_sheet(store, sheet(norms, ((FIRST + n, "Norma fictícia.") for n in range(COUNT)))) == 0
    shown()
    changed = ((FIRST + n, "Outra ementa." if n == 0 else "Norma fictícia.") for n in range(COUNT) if n != 1)
    assert publish_sheet(store, sheet(norms, changed)) == 0
    shown()
    with Publication(store) as publication:
        record = publication.record(at(FIRST))
        assert record is not None
        stamp = record.stamp
    with serving(Settings(store)) as address:
        yield Served(store, f"{address}/oai", utc(stamp))


WHOLE: Listed = {at(FIRST + n): n == 1 for n in range(COUNT)}


@pytest.mark.parametrize("client", CLIENTS)
def test_full_harvest_gets_every_record(client: str, provider: Served) -> None:
    assert CLIENTS[client](provider.url, None) == WHOLE


@pytest.mark.parametrize("client", CLIENTS)
def test_incremental_harvest_gets_the_changes(client: str, provider: Served) -> None:
    assert CLIENTS[client](provider.url, provider.since) == {at(FIRST): False, at(FIRST + 1): True}
    assert CLIENTS[client](provider.url, "2199-01-01T00:00:00Z") == {}


def test_post_head_compression_and_refused_methods(provider: Served) -> None:
    asked = {"verb": "ListRecords", "metadataPrefix": "oai_dc"}
    with httpx.Client() as client:
        fetched = client.get(provider.url, params=asked)
        posted = client.post(provider.url, data=asked)
        assert fetched.headers["content-encoding"] == "gzip"
        assert fetched.headers["content-type"] == "text/xml; charset=UTF-8"
        # the token after the records has an expiration date
        first, second = (response.content.partition(b"<resumptionToken")[0] for response in (fetched, posted))
        assert first.partition(b"<ListRecords>")[2] == second.partition(b"<ListRecords>")[2] != b""
        plain = client.get(provider.url, params=asked, headers={"Accept-Encoding": "identity"})
        assert len(plain.content) > 5 * len(gzip.compress(plain.content))
        assert client.head(provider.url, params=asked).status_code == 200
        assert client.put(provider.url).status_code == 405
        assert client.post(provider.url, content=b"{}", headers={"Content-Type": "application/json"}).status_code == 415
        many = client.get(provider.url, params={"verb": ["Identify"] * 30})
        assert b'code="badArgument"' in many.content


def test_rate_limited_client_gets_retry_after(provider: Served) -> None:
    asked = {"verb": "ListRecords", "metadataPrefix": "oai_dc"}
    with httpx.Client(timeout=60) as client, ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda _: client.get(provider.url, params=asked), range(48)))
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)


def test_service_without_publications_has_no_oai_address(tmp_path: Path) -> None:
    assert main(["--store", str(tmp_path / "store"), "demo", "--json"]) == 0
    with serving(Settings(tmp_path / "store")) as address:
        assert httpx.get(f"{address}/oai?verb=Identify").status_code == 404


def metadata(store: Path) -> dict[str, bytes | None]:
    """Return what a store publishes: metadata by identifier, None for deleted records."""
    with Publication(store) as publication:
        window = publication.window(None, None, None)
        return {record.identifier: record.metadata for record in publication.records(window, 0)}


def pass_on(store: Path, domain: str) -> None:
    """Publish the harvested records of a store."""
    options = ["--domain", domain, "--email", "agregador@example.org"]
    assert main(["--store", str(store), "publish", "--harvested", *options]) == 0
    shown()


def answers(store: Path, capsys: pytest.CaptureFixture[str]) -> list[object]:
    """Return the answers of a store about a norm that was changed, one that was deleted, and one that was unchanged."""
    norm_answers: list[object] = []
    for number in range(FIRST, FIRST + 3):
        capsys.readouterr()
        code = main(["--store", str(store), "show", name(number), "--on", "2026-06-01", "--json"])
        data = json.loads(capsys.readouterr().out or "{}")
        norm_answers.append(
            (code, *(data.get(key) for key in ("status", "question", "force", "efficacy", "called", "texts")))
        )
    return norm_answers


def test_three_chained_providers_give_the_same_records(
    provider: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert once(first, provider.url).summary.refused.total() == 0
    pass_on(first, "um.example.org")
    with serving(Settings(first)) as address:
        middle = f"{address}/oai"
        assert once(second, middle).summary.refused.total() == 0
        pass_on(second, "dois.example.org")
    assert metadata(provider.store) == metadata(first) == metadata(second)
    asked = answers(second, capsys)
    assert asked == answers(first, capsys)
    asked[1:2] = answers(provider.store, capsys)[1:2]  # only this store received the norm before its deletion
    assert asked == answers(provider.store, capsys)
    assert "Outra ementa." in str(asked)
    with Publication(second) as publication:
        record = publication.record(at(FIRST))
        assert record is not None
        assert record.about is not None
        origins = list(etree.fromstring(record.about).iter("{http://www.openarchives.org/OAI/2.0/provenance}baseURL"))
        assert [origin.text for origin in origins] == [middle, provider.url]
        sets = {spec for spec, _ in publication.sets()}
    assert {"provedor", "lugar:br:sao.paulo:campinas", "autoridade:municipal", "tipo:lei"} <= sets
    for store in (first, second):
        pass_on(store, "um.example.org" if store == first else "dois.example.org")
    with Publication(second) as publication:
        again = publication.record(at(FIRST))
    assert again == record


def test_harvest_survives_a_killed_and_restarted_provider(provider: Served) -> None:
    asked = {"verb": "ListRecords", "metadataPrefix": "oai_lexml"}
    names: list[str] = []
    more: str | None = None
    for end in (signal.SIGKILL, signal.SIGTERM, None):
        with served(provider.store) as process:
            parameters = asked if more is None else {"verb": "ListRecords", "resumptionToken": more}
            page = etree.fromstring(httpx.get(f"{process.address}/oai", params=parameters).content)
            names.extend(element.text or "" for element in page.iter(f"{OAI}identifier"))
            more = page.findtext(f".//{OAI}resumptionToken")
            if end is not None:
                process.process.send_signal(end)
                process.ended()
    assert not more
    assert sorted(names) == sorted(WHOLE)


def test_harvest_during_publication_is_consistent(tmp_path: Path) -> None:
    store, norms = tmp_path / "store", tmp_path / "normas.csv"
    assert publish_sheet(store, sheet(norms, ((FIRST + n, "Norma fictícia.") for n in range(COUNT)))) == 0
    shown()
    with serving(Settings(store)) as address, httpx.Client() as client:
        url = f"{address}/oai"
        page = etree.fromstring(client.get(url, params={"verb": "ListRecords", "metadataPrefix": "oai_lexml"}).content)
        began = page.findtext(f"{OAI}responseDate") or ""
        names = [element.text for element in page.iter(f"{OAI}identifier")]
        changed = ((FIRST + n, "Outra ementa.") for n in range(5, COUNT + 3))
        assert publish_sheet(store, sheet(norms, changed)) == 0
        while more := page.findtext(f".//{OAI}resumptionToken"):
            parameters = {"verb": "ListRecords", "resumptionToken": more}
            page = etree.fromstring(client.get(url, params=parameters).content)
            names.extend(element.text for element in page.iter(f"{OAI}identifier"))
        assert sorted(map(str, names)) == sorted(at(FIRST + n) for n in range(COUNT))
        shown()
        later = CLIENTS["sickle"](url, began)
    assert later == {at(FIRST + n): n < 5 for n in range(COUNT + 3)}
