"""The server processes of a service: begun, begun again when one dies, and stopped without dropping a request.

The supervising process binds the socket and answers nothing itself; the server processes share the socket, so that what
connects while one is begun again waits and is not refused.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread
from types import FrameType

from prometheus_client.multiprocess import mark_process_dead

from graph.store.heap import one_heap
from service.web.application import build
from service.web.middleware.metrics import COUNTED_IN
from service.web.running import logs
from service.web.running.server import Server, configuration, many_ears
from service.web.settings import Settings

#: Seconds between looks at the server processes.
_LOOK_EVERY = 0.2
#: A server process that dies so soon after its beginning, in seconds, is begun again only after a while.
_TOO_SOON = 5.0
_LONGEST_PAUSE = 30.0
#: Seconds beyond those for requests under way, until a server process that does not end is killed.
_LAST_CHANCE = 5.0
#: After how many new objects the collector looks for rings among them; of its own accord it does after 700, which one
#: request makes.
_COLLECT_AFTER = 20_000
#: Seconds for which a thread may have the interpreter while others wait for it, the loop among them; 0.005 of its own
#: accord.
_SWITCH_AFTER = 0.0005
_LOG = logging.getLogger("vigente.service")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Ended(Exception):
    """No server process could be begun.

    Args:
        code: what the first of them ended with.
    """

    def __init__(self, code: int | None) -> None:
        self.code = code
        super().__init__(f"the server process ended while it began (code {code})")


class _Worker:
    """A server process, seen from the supervisor."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self.began = time.monotonic()
        self.ready = False
        self.process: SpawnProcess = context.Process(target=_serve, args=(settings, listening, theirs), daemon=False)
        self.process.start()
        theirs.close()

    def look(self) -> bool:
        """Whether it has said that it is ready."""
        if not self.ready:
            with contextlib.suppress(EOFError, OSError):
                self.ready = self._line.poll() and self._line.recv() == "ready"
        return self.ready

    def stop(self) -> None:
        """Tell it to end what is under way, and then itself."""
        self.process.terminate()

    def kill(self) -> None:
        """End it at once, and what it began."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid or 0, signal.SIGKILL)  # it leads a group of its own
        self.process.kill()

    def buried(self) -> None:
        """It is dead: forget what it was counting at the moment, end what it left behind."""
        self.kill()
        self.process.join()
        self._line.close()
        if self.process.pid is not None and COUNTED_IN in os.environ:
            mark_process_dead(self.process.pid)  # type: ignore[no-untyped-call]


def supervise(
    settings: Settings, listening: socket.socket, workers: int, *, began: Callable[[], None]
) -> signal.Signals:
    """Serve until a signal comes; the signal. At the first, requests under way are ended; at the second, all is.

    Args:
        settings: how the service behaves.
        listening: where, bound and listening; closed when the signal comes.
        workers: how many server processes.
        began: called once, when all of them answer.

    Raises:
        Ended: they could not be begun.
    """
    logs.begin()
    with _signals() as came, _counted():
        alive: list[_Worker] = []
        try:
            alive += [_Worker(settings, listening) for _ in range(workers)]
            _begin(alive, came)
            if not came:
                began()
            _keep(settings, listening, alive, came)
            listening.close()
            _stop(alive, settings.connections.stop_seconds + _LAST_CHANCE, came)
        finally:
            for worker in alive:
                worker.buried()
        return came[0]


def _begin(alive: list[_Worker], came: list[signal.Signals]) -> None:
    while not came and not all(worker.look() for worker in alive):
        dead = next((worker for worker in alive if not worker.process.is_alive()), None)
        if dead is not None:
            raise Ended(dead.process.exitcode)
        time.sleep(0.02)


def _keep(
    settings: Settings,
    listening: socket.socket,
    alive: list[_Worker],
    came: list[signal.Signals],
) -> None:
    """Begin again what dies, until a signal comes; what dies at once, after ever longer pauses."""
    pause, not_before = 0.5, 0.0
    missing = 0
    while not came:
        wait([worker.process.sentinel for worker in alive], _LOOK_EVERY)
        for worker in [worker for worker in alive if not worker.process.is_alive()]:
            alive.remove(worker)
            worker.buried()
            missing += 1
            soon = time.monotonic() - worker.began < _TOO_SOON
            pause = min(pause * 2, _LONGEST_PAUSE) if soon else 0.5
            not_before = time.monotonic() + (pause if soon else 0)
            told = {"process": worker.process.pid, "code": worker.process.exitcode}
            _LOG.error("a server process died; it is begun again", extra={"fields": told})
        while missing and not came and time.monotonic() >= not_before:
            alive.append(_Worker(settings, listening))
            missing -= 1
        if not alive and not came:
            time.sleep(_LOOK_EVERY)


def _stop(alive: list[_Worker], seconds: float, came: list[signal.Signals]) -> None:
    for worker in alive:
        worker.stop()
    until = time.monotonic() + seconds
    while any(worker.process.is_alive() for worker in alive):
        if len(came) > 1 or time.monotonic() > until:
            _LOG.warning("ended at once; requests that were under way are lost")
            return
        wait([worker.process.sentinel for worker in alive if worker.process.is_alive()], _LOOK_EVERY)


@contextmanager
def _signals() -> Iterator[list[signal.Signals]]:
    """The signals that have come, in order."""
    came: list[signal.Signals] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(signal.Signals(number))

    before = {each: signal.signal(each, note) for each in _SIGNALS}
    try:
        yield came
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _counted() -> Iterator[None]:
    """A folder in which the server processes count together; gone at the end."""
    folder = tempfile.mkdtemp(prefix="vigente-metrics-")
    os.environ[COUNTED_IN] = folder
    try:
        yield
    finally:
        del os.environ[COUNTED_IN]
        shutil.rmtree(folder, ignore_errors=True)


def _serve(settings: Settings, listening: socket.socket, line: Connection) -> None:
    """What a server process does: serve until it is told to stop, or its supervisor is gone."""
    os.setpgid(0, 0)  # Ctrl-C on a terminal is for the supervisor, which tells the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    one_heap()  # each thread that answers would keep a heap of what its largest answer once took
    logs.begin()
    server = Server(configuration(build(settings), settings))
    gc.collect()
    gc.freeze()  # what is here by now stays: nobody need look at it again and again
    gc.set_threshold(_COLLECT_AFTER)
    sys.setswitchinterval(_SWITCH_AFTER)

    def stop(*_: object) -> None:
        server.should_exit = True

    def watch() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.01)
        with contextlib.suppress(OSError, EOFError):
            line.send("ready")
            line.recv()  # nothing ever comes: it ends when the supervisor does
        stop()

    signal.signal(signal.SIGTERM, stop)
    Thread(target=watch, daemon=True).start()
    server.run(many_ears(listening))
