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


#: The threshold of the garbage collector for loads, which make many objects and few cycles: a batch exceeds it more
#: than once.
MANY_OBJECTS = 50_000

# malloc.h of the GNU C library: the options for the number of arenas, and for the size of blocks that are mapped
# separately.
_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
# Batches are sorted in blocks of many times that size.
_LARGE = 1 << 20


@cache
def use_one_arena() -> bool:
    """Make all threads of this process share one heap; return False with another C library.

    Each heap of its own keeps the memory once needed for an answer. Threads that already have one keep it. Concurrent
    threads wait for each other at a shared heap; for a writer :func:`map_large_blocks` is better.
    """
    return _allowed(_M_ARENA_MAX, 1)


@cache
def map_large_blocks() -> bool:
    """Return large blocks of memory to the system when they are freed; return False with another C library.

    Otherwise the C library takes ever larger blocks from its heaps, and each loading thread keeps one.
    """
    return _allowed(_M_MMAP_THRESHOLD, _LARGE)


def _allowed(option: int, value: int) -> bool:
    """Set an option of the GNU C library's memory. Return whether it exists and was set."""
    try:
        gnu = os.confstr("CS_GNU_LIBC_VERSION") is not None
    except (AttributeError, OSError, ValueError):
        return False
    return gnu and ctypes.CDLL(None).mallopt(option, value) == 1


def release_free_memory() -> None:
    """Return free memory to the system, if the C library supports it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Raise the garbage collector's threshold for the block: each collection visits every object, and loads have
    many."""
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
    for each in taken:
        signal.signal(each, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt
