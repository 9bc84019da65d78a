"""What is told of each request: its id, one line in the log, a count; and an answer where the service itself fails."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import urandom

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.http.problems import REASON, Problem
from service.web.middleware.request_limits import ClientStalled

#: Where the scope of a request keeps its id.
REQUEST_ID = "vigente.request_id"
#: The route of what has none: never the path itself, which anybody can make up.
NO_ROUTE = "none"
_PLAIN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT"))
#: The text of a query is cut to so many characters in the log.
_LONGEST_QUERY = 2000
_LOG = logging.getLogger("vigente.requests")
_FAULTS = logging.getLogger("vigente.faults")


@dataclass(frozen=True, slots=True)
class Told:
    """A request that has ended.

    Attributes:
        method: how it was asked; ``other`` for a word that is no method.
        route: the template of its path.
        status: of the answer; 499 where the client had gone before it began.
        seconds: from its head to the end of the answer.
        size: bytes of the answer's body.
        reason: the code of the problem that answered, or None.
    """

    method: str
    route: str
    status: int
    seconds: float
    size: int
    reason: str | None


def route_of(scope: Scope) -> str:
    """The template of the path that a request was routed to, e.g. ``/queries/{name}``."""
    found = scope.get("route")
    return found.path if isinstance(found, Route) else NO_ROUTE


def method_of(scope: Scope) -> str:
    """The method of a request; ``other`` for a word that is no method."""
    return scope["method"] if scope["method"] in _METHODS else "other"


class Telling:
    """The first door: names the request, answers 500 for what nobody caught, and tells what came of it.

    Args:
        application: what answers.
        count: called with each request that has ended.
        log_queries: whether the log tells the query string.
    """

    def __init__(self, application: ASGIApp, count: Callable[[Told], None], *, log_queries: bool) -> None:
        self._application = application
        self._count = count
        self._log_queries = log_queries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        began = time.perf_counter()
        identifier = scope[REQUEST_ID] = _identifier(scope)
        status = size = 0

        async def sending(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", identifier.encode("ascii"))]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._application(scope, receive, sending)
        except ClientStalled:
            scope[REASON] = "client-stalled"
            raise _Cut from None
        except Exception as error:  # noqa: BLE001 - the last door: whatever it is, one request fails and the rest go on
            _FAULTS.error("a request failed", exc_info=error, extra={"fields": {"id": identifier}})
            if not status:
                scope[REASON] = "internal-error"
                problem = Problem(500, "internal-error", f"the service failed; its log knows more under {identifier}")
                await problem.response()(scope, receive, sending)
            else:
                raise _Cut from None  # the server closes the connection: a cut answer must not look whole
        finally:
            told = Told(
                method_of(scope),
                route_of(scope),
                status or 499,
                time.perf_counter() - began,
                0 if scope["method"] == "HEAD" else size,
                scope.get(REASON),
            )
            self._count(told)
            _LOG.info("request", extra={"fields": dict(self._fields(scope, told, identifier))})

    def _fields(self, scope: Scope, told: Told, identifier: str) -> Iterator[tuple[str, object]]:
        yield "id", identifier
        yield "method", told.method
        yield "route", told.route
        yield "status", told.status
        yield "ms", round(told.seconds * 1000, 1)
        yield "bytes", told.size
        yield "client", scope["client"][0] if scope.get("client") else None
        if told.reason is not None:
            yield "reason", told.reason
        if self._log_queries:
            yield "query", scope["query_string"][:_LONGEST_QUERY].decode("latin-1")


class _Cut(Exception):
    """An answer that cannot be finished."""


def _identifier(scope: Scope) -> str:
    """The id that came with the request, if it is one, plain and short; else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    return given[0].decode("ascii") if len(given) == 1 and _PLAIN_ID.fullmatch(given[0]) else urandom(16).hex()
