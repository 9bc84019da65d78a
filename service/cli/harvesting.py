"""Commands that fetch records: get, from official sources; harvest, by OAI-PMH or by name."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from graph import store as stores
from graph.errors import BadParameter, UnknownName
from graph.quarantine import Quarantine
from graph.record_rules import Profile, RecordRules, read_profiles
from graph.store import Store, in_memory
from graph.urn import Name, parse
from loaders.getting import (
    ALL_SOURCES,
    ANSWERS,
    SOURCES,
    Asker,
    Bases,
    Getter,
    KeptAnswers,
    Lack,
    MissingData,
    NormResult,
    load_gotten,
)
from loaders.harvest.by_name import NameList, harvest_names, names_dry_run_json, normas_provider, read_name_list
from loaders.harvest.by_name import dry_run_by_name as look
from loaders.harvest.list_writer import HarvestSink, Options, move_provider
from loaders.harvest.providers import Provider, read_providers
from loaders.harvest.report import ListResult, RemarkCode, Report
from loaders.harvest.report import as_json as report_as_json
from loaders.harvest.session import HarvestInterrupted, check, dry_run, dry_run_json, harvest
from loaders.harvest.state import Window, written
from loaders.oai_pmh.fetching import base_address
from loaders.sources.sapl import KIND as SAPL
from loaders.sources.vocabulary import built_in_record
from queries.resolve import resolve
from queries.vocabulary import vocabulary
from service.cli.chambers import chamber_of, manners
from service.cli.context import AsJson, Exit, Settings
from service.cli.context import day as read_day
from service.cli.loading import Profiles
from service.cli.opening import is_demo, quarantine, settings, writing
from service.cli.output_file import OutputFile, checked_output
from service.cli.progress import print_summary, summary_as_json
from service.output import has_terminal, print_json, print_message, print_message_line, shown

# The command get.


_BASE_VARIABLES = {source: f"VIGENTE_{source.upper()}_URL" for source in ALL_SOURCES}
_MISSING_TEXTS = {
    Lack.NOT_KNOWN: "the source does not have it",
    Lack.FAULT: "the source gave no valid answer",
    Lack.NO_RULE: "no rule gives the address of norms of this type; use --url",
    Lack.REFUSED: "its answer could not be loaded, and is in the quarantine",
    Lack.NO_TEXT: "no source has its text",
    Lack.NO_EARLIER_WORDINGS: "earlier wordings: the page has only the current ones",
    Lack.NO_PUBLICATION: "no source has the day of its publication",
    Lack.NO_START: "no source has the day of its entry into force",
    Lack.ACTS_BY_YEAR: "only the year of some amending acts is known: answers within that year may be unknown",
}


def get(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names, citations or nicknames of norms.")],
    from_: Annotated[str, typer.Option("--from", metavar="SOURCES", help="Sources, separated by commas.")] = ",".join(
        SOURCES
    ),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Ask the sources and report what would be loaded; write nothing.")
    ] = False,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Page of one norm, if no rule gives its address.")
    ] = None,
    acts: Annotated[
        bool, typer.Option("--acts", help="Ask the Senate for the day of each act that has only its year.")
    ] = False,
    max_age: Annotated[float, typer.Option(metavar="HOURS", min=0, help="Largest age of a cached answer.")] = 24,
    politeness: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, max=3600, help="Pause between two requests.")
    ] = 0.5,
    contact: Annotated[
        str | None, typer.Option(metavar="ADDRESS", envvar="VIGENTE_CONTACT", help="Contact sent to sources.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Fetch norms from official sources and load them; report what no source has."""
    where = settings(context)
    sources = _sources(from_)
    if url is not None and len(names) > 1:
        raise BadParameter("expected one NAME with --url, because the URL is the page of one norm")
    if url is not None and "planalto" not in sources:
        raise BadParameter("expected --from planalto with --url, a page of Planalto")
    bases = _bases()
    for address in (*(bases.of(source) for source in sources), *([url] if url is not None else [])):
        base_address(address)
    works = _works_of(where, names)
    answers = None if dry_run else where.store / ANSWERS
    if SAPL in sources and not dry_run:
        with _target(where, dry_run=False):  # a chamber's answers are stored in it when they come
            pass
    kept = KeptAnswers(answers)
    results: list[NormResult] = []
    with (
        Asker(manners(politeness, contact), kept, timedelta(hours=max_age)) as asker,
        chamber_of(bases.sapl, answers, manners(politeness, contact), timedelta(hours=max_age)) as chamber,
    ):
        for text, name in zip(names, works, strict=True):
            result = Getter(asker, bases, sources, chamber).get(text, name, url, acts=acts)
            if result.answers:
                with _target(where, dry_run=dry_run) as (store, quarantine):
                    for answer in result.answers:
                        if answer.source != SAPL:
                            kept.keep(answer)
                    load_gotten(result, bases, store, quarantine)
            results.append(result)
            _print_result(result, dry_run=dry_run)
    if as_json:
        documents = [_document(gotten) for gotten in results]
        print_json(documents[0] if len(documents) == 1 else documents)
    return max(map(_get_exit_code, results))


def _sources(text: str) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(source_name.strip() for source_name in text.split(",") if source_name.strip()))
    if not chosen or not set(chosen) <= set(ALL_SOURCES):
        raise BadParameter(f"expected --from with some of {', '.join(ALL_SOURCES)}, separated by commas; got {text!r}")
    if SAPL in chosen and not os.environ.get(_BASE_VARIABLES[SAPL]):
        raise BadParameter("expected VIGENTE_SAPL_URL with --from sapl: the address of the chamber's SAPL")
    return chosen


def _bases() -> Bases:
    """Return the base addresses of the sources, from the environment."""
    return Bases(**{source: os.environ[key] for source, key in _BASE_VARIABLES.items() if os.environ.get(key)})


def _works_of(where: Settings, texts: Sequence[str]) -> list[Name]:
    """Return the works that texts identify, with the help of the store if there is one.

    Raises:
        UnknownName: a text identifies no single norm.
    """
    if not where.store.exists() or (where.store.is_dir() and not any(where.store.iterdir())):
        store = in_memory()
        store.apply([built_in_record()])
        return [_work_of(store, text) for text in texts]
    with stores.open(where.store) as opened:
        return [_work_of(opened, text) for text in texts]


def _work_of(store: Store, text: str) -> Name:
    resolution = resolve(store, text)
    works = {parse(candidate.name).work for candidate in resolution.candidates}
    if len(works) == 1:
        return works.pop()
    if resolution.canonical is None:
        raise UnknownName(text, f"{shown(text)} identifies no single norm: give its type, number and year")
    name = parse(resolution.canonical).work
    if name.representative_year is None or not name.descritor.identificadores:
        raise UnknownName(text, f"{shown(text)} has no number with a day or year: give both")
    return name


@contextmanager
def _target(where: Settings, *, dry_run: bool) -> Iterator[tuple[stores.WritableStore, Quarantine]]:
    """Open the target of records: the store, or a temporary one in memory for a dry run."""
    if dry_run:
        with TemporaryDirectory() as folder:
            yield in_memory(), Quarantine(Path(folder))
        return
    with writing(where, create=True) as store:
        store.apply([built_in_record()])
        yield store, quarantine(where)


def _get_exit_code(result: NormResult) -> Exit:
    came = result.summary is not None and result.summary.read > result.summary.refused.total()
    if not came:
        return Exit.STORE if result.has_faults else Exit.UNKNOWN_NAME
    complete = result.summary is not None and result.summary.complete and not result.has_faults
    return Exit.ANSWERED if complete else Exit.REFUSED


def _print_result(result: NormResult, *, dry_run: bool) -> None:
    """Print what was found, by source and day, and what is missing."""
    print_message(f"{shown(result.asked)}: {result.name.canonical}{'; nothing is written' if dry_run else ''}")
    for answer in result.answers:
        kept = ", kept" if answer.kept else ""
        moment = f"{answer.fetched_at:%Y-%m-%dT%H:%M:%SZ}"
        print_message(f"  {answer.source}: {len(answer.payload)} bytes from {answer.url}, {moment}{kept}")
    for source, day in result.last_change.items():
        print_message(f"  {source} has changes up to {day}")
    for missing_data in result.missing:
        print_message(f"  missing: {_missing_text(missing_data)} ({missing_data.code.value})")
    if result.summary is not None:
        print_summary(result.summary)


def _missing_text(missing_data: MissingData) -> str:
    where = f"{missing_data.source}: " if missing_data.source is not None else ""
    problem = f": {shown(missing_data.problem)}" if missing_data.problem is not None else ""
    about = f": {', '.join(missing_data.about)}" if missing_data.about and missing_data.problem is None else ""
    return f"{where}{_MISSING_TEXTS[missing_data.code]}{problem}{about}"


def _document(result: NormResult) -> dict[str, object]:
    up_to = result.known_up_to
    return {
        "asked": result.asked,
        "name": result.name.canonical,
        "fetched": [answer.as_json() for answer in result.answers],
        "loaded": summary_as_json(result.summary) if result.summary is not None else None,
        "missing": [missing_data.as_json() for missing_data in result.missing],
        "known_up_to": up_to.isoformat() if up_to is not None else None,
        "last_change": {source: day.isoformat() for source, day in result.last_change.items()},
    }


# The commands harvest and provider.


_PLAIN_SECONDS = 30.0


@contextmanager
def harvest_progress() -> Iterator[Callable[[Sequence[Report]], None]]:
    """Yield a function that shows progress: a live line for each list on a terminal, plain lines elsewhere."""
    if not has_terminal():
        yield _plain_progress()
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def update_progress(reports: Sequence[Report]) -> None:
            for report in reports:
                name = report.provider.name
                if name not in tasks:
                    tasks[name] = progress.add_task("", total=None)
                progress.update(tasks[name], description=_state(report))

        yield update_progress


def _plain_progress() -> Callable[[Sequence[Report]], None]:
    last = time.monotonic()

    def update_progress(reports: Sequence[Report]) -> None:
        nonlocal last
        if time.monotonic() - last >= _PLAIN_SECONDS:
            last = time.monotonic()
            for report in reports:
                print_message(_state(report))

    return update_progress


def _state(report: Report) -> str:
    summary = report.summary
    rate = f", {summary.read / summary.seconds:.0f}/s" if summary.seconds > 0 else ""
    plan = report.state.under_way
    of = f", {plan.listed} of {plan.list_size} names" if plan is not None and not report.provider.is_oai else ""
    return f"{shown(report.provider.name)}: {report.pages} pages, {summary.read} records{of}{rate}"


def print_report(report: Report) -> None:
    """Print the report about one list."""
    resumed = ", resumed" if report.resumed else ""
    print_message_line(
        f"{report.provider.name} ({report.provider.request_url}): {report.ended.value}{resumed}; {report.pages} pages"
    )
    if report.fault is not None:
        print_message_line(f"  {report.fault.code}: {report.fault.problem} (expected {report.fault.expected})")
    print_summary(report.summary)
    if report.withdrawn:
        print_message_line(f"  {report.withdrawn} records are no longer listed, and were withdrawn")
    for remark in report.remarks:
        print_message_line(f"  {remark.code.value}: {remark.message}")
    omitted = sum(report.remark_counts.values()) - len(report.remarks)
    if omitted:
        print_message_line(f"  ... and {omitted} more remarks")
    if report.state.gaps:
        left = len(report.state.gaps)
        print_message_line(f"  {left} {'gap remains' if left == 1 else 'gaps remain'}; the next harvest retries")
    if report.state.watermark is not None:
        print_message_line(f"  harvested up to {written(report.state.watermark)}")


def print_dry_run(provider: Provider, lines: Iterable[str]) -> None:
    """Print what a harvest of one list would do."""
    print_message_line(f"{provider.name} ({provider.request_url}): nothing is written")
    for line in lines:
        print_message_line(f"  {line}")


#: A function that harvests into the store of a folder and reports progress.
Harvest: TypeAlias = Callable[
    [Path, HarvestSink, Quarantine, Options, Callable[[Sequence[Report]], None] | None], list[Report]
]


@dataclass(frozen=True, slots=True)
class NamesHarvest:
    """A harvest by name: the provider and the list of names."""

    provider: Provider
    wanted: NameList

    @property
    def harvest(self) -> Harvest:
        """The function that runs the harvest."""
        return partial(harvest_names, self.provider, self.wanted)


def names_harvest(url: str | None, names: Path, column: str | None, others: Sequence[str]) -> NamesHarvest:
    """Return the harvest by name of the options.

    Args:
        others: the options of OAI-PMH that were given together with `--names`.

    Raises:
        BadParameter: the options exclude each other, or the URL is missing.
        BadProviders, BadInput: the URL or the list is invalid.
    """
    if others:
        raise BadParameter(f"expected --names without options of OAI-PMH, got {', '.join(others)}")
    if url is None:
        raise BadParameter("expected the URL of normas.leg.br together with --names FILE")
    return NamesHarvest(normas_provider(url), read_name_list(names, column))


def dry_run_by_name(where: Settings, by_name: NamesHarvest, options: Options, *, as_json: bool) -> int:
    """Print what a harvest by name would do; write nothing."""
    planned = look(by_name.provider, by_name.wanted, where.store, options)
    print_dry_run(planned.provider, planned.lines())
    if as_json:
        print_json({"providers": [names_dry_run_json(planned)]})
    return Exit.STORE if planned.fault is not None else Exit.ANSWERED


def harvest_providers(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]",
            help="Base URL of an OAI-PMH provider; with --names, that of normas.leg.br.",
            show_default=False,
        ),
    ] = None,
    set_: Annotated[str | None, typer.Option("--set", metavar="SPEC", help="Only this set of the provider.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Only records with a datestamp from this day.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only records with a datestamp up to this day.")
    ] = None,
    prefix: Annotated[str | None, typer.Option(metavar="NAME", help="Metadata format [oai_lexml].")] = None,
    providers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file with providers, instead of URL.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this provider of the file; repeatable.")
    ] = None,
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Fetch each norm of this list from normas.leg.br.")
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column of the list of names (CSV, TSV, JSON lines).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Ask the provider and report what would be harvested; write nothing.")
    ] = False,
    reconcile: Annotated[
        bool, typer.Option("--reconcile", help="After the harvest, compare the provider's whole list with the store.")
    ] = False,
    accept_withdrawals: Annotated[
        bool, typer.Option("--accept-withdrawals", help="Withdraw records even if many are no longer listed.")
    ] = False,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Use ListIdentifiers and GetRecord instead of ListRecords.")
    ] = False,
    no_payloads: Annotated[bool, typer.Option("--no-payloads", help="Keep no copies of the responses.")] = False,
    politeness: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, max=3600, help="Pause between two requests.")
    ] = None,
    contact: Annotated[
        str | None, typer.Option(metavar="ADDRESS", envvar="VIGENTE_CONTACT", help="Contact sent to providers.")
    ] = None,
    profiles: Profiles = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report to this file, as JSON.")] = None,
    as_json: AsJson = False,
) -> int:
    """Harvest new records by OAI-PMH, or norms by name; resume an interrupted harvest."""
    where = settings(context)
    if report is not None and not report.absolute().parent.is_dir():
        raise BadParameter(f"expected --report in an existing folder, got {report}")
    inputs = [path for path in (providers, names) if path is not None]
    written = None if report is None else checked_output(str(report), inputs=inputs, store=where.store)
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
            "--profiles": profiles,
        }
        by_name = names_harvest(url, names, column, [option for option, given in others.items() if given])
        options = Options(keep_payloads=not no_payloads, contact=contact, politeness=politeness)
        if dry_run:
            return dry_run_by_name(where, by_name, options, as_json=as_json)
        return _run(where, by_name.harvest, options, written, as_json=as_json)
    if column is not None:
        raise BadParameter("expected --column only with --names FILE: it is the column with the names")
    if providers is not None:
        if url is not None or set_ is not None or prefix is not None or one_by_one:
            raise BadParameter("expected --providers without URL, --set, --prefix and --one-by-one")
        chosen = _select_providers(read_providers(providers), only or [])
    elif url is None:
        raise BadParameter("expected the base URL of a provider, or --providers FILE")
    elif only:
        raise BadParameter("expected --only together with --providers FILE, whose providers it selects")
    else:
        chosen = [Provider(url, set_, prefix=prefix or "oai_lexml", identifiers=one_by_one)]
    window = _window(read_day("--from", from_), read_day("--until", until))
    if window is not None and reconcile:
        raise BadParameter("expected --reconcile without --from and --until, because it compares whole lists")
    options = Options(window, reconcile, accept_withdrawals, not no_payloads, contact, politeness)
    check(chosen, options)
    if dry_run:
        return _dry_run(where, chosen, options, as_json=as_json)
    stated = () if profiles is None else read_profiles(profiles)
    return _run(where, partial(harvest, chosen), options, written, profiles=stated, as_json=as_json)


def _run(
    where: Settings,
    work: Harvest,
    options: Options,
    report: OutputFile | None,
    *,
    profiles: Sequence[Profile] = (),
    as_json: bool,
) -> int:
    """Harvest into the store and print the reports."""
    if is_demo(where):
        print_message(f"note: `vigente demo` made the store {where.store}; its sample has fictional records")
    began = datetime.now(UTC)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops the harvest like Ctrl-C
    try:
        with writing(where, create=True) as store, harvest_progress() as update_progress:
            store.apply([built_in_record()])
            compared = replace(options, rules=RecordRules.of(vocabulary(store), profiles))
            reports = work(where.store, store, quarantine(where), compared, update_progress)
        code = _exit_code(reports)
    except HarvestInterrupted as stop:
        reports = list(stop.reports)
        code = Exit.STOPPED
    for provider_report in reports:
        print_report(provider_report)
    document = {
        "began": f"{began:%Y-%m-%dT%H:%M:%SZ}",
        "ended": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "providers": [report_as_json(provider_report) for provider_report in reports],
    }
    if report is not None:
        with report.writing() as output:
            output.write(json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n")
    if as_json:
        print_json(document)
    return code


def _select_providers(providers: Sequence[Provider], only: Sequence[str]) -> list[Provider]:
    """Return the providers that ``--only`` selects, by name or by the part of the name before the set."""
    for name in only:
        if not any(_matches_provider(provider, name) for provider in providers):
            names = ", ".join(provider.name for provider in providers)
            raise BadParameter(f"expected --only to name one of {names}; got {name!r}")
    return [provider for provider in providers if not only or any(_matches_provider(provider, name) for name in only)]


def _matches_provider(provider: Provider, name: str) -> bool:
    return provider.name == name or provider.name.startswith(f"{name}/")


def _window(start: date | None, end: date | None) -> Window | None:
    """Return the window of the days, both inclusive; None where none was given."""
    if start is not None and end is not None and end < start:
        raise BadParameter(f"expected --until on or after --from, got {start} and {end}")
    return Window.of_days(start, end)


def _dry_run(where: Settings, chosen: Sequence[Provider], options: Options, *, as_json: bool) -> int:
    planned = [dry_run(provider, where.store, options) for provider in chosen]
    for run in planned:
        print_dry_run(run.provider, run.lines())
    if as_json:
        print_json({"providers": [dry_run_json(run) for run in planned]})
    return Exit.STORE if any(run.fault is not None for run in planned) else Exit.ANSWERED


#: Remarks that mean an incomplete harvest.
_INCOMPLETE = {RemarkCode.GAP.value, RemarkCode.NOT_RECONCILED.value, RemarkCode.SET_GONE.value}


def _exit_code(reports: Sequence[Report]) -> Exit:
    if any(report.ended is not ListResult.COMPLETE for report in reports):
        return Exit.STORE
    if any(
        not report.summary.complete or report.state.gaps or _INCOMPLETE & set(report.remark_counts)
        for report in reports
    ):
        return Exit.REFUSED
    return Exit.ANSWERED


def move(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The base URL that was harvested.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The base URL that it has now.")],
) -> int:
    """Harvest a provider at its new URL from now on, as the same provider."""
    where = settings(context)
    with writing(where):
        count = move_provider(where.store, old, new)
    print_message(f"{count} {'list is' if count == 1 else 'lists are'} harvested at {new} from now on")
    return Exit.ANSWERED
