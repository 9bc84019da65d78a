"""Commands for amending acts and consolidated texts: amendments, apply, preview, derive, blame, disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from graph import store as stores
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
from graph.errors import BadParameter, BadRecord
from graph.time.kinds import Status
from graph.urn import Name, parse
from loaders.amendments import amendments_of, text_of_file
from loaders.articulated.issuer import Origin
from loaders.articulated.reading import MAX_MIB
from queries.consolidation.blame import Blame, Step, blame
from queries.consolidation.derive import (
    ChangedProvision,
    Derivation,
    Preview,
    as_on,
    changes,
    derive,
    norms_with_operations,
    operations_on,
    preview,
    targets,
    tombstone_of,
)
from queries.consolidation.disagreements import TextDisagreement, disagreements_on
from queries.documents import document
from queries.resolution.interpretation import interpret, refuse_bad_question
from queries.text.absent import refusing_missing
from queries.text.text import text
from service.cli.context import AsJson, Authority, Exit, Known, NameArgument, Place, day
from service.cli.opening import settings, writing
from service.output import print_json, print_lines, print_message

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
_SIGNS = {"-": ("[-", "-]"), "+": ("{+", "+}")}
_HOW_TO_GIVE_ACTS = "load amending acts with `vigente load --as amendments FILE`"

_On = Annotated[str | None, typer.Option("--on", metavar="D", help="Day of the text to change; default today.")]
_BlameOn = Annotated[str | None, typer.Option("--on", metavar="D", help="Last day of the history; default today.")]
_ActName = Annotated[
    str | None, typer.Option("--name", metavar="URN", help="Name of the act, if its title does not contain it.")
]


def amendments(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Amending acts: text, HTML, DOCX, ODT, PDF, LexML XML.")
    ],
    name: _ActName = None,
    place: Place = None,
    authority: Authority = None,
    known: Known = None,
    as_json: AsJson = False,
) -> int:
    """List the operations of amending acts, and the lines that are not understood; needs no store.

    Exit code 3 if a line is not understood, or an operation is refused for another reason than a veto.
    """
    if name is not None and len(files) > 1:
        raise BadParameter("expected one file with --name, the name of one act")
    origin = Origin.of(place, authority, known or ())
    readings = [_read_amendments(file, name, origin) for file in files]
    if as_json:
        documents = [_amendments_document(reading) for reading in readings]
        print_json(documents[0] if len(documents) == 1 else {"acts": documents})
    else:
        for reading in readings:
            print_lines(_amendments_lines(reading))
            _report_unparsed(reading)
    refusals = {operation.refused for reading in readings for operation in reading.operations}
    are_read = refusals <= {None, RefusalReason.VETOED} and not any(reading.left for reading in readings)
    return Exit.ANSWERED if are_read else Exit.REFUSED


def apply_amendments(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="TEXT", help="A norm in the store, or a file with its text: LexML XML, text, HTML.")
    ],
    files: Annotated[list[Path], typer.Option("--amendments", metavar="FILE", help="An amending act; repeatable.")],
    on: _On = None,
    place: Place = None,
    authority: Authority = None,
    as_json: AsJson = False,
) -> int:
    """Apply amending acts to a norm: show the text, and the outcome of each operation."""
    asked_on = day("--on", on)
    origin = Origin.of(place, authority)
    acts = [_read_amendments(file, None, origin) for file in files]
    operations = [operation for act in acts for operation in (*act.operations, *act.doubts)]
    if Path(name).is_file():
        if asked_on is not None:
            raise BadParameter("expected --on, the day of a text in the store, or a file as TEXT, not both")
        norm, before = _text_of(Path(name), operations, origin)
    else:
        refuse_bad_question(name, asked_on)
        with stores.open(settings(context).store) as store:
            answer = text(store, name, asked_on)
            if answer.is_unknown:
                print_message(f"vigente: the store has no norm {answer.asked}")
                return Exit.UNKNOWN_NAME
            norm = parse(answer.name).work
            previewed = preview(store, norm, operations, asked_on)
        if previewed is None:
            print_message(f"vigente: the store has no text of {norm} for that day")
            return Exit.UNKNOWN_NAME
        before = list(previewed.before)
    on_norm = operations_on(norm, operations)
    applied = apply(before, on_norm)
    others = targets(operation for operation in operations if as_on(norm, operation) is None)
    if as_json:
        print_json(
            {**_applied_document(norm, applied), "other_targets": [other_norm.canonical for other_norm in others]}
        )
    else:
        print_lines(_applied_lines(norm, changes(before, applied.parts), applied))
        for other_norm in others:
            print_message(f"vigente: operations on {other_norm} are not applied: it is another norm")
        for act in acts:
            _report_unparsed(act)
    is_certain = bool(on_norm) and applied.is_certain and not any(act.left for act in acts)
    return Exit.ANSWERED if is_certain else Exit.REFUSED


def preview_bill(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="BILL", help="A bill or act: LexML XML, text, HTML, DOCX, ODT, PDF.")],
    on: _On = None,
    name: _ActName = None,
    place: Place = None,
    authority: Authority = None,
    as_json: AsJson = False,
) -> int:
    """Apply a bill to the norms in the store: show the changes, and the refused operations."""
    asked_on = day("--on", on)
    act = _read_amendments(file, name, Origin.of(place, authority))
    previews: list[Preview] = []
    missing: list[Name] = []
    with stores.open(settings(context).store) as store:
        for norm in targets(act.operations):
            previewed = preview(store, norm, act.operations, asked_on)
            if previewed is None:
                missing.append(norm)
            else:
                previews.append(previewed)
    if as_json:
        print_json(
            {
                "act": None if act.act is None else act.act.canonical,
                "on": None if asked_on is None else asked_on.isoformat(),
                "norms": [_preview_document(previewed) for previewed in previews],
                "not_found": [norm.canonical for norm in missing],
                "not_understood": [_unparsed_document(unparsed) for unparsed in act.left],
            }
        )
    else:
        for previewed in previews:
            print_lines(_applied_lines(previewed.name, previewed.changes, previewed.applied))
        for norm in missing:
            print_message(f"vigente: the store has no text of {norm} for that day")
        _report_unparsed(act)
    if not previews:
        return Exit.UNKNOWN_NAME
    certain = not missing and not act.left and all(previewed.applied.is_certain for previewed in previews)
    return Exit.ANSWERED if certain else Exit.REFUSED


def derive_texts(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="Norms; default all norms that acts in the store amend."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Derive texts of norms from the amending acts in the store, and keep them with the published ones."""
    for name in names or ():
        refuse_bad_question(name)
    with writing(settings(context)) as store:
        norms: list[Name] = []
        for name in names or ():
            understood = interpret(store, name)
            if understood.name is None:
                print_message(f"vigente: the store has no norm {name}")
                return Exit.UNKNOWN_NAME
            norms.append(understood.name.work)
        norms = norms or norms_with_operations(store)
        store.apply([old for norm in norms if store.has_graph((old := tombstone_of(norm)).source.iri)])
        derivations = [derive(store, norm) for norm in norms]
        store.apply([each.record for each in derivations if each.record.document is not None])
    if as_json:
        print_json({"norms": [_derivation_document(derivation) for derivation in derivations]})
    else:
        print_lines(line for derivation in derivations for line in _derivation_lines(derivation))
    if not norms:
        print_message(f"vigente: no act in the store changes a norm; {_HOW_TO_GIVE_ACTS}")
    return Exit.ANSWERED if norms and all(derivation.complete for derivation in derivations) else Exit.REFUSED


def show_blame(context: typer.Context, name: NameArgument, on: _BlameOn = None, as_json: AsJson = False) -> int:
    """Show the history of the wording of a norm or provision: each change with its act and day."""
    asked_on = day("--on", on)
    refuse_bad_question(name, asked_on)
    with stores.open(settings(context).store) as store, refusing_missing(store):
        report = blame(store, name, asked_on)
    if as_json:
        print_json(
            {
                "name": report.name,
                "on": report.on.isoformat(),
                "steps": [_step_document(step) for step in report.steps],
                "provisions": [{"provision": line.provision, **_step_document(line.step)} for line in report.lines],
            }
        )
    else:
        print_lines(_blame_lines(report))
    return Exit.ANSWERED


def show_disagreements(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A norm; default every norm with texts of several sources.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List where sources and amending acts disagree on the text of a norm, with both texts."""
    if name is not None:
        refuse_bad_question(name)
    with stores.open(settings(context).store) as store:
        rows = disagreements_on(store, name)
    if as_json:
        print_json({"rows": [document(row) for row in rows]})
    else:
        print_lines(_disagreement_lines(rows))
    return Exit.ANSWERED


def _file_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read((MAX_MIB << 20) + 1)
    except OSError as error:
        raise BadParameter(f"{file.name} cannot be read: {error.strerror or error}") from None


def _read_amendments(file: Path, name: str | None, origin: Origin) -> Amendments:
    act = parse(name) if name is not None else None
    try:
        return amendments_of(_file_bytes(file), file.name, act, origin)
    except BadRecord as error:
        raise BadParameter(f"{file.name}: {error.problem}; expected {error.expected}") from None


def _text_of(file: Path, operations: Sequence[Operation], origin: Origin) -> tuple[Name, list[TextPart]]:
    """Return the text of a file, and its norm: the one that it names, or the only target of the operations."""
    try:
        norm, parts = text_of_file(_file_bytes(file), file.name, origin)
    except BadRecord as error:
        raise BadParameter(f"{file.name}: {error.problem}; expected {error.expected}") from None
    if norm is None:
        changed = targets(operations)
        if len(changed) != 1:
            raise BadParameter(f"{file.name} does not name its norm: expected a title such as Lei nº 1")
        [norm] = changed
        print_message(
            f"vigente: {file.name} does not name its norm; it is taken for the only norm that changes: {norm}"
        )
    return norm.work, parts


def _report_unparsed(amendments: Amendments) -> None:
    for left in amendments.left:
        print_message(f"vigente: line {left.line} is not understood ({left.code}): {left.text[:160]}")


# Plain text


def _amendments_lines(reading: Amendments) -> Iterator[str]:
    yield reading.act.canonical if reading.act is not None else "an act without a name"
    for operation in reading.operations:
        refused = f" [{operation.refused}]" if operation.refused is not None else ""
        words = f": {operation.text}" if operation.text is not None else ""
        becomes = f" to {operation.becomes}" if operation.becomes is not None else ""
        yield f"  {operation.kind} {operation.target}{becomes}{refused}{words}"


def _applied_lines(norm: Name, changed: Iterable[ChangedProvision], applied: AmendedText) -> Iterator[str]:
    yield norm.canonical
    for changed_text in changed:
        yield ""
        yield f"{_kind_of_change(changed_text):9} {norm}!{changed_text.fragment}"
        body = " ".join(
            words if sign == "=" else f"{_SIGNS[sign][0]}{words}{_SIGNS[sign][1]}" for sign, words in changed_text.words
        )
        if (
            changed_text.after is not None
            and changed_text.after.status is PartStatus.UNKNOWN
            and changed_text.after.reason is not None
        ):
            body = REASONS[changed_text.after.reason]
        if body:
            yield f"  {body}"
        if changed_text.after is not None and changed_text.after.made_by:
            yield f"  by {changed_text.after.made_by[-1]}"
    yield ""
    done = sum(outcome.refused is None for outcome in applied.outcomes)
    yield f"{done} of {len(applied.outcomes)} operation{'s' if len(applied.outcomes) != 1 else ''} applied"
    for outcome in applied.outcomes:
        if outcome.refused is not None:
            yield f"refused ({outcome.refused}): {outcome.operation.kind} {outcome.operation.target}"
            yield f"  {REASONS[outcome.refused]}"


def _kind_of_change(changed_text: ChangedProvision) -> str:
    if changed_text.after is None:
        return "removed"
    if changed_text.after.status is PartStatus.UNKNOWN:
        return "unknown"
    if changed_text.after.status is PartStatus.REPEALED:
        return "repealed"
    return "inserted" if changed_text.before is None else "changed"


def _derivation_lines(derivation: Derivation) -> Iterator[str]:
    yield derivation.norm.canonical
    used = f"{derivation.in_use} of them used in answers"
    yield f"  {derivation.texts} derived texts, {used}; {derivation.applied} operations applied"
    for operation, reason in derivation.refused:
        yield f"  refused ({reason}): {operation.kind} {operation.target}"
    if not derivation.acts:
        yield f"  no act in the store changes it; {_HOW_TO_GIVE_ACTS}"
    for act, count in derivation.undated.items():
        yield f"  {count} operations of {act} are not applied: no source states its publication and first day of force"
    for provision, count in derivation.with_own_day.items():
        own = "it may have a first day of force of its own, which was not read"
        yield f"  {count} operations of {provision} are not applied: {own}"
    if derivation.measures:
        undecided = "operations of provisional measures are not applied; they depend on the conversion"
        yield f"  {derivation.measures} {undecided}"
    for first_day in derivation.days_without_base_text:
        yield f"  no published text was in force on the day before {first_day}"


def _blame_lines(answer: Blame) -> Iterator[str]:
    yield answer.name
    for step in answer.steps:
        yield ""
        yield from _step_lines(step)
    for line in answer.lines if not answer.steps else ():
        yield ""
        yield line.provision
        yield from _step_lines(line.step)


def _step_lines(step: Step) -> Iterator[str]:
    status = f"{step.status}, wording unknown" if step.wording_open else str(step.status)
    derived = ", derived from acts" if step.derived else ""
    yield f"  {_step_days(step)}: {status}{derived}{_made_by(step)}"
    words = " ".join(filter(None, (step.label, step.heading, step.text)))
    if words:
        yield f"    {words}"


def _step_days(step: Step) -> str:
    if step.since is None:
        return "never in force" if step.status is Status.VACATIO else "day unknown"
    if step.until is not None:
        return f"from {step.since}, before {step.until}"
    if step.bounds is None:
        return f"from {step.since}"
    first = step.bounds.first
    return f"from a day between {first} and {step.since}" if first is not None else f"at least from {step.since}"


def _made_by(step: Step) -> str:
    if step.act is not None:
        return f", by {step.act}"
    if step.status is Status.UNKNOWN or step.wording_open:
        return ""
    return ", original text" if step.original else ", by an act that no source names"


def _disagreement_lines(rows: Iterable[TextDisagreement]) -> Iterator[str]:
    none = True
    for row in rows:
        none = False
        yield f"{row.code} {row.provision}"
        for side in (row.a, row.b):
            yield f"  {side.origin or side.source}: {side.act or 'no act'}: {side.text or 'no words'}"
    if none:
        yield "no disagreement"


# JSON


def _derivation_document(derivation: Derivation) -> dict[str, object]:
    refused = [
        {**operation_document(operation), "refused": _refusal_document(reason)}
        for operation, reason in derivation.refused
    ]
    return {
        "name": derivation.norm.canonical,
        "texts": derivation.texts,
        "in_use": derivation.in_use,
        "applied": derivation.applied,
        "refused": refused,
        "acts": derivation.acts,
        "undated": sum(derivation.undated.values()) + sum(derivation.with_own_day.values()),
        "undated_acts": list(derivation.undated),
        "with_own_day": list(derivation.with_own_day),
        "measures": derivation.measures,
        "without_base": [first_day.isoformat() for first_day in derivation.days_without_base_text],
    }


def _step_document(step: Step) -> dict[str, object]:
    return {
        "text": step.text,
        "label": step.label,
        "heading": step.heading,
        "status": step.status.value,
        "from": _day(step.since),
        "bounds": None if step.bounds is None else [_day(step.bounds.first), _day(step.bounds.last)],
        "until": _day(step.until),
        "known": step.known,
        "act": step.act,
        "original": step.original,
        "wording_open": step.wording_open,
        "source": step.source,
        "derived": step.derived,
    }


def _amendments_document(reading: Amendments) -> dict[str, object]:
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
        "refused": _refusal_document(operation.refused),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _refusal_document(reason: RefusalReason | None) -> dict[str, str] | None:
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
            "kind": _kind_of_change(change).rstrip(),
            "before": None if change.before is None else _part_document(preview.name, change.before),
            "after": None if change.after is None else _part_document(preview.name, change.after),
            "words": [[sign, words] for sign, words in change.words],
        }
        for change in preview.changes
    ]
    version = preview.answer.version
    return {**_applied_document(preview.name, preview.applied), "version": version, "changes": changed}
