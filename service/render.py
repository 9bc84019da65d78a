"""Answers as plain text for a terminal. Rendering only: every word here comes from an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.cells import cell_len

from graph.entities import Axis
from ontology.namespaces import PREFIXES
from queries.answers import AxisAnswer, InForce, Period, Resolution, Timeline
from queries.dossier import Dossier
from queries.english import explanation_message, matches, message, reason_message
from queries.full_text.answers import FullTextAnswer, Valid
from queries.full_text.excerpts import plain
from queries.notices import Notice
from queries.reasons import Reason, Status, flattened, interrupts
from service.output import shown

_SAYINGS = {
    Status.UNKNOWN_NAME: "not known here: no source speaks of it, or it is not one name",
    Status.NOT_PUBLISHED: "not published",
    Status.VACATIO: "issued, not yet in force (vacatio legis)",
    Status.IN_FORCE: "in force",
    Status.SUSPENDED: "in force, but without effect (suspended)",
    Status.REVOKED: "revoked",
    Status.ANNULLED: "annulled",
    Status.EXPIRED: "expired",
    Status.CONVERTED: "converted into a law",
    Status.VETOED: "vetoed",
    Status.UNKNOWN: "unknown: the sources do not allow an answer",
}


#: Most names of one relation that are printed.
_MOST_NAMES = 20
#: What an event did to what it acts on.
_DONE = {
    "alteracao": "amended",
    "anulacao": "annulled",
    "caducidade": "ended by the lapse of its term",
    "conversao": "converted into a law",
    "declaracao.inconstitucionalidade": "declared unconstitutional",
    "prorrogacao.vacatio": "prorogued",
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


def saying(status: Status | None) -> str:
    """A status in words; None: the text of a version, whenever it was in force."""
    return "the text of one version" if status is None else _SAYINGS[status]


def reason_lines(reason: Reason, asked: AxisAnswer | None = None) -> Iterator[str]:
    """A reason; where something undid it, first the chain in words, then each event of it.

    Args:
        asked: the status on the axis asked.
    """
    if reason.undone_by:
        yield f"  because    {_since_when(reason, asked)}{_chain(reason)}"
    yield f"  because    {reason_message(reason)}"
    for undone in flattened(reason.undone_by):
        yield f"  undone by  {reason_message(undone)}"


def _since_when(reason: Reason, asked: AxisAnswer | None) -> str:
    if asked is None or asked.status is not Status.IN_FORCE:
        return ""
    if any(asked.since is not None and one.effect == asked.since.isoformat() for one in reason.undone_by):
        return f"in force {'again ' if interrupts(reason) else ''}since {asked.since}: "
    known = max((one.known for one in reason.undone_by if one.known is not None), default=None)
    return f"in force, as known since {known}: " if known is not None else "in force: "


def _chain(reason: Reason) -> str:
    """What happened, and what undid it: revoked by A, which was annulled by B."""
    said = _DONE.get(reason.event or "", f"changed by the event {reason.event or '(not named)'}")
    if reason.cause is not None:
        said += f" by {reason.cause}"
    return said + "".join(f", which was {_chain(one)}" for one in reason.undone_by)


def notice_lines(notices: Iterable[Notice]) -> Iterator[str]:
    """A line for each notice."""
    for notice in notices:
        yield f"  notice     {message(notice)} ({notice.code})"


def axis_lines(force: AxisAnswer | None, efficacy: AxisAnswer | None) -> Iterator[str]:
    """A line for each axis: its status and the days. None where no day is known on either axis."""
    if force is None or efficacy is None or not any((force.since, force.until, efficacy.since, efficacy.until)):
        return
    for axis, found in (("force", force), ("efficacy", efficacy)):
        yield f"  {axis:<10} {found.status.value} [{found.since or '...'}, {found.until or '...'})"


def in_force_lines(answer: InForce) -> Iterator[str]:
    """An answer, most important first."""
    yield answer.name
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {_SAYINGS[answer.status]}"
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
        yield f"  known up to {newest} by {provider}"
    yield from notice_lines(answer.notices)


def timeline_lines(answer: Timeline, width: int | None = None) -> Iterator[str]:
    """A timeline: rectangles as a table (see :func:`table` for ``width``), then the events."""
    yield answer.name
    axes: dict[tuple[str, str, str], list[str]] = {}
    for period in answer.periods:
        valid = _interval(period.valid_from, period.valid_until)
        known = _interval(period.known_from, period.known_until)
        axes.setdefault((valid, known, _what(answer.name, period)), []).append(str(period.axis))
    rows = [(valid, known, "both" if len(of) > 1 else of[0], what) for (valid, known, what), of in axes.items()]
    if rows:
        yield from table(("valid", "known", "axis", "what"), rows, width)
    for reason in answer.events:
        yield f"  event      {reason_message(reason)}"
    yield from notice_lines(answer.notices)


def _what(name: str, period: Period) -> str:
    if period.version is None:
        return _SAYINGS[period.status]
    return period.version.removeprefix(name)


def dossier_lines(found: Dossier, width: int | None = None) -> Iterator[str]:
    """A dossier, most important first; ``width`` as for :func:`table`."""
    answer, today = found.day.answer, found.today.answer
    yield found.name
    called = found.around.called if found.around is not None else None
    if called is not None:
        yield from (
            f"  {text}" for text in dict.fromkeys((called.epigraph, *(one.value for one in called.nicknames))) if text
        )
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {_SAYINGS[answer.status]}"
    if answer.version is not None:
        yield f"  version    {answer.version.name}"
    yield from axis_lines(answer.force, answer.efficacy)
    yield f"  today      {_SAYINGS[today.status]}"
    for one in found.day.reasons:
        yield f"  reason     {explanation_message(one)}"
    yield from notice_lines(found.notices)
    for contradiction in found.contradictions:
        yield f"  contradicted {message(contradiction.notice)}"
    rows = [
        (_interval(one.valid_from, one.valid_until), _interval(one.known_from, one.known_until), _what(found.name, one))
        for one in found.texts
    ]
    if rows:
        yield from table(("valid", "known", "text"), rows, width)
    for heading, effects in (("acted on by", found.effects_on), ("acts on", found.effects_by)):
        for effect in effects:
            yield f"  {heading:<11} {effect.name}: {reason_message(effect.reason)}"
    for related in found.around.related if found.around is not None else ():
        names = ", ".join(related.names[:_MOST_NAMES])
        more = f" and {len(related.names) - _MOST_NAMES} more" if len(related.names) > _MOST_NAMES else ""
        yield f"  {related.code:<10} {names}{more}"
    for item, version in found.copies:
        told = (item.format, item.kind, item.url, version)
        yield f"  copy       {' '.join(part for part in told if part)}"
    for source in found.sources:
        yield f"  source     {source.called}"
    for provider, newest in answer.known_up_to:
        yield f"  known up to {newest} by {provider}"


def resolution_lines(answer: Resolution) -> Iterator[str]:
    """What a name leads to, and what was done to find it."""
    yield answer.canonical or answer.asked
    yield f"  match      {answer.match} at the level {answer.level}, read as {answer.dialect or 'words'}"
    for step in answer.steps:
        yield f"  step       {step}"
    for candidate in answer.candidates:
        yield f"  candidate  {candidate.name}"
        yield f"             {candidate.label or 'no label'}: {matches(candidate.why)} ({candidate.score:g})"
    yield from notice_lines(answer.notices)


def full_text_lines(answer: FullTextAnswer) -> Iterator[str]:
    """The norms that have some words, each with the best of its provisions, and how many there are of each kind."""
    if answer.suggestion is not None:
        yield f"did you mean: {answer.suggestion}"
    for meant in answer.meant:
        if not meant.known:
            yield f"{meant.nickname} is {meant.label}, which is not in this store: {meant.url}"
    told = "norm" if answer.total == 1 else "norms"
    yield f"{answer.total} {told}" + ("" if answer.every_word else " with some of the words; none has all of them")
    for one in answer.results:
        called = f" ({one.nickname})" if one.nickname is not None else ""
        yield one.name
        yield f"  {' '.join(one.title.split())}{called}: {_SAYINGS[one.status]}{_of_days(one.valid)}"
        for provision in one.provisions:
            place = f"{provision.label}: " if provision.label is not None else ""
            yield f"    {place}{plain(provision.excerpt)} [{provision.status.value}{_of_days(provision.valid)}]"
    for name, values in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(values) > 1:
            yield f"  by {name}: " + ", ".join(f"{key} {count}" for key, count in list(values.items())[:_MOST_VALUES])
    if answer.next_offset is not None:
        yield f"  more with --offset {answer.next_offset}"


#: Most values of a facet that are printed.
_MOST_VALUES = 10


def _of_days(valid: Valid | None) -> str:
    return "" if valid is None else f" [{valid.valid_from or '...'}, {valid.valid_until or '...'})"


def shortened(iri: str) -> str:
    """An IRI with a prefix of ours in place of its namespace; any other as it is.

    >>> shortened("https://w3id.org/vigente/ns#nome")
    'vig:nome'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """Columns padded to their widest cell; where that is wider than ``width``, each row as a block of its cells.

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
    """Each row as lines of column and cell, with an empty line between two rows."""
    size = max(cell_len(name) for name in head)
    for number, row in enumerate(rows):
        if number:
            yield ""
        for name, cell in zip(head, row, strict=True):
            yield f"{_padded(name, size)}  {cell}".rstrip()


def _padded(text: str, size: int) -> str:
    return text + " " * (size - cell_len(text))
