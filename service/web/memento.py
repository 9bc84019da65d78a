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
from graph.errors import BadParameter
from graph.store import Store
from graph.time.kinds import SITUATIONS, STANDING, Axis
from graph.urn import Kind, Name, to_iri
from ontology.namespaces import RDF, VIG, XSD
from queries.documents import document, notice_document
from queries.evidence import records
from queries.in_force import in_force
from queries.intervals import AnswerInterval
from queries.messages import message
from queries.notices import AfterToday, BeforeFirstMemento, Notice
from queries.resolution.interpretation import interpret
from queries.resolution.spelling import is_name
from queries.status import both_axes
from queries.text.absent import missing_provision
from queries.text.changes import texts_over_force, texts_over_knowledge
from service.web.http.headers import as_moment, day_of_moment
from service.web.http.name_paths import link_target, name_path, text_in_path
from service.web.http.problems import Problem
from service.web.names.parameters import RequestParameters, asked_in
from service.web.names.versions import (
    known_versions,
    no_version_problem,
    own_start,
    unknown_name_problem,
    withdrawn_problem,
)
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

# The mementos (RFC 7089) of a norm or provision, over days of force or over days of knowledge.
#
# A memento is one answer with one text, valid for an interval of days. An interval in which no version answers
# (revoked, annulled, suspended, in vacatio, undecided) is a memento too: a 404 with its reason (RFC 7089, section
# 4.5.5). No version is given for a day on which it was not the answer.


@dataclass(frozen=True, slots=True)
class Memento(AnswerInterval):
    """A memento: its path, and the days for which it is valid.

    Attributes:
        path: the path and query of the version that answers; of the norm or provision where none does.
    """

    path: str


@dataclass(frozen=True, slots=True)
class TimeGate:
    """The TimeGate of a norm or provision, over force or over knowledge.

    Attributes:
        target: the norm or provision.
        original: the path of the original resource.
        gate, timemap: the paths of its TimeGate and TimeMap.
        mementos: the mementos in order; their intervals are adjacent.
        on: the day of force of a TimeGate over knowledge; else None.
    """

    target: Name
    original: str
    gate: str
    timemap: str
    mementos: tuple[Memento, ...]
    on: date | None = None

    def choose(self, asked: date | None, today: date) -> tuple[Memento, tuple[Notice, ...]]:
        """Return the memento for a day, or for today, and notices about the choice. There must be mementos."""
        first, day = self.mementos[0], asked or today
        if day < first.start:
            return first, (BeforeFirstMemento(day, first.start),)
        best = self.memento_on(day)
        assert best is not None  # noqa: S101 - the intervals are adjacent, and the last one is open
        if self.on is not None and day > today:
            return best, (AfterToday(day),)
        return best, ()

    def memento_on(self, day: date) -> Memento | None:
        """Return the memento of a day of force or of knowledge; None before the first."""
        return next((memento for memento in reversed(self.mementos) if memento.start <= day), None)

    def at(self, address: str) -> Memento | None:
        """Return the memento with a path and query; None where there is none."""
        return next((memento for memento in self.mementos if memento.path == address), None)

    def link(self, links: Links, memento: Memento | None = None, *, of_version: bool = False) -> None:
        """Add the links of Memento (RFC 7089, section 2.2).

        Args:
            memento: the memento of the response. Links to the first, last, previous and next memento are added too.
            of_version: whether the response is that of a version. Over force, its ``first``, ``prev`` and so on are
                versions (RFC 9676, section 7.1.1). A memento without a version then has the relation ``memento`` only.
        """

        links.add(self.original, "original")
        links.add(self.gate, "timegate")
        links.add(self.timemap, "timemap", type_="application/link-format")
        if memento is None:
            return
        index, last = self.mementos.index(memento), len(self.mementos) - 1
        positions: dict[int, list[str]] = {}
        for place, where in (("first", 0), ("last", last), ("", index), ("prev", index - 1), ("next", index + 1)):
            if 0 <= where <= last:
                positions.setdefault(where, []).extend([place] if place else [])
        for where, relations in positions.items():
            entry = self.mementos[where]
            alone = of_version and self.on is None and entry.version is None
            links.add_memento(entry.path, *(() if alone else relations), datetime=entry.start)


def force_gate(store: Store, target: Name, today: date) -> TimeGate:
    """Return the TimeGate of a norm or provision over days of force, as known today.

    The address of a version without a day is its memento for the period that its name identifies. The addresses of its
    other mementos have their first day.
    """
    intervals = texts_over_force(store, target, today)
    path = name_path(target.canonical)

    def address(interval: AnswerInterval) -> str:
        if interval.version is None:
            return path + RequestParameters(on=interval.start).query()
        own = interval.start == own_start(interval.version, _periods_of(interval.version, intervals))
        return name_path(interval.version) + ("" if own else RequestParameters(on=interval.start).query())

    mementos = tuple(
        Memento(interval.start, interval.until, interval.status, interval.version, address(interval))
        for interval in intervals
    )
    return TimeGate(target, path, f"/timegate{path}", f"/timemap{path}", mementos)


def _periods_of(version: str, intervals: Iterable[AnswerInterval]) -> Sequence[tuple[date, date | None]]:
    return [(interval.start, interval.until) for interval in intervals if interval.version == version]


def knowledge_gate(store: Store, target: Name, on: date, today: date) -> TimeGate:
    """Return the TimeGate over days of knowledge, up to today, for one day of force.

    Args:
        on: D, a civil date.
    """
    path, query = name_path(target.canonical), RequestParameters(on=on).query()
    mementos = tuple(
        Memento(
            interval.start,
            interval.until,
            interval.status,
            interval.version,
            (path if interval.version is None else name_path(interval.version))
            + RequestParameters(on=on, as_known=interval.start).query(),
        )
        for interval in texts_over_knowledge(store, target, on, today)
    )
    return TimeGate(
        target,
        f"{path}{query}",
        f"/timegate/as-known{path}{query}",
        f"/timemap/as-known{path}{query}",
        mementos,
        on,
    )


# The two TimeGates (RFC 7089): over force at ``/timegate/``, over knowledge at ``/timegate/as-known/``.
#
# Any time of day D means D (see :mod:`service.web.http.headers`). A day before the first memento selects the
# first. A day after the last selects the last (RFC 7089, section 4.5.3). A notice reports this. Only the resolver's
# parameters are strict.


_VARY = {"Vary": "accept-datetime"}


def gate_of(store: Store, target: Name, on: date | None, today: date) -> TimeGate:
    """Return the TimeGate of a norm or provision: over knowledge for one day of force, or over force.

    Args:
        on: D, a civil date; None for the TimeGate over force.

    Raises:
        Problem: 404 where it has no mementos: with the reason why no version answers, or ``no-mementos`` where no
            source dates a version.
    """
    gate = force_gate(store, target, today) if on is None else knowledge_gate(store, target, on, today)
    if gate.mementos:
        return gate
    line = known_versions(store, target)
    if line.periods:
        raise no_version_problem(store, in_force(store, target, on or today, today), line)
    raise Problem(404, "no-mementos", f"no source dates a version of {target.canonical}: it has no mementos")


def target_of(store: Store, text: str, base: str) -> Name:
    """Return the norm or provision of a TimeGate's path, which has its name or its address at this service.

    Raises:
        Problem: 404, 410.
        BadName, BadParameter: the text is not a name, or is the name of a version, which has no mementos.
    """
    text = text.removeprefix(f"{base}/")
    if not is_name(text):
        raise Problem(404, "unknown-address", "expected a name urn:lex:... at the end of the path")
    understood = interpret(store, text)
    if understood.name is None:
        detail = "; ".join(map(message, understood.notices)) or "no source in this store mentions it"
        raise Problem(404, "unknown-name", detail)
    name = understood.name
    target = name.provision or name.work
    if name.kind is not Kind.COMPLEX and name != target:
        raise BadParameter(f"expected the name of a norm or provision, got a version; use {target.canonical}")
    gone = withdrawn_problem(store, target)
    if gone is not None:
        raise gone
    if not records(store, target.iri):
        if target != target.work and records(store, target.work.iri):
            detail = f"the sources describe {target.work.canonical}, but not {target.canonical}"
            raise missing_provision(store, target.canonical) or Problem(404, "provision-unknown", detail)
        raise unknown_name_problem(store, target, ())
    return target


def gate_routes() -> list[Route]:
    """Return the routes of both TimeGates. That over knowledge is first, because the other matches its paths too."""
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
    """Return the civil day of ``Accept-Datetime``; None where the field is absent."""
    fields = request.headers.getlist("accept-datetime")
    if len(fields) > 1:
        raise Problem(400, "bad-accept-datetime", f"expected one Accept-Datetime, got {len(fields)}")
    return day_of_moment(fields[0]) if fields else None


def _redirect_to_memento(request: Request, prefix: str, on: Callable[[date], date | None]) -> Response:
    """Return 302 to the memento for ``Accept-Datetime`` (RFC 7089, section 4.1.1).

    Args:
        on: returns D from the current civil date; None for the TimeGate over force.
    """
    try:
        store, base, now = service_of(request).snapshot.store, address_of(request), today()
        day = _accept_datetime(request)
        gate = gate_of(store, target_of(store, text_in_path(request, prefix), base), on(now), now)
    except Problem as problem:
        problem.headers.update(_VARY)
        raise
    memento, notices = gate.choose(day, now)
    location = link_target(base + memento.path)
    on_day, as_known = (memento.start, now) if gate.on is None else (gate.on, memento.start)
    axes = both_axes(store, gate.target, on_day, as_known)
    content = {
        "location": location,
        "version": memento.version,
        "status": memento.status.value,
        "force": document(axes[Axis.FORCE]),
        "efficacy": document(axes[Axis.EFFICACY]),
        "memento_datetime": as_moment(memento.start),
        "notices": [notice_document(notice) for notice in notices],
    }
    links = Links(base)
    gate.link(links, memento)
    headers = {
        "Location": location,
        "Link": links.field_value(),
        "Cache-Control": cache_control_as_known(request, now, now),
        **status_fields(memento.status, axes[Axis.FORCE], axes[Axis.EFFICACY]),
        **_VARY,
        **({"Vigente-Notice": ", ".join(notice.code for notice in notices)} if notices else {}),
    }
    body = json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    return Response(body, 302, headers, "application/json")


# TimeMaps (RFC 7089, section 5): all mementos of a norm or provision, over force and over knowledge.


#: The media types of a TimeMap by the value of ``format``; RFC 7089 defines ``link-format``.
_FORMATS: Mapping[str, str] = MappingProxyType(
    {"link": "application/link-format", "json": "application/json", "ttl": "text/turtle", "turtle": "text/turtle"}
)
#: The maximum number of mementos of a TimeMap. More are split into several linked TimeMaps (RFC 7089, section 5).
_MAX_MEMENTOS = 1_000
#: The concepts of the ontology by status.
_STATUS = {**{status.value: concept for status, concept in SITUATIONS.items()}, **STANDING}
#: The namespace of the Memento vocabulary: classes, the relations of RFC 7089, section 2.2, and the datetime.
_MEMENTO = "http://mementoweb.org/ns#"


def timemap_routes() -> list[Route]:
    """Return the routes of both TimeMaps. ``as-known`` is first, because the other route matches its paths too."""
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
    """A TimeMap with all mementos of a TimeGate, or with one part of them.

    Attributes:
        number: the number of the part, from 1; the first has the path of the whole TimeMap.
    """

    gate: TimeGate
    number: int
    mementos: tuple[Memento, ...]

    @property
    def path(self) -> str:
        """Its path, with its query."""
        timemap = self.gate.timemap
        return timemap if self.number == 1 else f"{timemap}{'&' if '?' in timemap else '?'}part={self.number}"

    @property
    def moments(self) -> tuple[str, str]:
        """The HTTP dates of its first and last memento."""
        return as_moment(self.mementos[0].start), as_moment(self.mementos[-1].start)


def _parts(gate: TimeGate) -> list[_Part]:
    starts = range(0, len(gate.mementos), _MAX_MEMENTOS)
    return [_Part(gate, start // _MAX_MEMENTOS + 1, gate.mementos[start : start + _MAX_MEMENTOS]) for start in starts]


def _timemap(request: Request, asked: RequestParameters, prefix: str, on: Callable[[date], date | None]) -> Response:
    """Return 200 with all mementos, or with one part of them.

    Args:
        on: returns D from the current civil date; None for the TimeMap over force.
    """
    snapshot, base, now = service_of(request).snapshot, address_of(request), today()
    media = format_of(request, asked.format, _FORMATS)
    target = target_of(snapshot.store, text_in_path(request, prefix), base)
    gate = gate_of(snapshot.store, target, on(now), now)
    parts, number = _parts(gate), asked.part or 1
    if number > len(parts):
        raise BadParameter(f"expected part from 1 to {len(parts)}, got {number}")
    part, others = parts[number - 1], [other_part for other_part in parts if other_part.number != number]
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
    """Return the TimeMap as ``application/link-format`` (RFC 7089, section 5; RFC 6690)."""
    gate = part.gate
    lines = [
        f'<{link_target(base + gate.original)}>; rel="original"',
        f"<{link_target(base + part.path)}>; {_link_attributes(part, 'self')}",
        f'<{link_target(base + gate.gate)}>; rel="timegate"',
        *(f"<{link_target(base + other.path)}>; {_link_attributes(other, 'timemap')}" for other in others),
    ]
    for memento in part.mementos:
        positions = ("first", memento is gate.mementos[0]), ("last", memento is gate.mementos[-1]), ("memento", True)
        relations = " ".join(place for place, applies in positions if applies)
        lines.append(f'<{link_target(base + memento.path)}>; rel="{relations}"; datetime="{as_moment(memento.start)}"')
    return (",\n".join(lines) + "\n").encode()


def _link_attributes(part: _Part, relation: str) -> str:
    first, last = part.moments
    return f'rel="{relation}"; type="application/link-format"; from="{first}"; until="{last}"'


def _as_json(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """Return the TimeMap as JSON: each memento with its status, version and half-open interval of days."""
    gate = part.gate

    def memento_document(memento: Memento) -> dict[str, str | None]:
        return {
            "uri": link_target(base + memento.path),
            "datetime": as_moment(memento.start),
            "status": memento.status.value,
            "version": memento.version,
            "from": memento.start.isoformat(),
            "until": memento.until.isoformat() if memento.until is not None else None,
        }

    document = {
        "original_uri": link_target(base + gate.original),
        "timegate_uri": link_target(base + gate.gate),
        "timemap_uri": link_target(base + part.path),
        "name": gate.target.canonical,
        "mementos": {
            "first": memento_document(gate.mementos[0]),
            "last": memento_document(gate.mementos[-1]),
            "list": [memento_document(memento) for memento in part.mementos],
        },
        "timemaps": [
            {"uri": link_target(base + other.path), "from": other.moments[0], "until": other.moments[1]}
            for other in others
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def _as_turtle(part: _Part, others: Sequence[_Part], base: str) -> bytes:
    """Return the TimeMap as Turtle: each memento with its version, or with the status that explains its absence.

    Each has its first day, also as ``Memento-Datetime``, and its exclusive end.
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
    for entry in part.mementos:
        memento = node(link_target(base + entry.path))
        stamp = ox.Literal(f"{entry.start.isoformat()}T00:00:00Z", datatype=moment)
        triples.append(ox.Triple(original, node(f"{_MEMENTO}memento"), memento))
        triples.append(ox.Triple(memento, node(RDF["type"]), node(f"{_MEMENTO}Memento")))
        triples.append(ox.Triple(memento, node(f"{_MEMENTO}original"), original))
        triples.append(ox.Triple(memento, node(f"{_MEMENTO}mementoDatetime"), stamp))
        if entry.version is not None:
            triples.append(ox.Triple(memento, node(VIG["versao"]), node(to_iri(entry.version))))
        elif (status := _STATUS.get(entry.status.value)) is not None:
            triples.append(ox.Triple(memento, node(VIG["situacao"]), node(status)))
        triples.append(ox.Triple(memento, node(VIG[start]), ox.Literal(entry.start.isoformat(), datatype=day)))
        if entry.until is not None:
            triples.append(ox.Triple(memento, node(VIG[end]), ox.Literal(entry.until.isoformat(), datatype=day)))
    prefixes = {"mem": _MEMENTO, "vig": VIG["versao"].removesuffix("versao"), "xsd": XSD["date"].removesuffix("date")}
    text = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=prefixes)
    assert text is not None  # noqa: S101 - no output was given
    return text
