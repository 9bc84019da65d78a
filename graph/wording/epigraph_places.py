"""What stands behind the date of an epigraph and says whose norm it is: "- SP", "(São Paulo)", "Estado da Bahia"."""

from __future__ import annotations

import re

from graph.wording.citations.dates import DATE, when_of
from graph.wording.citations.lexicon import CONSTITUTIONS
from graph.wording.citations.others import is_another_ones
from graph.wording.folding import folded, words
from ontology.places import UNITS

#: Words in front of the name of a state that are no part of it.
_STATE = frozenset({"estado", "governo", "governador", "assembleia", "legislativa"})
_TOWN = re.compile(
    r"\W*(?:munic[íi]pio|prefeit(?:o|a|ura)|cidade|c[âa]mara\s+(?:municipal|de\s+vereadores))\b", re.IGNORECASE
)
_UNIT_LAST = re.compile(rf"\W*\w[^.;:]{{0,60}}\W(?:{'|'.join(UNITS).upper()})\W*")
_OURS = re.compile(
    r"constituicao(?: federal| politica)?(?: da republica)?(?:(?: federativa)? d[oa] brasil)?"
    r"(?: d[oa]s (estados unidos do brasil)| do (imperio)(?: do brasil)?)?"
)
_DATED = re.compile(rf"(?i:{DATE})")
_YEAR = re.compile(r"[ ,]*[(/–-]? ?(?:de )?(1[89]\d\d)(?!\d)\)?")
_END = re.compile(r"[ .,;]*(?:$| ?[-–—(:;])")


def unit_of(text: str) -> str | None:
    """The unit of the federation that a remark behind a date is, as names write it; None for any other remark.

    >>> unit_of(" - SP"), unit_of(" (Estado de São Paulo)"), unit_of(" - Dispõe sobre o Estado de São Paulo")
    ('sao.paulo', 'sao.paulo', None)
    """
    said = list(words(text))
    while said and said[0] in _STATE:
        del said[0]
    if len(said) > 1 and UNITS.get(said[-1]) == ".".join(said[:-1]):
        return UNITS[said[-1]]
    whole = ".".join(said)
    return UNITS.get(whole) or (whole if whole in UNITS.values() else None)


def is_of_town(text: str) -> bool:
    """Whether a remark behind a date says a town, with its state or as one.

    >>> is_of_town(" - Campinas/SP"), is_of_town(" - Município de Campinas"), is_of_town(" - Publicação Original")
    (True, True, False)
    """
    return _TOWN.match(text) is not None or _UNIT_LAST.fullmatch(text) is not None


def constitution_of(text: str) -> tuple[int | None, bool] | None:
    """The year of the Constitution of Brazil that an epigraph heads, None as long as it says none, and whether a remark
    follows; nothing at all where it heads another one, or says a day or year that none is of.

    >>> constitution_of("Constituição Federal de 1988"), constitution_of("CONSTITUIÇÃO DO PARAGUAI")
    ((1988, False), None)
    """
    plain = folded(text)
    head = _OURS.match(plain)
    if head is None:
        return None
    end = head.end()
    year: int | None = None
    if (dated := _DATED.match(plain, end)) is not None:
        when = when_of(dated, 1)
        if when is None or (when.day is not None and CONSTITUTIONS.get(when.year) != when.day.isoformat()):
            return None
        year, end = when.year, dated.end()
    elif (said := _YEAR.match(plain, end)) is not None:
        year, end = int(said[1]), said.end()
    if head[2]:  # there was one
        year = 1824 if year in {None, 1824} else 0
    rest = plain[end:]
    if _END.match(rest) is None or unit_of(rest) or is_of_town(rest.upper()) or is_another_ones(plain, end):
        return None
    if (year is None and head[1]) or (year is not None and year not in CONSTITUTIONS):
        return None
    return year, bool(rest.strip(" .,;"))
