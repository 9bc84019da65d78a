"""The layout of a text: provisions as blocks, split into parts of the size of a page, with a table of contents.

It also limits long texts and lists to the size of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import chain, groupby
from typing import Generic, TypeVar

from markupsafe import escape

from graph.time.kinds import Situation
from graph.urn import parse
from graph.wording.marks import unstated_situation
from graph.wording.provisions import Style, natural_order_key, provision_name
from graph.wording.tables import Row, paragraphs_and_tables
from ontology.events import FIRST_TEXT_EVENTS
from queries.text.answers import ProvisionText

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Some(Generic[_T]):
    """The first items of a collection.

    Attributes:
        shown: the first items, in order.
        more: the number of the other items.
    """

    shown: tuple[_T, ...]
    more: int


def take_fitting(items: Collection[_T], most: int, room: int, weigh: Callable[[_T], int]) -> Some[_T]:
    """Return as many items as fit on a page, and at least the first.

    Args:
        items: the items, in order.
        most: the maximum number of items.
        room: the bytes available for all of them.
        weigh: returns the approximate size of an item, in bytes.
    """
    shown: list[_T] = []
    for item in items:
        room -= weigh(item)
        if len(shown) == most or (shown and room < 0):
            break
        shown.append(item)
    return Some(tuple(shown), len(items) - len(shown))


def bytes_of(text: str) -> int:
    """Return the size of a text in HTML, in bytes."""
    return len(str(escape(text)).encode("utf-8", "replace"))


def cut(text: str, longest: int) -> str:
    """Return a text truncated to a number of characters, with an ellipsis.

    Args:
        text: a text of any length.
        longest: the maximum number of characters.
    """
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"


#: The maximum number of bytes of text and markup of a part: a page has the whole text of nearly every norm.
_PART = 2_000_000
#: The maximum number of bytes of one provision in a part; a longer one continues in the next part.
_LONGEST = 1_500_000
#: The size of a block without its text, in bytes.
_BLOCK = 230
#: The size of the note of a changed wording, in bytes.
_CHANGED = 420
#: The maximum number of entries of a table of contents.
_ENTRIES = 160
#: Longest entry of a table of contents, in characters.
_HEADING = 200
_CAPUT = "_cpt"
#: The letters of an identifier that are the kind of its first step, such as ``art``.
_LETTERS = 3
_KIND = re.compile(r"[a-z]+")
_ARTICLE = re.compile(r"\s*art(?:igo)?\b\.?\s*", re.IGNORECASE)
#: The indentation of the types of provisions, in steps.
_STEPS = {"inc": 1, "ali": 2, "ite": 3}
_FRONT = {"epigrafe", "ementa", "preambulo"}
_QUOTED = re.compile(r"(?P<holder>(?:\w|-)*?_?alt[0-9]+)_(?:(?P<article>art[0-9][0-9a-z-]*)(?=_|\Z))?", re.ASCII)
_OPENING_MARKS = ("“", '"', "«")
_CLOSED = re.compile(r"[”\"»][.;,]?\s*(?:\((?:NR|AC)\)[.;,]?)?\s*\Z")
#: The row of dots of an official text for words that an amendment keeps.
DOTS = "." * 60


@dataclass(frozen=True, slots=True)
class Block:
    """A printed provision; an article and its caput are one block.

    Attributes:
        name: the name of the provision, to which its label links.
        fragments: the anchors of the block.
        role: the style: ``grouping``, ``front``, ``step0`` to ``step3``.
        title: its heading.
        label: the label in the source; None where it has none.
        lines: the lines of its text.
        situation: the situation that the source states, such as ``vetado``.
        changed: the version that introduced its wording, where that is not the first text; else None.
        since: the first day of that version.
        undecided: whether the sources do not determine its text or its applicability.
        continued: whether its text begins in the previous part.
        goes_on: whether its text continues in the next part.
        coming: whether it is the place of a provision that is published and not yet in force; it has only its label.
        starts: the first day of force of such a provision; None where it is unknown.
        quoted: whether it is in the quotation of an amendment, as a provision of another norm.
        opens, closes: whether such a quotation begins or ends with it, and its words have no quotation mark.
    """

    name: str
    fragments: tuple[str, ...]
    role: str
    title: str | None
    label: str | None
    lines: tuple[str, ...]
    situation: str | None
    changed: str | None
    since: date | None
    undecided: bool = False
    continued: bool = False
    goes_on: bool = False
    coming: bool = False
    starts: date | None = None
    quoted: bool = False
    opens: bool = False
    closes: bool = False

    @property
    def pieces(self) -> tuple[str | tuple[Row, ...], ...]:
        """The paragraphs and tables of its text; a paragraph has the label or a quotation mark beside a table."""
        pieces = list(paragraphs_and_tables(self.lines))
        if pieces and not isinstance(pieces[0], str) and (self.label or self.opens):
            pieces.insert(0, "")
        if pieces and not isinstance(pieces[-1], str) and self.closes:
            pieces.append("")
        return tuple(pieces)

    @property
    def dotted(self) -> bool:
        """Whether the law itself has a row of dots in place of its text, which an amendment keeps (LC 95/1998)."""
        return self.situation == Situation.OMISSIS and (self.quoted or "omi" in self.fragments[0])

    @property
    def situation_noted(self) -> str | None:
        """The situation, where the words of the source do not state it already, as ``(VETADO)`` does."""
        return unstated_situation(self.situation, self.lines)

    @property
    def article(self) -> str | None:
        """The printed number of an article; None for other provisions, and without a label."""
        if self.label is None or not _is_article(self):
            return None
        return _ARTICLE.sub("", self.label).rstrip(" .-–") or None

    @property
    def weight(self) -> int:
        """The approximate size of the block on a page, in bytes."""
        return (
            _BLOCK
            + (_CHANGED if self.changed is not None else 0)
            + len(self.name)
            + sum(map(bytes_of, filter(None, (*self.lines, self.label, self.title))))
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents, with the anchor and the part of its target."""

    fragment: str
    text: str
    level: int
    part: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The layout of a text.

    Attributes:
        parts: the blocks of each part, in order; empty where there is no text.
        entries: the table of contents.
    """

    parts: tuple[tuple[Block, ...], ...]
    entries: tuple[Entry, ...]


def lay_out(provisions: Sequence[ProvisionText], coming: Sequence[Block] = ()) -> Reading:
    """Return the layout of a text in blocks and parts.

    Args:
        provisions: in the order of the document.
        coming: the blocks of provisions that are not yet in force.
    """
    blocks = (piece for block in blocks_of(provisions, coming) for piece in _split_block(block))
    parts = tuple(_parts(blocks))
    return Reading(parts, tuple(_entries(parts)))


def blocks_of(provisions: Sequence[ProvisionText], coming: Sequence[Block] = ()) -> tuple[Block, ...]:
    """Return all blocks of a text, for a page with the whole text.

    Args:
        provisions: in the order of the document.
        coming: the blocks of provisions that are not yet in force; each follows the provision before it by number.
    """
    blocks = list(_blocks(provisions))
    for future_block in sorted(coming, key=lambda block: natural_order_key(block.name)) if blocks else ():
        number, kind = natural_order_key(future_block.name), _fragment(future_block.name)[:_LETTERS]
        before = (
            index
            for index, block in enumerate(blocks)
            if _fragment(block.name).startswith(kind) and natural_order_key(block.name) < number
        )
        blocks.insert(max(before, default=len(blocks) - 1) + 1, future_block)
    return tuple(_with_quotations(blocks))


def _with_quotations(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks; those of a quoted amendment are marked, with the ends of each quotation.

    Each amended article is one quotation (LC 95/1998, art. 12, III); a quotation with groupings is a whole.
    """
    for holder, quoted in groupby(blocks, key=_holder_of_quotation):
        if holder is None:
            yield from quoted
            continue
        run = list(quoted)
        whole = any(block.role == "grouping" for block in run)
        for _, group in groupby(run, key=lambda block: "" if whole else _quoted_article(block)):
            pieces = [replace(block, quoted=True) for block in group]
            pieces[0] = replace(pieces[0], opens=not _words(pieces[0]).startswith(_OPENING_MARKS))
            pieces[-1] = replace(pieces[-1], closes=_CLOSED.search(_words(pieces[-1])) is None)
            yield from pieces


def _holder_of_quotation(block: Block) -> str | None:
    """Return the alteration that quotes a block; None outside quotations."""
    match = _QUOTED.match(block.fragments[0])
    return match["holder"] if match is not None else None


def _quoted_article(block: Block) -> str:
    """Return the article of the other norm that has a quoted block; empty if the quotation does not have it."""
    match = _QUOTED.match(block.fragments[0])
    return (match["article"] or "") if match is not None else ""


def _words(block: Block) -> str:
    return " ".join(filter(None, (block.label, *block.lines)))


def coming_block(provision: ProvisionText, starts: date | None) -> Block:
    """Return the block of a provision that is published and not yet in force.

    Args:
        provision: the provision in its coming text.
        starts: its first day of force; None where it is unknown.
    """
    role, fragment = _role(provision), _fragment(provision.name)
    return Block(
        provision.name,
        (fragment,),
        "step0" if role == "grouping" else role,
        None,
        provision.label or provision_name(fragment, Style.ROTULO) or None,
        (),
        None,
        None,
        None,
        coming=True,
        starts=starts,
    )


def entries_of(blocks: Sequence[Block]) -> tuple[Entry, ...]:
    """Return the table of contents of a text on one page."""
    return tuple(_entries([blocks]))


def _blocks(provisions: Sequence[ProvisionText]) -> Iterator[Block]:
    skipped = False
    for index, provision in enumerate(provisions):
        if skipped:
            skipped = False
            continue
        after = provisions[index + 1] if index + 1 < len(provisions) else None
        if after is not None and after.name == provision.name + _CAPUT and not (provision.text or after.label):
            skipped = True
            yield _block(provision, after)
        else:
            yield _block(provision, provision)


def _block(provision: ProvisionText, wording: ProvisionText) -> Block:
    """Return the block of a provision, with its own text or that of its caput."""
    fragments = dict.fromkeys((_fragment(provision.name), _fragment(wording.name)))
    changed = _changed(wording)
    return Block(
        provision.name,
        tuple(fragments),
        _role(provision),
        provision.heading,
        provision.label,
        tuple(line for line in (wording.text or "").split("\n") if line.strip()),
        wording.situation or provision.situation,
        changed,
        _edition(changed.rpartition("!")[0])[1] if changed is not None else None,
        provision.undecided or wording.undecided,
    )


def _fragment(name: str) -> str:
    return name.rpartition("!")[2]


def _changed(wording: ProvisionText) -> str | None:
    """Return the version that introduced a wording; None for the first text."""
    if wording.version is None:
        return None
    event, _ = _edition(wording.version.rpartition("!")[0])
    if event is None or event in FIRST_TEXT_EVENTS or _fragment(wording.name) in _FRONT:
        return None
    return wording.version


@lru_cache(maxsize=1 << 10)
def _edition(version: str) -> tuple[str | None, date | None]:
    """Return the event and the first day of a version; cached, because many provisions have the same version."""
    name = parse(version)
    return name.event, name.version_date


def _role(provision: ProvisionText) -> str:
    fragment = _fragment(provision.name)
    if provision.grouping:
        return "grouping"
    kind = _KIND.match(fragment.rpartition("_")[2])
    if fragment in _FRONT:
        return "front"
    return f"step{_STEPS.get(kind[0], 0) if kind else 0}"


def _split_block(block: Block) -> Iterator[Block]:
    """Yield a block, or several blocks where its text is too long for one part."""
    pieces: list[list[str]] = [[]]
    room = _LONGEST
    for line in chain.from_iterable(map(_split_line, block.lines)):
        own = bytes_of(line)
        if own > room and pieces[-1]:
            pieces.append([])
            room = _LONGEST
        pieces[-1].append(line)
        room -= own
    if len(pieces) == 1:
        yield block
        return
    for index, lines in enumerate(pieces):
        title = block.title if index == 0 else None
        goes_on = index + 1 < len(pieces)
        yield replace(
            block,
            title=title,
            lines=tuple(lines),
            continued=index > 0,
            goes_on=goes_on,
            opens=block.opens and index == 0,
            closes=block.closes and not goes_on,
        )


def _split_line(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit in a part, split at spaces where possible."""
    while bytes_of(line[: _LONGEST + 1]) > _LONGEST:
        most = min(len(line), _LONGEST)
        while (weight := bytes_of(line[:most])) > _LONGEST:
            most = min(most - 1, most * _LONGEST // weight)
        blank = line.rfind(" ", most // 2, most)
        index = blank + 1 if blank > 0 else most
        yield line[:index]
        line = line[index:]
    if line:
        yield line


def _parts(blocks: Iterable[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield parts of about the same size; a part begins with an article or a grouping where possible."""
    part: list[Block] = []
    weight = 0
    for block in blocks:
        own = block.weight
        full = weight + own > (_PART if (block.role == "grouping" or _is_article(block)) else _PART * 1.25)
        if part and (full or block.continued):
            yield tuple(part)
            part, weight = [], 0
        part.append(block)
        weight += own
    if part:
        yield tuple(part)


def _is_article(block: Block) -> bool:
    return not block.quoted and block.fragments[0].rpartition("_")[2].startswith("art")


def _entries(parts: Sequence[Sequence[Block]]) -> Iterator[Entry]:
    """Yield the groupings, down to the level at which their number is within the limit."""
    entries = [
        Entry(
            block.fragments[0],
            cut(" – ".join(filter(None, (block.label, block.title))), _HEADING),
            _level(block),
            number,
        )
        for number, part in enumerate(parts, start=1)
        for block in part
        if block.role == "grouping" and not (block.continued or block.quoted)
    ]
    deepest = max((entry.level for entry in entries), default=0)
    while deepest > 1 and sum(entry.level <= deepest for entry in entries) > _ENTRIES:
        deepest -= 1
    yield from [entry for entry in entries if entry.level <= deepest][:_ENTRIES]


def _level(block: Block) -> int:
    return block.fragments[0].count("_") + 1
