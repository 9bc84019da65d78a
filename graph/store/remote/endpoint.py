"""A SPARQL endpoint over HTTP (SPARQL 1.1 Protocol): timeouts, a limit on answers, tries again, who asks, cut answers.

A question changes nothing, so it is asked again when the connection breaks or the server is busy. An update is sent
again only where it certainly was not carried out: no connection came about, or the server answered that it was busy.
After a timeout nobody knows; who wrote has to look.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import httpx

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
        self._client = httpx.Client(
            timeout=httpx.Timeout(self._limits.answer, connect=self._limits.connect),
            auth=None if credentials is None else ByChallenge(credentials),
            trust_env=False,
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

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
        form: dict[str, list[str]] = {"query": [query]}
        for name, value in parameters:
            form.setdefault(name, []).append(value)
        return self._tried(self.url, {"data": form, "headers": {"Accept": accept}}, again=True)

    def fetch(self, url: str, accept: str, output: BinaryIO) -> None:
        """Write what lies at an address, however long it is.

        Raises:
            EndpointProblem: it cannot be had whole.
            OSError: it cannot be written.
        """
        try:
            with self._client.stream("GET", url, headers={"Accept": accept}) as response:
                if response.status_code != httpx.codes.OK:
                    raise _refused(response, response.read(), changes=False)
                for piece in response.iter_bytes():
                    output.write(piece)
        except httpx.TransportError as error:
            raise self._failed(url, error, unknown=False) from None

    def greeting(self) -> str:
        """What the server calls itself (RFC 9110, section 10.2.4).

        Raises:
            EndpointProblem: it cannot be reached.
        """
        try:
            with self._client.stream("GET", self.url) as response:
                return str(response.headers.get("Server", ""))
        except httpx.TransportError as error:
            raise self._failed(self.url, error, unknown=False) from None

    def change(self, update: str) -> None:
        """Carry out an update request.

        Raises:
            EndpointProblem: it was refused; or nobody knows whether it was carried out.
        """
        if self.update_url is None:
            raise EndpointProblem(f"{self.url} is for questions alone: expected an address for updates")
        headers = {"Content-Type": "application/sparql-update; charset=utf-8", "Accept": "*/*"}
        self._tried(self.update_url, {"content": update.encode(), "headers": headers}, again=False)

    def _tried(self, url: str, request: Mapping[str, object], *, again: bool) -> Reply:
        pause = self._limits.pause
        for left in reversed(range(self._limits.tries)):
            try:
                return self._sent(url, request, patient=left > 0, again=again)
            except _Later as later:
                time.sleep(min(max(pause, later.seconds), _LONGEST_WAIT))
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def _sent(self, url: str, request: Mapping[str, object], *, patient: bool, again: bool) -> Reply:
        """One try.

        Args:
            patient: whether another may follow.
            again: whether the request may be carried out twice.
        """
        try:
            with self._client.stream("POST", url, **request) as response:  # type: ignore[arg-type]
                if patient and response.status_code in (_BUSY if again else _NOT_DONE):
                    raise _Later(_asked_to_wait(response))
                return self._read(response, changes=not again)
        except httpx.TransportError as error:
            never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
            cut_off = isinstance(error, (httpx.NetworkError, httpx.RemoteProtocolError))
            if patient and (never_sent or (again and cut_off)):
                raise _Later(0) from None
            raise self._failed(url, error, unknown=not (again or never_sent)) from None

    def _read(self, response: httpx.Response, *, changes: bool) -> Reply:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > self._limits.longest:
                raise EndpointProblem(f"{response.url} answers more than {self._limits.longest} bytes: ask for less")
        if response.status_code not in (httpx.codes.OK, httpx.codes.NO_CONTENT):
            raise _refused(response, bytes(body), changes=changes)
        if most := response.headers.get(_CUT):
            told = f"{response.url} cut its answer at {most} rows: ask for less, or let it answer more"
            raise AnswerCut(told, int(most) if most.isascii() and most.isdigit() else None)
        for fault in _FAULTS:
            if said := response.headers.get(fault):
                raise AnswerCut(f"{response.url} gives an answer that is not whole: {fault} says {said[:_TOLD]}")
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Reply(bytes(body), media_type, response.headers.get("Server", ""))

    def _failed(self, url: str, error: httpx.TransportError, *, unknown: bool) -> EndpointProblem:
        if isinstance(error, httpx.ConnectTimeout):
            why = f"no connection within {self._limits.connect:g} s"
        elif isinstance(error, httpx.TimeoutException):
            why = f"no answer within {self._limits.answer:g} s"
        else:
            why = str(error) or type(error).__name__
        return EndpointProblem(f"{url} cannot be asked: {why}{_NOBODY_KNOWS if unknown else ''}")


class _Later(Exception):
    """Another try may help, after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def _asked_to_wait(response: httpx.Response) -> float:
    """The seconds that Retry-After asks for (RFC 9110, section 10.2.3); 0 where it names a date or nothing."""
    said = response.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0


def _refused(response: httpx.Response, body: bytes, *, changes: bool) -> EndpointProblem | BadQuery:
    status, url = response.status_code, response.url
    lines = body.decode("utf-8", "replace").strip().splitlines() or [response.reason_phrase]
    said = lines[0][:_TOLD]
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        return EndpointProblem(f"{url} refuses who asks ({status}): {USER} and {PASSWORD} say who does")
    if status == httpx.codes.BAD_REQUEST:
        return BadQuery(f"{url} refuses the query: {said}")
    unknown = changes and status >= httpx.codes.INTERNAL_SERVER_ERROR and status not in _NOT_DONE
    return EndpointProblem(f"{url} answers {status}: {said}{_NOBODY_KNOWS if unknown else ''}")


def checked(url: str) -> str:
    """The URL of an endpoint.

    Raises:
        BadParameter: it is none, or names a user, whose password is not told.
    """
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise BadParameter(f"expected the URL of an endpoint: {error}") from None
    if found.userinfo:
        raise BadParameter(f"expected a URL without user and password: {USER} and {PASSWORD} say who asks")
    if found.scheme not in ("http", "https") or not found.host:
        raise BadParameter(f"expected the URL of an endpoint, http:// or https://, got {url!r}")
    if found.port is not None and not 0 < found.port < 1 << 16:
        raise BadParameter(f"expected the URL of an endpoint with a port from 1 to 65535, got {url!r}")
    return str(found)
