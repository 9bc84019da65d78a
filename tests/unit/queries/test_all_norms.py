"""Tests that the questions about all norms in SQL and in SPARQL have the same answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from benchmarks.generate import write_mixed_pages
from graph.quarantine import Quarantine
from graph.read_model.rectangles import day_of
from graph.store import Store, in_memory
from graph.store import open as open_store
from graph.time.kinds import AXES, Axis, Status
from graph.urn import from_iri
from loaders.pipeline import load
from queries.catalogue import named
from queries.histories import amendments, changes, in_force_on, norms, stock


@pytest.fixture(scope="module", params=["sample", "generated"])
def store(request: pytest.FixtureRequest, sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    if request.param == "sample":
        return open_store(sample_store)
    folder = tmp_path_factory.mktemp("pages")
    write_mixed_pages(folder, 400, without_version=0.2)
    generated = in_memory()
    load([folder], generated, Quarantine(folder / "refused"))
    return generated


def pairs(store: Store) -> Iterator[tuple[date, date]]:
    """Yield pairs (D, K) on both sides of days of rows."""
    sides = random.Random(1)  # noqa: S311 - a sample
    rows = store.full_text.select(
        "SELECT valid_from, known_from FROM history WHERE valid_from > 9 AND known_from > 9", {}
    )
    for start, known in sides.sample(rows, 8):
        on, heard = day_of(start), day_of(known)
        assert on is not None
        assert heard is not None
        yield on - timedelta(days=sides.choice([0, 1])), heard - timedelta(days=sides.choice([0, 1]))
        yield on, date(2020, 1, 1)


def test_norms_in_force(store: Store) -> None:
    for on, known in pairs(store):
        for axis in Axis:
            values = {"em": on, "conhecido": known, "eixo": AXES[axis]}
            of_sparql = {
                (str(row["norma"]), str(row["versao"])) for row in named("in_force_on_day").rows(store, values)
            }
            assert set(in_force_on(store, on, known, axis)) == of_sparql


def test_stock_by_year(store: Store) -> None:
    for _, known in pairs(store):
        counts: dict[tuple[str, Status], list[tuple[date, int]]] = {}
        for kind, status, day, number in stock(store, known):
            counts.setdefault((kind, status), []).append((day, number))
        for row in named("stock_by_year").rows(store, {"conhecido": known}):
            last = date(int(str(row["ano"])), 12, 31)
            held = {key: next((n for day, n in reversed(days) if day <= last), 0) for key, days in counts.items()}
            total = {status: sum(n for (_, other), n in held.items() if other is status) for _, status in held}
            found = total.get(Status.IN_FORCE, 0), total.get(Status.UNKNOWN, 0)
            assert found == (row["emVigor"], row["indeterminadas"]), (known, last)


def test_changes_of_norms(store: Store) -> None:
    """The query lists the wordings of provisions in the vacatio of their norm too, so dated norms are compared.

    It also lists a gap after another one of the same status with other reasons.
    """
    undated = "SELECT iri FROM norm JOIN provision ON norm = norm.id WHERE fragment = '' AND own = 0"
    left_out = {from_iri(iri) for (iri,) in store.full_text.select(undated, {})}
    for since, known in pairs(store):
        until = since + timedelta(days=700)
        values = {"de": since, "ate": until, "conhecido": known}
        rows = named("changes_in_period").rows(store, values)
        of_sparql = {
            (from_iri(str(row["alvo"])), row["inicio"]): row["situacao"] for row in rows if row["alvo"] == row["norma"]
        }
        found = {
            (change.name, change.day)
            for change in changes(store, None, since, until, known)
            if change.name == change.norm and change.name not in left_out and change.after is not Status.IN_PROGRESS
        }
        only_reasons = {change for change in of_sparql.keys() - found if of_sparql[change] is not None}
        assert of_sparql.keys() - only_reasons == found


def test_acts_that_made_versions(sample_store: Path) -> None:
    store = open_store(sample_store)
    found = {(row.act, row.norm): row.provisions for row in amendments(store, None, date(2020, 1, 1))}
    made: dict[tuple[str, str], set[str]] = {}
    for norm in norms(store):
        for name, summary in (*store.provisions(norm.iri).items(), (norm.iri, store.summary(norm.iri))):
            for _, act in summary.causes():
                made.setdefault((from_iri(act.partition("!")[0]), norm.canonical), set()).add(name)
    assert found == {pair: len(names) for pair, names in made.items()}
    assert made
    for norm in norms(store):
        of_norm = list(amendments(store, norm, date(2020, 1, 1)))
        assert {row.act for row in of_norm} == {act for act, changed in made if changed == norm.canonical}
