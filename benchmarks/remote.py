"""Benchmark of remote graphs: loading and asking through an endpoint, compared with the embedded store in one run.

Run ``python -m benchmarks.remote`` (``--works 1000 10000``). Virtuoso is only read: it gets the quads of the embedded
store. The server of each
engine runs on this machine and uses some of the processors. Each stage runs in a separate process. Between machines,
compare the ratios to the embedded store.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.figures import record_figures
from benchmarks.generate import works, write_pages
from benchmarks.stages import Figures, measured
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.catalogue import named
from queries.in_force import in_force
from queries.timeline import timeline
from tests.support.served_engines import WHY_NOT, EngineName, fill, programs, serving_engine

_SIZES = (1_000, 10_000)
_QUESTIONS = 100
#: At the end, the records of one work in this number of works are replaced.
_SHARE = 20
_ON, _KNOWN = "2001-01-01", "2010-01-01"


def embedded(count: int, folder: Path) -> dict[str, float]:
    """Measure the embedded store."""
    write_pages(_made(folder / "pages"), count)
    write_pages(_made(folder / "others"), count // _SHARE, seed=2)
    return {**_loads(folder / "embedded", folder), **_questions(folder / "embedded", count)}


def oxigraph(count: int, folder: Path) -> dict[str, float]:
    """Measure a graph behind ``oxigraph serve``."""
    return _behind(EngineName.OXIGRAPH, count, folder)


def virtuoso(count: int, folder: Path) -> dict[str, float]:
    """Measure a graph behind Virtuoso."""
    return _behind(EngineName.VIRTUOSO, count, folder)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _behind(name: EngineName, count: int, folder: Path) -> dict[str, float]:
    with serving_engine(name, folder / f"{name}-server", rows=1_000_000) as server:
        if server.credentials is not None:
            os.environ["VIGENTE_ENDPOINT_USER"] = server.credentials.user
            os.environ["VIGENTE_ENDPOINT_PASSWORD"] = server.credentials.password
        if name is EngineName.VIRTUOSO:
            with stores.open(folder / "embedded") as store:
                fill(server.engine(), store.engine)
        server.connect(folder / name)
        loads = {} if name is EngineName.VIRTUOSO else _loads(folder / name, folder)
        figures = {**loads, **_questions(folder / name, count)}
        return {**figures, "peak MiB of the server": _peak(server.process.pid)}


def _loads(where: Path, folder: Path) -> dict[str, float]:
    """Return the rates of loading; they include the time of the server."""
    figures = {}
    for day, pages in (("load", folder / "pages"), ("load again", folder / "pages"), ("replace", folder / "others")):
        began = time.perf_counter()
        with stores.open_for_writing(where, create=True) as store:
            summary = load([pages], store, Quarantine(where / QUARANTINE))
        figures[f"{day}, records/s"] = (summary.loaded + summary.unchanged) / (time.perf_counter() - began)
    return figures


def _questions(where: Path, count: int) -> dict[str, float]:
    """Return the elapsed times of questions; they include the time of the server."""
    figures: dict[str, float] = {}
    names = Random(7).choices([name for name, _ in works(count)][count // _SHARE :], k=_QUESTIONS)
    with stores.open(where) as store:
        figures["quads"] = len(store)
        figures["in-force, median ms"] = _each(names, lambda name: in_force(store, name, _ON, _KNOWN))
        figures["timeline, median ms"] = _each(names, lambda name: timeline(store, name))
        began = time.perf_counter()
        rows = sum(1 for _ in named("in_force_on_day").rows(store, {"em": _ON, "conhecido": _KNOWN}))
        figures["in_force_on_day, s"] = time.perf_counter() - began
        figures["in_force_on_day, rows"] = rows
    return figures


def _each(names: Sequence[str], ask: Callable[[str], object]) -> float:
    """Return the median time of a question, in milliseconds."""
    spent = []
    for name in names:
        began = time.perf_counter()
        ask(name)
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


def _peak(process: int) -> float:
    """Return the peak memory of a server in MiB; 0 where the system does not report it."""
    status = Path(f"/proc/{process}/status")
    match = re.search(r"VmHWM:\s*([0-9]+) kB", status.read_text("ascii")) if status.exists() else None
    return int(match[1]) / 1024 if match is not None else 0.0


def main() -> None:
    """Print every figure at every size, and its ratio to the embedded store."""
    stage_of_engine = {EngineName.OXIGRAPH: oxigraph, EngineName.VIRTUOSO: virtuoso}
    lacking = [name for name in stage_of_engine if programs(name) is None]
    stages = [embedded, *(stage for name, stage in stage_of_engine.items() if name not in lacking)]
    figures_by_size = measured("benchmarks.remote", __doc__, "works", _SIZES, stages)
    if figures_by_size is not None:
        _print(figures_by_size)
        if lacking:
            sys.exit("; ".join(WHY_NOT[name] for name in lacking))


def _print(by_size: Figures) -> None:
    for size, stages in by_size.items():
        print(f"{size:,} works" + " " * 24 + "".join(f"{stage:>12}{'x':>8}" for stage in stages))
        for figure, own in stages["embedded"].items():
            ratios = {stage: figures[figure] / own for stage, figures in stages.items() if own and figure in figures}
            cells = (
                f"{figures.get(figure, 0):>12,.1f}{ratios.get(stage, 0):>8.2f}" for stage, figures in stages.items()
            )
            print(f"  {figure:34}{''.join(cells)}")
            record_figures(
                size, "x embedded", {f"{figure}, {stage}": x for stage, x in ratios.items() if stage != "embedded"}
            )


if __name__ == "__main__":
    main()
