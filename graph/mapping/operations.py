"""Maps the operations of amending acts, and the texts derived from them, to triples of their own.

Each operation has its own node. ELI terms state which norm the act amends or repeals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from graph.amendments import Follows, Operation, OperationKind, PartStatus, RefusalReason, Rest
from graph.civil import parse_term
from graph.entities import DerivedText, Record
from graph.mapping.documents import Lines
from graph.terms import Cell, boolean, day, number, string
from graph.urn import Name, from_iri, parse
from ontology.iris import hashed_iri
from ontology.namespaces import ELI, VIG


def map_operations(lines: Lines, record: Record) -> None:
    """Map the operations of an act, and the number of its orders that are not understood."""
    if record.document is None:
        return
    act = record.document.name.work
    if record.unread_orders:
        lines.add(act.iri, VIG["ordensNaoEntendidas"], number(record.unread_orders))
    for index, operation in enumerate(record.operations, 1):
        node = hashed_iri("operacao", record.source.iri, str(index))
        norm = operation.target.work
        repeals_norm = operation.target == norm and operation.kind is OperationKind.REPEAL
        lines.a(node, VIG["Operacao"])
        if operation.refused is not RefusalReason.NOT_UNDERSTOOD:  # it may only mention the norm
            lines.link(act.iri, ELI["repeals" if repeals_norm else "amends"], norm.iri)
        lines.link(node, VIG["operacaoDe"], act.iri)
        if operation.source is not None:
            lines.link(node, VIG["operacaoOrdenadaPor"], operation.source.iri)
        lines.link(node, VIG["normaOperada"], norm.iri)
        lines.link(node, VIG["dispositivoOperado"], operation.target.iri)
        lines.add(node, VIG["tipoOperacao"], string(operation.kind.value))
        lines.add(node, VIG["ordemOperacao"], number(index))
        for term, text in (
            ("novoRotulo", operation.label),
            ("novoNome", operation.heading),
            ("novaRedacao", operation.text),
            ("expressaoTrocada", operation.replaced),
            ("agrupamentoCitado", operation.group),
            ("motivoRecusa", None if operation.refused is None else operation.refused.value),
            ("operacaoSegue", None if operation.follows is None else str(operation.follows)),
        ):
            lines.add_if_present(node, VIG[term], text, string)
        for term, name in (("operacaoDepoisDe", operation.position), ("novoNumero", operation.becomes)):
            if name is not None:
                lines.link(node, VIG[term], name.iri)
        lines.add_if_present(node, VIG["operacaoDesde"], operation.effect, day)
        lines.add_if_present(node, VIG["operacaoConhecida"], operation.known, day)
        lines.add(node, VIG["partesOmitidas"], string(operation.parts.value))
        lines.add(node, VIG["paragrafosOmitidos"], string(operation.paragraphs.value))
        lines.add(node, VIG["admiteExistente"], boolean(operation.replaces))
        lines.add(node, VIG["comLetras"], boolean(operation.letters))


def operation_of(row: Mapping[str, Cell]) -> Operation:
    """Return the operation in a row of the query ``operations_on``."""
    source, becomes, position = (_name(row[column]) for column in ("ordenadaPor", "novoNumero", "depoisDe"))
    target = _name(row["dispositivo"])
    if target is None:
        raise ValueError("the query operations_on gives a row without its target")
    refused, follows = _text(row["recusa"]), _text(row["segue"])
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
        refused=None if refused is None else RefusalReason(refused),
        becomes=becomes,
        group=_text(row["agrupamento"]),
        parts=Rest(str(row["partes"])),
        paragraphs=Rest(str(row["paragrafos"])),
        replaces=row["admite"] is True or str(row["admite"]) == "true",
        letters=row["letras"] is True or str(row["letras"]) == "true",
        follows=None if follows is None else Follows(follows) if follows in set(Follows) else parse_term(follows),
    )


def _name(cell: Cell) -> Name | None:
    return None if cell is None else parse(from_iri(str(cell)))


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _day(cell: Cell) -> date | None:
    return cell if isinstance(cell, date) else None


# Derived texts as triples, separate from published texts, so that no query confuses them.


def map_derived_texts(lines: Lines, norm: Name, texts: Iterable[DerivedText]) -> None:
    """Map the derived texts of a norm.

    Args:
        norm: its name, without version.
    """
    for text in texts:
        node = hashed_iri("texto-derivado", norm.canonical, text.day.isoformat())
        lines.a(node, VIG["TextoDerivado"])
        lines.link(norm.iri, VIG["temTextoDerivado"], node)
        lines.add(node, VIG["derivadoDesde"], day(text.day))
        lines.add(node, VIG["derivadoConhecido"], day(text.known))
        lines.add(node, VIG["derivadoEmUso"], boolean(text.in_use))
        if text.base is not None:
            lines.link(node, VIG["derivadoDaVersao"], text.base.iri)
        for act in text.acts:
            lines.link(node, VIG["derivadoDoAto"], act.iri)
        for fragment in text.differs:
            lines.link(node, VIG["derivadoDifereEm"], f"{norm.iri}!{fragment}")
        for order, part in enumerate(text.parts, 1):
            inner = f"{node}/{part.fragment}"
            lines.link(node, VIG["temParteDerivada"], inner)
            lines.link(inner, VIG["parteDerivadaDe"], f"{norm.iri}!{part.fragment}")
            lines.add(inner, VIG["ordemDerivada"], number(order))
            lines.add_if_present(inner, VIG["parteDentroDe"], part.within, string)
            lines.add_if_present(inner, VIG["rotuloDerivado"], part.label, string)
            lines.add_if_present(inner, VIG["nomeDerivado"], part.heading, string)
            lines.add_if_present(inner, VIG["palavrasDerivadas"], part.text, string)
            if part.status is PartStatus.UNKNOWN:
                lines.add(inner, VIG["parteIncerta"], boolean(True))
            for source in part.made_by:
                lines.link(inner, VIG["parteFeitaPor"], source.iri)
