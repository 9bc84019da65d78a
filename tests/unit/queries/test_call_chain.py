"""Tests of the depth of the call chain of ``in-force``: the functions between the command line and the engines."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from service.cli import main
from tests.support.demo_store import demo_store

ROOT = str(Path(__file__).resolve().parents[3])
LONGEST = 15
#: Not counted: the cache of one query, which calls the function that it caches, and lambdas given to it.
_NO_STEPS = ("MemoizingStore.memoized", "<lambda>", "<listcomp>", "<genexpr>")
_ENGINES = ("pyoxigraph", "sqlite3")
LAW = "urn:lex:br:federal:lei:1990-09-11;8078"


def test_in_force_calls_few_nested_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = demo_store(tmp_path)
    chains: list[tuple[str, ...]] = []

    def watch(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and type(getattr(called, "__self__", None)).__module__.startswith(_ENGINES):
            chains.append(_chain(frame))

    sys.setprofile(watch)
    try:
        code = main(["--store", str(store), "in-force", LAW, "--on", "1993-06-15"])
    finally:
        sys.setprofile(None)
    assert code == 0
    assert "in force" in capsys.readouterr().out
    longest = max(chains, key=len)
    assert "in_force" in longest
    assert len(longest) <= LONGEST, longest


def _chain(frame: FrameType | None) -> tuple[str, ...]:
    """Return the project's functions on the stack up to this file, each once, without those that start pytest."""
    steps: dict[str, None] = {}
    while frame is not None and frame.f_code.co_filename != __file__:
        code = frame.f_code
        if code.co_filename.startswith(ROOT) and "site-packages" not in code.co_filename:
            name = code.co_qualname
            if not name.endswith(_NO_STEPS):
                steps[name] = None
        frame = frame.f_back
    return tuple(steps)
