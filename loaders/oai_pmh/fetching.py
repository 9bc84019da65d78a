"""HTTP requests to a provider: the connection, URLs, redirects, limits, retries and the pauses between requests."""

from __future__ import annotations

import io
import re
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar
from urllib.parse import quote, urljoin

import httpcore
import httpx

from loaders.oai_pmh.faults import (
    BadAddress,
    BadPage,
    BadSettings,
    Busy,
    FaultCode,
    ProviderFault,
    Refused,
    Stopped,
    Unreachable,
    shown,
)
from loaders.oai_pmh.model import Departure, DepartureCode, Request, Settings, Waiting

# The connection to a provider: HTTP compression, a deadline for the whole answer, and cancellation at any moment.
#
# HTTP libraries limit the time between two reads, but not the whole answer. A server that sends a byte now and then can
# keep them waiting without end. Here every wait is split into short ones, and the deadline and the caller are checked
# between them.


#: The accepted encodings, as the field ``Accept-Encoding`` lists them (OAI-PMH 2.0, section 3.1.3).
ENCODINGS = "gzip, deflate"
_PIECE = 64 << 10
_GZIP = 16 + zlib.MAX_WBITS
_MEMBER = b"\x1f\x8b"


class BadBody(Exception):
    """Bytes that are not in the encoding that the answer declares."""

    def __init__(self, problem: str, *, cut: bool = False) -> None:
        self.cut = cut
        super().__init__(problem)


class Decoder(Protocol):
    """Decodes a content encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded bytes in small pieces, regardless of their total size."""
        ...

    def end(self) -> None:
        """Raise :class:`BadBody` if data are missing."""
        ...


class _Plain:
    """No encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def end(self) -> None:
        """Do nothing: HTTP itself reports missing data."""


class _Packed:
    """``gzip`` (RFC 1952, of one or more members) or ``deflate`` (RFC 1950; some send RFC 1951)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._unpacker = zlib.decompressobj(_GZIP) if name == "gzip" else None
        self._begun = False
        self._first = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._unpacker is None:
            self._first += data
            if len(self._first) < 2:
                return
            data, self._first = self._first, b""
            wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0
            self._unpacker = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        unpacker = self._unpacker
        self._begun = True
        while data:
            if unpacker.eof:
                if self._name != "gzip" or not _MEMBER.startswith(data[:2]):
                    raise BadBody(f"bytes after the end of its {self._name}")
                unpacker = self._unpacker = zlib.decompressobj(_GZIP)
            try:
                piece = unpacker.decompress(data, _PIECE)
            except zlib.error as error:
                raise BadBody(f"it is not valid {self._name}: {error}") from None
            if piece:
                yield piece
            data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail

    def end(self) -> None:
        if self._first or (self._begun and self._unpacker is not None and not self._unpacker.eof):
            raise BadBody(f"its {self._name} is truncated", cut=True)


def decoder(declared: str) -> Decoder:
    """Return the decoder of an answer.

    Args:
        declared: the field ``Content-Encoding``; may be empty.

    Raises:
        BadBody: an encoding that was not offered, or several.
    """
    names = [name.strip().lower().removeprefix("x-") for name in declared.split(",") if name.strip()]
    names = [name for name in names if name != "identity"]
    if not names:
        return _Plain()
    if len(names) > 1 or names[0] not in {"gzip", "deflate"}:
        raise BadBody(f"its Content-Encoding is {declared[:60]!r}")
    return _Packed(names[0])


#: The interval of checks whether to stop, in seconds.
SLICE = 0.1
_KEEP_ALIVE = 120.0
#: Exceptions of the HTTP library besides those translated here.
FAILURES = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.StreamError,
)


class Broken(Exception):
    """The connection failed or was lost."""

    def __init__(self, code: FaultCode, problem: str, *, transient: bool = True) -> None:
        self.code = code
        self.problem = problem
        self.transient = transient
        super().__init__(problem)


class Late(Exception):
    """The deadline of an answer has passed."""


class Watch:
    """The deadline of an answer, and the request of the caller to stop."""

    def __init__(self, stopped: Callable[[], bool] | None) -> None:
        self._stopped = stopped
        self._deadline = float("inf")

    def begin(self, seconds: float) -> None:
        """Start the deadline of an answer, in seconds."""
        self._deadline = time.monotonic() + seconds

    def check(self) -> None:
        """Raise :class:`Stopped` if the caller requested a stop."""
        if self._stopped is not None and self._stopped():
            raise Stopped

    def left(self, longest: float) -> float:
        """Return the maximum number of seconds to wait, at most ``longest``.

        Raises:
            Late: the deadline has passed.
            Stopped: the caller requested a stop.
        """
        self.check()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Late
        return max(0.001, min(left, longest))

    def sleep(self, seconds: float) -> None:
        """Wait; raise :class:`Stopped` if the caller requests a stop."""
        end = time.monotonic() + seconds
        self.check()
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, SLICE))
            self.check()


class _Stream(httpcore.NetworkStream):
    """A connection that checks the deadline and the caller during each operation."""

    def __init__(self, inner: httpcore.NetworkStream, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        silent_until = float("inf") if timeout is None else time.monotonic() + timeout
        while True:
            pause = self._watch.left(SLICE)
            try:
                return self._inner.read(max_bytes, timeout=pause)
            except httpcore.ReadTimeout:
                if time.monotonic() >= silent_until:
                    raise Broken(FaultCode.TIMEOUT, f"the server sent nothing for {timeout:g} seconds") from None
            except httpcore.ReadError as error:
                raise Broken(FaultCode.CONNECTION, f"the connection was lost: {error}") from None

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout=self._watch.left(float("inf") if timeout is None else timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            inner = self._inner.start_tls(
                ssl_context, server_hostname, self._watch.left(float("inf") if timeout is None else timeout)
            )
        except httpcore.ConnectTimeout:
            raise Broken(FaultCode.TIMEOUT, "the server did not finish the TLS handshake in time") from None
        except httpcore.ConnectError as error:
            final = isinstance(error.__cause__, ssl.SSLCertVerificationError)
            raise Broken(FaultCode.TLS, f"TLS failed: {error}", transient=not final) from None
        return _Stream(inner, self._watch)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    """Opens connections of :class:`_Stream`."""

    def __init__(self, watch: Watch) -> None:
        self._inner = httpcore.SyncBackend()
        self._watch = watch

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        longest = self._watch.left(float("inf") if timeout is None else timeout)
        try:
            inner = self._inner.connect_tcp(host, port, longest, local_address, socket_options)
        except httpcore.ConnectTimeout:
            raise Broken(FaultCode.TIMEOUT, f"no connection within {longest:g} seconds") from None
        except httpcore.ConnectError as error:
            if isinstance(error.__cause__, ConnectionRefusedError):
                raise Broken(FaultCode.CONNECTION, f"connection refused by {host}") from None
            unknown = isinstance(error.__cause__, socket.gaierror)
            code, problem = (
                (FaultCode.UNKNOWN_HOST, "the host was not found")
                if unknown
                else (FaultCode.CONNECTION, "no connection")
            )
            raise Broken(code, f"{problem}: {error}") from None
        except UnicodeError:  # raised by the codec for host names
            raise Broken(FaultCode.UNKNOWN_HOST, "the name of the host is invalid", transient=False) from None
        return _Stream(inner, self._watch)


class _Body(httpx.SyncByteStream):
    """The body of an answer, read as a stream."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class Transport(httpx.BaseTransport):
    """Sends requests over one persistent connection (RFC 9112, section 9.3).

    Raises:
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(self, settings: Settings, watch: Watch) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=_ssl_context(settings.verify),
            max_connections=1,
            max_keepalive_connections=1,
            keepalive_expiry=_KEEP_ALIVE,
            network_backend=_Backend(watch),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and read the header of the answer."""
        url = request.url
        response = self._pool.handle_request(
            httpcore.Request(
                request.method,
                httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                extensions=request.extensions,
            )
        )
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response), request=request)

    def close(self) -> None:
        """Close the connection."""
        self._pool.close()


def _ssl_context(verify: bool | Path) -> ssl.SSLContext:
    context = httpx.create_ssl_context(verify=bool(verify))
    if isinstance(verify, Path):
        try:
            context.load_verify_locations(cafile=verify)
        except OSError as error:  # includes ssl.SSLError
            raise BadSettings(f"expected verify to name a file of certificates in PEM: {error}") from None
    return context


# Requests: URLs, redirects, limits, retries and the pauses between requests.


_SCHEMES = frozenset({"http", "https"})
_BASE = "the base URL of a provider, http or https, OAI-PMH 2.0, section 3.1.1"
_LOCATION = "a Location with http or https, and with https after https, RFC 9110, section 15.4"


def shown_address(url: httpx.URL) -> str:
    """Return an address without user name and password.

    >>> shown_address(httpx.URL("https://ana:segredo@exemplo.gov.br/oai?verb=Identify"))
    'https://exemplo.gov.br/oai?verb=Identify'
    """
    return str(url.copy_with(username=None, password=None))


def base_address(text: str) -> httpx.URL:
    """Return the base URL of a provider; it may have a user name and password, and a query.

    >>> base_address("https://exemplo.gov.br/oai").host
    'exemplo.gov.br'

    Raises:
        BadAddress: another scheme, no host, a fragment, or not a URL.
    """
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise BadAddress(FaultCode.BAD_ADDRESS, "the base URL", f"it is not a URL: {error}", _BASE) from None
    problem = _problem(url) or ("it has a fragment" if url.fragment else None)
    if problem:
        raise BadAddress(FaultCode.BAD_ADDRESS, shown_address(url), problem, _BASE)
    return url


def _problem(url: httpx.URL) -> str | None:
    if url.scheme not in _SCHEMES:
        return f"the scheme is {shown(url.scheme)}"
    if not url.host:
        return "there is no host in it"
    if url.port is not None and not 0 < url.port < 65536:
        return f"there is no port {url.port}"
    return None


def request_url(base: httpx.URL, request: Request) -> httpx.URL:
    """Return the URL of a request: verb and arguments, each percent-encoded once (OAI-PMH 2.0, section 3.1.1.3).

    >>> from loaders.oai_pmh.model import Verb
    >>> str(request_url(httpx.URL("http://exemplo.gov.br/oai"), Request(Verb.LIST_SETS, token="a%2F b&")))
    'http://exemplo.gov.br/oai?verb=ListSets&resumptionToken=a%252F%20b%26'

    Raises:
        BadPage: ``url-too-long``: a token or an identifier of the provider makes the URL too long for a request.
    """
    pairs = (("verb", str(request.verb)), *request.arguments)
    query = "&".join(f"{name}={quote(text, safe='')}" for name, text in pairs)
    before = base.query.decode("ascii")
    return with_query(
        base,
        f"{before}&{query}".lstrip("&"),
        max(request.arguments, key=lambda pair: len(pair[1]), default=("verb", "")),
    )


def with_query(base: httpx.URL, query: str, longest: tuple[str, str]) -> httpx.URL:
    """Return the URL with a query.

    Args:
        longest: name and value of the longest argument, for the message.

    Raises:
        BadPage: ``url-too-long``: httpx holds 65,536 characters at most.
    """
    try:
        return base.copy_with(query=query.encode("ascii"))
    except httpx.InvalidURL as error:
        name, text = longest
        problem = f"{name} has {len(text)} characters, {shown(text)}: {error}"
        raise BadPage(FaultCode.URL_TOO_LONG, shown_address(base), problem, "a URL that fits into a request") from None


def redirect_target(origin: httpx.URL, location: str | None, request_name: str) -> httpx.URL:
    """Return the target of a redirect (RFC 9110, sections 10.2.2 and 15.4).

    Credentials are sent only to the same scheme, host and port, and none are taken from ``location``.

    Args:
        origin: the address that answered.
        location: the field ``Location``; None when there is none.
        request_name: the name of the request in messages.

    Raises:
        Refused: no location, not a URL, another scheme, or http after https.
    """
    if not location:
        raise Refused(FaultCode.REDIRECT, request_name, "a redirect without a target", _LOCATION)
    try:
        url = httpx.URL(urljoin(shown_address(origin), location)).copy_with(username=None, password=None, fragment=None)
    except (httpx.InvalidURL, ValueError):
        raise Refused(
            FaultCode.REDIRECT, request_name, f"a redirect to {shown(_hide_password(location))}", _LOCATION
        ) from None
    problem = _problem(url)
    if problem or (origin.scheme == "https" and url.scheme == "http"):
        why = problem or "it leads from https to http"
        raise Refused(FaultCode.REDIRECT, request_name, f"a redirect to {shown(shown_address(url))}: {why}", _LOCATION)
    if (url.scheme, url.host, url.port) == (origin.scheme, origin.host, origin.port) and origin.userinfo:
        return url.copy_with(username=origin.username, password=origin.password)
    return url


def is_elsewhere(address: httpx.URL, first: httpx.URL) -> bool:
    """Return whether an address has another origin than the first: scheme, host and port (RFC 6454, section 4).

    The port is that of the scheme if none is stated. An upgrade of the same host from http to the port of https does
    not count as another origin.
    """
    if address.host != first.host:
        return True
    upgraded = (first.scheme, address.scheme) == ("http", "https") and _port(address) == _PORTS["https"]
    return not upgraded and (address.scheme, _port(address)) != (first.scheme, _port(first))


_PORTS: Mapping[str, int] = MappingProxyType({"http": 80, "https": 443})


def _port(address: httpx.URL) -> int | None:
    """Return the port of an address; that of its scheme if none is stated."""
    return address.port if address.port is not None else _PORTS.get(address.scheme)


def _hide_password(location: str) -> str:
    """Return a text that is not a URL, without the part before its last ``@``, which may contain a password."""
    return location.rpartition("@")[2]


#: The maximum size of the payload of a fault, in bytes.
KEPT = 64 << 10
#: The accepted media types of OAI-PMH, as the field ``Accept`` lists them.
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
    """A complete answer with status 200.

    Attributes:
        payload: the body, decoded.
        fetched_at: when it was complete, in UTC.
        departures: departures of the transport, such as redirects.
    """

    payload: bytes
    fetched_at: datetime
    departures: tuple[Departure, ...]


def is_html(payload: bytes) -> bool:
    """Return whether an answer is an HTML page, as during maintenance.

    >>> is_html(b"<!DOCTYPE html><html/>"), is_html(b"<OAI-PMH/>")
    (True, False)
    """
    return _HTML.match(payload[:2048]) is not None


def utc_now() -> datetime:
    """Return the current moment, in UTC."""
    return datetime.now(UTC)


def retry_after(headers: httpx.Headers, now: datetime) -> float | None:
    """Return the number of seconds a server asks to wait (RFC 9110, section 10.2.3); None if it is missing or
    unreadable.

    A date is compared with the server's own clock, if it sends one (section 6.6.1).

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
    """Return a date in one of the three forms of RFC 9110, section 5.6.7."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when


class Fetcher:
    """Fetches answers over one connection.

    Args:
        settings: the settings of the client.
        watch: the deadline of an answer.
        accept: the value of the field ``Accept`` (RFC 9110, section 12.5.1).

    Raises:
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self, settings: Settings, watch: Watch, accept: str = XML, clock: Callable[[], datetime] = utc_now
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
        """Return the answer to one request, without retries.

        Raises:
            ProviderFault: any other outcome; see its subclasses.
            Stopped: the caller requested a stop.
        """
        shown_url = shown_address(address)
        settings = self._settings
        self._watch.begin(settings.page_seconds)
        try:
            return self._follow(address, shown_url)
        except Late:
            problem = f"the answer was not complete after {settings.page_seconds:g} seconds"
            raise BadPage(FaultCode.TOO_SLOW, shown_url, problem, "an answer in that time (page_seconds)") from None
        except Broken as broken:
            expected = f"an answer of {address.host} over {address.scheme}"
            raise Unreachable(broken.code, shown_url, broken.problem, expected, transient=broken.transient) from None
        except FAILURES as error:
            problem = f"the connection was lost: {error or type(error).__name__}"
            expected = "a complete answer over HTTP/1.1, RFC 9112, sections 6 and 8"
            raise Unreachable(FaultCode.CONNECTION, shown_url, problem, expected, transient=True) from None

    def _follow(self, address: httpx.URL, request_name: str) -> Fetched:
        first = address
        for _ in range(self._settings.redirects + 1):
            response = self._send(address)
            try:
                if response.status_code == 200:
                    payload = self._payload(response, request_name)
                    return Fetched(payload, self._clock(), self._departures(first, address))
                beginning = self._beginning(response)
                if response.status_code not in _REDIRECTS:
                    raise _refusal(response, request_name, beginning)
            finally:
                response.close()
            address = redirect_target(address, response.headers.get("Location"), request_name)
            if not self._settings.other_hosts and is_elsewhere(address, first):
                problem = f"a redirect to another host or port, {shown(address.netloc.decode('ascii', 'replace'))}"
                raise Refused(
                    FaultCode.REDIRECT, request_name, problem, "an answer of the requested host (other_hosts)"
                )
        problem = f"more than {self._settings.redirects} redirects, the last to {shown_address(address)}"
        raise Refused(FaultCode.REDIRECT, request_name, problem, "an answer within them, RFC 9110, section 15.4")

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
        departures = []
        if last.host != first.host:
            departures.append(Departure(DepartureCode.OTHER_HOST, f"a redirect led to another host, {last.host}"))
        if self._settings.verify is False and last.scheme == "https":
            departures.append(Departure(DepartureCode.UNCHECKED_CERTIFICATE, "the certificate was not checked, as set"))
        return tuple(departures)

    def _payload(self, response: httpx.Response, request_name: str) -> bytes:
        """Return the decoded body; nothing beyond the limit is kept in memory.

        Raises:
            BadPage: too large, or not in the declared encoding.
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
                        raise BadPage(FaultCode.TOO_LARGE, request_name, problem, expected, payload=beginning)
            unpack.end()
        except BadBody as error:
            code = FaultCode.TRUNCATED if error.cut else FaultCode.BAD_CONTENT_ENCODING
            expected = f"{ENCODINGS} or none, whole, RFC 9110, section 8.4"
            beginning = held.getvalue()[:KEPT]
            raise BadPage(
                code, request_name, f"the answer: {error}", expected, transient=True, payload=beginning
            ) from None
        return held.getvalue()

    def _beginning(self, response: httpx.Response) -> bytes:
        """Return the first bytes of an error answer; a short one is read to its end, to keep the connection open."""
        held = b""
        try:
            unpack = decoder(response.headers.get("Content-Encoding", ""))
            for data in response.iter_raw():
                for piece in unpack.feed(data):
                    held += piece
                    if len(held) >= KEPT:
                        return held[:KEPT]
        except (BadBody, Broken, *FAILURES):
            return held  # the fault needs only the status
        return held


def _refusal(response: httpx.Response, request_name: str, beginning: bytes) -> ProviderFault:
    """Return the fault for a status other than 200 (OAI-PMH 2.0, section 3.1.2.2; RFC 9110, section 15)."""
    status = response.status_code
    problem = f"the server answered with the status {status}"
    expected = "the status 200, OAI-PMH 2.0, section 3.1.2.2"
    wait = retry_after(response.headers, utc_now())
    if wait is not None:
        problem += f" and asked to wait {wait:g} seconds"
    if status in _BUSY:
        return Busy(
            FaultCode.BUSY,
            request_name,
            problem,
            expected,
            transient=True,
            payload=beginning,
            retry_after=wait,
            status=status,
        )
    return Refused(
        FaultCode.STATUS,
        request_name,
        problem,
        expected,
        transient=status in _TRANSIENT,
        payload=beginning,
        retry_after=wait,
        status=status,
    )


_Read = TypeVar("_Read")


class RetryingFetcher:
    """Sends requests to one host over one connection. Not for several threads.

    Args:
        settings: the settings of the client.
        accept: the value of the field ``Accept`` (RFC 9110, section 12.5.1).
        on_wait: called before each wait that a fault causes.
        clock: returns the moment, in UTC.
        stopped: called at least ten times a second while waiting and reading; if it returns true, :class:`Stopped` is
            raised.

    Attributes:
        requests: the number of requests sent, including repetitions.

    Raises:
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        accept: str = XML,
        on_wait: Callable[[Waiting], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._settings = settings
        self._on_wait = on_wait
        self._watch = Watch(stopped)
        self._fetcher = Fetcher(settings, self._watch, accept, clock)
        self._free_at = 0.0
        self.requests = 0

    def close(self) -> None:
        """Close the connection."""
        self._fetcher.close()

    def ask(self, address: httpx.URL, read: Callable[[Fetched], _Read]) -> _Read:
        """Return the result of ``read`` for the answer. Transient faults, also those of ``read``, are retried (OAI-PMH
        2.0, 3.1.2.2).

        Args:
            read: receives a complete answer with status 200; raises a :class:`ProviderFault` if it is invalid.

        Raises:
            ProviderFault: there is no valid answer; see its subclasses.
            Stopped: the caller requested a stop.
        """
        attempt = 0
        while True:
            try:
                return read(self._fetch_once(address))
            except ProviderFault as fault:
                transient = fault.transient or fault.status in self._settings.transient
                if not transient or attempt >= self._settings.retries:
                    raise
                attempt += 1
                self._wait(fault, attempt)

    def _fetch_once(self, address: httpx.URL) -> Fetched:
        self._watch.sleep(self._free_at - time.monotonic())
        self.requests += 1
        try:
            return self._fetcher.get(address)
        finally:
            self._free_at = time.monotonic() + self._settings.politeness

    def _wait(self, fault: ProviderFault, attempt: int) -> None:
        """Wait before a repetition: as long as the provider asks, else twice as long each time.

        Raises:
            Busy: the provider asks for more than ``longest_wait``.
        """
        settings = self._settings
        seconds = fault.retry_after
        if seconds is None:
            seconds = min(settings.backoff * 2.0 ** min(attempt - 1, 60), settings.longest_wait)
        elif seconds > settings.longest_wait:
            raise Busy(
                FaultCode.BUSY,
                fault.url,
                fault.problem,
                f"a wait of at most {settings.longest_wait:g} seconds (longest_wait), RFC 9110, section 10.2.3",
                transient=True,
                payload=fault.payload,
                retry_after=seconds,
            ) from None
        if self._on_wait is not None:
            self._on_wait(Waiting(seconds, fault, attempt, settings.retries))
        self._watch.sleep(seconds)
