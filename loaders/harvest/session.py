"""Harvests several lists into a store, with a thread for each host and one writer; and reconciles complete lists."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread

from graph.process import available, raised_gc_threshold
from graph.quarantine import Quarantine
from loaders.harvest.archive import READERS
from loaders.harvest.list_sync import ListSync
from loaders.harvest.list_writer import (
    SOFTWARE,
    HarvestSink,
    ListWriter,
    Options,
    state_file,
    utc_now,
    with_moved_addresses,
)
from loaders.harvest.providers import Provider, answers_other_requests, formats_of, sets_of
from loaders.harvest.report import Done, Payload, ReceivedAnswer, Remark, RemarkCode, Report, check_repetition
from loaders.harvest.state import Plan, State, written
from loaders.oai_pmh import (
    BadPage,
    Client,
    Identify,
    Page,
    ProtocolFault,
    ProviderFault,
    Refused,
    Request,
    Settings,
    Stopped,
    Unreachable,
    Verb,
)
from loaders.oai_pmh.faults import shown
from loaders.outcomes import MappedOutcome
from loaders.parallel import PendingPage, Reader, ReaderPool, read_payload
from loaders.sources.oai_lexml import record_iri

# Reconciliation: the complete list of identifiers of a provider is compared with its records in the store.
#
# A record counts as withdrawn when two consecutive complete lists, read to their end without a fault, omit it. One list
# is not enough: pagination by offset over a changing order skips records (docs/reference/harvesting.md). Lists that
# omit many records are not accepted at once.


#: The maximum number of records withdrawn at once without confirmation, and the maximum share of all.
_FEW_MISSING = 10
_PART = 0.1
#: The maximum number of consecutive listed records that cannot be fetched.
_MOST_FAILED = 40


def is_due(provider: Provider, state: State, now: datetime) -> bool:
    """Return whether the schedule of a provider requires a comparison of its complete list on a day."""
    if provider.reconcile_days is None or state.watermark is None:
        return False
    return state.reconciled is None or (now.date() - state.reconciled).days >= provider.reconcile_days


class Reconciliation:
    """One comparison: an iterator of arrivals, and the remarks at its end.

    Args:
        held: returns the identifiers of the active records of this list in the store.
        is_live: returns whether the store has an active record with an identifier, of any list.
        accept: whether to accept many withdrawals at once.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        state: State,
        now: datetime,
        *,
        held: Callable[[], Iterable[str]],
        is_live: Callable[[str], bool],
        accept: bool = False,
    ) -> None:
        self.remarks: list[Remark] = []
        self._client = client
        self._provider = provider
        self._state = state
        self._now = now
        self._held = held
        self._lives = is_live
        self._accept = accept
        self._failed = 0

    def arrivals(self) -> Iterator[ReceivedAnswer]:
        """Yield deletions in the list, records that the store lacks, and identifiers that are no longer listed.

        Raises:
            ProviderFault: the list cannot be read to its end: nothing is withdrawn.
        """
        held = dict.fromkeys(self._held(), False)  # whether they are listed
        others: dict[str, None] = {}
        for page in self._pages():
            for header in page.headers:
                if header.identifier in held:
                    held[header.identifier] = True
                elif not header.deleted and not self._lives(header.identifier):
                    others[header.identifier] = None
            if any(header.deleted for header in page.headers):
                yield ReceivedAnswer(self._state, page)
        for identifier in others:
            if self._failed >= _MOST_FAILED:
                message = (
                    f"{_MOST_FAILED} consecutive listed records could not be fetched; the others were not requested"
                )
                self.remarks.append(Remark(RemarkCode.LIMIT_REACHED, message))
                break
            yield from self._fetch_record(identifier)
        missing = {identifier for identifier, listed in held.items() if not listed}
        if missing:
            for page in self._pages():
                missing.difference_update(header.identifier for header in page.headers)
        nothing = bool(held) and len(missing) == len(held)
        if (nothing or len(missing) > max(_FEW_MISSING, _PART * len(held))) and not self._accept:
            message = (
                f"{len(missing)} of {len(held)} records are no longer listed: too many to withdraw without "
                "confirmation; nothing was withdrawn. If the provider withdrew them, repeat with --accept-withdrawals"
            )
            self.remarks.append(Remark(RemarkCode.NOT_RECONCILED, message))
            return
        self._state = replace(self._state, reconciled=self._now.date())
        yield ReceivedAnswer(self._state, missing=tuple(sorted(missing)))

    def _pages(self) -> Iterator[Page]:
        """Yield the pages of the provider's complete list (OAI-PMH 2.0, section 4.3)."""
        request = Request(Verb.LIST_IDENTIFIERS, self._provider.prefix, set=self._provider.set)
        return check_repetition(self._client.pages(request))

    def _fetch_record(self, identifier: str) -> Iterator[ReceivedAnswer]:
        """Fetch a listed record that the store lacks."""
        try:
            page = self._client.record(identifier, self._provider.prefix)
        except (BadPage, ProtocolFault, Refused, Unreachable) as fault:
            if not isinstance(fault, ProtocolFault) and not answers_other_requests(self._client, fault):
                raise
            self._failed += 1
            yield ReceivedAnswer(self._state, bad=fault, identifier=identifier)
            self._report_gap(identifier, fault)
            return
        self._failed = 0
        yield ReceivedAnswer(self._state, page)

    def _report_gap(self, identifier: str, fault: ProviderFault) -> None:
        message = f"the record {shown(identifier)} is listed and could not be fetched: {fault.problem}"
        self.remarks.append(Remark(RemarkCode.GAP, message))


# The harvest itself.


_PATIENCE = 0.2
#: The maximum number of queued items: items that are not stored yet are held in memory.
_QUEUED = 16
#: The maximum number of concurrent hosts: each may have a page in memory.
_MOST_HOSTS = 16


@dataclass(frozen=True, slots=True)
class SettleRequest:
    """A request to store all items that a list has queued; ``done`` is set afterwards."""

    done: Event


Item = ReceivedAnswer | Remark | SettleRequest | Done


@dataclass(frozen=True, slots=True)
class ListTask:
    """One list to harvest.

    Attributes:
        arrivals: returns the arrivals. Its arguments are a function that returns whether to stop, and one that waits
            until all queued items are stored.
    """

    provider: Provider
    arrivals: Callable[[Callable[[], bool], Callable[[], None]], Generator[ReceivedAnswer | Remark, None, None]]


class Hosts:
    """The threads, one for each host; a context manager that stops them."""

    def __init__(self, tasks: Sequence[ListTask]) -> None:
        self._items: Queue[tuple[ListTask, Item]] = Queue(maxsize=_QUEUED)
        self._stopping = Event()
        by_host: dict[str, list[ListTask]] = {}
        for task in tasks:
            by_host.setdefault(task.provider.host, []).append(task)
        self._left = len(tasks)
        self._hosts: SimpleQueue[Sequence[ListTask]] = SimpleQueue()
        for lists in by_host.values():
            self._hosts.put(lists)
        count = min(len(by_host), _MOST_HOSTS)
        self._threads = [Thread(target=self._process_hosts, name=f"harvest-{n}", daemon=True) for n in range(count)]

    def __enter__(self) -> Hosts:
        return self

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            if thread.ident is None:  # stopped before it was begun
                continue
            while thread.is_alive():
                self._discard_items()
                thread.join(_PATIENCE)

    @property
    def finished(self) -> bool:
        """Return whether every list is finished."""
        return self._left == 0

    def next(self, timeout: float) -> tuple[ListTask, Item] | None:
        """Return the next item of any list; None if there is none within the timeout in seconds."""
        try:
            task, item = self._items.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(item, Done):
            self._left -= 1
        return task, item

    def _discard_items(self) -> None:
        while True:
            try:
                _, item = self._items.get_nowait()
            except Empty:
                return
            if isinstance(item, SettleRequest):
                item.done.set()

    def _process_hosts(self) -> None:
        while not self._stopping.is_set():
            try:
                lists = self._hosts.get_nowait()
            except Empty:
                return
            for task in lists:
                self._put(task, self._process_list(task))

    def _process_list(self, task: ListTask) -> Done:
        try:
            with closing(task.arrivals(self._stopping.is_set, lambda: self._request_settle(task))) as arrivals:
                for item in arrivals:
                    self._put(task, item)
        except ProviderFault as fault:
            return Done(fault=fault)
        except Stopped:
            return Done(stopped=True)
        except BaseException as error:  # noqa: BLE001 - the consumer raises it
            return Done(error=error)
        return Done()

    def _request_settle(self, task: ListTask) -> None:
        done = Event()
        self._put(task, SettleRequest(done))
        while not done.wait(_PATIENCE):
            self._raise_if_stopping()

    def _put(self, task: ListTask, item: Item) -> None:
        while True:
            if not isinstance(item, Done):
                self._raise_if_stopping()
            elif self._stopping.is_set():
                return
            try:
                self._items.put((task, item), timeout=_PATIENCE)
            except Full:
                continue
            return

    def _raise_if_stopping(self) -> None:
        if self._stopping.is_set():
            raise Stopped


_IDLE = 0.5
#: Seconds to wait for another page before checking whether a page has been read.
_SOON = 0.02
#: The maximum number of bytes of pages read or queued ahead of the store; at least one page.
_AHEAD = 3 << 19
#: Workers are started once more than the first number of records were received, or if a page that is not the last of
#: its list has at least the second number.
_FEW, _LARGE_PAGE = 1000, 200
#: The maximum number of pages submitted for each worker: the one that it reads, and the next one.
_GIVEN = 2
#: The number of seconds after which an incomplete batch is stored, too.
_SETTLE_EVERY = 20.0


class _Page:
    """A page to read: by a worker, or in this process."""

    def __init__(self, read: Callable[[], list[MappedOutcome]]) -> None:
        self.read = read
        self.pending: PendingPage | None = None
        self.outcomes: list[MappedOutcome] | None = None

    @property
    def ready(self) -> bool:
        """Return whether its outcomes are available."""
        return self.outcomes is not None or (self.pending is not None and self.pending.ready)


class HarvestInterrupted(KeyboardInterrupt):
    """The user stopped a harvest. Records already stored are kept, and the next harvest continues after them.

    Attributes:
        reports: the reports so far.
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
    clock: Callable[[], datetime] = utc_now,
) -> list[Report]:
    """Harvest lists into a store, with concurrent hosts. Return one report for each list, in their order.

    A provider that cannot be reached does not stop the others. Refused records go to the quarantine.

    Args:
        folder: the folder of the store; the states of harvests are stored below ``harvest`` in it.
        on_progress: called at most twice a second, with the progress.
        clock: returns the moment, in UTC, to the second.

    Raises:
        HarvestInterrupted: on KeyboardInterrupt; every finished page is in the store.
        StoreProblem: the store, the quarantine or a state cannot be read or written.
    """
    now = clock()
    providers = with_moved_addresses(providers, folder)
    writers = [
        ListWriter(provider, state_file(folder, provider, options.window), sink, quarantine, options, clock=clock)
        for provider in providers
    ]
    return harvest_lists(writers, [_list_task(writer, sink, options, now, clock) for writer in writers], on_progress)


def harvest_lists(
    writers: Sequence[ListWriter], tasks: Sequence[ListTask], on_progress: Callable[[Sequence[Report]], None] | None
) -> list[Report]:
    """Harvest lists and put the arrivals into the store; arguments and errors as for :func:`harvest`.

    Args:
        tasks: one for each writer.
    """
    taking = _Consumer(writers, on_progress)
    try:
        with raised_gc_threshold(), Hosts(tasks) as hosts, taking:
            hosts.start()
            taking.take_all(hosts)
    except KeyboardInterrupt:
        for writer in writers:
            writer.settle()
        raise HarvestInterrupted([writer.report() for writer in writers]) from None
    return [writer.report() for writer in writers]


class Readers:
    """Reads pages in worker processes, which take a second to start, and in this process while it is idle.

    A worker gets a page shortly before it can begin it; until then this process may read it.
    """

    def __init__(self) -> None:
        self._records = 0
        self._pool: ReaderPool | None = None
        self._unread: deque[tuple[_Page, ListWriter, str, bytes, Reader]] = deque()
        self._given: list[_Page] = []

    def add(self, writer: ListWriter, label: str, page: Payload, read: Reader) -> _Page:
        """Add a page of a list to the queue."""
        self._records += page.size
        many = self._records > _FEW or (page.size >= _LARGE_PAGE and not page.is_last)
        if self._pool is None and many and available() > 1:
            self._pool = ReaderPool(available() - 1).__enter__()  # one processor is for the store
        queued_page = _Page(partial(read_payload, label, page.payload, None, read))
        self._unread.append((queued_page, writer, label, page.payload, read))
        self.submit_pages()
        return queued_page

    def submit_pages(self) -> None:
        """Give the workers as many pages as they can begin soon."""
        if self._pool is None or self._pool.is_starting:
            return
        self._given = [page for page in self._given if not page.ready]
        while self._unread and len(self._given) < _GIVEN * (available() - 1):
            page, writer, label, payload, read = self._unread.popleft()
            page.pending = self._pool.submit(label, payload, None, read, mapping=writer.is_mapping)
            self._given.append(page)

    def read_one(self) -> bool:
        """Read the next page that no worker has, in this process. Return whether there was one."""
        if not self._unread:
            return False
        page, *_ = self._unread.popleft()
        page.outcomes = page.read()
        return True

    def result(self, page: _Page) -> list[MappedOutcome]:
        """Return the outcomes of a page; this process reads others while it waits."""
        while not page.ready and self.read_one():
            self.submit_pages()
        if page.outcomes is None:
            page.outcomes = page.read() if page.pending is None else page.pending.result()
        return page.outcomes

    def close(self, kind: type[BaseException] | None) -> None:
        """Stop the workers."""
        if self._pool is not None:
            self._pool.__exit__(kind, None, None)


class _Consumer:
    """Takes the items of hosts in order; items whose pages workers still read are queued."""

    def __init__(self, writers: Sequence[ListWriter], on_progress: Callable[[Sequence[Report]], None] | None) -> None:
        self._writers = writers
        self._by_provider = {id(writer.provider): writer for writer in writers}
        self._on_progress = on_progress
        self._queue: deque[tuple[ListWriter, Item, str, _Page | None]] = deque()
        self._queued_bytes = 0
        self._readers = Readers()
        self._settled = self._reported = time.monotonic()

    def __enter__(self) -> _Consumer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self._readers.close(kind)

    def take_all(self, hosts: Hosts) -> None:
        while not hosts.finished or self._queue:
            self._readers.submit_pages()
            ready = bool(self._queue) and _is_ready(self._queue[0][3])
            came = None if hosts.finished else hosts.next(0 if ready else _SOON if self._queue else _IDLE)
            if came is not None:
                self._enqueue(*came)
            elif not ready:
                self._readers.read_one()
            all_of_it = hosts.finished or (came is not None and not isinstance(came[1], ReceivedAnswer))
            while self._queue and (ready or all_of_it or self._queued_bytes > _AHEAD):
                writer, item, label, page = self._queue.popleft()
                self._queued_bytes -= _bytes(item)
                self._take(writer, item, label, page)
                ready = False
            self._run_periodic_tasks()

    def _enqueue(self, task: ListTask, item: Item) -> None:
        writer = self._by_provider[id(task.provider)]
        label = ""
        page: _Page | None = None
        if isinstance(item, ReceivedAnswer):
            label = writer.label(item)
            if item.page is not None and item.page.size:
                fetched = item.page.fetched_at.replace(microsecond=0)  # the archive stores it to the second
                read = partial(READERS[writer.kind], writer.came, fetched)
                page = self._readers.add(writer, label, item.page, read)
        self._queue.append((writer, item, label, page))
        self._queued_bytes += _bytes(item)

    def _take(self, writer: ListWriter, item: Item, label: str, page: _Page | None) -> None:
        if isinstance(item, ReceivedAnswer):
            writer.take(item, label, () if page is None else self._readers.result(page))
        elif isinstance(item, Remark):
            writer.remark(item)
        elif isinstance(item, SettleRequest):
            writer.settle()
            item.done.set()
        elif item.error is not None:
            raise item.error
        else:
            writer.close(item)

    def _run_periodic_tasks(self) -> None:
        now = time.monotonic()
        if now - self._settled > _SETTLE_EVERY:
            self._settled = now
            for writer in self._writers:
                writer.settle()
        if self._on_progress is not None and now - self._reported > _IDLE:
            self._reported = now
            self._on_progress([writer.report() for writer in self._writers])


def _is_ready(page: _Page | None) -> bool:
    return page is None or page.ready


def _bytes(item: Item) -> int:
    return len(item.page.payload) if isinstance(item, ReceivedAnswer) and item.page is not None else 0


def _list_task(
    writer: ListWriter, sink: HarvestSink, options: Options, now: datetime, clock: Callable[[], datetime]
) -> ListTask:
    """Return the task of one list. The thread of its host requests the arrivals."""
    provider = writer.provider

    def is_live(identifier: str) -> bool:
        return sink.is_active(record_iri(identifier, provider.url), provider.url, identifier)

    def known(identifier: str) -> bool:
        return sink.holds(record_iri(identifier, provider.url), provider.url, identifier)

    def arrivals(
        stopped: Callable[[], bool], settled: Callable[[], None]
    ) -> Generator[ReceivedAnswer | Remark, None, None]:
        settings = settings_for(provider, options)
        with Client(provider.request_url, settings, stopped=stopped, clock=clock) as client:
            sync = ListSync(client, provider, writer.state, now, window=options.window, known=known)
            for arrival in sync.arrivals():
                yield arrival
                yield from _drain(sync.remarks)
            yield from _drain(sync.remarks)
            if options.reconcile or (options.window is None and is_due(provider, sync.state, now)):
                yield from compared(client, settled, sync.state)

    def compared(client: Client, settled: Callable[[], None], state: State) -> Iterator[ReceivedAnswer | Remark]:
        def held() -> list[str]:
            settled()
            return sink.active_identifiers(provider.url, provider.set)

        reconciling = Reconciliation(
            client, provider, state, now, held=held, is_live=is_live, accept=options.accept_withdrawals
        )
        yield from reconciling.arrivals()
        yield from reconciling.remarks

    return ListTask(provider, arrivals)


def check(providers: Sequence[Provider], options: Options) -> None:
    """Check the settings and requests before a store is made and before any request.

    Raises:
        BadSettings: no header field can contain the contact, or a file of authorities cannot be read.
        BadRequest: no request can contain a set or a format.
    """
    for provider in providers:
        Client(provider.url, settings_for(provider, options)).close()
        Request(Verb.LIST_RECORDS, provider.prefix, set=provider.set)


def settings_for(provider: Provider, options: Options) -> Settings:
    """Return the settings of the client for a provider."""
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


def _drain(remarks: list[Remark]) -> Iterator[Remark]:
    while remarks:
        yield remarks.pop(0)


@dataclass(slots=True)
class DryRun:
    """The result of a dry run of one list.

    Attributes:
        identify: the provider's answer to Identify.
        formats: the metadata prefixes that it offers.
        sets: its sets, at most a thousand; None if it has none or does not list them.
        plan: the requests of a harvest.
        first: the first page of it.
        fault: the fault that ended the dry run.
    """

    provider: Provider
    state: State
    identify: Identify | None = None
    formats: tuple[str, ...] = ()
    sets: tuple[str, ...] | None = None
    plan: Plan | None = None
    first: Page | None = None
    fault: ProviderFault | None = None
    remarks: list[Remark] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the result as text."""
        if self.identify is not None:
            name = self.identify.repository_name or "a provider without a name"
            yield f"{name[:200]}; deletedRecord: {_deletions(self.identify) or 'not stated'}"
        if self.formats:
            yield f"formats: {', '.join(self.formats)}"
        if self.sets is not None:
            yield f"sets: {', '.join(self.sets[:20])}{' ...' if len(self.sets) > 20 else ''}"
        if self.plan is not None:
            resumed = " (resuming after the last stored page)" if self.plan.token is not None else ""
            yield f"would request records with datestamps from {', then '.join(map(str, self.plan.windows))}{resumed}"
        if self.first is not None:
            yield f"the first page has {_size(self.first)}"
        for remark in self.remarks:
            yield f"{remark.code.value}: {remark.message}"
        if self.fault is not None:
            yield f"{self.fault.code}: {self.fault.problem} (expected {self.fault.expected})"


def _deletions(identify: Identify) -> str | None:
    return None if identify.deleted is None else identify.deleted.value


def _size(page: Page) -> str:
    if page.complete_list_size is not None:
        return f"{page.size} of {page.complete_list_size} records"
    return f"{page.size} records, and {'is the last' if page.is_last else 'more pages follow'}"


def dry_run(provider: Provider, folder: Path, options: Options) -> DryRun:
    """Request Identify and the first page of a harvest.

    Args:
        folder: the folder of the store, which need not exist.

    Raises:
        StoreProblem: the state of earlier harvests cannot be read.
    """
    (provider,) = with_moved_addresses([provider], folder)
    state = state_file(folder, provider, options.window).read(State(provider.url, provider.set, provider.prefix))
    result = DryRun(provider, state)
    now = utc_now()
    try:
        with Client(provider.request_url, settings_for(provider, options)) as client:
            sync = ListSync(client, provider, state, now, window=options.window)
            result.identify = sync.identify()
            result.formats = formats_of(client)
            result.sets = sets_of(client)
            result.plan = sync.plan()
            result.remarks = sync.remarks
            sync.check_set()
            result.first = sync.first_page()
    except ProviderFault as fault:
        result.fault = fault
    return result


def dry_run_json(looked: DryRun) -> dict[str, object]:
    """Return one list in the output of ``vigente harvest --dry-run --json``."""
    provider, plan, first, fault = looked.provider, looked.plan, looked.first, looked.fault
    return {
        "name": provider.name,
        "url": provider.url,
        "set": provider.set,
        "repository": None if looked.identify is None else looked.identify.repository_name,
        "deletions": None if looked.identify is None else _deletions(looked.identify),
        "formats": list(looked.formats),
        "sets": None if looked.sets is None else list(looked.sets),
        "windows": [] if plan is None else [str(window) for window in plan.windows],
        "resumes": plan is not None and plan.token is not None,
        "heard": None if looked.state.watermark is None else written(looked.state.watermark),
        "first_page": None if first is None else first.size,
        "list_size": None if first is None else first.complete_list_size,
        "done": None,
        "remarks": [{"code": remark.code.value, "message": remark.message} for remark in looked.remarks],
        "fault": None
        if fault is None
        else {"code": str(fault.code), "problem": fault.problem, "expected": fault.expected},
    }
