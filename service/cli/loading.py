"""The command that reads sources into the store: load."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from graph.errors import BadParameter
from loaders.parallel import available
from loaders.pipeline import LoadInterrupted, Summary, load
from loaders.sources.registry import FORMATS
from loaders.sources.vocabulary import built_in_record
from service.cli.context import AsJson, Exit, Settings, settings, writing
from service.cli.progress import progress, say_summary, summary_as_json
from service.output import put_json, say

Paths = Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, folders, .zip, .gz.")]
AsKind = Annotated[
    str | None, typer.Option("--as", metavar="|".join(FORMATS), help="The kind of source, where looking fails.")
]
Column = Annotated[
    str | None, typer.Option("--column", metavar="NAME", help="Column of a list of names (CSV, TSV, JSON lines).")
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, max=64, help="Processes that read much; 0 for one on each processor.")
]


def load_paths(
    context: typer.Context,
    paths: Paths,
    as_kind: AsKind = None,
    column: Column = None,
    workers: Workers = 0,
    as_json: AsJson = False,
) -> int:
    """Load sources into the store; what is refused goes into quarantine."""
    where = settings(context)
    check_sources(paths, as_kind)
    if where.is_demo:
        say(f"note: `vigente demo` made the store {where.store}; its sample has fictional records")
    try:
        summary = load_into(where, paths, as_kind, column, workers or available())
    except LoadInterrupted as stop:
        say_summary(stop.summary)
        return Exit.STOPPED
    return report(summary, as_json=as_json)


def check_sources(paths: Sequence[Path], as_kind: str | None) -> None:
    """Told before anything is made for what cannot be read.

    Raises:
        BadParameter: a kind that is none, a path that is not there.
    """
    if as_kind is not None and as_kind not in FORMATS:
        raise BadParameter(f"expected --as {' or '.join(FORMATS)}, got {as_kind!r}")
    for path in paths:
        if not os.path.lexists(path):
            raise BadParameter(f"expected a file or folder, got {path}, which does not exist")


def load_into(
    where: Settings,
    paths: Sequence[Path],
    as_kind: str | None = None,
    column: str | None = None,
    workers: int = 1,
) -> Summary:
    """Load paths into the store, which is made where there is none; errors as for :func:`loaders.pipeline.load`."""
    with writing(where, create=True) as store, progress() as tell:
        store.apply([built_in_record()])
        kept = where.quarantine
        with store.gathering(tell.step):
            return load(paths, store, kept, as_kind=as_kind, column=column, workers=workers, on_progress=tell.state)


def report(summary: Summary, *, as_json: bool) -> int:
    """Tell what a load did; the exit code that says whether anything was refused or dropped."""
    say_summary(summary)
    if as_json:
        put_json(summary_as_json(summary))
    return Exit.ANSWERED if summary.complete else Exit.REFUSED


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("load")(load_paths)
