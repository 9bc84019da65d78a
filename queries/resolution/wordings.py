"""Search by words: norms and provisions whose titles, nicknames, summaries or text have them, with an excerpt of each.

The words of every version and view that a record gives are searched, also of those that are no longer in force: what is
found says where its words stand.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import normalize

from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme
from graph.wording.folding import folded, unmarked, words
from queries.resolution.searching import Sought, kinds_meant
from queries.vocabulary import vocabulary

#: Longest excerpt, in characters, without the marks of omission.
LONGEST = 300
#: How many words an excerpt has, and how many of them at most before the first that was sought.
_WORDS, _BEFORE = 24, 8
#: Longest word that can be one of those that are sought.
_LONGEST_WORD = 100
_WORD = re.compile(r"[^\W_ºª]+")


def excerpt(texts: Iterable[str], terms: Sequence[str]) -> str:
    """The stretch of some texts that has the most of the words: of the first text and the first stretch that has them.

    Takes time by the length of the texts, however often they have the words.

    Args:
        texts: in the order in which they count.
        terms: words, folded; the last may be cut short.

    >>> excerpt(["Lei", "Todo relógio fictício mostra uma hora."], ["relogio", "hor"])
    'Todo relógio fictício mostra uma hora.'
    """
    best = (0, 0, 0, "")
    for text in filter(None, texts):
        found = _best(normalize("NFC", text), terms)
        if found[0] > best[0] or not best[0]:
            best = found
        if best[0] == len(set(terms)):
            break
    _, start, end, text = best
    end = min(end, start + LONGEST)
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _best(text: str, terms: Sequence[str]) -> tuple[int, int, int, str]:
    """How many of the words a stretch has, where it begins and ends, and the text."""
    wanted, most = set(terms), len(set(terms))
    starts: deque[int] = deque(maxlen=_BEFORE + 1)
    near: deque[tuple[int, str, int]] = deque()
    counted: dict[str, int] = {}
    best, begin = 0, 0
    for at, word in enumerate(_WORD.finditer(text)):
        starts.append(word.start() if at else 0)
        term = _term(word[0], wanted, terms[-1])
        if term is None:
            continue
        while near and (near[0][0] <= at - (_WORDS - _BEFORE) or word.end() > near[0][2] + LONGEST):
            gone = near.popleft()[1]
            counted[gone] -= 1
            if not counted[gone]:
                del counted[gone]
        # a single word longer than an excerpt must not push what is sought out of it
        near.append((at, term, max(starts[0], word.start() - LONGEST // 2)))
        counted[term] = counted.get(term, 0) + 1
        if len(counted) > best:
            best, begin = len(counted), near[0][2]
            if best == most:
                break
    end = begin
    for count, word in enumerate(_WORD.finditer(text, begin)):
        if count == _WORDS or end - begin > LONGEST:
            return best, begin, end, text
        end = word.end()
    return best, begin, len(text), text


def _term(word: str, wanted: set[str], last: str) -> str | None:
    """Which of the words that are sought a word is."""
    if len(word) > _LONGEST_WORD:
        return None
    plain = _folded(word)
    if plain in wanted:
        return plain
    return last if plain.startswith(last) else None


@lru_cache(maxsize=20_000)
def _folded(word: str) -> str:
    return folded(word)


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
        excerpt: some of the text around them.
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
        within: further fields of the norms: type, authority, place, year.

    Returns:
        Each name once, by the best of its texts, best first, and whether these are all: no more than
        :data:`MOST_ROWS` texts are looked at.

    Raises:
        BadParameter: one of the further fields is invalid.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> search_words(in_memory(), "defesa do consumidor")
    ((), True)
    """
    sought = words(unmarked(text))[:_LONGEST]
    if not sought:
        return (), True
    asked = within or Sought()
    kinds = kinds_meant(store, asked)
    for every, match in _matches(store, sought):
        rows = store.names.worded(match, MOST_ROWS + 1, kinds, asked.year)
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
            return tuple(map(_first, found.values())), len(rows) <= MOST_ROWS
    return (), True


def _matches(store: Store, sought: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Yield queries of the index, the narrowest first, and whether their results have all words."""
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
