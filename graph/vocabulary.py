"""The controlled vocabularies of LexML (part 6): the words of names, with their labels, both ways.

The built-in values lie as SKOS in ``ontology/vocabularios.ttl`` and ``ontology/eventos.ttl``; a store may hold more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

import pyoxigraph as ox

from graph.urn import Name
from graph.wording.folding import words
from ontology.iris import VOCAB
from ontology.namespaces import SKOS

#: Files of ``ontology`` that hold the built-in values.
BUILT_IN_FILES = ("vocabularios.ttl", "eventos.ttl")


class Scheme(StrEnum):
    """The six vocabularies, each under the segment that its IRIs have."""

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
        scheme: the vocabulary that it is of.
        notation: its spelling in names, e.g. ``br;sao.paulo``.
        label: its preferred label in Portuguese, as the source has it; labels are not corrected.
        label_en: its preferred label in English; None where no source gives one.
        alternative: other labels, abbreviations and acronyms.
        broader: notation of the value that it lies in; None for a top value.
    """

    scheme: Scheme
    notation: str
    label: str
    label_en: str | None = None
    alternative: tuple[str, ...] = ()
    broader: str | None = None


class Vocabulary:
    """All values that are known, found by notation and by what people call them."""

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
        """All values of one vocabulary, in the order in which they were read."""
        for (of, _), known in self._by_notation.items():
            if of is scheme:
                yield from known

    def concept(self, scheme: Scheme, notation: str) -> Concept | None:
        """The value with a notation; of several with one notation, which the official lists have, the first.

        >>> found = built_in().concept(Scheme.LOCALIDADE, "br;sao.paulo")
        >>> found.label if found else None
        'São Paulo'
        """
        known = self._by_notation.get((scheme, notation))
        return known[0] if known else None

    def named(self, scheme: Scheme, text: str) -> tuple[Concept, ...]:
        """The values that a text names by label, abbreviation, acronym or notation, however it is spelled.

        >>> [concept.notation for concept in built_in().named(Scheme.AUTORIDADE, "stf")]
        ['supremo.tribunal.federal']
        """
        return tuple(self._by_words.get((scheme, " ".join(words(text))), ()))

    def one(self, scheme: Scheme, text: str) -> Concept | None:
        """The one value that a text names; of values at several levels the most general; None where it is not one.

        >>> found = built_in().one(Scheme.TIPO_DOCUMENTO, "Lei Ordinária")
        >>> found.notation if found else None
        'lei'
        """
        found = {concept.notation: concept for concept in reversed(self.named(scheme, text))}
        level = min((notation.count(";") for notation in found), default=0)
        general = [concept for notation, concept in found.items() if notation.count(";") == level]
        return general[0] if len(general) == 1 else None

    def type_of(self, place: str, authority: str, kind: str) -> Concept | None:
        """The document type of a name, in the order of LexML's own lookup.

        First the type alone, then ``place:authority:type;subtype``, then the same with the authority cut at its first
        ``;``; at last the main type without its subtype.

        Args:
            place: country and places, e.g. ``br``.
            authority: the subjects as a name writes them.
            kind: type and subtype as a name writes them, e.g. ``projeto.lei;pls``.
        """
        main = kind.partition(";")[0]
        root = authority.partition(";")[0]
        for notation in (kind, f"{place}:{authority}:{kind}", f"{place}:{root}:{kind}", main):
            found = self.concept(Scheme.TIPO_DOCUMENTO, notation)
            if found is not None:
                return found
        return None

    def type_of_name(self, name: Name) -> Concept | None:
        """The document type of a name; see :meth:`type_of`."""
        place = ";".join((name.local.pais, *name.local.detalhe))
        return self.type_of(place, ",".join(map(";".join, name.autoridade)), ";".join(name.tipo_documento))

    def merged(self, concepts: Iterable[Concept]) -> Vocabulary:
        """This vocabulary with more values; what is known already comes first, so its labels stay."""
        own = [concept for known in self._by_notation.values() for concept in known]
        return Vocabulary([*own, *concepts])


def _keys(concept: Concept) -> Iterator[str]:
    """What a value is called, as keys of words: its labels and its notation, a place also by its last part."""
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
    """The values that come with the project: the basic ones of part 6 and those of everyday citations."""
    return Vocabulary(concept for name in BUILT_IN_FILES for concept in _read(name))


def _read(name: str) -> Iterator[Concept]:
    """The concepts of a Turtle file of ``ontology``, in its order."""
    text = files("ontology").joinpath(name).read_bytes()
    found: dict[str, Concept] = {}
    for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
        if not isinstance(quad.subject, ox.NamedNode) or not quad.subject.value.startswith(VOCAB):
            continue
        segment, slash, _ = quad.subject.value.removeprefix(VOCAB).partition("/")
        if not slash or "#" in segment:
            continue
        subject = quad.subject.value
        concept = found.setdefault(subject, Concept(Scheme(segment), "", ""))
        found[subject] = _with(concept, quad.predicate.value, quad.object)
    notations = {iri: concept.notation for iri, concept in found.items()}
    for concept in found.values():
        if concept.broader is not None:
            yield replace(concept, broader=notations[concept.broader])
        else:
            yield concept


def _with(concept: Concept, predicate: str, term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Concept:
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
