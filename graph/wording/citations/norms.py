"""Norms in running text: type, number and date, lists of them, nicknames, constitutions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from graph.wording.citations.dates import DATE, NUMBER, NUMBER_MARK, When, number_of, when_of, year_of
from graph.wording.citations.lexicon import (
    BODY,
    CONSTITUTIONS,
    TYPE,
    UNIT,
    NormType,
    body_of,
    nicknames,
    type_of,
)
from graph.wording.folding import words

__all__ = ["NICKNAME", "NORM", "Norm", "norms_at"]

#: What a complete citation is worth, and what is taken off for what it leaves out.
FULL, YEAR_ONLY, NICKNAMED, UNDATED, NO_AUTHORITY = 1.0, 0.9, 0.8, 0.7, 0.5

_SPHERE = r"(?:\s+(?i:(federa(?:l|is)|estadua(?:l|is)|municipa(?:l|is)|distrita(?:l|is))))?"
_OF_BODY = rf"(?:\s*[-–,/]?\s*(?:(?i:d[oae]s?|n[oa])\s+)?({BODY}))?"
_SOME_ACRONYM = (
    rf"(?:\s*[-–/]?\s*(?!(?i:{NUMBER_MARK})\s?\d)([A-ZÀ-Ú][A-Za-zÀ-ú]{{1,9}}(?:[/-][A-Z][A-Za-z]{{1,9}}){{0,3}}))?"
)
_HEAD = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú]){_SPHERE}{_OF_BODY}{_SOME_ACRONYM}\s*(?:,\s*)?(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_UNNUMBERED = re.compile(rf"((?i:decreto)s?)(?=\s+de\s+\d)(?i:{DATE})")
_DATE = re.compile(rf"(?i:{DATE})")
_BEHIND = re.compile(rf"\s*,?\s*(?:d[oae]s?)\s+(?:({BODY})|(?i:estado)\s+d[eoa]s?\s+({UNIT})|({UNIT}))")
_NEXT = re.compile(
    rf"(?:\s*\([^()]{{0,160}}\))?\s*(?:,\s*(?:e\s+)?|;\s*(?:e\s+)?|e\s+|ou\s+|,?\s*bem\s+como\s+)(?:d?[ao]s?\s+|n[ao]s?\s+)?"
    rf"(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_LONG_NUMBER = 3

_CONSTITUTION = (
    r"(?-i:Constituição|CONSTITUIÇÃO)(?![A-Za-zÀ-ú])(?!,\s+Justiça)(?!\s+(?:e\s+Justiça|[Ee]stadual|d[oa]s?\s+Estado"
    r"|de\s+(?!1[89]\d\d|5\s+de\s+outubro)))"
    r"(?:\s+(?i:da\s+rep[úu]blica(?:\s+federativa\s+do\s+brasil)?|federal|do\s+brasil|pol[íi]tica))?"
    r"(?:\s+(?:do\s+Brasil))?"
)
_CONSTITUTION_READER = re.compile(
    rf"(?:{_CONSTITUTION}|(?:CRFB|CF)(?![A-Za-zÀ-ú])|Const\.)"
    r"(?:,?\s*(?:/|de\s+(?:5\s+de\s+outubro\s+de\s+)?)\s?((?:1[89]\d\d)|\d\d(?!\d)))?"
)
_NOT_THE_CONSTITUTION = re.compile(r"(?i:comiss[ãa]o\s+d[ea]|e\s+de)\s+$")
_LOOK_BEHIND = 24


def _nickname_pattern() -> str:
    texts = sorted({n.text for listed in nicknames().values() for n in listed}, key=len, reverse=True)
    long = [re.escape(text).replace(r"\ ", r"\s+") for text in texts if " " in text]
    short = [re.escape(text) for text in texts if " " not in text]
    return f"(?i:{'|'.join(long)})(?![A-Za-zÀ-ú])|(?:{'|'.join(short)})(?![A-Za-zÀ-ú0-9])"


_NICKNAMES = _nickname_pattern()
_NICKNAME_READER = re.compile(_NICKNAMES)
_LOWER = re.compile(r"\s+[a-zà-ú]")

#: Where a nickname or a constitution may begin.
NICKNAME = rf"\b(?:Constituição|CONSTITUIÇÃO|CRFB|CF|Const\.|{_NICKNAMES})"
#: Where a type of norm may begin.
NORM = rf"\b(?:{TYPE})(?![A-Za-zÀ-ú])"


@dataclass(frozen=True, slots=True)
class Norm:
    """One norm cited: where, its name, and how sure it is."""

    start: int
    end: int
    name: str
    confidence: float


def norms_at(text: str, at: int, on: date | None) -> tuple[Norm, ...]:
    """The norms that a citation cites which begins at a character; none where none begins there.

    Args:
        on: the day of the text; decides between norms of one nickname.
    """
    return tuple(_constitution(text, at)) or tuple(_nicknamed(text, at, on)) or tuple(_numbered(text, at))


def _constitution(text: str, at: int) -> Iterator[Norm]:
    found = _CONSTITUTION_READER.match(text, at)
    if found is None or _NOT_THE_CONSTITUTION.search(text, max(0, at - _LOOK_BEHIND), at):
        return
    year = year_of(found[1]) if found[1] else 1988
    if year in CONSTITUTIONS:
        name = f"urn:lex:br:federal:constituicao:{CONSTITUTIONS[year]};{year}"
        yield Norm(at, found.end(), name, FULL if found[1] else NICKNAMED)


def _nicknamed(text: str, at: int, on: date | None) -> Iterator[Norm]:
    found = _NICKNAME_READER.match(text, at)
    if found is None:
        return
    known = nicknames()[" ".join(words(found[0]))]
    if on is None:
        fitting = known[-1:]
    else:
        fitting = tuple(n for n in known if (n.since is None or n.since <= on) and (n.until is None or on < n.until))
    if len(fitting) == 1:
        sure = NICKNAMED if len(known) == 1 or on is not None else NO_AUTHORITY
        yield Norm(at, found.end(), fitting[0].name, sure)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A number in a list of norms, before its date is settled."""

    start: int
    end: int
    number: str
    when: When | None
    shared: bool = False


def _numbered(text: str, at: int) -> Iterator[Norm]:
    head = _HEAD.match(text, at)
    if head is None:
        yield from _by_date(text, at)
        return
    kind = type_of(head[1])
    first = _item(text, at, head, 5)
    if first is None or (head[5] is None and not _stands_alone(head, first)):
        return
    items = [first]
    plural = words(head[1])[0].endswith("s")
    while (following := _NEXT.match(text, items[-1].end)) is not None:
        item = _item(text, following.start(2), following, 1)
        if item is None or not (item.when is not None or (plural and _is_listed(following, item))):
            break
        items.append(item)
    authority, end = _authority(text, items[-1].end, head, kind)
    if authority is None:
        return
    for position, item in enumerate(items):
        when = item.when or _shared(items, position)
        confidence = FULL if when and when.day else YEAR_ONLY if when else UNDATED
        if authority == "federal" and kind.authority is None:
            confidence = min(confidence, NO_AUTHORITY)
        last = position == len(items) - 1
        place = authority if ":" in authority else f"br:{authority}"
        yield Norm(item.start, end if last else item.end, _name(place, kind, item.number, when), confidence)


def _item(text: str, start: int, found: re.Match[str], mark: int) -> _Numbered | None:
    """A number with the date behind it; the groups of the number follow the group of its mark."""
    digits, reissue, year = found.group(mark + 1), found.group(mark + 2), found.group(mark + 3)
    end = found.end()
    when = When(year_of(year)) if year is not None else None
    dated = _DATE.match(text, end)
    if dated is not None:
        said = when_of(dated, 1)
        if said is None:
            return None
        if when is None or said.day is not None:
            when, end = said, dated.end()
    shared = dated is not None and re.search(r"amb[ao]s|tod[ao]s", dated[0]) is not None
    return _Numbered(start, end, number_of(digits, reissue), when, shared)


def _stands_alone(head: re.Match[str], item: _Numbered) -> bool:
    """Whether a number without ``nº`` before it is one: it is long, has points, or is dated."""
    return item.when is not None or "." in head[6] or len(head[6]) >= _LONG_NUMBER or head[1].isupper()


def _is_listed(found: re.Match[str], item: _Numbered) -> bool:
    """Whether a number without date goes on a list of norms."""
    return found[1] is not None or "." in found[2] or len(item.number) >= 2


def _shared(items: list[_Numbered], position: int) -> When | None:
    """The date of the next number that has one, where it is said to be of both or all."""
    following = next((item for item in items[position + 1 :] if item.when is not None), None)
    if following is None:
        return None
    both = len(items) == 2
    return following.when if following.shared or both else None


def _authority(text: str, end: int, head: re.Match[str], kind: NormType) -> tuple[str | None, int]:
    """Who issued it: said before the number, behind the date, or what the type implies; and where that ends."""
    if head[3] is not None:
        return body_of(head[3]), end
    sphere = (head[2] or "").lower()
    behind = _BEHIND.match(text, end)
    unit = (behind[2] or behind[3]) if behind is not None else None
    if behind is not None and behind[1] is not None and kind.authority is None:
        return body_of(behind[1]), behind.end()
    if unit is not None and behind is not None and not sphere.startswith(("federa", "municipa")):
        place = ".".join(words(unit))
        return f"br;{place}:{'distrital' if place == 'distrito.federal' else 'estadual'}", behind.end()
    if head[4] is not None:
        return body_of(head[4]), end
    if sphere and not sphere.startswith("federa"):
        return None, end
    return kind.authority or "federal", end


def _by_date(text: str, at: int) -> Iterator[Norm]:
    """An act without a number, by its date alone (LexML 1.0 part 2, section 10.2.1): a reference."""
    found = _UNNUMBERED.match(text, at)
    when = when_of(found, 2) if found is not None else None
    if found is not None and when is not None and when.day is not None:
        kind = type_of(found[1])
        yield Norm(at, found.end(), f"urn:lex:br:{kind.authority}:{kind.kind}:{when}", UNDATED)


def _name(authority: str, kind: NormType, number: str, when: When | None) -> str:
    return f"urn:lex:{authority}:{kind.kind}:{when or ''};{number}"
