"""Works that an incomplete reference or a citation may mean, compared field by field and ranked with reasons.

"o confronto deveria assim se dar campo a campo": LexML part 5, section 2.5. Dates are compared by position, numbers by
their parts. A missing field matches every value, with a slightly lower score.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from graph.references import (
    Reference,
    is_made_number,
    key_prefix_by_date_of_issuer,
    key_prefix_by_day,
    key_prefix_by_number,
    key_prefix_by_number_and_year,
    key_prefix_by_number_of_issuer,
    nickname_key,
    numbers_of,
    pieces_of,
)
from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.abbreviations import readings_in_full
from graph.wording.citations import Citation, Context, cite
from graph.wording.citations.lexicon import Nickname, nicknames
from graph.wording.folding import words
from graph.wording.transitional import CONSTITUTION, TRANSITIONAL
from queries.evidence import records
from queries.naming import Agreement, MatchReason
from queries.notices import Notice, NotUnderstood, WordsLeft

#: The maximum number of works compared; beyond it the question must be more specific.
AT_MOST = 100
#: The maximum number of works named in a notice.
NAMED = 5
#: A score that ends the search.
_GOOD = 0.6

_SAME = 1.0
_NOT_GIVEN = 0.9
_LESS = 0.95
_PIECE = 0.8
_OTHER_DAY = 0.7
_OTHER_SUBTYPE = 0.65
_OTHER_NUMBER = 0.6
_OTHER_AUTHORITY = 0.5
_OTHER_YEAR = 0.4
_CONTRADICTIONS = frozenset({_OTHER_DAY, _OTHER_SUBTYPE, _OTHER_NUMBER, _OTHER_AUTHORITY, _OTHER_YEAR})


@dataclass(frozen=True, slots=True)
class WorkMatch:
    """A possible work: its score, from 0 to 1, and the reasons.

    ``agrees`` is False if a stated field contradicts it.
    """

    name: Name
    score: float
    why: tuple[MatchReason, ...]
    agrees: bool


@dataclass(frozen=True, slots=True)
class Works:
    """The possible works, best first; ``more`` if others were not compared."""

    matches: tuple[WorkMatch, ...]
    more: bool = False


def works_of(store: Store, reference: Reference) -> Works:
    """Return the works of the store that match a reference; those that contradict it only if none matches.

    Raises:
        StoreProblem: the store cannot be read.
    """
    matches: dict[str, WorkMatch] = {}
    more = False
    agreement = _Agreement(reference)
    for keys in _keys(reference):
        for key in keys:
            names = _names(store, key)
            more = more or len(names) > AT_MOST
            for name in names[:AT_MOST]:
                if name not in matches and (match := agreement(parse(name))) is not None:
                    matches[name] = match
        if any(candidate.score >= _GOOD for candidate in matches.values()):
            break
    agreeing = [candidate for candidate in matches.values() if candidate.agrees]
    return Works(tuple(sorted(agreeing or matches.values(), key=order_of)), more)


def candidate_of(reference: Reference, work: Name) -> WorkMatch | None:
    """Return a work as a candidate, if it agrees with a reference; None if it contradicts it."""
    candidate = _Agreement(reference)(work)
    return candidate if candidate is not None and candidate.agrees else None


def _names(store: Store, key: str) -> list[str]:
    return [from_iri(name) for name in store.names.works_by_key(key, AT_MOST + 1)]


def _keys(reference: Reference) -> Iterator[list[str]]:
    """Yield the prefixes of lookup keys to try, in order, until one has results."""
    kind = reference.kind[0] if reference.kind else None
    roots = list(dict.fromkeys(subject[0] for subject in reference.authority))
    if reference.alias is not None:
        yield [nickname_key(reference.alias)]
    elif reference.numbers and kind is not None:
        number = numbers_of(reference.numbers[0])[0]
        if roots:
            yield [key_prefix_by_number_of_issuer(reference.place, root, kind, number) for root in roots]
        if reference.year is not None:
            yield [key_prefix_by_number_and_year(kind, number, reference.year)]
        yield [key_prefix_by_number(kind, number)]
        pieces = numbers_of(reference.numbers[0])[1:]
        if reference.year is not None:
            yield [key_prefix_by_number_and_year(kind, piece, reference.year) for piece in pieces]
    elif kind is not None and reference.year is not None and roots:
        keys = [
            key_prefix_by_date_of_issuer(reference.place, root, kind, reference.year, reference.month) for root in roots
        ]
        if reference.date is not None:
            yield [key_prefix_by_day(key, reference.date) for key in keys]
            yield [key_prefix_by_date_of_issuer(reference.place, root, kind, reference.year) for root in roots]
        else:
            yield keys


class _Agreement:
    """Computes the score of a work for a reference; None if the reference cannot mean it."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference

    def __call__(self, work: Name) -> WorkMatch | None:
        reference = self._reference
        parts = [_number(reference, work), _authority(reference, work), _kind(reference, work), _day(reference, work)]
        score = _SAME
        agrees = True
        reasons: list[MatchReason] = []
        for part in parts:
            if part is None:
                return None
            share, *part_reasons = part
            score *= share
            agrees = agrees and share not in _CONTRADICTIONS
            reasons += part_reasons
        why = tuple(reasons) or (MatchReason(Agreement.ALL_FIELDS),)
        return WorkMatch(work, round(score, 3), why, agrees)


#: A factor of the score, and its reasons.
_Part = tuple[float, *tuple[MatchReason, ...]]


def _number(reference: Reference, work: Name) -> _Part | None:
    if reference.alias is not None:
        return _SAME, MatchReason(Agreement.KNOWN_AS, reference.alias)
    if not reference.numbers:
        return _NOT_GIVEN, MatchReason(Agreement.NUMBER_MISSING)
    work_numbers = {numbers_of(identifier)[0] for identifier in work.descritor.identificadores}
    asked = {numbers_of(number)[0] for number in reference.numbers}
    if asked == work_numbers:
        return _SAME, MatchReason(Agreement.NUMBER)
    if asked <= work_numbers:
        return _LESS, MatchReason(Agreement.ONE_NUMBER)
    within = {
        number
        for number in asked
        if any(_has_pieces(identifier, number) for identifier in work.descritor.identificadores)
    }
    if asked == within:
        return _PIECE, MatchReason(Agreement.COMPONENT)
    return (_OTHER_NUMBER, MatchReason(Agreement.NUMBERS_DIFFER)) if within else None


def _has_pieces(identifier: str, asked: str) -> bool:
    """Return whether a number has all components of a reduced one, in their order: ``aipa-35`` of ``aipa-cr-35``."""
    if asked in numbers_of(identifier):
        return True
    if is_made_number(identifier):
        return False
    remaining = iter(pieces_of(identifier))
    pieces = pieces_of(asked)
    return len(pieces) > 1 and all(piece in remaining for piece in pieces)


def _authority(reference: Reference, work: Name) -> _Part | None:
    place = ";".join((work.local.pais, *work.local.detalhe))
    authority = f"{place}:{','.join(map(';'.join, work.autoridade))}"
    if not reference.authority:
        share = _NOT_GIVEN if reference.alias is None else _SAME
        return share, MatchReason(Agreement.AUTHORITY_MISSING), MatchReason(Agreement.IT_IS, authority)
    if reference.place == place and set(reference.authority) == set(work.autoridade):
        return (_SAME,)
    if reference.place == place and _abbreviated(reference.authority, work.autoridade):
        return _LESS, MatchReason(Agreement.ABBREVIATED, authority)
    if reference.place == place and {subject[0] for subject in reference.authority} & {
        subject[0] for subject in work.autoridade
    }:
        return _LESS, MatchReason(Agreement.OTHER_ORGAN, authority)
    return _OTHER_AUTHORITY, MatchReason(Agreement.OTHER_AUTHORITY, authority)


def _abbreviated(asked: Collection[tuple[str, ...]], subjects: Collection[tuple[str, ...]]) -> bool:
    """Return whether the subjects asked for are those of a work in abbreviations: ``gov`` of ``governador``."""
    return len(asked) == len(subjects) and all(any(_is_short_for(given, own) for own in subjects) for given in asked)


def _is_short_for(given: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return len(given) == len(own) and all(
        short == level or level in readings_in_full(short, below=depth > 0)
        for depth, (short, level) in enumerate(zip(given, own, strict=True))
    )


def _kind(reference: Reference, work: Name) -> _Part | None:
    if reference.kind == work.tipo_documento:
        return (_SAME,)
    if not reference.kind:
        return _SAME, MatchReason(Agreement.TYPE_MISSING), MatchReason(Agreement.IT_IS, work.tipo_documento[0])
    if reference.kind[0] != work.tipo_documento[0]:
        return None if reference.alias is None else (_PIECE, MatchReason(Agreement.TYPE, work.tipo_documento[0]))
    if reference.kind[1:]:
        own = ";".join(work.tipo_documento[1:])
        other = MatchReason(Agreement.OTHER_SUBTYPE, own) if own else MatchReason(Agreement.NO_SUBTYPE)
        return _OTHER_SUBTYPE, other
    return _LESS, MatchReason(Agreement.SUBTYPE, ";".join(work.tipo_documento[1:]))


def _day(reference: Reference, work: Name) -> _Part | None:
    """Return the score of the date with its reason; None if the dates exclude the work.

    The year is compared first, then the month, then the day.
    """
    if reference.year is None:
        return (_NOT_GIVEN if reference.alias is None else _SAME), *_day_reason(work)
    days = work.descritor.datas
    if not days:
        if work.descritor.ano != reference.year:
            return (_OTHER_YEAR, _other_year_reason(work.descritor.ano)) if reference.numbers else None
        alone = MatchReason(Agreement.YEAR_ALONE)
        return (_LESS, alone) if reference.month else (_SAME, MatchReason(Agreement.YEAR))
    asked = _dates(reference)
    if agreeing := asked & set(days):
        return (_SAME,) if agreeing == asked else (_OTHER_DAY, MatchReason(Agreement.DATES_DIFFER))
    same_year = [day for day in days if day.year == reference.year]
    if not same_year:
        return (_OTHER_YEAR, _other_year_reason(days[0].year)) if reference.numbers or reference.alias else None
    if reference.month is None:
        return _LESS, MatchReason(Agreement.YEAR), MatchReason(Agreement.FULL_DATE, str(same_year[0]))
    same_month = [day for day in same_year if day.month == reference.month]
    if same_month and reference.day is None:
        return _LESS, MatchReason(Agreement.MONTH), MatchReason(Agreement.FULL_DATE, str(same_month[0]))
    if not reference.numbers and reference.alias is None:
        return None
    return _OTHER_DAY, MatchReason(Agreement.OTHER_DAY, str(same_year[0]))


def _other_year_reason(year: int | None) -> MatchReason:
    return MatchReason(Agreement.OTHER_YEAR, str(year))


def _dates(reference: Reference) -> set[date]:
    """Return the stated full dates; a name may have several."""
    if reference.date is not None:
        return {reference.date}
    return set(reference.name.descritor.datas) if reference.name is not None else set()


def _day_reason(work: Name) -> tuple[MatchReason, ...]:
    day = work.representative_date or work.representative_year
    return (MatchReason(Agreement.OF_DAY, str(day)),) if day is not None else ()


def order_of(match: WorkMatch) -> tuple[float, int, int, str]:
    """Return the sort key: best first, then the larger place, then the newest, then by name."""
    newest = match.name.oldest_day
    return -match.score, len(match.name.local.detalhe), -(newest.toordinal() if newest else 0), match.name.canonical


# The citations in a text, and the remaining words: a text is resolved only if every word was understood.
#
# "Lei nº 8.078/90 de Campinas" and "Tabela I da Lei nº 8.078/90" cite a norm, but the remaining words may change the
# meaning.


_MARKS = r"[\s.,;:?!()\[\]\"“”'‘’«»–—-]"
_ARTICLES = r"(?:[oa]s?|d[eao]s?|n[ao]s?|à|às|aos?|em|pel[ao]s?|uma?)"
_SEE = r"(?:arts?|v|veja|vide|ver|cf|cfe|conforme|consoante|segundo|consulte)"
_PHRASE = r"(?:nos\s+termos|na\s+forma|de\s+acordo\s+com|com\s+(?:base|fundamento))"
#: Words before a citation that do not change its meaning.
_IN_FRONT = re.compile(rf"(?:{_MARKS}|(?:{_PHRASE}|{_SEE}|{_ARTICLES})(?!\w))*", re.IGNORECASE)
#: Words between two citations of one norm: "CLT, aprovada pelo Decreto-Lei nº 5.452/43".
_BETWEEN = re.compile(
    rf"(?:{_MARKS}|(?:aprovad[oa]|institu[íi]d[oa]|{_PHRASE}|{_SEE}|{_ARTICLES}|e|ou)(?!\w))*", re.IGNORECASE
)
#: Words after a citation that only repeat its issuer.
_BEHIND = re.compile(
    rf"(?:{_MARKS}|(?:brasileir[oa]|federal|do\s+brasil|da\s+uni[ãa]o|da\s+rep[úu]blica"
    r"(?:\s+federativa\s+do\s+brasil)?)(?!\w))*",
    re.IGNORECASE,
)
#: The confidence of a nickname that several norms had, read as the last one.
_LAST_OF_SEVERAL = 0.5
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class TextCitations:
    """The citations of a text.

    Attributes:
        cited: the words that were understood.
        names: the cited names: one if it is certain, none if nothing is cited.
        left: the words that were not understood; empty if there are none.
        one_nickname: whether the names are several norms with one nickname on the day.
        nicknames: for each nickname among the words, the days on which it meant its norm.
    """

    cited: str = ""
    names: tuple[str, ...] = ()
    left: str = ""
    one_nickname: bool = False
    nicknames: tuple[str, ...] = ()


def spoken(text: str, on: date | None) -> TextCitations:
    """Return the citations of a text on a day.

    Adjacent citations of one norm are combined: its nickname and its number, the norm and its article.

    >>> found = spoken("Código de Defesa do Consumidor (Lei nº 8.078/90)", None)
    >>> found.names, found.left
    (('urn:lex:br:federal:lei:1990-09-11;8078',), '')
    >>> spoken("Lei 8.078/90, art. 6º", None).names
    ('urn:lex:br:federal:lei:1990;8078!art6',)
    >>> spoken("Anexo I da Lei nº 8.078/90", None).names
    ('urn:lex:br:federal:lei:1990;8078;anexo.1',)
    >>> spoken("Tabela I da Lei nº 8.078/90", None).left
    'Tabela I da'
    """
    citations = cite(text, Context(on=on))
    if not citations:
        return TextCitations()
    cited = "; ".join(dict.fromkeys(citation.text for citation in citations))
    left = " ... ".join(_words_outside(text, citations))
    names = _merged_names(citations)
    nicknames_found = tuple(
        dict.fromkeys(
            citation.reason for citation in citations if citation.reason and citation.reason.startswith("nickname")
        )
    )
    if len(names) == 1 and (alias := parse(names[0]).descritor.apelido) is not None:
        several = _of_nickname(alias.replace(".", " "), on, names[0])
        return TextCitations(cited, several or names, left, one_nickname=len(several) > 1, nicknames=nicknames_found)
    return TextCitations(cited, names, left, nicknames=nicknames_found)


def _words_outside(text: str, citations: tuple[Citation, ...]) -> Iterator[str]:
    """Yield the parts of a text outside of citations, without words that do not change the meaning."""
    index = 0
    for position, citation in enumerate(citations):
        gap = _without_unprintable(text[index : citation.start])
        if (_BETWEEN if position else _IN_FRONT).fullmatch(gap) is None:
            yield gap.strip()
        index = citation.end
    gap = _without_unprintable(text[index:])
    if _BEHIND.fullmatch(gap) is None:
        yield gap.strip()


def _without_unprintable(text: str) -> str:
    return "".join(character for character in text if character.isprintable() or character.isspace())


def _merged_names(citations: tuple[Citation, ...]) -> tuple[str, ...]:
    """Return the only name if all citations are of one norm and at most one of its provisions; else all of them."""
    citations = _without_whole_of_annex(_without_constitution(citations))
    names = [parse(citation.name) for citation in citations]
    sure = [
        name.work for name, citation in zip(names, citations, strict=True) if citation.confidence > _LAST_OF_SEVERAL
    ]
    works = [name.work for name in names]
    if sure and len(sure) < len(works):
        works = [work if work in sure else _with_day(work, sure) for work in works]
    widest = works[0]
    for work in works[1:]:
        finer = _more_specific(widest, work)
        if finer is None:
            return tuple(dict.fromkeys(citation.name for citation in citations))
        widest = finer
    provisions = {str(name.fragmento) for name in names if name.fragmento is not None}
    if len(provisions) > 1:
        return tuple(dict.fromkeys(citation.name for citation in citations))
    tails = [name.canonical.removeprefix(name.work.canonical) for name in names if name.fragmento is not None]
    return (widest.canonical + (tails[0] if tails else ""),)


def _without_constitution(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Return the citations without that of the whole Constitution beside its transitional provisions: "art. 48 do ADCT
    da Constituição"."""
    transitional = any(citation.name.partition("!")[0] == TRANSITIONAL for citation in citations)
    return tuple(citation for citation in citations if citation.name != CONSTITUTION) if transitional else citations


def _without_whole_of_annex(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Return the citations without that of the norm beside its annex: "Anexo I da Lei nº 1"."""
    wholes = {name.whole for citation in citations if (name := parse(citation.name).work).whole != name}
    return tuple(citation for citation in citations if parse(citation.name) not in wholes)


def _with_day(work: Name, sure: Iterable[Name]) -> Name:
    """Return the norm that an ambiguous nickname means beside another citation: "Lei de Licitações (Lei nº
    8.666/93)"."""
    others = [
        parse(other.name)
        for listed in nicknames().values()
        if any(nickname.name == work.canonical for nickname in listed)
        for other in listed
    ]
    return next((other for other in others if any(_more_specific(other, name) == other for name in sure)), work)


def _more_specific(name: Name, other: Name) -> Name | None:
    """Return the more specific of two names of one norm; None if they are of different norms."""
    if name == other:
        return name
    for less, more in ((name, other), (other, name)):
        same = (less.local, less.autoridade, less.tipo_documento) == (more.local, more.autoridade, more.tipo_documento)
        numbers = less.descritor.identificadores
        if not same or not numbers or numbers != more.descritor.identificadores:
            return None
        if less.representative_date is None and less.representative_year in {None, more.representative_year}:
            return more
    return None


def _of_nickname(key: str, on: date | None, name: str) -> tuple[str, ...]:
    """Return the names of all norms with a nickname on a day, with the provision of the cited name."""
    known = _nicknames_on(nicknames().get(key, ()), on)
    _, mark, provision = name.partition("!")
    return tuple(dict.fromkeys(f"{nickname.name}{mark}{provision}" for nickname in known))


def _nicknames_on(listed: Iterable[Nickname], on: date | None) -> list[Nickname]:
    listed = list(listed)
    return listed[-1:] if on is None else [nickname for nickname in listed if nickname.fits(on)]


def by_nickname(store: Store, text: str, on: date | None) -> Works:
    """Return the works with a nickname in sources; if its meaning changed, those that had it on the day."""
    works = works_of(store, Reference(text, None, "br", (), (), alias=text))
    listed = nicknames().get(" ".join(words(text)), ())
    known = {nickname.name for nickname in listed}
    if not works.matches or len(known) < 2:
        return works
    fitting = {nickname.name for nickname in _nicknames_on(listed, on)}
    kept = [match for match in works.matches if match.name.canonical not in known - fitting]
    kept_names = {match.name.canonical for match in kept}
    others = [parse(name) for name in sorted(fitting - kept_names)]
    kept += [
        WorkMatch(name, 1.0, (MatchReason(Agreement.KNOWN_AS, text),), agrees=True)
        for name in others
        if records(store, name.iri)
    ]
    return Works(tuple(kept), works.more)


def words_left(citations: TextCitations) -> Notice:
    """Return the notice on the understood and the remaining words of a text."""
    return WordsLeft(citations.cited, tuple(citations.names), citations.left)


def not_understood(text: str, on: date | None) -> Notice:
    """Return the notice on a text that identifies nothing."""
    if on is not None and cite(text):
        return NotUnderstood(on)
    return NotUnderstood()
