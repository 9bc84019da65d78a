"""Responses of read-only addresses: links (RFC 8288), CORS, caching, conditional requests and problems."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial, wraps
from hashlib import sha256
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from graph.civil import seconds_left
from graph.errors import VigenteError
from graph.time.kinds import Status
from queries.answers import AxisAnswer
from service.web.http.headers import as_moment, is_not_modified
from service.web.http.name_paths import link_target
from service.web.http.negotiation import best
from service.web.http.problems import REASON, Problem
from service.web.published import Snapshot, from_one_snapshot
from service.web.service import client_of, service_of
from service.web.tasks.pool import Task, run_while_connected

# Links of a response (RFC 8288), and the address of the service.


#: The path of the SPARQL editor.
PATH_OF_EDITOR = "/sparql/editor"
#: Relations for the position in a sequence, of versions or of mementos.
_POSITIONS = ("first", "last", "prev", "next")
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?", re.ASCII)


def address_of(request: Request) -> str:
    """Return the address of the service, without a slash at its end, from the settings or from the request.

    Raises:
        Problem: 400 where the ``Host`` field is not a host.
    """
    service = service_of(request)
    if service.settings.base is None and not _AUTHORITY.fullmatch(request.url.netloc):
        raise Problem(400, "bad-request", "expected a host in the Host field, got something else")
    return service.base(request)


def _datetime_attribute(day: date | None) -> str:
    return f'; datetime="{as_moment(day)}"' if day is not None else ""


def _append_new(existing: list[str], relations: Iterable[str]) -> None:
    existing.extend(relation for relation in relations if relation not in existing)


@dataclass(slots=True)
class Links:
    """Links in the order of their addition; all relations to one address are in one link.

    Attributes:
        base: the address of the service, to which paths are appended.
    """

    base: str
    _found: dict[tuple[str, str, bool], list[str]] = field(default_factory=dict)

    def add(self, path: str, *relations: str, datetime: date | None = None, type_: str | None = None) -> None:
        """Add a link to a path of this service.

        Args:
            path: an absolute path, percent-encoded.
            relations: registered link relations.
            datetime: the civil day of a memento (RFC 7089, section 2.2.4).
            type_: the media type of the target.
        """
        attributes = _datetime_attribute(datetime) + (f'; type="{type_}"' if type_ is not None else "")
        _append_new(self._found.setdefault((path, attributes, False), []), relations)

    def add_memento(self, path: str, *positions: str, datetime: date) -> None:
        """Add a link to a memento. Its position among versions stays in a separate link.

        In one link with ``memento``, ``first`` and similar relations mean the position among mementos (RFC 7089,
        section 2.2.4).

        Args:
            positions: its relations among mementos: ``first``, ``last``, ``prev``, ``next``.
        """
        key = path, _datetime_attribute(datetime), False
        existing = self._found.setdefault(key, [])
        others = [relation for relation in existing if relation in _POSITIONS and relation not in positions]
        if others:
            self._found[key] = existing = [relation for relation in existing if relation not in others]
            _append_new(self._found.setdefault((*key[:2], True), []), others)
        _append_new(existing, (*positions, "memento"))

    def lines(self) -> Iterable[str]:
        """Yield each link as a link-value (RFC 8288, section 3)."""
        for (path, attributes, _), relations in self._found.items():
            yield f'<{link_target(self.base + path)}>; rel="{" ".join(relations)}"{attributes}'

    def field_value(self) -> str:
        """Return the value of the ``Link`` field."""
        return ", ".join(self.lines())


# CORS, caching, conditional requests and problems.


#: The methods of read-only addresses.
METHODS = ["GET", "HEAD", "OPTIONS"]
#: Seconds for which a cache may reuse an answer as known on a past day; a load may still correct it.
_MAX_AGE = 3600

_ALLOW = ", ".join(METHODS)
_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "Content-Location, ETag, Link, Location, Memento-Datetime, Vary, "
        "Vigente-Efficacy, Vigente-Force, Vigente-Notice, Vigente-Status"
    ),
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": _ALLOW,
    "Access-Control-Allow-Headers": "Accept, Accept-Datetime, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


@dataclass(frozen=True, slots=True)
class TaskResponse:
    """A response whose body is the answer of a task.

    Attributes:
        kind: the type of the task.
        arguments: the arguments of the task.
        status: the status of the response.
        headers: the header fields of the response. With an ``ETag`` that the client has, the task does not run.
        reason: the code of the problem in the response; None where it is not a problem.
        seconds: the time limit of the task; None for that of the service.
    """

    kind: str
    arguments: Mapping[str, object]
    headers: Mapping[str, str]
    status: int = 200
    reason: str | None = None
    seconds: float | None = None


_Endpoint = Callable[[Request], Response | TaskResponse]


def readable(
    endpoint: _Endpoint, quick: Callable[[Request], bool] = lambda _: False
) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a read-only endpoint: run it in a thread, answer OPTIONS, and add CORS fields to responses and problems.

    If the endpoint returns :class:`TaskResponse`, its task runs in the pool.

    Args:
        endpoint: the endpoint.
        quick: returns whether the endpoint takes less time than a switch to a thread.
    """

    async def answer(request: Request) -> Response:
        response = endpoint(request) if quick(request) else await run_in_threadpool(endpoint, request)
        return await _run_task(request, response) if isinstance(response, TaskResponse) else response

    @wraps(endpoint)
    async def respond(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(None, 204, {"Allow": _ALLOW, **_CORS, **_PREFLIGHT})
        try:
            response = await from_one_snapshot(partial(answer, request))
        except (Problem, VigenteError) as error:
            response = await service_of(request).problem_response(request, error)
        for key, value in _CORS.items():
            response.headers.setdefault(key, value)
        return response

    return respond


async def _run_task(request: Request, wanted: TaskResponse) -> Response:
    """Run the task of a response and return the response; 304 where the client has it."""
    if "ETag" in wanted.headers:
        known = conditional(request, Response(None, wanted.status, wanted.headers))
        if known.status_code == HTTPStatus.NOT_MODIFIED:
            return known
    task = Task(wanted.kind, wanted.arguments, client_of(request), wanted.seconds, shared=True)
    answer = await run_while_connected(request, service_of(request).pool, task)
    if wanted.reason is not None:
        request.scope[REASON] = wanted.reason
    return Response(answer.body, wanted.status, wanted.headers, answer.media)


def format_of(request: Request, asked: str | None, offered: Mapping[str, str]) -> str:
    """Return the media type of the response, by the parameter ``format``, else by ``Accept``.

    Args:
        asked: the value of ``format``: a short name or media type.
        offered: the available media types by short name, in order of preference.

    Raises:
        Problem: 406 with the available formats.
    """
    available = tuple(dict.fromkeys(offered.values()))
    if asked is not None:
        spelled = asked.strip().lower().replace(" ", "+")  # a form encodes + as a space
        media_type = offered.get(spelled) or next((media for media in available if media == spelled), None)
        wanted = "format"
    else:
        media_type = best(request.headers.get("accept"), available)
        wanted = "Accept"
    if media_type is None:
        detail = f"expected one of {', '.join(available)} (format={'|'.join(offered)}); {wanted} has none of them"
        raise Problem(406, "not-acceptable", detail, headers={"Vary": "Accept"}, more={"formats": list(available)})
    return media_type


def entity_tag(snapshot: Snapshot, *resource: object) -> str:
    """Return a strong entity tag of the snapshot, the version of the program, and the values of the resource.

    Args:
        resource: all values that determine the response besides the snapshot.
    """
    identity = "\x1f".join(map(str, (snapshot.state.mark, *resource)))
    digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    number = "".join(c for c in snapshot.state.number if c.isascii() and c.isalnum())
    return f'"{number}-{digest}"'


def status_fields(status: Status, force: AxisAnswer, efficacy: AxisAnswer) -> dict[str, str]:
    """Return the header fields with the status of an answer on its axis, and on both axes."""
    return {
        "Vigente-Status": status.value,
        "Vigente-Force": force.status.value,
        "Vigente-Efficacy": efficacy.status.value,
    }


def cache_control(request: Request, seconds: int = _MAX_AGE) -> str:
    """Return ``Cache-Control`` for a cacheable response (RFC 9111, section 5.2.2).

    It is ``private`` if neither the address of the service nor its host names are configured: the links are then built
    from an unchecked Host header, and a shared cache must not store them.
    """
    settings = service_of(request).settings
    sure = settings.base is not None or bool(settings.hosts)
    return f"{'public' if sure else 'private'}, max-age={seconds}"


def cache_control_as_known(request: Request, known: date | None, today: date) -> str:
    """Return ``Cache-Control`` for an answer as known on K: cacheable where K is past, until the end of today.

    A load may change what is known today at any time. Every answer depends on today in its links or notices.

    Args:
        known: K, a civil date; None where it was not given.
        today: the current civil date of the answer.
    """
    if known is None or known >= today:
        return "no-cache"
    return cache_control(request, min(_MAX_AGE, seconds_left(today)))


def conditional(request: Request, response: Response) -> Response:
    """Return the response, or 304 without its body where the client has it already (RFC 9110, section 13.1.2)."""
    if not is_not_modified(request, response.headers["etag"]):
        return response
    kept = ("etag", "cache-control", "vary", "content-location", "link", "memento-datetime")
    return Response(None, 304, {key: response.headers[key] for key in kept if key in response.headers})
