"""Tests that answers keep doubts: nothing that depends on unknown days is certain, nothing known after K is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graph.entities import Coverage, Event, Provision, Record, Wording
from graph.errors import BadParameter
from graph.store import WritableStore
from graph.urn import parse
from queries.answers import InForce
from queries.english import message
from queries.in_force import in_force
from queries.text.text import text
from queries.timeline import timeline

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]


def notices_of(answer: InForce) -> list[tuple[str, str]]:
    """Return code and sentence of each notice."""
    return [(notice.code, message(notice)) for notice in answer.notices]


BASE = "urn:lex:br:federal:lei:1990-09-11;99940"


def test_amendment_alone_leaves_earlier_days_unknown(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(f"{BASE}@1993-05-22;alteracao;1993-05-22"))
    for on, as_known in (("1992-01-01", "2008-01-01"), ("1994-01-01", "1992-01-01")):
        answer = in_force(store, BASE, on, as_known)
        assert (answer.status.value, notices_of(answer)[0][0]) == ("unknown", "earlier-text-unknown")
    before = in_force(store, BASE, "1990-09-10", "2008-01-01")
    assert (before.status.value, notices_of(before)[0][0]) == ("not-published", "before-publication")
    assert in_force(store, BASE, "1990-09-11", "1990-09-10").status.value == "not-published"


def test_amendment_is_not_reported_before_it_could_be_known(record: Make, store_of: StoreOf) -> None:
    later = record("urn:lex:br:federal:lei:2005-01-01;99941", ("altera", BASE))
    store = store_of(record(f"{BASE}@1991-03-11;publicacao;1990-09-12"), later)
    assert notices_of(in_force(store, BASE, "2000-01-01", "2004-12-31")) == []
    assert notices_of(in_force(store, BASE, "2000-01-01", "2005-01-01"))[0][0] == "amendment-without-version"


def test_amendment_with_an_effect_on_a_provision_is_not_missing(
    record: Make, event: Callable[..., Event], store_of: StoreOf
) -> None:
    act = "urn:lex:br:federal:lei:2005-01-01;99941"
    later = record(act, ("altera", BASE))
    acts = (
        event("revogacao", f"{BASE}!art2", "2005-01-01", "2005-01-01", act),
        event("revogacao", "urn:lex:br:federal:lei:1990-09-11;99942!art2", "2005-01-01", "2005-01-01", act),
    )
    for end, expected in ((acts[0], False), (acts[1], True)):
        ended = record(str(end.target), key="ended", events=[end])
        store = store_of(record(f"{BASE}@1991-03-11;publicacao;1990-09-12"), later, ended)
        codes = {code for code, _ in notices_of(in_force(store, BASE, "2000-01-01", "2005-01-01"))}
        assert ("amendment-without-version" in codes) is expected


@pytest.mark.parametrize(
    "amending",
    [
        # in force long before, and itself amended on the day
        [
            "urn:lex:br:federal:lei:1992-01-01;99942@1992-01-02;publicacao;1992-01-02",
            "urn:lex:br:federal:lei:1992-01-01;99942@2000-06-01;alteracao;2000-06-01",
        ],
        # retroactive: published after the day
        ["urn:lex:br:federal:lei:2005-01-01;99942@2000-06-01;publicacao;2005-01-02"],
    ],
)
def test_cause_is_given_only_where_possible(amending: list[str], record: Make, store_of: StoreOf) -> None:
    store = store_of(
        record(f"{BASE}@1991-03-11;publicacao;1990-09-12"),
        record(f"{BASE}@2000-06-01;alteracao;2000-06-01"),
        *(record(name, ("altera", BASE)) for name in amending),
    )
    assert {reason.cause for reason in in_force(store, BASE, "2001-01-01", "2008-01-01").because} == {None}


def test_undated_event_is_not_earlier_than_its_cause(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(BASE), record("urn:lex:br:federal:lei:2005-01-01;99943", ("revoga", BASE)))
    assert in_force(store, BASE, "2008-01-01", "2004-12-31").because == ()
    assert [r.event for r in in_force(store, BASE, "2008-01-01", "2005-01-01").because] == ["revogacao"]
    assert in_force(store, BASE, "1990-09-10", "1990-09-10").status.value == "not-published"


def test_extra_parts_of_a_temporal_reference_are_reported(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(f"{BASE}@1991-03-11;publicacao;1990-09-12"))
    asked = f"{BASE}@versao.vigente.em;2000-01-01;republicacao;1999-01-01~texto;en"
    answer = in_force(store, asked)
    assert (str(answer.on), str(answer.as_known)) == ("2000-01-01", "1999-01-01")
    assert notices_of(answer) == [
        (
            "parts-not-used",
            "the name is resolved by its day; these other parts were ignored: republicacao, texto",
        )
    ]
    with pytest.raises(BadParameter, match="the name says as_known 1999-01-01"):
        in_force(store, asked, as_known="2008-01-01")
    plain = f"{BASE}@versao.vigente.em;2000-01-01"
    assert notices_of(in_force(store, plain, as_known="2008-01-01")) == []


def test_prorogued_vacatio_lasts_to_the_new_start(record: Make, store_of: StoreOf) -> None:
    store = store_of(
        record(f"{BASE}@1991-03-11;publicacao;1990-09-12"),
        record(f"{BASE}@1991-09-11;prorrogacao.vacatio;1991-02-01"),
    )
    for on, as_known, status in (
        ("1991-04-01", "1991-01-31", "in-force"),
        ("1991-04-01", "1991-02-01", "vacatio"),
        ("1991-09-10", "1992-01-01", "vacatio"),
        ("1991-09-11", "1992-01-01", "in-force"),
    ):
        assert in_force(store, BASE, on, as_known).status.value == status


@pytest.mark.parametrize(
    ("on", "status"),
    [
        ("1991-03-05", "not-published"),
        ("1991-03-06", "unknown"),
        ("1991-05-31", "unknown"),
        ("1991-06-01", "unknown"),
        ("1992-01-01", "unknown"),
        ("1992-01-02", "in-force"),
    ],
)
def test_provision_with_only_amendments_is_unknown_before_them(
    on: str, status: str, record: Make, store_of: StoreOf
) -> None:
    """Check that the provision may have been inserted after the vacatio of its norm, as art. 394-A of the CLT was."""
    law = "urn:lex:br:federal:lei:1991-03-06;99907"
    store = store_of(
        record(f"{law}@1991-06-01;publicacao;1991-03-06"), record(f"{law}@1992-01-02;alteracao;1992-01-02!art9-1")
    )
    assert in_force(store, f"{law}!art9-1", on, "1993-01-01").status.value == status


def test_later_knowledge_of_an_amendment_makes_no_vacatio(record: Make, store_of: StoreOf) -> None:
    store = store_of(
        record(f"{BASE}@inicio.vigencia;publicacao;1990-09-12"),
        record(f"{BASE}@1993-05-22;alteracao;1993-05-22"),
    )
    assert in_force(store, BASE, "1992-01-01", "1992-01-01").status.value == "unknown"
    assert in_force(store, BASE, "1992-01-01", "1995-01-01").status.value == "unknown"


@pytest.mark.parametrize(
    ("version", "source"),
    [
        ("1980-01-01;publicacao;1990-09-12", "in force from 1980-01-01"),
        ("1991-03-11;publicacao;1980-01-02", "known from 1980-01-02"),
        ("1980-01-01;publicacao;1980-01-02", "in force from 1980-01-01 and known from 1980-01-02"),
    ],
)
def test_version_dated_before_its_norm_is_reported(version: str, source: str, record: Make, store_of: StoreOf) -> None:
    """Check the notice: the force may be retroactive or the source wrong, so the days are used and reported."""
    store = store_of(record(f"{BASE}@{version}"), record(f"{BASE}@1995-01-01;alteracao;1995-01-01"))
    sentence = f"the norm is dated 1990-09-11, but a source states earlier days: {BASE}@{version} ({source})"
    notice = ("dates-before-norm", sentence)
    assert notices_of(in_force(store, BASE, "1994-01-01", "2008-01-01")) == [notice]
    assert notices_of(in_force(store, BASE, "1996-01-01", "2008-01-01")) == []
    for answer in (timeline(store, BASE), text(store, BASE, "1994-01-01", "2008-01-01")):
        assert ("dates-before-norm", sentence) in [(reported.code, message(reported)) for reported in answer.notices]


def test_norm_dated_by_year_counts_from_the_first_of_january(record: Make, store_of: StoreOf) -> None:
    name = "urn:lex:br:federal:lei:1990;99940"
    for day, doubted in (("1989-12-31", True), ("1990-01-01", False)):
        answer = in_force(store_of(record(f"{name}@{day};publicacao;1990-06-01")), name, "1994-01-01", "2008-01-01")
        assert (answer.status.value, "dates-before-norm" in dict(notices_of(answer))) == ("in-force", doubted)


def test_text_of_a_version_dated_before_its_norm_has_a_notice(record: Make, store_of: StoreOf) -> None:
    name = parse(f"{BASE}@1980-01-01;publicacao;1990-09-12")
    article = Provision("art1", None, 1, (Wording(name, "Art. 1º", None, "Fica instituído.", None, None),))
    norm_record = replace(record(name.canonical), provisions=(article,), coverage=Coverage.WHOLE)
    answer = text(store_of(norm_record), name.canonical)
    assert [provision.text for provision in answer.provisions] == ["Fica instituído."]
    assert [notice.code for notice in answer.notices] == ["dates-before-norm"]
