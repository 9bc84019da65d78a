"""ASGI middleware for every request: limits, default headers, the request log, and a fair queue between clients."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from os import urandom
from urllib.parse import unquote

import anyio
from starlette.datastructures import MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.http.networks import client_key, forwarded_addresses, within
from service.web.http.problems import REASON, Problem
from service.web.settings import Settings

# Every class here is pure ASGI. Nothing is buffered, and the handler receives the client's disconnect.


#: Paths for operators. They accept any Host field, and no page of another origin may read them.
MONITORING_PATHS = ("/health", "/metrics", "/ready")
#: A host (RFC 3986, section 3.2.2) without user and percent signs, and an optional port.
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = re.compile(
    rf"((?=.{{1,254}}(?::|\Z))[A-Za-z0-9](?:[A-Za-z0-9_-]{{0,61}}[A-Za-z0-9_])?(?:\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]{{2,45}}\])"
    r"(?::([0-9]{1,5}))?",
    re.ASCII,
)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Header fields added to every response that does not set them.
_FIELDS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "Server": "vigente",
}
#: Header fields of responses with public data: any page of any origin may read them.
_PUBLIC_FIELDS = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "Content-Location, ETag, Link, Location, Memento-Datetime, Retry-After, X-Request-Id"
    ),
}
#: Bytes of a response that are sent at a time.
_CHUNK_BYTES = 1 << 16
#: Limits on reading the rest of a request body that no handler read: seconds, and bytes.
_DISCARD_SECONDS = 0.2
_DISCARD_BYTES = 16 << 20
#: HTTP/1.0, as servers write it in the scope.
_HTTP_1_0 = ("1", "1.0")
#: The header fields that describe a body, in lower case as in ASGI.
_BODY_FIELDS = (b"content-length", b"expect", b"transfer-encoding")
_PRIVATE_FIELDS = {"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"}


def _asgi_fields(fields: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    """Return header fields in the form of ASGI: pairs of bytes, with names in lower case."""
    return tuple((name.lower().encode(), value.encode()) for name, value in fields.items())


_PUBLIC = _asgi_fields({**_FIELDS, **_PUBLIC_FIELDS})
_PRIVATE = _asgi_fields({**_FIELDS, **_PRIVATE_FIELDS})


class DefaultHeaders:
    """Adds the default header fields to every response. A field that the response already has is kept.

    Args:
        application: the wrapped application.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        fields = _PRIVATE if scope["path"] in MONITORING_PATHS else _PUBLIC

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(field for field in fields if field[0] not in own)]
            await send(message)

        await self._application(scope, receive, send_on)


class ForwardedHeaders:
    """Sets client and scheme from ``X-Forwarded-For`` and ``X-Forwarded-Proto`` of trusted reverse proxies.

    Args:
        application: the wrapped application.
        proxies: addresses or networks of the trusted proxies.
    """

    def __init__(self, application: ASGIApp, proxies: tuple[str, ...]) -> None:
        self._application = application
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and client and within(client[0], self._proxies):
            addresses = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            schemes = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
            if addresses:
                hops = forwarded_addresses(b", ".join(addresses)).decode("ascii").split(", ")
                client_address = next((hop for hop in reversed(hops) if not within(hop, self._proxies)), hops[0])
                scope["client"] = (client_address, 0)
            if schemes and schemes[-1].strip().lower() in (b"http", b"https"):
                scope["scheme"] = schemes[-1].strip().lower().decode("ascii")
        await self._application(scope, receive, send)


class ClientStalled(OSError):
    """The client read nothing of the response within the time limit."""


class StallTimeout:
    """Sends large bodies in pieces, and aborts a response whose client stops reading.

    Args:
        application: the wrapped application.
        stall_seconds: how long a client may read nothing.
    """

    def __init__(self, application: ASGIApp, stall_seconds: float) -> None:
        self._application = application
        self._seconds = stall_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            body = message.get("body", b"")
            if message["type"] != "http.response.body" or len(body) <= _CHUNK_BYTES:
                await send(message)
                return
            for index in range(0, len(body), _CHUNK_BYTES):
                more = index + _CHUNK_BYTES < len(body) or message.get("more_body", False)
                try:
                    with anyio.fail_after(self._seconds):
                        await send({**message, "body": body[index : index + _CHUNK_BYTES], "more_body": more})
                except TimeoutError:
                    raise ClientStalled("the client stopped reading the response") from None

        await self._application(scope, receive, send_on if scope["type"] == "http" else send)


class RequestValidation:
    """Rejects malformed and oversized requests, and requests for another host.

    Args:
        application: the wrapped application.
        settings: the host names of the service, and the limits of a request.
    """

    def __init__(self, application: ASGIApp, settings: Settings) -> None:
        self._application = application
        self._hosts = frozenset(host.lower() for host in settings.hosts)
        self._largest = settings.limits.body_bytes
        self._longest = settings.connections.target_bytes
        self._seconds = settings.connections.body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if scope["http_version"] in _HTTP_1_0:  # the server adds an empty field to a request without one
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"host" or value]
        if scope["path"].startswith("//"):  # else a URL parser takes the first segment for a host
            scope["path"] = "/" + scope["path"].lstrip("/")
            scope["raw_path"] = b"/" + (scope.get("raw_path") or b"").lstrip(b"/")
        scope["path"] = _routing_path(scope)
        body = _BodyReader(scope, receive, self._largest, self._seconds)

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start" and not (body.unambiguous and await body.discard_rest()):
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        try:
            self._check(scope)
        except Problem as problem:
            await problem.response()(scope, body.receive, send_on)
        else:
            await self._application(scope, body.receive, send_on)

    def _check(self, scope: Scope) -> None:
        """Check the target, the header fields and the host.

        Raises:
            Problem: 400 ``bad-host``, ``bad-request``, 413 ``body-too-large``, 414 ``target-too-long``, 415
                ``unsupported-encoding``.
        """
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._longest:
            raise Problem(414, "target-too-long", f"expected a request target of at most {self._longest} bytes")
        hosts: list[str] = []
        types = framings = 0
        for name, value in scope["headers"]:
            if name == b"host":
                hosts.append(value.decode("latin-1"))
            elif name == b"content-type":
                types += 1
            elif name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
                detail = "expected a body without Content-Encoding"
                raise Problem(415, "unsupported-encoding", detail, headers={"Accept-Encoding": "identity"})
            framings += name in (b"content-length", b"transfer-encoding")
            if name == b"content-length" and (not value.isdigit() or int(value) > self._largest):
                raise _too_large(self._largest)
        if framings > 1:  # the end of the body is ambiguous (RFC 9112, section 6.1)
            raise Problem(400, "bad-request", "expected one Content-Length, or Transfer-Encoding, not both or more")
        if types > 1:
            raise Problem(400, "bad-request", f"expected one Content-Type, got {types}")
        self._check_host(scope, hosts)

    def _check_host(self, scope: Scope, given: list[str]) -> None:
        if not given and scope["http_version"] in _HTTP_1_0:  # HTTP/1.0 has no Host field
            return
        if len(given) != 1:
            raise Problem(400, "bad-host", f"expected one Host field, got {len(given)}")
        host = _host(given[0])
        if host is None:
            raise Problem(400, "bad-host", "expected a host name or address in the Host field, with an optional port")
        if self._hosts and scope["path"] not in MONITORING_PATHS and not {given[0].lower(), host.lower()} & self._hosts:
            raise Problem(400, "bad-host", "expected a name of this service in the Host field, got another name")


@lru_cache(maxsize=64)
def _host(field: str) -> str | None:
    """Return the host of a Host field without its port; None where the field is malformed."""
    match = _HOST.fullmatch(field)
    return None if match is None or int(match[2] or 0) > 65535 else match[1]


def _routing_path(scope: Scope) -> str:
    """Return the path for routing. A percent-encoded slash stays encoded: it separates no segments (RFC 3986,
    section 2.2)."""
    raw = scope.get("raw_path") or b""
    if b"%2f" not in raw.lower():
        return str(scope["path"])
    return "%2F".join(unquote(piece) for piece in re.split("%2[Ff]", raw.decode("ascii")))


def _too_large(largest: int) -> Problem:
    return Problem(413, "body-too-large", f"expected a body of at most {largest} bytes")


class _BodyReader:
    """Reads the body of a request within the limits on size and time.

    A response may be sent before the body was read. Unread bytes would then precede the next request of the connection.
    So the rest of the body is read first; if it does not arrive, the connection is closed (RFC 9112, section 9.3).

    Attributes:
        complete: whether the whole body has been read.
        unambiguous: whether the header fields determine the end of the body. It is False for a body in chunks: a
            Content-Length beside Transfer-Encoding is not visible here (RFC 9112, section 6.1).
    """

    def __init__(self, scope: Scope, receive: Receive, largest: int, seconds: float) -> None:
        fields = {name: value for name, value in scope["headers"] if name in _BODY_FIELDS}
        self._receive = receive
        self._largest = largest
        self._read = 0
        self._seconds, self._until = seconds, time.monotonic() + seconds
        length = fields.get(b"content-length", b"0")
        self.unambiguous = b"transfer-encoding" not in fields
        self.complete = self.unambiguous and length == b"0"
        self._expects_continue = b"expect" in fields

    async def receive(self) -> Message:
        """Return the next message of the body.

        Raises:
            Problem: 400 ``bad-request``, 408 ``slow-body``, 413 ``body-too-large``.
        """
        if self.complete:
            return await self._receive()
        try:
            with anyio.fail_after(self._until - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            detail = f"expected the body of the request within {self._seconds:g} s"
            raise Problem(408, "slow-body", detail) from None
        if message["type"] == "http.disconnect":
            raise Problem(400, "bad-request", "expected the whole body of the request, got a part of it")
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self.complete = not message.get("more_body", False)
            if self._read > self._largest:
                raise _too_large(self._largest)
        return message

    async def discard_rest(self) -> bool:
        """Read and discard the rest of the body. Return whether the connection can take another request.

        Closing a connection with unread bytes can destroy the response before the client reads it (RFC 9112,
        section 9.6).
        """
        if self.complete:
            return True
        with anyio.move_on_after(_DISCARD_SECONDS):
            while not (self.complete or self._expects_continue or self._read > _DISCARD_BYTES):
                message = await self._receive()
                if message["type"] == "http.disconnect":
                    return False
                self._read += len(message.get("body", b""))
                self.complete = not message.get("more_body", False)
        return self.complete


# The request log: an id, one line in the log and one count for each request, and the response to unhandled exceptions.


#: The key of the request id in the ASGI scope.
REQUEST_ID = "vigente.request_id"
#: The route of a request that matches none. It is not the path: clients could create any number of labels.
NO_ROUTE = "none"
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT"))
#: The maximum number of characters of a query string in the log.
_LOGGED_QUERY = 2000
_LOG = logging.getLogger("vigente.requests")
_FAULT_LOG = logging.getLogger("vigente.faults")


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A finished request, for the log and the metrics.

    Attributes:
        method: the HTTP method; ``other`` for any other word.
        route: the template of its path.
        status: the status of the response; 499 where the client disconnected before the response started.
        seconds: from the header fields of the request to the end of the response.
        size: bytes of the response body.
        reason: the code of the problem in the response, or None.
    """

    method: str
    route: str
    status: int
    seconds: float
    size: int
    reason: str | None


def route_of(scope: Scope) -> str:
    """Return the path template of the matched route, e.g. ``/queries/{name}``."""
    route = scope.get("route")
    return route.path if isinstance(route, Route) else NO_ROUTE


def method_of(scope: Scope) -> str:
    """Return the method of a request; ``other`` for a word that is no HTTP method."""
    return scope["method"] if scope["method"] in _METHODS else "other"


class RequestLog:
    """Assigns the request id, answers 500 for unhandled exceptions, and logs and counts each request.

    Args:
        application: the wrapped application.
        count: called with each finished request.
        log_queries: whether the log has the query string.
    """

    def __init__(self, application: ASGIApp, count: Callable[[RequestRecord], None], *, log_queries: bool) -> None:
        self._application = application
        self._count = count
        self._log_queries = log_queries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        started_at = time.perf_counter()
        identifier = scope[REQUEST_ID] = _identifier(scope)
        status = size = 0

        async def send_on(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", identifier.encode("ascii"))]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._application(scope, receive, send_on)
        except ClientStalled:
            scope[REASON] = "client-stalled"
            raise _ResponseCut from None
        except Exception as error:  # noqa: BLE001 - outermost handler: only this request fails
            _FAULT_LOG.error("a request failed", exc_info=error, extra={"fields": {"id": identifier}})
            if not status:
                scope[REASON] = "internal-error"
                problem = Problem(500, "internal-error", f"the service failed; see its log for the id {identifier}")
                await problem.response()(scope, receive, send_on)
            else:
                raise _ResponseCut from None  # the server closes the connection of an incomplete response
        finally:
            record = RequestRecord(
                method_of(scope),
                route_of(scope),
                status or 499,
                time.perf_counter() - started_at,
                0 if scope["method"] == "HEAD" else size,
                scope.get(REASON),
            )
            self._count(record)
            _LOG.info("request", extra={"fields": dict(self._fields(scope, record, identifier))})

    def _fields(self, scope: Scope, record: RequestRecord, identifier: str) -> Iterator[tuple[str, object]]:
        yield "id", identifier
        yield "method", record.method
        yield "route", record.route
        yield "status", record.status
        yield "ms", round(record.seconds * 1000, 1)
        yield "bytes", record.size
        yield "client", scope["client"][0] if scope.get("client") else None
        if record.reason is not None:
            yield "reason", record.reason
        if self._log_queries:
            yield "query", scope["query_string"][:_LOGGED_QUERY].decode("latin-1")


class _ResponseCut(Exception):
    """The response cannot be completed."""


def _identifier(scope: Scope) -> str:
    """Return the ``X-Request-Id`` of the request if it is a valid id; else a new one."""
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    return given[0].decode("ascii") if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]) else urandom(16).hex()


# The fair queue: clients with many requests do not delay the requests of others.


#: How many requests are started in each iteration of the event loop.
_STARTED_PER_ITERATION = 4


class FairRequestQueue:
    """Starts requests immediately under low load; under high load, starts one request of each client in turn.

    The queue limits how many requests start in one iteration of the event loop. It does not limit how many run.
    A client that sends requests and disconnects fills only its own queue.

    Args:
        application: the wrapped application.
        most: how many requests of one client may wait; more are rejected (429). It is the limit on open connections:
            only a client that disconnects can have more.
        count: called with each rejected request; rejected requests are not logged.
    """

    def __init__(self, application: ASGIApp, most: int, count: Callable[[RequestRecord], None]) -> None:
        self._application = application
        self._most = most
        self._count = count
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}
        self._started = 0  # in this iteration of the event loop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._may_start():
            client = client_key(scope["client"][0]) if scope.get("client") else ""
            queue = self._queues.setdefault(client, deque())
            if len(queue) >= self._most:
                await self._refuse(scope, receive, send)
                return
            started = asyncio.get_running_loop().create_future()
            queue.append(started)
            await started
        await self._application(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        detail = f"expected at most {self._most} requests of one client at once"
        response = Problem(429, "too-many-requests", detail, headers={"Retry-After": "1"}).response()
        self._count(RequestRecord(method_of(scope), NO_ROUTE, 429, 0.0, len(response.body), "too-many-requests"))
        await response(scope, receive, send)

    def _may_start(self) -> bool:
        """Return whether a new request may start without waiting."""
        if self._queues or self._started >= _STARTED_PER_ITERATION:
            return False
        if not self._started:
            asyncio.get_running_loop().call_soon(self._start_waiting)
        self._started += 1
        return True

    def _start_waiting(self) -> None:
        """Start waiting requests. Runs once in each iteration of the event loop while requests arrive or wait."""
        self._started = 0
        while self._queues and self._started < _STARTED_PER_ITERATION:
            client, queue = next(iter(self._queues.items()))
            started = queue.popleft()
            del self._queues[client]
            if queue:
                self._queues[client] = queue  # after the other clients
            if not started.done():
                started.set_result(None)
                self._started += 1
        if self._started or self._queues:
            asyncio.get_running_loop().call_soon(self._start_waiting)
