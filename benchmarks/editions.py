"""Benchmark of one norm with a complete text for each version: the text of the norm and of one article.

Run ``python -m benchmarks.editions`` (``--editions 30 93``). Each edition is a document of some 2,700 provisions, of
which few differ from the previous edition. So each provision is in as many records as there are editions. The figures
are medians of processor time over days and articles. Each question uses a store with empty caches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median

from benchmarks.figures import record_figures
from benchmarks.generator.documents import CONSOLIDATED, editions, write_editions
from benchmarks.stages import measured, print_figures
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.diff import diff
from queries.text.text import text

_SIZES = (30, 93)
_ARTICLES = 338
_KNOWN = date(2026, 1, 1)
#: The number of days on which the whole text is requested, and of articles.
_DAYS, _ASKED = 5, 15


def load_editions(count: int, folder: Path) -> dict[str, float]:
    """Load the editions into a store on disk, and derive the periods."""
    pages, where = folder / "editions", folder / "store"
    pages.mkdir()
    write_editions(pages, count, _ARTICLES)
    began, busy = time.perf_counter(), time.process_time()
    with stores.open_for_writing(where, create=True) as store:
        load([pages], store, Quarantine(where / QUARANTINE))
        spent = {"clock s": time.perf_counter() - began, "processor s": time.process_time() - busy}
        return {**spent, "quads": len(store)}


def ask(count: int, folder: Path) -> dict[str, float]:
    """Request the whole text, the text of an article and of a chapter, an article in force, and the changes."""
    days = [day for day, _ in editions(count, _ARTICLES)]
    asked = [days[index * (count - 1) // (_DAYS - 1)] for index in range(_DAYS)]
    articles = [f"{CONSOLIDATED}!art{number}" for number in range(7, _ARTICLES, _ARTICLES // _ASKED)]
    with stores.open(folder / "store") as store:
        in_force(store, CONSOLIDATED, days[0], _KNOWN)  # reads the catalogue once, which is not measured
        provisions = len(text(store, CONSOLIDATED, days[-1], _KNOWN).provisions)
        return {
            "provisions": provisions,
            "whole text, processor s": _each(store, [CONSOLIDATED], asked, text),
            "text of an article, processor s": _each(store, articles, asked[2:3], text),
            "text of a chapter, processor s": _each(store, [f"{CONSOLIDATED}!cap3"], asked, text),
            "article in force, processor s": _each(store, articles, asked[1:2], in_force),
            "what changed, processor s": _each(store, [CONSOLIDATED], asked[1:4], _changed(days[0])),
        }


def _changed(since: date) -> Callable[[Store, str, date, date], object]:
    return lambda store, name, until, known: diff(store, name, since, until, known)


def _each(
    store: Store, names: Sequence[str], days: Sequence[date], question: Callable[[Store, str, date, date], object]
) -> float:
    """Return the median processor time of a question, in seconds."""
    spent: list[float] = []
    for name in names:
        for day in days:
            began = time.process_time()
            question(Store(store.engine, None, store.names), name, day, _KNOWN)
            spent.append(time.process_time() - began)
    return median(spent)


def main() -> None:
    """Print every figure at every size, and how the time of an answer grows with the number of editions."""
    by_size = measured("benchmarks.editions", __doc__, "editions", _SIZES, (load_editions, ask))
    if by_size is None:
        return
    print_figures(by_size)
    first, last = (by_size[size]["ask"] for size in (min(by_size), max(by_size)))
    growth = {name: last[name] / first[name] for name in first if name.endswith("processor s") and first[name]}
    for name, ratio in growth.items():
        print(f"{name.removesuffix(', processor s')}: {ratio:.2f} times for {max(by_size) / min(by_size):.1f} as many")
    record_figures(
        max(by_size), "growth", {name.removesuffix(", processor s"): ratio for name, ratio in growth.items()}
    )


if __name__ == "__main__":
    main()
