"""Settings and fixtures for all tests: records, stores, services, a browser, and remote engines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from benchmarks.generator import documents
from graph.civil import parse_when
from graph.entities import Document, Event, Item, ItemKind, Record, Relation, RelationKind, Source, Text
from graph.store import Store, WritableStore, in_memory
from graph.urn import parse
from ontology.iris import hashed_iri
from service.web.settings import Settings
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
settings.load_profile("settled")

PROVIDER = "https://provedor.example/oai"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
#: The versions and views of the consumer code, in the order of LexML 1.0 part 2, section 12.4, table 3.
TABLE_3 = (
    "1991-03-11;assinatura;1990-09-11",
    "1991-03-11;publicacao;1990-09-12",
    "1993-05-22;alteracao;1993-05-22",
    "1993-09-08;alteracao;1993-09-08",
    "1991-03-11;retificacao;2007-01-10",
    "1993-05-22;retificacao;2007-01-10",
    "1993-09-08;retificacao;2007-01-10",
)


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


def _record(
    name: str,
    *relations: tuple[str, str],
    key: str | None = None,
    provider: str | None = PROVIDER,
    datestamp: str | None = "2008-12-15",
    events: Sequence[Event] = (),
    items: Sequence[Item] = (),
    epigraphs: Sequence[Text] = (),
    nicknames: Sequence[Text] = (),
    summaries: Sequence[Text] = (),
    index_terms: Sequence[Text] = (),
    catalogue_notes: Sequence[Text] = (),
    doctrine: Sequence[tuple[str, str]] = (),
) -> Record:
    document = Document(
        name=parse(name),
        items=tuple(items),
        epigraphs=tuple(epigraphs),
        nicknames=tuple(nicknames),
        summaries=tuple(summaries),
        index_terms=tuple(index_terms),
        catalogue_notes=tuple(catalogue_notes),
        doctrine=tuple(doctrine),
        relations=tuple(Relation(RelationKind(kind), parse(target)) for kind, target in relations),
    )
    return Record(_source(key or name, provider, datestamp, repr((document, events))), document, tuple(events))


def _source(key: str, provider: str | None, datestamp: str | None, content: str) -> Source:
    digest = sha256(f"{content} {datestamp}".encode("utf-8", "surrogatepass")).hexdigest()
    graph = hashed_iri("registro", provider or "", key)
    return Source(graph, "oai_lexml", digest, "oai_lexml/1", provider, key, datestamp, "registros.xml")


def _deletion(key: str, *, provider: str | None = PROVIDER, datestamp: str | None = "2008-12-16") -> Record:
    return Record(_source(key, provider, datestamp, "deleted"), None)


def _event(
    kind: str, target: str, effect: str | None = None, known: str | None = None, cause: str | None = None
) -> Event:
    return Event(
        kind,
        parse(target),
        parse_when(effect) if effect is not None else None,
        parse_when(known) if known is not None else None,
        parse(cause) if cause is not None else None,
    )


def _store_of(*records: Record) -> WritableStore:
    store = in_memory()
    store.apply(records)
    return store


def _quads(store: Store) -> frozenset[str]:
    return frozenset(map(str, store.engine))


def _code_records() -> Iterable[Record]:
    for suffix in TABLE_3:
        published = suffix == "1991-03-11;publicacao;1990-09-12"
        yield _record(
            f"{CODE}@{suffix}",
            *((("publicacao.oficial", f"{GAZETTE}:1990-09-12;123!pag1"),) if published else ()),
            items=(Item(f"https://provedor.example/{suffix}", "text/html", ItemKind.CONTENT, "1", 12),),
            epigraphs=(Text("Lei nº 8.078, de 11 de setembro de 1990"),),
            nicknames=(Text("Código de Defesa do Consumidor"),),
            summaries=(Text("Dispõe sobre a proteção do consumidor"),),
        )
    yield _record("urn:lex:br:federal:lei:1993;8656@1993-05-22;publicacao;1993-05-22", ("altera", CODE))
    yield _record("urn:lex:br:federal:lei:1993;8703@1993-09-08;publicacao;1993-09-08", ("altera", CODE))


@pytest.fixture(scope="session")
def record() -> Callable[..., Record]:
    """Return a function that makes a source record.

    Its call is ``record(name, (relation, target)..., key=, provider=, datestamp=, events=, items=, ...)``.
    """
    return _record


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
def deletion() -> Callable[..., Record]:
    """Return a function: ``deletion(key, provider=, datestamp=)`` makes the record of a deletion by the same source."""
    return _deletion


@pytest.fixture(scope="session")
def event() -> Callable[..., Event]:
    """Return a function: ``event(kind, target, effect, known, cause)`` makes an event.

    Days are strings, or None if they are not stated.
    """
    return _event


@pytest.fixture(scope="session")
def store_of() -> Callable[..., WritableStore]:
    """Return a function: ``store_of(record...)`` makes a store in memory and loads the records in one batch."""
    return _store_of


@pytest.fixture(scope="session")
def quads() -> Callable[[Store], frozenset[str]]:
    """Return a function: ``quads(store)`` returns every quad of a store as a string, for comparison."""
    return _quads


@pytest.fixture(scope="session")
def code_records() -> tuple[Record, ...]:
    """Return records of the consumer code's seven views (LexML 1.0 part 2, table 3) and two amending laws (table 2)."""
    return tuple(_code_records())


@pytest.fixture(scope="session")
def code_store(code_records: tuple[Record, ...]) -> WritableStore:
    """Return a store with the consumer code. All tests share it: do not write to it."""
    return _store_of(*code_records)


@pytest.fixture(scope="session")
def derived_graph() -> ox.NamedNode:
    """Return the name of the graph of all derived triples."""
    return ox.NamedNode("https://w3id.org/vigente/id/grafo/derivado")


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
def names_store(
    tmp_path_factory: pytest.TempPathFactory,
    record: Callable[..., Record],
    event: Callable[..., Event],
    deletion: Callable[..., Record],
    code_records: tuple[Record, ...],
) -> Path:
    """Return the folder of the store of tests/support/web_names.py; tests only read it."""
    return build_store(tmp_path_factory.mktemp("names") / "store", record, event, deletion, code_records)


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
def site(
    tmp_path_factory: pytest.TempPathFactory,
    record: Callable[..., Record],
    event: Callable[..., Event],
    deletion: Callable[..., Record],
    code_records: tuple[Record, ...],
) -> Iterator[str]:
    """Yield the address of a service over the store of web_names.py, with records of a hostile provider added."""
    folder = tmp_path_factory.mktemp("site") / "store"
    build_store(folder, record, event, deletion, [*code_records, *hostile_records(record)])
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
