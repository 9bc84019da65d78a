"""Shared parts of the commands: the store, the parsing of days, and the exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Annotated

import typer

from graph import store as stores
from graph.civil import parse_day
from graph.errors import BadDate, BadParameter, NotAStore
from graph.quarantine import Quarantine
from graph.store import WritableStore
from graph.store.folder import DEMO, QUARANTINE
from graph.store.remote.folder import assign_endpoint
from service.output import print_message

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="A name urn:lex:... in any dialect, a citation or a nickname.")
]
UrnArgument = Annotated[str, typer.Argument(metavar="NAME", help="A name urn:lex:... in any dialect.")]


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
    """

    store: Path
    endpoint: str | None = None

    @property
    def quarantine(self) -> Quarantine:
        """The quarantine of the store, with its refused records."""
        return Quarantine(self.store / QUARANTINE)

    @property
    def is_demo(self) -> bool:
        """Whether ``vigente demo`` made the store."""
        return (self.store / DEMO).is_file()

    def mark_as_demo(self) -> None:
        """Mark the store as made by ``vigente demo``."""
        marker = self.store / DEMO
        marker.write_text("`vigente demo` made this store; its sample has fictional records.\n", encoding="utf-8")


#: Commands for an embedded graph only, with the reason why each is not for an endpoint (docs/reference/remote.md).
_EMBEDDED_ONLY = {
    "demo": "it loads the sample into a separate folder",
    "optimize": "the endpoint manages its own files",
    "backup": "the endpoint stores the graph; use its backup tools",
    "restore": "the endpoint stores the graph; use its backup tools",
    "serve-graph": "the endpoint itself answers SPARQL",
}


def settings(context: typer.Context) -> Settings:
    """Return the options before the command. If they name an endpoint, the folder is connected to it.

    Raises:
        StoreProblem: the command is for an embedded graph only, or the folder cannot be connected to the endpoint.
    """
    given = context.obj
    assert isinstance(given, Settings)  # noqa: S101 - set by the callback of the program
    why = _EMBEDDED_ONLY.get(context.info_name or "")
    if why is not None and (given.endpoint or stores.is_remote(given.store)):
        problem = f"`vigente {context.info_name}` needs a graph in the folder, not behind an endpoint"
        raise NotAStore(f"{problem}: {why} (docs/reference/remote.md)")
    if given.endpoint:
        assign_endpoint(given.store, given.endpoint)
    return given


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


@contextmanager
def writing(where: Settings, *, create: bool = False) -> Iterator[WritableStore]:
    """Open the store for writing, and report how an interrupted write was recovered.

    Raises:
        StoreProblem: as :func:`graph.store.open_for_writing`.
    """
    with stores.open_for_writing(where.store, create=create) as store:
        for note in _recovery_notes(store):
            print_message(f"note: {note}")
        yield store


def _recovery_notes(store: WritableStore) -> Iterator[str]:
    """Yield notes about an interrupted write and its recovery."""
    left = store.left
    again = "repeat the load (a harvest continues by itself)"
    if left.killed and left.machine:
        yield f"the machine stopped during a write: the data on the disk are published now; {again}"
    elif left.killed:
        yield "the last writer was killed: its finished batches are published now"
    elif left.failed:
        yield "the last writer failed: its finished batches were verified and are published now"
    if left.resumed:
        yield "an interrupted write to the endpoint was completed"
    if left.files:
        yield f"{left.files} incomplete files of the interrupted write were removed"
    if store.undone:
        yield f"a load was killed: {store.undone} records of its last batch were rolled back; {again}"
    if store.lost:
        yield f"the end of the engine's log is lost: {store.lost} records are not up to date; {again}"
