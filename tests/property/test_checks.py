"""Tests of the checks against pySHACL on random faults: triples of a graph are removed, changed or added."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from graph.quarantine import Quarantine
from graph.store import Store, in_memory
from loaders.pipeline import load
from ontology.namespaces import XSD
from queries.checks.lives import LIFE_CHECKS
from queries.checks.shapes import checks
from tests.support.cases import values
from tests.support.check_oracle import OracleResult, by_pyshacl
from tests.support.checking import results

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
#: One of each kind of term that a property may have by mistake.
ODD = (
    ox.Literal("1998", datatype=ox.NamedNode(XSD["gYear"])),
    ox.Literal("1850-01-01", datatype=ox.NamedNode(XSD["date"])),
    ox.Literal("2150-12-31", datatype=ox.NamedNode(XSD["date"])),
    ox.Literal("-5", datatype=ox.NamedNode(XSD["integer"])),
    ox.Literal("uma palavra"),
    ox.Literal("a word", language="en"),
    ox.Literal(""),
    ox.NamedNode("urn:lex:br:federal:lei:2001-03-05;99999"),
    ox.NamedNode("https://exemplo.vigente.invalid/nada"),
)
FACTS = """norm,event,effect,known,cause,curator
urn:lex:br:federal:lei:2001-03-05;99916,suspensao,2004-02-01,2004-01-20,urn:lex:br:federal:lei:2002-04-20;99917,Arquivo
"""

#: A fault: the kind of change, the index of the quad, and the index of the other quad or of the unusual term.
Fault = tuple[str, int, int]


@cache
def clean() -> tuple[ox.Quad, ...]:
    """Return the quads of a law with provisions, versions, a rectification, a copy and an event without a version."""
    store = in_memory()
    with TemporaryDirectory() as temporary:
        (Path(temporary) / "facts.csv").write_text(FACTS, "utf-8")
        load([Path(temporary), ROOT / "samples" / "lexml_xml"], store, Quarantine(Path(temporary) / "quarantine"))
    quads = store.engine.quads_for_pattern(None, None, None, None)
    return tuple(sorted(quads, key=str))


def store_of(quads: set[ox.Quad]) -> Store:
    engine = ox.Store()
    engine.extend(quads)
    return Store(engine, None)


def faulty(faults: list[Fault]) -> set[ox.Quad]:
    quads, sound = set(clean()), clean()
    for kind, index, other in faults:
        quad, other_quad = sound[index % len(sound)], sound[other % len(sound)]
        quads.discard(quad)
        if kind == "take another's value":
            quads.add(ox.Quad(quad.subject, quad.predicate, other_quad.object, quad.graph_name))
        elif kind == "give to another":
            quads.add(ox.Quad(other_quad.subject, quad.predicate, quad.object, quad.graph_name))
        elif kind == "call otherwise":
            quads.add(ox.Quad(quad.subject, other_quad.predicate, quad.object, quad.graph_name))
        elif kind == "put an odd value":
            quads.add(ox.Quad(quad.subject, quad.predicate, ODD[other % len(ODD)], quad.graph_name))
        elif kind == "say also":
            quads |= {quad, ox.Quad(quad.subject, quad.predicate, ODD[other % len(ODD)], quad.graph_name)}
        elif kind == "say twice":
            quads |= {quad, ox.Quad(quad.subject, quad.predicate, quad.object, other_quad.graph_name)}
    return quads


KINDS = tuple(values("property_checks", "kinds"))
ANY = st.integers(0, 1 << 16)
FAULTS = st.lists(st.tuples(st.sampled_from(KINDS), ANY, ANY), min_size=1, max_size=12)


def compared(results: set[OracleResult], store: Store) -> set[OracleResult]:
    """Return the results that both sides can find.

    Results of life-cycle checks are omitted, because our program finds them only in valid data. Orders between terms of
    different types are omitted too: only rdflib defines them (SHACL, section 4.5.3).
    """
    return {result for result in results if result[0] not in LIFE_CHECKS and not unordered(result, store)}


def unordered(result: OracleResult, store: Store) -> bool:
    code, component, focus, value = result
    if not component.startswith("LessThan") or value is None:
        return False
    orders = [
        constraint for constraint in checks()[code].shape.constraints if constraint.parameter.startswith("lessThan")
    ]
    others = [term for order in orders for term in order.value]
    held = [
        str(quad.object)
        for other in others
        if isinstance(other, ox.NamedNode)
        for quad in store.engine.quads_for_pattern(ox.NamedNode(focus), other, None, None)
    ]
    types = {term.rpartition('"')[2] for term in (value, *held)}
    return len(types) > 1 or not types <= {f"^^<{XSD[name]}>" for name in ("date", "dateTime")}


def test_both_engines_find_nothing_without_a_fault() -> None:
    store = store_of(set(clean()))
    assert results(store) == by_pyshacl(store)


@settings(max_examples=7, phases=[Phase.explicit, Phase.generate])
@given(faults=FAULTS)
@example(faults=[("put an odd value", 0, 1)])  # a time-span that begins with a date and ends with a dateTime
def test_both_engines_find_the_same_faults(faults: list[Fault]) -> None:
    """Make up to twelve faults at once: the checks finish, and both sides find the same."""
    store = store_of(faulty(faults))
    own_results, pyshacl_results = compared(results(store), store), compared(by_pyshacl(store), store)
    assert sorted(map(str, own_results - pyshacl_results)) == []
    assert sorted(map(str, pyshacl_results - own_results)) == []
