"""Composes a text from its provisions, and finds the days on which it is unchanged."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from graph.read_model.rectangles import ordinal
from graph.read_model.subject import SummarizedSubject
from graph.store import Store
from graph.terms import day_stated
from graph.time.composition import Words
from graph.time.editions import Edition, may_be_first, readable
from graph.time.kinds import ENDED, Axis, Situation, Status
from graph.time.kinds import Status as VersionStatus
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import Style, is_grouping, natural_order_key, provision_name
from ontology.events import EventKind
from queries.answers import Period
from queries.evidence import Version, notation, versions
from queries.intervals import AnswerInterval, answers_over_knowledge, over_force, provision_periods
from queries.orders import DerivedNormText, derived_texts
from queries.provisions import (
    DEFAULT_FORM,
    Part,
    arranged_parts,
    containers_by_provision,
    editions,
    held,
    parts_of,
    some_parts,
    text_of,
    with_own_periods,
)
from queries.status import decided_status, find_period, periods_of

#: The situation of a provision that a complete text contains after its end.
_SITUATION_OF_ENDED = {
    Words.PRINTED_AFTER_REVOCATION: Situation.REVOGADO,
    Words.PRINTED_AFTER_VETO: Situation.VETADO,
}


@dataclass(frozen=True, slots=True)
class ComposedText:
    """A composed text.

    Attributes:
        parts: the provisions in force with their levels, in the order of the document. Undecided ones have only their
            label, if the sources give their place.
        undecided: provisions for which the sources do not decide whether they apply on that day, or their text.
        coming: provisions in vacatio on that day, without a wording.
        wordless: those of ``undecided`` whose version is known, but no source has its words.
    """

    parts: tuple[tuple[Part, int], ...]
    undecided: tuple[str, ...]
    coming: tuple[str, ...] = ()
    wordless: frozenset[str] = frozenset()

    @property
    def decided(self) -> ComposedText:
        """Return this text; if no provision is decided, return it without parts."""
        return self if any(not part.undecided for part, _ in self.parts) else replace(self, parts=(), coming=())


def compose(
    store: Store,
    target: Name,
    rests_on: Sequence[Edition[Version]],
    on: date,
    known: date,
    axis: Axis,
    *,
    with_coming: bool = False,
    undated: str | None = None,
) -> ComposedText:
    """Return the text of a norm on a day, as known on another; for a provision, at least the provision with its parts.

    The rows of the read model say which words each provision has.

    Args:
        target: without version. For a provision the rest of the text need not be read.
        rests_on: the texts of its versions, the latest first; empty if only its provisions are dated.
        on, known: D and K, civil dates.
        axis: the axis.
        with_coming: whether the text has the provisions in vacatio, with their wordings of D.
        undated: the IRI of a text that no source dates; None for none. The provisions that ``rests_on`` lacks have its
            words, even undecided ones.
    """
    norm, (within, wanted) = target.work.iri, _scope(store, target)
    base = _undated_parts(store, target, undated, within, wanted, (on, known, axis)) if undated is not None else {}
    decided = _words_on(store, target, wanted, (on, known, axis))
    wordings = _Wordings(store, norm, wanted)
    if with_coming:
        for provision, (words, _) in decided.items():
            if words is Words.COMING:
                decided[provision] = _published_words(store, wordings, provision, on, known)
    shown = _shown_parts(store, norm, {provision: text for provision, (_, text) in decided.items() if text is not None})
    bare = {provision for provision, (words, _) in decided.items() if words in _WITH_LABEL}
    bare |= {provision for provision, part in shown.items() if part.order <= 0}
    printed = _latest_wordings(store, norm, rests_on, frozenset(bare)) if bare else {}
    chosen = dict(base)
    undecided: dict[str, Part | None] = {}
    gone, vetoed = set[str](), set[str]()
    for provision, (words, _) in sorted(decided.items()):
        part, label = shown.get(provision), printed.get(provision)
        if part is not None:
            chosen[provision] = _marked(wordings.placed(part, label), words)
            continue
        chosen.pop(provision, None)
        if words is Words.VETOED and (vetoed_part := label or wordings.first(provision)) is not None:
            chosen[provision] = _vetoed(vetoed_part)
            vetoed.add(provision)
        elif words in {Words.UNDECIDED, Words.WORDLESS}:
            undecided[provision] = label or wordings.first(provision)
        elif words is not Words.LACKING:
            gone.add(provision)
    _remove_repeated_identifiers(chosen, undecided, within)
    chosen = {
        provision: part
        for provision, part in chosen.items()
        if provision not in vetoed or gone.isdisjoint(_containers_of([provision], within))
    }
    chosen |= dict(_undecided_with_labels(undecided, chosen, within))
    chosen |= {provision: base[provision] for provision in undecided if provision in base}
    one_source = (
        (not any(edition.complete for edition in rests_on) or len({part.version for part in chosen.values()}) <= 1)
        and all(part.order != _NO_PLACE for part in chosen.values())
        and len(store.summary(norm).with_texts()) <= 1
    )
    return ComposedText(
        tuple(arranged_parts(chosen.values(), within, one_source=one_source)),
        tuple(map(from_iri, undecided)),
        tuple(from_iri(provision) for provision, (words, _) in sorted(decided.items()) if words is Words.COMING),
        frozenset(from_iri(name) for name, (words, _) in decided.items() if words is Words.WORDLESS),
    )


#: The words that are not known or not shown: the provision has its label.
_WITH_LABEL = frozenset({Words.UNDECIDED, Words.WORDLESS, Words.VETOED})


def _words_on(
    store: Store, target: Name, wanted: frozenset[str] | None, question: tuple[date, date, Axis]
) -> dict[str, tuple[Words, str | None]]:
    """Return which words the provisions of a text have, and the IRI of the text that has them, by IRI.

    Args:
        wanted: the provisions; None for all.
        question: D, K and the axis.
    """
    on, known, axis = question
    norm, within = target.work.iri, target.iri.partition("!")[2] or None
    found = store.full_text.words_on(norm, ordinal(on), ordinal(known), axis, within)
    elsewhere = sorted(wanted - {f"{norm}!{fragment}" for fragment in found}) if wanted is not None else []
    for fragment in (provision.partition("!")[2] for provision in elsewhere):
        if fragment != within and not fragment.startswith(f"{within}_"):
            found |= store.full_text.words_on(norm, ordinal(on), ordinal(known), axis, fragment)
    return {f"{norm}!{fragment}": words for fragment, words in found.items()}


def _shown_parts(store: Store, norm: str, texts: Mapping[str, str]) -> dict[str, Part]:
    """Return the parts with the words of provisions.

    Args:
        norm: the IRI of the norm.
        texts: the IRI of the text of each provision that has its words.
    """
    names = {edition.text: edition.version.name for edition in editions(store, norm) if edition.text is not None}
    provisions: dict[str, set[str]] = {}
    for provision, text in texts.items():
        provisions.setdefault(text.rpartition("!")[0], set()).add(provision)
    return {
        part.provision: part
        for text, those in provisions.items()
        for part in some_parts(store, text, norm, names.get(text) or from_iri(text).rpartition("~")[0], those)
    }


def _undated_parts(
    store: Store,
    target: Name,
    text: str,
    within: Mapping[str, str],
    wanted: frozenset[str] | None,
    question: tuple[date, date, Axis],
) -> dict[str, Part]:
    """Return the parts of a text that no source dates, without the provisions that have ended (rule C12).

    A provision that may have ended has only its label. Those with periods of their own are decided later.

    Args:
        question: D, K and the axis.
    """
    on, known, axis = question
    provisions = store.provisions(target.work.iri).items()
    followers = [provision for provision, summary in provisions if summary.has_own_life and not summary.has_periods]
    statuses = {work: decided_status(store, parse(from_iri(work)), on, known, axis).status for work in followers}
    parts: dict[str, Part] = {}
    for part in _parts(store, text, target.work.iri, None, wanted):
        around = {statuses.get(work) for work in (part.provision, *_containers_of([part.provision], within))}
        if around.isdisjoint(ENDED):
            is_open = VersionStatus.UNKNOWN in around
            bare = replace(part, text=None, markup=None, situation=None, undecided=True)
            parts[part.provision] = bare if is_open else part
    return parts


def _marked(part: Part, words: Words) -> Part:
    """Return a provision with the situation that its end, or its restoration, gives it."""
    ended = _SITUATION_OF_ENDED.get(words)
    if ended is not None and part.situation is None:
        return replace(part, situation=ended.value)
    if words is Words.PRINTED_BEFORE_RESTORATION and part.situation in _SITUATION_OF_ENDED.values():
        return replace(part, situation=None)
    return part


#: Identifiers that one source uses for a provision that other sources name differently.
_ALIASES = {"fecho": "localdatafecho"}


def _place(provision: str) -> str:
    """Return the identifier of a provision without the norm that inserted it.

    Other sources use this identifier, and earlier or later provisions may have it.
    """
    norm, _, fragment = provision.rpartition("!")
    bare, comma, inserter = fragment.partition(",")
    return f"{norm}!{fragment if comma and '_' in inserter else _ALIASES.get(bare, bare)}"


def _remove_repeated_identifiers(
    chosen: dict[str, Part], undecided: dict[str, Part | None], within: Mapping[str, str]
) -> None:
    """Remove all but one of the provisions with the same identifier, because a text has each identifier once.

    One source may name the norm that inserted a provision, and another may have one history of all provisions with the
    identifier. A provision with text is preferred to an undecided one, then one whose name states the inserting norm.
    """
    places: dict[str, list[str]] = {}
    for provision in dict.fromkeys((*chosen, *undecided)):
        places.setdefault(_place(provision), []).append(provision)
    left_out: set[str] = set()
    for place, parts in places.items():
        if len(parts) > 1:
            parts.sort(
                key=lambda provision: (provision in undecided, "," not in provision, provision != place, provision)
            )
            left_out.update(parts[1:])
    if not left_out:
        return
    inside = (
        provision for provision in (*chosen, *undecided) if not left_out.isdisjoint(_containers_of([provision], within))
    )
    for provision in {*left_out, *inside}:
        chosen.pop(provision, None)
        undecided.pop(provision, None)


#: The position of a provision that is in no document of the norm: after all others, until it is sorted by identifier.
_NO_PLACE = sys.maxsize


def _vetoed(printed: Part) -> Part:
    """Return a vetoed provision as its source prints it, or without its text."""
    if printed.situation == Situation.VETADO or "vetad" in (printed.text or "").lower():
        return printed
    return replace(printed, text=None, markup=None, situation=Situation.VETADO.value)


def _undecided_with_labels(
    undecided: Mapping[str, Part | None], chosen: Mapping[str, Part], within: Mapping[str, str]
) -> Iterator[tuple[str, Part]]:
    """Yield the undecided provisions with a position in the text, each with its label and without text.

    A provision missing from all texts is included if it contains others, which would otherwise get a wrong container.
    """
    holding = set(_containers_of(chosen, within))
    for provision, known_part in undecided.items():
        part = known_part or (_part_without_text(provision) if provision in holding else None)
        if part is not None:
            heading = part.heading if is_grouping(part.fragment) else None
            bare = replace(part, version=None, heading=heading, text=None, markup=None, situation=None, undecided=True)
            yield provision, bare


def _part_without_text(provision: str) -> Part:
    """Return a provision missing from all texts, with the label made from its identifier."""
    fragment = from_iri(provision).partition("!")[2]
    label = provision_name(fragment, Style.ROTULO)
    return Part(provision, fragment, None, _NO_PLACE, label or None, None, None, None, None)


def _containers_of(provisions: Iterable[str], within: Mapping[str, str]) -> Iterator[str]:
    """Yield the containers of some provisions, at any depth."""
    seen: set[str] = set()
    for provision in provisions:
        holder = within.get(provision)
        while holder is not None and holder not in seen:
            seen.add(holder)
            yield holder
            holder = within.get(holder)


def _scope(store: Store, target: Name) -> tuple[dict[str, str], frozenset[str] | None]:
    """Return the container of each provision, and the provisions to read; None for all."""
    if target == target.work:
        return containers_by_provision(store, target.iri), None
    within = held(store, target)
    return within, frozenset((target.iri, *within, *store.parts_within(target.iri)))


def _latest_wordings(
    store: Store, norm: str, rests_on: Sequence[Edition[Version]], wanted: frozenset[str] | None
) -> dict[str, Part]:
    """Return the wording of each provision in the latest text that has it."""
    chosen: dict[str, Part] = {}
    for edition in rests_on:
        if edition.text is None:
            continue
        missing = wanted - chosen.keys() if wanted is not None else None
        for part in _parts(store, edition.text, norm, edition.version.name, missing):
            chosen.setdefault(part.provision, part)
    return chosen


def _parts(store: Store, text: str, norm: str, version: str | None, wanted: frozenset[str] | None) -> list[Part]:
    if wanted is None:
        return parts_of(store, text, norm, version)
    return some_parts(store, text, norm, version, wanted)


def suspended_within(store: Store, norm: Name, on: date, known: date) -> frozenset[str]:
    """Return the provisions without effect on a day on which their norm has effect, by name.

    One query reads all of them. Parts of a suspended provision are left out.

    Args:
        store: an opened store.
        norm: without version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    norm_period = find_period(store, norm, on, known, Axis.EFFICACY)
    if norm_period is None or norm_period.status is Status.SUSPENDED:
        return frozenset()
    gaps = gaps_within(store, norm, on, known)
    return frozenset(outermost(name for name, status in gaps.items() if status is Status.SUSPENDED))


def gaps_within(store: Store, norm: Name, on: date, known: date) -> dict[str, Status]:
    """Return the provisions of a norm that are suspended on a day, or of unknown status, by name.

    The axis is that of efficacy.

    Args:
        store: an opened store.
        norm: without version.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    gaps = store.full_text.without_effect(norm.iri, ordinal(on), ordinal(known))
    return {from_iri(f"{norm.iri}!{fragment}"): status for fragment, status in gaps.items()}


def outermost(names: Iterable[str]) -> list[str]:
    """Return the provisions that are not part of another one in the list, in the order of their identifiers."""
    names = sorted(names, key=natural_order_key)
    return [name for name in names if not _container_names(name) & set(names)]


def _container_names(name: str) -> set[str]:
    head, mark, fragment = name.rpartition("!")
    steps = fragment.split("_")
    return {f"{head}{mark}{'_'.join(steps[:count])}" for count in range(1, len(steps))}


def _published_words(
    store: Store, wordings: _Wordings, provision: str, on: date, known: date
) -> tuple[Words, str | None]:
    """Return the published words of a provision in vacatio; undecided ones where D may have others.

    The last version that began by D counts, as known on K. It is not known if a wording may have begun or become known
    by then, but not certainly, or if an ending or restoration may have had effect by D.
    """
    begun: list[tuple[date, str]] = []
    for version in versions(store, provision):
        reference = parse(version.name).versao
        view = reference.visao if reference is not None and reference.visao else (date.min, date.max)
        if view[0] > known:
            continue
        first, last = version.version_date or view[0], version.version_date or view[-1]
        if last <= on and view[-1] <= known:
            begun.append((last, version.name))
        elif first <= on:
            return Words.UNDECIDED, None
    for event in store.summary(provision).events():
        effect, seen = day_stated(event.effect), day_stated(event.known)
        moves = notation(event.kind) in _MOVING_WORDINGS and (seen is None or seen.possible_on(known))
        if moves and (effect is None or effect.possible_on(on)):
            return Words.UNDECIDED, None
    if not begun:
        return Words.COMING, None
    part = wordings.of(max(begun)[1])
    return (Words.OWN, to_iri(text_of(max(begun)[1]))) if part is not None else (Words.WORDLESS, None)


#: Events that change which wording of a provision holds, and make no version.
_MOVING_WORDINGS = frozenset({EventKind.RESTAURACAO, EventKind.REPRISTINACAO, EventKind.CADUCIDADE})


def words_of_versions(store: Store, norm: Name, of: Iterable[str]) -> dict[str, Part]:
    """Return the wordings of versions of a norm's provisions, by the canonical name of each version with text.

    Each text of the norm is read once, for any number of versions.

    Args:
        store: an opened store.
        norm: without version.
        of: canonical names of versions of its provisions.

    Raises:
        StoreProblem: the store cannot be read.
    """
    wordings = _Wordings(store, norm.iri, None)
    wordings_by_version = ((version, wordings.of(version)) for version in of)
    return {version: part for version, part in wordings_by_version if part is not None}


class _Wordings:
    """Reads the wordings of single versions of provisions; texts that were read are cached.

    Args:
        norm: the norm's IRI.
        wanted: the provisions to read; None for all of the norm.
    """

    def __init__(self, store: Store, norm: str, wanted: frozenset[str] | None) -> None:
        self._store, self._norm, self._wanted = store, norm, wanted
        self._texts: dict[str, dict[str, Part]] = {}

    def of(self, version: str) -> Part | None:
        """Return the wording of one version of a provision; None if no source has it.

        Args:
            version: its canonical name.
        """
        edition, _, fragment = version.rpartition("!")
        if edition not in self._texts:
            text = to_iri(edition + DEFAULT_FORM)
            parts = _parts(self._store, text, self._norm, edition, self._wanted)
            self._texts[edition] = {part.fragment: part for part in parts}
        part = self._texts[edition].get(fragment)
        return part if part is not None and any((*part.visible_content, part.markup)) else None

    def first(self, provision: str) -> Part | None:
        """Return the earliest version of a provision with text; None if there is none.

        It is used for its label and position, which do not depend on D.

        Args:
            provision: its IRI.
        """
        wordings = (self.of(version.name) for version in versions(self._store, provision))
        part = next((wording for wording in wordings if wording is not None), None)
        return self.placed(part, None) if part is not None else None

    def placed(self, part: Part, printed: Part | None) -> Part:
        """Return a part with a position in the norm's documents and a label: a curated wording has neither.

        Args:
            printed: the provision in the text of the answer; None if it is missing there.
        """
        if part.order > 0:
            return part
        if printed is None:
            return replace(part, order=_NO_PLACE)
        return replace(part, order=printed.order, label=printed.label, heading=printed.heading)


# Finds the intervals with one answer and one text, over days of force and over days of knowledge.
#
# A version is in force for an interval, and its parts may change within it: a fact on an article, an overturned veto, a
# rectified provision. The intervals here are those of :mod:`queries.intervals`, split on such days.


#: The states of a part without a version: missing, and unknown.
_ABSENT, OPEN = "", "?"
_NAMES = "urn:lex:"


def texts_over_force(store: Store, target: Name, known: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for all days of force with one text each, on the axis of force, in their order.

    Args:
        target: a norm or provision with records.
        known: K, a civil date, the same for all.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = texts_over_force, target.canonical, known
    return store.cached(key, lambda: tuple(_texts_over_force(store, target, known)))


def _texts_over_force(store: Store, target: Name, known: date) -> Iterator[AnswerInterval]:
    intervals = over_force(store, target, known)
    known_day = known.isoformat()
    days = _days(changes_by_part(store, target, known_day))
    around = _norm_periods(store, target)
    edges = {edge for period in around for edge in (period.valid_from, period.valid_until) if edge is not None}
    days |= _days_of_new_texts(store, target, edges, intervals, around, lambda day: (day, known))
    yield from (piece for interval in intervals for piece in _split_in_force(interval, days))


def texts_over_knowledge(store: Store, target: Name, on: date, today: date) -> tuple[AnswerInterval, ...]:
    """Return the answers for one day of force on all days of knowledge with one text each, in their order.

    Args:
        on: D, a civil date, the same for all.
        today: the civil date of today, the last day of knowledge.

    Raises:
        StoreProblem: the store cannot be read.
    """
    key = texts_over_knowledge, target.canonical, on, today
    return store.cached(key, lambda: tuple(_texts_over_knowledge(store, target, on, today)))


def _texts_over_knowledge(store: Store, target: Name, on: date, today: date) -> Iterator[AnswerInterval]:
    intervals = answers_over_knowledge(store, target, on, today)
    day = on.isoformat()
    changes = (
        _value_changes(
            none, ((row[4], row[5], row[1]) for row in part if row[2] <= day and (row[3] is None or day < row[3]))
        )
        for none, part in _periods_by_part(store, target)
    )
    days = {changed_on for changed_on in _days(changes) if changed_on <= today}
    around = _norm_periods(store, target)
    edges = {edge for period in around for edge in (period.known_from, period.known_until) if edge is not None}
    edges |= {version.view_date for version in versions(store, target.work.iri) if version.view_date is not None}
    days_of_knowledge = {edge for edge in edges if edge <= today}
    days |= _days_of_new_texts(store, target, days_of_knowledge, intervals, around, lambda day: (on, day))
    yield from (piece for interval in intervals for piece in _split_in_force(interval, days))


def changes_by_part(store: Store, name: Name, as_known: str) -> Iterator[list[tuple[str, str]]]:
    """Yield, for each part of a text, the days of force on which its state changes, with the new state.

    The state is the part's version; ``""`` if it has none; :data:`OPEN` if it is unknown, from the day ``""`` on for
    all days before the first known one. After ``""`` or :data:`OPEN` there may be a number, if a complete text may have
    the part nevertheless. The parts are the norm or provision itself, and its parts with their own history.

    Args:
        name: without version.
        as_known: K in ISO 8601, as the days are.
    """
    for none, part in _periods_by_part(store, name):
        yield _value_changes(
            none,
            (
                (start, until, state)
                for _, state, start, until, since, before in part
                if since <= as_known and (before is None or as_known < before)
            ),
        )


def versions_over_time(store: Store, norm: Name, known: date) -> dict[str, list[tuple[str, str]]]:
    """Return the versions of each provision of a norm with its own history, each with its first day.

    Args:
        store: an opened store.
        norm: without version.
        known: K, a civil date.

    Returns:
        By the provision's canonical name: first days in ISO 8601, and the canonical name of the version from then on;
        empty if there is none.

    Raises:
        StoreProblem: the store cannot be read.
    """
    known_day = known.isoformat()
    periods: dict[str, list[tuple[str, str | None, str]]] = {}
    for part, state, start, until, since, before in _periods_within_norm(store, norm):
        if part != norm.iri and since <= known_day and (before is None or known_day < before):
            periods.setdefault(part, []).append((start, until, state))
    return {
        from_iri(part): [
            (day, from_iri(state) if state.startswith(_NAMES) else "")
            for day, state in _value_changes(_ABSENT, intervals)
        ]
        for part, intervals in periods.items()
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
    return tuple(state_on(changes, day) for changes in changes_by_part(store, name, known.isoformat()))


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
    return store.cached((within, provision.iri), lambda: tuple(_parts_with_own_history(store, provision)))


def _parts_with_own_history(store: Store, provision: Name) -> Iterator[str]:
    inner = held(store, provision).keys() - {provision.iri}
    for part in sorted({row[0] for row in _periods_within_norm(store, provision.work)}):
        if part in inner or part.startswith(f"{provision.iri}_"):
            yield part


def _value_changes(none: str, periods: Iterable[tuple[str, str | None, str]]) -> list[tuple[str, str]]:
    """Return the changes of a value as (day, new value), from ``(first, until, value)`` intervals.

    Args:
        none: the value on all other days.
    """
    changes: list[tuple[str, str]] = [("", none)] if none == OPEN else []
    state, end = none, None
    for start, until, now in sorted(periods):
        if end is not None and end < start and state != none:
            changes.append((end, state := none))
        if now != state:
            changes.append((start, now))
        state, end = now, until
    if end is not None and state != none:
        changes.append((end, none))
    return changes


#: A period of a part on the axis of force: its IRI, its state, days of force, days of knowledge.
_Row: TypeAlias = tuple[str, str, str, str | None, str, str | None]


def _periods_within_norm(store: Store, norm: Name) -> tuple[_Row, ...]:
    """Return the periods of a norm and of all its parts."""
    return store.cached((_periods_within_norm, norm.iri), lambda: tuple(_rows(store, norm)))


def _periods_by_part(store: Store, name: Name) -> Iterator[tuple[str, list[_Row]]]:
    """Yield the periods of each part that affects a text, with the state of the part outside of them."""
    norm_iri = name.work.iri
    parts: dict[str, list[_Row]] = {}
    for row in _periods_within_norm(store, name.work):
        parts.setdefault(row[0], []).append(row)
    inner = within(store, name) if name != name.work else [part for part in parts if part != norm_iri]
    if name != name.work and name.iri not in parts:
        yield (
            _ABSENT,
            [
                _row(name.iri, provision_period)
                for provision_period in provision_periods(store, name)
                if provision_period.axis is Axis.FORCE
            ],
        )
    else:
        inner = [name.iri, *inner]
    for part in inner:
        known = SummarizedSubject(store, part, Axis.FORCE).versions if part != norm_iri else ()
        is_open = bool(known) and not any(map(may_be_first, known))  # an earlier wording is not known
        yield OPEN if is_open else _ABSENT, parts.get(part, [])
    derived = derived_texts(store, name.work)
    if derived:
        yield _ABSENT, list(_derived_rows(derived))


def _derived_rows(derived: Sequence[DerivedNormText]) -> Iterator[_Row]:
    """Yield the intervals between the days on which acts change the text, as rows like those of a part."""
    for index, derivation in enumerate(derived):
        until = derived[index + 1].day.isoformat() if index + 1 < len(derived) else None
        yield derivation.text, derivation.text, derivation.day.isoformat(), until, derivation.known.isoformat(), None


def _rows(store: Store, norm: Name) -> Iterator[_Row]:
    living = with_own_periods(store, norm.iri)
    dated = (edition.version.version_date for edition in editions(store, norm.iri) if edition.complete)
    wholes = sorted(day.isoformat() for day in dated if day is not None)
    for part in (norm.iri, *living):
        for period in store.summary(part).periods():
            if Axis.FORCE in period.axes:
                state = period.version or (OPEN if period.status.value == Status.UNKNOWN else _ABSENT)
                if period.version is None and part != norm.iri:
                    state += _whole_texts_since(wholes, period.start)
                yield part, state, period.start, period.end, period.known_from, period.known_until


def _whole_texts_since(wholes: Sequence[str], since: str) -> str:
    """Return how many complete texts are older than the day from which a provision has no version, as text.

    The other complete texts may still have the provision. The result is empty if there are no others.
    """
    before = bisect_left(wholes, since)
    return str(before) if before < len(wholes) else ""


def _row(part: str, period: Period) -> _Row:
    """Return a period of a provision that follows its norm."""
    start, until, since, before = (
        day.isoformat() if day is not None else None
        for day in (period.valid_from, period.valid_until, period.known_from, period.known_until)
    )
    named = to_iri(period.version) if period.version is not None else None
    state = named or (OPEN if period.status is Status.UNKNOWN else _ABSENT)
    return part, state, str(start), until, str(since), before


def _days(parts: Iterable[list[tuple[str, str]]]) -> set[date]:
    return {date.fromisoformat(day) for changes in parts for day, _ in changes if day}


def _norm_periods(store: Store, target: Name) -> list[Period]:
    return [period for period in periods_of(store, target.work) if period.axis is Axis.FORCE]


def _days_of_new_texts(
    store: Store,
    target: Name,
    edges: Iterable[date],
    intervals: Iterable[AnswerInterval],
    around: Iterable[Period],
    days_at: Callable[[date], tuple[date, date]],
) -> set[date]:
    """Return the days within an answer from which it is based on another text of the norm.

    Parts that follow their norm have their wording in the last complete text, or in the first; no source states their
    changes.

    Args:
        days_at: returns the (D, K) of a day.
    """
    every = editions(store, target.work.iri)
    days = {
        day
        for interval in intervals
        if interval.version is not None
        for day in edges
        if interval.start < day and interval.holds(day)
    }
    starts = {interval.start for interval in intervals}
    printed: set[date] = set()
    before: object = None
    for day in sorted(days | starts):
        on, known = days_at(day)
        version = next((period.version for period in around if period.holds(on, known)), None)
        rests_on = readable(every, version, known) if version is not None else None
        now = (rests_on.missing, rests_on.editions[-1:]) if rests_on is not None else None
        if now != before and day not in starts:
            printed.add(day)
        before = now
    return printed


def _split_in_force(interval: AnswerInterval, days: Iterable[date]) -> Iterator[AnswerInterval]:
    """Yield the parts of an interval, if a version is in force."""
    within = sorted(
        day for day in days if interval.version is not None and interval.start < day and interval.holds(day)
    )
    starts = [interval.start, *within]
    for start, until in zip(starts, (*within, interval.until), strict=True):
        yield replace(interval, start=start, until=until)
