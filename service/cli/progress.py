"""Progress of loads and copies, and summaries of loads, on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)

from graph.quarantine import Refusal
from loaders.pipeline import Summary
from service.output import has_terminal, print_message, shown

_PLAIN_RECORDS = 5000
#: The maximum number of printed places of equal refusals or notes.
_PLACES = 3


@contextmanager
def progress() -> Iterator[Callable[[Summary], None]]:
    """Yield a function that shows the progress of a load: a live line on a terminal, plain lines elsewhere."""
    if not has_terminal():
        yield _plain_progress()
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as moving:
        task = moving.add_task("reading", total=None)

        def update(summary: Summary) -> None:
            moving.update(task, description=_state(summary))

        yield update


@contextmanager
def copy_progress(description: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows copied and total bytes: a live line on a terminal, nothing elsewhere."""
    if not has_terminal():
        yield lambda _done, _of: None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as moving:
        task = moving.add_task(description, total=None)
        yield lambda done, of: moving.update(task, completed=done, total=of)


def _plain_progress() -> Callable[[Summary], None]:
    last = 0

    def update(summary: Summary) -> None:
        nonlocal last
        if summary.read >= last + _PLAIN_RECORDS:
            last = summary.read
            print_message(_state(summary))

    return update


def _state(summary: Summary) -> str:
    rate = f", {summary.read / summary.seconds:.0f}/s" if summary.seconds > 0 else ""
    return f"{summary.read} records read{rate}"


def print_summary(summary: Summary) -> None:
    """Print the summary of a load; omitted lines are counted."""
    older = f"{summary.older} older than the stored ones, " if summary.older else ""
    print_message(
        f"{summary.files} files, {summary.read} records: {summary.loaded} loaded, {summary.unchanged} unchanged, "
        f"{summary.deleted} deleted, {older}{summary.refused.total()} refused ({summary.seconds:.1f} s)"
    )
    for code, count in sorted(summary.refused.items()):
        print_message(f"  refused: {count} {code}")
    _print_grouped(
        ((refusal.code, f"{first_line(refusal.problem)} (expected {refusal.expected})"), _where(refusal))
        for refusal in summary.refusals
    )
    if summary.refusals_omitted:
        print_message(f"  ... and {summary.refusals_omitted} more refusals; `vigente quarantine list` has them all")
    if summary.deviations:
        counts = ", ".join(f"{count} {code}" for code, count in sorted(summary.deviations.items()))
        print_message(f"  names accepted with deviations: {counts}")
    if summary.dropped:
        print_message(f"  dropped: {summary.dropped} parts of sources were not loaded; the notes list them")
    for code, count in sorted(summary.note_counts.items()):
        print_message(f"  notes: {count} {code}")
    _print_grouped(((note.code, note.message), f"{note.origin}, {note.position}") for note in summary.notes)
    if summary.notes_omitted:
        print_message(f"  ... and {summary.notes_omitted} more notes")


def _print_grouped(entries: Iterable[tuple[tuple[str, str], str]]) -> None:
    """Print entries of a code and a message with their places: equal ones once, with a count and the first places."""
    groups: dict[tuple[str, str], list[str]] = {}
    for entry, place in entries:
        groups.setdefault(entry, []).append(place)
    for (_, message), places in groups.items():
        if len(places) == 1:
            print_message(f"  {places[0]}: {message}")
            continue
        print_message(f"  {len(places)} times: {message}")
        for place in places[:_PLACES]:
            print_message(f"    {place}")
        if len(places) > _PLACES:
            print_message(f"    ... and {len(places) - _PLACES} more places")


def _where(refusal: Refusal) -> str:
    identifier = f" {refusal.identifier}" if refusal.identifier else ""
    return shown(f"{refusal.origin}, {refusal.position}{identifier}")


def first_line(text: str) -> str:
    """Return the first line of a message, without the quoted name."""
    return text.partition("\n")[0]


def summary_as_json(summary: Summary) -> dict[str, object]:
    """Return the document of ``load --json`` and ``quarantine retry --json``."""
    return {
        "files": summary.files,
        "read": summary.read,
        "loaded": summary.loaded,
        "unchanged": summary.unchanged,
        "deleted": summary.deleted,
        "older": summary.older,
        "refused": dict(sorted(summary.refused.items())),
        "refusals": [
            {
                "origin": refusal.origin,
                "position": refusal.position,
                "identifier": refusal.identifier,
                "code": refusal.code,
                "problem": refusal.problem,
                "expected": refusal.expected,
            }
            for refusal in summary.refusals
        ],
        "refusals_omitted": summary.refusals_omitted,
        "deviations": dict(sorted(summary.deviations.items())),
        "notes": [asdict(note) for note in summary.notes],
        "notes_omitted": summary.notes_omitted,
        "note_counts": dict(sorted(summary.note_counts.items())),
        "dropped": summary.dropped,
        "seconds": round(summary.seconds, 3),
    }
