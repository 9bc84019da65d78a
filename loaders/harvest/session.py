"""Harvesting into a store: lists asked side by side, one writer, each state kept when its records are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from graph.entities import record_of
from graph.quarantine import Quarantine
from loaders.harvest.archive import Archive, PageKind
from loaders.harvest.hosts import Asking, Done, Hosts, Item, Settle
from loaders.harvest.listing import Arrival, Listing, Remark
from loaders.harvest.providers import Provider
from loaders.harvest.reading import Came, missing_payload, read_page, refused_page, run_payload, withdrawn
from loaders.harvest.reconciling import Reconciling, is_due
from loaders.harvest.report import MAX_REMARKS, Ended, Report
from loaders.harvest.state import Plan, State, StateFile
from loaders.harvest.windows import SECOND, Window
from loaders.oai_pmh import Client, Settings
from loaders.oai_lexml import record_iri
from loaders.run import Run, Sink, Summary

__all__ = ["HARVEST", "HarvestInterrupted", "HarvestSink", "Options", "harvest", "settings_for", "state_file"]

#: The sub-folder of a store for what harvests remember.
HARVEST = "harvest"
#: Records in one transaction.
BATCH_SIZE = 2000

_IDLE = 0.5
#: How many seconds what has come may wait for a full batch.
_SETTLE_EVERY = 5.0



def _version() -> str:
    try:
        return version("vigente")
    except PackageNotFoundError:
        return "checkout"


#: Who harvests, as providers and the graph are told.
SOFTWARE = f"vigente/{_version()}"


class HarvestSink(Sink, Protocol):
    """Where records go, and where a harvest sees what is there."""

    def flush(self) -> None:
        """Bring everything to the disk."""
        ...

    def living(self, provider: str, set_: str | None) -> list[str]:
        """The identifiers of the records of a list that are not withdrawn."""
        ...

    def holds(self, graph: str) -> bool:
        """Whether a record is there."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How to harvest, for all lists of a run.

    Attributes:
        window: what to ask for instead of what is new.
        reconcile: compare whole lists now, whatever their schedule.
        accept_withdrawals: many records that are no longer listed are believed to be withdrawn.
        keep_payloads: False keeps none, whatever the configuration says.
        contact: an address for providers to complain to.
    """

    window: Window | None = None
    reconcile: bool = False
    accept_withdrawals: bool = False
    keep_payloads: bool = True
    contact: str | None = None


class HarvestInterrupted(KeyboardInterrupt):
    """The user stopped a harvest: what is in the store counts, and the next harvest goes on from there.

    Attributes:
        reports: what was done until then.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self.reports = tuple(reports)
        super().__init__("the harvest was stopped")


def state_file(folder: Path, provider: Provider, window: Window | None = None) -> StateFile:
    """Where the state of a list is kept; a harvest of a window has one of its own.

    Args:
        folder: the folder of the store.
    """
    name = "state.json"
    if window is not None:
        bounds = ("" if bound is None else f"{bound:%Y%m%dT%H%M%SZ}" for bound in (window.start, window.end))
        name = f"window-{'-'.join(bounds)}.json"
    return StateFile(folder / HARVEST / provider.key / name)


class _Lane:
    """One list on its way into the store."""

    def __init__(
        self, provider: Provider, folder: Path, sink: HarvestSink, quarantine: Quarantine, options: Options, now: datetime
    ) -> None:
        self.provider = provider
        self.file = state_file(folder, provider, options.window)
        self.state = self.file.read(State(provider.url, provider.set, provider.prefix))
        plan = self.state.under_way
        self.resumed = plan is not None
        self.came = Came(provider.url, provider.set, now if plan is None else plan.run, SOFTWARE)
        self._earlier = plan or Plan(now, ())
        self.done: Done | None = None
        self._now = now
        self._sink = sink
        self._options = options
        self._run = Run(sink, quarantine, BATCH_SIZE, None)
        self._pending = self.state
        self._settled = self._run.summary()
        self._changed = self.resumed
        self._told = Counter[str]()
        self._remarks: list[Remark] = []
        self._pages = self._withdrawn = 0
        self._waiting = False
        keep = options.keep_payloads and provider.keep_payloads
        self._archive = Archive(self.file.path.parent, provider.url, provider.set, SOFTWARE) if keep else None

    def take(self, item: Item) -> None:
        """Take what the list says: read what arrived, keep its payload, put its records into the batch."""
        if isinstance(item, Arrival):
            self._arrived(item)
        elif isinstance(item, Remark):
            self._remark(item)
        elif isinstance(item, Settle):
            self.settle()
            item.done.set()
        else:
            self.settle()
            self._close(item)

    def _remark(self, remark: Remark) -> None:
        self._told[remark.code.value] += 1
        if self._told[remark.code.value] <= MAX_REMARKS:
            self._remarks.append(remark)

    def _arrived(self, arrival: Arrival) -> None:
        page = arrival.page
        if page is not None:
            self._pages += 1
            self._run.files += 1
            self._keep(PageKind.PAGE, page.fetched_at, page.payload)
            for outcome in read_page(page.payload, self._label, self.came, page.fetched_at):
                self._run.take(outcome)
        if arrival.bad is not None and arrival.bad.payload:
            self._run.take(refused_page(arrival.bad, self._label, self.provider.url))
        if arrival.missing:
            self._withdrawn += len(arrival.missing)
            self._keep(PageKind.MISSING, self._now, missing_payload(arrival.missing))
            for record in withdrawn(arrival.missing, self._label, self.came, self._now):
                self._run.take(record)
        self._pending = arrival.state
        self._waiting = True
        if self._run.waiting >= BATCH_SIZE:
            self.settle()

    @property
    def _label(self) -> str:
        """What the records of a page say of where they were read."""
        return f"{self.provider.name}, page {self._pages}"

    def _keep(self, kind: PageKind, fetched: datetime, payload: bytes) -> None:
        if self._archive is not None:
            self._archive.keep(kind, self.came.began, fetched, self._label, payload)

    def settle(self) -> None:
        """Everything taken so far goes into the store, to the disk; then the state that speaks of it is kept."""
        if not self._waiting:
            return
        self._waiting = False
        self._run.flush()
        now = self._run.summary()
        before = self._settled
        changed = (now.loaded, now.deleted) != (before.loaded, before.deleted)
        if changed:
            self._changed = True
            self._tell_run(now)
        self._sink.flush()
        if self._archive is not None:
            self._archive.settle(changed=changed)
        self.state = self._counted(now)
        self.file.write(self.state)
        self._settled = now

    def _counted(self, now: Summary) -> State:
        """The pending state with what became of the records so far, those before an interruption included."""
        plan = self._pending.under_way
        if plan is None:
            return self._pending
        earlier = self._earlier
        counts = {name: getattr(now, name) + getattr(earlier, name) for name in ("loaded", "unchanged", "deleted")}
        refused = now.refused.total() + earlier.refused
        return replace(self._pending, under_way=replace(plan, **counts, refused=refused))

    def _tell_run(self, now: Summary, ended: datetime | None = None) -> None:
        """The graph says of this harvest what has become of it so far."""
        earlier, options = self._earlier, self._options
        run = replace(
            self.came.run,
            since=None if options.window is None else options.window.from_(SECOND),
            until=None if options.window is None else options.window.until(SECOND),
            ended=ended,
            loaded=now.loaded + earlier.loaded,
            unchanged=now.unchanged + earlier.unchanged,
            deleted=now.deleted + earlier.deleted,
            refused=now.refused.total() + earlier.refused,
        )
        self._keep(PageKind.RUN, ended or _now(), run_payload(run))
        self._sink.apply([record_of(run)])

    def _close(self, done: Done) -> None:
        """The list has come to its end: the graph says when, if anything changed."""
        self.done = done
        over = done.fault is None and not done.stopped and done.crash is None
        if over and self._changed:
            self._tell_run(self._settled, _now())
            self._sink.flush()
            if self._archive is not None:
                self._archive.settle(changed=True)
        if over and self._options.window is not None and not self.state.gaps:
            self.file.remove()

    def report(self) -> Report:
        """What became of the list."""
        done = self.done or Done(stopped=True)
        summary = self._run.summary()
        if done.fault is None and not done.stopped:
            ended = Ended.COMPLETE
        elif done.stopped:
            ended = Ended.INTERRUPTED
        else:
            ended = Ended.PARTIAL if self._pages else Ended.FAILED
        return Report(
            provider=self.provider,
            ended=ended,
            state=self.state,
            fault=done.fault,
            pages=self._pages,
            withdrawn=self._withdrawn,
            summary=summary,
            remarks=tuple(self._remarks),
            remark_counts=self._told.copy(),
            began=self.came.began,
            resumed=self.resumed,
        )


def harvest(
    providers: Sequence[Provider],
    folder: Path,
    sink: HarvestSink,
    quarantine: Quarantine,
    options: Options,
    on_progress: Callable[[Sequence[Report]], None] | None = None,
) -> list[Report]:
    """Harvest lists into a store, hosts side by side; one report for each list, in their order.

    A provider that cannot be heard stops no other. What is refused goes into the quarantine.

    Args:
        folder: the folder of the store; what harvests remember is kept below ``harvest`` in it.
        on_progress: called about twice a second, and after each batch, with how things stand.

    Raises:
        HarvestInterrupted: on KeyboardInterrupt; every finished page is in the store.
        StoreProblem: the store, the quarantine or a state cannot be read or written.
    """
    now = _now()
    lanes = [_Lane(provider, folder, sink, quarantine, options, now) for provider in providers]
    by_provider = {id(lane.provider): lane for lane in lanes}
    askings = [_asking(lane, sink, options, now) for lane in lanes]
    settled = time.monotonic()
    try:
        with Hosts(askings) as hosts:
            while not hosts.finished:
                came = hosts.next(_IDLE)
                if came is not None:
                    asking, item = came
                    by_provider[id(asking.provider)].take(item)
                    if isinstance(item, Done) and item.crash is not None:
                        raise item.crash
                if time.monotonic() - settled > _SETTLE_EVERY:
                    for lane in lanes:
                        lane.settle()
                    settled = time.monotonic()
                if on_progress is not None:
                    on_progress([lane.report() for lane in lanes])
    except KeyboardInterrupt:
        for lane in lanes:
            lane.settle()
        raise HarvestInterrupted([lane.report() for lane in lanes]) from None
    return [lane.report() for lane in lanes]


def _asking(lane: _Lane, sink: HarvestSink, options: Options, now: datetime) -> Asking:
    """What is asked of one list, in the thread of its host."""
    provider = lane.provider

    def known(identifier: str) -> bool:
        return sink.holds(record_iri(identifier, provider.url))

    def arrivals(client: Client, settled: Callable[[], None]) -> Iterator[Arrival | Remark]:
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

        reconciling = Reconciling(client, provider, state, now, held=held, accept=options.accept_withdrawals)
        yield from reconciling.arrivals()
        yield from reconciling.remarks

    return Asking(provider, settings_for(provider, options.contact), arrivals)


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def settings_for(provider: Provider, contact: str | None) -> Settings:
    """How the client behaves towards a provider."""
    return Settings(
        user_agent=SOFTWARE,
        contact=contact or "",
        page_seconds=provider.page_seconds,
        page_bytes=provider.page_mib << 20,
        politeness=provider.politeness,
        verify=True if provider.ca_file is None else Path(provider.ca_file),
    )


def _drained(remarks: list[Remark]) -> Iterator[Remark]:
    while remarks:
        yield remarks.pop(0)
