"""The kinds of provision: how ids begin, what Portuguese and English call them, how they are numbered.

Ids are those of LexML 0.7 part 3, sections 5.3 to 5.5, and LexML 1.0 part 2, section 11.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Numbering(StrEnum):
    """How a kind of provision is numbered in print."""

    ORDINAL = "ordinal"
    ROMAN = "roman"
    LETTER = "letter"
    ARABIC = "arabic"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ProvisionKind:
    """A kind of provision.

    Attributes:
        prefix: how its ids begin.
        singular, plural: the words in Portuguese, in small letters.
        feminine: whether the words are feminine.
        numbering: how it is numbered in print.
        level: its place in the hierarchy; a provision lies in one of a lower level.
        english: the word in English.
        grouping: whether it groups articles.
    """

    prefix: str
    singular: str
    plural: str
    feminine: bool
    numbering: Numbering
    level: int
    english: str
    grouping: bool = False


def _of(*kinds: ProvisionKind) -> dict[str, ProvisionKind]:
    return {kind.prefix: kind for kind in kinds}


_ROMAN, _ORDINAL, _NONE = Numbering.ROMAN, Numbering.ORDINAL, Numbering.NONE

#: Every kind by the prefix of its ids, outermost first.
KINDS = _of(
    ProvisionKind("lex", "raiz", "raízes", feminine=True, numbering=_NONE, level=0, english="root"),
    ProvisionKind(
        "cpp",
        "componente principal",
        "componentes principais",
        feminine=False,
        numbering=_NONE,
        level=1,
        english="main component",
    ),
    ProvisionKind("anx", "anexo", "anexos", feminine=False, numbering=_ROMAN, level=1, english="annex"),
    ProvisionKind("atc", "articulação", "articulações", feminine=True, numbering=_NONE, level=2, english="articles"),
    ProvisionKind("epigrafe", "epígrafe", "epígrafes", feminine=True, numbering=_NONE, level=3, english="epigraph"),
    ProvisionKind("ementa", "ementa", "ementas", feminine=True, numbering=_NONE, level=3, english="summary"),
    ProvisionKind("preambulo", "preâmbulo", "preâmbulos", feminine=False, numbering=_NONE, level=3, english="preamble"),
    ProvisionKind("prt", "parte", "partes", feminine=True, numbering=_ROMAN, level=4, english="part", grouping=True),
    ProvisionKind("liv", "livro", "livros", feminine=False, numbering=_ROMAN, level=5, english="book", grouping=True),
    ProvisionKind(
        "tit", "título", "títulos", feminine=False, numbering=_ROMAN, level=6, english="title", grouping=True
    ),
    ProvisionKind(
        "cap", "capítulo", "capítulos", feminine=False, numbering=_ROMAN, level=7, english="chapter", grouping=True
    ),
    ProvisionKind("sec", "seção", "seções", feminine=True, numbering=_ROMAN, level=8, english="section", grouping=True),
    ProvisionKind(
        "sub", "subseção", "subseções", feminine=True, numbering=_ROMAN, level=9, english="subsection", grouping=True
    ),
    ProvisionKind(
        "agh", "agrupamento", "agrupamentos", feminine=False, numbering=_ROMAN, level=9, english="group", grouping=True
    ),
    ProvisionKind("art", "art.", "arts.", feminine=False, numbering=_ORDINAL, level=10, english="art."),
    ProvisionKind("cpt", "caput", "caputs", feminine=False, numbering=_NONE, level=11, english="head"),
    ProvisionKind("par", "§", "§§", feminine=False, numbering=_ORDINAL, level=11, english="paragraph"),
    ProvisionKind("inc", "inciso", "incisos", feminine=False, numbering=_ROMAN, level=12, english="item"),
    ProvisionKind("ali", "alínea", "alíneas", feminine=True, numbering=Numbering.LETTER, level=13, english="subitem"),
    ProvisionKind("ite", "item", "itens", feminine=False, numbering=Numbering.ARABIC, level=14, english="number"),
    ProvisionKind(
        "dpg", "dispositivo", "dispositivos", feminine=False, numbering=Numbering.ARABIC, level=14, english="provision"
    ),
    ProvisionKind(
        "alt", "alteração", "alterações", feminine=True, numbering=Numbering.ARABIC, level=15, english="amendment"
    ),
    ProvisionKind("omi", "omissis", "omissis", feminine=False, numbering=_NONE, level=15, english="omission"),
)

#: Elements of LexML XML by the kind of an identifier (LexML part 3, section 5).
ELEMENTS: Mapping[str, str] = {
    "prt": "Parte",
    "liv": "Livro",
    "tit": "Titulo",
    "cap": "Capitulo",
    "sec": "Secao",
    "sub": "Subsecao",
    "agh": "AgrupamentoHierarquico",
    "art": "Artigo",
    "cpt": "Caput",
    "par": "Paragrafo",
    "inc": "Inciso",
    "ali": "Alinea",
    "ite": "Item",
    "alt": "Alteracao",
    "omi": "Omissis",
    "epigrafe": "Epigrafe",
    "ementa": "Ementa",
    "preambulo": "Preambulo",
}
_PREFIX = re.compile(r"[a-z]+", re.ASCII)


def is_grouping(fragment: str) -> bool:
    """Whether a provision groups articles, by the last step of its identifier.

    >>> is_grouping("tit2_cap1-1"), is_grouping("art5_cpt")
    (True, False)
    """
    found = _PREFIX.match(fragment.rpartition("_")[2])
    kind = KINDS.get(found[0]) if found else None
    return kind is not None and kind.grouping


def element_of(fragment: str) -> str:
    """The element of LexML XML that a provision is, by the last step of its identifier (LexML part 3, section 5).

    >>> element_of("art5_cpt_inc1"), element_of("tit2_cap1-1"), element_of("art5_par3_dpg2")
    ('Inciso', 'Capitulo', 'DispositivoGenerico')
    """
    found = _PREFIX.match(fragment.rpartition("_")[2])
    return ELEMENTS.get(found[0] if found else "", "DispositivoGenerico")
