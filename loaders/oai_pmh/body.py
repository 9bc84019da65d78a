"""The body of an answer: HTTP's compression taken off piece by piece, under a limit (RFC 9110, section 8.4)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

#: What the client offers to accept, as the field ``Accept-Encoding`` has it (OAI-PMH 2.0, section 3.1.3).
ENCODINGS = "gzip, deflate"
_PIECE = 64 << 10
_GZIP = 16 + zlib.MAX_WBITS
_MEMBER = b"\x1f\x8b"


class BadBody(Exception):
    """Bytes that are not in the encoding that the answer declares."""

    def __init__(self, problem: str, *, cut: bool = False) -> None:
        self.cut = cut
        super().__init__(problem)


class Decoder(Protocol):
    """Takes an encoding off."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes in small pieces, however much they unpack to."""
        ...

    def end(self) -> None:
        """Raise :class:`BadBody` when something is missing."""
        ...


class _Plain:
    """No encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def end(self) -> None:
        """Nothing can be missing that the transfer has not told."""


class _Packed:
    """``gzip`` (RFC 1952, of one or more members) or ``deflate`` (RFC 1950; some send RFC 1951)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._unpacker = zlib.decompressobj(_GZIP) if name == "gzip" else None
        self._begun = False
        self._first = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._unpacker is None:
            self._first += data
            if len(self._first) < 2:
                return
            data, self._first = self._first, b""
            wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0
            self._unpacker = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        unpacker = self._unpacker
        self._begun = True
        while data:
            if unpacker.eof:
                if self._name != "gzip" or not _MEMBER.startswith(data[:2]):
                    raise BadBody(f"bytes after the end of its {self._name}")
                unpacker = self._unpacker = zlib.decompressobj(_GZIP)
            try:
                piece = unpacker.decompress(data, _PIECE)
            except zlib.error as error:
                raise BadBody(f"it is not the {self._name} that it says it is: {error}") from None
            if piece:
                yield piece
            data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail

    def end(self) -> None:
        if self._first or (self._begun and self._unpacker is not None and not self._unpacker.eof):
            raise BadBody(f"its {self._name} ends before its end", cut=True)


def decoder(declared: str) -> Decoder:
    """What takes off the encoding of an answer.

    Args:
        declared: the field ``Content-Encoding``; may be empty.

    Raises:
        BadBody: an encoding that was not offered, or several.
    """
    names = [name.strip().lower().removeprefix("x-") for name in declared.split(",") if name.strip()]
    names = [name for name in names if name != "identity"]
    if not names:
        return _Plain()
    if len(names) > 1 or names[0] not in {"gzip", "deflate"}:
        raise BadBody(f"its Content-Encoding is {declared[:60]!r}")
    return _Packed(names[0])
