"""The harvest of one list: the answers received, the state behind each, and what there is to tell."""

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

#: How many remarks of one kind a report tells one by one; all are counted.
MAX_REMARKS = 20


class RemarkCode(StrEnum):
    """Remarks of a harvest report, beside its counts; docs/reference/harvesting.md explains each."""

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
    """Something the reader of a report should know."""

    code: RemarkCode
    message: str


class Ended(StrEnum):
    """How the harvest of one list ended."""

    COMPLETE = "complete"  #: heard to its end
    PARTIAL = "partial"  #: the provider fell silent in between: the next harvest goes on
    FAILED = "failed"  #: nothing was heard
    INTERRUPTED = "interrupted"  #: stopped: the next harvest goes on


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one list.

    Attributes:
        fault: what ended it before its time.
        state: where it stands.
        pages: pages that came.
        withdrawn: records that the provider no longer lists.
        summary: what became of the records.
        resumed: whether it went on from where an earlier one stood.
    """

    provider: Provider
    ended: Ended
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
    """One list in the report of ``vigente harvest --json`` (docs/reference/json.md)."""
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
        "heard": None if state.heard is None else written(state.heard),
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


#: How many pages in a row may hold nothing but records that came before on the same list.
_MOST_STALE = 50
#: How many records are remembered for that: a list that comes back after more is ended by the number of its pages.
_MOST_LISTED = 100_000


class Payload(Protocol):
    """An answer of a provider, checked to its last byte."""

    @property
    def payload(self) -> bytes:
        """The bytes as served, with HTTP's compression taken off."""
        ...

    @property
    def fetched_at(self) -> datetime:
        """When it was there in full, in UTC."""
        ...

    @property
    def size(self) -> int:
        """How many records it holds."""
        ...

    @property
    def is_last(self) -> bool:
        """Whether the provider has nothing more to say after it."""
        ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came, and the state that holds once it is in the store.

    Attributes:
        state: to be kept when everything up to here is in the store.
        page: what the provider answered; None where only the state moves. Of a list of identifiers only the deletions
            count.
        bad: an answer that is no page, to be set apart.
        identifier: of the record that it should have been; None where a list was asked for.
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
    crash: BaseException | None = None
    stopped: bool = False


class SyncProgress:
    """A state that goes on, and the remarks that were made on the way.

    Args:
        state: what was kept; None in it where nothing was.
        now: when this harvest begins, or goes on (UTC).
        is_first: whether everything is asked for, and what comes is to be remembered.

    Attributes:
        state: where the harvest stands.
        now, is_first: as given.
        remarks: what there is to say, in order.
        received: how many different records this harvest has received, as far as is remembered.
        unfilled: the identifiers of records that were missing before, and have not come yet.
    """

    def __init__(self, state: State, now: datetime, *, is_first: bool) -> None:
        self.state = state
        self.now = now
        self.is_first = is_first
        self.remarks: list[Remark] = []
        self.unfilled = {gap.identifier for gap in state.gaps if gap.identifier is not None}
        self.received = 0
        self._lately: set[int] = set()
        self._heard = array("q")  # hashes: eight bytes for each record of a first harvest, none later

    @property
    def plan(self) -> Plan:
        """The harvest under way; there must be one."""
        plan = self.state.under_way
        assert plan is not None  # noqa: S101 - set before the first window
        return plan

    def move(self, plan: Plan) -> State:
        """The harvest under way has come so far."""
        self.state = replace(self.state, under_way=plan)
        return self.state

    def remark(self, code: RemarkCode, message: str) -> None:
        """There is something to say."""
        self.remarks.append(Remark(code, message))

    def departures(self, page: Page) -> None:
        """What a page has that the protocol does not."""
        for note in page.notes:
            incomplete = note.code is DepartureCode.WRONG_SIZE
            code = RemarkCode.LIST_INCOMPLETE if incomplete else RemarkCode.PROVIDER_NOTE
            times = f" ({note.count} times)" if note.count > 1 else ""
            self.remark(code, f"{note.message}{times}")

    def begun(self, page: Page) -> Plan:
        """The harvest under way, which has been answered with a page: it tells the provider's clock, or ours where that
        is earlier, or where it tells none."""
        plan = self.plan
        if plan.heard is not None:
            return plan
        ours = page.fetched_at.replace(microsecond=0)
        try:
            said = parse_datestamp(page.response_date or "")
        except BadDate:
            said = None
        if said is not None and said.moment is not None:
            return replace(plan, heard=min(said.moment, ours))
        shown_date = shown(page.response_date or "")
        message = f"responseDate is {shown_date}: expected a moment in UTC, OAI-PMH 2.0, section 3.2"
        self.remark(RemarkCode.PROVIDER_NOTE, message)
        return replace(plan, heard=ours if said is None else min(ours, datetime.combine(said.day, time.min, UTC) - DAY))

    def hear(self, identifiers: Iterable[str]) -> None:
        """Records what was received; a gap that has come is closed."""
        if len(self._lately) > _MOST_LISTED:
            self._lately.clear()
        for identifier in identifiers:
            if hash(identifier) not in self._lately:
                self._lately.add(hash(identifier))
                self.received += 1
            if self.is_first:
                self._heard.append(hash(identifier))
            if identifier in self.unfilled:
                self.fill(identifier)

    def heard(self) -> frozenset[int]:
        """The hashes of the identifiers that a first harvest has heard since it was begun or resumed."""
        return frozenset(self._heard)

    def fill(self, identifier: str) -> None:
        """A record is missing no more."""
        self.unfilled.discard(identifier)
        kept = tuple(gap for gap in self.state.gaps if gap.identifier != identifier)
        if kept != self.state.gaps:
            self.state = replace(self.state, gaps=kept)

    def short(self, window: Window, lacking: int, shortage: str, before: Gap | None = None) -> None:
        """Records a gap: the list of a window had less than it announced, or changed while it was read.

        Args:
            lacking: how many records.
            shortage: the same, for people.
            before: the same gap of an earlier harvest.
        """
        since, code = self.now if before is None else before.since, RemarkCode.LIST_INCOMPLETE.value
        self.state = replace(self.state, gaps=(*self.state.gaps, Gap(window, None, code, shortage, since, lacking)))
        self.remark(RemarkCode.GAP, f"the list {window} is short: {shortage}; the next harvest asks for it again")

    def believe(self, window: Window, shortage: str) -> None:
        """Reports a list that announced more than it has, twice."""
        self.remark(RemarkCode.LIST_INCOMPLETE, f"the list {window} is short again: {shortage}; it is believed")

    def gap(self, window: Window, identifier: str | None, fault: ProviderFault) -> None:
        """A record, or all of a window, could not be heard; since when stays, where that is known already."""
        known = [
            one
            for one in self.state.gaps
            if one.identifier == identifier and (identifier is not None or one.window == window)
        ]
        gap = known[0] if known else Gap(window, identifier, str(fault.code), fault.problem, self.now)
        self.state = replace(self.state, gaps=(*(one for one in self.state.gaps if one not in known), gap))
        what = f"the record {shown(identifier)}" if identifier is not None else f"what is stamped {window}"
        self.remark(RemarkCode.GAP, f"{what} could not be heard: {fault.problem}; the next harvest tries again")


class RepetitionCheck:
    """Recognises lists that repeat their records for ever, or have no records and no end."""

    def __init__(self) -> None:
        self._listed: set[int] = set()
        self._stale = 0

    def begin(self) -> None:
        """Another list begins."""
        self._listed.clear()
        self._stale = 0

    def look_at(self, page: Page) -> int:
        """Checks the next page of the list.

        Returns:
            How many of its records were on an earlier page.

        Raises:
            TokenLoop: too many pages in a row have brought nothing new.
        """
        hashes = [hash(header.identifier) for header in page.headers]
        repeated = sum(each in self._listed for each in hashes)
        self._stale = self._stale + 1 if repeated == len(hashes) else 0
        if len(self._listed) > _MOST_LISTED:
            self._listed.clear()
        self._listed.update(hashes)
        if self._stale >= _MOST_STALE:
            problem = f"{_MOST_STALE} pages in a row hold nothing but records that came before"
            expected = "a list with an end, OAI-PMH 2.0, section 3.5"
            raise TokenLoop(FaultCode.ENDLESS_LIST, page.url, problem, expected)
        return repeated


def with_an_end(pages: Iterable[Page]) -> Iterator[Page]:
    """Yields the pages of a list.

    Raises:
        TokenLoop: see :class:`RepetitionCheck`.
    """
    check = RepetitionCheck()
    for page in pages:
        check.look_at(page)
        yield page
