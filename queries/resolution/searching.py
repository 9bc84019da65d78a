"""Search by identification, by number, or by words: the works that match all stated fields, with reasons."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from unicodedata import normalize

from graph.civil import today
from graph.errors import BadName, BadParameter
from graph.read_model.rectangles import ordinal
from graph.references import (
    Reference,
    key_prefix_by_date,
    key_prefix_by_date_of_issuer,
    key_prefix_by_number,
    key_prefix_by_number_and_year,
    key_prefix_by_number_of_issuer,
    numbers_of,
    read_reference,
    reference_of,
)
from graph.store import Store
from graph.store.words import WordsFound
from graph.urn import Name, from_iri, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import folded, without_invisible_marks, words
from graph.wording.labels import label_and_heading
from graph.wording.numerals import year_of
from graph.wording.provisions import is_grouping
from ontology.places import UNITS
from queries.naming import Agreement, MatchReason
from queries.notices import Notice, UnknownValue
from queries.resolution.typed import not_understood, spoken, words_left
from queries.resolution.works import WorkMatch, candidate_of, order_of, works_of
from queries.vocabulary import vocabulary

# Reads places and other words of the vocabularies as people write them: ``SP``, ``Estado de São Paulo``, ``Campinas -
# SP``.
#
# A unit of the federation and several municipalities may have the same name. The name then means all of them, unless
# it is more specific. Municipalities are known from the vocabularies, and from the works of the store (LexML part 6,
# section 3.1; LexML 1.0 part 2, section 6).


_MOST = 3
#: The maximum length of a compared text, in characters.
_LONGEST_PLACE = 60


def near(text: str, vocabulary: Vocabulary, scheme: Scheme) -> list[str]:
    """Return labels of values with a similar spelling, nearest first.

    >>> from graph.vocabulary import built_in
    >>> near("decretos", built_in(), Scheme.TIPO_DOCUMENTO)[0]
    'Decreto'
    """
    labels = {" ".join(words(concept.label)): concept.label for concept in vocabulary.concepts(scheme)}
    matches = get_close_matches(" ".join(words(text))[:_LONGEST_PLACE], list(labels), _MOST, 0.7)
    return [labels[match] for match in matches]


_COUNTRY = "br"
_COUNTRY_NAMES = frozenset({"br", "brasil", "brazil"})
_SEPARATOR = re.compile(r"[;/,()]|\s[-–—]\s|[-–—](?=\s*[A-Za-z]{2}\s*$)")
_LEVEL = re.compile(r"(estado|municipio|cidade)\s+d[eoa]s?\s+(.+)", re.DOTALL)
_OTHER_COUNTRY = re.compile(r"[a-z]{2}(?:;[a-z0-9.-]+)*", re.ASCII)
#: The number of levels below the country of a unit of the federation, and of a municipality.
_UNIT, _MUNICIPALITY = 1, 2


@dataclass(frozen=True, slots=True)
class Places:
    """The places that a text may mean.

    Attributes:
        paths: as names write them, e.g. ``br;sao.paulo``.
        municipality: a municipality of that name in any unit of the federation; None if none is meant.
        known: whether the vocabularies have it.
    """

    paths: frozenset[str]
    municipality: str | None = None
    known: bool = True

    def __contains__(self, path: str) -> bool:
        if path in self.paths:
            return True
        country, *levels = path.split(";")
        return country == _COUNTRY and len(levels) == _MUNICIPALITY and ".".join(words(levels[-1])) == self.municipality


def places_meant(text: str, vocabulary: Vocabulary) -> Places:
    """Return the places that a text may mean.

    >>> from graph.vocabulary import built_in
    >>> places_meant("Estado de São Paulo", built_in()).paths
    frozenset({'br;sao.paulo'})
    >>> "br;sao.paulo;campinas" in places_meant("Campinas", built_in())
    True

    Raises:
        BadParameter: a path in Brazil with an unknown unit of the federation.
    """
    parts = [part for part in _SEPARATOR.split(text.strip()) if words(part)]
    within = len(parts) > 1 and " ".join(words(parts[0])) in _COUNTRY_NAMES
    if within:
        parts = parts[1:]
    if len(parts) == 1:
        return _path(parts[0], text, vocabulary) if within else _places_of_one_name(parts[0], vocabulary)
    first, last = _unit_of(parts[0]), _unit_of(parts[-1])
    if last is not None and (first is None or (_is_short(parts[-1]) and not _is_short(parts[0]))):
        return _municipality(last, parts[:-1], vocabulary)
    if first is not None:
        return _municipality(first, parts[1:], vocabulary)
    if not within and _OTHER_COUNTRY.fullmatch(text) and not text.startswith(f"{_COUNTRY};"):
        return Places(frozenset({text}), known=vocabulary.concept(Scheme.LOCALIDADE, text) is not None)
    raise _unit_error(text, vocabulary)


def _unit_of(text: str) -> str | None:
    """Return the unit of the federation that a text names, by abbreviation or in full."""
    level = _LEVEL.fullmatch(folded(text).strip())
    plain = ".".join(words(level[2] if level is not None and level[1] == "estado" else text))
    return UNITS.get(plain, plain if plain in UNITS.values() else None)


def _is_short(text: str) -> bool:
    return " ".join(words(text)) in UNITS


def _path(level: str, text: str, vocabulary: Vocabulary) -> Places:
    """Return a place within the country: the unit of that name; else the municipalities of the vocabularies."""
    unit = _unit_of(level)
    if unit is not None:
        return Places(frozenset({f"{_COUNTRY};{unit}"}))
    known = frozenset(concept.notation for concept in vocabulary.named(Scheme.LOCALIDADE, level))
    if not known:
        raise _unit_error(text, vocabulary)
    return Places(known)


def _municipality(unit: str, names: list[str], vocabulary: Vocabulary) -> Places:
    level = _LEVEL.fullmatch(folded(names[0]).strip())
    first = level[2] if level is not None else names[0]
    path = ";".join((_COUNTRY, unit, *(".".join(words(name)) for name in (first, *names[1:]))))
    return Places(frozenset({path}), known=vocabulary.concept(Scheme.LOCALIDADE, path) is not None)


def _places_of_one_name(text: str, vocabulary: Vocabulary) -> Places:
    """Return a place by one name: the country, a unit, a municipality, or all with that name."""
    plain = " ".join(words(text))
    if plain in _COUNTRY_NAMES:
        return Places(frozenset({_COUNTRY}))
    if plain in UNITS:
        return Places(frozenset({f"{_COUNTRY};{UNITS[plain]}"}))
    level = _LEVEL.fullmatch(folded(text).strip())
    level_name, name = (level[1], level[2]) if level is not None else (None, text)
    named = {concept.notation for concept in vocabulary.named(Scheme.LOCALIDADE, name)}
    unit = _unit_of(name)
    if unit is not None:
        named.add(f"{_COUNTRY};{unit}")
    if level_name is not None:
        depth = _UNIT if level_name == "estado" else _MUNICIPALITY
        named = {path for path in named if path.count(";") == depth}
    municipality = None if level_name == "estado" else ".".join(words(name))
    known = bool(named)
    if not known and level_name is None and _OTHER_COUNTRY.fullmatch(text):
        named.add(text)
    return Places(frozenset(named), municipality, known)


def _unit_error(text: str, vocabulary: Vocabulary) -> BadParameter:
    similar = near(text.rpartition(";")[2], vocabulary, Scheme.LOCALIDADE)
    hint = f"; similar: {', '.join(similar)}" if similar else ""
    return BadParameter(
        "expected place as a country, a unit of the federation by name or abbreviation, or a municipality, perhaps "
        f"with its unit (Campinas - SP, br;sao.paulo;campinas), got {text[:80]!r}{hint}"
    )


# Finds works from the stated fields.


#: The maximum number of works compared in one lookup.
MOST_WORKS = 10_000
_FIRST_YEAR, _LAST_YEAR = 1500, 2199
_RESERVED = re.compile(r"[:@!~$\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+", re.ASCII)
_LETTER = re.compile(r"\w")
_ENOUGH = "words, or a type beside a number, a year or a date"
#: The maximum number of narrower keys read if a wider one has too many works.
_MOST_KEYS = 1_000
#: Placeholder for words, used to check the other fields.
_ANY = "x"
#: The level below the country of each authority (LexML 1.0 part 2, section 8).
_LEVELS: Mapping[str, int] = MappingProxyType({"federal": 0, "estadual": 1, "distrital": 1, "municipal": 2})


@dataclass(frozen=True, slots=True)
class SearchFields:
    """The fields of a search; None if a field is not stated.

    Attributes:
        type: of the document, as names or people write it: ``lei``, ``decreto-lei``, ``acórdão``.
        authority: as a name writes it, or an acronym: ``federal``, ``STF``; ``municipal`` alone means any municipality.
        place: as a name or people write it: ``br;sao.paulo``, ``SP``, ``Campinas``.
        year: four digits.
        number: with or without dots between thousands.
        day: the date of the document.
        words: an epigraph, a citation or a nickname.
    """

    type: str | None = None
    authority: str | None = None
    place: str | None = None
    year: int | None = None
    number: str | None = None
    day: date | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The works found, best first.

    Attributes:
        matches: works that match all stated fields.
        complete: whether all matching works were compared; False if a lookup key has more than :data:`MOST_WORKS`
            works.
        steps: how the question was read.
        notices: the parts that were not understood.
    """

    matches: tuple[WorkMatch, ...]
    complete: bool
    steps: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


def search(store: Store, sought: SearchFields) -> SearchResult:
    """Return the works that match all stated fields. Missing fields do not restrict the search.

    Raises:
        BadParameter: too few fields are stated, or a value is invalid; the message states what is required.

    >>> from graph.store import in_memory
    >>> search(in_memory(), SearchFields(type="Lei", number="8.078", year=1990)).matches
    ()
    """
    sought = _checked(sought)
    asked = _in_vocabulary_spelling(sought, vocabulary(store))
    if sought.words is not None:
        matches, complete, notices = _works_by_words(store, sought.words)
        matches = [match for before in matches for match in asked.narrowed(before)]
        steps = (*asked.steps, "words read as a nickname, and as a citation")
    else:
        names, complete = _names(store, asked)
        matches, notices, steps = list(asked.agreeing(names)), [], asked.steps
    if not matches:
        notices += _unknown_value_notices(sought, asked, vocabulary(store))
    return SearchResult(tuple(sorted(matches, key=order_of)), complete, steps, tuple(notices))


def agreeing(store: Store, sought: SearchFields, names: Iterable[Name]) -> Iterator[Name]:
    """Yield the names whose work matches all stated fields except words.

    Raises:
        BadParameter: a value is invalid.
    """
    criteria = replace(sought, words=None)
    if criteria == SearchFields():
        yield from names
        return
    asked = _in_vocabulary_spelling(_checked(replace(criteria, words=_ANY)), vocabulary(store))
    for name in names:
        if any(asked.agreeing([name.work.canonical])):
            yield name


def kinds_meant(store: Store, sought: SearchFields) -> frozenset[int] | None:
    """Return the ids of the meant places, authorities and types in the full-text index; other fields are ignored.

    Returns:
        None if none of them is stated.

    Raises:
        BadParameter: a value is invalid.
    """
    _checked(replace(sought, words=_ANY))
    criteria = SearchFields(type=sought.type, authority=sought.authority, place=sought.place)
    if criteria == SearchFields():
        return None

    def kind_ids() -> tuple[int, ...]:
        kinds = {parse(from_iri(kind.example)).work.canonical: kind.id for kind in store.full_text.kinds()}
        names = agreeing(store, criteria, map(parse, kinds))
        return tuple(sorted(kinds[name.canonical] for name in names))

    return frozenset(store.cached((kinds_meant, criteria), kind_ids))


def _checked(sought: SearchFields) -> SearchFields:
    for field in fields(sought):
        value = getattr(sought, field.name)
        if isinstance(value, str) and not _LETTER.search(value):
            raise BadParameter(f"expected {field.name} to have letters or digits, got {value!r}")
        if field.name != "words" and isinstance(value, str) and _RESERVED.search(value):
            raise BadParameter(f"expected {field.name} without : @ ! ~ $ and control characters, got {value!r}")
    if sought.year is not None and not _FIRST_YEAR <= sought.year <= _LAST_YEAR:
        raise BadParameter(f"expected year from {_FIRST_YEAR} to {_LAST_YEAR}, got {sought.year}")
    if sought.day is not None:
        if sought.year not in (None, sought.day.year):
            raise BadParameter(f"expected year and date to agree, got {sought.year} and {sought.day}")
        if not _FIRST_YEAR <= sought.day.year <= _LAST_YEAR:
            raise BadParameter(f"expected date from {_FIRST_YEAR} to {_LAST_YEAR}, got {sought.day}")
    number = sought.number
    if number is not None and ";" in number:
        raise BadParameter(f"expected number without a semicolon, got {number!r}")
    if sought.words is None and (sought.type is None or (number, sought.year, sought.day) == (None, None, None)):
        given = ", ".join(field.name for field in fields(sought) if getattr(sought, field.name) is not None)
        raise BadParameter(f"expected {_ENOUGH}, got {given or 'nothing'}")
    if number is not None and _THOUSANDS.fullmatch(number):
        return replace(sought, number=number.replace(".", ""))
    return sought


@dataclass(frozen=True, slots=True)
class _NormalizedSearch:
    """A search with the spelling of the vocabularies; ``places`` is None if no place is stated."""

    reference: Reference
    places: Places | None
    steps: tuple[str, ...]
    is_bare: bool

    @property
    def level(self) -> int | None:
        """Return the level of the stated authority below the country; None if it can be at any level."""
        return next((_LEVELS[subject[0]] for subject in self.reference.authority if subject[0] in _LEVELS), None)

    def agreeing(self, names: Iterable[str]) -> Iterator[WorkMatch]:
        """Yield the works that match all fields."""
        for name in map(parse, names):
            place = ";".join((name.local.pais, *name.local.detalhe))
            if not (self.has(place) and _is_as_narrow(self.reference, name)):
                continue
            candidate = candidate_of(replace(self.reference, place=place), name)
            if candidate is not None:
                unsaid = self.places is None and self.reference.authority and place != _COUNTRY
                yield (
                    replace(
                        candidate,
                        why=(MatchReason(Agreement.PLACE_MISSING), MatchReason(Agreement.IT_IS, place), *candidate.why),
                    )
                    if unsaid
                    else candidate
                )

    def narrowed(self, match: WorkMatch) -> Iterator[WorkMatch]:
        """Yield a work that was found by words, with the lower of both scores, if it matches the other fields."""
        if self.is_bare:
            yield match
            return
        for candidate in self.agreeing([match.name.canonical]):
            yield replace(candidate, score=min(candidate.score, match.score), why=(*match.why, *candidate.why))

    def has(self, place: str) -> bool:
        """Return whether the search includes a place; a unit includes its own if the authority is municipal."""
        if self.places is None or place in self.places:
            return True
        depth = place.count(";")
        return self.level == depth and any(
            place.startswith(f"{path};") for path in self.places.paths if path.count(";") < depth
        )


def _is_as_narrow(reference: Reference, work: Name) -> bool:
    """Return whether a work has the stated subtype and organs, besides the type and the institution."""
    kind = work.tipo_documento[: len(reference.kind)] == reference.kind
    return kind and all(
        any(subject[: len(organ)] == organ for subject in work.autoridade) for organ in reference.authority
    )


def _in_vocabulary_spelling(sought: SearchFields, known: Vocabulary) -> _NormalizedSearch:
    """Return the fields in the spelling of the vocabularies.

    If no type is stated, the reference is read with the type ``lei``, which is then removed.
    """
    year = sought.day.year if sought.day is not None else sought.year
    kind, authority = sought.type or "lei", sought.authority or ""
    try:
        reference = read_reference(
            f"urn:lex:{_COUNTRY}:{authority}:{kind}:{year or 2000:04d};{sought.number or ''}", known
        )
    except BadName as error:
        given = ", ".join(filter(None, (sought.type, sought.authority, sought.number)))
        raise BadParameter(f"expected type, authority and number as in a urn:lex name, got {given}") from error
    if sought.number and not reference.numbers:
        raise BadParameter(f"expected a number as in a urn:lex name, such as 8078, got {sought.number}")
    steps = [step for step in reference.steps if "capitals" not in step]
    day = sought.day
    reference = replace(reference, year=year, month=day.month if day else None, day=day.day if day else None)
    reference = replace(reference, name=None, alias=None, numbers=reference.numbers if sought.number else (), steps=())
    reference = replace(reference, kind=reference.kind if sought.type is not None else ())
    places = places_meant(sought.place, known) if sought.place is not None else None
    if places is not None:
        called = sorted(places.paths)
        if places.municipality is not None:
            called.append(f"any municipality {places.municipality}")
        if called != [sought.place]:
            steps.append(f"place {sought.place!r} read as {' or '.join(called)}")
    return _NormalizedSearch(reference, places, tuple(steps), sought == SearchFields(words=sought.words))


def _names(store: Store, asked: _NormalizedSearch) -> tuple[list[str], bool]:
    """Return the works under the narrowest lookup key of the search, and whether the list is complete.

    If that key has too many, the keys of the possible places and authorities are read, too.
    """
    exact = _definite_keys(asked)
    if exact:
        return _of_keys(store, exact)
    names, complete = _of_keys(store, [_key_of_any_place(asked.reference)])
    if not complete:
        more, _ = _of_keys(store, _possible_keys(asked, vocabulary(store)))
        names = list(dict.fromkeys((*more, *names)))
    return names, complete


def _of_keys(store: Store, keys: Iterable[str]) -> tuple[list[str], bool]:
    names: dict[str, None] = {}
    complete = True
    for key in keys:
        iris = store.names.keys.find(key, MOST_WORKS + 1)
        complete = complete and len(iris) <= MOST_WORKS
        names.update(dict.fromkeys(map(from_iri, iris[:MOST_WORKS])))
    return list(names), complete


def _key_of_any_place(reference: Reference) -> str:
    """Return the key of all works of a type with the number, or of the month or year, of any place."""
    kind = reference.kind[0]
    if reference.numbers:
        number = numbers_of(reference.numbers[0])[0]
        return (
            key_prefix_by_number(kind, number)
            if reference.year is None
            else key_prefix_by_number_and_year(kind, number, reference.year)
        )
    assert reference.year is not None  # noqa: S101 - a question without number has one
    return key_prefix_by_date(kind, reference.year, reference.month)


def _key(reference: Reference, place: str, root: str) -> str:
    """Return the key of the works of one place and authority."""
    kind = reference.kind[0]
    if reference.numbers:
        return key_prefix_by_number_of_issuer(place, root, kind, numbers_of(reference.numbers[0])[0])
    assert reference.year is not None  # noqa: S101 - a question without number has one
    return key_prefix_by_date_of_issuer(place, root, kind, reference.year, reference.month)


def _definite_keys(asked: _NormalizedSearch) -> list[str]:
    """Return the keys of the stated places and authorities; none if other ones may match."""
    places = asked.places
    if places is None or not asked.reference.authority or places.municipality is not None:
        return []
    if asked.level is not None and any(path.count(";") < asked.level for path in places.paths):
        return []
    roots = dict.fromkeys(subject[0] for subject in asked.reference.authority)
    return [_key(asked.reference, place, root) for place, root in product(sorted(places.paths), roots)]


def _possible_keys(asked: _NormalizedSearch, known: Vocabulary) -> list[str]:
    """Return the keys of the possible places and authorities in the vocabularies."""
    places = [concept.notation for concept in known.concepts(Scheme.LOCALIDADE)]
    if asked.places is not None:
        places = [*filter(asked.has, places), *asked.places.paths]
    elif asked.level is not None:
        places = [place for place in places if place.count(";") == asked.level]
    else:
        places = [_COUNTRY, *(f"{_COUNTRY};{unit}" for unit in UNITS.values())]
    roots = [subject[0] for subject in asked.reference.authority]
    roots = roots or [concept.notation.partition(";")[0] for concept in known.concepts(Scheme.AUTORIDADE)]
    pairs = product(dict.fromkeys(places), dict.fromkeys(roots))
    return [_key(asked.reference, place, root) for place, root in pairs][:_MOST_KEYS]


def _works_by_words(store: Store, text: str) -> tuple[list[WorkMatch], bool, list[Notice]]:
    """Return the works that a text identifies, whether these are all, and notices on words that were not understood.

    The works have the text as a nickname, now or earlier, or are cited in it.
    """
    nicknamed = works_of(store, Reference(text, None, _COUNTRY, (), (), alias=text))
    matches_by_name = {nickname_match.name.canonical: nickname_match for nickname_match in nicknamed.matches}
    complete = not nicknamed.more
    cited = spoken(text, None)
    for name in cited.names:
        works = works_of(store, reference_of(parse(name).work))
        complete = complete and not works.more
        for match in works.matches:
            if match.agrees:
                why = (MatchReason(Agreement.READ_AS, name), *(() if match.score == 1 else match.why))
                matches_by_name.setdefault(match.name.canonical, replace(match, why=why))
    notices = [words_left(cited)] if cited.left and not nicknamed.matches else []
    if not cited.names and not nicknamed.matches:
        notices.append(not_understood(text, None))
    return list(matches_by_name.values()), complete, notices


def _unknown_value_notices(sought: SearchFields, asked: _NormalizedSearch, known: Vocabulary) -> Iterator[Notice]:
    """Yield notices for a search without results: the stated values that no vocabulary has."""
    reference = asked.reference
    kind, authority = reference.kind[:1], reference.authority[:1]
    if kind and not _is_word(known, Scheme.TIPO_DOCUMENTO, kind[0]):
        yield _unknown_value_notice("type", sought.type or "", known, Scheme.TIPO_DOCUMENTO)
    if authority and not _is_word(known, Scheme.AUTORIDADE, authority[0][0]):
        yield _unknown_value_notice("authority", sought.authority or "", known, Scheme.AUTORIDADE)
    if asked.places is not None and not asked.places.known:
        yield _unknown_value_notice("place", sought.place or "", known, Scheme.LOCALIDADE)


def values_unknown(store: Store, sought: SearchFields) -> tuple[str, ...]:
    """Return the names of those of the fields type, authority and place whose values are in no vocabulary.

    A work of the store may have such a value nevertheless.

    >>> from graph.store import in_memory
    >>> values_unknown(in_memory(), SearchFields(type="xyz", authority="STF", place="br;xx"))
    ('type', 'place')
    """
    known = vocabulary(store)
    alone = {
        "type": SearchFields(words=_ANY, type=sought.type),
        "authority": SearchFields(words=_ANY, authority=sought.authority),
        "place": SearchFields(words=_ANY, place=sought.place),
    }
    return tuple(
        field
        for field, field_alone in alone.items()
        if getattr(field_alone, field) is not None and not _is_possible(field_alone, known)
    )


def _is_possible(sought: SearchFields, known: Vocabulary) -> bool:
    try:
        asked = _in_vocabulary_spelling(_checked(sought), known)
    except BadParameter:
        return False
    return not any(_unknown_value_notices(sought, asked, known))


def _is_word(known: Vocabulary, scheme: Scheme, word: str) -> bool:
    return bool(known.concept(scheme, word) or known.named(scheme, word))


def _unknown_value_notice(field: str, text: str, known: Vocabulary, scheme: Scheme) -> Notice:
    return UnknownValue(field, text, tuple(near(text, known, scheme)))


_NUMBER = re.compile(
    r"(?:n(?:[º°o]|r)?\.?\s*[º°]?\s*)?((?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,9})(?:-[1-9][0-9]{0,2})?)"
    r"(?:\s*(?:/|,?\s+de\s)\s*([0-9]{4}|[0-9]{2}))?",
    re.ASCII | re.IGNORECASE,
)


def is_number(text: str) -> bool:
    """Return whether a text is a number, with or without a year.

    >>> is_number("8078"), is_number("nº 8.078/90"), is_number("8.078 de 1990"), is_number("Lei 8078")
    (True, True, True, False)
    >>> is_number("2.206-1/2001"), is_number("2001-09-06")
    (True, False)
    """
    return _NUMBER.fullmatch(text.strip()) is not None


def number_of(text: str) -> tuple[str, int | None] | None:
    """Return the number and the year of a text; None if it is not a number.

    >>> number_of("nº 8.078/90"), number_of("8078"), number_of("Lei 8078")
    (('8078', 1990), ('8078', None), None)
    """
    read = _NUMBER.fullmatch(text.strip())
    if read is None:
        return None
    return read[1].replace(".", ""), year_of(read[2]) if read[2] is not None else None


def numbered(store: Store, text: str) -> tuple[tuple[WorkMatch, ...], bool]:
    """Return the works with a number, best first, and whether these are all; years of two digits are read as in
    citations.

    Empty for a text that is not a number. Works of a type outside the vocabularies are not found.

    >>> from graph.store import in_memory
    >>> numbered(in_memory(), "8.078/90")
    ((), True)
    """
    read = number_of(text)
    if read is None:
        return (), True
    number, year = read
    matches: dict[str, WorkMatch] = {}
    complete = True
    for kind in _kinds(store):
        works = works_of(store, Reference(text, None, "br", (), (kind,), year=year, numbers=(number,)))
        complete = complete and not works.more
        matches.update((match.name.canonical, match) for match in works.matches if match.agrees)
    return tuple(sorted(matches.values(), key=order_of)), complete


def numbered_within(store: Store, text: str, within: SearchFields) -> tuple[tuple[WorkMatch, ...], bool]:
    """Return the works with a number that match the other fields, and whether these are all.

    Args:
        text: a number, perhaps with a year; other texts find nothing.
        within: the stated type, authority, place and year; nothing matches a year that differs from that of the text.

    Raises:
        BadParameter: a value is invalid.

    >>> from graph.store import in_memory
    >>> numbered_within(in_memory(), "8.078/90", SearchFields(type="lei"))
    ((), True)
    """
    read = number_of(text)
    if read is None or (None not in (read[1], within.year) and read[1] != within.year):
        return (), True
    matches: dict[str, WorkMatch] = {}
    complete = True
    for kind in [within.type] if within.type is not None else _kinds(store):
        searched = search(store, replace(within, type=kind, number=read[0], year=read[1] or within.year, words=None))
        complete = complete and searched.complete
        matches.update((match.name.canonical, match) for match in searched.matches)
    return tuple(sorted(matches.values(), key=order_of)), complete


def _kinds(store: Store) -> list[str]:
    """Return the types of document in the vocabularies."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    return list(dict.fromkeys(concept.notation.partition(";")[0] for concept in known))


# Search by words: norms and provisions with words in titles, nicknames, summaries or text, each with an excerpt.
#
# The words of every version and view are searched, including those no longer in force. Each result names its version.


#: The maximum length of an excerpt, in characters, without ellipses.
LONGEST = 300
#: The number of words of an excerpt, and the maximum before the first match.
_WORDS, _BEFORE = 24, 8
#: The maximum length of a word that can match.
_LONGEST_WORD = 100
_WORD = re.compile(r"[^\W_ºª]+")


def excerpt(texts: Iterable[str], terms: Sequence[str]) -> str:
    """Return the part of some texts with the most matched words; of equal parts the first.

    The time is linear in the length of the texts, regardless of the number of matches.

    Args:
        texts: in order of precedence.
        terms: words, folded; the last may be a prefix.

    >>> excerpt(["Lei", "Todo relógio fictício mostra uma hora."], ["relogio", "hor"])
    'Todo relógio fictício mostra uma hora.'
    """
    best = (0, 0, 0, "")
    for text in filter(None, texts):
        passage = _best(normalize("NFC", text), terms)
        if passage[0] > best[0] or not best[0]:
            best = passage
        if best[0] == len(set(terms)):
            break
    _, start, end, text = best
    end = min(end, start + LONGEST)
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _best(text: str, terms: Sequence[str]) -> tuple[int, int, int, str]:
    """Return the number of matched words of the best part, its bounds, and the text."""
    wanted = set(terms)
    best, begin = densest_part(text, lambda word: _term(word, wanted, terms[-1]), _WORDS, most=len(wanted))
    end = begin
    for count, word in enumerate(_WORD.finditer(text, begin)):
        if count == _WORDS or end - begin > LONGEST:
            return best, begin, end, text
        end = word.end()
    return best, begin, len(text), text


def densest_part(
    text: str, match: Callable[[str], str | None], words: int, *, most: int | None = None
) -> tuple[int, int]:
    """Return the number of matched words in the best part of a text, and its beginning.

    Args:
        match: returns the matched word for a word; None for others.
        words: the number of words of a part.
        most: the number of searched words; a part with all of them ends the search; None to read the whole text.
    """
    starts: deque[int] = deque(maxlen=_BEFORE + 1)
    near: deque[tuple[int, str, int]] = deque()
    counted: dict[str, int] = {}
    best, begin = 0, 0
    for index, word in enumerate(_WORD.finditer(text)):
        starts.append(word.start() if index else 0)
        key = match(word[0]) if word.end() - word.start() <= _LONGEST_WORD else None
        if key is None:
            continue
        while near and (near[0][0] <= index - (words - _BEFORE) or word.end() > near[0][2] + LONGEST):
            gone = near.popleft()[1]
            counted[gone] -= 1
            if not counted[gone]:
                del counted[gone]
        # a single very long word must not exclude the matches
        near.append((index, key, max(starts[0], word.start() - LONGEST // 2)))
        counted[key] = counted.get(key, 0) + 1
        if len(counted) > best:
            best, begin = len(counted), near[0][2]
            if best == most:
                break
    return best, begin


def _term(word: str, wanted: set[str], last: str) -> str | None:
    """Return the searched word that a word matches."""
    plain = _folded(word)
    if plain in wanted:
        return plain
    return last if plain.startswith(last) else None


@lru_cache(maxsize=20_000)
def _folded(word: str) -> str:
    return folded(word)


#: The maximum number of texts read of all that match.
MOST_ROWS = 500
#: The maximum number of words of a question.
_MOST_WORDS = 32
#: The maximum number of characters read for the excerpts of one answer; beyond it only the beginning of each text.
_READ = 2_000_000
_LONGEST_UNREAD = 2_000


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A norm or provision with the words.

    Attributes:
        name: canonical.
        version: the canonical name of the version or text with the words; None if the name itself has them.
        score: above 0, higher is better; comparable only within one answer.
        every: whether it has all the words, or only some.
        excerpt: some of the text around them.
        record: the IRI of the record.
        others: the other versions and views of the name that match, best first, each with its excerpt.
    """

    name: str
    version: str | None
    score: float
    every: bool
    excerpt: str
    record: str
    others: tuple[tuple[str | None, str], ...] = ()


def search_words(store: Store, text: str, within: SearchFields | None = None) -> tuple[tuple[WordMatch, ...], bool]:
    """Return the norms and provisions with all the words of a text; if there are none, those with some.

    Accents, case, punctuation, invisible marks and connectives (``da``, ``e``) are ignored. The last word may be a
    prefix if nothing has it as a word: ``seca`` does not match ``seção`` if there is a ``Lei Seca``. A partial match
    must have more words than the type of a document: ``lei`` alone does not match ``lei da ampulheta``.

    Args:
        text: the words; no text is invalid.
        within: further fields of the norms: type, authority, place, year.

    Returns:
        Each name once, by the best of its texts, best first, and whether these are all: at most :data:`MOST_ROWS` texts
            are read.

    Raises:
        BadParameter: one of the further fields is invalid.

    >>> from graph.store import in_memory
    >>> search_words(in_memory(), "defesa do consumidor")
    ((), True)
    """
    sought = words(without_invisible_marks(text))[:_MOST_WORDS]
    if not sought:
        return (), True
    asked = within or SearchFields()
    kinds = kinds_meant(store, asked)
    for every, match in _matches(store, sought):
        rows = store.names.words.find(match, MOST_ROWS + 1, kinds, asked.year)
        matches_by_name: dict[Name, list[WordMatch]] = {}
        budget = _READ
        for row in rows[:MOST_ROWS]:
            version = from_iri(row.of) if row.of != row.name else None
            name = from_iri(row.name)
            texts = matches_by_name.setdefault(parse(name), [])
            if all(word_match.version != version for word_match in texts):
                shown = row.texts if budget > 0 else tuple(text[:_LONGEST_UNREAD] for text in row.texts)
                budget -= sum(map(len, shown))
                shown = _with_words_within(store, row, shown)
                texts.append(WordMatch(name, version, row.score, every, excerpt(shown, sought), row.record))
        if matches_by_name:
            return tuple(map(_first, matches_by_name.values())), len(rows) <= MOST_ROWS
    return (), True


def _with_words_within(store: Store, row: WordsFound, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of a row: the heading of a grouping after its label, and after the label of a provision without
    text the words within it."""
    fragment, (title, *others) = row.name.partition("!")[2], shown
    if not fragment or any(others) or is_grouping(fragment):
        return (label_and_heading(fragment, title), *others)
    now, index = ordinal(today()), store.full_text
    within = index.text_within(row.name, row.of, None, now) or index.text_within(row.name, row.of, now, now)
    return (f"{title} {within}".rstrip(), *others)


def _matches(store: Store, sought: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Yield queries of the index, the narrowest first, and whether their results have all words."""
    some = _distinctive(store, sought)
    for every, pieces, joined in ((True, sought, " AND "), (False, some, " OR ")):
        quoted = [f'"{word}"' for word in pieces]
        yield every, joined.join(dict.fromkeys(quoted))
        yield every, joined.join([*dict.fromkeys(quoted[:-1]), f"{quoted[-1]}*"])


def _distinctive(store: Store, sought: Sequence[str]) -> Sequence[str]:
    """Return the words that are not types of documents, which are too frequent; all words if there are no others."""
    known = vocabulary(store).concepts(Scheme.TIPO_DOCUMENTO)
    kinds = {word for concept in known for word in words(concept.notation.partition(";")[0])}
    return [word for word in sought if kinds.isdisjoint((word, word.removesuffix("s")))] or sought


def _first(texts: list[WordMatch]) -> WordMatch:
    """Return the best text of a name, with its others."""
    return replace(texts[0], others=tuple((text.version, text.excerpt) for text in texts[1:]))
