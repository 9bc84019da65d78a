"""LexML 1.0, behind the document: version, form and fragment (part 2, sections 11 to 13; Annexes A and B).

Each function reads one piece, already cut at the separators, in small letters and ASCII. It returns the value, or
raises :class:`graph.urn.scan.Refused` with positions in the piece.
"""

from __future__ import annotations

import re
from datetime import date, time

from graph.urn.dates import NO_DATES, datas, dia, pieces
from graph.urn.deviations import Accepted, Reason
from graph.urn.scan import Mark, Read, Refused, element, shown
from graph.urn.values import Forma, Fragmento, Versao

_NORMAL = re.compile(r"\.*[a-z0-9][a-z0-9.]*")
_NORMAL_ID = re.compile(r"[._-]*[a-z0-9][a-z0-9._-]*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMED = re.compile(r"([0-9-]*)(?:t([0-9]{2})\.([0-9]{2}))?")
_LANGUAGE = re.compile(r"[a-z]+(?:-[a-z]+){0,2}")
_NORM = re.compile(r"[a-z]+(?:\.[a-z]+)*(?:-[0-9]+)+")
_JUDGMENT = re.compile(
    r"(?:ac|aco|adc|adi|ado|adpf|ag|ai|ao|ap|ar|are|aresp|cc|earesp|eresp|ext|hc|inq|mi|ms|pet|rcl|re|resp|rhc|rms|rvc"
    r"|sl|ss|sta|stp|tp)[0-9]+"
)
_WORDS = frozenset({"versao.original", "inicio.vigencia", "multivigente"})
_WORDS_WITH_DAY = frozenset({"versao.vigente.em", "versao.eficaz.em", "versao.consultada.em"})
_FRAGMENT = "LexML 1.0 part 2, section 11"
_VERSION = "LexML 1.0 part 2, section 12.3"
_FORM = "LexML 1.0 part 2, section 13"


def versao(piece: str) -> Read[Versao]:
    """``[dates | word | word ".em;" date] [";" evento [";" visao]]`` (section 12.3; Annexes A and B).

    The date may be left open where the event is said. ``data.evento;evento;date[tHH.MM]`` is an extension of the
    Senate's bills.
    """
    first, _, rest = piece.partition(";")
    at = len(first) + 1
    if not first and not rest:
        raise _empty(piece, "a date or a word for the version", _VERSION)
    if first == "data.evento":
        return _data_evento(piece)
    word: str | None = None
    day: date | None = None
    days = NO_DATES
    if first in _WORDS:
        word = first
    elif first == "original":
        word = "versao.original"
        days = Read(days.value, days.normalised, (Mark(Accepted.ORIGINAL, 0, len(first)),))
    elif first in _WORDS_WITH_DAY:
        word = first
        asked, _, rest = rest.partition(";")
        day = element(dia, asked, at)
        at += len(asked) + 1
    elif first[:1].isdecimal() or first[:1] == "[":
        days = datas(first)
    elif first:
        problem = (
            "expected dates, versao.original, inicio.vigencia, multivigente, versao.vigente.em, versao.eficaz.em or "
            f"versao.consultada.em, got {shown(first)}"
        )
        raise Refused(Reason.BAD_VERSION, problem, 0, len(first), _VERSION)
    if at > len(piece):
        return Read(Versao(*days.value, word, day), days.normalised, days.marks)
    event, semicolon, view = rest.partition(";")
    element(_evento, event, at)
    at += len(event) + 1
    seen = NO_DATES
    if semicolon:
        seen = element(datas, view, at)
    return Read(
        Versao(*days.value, word, day, event, *seen.value),
        days.normalised + seen.normalised,
        days.marks + tuple(Mark(mark.code, mark.start + at, mark.end + at) for mark in seen.marks),
    )


def _evento(piece: str) -> str:
    """``evento ::= 1*normal`` with a letter or digit in it (section 12.3)."""
    if not _NORMAL.fullmatch(piece):
        problem = f"expected an event, such as publicacao, got {shown(piece)}"
        raise Refused(Reason.BAD_EVENT, problem, 0, len(piece), _VERSION)
    return piece


def _data_evento(piece: str) -> Read[Versao]:
    """``data.evento;evento;YYYY-MM-DD[tHH.MM]``: the event and its moment, in no grammar."""
    items = piece.split(";")
    timed = _TIMED.fullmatch(items[2]) if len(items) == 3 else None
    if timed is None:
        problem = f"expected data.evento;event;YYYY-MM-DDtHH.MM, got {shown(piece)}"
        raise Refused(Reason.BAD_VERSION, problem, 0, len(piece), _VERSION)
    event = element(_evento, items[1], 12)
    at = 13 + len(event)
    day = element(dia, timed[1], at)
    hour: time | None = None
    if timed[2]:
        if int(timed[2]) > 23 or int(timed[3]) > 59:
            problem = f"expected a time of day from 00.00 to 23.59, got {shown(items[2][11:])}"
            raise Refused(Reason.BAD_TIME, problem, at + 11, len(piece), _VERSION)
        hour = time(int(timed[2]), int(timed[3]))
    value = Versao(palavra="data.evento", evento=event, visao=(day,), hora=hour)
    return Read(value, (), (Mark(Accepted.DATA_EVENTO, 0, 11),))


def forma(piece: str) -> Forma:
    """``tipo [";" lingua *("," lingua)]``; a language is code, script, region in letters (section 13)."""
    kind, semicolon, languages = piece.partition(";")
    if not piece:
        raise _empty(piece, "a form, such as texto;pt-br", _FORM)
    if not _NORMAL.fullmatch(kind):
        problem = f"expected a form in letters, digits and dots, got {shown(kind)}"
        raise Refused(Reason.BAD_FORM, problem, 0, len(kind), _FORM)
    if not semicolon:
        return Forma(kind)
    for item, at in pieces(languages, ","):
        if not _LANGUAGE.fullmatch(item):
            start = len(kind) + 1 + at
            problem = f"expected a language, such as pt-br, got {shown(item)}"
            raise Refused(Reason.BAD_FORM, problem, start, start + len(item), _FORM)
    return Forma(kind, tuple(languages.split(",")))


def fragmento(piece: str) -> Read[Fragmento]:
    """``(id | "[" id "," id "]") *("," ...)`` (section 11). Behind one provision, ``,norm`` or ``,judgment`` says
    what put it there; that is no part of the grammar.

    >>> fragmento("[art6,art10],art12").value.partes
    (('art6', 'art10'), 'art12')
    """
    if "," not in piece and _NORMAL_ID.fullmatch(piece):
        return Read(Fragmento((piece,)))
    parts: list[str | tuple[str, str]] = []
    items = list(pieces(piece, ","))
    at = 0
    while at < len(items):
        item, start = items[at]
        if not item.startswith("["):
            parts.append(element(_particao, item, start))
            at += 1
            continue
        last, behind = items[at + 1] if at + 1 < len(items) else ("", len(piece))
        if not last.endswith("]"):
            problem = f"expected a range [first,last], got {shown(piece[start:])}"
            raise Refused(Reason.BAD_FRAGMENT, problem, start, len(piece), _FRAGMENT)
        parts.append((element(_particao, item[1:], start + 1), element(_particao, last[:-1], behind)))
        at += 2
    suffix, start = items[-1]
    if len(items) == 1 or not _is_inserter(suffix, start):
        return Read(Fragmento(tuple(parts)))
    if len(parts) > 2 or not isinstance(parts[0], str):
        problem = f"expected one provision before {shown(suffix)}, which says what put it there"
        raise Refused(Reason.BAD_FRAGMENT, problem, 0, len(piece), _FRAGMENT)
    return Read(Fragmento((parts[0],), suffix), (), (Mark(Accepted.INSERTED_BY, start, len(piece)),))


def _particao(piece: str) -> str:
    """``id-particao ::= 1*(letter | digit | "." | "_" | "-")``, as part 3 makes them (section 11)."""
    if not piece:
        raise _empty(piece, "a provision, such as art5_par2", _FRAGMENT)
    if not _NORMAL_ID.fullmatch(piece):
        problem = f"expected a provision, such as art5_par2, got {shown(piece)}"
        raise Refused(Reason.BAD_FRAGMENT, problem, 0, len(piece), _FRAGMENT)
    return piece


def _is_inserter(piece: str, at: int) -> bool:
    """Whether it is ``type-number-YYYY-MM-DD`` or the class and number of a judgment."""
    if _JUDGMENT.fullmatch(piece):
        return True
    tail = piece[-10:]
    if len(piece) < 14 or piece[-11] != "-" or not _DAY.fullmatch(tail) or not _NORM.fullmatch(piece[:-11]):
        return False
    element(dia, tail, at + len(piece) - 10)
    return True


def _empty(piece: str, what: str, section: str) -> Refused:
    return Refused(Reason.EMPTY_PART, f"expected {what}, got nothing", 0, len(piece), section)
