"""Looking before a harvest by name: how much is left, and whether the first name is known. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from loaders.harvest.by_name import left_to_ask
from loaders.harvest.lane import Options, state_file
from loaders.harvest.name_list import NameList
from loaders.harvest.normas_api import NormasApi
from loaders.harvest.providers import Provider
from loaders.harvest.session import settings_for
from loaders.harvest.state import State, written
from loaders.oai_pmh import ProviderFault


@dataclass(slots=True)
class LookedByName:
    """What was found.

    Attributes:
        wanted: the list.
        left: how many of its names a harvest would ask for.
        first: the first of them.
        known: whether the API has it; None where it was not heard.
        fault: why it was not.
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
        """How many names a harvest that has not come to its end need not ask for any more."""
        return len(self.wanted.names) - self.left

    def lines(self) -> Iterator[str]:
        """What was found, for people."""
        bad = f"; {len(self.wanted.refusals)} entries are no names" if self.wanted.refusals else ""
        yield f"{len(self.wanted.names)} names, of which {self.done} are done{bad}"
        if self.known is not None:
            yield f"the first that would be asked for is {'' if self.known else 'not '}known there: {self.first}"
        if self.fault is not None:
            yield f"{self.fault.code}: {self.fault.problem} (expected {self.fault.expected})"


def look_by_name(provider: Provider, wanted: NameList, folder: Path, options: Options) -> LookedByName:
    """Ask for the first norm that a harvest would ask for.

    Args:
        folder: the folder of the store, which need not be there.

    Raises:
        StoreProblem: the state of earlier harvests cannot be read.
    """
    state = state_file(folder, provider, names=wanted.digest).read(State(provider.url, provider.set, provider.prefix))
    fresh, again = left_to_ask(wanted.names, state)
    found = LookedByName(provider, state, wanted, len(fresh) + len(again), next(iter([*fresh[:1], *again[:1]]), None))
    if found.first is not None:
        try:
            with NormasApi(provider.url, settings_for(provider, options)) as api:
                found.known = api.norm(found.first) is not None
        except ProviderFault as fault:
            found.fault = fault
    return found


def as_json(looked: LookedByName) -> dict[str, object]:
    """What ``vigente harvest --names --dry-run --json`` prints, with the keys of a list at a provider of OAI-PMH."""
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
        "heard": None if state.heard is None else written(state.heard),
        "first_page": None if looked.known is None else int(looked.known),
        "list_size": len(looked.wanted.names),
        "done": looked.done,
        "fault": None if fault is None else {"code": str(fault.code), "problem": fault.problem},
    }
