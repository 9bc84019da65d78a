"""Notices about provisional measures (MPV): what lapsed, was rejected, or was converted into a law that starts later.

Constitution, art. 62, as amended by EC 32/2001: measures edited before its publication do not lapse (its art. 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.store import Store
from graph.urn import Name, parse
from ontology.events import EVENTS
from queries.catalogue import named
from queries.causes import causes
from queries.chains import flattened
from queries.evidence import day_stated, happenings, versions
from queries.notices import ConversionGap, MeasureEnd, MeasureLapsed, Notice
from queries.reasons import Reason

_LAPSES = {"caducidade": MeasureEnd.LAPSED, "rejeicao": MeasureEnd.REJECTED}
_CONVERSION = "conversao"
#: The type of document.
_MEASURE = "medida.provisoria"
#: The publication of EC 32/2001.
_SINCE = date(2001, 9, 12)


def measure_notices(store: Store, target: Name, because: Iterable[Reason], on: date, known: date) -> Iterator[Notice]:
    """Notices for an answer that rests on a provisional measure which ended, or that lies between it and its law.

    Args:
        store: an opened store.
        target: the norm or provision asked.
        because: the reasons of the answer.
        on, known: D and K, civil dates.

    Raises:
        StoreProblem: the store cannot be read.
    """
    found: dict[Notice, None] = {}
    if _is_measure(target.work):
        for end in _ends(store, target, known):
            if end.event in _LAPSES and _is_before(on, end):
                found[_lapsed(target.work, end, _LAPSES[end.event])] = None
            found.update(dict.fromkeys(_gap(store, target.work, end, on, known)))
    for reason in flattened(because):
        measure = parse(reason.cause) if reason.cause is not None and _MEASURE in reason.cause else None
        if measure is None or not _is_measure(measure.work):
            continue
        for end in _ends(store, measure, known):
            if _has_begun(on, reason) and _is_before(on, end):
                if end.event in _LAPSES:
                    found[_lapsed(measure.work, end, _LAPSES[end.event])] = None
                elif not _is_kept(store, target, reason, end, known):
                    found[_lapsed(measure.work, end, MeasureEnd.NOT_KEPT)] = None
            if end.event == _CONVERSION and _is_kept(store, target, reason, end, known):
                found.update(dict.fromkeys(_gap(store, measure.work, end, on, known)))
    yield from found


def changed_by_measures(store: Store, norm: Name) -> tuple[str, ...]:
    """The provisions of a norm, by IRI, on which a provisional measure acts or whose version one made.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return store.lasting((changed_by_measures, norm.iri), lambda: tuple(_changed_by_measures(store, norm)))


def _changed_by_measures(store: Store, norm: Name) -> Iterator[str]:
    rows = named("provisions_with_life").rows(store, {"norma": norm.iri})
    living = {str(row["dispositivo"]) for row in rows if row["redacoes"] is not None}
    for provision in sorted(living):
        known = store.summary(provision)
        causes_ = {told.cause for told in known.events()} | {cause for _, cause in known.causes()}
        if any(cause is not None and _MEASURE in cause for cause in causes_):
            yield provision


def _is_measure(work: Name) -> bool:
    """Whether it is a provisional measure that lapses where it is not converted."""
    edited = work.oldest_day
    return work.tipo_documento[:1] == (_MEASURE,) and edited is not None and edited >= _SINCE


def _ends(store: Store, measure: Name, known: date) -> list[Reason]:
    """The lapse, rejection or conversion of a measure, or of a part of it, as surely known on K."""
    names = dict.fromkeys((measure.work.iri, (measure.provision or measure.work).iri))
    return [
        reason
        for name in names
        for _, reason in happenings(store, name)
        if reason.event in {*_LAPSES, _CONVERSION}
        and (reason.known is None or ((day := day_stated(reason.known)) is not None and day.certain_on(known)))
    ]


def _is_before(on: date, end: Reason) -> bool:
    """Whether D is not surely on or after the first day without the measure."""
    day = day_stated(end.effect)
    return day is None or not day.certain_on(on)


def _has_begun(on: date, reason: Reason) -> bool:
    """Whether an act may have effect on D."""
    day = day_stated(reason.effect)
    return day is None or day.possible_on(on)


def _lapsed(measure: Name, end: Reason, how: MeasureEnd) -> Notice:
    return MeasureLapsed(measure.canonical, how, end.effect)


def _is_kept(store: Store, target: Name, reason: Reason, conversion: Reason, known: date) -> bool:
    """Whether the law that converted a measure has an act of its own like one of the measure on the same target."""
    if conversion.cause is None:
        return True  # which law it is nobody says, so nothing is said of what it left out
    law = parse(conversion.cause).work.canonical
    if reason.version is not None:
        views = [one for one in versions(store, target.iri) if one.view_date is None or one.view_date <= known]
        made = causes(store, target.iri, views)
        return any(parse(cause).work.canonical == law for view in views for cause in made.get(view.name, ()))
    effect = _effect(reason.event)
    return any(
        one.cause is not None and parse(one.cause).work.canonical == law and _effect(one.event) is effect
        for _, one in happenings(store, target.iri)
        if one.known is None or ((day := day_stated(one.known)) is not None and day.possible_on(known))
    )


def _effect(event: str | None) -> object:
    term = EVENTS.get(event or "")
    return term.effect if term is not None else event


def _gap(store: Store, measure: Name, end: Reason, on: date, known: date) -> Iterator[Notice]:
    """Told where D lies between the end of a converted measure and the start of the law that converted it."""
    if end.event != _CONVERSION or end.cause is None or _is_before(on, end):
        return
    law = parse(end.cause).work
    starts = [
        one.version_date
        for one in versions(store, law.iri)
        if one.version_date is not None and (one.view_date is None or one.view_date <= known)
    ]
    if starts and on < min(starts):
        yield ConversionGap(measure.canonical, end.effect, law.canonical, min(starts))
