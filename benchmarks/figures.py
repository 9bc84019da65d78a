"""Figures of a benchmark as JSON lines; :mod:`benchmarks.report` collects them on one page."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FILE", "Figure", "read", "record_figures"]

#: The environment variable that names the file for the figures. If it is not set, benchmarks only print them.
FILE = "VIGENTE_BENCH_FIGURES"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        size: the size of the input, in the unit of the benchmark.
        stage: the stage of the benchmark.
        name: the name of the figure, with its unit.
        value: the value, in that unit.
    """

    size: int
    stage: str
    name: str
    value: float


def record_figures(size: int, stage: str, figures: Mapping[str, float]) -> None:
    """Append the figures of a stage to the file that the environment names, one a line."""
    if FILE in os.environ:
        with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
            for name, value in figures.items():
                record = {"size": size, "stage": stage, "figure": name, "value": value}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")


def read(path: Path) -> list[Figure]:
    """Return the figures that a benchmark recorded, in order; an empty list if there is no file."""
    if not path.exists():
        return []
    stored = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Figure(int(record["size"]), str(record["stage"]), str(record["figure"]), float(record["value"]))
        for record in stored
    ]
