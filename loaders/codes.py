"""The closed lists of codes with which the loaders name what they refuse and what they tell."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["NoteCode", "RefusalCode"]


class RefusalCode(StrEnum):
    """Why a record or a file was not loaded; docs/sources.md explains each."""

    ARCHIVE_BOMB = "archive-bomb"
    BAD_ARCHIVE = "bad-archive"
    BAD_ENCODING = "bad-encoding"
    BAD_EVENT = "bad-event"
    BAD_FACT = "bad-fact"
    BAD_IDENTIFIER = "bad-identifier"
    BAD_JSON = "bad-json"
    BAD_NAME = "bad-name"
    BAD_PROVISION_ID = "bad-provision-id"
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


class NoteCode(StrEnum):
    """What was left out of a record that loaded, or found in a file without records; docs/sources.md explains each."""

    BAD_DATESTAMP = "bad-datestamp"
    BAD_LANGUAGE = "bad-language"
    BAD_PAGE_COUNT = "bad-page-count"
    BAD_URL = "bad-url"
    CITATION_REFUSED = "citation-refused"
    DELETED_WITH_METADATA = "deleted-with-metadata"
    FUTURE_DATESTAMP = "future-datestamp"
    ITEM_WITHOUT_URL = "item-without-url"
    MORE_NOTES = "more-notes"
    NO_RECORDS = "no-records"
    OAI_ERROR = "oai-error"
    QUARANTINE_LEFT = "quarantine-left"
    RELATION_REFUSED = "relation-refused"
    SAME_DAY = "same-day"
    UNKNOWN_ITEM_TYPE = "unknown-item-type"
    UNKNOWN_SITUATION = "unknown-situation"
    UNKNOWN_STATUS = "unknown-status"
    UNREAD_ELEMENT = "unread-element"
