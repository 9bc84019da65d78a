"""The languages of pages, and which of them a client wants (RFC 9110, section 12.5.4)."""

from __future__ import annotations

import re
from enum import StrEnum

from graph.errors import BadParameter
from service.output import shown

_RANGE = re.compile(
    r"[ \t]*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]{0,3})?)[ \t]*)?", re.ASCII
)
#: Longest field that is read: what is longer asks for nothing.
_LONGEST = 1024


class Language(StrEnum):
    """The languages that pages are written in, by their tags (RFC 5646); the first is the default."""

    PORTUGUESE = "pt-BR"
    ENGLISH = "en"

    @property
    def other(self) -> Language:
        """The language that a page offers beside its own."""
        return Language.ENGLISH if self is Language.PORTUGUESE else Language.PORTUGUESE


_SPELLINGS = {"pt": Language.PORTUGUESE, "pt-br": Language.PORTUGUESE, "en": Language.ENGLISH}


def language_said(value: str) -> Language:
    """The language that the parameter ``lang`` says: ``pt-BR`` or ``pt``, ``en``.

    Raises:
        BadParameter: it is none of them.

    >>> language_said("pt").value
    'pt-BR'
    """
    found = _SPELLINGS.get(value.strip().lower())
    if found is None:
        raise BadParameter(f"expected lang pt-BR or en, got {shown(value)[:40]!r}")
    return found


def best_language(field: str | None) -> Language:
    """The language that an ``Accept-Language`` field wants most (RFC 9110, section 12.5.4); where none, Portuguese.

    >>> best_language("fr, en-GB;q=0.8, pt;q=0.5").value
    'en'
    >>> best_language("de").value
    'pt-BR'
    """
    chosen, highest = Language.PORTUGUESE, 0.0
    if field is None or len(field) > _LONGEST:
        return chosen
    for piece in field.split(","):
        found = _RANGE.fullmatch(piece)
        if found is None:
            continue
        quality = float(found[2]) if found[2] is not None else 1.0
        wanted = _SPELLINGS.get(found[1].lower())
        if wanted is not None and quality > highest:
            chosen, highest = wanted, quality
    return chosen
