"""Turns: what the server process itself works on, it works on for each client in turn.

All requests share one process, and whoever has many connections, or sends many requests behind each other, would have
most of its time. There are so many places instead, shared by those clients who ask something now, and the rest of what
one asks waits for its own; who asks once has a place at once. A place that is left is given away in the loop's next
turn, so that others are heard in between, and is not held by those who wait for their client, or for a process of the
pool, which has turns of its own (:mod:`service.web.tasks.line`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.web.http.networks import counted_as
from service.web.http.problems import Problem

#: How many requests are worked on at once, and how many of each client at least, however many clients there are.
_PLACES = 32
_LEAST = 2
#: How many more of them may wait: connections have a share of their own, but those that were left count here.
_MOST_WAITING = 256
_TURN = "vigente.turn"
#: Where a request may tell whether its client has hung up: a function of nothing.
GONE = "vigente.gone"


@dataclass(eq=False, slots=True)
class _Line:
    """The requests of one client: how many have a place, and who waits for one, first come first."""

    taken: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class _Turn:
    """The place of one request among those of its client."""

    __slots__ = ("_held", "_lines", "_who")

    def __init__(self, lines: dict[str, _Line], who: str) -> None:
        self._lines = lines
        self._who = who
        self._held = False

    async def take(self) -> bool:
        """Wait for a place; whether it had to be waited for.

        Raises:
            Problem: 429 ``too-many-requests``: too many wait already.
        """
        line = self._lines.setdefault(self._who, _Line())
        waits = line.taken >= self._share()
        if not waits:
            line.taken += 1
        else:
            if len(line.waiting) >= _MOST_WAITING:
                detail = f"expected at most {_MOST_WAITING} requests of one client to wait for their turn"
                raise Problem(429, "too-many-requests", detail, headers={"Retry-After": "1"})
            free: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            line.waiting.append(free)
            try:
                await free
            except asyncio.CancelledError:
                if not free.cancelled():  # the place was given already
                    self._give_away()
                raise
        self._held = True
        return waits

    def leave(self) -> None:
        """Leave the place, if it is held; the next one of the client has it in the loop's next turn."""
        if self._held:
            self._held = False
            asyncio.get_running_loop().call_soon(self._give_away)

    def _share(self) -> int:
        return max(_LEAST, _PLACES // len(self._lines))

    def _give_away(self) -> None:
        line = self._lines[self._who]
        line.taken -= 1
        while line.waiting and line.taken < self._share():
            free = line.waiting.popleft()
            if not free.done():
                free.set_result(None)
                line.taken += 1
        if not line.taken:
            del self._lines[self._who]


class InTurn:
    """Has requests wait until it is their client's turn.

    Args:
        application: what answers.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application
        self._lines: dict[str, _Line] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        client = scope.get("client")
        turn = scope[_TURN] = _Turn(self._lines, counted_as(client[0]) if client else "")

        async def sending(message: Message) -> None:
            turn.leave()  # what is left is written as the client takes it
            await send(message)

        try:
            waited = await turn.take()
        except Problem as problem:
            await problem.response()(scope, receive, send)
            return
        try:
            if not (waited and GONE in scope and scope[GONE]()):
                await self._application(scope, receive, sending)
        finally:
            turn.leave()


@asynccontextmanager
async def aside(scope: Scope) -> AsyncIterator[None]:
    """Leave the place of a request to others of its client while something else is waited for, and wait for one after.

    Where what is waited for fails, there is nothing left to work on but the refusal, and no place is waited for.

    Args:
        scope: of the request.

    Raises:
        Problem: 429 ``too-many-requests``: too many wait already.
    """
    leave(scope)
    yield
    if _TURN in scope:
        await scope[_TURN].take()


def leave(scope: Scope) -> None:
    """Leave the place of a request: what is left to do is no work, but waiting. It may take one again (:func:`aside`).

    Args:
        scope: of the request; where no place was taken for it, nothing is done.
    """
    if _TURN in scope:
        scope[_TURN].leave()
