"""What the terms of our ontology and its events are called, in the languages of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import pyoxigraph as ox

from ontology.namespaces import RDFS, SKOS
from service.web.pages.language import Language

__all__ = ["labelled"]

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
