"""What search engines read: ``/robots.txt``, ``/sitemap.xml`` and its pages."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.web.asked import asked_in
from service.web.cached_documents import document
from service.web.links import address_of
from service.web.pages.sitemap import KIND, MOST, PREFIX
from service.web.problems import Problem
from service.web.replies import METHODS, Wanted, entity_tag, kept, readable
from service.web.service import service_of

__all__ = ["routes"]

_INDEX = "/sitemap.xml"
#: What robots leave alone: questions without end, what is for programs, and what is for other pages.
_LEFT_ALONE = ("/api/", "/badge/", "/diff/", "/metrics", "/search", "/sparql", "/timegate/", "/timemap/")
_PAGE = re.compile(r"([1-9][0-9]{0,5})\.xml", re.ASCII)
#: Seconds that going through all norms may take, and for which a cache may keep what came of it.
_SECONDS, _KEPT = 120.0, 86_400


def routes() -> list[Route]:
    """The routes of this part."""
    return [
        Route("/robots.txt", _robots, methods=METHODS),
        Route(_INDEX, _index, methods=METHODS),
        Route(PREFIX + "{page}", _page, methods=METHODS),
    ]


@readable
def _robots(request: Request) -> Response:
    told = [f"Disallow: {path}" for path in _LEFT_ALONE]
    text = "\n".join(["User-agent: *", *told, "", f"Sitemap: {address_of(request)}{_INDEX}", ""])
    found = document(request, text.encode(), "text/plain", negotiated=False)
    found.headers["Cache-Control"] = kept(request)
    return found


@readable
def _index(request: Request) -> Wanted:
    return _mapped(request, None)


@readable
def _page(request: Request) -> Wanted:
    number = _PAGE.fullmatch(request.path_params["page"])
    if number is None:
        raise Problem(404, "unknown-address", f"expected the number of a page of {_INDEX} and .xml")
    return _mapped(request, int(number[1]))


def _mapped(request: Request, page: int | None) -> Wanted:
    asked_in(request, known=())
    base = address_of(request)
    tag = entity_tag(service_of(request).snapshot, "sitemap", base, page)
    headers = {"ETag": f"W/{tag}", "Cache-Control": kept(request, _KEPT)}
    return Wanted(KIND, {"base": base, "page": page, "most": MOST}, headers, seconds=_SECONDS)
