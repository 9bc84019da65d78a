"""Putting a text together: the parts of the texts that a version rests on, with what changed in the meantime."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.derived import SITUATIONS
from graph.entities import Axis, Situation
from graph.happenings import Status
from graph.store import Store
from graph.urn import Name, from_iri, parse, to_iri
from graph.wording.provision_kinds import is_grouping
from graph.wording.provisions import Style, provision_name
from queries.catalogue import named
from queries.evidence import versions
from queries.provisions.editions import Edition
from queries.provisions.parts import DEFAULT_FORM, Part, arranged, held, holders, parts_of, some_parts
from queries.status import AXES

_STATUSES = {iri: status for status, iri in SITUATIONS.items()}


@dataclass(frozen=True, slots=True)
class Composed:
    """A text put together.

    Attributes:
        parts: the provisions in force with their levels, in the order of the document; with the label alone those that
            are undecided, where the sources give their place.
        undecided: provisions for which the sources do not decide whether they apply on that day, or how they read.
    """

    parts: tuple[tuple[Part, int], ...]
    undecided: tuple[str, ...]

    @property
    def decided(self) -> Composed:
        """The same; without any part where none is decided."""
        return self if any(not part.undecided for part, _ in self.parts) else Composed((), self.undecided)


@dataclass(frozen=True, slots=True)
class _Ruled:
    """What the periods of a provision say for a day: its version, or why it has none."""

    version: str | None
    status: Status
    start: date


def compose(store: Store, target: Name, rests_on: Sequence[Edition], on: date, known: date, axis: Axis) -> Composed:
    """The text of a norm on a day, as known on another; of a provision at least that with all that it holds.

    Args:
        target: without version. Of a provision the rest of the text need not be read.
        rests_on: the texts of its versions, the latest first; none where only its provisions are dated.
        axis: the clock.
    """
    norm = target.work.iri
    within, wanted, living = _scope(store, target)
    chosen = _chosen(store, norm, rests_on, wanted)
    start = rests_on[0].version.version_date if rests_on and rests_on[0].whole else None
    if wanted is None:
        ruled = _ruled(store, norm, on, known, axis)
    else:
        ruled = _each_ruled(store, living & wanted, on, known, axis)
    wordings = _Wordings(store, norm, wanted)
    undecided: dict[str, Part | None] = {}
    gone: set[str] = set()
    vetoed: set[str] = set()
    holding = frozenset(within.values())
    for provision in sorted(living if wanted is None else living & wanted):
        rule = ruled.get(provision)
        printed = chosen.get(provision)
        if rule is None or rule.version is None:
            if rule is not None and start is not None and rule.start <= start and printed is not None:
                continue  # a whole text of a later day prints it all the same
            if rule is not None and rule.status is Status.VETOED and printed is not None:
                chosen[provision] = _vetoed(printed)
                vetoed.add(provision)
                continue
            if rule.status is Status.UNKNOWN if rule is not None else _presupposes(store, provision, on):
                undecided[provision] = printed or wordings.first(provision)
            elif printed is not None:
                gone.add(provision)
            chosen.pop(provision, None)
            continue
        made = parse(rule.version)
        if start is not None and made.version_date is not None and made.version_date <= start:
            continue  # the whole text of the version says how it reads, or that it is gone
        found = wordings.of(rule.version) or (
            wordings.container(provision, rule.version) if provision in holding else None
        )
        if found is None:
            undecided[provision] = printed or wordings.first(provision)
            chosen.pop(provision, None)
        else:
            chosen[provision] = wordings.placed(found, printed)
    for provision in vetoed:
        if not gone.isdisjoint(_held_by([provision], within)):
            del chosen[provision]
    chosen |= _labelled(undecided, chosen, within)
    one_source = not any(edition.whole for edition in rests_on) or not living
    one_source = one_source and all(part.order != _NO_PLACE for part in chosen.values())
    one_source = one_source and len(store.summary(norm).with_texts()) <= 1
    return Composed(tuple(arranged(chosen.values(), within, one_source=one_source)), tuple(map(from_iri, undecided)))


#: The place of a provision that no document of the norm has: behind all others, until its identifier places it.
_NO_PLACE = sys.maxsize


def _vetoed(printed: Part) -> Part:
    """A vetoed provision as its source prints it; without the words that were vetoed."""
    if printed.situation == Situation.VETADO or "vetad" in (printed.text or "").lower():
        return printed
    return replace(printed, text=None, markup=None, situation=Situation.VETADO.value)


def _labelled(
    undecided: Mapping[str, Part | None], chosen: Mapping[str, Part], within: Mapping[str, str]
) -> Iterator[tuple[str, Part]]:
    """The undecided provisions that have a place in the text, each with its label and without words.

    A provision that no text has is among them where it holds others: these would stand under another provision.
    """
    holding = set(_held_by(chosen, within))
    for provision, told in undecided.items():
        part = told or (_unprinted(provision) if provision in holding else None)
        if part is not None:
            heading = part.heading if is_grouping(part.fragment) else None
            bare = replace(part, version=None, heading=heading, text=None, markup=None, situation=None, undecided=True)
            yield provision, bare


def _unprinted(provision: str) -> Part:
    """A provision that no text has, with the label that its identifier gives it."""
    fragment = from_iri(provision).partition("!")[2]
    label = provision_name(fragment, Style.ROTULO)
    return Part(provision, fragment, None, _NO_PLACE, label or None, None, None, None, None)


def _held_by(provisions: Iterable[str], within: Mapping[str, str]) -> Iterator[str]:
    """What holds some provisions, at any depth."""
    seen: set[str] = set()
    for provision in provisions:
        holder = within.get(provision)
        while holder is not None and holder not in seen:
            seen.add(holder)
            yield holder
            holder = within.get(holder)


def _scope(store: Store, target: Name) -> tuple[dict[str, str], frozenset[str] | None, frozenset[str]]:
    """What holds each provision; which are to be read, None for all of the norm; which have periods of their own."""
    if target == target.work:
        rows = named("provisions_with_life").rows(store, {"norma": target.iri})
        return holders(store, target.iri), None, frozenset(str(row["dispositivo"]) for row in rows)
    within = held(store, target)
    living = frozenset(store.names.derived_within(target.iri))
    elsewhere = (one for one in within if one not in living and store.summary(one).periods())
    return within, frozenset((target.iri, *within, *living)), living.union(elsewhere)


def _chosen(store: Store, norm: str, rests_on: Sequence[Edition], wanted: frozenset[str] | None) -> dict[str, Part]:
    """How each provision reads in the latest text that has it."""
    chosen: dict[str, Part] = {}
    for edition in rests_on:
        if edition.text is None:
            continue
        missing = wanted - chosen.keys() if wanted is not None else None
        for part in _parts(store, edition.text, norm, edition.version.name, missing):
            chosen.setdefault(part.provision, part)
    return chosen


def _parts(store: Store, text: str, norm: str, version: str, wanted: frozenset[str] | None) -> list[Part]:
    if wanted is None:
        return parts_of(store, text, norm, version)
    return some_parts(store, text, norm, version, wanted)


def presupposes(store: Store, provision: str) -> bool:
    """Whether a provision read otherwise before the first wording that is known, and nobody says how.

    Args:
        provision: its IRI.
    """
    known = versions(store, provision)
    return bool(known) and not any(version.first for version in known)


def _presupposes(store: Store, provision: str, on: date) -> bool:
    """Whether it presupposes a text, on a day on which there may have been one."""
    issued = parse(from_iri(provision)).oldest_day
    return presupposes(store, provision) and (issued is None or issued <= on)


def _ruled(store: Store, norm: str, on: date, known: date, axis: Axis) -> dict[str, _Ruled]:
    said = {"norma": norm, "em": on, "conhecido": known, "eixo": AXES[axis]}
    rows = named("provisions_in_force").rows(store, said)
    return {
        str(row["dispositivo"]): _Ruled(
            from_iri(str(row["versao"])) if row["versao"] is not None else None,
            _STATUSES[str(row["situacao"])] if row["situacao"] is not None else Status.IN_FORCE,
            row["inicio"] if isinstance(row["inicio"], date) else date.min,
        )
        for row in rows
    }


def _each_ruled(store: Store, provisions: Iterable[str], on: date, known: date, axis: Axis) -> dict[str, _Ruled]:
    """What :func:`_ruled` has of a few provisions: each is looked up by itself, so that the rest of a long norm is not
    read."""
    found: dict[str, _Ruled] = {}
    for provision in provisions:
        told = store.derived(provision, on, known, axis).periods_at(on.isoformat(), known.isoformat(), axis)
        for one in told:
            version = from_iri(one.version) if one.version is not None else None
            found[provision] = _Ruled(version, one.status, date.fromisoformat(one.start))
    return found


def words_of_versions(store: Store, norm: Name, of: Iterable[str]) -> dict[str, Part]:
    """The words of versions of provisions of one norm, by the canonical name of each version that has any.

    Each text of the norm is read once, however many versions are asked for.

    Args:
        store: an opened store.
        norm: without version.
        of: canonical names of versions of its provisions.

    Raises:
        StoreProblem: the store cannot be read.
    """
    wordings = _Wordings(store, norm.iri, None)
    found = ((version, wordings.of(version)) for version in of)
    return {version: part for version, part in found if part is not None}


class _Wordings:
    """The words of single versions of provisions; the texts read are kept for the next.

    Args:
        norm: the norm's IRI.
        wanted: the provisions to be read; None for all of the norm.
    """

    def __init__(self, store: Store, norm: str, wanted: frozenset[str] | None) -> None:
        self._store, self._norm, self._wanted = store, norm, wanted
        self._texts: dict[str, dict[str, Part]] = {}

    def of(self, version: str) -> Part | None:
        """The words of one version of a provision, where a source has them.

        Args:
            version: its canonical name.
        """
        found = self.part(version)
        return found if found is not None and any((*found.reads, found.markup)) else None

    def part(self, version: str) -> Part | None:
        """One version of a provision, with or without words, where a source has it.

        Args:
            version: its canonical name.
        """
        edition, _, fragment = version.rpartition("!")
        if edition not in self._texts:
            text = to_iri(edition + DEFAULT_FORM)
            parts = _parts(self._store, text, self._norm, edition, self._wanted)
            self._texts[edition] = {part.fragment: part for part in parts}
        return self._texts[edition].get(fragment)

    def container(self, provision: str, version: str) -> Part | None:
        """One version of a provision that has words in none, as ``!articulacao`` of normas.leg.br; else None.

        Args:
            provision: its IRI.
            version: the version's canonical name.
        """
        has_words = any(self.of(one.name) is not None for one in versions(self._store, provision))
        return None if has_words else self.part(version)

    def first(self, provision: str) -> Part | None:
        """The first words of a provision that any source has, for its label and place: the same on all days.

        Args:
            provision: its IRI.
        """
        found = (self.of(one.name) for one in versions(self._store, provision))
        part = next((one for one in found if one is not None), None)
        return self.placed(part, None) if part is not None else None

    def placed(self, part: Part, printed: Part | None) -> Part:
        """The part with a place among those of the norm's documents: a curated wording has no place and no label.

        Args:
            printed: the provision in the text that the answer rests on; None where that does not have it.
        """
        if part.order > 0:
            return part
        if printed is None:
            return replace(part, order=_NO_PLACE)
        return replace(part, order=printed.order, label=printed.label, heading=printed.heading)
