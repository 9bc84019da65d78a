"""The endpoint ``/oai``: requests of OAI-PMH 2.0 by GET and POST (section 3.1), and how many are answered at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import Receive, Scope, Send

from graph.errors import StoreMissing
from graph.publication import Publication
from service.web.http.problems import Problem
from service.web.oai.answers import Repository, error_answer
from service.web.oai.arguments import ProtocolError, read_arguments
from service.web.service import client_of, service_of

PATH = "/oai"
#: How many answers are made at once.
_AT_ONCE = 2
_MOST_ARGUMENTS = 20
_METHODS = ("GET", "HEAD", "POST")
_FORM = "application/x-www-form-urlencoded"


def routes() -> list[Route]:
    """The route of the provider, for every method."""
    return [Route(PATH, _Endpoint())]


class _Endpoint:
    """Answers requests, so many at once and of one client."""

    def __init__(self) -> None:
        self._app = request_response(self._respond)
        self._limiter: anyio.CapacityLimiter | None = None
        self._clients = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        allowed = ", ".join((*_METHODS, "OPTIONS"))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": allowed, "Access-Control-Allow-Methods": allowed})
        if request.method not in _METHODS:
            detail = f"expected one of {allowed}, got {request.method}"
            raise Problem(405, "method-not-allowed", detail, headers={"Allow": allowed})
        text = await _arguments(request)
        service = service_of(request)
        with self._turn(request):
            if self._limiter is None:
                self._limiter = anyio.CapacityLimiter(_AT_ONCE)
            answered = partial(_answered, service.settings.store, service.base(request) + PATH, text)
            body = await anyio.to_thread.run_sync(answered, limiter=self._limiter)
        return Response(body, headers={"Content-Type": "text/xml; charset=UTF-8", "Cache-Control": "no-cache"})

    @contextmanager
    def _turn(self, request: Request) -> Iterator[None]:
        """Count a request while it is answered.

        Raises:
            Problem: 429 ``too-many-requests``, 503 ``busy``; a harvester waits and asks again (section 3.1.2.2).
        """
        limits, client = service_of(request).settings.limits, client_of(request)
        if self._clients[client] >= limits.per_client:
            detail = f"expected at most {limits.per_client} requests of one client at once"
            raise Problem(429, "too-many-requests", detail, headers={"Retry-After": "5"})
        if self._clients.total() >= limits.waiting:
            raise Problem(503, "busy", "too many requests wait", headers={"Retry-After": "10"})
        self._clients[client] += 1
        try:
            yield
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]


async def _arguments(request: Request) -> bytes:
    if request.method != "POST":
        return bytes(request.scope["query_string"])
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != _FORM:
        raise Problem(415, "unsupported-media-type", f"expected a body of the type {_FORM}")
    return await request.body()


def _answered(folder: Path, base: str, text: bytes) -> bytes:
    now = int(time.time())  # before the publication is opened: what is published later is stamped later
    try:
        publication = Publication(folder, lambda: now)
    except StoreMissing:
        raise Problem(404, "unknown-address", "this service publishes no records by OAI-PMH") from None
    with publication:
        try:
            given = parse_qsl(
                text.decode("ascii"),
                keep_blank_values=True,
                strict_parsing=bool(text),
                errors="strict",
                max_num_fields=_MOST_ARGUMENTS,
            )
        except ValueError:
            bad = ProtocolError("badArgument", f"expected at most {_MOST_ARGUMENTS} arguments NAME=VALUE in UTF-8")
            return error_answer(bad, base, now)
        try:
            asked = read_arguments(given)
        except ProtocolError as error:
            return error_answer(error, base, now)
        return Repository(publication, base, now).answer(asked)
