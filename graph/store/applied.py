"""What became of a batch of records, and of the writer before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of writing a batch: each record is counted once.

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


@dataclass(frozen=True, slots=True)
class Left:
    """What the writer before left behind, as the next one finds it.

    Attributes:
        killed: it did not come to its end.
        machine: the machine itself went down, or was begun anew, before it had.
        failed: it met an error of the disk or of the engine.
        files: how many files of its bulk loads were removed.
        resumed: what it had begun behind an endpoint was brought to its end.
    """

    killed: bool = False
    machine: bool = False
    failed: bool = False
    files: int = 0
    resumed: bool = False
