"""The service as a whole: it starts, answers in problem details, and changes to a newer snapshot."""

from __future__ import annotations

from pathlib import Path

import httpx

from graph.store import open_for_writing
from service.web.published import Published
from service.web.settings import Settings
from tests.web import serving


def test_it_starts_and_ends(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "store", create=True):
        pass
    with serving(Settings(tmp_path / "store")) as address:
        assert httpx.get(f"{address}/no-such-page").status_code == 404


def test_a_newer_snapshot_takes_over_and_the_old_one_lasts_for_who_has_it(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True):
        pass
    published = Published(folder)
    first = published.now()
    assert published.now() is first
    with open_for_writing(folder) as store:
        store.changed = True
    published._looked = 0.0  # noqa: SLF001 - as if a second had gone by
    second = published.now()
    assert second.number != first.number
    assert first.store.is_empty
    assert second.store.is_empty
