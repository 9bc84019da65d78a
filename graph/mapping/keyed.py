"""By which lookup keys the works that a record speaks of are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from graph.lookup import keys_of, nickname_key
from graph.mapping.beginnings import NORM
from graph.mapping.wordings import Worded
from graph.urn import Name

#: A lookup key of a work, the IRI of the work, and whether the key is a nickname, and not what the name says. There are
#: many of them, and a plain tuple goes from one process to another in a small part of the time.
Keyed: TypeAlias = tuple[str, str, bool]


def keyed_of(names: Mapping[str, Name], worded: Iterable[Worded]) -> Iterator[Keyed]:
    """The keys of the works that a record speaks of.

    Args:
        names: works, not provisions, by their IRIs.
        worded: the words that the record has for them and others.
    """
    for iri, name in names.items():
        for key in keys_of(name):
            yield key, iri, False
    for one in worded:
        if one.nicknames and NORM.fullmatch(one.name) is not None:
            for nickname in one.nicknames.split("\n"):
                yield nickname_key(nickname), one.name, True
