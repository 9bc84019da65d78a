"""Search by words: norms and provisions whose titles, nicknames, summaries or text have them, best first.

The words of every version and view that a record gives are searched, also of those that are no longer in force: what is
found says where its words stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme
from graph.wording.folding import unmarked, words
from queries.resolution.excerpts import excerpt
from queries.resolution.searching import Sought, agreeing
from queries.vocabulary import vocabulary

#: How many texts are looked at, of all that have the words.
MOST_ROWS = 500
#: Longest question that is read, in words.
_LONGEST = 32
#: How many characters are read for the excerpts of one answer; of what comes after them, only how each text begins.
_READ = 2_000_000
_LONGEST_UNREAD = 2_000


@dataclass(frozen=True, slots=True)
class Worded:
    """A norm or provision that has words.

    Attributes:
        name: canonical.
        version: the canonical name of the version or text that has them; None where the name itself does.
        score: above 0, the more the better; to be compared within one answer.
        every: whether it has all the words, or only some.
        excerpt: some of the words in which they stand.
        record: the IRI of the record.
        others: what else of the name has the words, best first: its other versions and views, each with its excerpt.
    """

    name: str
    version: str | None
    score: float
    every: bool
    excerpt: str
    record: str
    others: tuple[tuple[str | None, str], ...] = ()


def search_words(store: Store, text: str, within: Sought | None = None) -> tuple[tuple[Worded, ...], bool]:
    """The norms and provisions that have all the words of a text; where none has all, those that have some.

    Accents, case, punctuation, unseen marks and connectives (``da``, ``e``) don't count. The last word may be cut short
    where nothing has it as it is: ``seca`` is not the beginning of ``seção`` where there is a ``Lei Seca``. What has
    only some of the words has more of them than the kind of a document: ``lei`` is no reason to find a norm by ``lei da
    ampulheta``.

    Args:
        store: an opened store.
        text: the words; any text is a question.
        within: what is said of the norms beside: type, authority, place, year.

    Returns:
        Each name once, by the best of its texts, best first, and whether these are all: no more than
        :data:`MOST_ROWS` texts are looked at.

    Raises:
        BadParameter: what is said beside the words cannot be.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> search_words(in_memory(), "defesa do consumidor")
    ((), True)
    """
    sought = words(unmarked(text))[:_LONGEST]
    if not sought:
        return (), True
    for every, match in _matches(store, sought):
        rows = store.names.worded(match, MOST_ROWS + 1)
        found: dict[Name, list[Worded]] = {}
        budget = _READ
        for row in rows[:MOST_ROWS]:
            version = from_iri(row.of) if row.of != row.name else None
            name = from_iri(row.name)
            texts = found.setdefault(parse(name), [])
            if all(one.version != version for one in texts):
                shown = row.texts if budget > 0 else tuple(text[:_LONGEST_UNREAD] for text in row.texts)
                budget -= sum(map(len, shown))
                texts.append(Worded(name, version, row.score, every, excerpt(shown, sought), row.record))
        if found:
            kept = agreeing(store, within or Sought(), found)
            return tuple(_first(found[name]) for name in kept), len(rows) <= MOST_ROWS
    return (), True


def _matches(store: Store, sought: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Queries of the index, the narrowest first, and whether what they find has all the words."""
    some = _telling(store, sought)
    for every, pieces, joined in ((True, sought, " AND "), (False, some, " OR ")):
        whole = [f'"{word}"' for word in pieces]
        yield every, joined.join(dict.fromkeys(whole))
        yield every, joined.join([*dict.fromkeys(whole[:-1]), f"{whole[-1]}*"])


def _telling(store: Store, sought: Sequence[str]) -> Sequence[str]:
    """The words that are not of the kinds of documents, which half the texts have; all, where there are no others."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    kinds = {word for one in known for word in words(one.notation.partition(";")[0])}
    return [word for word in sought if kinds.isdisjoint((word, word.removesuffix("s")))] or sought


def _first(texts: list[Worded]) -> Worded:
    """The best text of a name, with its others."""
    return replace(texts[0], others=tuple((one.version, one.excerpt) for one in texts[1:]))
