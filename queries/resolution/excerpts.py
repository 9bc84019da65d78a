"""Some of the words in which sought words stand: the best stretch of a text, found in one pass."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import normalize

from graph.wording.folding import folded

#: Longest excerpt, in characters, without the marks of what is left out.
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
