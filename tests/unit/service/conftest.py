"""Fixtures of the tests of commands: functions that run a command in an empty folder."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path

import pytest

from service.cli import main
from tests.support.commands import Done, Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in an empty folder, with the default store."""
    monkeypatch.chdir(tmp_path)
    for variable in ("VIGENTE_STORE", "VIGENTE_CONTACT"):
        monkeypatch.delenv(variable, raising=False)

    def call(command: str, *more: str, code: int = 0, given: bytes = b"") -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        ended = main([*shlex.split(command), *more])
        printed = capsys.readouterr()
        done = Done(printed.out, printed.err)
        assert ended == code, f"{command}: exit code {ended}, expected {code}: {done.err or done.out}"
        assert "Traceback" not in done.err
        assert code != 2 or done.out == "", "a refused command prints no answer"
        return done

    return call


@pytest.fixture
def ask(run: Run, sample_store: Path) -> Run:
    """Return a function that runs a command on the store of the sample."""

    def call(command: str, *more: str, code: int = 0, given: bytes = b"") -> Done:
        return run(f"--store '{sample_store}' {command}", *more, code=code, given=given)

    return call
