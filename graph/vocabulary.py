"""The controlled vocabularies of LexML (part 6): the values in names, found by their spelling or by their label.

The built-in values are in SKOS in ``ontology/vocabularios.ttl`` and ``ontology/eventos.ttl``; a store may have more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

import pyoxigraph as ox

from graph.wording.folding import words
from ontology.iris import VOCAB
from ontology.namespaces import FRBROO, RDFS, SKOS

#: The superclasses of FRBRoo by which queries find all works, expressions and containers.
_WALKED = frozenset({FRBROO["F1_Work"], FRBROO["F2_Expression"], FRBROO["F16_Container_Work"]})
#: Files of ``ontology`` with the built-in values.
BUILT_IN_FILES = ("vocabularios.ttl", "eventos.ttl")


class Scheme(StrEnum):
    """The six vocabularies; each value is the segment of its IRIs."""

    LOCALIDADE = "localidade"
    AUTORIDADE = "autoridade"
    TIPO_DOCUMENTO = "tipoDocumento"
    TIPO_CONTEUDO = "tipoConteudo"
    LINGUA = "lingua"
    EVENTO = "evento"


@dataclass(frozen=True, slots=True)
class Concept:
    """A value of a vocabulary.

    Attributes:
        scheme: its vocabulary.
        notation: its spelling in names, e.g. ``br;sao.paulo``.
        label: its preferred label in Portuguese, as the source has it; labels are not corrected.
        label_en: its preferred label in English; None if no source states one.
        alternative: other labels, abbreviations and acronyms.
        broader: the notation of its broader value; None for a top value.
    """

    scheme: Scheme
    notation: str
    label: str
    label_en: str | None = None
    alternative: tuple[str, ...] = ()
    broader: str | None = None


class Vocabulary:
    """A set of values, found by notation and by label.

    Args:
        concepts: the values; equal values are kept once.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._by_notation: dict[tuple[Scheme, str], list[Concept]] = {}
        for concept in concepts:
            known = self._by_notation.setdefault((concept.scheme, concept.notation), [])
            if concept not in known:
                known.append(concept)
        self._by_words: dict[tuple[Scheme, str], list[Concept]] = {}
        for known in self._by_notation.values():
            for concept in known:
                for key in dict.fromkeys(_keys(concept)):
                    self._by_words.setdefault((concept.scheme, key), []).append(concept)

    def __len__(self) -> int:
        return sum(map(len, self._by_notation.values()))

    def concepts(self, scheme: Scheme) -> Iterator[Concept]:
        """Yield the values of one vocabulary, in the order in which they were given."""
        for (of, _), known in self._by_notation.items():
            if of is scheme:
                yield from known

    def concept(self, scheme: Scheme, notation: str) -> Concept | None:
        """Return the value with a notation, None if there is none; the first if official lists have several.

        >>> found = built_in().concept(Scheme.LOCALIDADE, "br;sao.paulo")
        >>> found.label if found else None
        'São Paulo'
        """
        known = self._by_notation.get((scheme, notation))
        return known[0] if known else None

    def named(self, scheme: Scheme, text: str) -> tuple[Concept, ...]:
        """Return the values with a label, acronym or notation; case, accents and separators do not matter.

        >>> [concept.notation for concept in built_in().named(Scheme.AUTORIDADE, "stf")]
        ['supremo.tribunal.federal']
        """
        return tuple(self._by_words.get((scheme, " ".join(words(text))), ()))

    def one(self, scheme: Scheme, text: str) -> Concept | None:
        """Return the value that a text names, or the most general of several; None if there is none or no single one.

        >>> found = built_in().one(Scheme.TIPO_DOCUMENTO, "Lei Ordinária")
        >>> found.notation if found else None
        'lei'
        """
        concepts = {concept.notation: concept for concept in reversed(self.named(scheme, text))}
        level = min((notation.count(";") for notation in concepts), default=0)
        general = [concept for notation, concept in concepts.items() if notation.count(";") == level]
        return general[0] if len(general) == 1 else None

    def type_of(self, place: str, authority: str, kind: str) -> Concept | None:
        """Return the document type of a name, None if there is none, in the order of LexML's lookup.

        The type alone is looked up first, then ``place:authority:type;subtype``, then the same with only the first part
        of the authority, and finally the main type without its subtype.

        Args:
            place: country and places, e.g. ``br``.
            authority: the subjects as a name writes them.
            kind: type and subtype as a name writes them, e.g. ``projeto.lei;pls``.
        """
        main = kind.partition(";")[0]
        root = authority.partition(";")[0]
        for notation in (kind, f"{place}:{authority}:{kind}", f"{place}:{root}:{kind}", main):
            concept = self.concept(Scheme.TIPO_DOCUMENTO, notation)
            if concept is not None:
                return concept
        return None

    def merged(self, concepts: Iterable[Concept]) -> Vocabulary:
        """Return this vocabulary with more values. Existing values come first, so that their labels are used."""
        own = [concept for known in self._by_notation.values() for concept in known]
        return Vocabulary([*own, *concepts])


def _keys(concept: Concept) -> Iterator[str]:
    """Yield the keys of a value: its labels and its notation in folded words; of a place also its last part."""
    for text in (concept.label, concept.label_en or "", *concept.alternative):
        if text:
            yield " ".join(words(text))
    if concept.scheme is Scheme.LOCALIDADE:
        yield " ".join(words(concept.label.partition(" - ")[0]))
        yield " ".join(words(concept.notation.rpartition(";")[2]))
    yield " ".join(words(concept.notation))


_PREF_LABEL: str = SKOS["prefLabel"]
_ALT_LABEL: str = SKOS["altLabel"]
_NOTATION: str = SKOS["notation"]
_BROADER: str = SKOS["broader"]


@cache
def built_in() -> Vocabulary:
    """Return the built-in values: the basic ones of LexML part 6, and others that citations use."""
    return Vocabulary(concept for name in BUILT_IN_FILES for concept in _read(name))


@cache
def superclasses() -> tuple[tuple[str, str], ...]:
    """Return the pairs of a class of FRBRoo and its superclass that every store has, as IRIs: those with which a query
    finds all works, all expressions and all containers.

    >>> (FRBROO["F14_Individual_Work"], FRBROO["F1_Work"]) in superclasses()
    True
    """
    text = files("ontology").joinpath("vigente.ttl").read_bytes()
    stated = (
        (quad.subject.value, quad.object.value)
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE)
        if quad.predicate.value == RDFS["subClassOf"]
        and isinstance(quad.subject, ox.NamedNode)
        and isinstance(quad.object, ox.NamedNode)
    )
    return tuple(pair for pair in stated if pair[1] in _WALKED)


def _read(name: str) -> Iterator[Concept]:
    """Yield the concepts of a Turtle file of ``ontology``, in its order."""
    text = files("ontology").joinpath(name).read_bytes()
    concepts: dict[str, Concept] = {}
    for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
        if not isinstance(quad.subject, ox.NamedNode) or not quad.subject.value.startswith(VOCAB):
            continue
        segment, slash, _ = quad.subject.value.removeprefix(VOCAB).partition("/")
        if not slash or "#" in segment:
            continue
        subject = quad.subject.value
        concept = concepts.setdefault(subject, Concept(Scheme(segment), "", ""))
        concepts[subject] = _with_triple(concept, quad.predicate.value, quad.object)
    notations = {iri: concept.notation for iri, concept in concepts.items()}
    for concept in concepts.values():
        if concept.broader is not None:
            yield replace(concept, broader=notations[concept.broader])
        else:
            yield concept


def _with_triple(
    concept: Concept, predicate: str, term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
) -> Concept:
    """Return the concept with the content of one triple added."""
    if isinstance(term, ox.Literal):
        if predicate == _NOTATION:
            return replace(concept, notation=term.value)
        if predicate == _PREF_LABEL:
            return (
                replace(concept, label_en=term.value) if term.language == "en" else replace(concept, label=term.value)
            )
        if predicate == _ALT_LABEL:
            return replace(concept, alternative=(*concept.alternative, term.value))
    if predicate == _BROADER and isinstance(term, ox.NamedNode):
        return replace(concept, broader=term.value)
    return concept
