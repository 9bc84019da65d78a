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

import loaders.sources.registry
import samples
from graph.mapping import Arriving
from graph.quarantine import Quarantine
from graph.store import in_memory
from graph.urn import parse
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import BadInput
from loaders.pipeline import MAX_REPORTED, LoadInterrupted, Summary, load, retry
from loaders.sources.names import NAMES
from loaders.sources.registry import FORMATS
from ontology.namespaces import VIG
from service.cli import main
from tests.support.cases import DATA, SHARED, tuples
from tests.support.oai_pages import NAME as GOOD
from tests.support.oai_pages import oai_record, page_file

SAMPLES = DATA / "oai_lexml"
BAD = "lei"

needs_samples = pytest.mark.skipif(not SHARED.is_dir(), reason="the sample data is not beside this checkout")


@dataclass
class Counts:
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0


@dataclass
class Store:
    """A store that counts a record with the stored hash as unchanged, as the real store does.

    ``kept`` has the size of the quarantine at each call of apply().
    """

    held: dict[str, str] = field(default_factory=dict)
    batches: list[list[Arriving]] = field(default_factory=list)
    fail_at: int = -1
    watched: Quarantine | None = None
    kept: list[int] = field(default_factory=list)

    def apply(self, records: Sequence[Arriving], /) -> Counts:
        if len(self.batches) == self.fail_at:
            raise KeyboardInterrupt
        if self.watched is not None:
            self.kept.append(self.watched.count())
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


def good(count: int) -> list[str]:
    return [oai_record(f"oai:a:{n}") for n in range(count)]


def adds_up(summary: Summary) -> bool:
    parts = (summary.loaded, summary.unchanged, summary.deleted, summary.older, summary.refused.total())
    return summary.read == sum(parts)


def identifiers(quarantine: Quarantine) -> list[str | None]:
    return [entry.identifier for entry in quarantine.list()]


def test_mixed_folder_counts_add_up_and_a_second_load_changes_nothing(quarantine: Quarantine) -> None:
    store = Store()
    summary = load([SAMPLES], store, quarantine, batch_size=2)
    # applied: 3 namespaces, 2 bare, 1 of 12, 4 with notes (2 of them deletions), 1 in Latin-1
    assert (summary.files, summary.read, summary.loaded, summary.unchanged, summary.deleted) == (10, 22, 9, 0, 2)
    twice, once = ("no-document", "no-metadata"), (
        "several-documents", "bad-name", "reference-name", "wrong-namespace", "not-oai-lexml", "no-identifier",
        "bad-identifier",
    )  # fmt: skip
    assert summary.refused == {**dict.fromkeys(twice, 2), **dict.fromkeys(once, 1)}
    assert adds_up(summary)
    assert summary.note_counts["no-records"] == 3
    assert quarantine.count() == 11
    again = load([SAMPLES], store, quarantine, batch_size=7)
    assert (again.read, again.loaded, again.unchanged, again.deleted, quarantine.count()) == (22, 0, 11, 0, 11)


def test_batches_have_the_given_size_and_order_and_progress_is_reported(tmp_path: Path, quarantine: Quarantine) -> None:
    store, reported = Store(), list[int]()
    path = page_file(tmp_path / "p.xml", *good(4), oai_record("oai:a:3", status="gone"))
    load([path], store, quarantine, batch_size=2, on_progress=lambda summary: reported.append(summary.read))
    assert [[record.deleted for record in batch] for batch in store.batches] == [[False] * 2, [False] * 2, [True]]
    assert reported == [2, 4, 5, 5]


def test_loaded_record_is_removed_from_the_quarantine_in_order(tmp_path: Path, quarantine: Quarantine) -> None:
    """Check that a refused record that follows a loaded one of the same identifier stays in quarantine."""
    load([page_file(tmp_path / "r.xml", oai_record("oai:a:1", BAD), oai_record("oai:a:2", BAD))], Store(), quarantine)
    path, store = page_file(tmp_path / "g.xml", *good(5), oai_record("oai:a:3", BAD)), Store(watched=quarantine)
    load([path], store, quarantine, batch_size=1)
    assert store.kept == [2, 2, 1, 0, 0], "each is let go of when its own is in the store"
    assert identifiers(Quarantine(quarantine.folder)) == ["oai:a:3"]


@pytest.mark.parametrize("batch_size", [1, 10])
def test_last_outcome_of_an_identifier_decides_the_quarantine(
    tmp_path: Path, quarantine: Quarantine, batch_size: int
) -> None:
    one, two = ([oai_record(f"oai:a:{n}"), oai_record(f"oai:a:{n}", BAD)] for n in (1, 2))
    load([page_file(tmp_path / "p.xml", *one, *reversed(two))], Store(), quarantine, batch_size=batch_size)
    assert identifiers(quarantine) == ["oai:a:1"]


@given(st.lists(st.sampled_from("gbdu"), max_size=20), st.integers(1, 6))
def test_read_count_equals_the_sum_of_outcomes(kinds: list[str], batch_size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Callable[[int], str]] = {
            "g": lambda n: oai_record(f"oai:a:{n}"),
            "b": lambda n: oai_record(f"oai:a:{n}", BAD),
            "d": lambda n: oai_record(f"oai:a:{n}", status="gone"),
            "u": lambda _: oai_record("oai:a:same"),
        }
        path = page_file(Path(folder) / "p.xml", *(made[kind](n) for n, kind in enumerate(kinds)))
        summary = load([path], Store(), Quarantine(Path(folder) / "q"), batch_size=batch_size)
    same = kinds.count("u")
    assert summary.read == len(kinds)
    assert (summary.loaded, summary.unchanged) == (kinds.count("g") + min(same, 1), max(same - 1, 0))
    assert (summary.deleted, summary.refused.total()) == (kinds.count("d"), kinds.count("b"))


def test_interrupt_keeps_and_reports_the_finished_batches(tmp_path: Path, quarantine: Quarantine) -> None:
    store = Store(fail_at=2)
    path = page_file(tmp_path / "p.xml", oai_record("oai:a:x", BAD), *good(9))
    with pytest.raises(LoadInterrupted, match=r"^interrupted after 7 records$") as raised:
        load([path], store, quarantine, batch_size=3)
    summary = raised.value.summary
    assert (summary.read, summary.loaded, summary.refused.total(), len(store.held)) == (7, 6, 1, 6)
    assert adds_up(summary)
    assert isinstance(raised.value, KeyboardInterrupt)


def test_deviations_of_loaded_names_are_counted(tmp_path: Path, quarantine: Quarantine) -> None:
    (tmp_path / "l.txt").write_text(f"{GOOD}\n{GOOD.upper()}\n {GOOD}\n")
    summary = load([tmp_path / "l.txt"], Store(), quarantine)
    assert (summary.loaded, summary.unchanged) == (1, 2)
    assert summary.deviations == {"upper-case": 1, "white-space": 1}


def test_notes_and_refusals_are_limited_and_the_cut_is_reported(tmp_path: Path, quarantine: Quarantine) -> None:
    bad = [oai_record(f"oai:a:{n}", BAD, day="never") for n in range(MAX_REPORTED + 5)]
    summary = load([page_file(tmp_path / "p.xml", *bad)], Store(), quarantine)
    assert (len(summary.notes), summary.notes_omitted) == (MAX_REPORTED, 5)
    assert (len(summary.refusals), summary.refusals_omitted) == (MAX_REPORTED, 5)
    assert all(refusal.payload == b"" for refusal in summary.refusals)


def test_truncated_page_in_an_archive_loads_its_complete_records(tmp_path: Path, quarantine: Quarantine) -> None:
    data = page_file(tmp_path / "p", *good(400)).read_bytes()
    (tmp_path / "p.xml.gz").write_bytes(gzip.compress(data)[:-200])
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("q.xml", data[:-500])
    cut = load([tmp_path / "p.xml.gz"], Store(), quarantine)
    assert cut.refused == {RefusalCode.TRUNCATED_FILE: 1}
    assert 0 < cut.loaded < 400
    assert load([tmp_path / "z.zip"], Store(), quarantine).refused == {RefusalCode.ILL_FORMED_XML: 1}
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
        load([SAMPLES], Store(), quarantine, **options)  # type: ignore[arg-type]  # wrong on purpose
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


def test_format_can_be_forced_also_by_a_retry(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").write_text(f"nothing\n{GOOD}\n{BAD}\n")
    assert load([tmp_path / "b"], Store(), quarantine).refused == {"unknown-kind": 1}
    forced = load([tmp_path / "b"], Store(), Quarantine(tmp_path / "other"), as_kind="names")
    assert (forced.loaded, forced.refused) == (1, {"bad-name": 2})
    monkeypatch.setattr(loaders.sources.registry, "detect", lambda _: NAMES)
    summary = retry(quarantine, Store())
    assert (summary.loaded, summary.refused) == (1, {"bad-name": 2})
    assert [f"{kept.code} {kept.position}" for kept in quarantine.list()] == ["bad-name line 1", "bad-name line 3"]


def test_retry_loads_readable_items_and_keeps_the_rest(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    (tmp_path / "l.csv").write_text(f"n,urn\n1,{BAD}\n2,{GOOD}x y\n")
    load([page_file(tmp_path / "p.xml", oai_record("oai:a:1", BAD)), tmp_path / "l.csv"], store, quarantine)
    same = retry(quarantine, store)
    assert (same.read, same.refused.total(), quarantine.count(), store.batches) == (3, 3, 3, [])
    # stands for a later version of the parser, which accepts this name
    monkeypatch.setattr("loaders.identity.parse", lambda text: parse(GOOD) if text == BAD else parse(text))
    later = retry(Quarantine(quarantine.folder), store)
    assert (later.read, later.loaded, later.refused.total()) == (3, 2, 1)
    assert [(kept.origin, kept.position) for kept in quarantine.list()] == [("l.csv", "line 3")]
    assert {record.source.origin for batch in store.batches for record in batch} == {"p.xml", "l.csv"}


def test_retry_applies_the_latest_record_of_an_identifier_last(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, stamp in enumerate(["2026-01-03", "2026-01-01", "2026-01-02"]):
        load([page_file(tmp_path / f"{number}.xml", oai_record("oai:a:1", BAD, day=stamp))], Store(), quarantine)
    monkeypatch.setattr("loaders.identity.parse", lambda _: parse(GOOD))
    store = Store()
    assert retry(quarantine, store).loaded == 3
    stamps = [record.source.datestamp for batch in store.batches for record in batch]
    assert stamps == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert quarantine.count() == 0


def test_retry_skips_and_reports_partial_or_damaged_payloads(tmp_path: Path, quarantine: Quarantine) -> None:
    load([page_file(tmp_path / "p.xml", oai_record("oai:a:1", BAD), oai_record("oai:a:2", BAD))], Store(), quarantine)
    (tmp_path / "a.zip").write_bytes(b"no zip")
    load([tmp_path / "a.zip"], Store(), quarantine)
    first, *_ = (kept for kept in quarantine.list() if kept.identifier == "oai:a:1")
    payload = quarantine.folder / f"{first.key}.bin"
    payload.write_bytes(b"x" * payload.stat().st_size)
    (quarantine.folder / "stray").write_bytes(b"")
    summary = retry(quarantine, Store())
    assert [(note.code, note.origin) for note in summary.notes] == [
        (NoteCode.QUARANTINE_LEFT, origin) for origin in ("stray", "a.zip", "p.xml")
    ]
    kept_in_part = "refused as bad-archive and kept only in part: correct the file and load it again"
    assert summary.notes[1].message == kept_in_part
    assert (summary.read, quarantine.count()) == (1, 3)


def test_retry_of_one_record_gives_one_outcome(
    tmp_path: Path, quarantine: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = oai_record("oai:a:1", BAD).replace("<DocumentoIndividual>", "<q:x/><DocumentoIndividual>")
    load([page_file(tmp_path / "p.xml", odd)], Store(), quarantine)
    assert sorted(kept.code for kept in quarantine.list()) == ["bad-name", "ill-formed-xml"]
    before = quarantine.list()
    assert retry(quarantine, Store()).refused == {"bad-name": 2, "ill-formed-xml": 1}
    assert quarantine.list() == before
    monkeypatch.setattr("loaders.identity.parse", lambda _: parse(GOOD))
    retry(quarantine, Store())
    assert [kept.code for kept in quarantine.list()] == ["ill-formed-xml"]


@needs_samples
def test_official_samples_load(quarantine: Quarantine) -> None:
    summary = load([SHARED / "oai"], Store(), quarantine)
    assert (summary.files, summary.read, summary.loaded, summary.unchanged) == (8, 12, 11, 0)
    assert summary.refused == {RefusalCode.ILL_FORMED_XML: 1}
    assert [refusal.origin for refusal in summary.refusals] == ["oai/oai_acordao.stf.jus.br_aco_100005-erro-xml.xml"]
    assert summary.note_counts == {"no-records": 1, "authority-unknown": 1, "format-unknown": 1}
    names = load([SHARED / "urns-sample.tsv"], Store(), quarantine)
    assert (names.read, names.loaded + names.unchanged) == (402, 342)
    assert names.refused == {"bad-name": 51, "reference-name": 9}
    assert adds_up(names)


@pytest.mark.parametrize(
    ("header", "metadata", "option", "expected"),
    [
        ("", False, None, []),
        ("", False, date(2020, 1, 3), ["2020-01-03"]),
        ("", True, date(2020, 1, 3), ["2020-01-02"]),
        ("HTTP/1.1 200 OK\r\nDate: Wed, 01 Jan 2020 23:30:00 GMT\r\n\r\n", False, date(2020, 1, 3), ["2020-01-01"]),
        ("HTTP/1.1 200 OK\r\nDate: ontem\r\n\r\n", False, date(2020, 1, 3), ["2020-01-03"]),
    ],
)
def test_stated_day_of_fetch_is_a_statement_of_the_record(
    header: str, metadata: bool, option: date | None, expected: list[str], tmp_path: Path
) -> None:
    lines = ("planalto.gov.br", "LEI Nº 99.901, DE 5 DE MAIO DE 2010.", "Ementa.", "Art. 1º Um.")
    content = f"{header}<html>{''.join(f'<p>{line}</p>' for line in lines)}</html>".encode()
    file = tmp_path / "in" / "page.bin"
    file.parent.mkdir()
    file.write_bytes(content)
    os.utime(file, (0, 0))
    if metadata:
        stated: dict[str, str | int] = {"source": "planalto", "url": "https://a.example/", "at": "2020-01-02T01:00:00Z"}
        stated |= {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        file.with_suffix(".json").write_text(json.dumps(stated))
    store, quarantine = in_memory(), Quarantine(tmp_path / "q")

    def days() -> list[str]:
        return [str(row["d"]) for row in store.select(f"SELECT ?d {{ ?r <{VIG['obtidoEm']}> ?d }}")]

    summary = load([file.parent], store, quarantine, fetched=option)
    assert (summary.loaded, summary.refused.total(), days()) == (1, 0, expected)
    load([file.parent], store, quarantine, fetched=date(2010, 5, 4))  # before the act: not used
    assert days() == expected
    # an earlier day of the same content counts, a later one or none changes nothing
    load([file.parent], store, quarantine)
    assert load([file.parent], store, quarantine, fetched=date(2021, 1, 1)).loaded == (not expected)


# Folders: which text files are lists of names, and files that are passed over


NORM = "urn:lex:br:federal:lei:2017-03-05;99902"


def counts_of(tmp_path: Path, path: Path) -> tuple[int, dict[str, int], dict[str, int]]:
    summary = load([path], in_memory(), Quarantine(tmp_path / "quarantine"))
    return summary.loaded, dict(summary.refused), dict(summary.note_counts)


def test_samples_load_without_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", str(tmp_path / "s"), "load", str(samples.folder()), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["refused"], data["note_counts"], data["dropped"]) == ({}, {"passed-over": 3}, 0)
    assert sorted(note["origin"].rpartition("/")[2] for note in data["notes"]) == [
        "README.md",
        "__init__.py",
        "py.typed",
    ]


@pytest.mark.parametrize(
    ("content", "expected"), tuples("pipeline", "text_file_in_a_folder_is_a_name_list_if_most_lines_are_names")
)
def test_text_file_in_a_folder_is_a_name_list_if_most_lines_are_names(
    content: str, expected: tuple[int, dict[str, int], dict[str, int]], tmp_path: Path
) -> None:
    (tmp_path / "pasta").mkdir()
    (tmp_path / "pasta" / "a.txt").write_text(content, "utf-8")
    assert counts_of(tmp_path, tmp_path / "pasta") == expected


def test_explicitly_named_text_file_is_read_as_a_name_list(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{NORM}\nEste não é nome.\nNem este.\n", "utf-8")
    assert counts_of(tmp_path, tmp_path / "a.txt") == (1, {"bad-name": 2}, {})
