"""The store of the resolver, with a norm whose summary has markup."""

from __future__ import annotations

from pathlib import Path

from graph.terms import Text
from tests.support.records import code_records, record
from tests.support.web_names import build_store

HOSTILE_NORM = "urn:lex:br:federal:lei:2009-01-05;99941"
SCRIPT = '<script>alert("1")</script>\u202e'


def build(folder: Path) -> Path:
    """Make the store in a folder; return its folder."""
    spiteful = record(f"{HOSTILE_NORM}@2009-01-05;publicacao;2009-01-05", summaries=(Text(SCRIPT),))
    return build_store(folder / "store", (*code_records(), spiteful))
