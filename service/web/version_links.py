"""Links between versions: those of RFC 9676, section 7.1.1, of RFC 5829, and of Memento (RFC 7089, section 2.2)."""

from __future__ import annotations

from datetime import date

from graph.urn import Name
from queries.answers import Period
from service.web.asked import Asked
from service.web.known_versions import KnownVersions, at
from service.web.links import Links
from service.web.name_paths import description_path, name_path

__all__ = ["knowledge_path", "link_knowledge", "link_norm", "link_version", "links_known", "memento_path"]


def memento_path(line: KnownVersions, period: Period) -> str:
    """The address of a period's text as a memento of its norm: the version's own.

    A version that comes into force again has one for each period: the later ones say their first day.
    """
    version = str(period.version)
    own = min(each.valid_from for each in line.of(version))
    return name_path(version) + (Asked(on=period.valid_from).query() if period.valid_from != own else "")


def knowledge_path(period: Period, on: date) -> str:
    """The address of a memento over knowledge: the version that answers for ``on``, as known since its first day."""
    return name_path(str(period.version)) + Asked(on=on, as_known=period.known_from).query()


def link_knowledge(links: Links, line: KnownVersions, on: date, known: date) -> date | None:
    """Links of a memento over knowledge to those before and after it, for the same day of force.

    Returns:
        The memento's own day: the first on which one would have had this answer.

    Args:
        on: D, a civil date.
        known: K, a civil date.
    """
    path, query = name_path(line.target.canonical), Asked(on=on).query()
    links.add(f"{path}{query}", "original")
    links.add(f"/timegate/as-known{path}{query}", "timegate")
    links.add(f"/timemap/as-known{path}{query}", "timemap", type_="application/link-format")
    every = line.on(on)
    here = next((at for at, p in enumerate(every) if p.known_from <= known < (p.known_until or date.max)), None)
    if every:
        _add_known(links, every[0], on, "first")
        _add_known(links, every[-1], on, "last")
    if here is not None and here > 0:
        _add_known(links, every[here - 1], on, "prev")
    if here is not None and here + 1 < len(every):
        _add_known(links, every[here + 1], on, "next")
    return every[here].known_from if here is not None else None


def _add_known(links: Links, period: Period, on: date, relation: str) -> None:
    links.add(knowledge_path(period, on), relation, "memento", datetime=period.known_from)


def link_norm(links: Links, target: Name) -> None:
    """Links of a norm or provision to what Memento has for it."""
    path = name_path(target.canonical)
    links.add(path, "original")
    links.add(f"/timegate{path}", "timegate")
    links.add(f"/timemap{path}", "timemap", "version-history", type_="application/link-format")


def link_version(
    links: Links,
    name: Name,
    line: KnownVersions,
    period: Period | None,
    known: date,
    today: date,
    *,
    memento: bool = True,
) -> None:
    """Links of a version to the versions of its norm, as known on K: neighbours by first day of force.

    ``current`` is in force today, ``latest-version`` the newest that is known, which may lie in the future.

    Args:
        period: the rectangle in which the version is the answer; None where nothing dates it.
        known: K, a civil date, on which the version is the answer.
        today: the civil date taken for today.
        memento: whether the response is a memento over force, and these are its neighbours.
    """
    if memento:
        link_norm(links, line.target)
    else:
        links.add(f"/timemap{name_path(line.target.canonical)}", "version-history", type_="application/link-format")
    kind = ("memento",) if memento else ()
    links.add(description_path(name.canonical), "describedby")
    if period is not None and not line.of(name.canonical):
        return  # its norm's whole texts decide, and not periods of its own: neighbours would be guessed
    heard = line.as_known(known)
    start = period.valid_from if period is not None else name.version_date
    if heard:
        _add(links, line, heard[0], "first", *kind)
        _add(links, line, heard[-1], "last", *kind)
    before = [each for each in heard if start is not None and each.valid_from < start]
    after = [each for each in heard if start is not None and each.valid_from > start]
    if before:
        _add(links, line, before[-1], "prev", "previous", "predecessor-version", *kind)
    if after:
        _add(links, line, after[0], "next", "successor-version", *kind)
    _link_today(links, line, today)


def _link_today(links: Links, line: KnownVersions, today: date) -> None:
    """What is in force today, and the newest that is known, both as known today."""
    now = line.as_known(today)
    current = at(now, today)
    if current is not None:
        _add(links, line, current, "current")
    if now:
        _add(links, line, now[-1], "latest-version")


def links_known(links: Links, line: KnownVersions, led_to: str, today: date) -> None:
    """Links of a norm or provision to its version in force today, and to the newest.

    Args:
        led_to: the name that it leads to; where no period has it, nothing is said of today.
    """
    link_norm(links, line.target)
    links.add(description_path(line.target.canonical), "describedby")
    if line.of(led_to):
        _link_today(links, line, today)


def _add(links: Links, line: KnownVersions, period: Period, *relations: str) -> None:
    links.add(memento_path(line, period), *relations, datetime=period.valid_from)
