"""OAI-PMH responses and bare ``oai_lexml`` records: from bytes to records (OAI-PMH 2.0, section 2.5; LexML part 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote, urlsplit

from lxml import etree

from graph.civil import leading_day
from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.today import today as civil_today
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import shown
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.oai_lexml.record import read_lexml
from loaders.xml import SPACE, Element, iter_elements, local_name, plain_text, value
from ontology.iris import content_iri, hashed_iri

KIND = "oai_lexml"
LOADER = "oai_lexml/4"
#: Root elements of what is read.
ROOTS = frozenset({"OAI-PMH", "LexML", "record"})

_OTHER_ANSWERS = frozenset({"Identify", "ListSets", "ListMetadataFormats"})
_RECORDS = frozenset({"record", "LexML"})
_NAMES = frozenset({*_RECORDS, "header", "request", "error", *_OTHER_ANSWERS})
_DELETED = "deleted"
_LONGEST_IDENTIFIER = 4096
# `oai:` and a path as RFC 3987, section 2.2 has them, less `#`, which would begin a fragment.
_OAI = re.compile(r"oai:(?!//)[^#]", re.ASCII)
_TO_ENCODE = re.compile(r"[^A-Za-z0-9._~:/?@!$&'()*+,;=\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef-]")


def record_iri(identifier: str, provider: str | None) -> str:
    """The named graph of a record, from its identifier at the provider (OAI-PMH 2.0, section 2.4).

    An identifier of the scheme ``oai`` is itself, with the characters that no IRI may hold percent-encoded, and ``%``
    too: different identifiers have different graphs. Any other is hashed together with its provider, so that it cannot
    pass for something else in the graph.

    >>> record_iri("oai:ssinf.senado.gov.br:njur/[102415]", None)
    'oai:ssinf.senado.gov.br:njur/%5B102415%5D'
    >>> record_iri("oai:x:a b", None), record_iri("oai:x:a%20b", None)
    ('oai:x:a%20b', 'oai:x:a%2520b')
    >>> record_iri("http://example.org/1", "https://oai.example/oai").startswith("https://w3id.org/vigente/id/registro/")
    True
    """
    if not _OAI.match(identifier):
        return hashed_iri("registro", provider or "", identifier)
    return _TO_ENCODE.sub(lambda found: quote(found[0], safe=""), identifier)


@dataclass(slots=True)
class _Reading:
    """How far the reading of one document has come."""

    label: str
    provider: str | None
    run: str | None
    fetched: datetime | None
    today: date
    records: int = 0
    other: str | None = None
    told: bool = False

    @property
    def position(self) -> str:
        return f"record {self.records}"


@dataclass(frozen=True, slots=True)
class _Header:
    """The header of a record (OAI-PMH 2.0, section 2.5)."""

    identifier: str
    datestamp: str | None
    status: str


def read_oai_lexml(
    document: SourceDocument,
    *,
    provider: str | None = None,
    run: str | None = None,
    fetched: datetime | None = None,
    today: date | None = None,
) -> Iterator[Outcome]:
    """The records of one document, in its order, with what was refused and what was left out.

    Records before a fault in the file are given before the refusal of the file.

    Args:
        provider: base URL or domain of the provider, where the document doesn't say (a single record, tried again).
        run: the IRI of the harvest run that brought the document; None for a file. Of a harvest ``provider`` counts,
            not what the document says, and deletions in an answer to ListIdentifiers are read too.
        fetched: when the document came from the provider, an aware datetime in UTC.
        today: the civil date of the reading, which no datestamp can lie beyond; default the day of ``fetched``, else
            that of :func:`graph.today.today`.
    """
    if today is None:
        today = fetched.date() if fetched is not None else civil_today()
    reading = _Reading(document.label, provider, run, fetched, today)
    try:
        with closing(document.open()) as stream:
            for element in iter_elements(stream, _NAMES, roots=ROOTS):
                yield from _outcomes(reading, element)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, provider=reading.provider)
        return
    if reading.records == 0 and not reading.told:
        answer = f"the answer to {reading.other}" if reading.other else "an OAI-PMH response"
        yield Note(NoteCode.NO_RECORDS, f"{answer}: there are no records in it", document.label, "whole file")


def _outcomes(reading: _Reading, element: Element) -> Iterator[Outcome]:
    name = local_name(element.tag)
    if name not in _RECORDS and next(element.iter("{*}record", "{*}LexML"), None) is not None:
        problem = f"records stand inside of <{name}>"
        raise BadRecord(RefusalCode.NOT_OAI_LEXML, problem, "records in <ListRecords>, OAI-PMH 2.0, section 4.5")
    if name == "request":
        if reading.run is None:  # a harvest knows whom it asked; answers may name another address
            reading.provider = _base_url(value(element)) or reading.provider
    elif name == "error":
        reading.told = True
        said = plain_text(element)
        message = f"the provider answered with the error {shown(element.get('code', ''))}: {shown(said)}"
        yield Note(NoteCode.OAI_ERROR, message, reading.label, "whole file")
    elif name in _OTHER_ANSWERS:
        reading.other = name
    elif name == "header" and (reading.run is None or _status(element) != _DELETED):
        reading.other = "ListIdentifiers"
    else:
        reading.records += 1
        try:
            yield from _bare(reading, element) if name == "LexML" else _record(reading, element)
        except BadRecord as error:
            yield _refused(reading, element, error)


def _base_url(text: str) -> str | None:
    """The base URL of a provider, from the text of ``request``, without query and fragment; None when it is none."""
    url = text.partition("?")[0].partition("#")[0]
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.netloc and not re.search(r"\s", url) else None


def _bare(reading: _Reading, element: Element) -> Iterator[Outcome]:
    """A ``LexML`` element that stands alone: it is known by its content."""
    if element.getparent() is not None:
        raise BadRecord(
            RefusalCode.NO_IDENTIFIER,
            "a LexML element stands in the response outside of a record",
            "<record> with <header> and <metadata> around it, OAI-PMH 2.0, section 2.5",
        )
    digest = _payload_hash(element)
    read = read_lexml(element)
    yield from (Note(code, message, reading.label, reading.position) for code, message in read.notes)
    source = Source(
        content_iri(digest),
        KIND,
        digest,
        LOADER,
        reading.provider,
        origin=reading.label,
        run=reading.run,
        fetched=reading.fetched,
    )
    yield Record(source, read.document)


def _record(reading: _Reading, element: Element) -> Iterator[Outcome]:
    header = _header(element)
    label, position, identifier = reading.label, reading.position, header.identifier
    doubtful = _is_of_the_future(header.datestamp, reading.today)
    if doubtful:
        message = f"the datestamp {shown(header.datestamp or '')} lies in the future: today is {reading.today}"
        yield Note(NoteCode.FUTURE_DATESTAMP, message, label, position, identifier)
    if not _is_stamped(header.datestamp):
        written = "no datestamp" if header.datestamp is None else f"the datestamp {shown(header.datestamp)}"
        message = f"{written}: expected one that begins with a day YYYY-MM-DD, OAI-PMH 2.0, section 3.3"
        yield Note(NoteCode.BAD_DATESTAMP, message, label, position, identifier)
    deleted = header.status == _DELETED
    if header.status and not deleted:
        message = f"header/@status={shown(header.status)} is not `deleted`: read as a living record"
        yield Note(NoteCode.UNKNOWN_STATUS, message, label, position, identifier)
    metadata = [child for child in element.iterchildren("*") if local_name(child.tag) == "metadata"]
    if deleted:
        if metadata:
            message = "a deleted record with metadata: the metadata was not read"
            yield Note(NoteCode.DELETED_WITH_METADATA, message, label, position, identifier)
        digest = _payload_hash(None, "deleted", header.datestamp or "")
        yield Record(_source(reading, header, digest, doubtful=doubtful), None)
        return
    lexml = _only_lexml(metadata)
    read = read_lexml(lexml)
    digest = _payload_hash(lexml, "", header.datestamp or "")
    yield from (Note(code, message, label, position, identifier) for code, message in read.notes)
    beside = [local_name(child.tag) for child in element.iterchildren("*")]
    unused = [name for name in beside if name not in {"header", "metadata"}]
    if unused:
        message = f"<{'>, <'.join(dict.fromkeys(unused))}> of the record is not used"
        yield Note(NoteCode.NOT_USED, message, label, position, identifier, len(unused))
    yield Record(_source(reading, header, digest, doubtful=doubtful), read.document)


def _source(reading: _Reading, header: _Header, digest: str, *, doubtful: bool) -> Source:
    provider = reading.provider or _domain(header.identifier)
    return Source(
        record_iri(header.identifier, provider),
        KIND,
        digest,
        LOADER,
        provider,
        header.identifier,
        header.datestamp,
        reading.label,
        run=reading.run,
        fetched=reading.fetched,
        doubtful_stamp=doubtful,
    )


def _header(record: Element) -> _Header:
    """The header of a record, or a header that stands alone.

    Raises:
        BadRecord: no header, or no, an empty, a second or an over-long identifier.
    """
    headers = [child for child in (record, *record.iterchildren("*")) if local_name(child.tag) == "header"]
    texts: dict[str, list[str]] = {"identifier": [], "datestamp": []}
    for child in (child for header in headers for child in header.iterchildren("*")):
        said = texts.get(local_name(child.tag))
        text = value(child)
        if said is not None and text:
            said.append(text)
    expected = "one <identifier> in the <header>, OAI-PMH 2.0, section 2.5"
    identifiers = texts["identifier"]
    if not identifiers:
        raise BadRecord(RefusalCode.NO_IDENTIFIER, "the record has no identifier", expected)
    if len(headers) > 1 or len(identifiers) > 1:
        raise BadRecord(RefusalCode.BAD_IDENTIFIER, f"the record has {len(identifiers)} identifiers", expected)
    if len(identifiers[0]) > _LONGEST_IDENTIFIER:
        problem = f"the identifier has {len(identifiers[0])} characters"
        raise BadRecord(RefusalCode.BAD_IDENTIFIER, problem, f"at most {_LONGEST_IDENTIFIER}")
    return _Header(identifiers[0], texts["datestamp"][0] if texts["datestamp"] else None, _status(headers[0]))


def _status(header: Element) -> str:
    status = (header.get("status") or "").strip(SPACE)
    return _DELETED if status.lower() == _DELETED else status


def _only_lexml(metadata: list[Element]) -> Element:
    """The one element of the metadata of a record.

    Raises:
        BadRecord: no metadata, none or several elements in it, or one that is not ``LexML``.
    """
    if not metadata:
        raise BadRecord(
            RefusalCode.NO_METADATA,
            "the record has no metadata and is not marked as deleted",
            '<metadata> with one <LexML>, or status="deleted", OAI-PMH 2.0, section 2.5.1',
        )
    found = [child for element in metadata for child in element.iterchildren("*")]
    if not found:
        raise BadRecord(RefusalCode.NO_METADATA, "the metadata of the record is empty", "one <LexML> in <metadata>")
    if len(found) > 1 or local_name(found[0].tag) != "LexML":
        names = ", ".join(shown(child.tag) for child in found[:3])
        problem = f"the metadata holds {names}{' and more' if len(found) > 3 else ''}"
        raise BadRecord(RefusalCode.NOT_OAI_LEXML, problem, "one <LexML> in <metadata>, LexML part 4, section 3.3")
    return found[0]


def _domain(identifier: str) -> str | None:
    """The domain in an identifier ``oai:domain:...`` (LexML part 4, section 3.2); None for any other."""
    scheme, domain, rest = (*identifier.split(":", 2), "", "")[:3]
    return domain if scheme == "oai" and domain and rest else None


def _is_stamped(datestamp: str | None) -> bool:
    """Whether a datestamp begins with a day of the calendar; what follows is the provider's own."""
    return datestamp is not None and leading_day(datestamp) is not None


def _is_of_the_future(datestamp: str | None, today: date) -> bool:
    """Whether a datestamp cannot be: it lies more than a day after the reading, which no time zone makes up for."""
    stamped = leading_day(datestamp) if datestamp is not None else None
    return stamped is not None and stamped - today > timedelta(days=1)


def _payload_hash(element: Element | None, status: str = "", datestamp: str = "") -> str:
    """SHA-256 of what decides whether a record changed: its content in exclusive canonical XML, status, datestamp.

    Raises:
        BadRecord: the content has a namespace that canonical XML does not know (a relative one).
    """
    digest = sha256()
    if element is not None:
        try:
            digest.update(etree.tostring(element, method="c14n", exclusive=True, with_comments=False, with_tail=False))
        except etree.C14NError:
            raise BadRecord(
                RefusalCode.WRONG_NAMESPACE,
                "a namespace in the record is not absolute",
                "absolute namespace names, Namespaces in XML 1.0, section 2.2; Canonical XML 1.0, section 1.3",
            ) from None
    if status or datestamp:
        digest.update(f"\x1f{status}\x1f{datestamp}".encode())
    return digest.hexdigest()


def _refused(reading: _Reading, element: Element, error: BadRecord) -> Refusal:
    """The refusal of one record, with the record as XML that can be read alone."""
    identifier = datestamp = None
    if local_name(element.tag) == "record":
        try:
            header = _header(element)
            identifier, datestamp = header.identifier, header.datestamp
        except BadRecord:  # it is the header that is refused
            identifier = None
    return Refusal(
        origin=reading.label,
        position=reading.position,
        identifier=identifier,
        code=error.code,
        problem=error.problem,
        expected=error.expected,
        kind=KIND,
        payload=etree.tostring(element, encoding="utf-8", with_tail=False),
        datestamp=datestamp,
        provider=reading.provider,
    )
