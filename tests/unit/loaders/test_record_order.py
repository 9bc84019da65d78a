"""Tests of records: their order, the rules of LexML part 4, and what an act states about itself."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

import pytest

from graph.entities import Coverage, Document, HarvestRun, Provision, Record, Role, Source, Wording, record_of
from graph.errors import BadParameter
from graph.record_rules import read_profiles
from graph.store import BatchResult, Store, in_memory
from graph.terms import moment
from graph.urn import parse
from loaders.commencement import read_commencement
from loaders.documents import SourceDocument
from loaders.outcomes import Note
from loaders.participants import of_formula, with_participants
from loaders.sources.oai_lexml import LOADER, read_oai_lexml
from ontology.events import EVENTS
from ontology.iris import provider_iri, vocab_iri
from ontology.namespaces import CRM, FRBROO, PROV, RDFS, VIG
from queries.catalogue import named
from queries.in_force import in_force
from service.cli import main
from tests.support.cases import SHARED, Row, cases, rows, tuples, values
from tests.support.oai_pages import oai_page, oai_record, page_file
from tests.support.record_triples import Triples
from tests.support.records import deletion, quads, record, store_of

# The order of records


PROVIDER = "https://provedor.example/oai"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
SECOND = f"{LAW}@2002-01-01;alteracao;2001-12-01"
RUN = HarvestRun(PROVIDER, datetime(2009, 1, 1, 12, tzinfo=UTC), "vigente/0", "federal", "2008-12-01")


def harvested(record: Record) -> Record:
    return replace(record, source=replace(record.source, run=RUN.iri))


def horizon(store: Store) -> date | None:
    rows = named("horizon_of_provider").rows(store, {"provedor": provider_iri(PROVIDER)})
    return next((day for row in rows if isinstance(day := row["horizonte"], date)), None)


# Older records

STAMPS = tuples("record_order", "stamps")


@pytest.mark.parametrize(("here", "comes", "older"), STAMPS)
def test_older_record_or_deletion_from_a_file_is_ignored(here: str | None, comes: str | None, older: bool) -> None:
    held, other = record(FIRST, key="a", datestamp=here), record(SECOND, key="a", datestamp=comes)
    for batches in ([[held, other]], [[held], [other]]):
        store = in_memory()
        counts = [store.apply(batch) for batch in batches]
        assert sum(counts, BatchResult()) == (BatchResult(loaded=1, older=1) if older else BatchResult(loaded=2))
        assert quads(store) == quads(store_of(held if older else other))
    store, gone = store_of(held), deletion("a", datestamp=comes)
    assert store.apply([gone]) == (BatchResult(older=1) if older else BatchResult(deleted=1))
    assert store.apply([gone]) == (BatchResult(older=1) if older else BatchResult(unchanged=1))


def test_older_record_does_not_undo_a_later_deletion() -> None:
    store = store_of(deletion("a"))
    assert store.apply([record(FIRST, key="a")]) == BatchResult(older=1)
    assert store.apply([record(FIRST, key="a", datestamp="2008-12-17")]) == BatchResult(loaded=1)


def test_harvested_record_is_applied_whatever_its_datestamp() -> None:
    store = store_of(record(FIRST, key="a"))
    assert store.apply([harvested(record(SECOND, key="a", datestamp="2001-01-01"))]) == BatchResult(loaded=1)
    assert horizon(store) == date(2001, 1, 1)
    gone = harvested(deletion("a", datestamp="2000-01-01"))
    assert store.apply([gone]) == BatchResult(older=1)  # the same harvest already loaded a newer record
    later = replace(gone, source=replace(gone.source, run="https://w3id.org/vigente/id/colheita/1"))
    assert store.apply([later]) == BatchResult(deleted=1)


def test_unchanged_second_harvest_writes_nothing() -> None:
    law_record = harvested(record(FIRST, key="a"))
    store = store_of(law_record)
    store.changed = False
    later = replace(
        law_record.source, run="https://w3id.org/vigente/id/colheita/1", fetched=datetime(2009, 2, 1, tzinfo=UTC)
    )
    assert store.apply([replace(law_record, source=later), record(FIRST, key="a")]) == BatchResult(unchanged=2)
    assert not store.changed


def test_unlisted_record_is_restored_from_a_file_only_if_newer() -> None:
    gone = deletion("a", datestamp=None)
    gone = replace(gone, source=replace(gone.source, missing_since=date(2009, 1, 1)))
    store = store_of(record(FIRST, key="a"), gone)
    assert store.apply([record(FIRST, key="a")]) == BatchResult(older=1)
    assert store.apply([record(FIRST, key="a", datestamp="2008-12-16")]) == BatchResult(loaded=1)
    store.apply([gone])
    assert store.apply([harvested(record(FIRST, key="a"))]) == BatchResult(loaded=1)


def test_datestamps_of_two_providers_are_not_compared() -> None:
    """Check one OAI identifier from a provider and from an aggregator: the record read last is kept."""
    law_record = record(FIRST, key="a")
    other = replace(
        law_record.source, provider="https://agregador.example/oai", datestamp="2001-01-01", payload_hash="0" * 64
    )
    assert store_of(law_record).apply([replace(law_record, source=other)]) == BatchResult(loaded=1)


# Datestamps in the future


def read(
    datestamp: str, day: date | None = None, fetched: datetime | None = None, run: str | None = None
) -> tuple[Record, list[tuple[str, str]]]:
    item = '<Item formato="text/html">https://a.example/1</Item>'
    raw = oai_page(oai_record("oai:x:1", FIRST, item, day=datestamp), request=PROVIDER)
    outcomes = list(read_oai_lexml(SourceDocument("p.xml", partial(io.BytesIO, raw), day), fetched=fetched, run=run))
    (record,) = (outcome for outcome in outcomes if isinstance(outcome, Record))
    return record, [(str(note.code), note.message) for note in outcomes if isinstance(note, Note)]


@pytest.mark.parametrize(
    ("datestamp", "doubtful"),
    values("record_order", "datestamp_more_than_a_day_after_the_stated_day_of_fetch_is_doubtful"),
)
def test_datestamp_more_than_a_day_after_the_stated_day_of_fetch_is_doubtful(datestamp: str, doubtful: bool) -> None:
    record, notes = read(datestamp, date(2009, 1, 1))
    assert record.source.doubtful_stamp is doubtful
    message = f"the datestamp '{datestamp}' is after the day of fetch: fetched on 2009-01-01"
    assert (("future-datestamp", message) in notes) is doubtful
    assert not read(datestamp)[0].source.doubtful_stamp
    fetched, _ = read(datestamp, fetched=datetime(2009, 1, 1, 23, 59, tzinfo=UTC))
    assert fetched.source.doubtful_stamp is doubtful


def test_doubtful_datestamp_changes_no_horizon_and_no_dates() -> None:
    ahead = record(SECOND, key="b", datestamp="2999-01-01")
    ahead = replace(ahead, source=replace(ahead.source, doubtful_stamp=True))
    store = store_of(record(FIRST, key="a"), ahead)
    assert horizon(store) == date(2008, 12, 15)
    before = quads(store)
    store.rebuild()
    assert quads(store) == before
    assert "outside-knowledge-horizon" in {n.code for n in in_force(store, LAW, "2003-01-01", "2010-01-01").notices}
    gone = deletion("b", datestamp="2999-01-01")
    store.apply([replace(gone, source=replace(gone.source, doubtful_stamp=True))])
    assert not list(store.select(f"SELECT ?d {{ ?r <{VIG['retiradoEm']}> ?d }}"))
    assert store.apply([record(FIRST, key="b", datestamp="2001-01-01")]) == BatchResult(loaded=1)
    assert horizon(store) == date(2008, 12, 15)


# Harvests


def test_harvested_records_name_their_harvest() -> None:
    fetched = datetime(2009, 1, 1, 12, 0, 7, tzinfo=UTC)
    record, notes = read("2008-12-15", run=RUN.iri, fetched=fetched)
    assert (record.source.run, record.source.fetched, record.source.loader, notes) == (RUN.iri, fetched, LOADER, [])
    store = store_of(record, record_of(RUN))
    rows = list(named("sources_of_statement").rows(store, {"sujeito": FIRST}))
    assert {(row["registro"], row["colheita"], row["obtido"]) for row in rows} == {
        ("oai:x:1", RUN.iri, "2009-01-01T12:00:07Z")
    }


def test_harvest_run_is_described_again_when_finished() -> None:
    store = store_of(record_of(RUN))
    over = replace(RUN, ended=datetime(2009, 1, 1, 12, 1, tzinfo=UTC), loaded=5, refused=1)
    assert over.iri == RUN.iri
    assert store.apply([record_of(over)]) == BatchResult(loaded=1)
    assert store.apply([record_of(over)]) == BatchResult(unchanged=1)
    (row,) = named("harvest_runs").rows(store)
    assert (row["colheita"], row["conjunto"], row["desde"], row["ate"]) == (RUN.iri, "federal", "2008-12-01", None)
    assert (row["inicio"], row["fim"]) == ("2009-01-01T12:00:00Z", "2009-01-01T12:01:00Z")
    assert [row[key] for key in ("carregados", "inalterados", "retirados", "recusados")] == [5, 0, 0, 1]
    about = list(store.select(f"SELECT ?r ?p {{ ?r <{CRM['P129_is_about']}> ?run . ?run a <{PROV['Activity']}> . "
                              f"?run <{PROV['wasAssociatedWith']}> ?p }}"))  # fmt: skip
    assert about == [{"r": record_of(RUN).source.iri, "p": provider_iri(PROVIDER)}]
    assert horizon(store) is None
    store.changed = False
    store.rebuild()
    assert not store.changed


def test_naive_datetime_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^expected a datetime with a zone, got 2009-01-01T00:00:00$"):
        moment(datetime(2009, 1, 1))  # noqa: DTZ001 - tests a time without a zone


# The command line


def test_load_reports_older_records_and_answers_about_a_withdrawn_norm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    law, gone = oai_record("oai:x:1", FIRST, day="2008-12-15"), oai_record("oai:x:1", day="2008-12-16", status="gone")
    Path("1.xml").write_bytes(oai_page(law, request=PROVIDER))
    Path("2.xml").write_bytes(oai_page(gone, request=PROVIDER))
    assert main(["--store", "s", "load", "1.xml", "2.xml"]) == 0
    capsys.readouterr()
    assert main(["--store", "s", "load", "1.xml", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith(
        "1 files, 1 records: 0 loaded, 0 unchanged, 0 deleted, 1 older than the stored ones, 0 refused ("
    )
    data = json.loads(out)
    assert (data["read"], data["older"], data["loaded"]) == (1, 1, 0)
    withdrawn = f"the record oai:x:1 of {PROVIDER} was withdrawn by its provider on 2008-12-16 (record-withdrawn)"
    for command in (["in-force", LAW], ["text", LAW], ["timeline", LAW], ["resolve", LAW]):
        assert main(["--store", "s", *command]) == 0, command
        assert withdrawn in capsys.readouterr().out


# The rules of LexML part 4 for records of providers


def test_rules_are_notes_of_a_load_and_results_of_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles, page, store = tmp_path / "perfis.toml", tmp_path / "page.xml", str(tmp_path / "store")
    (table,) = rows("record_rules", "records")
    profiles.write_text(table["profiles"], "utf-8")
    names = [(f"urn:lex:{of}:2026-01-02;99901", items) for of, items, _ in table["rows"]]
    page_file(page, *(oai_record(f"oai:example.org:x/{n}", name, items) for n, (name, items) in enumerate(names)))
    assert main(["--store", store, "load", str(page), "--profiles", str(profiles), "--json"]) == 0
    noted = json.loads(capsys.readouterr().out)["notes"]
    assert main(["--store", store, "check", "--profiles", str(profiles), "--json", "--workers", "1"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    counted = {check["code"]: check["results"] for check in checks}
    for number, (of, items, codes) in enumerate(table["rows"]):
        identifier = f"oai:example.org:x/{number}"
        own = [note["code"] for note in noted if note["identifier"] == identifier and note["code"] in RULES]
        assert own == codes, (of, items)
    assert {code: counted[code] for code in RULES} == {
        code: sum(codes.count(code) for *_, codes in table["rows"]) for code in RULES
    }
    assert main(["--store", store, "check", "--json", "--workers", "1"]) == 0
    without = {check["code"]: check["results"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert without == {**counted, "outside-profile": 0}


RULES = ("item-missing", "format-unknown", "authority-unknown", "outside-profile")


@pytest.mark.parametrize(("text", "problem"), values("record_rules", "invalid_profiles_are_refused"))
def test_invalid_profiles_are_refused(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(BadParameter) as refused:
        read_profiles(tmp_path / "a.toml")
    assert problem in str(refused.value)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside the checkout")
def test_real_records_get_only_true_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--store", str(tmp_path / "store"), "load", str(SHARED / "oai"), "--json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(note["code"], note["message"].split("'")[1]) for note in notes if note["code"] in RULES] == [
        ("authority-unknown", "erro;turma.1"),
        ("format-unknown", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ]


# What an act states about itself


@pytest.mark.parametrize(("text", "expected"), values("acts", "commencement"))
def test_commencement_clause_gives_its_day(text: str, expected: str) -> None:
    found = read_commencement({"art9_cpt": text}, date(2015, 7, 7))
    assert [f"{one.day} {one.term or ''}".strip() for one in found] == ([expected] if expected else [])
    assert all(one.parts is None for one in found)


@cases("acts", "parts")
def test_clause_with_parts_gives_several_days(row: Row) -> None:
    head, *parts = row["clauses"]
    clauses = {"art9_cpt": head, **{f"art9_cpt_inc{n}": part for n, part in enumerate(parts, 1)}}
    found = read_commencement(clauses, row["published"])
    assert [" ".join((str(one.day), one.fragment, *(one.parts or ()))) for one in found] == row["expected"]


@pytest.mark.parametrize(("formula", "expected"), values("acts", "formula"))
def test_formula_states_who_took_part(formula: str, expected: str) -> None:
    assert ", ".join(f"{one.role} {one.authority}" for one in of_formula(formula)) == expected


def norm_of(name: str, *lines: Sequence[str]) -> Record:
    provisions = tuple(
        Provision(fragment, None, order, (Wording(None, text=text),)) for order, (fragment, text) in enumerate(lines, 1)
    )
    source = Source("urn:x:1", "lexml_xml", "0" * 64, "lexml_xml/1")
    return Record(source, Document(parse(name)), provisions=provisions, coverage=Coverage.WHOLE)


@pytest.mark.parametrize(("name", "lines", "expected"), values("acts", "participants"))
def test_only_what_a_norm_states_is_read(name: str, lines: list[list[str]], expected: list[str]) -> None:
    found = with_participants(norm_of(name, *lines)).participations
    assert [f"{one.role} {one.authority} {one.name}" for one in found] == expected


def test_each_role_is_an_activity_of_an_actor() -> None:
    name = "urn:lex:br:federal:lei:2001-03-05;99901@2001-06-01;assinatura;2001-03-05"
    formula = values("acts", "formula")[0][0]
    triples = Triples(with_participants(norm_of(name, ("preambulo", formula), ("assinatura", "FULANO DE TAL"))))
    acts = {(p, o): s for s, p, o in triples.all if p == CRM["P14_carried_out_by"]}
    kinds = {triples.of(node, CRM["P2_has_type"])[0].rpartition("/")[2]: o for (_, o), node in acts.items()}
    assert set(kinds) == {"votacao", "sancao", "assinatura"} <= set(EVENTS)
    assert kinds["votacao"] == vocab_iri("autoridade", "congresso.nacional")
    assert kinds["sancao"] == vocab_iri("autoridade", "presidencia.republica")
    assert triples.of(kinds["assinatura"], RDFS["label"]) == ["FULANO DE TAL"]
    assert set(triples.all_of(CRM["E39_Actor"])) == set(kinds.values())
    (signature,) = [node for (_, actor), node in acts.items() if actor == kinds["assinatura"]]
    assert triples.of(signature, FRBROO["R19_created_a_realisation_of"]) == [name]
    assert {role.value for role in Role} <= set(EVENTS)
