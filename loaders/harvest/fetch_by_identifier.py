"""Fetches records by their identifiers: where no list of them can be read, and where no list has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace

from graph.errors import BadDate
from loaders.harvest.providers import Provider, answers_otherwise
from loaders.harvest.report import Arrival, RemarkCode, SyncProgress, with_an_end
from loaders.harvest.state import Window, around
from loaders.oai_pmh import (
    BadPage,
    Client,
    FaultCode,
    Header,
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

_RECORD = b"<identifier>"
#: What differs between two answers with the same records.
_OF_THE_REQUEST = re.compile(rb"<responseDate>[^<]*</responseDate>|<request\b[^<]*(?:</request>)?")


class RecordFetcher:
    """Asks for records by their identifiers (OAI-PMH 2.0, section 4.1).

    Args:
        client: at the provider's URL.
        progress: where the harvest stands.
        request: what asks for a list of a window.
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

    def window(self, window: Window, fault: ProviderFault) -> Iterator[Arrival]:
        """Every record of a window; where not even their headers can be listed the window is a gap.

        Args:
            fault: why its list could not be read.
        """
        try:
            pages = list(with_an_end(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))))
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as other:
            self._raise_if_gone(other)
            yield Arrival(self._progress.state, bad=fault)
            self._progress.gap(window, None, fault)
            return
        for page in pages:
            yield from self.page(window, page)

    def is_mixed(self, window: Window, other: Window) -> bool:
        """Whether the provider gives the same records for two windows that have no moment in common: then it doesn't
        select by both ends of a window, and halving leads nowhere (OAI-PMH 2.0, section 2.7.1). Unreadable answers
        that hold records and are byte for byte the same count as the same records."""
        found, answer = self._first_answer(window)
        if found and all(_lies_in(header, [window], in_doubt=False) for header in found):
            return False
        others, other_answer = self._first_answer(other)
        if not found and not others:
            return bool(answer) and answer == other_answer
        identifiers = {header.identifier for header in others}
        return any(header.identifier in identifiers for header in found)

    def everything(self, fault: ProviderFault, *, bounded: bool) -> Iterator[Arrival]:
        """Every record that the windows which are left should have, from a list of all; a gap where that fails.

        What a first harvest has heard already, and what is stamped outside the windows and in the store, is left out.

        Args:
            fault: why lists of records could not be read.
            bounded: whether only the windows were asked for: what lies outside is not fetched at all.
        """
        progress = self._progress
        windows = progress.plan.windows
        window = around(windows)
        heard = progress.heard()

        def wanted(header: Header) -> bool:
            if progress.is_first:
                return not self._has(heard, header.identifier)
            within = _lies_in(header, windows, in_doubt=True)
            return within if bounded else within or not self._has((), header.identifier)

        try:
            for page in with_an_end(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))):
                plan = progress.begun(page)
                progress.move(replace(plan, records=plan.records + page.size))
                yield from self.page(window, page, wanted)
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as other:
            self._raise_if_gone(other)
            if not progress.received:
                raise fault from None
            yield Arrival(progress.state, bad=fault)
            progress.gap(window, None, fault)

    def page(self, window: Window, page: Page, wanted: Callable[[Header], bool] = lambda _: True) -> Iterator[Arrival]:
        """The records of a page of headers, those that are wanted; the deleted as the headers say."""
        if any(header.deleted for header in page.headers):
            yield Arrival(self._progress.state, page)
        if page.size > len(page.headers):
            nameless = page.size - len(page.headers)
            message = f"{nameless} entries of a list have no identifier: they cannot be fetched"
            self._progress.remark(RemarkCode.GAP, message)
        for header in page.headers:
            if not header.deleted and wanted(header):
                yield from self.record(window, header.identifier)

    def record(self, window: Window, identifier: str) -> Iterator[Arrival]:
        """One record; a gap where it cannot be heard."""
        progress = self._progress
        self._check_requests()
        try:
            page = self._client.record(identifier, self._provider.prefix)
        except (BadPage, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_gone(fault)
            if identifier in progress.unfilled and fault.code is FaultCode.NO_RECORD:
                message = f"the record {shown(identifier)} was missing, and is there no more"
                progress.remark(RemarkCode.PROVIDER_NOTE, message)
                progress.fill(identifier)
                yield Arrival(progress.state)
                return
            progress.unfilled.discard(identifier)
            yield Arrival(progress.state, bad=fault, identifier=identifier)
            progress.gap(window, identifier, fault)
            return
        progress.hear([identifier])
        progress.fill(identifier)
        yield Arrival(progress.state, page)

    def overlooked(self) -> Iterator[Arrival]:
        """After halving, what no window holds: records whose datestamps the provider cannot select by."""
        window = Window()
        if not self._progress.is_first:
            return
        heard = self._progress.heard()
        try:
            for page in with_an_end(self._client.pages(self._request(Verb.LIST_IDENTIFIERS, window))):
                for header in page.headers:
                    if not header.deleted and not self._has(heard, header.identifier):
                        yield from self.record(window, header.identifier)
        except (BadPage, TokenLoop, ProtocolFault, Refused, Unreachable) as fault:
            self._raise_if_gone(fault)
            message = f"whether records lie outside all datestamps could not be seen: {fault.problem}"
            self._progress.remark(RemarkCode.LIST_INCOMPLETE, message)

    def _first_answer(self, window: Window) -> tuple[tuple[Header, ...], bytes]:
        """The first headers of a window; where no list can be read, none, and the answer to ListRecords.

        The answer is without its own date and request, and empty unless it holds records.
        """
        answer = b""
        for verb in (Verb.LIST_IDENTIFIERS, Verb.LIST_RECORDS):
            try:
                return self._client.page(self._request(verb, window)).headers, b""
            except ProviderFault as fault:
                self._raise_if_gone(fault)
                holds_records = isinstance(fault, BadPage) and _RECORD in fault.payload
                answer = _OF_THE_REQUEST.sub(b"", fault.payload) if holds_records else b""
        return (), answer

    def _has(self, heard: Container[int], identifier: str) -> bool:
        """Whether a record was heard, in this harvest or before, or is known to be missing."""
        tried = any(gap.identifier == identifier for gap in self._progress.state.gaps)
        return tried or hash(identifier) in heard or self._known(identifier)

    def _raise_if_gone(self, fault: ProviderFault) -> None:
        """Raise the fault, unless the provider is there and it is what was asked for that cannot be read."""
        if fault.code is FaultCode.TOO_MANY_REQUESTS:
            raise fault
        if not isinstance(fault, ProtocolFault) and not answers_otherwise(self._client, fault):
            raise fault


def _lies_in(header: Header, windows: Sequence[Window], *, in_doubt: bool) -> bool:
    """Whether a record is stamped on a day of one of the windows; ``in_doubt`` where its datestamp is none."""
    try:
        day = parse_datestamp(header.datestamp or "").day
    except BadDate:
        return in_doubt
    return any(window.has_day(day) for window in windows)
