"""The application: every part's routes behind the same doors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import Route

from graph.errors import VigenteError
from service.web import description_pages, memento, resolver, timemaps
from service.web.api.routes import routes as api_routes
from service.web.problems import Problem, problem_response
from service.web.published import Published
from service.web.service import Service
from service.web.settings import Settings
from service.web.sparql import protocol
from service.web.tasks.pool import Pool

__all__ = ["build"]


def build(settings: Settings) -> Starlette:
    """The service as an ASGI application; its processes begin and end with it."""
    service = Service(settings, Published(settings.store), Pool(settings))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with service.pool:
            yield

    application = Starlette(
        routes=_routes(),
        lifespan=lifespan,
        exception_handlers={Problem: problem_response, VigenteError: problem_response},
    )
    application.state.service = service
    return application


def _routes() -> list[Route]:
    """The routes of every part; the resolver last, for it takes what no other does."""
    return [
        *protocol.routes(),
        *api_routes(),
        *description_pages.routes(),
        *memento.routes(),
        *timemaps.routes(),
        *resolver.routes(),
    ]
