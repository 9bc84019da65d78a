"""Harvesting by name: each norm of a list is asked for by itself, going on behind the last one that is in the store.

What cannot be heard is left as a gap, told, and asked for again by the next harvest (docs/harvesting.md).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from graph.quarantine import Quarantine
from loaders.harvest.archive import PageKind
from loaders.harvest.arrivals import Arrival, Remark, RemarkCode
from loaders.harvest.hosts import Asking
from loaders.harvest.lane import HarvestSink, Lane, Options, right_now, state_file
from loaders.harvest.name_list import NameList
from loaders.harvest.normas_api import Norm, NormasApi, api_url
from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from loaders.harvest.session import settings_for, taken
from loaders.harvest.state import Gap, Plan, State
from loaders.harvest.windows import Window
from loaders.oai_pmh import Busy, FaultCode, ProviderFault, Settings, Unreachable

#: Seconds between two requests: a list may be long, and the host serves others.
_POLITENESS = 0.2
#: How many names in a row may find the host away, and how many may give no sound answer for any reason.
_MOST_AWAY = 3
_MOST_FRUITLESS = 40


def normas_provider(url: str) -> Provider:
    """Who is asked for norms by name.

    Args:
        url: of the host, or of its API.

    Raises:
        BadProviders: it cannot be.
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
    """Harvest the norms of a list of names; one report. Arguments and errors as for :func:`session.harvest`.

    Args:
        provider: as :func:`normas_provider` gives it.
        wanted: what to ask for.
    """
    now = right_now()
    file = state_file(folder, provider, names=wanted.digest)
    lane = Lane(provider, file, sink, quarantine, options, PageKind.NORMA)
    lane.refuse(wanted.refusals)

    def arrivals(
        stopped: Callable[[], bool],
        settled: Callable[[], None],  # noqa: ARG001 - nothing here looks into the store
    ) -> Generator[Arrival | Remark, None, None]:
        settings = settings_for(provider, options)
        with NormasApi(provider.url, settings, stopped=stopped) as api:
            yield from NamesListing(api, wanted.names, lane.state, now, settings).arrivals()

    return taken([lane], [Asking(provider, arrivals)], on_progress)


def left_to_ask(names: Sequence[str], state: State) -> tuple[Sequence[str], Sequence[str]]:
    """The names that a harvest asks for: those behind the last one done, then the gaps before it."""
    plan = state.under_way
    fresh = names if plan is None else names[plan.listed :]
    asked = set(fresh)
    return fresh, [gap.identifier for gap in state.gaps if gap.identifier is not None and gap.identifier not in asked]


class NamesListing:
    """A harvest of one list of names: an iterator of what arrives.

    Args:
        api: whom to ask.
        names: canonical names of works, each once.
        state: what was kept.
        now: when this harvest begins (UTC).
        settings: how the API is asked.
    """

    def __init__(self, api: NormasApi, names: Sequence[str], state: State, now: datetime, settings: Settings) -> None:
        self._api = api
        self._names = names
        self._state = state
        self._now = now
        self._longest_wait = settings.longest_wait
        self._away = self._fruitless = self._left = 0

    def arrivals(self) -> Iterator[Arrival | Remark]:
        """What the API says of each name, with the state behind it.

        Raises:
            ProviderFault: the host is away: what came until then counts, and the next harvest goes on from there.
        """
        fresh, again = left_to_ask(self._names, self._state)
        self._left = len(fresh) + len(again)
        plan = self._state.under_way or Plan(self._now, (), list_size=len(self._names), heard=self._now)
        self._state = replace(self._state, under_way=plan)
        for name in fresh:
            yield from self._one(name, 1)
        for name in again:
            yield from self._one(name, 0)
        self._state = self._state.finished()
        yield Arrival(self._state)

    def _one(self, name: str, step: int) -> Iterator[Arrival | Remark]:
        """What the API says of a name, ``step`` names behind the one before.

        Raises:
            ProviderFault: the host is away, or asks for a longer wait than is waited.
        """
        try:
            norm = self._api.norm(name)
        except ProviderFault as fault:
            if isinstance(fault, Busy) and (fault.retry_after or 0) > self._longest_wait:
                raise
            yield from self._unheard(name, step, fault)
            return
        self._answered()
        if norm is None:
            yield Remark(RemarkCode.NOT_KNOWN, f"{name} is not known there")
        yield Arrival(self._moved(name, step, norm), norm)

    def _unheard(self, name: str, step: int, fault: ProviderFault) -> Iterator[Arrival | Remark]:
        """What is no sound answer, or one of another norm: that would come again, and is no gap."""
        if fault.code is FaultCode.OTHER_NAME:
            self._answered()
            yield Arrival(self._moved(name, step), bad=fault, identifier=name)
            return
        gap = next((one for one in self._state.gaps if one.identifier == name), None)
        gap = gap or Gap(Window(), name, str(fault.code), fault.problem, self._now)
        state = self._moved(name, step)
        self._state = replace(state, gaps=(*state.gaps, gap))
        message = f"{name} could not be heard: {fault.problem}; the next harvest tries again"
        yield Remark(RemarkCode.GAP, message)
        yield Arrival(self._state, bad=fault, identifier=name)
        away = isinstance(fault, Unreachable | Busy) or fault.code is FaultCode.HTML
        self._away = self._away + 1 if away else 0
        self._fruitless += 1
        nobody = away and self._fruitless == self._left  # not one answer to a list that is shorter than that
        if self._away >= _MOST_AWAY or self._fruitless >= _MOST_FRUITLESS or nobody:
            raise fault

    def _answered(self) -> None:
        self._away = self._fruitless = 0

    def _moved(self, name: str, step: int, norm: Norm | None = None) -> State:
        """The state behind a name that was asked for, without its gap."""
        plan = self._state.under_way
        assert plan is not None  # noqa: S101 - set before the first name
        came = 0 if norm is None else norm.size
        plan = replace(plan, listed=plan.listed + step, pages=plan.pages + came, records=plan.records + came)
        gaps = tuple(gap for gap in self._state.gaps if gap.identifier != name)
        self._state = replace(self._state, under_way=plan, gaps=gaps)
        return self._state
