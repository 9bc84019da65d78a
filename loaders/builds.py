"""Loads a build of :mod:`loaders.spark` into a new store: the graph and the rows are not derived again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import file_digest
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from shutil import rmtree
from typing import Any

from graph import store as stores
from graph.build import FORMAT, GRAPH, MANIFEST, REFUSAL, read_row
from graph.errors import BadParameter, StoreDamaged
from graph.quarantine import Quarantine, Refusal
from graph.read_model.table import StoredNorm, StoredProvision
from graph.store.folder import QUARANTINE, is_free
from ontology.iris import DERIVED_GRAPH


def is_build(folder: Path) -> bool:
    """Return whether a folder has the manifest of a build."""
    return (folder / MANIFEST).is_file() and (folder / GRAPH).is_dir()


def load_build(build: Path, path: Path) -> dict[str, int]:
    """Load a build into a new store, and return its counts. The store appears whole or not at all.

    Args:
        build: the folder of the build.
        path: the folder of the store; it does not exist, or is empty.

    Raises:
        BadParameter: the store exists, or the extra ``spark`` is not installed.
        StoreDamaged: a file of the build is missing or was changed.
    """
    if not is_free(path):
        raise BadParameter(f"expected a new store for a build, got {path}, which is not empty")
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadParameter("expected the extra spark, `pip install 'vigente[spark]'`: it reads Parquet") from None
    counts = _checked(build)
    made = path.with_name(f".{path.name}.new")
    rmtree(made, ignore_errors=True)
    with duckdb.connect() as connection:
        with stores.open_for_writing(made, create=True) as store:
            store.take_over(
                sorted((build / GRAPH).iterdir()),
                dict(_rows(connection, build, "summary", "name, packed", _DERIVED)),
                _norms(connection, build),
            )
        kept = Quarantine(made / QUARANTINE)
        for _, *values in _rows(connection, build, REFUSAL, "*"):
            kept.put(Refusal(*values))
    if path.is_dir():
        path.rmdir()
    made.rename(path)
    return counts


#: The rows of all norms, also of norms and provisions without any; of ``history`` without its first three columns.
_HISTORIES = """
SELECT n.norm, p.place, p.fragment, p.parent, p.own, m.made, h.* EXCLUDE (norm, place, fragment)
FROM read_parquet($norm) AS n
LEFT JOIN read_parquet($provision) AS p ON p.norm = n.norm
LEFT JOIN (SELECT norm, place, list([version, act]) AS made FROM read_parquet($made) GROUP BY norm, place) AS m
  ON m.norm = p.norm AND m.place = p.place
LEFT JOIN read_parquet($history) AS h ON h.norm = p.norm AND h.place = p.place
ORDER BY n.norm, p.place, h.valid_from, h.known_from, h.axes
"""
_DERIVED = f"record = '{DERIVED_GRAPH}'"


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


def _rows(connection: Any, build: Path, table: str, columns: str, where: str = "TRUE") -> Iterator[Any]:
    sql = f"SELECT {columns} FROM read_parquet($files) WHERE {where}"  # noqa: S608 - of this module
    return _fetched(connection.cursor().execute(sql, {"files": str(build / table / "*.parquet")}))


def _fetched(found: Any) -> Iterator[Any]:
    while some := found.fetchmany(10_000):
        yield from some


def _norms(connection: Any, build: Path) -> Iterator[StoredNorm]:
    """Yield the rows of all norms."""
    files = {table: str(build / table / "*.parquet") for table in ("norm", "provision", "made", "history")}
    rows = _fetched(connection.cursor().execute(_HISTORIES, files))
    for norm, of_norm in groupby(rows, itemgetter(0)):
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
