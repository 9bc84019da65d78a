"""Norms in running text: type, number and date, lists of them, nicknames, constitutions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from graph.wording.citations.dates import DATE, NUMBER, NUMBER_MARK, When, number_of, when_of, year_of
from graph.wording.citations.issuers import issuer_of
from graph.wording.citations.lexicon import (
    BODY,
    CONSTITUTIONS,
    TYPE,
    UNIT,
    Nickname,
    NormType,
    constitution_on,
    nicknames,
    type_of,
)
from graph.wording.citations.others import is_another_ones, is_earlier_one, is_no_constitution
from graph.wording.citations.values import FULL, NICKNAMED, NO_AUTHORITY, UNDATED, YEAR_ONLY, Context
from graph.wording.federal_series import fits_federal_series
from graph.wording.folding import words
from graph.wording.numerals import MONTHS

_NO_DATE = "the text gives no date"
_NO_DAY = "the text gives the year in place of the date"
_OTHER_HOUSE = "since 2019 the bills of both houses are called so: this is the house that begins most of them"
_NO_SUCH = "no federal norm of that date has this number"
_OF_SEVERAL = "nickname of several norms, and nothing says which: the last one"

_SPHERE = r"(?:\s+(?i:(federa(?:l|is)|estadua(?:l|is)|municipa(?:l|is)|distrita(?:l|is))))?"
_OF_BODY = rf"(?:\s*[-–,/]?\s*(?:(?i:d[oae]s?|n[oa])\s+)?({BODY}))?"
_SOME_ACRONYM = (
    rf"(?:\s*[-–/]?\s*(?!(?i:{NUMBER_MARK})\s?\d)([A-ZÀ-Ú][A-Za-zÀ-ú]{{1,9}}(?:[/-][A-Z][A-Za-z]{{1,9}}){{0,3}}))?"
)
#: "Lei Complementar do Estado do Rio de Janeiro nº 69".
_OF_UNIT = rf"(?:\s+(?:(?i:d[oa]\s+estado)\s+d[eoa]s?\s+({UNIT})|(?i:do)\s+(Distrito\s+Federal)))?"
_HEAD = re.compile(
    rf"({TYPE})(?![A-Za-zÀ-ú]){_SPHERE}{_OF_BODY}{_SOME_ACRONYM}{_OF_UNIT}\s*(?:,\s*)?(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_UNNUMBERED = re.compile(rf"((?i:decreto)s?)(?=\s+de\s+\d)(?i:{DATE})")
_DATE = re.compile(rf"(?i:{DATE})")
_NEXT = re.compile(
    rf"(?:\s*\([^()]{{0,160}}\))?\s*(?i:(?:,\s*(?:e\s+)?|;\s*(?:e\s+)?|e\s+|ou\s+|,?\s*bem\s+como\s+)(?:d?[ao]s?\s+|n[ao]s?\s+)?)"
    rf"(?i:({NUMBER_MARK}))?\s*(?i:{NUMBER})(?!\s?[%])"
)
_STATE_BEHIND = re.compile(rf"\s*,?\s*(?i:d[oa]\s+estado)\s+d[eoa]s?\s+(?:{UNIT})")
_LIST_BEHIND = re.compile(r"\s*(?:[.;)]|$|,\s*(?:d[eoa]|\d)|,?\s*e\s+\d|,?\s*(?:ambas|ambos|todas|todos)|d[oa]s?\s)")
_LONG_NUMBER = 3
#: The group of :data:`_HEAD` that has the sign before the number.
_MARK = 7
#: Types of two words or more: a number behind them is theirs, however short.
_ALWAYS_NUMBERED = frozenset(
    {"emenda.constitucional", "lei.complementar", "lei.delegada", "medida.provisoria", "ato.institucional"}
)
#: What a number counts: "a medida provisória 60 dias depois".
_COUNTED = re.compile(r"\s+(?i:dias?|meses|m[êe]s|anos?|horas?|vezes|por\s+cento)(?!\w)")
#: Bills that both houses call so, and since which year.
_SAME_NAME = frozenset({"projeto.lei;pl", "projeto.lei.complementar;plp"})
_SAME_NAME_SINCE = 2019
_REISSUE = re.compile(r"-\d")

_CONSTITUTION = (
    r"(?-i:Constituição|CONSTITUIÇÃO)(?![A-Za-zÀ-ú])(?!,\s+Justiça)(?!\s+(?:e\s+Justiça|[Ee]stadual|d[oa]s?\s+Estado(?!s\s+Unidos)"
    r"|de\s+(?!\d)))"
    r"(?:\s+(?i:da\s+rep[úu]blica(?:\s+federativa\s+do\s+brasil)?|federal|d[oa]\s+brasil|pol[íi]tica"
    r"|(d[oa]s\s+estados\s+unidos\s+do\s+brasil)))?"
    r"(?:\s+(?:do\s+Brasil))?"
)
#: What the Constitution is also called; not the one of a state.
_CHARTER = (
    r"(?:Carta\s+(?:Magna|Pol[íi]tica|da\s+Rep[úu]blica)|Lei\s+Maior)(?![A-Za-zÀ-ú])"
    r"(?!\s+(?:[Ee]stadual|d[oa]s?\s+[Ee]stado))"
)
_CONSTITUTION_READER = re.compile(
    rf"(?:{_CONSTITUTION}|{_CHARTER}|(?:CRFB|CF)(?![A-Za-zÀ-ú])|Const\.)"
    rf"(?:,?\s*(?:/|(?i:de)\s+(?:(?i:(\d{{1,2}})[º°]?\s+de\s+({'|'.join(MONTHS)})\s+de\s+))?)\s?((?:1[89]\d\d)(?!\d)|\d\d(?!\d)))?"
)
_NOT_THE_CONSTITUTION = re.compile(r"(?i:comiss[ãa]o\s+d[ea]|comiss[õo]es\s+d[ea]|promessa\s+de)\s+$")
_NUMBERED_BEHIND = re.compile(rf"\s+(?i:{NUMBER_MARK})\s*\d")
#: What comes before the type of a norm that is none yet.
_PROPOSED = re.compile(r"(?i:projetos?|propostas?|sugest[ãa]o|minuta)\s+(?:de\s+|\(?PEC\)?\s+)$")
_LOOK_BEHIND = 24
_LETTER_BEHIND = re.compile(r"[-–‑][a-z](?![A-Za-zÀ-ú])")
#: "Decreto-Lei Complementar": no type, and no "Lei Complementar" either.
_TYPE_BEFORE = re.compile(r"(?i:decretos?\s?[-–‑]?\s?)$")


#: Acronyms up to this length mean many things: they are read only behind or before a provision.
_AMBIGUOUS = 2


def _nickname_pattern() -> str:
    texts = sorted({n.text for listed in nicknames().values() for n in listed}, key=len, reverse=True)
    long = [re.escape(text).replace(r"\ ", r"\s+") for text in texts if " " in text]
    short = [re.escape(text) for text in texts if " " not in text and len(text) > _AMBIGUOUS]
    shortest = "|".join(re.escape(text) for text in texts if len(text) <= _AMBIGUOUS)
    of_provisions = rf"(?<=\bd[eo]\s)(?:{shortest})|(?:{shortest})(?=,\s{{0,9}}arts?\.|/(?:\d\d|\d{{4}})(?!\d))"
    return f"(?i:{'|'.join(long)})(?![A-Za-zÀ-ú])|(?:{'|'.join(short)}|{of_provisions})(?![A-Za-zÀ-ú0-9])"


_NICKNAMES = _nickname_pattern()
_NICKNAME_READER = re.compile(_NICKNAMES)
#: ``de 1973`` or ``/73`` behind a nickname: which of its norms is meant.
_YEAR_BEHIND = re.compile(
    r"\s+de\s+((?:18|19|20)\d{2}(?!\d)|\d{2}(?=\s*(?:$|[)\];:]|[.,](?!\d))))|/(\d{4}|\d{2})(?!\d)"
)
_SHARED = re.compile(r"(?i:amb[ao]s|tod[ao]s)")
#: What stands between a nickname and the number of its norm: "Código Florestal (Lei nº 4.771/65)".
_BESIDE = re.compile(
    r"\s*[-–—(,]?\s*(?:(?i:institu[íi]d|aprovad|criad|editad|promulgad)[oa]\s+pel[oa]\s+|(?:o|a|ou)\s+)?(?=[A-Z])"
)
_BETWEEN = re.compile(r"\s*[-–—(,]?\s*(?:(?:o|a|ou)\s+)?")
_IN_BRACKETS = re.compile(r"\(\s{0,3}(?:o\s|a\s)?\s{0,3}")

#: Where a nickname or a constitution may begin.
NICKNAME = rf"\b(?:Constituição|CONSTITUIÇÃO|{_CHARTER}|CRFB|CF|Const\.|{_NICKNAMES})"
#: Where a type of norm may begin.
NORM = rf"\b(?:{TYPE})(?![A-Za-zÀ-ú])"


@dataclass(frozen=True, slots=True)
class Norm:
    """One norm cited: where, its name, how sure it is, and why it is not surer."""

    start: int
    end: int
    name: str
    confidence: float
    reason: str | None = None


def norms_at(text: str, at: int, context: Context, before: Norm | None = None) -> tuple[Norm, ...]:
    """The norms that a citation cites which begins at a character; none where none begins there.

    Args:
        text: the text.
        at: the character.
        context: its day decides between norms of one nickname, its norm says who issues a lower norm where the text
            does not.
        before: the norm cited last: "Lei nº 5.869, de 1973 - Código de Processo Civil" is one norm.
    """
    found = (
        tuple(_constitution(text, at, context.on))
        or tuple(_nicknamed(text, at, context, before))
        or tuple(_numbered(text, at, context))
    )
    if found and found[-1].name.startswith("urn:lex:br:") and is_another_ones(text, found[-1].end):
        return ()
    return found


def _constitution(text: str, at: int, on: date | None) -> Iterator[Norm]:
    found = _CONSTITUTION_READER.match(text, at)
    if found is None or _NOT_THE_CONSTITUTION.search(text, max(0, at - _LOOK_BEHIND), at):
        return
    if _NUMBERED_BEHIND.match(text, found.end()) is not None:  # "Proposta de Emenda à Constituição nº 45"
        return
    year = year_of(found[4]) if found[4] else constitution_on(on)
    if year not in CONSTITUTIONS:
        return
    if found[4] is None and (
        found[1] or is_no_constitution(text, found.end(), year) or is_earlier_one(text, at, found.end())
    ):
        return  # several were of the United States of Brazil
    if found[2] and not CONSTITUTIONS[year].endswith(f"{MONTHS.index(found[3].lower()) + 1:02d}-{int(found[2]):02d}"):
        return
    name = f"urn:lex:br:federal:constituicao:{CONSTITUTIONS[year]};{year}"
    sure = (FULL, None) if found[4] else (NICKNAMED, "the Constitution without its year")
    yield Norm(at, found.end(), name, *sure)


def _nicknamed(text: str, at: int, context: Context, before: Norm | None) -> Iterator[Norm]:
    """The norm of a nickname; where two of one type had it on the day, a reference by the nickname itself."""
    found = _NICKNAME_READER.match(text, at)
    if found is None:
        return
    on = context.on
    known = nicknames()[" ".join(words(found[0]))]
    end = found.end()
    beside = _beside(text, at, end, known, before)
    if beside is not None:
        yield Norm(at, end, beside.name, NICKNAMED, f"nickname beside its norm{_days_of(beside)}")
        return
    dated = _YEAR_BEHIND.match(text, end)
    if dated is not None:
        year = dated[1] or dated[2]
        fitting = tuple(n for n in known if n.name.rpartition(":")[2][:4].endswith(year))
        end = dated.end()
    elif (
        (said := _DATE.match(text, end)) is not None
        and (day := when_of(said, 1)) is not None
        and any(n.name.rpartition(":")[2].startswith(f"{day};") for n in known)
    ):
        fitting = tuple(n for n in known if n.name.rpartition(":")[2].startswith(f"{day};"))
        end, dated = said.end(), said
    elif is_earlier_one(text, at, end):
        return
    elif on is None:
        fitting = known[-1:]
    else:
        fitting = tuple(n for n in known if n.fits(on))
    names = list(dict.fromkeys(n.name for n in fitting))
    told = on is not None or dated is not None or len({n.name for n in known}) == 1
    if len(names) == 1:
        sure = (NICKNAMED, f"nickname{_days_of(fitting[0])}") if told else (NO_AUTHORITY, _OF_SEVERAL)
        yield Norm(at, end, names[0], *sure)
    elif names and len(heads := {name.rpartition(":")[0] for name in names}) == 1:
        name = f"{heads.pop()}:{'.'.join(words(fitting[0].text))}"
        yield Norm(at, end, name, NO_AUTHORITY, "nickname of several norms on that day")


def _days_of(nickname: Nickname) -> str:
    """From when to when a nickname meant a norm, in words; nothing where the table has no days."""
    since = f" from {nickname.since}" if nickname.since is not None else ""
    until = f" until {nickname.until}" if nickname.until is not None else ""
    return f" of this norm{since}{until}" if since or until else ""


def _beside(text: str, at: int, end: int, known: tuple[Nickname, ...], before: Norm | None) -> Nickname | None:
    """Which norm a nickname means by the number that stands beside it, behind or in front."""
    if len({one.name for one in known}) == 1:
        return None
    numbered: list[Norm] = []
    if before is not None and before.end <= at <= before.end + 9 and _BETWEEN.fullmatch(text, before.end, at):
        numbered.append(before)
    if (behind := _BESIDE.match(text, end)) is not None and (head := _HEAD.match(text, behind.end())) is not None:
        item, kind = _item(text, head.start(), head, _MARK), type_of(head[1])
        if item is not None:
            numbered.append(Norm(head.start(), item.end, _name("br:federal", kind, item.number, item.when), FULL))
    for norm in numbered:
        head_of, _, number = norm.name.partition(";")
        for one in known:
            own, _, own_number = one.name.partition(";")
            if own_number == number and own.startswith(head_of):
                return one
    return None


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A number in a list of norms, before its date is settled."""

    start: int
    end: int
    number: str
    when: When | None
    shared: bool = False
    aside: tuple[Norm, ...] = ()


def _numbered(text: str, at: int, context: Context) -> Iterator[Norm]:
    head = _HEAD.match(text, at)
    if head is None:
        yield from _by_date(text, at)
        return
    kind = type_of(head[1])
    before = max(0, at - _LOOK_BEHIND)
    if _PROPOSED.search(text, before, at) is not None or _TYPE_BEFORE.search(text, before, at) is not None:
        return
    first = _item(text, at, head, _MARK)
    if first is None or not _may_have(kind, first) or (head[_MARK] is None and not _stands_alone(head, first)):
        return
    items = [first]
    plural = _is_plural(head, kind)
    while (following := _NEXT.match(text, items[-1].end)) is not None:
        item = _item(text, following.start(2), following, 1)
        if item is None or not _may_have(kind, item) or not _is_listed(text, following, item, plural=plural, kind=kind):
            break
        items.append(replace(item, aside=_in_brackets(text, items[-1].end, following.start(2), context)))
    whens = _whens(items, by_year=kind.authority is None, plural=plural)
    issuer, end, sure, reason = issuer_of(text, items[-1].end, head, kind, context, (first.number, whens[0]))
    if issuer is None:
        return
    for position, (item, when) in enumerate(zip(items, whens, strict=True)):
        yield from item.aside
        doubts = [(sure, reason), *_doubts(issuer, kind, item.number, when)]
        last = position == len(items) - 1
        name = _name(issuer, kind, item.number, when)
        yield Norm(item.start, end if last else item.end, name, *min(doubts, key=lambda doubt: doubt[0]))


def _is_plural(head: re.Match[str], kind: NormType) -> bool:
    """Whether the type or the sign before the number stands for several: "MPs 927 e 936", "PLS nºs 1 e 2"."""
    singular = kind.abbreviation and head[1].isupper()
    return (words(head[1])[0].endswith("s") and not singular) or (head[_MARK] or "").rstrip(".").endswith("s")


def _may_have(kind: NormType, item: _Numbered) -> bool:
    """Whether a norm of a type can have a number: only provisional measures are issued again under theirs."""
    return kind.kind == "medida.provisoria" or _REISSUE.search(item.number) is None


def _doubts(issuer: str, kind: NormType, number: str, when: When | None) -> Iterator[tuple[float, str]]:
    """What a number and its date leave open."""
    if when is None:
        yield UNDATED, _NO_DATE
        return
    if when.day is None:
        yield YEAR_ONLY, _NO_DAY
    if issuer == "br:federal" and fits_federal_series(kind.kind, number, when.year, when.day) is False:
        yield NO_AUTHORITY, _NO_SUCH
    if kind.kind in _SAME_NAME and when.year >= _SAME_NAME_SINCE:
        yield NO_AUTHORITY, _OTHER_HOUSE


def _in_brackets(text: str, start: int, end: int, context: Context) -> tuple[Norm, ...]:
    """The nickname in brackets between two norms of a list: "9.503, de 1997 (Código de Trânsito Brasileiro), e"."""
    opened = _IN_BRACKETS.search(text, start, min(end, start + 9))
    return tuple(_nicknamed(text, opened.end(), context, None)) if opened is not None else ()


def _item(text: str, start: int, found: re.Match[str], mark: int) -> _Numbered | None:
    """A number with the date behind it; the groups of the number follow the group of its mark."""
    digits, reissue, year = found.group(mark + 1), found.group(mark + 2), found.group(mark + 3)
    end = found.end()
    if _LETTER_BEHIND.match(text, end) or _LETTER_BEHIND.match(text, found.end(mark + 1)):
        return None  # a letter that is not the number's
    when = When(year_of(year)) if year is not None else None
    dated = _DATE.match(text, end)
    if dated is not None:
        said = when_of(dated, 1)
        if said is None:
            return None
        if when is None or (said.day is not None and said.year == when.year):
            when, end = said, dated.end()
    shared = dated is not None and _SHARED.search(dated[0]) is not None
    return _Numbered(start, end, number_of(digits, reissue), when, shared)


def _stands_alone(head: re.Match[str], item: _Numbered) -> bool:
    """Whether a number without ``nº`` before it is one: it is long, has points, or is dated."""
    digits, kind = head[_MARK + 1], type_of(head[1]).kind
    sure = item.when is not None or "." in digits or len(digits) >= _LONG_NUMBER
    numbered = kind in _ALWAYS_NUMBERED and _COUNTED.match(head.string, head.end()) is None
    return sure or head[1].isupper() or "sumula" in kind or numbered


def _is_listed(text: str, found: re.Match[str], item: _Numbered, *, plural: bool, kind: NormType) -> bool:
    """Whether a number goes on a list of norms: behind a singular it needs its day or its sign; without a date it is
    long, or the list goes on or ends behind it."""
    said = found[1] is not None or "." in found[2]
    if not plural:
        of_state = _STATE_BEHIND.match(text, item.end) is not None  # "LC nº 69 e 70, do Estado do Rio de Janeiro"
        return of_state or (item.when is not None and (said or item.when.day is not None))
    if item.when is not None or said or len(found[2]) > _LONG_NUMBER:
        return True
    return (len(found[2]) > 1 or "sumula" in kind.kind) and _LIST_BEHIND.match(text, item.end) is not None


def _whens(items: list[_Numbered], *, by_year: bool, plural: bool) -> list[When | None]:
    """When each is of. The date of "8.212 e 8.213, ambas de 24 de julho de 1991" is of both; a year alone is that of
    two numbers, "40 e 43, de 2001", and of more where numbers begin anew with the year."""
    whens: list[When | None] = []
    behind: When | None = None
    for item in reversed(items):
        if item.when is not None:
            alone = item.when.day is None and plural and (by_year or len(items) == 2)
            behind = item.when if item.shared or alone else None
        whens.append(item.when or behind)
    return whens[::-1]


def _by_date(text: str, at: int) -> Iterator[Norm]:
    """An act without a number, by its date alone (LexML 1.0 part 2, section 10.2.1): a reference."""
    found = _UNNUMBERED.match(text, at)
    when = when_of(found, 2) if found is not None else None
    if found is not None and when is not None and when.day is not None:
        kind = type_of(found[1])
        name = f"urn:lex:br:{kind.authority}:{kind.kind}:{when}"
        yield Norm(at, found.end(), name, UNDATED, "the text gives no number")


def _name(issuer: str, kind: NormType, number: str, when: When | None) -> str:
    return f"urn:lex:{issuer}:{kind.kind}:{when or ''};{number}"
