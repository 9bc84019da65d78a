"""The acts that made the changes between two days, each with its changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse, parse_or_none
from ontology.events import EventKind
from queries.causes import changes_by_act
from queries.text.answers import Change, ChangeKind, Difference
from queries.text.diff import FRONT

#: The events that move the first day of force of words that another event made.
_OF_FORCE = (EventKind.PRORROGACAO_VACATIO, EventKind.VIGENCIA_PROPRIA)


@dataclass(frozen=True, slots=True)
class ActOfChanges:
    """An act and the changes that it made.

    Attributes:
        act: the act; None for changes for which no source names one.
        changes: the positions of its changes among all, ascending.
        whole: the number of provisions of the norm that it ever changed, inserted or repealed, by the query
            ``amending_acts``; None where it is not counted, as for a provision.
    """

    act: Name | None
    changes: tuple[int, ...]
    whole: int | None

    @property
    def order(self) -> tuple[int, date, str]:
        """Return the sort key: year, day and name. Changes without an act are last."""
        if self.act is None:
            return (10_000, date.max, "")
        day = self.act.representative_date
        return (self.act.representative_year or 9_999, day or date.max, self.act.canonical)


def acts_of_changes(store: Store, difference: Difference, changes: Sequence[Change]) -> tuple[ActOfChanges, ...]:
    """Return the acts that made changes of provisions, by year and day. A change of several acts is in each of them.

    Acts of the days between the two, up to K, are among them even if their changes have effect on other days.
    Provisions that came into force with their first words were changed by no act, and are left out. So are epigraph,
    ementa and preamble.

    Args:
        changes: its changes of provisions, in the order of the positions.
    """
    positions: dict[str | None, list[int]] = {}
    for position, change in enumerate(changes):
        if change.kind is not ChangeKind.BEGUN and change.provision.rpartition("!")[2] not in FRONT:
            for act in dict.fromkeys(from_iri(store.act_of(name.iri)) for name in _acts(change)) or (None,):
                positions.setdefault(act, []).append(position)
    norm = parse(difference.name)
    counted = changes_by_act(store, norm) if norm == norm.work else {}
    whole = {from_iri(store.act_of(parse(act).iri)): sum(count) for act, count in counted.items() if act is not None}
    for name in whole:
        if _is_between(parse(name), difference.since, min(difference.until, difference.as_known)):
            positions.setdefault(name, [])
    acts = (
        ActOfChanges(parse(name) if name is not None else None, tuple(listed), whole.get(name or ""))
        for name, listed in positions.items()
    )
    return tuple(sorted(acts, key=lambda act: act.order))


def _acts(change: Change) -> Iterator[Name]:
    """Yield the acts that made the words of a change; where none did, those that moved its force."""
    worded = [reason for reason in change.because if not (reason.event or "").startswith(_OF_FORCE)]
    for reason in worded or change.because:
        name = parse_or_none(reason.cause) if reason.cause is not None else None
        if name is not None:
            yield name.work


def _is_between(act: Name, since: date, until: date) -> bool:
    """Return whether an act is certainly of a day after the first and up to the last. It may have only its year."""
    day, year = act.representative_date, act.representative_year
    if day is not None:
        return since < day <= until
    return year is not None and since < date(year, 1, 1) and date(year, 12, 31) <= until
