"""How many names LexML's portal had of each place, authority and type in 2015, as facts; those with few names left out.

The table beside this file holds 85 % of the names of legislation, 93 % of those of judgments, 99 % of those of bills,
and all of those of libraries: those of prefixes with at least 400, 5,000, 500 names, and any.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

__all__ = ["Drawn", "any_kind", "norms"]

_TABLE = Path(__file__).with_name("prefixes.tsv")
#: Issues of a gazette are made where something is printed in them, not drawn.
_ISSUE = ":publicacao.oficial"


class Drawn:
    """Prefixes, drawn as often as the portal has names with them."""

    def __init__(self, rows: list[tuple[int, str]]) -> None:
        self._prefixes = [prefix for _, prefix in rows]
        self._weights = list(accumulate(names for names, _ in rows))

    def draw(self, random: Random) -> str:
        """Place, authority and type of a name, such as ``br:federal:lei``."""
        return random.choices(self._prefixes, cum_weights=self._weights)[0]


def _rows(*scopes: str) -> list[tuple[int, str]]:
    lines = _TABLE.read_text("utf-8").splitlines()[1:]
    cells = (line.split("\t") for line in lines)
    return [(int(names), prefix) for scope, names, prefix in cells if scope in scopes and _ISSUE not in prefix]


@cache
def norms() -> Drawn:
    """The prefixes of legislation."""
    return Drawn(_rows("leg"))


@cache
def any_kind() -> Drawn:
    """The prefixes of everything that the portal has: of a hundred names some eighty are judgments."""
    return Drawn(_rows("leg", "prj", "jus", "bib"))
