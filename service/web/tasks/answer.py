"""What a task answers, and what a task is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graph.store import Store


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a task, whole: its bytes and their media type."""

    body: bytes
    media: str


#: A kind of task: the snapshot's store and the arguments (plain values as JSON has them) to the answer.
#: Vigente's errors and :class:`service.web.http.problems.Problem` that it raises reach the client.
Kind: TypeAlias = Callable[[Store, Mapping[str, object]], Answer]
