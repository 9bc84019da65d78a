"""Reads norms in running text: type, number, date and issuer; lists of norms; nicknames; constitutions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from graph.urn import parse_or_none
from graph.vocabulary import Scheme, built_in
from graph.wording.citations.issuers import (
    CHARTER,
    CITY_WORD,
    CONSTITUTION_READER,
    NICKNAME_READER,
    NICKNAMES,
    NO_DATE,
    OF,
    PLACE_OF_CONTEXT,
    SIGLA,
    TOWN_BEFORE,
    TOWN_BEHIND,
    TOWN_NEAR,
    Issuer,
    belongs_to_other_place,
    end_of_bracket,
    is_former_norm,
    is_not_the_constitution,
    issuer_of,
    issuer_of_context,
    issuer_of_town,
    place_behind,
    state_of_constitution,
)
from graph.wording.citations.judgments import judgment_at
from graph.wording.citations.lexicon import (
    BODY,
    CONSTITUTIONS,
    TYPE,
    UNIT,
    NormType,
    constitution_on,
    type_of,
)
from graph.wording.citations.series import fits_federal_series
from graph.wording.citations.values import (
    FULL,
    NICKNAMED,
    NO_AUTHORITY,
    UNDATED,
    YEAR_ONLY,
    Context,
)
from graph.wording.folding import words
from graph.wording.nicknames import Nickname, nicknames
from graph.wording.numerals import DATE, MONTHS, NUMBER, NUMBER_MARK, When, from_roman, number_of, when_of, year_of
from graph.wording.short_names import unnumbered

# Reads norms in running text.


_NO_DAY = "the text gives the year in place of the date"
_OTHER_HOUSE = "since 2019 bills of both houses have this type; most of them begin in this house"
_NO_SUCH = "no federal norm of that date has this number"
#: The federal revenue office and the year of its present name (Lei 11.457/2007).
_REVENUE, _REVENUE_SINCE = ";secretaria.receita.federal.brasil", 2007
_NO_PANEL = "the text names no panel of the court"
_OUTSIDE_VOCABULARY = "the type or the body is not in the vocabulary"
_OF_SEVERAL = "nickname of several norms; the last one was chosen"

_SPHERE = (
    r"(?:\s+(?i:(federa(?:l|is)|fed\.|estadua(?:l|is)|est\.|municipa(?:l|is)|mun(?:ic)?\.|distrita(?:l|is))))?"
    rf"(?P<town>(?:(?<=[Mm]unicipal)|(?<=[Mm]unicipais))\s+(?i:d[eoa]s?)\s+{CITY_WORD}[\wÀ-ú\s'’/()–-]{{0,80}}?"
    rf"(?=\s*,?\s*(?i:{NUMBER_MARK})\s*\d|\s+\d)|\s+(?i:d[oa]\s+(?:munic[íi]pio|cidade)\s+d[eoa]s?)\s+{CITY_WORD}"
    rf"[\wÀ-ú\s'’/()–-]{{0,80}}?(?=\s*,?\s*(?i:{NUMBER_MARK})\s*\d|\s+\d))?"
)
_OF_CHAMBER = (
    rf"(?i:c[âa]mara(?:\s+municipal)?)(?:\s+(?i:d[eoa])\s+{CITY_WORD}(?:\s+(?:d[aeo]s?\s+)?{CITY_WORD}){{0,4}})?"
    rf"(?=\s*,?\s*(?i:{NUMBER_MARK})\s*\d)"
)
_OF_BODY = rf"(?:\s*[-–,/]?\s*(?:(?i:d[oae]s?|n[oa])\s+)?(?P<body>{BODY}|{_OF_CHAMBER}))?"
_SOME_ACRONYM = (
    rf"(?:\s*[-–/]?\s*(?!(?i:{NUMBER_MARK})\s?\d)"
    r"(?P<beside>[A-ZÀ-Ú][A-Za-zÀ-ú]{1,9}(?:[/-][A-Z][A-Za-z]{1,9}){0,3}))?"
)
#: "Lei Complementar do Estado do Rio de Janeiro nº 69".
_OF_UNIT = (
    rf"(?:\s+(?:(?:(?i:d[oa]\s+estado)\s+|(?<=[Ee]stadual\s))(?i:d[eoa]s?)\s+(?P<unit>{UNIT})"
    rf"|(?i:do)\s+(?P<district>Distrito\s+Federal)|(?:(?i:d[eoa]s?)\s+|\(\s?)(?P<near>{UNIT})(?:\s?\))?(?=\s*,?\s*{NUMBER_MARK})"
    rf"|\(\s?(?:(?i:d[oa])\s+)?(?i:estado)\s+(?i:d[eoa]s?)\s+(?P<bracketed>{UNIT})\s?\))|\s?\(\s?(?P<sigla>{SIGLA})\s?\))?"
)
#: "Resolução SMA-33", "LC-101/2000".
_HYPHEN = (
    r"(?(beside)(?:[-–](?=\d))?|(?(body)(?:[-–](?=\d))?"
    r"|(?:(?<=[A-Z])[-–](?=\d[\d.]{0,9}/\d)|(?<=\b[ELM][CP])[-–](?=[1-9]\d{1,3}(?!\d)))?))"
)
_HEAD = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú]){_SPHERE}{_OF_BODY}{_SOME_ACRONYM}{_OF_UNIT}{_HYPHEN}\s*(?:,\s*|de\s+(?=[nN]))?(?i:(?P<mark>{NUMBER_MARK}))?"
    rf"\s*(?i:{NUMBER})(?!\s?[%])"
)
#: Words that are not read between a type and its number: "Lei de Campinas nº 1".
_NUMBER_APART = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú])(?:(?:[\s(/–-]|\s(?:d[aeo]s?|n[ao]|e)(?=\s)){{1,4}}[A-ZÀ-Ú][\wÀ-ú]{{0,30}}[),]?){{1,8}}"
    rf"\s?,?\s?[Nn](?:[º°]|\.[º°]?)s?\.?\s?\d[\d.]{{0,9}}(?:[/-]\d{{2,4}}(?!\d))?"
)
_UNNUMBERED = re.compile(r"((?i:decreto)s?)(?=\s+de\s+\d)")
_DATE = re.compile(rf"(?i:{DATE})")
_NEXT = re.compile(
    rf"(?:\s*\([^()]{{0,160}}\))?\s*(?i:(?:,\s*(?:e\s+)?|;\s*(?:e\s+)?|e\s+|ou\s+|,?\s*bem\s+como\s+)(?:d?[ao]s?\s+|n[ao]s?\s+)?)"
    rf"(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_LISTED_STATE = re.compile(rf"\s*,?\s*(?i:d[oa]\s+estado)\s+d[eoa]s?\s+(?:{UNIT})")
_LIST_BEHIND = re.compile(r"\s*(?:[.;)]|$|,\s*(?:d[eoa]|\d)|,?\s*e\s+\d|,?\s*(?:ambas|ambos|todas|todos)|d[oa]s?\s)")
_LONG_NUMBER = 3
#: The group of :data:`_HEAD` with the number sign (``nº``).
_MARK = _HEAD.groupindex["mark"]
#: Types of several words; even a short number after them is the number of the norm.
_ALWAYS_NUMBERED = frozenset(
    {"emenda.constitucional", "lei.complementar", "lei.delegada", "medida.provisoria", "ato.institucional"}
)
#: Units after a number that is not the number of a norm: "a medida provisória 60 dias depois".
_COUNTED = re.compile(r"\s+(?i:dias?|meses|m[êe]s|anos?|horas?|vezes|por\s+cento)(?!\w)")
#: The types of bills that both houses use, and the first year of this use.
_SAME_NAME = frozenset({"projeto.lei;pl", "projeto.lei.complementar;plp"})
_SAME_NAME_SINCE = 2019
_REISSUE = re.compile(r"-\d")

_NOT_THE_CONSTITUTION = re.compile(r"(?i:comiss[ãa]o\s+d[ea]|comiss[õo]es\s+d[ea]|promessa\s+de)\s+$")
_NUMBERED_BEHIND = re.compile(rf"\s+(?i:{NUMBER_MARK})\s*\d")
#: Words before the type of a norm that is only proposed.
_PROPOSED = re.compile(r"(?i:projetos?|propostas?|sugest[ãa]o|minuta)\s+(?:de\s+|\(?PEC\)?\s+)$")
_LOOK_BEHIND = 24
_LETTER_BEHIND = re.compile(r"[-–‑][a-z](?![A-Za-zÀ-ú])")
#: "Decreto-Lei Complementar" is not a type; the words must not be read as "Lei Complementar".
_TYPE_BEFORE = re.compile(r"(?i:decretos?\s?[-–‑]?\s?)$")


#: ``de 1973`` or ``/73`` after a nickname, which decides between its norms.
_YEAR_BEHIND = re.compile(
    r"\s+de\s+((?:18|19|20)\d{2}(?!\d)|\d{2}(?=\s*(?:$|[)\];:]|[.,](?!\d))))|/(\d{4}|\d{2})(?!\d)"
)
_SHARED = re.compile(r"(?i:amb[ao]s|tod[ao]s)")
#: The text between a nickname and the number of its norm: "Código Florestal (Lei nº 4.771/65)".
_BESIDE = re.compile(
    r"\s*[-–—(,]?\s*(?:(?i:institu[íi]d|aprovad|criad|editad|promulgad)[oa]\s+pel[oa]\s+|(?:o|a|ou)\s+)?(?=[A-Z])"
)
_BETWEEN = re.compile(r"\s*[-–—(,]?\s*(?:(?:o|a|ou)\s+)?")
_IN_BRACKETS = re.compile(r"\(\s{0,3}(?:o\s|a\s)?\s{0,3}")

#: Where a nickname or a constitution may begin.
_RULES = r"(?:[Rr]egimento\s+[Ii]nterno|REGIMENTO\s+INTERNO)(?![A-Za-zÀ-ú])"
NICKNAME = rf"\b(?:Constituição|CONSTITUIÇÃO|{CHARTER}|CRFB|CF|Const\.|LOM\b|{_RULES}|{NICKNAMES})"
_ORGANIC_LAW = re.compile(
    r"(?:(?i:lei\s+org[âa]nica)|LOM)(?![A-Za-zÀ-ú])(?:(\s+(?i:do)\s+(?:Distrito\s+Federal|DF)\b)|(\s+(?i:municipal))(?!\w)"
    r"|(\s+(?i:(?:do|deste)\s+munic[íi]pio)(?!\w)(?!\s+d[aeo]s?\s)))?"
)
#: The internal rules of the chamber of a municipality.
_RULES_OF_CHAMBER = re.compile(
    rf"{_RULES}(?:\s+(?i:d(?:a|esta)\s+(?:c[âa]mara(?:\s+municipal|\s+de\s+vereadores)?|edilidade|casa)(?:\s+legislativa)?))?"
    r"(?![A-Za-zÀ-ú])"
)
_SMALL_NUMBER = re.compile(rf"\s+(?i:{NUMBER_MARK})\s*(\d{{1,3}})(?!\d)")
_DAY_BEHIND = re.compile(rf"(?:,?\s+(?i:promulgada))?(?=,?\s+(?i:de|em)\s+\d)(?i:{DATE})")
#: "Esta Emenda à Lei Orgânica entra em vigor": the amendment is meant.
_AMENDMENT_BEFORE = re.compile(r"(?i:emendas?\s+(?:[àa]|ao\s+texto\s+da))\s+$")
_OF_ANYTHING = re.compile(rf"\s+{OF}")
_YEAR_OF_CONSTITUTION = re.compile(r",?\s+(?i:de)\s+((?:19|20)\d\d)(?!\d)|/((?:19|20)\d\d|\d\d)(?!\d)")
_ANNEX = (
    r"(?P<annex>(?i:anexo)\s+(?:(?i:[úu]nico)|(?P<roman>[IVXLC]{1,7})|(?P<digits>\d{1,2})|[\"“'‘]?(?P<letter>[A-Z])[\"”'’]?)"
    r"(?![\wÀ-ú-]))"
)
_ANNEX_OF = re.compile(rf"{_ANNEX}\s*,?\s+(?i:d[oa]|ao|à)\s+(?=\S)")
_ANNEX_BEHIND = re.compile(rf"\s*,?\s+{_ANNEX}")
#: Where a type of norm may begin.
NORM = rf"\b(?:{TYPE})(?![A-Za-zÀ-ú])"


@dataclass(frozen=True, slots=True)
class Norm:
    """One cited norm: its position in the text, its name, the confidence, and the reason of a confidence below 1."""

    start: int
    end: int
    name: str
    confidence: float
    reason: str | None = None


def norms_at(text: str, position: int, context: Context, before: Norm | None = None) -> tuple[Norm, ...]:
    """Return the norms of the citation that begins at a character; empty if none begins there.

    Args:
        text: the text.
        position: the character.
        context: its day decides between norms with one nickname. Its norm gives the issuer of a lower norm if the text
            names none.
        before: the norm cited last: "Lei nº 5.869, de 1973 - Código de Processo Civil" is one norm.
    """
    return tuple(_annexed(text, position, context)) or _whole_norms_at(text, position, context, before)


def annex_after(text: str, norm: Norm) -> tuple[Norm, ...]:
    """Return the annex of a norm that the words after the norm state: "Decreto nº 1, Anexo I"."""
    match = _ANNEX_BEHIND.match(text, norm.end)
    name = _name_of_annex(norm.name, match) if match is not None else None
    return (replace(norm, start=match.start("annex"), end=match.end(), name=name),) if match and name else ()


def are_parts_of_one(norms: Sequence[Norm]) -> bool:
    """Return whether norms are one norm and its annex."""
    names = sorted(norm.name for norm in norms)
    return len(names) == 2 and names[1].startswith(f"{names[0]};")


def _annexed(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the annex of a norm, and the norm: "Anexo I do Decreto nº 1"."""
    match = _ANNEX_OF.match(text, position)
    if match is None:
        return
    for norm in _whole_norms_at(text, match.end(), context, None)[:1]:
        name = _name_of_annex(norm.name, match)
        if name is not None:
            yield replace(norm, start=position, end=match.end("annex"), name=name)
            yield norm


def _name_of_annex(name: str, match: re.Match[str]) -> str | None:
    """Return the name of an annex of a norm; None if its label has no spelling in names."""
    roman, digits, letter = match["roman"], match["digits"], match["letter"]
    number = from_roman(roman) if roman is not None else None
    label = str(number) if number is not None else digits or (letter or "").lower() or "unico"
    annex = parse_or_none(f"{name};anexo.{label}")
    return annex.canonical if annex is not None else None


def _whole_norms_at(text: str, position: int, context: Context, before: Norm | None) -> tuple[Norm, ...]:
    norms = (
        tuple(_state_constitution(text, position, context))
        or tuple(_constitution(text, position, context.on))
        or tuple(_norm_of_nickname(text, position, context, before))
        or tuple(_organic_law(text, position, context))
        or tuple(_rules_of_chamber(text, position, context))
        or tuple(_numbered(text, position, context))
        or tuple(_judgment(text, position))
    )
    if norms and norms[-1].name.startswith("urn:lex:br:") and belongs_to_other_place(text, norms[-1].end):
        return ()
    return norms


def _judgment(text: str, position: int) -> Iterator[Norm]:
    """Yield a judgment with its day; its court and panel are stated, or are those of its class."""
    judgment = judgment_at(text, position)
    if judgment is None or judgment.day is None or judgment.kind is None or judgment.court is None:
        return
    issuer = judgment.court if judgment.panel is None else f"{judgment.court};{judgment.panel}"
    doubt = (NO_AUTHORITY, _NO_PANEL) if judgment.panel is None else (NICKNAMED, _OUTSIDE_VOCABULARY)
    name = f"urn:lex:br:{issuer}:acordao;{judgment.kind}:{judgment.day};{judgment.number}"
    yield Norm(position, judgment.end, name, *doubt)


def _constitution(text: str, position: int, on: date | None) -> Iterator[Norm]:
    match = CONSTITUTION_READER.match(text, position)
    if match is None or _NOT_THE_CONSTITUTION.search(text, max(0, position - _LOOK_BEHIND), position):
        return
    if _NUMBERED_BEHIND.match(text, match.end()) is not None:  # "Proposta de Emenda à Constituição nº 45"
        return
    year = year_of(match[4]) if match[4] else constitution_on(on)
    if year not in CONSTITUTIONS:
        return
    if match[4] is None and (
        match[1] or is_not_the_constitution(text, match.end(), year) or is_former_norm(text, position, match.end())
    ):
        return  # several constitutions have the words "Estados Unidos do Brasil"
    if match[2] and not CONSTITUTIONS[year].endswith(f"{MONTHS.index(match[3].lower()) + 1:02d}-{int(match[2]):02d}"):
        return
    name = f"urn:lex:br:federal:constituicao:{CONSTITUTIONS[year]};{year}"
    sure = (FULL, None) if match[4] else (NICKNAMED, "the Constitution without its year")
    yield Norm(position, match.end(), name, *sure)


def _organic_law(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the organic law of a municipality or of the Federal District, which has no number: a reference."""
    match = _ORGANIC_LAW.match(text, position)
    if match is None or _AMENDMENT_BEFORE.search(text, max(0, position - _LOOK_BEHIND), position) is not None:
        return
    found: Issuer | None
    if match[1] is not None:
        found = "br;distrito.federal:distrital", match.end(), FULL, None
    else:
        readers = (*((TOWN_BEFORE,) if match[2] else ()), TOWN_BEHIND, TOWN_NEAR)
        towns = (reader.match(text, match.end()) for reader in readers)
        town = next((each for each in towns if each is not None), None)
        found = issuer_of_town(town, end_of_bracket(text, town), context) if town is not None else None
        if found is None and (match[2] or match[3] or _OF_ANYTHING.match(text, match.end()) is None):
            if belongs_to_other_place(text, match.end()):
                return
            own = context.sphere if context.where == "br;distrito.federal" else issuer_of_context("mun", context)
            found = own, match.end(), NICKNAMED, PLACE_OF_CONTEXT
    yield from _without_number(text, position, found, "lei.organica", context)


def _rules_of_chamber(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the internal rules of the chamber of a municipality: a reference, unless the context has their name."""
    match = _RULES_OF_CHAMBER.match(text, position)
    if match is None:
        return
    town = TOWN_BEHIND.match(text, match.end()) or TOWN_NEAR.match(text, match.end())
    found = issuer_of_town(town, end_of_bracket(text, town), context) if town is not None else None
    if found is None and context.where.count(";") > 1 and _OF_ANYTHING.match(text, match.end()) is None:
        found = f"{context.where}:municipal", match.end(), NICKNAMED, PLACE_OF_CONTEXT
    if found is not None and found[0] is not None and found[0].endswith(":municipal"):
        issuer = f"{found[0].removesuffix('municipal')}camara.municipal"
        yield from _without_number(text, position, (issuer, found[1], found[2], found[3]), "regimento.interno", context)


def _state_constitution(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield the constitution of a state: a reference, unless its year is stated."""
    found = state_of_constitution(text, position, context)
    dated = _YEAR_OF_CONSTITUTION.match(text, found[1]) if found is not None else None
    if found is None or found[0] is None or dated is None:
        yield from _without_number(text, position, found, "constituicao", context)
        return
    year = year_of(dated[1] or dated[2])
    doubt = min([(found[2], found[3]), (YEAR_ONLY, _NO_DAY)], key=lambda each: each[0])
    yield Norm(position, dated.end(), f"urn:lex:{found[0]}:constituicao:{year};{year}", *doubt)


def _without_number(text: str, position: int, found: Issuer | None, kind: str, context: Context) -> Iterator[Norm]:
    """Yield the only norm of a type of a place, which has no number; nothing if its place is not known.

    It is a reference, unless the words state its day, or the context has its name.
    """
    if found is None or found[0] is None:
        return
    numbered = _SMALL_NUMBER.match(text, found[1])
    dated = _DAY_BEHIND.match(text, numbered.end() if numbered is not None else found[1])
    when = when_of(dated, 1) if dated is not None else None
    if dated is not None and when is not None and when.day is not None:
        name = f"urn:lex:{found[0]}:{kind}:{when};{int(numbered[1]) if numbered is not None else when.year}"
        yield Norm(position, dated.end(), name, found[2], found[3])
        return
    known = context.known if context.work is None else (*context.known, context.work.canonical)
    name = unnumbered(found[0], kind, known)
    undated = (NICKNAMED, PLACE_OF_CONTEXT) if name in known else (UNDATED, NO_DATE)
    yield Norm(position, found[1], name, *min([(found[2], found[3]), undated], key=lambda each: each[0]))


def _norm_of_nickname(text: str, position: int, context: Context, before: Norm | None) -> Iterator[Norm]:
    """Yield the norm of a nickname, or a reference with the nickname if several norms of one type fit."""
    nickname_match = NICKNAME_READER.match(text, position)
    if nickname_match is None:
        return
    on = context.on
    known = nicknames()[" ".join(words(nickname_match[0]))]
    end = nickname_match.end()
    beside = _nickname_by_number(text, position, end, known, before)
    if beside is not None:
        yield Norm(position, end, beside.name, NICKNAMED, f"nickname beside its norm{_days_of(beside)}")
        return
    dated = _YEAR_BEHIND.match(text, end)
    if dated is not None:
        year = dated[1] or dated[2]
        fitting = tuple(n for n in known if n.name.rpartition(":")[2][:4].endswith(year))
        end = dated.end()
    elif (
        (match := _DATE.match(text, end)) is not None
        and (day := when_of(match, 1)) is not None
        and any(n.name.rpartition(":")[2].startswith(f"{day};") for n in known)
    ):
        fitting = tuple(n for n in known if n.name.rpartition(":")[2].startswith(f"{day};"))
        end, dated = match.end(), match
    elif is_former_norm(text, position, end):
        return
    elif on is None:
        fitting = known[-1:]
    else:
        fitting = tuple(n for n in known if n.fits(on))
    names = list(dict.fromkeys(n.name for n in fitting))
    decided = on is not None or dated is not None or len({n.name for n in known}) == 1
    if len(names) == 1:
        sure = (NICKNAMED, f"nickname{_days_of(fitting[0])}") if decided else (NO_AUTHORITY, _OF_SEVERAL)
        yield Norm(position, end, names[0], *sure)
    elif names and len(heads := {name.rpartition(":")[0] for name in names}) == 1:
        name = f"{heads.pop()}:{'.'.join(words(fitting[0].text))}"
        yield Norm(position, end, name, NO_AUTHORITY, "nickname of several norms on that day")


def _days_of(nickname: Nickname) -> str:
    """Return the days on which a nickname meant a norm, in words; an empty text if the table has no days."""
    since = f" from {nickname.since}" if nickname.since is not None else ""
    until = f" until {nickname.until}" if nickname.until is not None else ""
    return f" of this norm{since}{until}" if since or until else ""


def _nickname_by_number(
    text: str, position: int, end: int, known: tuple[Nickname, ...], before: Norm | None
) -> Nickname | None:
    """Return the norm of a nickname by an adjacent number, after or before it; None if there is none."""
    if len({nickname.name for nickname in known}) == 1:
        return None
    numbered: list[Norm] = []
    if (
        before is not None
        and before.end <= position <= before.end + 9
        and _BETWEEN.fullmatch(text, before.end, position)
    ):
        numbered.append(before)
    if (behind := _BESIDE.match(text, end)) is not None and (head := _HEAD.match(text, behind.end())) is not None:
        item, kind = _item(text, head.start(), head, _MARK), type_of(head[1])
        if item is not None:
            numbered.append(Norm(head.start(), item.end, _name("br:federal", kind, item.number, item.when), FULL))
    for norm in numbered:
        head_of, _, number = norm.name.partition(";")
        for nickname in known:
            own, _, own_number = nickname.name.partition(";")
            if own_number == number and own.startswith(head_of):
                return nickname
    return None


@dataclass(frozen=True, slots=True)
class _NormNumber:
    """A number in a list of norms whose date is not decided yet."""

    start: int
    end: int
    number: str
    when: When | None
    shared: bool = False
    aside: tuple[Norm, ...] = ()


def _numbered(text: str, at: int, context: Context) -> Iterator[Norm]:
    head = _HEAD.match(text, at)
    if head is None:
        yield from _by_date(text, at, context)
        return
    kind = type_of(head[1])
    before = max(0, at - _LOOK_BEHIND)
    if _PROPOSED.search(text, before, at) is not None or _TYPE_BEFORE.search(text, before, at) is not None:
        return
    first = _item(text, at, head, _MARK)
    if (
        first is None
        or not _may_have_number(kind, first)
        or (head[_MARK] is None and not _is_valid_without_sign(head, first))
    ):
        return
    items = [first]
    plural = _is_plural(head, kind)
    while (following := _NEXT.match(text, items[-1].end)) is not None:
        item = _item(text, following.start(2), following, 1)
        if (
            item is None
            or not _may_have_number(kind, item)
            or not _is_listed(text, following, item, plural=plural, kind=kind)
        ):
            break
        items.append(replace(item, aside=_nickname_in_brackets(text, items[-1].end, following.start(2), context)))
    whens = _dates_of_items(items, by_year=kind.authority is None, plural=plural)
    issuer, end, sure, reason = issuer_of(text, items[-1].end, head, kind, context, (first.number, whens[0]))
    if issuer is None:
        return
    dated = _DATE.match(text, end) if whens[-1] is None and end > items[-1].end else None
    if dated is not None and (stated := when_of(dated, 1)) is not None:  # "nº 77 do INSS, de 21 de janeiro de 2015"
        whens[-1], end = stated, dated.end()
    for position, (item, when) in enumerate(zip(items, whens, strict=True)):
        yield from item.aside
        doubts = [(sure, reason), *_doubts(issuer, kind, item.number, when)]
        last = position == len(items) - 1
        name = _name(issuer, kind, item.number, when)
        yield Norm(item.start, end if last else item.end, name, *min(doubts, key=lambda doubt: doubt[0]))


@dataclass(frozen=True, slots=True)
class UnnamedNorm:
    """A numbered norm, named or not: its end in the text, its type, and whether its date is no day of the calendar."""

    end: int
    kind: NormType
    is_day_wrong: bool = False


def numbered_at(text: str, position: int) -> UnnamedNorm | None:
    """Return the numbered norm that begins at a character, named or not; None if none does."""
    head = _HEAD.match(text, position)
    before = max(0, position - _LOOK_BEHIND)
    if _PROPOSED.search(text, before, position) or _TYPE_BEFORE.search(text, before, position):
        return None
    if head is None:
        apart, (unnumbered, dated) = _NUMBER_APART.match(text, position), _dated_without_number(text, position)
        if unnumbered is not None and dated is not None:
            return UnnamedNorm(dated.end(), type_of(unnumbered[1]), is_day_wrong=when_of(dated, 1) is None)
        return UnnamedNorm(apart.end(), type_of(apart[1])) if apart is not None else None
    kind, item = type_of(head[1]), _item(text, position, head, _MARK)
    if item is not None:
        is_valid = head[_MARK] is not None or _is_valid_without_sign(head, item)
        return UnnamedNorm(item.end, kind) if is_valid else None
    dated = _DATE.match(text, head.end())
    if dated is not None and when_of(dated, 1) is None:
        return UnnamedNorm(dated.end(), kind, is_day_wrong=True)
    return UnnamedNorm(head.end(), kind)


def _is_plural(head: re.Match[str], kind: NormType) -> bool:
    """Return whether the type or the number sign is a plural: "MPs 927 e 936", "PLS nºs 1 e 2"."""
    singular = kind.abbreviation and head[1].isupper()
    return (words(head[1])[0].endswith("s") and not singular) or (head[_MARK] or "").rstrip(".").endswith("s")


def _may_have_number(kind: NormType, item: _NormNumber) -> bool:
    """Return whether a norm of a type can have a number: only provisional measures have numbers of reissues."""
    return kind.kind == "medida.provisoria" or _REISSUE.search(item.number) is None


def _doubts(issuer: str, kind: NormType, number: str, when: When | None) -> Iterator[tuple[float, str]]:
    """Yield confidences below 1 with reasons, for a number and its date."""
    if when is None:
        yield UNDATED, NO_DATE
        return
    if when.day is None:
        yield YEAR_ONLY, _NO_DAY
    if issuer == "br:federal" and fits_federal_series(kind.kind, number, when.year, when.day) is False:
        yield NO_AUTHORITY, _NO_SUCH
    if issuer.endswith(_REVENUE) and when.year < _REVENUE_SINCE:
        yield NO_AUTHORITY, f"the body has this name since {_REVENUE_SINCE}"
    if not _is_in_vocabulary(issuer, kind.kind):
        yield NICKNAMED, _OUTSIDE_VOCABULARY
    if kind.kind in _SAME_NAME and when.year >= _SAME_NAME_SINCE:
        yield NO_AUTHORITY, _OTHER_HOUSE


@cache
def _is_in_vocabulary(issuer: str, kind: str) -> bool:
    """Return whether the vocabulary has the type and, for a federal body, the issuer."""
    _, _, bodies = issuer.partition(":")
    known = built_in()
    return known.concept(Scheme.TIPO_DOCUMENTO, kind.partition(";")[0]) is not None and (
        all(known.concept(Scheme.AUTORIDADE, body) is not None for body in bodies.split(","))
    )


def _nickname_in_brackets(text: str, start: int, end: int, context: Context) -> tuple[Norm, ...]:
    """Return the nickname in brackets between listed norms: "9.503, de 1997 (Código de Trânsito Brasileiro), e"."""
    opened = _IN_BRACKETS.search(text, start, min(end, start + 9))
    return tuple(_norm_of_nickname(text, opened.end(), context, None)) if opened is not None else ()


def _item(text: str, start: int, match: re.Match[str], mark: int) -> _NormNumber | None:
    """Return a number with the date after it; the groups of the number follow the group ``mark`` of its sign."""
    digits, reissue, year = match.group(mark + 1), match.group(mark + 2), match.group(mark + 3)
    end = match.end()
    if _LETTER_BEHIND.match(text, end) or _LETTER_BEHIND.match(text, match.end(mark + 1)):
        return None  # a letter that does not belong to the number
    when = When(year_of(year)) if year is not None else None
    dated = _DATE.match(text, end)
    if dated is not None:
        stated = when_of(dated, 1)
        if stated is None:
            return None
        if when is None or (stated.day is not None and stated.year == when.year):
            when, end = stated, dated.end()
    shared = dated is not None and _SHARED.search(dated[0]) is not None
    return _NormNumber(start, end, number_of(digits, reissue), when, shared)


def _is_valid_without_sign(head: re.Match[str], item: _NormNumber) -> bool:
    """Return whether a number without ``nº`` is that of a norm: it is long, has dots, or has a date."""
    digits, kind = head[_MARK + 1], type_of(head[1]).kind
    sure = item.when is not None or "." in digits or len(digits) >= _LONG_NUMBER
    numbered = kind in _ALWAYS_NUMBERED and _COUNTED.match(head.string, head.end()) is None
    by_acronym = head["beside"] is not None and head["beside"].isupper()  # "Resolução SMA-33"
    return sure or by_acronym or head[1].isupper() or "sumula" in kind or numbered


def _is_listed(text: str, match: re.Match[str], item: _NormNumber, *, plural: bool, kind: NormType) -> bool:
    """Return whether a number continues a list of norms.

    After a type in the singular it must have a date or a number sign. Without a date it must be long, or the list must
    continue or end after it.
    """
    marked = match[1] is not None or "." in match[2]
    if not plural:
        of_state = _LISTED_STATE.match(text, item.end) is not None  # "LC nº 69 e 70, do Estado do Rio de Janeiro"
        return of_state or (item.when is not None and (marked or item.when.day is not None))
    if item.when is not None or marked or len(match[2]) > _LONG_NUMBER:
        return True
    return (len(match[2]) > 1 or "sumula" in kind.kind) and _LIST_BEHIND.match(text, item.end) is not None


def _dates_of_items(items: list[_NormNumber], *, by_year: bool, plural: bool) -> list[When | None]:
    """Return the date of each number of a list.

    The date of "8.212 e 8.213, ambas de 24 de julho de 1991" applies to both. A year applies to two numbers ("40 e 43,
    de 2001"), and to more if numbers restart each year.
    """
    whens: list[When | None] = []
    behind: When | None = None
    for item in reversed(items):
        if item.when is not None:
            alone = item.when.day is None and plural and (by_year or len(items) == 2)
            behind = item.when if item.shared or alone else None
        whens.append(item.when or behind)
    return whens[::-1]


def _by_date(text: str, position: int, context: Context) -> Iterator[Norm]:
    """Yield an act without a number, identified by its date (LexML 1.0 part 2, section 10.2.1): a reference."""
    match, dated = _dated_without_number(text, position)
    when = when_of(dated, 1) if dated is not None else None
    if match is None or dated is None or when is None or when.day is None:
        return
    kind, end = type_of(match[1]), dated.end()
    place = place_behind(text, end, "", context) or (f"br:{kind.authority}", end, FULL, None)
    issuer, end, sure, reason = place
    if issuer is not None:
        doubt = min([(sure, reason), (UNDATED, "the text gives no number")], key=lambda each: each[0])
        yield Norm(position, end, f"urn:lex:{issuer}:{kind.kind}:{when}", *doubt)


def _dated_without_number(text: str, position: int) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Return the type and the date of an act without a number."""
    match = _UNNUMBERED.match(text, position)
    return match, _DATE.match(text, match.end()) if match is not None else None


def _name(issuer: str, kind: NormType, number: str, when: When | None) -> str:
    return f"urn:lex:{issuer}:{kind.kind}:{when or ''};{number}"
