"""Events that act on part of a norm and make a view of the whole: which provisions, and from when on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graph.store import Store
from graph.urn import Name, from_iri
from ontology.events import event_iri
from queries.catalogue import named
from queries.evidence import Version
from queries.reasons import Reason

_ANNULMENT = "anulacao"
#: Events that make a view of a norm only where they act on part of it.
PARTIAL = frozenset({_ANNULMENT})


def reasons_of(store: Store, target: Name, version: Version, causes: Mapping[str, Sequence[str]]) -> Iterator[Reason]:
    """The event that made a view, once for each of its causes.

    What annuls a whole norm makes no view of it. A view made by an annulment is of a norm that was annulled in part:
    the reason has the provisions and the day from which they are annulled, which is not the first day of the version.

    Args:
        store: an opened store.
        target: the norm or provision.
        version: one of its versions and views.
        causes: as :func:`queries.causes.causes` found them.

    Raises:
        StoreProblem: the store cannot be read.
    """
    for reason in version.reasons(causes):
        parts = _annulled(store, target, reason) if version.event == _ANNULMENT and target == target.work else {}
        for effect, provisions in parts.items():
            yield replace(reason, effect=effect, provisions=tuple(sorted(provisions)))
        if not parts:
            yield reason


def _annulled(store: Store, norm: Name, view: Reason) -> dict[str | None, set[str]]:
    """The provisions that the annulment behind a view annuls, by the day from which it does so."""
    found: dict[str | None, set[str]] = {}
    for row in named("events_of_provisions").rows(store, {"norma": norm.canonical, "tipo": event_iri(_ANNULMENT)}):
        cause = from_iri(str(row["causa"])) if row["causa"] is not None else None
        if _norm(cause) != _norm(view.cause) or str(row["conhecimento"]) != view.known:
            continue
        effect = str(row["efeito"]) if row["efeito"] is not None else None
        found.setdefault(effect, set()).add(from_iri(str(row["dispositivo"])))
    return found


def _norm(cause: str | None) -> str | None:
    """The norm or judgment of a cause: the event may name the provision that caused it, and the version its norm."""
    return cause.partition("!")[0] if cause is not None else None
