"""Command that builds a graph and the rows of its norms on Apache Spark: build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graph.errors import BadParameter, StoreProblem
from loaders.articulated.issuer import Origin
from service.cli.context import AsJson, Authority, Known, Place
from service.cli.loading import AsKind, Column, Fetched, check_sources, day_of_fetch, report


def build_paths(  # noqa: PLR0913, PLR0917 - one parameter for each option
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Files, folders, archives, folders `harvest`, or URLs like s3a://..."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="New folder, which every worker can write.")],
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="The cluster; default that of Spark's settings.")
    ] = None,
    groups: Annotated[
        int, typer.Option("--groups", min=0, max=1_000_000, help="Groups of norms; 0 to choose by processors and size.")
    ] = 0,
    as_kind: AsKind = None,
    column: Column = None,
    fetched: Fetched = None,
    place: Place = None,
    authority: Authority = None,
    known: Known = None,
    as_json: AsJson = False,
) -> int:
    """Build the graph and the rows of sources on Apache Spark; needs no store, but the extra `spark`."""
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped] # noqa: PLC0415 - an extra
        from pyspark.errors import PySparkException  # noqa: PLC0415

        from loaders.spark import Reading, build  # noqa: PLC0415
    except ImportError as error:
        raise BadParameter(f"expected the extra spark, `pip install 'vigente[spark]'`: {error}") from None
    check_sources([Path(source) for source in sources if "://" not in source], as_kind)
    reading = Reading(as_kind, column, day_of_fetch(fetched), origin=Origin.of(place, authority, known or ()))
    try:
        summary = build(sources, out, master, reading, groups)
    except (PySparkException, Py4JError) as error:
        raise StoreProblem(f"Spark could not build {out}: {_reason(str(error))}") from None
    return report(summary, as_json=as_json)


def _reason(message: str) -> str:
    """Return the line of a message of Spark with the reason: that of an error of this program, if it has one."""
    lines = [line.strip(" :") for line in message.splitlines() if line.strip()]
    stated = [line for line in lines if line.startswith(("graph.errors.", "loaders.documents."))]
    return next(iter((*stated, *lines[1:], *lines)), "no reason is known")
