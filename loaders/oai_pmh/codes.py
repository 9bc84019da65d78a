"""The closed lists of words of OAI-PMH, and the codes of what goes wrong with a provider."""

from __future__ import annotations

from enum import StrEnum


class Verb(StrEnum):
    """The six requests of OAI-PMH 2.0, section 4."""

    GET_RECORD = "GetRecord"
    IDENTIFY = "Identify"
    LIST_IDENTIFIERS = "ListIdentifiers"
    LIST_METADATA_FORMATS = "ListMetadataFormats"
    LIST_RECORDS = "ListRecords"
    LIST_SETS = "ListSets"


class DeletedRecord(StrEnum):
    """What a provider tells of deletions (OAI-PMH 2.0, section 2.5.1)."""

    NO = "no"
    PERSISTENT = "persistent"
    TRANSIENT = "transient"


class FaultCode(StrEnum):
    """Why a provider gave no page; :mod:`loaders.oai_pmh.faults` has the classes."""

    BAD_ADDRESS = "bad-address"
    BAD_ARGUMENT = "bad-argument"
    BAD_CONTENT_ENCODING = "bad-content-encoding"
    BAD_ENCODING = "bad-encoding"
    BAD_TOKEN = "bad-token"  # noqa: S105 (a code, not a secret)
    BAD_VERB = "bad-verb"
    BUSY = "busy"
    CONNECTION = "connection"
    CONTRADICTION = "contradiction"
    DOCTYPE = "doctype"
    EMPTY = "empty"
    ENDLESS_LIST = "endless-list"
    HTML = "html"
    ILL_FORMED = "ill-formed"
    MISPLACED_TOKEN = "misplaced-token"  # noqa: S105 (a code, not a secret)
    NO_ANSWER = "no-answer"
    NO_FORMAT = "no-format"
    NO_FORMATS = "no-formats"
    NO_RECORD = "no-record"
    NO_RECORDS = "no-records"
    NO_SETS = "no-sets"
    OTHER_NAME = "other-name"
    REDIRECT = "redirect"
    STATUS = "status"
    TIMEOUT = "timeout"
    TLS = "tls"
    TOKEN_LOOP = "token-loop"  # noqa: S105 (a code, not a secret)
    TOO_LARGE = "too-large"
    TOO_SLOW = "too-slow"
    TRUNCATED = "truncated"
    UNKNOWN_ERROR = "unknown-error"
    UNKNOWN_HOST = "unknown-host"
    WRONG_ROOT = "wrong-root"


class DepartureCode(StrEnum):
    """In what a provider departs from OAI-PMH 2.0 without harm to the page."""

    AROUND = "around"
    BAD_DATESTAMP = "bad-datestamp"
    BAD_EARLIEST = "bad-earliest"
    BAD_TOKEN_ATTRIBUTE = "bad-token-attribute"  # noqa: S105 (a code, not a secret)
    EMPTY_LIST = "empty-list"
    END_WITHOUT_LIST = "end-without-list"
    MISSING_DESCRIPTION = "missing-description"
    NAMESPACE = "namespace"
    NO_HEADER = "no-header"
    NO_IDENTIFIER = "no-identifier"
    OTHER_GRANULARITY = "other-granularity"
    OTHER_HOST = "other-host"
    STATUS = "status"
    UNCHECKED_CERTIFICATE = "unchecked-certificate"
    UNKNOWN_ELEMENT = "unknown-element"
    UNKNOWN_STATUS = "unknown-status"
    UNKNOWN_WORD = "unknown-word"
    WRONG_BASE_URL = "wrong-base-url"
    WRONG_CURSOR = "wrong-cursor"
    WRONG_SIZE = "wrong-size"
    WRONG_VERSION = "wrong-version"
