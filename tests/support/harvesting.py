"""Helpers for tests of harvesting: fast harvests into a store, and the contents of the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.harvest.list_writer import Options, utc_now
from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from loaders.harvest.session import harvest
from service.cli import main
from tests.support.engines import embedded
from tests.support.oai_repository import Repository, StoredRecord
from tests.support.oai_server import identifier

#: The number of the first fictional norm.
FIRST = 99901


def repository(count: int, **fields: Any) -> Repository:
    """Return a repository of that many norms, with different datestamps in one year."""
    new_repository = Repository(**fields)
    for n in range(count):
        new_repository.put(StoredRecord(FIRST + n, stamp=f"2025-{n % 12 + 1:02d}-{n % 28 + 1:02d}T10:00:{n % 60:02d}Z"))
    return new_repository


def everything(count: int) -> set[int]:
    """Return the numbers of that many norms."""
    return set(range(FIRST, FIRST + count))


def quick_provider(url: str, **changed: Any) -> Provider:
    """Return a provider whose requests and retries have almost no delay."""
    return Provider(url, **{"politeness": 0, "retries": 1, "backoff": 0.01, "page_seconds": 5.0, **changed})


def harvested(
    folder: Path, providers: Sequence[Provider], *, now: datetime | None = None, **options: Any
) -> list[Report]:
    """Harvest into the store in a folder, with the clock at ``now`` (default: now); return the reports."""
    with stores.open_for_writing(folder, create=True) as store:
        clock = utc_now if now is None else lambda: now
        return harvest(providers, folder, store, Quarantine(folder / QUARANTINE), Options(**options), clock=clock)


def once(folder: Path, url: str, *, provider: dict[str, Any] | None = None, **options: Any) -> Report:
    """Harvest one list; return its report."""
    (report,) = harvested(folder, [quick_provider(url, **(provider or {}))], **options)
    return report


def numbers(folder: Path) -> set[int]:
    """Return the numbers of the fictional norms whose records the store has, without withdrawn ones."""
    query = """
        PREFIX vig: <https://w3id.org/vigente/ns#> PREFIX dcterms: <http://purl.org/dc/terms/>
        SELECT ?i WHERE { ?r a vig:RegistroFonte ; dcterms:identifier ?i FILTER NOT EXISTS { ?r vig:lapide true } }
    """
    with stores.open(folder) as store:
        identifiers = {str(row["i"]) for row in store.select(query)}
    return {
        int(record_id.rpartition("/")[2])
        for record_id in identifiers
        if record_id == identifier(int(record_id.rpartition("/")[2]))
    }


def exported(folder: Path) -> list[str]:
    """Return every quad of the store, sorted."""
    with stores.open(folder) as store:
        return sorted(str(quad) for quad in store.engine.quads_for_pattern(None, None, None, None))


def literal(folder: Path, predicate: str) -> list[str]:
    """Return the literal values of a property, sorted."""
    with stores.open(folder) as store:
        quads = store.engine.quads_for_pattern(None, ox.NamedNode(predicate), None, None)
        return sorted(quad.object.value for quad in quads if isinstance(quad.object, ox.Literal))


#: Predicates of the provenance of a record: the time, the page and the harvest.
_CAME = {
    "http://www.w3.org/ns/prov#wasGeneratedBy",
    "http://www.w3.org/ns/prov#generatedAtTime",
    "https://w3id.org/vigente/ns#origem",
}


def quads_of(folder: Path) -> list[str]:
    """Return the quads of a store, without the descriptions of harvests and the provenance of records."""
    with stores.open(folder) as store:
        return _quads(embedded(store))


def quads_in(file: Path) -> list[str]:
    """Return the same quads of a file of N-Quads."""
    engine = ox.Store()
    engine.load(path=str(file), format=ox.RdfFormat.N_QUADS)
    return _quads(engine)


def _quads(engine: ox.Store) -> list[str]:
    activity = ox.NamedNode("https://w3id.org/vigente/ns#Colheita")
    runs = {quad.graph_name for quad in engine.quads_for_pattern(None, None, activity, None)}
    quads = engine.quads_for_pattern(None, None, None, None)
    return sorted(str(quad) for quad in quads if quad.graph_name not in runs and quad.predicate.value not in _CAME)


def as_of_harvest(folder: Path, until: str, file: Path) -> Path:
    """Run ``export --as-of-harvest``; return the written file."""
    assert main(["--store", str(folder), "export", str(file), "--as-of-harvest", until]) == 0
    return file
