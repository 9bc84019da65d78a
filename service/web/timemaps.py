"""TimeMaps (RFC 7089, section 5): all mementos of a norm or provision, over force and over knowledge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.store import Store
from graph.urn import Name, to_iri
from ontology.namespaces import RDF, VIG, XSD
from service.web.asked import Asked, asked_in
from service.web.http_dates import as_moment
from service.web.links import address_of
from service.web.memento import Gate, force_gate, knowledge_gate, target_of
from service.web.name_paths import in_links, text_in_path
from service.web.problems import Problem
from service.web.replies import METHODS, TODAY, conditional, entity_tag, format_of, readable
from service.web.service import service_of

__all__ = ["routes"]

#: What a TimeMap can be given as, by the short name for ``format``; ``link-format`` is that of the RFC.
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"link": "application/link-format", "json": "application/json", "ttl": "text/turtle", "turtle": "text/turtle"}
)
#: The classes of Memento (as the API of Fedora and others write them).
_MEMENTO = "http://mementoweb.org/ns#"


def routes() -> list[Route]:
    """Both TimeMaps; that over knowledge first, for the other's address takes what stands behind it."""
    return [
        Route("/timemap/as-known/{urn:anything}", _knowledge, methods=METHODS),
        Route("/timemap/{urn:anything}", _force, methods=METHODS),
    ]


@readable
def _force(request: Request) -> Response:
    asked = asked_in(request, known=("format",))
    return _timemap(request, asked, "/timemap/", force_gate)


@readable
def _knowledge(request: Request) -> Response:
    asked = asked_in(request, known=("on", "format"))
    return _timemap(
        request,
        asked,
        "/timemap/as-known/",
        lambda store, target, today: knowledge_gate(store, target, asked.on or today),
    )


def _timemap(request: Request, asked: Asked, prefix: str, made: Callable[[Store, Name, date], Gate]) -> Response:
    snapshot, base = service_of(request).snapshot, address_of(request)
    today = date.today()  # noqa: DTZ011 - a civil date, on the service's calendar
    media = format_of(request, asked.format, _FORMATS)
    gate = made(snapshot.store, target_of(snapshot.store, text_in_path(request, prefix), base), today)
    if not gate.mementos:
        raise Problem(404, "no-mementos", f"no source dates a version of {gate.target.canonical}: it has no mementos")
    match media:
        case "application/json":
            body = _as_json(gate, base)
        case "text/turtle":
            body = _as_turtle(gate, base)
        case _:
            body = _as_links(gate, base)
    headers = {
        "ETag": entity_tag(snapshot, gate.timemap, base, media, today),
        "Cache-Control": TODAY,
        "Vary": "Accept",
        "Link": gate.links(base).field_value(),
    }
    return conditional(request, Response(body, 200, headers, media))


def _as_links(gate: Gate, base: str) -> bytes:
    """``application/link-format`` (RFC 7089, section 5; RFC 6690)."""
    first, last = gate.mementos[0], gate.mementos[-1]
    span = f'from="{as_moment(first.day)}"; until="{as_moment(last.day)}"'
    lines = [
        f'<{in_links(base + gate.original)}>; rel="original"',
        f'<{in_links(base + gate.timemap)}>; rel="self"; type="application/link-format"; {span}',
        f'<{in_links(base + gate.gate)}>; rel="timegate"',
    ]
    for one in gate.mementos:
        relations = " ".join([*(["first"] if one is first else []), *(["last"] if one is last else []), "memento"])
        lines.append(f'<{in_links(base + one.path)}>; rel="{relations}"; datetime="{as_moment(one.day)}"')
    return (",\n".join(lines) + "\n").encode()


def _as_json(gate: Gate, base: str) -> bytes:
    """The TimeMap as JSON: each memento with its version and its days, half open."""
    listed = [
        {
            "uri": in_links(base + one.path),
            "datetime": as_moment(one.day),
            "version": one.version,
            "from": one.day.isoformat(),
            "until": one.until.isoformat() if one.until is not None else None,
        }
        for one in gate.mementos
    ]
    document = {
        "original_uri": in_links(base + gate.original),
        "timegate_uri": in_links(base + gate.gate),
        "timemap_uri": in_links(base + gate.timemap),
        "name": gate.target.canonical,
        "mementos": {"first": listed[0], "last": listed[-1], "list": listed},
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def _as_turtle(gate: Gate, base: str) -> bytes:
    """The TimeMap as Turtle: each memento with the version that it shows, its first day, and the day it ends before."""
    node, day = ox.NamedNode, ox.NamedNode(XSD["date"])
    triples = [
        ox.Triple(node(in_links(base + gate.original)), node(RDF["type"]), node(f"{_MEMENTO}OriginalResource")),
        ox.Triple(node(in_links(base + gate.timemap)), node(RDF["type"]), node(f"{_MEMENTO}TimeMap")),
        ox.Triple(node(in_links(base + gate.gate)), node(RDF["type"]), node(f"{_MEMENTO}TimeGate")),
    ]
    start, end = ("conhecidoDesde", "conhecidoAte") if gate.knowledge else ("inicio", "fim")
    for one in gate.mementos:
        memento = node(in_links(base + one.path))
        triples.append(ox.Triple(memento, node(RDF["type"]), node(f"{_MEMENTO}Memento")))
        triples.append(ox.Triple(memento, node(VIG["versao"]), node(to_iri(one.version))))
        triples.append(ox.Triple(memento, node(VIG[start]), ox.Literal(one.day.isoformat(), datatype=day)))
        if one.until is not None:
            triples.append(ox.Triple(memento, node(VIG[end]), ox.Literal(one.until.isoformat(), datatype=day)))
    prefixes = {"mem": _MEMENTO, "vig": VIG["versao"].removesuffix("versao"), "xsd": XSD["date"].removesuffix("date")}
    text = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=prefixes)
    assert text is not None  # noqa: S101 - no output was given
    return text
