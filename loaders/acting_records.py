"""The operations that the record of an act has by its own text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from graph.amendments import Amendments, Follows, Operation, OperationKind, RefusalReason, UnparsedReason
from graph.civil import When
from graph.entities import Event, Record
from graph.urn import Name, parse_or_none
from graph.wording.citations import cite_ends
from graph.wording.folding import folded
from loaders.amendments import NO_NORM, orders_change, read_amendments
from loaders.articulated.issuer import NOWHERE
from loaders.articulated.occurrences import StructuredText, first_wordings
from loaders.commencement import efficacy_by_clause, ending_by_clause, start_by_clause
from loaders.unnamed_targets import context_of
from ontology.events import EventKind

_BELOW_LAWS = frozenset({"decreto", "portaria", "instrucao.normativa"})
_REVOKES = re.compile(r"\b(?:fica\w* (?:\w+ )?revogad[oa]s?|revoga\w*-se)\b")
_LAWS = frozenset({"lei", "lei.complementar", "lei.organica"})
#: Words that permit a change and do not order it: "Fica o Poder Executivo autorizado a alterar".
_PERMITS = re.compile(r"\b(?:autorizad|facultad)[oa]s? a (?:alter|modific|acresc|inclu|revog|substitu|dar nova)")


def with_operations(record: Record) -> Record:
    """Return the record of an act with the operations that its text orders on other norms.

    They have days if the record states the day of publication, and no provision has a second wording. A record that has
    operations, and that of a bill, are returned unchanged.
    """
    document = record.document
    if (
        document is None
        or record.operations
        or record.unread_orders
        or not record.provisions
        or document.name.fragmento
    ):
        return record
    work = document.name.work
    if NO_NORM.match(work.tipo_documento[0]) is not None:
        return record
    placed = [occurrence for provision in record.provisions for occurrence in first_wordings(provision)]
    unchanged = all(len(provision.wordings) < 2 for provision in record.provisions)
    names = (document.name, *(version for version, _ in record.versions)) if unchanged else ()
    published = {
        name.versao.visao[0]
        for name in names
        if name.versao is not None and name.versao.evento == EventKind.PUBLICACAO and len(name.versao.visao) == 1
    }
    day = published.pop() if len(published) == 1 else None
    operations, unread = orders_on_others(read_amendments(StructuredText(placed, published=day), work))
    if not unchanged:
        operations = tuple(replace(operation, follows=None) for operation in operations)
    texts = {each.id: each.text or "" for each in placed if not each.quoted}
    if work.local.detalhe:
        permits = {key for key, text in texts.items() if _PERMITS.search(folded(text)) is not None}
        operations = tuple(_as_doubt(each) if _fragment(each.source) in permits else each for each in operations)
        operations += tuple(_doubts_on_quoted(operations, work))
    effects = efficacy_by_clause(work, texts, day)
    begun = effects.effect.exact if effects is not None and effects.effect is not None else None
    if begun is not None:
        operations = tuple(_with_effect(operation, day, begun) for operation in operations)
    events = (*record.events, *_ends_of_norms(record, operations))
    start = start_by_clause(work, texts)
    if start is not None and not _states_start(record, start):
        events = (*events, start)
    if effects is not None and all(event.kind != EventKind.INICIO_EFICACIA for event in events):
        events = (*events, effects)
    changed = {each.fragment for each in record.provisions if len(each.wordings) > 1}
    end = ending_by_clause(work, {key: text for key, text in texts.items() if key not in changed}, day)
    if end is not None and all(event.target != work or event.kind != end.kind for event in events):
        events = (*events, end)
    return replace(record, events=events, operations=operations, unread_orders=unread)


def _fragment(name: Name | None) -> str:
    return name.canonical.partition("!")[2] if name is not None else ""


def _as_doubt(operation: Operation) -> Operation:
    return replace(operation, refused=operation.refused or RefusalReason.NOT_UNDERSTOOD)


def _doubts_on_quoted(operations: Iterable[Operation], act: Name) -> Iterator[Operation]:
    """Yield a refused operation on each norm that new words of another norm revoke, which the act itself does not."""
    for each in operations:
        if each.text is None or _REVOKES.search(folded(each.text)) is None:
            continue
        cited = (parse_or_none(citation.name) for citation in cite_ends(each.text, context_of(act, NOWHERE)))
        for name in dict.fromkeys(name for name in cited if name is not None and not name.is_reference):
            if name.work not in {act, each.target.work}:
                refused = RefusalReason.NOT_UNDERSTOOD
                yield Operation(each.source, name, OperationKind.SUBSTITUTION, line=each.line, refused=refused)


def _as_doubt_on_law(operation: Operation) -> Operation:
    """Return an order of a decree; it is refused on a law, which only a law changes (Constitution, art. 84, IV)."""
    return _as_doubt(operation) if operation.target.tipo_documento[0] in _LAWS else operation


def _with_effect(operation: Operation, published: date | None, day: date) -> Operation:
    """Return an operation of an act that has effect later than its force: from that day, unless it has its own."""
    follows_act = (
        operation.follows is Follows.FORCE
        or (operation.follows is Follows.PUBLICATION and operation.effect is None)
        or (published is not None and operation.effect == published)
    )
    return replace(operation, effect=day) if follows_act else operation


def _states_start(record: Record, by_clause: Event) -> bool:
    """Return whether a record dates its norm otherwise than by the clause of its first text, or changes this clause."""
    named = (record.document.name, *(version for version, _ in record.versions)) if record.document is not None else ()
    versions = [name.versao for name in named if name.versao is not None and name.fragmento is None]
    worded = (wording.version for each in record.provisions for wording in each.wordings if wording.version is not None)
    versions += [name.versao for name in worded if name.versao is not None and name.event == EventKind.PUBLICACAO]
    dated = any(each.datas or (each.visao and each.evento == EventKind.PUBLICACAO) for each in versions)
    article = by_clause.cause.canonical.partition("!")[2] if by_clause.cause is not None else ""
    changed = any(
        len(each.wordings) > 1 and f"{each.fragment}_".startswith(f"{article}_") for each in record.provisions
    )
    return dated or changed or any(event.kind == EventKind.INICIO_VIGENCIA for event in record.events)


def _ends_of_norms(record: Record, operations: Iterable[Operation]) -> Iterator[Event]:
    """Yield the revocations of whole norms that an act orders, where the record does not state them itself, and the
    ends of force that its new words of a norm state.

    A revocation without a stated day has effect from the first day of force of the act (E8). A norm that is named by
    its year is found in the store (`vigente derive`).
    """
    stated = {event.target for event in record.events}
    for operation in operations:
        target = operation.target
        is_whole = operation.kind is OperationKind.REPEAL and target == target.work and operation.refused is None
        if is_whole and target not in stated and target.representative_date is not None:
            stated.add(target)
            yield Event.of_repeal(operation, target)
        elif operation.text is not None and operation.refused is None:
            clause = {target.canonical.partition("!")[2]: operation.text}
            end = ending_by_clause(target.work, clause, operation.known if target.representative_date is None else None)
            if end is not None and end.effect is not None and end.effect.exact is not None:
                known = When.on(operation.known) if operation.known is not None else None
                yield replace(end, known=known, cause=operation.source)


def orders_on_others(read: Amendments) -> tuple[tuple[Operation, ...], int]:
    """Return the operations on other norms, and the number of orders that were not understood.

    An article out of order in an excerpt is not an order.
    """
    own = read.act.work if read.act is not None else None
    operations = tuple(each for each in (*read.operations, *read.doubts) if each.target.work != own)
    if own is not None and own.local.detalhe and own.tipo_documento[0] in _BELOW_LAWS:
        operations = tuple(map(_as_doubt_on_law, operations))
    orders = [
        unparsed
        for unparsed in read.left
        if unparsed.code is not UnparsedReason.COMMENCEMENT
        and (unparsed.code is not UnparsedReason.NO_TARGET or orders_change(folded(unparsed.text)))
    ]
    return operations, len(orders)
