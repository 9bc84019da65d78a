"""Derives texts of a norm from the operations of amending acts in the store (docs/reference/amendments.md).

Operations are applied to the published text of the day before, or to the derived text before it where no published
text is as new. What comes out is stored apart from published texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256

from graph.amendments import Applied, Operation, PartStatus, Refused, TextPart, apply
from graph.civil import When
from graph.entities import DerivedText, Document, Event, Provision, Record, Source, Wording
from graph.store import Store
from graph.urn import Fragmento, Name, Versao, from_iri, parse
from queries.catalogue import named
from queries.consolidation.preview import CONSTITUTION, TRANSITIONAL, operations_on, text_parts
from queries.consolidation.witnesses import Act, Witness, act_key, acts, derived_record, letters, witnesses
from queries.provisions.editions import editions
from queries.reasons import Status
from queries.text.text import published_text

KIND = "derived"
LOADER = "vigente/derived/1"

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Derivation:
    """The result of applying acts to a norm.

    Attributes:
        record: the derived texts, to be stored; a tombstone where there are none any more.
        texts: how many derived texts there are, and how many of them answers use.
        applied: how many operations were applied.
        refused: operations that were not applied, with the reason.
        undated: operations of acts that do not state their days.
        measures: operations of provisional measures, whose effect depends on their conversion.
        baseless: days on which no published text was in force to which the operations could be applied.
    """

    norm: Name
    record: Record
    texts: int
    in_use: int
    applied: int
    refused: tuple[tuple[Operation, Refused], ...]
    undated: int
    measures: int
    baseless: tuple[date, ...]


def norms_with_operations(store: Store) -> list[Name]:
    """The norms that acts in the store change, and those that have derived texts, by name."""
    found = [from_iri(str(row["norma"])) for row in named("norms_operated_on").rows(store)]
    return [parse(one) for one in dict.fromkeys(CONSTITUTION if one == TRANSITIONAL else one for one in found)]


def derive(store: Store, norm: Name) -> Derivation:
    """The texts that the acts in the store give a norm.

    Args:
        store: an opened store, without the record that was derived before (:func:`withdrawn`).
        norm: without version.
    """
    deriving = _Deriving(store, norm, witnesses(store, norm))
    found = acts(store, norm)
    measures = [act for act in found if act.name.tipo_documento[0] == "medida.provisoria"]
    kept = [act for act in found if act not in measures]
    dated = [(one, act) for act in kept for one in act.operations if one.effect and one.known]
    undated = sum(len(act.operations) for act in kept) - len(dated)
    days = sorted({one.effect for one, _ in dated if one.effect is not None})
    for day in days:
        some = sorted(((one, act) for one, act in dated if one.effect == day), key=lambda pair: pair[0].known or day)
        deriving.on(day, [one for one, _ in some], list({act.name.canonical: act for _, act in some}.values()))
    digest = sha256(repr(deriving.texts).encode("utf-8", "backslashreplace")).hexdigest()
    record = Record(
        Source(derived_record(norm), KIND, digest, LOADER),
        Document(norm) if deriving.texts else None,
        deriving.repeals,
        provisions=tuple(deriving.provisions()),
        derived=tuple(deriving.texts),
    )
    return Derivation(
        norm,
        record,
        len(deriving.texts),
        sum(one.in_use for one in deriving.texts),
        deriving.applied,
        tuple(deriving.refused),
        undated,
        sum(len(act.operations) for act in measures),
        tuple(deriving.baseless),
    )


def withdrawn(norm: Name) -> Record:
    """The tombstone of the record with the derived texts of a norm: derived texts rest on published ones alone."""
    return Record(Source(derived_record(norm), KIND, sha256(b"").hexdigest(), LOADER), None)


class _Deriving:
    """The derived texts of a norm while they are made, day after day."""

    def __init__(self, store: Store, norm: Name, known: Sequence[Witness]) -> None:
        self._store, self._norm, self._witnesses = store, norm, known
        self.texts: list[DerivedText] = []
        self.refused: list[tuple[Operation, Refused]] = []
        self.applied = 0
        self._wordings: dict[str, dict[Name, Wording]] = {}
        self._events: list[Event] = []
        self._within: dict[str, str | None] = {}
        self.baseless: list[date] = []

    def on(self, day: date, operations: Sequence[Operation], by: Sequence[Act]) -> None:
        """Apply the operations that have effect from a day on."""
        last = self.texts[-1] if self.texts and self.texts[-1].in_use else None
        base: Sequence[TextPart]
        version: Name | None
        if last is not None:
            base, version = last.parts, last.base
        else:
            before = published_text(self._store, self._norm, day - _DAY)
            base = text_parts(before) if before.status is Status.IN_FORCE else []
            version = parse(before.version) if before.version is not None else None
        if not base:
            self.baseless.append(day)
            return
        done = apply(base, operations_on(self._norm, operations))
        self.applied += sum(one.refused is None for one in done.outcomes)
        self.refused += [(one.operation, one.refused) for one in done.outcomes if one.refused is not None]
        in_use = not self._has_published(day, by)
        if in_use:
            self._tell(day, base, done)
        self.texts.append(
            DerivedText(
                day,
                max([one.known for one in operations if one.known is not None] + ([last.known] if last else [])),
                version,
                tuple(one for one in done.parts if one.status is not PartStatus.REPEALED),
                tuple(dict.fromkeys((*(last.acts if last is not None else ()), *(act.name for act in by)))),
                in_use,
                () if in_use else tuple(self._different(day, done.parts)),
            )
        )

    @property
    def repeals(self) -> tuple[Event, ...]:
        """The provisions that the acts repealed."""
        return tuple(self._events)

    def provisions(self) -> Iterator[Provision]:
        """The provisions that the acts changed, with the versions that they have of it: their words stand apart."""
        for fragment, wordings in self._wordings.items():
            yield Provision(fragment, self._within[fragment], 0, tuple(wordings.values()))

    def _tell(self, day: date, base: Sequence[TextPart], done: Applied) -> None:
        """The version that an operation made of each provision, or its end."""
        before = {one.fragment: one for one in base}
        after = {one.fragment: one for one in done.parts}
        known = {fragment: one.operation for one in done.outcomes if one.refused is None for fragment in one.touched}
        for fragment, operation in known.items():
            heard, now = operation.known or day, after.get(fragment)
            cause = operation.source
            if now is None or now.status is PartStatus.REPEALED:
                if fragment in before:
                    target = self._norm.with_fragmento(Fragmento((fragment,)))
                    self._events.append(Event("revogacao", target, When.on(day), When.on(heard), cause))
                continue
            version = self._norm.with_versao(Versao(datas=(day,), evento="alteracao", visao=(heard,)))
            wording = Wording(version, cause=cause, inserts=fragment not in before)
            self._wordings.setdefault(fragment, {})[version] = wording
            self._within.setdefault(fragment, now.within)

    def _has_published(self, day: date, by: Sequence[Act]) -> bool:
        """Whether a source has a text of the day or a later one, or names one of the acts."""
        keys = {act_key(act.name) for act in by}
        if any(
            one.text is not None and one.version.version_date is not None and one.version.version_date >= day
            for one in editions(self._store, self._norm.iri)
        ):
            return True
        for witness in self._witnesses:
            for some in witness.wordings.values():
                for seen in some:
                    if seen.act is not None and act_key(seen.act) in keys:
                        return True
                    if seen.text is not None and seen.days is not None and seen.days[1] >= day:
                        return True
            for endings in witness.endings.values():
                if any(one.effect is not None and one.effect >= day for one in endings):
                    return True
        return False

    def _different(self, day: date, parts: Sequence[TextPart]) -> list[str]:
        """The provisions that acts made and that the published text of the day has otherwise."""
        published = {one.fragment: one for one in text_parts(published_text(self._store, self._norm, day))}
        if not published:
            return []
        found = []
        for one in parts:
            if not one.made_by or one.status is PartStatus.UNKNOWN:
                continue
            there = published.get(one.fragment)
            if there is not None and there.status is PartStatus.UNKNOWN:
                continue
            said = letters(there.text) if there is not None else ""
            if letters(one.text if one.status is PartStatus.IN_FORCE else None) != said and said != "revogado":
                found.append(one.fragment)
        return found
