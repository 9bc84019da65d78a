"""The HTTP server of one process: uvicorn with uvloop and httptools, guarded connections, and no words of its own."""

from __future__ import annotations

import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from service.web.running.connections import guarded
from service.web.settings import Settings

#: How many new connections are taken in each turn of the loop.
_AT_ONCE = 16


def configuration(application: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves an application; logging is left as it is."""
    return uvicorn.Config(
        application,
        loop="uvloop",
        http=guarded(settings),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        timeout_keep_alive=math.ceil(settings.connections.idle_seconds),
        timeout_graceful_shutdown=math.ceil(settings.connections.stop_seconds),
    )


def many_ears(listening: socket.socket) -> list[socket.socket]:
    """A socket that listens so many times over as new connections are to be taken in each turn of the loop.

    libuv takes one in a turn for each socket that it watches, and a turn answers all who ask meanwhile: of many that
    come at once behind busy ones, the last would wait for as many turns as there are.

    Whether a socket waits is a matter of all processes that have it: one that came from another process believes that
    it does, and so would its doubles make it.
    """
    listening.setblocking(False)
    return [listening, *(listening.dup() for _ in range(_AT_ONCE - 1))]


class Server(uvicorn.Server):
    """A server that leaves the signals of its process to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None: see above."""
        yield
