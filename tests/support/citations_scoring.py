"""Recall and precision of citations, compared with anchors and names that others annotated.

The annotation has faults, and three kinds are handled separately: resolutions of the Senate that are annotated as
federal; anchors that cover only the norm although the words before it cite a provision of it; the only paragraph, which
is annotated as the first one. A range counts by its ends. Every other difference counts as an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from graph.errors import BadName
from graph.urn import parse
from graph.wording.citations import Citation, Context, cite_ends


@dataclass(frozen=True)
class Anchor:
    """A half-open range of annotated words and its name; ``#FRAGMENT`` names a provision of the text's own norm."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class Text:
    """A paragraph with its anchors, its norm, and its provision in that norm."""

    text: str
    anchors: tuple[Anchor, ...]
    norm: str
    provision: str


@dataclass
class Score:
    """Counts over many texts.

    Attributes:
        met: the number of anchors that a citation of the same name overlaps.
        missed: the other anchors, each as the words and the name.
        right: the number of citations that overlap an anchor and have its name.
        wrong: citations that overlap an anchor and have another name, with what was expected.
        finer: the number of wrong citations that name a provision of the annotated norm.
        senate: the number of wrong citations that assign a resolution to the Senate where the annotation says federal.
        alone: citations that overlap no anchor.
    """

    met: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    right: int = 0
    wrong: list[tuple[Citation, str]] = field(default_factory=list)
    finer: int = 0
    senate: int = 0
    alone: list[Citation] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The recall; every difference counts as an error."""
        return self.met / (self.met + len(self.missed))

    @property
    def precision(self) -> float:
        """The precision; every difference counts as an error."""
        return self.right / (self.right + len(self.wrong))

    @property
    def recall_apart(self) -> float:
        """The recall without ``finer`` and ``senate``."""
        return self.met / (self.met + len(self.missed) - self.finer - self.senate)

    @property
    def precision_apart(self) -> float:
        """The precision without ``finer`` and ``senate``."""
        return self.right / (self.right + len(self.wrong) - self.finer - self.senate)

    def __str__(self) -> str:
        return (
            f"anchors {self.met + len(self.missed)}, recall {self.recall:.3f} ({self.recall_apart:.3f} apart), "
            f"precision {self.precision:.3f} ({self.precision_apart:.3f} apart), finer {self.finer}, "
            f"senate {self.senate}, alone {len(self.alone)}"
        )


def score(texts: Iterable[Text]) -> Score:
    """Return the score of all texts, each read with its context."""
    result = Score()
    for text in texts:
        norm = _norm(text.norm)
        cited = cite_ends(text.text, Context(norm=norm, provision=text.provision or None))
        work = str(parse(norm).work)
        named = [
            (anchor, _plain(f"{work}!{anchor.name[1:]}" if anchor.name[0] == "#" else anchor.name))
            for anchor in text.anchors
        ]
        for anchor, name in named:
            if any(_plain(overlap.name) == name for overlap in _overlapping(cited, anchor)):
                result.met += 1
            else:
                result.missed.append((text.text[anchor.start : anchor.end], name))
        for citation in cited:
            names = [name for anchor, name in named if citation.start < anchor.end and anchor.start < citation.end]
            if not names:
                result.alone.append(citation)
            elif _plain(citation.name) in names:
                result.right += 1
            else:
                result.wrong.append((citation, names[0]))
                result.finer += _plain(citation.name).startswith(f"{names[0]}!")
                result.senate += citation.name.replace("senado.federal:resolucao", "federal:resolucao") in names
    return result


def anchor_of(text: str, words: str, name: str, norm: str, provision: str) -> Anchor:
    """Return the anchor of words that were annotated without their position.

    The words may occur several times. The result is the first occurrence with a citation of the name, else the first
    that overlaps a citation, else the first.
    """
    cited = cite_ends(text, Context(norm=_norm(norm), provision=provision or None))
    wanted = _plain(f"{parse(_norm(norm)).work}!{name[1:]}" if name[0] == "#" else name)
    places = [Anchor(match.start(), match.end(), name) for match in re.finditer(re.escape(words), text)]

    def rank(place: Anchor) -> int:
        overlapping = _overlapping(cited, place)
        return 0 if any(_plain(citation.name) == wanted for citation in overlapping) else 1 if overlapping else 2

    return min(places, key=rank)


def _overlapping(cited: tuple[Citation, ...], anchor: Anchor) -> list[Citation]:
    return [citation for citation in cited if citation.start < anchor.end and anchor.start < citation.end]


def _norm(text: str) -> str:
    """Return the canonical name of the norm of a text; a bill without a number gets a fictional name."""
    try:
        return parse(text).canonical
    except BadName:
        return "urn:lex:br:senado.federal:projeto.lei;pls:2017;99901"


def _plain(name: str) -> str:
    """Return a name with the only paragraph written as the annotation does (``par1``)."""
    return re.sub(r"par1u(?=_|$)", "par1", name)
