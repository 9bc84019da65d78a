"""Stages of a benchmark. Each runs in a separate process, so that its peak memory can be measured."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import pyoxigraph as ox

from benchmarks.figures import record_figures

__all__ = ["Figures", "Stage", "machine", "measured", "print_figures"]

_STATUS = Path("/proc/self/status")

Stage: TypeAlias = Callable[[int, Path], dict[str, float]]
#: The figures, by size, stage and name.
Figures: TypeAlias = dict[int, dict[str, dict[str, float]]]


def machine() -> str:
    """Return the machine and the versions that the figures were measured with."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"machine: {os.cpu_count()} processors, {memory:.0f} GiB; Python {platform.python_version()}, "
        f"pyoxigraph {ox.__version__}"
    )


def measured(
    module: str, description: str | None, unit: str, sizes: Sequence[int], stages: Iterable[Stage]
) -> Figures | None:
    """Run every stage at every size of the command line; return the figures, or None in the process of one stage.

    Args:
        module: the module to run with ``python -m``.
        unit: the unit of a size, which is the name of the option.
    """
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(f"--{unit}", type=int, nargs="+", default=list(sizes), help=f"sizes, in {unit}")
    options.add_argument("--stage", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    named = {stage.__name__: stage for stage in stages}
    if chosen.stage:
        name, count, folder = chosen.stage
        figures = named[name](int(count), Path(folder))
        print(json.dumps({**figures, "peak MiB": _peak()}))
        return None
    print(machine())
    figures_by_size: Figures = {}
    for count in getattr(chosen, unit):
        with tempfile.TemporaryDirectory(prefix="vigente-bench-") as folder:
            figures_by_size[count] = {}
            for name in named:
                print(f"{count} {unit}, {name} ...", file=sys.stderr)
                figures_by_size[count][name] = _in_process(module, name, count, folder)
                record_figures(count, name, figures_by_size[count][name])
    return figures_by_size


def print_figures(by_size: Figures) -> None:
    """Print every figure of every stage, with a column for each size."""
    sizes = list(by_size)
    print(f"{'stage':16}{'figure':32}" + "".join(f"{size:>14,}" for size in sizes))
    for stage, figures in by_size[sizes[0]].items():
        for figure in figures:
            cells = "".join(f"{by_size[size][stage][figure]:>14,.2f}" for size in sizes)
            print(f"{stage:16}{figure:32}{cells}")


def _peak() -> float:
    """Return the peak memory of this process, in MiB.

    The value of getrusage includes the peak of the parent process; it is used only without /proc.
    """
    if _STATUS.exists():
        match = re.search(r"VmHWM:\s*([0-9]+) kB", _STATUS.read_text(encoding="ascii"))
        if match is not None:
            return int(match[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_process(module: str, stage: str, count: int, folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", module, "--stage", stage, str(count), folder]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - this program itself
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise SystemExit(f"{stage} of {count} failed: {(done.stderr.splitlines() or ['without a message'])[-1]}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures
