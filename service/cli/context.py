"""What every command shares: where the store is, how to write JSON, the exit codes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import IntEnum

import typer

__all__ = ["Exit", "Settings", "put_json", "settings"]


class Exit(IntEnum):
    """Exit codes (docs/interfaces.md); 130 is the shell's own for Ctrl-C."""

    ANSWERED = 0
    UNKNOWN_NAME = 1
    USAGE = 2
    REFUSED = 3
    STORE = 4
    STOPPED = 130


@dataclass(frozen=True, slots=True)
class Settings:
    """Options before the command."""

    store: str


def settings(context: typer.Context) -> Settings:
    """The options given before the command."""
    found = context.obj
    assert isinstance(found, Settings)  # noqa: S101 - set by the callback of the program
    return found


def put_json(document: object) -> None:
    """One JSON document on stdout."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
