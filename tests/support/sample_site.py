"""Fixtures of a store with the bundled sample, as the command ``demo`` loads it, and of a service over it.

A module that uses them imports all three: each fixture uses the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph.store import Store
from graph.store import open as open_store
from service.cli import main
from service.web.settings import Settings
from tests.support.web import serving


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a new store with the sample."""
    made = tmp_path_factory.mktemp("sample") / "store"
    assert main(["--store", str(made), "demo", "--json"]) == 0
    return made


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    """Yield the store, opened for reading."""
    with open_store(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def sample(folder: Path) -> Iterator[httpx.Client]:
    """Yield a client of a service over the store."""
    with serving(Settings(folder)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client
