"""The numbers of names in LexML's portal in 2015 by place, authority and type, without prefixes that have few names.

The table next to this file covers 85 % of the names of legislation (prefixes with at least 400 names), 93 % of those of
judgments (at least 5,000), 99 % of those of bills (at least 500), and all names of libraries.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

__all__ = ["DrawnPrefixes", "any_kind", "norms"]

_TABLE = Path(__file__).with_name("prefixes.tsv")
#: Issues of a gazette are generated with the norms that they publish, not drawn.
_ISSUE = ":publicacao.oficial"


class DrawnPrefixes:
    """Prefixes drawn in proportion to their numbers of names in the portal."""

    def __init__(self, rows: list[tuple[int, str]]) -> None:
        self._prefixes = [prefix for _, prefix in rows]
        self._weights = list(accumulate(names for names, _ in rows))

    def draw(self, random: Random) -> str:
        """Return place, authority and type of a name, such as ``br:federal:lei``."""
        return random.choices(self._prefixes, cum_weights=self._weights)[0]


def _rows(*scopes: str) -> list[tuple[int, str]]:
    lines = _TABLE.read_text("utf-8").splitlines()[1:]
    cells = (line.split("\t") for line in lines)
    return [(int(names), prefix) for scope, names, prefix in cells if scope in scopes and _ISSUE not in prefix]


@cache
def norms() -> DrawnPrefixes:
    """Return the prefixes of legislation."""
    return DrawnPrefixes(_rows("leg"))


@cache
def any_kind() -> DrawnPrefixes:
    """Return the prefixes of all names in the portal, of which some 80 % are judgments."""
    return DrawnPrefixes(_rows("leg", "prj", "jus", "bib"))
