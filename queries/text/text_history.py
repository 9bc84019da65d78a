"""The history of a norm or provision: its texts on all days of force, as known on one day."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice

from graph.civil import day_before
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Status
from graph.urn import Name, parse
from graph.wording.provisions import natural_order_key
from queries.evidence import is_dated_by_act, lifecycle_events, published_on
from queries.in_force import in_force
from queries.intervals import AnswerInterval, doubtful, from_first_text, merged_intervals, over_force
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    is_between,
    joined_within_bounds,
    texts_over_force,
    uncertain_days,
    versions_over_time,
)
from queries.text.open_wording import is_wording_open
from queries.text.wording_history import age, is_ended_by_act, parts_with_own_history, wordings

#: The maximum number of provisions that change on one day and are read to decide whether it is only that of the act.
_CHECKED = 20
#: The maximum number of provisions whose beginning is read.
_BEGUN = 200
#: The maximum number of inner provisions for which histories are read at all.
_FOLLOWED = 400


@dataclass(frozen=True, slots=True)
class TextStart:
    """How a text begins within a version of a norm or provision.

    Attributes:
        day: the civil date of the change; None where it is not exact.
        between: the first and the last possible day of the change; None where the day is exact, or the text of the row
            is not determined.
        of_act: whether the day is only that of the act.
        begun: the provisions that came into force; empty where the text changed.
    """

    day: date | None = None
    between: tuple[date, date] | None = None
    of_act: bool = False
    begun: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """The answers for one provision over all days of force.

    Attributes:
        name: the provision.
        rows: its intervals in order of days, from the first text on.
        words: the wording of each version by its name, where a source has it.
        newest: the newest version of the provision and its inner provisions in each row, by the row's first day.
        changed: the inner provisions with a text that begins or ends at a row's first day, by that day.
        doubtful: the bounds of rows where the status on the other side is unknown.
        stated: how the text of a row begins, by the row's first day, where it begins within a version of the norm.
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
    stated: Mapping[date, TextStart] = field(default_factory=dict)
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


def histories(store: Store, provision: Name, known: date, most_worded: int) -> list[History]:
    """Return the history of a provision, and those of its inner provisions where they are at most :data:`_FOLLOWED`.

    Args:
        provision: the provision, without version.
        known: K, a civil date.
        most_worded: the number of inner provisions with their words, which the provision itself always has.

    Returns:
        The histories that are not empty.
    """
    inner = parts_with_own_history(store, provision)
    names = map(parse, (provision.canonical, *(inner if len(inner) <= _FOLLOWED else ())))
    all_histories = (_history(store, name, known, worded=index <= most_worded) for index, name in enumerate(names))
    return [history for history in all_histories if history.rows]


def combine_histories(own: History, inner: Sequence[History]) -> History:
    """Return the history of a provision with all its inner provisions: a row for each text of the whole.

    Args:
        own: the history of the provision alone.
        inner: the histories of its inner provisions.
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
    stated = dict.fromkeys(between, TextStart())
    changed = {day: names for day, names in changed.items() if day not in between}
    return History(own.name, tuple(rows), own.words, newest, changed, doubtful, stated, between, own.open, own.by_act)


def _history(store: Store, provision: Name, known: date, *, worded: bool) -> History:
    words = wordings(store, provision, known) if worded else {}
    intervals = split_signed_rows(
        merged_intervals(over_force(store, provision, known)), published_on(store, provision.work)
    )
    rows = from_first_text(intervals)
    is_open = _open_rows(store, provision, rows, known) if worded else frozenset()
    by_act = ended_by_act(store, provision, rows, known) if worded else frozenset()
    return History(provision, rows, words, doubtful=doubtful(intervals), open=is_open, by_act=by_act)


def ended_by_act(store: Store, target: Name, rows: Iterable[AnswerInterval], known: date) -> frozenset[date]:
    """Return the first days of rows without a text that are only the days of the acts that ended it.

    Args:
        target: the norm or provision, without version.
        rows: its rows of days.
        known: K, a civil date.
    """
    ended = (row.start for row in rows if row.status in ENDED)
    return frozenset(day for day in ended if is_ended_by_act(in_force(store, target, day, known)))


def norm_history(store: Store, norm: Name, known: date) -> History | None:
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
    texts, changed = _texts_within_versions(store, norm, known, rows, changes)
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


def _texts_within_versions(
    store: Store,
    target: Name,
    known: date,
    rows: Sequence[AnswerInterval],
    changes: Sequence[ChangeDay],
) -> tuple[dict[date, TextStart], dict[date, tuple[Name, ...]]]:
    """Return how texts begin within a version, and the provisions that change then, by the first day.

    The provisions that came into force are in the value of the text only.

    Args:
        target: the norm or provision, without version.
        known: K, a civil date.
        rows: the days of force with one text each.
        changes: the days of the changes of the text.
    """
    starts = {row.start for row in over_force(store, target, known)}
    texts = _changed_texts(rows, starts, changes, partial(begins_by_act, store, target, known=known))
    uncertain, between = uncertain_days(changes), {row.start for row in rows if is_between(row, changes)}
    days = {row.start for row in rows} - starts - between
    changed = _changed_parts(store, target, known, days) if days else {}
    for day in [day for day in changed if day not in uncertain and texts.get(day) is not None]:
        if came_into_force(store, changed[day], day, known):
            texts[day] = TextStart(day, begun=changed.pop(day))
    return texts, changed


def _changed_texts(
    rows: Iterable[AnswerInterval],
    starts: Container[date],
    changes: Sequence[ChangeDay],
    is_of_act: Callable[[date], bool],
) -> dict[date, TextStart]:
    """Return how texts begin within a version, by their first day.

    Args:
        rows: the days of force with one text each.
        starts: the first days of versions and statuses.
        changes: the days of the changes of the text.
        is_of_act: returns whether an exact day is only that of the act (:func:`begins_by_act`).
    """
    uncertain = uncertain_days(changes)
    texts: dict[date, TextStart] = {}
    for row in rows:
        if row.version is None or row.start in starts:
            continue
        bounds = uncertain.get(row.start)
        if bounds is None:
            texts[row.start] = TextStart(row.start, of_act=is_of_act(row.start))
        elif is_between(row, changes) or bounds.first is None or bounds.last is None:
            texts[row.start] = TextStart()
        else:
            texts[row.start] = TextStart(between=(bounds.first, bounds.last))
    return texts


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
