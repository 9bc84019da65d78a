"""Provisions and other lines of a text, as its reader found them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from graph.entities import Provision
from graph.time.kinds import Situation
from graph.wording.provisions import natural_order_key
from loaders.articulated.lines import Line
from loaders.articulated.notes import Note
from loaders.articulated.quotations import is_row_of_dots

#: The prefix of a step of an identifier.
_PREFIX = re.compile("[a-z]+")


@dataclass(slots=True)
class Occurrence:
    """One occurrence of a provision or part of a text.

    Attributes:
        id: its identifier.
        within: the identifier of its container.
        prefix: the prefix of the last step of its identifier.
        label: as written; None where it has none.
        heading: the name of a grouping or an annex, or the rubric of an article or a paragraph.
        line: the number of its first line.
        paragraphs: its own text, by paragraph.
        lines: the lines of this text, without notes.
        notes: the editorial notes in these lines.
        omitted: whether a row of dots replaces its text.
        opens, closes: whether a quotation begins or ends with it; ``mark`` is the mark after it, e.g. ``"NR"``.
        cut: whether dots replace some of the words of its text.
        ambiguous: whether its label may have a letter, so that it may be another provision.
    """

    id: str
    within: str | None
    prefix: str
    label: str | None
    line: int
    heading: str | None = None
    paragraphs: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    anchors: tuple[str, ...] = ()
    omitted: bool = False
    opens: bool = False
    closes: bool = False
    mark: str | None = None
    cut: bool = False
    ambiguous: bool = False

    @property
    def text(self) -> str | None:
        """Return its own text, one line for each paragraph; None if it has none."""
        return "\n".join(self.paragraphs) or None

    @property
    def struck(self) -> bool:
        """Return whether its text, or its label if it has no text, is struck out."""
        length = sum(len(line.text) for line in self.lines)
        return length > 0 and 2 * sum(len(line.text) for line in self.lines if line.struck) > length

    @property
    def quoted(self) -> bool:
        """Return whether it is inside a quotation."""
        return "_alt" in f"_{self.id}"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that begins like a label out of sequence.

    Attributes:
        line: its number.
        text: its beginning.
        provision: the provision whose text it is.
        is_label: whether it begins that provision, which has the number that its position asks for, or a number before
            that of another above it; otherwise it is kept among the words of the provision.
    """

    line: int
    text: str
    provision: str
    is_label: bool


@dataclass(slots=True)
class StructuredText:
    """The result of reading a text.

    Attributes:
        provisions: every occurrence, in the order of the text.
        not_placed: lines of the text that could not be placed, each with its number.
        beside: lines that are not of the text: the names of offices above it, an index, the reference to the gazette.
        doubts: lines that begin like a label out of sequence.
        notes: notes without a provision: beside the title, or above the first article.
        published: the day of publication that the text itself states.
    """

    provisions: list[Occurrence] = field(default_factory=list)
    not_placed: list[tuple[int, str]] = field(default_factory=list)
    beside: list[tuple[int, str]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    published: date | None = None

    @property
    def title(self) -> str:
        """Return the beginning of its title in quotation marks, for a message."""
        epigraph = self.first("epigrafe")
        return "no title" if epigraph is None else f"the title {(epigraph.text or '')[:80]!r}"

    def first(self, fragment: str) -> Occurrence | None:
        """Return the first occurrence of a provision."""
        return next((provision for provision in self.provisions if provision.id == fragment), None)

    def dated_words(self, text: str) -> str:
        """Return the words with the day of a line: those of the closing, if it refers to them.

        >>> day = ["Vila Fictícia, 10 de abril de 2007."]
        >>> text = StructuredText([Occurrence("localdatafecho", None, "localdatafecho", None, 9, paragraphs=day)])
        >>> text.dated_words("Publicada na data supra."), text.dated_words("Publicada em 12/04/2007.")
        ('Vila Fictícia, 10 de abril de 2007.', 'Publicada em 12/04/2007.')
        """
        closing = self.first("localdatafecho") if "data supra" in text.lower() else None
        return text if closing is None else closing.text or ""

    def last(self, fragment: str) -> Occurrence | None:
        """Return the last occurrence of a provision that is not struck; else the last one."""
        occurrences = [provision for provision in self.provisions if provision.id == fragment]
        return next(
            (occurrence for occurrence in reversed(occurrences) if not occurrence.struck),
            occurrences[-1] if occurrences else None,
        )


#: The kinds of provisions whose numbers rise within their container.
_NUMBERED = frozenset({"art", "par", "inc", "ali", "ite"})


def out_of_order(provisions: Iterable[Occurrence]) -> Iterator[Doubt]:
    """Yield the provisions that follow a later one of their kind in the same container."""
    latest: dict[tuple[str | None, str], list[tuple[bool, int, str]]] = {}
    for provision in provisions:
        if provision.prefix not in _NUMBERED or provision.struck or provision.quoted:
            continue
        place, key = (provision.within, provision.prefix), natural_order_key(provision.id)
        if key < latest.setdefault(place, key):
            yield Doubt(provision.line, provision.label or "", provision.id, is_label=True)
        else:
            latest[place] = key


def first_wordings(provision: Provision) -> Iterator[Occurrence]:
    """Return the first wording of a provision of a LexML XML document, in the form of the reader of texts."""
    step = _PREFIX.match(provision.fragment.rpartition("_")[2])
    for wording in provision.wordings[:1]:
        omitted = wording.situation is Situation.OMISSIS
        yield Occurrence(
            provision.fragment,
            provision.within,
            step[0] if step is not None else provision.fragment,
            wording.label,
            provision.order,
            wording.heading,
            paragraphs=[wording.text] if wording.text and not omitted else [],
            omitted=omitted or is_row_of_dots(wording.text or ""),
        )
