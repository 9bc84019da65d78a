"""The connection to a provider: HTTP compression, a deadline for the whole answer, and cancellation at any moment.

HTTP libraries limit the silence between two reads, not the whole answer: a server that sends a byte now and then keeps
them waiting for ever. Here every wait is cut into short ones, and between them the deadline and the caller are checked.
"""

from __future__ import annotations

import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import httpcore
import httpx

from loaders.oai_pmh.faults import BadSettings, FaultCode, Stopped
from loaders.oai_pmh.model import Settings

#: What the client offers to accept, as the field ``Accept-Encoding`` has it (OAI-PMH 2.0, section 3.1.3).
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
    """Takes an encoding off."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes in small pieces, however much they unpack to."""
        ...

    def end(self) -> None:
        """Raise :class:`BadBody` when something is missing."""
        ...


class _Plain:
    """No encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def end(self) -> None:
        """Nothing can be missing that the transfer has not told."""


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
                raise BadBody(f"it is not the {self._name} that it says it is: {error}") from None
            if piece:
                yield piece
            data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail

    def end(self) -> None:
        if self._first or (self._begun and self._unpacker is not None and not self._unpacker.eof):
            raise BadBody(f"its {self._name} ends before its end", cut=True)


def decoder(declared: str) -> Decoder:
    """What takes off the encoding of an answer.

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


#: How long no one is asked whether to stop, in seconds.
SLICE = 0.1
_KEEP_ALIVE = 120.0
#: What the HTTP library raises beside what is translated here.
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
    """The connection could not be made or did not last."""

    def __init__(self, code: FaultCode, problem: str, *, transient: bool = True) -> None:
        self.code = code
        self.problem = problem
        self.transient = transient
        super().__init__(problem)


class Late(Exception):
    """The time for an answer is over."""


class Watch:
    """The time that an answer has left, and whether the caller still wants it."""

    def __init__(self, stopped: Callable[[], bool] | None) -> None:
        self._stopped = stopped
        self._deadline = float("inf")

    def begin(self, seconds: float) -> None:
        """An answer must be there in so many seconds."""
        self._deadline = time.monotonic() + seconds

    def check(self) -> None:
        """Raise :class:`Stopped` when the caller wants to stop."""
        if self._stopped is not None and self._stopped():
            raise Stopped

    def left(self, longest: float) -> float:
        """How many seconds to wait at most, never more than ``longest``.

        Raises:
            Late: none.
            Stopped: the caller wants to stop.
        """
        self.check()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Late
        return max(0.001, min(left, longest))

    def sleep(self, seconds: float) -> None:
        """Wait, unless the caller wants to stop."""
        end = time.monotonic() + seconds
        self.check()
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, SLICE))
            self.check()


class _Stream(httpcore.NetworkStream):
    """A connection that looks up from its work."""

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
                    raise Broken(FaultCode.TIMEOUT, f"the server was silent for {timeout:g} seconds") from None
            except httpcore.ReadError as error:
                raise Broken(FaultCode.CONNECTION, f"the connection broke: {error}") from None

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
            raise Broken(FaultCode.TIMEOUT, "the server did not finish the handshake of TLS in time") from None
        except httpcore.ConnectError as error:
            final = isinstance(error.__cause__, ssl.SSLCertVerificationError)
            raise Broken(FaultCode.TLS, f"TLS failed: {error}", transient=not final) from None
        return _Stream(inner, self._watch)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    """Opens connections that look up from their work."""

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
            unknown = isinstance(error.__cause__, socket.gaierror)
            code, problem = (
                (FaultCode.UNKNOWN_HOST, "the host was not found")
                if unknown
                else (FaultCode.CONNECTION, "no connection")
            )
            raise Broken(code, f"{problem}: {error}") from None
        except UnicodeError:  # the system's codec for host names
            raise Broken(FaultCode.UNKNOWN_HOST, "the host has no possible name", transient=False) from None
        return _Stream(inner, self._watch)


class _Body(httpx.SyncByteStream):
    """The body of an answer as it comes."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class Transport(httpx.BaseTransport):
    """Requests over one connection that is kept (RFC 9112, section 9.3).

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
        """Send one request and read the head of the answer."""
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
        except OSError as error:  # of which ssl.SSLError is one
            raise BadSettings(f"expected verify to name a file of certificates in PEM: {error}") from None
    return context
