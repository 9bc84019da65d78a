"""What several tests share: records made by hand, the consumer code as entities, stores compared, a service."""

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
from graph.store.remote.dialects import EngineName
from graph.urn import parse
from ontology.iris import hashed_iri
from service.web.settings import Settings
from tests.support.browser import browsing
from tests.support.hostile_records import hostile_records
from tests.support.served_engines import WHY_NOT, Served, programs, serving_engine
from tests.support.web import serving
from tests.support.web_names import build_store

# How long an example takes says what else is at work on the machine, and is no fault.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The suite gives the same verdict on the same code; `make explore` draws other examples on each run.
settings.register_profile("settled", settings.get_profile("explore"), derandomize=True)
settings.load_profile("settled")

PROVIDER = "https://provedor.example/oai"
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
#: LexML 1.0 part 2, section 12.4, table 3, in its order.
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
    """Where Python is told to keep no compiled modules, the programs that tests start share some while the tests run:
    each of them would compile all that it imports, a third of what it takes to begin."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and not hasattr(config, "workerinput"):
        compiled = TemporaryDirectory(prefix="compiled-")
        os.environ["PYTHONPYCACHEPREFIX"] = compiled.name
        config.add_cleanup(compiled.cleanup)


#: Modules whose users start processes or servers, and fixtures that do.
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
_SERVED = frozenset({"web", "browser", "site", "served"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start processes or servers: ``make check`` leaves them out, with the slow ones."""
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
    """``record(name, (relation, target)..., key=, provider=, datestamp=, events=, items=, ...)``: a source record."""
    return _record


@pytest.fixture
def short_constitution(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest document among generated sources is a twentieth of what it is for measuring: still the largest."""
    really = documents._shapes  # noqa: SLF001 - what decides its length

    def short(works: int) -> Iterator[object]:
        return (
            replace(shape, articles=min(shape.articles, 45), amendments=min(shape.amendments, 20))
            for shape in really(works)
        )

    monkeypatch.setattr(documents, "_shapes", short)


@pytest.fixture(scope="session")
def deletion() -> Callable[..., Record]:
    """``deletion(key, provider=, datestamp=)``: the same source says that its record is gone."""
    return _deletion


@pytest.fixture(scope="session")
def event() -> Callable[..., Event]:
    """``event(kind, target, effect, known, cause)``: days as texts, None where nobody says."""
    return _event


@pytest.fixture(scope="session")
def store_of() -> Callable[..., WritableStore]:
    """``store_of(record...)``: a store in memory that holds these records, loaded in one batch."""
    return _store_of


@pytest.fixture(scope="session")
def quads() -> Callable[[Store], frozenset[str]]:
    """``quads(store)``: every quad of a store, for comparing."""
    return _quads


@pytest.fixture(scope="session")
def code_records() -> tuple[Record, ...]:
    """The consumer code's seven individual works (LexML 1.0 part 2, table 3) and its two amending laws (table 2)."""
    return tuple(_code_records())


@pytest.fixture(scope="session")
def code_store(code_records: tuple[Record, ...]) -> WritableStore:
    """A store that holds the consumer code. Shared: ask it, don't change it."""
    return _store_of(*code_records)


@pytest.fixture(scope="session")
def derived_graph() -> ox.NamedNode:
    """The graph of all derived triples."""
    return ox.NamedNode("https://w3id.org/vigente/id/grafo/derivado")


@pytest.fixture(scope="session")
def names_store(
    tmp_path_factory: pytest.TempPathFactory,
    record: Callable[..., Record],
    event: Callable[..., Event],
    deletion: Callable[..., Record],
    code_records: tuple[Record, ...],
) -> Path:
    """The store of tests/support/web_names.py, which nobody writes."""
    return build_store(tmp_path_factory.mktemp("names") / "store", record, event, deletion, code_records)


@pytest.fixture(scope="module")
def web(names_store: Path) -> Iterator[httpx.Client]:
    """A client of a service over :func:`names_store`."""
    with serving(Settings(names_store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window. Of a module: its library runs an event loop in this thread, which others need."""
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
    """The address of a service over the store of other tests, and records of a hostile provider."""
    folder = tmp_path_factory.mktemp("site") / "store"
    build_store(folder, record, event, deletion, [*code_records, *hostile_records(record)])
    with serving(Settings(folder)) as address:
        yield address


@pytest.fixture(scope="module", params=list(EngineName))
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Each engine that may stand behind an endpoint, where its program is there."""
    if programs(request.param) is None:
        pytest.skip(WHY_NOT[request.param])
    with serving_engine(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running
