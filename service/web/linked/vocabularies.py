"""The vocabularies as SKOS: what comes with the project, and what the store holds besides."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import pyoxigraph as ox

from graph.store import Store
from graph.store.embedded import telling_damage
from graph.vocabulary import BUILT_IN_FILES, Scheme
from ontology.iris import VOCAB, vocab_iri
from ontology.namespaces import RDF, SKOS
from service.web.linked.statements import iri

_IN_SCHEME = iri(SKOS["inScheme"])


def all_schemes(store: Store) -> list[ox.Triple]:
    """The vocabularies themselves, without their values."""
    return [triple for each in Scheme for triple in _about(store, iri(VOCAB + each))]


def scheme(store: Store, name: str) -> list[ox.Triple]:
    """A vocabulary with all its values and groups; empty where there is none of that name.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    if name not in set(Scheme):
        return []
    whole = iri(VOCAB + name)
    members = {triple.subject for triple in _built_in() if triple.predicate == _IN_SCHEME and triple.object == whole}
    with telling_damage():
        members.update(quad.subject for quad in store.engine.quads_for_pattern(None, _IN_SCHEME, whole, None))
    named = [member for member in members if isinstance(member, ox.NamedNode)]
    return [triple for subject in (whole, *named) for triple in _about(store, subject)]


def concept(store: Store, of: str, notation: str) -> list[ox.Triple]:
    """A value of a vocabulary; empty where nobody knows it.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    try:
        found = _about(store, iri(vocab_iri(of, notation)))
    except ValueError:  # no text that an IRI could hold
        return []
    kinds = {triple.object for triple in found if triple.predicate == iri(RDF["type"])}
    return found if iri(SKOS["Concept"]) in kinds else []


def _about(store: Store, subject: ox.NamedNode) -> list[ox.Triple]:
    """What the project and the store say of a subject."""
    with telling_damage():
        held = {quad.triple for quad in store.engine.quads_for_pattern(subject, None, None, None)}
    return [*_by_subject().get(subject, ()), *held]


@cache
def _built_in() -> tuple[ox.Triple, ...]:
    texts = (files("ontology").joinpath(name).read_bytes() for name in BUILT_IN_FILES)
    return tuple(quad.triple for text in texts for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


@cache
def _by_subject() -> dict[ox.NamedNode, list[ox.Triple]]:
    found: dict[ox.NamedNode, list[ox.Triple]] = {}
    for triple in _built_in():
        if isinstance(triple.subject, ox.NamedNode):
            found.setdefault(triple.subject, []).append(triple)
    return found
