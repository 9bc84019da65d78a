"""Memento (RFC 7089): TimeGates and TimeMaps over force and over knowledge."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.civil import today
from graph.entities import Axis
from graph.errors import BadParameter
from graph.store import Store
from graph.store.derivation import SITUATIONS
from graph.urn import Kind, Name, to_iri
from ontology.namespaces import RDF, VIG, XSD
from queries.documents import document, notice_document
from queries.english import message
from queries.evidence import records
from queries.in_force import in_force
from queries.intervals import AnswerInterval
from queries.notices import AfterToday, BeforeFirstMemento, Notice
from queries.reasons import Status
from queries.resolution.interpretation import is_name, understood
from queries.status import both_axes
from queries.text.composition import same_over_force, same_over_knowledge
from service.web.http.headers import as_moment, day_of_moment
from service.web.http.name_paths import link_target, name_path, text_in_path
from service.web.http.problems import Problem
from service.web.names.parameters import Asked, asked_in
from service.web.names.versions import all_withdrawn, known_versions, no_version, own_start, unknown
from service.web.replies import (
    METHODS,
    Links,
    address_of,
    cache_control_as_known,
    conditional,
    entity_tag,
    format_of,
    readable,
    status_fields,
)
from service.web.service import service_of

# What Memento (RFC 7089) has of a norm or provision: its mementos over days of force, or over days of knowledge.
#
# A memento is one answer with one text: for a interval of days the question has that answer, and the text reads so.
# Where no version answers (revoked, annulled, suspended, in vacatio, undecided), that is a memento too, which is a 404
# with its reason (section 4.5.5 of the RFC): no version is ever passed off for a day on which it was not the answer.


@dataclass(frozen=True, slots=True)
class Memento:
    """A memento: its address, and the days ``[day, until)`` for which it holds; None where nothing ends it.

    Attributes:
        path: of the version that answers, or of the norm or provision where none does, with the days that it needs.
        version: the version's canonical name; None where none answers.
    """

    path: str
    day: date
    until: date | None
    status: Status
    version: str | None


@dataclass(frozen=True, slots=True)
class Gate:
    """One of the two levels, for one norm or provision.

    Attributes:
        target: the norm or provision.
        original: the address of what changes over time.
        gate, timemap: the addresses of its TimeGate and TimeMap.
        mementos: in the order of their days; there is no day between two of them.
        on: the day of force, where the days are those of knowledge; else None.
    """

    target: Name
    original: str
    gate: str
    timemap: str
    mementos: tuple[Memento, ...]
    on: date | None = None

    def chosen(self, asked: date | None, today: date) -> tuple[Memento, tuple[Notice, ...]]:
        """The memento for a day, or for today, and what to tell of the choice. There has to be one."""
        first, day = self.mementos[0], asked or today
        if day < first.day:
            return first, (BeforeFirstMemento(day, first.day),)
        best = self.memento_on(day)
        assert best is not None  # noqa: S101 - there is no day between two, and nothing ends the last
        if self.on is not None and day > today:
            return best, (AfterToday(day),)
        return best, ()

    def memento_on(self, day: date) -> Memento | None:
        """The memento of a day, of force or of knowledge; None before the first."""
        return next((one for one in reversed(self.mementos) if one.day <= day), None)

    def at(self, address: str) -> Memento | None:
        """The memento that has an address, a path with its query; None where it is none."""
        return next((one for one in self.mementos if one.path == address), None)

    def link(self, links: Links, chosen: Memento | None = None, *, of_version: bool = False) -> None:
        """Add the links of Memento (RFC 7089, section 2.2).

        Args:
            chosen: the memento that is given, or led to: the first, the last and those around it are told too.
            of_version: whether the response is a version's. Over force its ``first``, ``prev`` ... are versions (RFC
                9676, section 7.1.1), so that a memento beside it that is none is told as ``memento`` alone.
        """

        links.add(self.original, "original")
        links.add(self.gate, "timegate")
        links.add(self.timemap, "timemap", type_="application/link-format")
        if chosen is None:
            return
        at, last = self.mementos.index(chosen), len(self.mementos) - 1
        positions: dict[int, list[str]] = {}
        for place, where in (("first", 0), ("last", last), ("", at), ("prev", at - 1), ("next", at + 1)):
            if 0 <= where <= last:
                positions.setdefault(where, []).extend([place] if place else [])
        for where, memento_document in positions.items():
            one = self.mementos[where]
            alone = of_version and self.on is None and one.version is None
            links.add_memento(one.path, *(() if alone else memento_document), datetime=one.day)


def force_gate(store: Store, target: Name, today: date) -> Gate:
    """The mementos of a norm or provision over days of force, as known today.

    A version stands at its own address for the days for which its name answers without a day; for others the address
    says the first of them.
    """
    intervals = same_over_force(store, target, today)
    path = name_path(target.canonical)

    def address(one: AnswerInterval) -> str:
        if one.version is None:
            return path + Asked(on=one.start).query()
        own = one.start == own_start(one.version, _periods_of(one.version, intervals))
        return name_path(one.version) + ("" if own else Asked(on=one.start).query())

    found = tuple(Memento(address(one), one.start, one.until, one.status, one.version) for one in intervals)
    return Gate(target, path, f"/timegate{path}", f"/timemap{path}", found)


def _periods_of(version: str, intervals: Iterable[AnswerInterval]) -> Sequence[tuple[date, date | None]]:
    return [(one.start, one.until) for one in intervals if one.version == version]


def knowledge_gate(store: Store, target: Name, on: date, today: date) -> Gate:
    """The mementos of what was known of one day of force, up to today.

    Args:
        on: D, a civil date.
    """
    path, query = name_path(target.canonical), Asked(on=on).query()
    found = tuple(
        Memento(
            (path if one.version is None else name_path(one.version)) + Asked(on=on, as_known=one.start).query(),
            one.start,
            one.until,
            one.status,
            one.version,
        )
        for one in same_over_knowledge(store, target, on, today)
    )
    return Gate(
        target,
        f"{path}{query}",
        f"/timegate/as-known{path}{query}",
        f"/timemap/as-known{path}{query}",
        found,
        on,
    )


# The two TimeGates of Memento (RFC 7089): over force at ``/timegate/``, over knowledge at ``/timegate/as-known/``.
#
# A gate takes any hour of day D for D (see :mod:`service.web.http.headers`). Before the first memento it leads to
# the first, after the last to the last, as section 4.5.3 of the RFC has it, and it tells the reason: only the
# parameters of the resolver are strict.


_VARY = {"Vary": "accept-datetime"}


def gate_of(store: Store, target: Name, on: date | None, today: date) -> Gate:
    """The mementos of a norm or provision: over knowledge of one day of force, or over force.

    Args:
        on: D, a civil date; None for the mementos over force.

    Raises:
        Problem: 404 where it has none: with the reason for which no version answers, or ``no-mementos`` where no source
            dates any.
    """
    gate = force_gate(store, target, today) if on is None else knowledge_gate(store, target, on, today)
    if gate.mementos:
        return gate
    line = known_versions(store, target)
    if line.periods:
        raise no_version(in_force(store, target, on or today, today), line)
    raise Problem(404, "no-mementos", f"no source dates a version of {target.canonical}: it has no mementos")


def target_of(store: Store, text: str, base: str) -> Name:
    """The norm or provision that a gate is asked about: by its name, or by its address at this service.

    Raises:
        Problem: 404, 410.
        BadName, BadParameter: the text is no name; it is the name of a version, which has no mementos of its own.
    """
    text = text.removeprefix(f"{base}/")
    if not is_name(text):
        raise Problem(404, "unknown-address", "expected a name urn:lex: behind this address")
    meant = understood(store, text)
    if meant.name is None:
        detail = "; ".join(map(message, meant.notices)) or "no source in this store speaks of it"
        raise Problem(404, "unknown-name", detail)
    name = meant.name
    target = name.provision or name.work
    if name.kind is not Kind.COMPLEX and name != target:
        raise BadParameter(f"expected the name of a norm or provision, got that of a version; ask {target.canonical}")
    gone = all_withdrawn(store, target)
    if gone is not None:
        raise gone
    if not records(store, target.iri):
        if target != target.work and records(store, target.work.iri):
            detail = f"the sources know {target.work.canonical} but no text of {target.canonical} by itself"
            raise Problem(404, "provision-unknown", detail)
        raise unknown(store, target, ())
    return target


def gate_routes() -> list[Route]:
    """Both gates; that over knowledge first, for the other's address takes what stands behind it."""
    return [
        Route("/timegate/as-known/{urn:anything}", _knowledge_gate, methods=METHODS),
        Route("/timegate/{urn:anything}", _force_gate, methods=METHODS),
    ]


@readable
def _force_gate(request: Request) -> Response:
    asked_in(request, known=())
    return _redirect_to_memento(request, "/timegate/", lambda _: None)


@readable
def _knowledge_gate(request: Request) -> Response:
    asked = asked_in(request, known=("on",))
    return _redirect_to_memento(request, "/timegate/as-known/", lambda now: asked.on or now)


def _accept_datetime(request: Request) -> date | None:
    """The civil day that the request asks for; None where it asks for none."""
    fields = request.headers.getlist("accept-datetime")
    if len(fields) > 1:
        raise Problem(400, "bad-accept-datetime", f"expected one Accept-Datetime, got {len(fields)}")
    return day_of_moment(fields[0]) if fields else None


def _redirect_to_memento(request: Request, prefix: str, on: Callable[[date], date | None]) -> Response:
    """302 to the memento for ``Accept-Datetime`` (RFC 7089, section 4.1.1).

    Args:
        on: D by the civil date of today; None for the gate over force.
    """
    try:
        store, base, now = service_of(request).snapshot.store, address_of(request), today()
        day = _accept_datetime(request)
        gate = gate_of(store, target_of(store, text_in_path(request, prefix), base), on(now), now)
    except Problem as problem:
        problem.headers.update(_VARY)
        raise
    chosen, notices = gate.chosen(day, now)
    location = link_target(base + chosen.path)
    on_day, heard = (chosen.day, now) if gate.on is None else (gate.on, chosen.day)
    axes = both_axes(store, gate.target, on_day, heard)
    content = {
        "location": location,
        "version": chosen.version,
        "status": chosen.status.value,
        "force": document(axes[Axis.FORCE]),
        "efficacy": document(axes[Axis.EFFICACY]),
        "memento_datetime": as_moment(chosen.day),
        "notices": [notice_document(notice) for notice in notices],
    }
    links = Links(base)
    gate.link(links, chosen)
    headers = {
        "Location": location,
        "Link": links.field_value(),
        "Cache-Control": cache_control_as_known(request, now, now),
        **status_fields(chosen.status, axes[Axis.FORCE], axes[Axis.EFFICACY]),
        **_VARY,
        **({"Vigente-Notice": ", ".join(notice.code for notice in notices)} if notices else {}),
    }
    body = json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    return Response(body, 302, headers, "application/json")


# TimeMaps (RFC 7089, section 5): all mementos of a norm or provision, over force and over knowledge.


#: What a TimeMap can be given as, by the short name for ``format``; ``link-format`` is that of the RFC.
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"link": "application/link-format", "json": "application/json", "ttl": "text/turtle", "turtle": "text/turtle"}
)
#: Most mementos of a TimeMap: of more there are several, each with links to the others (RFC 7089, section 5).
_MAX_MEMENTOS = 1_000
#: The concept of each status that the ontology has one for.
_STATUS = {status.value: concept for status, concept in SITUATIONS.items()}
#: The vocabulary of Memento: its classes, the relations of RFC 7089, section 2.2, and the moment of a memento.
_MEMENTO = "http://mementoweb.org/ns#"


def timemap_routes() -> list[Route]:
    """Both TimeMaps; that over knowledge first, for the other's address takes what stands behind it."""
    return [
        Route("/timemap/as-known/{urn:anything}", _knowledge_map, methods=METHODS),
        Route("/timemap/{urn:anything}", _force_map, methods=METHODS),
    ]


@readable
def _force_map(request: Request) -> Response:
    asked = asked_in(request, known=("format", "part"))
    return _timemap(request, asked, "/timemap/", lambda _: None)


@readable
def _knowledge_map(request: Request) -> Response:
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
    def moments(self) -> tuple[str, str]:
        """The moments of its first and of its last memento."""
        return as_moment(self.mementos[0].day), as_moment(self.mementos[-1].day)


def _parts(gate: Gate) -> list[_Part]:
    starts = range(0, len(gate.mementos), _MAX_MEMENTOS)
    return [_Part(gate, at // _MAX_MEMENTOS + 1, gate.mementos[at : at + _MAX_MEMENTOS]) for at in starts]


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
        "Cache-Control": cache_control_as_known(request, now, now),
        "Vary": "Accept, Accept-Encoding",
        "Link": links.field_value(),
    }
    return conditional(request, Response(body, 200, headers, media))


def _as_links(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """``application/link-format`` (RFC 7089, section 5; RFC 6690)."""
    gate = part.gate
    lines = [
        f'<{link_target(base + gate.original)}>; rel="original"',
        f"<{link_target(base + part.path)}>; {_link_attributes(part, 'self')}",
        f'<{link_target(base + gate.gate)}>; rel="timegate"',
        *(f"<{link_target(base + one.path)}>; {_link_attributes(one, 'timemap')}" for one in others),
    ]
    for one in part.mementos:
        positions = ("first", one is gate.mementos[0]), ("last", one is gate.mementos[-1]), ("memento", True)
        relations = " ".join(place for place, there in positions if there)
        lines.append(f'<{link_target(base + one.path)}>; rel="{relations}"; datetime="{as_moment(one.day)}"')
    return (",\n".join(lines) + "\n").encode()


def _link_attributes(part: _Part, relation: str) -> str:
    first, last = part.moments
    return f'rel="{relation}"; type="application/link-format"; from="{first}"; until="{last}"'


def _as_json(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """The TimeMap as JSON: each memento with its status, its version where one answers, and its days, half open."""
    gate = part.gate

    def memento_document(one: Memento) -> dict[str, str | None]:
        return {
            "uri": link_target(base + one.path),
            "datetime": as_moment(one.day),
            "status": one.status.value,
            "version": one.version,
            "from": one.day.isoformat(),
            "until": one.until.isoformat() if one.until is not None else None,
        }

    document = {
        "original_uri": link_target(base + gate.original),
        "timegate_uri": link_target(base + gate.gate),
        "timemap_uri": link_target(base + part.path),
        "name": gate.target.canonical,
        "mementos": {
            "first": memento_document(gate.mementos[0]),
            "last": memento_document(gate.mementos[-1]),
            "list": [memento_document(one) for one in part.mementos],
        },
        "timemaps": [
            {"uri": link_target(base + one.path), "from": one.moments[0], "until": one.moments[1]} for one in others
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def _as_turtle(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """The TimeMap as Turtle: each memento with the version that it shows, or the status that says why it shows none.

    Both have its first day, also as the moment of ``Memento-Datetime``, and the day that it ends before.
    """
    gate = part.gate
    node, day, moment = ox.NamedNode, ox.NamedNode(XSD["date"]), ox.NamedNode(XSD["dateTime"])
    original, timemap, timegate = (node(link_target(base + path)) for path in (gate.original, part.path, gate.gate))
    triples = [
        ox.Triple(original, node(RDF["type"]), node(f"{_MEMENTO}OriginalResource")),
        ox.Triple(original, node(f"{_MEMENTO}timemap"), timemap),
        ox.Triple(original, node(f"{_MEMENTO}timegate"), timegate),
        ox.Triple(timemap, node(RDF["type"]), node(f"{_MEMENTO}TimeMap")),
        ox.Triple(timegate, node(RDF["type"]), node(f"{_MEMENTO}TimeGate")),
    ]
    for other in others:
        triples.append(ox.Triple(original, node(f"{_MEMENTO}timemap"), node(link_target(base + other.path))))
        triples.append(ox.Triple(node(link_target(base + other.path)), node(RDF["type"]), node(f"{_MEMENTO}TimeMap")))
    start, end = ("conhecidoDesde", "conhecidoAte") if gate.on is not None else ("inicio", "fim")
    for one in part.mementos:
        memento = node(link_target(base + one.path))
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
