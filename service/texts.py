"""Texts and differences written out: plain for a terminal, HTML for people, LexML XML for programs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from xml.sax.saxutils import quoteattr

from graph.wording.provision_kinds import element_of
from queries.english import message
from queries.notices import NoTextInForce, any_of
from queries.text.answers import Change, ChangeKind, Difference, ProvisionText, TextAnswer
from service.output import shown
from service.render import axis_lines, notice_lines, reason_lines, saying

_INDENT = "  "
_SIGNS = {"-": ("[-", "-]"), "+": ("{+", "+}")}
_SCHEMA = "http://www.lexml.gov.br/1.0"


def text_lines(answer: TextAnswer) -> Iterator[str]:
    """A text with its provisions, each indented by its level; then what to know of it."""
    yield answer.name
    if answer.on is not None:
        yield f"  on {answer.on}, as known on {answer.as_known}: {saying(answer.status)}"
    if answer.version is not None:
        yield f"  version    {answer.version}"
    yield from axis_lines(answer.force, answer.efficacy)
    if answer.provisions:
        yield ""
    for provision in answer.provisions:
        for line in _paragraphs(provision):
            yield f"{_INDENT * (provision.level - 1)}{line}"
    if answer.provisions:
        yield ""
    for reason in answer.because:
        yield from reason_lines(reason, answer.force)
    for source in answer.sources[:5]:
        yield f"  source     {source}"
    yield from notice_lines(answer.notices)


def _paragraphs(provision: ProvisionText) -> Iterator[str]:
    """A line for each paragraph, the label before the first of its words."""
    lines = list(provision.lines)
    if provision.omitted:
        lines.append("(...)")
    if provision.undecided:
        lines.append("(undecided)")
    if provision.label is not None and not provision.grouping:
        at = lines.index(provision.label)
        lines[at : at + 2] = [" ".join(lines[at : at + 2])]
    yield from map(shown, lines)


def text_html(answer: TextAnswer) -> str:
    """The text as one HTML document, with the provision's name as the anchor of each part."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="pt-BR"><head><meta charset="utf-8">',
        f"<title>{escape(answer.version or answer.name)}</title></head><body>",
        f"<h1>{escape(answer.name)}</h1>",
    ]
    if answer.on is not None:
        parts.append(f"<p>{escape(f'{answer.on} ({answer.as_known}): {saying(answer.status)}')}</p>")
    parts.extend(f"<p>{escape(line.strip())}</p>" for line in axis_lines(answer.force, answer.efficacy))
    for provision in answer.provisions:
        fragment = provision.name.rpartition("!")[2]
        label = f"<b>{escape(provision.label)}</b> " if provision.label else ""
        heading = f"{escape(provision.heading)}<br>" if provision.heading else ""
        words = escape(provision.text or ("(undecided)" if provision.undecided else "")).replace("\n", "<br>")
        margin = f"margin-left:{2 * (provision.level - 1)}em"
        parts.append(f"<p id={quoteattr(fragment)} style={quoteattr(margin)}>{label}{heading}{words}</p>")
    parts.extend(
        f"<p><small>{escape(message(notice))} ({escape(notice.code)})</small></p>" for notice in answer.notices
    )
    return "\n".join([*parts, "</body></html>", ""])


def text_xml(answer: TextAnswer) -> str:
    """The text as a document in LexML XML (LexML part 3): metadata with the name, then the provisions in order."""
    fragment = "!" + answer.name.rpartition("!")[2] if "!" in answer.name else ""
    name = quoteattr(answer.version + fragment if answer.version else answer.name)
    asked = f"on {answer.on}, as known on {answer.as_known}: " if answer.on is not None else ""
    told = f"{asked}{saying(answer.status)}; {' '.join(notice.code for notice in answer.notices)}"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {told.replace('--', '- -')} -->",
        f'<LexML xmlns="{_SCHEMA}" xmlns:xlink="http://www.w3.org/1999/xlink">',
        f"<Metadado><Identificacao URN={name}/></Metadado>",
        "<Norma>",
        *_elements(answer.provisions),
        "</Norma>",
        "</LexML>",
        "",
    ]
    return "\n".join(lines)


def _elements(provisions: tuple[ProvisionText, ...]) -> Iterator[str]:
    initial = [p for p in provisions if element_of(_fragment(p)) in _INITIAL]
    if initial:
        yield "<ParteInicial>"
        for part in initial:
            element = element_of(_fragment(part))
            yield f"<{element} id={quoteattr(_fragment(part))}>{_inner(part)}</{element}>"
        yield "</ParteInicial>"
    yield "<Articulacao>"
    open_: list[tuple[int, str]] = []
    for part in provisions:
        element = element_of(_fragment(part))
        if element in _INITIAL:
            continue
        while open_ and open_[-1][0] >= part.level:
            yield f"</{open_.pop()[1]}>"
        situation = f" situacao={quoteattr(part.situation)}" if part.situation else ""
        yield f"<{element} id={quoteattr(_fragment(part))}{situation}>"
        if part.label:
            yield f"<Rotulo>{escape(part.label, quote=False)}</Rotulo>"
        if part.heading:
            yield f"<NomeAgrupador>{escape(part.heading, quote=False)}</NomeAgrupador>"
        if part.text:
            marked = part.markup if (part.markup or "").startswith(_BLOCKS) else None
            yield marked or "".join(f"<p>{escape(line, quote=False)}</p>" for line in part.text.split("\n"))
        open_.append((part.level, element))
    while open_:
        yield f"</{open_.pop()[1]}>"
    yield "</Articulacao>"


#: What a provision may hold as its words; anything else that a source has is written as paragraphs.
_BLOCKS = ("<p", "<Texto", "<TextoSimples", "<div", "<table", "<ul", "<ol", "<Bloco")
_INITIAL = frozenset({"Epigrafe", "Ementa", "Preambulo"})


def _fragment(part: ProvisionText) -> str:
    return part.name.rpartition("!")[2]


def _inner(part: ProvisionText) -> str:
    if part.markup is not None:
        return part.markup
    lines = (part.text or "").split("\n")
    if len(lines) == 1 and _fragment(part) != "preambulo":
        return escape(lines[0], quote=False)
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)


def diff_lines(answer: Difference) -> Iterator[str]:
    """Each change with its kind, the words that went in ``[-...-]`` and those that came in ``{+...+}``."""
    yield answer.name
    yield f"  from {answer.since} to {answer.until}, as known on {answer.as_known}: {_count(answer)}"
    for change in answer.changes:
        yield ""
        origin = f" from {change.before.name}" if change.kind is ChangeKind.MOVED and change.before else ""
        yield f"{change.kind.value:9} {change.provision}{origin}"
        yield f"  {shown(_body(change))}"
        for reason in change.because:
            yield from reason_lines(reason)
    if answer.undecided:
        yield ""
    for name in answer.undecided:
        yield f"undecided {name}"
    for one in answer.effects:
        yield ""
        yield f"effect    {one.name}"
        yield f"  {saying(one.before)} on {answer.since}; {saying(one.after)} on {answer.until}"
        for reason in one.because:
            yield from reason_lines(reason)
    if answer.changes or answer.undecided or answer.effects:
        yield ""
    yield from notice_lines(answer.notices)


def _count(answer: Difference) -> str:
    if not answer.comparable:
        return "unknown: the sources do not allow a comparison"
    if not answer.changes:
        if any_of(answer.notices, NoTextInForce):
            return "no text in force on either day"
        told = "no words changed, but efficacy did" if answer.effects else "nothing changed"
        return f"{told}, apart from what is undecided" if answer.undecided else told
    return f"{len(answer.changes)} provision{'s' if len(answer.changes) > 1 else ''} changed"


def _body(change: Change) -> str:
    if change.words:
        return " ".join(
            words if sign == "=" else f"{_SIGNS[sign][0]}{words}{_SIGNS[sign][1]}" for sign, words in change.words
        )
    part = change.after or change.before
    return " ".join(_paragraphs(part)) if part is not None else ""
