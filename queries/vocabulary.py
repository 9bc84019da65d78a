"""The vocabularies of a store: the built-in values, and those that were loaded."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from graph.entities import Text
from graph.store import Store
from graph.vocabulary import Concept, Scheme, Vocabulary, built_in
from ontology.iris import VOCAB
from ontology.namespaces import SKOS
from queries.catalogue import named

__all__ = ["vocabulary"]

_KNOWN: WeakKeyDictionary[Store, Vocabulary] = WeakKeyDictionary()


def vocabulary(store: Store) -> Vocabulary:
    """The built-in vocabularies with what the store holds; read once for an opened store, which is a snapshot.

    A value that the store names as the built-in ones do keeps the built-in label, and is found by both.

    Raises:
        StoreProblem: the store cannot be read.
    """
    known = _KNOWN.get(store)
    if known is None:
        known = _KNOWN[store] = built_in().merged(_loaded(store))
    return known


def _loaded(store: Store) -> list[Concept]:
    """The values that the store holds and that are not built in as they are, by notation."""
    preferred: dict[tuple[str, str], list[str]] = {}
    alternative: dict[tuple[str, str], list[str]] = {}
    for row in named("vocabulary_labels").rows(store):
        label = row["rotulo"]
        if not isinstance(label, Text) or label.language == "en":
            continue
        key = str(row["conceito"])[len(VOCAB) :].partition("/")[0], str(row["notacao"])
        labels = preferred if row["propriedade"] == SKOS["prefLabel"] else alternative
        labels.setdefault(key, []).append(label.value)
    schemes = {scheme.value: scheme for scheme in Scheme}
    found: list[Concept] = []
    for (scheme, notation), labels in sorted(preferred.items()):
        if scheme not in schemes:
            continue
        others = tuple(sorted(alternative.get((scheme, notation), ())))
        known = built_in().concept(schemes[scheme], notation)
        for label in sorted(labels):
            if known is None or known.label != label or not set(others) <= set(known.alternative):
                found.append(Concept(schemes[scheme], notation, label, alternative=others))
    return found
