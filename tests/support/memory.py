"""How much memory a program took at most, and documents that never lie in it: made while they are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

__all__ = ["Pages", "needs_peak", "peak"]

_STATUS = Path("/proc/self/status")

#: For tests that run a program of their own and ask it for its peak.
needs_peak = pytest.mark.skipif(not _STATUS.exists(), reason="only Linux tells the peak of one program")


def peak() -> int:
    """The most memory that this program has had, in KiB.

    Not what getrusage tells: that begins with the peak of the process that started this one, and a program that took
    less than the tests around it would always pass.
    """
    found = re.search(r"VmHWM:\s*([0-9]+) kB", _STATUS.read_text(encoding="ascii"))
    assert found is not None
    return int(found[1])


class Pages:
    """One document: a beginning, the same page many times, an end."""

    def __init__(self, first: bytes, page: bytes, end: bytes, pages: int) -> None:
        self._first, self._page, self._end = first, page, end
        self._pages = self._left = pages

    def read(self, size: int = -1) -> bytes:
        """The next piece, of whatever length."""
        del size
        self._left -= 1
        if self._left >= 0:
            return self._first if self._left == self._pages - 1 else self._page
        return self._end if self._left == -1 else b""

    def close(self) -> None:
        """There is nothing to close."""
