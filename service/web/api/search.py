"""Search by identification over HTTP: pages of candidates, with a cursor that stays true when the store grows."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import TypeAlias, cast

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.wording.labels import label
from queries.answers import Candidate, Notice
from queries.resolution.searching import MOST_WORKS, Sought, search
from queries.resolution.works import Found, order_of
from queries.vocabulary import vocabulary

__all__ = ["DEFAULT_LIMIT", "MOST", "ask_search"]

#: Candidates of a page where nothing is said, and at most.
DEFAULT_LIMIT, MOST = 20, 100
_FIELDS = ("type", "authority", "place", "year", "number", "date", "words")

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
