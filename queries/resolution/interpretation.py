"""Interprets a user's text: the name that it identifies, or why it identifies none."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import unquote

from graph.errors import BadName
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import Kind, Name, parse
from graph.vocabulary import Vocabulary, built_in
from graph.wording.numerals import from_letters
from graph.wording.transitional import ANNEX, as_annex_name
from queries.evidence import records
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    Notice,
    ReturnedInstead,
    UnderstoodAs,
    UnknownName,
    WiderLevel,
)
from queries.question import ask, days
from queries.resolution.components import component_meant, names_annex
from queries.resolution.occupants import occupant_on
from queries.resolution.provision_identifiers import provision_meant
from queries.resolution.works import NAMED, WorkMatch, Works, works_of
from queries.unsourced import withdrawn, withdrawn_for
from queries.vocabulary import vocabulary

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


# Typed input: a name, a name in an address, or words (queries.resolution.typed).


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


def refuse_bad_question(
    name: str, on: date | str | None = None, as_known: date | str | None = None, axis: str | None = None
) -> None:
    """Check a question before a store is opened.

    Raises:
        BadName, BadDate, BadParameter: the question is invalid.
    """
    if not is_name(check_text_length(name)):
        days(on, as_known, axis)
        return
    try:
        ask(name, on, as_known, axis)
    except BadName:
        loosely_read(stripped_name(name), built_in())


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
        return interpret_name(store, text)
    known = _known_name(store, text)
    if known is not None:
        return Understood(known)
    spelled = name_in_address(check_text_length(text)) or text
    if is_name(spelled):
        return interpret_name_text(store, spelled)
    from queries.resolution.typed import interpret_words  # noqa: PLC0415 - slow to import; most questions state a name

    return interpret_words(store, text, on)


def _known_name(store: Store, text: str) -> Name | None:
    """Return the name that a text states, if the store knows it. Most questions have such a name."""
    try:
        name = parse(text)
    except BadName:
        return None
    return name if name.text == name.canonical and records(store, (name.provision or name.work).iri) else None


def interpret_name_text(store: Store, text: str) -> Understood:
    """Return the meaning of a text in the form of a name; a notice reports if it had to be repaired."""
    bare = without_marks(store, text)
    try:
        understood, plain = interpret_name(store, parse(bare)), bare == text
    except BadName:
        reference = loosely_read(bare, vocabulary(store))
        understood = (
            _interpret_works(store, reference)
            if reference.name is None
            else interpret_name(store, reference.name, reference)
        )
        plain = False
    if plain or understood.name is None or any(isinstance(notice, UnderstoodAs) for notice in understood.notices):
        return understood
    repaired = UnderstoodAs(text, understood.name.canonical, repaired=True)
    return Understood(understood.name, (repaired, *understood.notices))


def interpret_name(store: Store, name: Name, reference: Reference | None = None) -> Understood:
    """Return a known name, else the only matching work, else the name itself if it is complete."""
    bare = name.provision or name.work
    if records(store, bare.iri):
        return Understood(name)
    if (annex := in_constitution(store, name)) is not None:
        return Understood(annex, (understood_as(reference.text if reference is not None else name.text, annex),))
    reference = reference or reference_of(name)
    if (meant := known_spelling(store, name)) is not None:
        return Understood(meant, (understood_as(reference.text, meant),))
    if records(store, name.work.iri):
        return Understood(name)
    if (understood_component := _interpret_component(store, name, reference)) is not None:
        return understood_component
    if name.rfc is None:
        spelled = read_reference(name.canonical, vocabulary(store))
        if spelled.name is not None and spelled.name != name and records(store, spelled.name.work.iri):
            return Understood(spelled.name, (understood_as(reference.text, spelled.name),))
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
        return Understood(component, (understood_as(reference.text, component),))
    if not names_annex(name) or not records(store, name.whole.iri) or withdrawn(store, name.work.iri):
        return None
    return Understood(name.whole, (WiderLevel(name.canonical, ReturnedInstead.NORM),))


def _interpret_works(store: Store, reference: Reference) -> Understood:
    return only_matching_work(reference, works_of(store, reference))


def only_matching_work(reference: Reference, works: Works) -> Understood:
    """Return the only matching work; else the reason why there is none."""
    agreeing = [match for match in works.matches if match.agrees]
    if len(agreeing) == 1 and not works.more:
        name = parse(agreeing[0].name.canonical + reference.tail)
        return Understood(name, (understood_as(reference.text, name),))
    if works.matches:
        return Understood(None, (_choice_notice(agreeing or list(works.matches), more=works.more),))
    return Understood(None, (UnknownName(reference.name.canonical if reference.name else reference.text),))


def understood_as(text: str, name: Name) -> Notice:
    return UnderstoodAs(text, name.canonical)


def _choice_notice(matches: list[WorkMatch], *, more: bool) -> Notice:
    names = tuple(match.name.canonical for match in matches[:NAMED])
    if any(match.agrees for match in matches):
        return Ambiguous(names, len(matches), more)
    return AgreesInPart(names, more or len(matches) > NAMED, matches[0].why)
