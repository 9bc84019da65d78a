"""Tests of replacing records: only differences are written and derived, with the result of a complete rewrite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Record
from graph.patterns import Patterns
from graph.store import Store, in_memory, writable
from graph.store.derivation import Derivation
from graph.store.writable import StoredRecords
from graph.terms import Text
from ontology.iris import provider_iri
from ontology.namespaces import VIG
from tests.support.records import event, quads, record, store_of

pytestmark = pytest.mark.slow


LAWS = [f"urn:lex:br:federal:lei:2001-03-05;{number}" for number in (99901, 99902, 99903)]
VERSIONS = ["", "@2001-04-01;publicacao;2001-03-06", "@2003-01-01;alteracao;2002-12-01", "@2002-01-01"]
RELATIONS = ["revoga", "altera"]
PROVIDERS = ["https://um.example/oai", "https://outro.example/oai"]
RUNS = [f"urn:x:colheita:{number}" for number in range(5)]
DAYS = [date(2008, 12, 14) + timedelta(number) for number in range(5)]


@st.composite
def batches(draw: st.DrawFn) -> list[list[tuple[object, ...]]]:
    """Draw batches of the fields from which records are made.

    The fields are key, law, version, relation, event, provider, day, hour, title, and whether the record was harvested.
    """
    choices = st.tuples(
        st.integers(0, 19),
        st.sampled_from(LAWS),
        st.sampled_from(VERSIONS),
        st.none() | st.tuples(st.sampled_from(RELATIONS), st.sampled_from(LAWS)),
        st.none() | st.tuples(st.sampled_from(LAWS), st.none() | st.sampled_from(["2005-01-01", "2006"])),
        st.sampled_from(PROVIDERS),
        st.sampled_from(DAYS),
        st.sampled_from(["", "T10:00:00Z", "T23:59:59Z"]),
        st.sampled_from(["Lei", "Norma"]),
        st.booleans(),
    )
    return draw(st.lists(st.lists(choices, min_size=1, max_size=24), min_size=1, max_size=5))


def made(fields: Sequence[object], turn: int) -> Record:
    key, law, version, relation, acting, provider, day, hour, title, harvested = fields
    events = () if acting is None else (event("revogacao", acting[0], None, acting[1]),)  # type: ignore[index]
    new_record = record(
        f"{law}{version}",
        *([relation] if relation is not None and relation[1] != law else ()),  # type: ignore[index]
        key=str(key),
        provider=provider,  # type: ignore[arg-type]
        datestamp=f"{day}{hour}",
        events=events,
        epigraphs=[Text(str(title))],
    )
    # A key has one graph, whatever the provider. A harvested record replaces the stored one, whatever the datestamp.
    return replace(
        new_record,
        source=replace(new_record.source, iri=f"urn:x:registro:{key}", run=RUNS[turn] if harvested else None),
    )


def horizons(store: Store) -> dict[str, date]:
    rows = store.select(f"SELECT ?p ?d WHERE {{ ?p <{VIG['horizonte']}> ?d }}")
    return {str(row["p"]): row["d"] for row in rows}  # type: ignore[misc]


@settings(max_examples=60)
@given(batches=batches())
def test_replacement_equals_a_complete_rewrite(batches: list[list[tuple[object, ...]]]) -> None:
    """Compare a store with one that rewrites each graph and derives all works touched, and with a full rebuild."""
    store, plain = in_memory(), in_memory()
    for turn, batch in enumerate(batches):
        coming = [made(fields, turn) for fields in batch]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writable, "EmbeddedRecords", StoredRecords)
            expected = plain.apply(coming)
        assert store.apply(coming) == expected
        assert store.marked == []
        assert horizons(store) == Patterns(store.engine).horizons()
        assert list(store.names) == list(Store(store.engine, None).names)
        assert quads(store) == quads(plain)
        quads_before = quads(store)
        store.changed = False
        store.rebuild()
        assert quads(store) == quads_before
        assert not store.changed


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the works that are derived."""
    derived_works: list[str] = []
    really = Derivation.of

    def of(self: Derivation, works: Iterable[str], replaced: Iterable[str] = ()) -> object:
        works = list(works)
        derived_works.extend(works)
        return really(self, works, replaced)

    monkeypatch.setattr(Derivation, "of", of)
    return derived_works


DATED = f"{LAWS[0]}@2001-04-01;publicacao;2001-03-06"
UNDATED = f"{LAWS[0]}@2001-04-01"


@pytest.mark.parametrize(
    ("name", "acting", "datestamp", "works"),
    [
        (DATED, None, "2008-12-15", []),
        (DATED, None, "2008-12-20", []),
        (UNDATED, None, "2008-12-15", []),
        (UNDATED, None, "2008-12-20", [LAWS[0]]),  # the datestamp is the upper bound of the day of knowledge
        (DATED, (LAWS[1], "2005-01-01"), "2008-12-20", []),
        (DATED, (LAWS[1], None), "2008-12-15", []),
        (DATED, (LAWS[1], None), "2008-12-20", [LAWS[0], LAWS[1]]),
        (f"{LAWS[0]}@2001-05-01;publicacao;2001-03-06", None, "2008-12-15", [LAWS[0]]),
    ],
)
def test_change_without_effect_on_history_derives_nothing(
    name: str, acting: tuple[str, str | None] | None, datestamp: str, works: list[str], derived: list[str]
) -> None:
    events = () if acting is None else (event("revogacao", acting[0], acting[1], acting[1]),)
    first = name if name == UNDATED else DATED
    store = in_memory()
    store.apply([record(first, key="a", events=events, epigraphs=[Text("Antes")])])
    derived.clear()
    changed = record(name, key="a", events=events, epigraphs=[Text("Depois")], datestamp=datestamp)
    assert store.apply([changed]).loaded == 1
    assert derived == works
    assert any("Depois" in quad for quad in quads(store))
    assert not any("Antes" in quad for quad in quads(store))
    expected = in_memory()
    expected.apply([changed])
    assert quads(store) == quads(expected)


def test_small_change_writes_few_quads(monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_of(*(record(DATED, key=str(number), epigraphs=[Text("Antes")]) for number in range(40)))
    asked: list[str] = []
    really = store._transact  # noqa: SLF001 - writes to the engine

    def transact(operations: Sequence[str]) -> None:
        asked.extend(operations)
        really(operations)

    monkeypatch.setattr(store, "_transact", transact)
    store.apply([record(DATED, key=str(number), epigraphs=[Text("Depois")]) for number in range(40)])
    lines = [line for operation in asked for line in operation.split("\n") if line.endswith(" .")]
    assert sum("Antes" in line for line in lines) == sum("Depois" in line for line in lines) == 40
    assert len(lines) < 40 * 6


def test_lowered_horizon_is_found_without_reading_every_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the newest of 301 records to an earlier day.

    Only the records of the then newest day may be read to find the new horizon.
    """

    def of(number: int, day: str, run: str = "urn:x:colheita:1") -> Record:
        new_record = record(f"{LAWS[0]}@2001-04-01;publicacao;2001-03-06", key=str(number), datestamp=day)
        return replace(new_record, source=replace(new_record.source, run=run))

    older = [
        of(number, f"2008-{1 + number % 11:02}-{1 + number % 28:02}T00:00:{number % 60:02}Z") for number in range(300)
    ]
    store = store_of(of(500, "2009-05-05"), *older)
    looked: list[str] = []
    really = Patterns._stamped  # noqa: SLF001 - one for each record that is looked at

    def stamped(self: Patterns, work: str) -> object:
        looked.append(work)
        return really(self, work)

    monkeypatch.setattr(Patterns, "_stamped", stamped)
    store.apply([of(500, "2007-01-01", "urn:x:colheita:2")])
    assert horizons(store) == {provider_iri("https://provedor.example/oai"): date(2008, 11, 27)}
    assert len(looked) < 10
