"""The whole text of a norm or provision on one page, also with its changes struck, and as files to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from graph.entities import Axis
from graph.store import Store
from graph.store.remembering import WithNotes
from graph.urn import Name, parse
from queries import in_force
from queries.answers import InForce
from queries.causes import inferred
from queries.efficacy import without_effect
from queries.evidence import records
from queries.text.same_text import same_over_force
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.names.asked import Asked
from service.web.pages.downloads import FILES, Line, Printed
from service.web.pages.earlier_wordings import Earlier, earlier_wordings
from service.web.pages.frame import Frame
from service.web.pages.history import Effectless, WordingNotes
from service.web.pages.reading_bar import BarText, reading_bar
from service.web.pages.related import called
from service.web.pages.rendering import render
from service.web.pages.sentences import Sentences
from service.web.pages.side_notices import refused
from service.web.tasks.answer import Answer
from service.web.text_cache import Read, read
from service.web.text_layout import Block, blocks_of, entries_of

#: The kind of task that makes the page, and its address.
KIND, PREFIX = "page.text", "/text"
#: What ``view`` may be: the text with its changes.
CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class _Text:
    """What the template prints of a text; nothing of it is told of efficacy."""

    blocks: Sequence[Block]
    notes: WordingNotes
    suspended: Mapping[str, Effectless]


def show_whole_text(store: Store, arguments: Mapping[str, object]) -> Answer:
    """The task: the whole text of a day.

    Args:
        store: a snapshot.
        arguments: ``name``, canonical, of a norm or provision without a version; ``on`` and ``as_known``, days or None;
            ``view``, :data:`CHANGES` or None; ``format``, a key of :data:`service.web.pages.downloads.FILES`, or
            ``html``; ``frame``; ``today``.

    Raises:
        Problem: 404 where nothing is known of the name, or a file is asked for and there is no text.
        NotYetKnown: K lies in the future.
        StoreProblem: the store cannot be read.
    """
    store = WithNotes(store)
    name = parse(str(arguments["name"]))
    if not records(store, name.iri) and not records(store, name.work.iri):
        detail = f"no source in this store speaks of {name.canonical}"
        raise refused(store, name.canonical) or Problem(404, "unknown-name", detail)
    frame = Frame.of_json(cast("Mapping[str, object]", arguments["frame"]))
    now = date.fromisoformat(str(arguments["today"]))
    on, known = (
        date.fromisoformat(str(day)) if (day := arguments[key]) is not None else None for key in ("on", "as_known")
    )
    page = _Page(store, name, frame, now, Asked(on, known))
    kind = str(arguments["format"])
    if kind == "html":
        return Answer(page.as_page(changes=arguments["view"] == CHANGES), "text/html")
    if not page.blocks:
        detail = f"no text of {name.canonical} is in force on {page.on.isoformat()}; its page tells of other days"
        raise Problem(404, "not-in-force", detail)
    file = FILES[kind]
    return Answer(file.write(page.printed()), file.media)


class _Page:
    """One text, and what stands around it."""

    def __init__(self, store: Store, name: Name, frame: Frame, now: date, asked: Asked) -> None:
        self._store, self._name, self._frame, self._now, self._asked = store, name, frame, now, asked
        self.on, self._known = asked.on or now, asked.as_known or now
        self._say = Sentences(
            frame,
            vocabulary(store),
            lambda one: bool(records(store, one.iri) or records(store, one.work.iri)),
            inferred(store),
            now,
        )
        self._read: Read = read(store, name, self.on.isoformat(), self._known.isoformat(), Axis.FORCE.value)
        self._answer: InForce = in_force(store, name, self.on, self._known)
        self.blocks = blocks_of(self._read.answer.provisions)
        self._called = called(store, name.work)
        epigraph = self._called.epigraph if name == name.work else None
        self._title = epigraph or self._say.title(name)

    def as_page(self, *, changes: bool) -> bytes:
        """The page; with earlier wordings struck where they are asked for."""
        say, name, asked = self._say, self._name, self._asked
        days = Asked(self.on if asked.on is not None else None, asked.as_known)
        rows = same_over_force(self._store, name, self._known)
        status = say.status(self._answer, without_effect(self._store, self._answer))
        today = read(self._store, name, self._now.isoformat(), self._now.isoformat(), Axis.FORCE.value)
        other = today.answer.provisions != self._read.answer.provisions
        bar = BarText(
            name, self._title, self._answer, rows, days, asked.on, other, dated=True, has_text=bool(self.blocks)
        )
        earlier = Earlier({}, {})
        if changes:
            earlier = earlier_wordings(self._store, name.work, self.on, self._known, self.blocks, say)
        path = PREFIX + name_path(name.canonical)
        return render(
            "whole_text.html",
            self._frame,
            say=say,
            name=name,
            norm=name.work,
            title=self._title,
            summaries=self._called.summaries if name == name.work else [],
            bar=reading_bar(bar, status, say, base=PREFIX),
            badge=self._answer.status,
            text=_Text(self.blocks, WordingNotes(self._store, name.work, say, days.query()), {}),
            entries=entries_of(self.blocks),
            earlier=earlier,
            changes=changes,
            path=path,
            days=days.query(),
            on=asked.on,
            asked=asked,
            now=self._now,
            files=[(kind, self._frame.to(path, on=asked.on, as_known=asked.as_known, format=kind)) for kind in FILES],
            permanent=self._permanent(),
        )

    def _permanent(self) -> str:
        """The address that leads to this text for ever: of this day, as known on this day."""
        days = Asked(self.on, self._known)
        return self._frame.base + name_path(self._name.canonical) + days.query()

    def printed(self) -> Printed:
        """The text as a file has it."""
        words, say = self._say.words, self._say
        notes = WordingNotes(self._store, self._name.work, say, "")
        lines: list[Line] = []
        for block in self.blocks:
            if block.role == "grouping":
                lines.append(Line("grouping", None, " – ".join(filter(None, (block.label, block.title)))))
                continue
            if block.title:
                lines.append(Line("heading", None, block.title))
            first, *rest = block.lines or ("",)
            if first or block.label:
                lines.append(Line(block.role, block.label, first))
            lines += [Line(block.role, None, one) for one in rest]
            if block.undecided:
                lines.append(Line("note", None, f"({words('norm.undecided_here')})"))
            if block.situation is not None:
                key = f"norm.situation_{block.situation}"
                told = say.agreed(key, block.name).striptags() if words.has(key) else block.situation
                lines.append(Line("note", None, f"({told})"))
            if block.changed is not None:
                lines.append(Line("note", None, notes.note(block).striptags()))
        known = words("norm.reading_known", day=words.day(self._known)) if self._asked.as_known is not None else ""
        about = [
            (words("text.of_day", day=words.day(self.on)) + known).striptags(),
            words("text.accessed", day=words.day(self._now)).striptags(),
            str(words("text.not_official")),
        ]
        return Printed(
            self._title,
            tuple(self._called.summaries) if self._name == self._name.work else (),
            tuple(about),
            self._permanent(),
            "pt-BR",
            tuple(lines),
            self._name.canonical,
        )
