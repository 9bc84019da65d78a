"""Content negotiation (RFC 9110, sections 12.5.1 and 12.5.4): the media type and language that a client wants most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph.errors import BadParameter
from service.output import shown

_PARAMETER = re.compile(r";[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(\"(?:[^\"\\]|\\.)*\"|[^;, \t]*)[ \t]*")
_RANGE = re.compile(r"[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)/([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*")
_QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?", re.ASCII)
#: Longest field that is read: what is longer accepts anything.
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Accepted:
    """A media range with its weight, from 0 to 1."""

    type: str
    subtype: str
    quality: float

    def covers(self, media: str) -> bool:
        """Whether a media type is in the range; parameters of the type don't count."""
        type_, _, subtype = media.partition(";")[0].strip().lower().partition("/")
        return self.type in ("*", type_) and self.subtype in ("*", subtype)

    @property
    def precision(self) -> int:
        """The more precise range decides (RFC 9110, section 12.5.1)."""
        return (self.type != "*") + (self.subtype != "*")


def accepted(field: str | None) -> list[Accepted]:
    """The media ranges of an ``Accept`` field; what is no range is passed over. None, or an empty one: anything.

    >>> accepted("text/turtle;q=0.5, text/*;q=0.1")
    [Accepted(type='text', subtype='turtle', quality=0.5), Accepted(type='text', subtype='*', quality=0.1)]
    """
    anything = [Accepted("*", "*", 1.0)]
    if field is None or not field.strip() or len(field) > _LONGEST:
        return anything
    found: list[Accepted] = []
    at = 0
    while at < len(field):
        range_ = _RANGE.match(field, at)
        if range_ is not None:
            quality, at = 1.0, range_.end()
            while (parameter := _PARAMETER.match(field, at)) is not None:
                at = parameter.end()
                if parameter[1].lower() == "q":
                    quality = float(parameter[2]) if _QUALITY.fullmatch(parameter[2]) else 0.0
            if at == len(field) or field[at] == ",":
                found.append(Accepted(range_[1].lower(), range_[2].lower(), quality))
        comma = field.find(",", at)
        at = len(field) if comma < 0 else comma + 1
    return found


def best(field: str | None, offered: Sequence[str]) -> str | None:
    """Which of the media types on offer a reader wants most; the first of equals; None where they want none.

    >>> best("text/html;q=0.8, text/turtle", ["application/ld+json", "text/turtle", "text/html"])
    'text/turtle'
    >>> best("image/png", ["text/turtle"]) is None
    True
    >>> best(None, ["application/ld+json", "text/turtle"])
    'application/ld+json'
    """
    ranges = accepted(field)
    chosen: str | None = None
    highest = 0.0
    for media in offered:
        covering = max((each for each in ranges if each.covers(media)), key=lambda each: each.precision, default=None)
        if covering is not None and covering.quality > highest:
            chosen, highest = media, covering.quality
    return chosen


_LANGUAGE_RANGE = re.compile(
    r"[ \t]*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]{0,3})?)[ \t]*)?", re.ASCII
)
#: Longest field that is read: what is longer asks for nothing.
_LONGEST_LANGUAGES = 1024


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
    if field is None or len(field) > _LONGEST_LANGUAGES:
        return chosen
    for piece in field.split(","):
        found = _LANGUAGE_RANGE.fullmatch(piece)
        if found is None:
            continue
        quality = float(found[2]) if found[2] is not None else 1.0
        wanted = _SPELLINGS.get(found[1].lower())
        if wanted is not None and quality > highest:
            chosen, highest = wanted, quality
    return chosen
