"""A query of the catalogue as a text that stands for itself: the values of its parameters written into it."""

from __future__ import annotations

from collections.abc import Mapping

from graph.sparql import written_out
from queries.catalogue import Query


def spelled(query: Query, values: Mapping[str, object]) -> str:
    """The query with its parameters written out, to be sent to any endpoint over the same data: the same rows.

    Args:
        query: of the catalogue.
        values: as for :meth:`queries.catalogue.Query.rows`.

    Raises:
        BadParameter: a value is missing, not declared, or not of its kind.

    >>> from queries.catalogue import named
    >>> text = spelled(named("providers"), {})
    >>> text == named("providers").text
    True
    """
    return written_out(query.text, query.bindings(values))
