"""Finds what looks like a citation and was not named, and the levels of provisions that were not read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graph.errors import Count
from graph.wording.citations.issuers import LOCAL_DEMONYM, belongs_to_other_place, is_foreign, is_former_norm
from graph.wording.citations.judgments import JUDGMENT, MARK, NUMBER, judgment_at
from graph.wording.citations.norms import NICKNAME, NORM, numbered_at
from graph.wording.citations.values import NO_AUTHORITY, Citation
from ontology.places import UNITS


class LeftOutCode(StrEnum):
    """The reason why words that look like a citation have no name."""

    NO_PLACE = "no-place"
    NO_AUTHORITY = "no-authority"
    JUDGMENT_WITHOUT_DAY = "judgment-without-day"
    FOREIGN = "foreign"
    TYPE_UNKNOWN = "type-unknown"
    SEVERAL_READINGS = "several-readings"
    WRONG_DAY = "wrong-day"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Words that look like a citation and were not named.

    Attributes:
        start: the index of the first character in the text.
        end: the index after the last character.
        text: the words, from ``start`` to ``end``.
        code: why they have no name: ``no-place`` (of a state or municipality that is not known), ``no-authority`` (the
            body is not stated or not known), ``judgment-without-day`` (the name of a judgment needs its day),
            ``foreign``, ``type-unknown``, ``several-readings``, ``wrong-day`` (the calendar has no such day).
    """

    start: Count
    end: Count
    text: str
    code: LeftOutCode


# Words that look like citations, besides numbered norms and nicknames.


_FOREIGN = (
    rf"(?:Conven[çc][ãa]o|Recomenda[çc][ãa]o)\s{{1,3}}{MARK}?{NUMBER}(?:,?\s+de\s+\d{{4}},?)?(?:\s+d[ao]\s+|\s?/\s?)(?:OIT|ONU|Organiza[çc][ãa]o)"
    r"|(?:Conven[çc][ãa]o|Tratado|Protocolo|Acordo)\s{1,3}d[aeo]\s{1,3}[A-ZÀ-Ú][\wÀ-ú]{1,24}(?:\s[A-ZÀ-Ú][\wÀ-ú]{1,24}){0,2}"
    r"(?:,?\s+de\s+|\s?\(\s?)(?:1[89]|20)\d\d(?!\d)\)?"
    r"|Conven[çc][ãa]o\s+(?:de\s+(?:Viena|Genebra|Haia|Vars[óo]via|Montreal)|da\s+Haia|Americana\s+(?:sobre|de)\s+Direitos\s+Humanos)(?!\w)"
    r"|Pacto\s+de\s+S(?:an|ão)\s+Jos[ée](?:\s+da\s+Costa\s+Rica)?(?!\w)"
    rf"|(?:Regulamento|Diretiva|Decis[ãa]o)\s{{1,3}}(?:\((?:UE|CE|CEE)\)\s{{0,3}}{MARK}?\d{{1,5}}/\d{{1,5}}|{MARK}?\d{{1,5}}/\d{{1,5}}/(?:UE|CEE|CE))"
)
_OTHER_TYPE = (
    r"(?:Atos?|Normas?|Edita(?:l|is)|Avisos?|Of[íi]cios?(?:[\s-]Circular(?:es)?)?|Mensage(?:m|ns)|Exposi[çc][ãa]o\s+de\s+Motivos|Parecer(?:es)?|Despachos?|Comunicados?|Enunciados?|Nota\s+T[ée]cnica|Ordem\s+de\s+Servi[çc]o"
    r"|Solu[çc][ãa]o\s+de\s+Consulta|Conv[êe]nios?|Ajuste|Protocolo|Orienta[çc][ãa]o\s+Jurisprudencial|Regimento|Regulamento"
    r"|Decis[ãa]o|Emenda\s+Regimental|Assento)"
    rf"(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ú][\wÀ-ú./-]{{0,24}}){{0,4}}\s{{1,3}}(?:{MARK}\d[\d.]{{0,8}}|\d[\d.]{{0,8}}(?=\s?/\s?\d))(?:\s?/\s?\d{{2,4}})?"
    r"|(?:Enunciados?|ENUNCIADOS?)\s{1,3}(?:\d{1,4}(?=,?\s+d[aoe]s?\s+[A-ZÀ-Ú])|[A-Z]{3,12}\s{1,3}\d{1,4})(?!\d)"
    rf"|[DL]\.\s{{0,3}}{MARK}\d{{1,3}}(?!\.?\d)"
    rf"|(?:OJ|NR|NBR)(?:\s{{1,3}}|-)(?:{MARK})?\d{{1,5}}(?!\d)"
)
_OTHER_TYPE_READER = re.compile(_OTHER_TYPE)
_OF_A_PLACE = (
    r"LOM(?=,\s*art)|(?<=\bda\s)LOM\b|(?i:lei\s+org[âa]nica)\s+(?i:municipal|do\s+munic[íi]pio)|(?<![Ee]sta\s)Lei\s+Org[âa]nica(?!\s+d[ao]s?\s)(?!\w)(?!\s+[Nn][º°.])"
    rf"|Constitui[çc][ãa]o\s+(?:(?i:estadual|do\s+estado(?!s))(?!\w)|(?i:{LOCAL_DEMONYM}))"
    rf"|(?i:leis?|decretos?)(?:\s+(?i:complementar(?:es)?|estadua(?:l|is)|municipa(?:l|is)))?\s+(?i:{LOCAL_DEMONYM})\s+{MARK}?{NUMBER}(?:/\d{{2,4}})?"
    rf"|LC[EM]\s+{MARK}{NUMBER}(?:/\d{{2,4}})?"
    r"|(?:C[óo]digo|Estatuto|Regulamento)\s+(?:[A-ZÀ-Ú][\wÀ-ú]{2,20}\s+|d[aeo]s?\s+){1,4}(?:Municipal|Estadual|do\s+Munic[íi]pio|do\s+Estado)(?!\w)"
)
#: The rules of a court, whose norm changed over time; the organic law of a body, which the union and each state have.
_RULES = (
    r"(?:Regimento\s+Interno|REGIMENTO\s+INTERNO)\s+d[oa]\s+(?:(?:STF|STJ|TST|TSE|STM|TRF|TRT|TJ[A-Z]{2})\b"
    r"|(?:Supremo|Superior|Tribunal)\s)"
    r"|RI(?:STF|STJ|TST|TSE)(?!\w)|Lei\s+Org[âa]nica\s+d[ao]s?\s+[A-ZÀ-Ú][\wÀ-ú]{1,20}"
)
_CANDIDATE = re.compile(
    rf"(?<![\w/])(?:(?P<foreign>{_FOREIGN})|(?P<judgment>{JUDGMENT})|(?P<place>{_OF_A_PLACE})|(?P<rules>{_RULES})"
    rf"|(?P<norm>(?=(?:{NORM})))|(?P<nickname>{NICKNAME})|(?P<type>{_OTHER_TYPE}))"
)
_CODES = {
    "foreign": LeftOutCode.FOREIGN,
    "place": LeftOutCode.NO_PLACE,
    "rules": LeftOutCode.SEVERAL_READINGS,
    "type": LeftOutCode.TYPE_UNKNOWN,
}
#: The state of a norm, which its words have after its number.
_STATE = re.compile(rf"(?:\s?[-–/]\s?|\s?\()(?:{'|'.join(UNITS).upper()})\)?(?![A-Za-zÀ-ú])")


def left_out(text: str, found: Sequence[Citation]) -> Iterator[LeftOut]:
    """Yield what looks like a citation and was not named, in order.

    Provisions without a norm are not included: "o art. 5º".

    Args:
        text: the text.
        found: its citations, in order.
    """
    starts = [citation.start for citation in found]
    position = 0
    while (match := _CANDIDATE.search(text, position)) is not None:
        end, code = _read(text, match)
        before = bisect_right(starts, max(match.start(), end - 1)) - 1
        if before >= 0 and found[before].end > match.start():
            position = max(found[before].end, match.start() + 1)
        elif code is None:
            position = max(end, match.start() + 1)
        else:
            words = text[match.start() : end].rstrip()
            yield LeftOut(match.start(), match.start() + len(words), words, code)
            position = end


def _code_of_judgment(text: str, position: int) -> LeftOutCode:
    judgment = judgment_at(text, position)
    if judgment is None or judgment.day is None:
        return LeftOutCode.JUDGMENT_WITHOUT_DAY
    return LeftOutCode.TYPE_UNKNOWN if judgment.kind is None else LeftOutCode.NO_AUTHORITY


def _code_of_nickname(text: str, start: int, end: int) -> LeftOutCode | None:
    if is_former_norm(text, start, end):
        return LeftOutCode.SEVERAL_READINGS
    if is_foreign(text, end):
        return LeftOutCode.FOREIGN
    return LeftOutCode.NO_PLACE if belongs_to_other_place(text, end) else None


def _read(text: str, match: re.Match[str]) -> tuple[int, LeftOutCode | None]:
    """Return the end of words that look like a citation, and why they have no name; None if they are none."""
    group = str(match.lastgroup)
    if group in _CODES:
        return match.end(), _CODES[group]
    if group == "judgment":
        return match.end(), _code_of_judgment(text, match.start())
    if group == "nickname":
        return match.end(), _code_of_nickname(text, match.start(), match.end())
    unnamed = numbered_at(text, match.start())
    if unnamed is None:
        other = _OTHER_TYPE_READER.match(text, match.start())
        return (match.start(), None) if other is None else (other.end(), LeftOutCode.TYPE_UNKNOWN)
    end = unnamed.end
    if is_foreign(text, end):
        return end, LeftOutCode.FOREIGN
    if unnamed.is_day_wrong:
        return end, LeftOutCode.WRONG_DAY
    if unnamed.kind.authority is None:
        return end, LeftOutCode.NO_AUTHORITY
    state = _STATE.match(text, end)
    return (state.end() if state is not None else end), LeftOutCode.NO_PLACE


# Levels of provisions that the text states next to a citation and that its name lacks.


_PART_LEVEL = (
    r"al[íi]neas?|ali?\.?|letras?|let\.|incisos?|incs?\.?|par[áa]grafos?|pars?\.?|§§?|ite(?:m|ns)|subite(?:m|ns)"
    r"|n[úu]meros?|n[º°]|n\.|p\.(?=\s?[úu]n)|notas?(?:\s+de\s+rodap[ée])?|cl[áa]usulas?|linhas?|anexos?|tabelas?|quadros?"
)
_LEVEL = rf"(?i:{_PART_LEVEL}|artigos?|arts?\.?)(?![A-Za-zÀ-ú])"
_VALUE = (
    r"(?:[IVXLC]{1,7}(?:-[A-Z])?|\d{1,4}(?:\.\d{1,3}){0,3}(?:[º°ª]|o\.?(?=\s+d[oa]s?\s))?(?:-[A-Za-z]|\s?[A-DF-NP-Z](?=,|\s+(?:d[oa]s?|e)\s))?"
    r"|[\"“'‘](?:[A-Za-z]|\d{1,3})[\"”'’]|(?i:[úu]nico|[úu]n\.|caput)|[a-z](?=\)|[,.;]|$|\s+(?:e|c/c|d[oa]s?)\s))\)?(?![\wÀ-ú])"
)
_EXCEPT = r"\s*,?\s+(?i:exceto|salvo|ressalvad[oa]s?|excetuad[oa]s?|com\s+exce[çc][ãa]o\s+d[oa]s?)\s+(?:[oa]s?\s+)?"
_AMONG = rf"(?:\s*,\s*(?:e\s+)?|\s+(?:e|ou|c/c|d[aoe]s?|aos?|a|usque|até(?:\s+[oa])?)\s+|{_EXCEPT}|\s?[-–]\s?|\s+)"
_UNREAD_BEFORE = re.compile(
    rf"(?<![\wÀ-ú])({_LEVEL}\s{{0,3}}{_VALUE}(?:{_AMONG}(?:{_LEVEL}\s{{0,3}})?{_VALUE}){{0,8}}"
    r"(?:\s+d[ao]\s+(?i:lista|tabela|quadro|anexo)(?:\s+d[aeo]s?\s+[a-zà-ú]{3,20})?(?:\s+(?i:anex[ao]|[úu]nico))?)?|(?i:anexos?))"
    rf"(?<!\d\))(?:\s*[,;]\s*(?:d[aoe]s?\s+)?|\s+(?:d[aoe]s?|[àa]o?)\s+|{_EXCEPT}|\s+)$"
)
#: An article after a norm that was not read as its own belongs to another text: "Lei nº 1, art. 9º do Regulamento". A
#: number is an article if a part of it follows: "CF, 5º, XXXV", "Lei nº 1, de 2001: 73, VI, b".
_UNREAD_BEHIND = re.compile(
    rf"[ \t]{{0,3}},?[ \t]{{1,3}}\(?((?i:{_PART_LEVEL})(?![A-Za-zÀ-ú])[ \t]{{0,3}}{_VALUE})"
    r"|(?:[ \t]?[:,][ \t]{0,3}|[ \t]{1,3})(\d{1,4}[º°]?(?:-[A-Z])?(?:,[ \t]{0,3}|[ \t]{1,3})"
    rf"(?:[IVXLC]{{1,7}}(?![\wÀ-ú])|§[ \t]?\d{{1,2}}|caput)(?:,[ \t]?{_VALUE}){{0,3}})"
    r"|[ \t]?[:;][ \t]{0,3}((?i:arts?\.?|artigos?)"
    rf"[ \t]{{1,3}}\d{{1,4}}+[º°]?+(?:,[ \t]?{_VALUE}){{0,4}}+)(?!,?\s+d[oa]s?\s)"
    rf"|,[ \t]{{0,3}}([\"“]\d{{1,3}}[\"”](?:{_AMONG}{_VALUE}){{0,3}})"
)
_REACH = 80
_NOT_WITH_A = re.compile(r"\s+[àa]o?\s+$")
_ANNEXED = re.compile(r"(?i:anex[ao]|[úu]nico)\s+[àa]o?\s+$")


def with_unread_levels(text: str, found: Sequence[Citation]) -> Iterator[Citation]:
    """Yield citations; the confidence is at most 0.5 if a level of a provision beside a citation is not in its name."""
    for index, citation in enumerate(found):
        start = max(found[index - 1].end if index else 0, citation.start - _REACH)
        before = _UNREAD_BEFORE.search(text[start : citation.start])
        unread = before[1] if before is not None and _is_joined(before) else None
        following = found[index + 1].start if index + 1 < len(found) else len(text)
        behind = _UNREAD_BEHIND.match(text, citation.end)
        if unread is None and behind is not None and behind.start(behind.lastindex or 0) < following:
            unread = behind[behind.lastindex or 0]
        if unread is None:
            yield citation
            continue
        stated = f"{citation.reason}; " if citation.reason is not None else ""
        reason = f"{stated}not read: {' '.join(unread.split())}"
        yield replace(citation, confidence=min(citation.confidence, NO_AUTHORITY), reason=reason)


def _is_joined(match: re.Match[str]) -> bool:
    """Return whether words before a citation belong to it: "lista anexa à LC 116", but not "no § 1º, a Lei nº 1"."""
    return _NOT_WITH_A.search(match[0]) is None or _ANNEXED.search(match[0]) is not None
