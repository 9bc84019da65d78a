"""Generates the options in docs/reference/commands.md from the program: ``python -m service.commands_page``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from ontology.reference import table, with_parts
from service.cli.program import app

#: The path of the page, one part of which is generated.
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"


def page(written: str) -> str:
    """Return the page with its generated part updated.

    Raises:
        ValueError: the comments around the generated part are missing.
    """
    return with_parts(written, {"options": _sections()})


def _sections() -> Iterator[str]:
    """Yield the lines of a section for each command: its description, and a row for each argument and option."""
    for words, command in _commands():
        rows = [(f"`{_spelling(param)}`", _meaning(param)) for param in command.params if param.name != "help"]
        yield f"### {words}"
        yield ""
        yield _text(command.help or "")
        yield ""
        if rows:
            yield from table(("argument or option", "meaning"), rows)
            yield ""


def _commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, in the order of the program."""
    waiting: list[tuple[str, Any]] = [("vigente", typer.main.get_command(app))]
    while waiting:
        words, command = waiting.pop(0)
        if hasattr(command, "commands"):
            waiting = [(f"{words} {name}", subcommand) for name, subcommand in command.commands.items()] + waiting
        else:
            yield words, command


def _spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.display_name_raw.upper()}"
    return _text(", ".join(parameter.opts) + value)


def _meaning(parameter: Any) -> str:
    text = _text(getattr(parameter, "help", None) or "")
    default = parameter.default
    plain = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    return f"{text} Default: `{default}`." if plain else text


def _text(text: str) -> str:
    """Return a text of the program as one line of Markdown."""
    return " ".join(text.split()).replace("|", "\\|").replace("[", "\\[")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
