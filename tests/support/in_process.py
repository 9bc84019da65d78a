"""A client of the service that runs it, and its tasks, in the process of the test: no server and no worker process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, cast

import httpx
from starlette.testclient import TestClient

from service.web.application import build
from service.web.linked import StatisticsCache
from service.web.service import Service
from service.web.settings import Settings
from service.web.task_types import TASK_TYPES
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task


class _Inline(Pool):
    """Runs each task at once. Its arguments are what a worker process would receive."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.settings, TASK_TYPES)
        self._published = service.published

    async def run(self, task: Task) -> Answer:
        """Return the answer of a task."""
        arguments = json.loads(json.dumps(task.arguments))
        return TASK_TYPES[task.kind](self._published.now().store, arguments)


class _Background:
    """Starts coroutines in the loop of a request."""

    def __init__(self) -> None:
        self._started: set[asyncio.Future[None]] = set()

    def start_soon(self, function: Callable[..., Coroutine[Any, Any, None]], *arguments: object) -> None:
        """Start a coroutine, and keep it until it ends."""
        begun = asyncio.ensure_future(function(*arguments))
        self._started.add(begun)
        begun.add_done_callback(self._started.discard)


def client_of(settings: Settings) -> httpx.Client:
    """Return a client of a service. It is for reading: the service has no limits of time."""
    application = build(settings)
    service: Service = application.state.service
    pool = _Inline(service)
    application.state.service = replace(service, pool=pool)
    application.state.statistics = StatisticsCache(pool)
    application.state.background = _Background()
    return cast("httpx.Client", TestClient(application, base_url="http://127.0.0.1", follow_redirects=False))
