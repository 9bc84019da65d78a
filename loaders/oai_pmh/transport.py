"""The way to a provider: one connection, with a deadline for the whole answer and a stop at any moment.

HTTP libraries limit the silence between two pieces of an answer, not the answer: a server that sends a byte now and
then holds them for ever. Here every wait for the network is cut into short ones, and between them the deadline and the
caller are asked.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import httpcore
import httpx

from loaders.oai_pmh.codes import FaultCode
from loaders.oai_pmh.faults import BadSettings, Stopped
from loaders.oai_pmh.model import Settings

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
