"""The regions of the federal and labour courts by state and day, for names of LexML 0.7 (part 2, section 6.2).

Federal regions: Constitution of 1988, transitional provisions, art. 27, § 6; Resolução 1/1988 of the Federal Court of
Appeals; Lei 14.226/2021. Labour regions: the laws that created the 24 regional courts, the last of them Leis 8.430/1992
and 8.431/1992.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

#: The first day of the five federal regions, and of the sixth, which took Minas Gerais from the first.
_FEDERAL_FROM, _SIXTH_FROM = date(1989, 3, 30), date(2022, 8, 19)
#: The first day for which the table of labour regions is used: all 24 courts had been installed. Earlier regions were
#: larger.
_LABOUR_FROM = date(1994, 1, 1)

_FEDERAL: Mapping[int, str] = MappingProxyType(
    {
        1: "ac am ap ba df go ma mg mt pa pi ro rr to",
        2: "es rj",
        3: "ms sp",
        4: "pr rs sc",
        5: "al ce pb pe rn se",
    }
)
_LABOUR: Mapping[int, str] = MappingProxyType(
    {
        1: "rj",
        2: "sp",
        3: "mg",
        4: "rs",
        5: "ba",
        6: "pe",
        7: "ce",
        8: "ap pa",
        9: "pr",
        10: "df to",
        11: "am rr",
        12: "sc",
        13: "pb",
        14: "ac ro",
        15: "sp",
        16: "ma",
        17: "es",
        18: "go",
        19: "al",
        20: "se",
        21: "rn",
        22: "pi",
        23: "mt",
        24: "ms",
    }
)


def regions(branch: str, unit: str, first: date, last: date) -> tuple[int, ...] | None:
    """Return the regions of a state on some day of an interval; several if the day or the state does not decide.

    >>> regions("federal", "mg", date(2022, 8, 18), date(2022, 8, 18))
    (1,)
    >>> regions("federal", "mg", date(2022, 1, 1), date(2022, 12, 31))
    (1, 6)
    >>> regions("trabalho", "sp", date(2005, 1, 1), date(2005, 1, 1))
    (2, 15)

    Args:
        branch: ``federal`` or ``trabalho``.
        unit: the abbreviation of the state.
        first, last: the days on which the document may have been made, both included.

    Returns:
        None for days before the table.
    """
    if first < (_FEDERAL_FROM if branch == "federal" else _LABOUR_FROM):
        return None
    table = _FEDERAL if branch == "federal" else _LABOUR
    found = [region for region, units in table.items() if unit in units.split()]
    if (branch, unit) == ("federal", "mg"):
        found = ([1] if first < _SIXTH_FROM else []) + ([6] if last >= _SIXTH_FROM else [])
    return tuple(found)
