"""The store of the cases of pages: undated norms."""

from __future__ import annotations

from pathlib import Path

from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load

LAW = "urn:lex:br:federal:lei:2001-05-05;99908"
AMENDING_LAW = "Lei nº 99.909, de 2003"
_ACT = (
    "planalto.gov.br",
    "LEI Nº 99.908, DE 5 DE MAIO DE 2001.",
    "Ementa.",
    "O CONGRESSO NACIONAL decreta:",
    "Art. 1º Texto um.",
    "<s>Art. 2º Redação antiga.</s>",
    f"Art. 2º Redação nova. (Redação dada pela {AMENDING_LAW})",
    f"Art. 3º Texto três. (Incluído pela {AMENDING_LAW})",
    "Art. 4º Texto quatro. (Incluído pela Lei nº 99.910, de 2003)",
)
_AMENDING = ("planalto.gov.br", "LEI Nº 99.910, DE 6 DE JUNHO DE 2003.", "Ementa.", "Art. 1º Texto um.")
_UNCHANGED = ("planalto.gov.br", "LEI Nº 99.907, DE 4 DE MAIO DE 2001.", "Ementa.", "Art. 1º Texto um.")
OTHER, AMENDING = "urn:lex:br:federal:lei:2001-05-04;99907", "urn:lex:br:federal:lei:2003-06-06;99910"
#: The end of a norm whose first day of force no source states; of its publication only the year is known.
_END = f"""
curator = "Teste"
[[facts]]
norm = "{OTHER}"
event = "revogacao"
cause = "urn:lex:br:federal:lei:2006-04-01;99911"
effect = 2007-12-30
known = 2007
"""


def _written(folder: Path, **pages: tuple[str, ...]) -> list[Path]:
    files = [folder / f"{name}.htm" for name in pages]
    for file, lines in zip(files, pages.values(), strict=True):
        file.write_text("".join(f"<p>{line}</p>" for line in lines), "utf-8")
    return files


def build(folder: Path) -> Path:
    """Make a store of norms without days: with amended and inserted articles, one of its amending acts."""
    with open_for_writing(folder / "store", create=True) as opened:
        files = _written(folder, act=_ACT, amending=_AMENDING, unchanged=_UNCHANGED)
        load(files, opened, Quarantine(folder / "q"))
    return folder / "store"


def ended(folder: Path) -> Path:
    """Make a store of the norm without changes, which ended on a certain day."""
    (folder / "end.toml").write_text(_END, "utf-8")
    with open_for_writing(folder / "store", create=True) as opened:
        load([*_written(folder, unchanged=_UNCHANGED), folder / "end.toml"], opened, Quarantine(folder / "q"))
    return folder / "store"
