"""Interprets names: the work or provision that a known, incomplete or misspelled name identifies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

from graph.errors import BadName
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import Kind, Name, parse, parse_or_none
from graph.vocabulary import Vocabulary
from graph.wording.folding import folded
from graph.wording.numerals import from_letters
from graph.wording.transitional import ANNEX, as_annex_name
from ontology.namespaces import FRBROO, VIG
from queries.evidence import records, versions
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    Notice,
    ReturnedInstead,
    UnderstoodAs,
    UnknownName,
    WiderLevel,
)
from queries.resolution import Understood
from queries.resolution.components import component_meant, names_annex
from queries.resolution.spelling import stripped_name
from queries.resolution.works import NAMED, WorkMatch, Works, works_of
from queries.unsourced import withdrawn, withdrawn_for
from queries.vocabulary import vocabulary

# Provisions by other spellings of their identifiers: without the caput, and sole articles and paragraphs.


_OTHER = {"art1": "art1u", "art1u": "art1", "par1": "par1u", "par1u": "par1"}
#: An article and a paragraph, and those in a quotation.
_MOST = 4
_SOLE_LABELS = ("artigo unico", "art. unico", "paragrafo unico")
#: The hyphen of ``art2-inc3``.
_HYPHEN = re.compile(r"-(?=(?:cpt|par|inc|ali|ite)(?:[0-9]|[-_]|\Z))", re.ASCII)
_ARTICLE = re.compile(r"art[0-9]", re.ASCII)
#: Parts that an article has only in its caput or its paragraphs.
_DETAILS = frozenset({"inc", "ali", "ite"})


def provision_meant(store: Store, name: Name) -> Name | None:
    """Return the known provision that a name means by another spelling of its identifier.

    ``art12-2_inc3`` means ``art12-2_cpt_inc3`` (LexML 1.0 part 2, section 4.3.6), and so does ``art12-2-inc3`` (LexML
    0.7 part 2, section 14.5). LexML part 3, section 5.4, table 3, has ``art8-1_par1`` for the parágrafo único; later
    documents have ``art8-1_par1u``. ``par1`` means ``par1u`` if the article has no ``par2``. ``par1u`` means ``par1``
    if a source labels that paragraph as the sole one. The same holds for ``art1`` and ``art1u``.

    Args:
        name: of a provision that no source describes; its version and form are kept.

    Returns:
        None unless the name is of one provision that the store has by such a spelling.
    """
    fragment, place = name.fragmento, name.provision
    if fragment is None or place is None or len(fragment.partes) != 1 or records(store, place.iri):
        return None
    (part,) = fragment.partes
    if not isinstance(part, str):
        return None
    steps = _with_caput(_HYPHEN.sub("_", part).split("_"))
    work = place.with_fragmento(None)

    def named(identifiers: Sequence[str]) -> Name:
        return work.with_fragmento(replace(fragment, partes=("_".join(identifiers),)))

    def fits(identifiers: Sequence[str]) -> bool:
        *above, last = identifiers
        if last.endswith("u"):
            return not records(store, named([*above, f"{last[:3]}2"]).iri)
        return _labelled_as_sole(store, named(identifiers))

    places = [index for index, step in enumerate(steps) if step in _OTHER][:_MOST]
    for changed in chain.from_iterable(combinations(places, size) for size in range(len(places) + 1)):
        meant = [_OTHER[step] if index in changed else step for index, step in enumerate(steps)]
        if records(store, named(meant).iri) and all(fits(meant[: index + 1]) for index in changed):
            return name.with_fragmento(replace(fragment, partes=("_".join(meant),)))
    return None


def _with_caput(steps: Sequence[str]) -> list[str]:
    """Return the steps of an identifier with ``cpt`` between an article and a part of its caput."""
    full: list[str] = []
    for step in steps:
        if full and _ARTICLE.match(full[-1]) and step[:3] in _DETAILS:
            full.append("cpt")
        full.append(step)
    return full


def _labelled_as_sole(store: Store, provision: Name) -> bool:
    return any(
        folded(label).startswith(_SOLE_LABELS)
        for version in versions(store, provision.iri)
        for text in store.links(version.iri, FRBROO["R3_is_realised_in"])
        for _, label in store.literals(text, VIG["rotulo"])
    )


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
    """
    annex_name = as_annex_name(name)
    if annex_name is None or records(store, name.work.iri) or not records(store, _annex_of(annex_name).iri):
        return None
    return annex_name


def _annex_of(name: Name) -> Name:
    return parse(f"{name.work.canonical}!{ANNEX}")


#: Characters that occur neither in names nor in search words.
_NO_SIGN = re.compile(r"[^\w\s:;,.@~!$\[\]()ºª°'’–—-]")


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
    name = parse_or_none(text.strip())
    if name is None:
        return bare
    return text.strip() if records(store, name.iri) or records(store, name.work.iri) else bare


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
