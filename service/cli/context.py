"""Shared parts of the commands: their arguments, the options before the command, days, and the exit codes.

This module imports no store: ``vigente --version`` imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Annotated

import typer

from graph.civil import parse_day
from graph.errors import BadDate, BadParameter

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="A name urn:lex:... in any dialect, a citation or a nickname.")
]
UrnArgument = Annotated[str, typer.Argument(metavar="NAME", help="A name urn:lex:... in any dialect.")]
Place = Annotated[
    str | None,
    typer.Option(
        "--place", metavar="PLACE", envvar="VIGENTE_PLACE", help="State or municipality of the texts: sp;campinas."
    ),
]
Authority = Annotated[
    str | None,
    typer.Option(
        "--authority",
        metavar="BODY",
        envvar="VIGENTE_AUTHORITY",
        help="Authority of acts whose type does not state it: camara.municipal.",
    ),
]
Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="URN",
        help="A norm that the texts cite without number and day, such as the organic law; repeatable.",
    ),
]


class Exit(IntEnum):
    """Exit codes (docs/reference/commands.md); 130 is that of shells for Ctrl-C."""

    ANSWERED = 0
    UNKNOWN_NAME = 1
    USAGE = 2
    REFUSED = 3
    STORE = 4
    NONCONFORMING = 5
    STOPPED = 130


@dataclass(frozen=True, slots=True)
class Settings:
    """The options before the command.

    Attributes:
        store: the folder of the store.
        endpoint: the URL of the SPARQL endpoint that has the graph of the store; None where it was not given.
        atomic: whether the operator says that a request of several updates is atomic there.
    """

    store: Path
    endpoint: str | None = None
    atomic: bool = False


On = Annotated[str | None, typer.Option("--on", metavar="D", help="Day on which the text applies; default today.")]
AsKnown = Annotated[str | None, typer.Option("--as-known", metavar="K", help="Day of knowledge; default today.")]
ReadAxis = Annotated[
    str | None, typer.Option("--axis", metavar="force|efficacy", help="Axis of the answer; default force.")
]


def day(option: str, text: str | None) -> date | None:
    """Return the civil date of an option; None where it was not given.

    >>> day("--on", "1993-06-15")
    datetime.date(1993, 6, 15)

    Raises:
        BadParameter: the text is not a civil date.
    """
    try:
        return None if text is None else parse_day(text)
    except BadDate as error:
        raise BadParameter(f"{option}: {error}") from None
