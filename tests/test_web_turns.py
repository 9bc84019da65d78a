"""Clients in turn: who asks much waits for themselves, and who asks once is answered soon."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from service.web.http.turns import GONE, InTurn, aside
from service.web.middleware import threads

#: How many requests are worked on at once, how many of each of very many clients, and how many of one wait besides.
AT_ONCE = 32
LEAST = 2
WAITING = 256

_Work = Callable[[Scope], Awaitable[None]]


class _House:
    """An application behind :class:`InTurn` that tells in which order it was asked, and how many were inside."""

    def __init__(self, work: _Work) -> None:
        self.begun: list[str] = []
        self.inside: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.statuses: list[int] = []
        self._work = work
        self.door = InTurn(self._answer)

    async def _answer(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        who = scope["client"][0]
        self.begun.append(who)
        self.inside[who] += 1
        self.most[who] = max(self.most[who], self.inside[who])
        try:
            await self._work(scope)
        finally:
            self.inside[who] -= 1

    async def ask(self, who: str, *, gone: bool = False) -> None:
        async def receive() -> Message:
            raise AssertionError("nobody reads a body here")

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.statuses.append(message["status"])

        scope: Scope = {"type": "http", "client": (who, 1), "method": "GET", "path": "/", "headers": []}
        scope[GONE] = lambda: gone
        await self.door(scope, receive, send)

    def forgotten(self) -> bool:
        """Whether nothing is kept of clients that ask nothing."""
        return not self.door._lines  # noqa: SLF001 - what nobody would miss can be seen nowhere else


async def _at_once(_: Scope) -> None:
    """Work that never lets others on."""


async def _in_pieces(_: Scope) -> None:
    for _turn in range(3):
        await asyncio.sleep(0)


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("work", [_at_once, _in_pieces])
def test_who_asks_once_is_begun_at_once_beside_who_asks_often(work: _Work) -> None:
    async def run() -> _House:
        house = _House(work)
        many = [asyncio.ensure_future(house.ask("192.0.2.1")) for _ in range(200)]
        await asyncio.sleep(0)
        await house.ask("192.0.2.2")
        late = house.begun.index("192.0.2.2")
        assert late <= 2 * AT_ONCE, late
        assert not many[-1].done()
        await asyncio.gather(*many)
        await _settled()
        return house

    house = asyncio.run(run())
    assert house.begun.count("192.0.2.1") == 200
    assert house.most == {"192.0.2.1": AT_ONCE if work is _in_pieces else 1, "192.0.2.2": 1}
    assert house.forgotten()


def test_addresses_of_one_network_of_ipv6_have_one_turn() -> None:
    async def run() -> None:
        free = asyncio.Event()

        async def stay(_: Scope) -> None:
            await free.wait()

        house = _House(stay)
        asked = [asyncio.ensure_future(house.ask(f"2001:db8::{number}")) for number in range(1, 50)]
        await _settled()
        assert len(house.begun) == AT_ONCE
        asked.append(asyncio.ensure_future(house.ask("2001:db8:0:1::1")))
        await _settled()
        assert house.begun[AT_ONCE:] == ["2001:db8:0:1::1"]
        free.set()
        await asyncio.gather(*asked)
        assert len(house.begun) == 50

    asyncio.run(run())


@pytest.mark.parametrize("clients", [1, 2, 3, 15, 16, 17, 40])
def test_those_who_ask_share_the_places_and_each_has_two(clients: int) -> None:
    async def run() -> None:
        house = _House(_in_pieces)
        names = [f"192.0.2.{number}" for number in range(clients)]
        await asyncio.gather(*(house.ask(name) for _ in range(50) for name in names))
        assert set(house.most) == set(names)
        for begun in range(clients, len(house.begun)):  # when all have asked
            assert house.begun[:begun].count(names[0]) <= begun // clients + AT_ONCE
        await _settled()
        assert house.forgotten()

        at_work = Counter[str]()
        free = asyncio.Event()

        async def stay(scope: Scope) -> None:
            at_work[scope["client"][0]] += 1
            await free.wait()

        house = _House(stay)
        first = [asyncio.ensure_future(house.ask(name)) for name in names]
        await _settled()
        asked = [asyncio.ensure_future(house.ask(name)) for _ in range(50) for name in names]
        await _settled()
        share = max(LEAST, AT_ONCE // clients)
        assert at_work == dict.fromkeys(names, share)
        free.set()
        await asyncio.gather(*first, *asked)

    asyncio.run(run())


def test_who_waits_for_something_else_keeps_nobody_from_a_place() -> None:
    async def run() -> None:
        free = asyncio.Event()

        async def wait_aside(scope: Scope) -> None:
            async with aside(scope):
                await free.wait()
            await asyncio.sleep(0)

        house = _House(wait_aside)
        asked = [asyncio.ensure_future(house.ask("192.0.2.1")) for _ in range(50)]
        for _ in range(100):
            await asyncio.sleep(0)
        assert house.inside["192.0.2.1"] == 50
        free.set()
        await asyncio.gather(*asked)
        await _settled()
        assert house.forgotten()

    asyncio.run(run())


def test_who_comes_back_to_their_work_waits_for_a_place_again() -> None:
    async def run() -> None:
        back: list[int] = []
        at_work: list[int] = []
        inside = beside = 0
        all_beside = asyncio.Event()

        async def work(scope: Scope) -> None:
            nonlocal inside, beside
            async with aside(scope):
                beside += 1
                if beside == 50:
                    all_beside.set()
                await all_beside.wait()
            inside += 1
            at_work.append(inside)
            await asyncio.sleep(0)
            inside -= 1
            back.append(1)

        house = _House(work)
        await asyncio.gather(*(house.ask("192.0.2.1") for _ in range(50)))
        assert len(back) == 50
        assert max(at_work) == AT_ONCE

    asyncio.run(run())


def test_what_failed_aside_takes_no_place_again() -> None:
    async def run() -> None:
        async def work(scope: Scope) -> None:
            async with aside(scope):
                raise ValueError

        house = _House(work)
        ended = await asyncio.gather(*(house.ask("192.0.2.1") for _ in range(30)), return_exceptions=True)
        assert [type(each) for each in ended] == [ValueError] * 30
        await _settled()
        assert house.forgotten()

    asyncio.run(run())


def test_who_hung_up_while_they_waited_is_not_worked_for() -> None:
    async def run() -> None:
        house = _House(_in_pieces)
        asked = [asyncio.ensure_future(house.ask("192.0.2.1", gone=number % 2 == 1)) for number in range(100)]
        await asyncio.gather(*asked)
        assert len(house.begun) == AT_ONCE + (100 - AT_ONCE) // 2
        await _settled()
        assert house.forgotten()

    asyncio.run(run())


def test_who_takes_nothing_of_an_answer_has_no_place() -> None:
    async def run() -> None:
        taken = asyncio.Event()

        async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"long"})

        async def send(message: Message) -> None:
            begun.append(message["type"])
            await taken.wait()

        async def receive() -> Message:
            raise AssertionError("nobody reads a body here")

        begun: list[str] = []
        door = InTurn(answer)
        scope = {"type": "http", "client": ("192.0.2.1", 1), "method": "GET", "path": "/", "headers": []}
        asked = [asyncio.ensure_future(door(dict(scope), receive, send)) for _ in range(100)]
        for _ in range(50):
            await asyncio.sleep(0)
        assert begun == ["http.response.start"] * 100
        taken.set()
        await asyncio.gather(*asked)

    asyncio.run(run())


def test_where_the_loop_is_late_few_threads_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_CAREFUL", 1.0)

    async def run() -> None:
        limiter = anyio.to_thread.current_default_thread_limiter()
        watching = asyncio.ensure_future(threads.spare_the_loop())
        await asyncio.sleep(0.05)
        assert limiter.total_tokens == 16
        time.sleep(0.3)
        await asyncio.sleep(0.05)
        assert limiter.total_tokens == 2
        for _ in range(200):  # on a busy machine it may be late again
            await asyncio.sleep(0.1)
            if limiter.total_tokens == 16:
                break
        assert limiter.total_tokens == 16
        watching.cancel()

    asyncio.run(run())


def test_more_than_may_wait_are_refused() -> None:
    async def run() -> None:
        free = asyncio.Event()

        async def stay(_: Scope) -> None:
            await free.wait()

        house = _House(stay)
        asked = [asyncio.ensure_future(house.ask("192.0.2.1")) for _ in range(AT_ONCE + WAITING)]
        await _settled()
        assert house.statuses == []
        await house.ask("192.0.2.1")
        assert house.statuses == [429]
        other = asyncio.ensure_future(house.ask("192.0.2.2"))  # others are not
        await _settled()
        assert house.begun[-1] == "192.0.2.2"
        free.set()
        await asyncio.gather(*asked, other)
        assert len(house.begun) == AT_ONCE + WAITING + 1

    asyncio.run(run())


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["through", "waits", "works", "late"])), max_size=40))
def test_places_of_those_who_leave_while_they_wait_are_not_lost(plan: list[tuple[str, str]]) -> None:
    """Whoever is cancelled, in the line, with a place, or just as it is given: all places are there afterwards."""

    async def run() -> None:
        house = _House(_in_pieces)
        tasks: list[asyncio.Future[None]] = []
        for who, fate in plan:
            task = asyncio.ensure_future(house.ask(who))
            tasks.append(task)
            if fate == "waits":
                await asyncio.sleep(0)
                task.cancel()
            elif fate == "works":
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                task.cancel()
            elif fate == "late" and len(tasks) > 1:
                tasks[len(tasks) // 2].cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
        await _settled()
        assert house.forgotten()
        assert all(count <= AT_ONCE for count in house.most.values())

    asyncio.run(run())
