"""Lines of an index of a text: a list of its groupings and articles, often with their pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.wording.folding import folded
from loaders.articulated.labels import annex_label, grouping_label, read_label
from loaders.articulated.lines import Line
from loaders.articulated.outside import EPIGRAPH, PREAMBLE
from loaders.articulated.quotations import OPENING

#: Headings, folded, of an index.
_HEADINGS = frozenset({"indice", "sumario", "indice sistematico", "indice geral", "sumario geral", "indice da lei"})
#: The end of a line of an index: dots, or a gap, and the number of a page.
_LED = re.compile(r"(?:[.…_·-]\s?){3,}\s*[0-9]{1,4}\.?$")
_PAGED = re.compile(r"\s(?:p[áa]gs?\.?|p\.|fls?\.)?\s?[0-9]{1,4}$", re.IGNORECASE)
_FEWEST = 2


def lines_with_pages(lines: Sequence[Line]) -> range:
    """Return the lines of an index with the numbers of pages above the first article; empty if there is none.

    Without a heading, every line of it has dots before the number.
    """
    heading, entries, start = None, 0, 0
    for index, line in enumerate(lines):
        text = line.text
        if not text:
            continue
        if heading is None and not entries and folded(text).strip(" .:") in _HEADINGS:
            heading = start = index
            continue
        part = grouping_label(text) or annex_label(text) or read_label(text)
        if _LED.search(text) is not None and text[0] not in OPENING:
            start = index if heading is None and not entries else start
            entries += 1
        elif heading is not None and part is not None and _PAGED.search(text) is not None:
            entries += 1
        elif entries or heading is not None:
            is_title = EPIGRAPH.match(text) is not None or PREAMBLE.match(text) is not None
            if is_title or heading is None or part is not None or not _is_before_entry(lines, index):
                return range(start, index) if entries >= _FEWEST else range(0)
        elif part is not None and part.prefix == "art":
            return range(0)
    return range(0)  # an index and nothing else


def _is_before_entry(lines: Sequence[Line], index: int) -> bool:
    """Return whether the next line with words ends with dots and a number: the line before begins the entry."""
    following = next((lines[later].text for later in range(index + 1, len(lines)) if lines[later].text), "")
    return _LED.search(following) is not None


def lines_with_groupings(lines: Sequence[Line], first: int) -> range:
    """Return the lines of an index without pages: groupings that are named again before the first article.

    Args:
        first: the index of the line with the first article.
    """
    titles = (i for i in range(first) if folded(lines[i].text).strip(" .:") in _HEADINGS)
    title = next(titles, None)
    groupings = [
        (index, label.step)
        for index in range(title or 0, first)
        if not (line := lines[index]).struck and (label := grouping_label(line.text)) is not None
    ]
    if len(groupings) < _FEWEST:
        return range(0)
    start = groupings[0][0]
    steps = [step for _, step in groupings]
    again = next(
        (place for place in range(2, len(steps)) if steps[place] == steps[0] and steps[place - 1] != steps[0]), None
    )
    if again is None:
        return range(0)
    above = {folded(lines[i].text) for i in range(start) if lines[i].text}
    for index in range(start, groupings[again][0]):
        text = lines[index].text
        if text and (EPIGRAPH.match(text) or PREAMBLE.match(text) or folded(text) in above):
            return range(start if title is None else title, index)
    return range(start if title is None else title, groupings[again][0])
