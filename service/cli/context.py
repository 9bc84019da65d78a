"""What every command shares: where the store is, how days are read, the exit codes."""

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


class Exit(IntEnum):
    """Exit codes (docs/reference/commands.md); 130 is the shell's own for Ctrl-C."""

    ANSWERED = 0
    UNKNOWN_NAME = 1
    USAGE = 2
    REFUSED = 3
    STORE = 4
    NONCONFORMING = 5
    STOPPED = 130


@dataclass(frozen=True, slots=True)
class Settings:
    """Options before the command.

    Attributes:
        endpoint: the URL of the endpoint beside which the store's folder is to stand; None where none is named.
    """

    store: Path
    endpoint: str | None = None

    @property
    def quarantine(self) -> Quarantine:
        """The refused records of the store."""
        return Quarantine(self.store / QUARANTINE)

    @property
    def is_demo(self) -> bool:
        """Whether ``vigente demo`` made the store."""
        return (self.store / DEMO).is_file()

    def mark_as_demo(self) -> None:
        """Remember that ``vigente demo`` made the store."""
        marker = self.store / DEMO
        marker.write_text("`vigente demo` made this store; its sample has fictional records.\n", encoding="utf-8")


#: Commands for a graph that lies in the folder, and what an operator of an endpoint has instead
#: (docs/reference/remote.md).
_EMBEDDED_ONLY = {
    "demo": "it shows the sample in a folder of its own",
    "optimize": "how an endpoint's files lie is its own affair",
    "backup": "an endpoint is backed up by its own means",
    "restore": "an endpoint is restored by its own means",
    "serve-graph": "the endpoint answers SPARQL itself",
}


def settings(context: typer.Context) -> Settings:
    """The options given before the command; where they name an endpoint, the folder stands beside it from here on.

    Raises:
        StoreProblem: the command is for a graph in the folder; or the folder cannot stand beside the endpoint.
    """
    found = context.obj
    assert isinstance(found, Settings)  # noqa: S101 - set by the callback of the program
    why = _EMBEDDED_ONLY.get(context.info_name or "")
    if why is not None and (found.endpoint or stores.is_remote(found.store)):
        problem = f"`vigente {context.info_name}` is for a graph that lies in the folder, not behind an endpoint"
        raise NotAStore(f"{problem}: {why} (docs/reference/remote.md)")
    if found.endpoint:
        assign_endpoint(found.store, found.endpoint)
    return found


def day(option: str, text: str | None) -> date | None:
    """The civil date given to an option.

    >>> day("--on", "1993-06-15")
    datetime.date(1993, 6, 15)

    Raises:
        BadParameter: it is none.
    """
    try:
        return None if text is None else parse_day(text)
    except BadDate as error:
        raise BadParameter(f"{option}: {error}") from None


@contextmanager
def writing(where: Settings, *, create: bool = False) -> Iterator[WritableStore]:
    """The store, for writing; what the writer before left behind is told.

    Raises:
        StoreProblem: as :func:`graph.store.open_for_writing`.
    """
    with stores.open_for_writing(where.store, create=create) as store:
        for note in _recovery_notes(store):
            print_message(f"note: {note}")
        yield store


def _recovery_notes(store: WritableStore) -> Iterator[str]:
    """What a writer left behind that did not come to its end, and what became of it."""
    left = store.left
    again = "load the same once more (a harvest goes on by itself)"
    if left.killed and left.machine:
        yield f"the machine went down while the store was written: what was on the disk is published now; {again}"
    elif left.killed:
        yield "the last writer was killed: what it had finished is published now"
    elif left.failed:
        yield "the last writer met an error: what it had finished was read through and is published now"
    if left.resumed:
        yield "a write to the endpoint was cut short: it has been brought to its end"
    if left.files:
        yield f"{left.files} files that it left half written were removed"
    if store.undone:
        taken = f"{store.undone} records of its last batch were taken away again"
        yield f"a load was killed before it ended: {taken}; {again}"
    if store.lost:
        yield f"the end of the engine's log is gone: {store.lost} records are not what they were; {again}"
