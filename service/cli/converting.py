"""The command that writes sources as N-Quads, for other engines: convert."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from graph.errors import BadParameter
from graph.quarantine import Quarantine
from loaders.conversion import Shard, convert
from loaders.mapping_pool import available
from loaders.pipeline import LoadInterrupted
from loaders.sniff import KINDS
from service.cli.context import AsJson, Exit
from service.cli.loading import report
from service.cli.progress import progress, say_summary
from service.cli.whole import output_file

__all__ = ["add_to"]

_ENDINGS = (".nq", ".nq.gz")


def convert_paths(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FILE.nq or FILE.nq.gz.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, folders, .zip, .gz.")],
    shard: Annotated[
        str, typer.Option("--shard", metavar="I/N", help="One of N parts of the documents, told apart by their names.")
    ] = "1/1",
    as_kind: Annotated[
        str | None, typer.Option("--as", metavar="|".join(KINDS), help="The kind of source, where looking fails.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="Column of a list of names (CSV, TSV, JSON lines)."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=64, help="Processes that read much; 0 for one on each processor.")
    ] = 0,
    as_json: AsJson = False,
) -> int:
    """Write what sources say as N-Quads, for another engine; needs no store. Refused records go into FILE.refused."""
    part = Shard.parse(shard)
    if as_kind is not None and as_kind not in KINDS:
        raise BadParameter(f"expected --as {' or '.join(KINDS)}, got {as_kind!r}")
    if not file.name.endswith(_ENDINGS):
        raise BadParameter(f"expected a file name ending in {' or '.join(_ENDINGS)}, got {str(file)!r}")
    for path in paths:
        if not os.path.lexists(path):  # told before a file is made
            raise BadParameter(f"expected a file or folder, got {path}, which does not exist")
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
                on_progress=tell,
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
