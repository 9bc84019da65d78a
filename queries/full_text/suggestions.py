"""Did you mean: a known word in the place of one that no wording has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graph.store import Store
from graph.wording.folding import folded, unmarked
from graph.wording.stems import pieces

_WORD = re.compile(r"[^\W_ºª]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Shortest word that may be misspelt, and the shortest of which two letters may be wrong.
_SHORTEST, _TWO_WRONG = 4, 7
#: Longest word that is compared.
_LONGEST = 30


def suggestion(store: Store, text: str, words: Iterable[str]) -> str | None:
    """Return a query with known words in the place of those that nothing has; None where there are none such.

    Args:
        store: an opened store.
        text: the query.
        words: those of it that may be misspelt, as it writes them.

    Raises:
        StoreDamaged: the index cannot be read.
    """
    exchanged: dict[str, str] = {}
    for said in words:
        for word in pieces(said):
            if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
                continue
            if not store.full_text.word_known(word) and (better := _nearest(store, word)):
                exchanged[word] = _written(store, better)
    if not exchanged:
        return None
    return _WORD.sub(lambda found: exchanged.get(folded(found[0]), found[0]), unmarked(text))


def _nearest(store: Store, word: str) -> str | None:
    """The known word that is one letter away and has the most wordings; of long words also two letters."""
    index = store.full_text
    near = [(index.word_known(one), one) for one in _one_away(word)]
    found = max((one for one in near if one[0]), default=None)
    if found is not None or len(word) < _TWO_WRONG:
        return found[1] if found is not None else None
    others = index.words_beginning(word[:2], len(word) - 2, len(word) + 2)
    close = [(count, one) for one, count in others if _distance(word, one, 2) <= 2]
    return max(close)[1] if close else None


def _one_away(word: str) -> Iterator[str]:
    """What a word becomes by one letter more, less or other, or by two that change places."""
    for at in range(len(word) + 1):
        start, end = word[:at], word[at:]
        if end:
            yield start + end[1:]
        if len(end) > 1:
            yield start + end[1] + end[0] + end[2:]
        for letter in _LETTERS:
            if end and letter != end[0]:
                yield start + letter + end[1:]
            yield start + letter + end


def _distance(one: str, other: str, most: int) -> int:
    """How many letters have to be put in, left out or exchanged; more than ``most`` where it is more.

    >>> _distance("licitacao", "licitasao", 2), _distance("abcdefg", "gfedcba", 2)
    (1, 3)
    """
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        now = [row]
        for column, there in enumerate(other, start=1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != there)))
        if min(now) > most:
            return most + 1
        before = now
    return min(before[-1], most + 1)


def _written(store: Store, word: str) -> str:
    """A known word as a text writes it, in small letters, with its accents."""
    text = store.full_text.written(word) or ""
    for found in _WORD.finditer(unmarked(text)):
        if folded(found[0]) == word:
            return found[0].lower()
    return word
