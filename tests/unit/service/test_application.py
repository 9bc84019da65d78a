"""Tests that the service switches to newer snapshots, and to a store that replaces another."""

from __future__ import annotations

from pathlib import Path

import httpx
from pyoxigraph import Literal, NamedNode, Quad

from graph.store import open_for_writing
from service.web.published import SnapshotReader
from service.web.settings import Settings
from tests.support.engines import embedded
from tests.support.web import serving

NODE = NamedNode("https://w3id.org/vigente/id/test")


def test_new_snapshot_is_published_and_the_old_one_stays_open(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    published = SnapshotReader(folder)
    first = published.now()
    assert published.now() is first
    with open_for_writing(folder) as store:
        store.changed = True
    second = published.now()
    assert second.state != first.state
    assert first.store.is_empty
    assert second.store.is_empty


def test_replaced_store_with_an_equal_number_has_another_etag(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("store", "other")]
    for folder, value in zip(folders, ("before", "after"), strict=True):
        with open_for_writing(folder, create=True) as store:
            embedded(store).add(Quad(NODE, NODE, Literal(value), NODE))
            store.changed = True
    addresses = ("/sparql?query=SELECT+?o+%7B?s+?p+?o%7D", f"/descriptions/{NODE.value}")
    with serving(Settings(folders[0])) as address, httpx.Client(base_url=address, timeout=60) as web:
        before = {path: web.get(path) for path in addresses}
        assert [answer.status_code for answer in before.values()] == [200, 200]
        tags = {path: {"If-None-Match": answer.headers["ETag"]} for path, answer in before.items()}
        assert [web.get(path, headers=held).status_code for path, held in tags.items()] == [304, 304]
        folders[0].rename(tmp_path / "away")
        folders[1].rename(folders[0])
        for path, held in tags.items():
            after = web.get(path, headers=held)
            assert after.status_code == 200, path
            assert ("before" in before[path].text, "after" in after.text) == (True, True), path
