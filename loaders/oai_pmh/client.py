"""The client: six verbs, pages that are whole or a fault, and lists that end only where the provider ends them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from types import TracebackType

from loaders.oai_pmh.datestamps import Granularity
from loaders.oai_pmh.faults import FaultCode, Refused, TokenLoop, shown
from loaders.oai_pmh.fetching import KEPT, Fetched, RetryingFetcher, base_address, request_url, right_now, shown_address
from loaders.oai_pmh.model import (
    DepartureCode,
    Identify,
    MetadataFormat,
    Page,
    Request,
    SetSpec,
    Settings,
    Verb,
    Waiting,
)
from loaders.oai_pmh.responses import Answer, Departures, read_answer, read_identify, read_refusal

_DEFAULTS = Settings()
#: How many pages of sets in a row may be empty.
_MOST_EMPTY = 50


class Client:
    """Asks one provider, over one connection. A context manager; not for several threads.

    >>> with Client("https://exemplo.gov.br/oai", Settings(contact="arquivo@exemplo.gov.br")) as client:
    ...     pages = client.pages(Request(Verb.LIST_RECORDS, prefix="oai_lexml", from_="2026-01-01"))

    Args:
        base_url: of the provider; a user name and a password in it are sent as Basic credentials, and never shown.
        settings: how to behave.
        on_wait: told before each wait that a fault causes.
        stopped: asked at least ten times a second while waiting and reading; true makes :class:`Stopped` be raised.
        clock: the moment, in UTC.

    Raises:
        BadAddress: ``base_url`` is none.
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(
        self,
        base_url: str,
        settings: Settings = _DEFAULTS,
        *,
        on_wait: Callable[[Waiting], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        clock: Callable[[], datetime] = right_now,
    ) -> None:
        self._base = base_address(base_url)
        self._settings = settings
        self._fetcher = RetryingFetcher(settings, on_wait=on_wait, stopped=stopped, clock=clock)
        self._clock = clock
        self._granularity: Granularity | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._fetcher.close()

    @property
    def base_url(self) -> str:
        """The base URL without credentials."""
        return shown_address(self._base)

    @property
    def requests(self) -> int:
        """How many requests were sent, repetitions included."""
        return self._fetcher.requests

    def identify(self) -> Identify:
        """How the provider describes itself (OAI-PMH 2.0, section 4.2).

        Raises:
            ProviderFault: no sound answer; Stopped.
        """
        found = read_identify(self._answer(Request(Verb.IDENTIFY)), self.base_url)
        self._granularity = found.granularity
        return found

    def metadata_formats(self, identifier: str | None = None) -> tuple[MetadataFormat, ...]:
        """The formats of the provider, or of one item (OAI-PMH 2.0, section 4.4).

        Raises:
            ProtocolFault: ``no-formats`` when there are none, ``no-record`` when the item is unknown.
            ProviderFault: no sound answer; Stopped.
        """
        return self._answer(Request(Verb.LIST_METADATA_FORMATS, identifier=identifier)).formats

    def sets(self) -> Iterator[SetSpec]:
        """The sets of the provider (OAI-PMH 2.0, section 4.6), page by page.

        Raises:
            ProtocolFault: ``no-sets`` when the provider has none.
            ProviderFault: no sound answer; Stopped.
        """
        empty = 0
        for answer in self._answers(Request(Verb.LIST_SETS), None, 0, None):
            empty = 0 if answer.sets else empty + 1
            if empty > _MOST_EMPTY:
                problem = f"{empty} pages of sets in a row hold none"
                raise TokenLoop(FaultCode.ENDLESS_LIST, self.base_url, problem, "a list with an end, section 3.5")
            yield from answer.sets

    def record(self, identifier: str, prefix: str) -> Page:
        """One record (OAI-PMH 2.0, section 4.1).

        Raises:
            ProtocolFault: ``no-record`` or ``no-format``.
            ProviderFault: no sound answer; Stopped.
        """
        return self.page(Request(Verb.GET_RECORD, identifier=identifier, prefix=prefix))

    def page(self, request: Request, *, complete: bool = False) -> Page:
        """One page, checked to its end. Transient faults are repeated first, as the settings say.

        ``noRecordsMatch`` gives an empty page, the last of its list (OAI-PMH 2.0, section 4.5).

        Args:
            request: what to ask.
            complete: whether as many entries as the list announced came before. Then a sound response that holds
                nothing, or ``noRecordsMatch`` to a token, is its end and no fault. :meth:`pages` knows by itself.

        Raises:
            ProviderFault: no sound answer; see its subclasses.
            Stopped: the caller wants to stop.
        """
        return self._answer(request, complete=complete).page

    def pages(
        self,
        request: Request,
        resume: str | None = None,
        *,
        received: int | None = None,
        complete_list_size: int | None = None,
    ) -> Iterator[Page]:
        """All pages of a list (OAI-PMH 2.0, section 3.5), each as :meth:`page` gives it.

        Args:
            request: for the first page.
            resume: the token at which to go on instead.
            received: how many entries came before ``resume``; None when that is not known.
            complete_list_size: as announced before ``resume``.

        Raises:
            TokenLoop: a token came a second time, or there are more than ``max_pages``. The page is not given.
            BadToken: the token is not taken any more; NoRecords: the list breaks off with ``noRecordsMatch``.
            ProviderFault: no sound answer; see its subclasses.
            Stopped: the caller wants to stop.
        """
        before = 0 if resume is None and received is None else received
        return (answer.page for answer in self._answers(request, resume, before, complete_list_size))

    def _answers(
        self, request: Request, resume: str | None, received: int | None, size: int | None
    ) -> Iterator[Answer]:
        seen = {token for token in (request.token, resume) if token is not None}
        if resume is not None:
            request = Request(request.verb, token=resume)
        for _ in range(self._settings.max_pages):
            complete = size is not None and received is not None and received >= size
            answer = self._answer(request, complete=complete)
            page = answer.page
            size = page.complete_list_size if page.complete_list_size is not None else size
            notes = Departures(page.notes)
            if received is not None:
                _check_cursor(page, received, notes)
                received += page.size
                _check_size(page, received, size, notes)
            if page.token is None:
                yield replace(answer, page=replace(page, notes=notes.told))
                return
            if page.token.value in seen:
                raise TokenLoop(
                    FaultCode.TOKEN_LOOP,
                    page.url,
                    f"the resumption token {shown(page.token.value)} came a second time in one list",
                    "another token on every page, OAI-PMH 2.0, section 3.5",
                    payload=page.payload[:KEPT],
                )
            seen.add(page.token.value)
            yield replace(answer, page=replace(page, notes=notes.told))
            request = Request(request.verb, token=page.token.value)
        raise TokenLoop(
            FaultCode.ENDLESS_LIST,
            self.base_url,
            f"the list goes on after {self._settings.max_pages} pages",
            "an end before that (max_pages), OAI-PMH 2.0, section 3.5",
        )

    def _answer(self, request: Request, *, complete: bool = False) -> Answer:
        """The answer to one request; transient faults are repeated (OAI-PMH 2.0, section 3.1.2.2)."""
        address = request_url(self._base, request)
        url = shown_address(address)

        def read(found: Fetched) -> Answer:
            return read_answer(found.payload, request, url, found.at, complete=complete, told=found.departures)

        try:
            answer = self._fetcher.ask(address, read)
        except Refused as refusal:
            answer = read_refusal(refusal, request, self._clock(), complete=complete)
        return self._with_granularity(answer)

    def _with_granularity(self, answer: Answer) -> Answer:
        """The answer with a note where its datestamps are written otherwise than Identify has declared."""
        found = answer.page.granularity
        if found is None or self._granularity in {None, found}:
            return answer
        notes = Departures(answer.page.notes)
        message = f"datestamps are written as {found}, Identify declares {self._granularity}, section 2.7.1"
        notes.add(DepartureCode.OTHER_GRANULARITY, message)
        return replace(answer, page=replace(answer.page, notes=notes.told))


def _check_cursor(page: Page, received: int, notes: Departures) -> None:
    cursor = None if page.token is None else page.token.cursor
    if cursor is not None and cursor != received:
        message = f"cursor is {cursor}: expected {received}, which came before, OAI-PMH 2.0, section 3.5"
        notes.add(DepartureCode.WRONG_CURSOR, message)


def _check_size(page: Page, received: int, size: int | None, notes: Departures) -> None:
    if page.is_last and size is not None and size != received:
        message = f"completeListSize is {size}: expected {received}, which came, OAI-PMH 2.0, section 3.5"
        notes.add(DepartureCode.WRONG_SIZE, message)
