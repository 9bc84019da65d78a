"""The store of the cases of pages: reading."""

from __future__ import annotations

from pathlib import Path

from benchmarks.provisions import document
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load

NORM = "urn:lex:br:federal:lei:2001-03-05;99901"


def build(folder: Path) -> Path:
    """Make a store of a fictional code of 2,000 provisions."""
    (folder / "long.xml").write_text(document(1), "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        load([folder / "long.xml"], store, Quarantine(folder / "quarantine"))
    return folder / "store"
