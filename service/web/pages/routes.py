"""The routes of pages whose addresses are not names: search, difference, badges, timelines, files, crawler files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from graph.civil import today
from graph.errors import BadParameter, NotYetKnown
from graph.time.kinds import Axis
from graph.urn import parse
from queries.full_text import FARTHEST
from queries.questions import understood
from queries.resolution.spelling import is_name
from queries.text.diff import ORIGINAL
from queries.vocabulary import vocabulary
from service.output import shown
from service.web.cached_documents import assets, document
from service.web.http.name_paths import name_path, text_in_path
from service.web.http.negotiation import best, parse_language
from service.web.http.problems import PROBLEM_TYPE, Problem, repeated_parameter, unknown_parameter
from service.web.laid_out import PREVIOUS
from service.web.names.parameters import EVERY_PARAMETER, asked_in, day_in, part_in
from service.web.names.questions import answer_path
from service.web.pages import (
    badge,
    citing,
    consolidation,
    difference,
    feeds,
    home,
    pictures,
    publication,
    queries,
    relations,
    search,
    timeline,
    whole_text,
)
from service.web.pages.downloads import FILES
from service.web.pages.editor import query_named
from service.web.pages.frame import Frame, frame_of, page_tag, render, vary_headers
from service.web.pages.problem_page import accepts_page
from service.web.replies import (
    METHODS,
    TaskResponse,
    address_of,
    cache_control,
    cache_control_as_known,
    conditional,
    entity_tag,
    format_of,
    readable,
)
from service.web.service import service_of

_YEAR = 31_536_000
#: The parameters of the search, with their Portuguese names.
SEARCH_PARAMETERS: Mapping[str, str | None] = MappingProxyType(
    {
        "q": "palavras",
        "type": "tipo",
        "authority": "autoridade",
        "place": "local",
        "year": "ano",
        "on": "vigente_em",
        "as_known": "conhecido_em",
        "in_force": "em_vigor",
        "norm": "norma",
        "start": "inicio",
        "lang": None,
    }
)
#: The parameters of the difference, with their Portuguese names.
DIFFERENCE_PARAMETERS: Mapping[str, str | None] = MappingProxyType(
    {"from": "de", "to": "ate", "as_known": "conhecido_em", "view": "ver", "part": "parte", "lang": None}
)
#: The parameters of the whole text, with their Portuguese names.
TEXT_PARAMETERS: Mapping[str, str | None] = MappingProxyType(
    {"on": "vigente_em", "as_known": "conhecido_em", "view": "ver", "format": None, "lang": None}
)
#: The parameters of a citation, with their Portuguese names.
CITING_PARAMETERS: Mapping[str, str | None] = MappingProxyType(
    {"on": "vigente_em", "as_known": "conhecido_em", "format": None, "lang": None}
)
#: The parameters of a search feed, with their Portuguese names.
FEED_PARAMETERS: Mapping[str, str | None] = MappingProxyType(
    {"q": "palavras", "type": "tipo", "authority": "autoridade", "place": "local", "year": "ano", "lang": None}
)
#: The tasks that the help page describes, and the terms that it explains.
HELPED = ("find", "day", "compare", "cite", "print", "follow")
EXPLAINED = ("force", "effect", "vacatio", "revoked", "restored", "vetoed", "published", "unknown")
#: The maximum number of characters of a search field.
_LONGEST = 1_000
_FIRST_YEAR, _LAST_YEAR = 1500, 2199
#: The fields beside which words are searched for, even if they are a question.
_NARROWING = ("type", "authority", "place", "year", "on", "as_known", "in_force", "norm", "start")
_BADGE_FORMATS: Mapping[str, str] = MappingProxyType({"svg": badge.SVG, "html": badge.HTML})
#: Any site may frame a badge. The badge itself may load styles only.
_BADGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
#: The parameter with the first name of a page.
_FROM = "from"
#: The paths that crawlers should skip: unlimited queries, APIs, and parts of other pages.
_LEFT_ALONE = (
    "/api/",
    "/articles/",
    "/badge/",
    "/blame/",
    "/cite/",
    "/diff/",
    "/disagreements/",
    "/metrics",
    "/relations/",
    "/search",
    "/sparql",
    "/text/",
    "/timegate/",
    "/timemap/",
)
#: The maximum duration of the list of all norms, and the seconds for which a cache may keep it.
_SECONDS, _KEPT = 120.0, 86_400


def routes() -> list[Route]:
    """Return the routes of these pages."""
    return [
        Route("/assets/{digest}/{name}", _asset, methods=METHODS),
        Route(citing.PREFIX + "/{urn:anything}", _citation, methods=METHODS),
        Route(consolidation.BLAME_PREFIX + "/{urn:anything}", _blame, methods=METHODS),
        Route(difference.PREFIX + "/{urn:anything}", _difference, methods=METHODS),
        *(
            Route(prefix + "/{urn:anything}", _of_norm(prefix, respond), methods=METHODS)
            for prefix, respond in (
                (consolidation.DISAGREEMENTS_PREFIX, _without_days(consolidation.DISAGREEMENTS)),
                (relations.PREFIX, _relations),
                (pictures.ARTICLES_PREFIX, _without_days(pictures.ARTICLES)),
            )
        ),
        Route(pictures.STOCK_PATH, _stock, methods=METHODS),
        Route("/search", _search, methods=METHODS),
        Route(whole_text.PREFIX + "/{urn:anything}", _whole_text, methods=METHODS),
        Route("/feeds/", _feeds, methods=METHODS),
        Route("/feeds/norms/{urn:anything}", _norm_feed, methods=METHODS),
        *(Route(f"/feeds/search.{kind}", _search_feed, methods=METHODS) for kind in feeds.FORMATS),
        Route("/help", _help, methods=METHODS),
        Route("/opensearch.xml", _opensearch, methods=METHODS),
        Route("/queries/{name}/answer", _query_answer, methods=METHODS),
        Route(publication.PATH, _publication, methods=METHODS),
        Route("/recent", _recent, methods=METHODS),
        Route("/robots.txt", _robots, methods=METHODS),
        Route(home.SITEMAP_PATH, _sitemap, methods=METHODS),
        Route(badge.PREFIX + "/{urn:anything}", _badge, methods=METHODS),
        Route(timeline.PREFIX + "/{urn:anything}", _timeline, methods=METHODS),
    ]


@readable
def _asset(request: Request) -> Response:
    """Return a static file, cached for a year at the address of its current content, else revalidated."""
    asked_in(request, known=())
    asset = assets().get(request.path_params["name"])
    if asset is None:
        raise Problem(404, "unknown-address", "there is no such file")
    fresh = request.path_params["digest"] == asset.digest
    keeping = f"public, max-age={_YEAR}, immutable" if fresh else "no-cache"
    headers = {"ETag": f'W/"{asset.digest}"', "Cache-Control": keeping, "Content-Type": asset.media}
    headers["Vary"] = "Accept-Encoding"
    return conditional(request, Response(asset.body, headers=headers))


@readable
def _search(request: Request) -> Response | TaskResponse:
    stated = _form_values(request, SEARCH_PARAMETERS)
    form = {
        "words": stated.get("q"),
        "type": stated.get("type"),
        "authority": stated.get("authority"),
        "place": stated.get("place"),
        "year": _year(stated.get("year")),
        "on": _day("on", stated.get("on")),
        "as_known": _day("as_known", stated.get("as_known")),
        "in_force": _flag("in_force", stated.get("in_force")),
        "norm": _norm(stated.get("norm")),
        "start": _start(stated.get("start")),
    }
    if (to := _redirect_path(request, form)) is not None:
        frame = frame_of(request)
        return RedirectResponse(frame.base + frame.to(to), 303)
    return page_wanted(request, search.KIND, {"form": form})


def _redirect_path(request: Request, form: Mapping[str, object]) -> str | None:
    """Return the path of the page that answers a question in words; None for words to search for."""
    if any(form[key] for key in _NARROWING):
        return None
    question = understood(service_of(request).snapshot.store, str(form["words"] or ""), today())
    return answer_path(question) if question is not None else None


@readable
def _difference(request: Request) -> TaskResponse:
    name = _named_in(request, difference.PREFIX)
    stated = _form_values(request, DIFFERENCE_PARAMETERS)
    days: dict[str, str | None] = {key: _day(key, stated.get(key)) for key in ("to", "as_known")}
    since, until = stated.get("from"), days["to"]
    since = since if since in (ORIGINAL, PREVIOUS) else _day("from", since)
    view = stated.get("view")
    if view not in (None, difference.SIDE):
        raise BadParameter(f"expected view {difference.SIDE}, got {shown(view)[:40]!r}")
    swapped = since not in (None, ORIGINAL, PREVIOUS) and until is not None and until < str(since)
    days |= {"from": until, "to": since} if swapped else {"from": since}
    part = part_in(stated.get("part")) or 1
    return page_wanted(request, difference.KIND, {"name": name, "view": view, "part": part, "swapped": swapped, **days})


@readable
def _feeds(request: Request) -> Response:
    frame = frame_of(request)
    followed = _form_values(request, {"q": "palavras", "lang": None}).get("q")
    return _page(request, frame, feeds.feeds_page(service_of(request).snapshot.store, frame, followed))


@readable
def _help(request: Request) -> Response:
    frame = frame_of(request)
    _form_values(request, {"lang": None})
    return _page(request, frame, render("help.html", frame, tasks=HELPED, terms=EXPLAINED))


@readable
def _publication(request: Request) -> Response:
    service, frame = service_of(request), frame_of(request)
    _form_values(request, {"lang": None})
    reports = publication.reports_of(service.settings.store)
    return _page(request, frame, publication.publication_page(frame, vocabulary(service.snapshot.store), reports))


def _page(request: Request, frame: Frame, body: bytes) -> Response:
    response = document(request, body, "text/html")
    response.headers.update(vary_headers(frame))
    return response


@readable
def _norm_feed(request: Request) -> TaskResponse:
    text, _, kind = text_in_path(request, "/feeds/norms/").rpartition(".")
    if kind not in feeds.FORMATS or not is_name(text):
        detail = "expected /feeds/norms/, a name that begins with urn:lex:, and .atom or .json"
        raise Problem(404, "unknown-address", detail)
    name = parse(text)
    _form_values(request, {"lang": None})
    return page_wanted(request, feeds.NORM_FEED, {"name": (name.provision or name.work).canonical, "format": kind})


@readable
def _search_feed(request: Request) -> TaskResponse:
    stated = _form_values(request, FEED_PARAMETERS)
    if "q" not in stated:
        raise Problem(400, "missing-parameter", "expected q, the words to search by", more={"parameter": "q"})
    form = {key: stated.get(key) for key in ("q", "type", "authority", "place")}
    kind = request.url.path.rpartition(".")[2]
    return page_wanted(request, feeds.SEARCH_FEED, {**form, "year": _year(stated.get("year")), "format": kind})


@readable
def _recent(request: Request) -> TaskResponse:
    stated = _form_values(request, {"from": "de", "to": "ate", "lang": None})
    days = {key: _day(key, stated.get(key)) for key in ("from", "to")}
    since, until = days["from"], days["to"] or today().isoformat()
    if since is not None and since > until:
        detail = f"expected two days in order, got {since} and {until}: ask for the changes from {until} to {since}"
        raise _wrong_field("from", detail)
    return page_wanted(request, feeds.RECENT, days)


@readable
def _opensearch(request: Request) -> Response:
    _form_values(request, {})
    body = render("opensearch.xml", frame_of(request))
    return document(request, body, "application/opensearchdescription+xml", negotiated=False, linked=True)


@readable
def _citation(request: Request) -> TaskResponse:
    target = _named_in(request, citing.PREFIX)
    stated = _form_values(request, CITING_PARAMETERS)
    kind = _file_kind(stated, citing.FILES)
    arguments = {"name": target, "format": kind, **_days(stated)}
    wanted = page_wanted(request, citing.KIND, arguments)
    if kind == "html":
        return wanted
    return _attached(wanted, f"{_file_name(target)}.{kind}")


@readable
def _blame(request: Request) -> TaskResponse:
    target = _named_in(request, consolidation.BLAME_PREFIX)
    stated = _form_values(request, {"on": "vigente_em", "lang": None})
    return page_wanted(request, consolidation.BLAME, {"name": target, "on": _day("on", stated.get("on"))})


def _of_norm(prefix: str, respond: Callable[[Request, str], TaskResponse]) -> Callable[[Request], Awaitable[Response]]:
    """Return the function that answers the address of a page about a whole norm; that of a provision redirects to it.

    Args:
        prefix: the prefix of the address.
        respond: returns the answer for the name of the norm.
    """

    @readable
    def answer(request: Request) -> Response | TaskResponse:
        name = parse(_named_in(request, prefix))
        if name == name.work:
            return respond(request, name.canonical)
        frame = frame_of(request)
        return RedirectResponse(
            frame.base + frame.to(prefix + name_path(name.work.canonical), **dict(frame.query)), 303
        )

    return answer


def _without_days(kind: str) -> Callable[[Request, str], TaskResponse]:
    """Return the function that returns the task of a page about a norm that has no parameter but the language."""

    def respond(request: Request, norm: str) -> TaskResponse:
        _form_values(request, {"lang": None})
        return page_wanted(request, kind, {"name": norm})

    return respond


def _relations(request: Request, norm: str) -> TaskResponse:
    stated = _form_values(request, {"on": "vigente_em", "as_known": "conhecido_em", "year": "ano", "lang": None})
    arguments = {"name": norm, "year": _year(stated.get("year")), **_days(stated)}
    return page_wanted(request, relations.KIND, arguments)


@readable
def _stock(request: Request) -> TaskResponse:
    _form_values(request, {"lang": None})
    return page_wanted(request, pictures.STOCK, {})


@readable
def _query_answer(request: Request) -> Response | TaskResponse:
    query = query_named(request.path_params["name"])
    named = [parameter.name for parameter in query.parameters]
    stated = _form_values(request, dict.fromkeys((*named, "format", "lang"), None))
    kind = _file_kind(stated, queries.FILES)
    values = {key: value for key, value in stated.items() if key not in ("format", "lang")}
    wanted = page_wanted(request, queries.KIND, {"query": query.name, "values": values})
    if kind == "html":
        return wanted
    now = str(wanted.arguments["today"])
    read = queries.values_read(service_of(request).snapshot.store, query, values, now)
    if kind != queries.NAMED:
        return RedirectResponse(
            f"{address_of(request)}{queries.API_PATH}{query.name}?{urlencode({**read, 'format': kind})}", 303
        )
    try:
        query.bindings(read)
    except (BadParameter, NotYetKnown):
        if accepts_page(request):  # the form, with the values and the message
            return wanted
        raise
    return replace(_attached(wanted, f"{query.name}_{now}.csv"), kind=queries.NAMED_KIND)


def _named_in(request: Request, prefix: str) -> str:
    """Return the canonical name, without a version, of the norm or provision in the path of a page.

    Raises:
        Problem: 404 where the path does not have such a name.
        BadName: the text is no valid name.
    """
    text = text_in_path(request, prefix + "/")
    if not is_name(text):
        raise Problem(404, "unknown-address", f"expected {prefix}/ and a name that begins with urn:lex:")
    name = parse(text)
    return (name.provision or name.work).canonical


def _file_kind(stated: Mapping[str, str], files: Iterable[str]) -> str:
    """Return the format of an answer, ``html`` or that of a file.

    Raises:
        Problem: 406 ``not-acceptable``.
    """
    kind = stated.get("format", "html")
    if kind != "html" and kind not in (names := tuple(files)):
        raise Problem(406, "not-acceptable", f"expected format html, {', '.join(names)}, got {shown(kind)[:40]!r}")
    return kind


def _attached(wanted: TaskResponse, file: str) -> TaskResponse:
    """Return the task of a file with its name."""
    return replace(wanted, headers={**wanted.headers, "Content-Disposition": f'attachment; filename="{file}"'})


def _file_name(target: str) -> str:
    """Return the name of a file of a norm or provision, without its extension."""
    return "".join(
        character if character.isascii() and character.isalnum() else "-"
        for character in target.removeprefix("urn:lex:br:")
    )[:120]


@readable
def _whole_text(request: Request) -> Response | TaskResponse:
    target = _named_in(request, whole_text.PREFIX)
    stated = _form_values(request, TEXT_PARAMETERS)
    kind = _file_kind(stated, FILES)
    if stated.get("view") not in (None, whole_text.CHANGES):
        raise BadParameter(f"expected view {whole_text.CHANGES}, got {shown(stated['view'])[:40]!r}")
    days = {key: _day(key, stated.get(key)) for key in ("on", "as_known")}
    if kind == "html" and "view" not in stated:
        frame = frame_of(request)
        return RedirectResponse(frame.base + frame.to(name_path(target), **days), 303)
    preferred = best(request.headers.get("accept"), ("text/html", PROBLEM_TYPE, "application/json"))
    arguments = {
        "name": target,
        "format": kind,
        "problem": preferred in (PROBLEM_TYPE, "application/json"),
        **days,
    }
    wanted = page_wanted(request, whole_text.KIND, arguments)
    if kind == "html":
        return wanted
    return _attached(wanted, f"{_file_name(target)}_{days['on'] or wanted.arguments['today']}.{kind}")


def page_wanted(request: Request, kind: str, arguments: Mapping[str, object]) -> TaskResponse:
    """Return the task of a page with its arguments, the frame of the request, and today."""
    frame, now = frame_of(request), today()
    tag = entity_tag(service_of(request).snapshot, kind, frame.base, frame.own, frame.has_language, now)
    headers = {"ETag": page_tag(tag, frame), "Cache-Control": "no-cache", **vary_headers(frame)}
    return TaskResponse(kind, {**arguments, "frame": frame.as_json(), "today": now.isoformat()}, headers)


def _form_values(request: Request, known: Mapping[str, str | None]) -> dict[str, str]:
    """Return the parameters of a form by their names, without empty fields.

    Raises:
        Problem: 400 ``unknown-parameter``, ``repeated-parameter``.
        BadParameter: a value is too long, or the language is unknown.
    """
    names = {alias: name for name, alias in known.items() if alias is not None}
    given: dict[str, str] = {}
    values: dict[str, str] = {}
    for key, value in request.query_params.multi_items():
        parameter = names.get(key, key)
        if parameter not in known:
            raise unknown_parameter(key, [*known, *names])
        if parameter in given:
            raise repeated_parameter(parameter, given[parameter], key)
        given[parameter] = key
        if len(value) > _LONGEST:
            raise BadParameter(f"expected {key} to have at most {_LONGEST} characters, got {len(value)}")
        if value.strip():
            values[parameter] = value.strip()
    if "lang" in values:
        parse_language(values["lang"])
    return values


def _day(key: str, value: str | None) -> str | None:
    day = day_in(key, value)
    return day.isoformat() if day is not None else None


def _days(stated: Mapping[str, str]) -> dict[str, str | None]:
    """Return D and K.

    Raises:
        NotYetKnown: K is in the future.
    """
    days = {key: _day(key, stated.get(key)) for key in ("on", "as_known")}
    if days["as_known"] is not None and date.fromisoformat(days["as_known"]) > today():
        raise NotYetKnown(date.fromisoformat(days["as_known"]), today())
    return days


def _flag(key: str, value: str | None) -> bool:
    if value not in (None, "true", "false"):
        raise BadParameter(f"expected {key} true or false, got {shown(value or '')[:40]!r}")
    return value == "true"


def _start(value: str | None) -> int:
    if value is None:
        return 0
    if not (value.isascii() and value.isdecimal() and len(value) <= len(str(FARTHEST)) and int(value) <= FARTHEST):
        raise _wrong_field("start", f"expected start from 0 to {FARTHEST}, got {shown(value)[:40]!r}")
    return int(value)


def _norm(value: str | None) -> str | None:
    """Return the canonical name of a norm that was given by a name; a citation or a nickname as it is."""
    return parse(value).work.canonical if value is not None and is_name(value) else value


def _wrong_field(parameter: str, detail: str) -> Problem:
    """Return 422 ``bad-parameter`` with the name of the parameter, for which the page has a sentence."""
    return Problem(422, "bad-parameter", detail, more={"parameter": parameter})


def _year(value: str | None) -> int | None:
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) == 4 and _FIRST_YEAR <= int(value) <= _LAST_YEAR):
        raise _wrong_field("year", f"expected year from {_FIRST_YEAR} to {_LAST_YEAR}, got {shown(value)[:40]!r}")
    return int(value)


@readable
def _badge(request: Request) -> Response | TaskResponse:
    text = text_in_path(request, badge.PREFIX + "/")
    asked = asked_in(request, known=EVERY_PARAMETER)
    media = format_of(request, asked.format, _BADGE_FORMATS)
    frame, now = frame_of(request), today()
    tag = entity_tag(service_of(request).snapshot, "badge", frame.base, text, asked.query(), media, now)
    headers = {
        "ETag": page_tag(tag, frame),
        "Cache-Control": cache_control_as_known(request, asked.as_known, now),
        "Content-Security-Policy": _BADGE_POLICY,
        **vary_headers(frame),
    }
    arguments = {
        "name": text,
        "on": asked.on and asked.on.isoformat(),
        "as_known": asked.as_known and asked.as_known.isoformat(),
        "axis": asked.axis,
        "media": media,
        "frame": frame.as_json(),
    }
    if not is_name(text):  # resolving other text may take long
        return TaskResponse(badge.KIND, arguments, headers)
    # render here: a page may have more badges than one client may have tasks
    answer = badge.show_badge(service_of(request).snapshot.store, arguments)
    return conditional(request, Response(answer.body, headers=headers, media_type=answer.media))


@readable
def _timeline(request: Request) -> TaskResponse:
    text = text_in_path(request, timeline.PREFIX + "/")
    asked = asked_in(request, known=("axis", "lang", "part"), of_form=True)
    frame = frame_of(request)
    axis = asked.axis or Axis.FORCE
    tag = entity_tag(service_of(request).snapshot, frame.base, text, frame.has_language, axis, asked.part, today())
    headers = {"ETag": page_tag(tag, frame), "Cache-Control": "no-cache", **vary_headers(frame)}
    arguments = {"name": text, "axis": axis.value, "part": asked.part or 1, "frame": frame.as_json()}
    return TaskResponse(timeline.KIND, arguments, headers)


@readable
def _robots(request: Request) -> Response:
    reported = [f"Disallow: {path}" for path in _LEFT_ALONE]
    text = "\n".join(["User-agent: *", *reported, "", f"Sitemap: {address_of(request)}{home.SITEMAP_PATH}", ""])
    response = document(request, text.encode(), "text/plain", negotiated=False)
    response.headers["Cache-Control"] = cache_control(request)
    return response


@readable
def _sitemap(request: Request) -> TaskResponse:
    given = request.query_params.multi_items()
    for key, _ in given:
        if key != _FROM:
            raise unknown_parameter(key, [_FROM])
    if len(given) > 1:
        raise repeated_parameter(_FROM, _FROM, _FROM)
    first = given[0][1] if given else None
    base = address_of(request)
    tag = entity_tag(service_of(request).snapshot, home.SITEMAP, base, first)
    headers = {"ETag": f"W/{tag}", "Cache-Control": cache_control(request, _KEPT)}
    return TaskResponse(home.SITEMAP, {"base": base, "from": first, "most": home.MOST}, headers, seconds=_SECONDS)
