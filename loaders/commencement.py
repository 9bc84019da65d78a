"""Commencement clauses: the day on which an act, or parts of it, come into force (LC 95/1998, art. 8).

A clause is read if it states a day, a term, or the day of publication. Any other clause gives no day. Terms are counted
by :mod:`graph.civil`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from graph.civil import Term, Unit, first_day_after
from graph.errors import BadDate
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS, from_letters
from loaders.articulated.notes import day_of

_ACT = (
    r"(?:est[ae]|a presente|o presente)\s+(?:lei complementar|lei delegada|lei|decreto-lei|decreto legislativo|decreto"
)
_CLAUSE = re.compile(
    _ACT
    + r"|medida provisoria|emenda constitucional|emenda|resolucao|portaria|instrucao normativa|codigo|constituicao|ato)"
    r"[^.;]{0,80}?\b(?:entra(?:ra)?|entrara|comeca(?:ra)?|passa(?:ra)?|vigora(?:ra)?|tera vigencia)\b"
)
_DAYS_OF_EFFECT = re.compile(r"produzi\w* (?:seus )?efeitos|com efeitos|retroagi\w*")
_PUBLICATION = re.compile(
    r"(?:na|da|desde a) (?:data|dia) (?:de|da) (?:sua )?publicacao|no dia (?:de|da) (?:sua )?publicacao"
    r"|na data em que for publicad"
)
#: A clause that excepts some parts states their days in another clause, or in the same sentence.
_EXCEPTS = re.compile(r"\b(?:salvo|exceto|ressalvad[oa]s?|excecao|excetuad[oa]s?)\b")
_UNITS = {"dia": Unit.DAY, "mes": Unit.MONTH, "ano": Unit.YEAR}
_WORDS = {
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8,
    "nove": 9, "dez": 10, "doze": 12, "quinze": 15, "dezoito": 18, "vinte": 20, "vinte e quatro": 24, "trinta": 30,
    "trinta e seis": 36, "quarenta": 40, "quarenta e cinco": 45, "sessenta": 60, "noventa": 90, "cem": 100,
    "cento e vinte": 120, "cento e oitenta": 180, "trezentos e sessenta": 360, "trezentos e sessenta e cinco": 365,
}  # fmt: skip
_NUMBER = "|".join(sorted(_WORDS, key=len, reverse=True))
_TERM = re.compile(
    rf"(?:([0-9]{{1,4}})(?:\s?\([^()]{{1,60}}\))?|({_NUMBER})(?:\s?\([^()]{{1,60}}\))?)\s+(dia|mes|ano)(?:e?s)?\b"
)
_AFTER = re.compile(r"\b(?:apos|depois|decorrid\w*|no prazo de|contad\w*|a contar|a partir)\b")
_FOLLOWING_YEAR = re.compile(
    r"(?:1o?|primeiro)\W* (?:dia )?de (" + "|".join(map(folded, MONTHS)) + r") do ano (?:seguinte|subsequente)"
)
_FIRST_DAY_OF_MONTH = re.compile(
    r"primeiro dia do (?:(primeiro|segundo|terceiro|quarto|quinto|sexto) )?mes (?:seguinte|subsequente)"
)
_ORDINALS = {"primeiro": 1, "segundo": 2, "terceiro": 3, "quarto": 4, "quinto": 5, "sexto": 6}
_PARTS = re.compile(r"(?:quanto|relativamente|em relacao|no que se refere|para) (?:ao?s?|o?s?) ")
_OTHERS = re.compile(r"demais (?:artigos|dispositivos|casos)|dispositivos restantes|restante")
_ARTICLE = re.compile(r"\b([0-9]{1,4})\s?o?((?:-[a-z])*)(?![0-9a-z])")
_SPAN = re.compile(r"\b([0-9]{1,4})\s?o? a ([0-9]{1,4})\b")
_MENTIONS = re.compile(r"\barts?\.? |\bartigos? ")
_LONGEST = 2_000
_WIDEST = 500


@dataclass(frozen=True, slots=True)
class Commencement:
    """From when an act, or part of it, is in force.

    Attributes:
        day: the first day of force.
        parts: identifiers of the articles that the clause covers; None for all that no other clause covers.
        term: the term, if the day is counted.
        fragment: the provision with the clause.
        clause: its text.
    """

    day: date
    parts: tuple[str, ...] | None
    term: Term | None
    fragment: str
    clause: str


def read_commencement(texts: Mapping[str, str], published: date) -> tuple[Commencement, ...]:
    """Return the days that the clauses of an act state; empty if none is understood.

    >>> text = "Esta Lei entra em vigor após decorridos 18 (dezoito) meses de sua publicação oficial."
    >>> str(read_commencement({"art65_cpt": text}, date(2018, 8, 15))[0].day)
    '2020-02-16'

    Args:
        texts: the text of the act's own provisions by identifier, in the order of the act.
        published: the day of publication.
    """
    found: list[Commencement] = []
    for fragment, text in texts.items():
        plain = folded(text[:_LONGEST])
        if not fragment.endswith("_cpt") or not fragment.startswith("art") or _CLAUSE.search(plain) is None:
            continue
        inside = [(key, words) for key, words in texts.items() if key.startswith(f"{fragment}_inc")]
        clauses = inside if plain.rstrip().endswith(":") and inside else [(fragment, text)]
        read = [_read(key, words, published) for key, words in clauses]
        if any(one is None for one in read):
            return ()  # what a part says would be taken for the whole
        found.extend(one for one in read if one is not None)
    return tuple(found)


def _read(fragment: str, text: str, published: date) -> Commencement | None:
    plain = " ".join(folded(text[:_LONGEST]).replace("º", "o").split())
    effects = _DAYS_OF_EFFECT.search(plain)
    clause = plain[: effects.start()] if effects is not None else plain
    when = _day(clause, text, published) if _EXCEPTS.search(clause) is None else None
    if when is None:
        return None
    day, term = when
    parts = _parts_of(clause)
    if parts == ():
        return None
    return Commencement(day, parts, term, fragment, text)


def _day(plain: str, text: str, published: date) -> tuple[date, Term | None] | None:
    """Return the day that a clause states or counts; None if it is not understood, or states several."""
    term = _term(plain)
    if term is not None:
        try:
            return first_day_after(published, term), term
        except BadDate:
            return None
    year = _FOLLOWING_YEAR.search(plain)
    if year is not None:
        return date(published.year + 1, [folded(each) for each in MONTHS].index(year[1]) + 1, 1), None
    month = _FIRST_DAY_OF_MONTH.search(plain)
    if month is not None:
        months = published.month - 1 + _ORDINALS.get(month[1] or "primeiro", 1)
        return date(published.year + months // 12, months % 12 + 1, 1), None
    stated = day_of(_before_effects(text))
    if stated is not None and _PUBLICATION.search(plain) is None:
        return stated, None
    return (published, None) if _PUBLICATION.search(plain) is not None else None


def _before_effects(text: str) -> str:
    found = re.search(r"produz|com efeitos|retroag", text, re.IGNORECASE)
    return text[: found.start()] if found is not None else text


def _term(plain: str) -> Term | None:
    found = _TERM.search(plain)
    if found is None or (_AFTER.search(plain) is None and "publicacao" not in plain):
        return None
    number = int(found[1]) if found[1] else _WORDS[found[2]]
    return Term(number, _UNITS[found[3]]) if number else None


def _parts_of(plain: str) -> tuple[str, ...] | None:
    """Return the articles that a clause covers; None for all others; empty if it limits itself in another way."""
    about = _PARTS.search(plain)
    if about is None or _OTHERS.search(plain, about.start()) is not None:
        return None
    rest = plain[about.end() :]
    if _MENTIONS.search(plain, about.start()) is None or re.search(r"§|inciso|paragrafo|alinea", rest) is not None:
        return ()
    return tuple(dict.fromkeys(_articles(re.split(r",? (?:em|no dia|na data|apos|a partir) ", rest)[0])))


def _articles(plain: str) -> Iterator[str]:
    for span in _SPAN.finditer(plain):
        first, last = int(span[1]), int(span[2])
        if first < last <= first + _WIDEST:
            yield from (f"art{number}" for number in range(first, last + 1))
    for found in _ARTICLE.finditer(_SPAN.sub(" ", plain)):
        letters = [from_letters(part) for part in found[2].split("-") if part]
        yield f"art{found[1]}" + "".join(f"-{number}" for number in letters)
