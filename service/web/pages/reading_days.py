"""The days in the addresses of links, so that a reader of the law of one day stays on that day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from graph.store import Store
from graph.time.kinds import Axis
from graph.urn import Name
from queries.in_force import in_force
from service.web.names.parameters import RequestParameters


def query_with_days(store: Store, days: Callable[[], RequestParameters | None], today: date) -> Callable[[Name], str]:
    """Return a function that returns the query with the page's days for a link to a norm or provision.

    A link keeps the days where the norm has a text on them. Where it has none, as an act newer than the day, the
    address with the days would be a 404. Then the query is empty.

    Args:
        store: a snapshot with a cache.
        days: returns the days of the page; None where it shows today's text.
        today: the civil date taken for today.
    """
    query_by_name: dict[str, str] = {}

    def query(name: Name) -> str:
        asked = days()
        if asked is None or name.versao is not None:
            return ""
        if name.canonical not in query_by_name:
            query_by_name[name.canonical] = _query_if_text(store, name, replace(asked, on=asked.on or today), today)
        return query_by_name[name.canonical]

    return query


def _query_if_text(store: Store, name: Name, asked: RequestParameters, today: date) -> str:
    """Return the query with the days; an empty query where the norm has no text on them."""
    signed = name.representative_date
    if asked.on is None or (signed is not None and asked.on < signed):
        return ""
    answer = in_force(store, name, asked.on, asked.as_known or today, asked.axis or Axis.FORCE)
    return asked.query() if answer.version is not None else ""
