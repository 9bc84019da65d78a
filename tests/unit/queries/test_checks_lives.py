"""Tests of checks in code: contradictions between sources, texts without words, and runs in several processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graph import store as stores
from graph.entities import Coverage, Provision, Record, Wording
from graph.store import WritableStore
from graph.urn import parse
from queries.checks.results import Finding
from queries.checks.run import check
from tests.support.records import record, store_of

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
FIRST = f"{LAW}@2001-04-01;publicacao;2001-03-06"
LATER = f"{LAW}@2001-05-01;publicacao;2001-03-06"
ONE, OTHER = "https://um.example/oai", "https://outro.example/oai"


def found(store: WritableStore, code: str) -> list[Finding]:
    results: list[Finding] = []
    check(store, take=results.append)
    return [result for result in results if result.code == code]


def test_sources_with_different_dates_are_reported() -> None:
    records = (record(FIRST, provider=ONE, key="1"), record(LATER, provider=OTHER, key="2"))
    (match,) = found(store_of(*records), "sources-contradict")
    assert match.focus == LAW
    assert match.detail is not None
    assert ONE in match.detail
    assert OTHER in match.detail
    assert {whose for _, whose in match.sources} == {ONE, OTHER}
    assert found(store_of(*records[:1]), "sources-contradict") == []


@pytest.mark.parametrize(("words", "reported"), [(None, True), ("A lei vale.", False)])
def test_empty_wording_is_reported(words: str | None, reported: bool) -> None:
    wordings = (Wording(parse(FIRST), "Art. 1º", None, words),)
    law_record = replace(record(FIRST), provisions=(Provision("art1", None, 1, wordings),), coverage=Coverage.WHOLE)
    focus = [result.focus for result in found(store_of(law_record), "wording-without-words")]
    assert focus == ([f"{FIRST}~texto;pt-br!art1"] if reported else [])


def test_sources_with_different_wordings_are_reported() -> None:
    def with_words(words: str, key: str) -> Record:
        wordings = (Wording(parse(FIRST), "Art. 1º", None, words),)
        made = record(FIRST, key=key)
        return replace(made, provisions=(Provision("art1", None, 1, wordings),), coverage=Coverage.WHOLE)

    (match,) = found(store_of(with_words("A lei vale.", "1"), with_words("A lei não vale.", "2")), "text-words-differ")
    assert len(match.sources) == 2
    assert found(store_of(with_words("A lei vale.", "1"), with_words("A lei vale.", "2")), "text-words-differ") == []


def test_parallel_checks_find_the_same_results(tmp_path: Path, code_records: tuple[Record, ...]) -> None:
    with stores.open_for_writing(tmp_path / "store", create=True) as writing:
        writing.apply(code_records)
    with stores.holding(tmp_path / "store") as snapshot, stores.open_snapshot(snapshot) as store:
        alone: list[Finding] = []
        together: list[Finding] = []
        counted = check(store, take=alone.append)
        spread = check(snapshot, workers=2, take=together.append)
    key = repr
    assert sorted(alone, key=key) == sorted(together, key=key) != []
    assert {code: tally.checked for code, tally in counted.items()} == {c: t.checked for c, t in spread.items()}
