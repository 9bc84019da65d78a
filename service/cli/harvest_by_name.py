"""What `vigente harvest --names` adds: norms of normas.leg.br, asked for one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from graph.errors import BadParameter
from graph.quarantine import Quarantine
from loaders.harvest.by_name import NameList, harvest_names, names_dry_run_json, normas_provider, read_name_list
from loaders.harvest.by_name import dry_run_by_name as look
from loaders.harvest.list_writer import HarvestSink, Options
from loaders.harvest.providers import Provider
from loaders.harvest.report import Report
from service.cli.context import Exit, Settings
from service.cli.harvest_progress import say_looked
from service.output import put_json

#: A harvest of what was chosen: into the store of a folder, told as it goes on.
Harvest: TypeAlias = Callable[
    [Path, HarvestSink, Quarantine, Options, Callable[[Sequence[Report]], None] | None], list[Report]
]


@dataclass(frozen=True, slots=True)
class Call:
    """Who is asked, for what."""

    provider: Provider
    wanted: NameList

    @property
    def harvest(self) -> Harvest:
        """The harvest that was called for."""
        return partial(harvest_names, self.provider, self.wanted)


def called(url: str | None, names: Path, column: str | None, others: Sequence[str]) -> Call:
    """The call, checked.

    Args:
        others: options of OAI-PMH that were given beside `--names`.

    Raises:
        BadParameter: options that do not go together, or no URL.
        BadProviders, BadInput: the URL or the list cannot be used.
    """
    if others:
        raise BadParameter(f"--names asks for each norm by its name: it goes without {', '.join(others)}")
    if url is None:
        raise BadParameter("expected the URL of normas.leg.br beside --names FILE")
    return Call(normas_provider(url), read_name_list(names, column))


def dry_run_by_name(where: Settings, call: Call, options: Options, *, as_json: bool) -> int:
    """What a harvest would do; writes nothing."""
    found = look(call.provider, call.wanted, where.store, options)
    say_looked(found.provider, found.lines())
    if as_json:
        put_json({"providers": [names_dry_run_json(found)]})
    return Exit.STORE if found.fault is not None else Exit.ANSWERED
