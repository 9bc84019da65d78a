"""Opens the store of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from graph import store as stores
from graph.errors import NotAStore
from graph.store.folder import DEMO, QUARANTINE
from service.cli.context import Settings
from service.output import print_message

if TYPE_CHECKING:
    from graph.quarantine import Quarantine
    from graph.store import WritableStore

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
        from graph.store.remote.folder import assign_endpoint  # noqa: PLC0415 - slow to import

        assign_endpoint(given.store, given.endpoint, atomic=given.atomic)
    return given


def quarantine(where: Settings) -> Quarantine:
    """Return the quarantine of the store, with its refused records."""
    from graph.quarantine import Quarantine  # noqa: PLC0415 - only commands that load need it

    return Quarantine(where.store / QUARANTINE)


def is_demo(where: Settings) -> bool:
    """Return whether ``vigente demo`` made the store."""
    return (where.store / DEMO).is_file()


def mark_as_demo(where: Settings) -> None:
    """Mark the store as made by ``vigente demo``."""
    marker = where.store / DEMO
    marker.write_text("`vigente demo` made this store; its sample has fictional records.\n", encoding="utf-8")


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
    if store.lost:
        yield f"the end of the engine's log is lost: {store.lost} records are not up to date; {again}"
