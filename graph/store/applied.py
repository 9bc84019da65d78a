"""What became of a batch of records."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Applied"]


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a batch of records: each record is counted once.

    Attributes:
        older: records and deletions from files that left what is there alone, since that has a later datestamp.
    """

    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    older: int = 0

    def __add__(self, other: Applied) -> Applied:
        return Applied(
            self.loaded + other.loaded,
            self.unchanged + other.unchanged,
            self.deleted + other.deleted,
            self.older + other.older,
        )
