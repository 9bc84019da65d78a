"""Values of the protocol: settings, requests, datestamps, pages and their contents."""

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

# The datestamps of OAI-PMH: days or seconds in UTC, well formed or as found in practice (section 3.3).


_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_EXPECTED = "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, OAI-PMH 2.0, section 3.3"


class Granularity(StrEnum):
    """The granularity of a provider's datestamps (OAI-PMH 2.0, section 2.7.1)."""

    DAY = "YYYY-MM-DD"
    SECOND = "YYYY-MM-DDThh:mm:ssZ"


@dataclass(frozen=True, slots=True)
class Datestamp:
    """The time of the last change of a record at its provider.

    Attributes:
        text: as written, without surrounding white space.
        day: the day, in UTC unless it is in doubt.
        moment: the second, in UTC; None if only a day is known.
        doubt: why the time of day, or the day itself, is not certain; None for a text of one of the two forms.
    """

    text: str
    day: date
    moment: datetime | None = None
    doubt: str | None = None

    @property
    def granularity(self) -> Granularity:
        """Return its granularity."""
        return Granularity.DAY if self.moment is None else Granularity.SECOND


def parse_datestamp(text: str) -> Datestamp:
    """Return a datestamp of either form; for any other text that begins with a day, that day with a doubt.

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
    """Return whether a text is a datestamp of one of the two forms, without doubt.

    >>> is_datestamp("2026-01-02"), is_datestamp("2026-01-02 03:04:05")
    (True, False)
    """
    try:
        return parse_datestamp(text).doubt is None
    except BadDate:
        return False


def format_datestamp(when: date | datetime, granularity: Granularity) -> str:
    """Return a day or a moment as an argument ``from`` or ``until`` (OAI-PMH 2.0, section 2.7.1).

    >>> format_datestamp(datetime(2026, 1, 2, 3, 4, 5, 999999, tzinfo=UTC), Granularity.SECOND)
    '2026-01-02T03:04:05Z'
    >>> format_datestamp(date(2026, 1, 2), Granularity.DAY)
    '2026-01-02'

    Args:
        when: a moment must have a time zone; it is truncated to the granularity.

    Raises:
        BadDate: a moment without a time zone, or a day with the granularity of seconds.
    """
    if not isinstance(when, datetime):
        if granularity is Granularity.SECOND:
            raise BadDate(when.isoformat(), "a moment: a day does not say which second of it is meant")
        return when.isoformat()
    if when.tzinfo is None:
        raise BadDate(when.isoformat(), "a moment with its time zone")
    utc = when.astimezone(UTC)
    return utc.date().isoformat() if granularity is Granularity.DAY else f"{utc:%Y-%m-%dT%H:%M:%S}Z".rjust(20, "0")


def compare(datestamp: Datestamp, other: Datestamp) -> Literal[-1, 0, 1] | None:
    """Compare two datestamps: -1 if the first is earlier, 1 if the second is, 0 if equal, None if it cannot be decided.

    Equal days are the same datestamp; a day and a second in it cannot be compared. Of a datestamp in doubt only the day
    counts, and equal days cannot be compared.

    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-03T00:00:00Z"))
    -1
    >>> compare(parse_datestamp("2026-01-02"), parse_datestamp("2026-01-02T00:00:00Z")) is None
    True
    """
    if datestamp.moment is not None and other.moment is not None:
        return _order(datestamp.moment, other.moment)
    if datestamp.day == other.day and (datestamp.granularity != other.granularity or datestamp.doubt or other.doubt):
        return None
    return _order(datestamp.day, other.day)


def _order(day: date, other: date) -> Literal[-1, 0, 1]:
    return -1 if day < other else 1 if day > other else 0


# Settings, requests, pages and their contents.


class Verb(StrEnum):
    """The six requests of OAI-PMH 2.0, section 4."""

    GET_RECORD = "GetRecord"
    IDENTIFY = "Identify"
    LIST_IDENTIFIERS = "ListIdentifiers"
    LIST_METADATA_FORMATS = "ListMetadataFormats"
    LIST_RECORDS = "ListRecords"
    LIST_SETS = "ListSets"


class DeletedRecord(StrEnum):
    """A provider's support of deletions (OAI-PMH 2.0, section 2.5.1)."""

    NO = "no"
    PERSISTENT = "persistent"
    TRANSIENT = "transient"


class DepartureCode(StrEnum):
    """Departures of a provider from OAI-PMH 2.0 that do not make the page unusable."""

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
    """The settings of a client.

    Attributes:
        user_agent: the name of the client (RFC 9110, section 10.1.5; OAI-PMH implementation guidelines for harvesters,
            section 2).
        contact: an address or page of those responsible; an e-mail address also becomes ``From`` (RFC 9110, 10.1.2).
        connect_timeout: the maximum number of seconds to connect.
        read_timeout: the number of seconds without data after which a connection is given up.
        page_seconds: the maximum number of seconds for one complete answer.
        page_bytes: the maximum size of a decoded answer.
        retries: how often a request is repeated after a transient fault.
        transient: the statuses of HTTP that count as transient besides the usual ones.
        backoff: seconds before the first repetition; doubled for each further one.
        longest_wait: the maximum number of seconds of one wait. If a provider asks for more, :class:`Busy` is raised.
        politeness: seconds from the end of one request to the beginning of the next.
        redirects: the maximum number of redirects of one request.
        other_hosts: whether a redirect to another host or port is followed.
        verify: whether certificates are checked; a path names a file of further authorities in PEM.
        max_pages: the maximum number of pages of a list.

    Raises:
        BadSettings: a number out of range, or a text that no header field can contain (RFC 9110, section 5.5).
    """

    user_agent: str = "Vigente"
    contact: str = ""
    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    page_seconds: float = 300.0
    page_bytes: int = 64 << 20
    retries: int = 4
    transient: frozenset[int] = frozenset()
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
            raise BadSettings("expected user_agent to identify the client, RFC 9110, section 10.1.5, got an empty text")

    def _at_least(self, name: str, least: float, *, exclusive: bool = False) -> None:
        number: float = getattr(self, name)
        if not math.isfinite(number) or number < least or (exclusive and number == least):
            raise BadSettings(f"expected {name} {'above' if exclusive else 'from'} {least:g}, got {number}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request (OAI-PMH 2.0, section 4).

    Attributes:
        verb: the verb.
        prefix: ``metadataPrefix``.
        set: ``set``, a setSpec (section 2.6).
        from_: ``from``, a datestamp, itself included (section 2.7.1).
        until: as above; both of one granularity.
        token: ``resumptionToken``, exclusive: only the verb is sent with it (section 3.5).
        identifier: of an item (section 2.4).

    Raises:
        BadRequest: a required argument is missing, an argument is not allowed, or a datestamp has another form.
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
            received = ", ".join(sorted(given)) or "none"
            wanted = " and ".join(sorted(needed)) or ", ".join(sorted(taken)) or "no arguments"
            raise BadRequest(f"expected {wanted} for {self.verb}, OAI-PMH 2.0, section 4, got {received}")
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
        """Return the given arguments, by their names in the protocol."""
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
    """A departure of an answer from the protocol that does not make it unusable; one for each code on a page.

    Attributes:
        code: the stable reason.
        message: one sentence with the first case.
        count: the number of cases on the page.
    """

    code: DepartureCode
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record (OAI-PMH 2.0, section 2.5).

    Attributes:
        identifier: of the item.
        datestamp: as written; None if there is none.
        deleted: whether the record is marked as deleted (section 2.5.1).
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
        value: its exact text without surrounding white space.
        complete_list_size: as announced; it may be an estimate.
        cursor: the announced number of entries before this page.
        expiration: when it expires, as written.
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
    """A format of a provider (OAI-PMH 2.0, section 4.4)."""

    prefix: str
    schema: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Page:
    """One answer, checked completely.

    Attributes:
        request: the request.
        url: the requested address, without credentials.
        fetched_at: when it was complete, in UTC.
        payload: the XML as received, after HTTP decompression, without text around the response.
        response_date: as written (section 3.2).
        base_url: as the answer names it in ``request``.
        size: the number of records or headers in it, including those without a header or identifier.
        headers: in order, of records as well.
        errors: empty for a successful request; ``noRecordsMatch`` makes an empty page.
        token: the token of the next page; None on the last.
        complete_list_size: as announced, also with an empty token.
        granularity: the finest granularity of the datestamps on the page; None if none is valid.
        notes: departures that were tolerated.
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
        """Return whether the list ends here."""
        return self.token is None


@dataclass(frozen=True, slots=True)
class Identify:
    """A provider's description of itself (OAI-PMH 2.0, section 4.2). A missing or unreadable part is None.

    Attributes:
        earliest: the lower limit of all datestamps; in doubt or None if it is malformed.
        earliest_written: the same as written.
        page: the answer, whose notes list its errors.
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
    """A wait of the client before it repeats a request.

    Attributes:
        seconds: the duration.
        fault: the fault of the last attempt.
        attempt: the number of the next repetition, from 1.
        attempts: the maximum number of repetitions.
    """

    seconds: float
    fault: ProviderFault
    attempt: int
    attempts: int
