"""The writer of a page about a store, and the days in its links: a reader of the law of one day stays on that day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial

from graph.errors import BadParameter
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis
from graph.urn import Name, parse
from queries.causes import inferred_cause_test
from queries.evidence import day_of_act, declared_void, is_dated_by_act, published_on, records
from queries.in_force import in_force
from queries.text.open_wording import is_wording_open
from queries.vocabulary import vocabulary
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Frame
from service.web.pages.related import require_described
from service.web.pages.writer import PageWriter


def read_arguments(arguments: Mapping[str, object]) -> tuple[Frame, date, RequestParameters]:
    """Return the frame of the page of a task, the civil date taken for today, and the days asked for, or None."""
    stated = (arguments.get(key) for key in ("on", "as_known"))
    on, known = (date.fromisoformat(str(day)) if day is not None else None for day in stated)
    return Frame.of_json(arguments["frame"]), date.fromisoformat(str(arguments["today"])), RequestParameters(on, known)


def writer_of(store: Store, frame: Frame, today: date, days: RequestParameters | None = None) -> PageWriter:
    """Return the writer of a page about a store.

    Args:
        today: the civil date taken for today.
        days: the days that links keep; None where the page shows today's text.
    """
    return PageWriter(
        frame,
        vocabulary(store),
        lambda name: bool(records(store, name.work.iri)),
        inferred_cause_test(store),
        today,
        query_with_days(store, days, today),
        partial(published_on, store),
        is_declared_void=partial(declared_void, store),
        is_wording_open=partial(is_wording_open, store),
        is_dated_by_act=partial(is_dated_by_act, store),
        day_of_act=partial(day_of_act, store),
    )


def read_page(store: Store, arguments: Mapping[str, object]) -> tuple[Store, Name, Frame, date, RequestParameters]:
    """Return what a page about a norm or provision reads: the store, with a memory of what was read, the name, without
    a version, and what :func:`read_arguments` returns.

    Raises:
        Problem: 404 where the store has nothing about the name.
    """
    store, name = MemoizingStore(store), parse(str(arguments["name"]))
    require_described(store, name)
    return store, name, *read_arguments(arguments)


def require_part(part: int, count: int) -> None:
    """Check the number of a part of a page.

    Raises:
        BadParameter: the page has fewer parts.
    """
    if part > count:
        raise BadParameter(f"expected part from 1 to {count}, got {part}")


def text_writer_of(store: Store, frame: Frame, today: date, days: RequestParameters | None = None) -> PageWriter:
    """Return the writer of a page with a text, whose links lead to provisions that the store describes; the arguments
    are those of :func:`writer_of`.
    """
    return replace(
        writer_of(store, frame, today, days),
        is_known=lambda name: bool(records(store, name.iri) or records(store, name.work.iri)),
        is_described=lambda name: bool(records(store, name.iri)),
    )


def query_with_days(store: Store, days: RequestParameters | None, today: date) -> Callable[[Name], str]:
    """Return a function that returns the query with the page's days for a link to a norm or provision.

    A link keeps the days where the norm has a text on them. Where it has none, as an act newer than the day, the
    address with the days would be a 404. Then the query is empty.

    Args:
        days: the days of the page; None where it shows today's text.
        today: the civil date taken for today.
    """
    query_by_name: dict[str, str] = {}

    def query(name: Name) -> str:
        if days is None or name.versao is not None:
            return ""
        if name.canonical not in query_by_name:
            query_by_name[name.canonical] = _query_if_text(store, name, replace(days, on=days.on or today), today)
        return query_by_name[name.canonical]

    return query


def _query_if_text(store: Store, name: Name, asked: RequestParameters, today: date) -> str:
    """Return the query with the days; an empty query where the norm has no text on them."""
    signed = name.representative_date
    if asked.on is None or (signed is not None and asked.on < signed):
        return ""
    answer = in_force(store, name, asked.on, asked.as_known or today, asked.axis or Axis.FORCE)
    return asked.query() if answer.version is not None else ""
