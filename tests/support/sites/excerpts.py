"""The store of the cases of pages: excerpts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graph.entities import EditorialNote, EditorialNoteKind
from graph.store import open_for_writing
from graph.urn import parse
from tests.support.law_parts import law_records, part

LAW = "urn:lex:br:federal:lei:2001-03-05;99971"


def build(folder: Path) -> Path:
    """Make a store of a law with an excerpt."""
    store = folder / "store"
    body = part("Artigo", "art1", part("Caput", "art1_cpt", "<p>Esta Lei [...] desde que:</p>"))
    body += part("Artigo", "art2", part("Caput", "art2_cpt", "<p>Palavra.</p>"))
    (record,) = law_records("", body, name=LAW)
    notes = (
        EditorialNote(None, EditorialNoteKind.OUTRA, "Mensagem de veto", None, "https://um.example/veto"),
        EditorialNote("art2_cpt", EditorialNoteKind.VIDE, "Vide Lei nº 99.971, de 2001", parse(LAW)),
        EditorialNote(
            "art2_cpt", EditorialNoteKind.VIDE, "Vide Decreto nº 99.972, de 2002", None, "D.htm", struck=True
        ),
    )
    with open_for_writing(store, create=True) as opened:
        opened.apply([replace(record, notes=notes)])
    return store
