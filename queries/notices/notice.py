"""What all notices have: a code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Notice:
    """The base of all notices."""

    CODE: ClassVar[str]

    @property
    def code(self) -> str:
        """What a client tells notices apart by."""
        return self.CODE
