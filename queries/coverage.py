"""What a store has of a norm, or of all norms: from whom, up to which day, and what is missing.

It is the answer to read before the other answers are trusted (docs/how-to/check-coverage.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, TypeAlias

import pyoxigraph as ox
from pydantic import Field, PlainSerializer

from graph.amendments import Operation, OperationKind, RefusalReason
from graph.civil import ONE_DAY, leading_day
from graph.civil import today as civil_today
from graph.errors import UnknownName
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.time.kinds import ENDED, Status
from graph.urn import Name, from_iri, parse, parse_or_none, to_iri
from ontology.iris import provider_iri, provider_of
from ontology.namespaces import CRM, FRBROO, PROV, VIG
from queries.catalogue import named
from queries.causes import amendments, causes, changes_by_act
from queries.consolidation.derive import (
    Act,
    ActKey,
    Derivation,
    act_key,
    acts,
    derive,
    norms_with_operations,
)
from queries.documents import document
from queries.evidence import derived_record, horizon, published_on, records, versions
from queries.intervals import over_force
from queries.messages import message
from queries.naming import UNLESS_NONE
from queries.notices import (
    AmendmentWithoutVersion,
    ArticlesMissing,
    CommencementChanged,
    DerivedDiffers,
    Notice,
    OrderNotApplied,
    OutsideKnowledgeHorizon,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
    WordsUnknown,
    any_of,
)
from queries.orders import derived_texts
from queries.provisions import editions
from queries.reasons import UNLESS_EMPTY
from queries.related import Record, records_of
from queries.resolution.interpretation import interpret
from queries.text.absent import is_whole
from queries.text.answers import TextAnswer
from queries.text.text import text
from queries.unsourced import unsourced_facts, withdrawal_notices, withdrawn_for
from words.texts import texts_in

#: The largest number of texts of which it is examined whether they are whole: the newest ones.
_MOST_EXAMINED = 5
#: The maximum number of names in a sentence.
_SHOWN = 5
#: The loader whose provider lists every change of its records, so that its last harvest covers all of them.
_LISTED = "oai_lexml/"
_MEASURE = "medida.provisoria"
#: Notices on a text or a norm that say what is missing.
_TOLD = (
    ArticlesMissing,
    CommencementChanged,
    DerivedDiffers,
    OrderNotApplied,
    TextUnknown,
    UndatedText,
    UndecidedProvisions,
    WordsUnknown,
)
#: The records with a statement on a provision of a norm.
_ON_PROVISIONS = f"""SELECT DISTINCT ?norma ?registro WHERE {{
    {{ SELECT DISTINCT ?norma ?dispositivo WHERE {{ ?dispositivo <{VIG["vidaPropriaEm"]}> ?norma }} }}
    GRAPH ?registro {{ ?evento <{VIG["alvo"]}> ?dispositivo }} }}"""
#: The records with words of provisions of a norm; the acts that they name for words; and the day of the newest words.
_PROVISION = f"?dispositivo <{VIG['dispositivoDe']}> ?norma"
_WORDS = f"""{_PROVISION} ; <{FRBROO["R10_has_member"]}> ?versao . ?versao <{FRBROO["R3_is_realised_in"]}> ?texto .
    ?texto <{CRM["P190_has_symbolic_content"]}> ?palavras ."""
_WITH_TEXT = f"""SELECT DISTINCT ?norma ?registro WHERE {{
    {{ SELECT DISTINCT ?norma ?registro WHERE {{ GRAPH ?registro {{ {_PROVISION} }} }} }}
    FILTER EXISTS {{ GRAPH ?registro {{ ?texto <{VIG["ordem"]}> ?ordem }} }} }}"""
_WORDED_BY = f"""SELECT DISTINCT ?norma ?registro ?causa WHERE {{ GRAPH ?registro {{
    {_WORDS} ?feitura <{FRBROO["R16_initiated"]}> ?versao ; <{VIG["causadoPor"]}> ?causa }} }}"""
_NEWEST_WORDS = f"""SELECT ?norma ?registro (MAX(?dia) AS ?ultimo) WHERE {{ GRAPH ?registro {{
    {_WORDS} ?versao <{VIG["dataVersao"]}> ?dia }} }}
    GROUP BY ?norma ?registro"""
#: The records of norms that name no provider, with their day of fetch; without curated facts and derived texts.
_FILES = f"""SELECT ?registro ?dia WHERE {{
    ?registro a <{VIG["RegistroFonte"]}> ; <{CRM["P129_is_about"]}> ?norma ; <{VIG["origem"]}> ?origem .
    FILTER (STRSTARTS(STR(?norma), "urn:lex:"))
    FILTER NOT EXISTS {{ ?registro <{PROV["wasAttributedTo"]}> ?provedor }}
    FILTER NOT EXISTS {{ ?registro <{VIG["curador"]}> ?curador }}
    OPTIONAL {{ ?registro <{VIG["obtidoEm"]}> ?dia }} }}"""
_WITH_PROVISIONS = f"SELECT (COUNT(DISTINCT ?norma) AS ?n) WHERE {{ ?dispositivo <{VIG['dispositivoDe']}> ?norma }}"


class Content(StrEnum):
    """What records give."""

    TEXT = "text"
    EVENTS = "events"
    DESCRIPTION = "description"
    OPERATIONS = "operations"
    RECORDS = "records"


class InText(StrEnum):
    """The text that has the changes of an act."""

    PUBLISHED = "published"
    DERIVED = "derived"


class Lack(StrEnum):
    """What is missing, if no notice of an answer states it."""

    NOT_DESCRIBED = "not-described"
    NO_TEXT = "no-text"
    NOT_WHOLE = "text-not-whole"
    SOURCE_UNDATED = "source-undated"
    ACT_NOT_IN_TEXT = "act-not-in-text"
    ACT_UNDATED = "act-undated"
    CHANGES_WITHOUT_ACT = "changes-without-act"
    NOT_UNDERSTOOD = "orders-not-understood"
    NOT_DERIVED = "operations-not-derived"
    NORMS_NOT_DERIVED = "norms-not-derived"
    REFUSED = "operations-refused"
    UNDATED = "operations-undated"
    OWN_DAY = "operations-with-own-day"
    OF_MEASURES = "operations-of-measures"
    WITHOUT_BASE = "operations-without-base"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Something that is missing.

    Attributes:
        names: the acts, norms or sources that it concerns.
        count: the number of operations, orders, provisions or records; 0 if nothing is counted.
    """

    lack: Lack
    names: tuple[str, ...] = ()
    count: int = 0


def _what(gap: Shortfall | Notice) -> str:
    """Return the English sentence on what is missing."""
    if isinstance(gap, Notice):
        return message(gap)
    counted = f" ({gap.count})" if gap.count else ""
    more = f" and {len(gap.names) - _SHOWN} more" if len(gap.names) > _SHOWN else ""
    listed = f": {', '.join(gap.names[:_SHOWN])}{more}" if gap.names else ""
    return f"{texts_in('en').text(f'coverage.{gap.lack}')}{counted}{listed}"


def _how(remedy: tuple[str, str | None]) -> str:
    """Return the English sentence on how to give what is missing, by its code and the norm of the answer."""
    (code, name), texts = remedy, texts_in("en")
    norm = "NAME" if name is None else f'"{name}"'
    key = f"coverage.give.{code}"
    official = name is None or not parse(name).local.detalhe  # official sources have the norms of the federation
    get = f"`vigente get {norm}{'' if official else ' --from sapl'}`"
    return texts.text(key if texts.has(key) else "coverage.give.other").format(norm=norm, get=get)


_What: TypeAlias = Annotated[Shortfall | Notice, PlainSerializer(_what)]
_How: TypeAlias = Annotated[tuple[str, str | None], PlainSerializer(_how)]


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the store lacks.

    Attributes:
        code: one of the codes of this answer, or that of a notice.
        names: the acts, norms, provisions or sources that it concerns.
        what: what is missing, as English text.
        how_to_give: the commands that may give it, as English text.
    """

    code: str
    names: tuple[str, ...]
    what: _What
    how_to_give: _How


@dataclass(frozen=True, slots=True)
class CoveredSource:
    """A source of the norm, with all its records.

    Attributes:
        source: the provider or curator, else the file; null for records of the store that name no provider.
        what: what its records give: ``text``, ``events`` on the norm or its provisions, ``description``,
            ``operations`` of amending acts; for the whole store ``records``.
        up_to: the last day that it covers: the day on which it was fetched, or that of the last harvest of a provider
            that lists every change; null if it states none.
        records: the number of its records.
        withdrawn: for the whole store, the number of these that were withdrawn.
    """

    source: str | None
    what: tuple[Content, ...]
    up_to: date | None
    records: Annotated[int, Field(ge=0)]
    withdrawn: Annotated[int, Field(ge=0), UNLESS_EMPTY] = 0


@dataclass(frozen=True, slots=True)
class CoveredText:
    """A text of the norm as known today.

    Attributes:
        version: the version of the norm; null if the text belongs to none.
        since: the first day of this text; null if no source dates it.
        whole: whether it has all articles, and the words of all known amendments; null for texts before the newest
            five, which are not examined.
        derived: whether it was derived from acts in the store, and nobody published it.
    """

    version: str | None
    since: Annotated[date | None, Field(serialization_alias="from")]
    whole: bool | None
    derived: bool


@dataclass(frozen=True, slots=True)
class RefusedOperation:
    """An operation that is not applied.

    Attributes:
        target: the norm or provision.
        kind: the kind of operation.
        code: why it is not applied.
    """

    target: str
    kind: OperationKind
    code: RefusalReason


@dataclass(frozen=True, slots=True)
class AmendingAct:
    """An act that changes the norm.

    Attributes:
        act: the act, canonical; with only its year if sources name it so.
        known: the day of its publication; null if no source states it.
        in_text: ``published`` if a published text has its changes, ``derived`` if only a derived text has them; null if
            no text has them yet.
        provisions: the number of provisions that it changed, inserted or repealed, according to sources.
        operations: the number of its operations on the norm; 0 if the store does not have its text.
        applied: the number of operations in derived texts.
        refused: the operations that were refused; other operations are not applied yet.
    """

    act: str
    known: date | None
    in_text: InText | None
    provisions: Annotated[int, Field(ge=0)]
    operations: Annotated[int, Field(ge=0)]
    applied: Annotated[int, Field(ge=0)]
    refused: tuple[RefusedOperation, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a store.

    Attributes:
        norms: the number of norms that it has something of.
        with_provisions: the number of norms with provisions.
        amended: the number of norms that acts in the store change.
    """

    norms: Annotated[int, Field(ge=0)]
    with_provisions: Annotated[int, Field(ge=0)]
    amended: Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a store has of a norm, as known today, and what it lacks.

    Attributes:
        name: the norm, canonical; null for the whole store.
        status: its status today; null for the whole store.
        sources: the sources of the norm; of the whole store, every provider.
        texts: the texts of the norm, the oldest first.
        amending: the acts that change the norm, the oldest first.
        missing: what is missing, and how to give it.
        counts: for the whole store, its size.
    """

    name: str | None
    status: Status | None
    sources: tuple[CoveredSource, ...]
    texts: tuple[CoveredText, ...]
    amending: tuple[AmendingAct, ...]
    missing: tuple[Missing, ...]
    counts: Annotated[Counts | None, UNLESS_NONE] = None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def coverage(store: Store, name: str | Name | None = None, *, today: date | None = None) -> Coverage:
    """Return what a store has of a norm, from whom and up to which day, and what is missing.

    Args:
        name: a name, a citation or a nickname; of a provision, its norm is meant. None for the whole store.
        today: today's civil date; default that of :func:`graph.civil.today`.

    Raises:
        BadName: the text is an invalid name.
        UnknownName: no record of the store mentions the norm, or the text may mean several.
    """
    now = today or civil_today()
    if name is None:
        return _of_store(store, now)
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # several steps read the same data
    understood = interpret(store, name).name
    if understood is None:  # acts may name a norm by a reference that the store does not have
        reference = name if isinstance(name, Name) else parse_or_none(name)
        understood = reference if reference is not None and acts(store, reference) else None
    if understood is None:
        raise UnknownName(name if isinstance(name, str) else name.text)
    return _Reading(store, understood.work, now).coverage()


class _Reading:
    """Reads the coverage of one norm."""

    def __init__(self, store: Store, norm: Name, today: date) -> None:
        self._store, self._norm, self._today = store, norm, today
        self._acts = [(from_iri(store.act_of(act.name.iri)), act) for act in acts(store, norm)]
        self._by_act = changes_by_act(store, norm)
        self._own = derived_record(norm)
        self._derived = derived_texts(store, norm)
        self._in_derived = {act for each in self._derived for act in each.acts}
        self._editions = [edition for edition in editions(store, norm.iri) if edition.text is not None]

    def coverage(self) -> Coverage:
        norm, store = self._norm, self._store
        answer = text(store, norm, self._today, self._today)
        sources = self._sources()
        amending = self._amending(answer)
        if not (sources or amending or withdrawn_for(store, norm) or unsourced_facts(store, norm, self._today)):
            raise UnknownName(norm.canonical)
        texts = self._texts(answer)
        gaps = [*self._gaps_of_sources(sources), *self._gaps_of_text(texts, answer), *self._gaps_of_acts(amending)]
        return Coverage(norm.canonical, answer.status, sources, texts, amending, _missing(gaps, norm.canonical))

    def _sources(self) -> tuple[CoveredSource, ...]:
        store, norm = self._store, self._norm
        given: dict[str, dict[Content, None]] = {}

        def add(content: Content, some: Iterable[str]) -> None:
            for record in some:
                given.setdefault(record, {})[content] = None

        add(Content.TEXT, self._select(_WITH_TEXT))
        add(Content.TEXT, (record for edition in self._editions for record in edition.version.sources))
        events = [event.record for event in store.summary(norm.iri).events()]
        events += [record for version in versions(store, norm.iri) for record in version.sources]
        events += self._select(_ON_PROVISIONS)
        add(Content.EVENTS, events)
        add(Content.DESCRIPTION, (note.iri for note in records(store, norm.iri)))
        add(Content.OPERATIONS, (act.source for _, act in self._acts))
        given.pop(self._own, None)
        grouped: dict[str, list[tuple[Record, date | None, dict[Content, None]]]] = {}
        for record in records_of(store, sorted(given)).values():
            label = record.provider or record.curator or record.origin or record.iri
            if record.curator is not None:  # a fact on a norm does not describe it
                given[record.iri].pop(Content.DESCRIPTION, None)
            grouped.setdefault(label, []).append((record, _up_to(store, record), given[record.iri]))
        return tuple(
            CoveredSource(
                label,
                tuple(content for content in Content if any(content in contents for _, _, contents in group)),
                max((day for _, day, _ in group if day is not None), default=None),
                len(group),
            )
            for label, group in sorted(grouped.items())
        )

    def _select(self, query: str) -> list[str]:
        """Return the records of a query about the norm, without that of derived texts."""
        rows = self._store.select(query, {"norma": ox.NamedNode(self._norm.iri)})
        return [record for row in rows if (record := str(row["registro"])) != self._own]

    def _texts(self, today: TextAnswer) -> tuple[CoveredText, ...]:
        """Return the texts in force over time, and those derived from acts."""
        known = self._today
        starts: dict[date, tuple[str | None, bool]] = {}
        ends: list[date] = []
        for interval in over_force(self._store, self._norm, known) if records(self._store, self._norm.iri) else ():
            if interval.version is not None:
                starts[interval.start] = interval.version, False
            elif interval.status in ENDED:
                ends.append(interval.start)
        starts |= {each.day: (None, True) for each in self._derived if each.in_use}
        rows: list[CoveredText] = []
        days = sorted(starts)
        for index, start in enumerate(days):
            version, is_derived = starts[start]
            until = min((day for day in (*days[index + 1 :], *ends) if day > start), default=None)
            whole: bool | None = None
            if len(days) - index <= _MOST_EXAMINED:
                last = known if until is None else min(known, until - ONE_DAY)
                answer = text(self._store, self._norm, max(start, last), known)
                if not answer.provisions:
                    continue
                whole = is_whole(self._store, answer, self._norm) and not any_of(answer.notices, WordsUnknown)
            rows.append(CoveredText(version, start, whole, is_derived))
        if not rows and today.provisions:
            rows.append(CoveredText(today.version, None, whole=False, derived=False))
        return tuple(rows)

    def _amending(self, answer: TextAnswer) -> tuple[AmendingAct, ...]:
        stored: dict[str, list[Act]] = {}
        for name, act in self._acts:
            stored.setdefault(name, []).append(act)
        applied, refused = self._outcomes()
        rows = []
        for name in sorted({*self._stated, *stored}, key=lambda act: (parse(act).oldest_day or date.min, act)):
            changed, repealed = self._stated.get(name, (0, 0))
            operations = [operation for act in stored.get(name, ()) for operation in act.operations]
            own = {name, *(act.name.canonical for act in stored.get(name, ()))}
            published = published_on(self._store, parse(name))
            days = [each.known for each in operations if each.known is not None]
            rows.append(
                AmendingAct(
                    name,
                    published or min(days, default=None),
                    self._text_with(own, answer, only_repeals=repealed > 0 and not changed),
                    changed + repealed,
                    len(operations),
                    sum(applied[act] for act in own & self._in_derived),
                    tuple(each for act in sorted(own) for each in refused.get(act, ())),
                )
            )
        return tuple(rows)

    def _outcomes(self) -> tuple[Counter[str], dict[str, list[RefusedOperation]]]:
        """Return the number of applied operations and the refused ones, by act. Operations without days have none."""
        applied, refused = Counter[str](), dict[str, list[RefusedOperation]]()
        outcomes = [(each.operation, each.refused) for each in self._derivation.outcomes] if self._derivation else []
        for _, act in self._acts:
            outcomes += [
                (each, each.refused) for each in act.operations if each.refused and not (each.effect and each.known)
            ]
        for operation, reason in outcomes:
            act_name = _act_of(operation)
            if reason is None:
                applied[act_name] += 1
            else:
                row = RefusedOperation(operation.target.canonical, operation.kind, reason)
                refused.setdefault(act_name, []).append(row)
        return applied, refused

    def _text_with(self, own: set[str], answer: TextAnswer, *, only_repeals: bool) -> InText | None:
        """Return the text that has the changes of an act with these names.

        It is a published text that names the act, or one of its day or later in which no act is named. Repeals need no
        words: the text of a day leaves out what an event ended.
        """
        keys = {act_key(parse(each)) for each in own}
        if keys & self._named or own & self._causes:
            return InText.PUBLISHED
        if any(own.intersection(each.acts) for each in self._derived if each.in_use):
            return InText.DERIVED
        lacking = {notice.amending for notice in answer.notices if isinstance(notice, AmendmentWithoutVersion)}
        if own & lacking:
            return None
        starts = {each.name: each.start for each in amendments(self._store, self._norm.iri)}
        days = [day for each in own if (day := starts.get(each) or parse(each).oldest_day) is not None]
        day = max(days, default=None)
        if only_repeals or (self._silent_until is not None and day is not None and day <= self._silent_until):
            return InText.PUBLISHED
        return None

    def _gaps_of_sources(self, sources: Sequence[CoveredSource]) -> Iterator[Shortfall | Notice]:
        yield from withdrawal_notices(withdrawn_for(self._store, self._norm))
        describing = [each for each in sources if {Content.TEXT, Content.DESCRIPTION}.intersection(each.what)]
        if not describing:
            yield Shortfall(Lack.NOT_DESCRIBED)
        undated = tuple(str(each.source) for each in describing if each.up_to is None)
        if undated:
            yield Shortfall(Lack.SOURCE_UNDATED, undated)
        yield from _after(describing, self._today)

    def _gaps_of_text(self, texts: Sequence[CoveredText], answer: TextAnswer) -> Iterator[Shortfall | Notice]:
        told = [notice for notice in answer.notices if isinstance(notice, _TOLD)]
        yield from told
        if not texts:
            yield Shortfall(Lack.NO_TEXT)
        elif texts[-1].whole is False and not told:
            yield Shortfall(Lack.NOT_WHOLE)

    def _gaps_of_acts(self, amending: Sequence[AmendingAct]) -> Iterator[Shortfall | Notice]:
        """Yield what is missing of the acts. Operations count only if no published text has the changes of an act."""
        unnamed = sum(self._by_act.get(None, (0, 0)))
        if unnamed:
            yield Shortfall(Lack.CHANGES_WITHOUT_ACT, count=unnamed)
        yield from _counted(Lack.ACT_UNDATED, {each.act: 0 for each in amending if each.known is None})
        unpublished = {each.act: each for each in amending if each.in_text is not InText.PUBLISHED}
        absent = [act for act, each in unpublished.items() if each.in_text is None and _MEASURE not in act]
        yield from _counted(Lack.ACT_NOT_IN_TEXT, dict.fromkeys(absent, 0))
        yield from _counted(Lack.NOT_UNDERSTOOD, dict(self._not_understood(unpublished)))
        vetoed = RefusalReason.VETOED
        refused = {act: sum(one.code is not vetoed for one in each.refused) for act, each in unpublished.items()}
        yield from _counted(Lack.REFUSED, {act: count for act, count in refused.items() if count})
        if self._derivation is None:
            return
        applied, _ = self._outcomes()
        waiting = Counter({act: count for act, count in applied.items() if act not in self._in_derived})
        called = {act.name.canonical: name for name, act in self._acts if name in unpublished}
        for lack, counts in (
            (Lack.NOT_DERIVED, waiting),
            (Lack.UNDATED, self._derivation.undated),
            (Lack.OWN_DAY, self._derivation.with_own_day),
        ):
            of_acts = {act: count for act, count in counts.items() if act.partition("!")[0] in called}
            yield from _counted(lack, {called.get(act, act): count for act, count in of_acts.items()})
        if self._derivation.measures:
            yield Shortfall(
                Lack.OF_MEASURES, tuple(act for act in called.values() if _MEASURE in act), self._derivation.measures
            )
        days = {*self._derivation.days_without_base_text}
        without_base = {
            called[act.name.canonical]: count
            for _, act in self._acts
            if (count := sum(each.effect in days for each in act.operations)) and act.name.canonical in called
        }
        yield from _counted(Lack.WITHOUT_BASE, without_base)

    def _not_understood(self, some: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield the acts with orders that were not understood, with their number."""
        for act in some:
            rows = named("orders_not_understood").rows(self._store, {"norma": to_iri(act)})
            count = max((int(str(row["textos"])) for row in rows), default=0)
            if count:
                yield act, count

    @cached_property
    def _derivation(self) -> Derivation | None:
        """The result of applying the acts in the store; None if there are none. Nothing is stored."""
        return derive(self._store, self._norm) if self._acts else None

    @property
    def _stated(self) -> Mapping[str, tuple[int, int]]:
        return {act: counts for act, counts in self._by_act.items() if act is not None}

    @cached_property
    def _naming(self) -> list[tuple[str, Name]]:
        """The acts that texts name for the words of provisions, each with the record."""
        rows = self._store.select(_WORDED_BY, {"norma": ox.NamedNode(self._norm.iri)})
        named_acts = ((str(row["registro"]), self._store.act_of(str(row["causa"]))) for row in rows)
        return [(record, parse(from_iri(act)).work) for record, act in named_acts]

    @cached_property
    def _named(self) -> frozenset[ActKey]:
        return frozenset(act_key(act) for _, act in self._naming)

    @cached_property
    def _causes(self) -> frozenset[str]:
        """The acts that made a version of the norm with a text."""
        with_text = [edition.version for edition in self._editions]
        return frozenset(act for made in causes(self._store, self._norm.iri, with_text).values() for act in made)

    @cached_property
    def _silent_until(self) -> date | None:
        """The day of the newest words in a text that names no acts; None if there is no such text."""
        naming = {record for record, _ in self._naming}
        rows = self._store.select(_NEWEST_WORDS, {"norma": ox.NamedNode(self._norm.iri)})
        days = [row["ultimo"] for row in rows if str(row["registro"]) not in naming]
        days += [edition.version.version_date for edition in self._editions]
        return max((day for day in days if isinstance(day, date)), default=None)


def _act_of(operation: Operation) -> str:
    return operation.source.work.canonical if operation.source is not None else ""


def _up_to(store: Store, record: Record) -> date | None:
    """Return the last day that a record covers: that of its fetch, else its datestamp.

    A provider over OAI-PMH lists every change of its records: the last harvest covers all of them.
    """
    today = civil_today()
    stamps = (PROV["generatedAtTime"], VIG["obtidoEm"])
    days = [leading_day(value) for stamp in stamps for _, value in store.literals(record.iri, stamp)]
    if not any(days) and record.datestamp is not None:
        days = [leading_day(record.datestamp)]
    listed = any(loader.startswith(_LISTED) for _, loader in store.literals(record.iri, VIG["carregador"]))
    if listed and record.provider is not None:
        days.append(horizon(store, provider_iri(record.provider)))
    return max((day for day in days if day is not None and day <= today), default=None)


def _after(sources: Iterable[CoveredSource], today: date) -> Iterator[Notice]:
    """Yield the notice that what was published after the last day that any source covers is not known."""
    last = max((each.up_to for each in sources if each.up_to is not None), default=None)
    if last is not None and last < today:
        yield OutsideKnowledgeHorizon(last)


def _counted(lack: Lack, counts: Mapping[str, int]) -> Iterator[Shortfall]:
    if counts:
        yield Shortfall(lack, tuple(counts), sum(counts.values()))


def _missing(gaps: Iterable[Shortfall | Notice], norm: str | None) -> tuple[Missing, ...]:
    rows = []
    for gap in gaps:
        code = gap.code if isinstance(gap, Notice) else gap.lack.value
        rows.append(Missing(code, _names(gap), gap, (code, norm)))
    return tuple(rows)


def _names(gap: Shortfall | Notice) -> tuple[str, ...]:
    match gap:
        case OrderNotApplied():
            return (gap.act, *gap.provisions)
        case DerivedDiffers() | UndecidedProvisions() | WordsUnknown():
            return gap.provisions
        case CommencementChanged():
            return gap.acts
        case Shortfall():
            return gap.names
        case _:
            return ()


def _of_store(store: Store, today: date) -> Coverage:
    horizons = {str(row["provedor"]): row["horizonte"] for row in named("providers").rows(store)}
    fetched = {str(row["registro"]): row["dia"] for row in store.select(_FILES)}
    sources = []
    for row in named("records_by_provider").rows(store):
        provider = provider_of(str(row["provedor"])) if row["provedor"] is not None else None
        days = fetched.values() if provider is None else [horizons.get(provider)]
        up_to = max((day for day in days if isinstance(day, date) and day <= today), default=None)
        counts = int(str(row["registros"])), int(str(row["retirados"]))
        sources.append(CoveredSource(provider, (Content.RECORDS,), up_to, *counts))
    amended = norms_with_operations(store)
    unknown = tuple(norm.canonical for norm in amended if not records(store, norm.iri))
    waiting = [norm.canonical for norm in amended if norm.canonical not in unknown and not derived_texts(store, norm)]
    undated = sum(day is None for day in fetched.values())
    gaps: list[Shortfall | Notice] = [*_after(sources, today)]
    gaps += [Shortfall(Lack.SOURCE_UNDATED, count=undated)] if undated else []
    gaps += [Shortfall(Lack.NOT_DESCRIBED, unknown)] if unknown else []
    gaps += [Shortfall(Lack.NORMS_NOT_DERIVED, tuple(waiting))] if waiting else []
    works = sum(int(str(row["obras"])) for row in named("works_by_type").rows(store))
    texts = next((int(str(row["n"])) for row in store.select(_WITH_PROVISIONS)), 0)
    counts_of_store = Counts(works, texts, len(amended))
    return Coverage(None, None, tuple(sources), (), (), _missing(gaps, None), counts_of_store)
