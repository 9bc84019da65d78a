"""Laws whose texts are compared: expired, partly restored, disputed, and changed before the start of an article."""

from __future__ import annotations

from pathlib import Path

from graph.store import open_for_writing
from tests.support.law_parts import change, fact_records, part
from tests.support.laws import CHAPTER, TWO_ARTICLES, fact_text, law

EXPIRED, BACK, DISPUTED, LATER = (
    f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99971, 99972, 99973, 99974)
)
CHANGED = change("a", "2002-02-01", 99961, "art2_cpt")
AMENDED = part("Artigo", "art1", part("Caput", "art1_cpt", "<p>Palavra 1.</p>")) + part(
    "Artigo",
    "art2",
    part("Caput", "art2_cpt", "<p>Palavra 2.</p>", ends="a") + part("Caput", "art2_cpt", "<p>Outra.</p>", begins="a"),
)


def build(folder: Path) -> Path:
    """Make the store in a folder; return its folder."""
    store = folder / "store"
    facts = (
        fact_text(EXPIRED, "caducidade", "2003-06-01"),
        fact_text(f"{BACK}!cap1", "revogacao", "2005-01-01"),
        fact_text(f"{BACK}!art1", "repristinacao", "2007-01-01"),
        fact_text(f"{DISPUTED}!art1", "revogacao", "2004-01-01", curator="C1"),
        fact_text(f"{DISPUTED}!art2", "revogacao", "2004-01-01", curator="C2"),
        fact_text(f"{DISPUTED}!art2", "revogacao", "2004-06-01", curator="<b>B</b>"),
        fact_text(f"{LATER}!art2", "vigencia.propria", "2003-01-01", "2001-03-06"),
    )
    bodies = {EXPIRED: TWO_ARTICLES, BACK: CHAPTER, DISPUTED: CHAPTER}
    with open_for_writing(store, create=True) as opened:
        opened.apply([record for name, body in bodies.items() for record in law(name, body)])
        opened.apply([*law(LATER, AMENDED, CHANGED), *fact_records("".join(facts))])
    return store
