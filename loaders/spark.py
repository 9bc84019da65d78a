"""Builds a graph and the rows of its norms on Apache Spark, from more sources than one machine can load.

Spark only moves data: records to the other records of their source, and statements to the norms that need them. The
loaders read (:mod:`loaders.sources`), and :mod:`graph.store.grouping` derives, as in a store on one machine.

A key of Spark's is a pair of a group's number and a name; the number chooses the partition.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, fields, replace
from datetime import date
from enum import StrEnum
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias, cast

from pyspark import RDD, StorageLevel
from pyspark.sql import DataFrame, SparkSession

from graph.build import FORMAT, GRAPH, MANIFEST, REFUSAL, REFUSALS, TABLES, history_rows
from graph.errors import BadParameter, StoreDamaged
from graph.mapping import MappedRecord, map_record
from graph.quarantine import Refusal
from graph.record_rules import RecordRules
from graph.store import in_memory
from graph.store.derivation import horizon_lines, newest_days
from graph.store.fulltext import kind_of
from graph.store.grouping import Group, Share, key_of, shares_of
from graph.store.journal import BatchResult
from graph.terms import iri
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument, documents_of, files
from loaders.harvest.archive import Entry, is_archive, outcomes, read_archive
from loaders.outcomes import MappedOutcome, Note, Part, mapped_outcome
from loaders.parallel import read_documents
from loaders.pipeline import MAX_REPORTED, Summary, check_reading_options
from loaders.sources.registry import join_parts, reader
from loaders.sources.vocabulary import built_in_record
from ontology.iris import DERIVED_GRAPH

#: What one task reads: a file with its label, a stored payload of a harvest, or files of one name in object storage.
_Unit: TypeAlias = "tuple[Path | Refusal, str] | Entry | list[tuple[str, bytes]]"
#: The place of an outcome in the order of a load: that of its unit, and its own within it.
_Place: TypeAlias = tuple[int, int]
_Key: TypeAlias = tuple[int, str]
#: The name of a table and one of its rows.
_Row: TypeAlias = tuple[str, tuple[Any, ...]]

_KEPT = StorageLevel.DISK_ONLY
_URI = re.compile(r"[a-z][a-z0-9+.-]+://", re.ASCII)
#: The number of groups, if none is given: for each processor, and at least for each number of characters of triples. A
#: worker with 1 GiB fails with ten times as many.
_GROUPS_A_PROCESSOR = 2
_CHARACTERS_A_GROUP = 16 << 20
_HORIZON, _COUNT = "horizon", "count"
#: The columns of each kind of row that tasks make.
_COLUMNS = {
    **TABLES,
    REFUSAL: REFUSALS,
    GRAPH: "quad STRING",
    _HORIZON: "provider STRING, day DATE",
    _COUNT: ", ".join(f"{name} INT" for name in BatchResult.__slots__),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read; attributes as parameters of :func:`loaders.pipeline.load`."""

    as_kind: str | None = None
    column: str | None = None
    fetched: date | None = None
    rules: RecordRules | None = None
    origin: Origin = NOWHERE


class _Counted(NamedTuple):
    """What a load counts; the first notes and refusals, and the place and identifier of each refusal."""

    files: int
    characters: int
    refused: Counter[str]
    note_counts: Counter[str]
    noted: int
    dropped: int
    notes: list[tuple[_Place, Note]]
    refusals: list[tuple[_Place, Refusal]]
    refused_at: list[tuple[_Place, str, str | None]]


def build(
    sources: Sequence[str], out: Path, master: str | None = None, reading: Reading | None = None, groups: int = 0
) -> Summary:
    """Build the graph and the rows of sources into a folder. The manifest is written last.

    Args:
        sources: files, folders and archives that every worker can read by these paths; folders ``harvest`` of stores;
            or addresses of Spark's file systems (``s3a://...``).
        out: a new or empty folder that every worker can write.
        master: the address of the cluster; None for that of Spark's own settings.
        reading: how the sources are read.
        groups: the number of groups of norms; 0 to choose it by the processors and the size. It changes no result.

    Raises:
        BadParameter: the folder is not empty.
        BadInput: a path does not exist, or an option is invalid.
    """
    reading = reading or Reading()
    check_reading_options(reading.as_kind, 1)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadParameter(f"expected a new or empty folder for the build, got {out}")
    local = list(_units([Path(source).absolute() for source in sources if not _URI.match(source)]))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("vigente build")
    session = (builder.master(master) if master is not None else builder).getOrCreate()
    try:
        session.conf.set("spark.sql.parquet.compression.codec", "zstd")
        session.conf.set("spark.sql.session.timeZone", "UTC")
        tasks = 8 * (groups or _GROUPS_A_PROCESSOR * session.sparkContext.defaultParallelism)
        units: RDD[tuple[int, _Unit]] = session.sparkContext.parallelize(
            list(enumerate(local)), min(max(len(local), 1), tasks)
        )
        for place, source in enumerate(source for source in sources if _URI.match(source)):
            units = units.union(_remote_units(session, source, (place + 1) << 32))
        return _Build(session, out, groups).run(units, reading)
    finally:
        session.stop()


def _units(paths: Sequence[Path]) -> Iterator[_Unit]:
    for path in paths:
        if path.is_dir() and is_archive(path):
            yield from read_archive(path)
        else:
            yield from files([path])


def _remote_units(session: SparkSession, address: str, first: int) -> RDD[Any]:
    """Return the files below an address, those that differ in their suffix alone together (`vigente get` makes two)."""
    found: RDD[Any] = session.sparkContext.binaryFiles(address)
    named = found.map(lambda file: (file[0].rpartition("/")[0] + "/" + Path(file[0]).name.partition(".")[0], file))
    together = named.groupByKey().sortBy(lambda pair: pair[0]).values()
    return together.map(sorted).zipWithIndex().map(lambda pair: (first + pair[1], pair[0]))


# Tasks: functions that workers run.


def _read(reading: Reading, unit: tuple[int, _Unit]) -> Iterator[tuple[_Place, MappedOutcome | None]]:
    """Yield the outcomes of a unit with their places, and None for each document that was read."""
    number, source = unit
    for place, outcome in enumerate(_outcomes(source, reading)):
        yield (number, place), None if outcome is None else mapped_outcome(outcome)


def _outcomes(unit: _Unit, reading: Reading) -> Iterator[MappedOutcome | None]:
    if isinstance(unit, Entry):
        yield None
        try:
            yield from outcomes(unit)
        except StoreDamaged as error:
            expected = "the payload that was received"
            code = str(RefusalCode.UNREADABLE)
            yield Refusal(unit.label, "whole page", None, code, str(error), expected, "unknown", b"", truncated=True)
    elif isinstance(unit, list):
        with TemporaryDirectory(prefix="vigente-") as temporary:
            folder = Path(temporary)
            for address, content in unit:
                (folder / Path(address).name).write_bytes(content)
            for path in sorted(folder.iterdir()):
                yield from _outcomes((path, path.name), reading)
    else:
        read = reader(reading.as_kind, reading.column, reading.rules, reading.origin)
        documents = (document for document in documents_of(*unit, fetched=reading.fetched))
        found = read_documents(documents, read, 1)
        yield from (None if isinstance(outcome, SourceDocument) else outcome for outcome in found)


def _joined(parts: Iterable[tuple[_Place, Part]]) -> list[tuple[_Place, MappedOutcome]]:
    """Return the outcomes of the parts of a kind. They come after all others, as in a load."""
    ordered = sorted(parts, key=lambda placed: placed[0])
    after = (1 << 48) + ordered[0][0][0]
    made = cast("Iterable[MappedOutcome]", join_parts(part for _, part in ordered))
    return [((after, place), mapped_outcome(outcome)) for place, outcome in enumerate(made)]


def _reduced(
    sources: Iterable[tuple[_Key, Iterable[tuple[_Place, MappedRecord]]]],
) -> Iterator[MappedRecord | BatchResult]:
    """Yield the record that a store would keep of each source record, and the counts."""
    result = BatchResult()
    with in_memory() as store:
        for _, records in sources:
            kept, counts = store.reduced([record for _, record in sorted(records, key=lambda placed: placed[0])])
            result += counts
            yield from kept
    yield result


def _needed(own: Iterable[tuple[_Key, Iterable[Share]]], groups: int) -> Iterator[tuple[_Key, _Key]]:
    """Yield which norms need others, by what is stated about each alone."""
    for key, shares in own:
        yield from ((key, _keyed(other, groups)) for other in Group({key[1]: list(shares)}, {}).needed())


def _derived(shares: Iterable[tuple[_Key, tuple[bool, list[Share]]]]) -> Iterator[_Row]:
    """Yield the rows of all tables that follow from a group; each share with whether it is of a norm of the group."""
    found: dict[bool, dict[str, list[Share]]] = {True: {}, False: {}}
    for (_, key), (is_own, some) in shares:
        found[is_own].setdefault(key, []).extend(some)
    derived = Group(found[True], found[False]).derived()
    yield from ((GRAPH, (_quad(line, DERIVED_GRAPH),)) for line in derived.lines)
    yield from (("summary", (work, DERIVED_GRAPH, packed)) for work, packed in derived.summaries.items())
    for norm in derived.norms:
        yield "norm", (norm.name, *kind_of(norm.name), key_of(norm.name))
        yield from history_rows(norm)


def _quad(line: str, graph: str) -> str:
    """Return a line of N-Triples as one of N-Quads."""
    return f"{line[:-2]} {iri(graph)} ."


def _record_rows(record: MappedRecord) -> Iterator[_Row]:
    """Yield the rows of all tables that follow from one record."""
    graph, entries = record.graph, record.entries
    for line in record.lines.split("\n")[:-1]:
        yield GRAPH, (_quad(line, graph),)
    if any(entries):
        yield "record", (graph, entries.digest.hex())
    yield from (("summary", (name, graph, packed)) for name, packed in entries.summaries)
    yield from (("words", (*word, graph)) for word in entries.words)
    yield from (("beginning", (*beginning, graph)) for beginning in entries.beginnings)
    yield from (("key", (*key, graph)) for key in entries.keys)
    yield from (("edition", (*edition, graph)) for edition in entries.editions)
    yield from (("wording", (text, part.fragment, graph, *part[1:])) for text, part in dict.fromkeys(entries.parts))


def _counted(found: Iterable[tuple[_Place, MappedOutcome | None]]) -> Iterator[_Counted]:
    documents, characters = 0, 0
    refusals, notes = list[tuple[_Place, Refusal]](), list[tuple[_Place, Note]]()
    for place, outcome in found:
        documents += outcome is None
        if isinstance(outcome, MappedRecord):
            characters += len(outcome.lines)
        elif isinstance(outcome, Refusal):
            refusals.append((place, outcome))
        elif isinstance(outcome, Note):
            notes.append((place, outcome))
    note_counts = Counter[str]()
    for _, note in notes:
        note_counts[str(note.code)] += note.count
    yield _Counted(
        documents,
        characters,
        Counter(str(refusal.code) for _, refusal in refusals),
        note_counts,
        len(notes),
        sum(note.count for _, note in notes if note.dropped),
        sorted(notes, key=_place)[:MAX_REPORTED],
        [(place, replace(refusal, payload=b"")) for place, refusal in sorted(refusals, key=_place)[:MAX_REPORTED]],
        [(place, refusal.key, refusal.identifier) for place, refusal in refusals],
    )


def _refusal_row(placed: tuple[_Place, Refusal]) -> _Row:
    refusal = placed[1]
    return REFUSAL, (refusal.key, *(getattr(refusal, field.name) for field in fields(Refusal)))


def _horizon_rows(records: Iterable[MappedRecord]) -> Iterator[_Row]:
    return ((_HORIZON, newest) for newest in newest_days(records).items())


def _in_columns(row: _Row) -> tuple[Any, ...]:
    """Return a row as the column of its table; those of other tables are null."""
    table, values = row
    plain = tuple(str(value) if isinstance(value, StrEnum) else value for value in values)
    return tuple(plain if name == table else None for name in _COLUMNS)


def _keyed(name: str, groups: int) -> _Key:
    """Return the key of a name, with the number of its group."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % groups, name


def _group(key: _Key) -> int:
    return key[0]


# The job.


class _Build:
    def __init__(self, session: SparkSession, out: Path, groups: int) -> None:
        self._session, self._out, self._groups = session, out.resolve(), groups

    def run(self, units: RDD[tuple[int, _Unit]], reading: Reading) -> Summary:
        """Run the job, and write all files."""
        began = time.monotonic()
        read: RDD[tuple[_Place, Any]] = units.flatMap(partial(_read, reading)).persist(_KEPT)
        parts = read.filter(partial(_is_a, Part)).map(lambda placed: (placed[1].kind, placed))
        joined = parts.groupByKey(1).values().flatMap(_joined)
        found = read.filter(lambda placed: not isinstance(placed[1], Part)).union(joined)
        counted = found.mapPartitions(_counted).collect()
        if not self._groups:
            processors = self._session.sparkContext.defaultParallelism
            needed = sum(one.characters for one in counted) // _CHARACTERS_A_GROUP + 1
            self._groups = max(_GROUPS_A_PROCESSOR * processors, needed)
        self._session.conf.set("spark.sql.shuffle.partitions", self._groups)
        reduced = self._reduced(found)
        records = reduced.filter(lambda one: isinstance(one, MappedRecord))
        rows = self._session.sparkContext.union(
            [
                records.flatMap(_record_rows),
                records.mapPartitions(_horizon_rows),
                reduced.filter(lambda one: isinstance(one, BatchResult)).map(lambda one: (_COUNT, astuple(one))),
                self._derived(records),
                self._kept_refusals(found, counted).map(_refusal_row),
            ]
        )
        schema = ", ".join(f"{name} STRUCT<{columns}>" for name, columns in _COLUMNS.items())
        made = rows.coalesce(self._groups).map(_in_columns)
        frame = self._session.createDataFrame(made, schema, verifySchema=False).persist(_KEPT)
        digests = _digests(frame, tables := (*TABLES, REFUSAL))  # it makes all rows, which the tables then share
        with ThreadPoolExecutor(len(tables)) as threads:
            list(threads.map(partial(self._write_table, frame), tables))
        digests |= self._write_graph(frame)
        counts = frame.selectExpr(*(f"coalesce(sum({_COUNT}.{name}), 0)" for name in BatchResult.__slots__)).first()
        summary = _summary(counted, BatchResult(*(counts or ())), began)
        manifest = {
            "application": "vigente",
            "build": FORMAT,
            "counts": {name: getattr(summary, name) for name in ("files", "read", *BatchResult.__slots__)},
            "refused": dict(sorted(summary.refused.items())),
            "notes": dict(sorted(summary.note_counts.items())),
            "tables": digests,
            "files": self._files(),
        }
        (self._out / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        return summary

    def _reduced(self, found: RDD[tuple[_Place, Any]]) -> RDD[Any]:
        """Return the record that is kept of each source record, and the counts of the others."""
        built_in = self._session.sparkContext.parallelize([((-1, 0), map_record(built_in_record()))], 1)
        records = built_in.union(found.filter(partial(_is_a, MappedRecord)))
        groups = self._groups
        keyed = records.map(lambda placed: (_keyed(placed[1].graph, groups), placed))
        return keyed.groupByKey(groups, _group).mapPartitions(_reduced).persist(_KEPT)

    def _derived(self, records: RDD[MappedRecord]) -> RDD[_Row]:
        """Return the rows that follow from the statements of all records."""
        groups = self._groups
        shares = records.flatMap(lambda record: ((_keyed(key, groups), share) for key, share in shares_of(record)))
        own = shares.groupByKey(groups, _group).mapValues(list).persist(_KEPT)
        pairs = own.mapPartitions(partial(_needed, groups=groups)).persist(_KEPT)
        links = pairs.map(lambda pair: ("needed", (pair[0][1], pair[1][1])))
        about = own.flatMap(lambda pair: (("about", (pair[0][1], share.record)) for share in pair[1]))
        others = (
            self._closure(pairs)
            .join(own, groups)
            .map(lambda joined: ((joined[1][0], joined[0][1]), (False, [share.of_others for share in joined[1][1]])))
        )
        of_group = own.mapValues(lambda some: (True, some))
        return of_group.union(others).partitionBy(groups, _group).mapPartitions(_derived).union(about).union(links)

    def _closure(self, pairs: RDD[tuple[_Key, _Key]]) -> RDD[tuple[_Key, int]]:
        """Return the norms of other groups that each group needs, with the number of the group.

        Args:
            pairs: which norms need which others directly.
        """
        flat = pairs.map(lambda pair: (*pair[0], *pair[1]))
        columns = "by INT, norm STRING, home INT, needed STRING"
        frame = self._session.createDataFrame(flat, columns, verifySchema=False).persist(_KEPT)
        after = frame.selectExpr("norm AS needed", "home AS next_home", "needed AS next")
        fresh = frame.where("home != by").select("by", "home", "needed").distinct().persist(_KEPT)
        found = fresh
        while not fresh.isEmpty():
            reached = fresh.join(after, "needed").where("next_home != by")
            reached = reached.selectExpr("by", "next_home AS home", "next AS needed").distinct()
            fresh = reached.join(found, ["by", "home", "needed"], "left_anti").persist(_KEPT)
            found = found.union(fresh).persist(_KEPT)
        return found.rdd.map(lambda row: ((row[1], row[2]), row[0]))

    def _kept_refusals(self, found: RDD[tuple[_Place, Any]], counted: Sequence[_Counted]) -> RDD[Any]:
        """Return each refusal once, without those of records that are read again later: a load clears these too."""
        refused = sorted(refusal for one in counted for refusal in one.refused_at)
        names = {identifier for _, _, identifier in refused if identifier is not None}
        last: dict[str, _Place] = {}
        if names:
            named = found.filter(partial(_is_a, MappedRecord)).map(lambda one: (one[1].source.identifier, one[0]))
            last = dict(named.filter(lambda pair: pair[0] in names).reduceByKey(max).collect())
        kept: dict[str, _Place] = {}
        for place, key, identifier in refused:
            if identifier is None or last.get(identifier, place) <= place:
                kept.setdefault(key, place)
        places = frozenset(kept.values())
        return found.filter(partial(_is_a, Refusal)).filter(lambda placed: placed[0] in places)

    def _write_table(self, frame: DataFrame, name: str) -> None:
        of_table = frame.where(f"{name} IS NOT NULL").select(f"{name}.*")
        of_table.sort(*of_table.columns).write.parquet(f"file://{self._out / name}")

    def _write_graph(self, frame: DataFrame) -> dict[str, dict[str, int | str]]:
        """Write the quads, sorted and each once, as bulk loaders of other engines read them; return their digest."""
        newest = frame.where(f"{_HORIZON} IS NOT NULL").groupBy(f"{_HORIZON}.provider").agg({f"{_HORIZON}.day": "max"})
        lines = [line for provider, day in newest.collect() for line in horizon_lines(provider, day)]
        horizons = self._session.createDataFrame([(_quad(line, DERIVED_GRAPH),) for line in lines], "quad STRING")
        quads = frame.where(f"{GRAPH} IS NOT NULL").select(f"{GRAPH}.quad").union(horizons).distinct().persist(_KEPT)
        place = self._out / GRAPH
        quads.sort("quad").write.text(f"file://{place}", compression="gzip")
        for number, part in enumerate(sorted(place.glob("part-*.txt.gz"))):
            part.rename(place / f"part-{number:05}.nq.gz")
        return _digests(quads.withColumnRenamed("quad", GRAPH), (GRAPH,))

    def _files(self) -> dict[str, dict[str, int | str]]:
        """Return the size and SHA-256 of each file, without the checksums and marks that Spark leaves."""
        described: dict[str, dict[str, int | str]] = {}
        for path in sorted(self._out.rglob("*")):
            if path.is_file() and path.name.startswith((".", "_")):
                path.unlink()
            elif path.is_file():
                with path.open("rb") as content:
                    digest = file_digest(content, "sha256").hexdigest()
                described[path.relative_to(self._out).as_posix()] = {"bytes": path.stat().st_size, "sha256": digest}
        return described


def _digests(frame: DataFrame, columns: Sequence[str]) -> dict[str, dict[str, int | str]]:
    """Return the number of values of each column, and a digest of them that does not depend on their order."""
    each = [(f"count({name})", f"bit_xor(if({name} IS NULL, NULL, xxhash64({name})))") for name in columns]
    found = list(frame.selectExpr(*(term for terms in each for term in terms)).first() or ())
    pairs = zip(found[::2], found[1::2], strict=True)
    return {
        name: {"rows": count, "digest": f"{(digest or 0) & (1 << 64) - 1:016x}"}
        for name, (count, digest) in zip(columns, pairs, strict=True)
    }


def _is_a(kind: type, placed: tuple[_Place, object]) -> bool:
    return isinstance(placed[1], kind)


def _place(placed: tuple[_Place, object]) -> _Place:
    return placed[0]


def _summary(counted: Sequence[_Counted], counts: BatchResult, began: float) -> Summary:
    refused = sum((one.refused for one in counted), Counter[str]())
    loaded = counts.loaded - 1  # the built-in vocabularies are of no source
    return Summary(
        files=sum(one.files for one in counted),
        read=loaded + counts.unchanged + counts.deleted + counts.older + refused.total(),
        loaded=loaded,
        unchanged=counts.unchanged,
        deleted=counts.deleted,
        older=counts.older,
        refused=refused,
        note_counts=sum((one.note_counts for one in counted), Counter[str]()),
        noted=sum(one.noted for one in counted),
        dropped=sum(one.dropped for one in counted),
        notes=tuple(note for _, note in sorted((n for one in counted for n in one.notes), key=_place)[:MAX_REPORTED]),
        refusals=tuple(r for _, r in sorted((r for one in counted for r in one.refusals), key=_place)[:MAX_REPORTED]),
        seconds=time.monotonic() - began,
    )
