"""The place of a provision in the text of its norm's version, for provisions that only follow their norm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name, parse
from ontology.namespaces import VIG
from queries.provisions.editions import Edition, editions, readable


@dataclass(frozen=True, slots=True)
class Placed:
    """What the texts of a norm say of one of its provisions.

    Attributes:
        version: the provision's version in the text; None if it is not in it, or that is not known.
        missing: the norm's version of which no source says what it changed; None where nothing is missing.
        was_there: whether an earlier text of the norm has the provision.
        whole: the first day of the whole text that decides; None where the text is composed.
    """

    version: str | None
    missing: str | None
    was_there: bool
    whole: date | None


def overrule(store: Store, norm: Name) -> bool:
    """Whether the texts of a norm may decide of a provision that has periods of its own: one of them is whole, or some
    version has none. What :func:`placed` says of it need not be asked otherwise."""
    return store.kept((overrule, norm.iri), lambda: _overrule(editions(store, norm.iri)))


def _overrule(every: Sequence[Edition]) -> bool:
    return any(edition.whole for edition in every) or len({edition.text is None for edition in every}) > 1


def placed(store: Store, provision: Name, version: str, known: date) -> Placed | None:
    """Return the place of a provision in a version of its norm, as known on a day.

    Args:
        version: the norm's version, by its canonical name.

    Returns:
        None where no source gives any text of the norm.
    """
    return store.kept((placed, provision.iri, version, known), lambda: _placed(store, provision, version, known))


def _placed(store: Store, provision: Name, version: str, known: date) -> Placed | None:
    every = editions(store, provision.work.iri)
    if all(edition.text is None for edition in every):
        return None
    found = readable(every, version, known)
    whole = found.editions[0].version.version_date if found.editions and found.editions[0].whole else None
    if found.missing is not None:
        return Placed(None, found.missing.version.name, was_there=False, whole=whole)
    reading = next(_with(store, provision.iri, found.editions), None)
    if reading is not None:
        name = parse(f"{reading.version.name}!{provision.canonical.rpartition('!')[2]}")
        return Placed(name.canonical, None, was_there=True, whole=whole)
    first = found.editions[0].turn
    before = (edition for edition in every if edition.turn < first)
    return Placed(None, None, was_there=any(True for _ in _with(store, provision.iri, before)), whole=whole)


def _with(store: Store, provision: str, among: Iterable[Edition]) -> Iterator[Edition]:
    """Those of some editions whose texts have a provision: of the texts told of it, those with a place in one."""
    fragment = provision.rpartition("!")[2]
    told = store.kept((_with, provision), lambda: frozenset(store.summary(provision).realised()))
    parts = {f"{edition.text}!{fragment}": edition for edition in among if edition.text is not None}
    there = store.having((part for part in parts if part in told), VIG["ordem"])
    return (edition for part, edition in parts.items() if part in there)
