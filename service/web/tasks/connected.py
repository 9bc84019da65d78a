"""Tasks for a request: they end when who asked has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from starlette.requests import Request

from service.web.http.problems import Problem
from service.web.tasks.answer import Answer
from service.web.tasks.pool import Pool, Task


async def run_while_connected(request: Request, pool: Pool, task: Task) -> Answer:
    """The answer of a task; see :func:`run_all_while_connected`."""
    (answer,) = await run_all_while_connected(request, pool, (task,))
    return answer


async def run_all_while_connected(request: Request, pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    """The answers of tasks, in order; where the client hangs up before, they are ended and their places are free.

    Args:
        request: whose body has been read, or has none: what comes after it is thrown away.
        pool: where the tasks run.
        tasks: what to run, side by side where there is room; where one fails the others are ended.

    Raises:
        Problem, VigenteError: as :meth:`Pool.run`; and 408 ``client-gone``, which nobody sees but the log.
    """
    return await _while_connected(request, pool, tasks)


async def _while_connected(request: Request, pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    running = asyncio.ensure_future(_all(pool, tasks))
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


async def _all(pool: Pool, tasks: Sequence[Task]) -> list[Answer]:
    running = [asyncio.ensure_future(pool.run(task)) for task in tasks]
    try:
        return [await one for one in running]
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
