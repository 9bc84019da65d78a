"""Typed text: the citations in it, the remaining words, and its other readings.

A text is resolved only if every word was understood: "Lei nº 8.078/90 de Campinas" and "Tabela I da Lei nº 8.078/90"
cite a norm, but the remaining words may change the meaning. The reader of running text is strict: a lower-case numeral
is usually a word there. Typed text often lacks capitals, commas and accents, and still means a provision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from graph.references import Reference
from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.citations import Citation, Context, cite
from graph.wording.citations.lexicon import TYPE, TYPES, type_of
from graph.wording.citations.provisions import chain_at, provision_id
from graph.wording.folding import words
from graph.wording.nicknames import nicknames
from graph.wording.numerals import NUMBER_MARK
from graph.wording.provisions import KINDS
from graph.wording.transitional import CONSTITUTION, TRANSITIONAL
from queries.evidence import records
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    Notice,
    NotUnderstood,
    SeveralCitations,
    UnderstoodAs,
    UnknownName,
    WordsLeft,
    any_of,
)
from queries.resolution import Understood
from queries.resolution.names import interpret_name, interpret_name_text, only_matching_work, understood_as
from queries.resolution.spelling import is_name
from queries.resolution.works import NAMED, by_nickname, nicknames_on
from queries.unsourced import withdrawn

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


def spoken(text: str, on: date | None, place: str | None = None) -> TextCitations:
    """Return the citations of a text on a day, in a text of a place.

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
    citations = cite(text, Context(on=on, place=place))
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
    known = nicknames_on(nicknames().get(key, ()), on)
    _, mark, provision = name.partition("!")
    return tuple(dict.fromkeys(f"{nickname.name}{mark}{provision}" for nickname in known))


def words_left(citations: TextCitations) -> Notice:
    """Return the notice on the understood and the remaining words of a text."""
    return WordsLeft(citations.cited, tuple(citations.names), citations.left)


def not_understood(text: str, on: date | None) -> Notice:
    """Return the notice on a text that identifies nothing."""
    if on is not None and cite(text):
        return NotUnderstood(on)
    return NotUnderstood()


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
    """Yield other readings of a typed text: as a nickname of the built-in list, in the notation of citations, as
    provisions of a norm before them, and as a norm of a municipality of the store.
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
    yield from _of_town(store, text, on)


def _of_town(store: Store, text: str, on: date | None) -> Iterator[str]:
    """Yield the only norm or provision that a text gives as a text of a municipality of the store, first a known one.

    The municipality is one that the text names, or the only one of the store.
    """
    locals_ = (parse(from_iri(kind.example)).local for kind in store.full_text.kinds())
    towns = {";".join((local.pais, *local.detalhe)) for local in locals_ if len(local.detalhe) > 1}
    said = set(words(text))
    named = [town for town in towns if said.issuperset(town.rpartition(";")[2].split("."))]
    chosen = named or (towns if len(towns) == 1 else ())
    # a resolution without its issuer is one of the chamber
    issued = (text, re.sub(r"(?= d[eo] [A-ZÀ-Ý][^0-9]*$)|$", " da Câmara Municipal", text, count=1))
    read = (next((cited for each in issued if (cited := spoken(each, on, town)).names), None) for town in chosen)
    names = {each.names[0] for each in read if each is not None and len(each.names) == 1 and not each.left}
    known = [name for name in names if interpret_name(store, parse(name)).name is not None]
    if len(known) == 1 or (not known and len(names) == 1):
        yield (known or [*names])[0]


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


def interpret_words(store: Store, text: str, on: date | None) -> Understood:
    """Return the norm or provision of a nickname or a citation, in capitals or lower case."""
    first = _interpret_citation(store, text, on)
    if not any_of(first.notices, NotUnderstood, WordsLeft):
        return _beside_town(store, text, on, first)
    several: Understood | None = None
    for reading in readings(store, text, on):
        understood = (
            interpret_name_text(store, reading) if is_name(reading) else _interpret_citation(store, reading, on)
        )
        if understood.name is not None:
            others = (notice for notice in understood.notices if not isinstance(notice, UnderstoodAs))
            return Understood(understood.name, (understood_as(text, understood.name), *others))
        if several is None and any_of(understood.notices, AgreesInPart, Ambiguous):
            several = understood
    return several or first


def _beside_town(store: Store, text: str, on: date | None, federal: Understood) -> Understood:
    """Return the norm of the town of the store that a text may mean in place of a federal one; both are ambiguous."""
    if federal.name is not None and federal.name.local.detalhe:
        return federal
    for name in _of_town(store, text, on):
        own = interpret_name(store, parse(name)).name
        if own is None or own == federal.name or not records(store, own.iri):
            return federal
        if federal.name is not None:
            return Understood(None, (Ambiguous((federal.name.canonical, own.canonical), 2),))
        return Understood(own, (understood_as(text, own),))
    return federal


def _interpret_citation(store: Store, text: str, on: date | None) -> Understood:
    nicknamed = by_nickname(store, text, on)
    if nicknamed.matches:
        return only_matching_work(Reference(text, None, "br", (), (), alias=text), nicknamed)
    citation = spoken(text, on)
    if not citation.names:
        return Understood(None, (not_understood(text, on),))
    if citation.left:
        return Understood(None, (words_left(citation),))
    if citation.one_nickname:
        return Understood(None, (Ambiguous(tuple(citation.names), len(citation.names), nickname=True),))
    if len(citation.names) > 1:
        return Understood(None, (SeveralCitations(tuple(citation.names[:NAMED])),))
    understood = interpret_name(store, parse(next(iter(citation.names))))
    if understood.name is None:
        return understood
    if not (records(store, understood.name.work.iri) or withdrawn(store, understood.name.work.iri)):
        return Understood(None, (UnknownName(understood.name.canonical),))
    return Understood(understood.name, (understood_as(text, understood.name),))
