"""What is told of provisions whose words a page does not have: revoked, annulled, suspended, and by whom it is told.

A text shows what happened to the provisions that it has. Of others the page of their norm would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name
from graph.wording.provisions import provision_name
from queries.answers import Reason
from queries.only_told import acted_on
from service.web.pages.language import Language
from service.web.pages.sentences import Sentences, Told
from service.web.pages.surroundings import MOST_SHOWN

__all__ = ["PartFacts", "part_facts"]

#: Most events of one such provision that the page of its norm tells; the page of the provision has the others.
_MOST_EVENTS = 5


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What is told of one provision.

    Attributes:
        name: canonical.
        called: the provision within its norm, in words.
        told: each event with its days, as many as a page shows.
        more: how many more events there are.
    """

    name: str
    called: str
    told: Sequence[Told]
    more: int


def part_facts(
    store: Store, norm: Name, known: date, shown: Iterable[str], say: Sentences
) -> tuple[list[PartFacts], int]:
    """What is told of provisions of a norm that are not in the text shown, as many as a page has room for.

    These are provisions of which nobody has the words, and those that have ended: their words are gone from the text.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date.
        shown: the names of the provisions that the text has.
        say: the words of the page.

    Returns:
        Those that are shown, in the order of their numbers, and how many there are.

    Raises:
        StoreProblem: the store cannot be read.
    """
    there = set(shown)
    found = [(name, told) for name, told in acted_on(store, norm, known).items() if name.canonical not in there]
    return [_told(name, reasons, say) for name, reasons in found[:MOST_SHOWN]], len(found)


def _told(name: Name, reasons: Sequence[Reason], say: Sentences) -> PartFacts:
    language = "pt" if say.frame.language is Language.PORTUGUESE else "en"
    called = provision_name([name.canonical.rpartition("!")[2]], language=language)
    every = list(dict.fromkeys(reasons))
    shown = say.reasons(every[:_MOST_EVENTS])
    return PartFacts(name.canonical, called[:1].upper() + called[1:], shown, max(0, len(every) - _MOST_EVENTS))
