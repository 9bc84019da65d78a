"""Histories of norms and provisions as typed rows, for research: wordings, changes, periods, lives and amendments.

They are read from the rows of the read model (:mod:`graph.read_model`): one row for days of force and of knowledge with
one status and one wording. Days are civil dates and intervals half open; None is an open end or an unknown day.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from importlib.resources import files
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from graph.read_model.rectangles import OPEN, day_of, ordinal
from graph.read_model.rows import Axes, Row, merged
from graph.read_model.table import events_of, provision_numbers
from graph.store import Store
from graph.time.kinds import Axis, Status
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
        day: the first day of force with the new status or version; after ``unknown``, the first day that is certain.
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
        provisions: the number of provisions of which it made a version; a version of the whole norm counts as one more.
        first: the earliest certain first day of these versions, as known today, also a day to come; None if none is
            certain.
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
                acts.of(name, row.version, row.because),
                " ".join(store.summary(name).records_of(row.shown)),
            )


def statuses(store: Store, target: Name) -> Iterator[DatedStatus]:
    """Yield the periods of a norm or provision, and of the provisions in it; arguments as of :func:`wordings`."""
    for name, row in _rows(store, target):
        version = from_iri(row.version) if row.version is not None else None
        names = from_iri(target.work.iri), from_iri(name)
        yield DatedStatus(*names, _AXES[row.axes], row.status, version, *_days(row))


def changes(store: Store, target: Name | None, since: date, until: date, known: date) -> Iterator[Change]:
    """Yield the changes of a norm or provision, and of the provisions in it, by name and then by day.

    Args:
        target: a norm or provision without version; None for all norms.
        since, until: the days ``[since, until)`` of the changes.
        known: K, a civil date.
    """
    days = {"since": ordinal(since), "until": ordinal(until), "known": ordinal(known)}
    rows = _asked(store, "changes", **days, **_numbers(store, target))
    for norm, of_norm in groupby(rows, key=itemgetter(0)):
        acts = _Acts(store, norm)
        for _, fragment, day, before, after, version, packed in of_norm:
            name = f"{norm}!{fragment}" if fragment else norm
            if target is None or target.iri in (norm, name) or name.startswith(f"{target.iri}_"):
                named = from_iri(version) if version is not None else None
                step = date.fromordinal(day), Status(before), Status(after)
                made_by = acts.of(name, version, events_of(packed, norm))
                yield Change(from_iri(norm), from_iri(name), *step, named, made_by)


def lives(store: Store, known: date, *, of_provisions: bool) -> Iterator[tuple[int, bool] | None]:
    """Yield how many days each norm, or each provision, was in force, and whether its end was not observed.

    A life begins with the first day in force, and ends with the first day with a final status. Days after K, and days
    that the sources leave open at its end, count as not observed. It is None if the sources leave its first day open.

    Args:
        known: K, a civil date.
        of_provisions: whether the lives are those of provisions.
    """
    last = ordinal(known)
    for _, fragment, first, ended, sure in _asked(store, "lives", known=last):
        if bool(fragment) is of_provisions:
            opened = first is None
            yield None if opened else (min(sure, last) - first, ended is None or sure < ended or ended > last)


def amendments(store: Store, target: Name | None, known: date) -> Iterator[Amendment]:
    """Yield the acts that made versions of a norm or of its provisions, by norm and name.

    Args:
        target: the norm, or a provision of it; None for all norms.
        known: K, a civil date.
    """
    for act, changed, provisions, first in _asked(store, "amendments", known=ordinal(known), **_numbers(store, target)):
        yield Amendment(from_iri(act), from_iri(changed), provisions, day_of(first) if first is not None else None)


def in_force_on(store: Store, on: date, known: date, axis: Axis) -> Iterator[tuple[str, str]]:
    """Yield the IRI of each norm in force on (D, K), and of each provision with periods of its own, with its version.

    Args:
        on, known: D and K, civil dates.
        axis: the axis.
    """
    bit = Axes.FORCE if axis is Axis.FORCE else Axes.EFFICACY
    days = {"on": ordinal(on), "known": ordinal(known), "axis": int(bit)}
    for norm, fragment, version in _asked(store, "in_force", **days):
        yield f"{norm}!{fragment}" if fragment else norm, version


def stock(store: Store, known: date) -> Iterator[tuple[str, Status, date, int]]:
    """Yield how many norms of a document type had a status from a day on, until the next day with another number.

    Norms that no source dates are left out.

    Args:
        known: K, a civil date.
    """
    for kind, status, day, number in _asked(store, "stock", known=ordinal(known)):
        if day != OPEN:
            yield kind, Status(status), date.fromordinal(max(day, 1)), number


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


def _asked(store: Store, question: str, **values: int) -> list[tuple[Any, ...]]:
    """Return the answer to a question about all norms: a file of the folder ``sql``."""
    text = files("queries").joinpath("sql", f"{question}.sql").read_text("utf-8")
    return store.full_text.select(text, values)


def _numbers(store: Store, target: Name | None) -> dict[str, int]:
    """Return the numbers ``[first, last)`` of the provisions of a norm; of all norms for None."""
    number = store.full_text.number_if_known(target.work.iri) or 0 if target is not None else None
    return provision_numbers(number)


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
        self._on_day: dict[date | None, set[str]] = {}
        for summary in (store.summary(norm), *store.provisions(norm).values()):
            starts = {row.iri: row.version_date for row in summary.versions()}
            for version, act in summary.causes():
                self._made.setdefault(version, set()).add(act)
                self._on_day.setdefault(starts.get(version), set()).add(act)

    def of(self, name: str, version: str | None, because: Container[str]) -> str | None:
        """Return the acts that made a version; in a gap, those that caused the deciding events."""
        if version is not None:
            acts = self._made.get(version, set())
            if name == self._norm and not acts:  # the acts that changed its provisions on the first day of the version
                start = parse(from_iri(version)).version_date
                acts = self._on_day.get(start, acts) if start is not None else acts
        else:
            events = self._store.summary(name).events()
            acts = {event.cause for event in events if event.iri in because and event.cause is not None}
        return " ".join(sorted(map(from_iri, acts))) or None
