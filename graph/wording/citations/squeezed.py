"""Long runs of white space taken out of a text, and the way back to its offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from graph.wording.citations.values import Citation

_LONG_SPACE = re.compile(r"\s{4,}")


class Squeezed:
    """A text whose long runs of white space are one space each, with the way back to the text as given.

    Rules allow white space in many places; runs without a limit would be looked at again and again.
    """

    def __init__(self, text: str) -> None:
        self._given = text
        self._starts = [0]
        self._offsets = [0]
        pieces: list[str] = []
        taken = length = 0
        for run in _LONG_SPACE.finditer(text):
            pieces += (text[taken : run.start()], " ")
            length += run.start() - taken + 1
            taken = run.end()
            self._starts.append(length)
            self._offsets.append(taken - length)
        self.text = "".join((*pieces, text[taken:])) if pieces else text

    def back(self, citation: Citation) -> Citation:
        """The citation with its offsets in the text as given."""
        start, end = self._place(citation.start), self._place(citation.end - 1) + 1
        return replace(citation, text=self._given[start:end], start=start, end=end)

    def _place(self, at: int) -> int:
        return at + self._offsets[bisect_right(self._starts, at) - 1]
