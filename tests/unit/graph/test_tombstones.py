"""Tests of deleted records and of derived versions: tombstones report what was deleted, and R2 what was derived."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.entities import Coverage, Provision, Record, Wording
from graph.errors import UnknownName
from graph.store import BatchResult, Store, WritableStore, in_memory
from graph.store.derivation import DERIVES
from graph.urn import parse
from ontology.namespaces import CRM, VIG
from queries.checks.lives import life_check_results, works_of
from queries.in_force import in_force
from queries.messages import match_message, message
from queries.notices import Notice
from queries.resolve import resolve
from queries.text.diff import diff
from queries.text.text import text
from queries.timeline import timeline
from tests.support.records import deletion, record, store_of

# Deleted records


PROVIDER = "https://provedor.example/oai"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
SECOND = f"{LAW}@2002-01-01;alteracao;2001-12-01"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"
ON_16 = f"the record a of {PROVIDER} was withdrawn by its provider on 2008-12-16"


def missing(gone: Record, since: str) -> Record:
    """Return the marker for a record that a reconciliation on that day did not find at its provider."""
    return replace(gone, source=replace(gone.source, missing_since=date.fromisoformat(since)))


def about(store: Store, record: str) -> set[str]:
    rows = store.select(f"SELECT ?o {{ <{record}> <{CRM['P129_is_about']}> ?o }}")
    return {str(row["o"]) for row in rows}


def days(store: Store) -> list[tuple[str, object]]:
    """Return the days of the tombstones."""
    terms = ("retiradoEm", "ausenteDesde")
    return [
        (term, row["d"]) for term in terms for row in store.select(f"SELECT ?d {{ ?r <{VIG[term]}> ?d }} ORDER BY ?d")
    ]


def gone(notices: tuple[Notice, ...]) -> list[str]:
    return [message(notice) for notice in notices if notice.code == "record-withdrawn"]


# The graph


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (LAW, {LAW}),
        (FIRST, {LAW, FIRST}),
        (f"{FIRST}~texto;pt-br", {LAW, FIRST, f"{FIRST}~texto;pt-br"}),
        (f"{LAW}!art2", {LAW, f"{LAW}!art2"}),
        (f"{FIRST}~texto;pt-br!art2", {LAW, f"{LAW}!art2", f"{FIRST}!art2", f"{FIRST}~texto;pt-br!art2"}),
    ],
)
def test_record_and_tombstone_are_about_the_named_works(name: str, expected: set[str]) -> None:
    law_record = record(name, key="a")
    store = store_of(law_record)
    assert about(store, law_record.source.iri) == expected
    store.apply([deletion("a")])
    assert about(store, law_record.source.iri) == expected
    assert days(store) == [("retiradoEm", date(2008, 12, 16))]


def test_deletion_of_an_unread_record_is_about_nothing() -> None:
    store = store_of(deletion("a"))
    assert not about(store, deletion("a").source.iri)
    assert in_force(store, LAW, "2002-01-01").status.value == "unknown-name"


@pytest.mark.parametrize("datestamp", [None, "16/12/2008", "2008-12-32"])
def test_tombstone_without_a_datestamp_has_no_day(datestamp: str | None) -> None:
    store = store_of(record(FIRST, key="a"), deletion("a", datestamp=datestamp))
    assert days(store) == []
    assert gone(in_force(store, LAW, "2002-01-01").notices) == [
        f"the record a of {PROVIDER} was withdrawn by its provider; the date is not stated"
    ]


def test_missing_record_keeps_its_first_day_and_last_datestamp() -> None:
    store = store_of(record(FIRST, key="a"), missing(deletion("a", datestamp=None), "2009-02-01"))
    horizons = list(store.select(f"SELECT ?d {{ ?p <{VIG['horizonte']}> ?d }}"))
    assert horizons == [{"d": date(2008, 12, 15)}]
    assert days(store) == [("ausenteDesde", date(2009, 2, 1))]
    again = missing(deletion("a", datestamp="2008-12-15"), "2009-03-01")
    assert store.apply([again]) == BatchResult(deleted=1)
    assert days(store) == [("ausenteDesde", date(2009, 2, 1))]
    store.changed = False
    store.rebuild()
    assert not store.changed
    answer = in_force(store, LAW, "2002-01-01", "2009-01-01")
    assert gone(answer.notices) == [
        f"the record a of {PROVIDER} is no longer listed by its provider: first noticed on 2009-02-01"
    ]
    assert answer.known_up_to == ((PROVIDER, date(2008, 12, 15)),)


# Answers


@pytest.fixture
def store() -> WritableStore:
    """Return a store with a norm whose only record was withdrawn."""
    return store_of(record(FIRST, key="a"), record(f"{OTHER}@2003-02-04;publicacao;2003-02-04"), deletion("a"))


@pytest.mark.parametrize(
    "asked", [LAW, FIRST, f"{LAW}!art2", "Lei nº 99.907, de 5 de março de 2001", f"{LAW}@versao.vigente.em;2002-01-01"]
)
def test_norm_with_only_deleted_records_is_not_unknown(asked: str, store: WritableStore) -> None:
    on = None if "vigente.em" in asked else "2002-01-01"
    answer = in_force(store, asked, on, "2008-12-16")
    assert (answer.status.value, gone(answer.notices)) == ("unknown", [ON_16])
    assert answer.sources == (in_force(store, LAW).sources[0],)
    assert answer.known_up_to == ((PROVIDER, date(2008, 12, 16)),)
    assert "unknown-name" not in {notice.code for notice in answer.notices}
    read = text(store, asked, on, "2008-12-16")
    assert (read.status and read.status.value, gone(read.notices), read.provisions) == ("unknown", [ON_16], ())


def test_other_queries_report_deleted_records(store: WritableStore) -> None:
    answer = timeline(store, LAW)
    assert (answer.periods, gone(answer.notices)) == ((), [ON_16])
    assert gone(timeline(store, f"{LAW}!art2").notices) == [ON_16]
    changes = diff(store, LAW, "2002-01-01", "2003-01-01")
    assert (changes.comparable, gone(changes.notices)) == (False, [ON_16])
    resolution = resolve(store, LAW)
    assert [(c.name, match_message(c.why)) for c in resolution.candidates] == [
        (LAW, "every record about it was withdrawn")
    ]
    assert (resolution.match.value, resolution.level, gone(resolution.notices)) == ("exact", "complex", [ON_16])
    wider = resolve(store, f"{LAW}!art2")
    assert (wider.match.value, [c.name for c in wider.candidates], gone(wider.notices)) == ("wider", [LAW], [ON_16])


def test_name_without_any_record_is_unknown(store: WritableStore) -> None:
    never = "urn:lex:br:federal:lei:2001-03-05;99999"
    assert in_force(store, never).status.value == "unknown-name"
    assert resolve(store, never).candidates == ()
    with pytest.raises(UnknownName):
        timeline(store, never)


def test_answer_uses_another_record_that_mentions_the_norm() -> None:
    other = record(FIRST, key="b")
    store = store_of(record(FIRST, key="a"), record(SECOND, key="c"), other, deletion("a"), deletion("c"))
    answer = in_force(store, LAW, "2003-01-01", "2008-01-01")
    assert answer.version is not None
    assert (answer.version.name, answer.sources) == (FIRST, (other.source.iri,))
    assert set(gone(answer.notices)) == {ON_16, ON_16.replace("record a", "record c")}
    assert len(gone(timeline(store, LAW).notices)) == 2
    assert len(gone(resolve(store, LAW).notices)) == 2
    assert match_message(resolve(store, LAW).candidates[0].why) == "the name itself"
    assert gone(resolve(store, SECOND).notices) == [ON_16.replace("record a", "record c")]


def test_first_deletions_are_listed_and_the_rest_counted() -> None:
    keys = [f"k{number}" for number in range(7)]
    store = store_of(*(record(LAW, key=key) for key in keys), *map(deletion, keys))
    notices = gone(in_force(store, LAW).notices)
    assert (len(notices), notices[-1]) == (6, "further records about it that are no longer available: 2")
    fewer = store_of(*(record(LAW, key=key) for key in keys[:5]), *map(deletion, keys[:5]))
    assert len(gone(in_force(fewer, LAW).notices)) == 5


def test_text_of_a_version_reports_deleted_records() -> None:
    wording = Wording(parse(FIRST), label="Art. 1º", text="Palavras.")
    full_record = replace(
        record(FIRST, key="b"), provisions=(Provision("art1", None, 1, (wording,)),), coverage=Coverage.WHOLE
    )
    store = store_of(full_record, record(LAW, key="a"), deletion("a"))
    answer = text(store, FIRST)
    assert ([provision.text for provision in answer.provisions], gone(answer.notices)) == (["Palavras."], [ON_16])
    assert answer.sources == (full_record.source.iri,)


# The derivation of versions (FRBRoo R2)

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
def test_version_derives_from_the_last_view_then_known(versions: list[str], expected: set[tuple[str, str]]) -> None:
    records = [record(f"{LAW}@{version}", key=version) for version in versions]
    for arriving in (records, records[::-1]):
        store = in_memory()
        for one in arriving:
            store.apply([one])
        assert derivations(store) == expected
        findings = life_check_results(store, works_of(store))
        assert [found for found in findings if found.code == "periods-follow-sources"] == []


def test_replaced_version_leaves_no_derivation() -> None:
    store = in_memory()
    store.apply([record(f"{LAW}@{version}", key=version) for version in (SIGNED, PUBLISHED, AMENDED)])
    store.apply([record(f"{LAW}@{CORRECTED}", key=AMENDED)])
    assert derivations(store) == {(PUBLISHED, SIGNED), (CORRECTED, PUBLISHED)}
    store.rebuild()
    assert derivations(store) == {(PUBLISHED, SIGNED), (CORRECTED, PUBLISHED)}
    store.apply([record(LAW, key=PUBLISHED)])
    assert derivations(store) == {(CORRECTED, SIGNED)}
