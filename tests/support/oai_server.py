"""A provider of OAI-PMH on 127.0.0.1 that does what it is told, also what no provider should do."""

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
from types import TracebackType
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape, quoteattr

__all__ = [
    "Asked",
    "Behaviour",
    "Connection",
    "OaiServer",
    "Reply",
    "Script",
    "ScriptedAnswer",
    "cut_chunk",
    "cut_short",
    "envelope",
    "error_page",
    "gzipped",
    "header",
    "identifier",
    "identify_page",
    "list_page",
    "provider",
    "record",
    "reset",
    "silence",
    "streamed",
    "trickle",
    "trickled_head",
]

OAI = "http://www.openarchives.org/OAI/2.0/"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that arrived: its path with the query, exactly; its fields in lower case; on which connection."""

    target: str
    fields: dict[str, str]
    connection: int
    at: float

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments, decoded once."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True, strict_parsing=True))


@dataclass(slots=True)
class Connection:
    """The server's end of a connection."""

    sock: socket.socket
    ended: threading.Event

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.sock.sendall(data)

    def pause(self, seconds: float) -> bool:
        """Wait; true when the server ends meanwhile."""
        return self.ended.wait(seconds)


@dataclass(frozen=True, slots=True)
class Reply:
    """A proper answer over HTTP; ``length`` overrides the Content-Length, None leaves it out and closes."""

    body: bytes | str = b""
    status: int = 200
    fields: dict[str, str] = field(default_factory=dict)
    length: int | None = -1

    def send(self, connection: Connection) -> bool:
        """Send it; whether the connection lives on."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        fields = {"Content-Type": "text/xml; charset=utf-8", **self.fields}
        if self.length is not None:
            fields["Content-Length"] = str(len(body) if self.length == -1 else self.length)
        head = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
        connection.send(f"HTTP/1.1 {self.status} Said\r\n{head}\r\n".encode() + body)
        return self.length == -1


#: What does as it likes with a connection, which is closed afterwards.
Behaviour: TypeAlias = Callable[[Connection], None]
ScriptedAnswer: TypeAlias = Reply | Behaviour | bytes | str
Script: TypeAlias = Sequence[ScriptedAnswer] | Callable[[Asked], ScriptedAnswer]


class OaiServer:
    """Answers with a script: a list, whose last element is repeated, or a function of the request.

    Args:
        script: what to answer.
        context: for TLS.
    """

    def __init__(self, script: Script, context: ssl.SSLContext | None = None) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.connections = 0
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self._context = context
        self._server = _Listener(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> OaiServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def port(self) -> int:
        """Where it listens on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}/oai"

    def serve(self, sock: socket.socket) -> None:
        """One connection until it ends."""
        with self._lock:
            self.connections += 1
            number = self.connections
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(OSError):  # the client has gone, or doesn't like the certificate
            if self._context is not None:
                sock = self._context.wrap_socket(sock, server_side=True)
            connection = Connection(sock, self.ended)
            with sock, sock.makefile("rb") as lines:
                while self._answer(connection, lines, number):
                    pass

    def _answer(self, connection: Connection, lines: Iterable[bytes], number: int) -> bool:
        head: list[str] = []
        for line in lines:
            text = line.decode("latin-1").rstrip("\r\n")
            if not text:
                break
            head.append(text)
        if not head:
            return False
        fields = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in head[1:])}
        with self._lock:
            asked = Asked(head[0].split(" ")[1], fields, number, time.monotonic())
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
        """A client that goes away is no error here."""


def _head(*fields: str) -> bytes:
    return ("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n" + "".join(f"{f}\r\n" for f in fields) + "\r\n").encode()


def cut_short(body: str | bytes, sent: int | None = None, *, declared: bool = True) -> Behaviour:
    """The beginning of a body, and the end of the connection; with or without the length of the whole."""
    data = body.encode() if isinstance(body, str) else body
    sent = len(data) // 2 if sent is None else sent

    def behave(connection: Connection) -> None:
        connection.send(_head(f"Content-Length: {len(data)}" if declared else "Connection: close") + data[:sent])

    return behave


def cut_chunk(body: str) -> Behaviour:
    """A chunked body that ends within a chunk."""

    def behave(connection: Connection) -> None:
        data = body.encode()
        connection.send(_head("Transfer-Encoding: chunked") + f"{len(data):x}\r\n".encode() + data[: len(data) // 2])

    return behave


def trickle(body: str | bytes, seconds: float) -> Behaviour:
    """A body byte by byte, with a pause after each."""
    data = body.encode() if isinstance(body, str) else body

    def behave(connection: Connection) -> None:
        connection.send(_head(f"Content-Length: {len(data)}"))
        for number in range(len(data)):
            connection.send(data[number : number + 1])
            if connection.pause(seconds):
                return

    return behave


def trickled_head(seconds: float) -> Behaviour:
    """A head that never ends, field by field."""

    def behave(connection: Connection) -> None:
        connection.send(b"HTTP/1.1 200 OK\r\n")
        while not connection.pause(seconds):
            connection.send(b"X: y\r\n")

    return behave


def reset(connection: Connection) -> None:
    """The connection is reset."""
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def silence(connection: Connection) -> None:
    """Nothing, until the server ends."""
    connection.pause(30)


def streamed(pieces: Callable[[], Iterator[bytes]], *fields: str) -> Behaviour:
    """A body made while it is sent, without its length."""

    def behave(connection: Connection) -> None:
        connection.send(_head("Connection: close", *fields))
        for piece in pieces():
            connection.send(piece)

    return behave


def gzipped(body: str) -> Reply:
    """A body in gzip."""
    return Reply(gzip.compress(body.encode()), fields={"Content-Encoding": "gzip"})


def identifier(number: int) -> str:
    """The identifier of a fictional norm."""
    return f"oai:exemplo.gov.br:norma/{number}"


def header(number: int, *, stamp: str = "2026-01-02T03:04:05Z", deleted: bool = False, sets: Sequence[str] = ()) -> str:
    """The header of a fictional norm, whose number is 99901 or more."""
    assert number >= 99901
    status = ' status="deleted"' if deleted else ""
    specs = "".join(f"<setSpec>{escape(spec)}</setSpec>" for spec in sets)
    named = f"<identifier>{identifier(number)}</identifier><datestamp>{escape(stamp)}</datestamp>"
    return f"<header{status}>{named}{specs}</header>"


def record(number: int, *, stamp: str = "2026-01-02T03:04:05Z", deleted: bool = False, sets: Sequence[str] = ()) -> str:
    """The record of a fictional norm in ``oai_lexml``."""
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
    """A response around any content."""
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<OAI-PMH xmlns={quoteattr(namespace)}>"
        f"<responseDate>{stamp}</responseDate>"
        f'<request verb="{verb}">http://exemplo.gov.br/oai</request>{content}</OAI-PMH>\n'
    )


def list_page(
    entries: Iterable[int | str], token: str | None = None, *, verb: str = "ListRecords", **attributes: str | int
) -> str:
    """A page of a list: numbers become records or headers, texts stay; ``token`` None leaves its element out."""
    make = record if verb == "ListRecords" else header
    inside = "".join(entry if isinstance(entry, str) else make(entry) for entry in entries)
    if token is not None:
        written = "".join(f" {name}={quoteattr(str(text))}" for name, text in attributes.items())
        inside += f"<resumptionToken{written}>{escape(token)}</resumptionToken>"
    return envelope(f"<{verb}>{inside}</{verb}>", verb=verb)


def error_page(code: str, message: str = "as asked", verb: str = "ListRecords") -> str:
    """An error of the protocol."""
    return envelope(f"<error code={quoteattr(code)}>{escape(message)}</error>", verb=verb)


def identify_page(base_url: str, **changed: str | None) -> str:
    """An answer to Identify; a part that is None is left out."""
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
) -> Callable[[Asked], ScriptedAnswer]:
    """A well-behaved provider of the norms with these numbers, ``size`` on a page."""

    def answer(asked: Asked) -> ScriptedAnswer:
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
