"""Groups of norms: what is derived for each group on its own is what a whole store has (graph/store/grouping.py)."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

import samples
from benchmarks.generate import write_pages
from graph.entities import Record
from graph.mapping import MappedRecord
from graph.quarantine import Quarantine
from graph.store import in_memory
from graph.store.grouping import DerivedNorms, Group, Share, shares_of
from loaders.documents import walk
from loaders.parallel import read_documents
from loaders.pipeline import load
from loaders.sources.registry import join_parts, reader
from loaders.sources.vocabulary import built_in_record
from ontology.iris import DERIVED_GRAPH
from tests.support.cases import DATA, SHARED


@pytest.fixture(params=["sample", "generated", pytest.param("shared", marks=pytest.mark.slow)])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    if request.param == "shared" and not SHARED.is_dir():
        pytest.skip("the shared samples are not shipped")
    write_pages(tmp_path, 40)
    return {
        "sample": [samples.folder() / name for name in ("oai", "facts", "nomes.txt", "lexml_xml")] + [DATA / "facts"],
        "generated": [tmp_path],
        "shared": [SHARED / name for name in ("normas", "planalto", "senado", "oai")],
    }[request.param]


def test_groups_derive_what_a_whole_store_has(sources: list[Path], tmp_path: Path) -> None:
    outcomes = list(join_parts(read_documents(walk(sources), reader(None, None), 1)))
    read = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    with in_memory() as store:
        records, _ = store.reduced([built_in_record(), *read])
        store.apply([built_in_record()])
        load(sources, store, Quarantine(tmp_path / "refused"))
        store.finish()
        quads = store.engine.quads_for_pattern(None, None, None, NamedNode(DERIVED_GRAPH))
        lines = {f"{quad.triple} ." for quad in quads if "/provedor/" not in str(quad.subject)}  # without horizons
        summaries = {name: packed for name, graph, packed in store.names if graph == DERIVED_GRAPH}
        norms = list(store.names.stored_norms())
    assert norms
    for count in (1, 3, 17):
        assert in_groups(records, count) == (lines, summaries, norms)


def in_groups(records: list[MappedRecord], count: int) -> DerivedNorms:
    """Return what this number of groups gives together."""
    shares = defaultdict[str, list[Share]](list)
    for key, share in (pair for record in records for pair in shares_of(record)):
        shares[key].append(share)
    groups: list[dict[str, list[Share]]] = [{} for _ in range(count)]
    for key, some in shares.items():
        groups[int(sha256(key.encode()).hexdigest(), 16) % count][key] = some
    needed = defaultdict[str, set[str]](set)
    for key, some in shares.items():
        needed[key] = Group({key: some}, {}).needed()
    together = DerivedNorms(set(), {}, [])
    for group in groups:
        reached, left = set(group), list(group)
        while left:
            fresh = needed[left.pop()] - reached
            reached |= fresh
            left.extend(fresh)
        others = {key: [share.of_others for share in shares.get(key, [])] for key in reached - set(group)}
        derived = Group(group, others).derived()
        together.lines.update(derived.lines)
        together.summaries.update(derived.summaries)
        together.norms.extend(derived.norms)
    together.norms.sort(key=lambda norm: norm.name)
    return together
