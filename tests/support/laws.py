"""Records of fictional laws in short form: LexML documents with their events, and curated facts."""

from __future__ import annotations

from graph.entities import Record
from tests.support.law_parts import law_records, part

#: Two articles, and the same in a chapter with a third after it.
TWO_ARTICLES = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>"))
    for n in (1, 2)
)
CHAPTER = part("Capitulo", "cap1", f"<Rotulo>CAPÍTULO I</Rotulo>{TWO_ARTICLES}") + part(
    "Artigo", "art3", part("Caput", "art3_cpt", "<p>Palavra 3.</p>")
)

#: Three articles.
BODY = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Ponte {n}.</p>"))
    for n in (1, 2, 3)
)


def law(name: str, body: str, events: str = "") -> list[Record]:
    """Return the records of a law with a text and, beside its publication and its start, events."""
    return law_records(events, body, name=name)


def fact_text(name: str, event: str, effect: str, known: str | None = None, curator: str = "A") -> str:
    """Return a curated fact as its file has it."""
    return (
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {known or effect}\n'
        f'curator = "{curator}"\n'
    )
