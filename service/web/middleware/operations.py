"""For those who operate the service: whether it lives, whether it can answer, what it has counted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graph.errors import VigenteError
from service.web.http.networks import within
from service.web.http.problems import Problem
from service.web.middleware.metrics import Metrics
from service.web.service import Service, service_of
from service.web.tasks.pool import Task

#: Seconds for which what was found out about readiness is told again: asking often must not cost.
_AGAIN_AFTER = 1.0
#: Seconds that the processes have for the smallest of queries.
_PATIENCE = 5.0
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
#: Fields that a reverse proxy adds: whoever comes through one is no neighbour.
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(slots=True)
class Readiness:
    """Whether a service can answer; asked at most once a second."""

    lock: anyio.Lock = field(default_factory=anyio.Lock)
    until: float = 0.0
    found: dict[str, object] = field(default_factory=dict)

    async def look(self, service: Service) -> dict[str, object]:
        """What answers: ``ready``, ``snapshot`` (its number or None) and ``pool`` (``works``, ``busy`` or a reason)."""
        async with self.lock:
            if time.monotonic() >= self.until:
                number, pool = _snapshot(service), await _pool(service)
                ready = number is not None and pool in ("works", "busy")
                self.found = {"ready": ready, "snapshot": number, "pool": pool}
                self.until = time.monotonic() + _AGAIN_AFTER
            return self.found


def _snapshot(service: Service) -> str | None:
    try:
        snapshot = service.snapshot
        snapshot.store.answer("ASK {}")
    except VigenteError:
        return None
    return snapshot.state.number


async def _pool(service: Service) -> str:
    task = Task("sparql", {"query": "ASK {}", "accept": None}, client="readiness", seconds=_PATIENCE)
    try:
        with anyio.fail_after(2 * _PATIENCE):
            await service.pool.run(task)
    except Problem as problem:
        return problem.code
    except TimeoutError:
        return "silent"
    except VigenteError:
        return "store-unavailable"
    return "works"


async def _health(_: Request) -> Response:
    return JSONResponse({"alive": True})


async def _ready(request: Request) -> Response:
    readiness = request.app.state.readiness
    assert isinstance(readiness, Readiness)  # noqa: S101 - set when the application is built
    found = await readiness.look(service_of(request))
    if not found["ready"]:
        failing = "no snapshot answers" if found["snapshot"] is None else f"the processes fail: {found['pool']}"
        raise Problem(503, "not-ready", failing, headers={"Retry-After": "5"}, more=found)
    return JSONResponse(found)


async def _metrics(request: Request) -> Response:
    client = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in _FORWARDED)
    if forwarded or not within(client, service_of(request).settings.metrics_for):
        raise Problem(403, "forbidden", "expected to be asked directly, from an address that may read this")
    metrics = request.app.state.metrics
    assert isinstance(metrics, Metrics)  # noqa: S101 - set when the application is built
    return Response(await anyio.to_thread.run_sync(metrics.text), media_type=_METRICS_TYPE)


def routes() -> list[Route]:
    """The routes of this part."""
    return [Route("/health", _health), Route("/ready", _ready), Route("/metrics", _metrics)]
