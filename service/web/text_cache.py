"""Texts that a process has laid out lately, and the days on which each reads as it does."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Sized
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from threading import Lock
from typing import TypeAlias
from weakref import WeakKeyDictionary

from graph.entities import Axis
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.urn import Name, parse
from queries import diff
from queries.answers import InForce
from queries.catalogue import named
from queries.efficacy import suspended_within
from queries.evidence import versions
from queries.in_force import in_force
from queries.intervals import doubtful, over_force
from queries.notices import (
    DatesOfWording,
    DerivedDiffers,
    DerivedText,
    NotYetInForce,
    SourcesContradict,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
)
from queries.text.answers import Difference, ProvisionText, TextAnswer
from queries.text.composition import OPEN, changes_by_part
from queries.text.text import text
from service.web.names.parameters import Asked
from service.web.names.versions import known_versions, last_known
from service.web.text_layout import Reading, laid_out


@dataclass(frozen=True, slots=True)
class Span:
    """Days of force ``[first, until)`` on which a text is the same, as known on one day.

    Attributes:
        first, until: civil dates; None where nothing bounds them.
        open_first, open_until: whether nobody knows how it reads on the other side.
    """

    first: date | None
    until: date | None
    open_first: bool
    open_until: bool

    @property
    def edges(self) -> frozenset[date]:
        """The bounds on whose other side nobody knows how it reads."""
        bounds = ((self.first, self.open_first), (self.until, self.open_until))
        return frozenset(day for day, is_open in bounds if is_open and day is not None)


def span_of_text(store: Store, name: Name, on: date, known: date) -> Span:
    """The days around D on which a norm or provision has the text of D, by the clock of force.

    Args:
        store: an opened store.
        name: without version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day, heard = on.isoformat(), known.isoformat()
    first: tuple[str, bool] = ("", False)
    until: tuple[str, bool] | None = None
    for changes in changes_by_part(store, name, heard):
        begun, ended = _around(changes, day)
        first = max(first, begun)
        until = min(until, ended, key=_earlier) if until and ended else until or ended
    return Span(
        date.fromisoformat(first[0]) if first[0] else None,
        date.fromisoformat(until[0]) if until else None,
        first[1],
        until is not None and until[1],
    )


def _earlier(bound: tuple[str, bool]) -> tuple[str, bool]:
    """Of two bounds on one day that which is open counts."""
    return bound[0], not bound[1]


def _around(changes: list[tuple[str, str]], day: str) -> tuple[tuple[str, bool], tuple[str, bool] | None]:
    """The last change up to a day and the first one after it, each with whether it is open beyond."""
    at = sum(start <= day for start, _ in changes)
    begun = ("", False)
    if at:
        begun = (changes[at - 1][0], at > 1 and changes[at - 2][1].startswith(OPEN))
    ended = (changes[at][0], changes[at][1].startswith(OPEN)) if at < len(changes) else None
    return begun, ended


#: How many provisions are remembered of each snapshot.
_PROVISIONS = 60_000
#: Notices about a text, which hold for its provisions too.
_OF_TEXT = (
    DatesOfWording,
    DerivedDiffers,
    DerivedText,
    NotYetInForce,
    SourcesContradict,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
)
_Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A text with how it is laid out.

    Attributes:
        span: the days of force on which it is the same; None of a text without a day, or by the clock of efficacy.
        suspended: the provisions that have no effect on these days, while the norm has; by the clock of force.
    """

    answer: TextAnswer
    reading: Reading
    span: Span | None = None
    suspended: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Kept:
    """What is remembered of a norm.

    Attributes:
        notes: what its sources say, whatever the day.
        found: its texts.
        compared: what changed in it or in a provision between two days.
        edges: the days of force and of knowledge on which its text may change; None before they are sought.
        weight: how many provisions and days all that is, as last counted.
    """

    notes: dict[Hashable, object] = field(default_factory=dict)
    found: OrderedDict[_Key, Read] = field(default_factory=OrderedDict)
    compared: OrderedDict[_Key, Difference] = field(default_factory=OrderedDict)
    edges: tuple[list[str], list[str]] | None = None
    weight: int = 0

    def counted(self) -> int:
        """The weight now, of which one is for itself."""
        held = [*self.notes.values(), *(self.edges or ()), *(one.answer.provisions for one in self.found.values())]
        own = 1 + len(self.found) + sum(1 + len(one.changes) for one in self.compared.values())
        return own + sum(len(one) for one in held if isinstance(one, Sized))

    def grow_less(self) -> bool:
        """Forget what can be had again most easily; whether there was anything."""
        if len(self.compared) > 1:
            self.compared.popitem(last=False)
        elif self.notes:
            self.notes = {}
        elif len(self.found) > 1:
            self.found.popitem(last=False)
        elif self.compared:
            self.compared.clear()
        else:
            return False
        return True


@dataclass(slots=True)
class _Shelf:
    """What is remembered of one snapshot: norms, the one that was asked for last at the end, and their weight."""

    norms: OrderedDict[str, _Kept] = field(default_factory=OrderedDict)
    weight: int = 0

    def of(self, norm: str) -> _Kept:
        """What is remembered of a norm, which is asked for now."""
        kept = self.norms.get(norm)
        if kept is None:
            kept = self.norms[norm] = _Kept()
            self._count(kept)
        self.norms.move_to_end(norm)
        return kept

    def weigh(self, norm: str, kept: _Kept) -> None:
        """Count a norm anew, and forget others, then the least of itself, until all of it is light enough."""
        if self.norms.get(norm) is not kept:  # forgotten meanwhile
            return
        self._count(kept)
        while self.weight > _PROVISIONS:
            oldest = next(iter(self.norms))
            if oldest != norm:
                self.weight -= self.norms.pop(oldest).weight
            elif kept.grow_less():
                self._count(kept)
            else:
                break

    def _count(self, kept: _Kept) -> None:
        before, kept.weight = kept.weight, kept.counted()
        self.weight += kept.weight - before


_SHELVES: WeakKeyDictionary[Store, _Shelf] = WeakKeyDictionary()
_LOCK = Lock()


def read(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> Read:
    """The text of a norm, of one of its versions, or of a provision with what it holds.

    A provision is read out of the text of its norm, which is put together once for all of them.

    Args:
        store: a snapshot: what it says doesn't change.
        name: of a provision without a version, where days are said.
        on, as_known: days, both or none: none asks for the text of a version.
        axis: the clock.

    Raises:
        As :func:`queries.text.text.text`.
    """
    within = name.provision if on is not None and name != name.work else None
    whole = _whole(store, name.work if within is not None else name, on, as_known, axis)
    if within is None:
        return whole
    provisions = tuple(_inside(whole.answer.provisions, within.canonical))
    if all(one.undecided for one in provisions):
        provisions = ()
    inside = f"{within.canonical}_"
    undecided = tuple(one for one in whole.answer.undecided if one == within.canonical or one.startswith(inside))
    notices = tuple(
        replace(one, provisions=undecided) if isinstance(one, UndecidedProvisions) else one
        for one in whole.answer.notices
        if isinstance(one, _OF_TEXT)
        and (undecided or not isinstance(one, UndecidedProvisions))
        and (provisions or undecided)
    )
    answer = replace(whole.answer, provisions=provisions, undecided=undecided, notices=notices)
    return Read(answer, laid_out(provisions), suspended=whole.suspended)


def compared(store: Store, name: Name, since: date, until: date, known: date) -> Difference:
    """What changed in a norm or provision between two days: further parts of a page, and the page again, at once.

    Args:
        store: a snapshot: what it says doesn't change.
        name: without a version.
        since, until: the two days D, civil dates in this order.
        known: K, a civil date.

    Raises:
        As :func:`queries.text.diff.diff`.
    """
    store = store.base
    key: _Key = (name.canonical, since, until, known)
    with _LOCK:
        shelf = _SHELVES.setdefault(store, _Shelf())
        kept = shelf.of(name.work.canonical)
        found = kept.compared.get(key)
        if found is not None:
            kept.compared.move_to_end(key)
            return found
    noted = MemoizingStore(store, kept.notes)
    found = diff(noted, name, since, until, known, reading=_answer if name == name.work else text)
    with _LOCK:
        kept.compared[key] = found
        shelf.weigh(name.work.canonical, kept)
    return found


def _answer(store: Store, norm: str | Name, on: date, known: date) -> TextAnswer:
    """The text of a norm as it is remembered for its pages."""
    name = parse(norm) if isinstance(norm, str) else norm
    return read(store, name, on.isoformat(), known.isoformat(), Axis.FORCE.value).answer


def _inside(provisions: Iterable[ProvisionText], name: str) -> Iterator[ProvisionText]:
    """A provision with what it holds."""
    top: int | None = None
    for one in provisions:
        if one.name == name:
            top = one.level
        elif top is not None and one.level <= top:
            return
        if top is not None:
            yield one


def _whole(store: Store, name: Name, on: str | None, as_known: str | None, axis: str | None) -> Read:
    store = store.base
    with _LOCK:
        shelf = _SHELVES.setdefault(store, _Shelf())
        kept = shelf.of(name.work.canonical)
    if on is None or as_known is None:
        return _remembered(store, shelf, kept, (name.canonical,), name, (None, None, None))
    if kept.edges is None:
        kept.edges = _edges(store, name)
    told = in_force(store, name, on, as_known, axis)
    force, heard = kept.edges
    key = (
        bisect_right(force, on),
        bisect_right(heard, as_known),
        axis,
        told.status,
        told.version.name if told.version is not None else None,
    )
    found = _remembered(store, shelf, kept, key, name, (on, as_known, axis))
    first = in_force(store, name, found.answer.on, found.answer.as_known, axis)
    return replace(found, answer=_on_day(found.answer, told, first))


def _edges(store: Store, norm: Name) -> tuple[list[str], list[str]]:
    """The days of force on which the text of a norm may change, and those of knowledge, in their order.

    They are those of its rectangles and of its provisions' (decision 0002), its own day, before which nobody asks what
    it read before, and the days on which its versions became known, whose texts are read only from then on.
    """
    force, known = set(), set()
    living = (str(row["dispositivo"]) for row in named("provisions_with_life").rows(store, {"norma": norm.canonical}))
    for name in (norm.iri, *living):
        for one in store.summary(name).periods():
            force |= {one.start, one.end}
            known |= {one.known_from, one.known_until}
    issued = norm.oldest_day
    force.add(issued.isoformat() if issued is not None else None)
    known |= {one.view_date.isoformat() for one in versions(store, norm.iri) if one.view_date is not None}
    return sorted(day for day in force if day is not None), sorted(day for day in known if day is not None)


def _remembered(
    store: Store,
    shelf: _Shelf,
    kept: _Kept,
    key: _Key,
    name: Name,
    days: tuple[str | None, str | None, str | None],
) -> Read:
    """The text under a key, put together for these days where it is not there."""
    with _LOCK:
        found = kept.found.get(key)
        if found is not None:
            kept.found.move_to_end(key)
            return found
    noted = MemoizingStore(store, kept.notes)
    answer = text(noted, name, *days)
    on, known, axis = days
    found = Read(answer, laid_out(answer.provisions))
    if on is not None and known is not None and axis == Axis.FORCE:
        day, heard = date.fromisoformat(on), date.fromisoformat(known)
        span = span_of_text(noted, name, day, heard)
        found = replace(found, span=span, suspended=suspended_within(noted, name, day, heard))
    with _LOCK:
        kept.found[key] = found
        shelf.weigh(name.work.canonical, kept)
    return found


def _on_day(answer: TextAnswer, told: InForce, first: InForce) -> TextAnswer:
    """The answer for another day that has the same text.

    Args:
        told: how the norm stands on that day.
        first: how it stands on the day for which the text was put together: what else there is to know is of the text.
    """
    own = (one for one in answer.notices if one not in first.notices)
    return replace(
        answer,
        on=told.on,
        as_known=told.as_known,
        status=told.status,
        force=told.force,
        efficacy=told.efficacy,
        because=told.because,
        notices=tuple(dict.fromkeys((*told.notices, *own))),
        known_up_to=told.known_up_to,
        sources=told.sources,
    )


_ONE_DAY = timedelta(days=1)


def reads_alike(one: Read, other: Read) -> bool:
    """Whether two texts have the same words, and the same provisions of which nobody knows whether they apply."""
    alike = one.answer.provisions == other.answer.provisions
    return alike and one.answer.undecided == other.answer.undecided


def read_alone(store: Store, target: Name, shown: InForce, began: date, today: date) -> Read:
    """The text to which the name of a norm's version leads by itself: of its first day, as last known.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm.
        shown: the answer that the page shows; a version answers.
        began: the version's own day.
        today: the civil date taken for today.

    Raises:
        StoreProblem: the store cannot be read.
    """
    known, version = today, shown.version
    assert version is not None  # noqa: S101 - by the caller
    now = in_force(store, target, began, known, shown.axis).version
    if (now is None or now.name != version.name) and version.known_until is not None:
        known = version.known_until - _ONE_DAY
    return read(store, target, began.isoformat(), known.isoformat(), shown.axis.value)


def days_shown(store: Store, target: Name, shown: InForce, text: Read) -> Span | None:
    """The days around that of an answer on which a norm or provision reads as it does, as known then; on the clock of
    efficacy those of its version.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm or provision.
        shown: the answer that the page shows.
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
    if span is not None and span.first is not None:
        return span
    unsure = doubtful(over_force(store, target, shown.as_known))
    return Span(version.valid_from, version.valid_until, version.valid_from in unsure, version.valid_until in unsure)


def _span(store: Store, target: Name, shown: InForce) -> Span | None:
    return span_of_text(store, target, shown.on, shown.as_known) if shown.axis is Axis.FORCE else None


def days_as_known_today(store: Store, target: Name, shown: InForce, text: Read, today: date) -> Span | None:
    """The days of force of the text that is shown; None where none is, or what is known today is another.

    Args:
        store, target, shown, text: as for :func:`days_shown`.
        today: the civil date taken for today.
    """
    version = shown.version
    if version is None or shown.axis is not Axis.FORCE:
        return None
    if version.known_until is not None and version.known_until <= today:
        return None
    if target == target.work:
        return text.span
    return span_of_text(store, target, shown.on, shown.as_known)


def text_once_known(store: Store, target: Name, shown: InForce) -> Asked | None:
    """The days that lead to the last text that was known of a norm or provision, where that of an answer never was.

    Args:
        store: a snapshot: what it says doesn't change.
        target: the norm or provision.
        shown: the answer.

    Returns:
        None where a version answers, or there is a text of another day, or never was one.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if shown.version is not None or shown.axis is not Axis.FORCE:
        return None
    return last_known(known_versions(store, target), shown.as_known)
