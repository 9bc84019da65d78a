"""The table of formats: each format in it is detected, read, offered by ``--as`` and documented."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from datetime import date
from functools import partial

from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.record_rules import RecordRules
from loaders.acting_records import with_operations
from loaders.articulated.issuer import NOWHERE, Origin
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.outcomes import MappedOutcome, Note, Outcome, Part, refuse_file, with_day_of_fetch
from loaders.parallel import Reader
from loaders.participants import with_participants
from loaders.sources.amendments import AMENDMENTS
from loaders.sources.constituicao import CONSTITUICAO
from loaders.sources.facts import FACTS
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.lexml_xml import LEXML_XML
from loaders.sources.names import NAMES
from loaders.sources.normas import NORMAS
from loaders.sources.oai_lexml import OAI_LEXML
from loaders.sources.planalto import PLANALTO
from loaders.sources.sapl import SAPL
from loaders.sources.senado import SENADO
from loaders.sources.texts import TEXT
from loaders.sources.vocabulary import VOCABULARY

#: The formats of this program, in the order of the documentation.
BUILT_IN = (
    OAI_LEXML,
    LEXML_XML,
    NORMAS,
    PLANALTO,
    SENADO,
    CONSTITUICAO,
    SAPL,
    TEXT,
    AMENDMENTS,
    NAMES,
    FACTS,
    VOCABULARY,
)
#: All formats by name; :func:`register` adds to them.
FORMATS: dict[str, SourceFormat] = {source_format.name: source_format for source_format in BUILT_IN}
#: Refusal codes of any format, raised before its reader is called or during unpacking.
ANY_FORMAT = (
    RefusalCode.ARCHIVE_BOMB,
    RefusalCode.BAD_ARCHIVE,
    RefusalCode.BAD_ENCODING,
    RefusalCode.EMPTY_FILE,
    RefusalCode.ENCRYPTED,
    RefusalCode.NESTED_ARCHIVE,
    RefusalCode.TRUNCATED_FILE,
    RefusalCode.UNKNOWN_KIND,
    RefusalCode.UNREADABLE,
)
#: Codes of notes on a document of any format.
ANY_NOTES = (NoteCode.PASSED_OVER, NoteCode.QUARANTINE_LEFT)

_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive (only files named .zip are unpacked)"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip file (only files named .gz are unpacked, and once)"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, such as DOC"),
    (b"{\\rtf", "an RTF file"),
    (b"SQLite format 3\x00", "an SQLite file"),
    (b"\x7fELF", "a program"),
)
_OFFICE = frozenset({"an old Office file, such as DOC", "an RTF file"})
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b")
#: Files of a folder that are not sources, by extension or by the beginning of the name.
_BESIDE = frozenset({".rst", ".py", ".pyi", ".typed"})
#: The extensions of files that are not sources if they are of no known format.
_PERHAPS_ABOUT = frozenset({".txt", ".md"})
_ABOUT = frozenset({"readme", "license", "licence", "licenca", "leiame", "changelog", "makefile"})


def register(added_format: SourceFormat) -> None:
    """Add a format to the table.

    Raises:
        ValueError: the table has another format of that name.
    """
    if FORMATS.setdefault(added_format.name, added_format) != added_format:
        raise ValueError(f"there is another format {added_format.name!r}")


def added_formats() -> tuple[SourceFormat, ...]:
    """Return the formats registered besides the built-in ones, for registration in another process."""
    return tuple(source_format for source_format in FORMATS.values() if source_format not in BUILT_IN)


def check_filled(head: Head) -> None:
    """Refuse a document without content.

    Raises:
        BadRecord: ``empty-file``.
    """
    if head.is_whole and not head.text:
        raise BadRecord(
            RefusalCode.EMPTY_FILE, "the file is empty or only white space", "a source, see docs/reference/sources.md"
        )


def detect(head: Head) -> SourceFormat:
    """Return the format of a document.

    >>> detect(Head(b"urn:lex:br:federal:lei:1990-09-11;8078", "notes")).name
    'names'
    >>> detect(Head(b"<LexML xmlns='http://www.lexml.gov.br/oai_lexml'/>", "a.txt")).name
    'oai_lexml'

    Raises:
        BadRecord: ``empty-file``; ``unknown-kind`` with the detected content; ``bad-encoding`` for text in UTF-16 or
            UTF-32; ``nested-archive``.
    """
    check_filled(head)
    _refuse_binary(head)
    match, source_format = _best_format(head)
    if match < Match.LIKELY:
        _refuse_known_others(head)
    if match is Match.NONE:
        beginning = repr(head.text[:40].decode("utf-8", "replace"))
        raise _unknown_format(f"a file that begins with {beginning}")
    return source_format


def is_not_source(head: Head) -> bool:
    """Return whether a file of a folder is not a source: documentation, a program, or text of no known format.

    >>> is_not_source(Head(b"# About", "README.md")), is_not_source(Head(b"Read me.", "a.txt"))
    (True, True)
    >>> is_not_source(Head(b"urn:lex:br:a", "a.txt"))
    False
    """
    if head.extension in _BESIDE or head.file_name.lower().partition(".")[0] in _ABOUT:
        return True
    if (
        head.extension not in _PERHAPS_ABOUT
        or head.text.startswith((b"<", b"{", b"["))
        or head.wide_encoding is not None
    ):
        return False
    return _best_format(head)[0] < Match.LIKELY


def _best_format(head: Head) -> tuple[Match, SourceFormat]:
    """Return the format with the highest match; among equal ones the first."""
    return max(
        ((source_format.detect(head), source_format) for source_format in FORMATS.values()),
        key=lambda scored: scored[0],
    )


_CHOOSE = "a source; choose a format with --as (see `vigente load --help`)"


def _unknown_format(seen: str) -> BadRecord:
    return BadRecord(RefusalCode.UNKNOWN_KIND, f"no known format: {seen}", _CHOOSE)


def _refuse_binary(head: Head) -> None:
    """Refuse a document that begins with the magic number of a binary format."""
    for magic, meaning in _MAGIC:
        if head.raw.startswith(magic) and TEXT.detect(head) is Match.NONE:
            if magic in _ARCHIVES and head.file_name.lower().endswith((".zip", ".gz")):
                raise BadRecord(
                    RefusalCode.NESTED_ARCHIVE, "it is an archive inside an archive", "the inner archive by itself"
                )
            if meaning in _OFFICE:
                raise BadRecord(RefusalCode.UNKNOWN_KIND, f"no known format: {meaning}", "DOCX, ODT or PDF: convert it")
            raise _unknown_format(meaning)


def _refuse_known_others(head: Head) -> None:
    """Refuse a document whose content is known to be of another kind, regardless of its name."""
    if head.raw[257:262] == b"ustar":
        raise _unknown_format("a tar archive")
    if head.is_html:
        raise _unknown_format("an HTML page")
    if head.prolog is not None:
        raise _unknown_format(f"XML with the root element <{head.prolog.root}>")
    if head.wide_encoding is not None:
        raise BadRecord(RefusalCode.BAD_ENCODING, f"the file is in {head.wide_encoding}", "UTF-8")


def reader(
    as_kind: str | None,
    column: str | None,
    rules: RecordRules | None = None,
    origin: Origin = NOWHERE,
    published: date | None = None,
) -> Reader:
    """Return a reader like :func:`read_document` for use in other processes, with all formats registered here."""
    added = added_formats()
    return partial(
        read_document, as_kind=as_kind, column=column, formats=added, rules=rules, origin=origin, published=published
    )


def read_document(  # noqa: PLR0913 - one parameter for each option
    document: SourceDocument,
    provider: str | None = None,
    *,
    as_kind: str | None = None,
    column: str | None = None,
    form: str | None = None,
    formats: Sequence[SourceFormat] = (),
    rules: RecordRules | None = None,
    origin: Origin = NOWHERE,
    published: date | None = None,
) -> Generator[Outcome, None, None]:
    """Yield the outcomes of one document.

    Args:
        provider: base URL or domain of the provider, if the document does not state it.
        as_kind: a key of :data:`loaders.sources.registry.FORMATS`; None to detect it.
        column: for lists of names, the column or key.
        form: the variant of the format; None to detect it.
        formats: the formats to register first, if this process does not have them.
        rules: what records of providers are compared with; None for the built-in vocabularies.
        origin: the place and the authority of acts that do not state them.
        published: the civil day of publication of texts that do not state it; they are then first texts.

    Raises:
        BadInput: the column is not in the list.
    """
    for added in formats:
        register(added)
    chosen = _format(document, as_kind)
    outcomes = (
        chosen.read(document, ReadOptions(provider, column, form, rules, origin, published))
        if isinstance(chosen, SourceFormat)
        else [chosen]
    )
    for read in outcomes:
        outcome = with_participants(with_operations(read)) if isinstance(read, Record) else read
        yield outcome if document.fetched is None else with_day_of_fetch(outcome, document.fetched)


def join_parts(
    outcomes: Iterable[SourceDocument | MappedOutcome],
) -> Generator[SourceDocument | MappedOutcome, None, None]:
    """Yield the outcomes of a load; records made from parts of several documents come at the end, in place of the
    parts.

    Args:
        outcomes: of all documents.
    """
    parts: dict[str, list[Part]] = {}
    for outcome in outcomes:
        if isinstance(outcome, Part):
            parts.setdefault(outcome.kind, []).append(outcome)
        else:
            yield outcome
    for kind, some in parts.items():
        join = FORMATS[kind].join
        if join is None:
            raise TypeError(f"the format {kind} gives parts and has no join")
        yield from join(some)


def _format(document: SourceDocument, as_kind: str | None) -> SourceFormat | Refusal | Note:
    """Return the format of a document, the reason of its refusal, or the note that it is not a source."""
    try:
        head = Head.of(document)
        if as_kind is not None:
            check_filled(head)
            return FORMATS[as_kind]
        if document.found and is_not_source(head):
            message = "skipped: not a source format; to load it anyway, pass the file itself"
            return Note(NoteCode.PASSED_OVER, message, document.label, "whole file")
        return detect(head)
    except (BadRecord, OSError) as error:
        return refuse_file(document, error, kind=as_kind or "unknown")
