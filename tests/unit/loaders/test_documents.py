"""Tests of reading sources: files, folders and archives, lists of names, and the table of formats."""

from __future__ import annotations

import ast
import gzip
import io
import os
import random
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.entities import Document, Record, Source
from graph.errors import BadRecord
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from loaders import parallel
from loaders.codes import Code, NoteCode, RefusalCode
from loaders.documents import BadInput, Limits, SourceDocument, shown_path, walk
from loaders.identity import identity
from loaders.lines import MAX_LINE, lines
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.pipeline import load, retry
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.names import form_of, read_names
from loaders.sources.registry import (
    ANY_FORMAT,
    ANY_NOTES,
    BUILT_IN,
    FORMATS,
    check_filled,
    detect,
    read_document,
    register,
)
from loaders.xml import MAX_TEXT
from ontology.iris import hashed_iri, vocab_iri
from ontology.namespaces import CRM, FRBROO
from queries.resolve import resolve
from service.cli import main
from service.cli.context import Exit
from tests.support.cases import DATA, Row, cases, records, refusals, source, stored, values

# A small format of sources for tests


class Codes(Code):
    """The codes of this format."""

    BAD_LINE = "bad-line"
    READ_BY = "read-by"


def _detect(head: Head) -> Match:
    return Match.CERTAIN if head.text.startswith(b"%linhas\n") else Match.NONE


def _read(document: SourceDocument, _: ReadOptions) -> Iterator[Outcome]:
    try:
        with closing(document.open()) as stream:
            for line in lines(stream):
                if line.raw and line.raw != b"%linhas":
                    yield _outcome(document.label, line.number, line.raw)
        yield Note(Codes.READ_BY, str(os.getpid()), document.label, "whole file")
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=LINHAS.name)


def _outcome(label: str, number: int, raw: bytes) -> Outcome:
    try:
        name = identity(raw.decode("utf-8", "replace"))
    except BadRecord as error:
        return Refusal(
            origin=label,
            position=f"line {number}",
            identifier=None,
            code=Codes.BAD_LINE,
            problem=error.problem,
            expected=error.expected,
            kind=LINHAS.name,
            payload=raw,
        )
    digest = sha256(raw).hexdigest()
    source = Source(hashed_iri("linhas", name.canonical), LINHAS.name, digest, "linhas/1", origin=label)
    return Record(source, Document(name))


LINHAS = SourceFormat(
    name="linhas",
    title="a list for tests",
    detect=_detect,
    read=_read,
    refusals=(Codes.BAD_LINE,),
    notes=(Codes.READ_BY,),
)


# Reading sources


# Files, folders and archives


SMALL = Limits(members=3, size=2000, ratio=2, ratio_from=100)


def content(document: SourceDocument, size: int = 7) -> bytes:
    with closing(document.open()) as stream:
        return b"".join(iter(lambda: stream.read(size), b""))


def walked(*paths: Path, limits: Limits = SMALL) -> list[tuple[str, bytes | str]]:
    """Return label and content of each document, and label and code of each refusal."""
    return [
        (outcome.origin, outcome.code) if isinstance(outcome, Refusal) else (outcome.label, content(outcome))
        for outcome in walk(paths, limits)
    ]


def refused_in_reading(path: Path, *, match: str | None = None, size: int = 7) -> RefusalCode:
    """Return the code of the refusal of the first document, raised while it is read."""
    documents = iter(walk([path]))  # an archive stays open until the walk ends
    document = next(documents)
    assert isinstance(document, SourceDocument)
    with pytest.raises(BadRecord, match=match) as raised:
        content(document, size)
    assert isinstance(raised.value.code, RefusalCode)
    return raised.value.code


def zipped(path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, files: dict[str, bytes], mode: str = "w", **links: str) -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for name, target in links.items():
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            archive.addfile(link)
    return path


def test_folder_is_walked_recursively_in_order_without_hidden_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "data"
    for name in ("b.xml", "a/z.xml", "a/b/c.xml", ".hidden/x.xml", "a/.x.xml", "c.xml"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    found = [(f"data/{name}", name.encode()) for name in ("a/b/c.xml", "a/z.xml", "b.xml", "c.xml")]
    assert walked(root) == found
    monkeypatch.chdir(root)
    # arguments keep their order, and labels omit parent paths
    assert walked(root / "c.xml", Path()) == [("c.xml", b"c.xml"), *found]
    assert not any(str(tmp_path) in label for label, _ in walked(root, root / "b.xml", Path()))


def test_missing_path_is_reported_before_reading(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        walk([tmp_path, tmp_path / "no\x1bne"])
    assert str(raised.value) == f"expected a file or a folder, got '{tmp_path}/no\\x1bne', which does not exist"


def test_link_cycles_and_pipes_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.xml").write_bytes(b"1")
    for name, target in (("up", tmp_path), ("me", "me"), ("nowhere", tmp_path / "gone")):
        (tmp_path / "d" / name).symlink_to(target)
    os.mkfifo(tmp_path / "d" / "pipe.xml")
    unreadable = [(f"d/{name}", RefusalCode.UNREADABLE) for name in ("me", "nowhere", "pipe.xml")]
    assert walked(tmp_path / "d") == [("d/a.xml", b"1"), *unreadable]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(b"")
    path.chmod(0)
    assert walked(path) == [("a.xml", RefusalCode.UNREADABLE)]


def test_unusual_file_names_are_escaped(tmp_path: Path) -> None:
    for name in (b"a\n\x1b[31m.xml", b"\xff.xml", "ção.xml".encode()):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"")
    labels = [f"{tmp_path.name}/{name}" for name in ("a\\x0a\\x1b[31m.xml", "ção.xml", "\\xff.xml")]
    assert [label for label, _ in walked(tmp_path)] == labels
    assert shown_path("\u202eexe.lmx") == "\\u202eexe.lmx"


# Archives


@pytest.mark.parametrize("end", ["ZIP", "tar", "tar.gz", "TGZ", "tar.xz", "tar.bz2"])
def test_members_are_reopenable_and_stay_in_the_archive(tmp_path: Path, end: str) -> None:
    """Members of a ZIP archive are sorted; those of a tar archive keep their order."""
    path = tmp_path / f"p.{end}"
    if end == "ZIP":
        zipped(path, {"b.xml": b"2", "a/c.xml": b"1", "__MACOSX/._b.xml": b"", "../x.xml": b"3"})
        expected = {"../x.xml": b"3", "a/c.xml": b"1", "b.xml": b"2"}
    else:
        mode = {"tar": "w", "tar.xz": "w:xz", "tar.bz2": "w:bz2"}.get(end, "w:gz")
        tarred(path, {"b.xml": b"2", "a/c.xml": b"1", ".x/d.xml": b"", "../x.xml": b"3"}, mode)
        expected = {"b.xml": b"2", "a/c.xml": b"1"}
    assert walked(path, limits=Limits()) == [(f"p.{end}!{name}", data) for name, data in expected.items()]
    for document in walk([path]):
        assert isinstance(document, SourceDocument)
        assert content(document) == content(document)
    assert not (tmp_path.parent / "x.xml").exists()


def test_archive_with_too_many_members_is_refused(tmp_path: Path) -> None:
    assert len(walked(zipped(tmp_path / "3.zip", dict.fromkeys("abc", b"x")))) == 3
    outcomes = walk([zipped(tmp_path / "4.zip", dict.fromkeys("abcd", b"x"))], SMALL)
    assert [(r.problem, r.expected) for r in outcomes if isinstance(r, Refusal)] == [
        ("it holds 4 files", "at most 3 files in an archive")
    ]
    many = tarred(tmp_path / "many.tar", dict.fromkeys("abcd", b"x"))
    expected = [*((f"many.tar!{name}", b"x") for name in "abc"), ("many.tar", RefusalCode.ARCHIVE_BOMB)]
    assert walked(many, limits=Limits(members=3)) == expected


@pytest.mark.parametrize("method", [96, 97])
def test_zip_with_an_unsupported_compression_method_is_refused(tmp_path: Path, method: int) -> None:
    """Method 97 is WavPack (APPNOTE 4.4.5); zipfile raises NotImplementedError for it."""
    path = zipped(tmp_path / "z.zip", {"a.xml": b"x"}, compression=zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # the method's field (APPNOTE 4.3.7, 4.3.12)
        index = data.index(header) + place
        data[index : index + 2] = method.to_bytes(2, "little")
    path.write_bytes(data)
    assert refused_in_reading(path, match="compression method is not supported") == RefusalCode.BAD_ARCHIVE


def test_bombs_are_refused_by_ratio_and_size(tmp_path: Path) -> None:
    dense = zipped(tmp_path / "dense.zip", {"a.xml": b"x" * 1000, "b.xml": b"ok"})
    assert walked(dense) == [("dense.zip!a.xml", RefusalCode.ARCHIVE_BOMB), ("dense.zip!b.xml", b"ok")]
    large = zipped(tmp_path / "l.zip", {"a": b"x" * 1999, "b": b"y", "c": b"z"}, compression=zipfile.ZIP_STORED)
    assert walked(large) == [("l.zip!a", b"x" * 1999), ("l.zip!b", b"y"), ("l.zip!c", RefusalCode.ARCHIVE_BOMB)]
    real = zipped(tmp_path / "bomb.zip", {"a.xml": bytes(11 << 20), "b.xml": bytes(10 << 20)})
    assert [type(outcome).__name__ for outcome in walk([real])] == ["Refusal", "SourceDocument"]
    bomb = tarred(tmp_path / "bomb.tar.xz", {"a.xml": bytes(40 << 20)}, "w:xz")
    assert walked(bomb, limits=Limits()) == [("bomb.tar.xz", RefusalCode.ARCHIVE_BOMB)]
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(50 << 20)))
    assert refused_in_reading(tmp_path / "a.gz", size=1 << 20) == RefusalCode.ARCHIVE_BOMB


def test_links_and_archives_in_a_tar_are_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tarred(tmp_path / "p.tar", {"in.tar.xz": b"x", "in.zip": b"x", "a.xml": b"ok"}, link="/etc/passwd")
    assert walked(path, limits=Limits()) == [
        ("p.tar!in.tar.xz", RefusalCode.NESTED_ARCHIVE),
        ("p.tar!in.zip", RefusalCode.NESTED_ARCHIVE),
        ("p.tar!a.xml", b"ok"),
        ("p.tar!link", RefusalCode.UNREADABLE),
    ]


def test_nested_archives_and_encrypted_members_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "n.zip", {"in.zip": b"x", "in.xml.GZ": b"x", "a.xml": b"x"})
    with zipfile.ZipFile(path) as archive:
        offset = archive.getinfo("a.xml").header_offset
    data = bytearray(path.read_bytes())
    data[offset + 6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert walked(path) == [
        ("n.zip!a.xml", RefusalCode.ENCRYPTED),
        ("n.zip!in.xml.GZ", RefusalCode.NESTED_ARCHIVE),
        ("n.zip!in.zip", RefusalCode.NESTED_ARCHIVE),
    ]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_truncated_tar_gives_its_complete_members_and_is_refused(tmp_path: Path, mode: str, share: float) -> None:
    files = {f"{number}.xml": random.Random(number).randbytes(9000) for number in range(20)}  # noqa: S311 - no secrets
    path = tarred(tmp_path / f"p.tar{mode[1:].replace(':', '.')}", files, mode)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    outcomes = walked(path, limits=Limits())
    assert outcomes[-1][1] in (RefusalCode.TRUNCATED_FILE, RefusalCode.BAD_ARCHIVE)
    assert all(data == files[label.partition("!")[2]] for label, data in outcomes[:-1])


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18])
def test_file_that_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    for name in ("a.zip", "a.tar"):
        (tmp_path / name).write_bytes(data)
        assert walked(tmp_path / name)[-1:] in (
            [(name, RefusalCode.BAD_ARCHIVE)],
            [(name, RefusalCode.TRUNCATED_FILE)] if name == "a.tar" else [],
        )


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_member_is_refused_during_reading(tmp_path: Path, compression: int) -> None:
    path = zipped(tmp_path / "a.zip", {"a.xml": os.urandom(5000).hex().encode()}, compression=compression)
    data = bytearray(path.read_bytes())
    data[2000] ^= 0xFF
    path.write_bytes(data)
    damaged = r"the archive is damaged: (?!.*closed)"
    assert refused_in_reading(path, match=damaged) == RefusalCode.BAD_ARCHIVE
    liar = zipped(tmp_path / "liar.zip", {"a.xml": b"x" * 1000})
    liar.write_bytes(liar.read_bytes().replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    assert refused_in_reading(liar, match=damaged) == RefusalCode.BAD_ARCHIVE, "longer than stated"


def test_gz_is_decompressed_and_named_without_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"1") + gzip.compress(b"2"))
    (document,) = walk([path])
    assert isinstance(document, SourceDocument)
    assert (document.label, document.file_name, content(document)) == ("a.csv.gz", "a.csv", b"12")
    whole = gzip.compress(b"1", mtime=0)
    for data in (b"not gzip", whole + b"trailing", whole[:-8] + bytes(8)):
        path.write_bytes(data)
        assert refused_in_reading(path) == RefusalCode.BAD_ARCHIVE


def test_truncated_gz_gives_its_content_before_the_error(tmp_path: Path) -> None:
    text = os.urandom(100_000).hex().encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(text)[:50_000])
    (document,) = walk([tmp_path / "a.gz"], Limits())
    assert isinstance(document, SourceDocument)
    copied = io.BytesIO()

    def copy(stream: io.BufferedIOBase) -> None:
        while data := stream.read(65536):
            copied.write(data)

    with closing(document.open()) as stream, pytest.raises(BadRecord) as raised:
        copy(stream)  # type: ignore[arg-type]
    assert raised.value.code == RefusalCode.TRUNCATED_FILE
    assert str(raised.value) == "the compressed file is truncated (expected an undamaged .gz file, whole)"
    assert len(copied.getvalue()) > 80_000
    assert text.startswith(copied.getvalue())


# Lists of names, and file types


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


# The table of formats
# Samples of a format are the files of ``tests/data/NAME``.


ROOT = Path(__file__).resolve().parents[3]
SAMPLES = [
    (source_format, path) for source_format in BUILT_IN for path in sorted((DATA / source_format.name).glob("*"))
]

each_sample = pytest.mark.parametrize(
    ("kind", "sample"), SAMPLES, ids=[f"{kind.name}-{path.name}" for kind, path in SAMPLES]
)


def _codes(kind: SourceFormat, raw: bytes, name: str) -> set[str]:
    """Return the codes of refusals and notes when a document is read as one of that format."""
    outcomes = read_document(source(raw, name), as_kind=kind.name)
    return {outcome.code for outcome in outcomes if isinstance(outcome, Refusal | Note)}


def _declared(kind: SourceFormat) -> set[Code]:
    return {*kind.refusals, *kind.notes, *ANY_FORMAT, *ANY_NOTES}


@each_sample
def test_sample_is_detected_and_its_codes_are_declared(kind: SourceFormat, sample: Path) -> None:
    raw = sample.read_bytes()
    head = Head(raw, sample.name)
    if kind.name == "amendments":  # its texts are loaded whole
        assert detect(head).name == "text"
        kind = detect(head)
    assert detect(head) is kind
    matches = {source_format.name: source_format.detect(head) for source_format in BUILT_IN}
    assert [name for name, match in matches.items() if match >= matches[kind.name]] == [kind.name]
    for other in BUILT_IN:
        assert _codes(other, raw, sample.name) - _declared(other) == set(), other.name


@pytest.mark.slow
@each_sample
def test_codes_of_damaged_samples_are_declared(kind: SourceFormat, sample: Path) -> None:
    sample_bytes = sample.read_bytes()
    chance = random.Random(len(sample_bytes))  # noqa: S311 - the same damage each time
    seen: set[str] = set()
    for _ in range(60):
        index, size = chance.randrange(len(sample_bytes)), chance.choice((1, 4, 40, len(sample_bytes)))
        put = chance.choice(
            (b"", b"\xff", b"<", b'"', b"<!DOCTYPE x>", sample_bytes[index : index + size] * 2, b"lei", b";")
        )
        seen |= _codes(kind, sample_bytes[:index] + put + sample_bytes[index + size :], sample.name)
    for old, new in ((b"urn:lex:", b"lex;"), (b"\n", b"x" * MAX_LINE + b"\n"), (b"ei ", b"ei " + b"x" * MAX_TEXT)):
        seen |= _codes(kind, sample_bytes.replace(old, new, 3), sample.name)
        seen |= _codes(kind, new.join(sample_bytes.rsplit(old, 1)), sample.name)
    assert seen - _declared(kind) == set()


def _used(path: Path) -> set[Code]:
    """Return the codes used in the functions of a module; those outside functions are declarations."""
    functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    codes: set[Code] = set()
    for node in (inner for function in functions for inner in ast.walk(function)):
        match node:
            case ast.Attribute(value=ast.Name(id="RefusalCode"), attr=name):
                codes.add(RefusalCode[name])
            case ast.Attribute(value=ast.Name(id="NoteCode"), attr=name):
                codes.add(NoteCode[name])
            case _:
                pass
    return codes


def test_formats_have_samples_and_declare_each_code_once() -> None:
    for kind in BUILT_IN:
        assert [path for source_format, path in SAMPLES if source_format is kind], kind.name
        module = Path(sys.modules[kind.read.__module__].__file__ or "")
        files = module.parent.glob("*.py") if module.name == "__init__.py" else [module]
        used = {code for path in files for code in _used(path)}
        assert used, kind.name
        assert used - _declared(kind) == set(), kind.name
        codes = [*kind.refusals, *kind.notes]
        assert len(set(codes)) == len(codes), kind.name
    every = {code for path in (ROOT / "loaders").rglob("*.py") for code in _used(path)}
    declared = {code for kind in BUILT_IN for code in _declared(kind)}
    assert every == {*RefusalCode, *NoteCode}
    assert {code for code in declared if isinstance(code, RefusalCode | NoteCode)} == {*RefusalCode, *NoteCode}


@pytest.fixture
def linhas() -> Iterator[SourceFormat]:
    """Register one more format, ``linhas``."""
    with patch.dict(FORMATS):
        register(LINHAS)
        yield LINHAS


def test_registered_format_is_detected_loaded_and_retried(linhas: SourceFormat, tmp_path: Path) -> None:
    folder = tmp_path / "fontes"
    folder.mkdir()
    (folder / "a.txt").write_text(f"%linhas\n{A}\nlei\n", encoding="utf-8")
    (folder / "b.txt").write_text(f"{B}\n", encoding="utf-8")
    store, quarantine = in_memory(), Quarantine(tmp_path / "quarantine")
    summary = load([folder], store, quarantine)
    assert (summary.loaded, summary.refused, summary.note_counts) == (2, {"bad-line": 1}, {"read-by": 1})
    (kept,) = quarantine.list()
    assert (kept.kind, kept.position) == (linhas.name, "line 3")
    again = retry(quarantine, store)
    assert (again.refused, quarantine.count()) == ({"bad-line": 1}, 1)


@pytest.mark.usefixtures("linhas")
def test_registered_format_is_selected_by_as(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "fonte"
    source.write_text(f"{A}\n", encoding="utf-8")
    store = str(tmp_path / "store")
    assert main(["--store", store, "load", "--as", "linhas", str(source)]) == Exit.ANSWERED
    assert main(["--store", store, "load", "--as", "outra", str(source)]) == Exit.USAGE
    assert "vocabulary or linhas, got 'outra'" in capsys.readouterr().err


@pytest.mark.usefixtures("linhas")
def test_worker_processes_read_a_registered_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_WORTH", 0)
    (tmp_path / "a").write_text(f"%linhas\n{A}\n", encoding="utf-8")
    summary = load([tmp_path / "a"], in_memory(), Quarantine(tmp_path / "quarantine"), workers=2)
    assert (summary.loaded, summary.refused) == (1, {})
    assert [note.message == str(os.getpid()) for note in summary.notes] == [False]


@pytest.mark.usefixtures("linhas")
def test_format_name_is_registered_once() -> None:
    register(LINHAS)
    other = SourceFormat("linhas", "x", LINHAS.detect, LINHAS.read, ())
    with pytest.raises(ValueError, match="there is another format 'linhas'"):
        register(other)


def test_format_name_has_only_typeable_characters() -> None:
    for name in ("", "Linhas", "a-b", "a b", "1a"):
        with pytest.raises(ValueError, match="expected a name of lower-case letters"):
            SourceFormat(name, "x", LINHAS.detect, LINHAS.read, ())
