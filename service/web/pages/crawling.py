"""What search engines read: ``/robots.txt``, ``/sitemap.xml`` and its pages."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.web.asked import asked_in
from service.web.cached_documents import document
from service.web.links import address_of
from service.web.pages.sitemap import MOST, PREFIX
from service.web.problems import Problem
from service.web.replies import conditional, entity_tag, kept
from service.web.service import client_of, service_of
from service.web.tasks.connected import run_while_connected
from service.web.tasks.pool import Task
from service.web.validators import is_held

__all__ = ["routes"]

_INDEX = "/sitemap.xml"
#: What robots leave alone: questions without end, what is for programs, and what is for other pages.
_LEFT_ALONE = ("/api/", "/badge/", "/diff", "/metrics", "/search", "/sparql", "/timegate/", "/timemap/")
_PAGE = re.compile(r"([1-9][0-9]{0,5})\.xml", re.ASCII)
#: Seconds that going through all norms may take.
_SECONDS = 120.0
_KEPT = 86_400


def routes() -> list[Route]:
    """The routes of this part."""
    return [
        Route("/robots.txt", _robots),
        Route(_INDEX, _index),
        Route(PREFIX + "{page}", _page),
    ]


async def _robots(request: Request) -> Response:
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in _LEFT_ALONE),
        "",
        f"Sitemap: {address_of(request)}{_INDEX}",
    ]
    found = document(request, ("\n".join(lines) + "\n").encode(), "text/plain", negotiated=False)
    found.headers["Cache-Control"] = kept(request)
    return found


async def _index(request: Request) -> Response:
    return await _mapped(request, None)


async def _page(request: Request) -> Response:
    number = _PAGE.fullmatch(request.path_params["page"])
    if number is None:
        raise Problem(404, "unknown-address", f"expected the number of a page of {_INDEX} and .xml")
    return await _mapped(request, int(number[1]))


async def _mapped(request: Request, page: int | None) -> Response:
    asked_in(request, known=())
    service = service_of(request)
    base = address_of(request)
    tag = entity_tag(service.snapshot, "sitemap", base, page)
    headers = {"ETag": tag, "Cache-Control": kept(request, _KEPT)}
    if is_held(request, tag, there=False):
        return Response(None, 304, headers)
    task = Task("sitemap", {"base": base, "page": page, "most": MOST}, client_of(request), _SECONDS)
    answer = await run_while_connected(request, service.pool, task)
    return conditional(request, Response(answer.body, headers=headers, media_type=answer.media))
