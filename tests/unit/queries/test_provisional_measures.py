"""Tests of provisional measures (MPV) that lapsed, were rejected, or were converted: notices beside the status."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graph.entities import Event, Record
from graph.measure_terms import TERM_PASSED
from graph.store import Store, WritableStore
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.english import message
from queries.in_force import in_force
from queries.notices import TermPassed

Make = Callable[..., Record]
MakeEvent = Callable[..., Event]
StoreOf = Callable[..., WritableStore]

LAW = "urn:lex:br:federal:lei:1995-01-02;99704"
MEASURE = "urn:lex:br:federal:medida.provisoria:2017-11-14;99705"
CONVERTED_INTO = "urn:lex:br:federal:lei:2018-04-20;99706"
LATE, LATE_NOW = "2020-01-01", "2026-01-01"


#: MPV 870/2019, of which only the publication is stated; a measure before EC 32/2001; a measure of a state.
UNENDED = {
    "urn:lex:br:federal:medida.provisoria:2019-01-01;870": ("2019-01-01", "2019-07-02", "2019-07-03"),
    "urn:lex:br:federal:medida.provisoria:2001-09-11;99707": ("2001-09-11", "2002-04-10", None),
    "urn:lex:br;acre:estadual:medida.provisoria:2019-01-01;99708": ("2019-01-01", "2019-07-02", None),
}


@pytest.mark.parametrize("measure", UNENDED)
def test_measure_without_a_stated_end_is_unknown_after_its_latest_day(
    measure: str, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    published, last, since = UNENDED[measure]
    late = "2025-01-01"
    store = store_of(
        record(f"{measure}@{published};publicacao;{published}"),
        record(LAW, key="r", events=[event("revogacao", LAW, published, published, measure)]),
        record(f"{LAW}@1995-01-03;publicacao;1995-01-03"),
    )
    expected = "in-force" if since is None else "unknown"
    assert [in_force(store, measure, on, LATE_NOW).status.value for on in (last, late)] == ["in-force", expected]
    notices = [notice for notice in in_force(store, measure, late, LATE_NOW).notices if notice.code == "term-passed"]
    assert notices == ([] if since is None else [TermPassed(measure, date.fromisoformat(since))])
    assert in_force(store, LAW, late, LATE_NOW).status.value == "revoked", "nothing else changes"
    asked = {"norma": measure, "em": late, "conhecido": LATE_NOW}
    assert {row["versao"] is None for row in named("version_in_force").rows(store, asked)} == {since is not None}
    reasons = store.select(f"SELECT ?p {{ ?p <{VIG['decididoPor']}> <{TERM_PASSED}> }}")
    assert bool(list(reasons)) == (since is not None)


def test_stated_end_of_a_measure_counts_from_the_day_on_which_it_is_known(
    record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    measure = "urn:lex:br:federal:medida.provisoria:2019-01-01;870"
    law = "urn:lex:br:federal:lei:2019-06-18;13844"
    ended = event("conversao", measure, "2019-07-10", "2019-08-01", law)  # later than the latest day
    store = store_of(record(f"{measure}@2019-01-01;publicacao;2019-01-01", events=[ended]))
    days = ("2019-07-02", "2019-07-03", "2019-07-09", "2019-07-10")
    by_knowledge = {
        known: [in_force(store, measure, on, known).status.value for on in days]
        for known in ("2019-07-31", "2019-08-01")
    }
    assert by_knowledge == {
        "2019-07-31": ["in-force", "unknown", "unknown", "unknown"],
        "2019-08-01": ["in-force", "in-force", "in-force", "converted"],
    }


def measures(store: Store, name: str, on: str, known: str = LATE) -> list[tuple[str, str]]:
    """Return code and sentence of each notice about measures."""
    measure_notices = (
        notice for notice in in_force(store, name, on, known).notices if notice.code in {"mpv-lapsed", "conversion-gap"}
    )
    return [(notice.code, message(notice)) for notice in measure_notices]


def codes(store: Store, name: str, on: str, known: str = LATE) -> list[str]:
    return [code for code, _ in measures(store, name, on, known)]


def life_with_measure(
    record: Make, event: MakeEvent, end: Event | None, measure: str = MEASURE, *more: Record
) -> list[Record]:
    """Return a law that a measure revoked, with the ending of the measure."""
    return [
        record(f"{LAW}@1995-01-03;publicacao;1995-01-03"),
        record(f"{measure}@2017-11-14;publicacao;2017-11-14", events=[end] if end is not None else []),
        record(LAW, key="r", events=[event("revogacao", LAW, "2017-11-14", "2017-11-14", measure)]),
        *more,
    ]


@pytest.mark.parametrize(("kind", "words"), [("caducidade", "lapsed"), ("rejeicao", "was rejected")])
def test_effects_of_a_lapsed_measure_have_a_notice(
    kind: str, words: str, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    """Check MPV 808/2017 (fictional number): first day without force 2018-04-24, published on the next day."""
    store = store_of(*life_with_measure(record, event, event(kind, MEASURE, "2018-04-24", "2018-04-25")))
    (measure_notice,) = measures(store, LAW, "2018-04-23")
    message = (
        f"{MEASURE} {words} (first day without force: 2018-04-24): it loses its effect (Constitution, art. 62 § 3) "
        "from the issue of the measure on, except for relations that a legislative decree or § 11 preserves"
    )
    assert measure_notice == ("mpv-lapsed", message)
    assert codes(store, LAW, "2017-11-14") == ["mpv-lapsed"]
    assert codes(store, LAW, "2017-11-13") == [], "the measure decides nothing of the day before it"
    assert codes(store, LAW, "2018-04-24") == []
    assert codes(store, LAW, "2018-04-23", "2018-04-25") == ["mpv-lapsed"]
    assert codes(store, LAW, "2018-04-23", "2018-04-24") == [], "nobody could know it"
    assert codes(store, MEASURE, "2018-04-23") == codes(store, MEASURE, "2017-11-14") == ["mpv-lapsed"]
    assert codes(store, MEASURE, "2018-04-24") == []
    assert codes(store, MEASURE, "2018-04-23", "2018-04-24") == []


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("urn:lex:br:federal:medida.provisoria:2001-09-11;99705", ["mpv-lapsed"]),
        ("urn:lex:br:federal:medida.provisoria:2001-09-12;99705", ["mpv-lapsed"]),
        ("urn:lex:br:federal:lei:2001-09-12;99705", []),
    ],
)
def test_only_measures_lose_their_effect(
    measure: str, expected: list[str], record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    end = event("caducidade", measure, "2018-04-24", "2018-04-25")
    assert codes(store_of(*life_with_measure(record, event, end, measure)), LAW, "2018-04-23") == expected


@pytest.mark.parametrize(
    ("kind", "day", "status"),
    [
        ("caducidade", "1999-03-05", "unknown"),  # it may have been issued again in time
        ("rejeicao", "1999-03-05", "in-force"),  # Congress rejected it: it could not be issued again
        ("rejeicao", "2001-09-12", "unknown"),
        ("conversao", "1999-03-05", "unknown"),
    ],
)
def test_ended_measure_before_the_amendment_of_2001_has_a_notice(
    kind: str, day: str, status: str, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    """Check the Constitution's art. 62, sole paragraph, in the text before EC 32/2001."""
    measure = "urn:lex:br:federal:medida.provisoria:1999-02-02;99705"
    law = (CONVERTED_INTO,) if kind == "conversao" else ()
    end = event(kind, measure, day, day, *law)
    store = store_of(
        record(f"{LAW}@1995-01-03;publicacao;1995-01-03"),
        record(f"{measure}@1999-02-03;publicacao;1999-02-03", events=[end]),
        record(LAW, key="r", events=[event("revogacao", LAW, "1999-02-03", "1999-02-03", measure)]),
    )
    assert in_force(store, LAW, "1999-03-04", LATE).status.value == "revoked"
    (measure_notice,) = measures(store, LAW, "1999-03-04")
    assert measure_notice[1].endswith("(Constitution, art. 62, sole paragraph, in the text before EC 32/2001)")
    assert in_force(store, LAW, day, LATE).status.value == status
    assert in_force(store, LAW, day, "1999-02-03").status.value == "revoked", "nobody could know it"
    assert in_force(store, measure, day, LATE).status.value == ("converted" if law else "expired")


def test_wording_of_a_lapsed_measure_has_a_notice(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    """Check that the text has the notice of the measure that made the version."""
    store = store_of(
        record(f"{LAW}@1995-01-03;publicacao;1995-01-03"),
        record(f"{LAW}@2017-11-14;alteracao;2017-11-14"),
        record(
            f"{MEASURE}@2017-11-14;publicacao;2017-11-14",
            ("altera", LAW),
            events=[event("caducidade", MEASURE, "2018-04-24", "2018-04-25")],
        ),
    )
    assert MEASURE in {reason.cause for reason in in_force(store, LAW, "2018-01-01", LATE).because}
    assert codes(store, LAW, "2018-01-01") == ["mpv-lapsed"]
    assert MEASURE in {reason.cause for reason in in_force(store, LAW, "2017-11-13", LATE).because}
    assert codes(store, LAW, "2017-11-13") == [], "the measure only ends this text"
    assert codes(store, LAW, "2018-01-01", "2018-04-24") == []


def test_effects_kept_by_the_converting_law_have_no_notice(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    end = event("conversao", MEASURE, "2018-04-20", "2018-04-20", CONVERTED_INTO)
    law = record(f"{CONVERTED_INTO}@2018-04-20;publicacao;2018-04-20")
    left_out = store_of(*life_with_measure(record, event, end, MEASURE, law))
    (measure_notice,) = measures(left_out, LAW, "2018-04-19")
    assert measure_notice[0] == "mpv-lapsed"
    assert "was converted into a law that does not keep this" in measure_notice[1]
    again = event("revogacao", LAW, "2018-04-20", "2018-04-20", CONVERTED_INTO)
    kept = store_of(*life_with_measure(record, event, end, MEASURE, law, record(LAW, key="again", events=[again])))
    assert codes(kept, LAW, "2018-04-19") == []
    assert codes(kept, LAW, "2018-04-19", "2018-04-19") == []
    assert codes(left_out, LAW, "2018-04-19", "2018-04-19") == []
    unnamed = store_of(*life_with_measure(record, event, event("conversao", MEASURE, "2018-04-20", "2018-04-20")))
    assert codes(unnamed, LAW, "2018-04-19") == [], "which law it is nobody says"


def test_later_start_of_the_converting_law_has_a_notice(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    end = event("conversao", MEASURE, "2018-04-20", "2018-04-20", CONVERTED_INTO)
    store = store_of(
        *life_with_measure(record, event, end, MEASURE, record(f"{CONVERTED_INTO}@2018-07-19;publicacao;2018-04-20"))
    )
    assert in_force(store, MEASURE, "2018-04-20", LATE).status.value == "converted"
    assert codes(store, MEASURE, "2018-04-19") == []
    (measure_notice,) = measures(store, MEASURE, "2018-04-20")
    assert measure_notice[0] == "conversion-gap"
    assert f"{CONVERTED_INTO}, which converted it, is in force from 2018-07-19 on" in measure_notice[1]
    assert codes(store, MEASURE, "2018-07-18") == ["conversion-gap"]
    assert codes(store, MEASURE, "2018-07-19") == []
    assert codes(store, MEASURE, "2018-07-18", "2018-04-19") == []


@pytest.mark.parametrize(
    ("end", "conversion", "words"),
    [
        (None, False, "was not converted into law, or the law does not keep this"),
        (None, True, "was converted into a law that does not keep this"),
        (CONVERTED_INTO, False, "was converted into a law that does not keep this"),
    ],
)
def test_provision_that_ended_with_its_measure_has_a_notice(
    end: str | None, conversion: bool, words: str, record: Make, event: MakeEvent, store_of: StoreOf
) -> None:
    """Check a provision that a measure inserted and its conversion did not keep; no source may state the conversion."""
    provision = f"{LAW}!art1"
    causes = [end] if end is not None else []
    ended = [event("conversao", MEASURE, "2018-04-20", "2018-04-20", CONVERTED_INTO)] if conversion else []
    store = store_of(
        record(f"{LAW}@1995-01-03;publicacao;1995-01-03"),
        record(
            f"{LAW}@2017-11-14;alteracao;2017-11-14!art1",
            events=[event("caducidade", provision, "2018-04-20", "2018-04-20", *causes)],
        ),
        record(f"{MEASURE}@2017-11-14;publicacao;2017-11-14", ("altera", provision), events=ended),
    )
    assert in_force(store, provision, "2018-04-20", LATE).status.value == "expired"
    (measure_notice,) = measures(store, provision, "2018-04-20")
    assert measure_notice[1].startswith(f"{MEASURE} {words} (first day without force: 2018-04-20)")
