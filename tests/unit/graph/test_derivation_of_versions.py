"""Tests of the derivation of versions (FRBRoo R2): from which version each version and view was made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record
from graph.store import WritableStore, in_memory
from graph.store.derivation import DERIVES
from queries.checks import life_check_results, works_of

Make = Callable[..., Record]

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
SIGNED = "2001-06-01;assinatura;2001-03-05"
PUBLISHED = "2001-06-01;publicacao;2001-03-06"
CORRECTED = "2001-06-01;retificacao;2007-01-10"
AMENDED = "2003-01-01;alteracao;2002-12-20"
AMENDED_CORRECTED = "2003-01-01;retificacao;2007-01-10"
EARLIER = "2002-01-01;alteracao;2004-05-05"  # known after the later version


def derivations(store: WritableStore) -> set[tuple[str, str]]:
    """Return the pairs of versions, as the parts of their names after the norm."""
    quads = store.engine.quads_for_pattern(None, DERIVES, None, None)
    return {(str(q.subject)[1:-1].removeprefix(f"{LAW}@"), str(q.object)[1:-1].removeprefix(f"{LAW}@")) for q in quads}


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ([PUBLISHED], set()),
        ([SIGNED, PUBLISHED], {(PUBLISHED, SIGNED)}),
        ([PUBLISHED, AMENDED], {(AMENDED, PUBLISHED)}),
        ([AMENDED, CORRECTED, PUBLISHED], {(CORRECTED, PUBLISHED), (AMENDED, PUBLISHED)}),
        ([PUBLISHED, AMENDED, AMENDED_CORRECTED], {(AMENDED, PUBLISHED), (AMENDED_CORRECTED, AMENDED)}),
        ([PUBLISHED, EARLIER, AMENDED], {(EARLIER, PUBLISHED), (AMENDED, PUBLISHED)}),
        ([PUBLISHED, EARLIER, "2005-01-01;alteracao;2004-05-05"], {
            (EARLIER, PUBLISHED), ("2005-01-01;alteracao;2004-05-05", EARLIER)
        }),
        ([PUBLISHED, EARLIER, "2005-01-01;alteracao;2004-05-04"], {
            (EARLIER, PUBLISHED), ("2005-01-01;alteracao;2004-05-04", PUBLISHED)
        }),
        ([PUBLISHED, "multivigente", "2003-01-01;alteracao", "2003-01-01"], set()),
        (["2001-06-01!2001-03-06", "2003-01-01!2002-12-20"], set()),
    ],
)  # fmt: skip
def test_version_derives_from_the_last_view_then_known(
    versions: list[str], expected: set[tuple[str, str]], record: Make
) -> None:
    records = [record(f"{LAW}@{version}", key=version) for version in versions]
    for arriving in (records, records[::-1]):
        store = in_memory()
        for one in arriving:
            store.apply([one])
        assert derivations(store) == expected
        findings = life_check_results(store, works_of(store))
        assert [found for found in findings if found.code == "periods-follow-sources"] == []


def test_replaced_version_leaves_no_derivation(record: Make) -> None:
    store = in_memory()
    store.apply([record(f"{LAW}@{version}", key=version) for version in (SIGNED, PUBLISHED, AMENDED)])
    store.apply([record(f"{LAW}@{CORRECTED}", key=AMENDED)])
    assert derivations(store) == {(PUBLISHED, SIGNED), (CORRECTED, PUBLISHED)}
    store.rebuild()
    assert derivations(store) == {(PUBLISHED, SIGNED), (CORRECTED, PUBLISHED)}
    store.apply([record(LAW, key=PUBLISHED)])
    assert derivations(store) == {(CORRECTED, SIGNED)}
