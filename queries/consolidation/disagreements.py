"""Differences between witnesses of a norm's text: compiled pages, histories, and amending acts
(docs/reference/amendments.md).

Two sources are compared by provision: their wordings, the act of each wording, and the repeals. An amending act with
stored operations is compared with every source that names acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import permutations

from graph.amendments import Operation, OperationKind
from graph.errors import UnknownName
from graph.store import Store
from graph.urn import Name
from graph.wording.provisions import is_grouping
from queries.consolidation.derive import (
    Act,
    ActKey,
    SourceRepeal,
    SourceWording,
    Witness,
    act_key,
    acts,
    letters,
    norms_with_several_witnesses,
    place_of,
    spelled,
    witnesses,
)
from queries.evidence import records
from queries.resolution.interpretation import interpret


class DisagreementCode(StrEnum):
    """The kind of a disagreement of two witnesses."""

    MISSING_NOTE = "missing-note"
    """One witness names no act for a wording or repeal, and the other names one."""
    WRONG_ACT = "wrong-act"
    """The witnesses name different acts for the same text, or for a repeal; one of them is wrong."""
    UNSTRUCK_WORDING = "unstruck-wording"
    """One witness prints an earlier wording as if it still applied."""
    NOT_COMPILED = "not-compiled"
    """One witness has a change by an act, and the other does not."""
    WORDS_DIFFER = "words-differ"
    """The witnesses have different texts for the wording by one act."""
    DAYS_DIFFER = "days-differ"
    """The witnesses have the same text by the same act, with days that exclude each other."""


@dataclass(frozen=True, slots=True)
class WitnessData:
    """The data of one witness.

    Attributes:
        source: the IRI of its record.
        origin: its file or provider.
        act: the act that it names.
        text: its text; None if it has none.
        days: the bounds of the day, both included; None if it states no day.
    """

    source: str
    origin: str | None
    act: str | None
    text: str | None
    days: tuple[date, date] | None


@dataclass(frozen=True, slots=True)
class TextDisagreement:
    """One disagreement about one provision.

    Attributes:
        provision: its canonical name, without version.
        code: the kind of disagreement.
        a: the witness that lacks something or differs from the others; for ``wrong-act`` and ``days-differ``, the first
            of the two.
        b: the other witness.
    """

    provision: str
    code: DisagreementCode
    a: WitnessData
    b: WitnessData


def disagreements(store: Store, norm: Name) -> list[TextDisagreement]:
    """Return the disagreements of the sources of a norm's text, in the order of the provisions of the first source.

    Args:
        norm: the norm, without version.
    """
    all_witnesses = witnesses(store, norm)
    comparing = _Comparison(norm.work, all_witnesses)
    rows: dict[TextDisagreement, None] = {}
    for first, other in permutations(all_witnesses, 2):
        rows.update(dict.fromkeys(comparing.sources(first, other)))
    for witness in all_witnesses:
        rows.update(dict.fromkeys(comparing.unstruck(witness)))
    for act in acts(store, norm):
        for witness in all_witnesses:
            if witness.names_acts:
                rows.update(dict.fromkeys(comparing.act(witness, act)))
    order = {place: index for witness in reversed(all_witnesses) for index, place in enumerate(witness.wordings)}
    return sorted(rows, key=lambda row: (order.get(row.provision.partition("!")[2], len(order)), row.provision))


def disagreements_on(store: Store, text: str | Name | None) -> list[TextDisagreement]:
    """Return the disagreements on the text of a norm; for None, those on every norm with texts of several sources.

    Args:
        text: a name, a citation or a nickname.

    Raises:
        BadName: the text is an invalid name.
        UnknownName: no record of the store mentions the norm, or the text may mean several.
    """
    if text is None:
        norms = norms_with_several_witnesses(store)
    else:
        name = interpret(store, text).name
        if name is None or not records(store, name.work.iri):
            raise UnknownName(text.canonical if isinstance(text, Name) else text)
        norms = [name.work]
    return [row for norm in norms for row in disagreements(store, norm)]


@dataclass(frozen=True, slots=True)
class _Comparison:
    norm: Name
    all: Sequence[Witness]

    # Two sources

    def sources(self, witness: Witness, other: Witness) -> Iterator[TextDisagreement]:
        """Yield a disagreement for each wording or repeal that the first source lacks, and each difference once."""
        first = witness.source < other.source
        for place, other_wordings in other.wordings.items():
            if is_grouping(place) or not any(seen.letters for seen in other_wordings):
                continue
            wordings = witness.wordings.get(place)
            if wordings is None:
                if (
                    _covers(witness, other, place)
                    and witness.names_acts
                    and (act := _if_made_by_act(other_wordings[-1])) is not None
                ):
                    yield self._disagreement(
                        place,
                        DisagreementCode.NOT_COMPILED,
                        self._side_without_wording(witness),
                        self._side(other, act),
                    )
                continue
            matched = _matched_wordings(wordings, other_wordings)
            for wording, other_wording in matched:
                if wording is None:
                    if (
                        witness.names_acts
                        and other_wording is not None
                        and _if_made_by_act(other_wording) is not None
                        and not _has_wording(wordings, other_wording)
                    ):
                        yield self._disagreement(
                            place,
                            DisagreementCode.NOT_COMPILED,
                            self._side(witness, wordings[-1]),
                            self._side(other, other_wording),
                        )
                elif other_wording is not None:
                    yield from self._compare_wording(place, (witness, wording), (other, other_wording), first=first)
            yield from self._compare_endings(place, witness, other)

    def _compare_wording(
        self, place: str, pair: tuple[Witness, SourceWording], other: tuple[Witness, SourceWording], *, first: bool
    ) -> Iterator[TextDisagreement]:
        (witness, wording), (rival, other_wording) = pair, other
        sides = self._side(witness, wording), self._side(rival, other_wording)
        if wording.letters != other_wording.letters:
            if first:
                yield self._disagreement(place, DisagreementCode.WORDS_DIFFER, *sides)
            return
        if wording.act is None or wording.inferred:
            if other_wording.act is not None and not other_wording.inferred and witness.names_acts:
                yield self._disagreement(place, DisagreementCode.MISSING_NOTE, *sides)
        elif other_wording.act is None:
            return  # the other source lacks the note
        elif first and act_key(wording.act) != act_key(other_wording.act):
            yield self._disagreement(place, DisagreementCode.WRONG_ACT, *sides)
        elif (
            first and witness.signature_days == rival.signature_days and _are_disjoint(wording.days, other_wording.days)
        ):
            yield self._disagreement(place, DisagreementCode.DAYS_DIFFER, *sides)

    def _compare_endings(self, place: str, witness: Witness, other: Witness) -> Iterator[TextDisagreement]:
        other_endings = [ended for ended in other.endings.get(place, ()) if ended.act is not None]
        endings = witness.endings.get(place, [])
        if not other_endings or not witness.names_acts:
            return
        keys = {act_key(ended.act) for ended in endings if ended.act is not None}
        keys |= {
            act_key(seen.act) for seen in witness.wordings.get(place, ()) if seen.is_repealed and seen.act is not None
        }
        for ended in other_endings:
            if ended.act is None or act_key(ended.act) in keys:
                continue
            side = self._side_of_ending(other, ended)
            nameless = next((ending for ending in endings if ending.act is None), None)
            if nameless is not None:
                yield self._disagreement(
                    place, DisagreementCode.MISSING_NOTE, self._side_of_ending(witness, nameless), side
                )
            elif keys:
                if witness.source < other.source or len(keys) > 1:
                    yield self._disagreement(
                        place,
                        DisagreementCode.WRONG_ACT,
                        self._side_of_ending(witness, endings[-1] if endings else None),
                        side,
                    )
            elif any(seen.is_repealed for seen in witness.wordings[place]):
                yield self._disagreement(
                    place, DisagreementCode.MISSING_NOTE, self._side_of_ending(witness, None), side
                )
            else:
                last = witness.wordings[place][-1]
                yield self._disagreement(place, DisagreementCode.NOT_COMPILED, self._side(witness, last), side)

    # One source

    def unstruck(self, witness: Witness) -> Iterator[TextDisagreement]:
        """Yield a disagreement for each earlier wording that a source prints as current, with its replacement."""
        for place, some in witness.wordings.items():
            for index, seen in enumerate(some):
                if seen.unstruck:
                    later = some[index + 1] if index + 1 < len(some) else None
                    ended = witness.endings.get(place, [])
                    beside = (
                        self._side(witness, later)
                        if later is not None
                        else self._side_of_ending(witness, ended[-1] if ended else None)
                    )
                    yield self._disagreement(
                        place, DisagreementCode.UNSTRUCK_WORDING, self._side(witness, seen), beside
                    )

    # A source and an amending act

    def act(self, witness: Witness, act: Act) -> Iterator[TextDisagreement]:
        """Yield a disagreement for each operation of an act that a source lacks, or has differently."""
        key = act_key(act.name)
        for operation in act.operations:
            place = place_of(operation.target.canonical.partition("!")[2])
            if operation.refused is not None or not place:
                continue
            wordings = witness.wordings.get(place, [])
            if operation.kind is OperationKind.REPEAL:
                yield from self._compare_repeal(witness, act, operation, place)
            elif operation.text is not None and operation.kind is not OperationKind.EXPRESSION:
                yield from self._compare_amendment(witness, act, operation, place)
            elif (
                operation.kind is OperationKind.EXPRESSION
                and wordings
                and _has_no_later_act(wordings, act)
                and not _made_by_act(wordings, key)
            ):
                side = self._side(witness, wordings[-1])
                yield self._disagreement(
                    place, DisagreementCode.NOT_COMPILED, side, self._side_of_operation(act, operation)
                )

    def _compare_amendment(
        self, witness: Witness, act: Act, operation: Operation, place: str
    ) -> Iterator[TextDisagreement]:
        key, wordings = act_key(act.name), witness.wordings.get(place, [])
        letters_of_act = letters(operation.text)
        ordered = self._side_of_operation(act, operation)
        same = [seen for seen in wordings if seen.letters == letters_of_act]
        by_it = _made_by_act(wordings, key)
        if any(seen in by_it and not seen.inferred for seen in same):
            return
        if same:
            seen = same[-1]
            if seen.act is not None and not seen.inferred and spelled(seen.text) == spelled(operation.text):
                yield self._disagreement(place, DisagreementCode.WRONG_ACT, self._side(witness, seen), ordered)
            elif seen.act is None or seen.inferred:
                yield self._disagreement(place, DisagreementCode.MISSING_NOTE, self._side(witness, seen), ordered)
            return
        if by_it:
            yield self._disagreement(place, DisagreementCode.WORDS_DIFFER, self._side(witness, by_it[-1]), ordered)
        elif wordings and _has_no_later_act(wordings, act) and place not in witness.endings:
            yield self._disagreement(place, DisagreementCode.NOT_COMPILED, self._side(witness, wordings[-1]), ordered)
        elif not wordings and (_article(place) in witness.wordings) and not _is_changed_later(witness, place, act):
            yield self._disagreement(place, DisagreementCode.NOT_COMPILED, self._side_without_wording(witness), ordered)

    def _compare_repeal(
        self, witness: Witness, act: Act, operation: Operation, place: str
    ) -> Iterator[TextDisagreement]:
        key, wordings = act_key(act.name), witness.wordings.get(place, [])
        if not wordings:
            return
        ordered = self._side_of_operation(act, operation)
        repealed = [seen for seen in wordings if seen.is_repealed]
        ended = witness.endings.get(place, [])
        named = [
            act
            for act in (*(statement.act for statement in ended), *(statement.act for statement in repealed))
            if act is not None
        ]
        if any(act_key(name) == key for name in named):
            return
        if named:
            if not any(_is_before(act.name, name) for name in named):
                side = self._side_of_ending(witness, ended[-1]) if ended else self._side(witness, repealed[-1])
                yield self._disagreement(place, DisagreementCode.WRONG_ACT, side, ordered)
        elif ended or repealed:
            side = self._side(witness, repealed[-1]) if repealed else self._side_of_ending(witness, ended[-1])
            yield self._disagreement(place, DisagreementCode.MISSING_NOTE, side, ordered)
        elif _has_no_later_act(wordings, act):
            yield self._disagreement(place, DisagreementCode.NOT_COMPILED, self._side(witness, wordings[-1]), ordered)

    # Rows

    def _disagreement(self, place: str, code: DisagreementCode, a: WitnessData, b: WitnessData) -> TextDisagreement:
        return TextDisagreement(f"{self.norm}!{place}", code, a, b)

    @staticmethod
    def _side(witness: Witness, seen: SourceWording) -> WitnessData:
        act = None if seen.act is None else seen.act.canonical
        return WitnessData(witness.source, witness.origin or witness.provider, act, seen.text, seen.days)

    @staticmethod
    def _side_of_ending(witness: Witness, ended: SourceRepeal | None) -> WitnessData:
        act = None if ended is None or ended.act is None else ended.act.canonical
        days = None if ended is None or ended.effect is None else (ended.effect, ended.effect)
        return WitnessData(witness.source, witness.origin or witness.provider, act, None, days)

    @staticmethod
    def _side_without_wording(witness: Witness) -> WitnessData:
        return WitnessData(witness.source, witness.origin or witness.provider, None, None, None)

    @staticmethod
    def _side_of_operation(act: Act, operation: Operation) -> WitnessData:
        source = operation.source or act.name
        days = None if operation.effect is None else (operation.effect, operation.effect)
        return WitnessData(act.source, source.canonical, act.name.canonical, operation.text, days)


def _matched_wordings(
    wordings: Sequence[SourceWording], other_wordings: Sequence[SourceWording]
) -> Iterator[tuple[SourceWording | None, SourceWording | None]]:
    """Yield the wordings of one provision in two sources, paired in order by equal text or equal act."""
    best: list[list[int]] = [[0] * (len(other_wordings) + 1) for _ in range(len(wordings) + 1)]
    for index in range(len(wordings) - 1, -1, -1):
        for to in range(len(other_wordings) - 1, -1, -1):
            taken = _match_score(wordings[index], other_wordings[to])
            together = taken + best[index + 1][to + 1] if taken else 0
            best[index][to] = max(together, best[index + 1][to], best[index][to + 1])
    index = to = 0
    while index < len(wordings) and to < len(other_wordings):
        taken = _match_score(wordings[index], other_wordings[to])
        if taken and best[index][to] == taken + best[index + 1][to + 1]:
            yield wordings[index], other_wordings[to]
            index, to = index + 1, to + 1
        elif best[index][to] == best[index + 1][to]:
            yield wordings[index], None
            index += 1
        else:
            yield None, other_wordings[to]
            to += 1
    for wording in wordings[index:]:
        yield wording, None
    for other_wording in other_wordings[to:]:
        yield None, other_wording


def _match_score(wording: SourceWording, other: SourceWording) -> int:
    """Return a score of how well two wordings match; 0 if they have neither text nor act in common."""
    acts_ = [None if seen.act is None else act_key(seen.act) for seen in (wording, other)]
    if wording.letters == other.letters:
        return 5 if acts_[0] == acts_[1] else 4
    return 1 if acts_[0] == acts_[1] and acts_[0] is not None else 0


def _made_by_act(some: Sequence[SourceWording], key: ActKey) -> list[SourceWording]:
    return [seen for seen in some if seen.act is not None and act_key(seen.act) == key]


def _are_disjoint(days: tuple[date, date] | None, other: tuple[date, date] | None) -> bool:
    return days is not None and other is not None and (days[1] < other[0] or other[1] < days[0])


def _if_made_by_act(seen: SourceWording) -> SourceWording | None:
    """Return a wording if an act made it; else None."""
    return seen if seen.act is not None and seen.letters and not seen.is_repealed else None


def _has_wording(some: Sequence[SourceWording], wording: SourceWording) -> bool:
    """Return whether some wordings include a text, possibly as a restored earlier wording."""
    return any(seen.letters == wording.letters for seen in some)


def _article(place: str) -> str:
    return place.partition("_")[0]


def _covers(witness: Witness, other: Witness, place: str) -> bool:
    """Return whether a source covers a provision, so that its absence is a statement.

    A source that lacks other original provisions of the article is an excerpt, and states nothing on the provision.
    """
    article = _article(place)
    if article not in witness.wordings:
        within = {
            other_place
            for other_place in other.wordings
            if _article(other_place) == other_place and other_place.startswith("art")
        }
    else:
        within = {other_place for other_place in other.wordings if _article(other_place) == article}
    return all(
        covered_place in witness.wordings for covered_place in within if other.wordings[covered_place][0].act is None
    )


def _is_before(act: Name, other: Name) -> bool:
    """Return whether an act is older than another by their names."""
    days = act.representative_date, other.representative_date
    if days[0] is not None and days[1] is not None:
        return days[0] < days[1]
    years = act_key(act)[2], act_key(other)[2]
    return years[0] is not None and years[1] is not None and years[0] < years[1]


def _has_no_later_act(wordings: Sequence[SourceWording], act: Act) -> bool:
    """Return whether a source names no later act for a provision, so that the text of this act should be the last."""
    return not any(seen.act is not None and _is_before(act.name, seen.act) for seen in wordings)


def _is_changed_later(witness: Witness, place: str, act: Act) -> bool:
    """Return whether a later act changed the article of a provision, or a part of it."""
    stem = _article(place)
    return any(
        not _has_no_later_act(some, act)
        for other_place, some in witness.wordings.items()
        if _article(other_place) == stem
    )
