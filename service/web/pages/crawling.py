"""What search engines read: ``/robots.txt``, and ``/sitemap.xml`` with its pages."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.web.cached_documents import document
from service.web.http.links import address_of
from service.web.http.parameters import repeated_parameter, unknown_parameter
from service.web.pages.sitemap import KIND, MOST, PATH
from service.web.replies import METHODS, Wanted, entity_tag, kept, readable
from service.web.service import service_of

__all__ = ["routes"]

#: The parameter that says with which name a page begins.
_FROM = "from"
#: What robots leave alone: questions without end, what is for programs, and what is for other pages.
_LEFT_ALONE = ("/api/", "/badge/", "/diff/", "/metrics", "/search", "/sparql", "/timegate/", "/timemap/")
#: Seconds that going through all norms may take, and for which a cache may keep what came of it.
_SECONDS, _KEPT = 120.0, 86_400


def routes() -> list[Route]:
    """The routes of this part."""
    return [
        Route("/robots.txt", _robots, methods=METHODS),
        Route(PATH, _sitemap, methods=METHODS),
    ]


@readable
def _robots(request: Request) -> Response:
    told = [f"Disallow: {path}" for path in _LEFT_ALONE]
    text = "\n".join(["User-agent: *", *told, "", f"Sitemap: {address_of(request)}{PATH}", ""])
    found = document(request, text.encode(), "text/plain", negotiated=False)
    found.headers["Cache-Control"] = kept(request)
    return found


@readable
def _sitemap(request: Request) -> Wanted:
    given = request.query_params.multi_items()
    for key, _ in given:
        if key != _FROM:
            raise unknown_parameter(key, [_FROM])
    if len(given) > 1:
        raise repeated_parameter(_FROM, _FROM, _FROM)
    first = given[0][1] if given else None
    base = address_of(request)
    tag = entity_tag(service_of(request).snapshot, KIND, base, first)
    headers = {"ETag": f"W/{tag}", "Cache-Control": kept(request, _KEPT)}
    return Wanted(KIND, {"base": base, "from": first, "most": MOST}, headers, seconds=_SECONDS)
