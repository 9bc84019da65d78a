"""Connections that come at once: they are taken in few turns of the loop, however much each turn has to answer."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import uvloop

from service.web.running.server import many_ears

CLIENTS = 48


@contextmanager
def _waiting() -> Iterator[socket.socket]:
    """A socket that listens, with so many clients before it whom nobody has taken yet."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2 * CLIENTS))
        for _ in range(CLIENTS):
            stack.enter_context(socket.create_connection(listening.getsockname(), timeout=5))
        yield listening


async def _turns(ears: list[socket.socket]) -> int:
    """How many turns of the loop it takes until all are connected."""
    connected = 0

    class Counting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            nonlocal connected
            connected += 1
            transport.close()

    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(Counting, sock=ear) for ear in ears]
    turns = 0
    while connected < CLIENTS and turns < 1000:
        await asyncio.sleep(0)
        turns += 1
    for server in servers:
        server.close()
    assert connected == CLIENTS
    return turns


@pytest.mark.parametrize(("many", "least", "most"), [(False, CLIENTS, 1000), (True, 1, CLIENTS // 4)])
def test_many_ears_take_many_connections_in_a_turn(many: bool, least: int, most: int) -> None:
    """With one ear each turn takes one: if that fails, libuv has learned better, and one ear is enough."""
    with _waiting() as listening, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        turns = runner.run(_turns(many_ears(listening) if many else [listening]))
        assert least <= turns <= most


def test_the_ears_of_one_process_make_no_other_wait() -> None:
    """A socket that came from another process believes that it waits, and all processes share whether it does."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        with socket.socket(fileno=os.dup(listening.fileno())) as handed_over, ExitStack() as stack:
            assert handed_over.gettimeout() is None, "as it comes out of a pickle"
            for ear in many_ears(handed_over)[1:]:
                stack.enter_context(ear)
            assert not os.get_blocking(listening.fileno())
