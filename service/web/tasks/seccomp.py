"""A filter of system calls (Linux seccomp): a process behind it opens no connection, writes no file, starts no program.

The filter is a small program that the kernel runs before every system call. It is built here by hand, for no library
for it comes with every system; its layout is that of ``linux/filter.h`` and ``linux/seccomp.h``. It holds for the
process that installs it and all its later threads and children, and cannot be taken off.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

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
