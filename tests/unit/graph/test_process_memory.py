"""Tests of the memory of loading processes: fewer garbage collections, and large blocks mapped apart from the heap."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from graph.process import MANY_OBJECTS, raised_gc_threshold
from tests.support.cases import constant


@contextmanager
def _thresholds(first: int) -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(first, 7, 5)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("first", "meanwhile"),
    [(700, MANY_OBJECTS), (MANY_OBJECTS + 1, MANY_OBJECTS + 1), (0, 0)],
    ids=["seldom", "more seldom already", "never"],
)
def test_gc_threshold_is_raised_for_the_duration(first: int, meanwhile: int) -> None:
    with _thresholds(first):
        observed: list[tuple[int, int, int]] = []
        with suppress(RuntimeError), raised_gc_threshold():
            observed.append(gc.get_threshold())
            raise RuntimeError
        assert observed == [(meanwhile, 7, 5)]
        assert gc.get_threshold() == (first, 7, 5)


_PIECES = constant("programs", "process_memory_pieces")


@pytest.mark.parametrize(("first", "printed"), [(False, "1 0"), (True, "1 1")], ids=["as it is", "large apart"])
def test_large_allocations_stay_outside_the_heap(first: bool, printed: str) -> None:
    code = _PIECES.replace("{first}", str(first))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    if ended.returncode == 3 or not sys.platform.startswith("linux"):
        pytest.skip("the C library is not GNU's, or does not tell of its memory")
    assert (ended.returncode, ended.stdout.strip()) == (0, printed), ended.stderr
