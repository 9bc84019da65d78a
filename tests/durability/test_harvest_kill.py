"""Tests of kill -9 during a harvest: nothing is lost, nothing is partial, and few pages are requested twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph import store as stores
from queries.catalogue import named
from tests.support.harvesting import as_of_harvest, everything, numbers, quads_in, quads_of, repository
from tests.support.oai_repository import Repository
from tests.support.oai_server import OaiServer, ReceivedRequest, ScriptedAnswer, error_page

ROOT = Path(__file__).resolve().parents[2]
COUNT, SIZE, BATCH = 240, 3, 12
#: The command, with small batches that the bulk loader writes while the next one is prepared. Because of the
#: ``__main__`` guard, its worker processes can import it.
COMMAND = f"""
import sys
import loaders.harvest.list_writer as list_writer
list_writer.BATCH_SIZE = {BATCH}
import graph.store.writable as writable
writable._BULK = 1
from service.cli import run
if __name__ == "__main__":
    run()
"""
#: Pages that may be ahead of the state: handed over, being read, being written, in the batch, in transit.
MAX_PREFETCHED_PAGES = 16 + 7 + 2 * (BATCH // SIZE) + 2


#: Ends the process before the description of a harvest is written to the graph for the first time.
KILL_BEFORE_DESCRIPTION = """
import os
def _write_run(*_, **__):
    os.kill(os.getpid(), 9)
list_writer.ListWriter._write_run = _write_run
"""
#: Ends the process as soon as a state without a running harvest is written.
KILL_AFTER_HARVEST_END = """
import os
import loaders.harvest.state as state
write = state.StateFile.write
def _write(file, now):
    write(file, now)
    if now.under_way is None:
        os.kill(os.getpid(), 9)
state.StateFile.write = _write
"""


Served = tuple[OaiServer, Repository]


def _start_harvest(store: Path, url: str, fate: str = "") -> subprocess.Popen[str]:
    program = COMMAND.replace("if __name__", fate + "if __name__")
    command = [sys.executable, "-c", program, "--store", str(store), "harvest", "--politeness", "0", url]
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def _complete_harvest(store: Path, url: str) -> None:
    process = _start_harvest(store, url)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


def _interrupt_harvest(store: Path, server: OaiServer, after: float, how: signal.Signals) -> tuple[int, str]:
    """Run a harvest, send a signal ``after`` seconds after its first list request; return exit code and stderr."""
    before = len(server.asked)
    process = _start_harvest(store, server.url)
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        if any(request.arguments["verb"] == "ListRecords" for request in server.asked[before:]):
            break
        time.sleep(0.005)
    time.sleep(after)
    if process.poll() is None:
        os.kill(process.pid, how)
    _, errors = process.communicate(timeout=30)
    return process.returncode, errors


def _count_lists(asked: list[ReceivedRequest]) -> int:
    return sum(request.arguments["verb"] == "ListRecords" for request in asked)


def _slow_repository() -> Repository:
    holds = repository(COUNT, size=SIZE)

    def slowly(_: ReceivedRequest) -> ScriptedAnswer | None:
        time.sleep(0.01)
        return None

    holds.hook = slowly
    return holds


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    holds = _slow_repository()
    with OaiServer(holds) as server:
        yield server, holds


@pytest.fixture(scope="module")
def undisturbed(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of an uninterrupted harvest."""
    store = tmp_path_factory.mktemp("undisturbed") / "store"
    _complete_harvest(store, served[0].url)
    return store


def _assert_complete(store: Path, undisturbed: Path, tmp_path: Path) -> None:
    """Check that nothing is lost or partial, in the graph and in the payloads."""
    assert numbers(store) == everything(COUNT)
    assert quads_of(store) == quads_of(undisturbed)
    assert quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "then.nq")) == quads_of(store)
    with stores.open(store) as opened_store:
        runs = list(named("harvest_runs").rows(opened_store))
        brought = {
            str(row["c"])
            for row in opened_store.select("SELECT DISTINCT ?c { ?r <http://www.w3.org/ns/prov#wasGeneratedBy> ?c }")
        }
        assert brought <= {str(row["colheita"]) for row in runs}
    assert len(runs) == 1
    (run,) = runs
    assert run["fim"] is not None


@pytest.mark.slow
def test_repeatedly_killed_harvest_ends_like_an_undisturbed_one(
    tmp_path: Path, served: Served, undisturbed: Path
) -> None:
    """Kill the harvest repeatedly. Set ``KILLS=60`` for more kills."""
    server, _ = served
    store = tmp_path / "store"
    moments = random.Random(20081215)  # noqa: S311 - moments, not secrets
    first, kills = len(server.asked), 0
    for _ in range(int(os.environ.get("KILLS", "10"))):
        before = len(server.asked)
        code, errors = _interrupt_harvest(store, server, moments.uniform(0.0, 0.6), signal.SIGKILL)
        assert code in {0, -9}, errors
        kills += code == -9
        assert _count_lists(server.asked[before:]) <= COUNT // SIZE + 1
    assert kills
    _complete_harvest(store, server.url)
    assert _count_lists(server.asked[first:]) <= COUNT // SIZE + 12 + kills * MAX_PREFETCHED_PAGES
    _assert_complete(store, undisturbed, tmp_path)


def test_harvest_killed_during_its_description_is_described_later(
    tmp_path: Path, served: Served, undisturbed: Path
) -> None:
    store = tmp_path / "store"
    for fate in (KILL_BEFORE_DESCRIPTION, KILL_AFTER_HARVEST_END):
        process = _start_harvest(store, served[0].url, fate)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == -9, errors
    _complete_harvest(store, served[0].url)
    _assert_complete(store, undisturbed, tmp_path)


@pytest.mark.slow
def test_harvest_survives_kills_and_expired_tokens(tmp_path: Path, served: Served, undisturbed: Path) -> None:
    server, holds = served
    store = tmp_path / "store"
    fresh = True
    slowly = holds.hook

    def forgetful(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal fresh
        if asked.arguments["verb"] == "Identify":
            fresh = True
        elif asked.arguments["verb"] == "ListRecords":
            expired, fresh = fresh and "resumptionToken" in asked.arguments, False
            if expired:
                return error_page("badArgument", "the token is not known")
        return slowly(asked)

    holds.hook = forgetful
    try:
        codes = [_interrupt_harvest(store, server, after, signal.SIGKILL)[0] for after in (0.5, 0.6)]
        assert codes == [-9, -9]
        _complete_harvest(store, server.url)
    finally:
        holds.hook = slowly
    _assert_complete(store, undisturbed, tmp_path)


@pytest.mark.slow
def test_sigint_keeps_finished_pages_and_the_next_harvest_resumes(
    tmp_path: Path, served: Served, undisturbed: Path
) -> None:
    server, _ = served
    store = tmp_path / "store"
    half = set[int]()
    for after in (0.0, 0.1, 0.2, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5):  # later on a busy machine
        code, errors = _interrupt_harvest(store, server, after, signal.SIGINT)
        assert code == 130
        assert "Traceback" not in errors
        assert errors.endswith("vigente: stopped; finished work is kept\n")
        if after and (half := numbers(store)):
            break
    assert 0 < len(half) < COUNT
    assert quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "half.nq")) == quads_of(store)
    before = len(server.asked)
    _complete_harvest(store, server.url)
    assert _count_lists(server.asked[before:]) <= (COUNT - len(half)) // SIZE + MAX_PREFETCHED_PAGES
    _assert_complete(store, undisturbed, tmp_path)
