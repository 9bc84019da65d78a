"""Begins requests in turns of their clients, so that one who sends many at once does not keep the others waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from service.web.http.networks import counted_as
from service.web.http.problems import Problem
from service.web.middleware.request_log import NO_ROUTE, Told, method_of

#: How many requests are begun each time the event loop goes round.
_AT_ONCE = 4


class Turns:
    """Begins requests at once while few come; where many wait, one of each client in turn.

    A request that has begun runs as it likes: what is shared out is the time of the event loop, not the number of
    requests under way. A client that sends requests and hangs up fills its own line only.

    Args:
        application: what answers.
        most: how many requests of one client may wait; more are refused (429). As many as connections may be open:
            only those of a client that hung up are more.
        count: called with each request that is refused; the log has no line of it.
    """

    def __init__(self, application: ASGIApp, most: int, count: Callable[[Told], None]) -> None:
        self._application = application
        self._most = most
        self._count = count
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._begun = 0  # since the event loop last went round

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._may_begin():
            client = counted_as(scope["client"][0]) if scope.get("client") else ""
            line = self._lines.setdefault(client, deque())
            if len(line) >= self._most:
                await self._refuse(scope, receive, send)
                return
            turn = asyncio.get_running_loop().create_future()
            line.append(turn)
            await turn
        await self._application(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        detail = f"expected at most {self._most} requests of one client at once"
        response = Problem(429, "too-many-requests", detail, headers={"Retry-After": "1"}).response()
        self._count(Told(method_of(scope), NO_ROUTE, 429, 0.0, len(response.body), "too-many-requests"))
        await response(scope, receive, send)

    def _may_begin(self) -> bool:
        """Whether a request that comes now need not wait."""
        if self._lines or self._begun >= _AT_ONCE:
            return False
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._next)
        self._begun += 1
        return True

    def _next(self) -> None:
        """Begin requests that wait; called once each time the event loop goes round while any came or wait."""
        self._begun = 0
        while self._lines and self._begun < _AT_ONCE:
            client, line = next(iter(self._lines.items()))
            turn = line.popleft()
            del self._lines[client]
            if line:
                self._lines[client] = line  # behind the others
            if not turn.done():
                turn.set_result(None)
                self._begun += 1
        if self._begun or self._lines:
            asyncio.get_running_loop().call_soon(self._next)
