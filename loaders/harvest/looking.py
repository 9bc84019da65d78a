"""Looking before a harvest: who is there, what it offers, what would be asked for. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from loaders.harvest.arrivals import Remark
from loaders.harvest.lane import Options, right_now, state_file
from loaders.harvest.listing import Listing
from loaders.harvest.offered import formats_of, sets_of
from loaders.harvest.providers import Provider
from loaders.harvest.session import settings_for
from loaders.harvest.state import Plan, State, written
from loaders.oai_pmh import Client, Identify, Page, ProviderFault


@dataclass(slots=True)
class Looked:
    """What was found at one list.

    Attributes:
        identify: what the provider says of itself.
        formats: the metadata prefixes that it offers.
        sets: its sets, as many as were asked for; None where it has none.
        plan: what a harvest would ask for.
        first: the first page of it.
        fault: what ended the look.
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
        """What was found, for people."""
        if self.identify is not None:
            name = self.identify.repository_name or "a provider without a name"
            yield f"{name[:200]}; deletions: {_deletions(self.identify) or 'nothing said'}"
        if self.formats:
            yield f"formats: {', '.join(self.formats)}"
        if self.sets is not None:
            yield f"sets: {', '.join(self.sets[:20])}{' ...' if len(self.sets) > 20 else ''}"
        if self.plan is not None:
            resumed = " (going on behind a page that is in the store)" if self.plan.token is not None else ""
            yield f"would ask for what is stamped {', then '.join(map(str, self.plan.windows))}{resumed}"
        if self.first is not None:
            yield f"the first page has {self.first.size} records; of the list: {_size(self.first)}"
        for remark in self.remarks:
            yield f"{remark.code.value}: {remark.message}"
        if self.fault is not None:
            yield f"{self.fault.code}: {self.fault.problem} (expected {self.fault.expected})"


def _deletions(identify: Identify) -> str | None:
    return None if identify.deleted is None else identify.deleted.value


def _size(page: Page) -> str:
    if page.complete_list_size is not None:
        return f"{page.complete_list_size} records"
    return "that is all" if page.is_last else "there is more"


def look(provider: Provider, folder: Path, options: Options) -> Looked:
    """Ask a provider who it is and for the first page of what a harvest would ask for.

    Args:
        folder: the folder of the store, which need not be there.

    Raises:
        StoreProblem: the state of earlier harvests cannot be read.
    """
    state = state_file(folder, provider, options.window).read(State(provider.url, provider.set, provider.prefix))
    found = Looked(provider, state)
    now = right_now()
    try:
        with Client(provider.url, settings_for(provider, options)) as client:
            listing = Listing(client, provider, state, now, window=options.window)
            found.identify = listing.identify()
            found.formats = formats_of(client)
            found.sets = sets_of(client)
            found.plan = listing.plan()
            found.remarks = listing.remarks
            listing.check_set()
            found.first = listing.first_page()
    except ProviderFault as fault:
        found.fault = fault
    return found


def as_json(looked: Looked) -> dict[str, object]:
    """One list in what ``vigente harvest --dry-run --json`` prints."""
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
        "heard": None if looked.state.heard is None else written(looked.state.heard),
        "first_page": None if first is None else first.size,
        "list_size": None if first is None else first.complete_list_size,
        "done": None,
        "remarks": [{"code": remark.code.value, "message": remark.message} for remark in looked.remarks],
        "fault": None
        if fault is None
        else {"code": str(fault.code), "problem": fault.problem, "expected": fault.expected},
    }
