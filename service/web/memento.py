"""The two TimeGates of Memento (RFC 7089): over force at ``/timegate/``, over knowledge at ``/timegate/as-known/``.

A gate takes any hour of day D for D (see :mod:`service.web.http_dates`). Before the first memento it leads to the
first, after the last to the last, as section 4.5.3 of the RFC has it, and it tells the reason: only the parameters of
the resolver are strict.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.errors import BadParameter
from graph.store import Store
from graph.urn import Kind, Name
from queries.answers import Notice
from queries.evidence import records
from queries.resolution.typed import is_name
from queries.resolution.understood import understood
from service.web.asked import Asked, asked_in
from service.web.http_dates import as_moment, day_of_moment
from service.web.known_versions import KnownVersions, known_versions
from service.web.links import Links, address_of
from service.web.name_paths import in_links, name_path, text_in_path
from service.web.problems import Problem
from service.web.refusals import all_withdrawn, unknown
from service.web.replies import METHODS, TODAY, readable
from service.web.service import service_of
from service.web.version_links import knowledge_path, memento_path

__all__ = ["Gate", "Memento", "force_gate", "knowledge_gate", "routes", "target_of"]

_VARY = {"Vary": "accept-datetime"}


@dataclass(frozen=True, slots=True)
class Memento:
    """A memento: its address, its civil day, and until when it stands (half open; None where nothing ends it)."""

    path: str
    day: date
    until: date | None
    version: str


@dataclass(frozen=True, slots=True)
class Gate:
    """One of the two levels, for one norm or provision.

    Attributes:
        target: the norm or provision.
        original: the address of what changes over time.
        gate, timemap: the addresses of its TimeGate and TimeMap.
        mementos: in the order of their days.
        gap: what it means where a day lies in none of them.
        knowledge: whether the days are those of knowledge.
    """

    target: Name
    original: str
    gate: str
    timemap: str
    mementos: tuple[Memento, ...]
    gap: str
    knowledge: bool = False

    def chosen(self, day: date | None, today: date) -> tuple[Memento, tuple[Notice, ...]]:
        """The memento for a day, or for today, and what to tell of the choice.

        Raises:
            Problem: 404 ``no-mementos`` where there is none.
        """
        if not self.mementos:
            detail = f"no source dates a version of {self.target.canonical}: it has no mementos"
            raise Problem(404, "no-mementos", detail)
        asked = day or today
        first = self.mementos[0]
        if asked < first.day:
            message = (
                f"{asked} lies before the first memento, of {first.day}: the first is given (RFC 7089, section 4.5.3)"
            )
            return first, (Notice("before-first-memento", message),)
        best = next(one for one in reversed(self.mementos) if one.day <= asked)
        if best.until is not None and best.until <= asked:
            message = f"on {asked} {self.gap}; the memento of {best.day} stood until before {best.until}"
            return best, (Notice("not-on-that-day", message),)
        return best, ()

    def links(self, base: str, chosen: Memento | None = None) -> Links:
        """The links of Memento's responses (RFC 7089, section 2.2): all relations, and the mementos around one."""
        links = Links(base)
        links.add(self.original, "original")
        links.add(self.gate, "timegate")
        links.add(self.timemap, "timemap", type_="application/link-format")
        if self.mementos:
            self._add(links, self.mementos[0], "first")
            self._add(links, self.mementos[-1], "last")
        if chosen is not None:
            at = self.mementos.index(chosen)
            self._add(links, chosen)
            if at > 0:
                self._add(links, self.mementos[at - 1], "prev")
            if at + 1 < len(self.mementos):
                self._add(links, self.mementos[at + 1], "next")
        return links

    def _add(self, links: Links, one: Memento, *relations: str) -> None:
        links.add(one.path, *relations, "memento", datetime=one.day)


def force_gate(store: Store, target: Name, today: date) -> Gate:
    """The mementos of a norm or provision over days of force, as known today."""
    line = known_versions(store, target)
    found = tuple(
        Memento(memento_path(line, p), p.valid_from, p.valid_until, str(p.version)) for p in line.as_known(today)
    )
    path = name_path(target.canonical)
    return Gate(target, path, f"/timegate{path}", f"/timemap{path}", found, "no version was in force")


def knowledge_gate(store: Store, target: Name, on: date) -> Gate:
    """The mementos of the text in force on one day over days of knowledge.

    Args:
        on: D, a civil date.
    """
    line: KnownVersions = known_versions(store, target)
    found = tuple(Memento(knowledge_path(p, on), p.known_from, p.known_until, str(p.version)) for p in line.on(on))
    path, query = name_path(target.canonical), Asked(on=on).query()
    return Gate(
        target,
        f"{path}{query}",
        f"/timegate/as-known{path}{query}",
        f"/timemap/as-known{path}{query}",
        found,
        f"nobody knew a version in force on {on}",
        knowledge=True,
    )


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
        detail = "; ".join(notice.message for notice in meant.notices) or "no source in this store speaks of it"
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


def routes() -> list[Route]:
    """Both gates; that over knowledge first, for the other's address takes what stands behind it."""
    return [
        Route("/timegate/as-known/{urn:anything}", _knowledge, methods=METHODS),
        Route("/timegate/{urn:anything}", _force, methods=METHODS),
    ]


@readable
def _force(request: Request) -> Response:
    asked_in(request, known=())
    return _gate(request, "/timegate/", force_gate)


@readable
def _knowledge(request: Request) -> Response:
    asked = asked_in(request, known=("on",))
    return _gate(
        request, "/timegate/as-known/", lambda store, target, today: knowledge_gate(store, target, asked.on or today)
    )


def _accept_datetime(request: Request) -> date | None:
    """The civil day that the request asks for; None where it asks for none."""
    fields = request.headers.getlist("accept-datetime")
    if len(fields) > 1:
        raise Problem(400, "bad-accept-datetime", f"expected one Accept-Datetime, got {len(fields)}")
    return day_of_moment(fields[0]) if fields else None


def _gate(request: Request, prefix: str, made: Callable[[Store, Name, date], Gate]) -> Response:
    """302 to the memento for ``Accept-Datetime`` (RFC 7089, section 4.1.1)."""
    try:
        store, base = service_of(request).snapshot.store, address_of(request)
        today = date.today()  # noqa: DTZ011 - a civil date, on the service's calendar
        day = _accept_datetime(request)
        gate = made(store, target_of(store, text_in_path(request, prefix), base), today)
        chosen, notices = gate.chosen(day, today)
    except Problem as problem:
        problem.headers.update(_VARY)
        raise
    location = in_links(base + chosen.path)
    document = {
        "location": location,
        "version": chosen.version,
        "memento_datetime": as_moment(chosen.day),
        "notices": [notice.as_json() for notice in notices],
    }
    headers = {
        "Location": location,
        "Link": gate.links(base, chosen).field_value(),
        "Cache-Control": TODAY,
        **_VARY,
        **({"Vigente-Notice": ", ".join(notice.code for notice in notices)} if notices else {}),
    }
    body = json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    return Response(body, 302, headers, "application/json")
