"""Reconciliation: the whole list of identifiers of a provider is compared with the records that the store holds of it.

A record counts as withdrawn when two whole lists in a row, read to their end without a fault, leave it out: a list by
offset over a changing order skips records (docs/reference/harvesting.md). Lists that leave out much are not believed at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from loaders.harvest.providers import Provider, answers_otherwise
from loaders.harvest.report import Arrival, Remark, RemarkCode, with_an_end
from loaders.harvest.state import State
from loaders.oai_pmh import BadPage, Client, Page, ProtocolFault, ProviderFault, Refused, Request, Unreachable, Verb
from loaders.oai_pmh.faults import shown

#: How many records may vanish at once without being asked about, and which part of all.
_FEW = 10
_PART = 0.1
#: How many listed records in a row may fail to be fetched.
_MOST_FAILED = 40


def is_due(provider: Provider, state: State, now: datetime) -> bool:
    """Whether the schedule of a provider wants its whole list to be compared on this day."""
    if provider.reconcile_days is None or state.heard is None:
        return False
    return state.reconciled is None or (now.date() - state.reconciled).days >= provider.reconcile_days


class Reconciliation:
    """One comparison: an iterator of what arrives, and what there is to say of it at the end.

    Args:
        held: the identifiers of the living records that the store has of this list.
        lives: whether the store has a living record with this identifier, of whichever list.
        accept: whether many withdrawals at once are believed.
    """

    def __init__(
        self,
        client: Client,
        provider: Provider,
        state: State,
        now: datetime,
        *,
        held: Callable[[], Iterable[str]],
        lives: Callable[[str], bool],
        accept: bool = False,
    ) -> None:
        self.remarks: list[Remark] = []
        self._client = client
        self._provider = provider
        self._state = state
        self._now = now
        self._held = held
        self._lives = lives
        self._accept = accept
        self._failed = 0

    def arrivals(self) -> Iterator[Arrival]:
        """Deletions that the list tells, records that the store lacks, and identifiers that are no longer listed.

        Raises:
            ProviderFault: the list cannot be read to its end: nothing is withdrawn.
        """
        held = dict.fromkeys(self._held(), False)  # whether they are listed
        others: dict[str, None] = {}
        for page in self._pages():
            for header in page.headers:
                if header.identifier in held:
                    held[header.identifier] = True
                elif not header.deleted and not self._lives(header.identifier):
                    others[header.identifier] = None
            if any(header.deleted for header in page.headers):
                yield Arrival(self._state, page)
        for identifier in others:
            if self._failed >= _MOST_FAILED:
                message = f"{_MOST_FAILED} listed records in a row could not be fetched: the others were not asked for"
                self.remarks.append(Remark(RemarkCode.LIMIT_REACHED, message))
                break
            yield from self._fetched(identifier)
        missing = {identifier for identifier, listed in held.items() if not listed}
        if missing:
            for page in self._pages():
                missing.difference_update(header.identifier for header in page.headers)
        nothing = bool(held) and len(missing) == len(held)
        if (nothing or len(missing) > max(_FEW, _PART * len(held))) and not self._accept:
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
        request = Request(Verb.LIST_IDENTIFIERS, self._provider.prefix, set=self._provider.set)
        return with_an_end(self._client.pages(request))

    def _fetched(self, identifier: str) -> Iterator[Arrival]:
        """A record that is listed and that the store lacks."""
        try:
            page = self._client.record(identifier, self._provider.prefix)
        except (BadPage, ProtocolFault, Refused, Unreachable) as fault:
            if not isinstance(fault, ProtocolFault) and not answers_otherwise(self._client, fault):
                raise
            self._failed += 1
            yield Arrival(self._state, bad=fault, identifier=identifier)
            self._say(identifier, fault)
            return
        self._failed = 0
        yield Arrival(self._state, page)

    def _say(self, identifier: str, fault: ProviderFault) -> None:
        message = f"the record {shown(identifier)} is listed and could not be fetched: {fault.problem}"
        self.remarks.append(Remark(RemarkCode.GAP, message))
