"""The text of a norm in the store as it would read after operations of an amending act or a bill."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.amendments import Applied, Operation, PartStatus, TextPart, apply
from graph.store import Store
from graph.urn import Fragmento, Name, parse
from queries.text.answers import ProvisionText, Sign, TextAnswer
from queries.text.comparison import marked, words_of
from queries.text.text import text

#: The transitional provisions are an annex of the constitution in its texts, and a norm by themselves in citations.
CONSTITUTION = "urn:lex:br:federal:constituicao:1988-10-05;1988"
TRANSITIONAL = "urn:lex:br:federal:ato.disposicoes.constitucionais.transitorias:1988-10-05;1988"
_ANNEX = "anx1"
_OCCUPANT = re.compile(r",[^_]*")


@dataclass(frozen=True, slots=True)
class Changed:
    """A provision that reads otherwise after operations.

    Attributes:
        before, after: how it reads; None where it is not in the text.
        words: of both in order, each with ``=`` (both), ``-`` (before) or ``+`` (after).
    """

    fragment: str
    before: TextPart | None
    after: TextPart | None
    words: tuple[tuple[Sign, str], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A norm before and after operations.

    Attributes:
        name: the norm.
        answer: the text that they were applied to, with its notices.
        before: its provisions.
        applied: what came out.
        changes: the provisions that read otherwise, in the order of the text.
    """

    name: Name
    answer: TextAnswer
    before: tuple[TextPart, ...]
    applied: Applied
    changes: tuple[Changed, ...]


def preview(store: Store, norm: Name, operations: Iterable[Operation], on: date | None = None) -> Preview | None:
    """How a norm reads after operations on the text in force on a day.

    Args:
        store: an opened store.
        norm: the norm.
        operations: of one or several acts; those on other norms are left out.
        on: a civil date; default today.

    Returns:
        The text before and after; None where the store has no text of the norm for that day.
    """
    answer = text(store, norm.work, on)
    before = text_parts(answer)
    if not before:
        return None
    applied = apply(before, operations_on(norm.work, operations))
    return Preview(norm.work, answer, tuple(before), applied, tuple(changes(before, applied.parts)))


def text_parts(answer: TextAnswer) -> list[TextPart]:
    """The provisions of a text of the store, as operations are applied to them."""
    found: list[TextPart] = []
    above: list[str] = []
    for one in answer.provisions:
        fragment = place_of(one.name.partition("!")[2])
        del above[max(one.level - 1, 0) :]
        found.append(
            TextPart(
                fragment,
                above[-1] if above else None,
                one.label,
                one.heading,
                one.text,
                status=_status(one),
            )
        )
        above.append(fragment)
    return found


def place_of(fragment: str) -> str:
    """The place of a provision, which several may have had one after the other (docs/reference/names.md).

    >>> place_of("art65_cpt_inc2,lei-13853-2019-07-08")
    'art65_cpt_inc2'
    """
    return _OCCUPANT.sub("", fragment)


def _status(one: ProvisionText) -> PartStatus:
    if one.undecided or one.omitted:
        return PartStatus.UNKNOWN
    return PartStatus.REPEALED if one.situation == "revogado" else PartStatus.IN_FORCE


def operations_on(norm: Name, operations: Iterable[Operation]) -> list[Operation]:
    """The operations on a norm, in the order of their effect where every one has a day."""
    found = [moved for one in operations if (moved := in_annex(one)).target.work == norm]
    days = [one.effect for one in found]
    if all(day is not None for day in days):
        return sorted(found, key=lambda one: one.effect or date.max)
    return found


def targets(operations: Iterable[Operation]) -> list[Name]:
    """The norms that operations are on, each once."""
    return list(dict.fromkeys(in_annex(one).target.work for one in operations))


def in_annex(operation: Operation) -> Operation:
    """An operation on the transitional provisions as one on the annex of the constitution."""
    if operation.target.work.canonical != TRANSITIONAL:
        return operation
    return replace(
        operation,
        target=_annexed(operation.target),
        position=_annexed(operation.position) if operation.position is not None else None,
        becomes=_annexed(operation.becomes) if operation.becomes is not None else None,
        group=f"{_ANNEX}_{operation.group}" if operation.group is not None else None,
    )


def _annexed(name: Name) -> Name:
    fragment = name.canonical.partition("!")[2]
    inner = f"{_ANNEX}_{fragment}" if fragment else _ANNEX
    return parse(CONSTITUTION).with_fragmento(Fragmento((inner,)))


def changes(before: Sequence[TextPart], after: Sequence[TextPart]) -> Iterator[Changed]:
    """The provisions that read otherwise, in the order of the text after; what is gone comes last."""
    old = {one.fragment: one for one in before}
    for one in after:
        was = old.pop(one.fragment, None)
        if was is None or _reads(was) != _reads(one):
            yield Changed(one.fragment, was, one, tuple(marked(_words(was), _words(one))))
    for gone in old.values():
        yield Changed(gone.fragment, gone, None, tuple(marked(_words(gone), [])))


def _reads(one: TextPart) -> tuple[object, ...]:
    return one.label, one.heading, one.text, one.status


def _words(one: TextPart | None) -> list[str]:
    return words_of(one.label, one.heading, one.text) if one is not None else []
