"""Tests that old snapshots are closed: after refused requests, in reference cycles, and without new requests."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from graph.store import open_for_writing
from graph.store.caching import CachingStore
from service.web.published import SnapshotReader
from service.web.settings import Settings
from tests.support.serve_process import children, served, until
from tests.support.web import serving

REJECTED_REQUESTS = (
    "/api/v1/in-force?urn=urn:lex:br:federal:lei:1990-13-41;1",
    "/api/v1/in-force?urn=urn:lex:br:federal:lei:2001-03-05;99901",
    "/api/v1/timeline?urn=urn:lex:br:federal:lei:2001-03-05;99901",
    "/api/v1/text?urn=urn:lex:br:federal:lei:2001-03-05;99901",
    "/urn:lex:br:federal:lei:2001-03-05;99901",
    "/urn:lex:br:federal:lei:1990-13-41;1",
    "/timemap/urn:lex:br:federal:lei:2001-03-05;99901",
    "/descriptions/urn:x:1",
    "/nothing/here",
    "/sparql?query=SELECT",
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    _publish(folder)
    return folder


def _publish(folder: Path) -> None:
    with open_for_writing(folder, create=True) as store:
        store.changed = True


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _open_stores(folder: Path) -> list[CachingStore]:
    return [
        get_object
        for get_object in gc.get_objects()
        if isinstance(get_object, CachingStore) and getattr(get_object, "path", None) == folder
    ]


def test_rejected_request_holds_no_snapshot(store: Path) -> None:
    """Check that neither the traceback of an error nor a task refers to a snapshot, which would delay its closing."""
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=60) as web:
        web.get("/ready")
        with without_collector():
            for path in REJECTED_REQUESTS:
                for accept in ("application/json", "text/html"):
                    assert web.get(path, headers={"accept": accept}).status_code >= 400
            (before,) = map(weakref.ref, _open_stores(store))
            _publish(store)
            until(lambda: web.get("/nothing").status_code == 404 and before() is None, 10)
            assert len(_open_stores(store)) == 1


def test_snapshot_in_a_reference_cycle_is_closed(store: Path) -> None:
    published = SnapshotReader(store)
    with without_collector():
        ring: list[object] = [published.now().store]
        ring.append(ring)
        del ring
        (before,) = map(weakref.ref, _open_stores(store))
        _publish(store)
        for _ in range(2):  # the first check replaces the snapshot; the second one collects reference cycles
            assert before() is not None
            published.now()
        assert before() is None


def test_old_snapshot_is_closed_without_requests(store: Path) -> None:
    def held(process: int) -> set[str]:
        links = (link.readlink() for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink())
        return {match[1] for link in links if (match := re.search(r"/snapshots/([0-9]+)/", str(link)))}

    with served(store) as service:
        address = f"{service.address}/api/v1/timeline?urn=urn:lex:br:federal:lei:2001-03-05;99901"
        assert httpx.get(address, timeout=60).is_client_error
        (server,) = children(service.process.pid)
        first = held(server)
        assert len(first) == 1
        _publish(store)
        until(lambda: bool(held(server)) and not held(server) & first, 15)


def test_all_processes_answer_from_a_new_snapshot_at_once(store: Path) -> None:
    """Send requests to two server processes: the first ones after a publication are all from the new snapshot."""
    with served(store, "--workers", "2") as service:

        def states() -> set[str]:
            address, asked = f"{service.address}/sparql", {"query": "ASK {}"}
            answers = [httpx.get(address, params=asked, timeout=60) for _ in range(24)]
            assert {answer.status_code for answer in answers} == {200}
            return {answer.headers["ETag"] for answer in answers}

        until(lambda: len(children(service.process.pid)) == 2)
        before = states()
        for _ in range(3):
            _publish(store)
            after = states()
            assert (len(before), len(after), before & after) == (1, 1, set())
            before = after
