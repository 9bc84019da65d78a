"""The store that ``vigente demo`` makes, for the examples of the public API and its tests."""

from __future__ import annotations

from pathlib import Path

import samples
import vigente


def demo_store(folder: Path) -> Path:
    """Make ``vigente.store`` in a folder, with the bundled sample; return its path."""
    path, sample = folder / "vigente.store", samples.folder()
    with vigente.open(path, create=True) as store:
        summary = store.load(sample / "oai", sample / "lexml_xml", sample / "facts", sample / "nomes.txt")
    assert summary.complete
    return path
