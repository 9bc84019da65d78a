"""Derived triples: the rectangles of a work (and the horizons of providers) as N-Triples lines.

They live in one graph of their own, can be thrown away and are rebuilt from what sources assert. Their shape is
ours to change; docs/reference/graph.md says how to ask them in plain SPARQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.entities import Axis
from graph.terms import day, iri, string
from graph.vigencia import Rectangle, Status
from ontology.iris import hashed_iri, provider_of
from ontology.namespaces import PROV, RDF, RDFS, VIG

#: The concept that says why no version applies.
SITUATIONS = {
    Status.VACATIO: VIG["vacatio"],
    Status.SUSPENDED: VIG["suspensa"],
    Status.REVOKED: VIG["revogada"],
    Status.ANNULLED: VIG["anulada"],
    Status.EXPIRED: VIG["expirada"],
    Status.CONVERTED: VIG["convertida"],
    Status.VETOED: VIG["vetada"],
    Status.UNKNOWN: VIG["indeterminada"],
}

_AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}
_TYPE = iri(RDF["type"])


def rectangle_lines(work: str, norm: str | None, rectangles: Iterable[Rectangle]) -> Iterator[str]:
    """The lines of the rectangles of one work; of a provision with the norm that it belongs to."""
    for rectangle in rectangles:
        yield from _lines(work, norm, rectangle)


def _lines(work: str, norm: str | None, r: Rectangle) -> Iterator[str]:
    in_force = r.version is not None
    axes = sorted(r.axes)
    node = iri(hashed_iri("periodo" if in_force else "lacuna", work, *axes, str(r.start), str(r.known_from)))
    yield f"{node} {_TYPE} {iri(VIG['Periodo' if in_force else 'Lacuna'])} ."
    yield f"{node} {iri(VIG['periodoDe'])} {iri(work)} ."
    if norm is not None:
        yield f"{node} {iri(VIG['periodoNaNorma'])} {iri(norm)} ."
    if r.version is not None:
        yield f"{node} {iri(VIG['versao'])} {iri(r.version)} ."
    else:
        yield f"{node} {iri(VIG['situacao'])} {iri(SITUATIONS[r.status])} ."
    for reason in r.because:
        yield f"{node} {iri(VIG['decididoPor'])} {iri(reason)} ."
    for axis in axes:
        yield f"{node} {iri(VIG['eixo'])} {iri(_AXES[axis])} ."
    for property_, bound in (
        ("inicio", r.start),
        ("fim", r.end),
        ("conhecidoDesde", r.known_from),
        ("conhecidoAte", r.known_until),
    ):
        if bound is not None:
            yield f"{node} {iri(VIG[property_])} {day(bound)} ."


def horizon_lines(provider: str, newest: date) -> list[str]:
    """A provider, and the day up to which it was harvested."""
    node = iri(provider)
    return [
        f"{node} {_TYPE} {iri(PROV['Agent'])} .",
        f"{node} {iri(RDFS['label'])} {string(provider_of(provider))} .",
        f"{node} {iri(VIG['horizonte'])} {day(newest)} .",
    ]
