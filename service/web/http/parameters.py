"""What is said of parameters that nobody knows, or that come twice: in one way, wherever they come."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from service.output import shown
from service.web.http.problems import Problem

#: Longest piece of a name that a message repeats, in characters.
_SHOWN = 80


def unknown_parameter(name: str, known: Iterable[str]) -> Problem:
    """400 ``unknown-parameter``, with those that are known and near ones.

    >>> unknown_parameter("onn", ["on", "axis"]).detail
    "expected on, axis, got 'onn'; near: on"
    """
    listed = list(known)
    near = get_close_matches(name[:_SHOWN], listed, 3)
    hint = f"; near: {', '.join(near)}" if near else ""
    told = f"expected {', '.join(listed) if listed else 'no parameters'}, got {_quoted(name)}{hint}"
    return Problem(400, "unknown-parameter", told, more={"parameter": name[:_SHOWN], "known": listed, "near": near})


def repeated_parameter(name: str, first: str, second: str) -> Problem:
    """400 ``repeated-parameter``: given under two names, or twice under one."""
    return Problem(
        400, "repeated-parameter", f"expected {name} once, got {first} and {second}", more={"parameter": name}
    )


def _quoted(text: str) -> str:
    return repr(shown(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."))
