"""TimeMaps (RFC 7089, section 5): all mementos of a norm or provision, over force and over knowledge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.derived import SITUATIONS
from graph.errors import BadParameter
from graph.today import today
from graph.urn import to_iri
from ontology.namespaces import RDF, VIG, XSD
from service.web.http.http_dates import as_moment
from service.web.http.name_paths import in_links, text_in_path
from service.web.links import Links, address_of
from service.web.memento.gates import Gate, Memento
from service.web.memento.memento import gate_of, target_of
from service.web.names.asked import Asked, asked_in
from service.web.replies import METHODS, conditional, entity_tag, format_of, kept_as_known, readable
from service.web.service import service_of

#: What a TimeMap can be given as, by the short name for ``format``; ``link-format`` is that of the RFC.
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"link": "application/link-format", "json": "application/json", "ttl": "text/turtle", "turtle": "text/turtle"}
)
#: Most mementos of a TimeMap: of more there are several, each with links to the others (RFC 7089, section 5).
_MOST = 1_000
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
    asked = asked_in(request, known=("format", "part"))
    return _timemap(request, asked, "/timemap/", lambda _: None)


@readable
def _knowledge(request: Request) -> Response:
    asked = asked_in(request, known=("on", "format", "part"))
    return _timemap(request, asked, "/timemap/as-known/", lambda now: asked.on or now)


@dataclass(frozen=True, slots=True)
class _Part:
    """A TimeMap of all mementos of a gate, or of as many as one has.

    Attributes:
        number: from 1; the first stands at the address of the whole.
    """

    gate: Gate
    number: int
    mementos: tuple[Memento, ...]

    @property
    def path(self) -> str:
        """Its address, with its query."""
        timemap = self.gate.timemap
        return timemap if self.number == 1 else f"{timemap}{'&' if '?' in timemap else '?'}part={self.number}"

    @property
    def span(self) -> tuple[str, str]:
        """The moments of its first and of its last memento."""
        return as_moment(self.mementos[0].day), as_moment(self.mementos[-1].day)


def _parts(gate: Gate) -> list[_Part]:
    starts = range(0, len(gate.mementos), _MOST)
    return [_Part(gate, at // _MOST + 1, gate.mementos[at : at + _MOST]) for at in starts]


def _timemap(request: Request, asked: Asked, prefix: str, on: Callable[[date], date | None]) -> Response:
    """200 with all mementos, or with one part of many.

    Args:
        on: D by the civil date of today; None for the map over force.
    """
    snapshot, base, now = service_of(request).snapshot, address_of(request), today()
    media = format_of(request, asked.format, _FORMATS)
    target = target_of(snapshot.store, text_in_path(request, prefix), base)
    gate = gate_of(snapshot.store, target, on(now), now)
    parts, number = _parts(gate), asked.part or 1
    if number > len(parts):
        raise BadParameter(f"expected part from 1 to {len(parts)}, got {number}")
    part, others = parts[number - 1], [one for one in parts if one.number != number]
    match media:
        case "application/json":
            body = _as_json(part, others, base)
        case "text/turtle":
            body = _as_turtle(part, others, base)
        case _:
            body = _as_links(part, others, base)
    links = Links(base)
    gate.link(links)
    headers = {
        "ETag": entity_tag(snapshot, part.path, base, media, now),
        "Cache-Control": kept_as_known(request, now, now),
        "Vary": "Accept, Accept-Encoding",
        "Link": links.field_value(),
    }
    return conditional(request, Response(body, 200, headers, media))


def _as_links(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """``application/link-format`` (RFC 7089, section 5; RFC 6690)."""
    gate = part.gate
    lines = [
        f'<{in_links(base + gate.original)}>; rel="original"',
        f"<{in_links(base + part.path)}>; {_told_of(part, 'self')}",
        f'<{in_links(base + gate.gate)}>; rel="timegate"',
        *(f"<{in_links(base + one.path)}>; {_told_of(one, 'timemap')}" for one in others),
    ]
    for one in part.mementos:
        places = ("first", one is gate.mementos[0]), ("last", one is gate.mementos[-1]), ("memento", True)
        relations = " ".join(place for place, there in places if there)
        lines.append(f'<{in_links(base + one.path)}>; rel="{relations}"; datetime="{as_moment(one.day)}"')
    return (",\n".join(lines) + "\n").encode()


def _told_of(part: _Part, relation: str) -> str:
    first, last = part.span
    return f'rel="{relation}"; type="application/link-format"; from="{first}"; until="{last}"'


def _as_json(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """The TimeMap as JSON: each memento with its status, its version where one answers, and its days, half open."""
    gate = part.gate

    def told(one: Memento) -> dict[str, str | None]:
        return {
            "uri": in_links(base + one.path),
            "datetime": as_moment(one.day),
            "status": one.status.value,
            "version": one.version,
            "from": one.day.isoformat(),
            "until": one.until.isoformat() if one.until is not None else None,
        }

    document = {
        "original_uri": in_links(base + gate.original),
        "timegate_uri": in_links(base + gate.gate),
        "timemap_uri": in_links(base + part.path),
        "name": gate.target.canonical,
        "mementos": {
            "first": told(gate.mementos[0]),
            "last": told(gate.mementos[-1]),
            "list": [told(one) for one in part.mementos],
        },
        "timemaps": [{"uri": in_links(base + one.path), "from": one.span[0], "until": one.span[1]} for one in others],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def _as_turtle(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """The TimeMap as Turtle: each memento with the version that it shows, or the status that says why it shows none.

    Both have its first day, also as the moment of ``Memento-Datetime``, and the day that it ends before.
    """
    gate = part.gate
    node, day, moment = ox.NamedNode, ox.NamedNode(XSD["date"]), ox.NamedNode(XSD["dateTime"])
    original, timemap, timegate = (node(in_links(base + path)) for path in (gate.original, part.path, gate.gate))
    triples = [
        ox.Triple(original, node(RDF["type"]), node(f"{_MEMENTO}OriginalResource")),
        ox.Triple(original, node(f"{_MEMENTO}timemap"), timemap),
        ox.Triple(original, node(f"{_MEMENTO}timegate"), timegate),
        ox.Triple(timemap, node(RDF["type"]), node(f"{_MEMENTO}TimeMap")),
        ox.Triple(timegate, node(RDF["type"]), node(f"{_MEMENTO}TimeGate")),
    ]
    for other in others:
        triples.append(ox.Triple(original, node(f"{_MEMENTO}timemap"), node(in_links(base + other.path))))
        triples.append(ox.Triple(node(in_links(base + other.path)), node(RDF["type"]), node(f"{_MEMENTO}TimeMap")))
    start, end = ("conhecidoDesde", "conhecidoAte") if gate.on is not None else ("inicio", "fim")
    for one in part.mementos:
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
