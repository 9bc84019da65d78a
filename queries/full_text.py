"""Full-text search: norms and their provisions by words, with the days on which the words apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from html import escape
from typing import Annotated
from unicodedata import normalize
from urllib.parse import quote

from pydantic import Field

from graph.civil import ONE_DAY, day_before, today
from graph.document_kinds import begins_with_its_event
from graph.errors import BadParameter
from graph.read_model.rectangles import OPEN, Rectangle, day_of, ordinal
from graph.references import nickname_key
from graph.store import Store
from graph.store.fulltext import Clause, Filters, Join, Match, NormFound, SearchPage, WordingFound, has_days_of_norm
from graph.time.kinds import Axis, Status
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import CONNECTIVES, STOP_WORDS, folded, pieces, term, terms, without_invisible_marks, words
from graph.wording.labels import label, label_and_heading, provision_label
from graph.wording.nicknames import Nickname, nicknames
from graph.wording.numerals import day_at_end, day_of_year, ordinal_in_words, year_at_end
from graph.wording.provisions import Style, is_grouping
from queries.documents import document
from queries.evidence import records
from queries.notices import Ambiguous, NotUnderstood, WordsLeft, any_of
from queries.question import days
from queries.resolution.interpretation import interpret
from queries.resolution.names import in_constitution
from queries.resolution.searching import LONGEST as LONGEST_EXCERPT
from queries.resolution.searching import SearchFields, densest_part, kinds_meant
from queries.resolution.spelling import is_name
from queries.status import both_axes, decided, status_on
from queries.vocabulary import vocabulary

# The language of full-text queries: words, phrases in quotation marks, exclusion by a minus, prefixes by a star.


#: The maximum length of a query, in characters, and the maximum number of its clauses.
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
    """A parsed full-text query.

    Attributes:
        wanted: clauses that must match.
        unwanted: clauses that must not match.
        words: the wanted words as typed, without phrases and prefixes; they may be misspelt.
    """

    wanted: tuple[Clause, ...]
    unwanted: tuple[Clause, ...] = ()
    words: tuple[str, ...] = ()

    def matches(self) -> Callable[[str], str | None]:
        """Return a function that returns the wanted word that a word of a text matches, or None."""
        of_terms = {word for clause in self.wanted if clause.match is Match.TERM for word in clause.words}
        phrases = [clause for clause in self.wanted if clause.match is Match.PHRASE]
        of_phrases = {word for clause in phrases for written in (clause.words, *clause.others) for word in written}
        starts = tuple(clause.words[-1] for clause in self.wanted if clause.match is Match.PREFIX)

        def match(word: str) -> str | None:
            word_term = term(word)
            if word_term in of_terms:
                return word_term
            plain = next(iter(pieces(word)), "")
            if plain in of_phrases:
                return plain
            return next((start for start in starts if plain.startswith(start)), None)

        return match

    @property
    def with_last_word_as_prefix(self) -> WordQuery | None:
        """Return the query with its last word as a prefix; None if the last clause is not a word."""
        last = self.wanted[-1]
        if last.match is not Match.TERM or not self.words:
            return None
        start = tuple(pieces(self.words[-1]))
        if len(start) != 1 or not start[0].isalpha():  # a part of a number is another number
            return None
        return replace(self, wanted=(*self.wanted[:-1], Clause(Match.PREFIX, start)))


def parse_query(text: str) -> WordQuery:
    """Return the query in a text. Stop words are ignored, except in phrases or if there are no other words.

    >>> query = parse_query('revogações da "lei seca" -penal licit*')
    >>> [(one.match.value, one.words) for one in query.wanted]
    [('term', ('revog',)), ('phrase', ('lei', 'seca')), ('prefix', ('licit',))]
    >>> [one.words for one in query.unwanted]
    [('penal',)]
    >>> [one.words for one in parse_query("13º salário").wanted]
    [('decimo', 'terceiro'), ('salari',)]

    Raises:
        BadParameter: it has no word to search for, or is too long.
    """
    if len(text) > LONGEST:
        raise BadParameter(f"expected words of at most {LONGEST} characters, got {len(text)}")
    wanted: list[tuple[Clause, str]] = []
    unwanted: list[Clause] = []
    for minus, clause, word in _clauses(text):
        if minus:
            unwanted.append(clause)
        else:
            wanted.append((clause, word))
    distinctive = [pair for pair in wanted if not _is_stop(*pair)] or wanted
    kept = dict(distinctive[:MOST_CLAUSES])
    if not kept:
        expected = "words beside those that are excluded" if unwanted else "words with letters or digits"
        raise BadParameter(f"expected {expected}, got {text!r}")
    plain_form = tuple(word for clause, word in kept.items() if clause.match is Match.TERM)
    return WordQuery(tuple(kept), tuple(dict.fromkeys(unwanted))[:MOST_CLAUSES], plain_form)


def _clauses(text: str) -> Iterator[tuple[bool, Clause, str]]:
    for match in _PIECE.finditer(text):
        if (ordinal := _ordinal_clause(text, match)) is not None:
            yield match["minus"] is not None, ordinal, match["word"]
            continue
        minus = match["minus"] is not None
        phrase = next((match[name] for name in ("plain", "curly", "angled") if match[name] is not None), None)
        if phrase is not None:
            if words := pieces(phrase):
                yield minus, Clause(Match.PHRASE, tuple(words)), phrase
            continue
        beginning = _BEGINNING.fullmatch(match["word"])
        if beginning is not None:
            yield minus, Clause(Match.PREFIX, tuple(pieces(beginning["start"]))), beginning["start"]
        elif words := [word for word in terms(match["word"]) if word]:
            yield minus, Clause(Match.TERM, tuple(words)), match["word"]


#: An ordinal in figures, the noun after it, and the end of a text after which an ordinal numbers a provision.
_FIGURES = re.compile(r"([1-9][0-9]?)([º°ª])", re.ASCII)
_NOUN = re.compile(r"\s+([^\W\d_]{4,})")
_NUMBERED = re.compile(
    r"(?:§|(?<!\w)(?:arts?\.?|artigos?|par[áa]grafos?|pars?\.?|incisos?|incs?\.?|cl[áa]usulas?|n\.?))\s*\Z",
    re.IGNORECASE,
)


def _ordinal_clause(text: str, match: re.Match[str]) -> Clause | None:
    """Return the clause of an ordinal in figures before a noun: ``13º salário`` matches the figures before this noun,
    and the ordinal in words. A number alone would also match ``§ 13``, the number of a provision."""
    figures = _FIGURES.fullmatch(match["word"] or "")
    noun = _NOUN.match(text, match.end()) if figures is not None else None
    if figures is None or noun is None or folded(noun[1]) in STOP_WORDS or _NUMBERED.search(text[: match.start()]):
        return None
    in_words = ordinal_in_words(int(figures[1]), feminine=figures[2] == "ª")
    return Clause(Match.PHRASE, in_words, ((figures[1], *pieces(noun[1])),))


def _is_stop(clause: Clause, written: str) -> bool:
    return clause.match is Match.TERM and all(word in STOP_WORDS for word in pieces(written))


# Excerpts: the part of a text with the most searched words, each of them marked.


#: The number of words of an excerpt.
_WORDS = 30
_WORD = re.compile(r"[^\W_ºª]+")
_OPEN, _CLOSE = "<mark>", "</mark>"


def marked_excerpt(texts: Iterable[str], match: Callable[[str], str | None]) -> str:
    """Return an excerpt of the text with the most searched words, as HTML with ``<mark>`` around each of them.

    The time is linear in the length of the texts, regardless of the number of matches.

    Args:
        texts: in order of precedence; of equal ones the first is used.
        match: returns the searched word that a word matches; None for others.

    >>> marked_excerpt(["A lei <1> penal."], lambda word: word if word == "penal" else None)
    'A lei &lt;1&gt; <mark>penal</mark>.'
    """
    best = (0, 0, "")
    for text in filter(None, texts):
        plain = " ".join(normalize("NFC", text).split())
        count, start = densest_part(plain, match, _WORDS)
        if count > best[0] or not best[2]:
            best = (count, start, plain)
    _, start, text = best
    return _marked_up(text, start, match)


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


def _marked_up(text: str, begin: int, match: Callable[[str], str | None]) -> str:
    pieces = ["…"] if begin else []
    index = begin
    for count, word in enumerate(_WORD.finditer(text, begin)):
        if count == _WORDS or word.end() - begin > LONGEST_EXCERPT:
            break
        pieces.append(escape(text[index : word.start()]))
        escaped = escape(word[0])
        pieces.append(f"{_OPEN}{escaped}{_CLOSE}" if match(word[0]) is not None else escaped)
        index = word.end()
    else:
        return "".join(
            (*pieces, escape(text[index : begin + LONGEST_EXCERPT]), "…" if len(text) > begin + LONGEST_EXCERPT else "")
        )
    return "".join((*pieces, "…"))


# The answer of a full-text search, with the fields of its JSON document.


class WordsStatus(StrEnum):
    """Whether words apply on a day: they apply, applied before, will apply later, or no source dates them."""

    IN_FORCE = "in-force"
    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Valid:
    """Days of force.

    Attributes:
        valid_from: the first day; null if no source states a bound.
        valid_until: the first day after them; null if there is none.
    """

    valid_from: Annotated[date | None, Field(serialization_alias="from")]
    valid_until: Annotated[date | None, Field(serialization_alias="until")]


@dataclass(frozen=True, slots=True)
class ProvisionFound:
    """A provision with the words, or the norm itself if its title, nickname or summary has them.

    Attributes:
        name: canonical name.
        label: short label, such as ``art. 5º, inciso XI``; null for the norm itself.
        excerpt: the text around the words, as HTML with ``<mark>`` around each.
        version: the version or text with the words; null if the norm itself has them.
        valid: the days on which the text applies: those around D, else the latest; null if nothing dates it.
        status: whether these words apply on D.
        source: the record that states these words.
    """

    name: str
    label: str | None
    excerpt: str
    version: str | None
    valid: Valid | None
    status: WordsStatus
    source: str


@dataclass(frozen=True, slots=True)
class NormMatch:
    """A norm with the words, and the best of its provisions with them.

    Attributes:
        name: canonical name.
        title: its epigraph, or its name in words.
        nickname: its common name; null if no source gives one.
        summary: its ementa; null if no source has it.
        score: how well it matches; comparable only within one answer.
        valid: the interval around D in which the norm has its status; null if it is not known.
        status: the status of the norm on D, as known on K.
        hits: the number of its wordings that have the words.
        provisions_found: the number of its provisions that have the words, with the same D and K; the norm itself
            counts as one if its title, nickname or summary has them.
        provisions: the best three of these, each once; with ``norm``, those of the page.
    """

    name: str
    title: str
    nickname: str | None
    summary: str | None
    score: float
    valid: Valid | None
    status: Status
    hits: Annotated[int, Field(ge=1)]
    provisions_found: Annotated[int, Field(ge=1)]
    provisions: tuple[ProvisionFound, ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """The number of found norms with each value, the most frequent value first.

    Attributes:
        type: the number of norms by type of document, in the spelling of names.
        year: the number of norms by year of their date.
        place: the number of norms by place, in the spelling of names.
    """

    type: dict[str, int]
    year: dict[str, int]
    place: dict[str, int]


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """A norm or provision that a query names by a nickname or a citation.

    Attributes:
        nickname: the nickname as in the list of nicknames; for a citation, the query.
        name: canonical name of the norm or provision.
        label: its name in words.
        known: whether the store contains it.
        url: the address of its text at the official publisher.
        on: the day at the end of the query, as in ``art. 57 do CDC em 1º de junho de 1993``; of a year alone (``em
            1993``) the last day, of the current year today; null if there is none.
    """

    nickname: str
    name: str
    label: str
    known: bool
    url: str
    on: date | None = None


@dataclass(frozen=True, slots=True)
class FullTextAnswer:
    """A page of the norms with some words.

    Attributes:
        words: the query as it was given.
        on: D, on which the words apply; null if neither D nor ``in_force`` was given.
        as_known: K, the day of knowledge; null if neither D, K nor ``in_force`` was given.
        total: the number of norms found.
        every_word: whether each norm has all the words; if false, no norm has all, and these have some.
        in_one_provision: whether each provision has all the words; if false, the provisions have some of them, and
            their norm may have all.
        facets: the counts of all norms found.
        results: the norms of this page of results, best first.
        suggestion: a query with results, if a word of this one is unknown; else null.
        meant: the norms with the whole query as a nickname, including those that the store lacks. If there are none,
            the norm or provision of the store that the whole query cites; several if it cites a provision by a nickname
            that several norms had on that day; else the norms of a nickname at the end or beginning, beside which the
            query has other words: only these are then searched for. ``in_force`` does not filter them: they say what
            the query names, and are no results.
        next_offset: the offset of the next page; null on the last one. With ``norm`` it counts provisions.
    """

    words: str
    on: date | None
    as_known: date | None
    total: Annotated[int, Field(ge=0)]
    every_word: bool
    in_one_provision: bool
    facets: Facets
    results: tuple[NormMatch, ...]
    suggestion: str | None
    meant: tuple[NamedTarget, ...]
    next_offset: int | None

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


# Finds the norm of a nickname, even if the store does not know the norm.


#: The addresses at which federal norms, and all other norms, are published; a name is appended.
_NORMS, _PORTAL = "https://normas.leg.br/?urn=", "https://www.lexml.gov.br/urn/"
#: Words at the beginning of a nickname that people omit.
_LEFT_OUT = ("", "lei ", "codigo ", "estatuto ")


def meant(store: Store, text: str, on: date) -> tuple[NamedTarget, ...]:
    """Return the norms that have a text as a nickname on a day, by the built-in list.

    If there are none, return the norm or provision of the store that the text cites.

    Args:
        text: the whole query.
        on: a civil date; some nicknames meant different norms at different times.
    """
    targets: dict[str, NamedTarget] = {}
    for nickname in _nicknames_in(text):
        if nickname.fits(on):
            listed = parse(nickname.name)
            name = in_constitution(store, listed) or listed
            known = bool(records(store, name.iri))
            targets.setdefault(
                nickname.name,
                NamedTarget(nickname.text, name.canonical, _capital(label(name)), known, official(listed)),
            )
    return tuple(targets.values()) or _cited_norms(store, text, on)


def _meant_on_a_day(store: Store, text: str) -> tuple[tuple[NamedTarget, ...], str, date | None]:
    """Return the norms or provisions that a text before its day or year means, that text, and the day.

    A year means the day of :func:`day_of_year` if the text names a norm or provision; otherwise it is a word.
    """
    visible = without_invisible_marks(text)
    if (ends := day_at_end(visible)) is not None:
        words_before, day = ends
    elif (year_ends := year_at_end(visible)) is not None:
        words_before, day = year_ends[0], day_of_year(year_ends[1], today())
    else:
        return (), text, None
    means = tuple(replace(target, on=day) for target in meant(store, words_before, day))
    return (means, words_before, day) if means or ends is not None else ((), text, None)


def _cited_norms(store: Store, text: str, on: date) -> tuple[NamedTarget, ...]:
    """Return the norm or provision of the store that a text cites.

    A nickname of several norms on the day means each of them: their provisions come before norms without the provision.
    """
    if is_name(text) or not text.strip():
        return ()
    understood = interpret(store, text, on)
    if understood.name is not None:
        cited = [understood.name] if records(store, (understood.name.provision or understood.name.work).iri) else []
    else:
        several = (notice for notice in understood.notices if isinstance(notice, Ambiguous) and notice.nickname)
        names = [parse(name) for notice in several for name in notice.names]
        exact = [name for name in names if records(store, name.iri)]
        cited = [*exact, *(name.work for name in names if name not in exact and records(store, name.work.iri))]
    return tuple(
        NamedTarget(text, name.canonical, _capital(label(name)), known=True, url=official(name.work)) for name in cited
    )


def _nicknames_in(text: str) -> Iterator[Nickname]:
    key = " ".join(words(text))
    for start in _LEFT_OUT if key else ():
        if listed := nicknames().get(start + key):
            yield from listed
            return


#: Signs of the language of queries: phrases, prefixes and exclusions. A query with one of them is searched as written.
_SIGNS = re.compile(r'["“”«»*]|(?<!\S)[-−–](?=\w)')
_WRITTEN = re.compile(r"\w+")
#: Words of citations of provisions.
_OF_PROVISION = re.compile(r"§|(?<!\w)(?:arts?|artigos?|incisos?|incs?|al[íi]neas?|par[áa]grafos?|caput)(?!\w)", re.I)


def beside_nickname(store: Store, text: str, on: date) -> tuple[str, tuple[NamedTarget, ...]] | None:
    """Return the words of a query beside the nickname of a norm at its end or beginning, and the norms meant by it.

    Acronyms, and nicknames of several words, are separated in any case: ``multa CDC``, ``multa cdc``.

    Args:
        text: the query, without the day at its end.
        on: a civil date; some nicknames meant different norms at different times.

    Returns:
        None if there is no such nickname or no other word, if the query is a citation, or if it has signs of the
        language of queries.
    """
    visible = without_invisible_marks(text)
    if _SIGNS.search(visible) or is_name(visible):
        return None
    for nickname, rest in _nickname_and_rest(visible):
        if not any(word.isalpha() and word not in STOP_WORDS for word in pieces(rest)) or _OF_PROVISION.search(rest):
            return None
        if " ".join(words(rest)) in nicknames() or not any_of(
            interpret(store, visible, on).notices, NotUnderstood, WordsLeft
        ):
            return None
        named = meant(store, nickname, on)
        return (rest, named) if named else None
    return None


def _nickname_and_rest(text: str) -> Iterator[tuple[str, str]]:
    """Yield the longest nickname at the end of a text, then that at its beginning, each with the rest of the text."""
    written = list(_WRITTEN.finditer(text))[:_MOST_WRITTEN]
    for word in written[1:]:
        if folded(word[0]) not in CONNECTIVES and _is_distinct_nickname(text[word.start() :]):
            yield text[word.start() :], text[: word.start()].strip()
    for word in reversed(written[:-1]):
        if folded(word[0]) not in CONNECTIVES and _is_distinct_nickname(text[: word.end()]):
            yield text[: word.end()], text[word.end() :].strip()


#: The maximum number of words of a query in which a nickname is sought.
_MOST_WRITTEN = 64


def _is_distinct_nickname(text: str) -> bool:
    """Return whether a text is a nickname that is an acronym or has several words."""
    key = " ".join(words(text))
    return any(" " in key or nickname.text.isupper() for nickname in nicknames().get(key, ()))


def official(name: Name) -> str:
    """Return the address of a norm at the official publisher of names.

    >>> official(parse("urn:lex:br:federal:lei:1990-09-11;8078"))
    'https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078'
    """
    of_country = not name.local.detalhe and [subject[0] for subject in name.autoridade] == ["federal"]
    return (_NORMS if of_country else _PORTAL) + quote(name.canonical, safe=":;,")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# Suggestions: replaces unknown words of a query by known ones.


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: The minimum length of a word in which one letter may be wrong, and of a word in which two may be.
_SHORTEST, _TWO_WRONG = 4, 7
#: The maximum length of a word that is compared.
_LONGEST_MISSPELT = 30


def suggestion(store: Store, text: str, words: Iterable[str]) -> str | None:
    """Return a query with known words in place of those that no wording has; None if no word can be replaced.

    Args:
        text: the query.
        words: its words that may be misspelt, as written.

    Raises:
        StoreDamaged: the index cannot be read.
    """
    exchanged: dict[str, str] = {}
    for typed in words:
        for word in pieces(typed):
            if not (_SHORTEST <= len(word) <= _LONGEST_MISSPELT and word.isascii() and word.isalpha()):
                continue
            if not store.full_text.known(word) and (better := _nearest(store, word)):
                exchanged[word] = _spelling_in_texts(store, better)
    if not exchanged:
        return None
    return _WORD.sub(lambda match: exchanged.get(folded(match[0]), match[0]), without_invisible_marks(text))


def _nearest(store: Store, word: str) -> str | None:
    """Return the most frequent known word one letter away; if a long word has none, two letters away."""
    index = store.full_text
    near = [(index.known(candidate), candidate) for candidate in _words_one_letter_away(word)]
    nearest = max((counted for counted in near if counted[0]), default=None)
    if nearest is not None or len(word) < _TWO_WRONG:
        return nearest[1] if nearest is not None else None
    others = index.beginning(word[:2], len(word) - 2, len(word) + 2)
    close = [(count, candidate) for candidate, count in others if _distance(word, candidate, 2) <= 2]
    return max(close)[1] if close else None


def _words_one_letter_away(word: str) -> Iterator[str]:
    """Yield the variants of a word with one letter more, less or different, or with two neighbours exchanged."""
    for index in range(len(word) + 1):
        start, end = word[:index], word[index:]
        if end:
            yield start + end[1:]
        if len(end) > 1:
            yield start + end[1] + end[0] + end[2:]
        for letter in _LETTERS:
            if end and letter != end[0]:
                yield start + letter + end[1:]
            yield start + letter + end


def _distance(word: str, other: str, most: int) -> int:
    """Return the number of inserted, deleted and replaced letters between two words; above ``most`` it is not exact.

    >>> _distance("licitacao", "licitasao", 2), _distance("abcdefg", "gfedcba", 2)
    (1, 3)
    """
    before = list(range(len(other) + 1))
    for row, letter in enumerate(word, start=1):
        now = [row]
        for column, other_letter in enumerate(other, start=1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != other_letter)))
        if min(now) > most:
            return most + 1
        before = now
    return min(before[-1], most + 1)


def _spelling_in_texts(store: Store, word: str) -> str:
    """Return a known word as a text writes it, in lower case, with its accents."""
    text = store.full_text.written(word) or ""
    for match in _WORD.finditer(without_invisible_marks(text)):
        if folded(match[0]) == word:
            return match[0].lower()
    return word


# Searches by words: norms with the best of their provisions, for the words that apply on D as known on K.


#: The default and the largest number of norms on a page, and the largest offset.
DEFAULT_LIMIT, MOST, FARTHEST = 20, 100, 1_000_000
#: The maximum length of title, nickname and summary of a result, in characters.
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """The filters of a search; None if a filter is not used.

    Attributes:
        on: D: only words that apply on that day are found.
        as_known: K, not in the future.
        type, authority, place: as people or names write them.
        year: of the norm's date.
        in_force: whether to find only words in force on D; a title is found only if its norm is in force.
        norm: the name, nickname or citation of the only norm to search; its provisions are then paged.
    """

    on: date | None = None
    as_known: date | None = None
    type: str | None = None
    authority: str | None = None
    place: str | None = None
    year: int | None = None
    in_force: bool = False
    norm: str | None = None


def find(
    store: Store, text: str, narrowed: SearchFilters | None = None, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> FullTextAnswer:
    """Return a page of the norms with all the words of a text, with the best of their provisions.

    Words match regardless of accents, case, plural and common inflections. A phrase in quotation marks matches as
    written, except for accents and case. A minus excludes; a star marks a prefix. Norms with all words in the title or
    a nickname come first; if there is none, norms whose title or nickname has words with the same beginnings. If no
    wording has all the words, the last word may be a prefix. If that finds nothing, the words may be in different
    provisions of one norm. If that finds nothing, some of the words are enough, and ``every_word`` is false.

    Words beside the nickname of a norm at the end or beginning (``multa CDC``, ``multa cdc``) are searched without it;
    the norm is meant, and comes first.

    A query that ends with a day has this day as D; one that ends with a year only if it names a norm or provision.

    With ``on`` or ``in_force`` only words that apply on D are found, and the titles, nicknames and summaries of norms
    that existed on that day. Otherwise words of every day are found, and the answer states for each whether it applies
    today.

    Args:
        text: the words.
        narrowed: the filters.
        limit: the maximum number of norms on the page, at most :data:`MOST`; with the filter ``norm``, of its
            provisions.
        offset: the number of norms, or of provisions, before the page, at most :data:`FARTHEST`.

    Raises:
        BadParameter: there are no words, or a value is invalid.
        NotYetKnown: K is in the future.

    >>> from graph.store import in_memory
    >>> find(in_memory(), "defesa do consumidor").total
    0
    """
    asked = narrowed or SearchFilters()
    if not 1 <= limit <= MOST or not 0 <= offset <= FARTHEST:
        raise BadParameter(f"expected limit from 1 to {MOST} and offset from 0 to {FARTHEST}, got {limit} and {offset}")
    means, sought, day = _meant_on_a_day(store, text) if asked.on is None else ((), text, asked.on)
    query = parse_query(sought)
    asked = replace(asked, on=day)
    on, known, _ = days(asked.on, asked.as_known)
    filters = _filters(store, asked, on, known)
    means = means or meant(store, text, on)
    beside = beside_nickname(store, sought, on) if not means else None
    if beside is not None:
        query = parse_query(beside[0])
        means = tuple(replace(target, on=day) for target in beside[1]) if sought != text else beside[1]
    if filters is None:
        match, join = SearchPage(), Join.WORDING
    else:
        search = _Search(store, filters, (ordinal(on), ordinal(known)), limit, offset)
        query, match, join = search.best(query, [*_nicknamed(store, text), *_norms_of(means)])
    results = _Results(store, query, on, known, vocabulary(store))
    count = match.total if filters is None or filters.norm is None else sum(norm.provisions for norm in match.norms)
    facets = {name: {str(key): count for key, count in match.facets.get(name, {}).items()} for name in _FACETS}
    return FullTextAnswer(
        text,
        on if asked.on is not None or asked.in_force else None,
        known if asked.as_known is not None or asked.on is not None or asked.in_force else None,
        match.total,
        join is not Join.ANY,
        join is Join.WORDING,
        Facets(**facets),
        tuple(map(results.norm, match.norms)),
        suggestion(store, text, query.words)
        if not ((match.total and join is not Join.ANY) or (means and beside is None))
        else None,
        means,
        offset + limit if offset + limit < count else None,
    )


_FACETS = ("type", "year", "place")


@dataclass(frozen=True, slots=True)
class _Search:
    """One question to the index, with its alternative readings."""

    store: Store
    filters: Filters
    days: tuple[int, int]
    limit: int
    offset: int

    def best(self, query: WordQuery, first: Sequence[str]) -> tuple[WordQuery, SearchPage, Join]:
        """Return the strictest query with results, its results, and how its words are joined."""
        alike: tuple[WordQuery, SearchPage, Join] | None = None
        for read, join in self._readings(query):
            match = self._index_results(read, join, first)
            if match.is_exact:
                return read, match, join
            if match.total and alike is None:
                alike = read, match, Join.ANY
        return alike or (query, SearchPage(), Join.WORDING)

    def _readings(self, query: WordQuery) -> list[tuple[WordQuery, Join]]:
        readings = [(query, Join.WORDING)]
        if (cut := query.with_last_word_as_prefix) is not None:
            readings.append((cut, Join.WORDING))
        if len(query.wanted) > 1:
            readings.append((query, Join.NORM))
            some = tuple(
                clause for clause in query.wanted if not _kinds_of_documents(self.store).intersection(clause.words)
            )
            readings.append((replace(query, wanted=some or query.wanted), Join.ANY))
        return readings

    def _index_results(self, query: WordQuery, join: Join, first: Sequence[str]) -> SearchPage:
        return self.store.full_text.find(
            query.wanted,
            query.unwanted,
            self.filters,
            join=join,
            first=first,
            shown=self.days,
            limit=self.limit,
            offset=self.offset,
        )


def _kinds_of_documents(store: Store) -> frozenset[str]:
    """Return the words in names of document types, which occur in half of the texts."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    return frozenset(word for concept in known for word in words(concept.notation.partition(";")[0]))


def _filters(store: Store, asked: SearchFilters, on: date, known: date) -> Filters | None:
    """Return the filters in the form of the index; None if no norm of the index matches them."""
    kinds = kinds_meant(store, SearchFields(asked.type, asked.authority, asked.place, asked.year))
    if asked.in_force:
        every = {kind.id: parse(from_iri(kind.example)) for kind in store.full_text.kinds()}
        norms = frozenset(kind for kind, name in every.items() if not begins_with_its_event(name))
        kinds = norms if kinds is None else kinds & norms
    if kinds is not None and not kinds:
        return None
    dated = asked.on is not None or asked.in_force
    return Filters(
        on=ordinal(on) if dated else None,
        known=ordinal(known) if dated or asked.as_known is not None else None,
        statuses=(Status.IN_FORCE.value,) if asked.in_force else (),
        kinds=kinds,
        year=asked.year,
        norm=_norm_meant(store, asked.norm, on) if asked.norm is not None else None,
    )


def _norm_meant(store: Store, text: str, on: date) -> str:
    """Return the IRI of the norm that a text means, whether the store has it or not."""
    name = interpret(store, text, on).name
    if name is None:
        raise BadParameter(f"expected norm as the name, the citation or the nickname of one norm, got {text[:80]!r}")
    return name.work.iri


def _norms_of(means: Iterable[NamedTarget]) -> list[str]:
    """Return the IRIs of the norms that the query means."""
    return list(dict.fromkeys(parse(target.name).work.iri for target in means if target.known))


def _nicknamed(store: Store, text: str) -> list[str]:
    """Return the IRIs of at most 20 norms of the store with a text as their nickname."""
    key = nickname_key(text)
    return store.names.keys.find(key, 20) if words(text) else []


@dataclass(frozen=True, slots=True)
class _Results:
    """Makes results from the rows of the index."""

    store: Store
    query: WordQuery
    on: date
    known: date
    words: Vocabulary

    def norm(self, result: NormFound) -> NormMatch:
        """Return a norm with its provisions."""
        name = parse(from_iri(result.iri))
        title, nickname, summary = (text.partition("\n")[0][:_LONGEST] or None for text in result.called)
        norm = decided(self.store, name, self.on, self.known, Axis.FORCE)
        status = norm.status if norm is not None else Status.NOT_PUBLISHED
        held = self._days_of_status(name)
        start = held.valid_from if held is not None and norm is not None and norm.is_dated else None
        return NormMatch(
            name.canonical,
            title or _capital(label(name, vocabulary=self.words)),
            nickname,
            summary,
            round(result.score, 3),
            held,
            status,
            result.hits,
            result.provisions,
            tuple(self._provision(wording, status, start) for wording in result.wordings),
        )

    def _provision(self, wording: WordingFound, norm: Status, start: date | None) -> ProvisionFound:
        held, status = (
            self._days_of_norm(wording) if has_days_of_norm(wording.name) else self._nearest_days(wording.days)
        )
        if norm is Status.UNKNOWN and status is WordsStatus.IN_FORCE and not self._is_in_force(wording, self.on):
            held, status = None, WordsStatus.UNKNOWN
        if norm.stands and status is WordsStatus.IN_FORCE and held is not None and start is not None:
            held = self._within_force(wording, held, start)
        title, nicknames, summary, text = wording.texts
        fragment = wording.name.partition("!")[2]
        if fragment and not (nicknames or summary or text or is_grouping(fragment)):
            text = f"{title} {self._text_within(wording, held, status)}".rstrip()
        title = label_and_heading(fragment, title)
        return ProvisionFound(
            from_iri(wording.name),
            provision_label(parse(from_iri(wording.name)), Style.COMPACT) or None,
            marked_excerpt((text, summary, nicknames, title), self.query.matches()),
            from_iri(wording.of) if wording.of != wording.name else None,
            held,
            status,
            wording.record,
        )

    def _text_within(self, wording: WordingFound, held: Valid | None, status: WordsStatus) -> str:
        """Return the words of the caput, or of the first provision within an article that is only a label, on D; if its
        label does not apply on D, on the nearest day."""
        day = None
        if held is not None:
            ended = held.valid_until - ONE_DAY if held.valid_until is not None else None
            days_by_status = {
                WordsStatus.IN_FORCE: self.on,
                WordsStatus.PAST: ended,
                WordsStatus.FUTURE: held.valid_from,
            }
            day = days_by_status.get(status)
        on = ordinal(day) if day is not None else None
        return self.store.full_text.text_within(wording.name, wording.of, on, ordinal(self.known))

    def _within_force(self, wording: WordingFound, held: Valid, start: date) -> Valid:
        """Return the days of a provision; if its first days precede the start of its norm, and it was not in force on
        them, from that start on."""
        if held.valid_from is None or held.valid_from >= start:
            return held
        before = day_before(start)
        return held if self._is_in_force(wording, before) else Valid(start, held.valid_until)

    def _is_in_force(self, wording: WordingFound, on: date) -> bool:
        """Return whether a provision is in force on a day, also if its norm is not."""
        name = parse(from_iri(wording.name))
        return status_on(self.store, name, on, self.known).stands

    def _days_of_norm(self, wording: WordingFound) -> tuple[Valid | None, WordsStatus]:
        """Return the days around D with the norm's status: its title and summary apply while it is in force."""
        norm = parse(from_iri(wording.name)).work
        deciding_period = decided(self.store, norm, self.on, self.known, Axis.FORCE)
        if deciding_period is None or not deciding_period.is_dated:
            return None, WordsStatus.UNKNOWN
        return self._days_of_status(norm), _AS_NORM.get(deciding_period.status, WordsStatus.PAST)

    def _days_of_status(self, norm: Name) -> Valid | None:
        """Return the days around D on which a norm has its status; None if the first one is not known."""
        answer = both_axes(self.store, norm, self.on, self.known)[Axis.FORCE]
        return Valid(answer.since, answer.until) if answer.since is not None else None

    def _nearest_days(self, days: Sequence[Rectangle]) -> tuple[Valid | None, WordsStatus]:
        """Return the days around D on which words apply, or the nearest, as known on K."""
        day, known = ordinal(self.on), ordinal(self.known)
        known_on_k = [span for span in days if span.is_known(known)]
        if not known_on_k:
            return None, WordsStatus.UNKNOWN
        now = [period for period in known_on_k if period.start <= day < period.until]
        before = [period for period in known_on_k if period.until <= day]
        best = now[0] if now else max(before) if before else min(known_on_k)
        status = WordsStatus.IN_FORCE if now else WordsStatus.PAST if before else WordsStatus.FUTURE
        return Valid(day_of(best.start), None if best.until >= OPEN else day_of(best.until)), status


#: The status of the words of a norm by the status of the norm. With any other status, the words applied before.
_AS_NORM = {
    Status.IN_FORCE: WordsStatus.IN_FORCE,
    Status.IN_PROGRESS: WordsStatus.IN_FORCE,
    Status.DECIDED: WordsStatus.IN_FORCE,
    Status.VACATIO: WordsStatus.FUTURE,
    Status.UNKNOWN: WordsStatus.UNKNOWN,
}
