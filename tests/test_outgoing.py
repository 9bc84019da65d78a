"""The transport as one answer has it: what leaves together, and what leaves at once."""

from __future__ import annotations

import asyncio

import pytest

from service.web.running.outgoing import Outgoing

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n"
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"


class Wire(asyncio.Transport):
    """Keeps what is written, call by call."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.ended = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.ended, "nothing is written behind the end"
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.ended

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def outgoing(wire: Wire) -> Outgoing:
    return Outgoing(wire, wire.end)


def test_head_and_body_leave_in_one_call_and_what_follows_as_it_comes(wire: Wire, outgoing: Outgoing) -> None:
    outgoing.write(HEAD)
    assert wire.written == []
    outgoing.write(b"text")
    outgoing.write(b"more")
    outgoing.flush()
    assert wire.written == [HEAD + b"text", b"more"]


def test_an_interim_answer_leaves_at_once_and_a_body_that_looks_like_one_is_a_body(
    wire: Wire, outgoing: Outgoing
) -> None:
    outgoing.write(INTERIM)
    assert wire.written == [INTERIM]
    outgoing.write(HEAD)
    outgoing.write(INTERIM)
    assert wire.written == [INTERIM, HEAD + INTERIM]


@pytest.mark.parametrize("how", ["flush", "close"])
def test_a_head_without_a_body_leaves_at_the_end(wire: Wire, outgoing: Outgoing, how: str) -> None:
    outgoing.write(HEAD)
    getattr(outgoing, how)()
    assert (wire.written, wire.ended) == ([HEAD], how == "close")
    outgoing.flush()
    assert wire.written == [HEAD]


def test_nothing_is_written_to_who_is_gone(wire: Wire, outgoing: Outgoing) -> None:
    outgoing.write(HEAD)
    wire.end()
    outgoing.flush()
    assert wire.written == []
