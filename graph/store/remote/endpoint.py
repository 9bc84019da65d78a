"""A SPARQL endpoint: its credentials, its requests with limits and retries, and its answers in the engine's types.

SPARQLWrapper makes the requests of the SPARQL 1.1 Protocol. This module sends them through its own opener. The opener
limits the time and size of the whole answer, follows no redirect, uses no proxy of the environment, and answers
authentication challenges. It retries requests if that is safe, and rejects truncated answers.

A query changes nothing, so it is retried after a broken connection or if the server is busy. An update is retried only
if it certainly was not run: no connection was made, or the server answered that it was busy. After a timeout this is
unknown, and the writer checks the state.
"""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from socket import socket
from threading import Lock
from typing import IO, Any, BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPDigestAuthHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPSHandler,
    OpenerDirector,
    Request,
    parse_http_list,
    parse_keqv_list,
)

import orjson
import pyoxigraph as ox
from SPARQLWrapper import INSERT, POST, POSTDIRECTLY, SELECT, SPARQLWrapper

from graph.errors import BadParameter, BadQuery, EndpointProblem
from graph.store.engine import Answer
from ontology.namespaces import XSD

# Credentials for an endpoint, from the environment or a file, never from a command line or URL.


#: The names of the environment variables.
USER = "VIGENTE_ENDPOINT_USER"
PASSWORD = "VIGENTE_ENDPOINT_PASSWORD"  # noqa: S105 - the name of a variable
PASSWORD_FILE = "VIGENTE_ENDPOINT_PASSWORD_FILE"  # noqa: S105
_AUTHORIZATION = "Authorization"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user name and its password. ``repr`` omits the password."""

    user: str
    password: str = field(repr=False)

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] | None = None) -> Credentials | None:
        """Return the credentials in the environment variables; None if no user is set.

        Raises:
            BadParameter: a user is set without a password, or the password file cannot be read.
        """
        variables = os.environ if environment is None else environment
        user = variables.get(USER)
        if not user:
            return None
        if file := variables.get(PASSWORD_FILE):
            try:
                return cls(user, Path(file).read_text("utf-8").rstrip("\r\n"))
            except (OSError, UnicodeDecodeError) as error:
                raise BadParameter(f"{PASSWORD_FILE}: {file} cannot be read: {error}") from None
        if (password := variables.get(PASSWORD)) is not None:
            return cls(user, password)
        raise BadParameter(
            f"{USER} is set: expected its password in {PASSWORD}, or in a file that {PASSWORD_FILE} names"
        )


class ByChallenge(HTTPDigestAuthHandler):
    """Answers the authentication challenges of a server (RFC 7616 Digest, RFC 7617 Basic); Digest if it offers both.

    Later requests answer the last challenge, so that a long request is sent once. A password in clear text (Basic) is
    sent only over TLS or to this machine. Threads may share it.
    """

    def __init__(self, credentials: Credentials) -> None:
        passwords = HTTPPasswordMgrWithDefaultRealm()
        self._basic = b64encode(f"{credentials.user}:{credentials.password}".encode()).decode("ascii")
        self._credentials = credentials
        self._passwords = passwords
        self._lock = Lock()
        self._known: tuple[str, dict[str, str]] | None = None
        super().__init__(passwords)

    def http_request(self, req: Request) -> Request:
        """Return the request, with an answer to the last challenge."""
        with self._lock:
            if self._known is not None and not req.has_header(_AUTHORIZATION):
                req.add_unredirected_header(_AUTHORIZATION, self._answer(req, *self._known))
        return req

    https_request = http_request

    def http_error_401(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message) -> Any:  # noqa: ARG002
        """Send the request again with an answer to the challenge, and return the response.

        Returns:
            None if the server offers no supported scheme or has already refused an answer.

        Raises:
            EndpointProblem: the password would be sent in clear text, or the challenge is invalid.
        """
        offered = dict(_challenge(header) for header in headers.get_all("WWW-Authenticate", ()))
        scheme = next((supported for supported in ("digest", "basic") if supported in offered), None)
        if scheme is None or getattr(req, "challenged", False):
            return None
        if scheme == "basic" and req.type != "https" and not _is_this_machine(urlsplit(req.full_url).hostname or ""):
            raise EndpointProblem(
                f"{req.full_url.partition('?')[0]} requests the password in clear text over http: expected https, or "
                "an endpoint that requests Digest authentication"
            )
        fp.close()
        with self._lock:
            self._known = scheme, offered[scheme]
            req.add_unredirected_header(_AUTHORIZATION, self._answer(req, *self._known))
        req.challenged = True  # type: ignore[attr-defined]
        return self.parent.open(req, timeout=req.timeout)

    def _answer(self, req: Request, scheme: str, challenge: dict[str, str]) -> str:
        if scheme == "basic":
            return f"Basic {self._basic}"
        self._passwords.add_password(None, req.full_url, self._credentials.user, self._credentials.password)
        try:
            authorization = self.get_authorization(req, challenge)
        except (ValueError, URLError) as error:
            raise EndpointProblem(f"{req.full_url} requests an unsupported authentication: {error}") from None
        if authorization is None:
            raise EndpointProblem(f"{req.full_url} sends an incomplete Digest challenge")
        return f"Digest {authorization}"


def _challenge(header: str) -> tuple[str, dict[str, str]]:
    """Return the scheme of a challenge, and its parameters."""
    scheme, _, rest = header.partition(" ")
    return scheme.lower(), parse_keqv_list([parameter for parameter in parse_http_list(rest) if "=" in parameter])


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


# A SPARQL endpoint. SPARQLWrapper makes the requests; the limits that it lacks are added here.


_AGENT = "vigente"
#: The size of the pieces read, in bytes.
_PIECE = 1 << 16
_OK, _NO_CONTENT, _BAD_REQUEST, _UNAUTHORIZED, _FORBIDDEN, _SERVER_ERROR = 200, 204, 400, 401, 403, 500
#: Statuses after which a query is retried: the server is busy, or a gateway does not reach it.
_BUSY = frozenset({429, 502, 503})
#: Statuses after which an update was certainly not run; after 502, from a gateway, this is unknown.
_NOT_DONE = frozenset({429, 503})
# The end of the message for an update that may have been run.
_NOBODY_KNOWS = "; it is unknown whether the request was executed. Repeat the command"
#: The fields with which Virtuoso marks an answer with status 200 as truncated or wrong.
_CUT = "X-SPARQL-MaxRows"
_FAULTS = ("X-SQL-State", "X-SQL-Message")
#: The maximum wait that a server may request, in seconds.
_LONGEST_WAIT = 30.0
#: The number of characters of a server's message that are reported.
_MESSAGE_LENGTH = 300


class RequestRefused(EndpointProblem):
    """Raised for an answer with an error of the endpoint itself: it was reached, and did not carry out the request."""


class AnswerCut(EndpointProblem):
    """Raised for an answer with status 200 that the endpoint truncated.

    Attributes:
        most: the maximum number of rows of the endpoint, if it states one.
    """

    def __init__(self, message: str, most: int | None = None) -> None:
        self.most = most
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of requests to an endpoint.

    Attributes:
        connect: seconds for connecting.
        answer: seconds for the whole answer to a query or an update; for a download, seconds for each read.
        tries: the maximum number of attempts of a request.
        pause: seconds before the second attempt; doubled before each further one.
        longest: the maximum size of an answer in bytes.
    """

    connect: float = 5.0
    answer: float = 300.0
    tries: int = 5
    pause: float = 0.2
    longest: int = 1 << 30


class Endpoint:
    """A SPARQL endpoint: sends queries and updates with limits and retries. Threads may share it.

    Each connection is closed after its answer.

    Args:
        url: the URL for queries.
        update_url: the URL for updates; None if updates are not sent.
        credentials: the credentials of the user; None if there are none.
        limits: the limits of requests; None for the defaults.

    Raises:
        BadParameter: the URL is invalid, or has a user name.
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
        self._opener = _opener(credentials)

    def ask(self, query: str, accept: str, parameters: Sequence[tuple[str, str]] = ()) -> bytes:
        """Return the complete answer to a query.

        Args:
            query: in SPARQL.
            accept: the accepted media types, as in the header ``Accept``.
            parameters: further parameters of the request.

        Raises:
            BadQuery: the endpoint refuses the query.
            AnswerCut: the endpoint reports an incomplete answer.
            EndpointProblem: it cannot be reached, refuses the request, or its answer exceeds the size limit.
        """
        wrapper = _Wrapper(self._opener, SELECT, self.url)
        wrapper.addCustomHttpHeader("Accept", accept)
        for name, value in parameters:
            wrapper.addParameter(name, value)
        wrapper.setQuery(query)
        return self._send_with_retries(self.url, wrapper, again=True)

    def change(self, update: str) -> None:
        """Send an update request.

        Raises:
            BadQuery: the endpoint rejects the update as invalid.
            EndpointProblem: there is no URL for updates, the request was refused, or it is unknown whether it was
                executed.
        """
        if self.update_url is None:
            raise EndpointProblem(f"{self.url} has no address for updates: set one")
        wrapper = _Wrapper(self._opener, INSERT, self.url, self.update_url)
        wrapper.setRequestMethod(POSTDIRECTLY)
        wrapper.addCustomHttpHeader("Content-Type", "application/sparql-update; charset=utf-8")
        wrapper.addCustomHttpHeader("Accept", "*/*")
        wrapper.setQuery(update)
        self._send_with_retries(self.update_url, wrapper, again=False)

    def fetch(self, url: str, accept: str, output: BinaryIO) -> None:
        """Write the resource at an address to a file; its size is not limited.

        Raises:
            EndpointProblem: it cannot be fetched completely.
            OSError: it cannot be written.
        """
        request = Request(url, headers={"Accept": accept, "User-Agent": _AGENT})  # noqa: S310 - http or https: checked
        with self._get(request) as response:
            if response.status != _OK:
                raise _error_of_response(url, response, response.read(_PIECE), changes=False)
            pieces = _pieces(response)
            while piece := self._next_piece(url, pieces):
                output.write(piece)

    def offers(self, url: str, media_type: str) -> bool:
        """Return whether an address answers a GET request with a media type; the content is not read.

        Raises:
            EndpointProblem: it cannot be reached.
        """
        with self._get(Request(url, headers={"Accept": media_type, "User-Agent": _AGENT})) as response:  # noqa: S310
            answered = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            return response.status == _OK and answered == media_type

    def _get(self, request: Request) -> HTTPResponse | HTTPError:
        """Return the response to a GET request, of any status."""
        request.line = line = _Line(self._limits)  # type: ignore[attr-defined]  # for the handlers below
        try:
            response: HTTPResponse = self._opener.open(request)
        except HTTPError as error:
            return error
        except (OSError, HTTPException) as error:
            raise self._problem_of_failure(request.full_url, error, line, unknown=False) from None
        return response

    def _next_piece(self, url: str, pieces: Iterator[bytes]) -> bytes:
        try:
            return next(pieces, b"")
        except (OSError, HTTPException) as error:
            raise self._problem_of_failure(url, error, None, unknown=False) from None

    def _send_with_retries(self, url: str, wrapper: _Wrapper, *, again: bool) -> bytes:
        pause = self._limits.pause
        for left in reversed(range(self._limits.tries)):
            try:
                return self._send_once(url, wrapper, patient=left > 0, again=again)
            except _Later as later:
                time.sleep(min(max(pause, later.seconds), _LONGEST_WAIT))
                pause *= 2
        raise AssertionError("the last attempt returns or raises")

    def _send_once(self, url: str, wrapper: _Wrapper, *, patient: bool, again: bool) -> bytes:
        """Send a request once.

        Args:
            patient: whether another attempt may follow.
            again: whether the request may be executed twice.
        """
        wrapper.line = line = _Line(self._limits)
        try:
            response: HTTPResponse | HTTPError
            try:
                response = wrapper.query().response
            except HTTPError as error:
                response = error
            with response:
                if patient and response.status in (_BUSY if again else _NOT_DONE):
                    raise _Later(_retry_after_seconds(response))
                return self._read(url, response, line, changes=not again)
        except (OSError, HTTPException) as error:
            never_sent = line.socket is None
            cut_off = not isinstance(error, TimeoutError) and not isinstance(_cause(error), TimeoutError)
            if patient and (never_sent or (again and cut_off)):
                raise _Later(0) from None
            raise self._problem_of_failure(url, error, line, unknown=not (again or never_sent)) from None

    def _read(self, url: str, response: HTTPResponse | HTTPError, line: _Line, *, changes: bool) -> bytes:
        body = bytearray()
        for piece in _pieces(response, line):
            body += piece
            if len(body) > self._limits.longest:
                raise EndpointProblem(
                    f"the response of {url} is larger than {self._limits.longest} bytes; narrow the query"
                )
        if response.status not in (_OK, _NO_CONTENT):
            raise _error_of_response(url, response, bytes(body), changes=changes)
        if row_limit := response.headers.get(_CUT):
            message = (
                f"{url} cut its answer at {row_limit} rows; narrow the query, or raise the row limit of the endpoint"
            )
            raise AnswerCut(message, int(row_limit) if row_limit.isascii() and row_limit.isdigit() else None)
        for fault in _FAULTS:
            if value := response.headers.get(fault):
                raise AnswerCut(f"the answer of {url} is incomplete: {fault}: {value[:_MESSAGE_LENGTH]}")
        return bytes(body)

    def _problem_of_failure(self, url: str, error: Exception, line: _Line | None, *, unknown: bool) -> EndpointProblem:
        cause = _cause(error)
        if not isinstance(cause, TimeoutError):
            why = str(cause) or type(cause).__name__
        elif line is not None and line.socket is None:
            why = f"no connection within {self._limits.connect:g} s"
        else:
            why = f"no answer within {self._limits.answer:g} s"
        return EndpointProblem(f"{url} cannot be reached: {why}{_NOBODY_KNOWS if unknown else ''}")


class _Line:
    """One attempt: its connection, and the deadline of its answer."""

    def __init__(self, limits: Limits) -> None:
        self.connect = limits.connect
        self.socket: socket | None = None
        self._until = time.monotonic() + limits.answer

    def limit_next_read(self) -> None:
        """Limit the next read to the remaining time.

        Raises:
            TimeoutError: no time is left.
        """
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self.socket is not None:
            self.socket.settimeout(left)


class _Wrapper(SPARQLWrapper):
    """A SPARQLWrapper that sends one query or one update through a given opener."""

    def __init__(self, opener: OpenerDirector, kind: str, url: str, update_url: str | None = None) -> None:
        self._opener = opener
        self._kind = kind
        self.line: _Line | None = None
        super().__init__(url, update_url, agent=_AGENT)
        self.setMethod(POST)
        self.setOnlyConneg(True)

    def _parseQueryType(self, query: str) -> str:  # noqa: ARG002, N802 - its regular expressions are slow
        return self._kind

    def _query(self) -> tuple[HTTPResponse, str]:
        request = self._createRequest()
        request.full_url = request.full_url.removesuffix("?")
        assert self.line is not None  # noqa: S101 - set for each attempt
        request.line = self.line  # type: ignore[attr-defined]  # for the handlers below
        return self._opener.open(request), self.returnFormat


class _TimedConnection(HTTPConnection):
    """A connection with a separate time limit for connecting."""

    def __init__(self, host: str, *, line: _Line, **options: Any) -> None:
        super().__init__(host, **options)
        self._line = line

    def connect(self) -> None:
        """Connect, and store the socket in the attempt."""
        self.timeout = self._line.connect
        super().connect()
        self._line.socket = self.sock
        self._line.limit_next_read()


class _TimedSecureConnection(_TimedConnection, HTTPSConnection):
    """A :class:`_TimedConnection` over TLS."""


class _TimedHandler(HTTPHandler, HTTPSHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_TimedConnection, req, line=req.line)  # type: ignore[arg-type,attr-defined]

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_TimedSecureConnection, req, line=req.line)  # type: ignore[arg-type,attr-defined]


def _opener(credentials: Credentials | None) -> OpenerDirector:
    """Return an opener without proxies, cookies, redirects and files."""
    opener = OpenerDirector()
    for handler in (_TimedHandler(), HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
        opener.add_handler(handler)
    if credentials is not None:
        opener.add_handler(ByChallenge(credentials))
    return opener


def _pieces(response: HTTPResponse | HTTPError, line: _Line | None = None) -> Iterator[bytes]:
    """Yield the body of a response in pieces, until the deadline of an attempt if one is given.

    Raises:
        HTTPException: it is shorter than its Content-Length.
    """
    announced, came = response.headers.get("Content-Length"), 0
    while True:
        if line is not None:
            line.limit_next_read()
        piece = response.read1(_PIECE)
        if not piece:
            break
        came += len(piece)
        yield piece
    if announced is not None and announced.isascii() and announced.isdigit() and came < int(announced):
        raise HTTPException(f"the answer ended after {came} of {announced} bytes")


def _cause(error: Exception) -> Exception:
    """Return the exception that urllib wrapped."""
    return error.reason if isinstance(error, URLError) and isinstance(error.reason, Exception) else error


class _Later(Exception):
    """Raised if another attempt may succeed after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def _retry_after_seconds(response: HTTPResponse | HTTPError) -> float:
    """Return the seconds of Retry-After (RFC 9110, section 10.2.3); 0 if it is a date or missing."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _error_of_response(
    url: str, response: HTTPResponse | HTTPError, body: bytes, *, changes: bool
) -> EndpointProblem | BadQuery:
    status = response.status or 0
    lines = body.decode("utf-8", "replace").strip().splitlines() or [str(response.reason)]
    message = lines[0][:_MESSAGE_LENGTH]
    if status in (_UNAUTHORIZED, _FORBIDDEN):
        return EndpointProblem(f"{url} rejects the credentials ({status}): set {USER} and {PASSWORD}")
    if status == _BAD_REQUEST:
        return BadQuery(f"{url} refuses the query: {message}")
    unknown = changes and status >= _SERVER_ERROR and status not in _NOT_DONE
    kind = EndpointProblem if status in _BUSY else RequestRefused
    return kind(f"{url} answers {status}: {message}{_NOBODY_KNOWS if unknown else ''}")


def checked(url: str) -> str:
    """Return the URL of an endpoint.

    Raises:
        BadParameter: it is not a URL, or has a user name.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise BadParameter(f"expected the URL of an endpoint: {error}") from None
    if parts.username is not None or parts.password is not None:
        raise BadParameter(f"expected a URL without user and password: set {USER} and {PASSWORD}")
    if parts.scheme not in ("http", "https") or not host or not url.isascii() or not url.isprintable() or " " in url:
        raise BadParameter(f"expected the URL of an endpoint, http:// or https://, got {url!r}")
    try:
        known = parts.port is None or parts.port > 0
    except ValueError:
        known = False
    if not known:
        raise BadParameter(f"expected the URL of an endpoint with a port from 1 to 65535, got {url!r}")
    return url


# Conversion of the answers of an endpoint to complete answers in the types of the embedded engine.


#: The requested media types: of a table or boolean, and of a graph.
TABLE = "application/sparql-results+json"
GRAPH = "application/n-triples"
_ALL = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
#: The variable of the one row with which Virtuoso 7.2.5 answers ASK.
_TRUTH = "__ASK_RETVAL"


def parse_results(reply: bytes) -> ox.QuerySolutions | ox.QueryBoolean:
    """Return a table or a boolean.

    Raises:
        AnswerCut: the answer is incomplete; Oxigraph truncates it at its time limit.
    """
    try:
        data = _standardised(orjson.loads(reply))
        results = ox.parse_query_results(orjson.dumps(data), format=ox.QueryResultsFormat.JSON)
    except (ValueError, KeyError, TypeError, AttributeError, SyntaxError) as error:
        raise _incomplete_answer_error(error) from None
    return results


def triples_of(reply: bytes) -> list[ox.Triple]:
    """Return the triples of a graph.

    Raises:
        AnswerCut: the answer is incomplete.
    """
    try:
        return [quad.triple for quad in ox.parse(reply, ox.RdfFormat.N_TRIPLES, lenient=True)]
    except SyntaxError as error:
        raise _incomplete_answer_error(error) from None


def as_graph(triples: list[ox.Triple]) -> Answer:
    """Return triples as the engine's answer to a CONSTRUCT query."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in triples)
    return store.query(_ALL)


def _standardised(data: Any) -> Any:
    """Return a result in the standard form: the table of Virtuoso for ASK, and typed literals of drafts of SPARQL, are
    converted."""
    if "boolean" in data:
        return data
    rows = data["results"]["bindings"]
    if data["head"]["vars"] == [_TRUTH]:
        return {"head": {}, "boolean": any(row[_TRUTH]["value"] == "1" for row in rows)}
    for row in rows:
        for term in row.values():
            if term["type"] == "typed-literal":
                term["type"] = "literal"
                if term["datatype"] == XSD["boolean"]:
                    term["value"] = {"0": "false", "1": "true"}.get(term["value"], term["value"])
    return {"head": {"vars": data["head"]["vars"]}, "results": {"bindings": rows}}


def _incomplete_answer_error(error: Exception) -> AnswerCut:
    return AnswerCut(
        "the answer of the endpoint is incomplete: expected SPARQL results in JSON, got other text at the start or end "
        f"({str(error)[:200]}). The address may not be a SPARQL endpoint, or a proxy truncates its answers"
    )
