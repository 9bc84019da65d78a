"""By which lookup keys the works that a record speaks of are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graph.lookup import keys_of, nickname_key
from graph.mapping.beginnings import NORM
from graph.mapping.wordings import Worded
from graph.urn import from_iri, parse

__all__ = ["Keyed", "keyed_of"]


class Keyed(NamedTuple):
    """A lookup key of a work, by its IRI; ``called`` where that is a nickname, and not what its name says."""

    key: str
    name: str
    called: bool = False


def keyed_of(names: Iterable[str], worded: Iterable[Worded]) -> Iterator[Keyed]:
    """The keys of the works that a record speaks of.

    Args:
        names: IRIs of works, not of provisions.
        worded: the words that the record has for them and others.
    """
    for name in names:
        for key in keys_of(parse(from_iri(name))):
            yield Keyed(key, name)
    for one in worded:
        if one.nicknames and NORM.fullmatch(one.name) is not None:
            for nickname in one.nicknames.split("\n"):
                yield Keyed(nickname_key(nickname), one.name, called=True)
