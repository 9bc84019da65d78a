"""Tests of random life cycles in source records, queried in SPARQL on every pair of days and on both axes.

A second reader takes names and events directly from the records, for the slow evaluator (the oracle). The derivation
without a store and the query over the store must give the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.civil import When, parse_when
from graph.entities import Record
from graph.store import Store
from graph.terms import to_engine
from graph.time.force import History, LifecycleEvent, Member, derive, find
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import from_iri, parse
from ontology.events import EVENTS, Effect, rank
from ontology.namespaces import CRM, VIG
from queries.catalogue import named
from tests.support.record_triples import Triples
from tests.support.records import event, record, store_of
from tests.support.vigencia_oracle import state

FIRST = date(1999, 12, 28)
WINDOW = [FIRST + timedelta(n) for n in range(6)]
ASKED = [FIRST - timedelta(1), *WINDOW, date.max]
#: The law's own date is in the window, so that the lower bound of a view without a day matters.
ISSUED = WINDOW[1]
LAW = f"urn:lex:br:federal:lei:{ISSUED};99901"
ARTICLE = f"{LAW}!art2"
CAUSE = f"urn:lex:br:federal:lei:{WINDOW[2]};99902"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:1999-12-31;99903"

SITUATIONS = {
    VIG["vacatio"]: Status.VACATIO,
    VIG["suspensa"]: Status.SUSPENDED,
    VIG["revogada"]: Status.REVOKED,
    VIG["anulada"]: Status.ANNULLED,
    VIG["expirada"]: Status.EXPIRED,
    VIG["convertida"]: Status.CONVERTED,
    VIG["vetada"]: Status.VETOED,
    VIG["indeterminada"]: Status.UNKNOWN,
}

days = st.sampled_from(WINDOW).map(date.isoformat)
stamps = st.one_of(days, days, st.sampled_from([None, "29/12/1999"]))
words = st.sampled_from(
    ["assinatura", "publicacao", "alteracao", "retificacao", "anulacao", "entrada.vigor", "palavra.nova"]
)
versions = st.one_of(
    st.builds("{};{};{}".format, days, words, days),
    st.builds("{};{};{}".format, days, words, days),
    st.builds("{};{};{}".format, days, words, days),
    st.builds("{}!{}".format, days, days),
    st.builds("{};{}".format, days, words),
    st.builds("inicio.vigencia;publicacao;{}".format, days),
    days,
)
whens = st.one_of(
    days,
    days,
    days,
    st.tuples(days, days).map(lambda pair: f"{min(pair)}/{max(pair)}"),
    days.map(lambda day: f"{day}/.."),
    st.sampled_from(["1999", "2000", None]),
)
STARTS = {term.notation for term in EVENTS.values() if term.effect is Effect.STARTS_FORCE}
kinds = st.sampled_from([term.notation for term in EVENTS.values() if term.effect is not None])


@dataclass(frozen=True)
class Stated:
    """The content of a record: a version of the law, of its article or of the norm that is a cause, or an event."""

    about: str
    version: str | None
    event: tuple[str, str | None, str | None, str | None] | None
    datestamp: str | None


def versions_of(work: str, least: int, most: int) -> st.SearchStrategy[list[Stated]]:
    return st.lists(st.builds(Stated, st.just(work), versions, st.none(), stamps), min_size=least, max_size=most)


@st.composite
def stories(draw: st.DrawFn) -> list[Stated]:
    """Draw the contents of some records. Most events omit a day, or have a cause that may date them.

    A start of force of the law itself (rule R30) is not drawn: only the article has one of its own (R28).
    """
    event_fields = st.tuples(kinds, whens, whens, st.sampled_from([None, CAUSE, CAUSE, JUDGMENT]))
    revoked = st.tuples(st.just("revogacao"), st.none(), st.none(), st.just(CAUSE))
    targets = st.sampled_from([LAW, LAW, ARTICLE])
    drawn_events = st.builds(Stated, targets, st.none(), st.one_of(event_fields, event_fields, revoked), stamps)
    events = drawn_events.filter(
        lambda drawn: drawn.about != LAW or drawn.event is None or drawn.event[0] not in STARTS
    )
    return [
        *draw(versions_of(LAW, 1, 4)),
        *draw(versions_of(ARTICLE, draw(st.integers(0, 1)), 2)),
        *draw(versions_of(CAUSE, draw(st.integers(0, 2)), 3)),
        *draw(st.lists(events, min_size=1, max_size=3)),
    ]


def name_of(work: str, version: str) -> str:
    """Return the name of a version. Its fragment is at the end, or before the version in the syntax of LexML 0.7."""
    norm, _, fragment = work.partition("!")
    if "!" in version:
        return f"{norm}{':' if fragment else ''}{fragment}@{version}"
    return f"{norm}@{version}{'!' if fragment else ''}{fragment}"


def _stamped(datestamp: str | None) -> date | None:
    return None if datestamp is None or "/" in datestamp else date.fromisoformat(datestamp)


def _earliest(stamped: Iterable[str | None]) -> date | None:
    return min((day for stamp in stamped if (day := _stamped(stamp)) is not None), default=None)


def _between(floor: date, ceiling: date | None) -> When:
    """Return an interval. Where the bounds contradict each other, only the lower one is used."""
    return When(floor, ceiling) if ceiling is None or floor <= ceiling else When(floor, None)


#: Events whose view may be a first text; a name without an event may be one, too.
FIRST_TEXTS = (None, "assinatura", "publicacao")


def _members(stated: list[Stated], work: str) -> tuple[Member, ...]:
    by_version: dict[str, list[Stated]] = {}
    for statement in stated:
        if statement.about == work and statement.version is not None:
            individual = parse(name_of(work, statement.version)).canonical
            by_version.setdefault(individual, []).append(statement)
    floor = parse(work).representative_date
    assert floor is not None
    members = []
    for individual, same in by_version.items():
        name = parse(individual)
        known = _between(floor, _earliest(statement.datestamp for statement in same))
        view = When.on(name.view_date) if name.view_date is not None else known
        first = name.event in FIRST_TEXTS
        members.append(Member(individual, name.version_date, view, rank(name.event), original=first))
    if any(m.original and m.version_date is None for m in members):  # an entry into force is the start of that text
        return tuple(replace(m, original=m.original or parse(m.name).event == "entrada.vigor") for m in members)
    return tuple(members)


def _published(causing: tuple[Member, ...], floor: date) -> When | None:
    """Return when the norm that is a cause became known: on its publication, or else at the latest on a later view."""
    public = [m.view for m in causing if parse(m.name).event != "assinatura"]
    first = [m.view for m in causing if m.original and parse(m.name).event != "assinatura"]
    if first:
        return min(first, key=lambda when: (when.first, when.last or date.max))
    view_days = [view.last for view in public if view.last is not None]
    return _between(floor, min(view_days)) if view_days else None


def _in_force(causing: tuple[Member, ...], floor: date) -> When | None:
    """Return when the norm that is a cause started: with its first text, or else at the latest with an amendment."""
    first = [m.version_date for m in causing if m.original and m.version_date is not None]
    later = [m.version_date for m in causing if m.version_date is not None]
    if first:
        return When.on(min(first))
    return _between(floor, min(later)) if later else None


def _events(stated: list[Stated], nodes: dict[int, str], work: str) -> tuple[LifecycleEvent, ...]:
    by_node: dict[str, list[Stated]] = {}
    for number, statement in enumerate(stated):
        if statement.about == work and statement.event is not None:
            by_node.setdefault(nodes[number], []).append(statement)
    issued = parse(CAUSE).representative_date
    assert issued is not None
    causing = _members(stated, CAUSE)
    published, in_force = _published(causing, issued), _in_force(causing, issued)
    events = []
    for node, same in by_node.items():
        assert same[0].event is not None
        kind, effect, known, cause = same[0].event
        oldest = parse(cause).representative_date if cause is not None else date.min
        assert oldest is not None
        does = EVENTS[kind].effect
        assert does is not None
        if does is Effect.STARTS_FORCE and effect is None:
            continue  # rule R28: a start counts only if it is stated
        when = parse_when(effect) if effect is not None else When.not_before(date.min)
        if effect is None and does is Effect.REVOKES:
            when = in_force if cause == CAUSE and in_force is not None else When.not_before(oldest)
        known_when = _between(oldest, _earliest(statement.datestamp for statement in same))
        if known is not None:
            known_when = parse_when(known)
        elif cause == CAUSE and published is not None:
            known_when = published
        if effect is None and does is Effect.CONVERTS:
            when = known_when
        events.append(LifecycleEvent(node, does, when, known_when, is_term=kind == "caducidade"))
    return tuple(events)


def answered(store: Store, work: str, on: date, as_known: date, axis: Axis) -> tuple[Status | None, str | None]:
    """Return the answer of the query of the catalogue."""
    values = {
        "norma": to_engine(parse(work).iri, as_iri=True),
        "em": to_engine(on),
        "conhecido": to_engine(as_known),
        "eixo": to_engine(VIG["forca" if axis is Axis.FORCE else "eficacia"], as_iri=True),
    }
    rows = list(store.select(named("version_in_force").text, values))
    assert len(rows) <= 1, "two periods contain the same days"
    if not rows:
        return None, None
    version, situation = rows[0]["versao"], rows[0]["situacao"]
    assert (version is None) != (situation is None)
    return (Status.IN_FORCE, from_iri(str(version))) if version is not None else (SITUATIONS[str(situation)], None)


def _hidden_by_norm(own: Status | None, norm: Status | None) -> bool:
    """Return whether the query is silent on a gap of a described provision, because its norm is in another gap."""
    gaps = set(Status) - {Status.IN_FORCE}
    return own in gaps - set(ENDED) and norm in gaps - {Status.UNKNOWN, own}


def recorded(number: int, stated: Stated) -> Record:
    """Return the record with this content."""
    if stated.version is not None:
        return record(name_of(stated.about, stated.version), key=str(number), datestamp=stated.datestamp)
    assert stated.event is not None
    kind, effect, known, cause = stated.event
    stated_event = event(kind, stated.about, effect, known, cause)
    return record(JUDGMENT, key=str(number), datestamp=stated.datestamp, events=[stated_event])


@pytest.mark.slow
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(stated=stories())
def test_sparql_derivation_and_reference_evaluator_agree(stated: list[Stated]) -> None:
    records, nodes = [], {}
    for number, statement in enumerate(stated):
        records.append(recorded(number, statement))
        if statement.event is not None:
            (nodes[number],) = Triples(records[-1]).all_of(CRM["E5_Event"])
    store = store_of(*records)
    histories = {work: History(_members(stated, work), _events(stated, nodes, work), ()) for work in (LAW, ARTICLE)}
    described = any(statement.about == ARTICLE and statement.version is not None for statement in stated)
    for work, history in histories.items():
        inherited = (histories[LAW].events,) if work == ARTICLE and described else ()
        asked = History(history.members, history.events, inherited)
        periods = derive(asked)
        for on, as_known, axis in product(ASKED, ASKED, Axis):
            expected = state(asked, {}, on, as_known, axis)
            period = find(periods, on, as_known, axis)
            of_norm = state(histories[LAW], {}, on, as_known, axis)
            place = f"{work} on {on}, as known on {as_known}, {axis}"
            assert ((period.status, period.version) if period else (None, None)) == expected, place
            hidden = work == ARTICLE and described and _hidden_by_norm(expected[0], of_norm[0])
            told = (None, None) if hidden else expected
            assert answered(store, work, on, as_known, axis) == told, place
