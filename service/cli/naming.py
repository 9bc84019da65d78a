"""Commands that need no store: name parse, canonical, label and from-epigraph; cite."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graph.errors import BadParameter
from graph.wording.citations import Citation, LeftOut, RangeEnd, read_citations
from graph.wording.citations.values import NO_AUTHORITY
from service.cli.context import AsJson, Authority, Exit, Known, Place, UrnArgument, day, print_document
from service.documents import (
    canonical_document,
    citations_document,
    context_of,
    epigraph_document,
    label_document,
    parts_document,
)
from service.output import print_json, print_lines, terminal_width
from service.render.tables import table

# The values of absent parts of a name.
_EMPTY_VALUES: tuple[object, ...] = (None, False, [])
#: The largest text that ``cite`` reads, in bytes.
LARGEST_TEXT = 32 << 20


def name_parse(name: UrnArgument, as_json: AsJson = False) -> int:
    """Show the parts of a name, with the field names of the grammar."""
    parts = parts_document(name)
    if as_json:
        print_json(parts)
        return Exit.ANSWERED
    fragment = parts["fragmento"]
    if isinstance(fragment, dict):  # a range as it is written in a name
        written = [part if isinstance(part, str) else f"[{','.join(part)}]" for part in fragment["partes"]]
        parts = {**parts, "fragmento": {**fragment, "partes": written}}
    rows = [(key, _part_text(value)) for key, value in parts.items() if value not in _EMPTY_VALUES]
    print_lines(table(("part", "value"), rows, terminal_width()))
    return Exit.ANSWERED


def _part_text(value: object) -> str:
    """Return a part of a name as text on one line."""
    if isinstance(value, (list, tuple)):
        return "; ".join(_part_text(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_part_text(part)}" for key, part in value.items() if part not in _EMPTY_VALUES)
    return str(value)


def name_canonical(name: UrnArgument, as_json: AsJson = False) -> int:
    """Show the canonical spelling of a name."""
    document = canonical_document(name)
    return print_document(document, "canonical", as_json=as_json)


def name_label(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name urn:lex:..., or ids of provisions: art5_cpt_inc2.")
    ],
    context: Annotated[
        str | None, typer.Option(metavar="ID", help="The provision that contains the label, for ids of provisions.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show a name in words: in Portuguese and English; its provision also in short form and as a printed label."""
    document = label_document(name, context, prefix="--")
    return print_document(document, "label", as_json=as_json)


def name_from_epigraph(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="An epigraph: LEI Nº 11.705, DE 19 DE JUNHO DE 2008.")],
    place: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Place of the authority, if not federal: sp;campinas.")
    ] = None,
    authority: Annotated[
        str | None, typer.Option(metavar="BODY", help="Issuing authority: STF, senado.federal.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show the name that an epigraph states."""
    document = epigraph_document(text, place, authority)
    return print_document(document, "name", as_json=as_json)


def list_citations(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A text in Portuguese, or `-` for standard input.")],
    norm: Annotated[
        str | None, typer.Option(metavar="NAME", help="The norm that contains the text: what `desta Lei` means.")
    ] = None,
    provision: Annotated[
        str | None, typer.Option(metavar="ID", help="The provision that contains the text: art5_par2.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="D", help="Day of the text; it decides between norms with the same nickname.")
    ] = None,
    place: Place = None,
    authority: Authority = None,
    known: Known = None,
    as_json: AsJson = False,
) -> int:
    """List the citations in a text, each with its name and position, and what was not named, with the reason."""
    context = context_of(
        norm, provision, day("--on", on), place=place, authority=authority, known=known or (), prefix="--"
    )
    full_text = _text(text)
    if as_json:
        print_json(citations_document(full_text, context))
    else:
        cited = read_citations(full_text, context)
        rows: list[tuple[str, str, str, str]] = []
        for citation in cited.citations:
            rows.append((_offsets(citation), _one_line_text(citation), citation.name, f"{citation.confidence:g}"))
            rows += [(_offsets(end), _one_line_text(end), end.name, "") for end in citation.ends]
        print_lines(table(("where", "text", "name", "sure"), rows, terminal_width()) if rows else ["no citation found"])
        unread = [
            (_offsets(citation), _one_line_text(citation), citation.reason)
            for citation in cited.citations
            if citation.reason is not None and citation.confidence <= NO_AUTHORITY
        ]
        if unread:
            print_lines(["", *table(("where", "text", "unsure because"), unread, terminal_width())])
        left = [(_offsets(words), _one_line_text(words), words.code.value) for words in cited.left_out]
        if left:
            print_lines(["", *table(("where", "text", "left out because"), left, terminal_width())])
    return Exit.ANSWERED


def _offsets(cited: Citation | LeftOut | RangeEnd) -> str:
    return f"{cited.start}-{cited.end}"


def _one_line_text(cited: Citation | LeftOut | RangeEnd) -> str:
    return " ".join(cited.text.split())


def _text(text: str) -> str:
    """Return the text, or the content of standard input for ``-``.

    Raises:
        BadParameter: it is too large, or not UTF-8.
    """
    if text != "-":
        return text
    raw = sys.stdin.buffer.read(LARGEST_TEXT + 1)
    if len(raw) > LARGEST_TEXT:
        raise BadParameter(f"expected at most {LARGEST_TEXT >> 20} MiB of text, got more")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadParameter(f"expected UTF-8, got byte 0x{raw[error.start]:02X} at {error.start}") from None
