"""Tests of reading in several processes: order, the same store as with one, and lost workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.generate import write_mixed_pages, write_sources
from graph.entities import Record
from graph.errors import PoolBroken
from graph.quarantine import Quarantine, Refusal
from graph.store import open_for_writing
from loaders import parallel as module
from loaders.documents import BadInput, SourceDocument, walk
from loaders.outcomes import Outcome
from loaders.parallel import read_documents, read_page, read_payload
from loaders.pipeline import load
from loaders.sources.registry import read_document
from tests.support.cases import constant
from tests.support.records import quads

NAME = "urn:lex:br:federal:lei:2001-02-03;99901"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_constitution: None) -> Path:
    """Return sources of every kind, a damaged archive and an unknown file; all but the largest are sent to workers."""
    del short_constitution
    folder = tmp_path / "sources"
    folder.mkdir()
    write_sources(folder, 20)
    (folder / "broken.zip").write_bytes(b"no zip")
    (folder / "unknown").write_text("nothing that anyone knows")
    sizes = sorted(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    monkeypatch.setattr(module, "_WORTH", 0)
    monkeypatch.setattr(module, "_LARGEST", sizes[-2])
    return folder


def test_parallel_reading_gives_the_same_store(sources: Path, tmp_path: Path) -> None:
    results = []
    for workers in (1, 2):
        with open_for_writing(tmp_path / f"store{workers}", create=True) as store:
            quarantine = Quarantine(tmp_path / f"quarantine{workers}")
            summary = load([sources], store, quarantine, workers=workers, batch_size=30)
            results.append((summary.loaded, summary.refused, summary.notes, quads(store), list(store.names)))
    assert results[0][0] > 50
    assert results[0] == results[1]


def test_few_documents_are_read_in_one_process(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH", 1 << 30)
    monkeypatch.setattr(module, "ReaderPool", None)
    assert sum(isinstance(outcome, SourceDocument) for outcome in read_documents(walk([sources]), read_document, 2)) > 5


def test_missing_column_is_reported_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH", 0)
    (tmp_path / "a.csv").write_text(f"nome\n{NAME}\n")
    (tmp_path / "b.csv").write_text(f"outra\n{NAME}\n")
    with open_for_writing(tmp_path / "store", create=True) as store:
        with pytest.raises(BadInput, match="nome"):
            load([tmp_path / "a.csv", tmp_path / "b.csv"], store, Quarantine(tmp_path / "q"), column="nome", workers=2)
        assert any(NAME in str(quad.subject) for quad in store.engine)


def killing(document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """Read the first document, and kill the reading process at the next one."""
    if document.label != "0":
        os.kill(os.getpid(), signal.SIGKILL)
    return read_document(document, provider)


def documents(count: int) -> Generator[SourceDocument | Refusal, None, None]:
    for number in range(count):
        yield SourceDocument(str(number), partial(BytesIO, f"{NAME}{number}".encode()))


def test_worker_death_is_reported_after_earlier_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH", 0)
    with pytest.raises(PoolBroken, match="run the same command again"):
        list(read_documents(documents(4), killing, 2))


def test_submitted_documents_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that no more documents are opened than may be in flight, however slowly the results are consumed."""
    opened = 0

    def counted() -> Generator[SourceDocument | Refusal, None, None]:
        nonlocal opened
        for document in documents(200):
            opened += 1
            yield document

    monkeypatch.setattr(module, "_WORTH", 0)
    monkeypatch.setattr(module, "_AHEAD", 10 * len(f"{NAME}00"))
    read = partial(read_document, as_kind="names")
    with closing(read_documents(counted(), read, 2)) as outcomes:
        assert isinstance(next(outcomes), SourceDocument)
        assert opened <= 12
        assert sum(isinstance(outcome, SourceDocument) for outcome in outcomes) == 199


# The pool


ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
#: The workers' functions are defined in the program, because workers import them from there.
PROGRAM = constant("programs", "workers_program")


def run(tmp_path: Path, body: str) -> list[str]:
    done = subprocess.run(
        command(tmp_path, body), env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


def command(tmp_path: Path, body: str) -> list[str]:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "".join(f"        {line}\n" for line in body.strip().splitlines()), "utf-8")
    return [sys.executable, str(program)]


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "pages"
    folder.mkdir()
    write_mixed_pages(folder, 2_200)
    return sorted(folder.iterdir())


def _of(path: Path) -> Iterator[str]:
    for outcome in read_payload(path.name, path.read_bytes(), None, read_page):
        yield outcome.source.iri if isinstance(outcome, Record) else type(outcome).__name__


def test_pool_output_and_errors_equal_one_process_in_order(tmp_path: Path, pages: list[Path]) -> None:
    body = f"""
paths = sorted(Path({str(tmp_path / "pages")!r}).iterdir())
for page in [pool.submit(path.name, path.read_bytes(), None, slowly_at_first) for path in paths]:
    for outcome in page.result():
        print(getattr(outcome, "graph", type(outcome).__name__))
handle = pool.submit("p.xml", b"", None, failing)
try:
    handle.result()
except ValueError as error:
    print(error)
"""
    assert run(tmp_path, body) == [*(graph for path in pages for graph in _of(path)), "no reader of p.xml"]


def test_every_page_of_a_broken_pool_raises(tmp_path: Path) -> None:
    """Check pages at a worker, queued pages and pages submitted later: none of them waits forever."""
    body = f"""
import multiprocessing
pages = [pool.submit({str(tmp_path / "never")!r}, b"", None, held_up) for n in range(4)]
pages += [pool.submit(f"{{n}}.xml", b"<LexML/>") for n in range(40)]
while not pool.has_worked:
    time.sleep(0.02)
for worker in multiprocessing.active_children():
    worker.kill()
for page in pages:
    try:
        page.result()
    except PoolBroken as broken:
        assert page.ready
        print(broken.label.rpartition("/")[2])
try:
    pool.submit("after.xml", b"<LexML/>")
except PoolBroken as broken:
    print(broken.label)
"""
    assert run(tmp_path, body) == [*["never"] * 4, *(f"{n}.xml" for n in range(40)), "after.xml"]


def test_lost_worker_is_reported_with_the_page(tmp_path: Path) -> None:
    body = """
try:
    handles = [pool.submit(label, b"<LexML/>", None, dying) for label in ("third", "fourth")]
    [handle.result() for handle in handles]
except PoolBroken as broken:
    print(broken.label, broken)
"""
    (message,) = run(tmp_path, body)
    assert message == f"third {PoolBroken('third')}"
    assert str(PoolBroken("p.xml")) == (
        "a process that reads pages ended unexpectedly, killed or out of memory, at p.xml or a page near it; "
        "records stored before are intact: run the same command again"
    )


def test_script_without_a_main_guard_gets_advice(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    lines = (
        PROGRAM.partition("\ndef ")[0]
        + """
with ReaderPool(1) as pool:
    handle = pool.submit("p.xml", b"<LexML/>")
    try:
        handle.result()
    except PoolBroken as broken:
        print(broken)
"""
    )
    program.write_text(lines, "utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == f"{PoolBroken('p.xml', has_worked=False)}\n"
    assert 'if __name__ == "__main__":' in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_parent(how: signal.Signals, tmp_path: Path) -> None:
    """Send Ctrl-C to the whole process group: only the parent handles it, at once."""
    body = """
handles = [pool.submit(str(n), b"", None, asleep) for n in range(2)]
[handle.result() for handle in handles]
"""
    with subprocess.Popen(
        command(tmp_path, body),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        if how is signal.SIGINT:
            os.killpg(parent.pid, how)
        else:
            parent.send_signal(how)
        parent.stdout.read()  # returns when the last worker has ended
        errors = parent.stderr.read()
        assert parent.wait(30) != 0
    assert not any(map(_is_alive, workers))
    assert "SpawnProcess" not in errors


def _is_alive(process: int) -> bool:
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True
