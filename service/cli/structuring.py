"""The command structure, which converts texts to LexML XML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from graph.errors import BadParameter, BadRecord
from graph.urn import Name, parse
from graph.wording.drafting import DraftedProvision
from loaders.amendments import changed_norms
from loaders.articulated.issuer import Origin
from loaders.articulated.lexml import current_wordings, to_xml
from loaders.articulated.notes import Note
from loaders.articulated.occurrences import Occurrence
from loaders.articulated.reading import MAX_MIB, ArticulatedText, read_acts
from service.cli.context import AsJson, Authority, Exit, Place
from service.cli.drafting import report
from service.cli.output_file import checked_output
from service.output import print_json, print_message


def structure(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Text, HTML, DOCX, ODT, PDF, or JSON of the LexML editor.")
    ],
    name: Annotated[
        str | None, typer.Option(metavar="URN", help="Name of the norm, if its title does not contain it.")
    ] = None,
    place: Place = None,
    authority: Authority = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="OUT.xml", help="Output file; default stdout.")
    ] = None,
    validate: Annotated[
        bool, typer.Option("--validate", help="Show where the text does not follow the rules of drafting; no XML.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Convert an articulated text to LexML XML, and report each line that is not placed; needs no store.

    Exit code 3 if a line is not placed, or begins like a label that cannot be read, or no provision is recognised.
    """
    if validate and output is not None:
        raise BadParameter("expected --validate or --output, got both")
    written = checked_output(output or "-", inputs=[file])
    origin = Origin.of(place, authority)
    try:
        with file.open("rb") as stream:
            raw = stream.read((MAX_MIB << 20) + 1)
        read, *others = read_acts(raw, origin)
    except BadRecord as error:
        raise BadParameter(f"{file.name}: {error.problem}; expected {error.expected}") from None
    except OSError as error:
        raise BadParameter(f"{file} cannot be read: {error.strerror or error}") from None
    document_name: Name | None = parse(name) if name is not None else read.name
    if validate:
        own = (occurrence for occurrence in read.text.provisions if not occurrence.struck)
        drafted = [DraftedProvision(each.id, each.label, each.text, each.line) for each in own]
        return report(drafted, document_name, as_json=as_json)
    xml, left = to_xml(read.text, document_name, changed_norms(read.text, document_name, origin))
    not_placed = [{"line": line, "text": text} for line, text in read.text.not_placed]
    not_placed += [{"line": occurrence.line, "text": _words(occurrence)} for occurrence in left]
    not_placed.sort(key=lambda row: int(str(row["line"])))
    if output is not None or not as_json:
        with written.writing() as stream:
            stream.write(xml)
    if as_json:
        provisions = [_document(provision, document_name) for provision in read.text.provisions]
        print_json(
            {
                "name": None if document_name is None else document_name.canonical,
                "provisions": provisions,
                "not_placed": not_placed,
                "beside": [{"line": line, "text": text} for line, text in read.text.beside],
                "out_of_sequence": [
                    {
                        "line": doubt.line,
                        "text": doubt.text,
                        "provision": doubt.provision,
                        "read_as_label": doubt.is_label,
                    }
                    for doubt in read.text.doubts
                ],
                "notes": [_note(note, document_name) for note in read.text.notes],
                "other_acts": [_other_act(act) for act in others],
            }
        )
    else:
        for row in not_placed:
            print_message(f"vigente: {file.name}, line {row['line']} is not placed: {str(row['text'])[:160]}")
        for doubt in read.text.doubts:
            where = "read as" if doubt.is_label else "kept in the text of"
            message = f"line {doubt.line} begins like a label out of sequence, {where} {doubt.provision}: {doubt.text}"
            print_message(f"vigente: {file.name}, {message}")
        if earlier := _earlier_wordings(read.text.provisions):
            where = ", ".join(str(each.line) for each in earlier[:_MOST_LINES])
            more = f" and {len(earlier) - _MOST_LINES} more" if len(earlier) > _MOST_LINES else ""
            message = (
                f"{len(earlier)} struck wordings are not in the XML (lines {where}{more}); `vigente load` keeps them"
            )
            print_message(f"vigente: {file.name}: {message}")
        if count := sum(len(each.notes) for each in read.text.provisions if not each.struck):
            print_message(
                f"vigente: {file.name}: {count} notes on changes are not in the XML; `vigente load` keeps them"
            )
        for act in map(_other_act, others):
            message = (
                f"line {act['line']} begins another act, {act['title']}: it is not written; `vigente load` reads it"
            )
            print_message(f"vigente: {file.name}, {message}")
        if document_name is None:
            advice = "give --name, or --place, so that the document can be loaded"
            print_message(f"vigente: the title does not name the norm; {advice}")
    is_understood = any(provision.prefix in _LABELLED for provision in read.text.provisions)
    if not is_understood:
        print_message(f"vigente: {file.name}: expected an article or a numbered item, got none")
    is_sure = not not_placed and not others and all(doubt.is_label for doubt in read.text.doubts)
    return Exit.ANSWERED if is_understood and is_sure else Exit.REFUSED


def _other_act(act: ArticulatedText) -> dict[str, object]:
    """Return the line and title of a further act of a file, and its name if the title states it."""
    epigraph = act.text.first("epigrafe")
    line = epigraph.line if epigraph is not None else act.text.provisions[0].line if act.text.provisions else None
    title = epigraph.text if epigraph is not None else None
    return {"line": line, "title": title, "name": None if act.name is None else act.name.canonical}


#: The maximum number of lines that a message names.
_MOST_LINES = 40


def _earlier_wordings(provisions: Sequence[Occurrence]) -> list[Occurrence]:
    """Return the struck wordings that no LexML XML of the current text has; the caput stands for its article."""
    now, left = current_wordings(provisions)
    used = {id(each) for each in (*now, *left)}
    return [each for each in provisions if each.struck and id(each) not in used and each.prefix != "art"]


#: The kinds of provisions that a text has at least one of.
_LABELLED = frozenset({"art", "dpg"})


def _words(occurrence: Occurrence) -> str:
    return " ".join(filter(None, (occurrence.label, occurrence.heading, occurrence.text)))


def _document(occurrence: Occurrence, norm: Name | None) -> dict[str, object]:
    return {
        "id": occurrence.id,
        "label": occurrence.label,
        "heading": occurrence.heading,
        "text": occurrence.text,
        "line": occurrence.line,
        "struck": occurrence.struck,
        "notes": [_note(note, norm) for note in occurrence.notes],
    }


def _note(note: Note, norm: Name | None) -> dict[str, object]:
    act = note.act
    named = act.name_in(norm) if act is not None and norm is not None else None
    return {
        "kind": note.kind.value,
        "text": note.text,
        "act": None if named is None else named.canonical,
        "href": note.href,
        "struck": note.struck,
    }
