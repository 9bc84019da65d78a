"""Provisions that no source has: whether the text of their norm lacks them, and the nearest article in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graph.store import Store
from graph.time.kinds import Axis
from graph.urn import Name, parse
from graph.wording.provisions import natural_order_key
from queries.answers import InForce
from queries.evidence import records
from queries.notices import Notice, ProvisionUnknown, any_of
from queries.provisions import article_of

if TYPE_CHECKING:
    from queries.text.answers import ProvisionText, TextAnswer


def nearest_article(provisions: Iterable[ProvisionText], wanted: Name) -> Name | None:
    """Return the article with the nearest number in a text; None where it has no article.

    Args:
        provisions: those of the text.
        wanted: the provision, without version.
    """
    articles = sorted(
        dict.fromkeys(filter(None, (article_of(provision.name) for provision in provisions))), key=natural_order_key
    )
    index = bisect_left([natural_order_key(article) for article in articles], natural_order_key(wanted.canonical))
    return parse(articles[min(index, len(articles) - 1)]) if articles else None


#: Matches the identifier of an article outside annexes, without those inserted after it.
_ARTICLE = re.compile(r"art([0-9]+|1u)", re.ASCII)


def is_whole(store: Store, provisions: Sequence[ProvisionText], norm: Name) -> bool:
    """Return whether a text of a norm has all its articles from the first to its last, and omits no provision.

    The dotted lines of a quoted amendment are words of the law itself. A text may lack an article that a source
    describes: it may have ended.

    Args:
        store: an opened store.
        provisions: those of the text.
        norm: the norm, without version.
    """
    start = f"{norm.canonical}!"
    articles = {(article_of(provision.name) or "").removeprefix(start) for provision in provisions}
    numbers = {match[1] for match in map(_ARTICLE.fullmatch, articles) if match is not None}
    if numbers.isdisjoint(("1", "1u")):
        return False
    if any(provision.omitted and "_alt" not in provision.name for provision in provisions):
        return False
    counted = {int(number) for number in numbers if number.isdecimal()}
    missing = set(range(1, max(counted, default=0))) - counted
    return all(records(store, parse(f"{start}art{number}").iri) for number in missing)


def located(store: Store, answer: InForce) -> InForce:
    """Return an answer with the nearest article in its notice ``provision-unknown``; other answers unchanged.

    Args:
        store: an opened store.
        answer: the answer for D and K.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if not any_of(answer.notices, ProvisionUnknown):
        return answer
    return replace(
        answer, notices=_located(store, answer.notices, answer.name, _text_of_norm(store, answer, answer.axis))
    )


def located_text(store: Store, answer: TextAnswer) -> TextAnswer:
    """Return a text with the nearest article in its notice ``provision-unknown``; other answers unchanged."""
    if not any_of(answer.notices, ProvisionUnknown) or answer.on is None:
        return answer
    return replace(answer, notices=_located(store, answer.notices, answer.name, _text_of_norm(store, answer, None)))


def _text_of_norm(store: Store, answer: InForce | TextAnswer, axis: Axis | None) -> TextAnswer:
    from queries.text.text import text  # noqa: PLC0415 - slow to import; few answers need the text of their norm

    return text(store, parse(answer.name).work, answer.on, answer.as_known, axis)


def _located(store: Store, notices: Iterable[Notice], name: str, norm_text: TextAnswer) -> tuple[Notice, ...]:
    target = parse(name)
    nearest = nearest_article(norm_text.provisions, target)
    day = norm_text.on if nearest is not None and is_whole(store, norm_text.provisions, target.work) else None
    near = nearest.canonical if nearest is not None else None
    return tuple(
        replace(notice, day=day, nearest=near) if isinstance(notice, ProvisionUnknown) else notice for notice in notices
    )
