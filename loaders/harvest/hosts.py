"""Asking providers: a thread for each host with one connection at a time, what arrives handed over in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread

from loaders.harvest.arrivals import Arrival, Remark
from loaders.harvest.providers import Provider
from loaders.oai_pmh import ProviderFault, Stopped

_PATIENCE = 0.2
#: How many items may wait to be taken: what is ahead of the store is held in memory.
_AHEAD = 16
#: How many hosts are asked at once: each may have a page in memory.
_MOST_HOSTS = 16


@dataclass(frozen=True, slots=True)
class Settle:
    """Said when a list needs to see in the store all that it has handed over; ``done`` is set when it can."""

    done: Event


@dataclass(frozen=True, slots=True)
class Done:
    """Said when a list has come to its end: good, by a fault of the provider, or by one of ours."""

    fault: ProviderFault | None = None
    crash: BaseException | None = None
    stopped: bool = False


Item = Arrival | Remark | Settle | Done


@dataclass(frozen=True, slots=True)
class Asking:
    """One list to be asked for.

    Attributes:
        arrivals: what arrives, from a question whether to stop and a way to wait until everything that was handed over
            is in the store.
    """

    provider: Provider
    arrivals: Callable[[Callable[[], bool], Callable[[], None]], Generator[Arrival | Remark, None, None]]


class Hosts:
    """The threads; a context manager that stops them."""

    def __init__(self, askings: Sequence[Asking]) -> None:
        self._items: Queue[tuple[Asking, Item]] = Queue(maxsize=_AHEAD)
        self._stopping = Event()
        by_host: dict[str, list[Asking]] = {}
        for asking in askings:
            by_host.setdefault(asking.provider.host, []).append(asking)
        self._left = len(askings)
        self._hosts: SimpleQueue[Sequence[Asking]] = SimpleQueue()
        for lists in by_host.values():
            self._hosts.put(lists)
        count = min(len(by_host), _MOST_HOSTS)
        self._threads = [Thread(target=self._ask, name=f"harvest-{n}", daemon=True) for n in range(count)]

    def __enter__(self) -> Hosts:
        return self

    def start(self) -> None:
        """Begin to ask."""
        for thread in self._threads:
            thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            if thread.ident is None:  # stopped before it was begun
                continue
            while thread.is_alive():
                self._drop()
                thread.join(_PATIENCE)

    @property
    def finished(self) -> bool:
        """Whether every list has said that it is done."""
        return self._left == 0

    def next(self, timeout: float) -> tuple[Asking, Item] | None:
        """What comes next, of any list; None when nothing came in that many seconds."""
        try:
            asking, item = self._items.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(item, Done):
            self._left -= 1
        return asking, item

    def _drop(self) -> None:
        while True:
            try:
                _, item = self._items.get_nowait()
            except Empty:
                return
            if isinstance(item, Settle):
                item.done.set()

    def _ask(self) -> None:
        while not self._stopping.is_set():
            try:
                lists = self._hosts.get_nowait()
            except Empty:
                return
            for asking in lists:
                self._put(asking, self._asked(asking))

    def _asked(self, asking: Asking) -> Done:
        try:
            with closing(asking.arrivals(self._stopping.is_set, lambda: self._settle(asking))) as arrivals:
                for item in arrivals:
                    self._put(asking, item)
        except ProviderFault as fault:
            return Done(fault=fault)
        except Stopped:
            return Done(stopped=True)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the taker raises it
            return Done(crash=error)
        return Done()

    def _settle(self, asking: Asking) -> None:
        done = Event()
        self._put(asking, Settle(done))
        while not done.wait(_PATIENCE):
            self._check()

    def _put(self, asking: Asking, item: Item) -> None:
        while True:
            if not isinstance(item, Done):
                self._check()
            elif self._stopping.is_set():
                return
            try:
                self._items.put((asking, item), timeout=_PATIENCE)
            except Full:
                continue
            return

    def _check(self) -> None:
        if self._stopping.is_set():
            raise Stopped
