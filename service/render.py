"""Answers as plain text for a terminal; texts and differences also as HTML and LexML XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from html import escape
from itertools import groupby
from xml.sax.saxutils import quoteattr

from rich.cells import cell_len

from graph.entities import Axis
from graph.wording.marks import situation_mark
from graph.wording.provisions import element_of
from graph.wording.tables import Row, cells_of, paragraphs_and_tables
from ontology.namespaces import PREFIXES
from queries.answers import AxisAnswer, InForce, Period, Resolution, Timeline
from queries.dossier import Dossier
from queries.english import explanation_message, match_message, message, reason_message
from queries.full_text import FullTextAnswer, Valid, plain
from queries.notices import NoTextInForce, Notice, any_of
from queries.reasons import DECLARATION, Reason, Status, are_declarations, flattened, interrupts
from queries.text.answers import Change, ChangeKind, Difference, ProvisionText, TextAnswer
from service.output import shown

_STATUS_TEXTS = {
    Status.UNKNOWN_NAME: "unknown: no source mentions it, or the text does not identify exactly one name",
    Status.NOT_PUBLISHED: "not published",
    Status.VACATIO: "not yet in force (vacatio legis)",
    Status.IN_FORCE: "in force",
    Status.IN_PROGRESS: "a bill, not a norm in force; no source states that it was converted into a law",
    Status.DECIDED: "a decision, not a norm in force",
    Status.SUSPENDED: "in force, but without effect (suspended)",
    Status.REVOKED: "revoked",
    Status.ANNULLED: "annulled",
    Status.EXPIRED: "expired",
    Status.CONVERTED: "converted into a law",
    Status.VETOED: "vetoed",
    Status.UNKNOWN: "unknown: the sources do not allow an answer",
}

#: The maximum number of printed names of a relation.
_MAX_NAMES = 20
#: The effect of each event, in words.
_EVENT_TEXTS = {
    "alteracao": "amended",
    "anulacao": "annulled",
    "caducidade": "terminated at the end of its term",
    "conversao": "converted into a law",
    "declaracao.inconstitucionalidade": "declared unconstitutional",
    "prorrogacao.vacatio": "postponed",
    "publicacao": "inserted",
    "rejeicao": "rejected",
    "renumeracao": "renumbered",
    "repristinacao": "restored",
    "revogacao": "revoked",
    "suspensao": "suspended",
    "veto": "vetoed",
}


def _interval(start: date, end: date | None) -> str:
    return f"[{start}, {end if end is not None else '...'})"


def _answer_text(answer: InForce | TextAnswer, published: date | None) -> str:
    """Return the status of an answer. What a court declared unconstitutional is not called annulled."""
    if answer.status is Status.ANNULLED and are_declarations(answer.because):
        return _EVENT_TEXTS[DECLARATION]
    if answer.status is Status.VACATIO and answer.on is not None and answer.as_known is not None:
        days = (answer.on, answer.as_known)
        return _vacatio_text(days, days, published)
    return status_text(answer.status)


def _vacatio_text(first: tuple[date, date], last: tuple[date | None, date | None], published: date | None) -> str:
    """Return the status in vacatio: whether the norm is only signed, or published.

    Args:
        first: the first D and K.
        last: the last D and K; None where there is none.
        published: the day on which the norm was published; None if no source states it.
    """
    if published is None:
        return _STATUS_TEXTS[Status.VACATIO]
    if all(published <= day for day in first):
        return f"published, {_STATUS_TEXTS[Status.VACATIO]}"
    if any(day is not None and day < published for day in last):
        return "signed, not yet published"
    return _STATUS_TEXTS[Status.VACATIO]


def status_text(status: Status | None) -> str:
    """Return a status in words; for None, that the answer is the text of one version."""
    return "the text of one version" if status is None else _STATUS_TEXTS[status]


def reason_lines(reason: Reason, asked: AxisAnswer | None = None) -> Iterator[str]:
    """Yield the lines of a reason. If it was undone, the first line is the chain in words; then each event follows.

    Args:
        asked: the status on the axis of the question.
    """
    if reason.undone_by:
        yield f"  because    {_since_text(reason, asked)}{_chain(reason)}"
    yield f"  because    {reason_message(reason)}"
    for undone in flattened(reason.undone_by):
        yield f"  undone by  {reason_message(undone)}"


def _since_text(reason: Reason, asked: AxisAnswer | None) -> str:
    if asked is None or not asked.status.stands:
        return ""
    if any(asked.since is not None and undoing.effect == asked.since.isoformat() for undoing in reason.undone_by):
        return f"in force {'again ' if interrupts(reason) else ''}since {asked.since}: "
    known = max((undoing.known for undoing in reason.undone_by if undoing.known is not None), default=None)
    return f"in force, as known since {known}: " if known is not None else "in force: "


def _chain(reason: Reason) -> str:
    """Return an event and the events that undid it in words: revoked by A, which was annulled by B."""
    text = _EVENT_TEXTS.get(reason.event or "", f"changed by the event {reason.event or '(not named)'}")
    if reason.cause is not None:
        text += f" by {reason.cause}"
    return text + "".join(f", which was {_chain(undoing)}" for undoing in reason.undone_by)


def notice_lines(notices: Iterable[Notice]) -> Iterator[str]:
    """Yield a line for each notice."""
    for notice in notices:
        yield f"  notice     {message(notice)} ({notice.code})"


def axis_lines(force: AxisAnswer | None, efficacy: AxisAnswer | None) -> Iterator[str]:
    """Yield a line for each axis with its status and days; no line where no day is known on either axis."""
    if force is None or efficacy is None or not any((force.since, force.until, efficacy.since, efficacy.until)):
        return
    for axis, answer in (("force", force), ("efficacy", efficacy)):
        yield f"  {axis:<10} {answer.status.value} [{answer.since or '...'}, {answer.until or '...'})"


def in_force_lines(answer: InForce, published: date | None = None) -> Iterator[str]:
    """Yield the lines of an answer, most important first.

    Args:
        answer: the answer.
        published: the day on which the norm was published; None if no source states it.
    """
    yield answer.name
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {_answer_text(answer, published)}"
    version = answer.version
    if version is not None:
        yield f"  version    {version.name}"
        yield f"  in force   {_interval(version.valid_from, version.valid_until)}"
        yield f"  known      {_interval(version.known_from, version.known_until)}"
    yield from axis_lines(answer.force, answer.efficacy)
    asked = answer.force if answer.axis is Axis.FORCE else answer.efficacy
    for reason in answer.because:
        yield from reason_lines(reason, asked)
    for item in answer.items:
        yield f"  copy       {' '.join(part for part in (item.format, item.kind, item.url) if part)}"
    for source in answer.sources:
        yield f"  source     {source}"
    for provider, newest in answer.known_up_to:
        yield f"  harvested up to {newest} from {provider}"
    yield from notice_lines(answer.notices)


def timeline_lines(answer: Timeline, width: int | None = None, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a timeline: its periods as a table, then the events.

    Args:
        answer: the timeline.
        width: as for :func:`table`.
        published: as for :func:`in_force_lines`.
    """
    yield answer.name
    axes: dict[tuple[str, str, str], list[str]] = {}
    for period in answer.periods:
        valid = _interval(period.valid_from, period.valid_until)
        known = _interval(period.known_from, period.known_until)
        axes.setdefault((valid, known, _period_text(answer.name, period, published)), []).append(str(period.axis))
    rows = [
        (valid, known, "both" if len(of) > 1 else of[0], description)
        for (valid, known, description), of in axes.items()
    ]
    if rows:
        yield from table(("valid", "known", "axis", "what"), rows, width)
    for reason in answer.events:
        yield f"  event      {reason_message(reason)}"
    yield from notice_lines(answer.notices)


def _period_text(name: str, period: Period, published: date | None) -> str:
    if period.status is Status.VACATIO:
        last = (_day_before(period.valid_until), _day_before(period.known_until))
        return _vacatio_text((period.valid_from, period.known_from), last, published)
    if period.version is None:
        return _STATUS_TEXTS[period.status]
    return period.version.removeprefix(name)


def _day_before(day: date | None) -> date | None:
    return day - timedelta(days=1) if day is not None else None


def dossier_lines(dossier: Dossier, width: int | None = None, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a dossier, most important first.

    Args:
        dossier: the dossier.
        width: as for :func:`table`.
        published: as for :func:`in_force_lines`.
    """
    answer, today = dossier.day.answer, dossier.today.answer
    yield dossier.name
    called = dossier.around.called if dossier.around is not None else None
    if called is not None:
        yield from (
            f"  {text}"
            for text in dict.fromkeys((called.epigraph, *(nickname.value for nickname in called.nicknames)))
            if text
        )
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {_answer_text(answer, published)}"
    if answer.version is not None:
        yield f"  version    {answer.version.name}"
    yield from axis_lines(answer.force, answer.efficacy)
    yield f"  today      {_answer_text(today, published)}"
    for reason in dossier.day.reasons:
        yield f"  reason     {explanation_message(reason)}"
    yield from notice_lines(dossier.notices)
    for contradiction in dossier.contradictions:
        yield f"  contradicted {message(contradiction.notice)}"
    rows = [
        (
            _interval(text.valid_from, text.valid_until),
            _interval(text.known_from, text.known_until),
            _period_text(dossier.name, text, published),
        )
        for text in dossier.texts
    ]
    if rows:
        yield from table(("valid", "known", "text"), rows, width)
    for note in dossier.notes[:_MAX_NAMES]:
        yield f"  note       {note.provision.partition('!')[2] or 'norm'}: {shown(note.text)}"
    if len(dossier.notes) > _MAX_NAMES:
        yield f"  note       and {len(dossier.notes) - _MAX_NAMES} more (--json lists all)"
    for heading, effects in (("acted on by", dossier.effects_on), ("acts on", dossier.effects_by)):
        for effect in effects:
            yield f"  {heading:<11} {effect.name}: {reason_message(effect.reason)}"
    for related in dossier.around.related if dossier.around is not None else ():
        names = ", ".join(related.names[:_MAX_NAMES])
        more = f" and {len(related.names) - _MAX_NAMES} more" if len(related.names) > _MAX_NAMES else ""
        yield f"  {related.code:<10} {names}{more}"
    for item, version in dossier.copies:
        fields = (item.format, item.kind, item.url, version)
        yield f"  copy       {' '.join(part for part in fields if part)}"
    for source in dossier.sources:
        yield f"  source     {source.called}"
    for provider, newest in answer.known_up_to:
        yield f"  harvested up to {newest} from {provider}"


def resolution_lines(answer: Resolution) -> Iterator[str]:
    """Yield the lines of a resolution: the name, the steps and the candidates."""
    yield answer.canonical or answer.asked
    yield f"  match      {answer.match} at the level {answer.level}, read as {answer.dialect or 'words'}"
    for step in answer.steps:
        yield f"  step       {step}"
    for candidate in answer.candidates:
        yield f"  candidate  {candidate.name}"
        yield f"             {candidate.label or 'no label'}: {match_message(candidate.why)} ({candidate.score:g})"
    yield from notice_lines(answer.notices)


def full_text_lines(answer: FullTextAnswer, limit: int, offset: int, *, of_norm: bool) -> Iterator[str]:
    """Yield the lines of a search by words: each norm with its best provisions, then the facets.

    Args:
        answer: the page of results.
        limit, offset: those of the page.
        of_norm: whether they count the provisions of the only norm, instead of norms.
    """
    if answer.suggestion is not None:
        yield f"did you mean: {answer.suggestion}"
    for target in answer.meant:
        where = target.name if target.known else f"which is not in this store: {target.url}"
        day = f" on {target.on}" if target.on is not None else ""
        means = "is" if len(answer.meant) == 1 else "may mean"
        yield f"{target.nickname} {means} {target.label}, {where}{day}"
    noun = "norm" if answer.total == 1 else "norms"
    apart = "" if answer.in_one_provision else " with the words, in several provisions"
    yield f"{answer.total} {noun}" + (apart if answer.every_word else " with some of the words; none has all of them")
    for result in answer.results:
        called = f" ({result.nickname})" if result.nickname is not None else ""
        yield result.name
        yield f"  {' '.join(result.title.split())}{called}: {_STATUS_TEXTS[result.status]}{_days_text(result.valid)}"
        for provision in result.provisions:
            place = f"{provision.label}: " if provision.label is not None else ""
            yield f"    {place}{plain(provision.excerpt)} [{provision.status.value}{_days_text(provision.valid)}]"
        further = result.provisions_found - len(result.provisions)
        if further and not of_norm:
            yield f"    {further} more {'provision' if further == 1 else 'provisions'} with --norm '{result.name}'"
    for name, values in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(values) > 1:
            yield f"  by {name}: " + ", ".join(f"{key} {count}" for key, count in list(values.items())[:_MAX_VALUES])
    if answer.next_offset is not None:
        yield f"  more with --offset {answer.next_offset}"
    count = sum(result.provisions_found for result in answer.results) if of_norm else answer.total
    if 0 < count <= offset:
        last = (count - 1) // limit * limit
        yield f"  the results end before --offset {offset}; the last page has --offset {last}"


#: The maximum number of printed values of a facet.
_MAX_VALUES = 10


def _days_text(valid: Valid | None) -> str:
    return "" if valid is None else f" [{valid.valid_from or '...'}, {valid.valid_until or '...'})"


def shortened(iri: str) -> str:
    """Return an IRI with a known prefix instead of its namespace; any other IRI unchanged.

    >>> shortened("https://w3id.org/vigente/ns#nome")
    'vig:nome'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """Yield the lines of a table with padded columns; where it is wider than ``width``, a block of lines for each row.

    >>> print("\\n".join(table(("part", "value"), [("kind", "complex")])))
    part  value
    ----  -------
    kind  complex
    >>> print("\\n".join(table(("part", "value"), [("kind", "complex")], width=12)))
    part   kind
    value  complex
    """
    cells = [[shown(cell) for cell in row] for row in (head, *rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(head))]
    if width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
        yield from _blocks(cells[0], cells[1:])
        return
    for number, row in enumerate(cells):
        yield "  ".join(_padded(cell, size) for cell, size in zip(row, widths, strict=True)).rstrip()
        if number == 0:
            yield "  ".join("-" * size for size in widths)


def _blocks(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each row as lines of column and cell, with an empty line between rows."""
    size = max(cell_len(name) for name in head)
    for number, row in enumerate(rows):
        if number:
            yield ""
        for name, cell in zip(head, row, strict=True):
            yield f"{_padded(name, size)}  {cell}".rstrip()


def _padded(text: str, size: int) -> str:
    return text + " " * (size - cell_len(text))


# Texts and differences: as plain text, HTML and LexML XML.


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
        yield f"  on {answer.on}, as known on {answer.as_known}: {_answer_text(answer, published)}"
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
        kind = _EVENT_TEXTS[DECLARATION] if is_void else change.kind.value
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
