"""The timer of commands that take long, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic

from service.output import has_terminal, shown

#: Seconds before the timer is shown, and between its updates.
_DELAY, _INTERVAL = 1.0, 0.5


@contextmanager
def timer_line(on: str) -> Iterator[None]:
    """Show the elapsed seconds on a terminal while the block runs, and remove the line at the end."""
    if not has_terminal():
        yield
        return
    over = Event()
    counting = Thread(target=_write_timer, args=(on, over), daemon=True)
    counting.start()
    try:
        yield
    finally:
        over.set()
        counting.join()


def _write_timer(on: str, over: Event) -> None:
    """Write the elapsed seconds as plain text with carriage returns, which Ctrl-C cannot leave in a bad state."""
    began = monotonic()
    if over.wait(_DELAY):
        return
    line = ""
    with suppress(OSError):
        while True:
            line = f"{shown(on)}: {monotonic() - began:.0f} s ..."
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()
            if over.wait(_INTERVAL):
                break
        sys.stderr.write(f"\r{' ' * len(line)}\r")
        sys.stderr.flush()
