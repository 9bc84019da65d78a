"""Prints the answers for a list or range of provisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from queries.several import SeveralInForce, is_absent
from service.cli.context import Exit
from service.output import print_json, print_lines

if TYPE_CHECKING:
    from queries.several_texts import SeveralTexts


def print_several(
    several: SeveralInForce | SeveralTexts, lines_of: Callable[[Any], Iterable[str]], *, as_json: bool
) -> int:
    """Print the answers for several provisions, each with its name; return the exit code."""
    if as_json:
        print_json(several.as_json())
    else:
        for index, answer in enumerate(several.answers):
            print_lines([*([""] if index else []), *lines_of(answer)])
    return Exit.UNKNOWN_NAME if all(map(is_absent, several.answers)) else Exit.ANSWERED
