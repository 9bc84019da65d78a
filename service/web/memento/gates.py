"""What Memento (RFC 7089) has of a norm or provision: its mementos over days of force, or over days of knowledge.

A memento is one answer with one text: for a interval of days the question has that answer, and the text reads so. Where
no version answers (revoked, annulled, suspended, in vacatio, undecided), that is a memento too, which is a 404 with its
reason (section 4.5.5 of the RFC): no version is ever passed off for a day on which it was not the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import Name
from queries.intervals import AnswerInterval
from queries.notices import AfterToday, BeforeFirstMemento, Notice
from queries.reasons import Status
from queries.text.same_text import same_over_force, same_over_knowledge
from service.web.http.name_paths import name_path
from service.web.links import Links
from service.web.names.asked import Asked
from service.web.names.versions import own_start


@dataclass(frozen=True, slots=True)
class Memento:
    """A memento: its address, and the days ``[day, until)`` for which it holds; None where nothing ends it.

    Attributes:
        path: of the version that answers, or of the norm or provision where none does, with the days that it needs.
        version: the version's canonical name; None where none answers.
    """

    path: str
    day: date
    until: date | None
    status: Status
    version: str | None


@dataclass(frozen=True, slots=True)
class Gate:
    """One of the two levels, for one norm or provision.

    Attributes:
        target: the norm or provision.
        original: the address of what changes over time.
        gate, timemap: the addresses of its TimeGate and TimeMap.
        mementos: in the order of their days; there is no day between two of them.
        on: the day of force, where the days are those of knowledge; else None.
    """

    target: Name
    original: str
    gate: str
    timemap: str
    mementos: tuple[Memento, ...]
    on: date | None = None

    def chosen(self, asked: date | None, today: date) -> tuple[Memento, tuple[Notice, ...]]:
        """The memento for a day, or for today, and what to tell of the choice. There has to be one."""
        first, day = self.mementos[0], asked or today
        if day < first.day:
            return first, (BeforeFirstMemento(day, first.day),)
        best = self.holding(day)
        assert best is not None  # noqa: S101 - there is no day between two, and nothing ends the last
        if self.on is not None and day > today:
            return best, (AfterToday(day),)
        return best, ()

    def holding(self, day: date) -> Memento | None:
        """The memento of a day, of force or of knowledge; None before the first."""
        return next((one for one in reversed(self.mementos) if one.day <= day), None)

    def at(self, address: str) -> Memento | None:
        """The memento that has an address, a path with its query; None where it is none."""
        return next((one for one in self.mementos if one.path == address), None)

    def link(self, links: Links, chosen: Memento | None = None, *, of_version: bool = False) -> None:
        """Add the links of Memento (RFC 7089, section 2.2).

        Args:
            chosen: the memento that is given, or led to: the first, the last and those around it are told too.
            of_version: whether the response is a version's. Over force its ``first``, ``prev`` ... are versions (RFC
                9676, section 7.1.1), so that a memento beside it that is none is told as ``memento`` alone.
        """

        links.add(self.original, "original")
        links.add(self.gate, "timegate")
        links.add(self.timemap, "timemap", type_="application/link-format")
        if chosen is None:
            return
        at, last = self.mementos.index(chosen), len(self.mementos) - 1
        places: dict[int, list[str]] = {}
        for place, where in (("first", 0), ("last", last), ("", at), ("prev", at - 1), ("next", at + 1)):
            if 0 <= where <= last:
                places.setdefault(where, []).extend([place] if place else [])
        for where, told in places.items():
            one = self.mementos[where]
            alone = of_version and self.on is None and one.version is None
            links.add_memento(one.path, *(() if alone else told), datetime=one.day)


def force_gate(store: Store, target: Name, today: date) -> Gate:
    """The mementos of a norm or provision over days of force, as known today.

    A version stands at its own address for the days for which its name answers without a day; for others the address
    says the first of them.
    """
    intervals = same_over_force(store, target, today)
    path = name_path(target.canonical)

    def address(one: AnswerInterval) -> str:
        if one.version is None:
            return path + Asked(on=one.start).query()
        own = one.start == own_start(one.version, _days_of(one.version, intervals))
        return name_path(one.version) + ("" if own else Asked(on=one.start).query())

    found = tuple(Memento(address(one), one.start, one.until, one.status, one.version) for one in intervals)
    return Gate(target, path, f"/timegate{path}", f"/timemap{path}", found)


def _days_of(version: str, intervals: Iterable[AnswerInterval]) -> Sequence[tuple[date, date | None]]:
    return [(one.start, one.until) for one in intervals if one.version == version]


def knowledge_gate(store: Store, target: Name, on: date, today: date) -> Gate:
    """The mementos of what was known of one day of force, up to today.

    Args:
        on: D, a civil date.
    """
    path, query = name_path(target.canonical), Asked(on=on).query()
    found = tuple(
        Memento(
            (path if one.version is None else name_path(one.version)) + Asked(on=on, as_known=one.start).query(),
            one.start,
            one.until,
            one.status,
            one.version,
        )
        for one in same_over_knowledge(store, target, on, today)
    )
    return Gate(
        target,
        f"{path}{query}",
        f"/timegate/as-known{path}{query}",
        f"/timemap/as-known{path}{query}",
        found,
        on,
    )
