"""A text with its language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its language (BCP 47, lower case), e.g. ``Text("Lei do Audiovisual", "pt-br")``."""

    value: str
    language: str = "pt-br"
