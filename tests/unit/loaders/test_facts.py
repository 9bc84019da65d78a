"""Tests of curated facts in TOML and CSV, from the file to the answer: days, causes, words, corrections, refusals."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.civil import Counting, Unit, parse_counting
from graph.entities import Record
from graph.mapping.records import mapped
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from graph.time.kinds import Status
from graph.urn import parse
from loaders.codes import RefusalCode
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load
from loaders.sources.facts import COLUMNS, read_facts
from ontology.namespaces import VIG
from queries.documents import document
from queries.in_force import in_force
from queries.messages import message
from queries.notices import EfficacyDiffers
from queries.text.diff import diff
from service.render.texts import diff_lines
from tests.support.cases import Row, answered, cases, facts, only, read_back, records, refusals, source, stored, values

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
OTHER = "urn:lex:br:federal:lei:2006-05-08;99908"
MPV = "urn:lex:br:federal:medida.provisoria:2001-11-14;99904"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
PUBLISHED = f"{LAW} publicacao 2001-03-06 2001-03-06"


def read(written: str | bytes, name: str = "facts.toml") -> list[Outcome]:
    return list(read_facts(source(written, name)))


def fact(**fields: object) -> str:
    """Return a fact as TOML: a revocation of the law by the curator A, if the fields do not say otherwise."""
    every = {"norm": LAW, "curator": "A", **fields}
    values = {key: value for key, value in every.items() if value != "-"}
    written = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()]
    return "[[facts]]\n" + "".join(written)


def same_refusal_again(refusal: Refusal, form: str | None) -> bool:
    (again,) = read_facts(source(refusal.payload, "kept"), form=form)
    return isinstance(again, Refusal) and again.problem == refusal.problem


@cases("facts", "answers")
def test_facts_give_the_answers(row: Row) -> None:
    assert answered(stored(facts(row["facts"])), LAW, row["answers"]) == row["answers"]


@cases("facts", "fact")
def test_fact_is_read(row: Row) -> None:
    fields = {key: value for key, value in row.items() if key not in {"id", "reads"}}
    outcomes = read(fact(**{"event": "revogacao", **fields}))
    assert read_back(outcomes, row["reads"]) == row["reads"]


def test_facts_are_loaded_once_and_name_their_curator(tmp_path: Path) -> None:
    path, store, quarantine = tmp_path / "facts.toml", in_memory(), Quarantine(tmp_path / "quarantine")
    head = 'source = "Diário fictício de 2006-05-09, p. 1"\n'
    path.write_text(head + facts([PUBLISHED, f"{LAW} revogacao 2006-07-01 2006-05-09"], "Arquivo Fictício"), "utf-8")
    assert (load([path], store, quarantine).loaded, load([path], store, quarantine).unchanged) == (2, 2)
    notices = in_force(store, LAW, "2006-07-01", "2006-07-01").notices
    assert [message(notice) for notice in notices if notice.code == "curated-fact"] == [
        "a curated fact, stated by Arquivo Fictício (source: Diário fictício de 2006-05-09, p. 1)"
    ]


def test_csv_facts_equal_toml_facts() -> None:
    table = (
        "norm,event,effect,known,cause,note,source,curator\n"
        f"{LAW},revogacao,2006-07-01,2006-05-09,{OTHER},,,Arquivo Fictício\n"
    )
    toml = facts(f"{LAW} revogacao 2006-07-01 2006-05-09 cause={OTHER}", "Arquivo Fictício")
    one, other = only(read(table, "facts.csv")), only(read(toml))
    assert (one.source.iri, one.source.payload_hash, one.events) == (
        other.source.iri,
        other.source.payload_hash,
        other.events,
    )


@cases("facts", "counted")
def test_vacatio_is_counted_and_explained(row: Row) -> None:
    written = fact(event="publicacao", **{key: row[key] for key in ("known", "after", "effect") if key in row})
    otherwise = "(" in row["counted"]
    assert [note.code for note in read(written) if isinstance(note, Note)] == ["counted-otherwise"] * otherwise
    store = stored(*records(read(written)))
    (reason,) = in_force(store, LAW, row["start"], "2020-01-01").because
    counting = parse_counting(row["counted"])
    assert (reason.effect, reason.counted, str(reason.counted)) == (row["start"], counting, row["counted"])
    assert document(reason)["counted"] == {
        "number": counting.number,
        "unit": counting.unit.value,
        "since": row["known"],
        "counted": "2003-01-12" if otherwise else None,
    }
    before = date.fromisoformat(row["start"]) - timedelta(days=1)
    line = [f".: {before}/2020-01-01 vacatio, {row['start']}/2020-01-01 in-force"]
    assert answered(store, LAW, line) == line


def test_counted_day_of_an_event_is_explained() -> None:
    store = stored(facts([PUBLISHED, f"{LAW} revogacao - 2006-05-09 after='45 days'"]))
    (reason,) = in_force(store, LAW, "2006-06-23", "2006-06-23").because
    assert (reason.effect, reason.counted) == ("2006-06-23", Counting(45, Unit.DAY, date(2006, 5, 9)))
    (stated,) = in_force(stored(facts(PUBLISHED)), LAW, "2006-06-23", "2006-06-23").because
    assert "counted" not in document(stated)


@pytest.mark.parametrize(("fields", "problem"), values("facts", "refused"))
def test_only_the_invalid_fact_is_refused(fields: Row, problem: str) -> None:
    outcomes = read(fact(**fields) + fact(event="revogacao"))
    assert [type(outcome) for outcome in outcomes] == [Refusal, Record]
    (refusal,) = refusals(outcomes)
    assert (refusal.position, bool(refusal.expected)) == ("fact 1", True)
    assert refusal.code == (RefusalCode.BAD_FACT if problem else RefusalCode.BAD_NAME)
    assert refusal.problem.startswith(problem)
    assert ("DD/MM/YYYY" in refusal.expected) is (
        "which is not a day" in problem or problem == "effect is "
    ) or not problem
    assert same_refusal_again(refusal, refusal.form)


@pytest.mark.parametrize("value", values("facts", "only_a_value_of_the_wrong_type_is_refused"))
def test_only_a_value_of_the_wrong_type_is_refused(value: str) -> None:
    for key in COLUMNS:
        if value == "true" and key in {"undoes", "withdrawn"}:
            continue
        fields = {"norm": f'"{LAW}"', "event": '"revogacao"', "curator": '"A"', key: value}
        bad = "[[facts]]\n" + "".join(f"{name} = {written}\n" for name, written in fields.items())
        refusal, good = read(bad + fact(event="revogacao"))
        assert isinstance(good, Record)
        assert isinstance(refusal, Refusal)
        assert refusal.problem.startswith(f"{key} is ")
        assert refusal.expected
        assert same_refusal_again(refusal, refusal.form)


def test_extreme_values_are_refused() -> None:
    for fields, problem in (
        ({"effect": 10**30}, "effect is a number with more than 20 digits"),
        ({"id": "x" * 5000}, "id has 5000 characters"),
    ):
        (refusal,) = read(fact(**{"event": "revogacao", **fields}))
        assert isinstance(refusal, Refusal)
        assert refusal.problem.startswith(problem)
    head = f'[[facts]]\nnorm = "{LAW}"\nevent = "revogacao"\n'
    for line in (
        f'curator = "A"\neffect = {"9" * 5000}\n',
        f'curator = "A"\neffect = 0x{"f" * 5000}\n',
        'curator = "\\ud800"\n',
    ):
        (refusal,) = read(head + line)
        assert isinstance(refusal, Refusal)
        assert len(refusal.problem) < 5000
    assert len(refusals(read(b"norm,event,curator\nx,y,\xed\xa0\x80\n", "a.csv"))) == 1


@pytest.mark.parametrize(
    ("written", "name", "expected"),
    [*values("facts", "refusals_have_their_position"), ("[" * 100_000, "a.toml", ["whole file bad-fact"])],
)
def test_refusals_have_their_position(written: str, name: str, expected: list[str]) -> None:
    found = refusals(read(written.encode("latin-1"), name))
    assert [f"{refusal.position} {refusal.code}" for refusal in found] == expected


def _values(record: Record, term: str) -> list[str]:
    lines = "\n".join(" ".join(triple) + " ." for triple in mapped(record, ())[0])
    triples = (quad.triple for quad in ox.parse(lines.encode(), ox.RdfFormat.N_TRIPLES))
    return [str(triple.object.value) for triple in triples if triple.predicate.value == VIG[term]]


@pytest.mark.parametrize(("target", "written", "version"), values("facts", "wording_is_restored_from_a_version"))
def test_wording_is_restored_from_a_version(target: str, written: str, version: str) -> None:
    record = only(read(facts(f"{target} restauracao 2004 2004-01-01 'wording=as of {written}'")))
    assert _values(record, "restauraRedacao") == [parse(version).iri]


def test_decision_may_exclude_the_return_of_the_earlier_law() -> None:
    for event in ("anulacao", "declaracao.inconstitucionalidade", "suspensao", "caducidade", "rejeicao"):
        line = f"{MPV} {event} 2004-01-01 2004-01-01"
        table = f"norm,event,effect,known,curator,undoes\n{MPV},{event},2004-01-01,2004-01-01,A,FALSE\n"
        for outcomes, undoes in (
            (read(facts(f"{line} undoes=false")), False),
            (read(table, "facts.csv"), False),
            (read(facts(f"{line} undoes=true")), True),
        ):
            record = only(outcomes)
            assert (record.events[0].undoes, len(_values(record, "desfazEfeitos"))) == (undoes, not undoes), event


def test_corrected_fact_without_an_id_contradicts_until_withdrawn() -> None:
    store = stored(facts([PUBLISHED, f"{LAW} publicacao 2001-03-07 2001-03-06"]))
    notices = in_force(store, LAW, "2001-03-08", "2002-01-01").notices
    (problem,) = [message(notice) for notice in notices if notice.code == "sources-contradict"]
    assert problem.count("the curator A") == 2
    assert "@2001-03-06;" in problem
    assert "@2001-03-07;" in problem
    store.apply(records(read(facts(f"{LAW} publicacao 6/3/2001 2001-03-06 withdrawn=true"))))
    lines = [
        ".: 2001-03-06/2002-01-01 vacatio, 2001-03-08/2002-01-01 @2001-03-07;publicacao;2001-03-06",
        ". 2001-03-08/2002-01-01 lacks sources-contradict",
    ]
    assert answered(store, LAW, lines) == lines


def test_fact_with_an_id_is_corrected_and_withdrawn() -> None:
    store = stored(facts(PUBLISHED))
    for effect in ("2003-01-01", "2005-01-01"):
        store.apply(records(read(facts(f"{LAW} revogacao {effect} {effect} id=fim"))))
        assert in_force(store, LAW, effect, "2006-01-01").status.value == "revoked"
    assert in_force(store, LAW, "2004-12-31", "2006-01-01").status.value == "in-force"
    gone = only(read(facts(f"{LAW} revogacao - - id=fim withdrawn=true")))
    assert gone.deleted
    assert store.apply([gone]).deleted == 1
    assert in_force(store, LAW, "2005-01-01", "2006-01-01").status.value == "in-force"


@pytest.mark.parametrize("first", [0, 1])
def test_effect_of_a_provision_is_undone_with_its_container_in_any_order(first: int) -> None:
    for cause, annulled in (
        (f"{OTHER}!art4", OTHER),
        (f"{OTHER}!art4_cpt_inc1", OTHER),
        (f"{OTHER}!art4_cpt_inc1", f"{OTHER}!art4"),
        (f"{OTHER}!art4_par1_inc2_ali1", f"{OTHER}!art4_par1"),
    ):
        ended = facts([PUBLISHED, f"{LAW} revogacao 2006-07-01 2006-05-09 cause={cause}"])
        fall = facts([f"{OTHER} publicacao 2006-07-01 2006-05-09", f"{annulled} anulacao 2006-07-01 2010-06-23"])
        store = stored(*((ended, fall), (fall, ended))[first])
        line = [".: 2008-01-01/2010-06-22 revoked, 2008-01-01/2010-06-23 in-force"]
        assert answered(store, LAW, line) == line


def test_diff_names_the_event_that_undid_a_cause() -> None:
    store = stored(
        facts(
            [
                PUBLISHED,
                f"{LAW}!art1_cpt publicacao 2001-03-06 2001-03-06 text=Um.",
                f"{LAW}!art2_cpt publicacao 2001-03-06 2001-03-06 text=Dois.",
                f"{MPV} publicacao 2001-11-14 2001-11-14",
                f"{LAW}!art1_cpt alteracao 2001-11-14 2001-11-14 cause={MPV} text=Outro.",
                f"{LAW}!art2_cpt revogacao 2001-11-14 2001-11-14 cause={MPV}",
                f"{MPV} caducidade 2002-04-24 2002-04-25",
            ]
        )
    )
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


def test_notice_of_efficacy_states_its_days() -> None:
    judgment = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-05-05;99950"
    lines = [
        PUBLISHED,
        f"{OTHER} publicacao 2006-07-01 2006-05-09",
        f"{LAW} revogacao 2006-07-01 2006-05-09 cause={OTHER}",
        f"{OTHER} suspensao 2008-05-05 2008-05-05 cause={judgment}",
        f"{OTHER} restabelecimento 2009-07-07 2009-07-07 cause={judgment}",
    ]
    notices = in_force(stored(facts(lines)), LAW, "2009-07-06", "2010-01-01").notices
    (notice,) = [each for each in notices if isinstance(each, EfficacyDiffers)]
    stated = (notice.force, notice.status, str(notice.since), str(notice.until))
    assert stated == (Status.REVOKED, Status.IN_FORCE, "2008-05-05", "2009-07-07")
    assert "revoked, but still has effect since 2008-05-05" in message(notice)
