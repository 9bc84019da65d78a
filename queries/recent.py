"""The changes of the norms of a store between two days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType

from graph.civil import today
from graph.errors import BadParameter
from graph.store import Store
from graph.terms import Solution
from graph.time.kinds import SITUATIONS, Status
from graph.urn import from_iri
from queries.catalogue import named
from queries.documents import document

#: The default number of days.
_BACK = 90
#: The maximum number of days that are queried one by one. For more, one query reads the periods of the whole store.
_LOOKED_UP = 1000
_STATUSES: Mapping[str, Status] = MappingProxyType({iri: status for status, iri in SITUATIONS.items()})


@dataclass(frozen=True, slots=True)
class RecentChange:
    """A change: from a day on, a norm or provision has another version, or another status.

    Attributes:
        day: the day; of a change whose day is not known, the first on which it may have happened.
        name: the norm or provision, canonical.
        version: the version that begins; null if none is in force.
        status: ``in-force``, or why no version is.
    """

    day: date
    name: str
    version: str | None
    status: Status


@dataclass(frozen=True, slots=True)
class RecentChanges:
    """The changes between two days.

    Attributes:
        since: the first of the two days.
        until: the second of them, included.
        as_known: K, the day of knowledge.
        changes: the changes, the newest first.
    """

    since: date
    until: date
    as_known: date
    changes: tuple[RecentChange, ...]

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def recent_changes(
    store: Store, since: date | None = None, until: date | None = None, as_known: date | None = None
) -> RecentChanges:
    """Return what changed from one day to another, both included.

    Up to 1,000 days are queried one by one. A question about some months then need not read every period.

    Args:
        since: a civil date; default 90 days before ``until``.
        until: a civil date; default today.
        as_known: K, a civil date; default today.

    Raises:
        BadParameter: the days are not in order.
    """
    last, known = until or today(), as_known or today()
    first = since or last - min(timedelta(_BACK), last - date.min)
    if last < first:
        raise BadParameter(f"expected until on or after since, got {first} and {last}")

    def made() -> tuple[RecentChange, ...]:
        rows = {
            RecentChange(
                day,
                from_iri(str(row["alvo"])),
                from_iri(str(row["versao"])) if row["versao"] is not None else None,
                Status.IN_FORCE
                if row["versao"] is not None
                else _STATUSES.get(str(row["situacao"] or ""), Status.UNKNOWN),
            )
            for day, row in _dated_rows(store, first, last, known)
        }
        return tuple(sorted(rows, key=lambda change: (change.day, change.name), reverse=True))

    return RecentChanges(first, last, known, store.cached((recent_changes, first, last, known), made))


def _dated_rows(store: Store, since: date, until: date, known: date) -> Iterator[tuple[date, Solution]]:
    days = (until - since).days + 1
    queried_days = range(days) if days <= _LOOKED_UP else range(days - 1, days)  # the period has no last day
    for day in (since + timedelta(index) for index in queried_days):
        for row in named("changes_on_day").rows(store, {"dia": day, "conhecido": known}):
            yield day, row
    if days > _LOOKED_UP:
        for row in named("changes_in_period").rows(store, {"de": since, "ate": until, "conhecido": known}):
            if isinstance(row["inicio"], date):
                yield row["inicio"], row
