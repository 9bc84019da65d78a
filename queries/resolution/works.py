"""Works that an incomplete reference or a citation may mean, compared field by field and ranked with reasons.

"o confronto deveria assim se dar campo a campo": LexML part 5, section 2.5. Dates are compared by position, numbers by
their parts. A missing field matches every value, with a slightly lower score.
"""

from __future__ import annotations

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
    key_prefix_by_type_of_issuer,
    nickname_key,
    numbers_of,
    pieces_of,
)
from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.abbreviations import readings_in_full
from graph.wording.folding import words
from graph.wording.nicknames import Nickname, nicknames
from graph.wording.short_names import UNNUMBERED
from queries.evidence import records
from queries.naming import Agreement, MatchReason

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
    """Return the works of the store that match a reference; those that contradict it only if none matches."""
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
    return [from_iri(name) for name in store.names.keys.find(key, AT_MOST + 1)]


def _keys(reference: Reference) -> Iterator[list[str]]:
    """Yield the prefixes of lookup keys to try, in order, until one has results."""
    kind = reference.kind[0] if reference.kind else None
    roots = list(dict.fromkeys(subject[0] for subject in reference.authority))
    if reference.alias is not None and reference.alias == kind and kind in UNNUMBERED:
        yield [key_prefix_by_type_of_issuer(reference.place, root, kind) for root in roots]
    elif reference.alias is not None:
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


def nicknames_on(listed: Iterable[Nickname], on: date | None) -> list[Nickname]:
    """Return those of the norms with one nickname that it meant on a day; without a day, the last."""
    listed = list(listed)
    return listed[-1:] if on is None else [nickname for nickname in listed if nickname.fits(on)]


def by_nickname(store: Store, text: str, on: date | None) -> Works:
    """Return the works with a nickname in sources; if its meaning changed, those that had it on the day."""
    works = works_of(store, Reference(text, None, "br", (), (), alias=text))
    listed = nicknames().get(" ".join(words(text)), ())
    known = {nickname.name for nickname in listed}
    if not works.matches or len(known) < 2:
        return works
    fitting = {nickname.name for nickname in nicknames_on(listed, on)}
    kept = [match for match in works.matches if match.name.canonical not in known - fitting]
    kept_names = {match.name.canonical for match in kept}
    others = [parse(name) for name in sorted(fitting - kept_names)]
    kept += [
        WorkMatch(name, 1.0, (MatchReason(Agreement.KNOWN_AS, text),), agrees=True)
        for name in others
        if records(store, name.iri)
    ]
    return Works(tuple(kept), works.more)
