"""The metadata in the head of a norm's page: its canonical address, a description, and the norm in schema.org."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from graph.civil import ONE_DAY
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import place_label, type_label
from queries.answers import InForce, ItemAnswer
from service.web.http.name_paths import name_path
from service.web.laid_out import Span
from service.web.names.versions import gives_words
from service.web.pages.frame import Frame, web_address
from service.web.pages.text_status import authority_of

_CONTEXT = "https://schema.org"
#: The maximum number of characters of the description.
_LONGEST = 300
#: The schema.org terms for the status of today. Undecided and partial statuses have none.
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
class PageData:
    """The data for the metadata of a norm's page.

    Attributes:
        target: the norm or provision.
        version: the version that the page shows, canonical; None where it shows none.
        title: the title in words.
        nicknames, summaries: as sources have them.
        amends: the names of the norms that it amends.
        items: the copies of the version.
        today: the answer for today, as known today.
        query: the days in the address of the text shown, where the name alone identifies another text; else empty.
        wording: the version of an inner provision that changed the text last, where there is one; else None.
        days: the days of force on which the text reads so, as known today. None where no text is in force, or where the
            page shows an earlier day of knowledge.
    """

    target: Name
    version: str | None
    title: str
    nicknames: Sequence[str]
    summaries: Sequence[str]
    amends: Sequence[str]
    items: Sequence[ItemAnswer]
    today: InForce
    query: str = ""
    wording: str | None = None
    days: Span | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata in the head of the page.

    Attributes:
        canonical: the address of the text shown, with a day only where the name alone identifies another text.
        description: the text for link previews.
        data: the norm in schema.org, as a JSON document.
    """

    canonical: str
    description: str
    data: dict[str, object]


def metadata_of(frame: Frame, data: PageData, vocabulary: Vocabulary, sentence: str) -> Metadata:
    """Return the metadata of the page of a norm.

    Args:
        data: the data of the page.
        vocabulary: the labels of types, places and authorities.
        sentence: the status as a sentence, the description of a norm without an ementa.
    """
    named = data.target if data.version is None or not gives_words(parse(data.version)) else parse(data.version)
    canonical = frame.base + name_path(named.canonical) + data.query
    description = next(iter(data.summaries), sentence)
    if len(description) > _LONGEST:
        description = f"{description[: _LONGEST - 1]}…"
    properties = {
        "@context": _CONTEXT,
        "@type": "Legislation",
        "@id": canonical,
        "url": canonical,
        "name": data.title,
        **_name_metadata(data, vocabulary),
        **_date_metadata(data),
        **_relation_metadata(frame, data),
        "encoding": list(_encodings(data.items)),
    }
    return Metadata(
        canonical, description, {key: value for key, value in properties.items() if value not in (None, [], "")}
    )


def _name_metadata(data: PageData, vocabulary: Vocabulary) -> dict[str, object]:
    name = data.target
    place = place_label(";".join((name.local.pais, *name.local.detalhe)), vocabulary)
    return {
        "legislationIdentifier": data.version or name.canonical,
        "alternateName": list(data.nicknames),
        "abstract": list(data.summaries),
        "legislationType": type_label(name, "pt", vocabulary),
        "legislationJurisdiction": {"@type": "AdministrativeArea", "name": place},
        "legislationPassedBy": _passed_by(name, vocabulary),
    }


def _passed_by(name: Name, vocabulary: Vocabulary) -> dict[str, object] | None:
    """Return the authority that passed the norm; None where the name only has the level of government."""
    authority = authority_of(name, vocabulary)
    return {"@type": "Organization", "name": authority} if authority is not None else None


def _date_metadata(data: PageData) -> dict[str, object]:
    issued = data.target.representative_date
    version = parse(data.wording or data.version) if data.version is not None else None
    began = version.version_date if version is not None else None
    if data.query and data.days is not None and began is not None:
        # an inner provision changed since then; its day may be known only within bounds
        began = max(began, data.days.start) if not data.days.open_start else None
    return {
        "legislationDate": issued.isoformat() if issued is not None else None,
        "legislationDateVersion": began.isoformat() if began is not None else None,
        "temporalCoverage": _coverage(data.days) if data.days is not None and data.version is not None else None,
        "legislationLegalForce": _force(data),
    }


def _coverage(days: Span) -> str | None:
    """Return the days of force as a closed interval of ISO 8601-2. ``..`` marks an open bound.

    A bound is left out where the status on its other side is unknown. None where both are left out.
    """
    first = "" if days.open_start else str(days.start) if days.start > date.min else ".."
    last = "" if days.open_until else ".."
    if days.until is not None and not days.open_until:
        last = str(days.until - ONE_DAY)
    return f"{first}/{last}" if first or last else None


def _force(data: PageData) -> str | None:
    """Return the legal force today of the text shown. An older text is never in force."""
    current = data.today.version
    if data.version is not None and current is not None and (current.name != data.version or _is_past(data)):
        return _FORCE[Status.REVOKED]
    return _FORCE.get(data.today.status)


def _is_past(data: PageData) -> bool:
    """Return whether the text shown is of today's version, but is not today's text."""
    return data.days is not None and not data.days.holds(data.today.on)


def _relation_metadata(frame: Frame, data: PageData) -> dict[str, object]:
    norm = data.target.work
    return {
        "exampleOfWork": _work(frame, data.target.canonical) if data.version is not None else None,
        "isPartOf": _work(frame, norm.canonical) if data.target != norm else None,
        "legislationAmends": [_work(frame, name) for name in data.amends],
    }


def _work(frame: Frame, name: str) -> dict[str, object]:
    return {"@type": "Legislation", "@id": frame.base + name_path(name), "legislationIdentifier": name}


def _encodings(items: Iterable[ItemAnswer]) -> Iterable[dict[str, object]]:
    """Yield the copies with addresses that a browser may follow."""
    for item in items:
        if web_address(item.url) is not None:
            properties = {"@type": "LegislationObject", "contentUrl": item.url, "encodingFormat": item.format}
            yield {key: value for key, value in properties.items() if value is not None}
