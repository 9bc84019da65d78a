"""Runs the service with granian, which accepts connections, reads requests, and supervises the server processes.

What granian does not do is in :mod:`service.web.middleware.requests` (bodies that come slowly, clients that
take nothing) or left to a reverse proxy (docs/how-to/reverse-proxy.md).
"""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import multiprocessing
import multiprocessing.connection
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import orjson
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer
from prometheus_client.multiprocess import mark_process_dead
from starlette.types import ASGIApp

from graph.process import use_one_arena
from service.web.application import build
from service.web.middleware.metrics import METRICS_FOLDER
from service.web.settings import Connections, Settings

#: After how many new objects Python looks for circles among them; one request makes 700, its default.
_GC_THRESHOLD = 20_000
#: Seconds between attempts to reach a service that starts.
_RETRY_SECONDS = 0.05
_GAUGES = re.compile(r"gauge_live\w+_(\d+)\.db")


class ServerEnded(Exception):
    """The server processes ended by themselves, at the start or again and again."""


def http1(limits: Connections) -> HTTP1Settings:
    """The settings of granian for a connection: how long and how large a request's head may be."""
    return HTTP1Settings(header_read_timeout=ceil(limits.head_seconds * 1000), max_buffer_size=limits.head_bytes)


def serve(settings: Settings, address: str, port: int, workers: int, *, began: Callable[[], None]) -> signal.Signals:
    """Serve until a signal comes, which is returned.

    At the first signal requests under way are answered; at the second they are cut.

    Args:
        settings: how the service behaves.
        address: an address of this machine, not a name.
        port: a free port.
        workers: how many server processes.
        began: called once, when the service answers.

    Raises:
        Ended: the server processes end by themselves.
    """
    log_as_json()
    multiprocessing.set_start_method("spawn", force=True)
    server = _Server(
        "vigente",
        address=address,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        http=HTTPModes.http1,
        loop=Loops.uvloop,
        websockets=False,
        backpressure=settings.connections.most,
        http1_settings=http1(settings.connections),
        respawn_failed_workers=True,
        workers_kill_timeout=ceil(settings.connections.stop_seconds),
        log_enabled=False,
        log_level=LogLevels.warning,
    )
    announcing = threading.Thread(target=_announce, args=(address, port, began, server.signals), daemon=True)
    with _reserved_port(address, port), _shared_metrics_folder(), contextlib.suppress(SystemExit):
        announcing.start()
        server.serve(target_loader=partial(_application, settings), wrap_loader=False)
    if not server.signals:
        raise ServerEnded("the server processes ended by themselves")
    return server.signals[0]


class _Server(MPServer):
    """The supervisor, which remembers the signals that came; at the second it kills the server processes."""

    signals: list[signal.Signals]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.signals = []

    def signal_handler_interrupt(self, *args: Any, **_: Any) -> None:
        """Stop; called by the signals SIGINT and SIGTERM."""
        self.signals.append(signal.Signals(args[0]))
        if len(self.signals) > 1:
            for worker in self.wrks:
                worker.kill()  # type: ignore[no-untyped-call]
        super().signal_handler_interrupt()  # type: ignore[no-untyped-call]


def _announce(address: str, port: int, began: Callable[[], None], signals: list[signal.Signals]) -> None:
    """Call ``began`` when a server process listens, which it does when it can answer."""
    pause = threading.Event()
    while not signals:
        try:
            socket.create_connection((address, port), timeout=5).close()
        except OSError:
            pause.wait(_RETRY_SECONDS)
        else:
            began()
            return


@contextmanager
def _reserved_port(address: str, port: int) -> Iterator[None]:
    """Hold a port while no server process listens on it; they share it, and this socket takes no connection."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind((address, port))
        yield


@contextmanager
def _shared_metrics_folder() -> Iterator[None]:
    """A folder in which the server processes count together; gone at the end."""
    folder = tempfile.mkdtemp(prefix="vigente-metrics-")
    os.environ[METRICS_FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[METRICS_FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def _application(settings: Settings) -> ASGIApp:
    """The application of one server process, which ends with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C on a terminal is for the supervisor, which stops the others
    use_one_arena()  # each thread that answers would keep a heap of what its largest answer once took
    log_as_json()
    _remove_dead_gauges()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with_parent, args=(parent.sentinel,), daemon=True).start()
    application = build(settings)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    return application


def _end_with_parent(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def _remove_dead_gauges() -> None:
    """Remove what processes that are no more had under way from what is counted together."""
    for file in Path(os.environ.get(METRICS_FOLDER, os.devnull)).glob("gauge_live*.db"):
        found = _GAUGES.fullmatch(file.name)
        if found is not None and not Path(f"/proc/{found[1]}").exists():
            mark_process_dead(int(found[1]))  # type: ignore[no-untyped-call]


class JsonLines(logging.Formatter):
    """A record as one line of JSON; a line break within it is written as ``\\n``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: ``time`` (UTC), ``level``, ``logger``, ``message``, then the record's own fields."""
        document: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields = getattr(record, "fields", None)
        if isinstance(fields, dict):
            document.update(fields)
        if record.exc_info and record.exc_info[1] is not None:
            document["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        try:
            line = orjson.dumps(document, default=str)
        except orjson.JSONEncodeError:
            line = b""
        # a terminal must not take what somebody sent for a command: what is no ASCII is escaped
        return line.decode("ascii") if line and line.isascii() else json.dumps(document, ensure_ascii=True, default=str)


def log_as_json() -> None:
    """Write everything that this process logs to stderr, from ``info`` on; from libraries, warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    # What no line shows is not gathered for each (the library's own advice: HOWTO, "Optimization").
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001 - as that section says: where it was said
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("vigente").setLevel(logging.INFO)
