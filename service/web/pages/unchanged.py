"""What stays the same around the changes of a difference: neighbours in view, and the rest in runs that open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from service.web.text_layout import Block, Reading, bytes_of

#: How many bytes the unchanged provisions of one run may take, and those of a page together.
_RUN, _PAGE = 8_000, 24_000
#: What a provision costs beside its words, in bytes, and the longest one that a run has.
_COST, _LONGEST = 60, 4_000


@dataclass(frozen=True, slots=True)
class Run:
    """Provisions that read alike on both days, between two changes, in the order of the text.

    Attributes:
        first: the one behind the change before; None where there is none.
        folded: those between, as many as the page has room for.
        more: how many more there are.
        last: the one in front of the change after; None where there is none, or ``first`` is the only one.
    """

    first: Block | None
    folded: tuple[Block, ...]
    more: int
    last: Block | None

    @property
    def count(self) -> int:
        """How many provisions are folded, with those for which there is no room."""
        return len(self.folded) + self.more


class Unchanged:
    """The unchanged provisions of a difference.

    Args:
        before, after: the texts of the two days, laid out.
        changes: the names of the provisions of each change, in the order of the difference.
        uncertain: provisions of which nobody can say that they are alike.
    """

    def __init__(
        self, before: Reading, after: Reading, changes: Sequence[Collection[str]], uncertain: Collection[str]
    ) -> None:
        self._blocks = _blocks(after)
        self._place = _places(self._blocks)
        earlier = _blocks(before)
        self._earlier, self._earlier_place = earlier, _places(earlier)
        self._changes = [self._place_of(names) for names in changes]
        changed = {at for names in changes for name in names if (at := self._place.get(name)) is not None}
        left = {at for name in uncertain if (at := self._place.get(name)) is not None}
        self._alike = [
            at for at, block in enumerate(self._blocks) if at not in changed and at not in left and _has_words(block)
        ]
        self._room = _PAGE

    def before(self, change: int) -> Run | None:
        """The run in front of a change, by its number from 0; behind the last one, where the number is theirs.

        A page asks for its runs in their order: each takes of the room of the page.
        """
        start = max(self._changes[:change], default=-1.0)
        end = self._changes[change] if change < len(self._changes) else float(len(self._blocks))
        alike = self._alike[bisect_right(self._alike, start) : bisect_left(self._alike, end)]
        found = [self._blocks[at] for at in alike]
        if not found:
            return None
        first = found.pop(0) if change > 0 else None
        last = found.pop() if found and change < len(self._changes) else None
        for block in (first, last):
            self._room -= _weight(block) if block is not None else 0
        folded = tuple(self._fitting(found))
        return Run(first, folded, len(found) - len(folded), last)

    def _fitting(self, blocks: Sequence[Block]) -> Iterator[Block]:
        room = min(_RUN, self._room)
        for block in blocks:
            weight = _weight(block)
            room -= weight
            if room < 0 or weight > _LONGEST:
                return
            self._room -= weight
            yield block

    def _place_of(self, names: Collection[str]) -> float:
        """Where a change stands in the text of the second day: of what is gone, behind what stood before it."""
        for name in names:
            if (at := self._place.get(name)) is not None:
                return float(at)
        at = next((at for name in names if (at := self._earlier_place.get(name)) is not None), 0)
        for block in reversed(self._earlier[:at]):
            if (there := self._place.get(block.name)) is not None:
                return there + 0.5
        return -0.5


def _blocks(text: Reading) -> list[Block]:
    """The provisions of a text, each once."""
    return [block for block in chain.from_iterable(text.parts) if not block.continued]


def _places(blocks: Sequence[Block]) -> Mapping[str, int]:
    """Where provisions stand, by their names; an article and its caput are one."""
    found: dict[str, int] = {}
    for at, block in enumerate(blocks):
        head = block.name.rpartition("!")[0]
        found.setdefault(block.name, at)
        for fragment in block.fragments:
            found.setdefault(f"{head}!{fragment}", at)
    return found


def _has_words(block: Block) -> bool:
    """Whether a block is a provision with words that are decided."""
    return block.role != "front" and not block.undecided and bool(block.lines or block.label or block.title)


def _weight(block: Block) -> int:
    return _COST + sum(map(bytes_of, (*block.lines, block.label or "", block.title or "")))
