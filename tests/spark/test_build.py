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
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import samples
from benchmarks.generate import write_pages
from graph.build import MANIFEST
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.read_model.table import events_of, provision_numbers
from graph.store import Store, open_for_writing
from graph.store import open as open_store
from graph.store.fulltext import kind_of
from loaders.harvest.archive import Archive, PageKind, missing_payload, outcomes, read_archive
from service.cli.program import execute
from tests.support.deriving import result
from tests.support.serve_process import children
from tests.support.served_engines import WHY_NOT, EngineName, programs, serving_engine

pytest.importorskip("duckdb", reason="the extra spark is not installed")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)
if find_spec("pyspark") is None:
    pytest.skip("the extra spark is not installed", allow_module_level=True)

_SAMPLE = samples.folder()
_LOCAL = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
_DOCS = Path(__file__).parents[2] / "docs"
_GUIDE, _REMOTE = (
    (_DOCS / page).read_text("utf-8") for page in ("how-to/build-on-a-cluster.md", "reference/remote.md")
)
#: The code of the guide: for DuckDB, for Spark, and the days and names of its questions.
_CODE = re.findall(r"```python\n(.*?)```", _GUIDE, re.DOTALL)
_QUESTIONS = re.findall(r"`(ask\(.+\))`", _GUIDE)
_BUILD = [sys.executable, "-m", "vigente", "build"]
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
        command = [*_BUILD, "files", "harvest", f"file://{_SAMPLE / 'oai'}", "--out", str(out)]
        command += ["--groups", str(2 * workers + 1), "--master", f"local-cluster[{workers},1,1024]"]
        settings = {**_LOCAL, "SPARK_LOCAL_DIRS": str(folder)}
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=settings, cwd=sources) as running:
            if workers == 2:
                while not (out / "norm").exists() and running.poll() is None:
                    time.sleep(0.1)
                (driver,) = children(running.pid, b"")
                os.kill(children(driver, b"Executor")[0], signal.SIGKILL)
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


def test_a_difference_makes_the_store_of_the_other_build(
    builds: dict[int, Path], loaded: Path, sources: Path, tmp_path: Path
) -> None:
    older, store = str(tmp_path / "older"), tmp_path / "store"
    command = [*_BUILD, "files/cut.xml", "files/older.xml", "files/facts", "--out", older, "--master", "local[2]"]
    assert subprocess.run(command, capture_output=True, check=False, env=_LOCAL, cwd=sources).returncode == 3
    assert execute(["--store", str(store), "load", older]) == 0
    first, refused = result(store), _refused(store)
    for since, other, expected in ((older, builds[1], result(loaded)), (builds[1], older, first)):
        assert execute(["--store", str(store), "load", str(other), "--since", str(since)]) == 0
        assert result(store) == expected
    assert _refused(store) == refused
    assert execute(["--store", str(store), "load", str(builds[1]), "--since", str(builds[4])]) == 2
    assert execute(["--store", str(store), "load", str(sources / "files"), "--workers", "1"]) == 3
    assert execute(["--store", str(store), "load", str(builds[1]), "--since", older]) == 2


def test_a_part_has_the_rows_of_the_whole_also_when_it_is_derived_again(
    builds: dict[int, Path], loaded: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    with open_store(loaded) as whole:
        chosen = {norm.name: norm for norm in whole.names.stored_norms() if kind_of(norm.name)[::3] == ("br", 1990)}
    for command in (["load", str(builds[4]), "--year", "1990", "--place", "br"], ["rebuild"]):
        assert execute(["--store", str(store), *command]) == 0
        with open_store(store) as part:
            found = {norm.name: norm for norm in part.names.stored_norms()}
        assert {name: found.get(name) for name in chosen} == chosen != {}
    assert execute(["--store", f"{store}.none", "load", str(builds[4]), "--year", "1800"]) == 2


def test_virtuoso_loads_the_files_of_a_build(
    builds: dict[int, Path], loaded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if programs(EngineName.VIRTUOSO) is None:
        pytest.skip(WHY_NOT[EngineName.VIRTUOSO])
    files = builds[4] / "graph"
    monkeypatch.setenv("VIRTUOSO_LOADS", str(files))
    with serving_engine(EngineName.VIRTUOSO, tmp_path / "engine", rows=1_000_000) as engine:
        (row,) = re.findall(r"^\| Virtuoso \| `([^`]+)`", _REMOTE, re.MULTILINE)
        command = "exec=" + row.replace("/shared/build/graph", str(files))
        subprocess.run(["isql-vt", f"127.0.0.1:{engine.sql_port}", "dba", "dba", command], check=True)
        beside = str(tmp_path / "beside")
        assert execute(["--store", beside, "--endpoint", engine.url, "in-force", "Lei nº 8.078, de 1990"]) == 0
        with open_store(Path(beside)) as remote, open_store(loaded) as store:
            assert set(map(str, remote.engine)) == set(map(str, store.engine))


def test_a_changed_build_is_refused(builds: dict[int, Path], tmp_path: Path) -> None:
    copy = shutil.copytree(builds[1], tmp_path / "build")
    part = min((copy / "history").iterdir())
    part.write_bytes(part.read_bytes()[:-1])
    assert execute(["--store", str(tmp_path / "store"), "load", str(copy)]) == 4
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_questions_of_the_guide_have_the_rows_of_a_store(
    engine: str, builds: dict[int, Path], loaded: Path, tmp_path: Path
) -> None:
    asked = f"import json\nprint(json.dumps([[list(row) for row in answer] for answer in ({', '.join(_QUESTIONS)})]))"
    script = "\n".join([_CODE[engine == "spark"], _CODE[2], asked]).replace("/shared/build", str(builds[4]))
    command = [sys.executable, "-c", script]
    settings = {**_LOCAL, "PYSPARK_SUBMIT_ARGS": "--conf spark.sql.shuffle.partitions=2 pyspark-shell"}
    found = json.loads(subprocess.run(command, capture_output=True, check=True, env=settings, cwd=tmp_path).stdout)
    known: dict[str, Any] = {}
    exec(_CODE[2], known)  # noqa: S102 - of the guide
    with open_store(loaded) as store:
        number = store.full_text.number_if_known(known["NORM"])
        known |= {"ALL": provision_numbers(None), "ONE": provision_numbers(number), "ask": partial(_answers, store)}
        for question, rows in zip(_QUESTIONS, found, strict=True):
            expected = eval(question, known)  # noqa: S307 - of the guide
            assert list(map(_unpacked, rows)) == list(map(_unpacked, expected)) != [], question
    assert len(found) == 10


def _answers(store: Store, question: str, **values: int) -> list[tuple[Any, ...]]:
    return store.full_text.select(files("queries").joinpath("sql", f"{question}.sql").read_text("utf-8"), values)


def _unpacked(row: Sequence[Any]) -> list[Any]:
    """Return a row; the seventh value of a change is its list of events."""
    return [*row[:6], events_of(row[6], row[0])] if len(row) == 7 else list(row)


def _refused(store: Path) -> list[tuple[str, str, str]]:
    return sorted((kept.key, kept.origin, kept.position) for kept in Quarantine(store / "quarantine").list())
