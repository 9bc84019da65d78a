"""How much of what there is a page has room for, by number and by length; what is left out is counted, and told."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from markupsafe import escape

__all__ = ["Some", "bytes_of", "cut", "some"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Some(Generic[_T]):
    """The first ones of several.

    Attributes:
        shown: in their order.
        more: how many are not among them.
    """

    shown: tuple[_T, ...]
    more: int


def some(those: Collection[_T], most: int, room: int, weigh: Callable[[_T], int]) -> Some[_T]:
    """As many as a page has room for, the first one in any case.

    Args:
        those: in their order.
        most: how many at most.
        room: how many bytes they may take together.
        weigh: about how many bytes one takes.
    """
    shown: list[_T] = []
    for one in those:
        room -= weigh(one)
        if len(shown) == most or (shown and room < 0):
            break
        shown.append(one)
    return Some(tuple(shown), len(those) - len(shown))


def bytes_of(text: str) -> int:
    """How many bytes words take on a page, signs of markup written out."""
    return len(str(escape(text)).encode("utf-8", "replace"))


def cut(text: str, longest: int) -> str:
    """Words as far as a page has room for them; the description of what they are about has the whole.

    Args:
        text: of any length.
        longest: in characters.
    """
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"
