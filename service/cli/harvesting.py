"""The command that collects records from providers, by OAI-PMH or by name: harvest. What it tells goes to stderr."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from graph.errors import BadParameter
from graph.quarantine import Quarantine
from loaders.harvest.by_name import NameList, harvest_names, names_dry_run_json, normas_provider, read_name_list
from loaders.harvest.by_name import dry_run_by_name as look
from loaders.harvest.list_writer import HarvestSink, Options, move_provider
from loaders.harvest.providers import Provider, read_providers
from loaders.harvest.report import Ended, RemarkCode, Report
from loaders.harvest.report import as_json as report_as_json
from loaders.harvest.session import HarvestInterrupted, check, dry_run, dry_run_json, harvest
from loaders.harvest.state import SECOND, Window, written
from loaders.sources.vocabulary import built_in_record
from service.cli.context import AsJson, Exit, Settings, day, settings, writing
from service.cli.progress import say_summary
from service.output import put_json, say, say_line, shown

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


#: A harvest of what was chosen: into the store of a folder, told as it goes on.
Harvest: TypeAlias = Callable[
    [Path, HarvestSink, Quarantine, Options, Callable[[Sequence[Report]], None] | None], list[Report]
]


@dataclass(frozen=True, slots=True)
class Call:
    """Who is asked, for what."""

    provider: Provider
    wanted: NameList

    @property
    def harvest(self) -> Harvest:
        """The harvest that was called for."""
        return partial(harvest_names, self.provider, self.wanted)


def called(url: str | None, names: Path, column: str | None, others: Sequence[str]) -> Call:
    """The call, checked.

    Args:
        others: options of OAI-PMH that were given beside `--names`.

    Raises:
        BadParameter: options that do not go together, or no URL.
        BadProviders, BadInput: the URL or the list cannot be used.
    """
    if others:
        raise BadParameter(f"--names asks for each norm by its name: it goes without {', '.join(others)}")
    if url is None:
        raise BadParameter("expected the URL of normas.leg.br beside --names FILE")
    return Call(normas_provider(url), read_name_list(names, column))


def dry_run_by_name(where: Settings, call: Call, options: Options, *, as_json: bool) -> int:
    """What a harvest would do; writes nothing."""
    found = look(call.provider, call.wanted, where.store, options)
    say_looked(found.provider, found.lines())
    if as_json:
        put_json({"providers": [names_dry_run_json(found)]})
    return Exit.STORE if found.fault is not None else Exit.ANSWERED


def harvest_providers(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]",
            help="Base URL of an OAI-PMH provider, or with --names of normas.leg.br.",
            show_default=False,
        ),
    ] = None,
    set_: Annotated[str | None, typer.Option("--set", metavar="SPEC", help="Only this set of the provider.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Only records stamped from this day on.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="... and up to this day.")] = None,
    prefix: Annotated[str | None, typer.Option("--prefix", metavar="NAME", help="The format [oai_lexml].")] = None,
    providers: Annotated[
        Path | None, typer.Option("--providers", metavar="FILE", help="Providers of a TOML file, instead of URL.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Of the file, only this one; repeatable.")
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option("--names", metavar="FILE", help="URL is normas.leg.br: ask for each norm of this list."),
    ] = None,
    column: Annotated[
        str | None, typer.Option("--column", metavar="NAME", help="Column of the list of names (CSV, TSV, JSON lines).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Ask, tell what would come, write nothing.")] = False,
    reconcile: Annotated[
        bool, typer.Option("--reconcile", help="Compare the provider's whole list with the store afterwards.")
    ] = False,
    accept_withdrawals: Annotated[
        bool, typer.Option("--accept-withdrawals", help="Believe it when many records are no longer listed.")
    ] = False,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="ListIdentifiers, and GetRecord for each, not ListRecords.")
    ] = False,
    no_payloads: Annotated[bool, typer.Option("--no-payloads", help="Keep no copy of what was served.")] = False,
    politeness: Annotated[
        float | None,
        typer.Option("--politeness", metavar="SECONDS", min=0, max=3600, help="Pause between two requests."),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option("--contact", metavar="ADDRESS", envvar="VIGENTE_CONTACT", help="Told to providers."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the report there, as JSON.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Harvest over OAI-PMH what is new since the last time, or norms by name; go on where it stopped."""
    where = settings(context)
    if names is not None:
        others = {
            "--set": set_,
            "--prefix": prefix,
            "--from": from_,
            "--until": until,
            "--providers": providers,
            "--only": only,
            "--one-by-one": one_by_one,
            "--reconcile": reconcile,
            "--accept-withdrawals": accept_withdrawals,
        }
        call = called(url, names, column, [option for option, given in others.items() if given])
        options = Options(keep_payloads=not no_payloads, contact=contact, politeness=politeness)
        if dry_run:
            return dry_run_by_name(where, call, options, as_json=as_json)
        return _run(where, call.harvest, options, report, as_json=as_json)
    if column is not None:
        raise BadParameter("--column says where the names of --names FILE stand")
    if providers is not None:
        if url is not None or set_ is not None or prefix is not None or one_by_one:
            raise BadParameter("--providers stands instead of URL, --set, --prefix and --one-by-one")
        chosen = _chosen(read_providers(providers), only or [])
    elif url is None:
        raise BadParameter("expected the base URL of a provider, or --providers FILE")
    elif only:
        raise BadParameter("--only picks providers of --providers FILE")
    else:
        chosen = [Provider(url, set_, prefix=prefix or "oai_lexml", identifiers=one_by_one)]
    window = _window(day("--from", from_), day("--until", until))
    if window is not None and reconcile:
        raise BadParameter("--reconcile compares whole lists: it goes without --from and --until")
    options = Options(window, reconcile, accept_withdrawals, not no_payloads, contact, politeness)
    check(chosen, options)
    if report is not None and not report.absolute().parent.is_dir():
        raise BadParameter(f"expected --report in a folder that is there, got {report}")
    if dry_run:
        return _dry_run(where, chosen, options, as_json=as_json)
    return _run(where, partial(harvest, chosen), options, report, as_json=as_json)


def _run(where: Settings, work: Harvest, options: Options, report: Path | None, *, as_json: bool) -> int:
    """Harvest into the store and tell what became of it."""
    if where.is_demo:
        say(f"note: `vigente demo` made the store {where.store}; its sample has fictional records")
    began = datetime.now(UTC)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who ends services stops as one who presses Ctrl-C
    try:
        with writing(where, create=True) as store, harvest_progress() as tell:
            store.apply([built_in_record()])
            reports = work(where.store, store, where.quarantine, options, tell)
        code = _exit_code(reports)
    except HarvestInterrupted as stop:
        reports = list(stop.reports)
        code = Exit.STOPPED
    for each in reports:
        say_report(each)
    document = {
        "began": f"{began:%Y-%m-%dT%H:%M:%SZ}",
        "ended": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "providers": [report_as_json(each) for each in reports],
    }
    if report is not None:
        _write(report, document)
    if as_json:
        put_json(document)
    return code


def _chosen(found: Sequence[Provider], only: Sequence[str]) -> list[Provider]:
    """Those of the providers that were asked for, by name or by the part of it before the set."""
    for name in only:
        if not any(_is_called(provider, name) for provider in found):
            names = ", ".join(provider.name for provider in found)
            raise BadParameter(f"expected --only to name one of {names}; got {name!r}")
    return [provider for provider in found if not only or any(_is_called(provider, name) for name in only)]


def _is_called(provider: Provider, name: str) -> bool:
    return provider.name == name or provider.name.startswith(f"{name}/")


def _window(start: date | None, end: date | None) -> Window | None:
    """The days that were asked for, both counting."""
    if start is None and end is None:
        return None
    if start is not None and end is not None and end < start:
        raise BadParameter(f"expected --until on or after --from, got {start} and {end}")
    last = None if end is None else _midnight(end) + timedelta(days=1) - SECOND
    return Window(None if start is None else _midnight(start), last)


def _midnight(civil: date) -> datetime:
    return datetime.combine(civil, datetime.min.time(), UTC)


def _dry_run(where: Settings, chosen: Sequence[Provider], options: Options, *, as_json: bool) -> int:
    found = [dry_run(provider, where.store, options) for provider in chosen]
    for each in found:
        say_looked(each.provider, each.lines())
    if as_json:
        put_json({"providers": [dry_run_json(each) for each in found]})
    return Exit.STORE if any(each.fault is not None for each in found) else Exit.ANSWERED


#: Remarks that say that something is missing.
_UNHEARD = {RemarkCode.GAP.value, RemarkCode.NOT_RECONCILED.value, RemarkCode.SET_GONE.value}


def _exit_code(reports: Sequence[Report]) -> Exit:
    if any(each.ended is not Ended.COMPLETE for each in reports):
        return Exit.STORE
    if any(not each.summary.complete or each.state.gaps or _UNHEARD & set(each.remark_counts) for each in reports):
        return Exit.REFUSED
    return Exit.ANSWERED


def _write(path: Path, document: object) -> None:
    try:
        path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadParameter(f"{path} cannot be written: {error.strerror or error}") from None


def move(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The base URL that was harvested.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The base URL that it has now.")],
) -> int:
    """Harvest a provider that moved at its new URL, as the same provider: its records are held once."""
    where = settings(context)
    with writing(where):
        count = move_provider(where.store, old, new)
    say(f"{count} {'list is' if count == 1 else 'lists are'} harvested at {new} from now on")
    return Exit.ANSWERED


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("harvest")(harvest_providers)
    commands = typer.Typer(help="Providers that were harvested.")
    commands.command("move")(move)
    app.add_typer(commands, name="provider")
