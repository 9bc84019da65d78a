"""What a harvest tells: a line for each provider while it runs, the truth about each at the end. All on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from loaders.harvest.state import written
from service.cli.progress import say_summary
from service.output import say, say_line, shown

_PLAIN_EVERY = 30.0


@contextmanager
def harvest_progress() -> Iterator[Callable[[Sequence[Report]], None]]:
    """What to call with how things stand: a moving line for each list on a terminal, plain lines elsewhere."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _plainly()
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as moving:
        tasks: dict[str, TaskID] = {}

        def tell(reports: Sequence[Report]) -> None:
            for each in reports:
                name = each.provider.name
                if name not in tasks:
                    tasks[name] = moving.add_task("", total=None)
                moving.update(tasks[name], description=_state(each))

        yield tell


def _plainly() -> Callable[[Sequence[Report]], None]:
    last = time.monotonic()

    def tell(reports: Sequence[Report]) -> None:
        nonlocal last
        if time.monotonic() - last >= _PLAIN_EVERY:
            last = time.monotonic()
            for each in reports:
                say(_state(each))

    return tell


def _state(report: Report) -> str:
    summary = report.summary
    rate = f", {summary.read / summary.seconds:.0f}/s" if summary.seconds > 0 else ""
    plan = report.state.under_way
    of = f", {plan.listed} of {plan.list_size} names" if plan is not None and not report.provider.is_oai else ""
    return f"{shown(report.provider.name)}: {report.pages} pages, {summary.read} records{of}{rate}"


def say_report(report: Report) -> None:
    """The truth about one list."""
    resumed = ", gone on from where it stood" if report.resumed else ""
    say_line(f"{report.provider.name} ({report.provider.asked}): {report.ended.value}{resumed}; {report.pages} pages")
    if report.fault is not None:
        say_line(f"  {report.fault.code}: {report.fault.problem} (expected {report.fault.expected})")
    say_summary(report.summary)
    if report.withdrawn:
        say_line(f"  {report.withdrawn} records are no longer listed: withdrawn")
    for remark in report.remarks:
        say_line(f"  {remark.code.value}: {remark.message}")
    told = sum(report.remark_counts.values()) - len(report.remarks)
    if told:
        say_line(f"  ... and {told} more remarks")
    if report.state.gaps:
        left = len(report.state.gaps)
        say_line(f"  {left} {'gap is' if left == 1 else 'gaps are'} left; the next harvest tries again")
    if report.state.heard is not None:
        say_line(f"  heard up to {written(report.state.heard)}")


def say_looked(provider: Provider, lines: Iterable[str]) -> None:
    """What a harvest of one list would do."""
    say_line(f"{provider.name} ({provider.asked}): nothing is written")
    for line in lines:
        say_line(f"  {line}")
