"""The doors: what every request passes before a part of the service sees it, and every answer on its way out.

Pure ASGI, so that nothing is buffered and what a client closes is told to who works for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from urllib.parse import unquote

import anyio
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.http.problems import Problem
from service.web.http.turns import leave
from service.web.settings import Settings

#: Paths for those who operate the service: asked by whatever name reaches it, and by no page in a browser.
OPERATIONS = ("/health", "/metrics", "/ready")
#: A host as RFC 3986, section 3.2.2, has it, without user and percent signs, and its port.
_HOST = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.ASCII
)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Fields of every answer that doesn't bring its own.
_FIELDS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
}
#: Fields of every answer of public data: any page of any origin may read it.
_PUBLIC_FIELDS = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "Content-Location, ETag, Link, Location, Memento-Datetime, Retry-After, X-Request-Id"
    ),
}
#: How many seconds the rest of a body is waited for that nobody reads.
_SOON = 0.2
#: The fields that tell of a body, in small letters, as ASGI has them.
_OF_BODIES = (b"content-length", b"expect", b"transfer-encoding")
_PRIVATE_FIELDS = {"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"}


def _raw(fields: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    """Fields as ASGI has them: names in small letters."""
    return tuple((name.lower().encode(), value.encode()) for name, value in fields.items())


_PUBLIC = _raw({**_FIELDS, **_PUBLIC_FIELDS})
_PRIVATE = _raw({**_FIELDS, **_PRIVATE_FIELDS})


class Dressed:
    """Gives every answer what all answers have; what an answer brings itself stays.

    Args:
        application: what answers.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        fields = _PRIVATE if scope["path"] in OPERATIONS else _PUBLIC

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(field for field in fields if field[0] not in own)]
            await send(message)

        await self._application(scope, receive, sending)


class Doors:
    """Refuses requests that no part should see.

    Args:
        application: what answers.
        settings: the names of the service, and the largest body.
    """

    def __init__(self, application: ASGIApp, settings: Settings) -> None:
        self._application = application
        self._hosts = frozenset(host.lower() for host in settings.hosts)
        self._largest = settings.limits.body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        scope["path"] = _undisguised(scope)
        body = _Body(scope, receive, self._largest)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and not body.over:
                leave(scope)
                if not await body.taken():
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        try:
            self._check(scope)
        except Problem as problem:
            await problem.response()(scope, body.receive, sending)
        else:
            await self._application(scope, body.receive, sending)

    def _check(self, scope: Scope) -> None:
        """Refuse what no part should see.

        Raises:
            Problem: 400 ``bad-host``, ``bad-request``, 413 ``body-too-large``, 415 ``unsupported-encoding``.
        """
        hosts: list[str] = []
        types = 0
        for name, value in scope["headers"]:
            if name == b"host":
                hosts.append(value.decode("latin-1"))
            elif name == b"content-type":
                types += 1
            elif name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
                detail = "expected a body without Content-Encoding"
                raise Problem(415, "unsupported-encoding", detail, headers={"Accept-Encoding": "identity"})
            elif name == b"content-length" and (not value.isdigit() or int(value) > self._largest):
                raise _too_large(self._largest)
        if types > 1:
            raise Problem(400, "bad-request", f"expected one Content-Type, got {types}")
        self._check_host(scope, hosts)

    def _check_host(self, scope: Scope, given: list[str]) -> None:
        if not given and scope["http_version"] == "1.0":  # the field came with HTTP/1.1
            return
        if len(given) != 1:
            raise Problem(400, "bad-host", f"expected one Host field, got {len(given)}")
        host = _host(given[0])
        if host is None:
            raise Problem(400, "bad-host", "expected a host name or address in the Host field, and perhaps a port")
        if self._hosts and scope["path"] not in OPERATIONS and not {given[0].lower(), host.lower()} & self._hosts:
            raise Problem(400, "bad-host", "expected a name of this service in the Host field, got another")


@lru_cache(maxsize=64)
def _host(field: str) -> str | None:
    """The host of a Host field, without its port; None where it is none."""
    match = _HOST.fullmatch(field)
    return None if match is None or int(match[2] or 0) > 65535 else match[1]


def _undisguised(scope: Scope) -> str:
    """The path by which a part is chosen: a slash that was percent-encoded is a letter of its segment, and parts none
    (RFC 3986, section 2.2)."""
    raw = scope.get("raw_path") or b""
    if b"%2f" not in raw.lower():
        return str(scope["path"])
    return "%2F".join(unquote(piece) for piece in re.split("%2[Ff]", raw.decode("ascii")))


def _too_large(largest: int) -> Problem:
    return Problem(413, "body-too-large", f"expected a body of at most {largest} bytes")


class _Body:
    """The body of a request, up to so many bytes; then a Problem for who reads it.

    An answer that comes before the body has been read would leave it standing before the next request of the
    connection: what is there is read first, and where more is to come the connection ends (RFC 9112, section 9.3).

    Attributes:
        over: whether all of it has been read.
    """

    def __init__(self, scope: Scope, receive: Receive, largest: int) -> None:
        said = {name: value for name, value in scope["headers"] if name in _OF_BODIES}
        self._receive = receive
        self._largest = largest
        self._read = 0
        length = said.get(b"content-length", b"0")
        self.over = b"transfer-encoding" not in said and length == b"0"
        self._awaited = not length.isdigit() or int(length) > largest or b"expect" in said

    async def receive(self) -> Message:
        """The next piece.

        Raises:
            Problem: 413 ``body-too-large``.
        """
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self.over = not message.get("more_body", False)
            if self._read > self._largest:
                raise _too_large(self._largest)
        return message

    async def taken(self) -> bool:
        """Read what nobody wanted; whether the connection is free for the next request then."""
        with anyio.move_on_after(_SOON):
            while not (self.over or self._awaited or self._read > self._largest):
                with suppress(Problem):
                    if (await self.receive())["type"] == "http.disconnect":
                        return False
        return self.over
