"""Tests of the life cycle of a work as read from the graph: stated days, days of the cause, and unknown days."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pyoxigraph as ox
import pytest

from graph.acts import Acts
from graph.civil import ONE_DAY, parse_when
from graph.patterns import Patterns, affected_works
from graph.statements import StatementsReader
from graph.store import WritableStore, in_memory
from graph.time.causes import rank as rank_of_view
from graph.time.events import Starts
from graph.time.evidence import Evidence
from graph.time.force import History, Member
from graph.time.kinds import Status
from graph.urn import parse
from ontology.events import rank
from ontology.iris import DERIVED_GRAPH
from ontology.namespaces import VIG
from queries.status import status_on
from tests.support.cases import tuples
from tests.support.records import deletion, event, record, store_of

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
CAUSE = "urn:lex:br:federal:lei:2006-05-08;99908"


def read(store: WritableStore, work: str = LAW) -> History:
    patterns = Patterns(store.engine)
    return Evidence(StatementsReader(patterns, Acts(patterns)).read([work])).history(work)


@pytest.mark.parametrize(
    ("version", "first_day", "view", "order"), tuples("lifecycle", "version_has_its_first_day_and_its_view")
)
def test_version_has_its_first_day_and_its_view(
    version: str, first_day: date | None, view: str, order: str | None
) -> None:
    """Check also a view without a day: its bounds are the day of its norm and the oldest datestamp of its records."""
    name = f"{LAW}@{version}"
    store = store_of(record(name, key="a"), record(name, key="b", datestamp="2009-01-01"))
    first = order in (None, "assinatura", "publicacao")
    assert read(store).members == (Member(name, first_day, parse_when(view), rank(order), original=first),)


def test_unbounded_version_is_omitted() -> None:
    """Check a name with several dates: it has no single day before which the norm did not exist."""
    work = "urn:lex:br:federal:lei:14.legislatura;99907"
    store = store_of(record(f"{work}@2007-01-01"))
    assert read(store, work).members == ()


def test_cancelled_version_day_is_read() -> None:
    store = store_of(record(FIRST))
    store.engine.update(
        f"INSERT DATA {{ GRAPH <urn:x:g> {{ <{FIRST}> <{VIG['cancelaVersao']}> "
        '"2001-04-01"^^<http://www.w3.org/2001/XMLSchema#date> } }'
    )
    (member,) = read(store).members
    assert member.cancels == date(2001, 4, 1)


@pytest.mark.parametrize("kind", ["entrada.vigor", "prorrogacao.vacatio", "palavra.nova"])
def test_events_without_an_effect_change_nothing(kind: str) -> None:
    assert read(store_of(record(FIRST, events=[event(kind, LAW, "2002-01-01", "2002-01-01")]))).events == ()


def test_event_that_made_a_version_has_no_other_effect() -> None:
    store = store_of(record(f"{LAW}@2001-03-06;anulacao;2002-01-01"), record(f"{LAW}@2001-03-06;suspensao;2002-01-01"))
    assert read(store).events == ()
    assert len(read(store).members) == 2


def test_provision_inherits_events_of_its_norm() -> None:
    store = store_of(record(FIRST), record(f"{FIRST}!art2"), record(CAUSE, ("revoga", LAW)))
    article = read(store, f"{LAW}!art2")
    assert [member.name for member in article.members] == [f"{FIRST}!art2"]
    assert article.events == ()
    assert article.inherited == (read(store).events,)
    assert read(store).inherited == ()


def test_record_reports_affected_and_dependent_works() -> None:
    revoking = record(f"{CAUSE}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW))
    issue = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2007-01-10;133"
    published = record(FIRST, ("publicacao.oficial", issue))
    gone = deletion("x")
    store = store_of(published, record(f"{FIRST}!art2"), revoking, gone)
    patterns = Patterns(store.engine)
    assert affected_works(patterns, ox.NamedNode(revoking.source.iri)) == {CAUSE, LAW}
    assert affected_works(patterns, ox.NamedNode(published.source.iri)) == {LAW}
    assert affected_works(patterns, ox.NamedNode(gone.source.iri)) == set()
    assert patterns.with_dependants([CAUSE]) == [LAW, f"{LAW}!art2", CAUSE]
    assert patterns.with_dependants([f"{LAW}!art2"]) == [f"{LAW}!art2"]
    assert patterns.works_with_history() == {LAW, f"{LAW}!art2", CAUSE}


@pytest.mark.parametrize(("version", "cancels"), tuples("lifecycle", "moved_start_in_vacatio_is_read"))
def test_moved_start_in_vacatio_is_read(version: str, cancels: date | None) -> None:
    store = store_of(record(f"{LAW}@2001-06-01;publicacao;2001-03-06"), record(f"{LAW}@{version}"))
    ranked = sorted(read(store).members, key=rank_of_view)
    assert Starts.of(ranked).moved == ({} if cancels is None else {f"{LAW}@{version}": cancels})


def test_cause_chain_is_independent_of_record_order() -> None:
    """Load a chain of three causes, one record at a time, in every order, then load the first record once more."""
    first, second, third = (f"urn:lex:br:federal:lei:200{n}-01-02;9991{n}" for n in range(3))
    judgment = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-16;99919"
    records = [
        record(f"{first}@2000-01-03;publicacao;2000-01-03", key="first"),
        record(f"{second}@2001-01-03;publicacao;2001-01-03", ("revoga", first), key="second"),
        record(f"{third}@2003-01-03;publicacao;2002-01-03", ("revoga", second), key="third"),
        record(judgment, key="judgment", events=[event("anulacao", third, "2003-01-03", "2010-06-23", judgment)]),
    ]
    store, states = in_memory(), set()
    for order in permutations(records):
        store = in_memory()
        for next_record in (*order, order[0]):
            store.apply([next_record])
        quads = store.engine.quads_for_pattern(None, None, None, ox.NamedNode(DERIVED_GRAPH))
        states.add(frozenset(map(str, quads)))
    assert len(states) == 1
    judged = date(2010, 6, 23)
    assert status_on(store, parse(first), date(2005, 1, 1), judged) is Status.REVOKED
    assert status_on(store, parse(second), date(2005, 1, 1), judged) is Status.IN_FORCE
    assert status_on(store, parse(second), date(2005, 1, 1), judged - ONE_DAY) is Status.REVOKED
