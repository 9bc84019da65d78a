"""The acts with relations to a norm, and those that the norm has relations to, each once.

They include acts that change only provisions of the norm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Annotated

from graph.errors import BadName, UnknownName
from graph.store import Store
from graph.urn import Name, from_iri, parse
from ontology.events import EventKind
from queries.causes import changes_by_act, oldest
from queries.documents import document
from queries.dossier import Dossier, dossier
from queries.naming import UNLESS_NONE
from queries.resolution.interpretation import interpret

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
        "reissued-by": ("reissues", "changes"),
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
        "annuls": ("annuls", "ends"),
        "declares-void": ("declares_void", "ends"),
        "suspends": ("suspends", "ends"),
        "rejects": ("rejects", "ends"),
        "converts": ("converts", "ends"),
        "repeals-provision": ("repeals_part", "ends"),
        "declares-void-provision": ("declares_void_part", "ends"),
        "annuls-provision": ("annuls_part", "ends"),
        "suspends-provision": ("suspends_part", "ends"),
        "reissues": ("reissues", "changes"),
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

#: A provisional measure, and the number of one in a series of reissues: "2206-1" is the first reissue of "2206".
_MEASURE, _IN_SERIES = "medida.provisoria", re.compile(r"([0-9]+)(?:-([0-9]+))?", re.ASCII)
_AMENDS_PART = ("amended-in-part-by", "amends-provision")
#: The relations of events on provisions, by event: of their causes to the norm, and of the norm to their targets.
_IN_PART: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        EventKind.ANULACAO: ("annulled-in-part-by", "annuls-provision"),
        EventKind.DECLARACAO_INCONSTITUCIONALIDADE: ("declared-void-in-part-by", "declares-void-provision"),
        EventKind.REVOGACAO: ("repealed-in-part-by", "repeals-provision"),
        EventKind.SUSPENSAO: ("suspended-in-part-by", "suspends-provision"),
        **dict.fromkeys(
            (EventKind.ALTERACAO, EventKind.PUBLICACAO, EventKind.REDACAO, EventKind.RENUMERACAO), _AMENDS_PART
        ),
    }
)
#: The relations of the norm to other norms that an event of it ends or suspends as a whole, by event.
_OF_TARGET: Mapping[str, str] = MappingProxyType(
    {
        EventKind.ANULACAO: "annuls",
        EventKind.CONVERSAO: "converts",
        EventKind.DECLARACAO_INCONSTITUCIONALIDADE: "declares-void",
        EventKind.REJEICAO: "rejects",
        EventKind.REVOGACAO: "repeals",
        EventKind.SUSPENSAO: "suspends",
    }
)
#: The relations of all other events on provisions, such as the entry into force.
_ACTS_ON_PART = ("acted-on-in-part-by", "acts-on-provision")
#: The number of an event among those of one kind; the relations of acts that change the norm or its provisions; and the
#: document types of bills and judgments.
_NUMBERED = re.compile(r"\.[0-9]+$", re.ASCII)
_AMENDING = frozenset({"amended-by", "amended-in-part-by", "repealed-in-part-by"})
_BILL = re.compile(r"anteprojeto|projeto|proposta|substitutivo|emenda$|indicacao|requerimento|acordao|decisao|sumula")
#: The style of relations that neither end nor change the norm.
_CITES = "cites"
#: The relations that include an amendment of provisions.
_OF_THE_WHOLE = frozenset({"amended-by", "amends"})


@dataclass(frozen=True, slots=True)
class RelatedAct:
    """An act with relations to the norm.

    Attributes:
        name: the act, without provision or version; as the source writes it where that is no valid name.
        relations: the codes of the relations between the act and the norm, in order of strength.
        day: the civil date of the act; None where its name has no full date.
        year: the year of the act; None where its name has none.
        changed: the number of provisions of the norm that it changed or inserted, by the query ``amending_acts``.
        repealed: the number of those that it repealed. Both are None where it changed none.
    """

    name: str
    relations: tuple[str, ...]
    day: date | None
    year: int | None
    changed: Annotated[int | None, UNLESS_NONE] = None
    repealed: Annotated[int | None, UNLESS_NONE] = None

    @property
    def read(self) -> Name | None:
        """Return the parsed name; None if it is invalid."""
        return _parsed(self.name)

    @property
    def order(self) -> tuple[int, date, str]:
        """Return the sort key: year, day and name. Acts without a date are last."""
        return (self.year or 10_000, self.day or date.max, self.name)


@dataclass(frozen=True, slots=True)
class Relations:
    """The acts with relations to a norm, by date.

    Attributes:
        name: the norm, canonical.
        to: the acts that end, change or cite the norm.
        by: the acts that the norm ends, changes or cites.
    """

    name: str
    to: tuple[RelatedAct, ...]
    by: tuple[RelatedAct, ...]

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def relations(store: Store, name: str | Name, as_known: date | str | None = None) -> Relations:
    """Return the acts that end, change or cite a norm, and those that it ends, changes or cites.

    Args:
        name: a name, a citation or a nickname; of a provision, its norm is meant.
        as_known: K, a civil date; default today.

    Raises:
        BadName, BadDate, NotYetKnown: an argument is invalid.
        UnknownName: no record of the store mentions the norm, or the text may mean several.
    """
    understood = interpret(store, name).name
    if understood is None:
        raise UnknownName(name if isinstance(name, str) else name.text)
    found = dossier(store, understood.work, as_known=as_known)
    if found.is_unknown:
        raise UnknownName(found.name)
    acts = related_acts(store, found, understood.work)
    return Relations(understood.work.canonical, tuple(acts["to"]), tuple(acts["by"]))


def related_acts(store: Store, dossier: Dossier, norm: Name) -> dict[str, list[RelatedAct]]:
    """Return the acts of each of :data:`SIDES`, each once, by date. They include acts that change only provisions.

    Args:
        dossier: the dossier of the norm, with its effects.
        norm: the norm, without version.
    """
    related = dossier.around.related if dossier.around is not None else ()
    names = {related_norm.code: list(related_norm.names) for related_norm in related}
    for code, reissue in (("amends", "reissues"), ("amended-by", "reissued-by")):
        in_series = [name for name in names.get(code, ()) if _is_reissue(norm, name, later=code == "amended-by")]
        names[reissue] = in_series
        names[code] = [name for name in names.get(code, ()) if name not in in_series]
    known = dossier.day.answer.as_known
    counts = {
        name: count for name, count in changes_by_act(store, norm).items() if name is not None and oldest(name) <= known
    }
    of_events = {"to": [*_causes_in_part(dossier), *_amending_in_part(counts)], "by": [*_targets(dossier)]}
    acts = {side: _acts(store, _joined(names, of_events[side]), codes, norm) for side, codes in SIDES.items()}
    by_name = {from_iri(store.act_of(parse(name).iri)): count for name, count in counts.items()}
    acts["to"] = [
        replace(act, changed=by_name[act.name][0], repealed=by_name[act.name][1]) if act.name in by_name else act
        for act in acts["to"]
    ]
    return acts


def amending(acts: Iterable[RelatedAct]) -> tuple[RelatedAct, ...]:
    """Return the acts that changed the norm or at least one of its provisions, as the query ``amending_acts`` does.

    Bills and judgments are left out.

    Args:
        acts: acts with relations to the norm.
    """
    return tuple(
        act
        for act in acts
        if not _AMENDING.isdisjoint(act.relations) and (act.read is None or not _BILL.match(act.read.tipo_documento[0]))
    )


def _amending_in_part(counts: Mapping[str, tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield the acts that changed or repealed provisions of the norm, with the relation."""
    for name, (changed, repealed) in counts.items():
        relations = ((changed, _AMENDS_PART[0]), (repealed, "repealed-in-part-by"))
        yield from ((relation, name) for count, relation in relations if count)


def changed_without_act(store: Store, norm: Name) -> int:
    """Return the number of provisions of a norm that were changed or repealed, and for which no source names an act.

    A provision that was both changed and repealed counts twice.

    Args:
        norm: the norm, without version.
    """
    return sum(changes_by_act(store, norm).get(None, (0, 0)))


def _is_reissue(norm: Name, name: str, *, later: bool) -> bool:
    """Return whether two provisional measures are of one series of reissues. A reissue does not amend the earlier one.

    Args:
        name: another norm.
        later: whether the other one must be the reissue; else the norm must be.
    """
    other = _parsed(name)
    numbers = [_number_in_series(read) for read in (norm, other) if read is not None]
    if len(numbers) < 2 or None in numbers:
        return False
    (own, own_issue), (base, issue) = (number for number in numbers if number is not None)
    return own == base and (own_issue < issue if later else issue < own_issue)


def _number_in_series(name: Name) -> tuple[str, int] | None:
    """Return the number of a provisional measure and the number of its reissue, 0 for the first; else None."""
    numbers = name.descritor.identificadores
    match = _IN_SERIES.fullmatch(numbers[0]) if name.tipo_documento[0] == _MEASURE and len(numbers) == 1 else None
    return (match[1], int(match[2] or 0)) if match is not None else None


def _causes_in_part(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """Yield the causes of the events on provisions of the norm: the relation and the act."""
    for effect in dossier.effects_on:
        if "!" in effect.name and effect.reason.cause is not None:
            yield _IN_PART.get(_kind(effect.reason.event), _ACTS_ON_PART)[0], effect.reason.cause


def _targets(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """Yield the targets of the events that the norm caused: the relation, and the norm or provision."""
    for effect in dossier.effects_by:
        event = _kind(effect.reason.event)
        if "!" in effect.name:
            yield _IN_PART.get(event, _ACTS_ON_PART)[1], effect.name
        elif event in _OF_TARGET:
            yield _OF_TARGET[event], effect.name


def _kind(event: str | None) -> str:
    """Return the kind of an event without its number: ``alteracao`` for ``alteracao.1``."""
    return _NUMBERED.sub("", event or "")


def _joined(names: Mapping[str, Sequence[str]], of_events: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the names by relation, with those of events."""
    names_by_relation = {code: list(listed) for code, listed in names.items()}
    for code, name in of_events:
        names_by_relation.setdefault(code, []).append(name)
    return names_by_relation


def _acts(
    store: Store, names: Mapping[str, Sequence[str]], codes: Mapping[str, tuple[str, str]], norm: Name
) -> list[RelatedAct]:
    """Return the acts of one side, each once, by date. Relations of the norm to itself are left out.

    A name with only the year is that of the only act of the store that it means.
    """
    codes_by_name: dict[str, dict[str, None]] = {}
    for code in codes:
        for name in names.get(code, ()):
            read = _parsed(name)
            called = from_iri(store.act_of(read.iri)) if read is not None else name
            if called != norm.canonical:
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


def _act(name: str, relations: tuple[str, ...]) -> RelatedAct:
    read = _parsed(name)
    day = read.representative_date if read is not None else None
    return RelatedAct(name, relations, day, read.representative_year if read is not None else None)
