"""Tests of curated facts in TOML and CSV, from the file to the answer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from graph.civil import When, parse_day
from graph.entities import Event, Record
from graph.quarantine import Quarantine, Refusal
from graph.store import WritableStore, in_memory
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome
from loaders.pipeline import load, retry
from loaders.sources.facts import COLUMNS, read_facts
from queries.english import message
from queries.in_force import in_force

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
OTHER = "urn:lex:br:federal:lei:2006-05-08;99908"

TOML = f"""
curator = "Arquivo Fictício"
source = "Diário fictício de 2006-05-09, p. 1"

[[facts]]
norm = "{LAW}"
event = "publicacao"
effect = 2001-03-06
known = 2001-03-06

[[facts]]
norm = "{LAW}"
event = "suspensao"
effect = 2004-02-01
known = "2004-01-20"
note = "medida cautelar fictícia"

[[facts]]
norm = "{LAW}"
event = "revogacao"
effect = 2006-07-01
known = 2006-05-09
cause = "{OTHER}"
"""


def read(text: str | bytes, name: str = "facts.toml") -> list[Outcome]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_facts(SourceDocument(name, lambda: io.BytesIO(data))))


def fact(**fields: object) -> str:
    lines = "\n".join(
        f"{key} = {value!r}" if isinstance(value, str) else f"{key} = {value}" for key, value in fields.items()
    )
    return f"[[facts]]\n{lines}\n"


def refused(text: str | bytes, name: str = "facts.toml") -> list[tuple[str, str, str]]:
    return [(o.position, str(o.code), o.problem) for o in read(text, name) if isinstance(o, Refusal)]


@pytest.fixture
def loaded(tmp_path: Path) -> WritableStore:
    path = tmp_path / "facts.toml"
    path.write_text(TOML, "utf-8")
    store = in_memory()
    summary = load([path], store, Quarantine(tmp_path / "quarantine"))
    assert (summary.loaded, summary.refused.total()) == (3, 0)
    again = load([path], store, Quarantine(tmp_path / "quarantine"))
    assert (again.loaded, again.unchanged) == (0, 3)
    return store


@pytest.mark.parametrize(
    ("on", "known", "axis", "status"),
    [
        ("2001-03-06", "2001-03-05", "force", "not-published"),
        ("2001-03-05", "2001-03-06", "force", "not-published"),
        ("2001-03-06", "2001-03-06", "force", "in-force"),
        ("2004-01-31", "2004-01-20", "efficacy", "in-force"),
        ("2004-02-01", "2004-01-20", "efficacy", "suspended"),
        ("2004-02-01", "2004-01-19", "efficacy", "in-force"),
        ("2004-02-01", "2004-01-20", "force", "in-force"),
        ("2006-06-30", "2006-05-09", "force", "in-force"),
        ("2006-07-01", "2006-05-08", "force", "in-force"),
        ("2006-07-01", "2006-05-09", "force", "revoked"),
    ],
)
def test_facts_apply_on_both_sides_of_each_day(
    on: str, known: str, axis: str, status: str, loaded: WritableStore
) -> None:
    assert in_force(loaded, LAW, on, known, axis).status.value == status


def test_answer_names_the_curator(loaded: WritableStore) -> None:
    answer = in_force(loaded, LAW, "2006-07-01", "2006-07-01")
    (reason,) = answer.because
    assert (reason.event, reason.effect, reason.known, reason.cause) == ("revogacao", "2006-07-01", "2006-05-09", OTHER)
    messages = [message(notice) for notice in answer.notices if notice.code == "curated-fact"]
    assert messages == ["a curated fact, stated by Arquivo Fictício (source: Diário fictício de 2006-05-09, p. 1)"]


def test_csv_facts_equal_toml_facts() -> None:
    table = (
        "norm,event,effect,known,cause,note,source,curator\n"
        f"{LAW},revogacao,2006-07-01,2006-05-09,{OTHER},,,Arquivo Fictício\n"
    )
    toml = fact(
        norm=LAW, event="revogacao", effect="2006-07-01", known="2006-05-09", cause=OTHER, curator="Arquivo Fictício"
    )
    (csv_record,), (toml_record,) = read(table, "facts.csv"), read(toml)
    assert isinstance(csv_record, Record)
    assert isinstance(toml_record, Record)
    assert (csv_record.source.iri, csv_record.source.payload_hash, csv_record.events) == (
        toml_record.source.iri,
        toml_record.source.payload_hash,
        toml_record.events,
    )


def test_year_and_unknown_dates_stay_bounds() -> None:
    outcomes = read(fact(norm=LAW, event="revogacao", effect=1998, curator="A"))
    (record,) = (o for o in outcomes if isinstance(o, Record))
    (event,) = record.events
    assert isinstance(event, Event)
    assert (event.effect, event.known, event.cause) == (When.in_year(1998), None, None)
    bounds = read(fact(norm=LAW, event="revogacao", effect="1998-02-01/1998-03-31", curator="A"))
    (within,) = (o.events[0] for o in bounds if isinstance(o, Record))
    assert within.effect == When(parse_day("1998-02-01"), parse_day("1998-03-31"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (fact(norm=LAW, event="revogacao"), "the fact has no curator"),
        (fact(norm=LAW, curator="A"), "the fact has no event"),
        (fact(norm=LAW, event="revogation", curator="A"), "there is no event 'revogation'"),
        (fact(norm=LAW, event="revogacao", curator="A", day="2001-01-01"), "the fact has a key 'day'"),
        (fact(norm=LAW, event="revogacao", curator=7), "curator is '7'"),
        (fact(norm=LAW, event="revogacao", curator="A", effect="2001-02-30"), "effect is "),
        (
            fact(norm=LAW, event="publicacao", curator="A", effect=2001, known="2001-03-06"),
            "the event publicacao makes",
        ),
        (fact(norm=LAW, event="alteracao", curator="A", known="2001-03-06"), "the event alteracao makes a version"),
        (fact(norm=f"{LAW}@2001-03-06", event="revogacao", curator="A"), f"{LAW}@2001-03-06 is a version"),
        (fact(norm=f"{LAW}@2001-03-06", event="publicacao", known="2001-03-06", curator="A"), f"{LAW}@2001-03-06 is a"),
    ],
)
def test_only_the_invalid_fact_is_refused(text: str, problem: str) -> None:
    good = fact(norm=LAW, event="revogacao", curator="A")
    outcomes = read(text + good)
    assert [type(o) for o in outcomes] == [Refusal, Record]
    refusal = outcomes[0]
    assert isinstance(refusal, Refusal)
    assert (refusal.position, refusal.code) == ("fact 1", RefusalCode.BAD_FACT)
    assert refusal.problem.startswith(problem)
    (again,) = read_facts(SourceDocument("kept", lambda: io.BytesIO(refusal.payload)), form="csv")
    assert isinstance(again, Refusal)
    assert again.problem == refusal.problem or problem == "curator is '7'"


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("[[facts]\n", "a.toml", "bad-fact"),
        ("x = 1\n", "a.toml", "bad-fact"),
        ("facts = 3\n", "a.toml", "bad-fact"),
        (b"\xff", "a.toml", "bad-encoding"),
        ("[" * 100_000, "a.toml", "bad-fact"),
        ("norm,event\nx,y\n", "a.csv", "unknown-kind"),
        ("", "a.csv", "unknown-kind"),
    ],
)
def test_invalid_file_is_refused_as_a_whole(text: str | bytes, name: str, code: str) -> None:
    assert [(position, kind) for position, kind, _ in refused(text, name)] == [("whole file", code)]


def test_bad_names_and_rows_are_refused_with_their_position() -> None:
    table = f"norm,event,curator\nurn:lex:br,revogacao,A\n{LAW},revogacao\n{LAW},revogacao,A\n"
    assert [(position, code) for position, code, _ in refused(table, "a.csv")] == [
        ("line 2", "bad-name"),
        ("line 3", "bad-row"),
    ]


def test_refused_fact_can_be_retried(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text(f"{','.join(COLUMNS)}\n{LAW},revogation,,,,,,A\n", "utf-8")
    quarantine = Quarantine(tmp_path / "quarantine")
    store = in_memory()
    assert load([path], store, quarantine).refused.total() == 1
    summary = retry(quarantine, store)
    assert (summary.read, summary.refused.total(), len(list(quarantine.list()))) == (1, 1, 1)


def test_provision_is_revoked_alone() -> None:
    store = in_memory()
    store.apply([o for o in read(TOML) if isinstance(o, Record)])
    text = fact(norm=f"{LAW}!art3", event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A") + fact(
        norm=f"{LAW}!art3", event="revogacao", effect="2003-01-01", known="2002-12-20", curator="A"
    )
    store.apply([o for o in read(text) if isinstance(o, Record)])
    assert in_force(store, f"{LAW}!art3", "2002-12-31", "2002-12-20").status.value == "in-force"
    assert in_force(store, f"{LAW}!art3", "2003-01-01", "2002-12-20").status.value == "revoked"
    assert in_force(store, f"{LAW}!art3", "2003-01-01", "2002-12-19").status.value == "in-force"
    assert in_force(store, LAW, "2003-01-01", "2003-01-01").status.value == "in-force"


def test_fact_with_an_id_is_corrected_and_withdrawn() -> None:
    store = in_memory()
    published = fact(norm=LAW, event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")
    store.apply([o for o in read(published) if isinstance(o, Record)])
    for effect, on in (("2003-01-01", "2003-01-01"), ("2005-01-01", "2005-01-01")):
        facts = fact(norm=LAW, event="revogacao", effect=effect, known=effect, curator="A", id="fim")
        store.apply([o for o in read(facts) if isinstance(o, Record)])
        assert in_force(store, LAW, on, "2006-01-01").status.value == "revoked"
    assert in_force(store, LAW, "2004-12-31", "2006-01-01").status.value == "in-force"
    gone = fact(norm=LAW, event="revogacao", curator="A", id="fim") + "withdrawn = true\n"
    (record,) = (o for o in read(gone) if isinstance(o, Record))
    assert record.deleted
    assert store.apply([record]).deleted == 1
    assert in_force(store, LAW, "2005-01-01", "2006-01-01").status.value == "in-force"
    bad = refused(fact(norm=LAW, event="revogacao", curator="A") + "withdrawn = false\n")
    assert [problem for _, _, problem in bad] == ["withdrawn is 'False'"]


def test_prolonged_term_supersedes_the_earlier_one() -> None:
    """Check a temporary norm whose term is moved before it ends (docs/explanation/time.md)."""
    store = in_memory()
    facts = fact(norm=LAW, event="publicacao", effect="2001-03-06", known="2001-03-06", curator="A")
    facts += fact(norm=LAW, event="caducidade", effect="2001-08-01", known="2001-03-06", curator="A")
    facts += fact(norm=LAW, event="caducidade", effect="2001-10-01", known="2001-07-20", curator="A")
    store.apply([o for o in read(facts) if isinstance(o, Record)])
    assert in_force(store, LAW, "2001-08-01", "2001-07-19").status.value == "expired"
    assert in_force(store, LAW, "2001-08-01", "2001-07-20").status.value == "in-force"
    assert in_force(store, LAW, "2001-09-30", "2001-07-20").status.value == "in-force"
    assert in_force(store, LAW, "2001-10-01", "2001-07-20").status.value == "expired"
