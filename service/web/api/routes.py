"""The addresses of the API: its endpoints, its description, and a hint for who asks for anything else below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from difflib import get_close_matches
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from service.web.api.answering import JSON, written
from service.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from service.web.api.openapi import description
from service.web.api.parameters import pairs_of_query, values_of
from service.web.api.room import (
    READING,
    Room,
    preflight,
    refuse_method,
    refuse_other_media,
    tag_of,
    to_everyone,
)
from service.web.http.problems import Problem
from service.web.http.validators import is_held
from service.web.service import service_of
from service.web.settings import Limits

_DESCRIPTION = "/openapi.json"
_SHOWN = 80


def routes() -> list[Route]:
    """The routes of the API, for :func:`service.web.application.build`."""
    rooms = [Route(_route(endpoint), Room(endpoint)) for endpoint in ENDPOINTS]
    described = [Route(_DESCRIPTION, _Page(_described)), Route(f"{PREFIX}openapi.json", _Page(_led))]
    return [*rooms, *described, Route("/api/{rest:path}", _Page(_lost))]


def _route(endpoint: Endpoint) -> str:
    """The path of a route: a parameter in it is whatever the client sent, also with slashes."""
    return f"{PREFIX}{endpoint.path}".replace("}", ":anything}")


class _Page:
    """An address that is only read: an ASGI application."""

    def __init__(self, answering: Callable[[Request], Awaitable[Response]]) -> None:
        self._answering = answering

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answered(request)
        except Problem as problem:
            response = problem.response()
        await to_everyone(response)(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return preflight(READING)
        refuse_method(request, READING)
        return await self._answering(request)


async def _described(request: Request) -> Response:
    """The description; the same for everybody who knows the service by one address."""
    refuse_other_media(request)
    values_of((), pairs_of_query(request.scope["query_string"]))
    service = service_of(request)
    body = _description(service.base(request), service.settings.limits)
    headers = {"ETag": tag_of(body), "Cache-Control": "no-cache"}
    if is_held(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


@lru_cache(maxsize=16)
def _description(base: str, limits: Limits) -> bytes:
    return written(description(base, limits))


async def _led(_: Request) -> Response:
    """Where the description is."""
    return RedirectResponse(_DESCRIPTION, status_code=308)


async def _lost(request: Request) -> Response:
    """Nothing is here; what is near.

    Raises:
        Problem: 404 ``unknown-address``.
    """
    path = request.url.path
    known = [f"{PREFIX}{endpoint.path}" for endpoint in ENDPOINTS]
    near = get_close_matches(path[:_SHOWN], known, 3)
    hint = f"; near: {', '.join(near)}" if near else ""
    told = f"expected an endpoint of {_DESCRIPTION}, got {path[:_SHOWN]!r}{hint}"
    raise Problem(404, "unknown-address", told, more={"known": known, "near": near})
