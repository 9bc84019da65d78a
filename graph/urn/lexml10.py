"""LexML 1.0: the elements of a document's name, and its version, form and fragment (part 2, sections 6 to 13)."""

from __future__ import annotations

import re
from datetime import date, time
from functools import lru_cache

from graph.urn.deviations import DeviationCode, Reason, SpellingCode
from graph.urn.scan import (
    NO_DATES,
    Dates,
    Mark,
    ReadValue,
    Refused,
    datas,
    dia,
    element,
    pieces,
    quoted,
    sorted_without_duplicates,
)
from graph.urn.values import Componente, Descritor, Forma, Fragmento, Versao
from ontology.places import UNITS, UNITS_WITH_CONNECTIVES

# LexML 1.0, the document: place, authority, type and descriptor (part 2, sections 6 to 10; Annexes A and B).
#
# Each function reads one piece, already split at the separators, in lower case and ASCII. It returns the value, or
# raises :class:`graph.urn.scan.Refused` with positions in the piece.


#: The number of results cached for each of places, authorities and types, which are often repeated.
_KEPT = 1024

_NORMAL = re.compile(r"\.*[a-z0-9][a-z0-9.]*")
_NORMAL_ID = re.compile(r"[._-]*[a-z0-9][a-z0-9._-]*")
_AUTHORITY_WORD = re.compile(r"[.-]*[a-z0-9][a-z0-9.-]*")
_PLACE = re.compile(r"\.*[a-z][a-z.]*")
_YEAR = re.compile(r"[0-9]{4}")
_EPOCH = re.compile(r"[0-9]+\.[a-z][a-z0-9.]*")
_ALIAS = re.compile(r"[0-9.]*[a-z][a-z0-9.]*")
_NUMBER_ALONE = re.compile(r"[0-9][0-9.]*")
_RECTIFICATION = re.compile(r"retificacao\.[0-9]+")
_EXTRA = re.compile(r"(?:edicao\.extra|suplemento)(?:\.[0-9]+)?")
_BRANCH_LEVEL = re.compile(r"(?:regiao|zona)\.[0-9]+|secao\.judiciaria|comarca")
_ARTICLE = re.compile(r"art[0-9][a-z0-9.]*")
_RUNS = re.compile(r"[0-9]+|[^0-9]+")
#: A date and one number that starts with a digit: the form of most descriptors.
_ORDINARY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2});([0-9][a-z0-9.-]*)")
_BRANCHES = frozenset({"federal", "trabalho", "eleitoral", "militar", "estadual"})

_DATES = "LexML 1.0 part 2, section 4.4"
_LOCAL = "LexML 1.0 part 2, section 6"
_AUTHORITY = "LexML 1.0 part 2, section 8"
_TYPE = "LexML 1.0 part 2, section 9.2"
_DESCRIPTOR = "LexML 1.0 part 2, section 10.1"
_NUMBERS = "LexML 1.0 part 2, section 10.2"
_COMPONENT = "LexML 1.0 part 2, section 10.3"


@lru_cache(_KEPT)
def local(piece: str) -> ReadValue[tuple[str, ...]]:
    """Read the text after ``br;``: unit and municipality, or branch of the judiciary and its levels (section 6).

    ``[unit] ";justica." branch *(";" level)``, where a level is a region, a zone, ``secao.judiciaria``, ``comarca``
    or a list of places. An abbreviated unit is replaced by its name (Annex B). The order of a list of places has no
    meaning, so they are sorted, as authorities are.
    """
    levels: list[str] = []
    normalised: tuple[SpellingCode, ...] = ()
    marks: list[Mark] = []
    judiciary = False
    for depth, (item, index) in enumerate(pieces(piece, ";")):
        if not item:
            raise Refused(Reason.EMPTY_PART, "expected a place, got nothing", index, index, _LOCAL)
        if item.startswith("justica.") and depth <= 1 and not judiciary:
            if item[8:] not in _BRANCHES:
                problem = f"expected justica.federal, .trabalho, .eleitoral, .militar or .estadual, got {quoted(item)}"
                raise Refused(Reason.BAD_LOCAL, problem, index, index + len(item), _LOCAL)
            judiciary = True
            levels.append(item)
            continue
        if judiciary and _BRANCH_LEVEL.fullmatch(item):
            levels.append(item)
            continue
        if not judiciary and depth > 1:
            problem = f"expected at most a unit and a municipality, got {quoted(piece)}"
            raise Refused(Reason.BAD_LOCAL, problem, index - 1, len(piece), _LOCAL)
        places = tuple(element(_place, place, index + shift) for place, shift in pieces(item, ","))
        if len(places) > 1 and not judiciary:
            problem = f"expected one place, got {quoted(item)}"
            raise Refused(Reason.BAD_LOCAL, problem, index, index + len(item), _LOCAL)
        if judiciary or depth == 0:
            spelled = [element(_unit, place, index + shift) for place, shift in pieces(item, ",")]
            if any(len(place) == 2 for place in places):
                normalised += (SpellingCode.UNIT_SPELLED_OUT,)
            if any(place in UNITS_WITH_CONNECTIVES for place in places):
                marks.append(Mark(DeviationCode.CONNECTIVE, index, index + len(item)))
            places, in_order, repeated = sorted_without_duplicates(spelled, str, SpellingCode.PLACES_SORTED)
            normalised += in_order
            if repeated:
                marks.append(Mark(DeviationCode.REPEATED, index, index + len(item)))
        levels.append(",".join(places))
    return ReadValue(tuple(levels), normalised, tuple(marks))


def _place(piece: str) -> str:
    """Read a place, ``1*(letter | ".")``."""
    if not _PLACE.fullmatch(piece):
        problem = f"expected a place in letters and dots, got {quoted(piece)}"
        raise Refused(Reason.BAD_LOCAL, problem, 0, len(piece), _LOCAL)
    return piece


def _unit(piece: str) -> str:
    """Return the name of an abbreviated unit (Annex B, ``unidade-federacao-ou-uf``); other places unchanged."""
    if len(piece) != 2:
        return UNITS_WITH_CONNECTIVES.get(piece, piece)
    if piece not in UNITS:
        problem = f"expected the abbreviation of one of the 27 units, got {quoted(piece)}"
        raise Refused(Reason.UNKNOWN_UNIT, problem, 0, len(piece), _LOCAL)
    return UNITS[piece]


def _words(piece: str, word: re.Pattern[str], description: str, code: Reason, section: str) -> tuple[str, ...]:
    """Return the items separated by ``;``, each of which must match ``word``."""
    items = piece.split(";")
    for item, index in pieces(piece, ";"):
        if not item:
            raise Refused(Reason.EMPTY_PART, f"expected {description}, got nothing", index, index, section)
        if not word.fullmatch(item):
            problem = f"expected {description} in letters, digits and dots, got {quoted(item)}"
            raise Refused(code, problem, index, index + len(item), section)
    return tuple(items)


@lru_cache(_KEPT)
def autoridade(piece: str) -> ReadValue[tuple[tuple[str, ...], ...]]:
    """Read ``sujeito *("," sujeito)``; a subject is ``instituicao *(";" orgao) [";" funcao]`` (section 8).

    Several subjects are sorted alphabetically by their coded names (section 8.2).
    """
    marks: list[Mark] = []
    subjects: list[tuple[str, ...]] = []
    for subject, index in pieces(piece, ","):
        subjects.append(element(_subject, subject, index))
        if "-" in subject:
            marks.append(Mark(DeviationCode.HYPHEN, index, index + len(subject)))
    if len(subjects) == 1:
        return ReadValue(tuple(subjects), (), tuple(marks))
    in_order, normalised, repeated = sorted_without_duplicates(subjects, ";".join, SpellingCode.AUTHORITIES_SORTED)
    if repeated:
        marks.append(Mark(DeviationCode.REPEATED, 0, len(piece)))
    return ReadValue(in_order, normalised, tuple(marks))


def _subject(piece: str) -> tuple[str, ...]:
    return _words(piece, _AUTHORITY_WORD, "an authority", Reason.BAD_AUTHORITY, _AUTHORITY)


@lru_cache(_KEPT)
def tipo_documento(piece: str) -> ReadValue[tuple[str, ...]]:
    """Read ``tipo [";" subtipo]``, or ``publicacao.oficial;periodico[;secao][;edicao.extra|suplemento]`` (9.2)."""
    items = _words(piece, _NORMAL, "a type of document", Reason.BAD_TYPE, _TYPE)
    gazette = items[0] == "publicacao.oficial"
    if len(items) > (4 if gazette else 2):
        expected = "gazette, section and one detail" if gazette else "a type and at most one subtype"
        raise Refused(Reason.BAD_TYPE, f"expected {expected}, got {quoted(piece)}", 0, len(piece), _TYPE)
    if len(items) == 4 and not _EXTRA.fullmatch(items[3]):
        return ReadValue(items, (), (Mark(DeviationCode.GAZETTE, len(piece) - len(items[3]), len(piece)),))
    return ReadValue(items)


def descritor(piece: str) -> ReadValue[Descritor]:
    """Read ``(dates|year) ";" numbers *(";" component) [";retificacao." digits]`` (section 10.1, Annex A).

    A reference (Annex B) may have no number, or an alias instead of it, with or without the date. An item instead of
    the number is an alias if it has only letters and dots; with a digit, ``-`` or ``_`` it is a number. A single item
    of letters, digits and dots is an alias. A year alone is also read; whether it identifies a document depends on the
    type.
    """
    ordinary = _ORDINARY.fullmatch(piece)
    if ordinary:
        return ReadValue(Descritor(datas(ordinary[1]).value[0], identificadores=(ordinary[2],)))
    items = list(pieces(piece, ";"))
    rectification: int | None = None
    normalised: list[SpellingCode] = []
    if len(items) > 1 and _RECTIFICATION.fullmatch(items[-1][0]):
        digits = items.pop()[0][12:]
        rectification = int(digits)
        if str(rectification) != digits:
            normalised.append(SpellingCode.PLAIN_NUMBER)
    first = items[0][0]
    undated = not first and len(items) > 1 and any(map(str.isdecimal, items[1][0]))
    if not first and not undated:
        raise Refused(Reason.EMPTY_PART, "expected a date, a year or an alias, got nothing", 0, 1, _DESCRIPTOR)
    if undated:
        return _undated(items, rectification, tuple(normalised))
    named = len(items) == 1 and _ALIAS.fullmatch(first) is not None
    if named or (not first[0].isdecimal() and first[0] != "["):
        alias = element(_alias, first, 0)
        parts = tuple(element(_component, item, offset) for item, offset in items[1:])
        return ReadValue(Descritor(apelido=alias, componentes=parts, retificacao=rectification), tuple(normalised))
    days, year, epoch = _when(first, numbered=len(items) > 1)
    marks = list(days.marks)
    normalised += days.normalised
    numbers: ReadValue[tuple[str, ...]] = ReadValue(())
    alias_in_place: str | None = None
    if len(items) > 1:
        second, index = items[1]
        if "," not in second and _ALIAS.fullmatch(second) and not any(map(str.isdecimal, second)):
            alias_in_place = second
        else:
            numbers = element(_identificadores, second, index)
            marks += [Mark(mark.code, mark.start + index, mark.end + index) for mark in numbers.marks]
            normalised += numbers.normalised
    return ReadValue(
        Descritor(
            datas=days.value[0],
            periodo=days.value[1],
            identificadores=numbers.value,
            apelido=alias_in_place,
            componentes=tuple(element(_component, item, offset) for item, offset in items[2:]),
            retificacao=rectification,
            ano=year,
            epoca=epoch,
        ),
        tuple(normalised),
        tuple(marks),
    )


def _undated(
    items: list[tuple[str, int]], rectification: int | None, normalised: tuple[SpellingCode, ...]
) -> ReadValue[Descritor]:
    """Read a number without a date, as in citations: a reference that neither annex allows."""
    second, index = items[1]
    numbers = element(_identificadores, second, index)
    marks = [Mark(mark.code, mark.start + index, mark.end + index) for mark in numbers.marks]
    return ReadValue(
        Descritor(
            identificadores=numbers.value,
            componentes=tuple(element(_component, item, offset) for item, offset in items[2:]),
            retificacao=rectification,
        ),
        normalised + numbers.normalised,
        (Mark(DeviationCode.NO_DATE, 0, 1), *marks),
    )


def _when(piece: str, *, numbered: bool) -> tuple[ReadValue[Dates], int | None, str | None]:
    """Read dates, or a year (section 10.1), or a period of reference (LexML 0.7 part 2, section 5.4.1)."""
    if _YEAR.fullmatch(piece):
        if piece == "0000":
            raise Refused(Reason.BAD_DATE, "expected a year from 0001 on, got '0000'", 0, 4, _DATES)
        return NO_DATES, int(piece), None
    if numbered and _EPOCH.fullmatch(piece):
        return NO_DATES, None, piece
    if not numbered and _NUMBER_ALONE.fullmatch(piece):
        problem = f"expected a date or a year in front of a number, got {quoted(piece)} alone"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DESCRIPTOR)
    if piece.isdecimal():
        problem = f"expected a date YYYY-MM-DD or a year of four digits, got {quoted(piece)}"
        raise Refused(Reason.BAD_DATE, problem, 0, len(piece), _DESCRIPTOR)
    return datas(piece), None, None


def _alias(piece: str) -> str:
    """Read ``apelido-documento ::= 1*normal``: letters, digits, dots; at least one letter (sections 5.2 and 10.1)."""
    if not _ALIAS.fullmatch(piece):
        problem = f"expected a date, a year or an alias in letters, digits and dots, got {quoted(piece)}"
        raise Refused(Reason.BAD_ALIAS, problem, 0, len(piece), _DESCRIPTOR)
    return piece


def _identificadores(piece: str) -> ReadValue[tuple[str, ...]]:
    """Read ``id *("," id)``, each of letters, digits, ``.``, ``_`` and ``-``, and sort them (section 10.2)."""
    for item, index in pieces(piece, ","):
        if not item:
            raise Refused(Reason.EMPTY_PART, "expected a number, got nothing", index, index, _NUMBERS)
        if not _NORMAL_ID.fullmatch(item):
            problem = f"expected a number in letters, digits, '.', '_' and '-', got {quoted(item)}"
            raise Refused(Reason.BAD_NUMBER, problem, index, index + len(item), _NUMBERS)
    if "," not in piece:
        mark = Mark(DeviationCode.NUMBER_IS_PROVISION, 0, len(piece))
        return ReadValue((piece,), (), (mark,) if _ARTICLE.fullmatch(piece) else ())
    in_order, normalised, repeated = sorted_without_duplicates(piece.split(","), _natural, SpellingCode.NUMBERS_SORTED)
    marks = (Mark(DeviationCode.REPEATED, 0, len(piece)),) if repeated else ()
    return ReadValue(in_order, normalised, marks)


def _natural(number: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a sort key that sorts 9 before 10, and equal numbers by their spelling."""
    runs = _RUNS.findall(number)
    return tuple(
        (0, len(run.lstrip("0")), run.lstrip("0")) if run[0].isdecimal() else (1, 0, run) for run in runs
    ), number


def _component(piece: str) -> Componente:
    """Read ``id ["," titulo]``, both of letters, digits and dots (section 10.3)."""
    name, comma, title = piece.partition(",")
    if not piece:
        raise Refused(Reason.EMPTY_PART, "expected a component, got nothing", 0, 0, _COMPONENT)
    if not _NORMAL.fullmatch(name) or (comma and not _NORMAL.fullmatch(title)):
        problem = f"expected a component, such as anexo.1 or anexo.1,title, got {quoted(piece)}"
        raise Refused(Reason.BAD_COMPONENT, problem, 0, len(piece), _COMPONENT)
    return Componente(name, title if comma else None)


# LexML 1.0, after the document: version, form and fragment (part 2, sections 11 to 13; Annexes A and B).
#
# Each function reads one piece, already split at the separators, in lower case and ASCII. It returns the value, or
# raises :class:`graph.urn.scan.Refused` with positions in the piece.


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


def versao(piece: str) -> ReadValue[Versao]:
    """Read ``[dates | word | word ".em;" date] [";" evento [";" visao]]`` (section 12.3; Annexes A and B).

    The date may be omitted if the event is stated. ``data.evento;evento;date[tHH.MM]`` is an extension for bills of
    the Senate.
    """
    first, _, rest = piece.partition(";")
    index = len(first) + 1
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
        days = ReadValue(days.value, days.normalised, (Mark(DeviationCode.ORIGINAL, 0, len(first)),))
    elif first in _WORDS_WITH_DAY:
        word = first
        asked, _, rest = rest.partition(";")
        day = element(dia, asked, index)
        index += len(asked) + 1
    elif first[:1].isdecimal() or first[:1] == "[":
        days = datas(first)
    elif first:
        problem = (
            "expected dates, versao.original, inicio.vigencia, multivigente, versao.vigente.em, versao.eficaz.em or "
            f"versao.consultada.em, got {quoted(first)}"
        )
        raise Refused(Reason.BAD_VERSION, problem, 0, len(first), _VERSION)
    if index > len(piece):
        return ReadValue(Versao(*days.value, word, day), days.normalised, days.marks)
    event, semicolon, view = rest.partition(";")
    element(_evento, event, index)
    index += len(event) + 1
    seen = NO_DATES
    if semicolon:
        seen = element(datas, view, index)
    return ReadValue(
        Versao(*days.value, word, day, event, *seen.value),
        days.normalised + seen.normalised,
        days.marks + tuple(Mark(mark.code, mark.start + index, mark.end + index) for mark in seen.marks),
    )


def _evento(piece: str) -> str:
    """Read ``evento ::= 1*normal`` with at least one letter or digit (section 12.3)."""
    if not _NORMAL.fullmatch(piece):
        problem = f"expected an event, such as publicacao, got {quoted(piece)}"
        raise Refused(Reason.BAD_EVENT, problem, 0, len(piece), _VERSION)
    return piece


def _data_evento(piece: str) -> ReadValue[Versao]:
    """Read ``data.evento;evento;YYYY-MM-DD[tHH.MM]``: the event and its time, which no grammar has."""
    items = piece.split(";")
    timed = _TIMED.fullmatch(items[2]) if len(items) == 3 else None
    if timed is None:
        problem = f"expected data.evento;event;YYYY-MM-DDtHH.MM, got {quoted(piece)}"
        raise Refused(Reason.BAD_VERSION, problem, 0, len(piece), _VERSION)
    event = element(_evento, items[1], 12)
    index = 13 + len(event)
    day = element(dia, timed[1], index)
    hour: time | None = None
    if timed[2]:
        if int(timed[2]) > 23 or int(timed[3]) > 59:
            problem = f"expected a time of day from 00.00 to 23.59, got {quoted(items[2][11:])}"
            raise Refused(Reason.BAD_TIME, problem, index + 11, len(piece), _VERSION)
        hour = time(int(timed[2]), int(timed[3]))
    value = Versao(palavra="data.evento", evento=event, visao=(day,), hora=hour)
    return ReadValue(value, (), (Mark(DeviationCode.DATA_EVENTO, 0, 11),))


def forma(piece: str) -> Forma:
    """Read ``tipo [";" lingua *("," lingua)]``; a language is code, script, region in letters (section 13)."""
    kind, semicolon, languages = piece.partition(";")
    if not piece:
        raise _empty(piece, "a form, such as texto;pt-br", _FORM)
    if not _NORMAL.fullmatch(kind):
        problem = f"expected a form in letters, digits and dots, got {quoted(kind)}"
        raise Refused(Reason.BAD_FORM, problem, 0, len(kind), _FORM)
    if not semicolon:
        return Forma(kind)
    for item, index in pieces(languages, ","):
        if not _LANGUAGE.fullmatch(item):
            start = len(kind) + 1 + index
            problem = f"expected a language, such as pt-br, got {quoted(item)}"
            raise Refused(Reason.BAD_FORM, problem, start, start + len(item), _FORM)
    return Forma(kind, tuple(languages.split(",")))


def fragmento(piece: str) -> ReadValue[Fragmento]:
    """Read ``(id | "[" id "," id "]") *("," ...)`` (section 11).

    After one provision, ``,norm`` or ``,judgment`` may state what inserted it; no grammar has this.

    >>> fragmento("[art6,art10],art12").value.partes
    (('art6', 'art10'), 'art12')
    """
    if "," not in piece and _NORMAL_ID.fullmatch(piece):
        return ReadValue(Fragmento((piece,)))
    parts: list[str | tuple[str, str]] = []
    items = list(pieces(piece, ","))
    index = 0
    while index < len(items):
        item, start = items[index]
        if not item.startswith("["):
            parts.append(element(_particao, item, start))
            index += 1
            continue
        last, behind = items[index + 1] if index + 1 < len(items) else ("", len(piece))
        if not last.endswith("]"):
            problem = f"expected a range [first,last], got {quoted(piece[start:])}"
            raise Refused(Reason.BAD_FRAGMENT, problem, start, len(piece), _FRAGMENT)
        parts.append((element(_particao, item[1:], start + 1), element(_particao, last[:-1], behind)))
        index += 2
    suffix, start = items[-1]
    if len(items) == 1 or not _is_inserter(suffix, start):
        return ReadValue(Fragmento(tuple(parts)))
    if len(parts) > 2 or not isinstance(parts[0], str):
        problem = f"expected one provision before {quoted(suffix)}, which states what inserted it"
        raise Refused(Reason.BAD_FRAGMENT, problem, 0, len(piece), _FRAGMENT)
    return ReadValue(Fragmento((parts[0],), suffix), (), (Mark(DeviationCode.INSERTED_BY, start, len(piece)),))


def _particao(piece: str) -> str:
    """Read ``id-particao ::= 1*(letter | digit | "." | "_" | "-")``, as part 3 makes them (section 11)."""
    if not piece:
        raise _empty(piece, "a provision, such as art5_par2", _FRAGMENT)
    if not _NORMAL_ID.fullmatch(piece):
        problem = f"expected a provision, such as art5_par2, got {quoted(piece)}"
        raise Refused(Reason.BAD_FRAGMENT, problem, 0, len(piece), _FRAGMENT)
    return piece


def _is_inserter(piece: str, index: int) -> bool:
    """Return whether a piece is ``type-number-YYYY-MM-DD`` or the class and number of a judgment."""
    if _JUDGMENT.fullmatch(piece):
        return True
    tail = piece[-10:]
    if len(piece) < 14 or piece[-11] != "-" or not _DAY.fullmatch(tail) or not _NORM.fullmatch(piece[:-11]):
        return False
    element(dia, tail, index + len(piece) - 10)
    return True


def _empty(piece: str, description: str, section: str) -> Refused:
    return Refused(Reason.EMPTY_PART, f"expected {description}, got nothing", 0, len(piece), section)
