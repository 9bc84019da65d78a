"""Histories of norms and provisions as typed rows, for research: wordings, changes, periods, lives and amendments.

They are read from the rows of the read model (:mod:`graph.read_model`): one row for days of force and of knowledge with
one status and one wording. Days are civil dates and intervals half open; None is an open end or an unknown day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import groupby, pairwise
from operator import attrgetter

from graph.read_model.rectangles import day_of, ordinal
from graph.read_model.rows import Axes, Row, merged
from graph.store import Store
from graph.time.kinds import ENDED, Status
from graph.urn import Name, from_iri, parse
from queries.provisions import Part, parts_of


class OnAxis(StrEnum):
    """The axis on which a row applies."""

    FORCE = "force"
    EFFICACY = "efficacy"
    BOTH = "both"


_AXES = {
    Axes.FORCE: OnAxis.FORCE,
    Axes.EFFICACY: OnAxis.EFFICACY,
    Axes.FORCE | Axes.EFFICACY: OnAxis.BOTH,
}


@dataclass(frozen=True, slots=True)
class DatedWording:
    """The words of a provision on days of force, as known on days of knowledge.

    Attributes:
        norm: canonical name of the norm.
        provision: canonical name of the provision.
        label: the label as printed; None if the source has none.
        heading: the heading as printed; None if the source has none.
        text: the words as printed; None if the source has none.
        valid_from: the first day of force; None if it is not known.
        valid_until: the day after the last day of force; None if that is open.
        known_from: the first day of knowledge; None if it is not known.
        known_until: the day after the last day of knowledge; None if that is open.
        axis: the axis on which the row applies.
        status: the status of the provision on these days.
        act: canonical names of the acts that made the version, separated by spaces; None if no source states one.
        sources: IRIs of the records with the text, separated by spaces.
    """

    norm: str
    provision: str
    label: str | None
    heading: str | None
    text: str | None
    valid_from: date | None
    valid_until: date | None
    known_from: date | None
    known_until: date | None
    axis: OnAxis
    status: Status
    act: str | None
    sources: str


@dataclass(frozen=True, slots=True)
class DatedStatus:
    """The status of a norm or provision on days of force, as known on days of knowledge.

    Attributes:
        norm: canonical name of the norm.
        name: canonical name of the norm or of a provision of it.
        axis: the axis on which the row applies.
        status: the status on these days.
        version: canonical name of the version that applies; None in a gap.
        valid_from: the first day of force; None if it is not known.
        valid_until: the day after the last day of force; None if that is open.
        known_from: the first day of knowledge; None if it is not known.
        known_until: the day after the last day of knowledge; None if that is open.
    """

    norm: str
    name: str
    axis: OnAxis
    status: Status
    version: str | None
    valid_from: date | None
    valid_until: date | None
    known_from: date | None
    known_until: date | None


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the status or version of a norm or provision, on the axis of force.

    Attributes:
        norm: canonical name of the norm.
        name: canonical name of the norm or of a provision of it.
        day: the first day of force with the new status or version.
        before: the status before; ``not-published`` before the first one.
        after: the status from that day.
        version: canonical name of the new version; None in a gap.
        act: canonical names of the acts that caused the change, separated by spaces; None if no source states one.
    """

    norm: str
    name: str
    day: date
    before: Status
    after: Status
    version: str | None
    act: str | None


@dataclass(frozen=True, slots=True)
class Amendment:
    """An act that made versions of a norm or of its provisions.

    Attributes:
        act: canonical name of the act, without its provisions.
        norm: canonical name of the norm that it changed.
        provisions: the number of names, the norm or its provisions, of which it made a version.
        first: the first day of force of these versions, as known today; None if none was in force.
    """

    act: str
    norm: str
    provisions: int
    first: date | None


def wordings(store: Store, target: Name) -> Iterator[DatedWording]:
    """Yield the wordings of a provision and its parts, or of all provisions of a norm.

    Args:
        target: a norm or provision without version.
    """
    norm = target.work.iri
    acts = _Acts(store, norm)
    texts: dict[str, Mapping[str, Part]] = {}
    for name, row in _rows(store, target):
        if row.shown is None or row.status is Status.VACATIO:
            continue
        text = row.shown.rpartition("!")[0]
        if text not in texts:
            texts[text] = {part.provision: part for part in parts_of(store, text, norm, None)}
        part = texts[text].get(from_iri(name))
        if part is not None:
            yield DatedWording(
                from_iri(norm),
                from_iri(name),
                part.label,
                part.heading,
                part.text,
                *_days(row),
                _AXES[row.axes],
                row.status,
                acts.of(name, row),
                " ".join(store.summary(name).records_of(row.shown)),
            )


def statuses(store: Store, target: Name) -> Iterator[DatedStatus]:
    """Yield the periods of a norm or provision, and of the provisions in it; arguments as of :func:`wordings`."""
    for name, row in _rows(store, target):
        version = from_iri(row.version) if row.version is not None else None
        names = from_iri(target.work.iri), from_iri(name)
        yield DatedStatus(*names, _AXES[row.axes], row.status, version, *_days(row))


def changes(store: Store, target: Name, since: date, until: date, known: date) -> Iterator[Change]:
    """Yield the changes of a norm or provision, and of the provisions in it, by name and then by day.

    Args:
        target: a norm or provision without version.
        since, until: the days ``[since, until)`` of the changes.
        known: K, a civil date.
    """
    acts = _Acts(store, target.work.iri)
    first, last = ordinal(since), ordinal(until)
    for name, rows in _on_force(store, target, known):
        steps = [None, *rows]
        for before, after in pairwise(steps):
            if after is None or not first <= after.days.start < last:
                continue
            was = (
                before.status if before is not None and before.days.until == after.days.start else Status.NOT_PUBLISHED
            )
            version = from_iri(after.version) if after.version is not None else None
            if before is None or (was, before.version) != (after.status, after.version):
                day = date.fromordinal(after.days.start)
                names = from_iri(target.work.iri), from_iri(name)
                yield Change(*names, day, was, after.status, version, acts.of(name, after))


def lives(store: Store, target: Name, known: date, *, of_provisions: bool) -> Iterator[tuple[int, bool]]:
    """Yield how many days a norm, or each of its provisions, was in force, and whether its end was not observed.

    A life begins with the first day in force, and ends with the first day with a final status. Days after K count as
    not observed.

    Args:
        target: a norm.
        known: K, a civil date.
        of_provisions: whether the lives are those of its provisions.
    """
    last = ordinal(known)
    for name, rows in _on_force(store, target, known):
        start = next((row.days.start for row in rows if row.status.stands), None)
        if ("!" in name) is not of_provisions or start is None or start > last:
            continue
        end = next((row.days.start for row in rows if row.days.start > start and row.status in ENDED), None)
        is_open = end is None or end > last
        yield (last if is_open or end is None else end) - start, is_open


def amendments(store: Store, norm: Name, known: date) -> Iterator[Amendment]:
    """Yield the acts that made versions of a norm or of its provisions, by name; arguments as of :func:`lives`."""
    starts: dict[str, date] = {}
    for _, rows in _on_force(store, norm, known):
        for row in rows:
            start = _first_day(row.days.start)
            if row.version is not None and start is not None:
                starts[row.version] = min(start, starts.get(row.version, start))
    made: dict[str, list[tuple[str, date | None]]] = {}
    for name, summary in (*store.provisions(norm.iri).items(), (norm.iri, store.summary(norm.iri))):
        for version, cause in summary.causes():
            made.setdefault(cause.partition("!")[0], []).append((name, starts.get(version)))
    for act, changed in sorted(made.items()):
        days = [day for _, day in changed if day is not None]
        names = {name for name, _ in changed}
        yield Amendment(from_iri(act), norm.canonical, len(names), min(days, default=None))


def norms(store: Store) -> Iterator[Name]:
    """Yield the norms that a record describes, by name."""
    for iri in store.names.norms():
        yield parse(from_iri(iri))


def _rows(store: Store, target: Name) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a norm and its provisions, or of a provision and its parts, each with the IRI of its name."""
    norm = target.work.iri
    for fragment, stored in groupby(store.full_text.rows(norm), key=lambda each: each.fragment):
        name = f"{norm}!{fragment}" if fragment else norm
        if target.iri in (norm, name) or name.startswith(f"{target.iri}_"):
            rows = merged(each.row._replace(rule="", about=None) for each in stored)
            yield from ((name, row) for row in sorted(rows, key=attrgetter("days.start", "days.known", "axes")))


def _on_force(store: Store, target: Name, known: date) -> Iterator[tuple[str, list[Row]]]:
    """Yield each name with its rows on the axis of force, as known on K, in order."""
    day = ordinal(known)
    for name, named in groupby(_rows(store, target), key=lambda pair: pair[0]):
        rows = (row for _, row in named if row.axes & Axes.FORCE and row.days.known <= day < row.days.known_until)
        yield name, sorted(rows, key=lambda row: row.days.start)


def _days(row: Row) -> tuple[date | None, date | None, date | None, date | None]:
    start, until, known, known_until = row.days
    return _first_day(start), day_of(until), _first_day(known), day_of(known_until)


def _first_day(number: int) -> date | None:
    return day_of(number) if number > 1 else None


class _Acts:
    """The acts that made the versions of a norm and of its provisions."""

    def __init__(self, store: Store, norm: str) -> None:
        self._store, self._norm = store, norm
        self._made: dict[str, set[str]] = {}
        self._on_day: dict[str | None, set[str]] = {}
        for summary in (store.summary(norm), *store.provisions(norm).values()):
            starts = {row.iri: row.version_date for row in summary.versions()}
            for version, act in summary.causes():
                self._made.setdefault(version, set()).add(act)
                self._on_day.setdefault(starts.get(version), set()).add(act)

    def of(self, name: str, row: Row) -> str | None:
        """Return the acts that made the version of a row; in a gap, those that caused the deciding events."""
        if row.version is not None:
            acts = self._made.get(row.version, set())
            if name == self._norm and not acts:  # the acts that changed its provisions on the first day of the version
                start = parse(from_iri(row.version)).version_date
                acts = self._on_day.get(start.isoformat(), acts) if start is not None else acts
        else:
            events = self._store.summary(name).events()
            acts = {event.cause for event in events if event.iri in row.because and event.cause is not None}
        return " ".join(sorted(map(from_iri, acts))) or None
