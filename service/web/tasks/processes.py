"""The side of the service of the processes that run tasks: the nursery, and the connection to each worker."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, cast

from service.web.tasks.messages import BadMessage, Incoming
from service.web.tasks.nursery import ENDED, FORK, KILL, ORDER
from service.web.tasks.worker import Orders

_log = logging.getLogger("vigente.service")
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from service.web.tasks.nursery import main; main(int(sys.argv[2]))"
)

# A query that takes all memory makes the engine say where it was: no use, and long. Few arenas keep memory together.
_ENVIRONMENT = {"RUST_BACKTRACE": "0", "MALLOC_ARENA_MAX": "2"}


class Connection(asyncio.Protocol):
    """The connection to one worker.

    Args:
        most: longest body that is taken from it, in bytes.
        told: called with each message and its body.
        lost: called once, when the worker has ended or hung up.
    """

    def __init__(self, most: int, told: Callable[[dict[str, Any], bytes], None], lost: Callable[[], None]) -> None:
        self._incoming = Incoming(most)
        self._told, self._lost = told, lost
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to the worker."""
        self._transport = cast("asyncio.WriteTransport", transport)  # not every loop's says so of itself

    def send(self, message: bytes) -> None:
        """Send a whole message."""
        assert self._transport is not None  # noqa: S101 - there's a message only after the connection
        self._transport.write(message)

    def close(self) -> None:
        """Hang up: an idle worker ends."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hand on the messages that are whole."""
        try:
            for said, body in self._incoming.messages(data):
                self._told(said, body)
        except BadMessage:
            _log.exception("a worker process said what nobody understands; it is ended")
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that the worker is gone."""
        del exc
        self._lost()


class Nursery:
    """The process that forks workers, started anew by whoever is told that it is lost.

    Args:
        orders: what every worker is told.
        lost: called when the process has ended without being asked to.
    """

    def __init__(self, orders: Orders, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._numbers = count(1)
        self._killed: set[int] = set()
        self._loop = asyncio.get_running_loop()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-c", _PROGRAM, json.dumps(sys.path), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,  # what is typed at the service's terminal is for the service
            )
        told = pickle.dumps(orders)
        with suppress(OSError):  # one that has ended already is read as such
            self._control.sendall(len(told).to_bytes(4, "big") + told)
        self._control.setblocking(False)
        self._loop.add_reader(self._control, self._read)

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    async def fork(self, connection: Connection) -> int:
        """Start a worker that speaks to ``connection``; the number by which it is killed.

        Raises:
            OSError: the nursery has ended.
        """
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [ORDER.pack(FORK, number)], [theirs.fileno()])
            await self._loop.create_unix_connection(lambda: connection, sock=ours)
        except BaseException:  # also when the pool ends meanwhile
            ours.close()
            raise
        return number

    def kill(self, number: int) -> None:
        """Kill a worker, now; one that has ended already is no fault."""
        self._killed.add(number)
        try:
            self._control.send(ORDER.pack(KILL, number))
        except OSError:  # it takes no orders: end it, and all workers with it
            self._process.kill()

    def hang_up(self) -> None:
        """Let it end, and all workers with it."""
        if self._control.fileno() >= 0:
            self._loop.remove_reader(self._control)
            self._control.close()

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, and make it end if it does not. Blocks."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        try:
            said = self._control.recv(ENDED.size)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if len(said) < ENDED.size:
            self.hang_up()
            self._lost()
            return
        status, number = ENDED.unpack(said)
        if number in self._killed:
            self._killed.discard(number)
        elif status:
            ended = os.waitstatus_to_exitcode(status)
            how = f"by {signal.Signals(-ended).name}" if ended < 0 else f"with status {ended}"
            _log.warning("a worker process ended %s", how)
