"""When an answer has a notice, as far as one norm or provision gives rise to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from graph.entities import Situation
from graph.store import Store
from graph.urn import Name, parse
from queries.catalogue import named
from queries.causes import amendments
from queries.evidence import RecordNote, Version, wording_dates
from queries.notices import (
    AmendmentWithoutVersion,
    DatedVersion,
    DatesBeforeNorm,
    DatesOfWording,
    Missing,
    NoHarvestDate,
    Notice,
    NoVersionDates,
    OutsideKnowledgeHorizon,
    PartsNotUsed,
    Undated,
    Vetoed,
    WordsUnknown,
)
from queries.question import Question
from queries.reasons import Reason
from queries.text.editions import editions
from queries.text.parts import text_of


def unused_parts(question: Question) -> Iterator[Notice]:
    """A temporal reference asks by its day; what else it says of a version is told, not dropped in silence."""
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
    """Told where K, a civil date, lies after the newest harvest of the records, or nobody says when that was."""
    newest = [note.horizon for note in spoken if note.horizon is not None]
    if not newest:
        yield NoHarvestDate()
        return
    horizon = max(newest)
    if horizon < as_known:
        yield OutsideKnowledgeHorizon(horizon)


def missing_amendments(store: Store, work: Name, known: Iterable[Version], as_known: date) -> Iterator[Notice]:
    """Told where a source says that the norm was amended, and no version shows it; as known on K, a civil date."""
    starts = {v.version_date for v in known} - {None}
    for one in amendments(store, work.iri):
        if one.start not in starts and one.known <= as_known:
            yield AmendmentWithoutVersion(one.name)


def before_norm(norm: Name, answering: Iterable[Version]) -> Iterator[Notice]:
    """Told where a version is dated before its norm: force that reaches back, or a source that errs; nobody can tell.

    Args:
        norm: the norm or provision; its name says the earliest day of the norm.
        answering: those of its versions that the answer rests on.
    """
    oldest = norm.oldest_day
    if oldest is None:
        return
    dated = (
        DatedVersion(one.name, _if_before(one.version_date, oldest), _if_before(one.view_date, oldest))
        for one in answering
    )
    earlier = tuple(one for one in dated if one.version_date is not None or one.view_date is not None)
    if earlier:
        yield DatesBeforeNorm(oldest, earlier)


def _if_before(day: date | None, oldest: date) -> date | None:
    return day if day is not None and day < oldest else None


def of_wording(store: Store, norm: Name, version: str) -> Iterator[Notice]:
    """What else a reader of a provision's wording has to know.

    A version is made by what a source says to have begun on a day, never by its words: where those are missing it
    is a version all the same, or the words before it would be told as still in force.

    Args:
        norm: the norm that the provision is of.
        version: the version of the provision, by its canonical name.
    """
    if wording_dates(store, (version,)):
        yield DatesOfWording()
    rows = list(named("wording").rows(store, {"parte": text_of(version)}))
    if any(row["situacao"] == Situation.VETADO for row in rows):
        yield Vetoed()
    worded = any(row[key] is not None for row in rows for key in ("nome", "conteudo", "situacao"))
    labelled = any(row["rotulo"] is not None for row in rows)
    if labelled and not worded:  # as of an article, whose words are those of the provisions in it
        provision = parse(version).provision
        held = named("provisions_within").rows(store, {"dispositivo": provision.iri}) if provision is not None else ()
        worded = any(True for _ in held)
    if not worded and any(edition.text is not None for edition in editions(store, norm.iri)):
        yield WordsUnknown()


def no_version_dates(name: Name) -> NoVersionDates:
    """The notice of a norm that nothing dates but its own name."""
    return NoVersionDates(name.representative_date, name.representative_year)


def undated(reasons: Sequence[Reason], known: Iterable[Version]) -> Undated:
    """The notice of a gap that is unknown: which days nobody states."""
    vague = [r for r in reasons if r.version is None]
    if vague:
        return Undated(events=tuple(sorted({r.event for r in vague if r.event is not None})))
    words = sorted({v.word for v in known if v.word is not None})
    if words:
        return Undated(words=tuple(words))
    missing = [Missing.START] if any(r.effect is None for r in reasons) else []
    if any(r.known is None for r in reasons):
        missing.append(Missing.KNOWN)
    return Undated(missing=tuple(missing))
