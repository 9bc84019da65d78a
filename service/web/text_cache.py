"""A cache of laid-out texts, and the intervals of days in which each text is the same."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock
from typing import TypeAlias
from weakref import WeakKeyDictionary

from graph.civil import ONE_DAY, day_before
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import day_stated
from graph.time.intervals import Interval
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce
from queries.evidence import versions
from queries.in_force import in_force
from queries.intervals import doubtful, over_force
from queries.notices import (
    AnyNotice,
    DatesOfWording,
    DerivedDiffers,
    DerivedText,
    Notice,
    NotYetInForce,
    OrderNotApplied,
    ProvisionsNotYetInForce,
    SourcesContradict,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
    WordsUnknown,
)
from queries.orders import concerns, days_of_orders
from queries.provisions import with_own_periods
from queries.text.answers import Difference, ProvisionText, TextAnswer
from queries.text.changes import OPEN, changes_by_part, days_of_change
from queries.text.composition import suspended_within
from queries.text.diff import diff
from queries.text.text import text
from service.web.names.parameters import RequestParameters
from service.web.names.versions import known_versions, last_known_days
from service.web.text_layout import Block, Reading, coming_block, lay_out


@dataclass(frozen=True, slots=True)
class Span(Interval):
    """The days of force in which a text is the same, as known on one day.

    Attributes:
        open_start, open_until: whether the text beyond the bound is unknown.
    """

    open_start: bool
    open_until: bool

    @property
    def edges(self) -> frozenset[date]:
        """The bounds beyond which the text is unknown."""
        bounds = ((self.start, self.open_start), (self.until, self.open_until))
        return frozenset(day for day, is_open in bounds if is_open and day is not None)


def span_of_text(store: Store, name: Name, on: date, known: date) -> Span:
    """Return the interval around D in which a norm or provision has the text of D, on the axis of force.

    Args:
        store: an opened store.
        name: a name without a version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = on.isoformat()
    first: tuple[str, bool] = ("", False)
    until: tuple[str, bool] | None = None
    for changes in changes_by_part(store, name, known):
        begun, ended = _adjacent_changes(changes, day)
        first = max(first, begun)
        until = min(until, ended, key=_bound_key) if until and ended else until or ended
    return Span(
        date.fromisoformat(first[0]) if first[0] else date.min,
        date.fromisoformat(until[0]) if until else None,
        first[1],
        until is not None and until[1],
    )


def _bound_key(bound: tuple[str, bool]) -> tuple[str, bool]:
    """Return the sort key of a bound; of two bounds on one day the open one is first."""
    return bound[0], not bound[1]


def _adjacent_changes(changes: list[tuple[str, str]], day: str) -> tuple[tuple[str, bool], tuple[str, bool] | None]:
    """Return the last change up to a day and the first one after it, each with whether the text beyond is unknown."""
    index = sum(start <= day for start, _ in changes)
    begun = ("", False)
    if index:
        begun = (changes[index - 1][0], index > 1 and changes[index - 2][1].startswith(OPEN))
    ended = (changes[index][0], changes[index][1].startswith(OPEN)) if index < len(changes) else None
    return begun, ended


#: The maximum number of provisions in the cache of a snapshot.
_MAX_WEIGHT = 60_000
#: Notices about a text that apply to its provisions too.
_INHERITED_NOTICES = (
    DatesOfWording,
    DerivedDiffers,
    DerivedText,
    NotYetInForce,
    OrderNotApplied,
    SourcesContradict,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
    WordsUnknown,
)
#: The maximum number of provisions with one first day of force that have a block.
_MOST_COMING = 200
_Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class TextWithLayout:
    """A text with its layout.

    Attributes:
        span: the interval of force in which it is the same; None for a text without a day, or on the axis of efficacy.
        suspended: the suspended provisions of a norm that is not suspended, on these days; on the axis of force.
        coming: the blocks of provisions that are published and not yet in force.
    """

    answer: TextAnswer
    reading: Reading
    span: Span | None = None
    suspended: frozenset[str] = frozenset()
    coming: tuple[Block, ...] = ()


@dataclass(slots=True)
class _NormCache:
    """The cached data of a norm.

    Attributes:
        notes: data of its sources that do not depend on the days.
        texts: its texts.
        compared: its differences, and those of its provisions, between two days.
        edges: the days of force and of knowledge on which its text may change; None before they are computed.
        weight: the number of cached provisions and days, as last counted.
    """

    notes: dict[Hashable, object] = field(default_factory=dict)
    texts: OrderedDict[_Key, TextWithLayout] = field(default_factory=OrderedDict)
    compared: OrderedDict[_Key, Difference] = field(default_factory=OrderedDict)
    edges: tuple[list[str], list[str]] | None = None
    weight: int = 0

    def counted(self) -> int:
        """Return the current weight, at least 1."""
        held = [
            *self.notes.values(),
            *(self.edges or ()),
            *(text_read.answer.provisions for text_read in self.texts.values()),
        ]
        own = 1 + len(self.texts) + sum(1 + len(difference.changes) for difference in self.compared.values())
        return own + sum(len(cached) for cached in held if isinstance(cached, Sized))

    def shrink(self) -> bool:
        """Remove the entry that is cheapest to compute again. Return whether there was one."""
        if len(self.compared) > 1:
            self.compared.popitem(last=False)
        elif self.notes:
            self.notes = {}
        elif len(self.texts) > 1:
            self.texts.popitem(last=False)
        elif self.compared:
            self.compared.clear()
        else:
            return False
        return True


@dataclass(slots=True)
class _SnapshotCache:
    """The cache of one snapshot: its norms, with the most recently used at the end, and their total weight."""

    norms: OrderedDict[str, _NormCache] = field(default_factory=OrderedDict)
    weight: int = 0

    def of(self, norm: str) -> _NormCache:
        """Return the cached data of a norm, and mark it as most recently used."""
        kept = self.norms.get(norm)
        if kept is None:
            kept = self.norms[norm] = _NormCache()
            self._count(kept)
        self.norms.move_to_end(norm)
        return kept

    def update_weight(self, norm: str, kept: _NormCache) -> None:
        """Recount a norm, and evict other norms, then its own entries, until the weight is within the limit."""
        if self.norms.get(norm) is not kept:  # evicted meanwhile
            return
        self._count(kept)
        while self.weight > _MAX_WEIGHT:
            oldest = next(iter(self.norms))
            if oldest != norm:
                self.weight -= self.norms.pop(oldest).weight
            elif kept.shrink():
                self._count(kept)
            else:
                break

    def _count(self, kept: _NormCache) -> None:
        before, kept.weight = kept.weight, kept.counted()
        self.weight += kept.weight - before


_CACHES: WeakKeyDictionary[Store, _SnapshotCache] = WeakKeyDictionary()
_LOCK = Lock()


def read(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> TextWithLayout:
    """Return the text of a norm, of a version, or of a provision with its parts.

    A provision is taken from the text of its norm, which is composed once for all provisions.

    Args:
        store: an immutable snapshot.
        name: the name; with days, without a version.
        on, as_known: both days, or None for the text of a version.
        axis: force or efficacy.

    Raises:
        As :func:`queries.text.text.text`.
    """
    within = name.provision if on is not None and name != name.work else None
    norm_text = _whole_text(store, name.work if within is not None else name, on, as_known, axis)
    if within is None:
        return norm_text
    provisions = tuple(_provision_with_parts(norm_text.answer.provisions, within.canonical))
    if all(provision.undecided for provision in provisions):
        provisions = ()
    if not provisions and in_force(store, within, on, as_known, axis).status is Status.VACATIO:
        later = text(store, within, on, as_known, axis)  # the text of its norm leaves it out
        if later.provisions:
            return TextWithLayout(later, lay_out(later.provisions))
    inside = f"{within.canonical}_"
    undecided = tuple(
        undecided_name
        for undecided_name in norm_text.answer.undecided
        if undecided_name == within.canonical or undecided_name.startswith(inside)
    )
    notices: tuple[AnyNotice, ...] = tuple(
        notice
        for notice in (_only_on(within, undecided, notice) for notice in norm_text.answer.notices)
        if isinstance(notice, _INHERITED_NOTICES) and (provisions or undecided)
    )
    if any(isinstance(notice, NotYetInForce) for notice in notices):
        notices = tuple(_with_own_start(notice, in_force(store, within, on, as_known, axis)) for notice in notices)
    coming = tuple(block for block in norm_text.coming if block.name.startswith(inside))
    left_out = {block.name for block in coming}
    for notice in norm_text.answer.notices:
        if isinstance(notice, ProvisionsNotYetInForce) and not left_out.isdisjoint(notice.provisions):
            notices += (replace(notice, provisions=tuple(name for name in notice.provisions if name in left_out)),)
    answer = replace(
        norm_text.answer, name=within.canonical, provisions=provisions, undecided=undecided, notices=notices
    )
    return TextWithLayout(answer, lay_out(provisions, coming), suspended=norm_text.suspended, coming=coming)


def _with_own_start(notice: AnyNotice, answer: InForce) -> AnyNotice:
    """Return a notice of the text of a norm; one on its start has the start of a provision in vacatio instead."""
    force = answer.force if answer.axis is Axis.FORCE else answer.efficacy
    if not isinstance(notice, NotYetInForce) or answer.status is not Status.VACATIO or force is None:
        return notice
    return replace(notice, start=force.until) if force.until is not None else notice


def _only_on(within: Name, undecided: Sequence[str], notice: Notice) -> Notice | None:
    """Return a notice on undecided provisions, or on orders not applied, for some of the provisions; None if it is
    about none; other notices unchanged."""
    if isinstance(notice, OrderNotApplied):
        named = tuple(name for name in notice.provisions if concerns(name, within.canonical))
        return replace(notice, provisions=named) if named else None
    if not isinstance(notice, UndecidedProvisions | WordsUnknown):
        return notice
    names = tuple(name for name in undecided if name in notice.provisions)
    return replace(notice, provisions=names) if names else None


def compared(store: Store, name: Name, since: date | str, until: date, known: date) -> Difference:
    """Return the changes of a norm or provision between two days, from the cache where it has them.

    Args:
        store: an immutable snapshot.
        name: a name without a version.
        since, until: the two days D, civil dates in this order; ``since`` may be :data:`queries.text.diff.ORIGINAL`.
        known: K, a civil date.

    Raises:
        As :func:`queries.text.diff.diff`.
    """
    store = store.base
    key: _Key = (name.canonical, since, until, known)
    with _LOCK:
        cache = _CACHES.setdefault(store, _SnapshotCache())
        kept = cache.of(name.work.canonical)
        difference = kept.compared.get(key)
        if difference is not None:
            kept.compared.move_to_end(key)
            return difference
    annotated = MemoizingStore(store, kept.notes)
    difference = diff(annotated, name, since, until, known, reading=cached_answer)
    with _LOCK:
        kept.compared[key] = difference
        cache.update_weight(name.work.canonical, kept)
    return difference


def cached_answer(store: Store, asked: str | Name, on: date, known: date) -> TextAnswer:
    """Return the text of a norm or provision; that of a norm from the cache where it has it."""
    name = parse(asked) if isinstance(asked, str) else asked
    if name != name.work:
        return text(store, name, on, known)
    return read(store, name, on.isoformat(), known.isoformat(), Axis.FORCE.value).answer


def _provision_with_parts(provisions: Iterable[ProvisionText], name: str) -> Iterator[ProvisionText]:
    """Yield a provision and its parts."""
    top: int | None = None
    for provision in provisions:
        if provision.name == name:
            top = provision.level
        elif top is not None and provision.level <= top:
            return
        if top is not None:
            yield provision


def _whole_text(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> TextWithLayout:
    store = store.base
    with _LOCK:
        cache = _CACHES.setdefault(store, _SnapshotCache())
        kept = cache.of(name.work.canonical)
    if on is None or as_known is None:
        return _cached_text(store, cache, kept, (name.canonical,), name, (None, None, None))
    if kept.edges is None:
        kept.edges = _change_days(store, name)
    status_on_day = in_force(store, name, on, as_known, axis)
    force, knowledge = kept.edges
    key = (
        bisect_right(force, on),
        bisect_right(knowledge, as_known),
        axis,
        status_on_day.status,
        status_on_day.version.name if status_on_day.version is not None else None,
    )
    cached = _cached_text(store, cache, kept, key, name, (on, as_known, axis))
    first = in_force(store, name, cached.answer.on, cached.answer.as_known, axis)
    return replace(cached, answer=_answer_for_day(cached.answer, status_on_day, first))


def _change_days(store: Store, norm: Name) -> tuple[list[str], list[str]]:
    """Return the days of force and the days of knowledge on which the text of a norm may change, both sorted.

    They are the bounds of the bitemporal periods of the norm and its provisions (decision 0002). The day of the norm
    itself, the days on which its versions became known and those of orders of acts are added.
    """
    force, known = set(), set()
    for name in (norm.iri, *with_own_periods(store, norm.iri)):
        for period in store.summary(name).periods():
            force |= {period.start, period.end}
            known |= {period.known_from, period.known_until}
    issued = norm.oldest_day
    force.add(issued.isoformat() if issued is not None else None)
    orders = {day.isoformat() for day in days_of_orders(store, norm.work)}
    force |= orders
    known |= orders
    known |= {version.view_date.isoformat() for version in versions(store, norm.iri) if version.view_date is not None}
    return sorted(day for day in force if day is not None), sorted(day for day in known if day is not None)


def last_knowledge_day(store: Store, name: Name, known: date) -> date | None:
    """Return the last day up to K on which anything of a norm or its provisions became known; None if there is none.

    Raises:
        StoreProblem: the store cannot be read.
    """
    _, days = _change_days(store, name.work)
    index = bisect_right(days, known.isoformat())
    return date.fromisoformat(days[index - 1]) if index else None


def last_day_of_data(store: Store, name: Name, answer: InForce) -> date | None:
    """Return the last day up to K that the data of an answer cover; None if no source states how far its data go.

    A fact may have become known after the newest record of the providers. The answer for that day is the answer for K.

    Raises:
        StoreProblem: the store cannot be read.
    """
    covered = max((day for _, day in answer.known_up_to), default=None)
    if covered is None:
        return None
    stated = (day_stated(reason.known) for reason in answer.because)
    facts = (last_knowledge_day(store, name, answer.as_known), *(when.last for when in stated if when is not None))
    return min(answer.as_known, max((covered, *(day for day in facts if day is not None))))


def _cached_text(
    store: Store,
    cache: _SnapshotCache,
    kept: _NormCache,
    key: _Key,
    name: Name,
    days: tuple[str | None, str | None, str | None],
) -> TextWithLayout:
    """Return the cached text of a key; compose it for the days where it is missing."""
    with _LOCK:
        kept_text = kept.texts.get(key)
        if kept_text is not None:
            kept.texts.move_to_end(key)
            return kept_text
    annotated = MemoizingStore(store, kept.notes)
    answer = text(annotated, name, *days)
    on, known, axis = days
    coming = tuple(_coming(annotated, answer, days))
    kept_text = TextWithLayout(answer, lay_out(answer.provisions, coming), coming=coming)
    if on is not None and known is not None and axis == Axis.FORCE:
        day, knowledge = date.fromisoformat(on), date.fromisoformat(known)
        span = span_of_text(annotated, name, day, knowledge)
        kept_text = replace(kept_text, span=span, suspended=suspended_within(annotated, name, day, knowledge))
    with _LOCK:
        kept.texts[key] = kept_text
        cache.update_weight(name.work.canonical, kept)
    return kept_text


def _coming(store: Store, answer: TextAnswer, days: tuple[str | None, str | None, str | None]) -> Iterator[Block]:
    """Yield the blocks of the provisions that a text leaves out because they are not yet in force."""
    for notice in answer.notices:
        if isinstance(notice, ProvisionsNotYetInForce):
            for name in notice.provisions[:_MOST_COMING]:
                own = next(
                    (provision for provision in text(store, name, *days).provisions if provision.name == name), None
                )
                if own is not None:
                    yield coming_block(own, notice.start)


def _answer_for_day(answer: TextAnswer, status_on_day: InForce, first: InForce) -> TextAnswer:
    """Return the answer for another day with the same text.

    Args:
        status_on_day: the answer about force on that day.
        first: the answer about force on the day for which the text was composed. Its notices are replaced; the other
            notices are about the text.
    """
    own = (notice for notice in answer.notices if notice not in first.notices)
    return replace(
        answer,
        on=status_on_day.on,
        as_known=status_on_day.as_known,
        status=status_on_day.status,
        force=status_on_day.force,
        efficacy=status_on_day.efficacy,
        because=status_on_day.because,
        notices=tuple(dict.fromkeys((*status_on_day.notices, *own))),
        known_up_to=status_on_day.known_up_to,
        sources=status_on_day.sources,
    )


def reads_alike(text_read: TextWithLayout, other: TextWithLayout) -> bool:
    """Return whether two texts have the same provisions and the same undecided provisions."""
    alike = text_read.answer.provisions == other.answer.provisions
    return alike and text_read.answer.undecided == other.answer.undecided


#: In the address of a comparison, in place of the first day: the last day before with another text.
PREVIOUS = "previous"


def previous_text_day(store: Store, target: Name, on: date, known: date) -> date | None:
    """Return the last day before D whose text certainly differs from that of D, on the axis of force.

    A change within bounds counts from the day before its first possible day, if it has certainly happened by D.

    Args:
        store: an immutable snapshot.
        target: the norm or provision, without version.
        on, known: D and K, civil dates.

    Returns:
        None if the sources give no earlier text with a difference.

    Raises:
        StoreProblem: the store cannot be read.
    """
    words = _decided_words(_force_text(store, target, on, known))
    settled = (change for change in days_of_change(store, target, known) if change.is_settled(on))
    for first in sorted({change.first for change in settled if change.first is not None}, reverse=True):
        before = day_before(first)
        text_before = _force_text(store, target, before, known)
        words_before = _decided_words(text_before)
        has_words = text_before.status is not Status.VACATIO and any(words_before.values())
        if has_words and _is_changed(words_before, words):
            return before
    return None


def _force_text(store: Store, target: Name, on: date, known: date) -> TextAnswer:
    """Return the text of a norm from the cache; that of a provision without the rest of its norm."""
    return cached_answer(store, target, on, known) if target == target.work else text(store, target, on, known)


def _decided_words(answer: TextAnswer) -> dict[str, tuple[str | None, ...] | None]:
    """Return the label, heading, text and situation of each provision; None for one that the sources do not decide."""
    words: dict[str, tuple[str | None, ...] | None] = {
        part.name: None if part.undecided else (part.label, part.heading, part.text, part.situation)
        for part in answer.provisions
    }
    return words | dict.fromkeys(answer.undecided)


def _is_changed(
    before: Mapping[str, tuple[str | None, ...] | None], after: Mapping[str, tuple[str | None, ...] | None]
) -> bool:
    """Return whether two texts differ in a provision that the sources decide on both days."""
    undecided = {name for words in (before, after) for name, part in words.items() if part is None}
    return any(before.get(name) != after.get(name) for name in {*before, *after} - undecided)


def read_alone(store: Store, target: Name, shown: InForce, began: date, today: date) -> TextWithLayout:
    """Return the text that the name of a version identifies without days: that of its first day, as last known.

    Args:
        store: an immutable snapshot.
        target: the norm.
        shown: the answer of the page, with a version.
        began: the first day of the version.
        today: the current civil date.

    Raises:
        StoreProblem: the store cannot be read.
    """
    known, version = today, shown.version
    assert version is not None  # noqa: S101 - by the caller
    now = in_force(store, target, began, known, shown.axis).version
    if (now is None or now.name != version.name) and version.known_until is not None:
        known = version.known_until - ONE_DAY
    return read(store, target, began.isoformat(), known.isoformat(), shown.axis.value)


def days_shown(store: Store, target: Name, shown: InForce, text: TextWithLayout) -> Span | None:
    """Return the interval around the day of an answer in which the text is the same, as known on its K.

    On the axis of efficacy it is the interval of the version.

    Args:
        store: an immutable snapshot.
        target: the norm or provision.
        shown: the answer of the page.
        text: its text.

    Returns:
        None where no version answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    version = shown.version
    if version is None:
        return None
    span = text.span if target == target.work else _span(store, target, shown)
    if span is not None and span.start > date.min:
        if any(change.exact == span.start for change in days_of_change(store, target, shown.as_known)):
            span = replace(span, open_start=False)  # a part certainly changed on that day
        return _since_force(store, target, shown, span)
    unsure = doubtful(over_force(store, target, shown.as_known))
    return Span(version.valid_from, version.valid_until, version.valid_from in unsure, version.valid_until in unsure)


def _since_force(store: Store, target: Name, shown: InForce, span: Span) -> Span:
    """Return the interval without the days before force on which the text was already known to read so.

    The days before force are those of vacatio, or of unknown status.
    """
    rows = over_force(store, target, shown.as_known) if shown.axis is Axis.FORCE else ()
    index = next((i for i, interval in enumerate(rows) if interval.holds(shown.on)), None)
    if index is None:
        return span
    while index and rows[index - 1].version is not None and rows[index - 1].until == rows[index].start:
        index -= 1
    start = rows[index].start
    before = rows[index - 1].status if index else None
    if span.start >= start or before not in (Status.VACATIO, Status.UNKNOWN):
        return span
    return replace(span, start=start, open_start=before is Status.UNKNOWN)


def _span(store: Store, target: Name, shown: InForce) -> Span | None:
    return span_of_text(store, target, shown.on, shown.as_known) if shown.axis is Axis.FORCE else None


def days_as_known_today(store: Store, target: Name, shown: InForce, text: TextWithLayout, today: date) -> Span | None:
    """Return the days of force of the text of an answer; None without a text, or where another is known today.

    Args:
        store, target, shown, text: as for :func:`days_shown`.
        today: the current civil date.
    """
    version = shown.version
    if version is None or shown.axis is not Axis.FORCE:
        return None
    if version.known_until is not None and version.known_until <= today:
        return None
    if target == target.work:
        return text.span
    return span_of_text(store, target, shown.on, shown.as_known)


def text_once_known(store: Store, target: Name, shown: InForce) -> RequestParameters | None:
    """Return the days of the last known text of a norm or provision, where no text at all is known on the answer's K.

    Args:
        store: an immutable snapshot.
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a version answers, a text is known for another day, or no text was ever known.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if shown.version is not None or shown.axis is not Axis.FORCE:
        return None
    return last_known_days(known_versions(store, target), shown.as_known)


def text_never_in_force(store: Store, target: Name, shown: InForce) -> RequestParameters | None:
    """Return the last day of vacatio of a norm or provision that ended in vacatio, as known on the answer's K.

    Args:
        store: an immutable snapshot.
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a text was in force on some day, or the status of some day is unknown.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if shown.axis is not Axis.FORCE or shown.status not in ENDED:
        return None
    rows = over_force(store, target, shown.as_known)
    if any(row.version is not None or row.status is Status.UNKNOWN for row in rows):
        return None
    end = next((row.until for row in rows if row.status is Status.VACATIO and row.until is not None), None)
    return RequestParameters(end - ONE_DAY) if end is not None else None
