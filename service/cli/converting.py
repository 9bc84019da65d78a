"""The command that writes sources as N-Quads, for other engines: convert."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from graph.errors import BadParameter
from graph.quarantine import Quarantine
from loaders.conversion import Shard, convert
from loaders.parallel import available
from loaders.pipeline import LoadInterrupted
from service.cli.context import AsJson, Exit
from service.cli.loading import AsKind, Column, Paths, Workers, check_sources, report
from service.cli.progress import progress, say_summary
from service.cli.whole import output_file

_ENDINGS = (".nq", ".nq.gz")


def convert_paths(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FILE.nq or FILE.nq.gz.")],
    paths: Paths,
    shard: Annotated[
        str, typer.Option("--shard", metavar="I/N", help="One of N parts of the documents, told apart by their names.")
    ] = "1/1",
    as_kind: AsKind = None,
    column: Column = None,
    workers: Workers = 0,
    as_json: AsJson = False,
) -> int:
    """Write what sources say as N-Quads, for another engine; needs no store. Refused records go into FILE.refused."""
    part = Shard.parse(shard)
    check_sources(paths, as_kind)
    if not file.name.endswith(_ENDINGS):
        raise BadParameter(f"expected a file name ending in {' or '.join(_ENDINGS)}, got {str(file)!r}")
    refused = Quarantine(file.with_name(f"{file.name}.refused"))
    try:
        with _lines(file) as output, progress() as tell:
            summary = convert(
                paths,
                output,
                refused,
                shard=part,
                as_kind=as_kind,
                column=column,
                workers=workers or available(),
                on_progress=tell.state,
            )
    except LoadInterrupted as stop:
        say_summary(stop.summary)
        return Exit.STOPPED
    return report(summary, as_json=as_json)


@contextmanager
def _lines(file: Path) -> Iterator[BinaryIO]:
    """The file, there whole or not at all; packed if its name says so."""
    with output_file(str(file)) as output:
        if file.suffix != ".gz":
            yield output
            return
        with gzip.GzipFile(filename="", fileobj=output, mode="wb", compresslevel=6, mtime=0) as packed:
            yield cast("BinaryIO", packed)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("convert")(convert_paths)
