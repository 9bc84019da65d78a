"""RFC 9676: names of jurisdictions other than Brazil, one function for each element of its section 8.

Pieces are in lower case, with characters outside of ASCII percent-encoded. ``!`` is reserved, ``~`` starts a partition,
``$`` a manifestation, and ``:`` after the details an annex.
"""

from __future__ import annotations

import re
from datetime import date

from graph.urn.deviations import Reason
from graph.urn.scan import ReadValue, Refused, dia, element, pieces, quoted
from graph.urn.values import Descritor, Dialect, Local, Reading, RfcParts

_WORD = re.compile(r"(?:[a-z0-9]|%[0-9A-F]{2})(?:[a-z0-9.]|%[0-9A-F]{2})*")
_WORD_HYPHEN = re.compile(r"(?:[a-z0-9]|%[0-9A-F]{2})(?:[a-z0-9.-]|%[0-9A-F]{2})*")
_NUMBER = re.compile(r"(?:[a-z0-9]|%[0-9A-F]{2})(?:[a-z0-9._'=()-]|%[0-9A-F]{2})*")
_LOCAL_DATE = re.compile(r"(?:[a-z0-9._'=()-]|%[0-9A-F]{2})*")
_PARTITION = re.compile(r"(?:[a-z0-9]|%[0-9A-F]{2})(?:[a-z0-9._'=();,-]|%[0-9A-F]{2})*")
_CODE = re.compile(r"[a-z]{2}|[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_LANGUAGE = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[0-9]{4}")
_TAIL = re.compile(r"[@$~]")
_ORDER = {"@": 0, "$": 1, "~": 2}
_PARTS = "RFC 9676, section 8"


def read(body: str) -> ReadValue[Reading]:
    """Read ``jurisdiction ":" authority ":" measure ":" details *(":" annex) ["@" expression] ["$" manifestation]
    ["~" partition]`` (sections 5.3, 5.4, 5.8 and 8).

    Args:
        body: the name from the jurisdiction on, in lower case.

    Raises:
        Refused: with positions in ``body``.
    """
    tail = _TAIL.search(body)
    cut = tail.start() if tail else len(body)
    segments = list(pieces(body[:cut], ":"))
    place = element(_jurisdiction, segments[0][0], 0)
    if len(segments) < 4:
        last, index = segments[-1]
        missing = ("authority, measure and details", "measure and details", "details (date and number)")[
            len(segments) - 1
        ]
        problem = f"expected {missing} after {quoted(last)}, got nothing"
        raise Refused(Reason.NO_DESCRIPTOR, problem, index, cut, "RFC 9676, section 5.4")
    (authority, at_authority), (measure, at_measure), (details, at_details) = segments[1:4]
    subjects = tuple(
        element(lambda item: _words(item, "an authority", Reason.BAD_AUTHORITY), issuer, at_authority + offset)
        for issuer, offset in pieces(authority, "+")
    )
    kind = element(lambda item: _words(item, "a measure", Reason.BAD_TYPE), measure, at_measure)
    described, places = element(_details, details, at_details)
    annexes = tuple(
        element(lambda item: _words(item, "an annex", Reason.BAD_COMPONENT), annex, offset)
        for annex, offset in segments[4:]
    )
    expression: tuple[tuple[str, ...], str | None] = ((), None)
    manifestation: tuple[tuple[str, ...], ...] = ()
    partition: str | None = None
    index = cut
    before = -1
    while index < len(body):
        sign = body[index]
        following = _TAIL.search(body, index + 1)
        end = following.start() if following else len(body)
        if _ORDER[sign] <= before:
            problem = f"expected '@', '$' and '~' in this order and each once, got {quoted(body[index:])}"
            raise Refused(Reason.MISPLACED_PART, problem, index, len(body), "RFC 9676, sections 5.3 and 5.8")
        before = _ORDER[sign]
        piece = body[index + 1 : end]
        if sign == "@":
            expression = element(_expression, piece, index + 1)
        elif sign == "$":
            manifestation = element(_manifestation, piece, index + 1)
        else:
            partition = element(_partition, piece, index + 1)
        index = end
    extra = RfcParts(annexes, *expression, manifestation, partition, places)
    return ReadValue(Reading(Dialect.RFC_9676, place, subjects, kind, described, rfc=extra))


def _jurisdiction(piece: str) -> Local:
    """Read ``code *(";" unit)``; a code is a country's two letters or a domain name (sections 2.1 and 2.2)."""
    code, *units = piece.split(";")
    if not _CODE.fullmatch(code):
        problem = f"expected two letters of a country or a domain name such as un.org, got {quoted(code)}"
        raise Refused(Reason.BAD_JURISDICTION, problem, 0, len(code), "RFC 9676, section 2.2")
    for unit, index in list(pieces(piece, ";"))[1:]:
        if not _WORD.fullmatch(unit):
            problem = f"expected a part of the jurisdiction in letters, digits and dots, got {quoted(unit)}"
            raise Refused(Reason.BAD_LOCAL, problem, index, index + len(unit), "RFC 9676, section 2.1")
    return Local(code, tuple(units))


def _words(piece: str, description: str, code: Reason) -> tuple[str, ...]:
    """Read ``alf-dot *(";" alf-dot)``: letters, digits, dots and encoded characters."""
    for item, index in pieces(piece, ";"):
        if not item:
            raise Refused(Reason.EMPTY_PART, f"expected {description}, got nothing", index, index, _PARTS)
        if not _WORD.fullmatch(item):
            problem = f"expected {description} in letters, digits and dots, got {quoted(item)}"
            raise Refused(code, problem, index, index + len(item), _PARTS)
    return tuple(piece.split(";"))


def _details(piece: str) -> tuple[Descritor, tuple[str | None, ...]]:
    """Read ``(dates | period) ";" numbers`` (section 6.3); a date may have its local spelling after ``|`` (3.6)."""
    when, semicolon, numbers = piece.partition(";")
    if not when:
        raise Refused(Reason.NO_DESCRIPTOR, "expected date and number, got nothing", 0, len(piece), _PARTS)
    places: tuple[str | None, ...] = ()
    days: tuple[date, ...] = ()
    year: int | None = None
    epoch: str | None = None
    if _YEAR.fullmatch(when):
        if when == "0000":
            raise Refused(Reason.BAD_DATE, "expected a year from 0001 on, got '0000'", 0, 4, _PARTS)
        year = int(when)
    elif "-" in when or "," in when or "|" in when or when.isdecimal():
        dated = [element(_date, item, offset) for item, offset in pieces(when, ",")]
        days = tuple(day for day, _ in dated)
        places = tuple(place for _, place in dated)
        places = places if any(place is not None for place in places) else ()
    elif _WORD.fullmatch(when):
        epoch = when
    else:
        problem = f"expected a date or a period, got {quoted(when)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(when), "RFC 9676, section 6.3")
    if not semicolon or not numbers:
        problem = f"expected ';' and a number after {quoted(when)}, got nothing"
        raise Refused(Reason.NO_NUMBER, problem, len(piece), len(piece), "RFC 9676, section 6.3")
    for item, index in pieces(numbers, ","):
        if not _NUMBER.fullmatch(item):
            start = len(when) + 1 + index
            problem = f"expected a number in letters, digits and any of . - _ ' = ( ), got {quoted(item)}"
            raise Refused(Reason.BAD_NUMBER, problem, start, start + len(item), "RFC 9676, section 6.3.4")
    return Descritor(datas=days, identificadores=tuple(numbers.split(",")), ano=year, epoca=epoch), places


def _date(piece: str) -> tuple[date, str | None]:
    """Read ``YYYY-MM-DD ["|" local]`` (section 3.6)."""
    iso, bar, place = piece.partition("|")
    day = element(dia, iso, 0)
    if bar and not _LOCAL_DATE.fullmatch(place):
        problem = f"expected a local date in letters, digits and any of . - _ ' = ( ), got {quoted(place)}"
        raise Refused(Reason.BAD_DATE, problem, len(iso) + 1, len(piece), "RFC 9676, section 3.6")
    return day, place if bar else None


def _expression(piece: str) -> tuple[tuple[str, ...], str | None]:
    """Read ``version [":" language]``; a version has dates and words separated by ``;`` (sections 5.6 and 7.1.2)."""
    version, colon, language = piece.partition(":")
    for item, index in pieces(version, ";"):
        if _DAY.match(item):
            element(_date, item, index)
        elif not _WORD.fullmatch(item):
            problem = f"expected a date or a word for the version, got {quoted(item)}"
            raise Refused(Reason.BAD_VERSION, problem, index, index + len(item), "RFC 9676, section 7.1.2")
    if colon and not _LANGUAGE.fullmatch(language):
        index = len(version) + 1
        problem = f"expected a language, such as fr, got {quoted(language)}"
        raise Refused(Reason.BAD_LANGUAGE, problem, index, len(piece), "RFC 9676, section 5.6")
    return tuple(version.split(";")), language if colon else None


def _manifestation(piece: str) -> tuple[tuple[str, ...], ...]:
    """Read ``format ":" editor [":" component [":" feature]]``, each with specifications after ``;`` (5.7)."""
    parts = list(pieces(piece, ":"))
    if not 2 <= len(parts) <= 4:
        problem = f"expected format:editor[:component[:feature]], got {quoted(piece)}"
        raise Refused(Reason.BAD_MANIFESTATION, problem, 0, len(piece), "RFC 9676, section 5.7")
    for part, start in parts:
        for item, index in pieces(part, ";"):
            if not _WORD_HYPHEN.fullmatch(item):
                problem = f"expected letters, digits, dots and '-', got {quoted(item)}"
                raise Refused(
                    Reason.BAD_MANIFESTATION, problem, start + index, start + index + len(item), "RFC 9676, section 5.7"
                )
    return tuple(tuple(part.split(";")) for part, _ in parts)


def _partition(piece: str) -> str:
    """Read the identifier of a partition, such as ``art15;par3`` (section 5.8)."""
    if not _PARTITION.fullmatch(piece):
        problem = f"expected a partition, such as art15;par3, got {quoted(piece)}"
        raise Refused(Reason.BAD_FRAGMENT, problem, 0, len(piece), "RFC 9676, section 5.8")
    return piece
