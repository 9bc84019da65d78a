"""The question of the text: the text of a norm or provision on D, as anyone could have known it on K."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from graph.civil import parse_day
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.editions import Edition, TextsOfVersion, readable
from graph.time.kinds import Axis, Status
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import natural_order_key
from ontology.events import EventKind
from queries.answers import InForce
from queries.contradictions import contradictions, notices_on_several
from queries.editorial_notes import editorial_notes
from queries.evidence import Version, copies, curators, lifecycle_events, records, versions, wording_dates
from queries.in_force import in_force
from queries.interpretations import interpretations
from queries.notice_rules import before_norm, changed_by_measures
from queries.notices import (
    ArticlesMissing,
    ConversionGap,
    DatesOfWording,
    Disagreement,
    MeasureLapsed,
    Notice,
    NotYetInForce,
    ProvisionsInForceEarly,
    ProvisionsNotYetInForce,
    SourcesContradict,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
    WordsUnknown,
    any_of,
)
from queries.provisions import (
    Part,
    arranged_parts,
    article_of,
    containers_by_provision,
    editions,
    held,
    holding,
    parts_of,
    with_own_periods,
)
from queries.question import Question, ask, refuse_several
from queries.reasons import Reason
from queries.resolution.interpretation import interpret
from queries.status import decided, status_on
from queries.text.answers import ProvisionText, TextAnswer, marked_provisions
from queries.text.changes import within
from queries.text.composition import ComposedText, compose, suspended_within
from queries.text.derived import with_derived
from queries.text.gaps import missing_articles
from queries.text.unapplied import with_unapplied
from queries.unsourced import withdrawal_notices, withdrawn_for

# Uncertainties of a text: provisions that may not apply, and events that sources date differently.


#: The number of provisions whose contradictions are returned in full; others are only named.
_MOST = 5


def undecided_by(store: Store, provisions: Iterable[str], on: date, known: date, axis: Axis) -> list[Reason]:
    """Return the events, each once, that make it uncertain whether provisions apply on a day.

    They act on the provisions or on their containers.

    Args:
        provisions: canonical.
        on: D, a civil date.
        known: K, a civil date.
    """
    events_of: dict[str, dict[str, list[Reason]]] = {}
    found: dict[Reason, None] = {}
    for name in map(parse, provisions):
        gap = decided(store, name, on, known, axis)
        wanted = dict.fromkeys(gap.because if gap is not None else ())
        for work in (name.iri, *holding(store, name)) if wanted else ():
            if work not in events_of:
                events_of[work] = {}
                for event, reason in lifecycle_events(store, work):
                    events_of[work].setdefault(event, []).append(reason)
            here = [event for event in wanted if event in events_of[work]]
            found |= dict.fromkeys(reason for event in here for reason in events_of[work][event])
            for event in here:
                del wanted[event]
            if not wanted:
                break
    return list(found)


def contradicted_within(store: Store, target: Name, known: date | None) -> Iterator[SourcesContradict]:
    """Yield the contradictions of sources on the parts of a norm or provision, including ended ones.

    Args:
        target: without version.
        known: K, a civil date; None for all data.
    """
    notices_by_name = {
        name.canonical: contradictions(store, name, versions(store, name.iri), known)
        for name in map(parse, _provisions_with_several_sources(store, target.work))
        if name != target and (target == target.work or target.iri in holding(store, name))
    }
    yield from notices_on_several(notices_by_name, _MOST)


def _provisions_with_several_sources(store: Store, norm: Name) -> tuple[str, ...]:
    """Return the provisions of a norm that have their own versions or events and more than one source."""
    return store.cached(
        (_provisions_with_several_sources, norm.iri), lambda: tuple(_find_provisions_with_several_sources(store, norm))
    )


def _find_provisions_with_several_sources(store: Store, norm: Name) -> Iterator[str]:
    provisions = store.provisions(norm.iri).items()
    return (from_iri(iri) for iri, summary in provisions if summary.has_own_life and not summary.has_one_provider)


#: The maximum number of provisions whose statements by source are returned; others are only named.
_MOST_IN_FULL = 10


def contested_between(
    store: Store, target: Name, first: date, last: date, known: date
) -> tuple[SourcesContradict, ...]:
    """Return the notices ``sources-contradict`` on differences that affect two days or a day between them.

    Args:
        target: without version.
        first, last: the two days D, civil dates in this order.
        known: K, a civil date.
    """
    notices_by_name = {
        name.canonical: contradictions(store, name, versions(store, name.iri), known, between=(first, last))
        for name in map(parse, map(from_iri, _related_provisions(store, target)))
        if not store.summary(name.iri).has_one_provider
    }
    return tuple(notices_on_several(notices_by_name, _MOST_IN_FULL))


def _related_provisions(store: Store, target: Name) -> Iterable[str]:
    """Return IRIs in this order: the norm, the containers, the norm or provision itself, and its parts with their own
    history."""
    held: Iterable[str] = within(store, target)
    if target == target.work:
        held = with_own_periods(store, target.iri)
    return dict.fromkeys((*reversed(holding(store, target)), target.iri, *held))


# Answers a question with a text.


def text(
    store: Store,
    name: str | Name,
    on: date | str | None = None,
    as_known: date | str | None = None,
    axis: Axis | str | None = None,
) -> TextAnswer:
    """Return the text of a norm or provision on a day, as anyone could have known it on another day.

    Args:
        name: the norm or provision, as :func:`queries.in_force` takes it. The name of one version without ``on`` and
            ``as_known`` means the text of that version, whenever it was in force.
        on: D, a civil date; default today.
        as_known: K, a civil date; default today.
        axis: ``force`` (default) or ``efficacy``.

    Returns:
        Always an answer: if the sources do not determine a text, it has no provisions and a notice with the reason. If
            acts in the store are newer than every published text, the text is derived from them, with a notice
            (``derived-text``).

    Raises:
        BadName, BadDate, BadParameter: the question is malformed.
        NotYetKnown: K is in the future.
    """
    answer = _text(store, name, on, as_known, axis, derived=True)
    if not answer.provisions:
        return answer
    target = parse(answer.name)
    gaps = missing_articles(store, answer.provisions, target) if target == target.work else ()
    notices = (*answer.notices, ArticlesMissing(gaps)) if gaps else answer.notices
    return replace(answer, notes=editorial_notes(store, target, answer.as_known), notices=notices)


def published_text(
    store: Store, name: str | Name, on: date | str | None = None, as_known: date | str | None = None
) -> TextAnswer:
    """Return the text of a norm or provision on a day from published texts only; otherwise as :func:`text`."""
    return _text(store, name, on, as_known, None, derived=False)


def _text(
    store: Store,
    name: str | Name,
    on: date | str | None,
    as_known: date | str | None,
    axis: Axis | str | None,
    *,
    derived: bool,
) -> TextAnswer:
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # several steps read the same data, which do not change between them
    day = on if on is not None else as_known
    understood = interpret(store, name, parse_day(day) if isinstance(day, str) else day, as_known)
    if understood.name is None:
        return _without_text(in_force(store, name, on, as_known, axis))
    refuse_several(understood.name)
    question = replace(ask(understood.name, on, as_known, axis), asked=name if isinstance(name, str) else name.text)
    reading = _Reading(store, question, list(understood.notices))
    if on is None and as_known is None and not question.steps and question.name.versao is not None:
        exact = reading.of_version()
        if exact is not None:
            return exact
    answer = reading.on_day()
    if not derived or question.axis is not Axis.FORCE:
        return answer
    target = understood.name.provision or understood.name.work
    answer = with_derived(store, understood.name.work, target, answer)
    return with_unapplied(store, target, answer)


def _without_text(answer: InForce) -> TextAnswer:
    """Return the answer without a text."""
    return TextAnswer(
        answer.name,
        answer.asked,
        answer.on,
        answer.as_known,
        answer.status,
        answer.force,
        answer.efficacy,
        None,
        (),
        (),
        answer.because,
        answer.notices,
        answer.known_up_to,
        answer.sources,
    )


@dataclass(slots=True)
class _Reading:
    """The evaluation of one question.

    Attributes:
        suspended: the provisions of the text that are in force without effect.
    """

    store: Store
    question: Question
    notices: list[Notice]
    suspended: frozenset[str] = frozenset()
    _work: Name = field(init=False)
    _target: Name = field(init=False)

    def __post_init__(self) -> None:
        self._work = self.question.name.work
        self._target = self.question.name.provision or self._work

    def of_version(self) -> TextAnswer | None:
        """Return the text of the named version; None if no source has a matching one."""
        asked = self.question.name
        individual = asked.individual
        if individual is None:
            return None
        every = editions(self.store, self._work.iri)
        known = [edition.version for edition in every]
        fitting = [e for e in every if e.text is not None and e.version.fits(individual, known)]
        if not fitting:
            return None
        edition = max(fitting, key=lambda edition: edition.rank)
        version = edition.version
        self.notices.extend(before_norm(self._work, (version,)))
        day = version.view_date or date.max
        texts = readable(every, version.name, day)
        if texts.missing is not None and not edition.complete:
            self._note_unknown_text(texts, every)
            return self._answer(None, version.name, ComposedText((), ()))
        start = version.version_date or day
        in_force_then = decided(self.store, self._work, start, day, self.question.axis)
        if edition.complete and (in_force_then is None or in_force_then.version != version.name):
            parts = parts_of(self.store, str(edition.text), self._work.iri, version.name)
            outer = containers_by_provision(self.store, self._work.iri)
            composed = ComposedText(tuple(arranged_parts(parts, outer, one_source=True)), ())
        else:
            rests_on = (edition,) if edition.complete else texts.editions
            composed = compose(self.store, self._target, rests_on, start, day, self.question.axis)
        return self._answer(None, version.name, self._requested_part(composed, start, day))

    def on_day(self) -> TextAnswer:
        """Return the text in force on D; in vacatio, the text that will come into force."""
        question = self.question
        norm = in_force(self.store, self._work, question.on, question.as_known, question.axis)
        in_force_answer = (
            norm
            if question.name == self._work
            else in_force(self.store, question.name, question.on, question.as_known, question.axis)
        )
        in_force_answer = replace(
            in_force_answer, asked=question.asked, notices=(*self.notices, *in_force_answer.notices)
        )
        day = question.on
        self.notices = []
        coming = self._coming_by_itself(in_force_answer)
        days_of_text = [day] if norm.status is Status.VACATIO else []
        days_of_text += [coming or day]
        if coming is None and norm.status is Status.VACATIO:
            coming = self._end_of_status(norm)
            if coming is None:
                return _without_text(in_force_answer)
        if coming is not None:
            day, norm = coming, in_force(self.store, self._work, coming, question.as_known, question.axis)
            if not in_force_answer.status.stands:  # a provision may start before its norm
                self.notices.append(NotYetInForce(coming))
            if self._target == self._work:
                self._note_early_provisions()
        if norm.version is not None:
            return self._text_of_version_in_force(in_force_answer, norm.version.name, day, days_of_text)
        if norm.status is Status.UNKNOWN:
            return self._without_dates(in_force_answer)
        return _without_text(in_force_answer)

    def _end_of_status(self, answer: InForce) -> date | None:
        """Return the day after the last day with the status of an answer, such as the first day after a vacatio."""
        return (answer.force if self.question.axis is Axis.FORCE else answer.efficacy).until

    def _coming_by_itself(self, answer: InForce) -> date | None:
        """Return the first day of force after the vacatio of a provision, as known on K; None if there is none."""
        if self._target == self._work or answer.status is not Status.VACATIO:
            return None
        day = self._end_of_status(answer)
        if day is None:
            return None
        after = in_force(self.store, self._target, day, self.question.as_known, self.question.axis)
        return day if after.status.stands else None

    def _text_of_version_in_force(
        self, in_force_answer: InForce, version: str, day: date, days_of_text: Sequence[date]
    ) -> TextAnswer:
        """Return the text of a version.

        Args:
            day: the day of the text, if sources have texts of versions of the norm.
            days_of_text: the days of the text, if sources have only wordings of its provisions: the first with a text
                counts. In the vacatio of the norm it is D: wordings may change before it comes into force.
        """
        question = self.question
        every = editions(self.store, self._work.iri)
        texts = readable(every, version, question.as_known)
        if texts.missing is not None:
            has_text = any(edition.text is not None for edition in every)
            if self._stands_by_itself(day) if has_text else self._dated_by_wording():
                return self._text_of_wordings(in_force_answer, version, days_of_text)
            undated = self._undated_base()
            if (
                undated is None or texts.missing.version.event != EventKind.PUBLICACAO
            ):  # a change may not be in the undated text
                self._note_unknown_text(texts, every)
            if undated is None:
                return self._answer(in_force_answer, version, ComposedText((), ()))
            self.notices.append(UndatedText())
            composed = compose(self.store, self._target, (), day, question.as_known, question.axis, undated=undated)
            return self._answer(in_force_answer, None, self._requested_part(composed, day, question.as_known))
        composed = self._compose(texts.editions, day)
        self._not_yet_in_force(composed, day)
        return self._answer(in_force_answer, version, self._requested_part(composed, day, question.as_known))

    def _stands_by_itself(self, day: date) -> bool:
        """Return whether a provision has a version on a day on which no source has the text of its norm."""
        known, axis = self.question.as_known, self.question.axis
        return self._target != self._work and in_force(self.store, self._target, day, known, axis).version is not None

    def _not_yet_in_force(self, composed: ComposedText, day: date) -> None:
        """Add the notices on provisions in vacatio that the text leaves out, one for each first day of force.

        Of a provision and its parts with one first day, only the provision is named.
        """
        inner = composed.coming
        if self._target != self._work:
            inner = tuple(name for name in inner if name != self._target.canonical and self._is_inside(name))
        starts: dict[str, date | None] = {}
        for name in sorted(inner, key=natural_order_key):
            answer = in_force(self.store, name, day, self.question.as_known, self.question.axis)
            if answer.status is Status.VACATIO:
                starts[name] = self._end_of_status(answer)
        days: dict[date | None, list[str]] = {}
        for name, start in starts.items():
            around = (from_iri(container) for container in holding(self.store, parse(name)))
            if not any(container in starts and starts[container] == start for container in around):
                days.setdefault(start, []).append(name)
        self.notices.extend(ProvisionsNotYetInForce(tuple(names), start) for start, names in days.items())

    def _note_early_provisions(self) -> None:
        """Add the notice on provisions that are in force in the vacatio of the norm; each includes its parts."""
        question, early = self.question, list[str]()
        own = map(from_iri, with_own_periods(self.store, self._work.iri))
        for name in map(parse, sorted(own, key=natural_order_key)):
            status = status_on(self.store, name, question.on, question.as_known, question.axis)
            around = {from_iri(container) for container in holding(self.store, name)}
            if around.isdisjoint(early) and status.stands:
                early.append(name.canonical)
        if early:
            self.notices.append(ProvisionsInForceEarly(tuple(early)))

    def _note_unknown_text(self, texts: TextsOfVersion[Version], every: Sequence[Edition[Version]]) -> None:
        missing = texts.missing.version.name if texts.missing is not None else self._work.canonical
        rank = texts.missing.rank if texts.missing is not None else None
        before = [
            edition.version.name
            for edition in every
            if edition.text is not None and rank is not None and edition.rank < rank
        ]
        self.notices.append(TextUnknown(missing, before[-1] if before else None))

    def _without_dates(self, in_force_answer: InForce) -> TextAnswer:
        """Return the answer if no source dates the force of the norm: from wordings, or an undated text."""
        if self._dated_by_wording():
            return self._text_of_wordings(in_force_answer, None, [self.question.on])
        undated = self._undated_base()
        if undated is not None:
            parts = parts_of(self.store, undated, self._work.iri, None)
            outer = containers_by_provision(self.store, self._work.iri)
            self.notices.append(UndatedText())
            composed = ComposedText(tuple(arranged_parts(parts, outer, one_source=True)), ())
            return self._answer(in_force_answer, None, self._requested_part(composed))
        alone = [edition for edition in editions(self.store, self._work.iri) if edition.text is not None]
        if len(alone) == 1 and alone[0].version.version_date is None:
            return self._undated_text(in_force_answer, alone[0])
        return _without_text(in_force_answer)

    def _undated_base(self) -> str | None:
        """Return the IRI of a text of the norm, and not of one of its versions; None if no source has one."""
        texts, _ = copies(self.store, self._work.iri, self._work.iri)
        return next((text.name for text in texts if parts_of(self.store, text.name, self._work.iri, None)), None)

    def _compose(self, rests_on: Sequence[Edition[Version]], day: date, *, with_coming: bool = False) -> ComposedText:
        """Return the text of a day, as :func:`compose` does.

        Where no complete text decides, an undated text completes it with the articles of which no dated source has the
        words.
        """
        question, undated = self.question, None
        if not any(edition.complete for edition in rests_on) and (undated := self._undated_base()) is not None:
            texts = [edition.text for edition in rests_on if edition.text is not None]
            dated = {part.provision for text in texts for part in parts_of(self.store, text, self._work.iri, None)}
            dated.update(with_own_periods(self.store, self._work.iri))
            parts = parts_of(self.store, undated, self._work.iri, None)
            if any(article_of(part.provision) == part.provision and part.provision not in dated for part in parts):
                self.notices.append(UndatedText())
            else:
                undated = None
        known, axis = question.as_known, question.axis
        return compose(self.store, self._target, rests_on, day, known, axis, with_coming=with_coming, undated=undated)

    def _undated_text(self, in_force_answer: InForce, edition: Edition[Version]) -> TextAnswer:
        """Return the only text, of a version without dates, such as the reading of a bill."""
        parts = parts_of(self.store, str(edition.text), self._work.iri, edition.version.name)
        outer = containers_by_provision(self.store, self._work.iri)
        self.notices.append(UndatedText(edition.version.name))
        composed = ComposedText(tuple(arranged_parts(parts, outer, one_source=True)), ())
        return self._answer(in_force_answer, edition.version.name, self._requested_part(composed))

    def _dated_by_wording(self) -> bool:
        return any(with_own_periods(self.store, self._work.iri).values())

    def _text_of_wordings(self, in_force_answer: InForce, version: str | None, days: Sequence[date]) -> TextAnswer:
        """Return the text composed of wordings, for the first of the days on which the target has one."""
        question, day = self.question, days[0]
        is_vacatio = in_force_answer.status is Status.VACATIO and day == question.on
        composed = self._compose((), day, with_coming=is_vacatio)
        if self._target != self._work and not self._parts_of_target(composed).parts and days[-1] != day:
            day = days[-1]
            composed = self._compose((), day)
        if any_of(self.notices, UndatedText):
            version = None
        self._not_yet_in_force(composed, day)
        return self._answer(in_force_answer, version, self._requested_part(composed, day, question.as_known))

    def _requested_part(
        self, composed: ComposedText, on: date | None = None, known: date | None = None
    ) -> ComposedText:
        """Return only the requested provision with its parts, and add the notices on it.

        Args:
            on, known: D and K, civil dates; None if nothing dates the text.
        """
        if self._target != self._work:
            composed = self._parts_of_target(composed)
        composed = composed.decided
        if composed.undecided:
            if undecided := tuple(name for name in composed.undecided if name not in composed.wordless):
                self.notices.append(UndecidedProvisions(undecided))
            if on is not None and known is not None:
                open_by = undecided_by(self.store, composed.undecided, on, known, self.question.axis)
                self.notices.extend(curators(self.store, open_by, ()))
        if on is not None and known is not None:
            self._note_measures(composed, on, known)
            if self.question.axis is Axis.FORCE and composed.parts:
                self.suspended = suspended_within(self.store, self._work, on, known)
            self.notices.extend(interpretations(self.store, self._target, on, known, with_provisions=True))
        wordless = [name for name in composed.undecided if name in composed.wordless]
        wordless += self._provisions_without_words(composed)
        if wordless:
            self.notices.append(WordsUnknown(tuple(wordless)))
        rivals = [from_iri(part.provision) for part, _ in composed.parts if part.rivals]
        if rivals:
            self.notices.append(SourcesContradict(Disagreement.WORDINGS, tuple(rivals)))
        self.notices.extend(contradicted_within(self.store, self._target, known))
        return composed

    def _note_measures(self, composed: ComposedText, on: date, known: date) -> None:
        """Add the notices on provisional measures that changed the text of provisions."""
        shown = {part.provision for part, _ in composed.parts}
        changed: dict[MeasureLapsed, list[str]] = {}
        for provision in changed_by_measures(self.store, self._work, on, known):
            if provision in shown and provision != self._target.iri:
                name = from_iri(provision)
                for notice in in_force(self.store, name, on, known, self.question.axis).notices:
                    if isinstance(notice, MeasureLapsed):
                        changed.setdefault(notice, []).append(name)
                    elif isinstance(notice, ConversionGap):
                        self.notices.append(notice)
        for notice, names in changed.items():
            self.notices.append(replace(notice, provisions=tuple(sorted(names, key=natural_order_key))))

    def _is_inside(self, name: str) -> bool:
        """Return whether a provision is the target or a part of it."""
        target = self._target.canonical
        return name == target or name.startswith(f"{target}_") or to_iri(name) in held(self.store, self._target)

    def _parts_of_target(self, composed: ComposedText) -> ComposedText:
        parts: list[tuple[Part, int]] = []
        top: int | None = None
        target = self._target.iri
        for part, level in composed.parts:
            if part.provision == target:
                top = level
            elif top is not None and level <= top:
                break
            if top is not None:
                parts.append((part, level - top + 1))
        undecided = tuple(name for name in composed.undecided if self._is_inside(name))
        return ComposedText(tuple(parts), undecided, wordless=composed.wordless)

    def _provisions_without_words(self, composed: ComposedText) -> list[str]:
        """Return the provisions with only a label and without parts."""
        bare = [
            part for part, _ in composed.parts if not (part.undecided or any((*part.visible_content[1:], part.markup)))
        ]
        if not bare:
            return []
        target, work = self._target, self._work
        outer = containers_by_provision(self.store, work.iri) if target == work else held(self.store, target)
        holding = set(outer.values())
        return [from_iri(part.provision) for part in bare if part.provision not in holding]

    def _answer(self, in_force_answer: InForce | None, version: str | None, composed: ComposedText) -> TextAnswer:
        provisions = tuple(_provision_text(part, level) for part, level in composed.parts)
        self._note_dates_of_wording(provisions)
        self.notices.extend(marked_provisions(provisions, self.suspended))
        if in_force_answer is not None:
            answer = _without_text(in_force_answer)
            notices = tuple(dict.fromkeys((*answer.notices, *self.notices)))
            return replace(
                answer, version=version, provisions=provisions, notices=notices, undecided=composed.undecided
            )
        self.notices.extend(withdrawal_notices(withdrawn_for(self.store, self._target)))
        spoken = records(self.store, self._target.iri) or records(self.store, self._work.iri)
        return TextAnswer(
            self._target.canonical,
            self.question.asked,
            None,
            None,
            None,
            None,
            None,
            version,
            provisions,
            composed.undecided,
            (),
            tuple(self.notices),
            tuple(sorted({(n.provider, n.horizon) for n in spoken if n.provider and n.horizon})),
            tuple(note.iri for note in spoken),
        )

    def _note_dates_of_wording(self, provisions: Iterable[ProvisionText]) -> None:
        versions = dict.fromkeys(provision.version for provision in provisions if provision.version is not None)
        if wording_dates(self.store, versions):
            self.notices.append(DatesOfWording())


def _provision_text(part: Part, level: int) -> ProvisionText:
    return ProvisionText(
        from_iri(part.provision),
        part.label,
        part.text,
        level,
        part.heading,
        part.version,
        part.situation,
        part.undecided,
        markup=part.markup,
    )
