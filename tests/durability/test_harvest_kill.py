"""Tests of kill -9 during a harvest: nothing is lost, nothing is partial, and few pages are requested twice.

Set ``KILLS=60`` for more kills.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph import store as stores
from queries.catalogue import named
from tests.support.harvesting import as_of_harvest, everything, numbers, quads_in, quads_of, repository
from tests.support.oai_repository import Repository
from tests.support.oai_server import OaiServer, ReceivedRequest, ScriptedAnswer, error_page

ROOT = Path(__file__).resolve().parents[2]
COUNT, SIZE, BATCH = 150, 3, 12
KILLS = int(os.environ.get("KILLS", "4"))
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


def _start(store: Path, url: str, fate: str = "") -> subprocess.Popen[str]:
    program = COMMAND.replace("if __name__", fate + "if __name__")
    command = [sys.executable, "-c", program, "--store", str(store), "harvest", "--politeness", "0", url]
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def _ended(store: Path, url: str, fate: str = "") -> None:
    """Run a harvest to its end, which is success or the fate."""
    process = _start(store, url, fate)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (-9 if fate else 0), errors


def _lists(asked: list[ReceivedRequest]) -> int:
    return sum(request.arguments["verb"] == "ListRecords" for request in asked)


def _interrupted(store: Path, server: OaiServer, after: float, how: signal.Signals) -> tuple[int, str]:
    """Run a harvest, send a signal ``after`` seconds after its first list request; return exit code and stderr."""
    before = len(server.asked)
    process = _start(store, server.url)
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None and not _lists(server.asked[before:]):
        time.sleep(0.005)
    time.sleep(after)
    if process.poll() is None:
        os.kill(process.pid, how)
    _, errors = process.communicate(timeout=30)
    return process.returncode, errors


def _slowly(_: ReceivedRequest) -> ScriptedAnswer | None:
    time.sleep(0.01)
    return None


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    holds = repository(COUNT, size=SIZE, hook=_slowly)
    with OaiServer(holds) as server:
        yield server, holds


@pytest.fixture(scope="module")
def whole(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], None]:
    """Return a function that ends the harvest of a store, and compares it with an uninterrupted harvest."""
    folder = tmp_path_factory.mktemp("undisturbed")
    _ended(folder / "store", served[0].url)
    expected = quads_of(folder / "store")

    def check(store: Path) -> None:
        _ended(store, served[0].url)
        assert numbers(store) == everything(COUNT)
        assert quads_of(store) == expected
        assert quads_in(as_of_harvest(store, "2999-01-01", store.with_name("then.nq"))) == expected
        with stores.open(store) as opened_store:
            (run,) = named("harvest_runs").rows(opened_store)
            brought = "SELECT DISTINCT ?c { ?r <http://www.w3.org/ns/prov#wasGeneratedBy> ?c }"
            assert {str(row["c"]) for row in opened_store.select(brought)} == {str(run["colheita"])}
        assert run["fim"] is not None

    return check


@pytest.mark.slow
def test_repeatedly_killed_harvest_ends_like_an_undisturbed_one(
    tmp_path: Path, served: Served, whole: Callable[[Path], None]
) -> None:
    server, _ = served
    moments = random.Random(20081215)  # noqa: S311 - moments, not secrets
    first, kills = len(server.asked), 0
    for _ in range(KILLS):
        before = len(server.asked)
        code, errors = _interrupted(tmp_path / "store", server, moments.uniform(0.0, 0.5), signal.SIGKILL)
        assert code in {0, -9}, errors
        kills += code == -9
        assert _lists(server.asked[before:]) <= COUNT // SIZE + 1
    assert kills
    whole(tmp_path / "store")
    assert _lists(server.asked[first:]) <= COUNT // SIZE + 12 + kills * MAX_PREFETCHED_PAGES


def test_harvest_killed_during_its_description_is_described_later(
    tmp_path: Path, served: Served, whole: Callable[[Path], None]
) -> None:
    for fate in (KILL_BEFORE_DESCRIPTION, KILL_AFTER_HARVEST_END):
        _ended(tmp_path / "store", served[0].url, fate)
    whole(tmp_path / "store")


@pytest.mark.slow
def test_harvest_survives_kills_and_expired_tokens(
    tmp_path: Path, served: Served, whole: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, holds = served
    fresh = True

    def forgetful(asked: ReceivedRequest) -> ScriptedAnswer | None:
        nonlocal fresh
        if asked.arguments["verb"] == "Identify":
            fresh = True
        elif asked.arguments["verb"] == "ListRecords":
            expired, fresh = fresh and "resumptionToken" in asked.arguments, False
            if expired:
                return error_page("badArgument", "the token is not known")
        return _slowly(asked)

    monkeypatch.setattr(holds, "hook", forgetful)
    assert _interrupted(tmp_path / "store", server, 0.4, signal.SIGKILL)[0] == -9
    whole(tmp_path / "store")


@pytest.mark.slow
def test_sigint_keeps_finished_pages_and_the_next_harvest_resumes(
    tmp_path: Path, served: Served, whole: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, holds = served
    monkeypatch.setattr(holds, "hook", lambda _: time.sleep(0.04))
    store = tmp_path / "store"
    half = set[int]()
    for after in (0.0, 0.2, 0.4, 0.8, 1.2):  # later on a busy machine
        code, errors = _interrupted(store, server, after, signal.SIGINT)
        assert (code, "Traceback" in errors) == (130, False)
        assert errors.endswith("vigente: stopped; finished work is kept\n")
        if after and (half := numbers(store)):
            break
    assert 0 < len(half) < COUNT
    assert quads_in(as_of_harvest(store, "2999-01-01", tmp_path / "half.nq")) == quads_of(store)
    before = len(server.asked)
    monkeypatch.undo()
    whole(store)
    assert _lists(server.asked[before:]) <= (COUNT - len(half)) // SIZE + MAX_PREFETCHED_PAGES
