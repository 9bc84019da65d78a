"""Addresses of badges, ``/badge/{name}``: the one page of the service that other sites may show within their own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.today import today
from queries.resolution.typed import is_name
from service.web.http.name_paths import text_in_path
from service.web.names.asked import EVERY_PARAMETER, asked_in
from service.web.pages.badge import HTML, KIND, PREFIX, SVG, show_badge
from service.web.pages.frame import page_tag, varied
from service.web.pages.framing import frame_of
from service.web.replies import METHODS, Wanted, conditional, entity_tag, format_of, kept_as_known, readable
from service.web.service import service_of

__all__ = ["routes"]

_FORMATS: Mapping[str, str] = MappingProxyType({"svg": SVG, "html": HTML})
#: Any site may frame a badge, and a badge may do nothing there.
_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"


def routes() -> list[Route]:
    """The route of this part."""
    return [Route(PREFIX + "/{urn:anything}", _badge, methods=METHODS)]


@readable
def _badge(request: Request) -> Response | Wanted:
    text = text_in_path(request, PREFIX + "/")
    asked = asked_in(request, known=EVERY_PARAMETER)
    media = format_of(request, asked.format, _FORMATS)
    frame, now = frame_of(request), today()
    tag = entity_tag(service_of(request).snapshot, "badge", frame.base, text, asked.query(), media, now)
    headers = {
        "ETag": page_tag(tag, frame),
        "Cache-Control": kept_as_known(request, asked.as_known, now),
        "Content-Security-Policy": _POLICY,
        **varied(frame),
    }
    arguments = {
        "name": text,
        "on": asked.on and asked.on.isoformat(),
        "as_known": asked.as_known and asked.as_known.isoformat(),
        "axis": asked.axis,
        "media": media,
        "frame": frame.as_json(),
    }
    if not is_name(text):  # to be understood, which may last
        return Wanted(KIND, arguments, headers)
    # a page may show more badges than one client may have tasks
    answer = show_badge(service_of(request).snapshot.store, arguments)
    return conditional(request, Response(answer.body, headers=headers, media_type=answer.media))
