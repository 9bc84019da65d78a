"""What a task answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a task, whole: its bytes and their media type."""

    body: bytes
    media: str
