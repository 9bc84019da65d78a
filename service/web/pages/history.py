"""The history of a norm or provision, and the notes on its wording: dates, amending norms, days without effect."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice

from markupsafe import Markup

from graph.civil import day_before
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Status
from graph.urn import Name, from_iri, parse
from graph.wording.provisions import natural_order_key, provision_name
from queries.answers import InForce
from queries.causes import causes, versions_with_stated_cause
from queries.dossier import undoing_events
from queries.editorial_notes import ProvisionNote, editorial_notes
from queries.efficacy import Days, days_without_effect, without_effect
from queries.evidence import bounds_of, is_dated_by_act, lifecycle_events, published_on, versions
from queries.in_force import in_force
from queries.intervals import AnswerInterval, doubtful, from_first_text, merged_intervals, over_force
from queries.reasons import Reason
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    is_between,
    joined_within_bounds,
    texts_over_force,
    uncertain_days,
    versions_over_time,
)
from queries.text.composition import outermost
from queries.text.open_wording import is_wording_open
from queries.text.wording_history import (
    CORRECTIONS,
    age,
    first_version_with_text,
    is_ended_by_act,
    parts_with_own_history,
    wordings,
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
#: The maximum number of provisions that change on one day and are read to decide whether it is only that of the act.
_CHECKED = 20
#: The maximum number of provisions whose beginning is read, and that of those that are named.
_BEGUN, _NAMED = 200, 6
#: The maximum number of inner provisions for which histories are read at all.
_FOLLOWED = 400
#: The maximum number of rows of one history on a page, and the maximum number of characters of its wordings together.
_ROWS, _WORDS = 40, 20_000
#: The bytes of a history on a page, and those of each row besides its words.
_TABLE, _ROW = 450, 300


@dataclass(frozen=True, slots=True)
class History:
    """The answers for one provision over all days of force.

    Attributes:
        name: the provision.
        rows: its intervals in order of days, from the first text on. A page shows those of :func:`rows_around`.
        words: the wording of each version by its name, where a source has it, up to the size limit of the page.
        newest: the newest version of the provision and its inner provisions in each row, by the row's first day.
        changed: the inner provisions with a text that begins or ends at a row's first day, by that day.
        doubtful: the bounds of rows where the status on the other side is unknown.
        stated: the text of a row in words, by the row's first day, where the row begins within a version of the norm.
        between: the first days of the rows within the bounds of a change whose day is unknown.
        open: the first days of the rows on which it is in force, and its wording is unknown.
        by_act: the first days of rows without a text that are only those of the act that ended it.
        undated: whether no source states the first day of force.
    """

    name: Name
    rows: tuple[AnswerInterval, ...]
    words: Mapping[str, str]
    newest: Mapping[date, str] = field(default_factory=dict)
    changed: Mapping[date, tuple[Name, ...]] = field(default_factory=dict)
    doubtful: frozenset[date] = frozenset()
    stated: Mapping[date, Markup] = field(default_factory=dict)
    between: frozenset[date] = frozenset()
    open: frozenset[date] = frozenset()
    by_act: frozenset[date] = frozenset()
    undated: bool = False

    def edges(self, row: AnswerInterval) -> frozenset[date]:
        """Return the bounds of a row that are not certain: unknown beyond, or only the day of an act."""
        ended = frozenset(day for day in (row.until,) if day is not None and day in self.by_act)
        if row.status is Status.UNKNOWN or row.start in self.between:
            return ended
        return self.doubtful | ended

    @property
    def weight(self) -> int:
        """Return the approximate number of bytes that this history adds to a page."""
        words = (bytes_of(self.words.get(row.version or "", "")) for row in self.rows[-_ROWS:])
        return _TABLE + min(len(self.rows), _ROWS) * _ROW + sum(words)


def histories(store: Store, provision: Name, known: date) -> list[History]:
    """Return the history of a provision, and those of its inner provisions where they are at most :data:`_FOLLOWED`.

    Args:
        provision: the provision, without version.
        known: K, a civil date.

    Returns:
        The histories that are not empty. The provision and its first :data:`MOST_INNER` inner ones have their words.
    """
    inner = parts_with_own_history(store, provision)
    names = map(parse, (provision.canonical, *(inner if len(inner) <= _FOLLOWED else ())))
    all_histories = (_history(store, name, known, worded=index <= MOST_INNER) for index, name in enumerate(names))
    return [history for history in all_histories if history.rows]


def combine_histories(own: History, inner: Sequence[History], undetermined: Markup) -> History:
    """Return the history of a provision with all its inner provisions: a row for each text of the whole.

    Args:
        own: the history of the provision alone.
        inner: the histories of its inner provisions.
        undetermined: the text to show in a row on whose first day the text of an inner provision is unknown.
    """
    texts = [(history.name, row) for history in inner for row in history.rows if row.version is not None]
    rows: list[AnswerInterval] = []
    newest: dict[date, str] = {}
    changed: dict[date, tuple[Name, ...]] = {}
    for row in own.rows:
        if row.version is None:
            rows.append(row)
            continue
        edges = {
            edge
            for _, interval in texts
            for edge in (interval.start, interval.until)
            if edge is not None and row.holds(edge)
        }
        starts = sorted({row.start, *edges})
        for start, until in zip(starts, (*starts[1:], row.until), strict=True):
            rows.append(replace(row, start=start, until=until))
            versions_then = (
                interval.version for _, interval in texts if interval.version is not None and interval.holds(start)
            )
            newest[start] = max((row.version, *versions_then), key=age)
            if start in edges and start != row.start:
                names = (name for name, interval in texts if start in (interval.start, interval.until))
                changed[start] = tuple(dict.fromkeys(names))
    doubtful = own.doubtful.union(*(history.doubtful for history in inner))
    unknown = [row for history in inner for row in history.rows if row.status is Status.UNKNOWN]
    between = frozenset(day for day in newest if any(row.holds(day) for row in unknown))
    stated = dict.fromkeys(between, undetermined)
    changed = {day: names for day, names in changed.items() if day not in between}
    return History(own.name, tuple(rows), own.words, newest, changed, doubtful, stated, between, own.open, own.by_act)


def _history(store: Store, provision: Name, known: date, *, worded: bool) -> History:
    words = wordings(store, provision, known) if worded else {}
    longest = _WORDS // max(_ROWS // 2, min(len(words), _ROWS))
    intervals = split_signed_rows(
        merged_intervals(over_force(store, provision, known)), published_on(store, provision.work)
    )
    shown = {made: cut(stated, longest) for made, stated in words.items()}
    rows = from_first_text(intervals)
    is_open = _open_rows(store, provision, rows, known) if worded else frozenset()
    by_act = ended_by_act(store, provision, rows, known) if worded else frozenset()
    return History(provision, rows, shown, doubtful=doubtful(intervals), open=is_open, by_act=by_act)


def ended_by_act(store: Store, target: Name, rows: Iterable[AnswerInterval], known: date) -> frozenset[date]:
    """Return the first days of rows without a text that are only the days of the acts that ended it.

    Args:
        target: the norm or provision, without version.
        rows: its rows of days.
        known: K, a civil date.
    """
    ended = (row.start for row in rows if row.status in ENDED)
    return frozenset(day for day in ended if is_ended_by_act(in_force(store, target, day, known)))


def norm_history(store: Store, norm: Name, known: date, writer: PageWriter) -> History | None:
    """Return the history of a norm, with a row for each text: also where only inner provisions changed.

    Args:
        norm: the norm or provision, without version.
        known: K, a civil date.

    Returns:
        None where there is no text, and no certain end of the norm.
    """
    intervals = over_force(store, norm, known)
    if not from_first_text(intervals):
        return _history_of_undated_norm(store, norm, known)
    changes = days_of_change(store, norm, known)
    rows = from_first_text(joined_within_bounds(texts_over_force(store, norm, known), changes))
    texts, changed = texts_within_versions(store, norm, known, rows, changes, writer)
    unknown = doubtful(intervals)
    between = frozenset(row.start for row in rows if is_between(row, changes)) - unknown
    edges = unknown | frozenset(uncertain_days(changes))
    rows = split_signed_rows(rows, published_on(store, norm))
    by_act = ended_by_act(store, norm, rows, known)
    is_open = _open_rows(store, norm, rows, known) if norm != norm.work else frozenset()
    return History(norm, rows, {}, {}, changed, edges, texts, between, is_open, by_act)


def _open_rows(store: Store, target: Name, rows: Iterable[AnswerInterval], known: date) -> frozenset[date]:
    """Return the first days of the rows on which a provision is in force, and its wording is unknown."""
    unknown = (row.start for row in rows if row.status is Status.UNKNOWN)
    return frozenset(day for day in unknown if is_wording_open(store, in_force(store, target, day, known)))


def _history_of_undated_norm(store: Store, norm: Name, known: date) -> History | None:
    """Return the history of a norm whose first day of force no source states: its end; None if it has no exact day."""
    stated = (day_stated(reason.effect) for _, reason in lifecycle_events(store, norm.iri))
    for day in sorted({when.exact for when in stated if when is not None and when.exact is not None}):
        status = in_force(store, norm, day, known).status
        if status not in ENDED:
            continue
        if in_force(store, norm, day_before(day), known).status in ENDED:
            return None  # it had ended by then, on a day that is not certain
        row = AnswerInterval(day, None, status, None)
        return History(norm, (row,), {}, by_act=ended_by_act(store, norm, (row,), known), undated=True)
    return None


def came_into_force(store: Store, names: Sequence[Name], day: date, known: date) -> bool:
    """Return whether provisions were all in vacatio on the day before, and are in force.

    Args:
        names: the provisions, without version; False if there are none, or too many to be read.
        day: D, a civil date.
        known: K, a civil date.
    """
    before = day_before(day)
    return 0 < len(names) <= _BEGUN and all(
        in_force(store, name, before, known).status is Status.VACATIO
        and in_force(store, name, day, known).status.stands
        for name in names
    )


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


def texts_within_versions(
    store: Store,
    target: Name,
    known: date,
    rows: Sequence[AnswerInterval],
    changes: Sequence[ChangeDay],
    writer: PageWriter,
) -> tuple[dict[date, Markup], dict[date, tuple[Name, ...]]]:
    """Return the texts that begin within a version, in words, and the provisions that change then, by the first day.

    The provisions are left out where their day is not certain, and where the words name them: they came into force.

    Args:
        target: the norm or provision, without version.
        known: K, a civil date.
        rows: the days of force with one text each.
        changes: the days of the changes of the text.
    """
    starts = {row.start for row in over_force(store, target, known)}
    texts = _changed_texts(rows, starts, changes, writer, partial(begins_by_act, store, target, known=known))
    uncertain, between = uncertain_days(changes), {row.start for row in rows if is_between(row, changes)}
    days = {row.start for row in rows} - starts - between
    changed = _changed_parts(store, target, known, days) if days else {}
    for day in [day for day in changed if day not in uncertain and texts.get(day) is not None]:
        if came_into_force(store, changed[day], day, known):
            begun = _outermost_in_words(changed.pop(day), writer)
            texts[day] = writer.words("norm.text_begun", day=writer.words.time(day), parts=begun)
    return texts, changed


def _changed_texts(
    rows: Iterable[AnswerInterval],
    starts: Container[date],
    changes: Sequence[ChangeDay],
    writer: PageWriter,
    is_of_act: Callable[[date], bool],
) -> dict[date, Markup]:
    """Return the texts that begin within a version, in words, by their first day.

    Args:
        rows: the days of force with one text each.
        starts: the first days of versions and statuses.
        changes: the days of the changes of the text.
        is_of_act: returns whether an exact day is only that of the act (:func:`begins_by_act`).
    """
    words, uncertain = writer.words, uncertain_days(changes)
    text_by_day: dict[date, Markup] = {}
    for row in rows:
        if row.version is None or row.start in starts:
            continue
        bounds = uncertain.get(row.start)
        if bounds is None:
            text = words("norm.text_changed", day=words.time(row.start))
            text_by_day[row.start] = writer.of_act(text) if is_of_act(row.start) else text
        elif is_between(row, changes) or bounds.first is None or bounds.last is None:
            text_by_day[row.start] = words("norm.text_undetermined")
        else:
            first, last = words.time(bounds.first), words.time(bounds.last)
            text_by_day[row.start] = words("norm.text_changed_between", first=first, last=last)
    return text_by_day


def begins_by_act(store: Store, target: Name, day: date, known: date) -> bool:
    """Return whether a text begins on a day only because its source dates wordings by the acts that made them.

    Args:
        target: the norm or provision, without version.
        day: the first day of the text.
        known: K, a civil date.
    """
    own = next((row for row in over_force(store, target, known) if row.start == day), None)
    if own is not None and own.version is None:
        return own.status in ENDED and is_ended_by_act(in_force(store, target, day, known))
    if own is not None and own.version is not None:
        return is_dated_by_act(store, own.version, day)
    if target == target.work:
        parts = versions_over_time(store, target, known).items()
        made = [(part, version) for part, changes in parts for start, version in changes if start == day.isoformat()]
    else:
        inner = ((part, over_force(store, parse(part), known)) for part in parts_with_own_history(store, target))
        made = [(part, row.version or "") for part, rows in inner for row in rows if row.start == day]
    checked = list(islice(_changes_by_act(store, made, day, known), _CHECKED))
    return bool(checked) and all(checked)


def _changes_by_act(store: Store, made: Iterable[tuple[str, str]], day: date, known: date) -> Iterator[bool]:
    """Yield whether a day is only that of the act, for each provision with a text that begins or ends on that day.

    Args:
        made: the provisions, each with the name of its version from that day on; empty where it has none.
        day: D, a civil date.
        known: K, a civil date.
    """
    for part, version in made:
        if version:
            yield is_dated_by_act(store, version, day)
        elif (answer := in_force(store, part, day, known)).status in ENDED:
            yield is_ended_by_act(answer)


def _changed_parts(store: Store, target: Name, known: date, days: set[date]) -> dict[date, tuple[Name, ...]]:
    """Return the provisions of a norm, or within a provision, whose text changes on some days, by the day."""
    parts_by_day: dict[date, list[str]] = {}
    every = versions_over_time(store, target.work, known)
    within = every if target == target.work else every.keys() & set(parts_with_own_history(store, target))
    for part, changes in every.items():
        if part not in within:
            continue
        for day, _ in changes:
            if day and (changed := date.fromisoformat(day)) in days:
                parts_by_day.setdefault(changed, []).append(part)
    return {day: tuple(map(parse, sorted(parts, key=natural_order_key))) for day, parts in parts_by_day.items()}


def split_signed_rows(rows: Iterable[AnswerInterval], published: date | None) -> tuple[AnswerInterval, ...]:
    """Return rows of days, where vacatio before the publication of the norm has a row of its own.

    Args:
        rows: the rows in order.
        published: the first day on which the norm was published; None where it is unknown.
    """
    intervals: list[AnswerInterval] = []
    for row in rows:
        if row.status is Status.VACATIO and published is not None and row.start < published and row.holds(published):
            intervals += [replace(row, until=published), replace(row, start=published)]
        else:
            intervals.append(row)
    return tuple(intervals)


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
