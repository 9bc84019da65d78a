"""What a record says of names, in the shapes in which the index of names keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graph.mapping.beginnings import Beginning, beginnings_of
from graph.mapping.keyed import Keyed, keyed_of
from graph.mapping.summaries import summaries_of
from graph.mapping.wordings import Worded, wordings_of
from graph.summaries import Key
from graph.terms import Statement
from graph.urn import from_iri, parse

#: What stands in a summary where a record speaks of the name, and nowhere else: within strings a quotation mark is
#: escaped.
SPOKEN_OF = f'"{Key.SPOKEN_OF}":1'


class Said(NamedTuple):
    """What a record says of names.

    Attributes:
        summaries: by the IRI of the name.
        words: to find names by.
        beginnings: to find norms by, for who has not written all of it yet.
        keys: to find works by, for who says less than their name.
    """

    summaries: Sequence[tuple[str, str]] = ()
    words: Sequence[Worded] = ()
    beginnings: Sequence[Beginning] = ()
    keys: Sequence[Keyed] = ()


def said_of(record: str, statements: Iterable[Statement]) -> Said:
    """What a record says of names.

    Args:
        record: its IRI.
        statements: its triples as written terms.
    """
    ordered = sorted(statements)
    return said_again(tuple(summaries_of(record, ordered)), tuple(wordings_of(ordered)))


def said_again(summaries: Sequence[tuple[str, str]], words: Sequence[Worded]) -> Said:
    """What a record says of names, from its summaries and words: keys, and how names begin, follow from these."""
    spoken = (name for name, packed in summaries if "!" not in name and SPOKEN_OF in packed)
    norms = {name: parse(from_iri(name)) for name in spoken}
    return Said(summaries, words, tuple(beginnings_of(norms, words)), tuple(keyed_of(norms, words)))
