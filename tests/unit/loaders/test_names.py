"""Tests of lists of names and of detecting file types: forms, columns, quoting, and unreadable lines."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Document, Record
from graph.errors import BadRecord
from graph.mapping import map_record
from graph.quarantine import Refusal
from graph.store import in_memory
from loaders.codes import RefusalCode
from loaders.documents import BadInput, SourceDocument, walk
from loaders.lines import MAX_LINE
from loaders.outcomes import Outcome
from loaders.sources.format import Head
from loaders.sources.names import form_of, read_names
from loaders.sources.registry import check_filled, detect, read_document
from ontology.iris import hashed_iri, vocab_iri
from ontology.namespaces import CRM, FRBROO
from queries.resolve import resolve

A = "urn:lex:br:federal:lei:2001-02-03;99901"
B = "urn:lex:br:federal:lei:2001-02-03;99902"
REFERENCE = "urn:lex:br:federal:lei:lei.ficticia"
LONE_QUOTE = '"' + A


def read(data: str | bytes, form: str = "txt", column: str | None = None) -> list[Outcome]:
    raw = data.encode() if isinstance(data, str) else data
    return list(read_names(SourceDocument(f"l.{form}", lambda: io.BytesIO(raw)), form=form, column=column))


def outcomes_of(data: str | bytes, form: str = "txt", column: str | None = None) -> list[str | tuple[str, str]]:
    """Return the canonical name of each record, and position and code of each refusal."""
    outcomes: list[str | tuple[str, str]] = []
    for outcome in read(data, form, column):
        if isinstance(outcome, Refusal):
            outcomes.append((outcome.position, outcome.code))
        elif isinstance(outcome, Record) and outcome.document is not None:
            outcomes.append(outcome.document.name.canonical)
    return outcomes


def test_record_has_the_parts_of_its_name() -> None:
    (record,) = read(A)
    assert isinstance(record, Record)
    assert record.document == Document(record.document.name) if record.document else False
    assert record.source.iri == hashed_iri("nome", A)
    assert (record.source.kind, record.source.loader, record.source.origin) == ("names", "names/4", "l.txt")
    assert (record.source.identifier, record.source.provider, record.source.datestamp) == (None, None, None)


def test_two_spellings_of_a_name_are_one_source() -> None:
    source, upper_source = (o.source for o in read(f"{A}\n{A.upper()}") if isinstance(o, Record))
    assert (source.iri, source.payload_hash) == (upper_source.iri, upper_source.payload_hash)


def test_text_list_skips_comments_and_blank_lines() -> None:
    assert outcomes_of(f"\ufeff{A}\r\n\n  \n# comment\n  # too\n{B}") == [A, B]
    assert outcomes_of("") == []


def test_only_bad_lines_are_refused() -> None:
    data = f"{A}\n".encode() + b"urn:lex:\xff\n" + b"a\x00b\n" + f"{REFERENCE}\n".encode() + b"nonsense\n" + B.encode()
    assert outcomes_of(data) == [
        A,
        ("line 2", RefusalCode.BAD_ENCODING),
        ("line 3", RefusalCode.BAD_NAME),
        ("line 4", RefusalCode.REFERENCE_NAME),
        ("line 5", RefusalCode.BAD_NAME),
        B,
    ]
    refusals = [o for o in read(data) if isinstance(o, Refusal)]
    assert refusals[0].problem == "byte 9 of the line, 0xFF, is not UTF-8"
    assert [(r.payload, r.identifier) for r in refusals] == [
        (b"urn:lex:\xff", None),
        (b"a\x00b", "a\x00b"),
        (REFERENCE.encode(), REFERENCE),
        (b"nonsense", "nonsense"),
    ]


@pytest.mark.parametrize("length", [MAX_LINE, MAX_LINE + 1, 5 * MAX_LINE])
def test_overlong_line_is_refused(length: int) -> None:
    outcomes = [o for o in read(f"{A}\n{'x' * length}\n{B}") if isinstance(o, Refusal)]
    (refusal,) = outcomes
    too_long = length > MAX_LINE
    assert refusal.code == (RefusalCode.LINE_TOO_LONG if too_long else RefusalCode.BAD_NAME)
    assert (refusal.truncated, refusal.position, len(refusal.payload) <= MAX_LINE + 1) == (too_long, "line 2", True)
    assert outcomes_of(f"{A}\n{'x' * length}\n{B}")[2] == B


def test_tables_are_read_by_column() -> None:
    assert outcomes_of(f"urn\n{A}\n", "csv") == [A]
    assert outcomes_of(f"id,urn\n1,{A}\n2,{B}\n", "csv") == [A, B]
    assert outcomes_of(f"only\n{A}\n", "csv") == [A]
    assert outcomes_of(f'a,b\n"x, ""y""\nz",{A}\r\n\r\n"",{B}\n', "csv", "b") == [A, B]
    assert outcomes_of(f"urn\tkind\n{A}\tx\n", "tsv") == [A]
    assert outcomes_of("urn\n", "csv") == []


@pytest.mark.parametrize(
    ("data", "form", "column", "message"),
    [
        (
            "a,b\n1,2\n",
            "csv",
            None,
            "l.csv: expected one column 'urn', got no: its columns are 'a', 'b'; choose with --column",
        ),
        (
            "a,b\n",
            "csv",
            "c",
            "l.csv: expected one column 'c', got no: its columns are 'a', 'b'; choose with --column",
        ),
        (
            "a,a\n",
            "csv",
            "a",
            "l.csv: expected one column 'a', got 2: its columns are 'a', 'a'; choose with --column",
        ),
        (
            f"{A}\n",
            "csv",
            None,
            f"l.csv: expected a header row with the names of the columns, got a name: its columns are '{A}'",
        ),
        (
            "urn;kind\n",
            "csv",
            None,
            "l.csv: expected commas between the columns of a .csv file, got ';': its columns are 'urn;kind'",
        ),
    ],
)
def test_table_without_its_column_is_a_usage_error(data: str, form: str, column: str | None, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        read(data, form, column)
    assert str(raised.value) == message


def test_name_with_an_unquoted_comma_is_never_truncated() -> None:
    name = "urn:lex:br:federal:lei:2001-02-03;99901!art1,lei-99902-2002-03-04"
    assert outcomes_of(f"urn\n{name}\n", "csv") == [("line 2", RefusalCode.BAD_ROW)]
    assert outcomes_of(f'urn\n"{name}"\n', "csv") == [name]


def test_only_unreadable_rows_are_refused() -> None:
    data = f'urn,n\n{A},1\n{A}\n,2\n{LONE_QUOTE},3\n{B},4\n"{A}"x,5\n{B},6\n'
    assert outcomes_of(data, "csv") == [
        A,
        ("line 3", RefusalCode.BAD_ROW),
        ("line 4", RefusalCode.NO_NAME),
        ("line 5", RefusalCode.BAD_ROW),
        B,
        ("line 7", RefusalCode.BAD_ROW),
        B,
    ]


def test_unclosed_quote_affects_only_one_line() -> None:
    data = f"urn,n\n{LONE_QUOTE},1\n" + f"{B},2\n" * 5000
    assert outcomes_of(data, "csv") == [("line 2", RefusalCode.BAD_ROW)] + [B] * 5000


def test_refused_row_keeps_its_header_for_a_retry() -> None:
    (refusal,) = read(f"n,urn\n1,{REFERENCE}\n", "csv")
    assert isinstance(refusal, Refusal)
    assert (refusal.payload, refusal.form, refusal.column) == (f"n,urn\n1,{REFERENCE}".encode(), "csv", None)
    (again,) = read(refusal.payload, "csv")
    assert isinstance(again, Refusal)
    assert again.key == refusal.key


def test_json_lines_are_read() -> None:
    lines = [json.dumps({"urn": A, "n": 1}), json.dumps(B), "", '{"n": 1}', "[]", "{", "7", '"\\ud800"', "[" * 60_000]
    assert outcomes_of("\n".join(lines), "jsonl") == [
        A,
        B,
        ("line 4", RefusalCode.NO_NAME),
        ("line 5", RefusalCode.NO_NAME),
        ("line 6", RefusalCode.BAD_ROW),
        ("line 7", RefusalCode.NO_NAME),
        ("line 8", RefusalCode.BAD_ENCODING),
        ("line 9", RefusalCode.BAD_ROW),
    ]
    assert outcomes_of(f'{{"urn": "{A}", "urn": "{B}"}}', "jsonl") == [("line 1", RefusalCode.BAD_ROW)]
    assert outcomes_of(f'{{"nome": "{A}"}}', "jsonl", "nome") == [A]


def test_truncated_list_gives_no_partial_name(tmp_path: Path) -> None:
    names = [f"urn:lex:br:federal:lei:2001-02-03;{number}" for number in range(99901, 109901)]
    (tmp_path / "l.txt.gz").write_bytes(gzip.compress("\n".join(names).encode())[:-3000])
    (document,) = walk([tmp_path / "l.txt.gz"])
    assert isinstance(document, SourceDocument)
    *good, last = read_names(document, form="txt")
    assert [o.document.name.canonical for o in good if isinstance(o, Record) and o.document] == names[: len(good)]
    assert isinstance(last, Refusal)
    assert (last.code, 0 < len(good) < len(names)) == (RefusalCode.TRUNCATED_FILE, True)


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), max_size=8))
def test_every_line_of_a_text_has_an_outcome(lines: list[str]) -> None:
    content = [
        line for line in lines if line.removeprefix("\ufeff").strip() and not line.strip("\ufeff \t").startswith("#")
    ]
    assert len(outcomes_of("\n".join(lines))) <= len(lines)
    assert len(outcomes_of("\n".join(f"x{line}" for line in content))) == len(content)


@given(st.binary(max_size=400), st.sampled_from(["txt", "csv", "tsv", "jsonl"]))
def test_any_bytes_give_records_or_refusals(data: bytes, form: str) -> None:
    header = b"urn,n\n" if form == "csv" else b"urn\tn\n"
    assert all(isinstance(o, Record | Refusal) for o in read(header + data, form))


@given(st.lists(st.tuples(st.sampled_from([A, B]), st.text('a",\n; ', max_size=6)), max_size=8))
def test_quoted_cells_round_trip(rows: list[tuple[str, str]]) -> None:
    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    data = "urn,x\n" + "".join(f"{name},{quoted(text)}\n" for name, text in rows)
    assert outcomes_of(data, "csv") == [name for name, _ in rows]


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"<OAI-PMH/>", "a", ("oai_lexml", None)),
        (b"\xef\xbb\xbf <?xml version='1.0'?>", "a.txt", ("oai_lexml", None)),
        ("<LexML/>".encode("utf-16"), "a.xml", ("oai_lexml", None)),
        (b"<!DOCTYPE x><x/>", "a.xml", ("oai_lexml", None)),
        (b"<record", "a", ("oai_lexml", None)),
        (b"anything", "a.TXT", ("names", "txt")),
        (b"urn\n", "a.csv", ("names", "csv")),
        (b"urn\n", "a.tsv", ("names", "tsv")),
        (b"{}", "a.ndjson", ("names", "jsonl")),
        (b"# c\n\nURN:LEX:BR:x", "a", ("names", "txt")),
        (b'{"urn": "urn:lex:br:x"}', "a", ("names", "jsonl")),
        (b'"urn:lex:br:x"\n', "a.dat", ("names", "jsonl")),
    ],
)
def test_file_format_is_detected(head: bytes, name: str, expected: tuple[str, str | None]) -> None:
    seen = Head(head, name)
    assert (detect(seen).name, form_of(seen) if expected[1] is not None else None) == expected


@pytest.mark.parametrize(
    ("head", "name", "seen"),
    [
        (b"<!DOCTYPE html><html>", "a.xml", "an HTML page"),
        (b"\n<html><body>", "a.xml", "an HTML page"),
        (b"<q:rdf xmlns:q='x'>", "a.xml", "XML with the root element <rdf>"),
        (b"%PDF-1.7", "a.txt", "a PDF file"),
        (b"PK\x03\x04", "a.docx", "a ZIP archive (only files named .zip are unpacked)"),
        (b"hello world", "a", "a file that begins with 'hello world'"),
        (b"\x00\x01", "a", "a file that begins with '\\x00\\x01'"),
        (b"{}", "a", "a file that begins with '{}'"),
        (bytes(257) + b"ustar", "a", "a tar archive"),
    ],
)
def test_unknown_format_is_refused(head: bytes, name: str, seen: str) -> None:
    with pytest.raises(BadRecord) as raised:
        detect(Head(head, name))
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
    document = SourceDocument("a", lambda: io.BytesIO(A.encode()))

    def kinds(as_kind: str | None) -> list[str]:
        outcomes = read_document(document, as_kind=as_kind)
        return [
            outcome.source.kind if isinstance(outcome, Record) else getattr(outcome, "code", "part")
            for outcome in outcomes
        ]

    assert (kinds(None), kinds("names"), kinds("normas")) == (["names"], ["names"], ["bad-json"])
    assert kinds("oai_lexml") == ["ill-formed-xml"]
    with pytest.raises(BadRecord, match="empty"):
        check_filled(Head(b" \n", "a"))


@pytest.mark.parametrize(("head", "name"), [(b"id,about,prefLabel\n", "a.csv"), (b"@prefix a: <b:c> .", "a.txt")])
def test_content_takes_precedence_over_the_file_name(head: bytes, name: str) -> None:
    assert detect(Head(head, name)).name == "vocabulary"


@pytest.mark.parametrize("name", ["a.toml", "a.ttl", "a.txt"])
def test_content_of_another_format_takes_precedence_over_the_file_name(name: str) -> None:
    with pytest.raises(BadRecord, match="a PDF file"):
        detect(Head(b"%PDF-1.7", name))


def test_long_document_is_not_mistaken_for_an_archive() -> None:
    head = b'{"@type": "Legislation", "x": "'.ljust(257, b"x") + b'ustar"}'
    assert detect(Head(head, "a.json")).name == "normas"


def test_language_and_manifestation_of_a_foreign_name_are_kept() -> None:
    french = "urn:lex:ch:etat:loi:2006-05-14;99922@originel:fr"
    pdf = "urn:lex:it:stato:legge:2000;99956$application-pdf;1.7:senato"
    store = in_memory()
    store.put([map_record(each) for each in read(f"{french}\n{pdf}\n") if isinstance(each, Record)])
    assert vocab_iri("lingua", "fr") in store.links(french, CRM["P72_has_language"])
    assert french in store.links(french.removesuffix(":fr"), FRBROO["R3_is_realised_in"])
    assert pdf in store.links(pdf.partition("$")[0], FRBROO["R4_carriers_provided_by"])
    original = french.replace("originel:fr", "original")
    for asked, found in ((french, french), (original, french.removesuffix(":fr")), (pdf, pdf)):
        assert [candidate.name for candidate in resolve(store, asked).candidates] == [found]
