"""One connection: uvicorn's protocol with limits on how long and how large a request may be before it is whole.

uvicorn itself waits for ever for the end of a request's head. Here each connection has deadlines, each address a
share, and a request whose framing could be read in two ways is refused before anything else reads it
(:mod:`service.web.running.heads`). Whatever ends a connection, answers that are owed are given first and in order
(RFC 9112, section 9.3.2), and what still comes is taken for a while, so that they are read (section 9.6).
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, cast
from weakref import ReferenceType, WeakKeyDictionary, ref

from httptools import HttpParserInvalidMethodError, HttpRequestParser
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from service.web.http.networks import believed, within
from service.web.http.problems import Problem
from service.web.http.turns import GONE
from service.web.running.heads import Head, checked, too_large
from service.web.running.outgoing import Outgoing
from service.web.running.shares import Shares
from service.web.settings import Connections, Settings

#: Most requests that may have come while one is under way on the same connection.
_MOST_BEHIND = 100
#: Seconds for which what comes behind a last answer is taken, and how many bytes of it.
_LINGER_SECONDS = 1.0
_MOST_LATE = 16 << 20
#: Seconds between looks whether a client that has said all is still there.
_PROBE_EVERY = 0.25
_METHODS = (b"GET", b"HEAD", b"OPTIONS", b"POST")
#: A request line (RFC 9112, section 3), of whichever method.
_REQUEST_LINE = re.compile(rb"(?:\A|\r\n\r\n)([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) [^ \r\n]+ HTTP/1\.[01]\r?\n")
_LOG = logging.getLogger("vigente.requests")
_FAULTS = logging.getLogger("vigente.connections")  # uvicorn's: what clients do wrong each refusal tells, and who
_FAULTS.setLevel(logging.ERROR)
_REFUSAL_HEADERS = {"Connection": "close", "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*"}


class _Guarded(HttpToolsProtocol):
    """A connection with deadlines; :func:`guarded` gives it its settings."""

    settings: Settings
    shares: WeakKeyDictionary[ServerState, Shares]

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(config, server_state, app_state, **more)
        self.logger = _FAULTS
        self._share = self.shares.setdefault(server_state, Shares())
        self._counted = False
        self._address = ""
        self._exempt = False
        self._deadline: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._in_head = False
        self._head_bytes = 0
        self._late = 0
        self._came = b""
        self._running: RequestResponseCycle | None = None
        self._outgoing: Outgoing | None = None
        self._refusal: Problem | None = None
        self._owed: Problem | None = None
        self._deaf = False  # what still comes is no request any more
        self._lingering = False
        self._left_out = False  # requests behind the one under way are not begun any more
        self._probe: asyncio.TimerHandle | None = None

    @property
    def _parsing(self) -> HttpRequestParser:
        found = self.parser
        assert found is not None  # noqa: S101 - it is only when the connection is lost
        return found

    @property
    def _limits(self) -> Connections:
        return self.settings.connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._exempt = within(self._address, self.settings.proxies)
        transport.set_write_buffer_limits(high=0)  # so that whatever a client has not taken is known of
        self._counted = self._share.take(self._address, self._limits, exempt=self._exempt)
        if self._counted:
            self._await_client()
            self._await_head()
        else:
            self._refuse(_too_many())

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        self._forget_stall()
        if self._probe is not None:
            self._probe.cancel()
        self._give_back()
        running = self._running
        if running is not None and not running.response_complete:  # uvicorn tells the last request that came alone
            running.disconnected = True
            running.message_event.set()
        super().connection_lost(exc)

    def _give_back(self) -> None:
        self._share.wait_no_more(self)
        self._share.has_taken(self)
        if self._counted:
            self._counted = False
            self._share.give_back(self._address)

    def _await_client(self) -> None:
        """What comes next the client has to say; a proxy says it for many, and keeps its connections."""
        if self._counted and not self._exempt:
            self._share.wait_for(self)

    def make_room(self) -> None:
        """End a connection whose client has not said all yet, or takes nothing of what it is told: others ask."""
        self._give_back()
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        elif self._in_head or (self.cycle is not None and self.cycle.more_body):
            self._refuse(_too_many())
        self.transport.close()

    def cut(self, unsent: int) -> None:
        """End a connection whose client leaves too much untaken; its answer is cut, and does not look whole."""
        _LOG.info("cut", extra={"fields": {"client": self._address, "unsent": unsent}})
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._deaf:
            self._late += len(data)
            if self._late > _MOST_LATE:
                self.transport.close()
            return
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        self._head_bytes += len(data) if self._in_head else 0
        self._came = data
        super().data_received(data)
        if self._in_head and self._head_bytes > self._limits.head_bytes and not self._deaf:
            self._refuse(too_large(self._limits))

    def eof_received(self) -> bool:  # type: ignore[override]
        """A client that has said all waits for its answers, or has hung up: True where that is to be found out."""
        if self._lingering or self._running is None or self._running.response_complete:
            return False
        self._deaf = True
        if self.cycle.more_body:
            self._refuse(Problem(400, "bad-request", "expected the whole body, got a part of it"))
            return True
        self.cycle.keep_alive = False
        self._probe = self.loop.call_later(_PROBE_EVERY, self._look_for_client)
        return True

    def _look_for_client(self) -> None:
        """Say a word that clients pass over (RFC 9110, section 15.2): to one that hung up it cannot be said twice."""
        running = self._running
        if running is None or running.response_started or self.transport.is_closing():
            return
        if running.scope["http_version"] == "1.0":  # there are no such words
            self.transport.close()
            return
        self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._probe = self.loop.call_later(_PROBE_EVERY, self._look_for_client)

    def on_message_begin(self) -> None:
        self._in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        problem = self._faulty_head()
        if problem is not None:
            self._refusal = problem
            raise ValueError(problem.code)  # the parser stops, and calls send_400_response
        if self.settings.proxies:
            self.headers[:] = [
                (name, believed(value) if name == b"x-forwarded-for" else value) for name, value in self.headers
            ]
        super().on_headers_complete()
        if self._parsing.should_upgrade():
            self.cycle.keep_alive = False  # nothing is upgraded, and the parser reads nothing after such a request
        self._set_deadline(self._limits.body_seconds, self._slow_body)

    def on_message_complete(self) -> None:
        self._forget_deadline()
        self._share.wait_no_more(self)
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        outgoing = self._outgoing = Outgoing(self.transport, self._end)
        cycle.transport = cast("asyncio.Transport", outgoing)
        cast("dict[str, object]", cycle.scope)[GONE] = partial(_is_gone, ref(cycle))
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        if self._outgoing is not None:
            self._outgoing.flush()
        if self._lingering:
            self.server_state.total_requests += 1
            return
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self._owed is not None and self._running is not None and self._running.response_complete:
            self._write(self._owed)
            self._linger()
        elif not self.pipeline:
            self._await_client()
        else:
            self.flow.pause_reading()  # uvicorn reads on here, and what waits would grow faster than it is answered

    def _end(self) -> None:
        """The last answer is given: close, at once where the request had come whole."""
        if self.cycle.more_body or self.pipeline or self._left_out:
            self._linger()
        else:
            self.transport.close()

    def _linger(self) -> None:
        """Say that nothing more comes, and take what still does, within bounds: bytes that nobody has taken when a
        connection is closed would take the answer away from the client (RFC 9112, section 9.6)."""
        if self._lingering or self.transport.is_closing():
            return
        self._deaf = self._lingering = True
        self.pipeline.clear()
        self.flow.resume_reading()
        self.transport.write_eof()
        self._set_deadline(_LINGER_SECONDS, self.transport.close)

    def shutdown(self) -> None:
        """End the request under way; those behind it were not begun, and the client can ask them elsewhere."""
        self._left_out = bool(self.pipeline)
        self.pipeline.clear()
        if self._running is None or self._running.response_complete:
            self.transport.close()
        else:
            self._running.keep_alive = False

    def pause_writing(self) -> None:
        super().pause_writing()
        who = "" if self._exempt else self._address
        self._share.is_told(self, who, self.transport.get_write_buffer_size(), self._limits)
        if self.transport.is_closing():
            return
        self._await_taking()
        self._await_client()

    def resume_writing(self) -> None:
        self._forget_stall()
        self._share.has_taken(self)
        if self._running is not None and not (self._running.response_complete or self._running.more_body):
            self._share.wait_no_more(self)
        super().resume_writing()

    def _await_taking(self) -> None:
        """Let go of a client that takes nothing of what waits for it."""
        self._forget_stall()
        waiting = self.transport.get_write_buffer_size()

        def look() -> None:
            if self.transport.get_write_buffer_size() < waiting:
                self._await_taking()
            else:
                self.transport.abort()

        self._stall = self.loop.call_later(self._limits.stall_seconds, look)

    def send_400_response(self, msg: str) -> None:
        """What uvicorn calls where the parser refuses."""
        refusal, self._refusal = self._refusal, None
        if refusal is None and isinstance(sys.exception(), HttpParserInvalidMethodError):
            unknown = [method for method in _REQUEST_LINE.findall(self._came) if method not in _METHODS]
            if unknown:
                allowed = ", ".join(method.decode() for method in _METHODS)
                told = f"expected one of {allowed}, got {unknown[0].decode()}"
                refusal = Problem(501, "method-not-allowed", told, headers={"Allow": allowed})
        self._refuse(refusal or Problem(400, "bad-request", f"expected an HTTP/1.1 request (RFC 9112). {msg}"))

    def _faulty_head(self) -> Problem | None:
        """What is wrong with the head of the request, if anything is; a target that is another's is made our own."""
        if len(self.pipeline) >= _MOST_BEHIND:
            return Problem(400, "bad-request", f"expected at most {_MOST_BEHIND} requests behind one under way")
        parser = self._parsing
        head = Head(parser.get_method(), self.url, parser.get_http_version(), self.headers)
        try:
            self.url = checked(head, self._limits)
        except Problem as problem:
            return problem
        return None

    def _refuse(self, problem: Problem) -> None:
        """Answer what never became a whole request, behind the answers that are owed, and end the connection."""
        self._forget_deadline()
        self._deaf = True
        if self.cycle is not None and self.cycle.more_body and self.cycle.response_complete:
            self._linger()  # it was answered before its body was whole
            return
        if self.cycle is not None and self.cycle.more_body:
            if self.pipeline and self.pipeline[0][0] is self.cycle:
                self.pipeline.popleft()
            elif not self.cycle.response_started:
                self._answer_instead(problem)
                self._linger()
                return
            else:
                self.transport.close()  # it is being answered, and its body will never be whole
                return
        if self._running is None or self._running.response_complete:
            self._write(problem)
            if self._counted:
                self._linger()
            else:
                self.transport.close()
        else:
            self._owed = problem

    def _answer_instead(self, problem: Problem) -> None:
        """Answer a request whose body will never be whole; who awaits it is told that none will come."""
        self.cycle.disconnected = True
        self.cycle.waiting_for_100_continue = False
        self.cycle.message_event.set()
        self._write(problem)

    def _write(self, problem: Problem) -> None:
        told = {"status": problem.status, "client": self._address, "reason": problem.code}
        _LOG.info("refused", extra={"fields": told})
        response = problem.response()
        response.headers.update(_REFUSAL_HEADERS)
        lines = [f"HTTP/1.1 {problem.status} {problem.document()['title']}".encode()]
        lines += [name + b": " + value for name, value in response.raw_headers]
        self.transport.write(b"\r\n".join([*lines, b"", bytes(response.body)]))

    def _await_head(self) -> None:
        self._set_deadline(self._limits.head_seconds, self._slow_head)

    def _set_deadline(self, seconds: float, late: Callable[[], None]) -> None:
        self._forget_deadline()
        self._deadline = self.loop.call_later(seconds, late)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _slow_head(self) -> None:
        seconds = self._limits.head_seconds
        self._refuse(Problem(408, "slow-request", f"expected the head of a request within {seconds:g} s"))

    def _slow_body(self) -> None:
        seconds = self._limits.body_seconds
        self._refuse(Problem(408, "slow-body", f"expected the body of the request within {seconds:g} s"))


def _is_gone(cycle: ReferenceType[RequestResponseCycle]) -> bool:
    found = cycle()
    return found is None or found.disconnected


def _too_many() -> Problem:
    told = "expected no more connections than the service has room for, or one address has a share in"
    return Problem(503, "too-many-connections", told, headers={"Retry-After": "10"})


def guarded(settings: Settings) -> type[asyncio.Protocol]:
    """The protocol of a service's connections, for ``uvicorn.Config(http=...)``; its shares are per server."""
    counted: WeakKeyDictionary[ServerState, Shares] = WeakKeyDictionary()
    return type("Guarded", (_Guarded,), {"settings": settings, "shares": counted})
