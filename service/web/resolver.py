"""The resolver: names and descriptions as pages, RDF or JSON (docs/reference/addresses.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.civil import today
from graph.store import Store
from graph.time.kinds import Axis
from graph.urn import Name, parse, parse_or_none
from queries.answers import InForce
from queries.documents import document as query_document
from queries.documents import notice_document
from queries.notices import Notice
from queries.resolution.spelling import is_name
from service.web.api.operations import get_in_force
from service.web.descriptions import CONTEXT, RDF_FORMATS, describe, serialize
from service.web.http.headers import as_moment
from service.web.http.name_paths import description_path, name_path, text_in_path
from service.web.http.problems import Problem
from service.web.memento import Memento, TimeGate, force_gate, knowledge_gate
from service.web.names.parameters import RequestParameters, asked_in
from service.web.names.versions import (
    Choice,
    DescribedResource,
    NoVersion,
    Redirect,
    SeveralProvisions,
    VersionFound,
    known_versions,
    link_known_versions,
    link_norm,
    link_version,
    resolve_address,
    withdrawn_problem,
)
from service.web.pages import several
from service.web.pages.description import choice_page, description_page
from service.web.pages.frame import frame_of, page_tag, vary_headers
from service.web.pages.norm_request import KIND, NormPageRequest
from service.web.pages.problem_page import prefers_page
from service.web.pages.related import called
from service.web.pages.routes import page_wanted
from service.web.published import Snapshot
from service.web.replies import (
    METHODS,
    Links,
    TaskResponse,
    address_of,
    cache_control,
    cache_control_as_known,
    conditional,
    entity_tag,
    format_of,
    readable,
    status_fields,
)
from service.web.service import service_of

# The addresses of descriptions, ``/descriptions/{name or IRI}``, and of the JSON-LD context.


#: The media types of a version, by the value of ``format``; where several are preferred equally, the first is chosen.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "json": "application/json",
        "jsonld": "application/ld+json",
        "ttl": "text/turtle",
        "turtle": "text/turtle",
        "rdf": "application/rdf+xml",
        "nt": "application/n-triples",
        "trig": "application/trig",
        "html": "text/html",
    }
)
#: The media types of a description, in the same way.
DESCRIPTION_FORMATS: Mapping[str, str] = MappingProxyType(
    {short: FORMATS[short] for short in ("jsonld", "ttl", "turtle", "rdf", "nt", "trig", "json", "html")}
)


def description_routes() -> list[Route]:
    """Return the routes of descriptions and of the JSON-LD context."""
    return [
        Route("/context.jsonld", _context, methods=METHODS),
        Route("/descriptions/{iri:anything}", _describe, methods=METHODS),
    ]


@readable
def _context(request: Request) -> Response:
    asked_in(request, known=())
    body = json.dumps({"@context": dict(CONTEXT)}, indent=1).encode()
    headers = {"ETag": entity_tag(service_of(request).snapshot, body), "Cache-Control": cache_control(request)}
    return conditional(request, Response(body, 200, headers, "application/ld+json"))


@readable
def _describe(request: Request) -> Response | TaskResponse:
    text = text_in_path(request, "/descriptions/", iris=True)
    asked = asked_in(request, known=("format", "lang", "part"))
    snapshot = service_of(request).snapshot
    if is_name(text):
        name = parse(text)
        return description_response(request, snapshot, name.iri, asked, description_path(name.canonical))
    return description_response(request, snapshot, text, asked, description_path(text))


def description_response(
    request: Request, snapshot: Snapshot, iri: str, asked: RequestParameters, path: str
) -> Response | TaskResponse:
    """Return 200 with the description of a resource.

    Args:
        iri: the IRI of the resource.
        asked: the format, the language and the part of the request.
        path: the path of the description, percent-encoded, for ``Content-Location``.

    Raises:
        Problem: 404 where the resource is not described, 410 where all records about it were withdrawn, 422 where the
            text is not an IRI, 406.
    """
    try:
        described = describe(snapshot.store, iri)
    except ValueError:
        raise Problem(422, "bad-name", "expected a name of the lex namespace or an absolute IRI") from None
    if described is None:
        gone = withdrawn_problem(snapshot.store, parse(iri)) if is_name(iri) else None
        raise gone or Problem(404, "unknown-name", "no source in this store describes this resource")
    media = format_of(request, asked.format, DESCRIPTION_FORMATS)
    short = next(key for key, value in DESCRIPTION_FORMATS.items() if value == media)
    links = Links(address_of(request))
    links.add(path, "self")
    if is_name(iri):
        links.add(name_path(parse(iri).canonical), "describes")
    frame = frame_of(request) if media == "text/html" else None
    language = frame.language if frame is not None else None
    headers = {
        "Content-Location": path + replace(asked, format=short, lang=language).query(),
        "Link": links.field_value(),
        "ETag": entity_tag(snapshot, links.base, path, media, asked.part),
        "Cache-Control": cache_control(request),
        **vary_headers(frame),
        **({"Vigente-Notice": "description-cut"} if described.cut else {}),
    }
    if frame is not None:
        headers["ETag"] = page_tag(headers["ETag"], frame)
        name = parse(iri) if is_name(iri) else None
        if name is not None and name in (name.work, name.provision) and not _has_page(snapshot.store, name):
            now = today()
            page = NormPageRequest(
                frame, name.canonical, None, None, now, Axis.FORCE, RequestParameters(), now, asked.part or 1
            )
            return TaskResponse(KIND, replace(page, described=True).as_json(), headers)
        body = description_page(frame, snapshot.store, described, name)
    elif media == "application/json":
        body = serialize(described, "application/ld+json")
    else:
        body = serialize(described, media)
    return conditional(request, Response(body, 200, headers, media))


def _has_page(store: Store, name: Name) -> bool:
    """Return whether the address of a norm or provision leads to a version, and not to its description."""
    try:
        target = resolve_address(store, name.canonical, RequestParameters(), today())
    except Problem:
        return False
    return isinstance(target, Redirect) and not target.described


# Names.


#: The media types of a list or range of provisions.
_SEVERAL_FORMATS = {short: FORMATS[short] for short in ("json", "html")}


def name_routes() -> list[Route]:
    """Return the route of names."""
    return [Route("/{urn:name}", readable(_resolve, _is_quick), methods=METHODS)]


def other_routes() -> list[Route]:
    """Return the route of names in other spellings, and of unknown addresses. It must be the last route."""
    return [Route("/{urn:anything}", readable(_resolve), methods=METHODS)]


def _is_quick(request: Request) -> bool:
    """Return whether the address is a norm of which a question of today was answered, so that its results are kept."""
    snapshot, name = service_of(request).published.recent, parse_or_none(text_in_path(request))
    if snapshot is None or name is None or name != name.work:
        return False
    return snapshot.store.about(name.iri, today()).is_warm


def _resolve(request: Request) -> Response | TaskResponse:
    text = text_in_path(request)
    if not is_name(text):
        raise Problem(404, "unknown-address", "there is no such address; names begin with urn:lex:")
    asked = asked_in(request, of_form=prefers_page(request))
    snapshot = service_of(request).snapshot
    now, name = today(), parse_or_none(text)
    store = snapshot.store if name is None else snapshot.store.about(name.work.iri, now)
    if asked.format is not None:
        format_of(request, asked.format, FORMATS)  # an unknown format is rejected before any redirect
    try:
        target = resolve_address(store, text, asked, now)
    except NoVersion as none:
        none.headers.update(_gap_headers(store, none.answer, text, asked, address_of(request), now))
        if prefers_page(request):
            return _gap_page(request, none, asked, now)
        raise
    match target:
        case Redirect():
            return _see_other(request, store, target, now)
        case Choice():
            return _choices(request, target, asked, now)
        case DescribedResource():
            path = name_path(target.name.canonical)
            return description_response(request, snapshot, target.name.iri, asked, path)
        case VersionFound():
            return _version(request, snapshot, target, asked, now)
        case SeveralProvisions():
            return _several(request, store, target.name, asked, now)


def _several(
    request: Request, store: Store, name: Name, asked: RequestParameters, today: date
) -> Response | TaskResponse:
    """Return the answers for a list or range of provisions, as JSON or as a page.

    Raises:
        Problem: 404 if no source has any of them.
    """
    if format_of(request, asked.format, _SEVERAL_FORMATS) == "text/html":
        days = {"on": asked.on, "as_known": asked.as_known}
        stated = {key: None if day is None else day.isoformat() for key, day in days.items()}
        axis = None if asked.axis is None else asked.axis.value
        return page_wanted(request, several.KIND, {"name": name.canonical, **stated, "axis": axis})
    document = get_in_force(
        store, {"urn": name.canonical, "on": asked.on, "as_known": asked.as_known, "axis": asked.axis}
    )
    body = _json(document)
    headers = {
        "ETag": entity_tag(service_of(request).snapshot, body),
        "Cache-Control": cache_control_as_known(request, asked.as_known, today),
        **vary_headers(None),
    }
    return conditional(request, Response(body, 200, headers, "application/json"))


def _gap_headers(
    store: Store, answer: InForce, text: str, asked: RequestParameters, base: str, today: date
) -> dict[str, str]:
    """Return the Memento header fields of an answer without a version (RFC 7089, section 4.5.5): datetime and links."""
    target = parse(answer.name)
    if asked.on is None or answer.axis is not Axis.FORCE:
        return {}
    gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
    memento = gate.memento_on(day) if name_path(text) == name_path(answer.name) else None
    links = Links(base)
    gate.link(links, memento)
    return {
        "Link": links.field_value(),
        **status_fields(answer.status, answer.force, answer.efficacy),
        **({"Memento-Datetime": as_moment(memento.start)} if memento is not None else {}),
    }


def _gate_of(store: Store, target: Name, on: date, known: date | None, today: date) -> tuple[TimeGate, date]:
    """Return the TimeGate of an address with D, and the day of its memento: K where it was given, else D."""
    if known is not None:
        return knowledge_gate(store, target, on, today), known
    return force_gate(store, target, today), on


#: The reason codes whose page is an answer about the day: revoked, in vacatio, not published, undecided.
_ANSWERED_BY_PAGE = frozenset({"before-first-version", "not-in-force", "undecided"})


def _gap_page(request: Request, none: NoVersion, asked: RequestParameters, today: date) -> TaskResponse:
    """Return the page of the norm, which explains why no version applies and links to texts of other days.

    Its status is 200 if the page answers the question, and 404 if it only says what the store does not know.
    """
    answer, frame = none.answer, frame_of(request)
    page = NormPageRequest(
        frame,
        answer.name,
        None,
        answer.on,
        answer.as_known,
        answer.axis,
        asked,
        today,
        asked.part or 1,
        answer.notices,
    )
    headers = {"Cache-Control": "no-store", **none.headers, **vary_headers(frame)}
    if none.code in _ANSWERED_BY_PAGE:
        return TaskResponse(KIND, page.as_json(), headers)
    return TaskResponse(KIND, page.as_json(), headers, none.status, none.code)


def _see_other(request: Request, store: Store, redirect: Redirect, today: date) -> Response:
    """Return 303 to the resource that answers (RFC 9110, section 15.4.4), at this service and by its canonical name."""
    base = address_of(request)
    path = description_path if redirect.described else name_path
    location = f"{base}{path(redirect.name)}{redirect.asked.query()}"
    if redirect.target is not None and not redirect.described:
        location += _fragment_of(redirect.target)
    links = Links(base)
    if redirect.target is not None:
        link_known_versions(store, links, known_versions(store, redirect.target), redirect.name, today)
    answer = redirect.answer
    content = {
        "location": location,
        "name": redirect.name,
        "status": answer.status.value if answer is not None else None,
        "force": query_document(answer.force) if answer is not None else None,
        "efficacy": query_document(answer.efficacy) if answer is not None else None,
        "notices": [notice_document(notice) for notice in redirect.notices],
    }
    keeping = cache_control_as_known(request, redirect.asked.as_known, today)
    headers = {"Location": location, "Cache-Control": keeping, **_notice_headers(answer, redirect.notices)}
    if redirect.target is not None:
        headers["Link"] = links.field_value()
    return Response(_json(content), 303, headers, "application/json")


def _fragment_of(target: Name) -> str:
    """Return the partition as a URI fragment (RFC 9676, section 5.8)."""
    partition = target.rfc.particao if target.rfc is not None else None
    if target.fragmento is not None:
        partition = target.canonical.rpartition("!")[2]
    return f"#{quote(partition, safe=':@!~$;,=')}" if partition else ""


def _notice_headers(answer: InForce | None, notices: Iterable[Notice]) -> dict[str, str]:
    """Return the header fields with the statuses of an answer and the codes of notices."""
    codes = ", ".join(dict.fromkeys(notice.code for notice in notices))
    return {
        **(status_fields(answer.status, answer.force, answer.efficacy) if answer is not None else {}),
        **({"Vigente-Notice": codes} if codes else {}),
    }


def _choices(request: Request, choice: Choice, asked: RequestParameters, today: date) -> Response:
    """Return 300 with the candidates, best first (RFC 9110, section 15.4.1)."""
    resolution = choice.resolution
    links = Links(address_of(request))
    query = asked.query()
    for candidate in resolution.candidates:
        links.add(name_path(candidate.name) + query, "alternate")
    listed = [
        {**candidate.as_json(), "address": name_path(candidate.name) + query} for candidate in resolution.candidates
    ]
    document = {**resolution.as_json(), "candidates": listed}
    media, body, frame = "application/json", _json(document), None
    if prefers_page(request):
        media = "text/html"
        frame = frame_of(request)
        names = [name for each in resolution.candidates if (name := parse(each.name)) == name.work]
        store = service_of(request).snapshot.store
        summaries = {name.canonical: called(store, name).summaries for name in names}
        body = choice_page(frame, resolution.asked, resolution.candidates, asked.in_full.query(), summaries)
    keeping = cache_control_as_known(request, asked.as_known, today)
    headers = {
        "Link": links.field_value(),
        "Cache-Control": keeping,
        **vary_headers(frame),
        **_notice_headers(None, resolution.notices),
    }
    return Response(body, 300, headers, media)


def _version(
    request: Request, snapshot: Snapshot, version: VersionFound, asked: RequestParameters, today: date
) -> Response | TaskResponse:
    """Return 200 with a version that answers."""
    media = format_of(request, asked.format, FORMATS)
    short = next(key for key, value in FORMATS.items() if value == media)
    path = version.address
    answer = version.answer
    force = answer.axis is Axis.FORCE
    history = version.history if force else known_versions(snapshot.store, version.history.target)
    links = Links(address_of(request))
    links.add(path + asked.in_full.query(), "self")
    period = version.period if force else None
    link_version(snapshot.store, links, version.name, history, period, answer.as_known, today)
    memento = _as_memento(snapshot.store, links, version, asked, today) if force else None
    if not force:
        link_norm(links, history.target)
    notices = tuple(dict.fromkeys((*version.notices, *answer.notices)))
    frame = frame_of(request) if media == "text/html" else None
    language = frame.language if frame is not None else None
    headers = {
        "Content-Location": path + replace(asked, format=short, lang=language).query(),
        "Link": links.field_value(),
        "ETag": entity_tag(snapshot, links.base, path, asked.query(), media, today),
        "Cache-Control": cache_control_as_known(request, asked.as_known, today),
        **({"Memento-Datetime": as_moment(memento.start)} if memento is not None else {}),
        **_notice_headers(answer, notices),
        **vary_headers(frame),
    }
    if frame is not None:
        page = NormPageRequest(
            frame,
            history.target.canonical,
            version.name.canonical,
            answer.on if version.period is not None else None,
            answer.as_known,
            answer.axis,
            asked,
            today,
            asked.part or 1,
            notices,
        )
        return TaskResponse(KIND, page.as_json(), {**headers, "ETag": page_tag(headers["ETag"], frame)})
    body = _body(snapshot.store, version, media, notices)
    return conditional(request, Response(body, 200, headers, media))


def _as_memento(
    store: Store, links: Links, version: VersionFound, asked: RequestParameters, today: date
) -> Memento | None:
    """Return the memento of a version at this address, and add its links; None where the TimeGate selects another.

    It is a memento over knowledge where both days were given, else over force.
    """
    target = version.history.target
    if asked.on is not None:
        gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
        memento = gate.memento_on(day)
    else:
        gate = force_gate(store, target, today)
        memento = gate.at(name_path(version.name.canonical) + asked.of_memento.query())
    if memento is not None and memento.version != version.name.canonical:
        memento = None
    gate.link(links, memento, of_version=True)
    return memento


def _body(store: Store, version: VersionFound, media: str, notices: tuple[Notice, ...]) -> bytes:
    if media == "application/json":
        return _json({**version.answer.as_json(), "notices": [notice_document(notice) for notice in notices]})
    description = describe(store, version.name.iri)
    if description is None or media not in RDF_FORMATS:
        raise Problem(404, "unknown-name", f"the graph does not describe {version.name.canonical}")
    return serialize(description, media)


def _json(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
