"""LexML 0.7: the elements that the older dialect writes otherwise than 1.0 (part 2 of version 0.7)."""

from __future__ import annotations

import re

from graph.urn.dates import dia
from graph.urn.deviations import Reason
from graph.urn.scan import Refused, element, shown
from graph.urn.values import Propriedade, Versao

_REGIONAL = re.compile(r"regiao\.justica\.(federal|trabalho);([0-9]+)")
#: Dates as they look: one, several or an interval. Whether each is a day of the calendar is asked later.
_VIEW = re.compile(r"{day}(?:,{day})*|\[{day},{day}\]".format(day="[0-9]{4}-[0-9]{2}-[0-9]{2}"))
_PROPERTY = re.compile(r"(vig|efi)=(.*)")


def local_in_10(piece: str) -> str | None:
    """The 1.0 spelling of ``regiao.justica.federal;N`` and ``regiao.justica.trabalho;N`` (0.7, section 6.2).

    None for any other place.

    >>> local_in_10("regiao.justica.trabalho;13")
    'justica.trabalho;regiao.13'
    """
    regional = _REGIONAL.fullmatch(piece)
    return f"justica.{regional[1]};regiao.{regional[2]}" if regional else None


def is_view(piece: str) -> bool:
    """Whether what stands behind ``!`` are the dates of a view, not provisions (0.7, section 12.3).

    Annex A of 1.0 could read dates as provisions too; nobody calls a provision so. All else is a provision.

    >>> is_view("[2003-05-01,2005-04-02]"), is_view("2003-05-01,art5"), is_view("1")
    (True, False, False)
    """
    return _VIEW.fullmatch(piece) is not None


def propriedade(piece: str) -> Propriedade:
    """``"vig=" date | "efi=" date``: force or efficacy asked for on that day (0.7, section 14.5)."""
    found = _PROPERTY.fullmatch(piece)
    if found is None:
        problem = f"expected vig=YYYY-MM-DD or efi=YYYY-MM-DD, got {shown(piece)}"
        raise Refused(Reason.BAD_PROPERTY, problem, 0, len(piece), "LexML 0.7 part 2, section 14.5")
    return Propriedade(found[1], element(dia, found[2], 4))


def needs_07(versao: Versao | None, *, old: bool, anchored: bool) -> bool:
    """Whether only the older dialect can write this version.

    That is a view whose event nobody said: 1.0 has no place for it. ``versao.original`` is a question in 0.7 (section
    14.6) and an identity in 1.0, so a name of 0.7 keeps its spelling where a provision (``anchored``) shows it.
    """
    if versao is None or versao.evento is not None:
        return False
    return bool(versao.visao) or (old and anchored and versao.palavra == "versao.original")
