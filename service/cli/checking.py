"""The check command: everything that is wrong with a store, or not known, and whose it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from graph import store as stores
from graph.errors import BadParameter
from queries.checks import SHAPES, Report, Severity, Tally, check, worst_first
from service.cli.context import AsJson, Exit, settings
from service.cli.whole import output_file
from service.output import put_json, put_lines, say, terminal_width
from service.render import table

_TOLD_EVERY = 20
#: Of how many sources a table names what speaks of the results of one check; a folder of files has one for each.
_NAMED = 10


def run_checks(
    context: typer.Context,
    severity: Annotated[
        str, typer.Option("--severity", metavar="|".join(Severity), help="Checks of this severity or a worse one.")
    ] = Severity.INFO.value,
    report: Annotated[
        str | None, typer.Option("--report", metavar="FILE.nt", help="All results as RDF: SHACL report and DQV.")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=64, help="Processes; 0 for one on each processor.")
    ] = 0,
    as_json: AsJson = False,
) -> int:
    """Check the whole store against the shapes, and derive its periods anew."""
    if severity not in list(Severity):
        raise BadParameter(f"expected --severity {', '.join(Severity)}, got {severity!r}")
    if report is not None and Path(report).suffix != ".nt":
        raise BadParameter(f"expected a file name ending in .nt for --report, got {report!r}")
    with _looked_at(settings(context).store) as (where, name):
        tallies = _checked(where, name, Severity(severity), report, workers or None)
    counted = {each: sum(t.results for t in tallies.values() if t.check.severity is each) for each in Severity}
    if as_json:
        put_json(
            {
                "snapshot": name,
                "conforms": not any(counted.values()),
                "results": {each.value: count for each, count in counted.items()},
                "checks": [tally.as_json() for tally in tallies.values()],
            }
        )
    else:
        put_lines(_told(tallies, counted))
    return Exit.NONCONFORMING if counted[Severity.VIOLATION] else Exit.ANSWERED


@contextmanager
def _looked_at(folder: Path) -> Iterator[tuple[stores.Store | Path, str | None]]:
    """A snapshot, and its name; of a graph behind an endpoint there is none."""
    if stores.is_beside_an_endpoint(folder):
        with stores.open(folder) as store:
            yield store, None
    else:
        with stores.holding(folder) as snapshot:
            yield snapshot, snapshot.name


def _checked(
    where: stores.Store | Path, name: str | None, least: Severity, report: str | None, workers: int | None
) -> dict[str, Tally]:
    with nullcontext() if report is None else output_file(report) as output, _progress() as tell:
        written = None if output is None else Report(output, datetime.now(UTC), name or "endpoint")
        take = None if written is None else written.take
        tallies = check(where, least=least, workers=workers, take=take, tell=tell)
        if written is not None:
            written.end(tallies.values())
    return tallies


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A plain line now and then on a terminal; nothing elsewhere."""

    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty() and done % _TOLD_EVERY == 0:
            say(f"{done} of {of} pieces checked")

    yield tell


def _told(tallies: dict[str, Tally], counted: dict[Severity, int]) -> Iterator[str]:
    told = ", ".join(f"{count} {each}" for each, count in counted.items())
    yield f"{len(tallies)} checks: {told}"
    found = worst_first(tallies.values())
    rows = [
        (tally.check.severity.value, tally.check.code, str(count), whose)
        for tally in found
        for whose, count in _by_source(tally)
    ]
    if rows:
        yield from table(("severity", "check", "results", "by"), rows, terminal_width())
    for tally in found:
        yield ""
        results = f"{tally.results} result" + ("" if tally.results == 1 else "s")
        yield f"{tally.check.severity}: {tally.check.code}, {results} among {tally.checked} nodes"
        yield f"  {tally.check.message}"
        yield f"  {SHAPES}{tally.check.code}"
        for each in tally.examples:
            same = each.value in (None, f"<{each.focus}>")
            yield f"  {each.focus}" + ("" if same else f": {each.value}")
            if each.detail is not None:
                yield f"    {each.detail}"
            yield from (f"    in {record}" for record, _ in each.sources[:2])
        if tally.results > len(tally.examples):
            yield f"  ... and {tally.results - len(tally.examples)} more; --report has them all"


def _by_source(tally: Tally) -> Iterator[tuple[str, int]]:
    """Whose records speak of the results, those with most first; of many the rest in one line."""
    found = sorted(tally.providers.items(), key=lambda each: (-each[1], each[0]))
    yield from found[:_NAMED]
    rest = found[_NAMED:]
    if rest:
        yield f"{len(rest)} other sources; --json names them", sum(count for _, count in rest)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("check")(run_checks)
