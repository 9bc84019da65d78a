"""Addresses of badges, ``/badge/{name}``: the one page of the service that other sites may show within their own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.today import today
from service.web.asked import EVERY_PARAMETER, asked_in
from service.web.name_paths import text_in_path
from service.web.pages.badge import HTML, PREFIX, SVG
from service.web.pages.framing import frame_of
from service.web.replies import conditional, entity_tag, format_of, kept_as_known
from service.web.service import client_of, service_of
from service.web.tasks.connected import run_while_connected
from service.web.tasks.pool import Task
from service.web.validators import is_held

__all__ = ["routes"]

_FORMATS: Mapping[str, str] = MappingProxyType({"svg": SVG, "html": HTML})
#: Any site may frame a badge, and a badge may do nothing there.
_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"


def routes() -> list[Route]:
    """The route of this part."""
    return [Route(PREFIX + "/{urn:anything}", _badge)]


async def _badge(request: Request) -> Response:
    text = text_in_path(request, PREFIX + "/")
    asked = asked_in(request, known=EVERY_PARAMETER)
    media = format_of(request, asked.format, _FORMATS)
    service, frame, now = service_of(request), frame_of(request), today()
    tag = entity_tag(service.snapshot, "badge", frame.base, text, asked.query(), media, frame.language, now)
    headers = {
        "ETag": tag,
        "Cache-Control": kept_as_known(request, asked.as_known, now),
        "Vary": "Accept, Accept-Language",
        "Content-Language": frame.language,
        "Content-Security-Policy": _POLICY,
    }
    if is_held(request, tag, there=False):
        return Response(None, 304, headers)
    arguments = {
        "name": text,
        "on": asked.on and asked.on.isoformat(),
        "as_known": asked.as_known and asked.as_known.isoformat(),
        "axis": asked.axis,
        "media": media,
        "frame": frame.as_json(),
    }
    answer = await run_while_connected(request, service.pool, Task("page.badge", arguments, client_of(request)))
    return conditional(request, Response(answer.body, headers=headers, media_type=answer.media))
