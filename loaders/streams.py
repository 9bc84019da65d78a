"""Bytes to be read once: what every reader of the loaders takes."""

from __future__ import annotations

from typing import Protocol


class ByteStream(Protocol):
    """Bytes to read and close: a file, or a member of an archive."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes; empty at the end only."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...
