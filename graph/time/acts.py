"""The identity of acts: which act a name with only the year means (docs/reference/names.md).

Sources name an amending act by its day or only by its year. This module alone decides whether such names mean one act.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Protocol

from graph.civil import When

_ACT = re.compile(r"(urn:lex:[^:]*:[^:]*:[^:]*:[0-9]{4})(-[0-9]{2}-[0-9]{2})?(;[^;,@!~$&]+)(!.*)?", re.ASCII)


def name_of_year(act: str) -> str | None:
    """Return the name of an act with only its year, by any of its names or that of a provision of it; all are IRIs.

    >>> name_of_year("urn:lex:br:federal:lei:2019-07-08;13853!art2")
    'urn:lex:br:federal:lei:2019;13853'

    Returns:
        None for a name of another form, such as that of an act with several numbers, or of a version.
    """
    match = _ACT.fullmatch(act)
    return None if match is None else f"{match[1]}{match[3]}"


@lru_cache(maxsize=4096)
def is_of_year(act: str) -> bool:
    """Return whether the name of an act, or of its provision, has only its year."""
    match = _ACT.fullmatch(act)
    return match is not None and match[2] is None


def has_day(act: str) -> bool:
    """Return whether the name of an act has its day."""
    match = _ACT.fullmatch(act)
    return match is not None and match[2] is not None


def candidates(year: str, described: Iterable[str], mentioned: Iterable[str]) -> tuple[str, ...]:
    """Return the acts that a name with only the year may mean, sorted.

    They are those that a source describes. If it describes none of that name, they are those that a source names by
    their day as the cause of an event, or in a relation.

    Args:
        year: the name with only the year, as an IRI.
        described: works with the number of the name that records describe.
        mentioned: names with that year and number that records give to causes, or use in relations.
    """
    acts = sorted({act for act in described if "!" not in act and has_day(act) and name_of_year(act) == year})
    return tuple(acts or sorted({name.partition("!")[0] for name in mentioned if has_day(name)}))


class Candidates(Protocol):
    """The acts that names with only the year may mean."""

    def candidates(self, year: str) -> Sequence[str]:
        """Return the acts that a name with only the year may mean."""
        ...


def act_meant(name: str, acts: Candidates) -> str | None:
    """Return the act that a name with only the year means, with the provision of the name; None if not one fits.

    A name means an act if exactly one act has its place, authority, type, year and number.
    """
    match = _ACT.fullmatch(name)
    if match is None or match[2] is not None:
        return None
    fitting = acts.candidates(f"{match[1]}{match[3]}")
    return f"{fitting[0]}{match[4] or ''}" if len(fitting) == 1 else None


def dates(signed: date | None, bounds: When | None) -> bool:
    """Return whether the days of an act replace bounds that a source has in place of a day (rule E1).

    Args:
        signed: the day in the name of the act; None if it has none.
        bounds: the bounds of a change by this act.
    """
    if signed is None or bounds is None or bounds.exact is not None or bounds.last is None:
        return False
    return bounds.first <= signed <= bounds.last
