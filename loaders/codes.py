"""Codes of refusals and notes, each with its meaning; docs/reference/sources.md lists them."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """Base of lists of codes. A format that needs another code than those below defines a list of its own.

    Attributes:
        meaning: what the source held, in Markdown.
        remedy: what to do, in Markdown; empty for a note.
    """

    meaning: str
    remedy: str

    def __new__(cls, code: str, meaning: str = "", remedy: str = "") -> Self:
        made = str.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        made.remedy = remedy
        return made


class RefusalCode(Code):
    """Why a record or a file was not loaded."""

    ARCHIVE_BOMB = "archive-bomb", "an archive beyond the limits above", "unpack it yourself, if you trust it"
    BAD_ARCHIVE = "bad-archive", "a damaged archive, or a file that is not an archive", "fetch it again"
    BAD_ENCODING = "bad-encoding", "an unsupported encoding, or bytes that are not text", "convert it to UTF-8"
    BAD_EVENT = (
        "bad-event",
        "an event without a day, of an unknown kind, with an invalid name, or that only a provision mentions",
        "correct it; LexML part 3, annex 1",
    )
    BAD_FACT = (
        "bad-fact",
        "a curated fact without a required key, with an unknown or invalid key, or with one that its event forbids",
        "the message says what was expected",
    )
    BAD_IDENTIFIER = (
        "bad-identifier",
        "a record with several identifiers, or one over 4,096 characters",
        "tell the provider",
    )
    BAD_JSON = "bad-json", "JSON that is truncated or invalid, or does not describe legislation", "fetch it again"
    BAD_NAME = (
        "bad-name",
        "a text that is not a name; the message shows where it is invalid",
        "correct it; docs/reference/names.md",
    )
    BAD_PROVISION_ID = (
        "bad-provision-id",
        "a provision without an identifier, with an invalid one, or, in a norm, with that of another provision",
        "correct it; LexML part 3, sections 5.3 to 5.5",
    )
    BAD_RDF = "bad-rdf", "a vocabulary that is not valid RDF/XML or Turtle", "correct it; the message says where"
    BAD_ROW = (
        "bad-row",
        "a row with too few or too many cells or an open quote, an invalid line of JSON, a concept without label",
        "quote cells that hold commas",
    )
    BAD_VERSION = (
        "bad-version",
        "a wording of normas.leg.br without days, with a period that ends before it starts, or without text",
        "tell the provider",
    )
    DOCTYPE = "doctype", "XML with a document type declaration", "remove it"
    EMPTY_FILE = "empty-file", "an empty file, or one with only white space", "fetch it again"
    ENCRYPTED = "encrypted", "a password-protected member of an archive", "unpack it yourself"
    ILL_FORMED_XML = (
        "ill-formed-xml",
        "XML that is truncated or not well-formed; the records before the error are loaded",
        "fetch it again",
    )
    LINE_TOO_LONG = "line-too-long", "a line over 64 KiB in a list", "write one name in each line"
    NESTED_ARCHIVE = "nested-archive", "an archive inside an archive", "load the inner one by itself"
    NO_DOCUMENT = (
        "no-document",
        "a record without a `DocumentoIndividual`, or a document without a name or body",
        "tell the provider",
    )
    NO_IDENTIFIER = "no-identifier", "a record without an OAI identifier", "tell the provider"
    NO_METADATA = "no-metadata", "a record without metadata that is not marked as deleted", "tell the provider"
    NO_NAME = "no-name", "a row or object without a name", "fill the column, or choose another column"
    NOT_OAI_LEXML = (
        "not-oai-lexml",
        "metadata in another format, or several in one record",
        "harvest with `metadataPrefix=oai_lexml`",
    )
    RECORD_TOO_LARGE = (
        "record-too-large",
        "more than 16 MiB without one complete record, or a document of more than 64 MiB",
        "split it",
    )
    REFERENCE_NAME = (
        "reference-name",
        "a reference instead of a full name: an alias, no number, `versao.vigente.em`",
        "name the document; the message says what is missing",
    )
    SEVERAL_DOCUMENTS = (
        "several-documents",
        "a record with more than one `DocumentoIndividual`",
        "make one record for each",
    )
    TEXT_TOO_LONG = (
        "text-too-long",
        "an epigraph, a summary or the words of one provision of more than 1,048,576 characters",
        "tell the provider; split the text into provisions",
    )
    TRUNCATED_FILE = (
        "truncated-file",
        "a truncated compressed file; the complete records before the end are loaded",
        "fetch it again",
    )
    UNKNOWN_KIND = (
        "unknown-kind",
        "a file of an unknown format, or a table without a column of names",
        "state the format with `--as`, if it is one of those above",
    )
    UNKNOWN_ROOT = (
        "unknown-root",
        "XML with another root element, though `--as oai_lexml` was given",
        "load it without `--as`",
    )
    UNREADABLE = "unreadable", "a file that cannot be read: no permission, a broken link, a pipe", "correct it"
    WRONG_NAMESPACE = "wrong-namespace", "a `LexML` element in another namespace", "see the namespaces above"
    XML_LIMIT = "xml-limit", "XML that is nested too deeply, or a text that is too long", "split it"


class NoteCode(Code):
    """What was left out of a record that loaded, or found in a file without records."""

    AUTHORITY_UNKNOWN = (
        "authority-unknown",
        "an authority that is not in the vocabularies ([Profiles](profiles.md)); the record is loaded",
    )
    BAD_DATESTAMP = "bad-datestamp", "a datestamp that does not begin with a day; it is kept as written"
    BAD_LANGUAGE = "bad-language", "an `xml:lang` that is not a language tag; the text is kept as `und`"
    BAD_PAGE_COUNT = "bad-page-count", "an invalid number of pages; left out"
    BAD_URL = "bad-url", "an `Item` that is not an absolute address; left out"
    CITATION_REFUSED = "citation-refused", "a citation that is not a name; left out"
    COUNTED_OTHERWISE = (
        "counted-otherwise",
        "a curated fact whose stated day (`effect`) is not the one counted by `after`; the stated day is kept",
    )
    DELETED_WITH_METADATA = "deleted-with-metadata", "a deleted record with metadata; the metadata is not read"
    FORMAT_UNKNOWN = (
        "format-unknown",
        "an `Item` without `formato`, or with one that LexML part 4, annex 1, does not have; it is kept as written",
    )
    FUTURE_DATESTAMP = (
        "future-datestamp",
        "a datestamp more than a day in the future; it is kept but not used as a date",
    )
    ITEM_MISSING = "item-missing", "a record without an `Item` that can be read; it is loaded"
    ITEM_WITHOUT_URL = (
        "item-without-url",
        "an `Item` without an address that is neither a physical object nor unavailable; left out",
    )
    MORE_NOTES = "more-notes", "a record with more than 100 notes; the rest is only counted"
    NO_RECORDS = "no-records", "a response without records; nothing is refused"
    NOT_USED = "not-used", "values of the source that the format does not use; `count` is their number"
    OAI_ERROR = "oai-error", "the provider answered with an error; nothing is refused"
    OUTSIDE_PROFILE = (
        "outside-profile",
        "a place, authority or type outside the [profile](profiles.md) of the publisher; the record is loaded",
    )
    PASSED_OVER = "passed-over", "a skipped file of a folder that is not a source, such as a licence or a checksum"
    QUARANTINE_LEFT = "quarantine-left", "a file of the quarantine that could not be retried"
    RELATION_REFUSED = (
        "relation-refused",
        "a `Relacionamento` of an unknown type, or whose target is not a name; left out",
    )
    REPEATED_IDENTIFIER = "repeated-identifier", "a repeated identifier; the second one is renamed"
    SAME_DAY = (
        "same-day",
        "two wordings from one day (the one with the later last day is used), or an act with two publication days",
    )
    SLASH_REPLACED = "slash-replaced", "a slash in a number or identifier, read as `-`"
    UNKNOWN_ITEM_TYPE = "unknown-item-type", "an `Item/@tipo` that the schema does not have; left out"
    UNKNOWN_SITUATION = "unknown-situation", "an unknown `situacao` or kind of change; left out"
    UNKNOWN_STATUS = "unknown-status", "a `header/@status` that is not `deleted`; the record is loaded"
    UNREAD_ELEMENT = (
        "unread-element",
        "an element that the format does not have; or parts, causes or text that are not used (`dropped`)",
    )
