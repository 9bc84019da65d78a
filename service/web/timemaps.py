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

from graph.derived import SITUATIONS
from graph.today import today
from graph.urn import to_iri
from ontology.namespaces import RDF, VIG, XSD
from service.web.asked import Asked, asked_in
from service.web.gates import Gate
from service.web.http_dates import as_moment
from service.web.links import Links, address_of
from service.web.memento import gate_of, target_of
from service.web.name_paths import in_links, text_in_path
from service.web.replies import METHODS, conditional, entity_tag, format_of, kept_as_known, readable
from service.web.service import service_of

__all__ = ["routes"]

#: What a TimeMap can be given as, by the short name for ``format``; ``link-format`` is that of the RFC.
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"link": "application/link-format", "json": "application/json", "ttl": "text/turtle", "turtle": "text/turtle"}
)
#: The concept of each status that the ontology has one for.
_STATUS = {status.value: concept for status, concept in SITUATIONS.items()}
#: The vocabulary of Memento: its classes, the relations of RFC 7089, section 2.2, and the moment of a memento.
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
    return _timemap(request, asked, "/timemap/", lambda _: None)


@readable
def _knowledge(request: Request) -> Response:
    asked = asked_in(request, known=("on", "format"))
    return _timemap(request, asked, "/timemap/as-known/", lambda now: asked.on or now)


def _timemap(request: Request, asked: Asked, prefix: str, on: Callable[[date], date | None]) -> Response:
    """200 with all mementos.

    Args:
        on: D by the civil date of today; None for the map over force.
    """
    snapshot, base, now = service_of(request).snapshot, address_of(request), today()
    media = format_of(request, asked.format, _FORMATS)
    target = target_of(snapshot.store, text_in_path(request, prefix), base)
    gate = gate_of(snapshot.store, target, on(now), now)
    match media:
        case "application/json":
            body = _as_json(gate, base)
        case "text/turtle":
            body = _as_turtle(gate, base)
        case _:
            body = _as_links(gate, base)
    links = Links(base)
    gate.link(links)
    headers = {
        "ETag": entity_tag(snapshot, gate.timemap, base, media, now),
        "Cache-Control": kept_as_known(request, now, now),
        "Vary": "Accept, Accept-Encoding",
        "Link": links.field_value(),
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
    """The TimeMap as JSON: each memento with its status, its version where one answers, and its days, half open."""
    listed = [
        {
            "uri": in_links(base + one.path),
            "datetime": as_moment(one.day),
            "status": one.status.value,
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
    """The TimeMap as Turtle: each memento with the version that it shows, or the status that says why it shows none.

    Both have its first day, also as the moment of ``Memento-Datetime``, and the day that it ends before.
    """
    node, day, moment = ox.NamedNode, ox.NamedNode(XSD["date"]), ox.NamedNode(XSD["dateTime"])
    original, timemap, timegate = (node(in_links(base + path)) for path in (gate.original, gate.timemap, gate.gate))
    triples = [
        ox.Triple(original, node(RDF["type"]), node(f"{_MEMENTO}OriginalResource")),
        ox.Triple(original, node(f"{_MEMENTO}timemap"), timemap),
        ox.Triple(original, node(f"{_MEMENTO}timegate"), timegate),
        ox.Triple(timemap, node(RDF["type"]), node(f"{_MEMENTO}TimeMap")),
        ox.Triple(timegate, node(RDF["type"]), node(f"{_MEMENTO}TimeGate")),
    ]
    start, end = ("conhecidoDesde", "conhecidoAte") if gate.on is not None else ("inicio", "fim")
    for one in gate.mementos:
        memento = node(in_links(base + one.path))
        stamp = ox.Literal(f"{one.day.isoformat()}T00:00:00Z", datatype=moment)
        triples.append(ox.Triple(original, node(f"{_MEMENTO}memento"), memento))
        triples.append(ox.Triple(memento, node(RDF["type"]), node(f"{_MEMENTO}Memento")))
        triples.append(ox.Triple(memento, node(f"{_MEMENTO}original"), original))
        triples.append(ox.Triple(memento, node(f"{_MEMENTO}mementoDatetime"), stamp))
        if one.version is not None:
            triples.append(ox.Triple(memento, node(VIG["versao"]), node(to_iri(one.version))))
        elif (status := _STATUS.get(one.status.value)) is not None:
            triples.append(ox.Triple(memento, node(VIG["situacao"]), node(status)))
        triples.append(ox.Triple(memento, node(VIG[start]), ox.Literal(one.day.isoformat(), datatype=day)))
        if one.until is not None:
            triples.append(ox.Triple(memento, node(VIG[end]), ox.Literal(one.until.isoformat(), datatype=day)))
    prefixes = {"mem": _MEMENTO, "vig": VIG["versao"].removesuffix("versao"), "xsd": XSD["date"].removesuffix("date")}
    text = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=prefixes)
    assert text is not None  # noqa: S101 - no output was given
    return text
