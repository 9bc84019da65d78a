"""A worker: a confined process that runs tasks over the published snapshot, and can be killed at any time."""

from __future__ import annotations

import ctypes
import errno
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
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graph.errors import VigenteError
from graph.process import release_free_memory, use_one_arena
from graph.store import Store, is_remote
from service.web.http.problems import Problem
from service.web.published import Published
from service.web.settings import Limits
from service.web.tasks.messages import LIMITS, Answer, Incoming, carried, pack, refuse_large

# A filter of system calls (Linux seccomp): a process behind it opens no connection, writes no file, starts no program.
#
# The filter is a small program that the kernel runs before every system call. It is built here by hand, for no library
# for it comes with every system; its layout is that of ``linux/filter.h`` and ``linux/seccomp.h``. It holds for the
# process that installs it and all its later threads and children, and cannot be taken off.


_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 22, 38, 2
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
# Operations of the filter: load a word of the call, compare with a constant, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# Where the kernel tells the number of the call, its architecture, and the lower half of an argument.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
#: Calls of another calling convention of x86-64 ("x32") have this bit.
_X32 = 0x40000000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine's numbers.

    Attributes:
        architecture: its name for the kernel (``linux/audit.h``).
        connecting: calls that open a connection to elsewhere: they fail unless the graph lies behind an endpoint.
        refused: calls that always fail.
        opening: calls that open a file, each with the place of the argument that tells how.
    """

    architecture: int
    connecting: tuple[int, ...]
    refused: tuple[int, ...]
    opening: tuple[tuple[int, int], ...]


# io_uring_setup, _enter, _register, openat2 (its flags lie where a filter cannot look): the same number everywhere
_EVERYWHERE = (425, 426, 427, 437)
#: By the name that the system gives its machine.
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
                *(258, 259, 260, 263, 264, 265, 266, 268, 316),  # the same, beginning at a folder (mkdirat, ...)
                *_EVERYWHERE,
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
                *_EVERYWHERE,
            ),
            ((56, 2),),
        ),
    }
)


class _Program(ctypes.Structure):
    """``struct sock_fprog``: how many instructions, and where."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def install(*, connecting: bool = False) -> bool:
    """Put this process behind the filter; whether the system has one. Call it while there is one thread.

    Args:
        connecting: whether it may open connections.
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
    """The filter: each instruction 8 bytes, jumps counted from the next one."""
    found = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, machine.architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _REFUSE),
    ]
    for number in (*machine.refused, *(() if connecting else machine.connecting)):
        found += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _REFUSE)]
    for number, place in machine.opening:
        found += [
            _step(_EQUAL, number, 0, 4),
            _step(_LOAD, _ARGUMENTS + 8 * place),
            _step(_ANY_BIT, _WRITING, 0, 1),
            _step(_RETURN, _REFUSE),
            _step(_RETURN, _ALLOW),
        ]
    return [*found, _step(_RETURN, _ALLOW)]


def _step(operation: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_so, if_not, value)


# What a process that runs tasks may take and reach, told to the kernel before it does anything else.


_PR_SET_PDEATHSIG = 1
_LIBRARY = ctypes.CDLL(None)
#: By how much these processes are behind the server in the system's order (nice).
_YIELDING = 2


def confine(address_space: int, *, connecting: bool = False) -> bool:
    """Give this process its limits, for good: address space, no core file, no file written, no way out.

    It ends when its parent does, is the first that the system ends when memory is short, and comes behind the server
    where both want the processor.

    Args:
        address_space: bytes.
        connecting: whether it may open connections, to the endpoint that has the graph.

    Returns:
        whether system calls are filtered (:mod:`service.web.tasks.worker`).
    """
    if sys.platform.startswith("linux"):
        _LIBRARY.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
        if os.getppid() == 1:  # it ended before it could be said
            os._exit(1)
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with suppress(OSError):
        os.nice(_YIELDING)
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_AS, address_space),
    ):
        with suppress(OSError, ValueError):  # a system that has no such limit, or a lower one already
            resource.setrlimit(what, (most, most))
    return install(connecting=connecting)


def memory() -> int:
    """How many bytes of memory are this process's own, without files; 0 where the system doesn't tell."""
    try:
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * resource.getpagesize()


# The worker itself.


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
    use_one_arena()  # what a task has freed is given back whole
    gc.freeze()  # what is here stays shared with the other workers
    sandboxed = confine(orders.limits.worker_memory, connecting=is_remote(orders.store))
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
        release_free_memory()
    return memory()
