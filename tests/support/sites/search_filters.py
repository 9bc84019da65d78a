"""The store of the cases of pages: search filters."""

from __future__ import annotations

from pathlib import Path

from graph.store import open_for_writing
from tests.support.records import event, record

REVOKED = "urn:lex:br:federal:lei:2001-03-05;99971"
STEADY = "urn:lex:br:federal:lei:2001-03-05;99974"
LATER = "urn:lex:br:federal:lei:2003-12-01;99908"
FIRST = "@2001-03-06;publicacao;2001-03-06"


def build(folder: Path) -> Path:
    """Make a store of a law that was revoked on 1 January 2004, and one that is in force."""
    store = folder / "store"
    with open_for_writing(store, create=True) as opened:
        opened.apply(
            [
                record(f"{REVOKED}{FIRST}", events=[event("revogacao", REVOKED, "2004-01-01", "2003-12-01", LATER)]),
                record(f"{STEADY}{FIRST}"),
            ]
        )
    return store
