"""Commands for what was refused: quarantine list, quarantine retry."""

from __future__ import annotations

from dataclasses import asdict

import typer

from graph import store as stores
from loaders.pipeline import LoadInterrupted, retry
from service.cli.context import AsJson, Exit, settings, writing
from service.cli.loading import report
from service.cli.progress import first_line, progress, say_summary
from service.output import put_json, put_lines, say, terminal_width
from service.render import table


def list_refused(context: typer.Context, as_json: AsJson = False) -> int:
    """Refused records, with why and what was expected."""
    where = settings(context)
    with stores.open(where.store):  # the same messages as everywhere where it is no store
        kept = where.quarantine.list()
        damaged = where.quarantine.damaged()
    if as_json:
        put_json({"refused": [asdict(entry) for entry in kept], "damaged": [asdict(entry) for entry in damaged]})
        return Exit.ANSWERED
    rows = [
        (
            entry.key[:12],
            entry.code,
            f"{entry.origin}, {entry.position}",
            entry.identifier or "",
            first_line(entry.problem),
        )
        for entry in kept
    ]
    if rows:
        put_lines(table(("key", "code", "where", "identifier", "problem"), rows, terminal_width()))
    else:
        say("nothing is in quarantine")
    for entry in damaged:
        say(f"damaged: {entry.file}: {entry.problem}")
    return Exit.ANSWERED


def retry_refused(context: typer.Context, as_json: AsJson = False) -> int:
    """Try to load every refused record again; what loads leaves the quarantine."""
    where = settings(context)
    try:
        with writing(where) as store, progress() as tell:
            summary = retry(where.quarantine, store, on_progress=tell.state)
    except LoadInterrupted as stop:
        say_summary(stop.summary)
        return Exit.STOPPED
    return report(summary, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    commands = typer.Typer(help="Refused records: list them, or try them again.")
    commands.command("list")(list_refused)
    commands.command("retry")(retry_refused)
    app.add_typer(commands, name="quarantine")
