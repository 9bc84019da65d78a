"""Shared parts of the commands: their arguments, the options before the command, days, and the exit codes.

This module imports no store: ``vigente --version`` imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Protocol

import typer

from graph.civil import parse_day
from graph.errors import BadDate, BadParameter
from service.output import print_json, print_lines

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
    """The exit codes of commands.

    Attributes:
        ANSWERED: the command succeeded; "not in force" and "unknown" are answers too; `serve`: stopped by SIGTERM
        UNKNOWN_NAME: no source in the store mentions the name, now or earlier; the norm has no such provision; or the
            text does not identify exactly one name; `apply`, `preview`: the store has no text to change
        USAGE: an invalid name, date, option, query or path; an output that cannot be written
        REFUSED: done, but some records were refused, or could not be harvested, or content of a source was dropped;
            `get`: a source failed; commands for amending acts: a text was not understood, or an operation was not
            applied; `structure`: a line was not placed, the file has another act, or begins like a label that cannot be
            read, or no provision was recognised; the rules of drafting: there are findings; no file of the given paths
            has a known format; `export --as-of-harvest`: some kept payloads are damaged
        STORE: the store is missing, is not a store, is locked, is damaged or cannot be written; a file of the
            quarantine is damaged (`quarantine list`, `stats`); a backup is invalid or damaged; a provider could not be
            read to the end; a process that reads pages died
        NONCONFORMING: `check`: done, and there are violations; warnings alone give 0
        STOPPED: Ctrl-C: finished work is kept, and the store is not damaged; 130 is that of shells
    """

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


class Answer(Protocol):
    """An answer with a JSON document. With ``is_unknown``, it says whether its name is unknown."""

    def as_json(self) -> Mapping[str, object]: ...


def print_answer(answer: Answer, lines: Iterable[str], *, as_json: bool) -> Exit:
    """Print an answer as one JSON document, or as lines; return the exit code."""
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(lines)
    return Exit.UNKNOWN_NAME if getattr(answer, "is_unknown", False) else Exit.ANSWERED


def print_document(document: Mapping[str, object], key: str, *, as_json: bool) -> Exit:
    """Print a JSON document, or only its text of a key; return the exit code."""
    if as_json:
        print_json(document)
    else:
        print_lines([str(document[key])])
    return Exit.ANSWERED


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
