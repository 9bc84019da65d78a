"""Which day an address has to say: an article keeps its version while what it holds is reworded, and a norm while
events act on its provisions, so that the name alone leads to the first of its texts; what was restored has the
version that it had before it ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from graph.store import Store
from graph.urn import parse
from queries.intervals import over_force
from queries.text.same_text import changes_by_part, state_on
from service.web.names.asked import Asked
from service.web.names.known_versions import KnownVersions

_ONE_DAY = timedelta(days=1)


def changed_within(store: Store, version: str, on: date, known: date) -> date | None:
    """Since when a norm or provision reads as it does on D, where the name of its version leads to another text.

    Most changes of a norm make another version of it; one that does not, such as a fact on one of its articles, a veto
    overturned or an annulment with modulated effect, changes its text within a version.

    Args:
        store: an opened store.
        version: of a norm or provision, canonical, which is the answer for D.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The last day, after the version's own and up to D, on which anything that the norm or provision holds changed,
        by the clock of force; None where all of it reads as on the version's own day.
    """
    name = parse(version)
    if name.version_date is None or on <= name.version_date:
        return None
    began, day = name.version_date.isoformat(), on.isoformat()
    _, *held = changes_by_part(store, name.provision or name.work, known.isoformat())
    if all(state_on(changes, day) == state_on(changes, began) for changes in held):
        return None
    return date.fromisoformat(max(since for changes in held for since, _ in changes if since <= day))


def said_with(store: Store, version: str, on: date, known: date) -> date | None:
    """The day that the address of a version says so that it leads to the text of D; None where its name alone does.

    Args:
        store, version, on, known: as for :func:`changed_within`.
    """
    return _last((changed_within(store, version, on, known), _restored(store, version, on, known)))


def last_known(line: KnownVersions, known: date) -> Asked | None:
    """The days that lead to the last text that anyone knew, where as known on K there never was one: what was annulled
    from its first day on has words all the same, and they were the law to all who read them.

    Args:
        line: all that is known of a norm or provision.
        known: K, a civil date.

    Returns:
        None where a text is known of any day, or never was.
    """
    if line.as_known(known):
        return None
    ended = [(one.known_until, one.valid_from) for one in line.periods if one.known_until and one.known_until <= known]
    return max((Asked(on, until - _ONE_DAY) for until, on in ended), key=_on_both, default=None)


def _on_both(days: Asked) -> tuple[date, date]:
    return days.as_known or date.min, days.on or date.min


def _last(days: Iterable[date | None]) -> date | None:
    return max((day for day in days if day is not None), default=None)


def _restored(store: Store, version: str, on: date, known: date) -> date | None:
    """The first day of the days around D on which a version is in force, where it was so before and then was not."""
    name = parse(version)
    told = [one for one in over_force(store, name.provision or name.work, known) if one.start <= on]
    since: date | None = None
    while told and told[-1].version == version:
        since = told.pop().start
    return since if any(one.version == version for one in told) else None
