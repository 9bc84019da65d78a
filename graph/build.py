"""The files of a build: the graph as sorted N-Quads, and the rows of its norms and of the index of names as Parquet.

docs/reference/remote.md describes them. :mod:`loaders.spark` writes them, and :mod:`loaders.builds` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from graph.read_model.rectangles import Rectangle, day_of, ordinal
from graph.read_model.rows import Axes, Row
from graph.read_model.table import StoredNorm
from graph.time.composition import Words
from graph.time.kinds import Status

#: The file that describes a build; a folder without it is an incomplete build.
MANIFEST = "manifest.json"
#: The version of the files that the manifest states.
FORMAT = 1
#: The folder of the graph.
GRAPH = "graph"
#: The tables, each a folder, and their columns with types of SQL. A table is sorted by all of them.
TABLES: Mapping[str, str] = {
    "norm": "norm STRING, place STRING, authority STRING, type STRING, year INT, key STRING",
    "provision": "norm STRING, place INT, fragment STRING, parent STRING, own BOOLEAN",
    "history": (
        "norm STRING, place INT, fragment STRING, valid_from DATE, known_from DATE, axes INT, valid_until DATE, "
        "known_until DATE, status STRING, version STRING, words STRING, shown STRING, "
        "because ARRAY<STRING>, rule STRING, about STRING"
    ),
    "made": "norm STRING, place INT, fragment STRING, version STRING, act STRING",
    "about": "key STRING, record STRING",
    "needed": "key STRING, other STRING",
    "wording": (
        "text STRING, fragment STRING, record STRING, place INT, label STRING, heading STRING, words STRING, "
        "markup STRING, situation STRING"
    ),
    "record": "record STRING, digest STRING",
    "summary": "name STRING, record STRING, packed STRING",
    "words": ("name STRING, node STRING, title STRING, nicknames STRING, summary STRING, text STRING, record STRING"),
    "beginning": "depth INT, said STRING, name STRING, nickname STRING, record STRING",
    "key": "key STRING, name STRING, nickname BOOLEAN, record STRING",
    "edition": "text STRING, whole BOOLEAN, record STRING",
}
#: The table of refused records, and its columns: the key and the attributes of :class:`graph.quarantine.Refusal`.
REFUSAL = "refusal"
REFUSALS = (
    "key STRING, origin STRING, position STRING, identifier STRING, code STRING, problem STRING, expected STRING, "
    "kind STRING, payload BINARY, datestamp STRING, provider STRING, form STRING, column STRING, truncated BOOLEAN, "
    "whole_sha256 STRING, fetched DATE"
)


def history_rows(norm: StoredNorm) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the rows of ``provision``, ``history`` and ``made`` of a norm, each with the name of its table."""
    for fragment, place, parent, own, rows, made in norm.provisions:
        yield "provision", (norm.name, place, fragment, parent, own)
        yield from (("made", (norm.name, place, fragment, version, act)) for version, act in made)
        for row in rows:
            start, until, known, known_until = map(day_of, row.days)
            days = start, known, int(row.axes), until, known_until
            names = row.version, row.words and row.words.value, row.shown, list(row.because), row.rule, row.about
            yield "history", (norm.name, place, fragment, *days, row.status.value, *names)


def read_row(columns: Sequence[Any]) -> Row:
    """Return a row from the columns of ``history`` after the first three."""
    start, known, axes, until, known_until, status, version, words, shown, because, rule, about = columns
    days: tuple[date | None, ...] = start, until, known, known_until
    return Row(
        Rectangle(*map(ordinal, days)),
        Axes(axes),
        Status(status),
        version,
        Words(words) if words is not None else None,
        shown,
        tuple(because),
        rule,
        about,
    )
