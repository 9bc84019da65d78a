"""The history of a norm or provision, and the notes on its wording: dates, amending norms, days without effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, from_iri, parse
from graph.wording.provisions import provision_name
from queries.answers import InForce
from queries.causes import causes, versions_with_stated_cause
from queries.dossier import undoing_events
from queries.editorial_notes import ProvisionNote, editorial_notes
from queries.efficacy import Days, days_without_effect, without_effect
from queries.evidence import bounds_of, versions
from queries.in_force import in_force
from queries.intervals import AnswerInterval
from queries.reasons import Reason
from queries.text.composition import outermost
from queries.text.text_history import History, TextStart
from queries.text.wording_history import (
    CORRECTIONS,
    first_version_with_text,
)
from service.web.http.name_paths import name_path
from service.web.laid_out import TextWithLayout
from service.web.pages.frame import format_markup
from service.web.pages.reasons import cause_in_words, reason_sentences
from service.web.pages.status import without_effect_words
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.text_layout import Block, bytes_of, cut

#: The maximum number of inner provisions whose own histories a page shows.
MOST_INNER = 40
#: The maximum number of provisions that are named.
_NAMED = 6
#: The maximum number of rows of one history on a page, and the maximum number of characters of its wordings together.
_ROWS, _WORDS = 40, 20_000
#: The bytes of a history on a page, and those of each row besides its words.
_TABLE, _ROW = 450, 300


def _outermost_in_words(names: Iterable[Name], writer: PageWriter) -> str:
    """Return the provisions that are in none of the others, in words, without their norm; if they are many, their
    number."""
    outer = [name.rpartition("!")[2] for name in outermost(name.canonical for name in names)]
    if len(outer) > _NAMED:
        return str(writer.words.count("norm.parts_begun", len(outer)))
    return provision_name(outer, language=writer.words.language.code)


def begun_sentence(names: Sequence[Name], writer: PageWriter) -> Markup:
    """Return in words that provisions came into force."""
    number = len(outermost(name.canonical for name in names))
    return writer.words.count("feeds.begun", number, parts=_outermost_in_words(names, writer))


def rows_around(rows: tuple[AnswerInterval, ...], day: date | None) -> tuple[AnswerInterval, ...]:
    """Return the rows of a history around a day, at most as many as a page shows.

    Args:
        rows: the rows in order.
        day: D, a civil date; None for the last rows.
    """
    if len(rows) <= _ROWS:
        return rows
    index = next((i for i, interval in enumerate(rows) if day is not None and interval.holds(day)), len(rows) - 1)
    first = max(0, min(index - _ROWS // 2, len(rows) - _ROWS))
    return rows[first : first + _ROWS]


def wording_shown(history: History, version: str | None) -> str | None:
    """Return the wording of a version in a history, as much as fits into a page; None where no source has it."""
    longest = _WORDS // max(_ROWS // 2, min(len(history.words), _ROWS))
    words = history.words.get(version or "")
    return cut(words, longest) if words is not None else None


def weight(history: History) -> int:
    """Return the approximate number of bytes that a history adds to a page."""
    words = (bytes_of(wording_shown(history, row.version) or "") for row in history.rows[-_ROWS:])
    return _TABLE + min(len(history.rows), _ROWS) * _ROW + sum(words)


def text_start(start: TextStart, writer: PageWriter, *, with_parts: bool = False) -> Markup:
    """Return a text that begins within a version, in words.

    Args:
        start: how it begins.
        with_parts: whether the history is also that of the inner provisions.
    """
    words = writer.words
    if start.between is not None:
        first, last = map(words.time, start.between)
        return words("norm.text_changed_between", first=first, last=last)
    if start.day is None:
        return words("norm.parts_undetermined" if with_parts else "norm.text_undetermined")
    day = words.time(start.day)
    if start.begun:
        return words("norm.text_begun", day=day, parts=_outermost_in_words(start.begun, writer))
    text = words("norm.text_changed", day=day)
    return writer.of_act(text) if start.of_act else text


def row_in_words(
    history: History, row: AnswerInterval, made_by: Callable[[str], Markup], writer: PageWriter
) -> tuple[Markup, Markup, Markup]:
    """Return a row of a history in words: its days; its text, or its status; and the norms that made its version.

    The last is empty where the text names them.

    Args:
        made_by: the function of :func:`given_by`.
    """
    days = writer.interval(row.start, row.until, history.edges(row))
    made = Markup("")
    if row.version is not None and row.start in history.stated:
        what = text_start(history.stated[row.start], writer, with_parts=bool(history.newest))
    elif row.version is not None:
        newest = history.newest.get(row.start, row.version)
        what, made = writer.wording(newest), made_by(newest)
    elif row.start in history.open:
        what = writer.words("status.wording_open")
    else:
        what = writer.status_in_row(row.status, history.name, row.start, row.until or date.max)
    return writer.of_act(days) if row.start in history.by_act else days, what, made


def given_by(store: Store, norm: Name, writer: PageWriter) -> Callable[[str], Markup]:
    """Return a function that returns the norms that made a version, in words; empty where no source states them.

    Args:
        norm: the norm, without version.
    """
    caused = causes(store, norm.iri, versions(store, norm.iri))
    stated = versions_with_stated_cause(store, norm.iri)

    def reported(version: str) -> Markup:
        made = first_version_with_text(store, version)
        names = caused.get(made, ()) if made in stated else ()
        return Markup(" ") + writer.words("norm.given_by", by=writer.by(names)) if names else Markup("")

    return reported


#: The maximum number of provisions without effect that a page shows with days and cause. Others have neither.
_MOST = 40
#: The maximum number of characters of a publisher's note on a page.
_LONGEST_NOTE = 400
#: The maximum number of intervals without effect that a page shows with their causes.
_MOST_DAYS = 12


@dataclass(frozen=True, slots=True)
class WordingNotes:
    """The notes on the wordings of one norm.

    Attributes:
        norm: the norm, without version.
        query: the days of the page, for the addresses of its links.
        known: K, a civil date; None for all data.
    """

    store: Store
    norm: Name
    writer: PageWriter
    query: str
    known: date | None = None
    _causes: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def _made_by(self, version: str) -> Sequence[str]:
        iri = self.norm.iri
        if iri not in self._causes:
            self._causes[iri] = causes(self.store, iri, versions(self.store, iri))
        return self._causes[iri].get(version, ())

    def _causes_stated_of_part(self, version: str) -> Sequence[str]:
        """Return the norms that made a version of a provision, as stated by a source of that provision."""
        part = parse(version).provision
        if part is None:
            return ()
        stated = self.store.summary(part.iri).causes()
        return sorted({from_iri(cause) for made, cause in stated if from_iri(made) == version})

    def inferred(self, blocks: Iterable[Block]) -> bool:
        """Return whether a note of these blocks names a norm that is inferred from dates only."""
        changed = {block.changed for block in blocks if block.changed is not None}
        made = {first_version_with_text(self.store, provision) for provision in changed}
        return any(self._made_by(version) for version in made - versions_with_stated_cause(self.store, self.norm.iri))

    def note(self, block: Block) -> Markup:
        """Return the date of a provision's wording and the norm that changed or inserted it, in parentheses."""
        words, version = self.writer.words, block.changed
        assert version is not None  # noqa: S101 - else there is no note
        named, first = parse(version), first_version_with_text(self.store, version)
        kind = "inserted" if self._inserts(block, first) else "changed"
        made_by = self._made_by(first) or self._causes_stated_of_part(version)
        day = words.day(block.since) if block.since else None
        bounds = bounds_of(named)
        ending = "by" if made_by else "on" if day else "between" if bounds else "undated"
        first_day, last_day = map(words.day, bounds) if bounds else ("", "")
        reported = self.writer.agreed(f"norm.note_{kind}_{ending}", block.name, day=day, first=first_day, last=last_day)
        address = self.writer.frame.to(name_path(block.name) + self.query) + "#history"
        is_of_act = self.writer.is_dated_by_act(version)
        since = words("norm.since", day=day) if day else words("norm.history")
        since = self.writer.of_act(since) if day and is_of_act else since
        reported = format_markup('<a href="{}" title="{}">{}</a>', address, since, reported)
        if made_by:
            reported += Markup(" ") + self.writer.by(made_by, short=True)
        elif is_of_act and (day or bounds):
            reported += words("norm.note_of_act")
        if named.event in CORRECTIONS and named.view_date is not None:
            reported += words(
                "norm.changed_again", made=words(f"norm.made_{named.event}", day=words.time(named.view_date))
            )
        return format_markup("({})", reported)

    def of_norm(self) -> Sequence[Markup]:
        """Return the notes of publishers on the whole norm, each in parentheses."""
        return self._editorial(self.norm.canonical)

    def of_block(self, block: Block) -> Sequence[Markup]:
        """Return the notes of publishers on a provision, each in parentheses; with its last part only."""
        names = dict.fromkeys((block.name, *(f"{self.norm.canonical}!{fragment}" for fragment in block.fragments)))
        return () if block.goes_on or block.coming else self._editorial(*names)

    def _editorial(self, *names: str) -> Sequence[Markup]:
        notes = [note for note in editorial_notes(self.store, self.norm, self.known) if note.provision in names]
        once = list({(note.text, note.target, note.struck): note for note in notes}.values())
        more = [self.writer.words("norm.more", n=len(once) - _MOST)] if len(once) > _MOST else []
        return [*map(self._editorial_note, once[:_MOST]), *more]

    def _editorial_note(self, note: ProvisionNote) -> Markup:
        """Return a note as a link to what it names, if the store has it, else to the address of its publisher."""
        shown, target = format_markup("({})", cut(note.text, _LONGEST_NOTE)), note.target
        named = parse(target) if target is not None else None
        if named is not None and self.writer.is_known(named):
            shown = format_markup('<a href="{}">{}</a>', self.writer.path(named), shown)
        elif note.url is not None and note.url.startswith(("https://", "http://")):
            shown = format_markup('<a href="{}" rel="nofollow">{}</a>', note.url, shown)
        return format_markup("<del>{}</del>", shown) if note.struck else shown

    def _inserts(self, block: Block, made: str) -> bool:
        """Return whether a version of the norm inserted a provision. A later rectification does not change that."""
        reported = parse(block.changed or block.name).provision
        named = dict.fromkeys((block.name, reported.canonical if reported is not None else block.name))
        own = (version for name in named for version in versions(self.store, parse(name).iri))
        return any(version.inserts for version in own if version.name.rpartition("!")[0] == made)


@dataclass(frozen=True, slots=True)
class IneffectiveInterval:
    """An interval in which a norm or provision is in force without effect, and its causes.

    Attributes:
        text: the interval, as a part of a sentence.
        because: the events that cause it.
        reasons: the same events in sentences.
    """

    text: Markup
    because: tuple[Reason, ...]
    reasons: Sequence[SourcedSentence]

    @property
    def sources(self) -> list[str]:
        """Return the records that state the causes, each once."""
        return list(dict.fromkeys(reason.source for reason in self.reasons if reason.source is not None))


def effectless_parts(
    store: Store, target: Name, texts: Iterable[TextWithLayout], blocks: Iterable[Block], writer: PageWriter
) -> dict[str, IneffectiveInterval]:
    """Return the provisions of a text without effect whose containing text has effect, by the names of their blocks.

    Args:
        target: the norm or provision, without version.
        texts: the same text on each relevant day. The first one takes precedence.
        blocks: the blocks of the text that the page shows.
    """
    blocks, intervals = tuple(blocks), dict[str, IneffectiveInterval]()
    for text in texts:
        on, known = text.answer.on, text.answer.as_known
        if on is None or known is None:
            continue
        for block in blocks:
            head = block.name.rpartition("!")[0]
            name = next(
                (name for fragment in block.fragments if (name := f"{head}!{fragment}") in text.suspended), None
            )
            if name is None or name == target.canonical or block.name in intervals:
                continue
            reported = in_force(store, parse(name), on, known) if len(intervals) < _MOST else None
            intervals[block.name] = _effectless(store, reported, writer)
    return intervals


def _effectless(store: Store, reported: InForce | None, writer: PageWriter) -> IneffectiveInterval:
    effect = without_effect(store, reported) if reported is not None else None
    if reported is None or effect is None:
        return IneffectiveInterval(writer.words("norm.part_without_effect"), (), ())
    because = (*effect.because, *undoing_events(store, reported, (), effect))
    by = Markup("").join(dict.fromkeys(_cause_phrases(because, writer)))
    phrase = writer.words("norm.part_without_effect_by", effect=without_effect_words(effect, writer), by=by)
    return IneffectiveInterval(phrase, because, reason_sentences(because, writer))


def _cause_phrases(because: Iterable[Reason], writer: PageWriter) -> Iterator[Markup]:
    return (
        writer.words("norm.caused_by", cause=cause_in_words(reason, writer))
        for reason in because
        if reason.cause is not None
    )


def effectless_days(
    store: Store, target: Name, on: date, known: date, writer: PageWriter
) -> tuple[list[tuple[Days, IneffectiveInterval]], int]:
    """Return the days on which a norm or provision is in force without effect, each with its causes.

    Where there are more than :data:`_MOST_DAYS` intervals, the nearest to a day are returned.

    Args:
        target: the norm or provision, without version.
        on: D, a civil date.
        known: K, a civil date.

    Returns:
        The intervals that a page shows, in order, and the number of all of them.
    """
    intervals: list[tuple[Days, IneffectiveInterval]] = []
    every = days_without_effect(store, target, known)
    after = next((index for index, days in enumerate(every) if days.start > on), len(every))
    first = max(0, min(after - _MOST_DAYS // 2, len(every) - _MOST_DAYS))
    for days in every[first : first + _MOST_DAYS]:
        reported = in_force(store, target, days.start, known)
        effect, phrase = without_effect(store, reported), writer.interval(days.start, days.until, days.doubtful)
        because = (*effect.because, *undoing_events(store, reported, (), effect)) if effect is not None else ()
        intervals.append((days, IneffectiveInterval(phrase, because, reason_sentences(because, writer))))
    return intervals, len(every)
