"""Tests of finding periods by day: the same as reading all periods, in steps that do not depend on their number."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings

from graph.civil import When
from graph.store import names, open_for_writing
from graph.store import open as open_for_reading
from graph.store.names import NAMES, NameIndex
from graph.summaries import Summary, pack_derived
from graph.time.force import History as GraphLife
from graph.time.force import Member, derive
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import Axis
from graph.urn import parse
from ontology.iris import DERIVED_GRAPH
from queries.status import find_period
from tests.property.test_vigencia import ASKED, History, histories, unhurried
from tests.support.records import record

pytestmark = pytest.mark.slow

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
OTHER = "urn:lex:br:federal:lei:2001-03-05;99908"
TABLES = ("many", "periods")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every summary count as long."""
    monkeypatch.setattr(names, "_LONG", 1)


def packed_of(periods: Iterable[BitemporalPeriod]) -> str | None:
    period_list = list(periods)
    return pack_derived(LAW, period_list, {}, None)


def by_reading(index: NameIndex, day: date, known: date, axis: Axis) -> object:
    return Summary(LAW, index.of(LAW)).periods_at(day.isoformat(), known.isoformat(), axis)


def by_search(index: NameIndex, day: date, known: date, axis: Axis) -> object:
    packed = index.derived(LAW, day, known, axis)
    summaries = [(DERIVED_GRAPH, packed)] if packed is not None else []
    return Summary(LAW, summaries).periods_at(day.isoformat(), known.isoformat(), axis)


@settings(unhurried, max_examples=60)
@given(first=histories(), then=histories())
def test_period_search_equals_a_full_read(first: History, then: History) -> None:
    """Compare searching with reading all, also after the periods were replaced and removed."""
    index = NameIndex(None)
    for packed in (packed_of(first.periods()), packed_of(then.periods()), None):
        index.put({}, {LAW: packed, OTHER: packed_of(first.periods())})
        for day, known, axis in product(ASKED, ASKED, Axis):
            assert by_search(index, day, known, axis) == by_reading(index, day, known, axis), (day, known, axis)


@settings(unhurried, max_examples=30)
@given(history=histories())
def test_one_period_is_read_from_a_long_summary(history: History) -> None:
    index = NameIndex(None)
    index.put({}, {LAW: packed_of(history.periods())})
    for day, known, axis in product(ASKED, ASKED, Axis):
        packed = index.derived(LAW, day, known, axis)
        assert packed is None or len(Summary(LAW, [(DERIVED_GRAPH, packed)]).periods()) == 1


def of_versions(count: int) -> str | None:
    """Return the periods of a norm with that many versions, of which every fifth became known long after its start."""
    begins = [date(1950, 1, 1) + timedelta(9 * number) for number in range(count)]
    views = [day + timedelta(8_000 if number % 5 == 4 else -1) for number, day in enumerate(begins)]
    seen = zip(begins, views, strict=True)
    return packed_of(
        derive(
            GraphLife(
                tuple(Member(f"{LAW}@{day}", day, When.on(view), original=day == begins[0]) for day, view in seen)
            )
        )
    )


def test_period_search_steps_do_not_grow_with_the_number_of_periods(tmp_path: Path) -> None:
    """Compare the largest number of SQLite steps that a query takes, before and after the data grow tenfold."""
    taken = []
    for count in (60, 600):
        packed = of_versions(count)
        assert packed is not None
        file = tmp_path / str(count)
        with closing(NameIndex(file)) as index:
            index.put({}, {LAW: packed})
        with closing(sqlite3.connect(file)) as connection:
            steps = [0]

            def step(steps: list[int] = steps) -> int:
                steps[0] += 1
                return 0

            connection.set_progress_handler(step, 1)
            searched = names.PeriodsIndex(connection)
            most = 0
            days = [date(1950, 1, 1) + timedelta(401 * number) for number in range(60)]
            for day, known in product(days, days):
                steps[0] = 0
                searched.about(LAW, day, known, Axis.FORCE)
                most = max(most, steps[0])
            taken.append((most, len(packed)))
    (few, short_text), (many, long_text) = taken
    assert long_text > 9 * short_text
    assert many <= few * 1.1, taken


def tables(file: Path) -> Iterator[tuple[object, ...]]:
    """Yield the rows of an index, without the row numbers that it assigns."""
    with closing(sqlite3.connect(file)) as index:
        yield from index.execute(
            "SELECT name, clocks, stands, start, until, known, known_until, packed "
            "FROM many JOIN periods ON periods.many = many.id ORDER BY 1, 2, 3, 4"
        )


def test_index_of_an_earlier_release_gets_its_tables_from_the_next_writer(tmp_path: Path) -> None:
    """Check an index of an earlier release, without these tables; its names are not read from the graph again."""
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply(
            [record(f"{LAW}@2001-04-01;publicacao;2001-03-06"), record(f"{LAW}@2004-04-01;alteracao;2004-03-06")]
        )
    expected = list(tables(folder / NAMES))
    assert len(expected) > 3
    for file in (folder / NAMES, folder / "current" / NAMES):
        with closing(sqlite3.connect(file)) as index:
            for table in TABLES:
                index.execute(f"DROP TABLE {table}")
    asked = parse(LAW), date(2004, 4, 1), date(2004, 3, 6), Axis.FORCE
    with open_for_reading(folder) as store:
        before = find_period(store, *asked)
    assert before is not None
    with closing(NameIndex(folder / NAMES)):
        pass
    assert list(tables(folder / NAMES)) == expected
    with open_for_writing(folder) as store:
        assert find_period(store, *asked) == before


def test_removed_work_leaves_no_rows(tmp_path: Path) -> None:
    packed = of_versions(9)
    with closing(NameIndex(tmp_path / NAMES)) as index:
        index.put({}, {LAW: packed, OTHER: packed})
        both = len(list(tables(tmp_path / NAMES)))
        index.put({}, {LAW: None})
        assert 0 < len(list(tables(tmp_path / NAMES))) < both
        index.put({}, {OTHER: None})
    with closing(sqlite3.connect(tmp_path / NAMES)) as left:
        assert left.execute("SELECT (SELECT count(*) FROM many), (SELECT count(*) FROM periods)").fetchall() == [(0, 0)]


def test_rebuild_repairs_differing_rows(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_for_writing(folder, create=True) as store:
        store.apply([record(f"{LAW}@2001-04-01;publicacao;2001-03-06")])
    expected = list(tables(folder / NAMES))
    with closing(sqlite3.connect(folder / NAMES)) as index:
        index.execute("UPDATE periods SET start = start + 1")
        index.commit()
    with open_for_writing(folder) as store:
        store.rebuild()
        assert store.changed
    assert list(tables(folder / "current" / NAMES)) == expected
