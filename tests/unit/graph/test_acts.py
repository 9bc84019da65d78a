"""Tests of the identity of acts: which act a name with only the year means, in any order of loading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import permutations
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.acts import SAME_ACT
from graph.civil import When
from graph.entities import Document, Event, Record, Source
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse, to_iri
from loaders.pipeline import load
from queries.catalogue import named
from queries.checks.lives import life_check_results, works_of
from queries.evidence import lifecycle_events
from queries.in_force import in_force
from tests.support.cases import values
from tests.support.engines import embedded

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"

# Fictional norms.
LAW = "urn:lex:br:federal:lei:2001-03-05;99930!art1"
OTHER = "urn:lex:br:federal:lei:2001-04-05;99932!art1"
YEAR = "urn:lex:br:federal:lei:2002;99931"
ACT = "urn:lex:br:federal:lei:2002-01-10;99931"
TWIN = "urn:lex:br:federal:lei:2002-06-10;99931"
IN_2002 = When(date(2002, 1, 1), date(2002, 12, 31))


def _record(key: str, *events: Event, about: str | None = None, payload: str = "1") -> Record:
    source = Source(f"https://w3id.org/vigente/id/documento/{key}", "facts", payload * 64, "facts/1")
    return Record(source, Document(parse(about)) if about is not None else None, events)


def _caused(target: str, cause: str) -> Event:
    return Event("revogacao", parse(target), IN_2002, IN_2002, parse(cause))


BY_YEAR = _record("a", _caused(LAW, f"{YEAR}!art2"))
SOURCES: Mapping[str, Record] = {
    "described": _record("b", about=ACT),
    "twin": _record("c", about=TWIN),
    "named": _record("d", _caused(OTHER, f"{ACT}!art9")),
    "twin named": _record("e", _caused(OTHER, TWIN)),
}


@pytest.mark.parametrize(("sources", "act"), values("acts", "name_of_year_means_the_only_act_that_fits"))
def test_name_of_year_means_the_only_act_that_fits(sources: list[str], act: str) -> None:
    """Check days, causes and lists, for each order of loading, in one batch, and after a rebuild."""
    records = [BY_YEAR, *(SOURCES[source] for source in sources)]
    exports = set()
    for order in [*permutations(records), None]:
        store = in_memory()
        if order is None:
            store.apply(records)
        for record in order or ():
            store.apply([record])
        assert store.act_of(to_iri(f"{YEAR}!art2")) == to_iri(act)
        ((_, reason),) = lifecycle_events(store, parse(LAW).iri)
        is_known = act.startswith(ACT)
        assert (reason.cause, reason.named) == (act, f"{YEAR}!art2" if is_known else None)
        assert reason.effect == ("2002-01-10" if is_known else str(IN_2002))
        rows = named("amendments_of_work").rows(store, {"norma": parse(LAW).work.canonical})
        assert {str(row["alteradora"]) for row in rows} == {to_iri(act.partition("!")[0])}
        exports.add(_lines(store))
        assert _outdated(store) == set()
        store.rebuild()
        exports.add(_lines(store))
    assert len(exports) == 1


def test_act_that_a_source_withdraws_is_meant_no_more() -> None:
    store = in_memory()
    store.apply([BY_YEAR, SOURCES["named"]])
    assert (store.act_of(YEAR), store.act_of(f"{YEAR}!art2")) == (ACT, f"{ACT}!art2")
    store.apply([_record("d", payload="2")])
    assert (store.act_of(YEAR), store.act_of(f"{YEAR}!art2")) == (YEAR, f"{YEAR}!art2")


def test_check_compares_the_derived_acts() -> None:
    store = in_memory()
    store.apply([SOURCES["described"], _record("f", about=YEAR)])
    assert _outdated(store) == set(), "no source names the act as a cause"
    store.apply([BY_YEAR])
    assert _outdated(store) == set()
    (quad,) = store.engine.quads_for_pattern(ox.NamedNode(f"{YEAR}!art2"), SAME_ACT, None, None)
    embedded(store).remove(quad)
    assert _outdated(store) == {f"{YEAR}!art2"}


def _outdated(store: WritableStore) -> set[str]:
    findings = life_check_results(store, works_of(store))
    return {finding.focus for finding in findings if finding.code == "periods-follow-sources"}


def _lines(store: WritableStore) -> tuple[str, ...]:
    return tuple(sorted(f"{quad}" for quad in store.engine.quads_for_pattern(None, None, None, None)))


@pytest.mark.slow
def test_acts_of_real_sources_are_one_list(tmp_path: Path) -> None:
    """Check the LGPD from three sources, which cite its amending acts by day or by year."""
    sources = [SHARED / "planalto" / "L13709.html", SHARED / "normas" / "lgpd-excerpt.json"]
    sources.append(SHARED / "senado" / "lgpd-detalhe-excerpt.xml")
    if not all(source.is_file() for source in sources):
        pytest.skip("the sources of the LGPD are not shipped")
    found = []
    for order in (sources, sources[::-1]):
        store = in_memory()
        for source in order:
            load([source], store, Quarantine(tmp_path / "quarantine"))
        lists = [named(query).rows(store, {"norma": LGPD}) for query in ("amendments_of_work", "amending_acts")]
        acts = [sorted({str(row["alteradora"]) for row in rows}) for rows in lists]
        assert acts[0] == acts[1]
        assert len(acts[0]) == 7
        answer = in_force(store, f"{LGPD}!art55-1", "2018-12-28")
        assert not [reason for reason in answer.because if "2019;13853" in str(reason.cause)]
        found.append((acts, answer.because))
        assert _outdated(store) == set()
    assert found[0] == found[1]
    store.rebuild()
    assert _outdated(store) == set()
