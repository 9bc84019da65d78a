"""Orders of stored acts that a norm does not have, and texts derived from such acts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date

import pyoxigraph as ox

from graph.store import Store
from graph.time.acts import has_day, name_of_year
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.short_names import cited_as
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.evidence import published_on, records
from queries.notices import OrderNotApplied

_OF_YEAR = f"SELECT ?nome ?ano WHERE {{ ?nome <{VIG['nomeDoAno']}> ?ano }} ORDER BY ?nome"
_ORDERED = f"SELECT ?norma WHERE {{ ?operacao <{VIG['normaOperada']}> ?norma }} LIMIT 1"


@dataclass(frozen=True, slots=True)
class DerivedNormText:
    """A derived text of a norm, without its provisions.

    Attributes:
        text: its IRI.
        day: the first day of this text, a civil date.
        known: the day of knowledge.
        in_use: whether no published text is as new.
        base: the canonical name of the published version that it is based on.
        acts: the canonical names of the acts that made it.
        differs: the canonical names of provisions whose text differs in the published text of that day.
    """

    text: str
    day: date
    known: date
    in_use: bool
    base: str | None
    acts: tuple[str, ...]
    differs: tuple[str, ...]


def derived_texts(store: Store, norm: Name) -> tuple[DerivedNormText, ...]:
    """Return the derived texts of a norm, sorted by their first day."""
    key = derived_texts, norm.iri
    return store.memoized(key, lambda: store.cached(key, lambda: _derived_texts(store, norm)))


def _derived_texts(store: Store, norm: Name) -> tuple[DerivedNormText, ...]:
    if not store.links(norm.iri, VIG["temTextoDerivado"]):
        return ()
    texts: dict[str, DerivedNormText] = {}
    for row in named("derived_texts").rows(store, {"norma": norm.iri}):
        text, day, known = str(row["texto"]), row["desde"], row["conhecido"]
        if not isinstance(day, date) or not isinstance(known, date):
            continue
        base = from_iri(str(row["versao"])) if row["versao"] is not None else None
        in_use = str(row["emUso"]) in {"true", "True"}
        derivation = texts.get(text) or DerivedNormText(text, day, known, in_use, base, (), ())
        acts = (from_iri(str(row["ato"])),) if row["ato"] is not None else ()
        differs = (from_iri(str(row["difere"])),) if row["difere"] is not None else ()
        texts[text] = replace(
            derivation,
            acts=tuple(dict.fromkeys((*derivation.acts, *acts))),
            differs=tuple(dict.fromkeys((*derivation.differs, *differs))),
        )
    return tuple(sorted(texts.values(), key=lambda derived_text: derived_text.day))


@dataclass(frozen=True, slots=True)
class _Order:
    """One operation on a norm: the act, the fragment that it changes, its first day, and whether it was refused.

    Attributes:
        cited: the name of the norm in the act, if the act cites it with another day.
    """

    act: str
    fragment: str
    day: date | None
    is_refused: bool
    cited: str | None = None


def orders_not_applied(
    store: Store, target: Name, on: date, known: date, made: Callable[[str], date | None], applied: Collection[str]
) -> list[OrderNotApplied]:
    """Return a notice for each stored act with orders that concern a norm or provision and are not in its text.

    Acts published or signed after D or K, and acts that are not newer than a dated text, give no notice.

    Args:
        target: the norm or provision, without version.
        on, known: D and K.
        made: returns the first day of the text that a provision has on D; None if it is not known.
        applied: the acts from which the text of D is derived.
    """
    norm = target.work
    orders = _orders(store, norm)
    coming = {act for derived in derived_texts(store, norm) if derived.day > on for act in derived.acts} - {*applied}
    doubted: dict[str, dict[str, None]] = {}
    for order in orders:
        signed = parse(order.act).oldest_day
        name = f"{norm.canonical}!{order.fragment}" if order.fragment else norm.canonical
        if signed is None or _first_day(store, order.act, signed) > min(on, known):
            continue
        if order.day is not None and order.day > on:
            continue
        if order.act in coming or (order.act in applied and not order.is_refused):
            continue
        if not concerns(name, target.canonical) or ((later := made(name)) is not None and later >= signed):
            continue
        if not _acts_on(store, order.act, name):
            doubted.setdefault(order.act, {}).update(dict.fromkeys(filter(None, (name, order.cited))))
    return [OrderNotApplied(act, tuple(names)) for act, names in doubted.items()]


def ordered_by(store: Store, target: Name, act: str) -> tuple[str, ...]:
    """Return the provisions that the orders of an act name, as far as they concern a norm or provision."""
    names = (f"{target.work.canonical}!{each.fragment}" for each in _orders(store, target.work) if each.act == act)
    return tuple(dict.fromkeys(name for name in names if concerns(name, target.canonical)))


def made_on(version: Name) -> date | None:
    """Return the day on which a version was made: that of its publication, if it starts later, else its first day."""
    start, published = version.version_date, version.view_date
    return start if start is None or published is None else min(start, published)


def days_of_orders(store: Store, norm: Name) -> set[date]:
    """Return the days from which an order on a norm may be in doubt: those of its act and of its effect."""
    orders = _orders(store, norm)
    days = (
        (signed, _first_day(store, act, signed))
        for act in {order.act for order in orders}
        if (signed := parse(act).oldest_day)
    )
    return {day for both in days for day in both} | {order.day for order in orders if order.day is not None}


def _first_day(store: Store, act: str, signed: date) -> date:
    """Return the first day on which the orders of an act may have effect: no act binds before it is published."""
    return max(signed, published_on(store, parse(act)) or signed)


def _acts_on(store: Store, act: str, name: str) -> bool:
    """Return whether a source states an event on a norm or provision by an act: the order is applied."""
    events = store.summary(to_iri(name)).events()
    return any(event.cause is not None and from_iri(event.cause).partition("!")[0] == act for event in events)


def _orders(store: Store, norm: Name) -> tuple[_Order, ...]:
    key = orders_not_applied, norm.iri
    return store.memoized(key, lambda: store.cached(key, lambda: tuple(_read_orders(store, norm))))


def _read_orders(store: Store, norm: Name) -> Iterator[_Order]:
    for name in cited_as(norm):
        yield from _operations_on(store, name)
    if not norm.local.detalhe:  # the sources of federal norms have the texts after the acts that name their days
        return
    yield from _operations_on(store, norm)
    for name in _with_another_day(store, norm):
        for order in _operations_on(store, name):
            yield replace(order, is_refused=True, cited=name.canonical)
        for event in store.summary(name.iri).events():
            if event.cause is not None:
                yield _Order(from_iri(event.cause).partition("!")[0], "", None, True, name.canonical)


def _operations_on(store: Store, name: Name) -> Iterator[_Order]:
    """Yield the operations of stored acts on a norm by one of its names."""
    if next(store.select(_ORDERED, {"norma": ox.NamedNode(name.iri)}), None) is None:
        return  # most norms; the query of the operations takes longer
    from graph.amendments import RefusalReason  # noqa: PLC0415 - slow to import

    for row in named("operations_on").rows(store, {"norma": name.iri}):
        refused = None if row["recusa"] is None else RefusalReason(str(row["recusa"]))
        if refused is RefusalReason.VETOED:
            continue
        day = row["desde"]
        fragment = from_iri(str(row["dispositivo"])).partition("!")[2]
        yield _Order(from_iri(str(row["ato"])), fragment, day if isinstance(day, date) else None, refused is not None)


def _with_another_day(store: Store, norm: Name) -> Iterator[Name]:
    """Yield the names with the year and number of a norm and another day that no source describes: acts cite it so."""
    year = name_of_year(norm.iri)
    for row in store.select(_OF_YEAR, {"ano": ox.NamedNode(year)}) if year is not None else ():
        name = parse(from_iri(str(row["nome"])))
        if name != norm and name.fragmento is None and has_day(name.iri) and not records(store, name.iri):
            yield name


def concerns(name: str, asked: str) -> bool:
    """Return whether an order on a provision concerns what was asked: it is a part of it, or contains it."""
    mark = "_" if "!" in asked else "!"
    return name == asked or name.startswith(f"{asked}{mark}") or asked.startswith((f"{name}_", f"{name}!"))
