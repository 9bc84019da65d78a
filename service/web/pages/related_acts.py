"""The acts with relations to a norm, and those that the norm has relations to, each once.

The page of the norm and the page of its relations both list them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from graph.errors import BadName
from graph.store import Store
from graph.urn import Name, parse
from queries.causes import act_by_year
from queries.dossier import Dossier
from queries.evidence import act_of_year

#: The relations of other acts to the norm, and of the norm to others, by code, in order of strength.
#: Each has the end of its message's key, and its style in the picture.
TO_NORM: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "repealed-by": ("repeals", "ends"),
        "annulled-by": ("annuls", "ends"),
        "declared-void-by": ("declares_void", "ends"),
        "suspended-by": ("suspends", "ends"),
        "rejected-by": ("rejects", "ends"),
        "converted-by": ("converts", "ends"),
        "annulled-in-part-by": ("annuls_part", "ends"),
        "declared-void-in-part-by": ("declares_void_part", "ends"),
        "suspended-in-part-by": ("suspends_part", "ends"),
        "repealed-in-part-by": ("repeals_part", "ends"),
        "amended-by": ("amends", "changes"),
        "amended-in-part-by": ("amends_part", "changes"),
        "acted-on-in-part-by": ("acts_on_part", "changes"),
        "supplemented-by": ("supplements", "changes"),
        "cited-by": ("cites", "cites"),
    }
)
BY_NORM: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "repeals": ("repeals", "ends"),
        "declares-void": ("declares_void", "ends"),
        "repeals-provision": ("repeals_part", "ends"),
        "declares-void-provision": ("declares_void_part", "ends"),
        "annuls-provision": ("annuls_part", "ends"),
        "suspends-provision": ("suspends_part", "ends"),
        "amends": ("amends", "changes"),
        "amends-provision": ("amends_part", "changes"),
        "acts-on-provision": ("acts_on_part", "changes"),
        "regulates": ("regulates", "changes"),
        "in-accordance-with": ("accords", "cites"),
        "cites": ("cites", "cites"),
    }
)

#: The codes of each side: ``to`` for the relations of other acts to the norm, ``by`` for those of the norm to others.
SIDES: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType({"to": TO_NORM, "by": BY_NORM})

_AMENDS_PART = ("amended-in-part-by", "amends-provision")
#: The relations of events on provisions, by event: of their causes to the norm, and of the norm to their targets.
_IN_PART: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "anulacao": ("annulled-in-part-by", "annuls-provision"),
        "declaracao.inconstitucionalidade": ("declared-void-in-part-by", "declares-void-provision"),
        "revogacao": ("repealed-in-part-by", "repeals-provision"),
        "suspensao": ("suspended-in-part-by", "suspends-provision"),
        **dict.fromkeys(("alteracao", "publicacao", "redacao", "renumeracao", "retificacao"), _AMENDS_PART),
    }
)
#: The relations of all other events on provisions, such as the entry into force.
_ACTS_ON_PART = ("acted-on-in-part-by", "acts-on-provision")
#: The style of relations that neither end nor change the norm.
_CITES = "cites"
#: The relations that include an amendment of provisions.
_OF_THE_WHOLE = frozenset({"amended-by", "amends"})


@dataclass(frozen=True, slots=True)
class Act:
    """An act with relations to the norm.

    Attributes:
        name: the act, without provision or version; as the source writes it where that is no valid name.
        read: the parsed name; None where the name is invalid.
        relations: the codes of the relations between the act and the norm, in order of strength.
        day: the civil date of the act; None where its name has no full date.
        year: the year of the act; None where its name has none.
    """

    name: str
    read: Name | None
    relations: tuple[str, ...]
    day: date | None
    year: int | None

    @property
    def order(self) -> tuple[int, date, str]:
        """Return the sort key: year, day and name. Acts without a date are last."""
        return (self.year or 10_000, self.day or date.max, self.name)


def related_acts(store: Store, dossier: Dossier, norm: Name) -> dict[str, list[Act]]:
    """Return the acts of each of :data:`SIDES`, each once, by date. They include acts that change only provisions.

    Args:
        store: an opened store.
        dossier: the dossier of the norm, with its effects.
        norm: the norm, without version.

    Raises:
        StoreProblem: the store cannot be read.
    """
    related = dossier.around.related if dossier.around is not None else ()
    names = {related_norm.code: list(related_norm.names) for related_norm in related}
    in_part = {"to": _causes_in_part(dossier), "by": _targets_in_part(dossier)}
    return {side: _acts(store, _joined(names, in_part[side]), codes, norm) for side, codes in SIDES.items()}


def _causes_in_part(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """Yield the causes of the events on provisions of the norm: the relation and the act."""
    for effect in dossier.effects_on:
        if "!" in effect.name and effect.reason.cause is not None:
            yield _IN_PART.get(effect.reason.event or "", _ACTS_ON_PART)[0], effect.reason.cause


def _targets_in_part(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """Yield the targets of the events on provisions that the norm caused: the relation and the provision."""
    for effect in dossier.effects_by:
        if "!" in effect.name:
            yield _IN_PART.get(effect.reason.event or "", _ACTS_ON_PART)[1], effect.name


def _joined(names: Mapping[str, Sequence[str]], in_part: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the names by relation, with those of events on provisions."""
    names_by_relation = {code: list(listed) for code, listed in names.items()}
    for code, name in in_part:
        names_by_relation.setdefault(code, []).append(name)
    return names_by_relation


def _acts(
    store: Store, names: Mapping[str, Sequence[str]], codes: Mapping[str, tuple[str, str]], norm: Name
) -> list[Act]:
    """Return the acts of one side, each once, by date. Relations of the norm to itself are left out.

    A name with only the year is that of the act with the same type, number and year: one of the list, else one of the
    store.
    """
    listed = [(code, name, _parsed(name)) for code in codes for name in names.get(code, ())]
    dated: dict[object, set[str]] = {}
    for _, _, read in listed:
        if read is not None and read.representative_date is not None:
            dated.setdefault(act_by_year(read), set()).add(read.canonical)
    codes_by_name: dict[str, dict[str, None]] = {}
    for code, name, read in listed:
        called = read.canonical if read is not None else name
        if read is not None and read.representative_date is None:
            same = dated.get(act_by_year(read), set())
            act = next(iter(same)) if len(same) == 1 else None
            if not same and (described := act_of_year(store, read, is_dated=False)) is not None:
                act = described.canonical
            called = act or called
        if called != norm.canonical and (
            read is None or read.representative_date or act_by_year(read) != act_by_year(norm)
        ):
            codes_by_name.setdefault(called, {})[code] = None
    acts = (_act(called, _distinct(relations, codes)) for called, relations in codes_by_name.items())
    return sorted(acts, key=lambda act: act.order)


def _distinct(relations: Iterable[str], codes: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    """Return the relations of an act without those that its other relations include."""
    every = list(relations)
    included = set[str]()
    if not _OF_THE_WHOLE.isdisjoint(every):
        included.update(_AMENDS_PART)
    if any(codes[code][1] != _CITES and code not in _ACTS_ON_PART for code in every):
        included.update(_ACTS_ON_PART)
    return tuple(code for code in every if code not in included)


def _parsed(name: str) -> Name | None:
    """Return the norm of a name; None for an invalid name."""
    try:
        return parse(name).work
    except BadName:
        return None


def _act(name: str, relations: tuple[str, ...]) -> Act:
    read = _parsed(name)
    day = read.representative_date if read is not None else None
    return Act(name, read, relations, day, read.representative_year if read is not None else None)
