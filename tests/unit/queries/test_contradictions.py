"""Tests of two providers with different dates: which statements contradict each other, and which agree or differ only.

tests/data/answers/statuses.toml has the answers on norms with contradictions.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.entities import Coverage, Record
from graph.urn import parse
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.checks.run import check
from queries.in_force import in_force
from queries.messages import message
from queries.notices import Notice
from queries.timeline import timeline
from tests.support.cases import constant
from tests.support.records import event, record, store_of

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"
CAUSE = "urn:lex:br:federal:lei:2006-05-08;99909"
ONE, TWO = "https://um.example/oai", "https://dois.example/oai"


def contradictions_in(notices: tuple[Notice, ...]) -> list[str]:
    return [message(notice) for notice in notices if notice.code == "sources-contradict"]


#: The versions that one provider states, those of the other, and whether they contradict each other. The second word
#: of a version is its event: an amendment, except of the last row.
AMENDMENTS = constant("contradictions", "amendments")


@pytest.mark.parametrize(("first", "second", "apart"), AMENDMENTS.values(), ids=AMENDMENTS)
def test_amendment_known_on_two_days_is_a_contradiction(first: str, second: str, apart: bool) -> None:
    kind = "retificacao" if first.startswith("2001") else "alteracao"

    def stating(provider: str, versions: str) -> list[Record]:
        return [
            record(f"{LAW}@{version.replace(';', f';{kind};')}", key=f"{provider} {version}", provider=provider)
            for version in versions.split()
        ]

    publications = [record(FIRST, key=provider, provider=provider) for provider in (ONE, TWO)]
    store = store_of(*publications, *stating(ONE, first), *stating(TWO, second))
    texts = contradictions_in(timeline(store, LAW).notices)
    assert len(texts) == apart
    assert len(contradictions_in(in_force(store, LAW, "2003-01-01", "2009-01-01").notices)) == apart
    assert contradictions_in(in_force(store, LAW, "2003-01-01", "2001-12-02").notices) == []
    assert check(store)["sources-contradict"].results == apart
    rows = list(named("conflicts_between_providers").rows(store))
    columns = [[str(row[key]) for key in ("propriedade", "valor", "outroValor")] for row in rows]
    assert columns == [[VIG["dataVisao"], "2001-12-01", "2001-12-03"]] * apart
    start = f"sources date the publication of the alteracao in force from 2002-01-01 of {LAW} differently: "
    assert all(text.startswith(start) for text in texts)


@pytest.mark.parametrize(("first", "second", "apart"), [(1, 1, True), (1, 2, False), (1, 0, True), (0, 0, True)])
@pytest.mark.parametrize("other", ["2002-01-01;alteracao;2001-12-03", "2002-02-01;alteracao;2001-12-01"])
def test_versions_by_different_norms_are_two_amendments(other: str, first: int, second: int, apart: bool) -> None:
    causes = (None, parse("urn:lex:br:federal:lei:2001-11-30;99910"), parse("urn:lex:br:federal:lei:2001-11-30;99911"))

    def stating(provider: str, version: str, number: int) -> Record:
        cause = causes[number]
        if cause is None:
            return record(f"{LAW}@{version}", key=provider, provider=provider)
        made = replace(record(LAW, key=provider, provider=provider), coverage=Coverage.HISTORY)
        return replace(made, versions=((parse(f"{LAW}@{version}"), cause),))

    amended = (stating(ONE, "2002-01-01;alteracao;2001-12-01", first), stating(TWO, other, second))
    store = store_of(record(FIRST), *amended)
    assert len(contradictions_in(timeline(store, LAW).notices)) == apart
    assert len(list(named("conflicts_between_providers").rows(store))) == apart


#: Event, effect, knowledge and cause by one provider and by the other, and whether they contradict each other.
EVENTS = constant("contradictions", "events")


@pytest.mark.parametrize("row", EVENTS.strip().splitlines())
def test_event_dated_differently_is_a_contradiction(row: str) -> None:
    first, second, apart = (cell.split() for cell in row.split("|"))

    def stating(key: str, provider: str, stated: list[str]) -> Record:
        rest = [{"-": None, "CAUSE": CAUSE, "OTHER": OTHER}.get(word, word) for word in stated[1:]]
        return record(OTHER, key=key, provider=provider, events=[event(stated[0], LAW, *rest)])

    first_record, second_record = stating("a", ONE, first), stating("b", TWO, second)
    store = store_of(record(FIRST), first_record, second_record)
    texts = contradictions_in(in_force(store, LAW, "2009-01-01").notices)
    assert bool(texts) is (apart == ["yes"])
    assert contradictions_in(timeline(store, LAW).notices) == texts
    for source, provider, (_, effect, known, _) in ((first_record, ONE, first), (second_record, TWO, second)):
        words = f"effect {effect}, known {known} by {provider} (record {source.source.iri})"
        words = words.replace(" -", " not stated")
        assert all(words in text for text in texts)
    alone = store_of(record(FIRST), first_record, stating("b", ONE, second))
    assert contradictions_in(in_force(alone, LAW, "2009-01-01").notices) == []


def test_statement_not_yet_known_contradicts_nothing() -> None:
    stated = ((ONE, "2006-07-01", "2006-05-09"), (TWO, "2006-08-01", "2006-05-20"))
    store = store_of(
        record(FIRST),
        *(
            record(OTHER, key=provider, provider=provider, events=[event("revogacao", LAW, effect, known, CAUSE)])
            for provider, effect, known in stated
        ),
    )
    found = {
        known: len(contradictions_in(in_force(store, LAW, "2006-06-01", known).notices))
        for known in ("2006-05-19", "2006-05-20")
    }
    assert found == {"2006-05-19": 0, "2006-05-20": 1}
