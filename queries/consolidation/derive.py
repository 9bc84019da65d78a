"""Derives texts of a norm from operations of stored amending acts, or of a bill (docs/reference/amendments.md).

Operations are applied to the published text of the day before. If the last derived text is newer than every published
text, they are applied to it. The result is stored separately from published texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from itertools import filterfalse
from typing import TypeAlias

from graph.amendments import (
    AmendedText,
    Follows,
    Operation,
    OperationKind,
    Outcome,
    PartStatus,
    RefusalReason,
    TextPart,
    apply,
    in_order_of_effect,
)
from graph.civil import ONE_DAY, Term, When, first_day_after
from graph.entities import DerivedText, Document, Event, Provision, Record, Source, Wording
from graph.mapping.operations import operation_of
from graph.store import Store
from graph.terms import day_stated
from graph.time.acts import is_of_year
from graph.time.kinds import ENDED, Axis, Status
from graph.urn import Fragmento, Name, Versao, from_iri, parse
from graph.wording.marks import is_repealed
from graph.wording.short_names import cited_as
from graph.wording.transitional import ANNEX, CONSTITUTION, TRANSITIONAL, as_annex_name
from ontology.events import EventKind
from ontology.iris import provider_of
from ontology.namespaces import VIG
from queries.answers import Period
from queries.catalogue import named
from queries.evidence import derived_record, published_on, records
from queries.orders import concerns
from queries.provisions import editions
from queries.resolution.interpretation import interpret
from queries.status import periods_of
from queries.text.answers import ProvisionText, Sign, TextAnswer
from queries.text.diff import marked, words_of
from queries.text.text import published_text, text

# Previews the text of a norm after the operations of an amending act or a bill.


_OCCUPANT = re.compile(r",[^_]*")


@dataclass(frozen=True, slots=True)
class ChangedProvision:
    """A provision whose text is changed by operations.

    Attributes:
        before, after: the text before and after; None if the provision is missing.
        words: the words of both in order, each with ``=`` (both), ``-`` (before) or ``+`` (after).
    """

    fragment: str
    before: TextPart | None
    after: TextPart | None
    words: tuple[tuple[Sign, str], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A norm before and after operations.

    Attributes:
        name: the norm.
        answer: the text to which they were applied, with its notices.
        before: its provisions.
        applied: the result of the operations.
        changes: the provisions with changed text, in the order of the text.
    """

    name: Name
    answer: TextAnswer
    before: tuple[TextPart, ...]
    applied: AmendedText
    changes: tuple[ChangedProvision, ...]


def preview(store: Store, norm: Name, operations: Iterable[Operation], on: date | None = None) -> Preview | None:
    """Return a norm after operations on the text in force on a day.

    Args:
        operations: of one or several acts; those on other norms are ignored.
        on: a civil date; default today.

    Returns:
        The text before and after; None if the store has no text of the norm for that day.
    """
    answer = text(store, norm.work, on)
    before = text_parts(answer)
    if not before:
        return None
    applied = apply(before, operations_on(norm.work, operations))
    return Preview(norm.work, answer, tuple(before), applied, tuple(changes(before, applied.parts)))


def text_parts(answer: TextAnswer) -> list[TextPart]:
    """Return the provisions of a stored text, as input of operations."""
    parts: list[TextPart] = []
    above: list[str] = []
    for provision in answer.provisions:
        fragment = place_of(provision.name.partition("!")[2])
        del above[max(provision.level - 1, 0) :]
        parts.append(
            TextPart(
                fragment,
                above[-1] if above else None,
                provision.label,
                provision.heading,
                provision.text,
                status=_status(provision),
            )
        )
        above.append(fragment)
    return parts


def place_of(fragment: str) -> str:
    """Return the identifier of a provision without the norm that inserted it (docs/reference/names.md).

    Several provisions may have had this identifier in sequence.

    >>> place_of("art65_cpt_inc2,lei-13853-2019-07-08")
    'art65_cpt_inc2'
    """
    return _OCCUPANT.sub("", fragment)


def _status(provision_text: ProvisionText) -> PartStatus:
    if provision_text.undecided or provision_text.omitted:
        return PartStatus.UNKNOWN
    return PartStatus.REPEALED if provision_text.situation == "revogado" else PartStatus.IN_FORCE


def operations_on(norm: Name, operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations on a norm, in the order of their effect if every one has a day."""
    return in_order_of_effect(moved for operation in operations if (moved := as_on(norm, operation)) is not None)


def targets(operations: Iterable[Operation]) -> list[Name]:
    """Return the target norms of operations, each once."""
    return list(dict.fromkeys(in_annex(operation).target.work for operation in operations))


def as_on(norm: Name, operation: Operation) -> Operation | None:
    """Return an operation with the name of the norm that it changes; None if it changes another one.

    Acts cite an organic law, a constitution of a state, and internal rules without number and day, and other norms by
    their year.
    """
    moved = in_annex(operation)
    if moved.target.work == norm:
        return moved
    if moved.target.work not in cited_as(norm):
        return None
    target, position, becomes = (
        name if name is None else norm.with_fragmento(name.fragmento)
        for name in (moved.target, moved.position, moved.becomes)
    )
    return replace(moved, target=target or norm, position=position, becomes=becomes)


def in_annex(operation: Operation) -> Operation:
    """Return an operation on the transitional provisions as an operation on the annex of the Constitution."""
    target = as_annex_name(operation.target)
    if target is None:
        return operation
    return replace(
        operation,
        target=target,
        position=as_annex_name(operation.position) if operation.position is not None else None,
        becomes=as_annex_name(operation.becomes) if operation.becomes is not None else None,
        group=f"{ANNEX}_{operation.group}" if operation.group is not None else None,
    )


def changes(before: Sequence[TextPart], after: Sequence[TextPart]) -> Iterator[ChangedProvision]:
    """Yield the provisions with changed text, in the order of the new text; removed ones are last."""
    old = {text_part.fragment: text_part for text_part in before}
    for part in after:
        was = old.pop(part.fragment, None)
        if was is None or _visible_content(was) != _visible_content(part):
            yield ChangedProvision(part.fragment, was, part, tuple(marked(_words(was), _words(part))))
    for gone in old.values():
        yield ChangedProvision(gone.fragment, gone, None, tuple(marked(_words(gone), [])))


def _visible_content(part: TextPart) -> tuple[object, ...]:
    return part.label, part.heading, part.text, part.status


def _words(part: TextPart | None) -> list[str]:
    return words_of(part.label, part.heading, part.text) if part is not None else []


# Reads the wordings of a norm in each source; a source is called a witness of the text (docs/reference/amendments.md).


#: An act as sources name it, regardless of its day: type of document, number, year.
ActKey: TypeAlias = tuple[str, str, int | None]

#: The prefix of loaders of compiled pages with notes.
_NOTING = "planalto/"
_NUMBER = re.compile(r"\bn\s?[o°º]\.?\s*(?=[0-9])")
_ORDINAL = re.compile(r"(?<=[0-9])\s?[oa°ºª](?![a-zà-ü])")
_CONNECTIVE = re.compile(r"[;,]\s*(?:e|ou)\s*$")
_SPACE = re.compile(r"[\s“”\"]+")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class SourceWording:
    """A wording of a provision in one source.

    Attributes:
        label, heading, text: the wording.
        act: the act that made it, as the source names it; None if it names none.
        days: the bounds of its first day, both included; None if the source states no day.
        inserts: whether this wording inserted the provision.
        unstruck: whether the source prints it as current.
        inferred: whether the act is inferred from the container, and not named by the source for this wording.
        order: its position among the wordings of the provision, by the days of their versions.
    """

    label: str | None
    heading: str | None
    text: str | None
    act: Name | None
    days: tuple[date, date] | None
    inserts: bool
    unstruck: bool
    inferred: bool
    order: tuple[date, str]

    @property
    def letters(self) -> str:
        """Return the text for comparisons of wordings."""
        return letters(self.text)

    @property
    def is_repealed(self) -> bool:
        """Return whether its text only states that it was repealed."""
        return is_repealed(self.text)


@dataclass(frozen=True, slots=True)
class SourceRepeal:
    """A repeal of a provision in one source."""

    act: Name | None
    effect: date | None


@dataclass(slots=True)
class Witness:
    """One source of a norm's wordings.

    Attributes:
        source: the IRI of its record.
        origin: the name of its file; None if there is none.
        provider: its provider; None if it is not known.
        signature_days: whether its days are those of the signature of acts, not of force.
        notes_acts: whether sources of its kind name the act of each change.
        wordings: by the place of the provision, oldest first.
        endings: repeals by the place of the provision.
    """

    source: str
    origin: str | None
    provider: str | None
    signature_days: bool
    notes_acts: bool
    wordings: dict[str, list[SourceWording]] = field(default_factory=dict)
    endings: dict[str, list[SourceRepeal]] = field(default_factory=dict)

    @property
    def names_acts(self) -> bool:
        """Return whether the source names the act of any wording."""
        return self.notes_acts or any(wording.act is not None for some in self.wordings.values() for wording in some)


@dataclass(frozen=True, slots=True)
class Act:
    """An amending act in the store, with its operations on the norm.

    Attributes:
        source: the IRI of its record.
    """

    source: str
    name: Name
    operations: tuple[Operation, ...]


def witnesses(store: Store, norm: Name) -> list[Witness]:
    """Return the sources with wordings of a norm, sorted by record."""
    return store.memoized((witnesses, norm.work.iri), lambda: _witnesses(store, norm))


def _witnesses(store: Store, norm: Name) -> list[Witness]:
    witnesses_by_record: dict[str, Witness] = {}
    own = derived_record(norm)
    for row in named("wordings_by_source").rows(store, {"norma": norm.work.iri}):
        source = str(row["registro"])
        if source == own:
            continue  # derived texts are not witnesses
        witness = witnesses_by_record.get(source) or witnesses_by_record.setdefault(source, _witness(store, source))
        version = row["versao"]
        source_wording = SourceWording(
            _text(row["rotulo"]),
            _text(row["nome"]),
            _text(row["conteudo"]),
            _act(store, row["causa"]),
            days_of(str(version)) if version is not None else None,
            _is_true(row["insercao"]),
            _is_true(row["naoTachado"]),
            _is_true(row["causaInferida"]),
            _order(str(version)) if version is not None else (date.min, ""),
        )
        witness.wordings.setdefault(_place(row["dispositivo"]), []).append(source_wording)
    for row in named("repeals_by_source").rows(store, {"norma": norm.work.iri}):
        ending = witnesses_by_record.get(str(row["registro"]))
        if ending is not None:
            effect = row["efeito"]
            ended = SourceRepeal(_act(store, row["causa"]), effect if isinstance(effect, date) else None)
            ending.endings.setdefault(_place(row["dispositivo"]), []).append(ended)
    for source_witness in witnesses_by_record.values():
        for some in source_witness.wordings.values():
            some.sort(key=lambda wording: wording.order)
    return list(witnesses_by_record.values())


def norms_with_several_witnesses(store: Store) -> list[Name]:
    """Return the norms with text in several records, or in one record and changed by a stored act, by name."""
    return [parse(from_iri(str(row["norma"]))) for row in named("norms_with_several_text_sources").rows(store)]


def acts(store: Store, norm: Name) -> list[Act]:
    """Return the stored amending acts that change a norm, each with its operations in the order of the act.

    Operations of which the act states no day have the days that another source states for the act.
    Of several records of an act, that with the most dated operations is used.
    """
    operations_by_act: dict[tuple[str, str], list[Operation]] = {}
    for target in _targets(norm.work):
        for row in named("operations_on").rows(store, {"norma": target.iri}):
            key = str(row["registro"]), from_iri(str(row["ato"]))
            moved = as_on(norm.work, operation_of(row))
            if moved is not None:
                operations_by_act.setdefault(key, []).append(moved)
    best: dict[str, Act] = {}
    for (source, act), some in operations_by_act.items():
        candidate = Act(source, parse(act), tuple(_dated(store, parse(act), operation) for operation in some))
        if act not in best or _completeness(candidate) > _completeness(best[act]):
            best[act] = candidate
    return list(best.values())


def _completeness(act: Act) -> tuple[int, int, str]:
    return sum(operation.effect is not None for operation in act.operations), len(act.operations), act.source


def _dated(store: Store, act: Name, operation: Operation) -> Operation:
    """Return an operation with the days that the store has of its act, if the operation follows the act."""
    if operation.follows is None:
        return operation
    known, effect, follows = operation.known or published_on(store, act), operation.effect, operation.follows
    if isinstance(follows, Term) or (follows is Follows.PUBLICATION and effect is not None):  # the order's own day
        own = first_day_after(known, follows) if known is not None and isinstance(follows, Term) else effect
        is_read = known is not None and own is not None and own >= known
        return replace(operation, effect=own if is_read else None, known=known, follows=None if is_read else follows)
    effect = effect or _first_day_of_force(store, operation.source or act)
    if effect is None and follows is Follows.PUBLICATION:
        effect = known
    return replace(operation, effect=effect, known=known)


def _first_day_of_force(store: Store, ordering: Name) -> date | None:
    """Return the first day of force of the provision that orders an operation, by everything that became known.

    A provision without periods has the first day of the one that contains it, or of the act.

    Returns:
        None if it is not known.
    """
    latest = _latest_periods(store, ordering)
    first = min(latest, key=lambda period: period.valid_from, default=None)
    if first is not None and first.status is Status.VACATIO:
        first = next((period for period in latest if period.valid_from == first.valid_until), None)
    return first.valid_from if first is not None and first.version is not None else None


def _latest_periods(store: Store, ordering: Name) -> list[Period]:
    """Return the periods of force of an ordering provision, or of what contains it, by everything that became known."""
    norm, _, fragment = ordering.canonical.partition("!")
    while fragment:
        if periods := periods_of(store, parse(f"{norm}!{fragment}")):
            break
        fragment = fragment.rpartition("_")[0]
    else:
        periods = periods_of(store, ordering.work)
    return [period for period in periods if period.axis is Axis.FORCE and period.known_until is None]


def _has_fallen(store: Store, operation: Operation) -> bool:
    """Return whether the ordering provision ended before its operation had effect: it never changed anything."""
    day = operation.effect
    if day is None or operation.source is None:
        return False
    ended = (each for each in _latest_periods(store, operation.source) if each.status in ENDED)
    return any(each.valid_from < day and (each.valid_until is None or day < each.valid_until) for each in ended)


def _targets(norm: Name) -> Iterator[Name]:
    yield norm
    yield from cited_as(norm)
    if norm.canonical == CONSTITUTION:
        yield parse(TRANSITIONAL)


def _witness(store: Store, source: str) -> Witness:
    for row in named("origin_of_record").rows(store, {"registro": source}):
        provider = row["provedor"]
        return Witness(
            source,
            _text(row["origem"]),
            provider_of(str(provider)) if provider is not None else None,
            bool(store.literals(source, VIG["datasDeRedacao"])),
            str(row["carregador"]).startswith(_NOTING),
        )
    return Witness(source, None, None, signature_days=False, notes_acts=False)


def _place(cell: object) -> str:
    return place_of(from_iri(str(cell)).partition("!")[2])


def _is_true(cell: object) -> bool:
    return str(cell) in {"true", "True"}


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _act(store: Store, cell: object) -> Name | None:
    return None if cell is None else parse(from_iri(store.act_of(str(cell)))).work


def days_of(version: str) -> tuple[date, date] | None:
    """Return the bounds of the first day of a version, by its IRI; None if it has none."""
    individual = parse(from_iri(version)).individual
    versao = individual.versao if individual is not None else None
    if versao is None:
        return None
    if versao.datas:
        return versao.datas[0], versao.datas[0]
    if versao.visao:
        return versao.visao[0], versao.visao[-1]
    return None


def _order(version: str) -> tuple[date, str]:
    days = days_of(version)
    return (days[0] if days is not None else date.max), version


def act_key(act: Name) -> ActKey:
    """Return a key that is equal for all names of one act: a source may omit its day.

    >>> act_key(parse("urn:lex:br:federal:lei:2019;13853")) == act_key(parse("urn:lex:br:federal:lei:2019-07-08;13853"))
    True
    """
    work = act.work
    day = work.representative_date
    year = day.year if day is not None else work.representative_year
    return ";".join(work.tipo_documento), ";".join(work.descritor.identificadores), year


def letters(text: str | None) -> str:
    """Return a text without differences of edition: case, white space, punctuation, quotation marks, ordinal signs,
    and a final "e".

    >>> letters("prazo de 5o dia, nº 3; e") == letters("Prazo de 5º dia – no 3;")
    True
    """
    return _SIGNS.sub("", _CONNECTIVE.sub("", _plain(text)))


def spelled(text: str | None) -> str:
    """Return a text for comparisons that keep punctuation, because an act may change only that.

    >>> spelled("a laje;") == spelled("A  laje.")
    False
    """
    return _SPACE.sub("", _plain(text))


def _plain(text: str | None) -> str:
    return _ORDINAL.sub("", _NUMBER.sub("n", (text or "").casefold().rstrip()))


# Derives texts of a norm from the stored operations of acts (docs/reference/amendments.md).


KIND = "derived"
LOADER = "vigente/derived/1"


@dataclass(frozen=True, slots=True)
class Derivation:
    """The result of applying acts to a norm.

    Attributes:
        record: the record with the derived texts, to be stored; a tombstone if there are no derived texts.
        texts: the number of derived texts.
        in_use: the number of derived texts that answers use.
        outcomes: those of the operations with days, in the order in which they were applied, then those of the
            revocations of the norm.
        undated: the number of operations for which no source states the days of their act, by act.
        with_own_day: the number of operations by the provision that orders them, which may have another first day of
            force than its act; that day was not read.
        acts: the number of acts in the store that change the norm.
        measures: the number of operations of provisional measures. They are not applied, because they depend on a
            conversion.
        days_without_base_text: days without a published text in force to which the operations could be applied.
    """

    norm: Name
    record: Record
    texts: int
    in_use: int
    outcomes: tuple[Outcome, ...]
    undated: Mapping[str, int]
    with_own_day: Mapping[str, int]
    acts: int
    measures: int
    days_without_base_text: tuple[date, ...]

    @property
    def applied(self) -> int:
        """Return the number of operations applied."""
        return sum(outcome.refused is None for outcome in self.outcomes)

    @property
    def refused(self) -> tuple[tuple[Operation, RefusalReason], ...]:
        """Return the operations that were not applied, with the reason."""
        return tuple((each.operation, each.refused) for each in self.outcomes if each.refused is not None)

    @property
    def complete(self) -> bool:
        """Return whether there are acts, and all their operations were applied."""
        undated = self.undated or self.with_own_day
        return self.acts > 0 and not (self.refused or undated or self.measures or self.days_without_base_text)


def norms_with_operations(store: Store) -> list[Name]:
    """Return the norms changed by stored acts, and those with derived texts, by name."""
    names = [parse(from_iri(str(row["norma"]))) for row in named("norms_operated_on").rows(store)]
    return list(dict.fromkeys(norm_meant(store, name) for name in names))


def norm_meant(store: Store, name: Name) -> Name:
    """Return the stored norm that acts mean by a name: the only one of its type and issuer, or of its year."""
    if name.canonical == TRANSITIONAL:
        return parse(CONSTITUTION)
    if name.descritor.datas:
        return name
    understood = interpret(store, name.canonical).name
    return understood.work if understood is not None else name


def derive(store: Store, norm: Name) -> Derivation:
    """Return the texts of a norm derived from the stored acts.

    Args:
        store: an opened store, from which the caller removed the earlier derived record (:func:`tombstone_of`).
        norm: without version.
    """
    deriving = _NormDerivation(store, norm, witnesses(store, norm))
    stored_acts = acts(store, norm)
    measures = [act for act in stored_acts if act.name.tipo_documento[0] == "medida.provisoria"]
    final_acts = [act for act in stored_acts if act not in measures]
    is_known = not is_of_year(norm.iri) or bool(records(store, norm.iri))  # else an act with a day may come later
    ends = tuple(_ends_of(store, norm, final_acts)) if is_known else ()
    missing = None if is_known else RefusalReason.TARGET_NOT_FOUND
    revoking = [Outcome(end, missing, ()) for act in final_acts for end in act.operations if _is_end(end)]
    final_acts = [replace(act, operations=tuple(filterfalse(_is_end, act.operations))) for act in final_acts]
    doubts = [
        each for act in final_acts for each in act.operations if each.refused and not (each.effect and each.known)
    ]
    revoking += [Outcome(each, each.refused, ()) for each in doubts]
    named_acts = {act.name.canonical: act for act in sorted(final_acts, key=lambda act: act.name.canonical)}
    dated = [operation for act in final_acts for operation in act.operations if operation.effect and operation.known]
    dated = [operation for operation in dated if not _has_fallen(store, operation)]
    undated, with_own_day = Counter[str](), Counter[str]()
    for act in final_acts:
        is_dated = any(operation.effect and operation.known for operation in act.operations)
        is_dated = is_dated or _first_day_of_force(store, act.name) is not None
        for operation in act.operations:
            if operation in doubts:
                continue
            if is_dated and operation.effect is None and operation.follows is None:
                with_own_day[(operation.source or act.name).canonical] += 1
            elif operation.effect is None or operation.known is None:
                undated[act.name.canonical] += 1
    ordered = operations_on(norm, sorted(dated, key=lambda operation: operation.known or date.max))
    for day in dict.fromkeys(operation.effect for operation in ordered if operation.effect is not None):
        operations_of_day = [operation for operation in ordered if operation.effect == day]
        acts_of_day = dict.fromkeys(
            operation.source.work.canonical for operation in operations_of_day if operation.source is not None
        )
        deriving.apply_operations(day, operations_of_day, [named_acts[act] for act in acts_of_day])
    ends = (*ends, *_changed_ends(store, norm, ordered))
    content = (*deriving.repeals, *ends), tuple(deriving.provisions()), tuple(deriving.texts)
    digest = sha256(repr(content).encode("utf-8", "backslashreplace")).hexdigest()
    record = Record(
        Source(derived_record(norm), KIND, digest, LOADER),
        Document(norm) if deriving.texts or ends else None,
        content[0],
        provisions=content[1],
        derived=content[2],
    )
    return Derivation(
        norm,
        record,
        len(deriving.texts),
        sum(derived_text.in_use for derived_text in deriving.texts),
        (*deriving.outcomes, *revoking),
        dict(undated),
        dict(with_own_day),
        len(stored_acts),
        sum(len(act.operations) for act in measures),
        tuple(deriving.days_without_base_text),
    )


def _is_end(operation: Operation) -> bool:
    """Return whether an operation revokes a whole norm, which changes none of its words."""
    whole = operation.target == operation.target.work and operation.kind is OperationKind.REPEAL
    return whole and operation.refused is None


def _ends_of(store: Store, norm: Name, by: Iterable[Act]) -> Iterator[Event]:
    """Yield the ends of the norm that no other source states, or dates: acts may name it only by its year."""
    yield from _terms(store, norm, cited_as(norm))
    causes = {event.cause for event in store.summary(norm.iri).events() if event.cause is not None}
    stated = {parse(from_iri(store.act_of(cause))).work for cause in causes}
    for act in by:
        ordered = next(filter(_is_end, act.operations), None)
        if ordered is not None and (act.name not in stated or (ordered.follows is None and ordered.effect is not None)):
            yield Event.of_repeal(ordered, norm)


def _terms(store: Store, norm: Name, named: Iterable[Name]) -> Iterator[Event]:
    """Yield the ends of a norm that clauses state, of the norm or of an act, under some of its names."""
    for event in (each for name in named for each in store.summary(name.iri).events()):
        if event.kind == EventKind.CADUCIDADE and event.cause is not None:
            days = day_stated(event.effect), day_stated(event.known)
            yield Event(EventKind.CADUCIDADE, norm, *days, parse(from_iri(event.cause)))


def _changed_ends(store: Store, norm: Name, ordered: Iterable[Operation]) -> Iterator[Event]:
    """Yield the changes of the article that states the end of a norm, unless a new end was known before the old one.

    A repealed end, and an end that was prolonged when it had passed, leave the days of force in doubt.
    """
    ends = [(term.cause, term.effect) for term in _terms(store, norm, (norm, *cited_as(norm)))]
    for operation in ordered:
        is_new = any(cause == operation.source for cause, _ in ends)
        for cause, end in ends:
            if cause is None or operation.known is None or not concerns(operation.target.canonical, cause.canonical):
                continue
            if not (is_new and end is not None and end.last is not None and operation.known <= end.last):
                yield Event(EventKind.ENTRADA_VIGOR, norm, None, When.on(operation.known), operation.source)


def tombstone_of(norm: Name) -> Record:
    """Return the tombstone of the record with the derived texts of a norm.

    It is written before a new derivation, because derived texts are based only on published ones.
    """
    return Record(Source(derived_record(norm), KIND, sha256(b"").hexdigest(), LOADER), None)


class _NormDerivation:
    """The derivation of texts of a norm. Call :meth:`apply_operations` for each day, in order."""

    def __init__(self, store: Store, norm: Name, known: Sequence[Witness]) -> None:
        self._store, self._norm, self._witnesses = store, norm, known
        self.texts: list[DerivedText] = []
        self.outcomes: list[Outcome] = []
        self._wordings: dict[str, dict[Name, Wording]] = {}
        self._events: list[Event] = []
        self._within: dict[str, str | None] = {}
        self.days_without_base_text: list[date] = []

    def apply_operations(self, day: date, operations: Sequence[Operation], by: Sequence[Act]) -> None:
        """Apply the operations with effect from a day on."""
        last = self.texts[-1] if self.texts and self.texts[-1].in_use else None
        base: Sequence[TextPart]
        version: Name | None
        if last is not None:
            base, version = last.parts, last.base
        else:
            known = max((each.known for each in operations if each.known is not None), default=None)
            before = published_text(self._store, self._norm, day - ONE_DAY, known)
            base = text_parts(before) if before.status is not None and before.status.stands else []
            version = parse(before.version) if before.version is not None else None
        if not base:
            self.days_without_base_text.append(day)
            return
        done = apply(base, operations)
        self.outcomes += done.outcomes
        if done.parts == tuple(base):
            return  # what was refused leaves no provision unknown
        made = [each.operation.source for each in done.outcomes if each.refused is None or each.touched]
        by = [act for act in by if any(source is not None and source.work == act.name for source in made)]
        in_use = not self._has_published(day, by)
        if in_use:
            self._record(day, base, done)
        self.texts.append(
            DerivedText(
                day,
                max(
                    [operation.known for operation in operations if operation.known is not None]
                    + ([last.known] if last else [])
                ),
                version,
                tuple(part for part in done.parts if part.status is not PartStatus.REPEALED),
                tuple(dict.fromkeys((*(last.acts if last is not None else ()), *(act.name for act in by)))),
                in_use,
                () if in_use else tuple(self._different_provisions(day, done.parts)),
            )
        )

    @property
    def repeals(self) -> tuple[Event, ...]:
        """Return the events of repeal of the provisions that the acts repealed."""
        return tuple(self._events)

    def provisions(self) -> Iterator[Provision]:
        """Yield the provisions that the acts changed, with their derived versions. Their text is stored separately."""
        for fragment, wordings in self._wordings.items():
            yield Provision(fragment, self._within[fragment], 0, tuple(wordings.values()))

    def _record(self, day: date, base: Sequence[TextPart], done: AmendedText) -> None:
        """Record the new version of each provision that an operation changed, or its repeal."""
        before = {part.fragment: part for part in base}
        after = {part.fragment: part for part in done.parts}
        known = {
            fragment: outcome.operation
            for outcome in done.outcomes
            if outcome.refused is None
            for fragment in outcome.touched
        }
        for fragment, operation in known.items():
            known_on, now = operation.known or day, after.get(fragment)
            cause = operation.source
            if now is None or now.status is PartStatus.REPEALED:
                if fragment in before:
                    target = self._norm.with_fragmento(Fragmento((fragment,)))
                    self._events.append(Event(EventKind.REVOGACAO, target, When.on(day), When.on(known_on), cause))
                continue
            version = self._norm.with_versao(Versao(datas=(day,), evento=EventKind.ALTERACAO, visao=(known_on,)))
            wording = Wording(version, cause=cause, inserts=fragment not in before)
            self._wordings.setdefault(fragment, {})[version] = wording
            self._within.setdefault(fragment, now.within)

    def _has_published(self, day: date, by: Sequence[Act]) -> bool:
        """Return whether a source has a text or a repeal dated on or after the day, or names one of the acts."""
        keys = {act_key(act.name) for act in by}
        if any(
            edition.text is not None
            and edition.version.version_date is not None
            and edition.version.version_date >= day
            for edition in editions(self._store, self._norm.iri)
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
                if any(ending.effect is not None and ending.effect >= day for ending in endings):
                    return True
        return False

    def _different_provisions(self, day: date, parts: Sequence[TextPart]) -> list[str]:
        """Return the provisions made by acts whose text differs in the published text of the day."""
        published = {
            text_part.fragment: text_part for text_part in text_parts(published_text(self._store, self._norm, day))
        }
        if not published:
            return []
        fragments = []
        for part in parts:
            if not part.made_by or part.status is PartStatus.UNKNOWN:
                continue
            published_part = published.get(part.fragment)
            if published_part is not None and published_part.status is PartStatus.UNKNOWN:
                continue
            published_letters = letters(published_part.text) if published_part is not None else ""
            if (
                letters(part.text if part.status is PartStatus.IN_FORCE else None) != published_letters
                and published_letters != "revogado"
            ):
                fragments.append(part.fragment)
        return fragments
