"""How well citations are read, against pairs of anchor and name that somebody else annotated."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from graph.errors import BadName
from graph.urn import parse
from graph.wording.citations import Citation, Context, cite

__all__ = ["Gold", "Score", "score"]


@dataclass(frozen=True)
class Gold:
    """An anchor in a text and the name that it means, which begins with ``#`` where it is of the text's own norm."""

    text: str
    anchor: str
    name: str
    norm: str
    provision: str


@dataclass
class Score:
    """Anchors met, and citations that overlap an anchor with the right name."""

    met: list[Gold] = field(default_factory=list)
    missed: list[Gold] = field(default_factory=list)
    wrong: list[tuple[Gold, Citation]] = field(default_factory=list)
    right: int = 0

    @property
    def recall(self) -> float:
        return len(self.met) / (len(self.met) + len(self.missed))

    @property
    def precision(self) -> float:
        return self.right / (self.right + len(self.wrong))


def score(golds: Iterable[Gold]) -> Score:
    """Recall: anchors that a citation of the same name overlaps. Precision: of citations that overlap an anchor, those
    of which some anchor that they overlap has the name."""
    found = Score()
    for gold in golds:
        norm = _norm(gold.norm)
        cited = cite(gold.text, Context(norm=norm, provision=gold.provision or None))
        name = _plain(f"{parse(norm).work}!{gold.name[1:]}" if gold.name.startswith("#") else gold.name)
        places = [(at.start(), at.end()) for at in re.finditer(re.escape(gold.anchor), gold.text)]
        if len(gold.anchor) <= 4:  # a bare number stands in many places; only where we cite it can it be the anchor
            places = [place for place in places if any(one.start <= place[0] < one.end for one in cited)]
        overlapping = [one for one in cited if any(one.start < end and start < one.end for start, end in places)]
        if any(_plain(one.name) == name for one in overlapping):
            found.met.append(gold)
            found.right += 1
        else:
            found.missed.append(gold)
            found.wrong += [(gold, one) for one in overlapping[:1]]
    return found


def _norm(text: str) -> str:
    """The norm that a text is of; a bill that is not numbered yet has a fictional name here."""
    try:
        return parse(text).canonical
    except BadName:
        return "urn:lex:br:senado.federal:projeto.lei;pls:2017;99901"


def _plain(name: str) -> str:
    """A name without what the annotation and the house spell differently: the only paragraph."""
    return re.sub(r"par1u(?=_|$)", "par1", name)
