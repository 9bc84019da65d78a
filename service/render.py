"""Answers as plain text for a terminal. Rendering only: every word here comes from an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.cells import cell_len

from ontology.namespaces import PREFIXES
from queries.answers import InForce, Notice, Period, Reason, Resolution, Status, Timeline
from service.output import shown

__all__ = [
    "in_force_lines",
    "notice_lines",
    "reason_text",
    "resolution_lines",
    "saying",
    "shortened",
    "table",
    "timeline_lines",
]

_SAYINGS = {
    Status.UNKNOWN_NAME: "not known here: no source speaks of it, or it is not one name",
    Status.NOT_PUBLISHED: "not published",
    Status.VACATIO: "issued, not yet in force (vacatio legis)",
    Status.IN_FORCE: "in force",
    Status.SUSPENDED: "in force, but without effect (suspended)",
    Status.REVOKED: "revoked",
    Status.ANNULLED: "annulled",
    Status.EXPIRED: "expired",
    Status.UNKNOWN: "unknown: the sources do not allow an answer",
}


def _interval(start: date, end: date | None) -> str:
    return f"[{start}, {end if end is not None else '...'})"


def saying(status: Status | None) -> str:
    """A status in words; None: the text of a version, whenever it was in force."""
    return "the text of one version" if status is None else _SAYINGS[status]


def reason_text(reason: Reason) -> str:
    """A reason in one line."""
    fragments = " ".join(one.rpartition("!")[2] for one in reason.provisions)
    parts = [(reason.event or "view (event not named)") + (f" of {fragments}" if fragments else "")]
    parts.append(f"effect {reason.effect or 'not stated'}")
    parts.append(f"known {reason.known or 'not stated'}")
    if reason.cause is not None:
        parts.append(f"by {reason.cause}")
    return ", ".join(parts)


def notice_lines(notices: Iterable[Notice]) -> Iterator[str]:
    """A line for each notice."""
    for notice in notices:
        yield f"  notice     {notice.message} ({notice.code})"


def in_force_lines(answer: InForce) -> Iterator[str]:
    """An answer, most important first."""
    yield answer.name
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {_SAYINGS[answer.status]}"
    version = answer.version
    if version is not None:
        yield f"  version    {version.name}"
        yield f"  in force   {_interval(version.valid_from, version.valid_until)}"
        yield f"  known      {_interval(version.known_from, version.known_until)}"
    for reason in answer.because:
        yield f"  because    {reason_text(reason)}"
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
        yield f"  event      {reason_text(reason)}"
    yield from notice_lines(answer.notices)


def _what(name: str, period: Period) -> str:
    if period.version is None:
        return _SAYINGS[period.status]
    return period.version.removeprefix(name)


def resolution_lines(answer: Resolution) -> Iterator[str]:
    """What a name leads to, and what was done to find it."""
    yield answer.canonical or answer.asked
    yield f"  match      {answer.match} at the level {answer.level}, read as {answer.dialect or 'words'}"
    for step in answer.steps:
        yield f"  step       {step}"
    for candidate in answer.candidates:
        yield f"  candidate  {candidate.name}"
        yield f"             {candidate.label or 'no label'}: {candidate.why} ({candidate.score:g})"
    yield from notice_lines(answer.notices)


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
