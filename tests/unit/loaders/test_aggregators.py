"""Tests of publishing harvested records: identifiers, deletions, provenance, and our own records harvested back."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.publication import Publication, PublishedVersion
from service.cli import main
from tests.support.harvesting import FIRST, once
from tests.support.oai_publishing import shown
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import OaiServer, identifier


def published_by_identifier(store: Path, domain: str = "agregador.example.org") -> dict[str, PublishedVersion]:
    """Publish harvested records, and return them by identifier and URL of their provider."""
    settings = ["--domain", domain, "--email", "agregador@example.org"]
    assert main(["--store", str(store), "publish", "--harvested", *settings]) == 0
    shown()
    with Publication(store) as publication:
        window = publication.window(None, None, None)
        return {f"{version.source} {version.origin}": version for version in publication.records(window, 0)}


def test_identifiers_distinguish_provider_and_own_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    repository, other = Repository(), Repository()
    repository.put(StoredRecord(FIRST), StoredRecord(FIRST + 1, deleted=True))
    other.put(StoredRecord(FIRST))
    with OaiServer(repository) as first, OaiServer(other) as second:
        assert once(store, first.url).summary.refused.total() == 0
        assert once(store, second.url).summary.refused.total() == 0
        published = published_by_identifier(store)
        name = identifier(FIRST)
        given = {url: published[f"{url} {name}"].identifier for url in (first.url, second.url)}
        minted = max(given.values(), key=len)  # both arrived in one second: either may be the first
        assert sorted(given.values()) == sorted([name, minted])
        assert minted.startswith("oai:agregador.example.org:vigente/http%3A%2F%2F127.0.0.1")
        assert published[f"{first.url} {identifier(FIRST + 1)}"].metadata is None
        sets = {spec for version in published.values() for spec in version.specs if spec.startswith("provedor")}
        assert len(sets) == 2
        assert "1 registro recebeu um identificador deste repositório" in capsys.readouterr().err
        other.change(FIRST, deleted=True, stamp="2026-03-01T00:00:00Z")
        del repository.records[FIRST]
        once(store, second.url)
        once(store, first.url, reconcile=True, accept_withdrawals=True)
        published = published_by_identifier(store)
    assert {url: published[f"{url} {name}"].identifier for url in given} == given
    assert all(version.metadata is None for version in published.values())


def test_own_records_harvested_back_are_not_published_twice(tmp_path: Path) -> None:
    repository = Repository()
    repository.put(StoredRecord(FIRST))
    with OaiServer(repository) as provider:
        once(tmp_path / "store", provider.url)
    assert published_by_identifier(tmp_path / "store", identifier(FIRST).split(":")[1]) == {}
