"""Tests of reading in several processes: the same outcomes in the same order, and the same store, as with one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.generate import write_sources
from graph.errors import PoolBroken
from graph.quarantine import Quarantine, Refusal
from graph.store import Store, open_for_writing
from loaders import parallel as module
from loaders.documents import BadInput, SourceDocument, walk
from loaders.outcomes import Outcome
from loaders.parallel import read_documents
from loaders.pipeline import load
from loaders.sources.registry import read_document

pytestmark = pytest.mark.slow

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


def test_parallel_reading_gives_the_same_outcomes_in_order(sources: Path) -> None:
    def all_of(workers: int) -> list[object]:
        outcomes = read_documents(walk([sources]), read_document, workers)
        return [outcome.label if isinstance(outcome, SourceDocument) else outcome for outcome in outcomes]

    alone = all_of(1)
    assert len([outcome for outcome in alone if isinstance(outcome, Refusal)]) == 2
    assert all_of(2) == alone


def test_parallel_reading_gives_the_same_store(
    sources: Path, tmp_path: Path, quads: Callable[[Store], frozenset[str]]
) -> None:
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
