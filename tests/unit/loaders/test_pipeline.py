"""Tests of loading paths into the store: counts, batches, interruption, and retries from the quarantine."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loaders.pipeline
import loaders.sources.registry
from graph.mapping import MappedRecord
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from graph.urn import parse
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import BadInput
from loaders.pipeline import MAX_REPORTED, LoadInterrupted, Summary, load, retry
from loaders.sources.names import NAMES
from loaders.sources.registry import FORMATS
from ontology.namespaces import VIG

DATA = Path(__file__).parents[2] / "data" / "oai_lexml"
SHARED = Path(__file__).resolve().parents[4] / "shared"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the specifications' sample data is not beside this checkout"
)
NS = "http://www.lexml.gov.br/oai_lexml"
GOOD = "urn:lex:br:federal:lei:2001-02-03;99901"
BAD = "lei"


@dataclass
class Counts:
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0


@dataclass
class Store:
    """A store that counts a record with the stored hash as unchanged, as the real store does."""

    held: dict[str, str] = field(default_factory=dict)
    batches: list[list[MappedRecord]] = field(default_factory=list)
    fail_at: int = -1

    def put(self, records: Sequence[MappedRecord], /) -> Counts:
        if len(self.batches) == self.fail_at:
            raise KeyboardInterrupt
        counts = Counts()
        for record in records:
            if self.held.get(record.source.iri) == record.source.payload_hash:
                counts.unchanged += 1
            elif record.deleted:
                counts.deleted += 1
            else:
                counts.loaded += 1
            self.held[record.source.iri] = record.source.payload_hash
        self.batches.append(list(records))
        return counts


@pytest.fixture
def quarantine(tmp_path: Path) -> Quarantine:
    return Quarantine(tmp_path / "quarantine")


def record(identifier: str, name: str = GOOD, *, deleted: bool = False, datestamp: str = "2026-01-01") -> str:
    header = f"<identifier>{identifier}</identifier><datestamp>{datestamp}</datestamp>"
    if deleted:
        return f'<record><header status="deleted">{header}</header></record>'
    lexml = f'<LexML xmlns="{NS}"><DocumentoIndividual>{name}</DocumentoIndividual></LexML>'
    return f"<record><header>{header}</header><metadata>{lexml}</metadata></record>"


def page(path: Path, *records: str) -> Path:
    inside = "".join(records)
    path.write_text(
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request>https://oai.exemplo.gov.br/p</request>'
        f"<ListRecords>{inside}</ListRecords></OAI-PMH>"
    )
    return path


def adds_up(summary: Summary) -> bool:
    return (
        summary.read == summary.loaded + summary.unchanged + summary.deleted + summary.older + summary.refused.total()
    )


def test_mixed_folder_counts_add_up_and_a_second_load_changes_nothing(quarantine: Quarantine) -> None:
    store = Store()
    summary = load([DATA], store, quarantine, batch_size=2)
    # applied: 3 namespaces, 2 bare, 1 of 12, 4 with notes (2 of them deletions), 1 in Latin-1
    assert (summary.files, summary.read, summary.loaded, summary.unchanged, summary.deleted) == (10, 22, 9, 0, 2)
    assert summary.refused == {
        "no-document": 2,
        "several-documents": 1,
        "bad-name": 1,
        "reference-name": 1,
        "wrong-namespace": 1,
        "not-oai-lexml": 1,
        "no-metadata": 2,
        "no-identifier": 1,
        "bad-identifier": 1,
    }
    assert adds_up(summary)
    assert summary.note_counts["no-records"] == 3
    assert quarantine.count() == 11
    again = load([DATA], store, quarantine, batch_size=7)
    assert (again.read, again.loaded, again.unchanged, again.deleted) == (22, 0, 11, 0)
    assert quarantine.count() == 11


def test_batches_have_the_given_size_and_progress_is_reported(tmp_path: Path, quarantine: Quarantine) -> None:
    store, reported = Store(), list[int]()
    path = page(tmp_path / "p.xml", *(record(f"oai:a:{n}") for n in range(5)))
    load([path], store, quarantine, batch_size=2, on_progress=lambda summary: reported.append(summary.read))
    assert [len(batch) for batch in store.batches] == [2, 2, 1]
    assert reported == [2, 4, 5, 5]


def test_loaded_record_is_removed_from_the_quarantine_in_order(tmp_path: Path) -> None:
    """Check that a refused record that follows a loaded one of the same identifier stays in quarantine."""
    quarantine, kept = Quarantine(tmp_path / "quarantine"), list[int]()

    class Watched(Store):
        """A store that records the size of the quarantine at each call of put()."""

        def put(self, records: Sequence[MappedRecord], /) -> Counts:
            kept.append(quarantine.count())
            return super().put(records)

    refused = page(tmp_path / "refused.xml", record("oai:a:1", BAD), record("oai:a:2", BAD))
    load([refused], Watched(), quarantine)
    good = page(tmp_path / "good.xml", *(record(f"oai:a:{n}") for n in range(5)), record("oai:a:3", BAD))
    kept.clear()
    load([good], Watched(), quarantine, batch_size=1)
    assert kept == [2, 2, 1, 0, 0], "each is let go of when its own is in the store"
    assert [entry.identifier for entry in quarantine.list()] == ["oai:a:3"]


@given(st.lists(st.sampled_from("gbdu"), max_size=20), st.integers(1, 6))
def test_read_count_equals_the_sum_of_outcomes(kinds: list[str], batch_size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Callable[[int], str]] = {
            "g": lambda n: record(f"oai:a:{n}"),
            "b": lambda n: record(f"oai:a:{n}", BAD),
            "d": lambda n: record(f"oai:a:{n}", deleted=True),
            "u": lambda _: record("oai:a:same"),
        }
        path = page(Path(folder) / "p.xml", *(made[kind](n) for n, kind in enumerate(kinds)))
        summary = load([path], Store(), Quarantine(Path(folder) / "q"), batch_size=batch_size)
    same = kinds.count("u")
    assert summary.read == len(kinds)
    assert summary.loaded == kinds.count("g") + min(same, 1)
    assert summary.unchanged == max(same - 1, 0)
    assert (summary.deleted, summary.refused.total()) == (kinds.count("d"), kinds.count("b"))


def test_duplicate_identifiers_are_stored_in_order(tmp_path: Path, quarantine: Quarantine) -> None:
    store = Store()
    load([page(tmp_path / "p.xml", record("oai:a:1"), record("oai:a:1", deleted=True))], store, quarantine)
    assert [mapped_record.deleted for mapped_record in store.batches[0]] == [False, True]


def test_interrupt_keeps_and_reports_the_finished_batches(tmp_path: Path, quarantine: Quarantine) -> None:
    store = Store(fail_at=2)
    path = page(tmp_path / "p.xml", record("oai:a:x", BAD), *(record(f"oai:a:{n}") for n in range(9)))
    with pytest.raises(LoadInterrupted) as raised:
        load([path], store, quarantine, batch_size=3)
    summary = raised.value.summary
    assert (summary.read, summary.loaded, summary.refused.total(), len(store.held)) == (7, 6, 1, 6)
    assert adds_up(summary)
    assert str(raised.value) == "interrupted after 7 records"
    assert isinstance(raised.value, KeyboardInterrupt)


def test_deviations_of_loaded_names_are_counted(tmp_path: Path, quarantine: Quarantine) -> None:
    (tmp_path / "l.txt").write_text(f"{GOOD}\n{GOOD.upper()}\n {GOOD}\n")
    summary = load([tmp_path / "l.txt"], Store(), quarantine)
    assert (summary.loaded, summary.unchanged) == (1, 2)
    assert summary.deviations == {"upper-case": 1, "white-space": 1}


def test_notes_and_refusals_are_limited_and_the_cut_is_reported(tmp_path: Path, quarantine: Quarantine) -> None:
    bad = "".join(record(f"oai:a:{n}", BAD, datestamp="never") for n in range(MAX_REPORTED + 5))
    summary = load([page(tmp_path / "p.xml", bad)], Store(), quarantine)
    assert (len(summary.notes), summary.notes_omitted) == (MAX_REPORTED, 5)
    assert (len(summary.refusals), summary.refusals_omitted) == (MAX_REPORTED, 5)
    assert all(refusal.payload == b"" for refusal in summary.refusals)


def test_loaded_record_is_removed_from_the_quarantine(tmp_path: Path, quarantine: Quarantine) -> None:
    load([page(tmp_path / "1.xml", record("oai:a:1", BAD), record("oai:a:2", BAD))], Store(), quarantine)
    load([page(tmp_path / "2.xml", record("oai:a:1"))], Store(), Quarantine(quarantine.folder))
    assert [kept.identifier for kept in quarantine.list()] == ["oai:a:2"]


@pytest.mark.parametrize("batch_size", [1, 10])
def test_last_outcome_of_an_identifier_decides_the_quarantine(
    tmp_path: Path, quarantine: Quarantine, batch_size: int
) -> None:
    path = page(
        tmp_path / "p.xml", record("oai:a:1"), record("oai:a:1", BAD), record("oai:a:2", BAD), record("oai:a:2")
    )
    load([path], Store(), quarantine, batch_size=batch_size)
    assert [kept.identifier for kept in quarantine.list()] == ["oai:a:1"]


def test_truncated_page_in_an_archive_loads_its_complete_records(tmp_path: Path, quarantine: Quarantine) -> None:
    data = page(tmp_path / "p", *(record(f"oai:a:{n}") for n in range(400))).read_bytes()
    (tmp_path / "p.xml.gz").write_bytes(gzip.compress(data)[:-200])
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("q.xml", data[:-500])
    store = Store()
    cut = load([tmp_path / "p.xml.gz"], store, quarantine)
    assert cut.refused == {RefusalCode.TRUNCATED_FILE: 1}
    assert 0 < cut.loaded < 400
    zipped = load([tmp_path / "z.zip"], store, quarantine)
    assert zipped.refused == {RefusalCode.ILL_FORMED_XML: 1}
    assert [(kept.origin, kept.truncated) for kept in quarantine.list()] == [("p.xml.gz", True), ("z.zip!q.xml", False)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"as_kind": "csv"}, f"expected a kind of source, one of {', '.join(FORMATS)}, got 'csv'"),
        ({"batch_size": 0}, "expected at least 1 record in a batch, got 0"),
    ],
)
def test_invalid_options_are_refused(quarantine: Quarantine, options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput) as raised:
        load([DATA], Store(), quarantine, **options)  # type: ignore[arg-type]  # wrong on purpose
    assert str(raised.value) == message


def test_table_without_a_name_column_is_refused_alone(tmp_path: Path, quarantine: Quarantine) -> None:
    (tmp_path / "a.txt").write_text(GOOD)
    (tmp_path / "b.csv").write_text("x,y\n1,2\n")
    (tmp_path / "c.txt").write_text("urn:lex:br:federal:lei:2020-01-02;99930\n")
    summary = load([tmp_path], Store(), quarantine)
    assert (summary.loaded, summary.refused) == (2, {"unknown-kind": 1})
    assert "b.csv: expected one column 'urn'" in summary.refusals[0].problem
    with pytest.raises(BadInput, match=r"b\.csv: expected one column 'nome'"):
        load([tmp_path / "b.csv"], Store(), quarantine, column="nome")


def test_format_can_be_forced(tmp_path: Path, quarantine: Quarantine) -> None:
    (tmp_path / "b").write_text(f"{BAD}\n{GOOD}")
    assert load([tmp_path / "b"], Store(), quarantine).refused == {"unknown-kind": 1}
    assert load([tmp_path / "b"], Store(), quarantine, as_kind="names").loaded == 1


def test_retry_loads_readable_items_and_keeps_the_rest(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    (tmp_path / "l.csv").write_text(f"n,urn\n1,{BAD}\n2,{GOOD}x y\n")
    load([page(tmp_path / "p.xml", record("oai:a:1", BAD)), tmp_path / "l.csv"], store, quarantine)
    same = retry(quarantine, store)
    assert (same.read, same.refused.total(), quarantine.count(), store.batches) == (3, 3, 3, [])
    # stands for a later version of the parser, which accepts this name
    monkeypatch.setattr("loaders.identity.parse", lambda text: parse(GOOD) if text == BAD else parse(text))
    later = retry(Quarantine(quarantine.folder), store)
    assert (later.read, later.loaded, later.refused.total()) == (3, 2, 1)
    assert [(kept.origin, kept.position) for kept in quarantine.list()] == [("l.csv", "line 3")]
    assert {mapped_record.source.origin for batch in store.batches for mapped_record in batch} == {"p.xml", "l.csv"}


def test_retry_applies_the_latest_record_of_an_identifier_last(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, stamp in enumerate(["2026-01-03", "2026-01-01", "2026-01-02"]):
        load([page(tmp_path / f"{number}.xml", record("oai:a:1", BAD, datestamp=stamp))], Store(), quarantine)
    monkeypatch.setattr("loaders.identity.parse", lambda _: parse(GOOD))
    store = Store()
    assert retry(quarantine, store).loaded == 3
    assert [mapped_record.source.datestamp for batch in store.batches for mapped_record in batch] == [
        "2026-01-01",
        "2026-01-02",
        "2026-01-03",
    ]
    assert quarantine.count() == 0


def test_retry_of_a_file_with_a_new_format_keeps_only_bad_records(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").write_text(f"nothing\n{GOOD}\n{BAD}\n")
    load([tmp_path / "b"], Store(), quarantine)
    monkeypatch.setattr(loaders.sources.registry, "detect", lambda _: NAMES)
    summary = retry(quarantine, Store())
    assert (summary.loaded, summary.refused) == (1, {"bad-name": 2})
    assert [(kept.code, kept.position) for kept in quarantine.list()] == [
        ("bad-name", "line 1"),
        ("bad-name", "line 3"),
    ]


def test_retry_skips_and_reports_partial_or_damaged_payloads(tmp_path: Path, quarantine: Quarantine) -> None:
    load([page(tmp_path / "p.xml", record("oai:a:1", BAD), record("oai:a:2", BAD))], Store(), quarantine)
    (tmp_path / "a.zip").write_bytes(b"no zip")
    load([tmp_path / "a.zip"], Store(), quarantine)
    first, *_ = (kept for kept in quarantine.list() if kept.identifier == "oai:a:1")
    size = (quarantine.folder / f"{first.key}.bin").stat().st_size
    (quarantine.folder / f"{first.key}.bin").write_bytes(b"x" * size)
    (quarantine.folder / "stray").write_bytes(b"")
    summary = retry(quarantine, Store())
    assert [note.code for note in summary.notes] == [NoteCode.QUARANTINE_LEFT] * 3
    assert [note.origin for note in summary.notes] == ["stray", "a.zip", "p.xml"]
    assert summary.notes[1].message == (
        "refused as bad-archive and kept only in part: correct the file and load it again"
    )
    assert (summary.read, quarantine.count()) == (1, 3)


@needs_shared
def test_official_samples_load(quarantine: Quarantine) -> None:
    summary = load([SHARED / "data" / "oai"], Store(), quarantine)
    assert (summary.files, summary.read, summary.loaded, summary.unchanged) == (8, 12, 11, 0)
    assert summary.refused == {RefusalCode.ILL_FORMED_XML: 1}
    (refusal,) = summary.refusals
    assert isinstance(refusal, Refusal)
    assert refusal.origin == "oai/oai_acordao.stf.jus.br_aco_100005-erro-xml.xml"
    assert summary.note_counts == {"no-records": 1, "authority-unknown": 1, "format-unknown": 1}


@needs_shared
def test_name_sample_loads(quarantine: Quarantine) -> None:
    summary = load([SHARED / "data" / "urns-sample.tsv"], Store(), quarantine)
    assert summary.read == 402
    assert (summary.loaded + summary.unchanged, summary.refused) == (342, {"bad-name": 51, "reference-name": 9})
    assert adds_up(summary)


def test_retry_of_one_record_gives_one_outcome(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = record("oai:a:1", BAD).replace("<DocumentoIndividual>", "<q:x/><DocumentoIndividual>")
    load([page(tmp_path / "p.xml", odd)], Store(), quarantine)
    assert sorted(kept.code for kept in quarantine.list()) == ["bad-name", "ill-formed-xml"]
    before = quarantine.list()
    assert retry(quarantine, Store()).refused == {"bad-name": 2, "ill-formed-xml": 1}
    assert quarantine.list() == before
    monkeypatch.setattr("loaders.identity.parse", lambda _: parse(GOOD))
    retry(quarantine, Store())
    assert [kept.code for kept in quarantine.list()] == ["ill-formed-xml"]


@pytest.mark.parametrize(
    ("header", "metadata", "option", "expected"),
    [
        ("", False, None, None),
        ("", False, date(2020, 1, 3), "2020-01-03"),
        ("", True, date(2020, 1, 3), "2020-01-02"),
        ("HTTP/1.1 200 OK\r\nDate: Wed, 01 Jan 2020 23:30:00 GMT\r\n\r\n", False, date(2020, 1, 3), "2020-01-01"),
        ("HTTP/1.1 200 OK\r\nDate: ontem\r\n\r\n", False, date(2020, 1, 3), "2020-01-03"),
    ],
)
def test_stated_day_of_fetch_is_a_statement_of_the_record(
    header: str, metadata: bool, option: date | None, expected: str | None, tmp_path: Path
) -> None:
    page = (
        "<html><p>planalto.gov.br</p><p>LEI Nº 99.901, DE 5 DE MAIO DE 2010.</p><p>Ementa.</p><p>Art. 1º Um.</p></html>"
    )
    file = tmp_path / "in" / "page.bin"
    file.parent.mkdir()
    file.write_bytes(content := f"{header}{page}".encode())
    os.utime(file, (0, 0))
    if metadata:
        stated = {
            "source": "planalto",
            "url": "https://a.example/",
            "at": "2020-01-02T01:00:00Z",
            "bytes": len(content),
        }
        file.with_suffix(".json").write_text(json.dumps({**stated, "sha256": sha256(content).hexdigest()}))
    store = in_memory()
    summary = load([file.parent], store, Quarantine(tmp_path / "q"), fetched=option)
    assert (summary.loaded, summary.refused.total()) == (1, 0)
    days = [str(row["d"]) for row in store.select(f"SELECT ?d {{ ?r <{VIG['obtidoEm']}> ?d }}")]
    assert days == ([] if expected is None else [expected])
    load([file.parent], store, Quarantine(tmp_path / "q"), fetched=date(2010, 5, 4))  # before the act: not used
    assert days == [str(row["d"]) for row in store.select(f"SELECT ?d {{ ?r <{VIG['obtidoEm']}> ?d }}")]
    # an earlier day of the same content counts, a later one or none changes nothing
    load([file.parent], store, Quarantine(tmp_path / "q"))
    assert load([file.parent], store, Quarantine(tmp_path / "q"), fetched=date(2021, 1, 1)).loaded == (expected is None)
