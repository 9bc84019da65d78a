"""The store of the cases of pages: open wording."""

from __future__ import annotations

from pathlib import Path

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.open_wording import is_wording_open

LAW = "urn:lex:br:federal:lei:2001-05-05;99908"
AMENDING_LAW = "Lei nº 99.909, de 2003"
PAGE = (
    "planalto.gov.br",
    "LEI Nº 99.908, DE 5 DE MAIO DE 2001.",
    "Ementa.",
    "O CONGRESSO NACIONAL decreta:",
    "Art. 1º Texto um.",
    "<s>Parágrafo único. Redação antiga.</s>",
    f"Parágrafo único. Redação nova. (Redação dada pela {AMENDING_LAW})",
    "<s>Art. 2º Redação antiga.</s>",
    f"Art. 2º Redação nova. (Redação dada pela {AMENDING_LAW})",
    "<s>Art. 3º Texto três.</s>",
    f"Art. 3º (Revogado pela {AMENDING_LAW})",
    "Art. 4º Esta Lei entra em vigor na data de sua publicação.",
    "Este texto não substitui o publicado no DOU de 7.5.2001",
)
FACTS = f"""
curator = "Teste"
[[facts]]
norm = "{LAW}"
event = "publicacao"
effect = 2001-05-07
known = 2001-05-07
"""
DAY = "2003-06-01"


def build(folder: Path) -> Path:
    """Make a store of a law with one article changed and one revoked on unknown days of 2003."""
    (folder / "page.htm").write_text("".join(f"<p>{line}</p>" for line in PAGE), "utf-8")
    (folder / "facts.toml").write_text(FACTS, "utf-8")
    with open_for_writing(folder / "store", create=True) as opened:
        load([folder / "page.htm", folder / "facts.toml"], opened, Quarantine(folder / "q"))
        changed, revoked, norm_answer = (
            in_force(opened, f"{LAW}{part}", DAY) for part in ("!art2_cpt", "!art3_cpt", "")
        )
        assert [is_wording_open(opened, notice) for notice in (changed, revoked, norm_answer)] == [True, False, False]
        assert changed.status.value == "unknown", "the JSON document has the status of the version"
    return folder / "store"
