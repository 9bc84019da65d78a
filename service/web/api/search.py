"""Search over HTTP: by identification in pages, with a cursor that stays true when the store grows; by words; and what
somebody who still writes may mean.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import TypeAlias, cast

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.urn import parse
from graph.wording.labels import label
from queries.answers import Candidate, Notice
from queries.resolution.searching import MOST_WORKS, Sought, search
from queries.resolution.suggesting import suggest
from queries.resolution.wordings import search_words
from queries.resolution.works import Found, order_of
from queries.vocabulary import vocabulary

__all__ = ["DEFAULT_LIMIT", "MOST", "SUGGESTED", "ask_search", "ask_suggest", "ask_words"]

#: Candidates of a page where nothing is said, and at most.
DEFAULT_LIMIT, MOST = 20, 100
#: Suggestions where nothing is said.
SUGGESTED = 8
_FIELDS = ("type", "authority", "place", "year", "number", "date", "words")

_BESIDE_WORDS = ("type", "authority", "place", "year")

_Place: TypeAlias = tuple[float, int, int, str]


def ask_search(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """A page of the works that agree with what is said, best first; of equals the higher place, then the newest.

    Args:
        arguments: the fields of :class:`queries.resolution.searching.Sought` (``date`` for its day), ``limit`` and
            ``after``, the ``next`` of an earlier page of the same question.

    Raises:
        BadParameter: too little is said, a value cannot be, or the cursor is of another question.
    """
    said = {key: arguments.get(key) for key in _FIELDS}
    texts = {key: None if value is None else str(value) for key, value in said.items() if key not in ("year", "date")}
    day = parse_day(str(said["date"])) if said["date"] is not None else None
    found = search(store, Sought(year=cast("int | None", said["year"]), day=day, **texts))
    question = sha256(json.dumps(said, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    ranked = list(found.found)
    after = arguments.get("after")
    if after is not None:
        passed = _read(str(after), question)
        ranked = [one for one in ranked if order_of(one) > passed]
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    page = ranked[:limit]
    words = vocabulary(store)
    candidates = [Candidate(one.name.canonical, label(one.name, vocabulary=words), one.score, one.why) for one in page]
    notices = list(found.notices)
    if not found.whole:
        message = f"only {MOST_WORKS} of the works with these fields were looked at: say more of them"
        notices.append(Notice("candidates-cut", message))
    return {
        "asked": said,
        "candidates": [one.as_json() for one in candidates],
        "total": len(found.found) if found.whole else None,
        "next": _cursor(page[-1], question) if len(ranked) > limit else None,
        "steps": list(found.steps),
        "notices": [notice.as_json() for notice in notices],
    }


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
    found, whole = search_words(store, str(arguments["text"]), within)
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    known = vocabulary(store)
    return {
        "asked": {"text": str(arguments["text"]), **said},
        "found": [
            {
                "name": one.name,
                "label": label(parse(one.name), vocabulary=known),
                "version": one.version,
                "excerpt": one.excerpt,
                "every_word": one.every,
                "score": round(one.score, 3),
                "source": one.record,
            }
            for one in found[:limit]
        ],
        "total": len(found) if whole else None,
    }


def ask_suggest(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """The norms whose names or nicknames begin with a text.

    Args:
        arguments: ``text``; ``limit``.
    """
    text = str(arguments["text"])
    found = suggest(store, text, cast("int", arguments.get("limit", SUGGESTED)))
    return {"asked": text, "suggestions": [one.as_json() for one in found]}


def _cursor(last: Found, question: str) -> str:
    return urlsafe_b64encode(json.dumps([question, *order_of(last)]).encode()).decode().rstrip("=")


def _read(cursor: str, question: str) -> _Place:
    refused = BadParameter("expected after to be the `next` of an earlier page of the same question")
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        match json.loads(urlsafe_b64decode(padded.encode("ascii"))):
            case [str(of), int() | float() as score, int(depth), int(day), str(name)] if of == question:
                return float(score), depth, day, name
            case _:
                raise refused
    except (ValueError, RecursionError):
        raise refused from None
