"""The versions of a norm or provision: which are known, their links, and the days that an address has to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from graph.entities import Axis
from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name, parse
from queries import timeline
from queries.answers import Period
from queries.intervals import over_force
from queries.text.same_text import changes_by_part, state_on
from service.web.http.name_paths import description_path, name_path
from service.web.links import Links
from service.web.names.asked import Asked


@dataclass(frozen=True, slots=True)
class KnownVersions:
    """All rectangles of a norm or provision on one clock that have a version, with gaps left out.

    Attributes:
        target: the norm or provision.
        periods: valid ``[from, until)``, known ``[from, until)``; in order of their first days.
    """

    target: Name
    periods: tuple[Period, ...]

    def as_known(self, known: date) -> tuple[Period, ...]:
        """The periods that one would have named on a day, in order of their first days of force.

        Periods of one version that touch are one: what changed between them was something else.
        """
        kept: list[Period] = []
        for period in self.periods:
            if not _holds(period.known_from, period.known_until, known):
                continue
            if kept and kept[-1].version == period.version and kept[-1].valid_until == period.valid_from:
                kept[-1] = replace(kept[-1], valid_until=period.valid_until)
            else:
                kept.append(period)
        return tuple(kept)

    def of(self, version: str) -> tuple[Period, ...]:
        """The rectangles of one version, by its canonical name, in the order in which they came to be known."""
        found = (period for period in self.periods if period.version == version)
        return tuple(sorted(found, key=lambda period: (period.known_from, period.valid_from)))

    @property
    def first_known(self) -> date | None:
        """The first day on which anyone could name a version; None where there is none."""
        return min((period.known_from for period in self.periods), default=None)


def _holds(start: date, end: date | None, day: date) -> bool:
    return start <= day and (end is None or day < end)


def at(periods: Iterable[Period], day: date) -> Period | None:
    """The period of force that holds a day; None in a gap."""
    return next((period for period in periods if _holds(period.valid_from, period.valid_until, day)), None)


def next_after(periods: Iterable[Period], day: date) -> Period | None:
    """The first period that begins after a day."""
    return min((p for p in periods if p.valid_from > day), key=lambda p: p.valid_from, default=None)


def last_before(periods: Iterable[Period], day: date) -> Period | None:
    """The last period that began on a day or before."""
    return max((p for p in periods if p.valid_from <= day), key=lambda p: p.valid_from, default=None)


def own_start(version: str, periods: Sequence[tuple[date, date | None]]) -> date | None:
    """The first day of the period for which a version's name answers where no day is said.

    That is the one that holds the version's own date, else the first one.

    Args:
        version: its canonical name.
        periods: ``[from, until)``, all those in which it answers, in their order.
    """
    day = parse(version).version_date
    holding = (start for start, until in periods if day is not None and _holds(start, until, day))
    return next(holding, periods[0][0] if periods else None)


def known_versions(store: Store, target: Name, axis: Axis = Axis.FORCE) -> KnownVersions:
    """The versions of a norm or provision; none where nothing dates them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    try:
        periods = timeline(store, target).periods
    except UnknownName:
        periods = ()
    ours = (period for period in periods if period.axis is axis and period.version is not None)
    return KnownVersions(target, tuple(sorted(ours, key=lambda p: (p.valid_from, p.known_from))))


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


def _version_path(period: Period, heard: Sequence[Period]) -> str:
    """The address of a period's text: the version's own, and for its further periods with their first day.

    Args:
        heard: all periods as known on one day.
    """
    version = str(period.version)
    own = own_start(version, [(one.valid_from, one.valid_until) for one in heard if one.version == version])
    return name_path(version) + (Asked(on=period.valid_from).query() if period.valid_from != own else "")


def link_norm(links: Links, target: Name) -> None:
    """Links of a norm or provision to what Memento has for it."""
    path = name_path(target.canonical)
    links.add(path, "original")
    links.add(f"/timegate{path}", "timegate")
    links.add(f"/timemap{path}", "timemap", "version-history", type_="application/link-format")


def link_version(
    store: Store, links: Links, name: Name, line: KnownVersions, period: Period | None, known: date, today: date
) -> None:
    """Links of a version to the versions of its norm, as known on K: neighbours by first day of force.

    ``current`` is in force today, ``latest-version`` the newest that is known, which may lie in the future.

    Args:
        period: the rectangle in which the version is the answer; None where nothing dates it.
        known: K, a civil date, on which the version is the answer.
        today: the civil date taken for today.
    """
    links.add(f"/timemap{name_path(line.target.canonical)}", "version-history", type_="application/link-format")
    links.add(description_path(name.canonical), "describedby")
    if period is not None and not line.of(name.canonical):
        return  # its norm's whole texts decide, and not periods of its own: neighbours would be guessed
    heard = line.as_known(known)
    start = period.valid_from if period is not None else name.version_date
    if heard:
        _add(links, heard, heard[0], "first")
        _add(links, heard, heard[-1], "last")
    before = [each for each in heard if start is not None and each.valid_from < start]
    after = [each for each in heard if start is not None and each.valid_from > start]
    if before:
        _add(links, heard, before[-1], "prev", "previous", "predecessor-version")
    if after:
        _add(links, heard, after[0], "next", "successor-version")
    _link_today(store, links, line, today)


def _link_today(store: Store, links: Links, line: KnownVersions, today: date) -> None:
    """What is in force today, and the newest that is known, both as known today."""
    now = line.as_known(today)
    current = at(now, today)
    if current is not None:
        day = changed_within(store, str(current.version), today, today)
        if day is not None:
            links.add(name_path(str(current.version)) + Asked(on=day).query(), "current", datetime=day)
        else:
            _add(links, now, current, "current")
    if now:
        _add(links, now, now[-1], "latest-version")


def links_known(store: Store, links: Links, line: KnownVersions, led_to: str, today: date) -> None:
    """Links of a norm or provision to its version in force today, and to the newest.

    Args:
        led_to: the name that it leads to; where no period has it, nothing is said of today.
    """
    link_norm(links, line.target)
    links.add(description_path(line.target.canonical), "describedby")
    if line.of(led_to):
        _link_today(store, links, line, today)


def _add(links: Links, heard: Sequence[Period], period: Period, *relations: str) -> None:
    links.add(_version_path(period, heard), *relations, datetime=period.valid_from)
