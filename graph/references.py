"""References (the parts of a work's name that a question states) and lookup keys of works.

Part 5 of LexML asks a resolver to normalise a name through the vocabularies and to compare it field by field, because
names that come from citations are incomplete (sections 2.3 and 2.5; RFC 9676, section 10.3). A reference has the
stated fields, and the steps by which they were normalised.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.errors import BadName
from graph.urn import Dialect, Name, parse
from graph.vocabulary import Scheme, Vocabulary
from graph.wording.abbreviations import readings_in_full
from graph.wording.folding import folded, words
from graph.wording.numerals import from_letters, from_ordinal, from_roman
from ontology.places import UNITS
from ontology.regions import regions

# Lookup keys: short texts that find works by a part of their name.
#
# A work has a key for each combination of fields that questions state (LexML part 5, section 2.5: fields are compared
# one by one, dates by position). The text for a question with fewer fields is a prefix of the keys, so that every
# incomplete name is looked up as one range of an index.


_PIECE = re.compile(r"[^a-z0-9]+", re.ASCII)
#: The minimum length of a piece of a number, except the first and the number after letters (``aipa-cr-35``). Shorter
#: ones are check digits or codes of courts.
_SHORTEST_PIECE = 3
#: A number that LexML or a provider made for a document without a number (LexML 1.0 part 2, section 10.2.1).
_MADE_NUMBER = re.compile(r"(?:lex|seq-[a-z0-9.]+)-[0-9]+", re.ASCII)


def key_prefix_by_number(kind: str, number: str) -> str:
    """Return the prefix of the keys of works with a type and number, of any place and authority.

    >>> key_prefix_by_number("lei", "08078")
    'lei nº 8078/'
    """
    return f"{kind} nº {_without_leading_zeros(number)}/"


def key_prefix_by_number_and_year(kind: str, number: str, year: int) -> str:
    """Return the prefix of the keys of works with a type, number and year, of any place and authority.

    >>> key_prefix_by_number_and_year("lei", "8078", 1990)
    'lei nº 8078/1990'
    """
    return f"{key_prefix_by_number(kind, number)}{year:04d}"


def key_prefix_by_number_of_issuer(place: str, authority: str, kind: str, number: str) -> str:
    """Return the prefix of the keys of works with a type and number, of one place and authority.

    >>> key_prefix_by_number_of_issuer("br", "federal", "lei", "8078")
    'br:federal:lei nº 8078/'
    """
    return key_prefix_by_number(f"{place}:{authority}:{kind}", number)


def key_prefix_by_date_of_issuer(place: str, authority: str, kind: str, year: int, month: int | None = None) -> str:
    """Return the prefix of the keys of works of a type and year or month, of one place and authority.

    >>> key_prefix_by_date_of_issuer("br", "federal", "lei", 1990)
    'br:federal:lei de 1990'
    >>> key_prefix_by_date_of_issuer("br", "federal", "lei", 1990, 9)
    'br:federal:lei de 1990-09'
    """
    return key_prefix_by_date(f"{place}:{authority}:{kind}", year, month)


def key_prefix_by_type_of_issuer(place: str, authority: str, kind: str) -> str:
    """Return the prefix of the keys of works of a type, of one place and authority.

    >>> key_prefix_by_type_of_issuer("br;sao.paulo;campinas", "municipal", "lei.organica")
    'br;sao.paulo;campinas:municipal:lei.organica de '
    """
    return f"{place}:{authority}:{kind} de "


def key_prefix_by_date(kind: str, year: int, month: int | None = None) -> str:
    """Return the prefix of the keys of works of a type and year or month, of any place and authority.

    >>> key_prefix_by_date("lei", 1990), key_prefix_by_date("lei", 1990, 9)
    ('lei de 1990', 'lei de 1990-09')
    """
    return f"{kind} de {year:04d}" + (f"-{month:02d}" if month is not None else "")


def key_prefix_by_day(start: str, day: date) -> str:
    """Return the prefix of keys for one civil day, given a prefix by year or month.

    >>> key_prefix_by_day(key_prefix_by_date("lei", 1990), date(1990, 9, 11))
    'lei de 1990-09-11'
    """
    return f"{start.rpartition(' ')[0]} {day.isoformat()}"


def nickname_key(text: str) -> str:
    """Return the key of works with a nickname; case, accents and separators do not matter.

    >>> nickname_key("Código de Defesa do Consumidor") == nickname_key("codigo.defesa.consumidor")
    True
    """
    return f"apelido {' '.join(words(text))}."


def numbers_of(identifier: str) -> tuple[str, ...]:
    """Return the forms in which a number may be cited: the whole number, and its parts (LexML part 5, section 2.5).

    >>> numbers_of("2021-5"), numbers_of("039"), numbers_of("0247900-75.2009.5.16.0012")
    (('2021-5', '2021'), ('39',), ('247900-75.2009.5.16.0012', '247900', '2009', '0012'))
    >>> numbers_of("aipa-cr-35"), numbers_of("lex-16")
    (('aipa-cr-35', 'aipa', '35'), ('lex-16',))
    """
    number = _without_leading_zeros(identifier)
    if number.isdecimal() or is_made_number(number):
        return (number,)
    pieces = pieces_of(number)
    counted = next((index for index, piece in enumerate(pieces) if not piece.isalpha()), 0)
    kept = [piece for index, piece in enumerate(pieces) if index in {0, counted} or len(piece) >= _SHORTEST_PIECE]
    return tuple(dict.fromkeys((number, *kept)))


def pieces_of(number: str) -> tuple[str, ...]:
    """Return the components of a number, which special characters separate (LexML 1.0 part 2, section 10.2.2).

    >>> pieces_of("aipa-cr-35")
    ('aipa', 'cr', '35')
    """
    return tuple(piece for piece in _PIECE.split(number) if piece)


def is_made_number(number: str) -> bool:
    """Return whether LexML or a provider made a number for a document without one: ``lex-16``, ``seq-sf-32``."""
    return _MADE_NUMBER.fullmatch(number) is not None


def keys_of(work: Name) -> Iterator[str]:
    """Yield the keys of a work by its name; none for a component, which is found by its document.

    >>> from graph.urn import parse
    >>> for key in keys_of(parse("urn:lex:br:federal:lei:1990-09-11;8078")):
    ...     print(key)
    lei nº 8078/1990
    br:federal:lei nº 8078/1990
    lei de 1990-09-11
    br:federal:lei de 1990-09-11
    """
    descritor = work.descritor
    if descritor.componentes or descritor.retificacao is not None or (work.rfc is not None and work.rfc.anexos):
        return
    place = ";".join((work.local.pais, *work.local.detalhe))
    kind = work.tipo_documento[0]
    kinds = (kind, *(f"{place}:{root}:{kind}" for root in dict.fromkeys(subject[0] for subject in work.autoridade)))
    days = [day.isoformat() for day in dict.fromkeys(descritor.datas)]
    years = dict.fromkeys(day[:4] for day in days) or [f"{descritor.ano:04d}" if descritor.ano is not None else ""]
    for number in dict.fromkeys(piece for identifier in descritor.identificadores for piece in numbers_of(identifier)):
        yield from (
            f"{key_prefix_by_number(qualified_kind, number)}{year}" for qualified_kind in kinds for year in years
        )
    yield from (f"{qualified_kind} de {when}" for qualified_kind in kinds for when in days or years if when)


def _without_leading_zeros(number: str) -> str:
    return number.lstrip("0") or "0" if number[:1] == "0" else number


# References: the fields of a work that a question states.


_START = re.compile(r"(?:urn:)?lex:|urn:|br[:;]", re.IGNORECASE | re.ASCII)
_LONGEST = 4096
_TAIL = re.compile(r"[@~!$]")
_WHEN = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", re.ASCII)
#: A single letter is a position in the alphabet ("anexo.d" is annex 4), except these, which are Roman numerals.
_ROMAN_DIGITS = frozenset("ivx")
_FIRST_YEAR, _LAST_YEAR = 1500, 2199
_OTHER = re.compile(r"[^a-z0-9.,_-]+", re.ASCII)
#: The jurisdiction at the beginning of a name: two letters, or a domain name (RFC 9676, section 2.2).
_COUNTRY = re.compile(r"[a-z]{2}(?![a-z0-9.])|[a-z0-9-]+\.[a-z0-9.-]*", re.ASCII)
#: A court's state in place of its region (LexML 0.7 part 2, section 6.2).
_REGION_OF_STATE = re.compile(r"br;regiao\.justica\.(federal|trabalho);([a-z.]+)", re.ASCII)
#: The level below the country of the qualifiers that repeat an authority (LexML 1.0 part 2, section 9.1).
_QUALIFIERS = {"federal": 0, "estadual": 1, "distrital": 1, "municipal": 2}


@dataclass(frozen=True, slots=True)
class Reference:
    """The stated fields of a work.

    Attributes:
        text: the text that was read.
        name: the name that the fields form; None if they form none (a month without a day, no authority).
        place: country and places as in a name, e.g. ``br;sao.paulo``.
        authority: the subjects, each from institution to function; empty if not stated.
        kind: type and subtype of the document.
        year, month, day: None if not stated; ``day`` is stated only with ``month``.
        numbers: in the form of names; empty if not stated.
        alias: the nickname in place of the number; None if there is none.
        tail: components, version, form and fragment, as written after the number.
        steps: the changes made to the text, in order, in English.
    """

    text: str
    name: Name | None
    place: str
    authority: tuple[tuple[str, ...], ...]
    kind: tuple[str, ...]
    year: int | None = None
    month: int | None = None
    day: int | None = None
    numbers: tuple[str, ...] = ()
    alias: str | None = None
    tail: str = ""
    steps: tuple[str, ...] = ()

    @property
    def date(self) -> date | None:
        """Return the full date; None if year, month or day is missing."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


def read_reference(text: str, vocabulary: Vocabulary) -> Reference:
    """Return the reference in a text that has the form of a name, possibly with parts missing.

    Accents, case, connectives and white space are normalised (LexML 1.0 part 2, sections 4.3.1 to 4.3.3).
    Abbreviations and acronyms are written out (4.3.4 and 4.3.5), ordinals become Arabic numbers (4.3.6), authorities
    are sorted alphabetically (8.2). A word that is in the vocabulary is not changed.

    >>> from graph.vocabulary import built_in
    >>> found = read_reference("urn:lex:br:STF:acórdão:2012-05;30926", built_in())
    >>> found.authority, found.kind, found.year, found.month, found.numbers
    ((('supremo.tribunal.federal',),), ('acordao',), 2012, 5, ('30926',))

    Raises:
        BadName: the text does not have the form of a name, or lacks a document type.
    """
    try:
        return _normalised(reference_of(parse(text)), vocabulary)
    except BadName as refused:
        loose = _read_loosely(text, vocabulary)
        if loose is None or not _is_place(loose.place, vocabulary):
            raise
        try:
            return _normalised(loose, vocabulary)
        except BadName:
            raise refused from None


def reference_of(name: Name) -> Reference:
    """Return a name as a reference; its steps are the corrections of :func:`graph.urn.parse`."""
    descritor = name.descritor
    single = name.representative_date
    document = name.whole.canonical
    steps = [*name.normalisations, *(deviation.message for deviation in name.deviations)]
    if name.dialect is Dialect.LEXML_07:
        steps.append("read as LexML 0.7")
    return Reference(
        name.text,
        name,
        ";".join((name.local.pais, *name.local.detalhe)),
        name.autoridade,
        name.tipo_documento,
        name.representative_year,
        single.month if single else None,
        single.day if single else None,
        descritor.identificadores,
        descritor.apelido,
        name.canonical.removeprefix(document),
        tuple(steps),
    )


def _read_loosely(text: str, vocabulary: Vocabulary) -> Reference | None:
    """Return the fields of a text that no grammar accepts; None if it does not have the form of a name."""
    if len(text) > _LONGEST or not _START.match(text.strip()):
        return None
    plain = ".".join(folded(text).split())
    body = plain[plain.index("br") :] if "br" in plain[:12] else _START.sub("", plain)
    steps = ["accents, capitals and white space normalised"] if plain != text else []
    cut = _TAIL.search(body)
    tail = body[cut.start() :] if cut else ""
    segments = (body[: cut.start()] if cut else body).split(":")
    if not _COUNTRY.match(segments[0]):
        segments = _with_country(segments, vocabulary)
        steps.append("no jurisdiction stated: read as a name of Brazil")
    if len(segments) == 3:
        place, second, descriptor = segments
        if not _known_type(second, vocabulary):
            return None
        segments = [place, "", second, descriptor]
        steps.append("no authority stated")
    if len(segments) != 4 or not all((*segments[0].split(";"), segments[2], segments[3])):
        return None
    place, authority, kind, descriptor = segments
    fields = _descriptor(descriptor)
    if fields is None:
        return None
    year, month, day, numbers, alias, components = fields
    subjects = tuple(
        tuple(_clean(level) for level in subject.split(";")) for subject in authority.split(",") if subject
    )
    return Reference(
        text,
        None,
        ";".join(_clean(part) for part in place.split(";")),
        subjects,
        tuple(_clean(part) for part in kind.split(";")),
        year,
        month,
        day,
        numbers,
        alias,
        components + tail,
        tuple(steps),
    )


def _with_country(segments: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Return the segments with ``br`` before them, if they begin with a type or with an authority and a type.

    Returns:
        An empty list for other segments.
    """
    known = [_known_type(segment, vocabulary) for segment in segments[:2]]
    if len(segments) == 2 and known[0]:
        return ["br", *segments]
    if len(segments) == 3 and known[1] and vocabulary.named(Scheme.AUTORIDADE, segments[0].partition(";")[0]):
        return ["br", *segments]
    return []


def _is_place(place: str, vocabulary: Vocabulary) -> bool:
    """Return whether a place is a country alone, or its second part is a state or a place of the vocabulary."""
    country, *levels = place.split(";")
    if not levels:
        return True
    plain = ".".join(words(levels[0]))
    known = plain in UNITS or plain in UNITS.values() or vocabulary.concept(Scheme.LOCALIDADE, f"{country};{plain}")
    return bool(known) or (len(levels) == 1 and vocabulary.one(Scheme.LOCALIDADE, plain) is not None)


def _known_type(piece: str, vocabulary: Vocabulary) -> bool:
    first = piece.partition(";")[0]
    return bool(vocabulary.concept(Scheme.TIPO_DOCUMENTO, first) or vocabulary.named(Scheme.TIPO_DOCUMENTO, first))


_Fields = tuple[int | None, int | None, int | None, tuple[str, ...], str | None, str]


def _descriptor(piece: str) -> _Fields | None:
    """Return year, month, day, numbers, alias and components of an incomplete descriptor; None if it is invalid."""
    when, semicolon, rest = piece.partition(";")
    identifier, _, components = rest.partition(";")
    tail = f";{components}" if components else ""
    numbers = tuple(_clean(number) for number in identifier.split(",") if number)
    if not when:
        return (None, None, None, numbers, None, tail) if numbers else None
    match = _WHEN.fullmatch(when)
    if match is None and when.replace(".", "").isdecimal():
        return None if semicolon else (None, None, None, (when.replace(".", ""),), None, "")
    if match is None:
        return None, None, None, (), ".".join(words(when)), f";{rest}" if rest else ""
    year, month, day = (int(part) if part else None for part in match.groups())
    if year is not None and not _FIRST_YEAR <= year <= _LAST_YEAR:
        return (None, None, None, (when,), None, "") if month is None and not semicolon else None
    if month is not None and not 1 <= month <= 12:
        return None
    if month is not None and day is not None:
        try:
            date(year or 1, month, day)
        except ValueError:
            return None
    return year, month, day, numbers, None, tail


def _clean(piece: str) -> str:
    """Return a part with characters that names never have replaced by dots, and no dots at its ends."""
    return _OTHER.sub(".", piece).strip(".")


def _normalised(reference: Reference, vocabulary: Vocabulary) -> Reference:
    """Return the reference with every field as the vocabularies spell it, and the resulting name."""
    if reference.name is not None and reference.name.rfc is not None:
        return reference
    steps: list[str] = []
    place = _place(reference, vocabulary, steps)
    authority = tuple(sorted(_subject(subject, vocabulary, steps) for subject in reference.authority))
    if list(authority) != sorted(reference.authority) and len(authority) > 1:
        steps.append("authorities in alphabetical order (LexML 1.0 part 2, section 8.2)")
    kind = _kind(reference.kind, _qualifiers(place, authority), vocabulary, steps)
    alias = reference.alias and ".".join(words(reference.alias))
    if alias != reference.alias:
        steps.append(f"connectives removed from {reference.alias!r} (LexML 1.0 part 2, section 4.3.3)")
    tail = _components(reference.tail, steps)
    changed = replace(
        reference, place=place, authority=authority, kind=kind, alias=alias, tail=tail, steps=(*reference.steps, *steps)
    )
    if reference.name is not None and not steps:
        return changed
    return replace(changed, name=_name_of_fields(changed))


def _name_of_fields(reference: Reference) -> Name | None:
    if not reference.authority or (reference.month is not None and reference.day is None):
        return None
    when = reference.date.isoformat() if reference.date else f"{reference.year:04d}" if reference.year else ""
    if reference.name is not None and not reference.date:
        days = reference.name.descritor.datas
        text = ",".join(day.isoformat() for day in days)
        when = (
            (f"[{text}]" if reference.name.descritor.periodo else text)
            if days
            else reference.name.descritor.epoca or when
        )
    identifier = ",".join(reference.numbers) or reference.alias or ""
    descriptor = ";".join(part for part in (when, identifier) if part)
    if reference.numbers and not when:
        descriptor = f";{identifier}"
    subjects = ",".join(";".join(subject) for subject in reference.authority)
    try:
        return parse(f"urn:lex:{reference.place}:{subjects}:{';'.join(reference.kind)}:{descriptor}{reference.tail}")
    except BadName:
        if reference.tail:
            raise
        return None


def _place(reference: Reference, vocabulary: Vocabulary, steps: list[str]) -> str:
    place = reference.place
    if (regional := _REGION_OF_STATE.fullmatch(place)) is not None:
        return _region(place, regional[1], regional[2], reference, steps)
    country, *levels = place.split(";")
    if vocabulary.concept(Scheme.LOCALIDADE, place) or not levels:
        return place
    path = ";".join((country, *(".".join(words(level)) for level in levels)))
    if len(levels) == 1 and vocabulary.concept(Scheme.LOCALIDADE, path) is None:
        concept = vocabulary.one(Scheme.LOCALIDADE, levels[0])
        path = concept.notation if concept is not None else path
    if path != place:
        steps.append(f"place {place!r} written {path!r} (vocabulary of places)")
    return path


def _region(place: str, branch: str, state: str, reference: Reference, steps: list[str]) -> str:
    """Return a court's state as the region of the day of the document; unchanged if the day leaves it open."""
    unit = next((short for short, name in UNITS.items() if state in {short, name}), None)
    if unit is None or reference.year is None:
        return place
    first = date(reference.year, reference.month or 1, reference.day or 1)
    month = reference.month or 12
    last = date(reference.year, month, reference.day or monthrange(reference.year, month)[1])
    found = regions(branch, unit, first, last)
    if found is None:
        steps.append(f"the region of {state!r} is not known for {first} (LexML 0.7 part 2, section 6.2)")
        return place
    if len(found) != 1:
        steps.append(f"{state!r} was in several regions: {', '.join(map(str, found))} (LexML 0.7 part 2, section 6.2)")
        return place
    path = f"br;justica.{branch};regiao.{found[0]}"
    steps.append(f"place {place!r} written {path!r}: the region of the day (LexML 0.7 part 2, section 6.2)")
    return path


def _subject(subject: tuple[str, ...], vocabulary: Vocabulary, steps: list[str]) -> tuple[str, ...]:
    """Return a subject with acronyms and abbreviations written out and ordinals as numbers, and append the changes to
    ``steps``."""
    path: tuple[str, ...] = ()
    for level in subject:
        if vocabulary.concept(Scheme.AUTORIDADE, ";".join((*path, level))) is not None:
            path = (*path, level)
            continue
        plain = _with_arabic_ordinal(".".join(words(level)))
        in_full = readings_in_full(plain, below=bool(path))
        spelled = next(filter(None, (_listed(path, text, vocabulary) for text in (level, *in_full))), None)
        if spelled is not None and spelled != (*path, level):
            others = {concept.notation for concept in vocabulary.named(Scheme.AUTORIDADE, level)} - {";".join(spelled)}
            also = f"; others with this label: {', '.join(sorted(others))}" if others and not path else ""
            written = ";".join(spelled[len(path) :])
            steps.append(f"authority {level!r} written {written!r} (vocabulary of authorities{also})")
            path = spelled
            continue
        if spelled is None and len(in_full) == 1:
            steps.append(f"authority {level!r} written {in_full[0]!r} (LexML 1.0 part 2, section 4.3.4)")
            plain = in_full[0]
        elif plain != level:
            steps.append(f"authority {level!r} written {plain!r} (LexML 1.0 part 2, sections 4.3.3 and 4.3.6)")
        path = (*path, plain)
    return path


def _listed(path: tuple[str, ...], level: str, vocabulary: Vocabulary) -> tuple[str, ...] | None:
    """Return the authority that a level means after others, as the vocabulary spells it; None if it does not decide.

    Below an institution it is a body of that institution. An acronym of bodies of other institutions is written out,
    if these all have one name: ``srf`` is ``secretaria.receita.federal`` in any ministry.
    """
    if not path:
        found = vocabulary.one(Scheme.AUTORIDADE, level)
        return tuple(found.notation.split(";")) if found is not None else None
    named = vocabulary.named(Scheme.AUTORIDADE, level)
    own = {concept.notation for concept in named if concept.notation.startswith(";".join(path) + ";")}
    if len(own) == 1:
        return tuple(own.pop().split(";"))
    acronyms = {
        concept.notation.rpartition(";")[2]
        for concept in named
        if any(text.isupper() and text.casefold() == level.casefold() for text in concept.alternative)
    }
    return (*path, acronyms.pop()) if not own and len(acronyms) == 1 else None


def _qualifiers(place: str, authority: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the qualifiers of a type that only repeat the authority: ``municipal`` of ``municipal:lei.municipal``."""
    roots = {subject[0] for subject in authority}
    levels = roots & _QUALIFIERS.keys() or {word for word, level in _QUALIFIERS.items() if level == place.count(";")}
    ministry = {"ministerial"} if any(root.startswith("ministerio") for root in roots) else set()
    return frozenset({*levels, *ministry, "executivo"})


def _kind(
    kind: tuple[str, ...], qualifiers: frozenset[str], vocabulary: Vocabulary, steps: list[str]
) -> tuple[str, ...]:
    first, *rest = kind
    if vocabulary.concept(Scheme.TIPO_DOCUMENTO, first) is not None:
        return kind
    plain = ".".join(words(first))
    for text in (first, *readings_in_full(plain)):
        concept = vocabulary.one(Scheme.TIPO_DOCUMENTO, text)
        if concept is not None:
            plain = concept.notation.rpartition(":")[2]
            if plain != first:
                steps.append(f"type {first!r} written {plain!r} (vocabulary of document types)")
            return (*plain.split(";"), *rest)
    unqualified, _, last = plain.rpartition(".")
    if unqualified and last in qualifiers:
        steps.append(f"type {first!r} written without {last!r}: the authority says it (LexML 1.0 part 2, section 9.1)")
        return _kind((unqualified, *rest), qualifiers, vocabulary, steps)
    if plain != first:
        steps.append(f"type {first!r} written {plain!r} (vocabulary of document types)")
    return (*plain.split(";"), *rest)


def _with_arabic_ordinal(piece: str) -> str:
    """Return a level with its ordinal as an Arabic number after the noun (LexML 1.0 part 2, section 4.3.6).

    ``primeira.turma``, ``1.turma`` and ``turma.i`` are all ``turma.1``.
    """
    first, *rest = piece.split(".")
    if not rest:
        return piece
    number = int(first) if first.isdecimal() else from_ordinal(first)
    if number is not None:
        return ".".join((*rest, str(number)))
    last = rest[-1]
    counted = from_ordinal(last) or from_roman(last)
    return ".".join((first, *rest[:-1], str(counted))) if counted is not None else piece


def _components(tail: str, steps: list[str]) -> str:
    """Return the tail with ``anexo.iii`` and ``anexo.d`` as ``anexo.3`` and ``anexo.4``; append this to ``steps``."""
    cut = _TAIL.search(tail)
    head, rest = (tail[: cut.start()], tail[cut.start() :]) if cut else (tail, "")
    counted = ";".join(_component_with_arabic_number(part) for part in head.split(";"))
    if counted != head:
        steps.append(f"component {head.strip(';')!r} written {counted.strip(';')!r} (LexML 1.0 part 2, section 4.3.6)")
    return counted + rest


def _component_with_arabic_number(component: str) -> str:
    noun, dot, number = component.partition(".")
    if not dot or noun != "anexo" or "," in number:
        return component
    if len(number) == 1 and number not in _ROMAN_DIGITS:
        counted = from_letters(number)
    else:
        counted = from_roman(number) or from_ordinal(number)
    return f"{noun}.{counted}" if counted is not None else component
