"""Addresses of timelines, ``/timeline/{name}``: the page, made in a process that may be killed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.routing import Route

from graph.entities import Axis
from graph.today import today
from service.web.http.name_paths import text_in_path
from service.web.names.asked import asked_in
from service.web.pages.frame import page_tag, varied
from service.web.pages.framing import frame_of
from service.web.pages.timeline import KIND, PREFIX
from service.web.replies import METHODS, Wanted, entity_tag, readable
from service.web.service import service_of

__all__ = ["routes"]


def routes() -> list[Route]:
    """The route of this part."""
    return [Route(PREFIX + "/{urn:anything}", _timeline, methods=METHODS)]


@readable
def _timeline(request: Request) -> Wanted:
    text = text_in_path(request, PREFIX + "/")
    asked = asked_in(request, known=("axis", "lang", "part"), of_form=True)
    frame = frame_of(request)
    axis = asked.axis or Axis.FORCE
    tag = entity_tag(service_of(request).snapshot, frame.base, text, frame.said, axis, asked.part, today())
    headers = {"ETag": page_tag(tag, frame), "Cache-Control": "no-cache", **varied(frame)}
    arguments = {"name": text, "axis": axis.value, "part": asked.part or 1, "frame": frame.as_json()}
    return Wanted(KIND, arguments, headers)
