"""Notices on orders of stored acts that a text of a norm of a state or municipality does not have."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from queries.evidence import published_on
from queries.notices import DerivedText, Notice, OrderNotApplied, UndecidedProvisions
from queries.orders import made_on, ordered_by, orders_not_applied
from queries.status import status_on
from queries.text.answers import TextAnswer


def with_unapplied(store: Store, target: Name, answer: TextAnswer) -> TextAnswer:
    """Return an answer with a notice for each stored act whose orders on its provisions are not in its text.

    Args:
        target: the requested norm or provision, without version.
    """
    on, known = answer.on, answer.as_known
    if on is None or known is None or not answer.provisions:
        return answer
    applied = {act for notice in answer.notices if isinstance(notice, DerivedText) for act in notice.acts}
    of_text = made_on(parse(answer.version)) if answer.version is not None else None
    versions = {part.name: part.version for part in answer.provisions}

    def made(name: str) -> date | None:
        version = versions.get(name)
        return (made_on(parse(version)) if version is not None else None) or of_text

    notices: list[Notice] = [*orders_not_applied(store, target, on, known, made, applied)]
    for derived in [notice for notice in answer.notices if isinstance(notice, DerivedText)]:
        for act in map(parse, derived.acts):
            notices += _orders_on_act(store, act, on, known, derived.day)
            if status_on(store, act, on, known) is Status.EXPIRED and (
                provisions := ordered_by(store, target, act.canonical)
            ):
                notices.append(UndecidedProvisions(provisions))  # it may have changed them for its term only
    return replace(answer, notices=tuple(dict.fromkeys((*answer.notices, *notices)))) if notices else answer


def _orders_on_act(store: Store, act: Name, on: date, known: date, day: date) -> list[OrderNotApplied]:
    """Return the orders on an act that are not applied and were made before it had effect: they may move its day."""
    published = published_on(store, act)
    notices = orders_not_applied(store, act, on, known, lambda _: published, ())
    return [notice for notice in notices if (parse(notice.act).oldest_day or day) < day]
