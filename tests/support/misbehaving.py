"""A proxy on loopback in front of a server, which simulates faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

__all__ = ["Fault", "Proxy", "fair", "misbehaving"]

_OF_A_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "host"}


class Fault(Enum):
    """A fault of a connection or a response."""

    NEVER_SENT = "the connection is closed before the server receives the request"
    NEVER_ANSWERED = "the server processes the request, and the connection is closed before the response"
    CUT_ANSWER = "the response is truncated in the middle"
    BUSY = "503"
    ROWS = "200, with the header of Virtuoso for a truncated result"
    SQL_STATE = "200, with the header of Virtuoso for an SQL error"


def fair(_path: str) -> Fault | None:
    """Return None: no fault."""
    return None


class Proxy:
    """The state of a proxy.

    Attributes:
        url: the URL of the proxy.
        seen: the path of each request, in order.
        plan: returns the fault of a request from its path; None for no fault.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[str] = []
        self.plan: Callable[[str], Fault | None] = fair


@contextmanager
def misbehaving(server: str) -> Iterator[Proxy]:
    """Run a proxy in front of the server at a URL until the block ends."""
    client = httpx.Client(timeout=60, trust_env=False)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self) -> None:
            self._forward()

        def do_POST(self) -> None:
            self._forward()

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with lock:
                fault = proxy.plan(self.path)
                proxy.seen.append(self.path)
            if fault is Fault.NEVER_SENT:
                self._cut()
                return
            if fault is Fault.BUSY:
                self._answer(503, {"Retry-After": "0"}, b"busy")
                return
            headers = [(name, value) for name, value in self.headers.items() if name.lower() not in _OF_A_HOP]
            response = client.request(self.command, server + self.path, headers=headers, content=body)
            if fault is Fault.NEVER_ANSWERED:
                self._cut()
                return
            answer_headers = {name: value for name, value in response.headers.items() if name.lower() not in _OF_A_HOP}
            answer_headers |= {"X-SPARQL-MaxRows": "10000"} if fault is Fault.ROWS else {}
            answer_headers |= {"X-SQL-State": "S1TAT"} if fault is Fault.SQL_STATE else {}
            self._answer(response.status_code, answer_headers, response.content, cut=fault is Fault.CUT_ANSWER)

        def _answer(self, status: int, headers: dict[str, str], body: bytes, *, cut: bool = False) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if cut else body)
            if cut:
                self._cut()

        def _cut(self) -> None:
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
            """Write no log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        proxy = Proxy(f"http://127.0.0.1:{listening.server_address[1]}")
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield proxy
        finally:
            listening.shutdown()
            thread.join()
            client.close()
