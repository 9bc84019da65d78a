"""What a record says of names, as the index of names keeps it: lookup keys, words, and how names begin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from graph.lookup import keys_of, nickname_key
from graph.mapping.summaries import summaries_of
from graph.summaries import Key
from graph.terms import Statement, iri
from graph.urn import Name, from_iri, parse
from graph.wording.folding import folded, unmarked, words
from graph.wording.labels import label
from ontology.namespaces import CRM, FRBROO, VIG


class Worded(NamedTuple):
    """The words that a record has for one node.

    Attributes:
        name: the IRI of the norm or provision that they are of.
        of: the IRI of what has them: the name itself, or the text of a version of it.
        title: epigraph, label and heading.
        nicknames: what people call it.
        summary: its ementa.
        text: its own words.
    """

    name: str
    of: str
    title: str = ""
    nicknames: str = ""
    summary: str = ""
    text: str = ""


#: Properties of a norm, or of a version of it, whose values are words of the norm.
_OF_NORMS = {iri(VIG["epigrafe"]): "title", iri(VIG["apelido"]): "nicknames", iri(VIG["ementa"]): "summary"}
#: Properties of the text of a version whose values are words of that text.
_OF_TEXTS = {
    iri(VIG["rotulo"]): "title",
    iri(VIG["nomeAgrupador"]): "title",
    iri(CRM["P190_has_symbolic_content"]): "text",
}
_OWNS = frozenset({iri(FRBROO["R10_has_member"]), iri(FRBROO["R3_is_realised_in"])})
_NAMES = "urn:lex:"


def wordings_of(statements: Iterable[Statement]) -> Iterator[Worded]:
    """The words of each norm and of each text, of all its languages together, in order; without unseen marks in them.

    Args:
        statements: of the record, each as three written terms, in order.
    """
    owners: dict[str, str] = {}
    said: list[tuple[str, bool, str, str]] = []
    for subject, predicate, term in statements:
        if predicate in _OWNS:
            owners[term[1:-1]] = subject[1:-1]
        elif term[0] != '"':  # no words, wherever it stands: what is wrong in a graph, checks tell
            continue
        elif predicate in _OF_NORMS:
            said.append((subject[1:-1], False, _OF_NORMS[predicate], _text(term)))
        elif predicate in _OF_TEXTS:
            said.append((subject[1:-1], True, _OF_TEXTS[predicate], _text(term)))
    found: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for node, is_text, place, text in said:
        name = node
        while (owner := owners.get(name, "")).startswith(_NAMES):  # the issues of a gazette have a series above them
            name = owner
        found.setdefault((name, node if is_text else name), {}).setdefault(place, {})[text] = None
    for (name, of), places in sorted(found.items(), key=lambda item: item[0][1]):
        yield Worded(name, of, **{place: "\n".join(words) for place, words in places.items()})


def _text(term: str) -> str:
    """The characters of a literal that are seen."""
    quoted = term[: term.rindex('"') + 1]
    return unmarked(str(json.loads(quoted, strict=False)) if "\\" in quoted else quoted[1:-1])


#: Country, states, towns and what is below.
DEPTHS = 3
#: Longest of what is kept of one, in characters; of a nickname, at how many of its words one may begin to write it.
_LONGEST, _ROTATED = 100, 6
#: Between thousands; the last ones may not be written yet.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9])|[0-9]{1,2}\Z)", re.ASCII)
#: Words before a number that carry no meaning.
_NUMBER_SIGNS = frozenset({"n", "nr", "num", "numero"})
#: The IRI of a norm, and not of a version or provision of one.
NORM = re.compile("urn:lex:[^@!~$]+")


#: How a norm may be written: its depth, the plain words, its IRI, and the nickname that they are, or an empty text.
#: There are several for each, and a plain tuple goes from one process to another in a small part of the time.
Beginning: TypeAlias = tuple[int, str, str, str]


def said_plainly(text: str) -> str:
    """The words of a text as beginnings are kept: folded, numbers without dots, no connectives, no sign of numbers.

    >>> said_plainly("Lei nº 8.078, de 11 de setembro de 1990"), said_plainly("Código de Def")
    ('lei 8078 11 setembro 1990', 'codigo def')
    """
    plain = _THOUSANDS.sub("", folded(text))
    return " ".join(word for word in words(plain) if word not in _NUMBER_SIGNS)


def rotated(said: str) -> Iterator[str]:
    """A text, and what begins at one of its later words.

    >>> list(rotated("codigo defesa consumidor"))
    ['codigo defesa consumidor', 'defesa consumidor', 'consumidor']
    """
    pieces = said.split()
    for at in range(min(len(pieces), _ROTATED)):
        yield " ".join(pieces[at:])


def beginnings_of(names: Mapping[str, Name], worded: Sequence[Worded]) -> Iterator[Beginning]:
    """How the norms that a record speaks of may be written.

    Args:
        names: norms, not provisions, by their IRIs.
        worded: the words that the record has for them and others.
    """
    titled = {one.name for one in worded if one.title}
    for work, name in names.items():
        depth = _depth(name)
        yield from ((depth, said, work, "") for said in _numbered(name))
        if work not in titled and (said := said_plainly(label(name))[:_LONGEST]):
            yield depth, said, work, ""
    for one in worded:
        if not (one.title or one.nicknames) or NORM.fullmatch(one.name) is None:
            continue
        depth = _depth(names.get(one.name) or parse(from_iri(one.name)))
        for title in one.title.split("\n"):
            if said := said_plainly(title[:_LONGEST]):
                yield depth, said, one.name, ""
        for nickname in one.nicknames.split("\n"):
            for said in rotated(said_plainly(nickname[:_LONGEST])):
                yield depth, said, one.name, nickname[:_LONGEST]


def _depth(name: Name) -> int:
    return min(len(name.local.detalhe), DEPTHS - 1)


def _numbered(name: Name) -> Iterator[str]:
    """By number and year, with and without the type, and the subtype in its place."""
    year = name.representative_year
    for number in name.descritor.identificadores:
        pieces = (number,) if number.isdecimal() else words(number)
        numbered = " ".join((*pieces, f"{year:04d}" if year is not None else "")).rstrip()[:_LONGEST]
        yield numbered
        for kind in dict.fromkeys((name.tipo_documento[0], name.tipo_documento[-1])):
            yield f"{kind.replace('.', ' ')} {numbered}"


#: A lookup key of a work, the IRI of the work, and whether the key is a nickname, and not what the name says. There are
#: many of them, and a plain tuple goes from one process to another in a small part of the time.
Keyed: TypeAlias = tuple[str, str, bool]


def keyed_of(names: Mapping[str, Name], worded: Iterable[Worded]) -> Iterator[Keyed]:
    """The keys of the works that a record speaks of.

    Args:
        names: works, not provisions, by their IRIs.
        worded: the words that the record has for them and others.
    """
    for work, name in names.items():
        for key in keys_of(name):
            yield key, work, False
    for one in worded:
        if one.nicknames and NORM.fullmatch(one.name) is not None:
            for nickname in one.nicknames.split("\n"):
                yield nickname_key(nickname), one.name, True


#: What stands in a summary where a record speaks of the name, and nowhere else: within strings a quotation mark is
#: escaped.
SPOKEN_OF = f'"{Key.SPOKEN_OF}":1'


#: The IRI of the text of a norm's version whose parts are told, and whether they are all of it: else they are those
#: that a history has.
Edition: TypeAlias = tuple[str, bool]
_WHOLE, _COMPOSED = iri(VIG["textoCompleto"]), iri(VIG["textoComposto"])


def editions_of(statements: Iterable[Statement]) -> Iterator[Edition]:
    """Yield the texts of norms' versions whose parts a record has, in order.

    Args:
        statements: of the record, each as three written terms, in order.
    """
    found: dict[str, bool] = {}
    for subject, predicate, _ in statements:
        if predicate in (_WHOLE, _COMPOSED):
            found[subject[1:-1]] = predicate == _WHOLE or found.get(subject[1:-1], False)
    yield from found.items()


class Said(NamedTuple):
    """What a record says of names.

    Attributes:
        summaries: by the IRI of the name.
        words: to find names by.
        beginnings: to find norms by, for who has not written all of it yet.
        keys: to find works by, for who says less than their name.
        editions: texts of norms' versions whose parts it has.
    """

    summaries: Sequence[tuple[str, str]] = ()
    words: Sequence[Worded] = ()
    beginnings: Sequence[Beginning] = ()
    keys: Sequence[Keyed] = ()
    editions: Sequence[Edition] = ()


def said_of(record: str, statements: Iterable[Statement]) -> Said:
    """What a record says of names.

    Args:
        record: its IRI.
        statements: its triples as written terms.
    """
    ordered = sorted(statements)
    words = tuple(wordings_of(ordered))
    return said_again(tuple(summaries_of(record, ordered)), words, tuple(editions_of(ordered)))


def said_again(summaries: Sequence[tuple[str, str]], words: Sequence[Worded], editions: Sequence[Edition] = ()) -> Said:
    """What a record says of names: keys, and how names begin, follow from its summaries and words."""
    spoken = (name for name, packed in summaries if "!" not in name and SPOKEN_OF in packed)
    norms = {name: parse(from_iri(name)) for name in spoken}
    return Said(summaries, words, tuple(beginnings_of(norms, words)), tuple(keyed_of(norms, words)), editions)
