"""Runs the service with granian, which accepts connections, parses requests, and supervises the server processes.

:mod:`service.web.middleware.requests` adds limits that granian does not have: on slow bodies and on clients that stop
reading. A reverse proxy has the others (docs/how-to/reverse-proxy.md).
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

#: The threshold of the garbage collector; its default of 700 objects is reached by one request.
_GC_THRESHOLD = 20_000
#: Seconds between attempts to connect to a starting service.
_RETRY_SECONDS = 0.05
_GAUGES = re.compile(r"gauge_live\w+_(\d+)\.db")


class ServerEnded(Exception):
    """The server processes ended without a signal, at their start or repeatedly."""


def http1(limits: Connections) -> HTTP1Settings:
    """Return granian's limits on the time and size of the header fields of a request."""
    return HTTP1Settings(header_read_timeout=ceil(limits.head_seconds * 1000), max_buffer_size=limits.head_bytes)


def serve(settings: Settings, address: str, port: int, workers: int, *, on_ready: Callable[[], None]) -> signal.Signals:
    """Serve until a signal is received, and return the signal.

    After the first signal running requests are answered; after a second signal they are aborted.

    Args:
        settings: the settings of the service.
        address: an IP address of this machine.
        port: a free port.
        workers: the number of server processes.
        on_ready: called once, when the service answers.

    Raises:
        ServerEnded: the server processes ended without a signal.
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
    announcing = threading.Thread(target=_announce, args=(address, port, on_ready, server.signals), daemon=True)
    with _reserved_port(address, port), _shared_metrics_folder(), contextlib.suppress(SystemExit):
        announcing.start()
        server.serve(target_loader=partial(_application, settings), wrap_loader=False)
    if not server.signals:
        raise ServerEnded("the server processes ended without a signal")
    return server.signals[0]


class _Server(MPServer):
    """The supervisor. It records the signals that it receives, and kills the server processes at the second one."""

    signals: list[signal.Signals]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.signals = []

    def signal_handler_interrupt(self, *args: Any, **_: Any) -> None:
        """Stop the server; the handler of SIGINT and SIGTERM."""
        self.signals.append(signal.Signals(args[0]))
        if len(self.signals) > 1:
            for worker in self.wrks:
                worker.kill()  # type: ignore[no-untyped-call]
        super().signal_handler_interrupt()  # type: ignore[no-untyped-call]


def _announce(address: str, port: int, on_ready: Callable[[], None], signals: list[signal.Signals]) -> None:
    """Call ``on_ready`` when a server process accepts connections, which is when it can answer."""
    pause = threading.Event()
    while not signals:
        try:
            socket.create_connection((address, port), timeout=5).close()
        except OSError:
            pause.wait(_RETRY_SECONDS)
        else:
            on_ready()
            return


@contextmanager
def _reserved_port(address: str, port: int) -> Iterator[None]:
    """Reserve a port until the server processes listen on it. They share it; this socket accepts no connections."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind((address, port))
        yield


@contextmanager
def _shared_metrics_folder() -> Iterator[None]:
    """Create a folder for the shared counters of the server processes, and remove it at the end."""
    folder = tempfile.mkdtemp(prefix="vigente-metrics-")
    os.environ[METRICS_FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[METRICS_FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def _application(settings: Settings) -> ASGIApp:
    """Return the application of a server process. The process ends with its parent."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is handled by the supervisor, which stops the server processes
    use_one_arena()  # else each thread would keep a heap of the size of its largest answer
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
    """Remove the gauges of ended processes from the shared counters."""
    for file in Path(os.environ.get(METRICS_FOLDER, os.devnull)).glob("gauge_live*.db"):
        match = _GAUGES.fullmatch(file.name)
        if match is not None and not Path(f"/proc/{match[1]}").exists():
            mark_process_dead(int(match[1]))  # type: ignore[no-untyped-call]


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line: ``time`` (UTC), ``level``, ``logger``, ``message``, then the fields of the record."""
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
        # non-ASCII characters are escaped, so that no input can send control sequences to a terminal
        return line.decode("ascii") if line and line.isascii() else json.dumps(document, ensure_ascii=True, default=str)


def log_as_json() -> None:
    """Log to stderr as JSON: from level ``info`` for Vigente, and from ``warning`` for libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    # Do not collect attributes that no line has (Python's Logging HOWTO, "Optimization").
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001 - as that section recommends
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("vigente").setLevel(logging.INFO)
