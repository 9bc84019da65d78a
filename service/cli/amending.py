"""Commands for amending acts and consolidated texts: amendments, apply, preview, derive, blame, disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from graph import store as stores
from graph.amendments import (
    AmendedText,
    Amendments,
    Operation,
    PartStatus,
    RefusalReason,
    TextPart,
    UnparsedText,
)
from graph.errors import BadParameter, BadRecord
from graph.store import WritableStore
from graph.time.kinds import Status
from graph.urn import Name
from loaders.acts_in_files import file_bytes, read_act_in_file, read_acts_in_file
from loaders.amendments import text_of_file
from loaders.articulated.issuer import Origin
from queries.consolidation.applied import (
    REASONS,
    Application,
    amendments_document,
    apply_acts,
    apply_in_store,
    kind_of_change,
    operation_document,
    preview_bill,
    refusal_document,
)
from queries.consolidation.blame import Blame, Step, blame
from queries.consolidation.derive import (
    ChangedProvision,
    Derivation,
    derive,
    norms_with_operations,
    targets,
    tombstone_of,
)
from queries.consolidation.disagreements import TextDisagreement, disagreements_on
from queries.documents import document
from queries.resolution.interpretation import interpret, refuse_bad_question
from queries.text.absent import refusing_missing
from service.cli.context import AsJson, Authority, Exit, Known, NameArgument, Place, day, print_answer
from service.cli.opening import settings, writing
from service.cli.timer import timer_line
from service.output import print_json, print_lines, print_message

#: The maximum number of undecided provisions that a result names.
_LISTED = 5
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
    readings = [reading for file in files for reading in read_acts_in_file(file, name, origin)]
    if as_json:
        documents = [amendments_document(reading) for reading in readings]
        print_json(documents[0] if len(documents) == 1 else {"acts": documents})
    else:
        for reading in readings:
            print_lines(_amendments_lines(reading))
            _report_unparsed(reading.left)
    if any(reading.act is None for reading in readings):
        print_message("vigente: a title does not name its act; give --name, or --place for an act of a municipality")
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
    acts = [act for file in files for act in read_acts_in_file(file, None, origin)]
    if Path(name).is_file():
        if asked_on is not None:
            raise BadParameter("expected --on, the day of a text in the store, or a file as TEXT, not both")
        operations = [operation for act in acts for operation in (*act.operations, *act.doubts)]
        done: Application | None = apply_acts(*_text_of(Path(name), operations, origin), acts)
    else:
        refuse_bad_question(name, asked_on)
        with stores.open(settings(context).store) as store:
            done = apply_in_store(store, name, acts, asked_on)
    if done is None:
        print_message(f"vigente: the store has no text of {name} for that day")
        return Exit.UNKNOWN_NAME
    if as_json:
        print_json(done.as_json())
    else:
        print_lines(_applied_lines(done.name, done.changes, done.applied))
        for other_norm in done.other_targets:
            print_message(f"vigente: operations on {other_norm} are not applied: it is another norm")
        _report_unparsed(done.not_understood)
    return Exit.ANSWERED if done.is_certain else Exit.REFUSED


def show_preview(
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
    act = read_act_in_file(file, name, Origin.of(place, authority))
    with stores.open(settings(context).store) as store:
        found = preview_bill(store, act, asked_on)
    if as_json:
        print_json(found.as_json())
    else:
        for previewed in found.norms:
            print_lines(_applied_lines(previewed.name, previewed.changes, previewed.applied))
        for norm in found.not_found:
            print_message(f"vigente: the store has no text of {norm} for that day")
        _report_unparsed(found.not_understood)
    if not found.norms:
        return Exit.UNKNOWN_NAME
    return Exit.ANSWERED if found.is_certain else Exit.REFUSED


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
        derivations = derive_again(store, norms)
    if as_json:
        print_json({"norms": [_derivation_document(derivation) for derivation in derivations]})
    else:
        print_lines(line for derivation in derivations for line in _derivation_lines(derivation))
    if not norms:
        print_message(f"vigente: no act in the store changes a norm; {_HOW_TO_GIVE_ACTS}")
    return Exit.ANSWERED if norms and all(derivation.complete for derivation in derivations) else Exit.REFUSED


def derive_again(store: WritableStore, norms: Sequence[Name]) -> list[Derivation]:
    """Derive the texts of norms, and write them in place of the earlier derived ones.

    If they are equal, the store counts as unchanged, so that no snapshot is published.
    """
    earlier = [tombstone_of(norm) for norm in norms]
    hashes, was_changed = [store.hash_of(old.source.iri) for old in earlier], store.changed
    store.apply([old for old, stored in zip(earlier, hashes, strict=True) if stored is not None])
    with timer_line("derive"):
        derivations = [derive(store, norm) for norm in norms]
        store.apply([each.record for each in derivations if each.record.document is not None])
    if hashes == [store.hash_of(old.source.iri) for old in earlier]:
        store.finish()
        store.changed = was_changed
    return derivations


def show_blame(context: typer.Context, name: NameArgument, on: _BlameOn = None, as_json: AsJson = False) -> int:
    """Show the history of the wording of a norm or provision: each change with its act and day."""
    asked_on = day("--on", on)
    refuse_bad_question(name, asked_on)
    with stores.open(settings(context).store) as store, refusing_missing(store):
        report = blame(store, name, asked_on)
    return print_answer(report, _blame_lines(report), as_json=as_json)


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
    with stores.open(settings(context).store) as store, timer_line("disagreements"):
        rows = disagreements_on(store, name)
    if as_json:
        print_json({"rows": [document(row) for row in rows]})
    else:
        print_lines(_disagreement_lines(rows))
    return Exit.ANSWERED


def _text_of(file: Path, operations: Sequence[Operation], origin: Origin) -> tuple[Name, list[TextPart]]:
    """Return the text of a file, and its norm: the one that it names, or the only target of the operations."""
    try:
        norm, parts = text_of_file(file_bytes(file), file.name, origin)
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


def _report_unparsed(unparsed: Iterable[UnparsedText]) -> None:
    for left in unparsed:
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
        yield f"{kind_of_change(changed_text):9} {norm}!{changed_text.fragment}"
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
    undecided = [part.fragment for part in applied.parts if part.status is PartStatus.UNKNOWN]
    if undecided:
        more = f" and {len(undecided) - _LISTED} more" if len(undecided) > _LISTED else ""
        yield f"undecided in the text: {', '.join(undecided[:_LISTED])}{more}"


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
        {**operation_document(operation), "refused": refusal_document(reason)}
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
