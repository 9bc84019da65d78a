"""Derived rectangles as answers need them: the one that holds a day, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.entities import Axis
from graph.errors import StoreDamaged
from graph.store import Store
from graph.terms import Solution
from graph.urn import Name, from_iri
from ontology.namespaces import VIG
from queries.answers import Period, Status
from queries.catalogue import named

__all__ = ["AXES", "Found", "looked_up", "period_of"]

#: The concept of each clock, as queries take it.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}

_SITUATIONS = {
    VIG["vacatio"]: Status.VACATIO,
    VIG["revogada"]: Status.REVOKED,
    VIG["anulada"]: Status.ANNULLED,
    VIG["expirada"]: Status.EXPIRED,
    VIG["suspensa"]: Status.SUSPENDED,
    VIG["indeterminada"]: Status.UNKNOWN,
}


def period_of(row: Solution) -> Period:
    """A rectangle from a row of ``version_in_force`` or ``timeline``."""
    situation = row["situacao"]
    version = row["versao"]
    axis = next(axis for axis, concept in AXES.items() if concept == row["eixo"])
    bounds = {key: value for key, value in row.items() if isinstance(value, date)}
    return Period(
        from_iri(str(version)) if version is not None else None,
        Status.IN_FORCE if version is not None else _SITUATIONS[str(situation)],
        axis,
        bounds["inicio"],
        bounds.get("fim"),
        bounds["conhecidoDesde"],
        bounds.get("conhecidoAte"),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The rectangle that answers, and its node."""

    period: Period
    node: str


def looked_up(store: Store, work: Name, on: date, known: date, axis: Axis) -> Found | None:
    """The rectangle of a work or provision that holds (D, K) on a clock; None where none does.

    Raises:
        StoreDamaged: there are two.
    """
    rows = list(
        named("version_in_force").rows(store, {"norma": work.iri, "em": on, "conhecido": known, "eixo": AXES[axis]})
    )
    if len(rows) > 1:
        problem = f"two derived periods of {work.canonical} overlap; `vigente rebuild` derives them anew"
        raise StoreDamaged(problem)
    return Found(period_of(rows[0]), str(rows[0]["periodo"])) if rows else None
