"""What kind of source a document is, found by looking at its beginning, never at its name alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType

from graph.errors import BadRecord
from loaders.codes import RefusalCode
from loaders.xml import HEAD, BadXml, prolog

__all__ = ["DOCUMENT_NAMESPACES", "FORMS", "KINDS", "ROOTS", "Sniffed", "sniff"]

#: The kinds of source that can be loaded, as ``--as`` takes them.
KINDS = MappingProxyType(
    {
        "oai_lexml": "an OAI-PMH response, or one oai_lexml record (LexML part 4)",
        "lexml_xml": "a document in LexML XML (LexML part 3)",
        "normas": "a norm of normas.leg.br: JSON-LD of schema.org Legislation",
        "names": "a list of names: text, CSV, TSV or JSON lines",
        "facts": "curated facts: TOML with [[facts]], or CSV",
        "vocabulary": "a controlled vocabulary of LexML as CSV (LexML part 6)",
    }
)
#: The forms of a list of names, by extension.
FORMS = MappingProxyType({".txt": "txt", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"})
#: Root elements of the kind ``oai_lexml``.
ROOTS = frozenset({"OAI-PMH", "LexML", "record"})

#: The namespace of documents in LexML XML, and the one of version 0.7 (LexML part 3, annex 1).
DOCUMENT_NAMESPACES = ("http://www.lexml.gov.br/1.0", "http://www.lexml.gov.br/0.7")

_SPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MAGIC = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive (only files named .zip are unpacked)"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip file (only files named .gz are unpacked, and once)"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"SQLite format 3\x00", "an SQLite file"),
    (b"\x7fELF", "a program"),
)
_WIDE = ((b"\xff\xfe", "UTF-16 or UTF-32"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b")
#: How the first line of an official vocabulary begins.
_VOCABULARY = b"id,about,prefLabel"
#: What stands near the beginning of a tree of schema.org Legislation.
_LEGISLATION = b'"Legislation"'
#: How the first line of a table of facts begins.
_FACTS = b"norm,event,"
_NAME_STARTS = (b"urn:", b"lex:", b"urn%3a")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a document is: ``kind`` is a key of :data:`KINDS`; ``form`` a value of :data:`FORMS`, for names only."""

    kind: str
    form: str | None = None


def sniff(head: bytes, file_name: str, *, as_kind: str | None = None) -> Sniffed:
    """The kind of a document from its first :data:`loaders.xml.HEAD` bytes and its name without ``.gz``.

    >>> sniff(b"urn:lex:br:federal:lei:1990-09-11;8078", "notes")
    Sniffed(kind='names', form='txt')
    >>> sniff(b"<LexML xmlns='http://www.lexml.gov.br/oai_lexml'/>", "a.txt").kind
    'oai_lexml'

    Args:
        as_kind: what the user says that it is; then only the form of a list is looked for.

    Raises:
        BadRecord: ``empty-file``, ``unknown-kind`` with what was seen, ``bad-encoding`` for a list in UTF-16 or
            UTF-32, ``nested-archive``.
    """
    text = head.removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACE)
    if not text and len(head) < HEAD:
        raise BadRecord(
            RefusalCode.EMPTY_FILE, "the file is empty or only white space", "a source, see docs/sources.md"
        )
    if as_kind is not None and as_kind != "names":
        return Sniffed(as_kind)
    extension = file_name[file_name.rfind(".") :].lower() if "." in file_name else ""
    form = FORMS.get(extension)
    if as_kind is None:
        if text.startswith(_VOCABULARY):
            return Sniffed("vocabulary")
        if text.startswith((b"{", b"[")) and _LEGISLATION in head:
            return Sniffed("normas")
        if file_name.lower().endswith(".toml") or text.startswith(_FACTS):
            return Sniffed("facts")
        _no_other_format(head, file_name)
        if _is_markup(head, text):
            return _markup(head)
    wide = next((name for mark, name in _WIDE if head.startswith(mark)), None)
    if wide is not None:
        raise BadRecord(RefusalCode.BAD_ENCODING, f"the file is in {wide}", "UTF-8")
    form = form or _form_of(text)
    if form is None and as_kind is None:
        raise _unknown(f"a file that begins with {_beginning(text)}")
    return Sniffed("names", form or "txt")


def _unknown(seen: str) -> BadRecord:
    kinds = "; ".join(f"--as {kind}: {meaning}" for kind, meaning in KINDS.items())
    return BadRecord(RefusalCode.UNKNOWN_KIND, f"it looks like {seen}", kinds)


def _no_other_format(head: bytes, file_name: str) -> None:
    for magic, meaning in _MAGIC:
        if head.startswith(magic):
            if magic in _ARCHIVES and file_name.lower().endswith((".zip", ".gz")):
                raise BadRecord(
                    RefusalCode.NESTED_ARCHIVE, "it is an archive inside an archive", "the inner archive by itself"
                )
            raise _unknown(meaning)
    if head[257:262] == b"ustar":
        raise _unknown("a tar archive")


def _is_markup(head: bytes, text: bytes) -> bool:
    return text.startswith(b"<") or head.startswith((b"\xff\xfe<", b"\xfe\xff\x00<", b"<\x00", b"\x00<"))


def _markup(head: bytes) -> Sniffed:
    """XML by its root. What is XML but not well-formed is left to the loader, which says where and why."""
    start = head[:1024].lower()
    if b"<!doctype html" in start:
        raise _unknown("an HTML page")
    try:
        found = prolog(head)
    except BadXml:
        return Sniffed("oai_lexml")
    root = found.root
    if root == "LexML" and found.namespace in DOCUMENT_NAMESPACES:
        return Sniffed("lexml_xml")
    if root in ROOTS:
        return Sniffed("oai_lexml")
    if root.lower() == "html":
        raise _unknown("an HTML page")
    raise _unknown(f"XML with the root element <{root}>")


def _form_of(text: bytes) -> str | None:
    """The form of a list by its first line that says something; None when it does not look like names."""
    for line in text.splitlines()[:100]:
        first = line.strip()
        if not first or first.startswith(b"#"):
            continue
        if first.lower().startswith(_NAME_STARTS):
            return "txt"
        return "jsonl" if _is_json_name(first) else None
    return None


def _is_json_name(line: bytes) -> bool:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return False
    texts = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(text, str) and text.lower().startswith(("urn:", "lex:")) for text in texts)


def _beginning(text: bytes) -> str:
    """The first characters, quoted, so that a person sees what it is."""
    return repr(text[:40].decode("utf-8", "replace"))
