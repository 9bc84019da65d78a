"""The answer about the citations in a running text; its fields define the JSON document of docs/reference/json.md."""

from __future__ import annotations

from dataclasses import dataclass

from graph.wording.citations import Citation, LeftOut


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations in a running text.

    Attributes:
        citations: the citations in order of appearance.
        left_out: what looks like a citation and was not named, in order of appearance.
    """

    citations: tuple[Citation, ...]
    left_out: tuple[LeftOut, ...]
