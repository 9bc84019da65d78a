"""Interprets a user's text: the name that it identifies, or why it identifies none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import unquote

from graph.civil import parse_day, today
from graph.entities import Axis
from graph.errors import BadName
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import Kind, Name, from_iri, parse
from graph.vocabulary import Vocabulary
from graph.wording.citations.lexicon import TYPE, TYPES, nicknames, type_of
from graph.wording.citations.provisions import chain_at, provision_id
from graph.wording.folding import words
from graph.wording.numerals import NUMBER_MARK, from_letters
from graph.wording.provisions import KINDS
from graph.wording.transitional import ANNEX, as_annex_name
from ontology.namespaces import VIG
from queries.evidence import records, versions
from queries.intervals import precedence
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    Notice,
    NotUnderstood,
    Occupant,
    ReturnedInstead,
    SeveralCitations,
    SeveralOccupants,
    UnderstoodAs,
    UnknownName,
    WiderLevel,
    WordsLeft,
    any_of,
)
from queries.question import given_days
from queries.resolution.components import component_meant, names_annex
from queries.resolution.provision_identifiers import provision_meant
from queries.resolution.works import NAMED, WorkMatch, Works, by_nickname, not_understood, spoken, words_left, works_of
from queries.status import periods_of
from queries.unsourced import withdrawn, withdrawn_for
from queries.vocabulary import vocabulary

# Provisions that had the same identifier in sequence, such as ``!art65_cpt_inc2``, which two acts inserted.
#
# A source distinguishes them by the inserting norm after a comma (``!art65_cpt_inc2,lei-13853-2019-07-08``). The
# identifier without it means the provision in force on the day.


_OCCUPIED: str = VIG["ocupadoPor"]


def occupants(store: Store, name: Name) -> tuple[Name, ...]:
    """Return the provisions that had an identifier, the earliest first; empty if there was only one.

    Args:
        name: of a provision, or of a version of one.
    """
    place = name.provision
    if place is None or place.fragmento is None or place.fragmento.inserido_por is not None:
        return ()
    return store.memoized((occupants, place.iri), lambda: _occupants(store, place))


def _occupants(store: Store, place: Name) -> tuple[Name, ...]:
    names = [parse(from_iri(link)) for link in store.links(place.iri, _OCCUPIED)]
    if names and records(store, place.iri):
        names.append(place)
    return tuple(sorted(names, key=lambda name: _first_day(store, name))) if len(names) > 1 else ()


def _first_day(store: Store, provision: Name) -> tuple[date, str]:
    days = [version.version_date for version in versions(store, provision.iri) if version.version_date is not None]
    return min(days, default=date.max), provision.canonical


def place_of(provision: Name) -> Name:
    """Return the identifier of a provision without the norm that inserted it."""
    fragment = provision.fragmento
    return provision if fragment is None else provision.with_fragmento(replace(fragment, inserido_por=None))


def occupant_on(store: Store, name: Name, on: date | None, as_known: date | str | None) -> tuple[Name, Notice | None]:
    """Return the provision that an identifier means on a day, as known on another, and a notice on the choice.

    If there was only one provision, the result is the name itself, and None.

    A name with a day (a version's, or a temporal reference's) uses that day.
    """
    among = occupants(store, name)
    if not among:
        return name, None
    carried = given_days(name)
    day = carried.on or name.version_date or on or today()
    known = parse_day(as_known) if isinstance(as_known, str) else as_known
    as_known = carried.as_known or known or today()
    held = [
        (precedence(period, occupant), occupant)
        for occupant in among
        for period in periods_of(store, occupant)
        if period.axis is Axis.FORCE and period.holds(day, as_known)
    ]
    chosen = max(held, key=lambda ranked: ranked[0])[1] if held else among[0]
    notice = SeveralOccupants(tuple(days_of(store, occupant, as_known) for occupant in among), chosen.canonical, day)
    return name.with_fragmento(chosen.fragmento), notice


def days_of(store: Store, provision: Name, known: date) -> Occupant:
    """Return the interval of force of a provision, as known on a day."""
    periods = [
        period
        for period in periods_of(store, provision)
        if period.axis is Axis.FORCE and period.version is not None and period.is_known(known)
    ]
    if not periods:
        return Occupant(provision.canonical, None, None, known)
    ends = [period.valid_until for period in periods]
    until = max((end for end in ends if end is not None), default=None) if None not in ends else None
    return Occupant(provision.canonical, min(period.valid_from for period in periods), until, known)


#: The suffix of a step of an identifier as printed: ``-a`` of ``art55-a``.
_LETTERED = re.compile(r"(?<=[0-9a-z])-([a-z]{1,2})(?=[-_]|\Z)", re.ASCII | re.IGNORECASE)


def with_numbered_suffixes(name: Name) -> Name | None:
    """Return a name with ``art55-1`` in place of ``art55-a``; None if its provisions have no letters as suffixes.

    LexML counts suffixes with digits (part 3, sections 5.3 to 5.5); in print they are letters.

    >>> print(with_numbered_suffixes(parse("urn:lex:br:federal:lei:2018-08-14;13709!art55-a_cpt")))
    urn:lex:br:federal:lei:2018-08-14;13709!art55-1_cpt
    """
    fragment = name.fragmento
    if fragment is None:
        return None
    parts = tuple(
        _as_number(part) if isinstance(part, str) else (_as_number(part[0]), _as_number(part[1]))
        for part in fragment.partes
    )
    return None if parts == fragment.partes else name.with_fragmento(replace(fragment, partes=parts))


def _without_inserting_norm(name: Name) -> Name | None:
    """Return a name without the norm that inserted its provision; None if it has none."""
    fragment = name.fragmento
    if fragment is None or fragment.inserido_por is None:
        return None
    return name.with_fragmento(replace(fragment, inserido_por=None))


def known_spelling(store: Store, name: Name) -> Name | None:
    """Return the known provision that a name of an unknown one means by another spelling; None if there is none."""
    numbered = with_numbered_suffixes(name)
    for meant in filter(None, (_without_inserting_norm(name), numbered, provision_meant(store, numbered or name))):
        if records(store, meant.provision.iri if meant.provision is not None else meant.iri):
            return meant
    return None


def _as_number(identifier: str) -> str:
    return _LETTERED.sub(lambda match: f"-{from_letters(match[1])}", identifier)


# Citations treat the transitional provisions of the Constitution (ADCT) as a separate norm. Most sources have them as
# an annex of the Constitution.


def in_constitution(store: Store, name: Name) -> Name | None:
    """Return a name of the transitional provisions as a name of the annex, if the store has them as an annex.

    Returns:
        None for another norm, and if the store has the transitional provisions as a norm, or does not have them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    annex_name = as_annex_name(name)
    if annex_name is None or records(store, name.work.iri) or not records(store, _annex_of(annex_name).iri):
        return None
    return annex_name


def _annex_of(name: Name) -> Name:
    return parse(f"{name.work.canonical}!{ANNEX}")


# Typed input: a name, a name in an address, words, or a citation in any spelling.
#
# The reader of running text is strict: a lower-case numeral is usually a word there. Search input often lacks capitals,
# commas and accents, and still means a provision.


#: The maximum length of a text, in characters; the same as for names.
LONGEST = 4096

_NAME = re.compile(r"\s*(?:urn:|lex:|urn%3a|br[:;])", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"\s*https?://[^\s?#]{1,300}(?:/|\?urn=)(urn(?::|%3a)lex(?::|%3a)[^\s&#]+)", re.IGNORECASE | re.ASCII
)
#: Punctuation of a sentence after a copied name.
_BEHIND = re.compile(r"[\s.,;:!?)\"'”’»]+\Z")
#: The extensions of files after a name. They name a manifestation of the document.
FILE_SUFFIXES = (".html", ".htm", ".pdf", ".xml", ".json", ".txt", ".rtf", ".docx", ".doc", ".odt")
_EXTENSION = re.compile(rf"(?:{'|'.join(map(re.escape, FILE_SUFFIXES))})\Z", re.IGNORECASE)
#: Characters that occur neither in names nor in search words.
_NO_SIGN = re.compile(r"[^\w\s:;,.@~!$\[\]()ºª°'’–—-]")


def check_text_length(text: str) -> str:
    """Return the text unchanged, after checking its length.

    Raises:
        BadName: it is empty or too long.
    """
    if not text.strip() or len(text) > LONGEST:
        parse(text)
    return text


def is_name(text: str) -> bool:
    """Return whether a text has the prefix of a name.

    >>> is_name("urn:lex:br:federal:lei:1990"), is_name("Lei nº 8.078")
    (True, False)
    """
    return _NAME.match(text) is not None


def name_in_address(text: str) -> str | None:
    """Return the name in the path or the parameter ``urn`` of a web address; None if there is none.

    >>> name_in_address("https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    >>> name_in_address("http://www.lexml.gov.br/urn/urn:lex:br:federal:lei:1993;8666")
    'urn:lex:br:federal:lei:1993;8666'
    """
    match = _ADDRESS.match(text)
    return unquote(match[1]) if match is not None else None


def stripped_name(text: str) -> str:
    """Return a text in the form of a name without surrounding white space, trailing punctuation and file extension.

    >>> stripped_name("urn:lex:br:federal:lei:1990-09-11;8078).")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    >>> stripped_name("urn:lex:br:federal:lei:1990-09-11;8078.html")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    """
    return _EXTENSION.sub("", _BEHIND.sub("", text.strip()))


def loosely_read(text: str, vocabulary: Vocabulary) -> Reference:
    """Return the reference in an invalid name; see :func:`read_reference`.

    Raises:
        BadName: it does not have the form of a name, or has characters of neither names nor words: ``8078%%%``,
            ``8078+``.
    """
    if _NO_SIGN.search(text):
        parse(text)
    return read_reference(text, vocabulary)


def without_marks(store: Store, text: str) -> str:
    """Return a text in the form of a name without trailing punctuation and file extension, unless they are part of a
    known name."""
    bare = stripped_name(text)
    if bare == text or not bare:
        return text
    try:
        name = parse(text.strip())
    except BadName:
        return bare
    return text.strip() if records(store, name.iri) or records(store, name.work.iri) else bare


_ROMAN = r"(?=[ivxl])(?:x[lc]|l?x{0,3})(?:ix|iv|v?i{0,3})(?!\w)"
_NUMERAL = re.compile(rf"(?<!\w){_ROMAN}", re.IGNORECASE)
#: Kinds with Roman numerals, with their numbers: ``incisos i, ii e iii``.
_NUMBERED = re.compile(
    r"(?<!\w)(?:incisos?|incs?\.?|t[íi]tulos?|cap[íi]tulos?|se[çc](?:[ãa]o|[õo]es)|subse[çc][ãa]o|livros?)\s+"
    rf"{_ROMAN}(?:\s*(?:,|,?\s(?:e|a|ou)\s)\s*{_ROMAN})*",
    re.IGNORECASE,
)
_UPPER = (
    r"(?:art(?:igo)?s?\.?\s*[0-9][0-9.]*[º°ªo]?(?:-[a-z]{1,2})?|§\s*[0-9]+[º°ªo]?"
    r"|par[áa]grafo\s+(?:[0-9]+[º°ªo]?|[úu]nico)|caput)"
)
#: An article or paragraph, followed by an item with or without its word; a single ``l`` is not an item.
_ITEM = re.compile(rf"(?<!\w)({_UPPER})(?:\s*,\s*|\s+)(?!l(?!\w))(?={_ROMAN})({_ROMAN})", re.IGNORECASE)
_INNER = re.compile(
    rf"(?<!\w)({_UPPER}|(?:inciso|inc\.?)\s+{_ROMAN})\s+"
    r"(?=(?:incisos?|incs?\.?|al[íi]neas?|par[áa]grafo|caput)(?!\w)|§|par(?:[áa]g)?s?\.|p\.\s*[úu]n)",
    re.IGNORECASE,
)
#: An inserted article: ``art 57-a``.
_INSERTED = re.compile(r"(?<!\w)(arts?\.?|artigos?)(\s*[0-9][0-9.]*[º°ªo]?-)([a-z]{1,2})(?!\w)", re.IGNORECASE)
_CONSTITUTION = re.compile(r"(?<!\w)constitui[çc][ãa]o(?!\w)", re.IGNORECASE)
#: Only at the end of a text ``cf`` means the Constitution; elsewhere it may mean "confer".
_CONSTITUTION_SHORT = re.compile(r"(?<!\w)(?:cf|crfb)(?=(?:/(?:19)?88)?\s*\Z)", re.IGNORECASE)


def in_citation_notation(text: str) -> str:
    """Return a text with provisions in the notation of citations, and the Constitution with its capital.

    >>> in_citation_notation("art 5 xi da constituicao"), in_citation_notation("titulo iv do cdc")
    ('art 5, XI da Constituição', 'titulo IV do cdc')
    >>> in_citation_notation("cf. art 57-a do cdc"), in_citation_notation("art 5 cf/88")
    ('cf. art 57-A do cdc', 'art 5 CF/88')
    >>> in_citation_notation("art 121 § 2 inciso iv alinea a"), in_citation_notation("civil e vil")
    ('art 121, § 2, inciso IV, alinea a', 'civil e vil')
    """
    text = _INSERTED.sub(lambda match: f"{match[1]}{match[2]}{match[3].upper()}", text)
    text = _ITEM.sub(lambda match: f"{match[1]}, {match[2].upper()}", text)
    text = _NUMBERED.sub(lambda match: _NUMERAL.sub(lambda numeral: numeral[0].upper(), match[0]), text)
    text = _CONSTITUTION_SHORT.sub(lambda match: match[0].upper(), _INNER.sub(r"\1, ", text))
    return _CONSTITUTION.sub("Constituição", text)


#: The words between a provision and its norm, also if incomplete.
_OF_NORM = re.compile(r"\s*,?\s+(?:d[aeo]s?\s+)?(?=\S)", re.IGNORECASE)
_OF_BEGUN = re.compile(r"d[aeo]?s?", re.IGNORECASE)
_PIECE = re.compile(r"\w+")


def parted(text: str) -> tuple[str, str, str]:
    """Split a text after the provision at its beginning: return its identifier, its words, and the rest of the text.

    All are empty if the text begins with no provision, with several, or with one without its article, or if no norm
    follows.

    >>> parted("inciso V do art. 49 da Constit"), parted("art. 57 do")
    (('art49_cpt_inc5', 'inciso V do art. 49 da ', 'Constit'), ('', '', ''))
    """
    text = in_citation_notation(text.strip())
    chain = chain_at(text, 0)
    placed = len(chain) == 1 and any(kind == "art" or KINDS[kind].grouping for kind in chain[0].levels)
    of = _OF_NORM.match(text, chain[0].end) if placed else None
    if of is None or _OF_BEGUN.fullmatch(text, of.end()) is not None:
        return "", "", ""
    return provision_id(chain[0].levels), text[: of.end()], text[of.end() :]


#: A norm, and its articles after it: ``cdc artigo 57``.
_NORM_FIRST = re.compile(r"(\S.*?)\s*[,-]?\s+(?:n?[oa]s?\s+)?(art(?:igo)?s?\.?\s*[0-9].*)", re.IGNORECASE | re.DOTALL)
#: Further articles of a list or range, up to the end of the text.
_FURTHER = re.compile(
    r"(?:[\s.,;]|(?:e|ou|a|ao|at[ée]|arts?|artigos?)(?!\w)|[0-9]+[º°ªo]?(?:-[a-z])?(?!\w))*", re.IGNORECASE
)


def norm_and_articles(text: str) -> tuple[str, str]:
    """Split a text with a norm and its articles after it, in the notation of citations.

    Both are empty if the text does not end with the articles, or begins with them.

    >>> norm_and_articles("cdc artigo 57"), norm_and_articles("constituicao art 5 xi")
    (('CDC', 'artigo 57'), ('Constituição', 'art 5, XI'))
    >>> norm_and_articles("cf art 57 do cdc"), norm_and_articles("art 57 do cdc")
    (('', ''), ('', ''))
    """
    match = _NORM_FIRST.fullmatch(text.strip())
    if match is None:
        return "", ""
    norm, articles = with_acronyms(in_citation_notation(match[1])), in_citation_notation(match[2])
    chain = chain_at(articles, 0)
    if not chain or _FURTHER.fullmatch(articles, chain[-1].end) is None:
        return "", ""
    return norm, articles


#: The abbreviation of a type before a number: ``mpv 2.206-1``.
_TYPE_OF_NUMBER = re.compile(
    rf"(?<!\w)(?:{'|'.join(known.pattern for known in TYPES if known.abbreviation)})"
    rf"(?=\s*(?:(?:{NUMBER_MARK})\s*)?\d)",
    re.IGNORECASE,
)
_TYPE = re.compile(TYPE)


def with_acronyms(text: str) -> str:
    """Return a text with the acronyms of norms and types in capitals, because a lower-case ``cdc`` is not read as a
    citation.

    >>> with_acronyms("art 57 do cdc"), with_acronyms("mpv 2.206-1/2001")
    ('art 57 do CDC', 'MPV 2.206-1/2001')
    """
    text = _TYPE_OF_NUMBER.sub(lambda match: _as_type(match[0]) or match[0], text)
    return _PIECE.sub(lambda piece: piece[0].upper() if _is_acronym(piece[0].upper()) else piece[0], text)


def with_types_in_full(text: str) -> str:
    """Return a text with the abbreviations of types before numbers in the words of names.

    >>> with_types_in_full("mpv 2.206-1"), with_types_in_full("CDC")
    ('medida provisoria 2.206-1', 'CDC')
    """
    return _TYPE_OF_NUMBER.sub(_in_full, text)


def _in_full(match: re.Match[str]) -> str:
    short = _as_type(match[0])
    return type_of(short).kind.partition(";")[0].replace(".", " ") if short is not None else match[0]


def _as_type(text: str) -> str | None:
    """Return a text in capitals if citations have it as the abbreviation of a type; else None."""
    return text.upper() if _TYPE.fullmatch(text.upper()) else None


def _is_acronym(text: str) -> bool:
    return any(nickname.text == text for nickname in nicknames().get(text.lower(), ()))


def readings(store: Store, text: str, on: date | None) -> Iterator[str]:
    """Yield other readings of a typed text: as a nickname of the built-in list, in the notation of citations, and as
    provisions of a norm before them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    listed = _nickname_as_listed(text)
    if listed != text:
        yield listed
    cited = with_acronyms(in_citation_notation(text))
    if cited != text:
        yield cited
    norm, articles = norm_and_articles(text)
    if norm:
        yield f"{_nickname_as_listed(norm)}, {articles}"
    provision, begun, norm = parted(f"{articles} da {norm}" if norm else cited)
    named = _named(store, norm, on) if provision else ()
    if len(named) == 1:
        yield f"{named[0]}!{provision}"
    elif named:
        yield f"{begun}{_nickname_as_listed(norm)}"


def _nickname_as_listed(text: str) -> str:
    """Return a nickname with the accents of the built-in list; another text unchanged."""
    return next((nickname.text for nickname in nicknames().get(" ".join(words(text)), ())), text)


def _named(store: Store, text: str, on: date | None) -> Sequence[str]:
    """Return the names of the norms that a text may mean; none if a word was not understood."""
    known = [
        nickname.name for nickname in nicknames().get(" ".join(words(text)), ()) if on is None or nickname.fits(on)
    ]
    if known:
        return known if on is not None else known[-1:]
    matches = by_nickname(store, text, on).matches
    if matches:
        return [match.name.canonical for match in matches]
    cited = spoken(text, on)
    return [name for name in cited.names if "!" not in name] if not cited.left else ()


# The interpretation of a text: the name that it identifies, or why it identifies none.
#
# Questions about a norm accept any text. If exactly one work matches every stated field, it is used, with a notice.
# Otherwise the candidates are returned.


@dataclass(frozen=True, slots=True)
class Understood:
    """The intended name, with notices on how it was found; ``name`` is None if it is not certain."""

    name: Name | None
    notices: tuple[Notice, ...] = ()


def interpret(store: Store, text: str | Name, on: date | None = None, as_known: date | str | None = None) -> Understood:
    """Return the interpretation of a text in this store.

    A name known to the store, or complete and unknown, is kept; so is one with only deleted records. An incomplete
    name, a nickname or a citation identifies the only work that matches all its fields, if every word was understood.
    An identifier that several provisions had in sequence means the provision of the day.

    Args:
        store: an opened store.
        text: a name, a citation or a nickname.
        on: the day of the citation, which decides between norms with one nickname, and between provisions with one
            identifier; default the day in the name, else today.
        as_known: K, which also decides between provisions; default today.

    Raises:
        BadName: the text has the form of a name and is invalid.
        StoreProblem: the store cannot be read.
    """
    understood = _interpret(store, text, on)
    if understood.name is None or understood.name.fragmento is None:
        return understood
    name, notice = occupant_on(store, understood.name, on, as_known)
    return understood if notice is None else Understood(name, (*understood.notices, notice))


def _interpret(store: Store, text: str | Name, on: date | None) -> Understood:
    if isinstance(text, Name):
        return _interpret_name(store, text)
    known = _known_name(store, text)
    if known is not None:
        return Understood(known)
    spelled = name_in_address(check_text_length(text)) or text
    return _interpret_name_text(store, spelled) if is_name(spelled) else _interpret_words(store, text, on)


def _known_name(store: Store, text: str) -> Name | None:
    """Return the name that a text states, if the store knows it. Most questions have such a name."""
    try:
        name = parse(text)
    except BadName:
        return None
    return name if name.text == name.canonical and records(store, (name.provision or name.work).iri) else None


def _interpret_name_text(store: Store, text: str) -> Understood:
    """Return the meaning of a text in the form of a name; a notice reports if it had to be repaired."""
    bare = without_marks(store, text)
    try:
        understood, plain = _interpret_name(store, parse(bare)), bare == text
    except BadName:
        reference = loosely_read(bare, vocabulary(store))
        understood = (
            _interpret_works(store, reference)
            if reference.name is None
            else _interpret_name(store, reference.name, reference)
        )
        plain = False
    if plain or understood.name is None or any(isinstance(notice, UnderstoodAs) for notice in understood.notices):
        return understood
    repaired = UnderstoodAs(text, understood.name.canonical, repaired=True)
    return Understood(understood.name, (repaired, *understood.notices))


def _interpret_words(store: Store, text: str, on: date | None) -> Understood:
    """Return the norm or provision of a nickname or a citation, in capitals or lower case."""
    first = _interpret_citation(store, text, on)
    if not any_of(first.notices, NotUnderstood, WordsLeft):
        return first
    several: Understood | None = None
    for reading in readings(store, text, on):
        understood = (
            _interpret_name_text(store, reading) if is_name(reading) else _interpret_citation(store, reading, on)
        )
        if understood.name is not None:
            others = (notice for notice in understood.notices if not isinstance(notice, UnderstoodAs))
            return Understood(understood.name, (_understood_as(text, understood.name), *others))
        if several is None and any_of(understood.notices, Ambiguous):
            several = understood
    return several or first


def _interpret_citation(store: Store, text: str, on: date | None) -> Understood:
    nicknamed = by_nickname(store, text, on)
    if nicknamed.matches:
        return _only_matching_work(Reference(text, None, "br", (), (), alias=text), nicknamed)
    citation = spoken(text, on)
    if not citation.names:
        return Understood(None, (not_understood(text, on),))
    if citation.left:
        return Understood(None, (words_left(citation),))
    if citation.one_nickname:
        return Understood(None, (Ambiguous(tuple(citation.names), len(citation.names), nickname=True),))
    if len(citation.names) > 1:
        return Understood(None, (SeveralCitations(tuple(citation.names[:NAMED])),))
    understood = _interpret_name(store, parse(next(iter(citation.names))))
    if understood.name is None:
        return understood
    if not (records(store, understood.name.work.iri) or withdrawn(store, understood.name.work.iri)):
        return Understood(None, (UnknownName(understood.name.canonical),))
    return Understood(understood.name, (_understood_as(text, understood.name),))


def _interpret_name(store: Store, name: Name, reference: Reference | None = None) -> Understood:
    """Return a known name, else the only matching work, else the name itself if it is complete."""
    bare = name.provision or name.work
    if records(store, bare.iri):
        return Understood(name)
    if (annex := in_constitution(store, name)) is not None:
        return Understood(annex, (_understood_as(reference.text if reference is not None else name.text, annex),))
    reference = reference or reference_of(name)
    if (meant := known_spelling(store, name)) is not None:
        return Understood(meant, (_understood_as(reference.text, meant),))
    if records(store, name.work.iri):
        return Understood(name)
    if (understood_component := _interpret_component(store, name, reference)) is not None:
        return understood_component
    if name.rfc is None:
        spelled = read_reference(name.canonical, vocabulary(store))
        if spelled.name is not None and spelled.name != name and records(store, spelled.name.work.iri):
            return Understood(spelled.name, (_understood_as(reference.text, spelled.name),))
        reference = spelled
    understood = _interpret_works(store, reference)
    if understood.name == name:  # a norm matches; the name adds a part that no source mentions
        return Understood(name)
    if understood.name is not None or name.work.kind is Kind.REFERENCE:
        return understood
    nobody = bool(understood.notices) and all(isinstance(notice, UnknownName) for notice in understood.notices)
    return Understood(name) if nobody or withdrawn_for(store, bare) else understood


def _interpret_component(store: Store, name: Name, reference: Reference) -> Understood | None:
    """Return the annex that a name means, else its document; None if the name has none that the store knows."""
    component = component_meant(store, name)
    if component is not None:
        return Understood(component, (_understood_as(reference.text, component),))
    if not names_annex(name) or not records(store, name.whole.iri) or withdrawn(store, name.work.iri):
        return None
    return Understood(name.whole, (WiderLevel(name.canonical, ReturnedInstead.NORM),))


def _interpret_works(store: Store, reference: Reference) -> Understood:
    return _only_matching_work(reference, works_of(store, reference))


def _only_matching_work(reference: Reference, works: Works) -> Understood:
    """Return the only matching work; else the reason why there is none."""
    agreeing = [match for match in works.matches if match.agrees]
    if len(agreeing) == 1 and not works.more:
        name = parse(agreeing[0].name.canonical + reference.tail)
        return Understood(name, (_understood_as(reference.text, name),))
    if works.matches:
        return Understood(None, (_choice_notice(agreeing or list(works.matches), more=works.more),))
    return Understood(None, (UnknownName(reference.name.canonical if reference.name else reference.text),))


def _understood_as(text: str, name: Name) -> Notice:
    return UnderstoodAs(text, name.canonical)


def _choice_notice(matches: list[WorkMatch], *, more: bool) -> Notice:
    names = tuple(match.name.canonical for match in matches[:NAMED])
    if any(match.agrees for match in matches):
        return Ambiguous(names, len(matches), more)
    return AgreesInPart(names, more or len(matches) > NAMED, matches[0].why)
