"""Operations of amending acts as triples.

Each is a node of its own; ELI says which norm the act amends or repeals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from graph.amendments import Operation, OperationKind, Refused, Rest
from graph.mapping.lines import Lines
from graph.terms import Cell, boolean, day, number, string
from graph.urn import Name, from_iri, parse
from ontology.iris import hashed_iri
from ontology.namespaces import ELI, VIG


def map_operations(lines: Lines, act: Name, operations: Iterable[Operation]) -> None:
    """The operations of an act.

    Args:
        act: its name, without version.
    """
    for at, one in enumerate(operations, 1):
        node = hashed_iri("operacao", act.canonical, str(at))
        norm = one.target.work
        whole = one.target == norm and one.kind is OperationKind.REPEAL
        lines.a(node, VIG["Operacao"])
        lines.link(act.iri, ELI["repeals" if whole else "amends"], norm.iri)
        lines.link(node, VIG["operacaoDe"], act.iri)
        if one.source is not None:
            lines.link(node, VIG["operacaoOrdenadaPor"], one.source.iri)
        lines.link(node, VIG["normaOperada"], norm.iri)
        lines.link(node, VIG["dispositivoOperado"], one.target.iri)
        lines.add(node, VIG["tipoOperacao"], string(one.kind.value))
        lines.add(node, VIG["ordemOperacao"], number(at))
        for term, text in (
            ("novoRotulo", one.label),
            ("novoNome", one.heading),
            ("novaRedacao", one.text),
            ("expressaoTrocada", one.replaced),
            ("agrupamentoCitado", one.group),
            ("motivoRecusa", None if one.refused is None else one.refused.value),
        ):
            lines.maybe(node, VIG[term], text, string)
        for term, name in (("operacaoDepoisDe", one.position), ("novoNumero", one.becomes)):
            if name is not None:
                lines.link(node, VIG[term], name.iri)
        lines.maybe(node, VIG["operacaoDesde"], one.effect, day)
        lines.maybe(node, VIG["operacaoConhecida"], one.known, day)
        lines.add(node, VIG["partesOmitidas"], string(one.parts.value))
        lines.add(node, VIG["paragrafosOmitidos"], string(one.paragraphs.value))
        lines.add(node, VIG["admiteExistente"], boolean(one.replaces))
        lines.add(node, VIG["comLetras"], boolean(one.letters))


def operation_of(row: Mapping[str, Cell]) -> Operation:
    """An operation by what the query ``operations_on`` says of it."""
    source, becomes, position = (_name(row[column]) for column in ("ordenadaPor", "novoNumero", "depoisDe"))
    target = _name(row["dispositivo"])
    if target is None:
        raise ValueError("the query operations_on gives a row without its target")
    refused = _text(row["recusa"])
    return Operation(
        source,
        target,
        OperationKind(str(row["tipo"])),
        _text(row["rotulo"]),
        _text(row["redacao"]),
        _text(row["nome"]),
        _text(row["trocada"]),
        position,
        _day(row["desde"]),
        _day(row["conhecida"]),
        refused=None if refused is None else Refused(refused),
        becomes=becomes,
        group=_text(row["agrupamento"]),
        parts=Rest(str(row["partes"])),
        paragraphs=Rest(str(row["paragrafos"])),
        replaces=row["admite"] is True or str(row["admite"]) == "true",
        letters=row["letras"] is True or str(row["letras"]) == "true",
    )


def _name(cell: Cell) -> Name | None:
    return None if cell is None else parse(from_iri(str(cell)))


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _day(cell: Cell) -> date | None:
    return cell if isinstance(cell, date) else None
