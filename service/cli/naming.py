"""Commands that need no store, only a name: name parse, name canonical."""

from __future__ import annotations

import typer

from graph.urn import parse
from service.cli.context import AsJson, Exit, NameArgument
from service.output import put_json, put_lines, terminal_width
from service.render import table

__all__ = ["add_to"]

# How a name's parts say that there is nothing to tell.
_NOTHING: tuple[object, ...] = (None, False, [])


def name_parse(name: NameArgument, as_json: AsJson = False) -> int:
    """Every part of a name, under the names of the grammar."""
    parts = parse(name).parts()
    if as_json:
        put_json(parts)
        return Exit.ANSWERED
    rows = [(key, _plain(value)) for key, value in parts.items() if value not in _NOTHING]
    put_lines(table(("part", "value"), rows, terminal_width()))
    return Exit.ANSWERED


def _plain(value: object) -> str:
    """A part of a name in one line."""
    if isinstance(value, (list, tuple)):
        return "; ".join(_plain(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items() if part not in _NOTHING)
    return str(value)


def name_canonical(name: NameArgument, as_json: AsJson = False) -> int:
    """The canonical spelling of a name."""
    parsed = parse(name)
    if as_json:
        put_json({"asked": name, "canonical": parsed.canonical, "kind": parsed.kind.value})
    else:
        put_lines([parsed.canonical])
    return Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    names = typer.Typer(help="Names: their parts and canonical spelling.")
    names.command("parse")(name_parse)
    names.command("canonical")(name_canonical)
    app.add_typer(names, name="name")
