"""Tests of curated facts: causes, terms, restored wordings, words, corrections, and refused facts."""

from __future__ import annotations

import io
from datetime import date, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.civil import Counting, Unit, When, parse_counting, parse_day
from graph.entities import Record
from graph.mapping.records import mapped
from graph.quarantine import Refusal
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.documents import SourceDocument
from loaders.outcomes import Note
from loaders.sources.facts import COLUMNS, read_facts
from ontology.namespaces import VIG
from queries.documents import document
from queries.english import message
from queries.in_force import in_force
from queries.notices import EfficacyDiffers
from queries.reasons import Status
from queries.text.diff import diff
from queries.text.text import text
from queries.unsourced import backlinks
from service.render.texts import diff_lines
from tests.unit.loaders.test_facts import LAW, OTHER, fact, read

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "sources.md"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-05-05;99950"
MPV = "urn:lex:br:federal:medida.provisoria:2001-11-14;99904"


def applied(text: str, name: str = "facts.toml") -> WritableStore:
    """Return a store with the facts of a text, none of which is refused."""
    outcomes = read(text, name)
    assert not [o for o in outcomes if isinstance(o, Refusal)]
    store = in_memory()
    store.apply([o for o in outcomes if isinstance(o, Record)])
    return store


PUBLISHED = fact(norm=LAW, event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")


@pytest.mark.parametrize("target", [LAW, f"{LAW}!art3"])
@pytest.mark.parametrize("cause", [OTHER, f"{OTHER}!art4"])
def test_amendment_names_the_provision_that_caused_it(target: str, cause: str) -> None:
    facts = fact(norm=target, event="alteracao", effect="2006-07-01", known="2006-05-09", cause=cause, curator="A")
    first = fact(norm=target, event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")
    answer = in_force(applied(first + facts), target, "2006-07-01", "2006-07-01")
    assert answer.status.value == "in-force"
    assert [reason.cause for reason in answer.because if reason.event == "alteracao"] == [cause]


def test_ending_names_its_provision_and_uses_the_days_of_its_norm() -> None:
    publication = fact(norm=OTHER, event="publicacao", effect="2006-07-01", known="2006-05-09", curator="A")
    facts = fact(norm=LAW, event="revogacao", effect="2006-07-01", cause=f"{OTHER}!art4", curator="A")
    answer = in_force(applied(PUBLISHED + publication + facts), LAW, "2006-07-01", "2006-07-01")
    assert [(reason.cause, reason.known) for reason in answer.because] == [(f"{OTHER}!art4", "2006-05-09")]


def test_norm_lists_the_effects_of_its_provisions() -> None:
    facts = fact(norm=LAW, event="revogacao", effect="2006-07-01", cause=f"{OTHER}!art4", curator="A")
    store = applied(PUBLISHED + facts)
    for name in (OTHER, f"{OTHER}!art4"):
        assert [(backlink.name.canonical, backlink.caused) for backlink in backlinks(store, parse(name))] == [
            (LAW, True)
        ]


@pytest.mark.parametrize(
    ("fields", "effect", "counted"),
    [
        ({"known": "2015-03-17", "after": "1 year"}, "2016-03-18", "1 year from 2015-03-17"),
        ({"known": "2015-07-07", "after": "180 days"}, "2016-01-03", "180 days from 2015-07-07"),
        (
            {"known": "2002-01-11", "after": "1 year", "effect": "2003-01-11"},
            "2003-01-11",
            "1 year from 2002-01-11 (counted 2003-01-12)",
        ),
        ({"known": "2002-01-11", "after": "1 year", "effect": "2003-01-12"}, "2003-01-12", "1 year from 2002-01-11"),
    ],
)
def test_vacatio_is_counted_and_explained(fields: dict[str, object], effect: str, counted: str) -> None:
    facts = fact(norm=LAW, event="publicacao", curator="A", **fields)
    notes = [o for o in read(facts) if isinstance(o, Note)]
    assert [note.code for note in notes] == (["counted-otherwise"] if "(" in counted else [])
    answer = in_force(applied(facts), LAW, effect, "2020-01-01")
    (reason,) = answer.because
    assert (answer.status.value, reason.effect, str(reason.counted)) == ("in-force", effect, counted)
    counting = parse_counting(counted)
    assert reason.counted == counting
    assert document(reason)["counted"] == {
        "number": counting.number,
        "unit": counting.unit.value,
        "since": fields["known"],
        "counted": "2003-01-12" if "(" in counted else None,
    }
    before = date.fromisoformat(effect) - timedelta(days=1)
    assert in_force(applied(facts), LAW, before, "2020-01-01").status.value == "vacatio"


def test_counted_day_of_an_event_is_explained() -> None:
    facts = fact(norm=LAW, event="revogacao", known="2006-05-09", after="45 days", curator="A")
    (reason,) = in_force(applied(PUBLISHED + facts), LAW, "2006-06-23", "2006-06-23").because
    assert (reason.effect, reason.counted) == ("2006-06-23", Counting(45, Unit.DAY, date(2006, 5, 9)))
    assert in_force(applied(PUBLISHED + facts), LAW, "2006-06-22", "2006-06-22").status.value == "in-force"
    (stated,) = in_force(applied(PUBLISHED), LAW, "2006-06-23", "2006-06-23").because
    assert "counted" not in document(stated)


@pytest.mark.parametrize("written", ["06/03/2001", "6/3/2001", "2001-03-06"])
def test_brazilian_date_format_is_read(written: str) -> None:
    (record,) = read(fact(norm=LAW, event="publicacao", effect=written, known=written, curator="A"))
    assert isinstance(record, Record)
    assert record.document is not None
    assert record.document.name.canonical == f"{LAW}@2001-03-06;publicacao;2001-03-06"


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("1º/12/1990", "1990-12-01"),
        ("31/12/1990", "1990-12-31"),
        ("1º.4.2021", "2021-04-01"),
        ("30.9.1997", "1997-09-30"),
    ],
)
def test_brazilian_date_has_the_month_second(written: str, day: str) -> None:
    (record,) = read(fact(norm=LAW, event="revogacao", effect=written, curator="A"))
    assert isinstance(record, Record)
    assert record.events[0].effect == When.on(parse_day(day))


@pytest.mark.parametrize(
    "written",
    [
        *("12/31/1990", "30/02/1990", "2º/12/1990", "1/12/90", "0/1/1990", "31-12-1990", "1990/12/31"),
        *("2000-01-02/2000-01-01", "30.9/1997", "199", "depois"),
    ],
)
def test_nonexistent_day_is_refused(written: str) -> None:
    (refusal,) = read(fact(norm=LAW, event="revogacao", effect=written, curator="A"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-fact"
    assert refusal.problem == f"effect is '{written}', which is not a day, a year or an interval"
    assert "DD/MM/YYYY" in refusal.expected


def test_conversion_ends_the_measure_and_names_the_law() -> None:
    facts = fact(norm=MPV, event="publicacao", effect="2001-11-14", known="2001-11-14", curator="A")
    facts += fact(norm=MPV, event="conversao", effect="2002-03-10", known="2002-03-09", cause=OTHER, curator="A")
    store = applied(facts)
    answer = in_force(store, MPV, "2002-03-10", "2002-03-10")
    assert (answer.status.value, [reason.cause for reason in answer.because]) == ("converted", [OTHER])
    assert in_force(store, MPV, "2002-03-09", "2002-03-10").status.value == "in-force"


def test_rejected_or_lapsed_measure_is_expired() -> None:
    for event in ("rejeicao", "caducidade"):
        facts = fact(norm=MPV, event="publicacao", effect="2001-11-14", known="2001-11-14", curator="A")
        facts += fact(norm=MPV, event=event, effect="2002-03-10", known="2002-03-10", curator="A")
        assert in_force(applied(facts), MPV, "2002-03-10", "2002-03-10").status.value == "expired"


def test_veto_fact_vetoes_the_provision() -> None:
    facts = fact(norm=f"{LAW}!art3", event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")
    facts += fact(norm=f"{LAW}!art3", event="veto", effect="2001-03-06", known="2001-03-06", curator="A")
    store = applied(PUBLISHED + facts)
    assert in_force(store, f"{LAW}!art3", "2001-03-06", "2001-03-06").status.value == "vetoed"
    assert in_force(store, LAW, "2001-03-06", "2001-03-06").status.value == "in-force"


FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"


@pytest.mark.parametrize(
    ("target", "written", "version"),
    [
        (LAW, FIRST, FIRST),
        (f"{LAW}!art3", FIRST, f"{FIRST}!art3"),
        (f"{LAW}!art3", f"{FIRST}!art3", f"{FIRST}!art3"),
        (f"{LAW}!art3", f"{FIRST}~texto;pt-br!art3", f"{FIRST}!art3"),
        (LAW, f"{LAW}@2001-03-06!2001-03-06", f"{LAW}@2001-03-06!2001-03-06"),
    ],
)
def test_wording_is_restored_from_a_version(target: str, written: str, version: str) -> None:
    facts = fact(
        norm=target, event="restauracao", effect=2004, known="2004-01-01", curator="A", wording=f"as of {written}"
    )
    (record,) = read(facts)
    assert isinstance(record, Record)
    triples = ox.parse(
        "\n".join(" ".join(triple) + " ." for triple in mapped(record, ())[0]).encode(), ox.RdfFormat.N_TRIPLES
    )
    restored = [t.triple.object for t in triples if t.predicate.value == VIG["restauraRedacao"]]
    assert restored == [ox.NamedNode(parse(version).iri)]


@pytest.mark.parametrize(
    "event", ["anulacao", "declaracao.inconstitucionalidade", "suspensao", "caducidade", "rejeicao"]
)
def test_decision_may_exclude_the_return_of_the_earlier_law(event: str) -> None:
    fields = {"norm": MPV, "event": event, "effect": "2004-01-01", "known": "2004-01-01", "curator": "A"}
    toml = "undoes = false\n"
    table = ",".join((*fields, "undoes")) + "\n" + ",".join((*map(str, fields.values()), "FALSE")) + "\n"
    for outcomes in (read(fact(**fields) + toml), read(table, "facts.csv")):
        (record,) = outcomes
        assert isinstance(record, Record)
        assert not record.events[0].undoes
        assert sum(f"<{VIG['desfazEfeitos']}>" == triple[1] for triple in mapped(record, ())[0]) == 1
    (usual,) = read(fact(**fields) + "undoes = true\n")
    assert isinstance(usual, Record)
    assert usual.events[0].undoes
    assert not any(f"<{VIG['desfazEfeitos']}>" == triple[1] for triple in mapped(usual, ())[0])


def test_fact_gives_a_provision_its_words() -> None:
    facts = fact(
        norm=f"{LAW}!art3",
        event="publicacao",
        effect="2001-03-06",
        known="2001-03-06",
        curator="A",
        text="Palavras um.",
    )
    facts += fact(
        norm=f"{LAW}!art3",
        event="alteracao",
        effect="2004-01-01",
        known="2004-01-01",
        curator="A",
        text="Palavras dois.",
    )
    store = applied(PUBLISHED + facts)
    for day, words in (("2003-12-31", "Palavras um."), ("2004-01-01", "Palavras dois.")):
        answer = text(store, f"{LAW}!art3", day, "2005-01-01")
        assert [provision.text for provision in answer.provisions] == [words]


def test_corrected_fact_without_an_id_contradicts_until_withdrawn() -> None:
    corrected = fact(norm=LAW, event="publicacao", effect="2001-03-07", known="2001-03-06", curator="A")
    store = applied(PUBLISHED + corrected)
    (problem,) = [
        message(n) for n in in_force(store, LAW, "2001-03-08", "2002-01-01").notices if n.code == "sources-contradict"
    ]
    assert problem.count("the curator A") == 2
    assert "@2001-03-06;" in problem
    assert "@2001-03-07;" in problem
    gone = fact(norm=LAW, event="publicacao", effect="6/3/2001", known="2001-03-06", curator="A") + "withdrawn = true\n"
    store.apply([o for o in read(gone) if isinstance(o, Record)])
    answer = in_force(store, LAW, "2001-03-08", "2002-01-01")
    assert answer.version is not None
    assert answer.version.name == f"{LAW}@2001-03-07;publicacao;2001-03-06"
    assert not [n for n in answer.notices if n.code == "sources-contradict"]
    assert in_force(store, LAW, "2001-03-06", "2002-01-01").status.value == "vacatio"


@pytest.mark.parametrize(
    ("first", "second", "contradict"),
    [
        ({"event": "revogacao", "effect": "2004-01-01"}, {"event": "revogacao", "effect": "2004-02-01"}, True),
        ({"event": "revogacao", "effect": "2004-01-01"}, {"event": "caducidade", "effect": "2004-02-01"}, False),
        (
            {"event": "revogacao", "effect": "2004-01-01", "cause": OTHER},
            {"event": "revogacao", "effect": "2004-02-01", "cause": f"{OTHER}!art4"},
            True,
        ),
        ({"event": "caducidade", "effect": "2004-01-01"}, {"event": "caducidade", "effect": "2004-02-01"}, True),
        (
            {"event": "caducidade", "effect": "2004-01-01"},
            {"event": "caducidade", "effect": "2004-02-01", "known": "2003-12-01"},
            False,
        ),
        (
            {"event": "alteracao", "effect": "2004-01-01", "id": "part 1"},
            {"event": "alteracao", "effect": "2004-02-01", "id": "part 2"},
            False,
        ),
        (
            {"event": "alteracao", "effect": "2004-01-01", "cause": OTHER},
            {"event": "alteracao", "effect": "2004-02-01", "cause": MPV},
            False,
        ),
        ({"event": "alteracao", "effect": "2004-01-01"}, {"event": "alteracao", "effect": "2004-02-01"}, True),
    ],
)
def test_two_dates_of_one_event_by_one_curator_contradict(
    first: dict[str, object], second: dict[str, object], contradict: bool
) -> None:
    fields = {"norm": LAW, "known": "2003-10-01", "curator": "A"}
    store = applied(PUBLISHED + fact(**{**fields, **first}) + fact(**{**fields, **second}))
    codes = {notice.code for notice in in_force(store, LAW, "2003-11-01", "2005-01-01").notices}
    assert ("sources-contradict" in codes) is contradict


def test_ending_after_a_restoration_is_a_separate_event() -> None:
    days = (("revogacao", "2004-01-01"), ("repristinacao", "2005-01-01"), ("revogacao", "2006-01-01"))
    facts = "".join(fact(norm=LAW, event=event, effect=day, known=day, curator="A") for event, day in days)
    codes = {notice.code for notice in in_force(applied(PUBLISHED + facts), LAW, "2006-11-01", "2007-01-01").notices}
    assert "sources-contradict" not in codes


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"event": "conversao", "norm": LAW, "cause": OTHER}, f"{LAW} is no provisional measure"),
        ({"event": "conversao", "norm": MPV}, "there is no cause"),
        ({"event": "conversao", "norm": MPV, "cause": MPV}, f"{MPV} does not convert"),
        (
            {"event": "conversao", "norm": MPV, "cause": "urn:lex:br;sao.paulo:estadual:lei:2002-01-01;99"},
            "urn:lex:br;sao",
        ),
        ({"event": "conversao", "norm": f"{MPV}!art1", "cause": OTHER}, f"{MPV}!art1 is no provisional measure"),
        ({"event": "rejeicao"}, f"{LAW} is no provisional measure"),
        ({"event": "veto"}, f"{LAW} is no provision"),
        ({"event": "renumeracao"}, f"{LAW} is no provision"),
        ({"event": "interpretacao.conforme"}, "the event interpretacao.conforme has no cause"),
        ({"event": "restauracao"}, "the fact has no wording"),
        ({"event": "restauracao", "wording": FIRST}, "wording is 'urn"),
        ({"event": "restauracao", "wording": "as of 2001-03-06"}, ""),
        ({"event": "restauracao", "wording": f"as of {LAW}"}, f"{LAW} is no version of"),
        ({"event": "restauracao", "wording": f"as of {OTHER}@2006-07-01"}, f"{OTHER}@2006-07-01 is no version of"),
        (
            {"event": "restauracao", "wording": f"as of {FIRST}!art2", "norm": f"{LAW}!art3"},
            f"{FIRST}!art2 is a version of",
        ),
        ({"event": "restauracao", "wording": f"as of {FIRST}!art2"}, f"{FIRST}!art2 is a version of"),
        ({"event": "revogacao", "wording": f"as of {FIRST}"}, "the event revogacao restores no wording"),
        ({"event": "publicacao", "known": "2001-03-06", "text": "x"}, "the event publicacao on"),
        ({"event": "revogacao", "norm": f"{LAW}!art3", "text": "x"}, "the event revogacao on"),
        ({"event": "revogacao", "undoes": "no"}, "the event revogacao restores nothing"),
        ({"event": "anulacao", "undoes": "no"}, "undoes is 'no'"),
        ({"event": "revogacao", "after": "1 year"}, "after is counted from known"),
        ({"event": "revogacao", "after": "1 year", "known": 2001}, "after is counted from known"),
        *(
            ({"event": "revogacao", "after": after, "known": "2001-03-06"}, "after: expected")
            for after in (
                "1000000000 years",
                "9999 years",
                "0 days",
                "-1 days",
                "1 fortnight",
                "1 years",
                "1year",
                "um ano",
            )
        ),
        ({"event": "revogacao", "effect": 10**30}, "effect is a number with more than 20 digits"),
        ({"event": "revogacao", "effect": 0}, "effect is '0'"),
        ({"event": "revogacao", "effect": ""}, "effect is empty"),
        ({"event": "revogacao", "note": " "}, "note is empty"),
        ({"event": "revogacao", "after": ""}, "after is empty"),
        ({"event": ""}, "event is empty"),
        ({"event": "revogacao", "curator": ""}, "curator is empty"),
        ({"event": "revogacao", "id": "x" * 5000}, "id has 5000 characters"),
    ],
)
def test_fact_with_fields_unfit_for_its_event_is_refused(fields: dict[str, object], problem: str) -> None:
    (refusal,) = read(fact(**{"norm": LAW, "curator": "A", **fields}))
    assert isinstance(refusal, Refusal)
    assert refusal.problem.startswith(problem)
    assert refusal.expected
    (again,) = read_facts(SourceDocument("kept", lambda: io.BytesIO(refusal.payload)), form=refusal.form)
    assert isinstance(again, Refusal)
    assert again.problem == refusal.problem


@pytest.mark.parametrize(
    "value",
    [
        "[]",
        "{}",
        "[[1, 2], [3]]",
        "{ a = { b = 'c' } }",
        "1.5",
        "nan",
        "inf",
        "true",
        "12:00:00",
        "2001-03-06T00:00:00Z",
    ],
)
@pytest.mark.parametrize("key", COLUMNS)
def test_only_a_value_of_the_wrong_type_is_refused(key: str, value: str) -> None:
    if value == "true" and key in {"undoes", "withdrawn"}:
        return
    fields = {"norm": f'"{LAW}"', "event": '"revogacao"', "curator": '"A"', key: value}
    bad = "[[facts]]\n" + "".join(f"{name} = {written}\n" for name, written in fields.items())
    refusal, good = read(bad + PUBLISHED)
    assert isinstance(good, Record)
    assert isinstance(refusal, Refusal)
    assert refusal.problem.startswith(f"{key} is ")
    assert refusal.expected
    (again,) = read_facts(SourceDocument("kept", lambda: io.BytesIO(refusal.payload)), form=refusal.form)
    assert isinstance(again, Refusal)
    assert again.problem == refusal.problem


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000])
def test_number_with_too_many_digits_is_refused(number: str) -> None:
    (refusal,) = read(f'[[facts]]\nnorm = "{LAW}"\nevent = "revogacao"\ncurator = "A"\neffect = {number}\n')
    assert isinstance(refusal, Refusal)
    assert len(refusal.problem) < 5000


def test_lone_surrogate_is_refused() -> None:
    (refusal,) = read(f'[[facts]]\nnorm = "{LAW}"\nevent = "revogacao"\ncurator = "\\ud800"\n')
    assert isinstance(refusal, Refusal)
    (refusal,) = read(b"norm,event,curator\nx,y,\xed\xa0\x80\n", "a.csv")
    assert isinstance(refusal, Refusal)


def records(text: str) -> list[Record]:
    return [outcome for outcome in read(text) if isinstance(outcome, Record)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("cause", "annulled"),
    [
        (f"{OTHER}!art4", OTHER),
        (f"{OTHER}!art4_cpt_inc1", OTHER),
        (f"{OTHER}!art4_cpt_inc1", f"{OTHER}!art4"),
        (f"{OTHER}!art4_par1_inc2_ali1", f"{OTHER}!art4_par1"),
    ],
)
def test_effect_of_a_provision_is_undone_with_its_container_in_any_order(cause: str, annulled: str, first: int) -> None:
    ended = fact(norm=LAW, event="revogacao", effect="2006-07-01", known="2006-05-09", cause=cause, curator="A")
    revoker = fact(norm=OTHER, event="publicacao", effect="2006-07-01", known="2006-05-09", curator="A")
    fall = fact(norm=annulled, event="anulacao", effect="2006-07-01", known="2010-06-23", curator="A")
    loads = [records(PUBLISHED + ended), records(revoker + fall)]
    with in_memory() as store:
        for batch in (loads[first], loads[1 - first]):
            store.apply(batch)
        assert in_force(store, LAW, "2008-01-01", "2010-06-22").status.value == "revoked"
        assert in_force(store, LAW, "2008-01-01", "2010-06-23").status.value == "in-force"


@pytest.mark.parametrize("inner", ["art3_cpt_inc1", "art3_par1_inc2_ali1"])
def test_parts_of_an_article_end_with_it_without_intermediate_facts(inner: str) -> None:
    worded = fact(
        norm=f"{LAW}!{inner}", event="alteracao", effect="2003-01-01", known="2003-01-01", text="Palavras.", curator="A"
    )
    ended = fact(norm=f"{LAW}!art3", event="revogacao", effect="2006-07-01", known="2006-05-09", curator="A")
    store = applied(PUBLISHED + worded + ended)
    assert in_force(store, f"{LAW}!{inner}", "2006-06-30", "2006-07-01").status.value == "in-force"
    assert in_force(store, f"{LAW}!{inner}", "2006-07-01", "2006-07-01").status.value == "revoked"


def test_diff_names_the_event_that_undid_a_cause() -> None:
    def provision_fact(provision: str, event: str, day: str, **more: str) -> str:
        return fact(norm=f"{LAW}!{provision}", event=event, effect=day, known=day, curator="A", **more)

    issued = fact(norm=MPV, event="publicacao", effect="2001-11-14", known="2001-11-14", curator="A")
    lapsed = fact(norm=MPV, event="caducidade", effect="2002-04-24", known="2002-04-25", curator="A")
    first = provision_fact("art1_cpt", "publicacao", "2001-03-06", text="Um.") + provision_fact(
        "art2_cpt", "publicacao", "2001-03-06", text="Dois."
    )
    by_measure = provision_fact("art1_cpt", "alteracao", "2001-11-14", cause=MPV, text="Outro.") + provision_fact(
        "art2_cpt", "revogacao", "2001-11-14", cause=MPV
    )
    store = applied(PUBLISHED + first + issued + by_measure + lapsed)
    difference = diff(store, LAW, "2002-04-23", "2002-04-24", "2002-04-25")
    assert [
        (change.kind.value, [(r.event, [u.event for u in r.undone_by]) for r in change.because])
        for change in difference.changes
    ] == [("changed", [("alteracao", ["caducidade"])]), ("restored", [("revogacao", ["caducidade"])])]
    assert f"  because    amended by {MPV}, which was terminated at the end of its term" in list(diff_lines(difference))
    before = diff(store, LAW, "2001-11-13", "2001-11-14", "2002-04-25")
    assert [[(r.event, r.undone_by) for r in change.because] for change in before.changes] == [
        [("alteracao", ())],
        [("revogacao", ())],
    ]


def test_provisions_from_facts_are_ordered_by_identifier() -> None:
    order = ["ementa", "art2_cpt", "art2_cpt_inc1", "art2_par1", "art2_par2", "art2_par10", "art2-1_cpt", "art10_cpt"]
    facts = "".join(
        fact(
            norm=f"{LAW}!{fragment}",
            event="publicacao",
            effect="2001-03-06",
            known="2001-03-06",
            text=fragment,
            curator="A",
        )
        for fragment in sorted(order)
    )
    answer = text(applied(PUBLISHED + facts), LAW, "2002-01-01", "2002-01-01")
    assert [provision.name.partition("!")[2] for provision in answer.provisions] == order


AMENDED = "urn:lex:br:federal:lei:1995-01-01;99922"
LAPSING = "urn:lex:br:federal:medida.provisoria:2017-11-14;99923"


def test_text_with_words_of_a_lapsed_measure_has_a_notice() -> None:
    """Check the notice on the days on which the words of the measure apply, once the lapse is known, and no others."""
    day = {"effect": "1995-02-01", "known": "1995-01-02", "curator": "A"}
    store = applied(
        fact(norm=AMENDED, event="publicacao", **day)
        + fact(norm=f"{AMENDED}!art1_cpt", event="publicacao", text="Antes.", **day)
        + fact(norm=LAPSING, event="publicacao", effect="2017-11-14", known="2017-11-14", curator="A")
        + fact(
            norm=f"{AMENDED}!art1_cpt",
            event="alteracao",
            effect="2017-11-14",
            known="2017-11-14",
            cause=LAPSING,
            text="Pela medida.",
            curator="A",
        )
        + fact(norm=LAPSING, event="caducidade", effect="2018-04-24", known="2018-04-25", curator="A")
    )
    for on, known, words, noted in (
        ("2017-11-13", "2018-04-25", "Antes.", False),
        ("2017-11-14", "2018-04-25", "Pela medida.", True),
        ("2018-04-23", "2018-04-25", "Pela medida.", True),
        ("2018-04-23", "2018-04-24", "Pela medida.", False),
        ("2018-04-24", "2018-04-25", "Antes.", False),
    ):
        answer = text(store, AMENDED, on, known)
        assert [provision.text for provision in answer.provisions if provision.text] == [words], on
        assert ("mpv-lapsed" in {notice.code for notice in answer.notices}) is noted, (on, known)


def test_revoked_norm_with_a_suspended_revoker_has_a_notice() -> None:
    """Check that the force stays revoked (F4), and that the norm has efficacy while its revoker is suspended."""
    store = applied(
        fact(norm=LAW, event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")
        + fact(norm=OTHER, event="publicacao", effect="2006-07-01", known="2006-05-09", curator="A")
        + fact(norm=LAW, event="revogacao", effect="2006-07-01", known="2006-05-09", cause=OTHER, curator="A")
        + fact(norm=OTHER, event="suspensao", effect="2008-05-05", known="2008-05-05", cause=JUDGMENT, curator="A")
        + fact(
            norm=OTHER, event="restabelecimento", effect="2009-07-07", known="2009-07-07", cause=JUDGMENT, curator="A"
        )
    )
    for on, noted in (("2008-05-04", False), ("2008-05-05", True), ("2009-07-06", True), ("2009-07-07", False)):
        answer = in_force(store, LAW, on, "2010-01-01")
        assert answer.status.value == "revoked"
        notice = next((candidate for candidate in answer.notices if isinstance(candidate, EfficacyDiffers)), None)
        assert (notice is not None) is noted, on
        if notice is not None:
            assert (notice.force, notice.status, str(notice.since), str(notice.until)) == (
                Status.REVOKED,
                Status.IN_FORCE,
                "2008-05-05",
                "2009-07-07",
            )
            assert "revoked, but still has effect since 2008-05-05" in message(notice)


def test_restored_wording_requires_the_full_version_name() -> None:
    facts = fact(
        norm=f"{LAW}!art1",
        event="restauracao",
        effect="2006-07-01",
        known="2006-05-09",
        wording=f"as of {LAW}@2001-03-06",
        curator="A",
    )
    (refused,) = [outcome for outcome in read(facts, "facts.toml") if isinstance(outcome, Refusal)]
    assert "leaves parts of the version open" in str(refused)
