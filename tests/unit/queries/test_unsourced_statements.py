"""Tests that no answer states what no source states: no invented words, and one amendment that two sources date.

tests/data/answers/catalogue.toml has the other cases.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.entities import Coverage, Provision, Wording
from graph.urn import parse
from queries.catalogue import named
from queries.in_force import in_force
from queries.messages import message
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from tests.support.cases import constant
from tests.support.records import record, store_of

NORM = "urn:lex:br:federal:lei:2003-01-02;99962"
FIRST = f"{NORM}@2003-01-03;publicacao;2003-01-03"
LATER = f"{NORM}@2004-01-02;alteracao;2004-01-02"
AMENDING, OTHER_AMENDING = (f"urn:lex:br:federal:lei:2004-01-02;{number}" for number in (99963, 99964))


@pytest.mark.parametrize("words", [None, "", " "])
def test_provision_without_words_has_no_second_version(words: str | None) -> None:
    wording = Wording(parse(FIRST), "Art. 1º", None, words)
    provisions = (Provision("art1", None, 1, (wording,)),)
    store = store_of(replace(record(FIRST), provisions=provisions, coverage=Coverage.WHOLE))
    assert {period.version for period in timeline(store, NORM).periods if period.version} == {FIRST}
    assert list(named("volatile_provisions").rows(store, {"minimo": 2})) == []


@pytest.mark.parametrize("label", ["Art. 1º", None])
def test_amendment_without_words_is_a_version_with_unknown_words(label: str | None) -> None:
    """Check a source that states only that the wording changed on a day: the earlier words would be wrong after it."""
    wordings = (Wording(parse(FIRST), "Art. 1º", None, "Fica criado."), Wording(parse(LATER), label, None, None))
    other = Wording(parse(FIRST), "Art. 2º", None, "Vigora.")
    provisions = (Provision("art1", None, 1, wordings), Provision("art2", None, 2, (other,)))
    store = store_of(replace(record(FIRST), provisions=provisions, coverage=Coverage.HISTORY))
    for day, version in (("2004-01-01", FIRST), ("2004-01-02", LATER)):
        answer = in_force(store, f"{NORM}!art1", day, "2010-01-01")
        assert answer.version is not None
        assert answer.version.name == f"{version}!art1"
        assert ("words-unknown" in {notice.code for notice in answer.notices}) is (version == LATER)
    before, after = (text(store, NORM, day, "2010-01-01") for day in ("2004-01-01", "2004-01-02"))
    assert [provision.text for provision in before.provisions] == ["Fica criado.", "Vigora."]
    assert [provision.text for provision in after.provisions if provision.name.endswith("!art1")] == [None]
    lacking = {notice.code: message(notice) for notice in after.notices}["words-unknown"]
    assert lacking.endswith(f": {NORM}!art1")
    changed = diff(store, NORM, "2004-01-01", "2004-01-02", "2010-01-01")
    assert "words-unknown" in {notice.code for notice in changed.notices} or not changed.changes


#: The second provider, the causes that both state, and the number of versions.
DATED_TWICE = constant("unsourced_statements", "dated_twice")


@pytest.mark.parametrize("case", DATED_TWICE)
def test_amendment_dated_twice_counts_once(case: str) -> None:
    """Check an amendment that two sources date 2 and 3 January 2004: no text was in force for one day."""
    provider, causes, lives = DATED_TWICE[case]
    versions = (LATER, f"{NORM}@2004-01-03;alteracao;2004-01-02")
    records = [record(NORM, key="um"), record(NORM, key="dois", provider=provider)]
    amended = [
        replace(made, coverage=Coverage.HISTORY, versions=((parse(version), parse(cause) if cause else None),))
        for made, version, cause in zip(records, versions, causes, strict=True)
    ]
    rows = list(named("life_of_versions").rows(store_of(record(FIRST), *amended), {"conhecido": "2010-01-01"}))
    assert len(rows) == lives
    assert (1 in {row["dias"] for row in rows}) == (lives == 3)
