"""Providers that never announce deletions: their whole list of identifiers against what the store has of them.

A record counts as withdrawn when two whole lists in a row, read to their end without a fault, leave it out: a list by
offset over a changing order skips records (docs/harvesting.md). Lists that leave out much are not believed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import datetime

from loaders.harvest.listing import Arrival, Remark, RemarkCode
from loaders.harvest.providers import Provider
from loaders.harvest.state import State
from loaders.oai_pmh import BadPage, Client, Page, ProtocolFault, ProviderFault, Request, Verb

__all__ = ["Reconciling", "is_due"]

#: How many records may vanish at once without being asked about, and which part of all.
_FEW = 10
_PART = 0.1


def is_due(provider: Provider, state: State, now: datetime) -> bool:
    """Whether the schedule of a provider wants its whole list to be compared on this day."""
    if provider.reconcile_days is None or state.heard is None:
        return False
    return state.reconciled is None or (now.date() - state.reconciled).days >= provider.reconcile_days


class Reconciling:
    """One comparison: an iterator of what arrives, and what there is to say of it at the end.

    Args:
        held: the identifiers of the living records that the store has of this list.
        accept: whether many withdrawals at once are believed.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        state: State,
        now: datetime,
        *,
        held: Callable[[], Collection[str]],
        accept: bool = False,
    ) -> None:
        self.remarks: list[Remark] = []
        self._client = client
        self._provider = provider
        self._state = state
        self._now = now
        self._held = held
        self._accept = accept

    def arrivals(self) -> Iterator[Arrival]:
        """Deletions that the list tells, records that the store lacks, and identifiers that are no longer listed.

        Raises:
            ProviderFault: the list cannot be read to its end: nothing is withdrawn.
        """
        living: set[str] = set()
        deleted: set[str] = set()
        for page in self._pages():
            living.update(header.identifier for header in page.headers if not header.deleted)
            gone = {header.identifier for header in page.headers if header.deleted}
            deleted |= gone
            if gone:
                yield Arrival(self._state, page)
        held = set(self._held())
        for identifier in sorted(living - held):
            yield from self._fetched(identifier)
        missing = held - living - deleted
        if missing:
            for page in self._pages():
                missing.difference_update(header.identifier for header in page.headers)
        if len(missing) > max(_FEW, _PART * len(held)) and not self._accept:
            message = (
                f"{len(missing)} of {len(held)} records are no longer listed: too many to be believed at once; "
                "nothing was withdrawn. If the provider did withdraw them, say --accept-withdrawals"
            )
            self.remarks.append(Remark(RemarkCode.NOT_RECONCILED, message))
            return
        self._state = replace(self._state, reconciled=self._now.date())
        yield Arrival(self._state, missing=tuple(sorted(missing)))

    def _pages(self) -> Iterator[Page]:
        """The provider's whole list (OAI-PMH 2.0, section 4.3)."""
        return self._client.pages(Request(Verb.LIST_IDENTIFIERS, self._provider.prefix, set=self._provider.set))

    def _fetched(self, identifier: str) -> Iterator[Arrival]:
        """A record that is listed and that the store lacks."""
        try:
            yield Arrival(self._state, self._client.record(identifier, self._provider.prefix))
        except (BadPage, ProtocolFault) as fault:
            yield Arrival(self._state, bad=fault, identifier=identifier)
            self._say(identifier, fault)

    def _say(self, identifier: str, fault: ProviderFault) -> None:
        message = f"the record {identifier} is listed and could not be fetched: {fault.problem}"
        self.remarks.append(Remark(RemarkCode.GAP, message))
