"""The days on which a text changes, and the days with one text, over days of force and over days of knowledge.

They are edges of rows of the read model. A version is in force for an interval, and its parts may change within it: a
fact on an article, an overturned veto, a rectified provision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple, TypeAlias

from graph.civil import ONE_DAY
from graph.read_model.rectangles import OPEN as WITHOUT_END
from graph.read_model.rectangles import Rectangle, ordinal
from graph.read_model.rows import Axes, Row
from graph.store import Store
from graph.time.composition import PRINTED, Words
from graph.time.kinds import Status
from graph.urn import Name, from_iri
from queries.intervals import AnswerInterval, answers_over_knowledge, over_force
from queries.orders import derived_texts
from queries.provisions import held

#: The states of a part without a version: missing, and unknown.
_ABSENT, OPEN = "", "?"
_NAMES = "urn:lex:"
#: The state before the first known wording of a provision that must have had another one.
_PRESUPPOSED = "?before"
#: Values and the days on which a part has them.
_Values: TypeAlias = Sequence[tuple[Rectangle, str]]


class _Part(NamedTuple):
    """A norm or provision, by IRI, as a part of a text.

    Attributes:
        has_history: whether it does not only follow its norm.
        states: its version, or :data:`_ABSENT` or :data:`OPEN`, with the words that a complete text has nevertheless.
        texts: the text of its norm that has its words; none where its own version has them.
    """

    name: str
    has_history: bool
    states: _Values
    texts: _Values


def _parts_of_norm(store: Store, norm: Name) -> tuple[_Part, ...]:
    """Return a norm and all its provisions."""
    return store.cached((_parts_of_norm, norm.iri), lambda: tuple(_parts_from_rows(store, norm)))


def _parts_by_name(store: Store, norm: Name) -> Mapping[str, _Part]:
    """Return a norm and all its provisions by IRI."""
    return store.memoized((_parts_by_name, norm.iri), lambda: {part.name: part for part in _parts_of_norm(store, norm)})


def _parts_from_rows(store: Store, norm: Name) -> Iterator[_Part]:
    by_fragment: dict[str, list[Row]] = {}
    with_history = {""}
    for fragment, own, row in store.full_text.rows(norm.iri):
        if row.axes & Axes.FORCE:
            by_fragment.setdefault(fragment, []).append(row)
        if own:
            with_history.add(fragment)
    for fragment, rows in by_fragment.items():
        name = f"{norm.iri}!{fragment}" if fragment else norm.iri
        texts = [(row.days, (row.shown or "").rpartition("!")[0]) for row in rows if row.words in PRINTED]
        yield _Part(name, fragment in with_history, [(row.days, _state(row)) for row in rows], texts)


def _state(row: Row) -> str:
    if row.version is not None:
        return row.version
    if row.words is Words.OWN and row.shown is not None:  # the status of its norm is unknown, and not its wording
        edition, _, fragment = row.shown.rpartition("!")
        return f"{edition.rpartition('~')[0]}!{fragment}"
    if row.words is Words.UNDECIDED and not row.because:
        return _PRESUPPOSED
    state = OPEN if row.words is Words.UNDECIDED or (row.status is Status.UNKNOWN and row.because) else _ABSENT
    return f"{state}{row.words}" if row.words in PRINTED else state


def _parts_of_text(store: Store, name: Name) -> list[_Part]:
    """Return the parts that change a text: the norm or provision first, and the parts of it with their own history.

    Those that only follow the norm have no states. Of those whose words are in the same texts, one is returned.
    """
    every, iri = _parts_by_name(store, name.work), name.iri
    parts = [every.get(iri, _Part(iri, has_history=False, states=(), texts=()))]
    inner: Set[str] = every.keys()
    if name != name.work:
        inner = held(store, name).keys() | {part for part in every if part.startswith(f"{iri}_")}
    alike = set[tuple[tuple[Rectangle, str], ...]]()
    for part in every.values():
        if part.name == iri or part.name not in inner:
            continue
        if part.has_history:
            parts.append(part)
        elif (texts := tuple(part.texts)) not in alike:
            alike.add(texts)
            parts.append(part._replace(states=()))
    if derived := derived_texts(store, name.work):
        ends = (*(each.day for each in derived[1:]), None)
        days = (
            (Rectangle(ordinal(each.day), ordinal(until), ordinal(each.known), WITHOUT_END), each.text)
            for each, until in zip(derived, ends, strict=True)
        )
        parts.append(_Part(derived[0].text, has_history=False, states=tuple(days), texts=()))
    return parts


def changes_by_part(store: Store, name: Name, known: date) -> Iterator[list[tuple[str, str]]]:
    """Yield, for each part of a text, the days of force on which its state changes, with the new state.

    The state is the part's version; ``""`` if it has none; :data:`OPEN` if it is unknown, from the day ``""`` on for
    all days before the first known one. After ``""`` or :data:`OPEN` there may be words, if a complete text has the
    part nevertheless. The first part is the norm or provision itself.

    Args:
        name: without version.
        known: K, a civil date.
    """
    for index, part in enumerate(_parts_of_text(store, name)):
        if part.states or not index:
            yield _changes_known(part, known)


def _changes_known(part: _Part, known: date) -> list[tuple[str, str]]:
    changes = _changes_over_force(part.states, known)
    return [("", OPEN), *changes[1:]] if changes and changes[0][1] == _PRESUPPOSED else changes


def _changes_over_force(values: _Values, known: date) -> list[tuple[str, str]]:
    day = known.toordinal()
    return _changes((days.start, days.until, value) for days, value in values if days.known <= day < days.known_until)


def _changes_over_knowledge(values: _Values, on: date) -> list[tuple[str, str]]:
    day = on.toordinal()
    return _changes((days.known, days.known_until, value) for days, value in values if days.start <= day < days.until)


def _changes(intervals: Iterable[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """Return the changes of a value as (day, new value), from ``(first, until, value)`` intervals.

    The value on all other days is :data:`_ABSENT`.
    """
    changes: list[tuple[int, str]] = []
    state, end = _ABSENT, WITHOUT_END
    for start, until, now in sorted(intervals):
        if end < start and state != _ABSENT:
            changes.append((end, state := _ABSENT))
        if now != state:
            changes.append((start, now))
        state, end = now, until
    if end != WITHOUT_END and state != _ABSENT:
        changes.append((end, _ABSENT))
    return [(date.fromordinal(day).isoformat(), value) for day, value in changes]


def texts_over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for all days of force with one text each, on the axis of force, in their order.

    Args:
        target: a norm or provision with records.
        known: K, a civil date, the same for all.
    """

    def made() -> tuple[AnswerInterval, ...]:
        values = (values for part in _parts_of_text(store, target) for values in (part.states, part.texts))
        days = _days(_changes_over_force(each, known) for each in values)
        return tuple(_split_in_force(over_force(store, target, known), days))

    return store.cached((texts_over_force, target.canonical, known), made)


def texts_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge with one text each, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.
    """

    def made() -> tuple[AnswerInterval, ...]:
        values = (values for part in _parts_of_text(store, target) for values in (part.states, part.texts))
        days = {day for day in _days(_changes_over_knowledge(each, on) for each in values) if day <= today}
        return tuple(_split_in_force(answers_over_knowledge(store, target, on, today), days))

    return store.cached((texts_over_knowledge, target.canonical, on, today), made)


def _days(parts: Iterable[list[tuple[str, str]]]) -> set[date]:
    return {date.fromisoformat(day) for changes in parts for day, _ in changes if day}


def _split_in_force(intervals: Iterable[AnswerInterval], days: Iterable[date]) -> Iterator[AnswerInterval]:
    """Yield the parts of intervals between some days, where a version is in force."""
    ordered = sorted(days)
    for interval in intervals:
        within = [
            day for day in ordered if interval.version is not None and interval.start < day and interval.holds(day)
        ]
        starts = [interval.start, *within]
        for start, until in zip(starts, (*within, interval.until), strict=True):
            yield replace(interval, start=start, until=until)


def versions_over_time(store: Store, norm: Name, known: date) -> dict[str, list[tuple[str, str]]]:
    """Return the versions of each provision of a norm with its own history, each with its first day.

    Args:
        norm: without version.
        known: K, a civil date.

    Returns:
        By the provision's canonical name: first days in ISO 8601, and the canonical name of the version from then on;
        empty if there is none.
    """
    return {
        from_iri(part.name): [
            (day, from_iri(state) if state.startswith(_NAMES) else "")
            for day, state in _changes_over_force(part.states, known)
        ]
        for part in _parts_of_norm(store, norm)
        if part.has_history and part.name != norm.iri
    }


def state_on(changes: Sequence[tuple[str, str]], day: str) -> str:
    """Return the state of a part on a day, from its changes in order."""
    return next((state for since, state in reversed(changes) if since <= day), "")


def states_on(store: Store, name: Name, on: date, known: date) -> tuple[str, ...]:
    """Return the state of each part of a text on D as known on K, in the form of :func:`changes_by_part`.

    Args:
        name: without version.
        on, known: D and K, civil dates.
    """
    day = on.isoformat()
    return tuple(state_on(changes, day) for changes in changes_by_part(store, name, known))


def versions_on(store: Store, name: Name, on: date, known: date) -> tuple[str, ...]:
    """Return the versions of a norm or provision, and of its parts with their own history, on D as known on K.

    Args:
        name: without version.
        on, known: D and K, civil dates.

    Returns:
        Canonical names of the versions. Parts that only follow their norm are left out.
    """
    return tuple(from_iri(state) for state in states_on(store, name, on, known) if state.startswith(_NAMES))


def within(store: Store, provision: Name) -> tuple[str, ...]:
    """Return the IRIs of the parts of a provision, such as paragraphs of an article, that have versions or events
    of their own."""
    return tuple(part.name for part in _parts_of_text(store, provision)[1:] if part.has_history)


# The days of changes, exact or within bounds.


#: The maximum distance of the bounds of a change that divides the texts of a norm. The bounds of a lapsed provisional
#: measure have at most this distance; those of promulgated words without a day are wider.
_WIDEST = timedelta(days=2 * 366)


@dataclass(frozen=True, slots=True)
class ChangeDay:
    """The day of a change, exact or within bounds.

    Attributes:
        first, last: the first and the last possible day; None if a bound is unknown.
    """

    first: date | None
    last: date | None

    @property
    def exact(self) -> date | None:
        """Return the day if it is known; else None."""
        return self.first if self.first == self.last else None

    @property
    def is_vague(self) -> bool:
        """Return whether both bounds are known, and are so far apart that they date nothing."""
        return self.first is not None and self.last is not None and self.last - self.first > _WIDEST

    def is_settled(self, on: date) -> bool:
        """Return whether the change has certainly happened by a day."""
        return self.last is not None and self.last <= on

    def is_pending(self, on: date) -> bool:
        """Return whether the change may have happened by a day, but may also happen later."""
        return (self.first is None or self.first <= on) and not self.is_settled(on)


def days_of_change(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days of force on which any part of a text changes, on the axis of force.

    Changes of its parts with vague bounds are left out.

    Args:
        name: a norm or provision, without version.
        known: K, a civil date.
    """
    key = days_of_change, name.canonical, known

    def computed() -> tuple[ChangeDay, ...]:
        changes = _all_changes(store, name, known)
        own = days_of_change_of_part(store, name, known) if any(change.is_vague for change in changes) else ()
        return tuple(change for change in changes if not change.is_vague or change in own)

    return store.cached(key, computed)


def is_determined(store: Store, name: Name, on: date, known: date) -> bool:
    """Return whether no part of a text has a change that may have happened by D or may happen later.

    Changes with vague bounds count. The arguments are those of :func:`days_of_change`, and D, a civil date.
    """
    return not any(change.is_pending(on) for change in _all_changes(store, name, known))


def ends_vague_change(store: Store, name: Name, day: date | None, known: date) -> bool:
    """Return whether a day is only the last possible day of a change of a part with vague bounds.

    The other arguments are those of :func:`days_of_change`.
    """
    changes = [change for change in _all_changes(store, name, known) if change.last == day]
    own = days_of_change_of_part(store, name.work, known) if changes else ()
    return bool(changes) and all(change.is_vague and change not in own for change in changes)


def _all_changes(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    def computed() -> tuple[ChangeDay, ...]:
        parts = changes_by_part(store, name, known)
        return tuple(dict.fromkeys(change for steps in parts for change in _changes_of_part(steps)))

    return store.cached((_all_changes, name.canonical, known), computed)


def days_of_change_of_part(store: Store, name: Name, known: date) -> tuple[ChangeDay, ...]:
    """Return the days on which a norm or provision itself changes, without its parts."""
    part = _parts_by_name(store, name.work).get(name.iri)
    return tuple(_changes_of_part(_changes_known(part, known))) if part is not None and part.has_history else ()


def _changes_of_part(steps: Sequence[tuple[str, str]]) -> Iterator[ChangeDay]:
    """Yield the changes of one part from its days and states.

    The state of a part is unknown between the bounds of a change. If a wording after such bounds lasts a single day,
    its day is uncertain too, because another change follows within the same bounds.
    """
    bounds: ChangeDay | None = None  # of the previous change
    for index, (day, state) in enumerate(steps):
        if not day:
            continue
        today = date.fromisoformat(day)
        if state.startswith(OPEN):
            until = date.fromisoformat(steps[index + 1][0]) if index + 1 < len(steps) else None
            bounds = ChangeDay(today, until)
            yield bounds
            continue
        if index > 0 and steps[index - 1][1].startswith(OPEN):
            if not steps[index - 1][0]:  # a change with its bounds is already yielded
                yield ChangeDay(None, today)
            continue
        if bounds is not None and bounds.last is not None and bounds.last == today - ONE_DAY:
            bounds = ChangeDay(bounds.first, today)
        else:
            bounds = None
        yield bounds or ChangeDay(today, today)


def last_change(changes: Iterable[ChangeDay], after: date, on: date) -> ChangeDay | None:
    """Return the day of the last change that has certainly happened by D.

    Args:
        changes: the days of all changes.
        after: earlier changes, and those of this day, are left out.
        on: D, a civil date.

    Returns:
        None if no change has certainly happened after the given day.
    """
    settled = [
        change for change in changes if change.is_settled(on) and change.last is not None and change.last > after
    ]
    if not settled:
        return None
    firsts = [change.first for change in settled if change.first is not None]
    return ChangeDay(max(firsts, default=None), max(change.last for change in settled if change.last is not None))


def pending_change(changes: Iterable[ChangeDay], on: date) -> ChangeDay | None:
    """Return the bounds of the changes that may have happened by D and may also happen later; None for none."""
    pending = [change for change in changes if change.first is not None and change.is_pending(on)]
    if not pending:
        return None
    firsts, lasts = [change.first for change in pending if change.first], [change.last for change in pending]
    return ChangeDay(min(firsts), None if None in lasts else max(day for day in lasts if day is not None))


def uncertain_days(changes: Iterable[ChangeDay]) -> dict[date, ChangeDay]:
    """Return the bounds of changes by each day that is a bound and not the exact day of another change."""
    exact = {change_day.exact for change_day in changes}
    bounds: dict[date, ChangeDay] = {}
    for change in changes:
        for day in (change.first, change.last):
            if change.exact is None and day is not None and day not in exact:
                bounds[day] = _combined_bounds(bounds.get(day, change), change)
    return bounds


def _combined_bounds(change: ChangeDay, other: ChangeDay) -> ChangeDay:
    firsts, lasts = (change.first, other.first), (change.last, other.last)
    return ChangeDay(
        None if None in firsts else min(day for day in firsts if day is not None),
        None if None in lasts else max(day for day in lasts if day is not None),
    )


def joined_within_bounds(rows: Iterable[AnswerInterval], changes: Sequence[ChangeDay]) -> tuple[AnswerInterval, ...]:
    """Return intervals of texts; those within the bounds of a change are joined.

    Neighbours with the same status that no change divides, or without a text, are joined too.

    Args:
        rows: the intervals of :func:`texts_over_force`.
        changes: the days of the changes, as known on the same day.
    """
    uncertain = uncertain_days(changes)
    edges = {day for change in changes for day in (change.first, change.last)}
    intervals: list[AnswerInterval] = []
    for row in rows:
        before = intervals[-1] if intervals else None
        if (
            before is not None
            and (row.version, row.status) == (before.version, before.status)
            and (
                row.version is None
                or row.start not in edges
                or (
                    row.start in uncertain
                    and all(_is_within(changes, row.start, day) for day in (before.start, row.start))
                )
            )
        ):
            intervals[-1] = replace(before, until=row.until)
        else:
            intervals.append(row)
    return tuple(intervals)


def is_between(row: AnswerInterval, changes: Sequence[ChangeDay]) -> bool:
    """Return whether a text begins on the first possible day of a change whose day is unknown."""
    return row.start in uncertain_days(changes) and _is_within(changes, row.start, row.start)


def _is_within(changes: Sequence[ChangeDay], bound: date, day: date) -> bool:
    """Return whether a day is within the bounds of a change, so that a bound of a change does not divide the text.

    A change without a last possible day is pending for ever. It is left out, unless the bound is its own: other changes
    after its first possible day divide the text.
    """
    is_own = any(change.last is None and change.first == bound for change in changes)
    return pending_change((one for one in changes if is_own or one.last is not None), day) is not None
