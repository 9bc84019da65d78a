"""Builds on a cluster of worker processes, loaded into a store, equal the store that loads the same sources itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

import samples
from benchmarks.generate import write_pages
from graph.build import MANIFEST, TABLES
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import open as open_store
from graph.store import open_for_writing
from loaders.harvest.archive import Archive, PageKind, missing_payload, outcomes, read_archive
from queries.catalogue import named
from service.cli.program import execute
from tests.support.deriving import result

duckdb = pytest.importorskip("duckdb", reason="the extra spark is not installed")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)
if find_spec("pyspark") is None:
    pytest.skip("the extra spark is not installed", allow_module_level=True)

_SAMPLE = samples.folder()
_LOCAL = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
#: Asks SQL in Spark: the argument is a JSON list of the folder of a build, and a list of questions.
_ASK = """
import json, sys
from pyspark.sql import SparkSession
folder, questions = json.loads(sys.argv[1])
session = SparkSession.builder.master("local[1]").config("spark.sql.shuffle.partitions", 1).getOrCreate()
for table in ("norm", "history", "made"):
    session.read.parquet(f"file://{folder}/{table}").createOrReplaceTempView(table)
print(json.dumps([[[str(cell) for cell in row] for row in session.sql(sql).collect()] for sql in questions]))
"""
#: Seconds to wait for a build, on a busy machine.
_PATIENCE = 900


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files, poisoned ones among them, and a folder with an archive of a harvest."""
    folder = tmp_path_factory.mktemp("sources")
    files = folder / "files"
    shutil.copytree(_SAMPLE, files, ignore=shutil.ignore_patterns("*.py", "*.md", "py.typed", "oai", "__pycache__"))
    write_pages(files, 40)
    page = (_SAMPLE / "oai" / "outros.xml").read_bytes()
    (files / "older.xml").write_bytes(page.replace(b"<datestamp>2008-12-15", b"<datestamp>2007-12-15"))
    (files / "truncated.xml.gz").write_bytes(b"\x1f\x8b\x08\x00broken")
    (files / "cut.xml").write_bytes(page[: len(page) // 2])
    (files / "binary.xml").write_bytes(b"\x00\x01" * 999)
    archive = Archive(folder / "harvest" / "list", "https://exemplo.vigente.invalid/oai", None, "test")
    began = datetime(2026, 1, 2, tzinfo=UTC)
    archive.keep(PageKind.PAGE, began, began, "page 1", page)
    missing = missing_payload(["oai:exemplo.vigente.invalid:amostra/lei-11705-2008"])
    archive.keep(PageKind.MISSING, began, began.replace(hour=1), "missing", missing)
    archive.settle(changed=True)
    return folder


@pytest.fixture(scope="module")
def loaded(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that loaded the sources itself."""
    store = tmp_path_factory.mktemp("loaded") / "store"
    paths = [sources / "files", *sorted((_SAMPLE / "oai").iterdir())]
    assert execute(["--store", str(store), "load", str(paths[0]), "--workers", "1"]) == 3
    with open_for_writing(store) as opened:
        found = [record for entry in read_archive(sources / "harvest") for record in outcomes(entry)]
        opened.apply([record for record in found if isinstance(record, Record)])
    assert execute(["--store", str(store), "load", *map(str, paths[1:]), "--workers", "1"]) == 0
    return store


@pytest.fixture(scope="module")
def builds(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Return builds by 1, 2 and 4 workers; one of the 2 is killed when everything is derived and a table is written."""
    made: dict[int, Path] = {}
    for workers in (1, 2, 4):
        folder = tmp_path_factory.mktemp("build")
        made[workers] = out = folder / "build"
        command = [sys.executable, "-m", "vigente", "build", str(sources / "files"), str(sources / "harvest")]
        command += [f"file://{_SAMPLE / 'oai'}", "--out", str(out), "--groups", str(2 * workers + 1)]
        command += ["--master", f"local-cluster[{workers},1,1024]"]
        settings = {**_LOCAL, "SPARK_LOCAL_DIRS": str(folder)}
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=settings) as running:
            if workers == 2:
                while not (out / "norm").exists() and running.poll() is None:
                    time.sleep(0.1)
                os.kill(_worker_of(running.pid), signal.SIGKILL)
            _, messages = running.communicate(timeout=_PATIENCE)
        assert running.returncode == 3, messages.decode()
    return made


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_build_equals_the_store(workers: int, builds: dict[int, Path], loaded: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert execute(["--store", str(store), "load", str(builds[workers])]) == 0
    assert result(store) == result(loaded)
    assert _refused(store) == _refused(loaded) != []
    described = [json.loads((builds[one] / MANIFEST).read_bytes()) for one in (1, workers)]
    assert described[0]["tables"] == described[1]["tables"]
    assert described[0]["counts"] == described[1]["counts"]
    assert execute(["--store", str(store), "load", str(builds[workers])]) == 2


def test_a_changed_build_is_refused(builds: dict[int, Path], tmp_path: Path) -> None:
    copy = shutil.copytree(builds[1], tmp_path / "build")
    part = min((copy / "history").iterdir())
    part.write_bytes(part.read_bytes()[:-1])
    assert execute(["--store", str(tmp_path / "store"), "load", str(copy)]) == 4
    assert not (tmp_path / "store").exists()


def test_questions_have_the_same_rows_in_duckdb_and_spark(builds: dict[int, Path], loaded: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/how-to/build-on-a-cluster.md").read_text("utf-8")
    questions = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert len(questions) == 5
    asked = json.dumps([str(builds[4]), questions])
    command = [sys.executable, "-c", _ASK, asked]
    rows = json.loads(subprocess.run(command, capture_output=True, check=True, env=_LOCAL).stdout)
    with duckdb.connect() as connection:
        for table in TABLES:
            files = f"'{builds[4] / table}/*.parquet'"
            connection.execute(f"CREATE VIEW {table} AS FROM read_parquet({files})")
        for question, answer in zip(questions, rows, strict=True):
            found = connection.execute(question).fetchall()
            assert [[str(cell) for cell in row] for row in found] == answer
            assert answer
    with open_store(loaded) as store:
        catalogued = named("in_force_on_day").rows(store, {"em": "2008-12-15", "conhecido": "2025-01-01"})
        versions = {(str(row["norma"]), str(row["versao"])) for row in catalogued}
    assert {(norm, version) for norm, version, *_ in rows[0]} == {pair for pair in versions if "!" not in pair[0]}


def _refused(store: Path) -> list[tuple[str, str, str]]:
    return sorted((kept.key, kept.origin, kept.position) for kept in Quarantine(store / "quarantine").list())


def _worker_of(process: int) -> int:
    """Return the process id of a worker of the driver that a process started."""
    (driver,) = _children(process)
    return next(one for one in _children(driver) if b"Executor" in Path(f"/proc/{one}/cmdline").read_bytes())


def _children(process: int) -> list[int]:
    paths = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in paths for child in path.read_text().split()]
