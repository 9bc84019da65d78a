"""Causes of versions and views, events on parts of a norm, and the events that decided a derived period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.store import Store
from graph.urn import Name, from_iri, parse, to_iri
from ontology.events import EventKind, event_iri
from queries.catalogue import named
from queries.evidence import Version, lifecycle_events, versions
from queries.reasons import DecidingEvent, Reason, flattened, nested_by_cause


@dataclass(frozen=True, slots=True)
class AmendingNorm:
    """A norm that amends another, according to a source.

    Attributes:
        name: the amending norm, canonical.
        start: its own first day of force, if a publication of it states one.
        known: the day of that publication; else the earliest day that its name allows.
    """

    name: str
    start: date | None
    known: date


def amendments(store: Store, work: str) -> list[AmendingNorm]:
    """Return the norms that amend a work, by name.

    Their days are those of their own publication, before any amendment of them.
    """
    norms = []
    for name in sorted(map(from_iri, store.summary(work).amended_by())):
        published = [
            (version.view_date, version.version_date)
            for version in versions(store, to_iri(name))
            if version.event == EventKind.PUBLICACAO
            and version.view_date is not None
            and version.version_date is not None
        ]
        known, start = min(published) if published else (oldest(name), None)
        norms.append(AmendingNorm(name, start, known))
    return norms


def oldest(name: str) -> date:
    """Return the earliest day that a norm's name allows: the norm was not known before it."""
    return parse(name).oldest_day or date.min


def _rectifications(store: Store, work: str) -> dict[date, list[str]]:
    """Return the rectifications of a work by the day of their publication."""
    names_by_day: dict[date, list[str]] = {}
    for document in sorted(store.summary(work).components()):
        name = parse(from_iri(document))
        if name.descritor.retificacao is not None:
            published = {view for version in versions(store, document) if (view := version.view_date) is not None}
            for day in sorted(published):
                names_by_day.setdefault(day, []).append(name.canonical)
    return names_by_day


def _stated_causes(store: Store, work: str) -> dict[str, list[str]]:
    """Return the stated causes of each version, by its name."""
    causes_by_version: dict[str, list[str]] = {}
    for version, cause in store.summary(work).causes():
        causes_of = causes_by_version.setdefault(from_iri(version), [])
        if from_iri(cause) not in causes_of:
            causes_of.append(from_iri(cause))
    return causes_by_version


def causes(store: Store, work: str, known: Iterable[Version]) -> dict[str, list[str]]:
    """Return the causes of each version and view, by its name: the stated ones, else the acts with the same day.

    An act of the same day is used only if it was known by the day of the view.
    """
    stated = _stated_causes(store, work)
    amending = amendments(store, work)
    rectifying = _rectifications(store, work)
    causes_by_version: dict[str, list[str]] = {}
    for version in known:
        if version.name in stated:
            causes_by_version[version.name] = stated[version.name]
        elif version.view_date is None:
            continue
        elif version.event == EventKind.ALTERACAO:
            causes_by_version[version.name] = [
                norm.name for norm in amending if norm.start == version.version_date and norm.known <= version.view_date
            ]
        elif version.event == EventKind.RETIFICACAO:
            causes_by_version[version.name] = rectifying.get(version.view_date, [])
    return causes_by_version


def changes_by_act(store: Store, norm: Name) -> Mapping[str | None, tuple[int, int]]:
    """Return how many provisions of a norm each act changed or inserted, and repealed, by the query ``amending_acts``.

    Args:
        norm: the norm, without version.

    Returns:
        Both numbers by the name of the act; None stands for changes for which no source names an act.
    """
    rows = named("amending_acts").rows(store, {"norma": norm.canonical})
    return {
        from_iri(str(row["alteradora"])) if row["alteradora"] is not None else None: (
            int(str(row["dispositivos"])),
            int(str(row["revogados"])),
        )
        for row in rows
    }


def inferred_cause_test(store: Store) -> Callable[[Reason], bool]:
    """Return a function that takes a reason and returns whether its cause is only inferred from the days."""

    def is_inferred(reason: Reason) -> bool:
        if reason.cause is None or reason.version is None:
            return False
        name = parse(reason.version)
        return reason.version not in versions_with_stated_cause(store, (name.provision or name.work).iri)

    return is_inferred


def versions_with_stated_cause(store: Store, iri: str) -> frozenset[str]:
    """Return the names of the versions of a norm or provision with a stated cause."""
    return store.memoized(
        (versions_with_stated_cause, iri),
        lambda: frozenset(from_iri(version) for version, _ in store.summary(iri).causes()),
    )


_ANNULMENT = EventKind.ANULACAO
#: Events that make a view of a norm only if they act on part of it.
PARTIAL = frozenset({_ANNULMENT})


def reasons_of(store: Store, target: Name, version: Version, causes: Mapping[str, Sequence[str]]) -> Iterator[Reason]:
    """Yield the event that made a view, once for each of its causes.

    The annulment of a whole norm makes no view. A view made by an annulment belongs to a norm that was annulled in
    part: the reason has the provisions and the day of the annulment, which is not the first day of the version.

    Args:
        target: the norm or provision.
        version: one of its versions and views.
        causes: the result of :func:`queries.causes.causes`.
    """
    for reason in version.reasons(causes):
        parts = (
            _annulled_provisions(store, target, reason) if version.event == _ANNULMENT and target == target.work else {}
        )
        for effect, provisions in parts.items():
            yield replace(reason, effect=effect, provisions=tuple(sorted(provisions)))
        if not parts:
            yield reason


def _annulled_provisions(store: Store, norm: Name, view: Reason) -> dict[str | None, set[str]]:
    """Return the provisions annulled by the event of a view, by the first day of the annulment (None if unknown)."""
    provisions_by_day: dict[str | None, set[str]] = {}
    for row in named("events_of_provisions").rows(store, {"norma": norm.canonical, "tipo": event_iri(_ANNULMENT)}):
        cause = from_iri(store.act_of(str(row["causa"]))) if row["causa"] is not None else None
        if _norm(cause) != _norm(view.cause) or str(row["conhecimento"]) != view.known:
            continue
        effect = str(row["efeito"]) if row["efeito"] is not None else None
        provisions_by_day.setdefault(effect, set()).add(from_iri(str(row["dispositivo"])))
    return provisions_by_day


def _norm(cause: str | None) -> str | None:
    """Return the norm or judgment of a cause: the event may name its provision, and the version only the norm."""
    return cause.partition("!")[0] if cause is not None else None


def deciding_events(
    store: Store, target: Name, work: Name, because: Sequence[str], known: date | None = None
) -> list[Reason]:
    """Return the events and versions that decided a period, each with the event that undid it.

    The events act on the requested name or its containers; those that undid them act on their causes.

    Args:
        target: the requested norm or provision.
        work: the norm or provision that has the period: the target, or its norm.
        because: the IRIs of those events and versions, in the order of the derivation.
        known: as for :func:`queries.evidence.lifecycle_events`.
    """
    place = {event: index for index, event in enumerate(because)}
    own = list(lifecycle_events(store, target.iri, known))
    elsewhere = {
        str(row["alvo"])
        for event in set(place).difference(event for event, _ in own)
        for row in named("target_of_event").rows(store, {"evento": event})
    }
    acting = [DecidingEvent(place[event], target.canonical, reason) for event, reason in own if event in place]
    for holder in sorted(elsewhere, key=lambda holder: (-len(holder), holder)):
        acts = ((event, reason) for event, reason in lifecycle_events(store, holder, known) if event in place)
        acting += [DecidingEvent(place[event], from_iri(holder), reason) for event, reason in acts]
    made = [version for version in versions(store, work.iri) if version.iri in place]
    caused = causes(store, work.iri, made) if made else {}
    for version in made:
        acting += [DecidingEvent(place[version.iri], work.canonical, reason) for reason in version.reasons(caused)]
    return nested_by_cause(acting)


def with_undoing_events(store: Store, target: Name, events: Iterable[Reason]) -> list[Reason]:
    """Return the events of a norm or provision, each with the event that later undid it in any of its periods."""
    own = {event for event, _ in lifecycle_events(store, target.iri)}
    own |= {version.iri for version in versions(store, target.iri)}
    undone: dict[Reason, Reason] = {}
    for because in dict.fromkeys(period.because for period in store.summary(target.iri).periods()):
        if own.issuperset(because):
            continue
        for reason in deciding_events(store, target, target, because):
            alone = replace(reason, undone_by=())
            known = undone.get(alone)
            if reason.undone_by and (known is None or _reason_count(reason) > _reason_count(known)):
                undone[alone] = reason
    return [undone.get(event, event) for event in events]


def _reason_count(reason: Reason) -> int:
    return sum(1 for _ in flattened([reason]))
