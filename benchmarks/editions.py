"""One norm with a whole text for each of its versions, measured: what its text takes, and that of one of its articles.

Run ``python -m benchmarks.editions`` (``--editions 30 93``). Each edition is a document of some 2,700 provisions, which
differs from the one before it in a few; so each provision is in as many records as there are editions. Times are those
of the processor, medians over days and articles; each question is put to a store that remembers nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.generator.documents import CONSOLIDATED, editions, write_editions
from benchmarks.stages import measured, printed
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries import diff
from queries.in_force import in_force
from queries.text.text import text

_SIZES = (30, 93)
_ARTICLES = 338
_KNOWN = date(2026, 1, 1)
#: How many days the whole is asked for, and how many articles.
_DAYS, _ASKED = 5, 15


def load_editions(count: int, folder: Path) -> dict[str, float]:
    """Load that many editions into a store on disk, periods derived."""
    pages, where = folder / "editions", folder / "store"
    pages.mkdir()
    write_editions(pages, count, _ARTICLES)
    began, busy = time.perf_counter(), time.process_time()
    with stores.open_for_writing(where, create=True) as store:
        load([pages], store, Quarantine(where / QUARANTINE))
        spent = {"clock s": time.perf_counter() - began, "processor s": time.process_time() - busy}
        return {**spent, "quads": len(store)}


def ask(count: int, folder: Path) -> dict[str, float]:
    """The whole text, that of an article and of a chapter, whether an article is in force, and what changed."""
    days = [day for day, _ in editions(count, _ARTICLES)]
    asked = [days[at * (count - 1) // (_DAYS - 1)] for at in range(_DAYS)]
    articles = [f"{CONSOLIDATED}!art{number}" for number in range(7, _ARTICLES, _ARTICLES // _ASKED)]
    with stores.open(folder / "store") as store:
        in_force(store, CONSOLIDATED, days[0], _KNOWN)  # what is read once, such as the catalogue, is no part of it
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
    """Seconds of the processor that the median question takes."""
    spent: list[float] = []
    for name in names:
        for day in days:
            began = time.process_time()
            question(Store(store.engine, None, store.names), name, day, _KNOWN)
            spent.append(time.process_time() - began)
    return median(spent)


def main() -> None:
    """Print every figure at every size, and how much longer an answer takes of more editions."""
    found = measured("benchmarks.editions", __doc__, "editions", _SIZES, (load_editions, ask))
    if found is None:
        return
    printed(found)
    first, last = (found[size]["ask"] for size in (min(found), max(found)))
    growth = {name: last[name] / first[name] for name in first if name.endswith("processor s") and first[name]}
    for name, ratio in growth.items():
        print(f"{name.removesuffix(', processor s')}: {ratio:.2f} times for {max(found) / min(found):.1f} as many")
    tell(max(found), "growth", {name.removesuffix(", processor s"): ratio for name, ratio in growth.items()})


if __name__ == "__main__":
    main()
