"""Harvests norms of normas.leg.br by name: a list of names, one request for each.

A name without a valid answer becomes a gap. The gap is reported, and the next harvest requests the name again
(docs/reference/harvesting.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import httpx

from graph.entities import Record
from graph.errors import BadRecord
from graph.quarantine import Quarantine, Refusal
from graph.urn import parse_or_none
from loaders.documents import BadInput, SourceDocument, walk
from loaders.harvest.archive import PageKind
from loaders.harvest.list_writer import HarvestSink, ListWriter, Options, state_file, utc_now
from loaders.harvest.providers import Provider
from loaders.harvest.report import ReceivedAnswer, Remark, RemarkCode, Report
from loaders.harvest.session import ListTask, harvest_lists, settings_for
from loaders.harvest.state import Gap, Plan, State, Window, written
from loaders.oai_pmh import BadPage, Busy, FaultCode, ProviderFault, RetryingFetcher, Settings, Unreachable
from loaders.oai_pmh.faults import shown
from loaders.oai_pmh.fetching import KEPT, Fetched, base_address, is_html, shown_address, with_query
from loaders.sources.format import Head
from loaders.sources.names import form_of, read_names
from loaders.sources.registry import check_filled


@dataclass(frozen=True, slots=True)
class NameList:
    """The names of a list.

    Attributes:
        names: canonical names of works, each once, in the order of the list.
        refusals: the entries of the list that are not names.
    """

    names: tuple[str, ...]
    refusals: tuple[Refusal, ...] = ()

    @property
    def digest(self) -> str:
        """Return the SHA-256 in hexadecimal of the names in their order, which identifies the list."""
        return sha256("\n".join(self.names).encode()).hexdigest()


def read_name_list(path: Path, column: str | None = None) -> NameList:
    """Return the list in a file, in any form of :data:`loaders.sources.names.FORMS`; ``.gz`` and ``.zip`` are unpacked.

    A name with a version, a text or a fragment is read as its work.

    Args:
        column: of a table, the column of the names; None for ``urn`` or the only one.

    Raises:
        BadInput: there is no such file, it is not a list, or it is empty.
    """
    if not os.path.lexists(path) or path.is_dir():
        raise BadInput(f"expected a file with a list of names, got {path}")
    names: dict[str, None] = {}
    refusals: list[Refusal] = []
    with closing(walk([path])) as documents:
        for document in documents:
            if isinstance(document, Refusal):
                raise BadInput(f"{document.origin}: {document.problem} (expected {document.expected})")
            for outcome in read_names(document, form=_form(document), column=column):
                if isinstance(outcome, Refusal):
                    refusals.append(outcome)
                elif isinstance(outcome, Record) and outcome.document is not None:
                    names[outcome.document.name.work.canonical] = None
    if not names and not refusals:
        raise BadInput(f"expected names in {path}, got none")
    return NameList(tuple(names), tuple(refusals))


def _form(document: SourceDocument) -> str:
    """Return the form of a list of names.

    Raises:
        BadInput: it cannot be read, or is not a list of names.
    """
    try:
        head = Head.of(document)
        check_filled(head)
        return form_of(head)
    except BadRecord as error:
        raise BadInput(f"{document.label}: {error.problem} (expected {error.expected})") from None
    except OSError as error:
        raise BadInput(f"{document.label} cannot be read: {error.strerror or error}") from None


_PATH = "/api/public/normas"
_ACCEPT = "application/ld+json, application/json"
#: Characters that are not escaped: all that a query may contain (RFC 3986, section 3.4), except ``&`` and ``+``, which
#: have another meaning there. The API does not find a name whose colons and semicolons are escaped.
_RAW = "!$'()*,;=:@/?-._~%"
_SHAPE = "a JSON object of schema.org Legislation, see docs/reference/sources.md"


@dataclass(frozen=True, slots=True)
class Norm:
    """An answer with the requested norm.

    Attributes:
        payload: the JSON as received, after HTTP decompression.
        fetched_at: when it was complete, in UTC.
        size: the number of norms in it.
        is_last: true, because it is one answer and not a list.
    """

    payload: bytes
    fetched_at: datetime
    size: int = 1
    is_last: bool = True


def api_url(text: str) -> str:
    """Return the address of the API at a host, which may be given with or without its path.

    >>> api_url("https://normas.leg.br")
    'https://normas.leg.br/api/public/normas'
    >>> api_url("https://normas.leg.br/api/public/normas/")
    'https://normas.leg.br/api/public/normas'
    """
    bare = text.rstrip("/")
    return bare if bare.endswith(_PATH) else bare + _PATH


def norm_url(base: httpx.URL, name: str) -> httpx.URL:
    """Return the address of a norm. Only characters that no URL may contain are percent-encoded in the name.

    >>> str(norm_url(httpx.URL("https://normas.leg.br/api/public/normas"), "urn:lex:br:federal:lei:2018-08-14;13709"))
    'https://normas.leg.br/api/public/normas?urn=urn:lex:br:federal:lei:2018-08-14;13709&tipo_documento=maior-detalhe'
    """
    query = f"urn={quote(name, safe=_RAW)}&tipo_documento=maior-detalhe"
    return with_query(base, query, ("urn", name))


class NormasApi:
    """A client of the API, with one connection. A context manager; not for several threads.

    Args:
        url: of the API, as :func:`api_url` returns it.
        settings: the settings of the client.
        stopped: called at least ten times a second while waiting and reading; if it returns true,
            :class:`loaders.oai_pmh.Stopped` is raised.

    Raises:
        BadAddress: ``url`` is not an address.
        BadSettings: the file of authorities cannot be read.
    """

    def __init__(self, url: str, settings: Settings, *, stopped: Callable[[], bool] | None = None) -> None:
        self._base = base_address(url)
        self._asker = RetryingFetcher(settings, accept=_ACCEPT, stopped=stopped)

    def __enter__(self) -> NormasApi:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._asker.close()

    def norm(self, name: str) -> Norm | None:
        """Return the norm of a name; None if the API does not know it. Transient faults are retried first.

        Args:
            name: the canonical name of a work.

        Raises:
            ProviderFault: no valid answer; a :class:`BadPage` with the code ``other-name`` if the answer has another
                norm.
            Stopped: the caller requested a stop.
        """
        address = norm_url(self._base, name)
        url = shown_address(address)

        def read(fetched: Fetched) -> Norm | None:
            return Norm(fetched.payload, fetched.fetched_at) if holds(fetched.payload, name, url) else None

        return self._asker.ask(address, read)


def holds(payload: bytes, name: str, url: str) -> bool:
    """Return whether an answer has the norm of that name; false if it only repeats the request.

    Raises:
        BadPage: it is not an answer, or one to another request.
    """
    identifier = _object(payload, url).get("legislationIdentifier")
    if not isinstance(identifier, str):
        return False
    known = parse_or_none(identifier)
    if known is None or known.canonical != name:
        problem = f"the answer is about {shown(identifier)}, not the requested {shown(name)}"
        expected = f"legislationIdentifier {shown(name)}, see docs/reference/sources.md"
        raise BadPage(FaultCode.OTHER_NAME, url, problem, expected, payload=payload[:KEPT])
    return True


def _object(payload: bytes, url: str) -> Mapping[str, object]:
    """Return the JSON object of an answer. An answer that looks cut, or is not from the API, is a transient fault."""

    def bad(code: FaultCode, problem: str, *, transient: bool = False) -> BadPage:
        return BadPage(code, url, problem, _SHAPE, transient=transient, payload=payload[:KEPT])

    if not payload.strip():
        raise bad(FaultCode.EMPTY, "an empty answer", transient=True)
    if is_html(payload):
        raise bad(FaultCode.HTML, "an HTML page", transient=True)
    cut = not payload.rstrip().endswith((b"}", b"]"))
    broken = FaultCode.TRUNCATED if cut else FaultCode.ILL_FORMED
    try:
        text = payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(payload):
            raise bad(broken, "the answer ends within a character", transient=True) from None
        problem = f"byte {error.start + 1} of the answer, 0x{payload[error.start]:02X}, is not UTF-8"
        raise bad(FaultCode.BAD_ENCODING, problem) from None
    try:
        answer: object = json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()):
            broken = FaultCode.TRUNCATED
        raise bad(broken, f"the answer is not valid JSON: {error}", transient=broken is FaultCode.TRUNCATED) from None
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or a thousand levels
        raise bad(FaultCode.ILL_FORMED, f"the answer is JSON that cannot be read: {error}") from None
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if not isinstance(answer, dict):
        raise bad(FaultCode.NO_ANSWER, "the answer is not a JSON object")
    return answer


#: Seconds between two requests: a list may be long, and the host has other clients.
_POLITENESS = 0.2
#: The maximum number of consecutive names for which the host is unavailable, and the maximum number of consecutive
#: names without a valid answer for any reason.
_MOST_AWAY = 3
_MOST_FRUITLESS = 40


def normas_provider(url: str) -> Provider:
    """Return the provider for a harvest by name.

    Args:
        url: the URL of the host, or of its API.

    Raises:
        BadProviders: it is not a usable URL.
    """
    return Provider(api_url(url), prefix="", politeness=_POLITENESS)


def harvest_names(
    provider: Provider,
    wanted: NameList,
    folder: Path,
    sink: HarvestSink,
    quarantine: Quarantine,
    options: Options,
    on_progress: Callable[[Sequence[Report]], None] | None = None,
) -> list[Report]:
    """Harvest the norms of a list of names; return a list with one report.

    The other arguments, and the errors, are those of :func:`loaders.harvest.session.harvest`.

    Args:
        provider: as :func:`normas_provider` returns it.
        wanted: the names to request.
    """
    now = utc_now()
    file = state_file(folder, provider, names=wanted.digest)
    writer = ListWriter(provider, file, sink, quarantine, options, PageKind.NORMA)
    writer.refuse(wanted.refusals)

    def arrivals(
        stopped: Callable[[], bool],
        settled: Callable[[], None],  # noqa: ARG001 - this harvest reads nothing from the store
    ) -> Generator[ReceivedAnswer | Remark, None, None]:
        settings = settings_for(provider, options)
        with NormasApi(provider.url, settings, stopped=stopped) as api:
            yield from NamesSync(api, wanted.names, writer.state, now, settings).arrivals()

    return harvest_lists([writer], [ListTask(provider, arrivals)], on_progress)


def remaining_names(names: Sequence[str], state: State) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names that a harvest requests: those after the last one done, then the gaps before it."""
    plan = state.under_way
    fresh = names if plan is None else names[plan.listed :]
    asked = set(fresh)
    return fresh, [gap.identifier for gap in state.gaps if gap.identifier is not None and gap.identifier not in asked]


class NamesSync:
    """A harvest of one list of names: an iterator of arrivals.

    Args:
        api: the client.
        names: canonical names of works, each once.
        state: the stored state.
        now: when this harvest begins (UTC).
        settings: the settings of the client.
    """

    def __init__(self, api: NormasApi, names: Sequence[str], state: State, now: datetime, settings: Settings) -> None:
        self._api = api
        self._names = names
        self._state = state
        self._now = now
        self._longest_wait = settings.longest_wait
        self._away = self._fruitless = self._left = 0

    def arrivals(self) -> Iterator[ReceivedAnswer | Remark]:
        """Yield the answer of the API for each name, with the state after it.

        Raises:
            ProviderFault: the host is unavailable: earlier answers count, and the next harvest continues after them.
        """
        fresh, retried = remaining_names(self._names, self._state)
        self._left = len(fresh) + len(retried)
        plan = self._state.under_way or Plan(self._now, (), list_size=len(self._names), watermark=self._now)
        self._state = replace(self._state, under_way=plan)
        for name in fresh:
            yield from self._request_norm(name, 1)
        for name in retried:
            yield from self._request_norm(name, 0)
        self._state = self._state.finished()
        yield ReceivedAnswer(self._state)

    def _request_norm(self, name: str, step: int) -> Iterator[ReceivedAnswer | Remark]:
        """Yield the answer of the API for a name; ``step`` is 1 for the next name of the list, 0 for a retried gap.

        Raises:
            ProviderFault: the host is unavailable, or asks for a longer wait than the settings allow.
        """
        try:
            norm = self._api.norm(name)
        except ProviderFault as fault:
            if isinstance(fault, Busy) and (fault.retry_after or 0) > self._longest_wait:
                raise
            yield from self._record_failure(name, step, fault)
            return
        self._reset_failures()
        if norm is None:
            yield Remark(RemarkCode.NOT_KNOWN, f"the API does not know {name}")
        yield ReceivedAnswer(self._advance(name, step, norm), norm)

    def _record_failure(self, name: str, step: int, fault: ProviderFault) -> Iterator[ReceivedAnswer | Remark]:
        """Yield the gap of a name without a valid answer. An answer for another norm is no gap: a retry would get the
        same answer."""
        if fault.code is FaultCode.OTHER_NAME:
            self._reset_failures()
            yield ReceivedAnswer(self._advance(name, step), bad=fault, identifier=name)
            return
        gap = next((known_gap for known_gap in self._state.gaps if known_gap.identifier == name), None)
        gap = gap or Gap(Window(), name, str(fault.code), fault.problem, self._now)
        state = self._advance(name, step)
        self._state = replace(state, gaps=(*state.gaps, gap))
        message = f"{name} could not be fetched: {fault.problem}; the next harvest tries again"
        yield Remark(RemarkCode.GAP, message)
        yield ReceivedAnswer(self._state, bad=fault, identifier=name)
        away = isinstance(fault, Unreachable | Busy) or fault.code is FaultCode.HTML
        self._away = self._away + 1 if away else 0
        self._fruitless += 1
        nobody = away and self._fruitless == self._left  # no name of a short list was answered
        if self._away >= _MOST_AWAY or self._fruitless >= _MOST_FRUITLESS or nobody:
            raise fault

    def _reset_failures(self) -> None:
        self._away = self._fruitless = 0

    def _advance(self, name: str, step: int, norm: Norm | None = None) -> State:
        """Advance the state past a requested name, remove the gap of the name, and return the new state."""
        plan = self._state.under_way
        assert plan is not None  # noqa: S101 - set before the first name
        came = 0 if norm is None else norm.size
        plan = replace(plan, listed=plan.listed + step, pages=plan.pages + came, records=plan.records + came)
        gaps = tuple(gap for gap in self._state.gaps if gap.identifier != name)
        self._state = replace(self._state, under_way=plan, gaps=gaps)
        return self._state


@dataclass(slots=True)
class NamesDryRun:
    """The result of a dry run.

    Attributes:
        wanted: the list.
        left: the number of its names that a harvest would request.
        first: the first of them.
        known: whether the API has it; None if there was no answer.
        fault: the fault, if there was no answer.
    """

    provider: Provider
    state: State
    wanted: NameList
    left: int
    first: str | None
    known: bool | None = None
    fault: ProviderFault | None = None

    @property
    def done(self) -> int:
        """Return the number of names that an unfinished harvest need not request again."""
        return len(self.wanted.names) - self.left

    def lines(self) -> Iterator[str]:
        """Yield the result as text."""
        bad = f"; {len(self.wanted.refusals)} entries are not names" if self.wanted.refusals else ""
        yield f"{len(self.wanted.names)} names, {self.done} already answered{bad}"
        if self.known is not None:
            yield f"the API {'knows' if self.known else 'does not know'} the first name to request: {self.first}"
        if self.fault is not None:
            yield f"{self.fault.code}: {self.fault.problem} (expected {self.fault.expected})"


def dry_run_by_name(provider: Provider, wanted: NameList, folder: Path, options: Options) -> NamesDryRun:
    """Request the first norm that a harvest would request.

    Args:
        folder: the folder of the store, which need not exist.

    Raises:
        StoreProblem: the state of earlier harvests cannot be read.
    """
    state = state_file(folder, provider, names=wanted.digest).read(State(provider.url, provider.set, provider.prefix))
    fresh, again = remaining_names(wanted.names, state)
    result = NamesDryRun(provider, state, wanted, len(fresh) + len(again), next(iter([*fresh[:1], *again[:1]]), None))
    if result.first is not None:
        try:
            with NormasApi(provider.url, settings_for(provider, options)) as api:
                result.known = api.norm(result.first) is not None
        except ProviderFault as fault:
            result.fault = fault
    return result


def names_dry_run_json(looked: NamesDryRun) -> dict[str, object]:
    """Return the output of ``vigente harvest --names --dry-run --json``, with the keys of a list of an OAI-PMH
    provider."""
    state, fault = looked.state, looked.fault
    return {
        "name": looked.provider.name,
        "url": looked.provider.url,
        "set": None,
        "repository": None,
        "deletions": None,
        "formats": [],
        "sets": None,
        "windows": [],
        "resumes": state.under_way is not None,
        "heard": None if state.watermark is None else written(state.watermark),
        "first_page": None if looked.known is None else int(looked.known),
        "list_size": len(looked.wanted.names),
        "done": looked.done,
        "fault": None if fault is None else {"code": str(fault.code), "problem": fault.problem},
    }
