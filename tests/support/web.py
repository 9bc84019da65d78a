"""A service on loopback for tests: the real server in a thread."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import httpx
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server

from service.cli import main
from service.web.application import build
from service.web.server import http1
from service.web.settings import Settings


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Run a service until the block ends; yield its address, without a final slash."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ended, begun = Event(), Event()

    async def serve() -> None:
        server = Server(
            build(settings),
            port=port,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            websockets=False,
            backpressure=settings.connections.most,
            http1_settings=http1(settings.connections),
            log_enabled=False,
        )
        running = asyncio.ensure_future(server.serve())
        begun.set()
        while not ended.is_set() and not running.done():
            await asyncio.sleep(0.01)
        server.stop()  # type: ignore[no-untyped-call]
        await running

    thread = Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        begun.wait(10)
        _await(port, thread)
        yield f"http://127.0.0.1:{port}"
    finally:
        ended.set()
        thread.join(30)


def _await(port: int, thread: Thread) -> None:
    while thread.is_alive():
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            thread.join(0.01)
        else:
            return
    raise AssertionError("the service did not start")


@contextmanager
def serving_sample(store: Path) -> Iterator[httpx.Client]:
    """Load the bundled sample into a new store at ``store``; yield a client of a service over it."""
    assert main(["--store", str(store), "demo", "--json"]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client
