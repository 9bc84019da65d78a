"""The store of the cases of pages: limits."""

from __future__ import annotations

from pathlib import Path

from graph.entities import Item, ItemKind
from graph.store import open_for_writing
from tests.support.law_parts import THREE_ARTICLES, fact_records, law_records, part
from tests.support.records import record

DISPUTED, COPIED, HALTED, LONG, GATHERED = (f"urn:lex:br:federal:lei:2001-03-05;{n}" for n in range(99961, 99966))
CURATORS, COPIES, PAUSES, WORDS = 150, 120, 30, 30_000


def _facts(norm: str, event: str, day: str, *, known: str, curator: str, cited: str = "Diário") -> str:
    return (
        f'[[facts]]\nnorm = "{norm}"\nevent = "{event}"\neffect = {day}\nknown = {known}\n'
        f'curator = "{curator}"\nsource = "{cited}"\n'
    )


def suspensions(norm: str, count: int) -> str:
    """Return facts of a number of suspensions of a norm, each with its end."""
    days = [f"{2003 + index // 12}-{index % 12 + 1:02d}-01" for index in range(2 * count)]
    events = ("suspensao", "restabelecimento")
    return "\n".join(_facts(norm, events[index % 2], day, known=day, curator="C") for index, day in enumerate(days))


def build(folder: Path) -> Path:
    """Make a store of norms that have more entries than a page shows."""
    store = folder / "store"
    reported = (
        _facts(
            DISPUTED,
            "revogacao",
            f"{2003 + index % 20}-01-{1 + index // 20:02d}",
            known="2002-01-01",
            curator=f"Curador {index}",
            cited="Fonte longa " * 40,
        )
        for index in range(CURATORS)
    )
    items = tuple(
        Item(f"https://c.invalid/{index}/{'y' * 300}", "text/html", ItemKind.CONTENT, "1") for index in range(COPIES)
    )
    gathered = "\n".join(
        _facts(f"{GATHERED}!art{index + 10}", "revogacao", "2003-01-01", known="2002-01-01", curator="C" * 2_000)
        for index in range(100)
    )
    words = part(
        "Artigo", "art1", f'<Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>{"longo &lt; " * WORDS}</p></Caput>'
    )
    records = [
        *law_records("", THREE_ARTICLES, name=DISPUTED),
        *fact_records("\n".join(reported)),
        record(f"{COPIED}@2001-06-01;publicacao;2001-03-06", items=items, key="oai:copied"),
        *law_records("", THREE_ARTICLES, name=HALTED),
        *fact_records(suspensions(f"{HALTED}!art1", PAUSES)),
        *law_records("", words, name=LONG),
        *law_records("", THREE_ARTICLES, name=GATHERED),
        *fact_records(gathered),
    ]
    with open_for_writing(store, create=True) as written:
        written.apply(records)
    return store
