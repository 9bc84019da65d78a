"""What caused a version or view: as a source states it, else as far as dates tell.

An amended version starts on the day on which the amending norm comes into force; a rectified view is known from the
day on which the rectification is published (LexML 1.0 part 2, sections 10.3.4 and 12.1). Where the days do not meet
no cause is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.urn import from_iri, parse, to_iri
from queries.evidence import Version, versions
from queries.reasons import Reason


@dataclass(frozen=True, slots=True)
class Amending:
    """A norm that a source says amends another.

    Attributes:
        name: the amending norm, canonical.
        start: its own first day of force, where a publication of it says so.
        known: the day of that publication; else the earliest day that its own name allows.
    """

    name: str
    start: date | None
    known: date


def amendments(store: Store, work: str) -> list[Amending]:
    """The norms that amend a work, by name. What amends the amending norm itself does not count."""
    names = sorted(map(from_iri, store.summary(work).amended_by()))
    return store.kept((amendments, work), lambda: [_amending(store, name) for name in names])


def _amending(store: Store, name: str) -> Amending:
    published = [
        (version.view_date, version.version_date)
        for version in versions(store, to_iri(name))
        if version.event == "publicacao" and version.view_date is not None and version.version_date is not None
    ]
    if not published:
        return Amending(name, None, oldest(name))
    known, start = min(published)
    return Amending(name, start, known)


def oldest(name: str) -> date:
    """The earliest day that a norm's own name allows: before it nobody could know of the norm."""
    return parse(name).oldest_day or date.min


def _rectifications(store: Store, work: str) -> dict[date, list[str]]:
    """The rectifications of a work by the day of their publication."""
    found: dict[date, list[str]] = {}
    for document in sorted(store.summary(work).components()):
        name = parse(from_iri(document))
        if name.descritor.retificacao is not None:
            published = {view for told in versions(store, document) if (view := told.view_date) is not None}
            for day in sorted(published):
                found.setdefault(day, []).append(name.canonical)
    return found


def _stated(store: Store, work: str) -> dict[str, list[str]]:
    """What sources state as the cause of a version, by its name."""
    found: dict[str, list[str]] = {}
    for version, cause in store.summary(work).causes():
        causes_of = found.setdefault(from_iri(version), [])
        if from_iri(cause) not in causes_of:
            causes_of.append(from_iri(cause))
    return found


def causes(store: Store, work: str, known: Iterable[Version]) -> dict[str, list[str]]:
    """What caused each version and view, by its name: as stated, else where days meet, and then nothing that was not
    known by the day of the view."""
    stated = _stated(store, work)
    amending = amendments(store, work)
    rectifying = _rectifications(store, work)
    found: dict[str, list[str]] = {}
    for version in known:
        if version.name in stated:
            found[version.name] = stated[version.name]
        elif version.view_date is None:
            continue
        elif version.event == "alteracao":
            found[version.name] = [
                one.name for one in amending if one.start == version.version_date and one.known <= version.view_date
            ]
        elif version.event == "retificacao":
            found[version.name] = rectifying.get(version.view_date, [])
    return found


def inferred(store: Store) -> Callable[[Reason], bool]:
    """Tells of a reason whether its cause follows from the days alone.

    Args:
        store: an opened store.
    """

    def is_inferred(reason: Reason) -> bool:
        if reason.cause is None or reason.version is None:
            return False
        name = parse(reason.version)
        return reason.version not in stated_of(store, (name.provision or name.work).iri)

    return is_inferred


def stated_of(store: Store, iri: str) -> frozenset[str]:
    """The versions of a norm or provision of which a source states what caused them, by their names."""
    return store.kept((stated_of, iri), lambda: frozenset(from_iri(one) for one, _ in store.summary(iri).causes()))
