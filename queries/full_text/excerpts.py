"""Excerpts: the stretch of a text that has the most of the words, with each of them marked."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from html import escape
from unicodedata import normalize

#: Longest excerpt, in characters, without marks and what is left out.
LONGEST = 300
#: How many words an excerpt has, and how many of them at most before the first that is marked.
_WORDS, _BEFORE = 30, 8
#: Longest word that is compared.
_LONGEST_WORD = 100
_WORD = re.compile(r"[^\W_ºª]+")
_OPEN, _CLOSE = "<mark>", "</mark>"


def marked(texts: Iterable[str], match: Callable[[str], str | None]) -> str:
    """Return an excerpt of the first text that has the most of the words, as HTML with ``<mark>`` around each word.

    Takes time by the length of the texts, however often they have the words.

    Args:
        texts: in the order in which they count.
        match: tells of a word which of those that are sought it is.

    >>> marked(["A lei <1> penal."], lambda word: word if word == "penal" else None)
    'A lei &lt;1&gt; <mark>penal</mark>.'
    """
    best = (0, 0, "")
    for text in filter(None, texts):
        plain = " ".join(normalize("NFC", text).split())
        count, start = _densest(plain, match)
        if count > best[0] or not best[2]:
            best = (count, start, plain)
    _, start, text = best
    return _written(text, start, match)


def plain(excerpt: str) -> str:
    """Return an excerpt as plain text, without marks.

    >>> plain("A &lt;1&gt; <mark>penal</mark>")
    'A <1> penal'
    """
    bare = excerpt.replace(_OPEN, "").replace(_CLOSE, "")
    return (
        bare.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
    )


def _densest(text: str, match: Callable[[str], str | None]) -> tuple[int, int]:
    """How many of the words the best stretch has, and where it begins."""
    starts: deque[int] = deque(maxlen=_BEFORE + 1)
    near: deque[tuple[int, str, int]] = deque()
    counted: dict[str, int] = {}
    best, begin = 0, 0
    for at, word in enumerate(_WORD.finditer(text)):
        starts.append(word.start() if at else 0)
        key = match(word[0]) if word.end() - word.start() <= _LONGEST_WORD else None
        if key is None:
            continue
        while near and (near[0][0] <= at - (_WORDS - _BEFORE) or word.end() > near[0][2] + LONGEST):
            gone = near.popleft()[1]
            counted[gone] -= 1
            if not counted[gone]:
                del counted[gone]
        near.append((at, key, max(starts[0], word.start() - LONGEST // 2)))
        counted[key] = counted.get(key, 0) + 1
        if len(counted) > best:
            best, begin = len(counted), near[0][2]
    return best, begin


def _written(text: str, begin: int, match: Callable[[str], str | None]) -> str:
    pieces = ["…"] if begin else []
    at = begin
    for count, word in enumerate(_WORD.finditer(text, begin)):
        if count == _WORDS or word.end() - begin > LONGEST:
            break
        pieces.append(escape(text[at : word.start()]))
        said = escape(word[0])
        pieces.append(f"{_OPEN}{said}{_CLOSE}" if match(word[0]) is not None else said)
        at = word.end()
    else:
        return "".join((*pieces, escape(text[at : begin + LONGEST]), "…" if len(text) > begin + LONGEST else ""))
    return "".join((*pieces, "…"))
