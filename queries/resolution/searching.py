"""Search by identification: the works of which all that is said is true, by lookup keys, ranked with reasons.

A list for people and programs to choose from; what a name or citation means is for
:func:`queries.resolution.resolver.resolve` to say. Words are those of an epigraph, a citation or a nickname: the text
of norms is not searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date

from graph.errors import BadName, BadParameter
from graph.lookup import by_month, by_number, by_number_and_year, by_number_of, by_year, numbers_of
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import parse
from queries.catalogue import named
from queries.resolution.spoken import spoken
from queries.resolution.works import Found, compared, works_of
from queries.vocabulary import vocabulary

__all__ = ["MOST_WORKS", "Searched", "Sought", "search"]

#: Of one lookup key no more works are compared; the query ``works_by_key_whole`` gives one more, to tell.
MOST_WORKS = 10_000
_FIRST_YEAR, _LAST_YEAR = 1500, 2199
_RESERVED = re.compile(r"[:@!~$\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+", re.ASCII)
_LETTER = re.compile(r"\w")
_ENOUGH = "words, or a type beside a number, a year or a date"


@dataclass(frozen=True, slots=True)
class Sought:
    """What is said of the works that are sought; None where it is not said.

    Attributes:
        type: of the document, as names or people write it: ``lei``, ``decreto-lei``, ``acórdão``.
        authority: as a name writes it, or an acronym: ``federal``, ``STF``.
        place: country and units as a name writes them; ``br`` where it is left out.
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
class Searched:
    """The works found, best first.

    Attributes:
        found: works of which all that was said is true.
        whole: whether these are all; not where a key had more than :data:`MOST_WORKS`.
        steps: how the question was read.
    """

    found: tuple[Found, ...]
    whole: bool
    steps: tuple[str, ...]


def search(store: Store, sought: Sought) -> Searched:
    """The works that agree with all that is said.

    Raises:
        BadParameter: too little is said, or a value cannot be; the message says what would do.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> search(in_memory(), Sought(type="Lei", number="8.078", year=1990)).found
    ()
    """
    said = _reference(store, _checked(sought))
    if sought.words is not None:
        found, whole = _of_words(store, sought.words)
        steps = (*said.steps, "words read as a nickname, and as a citation")
        return Searched(_narrowed(said, sought, found), whole, steps)
    names: dict[str, None] = {}
    whole = True
    for key in _keys(said):
        rows = [str(row["nome"]) for row in named("works_by_key_whole").rows(store, {"chave": key})]
        whole = whole and len(rows) <= MOST_WORKS
        names.update(dict.fromkeys(rows[:MOST_WORKS]))
    return Searched(tuple(_in_place(sought, said, compared(said, names))), whole, said.steps)


def _checked(sought: Sought) -> Sought:
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
        said = ", ".join(field.name for field in fields(sought) if getattr(sought, field.name) is not None)
        raise BadParameter(f"expected {_ENOUGH}, got {said or 'nothing'}")
    if number is not None and _THOUSANDS.fullmatch(number):
        return replace(sought, number=number.replace(".", ""))
    return sought


def _reference(store: Store, sought: Sought) -> Reference:
    """The fields as the vocabularies spell them. A type stands in where none is said, and is taken away again."""
    year = sought.day.year if sought.day is not None else sought.year
    when = sought.day.isoformat() if sought.day is not None else f"{year:04d}" if year is not None else ""
    kind, place, authority = sought.type or "lei", sought.place or "br", sought.authority or ""
    try:
        said = read_reference(
            f"urn:lex:{place}:{authority}:{kind}:{when or '2000'};{sought.number or ''}", vocabulary(store)
        )
    except BadName as error:
        said_of = ", ".join(filter(None, (sought.type, sought.place, sought.authority, sought.number)))
        raise BadParameter(f"expected type, place, authority and number as names have them, got {said_of}") from error
    day = sought.day
    steps = tuple(step for step in said.steps if "capitals" not in step)
    said = replace(said, year=year, month=day.month if day else None, day=day.day if day else None, steps=steps)
    said = replace(said, name=None, alias=None, numbers=said.numbers if sought.number else ())
    if sought.type is None:
        return replace(said, kind=())
    if sought.number is None and not said.authority and sought.words is None:
        sphere = _sphere(said.place)
        steps = (*steps, f"authority not said: taken for {sphere!r}")
        return replace(said, authority=((sphere,),), steps=steps)
    return said


def _sphere(place: str) -> str:
    """The authority that is meant where a place alone is said (LexML 1.0 part 2, section 8)."""
    units = place.split(";")[1:]
    if not units:
        return "federal"
    return "municipal" if len(units) > 1 else "distrital" if units == ["distrito.federal"] else "estadual"


def _keys(said: Reference) -> Iterator[str]:
    """The narrowest keys that have all works that agree."""
    kind = said.kind[0]
    roots = dict.fromkeys(subject[0] for subject in said.authority)
    if said.numbers:
        number = numbers_of(said.numbers[0])[0]
        if roots:
            yield from (by_number_of(said.place, root, kind, number) for root in roots)
        elif said.year is not None:
            yield by_number_and_year(kind, number, said.year)
        else:
            yield by_number(kind, number)
    elif said.year is not None:
        for root in roots:
            if said.month is not None:
                yield by_month(said.place, root, kind, said.year, said.month)
            else:
                yield by_year(said.place, root, kind, said.year)


def _of_words(store: Store, text: str) -> tuple[list[Found], bool]:
    """What has, or had, the words for a nickname, and what they cite."""
    nicknamed = works_of(store, Reference(text, None, "br", (), (), alias=text))
    found = {one.name.canonical: one for one in nicknamed.found}
    whole = not nicknamed.more
    for name in spoken(text, None).names:
        works = works_of(store, reference_of(parse(name).work))
        whole = whole and not works.more
        for one in works.found:
            if one.agrees:
                found.setdefault(one.name.canonical, one)
    return list(found.values()), whole


def _narrowed(said: Reference, sought: Sought, found: list[Found]) -> tuple[Found, ...]:
    """Of works found by words those that agree with the fields as well; the lower of both scores counts."""
    by_name = {one.name.canonical: one for one in found}
    if sought == Sought(words=sought.words):
        return tuple(sorted(found, key=lambda one: (-one.score, one.name.canonical)))
    agreeing = [
        replace(one, score=min(one.score, by_name[one.name.canonical].score), why=f"{before.why}; {one.why}")
        for one in compared(said, by_name)
        for before in (by_name[one.name.canonical],)
    ]
    return tuple(sorted(_in_place(sought, said, agreeing), key=lambda one: (-one.score, one.name.canonical)))


def _in_place(sought: Sought, said: Reference, found: Iterable[Found]) -> Iterator[Found]:
    """Those of the place, where one is said: without an authority the comparison leaves it out."""
    for one in found:
        if sought.place is None or ";".join((one.name.local.pais, *one.name.local.detalhe)) == said.place:
            yield one
