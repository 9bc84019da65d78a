"""Writes one list into the store: batches of records, payloads, and the state after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from graph.entities import record_of
from graph.mapping import Arriving
from graph.process import deferred_signals
from graph.quarantine import Quarantine, Refusal
from graph.record_rules import RecordRules
from graph.store.published import HARVEST
from loaders.harvest.archive import Archive, PageKind, RunContext, missing_payload, refused_page, run_payload, withdrawn
from loaders.harvest.providers import BadProviders, Provider
from loaders.harvest.report import MAX_REMARKS, Done, ListResult, ReceivedAnswer, Remark, Report
from loaders.harvest.state import SECOND, Plan, State, StateFile, Window, stored_states
from loaders.outcomes import MappedOutcome
from loaders.pipeline import Run, Summary, TransactionResult

#: The number of records in a batch. A larger one takes less time for each record, and more memory
#: (docs/explanation/benchmarks.md).
BATCH_SIZE = 1000


def _version() -> str:
    try:
        return version("vigente")
    except PackageNotFoundError:
        return "checkout"


#: The name and version of the harvester, for providers and the graph.
SOFTWARE = f"vigente/{_version()}"


class HarvestSink(Protocol):
    """The store, as a harvest uses it."""

    def apply(self, records: Sequence[Arriving], /) -> TransactionResult:
        """Replace the earlier records of the same sources, in order, in one transaction."""
        ...

    def flush(self) -> None:
        """Sync everything to the disk."""
        ...

    def active_identifiers(self, provider: str, set_: str | None) -> list[str]:
        """Return the identifiers of the records of a list that are not withdrawn."""
        ...

    def holds(self, record: str, provider: str, identifier: str) -> bool:
        """Return whether a record or its tombstone is in the store."""
        ...

    def is_active(self, record: str, provider: str, identifier: str) -> bool:
        """Return whether a record is in the store and not withdrawn."""
        ...

    def has_records_of_run(self, run: str) -> bool:
        """Return whether the store has a record or tombstone of this run."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a harvest, for all lists of a run.

    Attributes:
        window: the window to request instead of the changes.
        reconcile: compare complete lists now, regardless of the schedule.
        accept_withdrawals: accept withdrawals also if many records are no longer listed.
        keep_payloads: False stores no payloads, regardless of the configuration.
        politeness: seconds between two requests; overrides the configuration.
        contact: an address for complaints of providers.
        rules: what records are compared with; None for the built-in vocabularies.
    """

    window: Window | None = None
    reconcile: bool = False
    accept_withdrawals: bool = False
    keep_payloads: bool = True
    contact: str | None = None
    politeness: float | None = None
    rules: RecordRules | None = None


def state_file(folder: Path, provider: Provider, window: Window | None = None, names: str | None = None) -> StateFile:
    """Return the file of the state of a list. A harvest of a window, or of a list of names, has its own.

    Args:
        folder: the folder of the store.
        names: the hash of a list of names.
    """
    name = "state.json" if names is None else f"names-{names[:16]}.json"
    if window is not None:
        bounds = ("" if bound is None else f"{bound:%Y%m%dT%H%M%SZ}" for bound in (window.start, window.end))
        name = f"window-{'-'.join(bounds)}.json"
    return StateFile(folder / HARVEST / provider.key / name)


def with_moved_addresses(providers: Sequence[Provider], folder: Path) -> list[Provider]:
    """Return the providers, each with the URL that the graph uses and the address to which it moved.

    Args:
        folder: the folder of the store.

    Raises:
        StoreProblem: the state of a harvest cannot be read.
    """
    moved = {state.address: state.url for state in stored_states(folder / HARVEST) if state.address is not None}
    addresses = {url: address for address, url in moved.items()}
    return [
        replace(provider, url=moved[provider.url], address=provider.url)
        if provider.url in moved
        else replace(provider, address=provider.address or addresses.get(provider.url))
        for provider in providers
    ]


def move_provider(folder: Path, old: str, new: str) -> int:
    """Make later harvests request the lists of a provider at another URL. The graph keeps the first URL.

    Args:
        folder: the folder of the store, which must be open for writing.
        old: the URL of earlier harvests, or an address to which the provider moved before.
        new: its base URL now.

    Returns:
        The number of lists moved.

    Raises:
        BadProviders: ``new`` is not a base URL, nothing was harvested from ``old``, or another provider uses ``new``.
        StoreProblem: a state cannot be read or written.
    """
    Provider(new)
    files = [StateFile(path) for path in sorted((folder / HARVEST).glob("*/state.json"))]
    states = [(file, state) for file in files if (state := file.stored()) is not None]
    chosen = [(file, state) for file, state in states if old in {state.url, state.address}]
    if not chosen:
        known = ", ".join(sorted({state.address or state.url for _, state in states})) or "none"
        raise BadProviders(f"expected a provider that was harvested into this store ({known}), got {old}")
    others = [state for _, state in states if new in {state.url, state.address} and state.url != chosen[0][1].url]
    if others:
        raise BadProviders(f"expected an unused URL, got {new}, which another provider of this store uses")
    for file, state in chosen:
        file.write(replace(state, address=None if new == state.url else new))
    return len(chosen)


def utc_now() -> datetime:
    """Return the current moment, in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


class ListWriter:
    """Writes one list into the store.

    Args:
        provider: the provider of the list.
        file: the file of its state; payloads are stored in the same folder.
        sink: the store.
        quarantine: receives refused records.
        options: how to harvest.
        kind: the kind of the provider's answers.
        clock: returns the moment, in UTC, to the second; the harvest begins when this object is made.
    """

    def __init__(
        self,
        provider: Provider,
        file: StateFile,
        sink: HarvestSink,
        quarantine: Quarantine,
        options: Options,
        kind: PageKind = PageKind.PAGE,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        now = clock()
        self.provider = provider
        self.file = file
        self.kind = kind
        self.state = self.file.read(State(provider.url, provider.set, provider.prefix, address=provider.address))
        plan = self.state.under_way
        self.resumed = plan is not None and plan.pages > 0
        self.came = RunContext(provider.url, provider.set, now if plan is None else plan.run, SOFTWARE, options.rules)
        self._earlier = plan or Plan(now, ())
        self.done: Done | None = None
        self._clock = clock
        self._sink = sink
        self._options = options
        self._run = Run(sink, quarantine, 2 * BATCH_SIZE, None)
        self._pending = self.state
        self._landing: State | None = None
        self._settled = self._run.summary()
        self._changed = plan is not None and sink.has_records_of_run(self.came.run.iri)
        self._remark_counts = Counter[str]()
        self._remarks: list[Remark] = []
        self._pages = self._withdrawn = 0
        self._handed_in = 0 if plan is None else plan.pages
        self._begun = self._waiting = self._run_unwritten = False
        keep = options.keep_payloads and provider.keep_payloads
        self._archive = Archive(self.file.path.parent, provider.url, provider.set, SOFTWARE) if keep else None

    @property
    def is_mapping(self) -> bool:
        """Return whether to map records before the store looks them up."""
        return self._run.is_mapping

    def remark(self, remark: Remark) -> None:
        """Add a remark to the report."""
        self._remark_counts[remark.code.value] += 1
        if self._remark_counts[remark.code.value] <= MAX_REMARKS:
            self._remarks.append(remark)

    def refuse(self, refusals: Iterable[Refusal]) -> None:
        """Put refused entries of the list into the quarantine. A resumed harvest did so when it began."""
        if not self.resumed:
            for refusal in refusals:
                self._run.take(refusal)

    def label(self, arrival: ReceivedAnswer) -> str:
        """Count an arrival, and return the origin of its records: the name of the list, and the number of the page."""
        self._handed_in += arrival.page is not None or arrival.bad is not None or bool(arrival.missing)
        return f"{self.provider.name}, page {self._handed_in}"

    def take(self, arrival: ReceivedAnswer, label: str, outcomes: Iterable[MappedOutcome] = ()) -> None:
        """Store the payload of an arrival and add its records to the batch.

        SIGINT is deferred until this is done, so that the state and the store agree.
        """
        with deferred_signals():
            self._take(arrival, label, outcomes)

    def _take(self, arrival: ReceivedAnswer, label: str, outcomes: Iterable[MappedOutcome]) -> None:
        if not self._begun:  # the state names the running harvest before its first record is stored
            self._begun = True
            self.state = arrival.state
            self.file.write(self.state)
        self._waiting = False  # after an error below, the state must not include records that are not stored
        page = arrival.page
        if page is not None and page.size:
            self._pages += 1
            self._run.files += 1
            self._archive_payload(self.kind, page.fetched_at, label, page.payload)
            for outcome in outcomes:
                self._run.take(outcome)
        if arrival.bad is not None and arrival.bad.payload:
            bad = refused_page(arrival.bad, self.kind, label, self.provider.url, arrival.identifier)
            self._run.take(bad)
        if arrival.missing:
            self._withdrawn += len(arrival.missing)
            now = self._clock()
            self._archive_payload(PageKind.MISSING, now, label, missing_payload(arrival.missing))
            for record in withdrawn(arrival.missing, label, self.came, now):
                self._run.take(record)
        self._pending = arrival.state
        self._waiting = True
        if self._run.waiting >= BATCH_SIZE:
            self._write_batch()

    def _archive_payload(self, kind: PageKind, fetched: datetime, label: str, payload: bytes) -> None:
        if self._archive is not None:
            self._archive.keep(kind, self.came.began, fetched, label, payload)

    def settle(self) -> None:
        """Write all pending records to the store and the disk, then the state, then the description of the harvest
        if it changed."""
        with deferred_signals():
            self._settle()
            if self._run_unwritten:
                self._write_run(self._settled)

    def _settle(self) -> None:
        """Write all pending records and the state, without the description of the harvest, which is slow to
        write."""
        self._write_batch()
        if self._landing is not None:
            self._sink.flush()
        self._write_state()

    def _write_batch(self) -> None:
        """Write the batch to the store. The state after the batch is written by the next call at the latest."""
        if not self._waiting:
            return
        self._waiting = False
        self._run.flush()
        self._write_state()
        now = self._run.summary()
        before = self._settled
        changed = (now.loaded, now.deleted) != (before.loaded, before.deleted)
        self._run_unwritten = self._run_unwritten or changed
        self._landing = self._state_with_counts(now)
        self._settled = now
        if self._archive is not None:
            self._archive.settle(changed=changed)
        if changed and not self._changed:
            self._changed = True
            self._write_run(now)
        if not changed:
            self._sink.flush()
            self._write_state()

    def _write_state(self, *, run_written: bool = False) -> None:
        """Write the state, if everything in it is stored. A state without a current harvest is written only after the
        description of the harvest. Otherwise a killed process would lose the description."""
        if self._landing is not None and (run_written or self._landing.under_way is not None):
            self.state, self._landing = self._landing, None
            self.file.write(self.state)

    def _state_with_counts(self, now: Summary) -> State:
        """Return the pending state with the counts so far, including those before an interruption."""
        plan = self._pending.under_way
        if plan is None:
            return self._pending
        earlier = self._earlier
        counts = {name: getattr(now, name) + getattr(earlier, name) for name in ("loaded", "unchanged", "deleted")}
        refused = now.refused.total() + earlier.refused
        return replace(self._pending, under_way=replace(plan, **counts, refused=refused))

    def _write_run(self, now: Summary, ended: datetime | None = None) -> None:
        """Write the counts of this harvest so far to the graph."""
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
        self._archive_payload(PageKind.RUN, ended or self._clock(), "", run_payload(run))
        self._sink.apply([record_of(run)])
        self._sink.flush()
        if self._archive is not None:
            self._archive.settle(changed=True)
        self._run_unwritten = False

    def close(self, done: Done) -> None:
        """End the list. The graph gets the time of the end, if anything changed."""
        self._settle()
        self.done = done
        complete = done.fault is None and not done.stopped and done.error is None
        if (complete and self._changed) or self._run_unwritten:
            self._write_run(self._settled, self._clock() if complete else None)
        self._write_state(run_written=True)
        if complete and self._options.window is not None and not self.state.gaps:
            self.file.remove()

    def report(self) -> Report:
        """Return the report of the list."""
        done = self.done or Done(stopped=True)
        summary = self._run.summary()
        if done.fault is None and not done.stopped:
            ended = ListResult.COMPLETE
        elif done.stopped:
            ended = ListResult.INTERRUPTED
        else:
            ended = ListResult.PARTIAL if self._pages else ListResult.FAILED
        return Report(
            provider=self.provider,
            ended=ended,
            state=self.state,
            fault=done.fault,
            pages=self._pages,
            withdrawn=self._withdrawn,
            summary=summary,
            remarks=tuple(self._remarks),
            remark_counts=self._remark_counts.copy(),
            began=self.came.began,
            resumed=self.resumed,
        )
