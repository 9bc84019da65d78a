"""Harvesting into a store: lists asked side by side, pages read in processes of their own, one writer."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from graph.quarantine import Quarantine
from graph.store.heap import seldom_collected
from loaders.harvest.arrivals import Arrival, Remark, Served
from loaders.harvest.hosts import Asking, Hosts, Item, Settle
from loaders.harvest.lane import SOFTWARE, HarvestSink, Lane, Options, right_now, state_file
from loaders.harvest.listing import Listing
from loaders.harvest.providers import Provider
from loaders.harvest.reading import READERS
from loaders.harvest.reconciling import Reconciling, is_due
from loaders.harvest.report import Report
from loaders.harvest.state import State
from loaders.mapping_pool import MappingPool, Reader, available, read_and_map
from loaders.oai_pmh import Client, Request, Settings, Verb
from loaders.outcomes import MappedOutcome
from loaders.sources.oai_lexml import record_iri

_IDLE = 0.5
#: How many seconds another page is waited for before it is looked whether one has been read.
_SOON = 0.02
#: How many bytes of pages may be read, or wait for it, while what was before them is stored: one page at least.
_AHEAD = 3 << 19
#: How many records are read here before there are processes for it, and of how many on a page tells that more will come
#: where it is not the last.
_FEW, _LARGE_PAGE = 1000, 200
#: How many seconds what has come may wait for a full batch.
_SETTLE_EVERY = 20.0


class Reading(Protocol):
    """A page that is being read, or is still to be."""

    @property
    def ready(self) -> bool:
        """Whether nobody need be waited for."""
        ...

    def take_back(self) -> bool:
        """Read it here, where nobody has begun to; whether that was so."""
        ...

    def result(self) -> Sequence[MappedOutcome]:
        """What comes of it, when it is asked for at the latest."""
        ...


@dataclass(frozen=True, slots=True)
class _Here:
    """A page that is read in this process, when it is asked for."""

    result: Callable[[], Sequence[MappedOutcome]] = tuple
    ready: bool = True

    def take_back(self) -> bool:
        return False


class HarvestInterrupted(KeyboardInterrupt):
    """The user stopped a harvest: what is in the store counts, and the next harvest goes on from there.

    Attributes:
        reports: what was done until then.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self.reports = tuple(reports)
        super().__init__("the harvest was stopped")


def harvest(
    providers: Sequence[Provider],
    folder: Path,
    sink: HarvestSink,
    quarantine: Quarantine,
    options: Options,
    on_progress: Callable[[Sequence[Report]], None] | None = None,
    clock: Callable[[], datetime] = right_now,
) -> list[Report]:
    """Harvest lists into a store, hosts side by side; one report for each list, in their order.

    A provider that cannot be heard stops no other. What is refused goes into the quarantine.

    Args:
        folder: the folder of the store; what harvests remember is kept below ``harvest`` in it.
        on_progress: called about twice a second, and after each batch, with how things stand.
        clock: the moment, in UTC, to the second.

    Raises:
        HarvestInterrupted: on KeyboardInterrupt; every finished page is in the store.
        StoreProblem: the store, the quarantine or a state cannot be read or written.
    """
    now = clock()
    lanes = [
        Lane(provider, state_file(folder, provider, options.window), sink, quarantine, options, clock=clock)
        for provider in providers
    ]
    return taken(lanes, [_asking(lane, sink, options, now, clock) for lane in lanes], on_progress)


def taken(
    lanes: Sequence[Lane], askings: Sequence[Asking], on_progress: Callable[[Sequence[Report]], None] | None
) -> list[Report]:
    """Ask for lists and take what arrives into the store; arguments and errors as for :func:`harvest`.

    Args:
        askings: one for each lane.
    """
    taking = _Taking(lanes, on_progress)
    try:
        with seldom_collected(), Hosts(askings) as hosts, taking:
            hosts.start()
            taking.take_all(hosts)
    except KeyboardInterrupt:
        for lane in lanes:
            lane.settle()
        raise HarvestInterrupted([lane.report() for lane in lanes]) from None
    return [lane.report() for lane in lanes]


class Readers:
    """Reads pages: the first few here, the rest in processes of their own, which cost a second to begin."""

    def __init__(self) -> None:
        self._records = 0
        self._pool: MappingPool | None = None

    def read(self, label: str, page: Served, read: Reader) -> Reading:
        """Begin to read a page."""
        is_first = self._records == 0
        self._records += page.size
        many = self._records > _FEW or (page.size >= _LARGE_PAGE and not page.is_last)
        if self._pool is None and many and available() > 1:
            self._pool = MappingPool(available() - 1).__enter__()  # one processor is for the store
            self._pool.begin()
        if self._pool is None or is_first:
            return _Here(partial(read_and_map, label, page.payload, None, read))
        return self._pool.submit(label, page.payload, None, read)

    def close(self, kind: type[BaseException] | None) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.__exit__(kind, None, None)


class _Taking:
    """Takes what hosts hand over, in order; what is read in other processes meanwhile waits in line."""

    def __init__(self, lanes: Sequence[Lane], on_progress: Callable[[Sequence[Report]], None] | None) -> None:
        self._lanes = lanes
        self._by_provider = {id(lane.provider): lane for lane in lanes}
        self._on_progress = on_progress
        self._line: deque[tuple[Lane, Item, str, Reading]] = deque()
        self._lined = 0
        self._readers = Readers()
        self._settled = self._told = time.monotonic()

    def __enter__(self) -> _Taking:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self._readers.close(kind)

    def take_all(self, hosts: Hosts) -> None:
        while not hosts.finished or self._line:
            ready = bool(self._line) and self._line[0][3].ready
            came = None if hosts.finished else hosts.next(0 if ready else _SOON if self._line else _IDLE)
            if came is not None:
                self._line_up(*came)
            elif not ready:
                self._help()
            all_of_it = hosts.finished or (came is not None and not isinstance(came[1], Arrival))
            while self._line and (ready or all_of_it or self._lined > _AHEAD):
                lane, item, label, reading = self._line.popleft()
                self._lined -= _bytes(item)
                self._take(lane, item, label, reading)
                ready = False
            self._now_and_then()

    def _help(self) -> bool:
        """Read the next page in line that nobody has begun to read, for there is nothing else to do; whether there was
        one."""
        return any(reading.take_back() for *_, reading in self._line)

    def _line_up(self, asking: Asking, item: Item) -> None:
        lane = self._by_provider[id(asking.provider)]
        label = ""
        reading: Reading = _Here()
        if isinstance(item, Arrival):
            label = lane.label(item)
            if item.page is not None and item.page.size:
                fetched = item.page.fetched_at.replace(microsecond=0)  # as it is kept beside the payload
                read = partial(READERS[lane.kind], lane.came, fetched)
                reading = self._readers.read(label, item.page, read)
        self._line.append((lane, item, label, reading))
        self._lined += _bytes(item)

    def _take(self, lane: Lane, item: Item, label: str, reading: Reading) -> None:
        if isinstance(item, Arrival):
            while not reading.ready and self._help():
                pass
            lane.take(item, label, reading.result())
        elif isinstance(item, Remark):
            lane.remark(item)
        elif isinstance(item, Settle):
            lane.settle()
            item.done.set()
        elif item.crash is not None:
            raise item.crash
        else:
            lane.close(item)

    def _now_and_then(self) -> None:
        now = time.monotonic()
        if now - self._settled > _SETTLE_EVERY:
            self._settled = now
            for lane in self._lanes:
                lane.settle()
        if self._on_progress is not None and now - self._told > _IDLE:
            self._told = now
            self._on_progress([lane.report() for lane in self._lanes])


def _bytes(item: Item) -> int:
    return len(item.page.payload) if isinstance(item, Arrival) and item.page is not None else 0


def _asking(lane: Lane, sink: HarvestSink, options: Options, now: datetime, clock: Callable[[], datetime]) -> Asking:
    """What is asked of one list, in the thread of its host."""
    provider = lane.provider

    def lives(identifier: str) -> bool:
        return sink.lives(record_iri(identifier, provider.url), provider.url, identifier)

    def known(identifier: str) -> bool:
        return sink.holds(record_iri(identifier, provider.url), provider.url, identifier)

    def arrivals(stopped: Callable[[], bool], settled: Callable[[], None]) -> Generator[Arrival | Remark, None, None]:
        settings = settings_for(provider, options)
        with Client(provider.url, settings, stopped=stopped, clock=clock) as client:
            listing = Listing(client, provider, lane.state, now, window=options.window, known=known)
            for arrival in listing.arrivals():
                yield arrival
                yield from _drained(listing.remarks)
            yield from _drained(listing.remarks)
            if options.reconcile or (options.window is None and is_due(provider, listing.state, now)):
                yield from compared(client, settled, listing.state)

    def compared(client: Client, settled: Callable[[], None], state: State) -> Iterator[Arrival | Remark]:
        def held() -> list[str]:
            settled()
            return sink.living(provider.url, provider.set)

        reconciling = Reconciling(
            client, provider, state, now, held=held, lives=lives, accept=options.accept_withdrawals
        )
        yield from reconciling.arrivals()
        yield from reconciling.remarks

    return Asking(provider, arrivals)


def check(providers: Sequence[Provider], options: Options) -> None:
    """Whether these can be asked at all: before a store is made for what comes, or anybody is asked.

    Raises:
        BadSettings: a contact that no header field can hold, a file of authorities that cannot be read.
        BadRequest: a set or a format that no request can name.
    """
    for provider in providers:
        Client(provider.url, settings_for(provider, options)).close()
        Request(Verb.LIST_RECORDS, provider.prefix, set=provider.set)


def settings_for(provider: Provider, options: Options) -> Settings:
    """How the client behaves towards a provider."""
    return Settings(
        user_agent=SOFTWARE,
        contact=options.contact or "",
        page_seconds=provider.page_seconds,
        page_bytes=provider.page_mib << 20,
        politeness=provider.politeness if options.politeness is None else options.politeness,
        retries=provider.retries,
        backoff=provider.backoff,
        verify=True if provider.ca_file is None else Path(provider.ca_file),
    )


def _drained(remarks: list[Remark]) -> Iterator[Remark]:
    while remarks:
        yield remarks.pop(0)
