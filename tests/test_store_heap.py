"""Python's own search for what holds itself in circles: seldom while much is loaded, as before when it is over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from graph.store.heap import MANY_OBJECTS, seldom_collected


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
def test_circles_are_looked_for_seldom_as_long_as_it_lasts(first: int, meanwhile: int) -> None:
    with _thresholds(first):
        found: list[tuple[int, int, int]] = []
        with suppress(RuntimeError), seldom_collected():
            found.append(gc.get_threshold())
            raise RuntimeError
        assert found == [(meanwhile, 7, 5)]
        assert gc.get_threshold() == (first, 7, 5)
