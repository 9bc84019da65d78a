"""A service on loopback for tests: the real server in a thread, over a store of its own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx

from service.cli import main
from service.web.application import build
from service.web.running.server import Server, configuration
from service.web.settings import Settings

__all__ = ["serving", "serving_sample"]


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Serve until the block ends; the address, without a slash at its end."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer waits 40 ms for its body
    server = Server(configuration(build(settings), settings))
    thread = Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            thread.join(0.01)
        assert server.started, "the service did not start"
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()


@contextmanager
def serving_sample(store: Path) -> Iterator[httpx.Client]:
    """A client of a service over the bundled sample, which is loaded into a new store there."""
    assert main(["--store", str(store), "demo", "--json"]) == 0
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client
