"""Fixtures of the tests of the service: functions that run commands, and services over stores made once a run."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import httpx
import pytest

from service.cli import main
from service.web.settings import Settings
from tests.support.commands import Done, Run
from tests.support.in_process import client_of
from tests.support.sites import SITES


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


@pytest.fixture(scope="session")
def site_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function: ``site_store(name)`` returns the folder of a store (tests/support/sites)."""

    @cache
    def made(name: str) -> Path:
        return SITES[name](tmp_path_factory.mktemp(name))

    return made


@pytest.fixture(scope="session")
def site_of(
    site_store: Callable[[str], Path], sample: httpx.Client, names_store: Path
) -> Callable[[str], httpx.Client]:
    """Return a function: ``site_of(name)`` returns a client of a service over a store, ``sample`` or ``names`` too."""

    @cache
    def opened(name: str) -> httpx.Client:
        if name == "sample":
            return sample
        return client_of(Settings(names_store if name == "names" else site_store(name)))

    return opened


@pytest.fixture(scope="session")
def web(names_store: Path) -> httpx.Client:
    """Return a client of a service over the store of tests/support/web_names.py, which runs in this process."""
    return client_of(Settings(names_store))
