"""What a page of a norm tells machines in its head: its one address, a summary, and the norm in schema.org."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import authority_label, place_label, type_label
from queries.answers import InForce, ItemAnswer
from queries.reasons import Status
from service.web.http.name_paths import name_path
from service.web.pages.frame import Frame
from service.web.pages.rendering import web_address
from service.web.text_cache import Span

#: Authorities that are levels of government, as of norms of high rank (LexML 1.0 part 2, section 8.3.3).
_LEVELS = frozenset({"federal", "estadual", "distrital", "municipal"})
_CONTEXT = "https://schema.org"
#: Longest description, in characters.
_LONGEST = 300
#: What schema.org calls a status of today; one that the sources do not decide, or that is half of one, is left out.
_FORCE = {
    Status.IN_FORCE: f"{_CONTEXT}/InForce",
    Status.VACATIO: f"{_CONTEXT}/NotInForce",
    Status.REVOKED: f"{_CONTEXT}/NotInForce",
    Status.ANNULLED: f"{_CONTEXT}/NotInForce",
    Status.EXPIRED: f"{_CONTEXT}/NotInForce",
    Status.CONVERTED: f"{_CONTEXT}/NotInForce",
    Status.VETOED: f"{_CONTEXT}/NotInForce",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a page of a norm knows.

    Attributes:
        target: the norm or provision.
        version: the version that it shows, canonical; None where it shows none.
        title: in words.
        nicknames, summaries: as sources have them.
        amends: names of the norms that it amends.
        items: copies of the version.
        today: the answer for today, as known today.
        shown: the answer that the page shows.
        query: the days that lead to the text that is shown, where the name alone leads to another; else empty.
        wording: the version that words the text last, where that is one of a provision within; else None.
        days: of force, on which the text reads so, as known today; None where nothing is in force, or today's
            knowledge is another.
    """

    target: Name
    version: str | None
    title: str
    nicknames: Sequence[str]
    summaries: Sequence[str]
    amends: Sequence[str]
    items: Sequence[ItemAnswer]
    today: InForce
    shown: InForce
    query: str = ""
    wording: str | None = None
    days: Span | None = None


@dataclass(frozen=True, slots=True)
class Embedded:
    """What the head of the page has.

    Attributes:
        canonical: the address of what is shown; with a day only where the name alone leads elsewhere.
        description: for who shows a link to the page.
        data: the norm in schema.org, as a JSON document.
    """

    canonical: str
    description: str
    data: dict[str, object]


def embedded(frame: Frame, said: Said, vocabulary: Vocabulary, sentence: str) -> Embedded:
    """What the head of the page of a norm has.

    Args:
        frame: what stands around the page.
        said: what it knows.
        vocabulary: what types, places and authorities are called.
        sentence: its status, which describes a norm without an ementa.
    """
    canonical = frame.base + name_path(said.version or said.target.canonical) + said.query
    description = next(iter(said.summaries), sentence)
    if len(description) > _LONGEST:
        description = f"{description[: _LONGEST - 1]}…"
    found = {
        "@context": _CONTEXT,
        "@type": "Legislation",
        "@id": canonical,
        "url": canonical,
        "name": said.title,
        **_named(said, vocabulary),
        **_in_time(said),
        **_related(frame, said),
        "encoding": list(_encodings(said.items)),
    }
    return Embedded(canonical, description, {key: value for key, value in found.items() if value not in (None, [], "")})


def _named(said: Said, vocabulary: Vocabulary) -> dict[str, object]:
    name = said.target
    place = place_label(";".join((name.local.pais, *name.local.detalhe)), vocabulary)
    return {
        "legislationIdentifier": said.version or name.canonical,
        "alternateName": list(said.nicknames),
        "abstract": list(said.summaries),
        "legislationType": type_label(name, "pt", vocabulary),
        "legislationJurisdiction": {"@type": "AdministrativeArea", "name": place},
        "legislationPassedBy": _passed_by(name, vocabulary),
    }


def _passed_by(name: Name, vocabulary: Vocabulary) -> dict[str, object] | None:
    """Who passed it; None where the name says no more than the level of government."""
    authority = ",".join(map(";".join, name.autoridade))
    if authority in _LEVELS:
        return None
    return {"@type": "Organization", "name": authority_label(authority, vocabulary)}


def _in_time(said: Said) -> dict[str, object]:
    issued = said.target.representative_date
    version = parse(said.wording or said.version) if said.version is not None else None
    began = version.version_date if version is not None else None
    if said.query and said.days is not None and said.days.first is not None and began is not None:
        began = max(began, said.days.first)  # a provision that changed since makes it another text
    return {
        "legislationDate": issued.isoformat() if issued is not None else None,
        "legislationDateVersion": began.isoformat() if began is not None else None,
        "temporalCoverage": _coverage(said.days) if said.days is not None and said.version is not None else None,
        "legislationLegalForce": _force(said),
    }


def _coverage(days: Span) -> str | None:
    """The days of force as an interval of ISO 8601-2, which includes its last day: ``..`` where nothing ends it.

    A bound on whose other side nobody knows how it stands is unknown, and so left out; None where both are.
    """
    first = "" if days.open_first else str(days.first or "..")
    last = "" if days.open_until else ".."
    if days.until is not None and not days.open_until:
        last = str(days.until - timedelta(days=1))
    return f"{first}/{last}" if first or last else None


def _force(said: Said) -> str | None:
    """Whether what the page shows is in force today: an older version is not, whatever became of the norm."""
    current = said.today.version
    if said.version is not None and current is not None and (current.name != said.version or _is_past(said)):
        return _FORCE[Status.REVOKED]
    return _FORCE.get(said.today.status)


def _is_past(said: Said) -> bool:
    """Whether the text that is shown, though of the version of today, is not that of today."""
    days, now = said.days, said.today.on
    if days is None:
        return False
    return (days.first is not None and now < days.first) or (days.until is not None and days.until <= now)


def _related(frame: Frame, said: Said) -> dict[str, object]:
    norm = said.target.work
    return {
        "exampleOfWork": _work(frame, said.target.canonical) if said.version is not None else None,
        "isPartOf": _work(frame, norm.canonical) if said.target != norm else None,
        "legislationAmends": [_work(frame, name) for name in said.amends],
    }


def _work(frame: Frame, name: str) -> dict[str, object]:
    return {"@type": "Legislation", "@id": frame.base + name_path(name), "legislationIdentifier": name}


def _encodings(items: Iterable[ItemAnswer]) -> Iterable[dict[str, object]]:
    """The copies whose addresses a browser may be sent to."""
    for item in items:
        if web_address(item.url) is not None:
            found = {"@type": "LegislationObject", "contentUrl": item.url, "encodingFormat": item.format}
            yield {key: value for key, value in found.items() if value is not None}
