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


def content(document: SourceDocument) -> bytes:
    with closing(document.open()) as stream:
        return b"".join(iter(lambda: stream.read(7), b""))


def walked(*paths: Path, limits: Limits = SMALL) -> list[tuple[str, bytes | str]]:
    """Return label and content of each document, and label and code of each refusal."""
    return [
        (outcome.origin, outcome.code) if isinstance(outcome, Refusal) else (outcome.label, content(outcome))
        for outcome in walk(paths, limits)
    ]


def zipped(path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_folder_is_walked_recursively_in_order_without_hidden_files(tmp_path: Path) -> None:
    root = tmp_path / "data"
    for name in ("b.xml", "a/z.xml", "a/b/c.xml", ".hidden/x.xml", "a/.x.xml", "c.xml"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    assert walked(root) == [
        ("data/a/b/c.xml", b"a/b/c.xml"),
        ("data/a/z.xml", b"a/z.xml"),
        ("data/b.xml", b"b.xml"),
        ("data/c.xml", b"c.xml"),
    ]


def test_arguments_keep_their_order_and_labels_omit_parent_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.xml", "a.xml"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    expected = [("b.xml", b""), (f"{tmp_path.name}/a.xml", b""), (f"{tmp_path.name}/b.xml", b"")]
    assert walked(tmp_path / "b.xml", Path()) == expected
    assert not any(str(tmp_path) in label for label, _ in walked(tmp_path, tmp_path / "a.xml", Path()))


def test_missing_path_is_reported_before_reading(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        walk([tmp_path, tmp_path / "no\x1bne"])
    assert str(raised.value) == f"expected a file or a folder, got '{tmp_path}/no\\x1bne', which does not exist"


def test_link_cycles_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.xml").write_bytes(b"1")
    (tmp_path / "d" / "up").symlink_to(tmp_path)
    (tmp_path / "d" / "me").symlink_to("me")
    (tmp_path / "d" / "nowhere").symlink_to(tmp_path / "gone")
    assert walked(tmp_path / "d") == [
        ("d/a.xml", b"1"),
        ("d/me", RefusalCode.UNREADABLE),
        ("d/nowhere", RefusalCode.UNREADABLE),
    ]


def test_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    assert walked(tmp_path / "pipe.xml") == [("pipe.xml", RefusalCode.UNREADABLE)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(b"")
    path.chmod(0)
    assert walked(path) == [("a.xml", RefusalCode.UNREADABLE)]


def test_unusual_file_names_are_escaped(tmp_path: Path) -> None:
    for name in (b"a\n\x1b[31m.xml", b"\xff.xml", "ção.xml".encode()):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"")
    assert [label for label, _ in walked(tmp_path)] == [
        f"{tmp_path.name}/a\\x0a\\x1b[31m.xml",
        f"{tmp_path.name}/ção.xml",
        f"{tmp_path.name}/\\xff.xml",
    ]
    assert shown_path("\u202eexe.lmx") == "\\u202eexe.lmx"


def test_zip_members_are_sorted_and_reopenable(tmp_path: Path) -> None:
    path = zipped(tmp_path / "p.ZIP", {"b.xml": b"2", "a/c.xml": b"1", "__MACOSX/._b.xml": b"", "../x.xml": b"3"})
    labels = ["p.ZIP!../x.xml", "p.ZIP!a/c.xml", "p.ZIP!b.xml"]
    assert walked(path, limits=Limits()) == list(zip(labels, [b"3", b"1", b"2"], strict=True))
    for document in walk([path]):
        assert isinstance(document, SourceDocument)
        assert content(document) == content(document)
    assert not (tmp_path.parent / "x.xml").exists()


def test_zip_with_too_many_members_is_refused(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    assert len(walked(zipped(tmp_path / "3.zip", dict.fromkeys(names[:3], b"x")))) == 3
    outcomes = walk([zipped(tmp_path / "4.zip", dict.fromkeys(names, b"x"))], SMALL)
    assert [(r.problem, r.expected) for r in outcomes if isinstance(r, Refusal)] == [
        ("it holds 4 files", "at most 3 files in an archive")
    ]


def test_zip_with_an_unsupported_compression_method_is_refused(tmp_path: Path) -> None:
    """Method 97 is WavPack (APPNOTE 4.4.5); zipfile raises NotImplementedError for it."""
    path = zipped(tmp_path / "z.zip", {"a.xml": b"x"}, compression=zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        index = data.index(header) + place
        data[index : index + 2] = (97).to_bytes(2, "little")
    path.write_bytes(data)
    with pytest.raises(BadRecord, match="compression method is not supported") as raised:
        walked(path)
    assert raised.value.code == RefusalCode.BAD_ARCHIVE


def test_zip_bomb_is_refused_by_ratio_and_size(tmp_path: Path) -> None:
    dense = zipped(tmp_path / "dense.zip", {"a.xml": b"x" * 1000, "b.xml": b"ok"})
    assert walked(dense) == [("dense.zip!a.xml", RefusalCode.ARCHIVE_BOMB), ("dense.zip!b.xml", b"ok")]
    large = zipped(tmp_path / "l.zip", {"a": b"x" * 1999, "b": b"y", "c": b"z"}, compression=zipfile.ZIP_STORED)
    assert walked(large) == [("l.zip!a", b"x" * 1999), ("l.zip!b", b"y"), ("l.zip!c", RefusalCode.ARCHIVE_BOMB)]


def test_real_zip_bomb_is_refused_by_the_default_limits(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"a.xml": bytes(11 << 20), "b.xml": bytes(10 << 20)})
    assert [type(outcome).__name__ for outcome in walk([path])] == ["Refusal", "SourceDocument"]


def test_zip_member_larger_than_its_stated_size_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "liar.zip", {"a.xml": b"x" * 1000})
    packed = path.read_bytes().replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(packed)
    documents = iter(walk([path]))  # the archive stays open until the walk ends
    document = next(documents)
    assert isinstance(document, SourceDocument)
    with pytest.raises(BadRecord, match=r"the archive is damaged: (?!.*closed)") as raised:
        content(document)
    assert raised.value.code == RefusalCode.BAD_ARCHIVE


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


@pytest.mark.parametrize(
    ("end", "mode"), [("tar", "w"), ("tar.gz", "w:gz"), ("TGZ", "w:gz"), ("tar.xz", "w:xz"), ("tar.bz2", "w:bz2")]
)
def test_tar_members_keep_their_order_and_are_reopenable(tmp_path: Path, end: str, mode: str) -> None:
    path = tarred(tmp_path / f"p.{end}", {"b.xml": b"2", "a/c.xml": b"1", ".x/d.xml": b"", "../x.xml": b"3"}, mode)
    labels = [f"p.{end}!b.xml", f"p.{end}!a/c.xml"]
    assert walked(path, limits=Limits()) == list(zip(labels, [b"2", b"1"], strict=True))
    for document in walk([path]):
        assert isinstance(document, SourceDocument)
        assert content(document) == content(document)


def test_links_and_archives_in_a_tar_are_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tarred(tmp_path / "p.tar", {"in.tar.xz": b"x", "in.zip": b"x", "a.xml": b"ok"}, link="/etc/passwd")
    assert walked(path, limits=Limits()) == [
        ("p.tar!in.tar.xz", RefusalCode.NESTED_ARCHIVE),
        ("p.tar!in.zip", RefusalCode.NESTED_ARCHIVE),
        ("p.tar!a.xml", b"ok"),
        ("p.tar!link", RefusalCode.UNREADABLE),
    ]


def test_tar_over_the_limits_is_refused(tmp_path: Path) -> None:
    many = tarred(tmp_path / "many.tar", dict.fromkeys("abcd", b"x"))
    outcomes = walked(many, limits=Limits(members=3))
    assert outcomes == [*((f"many.tar!{name}", b"x") for name in "abc"), ("many.tar", RefusalCode.ARCHIVE_BOMB)]
    bomb = tarred(tmp_path / "bomb.tar.xz", {"a.xml": bytes(40 << 20)}, "w:xz")
    assert walked(bomb, limits=Limits()) == [("bomb.tar.xz", RefusalCode.ARCHIVE_BOMB)]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_truncated_tar_gives_its_complete_members_and_is_refused(tmp_path: Path, mode: str, share: float) -> None:
    files = {f"{number}.xml": random.Random(number).randbytes(9000) for number in range(20)}  # noqa: S311 - no secrets
    path = tarred(tmp_path / f"p.tar{mode[1:].replace(':', '.')}", files, mode)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    outcomes = walked(path, limits=Limits())
    assert outcomes[-1][1] in (RefusalCode.TRUNCATED_FILE, RefusalCode.BAD_ARCHIVE)
    assert all(data == files[label.partition("!")[2]] for label, data in outcomes[:-1])
    assert walked(tmp_path / "none.tar" if (tmp_path / "none.tar").write_bytes(b"no tar") else path)[-1][1] in (
        RefusalCode.TRUNCATED_FILE,
        RefusalCode.BAD_ARCHIVE,
    )


def test_nested_archives_and_encrypted_members_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "n.zip", {"in.zip": b"x", "in.xml.GZ": b"x", "a.xml": b"x"})
    with zipfile.ZipFile(path) as archive:
        offset = archive.getinfo("a.xml").header_offset
    data = bytearray(path.read_bytes())
    central = data.rindex(b"PK\x01\x02")
    data[offset + 6] |= 1
    data[central + 8] |= 1
    path.write_bytes(data)
    assert walked(path) == [
        ("n.zip!a.xml", RefusalCode.ENCRYPTED),
        ("n.zip!in.xml.GZ", RefusalCode.NESTED_ARCHIVE),
        ("n.zip!in.zip", RefusalCode.NESTED_ARCHIVE),
    ]


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18])
def test_invalid_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    assert walked(tmp_path / "a.zip") == [("a.zip", RefusalCode.BAD_ARCHIVE)]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_member_is_refused_during_reading(tmp_path: Path, compression: int) -> None:
    text = os.urandom(5000).hex().encode()
    path = zipped(tmp_path / "a.zip", {"a.xml": text}, compression=compression)
    data = bytearray(path.read_bytes())
    data[2000] ^= 0xFF
    path.write_bytes(data)
    documents = iter(walk([path]))  # the archive stays open until the walk ends
    document = next(documents)
    assert isinstance(document, SourceDocument)
    with pytest.raises(BadRecord, match=r"the archive is damaged: (?!.*closed)") as raised:
        content(document)
    assert raised.value.code == RefusalCode.BAD_ARCHIVE


def test_gz_is_decompressed_and_named_without_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"1") + gzip.compress(b"2"))
    (document,) = walk([path])
    assert isinstance(document, SourceDocument)
    assert (document.label, document.file_name, content(document)) == ("a.csv.gz", "a.csv", b"12")


def test_truncated_gz_gives_its_content_before_the_error(tmp_path: Path) -> None:
    text = os.urandom(100_000).hex().encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(text)[:50_000])
    (document,) = walk([tmp_path / "a.gz"], Limits())
    assert isinstance(document, SourceDocument)
    copied = io.BytesIO()
    stream = document.open()

    def copy() -> None:
        while data := stream.read(65536):
            copied.write(data)

    with closing(stream), pytest.raises(BadRecord) as raised:
        copy()
    assert raised.value.code == RefusalCode.TRUNCATED_FILE
    assert str(raised.value) == "the compressed file is truncated (expected an undamaged .gz file, whole)"
    assert len(copied.getvalue()) > 80_000
    assert text.startswith(copied.getvalue())


@pytest.mark.parametrize(
    "data",
    [b"not gzip", gzip.compress(b"1", mtime=0) + b"trailing", gzip.compress(b"1", mtime=0)[:-8] + bytes(8)],
    ids=["no-gzip", "something-behind", "wrong-sum"],
)
def test_damaged_gz_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    (document,) = walk([tmp_path / "a.gz"])
    assert isinstance(document, SourceDocument)
    with pytest.raises(BadRecord) as raised:
        content(document)
    assert raised.value.code == RefusalCode.BAD_ARCHIVE


def test_gz_bomb_is_stopped_during_reading(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(50 << 20)))
    (document,) = walk([tmp_path / "a.gz"])
    assert isinstance(document, SourceDocument)
    with closing(document.open()) as stream, pytest.raises(BadRecord) as raised:
        b"".join(iter(lambda: stream.read(1 << 20), b""))
    assert raised.value.code == RefusalCode.ARCHIVE_BOMB


def test_member_with_unknown_compression_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.xml": b"<a/>"})
    data = bytearray(path.read_bytes())
    for header, index in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # the method's field (APPNOTE 4.3.7, 4.3.12)
        data[data.index(header) + index] = 96
    path.write_bytes(data)
    documents = walk([path])  # the archive stays open until the walk ends
    document = next(documents)
    assert isinstance(document, SourceDocument)
    with pytest.raises(BadRecord, match="compression") as raised:
        content(document)
    assert raised.value.code == RefusalCode.BAD_ARCHIVE
