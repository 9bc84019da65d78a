"""What decided a derived period: the events and versions behind it, each with what took its effect away later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graph.store import Store
from graph.urn import Name, from_iri
from queries.catalogue import named
from queries.causes import causes
from queries.chains import Acting, chained, flattened
from queries.evidence import happenings, versions
from queries.reasons import Reason


def deciders(store: Store, target: Name, work: Name, because: Sequence[str]) -> list[Reason]:
    """The events and versions that decided a period, on the name or on what it belongs to, with what undid each.

    Args:
        target: the norm or provision that is asked about.
        work: the one whose period it is: the same, or the norm.
        because: the IRIs of those events and versions, in the order of the derivation.

    Raises:
        StoreProblem: the store cannot be read.
    """
    place = {event: at for at, event in enumerate(because)}
    own = list(happenings(store, target.iri))
    elsewhere = {
        str(row["alvo"])
        for event in set(place).difference(event for event, _ in own)
        for row in named("target_of_event").rows(store, {"evento": event})
    }
    acting = [Acting(place[event], target.canonical, reason) for event, reason in own if event in place]
    for holder in sorted(elsewhere, key=lambda holder: (-len(holder), holder)):
        acts = ((event, reason) for event, reason in happenings(store, holder) if event in place)
        acting += [Acting(place[event], from_iri(holder), reason) for event, reason in acts]
    known = [version for version in versions(store, work.iri) if version.iri in place]
    caused = causes(store, work.iri, known) if known else {}
    for version in known:
        acting += [Acting(place[version.iri], work.canonical, reason) for reason in version.reasons(caused)]
    return chained(acting)


def with_what_undid_them(store: Store, target: Name, events: Iterable[Reason]) -> list[Reason]:
    """The events of a norm or provision, each with what took its effect away later on any of its periods.

    Raises:
        StoreProblem: the store cannot be read.
    """
    own = {event for event, _ in happenings(store, target.iri)}
    own |= {version.iri for version in versions(store, target.iri)}
    undone: dict[Reason, Reason] = {}
    for because in dict.fromkeys(period.because for period in store.summary(target.iri).periods()):
        if own.issuperset(because):
            continue
        for reason in deciders(store, target, target, because):
            alone = replace(reason, undone_by=())
            known = undone.get(alone)
            if reason.undone_by and (known is None or _length(reason) > _length(known)):
                undone[alone] = reason
    return [undone.get(one, one) for one in events]


def _length(reason: Reason) -> int:
    return sum(1 for _ in flattened([reason]))
