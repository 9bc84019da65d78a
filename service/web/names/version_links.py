"""Links between versions: those of RFC 9676, section 7.1.1, and of RFC 5829."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.answers import Period
from service.web.http.name_paths import description_path, name_path
from service.web.links import Links
from service.web.names.asked import Asked
from service.web.names.known_versions import KnownVersions, at, own_start
from service.web.names.text_days import changed_within


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
