"""The resolver of LexML part 5 and RFC 9676, section 10: turns user input into names, and reports each step."""

from __future__ import annotations

from dataclasses import dataclass

from graph.urn import Name
from queries.notices import Notice


@dataclass(frozen=True, slots=True)
class Understood:
    """The intended name, with notices on how it was found; ``name`` is None if it is not certain."""

    name: Name | None
    notices: tuple[Notice, ...] = ()
