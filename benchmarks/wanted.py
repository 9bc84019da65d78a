"""Targets for figures, with the size that each applies to. The page of all figures shows whether each is met."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bound", "holds", "wanted"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a figure.

    Attributes:
        bound: the worst acceptable value.
        more: whether higher values are better.
        size: the size that it applies to, in the unit of the benchmark; 0 for any size.
    """

    bound: float
    more: bool
    size: int

    def text(self) -> str:
        """Return the bound and its size in words."""
        return f"{'≥' if self.more else '≤'} {self.bound:,g}" + (f", of {self.size:,}" if self.size else "")


_SIZE = 100_000
#: By benchmark, stage and figure; an empty stage applies to every stage.
_WANTED = {
    ("first_slice", "answer", "SPARQL lookup, median ms"): Bound(1, more=False, size=_SIZE),
    ("harvesting", "first_harvest", "records/s"): Bound(1500, more=True, size=_SIZE),
    ("harvesting", "first_harvest", "peak MiB"): Bound(572, more=False, size=1_000_000),
    ("bulk", "first_load", "seconds"): Bound(1200, more=False, size=1_000_000),
    ("bulk", "first_load", "quads/s"): Bound(100_000, more=True, size=1_000_000),
    ("bulk", "first_load", "peak MiB"): Bound(3814, more=False, size=1_000_000),
    ("bulk", "few_changed", "seconds"): Bound(10, more=False, size=1_000_000),
    ("bulk", "optimised", "bytes/quad"): Bound(130, more=False, size=1_000_000),
    ("editions", "ask", "whole text, processor s"): Bound(1.5, more=False, size=93),
    ("editions", "ask", "text of an article, processor s"): Bound(0.3, more=False, size=93),
    ("pages", "first_views", "small law, ms"): Bound(300, more=False, size=5000),
    ("pages", "first_views", "2,000 articles, ms"): Bound(1000, more=False, size=5000),
    ("questions", "", "look-up x SQLite"): Bound(3, more=False, size=0),
    ("serving", "in-force", "requests/s"): Bound(1500, more=True, size=_SIZE),
    ("serving", "in-force", "99 % ms"): Bound(25, more=False, size=_SIZE),
    ("serving", "batch of 1,000 names", "median ms"): Bound(150, more=False, size=_SIZE),
    ("serving", "", "faults"): Bound(0, more=False, size=0),
    ("catalogue", "", "clock s"): Bound(10, more=False, size=_SIZE),
}


def wanted(benchmark: str, stage: str, name: str) -> Bound | None:
    """Return the target of a figure; None if it has none."""
    return _WANTED.get((benchmark, stage, name)) or _WANTED.get((benchmark, "", name))


def holds(target: Bound, size: int, value: float) -> str:
    """Return whether a figure meets its target, with the measured size if it is smaller than that of the target."""
    good = value >= target.bound if target.more else value <= target.bound
    return ("yes" if good else "**no**") + (f", of {size:,}" if size < target.size else "")
