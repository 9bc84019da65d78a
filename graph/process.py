"""The running process: how it gives memory back after work, and work that an interrupt does not break off."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import current_thread, main_thread

# The memory of a process that lasts: how little of it stays behind when work is done.


#: After how many new objects those that hold each other in circles are looked for, where much comes and little of it
#: is in circles: a batch makes that many more than once.
MANY_OBJECTS = 50_000

# malloc.h of the GNU C library: how many arenas there may be, and from how many bytes on a piece is the system's own.
_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
# Batches are ordered in pieces of many times that size.
_LARGE = 1 << 20


@cache
def use_one_arena() -> bool:
    """Let all threads of this process share one heap from now on; False where the C library is another.

    Each heap of its own keeps what was once needed for an answer. Threads that have one already keep it. Threads
    that work side by side wait for each other at it: for a process that writes, :func:`map_large_blocks` is the better.
    """
    return _allowed(_M_ARENA_MAX, 1)


@cache
def map_large_blocks() -> bool:
    """Have large pieces of memory go back to the system when they are free; False where the C library is another.

    Else the C library takes ever larger ones from its heaps, of which each thread that loads keeps one.
    """
    return _allowed(_M_MMAP_THRESHOLD, _LARGE)


def _allowed(option: int, value: int) -> bool:
    """Set an option of the GNU C library's memory; whether it is there and took it."""
    try:
        gnu = os.confstr("CS_GNU_LIBC_VERSION") is not None
    except (AttributeError, OSError, ValueError):
        return False
    return gnu and ctypes.CDLL(None).mallopt(option, value) == 1


def release_free_memory() -> None:
    """Give memory that is free back to the system, where the C library can be asked to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


@contextmanager
def fewer_collections() -> Iterator[None]:
    """As long as the block lasts, objects in circles are looked for seldom: each time all that is remembered is gone
    through, and what loads remember is much."""
    first, *others = gc.get_threshold()
    gc.set_threshold(first and max(first, MANY_OBJECTS), *others)  # 0 is never
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


# Defers Ctrl-C until a piece of work has finished.


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
