"""The addresses of pages that are no names: style sheets and pictures."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.web.asked import asked_in
from service.web.pages.assets import assets
from service.web.problems import Problem
from service.web.replies import METHODS, conditional, readable

__all__ = ["routes"]

_YEAR = 31_536_000


def routes() -> list[Route]:
    """The routes of this part."""
    return [Route("/assets/{digest}/{name}", _asset, methods=METHODS)]


@readable
def _asset(request: Request) -> Response:
    """The file: kept for ever under the address of its content; asked for again under an older one."""
    asked_in(request, known=())
    found = assets().get(request.path_params["name"])
    if found is None:
        raise Problem(404, "unknown-address", "there is no such file")
    fresh = request.path_params["digest"] == found.digest
    keeping = f"public, max-age={_YEAR}, immutable" if fresh else "no-cache"
    headers = {"ETag": f'"{found.digest}"', "Cache-Control": keeping, "Content-Type": found.media}
    return conditional(request, Response(found.body, headers=headers))
