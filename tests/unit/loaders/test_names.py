"""Tests of lists of names and of detecting file types: forms, columns, quoting, and unreadable lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Document, Record
from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import RefusalCode
from loaders.documents import BadInput, SourceDocument, walk
from loaders.lines import MAX_LINE
from loaders.outcomes import Note, Outcome
from loaders.sources.format import Head
from loaders.sources.names import form_of, read_names
from loaders.sources.registry import check_filled, detect, read_document
from ontology.iris import hashed_iri, vocab_iri
from ontology.namespaces import CRM, FRBROO
from queries.resolve import resolve
from tests.support.cases import Row, cases, records, refusals, source, stored, values

A = "urn:lex:br:federal:lei:2001-02-03;99901"
B = "urn:lex:br:federal:lei:2001-02-03;99902"
REFERENCE = "urn:lex:br:federal:lei:lei.ficticia"


def read(data: str | bytes, form: str = "txt", column: str | None = None) -> list[Outcome]:
    return list(read_names(source(data, f"l.{form}"), form=form, column=column))


def lines_of(outcomes: list[Outcome]) -> list[str]:
    """Return the canonical name of each record, and position and code of each refusal."""
    lines = []
    for outcome in outcomes:
        if isinstance(outcome, Refusal):
            lines.append(f"{outcome.position}: {outcome.code}")
        elif isinstance(outcome, Record) and outcome.document is not None:
            lines.append(outcome.document.name.canonical)
    return lines


@cases("names", "list")
def test_list_is_read(row: Row) -> None:
    outcomes = read(row["list"], row.get("form", "txt"), row.get("column"))
    assert lines_of(outcomes) == row["reads"]
    if "not_used" in row:
        (note,) = [outcome for outcome in outcomes if isinstance(outcome, Note)]
        assert (str(note.code), note.count, note.dropped) == ("not-used", row["not_used"], False)
    elif row["id"] in {"a table with one column", "comments and blank lines are skipped"}:
        assert not [outcome for outcome in outcomes if isinstance(outcome, Note)]


@cases("names", "usage")
def test_table_without_its_column_is_a_usage_error(row: Row) -> None:
    with pytest.raises(BadInput) as raised:
        read(row["list"], "csv", row.get("column"))
    assert str(raised.value) == row["message"]


def test_record_has_the_parts_of_its_name() -> None:
    first, second = records(read(f"{A}\n{A.upper()}"))
    assert first.document is not None
    assert first.document == Document(first.document.name)
    assert first.source.iri == hashed_iri("nome", A)
    assert (first.source.kind, first.source.loader, first.source.origin) == ("names", "names/4", "l.txt")
    assert (first.source.identifier, first.source.provider, first.source.datestamp) == (None, None, None)
    assert (first.source.iri, first.source.payload_hash) == (second.source.iri, second.source.payload_hash)


def test_refused_line_is_kept_as_written() -> None:
    data = f"{A}\n".encode() + b"urn:lex:\xff\n" + b"a\x00b\n" + f"{REFERENCE}\nnonsense".encode()
    refused = refusals(read(data))
    assert (refused[0].code, refused[0].problem) == ("bad-encoding", "byte 9 of the line, 0xFF, is not UTF-8")
    assert [(refusal.payload, refusal.identifier) for refusal in refused] == [
        (b"urn:lex:\xff", None),
        (b"a\x00b", "a\x00b"),
        (REFERENCE.encode(), REFERENCE),
        (b"nonsense", "nonsense"),
    ]
    (refusal,) = read(f"n,urn\n1,{REFERENCE}\n", "csv")
    assert isinstance(refusal, Refusal)
    assert (refusal.payload, refusal.form, refusal.column) == (f"n,urn\n1,{REFERENCE}".encode(), "csv", None)
    (again,) = read(refusal.payload, "csv")
    assert isinstance(again, Refusal)
    assert again.key == refusal.key


@pytest.mark.parametrize("length", [MAX_LINE, MAX_LINE + 1, 5 * MAX_LINE])
def test_overlong_line_is_refused(length: int) -> None:
    first, refusal, second = read(f"{A}\n{'x' * length}\n{B}")
    assert isinstance(refusal, Refusal)
    too_long = length > MAX_LINE
    assert refusal.code == (RefusalCode.LINE_TOO_LONG if too_long else RefusalCode.BAD_NAME)
    assert (refusal.truncated, refusal.position, len(refusal.payload) <= MAX_LINE + 1) == (too_long, "line 2", True)
    assert lines_of([first, second]) == [A, B]


def test_damage_affects_only_one_line() -> None:
    unclosed = f'urn,n\n"{A},1\n' + f"{B},2\n" * 5000
    assert lines_of(read(unclosed, "csv")) == ["line 2: bad-row", *[B] * 5000]
    assert lines_of(read(f'"{A}"\n' + "[" * 60_000 + f'\n"{B}"', "jsonl")) == [A, "line 2: bad-row", B]


def test_truncated_list_gives_no_partial_name(tmp_path: Path) -> None:
    names = [f"urn:lex:br:federal:lei:2001-02-03;{number}" for number in range(99901, 109901)]
    (tmp_path / "l.txt.gz").write_bytes(gzip.compress("\n".join(names).encode())[:-3000])
    (document,) = walk([tmp_path / "l.txt.gz"])
    assert isinstance(document, SourceDocument)
    *good, last = lines_of(list(read_names(document, form="txt")))
    assert (good, last.partition(": ")[2]) == (names[: len(good)], "truncated-file")
    assert 0 < len(good) < len(names)


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), max_size=8))
def test_every_line_of_a_text_has_an_outcome(lines: list[str]) -> None:
    content = [
        line for line in lines if line.removeprefix("\ufeff").strip() and not line.strip("\ufeff \t").startswith("#")
    ]
    assert len(read("\n".join(lines))) <= len(lines)
    assert len(read("\n".join(f"x{line}" for line in content))) == len(content)


@given(st.binary(max_size=400), st.sampled_from(["txt", "csv", "tsv", "jsonl"]))
def test_any_bytes_give_records_or_refusals(data: bytes, form: str) -> None:
    header = b"urn,n\n" if form == "csv" else b"urn\tn\n"
    assert all(isinstance(outcome, Record | Refusal) for outcome in read(header + data, form))


@given(st.lists(st.tuples(st.sampled_from([A, B]), st.text('a",\n; ', max_size=6)), max_size=8))
def test_quoted_cells_round_trip(rows: list[tuple[str, str]]) -> None:
    cells = ((name, text.replace('"', '""')) for name, text in rows)
    data = "urn,x\n" + "".join(f'{name},"{text}"\n' for name, text in cells)
    assert lines_of(read(data, "csv")) == [name for name, _ in rows]


@pytest.mark.parametrize(("head", "name", "expected"), values("names", "file_format_is_detected"))
def test_file_format_is_detected(head: str, name: str, expected: str) -> None:
    seen = Head(head.encode("latin-1"), name)
    kind = detect(seen).name
    assert (f"{kind} {form_of(seen)}" if kind == "names" else kind) == expected


@pytest.mark.parametrize(
    ("head", "name", "seen"),
    [*values("names", "unknown_format_is_refused"), ("\0" * 257 + "ustar", "a", "a tar archive")],
)
def test_unknown_format_is_refused(head: str, name: str, seen: str) -> None:
    with pytest.raises(BadRecord) as raised:
        detect(Head(head.encode("latin-1"), name))
    assert raised.value.code == RefusalCode.UNKNOWN_KIND
    assert raised.value.problem == f"no known format: {seen}"
    assert raised.value.expected == "a source; choose a format with --as (see `vigente load --help`)"


@pytest.mark.parametrize(
    ("head", "name", "code"),
    [
        (b"", "a.txt", RefusalCode.EMPTY_FILE),
        (b" \n", "a.xml", RefusalCode.EMPTY_FILE),
        ("urn\n".encode("utf-16"), "a.csv", RefusalCode.BAD_ENCODING),
        (b"PK\x03\x04", "a.zip", RefusalCode.NESTED_ARCHIVE),
        (b"\x1f\x8b", "a.gz", RefusalCode.NESTED_ARCHIVE),
    ],
)
def test_unreadable_head_is_refused(head: bytes, name: str, code: RefusalCode) -> None:
    with pytest.raises(BadRecord) as raised:
        detect(Head(head, name))
    assert raised.value.code == code


def test_options_take_precedence_over_detection() -> None:
    def kinds(as_kind: str | None) -> list[str]:
        outcomes = read_document(source(A), as_kind=as_kind)
        return [one.source.kind if isinstance(one, Record) else getattr(one, "code", "part") for one in outcomes]

    assert (kinds(None), kinds("names"), kinds("normas")) == (["names"], ["names"], ["bad-json"])
    assert kinds("oai_lexml") == ["ill-formed-xml"]
    with pytest.raises(BadRecord, match="empty"):
        check_filled(Head(b" \n", "a"))


def test_language_and_manifestation_of_a_foreign_name_are_kept() -> None:
    french = "urn:lex:ch:etat:loi:2006-05-14;99922@originel:fr"
    pdf = "urn:lex:it:stato:legge:2000;99956$application-pdf;1.7:senato"
    store = stored(*records(read(f"{french}\n{pdf}\n")))
    assert vocab_iri("lingua", "fr") in store.links(french, CRM["P72_has_language"])
    assert french in store.links(french.removesuffix(":fr"), FRBROO["R3_is_realised_in"])
    assert pdf in store.links(pdf.partition("$")[0], FRBROO["R4_carriers_provided_by"])
    original = french.replace("originel:fr", "original")
    for asked, found in ((french, french), (original, french.removesuffix(":fr")), (pdf, pdf)):
        assert [candidate.name for candidate in resolve(store, asked).candidates] == [found]
