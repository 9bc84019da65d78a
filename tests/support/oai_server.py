"""A scripted OAI-PMH server on 127.0.0.1, also for answers that break the protocol."""

from __future__ import annotations

import gzip
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape, quoteattr

OAI = "http://www.openarchives.org/OAI/2.0/"


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A received request: the exact target, the header fields with lower-case names, the connection, and the time."""

    target: str
    fields: dict[str, str]
    connection: int
    received_at: float
    method: str = "GET"
    body: bytes = b""

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments, decoded once."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True, strict_parsing=True))


@dataclass(slots=True)
class Connection:
    """The server side of a connection."""

    sock: socket.socket
    ended: threading.Event

    def send(self, data: bytes) -> None:
        """Send bytes unchanged."""
        self.sock.sendall(data)

    def pause(self, seconds: float) -> bool:
        """Wait; return whether the server ended meanwhile."""
        return self.ended.wait(seconds)


@dataclass(frozen=True, slots=True)
class Reply:
    """A valid HTTP response; ``length`` replaces the Content-Length (-1: that of the body; None: omit it and close)."""

    body: bytes | str = b""
    status: int = 200
    fields: dict[str, str] = field(default_factory=dict)
    length: int | None = -1

    def send(self, connection: Connection) -> bool:
        """Send the response; return whether the connection stays open."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        fields = {"Content-Type": "text/xml; charset=utf-8", **self.fields}
        if self.length is not None:
            fields["Content-Length"] = str(len(body) if self.length == -1 else self.length)
        head = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
        connection.send(f"HTTP/1.1 {self.status} Said\r\n{head}\r\n".encode() + body)
        return self.length == -1


#: A function that writes to a connection, which is closed afterwards.
Behaviour: TypeAlias = Callable[[Connection], None]
ScriptedAnswer: TypeAlias = Reply | Behaviour | bytes | str
Script: TypeAlias = Sequence[ScriptedAnswer] | Callable[[ReceivedRequest], ScriptedAnswer]


class OaiServer:
    """A server that answers from a script: a list, whose last element is repeated, or a function of the request.

    Args:
        script: the answers.
        context: the TLS context; None for plain HTTP.
    """

    def __init__(self, script: Script, context: ssl.SSLContext | None = None) -> None:
        self.script = script
        self.asked: list[ReceivedRequest] = []
        self.connections = 0
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self._context = context
        self._server = _Listener(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> OaiServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}/oai"

    def serve(self, sock: socket.socket) -> None:
        """Serve one connection until it ends."""
        with self._lock:
            self.connections += 1
            number = self.connections
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(OSError):  # the client disconnected or rejected the certificate
            if self._context is not None:
                sock = self._context.wrap_socket(sock, server_side=True)
            connection = Connection(sock, self.ended)
            with sock, sock.makefile("rb") as lines:
                while self._answer(connection, lines, number):
                    pass

    def _answer(self, connection: Connection, lines: BufferedReader, number: int) -> bool:
        head: list[str] = []
        for line in lines:
            text = line.decode("latin-1").rstrip("\r\n")
            if not text:
                break
            head.append(text)
        if not head:
            return False
        fields = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in head[1:])}
        body = lines.read(int(fields.get("content-length", 0)))
        with self._lock:
            method, target, _ = head[0].split(" ")
            asked = ReceivedRequest(target, fields, number, time.monotonic(), method, body)
            self.asked.append(asked)
            answer = (
                self.script(asked) if callable(self.script) else self.script[min(len(self.asked), len(self.script)) - 1]
            )
        if isinstance(answer, bytes | str):
            answer = Reply(answer)
        if isinstance(answer, Reply):
            return answer.send(connection)
        answer(connection)
        return False


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 32

    def __init__(self, owner: OaiServer) -> None:
        self._owner = owner
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)

    def finish_request(self, request: object, client_address: object) -> None:  # noqa: ARG002 (the base class has it)
        assert isinstance(request, socket.socket)
        self._owner.serve(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors of clients that disconnect."""


def _head(*fields: str) -> bytes:
    return ("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n" + "".join(f"{f}\r\n" for f in fields) + "\r\n").encode()


def cut_short(body: str | bytes, sent: int | None = None, *, declared: bool = True) -> Behaviour:
    """Send the beginning of a body and close the connection; ``declared`` adds the length of the whole body."""
    data = body.encode() if isinstance(body, str) else body
    sent = len(data) // 2 if sent is None else sent

    def behave(connection: Connection) -> None:
        connection.send(_head(f"Content-Length: {len(data)}" if declared else "Connection: close") + data[:sent])

    return behave


def cut_chunk(body: str) -> Behaviour:
    """Send a chunked body that ends within a chunk."""

    def behave(connection: Connection) -> None:
        data = body.encode()
        connection.send(_head("Transfer-Encoding: chunked") + f"{len(data):x}\r\n".encode() + data[: len(data) // 2])

    return behave


def trickle(body: str | bytes, seconds: float) -> Behaviour:
    """Send a body byte by byte, with a pause after each."""
    data = body.encode() if isinstance(body, str) else body

    def behave(connection: Connection) -> None:
        connection.send(_head(f"Content-Length: {len(data)}"))
        for number in range(len(data)):
            connection.send(data[number : number + 1])
            if connection.pause(seconds):
                return

    return behave


def trickled_head(seconds: float) -> Behaviour:
    """Send a header section that never ends, one field at a time."""

    def behave(connection: Connection) -> None:
        connection.send(b"HTTP/1.1 200 OK\r\n")
        while not connection.pause(seconds):
            connection.send(b"X: y\r\n")

    return behave


def reset(connection: Connection) -> None:
    """Reset the connection."""
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def silence(connection: Connection) -> None:
    """Send nothing, for 30 seconds or until the server ends."""
    connection.pause(30)


def streamed(pieces: Callable[[], Iterator[bytes]], *fields: str) -> Behaviour:
    """Send a body that is generated while it is sent, without a length."""

    def behave(connection: Connection) -> None:
        connection.send(_head("Connection: close", *fields))
        for piece in pieces():
            connection.send(piece)

    return behave


def gzipped(body: str) -> Reply:
    """Return a response with a body in gzip."""
    return Reply(gzip.compress(body.encode()), fields={"Content-Encoding": "gzip"})


def identifier(number: int) -> str:
    """Return the identifier of a fictional norm."""
    return f"oai:exemplo.gov.br:norma/{number}"


def header(number: int, *, stamp: str = "2026-01-02T03:04:05Z", deleted: bool = False, sets: Sequence[str] = ()) -> str:
    """Return the header of a fictional norm, whose number is 99901 or more."""
    assert number >= 99901
    status = ' status="deleted"' if deleted else ""
    specs = "".join(f"<setSpec>{escape(spec)}</setSpec>" for spec in sets)
    named = f"<identifier>{identifier(number)}</identifier><datestamp>{escape(stamp)}</datestamp>"
    return f"<header{status}>{named}{specs}</header>"


def record(number: int, *, stamp: str = "2026-01-02T03:04:05Z", deleted: bool = False, sets: Sequence[str] = ()) -> str:
    """Return the record of a fictional norm in ``oai_lexml``."""
    head = header(number, stamp=stamp, deleted=deleted, sets=sets)
    if deleted:
        return f"<record>{head}</record>"
    return (
        f'<record>{head}<metadata><LexML xmlns="http://www.lexml.gov.br/oai_lexml">'
        f"<DocumentoIndividual>urn:lex:br:federal:lei:2001-02-03;{number}</DocumentoIndividual>"
        f"<Epigrafe>Lei fictícia nº {number}</Epigrafe><Ementa>Norma fictícia.</Ementa></LexML></metadata></record>"
    )


def envelope(
    content: str, *, verb: str = "ListRecords", namespace: str = OAI, stamp: str = "2026-02-01T00:00:00Z"
) -> str:
    """Return an OAI-PMH response with some content."""
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<OAI-PMH xmlns={quoteattr(namespace)}>"
        f"<responseDate>{stamp}</responseDate>"
        f'<request verb="{verb}">http://exemplo.gov.br/oai</request>{content}</OAI-PMH>\n'
    )


def list_page(
    entries: Iterable[int | str], token: str | None = None, *, verb: str = "ListRecords", **attributes: str | int
) -> str:
    """Return a page of a list. Numbers become records or headers; strings stay. ``token`` None omits the element."""
    make = record if verb == "ListRecords" else header
    inside = "".join(entry if isinstance(entry, str) else make(entry) for entry in entries)
    if token is not None:
        written = "".join(f" {name}={quoteattr(str(text))}" for name, text in attributes.items())
        inside += f"<resumptionToken{written}>{escape(token)}</resumptionToken>"
    return envelope(f"<{verb}>{inside}</{verb}>", verb=verb)


def error_page(code: str, message: str = "as asked", verb: str = "ListRecords") -> str:
    """Return a response with an OAI-PMH error."""
    return envelope(f"<error code={quoteattr(code)}>{escape(message)}</error>", verb=verb)


def identify_page(base_url: str, **changed: str | None) -> str:
    """Return an answer to Identify; a part that is None is omitted."""
    parts: dict[str, str | None] = {
        "repositoryName": "Arquivo Fictício",
        "baseURL": base_url,
        "protocolVersion": "2.0",
        "adminEmail": "arquivo@exemplo.gov.br",
        "earliestDatestamp": "2001-01-01T00:00:00Z",
        "deletedRecord": "persistent",
        "granularity": "YYYY-MM-DDThh:mm:ssZ",
    }
    inside = "".join(f"<{n}>{escape(t)}</{n}>" for n, t in {**parts, **changed}.items() if t is not None)
    return envelope(f"<Identify>{inside}</Identify>", verb="Identify")


def provider(
    numbers: Sequence[int], size: int, url: str = "http://exemplo.gov.br/oai"
) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Return the script of a correct provider of the norms with these numbers, ``size`` on a page."""

    def answer(asked: ReceivedRequest) -> ScriptedAnswer:
        arguments = asked.arguments
        verb = arguments["verb"]
        if verb == "Identify":
            return identify_page(url)
        if verb not in {"ListRecords", "ListIdentifiers"}:
            return error_page("badVerb", verb=verb)
        start = int(arguments.get("resumptionToken", "0"))
        if not numbers:
            return error_page("noRecordsMatch", verb=verb)
        after = start + size
        token = str(after) if after < len(numbers) else ""
        return list_page(numbers[start:after], token, verb=verb, completeListSize=len(numbers), cursor=start)

    return answer
