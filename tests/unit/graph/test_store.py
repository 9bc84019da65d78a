"""Tests of the store: records are replaced atomically, derived triples follow from them, and a cache answers alike."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from threading import Thread

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Record
from graph.errors import BadQuery, StoreDamaged
from graph.store import BatchResult, Store, WritableStore, caching, in_memory, open_for_writing
from graph.store.caching import CachingStore, MemoizingStore
from graph.terms import Text
from graph.time.kinds import Status
from ontology.iris import DERIVED_GRAPH, provider_iri
from ontology.namespaces import VIG
from queries.evidence import records
from queries.in_force import in_force
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from tests.support.records import deletion, event, quads, record, store_of

# The store


LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
SECOND = f"{LAW}@2002-01-01;alteracao;2001-12-01"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"
RUN = "https://w3id.org/vigente/id/colheita/0"
REVOKING = "urn:lex:br:federal:lei:2006-05-08;99909@2006-07-01;publicacao;2006-05-09"


def harvested(record: Record, number: int = 0) -> Record:
    """Return the record as a harvest loads it: it replaces the stored one whatever its datestamp."""
    return replace(record, source=replace(record.source, run=f"{RUN}/{number}" if number else RUN))


def derived(store: Store, *works: str) -> frozenset[str]:
    """Return the quads derived for some works, or for all if none is given."""
    graph = ox.NamedNode(DERIVED_GRAPH)
    nodes = {
        quad.subject
        for work in works
        for quad in store.engine.quads_for_pattern(None, ox.NamedNode(VIG["periodoDe"]), ox.NamedNode(work), graph)
    }
    quads = store.engine.quads_for_pattern(None, None, None, graph)
    return frozenset(str(quad) for quad in quads if not works or quad.subject in nodes)


def horizons(store: Store) -> dict[str, date]:
    rows = store.select(f"SELECT ?p ?d WHERE {{ ?p <{VIG['horizonte']}> ?d }}")
    return {str(row["p"]): day for row in rows if isinstance(day := row["d"], date)}


# Loading again


def test_second_load_changes_nothing(code_records: tuple[Record, ...]) -> None:
    store = in_memory()
    assert store.is_empty
    assert store.apply([]) == BatchResult()
    assert not store.changed
    assert store.apply(code_records) == BatchResult(loaded=9)
    assert store.changed
    before = quads(store)
    store.changed = False
    assert store.apply(code_records) == BatchResult(unchanged=9)
    assert not store.changed
    assert quads(store) == before
    assert len(store) == len(before)


def test_payload_read_by_another_loader_is_reloaded() -> None:
    first_record = record(FIRST)
    store = store_of(first_record)
    newer = replace(first_record.source, loader="oai_lexml/2")
    assert store.apply([replace(first_record, source=newer)]) == BatchResult(loaded=1)


def test_last_record_of_a_source_in_a_batch_wins() -> None:
    store = in_memory()
    later = record(SECOND, key="a", datestamp="2008-12-16")
    batch = [record(FIRST, key="a"), record(FIRST, key="a"), deletion("a"), later]
    assert store.apply(batch) == BatchResult(loaded=2, unchanged=1, deleted=1)
    assert quads(store) == quads(store_of(later))


# Replacing


def test_replaced_record_removes_its_old_statements() -> None:
    old = record(FIRST, ("revoga", OTHER), key="a", epigraphs=[Text("Lei antiga")])
    new = record(SECOND, key="a", epigraphs=[Text("Lei nova")])
    store = store_of(record(f"{OTHER}@2003-02-04;publicacao;2003-02-04"), old)
    assert in_force(store, OTHER, "2003-03-01", "2004-01-01").status.value == "revoked"
    store.apply([new])
    assert quads(store) == quads(store_of(record(f"{OTHER}@2003-02-04;publicacao;2003-02-04"), new))
    assert not any("Lei antiga" in quad or FIRST in quad for quad in quads(store))
    assert in_force(store, OTHER, "2003-03-01", "2004-01-01").status.value == "in-force"


def test_replacement_derives_only_the_affected_works() -> None:
    bystander = record(f"{OTHER}@2003-02-04;publicacao;2003-02-04")
    store = store_of(record(FIRST, key="a"), bystander)
    others = derived(store, OTHER)
    assert others
    before = derived(store, LAW)
    store.apply([record(FIRST, key="a"), record(SECOND, key="b")])
    assert derived(store, OTHER) == others
    assert derived(store, LAW) > before - derived(store, LAW)
    assert derived(store, LAW) != before


def test_later_record_of_the_revoking_norm_dates_the_revocation() -> None:
    """Check that the revoked norm is derived again when only the norm that revokes it was loaded."""
    undated = record("urn:lex:br:federal:lei:2006-05-08;99909", ("revoga", LAW))
    store = store_of(record(FIRST), undated)
    assert in_force(store, LAW, "2006-06-30", "2008-01-01").status.value == "unknown"
    store.apply([record(REVOKING, key="dates")])
    assert in_force(store, LAW, "2006-06-30", "2008-01-01").status.value == "in-force"
    assert in_force(store, LAW, "2006-07-01", "2008-01-01").status.value == "revoked"


# Deletions


def test_deletion_leaves_a_tombstone_and_removes_the_work() -> None:
    gone = record(FIRST, key="a")
    store = store_of(gone, record(f"{OTHER}@2003-02-04;publicacao;2003-02-04"))
    assert store.apply([deletion("a")]) == BatchResult(deleted=1)
    left = list(store.engine.quads_for_pattern(None, None, None, ox.NamedNode(gone.source.iri)))
    assert {str(quad.subject) for quad in left} == {f"<{gone.source.iri}>"}
    assert {name for name, graph, _ in store.names if graph == gone.source.iri} == set(gone.about)
    tombstones = store.engine.quads_for_pattern(None, ox.NamedNode(VIG["lapide"]), None, None)
    assert [str(quad.object) for quad in tombstones] == ['"true"^^<http://www.w3.org/2001/XMLSchema#boolean>']
    assert not records(store, LAW)
    assert not derived(store, LAW)
    assert derived(store, OTHER)
    assert in_force(store, LAW, "2002-01-01", "2008-01-01").status.value == "unknown"
    assert store.apply([deletion("a")]) == BatchResult(unchanged=1)


def test_deleted_work_stays_while_another_record_mentions_it() -> None:
    """Check also that restoring the record gives the store as before the deletion, with the same horizon."""
    store = store_of(record(FIRST, key="a"), record(FIRST, key="b"))
    periods = derived(store, LAW)
    store.apply([deletion("a")])
    assert derived(store, LAW) == periods
    assert in_force(store, LAW, "2002-01-01", "2008-01-01").status.value == "in-force"
    restored = record(FIRST, key="a", datestamp="2008-12-16")
    store.apply([restored])
    assert quads(store) == quads(store_of(restored, record(FIRST, key="b")))


def test_fact_from_three_providers_has_three_sources() -> None:
    providers = [f"https://{provider_name}.example/oai" for provider_name in ("senado", "camara", "presidencia")]
    store = store_of(
        *(record(FIRST, provider=provider, datestamp=f"2008-12-{10 + n}") for n, provider in enumerate(providers))
    )
    answer = in_force(store, LAW, "2002-01-01", "2008-12-01")
    assert len(answer.sources) == 3
    assert [(provider, str(day)) for provider, day in answer.known_up_to] == [
        ("https://camara.example/oai", "2008-12-11"),
        ("https://presidencia.example/oai", "2008-12-12"),
        ("https://senado.example/oai", "2008-12-10"),
    ]
    alone = store_of(record(FIRST, provider=providers[0]))
    assert derived(store, LAW) == derived(alone, LAW)


# Order


def _mixed() -> list[Record]:
    provision = f"{LAW}@2001-03-06;publicacao;2001-03-06!art2"
    return [
        record(FIRST),
        record(SECOND),
        record(provision),
        record(f"{LAW}!art2", epigraphs=[Text("Art. 2º")]),
        record(REVOKING, ("revoga", LAW)),
        record("urn:lex:br:federal:lei:2006-05-08;99909@inicio.vigencia;assinatura;2006-05-08", datestamp="2009-01-01"),
        record(f"{OTHER}@2003-02-04!2003-02-04", ("revoga.dispositivo", f"{LAW}!art2"), ("altera", LAW)),
        record(
            "urn:lex:br:supremo.tribunal.federal:acordao;adi:2004-01-01;99910",
            events=[event("suspensao", LAW, "2004-02-01", "2004-01-15"), event("repristinacao", LAW, "2007-01-01")],
            provider="https://outro.example/oai",
        ),
        record(f"{LAW}@2001-03-06;retificacao;2005-05-05", datestamp=None),
    ]


@settings(max_examples=30)
@given(data=st.data())
def test_store_is_independent_of_record_order_and_batches(data: st.DataObject) -> None:
    mixed = _mixed()
    expected = quads(store_of(*mixed))
    order = data.draw(st.permutations(mixed))
    store = in_memory()
    position = 0
    while position < len(order):
        size = data.draw(st.integers(1, len(order)))
        store.apply(order[position : position + size])
        position += size
    assert quads(store) == expected


@settings(max_examples=20)
@given(data=st.data())
def test_replaced_and_deleted_records_leave_no_trace(data: st.DataObject) -> None:
    """Check that any history of replacements and deletions gives the store of the last records alone.

    A rebuild then changes nothing. Only tombstones keep data of earlier records: the works that a record was about.
    """
    mixed = _mixed()
    keys = st.sampled_from(["a", "b", "c"])
    stamps = st.sampled_from(["2008-01-01", "2009-01-01", "no day", None])
    strategy = st.tuples(keys, st.integers(-1, len(mixed) - 1), stamps)
    last: dict[str, Record] = {}
    store = in_memory()
    runs = count(1)
    for batch in data.draw(st.lists(st.lists(strategy, max_size=3), max_size=6)):
        made = [harvested(_again(mixed, *change), next(runs)) for change in batch]
        store.apply(made)
        for new_record in made:
            key = str(new_record.source.identifier)
            before = last.get(key)
            same = before is not None and before.source.payload_hash == new_record.source.payload_hash
            about = before.about if before is not None else ()
            last[key] = (
                before
                if before is not None and same
                else replace(new_record, was_about=about if new_record.deleted else ())
            )
    assert quads(store) == quads(store_of(*last.values()))
    store.changed = False
    store.rebuild(batch=2)
    assert not store.changed


def _again(mixed: Sequence[Record], key: str, number: int, datestamp: str | None) -> Record:
    document = mixed[number].document
    if number < 0 or document is None:
        return deletion(key, datestamp=datestamp)
    relations = [(relation.kind, relation.target.canonical) for relation in document.relations]
    made = record(document.name.canonical, *relations, key=key, datestamp=datestamp, events=mixed[number].events)
    return Record(made.source, made.document, made.events)


# Derived triples


UNSUPPORTED = f"""INSERT DATA {{ GRAPH <{DERIVED_GRAPH}> {{
    <urn:x:1> <{VIG["periodoDe"]}> <{LAW}> ; <{VIG["versao"]}> <{FIRST}> .
    <urn:x:2> <{VIG["horizonte"]}> '2030-01-01' . <{LAW}> <{VIG["aDerivar"]}> true }} }}"""


@pytest.mark.parametrize("damage", ["", f"DROP GRAPH <{DERIVED_GRAPH}>", UNSUPPORTED], ids=["none", "lost", "added"])
def test_rebuild_restores_the_derived_graph(damage: str, code_records: tuple[Record, ...]) -> None:
    store = in_memory()
    store.apply(code_records)
    before = quads(store)
    if damage:
        store.engine.update(damage)
        assert quads(store) != before
    store.changed = False
    assert store.rebuild(batch=1) >= 3
    assert quads(store) == before
    assert store.changed is bool(damage), "a rebuild of a consistent store writes nothing"


def test_dirty_flags_of_a_killed_process_are_processed(code_records: tuple[Record, ...]) -> None:
    store = in_memory()
    store.apply(code_records)
    quads_before = quads(store)
    code = "urn:lex:br:federal:lei:1990-09-11;8078"
    store.engine.update(
        f"DELETE WHERE {{ GRAPH <{DERIVED_GRAPH}> {{ ?p <{VIG['periodoDe']}> <{code}> ; ?q ?o }} }} ; "
        f"INSERT DATA {{ GRAPH <{DERIVED_GRAPH}> {{ <{code}> <{VIG['aDerivar']}> true }} }}"
    )
    assert store.marked == [code]
    assert store.finish() == 1
    assert store.marked == []
    assert quads(store) == quads_before
    store.changed = False
    assert store.finish() == 0
    assert not store.changed


def test_records_periods_and_horizon_are_committed_in_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a kill before the transaction (nothing is stored) and after it (only the name index is missing)."""
    law_record = record(FIRST, provider="https://um.example/oai", datestamp="2008-12-15")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for step, expected in (("carry_out", []), ("put", [law_record])):
        store = in_memory()
        part = store._transactions if step == "carry_out" else store.names  # noqa: SLF001 - the killed step
        with monkeypatch.context() as patch:
            patch.setattr(part, step, killed)
            with pytest.raises(KeyboardInterrupt):
                store.apply([law_record])
        assert quads(store) == quads(store_of(*expected))
        store.finish()
        assert list(store.names) == list(store_of(*expected).names)


# Horizons


def test_horizon_is_the_newest_datestamp_of_its_provider() -> None:
    first_provider, second_provider = "https://um.example/oai", "https://dois.example/oai"
    store = store_of(
        record(FIRST, provider=first_provider, datestamp="2008-12-15T10:00:00Z"),
        record(SECOND, provider=first_provider, datestamp="2008-12-14"),
        record(FIRST, provider=second_provider, datestamp="2001-01-01-10:20:20:002221"),
        record(SECOND, provider=second_provider, datestamp="15/12/2008"),
        record(OTHER, provider=None, datestamp="2030-01-01"),
    )
    assert horizons(store) == {
        provider_iri(first_provider): date(2008, 12, 15),
        provider_iri(second_provider): date(2001, 1, 1),
    }
    store.apply([deletion("x", provider=second_provider, datestamp="2009-05-05")])
    assert horizons(store)[provider_iri(second_provider)] == date(2009, 5, 5)


def test_horizon_is_lowered_when_its_newest_record_is_replaced() -> None:
    newest, other, older = (
        record(name, key=key, provider="https://um.example/oai", datestamp=day)
        for name, key, day in ((FIRST, "a", "2009-01-01"), (SECOND, "b", "2008-06-01"), (FIRST, "a", "2008-01-01"))
    )
    store = store_of(newest, other)
    store.apply([harvested(older)])
    assert horizons(store) == {provider_iri("https://um.example/oai"): date(2008, 6, 1)}


# Queries


def test_invalid_sparql_is_refused_immediately(code_store: WritableStore) -> None:
    with pytest.raises(BadQuery, match=r"^the query is not SPARQL 1\.1: error at 1:12: expected"):
        code_store.select("SELECT ?a ?")
    with pytest.raises(BadQuery, match=r"^expected a SELECT query, got one with another kind of answer$"):
        code_store.select("ASK { ?s ?p ?o }")
    with pytest.raises(BadQuery, match=r"^a parameter is not in the query's projection: .*\?x"):
        code_store.select("SELECT ?s { ?s ?p ?x }", {"x": ox.NamedNode("urn:x:1")})
    with pytest.raises(BadQuery, match=r"^the query is not SPARQL 1\.1"):
        code_store.answer("DELETE WHERE { ?s ?p ?o }")
    assert len(code_store) > 0


def test_closed_store_raises() -> None:
    store = store_of(record(FIRST))
    with store as entered:
        assert entered is store
    store.close()
    with pytest.raises(StoreDamaged, match=r"^the store is closed$"):
        _ = store.is_empty


def test_old_logs_are_removed_on_opening(tmp_path: Path) -> None:
    for _ in range(6):
        with open_for_writing(tmp_path / "store", create=True):
            pass
    assert len(list((tmp_path / "store" / "data").glob("LOG.old.*"))) <= 2


# A caching store


LAWS = "urn:lex:br:federal:lei:2001-03-05;"
NAMES = "SELECT ?work ?name WHERE { ?work <https://w3id.org/vigente/ns#nome> ?name } ORDER BY ?name"


def filled() -> CachingStore:
    store = in_memory()
    store.apply([record(f"{LAWS}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in range(99901, 99911)])
    return CachingStore(store)


def test_cached_answers_equal_the_store_and_are_queried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled()
    asked = []

    class Counting:
        def __getattr__(self, name: str) -> object:
            asked.append(name)
            return getattr(engine, name)

    engine = store.engine
    monkeypatch.setattr(store, "_engine", Counting())
    name = f"{LAWS}99901"
    first = in_force(store, name, "2001-05-01", "2020-01-01")
    assert first.status is Status.IN_FORCE
    count = len(asked)
    assert count
    assert in_force(store, name, "2001-05-01", "2020-01-01") == first
    assert len(asked) == count
    assert in_force(store, name, "2001-03-31", "2020-01-01").status is Status.VACATIO
    assert len(asked) <= count + 3
    monkeypatch.undo()
    plain = in_memory()
    plain.apply([record(f"{LAWS}{n}@2001-04-01;publicacao;2001-03-06", key=f"k{n}") for n in range(99901, 99911)])
    assert first == in_force(plain, name, "2001-05-01", "2020-01-01")
    assert timeline(store, name) == timeline(plain, name)


def test_changed_row_does_not_change_the_cache() -> None:
    store = filled()
    for row in store.select(NAMES):
        row.clear()
    for row in store.select(NAMES):
        row.clear()
    assert all(row["name"] for row in store.select(NAMES))


def test_long_answers_are_complete_and_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled()
    expected = list(store.select(NAMES))
    monkeypatch.setattr(caching, "_LONGEST", len(expected) - 1)
    other = CachingStore(store)
    assert list(other.select(NAMES)) == list(other.select(NAMES)) == expected


def test_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "_REMEMBERED", 10_000)
    store = filled()
    query = "SELECT ?work WHERE { ?work <https://w3id.org/vigente/ns#nome> ?name }"
    for number in range(99901, 99911):
        bound = {"name": ox.Literal(f"{LAWS}{number}")}
        with pytest.raises(BadQuery):  # a parameter that is not projected
            list(store.select(query, bound))
        assert len(list(store.select(query.replace("?work WHERE", "?work ?name WHERE"), bound))) == 1
    assert 4 <= len(store._held) <= 9  # noqa: SLF001 - the cache has no public size


def test_cache_size_is_measured_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the memory held for cached answers matches its estimate, and stays within twice the limit."""
    many, most = 2_000, 1 << 20
    monkeypatch.setattr(caching, "_REMEMBERED", most)
    store = filled()
    long = "SELECT (CONCAT(STR(?at), ?said) AS ?told) ?at WHERE { VALUES ?said { '" + "x" * 10_000 + "' } }"
    tracemalloc.start()
    try:
        for index in range(many):
            assert len(list(store.select(long, {"at": ox.Literal(str(index))}))) == 1
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most / 2 < held < 2 * most


def test_cache_is_thread_safe() -> None:
    store = filled()
    statuses: list[object] = []

    def ask() -> None:
        for number in range(99901, 99911):
            statuses.append(in_force(store, f"{LAWS}{number}", "2001-05-01", "2020-01-01").status)

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert statuses == [Status.IN_FORCE] * 40


def test_vocabulary_is_read_once_per_store() -> None:
    store = filled()
    first = vocabulary(MemoizingStore(store))
    assert vocabulary(MemoizingStore(store)) is first
    assert vocabulary(MemoizingStore(MemoizingStore(store))) is vocabulary(store) is first
    assert vocabulary(filled()) is not first
