"""The peak memory of a program, and documents that are generated while they are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_STATUS = Path("/proc/self/status")

#: Skips tests that need the peak memory of one program.
needs_peak = pytest.mark.skipif(not _STATUS.exists(), reason="only Linux reports the peak of one program")


def peak() -> int:
    """Return the peak memory of this program, in KiB.

    The value of getrusage is not used, because it includes the peak of the parent process: a program that needs less
    memory than the test process would always pass.
    """
    match = re.search(r"VmHWM:\s*([0-9]+) kB", _STATUS.read_text(encoding="ascii"))
    assert match is not None
    return int(match[1])


class Pages:
    """A stream of one document: a beginning, the same page many times, and an end."""

    def __init__(self, first: bytes, page: bytes, end: bytes, pages: int) -> None:
        self._first, self._page, self._end = first, page, end
        self._pages = self._left = pages

    def read(self, size: int = -1) -> bytes:
        """Return the next piece, whatever its length; empty at the end."""
        del size
        self._left -= 1
        if self._left >= 0:
            return self._first if self._left == self._pages - 1 else self._page
        return self._end if self._left == -1 else b""

    def close(self) -> None:
        """Do nothing."""
