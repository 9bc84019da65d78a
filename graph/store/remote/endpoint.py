"""A SPARQL endpoint through SPARQLWrapper (SPARQL 1.1 Protocol), with the guards that SPARQLWrapper lacks.

The guards: limits of time and size, retries, no redirects and no proxies of the environment, and answers that an engine
cut though it says 200.

A query changes nothing, so it is sent again when the connection breaks or the server is busy. An update is sent again
only where it certainly was not carried out: no connection was made, or the server answered that it was busy. After a
timeout nobody knows; the caller has to look.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from SPARQLWrapper import POST, POSTDIRECTLY, SPARQLWrapper

from graph.errors import BadParameter, BadQuery, EndpointProblem
from graph.store.remote.credentials import PASSWORD, USER, ByChallenge, Credentials

#: The server is busy or its gateway alone answered: asking again may help.
_BUSY = frozenset({429, 502, 503})
#: Of these an update knows that it was not carried out; behind a gateway (502) it does not.
_NOT_DONE = frozenset({429, 503})
# What is told of an update that may have been carried out.
_NOBODY_KNOWS = "; nobody knows whether what was sent was carried out. Run the same again"
#: What Virtuoso says, beside the status 200, of an answer that is cut or wrong.
_CUT = "X-SPARQL-MaxRows"
_FAULTS = ("X-SQL-State", "X-SQL-Message")
#: The longest wait that a server may ask for, in seconds.
_LONGEST_WAIT = 30.0
#: How much of a server's own message is told, in characters.
_TOLD = 300


class AnswerCut(EndpointProblem):
    """An answer that the endpoint cut short, though it says 200.

    Attributes:
        most: how many rows it gives at once, where it says so.
    """

    def __init__(self, message: str, most: int | None = None) -> None:
        self.most = most
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an endpoint may take, and how much it may say.

    Attributes:
        connect: seconds until a connection stands.
        answer: seconds between two pieces of an answer, the first one too.
        tries: how often a question is asked at most.
        pause: seconds before it is asked the second time; twice as many before each further time.
        longest: bytes of an answer.
    """

    connect: float = 5.0
    answer: float = 300.0
    tries: int = 5
    pause: float = 0.2
    longest: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Reply:
    """What an endpoint answered: bytes, and what they are."""

    body: bytes
    media_type: str
    server: str


class Endpoint:
    """Where a graph can be asked, and where it can be changed. Threads may share it.

    Args:
        url: for questions.
        update_url: for updates; None for none.
        credentials: who asks; None for nobody.

    Raises:
        BadParameter: the URL is none, or names a user.
    """

    def __init__(
        self,
        url: str,
        update_url: str | None = None,
        credentials: Credentials | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.url = checked(url)
        self.update_url = None if update_url is None else checked(update_url)
        self._limits = limits or Limits()
        handlers = [ByChallenge(credentials)] if credentials is not None else []
        connections = (_Http(self._limits), _Https(self._limits))
        self._opener = build_opener(ProxyHandler({}), _NoRedirect, *connections, *handlers)

    def close(self) -> None:
        """Release what the endpoint holds."""
        self._opener.close()

    def ask(self, query: str, accept: str, parameters: Sequence[tuple[str, str]] = ()) -> Reply:
        """The answer to a query, whole.

        Args:
            accept: media types.
            parameters: of the request, beside the query.

        Raises:
            BadQuery: the endpoint refuses the query.
            AnswerCut: the endpoint says that the answer is not whole.
            EndpointProblem: it cannot be reached, refuses, or says more than the limit.
        """
        client = _Client(self.url, self._opener, self._limits)
        client.addCustomHttpHeader("Accept", accept)
        for name, value in parameters:
            client.addParameter(name, value)
        client.setQuery(query)
        client.queryType = "SELECT"  # of any query: SPARQLWrapper looks for the form of an answer
        return self._tried(client, again=True)

    def fetch(self, url: str, accept: str, output: BinaryIO) -> None:
        """Write what lies at an address, however long it is.

        Raises:
            EndpointProblem: it cannot be had whole.
            OSError: it cannot be written.
        """
        try:
            with self._opener.open(Request(url, headers={"Accept": accept})) as response:  # noqa: S310 - http(s) alone
                for piece in _pieces(response):
                    output.write(piece)
        except HTTPError as error:
            raise _refused(url, error, _body(error, _TOLD), changes=False) from None
        except _BROKEN as error:
            raise self._failed(url, error, unknown=False) from None

    def greeting(self) -> str:
        """What the server calls itself (RFC 9110, section 10.2.4).

        Raises:
            EndpointProblem: it cannot be reached.
        """
        try:
            with self._opener.open(Request(self.url)) as response:  # noqa: S310 - checked: http(s) alone
                return str(response.headers.get("Server", ""))
        except HTTPError as error:
            with error:
                return str(error.headers.get("Server", ""))
        except _BROKEN as error:
            raise self._failed(self.url, error, unknown=False) from None

    def change(self, update: str) -> None:
        """Carry out an update request.

        Raises:
            EndpointProblem: it was refused; or nobody knows whether it was carried out.
        """
        if self.update_url is None:
            raise EndpointProblem(f"{self.url} is for questions alone: expected an address for updates")
        client = _Client(self.update_url, self._opener, self._limits)
        client.setRequestMethod(POSTDIRECTLY)
        client.addCustomHttpHeader("Accept", "*/*")
        client.addCustomHttpHeader("Content-Type", "application/sparql-update; charset=utf-8")
        client.setQuery(update)
        client.queryType = "INSERT"  # of any update, as above
        self._tried(client, again=False)

    def _tried(self, client: _Client, *, again: bool) -> Reply:
        pause = self._limits.pause
        for left in reversed(range(self._limits.tries)):
            try:
                return self._sent(client, patient=left > 0, again=again)
            except _Later as later:
                time.sleep(min(max(pause, later.seconds), _LONGEST_WAIT))
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def _sent(self, client: _Client, *, patient: bool, again: bool) -> Reply:
        """One try.

        Args:
            patient: whether another may follow.
            again: whether the request may be carried out twice.
        """
        url = client.endpoint
        try:
            with client.send() as response:
                return self._read(url, response)
        except HTTPError as error:
            with error:
                if patient and error.code in (_BUSY if again else _NOT_DONE):
                    raise _Later(_asked_to_wait(error.headers)) from None
                raise _refused(url, error, _body(error, _TOLD), changes=not again) from None
        except _BROKEN as error:
            never_sent = isinstance(error, URLError) and isinstance(error.reason, _NotConnected)
            cut_off = not isinstance(_reason(error), TimeoutError)
            if patient and (never_sent or (again and cut_off)):
                raise _Later(0) from None
            raise self._failed(url, error, unknown=not (again or never_sent)) from None

    def _read(self, url: str, response: HTTPResponse) -> Reply:
        body = bytearray()
        for piece in _pieces(response):
            body += piece
            if len(body) > self._limits.longest:
                raise EndpointProblem(f"{url} answers more than {self._limits.longest} bytes: ask for less")
        if most := response.headers.get(_CUT):
            told = f"{url} cut its answer at {most} rows: ask for less, or let it answer more"
            raise AnswerCut(told, int(most) if most.isascii() and most.isdigit() else None)
        for fault in _FAULTS:
            if said := response.headers.get(fault):
                raise AnswerCut(f"{url} gives an answer that is not whole: {fault} says {said[:_TOLD]}")
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Reply(bytes(body), media_type, response.headers.get("Server", ""))

    def _failed(self, url: str, error: Exception, *, unknown: bool) -> EndpointProblem:
        reason = _reason(error)
        cause = reason.__cause__ if isinstance(reason, _NotConnected) else None
        if isinstance(cause, TimeoutError):
            why = f"no connection within {self._limits.connect:g} s"
        elif isinstance(reason, TimeoutError):
            why = f"no answer within {self._limits.answer:g} s"
        else:
            why = str(cause or reason) or type(reason).__name__
        return EndpointProblem(f"{url} cannot be asked: {why}{_NOBODY_KNOWS if unknown else ''}")


class _Client(SPARQLWrapper):
    """SPARQLWrapper for one request, sent by an opener of ours: its own is that of the whole process."""

    def __init__(self, url: str, opener: OpenerDirector, limits: Limits) -> None:
        super().__init__(url, agent="vigente")
        self.setMethod(POST)
        self.setOnlyConneg(True)
        self._opener = opener
        self._limits = limits

    def send(self) -> HTTPResponse:
        """The response, whose body is still to be read.

        Raises:
            HTTPError: the status is an error, or a redirect.
            URLError, HTTPException, OSError: the connection failed.
        """
        request = self._createRequest()
        request.full_url = request.full_url.removesuffix("?")  # no parameters followed
        found = self._opener.open(request, timeout=self._limits.answer)
        assert isinstance(found, HTTPResponse)  # noqa: S101 - the URL is http or https
        return found


class _NotConnected(OSError):
    """No connection was made, so that nothing was sent."""


class _HttpConnection(HTTPConnection):
    def __init__(self, host: str, limits: Limits) -> None:
        super().__init__(host)
        self._limits = limits

    def connect(self) -> None:
        _connect(self, super().connect, self._limits)


class _HttpsConnection(HTTPSConnection):
    def __init__(self, host: str, limits: Limits) -> None:
        super().__init__(host)
        self._limits = limits

    def connect(self) -> None:
        _connect(self, super().connect, self._limits)


def _connect(connection: HTTPConnection, connect: Callable[[], None], limits: Limits) -> None:
    """Connect within the limit for connecting; what follows has the limit for answers."""
    connection.timeout = limits.connect
    try:
        connect()
    except OSError as error:
        raise _NotConnected(str(error)) from error
    connection.sock.settimeout(limits.answer)


class _Http(HTTPHandler):
    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **_: _HttpConnection(host, self._limits), req)


class _Https(HTTPSHandler):
    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(lambda host, **_: _HttpsConnection(host, self._limits), req)


class _NoRedirect(HTTPRedirectHandler):
    """Redirects are refused: an endpoint could lead to any other host."""

    def redirect_request(self, *_: object) -> None:
        return None


#: What a connection that broke raises.
_BROKEN = (URLError, HTTPException, OSError)


def _reason(error: Exception) -> Exception:
    inner = error.reason if isinstance(error, URLError) else error
    return inner if isinstance(inner, Exception) else error


def _pieces(response: HTTPResponse) -> Iterator[bytes]:
    """A body piece by piece.

    Raises:
        IncompleteRead: it is shorter than announced.
    """
    while piece := response.read1(1 << 16):
        yield piece
    if response.length:  # bytes that Content-Length announced
        raise IncompleteRead(b"", response.length)


def _body(error: HTTPError, most: int) -> str:
    """The first characters of the body of an error."""
    try:
        return error.read(4 * most).decode("utf-8", "replace")
    except _BROKEN:
        return ""


class _Later(Exception):
    """Another try may help, after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def _asked_to_wait(headers: Message[str, str]) -> float:
    """The seconds that Retry-After asks for (RFC 9110, section 10.2.3); 0 where it names a date or nothing."""
    said = headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0


def _refused(url: str, error: HTTPError, body: str, *, changes: bool) -> EndpointProblem | BadQuery:
    status = error.code
    lines = body.strip().splitlines() or [str(error.reason)]
    said = lines[0][:_TOLD]
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return EndpointProblem(f"{url} refuses who asks ({status}): {USER} and {PASSWORD} say who does")
    if status == HTTPStatus.BAD_REQUEST:
        return BadQuery(f"{url} refuses the query: {said}")
    unknown = changes and status >= HTTPStatus.INTERNAL_SERVER_ERROR and status not in _NOT_DONE
    return EndpointProblem(f"{url} answers {status}: {said}{_NOBODY_KNOWS if unknown else ''}")


def checked(url: str) -> str:
    """The URL of an endpoint.

    Raises:
        BadParameter: it is none, or names a user, whose password is not told.
    """
    try:
        found = urlsplit(url)
        port = found.port
    except ValueError as error:
        if "ort" in str(error):
            raise BadParameter(f"expected the URL of an endpoint with a port from 1 to 65535, got {url!r}") from None
        raise BadParameter(f"expected the URL of an endpoint: {error}") from None
    if found.username is not None or found.password is not None:
        raise BadParameter(f"expected a URL without user and password: {USER} and {PASSWORD} say who asks")
    if found.scheme not in ("http", "https") or not found.hostname or not url.isascii() or not url.isprintable():
        raise BadParameter(f"expected the URL of an endpoint, http:// or https://, got {url!r}")
    if port == 0:
        raise BadParameter(f"expected the URL of an endpoint with a port from 1 to 65535, got {url!r}")
    return url
