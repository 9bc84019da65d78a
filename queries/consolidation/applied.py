"""Acts and bills applied to texts, as answers: the outcome of each operation, the changes, and their JSON documents.

docs/reference/amendments.md describes the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from graph.amendments import (
    AmendedText,
    Amendments,
    Operation,
    Outcome,
    PartStatus,
    RefusalReason,
    Rest,
    TextPart,
    UnparsedText,
    apply,
)
from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name, parse
from queries.consolidation.derive import (
    ChangedProvision,
    Preview,
    as_on,
    changes,
    norm_meant,
    operations_on,
    preview,
    targets,
)
from queries.documents import document
from queries.text.text import text

#: Why an operation is not applied, or a provision is unknown.
REASONS: dict[RefusalReason | Rest, str] = {
    RefusalReason.VETOED: "the provision was vetoed and is not part of the text",
    RefusalReason.AMBIGUOUS_SCOPE: "the quotation begins below an article, has another article than the formula, or"
    " names a grouping that exists several times, and the formula does not identify the provision",
    RefusalReason.AMBIGUOUS_LABEL: "the letter after the number may belong to the label or be a word of the text",
    RefusalReason.PARTIAL_TEXT: "the quoted text may not be complete: dots replace some words, or a quotation mark"
    " has no pair",
    RefusalReason.NOT_QUOTED: "the order names the provision, and its quotation has no words of it",
    RefusalReason.TARGET_NOT_FOUND: "the text has neither the provision nor one that could contain it",
    RefusalReason.LABEL_TAKEN: "the text already has a provision with the label of the one to insert",
    RefusalReason.SOLE_PARAGRAPH: "a numbered paragraph cannot be inserted into an article with a sole paragraph"
    " (parágrafo único)",
    RefusalReason.WORDS_NOT_FOUND: "the provision does not have the words to replace",
    RefusalReason.IN_PART: 'the provision is repealed only in part ("na parte em que"), and its words do not change',
    RefusalReason.OVERTAKEN: "a later act changed the provision before this operation took effect, and no source states"
    " which of the two applies",
    RefusalReason.NOT_UNDERSTOOD: "the act names the provision in an order that is not understood",
    RefusalReason.WHOLE_NORM: "the whole norm is repealed, which changes none of its words",
    Rest.KEPT: "the quotation keeps it",
    Rest.GONE: "the quotation omits it",
    Rest.UNSTATED: "the quotation does not state whether this provision stays: rows of dots after the new text may mean"
    " it or those after it, or only the caput is quoted",
    Rest.UNDECIDED: "only the caput of the article is quoted, and nothing states whether this provision stays; it is"
    " shown until a source decides",
}


@dataclass(frozen=True, slots=True)
class Application:
    """A norm after the operations of acts.

    Attributes:
        name: the norm.
        applied: its provisions, and the outcome of each operation.
        changes: the provisions with changed text, in the order of the text.
        other_targets: other norms that the acts change.
        not_understood: the texts of the acts from which no operation was read.
    """

    name: Name
    applied: AmendedText
    changes: tuple[ChangedProvision, ...]
    other_targets: tuple[Name, ...]
    not_understood: tuple[UnparsedText, ...]

    @property
    def is_certain(self) -> bool:
        """Return whether the acts change the norm, all their text was understood, and every provision is known."""
        return bool(self.applied.outcomes) and self.applied.is_certain and not self.not_understood

    def as_json(self) -> dict[str, Any]:
        """Return the JSON document of docs/reference/amendments.md."""
        others = [norm.canonical for norm in self.other_targets]
        return {**_applied_document(self.name, self.applied), "other_targets": others}


@dataclass(frozen=True, slots=True)
class BillPreview:
    """The norms of a store after a bill.

    Attributes:
        act: the name of the bill; None if it is not known.
        on: the day of the texts; None for today.
        norms: the norms before and after.
        not_found: norms without a text in the store for that day.
        not_understood: the texts from which no operation was read.
    """

    act: Name | None
    on: date | None
    norms: tuple[Preview, ...]
    not_found: tuple[Name, ...]
    not_understood: tuple[UnparsedText, ...]

    @property
    def is_certain(self) -> bool:
        """Return whether the bill changes norms of the store only, and every provision is known after it."""
        return not (self.not_found or self.not_understood) and all(each.applied.is_certain for each in self.norms)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON document of docs/reference/amendments.md."""
        return {
            "act": None if self.act is None else self.act.canonical,
            "on": _day(self.on),
            "norms": [_preview_document(each) for each in self.norms],
            "not_found": [norm.canonical for norm in self.not_found],
            "not_understood": [_unparsed_document(unparsed) for unparsed in self.not_understood],
        }


def apply_acts(norm: Name, before: Sequence[TextPart], acts: Iterable[Amendments]) -> Application:
    """Return a norm after the operations of acts on a text."""
    every = list(acts)
    operations = [operation for act in every for operation in (*act.operations, *act.doubts)]
    applied = apply(before, operations_on(norm, operations))
    return Application(
        norm,
        applied,
        tuple(changes(before, applied.parts)),
        tuple(targets(operation for operation in operations if as_on(norm, operation) is None)),
        tuple(chain.from_iterable(act.left for act in every)),
    )


def apply_in_store(
    store: Store, name: str | Name, acts: Iterable[Amendments], on: date | None = None
) -> Application | None:
    """Return a norm after the operations of acts on its text in a store.

    Args:
        name: a name, a citation or a nickname.
        on: the day of the text, a civil date; default today.

    Returns:
        None if the store has no text of the norm for that day.

    Raises:
        BadName: the text is an invalid name.
        UnknownName: no record of the store mentions the norm, or the text may mean several.
    """
    answer = text(store, name, on)
    if answer.is_unknown:
        raise UnknownName(answer.asked)
    norm = parse(answer.name).work
    previewed = preview(store, norm, (), on)
    return apply_acts(norm, previewed.before, acts) if previewed is not None else None


def preview_bill(store: Store, bill: Amendments, on: date | None = None) -> BillPreview:
    """Return the norms of a store after a bill.

    Args:
        bill: its operations.
        on: the day of the texts, a civil date; default today.
    """
    norms = list(dict.fromkeys(norm_meant(store, name) for name in targets(bill.operations)))
    previews = [preview(store, norm, bill.operations, on) for norm in norms]
    missing = [norm for norm, previewed in zip(norms, previews, strict=True) if previewed is None]
    return BillPreview(bill.act, on, tuple(filter(None, previews)), tuple(missing), bill.left)


def kind_of_change(change: ChangedProvision) -> str:
    """Return how a provision changes: removed, unknown, repealed, inserted or changed."""
    if change.after is None:
        return "removed"
    if change.after.status is PartStatus.UNKNOWN:
        return "unknown"
    if change.after.status is PartStatus.REPEALED:
        return "repealed"
    return "inserted" if change.before is None else "changed"


def amendments_document(reading: Amendments) -> dict[str, object]:
    """Return the operations of an act as JSON."""
    return {
        "act": None if reading.act is None else reading.act.canonical,
        "operations": [operation_document(operation) for operation in reading.operations],
        "not_understood": [_unparsed_document(unparsed) for unparsed in reading.left],
    }


def _unparsed_document(unparsed: UnparsedText) -> dict[str, object]:
    return {key: value for key, value in document(unparsed).items() if key != "named" or value}


def operation_document(operation: Operation) -> dict[str, object]:
    """Return an operation as JSON (docs/reference/amendments.md)."""
    effect = _day(operation.effect)
    return {
        "source": None if operation.source is None else operation.source.canonical,
        "target": operation.target.canonical,
        "kind": operation.kind.value,
        "label": operation.label,
        "heading": operation.heading,
        "text": operation.text,
        "replaced": operation.replaced,
        "becomes": None if operation.becomes is None else operation.becomes.canonical,
        "position": None if operation.position is None else operation.position.canonical,
        "effect": {"from": effect, "until": None, "stated": effect is not None},
        "known": _day(operation.known),
        "line": operation.line,
        "refused": refusal_document(operation.refused),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def refusal_document(reason: RefusalReason | None) -> dict[str, str] | None:
    """Return why an operation is not applied, as JSON."""
    return None if reason is None else {"code": reason.value, "message": REASONS[reason]}


def _applied_document(norm: Name, applied: AmendedText) -> dict[str, object]:
    return {
        "name": norm.canonical,
        "provisions": [_part_document(norm, part) for part in applied.parts],
        "outcomes": [_outcome_document(outcome) for outcome in applied.outcomes],
    }


def _part_document(norm: Name, part: TextPart) -> dict[str, object]:
    return {
        "name": f"{norm}!{part.fragment}",
        "label": part.label,
        "heading": part.heading,
        "text": part.text,
        "made_by": [act.canonical for act in part.made_by],
        "status": part.status.value,
        "reason": None if part.reason is None else {"code": part.reason.value, "message": REASONS[part.reason]},
    }


def _outcome_document(outcome: Outcome) -> dict[str, object]:
    return {
        "operation": operation_document(outcome.operation),
        "applied": outcome.refused is None,
        "code": None if outcome.refused is None else outcome.refused.value,
        "message": None if outcome.refused is None else REASONS[outcome.refused],
        "touched": list(outcome.touched),
    }


def _preview_document(preview: Preview) -> dict[str, object]:
    changed = [
        {
            "provision": f"{preview.name}!{change.fragment}",
            "kind": kind_of_change(change),
            "before": None if change.before is None else _part_document(preview.name, change.before),
            "after": None if change.after is None else _part_document(preview.name, change.after),
            "words": [[sign, words] for sign, words in change.words],
        }
        for change in preview.changes
    ]
    version = preview.answer.version
    return {**_applied_document(preview.name, preview.applied), "version": version, "changes": changed}
