"""Addresses of timelines, ``/timeline/{name}``: the page, made in a process that may be killed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from graph.entities import Axis
from graph.today import today
from service.web.asked import asked_in
from service.web.name_paths import text_in_path
from service.web.pages.framing import frame_of
from service.web.pages.timeline import PREFIX
from service.web.replies import conditional, entity_tag
from service.web.service import client_of, service_of
from service.web.tasks.connected import run_while_connected
from service.web.tasks.pool import Task
from service.web.validators import is_held

__all__ = ["routes"]


def routes() -> list[Route]:
    """The route of this part."""
    return [Route(PREFIX + "/{urn:anything}", _timeline)]


async def _timeline(request: Request) -> Response:
    text = text_in_path(request, PREFIX + "/")
    asked = asked_in(request, known=("axis", "lang"))
    service = service_of(request)
    frame = frame_of(request)
    axis = asked.axis or Axis.FORCE
    tag = entity_tag(service.snapshot, frame.base, text, frame.language, frame.said, axis, today())
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Language", "Content-Language": frame.language}
    if is_held(request, tag, there=False):
        return Response(None, 304, headers)
    task = Task("page.timeline", {"name": text, "axis": axis, "frame": frame.as_json()}, client_of(request))
    answer = await run_while_connected(request, service.pool, task)
    return conditional(request, Response(answer.body, headers=headers, media_type=answer.media))
