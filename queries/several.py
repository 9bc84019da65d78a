"""Answers to a name of several provisions: a list or a range (LexML 1.0 part 2, section 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis, Status
from graph.urn import Fragmento, Name, from_iri
from graph.wording.provisions import natural_order_key
from queries.answers import InForce
from queries.documents import document
from queries.in_force import in_force
from queries.notices import ProvisionUnknown, any_of
from queries.provisions import containers_by_provision
from queries.resolution.interpretation import interpret
from queries.text.absent import located

if TYPE_CHECKING:
    from queries.text.answers import TextAnswer

#: The maximum number of provisions of one question.
MOST = 200


@dataclass(frozen=True, slots=True)
class SeveralInForce:
    """Which versions of several provisions were in force.

    Attributes:
        name: the canonical name of the list or range.
        answers: the answer for each provision, in the order of the name; within a range, in the order of the text.
    """

    name: str
    answers: tuple[InForce, ...]

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def is_absent(answer: InForce | TextAnswer) -> bool:
    """Return whether an answer means that no source has the provision."""
    return answer.status is Status.UNKNOWN_NAME or any_of(answer.notices, ProvisionUnknown)


def several_in_force(
    store: Store,
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
) -> SeveralInForce | None:
    """Return :func:`queries.in_force.in_force` for each provision of a list or range; None for any other name.

    Args:
        store, name, on, as_known, axis: as :func:`queries.in_force.in_force`.

    Raises:
        BadParameter: the name means more than :data:`MOST` provisions. Otherwise as
            :func:`queries.in_force.in_force`.
    """
    store = MemoizingStore(store)
    named = several_names(store, name, on, as_known)
    if named is None:
        return None
    whole, parts = named
    answers = (located(store, in_force(store, part, on, as_known, axis)) for part in parts)
    return SeveralInForce(whole.canonical, tuple(answers))


def several_names(
    store: Store, name: str | Name, on: date | str | None = None, as_known: date | str | None = None
) -> tuple[Name, tuple[Name, ...]] | None:
    """Return the canonical name of a list or range, and each provision that it means; None for any other name.

    A range has its two ends and every provision of the norm between them that is in no other one of the range.

    Raises:
        BadParameter: the name means more than :data:`MOST` provisions, or a range is turned round.
    """
    text_of_name = (name if isinstance(name, str) else name.canonical).lower()
    if "," not in text_of_name and "%2c" not in text_of_name:  # a list or range has a comma; others are read once
        return None
    day = on if on is not None else as_known
    whole = interpret(store, name, parse_day(day) if isinstance(day, str) else day, as_known).name
    if whole is None or whole.fragmento is None or not whole.names_several:
        return None
    identifiers = dict.fromkeys(
        identifier
        for part in whole.fragmento.partes
        for identifier in ((part,) if isinstance(part, str) else _between(store, whole.work, *part))
    )
    if len(identifiers) > MOST:
        raise BadParameter(f"expected a name of at most {MOST} provisions, got {len(identifiers)} in {whole.canonical}")
    return whole, tuple(whole.with_fragmento(Fragmento((identifier,))) for identifier in identifiers)


def _between(store: Store, norm: Name, first: str, last: str) -> Iterator[str]:
    """Yield the identifiers of a range in the order of the text."""
    containers = containers_by_provision(store, norm.iri)
    known = {from_iri(iri).rpartition("!")[2] for iri in (*containers, *containers.values())} | {first, last}
    low, high = _order(first), _order(last)
    if low > high:
        raise BadParameter(f"expected a range from the first to the last provision, got [{first},{last}]")
    inside = {identifier for identifier in known if low <= _order(identifier) <= high}
    outermost = (each for each in inside if each in {first, last} or not _is_within(each, inside))
    yield from sorted(outermost, key=_order)


def _order(identifier: str) -> list[list[tuple[bool, int, str]]]:
    """Return a sort key that places the parts of a provision before the next one: art2_cpt before art2-1."""
    return [natural_order_key(step) for step in identifier.split("_")]


def _is_within(identifier: str, others: set[str]) -> bool:
    """Return whether a provision is inside one of the others."""
    holder = identifier.rpartition("_")[0]
    while holder:
        if holder in others:
            return True
        holder = holder.rpartition("_")[0]
    return False
