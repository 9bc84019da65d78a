"""Changes of a text between two days, provision by provision, with inserted and removed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from typing import TypeAlias

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.store.remembering import WithNotes
from graph.urn import Name, from_iri, parse, to_iri
from queries.answers import InForce
from queries.evidence import curators
from queries.in_force import in_force
from queries.intervals import over_force
from queries.notices import (
    Disagreement,
    NotComparable,
    NoTextInForce,
    Notice,
    NotYetInForce,
    PassagesOmitted,
    SourcesContradict,
    UnknownName,
)
from queries.question import days
from queries.reasons import Reason, Status
from queries.status import ENDED
from queries.text.answers import Change, ChangeKind, Difference, ProvisionText, TextAnswer
from queries.text.comparison import Comparison, gone_as
from queries.text.contested import contested
from queries.text.effects import effects
from queries.text.same_text import within
from queries.text.text import text

#: What gives the text of a norm or provision on D, as known on K.
Reader: TypeAlias = Callable[[Store, str | Name, date, date], TextAnswer]

#: The fragment of what a source leaves out, which LexML XML marks with an element of its own (``Omissis``).
_OMISSIS = re.compile("(?:.*_)?omi[0-9]+", re.ASCII)
#: What a text without provisions may come from for sure: there was none in force.
_EMPTY = frozenset({Status.NOT_PUBLISHED, Status.VACATIO, Status.SUSPENDED, *ENDED})


def diff(
    store: Store,
    name: str | Name,
    since: date | str,
    until: date | str,
    as_known: date | str | None = None,
    *,
    reading: Reader = text,
) -> Difference:
    """What changed in a norm or provision from one day to another, both as known on the same day.

    Args:
        store: an opened store.
        name: the norm or provision, as :func:`queries.in_force` takes it.
        since, until: the two days D, civil dates in this order.
        as_known: K, a civil date; default today.
        reading: gives the texts; one that remembers them answers as :func:`queries.text.text.text` does.

    Returns:
        The changes in the order of the later text, what is gone behind the provision that it stood behind and what came
        within the same article as that one. Where one of the days has no text that the sources allow, none, and the
        notices say why. A passage that a source leaves out is no provision that came or went; of a wording that it
        leaves out it is not told which words did. Efficacy is told beside the words, also where they are not compared.

    Raises:
        BadName, BadDate: the question is not one.
        BadParameter: the days do not run forwards.
        NotYetKnown: K is in the future.
        StoreProblem: the store cannot be read.
    """
    first, last = (parse_day(day) if isinstance(day, str) else day for day in (since, until))
    if last < first:
        raise BadParameter(f"expected two days in order, got {first} and {last}")
    known = days(last, as_known).as_known
    if not isinstance(store, WithNotes):
        store = WithNotes(store)  # both days read the same texts
    before, after = (reading(store, name, day, known) for day in (first, last))
    told = (
        notice
        for one in (before, after)
        for notice in one.notices
        if not (_none(one) and isinstance(notice, NotYetInForce))
    )
    notices = tuple(dict.fromkeys(told))
    lacking = [day for day, one in ((first, before), (last, after)) if not one.provisions and not _none(one)]
    if lacking or after.status is Status.UNKNOWN_NAME:
        notices = (*notices, *_unknown(after), NotComparable(tuple(lacking)))
        found = Difference(after.name, after.asked, first, last, known, comparable=False, changes=(), notices=notices)
        return _with_effects(store, found, after.status)
    sides = _Sides(store, reading, after.name, known)
    open_ = dict.fromkeys((*before.undecided, *after.undecided))
    old, new = (
        {p.name: p for p in sides.applying(one, day) if p.name not in open_}
        for one, day in ((before, first), (after, last))
    )
    come = before.status in _NOT_YET
    comparison = Comparison(store, to_iri(sides.norm), old, new, first, last, known, come=come)
    changes: Iterable[Change] = (one for one in comparison.changes() if not _is_left_out(one.provision))
    if not old:
        changes = changes if come else sides.come_back(changes, first, last)
        whole = comparison.origin() if come else _between(after.because, first, last)
        changes = (comparison.begun(one if one.because else replace(one, because=whole)) for one in changes)
    elif not new:
        rest = _by(last, after.because or before.because)
        changes = sides.gone(changes, old, first, last, rest, gone_as(after.status))
    if _none(before) and _none(after) and not (old or new):
        notices = (*notices, NoTextInForce(first, last, _stood(before), _stood(after)))
    if any(_is_left_out(one.name) or one.omitted for one in (*old.values(), *new.values())):
        notices = (*notices, PassagesOmitted())
    found = Difference(
        after.name, after.asked, first, last, known, comparable=True, changes=tuple(changes), notices=notices
    )
    return _with_effects(store, replace(found, undecided=tuple(open_)), after.status)


def _with_effects(store: Store, found: Difference, status: Status | None) -> Difference:
    """The same with what has effect on one of the days alone, who states all that where no provider does, and on what
    sources differ."""
    if status is Status.UNKNOWN_NAME:
        return found
    target = parse(found.name)
    told = effects(store, target, found.since, found.until, found.as_known)
    because = (*(one.because for one in found.changes), *(one.because for one in told))
    stated = curators(store, chain.from_iterable(because), ())
    differ = contested(store, target, found.since, found.until, found.as_known)
    kept = (one for one in found.notices if not _is_of_dates(one))  # those that bear on the days follow
    notices = (*kept, *differ, *stated)
    return replace(found, effects=told, notices=tuple(dict.fromkeys(notices)))


#: What a text without provisions comes from before there is one: each provision has come by what made it since.
_NOT_YET = (Status.NOT_PUBLISHED, Status.VACATIO)


def _is_of_dates(notice: Notice) -> bool:
    """Whether sources date something differently, on which :func:`contested` says what bears on two days."""
    dates = (Disagreement.DATES, Disagreement.HISTORIES)
    return isinstance(notice, SourcesContradict) and notice.on in dates


def _unknown(answer: TextAnswer) -> Iterator[Notice]:
    """The notice that nothing is known of the name, or that the text leads to no one name, unless there is one."""
    if answer.status is Status.UNKNOWN_NAME and not any(isinstance(one, UnknownName) for one in answer.notices):
        yield UnknownName(answer.asked, one=not answer.notices)


def _between(because: Iterable[Reason], first: date, last: date) -> tuple[Reason, ...]:
    """What has effect behind one day by another; where nothing has, all that has by then."""
    acted = _by(last, because)
    return tuple(one for one in acted if one.effect is None or one.effect > first.isoformat()) or acted


def _by(last: date, because: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return the events that have effect by a day, or on a day that is not stated."""
    day = last.isoformat()
    return tuple(reason for reason in because if reason.effect is None or reason.effect <= day)


def _none(answer: TextAnswer) -> bool:
    return answer.status in _EMPTY


def _stood(answer: TextAnswer) -> Status:
    return answer.status or Status.UNKNOWN


class _Sides:
    """The texts of a norm or provision, and the status of its norm.

    What ends or restores a norm acts on all that it holds, but for what had ended before, or came back later.
    """

    def __init__(self, store: Store, reading: Reader, name: str, known: date) -> None:
        """``name``: canonical; ``known``: K."""
        self._store, self._reading, self._known = store, reading, known
        self._target = parse(name)
        self.norm = self._target.work.canonical

    def applying(self, answer: TextAnswer, day: date) -> tuple[ProvisionText, ...]:
        """The provisions that apply on a day: those of a text that is still to come do not, and of an article or
        chapter that has ended what came back of it does."""
        if not _none(answer):
            return answer.provisions
        if answer.status not in ENDED or self._target == self._target.work:
            return ()
        inner = set(map(from_iri, within(self._store, self._target)))
        if not inner or self._norm_on(day).status is not Status.IN_FORCE:
            return ()
        whole = self._reading(self._store, self._target.work, day, self._known).provisions
        printed = any(one.name == self._target.canonical for one in whole)
        return () if printed else tuple(one for one in whole if one.name in inner)

    def gone(
        self,
        changes: Iterable[Change],
        old: Mapping[str, ProvisionText],
        first: date,
        last: date,
        rest: tuple[Reason, ...],
        kind: ChangeKind,
    ) -> Iterator[Change]:
        """Of a text that is gone as a whole: each provision by what ended it, or by what ended its norm.

        Args:
            rest: what ended the whole, for what no event of its own ended; ``kind``: what became of it.
        """
        norm = self._norm_on(last)
        if norm.status not in ENDED:
            for one in changes:
                yield one if one.because else replace(one, kind=kind, because=rest)
            return
        end = self._edge(last, later=False)
        own = {one.provision: one for one in self._until(old, first, end)} if end is not None and end > first else {}
        by_norm = _by(last, norm.because) or rest
        for one in changes:
            yield own.get(one.provision) or replace(one, kind=gone_as(norm.status), because=by_norm)

    def _until(self, old: Mapping[str, ProvisionText], first: date, end: date) -> Iterator[Change]:
        """What had gone by the last day on which the norm had a text."""
        answer = self._on(end)
        if not answer.provisions and not _none(answer):
            return  # its text is not known
        new = {one.name: one for one in self.applying(answer, end)}
        known = {name: part for name, part in old.items() if name not in answer.undecided}
        found = Comparison(self._store, to_iri(self.norm), known, new, first, end, self._known, come=False).changes()
        yield from (one for one in found if one.after is None and one.because)

    def come_back(self, changes: Iterable[Change], first: date, last: date) -> Iterator[Change]:
        """Of a text that came back as a whole: each provision also by what restored its norm, where it came with it."""
        ended = self._norm_on(first).status in ENDED
        begin = self._edge(first, later=True) if ended else None
        if begin is None or begin > last:
            yield from changes
            return
        back = {one.name for one in self.applying(self._on(begin), begin)}
        whole = _between(self._norm_on(begin).because, first, begin)
        for one in changes:
            came = one.provision in back
            yield replace(one, because=tuple(dict.fromkeys((*whole, *one.because)))) if came else one

    def _on(self, day: date) -> TextAnswer:
        return self._reading(self._store, self._target, day, self._known)

    def _norm_on(self, day: date) -> InForce:
        return in_force(self._store, self._target.work, day, self._known)

    def _edge(self, day: date, *, later: bool) -> date | None:
        """The first day behind another on which the norm has a version, or the last before it; None where none is."""
        found = [one for one in over_force(self._store, self._target.work, self._known) if one.version is not None]
        if later:
            return min((one.start for one in found if one.start > day), default=None)
        ends = (one.until for one in found if one.until is not None and one.until <= day)
        return max((until - timedelta(days=1) for until in ends), default=None)


def _is_left_out(provision: str) -> bool:
    return "omi" in provision and _OMISSIS.fullmatch(provision.rpartition("!")[2]) is not None
