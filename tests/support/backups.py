"""A small store for tests of backups, and the names of the files in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from graph.entities import Record
from graph.quarantine import Quarantine, Refusal
from graph.store import open_for_writing

__all__ = ["FIRST", "LATER", "kept_store", "names_in"]

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
LATER = f"{LAW}@2002-01-01;alteracao;2001-12-01"


def kept_store(path: Path, record: Callable[..., Record]) -> Path:
    """Make a store with one record and two refused records; return its path."""
    with open_for_writing(path, create=True) as store:
        store.apply([record(FIRST, key="a")])
        for number in (1, 2):
            Quarantine(path / "quarantine").put(_refused(number))
    return path


def _refused(number: int) -> Refusal:
    return Refusal(
        "pages.xml", f"record {number}", f"oai:{number}", "bad-name", "p", "e", "oai_lexml", b"<x/>" * number
    )


def names_in(folder: Path) -> list[str]:
    """Return the names of the entries of a folder, in alphabetical order."""
    return sorted(path.name for path in folder.iterdir())
