"""What lies ahead of each line of a text: its label, the next article, the next annex."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from loaders.articulated.labels import Label, annex_label, read_label
from loaders.articulated.lines import Line
from loaders.articulated.outside import ANOTHER_ACT, LISTED, PREAMBLE, PUBLISHED
from loaders.articulated.quotations import OPENING, SINGLE
from loaders.articulated.scopes import ENDS

#: How many lines are read ahead for the label after the next one.
FAR = 60
#: How many lines lie between a title and its preamble.
NEAR = 12


class Ahead:
    """The labels of the lines of a text, and for each line the next one that begins a part.

    Attributes:
        lines: the lines without notes.
        index: the lines of an index.
        next_article: the next line that begins an article.
        next_annex: the next line that begins an annex, or ends the text.
    """

    def __init__(self, lines: Sequence[Line], index: Collection[int]) -> None:
        """Find the parts of a text."""
        self.lines, self.index = lines, index
        self._labels: dict[int, Label | None] = {}
        self.next_article, self.next_annex = self._parts()

    def label(self, index: int) -> Label | None:
        """Return the label at the start of a line; None if there is none."""
        if index not in self._labels:
            text = self.lines[index].text
            self._labels[index] = read_label(text.lstrip(OPENING + SINGLE).lstrip()) if text else None
        return self._labels[index]

    def _parts(self) -> tuple[list[int], list[int]]:
        """Return for each line the next one that begins an article, and the next one that begins an annex or ends the
        text.
        """
        size = len(self.lines)
        articles, annexes = [size] * (size + 1), [size] * (size + 1)
        for index in range(size - 1, -1, -1):
            text = self.lines[index].text
            label = self.label(index)
            begins = label is not None and label.prefix == "art" and text[:1] not in OPENING
            begins = begins and index not in self.index and not self._is_of_index(index)
            articles[index] = index if begins else articles[index + 1]
            ends = (
                bool(text)
                and index not in self.index
                and (PUBLISHED.match(text) or annex_label(text) or ANOTHER_ACT.match(text))
            )
            annexes[index] = index if ends else annexes[index + 1]
        return articles, annexes

    def _is_of_index(self, index: int) -> bool:
        """Return whether a line with articles only lists them: "Arts. 1º a 6º"."""
        label = self.label(index)
        if label is None:
            return False
        rest = self.lines[index].text[label.end :]
        return LISTED.fullmatch(rest) is not None and (label.last is not None or bool(rest))

    def next_article_count(self, index: int) -> int | None:
        """Return the number of the next article before an annex; None if there is none."""
        following = self.next_article[index]
        label = self.label(following) if following < self.next_annex[index] else None
        return label.count if label is not None else None

    def begins_text(self, index: int) -> bool:
        """Return whether the articles of a further text begin after a line, with article 1."""
        following = self.next_article[index]
        label = self.label(following) if following < len(self.lines) else None
        return label is not None and label.number in {"1", "1u"}

    def has_preamble(self, index: int) -> bool:
        """Return whether a preamble is near after a line, before an article."""
        end = min(index + NEAR, self.next_article[index])
        return any(PREAMBLE.match(self.lines[later].text) for later in range(index + 1, end))

    def next_sibling(self, index: int, prefix: str) -> Label | None:
        """Return the label of the next provision of a kind in the same container; None if there is none nearby."""
        for later in range(index + 1, min(index + FAR, len(self.lines))):
            label = self.label(later)
            if label is not None and label.prefix == prefix:
                return label
            if label is not None and prefix in ENDS[label.prefix]:
                return None
        return None
