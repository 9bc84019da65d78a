"""The articles that a text of a norm lacks between its first and its last one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from graph.store import Store
from graph.urn import Name, to_iri
from queries.evidence import lifecycle_events, records
from queries.notices import ArticleGap

if TYPE_CHECKING:
    from queries.text.answers import ProvisionText

#: Matches an article outside annexes, without those inserted after it, at the beginning of an identifier.
ARTICLE = re.compile(r"art([0-9]+)u?(?=_|$)", re.ASCII)


def missing_articles(store: Store, provisions: Iterable[ProvisionText], norm: Name) -> tuple[ArticleGap, ...]:
    """Return the articles that a text lacks from the first to its last. Two successive ones are two gaps.

    A text may lack an article that a source describes, or on which an act acted: it may have ended.

    Args:
        provisions: those of the text.
        norm: the norm, without version.
    """
    start = len(norm.canonical) + 1
    found = (ARTICLE.match(provision.name, start) for provision in provisions)
    numbers = {int(match[1]) for match in found if match is not None}
    missing = [number for number in range(1, max(numbers, default=0)) if number not in numbers]
    return tuple(_gaps(number for number in missing if not _is_spoken_of(store, norm, number)))


def _is_spoken_of(store: Store, norm: Name, number: int) -> bool:
    article = to_iri(f"{norm.canonical}!art{number}")
    return any(records(store, iri) or any(lifecycle_events(store, iri)) for iri in (article, f"{article}_cpt"))


def _gaps(numbers: Iterable[int]) -> Iterator[ArticleGap]:
    for _, group in groupby(enumerate(numbers), lambda counted: counted[1] - counted[0]):
        run = [number for _, number in group]
        if len(run) == 2:
            yield from (ArticleGap(number, number) for number in run)
        else:
            yield ArticleGap(run[0], run[-1])
