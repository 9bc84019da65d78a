"""Byte streams for all readers, and the lines of a list with their faults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from graph.errors import BadRecord
from loaders.codes import RefusalCode

#: The maximum length of a line, in bytes.
MAX_LINE = 64 << 10

_CHUNK = 64 << 10


class ByteStream(Protocol):
    """Bytes to read and close: a file, or a member of an archive."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes; empty only at the end."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    Attributes:
        number: counted from 1.
        raw: its bytes; of a line over :data:`MAX_LINE` only the beginning.
        text: the line as text; None if it is too long or not UTF-8.
        fault: why ``text`` is None.
    """

    number: int
    raw: bytes
    text: str | None
    fault: BadRecord | None = None

    @property
    def whole(self) -> bool:
        """Return whether ``raw`` has all of its bytes."""
        return len(self.raw) <= MAX_LINE


def lines(stream: ByteStream) -> Iterator[Line]:
    """Yield the lines of a stream, which end with LF or CR LF; a byte order mark before the first is left out.

    A fault of the stream is raised after the complete lines: an incomplete line is never returned.

    Raises:
        BadRecord, OSError: raised by ``stream.read``.
    """
    number = 0
    rest = b""
    while chunk := stream.read(_CHUNK):
        pieces = (rest + chunk).split(b"\n")
        rest = pieces.pop()
        for piece in pieces:
            number += 1
            yield _line(number, piece)
        if len(rest) > MAX_LINE:
            rest = rest[: MAX_LINE + 2]
    if rest:
        yield _line(number + 1, rest)


def _line(number: int, raw: bytes) -> Line:
    raw = raw.removesuffix(b"\r")
    if number == 1:
        raw = raw.removeprefix(b"\xef\xbb\xbf")
    if len(raw) > MAX_LINE:
        problem = f"the line has more than {MAX_LINE} bytes"
        fault = BadRecord(RefusalCode.LINE_TOO_LONG, problem, f"one name in a line, at most {MAX_LINE} bytes long")
        return Line(number, raw[: MAX_LINE + 1], None, fault)
    try:
        return Line(number, raw, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the line, 0x{raw[error.start]:02X}, is not UTF-8"
        return Line(number, raw, None, BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8"))
