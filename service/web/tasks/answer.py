"""What a task answers and what a task is; the limits that hold for it, and a buffer that knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from graph.store import Store
from service.web.http.problems import Problem
from service.web.settings import Limits


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a task, whole: its bytes and their media type."""

    body: bytes
    media: str


#: A kind of task: the snapshot's store and the arguments (plain values as JSON has them) to the answer.
#: Vigente's errors and :class:`service.web.http.problems.Problem` that it raises reach the client.
Kind: TypeAlias = Callable[[Store, Mapping[str, object]], Answer]


if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


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
