"""Acts that notes and links of compiled texts name: type, number, and the day or the year that they state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import unquote

from graph.errors import BadName
from graph.urn import Name, parse
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS

_KINDS = (
    (
        re.compile(r"emendas?\s+constitucional\s+de\s+revis[ãa]o|emenda\s+de\s+revis[ãa]o", re.I),
        "emenda.constitucional.revisao",
    ),
    (re.compile(r"emendas?\s+constitucion(?:al|ais)", re.I), "emenda.constitucional"),
    (re.compile(r"leis?\s+complementar(?:es)?", re.I), "lei.complementar"),
    (re.compile(r"leis?\s+delegadas?", re.I), "lei.delegada"),
    (re.compile(r"medidas?\s+provis[óo]rias?|mpv?\b", re.I), "medida.provisoria"),
    (re.compile(r"decretos?\s+legislativos?", re.I), "decreto.legislativo"),
    (re.compile(r"decretos?\s?[-–]?\s?leis?|del\b", re.I), "decreto.lei"),
    (re.compile(r"decretos?", re.I), "decreto"),
    (re.compile(r"atos?\s+institucion(?:al|ais)", re.I), "ato.institucional"),
    (re.compile(r"atos?\s+complementar(?:es)?", re.I), "ato.complementar"),
    (re.compile(r"resolu[çc](?:ão|ao|ões)(?:\s+do\s+senado\s+federal|\s+sf)?", re.I), "resolucao"),
    (re.compile(r"leis?", re.I), "lei"),
)
_TYPE = "|".join(pattern.pattern for pattern, _ in _KINDS)
_MONTH = "|".join(MONTHS) + "|marco"
_DAY = (
    r"([0-9]{1,2})\s?[ºo°]?\s?(?:[./-]\s?([0-9]{1,2})\s?[./-]\s?([0-9]{4}|[0-9]{2})(?![0-9])"
    rf"|\s*de\s+({_MONTH})\s+de\s+([0-9]{{4}}))"
)
_DATED = re.compile(_DAY, re.IGNORECASE)
#: An act: type, number, and what follows of its date.
ACT = re.compile(
    rf"(?P<kind>{_TYPE})\s*(?:n\s?[º°o.]{{0,2}}\s*|nr\.?\s*)?(?P<number>[0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,6}})"
    rf"(?P<letters>(?:\s?-\s?(?:[A-Z]|[0-9]{{1,2}})(?![0-9A-Za-z]))?)(?:\s?/\s?(?P<slashed>[0-9]{{4}}"
    rf"|[0-9]{{2}})(?![0-9]))?"
    rf"(?:\s*,?\s*(?:de|em)?\s*(?P<day>{_DAY}|[0-9]{{4}}(?![0-9./])))?",
    re.IGNORECASE,
)
_LINKS = (
    (re.compile(r"(?:^|/)lcp[-_]?([0-9]{1,3})", re.I), "lei.complementar"),
    (re.compile(r"(?:^|/)(?:mpv?[-_]?)([0-9]{1,4}(?:-[0-9]{1,2})?)", re.I), "medida.provisoria"),
    (re.compile(r"(?:^|/)mpv/([0-9]{1,4}(?:-[0-9]{1,2})?)", re.I), "medida.provisoria"),
    (re.compile(r"(?:^|/)ecr[-_]?([0-9]{1,2})", re.I), "emenda.constitucional.revisao"),
    (re.compile(r"(?:^|/)emc[-_]?([0-9]{1,3})", re.I), "emenda.constitucional"),
    (re.compile(r"(?:^|/)del[-_]?([0-9]{1,5})", re.I), "decreto.lei"),
    (re.compile(r"(?:^|/)dlg[-_]?([0-9]{1,5})", re.I), "decreto.legislativo"),
    (re.compile(r"(?:^|/)l[-_]?([0-9]{1,2}\.?[0-9]{3}|[0-9]{1,4})", re.I), "lei"),
    (re.compile(r"(?:^|/)d[-_]?([0-9]{1,3}\.?[0-9]{3}|[0-9]{1,4})", re.I), "decreto"),
)
_YEAR_IN_PATH = re.compile(r"/((?:18|19|20)[0-9]{2})/")
_CENTURY = 30


@dataclass(frozen=True, slots=True)
class ActName:
    """An act as a note or link names it.

    Attributes:
        kind: its type as a name writes it.
        number: as a name writes it.
        year: None where it is not said.
        day: None where it is not said.
        fragment: of a link, the anchor that it leads to.
    """

    kind: str
    number: str
    year: int | None = None
    day: date | None = None
    fragment: str | None = None

    @property
    def name(self) -> Name | None:
        """The name of the act, with the day or the year that the text states; None without a year."""
        when = self.day.isoformat() if self.day is not None else f"{self.year:04d}" if self.year is not None else None
        issuer = "senado.federal" if self.kind == "resolucao" else "federal"
        kind = self.kind
        if when is None:
            return None
        try:
            return parse(f"urn:lex:br:{issuer}:{kind}:{when};{self.number}")
        except BadName:
            return None

    def agrees(self, other: ActName) -> bool:
        """Whether both may be the same act: neither says what the other denies."""
        same = (self.kind, self.number) == (other.kind, other.number)
        return same and (self.year is None or other.year is None or self.year == other.year)


def day_of(text: str) -> date | None:
    """The day in a text such as "30.9.1997" or "1º de abril de 2021"; None where there is none.

    >>> str(day_of("DOU de 15.8.2018")), str(day_of("em 1º de abril de 2021")), day_of("31.2.2020")
    ('2018-08-15', '2021-04-01', None)
    """
    found = _DATED.search(text)
    return _day(found.groups()) if found is not None else None


def _day(groups: tuple[str | None, ...]) -> date | None:
    day, month, year, name, year_of_name = groups
    if day is None:
        return None
    try:
        if name is not None:
            names = [folded(each) for each in MONTHS]
            return date(int(year_of_name or 0), names.index(folded(name)) + 1, int(day))
        return date(_year(year or ""), int(month or 0), int(day))
    except ValueError:
        return None


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) > 2 else year + (2000 if year < _CENTURY else 1900)


def act_of(text: str) -> ActName | None:
    """The first act that a text names.

    >>> act_of("Redação dada pela Lei nº 13.853, de 2019").name.canonical
    'urn:lex:br:federal:lei:2019;13853'
    >>> act_of("Incluído pela Medida Provisória nº 2.180-35, de 24.8.2001").name.canonical
    'urn:lex:br:federal:medida.provisoria:2001-08-24;2180-35'
    >>> act_of("conversão da MPV nº 472, de 1994").kind, act_of("pelo Del nº 4, de 1969").kind
    ('medida.provisoria', 'decreto.lei')
    """
    found = ACT.search(text)
    return _act(found) if found is not None else None


def _act(found: re.Match[str]) -> ActName:
    written = found["kind"]
    kind = next(name for pattern, name in _KINDS if pattern.fullmatch(written))
    number = found["number"].replace(".", "").lstrip("0") or "0"
    letters = (found["letters"] or "").replace(" ", "").lower()
    if letters[1:].isalpha():
        letters = f"-{letters[1:]}"
    when = found["day"]
    day = day_of(when) if when is not None else None
    year = day.year if day is not None else None
    if year is None and when is not None and when.isdecimal():
        year = int(when)
    if year is None and found["slashed"]:
        year = _year(found["slashed"])
    return ActName(kind, f"{number}{letters}", year, day)


def act_of_link(href: str) -> ActName | None:
    """The act that an address of a page leads to, by the name of its file; None where that says none.

    >>> act_of_link("../../../_Ato2019-2022/2019/Lei/L13853.htm#art2")
    ActName(kind='lei', number='13853', year=2019, day=None, fragment='art2')
    >>> act_of_link("../Mpv/mpv869.htm#art1").number, act_of_link("#art3")
    ('869', None)
    """
    path, _, fragment = unquote(href[:500]).partition("#")
    file = path.rpartition("?")[0] or path
    for pattern, kind in _LINKS:
        found = pattern.search(file)
        if found is not None and file.lower().endswith((".htm", ".html", ".doc", ".pdf", ".rtf")):
            year = _YEAR_IN_PATH.search(file)
            number = found[1].replace(".", "").lstrip("0") or "0"
            return ActName(kind, number, int(year[1]) if year else None, None, fragment or None)
    return None
