"""Benchmark of loading: records a second, processor time of each stage, and memory.

Run ``python -m benchmarks.loading`` (``--records 20000 100000``). Seven of ten records name a norm without a version,
as most real records do; the others have versions with periods. Each stage runs in a separate process. Between machines,
compare the ratio to the bare engine, which only bulk-loads the same lines in the same run.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pyoxigraph as ox

from benchmarks.figures import record_figures
from benchmarks.generate import write_mixed_pages
from benchmarks.stages import Figures, measured, print_figures
from graph import store as stores
from graph.entities import Record
from graph.mapping import MappedRecord, map_record
from graph.process import available
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.documents import SourceDocument, walk
from loaders.parallel import PendingPage, ReaderPool
from loaders.pipeline import load
from loaders.sources.oai_lexml import read_oai_lexml

_SIZES = (20_000, 100_000)
_BATCH = 5_000
#: The number of queued pages for each worker: enough for the time in which a batch is stored.
_AHEAD = 12


def with_pool(count: int, folder: Path) -> dict[str, float]:
    """Read and map pages in a pool; store, derive and publish in this process, as a harvest does."""
    pages = folder / "pages"
    pages.mkdir()
    write_mixed_pages(pages, count)
    began, spent = time.perf_counter(), time.process_time()
    with ReaderPool() as pool, stores.open_for_writing(folder / "store", create=True) as store:
        batch: list[MappedRecord] = []
        waiting: deque[PendingPage] = deque()
        left = iter(sorted(pages.iterdir()))
        while True:
            for path in islice(left, _AHEAD * available() - len(waiting)):
                waiting.append(pool.submit(path.name, path.read_bytes()))
            if not waiting:
                break
            batch.extend(record for record in waiting.popleft().result() if isinstance(record, MappedRecord))
            if len(batch) >= _BATCH:
                store.apply(batch)
                batch.clear()
        store.apply(batch)
    took = time.perf_counter() - began
    own = time.process_time() - spent
    with stores.open(folder / "store") as published:
        quads = len(published)
    workers = getrusage(RUSAGE_CHILDREN)
    return {
        "records/s": count / took,
        "quads/s": quads / took,
        "quads/record": quads / count,
        "CPU ms/record, store": 1000 * own / count,
        "CPU ms/record, workers": 1000 * (workers.ru_utime + workers.ru_stime) / count,
        "peak MiB of a worker": workers.ru_maxrss / 1024,
    }


def with_thread(count: int, folder: Path) -> dict[str, float]:
    """Load the same pages with ``load``: one process, with a thread that reads ahead."""
    where = folder / "other"
    began, spent = time.perf_counter(), time.process_time()
    with stores.open_for_writing(where, create=True) as store:
        load([folder / "pages"], store, Quarantine(where / QUARANTINE))
    took = time.perf_counter() - began
    return {"records/s": count / took, "CPU ms/record": 1000 * (time.process_time() - spent) / count}


def by_stage(count: int, folder: Path) -> dict[str, float]:
    """Measure the processor time of each stage, one after the other in one process.

    The time of deriving is that of deriving everything again. It is slightly too high, since it also reads the store.
    """
    read = map_ = put = 0.0
    records = _records(folder)
    with stores.open_for_writing(folder / "stages", create=True) as store:
        while True:
            began = time.process_time()
            some = list(islice(records, _BATCH))
            read += time.process_time() - began
            if not some:
                break
            began = time.process_time()
            mapped = [map_record(record) for record in some]
            map_ += time.process_time() - began
            began = time.process_time()
            store.apply(mapped)
            put += time.process_time() - began
        began = time.process_time()
        store.rebuild()
        derive = time.process_time() - began
    spent = {"read": read, "map": map_, "store, including derive": put, "derive": derive}
    return {f"CPU ms/record, {stage}": 1000 * seconds / count for stage, seconds in spent.items()}


def bare_engine(count: int, folder: Path) -> dict[str, float]:
    """Load the same lines with the bulk loader of the engine alone, in the same batches: the reference for loading."""
    records = _records(folder)
    engine = ox.Store(str(folder / "bare"))
    took = spent = 0.0
    while some := list(islice(records, _BATCH)):
        mapped = map(map_record, some)
        text = "".join(
            f"GRAPH <{mapped_record.graph}> {{\n{mapped_record.lines}}}\n" for mapped_record in mapped
        ).encode()
        began, cpu = time.perf_counter(), time.process_time()
        engine.bulk_load(text, ox.RdfFormat.TRIG)
        took += time.perf_counter() - began
        spent += time.process_time() - cpu
    return {"records/s": count / took, "quads/s": len(engine) / took, "CPU ms/record": 1000 * spent / count}


def _records(folder: Path) -> Iterator[Record]:
    for document in walk([folder / "pages"]):
        for outcome in read_oai_lexml(document) if isinstance(document, SourceDocument) else ():
            if isinstance(outcome, Record):
                yield outcome


def main() -> None:
    """Print every figure at every size, and the ratios to the bare engine."""
    figures_by_size = measured(
        "benchmarks.loading", __doc__, "records", _SIZES, (with_pool, with_thread, by_stage, bare_engine)
    )
    if figures_by_size is not None:
        _print(figures_by_size)


def _print(by_size: Figures) -> None:
    print_figures(by_size)
    for size in by_size:
        bare = by_size[size]["bare_engine"]["records/s"]
        pool, thread = (by_size[size][stage]["records/s"] / bare for stage in ("with_pool", "with_thread"))
        print(f"{size:,} records: with the pool at {pool:.2f} of the bare engine, with the thread at {thread:.2f}")
        record_figures(size, "ratio", {"pool to bare engine": pool, "thread to bare engine": thread})


if __name__ == "__main__":
    main()
