"""Figures of a benchmark as JSON lines, for the page that has all of them (``benchmarks.report``)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FILE", "Figure", "read", "tell"]

#: The environment variable that names the file to which figures are added; without it they are only printed.
FILE = "VIGENTE_BENCH_FIGURES"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        size: how much it was measured with, in the unit of the benchmark.
        stage: of the benchmark.
        name: what it is, with its unit.
        value: in that unit.
    """

    size: int
    stage: str
    name: str
    value: float


def tell(size: int, stage: str, figures: Mapping[str, float]) -> None:
    """Add the figures of a stage, each on a line of its own, to the file that the environment names."""
    if FILE in os.environ:
        with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
            for name, value in figures.items():
                said = {"size": size, "stage": stage, "figure": name, "value": value}
                file.write(json.dumps(said, ensure_ascii=False) + "\n")


def read(path: Path) -> list[Figure]:
    """The figures that a benchmark told, in their order; none where it told none."""
    if not path.exists():
        return []
    said = map(json.loads, path.read_text("utf-8").splitlines())
    return [Figure(int(one["size"]), str(one["stage"]), str(one["figure"]), float(one["value"])) for one in said]
