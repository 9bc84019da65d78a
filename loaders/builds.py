"""Loads a build of :mod:`loaders.spark` into a new store, or its difference from another into the store of that one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import file_digest, sha256
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from graph import store as stores
from graph.build import FORMAT, GRAPH, MANIFEST, REFUSAL, TABLES, read_row
from graph.errors import BadParameter, StoreDamaged
from graph.quarantine import Quarantine, Refusal
from graph.read_model.table import StoredNorm, StoredProvision
from graph.store.folder import CURRENT, QUARANTINE, is_free
from graph.store.grouping import key_of
from graph.store.published import read_published
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG


@dataclass(frozen=True, slots=True)
class Part:
    """Which norms of a build are chosen; None for any.

    Attributes:
        place: in the spelling of names, with the places in it; ``br`` for federal norms alone.
        authority: in the spelling of names.
        year: of the norm's date.
    """

    place: str | None = None
    authority: str | None = None
    year: int | None = None


_WHOLE = Part()
#: The file in a store that states the whole build that it was made from.
STATED = "build.json"


def is_build(folder: Path) -> bool:
    """Return whether a folder has the manifest of a build."""
    return (folder / MANIFEST).is_file() and (folder / GRAPH).is_dir()


def load_build(build: Path, path: Path, part: Part = _WHOLE) -> dict[str, int]:
    """Load a build into a new store, and return its counts. The store appears whole or not at all.

    The store of a part has the chosen norms, the norms that decide on their days, and all records about either. Of
    other norms that these records name, it has the names only.

    Args:
        build: the folder of the build.
        path: the folder of the store; it does not exist, or is empty.
        part: which norms are chosen.

    Raises:
        BadParameter: the store exists, no norm is chosen, or the extra ``spark`` is not installed.
        StoreDamaged: a file of the build is missing or was changed.
    """
    if not is_free(path):
        raise BadParameter(f"expected a new store for a build, got {path}, which is not empty")
    counts = _checked(build)
    made = path.with_name(f".{path.name}.new")
    rmtree(made, ignore_errors=True)
    with _tables(build=build) as connection:
        connection.execute(_PART, asdict(part))
        keys = {key for (key,) in _rows(connection, "SELECT key FROM part")}
        if part != _WHOLE:
            counts = {"norms": len(keys)}
            if not keys:
                raise BadParameter(f"expected a place, authority and year of norms of {build}, got those of none")
        with stores.open_for_writing(made, create=True) as store, TemporaryDirectory(dir=made) as place:
            quads = sorted((build / GRAPH).iterdir())
            if part != _WHOLE:
                left_out = {record for (record,) in _rows(connection, _LEFT_OUT)}
                quads = [_written(_quads_of_part(_quads(build), left_out, keys), Path(place, "part.nq.gz"))]
            found = _rows(connection, _SUMMARIES)
            summaries = {name: packed for name, packed in found if part == _WHOLE or key_of(name) in keys}
            store.take_over(quads, summaries, _norms(connection))
        kept = Quarantine(made / QUARANTINE)
        for _, *values in _rows(connection, f"FROM build_{REFUSAL}"):
            kept.put(Refusal(*values))
    if part == _WHOLE:
        _state(build, made)
    if path.is_dir():
        path.rmdir()
    made.rename(path)
    return counts


def load_difference(build: Path, since: Path, path: Path) -> dict[str, int]:
    """Change the store of one build into that of another, and return the counts of the other.

    All changes of the graph are one transaction, which is in memory, and one snapshot.

    Args:
        build: the folder of the build that the store will have.
        since: the folder of the build that the store has.
        path: the folder of the store.

    Raises:
        BadParameter: the store was not made from the whole build ``since``, or was written later; or the extra
            ``spark`` is not installed.
        StoreDamaged: a file of a build is missing or was changed; or as :func:`graph.store.open_for_writing`.
    """
    counts = _checked(build)
    _checked(since)
    with _tables(build=build, since=since) as connection, stores.open_for_writing(path) as store:
        if _stated(path) != [_identifier(since), _publication(path)]:
            raise BadParameter(f"expected a store made from {since} and not written since, got {path}")
        both = merge(((line, False) for line in _quads(since)), ((line, True) for line in _quads(build)))
        changed: tuple[list[bytes], list[bytes]] = [], []
        for line, found in groupby(both, itemgetter(0)):
            of_build = [is_new for _, is_new in found]
            if len(of_build) == 1:
                changed[of_build[0]].append(line)
        store.take_difference(*changed, dict(_rows(connection, _CHANGED_SUMMARIES)))
        kept = Quarantine(path / QUARANTINE)
        for (key,) in _rows(connection, _CLEARED):
            kept.remove(key)
        for _, *values in _rows(connection, _REFUSED):
            kept.put(Refusal(*values))
    _state(build, path)
    return counts


def _state(build: Path, path: Path) -> None:
    """Write into a store the build that its published state equals."""
    (path / STATED).write_text(json.dumps([_identifier(build), _publication(path)]), encoding="utf-8")


def _stated(path: Path) -> object:
    """Return what :func:`_state` wrote; None if the store states no build."""
    try:
        return json.loads((path / STATED).read_bytes())
    except (OSError, ValueError):
        return None


def _identifier(build: Path) -> str:
    return sha256((build / MANIFEST).read_bytes()).hexdigest()


def _publication(path: Path) -> int | None:
    """Return the random number of the published state of a store."""
    published = read_published(path / CURRENT)
    return None if published is None else published.index


@contextmanager
def _tables(**builds: Path) -> Iterator[Any]:
    """Open the tables of builds as views, whose names begin with the given names.

    Raises:
        BadParameter: the extra ``spark`` is not installed.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadParameter("expected the extra spark, `pip install 'vigente[spark]'`: it reads Parquet") from None
    with duckdb.connect() as connection:
        for name, build in builds.items():
            for table in (*TABLES, REFUSAL):
                connection.read_parquet(str(build / table / "*.parquet")).create_view(f"{name}_{table}")
        yield connection


#: Makes the table of the keys of the chosen norms, and of those that decide on their days.
_PART = """
CREATE TABLE part AS WITH RECURSIVE reached AS (
  SELECT key FROM build_norm
  WHERE ($place IS NULL OR place = $place OR $place <> 'br' AND starts_with(place, $place || ';'))
    AND ($authority IS NULL OR authority = $authority) AND ($year IS NULL OR year = $year)
  UNION SELECT other FROM reached JOIN build_needed ON build_needed.key = reached.key
)
SELECT key FROM reached
"""
_LEFT_OUT = "SELECT record FROM build_about EXCEPT SELECT record FROM build_about SEMI JOIN part USING (key)"
_SUMMARIES = f"SELECT name, packed FROM build_summary WHERE record = '{DERIVED_GRAPH}'"  # noqa: S608 - of this module
_CHANGED_SUMMARIES = f"""
WITH older AS (SELECT name, packed FROM since_summary WHERE record = '{DERIVED_GRAPH}')
SELECT name, newer.packed FROM ({_SUMMARIES}) AS newer FULL JOIN older USING (name)
WHERE newer.packed IS DISTINCT FROM older.packed
"""  # noqa: S608 - of this module
_CLEARED = "SELECT key FROM since_refusal ANTI JOIN build_refusal USING (key)"
_REFUSED = "FROM build_refusal ANTI JOIN since_refusal USING (key)"
#: The rows of the norms, also of norms and provisions without any; of ``history`` without its first three columns.
_HISTORIES = """
SELECT n.norm, p.place, p.fragment, p.parent, p.own, m.made, h.* EXCLUDE (norm, place, fragment)
FROM build_norm AS n SEMI JOIN part ON part.key = n.key
LEFT JOIN build_provision AS p ON p.norm = n.norm
LEFT JOIN (SELECT norm, place, list([version, act]) AS made FROM build_made GROUP BY norm, place) AS m
  ON m.norm = p.norm AND m.place = p.place
LEFT JOIN build_history AS h ON h.norm = p.norm AND h.place = p.place
ORDER BY n.norm, p.place, h.valid_from, h.known_from, h.axes
"""
_PERIOD_OF = f"<{VIG['periodoDe']}>".encode()


def _checked(build: Path) -> dict[str, int]:
    """Return the counts of a build after its files were checked.

    Raises:
        StoreDamaged: a file is missing or was changed, or another release made the build.
    """
    try:
        stated = json.loads((build / MANIFEST).read_bytes())
        files, counts = stated["files"], stated["counts"]
        if stated["build"] != FORMAT:
            raise StoreDamaged(f"{build / MANIFEST}: expected a build of format {FORMAT}, got {stated['build']}")
        for name, about in files.items():
            with (build / name).open("rb") as content:
                if file_digest(content, "sha256").hexdigest() != about["sha256"]:
                    raise StoreDamaged(f"{build / name} was changed: its SHA-256 is not that of {MANIFEST}")
    except OSError as error:
        raise StoreDamaged(f"{error.filename} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoreDamaged(f"{build / MANIFEST} is not the manifest of a build") from None
    return {str(name): int(count) for name, count in counts.items()}


def _rows(connection: Any, sql: str) -> Iterator[Any]:
    found = connection.cursor().execute(sql)
    while some := found.fetchmany(10_000):
        yield from some


def _quads_of_part(quads: Iterable[bytes], left_out: Collection[str], keys: Collection[str]) -> Iterator[bytes]:
    """Yield the lines of sorted N-Quads without those of some records, and without the periods of other norms."""
    for _, of_subject in groupby(quads, lambda line: line.partition(b" ")[0]):
        derived: list[bytes] = []
        for line in of_subject:
            graph = line.rsplit(b" ", 2)[1][1:-1].decode()
            if graph == DERIVED_GRAPH:
                derived.append(line)
            elif graph not in left_out:
                yield line
        work = _work_of(derived)
        if work is None or key_of(work) in keys:
            yield from derived


def _quads(build: Path) -> Iterator[bytes]:
    for file in sorted((build / GRAPH).iterdir()):
        with gzip.open(file) as lines:
            yield from lines


def _work_of(derived: Sequence[bytes]) -> str | None:
    """Return the IRI of the work that the derived lines of a subject are about; None for that of a provider."""
    for line in derived:
        subject, predicate, rest = line.split(b" ", 2)
        if subject.startswith(b"<urn:lex:"):
            return subject[1:-1].decode()
        if predicate == _PERIOD_OF:
            return rest.partition(b" ")[0][1:-1].decode()
    return None


def _written(lines: Iterable[bytes], file: Path) -> Path:
    with gzip.open(file, "wb", compresslevel=1) as output:
        output.writelines(lines)
    return file


def _norms(connection: Any) -> Iterator[StoredNorm]:
    """Yield the rows of the norms of the part."""
    for norm, of_norm in groupby(_rows(connection, _HISTORIES), itemgetter(0)):
        provisions = [
            StoredProvision(
                *(fragment, place, parent, own),
                [read_row(row[6:]) for row in found if row[6] is not None],
                [(version, act) for version, act in found[0][5] or ()],
            )
            for (place, fragment, parent, own), some in groupby(of_norm, itemgetter(1, 2, 3, 4))
            if fragment is not None
            for found in [list(some)]
        ]
        yield StoredNorm(norm, provisions)
