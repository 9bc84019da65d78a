"""The commands that copy a store to a safe place and back: backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graph.store.backup import BackedUp, back_up
from graph.store.restore import restore, verify
from service.cli.context import AsJson, Exit, settings
from service.cli.progress import copying
from service.output import put_json, say


def make_backup(
    context: typer.Context,
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="A folder that is not there yet, or a file ending in .tar.")
    ],
    as_json: AsJson = False,
) -> int:
    """Copy the last published state of the store, with all that belongs to it; also while it is written or served."""
    with copying("backing up") as tell:
        found = back_up(settings(context).store, target, tell)
    for path in found.left_out:
        say(f"note: the kept payload {path} is no longer there; the backup is without it")
    say(f"snapshot {found.snapshot} in {target}: {_size(found)}, every byte compared")
    if as_json:
        put_json({"backup": str(target), **_told(found), "left_out": list(found.left_out)})
    return Exit.ANSWERED


def restore_backup(
    context: typer.Context,
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="What `vigente backup` made.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Compare every byte of the backup, write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Make a store of a backup, in a folder that nothing has yet."""
    store = settings(context).store
    with copying("reading") as tell:
        found = verify(backup, tell) if dry_run else restore(backup, store, tell)
    of = f"snapshot {found.snapshot}, backed up at {_moment(found)}, {_size(found)}"
    say(f"{backup} is sound: {of}" if dry_run else f"{store} restored: {of}")
    if as_json:
        put_json({"store": None if dry_run else str(store), **_told(found)})
    return Exit.ANSWERED


def _told(found: BackedUp) -> dict[str, object]:
    return {"snapshot": found.snapshot, "made": _moment(found), "files": found.files, "bytes": found.bytes}


def _moment(found: BackedUp) -> str:
    return f"{found.made:%Y-%m-%dT%H:%M:%SZ}"


def _size(found: BackedUp) -> str:
    return f"{found.files} files, {found.bytes / 2**20:.1f} MiB"


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("backup")(make_backup)
    app.command("restore")(restore_backup)
