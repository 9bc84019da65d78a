"""Codes of refusals and notes; docs/reference/sources.md explains each."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Base of lists of codes. A format that needs another code than those below defines a list of its own."""


class RefusalCode(Code):
    """Why a record or a file was not loaded."""

    ARCHIVE_BOMB = "archive-bomb"
    BAD_ARCHIVE = "bad-archive"
    BAD_ENCODING = "bad-encoding"
    BAD_EVENT = "bad-event"
    BAD_FACT = "bad-fact"
    BAD_IDENTIFIER = "bad-identifier"
    BAD_JSON = "bad-json"
    BAD_NAME = "bad-name"
    BAD_PROVISION_ID = "bad-provision-id"
    BAD_RDF = "bad-rdf"
    BAD_ROW = "bad-row"
    BAD_VERSION = "bad-version"
    DOCTYPE = "doctype"
    EMPTY_FILE = "empty-file"
    ENCRYPTED = "encrypted"
    ILL_FORMED_XML = "ill-formed-xml"
    LINE_TOO_LONG = "line-too-long"
    NESTED_ARCHIVE = "nested-archive"
    NO_DOCUMENT = "no-document"
    NO_IDENTIFIER = "no-identifier"
    NO_METADATA = "no-metadata"
    NO_NAME = "no-name"
    NOT_OAI_LEXML = "not-oai-lexml"
    RECORD_TOO_LARGE = "record-too-large"
    REFERENCE_NAME = "reference-name"
    SEVERAL_DOCUMENTS = "several-documents"
    TEXT_TOO_LONG = "text-too-long"
    TRUNCATED_FILE = "truncated-file"
    UNKNOWN_KIND = "unknown-kind"
    UNKNOWN_ROOT = "unknown-root"
    UNREADABLE = "unreadable"
    WRONG_NAMESPACE = "wrong-namespace"
    XML_LIMIT = "xml-limit"


class NoteCode(Code):
    """What was left out of a record that loaded, or found in a file without records."""

    AUTHORITY_UNKNOWN = "authority-unknown"
    BAD_DATESTAMP = "bad-datestamp"
    BAD_LANGUAGE = "bad-language"
    BAD_PAGE_COUNT = "bad-page-count"
    BAD_URL = "bad-url"
    CITATION_REFUSED = "citation-refused"
    COUNTED_OTHERWISE = "counted-otherwise"
    DELETED_WITH_METADATA = "deleted-with-metadata"
    FORMAT_UNKNOWN = "format-unknown"
    FUTURE_DATESTAMP = "future-datestamp"
    ITEM_MISSING = "item-missing"
    ITEM_WITHOUT_URL = "item-without-url"
    MORE_NOTES = "more-notes"
    NO_RECORDS = "no-records"
    NOT_USED = "not-used"
    OAI_ERROR = "oai-error"
    OUTSIDE_PROFILE = "outside-profile"
    PASSED_OVER = "passed-over"
    QUARANTINE_LEFT = "quarantine-left"
    RELATION_REFUSED = "relation-refused"
    REPEATED_IDENTIFIER = "repeated-identifier"
    SAME_DAY = "same-day"
    SLASH_REPLACED = "slash-replaced"
    UNKNOWN_ITEM_TYPE = "unknown-item-type"
    UNKNOWN_SITUATION = "unknown-situation"
    UNKNOWN_STATUS = "unknown-status"
    UNREAD_ELEMENT = "unread-element"
