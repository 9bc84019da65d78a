"""A task for a request: it ends when who asked has gone."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from service.web.problems import Problem
from service.web.tasks.answer import Answer
from service.web.tasks.pool import Pool, Task

__all__ = ["run_while_connected"]


async def run_while_connected(request: Request, pool: Pool, task: Task) -> Answer:
    """The answer of a task; where the client hangs up before, the task is ended and its place is free.

    Args:
        request: whose body has been read, or has none: what comes after it is thrown away.
        pool: where the task runs.
        task: what to run.

    Raises:
        Problem, VigenteError: as :meth:`Pool.run`; and 408 ``client-gone``, which nobody sees but the log.
    """
    running = asyncio.ensure_future(pool.run(task))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((running, gone), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        raise Problem(408, "client-gone", "who asked hung up before the answer was there")
    finally:
        for each in (running, gone):
            each.cancel()
        await asyncio.gather(running, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
