"""Tests of the XML parser: the elements returned, the documents refused, and defences against hostile input."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadRecord
from loaders.codes import RefusalCode
from loaders.xml import RECORD_LIMIT, BadXml, iter_elements, plain_text, prolog
from tests.support.memory import needs_peak

ROOT = Path(__file__).resolve().parents[3]


@dataclass
class Parsed:
    """The texts of all elements ``r`` that were parsed, and the error that ended parsing."""

    texts: list[str]
    error: BadXml | None


def parsed(data: bytes) -> Parsed:
    texts: list[str] = []
    try:
        for element in iter_elements(io.BytesIO(data), ["r"]):
            texts.append(plain_text(element))
    except BadXml as error:
        return Parsed(texts, error)
    return Parsed(texts, None)


def code(data: bytes) -> str | None:
    error = parsed(data).error
    return error.code if error else None


def test_outermost_elements_are_yielded_in_order_in_any_namespace() -> None:
    data = b'<a><r>1</r><q:r xmlns:q="x">2<r>3</r></q:r><b><r xmlns="y">4</r></b></a>'
    assert parsed(data) == Parsed(["1", "23", "4"], None)


def test_root_may_be_the_element() -> None:
    assert parsed(b"<r>1</r>") == Parsed(["1"], None)


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE a><a><r/></a>",
        b'<?xml version="1.0"?>\n<!-- x --><?p x?>\n<!DOCTYPE a [<!ENTITY l "lol">]><a><r>&l;</r></a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a><r>&x;</r></a>',
        b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><a><r/></a>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><a><r/></a>',
        b'<!DOCTYPE a [<!ENTITY q "' + b"x" * 50_000 + b'">]><a><r>' + b"&q;" * 1000 + b"</r></a>",
        b"<!doctype html><html><r/></html>",
    ],
    ids=["bare", "internal", "external", "parameter", "system", "quadratic", "html"],
)
def test_doctype_is_refused_before_any_record(data: bytes) -> None:
    result = parsed(data)
    assert result.texts == []
    assert result.error is not None
    assert result.error.code == RefusalCode.DOCTYPE


def test_billion_laughs_are_refused_immediately() -> None:
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    data = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "lol">{levels}]><a><r>&l9;</r></a>'.encode()
    error = parsed(data).error
    assert str(error) == (
        "the file has a document type declaration (<!DOCTYPE>) "
        "(expected XML without one: entities are never read, see docs/reference/sources.md)"
    )
    assert (error.line, error.column) == (1, 22) if error else False


def test_doctype_in_a_comment_or_text_is_ignored() -> None:
    assert parsed(b"<!-- <!DOCTYPE a> --><?p <!DOCTYPE a> ?><a><r>&lt;!DOCTYPE a></r></a>").texts == ["<!DOCTYPE a>"]


def test_doctype_after_the_root_is_ill_formed() -> None:
    assert parsed(b"<a><r>1</r><!DOCTYPE a></a>").texts == ["1"]
    assert code(b"<a><r>1</r><!DOCTYPE a></a>") == RefusalCode.ILL_FORMED_XML


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"<a><r>1</r><r>2</r><r>3", ["1", "2"]),
        (b"<a><r>1</r><r>2</x></a>", ["1"]),
        (b"<a><r>1</r><r>2\x01</r></a>", ["1"]),
        (b"<a><r>1</r><r>2\x00</r></a>", ["1"]),
        (b"<a><r>1</r><r>&#1;</r></a>", ["1"]),
        (b"<a><r>1</r><r>&copy;</r><r>3</r></a>", ["1"]),
        (b"<a><r>1</r><r z='&copy;'>2</r></a>", ["1"]),
        (b"<a><r>1</r></a><b/>", ["1"]),
        (b"<a><r>1</r><q:r>2</q:r></a>", ["1", "2"]),
        (b"plain text", []),
        (b"<", []),
        (b"<?xml version='1.0'?>", []),
        (b"<!-- never ends", []),
    ],
)
def test_records_before_an_error_are_yielded(data: bytes, texts: list[str]) -> None:
    result = parsed(data)
    assert result.texts == texts
    assert result.error is not None
    assert result.error.code == RefusalCode.ILL_FORMED_XML


def test_error_has_line_and_column() -> None:
    error = parsed(b"<a>\n<r>1</r>\n  <r>2</x></a>").error
    assert error is not None
    assert (error.line, error.column) == (3, 11)
    assert error.position == "line 3, column 11"
    assert error.problem.startswith("the XML is not well-formed: Opening and ending tag mismatch")
    assert error.expected == "well-formed XML, XML 1.0 (Fifth Edition)"


@pytest.mark.parametrize("data", [b"", b" \r\n\t ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_blank_file_is_empty(data: bytes) -> None:
    assert str(parsed(data).error) == "the file is empty or only white space (expected an XML document)"
    assert code(data) == RefusalCode.EMPTY_FILE


def test_white_space_before_the_declaration_is_refused() -> None:
    error = parsed(b"\n <?xml version='1.0'?><a><r/></a>").error
    assert str(error) == (
        "white space stands before the XML declaration "
        "(expected `<?xml` as the very first characters of the file, XML 1.0 (Fifth Edition), section 2.8)"
    )
    assert error is not None
    assert error.position == "line 2, column 2"
    assert parsed(b"\n <a><r>1</r></a>") == Parsed(["1"], None)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<a><r>ção</r></a>".encode(), "ção"),
        (b"\xef\xbb\xbf" + "<a><r>ção</r></a>".encode(), "ção"),
        (b"\xef\xbb\xbf" + "<?xml version='1.0' encoding='UTF-8'?><a><r>ção</r></a>".encode(), "ção"),
        ("<?xml version='1.0' encoding='utf8'?><a><r>ção</r></a>".encode(), "ção"),
        ("<?xml version='1.0' encoding=\"ISO-8859-1\"?><a><r>ção</r></a>".encode("latin-1"), "ção"),
        (b"<?xml version='1.0' encoding = 'us-ascii' ?><a><r>x</r></a>", "x"),
    ],
)
def test_supported_encodings_are_read(data: bytes, text: str) -> None:
    assert parsed(data) == Parsed([text], None)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("<a><r/></a>".encode("utf-16"), "the file is in UTF-16"),
        ("<a><r/></a>".encode("utf-16-le"), "the file is in UTF-16"),
        ("<a><r/></a>".encode("utf-16-be"), "the file is in UTF-16"),
        ("<a><r/></a>".encode("utf-32"), "the file is in UTF-32"),
        ("<a><r/></a>".encode("utf-32-be"), "the file is in UTF-32"),
        ("<?xml version='1.0'?>".encode("cp037"), "the file is in EBCDIC"),
        (b"<?xml version='1.0' encoding='windows-1252'?><a/>", "the file declares the encoding 'windows-1252'"),
        (b"<?xml version='1.0' encoding='utf-7'?><a/>", "the file declares the encoding 'utf-7'"),
        (
            b"\xef\xbb\xbf<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
            "the file declares the encoding 'ISO-8859-1', and begins with the mark of UTF-8",
        ),
    ],
)
def test_unsupported_encodings_are_refused(data: bytes, problem: str) -> None:
    error = parsed(data).error
    assert error is not None
    assert (error.code, error.problem) == (RefusalCode.BAD_ENCODING, problem)


@pytest.mark.parametrize("bad", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", "ção".encode("latin-1")])
def test_invalid_utf8_is_refused(bad: bytes) -> None:
    result = parsed(b"<a><r>1</r><r>" + bad + b"</r></a>")
    assert result.texts == ["1"]
    assert result.error is not None
    assert result.error.code == RefusalCode.BAD_ENCODING


def test_non_ascii_byte_is_refused() -> None:
    result = parsed(b"<?xml version='1.0' encoding='US-ASCII'?><a><r>1</r><r>\xe9</r></a>")
    assert result.texts == ["1"]
    assert str(result.error) == (
        "the byte 0xE9 is not in the declared encoding US-ASCII "
        "(expected UTF-8, or ISO-8859-1 or US-ASCII where the file declares it)"
    )


@pytest.mark.parametrize("depth", [255, 256])
def test_depth_at_the_limit_is_read(depth: int) -> None:
    assert parsed(b"<r>" + b"<x>" * (depth - 1) + b"1" + b"</x>" * (depth - 1) + b"</r>") == Parsed(["1"], None)


@pytest.mark.parametrize("depth", [257, 300, 100_000])
def test_depth_over_the_limit_is_refused(depth: int) -> None:
    data = b"<a><r>1</r>" + b"<x>" * (depth - 1) + b"1" + b"</x>" * (depth - 1) + b"</a>"
    assert parsed(data).texts == ["1"]
    assert code(data) == RefusalCode.XML_LIMIT


def test_text_length_is_limited() -> None:
    assert parsed(b"<r>" + b"x" * 10_000_000 + b"</r>").error is None
    assert code(b"<r>" + b"x" * 10_100_000 + b"</r>") == RefusalCode.XML_LIMIT


def test_endless_record_is_refused_before_it_fills_the_memory() -> None:
    def endless() -> Iterator[bytes]:
        yield b"<a><r>1</r><r>"
        for _ in range(RECORD_LIMIT // 1000):
            yield b"<x>" + b"y" * 1000 + b"</x>\n"

    result = parsed(b"".join(endless()))
    assert result.texts == ["1"]
    assert result.error is not None
    assert result.error.code == RefusalCode.RECORD_TOO_LARGE
    assert result.error.problem == "more than 16777216 bytes without one complete record"


def test_wrong_root_is_reported() -> None:
    with pytest.raises(BadXml) as raised:
        list(iter_elements(io.BytesIO(b"<q:html xmlns:q='x'/>"), ["r"], roots=["LexML", "OAI-PMH"]))
    assert str(raised.value) == "the root element is <html> (expected <LexML>, <OAI-PMH>)"


def test_stream_error_is_raised_after_earlier_elements() -> None:
    class Cut(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            if not data:
                raise BadRecord(RefusalCode.TRUNCATED_FILE, "cut", "whole")
            return data

    elements = iter_elements(Cut(b"<a><r>1</r><r>2"), ["r"])
    assert plain_text(next(elements)) == "1"
    with pytest.raises(BadRecord, match="cut"):
        next(elements)


_FLAT = """
from loaders.xml import iter_elements
from tests.support.memory import Pages, peak

first = b"<a>" + b" " * 70000
page = (b"<list>junk<junk/><!-- c --><r><x>" + b"y" * 900 + b"</x></r></list>\\n") * 60
peaks = []
for pages in (100, 1000):
    assert sum(1 for _ in iter_elements(Pages(first, page, b"</a>", pages), ["r"])) == (pages - 1) * 60
    peaks.append(peak())
print(peaks[1] - peaks[0])
"""


@needs_peak
@pytest.mark.slow
def test_memory_is_constant_from_6_to_60_megabytes() -> None:
    run = subprocess.run([sys.executable, "-c", _FLAT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 4 << 10  # KiB


@given(st.binary(max_size=300))
def test_any_bytes_give_elements_or_a_bad_xml_error(data: bytes) -> None:
    for wrapped in (data, b"<a><r>" + data + b"</r></a>", b"<?xml " + data):
        result = parsed(wrapped)
        if result.error is not None:
            assert result.error.code in set(RefusalCode)


@given(st.text("<>/!-?DOCTYPEa[]&;'\"=: \n", max_size=60))
def test_doctype_is_never_accepted_after_any_markup(text: str) -> None:
    result = parsed(text.encode() + b"<!DOCTYPE r [<!ENTITY e 'boom'>]><r>&e;</r>")
    assert "boom" not in "".join(result.texts)


@given(st.binary(max_size=100))
def test_prolog_raises_only_bad_xml(data: bytes) -> None:
    try:
        encoding = prolog(data).encoding
    except BadXml:
        return
    assert encoding in {"utf-8", "iso-8859-1", "us-ascii"}
