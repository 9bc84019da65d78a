"""What words cite, and what of them is left over: a text is followed only where all that it says was understood.

"Lei nº 8.078/90 de Campinas" and "Anexo I da Lei nº 8.078/90" cite a norm and say more: what is left may be what they
mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.references import Reference
from graph.store import Store
from graph.urn import Name, parse
from graph.wording.citations import Citation, Context, cite
from graph.wording.citations.lexicon import Nickname, nicknames
from graph.wording.folding import words
from queries.evidence import records
from queries.naming import Agreement, MatchReason
from queries.notices import Notice, NotUnderstood, WordsLeft
from queries.resolution.works import Found, Works, works_of

_MARKS = r"[\s.,;:?!()\[\]\"“”'‘’«»–—-]"
_ARTICLES = r"(?:[oa]s?|d[eao]s?|n[ao]s?|à|às|aos?|em|pel[ao]s?|uma?)"
_SEE = r"(?:arts?|v|veja|vide|ver|cf|cfe|conforme|consoante|segundo|consulte)"
_PHRASE = r"(?:nos\s+termos|na\s+forma|de\s+acordo\s+com|com\s+(?:base|fundamento))"
#: What may stand in front of a citation and says nothing of its own.
_IN_FRONT = re.compile(rf"(?:{_MARKS}|(?:{_PHRASE}|{_SEE}|{_ARTICLES})(?!\w))*", re.IGNORECASE)
#: What may stand between two citations of one norm: "CLT, aprovada pelo Decreto-Lei nº 5.452/43".
_BETWEEN = re.compile(
    rf"(?:{_MARKS}|(?:aprovad[oa]|institu[íi]d[oa]|{_PHRASE}|{_SEE}|{_ARTICLES}|e|ou)(?!\w))*", re.IGNORECASE
)
#: What may stand behind: whose law it is anyway.
_BEHIND = re.compile(
    rf"(?:{_MARKS}|(?:brasileir[oa]|federal|do\s+brasil|da\s+uni[ãa]o|da\s+rep[úu]blica"
    r"(?:\s+federativa\s+do\s+brasil)?)(?!\w))*",
    re.IGNORECASE,
)
#: The confidence of a nickname that several norms had, read as the last one.
_LAST_OF_SEVERAL = 0.5
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a text cites.

    Attributes:
        cited: the words that were understood.
        names: what they name: one where it is certain, none where nothing is cited.
        left: the words that were not understood; empty where there are none.
        one_nickname: whether several names are those that one nickname had on the day.
        nicknames: of the nicknames among the words, from when to when each meant its norm.
    """

    cited: str = ""
    names: tuple[str, ...] = ()
    left: str = ""
    one_nickname: bool = False
    nicknames: tuple[str, ...] = ()


def spoken(text: str, on: date | None) -> Spoken:
    """What a text cites on a day.

    Citations of one norm beside each other are one: its nickname and its number, the norm and its article.

    >>> found = spoken("Código de Defesa do Consumidor (Lei nº 8.078/90)", None)
    >>> found.names, found.left
    (('urn:lex:br:federal:lei:1990-09-11;8078',), '')
    >>> spoken("Lei 8.078/90, art. 6º", None).names
    ('urn:lex:br:federal:lei:1990;8078!art6',)
    >>> spoken("Anexo I da Lei nº 8.078/90", None).left
    'Anexo I da'
    """
    citations = cite(text, Context(on=on))
    if not citations:
        return Spoken()
    cited = "; ".join(dict.fromkeys(citation.text for citation in citations))
    left = " ... ".join(_left(text, citations))
    names = _merged(citations)
    told = tuple(dict.fromkeys(one.reason for one in citations if one.reason and one.reason.startswith("nickname")))
    if len(names) == 1 and (alias := parse(names[0]).descritor.apelido) is not None:
        several = _of_nickname(alias.replace(".", " "), on, names[0])
        return Spoken(cited, several or names, left, one_nickname=len(several) > 1, nicknames=told)
    return Spoken(cited, names, left, nicknames=told)


def _left(text: str, citations: tuple[Citation, ...]) -> Iterator[str]:
    """The pieces of a text that no citation covers, apart from words that say nothing."""
    at = 0
    for position, citation in enumerate(citations):
        gap = _printed(text[at : citation.start])
        if (_BETWEEN if position else _IN_FRONT).fullmatch(gap) is None:
            yield gap.strip()
        at = citation.end
    gap = _printed(text[at:])
    if _BEHIND.fullmatch(gap) is None:
        yield gap.strip()


def _printed(text: str) -> str:
    return "".join(character for character in text if character.isprintable() or character.isspace())


def _merged(citations: tuple[Citation, ...]) -> tuple[str, ...]:
    """The one name where all citations are of one norm and at most one of its provisions; else all of them."""
    names = [parse(citation.name) for citation in citations]
    sure = [name.work for name, one in zip(names, citations, strict=True) if one.confidence > _LAST_OF_SEVERAL]
    works = [name.work for name in names]
    if sure and len(sure) < len(works):
        works = [work if work in sure else _told(work, sure) for work in works]
    widest = works[0]
    for work in works[1:]:
        finer = _finer(widest, work)
        if finer is None:
            return tuple(dict.fromkeys(citation.name for citation in citations))
        widest = finer
    provisions = {str(name.fragmento) for name in names if name.fragmento is not None}
    if len(provisions) > 1:
        return tuple(dict.fromkeys(citation.name for citation in citations))
    tails = [name.canonical.removeprefix(name.work.canonical) for name in names if name.fragmento is not None]
    return (widest.canonical + (tails[0] if tails else ""),)


def _told(work: Name, sure: Iterable[Name]) -> Name:
    """The norm that a nickname of several means beside another citation: "Lei de Licitações (Lei nº 8.666/93)"."""
    others = [
        parse(other.name)
        for listed in nicknames().values()
        if any(one.name == work.canonical for one in listed)
        for other in listed
    ]
    return next((other for other in others if any(_finer(other, one) == other for one in sure)), work)


def _finer(one: Name, other: Name) -> Name | None:
    """Of two names of one norm that which says more of it; None where they are of different norms."""
    if one == other:
        return one
    for less, more in ((one, other), (other, one)):
        same = (less.local, less.autoridade, less.tipo_documento) == (more.local, more.autoridade, more.tipo_documento)
        numbers = less.descritor.identificadores
        if not same or not numbers or numbers != more.descritor.identificadores:
            return None
        if less.representative_date is None and less.representative_year in {None, more.representative_year}:
            return more
    return None


def _of_nickname(key: str, on: date | None, name: str) -> tuple[str, ...]:
    """The names of all norms that had a nickname on a day, with the provision that the cited name says."""
    known = _on(nicknames().get(key, ()), on)
    _, mark, provision = name.partition("!")
    return tuple(dict.fromkeys(f"{one.name}{mark}{provision}" for one in known))


def _on(listed: Iterable[Nickname], on: date | None) -> list[Nickname]:
    listed = list(listed)
    return listed[-1:] if on is None else [one for one in listed if one.fits(on)]


def by_nickname(store: Store, text: str, on: date | None) -> Works:
    """The works to which sources give a nickname; of one that passed on, those that had it on the day."""
    works = works_of(store, Reference(text, None, "br", (), (), alias=text))
    listed = nicknames().get(" ".join(words(text)), ())
    known = {one.name for one in listed}
    if not works.found or len(known) < 2:
        return works
    fitting = {one.name for one in _on(listed, on)}
    kept = [one for one in works.found if one.name.canonical not in known - fitting]
    there = {one.name.canonical for one in kept}
    others = [parse(name) for name in sorted(fitting - there)]
    kept += [
        Found(one, 1.0, (MatchReason(Agreement.KNOWN_AS, text),), agrees=True)
        for one in others
        if records(store, one.iri)
    ]
    return Works(tuple(kept), works.more)


def words_left(found: Spoken) -> Notice:
    """What was understood of a text that says more, and what was not."""
    return WordsLeft(found.cited, tuple(found.names), found.left)


def not_understood(text: str, on: date | None) -> Notice:
    """Why a text is nothing here."""
    if on is not None and cite(text):
        return NotUnderstood(on)
    return NotUnderstood()
