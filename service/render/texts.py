"""Texts as plain text, HTML and LexML XML; differences as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from itertools import groupby
from xml.sax.saxutils import quoteattr

from graph.wording.marks import situation_mark
from graph.wording.provisions import element_of
from graph.wording.tables import Row, cells_of, paragraphs_and_tables
from queries.messages import message
from queries.notices import NoTextInForce, any_of
from queries.reasons import DECLARATION, are_declarations
from queries.text.answers import Change, ChangeKind, Difference, ProvisionText, TextAnswer
from service.output import shown
from service.render.answers import EVENT_TEXTS, answer_text, axis_lines, notice_lines, reason_lines, status_text

_INDENT = "  "
_SIGNS = {"-": ("[-", "-]"), "+": ("{+", "+}")}
_SCHEMA = "http://www.lexml.gov.br/1.0"


def text_lines(answer: TextAnswer, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a text: name, day, version and axes; its provisions; then reasons, at most five sources, and
    notices.

    Args:
        answer: the text.
        published: as for :func:`in_force_lines`.
    """
    yield answer.name
    if answer.on is not None:
        yield f"  on {answer.on}, as known on {answer.as_known}: {answer_text(answer, published)}"
    if answer.version is not None:
        yield f"  version    {answer.version}"
    yield from axis_lines(answer.force, answer.efficacy)
    if answer.provisions:
        yield ""
    if answer.provisions and "!" not in answer.name:
        yield from filter(None, [_notes_on(answer, answer.name)])
    marks = answer.marks
    for provision in answer.provisions:
        for line in filter(None, (*_paragraphs(provision, marks), _notes_on(answer, provision.name))):
            yield f"{_INDENT * (provision.level - 1)}{line}"
    if answer.provisions:
        yield ""
    for reason in answer.because:
        yield from reason_lines(reason, answer.force)
    for source in answer.sources[:5]:
        yield f"  source     {source}"
    yield from notice_lines(answer.notices)


def _notes_on(answer: TextAnswer, name: str) -> str:
    """Return the notes of publishers on one norm or provision, struck ones marked; empty without notes."""
    notes = [note for note in answer.notes if note.provision == name]
    return " ".join(f"[-({shown(note.text)})-]" if note.struck else f"({shown(note.text)})" for note in notes)


def _paragraphs(provision: ProvisionText, marks: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield a line for each paragraph, then the mark; the label is in the first line of the text."""
    lines = [*provision.lines, *_marks(provision, marks or {})]
    if provision.label is not None and not provision.grouping:
        index = lines.index(provision.label)
        if not any(cells_of(line) for line in lines[index + 1 : index + 2]):
            lines[index : index + 2] = [" ".join(lines[index : index + 2])]
    yield from map(shown, lines)


def _marks(provision: ProvisionText, marks: Mapping[str, str]) -> Iterator[str]:
    """Yield what a text shows besides the words of a provision, or in their place.

    Args:
        marks: the situations of the marked provisions, by name.
    """
    if provision.omitted:
        yield "(...)"
    if provision.undecided:
        yield "(undecided)"
    if provision.name in marks:
        yield f"({situation_mark(marks[provision.name], provision.name)})"


def text_html(answer: TextAnswer) -> str:
    """Return the text as one HTML document, with an anchor for each provision."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="pt-BR"><head><meta charset="utf-8">',
        f"<title>{escape(answer.version or answer.name)}</title></head><body>",
        f"<h1>{escape(answer.name)}</h1>",
    ]
    if answer.on is not None:
        parts.append(f"<p>{escape(f'{answer.on} ({answer.as_known}): {status_text(answer.status)}')}</p>")
    parts.extend(f"<p>{escape(line.strip())}</p>" for line in axis_lines(answer.force, answer.efficacy))
    marks = answer.marks
    noted = {note.provision for note in answer.notes}
    if answer.name in noted - {provision.name for provision in answer.provisions}:
        parts.append(f"<p>{escape(_notes_on(answer, answer.name))}</p>")
    for provision in answer.provisions:
        fragment = provision.name.rpartition("!")[2]
        label = f"<b>{escape(provision.label)}</b> " if provision.label else ""
        heading = f"{escape(provision.heading)}<br>" if provision.heading else ""
        words = _html_text("\n".join(filter(None, (provision.text, *_marks(provision, marks)))))
        tag = "div" if "<table>" in words else "p"
        margin = f"margin-left:{2 * (provision.level - 1)}em"
        parts.append(f"<{tag} id={quoteattr(fragment)} style={quoteattr(margin)}>{label}{heading}{words}</{tag}>")
        if provision.name in noted:
            parts.append(f"<p style={quoteattr(margin)}><small>{escape(_notes_on(answer, provision.name))}</small></p>")
    parts.extend(
        f"<p><small>{escape(message(notice))} ({escape(notice.code)})</small></p>" for notice in answer.notices
    )
    return "\n".join([*parts, "</body></html>", ""])


def _html_text(words: str) -> str:
    """Return a text as HTML, with line breaks between its paragraphs and its tables as tables."""
    blocks = groupby(paragraphs_and_tables(words.split("\n")), key=lambda block: isinstance(block, str))
    return "".join(
        "<br>".join(escape(block) for block in group if isinstance(block, str))
        if is_text
        else "".join(_table(block) for block in group if not isinstance(block, str))
        for is_text, group in blocks
    )


def _table(rows: Sequence[Row]) -> str:
    cells = ("".join(f"<td>{escape(cell, quote=False)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _xml_blocks(text: str) -> str:
    """Return a text as paragraphs and tables of LexML XML."""
    return "".join(
        f"<p>{escape(block, quote=False)}</p>" if isinstance(block, str) else _table(block)
        for block in paragraphs_and_tables(text.split("\n"))
    )


def text_xml(answer: TextAnswer) -> str:
    """Return the text as LexML XML (LexML part 3): metadata with the name, then the provisions in order."""
    fragment = "!" + answer.name.rpartition("!")[2] if "!" in answer.name else ""
    name = quoteattr(answer.version + fragment if answer.version else answer.name)
    asked = f"on {answer.on}, as known on {answer.as_known}: " if answer.on is not None else ""
    comment = f"{asked}{status_text(answer.status)}; {' '.join(notice.code for notice in answer.notices)}"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {comment.replace('--', '- -')} -->",
        f'<LexML xmlns="{_SCHEMA}" xmlns:xlink="http://www.w3.org/1999/xlink">',
        f"<Metadado><Identificacao URN={name}/></Metadado>",
        "<Norma>",
        *_elements(answer.provisions, answer.marks),
        "</Norma>",
        "</LexML>",
        "",
    ]
    return "\n".join(lines)


def _elements(provisions: tuple[ProvisionText, ...], marks: Mapping[str, str]) -> Iterator[str]:
    initial = [p for p in provisions if element_of(_fragment(p)) in _INITIAL]
    if initial:
        yield "<ParteInicial>"
        for part in initial:
            element = element_of(_fragment(part))
            yield f"<{element} id={quoteattr(_fragment(part))}>{_inner_markup(part)}</{element}>"
        yield "</ParteInicial>"
    yield "<Articulacao>"
    open_: list[tuple[int, str]] = []
    for part in provisions:
        element = element_of(_fragment(part))
        if element in _INITIAL:
            continue
        while open_ and open_[-1][0] >= part.level:
            yield f"</{open_.pop()[1]}>"
        stated = part.situation or marks.get(part.name)
        situation = f" situacao={quoteattr(stated)}" if stated else ""
        yield f"<{element} id={quoteattr(_fragment(part))}{situation}>"
        if part.label:
            yield f"<Rotulo>{escape(part.label, quote=False)}</Rotulo>"
        if part.heading:
            yield f"<NomeAgrupador>{escape(part.heading, quote=False)}</NomeAgrupador>"
        if part.text:
            marked = part.markup if (part.markup or "").startswith(_BLOCKS) else None
            yield marked or _xml_blocks(part.text)
        open_.append((part.level, element))
    while open_:
        yield f"</{open_.pop()[1]}>"
    yield "</Articulacao>"


#: The elements that may be the text of a provision; other markup of sources is written as paragraphs.
_BLOCKS = ("<p", "<Texto", "<TextoSimples", "<div", "<table", "<ul", "<ol", "<Bloco")
_INITIAL = frozenset({"Epigrafe", "Ementa", "Preambulo"})


def _fragment(part: ProvisionText) -> str:
    return part.name.rpartition("!")[2]


def _inner_markup(part: ProvisionText) -> str:
    if part.markup is not None:
        return part.markup
    lines = (part.text or "").split("\n")
    if len(lines) == 1 and _fragment(part) != "preambulo":
        return escape(lines[0], quote=False)
    return _xml_blocks(part.text or "")


def diff_lines(answer: Difference) -> Iterator[str]:
    """Yield the lines of a difference: each change, with removed words in ``[-...-]`` and added ones in ``{+...+}``."""
    yield answer.name
    yield f"  from {answer.since} to {answer.until}, as known on {answer.as_known}: {_count_text(answer)}"
    for change in answer.changes:
        yield ""
        origin = f" from {change.before.name}" if change.kind is ChangeKind.MOVED and change.before else ""
        is_void = change.kind is ChangeKind.ANNULLED and are_declarations(change.because)
        kind = EVENT_TEXTS[DECLARATION] if is_void else change.kind.value
        yield f"{kind:9} {change.provision}{origin}"
        yield f"  {shown(_change_text(change))}"
        for reason in change.because:
            yield from reason_lines(reason)
    if answer.undecided:
        yield ""
    for name in answer.undecided:
        yield f"undecided {name}"
    for effect in answer.effects:
        yield ""
        yield f"effect    {effect.name}"
        yield f"  {status_text(effect.before)} on {answer.since}; {status_text(effect.after)} on {answer.until}"
        for reason in effect.because:
            yield from reason_lines(reason)
    if answer.changes or answer.undecided or answer.effects:
        yield ""
    yield from notice_lines(answer.notices)


def _count_text(answer: Difference) -> str:
    if not answer.comparable:
        return "unknown: the sources do not allow a comparison"
    if not answer.changes:
        if any_of(answer.notices, NoTextInForce):
            return "no text in force on either day"
        result = "no words changed, but efficacy did" if answer.effects else "nothing changed"
        return f"{result}, except for undecided provisions" if answer.undecided else result
    return f"{len(answer.changes)} provision{'s' if len(answer.changes) > 1 else ''} changed"


def _change_text(change: Change) -> str:
    if change.words:
        return " ".join(
            words if sign == "=" else f"{_SIGNS[sign][0]}{words}{_SIGNS[sign][1]}" for sign, words in change.words
        )
    part = change.after or change.before
    return " ".join(_paragraphs(part)) if part is not None else ""
