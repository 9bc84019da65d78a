"""Answers and limits of tasks, and the messages between a worker and the service.

A message has four parts: the length of the header (4 bytes), the length of the body (8 bytes), the header, the body.
The header is JSON.
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
from service.web.published import State
from service.web.settings import Limits

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# The types of tasks and their answers, the limits of the running task, and a buffer that enforces them.


@dataclass(frozen=True, slots=True)
class Answer:
    """The complete answer of a task.

    Attributes:
        body: its bytes.
        media: their media type.
        state: the published state that a worker read; None where no worker ran.
    """

    body: bytes
    media: str
    state: State | None = None


#: A function that runs a task: it takes the store of the snapshot and arguments of JSON types, and returns the answer.
#: The client receives the Vigente errors and :class:`service.web.http.problems.Problem` that it raises.
TaskFunction: TypeAlias = Callable[[Store, Mapping[str, object]], Answer]


#: The limits of the running task; the worker sets them.
LIMITS: ContextVar[Limits] = ContextVar("LIMITS", default=Limits())  # noqa: B039 - it is frozen


class CappedBuffer(BytesIO):
    """A buffer for the answer of a task. A write beyond ``Limits.answer_bytes`` raises a problem."""

    def __init__(self) -> None:
        super().__init__()
        self._most = LIMITS.get().answer_bytes

    def write(self, data: ReadableBuffer, /) -> int:
        """Append bytes.

        Raises:
            Problem: 413 ``answer-too-large``.
        """
        piece = memoryview(data)
        refuse_large(self.tell() + piece.nbytes, self._most)
        return super().write(piece)


def refuse_large(size: int, most: int) -> None:
    """Check the size of an answer.

    Raises:
        Problem: 413 ``answer-too-large``.
    """
    if size > most:
        raise Problem(
            413,
            "answer-too-large",
            f"expected an answer of at most {most} bytes, got more; request less, for example with LIMIT",
        )


# Messages between a worker and the service. Nothing in them is executed when they are read.


#: The lengths of header and body at the start of a message.
PREFIX = struct.Struct(">IQ")
#: Longest header of a message, in bytes; bodies have other limits.
MAX_HEADER_BYTES = 64 << 20
_ENCODER = json.JSONEncoder(separators=(",", ":"))


class BadMessage(ValueError):
    """The bytes are not a message, or the message is too long."""


def pack(header: Mapping[str, object], body: bytes = b"") -> bytes:
    """Return a message as bytes without its body, which the caller sends after it.

    >>> pack({"a": 1}, b"xyz")[PREFIX.size:]
    b'{"a":1}'
    """
    document = _ENCODER.encode(header).encode("ascii")
    return PREFIX.pack(len(document), len(body)) + document


class MessageReader:
    """Parses messages from received bytes.

    Args:
        most: longest body that is accepted, in bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()

    def messages(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Yield the messages that are complete with ``data``.

        Raises:
            BadMessage: a message is too long, or its header is not JSON.

        >>> incoming = MessageReader(10)
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
    """Return an exception as plain values. A subclass defined elsewhere becomes its nearest class in graph.errors."""
    if isinstance(error, Problem):
        return {
            "class": "Problem",
            "status": error.status,
            "code": error.code,
            "detail": error.detail,
            "headers": error.headers,
            "more": error.more,
        }
    class_name = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    fields = {
        key: [value.start, value.end] if isinstance(value, Span) else None if value is None else str(value)
        for key, value in vars(error).items()
    }
    return {"class": class_name, "message": str(error), "fields": fields}


def error_from_dict(header: Mapping[str, Any]) -> Problem | VigenteError:
    """Return the exception from the values of :func:`error_to_dict`.

    >>> str(error_from_dict(error_to_dict(errors.UnknownName("urn:lex:br:x"))))
    'no source in this store mentions urn:lex:br:x'
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
