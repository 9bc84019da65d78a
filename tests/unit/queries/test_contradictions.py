"""Tests of two providers with different dates: both records are kept in the graph, and answers name both."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

import pytest

from graph.entities import Coverage, Record
from graph.store import WritableStore
from graph.urn import parse
from loaders.documents import SourceDocument
from loaders.sources.oai_lexml import read_oai_lexml
from ontology.namespaces import VIG
from queries.checks import check
from queries.english import message
from queries.in_force import in_force
from queries.notices import Notice
from queries.research import ask
from queries.timeline import timeline

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"


def page(provider: str, *records: str) -> list[Record]:
    """Return the records of one OAI-PMH page of a provider."""
    raw = (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request>{provider}</request><ListRecords>'
        f"{''.join(records)}</ListRecords></OAI-PMH>"
    ).encode()
    outcomes = read_oai_lexml(SourceDocument("p.xml", partial(io.BytesIO, raw), date(2009, 1, 1)))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def oai(identifier: str, name: str, ementa: str = "", more: str = "") -> str:
    return (
        f"<record><header><identifier>{identifier}</identifier><datestamp>2008-12-15</datestamp></header><metadata>"
        f'<LexML xmlns="http://www.lexml.gov.br/oai_lexml"><DocumentoIndividual>{name}</DocumentoIndividual>'
        f"<Ementa>{ementa}</Ementa>{more}</LexML></metadata></record>"
    )


ONE, TWO = "https://um.example/oai", "https://dois.example/oai"


def test_ending_by_a_norm_of_disputed_dates_is_reported(store_of: StoreOf) -> None:
    ending = f'<Relacionamento tipo="revoga">{LAW}</Relacionamento>'
    early, late = f"{OTHER}@2004-01-01;publicacao;2003-02-03", f"{OTHER}@2005-01-01;publicacao;2003-02-03"
    records = [
        *page(ONE, oai("oai:um.example:1", FIRST), oai("oai:um.example:2", early, more=ending)),
        *page(TWO, oai("oai:dois.example:2", late)),
    ]
    store = store_of(*records)
    notice = in_force(store, LAW, "2004-06-01", "2008-12-31")
    assert notice.status == "revoked"
    (text,) = contradictions_in(notice.notices)
    assert OTHER in text
    assert "um.example" in text
    assert "dois.example" in text
    assert not contradictions_in(in_force(store, LAW, "2003-12-31", "2008-12-31").notices)


def contradictions_in(notices: tuple[Notice, ...]) -> list[str]:
    return [message(notice) for notice in notices if notice.code == "sources-contradict"]


@pytest.mark.parametrize("order", [1, -1])
def test_providers_with_different_publication_dates_are_both_named(order: int, store_of: StoreOf) -> None:
    later = f"{LAW}@2001-06-04;publicacao;2001-03-06"
    records = [
        *page(ONE, oai("oai:um.example:1", FIRST, "Ementa de um")),
        *page(TWO, oai("oai:dois.example:1", later, "Ementa de dois")),
    ]
    store = store_of(*records[::order])
    message = (
        f"sources date the publicacao of {LAW} differently: {later} by {TWO} (record oai:dois.example:1); "
        f"{FIRST} by {ONE} (record oai:um.example:1)"
    )
    assert contradictions_in(in_force(store, LAW, "2001-04-01", "2009-01-01").notices) == [message]
    assert contradictions_in(in_force(store, LAW, "2001-07-01", "2001-03-06").notices) == [message]
    assert contradictions_in(in_force(store, LAW, "2001-07-01", "2001-03-05").notices) == []
    assert contradictions_in(timeline(store, LAW).notices) == [message]
    ementas = store.select(f"SELECT ?e {{ ?v <{VIG['ementa']}> ?e }} ORDER BY ?e")
    assert [getattr(row["e"], "value", None) for row in ementas] == ["Ementa de dois", "Ementa de um"]


def test_provider_reporting_both_dates_contradicts_no_other(store_of: StoreOf) -> None:
    parts = [f"{LAW}@{start};alteracao;2001-12-01" for start in ("2002-01-01", "2002-06-01")]
    full_page = page(ONE, *(oai(f"oai:um.example:{n}", part) for n, part in enumerate((FIRST, *parts))))
    half = page(TWO, oai("oai:dois.example:1", parts[0]), oai("oai:dois.example:2", FIRST))
    assert contradictions_in(timeline(store_of(*full_page, *half), LAW).notices) == []
    other = page(TWO, oai("oai:dois.example:1", f"{LAW}@2002-01-02;alteracao;2001-12-01"))
    (text,) = contradictions_in(timeline(store_of(*full_page, *other), LAW).notices)
    assert text.startswith(f"sources date the alteracao of 2001-12-01 of {LAW} differently: ")
    assert all(provider in text for provider in (ONE, TWO))


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        (("2002-01-01;alteracao;2001-12-01",), ("2002-01-01;alteracao;2001-12-03",), True),
        (("2002-01-01;alteracao;2001-12-01",), ("2002-01-01;alteracao;2001-12-01",), False),
        # two amendments with one start, and a source that has only one of them
        (
            ("2002-01-01;alteracao;2001-12-01", "2002-01-01;alteracao;2001-12-03"),
            ("2002-01-01;alteracao;2001-12-03",),
            False,
        ),
        # each source has one that the other lacks, and both have a common one
        (
            ("2002-01-01;alteracao;2001-12-01", "2002-01-01;alteracao;2001-12-03"),
            ("2002-01-01;alteracao;2001-12-05", "2002-01-01;alteracao;2001-12-03"),
            False,
        ),
        # neither day is shared: two amendments
        (("2002-01-01;alteracao;2001-12-01",), ("2002-02-01;alteracao;2001-12-03",), False),
        # one version may be rectified twice
        (("2001-03-06;retificacao;2001-12-01",), ("2001-03-06;retificacao;2001-12-03",), False),
    ],
)
def test_amendment_known_on_two_days_is_a_contradiction(
    first: tuple[str, ...], second: tuple[str, ...], apart: bool, record: Make, store_of: StoreOf
) -> None:
    store = store_of(
        record(FIRST, provider=ONE),
        record(FIRST, key="b", provider=TWO),
        *(record(f"{LAW}@{version}", key=f"a{version}", provider=ONE) for version in first),
        *(record(f"{LAW}@{version}", key=f"b{version}", provider=TWO) for version in second),
    )
    texts = contradictions_in(timeline(store, LAW).notices)
    assert len(texts) == apart
    assert len(contradictions_in(in_force(store, LAW, "2003-01-01", "2009-01-01").notices)) == apart
    assert contradictions_in(in_force(store, LAW, "2003-01-01", "2001-12-02").notices) == []
    assert check(store)["sources-contradict"].results == apart
    rows = list(ask(store, "conflicts_between_providers"))
    assert len(rows) == apart
    if apart:
        assert texts[0].startswith(
            f"sources date the publication of the alteracao in force from 2002-01-01 of {LAW} differently: "
        )
        assert [str(rows[0][key]) for key in ("propriedade", "valor", "outroValor")] == [
            VIG["dataVisao"],
            "2001-12-01",
            "2001-12-03",
        ]


@pytest.mark.parametrize(("first", "second", "apart"), [(1, 1, True), (1, 2, False), (1, 0, True), (0, 0, True)])
@pytest.mark.parametrize(
    "versions",
    [
        "2002-01-01;alteracao;2001-12-01 2002-01-01;alteracao;2001-12-03",
        "2002-01-01;alteracao;2001-12-01 2002-02-01;alteracao;2001-12-01",
    ],
)
def test_versions_by_different_norms_are_two_amendments(
    versions: str, first: int, second: int, apart: bool, record: Make, store_of: StoreOf
) -> None:
    causes = (None, parse("urn:lex:br:federal:lei:2001-11-30;99910"), parse("urn:lex:br:federal:lei:2001-11-30;99911"))

    def stating(provider: str, version: str, number: int) -> Record:
        cause = causes[number]
        made = replace(record(LAW, key=provider, provider=provider), coverage=Coverage.HISTORY)
        if cause is None:
            return record(f"{LAW}@{version}", key=provider, provider=provider)
        return replace(made, versions=((parse(f"{LAW}@{version}"), cause),))

    first_version, second_version = versions.split()
    store = store_of(record(FIRST), stating(ONE, first_version, first), stating(TWO, second_version, second))
    assert len(contradictions_in(timeline(store, LAW).notices)) == apart
    assert len(list(ask(store, "conflicts_between_providers"))) == apart


CAUSE = "urn:lex:br:federal:lei:2006-05-08;99909"


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        (("revogacao", "2006-07-01", "2006-05-09", CAUSE), ("revogacao", "2006-07-02", "2006-05-09", CAUSE), True),
        (("revogacao", "2006-07-01", "2006-05-09", CAUSE), ("revogacao", "2006-07-01", "2006-05-10", CAUSE), True),
        (("revogacao", "2006-07-01", "2006-05-09", CAUSE), ("revogacao", "2006-07-01", "2006-05-09", CAUSE), False),
        (("revogacao", "2006-07-01", None, CAUSE), ("revogacao", "2006", "2006-05-09", CAUSE), False),
        (("revogacao", "2006-07-01", None, CAUSE), ("revogacao", "2007", None, CAUSE), True),
        (("revogacao", "2006-07-01", None, CAUSE), ("revogacao", None, "2006-05-09", CAUSE), False),
        (("revogacao", "2006-07-01", None, CAUSE), ("revogacao", "2008-07-01", None, OTHER), False),
        (("revogacao", "2006-07-01", None, None), ("revogacao", "2008-07-01", None, None), True),
        (("suspensao", "2006-07-01", None, None), ("suspensao", "2008-07-01", None, None), False),
        (("suspensao", "2006-07-01", None, CAUSE), ("suspensao", "2008-07-01", None, CAUSE), True),
        (("suspensao", "2006-07-01", None, CAUSE), ("revogacao", "2008-07-01", None, CAUSE), False),
    ],
)
def test_event_dated_differently_is_a_contradiction(
    first: tuple[str | None, ...],
    second: tuple[str | None, ...],
    apart: bool,
    record: Make,
    event: Callable[..., object],
    store_of: StoreOf,
) -> None:
    def stating(key: str, provider: str, stated: tuple[str | None, ...]) -> Record:
        return record(OTHER, key=key, provider=provider, events=[event(stated[0], LAW, *stated[1:])])

    first_record, second_record = stating("a", ONE, first), stating("b", TWO, second)
    store = store_of(record(FIRST), first_record, second_record)
    texts = contradictions_in(in_force(store, LAW, "2009-01-01").notices)
    assert bool(texts) is apart
    assert contradictions_in(timeline(store, LAW).notices) == texts
    if apart:
        for source, provider, stated in ((first_record, ONE, first), (second_record, TWO, second)):
            words = f"effect {stated[1] or 'not stated'}, known {stated[2] or 'not stated'} by {provider} "
            assert words + f"(record {source.source.iri})" in texts[0]
    alone = store_of(record(FIRST), first_record, stating("b", ONE, second))
    assert contradictions_in(in_force(alone, LAW, "2009-01-01").notices) == []


def test_statement_not_yet_known_contradicts_nothing(
    record: Make, event: Callable[..., object], store_of: StoreOf
) -> None:
    store = store_of(
        record(FIRST),
        record(OTHER, key="a", provider=ONE, events=[event("revogacao", LAW, "2006-07-01", "2006-05-09", CAUSE)]),
        record(OTHER, key="b", provider=TWO, events=[event("revogacao", LAW, "2006-08-01", "2006-05-20", CAUSE)]),
    )
    assert contradictions_in(in_force(store, LAW, "2006-06-01", "2006-05-19").notices) == []
    assert len(contradictions_in(in_force(store, LAW, "2006-06-01", "2006-05-20").notices)) == 1
