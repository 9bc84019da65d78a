"""The harvest of one list: the answers received, the state after each, and the report."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Protocol

from graph.errors import BadDate
from loaders.harvest.providers import Provider
from loaders.harvest.state import DAY, Gap, Plan, State, Window, written
from loaders.oai_pmh import DepartureCode, FaultCode, Page, ProviderFault, TokenLoop, parse_datestamp
from loaders.oai_pmh.faults import shown
from loaders.pipeline import Summary

#: The maximum number of remarks of one kind listed in a report; all are counted.
MAX_REMARKS = 20


class RemarkCode(StrEnum):
    """Remarks of a harvest report, besides its counts; docs/reference/harvesting.md explains each."""

    GAP = "gap"
    GRANULARITY = "granularity"
    LIST_BEGUN_ANEW = "list-begun-anew"
    LIMIT_REACHED = "limit-reached"
    LIST_INCOMPLETE = "list-incomplete"
    NEVER_RECONCILED = "never-reconciled"
    NOT_KNOWN = "not-known"
    NOT_RECONCILED = "not-reconciled"
    ONE_BY_ONE = "one-by-one"
    PROVIDER_NOTE = "provider-note"
    SET_GONE = "set-gone"
    UNKNOWN_SET = "unknown-set"
    WINDOW_HALVED = "window-halved"


@dataclass(frozen=True, slots=True)
class Remark:
    """Information for the reader of a report."""

    code: RemarkCode
    message: str


class ListResult(StrEnum):
    """How the harvest of one list ended."""

    COMPLETE = "complete"  #: read to its end
    PARTIAL = "partial"  #: the provider stopped answering: the next harvest continues
    FAILED = "failed"  #: nothing was received
    INTERRUPTED = "interrupted"  #: stopped: the next harvest continues


@dataclass(frozen=True, slots=True)
class Report:
    """The result of the harvest of one list.

    Attributes:
        fault: the fault that ended it early.
        state: its state.
        pages: the number of pages received.
        withdrawn: records that the provider no longer lists.
        summary: the counts of the records.
        resumed: whether it continued an earlier harvest.
    """

    provider: Provider
    ended: ListResult
    state: State
    fault: ProviderFault | None
    pages: int
    withdrawn: int
    summary: Summary
    remarks: tuple[Remark, ...]
    remark_counts: Counter[str] = field(default_factory=Counter)
    began: datetime | None = None
    resumed: bool = False


def as_json(report: Report) -> dict[str, object]:
    """Return one list in the report of ``vigente harvest --json`` (docs/reference/json.md)."""
    provider, state, summary = report.provider, report.state, report.summary
    return {
        "name": provider.name,
        "url": provider.url,
        "set": provider.set,
        "prefix": provider.prefix or None,
        "publisher": provider.publisher,
        "ended": report.ended.value,
        "fault": None
        if report.fault is None
        else {"code": str(report.fault.code), "problem": report.fault.problem, "expected": report.fault.expected},
        "began": None if report.began is None else written(report.began),
        "resumed": report.resumed,
        "heard": None if state.watermark is None else written(state.watermark),
        "pages": report.pages,
        "read": summary.read,
        "loaded": summary.loaded,
        "unchanged": summary.unchanged,
        "deleted": summary.deleted,
        "withdrawn": report.withdrawn,
        "refused": dict(sorted(summary.refused.items())),
        "gaps": [
            {
                "window": str(gap.window) if provider.is_oai else None,
                "identifier": gap.identifier,
                "code": gap.code,
                "problem": gap.problem,
                "since": written(gap.since),
            }
            for gap in state.gaps
        ],
        "remarks": [{"code": remark.code.value, "message": remark.message} for remark in report.remarks],
        "remark_counts": dict(sorted(report.remark_counts.items())),
        "notes": dict(sorted(summary.note_counts.items())),
        "seconds": round(summary.seconds, 3),
    }


#: The maximum number of consecutive pages whose records were all on the list before.
_MOST_STALE = 50
#: The maximum number of records remembered for that check; a longer repeated list ends by the limit of pages.
_MOST_LISTED = 100_000


class Payload(Protocol):
    """An answer of a provider, checked completely."""

    @property
    def payload(self) -> bytes:
        """The bytes as received, after HTTP decompression."""
        ...

    @property
    def fetched_at(self) -> datetime:
        """When it was received completely, in UTC."""
        ...

    @property
    def size(self) -> int:
        """The number of records in it."""
        ...

    @property
    def is_last(self) -> bool:
        """Whether the list ends with it."""
        ...


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """An answer, and the state after it is stored.

    Attributes:
        state: the state to write once this answer and all before it are in the store.
        page: the answer of the provider; None if only the state changes. If it is a list of identifiers, only its
            deletions are used.
        bad: an answer that is not a page, for the quarantine.
        identifier: of the requested record; None if a list was requested.
        missing: identifiers that the provider no longer lists.
    """

    state: State
    page: Payload | None = None
    bad: ProviderFault | None = None
    identifier: str | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a list: complete, or ended by a fault of the provider, an error of ours, or on request."""

    fault: ProviderFault | None = None
    error: BaseException | None = None
    stopped: bool = False


class SyncProgress:
    """The state of a running harvest, and its remarks.

    Args:
        state: the stored state, or a new one.
        now: when this harvest begins, or continues (UTC).
        is_first: whether everything is requested, and received records are remembered.

    Attributes:
        state: the current state.
        now, is_first: as given.
        remarks: the remarks, in order.
        received: the number of different records this harvest has received, as far as they are remembered.
        unfilled: the identifiers of records that were missing before, and are still missing.
    """

    def __init__(self, state: State, now: datetime, *, is_first: bool) -> None:
        self.state = state
        self.now = now
        self.is_first = is_first
        self.remarks: list[Remark] = []
        self.unfilled = {gap.identifier for gap in state.gaps if gap.identifier is not None}
        self.received = 0
        self._lately: set[int] = set()
        self._received_hashes = array("q")  # hashes: eight bytes for each record of a first harvest, none later

    @property
    def plan(self) -> Plan:
        """Return the current harvest; there must be one."""
        plan = self.state.under_way
        assert plan is not None  # noqa: S101 - set before the first window
        return plan

    def move(self, plan: Plan) -> State:
        """Set the progress of the current harvest; return the new state."""
        self.state = replace(self.state, under_way=plan)
        return self.state

    def remark(self, code: RemarkCode, message: str) -> None:
        """Add a remark."""
        self.remarks.append(Remark(code, message))

    def departures(self, page: Page) -> None:
        """Add a remark for each deviation of a page from the protocol."""
        for note in page.notes:
            incomplete = note.code is DepartureCode.WRONG_SIZE
            code = RemarkCode.LIST_INCOMPLETE if incomplete else RemarkCode.PROVIDER_NOTE
            times = f" ({note.count} times)" if note.count > 1 else ""
            self.remark(code, f"{note.message}{times}")

    def begun(self, page: Page) -> Plan:
        """Return the current harvest with the watermark that its first page sets: the earlier of the provider's clock
        and ours. Without a date on the page it is our clock."""
        plan = self.plan
        if plan.watermark is not None:
            return plan
        fetched = page.fetched_at.replace(microsecond=0)
        try:
            stated = parse_datestamp(page.response_date or "")
        except BadDate:
            stated = None
        if stated is not None and stated.moment is not None:
            return replace(plan, watermark=min(stated.moment, fetched))
        shown_date = shown(page.response_date or "")
        message = f"responseDate is {shown_date}: expected a moment in UTC, OAI-PMH 2.0, section 3.2"
        self.remark(RemarkCode.PROVIDER_NOTE, message)
        return replace(
            plan,
            watermark=fetched if stated is None else min(fetched, datetime.combine(stated.day, time.min, UTC) - DAY),
        )

    def mark_received(self, identifiers: Iterable[str]) -> None:
        """Record received identifiers, and close their gaps."""
        if len(self._lately) > _MOST_LISTED:
            self._lately.clear()
        for identifier in identifiers:
            if hash(identifier) not in self._lately:
                self._lately.add(hash(identifier))
                self.received += 1
            if self.is_first:
                self._received_hashes.append(hash(identifier))
            if identifier in self.unfilled:
                self.fill(identifier)

    def received_hashes(self) -> frozenset[int]:
        """Return the hashes of the identifiers that a first harvest has received since it was begun or resumed."""
        return frozenset(self._received_hashes)

    def fill(self, identifier: str) -> None:
        """Close the gap of a record."""
        self.unfilled.discard(identifier)
        kept = tuple(gap for gap in self.state.gaps if gap.identifier != identifier)
        if kept != self.state.gaps:
            self.state = replace(self.state, gaps=kept)

    def record_incomplete_list(self, window: Window, lacking: int, shortage: str, before: Gap | None = None) -> None:
        """Record a gap: the list of a window had fewer records than announced, or changed while it was read.

        Args:
            lacking: the number of missing records.
            shortage: the missing records as text.
            before: the same gap of an earlier harvest.
        """
        since, code = self.now if before is None else before.since, RemarkCode.LIST_INCOMPLETE.value
        self.state = replace(self.state, gaps=(*self.state.gaps, Gap(window, None, code, shortage, since, lacking)))
        self.remark(
            RemarkCode.GAP,
            f"the list of records with datestamps {window} is incomplete: {shortage}; "
            "the next harvest requests it again",
        )

    def accept_short_list(self, window: Window, shortage: str) -> None:
        """Report a list that has fewer records than announced, and is accepted after a second attempt."""
        self.remark(
            RemarkCode.LIST_INCOMPLETE,
            f"the list of records with datestamps {window} is incomplete again: {shortage}; "
            "accepted as the complete list",
        )

    def gap(self, window: Window, identifier: str | None, fault: ProviderFault) -> None:
        """Record that a record, or a complete window, could not be read; a known gap keeps its first day."""
        known = [
            earlier_gap
            for earlier_gap in self.state.gaps
            if earlier_gap.identifier == identifier and (identifier is not None or earlier_gap.window == window)
        ]
        gap = known[0] if known else Gap(window, identifier, str(fault.code), fault.problem, self.now)
        self.state = replace(
            self.state, gaps=(*(other_gap for other_gap in self.state.gaps if other_gap not in known), gap)
        )
        subject = (
            f"the record {shown(identifier)}" if identifier is not None else f"the records with datestamps {window}"
        )
        self.remark(RemarkCode.GAP, f"{subject} could not be fetched: {fault.problem}; the next harvest tries again")


class RepetitionCheck:
    """Detects lists that repeat their records without end, or have no records and no end."""

    def __init__(self) -> None:
        self._listed: set[int] = set()
        self._stale = 0

    def begin(self) -> None:
        """Begin another list."""
        self._listed.clear()
        self._stale = 0

    def check_page(self, page: Page) -> int:
        """Check the next page of the list.

        Returns:
            How many of its records were on an earlier page.

        Raises:
            TokenLoop: too many consecutive pages had no new record.
        """
        hashes = [hash(header.identifier) for header in page.headers]
        repeated = sum(identifier_hash in self._listed for identifier_hash in hashes)
        self._stale = self._stale + 1 if repeated == len(hashes) else 0
        if len(self._listed) > _MOST_LISTED:
            self._listed.clear()
        self._listed.update(hashes)
        if self._stale >= _MOST_STALE:
            problem = f"{_MOST_STALE} consecutive pages contain only records of earlier pages"
            expected = "a list with an end, OAI-PMH 2.0, section 3.5"
            raise TokenLoop(FaultCode.ENDLESS_LIST, page.url, problem, expected)
        return repeated


def check_repetition(pages: Iterable[Page]) -> Iterator[Page]:
    """Yield the pages of a list, and check each for repetition.

    Raises:
        TokenLoop: see :class:`RepetitionCheck`.
    """
    check = RepetitionCheck()
    for page in pages:
        check.check_page(page)
        yield page
