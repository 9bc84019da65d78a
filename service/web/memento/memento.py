"""The two TimeGates of Memento (RFC 7089): over force at ``/timegate/``, over knowledge at ``/timegate/as-known/``.

A gate takes any hour of day D for D (see :mod:`service.web.http.http_dates`). Before the first memento it leads to the
first, after the last to the last, as section 4.5.3 of the RFC has it, and it tells the reason: only the parameters of
the resolver are strict.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.entities import Axis
from graph.errors import BadParameter
from graph.store import Store
from graph.today import today
from graph.urn import Kind, Name
from queries import in_force
from queries.documents import document, notice_document
from queries.english import message
from queries.evidence import records
from queries.resolution.typed import is_name
from queries.resolution.understood import understood
from queries.status import both_axes
from service.web.http.http_dates import as_moment, day_of_moment
from service.web.http.name_paths import in_links, text_in_path
from service.web.http.problems import Problem
from service.web.links import Links, address_of
from service.web.memento.gates import Gate, force_gate, knowledge_gate
from service.web.names.asked import asked_in
from service.web.names.refusals import all_withdrawn, no_version, unknown
from service.web.names.versions import known_versions
from service.web.replies import METHODS, kept_as_known, readable, status_fields
from service.web.service import service_of

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


def routes() -> list[Route]:
    """Both gates; that over knowledge first, for the other's address takes what stands behind it."""
    return [
        Route("/timegate/as-known/{urn:anything}", _knowledge, methods=METHODS),
        Route("/timegate/{urn:anything}", _force, methods=METHODS),
    ]


@readable
def _force(request: Request) -> Response:
    asked_in(request, known=())
    return _gate(request, "/timegate/", lambda _: None)


@readable
def _knowledge(request: Request) -> Response:
    asked = asked_in(request, known=("on",))
    return _gate(request, "/timegate/as-known/", lambda now: asked.on or now)


def _accept_datetime(request: Request) -> date | None:
    """The civil day that the request asks for; None where it asks for none."""
    fields = request.headers.getlist("accept-datetime")
    if len(fields) > 1:
        raise Problem(400, "bad-accept-datetime", f"expected one Accept-Datetime, got {len(fields)}")
    return day_of_moment(fields[0]) if fields else None


def _gate(request: Request, prefix: str, on: Callable[[date], date | None]) -> Response:
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
    location = in_links(base + chosen.path)
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
        "Cache-Control": kept_as_known(request, now, now),
        **status_fields(chosen.status, axes[Axis.FORCE], axes[Axis.EFFICACY]),
        **_VARY,
        **({"Vigente-Notice": ", ".join(notice.code for notice in notices)} if notices else {}),
    }
    body = json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    return Response(body, 302, headers, "application/json")
