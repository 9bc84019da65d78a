"""Fixtures for the examples of the public API: a folder with the store that ``vigente demo`` makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.demo_store import demo_store


@pytest.fixture(scope="session")
def folder_of_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``vigente.store``; the examples only read it."""
    return demo_store(tmp_path_factory.mktemp("examples")).parent


@pytest.fixture(autouse=True)
def _examples_run_beside_the_store(request: pytest.FixtureRequest) -> None:
    """Run the examples in the docstrings of ``vigente`` in the folder with the store."""
    if isinstance(request.node, pytest.DoctestItem) and "vigente" in request.node.path.parts[-2:-1]:
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("folder_of_examples"))
