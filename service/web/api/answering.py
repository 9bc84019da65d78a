"""What each endpoint answers: plain arguments to one JSON document, in whichever process the question is worked on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

import orjson

from graph.civil import parse_day
from graph.errors import BadName
from graph.store import Store
from graph.urn import Name, parse
from queries import diff, in_force, resolve, text, timeline
from queries.answers import InForce, Resolution
from queries.dossier import Dossier, dossier
from queries.english import why_unknown
from queries.evidence import records
from queries.notices import Notice, NoVersionAnswers
from queries.question import days
from queries.reasons import Status
from queries.text.answers import Difference, TextAnswer
from service.documents import (
    canonical_document,
    citations_document,
    context_of,
    epigraph_document,
    is_unknown,
    label_document,
    parts_document,
    queries_document,
    refuse_bad_question,
)
from service.web.http.problems import Problem
from service.web.text_cache import compared

#: The media type of every answer.
JSON = "application/json"
#: Values of parameters by their names, as the endpoints read them.
Arguments: TypeAlias = Mapping[str, object]

#: Of so many summaries an answer takes three milliseconds at most: a thread would wait longer for its turns, one after
#: each call that leaves the interpreter to others.
_FEW = 150


def written(document: object) -> bytes:
    r"""A document as compact JSON in UTF-8; half a surrogate pair, which UTF-8 has no way to write, as an escape.

    >>> written({"text": "Lei nº 1 \ud800"})
    b'{"text":"Lei n\xc2\xba 1 \\ud800"}'
    """
    try:
        return orjson.dumps(document)
    except orjson.JSONEncodeError:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def ask_in_force(store: Store, arguments: Arguments) -> dict[str, object]:
    """Which version was in force.

    Raises:
        BadName, BadDate, BadParameter: the question is not one.
        Problem: 404 ``unknown-name`` with the answer in it.
    """
    name, on, known, axis = (_said(arguments, key) for key in ("urn", "on", "as_known", "axis"))
    return _known(in_force(store, name or "", on, known, axis))


def is_quick(store: Store, arguments: Arguments) -> bool:
    """Whether a question is about a norm that is known by that very name, and of which no great many records speak."""
    try:
        name = parse(str(arguments["urn"]))
    except BadName:
        return False
    if name.fragmento is not None or name.rfc is not None:
        return False
    return 0 < store.summary(name.work.iri).weight <= _FEW


def ask_dossier(store: Store, arguments: Arguments) -> dict[str, object]:
    """All about a norm; errors as of :func:`ask_in_force`."""
    name, on, known, axis = (_said(arguments, key) for key in ("name", "on", "as_known", "axis"))
    refuse_bad_question(name or "", on, known, axis)
    return _known(dossier(store, name or "", on, known, axis))


def ask_text(store: Store, arguments: Arguments) -> dict[str, object]:
    """How a norm or provision read; errors as of :func:`ask_in_force`."""
    name, on, known, axis = (_said(arguments, key) for key in ("urn", "on", "as_known", "axis"))
    refuse_bad_question(name or "", on, known, axis)
    return _known(text(store, name or "", on, known, axis))


def ask_timeline(store: Store, arguments: Arguments) -> dict[str, object]:
    """All versions of a norm; errors as of :func:`ask_in_force`, and UnknownName."""
    name = str(arguments["urn"])
    refuse_bad_question(name)
    return timeline(store, name).as_json()


def ask_diff(store: Store, arguments: Arguments) -> dict[str, object]:
    """What changed between two days, by what the pages of differences remember; errors as of :func:`ask_in_force`."""
    asked, known = str(arguments["urn"]), _said(arguments, "as_known")
    refuse_bad_question(asked, str(arguments["to"]), known)
    since, until = (parse_day(str(arguments[key])) for key in ("from", "to"))
    name = _through_time(store, asked)
    if name is None or until < since:
        return _known(diff(store, asked, since, until, known))
    return _known(compared(store, name, since, until, days(until, known).as_known))


def _through_time(store: Store, asked: str) -> Name | None:
    """The norm or provision of whose versions a text is the very name, where the store knows it; else None."""
    try:
        name = parse(asked)
    except BadName:
        return None
    plain = name.text == name.canonical == (name.provision or name.work).canonical
    return name if plain and records(store, name.iri) else None


def ask_resolve(store: Store, arguments: Arguments) -> dict[str, object]:
    """What a name, citation or nickname leads to; errors as of :func:`ask_in_force`."""
    name, on, known = str(arguments["urn"]), _said(arguments, "on"), _said(arguments, "as_known")
    refuse_bad_question(name, as_known=known)
    return _known(resolve(store, name, known, on))


def _said(arguments: Arguments, key: str) -> str | None:
    value = arguments.get(key)
    return None if value is None else str(value)


def _known(answer: InForce | TextAnswer | Difference | Resolution | Dossier) -> dict[str, object]:
    """The document of an answer.

    Raises:
        Problem: 404: nothing is known of the name, or the text leads to nothing. Candidates are an answer.
    """
    led = isinstance(answer, Resolution) and bool(answer.candidates or any(map(_is_answer, answer.notices)))
    if not led and (isinstance(answer, Resolution) or is_unknown(answer)):
        raise Problem(404, "unknown-name", _why(answer.notices), more={"answer": answer.as_json()})
    return answer.as_json()


def _why(notices: tuple[Notice, ...]) -> str:
    return why_unknown(notices) or "no source in this store speaks of the name"


def _is_answer(notice: Notice) -> bool:
    """Whether a name without candidates is answered all the same: no version answers, and the status says why."""
    return isinstance(notice, NoVersionAnswers) and notice.status is not Status.UNKNOWN_NAME


def tell_parts(arguments: Arguments) -> object:
    """Every part of a name. Raises BadName."""
    return parts_document(str(arguments["urn"]))


def tell_canonical(arguments: Arguments) -> object:
    """The canonical spelling of a name. Raises BadName."""
    return canonical_document(str(arguments["urn"]))


def tell_label(arguments: Arguments) -> object:
    """A name in words. Raises BadName, BadParameter."""
    return label_document(str(arguments["urn"]), _said(arguments, "context"))


def tell_epigraph(arguments: Arguments) -> object:
    """The name that an epigraph spells. Raises BadEpigraph, BadParameter."""
    return epigraph_document(str(arguments["text"]), _said(arguments, "place"), _said(arguments, "authority"))


def tell_citations(arguments: Arguments) -> object:
    """The citations in a text. Raises BadName, BadParameter."""
    on = _said(arguments, "on")
    day = parse_day(on) if on else None
    context = context_of(_said(arguments, "norm"), _said(arguments, "provision"), day, place=_said(arguments, "place"))
    return citations_document(str(arguments["text"]), context)


def tell_queries(_: Arguments) -> object:
    """The catalogue of queries."""
    return queries_document()
