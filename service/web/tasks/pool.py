"""The processes that run tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType

import anyio.to_thread

from service.web.published import Published
from service.web.settings import Settings
from service.web.tasks.answer import Answer
from service.web.tasks.kinds import KINDS

__all__ = ["Pool", "Task"]


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done in a process that can be killed.

    Attributes:
        kind: which function (:data:`service.web.tasks.kinds.KINDS`).
        arguments: plain values, as JSON has them.
        client: whose budget it is at the cost of: the address of who asks.
        seconds: after which it is killed; None for the service's limit.
    """

    kind: str
    arguments: Mapping[str, object]
    client: str
    seconds: float | None = None


class Pool:
    """Runs tasks within limits; an async context manager that begins and ends the processes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._published = Published(settings.store)

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes."""

    async def run(self, task: Task) -> Answer:
        """The answer of a task, whole.

        Raises:
            Problem: 504 ``time-limit``, 413 ``answer-too-large``, 503 ``busy`` with Retry-After, 429
                ``too-many-requests``, 500 ``task-died``; and what the task itself refused.
            VigenteError: what the task raised.
        """
        store = self._published.now().store
        return await anyio.to_thread.run_sync(KINDS[task.kind], store, task.arguments)
