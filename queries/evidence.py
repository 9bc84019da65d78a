"""The data of an answer: versions, events, records and horizons of one name, read through the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote

from graph.civil import Counting, parse_counting, today
from graph.errors import BadDate, BadName
from graph.read_model.subject import decided_effect
from graph.store import Store
from graph.summaries import DecidedRow, EventRow, RecordRow, notation
from graph.terms import Cell
from graph.urn import Name, from_iri, parse, to_iri
from graph.urn.values import Forma
from ontology.events import EventKind
from ontology.iris import hashed_iri, provider_of
from ontology.namespaces import DC, VIG
from queries.answers import Expression, ItemAnswer
from queries.catalogue import named
from queries.notices import ActDays, CuratedFact
from queries.reasons import ANNULS, EventMeaning, Reason, are_declarations

#: The words for the first version of a work (LexML 1.0 part 2, section 12.5).
FIRST_VERSION = ("versao.original", "inicio.vigencia")

#: The characters that mark the name of a version or text (LexML 1.0 part 2, sections 12 and 13; RFC 9676, section 7.1).
#: Such names have no summary.
_OF_A_NORM = re.compile("[@~$]")
_CURATOR, _CITED, _HORIZON = VIG["curador"], DC["source"], VIG["horizonte"]

_PUBLICATION = EventKind.PUBLICACAO
_REVOCATION = EventKind.REVOGACAO
_AMENDMENT, _WORDING, _VETO, _ENTRY = EventKind.ALTERACAO, EventKind.REDACAO, EventKind.VETO, EventKind.ENTRADA_VIGOR
#: The start of force of a norm by a wording of its clause of commencement.
_START = EventKind.INICIO_VIGENCIA
#: The event that starts the force of a provision on its own day.
OWN_START = EventKind.VIGENCIA_PROPRIA
#: The events of a text that a source may date by the signature of the act.
_OF_ACTS = frozenset({_AMENDMENT, _WORDING, EventKind.ASSINATURA, EventKind.RESTAURACAO})
_LATEST = "9999"


@dataclass(frozen=True, slots=True)
class Version:
    """A version and view of a work, as its name states it, with the records that name it.

    Attributes:
        iri: the IRI of the version.
        name: its name.
        version_date: the first day of force; None if the name has none.
        word: the word of the name in place of a day, such as ``versao.original``.
        event: the event of the name, such as ``publicacao``.
        view_date: the first day on which it could be known; None if the name has none.
        order: the rank among views of one version made on one day.
        sources: the IRIs of the records that name it.
        inserts: whether it inserts the provision.
        counted: the counting of its first day of force; None if that day is stated.
        meaning, of_act: as in :class:`queries.reasons.Reason`.
    """

    iri: str
    name: str
    version_date: date | None
    word: str | None
    event: str | None
    view_date: date | None
    order: int
    sources: tuple[str, ...]
    inserts: bool = False
    counted: Counting | None = None
    meaning: EventMeaning | None = None
    of_act: bool = False

    def fits(self, asked: Name, known: Sequence[Version]) -> bool:
        """Return whether this version agrees with every part of a name (LexML 1.0 part 2, sections 12.3 and 12.5).

        Args:
            asked: a name with a version.
            known: all versions of the work: ``@inicio.vigencia`` and ``@versao.original`` mean the first start.
        """
        without_form = asked if asked.forma is None else asked.with_forma(None)
        if asked.versao is None or self.name == without_form.canonical:
            return self.name == without_form.canonical
        if asked.versao.palavra in FIRST_VERSION or not (asked.versao.palavra or asked.versao.datas):
            first = min((v.version_date for v in known if v.version_date is not None), default=None)
            if first is None or self.version_date != first:
                return False
        elif asked.version_date is None or self.version_date != asked.version_date:
            return False
        if asked.event is not None and asked.event != self.event:
            return False
        return not asked.versao.visao or asked.view_date == self.view_date is not None

    def reasons(self, causes: Mapping[str, Sequence[str]]) -> Iterator[Reason]:
        """Yield the event that made the view, once for each cause from :func:`queries.causes.causes`."""
        for cause in causes.get(self.name) or (None,):
            yield Reason(
                event=self.event,
                effect=_as_text(self.version_date),
                known=_as_text(self.view_date),
                cause=cause,
                source=self.sources[0] if self.sources else None,
                version=self.name,
                counted=self.counted,
                meaning=self.meaning,
                of_act=self.of_act,
            )


def bounds_of(version: Name) -> tuple[date, date] | None:
    """Return the bounds of the first day of a version, both included; None if the day is exact.

    >>> bounds_of(parse("urn:lex:br:federal:lei:2001-03-05;99901@inicio.vigencia;alteracao;[2003-01-01,2003-12-31]"))
    (datetime.date(2003, 1, 1), datetime.date(2003, 12, 31))
    """
    reference = version.versao
    if reference is None or reference.datas or not reference.visao_periodo or len(reference.visao) != 2:
        return None
    return reference.visao[0], reference.visao[1]


class RecordNote(NamedTuple):
    """A source record about a name."""

    iri: str
    datestamp: str | None
    provider: str | None
    horizon: date | None


def _as_text(value: Cell) -> str | None:
    if value is None:
        return None
    return value.isoformat() if isinstance(value, date) else str(value)


def versions(store: Store, work: str) -> list[Version]:
    """Return all versions and views of a work, ordered by version date, view date, rank and name; undated ones last."""
    return store.memoized((versions, work), lambda: _versions(store, work))


def _versions(store: Store, work: str) -> list[Version]:
    versions_by_iri: dict[str, Version] = {}
    summary = store.summary(work)
    counted = summary.counted()
    for row in summary.versions():
        known = versions_by_iri.get(row.iri)
        versions_by_iri[row.iri] = Version(
            *row[:7],
            (*known.sources, row.record) if known is not None else (row.record,),
            row.inserts,
            _counting(counted.get((row.iri, row.record))) or (known.counted if known is not None else None),
        )
    promulgated = {(row.effect, row.known) for row in _promulgations(work, summary.events())}
    for iri, version in versions_by_iri.items():
        days = (_as_text(version.version_date), _as_text(version.view_date))
        is_promulgation = version.event == _AMENDMENT and None not in days and days in promulgated
        versions_by_iri[iri] = replace(
            version,
            meaning=EventMeaning.OVERTURNED_VETO if is_promulgation else None,
            of_act=version.event in _OF_ACTS
            and (
                version.version_date == version.view_date
                if version.version_date is not None
                else bounds_of(parse(version.name)) is not None
            )
            and summary.records_with_dates_of_acts.issuperset(version.sources),
        )
    last = date.max
    return sorted(
        versions_by_iri.values(), key=lambda v: (v.version_date or last, v.view_date or last, v.order, v.name)
    )


def _counting(text: str | None) -> Counting | None:
    """Return the counting in a text; None if there is none, or if the mapping writes another form."""
    try:
        return parse_counting(text) if text is not None else None
    except BadDate:
        return None


def _date(day: str | None) -> date | None:
    return date.fromisoformat(day) if day is not None else None


def lifecycle_events(store: Store, work: str, known: date | None = None) -> Iterator[tuple[str, Reason]]:
    """Yield the events that act on a work, by IRI, once per record; without events that made a text.

    The days that no source states are those that the rules of evidence decided (docs/reference/rules-of-evidence.md).

    Args:
        work: the IRI of a norm or provision.
        known: K, a civil date: the first day of force of a causing norm is that known on K; None for that known last.
    """
    summary = store.summary(work)
    counted = summary.counted()
    rows = summary.events()
    decided = summary.decided_days()
    clauses, promulgations = _clause_changes(work, rows), _promulgations(work, rows)
    for row in rows:
        cause = from_iri(row.cause) if row.cause is not None else None
        counting = _counting(counted.get((row.iri, row.record)))
        event = row.kind
        meaning = EventMeaning.OVERTURNED_VETO if row in promulgations else None
        days = decided.get(row.iri)
        is_counted = days is not None or "/" not in (row.effect or "")  # else from a publication that nobody states
        reason = Reason(
            event,
            row.effect,
            row.known,
            cause,
            row.record,
            counted=counting if is_counted else None,
            meaning=EventMeaning.COMMENCEMENT_CLAUSE if row in clauses else meaning,
            of_act=event in {*_OF_ACTS, _REVOCATION, _VETO}
            and row.effect is not None
            and row.effect == row.known
            and row.record in summary.records_with_dates_of_acts,
            named=from_iri(row.named) if row.named is not None and row.named != row.cause else None,
        )
        yield row.iri, reason if days is None else _with_decided_days(store, reason, row, days, known)


def _with_decided_days(store: Store, reason: Reason, row: EventRow, days: DecidedRow, known: date | None) -> Reason:
    """Return a reason with the days that the rules of evidence decided where its source leaves them open."""
    effect = decided_effect(store, row, days, known)
    changed = effect is not None and effect != reason.effect
    signed = parse(reason.cause).work.representative_date if changed and reason.cause is not None else None
    counted, published = reason.counted, _date(days.known)
    if counted is not None and published is not None:  # until then, the publication was known only within bounds
        counted = replace(counted, since=published)
    return replace(
        reason,
        counted=None if counted is not None and counted.number == 0 and changed else counted,
        effect=effect,
        known=days.known or reason.known,
        of_act=reason.of_act and (not changed or effect == _as_text(signed)),
    )


def _clause_changes(work: str, rows: Iterable[EventRow]) -> frozenset[EventRow]:
    """Return the events that changed the clause of commencement of a norm: they state no first day of force.

    An event without a cause is one of them if another event names an act that changed the clause: the clause of a
    provisional measure lapsed, for example.
    """
    norm = from_iri(work)
    changes = [
        row for row in rows if row.effect is None and row.known is not None and "!" not in norm and row.kind == _ENTRY
    ]
    causes = {from_iri(row.cause).partition("!")[0] for row in changes if row.cause is not None} - {norm}
    return frozenset(row for row in changes if causes and (row.cause is None or norm != from_iri(row.cause)))


def _promulgations(work: str, rows: Iterable[EventRow]) -> frozenset[EventRow]:
    """Return the events by which a vetoed provision was promulgated: the first wording after its veto, by one act.

    A wording that another act made is an amendment.
    """
    every = list(rows)
    vetoes = {(row.record, _act(work, row.cause)) for row in every if row.kind == _VETO}
    if not vetoes:
        return frozenset()
    first: dict[str, EventRow] = {}
    for row in every:
        if row.kind == _WORDING:
            first[row.record] = min(row, first.get(row.record, row), key=lambda each: each.known or _LATEST)
    vetoed = {record for record, _ in vetoes}
    return frozenset(
        row
        for record, row in first.items()
        if record in vetoed and (row.cause is None or (record, _act(work, row.cause)) in vetoes)
    )


def _act(work: str, cause: str | None) -> Name:
    """Return the act that caused an event; the norm itself if no act is stated."""
    return parse(from_iri(cause or work)).work


def horizon(store: Store, provider: str) -> date | None:
    """Return the last harvested day of a provider, a civil date, by the provider's IRI.

    None if there is none, or if it is in the future: a file without a day of fetch may state any datestamp.
    """
    day = store.memoized(
        (horizon, provider),
        lambda: next((date.fromisoformat(day) for _, day in store.literals(provider, _HORIZON)), None),
    )
    return day if day is None or day <= today() else None


def derived_record(norm: Name) -> str:
    """Return the IRI of the record with the derived texts of a norm."""
    return hashed_iri("derivado", norm.work.canonical)


def records(store: Store, name: str) -> list[RecordNote]:
    """Return the source records about a name, by its IRI: a norm or provision, or a version or text of one."""
    if _OF_A_NORM.search(name) is None:
        return store.memoized(
            (records, name), lambda: [record_note(store, row) for row in store.summary(name).records()]
        )
    return [
        record_note(store, RecordRow(str(row["registro"]), _as_text(row["provedor"]), _as_text(row["datestamp"])))
        for row in named("records_about").rows(store, {"nome": name})
    ]


def record_note(store: Store, row: RecordRow) -> RecordNote:
    """Return a record with the last harvested day of its provider."""
    if row.provider is None:
        return RecordNote(row.record, row.datestamp, None, None)
    return RecordNote(row.record, row.datestamp, provider_of(row.provider), horizon(store, row.provider))


def curators(store: Store, because: Iterable[Reason], spoken: Iterable[RecordNote]) -> list[CuratedFact]:
    """Return the notices of curated reasons: each curator with each source once.

    Args:
        because: the reasons of an answer.
        spoken: records that were already read, with their providers.
    """
    provided = {note.iri for note in spoken if note.provider is not None}
    notices = (
        CuratedFact(curator, cited)
        for record in sorted({reason.source for reason in because if reason.source is not None} - provided)
        for _, curator in store.literals(record, _CURATOR)
        for _, cited in store.literals(record, _CITED) or ((None, None),)
    )
    return list(dict.fromkeys(notices))


def copies(
    store: Store, work: str, version: str, only: Forma | None = None
) -> tuple[tuple[Expression, ...], tuple[ItemAnswer, ...]]:
    """Return the texts of a version, or of a work if copies name no version, and the copies at their publishers.

    Args:
        work: the IRI of the norm or provision.
        version: the IRI of its version, or of itself.
        only: form and languages of one text; the result is then only that text with its copies.
    """
    known = store.summary(work)
    texts = known.texts(version)
    if only is not None:
        texts = [text for text in texts if _form_of_name(from_iri(text.iri)) == (only.tipo, only.linguas)]
    expressions: dict[tuple[str, str | None], Expression] = {}
    for text in texts:
        name = from_iri(text.iri)
        form, language = (notation(each) if each is not None else None for each in (text.form, text.language))
        if form is None or language is None:
            form_in_name, languages_in_name = _form_of_name(name)
            form, language = form or form_in_name, language or next(iter(languages_in_name), None)
        expressions[name, language] = Expression(name, language, form)
    items = {
        copy.iri: ItemAnswer(copy.url, copy.format, copy.kind, copy.publisher)
        for copy in known.copies({*([version] if only is None else []), *(text.iri for text in texts)})
    }
    return tuple(expressions.values()), tuple(items.values())


def copies_with_anchor(store: Store, provision: Name) -> Iterator[ItemAnswer]:
    """Yield the copies of a norm in which a source has an anchor of a provision, with the address of the provision."""
    fragment = str(provision.fragmento.partes[0]) if provision.fragmento is not None else ""
    norm = provision.work.iri
    known = store.summary(norm)
    held = {norm, *(version.iri for version in versions(store, norm)), *known.realised()}
    for copy in known.copies(held):
        for _, anchors in store.literals(copy.iri, VIG["ancoras"]) if copy.url is not None else ():
            anchor = dict(pair.split("#", 1) for pair in anchors.split(" ")).get(fragment)
            if anchor is not None:
                yield ItemAnswer(f"{copy.url}#{quote(anchor)}", copy.format, copy.kind, copy.publisher)


def _form_of_name(text: str) -> tuple[str, tuple[str, ...]]:
    """Return form and languages from the name of a text; printed texts without a name have none."""
    if not text.startswith("urn:lex:"):
        return "", ()
    form = parse(text).forma
    return (form.tipo, form.linguas) if form is not None else ("", ())


def equivalents(store: Store, work: str) -> list[str]:
    """Return other names that a source calls equivalent to this one, in either direction; they are never merged."""
    names = (from_iri(str(row["equivalente"])) for row in named("other_names_of_norm").rows(store, {"norma": work}))
    return list(dict.fromkeys(names))


def wording_dates(store: Store, provision_versions: Iterable[str]) -> bool:
    """Return whether a source of these versions dates wordings by signature (docs/reference/sources.md).

    Only the first 50 versions are read.
    """
    few = map(parse, islice(provision_versions, 50))
    return any(name.iri in store.summary((name.provision or name.work).iri).dated_by_act() for name in few)


def is_dated_by_act(store: Store, version: str, day: date | None = None) -> bool:
    """Return whether a version begins on a day only because its source dates wordings by the act that made them.

    Args:
        version: the name of a version.
        day: a first day of force, or the last possible one; None for the day in the name of the version.
    """
    name = parse(version)
    if name.event not in _OF_ACTS or name.versao is None:
        return False
    if name.version_date is not None:
        stated = name.version_date if name.version_date == name.view_date else None
    else:
        stated = name.versao.visao[-1] if name.versao.visao_periodo else None
    if stated is None or day not in (None, stated):
        return False
    return store.memoized((is_dated_by_act, version), lambda: wording_dates(store, [version]))


def day_of_act(store: Store, version: str) -> date | None:
    """Return the day of signature of the act that made a version, if the name of the version has only bounds.

    Args:
        version: the name of a version.

    Returns:
        None if the sources name no act or several, or if the store has no day of the act within these bounds.
    """
    return store.memoized((day_of_act, version), lambda: next(_days_of_act(store, parse(version)), None))


def _days_of_act(store: Store, version: Name) -> Iterator[date]:
    bounds = bounds_of(version)
    if bounds is None:
        return
    made = store.summary((version.provision or version.work).iri).causes()
    acts = {parse(from_iri(cause)).work for stated, cause in made if from_iri(stated) == version.canonical}
    signed = acts.pop().representative_date if len(acts) == 1 else None
    if signed is not None and bounds[0] <= signed <= bounds[1]:
        yield signed


def act_days(store: Store, because: Iterable[Reason]) -> Iterator[ActDays]:
    """Yield the days of the causing acts, if the store states more days than the reasons (docs/explanation/time.md)."""
    distinct: dict[ActDays, None] = {}
    for reason in because:
        days = _act_days(store, reason) if reason.cause is not None else None
        if days is not None:
            distinct[days] = None
    yield from distinct


def published_on(store: Store, norm: Name) -> date | None:
    """Return the first day on which a norm was published, a civil date; None if no source states it."""
    public = (version.view_date for version in versions(store, norm.iri) if version.event == _PUBLICATION)
    return min((day for day in public if day is not None), default=None)


def publication_day(store: Store, name: str) -> date | None:
    """Return the first day on which the norm of a name was published; None if unknown, or if the name is invalid."""
    try:
        return published_on(store, parse(name).work)
    except BadName:
        return None


def declared_void(store: Store, name: Name) -> bool:
    """Return whether a norm or provision is annulled only by declarations of unconstitutionality.

    For a provision without an annulment of its own, the annulments of its norm count.
    """
    for target in dict.fromkeys((name, name.work)):
        annulled = [reason for _, reason in lifecycle_events(store, target.iri) if reason.event in ANNULS]
        if annulled:
            return are_declarations(annulled)
    return False


def _act_days(store: Store, reason: Reason) -> ActDays | None:
    try:
        act, named = parse(reason.cause or "").work, parse(_name_of_cause(store, reason)).work
    except BadName:
        return None
    signed = act.representative_date
    if signed is None:
        return None
    published = published_on(store, act)
    of_signature = reason.known == signed.isoformat()
    later = published is not None and published > signed and of_signature
    unpublished = published is None and of_signature and reason.event == _START
    if act == named and not later and not unpublished:
        return None
    return ActDays(act.canonical, named.canonical, signed, published)


def _name_of_cause(store: Store, reason: Reason) -> str:
    """Return the source's own name of the cause of a reason; that with only the year if sources have several."""
    if reason.version is None:
        return reason.named or reason.cause or ""
    made = parse(reason.version)
    stated = store.summary((made.provision or made.work).iri).names_of_cause(made.iri, to_iri(reason.cause or ""))
    return from_iri(stated[-1]) if stated else reason.cause or ""
