"""Defers Ctrl-C until a piece of work has finished."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
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
