"""One answer of a server over HTTP: redirects followed, compression taken off, limits held, failures in our words."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from loaders.oai_pmh.addresses import redirected, shown_address
from loaders.oai_pmh.body import ENCODINGS, BadBody, decoder
from loaders.oai_pmh.codes import DepartureCode, FaultCode
from loaders.oai_pmh.faults import BadPage, Busy, ProviderFault, Refused, Unreachable
from loaders.oai_pmh.model import Departure, Settings
from loaders.oai_pmh.transport import FAILURES, Broken, Late, Transport, Watch

#: How much of what came a fault keeps, in bytes.
KEPT = 64 << 10
#: What a provider of OAI-PMH is asked for, as the field ``Accept`` has it.
XML = "text/xml, application/xml"
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+)?html[\s>]", re.I | re.S
)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 503})
_TRANSIENT = frozenset({408, 500, 502, 504})
_DELAY = re.compile(r"[0-9]{1,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer with status 200, in full.

    Attributes:
        payload: the body, decoded.
        at: when it was there, in UTC.
        departures: what is told of the way that it came.
    """

    payload: bytes
    at: datetime
    departures: tuple[Departure, ...]


def is_html(payload: bytes) -> bool:
    """Whether a page for people came, as in times of maintenance.

    >>> is_html(b"<!DOCTYPE html><html/>"), is_html(b"<OAI-PMH/>")
    (True, False)
    """
    return _HTML.match(payload[:2048]) is not None


def right_now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


def retry_after(headers: httpx.Headers, now: datetime) -> float | None:
    """How many seconds a server asks to wait (RFC 9110, section 10.2.3); None when it doesn't say, or not readably.

    A date is taken against the server's own clock, where it tells that (section 6.6.1).

    >>> retry_after(httpx.Headers({"Retry-After": "120"}), datetime(2026, 1, 1, tzinfo=UTC))
    120.0
    """
    text = headers.get("Retry-After", "").strip()
    if _DELAY.fullmatch(text):
        return float(text)
    until = _http_date(text)
    if until is None:
        return None
    return max(0.0, (until - (_http_date(headers.get("Date", "")) or now)).total_seconds())


def _http_date(text: str) -> datetime | None:
    """A date in one of the three forms of RFC 9110, section 5.6.7."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when


class Fetcher:
    """Fetches answers over one connection.

    Args:
        settings: how to behave.
        watch: the time that an answer has.
        accept: what is asked for, as the field ``Accept`` has it (RFC 9110, section 12.5.1).

    Raises:
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self, settings: Settings, watch: Watch, accept: str = XML, clock: Callable[[], datetime] = right_now
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._watch = watch
        self._transport = Transport(settings, watch)
        contact = settings.contact
        self._headers = {
            "User-Agent": f"{settings.user_agent} ({contact})" if contact else settings.user_agent,
            "Accept": accept,
            "Accept-Encoding": ENCODINGS,
            **({"From": contact} if "@" in contact and ":" not in contact else {}),
        }

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def get(self, address: httpx.URL) -> Fetched:
        """The answer to one request, without repetitions.

        Raises:
            ProviderFault: any other outcome; see its subclasses.
            Stopped: the caller wants to stop.
        """
        at = shown_address(address)
        settings = self._settings
        self._watch.begin(settings.page_seconds)
        try:
            return self._follow(address, at)
        except Late:
            problem = f"the answer was not complete after {settings.page_seconds:g} seconds"
            raise BadPage(FaultCode.TOO_SLOW, at, problem, "an answer in that time (page_seconds)") from None
        except Broken as broken:
            expected = f"an answer of {address.host} over {address.scheme}"
            raise Unreachable(broken.code, at, broken.problem, expected, transient=broken.transient) from None
        except FAILURES as error:
            problem = f"the connection broke: {error or type(error).__name__}"
            expected = "a whole answer over HTTP/1.1, RFC 9112, sections 6 and 8"
            raise Unreachable(FaultCode.CONNECTION, at, problem, expected, transient=True) from None

    def _follow(self, address: httpx.URL, at: str) -> Fetched:
        first = address
        for _ in range(self._settings.redirects + 1):
            response = self._send(address)
            try:
                if response.status_code == 200:
                    payload = self._payload(response, at)
                    return Fetched(payload, self._clock(), self._departures(first, address))
                beginning = self._beginning(response)
                if response.status_code not in _REDIRECTS:
                    raise _refusal(response, at, beginning)
            finally:
                response.close()
            address = redirected(address, response.headers.get("Location"), at)
        problem = f"more than {self._settings.redirects} redirects, the last to {shown_address(address)}"
        raise Refused(FaultCode.REDIRECT, at, problem, "an answer within them, RFC 9110, section 15.4")

    def _send(self, address: httpx.URL) -> httpx.Response:
        settings = self._settings
        silence = {"connect": settings.connect_timeout, "read": settings.read_timeout}
        silence |= {"write": settings.read_timeout, "pool": settings.connect_timeout}
        bare = address.copy_with(username=None, password=None)
        request = httpx.Request("GET", bare, headers=self._headers, extensions={"timeout": silence})
        if address.userinfo:
            request = next(httpx.BasicAuth(address.username, address.password).auth_flow(request))
        return self._transport.handle_request(request)

    def _departures(self, first: httpx.URL, last: httpx.URL) -> tuple[Departure, ...]:
        told = []
        if last.host != first.host:
            told.append(Departure(DepartureCode.OTHER_HOST, f"a redirect led to another host, {last.host}"))
        if self._settings.verify is False and last.scheme == "https":
            told.append(Departure(DepartureCode.UNCHECKED_CERTIFICATE, "the certificate was not checked, as set"))
        return tuple(told)

    def _payload(self, response: httpx.Response, at: str) -> bytes:
        """The body, decoded; nothing beyond the limit is held.

        Raises:
            BadPage: too large, or not in the encoding that it declares.
        """
        limit = self._settings.page_bytes
        expected = f"at most {limit} bytes, decoded (page_bytes)"
        held = io.BytesIO()
        try:
            unpack = decoder(response.headers.get("Content-Encoding", ""))
            for data in response.iter_raw():
                for piece in unpack.feed(data):
                    held.write(piece)
                    if held.tell() > limit:
                        beginning = held.getvalue()[:KEPT]
                        problem = f"the answer has more than {limit} bytes"
                        raise BadPage(FaultCode.TOO_LARGE, at, problem, expected, payload=beginning)
            unpack.end()
        except BadBody as error:
            code = FaultCode.TRUNCATED if error.cut else FaultCode.BAD_CONTENT_ENCODING
            expected = f"{ENCODINGS} or none, whole, RFC 9110, section 8.4"
            beginning = held.getvalue()[:KEPT]
            raise BadPage(code, at, f"the answer: {error}", expected, transient=True, payload=beginning) from None
        return held.getvalue()

    def _beginning(self, response: httpx.Response) -> bytes:
        """The first bytes of an answer that says no; read to its end when it is short, so that the connection lives."""
        held = b""
        try:
            unpack = decoder(response.headers.get("Content-Encoding", ""))
            for data in response.iter_raw():
                for piece in unpack.feed(data):
                    held += piece
                    if len(held) >= KEPT:
                        return held[:KEPT]
        except (BadBody, Broken, *FAILURES):
            return held  # the status has said enough
        return held


def _refusal(response: httpx.Response, at: str, beginning: bytes) -> ProviderFault:
    """A status other than 200 (OAI-PMH 2.0, section 3.1.2.2; RFC 9110, section 15)."""
    status = response.status_code
    problem = f"the server answered with the status {status}"
    expected = "the status 200, OAI-PMH 2.0, section 3.1.2.2"
    wait = retry_after(response.headers, right_now())
    if wait is not None:
        problem += f" and asked to wait {wait:g} seconds"
    if status in _BUSY:
        return Busy(FaultCode.BUSY, at, problem, expected, transient=True, payload=beginning, retry_after=wait)
    transient = status in _TRANSIENT
    return Refused(FaultCode.STATUS, at, problem, expected, transient=transient, payload=beginning, retry_after=wait)
