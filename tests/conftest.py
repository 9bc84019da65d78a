"""Settings and fixtures for all tests: records, stores, services, a browser, and remote engines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from hypothesis import HealthCheck, Phase, settings
from playwright.sync_api import Browser

from benchmarks.generator import documents
from graph.entities import Record
from graph.store import WritableStore
from service.web.settings import Settings
from tests.support import records
from tests.support.browser import browsing
from tests.support.demo_store import demo_store
from tests.support.hostile_records import hostile_records
from tests.support.in_process import client_of
from tests.support.served_engines import WHY_NOT, EngineName, Served, programs, serving_engine
from tests.support.web import serving
from tests.support.web_names import build_store

# There is no deadline, because the duration of an example depends on the load of the machine.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The suite uses the same examples on each run; `make explore` uses new ones.
settings.register_profile("settled", settings.get_profile("explore"), derandomize=True)
#: The tests of mutants need no smallest failing case.
settings.register_profile("mutants", settings.get_profile("settled"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("settled")


def pytest_configure(config: pytest.Config) -> None:
    """Give the programs that tests start a temporary cache of compiled modules if PYTHONDONTWRITEBYTECODE is set.

    Without the cache, each program compiles all modules that it imports, which takes a third of its start-up time.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and not hasattr(config, "workerinput"):
        compiled = TemporaryDirectory(prefix="compiled-")
        os.environ["PYTHONPYCACHEPREFIX"] = compiled.name
        config.add_cleanup(compiled.cleanup)


#: A test module that imports from one of these modules starts processes or servers. A test with a fixture of
#: ``_SERVED`` does so too.
_STARTING = frozenset(
    {
        "multiprocessing",
        "subprocess",
        "tests.support.browser",
        "tests.support.engines",
        "tests.support.harvesting",
        "tests.support.killing",
        "tests.support.memory",
        "tests.support.misbehaving",
        "tests.support.notebook",
        "tests.support.oai_server",
        "tests.support.pages",
        "tests.support.raw_http",
        "tests.support.serve_process",
        "tests.support.served_engines",
        "tests.support.sparql_endpoint",
        "tests.support.tasks",
        "tests.support.web",
        "tests.support.web_api",
    }
)
_SERVED = frozenset({"web", "browser", "site", "served", "served_sample"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start processes or servers; ``make check`` skips these and the slow tests."""
    for item in items:
        module = item.getparent(pytest.Module)
        used = vars(module.obj).values() if module is not None else ()
        starting = any(getattr(member, "__module__", getattr(member, "__name__", None)) in _STARTING for member in used)
        if starting or not _SERVED.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.processes)


@pytest.fixture
def short_constitution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit generated documents to 45 articles and 20 amendments: the largest has a twentieth of its articles."""
    really = documents._shapes  # noqa: SLF001 - it sets the length of each document

    def short(works: int) -> Iterator[object]:
        return (
            replace(shape, articles=min(shape.articles, 45), amendments=min(shape.amendments, 20))
            for shape in really(works)
        )

    monkeypatch.setattr(documents, "_shapes", short)


@pytest.fixture(scope="session")
def code_records() -> tuple[Record, ...]:
    """Return records of the consumer code's seven views (LexML 1.0 part 2, table 3) and two amending laws (table 2)."""
    return tuple(records.code_records())


@pytest.fixture(scope="session")
def code_store(code_records: tuple[Record, ...]) -> WritableStore:
    """Return a store with the consumer code. All tests share it: do not write to it."""
    return records.store_of(*code_records)


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store with the bundled sample, as ``vigente demo`` loads it. Tests only read it."""
    return demo_store(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sample(sample_store: Path) -> httpx.Client:
    """Return a client of a service over the bundled sample, which runs in this process and has no worker processes."""
    return client_of(Settings(sample_store))


@pytest.fixture(scope="session")
def served_sample(sample_store: Path) -> Iterator[str]:
    """Yield the address of a server over the bundled sample, with worker processes, for the whole run."""
    with serving(Settings(sample_store)) as address:
        yield address


@pytest.fixture(scope="session")
def names_store(tmp_path_factory: pytest.TempPathFactory, code_records: tuple[Record, ...]) -> Path:
    """Return the folder of the store of tests/support/web_names.py; tests only read it."""
    return build_store(tmp_path_factory.mktemp("names") / "store", code_records)


@pytest.fixture(scope="module")
def web(names_store: Path) -> Iterator[httpx.Client]:
    """Yield a client of a service over :func:`names_store`."""
    with serving(Settings(names_store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a headless browser.

    It is closed after each module, because Playwright runs an event loop in the thread that other modules need.
    """
    with browsing() as new_browser:
        yield new_browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, code_records: tuple[Record, ...]) -> Iterator[str]:
    """Yield the address of a service over the store of web_names.py, with records of a hostile provider added."""
    folder = tmp_path_factory.mktemp("site") / "store"
    build_store(folder, [*code_records, *hostile_records()])
    with serving(Settings(folder)) as address:
        yield address


@pytest.fixture(scope="module", params=list(EngineName))
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server of each engine that an endpoint may have; skip the test if its program is not installed."""
    if programs(request.param) is None:
        pytest.skip(WHY_NOT[request.param])
    with serving_engine(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server of the engine that can be written to; skip the test if its program is not installed."""
    if programs(EngineName.OXIGRAPH) is None:
        pytest.skip(WHY_NOT[EngineName.OXIGRAPH])
    with serving_engine(EngineName.OXIGRAPH, tmp_path_factory.mktemp("written")) as running:
        yield running
