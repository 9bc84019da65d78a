"""Texts of norms in a folder of files: plain text, Markdown, HTML, DOCX, ODT, PDF, and JSON of the LexML editor."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import islice

from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.urn import Name
from graph.urn.values import Versao
from loaders.acting_records import with_operations
from loaders.amendments import changed_norms
from loaders.articulated.acts import is_title_of_text
from loaders.articulated.lexml import to_xml
from loaders.articulated.lines import MAX_MIB, decode_text
from loaders.articulated.notes import Note as EditorialNote
from loaders.articulated.notes import NoteKind
from loaders.articulated.occurrences import StructuredText
from loaders.articulated.reading import ArticulatedText, is_editor_json, read_acts
from loaders.codes import NoteCode, RefusalCode
from loaders.commencement import read_commencement, unread_clauses
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.amendments import AmendmentCode, notes_on_operations
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.sources.lexml_xml import read_lexml_xml
from loaders.sources.planalto import PageCode, read_compiled
from loaders.xml import bounded
from ontology.events import EventKind
from ontology.iris import hashed_iri

KIND = "text"
LOADER = "text/1"
_MOST_EACH = 40
_ODT = b"application/vnd.oasis.opendocument.text"
_OF_TEXTS = frozenset({"", ".txt", ".md", ".markdown", ".htm", ".html", ".xhtml", ".text"})
#: How many lines are searched for a title.
_FAR = 2_000
_LINES, _BETWEEN_TAGS = re.compile(r"[\r\n]+"), re.compile(r"<[^<>]{0,2000}>")
_MARKS = re.compile(r"^[\s\ufeff#*_>|]+|[\s*_|]+$|&nbsp;|\s+")


def _detect(head: Head) -> Match:
    if head.raw.startswith(b"%PDF-") or is_editor_json(head.raw):
        return Match.LIKELY
    if head.raw.startswith(b"PK\x03\x04"):
        return Match.LIKELY if head.extension == ".docx" or _ODT in head.raw[:200] else Match.NONE
    is_page = head.is_html or (head.is_markup and "htm" in head.extension)
    if head.extension not in _OF_TEXTS or (head.prolog is not None and not is_page):
        return Match.NONE
    lines = (_MARKS.sub(" ", line).strip() for line in (_BETWEEN_TAGS if is_page else _LINES).split(_words(head)))
    titles = (is_title_of_text(line) for line in islice(filter(None, lines), _FAR))
    return Match.LIKELY if any(titles) else Match.NONE


def _words(head: Head) -> str:
    """Return the beginning of a text up to the end of a line; empty if it is no text."""
    is_cut = not head.is_whole and head.wide_encoding is None
    try:
        return decode_text(head.raw[: head.raw.rfind(b"\n") + 1] if is_cut else head.raw)
    except BadRecord:
        return ""


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    try:
        raw = document.whole(MAX_MIB)
        acts = read_acts(raw, options.origin)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND)
        return
    known: set[Name] = set()
    for act in acts:
        try:
            outcomes = list(_outcomes(document, raw, act, _work(act, known), options))
        except BadRecord as error:
            refusal = refuse_file(document, error, kind=KIND)
            yield refusal if len(acts) == 1 else replace(refusal, position=f"line {_line(act)}")
            continue
        for outcome in outcomes:
            if isinstance(outcome, Record):
                ordered = with_operations(outcome)
                yield from notes_on_operations(ordered, document.label)
                yield ordered
            else:
                yield outcome


def _line(act: ArticulatedText) -> int:
    return act.text.provisions[0].line if act.text.provisions else 1


def _work(read: ArticulatedText, known: set[Name]) -> Name:
    """Return the norm of a text, which is added to those of the same file.

    Raises:
        BadRecord: the text names none, or one of the file again, or a provision is too long.
    """
    if read.name is None:
        problem = f"the text has {read.text.title}, which names no norm with its number and day"
        expected = "a title with type, number and day; --place and --authority for acts that do not state them"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, expected)
    for provision in read.text.provisions:
        bounded(provision.text or "")
    if read.name.work in known:
        problem = f"the file has {read.name.work.canonical} a second time"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, "one text of a norm in a file")
    known.add(read.name.work)
    return read.name.work


def _outcomes(
    document: SourceDocument, raw: bytes, read: ArticulatedText, work: Name, options: ReadOptions
) -> Iterator[Outcome]:
    """Yield the record of a text, after notes on what is not used."""
    text, told = read.text, b""
    if text.published is None and options.published is not None:
        text, told = replace(text, published=options.published), options.published.isoformat().encode()
    identity = hashed_iri(KIND, work.canonical, document.file_name)  # two files of one norm are two sources
    source = Source(identity, KIND, sha256(raw + told).hexdigest(), LOADER, origin=document.file_name)
    changed = [each for each in text.provisions if each.struck or any(map(_tells_of_an_act, each.notes))]
    if changed and any(provision.prefix == "art" for provision in text.provisions):
        record, notes = read_compiled(text, work, document.label, source)
        yield from notes
        yield record
        return
    name = work if changed else first_version(work, text)  # a compiled text is not the first one
    written, left = to_xml(text, name, changed_norms(text, work, options.origin))
    left += [provision for provision in changed if provision.struck]
    lines = [*text.not_placed, *((each.line, each.text or each.label or each.id) for each in left)]
    lines += [
        (note.line, note.text) for note in (*text.notes, *(note for each in text.provisions for note in each.notes))
    ]
    for line, words in sorted(lines)[:_MOST_EACH]:
        where = f"line {line}"
        yield Note(PageCode.NOT_PLACED, words[:160], document.label, where, work.canonical, dropped=True)
    more = len(lines) - _MOST_EACH
    if more > 0:
        message = f"{more} more lines"
        yield Note(PageCode.NOT_PLACED, message, document.label, "document", work.canonical, more, dropped=True)
    own = {each.id: each.text or "" for each in text.provisions if not each.quoted}
    unread = unread_clauses(own, text.published or work.representative_date)
    for each in (each for each in text.provisions if each.id in unread):
        words, where = (each.text or "")[:160], f"line {each.line}"
        yield Note(PageCode.CLAUSE_NOT_READ, words, document.label, where, work.canonical, dropped=True)
    for outcome in read_lexml_xml(SourceDocument(document.label, lambda: io.BytesIO(written))):
        yield replace(outcome, source=source) if isinstance(outcome, Record) else outcome


def _tells_of_an_act(note: EditorialNote) -> bool:
    """Return whether a note shows that an act changed the text. "(vide tabela)" is a part of the text."""
    return note.kind is not NoteKind.SEE or note.act is not None


def first_version(work: Name, text: StructuredText) -> Name:
    """Return the name of the version of a first text that states its own day of publication; else that of the norm.

    Its first day of force is that of the clause of commencement, if one clause covers the whole act (Decreto-Lei
    4.657/1942, art. 1; LC 95/1998, art. 8).
    """
    if text.published is None:
        return work
    own = {each.id: each.text or "" for each in text.provisions if not each.quoted}
    clauses = read_commencement(own, text.published)
    days = (clauses[0].day,) if len(clauses) == 1 and clauses[0].parts is None else ()
    word = None if days else "inicio.vigencia"
    return work.with_versao(Versao(datas=days, palavra=word, evento=EventKind.PUBLICACAO, visao=(text.published,)))


TEXT = SourceFormat(
    name=KIND,
    title="the text of a norm, as text, Markdown, HTML, DOCX, ODT or PDF",
    detect=_detect,
    read=_read,
    refusals=(
        RefusalCode.BAD_JSON,
        RefusalCode.BAD_PROVISION_ID,
        RefusalCode.ILL_FORMED_XML,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.NO_TEXT,
        RefusalCode.RECORD_TOO_LARGE,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.XML_LIMIT,
    ),
    notes=(*AmendmentCode, *PageCode, NoteCode.MORE_NOTES, NoteCode.REPEATED_IDENTIFIER, NoteCode.UNREAD_ELEMENT),
)
