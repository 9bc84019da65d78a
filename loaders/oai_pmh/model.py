"""What is asked of a provider and what it answers: settings, requests, datestamps, pages and what they hold."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal

from graph.civil import parse_day
from graph.errors import BadDate
from loaders.oai_pmh.faults import BadRequest, BadSettings, ProviderFault, shown
from loaders.xml import SPACE

# The datestamps of OAI-PMH: days or seconds in UTC, as they should be written and as they are (section 3.3).


_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_EXPECTED = "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, OAI-PMH 2.0, section 3.3"


class Granularity(StrEnum):
    """How finely a provider dates its records (OAI-PMH 2.0, section 2.7.1)."""

    DAY = "YYYY-MM-DD"
    SECOND = "YYYY-MM-DDThh:mm:ssZ"


@dataclass(frozen=True, slots=True)
class Datestamp:
    """When a record was last changed at its provider.

    Attributes:
        text: as written, without the white space around it.
        day: the day, in UTC unless there is a doubt.
        moment: the second, in UTC; None when only a day is known.
        doubt: why more than the day, or the day itself, is not sure; None for a text of one of the two forms.
    """

    text: str
    day: date
    moment: datetime | None = None
    doubt: str | None = None

    @property
    def granularity(self) -> Granularity:
        """How much of it is known."""
        return Granularity.DAY if self.moment is None else Granularity.SECOND


def parse_datestamp(text: str) -> Datestamp:
    """A datestamp from either form; of any other text that begins with a day, that day with a doubt.

    >>> parse_datestamp("2026-01-02T03:04:05Z").granularity
    <Granularity.SECOND: 'YYYY-MM-DDThh:mm:ssZ'>
    >>> print(parse_datestamp("2008-07-08-10:20:20:002221").day)
    2008-07-08

    Raises:
        BadDate: the text does not begin with a day of the calendar.
    """
    text = text.strip(" \t\r\n")
    try:
        day = parse_day(text[:10])
    except BadDate as error:
        expected = f"a day of the calendar, {_EXPECTED}" if "calendar" in str(error) else _EXPECTED
        raise BadDate(text if len(text) <= 60 else text[:60] + "...", expected) from None
    if len(text) == 10:
        return Datestamp(text, day)
    if _SECOND.fullmatch(text):
        try:
            return Datestamp(text, day, datetime.fromisoformat(text))
        except ValueError:
            return Datestamp(text, day, None, "it names a time that the day does not have")
    return Datestamp(text, day, None, f"only its day could be read: expected {_EXPECTED}")


def is_datestamp(text: str) -> bool:
    """Whether a text is a datestamp of one of the two forms, with nothing in doubt.

    >>> is_datestamp("2026-01-02"), is_datestamp("2026-01-02 03:04:05")
    (True, False)
    """
    try:
        return parse_datestamp(text).doubt is None
    except BadDate:
        return False


def format_datestamp(when: date | datetime, granularity: Granularity) -> str:
    """A day or a moment as an argument ``from`` or ``until`` (OAI-PMH 2.0, section 2.7.1).

    >>> format_datestamp(datetime(2026, 1, 2, 3, 4, 5, 999999, tzinfo=UTC), Granularity.SECOND)
    '2026-01-02T03:04:05Z'
    >>> format_datestamp(date(2026, 1, 2), Granularity.DAY)
    '2026-01-02'

    Args:
        when: a moment must have a time zone; what is finer than the granularity is cut off.

    Raises:
        BadDate: a moment without a time zone, or seconds asked of a day.
    """
    if not isinstance(when, datetime):
        if granularity is Granularity.SECOND:
            raise BadDate(when.isoformat(), "a moment: a day does not say which second of it is meant")
        return when.isoformat()
    if when.tzinfo is None:
        raise BadDate(when.isoformat(), "a moment with its time zone")
    utc = when.astimezone(UTC)
    return utc.date().isoformat() if granularity is Granularity.DAY else f"{utc:%Y-%m-%dT%H:%M:%S}Z".rjust(20, "0")


def compare(one: Datestamp, other: Datestamp) -> Literal[-1, 0, 1] | None:
    """Which datestamp is earlier: -1 the first, 1 the second, 0 neither, None when their texts don't tell.

    Two days that are equal are the same datestamp; a day and a second of it cannot be told apart. Of a datestamp
    in doubt only the day counts, and equal days tell nothing.

    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-03T00:00:00Z"))
    -1
    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-02T00:00:00Z")) is None
    True
    """
    if one.moment is not None and other.moment is not None:
        return _order(one.moment, other.moment)
    if one.day == other.day and (one.granularity != other.granularity or one.doubt or other.doubt):
        return None
    return _order(one.day, other.day)


def _order(one: date, other: date) -> Literal[-1, 0, 1]:
    return -1 if one < other else 1 if one > other else 0


# What is asked of a provider and what it answers: settings, requests, pages and what they hold.


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


class DepartureCode(StrEnum):
    """In what a provider departs from OAI-PMH 2.0 without harm to the page."""

    AROUND = "around"
    BAD_DATESTAMP = "bad-datestamp"
    BAD_EARLIEST = "bad-earliest"
    BAD_IDENTIFIER = "bad-identifier"
    BAD_TOKEN_ATTRIBUTE = "bad-token-attribute"  # noqa: S105 (a code, not a secret)
    DOUBTFUL_ENCODING = "doubtful-encoding"
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


_FIELD = re.compile(r"[\x20-\x7e]*", re.ASCII)
_LISTS = frozenset({Verb.LIST_IDENTIFIERS, Verb.LIST_RECORDS})
_RESUMED = _LISTS | {Verb.LIST_SETS}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a client behaves.

    Attributes:
        user_agent: who asks (RFC 9110, section 10.1.5; OAI-PMH implementation guidelines for harvesters, section 2).
        contact: an address or page of those responsible; an e-mail address also becomes ``From`` (RFC 9110, 10.1.2).
        connect_timeout: seconds until a connection must stand.
        read_timeout: seconds of silence after which a connection counts as dead.
        page_seconds: seconds for one answer from beginning to end, however lively it trickles.
        page_bytes: how many bytes an answer may have, decoded.
        retries: how often a request is repeated after a transient fault.
        backoff: seconds before the first repetition; doubled for each further one.
        longest_wait: seconds that one wait may last. A provider that asks for more gives :class:`Busy`.
        politeness: seconds from the end of one request to the beginning of the next.
        redirects: how many redirects of one request are followed.
        other_hosts: whether a redirect to another host is followed.
        verify: whether certificates are checked; a path names a file of further authorities in PEM.
        max_pages: how many pages a list may have.

    Raises:
        BadSettings: a number out of range, or a text that no header field can hold (RFC 9110, section 5.5).
    """

    user_agent: str = "Vigente"
    contact: str = ""
    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    page_seconds: float = 300.0
    page_bytes: int = 64 << 20
    retries: int = 4
    backoff: float = 2.0
    longest_wait: float = 600.0
    politeness: float = 0.5
    redirects: int = 5
    other_hosts: bool = True
    verify: bool | Path = True
    max_pages: int = 1_000_000

    def __post_init__(self) -> None:
        for name in ("connect_timeout", "read_timeout", "page_seconds", "page_bytes", "max_pages"):
            self._at_least(name, 0, exclusive=True)
        for name in ("retries", "backoff", "longest_wait", "politeness", "redirects"):
            self._at_least(name, 0)
        for name in ("user_agent", "contact"):
            text: str = getattr(self, name)
            if not _FIELD.fullmatch(text) or text != text.strip():
                raise BadSettings(f"expected {name} in printable ASCII, RFC 9110, section 5.5, got {shown(text)}")
        if not self.user_agent:
            raise BadSettings("expected user_agent to say who asks, RFC 9110, section 10.1.5, got an empty text")

    def _at_least(self, name: str, least: float, *, exclusive: bool = False) -> None:
        number: float = getattr(self, name)
        if not math.isfinite(number) or number < least or (exclusive and number == least):
            raise BadSettings(f"expected {name} {'above' if exclusive else 'from'} {least:g}, got {number}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request (OAI-PMH 2.0, section 4).

    Attributes:
        verb: which one.
        prefix: ``metadataPrefix``.
        set: ``set``, a setSpec (section 2.6).
        from_: ``from``, a datestamp, itself included (section 2.7.1).
        until: as above; both of one granularity.
        token: ``resumptionToken``, exclusive: beside it only the verb is sent (section 3.5).
        identifier: of an item (section 2.4).

    Raises:
        BadRequest: an argument that the verb needs is missing, one that it doesn't take is there, or a datestamp of
            another form.
    """

    verb: Verb
    prefix: str | None = None
    set: str | None = None
    from_: str | None = None
    until: str | None = None
    token: str | None = None
    identifier: str | None = None

    def __post_init__(self) -> None:
        given = {name for name, _ in self.arguments}
        if self.token is not None:
            needed, taken = {"resumptionToken"}, {"resumptionToken"} if self.verb in _RESUMED else set[str]()
        elif self.verb in _LISTS:
            needed, taken = {"metadataPrefix"}, {"metadataPrefix", "set", "from", "until"}
        elif self.verb is Verb.GET_RECORD:
            needed = taken = {"identifier", "metadataPrefix"}
        else:
            needed, taken = set[str](), {"identifier"} if self.verb is Verb.LIST_METADATA_FORMATS else set[str]()
        if not needed <= given <= taken:
            got = ", ".join(sorted(given)) or "none"
            wanted = " and ".join(sorted(needed)) or ", ".join(sorted(taken)) or "no arguments"
            raise BadRequest(f"expected {wanted} for {self.verb}, OAI-PMH 2.0, section 4, got {got}")
        for name, text in self.arguments:
            if not text.strip(SPACE) or any("\ud800" <= char <= "\udfff" for char in text):
                raise BadRequest(f"expected {name} to be a text, OAI-PMH 2.0, section 4, got {shown(text)}")
        self._check_window()

    def _check_window(self) -> None:
        bounds: list[Datestamp] = []
        for text in filter(None, (self.from_, self.until)):
            try:
                stamp = parse_datestamp(text)
            except BadDate as error:
                raise BadRequest(str(error)) from None
            if stamp.doubt or stamp.text != text:
                raise BadRequest(f"expected a datestamp, OAI-PMH 2.0, section 3.3, got {shown(text)}")
            bounds.append(stamp)
        if len(bounds) == 2 and (bounds[0].granularity != bounds[1].granularity or compare(*bounds) == 1):
            raise BadRequest(
                "expected from no later than until, both of one granularity, OAI-PMH 2.0, section 2.7.1,"
                f" got {self.from_} and {self.until}"
            )

    @property
    def arguments(self) -> tuple[tuple[str, str], ...]:
        """The arguments that are given, by their names in the protocol."""
        named = (
            ("identifier", self.identifier),
            ("metadataPrefix", self.prefix),
            ("set", self.set),
            ("from", self.from_),
            ("until", self.until),
            ("resumptionToken", self.token),
        )
        return tuple((name, text) for name, text in named if text is not None)


@dataclass(frozen=True, slots=True)
class Departure:
    """In what an answer departs from the protocol without harm: one for each code on a page.

    Attributes:
        code: stable reason.
        message: one sentence with the first case.
        count: how many cases there are on the page.
    """

    code: DepartureCode
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record (OAI-PMH 2.0, section 2.5).

    Attributes:
        identifier: of the item.
        datestamp: as written; None when there is none.
        deleted: whether the record is announced as deleted (section 2.5.1).
        sets: the setSpecs, in order.
    """

    identifier: str
    datestamp: str | None
    deleted: bool
    sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A resumption token that is not empty (OAI-PMH 2.0, section 3.5).

    Attributes:
        value: its exact text without the white space around it.
        complete_list_size: as announced; it may be an estimate.
        cursor: how many were sent before this page, as announced.
        expiration: until when it is good, as written.
    """

    value: str
    complete_list_size: int | None = None
    cursor: int | None = None
    expiration: str | None = None


@dataclass(frozen=True, slots=True)
class OaiError:
    """An error of the protocol (OAI-PMH 2.0, section 3.6): its code as written, and its text."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SetSpec:
    """A set of a provider (OAI-PMH 2.0, section 4.6): ``setSpec`` and ``setName``."""

    spec: str
    name: str


@dataclass(frozen=True, slots=True)
class MetadataFormat:
    """A format that a provider has (OAI-PMH 2.0, section 4.4)."""

    prefix: str
    schema: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Page:
    """One answer, checked to its last byte.

    Attributes:
        request: what was asked.
        url: where, as asked, without credentials.
        fetched_at: when it was there in full, in UTC.
        payload: the XML as served, with HTTP's compression taken off, and less what stood around the response.
        response_date: as written (section 3.2).
        base_url: as the answer names it in ``request``.
        size: how many records or headers it holds, those without a header or identifier too.
        headers: in order, of records as well.
        errors: empty when the answer is what was asked for; ``noRecordsMatch`` makes an empty page.
        token: how to ask for the next page; None on the last.
        complete_list_size: as announced, also beside an empty token.
        granularity: the finest in which datestamps on the page are written; None when none is sound.
        notes: departures that were survived.
    """

    request: Request
    url: str
    fetched_at: datetime
    payload: bytes
    response_date: str | None = None
    base_url: str | None = None
    size: int = 0
    headers: tuple[Header, ...] = ()
    errors: tuple[OaiError, ...] = ()
    token: Token | None = None
    complete_list_size: int | None = None
    granularity: Granularity | None = None
    notes: tuple[Departure, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the list ends here."""
        return self.token is None


@dataclass(frozen=True, slots=True)
class Identify:
    """How a provider describes itself (OAI-PMH 2.0, section 4.2). What it doesn't say, or says unreadably, is None.

    Attributes:
        earliest: the limit of all datestamps; in doubt or None where it is malformed.
        earliest_written: the same as written.
        page: the answer, whose notes tell what was wrong.
    """

    repository_name: str | None
    base_url: str | None
    protocol_version: str | None
    admin_emails: tuple[str, ...]
    earliest: Datestamp | None
    earliest_written: str | None
    deleted: DeletedRecord | None
    granularity: Granularity | None
    compression: tuple[str, ...]
    page: Page


@dataclass(frozen=True, slots=True)
class Waiting:
    """The client waits before it repeats a request.

    Attributes:
        seconds: how long.
        fault: why.
        attempt: which repetition follows, from 1.
        attempts: how many there may be.
    """

    seconds: float
    fault: ProviderFault
    attempt: int
    attempts: int
