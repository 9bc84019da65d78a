"""Messages of typed values: the fields of notices and reasons, and their English sentences as plain text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum

import queries.notices as n
from graph.civil import ONE_DAY
from graph.time.kinds import Axis, Status
from graph.urn import parse
from graph.wording.marks import situation_mark
from graph.wording.provisions import articles_in_words
from ontology.events import FIRST_TEXT_EVENTS
from queries.naming import Agreement, MatchReason
from queries.reasons import Explanation, Reason
from words import messages
from words.messages import SHOWN, Listing
from words.texts import Texts, texts_in

#: The maximum number of characters of a quotation.
_QUOTED = 120


@dataclass(frozen=True, slots=True)
class Days:
    """The days ``[start, until)``; None for an end that is not known."""

    start: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class Articles:
    """Sequences of articles, each by the numbers of its first and of its last one."""

    gaps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PlainWriter:
    """Writes values as plain text in English.

    Attributes:
        event: returns the label of an event for its notation; the notation itself by default.
        named: returns the label of a norm, provision or version for its name; the name itself by default.
    """

    event: Callable[[str], str] = str
    named: Callable[[str], str] = str

    @property
    def texts(self) -> Texts:
        return texts_in("en")

    def fields_of(self, value: object) -> Mapping[str, object] | None:
        return fields_of(value)

    def write(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:  # noqa: ARG002
        match form, value:
            case (("short" | "first" | "name"), str()):
                return self.named(value)
            case _, MatchReason():
                return match_message([value], self.named)
            case "event", str():
                return self.event(value)
            case "last", date():
                return str(value - ONE_DAY)
            case _, Days(start=date() as start, until=until):
                last = until - ONE_DAY if until is not None else None
                key = "days.from" if until is None else "days.from_until"
                return self.texts.text(key).format(start=start, last=last)
            case _:
                return self.text(value, form)

    def text(self, value: object, form: str) -> str:
        """Return a value that is written alike as plain text and on an English page."""
        match form, value:
            case "quoted", _:
                return repr(value)
            case "cut", str():
                return repr(value if len(value) <= _QUOTED else f"{value[:_QUOTED]}...")
            case "mark", str():
                return situation_mark(value, "", english=True)
            case "fragments", str():
                return value.rpartition("!")[2]
            case _, Articles():
                return articles_in_words(value.gaps, "en")
            case "spaced", Enum():
                return str(value.value).replace("-", " ")
            case _, Enum():
                return str(value.value)
            case _:
                return str(value)


def fields_of(value: object) -> dict[str, object] | None:
    """Return the fields of a dataclass and those that follow from them; None for any other value."""
    if not dataclasses.is_dataclass(value) or isinstance(value, Days | Articles | MatchReason):
        return None
    made: dict[str, object] = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {**made, **_derived(value)}


def notice_fields(notice: n.Notice) -> dict[str, object]:
    """Return the fields of the message of a notice."""
    made = fields_of(notice)
    assert made is not None  # noqa: S101 - a notice is a dataclass
    return made


def _derived(value: object) -> dict[str, object]:  # noqa: PLR0911, PLR0912 - a table
    """Return the fields that follow from those of a notice, or of a value in one."""
    match value:
        case n.Ambiguous():
            return {"names": Listing.of(value.names, value.count, more=value.more and not value.nickname)}
        case n.AgreesInPart():
            return {"names": Listing.of(value.names, more=value.more)}
        case n.ArticlesMissing():
            return {"gaps": Articles(tuple((gap.first, gap.last) for gap in value.gaps))}
        case n.ProvisionUnknown():
            return {"extent": "whole" if value.day is not None else "part" if value.nearest is not None else "none"}
        case n.SeveralOccupants():
            return {"count": len(value.occupants)}
        case n.Occupant():
            return {"days": Days(value.start, value.until) if value.start is not None else None}
        case n.RecordWithdrawn():
            dated = "day" if value.withdrawn_on is not None else None
            if value.curated:
                return {"end": "curated-day" if dated else "curated"}
            return {"end": "missing" if value.missing_since is not None else dated or "undated"}
        case n.UnknownVersion():
            is_near = value.day is not None and value.neighbours
            return {"kind": "views" if value.views else "near" if is_near else "none"}
        case n.View():
            return {"kind": _which(event=value.event, day=value.day)}
        case n.DatedVersion():
            return {"kind": _which(version=value.version_date, view=value.view_date)}
        case n.Undated():
            return {"kind": next((field for field in ("events", "words", "missing") if getattr(value, field)), None)}
        case n.DatesBeforeNorm():
            return {"versions": Listing.of(value.versions, more=len(value.versions) > SHOWN)}
        case n.DerivedDiffers():
            return {"some": Listing.of(value.provisions, more=len(value.provisions) > SHOWN)}
        case n.NextToCome() | n.MostRecentPast():
            return {"verb": value.axis}
        case n.ActDays():
            return {"named": value.named if value.named != value.act else None}
        case n.SourcesContradict():
            return {"name": value.names[0]}
        case n.MeasureLapsed():
            lost = "earlier" if value.is_earlier else value.end
            return {"lost": lost, "changed": value.provisions, "since": value.effect}
        case n.EfficacyDiffers():
            own = {Status.UNKNOWN, Status.SUSPENDED, Status.VACATIO}
            effect = "stands" if value.status.stands else value.status if value.status in own else "without"
            days = Days(value.since, value.until) if value.since is not None or value.until is not None else None
            because = {(reason.event, reason.effect, reason.known, reason.cause): reason for reason in value.because}
            return {"effect": effect, "days": days, "apart": days, "because": tuple(because.values())}
        case n.TextUnknown():
            return {"original": parse(value.version).event in FIRST_TEXT_EVENTS}
        case _:
            return {}


def _which(**values: object) -> str:
    """Return the name of the only value that is not None; ``both``, or ``none``."""
    given = [name for name, value in values.items() if value is not None]
    return given[0] if len(given) == 1 else "both" if given else "none"


def message(notice: n.Notice, event: Callable[[str], str] = str, named: Callable[[str], str] = str) -> str:
    """Return the English sentence of a notice.

    Args:
        notice: of :data:`queries.notices.AnyNotice`.
        event, named: as for :class:`PlainWriter`.

    >>> message(n.OutsideKnowledgeHorizon(date(2010, 1, 1)))
    'the newest record of the providers is of 2010-01-01; what they published later is not known here'
    """
    return messages.message(f"notice.{notice.CODE}", notice_fields(notice), PlainWriter(event, named))


def why_unknown(notices: Iterable[n.Notice]) -> str:
    """Return a line on why a text identifies no name: each notice, with its code unless it is ``unknown-name``."""
    return "; ".join(
        message(notice) if isinstance(notice, n.UnknownName) else f"{notice.code}: {message(notice)}"
        for notice in notices
    )


def match_message(why: Iterable[MatchReason], named: Callable[[str], str] = str) -> str:
    """Return a line on why a name is possible; ``named`` is as for :func:`message`.

    >>> match_message([MatchReason(Agreement.NUMBER), MatchReason(Agreement.FULL_DATE, "1990-09-11")])
    'the number matches; its full date is 1990-09-11'
    """
    writer = PlainWriter(named=named)
    return "; ".join(messages.message(f"why.{reason.code}", match_fields(reason), writer) for reason in why)


def match_fields(reason: MatchReason) -> dict[str, object]:
    """Return the fields of the message of a match reason."""
    axis = Axis(reason.value) if reason.code is Agreement.IN_FORCE and reason.value is not None else None
    days = Days(reason.since, reason.until) if reason.since is not None else None
    return {"value": reason.value, "axis": axis, "day": reason.since, "days": days, "known": reason.known}


def reason_message(reason: Reason) -> str:
    """Return the English line of a reason."""
    made = fields_of(reason)
    assert made is not None  # noqa: S101 - a reason is a dataclass
    return messages.message("reason", made, PlainWriter())


def explanation_message(explanation: Explanation) -> str:
    """Return the English line of a reason, with its role in a dossier."""
    return f"{texts_in('en').text(f'role.{explanation.role}')}: {reason_message(explanation.reason)}"
