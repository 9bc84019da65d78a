"""Orders of stored acts that the text of a norm of a state or municipality does not have: each is a notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from graph.amendments import RefusalReason
from graph.store import Store
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.short_names import cited_as
from queries.catalogue import named
from queries.notices import DerivedText, OrderNotApplied
from queries.text.answers import TextAnswer
from queries.text.derived import derived_texts


@dataclass(frozen=True, slots=True)
class _Order:
    """One operation on a norm: the act, the fragment that it changes, its first day, and whether it was refused."""

    act: str
    fragment: str
    day: date | None
    is_refused: bool


def with_unapplied(store: Store, norm: Name, target: Name, answer: TextAnswer) -> TextAnswer:
    """Return an answer with a notice for each stored act whose orders on its provisions are not in its text.

    Acts signed after D or K, and acts that are not newer than a dated text, give no notice.

    Args:
        store: an opened store.
        norm: the norm, without version.
        target: the requested norm or provision, without version.
    """
    on, known = answer.on, answer.as_known
    if on is None or known is None or not norm.local.detalhe or not answer.provisions:
        return answer
    orders = _orders(store, norm)
    applied = {act for notice in answer.notices if isinstance(notice, DerivedText) for act in notice.acts}
    coming = {act for derived in derived_texts(store, norm) if derived.day > on for act in derived.acts} - applied
    of_text = parse(answer.version).version_date if answer.version is not None else None
    made = {part.name: parse(part.version).version_date for part in answer.provisions if part.version is not None}
    doubted: dict[str, dict[str, None]] = {}
    for order in orders:
        signed = parse(order.act).oldest_day
        name = f"{norm.canonical}!{order.fragment}" if order.fragment else norm.canonical
        later = made.get(name) or of_text
        if signed is None or signed > min(on, known) or (order.day is not None and order.day > on):
            continue
        if order.act in coming:
            continue
        if (order.act in applied and not order.is_refused) or (later is not None and later >= signed):
            continue
        if concerns(name, target.canonical) and not _acts_on(store, order.act, name):
            doubted.setdefault(order.act, {})[name] = None
    notices = [OrderNotApplied(act, tuple(names)) for act, names in doubted.items()]
    return replace(answer, notices=(*answer.notices, *notices)) if notices else answer


def _acts_on(store: Store, act: str, name: str) -> bool:
    """Return whether a source states an event on a norm or provision by an act: the order is applied."""
    events = store.summary(to_iri(name)).events()
    return any(event.cause is not None and from_iri(event.cause).partition("!")[0] == act for event in events)


def _orders(store: Store, norm: Name) -> tuple[_Order, ...]:
    key = with_unapplied, norm.iri
    return store.memoized(key, lambda: store.cached(key, lambda: tuple(_read_orders(store, norm))))


def _read_orders(store: Store, norm: Name) -> Iterator[_Order]:
    for name in (norm, *cited_as(norm)):
        for row in named("operations_on").rows(store, {"norma": name.iri}):
            refused = None if row["recusa"] is None else RefusalReason(str(row["recusa"]))
            if refused is RefusalReason.VETOED:
                continue
            day = row["desde"]
            fragment = from_iri(str(row["dispositivo"])).partition("!")[2]
            yield _Order(
                from_iri(str(row["ato"])), fragment, day if isinstance(day, date) else None, refused is not None
            )


def concerns(name: str, asked: str) -> bool:
    """Return whether an order on a provision concerns what was asked: it is a part of it, or contains it."""
    mark = "_" if "!" in asked else "!"
    return name == asked or name.startswith(f"{asked}{mark}") or asked.startswith((f"{name}_", f"{name}!"))
