"""Tests that the rows of a norm answer as :func:`queries.in_force` and :func:`queries.text` do.

Their statuses and versions are those of in-force on both axes, and the full-text index has words on exactly the days on
which the text has them.
"""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.civil import today
from graph.quarantine import Quarantine
from graph.read_model.rectangles import OPEN, Rectangle, coalesced, day_of, ordinal
from graph.read_model.rows import Axes, Row
from graph.store import Store, WritableStore, in_memory
from graph.store import open as open_store
from graph.store.comparison import IndexComparison
from graph.store.fulltext import WordingFound
from graph.time.kinds import Axis, Situation, Status
from graph.urn import from_iri, to_iri
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.text import text
from tests.property.test_documents import LAW, WINDOW, Drawn, annulled_as_it_begins, ended_as_it_begins, lives, loaded

SHARED = Path(__file__).parents[4] / "shared" / "data"
#: Provisions of titles and summaries have the days of their norm, and are not compared.
TITLE = "!epigrafe"


def wordings(store: Store, norm: str) -> Iterator[WordingFound]:
    """Yield every wording of a norm."""
    connection = store.full_text.connection
    rows = connection.execute(
        "SELECT worded.id FROM worded JOIN norms_sought ON norms_sought.id = norm WHERE norms_sought.iri = ?", (norm,)
    ).fetchall()
    yield from store.full_text._read([row[0] for row in rows]).values()  # noqa: SLF001


def compare(store: Store, norm: str, pairs: Sequence[tuple[date, date]]) -> int:
    """Compare the words of the index with the text of the norm on some days, and return how many were compared."""
    provisions = [wording for wording in wordings(store, norm) if "!" in wording.name and wording.texts[3]]
    compared = 0
    rows: dict[str, list[Row]] = {norm: []}
    for fragment, _, row in store.names.full_text.rows(norm):
        rows.setdefault(f"{norm}!{fragment}" if fragment else norm, []).append(row)
    assert list(IndexComparison(store.names, store.engine).of_norm(norm)) == []
    for on, known in pairs:
        for name in random.Random(f"{on}{known}").sample(sorted(rows), min(len(rows), 6)):  # noqa: S311 - as below
            for axis in Axis:
                decided = in_force(store, from_iri(name), on, known, axis)
                version = to_iri(decided.version.name) if decided.version is not None else None
                assert row_on(rows[name], on, known, axis) == (decided.status, version), (name, on, known, axis)
        answer = text(store, from_iri(norm), on, known)
        undated = any(notice.code == "undated-text" for notice in answer.notices)
        shown = {
            part.name: part.text
            for part in answer.provisions
            if part.text and not (part.undecided or undated or part.name.endswith(TITLE))
            if part.situation != Situation.VETADO  # a vetoed provision is not in force
        }
        if answer.status is Status.VACATIO:  # the answer has the future text, too
            shown = {name: words for name, words in shown.items() if in_force(store, name, on, known).status.stands}
        day, known_day = ordinal(on), ordinal(known)
        indexed: dict[str, set[str]] = {}
        for provision in provisions:
            if not provision.name.endswith(TITLE) and any(span.holds(day, known_day) for span in provision.days):
                indexed.setdefault(from_iri(provision.name), set()).add(provision.texts[3])
        assert indexed == {name: {words} for name, words in shown.items()}, (norm, on, known)
        compared += len(shown)
    return compared


def row_on(rows: Sequence[Row], on: date, known: date, axis: Axis) -> tuple[Status, str | None]:
    """Return the status and version of the only row of some days and an axis; not published without a row."""
    point = Rectangle(ordinal(on), ordinal(on) + 1, ordinal(known), ordinal(known) + 1)
    bit = Axes.FORCE if axis is Axis.FORCE else Axes.EFFICACY
    found = [row for row in rows if row.axes & bit and row.days.intersection(point)]
    assert len(found) < 2
    return (found[0].status, found[0].version) if found else (Status.NOT_PUBLISHED, None)


def pairs_of(store: Store, norm: str, count: int) -> list[tuple[date, date]]:
    """Return some pairs of days around the days of changes."""
    edges = {edge for wording in wordings(store, norm) for span in wording.days for edge in span if 1 < edge < OPEN}
    days = sorted({date.fromordinal(edge + beside) for edge in edges or {730_000} for beside in (-1, 0)})
    known_days = [day for day in days if day <= today()] or [today()]
    drawn = random.Random(norm)  # noqa: S311 - the same on each run
    return [(drawn.choice(days), drawn.choice(known_days)) for _ in range(count)]


def norms_of(store: Store) -> list[str]:
    connection = store.full_text.connection
    return [iri for (iri,) in connection.execute("SELECT iri FROM norms_sought ORDER BY iri")]


def filled(tmp_path: Path, *paths: Path) -> WritableStore:
    store = in_memory()
    load(list(paths), store, Quarantine(tmp_path / "quarantine"))
    return store


def test_rows_of_the_sample_equal_its_answers(sample_store: Path) -> None:
    store = open_store(sample_store)
    assert sum(compare(store, norm, pairs_of(store, norm, 40)) for norm in norms_of(store)) > 100


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["planalto", "normas", "constituicao"])
def test_rows_of_real_norms_equal_their_answers(folder: str, tmp_path: Path) -> None:
    """Check all pages of laws, and two of the pages of the Constitution: to load all of them takes long."""
    if not (files := SHARED / folder).is_dir():
        pytest.skip("needs the real samples beside the checkout")
    if folder == "constituicao":
        with tarfile.open(files / "snapshots.tar.xz") as archive:
            archive.extractall(files := tmp_path / folder, archive.getmembers()[:2], filter="data")
    store, count = filled(tmp_path, files), {"planalto": 6, "normas": 24, "constituicao": 4}[folder]
    assert sum(compare(store, norm, pairs_of(store, norm, count)) for norm in norms_of(store)) > 100


@pytest.mark.slow
@example(annulled_as_it_begins(), [(day, known) for day in WINDOW for known in WINDOW])
@example(ended_as_it_begins(), [(day, known) for day in WINDOW for known in WINDOW])
@settings(max_examples=60)
@given(lives(), st.lists(st.tuples(st.sampled_from(WINDOW), st.sampled_from(WINDOW)), min_size=8, max_size=14))
def test_rows_of_random_histories_equal_their_answers(drawn: Drawn, pairs: list[tuple[date, date]]) -> None:
    compare(loaded(drawn), to_iri(LAW), pairs)


spans = st.builds(
    lambda start, days, known, known_for: Rectangle(start, start + days, known, known + known_for),
    *(st.integers(1, 9), st.integers(1, 5), st.integers(1, 9), st.integers(1, 5)),
)


@given(st.lists(spans, max_size=8))
def test_coalescing_keeps_the_covered_days(given_rects: list[Rectangle]) -> None:
    def covered(some: Sequence[Rectangle]) -> list[tuple[int, int]]:
        return [
            (day, known)
            for period in some
            for day in range(period.start, period.until)
            for known in range(period.known, period.known_until)
        ]

    points = covered(coalesced(given_rects))
    assert len(points) == len(set(points)) or len(given_rects) < 2
    assert set(points) == set(covered(given_rects))


def test_days_are_numbers_and_open_ends_are_none() -> None:
    assert day_of(ordinal("1990-09-11")) == date(1990, 9, 11)
    assert day_of(ordinal(None)) is None
    assert ordinal(date.min + timedelta(1)) == 2
