"""What the registration of a format states: name, detection, reader, codes, options and documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import cached_property
from typing import TypeAlias

from graph.record_rules import RecordRules
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.codes import Code, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import Outcome, Part
from loaders.xml import HEAD, BadXml, Prolog, prolog, read_head

_SPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WIDE = ((b"\xff\xfe", "UTF-16 or UTF-32"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))
_WIDE_MARKUP = (b"\xff\xfe<", b"\xfe\xff\x00<", b"<\x00", b"\x00<")


class Match(IntEnum):
    """How well a document matches a format. The highest match is used; among equal ones, the first format of the
    table."""

    #: It is another format.
    NONE = 0
    #: The name of the file fits, the content does not.
    NAME = 1
    #: The content fits, but could be that of a more specific format.
    LIKELY = 2
    #: The content is of this format and no other.
    CERTAIN = 3


@dataclass(frozen=True)
class Head:
    """The beginning of a document and the name of its file: the input of detection.

    Attributes:
        raw: the first :data:`loaders.xml.HEAD` bytes, or all of a shorter document.
        file_name: without ``.gz``.
    """

    raw: bytes
    file_name: str

    @classmethod
    def of(cls, document: SourceDocument) -> Head:
        """Return the head of a document.

        Raises:
            BadRecord: no byte can be unpacked.
            OSError: it cannot be read.
        """
        with closing(document.open()) as stream:
            raw, cut = read_head(stream)
        if cut is not None and not raw:
            raise cut
        return cls(raw, document.file_name)

    @cached_property
    def text(self) -> bytes:
        """Return the bytes without a byte order mark and leading white space."""
        return self.raw.removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACE)

    @property
    def is_whole(self) -> bool:
        """Return whether this is the complete document."""
        return len(self.raw) < HEAD

    @property
    def extension(self) -> str:
        """Return the extension of the file's name in lower case, with its dot; empty if there is none."""
        return self.file_name[self.file_name.rfind(".") :].lower() if "." in self.file_name else ""

    @property
    def wide_encoding(self) -> str | None:
        """Return the name of the encoding of a document in UTF-16 or UTF-32."""
        return next((name for mark, name in _WIDE if self.raw.startswith(mark)), None)

    @property
    def is_markup(self) -> bool:
        """Return whether it begins like XML or HTML, in any encoding."""
        return self.text.startswith(b"<") or self.raw.startswith(_WIDE_MARKUP)

    @cached_property
    def is_html(self) -> bool:
        """Return whether it is an HTML page."""
        if not self.is_markup:
            return False
        root = self.prolog.root if self.prolog is not None else ""
        return root.lower() == "html" or b"<!doctype html" in self.raw[:1024].lower()

    @cached_property
    def prolog(self) -> Prolog | None:
        """Return encoding and root element of XML; None if it is not XML, or not well-formed up to its root element."""
        if not self.is_markup:
            return None
        try:
            return prolog(self.raw)
        except BadXml:
            return None


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The known context of a document. A format ignores options that it does not take.

    Attributes:
        provider: base URL or domain of the provider, if the document does not state it.
        column: of a table, the requested column or key.
        form: the variant of the format, as :attr:`graph.quarantine.Refusal.form` stores it; None to detect it.
        rules: what records of providers are compared with; None for the built-in vocabularies.
        origin: the place and the authority of acts that do not state them.
        published: the civil day of publication of texts that do not state it; they are then first texts.
    """

    provider: str | None = None
    column: str | None = None
    form: str | None = None
    rules: RecordRules | None = None
    origin: Origin = NOWHERE
    published: date | None = None


#: The codes of the refusals of markup: pages, and XML without a schema of its own.
REFUSALS_OF_MARKUP = (
    RefusalCode.BAD_ENCODING,
    RefusalCode.EMPTY_FILE,
    RefusalCode.ILL_FORMED_XML,
    RefusalCode.NO_DOCUMENT,
    RefusalCode.RECORD_TOO_LARGE,
    RefusalCode.TEXT_TOO_LONG,
    RefusalCode.XML_LIMIT,
)
_Read: TypeAlias = Callable[[SourceDocument, ReadOptions], Iterable[Outcome]]
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """A format of sources. The program and the documentation take all information on a format from here.

    Attributes:
        name: the value of ``--as``; also :attr:`graph.entities.Source.kind` of its records.
        title: a short description; ``vigente load`` shows it if detection fails.
        detect: returns how well a document matches the format. It must be fast, and must not raise exceptions.
        read: returns the records of a document in its order, with refusals and notes. It must be a function of a
            module, so that other processes can import it. It raises :class:`loaders.documents.BadInput` only for a
            wrong option.
        refusals: the codes of its refusals, besides :data:`loaders.sources.registry.ANY_FORMAT`.
        notes: the codes of its notes.
        join: for a format whose records combine several documents: makes the records from the parts of one load, in the
            order of the documents. None for all other formats.
    """

    name: str
    title: str
    detect: Callable[[Head], Match]
    read: _Read
    refusals: tuple[Code, ...]
    notes: tuple[Code, ...] = ()
    join: Callable[[Sequence[Part]], Iterable[Outcome]] | None = None

    def __post_init__(self) -> None:
        """Check the name, which users type.

        Raises:
            ValueError: it has characters other than lower-case letters, digits and underscores.
        """
        if _NAME.fullmatch(self.name) is None:
            raise ValueError(f"expected a name of lower-case letters, digits and underscores, got {self.name!r}")
