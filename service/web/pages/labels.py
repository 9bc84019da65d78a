"""What the terms of our ontology and its events are called, in the languages of the pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import pyoxigraph as ox

from ontology.events import EVENTS, event_iri
from ontology.namespaces import RDFS, SKOS
from service.web.pages.language import Language

__all__ = ["in_words", "labelled"]

#: An event by its notation in a sentence of a query, and not within a name.
_NOTATION = re.compile(
    rf"(?<![^\s(])(?:{'|'.join(sorted(map(re.escape, EVENTS), key=len, reverse=True))})(?![^\s,;:)])"
)

_FILES = ("vigente.ttl", "eventos.ttl")
_LABELS = frozenset({RDFS["label"], SKOS["prefLabel"]})


def labelled(iri: str, language: Language) -> str | None:
    """What a term or an event is called; None where the ontology does not have it.

    >>> labelled("https://w3id.org/vigente/vocab/evento/retificacao", Language.ENGLISH)
    'Rectification'
    """
    return _labels().get(iri, {}).get(language.value.lower())


@cache
def _labels() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in _FILES:
        text = files("ontology").joinpath(name).read_bytes()
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
            node, said = quad.subject, quad.object
            if quad.predicate.value in _LABELS and isinstance(node, ox.NamedNode) and isinstance(said, ox.Literal):
                found.setdefault(node.value, {})[(said.language or "").lower()] = said.value
    return MappingProxyType(found)


def in_words(message: str, language: Language) -> str:
    """A sentence of a query with its events in words; what a name has of them stays."""
    return _NOTATION.sub(lambda found: (labelled(event_iri(found[0]), language) or found[0]).lower(), message)
