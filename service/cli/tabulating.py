"""Command for tables of research: frames."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated

import typer

from graph import store as stores
from graph.errors import BadParameter
from queries.tables import TABLES, Frame, Frames
from service.cli.context import AsKnown, Exit
from service.cli.opening import settings
from service.cli.output_file import checked_output
from service.cli.timer import timer_line
from service.output import print_message

_FORMATS: Mapping[str, Callable[..., None]] = {
    "csv": Frame.write_csv,
    "parquet": Frame.write_parquet,
    "graphml": Frame.write_graphml,
}
#: The parameters of tables that the arguments NAME fill.
_ARGUMENTS = ("name", "questions")


def make_frame(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help=f"{', '.join(TABLES)}.", autocompletion=lambda: list(TABLES))
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="The norms; for in_force, a CSV file with name, on and as_known."),
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="DAY", help="First day of the changes.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Day after the changes.")] = None,
    on: Annotated[str | None, typer.Option(metavar="D", help="Day of the texts.")] = None,
    as_known: AsKnown = None,
    of: Annotated[str | None, typer.Option(metavar="norms|provisions", help="Whose survival.")] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="Kind of the notes.")] = None,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="|".join(_FORMATS), help="Default: the ending of OUT, else csv.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Output file; `-` is stdout.")] = "-",
) -> int:
    """Write a table for research, as `store.frames` in Python makes it: CSV, Parquet, or GraphML for a network."""
    ending = Path(output).suffix.removeprefix(".")
    output_format = output_format or ending or "csv"
    for word, known in ((table, TABLES), (output_format, _FORMATS)):
        if word not in known:
            raise BadParameter(f"expected one of {', '.join(known)}, got {word!r}")
    options = {"since": since, "until": until, "on": on, "as_known": as_known, "of": of, "kind": kind}
    given = {name: value for name, value in options.items() if value is not None}
    make = getattr(Frames, table)
    arguments = _arguments(table, dict(list(signature(make).parameters.items())[1:]), given, names or [])
    inputs = [Path(name) for name in names or [] if "questions" in arguments]
    written = checked_output(output, inputs=inputs, store=settings(context).store)
    with stores.open(settings(context).store) as store:
        with timer_line(table):
            frame = make(Frames(store), **arguments)
        if frame.left_out:
            print_message(f"note: {frame.left_out} left out: the sources leave the first day of force open")
        with written.writing() as file:
            _FORMATS[output_format](frame, file)
    return Exit.ANSWERED


def _arguments(
    table: str, parameters: Mapping[str, Parameter], given: Mapping[str, str], names: list[str]
) -> dict[str, object]:
    """Return the arguments of a table.

    Raises:
        BadParameter: one is missing, or the table does not take it.
    """
    place = next((name for name in _ARGUMENTS if name in parameters), None)
    takes_all = place is not None and parameters[place].default is not Parameter.empty
    most = 0 if place is None else 1
    if len(names) > most and not takes_all:
        raise BadParameter(f"expected at most {most} NAME for the table {table}, got {len(names)}")
    for name in given:
        if name not in parameters:
            raise BadParameter(f"expected no --{name.replace('_', '-')} for the table {table}")
    if place is None or (takes_all and not names):
        return dict(given)
    if not names:
        raise BadParameter(f"expected NAME for the table {table}")
    if place == "questions":
        return {**given, place: _questions(Path(names[0]))}
    return {**given, place: names if takes_all else names[0]}


def _questions(path: Path) -> list[dict[str, str | None]]:
    """Return the rows of a CSV file; an empty value is missing.

    Raises:
        BadParameter: the file cannot be read, is not CSV in UTF-8, or a row has more values than there are columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise BadParameter(f"{path} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadParameter(f"expected {path} to be CSV in UTF-8: {error}") from None
    longer = next((number for number, row in enumerate(rows, 1) if None in row), None)
    if longer is not None:
        raise BadParameter(f"expected {path} to have a value for each column, got more in row {longer}")
    return [{key: value or None for key, value in row.items()} for row in rows]
