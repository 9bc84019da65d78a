"""Words of the vocabularies that are spelled nearly as a word that none of them has."""

from __future__ import annotations

from difflib import get_close_matches

from graph.vocabulary import Scheme, Vocabulary
from graph.wording.folding import words

_MOST = 3
#: Longest text that is compared, in characters.
_LONGEST = 60


def near(text: str, vocabulary: Vocabulary, scheme: Scheme) -> list[str]:
    """Labels of values that are spelled nearly like a text, nearest first.

    >>> from graph.vocabulary import built_in
    >>> near("decretos", built_in(), Scheme.TIPO_DOCUMENTO)[0]
    'Decreto'
    """
    labels = {" ".join(words(concept.label)): concept.label for concept in vocabulary.concepts(scheme)}
    found = get_close_matches(" ".join(words(text))[:_LONGEST], list(labels), _MOST, 0.7)
    return [labels[one] for one in found]
