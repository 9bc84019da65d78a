"""Fixtures of the store of the bundled sample, and of a server over it.

A module that uses them imports those that it uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graph.store import Store
from graph.store import open as open_store


@pytest.fixture(scope="module")
def folder(sample_store: Path) -> Path:
    """Return the folder of the store."""
    return sample_store


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Iterator[Store]:
    """Yield the store, opened for reading."""
    with open_store(sample_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def sample(served_sample: str) -> Iterator[httpx.Client]:
    """Yield a client of a server over the store."""
    with httpx.Client(base_url=served_sample, timeout=30) as client:
        yield client
