"""Causes that no source states: a version and the norm that made it, put together by their days (queries/causes.py)."""

from __future__ import annotations

from collections.abc import Callable

from graph.store import Store
from graph.urn import from_iri, parse
from queries.answers import Reason

__all__ = ["inferred", "stated_of"]


def inferred(store: Store) -> Callable[[Reason], bool]:
    """Tells of a reason whether its cause follows from the days alone.

    Args:
        store: an opened store.
    """

    def is_inferred(reason: Reason) -> bool:
        if reason.cause is None or reason.version is None:
            return False
        name = parse(reason.version)
        return reason.version not in stated_of(store, (name.provision or name.work).iri)

    return is_inferred


def stated_of(store: Store, iri: str) -> frozenset[str]:
    """The versions of a norm or provision of which a source states what caused them, by their names."""
    return store.kept((stated_of, iri), lambda: frozenset(from_iri(one) for one, _ in store.summary(iri).causes()))
