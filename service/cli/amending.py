"""The command that lists what an amending act changes: amendments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from graph.amendments import Amendments, Left, Operation
from graph.errors import BadParameter, BadRecord
from graph.urn import parse
from loaders.amendments import amendments_of
from loaders.articulated.reading import MAX_MIB
from service.cli.context import AsJson, Exit
from service.output import put_json, put_lines, say

_REFUSALS = {
    "vetoed": "the words were vetoed: the provision is not there",
    "ambiguous-scope": "the quotation begins below an article, and the formula does not say in which provision",
}


def amendments(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Amending acts: text, HTML, DOCX, LexML XML.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="URN", help="The act's name, where its title does not spell it.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List what amending acts change, and what of them is not understood; needs no store."""
    if name is not None and len(files) > 1:
        raise BadParameter("expected one file with --name, which is of one act")
    act = parse(name) if name is not None else None
    found: list[Amendments] = []
    for file in files:
        try:
            with file.open("rb") as stream:
                found.append(amendments_of(stream.read((MAX_MIB << 20) + 1), file.name, act))
        except BadRecord as error:
            raise BadParameter(f"{file.name}: {error.problem}; expected {error.expected}") from None
        except OSError as error:
            raise BadParameter(f"{file.name} cannot be read: {error.strerror or error}") from None
    if as_json:
        documents = [_document(one) for one in found]
        put_json(documents[0] if len(documents) == 1 else {"acts": documents})
    else:
        for one in found:
            _told(one)
    return Exit.REFUSED if any(one.left for one in found) else Exit.ANSWERED


def _told(one: Amendments) -> None:
    put_lines(_lines(one))
    for left in one.left:
        say(f"vigente: line {left.line} is not understood ({left.code}): {left.text[:160]}")


def _lines(one: Amendments) -> Iterator[str]:
    yield one.act.canonical if one.act is not None else "an act without a name"
    for operation in one.operations:
        refused = f" [{operation.refused}]" if operation.refused is not None else ""
        words = f": {operation.text}" if operation.text is not None else ""
        yield f"  {operation.kind} {operation.target}{refused}{words}"


def _document(one: Amendments) -> dict[str, object]:
    return {
        "act": None if one.act is None else one.act.canonical,
        "operations": [_operation(each) for each in one.operations],
        "not_understood": [_left(each) for each in one.left],
    }


def _operation(one: Operation) -> dict[str, object]:
    refused = None
    if one.refused is not None:
        refused = {"code": one.refused.value, "message": _REFUSALS[one.refused.value]}
    day = None if one.effect is None else one.effect.isoformat()
    return {
        "source": None if one.source is None else one.source.canonical,
        "target": one.target.canonical,
        "kind": one.kind.value,
        "label": one.label,
        "heading": one.heading,
        "text": one.text,
        "replaced": one.replaced,
        "position": None if one.position is None else one.position.canonical,
        "effect": {"from": day, "until": None, "stated": day is not None},
        "known": None if one.known is None else one.known.isoformat(),
        "line": one.line,
        "refused": refused,
    }


def _left(one: Left) -> dict[str, object]:
    return {"line": one.line, "text": one.text, "code": one.code.value}


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("amendments")(amendments)
