"""Search over HTTP: by identification in pages, with a cursor that stays true when the store grows; by words; and what
somebody who still writes may mean.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as day_type
from hashlib import sha256
from typing import Annotated, TypeAlias, cast

from pydantic import Field

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.urn import parse
from graph.wording.labels import label
from queries.answers import Candidate
from queries.documents import Notices, document
from queries.full_text.answers import Facets, Meant, NormMatch
from queries.full_text.finding import FARTHEST, Narrowed, find
from queries.notices import CandidatesCut
from queries.resolution.searching import MOST_WORKS, Sought, search
from queries.resolution.suggesting import Suggestion, suggest
from queries.resolution.wordings import search_words
from queries.resolution.works import Found, order_of
from queries.vocabulary import vocabulary

#: Candidates of a page where nothing is said, and at most.
DEFAULT_LIMIT, MOST = 20, 100
#: Suggestions where nothing is said.
SUGGESTED = 8
_FIELDS = ("type", "authority", "place", "year", "number", "date", "words")

_BESIDE_WORDS = ("type", "authority", "place", "year")
_OF_WORDS = ("on", "as_known", "in_force")

_Place: TypeAlias = tuple[float, int, int, str]
_Total: TypeAlias = Annotated[int, Field(ge=0)] | None


@dataclass(frozen=True, slots=True)
class SearchAsked:
    """What was said of the works that are sought; None where it was not said."""

    type: str | None
    authority: str | None
    place: str | None
    year: int | None
    number: str | None
    date: day_type | None
    words: str | None
    q: str | None = None
    on: day_type | None = None
    as_known: day_type | None = None
    in_force: bool | None = None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of the works that agree with what is said, or that have the words of ``q``.

    Attributes:
        asked: what was said.
        candidates: works that agree, best first; none beside ``q``.
        total: how many works agree; None where not all were compared.
        facets: how many norms have each type, year and place; None without ``q``.
        results: norms that have the words of ``q``, best first.
        every_word: whether each result has all the words, or only some; None without ``q``.
        suggestion: a query that would find something, where a word of ``q`` is not known; else None.
        meant: norms that ``q`` is a nickname of, also those that the store does not know.
        next: ``after`` of the next page; None on the last one.
        steps: how the question was read.
        notices: what was not understood of it.
    """

    asked: SearchAsked
    candidates: tuple[Candidate, ...]
    total: _Total
    facets: Facets | None
    results: tuple[NormMatch, ...]
    every_word: bool | None
    suggestion: str | None
    meant: tuple[Meant, ...]
    next: str | None
    steps: tuple[str, ...]
    notices: Notices


@dataclass(frozen=True, slots=True)
class WordsAsked:
    """The words that are sought, and what was said of the works; None where it was not said."""

    text: str
    type: str | None
    authority: str | None
    place: str | None
    year: int | None


@dataclass(frozen=True, slots=True)
class WordFound:
    """A norm or provision that has the words.

    Attributes:
        name: the norm or provision, canonical.
        label: the name in words, in Portuguese.
        version: the version that has the words.
        excerpt: the words around what was found.
        every_word: whether it has all words.
        score: how well it agrees; compared within one answer alone.
        source: the record that states the words.
    """

    name: str
    label: str | None
    version: str | None
    excerpt: str
    every_word: bool
    score: Annotated[float, Field(ge=0)]
    source: str


@dataclass(frozen=True, slots=True)
class WordsFound:
    """The norms and provisions that have some words.

    Attributes:
        asked: what was said.
        found: best first.
        total: how many there are; None where not all were looked at.
    """

    asked: WordsAsked
    found: tuple[WordFound, ...]
    total: _Total


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What a text that is not yet complete may mean.

    Attributes:
        asked: the text.
        suggestions: best first.
    """

    asked: str
    suggestions: tuple[Suggestion, ...]


def ask_search(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """A page of the works that agree with what is said, best first; of equals the higher place, then the newest.

    With ``q`` a page of the norms that have its words, as :func:`queries.full_text.finding.find` gives them.

    Args:
        arguments: the fields of :class:`queries.resolution.searching.Sought` (``date`` for its day), or ``q`` with
            ``type``, ``authority``, ``place``, ``year``, ``on``, ``as_known`` and ``in_force``; ``limit`` and
            ``after``, the ``next`` of an earlier page of the same question.

    Raises:
        BadParameter: too little is said, a value cannot be, or the cursor is of another question.
    """
    if arguments.get("q") is not None:
        return _full_text(store, arguments)
    beside = [key for key in _OF_WORDS if arguments.get(key) is not None]
    if beside:
        raise BadParameter(f"expected q beside {' and '.join(beside)}: the words that are sought")
    said = {key: arguments.get(key) for key in _FIELDS}
    texts = {key: None if value is None else str(value) for key, value in said.items() if key not in ("year", "date")}
    day = parse_day(str(said["date"])) if said["date"] is not None else None
    sought = Sought(year=cast("int | None", said["year"]), day=day, **texts)
    found = search(store, sought)
    question = sha256(json.dumps(said, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    ranked = list(found.found)
    after = arguments.get("after")
    if after is not None:
        passed = _read(str(after), question)
        ranked = [one for one in ranked if order_of(one) > passed]
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    page = ranked[:limit]
    words = vocabulary(store)
    cut = () if found.whole else (CandidatesCut(looked_at=MOST_WORKS),)
    return document(
        SearchPage(
            SearchAsked(sought.type, sought.authority, sought.place, sought.year, sought.number, day, sought.words),
            tuple(Candidate(one.name.canonical, label(one.name, vocabulary=words), one.score, one.why) for one in page),
            len(found.found) if found.whole else None,
            None,
            (),
            None,
            None,
            (),
            _cursor(page[-1], question) if len(ranked) > limit else None,
            found.steps,
            (*found.notices, *cut),
        )
    )


def _full_text(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """A page of the norms that have the words of ``q``."""
    beside = [key for key in ("number", "date", "words") if arguments.get(key) is not None]
    if beside:
        raise BadParameter(f"expected q without {' and '.join(beside)}: they are another search")
    text = str(arguments["q"])
    kind, authority, place = (None if (said := arguments.get(key)) is None else str(said) for key in _BESIDE_WORDS[:3])
    narrowed = Narrowed(
        on=parse_day(str(arguments["on"])) if arguments.get("on") is not None else None,
        as_known=parse_day(str(arguments["as_known"])) if arguments.get("as_known") is not None else None,
        type=kind,
        authority=authority,
        place=place,
        year=cast("int | None", arguments.get("year")),
        in_force=arguments.get("in_force") == "true",
    )
    said = {key: arguments.get(key) for key in ("q", *_BESIDE_WORDS, *_OF_WORDS)}
    question = sha256(json.dumps(said, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    after = arguments.get("after")
    offset = _offset(str(after), question) if after is not None else 0
    found = find(store, text, narrowed, limit=cast("int", arguments.get("limit", DEFAULT_LIMIT)), offset=offset)
    return document(
        SearchPage(
            SearchAsked(
                *(kind, authority, place, narrowed.year, None, None, None, text),
                narrowed.on,
                narrowed.as_known,
                narrowed.in_force,
            ),
            (),
            found.total,
            found.facets,
            found.results,
            found.every_word,
            found.suggestion,
            found.meant,
            _encoded([question, found.next_offset]) if found.next_offset is not None else None,
            (),
            (),
        )
    )


def _offset(cursor: str, question: str) -> int:
    match _decoded(cursor):
        case [str(of), int(offset)] if of == question and 0 <= offset <= FARTHEST:
            return offset
        case _:
            raise _refused()


def ask_words(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """The norms and provisions that have some words, best first.

    Args:
        arguments: ``text``, and of :class:`queries.resolution.searching.Sought` ``type``, ``authority``, ``place`` and
            ``year``; ``limit``.

    Raises:
        BadParameter: a value cannot be.
    """
    said = {key: arguments.get(key) for key in _BESIDE_WORDS}
    kind, authority, place = (None if said[key] is None else str(said[key]) for key in _BESIDE_WORDS[:3])
    within = Sought(type=kind, authority=authority, place=place, year=cast("int | None", said["year"]))
    text = str(arguments["text"])
    found, whole = search_words(store, text, within)
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    known = vocabulary(store)
    return document(
        WordsFound(
            WordsAsked(text, kind, authority, place, within.year),
            tuple(
                WordFound(
                    one.name,
                    label(parse(one.name), vocabulary=known),
                    one.version,
                    one.excerpt,
                    one.every,
                    round(one.score, 3),
                    one.record,
                )
                for one in found[:limit]
            ),
            len(found) if whole else None,
        )
    )


def ask_suggest(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """The norms whose names or nicknames begin with a text.

    Args:
        arguments: ``text``; ``limit``.
    """
    text = str(arguments["text"])
    found = suggest(store, text, cast("int", arguments.get("limit", SUGGESTED)))
    return document(Suggestions(text, found))


def _cursor(last: Found, question: str) -> str:
    return _encoded([question, *order_of(last)])


def _read(cursor: str, question: str) -> _Place:
    match _decoded(cursor):
        case [str(of), int() | float() as score, int(depth), int(day), str(name)] if of == question:
            return float(score), depth, day, name
        case _:
            raise _refused()


def _encoded(place: list[object]) -> str:
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _decoded(cursor: str) -> object:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return json.loads(urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, RecursionError):
        raise _refused() from None


def _refused() -> BadParameter:
    return BadParameter("expected after to be the `next` of an earlier page of the same question")
