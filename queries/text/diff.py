"""What changed in a text between two days, provision by provision, with the words that came and went."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile
from typing import TypeAlias

from graph.civil import parse_day
from graph.errors import BadParameter
from graph.store import Store
from graph.store.remembering import WithNotes
from graph.urn import Name, parse, to_iri
from ontology.events import EVENTS, FIRST_TEXT_EVENTS, Effect
from queries.answers import Notice, Reason, Status
from queries.causes import causes
from queries.evidence import curators, happenings, versions
from queries.in_force import in_force
from queries.question import days
from queries.text.answers import Change, ChangeKind, Difference, ProvisionText, TextAnswer
from queries.text.effects import effects
from queries.text.parts import holders
from queries.text.text import text

__all__ = ["Reader", "diff"]

#: What gives the text of a norm or provision on D, as known on K.
Reader: TypeAlias = Callable[[Store, str | Name, date, date], TextAnswer]

_WORD = re.compile(r"\S+")
#: Texts with more words are compared with less care, so that no pair of texts takes minutes.
_CAREFUL = 2_000
#: The fragment of what a source leaves out, which LexML XML marks with an element of its own (``Omissis``).
_OMISSIS = re.compile("(?:.*_)?omi[0-9]+", re.ASCII)
#: What a text without provisions may come from for sure: there was none in force.
_EMPTY = frozenset(
    {Status.NOT_PUBLISHED, Status.VACATIO, Status.REVOKED, Status.ANNULLED, Status.EXPIRED, Status.SUSPENDED}
)


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
        NotYetKnown: K lies in the future.
        StoreProblem: the store cannot be read.
    """
    first, last = (parse_day(day) if isinstance(day, str) else day for day in (since, until))
    if last < first:
        raise BadParameter(f"expected two days in order, got {first} and {last}")
    known = days(last, as_known).as_known
    if not isinstance(store, WithNotes):
        store = WithNotes(store)  # both days read the same texts
    before, after = (reading(store, name, day, known) for day in (first, last))
    told = (notice for one in (before, after) for notice in one.notices if not (_none(one) and notice.code == _COMING))
    notices = tuple(dict.fromkeys(told))
    lacking = [f"on {day}" for day, one in ((first, before), (last, after)) if not one.provisions and not _none(one)]
    if lacking or after.status is Status.UNKNOWN_NAME:
        message = f"the sources do not allow a text {' and '.join(lacking)}: nothing can be said of changes"
        notices = (*notices, *_unknown(after), Notice("not-comparable", message))
        found = Difference(after.name, after.asked, first, last, known, comparable=False, changes=(), notices=notices)
        return _with_effects(store, found, after.status)
    open_ = dict.fromkeys((*before.undecided, *after.undecided))
    old, new = ({p.name: p for p in _in_force(one) if p.name not in open_} for one in (before, after))
    norm = to_iri(after.name).partition("!")[0]
    comparison = _Comparison(store, norm, old, new, first, last, known, come=before.status in _NOT_YET)
    changes = tuple(one for one in comparison.changes() if not _is_left_out(one.provision))
    if not old:
        whole = comparison.origin() if before.status in _NOT_YET else _between(after.because, first, last)
        changes = tuple(comparison.begun(replace(one, because=one.because or whole)) for one in changes)
    elif not new:
        whole, kind = _by(last, after.because or before.because), _gone(after.status)
        changes = tuple(replace(change, kind=kind, because=whole) for change in changes)
    if any(_is_left_out(one.name) or one.omitted for one in (*old.values(), *new.values())):
        notices = (*notices, Notice("passages-omitted", _OMITTED))
    found = Difference(after.name, after.asked, first, last, known, comparable=True, changes=changes, notices=notices)
    return _with_effects(store, replace(found, undecided=tuple(open_)), after.status)


def _with_effects(store: Store, found: Difference, status: Status | None) -> Difference:
    """The same with what has effect on one of the days alone, and who states that where no provider does."""
    if status is Status.UNKNOWN_NAME:
        return found
    told = effects(store, parse(found.name), found.since, found.until, found.as_known)
    stated = curators(store, (reason for one in told for reason in one.because), ())
    notices = (*found.notices, *(Notice("curated-fact", one) for one in stated))
    return replace(found, effects=told, notices=tuple(dict.fromkeys(notices)))


#: What a text without provisions comes from before there is one: each provision has come by what made it since.
_NOT_YET = (Status.NOT_PUBLISHED, Status.VACATIO)
#: Events that end something by annulment or by term: of what they act on it is asked how it stands then.
_NO_REVOCATION = frozenset(term.notation for term in EVENTS.values() if term.effect in (Effect.ANNULS, Effect.EXPIRES))
_OMITTED = "the source leaves out passages of these texts: whether anything changed in them is not known here"
#: Said of the text that is to come, which is not the one compared.
_COMING = "not-yet-in-force"


def _unknown(answer: TextAnswer) -> Iterator[Notice]:
    """Told where nothing is known of the name, or none stands behind the text: of an answer its status says so."""
    if answer.status is Status.UNKNOWN_NAME and not any(notice.code == "unknown-name" for notice in answer.notices):
        led = f"{answer.asked!r} leads to no one name" if answer.notices else f"no source speaks of {answer.asked!r}"
        yield Notice("unknown-name", led)


def _gone(status: Status | None) -> ChangeKind:
    """What became of a provision that is gone, by how it stands then."""
    if status is Status.ANNULLED:
        return ChangeKind.ANNULLED
    return ChangeKind.EXPIRED if status is Status.EXPIRED else ChangeKind.REVOKED


def _between(because: Iterable[Reason], first: date, last: date) -> tuple[Reason, ...]:
    """What has effect behind one day by another; where nothing has, all that has by then."""
    acted = _by(last, because)
    return tuple(one for one in acted if one.effect is None or one.effect > first.isoformat()) or acted


def _by(last: date, because: Iterable[Reason]) -> tuple[Reason, ...]:
    """What has effect by a day, or on one that nobody says."""
    day = last.isoformat()
    return tuple(reason for reason in because if reason.effect is None or reason.effect <= day)


def _none(answer: TextAnswer) -> bool:
    return answer.status in _EMPTY


def _in_force(answer: TextAnswer) -> tuple[ProvisionText, ...]:
    """The provisions that apply: those of a text that is still to come do not."""
    return () if answer.status in _EMPTY else answer.provisions


def _shared(name: str, other: str) -> int:
    """How many steps the identifiers of two provisions have in common from the left."""
    pairs = zip(name.rpartition("!")[2].split("_"), other.rpartition("!")[2].split("_"), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


class _Comparison:
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
                marked = () if then.omitted or now.omitted else tuple(_marked(_words(then), _words(now)))
                yield Change(name, ChangeKind.CHANGED, then, now, marked, self._because(now))
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
        """What came by a first text was inserted by nobody; a name that says no event is of one by its day."""
        if change.kind is not ChangeKind.INSERTED:
            return change
        start = self._first[0]
        if any(one.event in FIRST_TEXT_EVENTS or (one.event is None and one.effect == start) for one in change.because):
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
        if any(reason.event in _NO_REVOCATION for reason in because):
            kind = _gone(in_force(self._store, name, self._until, self._known).status)
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
        return tuple(dict.fromkeys([*(r for v in between for r in v.reasons(caused)), *self._events(now.name)]))

    def _ended(self, name: str) -> tuple[Reason, ...]:
        """The events that ended a provision, on itself or on what holds it."""
        return tuple(dict.fromkeys(self._events(name))) if self._new else ()

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


def _is_left_out(provision: str) -> bool:
    return "omi" in provision and _OMISSIS.fullmatch(provision.rpartition("!")[2]) is not None


def _reads(part: ProvisionText) -> tuple[str | None, ...]:
    return part.label, part.heading, part.text, part.situation


def _words(part: ProvisionText) -> list[str]:
    return _WORD.findall(" ".join(filter(None, (part.label, part.heading, part.text))))


def _marked(before: list[str], after: list[str]) -> Iterable[tuple[str, str]]:
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
