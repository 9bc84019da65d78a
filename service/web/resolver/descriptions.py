"""Addresses of what the graph says: ``/descriptions/{name or IRI}``, and the context of our JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.entities import Axis
from graph.today import today
from graph.urn import parse
from queries.resolution.typed import is_name
from service.web.descriptions import CONTEXT, described, written
from service.web.http.name_paths import description_path, name_path, text_in_path
from service.web.http.problems import Problem
from service.web.links import Links, address_of
from service.web.names.asked import Asked, asked_in
from service.web.names.refusals import all_withdrawn
from service.web.pages.description import description_page
from service.web.pages.frame import frame_of, page_tag, varied
from service.web.pages.norm_asked import KIND, NormAsked
from service.web.published import Snapshot
from service.web.replies import METHODS, Wanted, conditional, entity_tag, format_of, kept, readable
from service.web.service import service_of

#: What a description can be given as, by the short name for ``format``.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "jsonld": "application/ld+json",
        "ttl": "text/turtle",
        "turtle": "text/turtle",
        "rdf": "application/rdf+xml",
        "nt": "application/n-triples",
        "trig": "application/trig",
        "json": "application/json",
        "html": "text/html",
    }
)


def routes() -> list[Route]:
    """The addresses of descriptions and of the context."""
    return [
        Route("/context.jsonld", _context, methods=METHODS),
        Route("/descriptions/{iri:anything}", _describe, methods=METHODS),
    ]


@readable
def _context(request: Request) -> Response:
    asked_in(request, known=())
    body = json.dumps({"@context": dict(CONTEXT)}, indent=1).encode()
    headers = {"ETag": entity_tag(service_of(request).snapshot, body), "Cache-Control": kept(request)}
    return conditional(request, Response(body, 200, headers, "application/ld+json"))


@readable
def _describe(request: Request) -> Response | Wanted:
    text = text_in_path(request, "/descriptions/", iris=True)
    asked = asked_in(request, known=("format", "lang", "part"))
    snapshot = service_of(request).snapshot
    if is_name(text):
        name = parse(text)
        return description_response(request, snapshot, name.iri, asked, description_path(name.canonical))
    return description_response(request, snapshot, text, asked, description_path(text))


def description_response(request: Request, snapshot: Snapshot, iri: str, asked: Asked, path: str) -> Response | Wanted:
    """200 with what the graph says of a thing.

    Args:
        snapshot: what answers.
        iri: the thing's.
        asked: the format, the language and the part that are asked for.
        path: the address of the description, percent-encoded, for ``Content-Location``.

    Raises:
        Problem: 404 where nothing is said of the thing itself, 410 where all that spoke of it is gone, 422 where the
            text is no IRI, 406.
    """
    try:
        found = described(snapshot.store, iri)
    except ValueError:
        raise Problem(422, "bad-name", "expected a name of the lex namespace or an absolute IRI") from None
    if found is None:
        gone = all_withdrawn(snapshot.store, parse(iri)) if is_name(iri) else None
        raise gone or Problem(404, "unknown-name", "no source in this store says anything of this thing itself")
    media = format_of(request, asked.format, FORMATS)
    short = next(key for key, value in FORMATS.items() if value == media)
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
        "Cache-Control": kept(request),
        **varied(frame),
        **({"Vigente-Notice": "description-cut"} if found.cut else {}),
    }
    if frame is not None:
        headers["ETag"] = page_tag(headers["ETag"], frame)
        name = parse(iri) if is_name(iri) else None
        if name is not None and name in (name.work, name.provision):
            now = today()
            page = NormAsked(frame, name.canonical, None, None, now, Axis.FORCE, Asked(), now, asked.part or 1)
            return Wanted(KIND, replace(page, described=True).as_json(), headers)
        body = description_page(frame, snapshot.store, found)
    elif media == "application/json":
        body = written(found, "application/ld+json")
    else:
        body = written(found, media)
    return conditional(request, Response(body, 200, headers, media))
