"""The one XML parser of the project: streaming, strict, safe for hostile input; and the text of an element.

Nothing is resolved: a document type declaration is refused before the parser runs, so there are no entities, no files
    and no network. Errors of the parser become :class:`BadXml` with line and column.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lxml import etree
from lxml.etree import _Element

from graph.errors import BadRecord
from graph.wording.folding import with_printed_controls
from loaders.codes import RefusalCode
from loaders.lines import ByteStream

#: An element of an XML document.
Element: TypeAlias = _Element
#: The root element must begin within this number of bytes.
HEAD = 64 << 10
#: The maximum number of bytes between two complete elements of interest.
RECORD_LIMIT = 16 << 20

#: Refusal codes of any XML, besides its encoding.
XML_REFUSALS = (
    RefusalCode.DOCTYPE,
    RefusalCode.ILL_FORMED_XML,
    RefusalCode.RECORD_TOO_LARGE,
    RefusalCode.UNKNOWN_ROOT,
    RefusalCode.XML_LIMIT,
)

_CHUNK = 64 << 10
_SPACE = b" \t\r\n"
_XML = "XML 1.0 (Fifth Edition)"
_ENCODINGS = {"utf-8": "utf-8", "utf8": "utf-8", "iso-8859-1": "iso-8859-1", "us-ascii": "us-ascii"}
_EXPECTED_ENCODING = "UTF-8, or ISO-8859-1 or US-ASCII where the file declares it"
_DECLARATION = re.compile(rb"<\?xml[ \t\r\n]([^>]*)", re.DOTALL)
_DECLARED = re.compile(rb"encoding[ \t\r\n]*=[ \t\r\n]*[\"']([^\"'>]{0,60})[\"']")
_ROOT = re.compile(rb"<([^\x00-\x20<>/!?\"'=&]{1,256})")
# Error numbers of the parser (libxml2, xmlerror.h): bytes outside the encoding; its limits on depth and size.
_ENCODING_ERRORS = frozenset({6, 31, 32, 81})
_LIMIT_ERRORS = frozenset({45, 47, 114, 116})


class BadXml(BadRecord):
    """A file that this parser does not accept as XML.

    Args:
        code: one of :class:`loaders.codes.RefusalCode`.
        line: counted from 1; None if the fault is in the whole file.
        column: as above.
    """

    def __init__(
        self, code: RefusalCode, problem: str, expected: str, *, line: int | None = None, column: int | None = None
    ) -> None:
        self.line = line
        self.column = column
        super().__init__(code, problem, expected)

    @property
    def position(self) -> str:
        """Return the position as refusals state it."""
        return "whole file" if self.line is None else f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Prolog:
    """The data before and in the root element's start tag.

    Attributes:
        encoding: ``"utf-8"``, ``"iso-8859-1"`` or ``"us-ascii"``.
        root: local name of the root element.
        namespace: the namespace declared by the root element; empty if there is none.
    """

    encoding: str
    root: str
    namespace: str = ""


def namespace(tag: str) -> str:
    """Return the namespace of a name in Clark notation; empty if it has none.

    >>> namespace("{http://www.lexml.gov.br/oai_lexml}Item"), namespace("Item")
    ('http://www.lexml.gov.br/oai_lexml', '')
    """
    return tag[1:].partition("}")[0] if tag.startswith("{") else ""


def local_name(tag: str) -> str:
    """Return the local part of a name in Clark notation.

    >>> local_name("{http://www.lexml.gov.br/oai_lexml}Item"), local_name("Item")
    ('Item', 'Item')
    """
    return tag.rpartition("}")[2]


def prolog(head: bytes) -> Prolog:
    """Return encoding and root element from the first :data:`HEAD` bytes of a file (XML 1.0, sections 2.8 and 4.3.3).

    >>> prolog(b'<?xml version="1.0" encoding="ISO-8859-1"?><!-- a --><q:LexML xmlns:q="x">')
    Prolog(encoding='iso-8859-1', root='LexML', namespace='x')

    Raises:
        BadXml: empty, in another encoding, with a document type declaration, or without a root element in these bytes.
    """
    encoding = _encoding(head)
    index = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    rest = head[index:].lstrip(_SPACE)
    if not rest:
        raise BadXml(RefusalCode.EMPTY_FILE, "the file is empty or only white space", "an XML document")
    if rest.startswith(b"<?xml") and not head.startswith(b"<?xml", index):
        line, column = _line_and_column(head, len(head) - len(rest))
        raise BadXml(
            RefusalCode.ILL_FORMED_XML,
            "white space stands before the XML declaration",
            f"`<?xml` as the very first characters of the file, {_XML}, section 2.8",
            line=line,
            column=column,
        )
    return Prolog(encoding, *_root(head, len(head) - len(rest)))


def _encoding(head: bytes) -> str:
    """Return the encoding of a file, from its first bytes and its XML declaration (XML 1.0, appendix F)."""
    for mark, name in (
        (b"\xff\xfe\x00\x00", "UTF-32"),
        (b"\x00\x00\xfe\xff", "UTF-32"),
        (b"<\x00\x00\x00", "UTF-32"),
        (b"\x00\x00\x00<", "UTF-32"),
        (b"\xff\xfe", "UTF-16"),
        (b"\xfe\xff", "UTF-16"),
        (b"<\x00", "UTF-16"),
        (b"\x00<", "UTF-16"),
        (b"\x4c\x6f\xa7\x94", "EBCDIC"),
    ):
        if head.startswith(mark):
            raise BadXml(RefusalCode.BAD_ENCODING, f"the file is in {name}", _EXPECTED_ENCODING)
    marked = head.startswith(b"\xef\xbb\xbf")
    declaration = _DECLARATION.match(head, 3 if marked else 0)
    declared = _DECLARED.search(declaration[1]) if declaration else None
    if declared is None:
        return "utf-8"
    name = declared[1].decode("ascii", "backslashreplace")
    encoding = _ENCODINGS.get(name.lower())
    if encoding is None:
        shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
        raise BadXml(RefusalCode.BAD_ENCODING, f"the file declares the encoding {shown!r}", _EXPECTED_ENCODING)
    if marked and encoding != "utf-8":
        raise BadXml(
            RefusalCode.BAD_ENCODING,
            f"the file declares the encoding {name!r}, and begins with the mark of UTF-8",
            "one encoding: remove the mark or correct the declaration",
        )
    return encoding


def _root(head: bytes, index: int) -> tuple[str, str]:
    """Return local name and namespace of the root element, after the declaration, comments and processing
    instructions."""
    end = len(head)
    while index < end:
        if head.startswith(b"<!--", index):
            index = _offset_after(head, index + 4, b"-->")
        elif head.startswith(b"<?", index):
            index = _offset_after(head, index + 2, b"?>")
        elif head[index : index + 9].upper() == b"<!DOCTYPE":
            line, column = _line_and_column(head, index)
            raise BadXml(
                RefusalCode.DOCTYPE,
                "the file has a document type declaration (<!DOCTYPE>)",
                "XML without one: entities are never read, see docs/reference/sources.md",
                line=line,
                column=column,
            )
        else:
            break
        while index < end and head[index] in _SPACE:
            index += 1
    match = _ROOT.match(head, index)
    if match is None:
        line, column = _line_and_column(head, min(index, end))
        seen = head[index : index + 40].decode("utf-8", "replace")
        raise BadXml(
            RefusalCode.ILL_FORMED_XML,
            f"text outside an element: {seen!r}" if seen else f"no element begins in the first {end} bytes",
            f"a root element, {_XML}, section 2.1",
            line=line,
            column=column,
        )
    prefix, _, name = match[1].rpartition(b":")
    declaration = rb"\sxmlns" + (b":" + re.escape(prefix) if prefix else b"") + rb"\s*=\s*[\"']([^\"'<>]{1,512})[\"']"
    declared = re.compile(declaration).search(head, index, _offset_after(head, index, b">"))
    return name.decode("utf-8", "replace"), declared[1].decode("utf-8", "replace") if declared else ""


def _offset_after(head: bytes, index: int, end: bytes) -> int:
    offset = head.find(end, index)
    return len(head) if offset < 0 else offset + len(end)


def _line_and_column(head: bytes, index: int) -> tuple[int, int]:
    """Return the line and column of a byte, both from 1."""
    return head.count(b"\n", 0, index) + 1, index - (head.rfind(b"\n", 0, index) + 1) + 1


def iter_elements(
    stream: ByteStream, names: Collection[str], *, roots: Collection[str] = (), record_limit: int = RECORD_LIMIT
) -> Iterator[Element]:
    """Yield the elements with a local name in ``names``, each complete, in document order, in constant memory.

    Only the outermost matches are yielded; inner ones belong to them. An element is emptied when the next is requested.
    Elements completed before an error are yielded before it is raised.

    Limits: depth 256, 10 MB for one text or attribute, ``record_limit`` bytes from one element to the next.

    Args:
        stream: the bytes of one document, from its beginning.
        names: local names, in any namespace.
        roots: allowed local names of the root; empty for any.

    Raises:
        BadXml: see the codes in docs/reference/sources.md. Exceptions of ``stream.read`` are not changed.
    """
    tags = [f"{{*}}{name}" for name in sorted(names)]
    return _parse_elements(stream, tags, _Levels(0), roots, record_limit)


def iter_levels(
    stream: ByteStream, depth: int, *, roots: Collection[str] = (), record_limit: int = RECORD_LIMIT
) -> Iterator[Element]:
    """Yield the elements up to ``depth`` (the root is 0), each when it is complete; the root comes last.

    For documents in which the position of an element decides its meaning. An element of level ``depth`` is complete.
    An element above it has its own text, and only its last child, which is empty. Otherwise as :func:`iter_elements`.

    Args:
        stream: the bytes of one document, from its beginning.
        depth: the level of the deepest yielded elements.
        roots: allowed local names of the root; empty for any.

    Raises:
        BadXml: see the codes in docs/reference/sources.md. Exceptions of ``stream.read`` are not changed.
    """
    return _parse_elements(stream, None, _Levels(depth), roots, record_limit)


def _parse_elements(
    stream: ByteStream,
    tags: list[str] | None,
    chosen: Callable[[etree.XMLPullParser], Iterator[Element]],
    roots: Collection[str],
    record_limit: int,
) -> Iterator[Element]:
    """Yield the selection of ``chosen`` from the events of the parser while it reads a stream."""
    head, cut = read_head(stream)
    try:
        file_prolog = prolog(head)
    except BadXml as error:
        raise cut or error from None
    if roots and file_prolog.root not in roots:
        raise BadXml(
            RefusalCode.UNKNOWN_ROOT,
            f"the root element is <{file_prolog.root}>",
            "<" + ">, <".join(sorted(roots)) + ">",
        )
    parser = etree.XMLPullParser(
        events=("start", "end"),
        tag=tags,
        encoding="iso-8859-1" if file_prolog.encoding == "iso-8859-1" else "utf-8",
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=False,
        collect_ids=False,
    )
    since = 0
    chunk = head
    while chunk:
        fault = None if file_prolog.encoding != "us-ascii" or chunk.isascii() else _not_ascii(chunk)
        problem = _feed(parser, chunk if fault is None else chunk[:fault])
        for element in chosen(parser):
            since = 0
            yield element
            _free_element(element)
        if problem is not None:
            raise problem
        if fault is not None:
            raise BadXml(
                RefusalCode.BAD_ENCODING,
                f"the byte 0x{chunk[fault]:02X} is not in the declared encoding US-ASCII",
                _EXPECTED_ENCODING,
            )
        if cut is not None:
            raise cut
        since += len(chunk)
        if since > record_limit + _CHUNK:
            raise BadXml(
                RefusalCode.RECORD_TOO_LARGE,
                f"more than {record_limit} bytes without one complete record",
                "records of ordinary size",
            )
        chunk = stream.read(_CHUNK)
    problem = _close(parser)
    for element in chosen(parser):
        yield element
        _free_element(element)
    if problem is not None:
        raise problem


def read_head(stream: ByteStream) -> tuple[bytes, BadRecord | OSError | None]:
    """Return the first bytes, as many as are available, and the fault that ended them early."""
    head = b""
    while len(head) < HEAD:
        try:
            more = stream.read(HEAD - len(head))
        except (BadRecord, OSError) as error:
            return head, error
        if not more:
            break
        head += more
    return head, None


def _not_ascii(chunk: bytes) -> int:
    """Return the offset of the first byte above 127."""
    return len(chunk) - len(chunk.lstrip(bytes(range(128))))


def _feed(parser: etree.XMLPullParser, chunk: bytes) -> BadXml | None:
    try:
        parser.feed(chunk)
    except etree.XMLSyntaxError as error:
        return _to_bad_xml(error)
    return None


def _close(parser: etree.XMLPullParser) -> BadXml | None:
    try:
        parser.close()
    except etree.XMLSyntaxError as error:
        return _to_bad_xml(error)
    return None


def _to_bad_xml(error: etree.XMLSyntaxError) -> BadXml:
    """Return an error of the parser as :class:`BadXml`, with the parser's message."""
    line, column = error.position
    message = (error.msg or "no reason given").partition(", line ")[0].strip()
    place = {"line": line, "column": column} if line > 0 else {}
    number: object = getattr(error, "code", None)
    if number in _ENCODING_ERRORS:
        return BadXml(RefusalCode.BAD_ENCODING, f"bytes that are not text: {message}", _EXPECTED_ENCODING, **place)
    if number in _LIMIT_ERRORS:
        limits = "at most 256 elements inside each other and 10 MB for one text"
        return BadXml(RefusalCode.XML_LIMIT, f"the XML exceeds a limit: {message}", limits, **place)
    problem = f"the XML is not well-formed: {message}"
    return BadXml(RefusalCode.ILL_FORMED_XML, problem, f"well-formed XML, {_XML}", **place)


class _Levels:
    """Selects the elements up to a depth from the events of a parser. If the parser reports only elements with some
    names, only these count, and the outermost has depth 0."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._open = 0

    def __call__(self, parser: etree.XMLPullParser) -> Iterator[Element]:
        depth, opened = self._depth, self._open
        for event, element in parser.read_events():
            if event == "start":
                opened += 1
                continue
            opened -= 1
            if opened <= depth and isinstance(element, Element):
                yield element
        self._open = opened


def _free_element(element: Element) -> None:
    """Free an element and all complete ones before it, at every level above it."""
    element.clear()
    level: Element | None = element
    while level is not None:
        above = level.getparent()
        if above is not None:
            while level.getprevious() is not None:
                del above[0]
        level = above


#: White space in XML (XML 1.0, section 2.3).
SPACE = " \t\r\n"

#: The maximum length of a text: the engine stores texts in blocks, and reads a whole block for any of them.
MAX_TEXT = 1 << 20

_BREAKS = frozenset({"p", "br"})

#: Spaces, controls and formatting characters (soft hyphen, zero width space): the general categories of Unicode whose
#: characters print nothing on their own.
_UNPRINTED = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


def spaced(text: str) -> str:
    r"""Return the text with its white space normalised; empty if it prints nothing.

    >>> spaced(" a\n b\u00ad\u00a0c "), spaced("\u200b \u00ad")
    ('a b\xad c', '')
    >>> spaced("I \x96 a")
    'I – a'
    """
    plain = " ".join(with_printed_controls(text).split())
    if plain[:1].isalnum():
        return plain
    return "" if all(unicodedata.category(char) in _UNPRINTED for char in plain) else plain


def bounded(text: str) -> str:
    """Return the text unchanged.

    Raises:
        BadRecord: ``text-too-long``: it has more than :data:`MAX_TEXT` characters.
    """
    if len(text) > MAX_TEXT:
        problem = f"a text has {len(text)} characters: {text[:40]!r}..."
        raise BadRecord(RefusalCode.TEXT_TOO_LONG, problem, f"at most {MAX_TEXT} characters in one text")
    return text


def plain_text(element: Element) -> str:
    r"""Return the text of an element with ``p``, ``b``, ``i``, ``s``, ``u``, ``sup`` and ``sub``.

    Paragraphs and lines after ``br`` are separated by a newline. White space within one is normalised. Comments and
    processing instructions are not text.

    >>> from lxml.etree import fromstring
    >>> plain_text(fromstring("<Ementa> a <p>b<!-- c --><i>d</i></p><p>e\n f</p> g </Ementa>"))
    'a\nbd\ne f\ng'
    """
    if len(element) == 0:
        return spaced(element.text or "")
    paragraphs: list[list[str]] = [[]]
    for piece in _pieces(element):
        if piece is None:
            paragraphs.append([])
        else:
            paragraphs[-1].append(piece)
    lines = (spaced("".join(pieces)) for pieces in paragraphs)
    return "\n".join(line for line in lines if line)


def value(element: Element) -> str:
    """Return the text of an element with one value, without surrounding white space."""
    if len(element) == 0:
        return (element.text or "").strip(SPACE)
    return "".join(piece for piece in _pieces(element) if piece is not None).strip(SPACE)


def _pieces(element: Element) -> Iterator[str | None]:
    """Yield the pieces of text inside an element in order, and None at each line break."""
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if not isinstance(node, Element):
            continue
        if event in {"start", "end"} and local_name(node.tag) in _BREAKS:
            yield None
        text = node.text if event == "start" else node.tail if node is not element else None
        if text:
            yield text
