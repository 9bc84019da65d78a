"""A proxy on loopback in front of a server, which simulates faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum

import httpx

from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer

_OF_A_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "host"}


class Fault(Enum):
    """A fault of a connection or a response."""

    NEVER_SENT = "the connection is closed before the server receives the request"
    NEVER_ANSWERED = "the server processes the request, and the connection is closed before the response"
    CUT_ANSWER = "the response is truncated in the middle"
    BUSY = "503"
    ROWS = "200, with the header of Virtuoso for a truncated result"
    SQL_STATE = "200, with the header of Virtuoso for an SQL error"


#: Header fields that faults add to the response.
_FIELDS = {Fault.ROWS: {"X-SPARQL-MaxRows": "10000"}, Fault.SQL_STATE: {"X-SQL-State": "S1TAT"}}


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


def _passed(fields: httpx.Headers | dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name.lower() not in _OF_A_HOP}


@contextmanager
def misbehaving(server: str) -> Iterator[Proxy]:
    """Run a proxy in front of the server at a URL until the block ends."""

    def forward(asked: ReceivedRequest) -> ScriptedAnswer:
        fault = proxy.plan(asked.target)
        proxy.seen.append(asked.target)
        if fault is Fault.NEVER_SENT:
            return lambda _: None
        if fault is Fault.BUSY:
            return Reply("busy", 503, {"Retry-After": "0"})
        answer = client.request(asked.method, server + asked.target, headers=_passed(asked.fields), content=asked.body)
        if fault is Fault.NEVER_ANSWERED:
            return lambda _: None
        body, fields = answer.content, _passed(answer.headers) | (_FIELDS.get(fault, {}) if fault else {})
        cut = len(body) // 2 if fault is Fault.CUT_ANSWER else None
        return Reply(body[:cut], answer.status_code, fields, length=-1 if cut is None else len(body))

    with httpx.Client(timeout=60, trust_env=False) as client, OaiServer(forward) as listening:
        proxy = Proxy(listening.url.removesuffix("/oai"))
        yield proxy
