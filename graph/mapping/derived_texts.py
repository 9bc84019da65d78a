"""Texts that are derived from acts as triples, apart from published texts: no question takes one for the other."""

from __future__ import annotations

from collections.abc import Iterable

from graph.amendments import PartStatus
from graph.entities import DerivedText
from graph.mapping.lines import Lines
from graph.terms import boolean, day, number, string
from graph.urn import Name
from ontology.iris import hashed_iri
from ontology.namespaces import VIG


def map_derived_texts(lines: Lines, norm: Name, texts: Iterable[DerivedText]) -> None:
    """The derived texts of a norm.

    Args:
        norm: its name, without version.
    """
    for one in texts:
        node = hashed_iri("texto-derivado", norm.canonical, one.day.isoformat())
        lines.a(node, VIG["TextoDerivado"])
        lines.link(norm.iri, VIG["temTextoDerivado"], node)
        lines.add(node, VIG["derivadoDesde"], day(one.day))
        lines.add(node, VIG["derivadoConhecido"], day(one.known))
        lines.add(node, VIG["derivadoEmUso"], boolean(one.in_use))
        if one.base is not None:
            lines.link(node, VIG["derivadoDaVersao"], one.base.iri)
        for act in one.acts:
            lines.link(node, VIG["derivadoDoAto"], act.iri)
        for fragment in one.differs:
            lines.link(node, VIG["derivadoDifereEm"], f"{norm.iri}!{fragment}")
        for order, part in enumerate(one.parts, 1):
            inner = f"{node}/{part.fragment}"
            lines.link(node, VIG["temParteDerivada"], inner)
            lines.link(inner, VIG["parteDerivadaDe"], f"{norm.iri}!{part.fragment}")
            lines.add(inner, VIG["ordemDerivada"], number(order))
            lines.maybe(inner, VIG["parteDentroDe"], part.within, string)
            lines.maybe(inner, VIG["rotuloDerivado"], part.label, string)
            lines.maybe(inner, VIG["nomeDerivado"], part.heading, string)
            lines.maybe(inner, VIG["palavrasDerivadas"], part.text, string)
            if part.status is PartStatus.UNKNOWN:
                lines.add(inner, VIG["parteIncerta"], boolean(True))
            for source in part.made_by:
                lines.link(inner, VIG["parteFeitaPor"], source.iri)
