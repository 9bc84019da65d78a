"""Tests of walking files, folders and archives: order, labels, limits, and unreadable files."""

from __future__ import annotations

import gzip
import io
import os
import random
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from graph.errors import BadRecord
from graph.quarantine import Refusal
from loaders.codes import RefusalCode
from loaders.documents import BadInput, Limits, SourceDocument, shown_path, walk

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
