"""A slow evaluator of the rules of combination: the status and version of a norm or provision on (D, K).

It follows the table (tests/data/rules_of_combination.toml), with the numbers of the rules. Each rule is evaluated by
itself on each pair of days, also if another one decides; the order of the table then says which answer counts. It
shares only types, :func:`may_be_first` and the rank of editions with graph/time, and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from graph.civil import When
from graph.time.combination import ActingEvent, Doubt, Subject
from graph.time.editions import Edition, MadeVersion, may_be_first
from graph.time.intervals import BitemporalPeriod
from graph.time.kinds import ENDED, Status
from ontology.events import EVENTS, OVERTURNED_VETOES, WORDLESS_EVENTS, Effect, EventKind
from tests.support.combination_table import rules


class Answer(NamedTuple):
    """The number of the deciding rule, and what it answers."""

    rule: str
    status: Status
    version: str | None = None
    doubt: Doubt | None = None
    about: str | None = None


def decide(subject: Subject, on: date, known: date) -> Answer:
    """Return the answer of the first rule of the table that applies."""
    asked = _Asked(subject, on, known)
    answers = {number: rule(asked) for number, rule in _RULES.items() if subject.whole or number in {"C1", "C2", "C3"}}
    return next(answer for rule in rules() if (answer := answers.get(rule.number)) is not None)


def _effects(event: ActingEvent) -> Effect | None:
    term = EVENTS.get(event.kind or "")
    return term.effect if term else None


_ENDINGS = {
    Effect.REVOKES: Status.REVOKED,
    Effect.ANNULS: Status.ANNULLED,
    Effect.EXPIRES: Status.EXPIRED,
    Effect.CONVERTS: Status.CONVERTED,
    Effect.VETOES: Status.VETOED,
}


def _may_be(when: When | None, day: date) -> bool:
    return when is None or when.first <= day


def _is_certain(when: When | None, day: date) -> bool:
    return when is not None and when.last is not None and when.last <= day


@dataclass(frozen=True)
class _Asked:
    """A question, and what the table's words mean for it."""

    subject: Subject
    on: date
    known: date

    @cached_property
    def own(self) -> BitemporalPeriod | None:
        return _holding(self.subject, self.on, self.known)

    @cached_property
    def whole(self) -> Subject:
        assert self.subject.whole is not None
        return self.subject.whole

    @cached_property
    def norm(self) -> BitemporalPeriod | None:
        return _holding(self.whole, self.on, self.known)

    @cached_property
    def in_force(self) -> BitemporalPeriod | None:
        """The norm's period, if it has a version."""
        return self.norm if self.norm and self.norm.version else None

    @cached_property
    def without_force(self) -> BitemporalPeriod | None:
        """The norm's period, if it has no version and is not unknown."""
        return self.norm if self.norm and not self.norm.version and self.norm.status != Status.UNKNOWN else None

    @cached_property
    def with_text(self) -> bool:
        """Whether the norm has a version in force, and some version of it has a text."""
        return self.in_force is not None and any(edition.text for edition in self.subject.editions)

    @cached_property
    def own_version(self) -> MadeVersion | None:
        name = self.own.version if self.own else None
        return next((version for version in self.subject.versions if version.name == name), None)

    @property
    def is_amended_only(self) -> bool:
        return not any(map(may_be_first, self.subject.versions))

    @property
    def inserted(self) -> date | None:
        """The first day on which an inserted provision was known; None if it may be of the first text."""
        first = [version.inserts for version in self.subject.versions if may_be_first(version)]
        views = [period.known.start for period in self.subject.periods]
        return min(views) if views and first and all(first) else None

    @cached_property
    def current(self) -> Edition[MadeVersion]:
        """The norm's version in force."""
        assert self.in_force is not None
        return next(each for each in self.subject.editions if each.version.name == self.in_force.version)

    @cached_property
    def until_now(self) -> list[Edition[MadeVersion]]:
        """The norm's versions up to that in force, as known on K."""
        dated = [each for each in self.subject.editions if each.version.view_date and each.version.version_date]
        known = [each for each in dated if (_view(each) or date.max) <= self.known and each.rank < self.current.rank]
        return [each for each in known if each is not self.current] + [self.current]

    def published_as(self, edition: Edition[MadeVersion]) -> Edition[MadeVersion] | None:
        """Return the edition with the text of the same publication; None if it is none, or has none."""
        same = [e for e in self.subject.editions if e.text and _view(e) == _view(edition) and _is_published(e)]
        return same[0] if _is_published(edition) and same else None

    @cached_property
    def complete(self) -> Edition[MadeVersion] | None:
        """The latest complete text."""
        return max((each for each in self.until_now if each.complete), key=lambda each: each.rank, default=None)

    @cached_property
    def missing(self) -> Edition[MadeVersion] | None:
        """The version whose text no source has."""
        lacking = []
        for each in self.until_now:
            views = [other for other in self.until_now if _start(other) == _start(each) and _changes_words(other)]
            if views and each is views[-1] and each.text is None and self.published_as(each) is None:
                lacking.append(each)
        if lacking and (self.complete is None or _start(lacking[-1]) >= _start(self.complete)):
            return lacking[-1]
        return None if self.giving else self.current

    @cached_property
    def giving(self) -> list[Edition[MadeVersion]]:
        """The texts that give the text of the version in force, the latest first."""
        since = self.complete.rank if self.complete else (date.min, date.min, -1)
        texts = [each for each in reversed(self.until_now) if each.text and each.rank >= since]
        published = self.published_as(self.current)
        return texts or ([published] if published else [])

    @cached_property
    def having(self) -> list[Edition[MadeVersion]]:
        return [edition for edition in self.giving if not self.missing and self.subject.is_in(edition)]

    @property
    def complete_since(self) -> tuple[date, date] | None:
        """The first day and the view of the text, if it is complete; None if it is composed."""
        text = self.giving[0]
        return (
            (text.version.version_date, _view(text) or date.max)
            if text.complete and text.version.version_date
            else None
        )

    def events_by_now(self, *effects: Effect) -> set[str]:
        """Return the names of events on the provision, or on what contains it, that may have effect by D.

        Args:
            effects: the effects of these events; without effects, all events.
        """
        by_now = [event for event in self.subject.events_around() if _may_be(event.effect, self.on)]
        return {event.name for event in by_now if not effects or _effects(event) in effects}

    @property
    def starts_by_itself(self) -> bool:
        return self.own is not None and not self.events_by_now(Effect.STARTS_FORCE).isdisjoint(self.own.because)

    @property
    def own_answer(self) -> Answer:
        """The provision's own status."""
        return _c1(self) or _c2(self) or _c3(self)

    def answer_about_norm(self, rule: str, status: Status, doubt: Doubt) -> Answer:
        """Return an answer with a notice about the norm's version in force."""
        return Answer(rule, status, None, doubt, self.in_force.version if self.in_force else None)

    def as_norm(self, rule: str, doubt: Doubt | None = None, about: str | None = None) -> Answer:
        answer = decide(self.whole, self.on, self.known)
        return Answer(rule, answer.status, answer.version, doubt, about)


def _holding(subject: Subject, on: date, known: date) -> BitemporalPeriod | None:
    holding = [period for period in subject.periods if period.holds(on, known)]
    assert len(holding) < 2
    return holding[0] if holding else None


def _start(edition: Edition[MadeVersion]) -> date:
    return edition.version.version_date or date.max


def _view(edition: Edition[MadeVersion]) -> date | None:
    return edition.version.view_date


def _is_published(edition: Edition[MadeVersion]) -> bool:
    return edition.version.event == EventKind.PUBLICACAO


def _changes_words(edition: Edition[MadeVersion]) -> bool:
    return edition.version.event not in WORDLESS_EVENTS


def _c4(a: _Asked) -> Answer | None:
    ended = a.norm is not None and a.norm.status in ENDED
    return Answer("C4", Status.NOT_PUBLISHED) if a.own is None and a.inserted and not ended else None


def _c5(a: _Asked) -> Answer | None:
    if a.own is None or a.own.status not in ENDED:
        return None
    since = a.complete_since if a.with_text and a.having else None
    if since is None or since[0] < a.own.days.start or a.subject.is_marked_as_ended(a.having[0]):
        return a.own_answer
    known = any(
        _effects(event) in _ENDINGS and _may_be(event.effect, since[0]) and _may_be(event.known, since[1])
        for event in a.subject.events_around()
    )
    return a.answer_about_norm("C5", Status.UNKNOWN, Doubt.ENDED_AND_PRINTED) if known else a.own_answer


def _is_undated(a: _Asked) -> bool:
    return a.norm is None or a.norm.status == Status.UNKNOWN


def _c6(a: _Asked) -> Answer | None:
    return a.as_norm("C6") if _is_undated(a) and not a.subject.has_periods else None


def _c7(a: _Asked) -> Answer | None:
    if not _is_undated(a) or a.own is None or a.own.version is None:
        return None
    follows = a.subject.is_dated_by_act(a.own.version) and not a.starts_by_itself
    return a.as_norm("C7", Doubt.NORM_UNDATED, a.whole.name) if follows else a.own_answer


def _c9(a: _Asked) -> Answer | None:
    norm, own, made = a.without_force, a.own, a.own_version
    if norm is None or own is None or norm.status not in {Status.VACATIO, Status.SUSPENDED}:
        return None
    if norm.status == Status.SUSPENDED:
        itself = own.status == Status.VACATIO
    elif own.status == Status.VACATIO:
        itself = own.days.until != norm.days.until
    else:
        dated = made is not None and not a.subject.is_dated_by_act(made.name) and made.event not in OVERTURNED_VETOES
        ended = a.events_by_now(*_ENDINGS) and not a.events_by_now().isdisjoint(own.because)
        itself = dated or a.starts_by_itself or (own.status == Status.UNKNOWN and bool(a.inserted or ended))
    return a.own_answer._replace(rule="C9") if itself else None


def _vacatio(a: _Asked) -> BitemporalPeriod | None:
    return a.without_force if a.without_force and a.without_force.status == Status.VACATIO else None


def _c10(a: _Asked) -> Answer | None:
    norm = _vacatio(a)
    if norm is None or norm.days.until is None:
        return None
    missing = decide(a.subject, norm.days.until, a.known).status == Status.NOT_PUBLISHED
    return Answer("C10", Status.NOT_PUBLISHED) if missing else None


def _c11(a: _Asked) -> Answer | None:
    if _vacatio(a) is None or (a.own and a.own.version) or not a.subject.versions or not a.is_amended_only:
        return None
    restored = any(version.event in OVERTURNED_VETOES for version in a.subject.versions)
    printed = any(edition.text and a.subject.is_in(edition) for edition in a.subject.editions)
    return None if restored or printed else Answer("C11", Status.UNKNOWN)


def _c8(a: _Asked) -> Answer | None:
    return a.as_norm("C8") if a.without_force else None


def _c12(a: _Asked) -> Answer | None:
    if not a.in_force or a.with_text or a.subject.has_periods or not a.subject.is_in_undated_text():
        return None
    one = len({each.version.version_date for each in a.subject.editions if (_view(each) or date.min) <= a.known}) == 1
    ends = [event for event in a.subject.events_around() if _effects(event) in _ENDINGS and _may_act(event, a)]
    if one and ends:
        return Answer("C12", certain_ending(a.subject.events_around(), a.on, a.known) or Status.UNKNOWN)
    return a.as_norm("C12", Doubt.UNDATED_TEXT) if one else None


def _may_act(event: ActingEvent, a: _Asked) -> bool:
    return not (event.effect and event.effect.first > a.on) and not (event.known and event.known.first > a.known)


def _c13(a: _Asked) -> Answer | None:
    if not a.with_text or not a.missing:
        return None
    missing, made = a.missing.version, a.own_version
    view, start = missing.view_date or date.max, missing.version_date or date.min
    if a.inserted and a.inserted > view:
        return a.own_answer
    if made and made.version_date and made.version_date >= start and (made.view_date or date.min) > view:
        return a.own_answer
    return Answer("C13", Status.UNKNOWN, None, Doubt.TEXT_UNKNOWN, missing.name)


def _c15(a: _Asked) -> Answer | None:
    if not a.with_text or a.missing or not a.subject.has_periods:
        return None
    since, made = a.complete_since, a.own_version
    if since is not None and made is not None and made.version_date is not None:
        later = made.version_date > since[0] or (made.view_date or date.min) > since[1]
    else:
        later = a.own is not None
    return a.own_answer if since is None or later else None


def _c14(a: _Asked) -> Answer | None:
    if not a.with_text or not a.having or a.in_force is None:
        return None
    return Answer("C14", a.subject.stands, a.having[0].version.name + a.subject.name.removeprefix(a.whole.name))


def _lacks(a: _Asked) -> bool:
    return a.with_text and not a.missing and not a.having


def _c18(a: _Asked) -> Answer | None:
    if not _lacks(a) or a.own is not None or not a.subject.has_periods:
        return None
    known = any((version.view_date or date.min) <= a.known for version in a.subject.versions)
    return a.own_answer if known else None


def _c17(a: _Asked) -> Answer | None:
    if not _lacks(a) or not a.complete_since or not a.own_version:
        return None
    same = a.own_version.version_date == a.complete_since[0]
    return a.answer_about_norm("C17", Status.UNKNOWN, Doubt.NOT_IN_TEXT) if same else None


def _c16(a: _Asked) -> Answer | None:
    if not _lacks(a):
        return None
    known = [each for each in a.subject.editions if (_view(each) or date.min) <= a.known]
    earlier = any(a.subject.is_in(each) for each in known if each.text and each.rank < a.giving[0].rank)
    had = earlier or (a.own_version is not None and a.own_version.version_date is not None)
    return a.answer_about_norm("C16", Status.REVOKED if had else Status.NOT_PUBLISHED, Doubt.NOT_IN_TEXT)


def _c1(a: _Asked) -> Answer | None:
    return Answer("C1", a.own.status, a.own.version) if a.own else None


def _c2(a: _Asked) -> Answer | None:
    if a.own or not a.subject.has_periods:
        return None
    unknown = min(a.on, a.known) >= a.subject.issued and a.is_amended_only
    if unknown and a.subject.whole and a.whole.has_periods and not a.norm:
        unknown = not any(map(may_be_first, a.whole.versions))
    return Answer("C2", Status.UNKNOWN if unknown else Status.NOT_PUBLISHED)


def _c3(a: _Asked) -> Answer:
    if min(a.on, a.known) < a.subject.issued:
        return Answer("C3", Status.NOT_PUBLISHED)
    ended = None if a.subject.whole else certain_ending(a.subject.events(), a.on, a.known)
    return Answer("C3", ended or Status.UNKNOWN)


def certain_ending(acting: Iterable[ActingEvent], on: date, known: date) -> Status | None:
    """Return the status of the ending that certainly came first; None if no ending is certain."""
    events = [e for e in acting if _effects(e) is not Effect.INTERPRETS and e.kind != EventKind.INICIO_VIGENCIA]
    certain = [e for e in events if e.effect and _is_certain(e.effect, on) and _is_certain(e.known, known)]
    if not certain or any(_effects(event) not in _ENDINGS for event in events):
        return None
    first = min(certain, key=lambda event: (event.effect and event.effect.last) or date.max)
    return next(status for effect, status in _ENDINGS.items() if effect is _effects(first))


_RULES: dict[str, Callable[[_Asked], Answer | None]] = {
    f"C{number}": rule
    for number, rule in enumerate(
        (_c1, _c2, _c3, _c4, _c5, _c6, _c7, _c8, _c9, _c10, _c11, _c12, _c13, _c14, _c15, _c16, _c17, _c18), 1
    )
}
