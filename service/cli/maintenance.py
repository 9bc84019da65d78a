"""Commands for the whole store: stats, export, optimize, rebuild, backup, restore, check."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO

import pyoxigraph as ox
import typer

from graph import store as stores
from graph.errors import BadParameter, UnknownName
from graph.record_rules import Profile, read_profiles
from graph.store.backup import BackedUp, back_up, restore, verify
from graph.store.folder import CURRENT, check_marker
from graph.store.published import HARVEST
from graph.urn import parse
from graph.wording.drafting import DraftedProvision
from loaders.harvest.archive import archived_runs, as_of, replayed_graph
from loaders.harvest.state import State, stored_states, written
from ontology.describing import LRMOO
from ontology.namespaces import PREFIXES
from queries.catalogue import named
from queries.checks.results import Report, Tally, worst_first
from queries.checks.run import check
from queries.checks.shapes import SHAPES, Severity
from queries.profiles import profiles, projected
from queries.statistics import stats
from queries.text.text import text
from service.cli.context import AsJson, Exit, Settings
from service.cli.drafting import report as report_drafting
from service.cli.loading import Profiles
from service.cli.opening import quarantine, settings, writing
from service.cli.output_file import OutputFile, checked_output
from service.cli.progress import copy_progress
from service.cli.timer import timer_line
from service.output import print_json, print_lines, print_message, terminal_width
from service.render.tables import shortened, table

# The commands stats, export, optimize, rebuild, backup and restore.


def make_backup(
    context: typer.Context,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder, or a new file ending in .tar.")],
    as_json: AsJson = False,
) -> int:
    """Back up the last published state of the store with all its files, also while it is written or served."""
    with copy_progress("backing up") as update_progress:
        snapshot = back_up(settings(context).store, target, update_progress)
    for path in snapshot.left_out:
        print_message(f"note: the kept payload {path} no longer exists; the backup does not have it")
    print_message(f"snapshot {snapshot.snapshot} in {target}: {_size(snapshot)}, every byte compared")
    if as_json:
        print_json({"backup": str(target), **_backup_document(snapshot), "left_out": list(snapshot.left_out)})
    return Exit.ANSWERED


def restore_backup(
    context: typer.Context,
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup written by `vigente backup`.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Verify every byte of the backup; write nothing.")] = False,
    as_json: AsJson = False,
) -> int:
    """Restore a backup into a new folder."""
    store = settings(context).store
    with copy_progress("reading") as update_progress:
        snapshot = verify(backup, update_progress) if dry_run else restore(backup, store, update_progress)
    of = f"snapshot {snapshot.snapshot}, backed up at {_moment(snapshot)}, {_size(snapshot)}"
    print_message(f"{backup} is intact: {of}" if dry_run else f"{store} restored: {of}")
    if as_json:
        print_json({"store": None if dry_run else str(store), **_backup_document(snapshot)})
    return Exit.ANSWERED


def _backup_document(backup: BackedUp) -> dict[str, object]:
    return {"snapshot": backup.snapshot, "made": _moment(backup), "files": backup.files, "bytes": backup.bytes}


def _moment(backup: BackedUp) -> str:
    return f"{backup.made:%Y-%m-%dT%H:%M:%SZ}"


def _size(backup: BackedUp) -> str:
    return f"{backup.files} files, {backup.bytes / 2**20:.1f} MiB"


_EXPORTS = {
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
    ".n3": ox.RdfFormat.N3,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}


def show_stats(context: typer.Context, as_json: AsJson = False) -> int:
    """Show the statistics of the store: entities, providers, and the last day that the data of each provider cover."""
    with stores.open(settings(context).store) as store, timer_line("stats"):
        found = stats(store)
    kept = quarantine(settings(context))
    damaged = len(kept.damaged())
    refused = kept.count() + damaged
    code = Exit.STORE if damaged else Exit.ANSWERED
    lists = stored_states(settings(context).store / HARVEST)
    if as_json:
        harvests = [_harvest_document(list_state) for list_state in lists]
        print_json({**found.as_json(), "quarantine": refused, "quarantine_damaged": damaged, "harvests": harvests})
        return code
    note = f", of which {damaged} damaged (`vigente quarantine list`)" if damaged else ""
    print_lines([f"{found.quads} quads; in quarantine: {refused}{note}"])
    rows = [(shortened(iri), str(count)) for iri, count in found.classes]
    print_lines(table(("class", "entities"), rows, terminal_width()))
    print_lines(f"harvested up to {newest} from {provider}" for provider, newest in found.known_up_to)
    print_lines(_harvest_line(list_state) for list_state in lists)
    return code


def _harvest_document(state: State) -> dict[str, object]:
    """Return the state of the harvests of one list as JSON."""
    return {
        "url": state.url,
        "set": state.set,
        "prefix": state.prefix,
        "heard": None if state.watermark is None else written(state.watermark),
        "under_way": state.under_way is not None,
        "gaps": len(state.gaps),
        "reconciled": None if state.reconciled is None else state.reconciled.isoformat(),
    }


def _harvest_line(state: State) -> str:
    extent = "not yet complete" if state.watermark is None else f"up to {written(state.watermark)}"
    whose = state.url if state.set is None else f"{state.url}, set {state.set}"
    gaps = f", {len(state.gaps)} gaps" if state.gaps else ""
    return f"harvested {extent}: {whose}{gaps}"


def export(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="FILE.nq, .trig, .nt, .ttl, .n3, .rdf or .jsonld, or - for N-Quads on stdout."
        ),
    ],
    as_of_harvest: Annotated[
        str | None, typer.Option(metavar="T", help="Only what was harvested by that day or time (UTC).")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="|".join(profiles()), help="Write the graph in this vocabulary.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Export the whole graph as RDF; .nq, .trig and .jsonld keep the source of each statement."""
    if as_json and file == "-":
        raise BadParameter("expected a file name with --json, because the graph and the document cannot share stdout")
    rdf_format = ox.RdfFormat.N_QUADS if file == "-" else _EXPORTS.get(Path(file).suffix)
    if rdf_format is None:
        raise BadParameter(f"expected a file name ending in {', '.join(_EXPORTS)}, or -, got {file!r}")
    if profile is not None and profile not in profiles():
        raise BadParameter(f"expected --profile {', '.join(profiles())}, got {profile!r}")
    where = settings(context)
    written = checked_output(file, store=where.store)
    with _graph(where, as_of_harvest) as (store, complete), written.writing() as output, timer_line("export"):
        if profile is None:
            quads = len(store)
            store.dump(output, rdf_format, PREFIXES)
        else:
            quads = _project(store, profile, output, rdf_format)
    if as_json:
        print_json({"file": file, "format": rdf_format.name, "quads": quads})
    return Exit.ANSWERED if complete else Exit.REFUSED


def _project(store: stores.Store, profile: str, output: BinaryIO, rdf_format: ox.RdfFormat) -> int:
    """Write a profile and return the number of statements; without named graphs, it counts each record's statement."""
    count = 0

    def counted() -> Iterator[ox.Quad]:
        nonlocal count
        for quad in projected(store, profile):
            count += 1
            yield quad

    statements = counted() if rdf_format.supports_datasets else (quad.triple for quad in counted())
    ox.serialize(statements, output, rdf_format, prefixes={**PREFIXES, "lrmoo": str(LRMOO)})
    return count


@contextmanager
def _graph(where: Settings, as_of_harvest: str | None) -> Iterator[tuple[stores.Store, bool]]:
    """Open the current graph, or that of the harvests up to a time; yield it with whether all payloads were read."""
    if as_of_harvest is None:
        if stores.is_remote(where.store):
            with stores.open(where.store) as store:
                yield store, True
        else:
            with stores.holding(where.store) as snapshot, stores.open_snapshot(snapshot) as store:
                yield store, True
        return
    until = as_of(as_of_harvest)
    with stores.open(where.store) as now:
        runs = {str(row["colheita"]) for row in named("harvest_runs").rows(now) if str(row["inicio"]) <= written(until)}
    without_payloads = len(runs - archived_runs(where.store / HARVEST))
    with replayed_graph(where.store / HARVEST, until) as rebuilt:
        when = written(until)
        print_message(f"from {rebuilt.payloads} payloads harvested by {when}, without the data loaded from files")
        if without_payloads:
            print_message(f"without the data of {without_payloads} of {len(runs)} harvests, which kept no payloads")
        for problem in rebuilt.damaged:
            print_message(f"a damaged payload was replaced by the previous one: {problem}")
        yield rebuilt.store, not rebuilt.damaged


def optimize(context: typer.Context, as_json: AsJson = False) -> int:
    """Compact the files of the store after large loads, for faster reads."""
    chosen = settings(context)
    check_marker(chosen.store)
    with writing(chosen) as store, timer_line("optimize"):
        store.optimize()
    taken = _folder_size(chosen.store / CURRENT)
    print_message(f"compacted: {taken / 2**20:.0f} MiB")
    if as_json:
        print_json({"bytes": taken})
    return Exit.ANSWERED


def _folder_size(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in folder.iterdir() if entry.is_file())


def rebuild(context: typer.Context, as_json: AsJson = False) -> int:
    """Derive all periods again from the records."""
    with writing(settings(context)) as store, timer_line("rebuild"):
        works = store.rebuild()
    print_message(f"periods of {works} works derived again")
    if as_json:
        print_json({"works": works})
    return Exit.ANSWERED


# The command check.


_PROGRESS_EVERY = 20
#: The maximum number of sources of one check in the table; a folder of files has one for each file.
_MAX_SOURCES = 10


def run_checks(
    context: typer.Context,
    severity: Annotated[
        str, typer.Option(metavar="|".join(Severity), help="Only checks of this severity or worse.")
    ] = Severity.INFO.value,
    report: Annotated[
        str | None, typer.Option(metavar="FILE.nt", help="Write all results as RDF: SHACL report and DQV.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, max=64, help="Processes; 0 for one on each processor.")] = 0,
    drafting: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the rules of drafting, on the text of this norm.")
    ] = None,
    profiles: Profiles = None,
    as_json: AsJson = False,
) -> int:
    """Check the whole store against the shapes, and compare its periods with newly derived ones."""
    if drafting is not None:
        return _check_drafting(settings(context).store, drafting, as_json=as_json)
    if severity not in list(Severity):
        raise BadParameter(f"expected --severity {', '.join(Severity)}, got {severity!r}")
    if report is not None and Path(report).suffix != ".nt":
        raise BadParameter(f"expected a file name ending in .nt for --report, got {report!r}")
    stated = () if profiles is None else read_profiles(profiles)
    folder = settings(context).store
    written = None if report is None else checked_output(report, store=folder)
    with _snapshot_or_endpoint(folder) as (where, name):
        tallies = _run_checks(where, name, Severity(severity), written, workers or None, stated)
    counted = {level: sum(t.results for t in tallies.values() if t.check.severity is level) for level in Severity}
    if as_json:
        print_json(
            {
                "snapshot": name,
                "conforms": not any(counted.values()),
                "results": {level.value: count for level, count in counted.items()},
                "checks": [tally.as_json() for tally in tallies.values()],
            }
        )
    else:
        print_lines(_result_lines(tallies, counted))
    return Exit.NONCONFORMING if counted[Severity.VIOLATION] else Exit.ANSWERED


def _check_drafting(folder: Path, name: str, *, as_json: bool) -> int:
    """Show where the text of a norm today does not follow the rules of drafting."""
    with stores.open(folder) as store:
        answer = text(store, name)
    if answer.is_unknown or answer.name is None:
        raise UnknownName(name)
    norm = parse(answer.name)
    drafted = [
        DraftedProvision(identifier, each.label, each.text)
        for each in answer.provisions
        if (identifier := each.name.rpartition("!")[2]) and "!" in each.name
    ]
    return report_drafting(drafted, norm, as_json=as_json)


@contextmanager
def _snapshot_or_endpoint(folder: Path) -> Iterator[tuple[stores.Store | Path, str | None]]:
    """Open the snapshot and yield it with its name; for a graph behind an endpoint, the store and None."""
    if stores.is_remote(folder):
        with stores.open(folder) as store:
            yield store, None
    else:
        with stores.holding(folder) as snapshot:
            yield snapshot, snapshot.name


def _run_checks(
    where: stores.Store | Path,
    name: str | None,
    least: Severity,
    report: OutputFile | None,
    workers: int | None,
    profiles: Sequence[Profile],
) -> dict[str, Tally]:
    with nullcontext() if report is None else report.writing() as output, _progress() as update_progress:
        written = None if output is None else Report(output, datetime.now(UTC), name or "endpoint")
        take = None if written is None else written.take
        tallies = check(where, least=least, workers=workers, take=take, profiles=profiles, on_progress=update_progress)
        if written is not None:
            written.end(tallies.values())
    return tallies


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Yield a function that prints progress on a terminal, and nothing elsewhere."""

    def update_progress(done: int, of: int) -> None:
        if sys.stderr.isatty() and done % _PROGRESS_EVERY == 0:
            print_message(f"{done} of {of} pieces checked")

    yield update_progress


def _result_lines(tallies: dict[str, Tally], counted: dict[Severity, int]) -> Iterator[str]:
    counts = ", ".join(f"{count} {severity}" for severity, count in counted.items())
    yield f"{len(tallies)} checks: {counts}"
    sorted_tallies = worst_first(tallies.values())
    rows = [
        (tally.check.severity.value, tally.check.code, str(count), whose)
        for tally in sorted_tallies
        for whose, count in _by_source(tally)
    ]
    if rows:
        yield from table(("severity", "check", "results", "by"), rows, terminal_width())
    for tally in sorted_tallies:
        yield ""
        results = f"{tally.results} result" + ("" if tally.results == 1 else "s")
        yield f"{tally.check.severity}: {tally.check.code}, {results} among {tally.checked} nodes"
        yield f"  {tally.check.message}"
        yield f"  {SHAPES}{tally.check.code}"
        for example in tally.examples:
            same = example.value in (None, f"<{example.focus}>")
            yield f"  {example.focus}" + ("" if same else f": {example.value}")
            if example.detail is not None:
                yield f"    {example.detail}"
            yield from (f"    in {record}" for record, _ in example.sources[:2])
        if tally.results > len(tally.examples):
            yield f"  ... and {tally.results - len(tally.examples)} more; --report has them all"


def _by_source(tally: Tally) -> Iterator[tuple[str, int]]:
    """Yield the providers of the results, those with most first; other providers share one line."""
    providers = sorted(tally.providers.items(), key=lambda entry: (-entry[1], entry[0]))
    yield from providers[:_MAX_SOURCES]
    rest = providers[_MAX_SOURCES:]
    if rest:
        yield f"{len(rest)} other sources; --json names them", sum(count for _, count in rest)
