"""Memory management of the running process, and sections that signals do not interrupt."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import current_thread, main_thread

# Reduces the memory that a long-running process keeps after work.


#: The threshold of the garbage collector during loads, which make many objects and few reference cycles. Each batch
#: exceeds it several times.
MANY_OBJECTS = 50_000

# malloc.h of the GNU C library: the options for the number of arenas, and for the size of blocks that are mapped
# separately.
_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
# The size in bytes of separately mapped blocks; sorting a batch takes much larger blocks.
_LARGE = 1 << 20


def available() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def use_one_arena() -> bool:
    """Make all threads of this process share one heap; return False with another C library.

    A heap is not returned to the system, so that each thread's heap keeps the most memory that it ever needed. Threads
    that already have a heap keep it. Concurrent threads wait for each other at a shared heap; a writer should use
    :func:`map_large_blocks` instead.
    """
    return _set_malloc_option(_M_ARENA_MAX, 1)


@cache
def map_large_blocks() -> bool:
    """Make the C library return large blocks of memory to the system when they are freed.

    Return False with another C library than that of GNU.

    By default, the C library allocates ever larger blocks from its heaps, which each loading thread keeps.
    """
    return _set_malloc_option(_M_MMAP_THRESHOLD, _LARGE)


def _set_malloc_option(option: int, value: int) -> bool:
    """Set an option of the GNU C library's memory allocator. Return whether it was set."""
    try:
        gnu = os.confstr("CS_GNU_LIBC_VERSION") is not None
    except (AttributeError, OSError, ValueError):
        return False
    return gnu and ctypes.CDLL(None).mallopt(option, value) == 1


def release_free_memory() -> None:
    """Return free memory of this process to the system, if the C library supports it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


@contextmanager
def raised_gc_threshold() -> Iterator[None]:
    """Raise the garbage collector's threshold for the block.

    Each collection visits every object, and loads have many objects.
    """
    first, *others = gc.get_threshold()
    gc.set_threshold(first and max(first, MANY_OBJECTS), *others)  # 0 disables collection
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


# Defers SIGINT until a section has finished.


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer the signals that raise KeyboardInterrupt until the block has finished.

    Raises:
        KeyboardInterrupt: a signal arrived within the block.
    """
    taken = [s for s in _SIGNALS if signal.getsignal(s) is signal.default_int_handler]
    if current_thread() is not main_thread() or not taken:
        yield
        return
    came: list[int] = []
    for signal_number in taken:
        signal.signal(signal_number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for signal_number in taken:
            signal.signal(signal_number, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt
