"""The 27 units of the federation: the abbreviation and the spelling of each in names of the ``lex`` namespace.

Names carry no accents and no connectives (LexML 1.0 part 2, sections 4.3.2, 4.3.3 and 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Abbreviation of a unit to its name, e.g. ``"sp"`` to ``"sao.paulo"``.
UNITS: Mapping[str, str] = MappingProxyType(
    {
        "ac": "acre",
        "al": "alagoas",
        "am": "amazonas",
        "ap": "amapa",
        "ba": "bahia",
        "ce": "ceara",
        "df": "distrito.federal",
        "es": "espirito.santo",
        "go": "goias",
        "ma": "maranhao",
        "mg": "minas.gerais",
        "ms": "mato.grosso.sul",
        "mt": "mato.grosso",
        "pa": "para",
        "pb": "paraiba",
        "pe": "pernambuco",
        "pi": "piaui",
        "pr": "parana",
        "rj": "rio.janeiro",
        "rn": "rio.grande.norte",
        "ro": "rondonia",
        "rr": "roraima",
        "rs": "rio.grande.sul",
        "sc": "santa.catarina",
        "se": "sergipe",
        "sp": "sao.paulo",
        "to": "tocantins",
    }
)

#: The everyday names of the four units whose name has a connective, to the spelling without it.
UNITS_WITH_CONNECTIVES: Mapping[str, str] = MappingProxyType(
    {
        "mato.grosso.do.sul": "mato.grosso.sul",
        "rio.de.janeiro": "rio.janeiro",
        "rio.grande.do.norte": "rio.grande.norte",
        "rio.grande.do.sul": "rio.grande.sul",
    }
)
