"""The transport as one answer has it: its head leaves with what follows, and its end is the connection's affair."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_INTERIM = b"HTTP/1.1 1"


class Outgoing:
    """Holds the head of one answer until its body or its end comes, so that both leave at once, in one segment.

    Written by themselves they are two segments and two calls of the system, and who asked is woken twice. Interim
    answers (RFC 9110, section 15.2) are no head and leave at once.

    Args:
        transport: the transport itself.
        end: what to call instead of closing it.
    """

    __slots__ = ("_begun", "_end", "_head", "_transport", "is_closing")

    def __init__(self, transport: asyncio.Transport, end: Callable[[], None]) -> None:
        self._transport = transport
        self._end = end
        self._head = b""
        self._begun = False
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        """Take what the answer writes: its head first."""
        if self._begun:
            head, self._head = self._head, b""
            self._transport.write(head + data if head else data)
        elif data.startswith(_INTERIM):
            self._transport.write(data)
        else:
            self._begun, self._head = True, data

    def flush(self) -> None:
        """Let a head leave that no body follows, as that of HEAD."""
        if self._head and not self._transport.is_closing():
            self.write(b"")

    def close(self) -> None:
        """The answer is the last of its connection."""
        self.flush()
        self._end()
