"""The unchanged text around the changes of a difference: the neighbours of a change, and folded runs between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from service.web.text_layout import Block, Reading, bytes_of

#: The maximum number of bytes of the unchanged provisions of one run, and of all on a page.
_RUN, _PAGE = 8_000, 24_000
#: The bytes of a provision besides its words, and the maximum number of bytes of one provision in a run.
_COST, _LONGEST = 60, 4_000


@dataclass(frozen=True, slots=True)
class UnchangedRun:
    """Provisions between two changes that read alike on both days, in the order of the text.

    Attributes:
        first: the provision after the change before; None where there is none.
        folded: the provisions between ``first`` and ``last``, up to the size limit of the page.
        more: the number of provisions left out.
        last: the provision before the next change; None where there is none, or where ``first`` is the only one.
    """

    first: Block | None
    folded: tuple[Block, ...]
    more: int
    last: Block | None

    @property
    def count(self) -> int:
        """Return the number of provisions between ``first`` and ``last``, with those left out."""
        return len(self.folded) + self.more


class UnchangedProvisions:
    """The unchanged provisions of a difference.

    Args:
        before, after: the layouts of the texts of the two days.
        changes: the names of the provisions of each change, in the order of the difference.
        uncertain: provisions that cannot be compared.
    """

    def __init__(
        self, before: Reading, after: Reading, changes: Sequence[Collection[str]], uncertain: Collection[str]
    ) -> None:
        self._blocks = _blocks(after)
        self._place = _places(self._blocks)
        earlier = _blocks(before)
        self._earlier, self._earlier_place = earlier, _places(earlier)
        self._changes = [self._place_of(names) for names in changes]
        changed = {index for names in changes for name in names if (index := self._place.get(name)) is not None}
        left = {index for name in uncertain if (index := self._place.get(name)) is not None}
        self._alike = [
            position
            for position, block in enumerate(self._blocks)
            if position not in changed and position not in left and _has_words(block)
        ]
        self._bytes_left = _PAGE

    def before(self, change: int) -> UnchangedRun | None:
        """Return the run before a change, by its number from 0; None if it is empty.

        The number of all changes selects the run after the last change.

        Call it in the order of the runs: each run reduces the bytes left for the page.
        """
        start = max(self._changes[:change], default=-1.0)
        end = self._changes[change] if change < len(self._changes) else float(len(self._blocks))
        alike = self._alike[bisect_right(self._alike, start) : bisect_left(self._alike, end)]
        blocks = [self._blocks[index] for index in alike]
        if not blocks:
            return None
        first = blocks.pop(0) if change > 0 else None
        last = blocks.pop() if blocks and change < len(self._changes) else None
        for block in (first, last):
            self._bytes_left -= _weight(block) if block is not None else 0
        folded = tuple(self._fitting_blocks(blocks))
        return UnchangedRun(first, folded, len(blocks) - len(folded), last)

    def _fitting_blocks(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """Yield the first blocks of a run, up to the size limits of a run and of the page."""
        left = min(_RUN, self._bytes_left)
        for block in blocks:
            weight = _weight(block)
            left -= weight
            if left < 0 or weight > _LONGEST:
                return
            self._bytes_left -= weight
            yield block

    def _place_of(self, names: Collection[str]) -> float:
        """Return the place of a change in the second day's text. A deleted provision follows its former predecessor."""
        for name in names:
            if (index := self._place.get(name)) is not None:
                return float(index)
        index = next((index for name in names if (index := self._earlier_place.get(name)) is not None), 0)
        for block in reversed(self._earlier[:index]):
            if (place := self._place.get(block.name)) is not None:
                return place + 0.5
        return -0.5


def _blocks(text: Reading) -> list[Block]:
    """Return the provisions of a text, each once."""
    return [block for block in chain.from_iterable(text.parts) if not block.continued]


def _places(blocks: Sequence[Block]) -> Mapping[str, int]:
    """Return the places of provisions by name. An article and its caput have the same place."""
    places: dict[str, int] = {}
    for index, block in enumerate(blocks):
        head = block.name.rpartition("!")[0]
        places.setdefault(block.name, index)
        for fragment in block.fragments:
            places.setdefault(f"{head}!{fragment}", index)
    return places


def _has_words(block: Block) -> bool:
    """Return whether a block is a provision with decided words."""
    return (
        block.role != "front"
        and not (block.undecided or block.coming)
        and bool(block.lines or block.label or block.title)
    )


def _weight(block: Block) -> int:
    return _COST + sum(map(bytes_of, (*block.lines, block.label or "", block.title or "")))
