"""The vocabularies of a store: the built-in values, and those that were loaded."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from graph.store import Store
from graph.terms import Text
from graph.vocabulary import Concept, Scheme, Vocabulary, built_in
from ontology.iris import VOCAB
from ontology.namespaces import SKOS
from queries.catalogue import named

_KNOWN: WeakKeyDictionary[Store, Vocabulary] = WeakKeyDictionary()


def vocabulary(store: Store) -> Vocabulary:
    """Return the built-in vocabularies with the values of a store; they are read once for each opened store.

    A value that is also built in keeps the built-in label, and is found by both labels.
    """
    base_store = store.base
    known = _KNOWN.get(base_store)
    if known is None:
        known = _KNOWN[base_store] = built_in().merged(_loaded(base_store))
    return known


_Key = tuple[str, str]


def _loaded(store: Store) -> list[Concept]:
    """Return the loaded values that differ from the built-in ones, by notation."""
    preferred: dict[_Key, list[str]] = {}
    alternative: dict[_Key, list[str]] = {}
    for row in named("vocabulary_labels").rows(store):
        label = row["rotulo"]
        if not isinstance(label, Text) or label.language == "en":
            continue
        key = str(row["conceito"])[len(VOCAB) :].partition("/")[0], str(row["notacao"])
        of = preferred if row["propriedade"] == SKOS["prefLabel"] else alternative
        of.setdefault(key, []).append(label.value)
    return [
        Concept(Scheme(scheme), notation, label, alternative=others)
        for (scheme, notation), labels in sorted(preferred.items())
        if scheme in set(Scheme)
        for others in [tuple(sorted(alternative.get((scheme, notation), ())))]
        for label in sorted(labels)
        if not _is_built_in(Scheme(scheme), notation, label, others)
    ]


def _is_built_in(scheme: Scheme, notation: str, label: str, others: tuple[str, ...]) -> bool:
    known = built_in().concept(scheme, notation)
    return known is not None and known.label == label and set(others) <= set(known.alternative)
