"""A worker: a process that runs one task after the other over the published snapshot, and can be killed at any time."""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from graph.errors import VigenteError
from graph.store import Store, is_beside_an_endpoint
from graph.store.heap import give_back, one_heap
from service.web.http.problems import Problem
from service.web.published import Published
from service.web.settings import Limits
from service.web.tasks.answer import LIMITS, Answer, refuse_large
from service.web.tasks.confinement import confine, memory
from service.web.tasks.messages import Incoming, carried, pack

#: Stack of the thread that runs tasks, in bytes: the engine recurses as deep as a query nests.
_STACK = 512 << 20
#: Seconds after which an idle worker looks for a newer snapshot, so that it does not hold an old one's files for ever.
_IDLE_LOOK = 5.0
#: Bytes that a process may have more than at least before it looks what of them is free.
_MUCH = 16 << 20
#: Bodies below this many bytes are sent at once with what is said of them.
_SMALL = 1 << 16


@dataclass(frozen=True, slots=True)
class Orders:
    """What every worker of a pool is told.

    Attributes:
        store: the folder of the store.
        kinds: the functions that a task may ask for, by name.
        limits: what a task may cost.
        tell_values: whether what is said of a task that failed may hold what it was given.
    """

    store: Path
    kinds: Mapping[str, Callable[[Store, Mapping[str, object]], Answer]]
    limits: Limits
    tell_values: bool = False


def work(connection: socket.socket, orders: Orders) -> None:
    """Run tasks until the service hangs up. For a process with one thread; it should end when this returns.

    Args:
        connection: to the service.
        orders: what the pool tells its workers.
    """
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _leave_the_fork_server_alone()
    os.environ["RUST_BACKTRACE"] = "0"  # of a query that takes all memory: no use, and long
    one_heap()  # what a task has freed is given back whole
    gc.freeze()  # what is here stays shared with the other workers
    sandboxed = confine(orders.limits.worker_memory, connecting=is_beside_an_endpoint(orders.store))
    threading.stack_size(min(_STACK, orders.limits.worker_memory // 4))
    thread = threading.Thread(target=_until_closed, args=(connection, orders, sandboxed))
    thread.start()
    thread.join()


def _until_closed(connection: socket.socket, orders: Orders, sandboxed: bool) -> None:
    with suppress(ConnectionError):  # the service ends
        _work(connection, orders, sandboxed)


def _leave_the_fork_server_alone() -> None:
    """Close this process's end of the pipe by which the fork server sees that all who might ask it are gone.

    Else it would wait for the workers when the service is killed, and they, at work, would outlive both.
    """
    held = getattr(forkserver._forkserver, "_forkserver_alive_fd", None)  # noqa: SLF001
    if held is not None:
        os.close(held)


def _work(connection: socket.socket, orders: Orders, sandboxed: bool) -> None:
    LIMITS.set(orders.limits)
    published = Published(orders.store)
    with suppress(VigenteError):  # the task that comes is told
        published.now()
    connection.sendall(pack({"ready": os.getpid(), "sandboxed": sandboxed}))
    incoming = Incoming(0)
    least = memory()
    while data := _awaited(connection, published):
        for asked, _ in incoming.messages(data):
            connection.sendall(pack({"began": True}))
            said, body = _done(orders, published, asked)
            kept = memory()
            if len(body) < _SMALL and kept <= least + _MUCH and "died" not in said:  # nothing to give back: one message
                connection.sendall(pack({**said, "rested": kept}, body) + body)
                least = min(least, kept)
                continue
            connection.sendall(pack(said, body))
            connection.sendall(body)
            del body
            if "died" in said:
                return
            kept = _rested(least)
            least = min(least, kept)
            connection.sendall(pack({"rested": kept}))


def _awaited(connection: socket.socket, published: Published) -> bytes:
    """The next bytes from the service; none when it has hung up."""
    while not select.select([connection], [], [], _IDLE_LOOK)[0]:
        with suppress(VigenteError):
            published.now()
    try:
        return connection.recv(1 << 20)
    except ConnectionError:
        return b""


def _done(orders: Orders, published: Published, asked: Mapping[str, Any]) -> tuple[dict[str, object], bytes]:
    try:
        answer = orders.kinds[asked["kind"]](published.now().store, asked["arguments"])
        refuse_large(len(answer.body), orders.limits.answer_bytes)
    except (Problem, VigenteError) as error:
        return {"error": carried(error)}, b""
    except MemoryError:
        return {"died": "MemoryError", "memory": True}, b""
    except BaseException as error:  # noqa: BLE001 - the engine's panics too; nothing can be said of what is left
        return {"died": _told(error, orders.tell_values)}, b""
    return {"media": answer.media}, answer.body


def _told(error: BaseException, values: bool) -> str:
    """Where a task failed, and at what; a message may hold a piece of the query."""
    what = f"{type(error).__name__}: {error}" if values else type(error).__name__
    return f"{what}\n{''.join(traceback.format_tb(error.__traceback__))}"[:8000]


def _rested(least: int) -> int:
    """How many bytes this process has now that the task is over; free memory is given back where there may be much.

    Args:
        least: how many it had, at least, when a task was over.
    """
    if memory() > least + _MUCH:
        give_back()
    return memory()
