"""Commands that write the store: demo, load, rebuild, quarantine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

import samples
from graph import store as stores
from graph.quarantine import Kept, Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import LoadInterrupted, Summary, load, retry
from queries import in_force
from service.cli.context import Exit, put_json, settings
from service.render import in_force_lines, table

__all__ = ["add_to"]

_AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]

_CODE_OF_CONSUMER_PROTECTION = "urn:lex:br:federal:lei:1990-09-11;8078"
# Days of Tables 2 and 3 of LexML 1.0 part 2, section 12.4: (D, K).
_DEMO_QUESTIONS = (
    ("1991-03-10", "2008-12-15"),
    ("1993-05-22", "1993-05-01"),
    ("1993-05-22", "1993-05-22"),
    ("1993-06-15", "2007-01-09"),
    ("1993-06-15", "2007-01-10"),
)


def load_paths(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, folders, .zip, .gz.")],
    as_kind: Annotated[
        str | None, typer.Option("--as", metavar="KIND", help="oai_lexml or names, where looking is not enough.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="Column of a list of names (CSV, TSV, JSON lines)."),
    ] = None,
    as_json: _AsJson = False,
) -> int:
    """Load sources into the store; what is refused goes into quarantine."""
    summary = _load(settings(context).store, paths, as_kind, column)
    return _report(summary, as_json=as_json)


def _load(folder: str, paths: list[Path], as_kind: str | None = None, column: str | None = None) -> Summary:
    with stores.open_for_writing(folder, create=True) as store, _progress() as tell:
        try:
            return load(
                paths, store, Quarantine(Path(folder) / QUARANTINE), as_kind=as_kind, column=column, on_progress=tell
            )
        except LoadInterrupted as stop:
            _put_summary(stop.summary)
            raise


@contextmanager
def _progress() -> Iterator[Callable[[Summary], None]]:
    """Progress on stderr: a moving line on a terminal, a plain line now and then elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        last = 0

        def tell_plainly(summary: Summary) -> None:
            nonlocal last
            if summary.read >= last + 5000:
                last = summary.read
                typer.echo(f"{summary.read} records read, {_rate(summary)}", err=True)

        yield tell_plainly
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)

        def tell(summary: Summary) -> None:
            progress.update(task, description=f"{summary.read} records read, {_rate(summary)}")

        yield tell


def _rate(summary: Summary) -> str:
    return f"{summary.read / summary.seconds:.0f}/s" if summary.seconds > 0 else "-"


def _report(summary: Summary, *, as_json: bool) -> int:
    _put_summary(summary)
    if as_json:
        put_json(_as_json(summary))
    return Exit.REFUSED if summary.refused else Exit.ANSWERED


def _as_json(summary: Summary) -> dict[str, object]:
    return {
        "files": summary.files,
        "read": summary.read,
        "loaded": summary.loaded,
        "unchanged": summary.unchanged,
        "deleted": summary.deleted,
        "refused": dict(summary.refused),
        "refusals": [
            {
                "origin": r.origin,
                "position": r.position,
                "identifier": r.identifier,
                "code": r.code,
                "problem": r.problem,
                "expected": r.expected,
            }
            for r in summary.refusals
        ],
        "refusals_omitted": summary.refusals_omitted,
        "deviations": dict(summary.deviations),
        "notes": [asdict(note) for note in summary.notes],
        "notes_omitted": summary.notes_omitted,
        "seconds": round(summary.seconds, 3),
    }


def _put_summary(summary: Summary) -> None:
    """The truth about a load, on stderr: nothing cut is hidden."""

    def say(text: str) -> None:
        typer.echo(text, err=True)

    say(
        f"{summary.files} files, {summary.read} records: {summary.loaded} loaded, {summary.unchanged} unchanged, "
        f"{summary.deleted} deleted, {summary.refused.total()} refused ({summary.seconds:.1f} s)"
    )
    for code, count in sorted(summary.refused.items()):
        say(f"  refused: {count} {code}")
    for refusal in summary.refusals:
        who = f" {refusal.identifier}" if refusal.identifier else ""
        say(
            f"  {refusal.origin}, {refusal.position}{who}: {_first_line(refusal.problem)} (expected {refusal.expected})"
        )
    if summary.refusals_omitted:
        say(f"  ... and {summary.refusals_omitted} more refusals; `vigente quarantine list` has them all")
    if summary.deviations:
        told = ", ".join(f"{count} {code}" for code, count in sorted(summary.deviations.items()))
        say(f"  names accepted with deviations: {told}")
    for code, count in sorted(summary.note_counts.items()):
        say(f"  notes: {count} {code}")
    for note in summary.notes:
        say(f"  {note.origin}, {note.position}: {note.message}")
    if summary.notes_omitted:
        say(f"  ... and {summary.notes_omitted} more notes")


def _first_line(text: str) -> str:
    """The sentence of a message, without the name and its underline."""
    return text.partition("\n")[0]


def demo(context: typer.Context) -> int:
    """Load the bundled sample and show the main answers."""
    folder = settings(context).store
    typer.echo(f"loading the bundled sample into {folder}", err=True)
    summary = _load(folder, [samples.folder()])
    _put_summary(summary)
    with stores.open(folder) as store:
        typer.echo("The consumer code of Brazil (Lei 8.078/1990), asked with two days each time: the day on which the")
        typer.echo("text applies, and the day on which one asks with what was known then.")
        for on, as_known in _DEMO_QUESTIONS:
            typer.echo("")
            typer.echo(f"$ vigente in-force '{_CODE_OF_CONSUMER_PROTECTION}' --on {on} --as-known {as_known}")
            for line in in_force_lines(in_force(store, _CODE_OF_CONSUMER_PROTECTION, on, as_known)):
                typer.echo(line)
    typer.echo("")
    typer.echo(f"The store is in {folder}. Ask it more: vigente --help; the README has a tour of five minutes.")
    return Exit.REFUSED if summary.refused else Exit.ANSWERED


def rebuild(context: typer.Context) -> int:
    """Derive all periods anew from what the sources assert."""
    with stores.open_for_writing(settings(context).store) as store:
        works = store.rebuild()
    typer.echo(f"periods of {works} works derived anew", err=True)
    return Exit.ANSWERED


def list_quarantine(context: typer.Context, as_json: _AsJson = False) -> int:
    """Refused records, with why and what was expected."""
    quarantine = _quarantine(context)
    kept = quarantine.list()
    damaged = quarantine.damaged()
    if as_json:
        put_json({"refused": [asdict(entry) for entry in kept], "damaged": [asdict(entry) for entry in damaged]})
        return Exit.ANSWERED
    rows = [
        (entry.key[:12], entry.code, _place(entry), entry.identifier or "", _first_line(entry.problem))
        for entry in kept
    ]
    for line in table(("key", "code", "where", "identifier", "problem"), rows):
        typer.echo(line)
    for entry in damaged:
        typer.echo(f"damaged: {entry.file}: {entry.problem}", err=True)
    return Exit.ANSWERED


def _place(entry: Kept) -> str:
    return f"{entry.origin}, {entry.position}"


def retry_quarantine(context: typer.Context, as_json: _AsJson = False) -> int:
    """Try to load every refused record again; what loads leaves the quarantine."""
    with stores.open_for_writing(settings(context).store) as store, _progress() as tell:
        summary = retry(_quarantine(context), store, on_progress=tell)
    return _report(summary, as_json=as_json)


def _quarantine(context: typer.Context) -> Quarantine:
    folder = settings(context).store
    with stores.open(folder):  # the same messages as everywhere where it is no store
        return Quarantine(Path(folder) / QUARANTINE)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("demo")(demo)
    app.command("load")(load_paths)
    app.command("rebuild")(rebuild)
    quarantine = typer.Typer(help="Refused records: list them, or try them again.")
    quarantine.command("list")(list_quarantine)
    quarantine.command("retry")(retry_quarantine)
    app.add_typer(quarantine, name="quarantine")
