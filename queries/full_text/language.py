"""The language of full-text queries: words, phrases in quotation marks, exclusion by a minus, beginnings by a star."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from graph.errors import BadParameter
from graph.store.fulltext import Clause, Match
from graph.wording.stems import STOP_WORDS, pieces, term, terms

#: Longest query, in characters; most clauses of one.
LONGEST, MOST_CLAUSES = 1_000, 32
_PIECE = re.compile(
    r"""(?P<minus>(?<!\S)[-−–](?=["“«\w]))?
    (?: "(?P<plain>[^"]*)(?:"|\Z) | [“”](?P<curly>[^“”]*)(?:[“”]|\Z) | «(?P<angled>[^»]*)(?:»|\Z)
    | (?P<word>[^\s"“”«]+) )""",
    re.VERBOSE,
)
_BEGINNING = re.compile(r"(?P<start>\w[\w-]*)\*+\Z")


@dataclass(frozen=True, slots=True)
class WordQuery:
    """What a full-text query asks.

    Attributes:
        wanted: clauses that have to be found.
        unwanted: clauses that must not be.
        words: the wanted words as they are written, without phrases and beginnings: what may be misspelt.
    """

    wanted: tuple[Clause, ...]
    unwanted: tuple[Clause, ...] = ()
    words: tuple[str, ...] = ()

    def matches(self) -> Callable[[str], str | None]:
        """Return what tells of a word of a text which wanted word it is, if any."""
        of_terms = {word for one in self.wanted if one.match is Match.TERM for word in one.words}
        whole = {word for one in self.wanted if one.match is Match.PHRASE for word in one.words}
        starts = tuple(one.words[-1] for one in self.wanted if one.match is Match.PREFIX)

        def match(word: str) -> str | None:
            found = term(word)
            if found in of_terms:
                return found
            plain = next(iter(pieces(word)), "")
            if plain in whole:
                return plain
            return next((start for start in starts if plain.startswith(start)), None)

        return match

    @property
    def last_cut_short(self) -> WordQuery | None:
        """The same with the last word as the beginning of one; None where the last clause is no word."""
        last = self.wanted[-1]
        if last.match is not Match.TERM or not self.words:
            return None
        start = tuple(pieces(self.words[-1]))
        if len(start) != 1 or not start[0].isalpha():  # half a number is another number
            return None
        return replace(self, wanted=(*self.wanted[:-1], Clause(Match.PREFIX, start)))


def parse_query(text: str) -> WordQuery:
    """Return what a text asks. Stop words count within phrases, and where nothing else is said.

    >>> query = parse_query('revogações da "lei seca" -penal licit*')
    >>> [(one.match.value, one.words) for one in query.wanted]
    [('term', ('revog',)), ('phrase', ('lei', 'seca')), ('prefix', ('licit',))]
    >>> [one.words for one in query.unwanted]
    [('penal',)]

    Raises:
        BadParameter: it has no word to look for, or is longer than any query.
    """
    if len(text) > LONGEST:
        raise BadParameter(f"expected words of at most {LONGEST} characters, got {len(text)}")
    wanted: list[tuple[Clause, str]] = []
    unwanted: list[Clause] = []
    for minus, clause, said in _clauses(text):
        if minus:
            unwanted.append(clause)
        else:
            wanted.append((clause, said))
    telling = [one for one in wanted if not _is_stop(*one)] or wanted
    kept = dict(telling[:MOST_CLAUSES])
    if not kept:
        told = "words beside those that are excluded" if unwanted else "words with letters or digits"
        raise BadParameter(f"expected {told}, got {text!r}")
    said_plainly = tuple(said for clause, said in kept.items() if clause.match is Match.TERM)
    return WordQuery(tuple(kept), tuple(dict.fromkeys(unwanted))[:MOST_CLAUSES], said_plainly)


def _clauses(text: str) -> Iterator[tuple[bool, Clause, str]]:
    for found in _PIECE.finditer(text):
        minus = found["minus"] is not None
        phrase = next((found[name] for name in ("plain", "curly", "angled") if found[name] is not None), None)
        if phrase is not None:
            if words := pieces(phrase):
                yield minus, Clause(Match.PHRASE, tuple(words)), phrase
            continue
        beginning = _BEGINNING.fullmatch(found["word"])
        if beginning is not None:
            yield minus, Clause(Match.PREFIX, tuple(pieces(beginning["start"]))), beginning["start"]
        elif words := [word for word in terms(found["word"]) if word]:
            yield minus, Clause(Match.TERM, tuple(words)), found["word"]


def _is_stop(clause: Clause, said: str) -> bool:
    return clause.match is Match.TERM and all(word in STOP_WORDS for word in pieces(said))
