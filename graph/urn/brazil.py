"""Names of Brazil: cut a text at its separators and tell LexML 1.0 from 0.7 (part 2 of both)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeVar

from graph.urn import lexml07, lexml10_document, lexml10_version
from graph.urn.canonical import keeps_07
from graph.urn.dates import datas
from graph.urn.deviations import Accepted, Normalised, Reason
from graph.urn.scan import Mark, Read, Refused, element, shown
from graph.urn.values import Descritor, Dialect, Forma, Fragmento, Local, Propriedade, Reading, Versao

V = TypeVar("V")

_TAIL = re.compile(r"[@!~$]")
_COMPLETE = re.compile(r"[0-9\[][^;]*;")
#: The one type of document that its year identifies: a constitution has no number.
_WITHOUT_NUMBER = "constituicao"
_PROVISION = re.compile(r"\[?[a-z._-]")
_STRUCTURE = "LexML 1.0 part 2, section 5.1"
_DOCUMENT = "LexML 1.0 part 2, section 7"
_NAMES = {"@": "version", "!": "fragment", "~": "form", "$": "property"}


def read(body: str) -> Read[Reading]:
    """``local ":" autoridade ":" tipo ":" descritor ["@" versao] ["~" forma] ["!" fragmento]`` (section 5.1, Annex A).

    It is LexML 0.7 where a sign of it stands: a view behind ``!``, a fragment behind ``:`` and a complete descriptor,
    a property behind ``$``, its own places of regional courts, or a period of reference in place of the date.

    Args:
        body: the name from ``br`` on, in small letters and ASCII.

    Raises:
        Refused: with positions in ``body``.
    """
    found = _TAIL.search(body)
    cut = found.start() if found else len(body)
    segments = body[:cut].split(":")
    if len(segments) < 4:
        raise _too_few(segments, cut)
    place, authority, kind, descriptor, *more = segments
    at_authority = len(place) + 1
    at_kind = at_authority + len(authority) + 1
    at_descriptor = at_kind + len(kind) + 1
    behind = at_descriptor + len(descriptor)
    if more and (len(more) > 1 or not _COMPLETE.match(descriptor) or not _PROVISION.match(more[0])):
        problem = f"expected nothing, or a provision, behind a complete descriptor, got {shown(body[behind:])}"
        raise Refused(Reason.EXTRA_COLON, problem, behind, len(body), "LexML 1.0 part 2, sections 4.2 and 10.1")
    if not descriptor and kind[:4].isdecimal():
        raise _without_authority(kind, at_kind, cut)
    if not descriptor:
        problem = "expected date and number behind the type of document, got nothing"
        raise Refused(Reason.NO_DESCRIPTOR, problem, at_descriptor, at_descriptor, "LexML 1.0 part 2, section 10.1")
    tail = _Tail()
    country, levels = _local(place, tail)
    subjects = element(lexml10_document.autoridade, authority, at_authority)
    tail.keep(subjects, at_authority)
    document = tail.keep(element(lexml10_document.tipo_documento, kind, at_kind), at_kind)
    described = element(lexml10_document.descritor, descriptor, at_descriptor)
    if described.value.ano is not None and document[0] != _WITHOUT_NUMBER:
        _need_number(described.value, descriptor, at_descriptor)
    tail.keep(described, at_descriptor)
    tail.old = tail.old or described.value.epoca is not None
    if more:
        tail.fragmento = tail.keep(element(lexml10_version.fragmento, more[0], behind + 1), behind + 1)
        tail.old = True
    if cut < len(body):
        _read_tail(body, cut, tail)
    if more and tail.versao is not None and tail.versao.evento is not None:
        tail.marks.append(Mark(Accepted.MIXED, behind, cut))
    reading = _finish(Local(country, levels), subjects.value, document, described.value, tail)
    old_spelling = keeps_07(reading)
    if old_spelling and reading.fragmento is not None and not _COMPLETE.match(descriptor):
        problem = f"expected date and number before a provision and a view, got {shown(descriptor)}"
        raise Refused(Reason.NO_NUMBER, problem, at_descriptor, behind, "LexML 0.7 part 2, sections 6.3 and 10.1")
    if old_spelling and reading.fragmento is not None and _starts_with_digit(reading.fragmento):
        problem = (
            "expected the event between version and view, or a provision that starts with a letter, "
            f"got {shown(body[cut:])}"
        )
        raise Refused(Reason.BAD_FRAGMENT, problem, cut, len(body), "LexML 1.0 part 2, section 12.3")
    if more and not old_spelling:
        tail.normalised.append(Normalised.TRANSLATED)
    return Read(reading, tuple(tail.normalised), tuple(tail.marks))


@dataclass(slots=True)
class _Tail:
    """The parts after the descriptor as written, and the deviations in them."""

    versao: Versao | None = None
    forma: Forma | None = None
    fragmento: Fragmento | None = None
    propriedade: Propriedade | None = None
    old: bool = False
    visao: tuple[tuple[date, ...], bool] | None = None
    normalised: list[Normalised] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def keep(self, found: Read[V], at: int) -> V:
        """The value, after its notes were kept; ``at`` is where its piece starts."""
        value, normalised, marks = found
        if normalised:
            self.normalised += normalised
        if marks:
            self.marks += [Mark(mark.code, mark.start + at, mark.end + at) for mark in marks]
        return value


def _too_few(segments: list[str], cut: int) -> Refused:
    """What is missing of authority, type and descriptor."""
    last = segments[-1]
    at = cut - len(last)
    if len(segments) > 1 and last[:4].isdecimal():
        return _without_authority(last, at, cut)
    what = ("authority, type and descriptor", "type and descriptor", "a descriptor (date and number)")[
        len(segments) - 1
    ]
    return Refused(Reason.NO_DESCRIPTOR, f"expected {what} behind {shown(last)}, got nothing", at, cut, _DOCUMENT)


def _without_authority(piece: str, at: int, cut: int) -> Refused:
    problem = f"expected authority, type and descriptor, got {shown(piece)} with the authority or the type left out"
    return Refused(Reason.MISSING_PART, problem, at, cut, _DOCUMENT)


def _need_number(descritor: Descritor, piece: str, at: int) -> None:
    """Refuse a year alone: it names no document, and is often meant for a number (section 10.1)."""
    if not descritor.identificadores and descritor.apelido is None:
        problem = (
            "expected date and number: a year alone names no document; a number needs its date or year in front, "
            f"got {shown(piece)}"
        )
        raise Refused(Reason.NO_NUMBER, problem, at, at + len(piece), "LexML 1.0 part 2, section 10.1")


def _starts_with_digit(fragmento: Fragmento) -> bool:
    """Return whether 0.7 could read it as a second number, since 0.7 writes provisions after ``:``."""
    first = fragmento.partes[0]
    return (first if isinstance(first, str) else first[0])[0].isdecimal()


def _local(piece: str, tail: _Tail) -> tuple[str, tuple[str, ...]]:
    """``"br" [";" ...]`` (section 6); places of 0.7 are written as 1.0 does."""
    if piece == "br":
        return "br", ()
    if piece[2] != ";":
        problem = f"expected 'br', ';' and a place, got {shown(piece)}"
        raise Refused(Reason.BAD_JURISDICTION, problem, 0, len(piece), "LexML 1.0 part 2, section 6")
    levels = piece[3:]
    translated = lexml07.local_in_10(levels)
    if translated is None:
        return "br", tail.keep(element(lexml10_document.local, levels, 3), 3)
    tail.old = True
    tail.normalised.append(Normalised.TRANSLATED)
    return "br", lexml10_document.local(translated).value


def _read_tail(body: str, cut: int, tail: _Tail) -> None:
    """Read version, view, form, fragment and property, in whatever order they came."""
    colon = body.find(":", cut)
    if colon >= 0:
        found = _TAIL.search(body, colon)
        end = found.start() if found else len(body)
        problem = f"expected no ':' behind the document: a provision stands behind '!', got {shown(body[colon:end])}"
        raise Refused(Reason.EXTRA_COLON, problem, colon, end, "LexML 1.0 part 2, sections 4.2 and 11")
    fragment_at: tuple[int, int] | None = None
    at = cut
    while at < len(body):
        found = _TAIL.search(body, at + 1)
        end = found.start() if found else len(body)
        sign, piece = body[at], body[at + 1 : end]
        if tail.propriedade is not None:
            raise _misplaced("nothing behind the property", body, at)
        if sign == "@":
            _once(tail.versao, sign, body, at)
            if tail.forma is not None or tail.visao is not None:
                raise _misplaced("the version before view and form", body, at)
            tail.versao = tail.keep(element(lexml10_version.versao, piece, at + 1), at + 1)
            if fragment_at:
                tail.marks.append(Mark(Accepted.FRAGMENT_BEFORE_VERSION, *fragment_at))
        elif sign == "~":
            _once(tail.forma, sign, body, at)
            tail.forma = element(lexml10_version.forma, piece, at + 1)
            if fragment_at and not any(mark.code is Accepted.FRAGMENT_BEFORE_VERSION for mark in tail.marks):
                tail.marks.append(Mark(Accepted.FRAGMENT_BEFORE_FORM, *fragment_at))
        elif sign == "$":
            tail.propriedade = element(lexml07.propriedade, piece, at + 1)
            tail.old = True
        elif not piece and end == len(body):
            tail.marks.append(Mark(Accepted.TRAILING, at, end))
        elif lexml07.is_view(piece):
            _read_view(body, at, piece, tail)
        else:
            _once(tail.fragmento, sign, body, at)
            tail.fragmento = tail.keep(element(lexml10_version.fragmento, piece, at + 1), at + 1)
            fragment_at = (at, end)
        at = end
    if fragment_at and (tail.visao is not None or lexml07.needs_07(tail.versao, old=tail.old, anchored=True)):
        tail.marks.append(Mark(Accepted.MIXED, *fragment_at))


def _read_view(body: str, at: int, piece: str, tail: _Tail) -> None:
    """``"!" dates`` behind the version: the view of 0.7 (section 12.3)."""
    seen = tail.visao is not None or (tail.versao is not None and bool(tail.versao.visao))
    _once(seen or None, "view", body, at)
    if tail.forma is not None or body[at - 1 : at] == "!":
        raise _misplaced("the view before the form", body, at)
    tail.visao = tail.keep(element(datas, piece, at + 1), at + 1)
    tail.old = True
    if tail.versao is not None and tail.versao.evento is not None:
        tail.marks.append(Mark(Accepted.MIXED, at, at + 1 + len(piece)))


def _once(already: object, sign: str, body: str, at: int) -> None:
    if already is not None:
        problem = f"expected one {_NAMES.get(sign, sign)}, got a second: {shown(body[at:])}"
        raise Refused(Reason.REPEATED_PART, problem, at, len(body), _STRUCTURE)


def _misplaced(expected: str, body: str, at: int) -> Refused:
    problem = f"expected {expected}, got {shown(body[at:])}"
    return Refused(Reason.MISPLACED_PART, problem, at, len(body), _STRUCTURE)


def _finish(
    place: Local,
    subjects: tuple[tuple[str, ...], ...],
    document: tuple[str, ...],
    described: Descritor,
    tail: _Tail,
) -> Reading:
    """Put the parts together; the view of 0.7 becomes the view of its version."""
    versao = tail.versao
    if tail.visao is not None:
        versao = replace(versao or Versao(), visao=tail.visao[0], visao_periodo=tail.visao[1])
    return Reading(
        Dialect.LEXML_07 if tail.old else Dialect.LEXML_10,
        place,
        subjects,
        document,
        described,
        versao,
        tail.forma,
        tail.fragmento,
        tail.propriedade,
    )
