"""The changes of a text between two days, provision by provision, with words and effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher
from functools import cached_property
from itertools import chain, takewhile
from typing import TypeAlias

from graph.civil import ONE_DAY, When, parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import day_stated
from graph.time.kinds import ENDED, Axis, Situation, Status
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import natural_order_key
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect
from queries.answers import InForce
from queries.causes import causes
from queries.evidence import bounds_of, curators, lifecycle_events, published_on, records, versions
from queries.in_force import in_force
from queries.intervals import doubtful, over_force
from queries.notices import (
    Disagreement,
    NotComparable,
    NoTextInForce,
    Notice,
    NotYetInForce,
    PassagesOmitted,
    ProvisionsInForceEarly,
    ProvisionsNotYetInForce,
    SourcesContradict,
    UnknownName,
)
from queries.provisions import containers_by_provision, editions, holding, parts_of
from queries.question import days
from queries.reasons import Reason, flattened
from queries.resolution.interpretation import interpret
from queries.status import status_on
from queries.text.absent import located
from queries.text.answers import Change, ChangeKind, Difference, EffectChange, ProvisionText, Sign, TextAnswer
from queries.text.changes import days_of_change, within
from queries.text.composition import gaps_within, outermost
from queries.text.text import contested_between, text

# Compares two texts: inserted, removed and changed provisions, each with its reasons.


_WORD = re.compile(r"\S+")
#: Texts with more words are compared with a faster, less exact algorithm.
_CAREFUL = 2_000
#: Events that end their target otherwise than by revocation, so that its status must be looked up.
_NO_REVOCATION = frozenset(
    term.notation
    for term in EVENTS.values()
    if term.effect in (Effect.ANNULS, Effect.EXPIRES, Effect.CONVERTS, Effect.VETOES)
)
_GONE = {
    Status.ANNULLED: ChangeKind.ANNULLED,
    Status.EXPIRED: ChangeKind.EXPIRED,
    Status.CONVERTED: ChangeKind.CONVERTED,
    Status.VETOED: ChangeKind.VETOED,
}


#: The fragments before the first article, which have no force of their own.
FRONT = frozenset({"epigrafe", "ementa", "preambulo"})


def kind_of_removal(status: Status | None) -> ChangeKind:
    """Return the kind of change of a removed provision, by its status on the second day."""
    return _GONE.get(status, ChangeKind.REVOKED) if status is not None else ChangeKind.REVOKED


def _count_common_steps(name: str, other: str) -> int:
    """Return the number of common leading steps of the identifiers of two provisions."""
    pairs = zip(name.rpartition("!")[2].split("_"), other.rpartition("!")[2].split("_"), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


class Comparison:
    """A comparison of two texts."""

    def __init__(
        self,
        store: Store,
        norm: str,
        old: Mapping[str, ProvisionText],
        new: Mapping[str, ProvisionText],
        days: tuple[date, date],
        known: date,
        *,
        no_text_before: bool,
        published: Callable[[str], ProvisionText | None],
    ) -> None:
        """Initialize the comparison.

        Args:
            norm: its IRI.
            days: the two days D.
            no_text_before: whether there was no text yet on the first day.
            published: returns the wording of a provision as published by the first day, whether in force or not; None
                if it was not published.
        """
        self._store = store
        self._norm = norm
        self._old = old
        self._new = new
        self._since, self._until = days
        self._known = known
        self._no_text_before = no_text_before
        self._published = published
        self._moved = dict(_moved(old, new))

    def changes(self) -> Iterable[Change]:
        """Yield the changes in the order of the later text; a removed provision follows its former predecessor and
        the insertions there."""
        gone: dict[str | None, list[str]] = {}
        anchor: str | None = None
        for name in self._old:
            if name in self._new:
                anchor = name
            elif name not in self._moved:
                gone.setdefault(anchor, []).append(name)
        yield from map(self._removal_change, gone.get(None, ()))
        came_from = {new: old for old, new in self._moved.items()}
        pending_removals: list[str] = []
        last = ""
        for name, now in self._new.items():
            then = self._old.get(name)
            if pending_removals and (
                then is not None or _count_common_steps(name, last) <= _count_common_steps(pending_removals[0], last)
            ):
                yield from map(self._removal_change, pending_removals)
                pending_removals = []
            if then is None and not self._is_still_vetoed(now):
                yield self._insertion(now, came_from.get(name))
            elif then is not None and then is not now and _visible_content(then) != _visible_content(now):
                yield Change(name, ChangeKind.CHANGED, then, now, _compared(then, now), self._causing_events(now))
            if name in gone:
                pending_removals, last = gone[name], name
        yield from map(self._removal_change, pending_removals)

    def _is_still_vetoed(self, now: ProvisionText) -> bool:
        """Return whether a provision is vetoed on both days: a text only shows it with the parts around it."""
        vetoed = now.situation == Situation.VETADO
        return vetoed and status_on(self._store, parse(now.name), self._since, self._known) is Status.VETOED

    def _insertion(self, now: ProvisionText, origin: str | None) -> Change:
        if origin is not None:
            return Change(now.name, ChangeKind.MOVED, self._old[origin], now, (), self._causing_events(now))
        change = Change(now.name, ChangeKind.INSERTED, None, now, (), self._causing_events(now))
        if self._no_text_before:
            return self.as_begun(change)
        status = status_on(self._store, parse(now.name), self._since, self._known)
        if status is Status.VACATIO:
            return change if self._is_inserted(now) else self._as_begun_later(change)
        restored = status is not Status.NOT_PUBLISHED and self._was_known(now)
        return replace(change, kind=ChangeKind.RESTORED) if restored else self.as_begun(change)

    def _is_inserted(self, now: ProvisionText) -> bool:
        """Return whether an act inserted a provision with effect between the days."""
        return any(
            version.inserts and version.version_date is not None and self._since < version.version_date <= self._until
            for version in versions(self._store, to_iri(now.name))
            if version.view_date is None or version.view_date <= self._known
        )

    def _as_begun_later(self, change: Change) -> Change:
        """Return the insertion of a published provision as BEGUN, or as BEGUN_AMENDED if its wording changed before.

        Epigraph, ementa and preamble have no force of their own: their changed wording is CHANGED.
        """
        before, after = self._published(change.provision), change.after
        if before is None or after is None or _visible_content(before) == _visible_content(after):
            return replace(change, kind=ChangeKind.BEGUN)
        if change.provision.rpartition("!")[2] in FRONT:
            return replace(change, kind=ChangeKind.CHANGED, before=before, words=_compared(before, after))
        return replace(change, kind=ChangeKind.BEGUN_AMENDED)

    def _was_known(self, now: ProvisionText) -> bool:
        """Return whether a provision had a text by the first day, in its own versions or in those of its norm."""
        own = versions(self._store, to_iri(now.name))
        if not own and now.version is not None:
            start = parse(now.version).version_date
            return start is not None and start <= self._since
        return any(
            v.version_date is not None and v.version_date <= self._since and (v.view_date or date.min) <= self._known
            for v in own
        )

    def as_begun(self, change: Change) -> Change:
        """Return the change, as BEGUN if the norm's first text made it, or had it, and no act inserted it.

        A version without an event counts as the first text if it has the first day of force. A provision of the first
        text that changed before it came into force has BEGUN_AMENDED.
        """
        if change.kind is not ChangeKind.INSERTED:
            return change
        start = self._first_day_and_events[0]
        if any(
            (reason.event in FIRST_TEXT_EVENTS and reason.cause is None)
            or (reason.event is None and reason.effect == start)
            for reason in change.because
        ):
            if self._no_text_before and any(map(self._is_before_force, change.because)):
                return self._as_begun_later(change)
            return replace(change, kind=ChangeKind.BEGUN)
        if self._no_text_before and self._published(change.provision) is not None:
            return self._as_begun_later(change)
        return change

    def with_moved_start(self, change: Change) -> Change:
        """Return a change; if an act moved the start of the norm, a beginning has the reasons of this start."""
        start, stated = self._start_of_force, self._first_day_and_events[0]
        if change.kind not in _BEGINNINGS or start is None or stated in (None, start.isoformat()):
            return change
        own = (reason for reason in change.because if reason.event not in FIRST_TEXT_EVENTS or reason.effect != stated)
        return replace(change, because=tuple(dict.fromkeys((*own, *self._reasons_of_start))))

    def ended_in_vacatio(self, provisions: Iterable[ProvisionText]) -> Iterator[Change]:
        """Yield the endings of provisions of a norm in vacatio on the first day that ended by the second.

        Args:
            provisions: the published text of the first day.
        """
        for then in provisions:
            if then.name in self._new or then.undecided or then.situation == Situation.VETADO:
                continue
            status = status_on(self._store, parse(then.name), self._until, self._known)
            if status in ENDED:
                because = self._ending_events(then.name)
                yield Change(then.name, kind_of_removal(status), then, None, (), because)

    @cached_property
    def _reasons_of_start(self) -> tuple[Reason, ...]:
        """Return the reasons of the first day of force of the norm."""
        start = self._start_of_force
        return in_force(self._store, from_iri(self._norm), start, self._known).because if start is not None else ()

    def with_early_provisions(self, changes: Iterable[Change]) -> Iterator[Change]:
        """Yield changes of a norm in vacatio on the first day; articles in force on that day are compared.

        Such articles start before their norm, as arts. 55-A to 55-L of Lei 13.709/2018 did.
        """
        early: dict[str, bool] = {}
        for change in changes:
            article, after = change.provision.partition("_")[0], change.after
            before = self._published(change.provision) if change.kind in _BEGINNINGS else None
            if before is None or after is None:
                yield change
                continue
            if article not in early:
                status = status_on(self._store, parse(article), self._since, self._known)
                early[article] = status.stands
            if not early[article]:
                yield change
            elif _visible_content(before) != _visible_content(after):
                yield replace(change, kind=ChangeKind.CHANGED, before=before, words=_compared(before, after))

    def _is_before_force(self, reason: Reason) -> bool:
        """Return whether an event other than of the first text certainly had effect before the norm was in force."""
        effect = day_stated(reason.effect)
        last = effect.last if effect is not None else None
        start = self._start_of_force
        return reason.event not in FIRST_TEXT_EVENTS and last is not None and start is not None and last < start

    @cached_property
    def _start_of_force(self) -> date | None:
        norm = parse(from_iri(self._norm))
        return next(
            (interval.start for interval in over_force(self._store, norm, self._known) if interval.version is not None),
            None,
        )

    def origin(self) -> tuple[Reason, ...]:
        """Return the events that made the first version of the norm in force, as known then."""
        return self._first_day_and_events[1]

    @cached_property
    def _first_day_and_events(self) -> tuple[str | None, tuple[Reason, ...]]:
        """Return the first day of force of the norm, as known then, and the events that made its versions of that
        day."""
        known_views = [
            v for v in versions(self._store, self._norm) if v.view_date is None or v.view_date <= self._known
        ]
        first = min((v.version_date for v in known_views if v.version_date is not None), default=None)
        caused = causes(self._store, self._norm, known_views)
        reasons = (reason for v in known_views if v.version_date == first for reason in v.reasons(caused))
        return first.isoformat() if first is not None else None, tuple(dict.fromkeys(reasons))

    def _removal_change(self, name: str) -> Change:
        because = self._ending_events(name)
        kind = ChangeKind.REVOKED
        if any(reason.event in _NO_REVOCATION for reason in flattened(because)):
            kind = kind_of_removal(status_on(self._store, parse(name), self._until, self._known))
        return Change(name, kind, self._old[name], None, (), because)

    def _causing_events(self, now: ProvisionText) -> tuple[Reason, ...]:
        """Return all events that changed the wording, or restored the provision, between the days."""
        if now.version is None:
            return ()
        known = versions(self._store, to_iri(now.name))
        between = [
            version
            for version in known
            if version.version_date is not None
            and self._since < version.version_date <= self._until
            and (version.view_date is None or version.view_date <= self._known)
        ]
        caused = causes(self._store, to_iri(now.name), known)
        changes = tuple(dict.fromkeys([*(r for v in between for r in v.reasons(caused)), *self._events(now.name)]))
        if not changes and self._may_take_effect(_bounds_of(now.version)):
            made = (version for version in known if version.name == now.version)
            changes = tuple(reason for version in made for reason in version.reasons(caused))
        if not changes or not self._may_have_fallen(now.name, (version.iri for version in known)):
            return changes or self._fallen_reasons(now.name)
        annulled = self._fallen_reasons(now.name)
        before_annulment = {replace(reason, undone_by=()) for reason in annulled}
        return (*annulled, *(change for change in changes if change not in before_annulment))

    def _may_have_fallen(self, name: str, own: Iterable[str]) -> bool:
        """Return whether a cause that lost its effect may have changed the text of a provision."""
        work = to_iri(name)
        known = {*own, *(event for event, _ in lifecycle_events(self._store, work))}
        return any(not known.issuperset(period.because) for period in self._store.summary(work).periods())

    def _ending_events(self, name: str) -> tuple[Reason, ...]:
        """Return the events that ended a provision or its containers; else those of the first full text without it."""
        acted = tuple(dict.fromkeys(self._events(name)))
        if len(acted) > 1:  # an event after the end of the provision does not end it
            acted = in_force(self._store, name, self._until, self._known).because or acted
        return acted or self._fallen_reasons(name) or self._omitting_reasons(name.rpartition("!")[2])

    def _fallen_reasons(self, name: str) -> tuple[Reason, ...]:
        """Return the events that lost their effect between the days, because their cause lost its effect."""
        first, last = self._since.isoformat(), self._until.isoformat()
        return tuple(
            reason
            for reason in in_force(self._store, name, self._until, self._known).because
            if any(
                first < undoing.effect <= last for undoing in flattened(reason.undone_by) if undoing.effect is not None
            )
        )

    def _omitting_reasons(self, fragment: str) -> tuple[Reason, ...]:
        """Return the events of the first of the last consecutive full texts that all lack a provision."""
        made: tuple[Reason, ...] = ()
        for reasons, fragments in self._full_texts:
            made = () if fragment in fragments else made or reasons
        return made

    @cached_property
    def _full_texts(self) -> tuple[tuple[tuple[Reason, ...], frozenset[str]], ...]:
        """Return the complete texts that began between the days, each with its events and the identifiers in it."""
        every = [
            edition for edition in editions(self._store, self._norm) if edition.complete and edition.text is not None
        ]
        caused = causes(self._store, self._norm, versions(self._store, self._norm))
        return tuple(
            (
                tuple(edition.version.reasons(caused)),
                frozenset(part.fragment for part in parts_of(self._store, str(edition.text), self._norm, version.name)),
            )
            for edition in every
            for version in (edition.version,)
            if version.version_date is not None
            and self._since < version.version_date <= self._until
            and (version.view_date is None or version.view_date <= self._known)
        )

    def _events(self, name: str) -> tuple[Reason, ...]:
        """Return the events that act on a provision or its containers and take effect between the days.

        If there are none, return those of the provision that may have taken effect between the days.
        """
        reasons = tuple(self._known_events(name))
        certain = tuple(reason for reason in reasons if self._takes_effect(day_stated(reason.effect)))
        own = (reason for _, reason in lifecycle_events(self._store, to_iri(name)) if reason in reasons)
        return certain or tuple(reason for reason in own if self._may_take_effect(day_stated(reason.effect)))

    def _takes_effect(self, effect: When | None) -> bool:
        """Return whether a day within bounds is certainly between the days compared."""
        return (
            effect is not None and effect.last is not None and self._since < effect.first <= effect.last <= self._until
        )

    def _may_take_effect(self, effect: When | None) -> bool:
        """Return whether a day within bounds may be between the days compared."""
        return effect is not None and effect.first <= self._until and (effect.last is None or self._since < effect.last)

    def _known_events(self, name: str) -> Iterator[Reason]:
        """Yield the dated events that act on a provision or its containers, as known on K."""
        known = self._known.isoformat()
        holder: str | None = to_iri(name)
        within = containers_by_provision(self._store, to_iri(name).partition("!")[0])
        seen: set[str] = set()
        while holder is not None and holder not in seen:
            seen.add(holder)
            for _, reason in lifecycle_events(self._store, holder):
                if reason.effect is not None and (reason.known or known) <= known:
                    yield reason
            holder = within.get(holder)


def _bounds_of(version: str) -> When | None:
    bounds = bounds_of(parse(version))
    return When(*bounds) if bounds is not None else None


def _visible_content(part: ProvisionText) -> tuple[str | None, ...]:
    return part.label, part.heading, part.text, part.situation


def _words_compared(part: ProvisionText) -> tuple[str | None, ...]:
    return part.label, part.heading, part.text


def _compared(then: ProvisionText, now: ProvisionText) -> tuple[tuple[Sign, str], ...]:
    """Return the words of both; empty if the source omits those of one."""
    if then.omitted or now.omitted:
        return ()
    return tuple(marked(words_of(*_words_compared(then)), words_of(*_words_compared(now))))


def words_of(*texts: str | None) -> list[str]:
    """Return the words of a provision: its label, heading and text."""
    return _WORD.findall(" ".join(filter(None, texts)))


def marked(before: list[str], after: list[str]) -> Iterable[tuple[Sign, str]]:
    """Yield the words of both in order: ``=`` in both, ``-`` only before, ``+`` only after."""
    quick = len(before) > _CAREFUL or len(after) > _CAREFUL
    for operation, a, b, c, d in SequenceMatcher(None, before, after, autojunk=quick).get_opcodes():
        if operation == "equal":
            yield "=", " ".join(before[a:b])
            continue
        if a < b:
            yield "-", " ".join(before[a:b])
        if c < d:
            yield "+", " ".join(after[c:d])


def _moved(old: Mapping[str, ProvisionText], new: Mapping[str, ProvisionText]) -> Iterable[tuple[str, str]]:
    """Yield provisions with another name and the same words: each pair once, if no other has the same words."""
    removed = _by_words(part for name, part in old.items() if name not in new)
    added = _by_words(part for name, part in new.items() if name not in old)
    for words, names in removed.items():
        others = added.get(words, [])
        if len(names) == 1 and len(others) == 1:
            yield names[0], others[0]


def _by_words(parts: Iterable[ProvisionText]) -> dict[tuple[str | None, str], list[str]]:
    names_by_words: dict[tuple[str | None, str], list[str]] = {}
    for part in parts:
        if part.text:
            names_by_words.setdefault((part.heading, part.text), []).append(part.name)
    return names_by_words


# Changes of efficacy: norms and provisions that are in force on both days and have effect on one of them only.
#
# A suspended text is unchanged. Changes of efficacy are therefore reported separately from changes of the words.


_ON_EFFICACY = frozenset({Effect.SUSPENDS, Effect.REINSTATES, Effect.STARTS_EFFICACY})


def effects(store: Store, target: Name, first: date, last: date, known: date) -> tuple[EffectChange, ...]:
    """Return the changes of efficacy of a norm or provision, or of its parts, in force on both days.

    If the whole has the change, its parts are not listed.

    Args:
        target: without version.
        first, last: the two days D, civil dates in this order.
        known: K, a civil date.
    """
    norm_statuses = _statuses(store, target, first, last, known)
    if norm_statuses is None:
        return ()
    if norm_statuses[0] is not norm_statuses[1]:
        return (EffectChange(target.canonical, *norm_statuses, _causing_events(store, target, first, last, known)),)
    if not norm_statuses[0].stands:
        return ()
    before, after = (gaps_within(store, target.work, day, known) for day in (first, last))
    inner = set(map(from_iri, within(store, target))) if target != target.work else {*before, *after}
    differ = [name for name in sorted({*before, *after} & inner) if before.get(name) != after.get(name)]
    changes: dict[str, EffectChange] = {}
    for name in differ:
        part = parse(name)
        both = _statuses(store, part, first, last, known)
        if both is not None and both[0] is not both[1]:
            changes[name] = EffectChange(name, *both, _causing_events(store, part, first, last, known))
    return tuple(changes[name] for name in outermost(changes))


def _statuses(store: Store, target: Name, first: date, last: date, known: date) -> tuple[Status, Status] | None:
    """Return the status on both days on the axis of efficacy; None unless the target is in force on both."""
    if any(not status_on(store, target, day, known).stands for day in (first, last)):
        return None
    before, after = (status_on(store, target, day, known, Axis.EFFICACY) for day in (first, last))
    return before, after


def _causing_events(store: Store, target: Name, first: date, last: date, known: date) -> tuple[Reason, ...]:
    """Return the events that suspended or reinstated the target or its containers between the days.

    If there are none, return the events that leave its efficacy uncertain.
    """
    acted = tuple(dict.fromkeys(_acting_events(store, target, first, last, known)))
    if acted:
        return acted
    answers = (in_force(store, target, day, known, Axis.EFFICACY) for day in (first, last))
    return tuple(dict.fromkeys(reason for answer in answers for reason in answer.because if _affects_efficacy(reason)))


def _acting_events(store: Store, target: Name, first: date, last: date, known: date) -> Iterator[Reason]:
    chain = dict.fromkeys((target.work.iri, target.iri, *holding(store, target)))
    since, until, known_day = first.isoformat(), last.isoformat(), known.isoformat()
    for name in chain:
        for _, reason in lifecycle_events(store, name):
            surely = (
                reason.effect is not None
                and since < reason.effect <= until
                and (reason.known or known_day) <= known_day
            )
            if surely and _affects_efficacy(reason):
                yield reason


def _affects_efficacy(reason: Reason) -> bool:
    term = EVENTS.get(reason.event or "")
    return term is not None and term.effect in _ON_EFFICACY


# The changes between two days.


#: Returns the text of a norm or provision on D, as known on K.
Reader: TypeAlias = Callable[[Store, str | Name, date, date], TextAnswer]

#: The fragment of text that a source omits, which LexML XML marks with the element ``Omissis``.
_OMISSIS = re.compile("(?:.*_)?omi[0-9]+", re.ASCII)
#: The statuses in which no text was in force.
_EMPTY = frozenset({Status.NOT_PUBLISHED, Status.VACATIO, Status.SUSPENDED, *ENDED})


#: In place of the first day: the text as published, whether in force or not.
ORIGINAL = "original"


def original_day(store: Store, name: Name, known: date) -> date | None:
    """Return the day of the original text of a norm: its publication, its first day of force, or its signature.

    Args:
        name: the norm, or a provision of it, without version.
        known: K, a civil date.

    Returns:
        The day of signature only if the others are unknown and a source has a text of that day. None if all are
        unknown.
    """
    return dated_original_day(store, name, known) or _signature_day(store, name.work, known)


def dated_original_day(store: Store, name: Name, known: date) -> date | None:
    """Return the publication of a norm, else its first day of force; None if unknown. Arguments as above."""
    published = published_on(store, name.work)
    if published is not None:
        return published
    rows = over_force(store, name.work, known)
    unsure = doubtful(rows)
    return next(
        (row.start for row in rows if row.version is not None and row.start not in unsure),
        None,
    )


def _signature_day(store: Store, name: Name, known: date) -> date | None:
    """Return the day of signature of a norm, if a source has a text of the norm or provision of that day; else None."""
    signed = name.work.representative_date
    has_text = signed is not None and any(change.exact == signed for change in days_of_change(store, name, known))
    return signed if has_text else None


def has_dated_original(store: Store, name: Name, known: date) -> bool:
    """Return whether the original text of a norm or provision is dated: a provision inserted later has none.

    Args:
        name: the norm or provision, without version.
        known: K, a civil date.
    """
    day = dated_original_day(store, name, known)
    if day is None:
        return _signature_day(store, name, known) is not None
    if name == name.work:
        return True
    status = in_force(store, name, day, known).status
    return status.stands or status in (Status.VACATIO, Status.SUSPENDED)


def diff(
    store: Store,
    name: str | Name,
    since: date | str,
    until: date | str,
    as_known: date | str | None = None,
    *,
    reading: Reader = text,
) -> Difference:
    """Return the changes of a norm or provision from one day to another, both as known on the same day.

    Args:
        name: the norm or provision, as :func:`queries.in_force` takes it.
        since, until: the two days D, civil dates in this order. ``since`` may be :data:`ORIGINAL`: then the text as
            published is compared, whether it was in force or not.
        as_known: K, a civil date; default today.
        reading: returns the texts as :func:`queries.text.text.text` does, for example from a cache.

    Returns:
        The changes in the order of the later text; a removed provision follows its former predecessor and the
        insertions in the same article. Empty if the sources determine no text on one of the days; the notices give the
        reason. An omitted passage is neither inserted nor removed; for an omitted wording the changed words are not
        given. Efficacy is always compared. Of a norm in vacatio on both days, the provisions in force early are
        compared.

    Raises:
        BadName, BadDate: the question is malformed.
        BadParameter: the first day is after the second, or no source has a dated original text.
        NotYetKnown: K is in the future.
    """
    last = parse_day(until) if isinstance(until, str) else until
    known = days(last, as_known).as_known
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # both days read the same texts
    is_original = since == ORIGINAL
    first = (
        _original(store, name, last, known) if is_original else parse_day(since) if isinstance(since, str) else since
    )
    if last < first:
        detail = f"expected two days in order, got {first} and {last}"
        raise BadParameter(f"{detail}: ask for the changes from {last} to {first}")
    before = as_published(store, reading, name, first, known) if is_original else reading(store, name, first, known)
    before, after = located(store, before, reading), located(store, reading(store, name, last, known), reading)
    if is_original:
        after = _with_coming(store, after, last, known)
    notices_of_both = (
        notice
        for answer in (before, after)
        for notice in answer.notices
        if not (
            (_has_no_text(answer) and isinstance(notice, NotYetInForce)) or isinstance(notice, ProvisionsNotYetInForce)
        )
    )
    notices = tuple(dict.fromkeys(notices_of_both))
    lacking = [
        day for day, answer in ((first, before), (last, after)) if not answer.provisions and not _has_no_text(answer)
    ]
    if lacking or after.status is Status.UNKNOWN_NAME:
        difference = Difference(
            after.name,
            after.asked,
            first,
            last,
            known,
            comparable=False,
            changes=(),
            notices=(*notices, *_unknown_notices(after), NotComparable(tuple(lacking))),
            lacks_provision=after.status is Status.NO_SUCH_PROVISION,
        )
        return replace(_with_effects(store, difference, after.status), original=is_original)
    sides = _Sides(store, reading, after.name, known)
    open_ = dict.fromkeys((*before.undecided, *after.undecided))
    old, new = (
        {p.name: p for p in sides.applicable_provisions(answer, day, coming=is_original) if p.name not in open_}
        for answer, day in ((before, first), (after, last))
    )
    if not is_original and _has_no_text(before) and _has_no_text(after):
        old, new = (
            side or {p.name: p for p in sides.early_provisions(answer, day) if p.name not in open_}
            for side, answer, day in ((old, before, first), (new, after, last))
        )
    only_early = before.status is after.status is Status.VACATIO and bool(old or new) and not is_original
    no_text_before = before.status in _NOT_YET and not old and not only_early
    published = _Published(store, reading, sides.norm, first, known)
    comparison = Comparison(
        store, to_iri(sides.norm), old, new, (first, last), known, no_text_before=no_text_before, published=published
    )
    changes: Iterable[Change] = (change for change in comparison.changes() if not _is_omission_mark(change.provision))
    if only_early:
        pass  # each provision has its own beginning or ending, and the norm has none
    elif not old:
        changes = changes if no_text_before else sides.restored_changes(changes, first, last)
        norm_reasons = comparison.origin() if no_text_before else _between(after.because, first, last)
        changes = (
            comparison.as_begun(change if change.because else replace(change, because=norm_reasons))
            for change in changes
        )
        if before.status is Status.VACATIO:
            changes = map(comparison.with_moved_start, comparison.with_early_provisions(changes))
            ended = comparison.ended_in_vacatio(before.provisions) if new else ()
            changes = chain(changes, ended)
    elif not new:
        rest = _effective_by(last, after.because or before.because)
        changes = sides.gone(changes, old, first, last, rest, kind_of_removal(after.status))
    if _has_no_text(before) and _has_no_text(after) and not (old or new):
        notices = (*notices, NoTextInForce(first, last, _status_or_unknown(before), _status_or_unknown(after)))
    if any(
        _is_omission_mark(provision_text.name) or provision_text.omitted
        for provision_text in (*old.values(), *new.values())
    ):
        notices = (*notices, PassagesOmitted())
    if is_original:
        changes = map(_without_first_text, changes)
    difference = Difference(
        after.name, after.asked, first, last, known, comparable=True, changes=tuple(changes), notices=notices
    )
    return replace(
        _with_effects(store, replace(difference, undecided=tuple(open_)), after.status), original=is_original
    )


def _original(store: Store, name: str | Name, last: date, known: date) -> date:
    """Return the day of the original text; the last day if nothing is known of the name.

    Raises:
        BadParameter: no source dates it.
    """
    target = interpret(store, name, last, known).name
    if target is None or not records(store, target.work.iri):
        return last
    day = original_day(store, target, known)
    if day is None:
        raise BadParameter("expected a day as the first one: no source dates the original text")
    return day


def as_published(store: Store, reading: Reader, name: str | Name, day: date, known: date) -> TextAnswer:
    """Return the text of a norm or provision as published, including provisions that start later than the others.

    Args:
        reading: the function that returns a text.
        name: the norm or provision.
        day: the day of the original text (:func:`original_day`).
        known: K, a civil date. If the publication of the norm is dated, a K after ``day`` counts as ``day``.

    Raises:
        As :func:`queries.text.text.text`.
    """
    target = interpret(store, name, day, known).name
    if target is not None and (
        published_on(store, target.work) is not None or dated_original_day(store, target, known) is None
    ):
        known = min(day, known)
    return _with_coming(store, reading(store, name, day, known), day, known)


def _with_coming(store: Store, answer: TextAnswer, day: date, known: date) -> TextAnswer:
    """Return a text with the provisions that are published and not yet in force, each at its place."""
    provisions = list(answer.provisions)
    later = (provision for n in answer.notices if isinstance(n, ProvisionsNotYetInForce) for provision in n.provisions)
    for coming in sorted(later, key=natural_order_key):
        kind = coming.rpartition("!")[2][:3]
        before = (
            index
            for index, part in enumerate(provisions)
            if part.name.rpartition("!")[2].startswith(kind)
            and natural_order_key(part.name) < natural_order_key(coming)
        )
        place = max(before, default=len(provisions) - 1) + 1
        provisions[place:place] = text(store, coming, day, known).provisions
    return replace(answer, provisions=tuple(provisions))


def _without_first_text(change: Change) -> Change:
    """Return the change without the events of the first text: they made the original, and did not change it."""
    kept = tuple(
        reason for reason in change.because if reason.event not in FIRST_TEXT_EVENTS or reason.cause is not None
    )
    return replace(change, because=kept)


def _with_effects(store: Store, difference: Difference, status: Status | None) -> Difference:
    """Return the difference with its changes of efficacy, curated facts, and contradictions of sources."""
    if status is Status.UNKNOWN_NAME or difference.lacks_provision:
        return difference
    target = parse(difference.name)
    on_efficacy = effects(store, target, difference.since, difference.until, difference.as_known)
    because = (*(change.because for change in difference.changes), *(change.because for change in on_efficacy))
    stated = curators(store, chain.from_iterable(because), ())
    differ = contested_between(store, target, difference.since, difference.until, difference.as_known)
    kept = (notice for notice in difference.notices if not _is_of_dates(notice))  # those that affect the days follow
    notices = (*kept, *differ, *stated)
    return replace(difference, effects=on_efficacy, notices=tuple(dict.fromkeys(notices)))


#: The kinds of change of a provision that came into force between the days.
_BEGINNINGS = (ChangeKind.BEGUN, ChangeKind.BEGUN_AMENDED)
#: Statuses before the first text: all its provisions are then inserted by the first version.
_NOT_YET = (Status.NOT_PUBLISHED, Status.VACATIO)


def _is_of_dates(notice: Notice) -> bool:
    """Return whether sources date something differently; :func:`contested_between` has those that affect two days."""
    dates = (Disagreement.DATES, Disagreement.HISTORIES)
    return isinstance(notice, SourcesContradict) and notice.on in dates


def _unknown_notices(answer: TextAnswer) -> Iterator[Notice]:
    """Yield the notice that nothing is known of the name or that the text identifies none, if the answer lacks it."""
    if answer.status is Status.UNKNOWN_NAME and not any(isinstance(notice, UnknownName) for notice in answer.notices):
        yield UnknownName(answer.asked, one=not answer.notices)


def _between(because: Iterable[Reason], first: date, last: date) -> tuple[Reason, ...]:
    """Return the events with effect after one day and by another; if there are none, all with effect by then."""
    acted = _effective_by(last, because)
    return tuple(reason for reason in acted if reason.effect is None or reason.effect > first.isoformat()) or acted


def _effective_by(last: date, because: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return the events that have effect by a day, or on a day that is not stated."""
    day = last.isoformat()
    return tuple(reason for reason in because if reason.effect is None or reason.effect <= day)


def _has_no_text(answer: TextAnswer) -> bool:
    return answer.status in _EMPTY


def _status_or_unknown(answer: TextAnswer) -> Status:
    return answer.status or Status.UNKNOWN


def _worded(answer: TextAnswer) -> dict[str, ProvisionText]:
    """Return the provisions of a text by name, without undecided and vetoed ones."""
    return {
        provision.name: provision
        for provision in answer.provisions
        if not provision.undecided and provision.situation != Situation.VETADO
    }


class _Published:
    """The wordings of a norm that were published by a day, whether in force or not, as known on that day.

    If the norm was published after the day, the day of its publication is used instead.
    """

    def __init__(self, store: Store, reading: Reader, norm: str, since: date, known: date) -> None:
        """``norm``: its canonical name; ``since``: the day; ``known``: K, which may be before that day."""
        self._store, self._reading, self._norm = store, reading, norm
        first = published_on(store, parse(norm))
        self._day = max(since, first) if first is not None else since
        self._known = min(self._day, known)
        self._found: dict[str, ProvisionText | None] = {}

    @cached_property
    def _whole(self) -> dict[str, ProvisionText]:
        answer = self._reading(self._store, self._norm, self._day, self._known)
        return _worded(answer)

    def __call__(self, name: str) -> ProvisionText | None:
        """Return the wording of a provision; None if it was not published."""
        if name in self._whole:
            return self._whole[name]
        if name not in self._found:
            self._found[name] = None
            if status_on(self._store, parse(name), self._day, self._known) is Status.VACATIO:
                answer = text(self._store, name, self._day, self._known)
                self._found |= _worded(answer)
        return self._found[name]


class _Sides:
    """The texts of a norm or provision, and the status of its norm.

    An ending or restoration of a norm acts on all its parts, except those that had ended before, or returned later.
    """

    def __init__(self, store: Store, reading: Reader, name: str, known: date) -> None:
        """Prepare the texts of the canonical name ``name``, as known on ``known`` (K)."""
        self._store, self._reading, self._known = store, reading, known
        self._target = parse(name)
        self.norm = self._target.work.canonical

    def applicable_provisions(
        self, answer: TextAnswer, day: date, *, coming: bool = False
    ) -> tuple[ProvisionText, ...]:
        """Return the provisions that apply on a day; for an ended container, only its restored parts.

        Args:
            coming: whether a coming text counts.
        """
        if not _has_no_text(answer) or (coming and answer.status is Status.VACATIO):
            return answer.provisions
        if answer.status not in ENDED or self._target == self._target.work:
            return ()
        inner = set(map(from_iri, within(self._store, self._target)))
        if not inner or not self._norm_on(day).status.stands:
            return ()
        norm_provisions = self._reading(self._store, self._target.work, day, self._known).provisions
        printed = any(provision_text.name == self._target.canonical for provision_text in norm_provisions)
        return (
            ()
            if printed
            else tuple(provision_text for provision_text in norm_provisions if provision_text.name in inner)
        )

    def early_provisions(self, answer: TextAnswer, day: date) -> Iterator[ProvisionText]:
        """Yield the provisions that are in force on a day in the vacatio of their norm."""
        if answer.status is not Status.VACATIO:
            return
        early = [
            name
            for notice in answer.notices
            if isinstance(notice, ProvisionsInForceEarly)
            for name in notice.provisions
        ]
        printed: dict[str, list[ProvisionText]] = {}
        for provision_text in answer.provisions:
            around = map(from_iri, holding(self._store, parse(provision_text.name)))
            outer = next((name for name in (provision_text.name, *around) if name in early), None)
            if outer is not None:
                printed.setdefault(outer, []).append(provision_text)
        for name in early:  # the text leaves out a provision that ends before its norm is in force
            for provision_text in printed.get(name) or text(self._store, name, day, self._known).provisions:
                status = status_on(self._store, parse(provision_text.name), day, self._known)
                if status.stands and not provision_text.undecided:
                    yield provision_text

    def gone(
        self,
        changes: Iterable[Change],
        old: Mapping[str, ProvisionText],
        first: date,
        last: date,
        rest: tuple[Reason, ...],
        kind: ChangeKind,
    ) -> Iterator[Change]:
        """Yield the removals of a text that ended as a whole: each provision by its own ending, or by that of its norm.

        Args:
            rest: the ending of the whole, for provisions without their own ending.
            kind: the kind of change.
        """
        norm = self._norm_on(last)
        if norm.status not in ENDED:
            for change in changes:
                yield change if change.because else replace(change, kind=kind, because=rest)
            return
        end = self._nearest_day_with_version(last, later=False)
        own = (
            {change.provision: change for change in self._until(old, first, end)}
            if end is not None and end > first
            else {}
        )
        by_norm = _effective_by(last, norm.because) or rest
        for change in changes:
            yield own.get(change.provision) or replace(change, kind=kind_of_removal(norm.status), because=by_norm)

    def _until(self, old: Mapping[str, ProvisionText], first: date, end: date) -> Iterator[Change]:
        """Yield the provisions removed by the last day on which the norm had a text."""
        answer = self._text_on(end)
        if not answer.provisions and not _has_no_text(answer):
            return  # its text is not known
        new = {provision_text.name: provision_text for provision_text in self.applicable_provisions(answer, end)}
        known = {name: part for name, part in old.items() if name not in answer.undecided}
        changes = Comparison(
            self._store,
            to_iri(self.norm),
            known,
            new,
            (first, end),
            self._known,
            no_text_before=False,
            published=lambda _: None,
        ).changes()
        yield from (change for change in changes if change.after is None and change.because)

    def restored_changes(self, changes: Iterable[Change], first: date, last: date) -> Iterator[Change]:
        """Yield the changes of a text restored as a whole: each provision also with the restoration of its norm, if
        it returned then."""
        ended = self._norm_on(first).status in ENDED
        begin = self._nearest_day_with_version(first, later=True) if ended else None
        if begin is None or begin > last:
            yield from changes
            return
        back = {provision_text.name for provision_text in self.applicable_provisions(self._text_on(begin), begin)}
        norm_reasons = _between(self._norm_on(begin).because, first, begin)
        for change in changes:
            came = change.provision in back
            yield replace(change, because=tuple(dict.fromkeys((*norm_reasons, *change.because)))) if came else change

    def _text_on(self, day: date) -> TextAnswer:
        return self._reading(self._store, self._target, day, self._known)

    def _norm_on(self, day: date) -> InForce:
        return in_force(self._store, self._target.work, day, self._known)

    def _nearest_day_with_version(self, day: date, *, later: bool) -> date | None:
        """Return the first day after another on which the norm has a version, or the last before it; None if there
        is none."""
        intervals = [
            interval
            for interval in over_force(self._store, self._target.work, self._known)
            if interval.version is not None
        ]
        if later:
            return min((interval.start for interval in intervals if interval.start > day), default=None)
        ends = (interval.until for interval in intervals if interval.until is not None and interval.until <= day)
        return max((until - ONE_DAY for until in ends), default=None)


def _is_omission_mark(provision: str) -> bool:
    return "omi" in provision and _OMISSIS.fullmatch(provision.rpartition("!")[2]) is not None
