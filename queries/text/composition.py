"""Composes a text from its provisions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.read_model.rectangles import ordinal
from graph.store import Store
from graph.terms import day_stated
from graph.time.composition import Words
from graph.time.editions import Edition
from graph.time.kinds import ENDED, Axis, Situation, Status
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provisions import Style, is_grouping, natural_order_key, provision_name
from ontology.events import EventKind
from queries.evidence import Version, versions
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
)
from queries.status import decided, status_on

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
    has_one_source = len(store.summary(norm).with_texts()) <= 1 and all(
        part.order != _NO_PLACE for part in chosen.values()
    )
    if has_one_source and any(edition.complete for edition in rests_on):
        with store.full_text.history_of(norm) as (table, number):
            has_one_source = not table.has_own_periods(number)
    return ComposedText(
        tuple(arranged_parts(chosen.values(), within, one_source=has_one_source)),
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
    norm, within = target.work.iri, target.iri.partition("!")[2] if wanted is not None else None
    with store.full_text.history_of(norm) as (table, number):
        found = table.words_on(number, ordinal(on), ordinal(known), axis, within)
        elsewhere = sorted(wanted - {f"{norm}!{fragment}" for fragment in found}) if wanted is not None else []
        for fragment in (provision.partition("!")[2] for provision in elsewhere):
            if fragment != within and not fragment.startswith(f"{within}_"):
                found |= table.words_on(number, ordinal(on), ordinal(known), axis, fragment)
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
    statuses = {work: status_on(store, parse(from_iri(work)), on, known, axis) for work in followers}
    parts: dict[str, Part] = {}
    for part in _parts(store, text, target.work.iri, None, wanted):
        around = {statuses.get(work) for work in (part.provision, *_containers_of([part.provision], within))}
        if around.isdisjoint(ENDED):
            is_open = Status.UNKNOWN in around
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
    store: Store, norm: str, rests_on: Sequence[Edition[Version]], wanted: frozenset[str]
) -> dict[str, Part]:
    """Return the wording of each wanted provision in the latest text that has it."""
    chosen: dict[str, Part] = {}
    for edition in rests_on:
        if edition.text is None:
            continue
        for part in some_parts(store, edition.text, norm, edition.version.name, wanted - chosen.keys()):
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
        norm: without version.
        on, known: D and K, civil dates.
    """
    norm_period = decided(store, norm, on, known, Axis.EFFICACY)
    if norm_period is None or not norm_period.is_dated or norm_period.status is Status.SUSPENDED:
        return frozenset()
    return frozenset(outermost(gaps_within(store, norm, on, known, suspended=True)))


def gaps_within(store: Store, norm: Name, on: date, known: date, *, suspended: bool = False) -> dict[str, Status]:
    """Return the provisions of a norm that are suspended on a day, or of unknown status, by name.

    The axis is that of efficacy.

    Args:
        norm: without version.
        on, known: D and K, civil dates.
        suspended: whether only suspended ones are returned.
    """
    with store.full_text.history_of(norm.iri) as (table, number):
        gaps = table.without_effect(number, ordinal(on), ordinal(known), suspended=suspended)
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
        moves = event.kind in _MOVING_WORDINGS and (seen is None or seen.possible_on(known))
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
        norm: without version.
        of: canonical names of versions of its provisions.
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
