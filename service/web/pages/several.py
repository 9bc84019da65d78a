"""The page of a list or range of provisions: each with its status and its text, and a link to its own page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import Axis
from graph.urn import Name, parse
from queries.in_force import in_force
from queries.several import is_absent
from queries.several_texts import several_texts
from queries.text.absent import missing_error
from service.web.http.problems import Problem
from service.web.laid_out import read
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import render
from service.web.pages.history import IneffectiveInterval, WordingNotes, effectless_parts
from service.web.pages.reading_days import read_arguments, writer_of
from service.web.pages.text_status import StatusLine, line_of
from service.web.tasks.messages import Answer
from service.web.text_layout import Block, blocks_of

#: The task type of the page.
KIND = "page.several"


@dataclass(frozen=True, slots=True)
class _Part:
    """One provision: its name, its address and its status, and its text with the notes on it, as its own page has them.

    Attributes:
        line: its status with its horizon.
        blocks: the text; empty if it has none.
        suspended: the parts of the text without effect, by the names of their blocks.
    """

    label: str
    path: str
    line: StatusLine
    blocks: Sequence[Block]
    notes: WordingNotes
    suspended: Mapping[str, IneffectiveInterval]


def show_several(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page of a list or range of provisions (runs in a worker process).

    Args:
        arguments: ``name``, of several provisions; ``on`` and ``as_known``, days or None; ``axis``, or None; ``frame``;
            ``today``.

    Raises:
        Problem: 404 if no provision exists.
        BadParameter: the name means too many provisions.
    """
    store = MemoizingStore(store)
    frame, now, asked = read_arguments(arguments)
    on, known = asked.on, asked.as_known
    axis = Axis(str(arguments["axis"])) if arguments["axis"] is not None else None
    several = several_texts(store, str(arguments["name"]), on or now, known or now, axis)
    if several is None or all(map(is_absent, several.answers)):
        errors = list(map(missing_error, several.answers)) if several is not None else []
        if errors and errors[0] is not None and all(errors):
            raise errors[0]
        raise Problem(404, "provision-unknown", f"no source in this store has a provision of {arguments['name']}")
    days = RequestParameters(on, known, axis)
    writer = writer_of(store, frame, now, days)
    query = writer.carried
    norm = parse(several.name).work
    notes = WordingNotes(store, norm, writer, query(norm), known or now)
    asked_days = on or now, known or now, axis or Axis.FORCE
    parts = [_part(store, parse(answer.name), asked_days, notes) for answer in several.answers]
    body = render(
        "several.html",
        frame,
        title=writer.title(several.name),
        back=writer.path(norm),
        on=on or now,
        known=known,
        writer=writer,
        days=query(norm),
        parts=parts,
        line=parts[0].line if all(part.line == parts[0].line for part in parts) else None,
    )
    return Answer(body, "text/html")


def _part(store: Store, name: Name, days: tuple[date, date, Axis], notes: WordingNotes) -> _Part:
    text, writer = read(store, name, *days), notes.writer
    blocks = blocks_of(text.answer.provisions, text.coming)
    return _Part(
        writer.within(name),
        writer.path(name),
        line_of(store, in_force(store, name, *days), writer),
        blocks,
        notes,
        effectless_parts(store, name, [text], blocks, writer),
    )
