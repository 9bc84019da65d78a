"""The text of a norm or provision with its changes struck through, on a page, and the text of a day as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from markupsafe import Markup

from graph.civil import ONE_DAY
from graph.document_kinds import non_norm_kind
from graph.store import Store
from graph.time.kinds import ENDED, Axis
from graph.urn import Name
from graph.wording.tables import cells_of
from queries.answers import InForce
from queries.dossier import Dossier, dossier
from queries.evidence import records
from queries.in_force import in_force
from queries.notices import Vetoed, any_of
from queries.text.absent import located, missing_error
from queries.text.changes import texts_over_force
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.laid_out import TextWithLayout, last_day_of_data, read, text_never_in_force, text_on
from service.web.names.parameters import RequestParameters
from service.web.pages.contradictions import records_behind
from service.web.pages.downloads import FILES, FileContent, Line, Section
from service.web.pages.frame import Frame, format_markup, render, source_name
from service.web.pages.history import IneffectiveInterval, WordingNotes
from service.web.pages.past_wordings import PastWording, earlier_wordings, ended_provisions
from service.web.pages.reading_bar import BarText, reading_bar
from service.web.pages.reading_days import read_page, text_writer_of
from service.web.pages.related import MOST_SHOWN, called, records_of
from service.web.pages.text_notices import (
    no_text_problem,
    source_in_words,
    text_notices,
    unapplied_changes,
    wording_in_words,
)
from service.web.pages.text_status import (
    authority_of,
    coming_note,
    coming_sentence,
    excerpt_sentence,
    line_of,
    partial_sentence,
    status_in_words,
    summaries_of_text,
)
from service.web.tasks.messages import Answer
from service.web.text_layout import DOTS, Block, blocks_of, entries_of

#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.text", "/text"
#: The value of ``view`` of the page, the text with its changes. The page of the norm has the text without them.
CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class _Text:
    """The text for the template. It has no data on efficacy."""

    blocks: Sequence[Block]
    notes: WordingNotes
    suspended: Mapping[str, IneffectiveInterval]


def show_whole_text(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the text of a day with its changes as a page, or the text as a file (runs in a worker process).

    Args:
        arguments: ``name``, canonical, of a norm or provision without a version; ``on`` and ``as_known``, days or None;
            ``format``, a key of :data:`service.web.pages.downloads.FILES`, or
            ``html``; ``problem``, whether the client prefers a problem to a file without a text; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name, or where a file is requested and there is no text. The
            file of a norm or provision that ended states its end.
        NotYetKnown: K is in the future.
    """
    page = _Page(*read_page(store, arguments))
    kind = str(arguments["format"])
    if kind == "html":
        return Answer(page.as_page(), "text/html")
    if not page.blocks and (arguments["problem"] or not page.is_ended):
        raise page.without_text()
    file = FILES[kind]
    return Answer(file.write(page.printed()), file.media)


def _lines_of(block: Block) -> list[Line]:
    """Return the lines of the words of a block; none where it has neither words nor a label."""
    texts = list(block.lines) or [DOTS if block.dotted else ""]
    label = block.label
    if not texts[0] and not label:
        return []
    if cells_of(texts[0]) is not None and (label or block.opens):
        texts.insert(0, "")
    if cells_of(texts[-1]) is not None and block.closes:
        texts.append("")
    if block.opens and label:
        label = f"“{label}"
    elif block.opens:
        texts[0] = f"“{texts[0]}"
    if block.closes:
        texts[-1] += "”"
    return [Line(block.role, label if index == 0 else None, text) for index, text in enumerate(texts)]


#: The level of articles in the outline: below all groupings.
_ARTICLE_LEVEL = 99


def _with_entry(lines: Sequence[Line], block: Block) -> Iterator[Line]:
    """Yield the lines of a block. The first line of an article of the text itself is in the outline."""
    entry = None
    if block.article and not block.quoted:
        entry = " – ".join(filter(None, ((block.label or "").rstrip(" .-–"), block.title)))
    for index, line in enumerate(lines):
        yield replace(line, entry=entry, level=_ARTICLE_LEVEL) if index == 0 and entry else line


def _editorial_lines(notes: Sequence[Markup]) -> Iterator[Line]:
    """Yield one line with the notes of publishers; nothing without notes."""
    if notes:
        yield Line("note", None, " ".join(note.striptags() for note in notes))


def _ended_line(wording: PastWording) -> Line:
    return Line(wording.role, wording.label, f"({(wording.note or Markup('')).striptags()})")


class _Page:
    """One text with the data of its page."""

    def __init__(self, store: Store, name: Name, frame: Frame, now: date, asked: RequestParameters) -> None:
        self._store, self._name, self._frame, self._now, self._asked = store, name, frame, now, asked
        self.on, self._known = asked.on or now, asked.as_known or now
        self._writer = text_writer_of(store, frame, now, asked if asked != RequestParameters() else None)
        self._read: TextWithLayout = read(store, name, self.on, self._known)
        self._answer: InForce = located(store, in_force(store, name, self.on, self._known), text_on)
        self.blocks = blocks_of(self._read.answer.provisions, self._read.coming)
        self._called = called(store, name.work)
        epigraph = self._called.epigraph if name == name.work else None
        self._title = epigraph or self._writer.title(name)

    def _summaries(self) -> Sequence[str]:
        """Return the ementas of a norm: that of the text, else those of all sources."""
        if self._name != self._name.work:
            return ()
        return summaries_of_text(self._read.answer) or self._called.summaries

    def as_page(self) -> bytes:
        """Return the page, with earlier wordings struck through.

        Raises:
            NoSuchProvision: the norm does not have the provision.
        """
        refusal = missing_error(self._answer)
        if refusal is not None:
            raise refusal
        writer, name, asked = self._writer, self._name, self._asked
        days = RequestParameters(self.on if asked.on is not None else None, asked.as_known)
        today = read(self._store, name, self._now, self._now)
        other = today.answer.provisions != self._read.answer.provisions
        bar = BarText(
            name,
            self._answer,
            days,
            asked.on,
            other,
            dated=True,
            has_text=bool(self.blocks),
            previous=bool(self.blocks) and not other,
        )
        path = PREFIX + name_path(name.canonical)
        return render(
            "whole_text.html",
            self._frame,
            writer=writer,
            name=name,
            norm=name.work,
            title=writer.title(name),
            summaries=self._summaries(),
            line=line_of(self._store, self._answer, writer),
            unapplied=unapplied_changes((*self._answer.notices, *self._read.answer.notices), writer),
            bar=reading_bar(self._store, self._known, bar, writer),
            text=_Text(self.blocks, WordingNotes(self._store, name.work, writer, days.query(), self._known), {}),
            entries=entries_of(self.blocks),
            earlier=earlier_wordings(self._store, name, self.on, self._known, self.blocks, writer),
            coming=coming_sentence(self.blocks, self._answer.status, writer),
            excerpts=excerpt_sentence(self.blocks, writer),
            partial=partial_sentence(self._store, self._read.answer, writer),
            days=days.query(),
            on=asked.on,
            asked=asked,
            now=self._now,
            files=[(kind, self._frame.to(path, on=asked.on, as_known=asked.as_known, format=kind)) for kind in FILES],
            permanent=self._permanent_address(),
        )

    @cached_property
    def _reach(self) -> date | None:
        """The last day up to K that the data cover; None if no source states it."""
        return last_day_of_data(self._store, self._name, self._answer)

    @cached_property
    def _found(self) -> Dossier:
        """The dossier, with the reasons of the status and the contradictions of the sources."""
        days = (self.on, self._known, Axis.FORCE)
        return dossier(self._store, self._name, *days, today=self._now, effects=self._name == self._name.work)

    def _permanent_address(self) -> str:
        """Return the permanent address of this text, with its day and the last day of knowledge that its data cover."""
        days = RequestParameters(self.on, self._reach or self._known)
        return self._frame.base + name_path(self._name.canonical) + days.query()

    def _lines_of_block(self, block: Block, notes: WordingNotes) -> Iterator[Line]:
        words, writer = self._writer.words, self._writer
        if block.role == "grouping":
            title = " – ".join(filter(None, (block.label, block.title)))
            words_shown = f"{'“' if block.opens else ''}{title}{'”' if block.closes else ''}"
            entry = None if block.quoted or not title else title
            yield Line("grouping", None, words_shown, entry, block.fragments[0].count("_") + 1)
            yield from _editorial_lines(notes.of_block(block))
            return
        if block.coming:
            yield from _with_entry(
                [Line(block.role, block.label, f"({coming_note(block, writer).striptags()})")], block
            )
            return
        headed = [Line("heading", None, block.title)] if block.title else []
        yield from _with_entry([*headed, *_lines_of(block)], block)
        if block.undecided:
            yield Line("note", None, f"({words('norm.undecided_here')})")
        if block.situation_noted is not None and not block.dotted:
            yield Line("note", None, f"({writer.situation_mark(block.situation_noted, block.name)})")
        if block.changed is not None:
            yield Line("note", None, notes.note(block).striptags())
        yield from _editorial_lines(notes.of_block(block))

    def printed(self) -> FileContent:
        """Return the content of a file."""
        writer = self._writer
        notes = WordingNotes(self._store, self._name.work, writer, "", self._known)
        days = (self.on, self._known)
        ended = ended_provisions(self._store, self._name, *days, self.blocks, self.blocks, writer).after
        lines = [_ended_line(wording) for wording in ended.get("", ())]
        lines += _editorial_lines(notes.of_norm() if self._name == self._name.work else ())
        for block in self.blocks:
            lines += self._lines_of_block(block, notes)
            lines += [_ended_line(wording) for wording in ended.get(block.name, ())]
        if not self.blocks:
            lines += self._lines_of_ended()
        return FileContent(
            self._title,
            tuple(self._summaries()),
            tuple(self._about()),
            self._permanent_address(),
            "pt-BR",
            tuple(lines),
            self._name.canonical,
            authority_of(self._name.work, writer.vocabulary) or "",
            self._now,
            self._dated_title(),
            (*self._notices(), *self._sources()),
        )

    @property
    def _day_key(self) -> str:
        """The message key for the day: of the text, or of the question where there is none, or the text has no day."""
        has_day = self.blocks and non_norm_kind(self._name) is None
        return "text.of_day" if has_day else "text.of_question"

    @property
    def is_ended(self) -> bool:
        """Whether the norm or provision has ended by the day of the text."""
        return self._answer.status in ENDED or any_of(self._answer.notices, Vetoed)

    def without_text(self) -> Problem:
        """Return the problem of a file that has no text, with the status and the address of the page."""
        detail = f"no text of {self._name.canonical} is in force on {self.on.isoformat()}; its page has other days"
        return no_text_problem(self._answer, name_path(self._name.canonical) + self._asked.query(), detail)

    def _dated_title(self) -> str:
        """Return the title with the day of the text or of the question."""
        day = self._writer.words(self._day_key, day=self._writer.words.day(self.on)).striptags()
        return f"{self._writer.title(self._name)}, {day[:1].lower()}{day[1:]}"

    def _about(self) -> Iterator[str]:
        """Yield the sentences about the text: its days, its status, its wording, and what the sources cover."""
        words, writer, answer = self._writer.words, self._writer, self._answer
        known = self._known if self._asked.as_known is not None else self._reach or self._known
        day = words(self._day_key, day=words.day(self.on)) + words("norm.reading_known", day=words.day(known))
        wording, is_norm = None, non_norm_kind(self._name) is None
        if self.blocks:
            wording = wording_in_words(self._store, answer, self._found.day.newest, self._read.answer, writer)
        reported = [
            day,
            words("norm.day_to_come") if self.on > self._now else None,
            words("text.status", status=status_in_words(self._store, answer, writer)),
            wording,
            words("text.accessed", day=words.day(self._now)),
            writer.coverage_sentence(answer.known_up_to),
            words("text.not_official") if self.blocks and is_norm else None,
            coming_sentence(self.blocks, answer.status, writer),
            excerpt_sentence(self.blocks, writer),
        ]
        yield from (sentence.striptags() for sentence in reported if sentence)

    def _lines_of_ended(self) -> Iterator[Line]:
        """Yield the lines of a file without a text: that there is none, and the address of the last text."""
        words, writer = self._writer.words, self._writer
        yield Line("step0", None, writer.at("tenses.no_version", self.on).striptags())
        unborn = text_never_in_force(self._store, self._name, self._answer)
        key, day = "norm.text_unborn", unborn.on if unborn is not None else None
        if day is None:
            rows = texts_over_force(self._store, self._name, self._known)
            ends = [row.until for row in rows if row.version is not None and row.until is not None]
            last = max((end for end in ends if end <= self.on), default=None)
            key, day = "text.last", last - ONE_DAY if last is not None else None
        if day is not None:
            address = self._frame.base + name_path(self._name.canonical) + RequestParameters(day).query()
            yield Line("note", None, f"{words(key).striptags()}: {address}")

    def _notices(self) -> Iterator[Section]:
        """Yield the section with the notices of the page of the norm or provision; nothing where there are none."""
        own = replace(self._writer, own_norm=self._name.work)
        shown = text_notices(self._store, self._found, self._read.answer, self._asked.on, own)
        notices = [format_markup("{}", notice.text).striptags() for part in shown for notice in part.shown]
        if notices:
            yield Section(str(self._writer.words("norm.notices")), tuple(notices))

    def _newest_records(self) -> Iterator[str]:
        """Yield the newest record of each provider about the norm or provision, without those of a later day than K."""
        newest: dict[str, tuple[str, str]] = {}
        for note in records(self._store, self._name.iri) or records(self._store, self._name.work.iri):
            stamp = (note.datestamp or "")[:10]
            if stamp <= self._known.isoformat():
                who = source_name(note.provider or note.iri)
                newest[who] = max(newest.get(who, ("", "")), (stamp, note.iri))
        yield from (iri for _, iri in newest.values())

    def _sources(self) -> Iterator[Section]:
        """Yield the section with the sources of the status, and of the norm; nothing where there are none."""
        day = self._found.day
        because = (explanation.reason.source for explanation in day.reasons)
        behind = records_behind(contradiction.notice for contradiction in self._found.contradictions)
        describing = self._newest_records()
        iris = dict.fromkeys([*filter(None, because), *day.answer.sources, *behind, *describing])
        records_shown = list(iris)[:MOST_SHOWN]
        sources = (source_in_words(record, self._writer) for record in records_of(self._store, records_shown).values())
        listed = list(dict.fromkeys(sources))
        if len(iris) > len(records_shown):
            listed.append(str(self._writer.words("norm.more", n=len(iris) - len(records_shown))))
        if listed:
            yield Section(str(self._writer.words("norm.sources")), tuple(listed))
