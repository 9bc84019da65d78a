"""How a provider describes itself, read leniently: what a page holds does not hang on it (OAI-PMH 2.0, section 4.2)."""

from __future__ import annotations

from dataclasses import replace

from graph.errors import BadDate
from loaders.oai_pmh.codes import DeletedRecord, DepartureCode
from loaders.oai_pmh.content import Departures
from loaders.oai_pmh.datestamps import Datestamp, Granularity, parse_datestamp
from loaders.oai_pmh.faults import shown
from loaders.oai_pmh.model import Identify
from loaders.oai_pmh.reading import Answer


def identified(answer: Answer, base_url: str) -> Identify:
    """What the answer to Identify says; what it says wrongly stands in the notes of its page.

    Args:
        answer: to the request Identify.
        base_url: what was asked, without credentials, to be compared.
    """
    said: dict[str, list[str]] = {}
    for name, text in answer.described:
        if text:
            said.setdefault(name, []).append(text)
    notes = Departures(answer.page.notes)

    def first(name: str) -> str | None:
        texts = said.get(name)
        if texts is None:
            notes.add(DepartureCode.MISSING_DESCRIPTION, f"Identify has no {name}, OAI-PMH 2.0, section 4.2")
            return None
        return texts[0]

    version = first("protocolVersion")
    if version not in {None, "2.0"}:
        notes.add(DepartureCode.WRONG_VERSION, f"protocolVersion is {shown(version or '')}: expected 2.0, section 4.2")
    named = first("baseURL")
    if named is not None and named.rstrip("/") != base_url.rstrip("/"):
        message = f"baseURL is {shown(named)}: expected {base_url}, which was asked, section 4.2"
        notes.add(DepartureCode.WRONG_BASE_URL, message)
    granularity = _granularity(first("granularity"), notes)
    written = first("earliestDatestamp")
    return Identify(
        repository_name=first("repositoryName"),
        base_url=named,
        protocol_version=version,
        admin_emails=tuple(said.get("adminEmail", ())),
        earliest=_earliest(written, granularity, notes),
        earliest_written=written,
        deleted=_deleted(first("deletedRecord"), notes),
        granularity=granularity,
        compression=tuple(said.get("compression", ())),
        page=replace(answer.page, notes=notes.told),
    )


def _granularity(text: str | None, notes: Departures) -> Granularity | None:
    for granularity in Granularity:
        if text is not None and text.lower() == granularity.lower():
            return granularity
    if text is not None:
        message = f"granularity is {shown(text)}: expected {' or '.join(Granularity)}, section 2.7.1"
        notes.add(DepartureCode.UNKNOWN_WORD, message)
    return None


def _deleted(text: str | None, notes: Departures) -> DeletedRecord | None:
    for deleted in DeletedRecord:
        if text is not None and text.lower() == deleted:
            return deleted
    if text is not None:
        message = f"deletedRecord is {shown(text)}: expected {', '.join(DeletedRecord)}, section 2.5.1"
        notes.add(DepartureCode.UNKNOWN_WORD, message)
    return None


def _earliest(text: str | None, granularity: Granularity | None, notes: Departures) -> Datestamp | None:
    if text is None:
        return None
    try:
        stamp = parse_datestamp(text)
    except BadDate as error:
        notes.add(DepartureCode.BAD_EARLIEST, f"earliestDatestamp: {error}")
        return None
    if stamp.doubt:
        notes.add(DepartureCode.BAD_EARLIEST, f"earliestDatestamp is {shown(text)}: {stamp.doubt}")
    elif granularity is not None and stamp.granularity is not granularity:
        message = f"earliestDatestamp is {shown(text)}, the granularity {granularity}: they differ, section 2.7.1"
        notes.add(DepartureCode.OTHER_GRANULARITY, message)
    return stamp
