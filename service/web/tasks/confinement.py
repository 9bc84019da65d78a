"""What a process that runs tasks may take and reach, told to the kernel before it does anything else."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

from service.web.tasks import seccomp

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
        whether system calls are filtered (:mod:`service.web.tasks.seccomp`).
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
    return seccomp.install(connecting=connecting)


def memory() -> int:
    """How many bytes of memory are this process's own, without files; 0 where the system doesn't tell."""
    try:
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * resource.getpagesize()
