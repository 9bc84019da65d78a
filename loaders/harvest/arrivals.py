"""What comes of asking a provider: pages with the state behind them, and remarks for the report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from loaders.harvest.state import State
from loaders.oai_pmh import ProviderFault


class RemarkCode(StrEnum):
    """What a report tells of a harvest beside its counts; docs/harvesting.md explains each."""

    GAP = "gap"
    GRANULARITY = "granularity"
    LIST_BEGUN_ANEW = "list-begun-anew"
    LIST_INCOMPLETE = "list-incomplete"
    NEVER_RECONCILED = "never-reconciled"
    NOT_KNOWN = "not-known"
    NOT_RECONCILED = "not-reconciled"
    ONE_BY_ONE = "one-by-one"
    PROVIDER_NOTE = "provider-note"
    UNKNOWN_SET = "unknown-set"
    WINDOW_HALVED = "window-halved"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the reader of a report should know."""

    code: RemarkCode
    message: str


class Served(Protocol):
    """An answer of a provider, checked to its last byte."""

    @property
    def payload(self) -> bytes:
        """The bytes as served, with HTTP's compression taken off."""
        ...

    @property
    def fetched_at(self) -> datetime:
        """When it was there in full, in UTC."""
        ...

    @property
    def size(self) -> int:
        """How many records it holds."""
        ...

    @property
    def is_last(self) -> bool:
        """Whether the provider has nothing more to say after it."""
        ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came, and the state that holds once it is in the store.

    Attributes:
        state: to be kept when everything up to here is in the store.
        page: what the provider answered; None where only the state moves. Of a list of identifiers only the deletions
            count.
        bad: an answer that is no page, to be set apart.
        identifier: of the record that it should have been; None where a list was asked for.
        missing: identifiers that the provider no longer lists.
    """

    state: State
    page: Served | None = None
    bad: ProviderFault | None = None
    identifier: str | None = None
    missing: tuple[str, ...] = ()
