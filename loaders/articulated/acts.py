"""Several acts in one file, as a gazette has them: where each begins, and what belongs to none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise

from graph.wording.folding import folded
from loaders.articulated.lines import Line
from loaders.articulated.notes import day_of
from loaders.articulated.occurrences import Occurrence, StructuredText
from loaders.articulated.outside import ANOTHER_ACT, NUMBERS, WHOLE_TITLE
from loaders.articulated.quotations import split
from loaders.articulated.tree import structure_pieces

#: The head of a gazette, with the day of its issue.
_GAZETTE = re.compile(r"\W*(?:di[áa]rio|jornal|boletim|imprensa|[óo]rg[ãa]o|semanário) oficial\b", re.IGNORECASE)
_LONGEST_TITLE = 200
#: The number of lines after the head of a gazette that may state its day.
_NEAR = 4
#: The heading of an issuer above its act.
_HEAD = re.compile(
    r"(?:PREFEITURA|C[ÂA]MARA|MUNIC[ÍI]PIO|ESTADO|PODER|GABINETE|SECRETARIA)\s+(?:D[AEO]S?\s|[MELP][A-ZÇ]+)"
)


def structured_acts(lines: Iterable[Line]) -> Iterator[StructuredText]:
    """Yield the provisions of each act of a text, in time linear in its length but for a logarithm.

    Lines between two acts that belong to neither are listed with the first one as not placed.
    """
    pieces, index = _without_index([piece for line in lines for piece in split(line)])
    begins = [number for number, piece in enumerate(pieces) if is_title(piece)]
    start, place = 0, 0
    while True:
        place = next((each for each in range(place, len(begins)) if begins[each] > start), len(begins))
        text, end = _first_act(pieces, start, begins[place:])
        text.beside += index if start == 0 else []
        following = next((number for number in begins[place:] if end is not None and number >= end), len(pieces))
        if end is not None:
            while text.provisions and _is_head(text.provisions[-1]):
                head = text.provisions.pop()
                text.not_placed.append((head.line, head.text or ""))
            text.not_placed += [(piece.number, piece.text) for piece in pieces[end:following]]
        yield text
        if end is None or following == len(pieces):
            return
        start = following


def _is_head(last: Occurrence) -> bool:
    """Return whether the last line of an act, after its signatures, is the heading of the issuer of the next one."""
    return last.prefix == "assinatura" and _HEAD.match(last.text or "") is not None


def _first_act(pieces: Sequence[Line], start: int, titles: Sequence[int]) -> tuple[StructuredText, int | None]:
    """Return the first act from a line on, and the line after it; None if it is the last one.

    So many lines are read that the end of the act is among them: up to the second title after it, then the fourth.
    """
    ahead = 2
    while True:
        end = titles[ahead - 1] if ahead <= len(titles) else len(pieces)
        text, ended = structure_pieces(pieces[start:end], stops=True)
        if ended is not None or end == len(pieces):
            return text, None if ended is None else start + ended
        ahead *= 2


def _without_index(pieces: list[Line]) -> tuple[list[Line], list[tuple[int, str]]]:
    """Return lines without an index at their beginning, whose titles come again, and the lines of the index."""
    titles = [number for number, piece in enumerate(pieces) if is_title(piece)]
    keys = [
        (folded(pieces[number].text).split()[0], tuple(NUMBERS.findall(pieces[number].text)[:1])) for number in titles
    ]
    again = {key: place for place, key in enumerate(keys)}
    listed: set[int] = set()
    for (place, number), (_, following) in pairwise(enumerate(titles)):
        if place >= again[keys[place]] or following - number > 2:
            break
        listed.update(range(number, following))
    kept = [piece for number, piece in enumerate(pieces) if number not in listed]
    return kept, [(pieces[number].number, pieces[number].text) for number in sorted(listed)]


def day_of_gazette(lines: Sequence[str]) -> date | None:
    """Return the day of issue in the head of a gazette; None if it states none, or several."""
    days = {
        day
        for number, line in enumerate(lines)
        if _GAZETTE.match(line)
        for near in lines[number : number + _NEAR]
        if (day := day_of(near)) is not None
    }
    return days.pop() if len(days) == 1 else None


def is_title(line: Line) -> bool:
    """Return whether a line begins like the title of an act."""
    if line.struck or len(line.text) > _LONGEST_TITLE:
        return False
    return ANOTHER_ACT.match(line.text) is not None or WHOLE_TITLE.fullmatch(line.text) is not None


#: A title by which a file is known as the text of an act: one in capitals, or a line with nothing else.
_OF_TEXT = re.compile(
    r"(?:LEI|DECRETO|RESOLU[ÇC][ÃA]O|EMENDA|PORTARIA|ATO|MEDIDA)\b[^a-z]{0,80}\s[0-9][0-9.]*"
    r"(?:-?[A-Z])?[ ,/]+(?:DE\b|[0-9])"
    r"|(?:LEI ORG[ÂA]NICA|REGIMENTO INTERNO|C[ÓO]DIGO TRIBUT[ÁA]RIO) (?:MUNICIPAL|D[AEO]S? )[^a-z]*$"
    r"|CONSTITUI[ÇC][ÃA]O D[EO] [^a-z]*$"
)


def is_title_of_text(line: str) -> bool:
    """Return whether a line is a title by which a file is known as the text of an act.

    >>> lines = ("LEI 99901-R DE 9 DE MAIO DE 2002.", "Lei nº 99.901, de 5 de março de 2001", "LEI ORGÂNICA MUNICIPAL")
    >>> [is_title_of_text(line) for line in (*lines, f"{lines[1]}, que altera", "CÓDIGO")]
    [True, True, True, False, False]
    """
    return _OF_TEXT.match(line) is not None or WHOLE_TITLE.fullmatch(line) is not None
