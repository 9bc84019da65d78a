"""A worker: a sandboxed process that runs tasks on the published snapshot, and can be killed at any time."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import gc
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graph.errors import VigenteError
from graph.process import release_free_memory, use_one_arena
from graph.store import Store, is_remote
from service.web.http.problems import Problem
from service.web.published import SnapshotReader
from service.web.settings import Limits
from service.web.tasks.messages import LIMITS, Answer, MessageReader, error_to_dict, pack, refuse_large

# A filter of system calls (Linux seccomp): the process cannot open connections, write files or start programs.
#
# The filter is a small program that the kernel runs before every system call. It is assembled here, because no library
# for it is available on every system; the layout is that of ``linux/filter.h`` and ``linux/seccomp.h``. It applies to
# the process that installs it and its later threads and children, and cannot be removed.


_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 22, 38, 2
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
# Operations of the filter: load a word of the call, compare with a constant, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# Offsets of the number of the call, its architecture, and the lower half of the first argument.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
#: Calls of another calling convention of x86-64 ("x32") have this bit.
_X32 = 0x40000000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers of the system calls of a machine.

    Attributes:
        architecture: its number in the kernel (``linux/audit.h``).
        connecting: calls that open a connection. They fail unless the graph is behind an endpoint.
        refused: calls that always fail.
        opening: calls that open a file, each with the index of its flags argument.
    """

    architecture: int
    connecting: tuple[int, ...]
    refused: tuple[int, ...]
    opening: tuple[tuple[int, int], ...]


# io_uring_setup, _enter, _register, openat2 (a filter cannot read its flags): the same numbers on every machine
_REFUSED_EVERYWHERE = (425, 426, 427, 437)
#: The machines by the name that ``platform.machine`` returns.
MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        "x86_64": Machine(
            0xC000003E,
            (41, 42, 49),  # socket, connect, bind
            (
                *(43, 50, 288),  # accept, listen, accept4
                *(59, 322, 101, 310, 311),  # execve, execveat, ptrace, process_vm_readv, process_vm_writev
                *(76, 82, 83, 84, 85, 86, 87, 88),  # truncate, rename, mkdir, rmdir, creat, link, unlink, symlink
                *(90, 92, 94, 133),  # chmod, chown, lchown, mknod
                *(258, 259, 260, 263, 264, 265, 266, 268, 316),  # the same calls relative to a folder (mkdirat, ...)
                *_REFUSED_EVERYWHERE,
            ),
            ((2, 1), (257, 2)),  # open, openat
        ),
        "aarch64": Machine(
            0xC00000B7,
            (198, 203, 200),
            (
                *(202, 201, 242),
                *(221, 281, 117, 270, 271),
                45,  # truncate
                *(33, 34, 35, 36, 37, 38, 53, 54, 276),  # mknodat, mkdirat, unlinkat, symlinkat, linkat, ...
                *_REFUSED_EVERYWHERE,
            ),
            ((56, 2),),
        ),
    }
)


class _Program(ctypes.Structure):
    """``struct sock_fprog``: the number of instructions, and their address."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def install(*, connecting: bool = False) -> bool:
    """Install the filter in this process. Return whether the system supports it. Call it before starting threads.

    Args:
        connecting: whether the process may open connections.
    """
    machine = MACHINES.get(platform.machine())
    if not sys.platform.startswith("linux") or machine is None:
        return False
    code = b"".join(instructions(machine, connecting=connecting))
    memory = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(memory))
    library = ctypes.CDLL(None, use_errno=True)
    word = ctypes.c_ulong
    if library.prctl(_PR_SET_NO_NEW_PRIVS, word(1), word(0), word(0), word(0)) != 0:
        return False
    return bool(library.prctl(_PR_SET_SECCOMP, word(_SECCOMP_MODE_FILTER), ctypes.byref(program)) == 0)


def instructions(machine: Machine, *, connecting: bool = False) -> Sequence[bytes]:
    """Return the filter: instructions of 8 bytes, with jumps relative to the next instruction."""
    program = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, machine.architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, _X32, 0, 1),
        _instruction(_RETURN, _REFUSE),
    ]
    for number in (*machine.refused, *(() if connecting else machine.connecting)):
        program += [_instruction(_EQUAL, number, 0, 1), _instruction(_RETURN, _REFUSE)]
    for number, place in machine.opening:
        program += [
            _instruction(_EQUAL, number, 0, 4),
            _instruction(_LOAD, _ARGUMENTS + 8 * place),
            _instruction(_ANY_BIT, _WRITING, 0, 1),
            _instruction(_RETURN, _REFUSE),
            _instruction(_RETURN, _ALLOW),
        ]
    return [*program, _instruction(_RETURN, _ALLOW)]


def _instruction(operation: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_so, if_not, value)


# The limits of a process that runs tasks, which the kernel enforces.


_LIBRARY = ctypes.CDLL(None)
#: The niceness of the worker processes, so that the server has priority.
_NICENESS = 2


def end_with(peer: socket.socket) -> None:
    """End this process when the other end of a connection is closed, also while it runs a query.

    The system does it by a signal (SIGIO). Nothing is sent over the connection.
    """
    if not sys.platform.startswith("linux"):
        return
    fcntl.fcntl(peer, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(peer, fcntl.F_SETFL, fcntl.fcntl(peer, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([peer], [], [], 0)[0]:  # it had been closed before
        os._exit(1)


def confine(address_space: int, *, connecting: bool = False) -> bool:
    """Limit this process permanently: its address space, no core files, no written files, no connections.

    The system kills it first when memory is short, and prefers the server for the processor.

    Args:
        address_space: the limit in bytes.
        connecting: whether it may open connections, to the endpoint that has the graph.

    Returns:
        Whether system calls are filtered.
    """
    if sys.platform.startswith("linux"):
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with suppress(OSError):
        os.nice(_NICENESS)
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_AS, address_space),
    ):
        with suppress(OSError, ValueError):  # the system has no such limit, or a lower one
            resource.setrlimit(limit, (most, most))
    return install(connecting=connecting)


def memory_of_this_process() -> Callable[[], int]:
    """Return a function that measures the private memory of this process in bytes, without files.

    It returns 0 where the system does not report it.
    """
    try:
        statm = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return lambda: 0

    def measure() -> int:
        fields = os.pread(statm, 128, 0).split()
        return (int(fields[1]) - int(fields[2])) * resource.getpagesize()

    return measure


def processor_seconds(process: int) -> float:
    """Return the processor time of a process, 0 if it has ended; the elapsed time where only Linux reports it."""
    if not sys.platform.startswith("linux"):
        return time.monotonic()
    clock = ctypes.c_int()
    if _LIBRARY.clock_getcpuclockid(process, ctypes.byref(clock)) != 0:
        return 0.0
    try:
        return time.clock_gettime(clock.value)
    except OSError:  # it ends meanwhile
        return 0.0


# The worker itself.


#: Stack size of the thread that runs tasks, in bytes. The engine recurses to the depth of the query.
_STACK = 512 << 20
#: Seconds after which an idle worker checks for a newer snapshot, so that it releases the files of old ones.
_IDLE_CHECK_SECONDS = 5.0
#: Bytes above the lowest memory use after which a process releases its free memory.
_RELEASE_THRESHOLD = 16 << 20
#: Bodies of fewer bytes are sent in one message with the final status.
_SMALL_BODY = 1 << 16


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """The configuration of the workers of a pool.

    Attributes:
        store: the folder of the store.
        kinds: the task functions by name.
        limits: the limits of a task.
        log_values: whether the report of a failed task may have its arguments.
    """

    store: Path
    kinds: Mapping[str, Callable[[Store, Mapping[str, object]], Answer]]
    limits: Limits
    log_values: bool = False


def run_worker(connection: socket.socket, service: socket.socket, config: WorkerConfig, begun: ctypes.c_ulong) -> None:
    """Run tasks until the service closes the connection. The process has one thread, and ends when this returns.

    Args:
        connection: the connection to the service.
        service: a connection that is open while the service runs; the process ends with it.
        config: the configuration of the workers.
        begun: a number in shared memory that counts the tasks that it begins.
    """
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(service)
    os.environ["RUST_BACKTRACE"] = "0"  # the backtrace of a query that exhausts memory is long and useless
    use_one_arena()  # so that freed memory can be returned to the system
    gc.freeze()  # existing objects stay in pages shared with the other workers
    sandboxed = confine(config.limits.worker_memory, connecting=is_remote(config.store))
    threading.stack_size(min(_STACK, config.limits.worker_memory // 4))
    thread = threading.Thread(target=_run_until_closed, args=(connection, config, begun, sandboxed))
    thread.start()
    thread.join()


def _run_until_closed(connection: socket.socket, config: WorkerConfig, begun: ctypes.c_ulong, sandboxed: bool) -> None:
    with suppress(ConnectionError):  # the service ends
        _run_tasks(connection, config, begun, sandboxed)


def _run_tasks(connection: socket.socket, config: WorkerConfig, begun: ctypes.c_ulong, sandboxed: bool) -> None:
    LIMITS.set(config.limits)
    published = SnapshotReader(config.store)
    with suppress(VigenteError):  # the next task reports it
        published.now()
    connection.sendall(pack({"ready": os.getpid(), "sandboxed": sandboxed}))
    incoming = MessageReader(0)
    measure = memory_of_this_process()
    least = measure()
    while data := _receive(connection, published):
        for request, _ in incoming.messages(data):
            begun.value += 1
            header, body = _run_task(config, published, request)
            kept = measure()
            if (
                len(body) < _SMALL_BODY and kept <= least + _RELEASE_THRESHOLD and "died" not in header
            ):  # no memory to release: one message
                connection.sendall(pack({**header, "rested": kept}, body) + body)
                least = min(least, kept)
                continue
            connection.sendall(pack(header, body))
            connection.sendall(body)
            del body
            if "died" in header:
                return
            if measure() > least + _RELEASE_THRESHOLD:
                release_free_memory()
            kept = measure()
            least = min(least, kept)
            connection.sendall(pack({"rested": kept}))


def _receive(connection: socket.socket, published: SnapshotReader) -> bytes:
    """Return the next bytes from the service; empty when it has closed the connection."""
    while not select.select([connection], [], [], _IDLE_CHECK_SECONDS)[0]:
        with suppress(VigenteError):
            published.now()
    try:
        return connection.recv(1 << 20)
    except ConnectionError:
        return b""


def _run_task(
    config: WorkerConfig, published: SnapshotReader, request: Mapping[str, Any]
) -> tuple[dict[str, object], bytes]:
    try:
        snapshot = published.now()
        answer = config.kinds[request["kind"]](snapshot.store, request["arguments"])
        refuse_large(len(answer.body), config.limits.answer_bytes)
    except (Problem, VigenteError) as error:
        return {"error": error_to_dict(error)}, b""
    except MemoryError:
        return {"died": "MemoryError", "memory": True}, b""
    except BaseException as error:  # noqa: BLE001 - panics of the engine too; the process ends, because its state is unknown
        return {"died": _failure_text(error, config.log_values)}, b""
    return {"media": answer.media, "state": astuple(snapshot.state)}, answer.body


def _failure_text(error: BaseException, values: bool) -> str:
    """Return the traceback of a failed task; its message only where values may be logged."""
    summary = f"{type(error).__name__}: {error}" if values else type(error).__name__
    return f"{summary}\n{''.join(traceback.format_tb(error.__traceback__))}"[:8000]
