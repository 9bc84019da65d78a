"""Rules for notices: on one norm or provision, and on provisional measures (MPV)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import Situation
from graph.urn import Name, from_iri, parse, to_iri
from ontology.events import EVENTS, EventKind
from queries.catalogue import named
from queries.causes import amendments, causes
from queries.evidence import RecordNote, Version, lifecycle_events, versions, wording_dates
from queries.notices import (
    AmendmentWithoutVersion,
    CommencementChanged,
    ConversionGap,
    DatedVersion,
    DatesBeforeNorm,
    DatesOfWording,
    MeasureEnd,
    MeasureLapsed,
    MissingDay,
    NoHarvestDate,
    Notice,
    NoVersionDates,
    OutsideKnowledgeHorizon,
    PartsNotUsed,
    Undated,
    Vetoed,
    WordsUnknown,
)
from queries.provisions import editions, held, holding, text_of, with_own_periods
from queries.question import Question
from queries.reasons import Reason, flattened


def unused_parts(question: Question) -> Iterator[Notice]:
    """Yield a notice on the parts of a temporal reference that the answer does not use."""
    reference = question.reference
    if not question.steps:
        return
    view = reference.view_date if reference.view_date != question.as_known else None
    parts: list[object] = [reference.event, view, reference.forma and reference.forma.tipo]
    if reference.propriedade is not None:
        parts.append(reference.version_date)
    unused = [str(part) for part in parts if part is not None]
    if unused:
        yield PartsNotUsed(tuple(unused))


def beyond_horizon(spoken: Iterable[RecordNote], as_known: date) -> Iterator[Notice]:
    """Yield a notice if K, a civil date, is after the newest harvest of the records, or that harvest is not known."""
    newest = [note.horizon for note in spoken if note.horizon is not None]
    if not newest:
        yield NoHarvestDate()
        return
    horizon = max(newest)
    if horizon < as_known:
        yield OutsideKnowledgeHorizon(horizon)


def missing_amendments(store: Store, work: Name, known: Iterable[Version], as_known: date) -> Iterator[Notice]:
    """Yield a notice if a source states an amendment of the norm, but no effect of it, as known on K, a civil date.

    An effect is a version of the norm that starts with the amendment, or an event of one of its provisions.
    """
    starts = {v.version_date for v in known} - {None}
    for amendment in amendments(store, work.iri):
        if (
            amendment.start not in starts
            and amendment.known <= as_known
            and not _acts_on_a_provision(store, work, amendment.name)
        ):
            yield AmendmentWithoutVersion(amendment.name)


def _acts_on_a_provision(store: Store, work: Name, act: str) -> bool:
    """Return whether an event of a provision of the norm has the act as its cause, whenever it became known."""
    rows = named("effects_of_norm").rows(store, {"norma": act})
    targets = (parse(from_iri(str(row["alvo"]))) for row in rows)
    return any(target.work == work and target.provision is not None for target in targets)


def before_norm(norm: Name, answering: Iterable[Version]) -> Iterator[Notice]:
    """Yield a notice if a version is dated before its norm: retroactive force, or an error of the source.

    Args:
        norm: the norm or provision; its name has the earliest day of the norm.
        answering: its versions used in the answer.
    """
    oldest = norm.oldest_day
    if oldest is None:
        return
    dated = (
        DatedVersion(version.name, _if_before(version.version_date, oldest), _if_before(version.view_date, oldest))
        for version in answering
    )
    earlier = tuple(version for version in dated if version.version_date is not None or version.view_date is not None)
    if earlier:
        yield DatesBeforeNorm(oldest, earlier)


def _if_before(day: date | None, oldest: date) -> date | None:
    return day if day is not None and day < oldest else None


def wording_notices(store: Store, norm: Name, version: str) -> Iterator[Notice]:
    """Yield the notices on the wording of a provision.

    If a source states the start of a version, the version exists even if its text is missing. Otherwise the earlier
    text would be returned as in force.

    Args:
        norm: the norm of the provision.
        version: the version of the provision, by its canonical name.
    """
    if wording_dates(store, (version,)):
        yield DatesOfWording()
    text, _, fragment = text_of(version).rpartition("!")
    parts = [part for part in store.names.parts(to_iri(text), (fragment,)) if part.fragment == fragment]
    if any(part.situation == Situation.VETADO for part in parts):
        yield Vetoed()
    worded = any((part.heading, part.words, part.situation) != (None, None, None) for part in parts)
    if not worded and any(
        part.label is not None for part in parts
    ):  # for example an article, whose text is in its parts
        provision = parse(version).provision
        worded = provision is not None and any(part != provision.iri for part in held(store, provision))
    if not worded and any(edition.text is not None for edition in editions(store, norm.iri)):
        yield WordsUnknown()


#: The event of a changed clause of commencement, which states no day.
_ENTRY = EventKind.ENTRADA_VIGOR


def changed_commencement(store: Store, norm: Name, as_known: date) -> Iterator[Notice]:
    """Yield a notice if the clause of commencement of a norm was changed, and no source states the effect of that.

    Args:
        as_known: K, a civil date.
    """
    acts: dict[str, None] = {}
    changed = False
    for _, reason in lifecycle_events(store, norm.iri):
        known = day_stated(reason.known)
        if reason.event == _ENTRY and reason.effect is None and known is not None and known.possible_on(as_known):
            changed = True
            acts.update(dict.fromkeys([parse(reason.cause).work.canonical] if reason.cause is not None else []))
    if changed:
        yield CommencementChanged(norm.canonical, tuple(acts))


def no_version_dates(name: Name) -> NoVersionDates:
    """Return the notice on a norm that is dated only by its own name."""
    return NoVersionDates(name.representative_date, name.representative_year)


def undated_notice(reasons: Sequence[Reason], known: Iterable[Version]) -> Undated:
    """Return the notice of an unknown period: the days that no source states."""
    vague = [r for r in reasons if r.version is None]
    if vague:
        return Undated(events=tuple(sorted({r.event for r in vague if r.event is not None})))
    words = sorted({v.word for v in known if v.word is not None})
    if words:
        return Undated(words=tuple(words))
    missing = [MissingDay.START] if any(r.effect is None for r in reasons) else []
    if any(r.known is None for r in reasons):
        missing.append(MissingDay.KNOWN)
    return Undated(missing=tuple(missing))


_LAPSES: dict[str, MeasureEnd] = {EventKind.CADUCIDADE: MeasureEnd.LAPSED, EventKind.REJEICAO: MeasureEnd.REJECTED}
_CONVERSION = EventKind.CONVERSAO
#: The type of document.
_MEASURE = "medida.provisoria"


def measure_notices(store: Store, target: Name, because: Sequence[Reason], on: date, known: date) -> Iterator[Notice]:
    """Yield the notices for an answer based on a provisional measure that ended, or for a day between it and its law.

    Args:
        target: the requested norm or provision.
        because: the reasons of the answer.
        on, known: D and K, civil dates.
    """
    notices: dict[Notice, None] = {}
    if _is_measure(target.work):
        for end in _known_endings(store, target, known):
            if end.event in _LAPSES and _is_before(on, end):
                notices[_lapse_notice(target.work, end, _LAPSES[end.event])] = None
            notices.update(dict.fromkeys(_gap_notices(store, target.work, end, on, known)))
    for reason in flattened(because):
        measure = parse(reason.cause) if reason.cause is not None and _MEASURE in reason.cause else None
        if measure is None or not _is_measure(measure.work):
            continue
        for end in _known_endings(store, measure, known):
            if _has_begun(on, reason) and _is_before(on, end):
                if end.event in _LAPSES:
                    notices[_lapse_notice(measure.work, end, _LAPSES[end.event])] = None
                elif not is_kept(store, target, reason, end, known) and not _is_renumbered(store, target, known):
                    notices[_lapse_notice(measure.work, end, MeasureEnd.NOT_KEPT)] = None
            if end.event == _CONVERSION and is_kept(store, target, reason, end, known):
                notices.update(dict.fromkeys(_gap_notices(store, measure.work, end, on, known)))
    for reason in flattened(because):
        notices.update(dict.fromkeys(_fallen_insertions(store, target, reason, known, notices)))
    yield from notices


def _fallen_insertions(
    store: Store, target: Name, reason: Reason, known: date, already: Collection[Notice]
) -> Iterator[MeasureLapsed]:
    """Yield the notice on a provision that a measure inserted, and that ended with the measure.

    A source may state the end of the provision only, and not that of the measure.

    Args:
        target: the provision.
        reason: an event that decided the answer; it may be the end of the provision.
        known: K, a civil date.
        already: the notices on measures; a measure has one.
    """
    if target.provision is None or reason.event not in _LAPSES or _is_renumbered(store, target, known):
        return
    noted = {notice.measure for notice in already if isinstance(notice, MeasureLapsed)}
    made = causes(store, target.iri, versions(store, target.iri)).values()
    if not all(any(_MEASURE in cause for cause in of_version) for of_version in made):
        return  # the measure changed an existing provision, whose text is in force again
    for cause in dict.fromkeys(cause for of_version in made for cause in of_version):
        if _MEASURE not in cause:
            continue
        measure = parse(cause).work
        if measure.canonical not in noted:
            yield MeasureLapsed(measure.canonical, _end_of_measure(store, measure, reason, known), reason.effect)


def _end_of_measure(store: Store, measure: Name, reason: Reason, known: date) -> MeasureEnd:
    """Return how a measure ended, by the end of a provision that it inserted and the endings that sources state."""
    if reason.cause is not None and _MEASURE not in reason.cause:
        return MeasureEnd.NOT_KEPT
    ends = [
        MeasureEnd.NOT_KEPT if end.event == _CONVERSION else _LAPSES[end.event]
        for end in _known_endings(store, measure, known)
        if end.event is not None
    ]
    return ends[0] if len(set(ends)) == 1 else MeasureEnd.NOT_STATED


def changed_by_measures(store: Store, norm: Name, on: date, known: date) -> tuple[str, ...]:
    """Return the provisions of a norm for which :func:`measure_notices` may give a notice.

    Args:
        on, known: D and K, civil dates.

    Returns:
        The IRIs of all provisions on which a provisional measure acts or whose version one made. Empty if no measure
        matters on D, because the law that converted each of them is in force.
    """
    measures = store.cached((changed_by_measures, norm.iri), lambda: _measures_by_provision(store, norm))
    acting = {measure for _, measure in measures} | ({norm.canonical} if _is_measure(norm) else set())
    if not any(_may_give_notice(store, parse(measure), on, known) for measure in sorted(acting)):
        return ()
    return tuple(dict.fromkeys(provision for provision, _ in measures))


def _measures_by_provision(store: Store, norm: Name) -> tuple[tuple[str, str], ...]:
    """Return the IRI of each provision of a norm with the canonical name of each measure that changed it."""
    measures: list[tuple[str, str]] = []
    for provision in (iri for iri, changed in with_own_periods(store, norm.iri).items() if changed):
        known = store.summary(provision)
        causes_ = {event.cause for event in known.events()} | {cause for _, cause in known.causes()}
        measures.extend((provision, from_iri(cause)) for cause in causes_ if cause is not None and _MEASURE in cause)
    return tuple(measures)


def _may_give_notice(store: Store, measure: Name, on: date, known: date) -> bool:
    """Return whether a measure may give a notice on D: it ends after D, or D is before the law that converted it."""
    return any(
        _is_before(on, end) or any(True for _ in _gap_notices(store, measure.work, end, on, known))
        for end in _known_endings(store, measure, known)
    )


def _is_measure(work: Name) -> bool:
    return work.tipo_documento[:1] == (_MEASURE,) and work.oldest_day is not None


def _known_endings(store: Store, measure: Name, known: date) -> list[Reason]:
    """Return the lapse, rejection or conversion of a measure, or of a part of it, as certainly known on K."""
    names = dict.fromkeys((measure.work.iri, (measure.provision or measure.work).iri))
    return [
        reason
        for name in names
        for _, reason in lifecycle_events(store, name)
        if reason.event in {*_LAPSES, _CONVERSION}
        and (reason.known is None or ((day := day_stated(reason.known)) is not None and day.certain_on(known)))
    ]


def _is_before(on: date, end: Reason) -> bool:
    """Return whether D may be before the first day without the measure."""
    day = day_stated(end.effect)
    return day is None or not day.certain_on(on)


def _has_begun(on: date, reason: Reason) -> bool:
    """Return whether an act may have effect on D."""
    day = day_stated(reason.effect)
    return day is None or day.possible_on(on)


def _lapse_notice(measure: Name, end: Reason, how: MeasureEnd) -> Notice:
    return MeasureLapsed(measure.canonical, how, end.effect)


def is_kept(store: Store, target: Name, reason: Reason, conversion: Reason, known: date) -> bool:
    """Return whether the law that converted a measure kept one of its acts: it has a similar act on the same target.

    Args:
        target: the norm or provision that the measure changed.
        reason: the act of the measure.
        conversion: the conversion. If it names no law, the result is True, because no omission can be stated.
        known: K, a civil date.
    """
    if conversion.cause is None:
        return True
    law = parse(conversion.cause).work.canonical
    if reason.version is not None:
        views = [
            version
            for version in versions(store, target.iri)
            if version.view_date is None or version.view_date <= known
        ]
        made = causes(store, target.iri, views)
        return any(parse(cause).work.canonical == law for view in views for cause in made.get(view.name, ()))
    effect = _effect(reason.event)
    return any(
        event.cause is not None and parse(event.cause).work.canonical == law and _effect(event.event) is effect
        for _, event in lifecycle_events(store, target.iri)
        if event.known is None or ((day := day_stated(event.known)) is not None and day.possible_on(known))
    )


def _is_renumbered(store: Store, target: Name, known: date) -> bool:
    """Return whether an act other than a measure gave the words of a provision to another one of its article.

    A law of conversion may keep a provision of its measure with another number.
    """
    containers = [from_iri(container) for container in holding(store, target)[:-1]] if target.provision else []
    if not containers:
        return False
    words = set(_words_by_version(store, target, known).values())
    for iri in held(store, parse(containers[-1])):
        other = parse(from_iri(iri))
        if other == target:
            continue
        made = causes(store, other.iri, versions(store, other.iri))
        for version, text in _words_by_version(store, other, known).items():
            if text in words and any(_MEASURE not in cause for cause in made.get(version, ())):
                return True
    return False


def _words_by_version(store: Store, provision: Name, known: date) -> dict[str, str]:
    """Return the words of a provision by the name of the version, in lower case and without punctuation."""
    rows = named("history_of_provision").rows(store, {"dispositivo": provision.canonical, "conhecido": known})
    return {
        from_iri(str(row["versao"])): text
        for row in rows
        if row["versao"] is not None and (text := "".join(filter(str.isalnum, str(row["conteudo"] or "").casefold())))
    }


def _effect(event: str | None) -> object:
    term = EVENTS.get(event or "")
    return term.effect if term is not None else event


def _gap_notices(store: Store, measure: Name, end: Reason, on: date, known: date) -> Iterator[Notice]:
    """Yield a notice if D is between the end of a converted measure and the start of the law that converted it."""
    if end.event != _CONVERSION or end.cause is None or _is_before(on, end):
        return
    law = parse(end.cause).work
    starts = [
        version.version_date
        for version in versions(store, law.iri)
        if version.version_date is not None and (version.view_date is None or version.view_date <= known)
    ]
    if starts and on < min(starts):
        yield ConversionGap(measure.canonical, end.effect, law.canonical, min(starts))
