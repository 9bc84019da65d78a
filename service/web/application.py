"""The ASGI application: the routes of all parts, the middleware and the exception handlers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from graph.errors import VigenteError
from service.web import memento, oai, reference, resolver, sparql
from service.web.api.handlers import routes as api_routes
from service.web.http.negotiation import Compression
from service.web.http.problems import Problem
from service.web.linked import StatisticsCache
from service.web.middleware import metrics as monitoring
from service.web.middleware.metrics import CountedPool, Metrics, Readiness
from service.web.middleware.requests import (
    DefaultHeaders,
    FairRequestQueue,
    ForwardedHeaders,
    RequestLog,
    RequestValidation,
    StallTimeout,
)
from service.web.pages import editor
from service.web.pages import routes as pages
from service.web.pages.description import endpoint_page
from service.web.pages.problem_page import error_response
from service.web.published import SnapshotReader
from service.web.service import Service
from service.web.settings import Settings
from service.web.task_types import TASK_TYPES

_LOG = logging.getLogger("vigente.store")
#: Seconds between the background checks for a newer snapshot.
_CHECK_SECONDS = 5.0


def build(settings: Settings) -> Starlette:
    """Return the service as an ASGI application, which starts and ends the worker processes."""
    published = SnapshotReader(settings.store, _LOG.warning)
    metrics = Metrics(settings, published)
    service = Service(settings, published, CountedPool(settings, TASK_TYPES, metrics), error_response)

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        async with service.pool, anyio.create_task_group() as background:
            application.state.background = background
            background.start_soon(_refresh_snapshot, published)
            yield
            background.cancel_scope.cancel()

    application = Starlette(
        routes=_routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(ForwardedHeaders, proxies=settings.proxies),
            Middleware(FairRequestQueue, most=settings.connections.most, count=metrics.count),
            Middleware(StallTimeout, stall_seconds=settings.connections.stall_seconds),
            Middleware(DefaultHeaders),
            Middleware(RequestLog, count=metrics.count, log_queries=settings.log_queries),
            Middleware(Compression),
            Middleware(RequestValidation, settings=settings),
        ],
        exception_handlers={
            Problem: error_response,
            VigenteError: error_response,
            HTTPException: error_response,
        },
    )
    application.router.redirect_slashes = False
    application.state.service = service
    application.state.metrics = metrics
    application.state.readiness = Readiness()
    application.state.statistics = StatisticsCache(service.pool)
    return application


async def _refresh_snapshot(published: SnapshotReader) -> None:
    """Check for a newer snapshot without requests too, so that the files of old snapshots are released."""
    while True:
        await anyio.sleep(_CHECK_SECONDS)
        with suppress(VigenteError):  # the next request reports it
            await anyio.to_thread.run_sync(published.now)


def _routes() -> list[Route]:
    """Return all routes: those with most requests first, and the one that matches any path last."""
    return [
        *monitoring.routes(),
        *sparql.routes(endpoint_page),
        *resolver.name_routes(),
        *api_routes(),
        *pages.routes(),
        *reference.routes(),
        *oai.routes(),
        *resolver.description_routes(),
        *memento.gate_routes(),
        *editor.routes(),
        *memento.timemap_routes(),
        *resolver.other_routes(),
    ]
