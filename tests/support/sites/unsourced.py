"""The store of the cases of pages: unsourced."""

from __future__ import annotations

from pathlib import Path

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from service.web.pages.related import MOST_SHOWN
from tests.support.records import deletion, record

LAW = "urn:lex:br:federal:lei:2001-03-05;"
#: One described; one with a fact on itself; one with a fact on an article; one with two facts; one with no statement.
DESCRIBED, ALONE, IN_PART, TWICE, NOBODY = (f"{LAW}{number}" for number in range(99950, 99955))
#: Described, with facts on many of its articles.
MANY = f"{LAW}99960"
#: No record describes them: a fact has the first as its cause, and a law refers to the second.
CAUSE, CITED = f"{LAW}99961", f"{LAW}99962"
#: Its provider has withdrawn its record.
WITHDRAWN_NORM = f"{LAW}99964"


def _fact(norm: str, event: str, day: str) -> str:
    return f'[[facts]]\nnorm = "{norm}"\nevent = "{event}"\neffect = {day}\nknown = {day}\n'


_FACTS = 'curator = "Arquivo Fictício"\nsource = "Diário fictício"\n' + "".join(
    (
        _fact(ALONE, "revogacao", "2005-01-01") + 'note = "Consta do livro."\n',
        _fact(f"{IN_PART}!art3", "suspensao", "2005-01-01"),
        _fact(TWICE, "suspensao", "2005-01-01"),
        _fact(TWICE, "restabelecimento", "2006-01-01"),
        _fact(f"{DESCRIBED}!art10", "anulacao", "2004-01-01"),
        _fact(f"{DESCRIBED}!art2", "suspensao", "2005-01-01"),
        _fact(f"{DESCRIBED}!art2", "restabelecimento", "2006-01-01"),
        *(_fact(f"{MANY}!art{number}", "anulacao", "2004-01-01") for number in range(1, MOST_SHOWN + 4)),
        f'cause = "{CAUSE}"\n',
    )
)


def build(folder: Path) -> Path:
    """Make a store of facts, two laws without words, and a law whose record was withdrawn."""
    facts = folder / "facts.toml"
    facts.write_text(_FACTS, "utf-8")
    with open_for_writing(folder / "store", create=True) as store:
        store.apply([record(f"{norm}@2001-03-06;publicacao;2001-03-06") for norm in (DESCRIBED, MANY)])
        store.apply([record(DESCRIBED, ("referencia", CITED))])
        store.apply([record(WITHDRAWN_NORM, key="gone")])
        store.apply([deletion("gone")])
        load([facts], store, Quarantine(folder / "quarantine"))
    return folder / "store"
