"""HTML pages for errors, with the content of the problem details."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

import anyio.to_thread
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from graph.civil import today
from graph.errors import BadDate, BadParameter, NotYetKnown
from graph.urn import Name, parse, parse_or_none
from graph.vocabulary import built_in
from graph.wording.numerals import read_day
from queries.documents import read_reason
from queries.full_text import official
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language, best, parse_language
from service.web.http.problems import PROBLEM_TYPE, REASON, problem_response
from service.web.names.versions import SpokenOf
from service.web.pages.description import meaning_of
from service.web.pages.frame import Frame, Messages, format_markup, frame_of, render, vary_headers, words_in
from service.web.pages.notices import why
from service.web.pages.writer import PageWriter
from service.web.service import service_of

#: The values of ``format`` that select the format of a problem too.
_PROBLEM_FORMATS = frozenset({"html", "text/html", "json", "application/json", PROBLEM_TYPE})
#: The codes of problems with a day, and the message keys of the fields by the names of their parameters.
_ABOUT_DAYS = frozenset({"bad-date", "outside-knowledge-horizon"})
_KNOWN = "norm.as_known"
_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "q": "search.words",
        "palavras": "search.words",
        "on": "norm.date_label",
        "vigente_em": "norm.date_label",
        "eficaz_em": "norm.date_label",
        "as_known": _KNOWN,
        "conhecido_em": _KNOWN,
        "from": "difference.from",
        "de": "difference.from",
        "to": "difference.to",
        "ate": "difference.to",
    }
)
#: The names in addresses of the parameters of which a page says which value is wrong.
_FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"year": ("year", "ano"), "start": ("start", "inicio"), "lang": ("lang",), "from": ("from", "de")}
)
#: Matches a year, or a month and a year, in place of a day.
_INCOMPLETE = re.compile(r"\s*(?:[0-9]{1,2}\s?[/.-]\s?)?[0-9]{4}\s*", re.ASCII)
#: Matches the section of a specification in a problem of a name.
_SECTION = re.compile(r"([^,]+?)(?: part (\d+))?, sections? ([\d.]+)(?: and ([\d.]+))?", re.ASCII)
#: The codes of problems of a norm or provision.
_ABOUT_NAMES = frozenset({"unknown-name", "no-such-provision", "not-in-force"})
_NOT_DAYS = frozenset({"q", "palavras"})
#: The message keys for norms without text, by where sources mention them.
_SPOKEN_OF: Mapping[str, str] = MappingProxyType(
    {
        SpokenOf.BY_OTHERS: "problem.name_referred",
        SpokenOf.FACTS: "problem.name_only_told",
        SpokenOf.ITS_NORM: "problem.name_of_part",
    }
)
#: The maximum number of characters of a value that the form repeats.
_LONGEST_VALUE = 1_000
#: The maximum number of characters of an address that a link searches for.
_LONGEST = 200


def prefers_page(request: Request) -> bool:
    """Return whether the client prefers HTML to JSON, by ``format``, else by ``Accept``."""
    asked = request.query_params.get("format", "").strip()
    if asked:
        return asked.lower() in ("html", "text/html")
    return accepts_page(request)


def accepts_page(request: Request) -> bool:
    """Return whether the client prefers HTML to JSON by ``Accept`` alone."""
    return best(request.headers.get("accept"), (PROBLEM_TYPE, "application/json", "text/html")) == "text/html"


async def error_response(request: Request, error: Exception) -> Response:
    """Return the response to an error: problem details (RFC 9457), or an HTML page with the same content."""
    response = await problem_response(request, error)
    if response.media_type != PROBLEM_TYPE:
        return response
    document: dict[str, object] = json.loads(bytes(response.body))
    code = str(document["code"])
    # ``format`` selects the format of a problem only by a value that problems have, not by that of a file
    kind = request.query_params.get("format", "").strip().lower().replace(" ", "+")
    if not (prefers_page(request) if kind in _PROBLEM_FORMATS else accepts_page(request)):
        _vary(response, "Accept")
        return response
    frame = frame_of(request)
    words = words_in(frame.language)
    status = 422 if isinstance(error, NotYetKnown) else document["status"]  # the page is found, but not for that day
    about_name, meaning = _about_name(code, document)
    title, asked = about_name or f"problem.{status}", _name_asked(request, code)
    form = _form(frame, words) if code in _ABOUT_DAYS else ()
    incomplete = any(field.incomplete for field in form)
    if incomplete:
        title = "problem.incomplete"
    known = built_in()
    if code in _ABOUT_NAMES:
        known = await anyio.to_thread.run_sync(vocabulary, service_of(request).snapshot.store)
    writer = PageWriter(frame, known, lambda _: False)
    without = _without_text(document, writer)
    if without is not None:
        title = "status.no-such-provision" if code == "no-such-provision" else "problem.no_text"
    wrong = _wrong_part(request, document, words) or _wrong_field(request, document, words)
    request.scope[REASON] = code
    body = render(
        "problem.html",
        frame,
        status=document["status"],
        code=code,
        title=words(title) if words.has(title) else document["title"],
        meaning=None
        if form or without is not None or (wrong is not None and code == "bad-parameter")
        else words("problem.future")
        if isinstance(error, NotYetKnown)
        else words(meaning)
        if meaning is not None
        else meaning_of(code, frame.language)
        if about_name is None
        else None,
        form=form,
        detail=document["detail"] if frame.language is Language.ENGLISH else None,
        parameter=document.get("parameter") if wrong is None else None,
        wrong=wrong,
        known=_texts(document.get("known")),
        near=_texts(document.get("near")),
        without=without,
        norm=writer.title(asked) if asked is not None else None,
        official=official(asked.work) if asked is not None else None,
        sought=_search_text(request, code),
        neighbours=_name_links(document.get("neighbours"), writer),
        candidates=_name_links(document.get("candidates"), writer),
        referring=_name_links(document.get("referring"), writer),
    )
    dropped = {"content-length", "content-type"}
    headers = {key: value for key, value in response.headers.items() if key not in dropped}
    page = Response(body, response.status_code, headers, "text/html")
    for key, value in vary_headers(frame).items():
        if key == "Vary":
            _vary(page, value)
        else:
            page.headers[key] = value
    return page


@dataclass(frozen=True, slots=True)
class _WithoutText:
    """A norm or provision without a text on a day: the sentence that says so, and a link to a page with other texts."""

    sentence: Markup
    path: str
    link: str


def _without_text(document: Mapping[str, object], writer: PageWriter) -> _WithoutText | None:
    """Return the norm or provision of a problem that has no text on a day; None for all other problems.

    Of a provision that does not exist, the page is that of its norm.
    """
    if document["code"] == "no-such-provision" and "on" in document:
        return _without_provision(document, writer)
    if "page" not in document:
        return None
    name, day = str(document["name"]), date.fromisoformat(str(document["on"]))
    values = {"name": writer.title(name), "day": writer.words.day(day)}
    status = writer.agreed(f"status.{document['force']}", name)
    return _WithoutText(
        writer.words("problem.no_text_of", status=status, **values),
        str(document["page"]),
        writer.words("problem.other_days"),
    )


def _without_provision(document: Mapping[str, object], writer: PageWriter) -> _WithoutText:
    """Return the provision of a problem that its norm does not have, with a link to the nearest one."""
    name, nearest = parse(str(document["name"])), document["nearest"]
    words, norm = writer.words, writer.title(name.work.canonical)
    day = words.day(date.fromisoformat(str(document["on"])))
    sentence = words("norm.no_such", name=writer.within(name), day=day)
    if nearest is not None:
        address, label = writer.frame.to(name_path(str(nearest))), writer.title(str(nearest))
        link = format_markup('<a href="{}">{}</a>', address, label)
        sentence = format_markup("{} {}", sentence, words("norm.nearest", name=link))
    return _WithoutText(sentence, name_path(name.work.canonical), norm)


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the form of a problem with a day.

    Attributes:
        name: the name of the parameter, as the reader gave it.
        value: its value.
        label: its label; None for a hidden field.
        is_day: whether it takes a day.
        wrong: whether its value is no day, or a day of knowledge in the future.
        incomplete: whether its value is only a year, or a month and a year.
    """

    name: str
    value: str
    label: str | None = None
    is_day: bool = False
    wrong: bool = False
    incomplete: bool = False


def _form(frame: Frame, words: Messages) -> Sequence[_Field]:
    """Return the fields of the form that gave an invalid day, with the values that the reader typed."""
    fields: list[_Field] = []
    for name, value in frame.query:
        key = _LABELS.get(name)
        day = key is not None and name not in _NOT_DAYS
        fields.append(
            _Field(
                name,
                value[:_LONGEST_VALUE],
                str(words(key)) if key is not None else None,
                day,
                day and bool(value.strip()) and not _is_day(value, known=key == _KNOWN),
                day and _INCOMPLETE.fullmatch(value) is not None,
            )
        )
    return fields if any(field.wrong for field in fields) else ()


def _is_day(text: str, *, known: bool) -> bool:
    try:
        day = read_day(text)
    except BadDate:
        return False
    return not known or day <= today()


def _wrong_part(request: Request, document: Mapping[str, object], words: Messages) -> Markup | None:
    """Return the sentence with the place of the error in an invalid name of the path; None for other problems."""
    _, mark, rest = str(request.scope["path"]).partition("urn:lex:")
    text, start, end = mark + rest, document.get("start"), document.get("end")
    if document["code"] != "bad-name" or not mark or not isinstance(start, int) or not isinstance(end, int):
        return None
    rule = _rule(str(document["see"]), words)
    values = {"part": text[start:end][:_LONGEST], "first": start + 1, "rule": rule}
    return words("problem.wrong_part" if text[start:end] else "problem.wrong_place", **values)


def _rule(section: str, words: Messages) -> Markup | str:
    """Return a section of a specification in words, such as ``LexML 1.0, parte 2, seção 10.1``."""
    found = _SECTION.fullmatch(section)
    if found is None:
        return section
    specification, part, first, second = found.groups()
    if part is not None:
        specification = words("problem.rule_part", specification=specification, part=part)
    key = "problem.rule_section" if second is None else "problem.rule_sections"
    return words(key, specification=specification, first=first, second=second)


def _wrong_field(request: Request, document: Mapping[str, object], words: Messages) -> Markup | None:
    """Return the sentence that says which field has an invalid value; None where the problem names no field."""
    parameter = str(document.get("parameter", "" if _has_language(request) else "lang"))
    if document["code"] != "bad-parameter" or parameter not in _FIELDS:
        return None
    value = next((text for name, text in request.query_params.multi_items() if name in _FIELDS[parameter]), "")
    return words(f"problem.wrong_{parameter}", value=value[:_LONGEST])


def _has_language(request: Request) -> bool:
    """Return whether ``lang`` is absent or valid."""
    try:
        parse_language(request.query_params.get("lang", Language.PORTUGUESE.value))
    except BadParameter:
        return False
    return True


def _name_asked(request: Request, code: str) -> Name | None:
    """Return the norm or provision in the path of a request, where the store does not know it; else None."""
    _, mark, text = request.scope["path"].partition("urn:lex:")
    if code != "unknown-name" or not mark:
        return None
    name = parse_or_none(mark + text.removesuffix(".atom"))
    if name is None:
        return None
    return name.provision or name.work


def _search_text(request: Request, code: str) -> str | None:
    """Return the text to search for in place of an address that does not exist; None for other problems."""
    text = request.scope["path"].strip("/")
    return text[:_LONGEST] if code == "unknown-address" and text and text.count("/") <= 1 else None


def _texts(values: object) -> Sequence[str]:
    return [str(value) for value in values] if isinstance(values, list) else []


def _vary(response: Response, fields: str) -> None:
    """Add fields to the ``Vary`` header. It may have some already, such as ``Accept-Datetime``."""
    reported = f"{response.headers.get('vary', '')},{fields}".split(",")
    kept = {field_name.strip().lower(): field_name.strip() for field_name in reported if field_name.strip()}
    response.headers["Vary"] = ", ".join(kept.values())


def _about_name(code: str, document: Mapping[str, object]) -> tuple[str | None, str | None]:
    """Return the message keys of the title and of the meaning of a problem about a name; None for the general ones."""
    if document.get("spoken_of") in _SPOKEN_OF:
        return "problem.name_textless", _SPOKEN_OF[str(document["spoken_of"])]
    if document.get("spoken_of") == SpokenOf.NOWHERE or (code == "unknown-name" and document.get("candidates")):
        return "problem.name_unspoken", None
    return None, None


def _name_links(names: object, writer: PageWriter) -> Sequence[Mapping[str, object]]:
    """Return the names in a problem as links, each with its label and the reasons why it may be meant."""
    return [
        {
            "address": name["address"],
            "name": name["name"],
            "label": writer.title(str(name["name"])),
            "why": why(map(read_reason, name["reasons"]), writer) if name.get("reasons") else None,
        }
        for name in (names if isinstance(names, list) else [])
        if isinstance(name, dict) and "address" in name
    ]
