"""Commands that read sources: load, convert, and quarantine for refused records."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from graph import store as stores
from graph.civil import today
from graph.errors import BadParameter
from graph.process import available
from graph.quarantine import Quarantine
from graph.record_rules import Profile, RecordRules, read_profiles
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.builds import Part, is_build, load_build, load_difference
from loaders.codes import NoteCode
from loaders.pipeline import LoadInterrupted, Summary, convert, load, retry
from loaders.sources.registry import FORMATS
from loaders.sources.vocabulary import built_in_record
from queries.vocabulary import vocabulary
from service.cli.context import AsJson, Authority, Exit, Known, Place, Settings
from service.cli.context import day as read_day
from service.cli.opening import is_demo, quarantine, settings, writing
from service.cli.output_file import OutputFile, checked_output
from service.cli.progress import first_line, print_summary, progress, summary_as_json
from service.output import print_json, print_lines, print_message, terminal_width
from service.render.tables import table

_ENDINGS = (".nq", ".nq.gz")


def convert_paths(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FILE.nq or FILE.nq.gz.")],
    paths: Paths,
    as_kind: AsKind = None,
    column: Column = None,
    fetched: Fetched = None,
    workers: Workers = 0,
    place: Place = None,
    authority: Authority = None,
    known: Known = None,
    as_json: AsJson = False,
) -> int:
    """Convert sources to N-Quads, for another engine; needs no store. Refused records go into FILE.refused."""
    check_sources(paths, as_kind)
    fetched_on = day_of_fetch(fetched)
    if not file.name.endswith(_ENDINGS):
        raise BadParameter(f"expected a file name ending in {' or '.join(_ENDINGS)}, got {str(file)!r}")
    written = checked_output(str(file), inputs=paths)
    refused = Quarantine(file.with_name(f"{file.name}.refused"))
    try:
        with _nquads_file(written) as output, progress() as report_progress:
            summary = convert(
                paths,
                output,
                refused,
                as_kind=as_kind,
                column=column,
                fetched=fetched_on,
                workers=workers or available(),
                origin=Origin.of(place, authority, known or ()),
                on_progress=report_progress,
            )
    except LoadInterrupted as stop:
        print_summary(stop.summary)
        return Exit.STOPPED
    return report(summary, as_json=as_json)


@contextmanager
def _nquads_file(file: OutputFile) -> Iterator[BinaryIO]:
    """Open an output file, with compression where its name ends in .gz."""
    with file.writing() as output:
        if not file.file.endswith(".gz"):
            yield output
            return
        with gzip.GzipFile(filename="", fileobj=output, mode="wb", compresslevel=6, mtime=0) as packed:
            yield cast("BinaryIO", packed)


def list_refused(context: typer.Context, as_json: AsJson = False) -> int:
    """List the refused records, with the reason and what was expected."""
    where = settings(context)
    with stores.open(where.store):  # for the error messages where it is not a store
        kept = quarantine(where).list()
        damaged = quarantine(where).damaged()
    code = Exit.STORE if damaged else Exit.ANSWERED
    if as_json:
        print_json({"refused": [asdict(entry) for entry in kept], "damaged": [asdict(entry) for entry in damaged]})
        return code
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
        print_lines(table(("key", "code", "where", "identifier", "problem"), rows, terminal_width()))
    elif not damaged:
        print_message("the quarantine is empty")
    for entry in damaged:
        print_message(f"damaged: {entry.file}: {entry.problem}")
    return code


def retry_refused(context: typer.Context, as_json: AsJson = False) -> int:
    """Retry every refused record; loaded records are removed from the quarantine."""
    where = settings(context)
    try:
        with writing(where) as store, progress() as report_progress:
            rules = RecordRules.of(vocabulary(store))
            summary = retry(quarantine(where), store, rules=rules, on_progress=report_progress)
    except LoadInterrupted as stop:
        print_summary(stop.summary)
        return Exit.STOPPED
    return report(summary, as_json=as_json)


Paths = Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, folders, .zip, .gz, .tar.")]
AsKind = Annotated[
    str | None, typer.Option("--as", metavar="|".join(FORMATS), help="Format of the sources, if it is not detected.")
]
Column = Annotated[
    str | None, typer.Option("--column", metavar="NAME", help="Column of a list of names (CSV, TSV, JSON lines).")
]
Fetched = Annotated[
    str | None,
    typer.Option("--fetched", metavar="DAY", help="Day on which the files were fetched, if they do not state it."),
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, max=64, help="Processes for large sources; 0 for one on each processor.")
]
Profiles = Annotated[
    Path | None,
    typer.Option("--profiles", metavar="FILE", help="TOML file: what each publisher may publish; others get a note."),
]


Year = Annotated[int | None, typer.Option("--year", metavar="YEAR", help="Of a build: only the norms of this year.")]
Since = Annotated[
    Path | None,
    typer.Option("--since", metavar="DIR", help="Of a build: only what differs from the build that the store has."),
]
Sources = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help="Files, folders, .zip, .gz, .tar; with --as sapl also the URL of a SAPL."),
]
Politeness = Annotated[
    float, typer.Option("--politeness", metavar="SECONDS", min=0, max=3600, help="Pause between two requests.")
]
Contact = Annotated[
    str | None,
    typer.Option("--contact", metavar="ADDRESS", envvar="VIGENTE_CONTACT", help="Contact sent to the source."),
]


def load_paths(  # noqa: PLR0913, PLR0917 - one parameter for each option
    context: typer.Context,
    sources: Sources,
    as_kind: AsKind = None,
    column: Column = None,
    fetched: Fetched = None,
    workers: Workers = 0,
    profiles: Profiles = None,
    place: Place = None,
    authority: Authority = None,
    known: Known = None,
    year: Year = None,
    since: Since = None,
    politeness: Politeness = 0.5,
    contact: Contact = None,
    as_json: AsJson = False,
) -> int:
    """Load sources into the store; refused records go into the quarantine."""
    where = settings(context)
    if len(sources) == 1 and is_build(Path(sources[0])):
        origin = Origin.of(place, authority)
        part = Part(_whole_place(origin.place), origin.authority, year)
        return _load_build(where, Path(sources[0]), part, since, as_json=as_json)
    if (year, since) != (None, None):
        raise BadParameter(f"expected --year and --since with the folder of one build, got {' '.join(sources)}")
    urls = [source for source in sources if source.lower().startswith(("http://", "https://"))]
    paths = [Path(source) for source in sources if source not in urls]
    check_sources(paths, as_kind)
    _check_chamber(urls, as_kind, place)
    fetched_on = day_of_fetch(fetched)
    stated = () if profiles is None else read_profiles(profiles)
    origin = Origin.of(place, authority, known or ())
    if is_demo(where):
        print_message(f"note: `vigente demo` made the store {where.store}; its sample has fictional records")
    fetched_paths = _fetch_chambers(where, urls, politeness, contact)
    if None in fetched_paths:
        return Exit.STORE
    paths += filter(None, fetched_paths)
    try:
        summary = load_into(where, paths, as_kind, column, workers or available(), fetched_on, stated, origin)
        if fetched_paths:
            from service.cli.chambers import withdraw_missing  # noqa: PLC0415 - as above

            gone = withdraw_missing(where, filter(None, fetched_paths))
            summary = replace(summary, read=summary.read + gone, deleted=summary.deleted + gone)
    except LoadInterrupted as stop:
        print_summary(stop.summary)
        return Exit.STOPPED
    return _report_sources(summary, paths, as_json=as_json)


def _whole_place(place: str | None) -> str | None:
    """Return a place of an origin as the whole place of a name."""
    return place if place in {None, "br"} else f"br;{place}"


def _load_build(where: Settings, folder: Path, part: Part, since: Path | None, *, as_json: bool) -> int:
    if since is None:
        counts = load_build(folder, where.store, part)
    elif part == Part():
        counts = load_difference(folder, since, where.store)
    else:
        raise BadParameter("expected --since without --place, --authority and --year: it is for stores of whole builds")
    if "norms" in counts:
        print_message(f"loaded {counts['norms']} norms of the build {folder}, with those that decide on their days")
    else:
        print_message(f"loaded the build {folder}: {counts['loaded']} records, as `vigente build` derived them")
    if as_json:
        print_json(counts)
    return Exit.ANSWERED


def _check_chamber(urls: Sequence[str], as_kind: str | None, place: str | None) -> None:
    """Check the options of the sources of a chamber.

    Raises:
        BadParameter: a URL of another kind of source, or the place is missing.
    """
    if urls and as_kind != "sapl":
        raise BadParameter(f"expected --as sapl with the URL of a chamber, got {urls[0]} without it")
    if place is None and as_kind == "sapl":
        raise BadParameter("expected --place or VIGENTE_PLACE with --as sapl, such as sp;campinas")


def _fetch_chambers(where: Settings, urls: Sequence[str], politeness: float, contact: str | None) -> list[Path | None]:
    """Return the folders with the answers of chambers; None for one that gave no valid answer."""
    if not urls:
        return []
    from service.cli.chambers import fetch_chamber  # noqa: PLC0415 - it imports httpx, which other loads do not need

    with writing(where, create=True) as store:
        store.apply([built_in_record()])
    return [fetch_chamber(where, url, politeness, contact) for url in urls]


def check_sources(paths: Sequence[Path], as_kind: str | None) -> None:
    """Check the format and the paths of sources before the store is opened.

    Raises:
        BadParameter: an unknown format, or a missing path.
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
    fetched: date | None = None,
    profiles: Sequence[Profile] = (),
    origin: Origin = NOWHERE,
) -> Summary:
    """Load paths into the store; create it where there is none. Raises as :func:`loaders.pipeline.load`."""
    with writing(where, create=True) as store, progress() as report_progress:
        store.apply([built_in_record()])
        kept = quarantine(where)
        return load(
            paths,
            store,
            kept,
            as_kind=as_kind,
            column=column,
            fetched=fetched,
            workers=workers,
            rules=RecordRules.of(vocabulary(store), profiles),
            origin=origin,
            on_progress=report_progress,
        )


def day_of_fetch(text: str | None) -> date | None:
    """Return the day of an option ``--fetched``; None without the option.

    Raises:
        BadParameter: it is no day, or a day in the future.
    """
    fetched = read_day("--fetched", text)
    if fetched is not None and fetched > today():
        raise BadParameter(f"expected --fetched with a day up to today, {today()}, got {fetched}")
    return fetched


def report(summary: Summary, *, as_json: bool) -> int:
    """Print the summary of a load; return the exit code, which depends on whether anything was refused or dropped."""
    print_summary(summary)
    if as_json:
        print_json(summary_as_json(summary))
    return Exit.ANSWERED if summary.complete else Exit.REFUSED


def _report_sources(summary: Summary, paths: Sequence[Path], *, as_json: bool) -> int:
    """Print the summary of a load of paths, and the known formats if no file has one of them; return the exit code."""
    code = report(summary, as_json=as_json)
    if summary.read or summary.files > summary.note_counts.get(NoteCode.PASSED_OVER, 0):
        return code
    listed = ", ".join(str(path) for path in paths)
    print_message(
        f"vigente: expected a file of a known format, got none in {listed}; the formats, by the value of --as:"
    )
    for known_format in FORMATS.values():
        print_message(f"  {known_format.name}: {known_format.title}")
    print_message("docs/reference/sources.md describes them")
    return Exit.REFUSED
