"""Tests of harvests from an independent OAI-PMH provider: a full harvest, later changes, and the sample."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from lxml import etree

from loaders.harvest.report import ListResult
from loaders.harvest.state import Window
from ontology.namespaces import PROV, VIG
from samples import folder
from service.cli import main
from tests.support.harvesting import FIRST, exported, numbers, once, quads_of
from tests.support.oai_independent import OAI, IndependentProvider, Norm, norms
from tests.support.oai_server import identifier


def living(held: dict[str, Norm], spec: str | None = None) -> set[int]:
    return {norm.number for norm in held.values() if not norm.deleted and (spec is None or spec in norm.sets)}


def test_many_pages_and_later_changes_are_harvested(tmp_path: Path) -> None:
    held = norms(330)
    with IndependentProvider(held, limit=20) as provider:
        report = once(tmp_path, provider.url)
        assert (report.ended, report.pages, report.summary.refused.total()) == (ListResult.COMPLETE, 17, 0)
        assert (report.summary.loaded, report.summary.deleted) == (len(living(held)), 330 - len(living(held)))
        assert numbers(tmp_path) == living(held)
        before = exported(tmp_path)
        held[identifier(FIRST)].summary = "Outra ementa."
        held[identifier(FIRST)].stamp = held[identifier(FIRST + 1)].stamp = datetime.now(UTC).replace(microsecond=0)
        held[identifier(FIRST + 1)].deleted = True
        provider.requests.clear()
        report = once(tmp_path, provider.url)
        assert (report.summary.loaded, report.summary.deleted) == (1, 1)
        assert [request["from"] for request in provider.requests if "from" in request]
    assert numbers(tmp_path) == living(held)
    assert exported(tmp_path) != before


def test_sets_and_windows_are_harvested(tmp_path: Path) -> None:
    held = norms(200)
    window = Window(datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 5, 23, 59, 59, tzinfo=UTC))
    with IndependentProvider(held, limit=20) as provider:
        report = once(tmp_path, provider.url, provider={"set": "normas:leis"}, window=window)
        assert report.ended is ListResult.COMPLETE
        assert numbers(tmp_path) == {FIRST + n for n in range(24, 120) if n % 3 and n % 7 != 6}
        report = once(tmp_path, provider.url, provider={"set": "normas:leis"})
    assert numbers(tmp_path) == living(held, "normas:leis")
    assert report.remark_counts["unknown-set"] == 0


def test_whole_list_is_reconciled(tmp_path: Path) -> None:
    held = norms(60)
    with IndependentProvider(held, limit=20) as provider:
        once(tmp_path, provider.url)
        del held[identifier(FIRST)]
        report = once(tmp_path, provider.url, reconcile=True)
    assert report.withdrawn == 1
    assert numbers(tmp_path) == living(held)


def sample() -> dict[str, Norm]:
    """Return the records of the sample."""
    held = {}
    for file in sorted((folder() / "oai").glob("*.xml")):
        for record in etree.parse(file).iter(f"{OAI}record"):
            name = record.findtext(f"{OAI}header/{OAI}identifier") or ""
            day = datetime.fromisoformat(record.findtext(f"{OAI}header/{OAI}datestamp") or "").replace(tzinfo=UTC)
            lexml = record.find(f"{OAI}metadata/{{*}}LexML")
            held[name] = Norm(FIRST, day, ("normas",), deleted=lexml is None, lexml=lexml)
    return held


def test_harvested_sample_equals_the_sample_loaded_from_files(tmp_path: Path) -> None:
    held = sample()
    with IndependentProvider(held, limit=5) as provider:
        report = once(tmp_path / "harvested", provider.url)
    assert (report.summary.refused.total(), report.ended) == (0, ListResult.COMPLETE)
    assert main(["--store", str(tmp_path / "loaded"), "load", str(folder() / "oai")]) == 0
    harvested, other = (content(tmp_path / name) for name in ("harvested", "loaded"))
    assert len(harvested) > 1000
    assert harvested == other


def content(store: Path) -> list[str]:
    """Return the statements of the records, without provider, datestamp and day of fetch.

    Harvested datestamps have a time. Files state the day of fetch, and harvests its moment.
    """
    others = (
        PROV["wasAttributedTo"],
        VIG["datestamp"],
        VIG["obtidoEm"],
        VIG["hashConteudo"],
        "/id/provedor/",
        "/id/vocabulario/",
    )
    return [quad for quad in quads_of(store) if not any(term in quad for term in others)]
