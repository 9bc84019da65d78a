"""Tasks, their answers and limits, and the messages between a worker and the service: JSON, and bytes behind it.

A message is the length of its JSON (4 bytes), the length of its body (8 bytes), the JSON, the body.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from graph import errors
from graph.errors import Span, VigenteError
from graph.store import Store
from service.web.http.problems import Problem
from service.web.settings import Limits

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# What a task answers and what a task is; the limits that hold for it, and a buffer that knows them.


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a task, whole: its bytes and their media type."""

    body: bytes
    media: str


#: A kind of task: the snapshot's store and the arguments (plain values as JSON has them) to the answer.
#: Vigente's errors and :class:`service.web.http.problems.Problem` that it raises reach the client.
TaskFunction: TypeAlias = Callable[[Store, Mapping[str, object]], Answer]


#: What the task at work may cost; the worker sets it.
LIMITS: ContextVar[Limits] = ContextVar("LIMITS", default=Limits())  # noqa: B039 - it is frozen


class CappedBuffer(BytesIO):
    """Where a task writes its answer: more than ``Limits.answer_bytes`` is refused while it is written."""

    def __init__(self) -> None:
        super().__init__()
        self._most = LIMITS.get().answer_bytes

    def write(self, data: ReadableBuffer, /) -> int:
        """Write at the end.

        Raises:
            Problem: 413 ``answer-too-large``.
        """
        piece = memoryview(data)
        refuse_large(self.tell() + piece.nbytes, self._most)
        return super().write(piece)


def refuse_large(size: int, most: int) -> None:
    """Return when an answer of that many bytes may be given.

    Raises:
        Problem: 413 ``answer-too-large``.
    """
    if size > most:
        raise Problem(
            413,
            "answer-too-large",
            f"expected an answer of at most {most} bytes, got more; ask for less, as with LIMIT",
        )


# What a worker and the service tell each other: JSON, and bytes behind it; never anything that is executed on reading.


#: The two lengths before a message.
PREFIX = struct.Struct(">IQ")
#: Longest JSON of a message, in bytes; bodies have limits of their own.
MAX_HEADER_BYTES = 64 << 20


class BadMessage(ValueError):
    """Bytes that are no message, or a longer one than is taken."""


def pack(header: Mapping[str, object], body: bytes = b"") -> bytes:
    """A message as bytes; the body is for the caller to send after it.

    >>> pack({"a": 1}, b"xyz")[HEAD.size:]
    b'{"a":1}'
    """
    document = json.dumps(header, separators=(",", ":")).encode("ascii")
    return PREFIX.pack(len(document), len(body)) + document


class MessageReader:
    """Bytes as they arrive, made into messages.

    Args:
        most: longest body that is taken, in bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()

    def messages(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The messages that are whole once ``data`` has arrived.

        Raises:
            BadMessage: one is longer than is taken, or no JSON.

        >>> incoming = Incoming(10)
        >>> whole = pack({"a": 1}, b"xyz") + b"xyz"
        >>> [list(incoming.messages(piece)) for piece in (whole[:5], whole[5:])]
        [[], [({'a': 1}, b'xyz')]]
        """
        self._buffer += data
        while len(self._buffer) >= PREFIX.size:
            header, body = PREFIX.unpack_from(self._buffer)
            if header > MAX_HEADER_BYTES or body > self._most:
                raise BadMessage(
                    f"expected a message of at most {MAX_HEADER_BYTES} and {self._most} bytes, got {header}, {body}"
                )
            end = PREFIX.size + header + body
            if len(self._buffer) < end:
                return
            document = bytes(self._buffer[PREFIX.size : PREFIX.size + header])
            rest = bytes(self._buffer[PREFIX.size + header : end])
            del self._buffer[:end]
            try:
                yield cast("dict[str, Any]", json.loads(document)), rest
            except ValueError as error:
                raise BadMessage(f"expected JSON: {error}") from None


def error_to_dict(error: Problem | VigenteError) -> dict[str, object]:
    """An error as plain values; one of a class that only a task knows becomes the nearest of ours."""
    if isinstance(error, Problem):
        return {
            "class": "Problem",
            "status": error.status,
            "code": error.code,
            "detail": error.detail,
            "headers": error.headers,
            "more": error.more,
        }
    ours = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    fields = {
        key: [value.start, value.end] if isinstance(value, Span) else str(value) for key, value in vars(error).items()
    }
    return {"class": ours, "message": str(error), "fields": fields}


def error_from_dict(header: Mapping[str, Any]) -> Problem | VigenteError:
    """The error that was carried, to be raised again.

    >>> str(raised(carried(errors.UnknownName("urn:lex:br:x"))))
    'no source in this store speaks of urn:lex:br:x'
    """
    if header["class"] == "Problem":
        return Problem(
            header["status"], header["code"], header["detail"], headers=header["headers"], more=header["more"]
        )
    kind: type[VigenteError] = getattr(errors, header["class"])
    error = kind.__new__(kind)
    error.args = (header["message"],)
    for key, value in header["fields"].items():
        setattr(error, key, Span(*value) if isinstance(value, list) else value)
    return error
