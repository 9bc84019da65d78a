"""Synchronisation of one list of a provider: windows of datestamps, pagination, and records fetched by identifier.

An unreadable page is isolated by halving its window down to one unit of the datestamp, then by fetching each record by
its identifier (docs/reference/harvesting.md). This module writes nothing: each page has the state to store once its
records are stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta

from graph.errors import BadDate
from loaders.harvest.providers import Provider, add_offered_formats, answers_other_requests, is_unknown_set
from loaders.harvest.report import ReceivedAnswer, Remark, RemarkCode, RepetitionCheck, SyncProgress, check_repetition
from loaders.harvest.state import DAY, SECOND, Gap, Plan, State, Window, covering_window, written
from loaders.oai_pmh import (
    BadPage,
    Client,
    DeletedRecord,
    FaultCode,
    Granularity,
    Header,
    Identify,
    Page,
    ProtocolFault,
    ProviderFault,
    Refused,
    Request,
    TokenLoop,
    Unreachable,
    Verb,
    parse_datestamp,
)
from loaders.oai_pmh.faults import shown

# Fetches records by identifier if no list of them can be read, or if no list contains them.


_RECORD = b"<identifier>"
#: The parts in which two answers with the same records differ.
_OF_THE_REQUEST = re.compile(rb"<responseDate>[^<]*</responseDate>|<request\b[^<]*(?:</request>)?")


class RecordFetcher:
    """Fetches records by identifier (OAI-PMH 2.0, section 4.1).

    Args:
        client: at the provider's URL.
        progress: the progress of the harvest.
        request: makes the request for the list of a window.
        known: whether the store holds a record with this identifier.
        check_requests: raises a fault if the harvest has made too many requests.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        progress: SyncProgress,
        request: Callable[[Verb, Window], Request],
        known: Callable[[str], bool],
        check_requests: Callable[[], None],
    ) -> None:
        self._client = client
        self._provider = provider
        self._progress = progress
        self._request = request
        self._known = known
        self._check_requests = check_requests

    def window(self, window: Window, fault: ProviderFault) -> Iterator[ReceivedAnswer]:
        """Yield every record of a window. If its headers cannot be listed either, the window becomes a gap.

        Args:
            fault: why its list could not be read.
        """
        try:
            pages = list(check_repetition(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))))
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as other:
            self._raise_if_unavailable(other)
            yield ReceivedAnswer(self._progress.state, bad=fault)
            self._progress.gap(window, None, fault)
            return
        for page in pages:
            yield from self.page(window, page)

    def is_mixed(self, window: Window, other: Window) -> bool:
        """Return whether the provider returns the same records for two disjoint windows.

        It then ignores an end of the windows, and halving cannot help (OAI-PMH 2.0, section 2.7.1). Unreadable
        answers with records that are equal byte for byte count as the same records.
        """
        headers, answer = self._first_answer(window)
        if headers and all(_is_in_windows(header, [window], in_doubt=False) for header in headers):
            return False
        others, other_answer = self._first_answer(other)
        if not headers and not others:
            return bool(answer) and answer == other_answer
        identifiers = {header.identifier for header in others}
        return any(header.identifier in identifiers for header in headers)

    def remaining_records(self, fault: ProviderFault, *, bounded: bool) -> Iterator[ReceivedAnswer]:
        """Yield every record of the remaining windows, from a list of all identifiers; a gap if that fails.

        Records that a first harvest has received are left out. So are stored records with datestamps outside the
        windows.

        Args:
            fault: why lists of records could not be read.
            bounded: whether only the windows were requested: records outside are not fetched.
        """
        progress = self._progress
        windows = progress.plan.windows
        window = covering_window(windows)
        received = progress.received_hashes()

        def wanted(header: Header) -> bool:
            if progress.is_first:
                return not self._is_received(received, header.identifier)
            within = _is_in_windows(header, windows, in_doubt=True)
            return within if bounded else within or not self._is_received((), header.identifier)

        try:
            for page in check_repetition(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))):
                plan = progress.begun(page)
                progress.move(replace(plan, records=plan.records + page.size))
                yield from self.page(window, page, wanted)
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as other:
            self._raise_if_unavailable(other)
            if not progress.received:
                raise fault from None
            yield ReceivedAnswer(progress.state, bad=fault)
            progress.gap(window, None, fault)

    def page(
        self, window: Window, page: Page, wanted: Callable[[Header], bool] = lambda _: True
    ) -> Iterator[ReceivedAnswer]:
        """Yield the wanted records of a page of headers; deleted ones from their headers."""
        if any(header.deleted for header in page.headers):
            yield ReceivedAnswer(self._progress.state, page)
        if page.size > len(page.headers):
            nameless = page.size - len(page.headers)
            message = f"{nameless} entries of a list have no identifier: they cannot be fetched"
            self._progress.remark(RemarkCode.GAP, message)
        for header in page.headers:
            if not header.deleted and wanted(header):
                yield from self.record(window, header.identifier)

    def record(self, window: Window, identifier: str) -> Iterator[ReceivedAnswer]:
        """Yield one record, or a gap if it cannot be fetched."""
        progress = self._progress
        self._check_requests()
        try:
            page = self._client.record(identifier, self._provider.prefix)
        except (BadPage, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_unavailable(fault)
            if identifier in progress.unfilled and fault.code is FaultCode.NO_RECORD:
                message = f"the record {shown(identifier)} no longer exists at the provider"
                progress.remark(RemarkCode.PROVIDER_NOTE, message)
                progress.fill(identifier)
                yield ReceivedAnswer(progress.state)
                return
            progress.unfilled.discard(identifier)
            yield ReceivedAnswer(progress.state, bad=fault, identifier=identifier)
            progress.gap(window, identifier, fault)
            return
        progress.mark_received([identifier])
        progress.fill(identifier)
        yield ReceivedAnswer(progress.state, page)

    def records_outside_windows(self) -> Iterator[ReceivedAnswer]:
        """Yield the records that no window contains, because the provider cannot select by their datestamps."""
        window = Window()
        if not self._progress.is_first:
            return
        received = self._progress.received_hashes()
        try:
            for page in check_repetition(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))):
                for header in page.headers:
                    if not header.deleted and not self._is_received(received, header.identifier):
                        yield from self.record(window, header.identifier)
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_unavailable(fault)
            message = f"records without a usable datestamp could not be listed: {fault.problem}"
            self._progress.remark(RemarkCode.LIST_INCOMPLETE, message)

    def _first_answer(self, window: Window) -> tuple[tuple[Header, ...], bytes]:
        """Return the first headers of a window. If no list can be read, return none, and the answer to ListRecords.

        The answer is returned without its date and request. It is empty if it has no records.
        """
        answer = b""
        for verb in (Verb.LIST_IDENTIFIERS, Verb.LIST_RECORDS):
            try:
                return self._client.page(self._request(verb, window)).headers, b""
            except ProviderFault as fault:
                self._raise_if_unavailable(fault)
                holds_records = isinstance(fault, BadPage) and _RECORD in fault.payload
                answer = _OF_THE_REQUEST.sub(b"", fault.payload) if holds_records else b""
        return (), answer

    def _is_received(self, received: Container[int], identifier: str) -> bool:
        """Return whether a record was received, in this harvest or before, or is a known gap."""
        tried = any(gap.identifier == identifier for gap in self._progress.state.gaps)
        return tried or hash(identifier) in received or self._known(identifier)

    def _raise_if_unavailable(self, fault: ProviderFault) -> None:
        """Raise the fault, unless the provider is available and only the requested list cannot be read."""
        if fault.code is FaultCode.TOO_MANY_REQUESTS:
            raise fault
        if not isinstance(fault, ProtocolFault) and not answers_other_requests(self._client, fault):
            raise fault


def _is_in_windows(header: Header, windows: Sequence[Window], *, in_doubt: bool) -> bool:
    """Return whether a record's datestamp is in one of the windows; ``in_doubt`` if it is not a datestamp."""
    try:
        day = parse_datestamp(header.datestamp or "").day
    except BadDate:
        return in_doubt
    return any(window.has_day(day) for window in windows)


# The list itself: windows of datestamps, pagination, and halving around unreadable pages.


_MOST_RESTARTS = 3
#: The maximum number of consecutive halvings without a new record: from sixty years to one second there are 31.
_MOST_FRUITLESS = 40
#: The maximum number of halvings in one harvest; one more is allowed for this many records.
_MOST_HALVED, _RECORDS_A_HALVING = 64, 4
#: The maximum number of requests of a harvest; some more are allowed for each record.
_MOST_REQUESTS, _REQUESTS_A_RECORD = 500, 6
#: A watermark before this year comes from a wrong clock: everything is requested.
_FIRST_YEAR = 1971


@dataclass(frozen=True, slots=True)
class _Short:
    """A list with fewer records than it announced.

    Attributes:
        size: the number of different records in it.
        lacking: the number of announced records that are missing.
        shortage: the missing records as text.
    """

    window: Window
    size: int
    lacking: int
    shortage: str


@dataclass(slots=True)
class _Probe:
    """The halves of a short list, which show whether its provider truncates lists.

    Attributes:
        short_list: the short list.
        short: the halves that are short, too.
        sizes: the number of different records in each half.
        identifiers: hashes of the identifiers in both.
    """

    short_list: _Short
    halves: tuple[Window, Window]
    short: list[_Short] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    identifiers: set[int] = field(default_factory=set)

    def take(self, page: Page) -> None:
        """Count the records of a page of one of the halves."""
        self.identifiers.update(hash(header.identifier) for header in page.headers)


class ListSync:
    """A harvest of one list: an iterator of arrivals, and the remarks at its end.

    Args:
        client: at the provider's URL.
        state: the stored state, or a new one.
        now: when this harvest begins (UTC).
        window: the window to request instead of the changes since the last harvest.
        known: whether the store holds a record with this identifier.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        state: State,
        now: datetime,
        *,
        window: Window | None = None,
        known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._client = client
        self._provider = provider
        self._now = now
        self._window = window
        self._unit = DAY
        self._earliest = datetime(1970, 1, 1, tzinfo=UTC)
        self._unit_tried = False
        self._progress = SyncProgress(state, now, is_first=state.watermark is None and window is None)
        self._fetcher = RecordFetcher(client, provider, self._progress, self._request, known, self._check_requests)
        self._fruitless = self._halvings = 0
        self._requests_before = client.requests
        self._probes: list[_Probe] = []
        self._repetition = RepetitionCheck()
        self._recounted: dict[Window, Gap] = {}
        self._restarts = 0
        self._resumed: str | None = None

    @property
    def state(self) -> State:
        """Return the current state."""
        return self._progress.state

    @property
    def remarks(self) -> list[Remark]:
        """Return the remarks so far, in order; the caller may clear the list once they are reported."""
        return self._progress.remarks

    def arrivals(self) -> Iterator[ReceivedAnswer]:
        """Yield everything that is new, each page with the state after it.

        Raises:
            ProviderFault: the provider cannot be reached or does not follow the protocol; earlier pages count, and the
                next harvest continues after them.
        """
        progress = self._progress
        earlier = progress.state.gaps
        self.identify()
        plan = self.plan()
        yield ReceivedAnswer(progress.state)
        self.check_set()
        while plan.windows:
            self._check_requests()
            yield from self._first_window_pages(plan)
            plan = progress.plan
        for probe in self._probes:  # one of the halves had an unreadable page
            progress.record_incomplete_list(
                probe.short_list.window, probe.short_list.lacking, probe.short_list.shortage
            )
        self._check_set_again()
        if plan.split:
            yield from self._fetcher.records_outside_windows()
        yield from self._retry(earlier)
        progress.state = progress.state.finished() if self._window is None else replace(progress.state, under_way=None)
        yield ReceivedAnswer(progress.state)

    def identify(self) -> Identify:
        """Request Identify, for the granularity of datestamps (OAI-PMH 2.0, section 4.2)."""
        identity = self._client.identify()
        self._progress.departures(identity.page)
        self._unit = SECOND if identity.granularity is Granularity.SECOND else DAY
        if identity.earliest is not None:
            self._earliest = datetime.combine(identity.earliest.day, time.min, UTC)
        if identity.deleted is not DeletedRecord.PERSISTENT and self._provider.reconcile_days is None:
            policy = (
                "does not state deletedRecord"
                if identity.deleted is None
                else f"states deletedRecord={identity.deleted.value}"
            )
            message = f"the provider {policy} and may never announce deletions: compare its list with --reconcile"
            self._progress.remark(RemarkCode.NEVER_RECONCILED, f"{message}, or set reconcile_days")
        return identity

    def check_set(self) -> None:
        """In a first harvest, report an unknown set, because the provider may answer for it with an empty list."""
        progress, wanted = self._progress, self._provider.set
        if wanted is None or progress.state.watermark is not None or progress.plan.pages:
            return
        if is_unknown_set(self._client, wanted):
            message = f"the provider lists no set {shown(wanted)}: check the spelling against ListSets"
            progress.remark(RemarkCode.UNKNOWN_SET, message)

    def _retry(self, gaps: Sequence[Gap]) -> Iterator[ReceivedAnswer]:
        """Fetch the records that were missing before, as long as the limit of requests allows."""
        for gap in gaps:
            if gap.identifier is None or gap.identifier not in self._progress.unfilled:
                continue
            if self._excess() is not None:
                message = "the limit of requests is reached: the next harvest fetches more of the missing records"
                self._progress.remark(RemarkCode.LIMIT_REACHED, message)
                return
            yield from self._fetcher.record(gap.window, gap.identifier)

    def _check_set_again(self) -> None:
        """In a later harvest without records, report if the provider no longer lists the set."""
        progress, wanted = self._progress, self._provider.set
        if wanted is None or progress.state.watermark is None or progress.plan.records:
            return
        if is_unknown_set(self._client, wanted):
            message = f"the provider no longer lists the set {shown(wanted)}, and returned no record of it"
            progress.remark(RemarkCode.SET_GONE, message)

    def _check_requests(self) -> None:
        """Raise a fault if the harvest has made too many requests for the number of its records.

        Raises:
            BadPage: ``too-many-requests``.
        """
        problem = self._excess()
        if problem is not None:
            expected = f"at most {_MOST_REQUESTS} requests, and {_REQUESTS_A_RECORD} more for each record"
            raise BadPage(FaultCode.TOO_MANY_REQUESTS, self._client.base_url, problem, expected)

    def _excess(self) -> str | None:
        """Return the number of requests and records if there are too many requests; else None."""
        made = self._client.requests - self._requests_before
        received = self._progress.received
        if made <= _MOST_REQUESTS + _REQUESTS_A_RECORD * received:
            return None
        return f"{made} requests returned only {received} records"

    def plan(self) -> Plan:
        """Return the plan: the rest of an interrupted harvest, or the changes since the last one."""
        self._progress.move(self._progress.state.under_way or self._fresh_plan())
        self._resumed = self._progress.plan.token
        return self._progress.plan

    def first_page(self) -> Page | None:
        """Return the first page that a harvest would request; None if nothing is left."""
        plan = self._progress.plan
        verb = Verb.LIST_IDENTIFIERS if plan.identifiers else Verb.LIST_RECORDS
        if not plan.windows:
            return None
        if plan.token is not None:
            return self._client.page(Request(verb, token=plan.token))
        try:
            return self._client.page(self._request(verb, plan.windows[0]))
        except ProtocolFault as fault:
            raise add_offered_formats(self._client, fault) from None

    def _fresh_plan(self) -> Plan:
        """Return a new plan: the changes since some days before the last harvest, and the missing records."""
        progress = self._progress
        missing = dict.fromkeys(gap.window for gap in progress.state.gaps if gap.identifier is None)
        short = RemarkCode.LIST_INCOMPLETE.value
        self._recounted = {gap.window: gap for gap in progress.state.gaps if gap.code == short}
        progress.state = replace(
            progress.state, gaps=tuple(gap for gap in progress.state.gaps if gap.identifier is not None)
        )
        if self._window is not None:
            return Plan(self._now, (self._window,), identifiers=self._provider.identifiers)
        watermark = progress.state.watermark
        believed = watermark is not None and watermark.year >= _FIRST_YEAR and watermark <= self._now + DAY
        if watermark is not None and not believed:
            message = f"the watermark {written(watermark)} is not plausible; all records are requested"
            progress.remark(RemarkCode.LIST_BEGUN_ANEW, message)
        start = watermark - timedelta(days=self._provider.overlap) if watermark is not None and believed else None
        return Plan(self._now, (*missing, Window(start)), identifiers=self._provider.identifiers)

    def _first_window_pages(self, plan: Plan) -> Iterator[ReceivedAnswer]:
        """Yield the pages of the first window. Afterwards the plan has the next window or the halves."""
        window = plan.windows[0]
        try:
            yield from self._pages(window)
        except (BadPage, TokenLoop, Refused, Unreachable) as fault:
            if isinstance(fault, Refused) and not fault.transient and self._progress.plan.token == self._resumed:
                self._restart_list(fault)
            elif fault.code is FaultCode.TOO_MANY_REQUESTS or not answers_other_requests(self._client, fault):
                raise
            elif (limit := self._halving_limit()) is not None:
                message = f"{limit}, and a page cannot be read ({fault.problem}): each remaining record is fetched"
                self._progress.remark(RemarkCode.LIMIT_REACHED, f"{message} by its identifier")
                yield from self._fetch_by_identifier(fault)
            else:
                yield from self._continue_with_halves(window, fault)
        except ProtocolFault as fault:
            if self._progress.plan.token is not None:
                self._restart_list(fault)
            elif not self._switch_request_form(window, fault):
                raise add_offered_formats(self._client, fault) from None
        else:
            plan = self._progress.plan
            self._progress.move(plan.beginning(*plan.windows[1:]))
        self._repetition.begin()

    def _pages(self, window: Window) -> Iterator[ReceivedAnswer]:
        progress = self._progress
        plan = progress.plan
        verb = Verb.LIST_IDENTIFIERS if plan.identifiers else Verb.LIST_RECORDS
        pages = self._client.pages(
            self._request(verb, window),
            resume=plan.token,
            received=plan.listed,
            complete_list_size=plan.list_size,
        )
        for page in pages:
            plan = progress.begun(page)
            received = progress.received
            if plan.identifiers:
                yield from self._fetcher.page(window, page)
            progress.departures(page)
            repeated = self._repetition.check_page(page)
            progress.mark_received(
                header.identifier for header in page.headers if header.deleted or not plan.identifiers
            )
            if progress.received > received:
                self._fruitless = 0
            if self._probes:
                self._probes[-1].take(page)
            token = None if page.token is None else page.token.value
            plan = replace(
                plan,
                token=token,
                listed=plan.listed + page.size,
                repeated=plan.repeated + repeated,
                list_size=max(page.complete_list_size or 0, plan.list_size or 0) or None,
                pages=plan.pages + 1,
                records=plan.records + page.size,
            )
            state = progress.move(plan)
            yield ReceivedAnswer(state, None if plan.identifiers else page)
        if plan.token is None:
            self._check_size(window)

    def _check_size(self, window: Window) -> None:
        """Record a gap if a list has fewer records than it announced. If it does so again, halve its window.

        If the halves have more records than the list, the provider truncates lists, and short halves are halved in
        turn. If they have no more, the announced size is wrong. If one half is empty, the other is the whole list
        again, and is halved.
        """
        progress, plan = self._progress, self._progress.plan
        probe = self._probes[-1] if self._probes and window in self._probes[-1].halves else None
        if probe is not None:
            if plan.lacking:
                probe.short.append(_Short(window, plan.listed - plan.repeated, plan.lacking, plan.shortage))
            probe.sizes.append(plan.listed - plan.repeated)
            if window == probe.halves[-1]:
                self._probes.pop()
                self._conclude_probe(probe)
            return
        if not plan.lacking:
            return
        before = self._recounted.get(window)
        if before is None or (before.lacking is not None and plan.lacking < before.lacking):
            progress.record_incomplete_list(window, plan.lacking, plan.shortage, before)
            return
        short = _Short(window, plan.listed - plan.repeated, plan.lacking, plan.shortage)
        halves = self._halves_of(window)
        if halves is None:
            progress.accept_short_list(window, short.shortage)
        else:
            self._probe(short, halves)

    def _halves_of(self, window: Window) -> tuple[Window, Window] | None:
        """Return the halves of a window; None if one unit is left or the limit of halvings is reached."""
        if self._halving_limit() is not None:
            return None
        return window.halves(self._unit, self._earliest, self._progress.plan.watermark or self._now)

    def _probe(self, short: _Short, halves: tuple[Window, Window]) -> None:
        """Request the halves of a short list next."""
        self._halvings += 1
        incomplete = f"the list of records with datestamps {short.window} is incomplete: {short.shortage}"
        message = f"{incomplete}; its window is halved"
        self._progress.remark(RemarkCode.WINDOW_HALVED, message)
        self._probes.append(_Probe(short, halves))
        plan = self._progress.plan
        self._progress.move(replace(plan, windows=(plan.windows[0], *halves, *plan.windows[1:])))

    def _conclude_probe(self, probe: _Probe) -> None:
        """Decide whether a short list was truncated, once both halves are read."""
        if len(probe.identifiers) <= probe.short_list.size and not (
            0 in probe.sizes and any(probe.sizes) and probe.short
        ):
            self._progress.accept_short_list(
                probe.short_list.window, f"{probe.short_list.shortage}, and its halves have no more records"
            )
            return
        for short in probe.short:
            halves = self._halves_of(short.window)
            if halves is None:
                self._progress.record_incomplete_list(short.window, short.lacking, short.shortage)
            else:
                self._probe(short, halves)

    def _request(self, verb: Verb, window: Window) -> Request:
        provider = self._provider
        return Request(
            verb, provider.prefix, set=provider.set, from_=window.from_(self._unit), until=window.until(self._unit)
        )

    def _restart_list(self, fault: ProviderFault) -> None:
        """Begin the list again, because the provider no longer accepts its token (OAI-PMH 2.0, section 3.5).

        A request with a token has no other argument that could be wrong, whatever error the provider returns.
        """
        plan = self._progress.plan
        if plan.token is None or self._restarts >= _MOST_RESTARTS:
            raise fault
        self._restarts += 1
        message = f"the list of records with datestamps {plan.windows[0]} was restarted: {fault.problem}"
        self._progress.remark(RemarkCode.LIST_BEGUN_ANEW, message)
        self._progress.move(plan.beginning(*plan.windows))

    def _switch_request_form(self, window: Window, fault: ProtocolFault) -> bool:
        """Switch to another form of the request that the provider refuses; return False if none is left."""
        plan = self._progress.plan
        if fault.oai_code == "badVerb" and not plan.identifiers:
            self._progress.move(replace(plan.beginning(*plan.windows), identifiers=True))
            message = (
                f"the provider does not support ListRecords ({fault.problem}); each record is fetched with GetRecord"
            )
            self._progress.remark(RemarkCode.ONE_BY_ONE, message)
            return True
        bounded = window.start is not None or window.end is not None
        if fault.oai_code == "badArgument" and bounded and not self._unit_tried:
            self._unit_tried = True
            self._unit = DAY if self._unit == SECOND else SECOND
            asked = "days" if self._unit == DAY else "seconds"
            message = f"the provider rejected its declared granularity; using {asked}"
            self._progress.remark(RemarkCode.GRANULARITY, message)
            return True
        return False

    def _halving_limit(self) -> str | None:
        """Return the limit of halvings that is reached; None if none is."""
        if self._fruitless >= _MOST_FRUITLESS:
            return f"{self._fruitless} windows in a row were halved without a new record"
        if self._halvings >= _MOST_HALVED + self._progress.received // _RECORDS_A_HALVING:
            return f"{self._halvings} windows were halved for {self._progress.received} records"
        return None

    def _fetch_by_identifier(self, fault: ProviderFault) -> Iterator[ReceivedAnswer]:
        """Fetch every remaining record by its identifier.

        Raises:
            ProviderFault: ``fault``, if nothing was received and the identifiers cannot be listed either.
        """
        yield from self._fetcher.remaining_records(fault, bounded=self._window is not None)
        yield ReceivedAnswer(self._progress.move(self._progress.plan.beginning()))

    def _continue_with_halves(self, window: Window, fault: ProviderFault) -> Iterator[ReceivedAnswer]:
        """Continue with the halves of a window with an unreadable page; the records of one unit are fetched by
        identifier."""
        progress = self._progress
        plan = progress.plan
        self._fruitless += 1
        self._halvings += 1
        halves = window.halves(self._unit, self._earliest, plan.watermark or self._now)
        others = (
            halves[1:] if halves is not None else tuple(other for other in plan.windows[1:] if other.is_apart(window))
        )
        if others and self._fetcher.is_mixed(window if halves is None else halves[0], others[0]):
            message = "the provider returns the same records for different intervals, and a page cannot be read"
            progress.remark(RemarkCode.ONE_BY_ONE, f"{message} ({fault.problem}): each record is fetched separately")
            yield from self._fetch_by_identifier(fault)
            return
        if halves is not None:
            message = f"a page of the window {window} cannot be read ({fault.problem}): the window is halved"
            progress.remark(RemarkCode.WINDOW_HALVED, message)
            state = progress.move(replace(plan.beginning(*halves, *plan.windows[1:]), split=True))
            yield ReceivedAnswer(state)
            return
        yield from self._fetcher.window(window, fault)
        plan = progress.plan
        yield ReceivedAnswer(progress.move(replace(plan.beginning(*plan.windows[1:]), split=True)))
