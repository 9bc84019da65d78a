"""Compares two texts: inserted, removed and changed provisions, each with its reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile

from graph.store import Store
from graph.urn import parse, to_iri
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect
from queries.causes import causes
from queries.evidence import happenings, versions
from queries.in_force import in_force
from queries.provisions.editions import editions
from queries.provisions.parts import holders, parts_of
from queries.reasons import Reason, Status, flattened
from queries.text.answers import Change, ChangeKind, ProvisionText, Sign

_WORD = re.compile(r"\S+")
#: Texts with more words are compared with less care, so that no pair of texts takes minutes.
_CAREFUL = 2_000
#: Events that end something otherwise than by revocation: of what they act on it is asked how it stands then.
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


def gone_as(status: Status | None) -> ChangeKind:
    """Return the kind of change of a removed provision, by its status on the second day."""
    return _GONE.get(status, ChangeKind.REVOKED) if status is not None else ChangeKind.REVOKED


def _shared(name: str, other: str) -> int:
    """How many steps the identifiers of two provisions have in common from the left."""
    pairs = zip(name.rpartition("!")[2].split("_"), other.rpartition("!")[2].split("_"), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


class Comparison:
    """Two texts side by side."""

    def __init__(
        self,
        store: Store,
        norm: str,
        old: Mapping[str, ProvisionText],
        new: Mapping[str, ProvisionText],
        since: date,
        until: date,
        known: date,
        *,
        come: bool,
    ) -> None:
        """``norm``: its IRI; ``come``: whether there was no text yet on the first day."""
        self._store = store
        self._norm = norm
        self._old = old
        self._new = new
        self._since = since
        self._until = until
        self._known = known
        self._come = come
        self._moved = dict(_moved(old, new))

    def changes(self) -> Iterable[Change]:
        """In the order of the later text; what is gone stands behind what it stood behind, and what came to that."""
        gone: dict[str | None, list[str]] = {}
        anchor: str | None = None
        for name in self._old:
            if name in self._new:
                anchor = name
            elif name not in self._moved:
                gone.setdefault(anchor, []).append(name)
        yield from map(self._revoked, gone.get(None, ()))
        came_from = {new: old for old, new in self._moved.items()}
        waiting: list[str] = []
        last = ""
        for name, now in self._new.items():
            then = self._old.get(name)
            if waiting and (then is not None or _shared(name, last) <= _shared(waiting[0], last)):
                yield from map(self._revoked, waiting)
                waiting = []
            if then is None:
                yield self._came(now, came_from.get(name))
            elif then is not now and _reads(then) != _reads(now):
                told = not (then.omitted or now.omitted)
                words = tuple(marked(words_of(*_said(then)), words_of(*_said(now)))) if told else ()
                yield Change(name, ChangeKind.CHANGED, then, now, words, self._because(now))
            if name in gone:
                waiting, last = gone[name], name
        yield from map(self._revoked, waiting)

    def _came(self, now: ProvisionText, origin: str | None) -> Change:
        if origin is not None:
            return Change(now.name, ChangeKind.MOVED, self._old[origin], now, (), self._because(now))
        restored = not self._come and self._was_known(now)
        change = Change(now.name, ChangeKind.INSERTED, None, now, (), self._because(now))
        return replace(change, kind=ChangeKind.RESTORED) if restored else self.begun(change)

    def _was_known(self, now: ProvisionText) -> bool:
        """Whether it had words by the first day: of its own versions, or of the norm's that it follows."""
        own = versions(self._store, to_iri(now.name))
        if not own and now.version is not None:
            start = parse(now.version).version_date
            return start is not None and start <= self._since
        return any(
            v.version_date is not None and v.version_date <= self._since and (v.view_date or date.min) <= self._known
            for v in own
        )

    def begun(self, change: Change) -> Change:
        """What came by a first text without a cause was inserted by nobody; a name that says no event is of one by its
        day."""
        if change.kind is not ChangeKind.INSERTED:
            return change
        start = self._first[0]
        if any(
            (one.event in FIRST_TEXT_EVENTS and one.cause is None) or (one.event is None and one.effect == start)
            for one in change.because
        ):
            return replace(change, kind=ChangeKind.BEGUN)
        return change

    def origin(self) -> tuple[Reason, ...]:
        """What made the first version of the norm that was in force, as known then."""
        return self._first[1]

    @cached_property
    def _first(self) -> tuple[str | None, tuple[Reason, ...]]:
        """The first day of force of the norm, as known then, and what made its versions of that day."""
        heard = [v for v in versions(self._store, self._norm) if v.view_date is None or v.view_date <= self._known]
        first = min((v.version_date for v in heard if v.version_date is not None), default=None)
        caused = causes(self._store, self._norm, heard)
        reasons = (reason for v in heard if v.version_date == first for reason in v.reasons(caused))
        return first.isoformat() if first is not None else None, tuple(dict.fromkeys(reasons))

    def _revoked(self, name: str) -> Change:
        because = self._ended(name)
        kind = ChangeKind.REVOKED
        if any(reason.event in _NO_REVOCATION for reason in flattened(because)):
            kind = gone_as(in_force(self._store, name, self._until, self._known).status)
        return Change(name, kind, self._old[name], None, (), because)

    def _because(self, now: ProvisionText) -> tuple[Reason, ...]:
        """All that changed the wording between the days, with what restored the provision."""
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
        made = tuple(dict.fromkeys([*(r for v in between for r in v.reasons(caused)), *self._events(now.name)]))
        if not made or not self._may_have_fallen(now.name, (version.iri for version in known)):
            return made or self._undone(now.name)
        undone = self._undone(now.name)
        fallen = {replace(one, undone_by=()) for one in undone}
        return (*undone, *(one for one in made if one not in fallen))

    def _may_have_fallen(self, name: str, own: Iterable[str]) -> bool:
        """Whether something beside its own versions and events ever decided how a provision reads."""
        work = to_iri(name)
        known = {*own, *(event for event, _ in happenings(self._store, work))}
        return any(not known.issuperset(period.because) for period in self._store.summary(work).periods())

    def _ended(self, name: str) -> tuple[Reason, ...]:
        """What ended a provision, on itself or on what holds it; else the whole text that does not have it any more."""
        acted = tuple(dict.fromkeys(self._events(name)))
        if len(acted) > 1:  # what acts on it after it has ended ends nothing
            acted = in_force(self._store, name, self._until, self._known).because or acted
        return acted or self._undone(name) or self._left_out(name.rpartition("!")[2])

    def _undone(self, name: str) -> tuple[Reason, ...]:
        """Return the events that lost their effect between the days, because their cause fell."""
        first, last = self._since.isoformat(), self._until.isoformat()
        return tuple(
            reason
            for reason in in_force(self._store, name, self._until, self._known).because
            if any(first < one.effect <= last for one in flattened(reason.undone_by) if one.effect is not None)
        )

    def _left_out(self, fragment: str) -> tuple[Reason, ...]:
        """What made the first of the whole texts, one behind the other, that do not have a provision."""
        made: tuple[Reason, ...] = ()
        for reasons, fragments in self._wholes:
            made = () if fragment in fragments else made or reasons
        return made

    @cached_property
    def _wholes(self) -> tuple[tuple[tuple[Reason, ...], frozenset[str]], ...]:
        """The whole texts that began between the days, each with what made it and the identifiers that it has."""
        every = [one for one in editions(self._store, self._norm) if one.whole and one.text is not None]
        caused = causes(self._store, self._norm, versions(self._store, self._norm))
        return tuple(
            (
                tuple(one.version.reasons(caused)),
                frozenset(part.fragment for part in parts_of(self._store, str(one.text), self._norm, version.name)),
            )
            for one in every
            for version in (one.version,)
            if version.version_date is not None
            and self._since < version.version_date <= self._until
            and (version.view_date is None or version.view_date <= self._known)
        )

    def _events(self, name: str) -> Iterable[Reason]:
        """What acted between the days on a provision, or on what holds it."""
        first, last, known = self._since.isoformat(), self._until.isoformat(), self._known.isoformat()
        holder: str | None = to_iri(name)
        within = holders(self._store, to_iri(name).partition("!")[0])
        seen: set[str] = set()
        while holder is not None and holder not in seen:
            seen.add(holder)
            for _, reason in happenings(self._store, holder):
                if reason.effect is not None and first < reason.effect <= last and (reason.known or known) <= known:
                    yield reason
            holder = within.get(holder)


def _reads(part: ProvisionText) -> tuple[str | None, ...]:
    return part.label, part.heading, part.text, part.situation


def _said(part: ProvisionText) -> tuple[str | None, ...]:
    return part.label, part.heading, part.text


def words_of(*said: str | None) -> list[str]:
    """The words of what a provision says: its label, heading and text."""
    return _WORD.findall(" ".join(filter(None, said)))


def marked(before: list[str], after: list[str]) -> Iterable[tuple[Sign, str]]:
    """The words of both in order: ``=`` in both, ``-`` only before, ``+`` only after."""
    quick = len(before) > _CAREFUL or len(after) > _CAREFUL
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=quick).get_opcodes():
        if what == "equal":
            yield "=", " ".join(before[a:b])
            continue
        if a < b:
            yield "-", " ".join(before[a:b])
        if c < d:
            yield "+", " ".join(after[c:d])


def _moved(old: Mapping[str, ProvisionText], new: Mapping[str, ProvisionText]) -> Iterable[tuple[str, str]]:
    """Provisions that stand under another name with the same words: each pair once, where no other reads alike."""
    gone = _by_words(part for name, part in old.items() if name not in new)
    come = _by_words(part for name, part in new.items() if name not in old)
    for words, names in gone.items():
        others = come.get(words, [])
        if len(names) == 1 and len(others) == 1:
            yield names[0], others[0]


def _by_words(parts: Iterable[ProvisionText]) -> dict[tuple[str | None, str], list[str]]:
    found: dict[tuple[str | None, str], list[str]] = {}
    for part in parts:
        if part.text:
            found.setdefault((part.heading, part.text), []).append(part.name)
    return found
