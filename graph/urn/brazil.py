"""Parser for names of Brazil, in LexML 1.0 and 0.7 (part 2 of both), and their canonical spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeVar

from graph.urn import lexml10 as lexml10_document
from graph.urn.deviations import DeviationCode, Reason, SpellingCode
from graph.urn.scan import Mark, ReadValue, Refused, datas, dia, element, quoted
from graph.urn.values import (
    Descritor,
    Dialect,
    Forma,
    Fragmento,
    HasParts,
    Local,
    Propriedade,
    Reading,
    RfcParts,
    Versao,
)

# LexML 0.7: the elements whose spelling differs from 1.0 (part 2 of version 0.7).


_REGIONAL = re.compile(r"regiao\.justica\.(federal|trabalho);([0-9]+)")
#: Matches one or several dates or an interval; whether each is a day of the calendar is checked later.
_VIEW = re.compile(r"{day}(?:,{day})*|\[{day},{day}\]".format(day="[0-9]{4}-[0-9]{2}-[0-9]{2}"))
_PROPERTY = re.compile(r"(vig|efi)=(.*)")


def local_in_10(piece: str) -> str | None:
    """Return the 1.0 spelling of ``regiao.justica.federal;N`` or ``regiao.justica.trabalho;N`` (0.7, section 6.2).

    None for any other place.

    >>> local_in_10("regiao.justica.trabalho;13")
    'justica.trabalho;regiao.13'
    """
    regional = _REGIONAL.fullmatch(piece)
    return f"justica.{regional[1]};regiao.{regional[2]}" if regional else None


def is_view(piece: str) -> bool:
    """Return whether the text after ``!`` has the dates of a view, not provisions (0.7, section 12.3).

    Annex A of 1.0 also allows dates as identifiers of provisions, but no provision has such an identifier.

    >>> is_view("[2003-05-01,2005-04-02]"), is_view("2003-05-01,art5"), is_view("1")
    (True, False, False)
    """
    return _VIEW.fullmatch(piece) is not None


def propriedade(piece: str) -> Propriedade:
    """Read ``"vig=" date | "efi=" date``: a question about force or efficacy on a day (0.7, section 14.5)."""
    match = _PROPERTY.fullmatch(piece)
    if match is None:
        problem = f"expected vig=YYYY-MM-DD or efi=YYYY-MM-DD, got {quoted(piece)}"
        raise Refused(Reason.BAD_PROPERTY, problem, 0, len(piece), "LexML 0.7 part 2, section 14.5")
    return Propriedade(match[1], element(dia, match[2], 4))


def needs_07(versao: Versao | None, *, old: bool, anchored: bool) -> bool:
    """Return whether only LexML 0.7 can write this version.

    1.0 cannot express a view without a stated event. ``versao.original`` is a question in 0.7 (section 14.6) and an
    identity in 1.0, so a name of 0.7 with this word keeps its spelling if it has a provision (``anchored``).
    """
    if versao is None or versao.evento is not None:
        return False
    return bool(versao.visao) or (old and anchored and versao.palavra == "versao.original")


# Canonical spelling: writes the parts of a name as text.
#
# Names of Brazil are written as LexML 1.0 writes them (part 2, Annex A). A view whose event is unknown keeps the
# spelling of 0.7, because 1.0 requires an event. Names of other jurisdictions follow RFC 9676, section 8.


_ASKED = frozenset({"versao.vigente.em", "versao.eficaz.em", "versao.consultada.em"})


def canonical(reading: Reading) -> str:
    """Return the canonical name of the parts of a name.

    Equal parts give the same name, and parsing that name returns equal parts.
    """
    if reading.dialect is Dialect.RFC_9676:
        return _rfc(reading)
    place = ";".join((reading.local.pais, *reading.local.detalhe))
    work = (
        f"urn:lex:{place}:{_subjects(reading, ',')}:{';'.join(reading.tipo_documento)}:{_descritor(reading.descritor)}"
    )
    form = f"~{_forma(reading.forma)}" if reading.forma else ""
    fragment = _fragmento(reading.fragmento) if reading.fragmento else ""
    asked = f"${reading.propriedade.tipo}={reading.propriedade.data}" if reading.propriedade else ""
    versao = reading.versao
    if versao is None:
        return f"{work}{form}{'!' if fragment else ''}{fragment}{asked}"
    if not keeps_07(reading):
        return f"{work}@{_versao(versao)}{form}{'!' if fragment else ''}{fragment}{asked}"
    version = _versao(versao)
    view = _datas(versao.visao, periodo=versao.visao_periodo)
    return (
        f"{work}{':' if fragment else ''}{fragment}{'@' if version else ''}{version}"
        f"{'!' if view else ''}{view}{form}{asked}"
    )


def keeps_07(reading: HasParts) -> bool:
    """Return whether the canonical name has the spelling of LexML 0.7."""
    return needs_07(reading.versao, old=reading.dialect is Dialect.LEXML_07, anchored=reading.fragmento is not None)


def is_reference(reading: HasParts) -> bool:
    """Return whether the parts are a reference: a question that identifies nothing (LexML 1.0 part 2, only Annex B).

    A reference has an alias, or lacks number or date, or has a property or a version *in force on*, *in effect on* or
    *as consulted on* a day. In 0.7 also ``versao.original``, or a view without version and event, makes a reference.
    """
    if reading.dialect is Dialect.RFC_9676:
        return False
    descritor = reading.descritor
    dated = bool(descritor.datas) or descritor.ano is not None or descritor.epoca is not None
    if reading.propriedade is not None or not descritor.identificadores or not dated:
        return True
    versao = reading.versao
    if versao is None:
        return False
    if versao.palavra is None:
        return not versao.datas and versao.evento is None
    return versao.palavra in _ASKED or (versao.palavra == "versao.original" and keeps_07(reading))


def _subjects(reading: Reading, between: str) -> str:
    return between.join(map(";".join, reading.autoridade))


def _datas(days: tuple[date, ...], *, periodo: bool) -> str:
    text = ",".join(map(date.isoformat, days))
    return f"[{text}]" if periodo else text


def _descritor(descritor: Descritor) -> str:
    parts: list[str] = []
    if descritor.datas:
        parts.append(_datas(descritor.datas, periodo=descritor.periodo))
    elif descritor.ano is not None:
        parts.append(f"{descritor.ano:04d}")
    elif descritor.epoca is not None:
        parts.append(descritor.epoca)
    elif descritor.identificadores:
        parts.append("")
    if descritor.identificadores:
        parts.append(",".join(descritor.identificadores))
    elif descritor.apelido is not None:
        parts.append(descritor.apelido)
    for part in descritor.componentes:
        parts.append(part.id if part.titulo is None else f"{part.id},{part.titulo}")
    if descritor.retificacao is not None:
        parts.append(f"retificacao.{descritor.retificacao}")
    return ";".join(parts)


def _versao(versao: Versao) -> str:
    parts = [versao.palavra or _datas(versao.datas, periodo=versao.periodo)]
    if versao.data is not None:
        parts.append(versao.data.isoformat())
    if versao.evento is not None:
        parts.append(versao.evento)
        if versao.visao:
            hour = f"t{versao.hora:%H.%M}" if versao.hora else ""
            parts.append(_datas(versao.visao, periodo=versao.visao_periodo) + hour)
    return ";".join(parts)


def _forma(forma: Forma) -> str:
    return f"{forma.tipo};{','.join(forma.linguas)}" if forma.linguas else forma.tipo


def _fragmento(fragmento: Fragmento) -> str:
    parts = [part if isinstance(part, str) else f"[{part[0]},{part[1]}]" for part in fragmento.partes]
    if fragmento.inserido_por is not None:
        parts.append(fragmento.inserido_por)
    return ",".join(parts)


def _rfc(reading: Reading) -> str:
    rfc = reading.rfc or RfcParts()
    descritor = reading.descritor
    if descritor.datas:
        places = rfc.datas_locais or (None,) * len(descritor.datas)
        when = ",".join(
            day.isoformat() if place is None else f"{day.isoformat()}|{place}"
            for day, place in zip(descritor.datas, places, strict=True)
        )
    else:
        when = f"{descritor.ano:04d}" if descritor.ano is not None else (descritor.epoca or "")
    segments = [
        ";".join((reading.local.pais, *reading.local.detalhe)),
        _subjects(reading, "+"),
        ";".join(reading.tipo_documento),
        f"{when};{','.join(descritor.identificadores)}",
        *map(";".join, rfc.anexos),
    ]
    text = "urn:lex:" + ":".join(segments)
    if rfc.expressao or rfc.lingua:
        text += "@" + ";".join(rfc.expressao) + (f":{rfc.lingua}" if rfc.lingua else "")
    if rfc.manifestacao:
        text += "$" + ":".join(map(";".join, rfc.manifestacao))
    return text if rfc.particao is None else f"{text}~{rfc.particao}"


# Names of Brazil: split a text at its separators and distinguish LexML 1.0 from 0.7 (part 2 of both).


V = TypeVar("V")

_TAIL = re.compile(r"[@!~$]")
_COMPLETE = re.compile(r"[0-9\[][^;]*;")
#: The only document type that is identified by a year: a constitution has no number.
_WITHOUT_NUMBER = "constituicao"
_PROVISION = re.compile(r"\[?[a-z._-]")
_STRUCTURE = "LexML 1.0 part 2, section 5.1"
_DOCUMENT = "LexML 1.0 part 2, section 7"
_NAMES = {"@": "version", "!": "fragment", "~": "form", "$": "property"}


def read(body: str) -> ReadValue[Reading]:
    """Read ``local ":" autoridade ":" tipo ":" descritor ["@" versao] ["~" forma] ["!" fragmento]`` (5.1, Annex A).

    The dialect is LexML 0.7 if the name has an element only of 0.7: a view after ``!``, a fragment after a complete
    descriptor and ``:``, a property after ``$``, a regional court as place, or a period of reference as date.

    Args:
        body: the name from ``br`` on, in lower case and ASCII.

    Raises:
        Refused: with positions in ``body``.
    """
    tail_match = _TAIL.search(body)
    cut = tail_match.start() if tail_match else len(body)
    segments = body[:cut].split(":")
    if len(segments) < 4:
        raise _too_few(segments, cut)
    place, authority, kind, descriptor, *more = segments
    at_authority = len(place) + 1
    at_kind = at_authority + len(authority) + 1
    at_descriptor = at_kind + len(kind) + 1
    behind = at_descriptor + len(descriptor)
    if more and (len(more) > 1 or not _COMPLETE.match(descriptor) or not _PROVISION.match(more[0])):
        problem = f"expected nothing, or a provision, after a complete descriptor, got {quoted(body[behind:])}"
        raise Refused(Reason.EXTRA_COLON, problem, behind, len(body), "LexML 1.0 part 2, sections 4.2 and 10.1")
    if not descriptor and kind[:4].isdecimal():
        raise _without_authority(kind, at_kind, cut)
    if not descriptor:
        problem = "expected date and number after the type of document, got nothing"
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
        tail.fragmento = tail.keep(element(lexml10_document.fragmento, more[0], behind + 1), behind + 1)
        tail.old = True
    if cut < len(body):
        _read_tail(body, cut, tail)
    if more and tail.versao is not None and tail.versao.evento is not None:
        tail.marks.append(Mark(DeviationCode.MIXED, behind, cut))
    reading = _finish(Local(country, levels), subjects.value, document, described.value, tail)
    old_spelling = keeps_07(reading)
    if old_spelling and reading.fragmento is not None and not _COMPLETE.match(descriptor):
        problem = f"expected date and number before a provision and a view, got {quoted(descriptor)}"
        raise Refused(Reason.NO_NUMBER, problem, at_descriptor, behind, "LexML 0.7 part 2, sections 6.3 and 10.1")
    if old_spelling and reading.fragmento is not None and _starts_with_digit(reading.fragmento):
        problem = (
            "expected the event between version and view, or a provision that starts with a letter, "
            f"got {quoted(body[cut:])}"
        )
        raise Refused(Reason.BAD_FRAGMENT, problem, cut, len(body), "LexML 1.0 part 2, section 12.3")
    if more and not old_spelling:
        tail.normalised.append(SpellingCode.TRANSLATED)
    return ReadValue(reading, tuple(tail.normalised), tuple(tail.marks))


@dataclass(slots=True)
class _Tail:
    """The parts after the descriptor as written, and the deviations in them."""

    versao: Versao | None = None
    forma: Forma | None = None
    fragmento: Fragmento | None = None
    propriedade: Propriedade | None = None
    old: bool = False
    visao: tuple[tuple[date, ...], bool] | None = None
    normalised: list[SpellingCode] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def keep(self, read_value: ReadValue[V], index: int) -> V:
        """Return the value, and record its normalisations and deviations; ``index`` is the start of its piece."""
        value, normalised, marks = read_value
        if normalised:
            self.normalised += normalised
        if marks:
            self.marks += [Mark(mark.code, mark.start + index, mark.end + index) for mark in marks]
        return value


def _too_few(segments: list[str], cut: int) -> Refused:
    """Return the error for a name without authority, type or descriptor."""
    last = segments[-1]
    index = cut - len(last)
    if len(segments) > 1 and last[:4].isdecimal():
        return _without_authority(last, index, cut)
    missing = ("authority, type and descriptor", "type and descriptor", "a descriptor (date and number)")[
        len(segments) - 1
    ]
    return Refused(Reason.NO_DESCRIPTOR, f"expected {missing} after {quoted(last)}, got nothing", index, cut, _DOCUMENT)


def _without_authority(piece: str, index: int, cut: int) -> Refused:
    problem = f"expected authority, type and descriptor, got {quoted(piece)} with the authority or the type left out"
    return Refused(Reason.MISSING_PART, problem, index, cut, _DOCUMENT)


def _need_number(descritor: Descritor, piece: str, index: int) -> None:
    """Refuse a year without a number: it identifies no document, and is often meant as a number (section 10.1)."""
    if not descritor.identificadores and descritor.apelido is None:
        problem = (
            "expected date and number: a year alone names no document; a number needs its date or year in front, "
            f"got {quoted(piece)}"
        )
        raise Refused(Reason.NO_NUMBER, problem, index, index + len(piece), "LexML 1.0 part 2, section 10.1")


def _starts_with_digit(fragmento: Fragmento) -> bool:
    """Return whether 0.7 could read a fragment as a second number, because 0.7 writes fragments after ``:``."""
    first = fragmento.partes[0]
    return (first if isinstance(first, str) else first[0])[0].isdecimal()


def _local(piece: str, tail: _Tail) -> tuple[str, tuple[str, ...]]:
    """Read ``"br" [";" ...]`` (section 6); places of 0.7 are converted to 1.0."""
    if piece == "br":
        return "br", ()
    if piece[2] != ";":
        problem = f"expected 'br', ';' and a place, got {quoted(piece)}"
        raise Refused(Reason.BAD_JURISDICTION, problem, 0, len(piece), "LexML 1.0 part 2, section 6")
    levels = piece[3:]
    translated = local_in_10(levels)
    if translated is None:
        return "br", tail.keep(element(lexml10_document.local, levels, 3), 3)
    tail.old = True
    tail.normalised.append(SpellingCode.TRANSLATED)
    return "br", lexml10_document.local(translated).value


def _read_tail(body: str, cut: int, tail: _Tail) -> None:
    """Read version, view, form, fragment and property, in any order."""
    colon = body.find(":", cut)
    if colon >= 0:
        tail_match = _TAIL.search(body, colon)
        end = tail_match.start() if tail_match else len(body)
        problem = f"expected no ':' after the document: '!' precedes a provision, got {quoted(body[colon:end])}"
        raise Refused(Reason.EXTRA_COLON, problem, colon, end, "LexML 1.0 part 2, sections 4.2 and 11")
    fragment_at: tuple[int, int] | None = None
    index = cut
    while index < len(body):
        tail_match = _TAIL.search(body, index + 1)
        end = tail_match.start() if tail_match else len(body)
        sign, piece = body[index], body[index + 1 : end]
        if tail.propriedade is not None:
            raise _misplaced("nothing after the property", body, index)
        if sign == "@":
            _refuse_second(tail.versao, sign, body, index)
            if tail.forma is not None or tail.visao is not None:
                raise _misplaced("the version before view and form", body, index)
            tail.versao = tail.keep(element(lexml10_document.versao, piece, index + 1), index + 1)
            if fragment_at:
                tail.marks.append(Mark(DeviationCode.FRAGMENT_BEFORE_VERSION, *fragment_at))
        elif sign == "~":
            _refuse_second(tail.forma, sign, body, index)
            tail.forma = element(lexml10_document.forma, piece, index + 1)
            if fragment_at and not any(mark.code is DeviationCode.FRAGMENT_BEFORE_VERSION for mark in tail.marks):
                tail.marks.append(Mark(DeviationCode.FRAGMENT_BEFORE_FORM, *fragment_at))
        elif sign == "$":
            tail.propriedade = element(propriedade, piece, index + 1)
            tail.old = True
        elif not piece and end == len(body):
            tail.marks.append(Mark(DeviationCode.TRAILING, index, end))
        elif is_view(piece):
            _read_view(body, index, piece, tail)
        else:
            _refuse_second(tail.fragmento, sign, body, index)
            tail.fragmento = tail.keep(element(lexml10_document.fragmento, piece, index + 1), index + 1)
            fragment_at = (index, end)
        index = end
    if fragment_at and (tail.visao is not None or needs_07(tail.versao, old=tail.old, anchored=True)):
        tail.marks.append(Mark(DeviationCode.MIXED, *fragment_at))


def _read_view(body: str, index: int, piece: str, tail: _Tail) -> None:
    """Read ``"!" dates`` after the version: the view of 0.7 (section 12.3)."""
    seen = tail.visao is not None or (tail.versao is not None and bool(tail.versao.visao))
    _refuse_second(seen or None, "view", body, index)
    if tail.forma is not None or body[index - 1 : index] == "!":
        raise _misplaced("the view before the form", body, index)
    tail.visao = tail.keep(element(datas, piece, index + 1), index + 1)
    tail.old = True
    if tail.versao is not None and tail.versao.evento is not None:
        tail.marks.append(Mark(DeviationCode.MIXED, index, index + 1 + len(piece)))


def _refuse_second(already: object, sign: str, body: str, index: int) -> None:
    if already is not None:
        problem = f"expected one {_NAMES.get(sign, sign)}, got a second: {quoted(body[index:])}"
        raise Refused(Reason.REPEATED_PART, problem, index, len(body), _STRUCTURE)


def _misplaced(expected: str, body: str, index: int) -> Refused:
    problem = f"expected {expected}, got {quoted(body[index:])}"
    return Refused(Reason.MISPLACED_PART, problem, index, len(body), _STRUCTURE)


def _finish(
    place: Local,
    subjects: tuple[tuple[str, ...], ...],
    document: tuple[str, ...],
    described: Descritor,
    tail: _Tail,
) -> Reading:
    """Return the parts together; a view of 0.7 becomes the view of the version."""
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
