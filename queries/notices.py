"""What a reader of an answer has to know beside it, as far as one norm or provision gives rise to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from graph.entities import Situation
from graph.store import Store
from graph.urn import Name, parse
from queries.answers import Notice, Reason
from queries.catalogue import named
from queries.causes import amendments
from queries.evidence import WORDING, RecordNote, Version, wording_dates
from queries.question import Question
from queries.text.editions import editions
from queries.text.parts import text_of

__all__ = [
    "before_norm",
    "beyond_horizon",
    "missing_amendments",
    "no_version_dates",
    "of_wording",
    "undated",
    "unused_parts",
]

#: How many of many names a message has.
_SHOWN = 5


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
        yield Notice(
            "parts-not-used",
            f"the name asks by a day; the answer leaves out what else it says: {', '.join(unused)}",
        )


def beyond_horizon(spoken: Iterable[RecordNote], as_known: date) -> Iterator[Notice]:
    """Told where K, a civil date, lies after the newest harvest of the records, or nobody says when that was."""
    newest = [note.horizon for note in spoken if note.horizon is not None]
    if not newest:
        yield Notice("no-harvest-date", "no source of this answer says when it was harvested")
        return
    horizon = max(newest)
    if horizon < as_known:
        yield Notice(
            "outside-knowledge-horizon",
            f"the newest record of the providers is of {horizon}; what they published later is not known here",
        )


def missing_amendments(store: Store, work: Name, known: Iterable[Version], as_known: date) -> Iterator[Notice]:
    """Told where a source says that the norm was amended, and no version shows it; as known on K, a civil date."""
    starts = {v.version_date for v in known} - {None}
    for one in amendments(store, work.iri):
        if one.start not in starts and one.known <= as_known:
            yield Notice(
                "amendment-without-version",
                f"a source says that {one.name} amends this norm, but no version known here starts with it",
            )


def before_norm(norm: Name, answering: Iterable[Version]) -> Iterator[Notice]:
    """Told where a version is dated before its norm: force that reaches back, or a source that errs; nobody can tell.

    Args:
        norm: the norm or provision; its name says the earliest day of the norm.
        answering: those of its versions that the answer rests on.
    """
    oldest = norm.oldest_day
    if oldest is None:
        return
    told = []
    for one in answering:
        said = (("in force from", one.version_date), ("known from", one.view_date))
        days = " and ".join(f"{what} {day}" for what, day in said if day is not None and day < oldest)
        if days:
            told.append(f"{one.name} ({days})")
    if told:
        shown = ", ".join(told[:_SHOWN]) + (" ..." if len(told) > _SHOWN else "")
        yield Notice(
            "dates-before-norm",
            f"the name of the norm allows no day before {oldest}, and a source dates earlier: {shown}",
        )


def of_wording(store: Store, norm: Name, version: str) -> Iterator[Notice]:
    """What else a reader of a provision's wording has to know.

    A version is made by what a source says to have begun on a day, never by its words: where those are missing it
    is a version all the same, or the words before it would be told as still in force.

    Args:
        norm: the norm that the provision is of.
        version: the version of the provision, by its canonical name.
    """
    if wording_dates(store, (version,)):
        yield WORDING
    rows = list(named("wording").rows(store, {"parte": text_of(version)}))
    if any(row["situacao"] == Situation.VETADO for row in rows):
        yield Notice("vetoed", "the provision was vetoed: the text has its place, not its words")
    worded = any(row[key] is not None for row in rows for key in ("nome", "conteudo", "situacao"))
    labelled = any(row["rotulo"] is not None for row in rows)
    if labelled and not worded:  # as of an article, whose words are those of the provisions in it
        provision = parse(version).provision
        held = named("provisions_within").rows(store, {"dispositivo": provision.iri}) if provision is not None else ()
        worded = any(True for _ in held)
    if not worded and any(edition.text is not None for edition in editions(store, norm.iri)):
        yield Notice("words-unknown", "no source has the words of this version")


def no_version_dates(name: Name) -> Notice:
    """Nothing dates a norm but its own name."""
    if name.representative_date is not None:
        day = name.representative_date.isoformat()
    else:
        day = f"the year {name.representative_year}" if name.representative_year else "none"
    return Notice(
        "no-version-dates",
        "no source says from when this is in force: records without a version name give only the "
        f"representative date ({day})",
    )


def undated(reasons: Sequence[Reason], known: Iterable[Version]) -> Notice:
    """Why a gap is unknown, in words."""
    return Notice("undated", _undated(reasons, known))


def _undated(reasons: Sequence[Reason], known: Iterable[Version]) -> str:
    vague = [r for r in reasons if r.version is None]
    if vague:
        kinds = ", ".join(sorted({r.event or "an event" for r in vague}))
        return f"the sources state {kinds} but not exactly from when on, so these days cannot be decided"
    words = sorted({v.word for v in known if v.word is not None})
    if words:
        return f"a source names the version by a word ({', '.join(words)}) instead of its first day of force"
    missing = []
    if any(r.effect is None for r in reasons):
        missing.append("its first day of force")
    if any(r.known is None for r in reasons):
        missing.append("since when it was known")
    return f"a source names a version but not {' nor '.join(missing)}"
