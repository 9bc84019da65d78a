"""The resolver: a name as a path leads to what answers, or the answer says why nothing does
(docs/reference/addresses.md)."""

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

from graph.entities import Axis
from graph.store import Store
from graph.today import today
from graph.urn import Name, parse
from queries.answers import InForce
from queries.documents import document, notice_document
from queries.notices import Notice
from queries.resolution.typed import is_name
from service.web.descriptions import RDF_FORMATS, described, written
from service.web.http.http_dates import as_moment
from service.web.http.name_paths import description_path, name_path, text_in_path
from service.web.http.problems import Problem
from service.web.links import Links, address_of
from service.web.memento.gates import Gate, Memento, force_gate, knowledge_gate
from service.web.names.asked import Asked, asked_in
from service.web.names.refusals import NoVersion
from service.web.names.resolving import Choice, Described, Redirect, VersionFound, led
from service.web.names.versions import known_versions, link_norm, link_version, links_known
from service.web.pages.description import choice_page
from service.web.pages.frame import frame_of, page_tag, varied
from service.web.pages.norm_asked import KIND, NormAsked
from service.web.pages.problem_page import takes_page
from service.web.published import Snapshot
from service.web.replies import (
    METHODS,
    Wanted,
    conditional,
    entity_tag,
    format_of,
    kept_as_known,
    readable,
    status_fields,
)
from service.web.resolver.descriptions import description_response
from service.web.service import service_of

#: What a version can be given as, by the short name for ``format``; the first of equals is preferred.
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


def routes() -> list[Route]:
    """The catch-all for names: it stands last."""
    return [Route("/{urn:anything}", _resolve, methods=METHODS)]


@readable
def _resolve(request: Request) -> Response | Wanted:
    text = text_in_path(request)
    if not is_name(text):
        raise Problem(404, "unknown-address", "nothing has this address; names begin with urn:lex:")
    asked = asked_in(request, of_form=takes_page(request))
    snapshot = service_of(request).snapshot
    store, now = snapshot.store, today()
    if asked.format is not None:
        format_of(request, asked.format, FORMATS)  # what cannot be given is refused here, and not where this leads to
    try:
        found = led(store, text, asked, now)
    except NoVersion as none:
        none.headers.update(_of_gap(store, none.answer, text, asked, address_of(request), now))
        if takes_page(request):
            return _gap_page(request, none, asked, now)
        raise
    match found:
        case Redirect():
            return _see_other(request, store, found, now)
        case Choice():
            return _choices(request, found, asked, now)
        case Described():
            path = name_path(found.name.canonical)
            return description_response(request, snapshot, found.name.iri, asked, path)
        case VersionFound():
            return _version(request, snapshot, found, asked, now)


def _of_gap(store: Store, answer: InForce, text: str, asked: Asked, base: str, today: date) -> dict[str, str]:
    """What the answer that no version applies has as a memento (RFC 7089, section 4.5.5): its day, and its links."""
    target = parse(answer.name)
    if asked.on is None or answer.axis is not Axis.FORCE:
        return {}
    gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
    memento = gate.holding(day) if name_path(text) == name_path(answer.name) else None
    links = Links(base)
    gate.link(links, memento)
    return {
        "Link": links.field_value(),
        **status_fields(answer.status, answer.force, answer.efficacy),
        **({"Memento-Datetime": as_moment(memento.day)} if memento is not None else {}),
    }


def _gate_of(store: Store, target: Name, on: date, known: date | None, today: date) -> tuple[Gate, date]:
    """The gate to which an address with D belongs, and the day by which it finds its memento: K where that is said."""
    if known is not None:
        return knowledge_gate(store, target, on, today), known
    return force_gate(store, target, today), on


def _gap_page(request: Request, none: NoVersion, asked: Asked, today: date) -> Wanted:
    """404 with the page of the norm: that no version applies, why, and the texts of other days."""
    answer, frame = none.answer, frame_of(request)
    page = NormAsked(
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
    headers = {"Cache-Control": "no-store", **none.headers, **varied(frame)}
    return Wanted(KIND, page.as_json(), headers, none.status, none.code)


def _see_other(request: Request, store: Store, redirect: Redirect, today: date) -> Response:
    """303 to what answers (RFC 9110, section 15.4.4), always at this service and by a canonical name."""
    base = address_of(request)
    path = description_path if redirect.described else name_path
    location = f"{base}{path(redirect.name)}{redirect.asked.query()}"
    if redirect.target is not None and not redirect.described:
        location += _fragment_of(redirect.target)
    links = Links(base)
    if redirect.target is not None:
        links_known(store, links, known_versions(store, redirect.target), redirect.name, today)
    answer = redirect.answer
    content = {
        "location": location,
        "name": redirect.name,
        "status": answer.status.value if answer is not None else None,
        "force": document(answer.force) if answer is not None else None,
        "efficacy": document(answer.efficacy) if answer is not None else None,
        "notices": [notice_document(notice) for notice in redirect.notices],
    }
    keeping = kept_as_known(request, redirect.asked.as_known, today)
    headers = {"Location": location, "Cache-Control": keeping, **_told(answer, redirect.notices)}
    if redirect.target is not None:
        headers["Link"] = links.field_value()
    return Response(_json(content), 303, headers, "application/json")


def _fragment_of(target: Name) -> str:
    """The partition as a URI fragment (RFC 9676, section 5.8)."""
    partition = target.rfc.particao if target.rfc is not None else None
    if target.fragmento is not None:
        partition = target.canonical.rpartition("!")[2]
    return f"#{quote(partition, safe=':@!~$;,=')}" if partition else ""


def _told(answer: InForce | None, notices: Iterable[Notice]) -> dict[str, str]:
    """The statuses of an answer and codes of notices as header fields."""
    codes = ", ".join(dict.fromkeys(notice.code for notice in notices))
    return {
        **(status_fields(answer.status, answer.force, answer.efficacy) if answer is not None else {}),
        **({"Vigente-Notice": codes} if codes else {}),
    }


def _choices(request: Request, choice: Choice, asked: Asked, today: date) -> Response:
    """300 with the candidates, best first (RFC 9110, section 15.4.1): the choice is the reader's."""
    found = choice.resolution
    links = Links(address_of(request))
    query = asked.query()
    for one in found.candidates:
        links.add(name_path(one.name) + query, "alternate")
    listed = [{**one.as_json(), "address": name_path(one.name) + query} for one in found.candidates]
    document = {**found.as_json(), "candidates": listed}
    media, body, frame = "application/json", _json(document), None
    if takes_page(request):
        media = "text/html"
        frame = frame_of(request)
        body = choice_page(frame, found.asked, found.candidates, asked.in_full.query())
    keeping = kept_as_known(request, asked.as_known, today)
    headers = {"Link": links.field_value(), "Cache-Control": keeping, **varied(frame), **_told(None, found.notices)}
    return Response(body, 300, headers, media)


def _version(request: Request, snapshot: Snapshot, found: VersionFound, asked: Asked, today: date) -> Response | Wanted:
    """200 for the version itself, which is what answers."""
    media = format_of(request, asked.format, FORMATS)
    short = next(key for key, value in FORMATS.items() if value == media)
    path = name_path(found.name.canonical)
    answer = found.answer
    force = answer.axis is Axis.FORCE
    line = found.line if force else known_versions(snapshot.store, found.line.target)
    links = Links(address_of(request))
    links.add(path + asked.in_full.query(), "self")
    period = found.period if force else None
    link_version(snapshot.store, links, found.name, line, period, answer.as_known, today)
    memento = _as_memento(snapshot.store, links, found, asked, today) if force else None
    if not force:
        link_norm(links, line.target)
    notices = tuple(dict.fromkeys((*found.notices, *answer.notices)))
    frame = frame_of(request) if media == "text/html" else None
    language = frame.language if frame is not None else None
    headers = {
        "Content-Location": path + replace(asked, format=short, lang=language).query(),
        "Link": links.field_value(),
        "ETag": entity_tag(snapshot, links.base, path, asked.query(), media, today),
        "Cache-Control": kept_as_known(request, asked.as_known, today),
        **({"Memento-Datetime": as_moment(memento.day)} if memento is not None else {}),
        **_told(answer, notices),
        **varied(frame),
    }
    if frame is not None:
        page = NormAsked(
            frame,
            line.target.canonical,
            found.name.canonical,
            answer.on if found.period is not None else None,
            answer.as_known,
            answer.axis,
            asked,
            today,
            asked.part or 1,
            notices,
        )
        return Wanted(KIND, page.as_json(), {**headers, "ETag": page_tag(headers["ETag"], frame)})
    body = _body(snapshot.store, found, media, notices)
    return conditional(request, Response(body, 200, headers, media))


def _as_memento(store: Store, links: Links, found: VersionFound, asked: Asked, today: date) -> Memento | None:
    """The memento that a version is at this address, with its links; None where a gate leads to another, or to none.

    That of days of knowledge where both days are said, else that of days of force.
    """
    target = found.line.target
    if asked.on is not None:
        gate, day = _gate_of(store, target, asked.on, asked.as_known, today)
        memento = gate.holding(day)
    else:
        gate = force_gate(store, target, today)
        memento = gate.at(name_path(found.name.canonical) + asked.of_memento.query())
    if memento is not None and memento.version != found.name.canonical:
        memento = None
    gate.link(links, memento, of_version=True)
    return memento


def _body(store: Store, found: VersionFound, media: str, notices: tuple[Notice, ...]) -> bytes:
    if media == "application/json":
        return _json({**found.answer.as_json(), "notices": [notice_document(notice) for notice in notices]})
    description = described(store, found.name.iri)
    if description is None or media not in RDF_FORMATS:
        raise Problem(404, "unknown-name", f"the graph says nothing of {found.name.canonical} itself")
    return written(description, media)


def _json(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
