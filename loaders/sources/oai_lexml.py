"""OAI-PMH responses and bare ``oai_lexml`` records (OAI-PMH 2.0; LexML part 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from urllib.parse import quote, urlsplit

from lxml import etree

from graph.civil import ONE_DAY, leading_day
from graph.entities import Document, Item, ItemKind, Record, Relation, RelationKind, Source
from graph.errors import BadName, BadRecord
from graph.quarantine import Refusal
from graph.record_rules import RecordRule, RecordRules, built_in_rules
from graph.terms import Text
from graph.urn import parse
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import IDENTITY_REFUSALS, identity, quoted
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.xml import (
    SPACE,
    XML_REFUSALS,
    Element,
    bounded,
    iter_elements,
    local_name,
    namespace,
    plain_text,
    spaced,
    value,
)
from ontology.iris import content_iri, hashed_iri

# One ``oai_lexml`` record: a document, and notes on its unreadable parts, from its ``LexML`` element.
#
# The format has three namespaces in use and two generations (LexML part 4, section 3.3 and annex 1, and the later
# schema). Elements are therefore matched by local name, in any order.


OAI_NAMESPACE = "http://www.openarchives.org/OAI/2.0/"
#: The namespaces of ``LexML`` and its children: the schema's, the one of part 4's examples, and the envelope's.
NAMESPACES = ("http://www.lexml.gov.br/oai_lexml", "http://www.lexml.gov.br/", OAI_NAMESPACE)

_DEFAULT_LANGUAGE = "pt-br"
_LANGUAGE = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*", re.ASCII)
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_PAGES = re.compile(r"[0-9]{1,9}", re.ASCII)
_SCHEMES = frozenset({"http", "https", "ftp"})
_ORDINARY_URL = re.compile(r"(?:https?|ftp)://[A-Za-z0-9.-]*[A-Za-z0-9](?::[0-9]{1,4})?(?:[/?#]|$)")
_WITHOUT_URL = frozenset({ItemKind.PHYSICAL_OBJECT, ItemKind.UNAVAILABLE_CONTENT})
_DOCTRINE = "Doutrina"
_DOCTRINE_FIELDS = frozenset(
    {"Autor", "Titulo", "Forma", "Lingua", "Ano", "Responsabilidade", "Classe", "ClasseUDC", "ClasseDDC", "ClasseBBD"}
    | {"Imprenta", "Edicao", "DescricaoFisica", "ISBN", "Oculto"}
)
_MAX_NOTES = 100
_TEXT_FIELDS = ("Epigrafe", "Apelido", "Ementa", "Indexacao", "Catalogo")
_ITEM_KINDS = {kind.value: kind for kind in ItemKind}
_RELATION_KINDS = {kind.value: kind for kind in RelationKind if kind.harvested}


@dataclass(slots=True)
class ReadResult:
    """The result of reading one ``LexML`` element.

    Attributes:
        document: the content of the record.
        notes: pairs (code, message) of omitted content, in document order.
    """

    document: Document
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Parts:
    """The children of one ``LexML`` element, grouped by kind."""

    names: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    texts: dict[str, list[Text]] = field(default_factory=lambda: {name: [] for name in _TEXT_FIELDS})
    doctrine: list[tuple[str, str]] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)

    omitted: int = 0

    def note(self, code: NoteCode, message: str) -> None:
        if len(self.notes) < _MAX_NOTES:
            self.notes.append((code, message))
        else:
            self.omitted += 1


def read_lexml(element: Element) -> ReadResult:
    """Return the document of a ``LexML`` element.

    Raises:
        BadRecord: in another namespace, without exactly one ``DocumentoIndividual``, or with a name that is not an
            identity.
    """
    if local_name(element.tag) != "LexML" or namespace(element.tag) not in NAMESPACES:
        raise BadRecord(
            RefusalCode.WRONG_NAMESPACE,
            f"the record is <{local_name(element.tag)}> in the namespace {quoted(namespace(element.tag))}",
            f"<LexML> in one of {', '.join(NAMESPACES)}; LexML part 4, section 3.3",
        )
    parts = _Parts()
    for child in element.iterchildren("*"):
        _read_child(parts, child)
    if not parts.names:
        raise BadRecord(
            RefusalCode.NO_DOCUMENT,
            "the record has no DocumentoIndividual, or an empty one",
            "one DocumentoIndividual with a name, LexML part 4, section 3.3",
        )
    if len(parts.names) > 1:
        raise BadRecord(
            RefusalCode.SEVERAL_DOCUMENTS,
            f"the record has {len(parts.names)} DocumentoIndividual: {', '.join(quoted(n) for n in parts.names[:3])}",
            "one record for each document, LexML part 4, section 3.3",
        )
    document = Document(
        name=identity(parts.names[0]),
        items=tuple(parts.items),
        epigraphs=tuple(parts.texts["Epigrafe"]),
        nicknames=tuple(parts.texts["Apelido"]),
        summaries=tuple(parts.texts["Ementa"]),
        index_terms=tuple(parts.texts["Indexacao"]),
        catalogue_notes=tuple(parts.texts["Catalogo"]),
        doctrine=tuple(parts.doctrine),
        relations=tuple(parts.relations),
    )
    if parts.omitted:
        parts.notes.append((NoteCode.MORE_NOTES, f"{parts.omitted} more notes on this record are not shown"))
    return ReadResult(document, parts.notes)


@lru_cache(maxsize=1024)
def _field_of(tag: str) -> str | None:
    """Return the local name of a child that belongs to the format; None for one of another namespace.

    Elements without a namespace count: SAPL and others write ``<lexml:LexML>`` around children without prefix.
    """
    return local_name(tag) if namespace(tag) in {*NAMESPACES, ""} else None


def _read_child(parts: _Parts, child: Element) -> None:
    name = _field_of(child.tag)
    if name in parts.texts:
        text = bounded(plain_text(child))
        if text:
            parts.texts[name].append(Text(text, _language(parts, child)))
    elif name == "DocumentoIndividual":
        text = bounded(value(child))
        if text:
            parts.names.append(text)
    elif name == "Item":
        _read_item(parts, child)
    elif name == "Relacionamento":
        _read_relation(parts, child)
    elif name is not None and name.startswith(_DOCTRINE) and name[len(_DOCTRINE) :] in _DOCTRINE_FIELDS:
        text = bounded(plain_text(child))
        if text:
            parts.doctrine.append((name[len(_DOCTRINE) :], text))
    else:
        content = quoted(plain_text(child))
        parts.note(NoteCode.UNREAD_ELEMENT, f"<{quoted(child.tag)}> is not in oai_lexml and was not read: {content}")


def _language(parts: _Parts, element: Element) -> str:
    """Return the language of a text: ``pt-br`` if the record has none (annex 1), ``und`` if it is invalid."""
    written = element.get(_XML_LANG)
    if written is None:
        return _DEFAULT_LANGUAGE
    language = written.strip(SPACE).replace("_", "-").lower()
    if _LANGUAGE.fullmatch(language):
        return language
    parts.note(NoteCode.BAD_LANGUAGE, f"xml:lang={quoted(written)} of {local_name(element.tag)} is no language tag")
    return "und"


def _read_item(parts: _Parts, element: Element) -> None:
    url = value(element)
    written = element.get("tipo")
    kind = _ITEM_KINDS.get(written.strip(SPACE)) if written is not None else None
    if written is not None and kind is None:
        parts.note(NoteCode.UNKNOWN_ITEM_TYPE, f"Item/@tipo={quoted(written)} is not in the schema: left open")
    if url and not _is_absolute(url):
        parts.note(NoteCode.BAD_URL, f"Item {quoted(url)} is not an absolute http, https or ftp address: left out")
        return
    if not url and kind not in _WITHOUT_URL:
        parts.note(NoteCode.ITEM_WITHOUT_URL, f"an Item of tipo {quoted(written or '')} has no address: left out")
        return
    pages: int | None = None
    # `paginas` in annex 1, `qtdPaginas` in the schema that followed.
    count = element.get("qtdPaginas", element.get("paginas"))
    if count is not None:
        if _PAGES.fullmatch(count.strip(SPACE)):
            pages = int(count)
        else:
            parts.note(NoteCode.BAD_PAGE_COUNT, f"{quoted(count)} is no number of pages: left out")
    parts.items.append(
        Item(
            url=url or None,
            format=_attribute(element, "formato"),
            kind=kind,
            publisher=_attribute(element, "idPublicador"),
            pages=pages,
            note=_attribute(element, "nota"),
        )
    )


def _attribute(element: Element, name: str) -> str | None:
    """Return an attribute with its white space normalised; None if it is absent or empty."""
    return spaced(element.get(name) or "") or None


def _is_absolute(url: str) -> bool:
    if _ORDINARY_URL.match(url):
        return True
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.hostname)


def _read_relation(parts: _Parts, element: Element) -> None:
    written = (element.get("tipo") or "").strip(SPACE)
    target = value(element)
    kind = _RELATION_KINDS.get(written)
    if kind is None:
        parts.note(
            NoteCode.RELATION_REFUSED,
            f"Relacionamento/@tipo={quoted(written)} is not in the schema; its target is {quoted(target)}",
        )
        return
    try:
        parts.relations.append(Relation(kind, parse(target)))
    except BadName as error:
        parts.note(NoteCode.RELATION_REFUSED, f"the target {quoted(target)} of {written}: {error}")


# OAI-PMH responses and bare ``oai_lexml`` records: from bytes to records (OAI-PMH 2.0, section 2.5; LexML part 4).


KIND = "oai_lexml"
LOADER = "oai_lexml/5"
#: Root elements of supported documents.
ROOTS = frozenset({"OAI-PMH", "LexML", "record"})

_OTHER_ANSWERS = frozenset({"Identify", "ListSets", "ListMetadataFormats"})
_RECORDS = frozenset({"record", "LexML"})
_NAMES = frozenset({*_RECORDS, "header", "request", "responseDate", "error", *_OTHER_ANSWERS})
_DELETED = "deleted"
_LONGEST_IDENTIFIER = 4096
# `oai:` and a path as in RFC 3987, section 2.2, without `#`, which would begin a fragment.
_OAI = re.compile(r"oai:(?!//)[^#]", re.ASCII)
_TO_ENCODE = re.compile(r"[^A-Za-z0-9._~:/?@!$&'()*+,;=\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef-]")


def record_iri(identifier: str, provider: str | None) -> str:
    """Return the named graph of a record, from its identifier at the provider (OAI-PMH 2.0, section 2.4).

    An identifier of the scheme ``oai`` is kept, with ``%`` and all characters that no IRI may contain percent-encoded.
    Different identifiers therefore have different graphs. Any other identifier is hashed with its provider, so that it
    cannot equal another IRI of the graph.

    >>> record_iri("oai:ssinf.senado.gov.br:njur/[102415]", None)
    'oai:ssinf.senado.gov.br:njur/%5B102415%5D'
    >>> record_iri("oai:x:a b", None), record_iri("oai:x:a%20b", None)
    ('oai:x:a%20b', 'oai:x:a%2520b')
    >>> record_iri("http://example.org/1", "https://oai.example/oai").startswith("https://w3id.org/vigente/id/registro/")
    True
    """
    if not _OAI.match(identifier):
        return hashed_iri("registro", provider or "", identifier)
    return _TO_ENCODE.sub(lambda match: quote(match[0], safe=""), identifier)


@dataclass(slots=True)
class _Reading:
    """The progress of reading one document."""

    label: str
    provider: str | None
    run: str | None
    fetched: datetime | None
    day_of_fetch: date | None
    rules: RecordRules
    records: int = 0
    other: str | None = None
    has_error: bool = False

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
    rules: RecordRules | None = None,
) -> Iterator[Outcome]:
    """Yield the records of one document in its order, with refusals and notes.

    Records before a fault in the file come before the refusal of the file.

    Args:
        provider: base URL or domain of the provider, if the document does not have it (a single record, read again).
        run: the IRI of the harvest run of the document; None for a file. In a harvest ``provider`` takes precedence
            over the document, and deletions in an answer to ListIdentifiers are read too.
        fetched: when the document was received from the provider, an aware datetime in UTC. If it is missing, the
            stated day of fetch of the document counts, else the day of its ``responseDate``. A datestamp may be one
            day later than this day at most.
        rules: what the records are compared with; None for the built-in vocabularies.
    """
    day_of_fetch = fetched.date() if fetched is not None else document.fetched
    reading = _Reading(document.label, provider, run, fetched, day_of_fetch, rules or built_in_rules())
    try:
        with closing(document.open()) as stream:
            for element in iter_elements(stream, _NAMES, roots=ROOTS):
                yield from _outcomes(reading, element)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, provider=reading.provider)
        return
    if reading.records == 0 and not reading.has_error:
        answer = f"the answer to {reading.other}" if reading.other else "an OAI-PMH response"
        yield Note(NoteCode.NO_RECORDS, f"{answer}: there are no records in it", document.label, "whole file")


def _outcomes(reading: _Reading, element: Element) -> Iterator[Outcome]:
    name = local_name(element.tag)
    if name not in _RECORDS and next(element.iter("{*}record", "{*}LexML"), None) is not None:
        problem = f"there are records inside of <{name}>"
        raise BadRecord(RefusalCode.NOT_OAI_LEXML, problem, "records in <ListRecords>, OAI-PMH 2.0, section 4.5")
    if name == "request":
        if reading.run is None:  # a harvest has the requested address; answers may name another one
            reading.provider = _base_url(value(element)) or reading.provider
    elif name == "responseDate":
        reading.day_of_fetch = reading.day_of_fetch or leading_day(value(element))
    elif name == "error":
        reading.has_error = True
        error_text = plain_text(element)
        message = f"the provider answered with the error {quoted(element.get('code', ''))}: {quoted(error_text)}"
        yield Note(NoteCode.OAI_ERROR, message, reading.label, "whole file")
    elif name in _OTHER_ANSWERS:
        reading.other = name
    elif name == "header" and (reading.run is None or _status(element) != _DELETED):
        reading.other = "ListIdentifiers"
    else:
        reading.records += 1
        try:
            yield from _read_bare_element(reading, element) if name == "LexML" else _read_record(reading, element)
        except BadRecord as error:
            yield _record_refusal(reading, element, error)


def _base_url(text: str) -> str | None:
    """Return the base URL of a provider from the text of ``request``, without query and fragment; None if it is not
    one."""
    url = text.partition("?")[0].partition("#")[0]
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.netloc and not re.search(r"\s", url) else None


def _read_bare_element(reading: _Reading, element: Element) -> Iterator[Outcome]:
    """Process a ``LexML`` element without envelope: its content identifies it."""
    if element.getparent() is not None:
        raise BadRecord(
            RefusalCode.NO_IDENTIFIER,
            "the response has a LexML element outside of a record",
            "<record> with <header> and <metadata> around it, OAI-PMH 2.0, section 2.5",
        )
    digest = _payload_hash(element)
    read = read_lexml(element)
    yield from _notes(reading, read, None)
    source = Source(
        content_iri(digest),
        KIND,
        digest,
        LOADER,
        reading.provider,
        origin=reading.label,
        run=reading.run,
        fetched=reading.fetched,
        fetched_on=reading.day_of_fetch if reading.fetched is None else None,
    )
    yield Record(source, read.document)


def _read_record(reading: _Reading, element: Element) -> Iterator[Outcome]:
    header = _header(element)
    label, position, identifier = reading.label, reading.position, header.identifier
    doubtful = _is_after_fetch(header.datestamp, reading.day_of_fetch)
    if doubtful:
        fetched = f"fetched on {reading.day_of_fetch}"
        message = f"the datestamp {quoted(header.datestamp or '')} is after the day of fetch: {fetched}"
        yield Note(NoteCode.FUTURE_DATESTAMP, message, label, position, identifier)
    if not (header.datestamp is not None and leading_day(header.datestamp) is not None):
        written = "no datestamp" if header.datestamp is None else f"the datestamp {quoted(header.datestamp)}"
        message = f"{written}: expected one that begins with a day YYYY-MM-DD, OAI-PMH 2.0, section 3.3"
        yield Note(NoteCode.BAD_DATESTAMP, message, label, position, identifier)
    deleted = header.status == _DELETED
    if header.status and not deleted:
        message = f"header/@status={quoted(header.status)} is not `deleted`: read as not deleted"
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
    yield from _notes(reading, read, identifier)
    beside = [local_name(child.tag) for child in element.iterchildren("*")]
    unused = [name for name in beside if name not in {"header", "metadata"}]
    if unused:
        message = f"<{'>, <'.join(dict.fromkeys(unused))}> of the record is not used"
        yield Note(NoteCode.NOT_USED, message, label, position, identifier, len(unused))
    yield Record(_source(reading, header, digest, doubtful=doubtful), read.document)


def _notes(reading: _Reading, read: ReadResult, identifier: str | None) -> Iterator[Note]:
    """Yield the notes on a record: what was left out of it, and the rules of part 4 that it does not follow."""
    for code, message in read.notes:
        yield Note(code, message, reading.label, reading.position, identifier)
    for found in reading.rules.findings(read.document.name, read.document.items):
        yield Note(_rule_code(found.rule), found.message, reading.label, reading.position, identifier)


def _rule_code(rule: RecordRule) -> NoteCode:
    match rule:
        case RecordRule.ITEM_MISSING:
            return NoteCode.ITEM_MISSING
        case RecordRule.FORMAT_UNKNOWN:
            return NoteCode.FORMAT_UNKNOWN
        case RecordRule.AUTHORITY_UNKNOWN:
            return NoteCode.AUTHORITY_UNKNOWN
        case RecordRule.OUTSIDE_PROFILE:
            return NoteCode.OUTSIDE_PROFILE


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
        fetched_on=reading.day_of_fetch if reading.fetched is None else None,
        doubtful_stamp=doubtful,
    )


def _header(record: Element) -> _Header:
    """Return the header of a record, or a header without record.

    Raises:
        BadRecord: no header, or a missing, empty, repeated or too long identifier.
    """
    headers = [child for child in (record, *record.iterchildren("*")) if local_name(child.tag) == "header"]
    texts: dict[str, list[str]] = {"identifier": [], "datestamp": []}
    for child in (child for header in headers for child in header.iterchildren("*")):
        values = texts.get(local_name(child.tag))
        text = value(child)
        if values is not None and text:
            values.append(text)
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
    """Return the only element of the metadata of a record.

    Raises:
        BadRecord: no metadata, no or several elements in it, or one that is not ``LexML``.
    """
    if not metadata:
        raise BadRecord(
            RefusalCode.NO_METADATA,
            "the record has no metadata and is not marked as deleted",
            '<metadata> with one <LexML>, or status="deleted", OAI-PMH 2.0, section 2.5.1',
        )
    elements = [child for element in metadata for child in element.iterchildren("*")]
    if not elements:
        raise BadRecord(RefusalCode.NO_METADATA, "the metadata of the record is empty", "one <LexML> in <metadata>")
    if len(elements) > 1 or local_name(elements[0].tag) != "LexML":
        names = ", ".join(quoted(child.tag) for child in elements[:3])
        problem = f"the metadata holds {names}{' and more' if len(elements) > 3 else ''}"
        raise BadRecord(RefusalCode.NOT_OAI_LEXML, problem, "one <LexML> in <metadata>, LexML part 4, section 3.3")
    return elements[0]


def _domain(identifier: str) -> str | None:
    """Return the domain of an identifier ``oai:domain:...`` (LexML part 4, section 3.2); None for any other."""
    scheme, domain, rest = (*identifier.split(":", 2), "", "")[:3]
    return domain if scheme == "oai" and domain and rest else None


def _is_after_fetch(datestamp: str | None, fetched: date | None) -> bool:
    """Return whether a datestamp is impossible: more than a day after the fetch, which no time zone explains."""
    stamped = leading_day(datestamp) if datestamp is not None else None
    return stamped is not None and fetched is not None and stamped - fetched > ONE_DAY


def _payload_hash(element: Element | None, status: str = "", datestamp: str = "") -> str:
    """Return the SHA-256 of the parts that decide whether a record changed: canonical XML content, status, datestamp.

    Raises:
        BadRecord: the content has a namespace that canonical XML does not allow (a relative one).
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


def _record_refusal(reading: _Reading, element: Element, error: BadRecord) -> Refusal:
    """Return the refusal of one record, with the record as XML that can be read on its own."""
    identifier = datestamp = None
    if local_name(element.tag) == "record":
        try:
            header = _header(element)
            identifier, datestamp = header.identifier, header.datestamp
        except BadRecord:  # the header itself is invalid
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
        fetched=reading.day_of_fetch,
    )


def _detect(head: Head) -> Match:
    """Return how well a document matches: certain for the envelope; likely for ``LexML`` alone, and for XML damaged
    before its root."""
    if not head.is_markup or head.is_html:
        return Match.NONE
    if head.prolog is None or head.prolog.root == "LexML":
        return Match.LIKELY
    return Match.CERTAIN if head.prolog.root in ROOTS else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_oai_lexml(document, provider=options.provider, rules=options.rules)


OAI_LEXML = SourceFormat(
    name=KIND,
    title="an OAI-PMH response, or one oai_lexml record (LexML part 4)",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        *IDENTITY_REFUSALS,
        RefusalCode.BAD_IDENTIFIER,
        RefusalCode.NO_DOCUMENT,
        RefusalCode.NO_IDENTIFIER,
        RefusalCode.NO_METADATA,
        RefusalCode.NOT_OAI_LEXML,
        RefusalCode.SEVERAL_DOCUMENTS,
        RefusalCode.TEXT_TOO_LONG,
        RefusalCode.WRONG_NAMESPACE,
    ),
    notes=(
        NoteCode.AUTHORITY_UNKNOWN,
        NoteCode.BAD_DATESTAMP,
        NoteCode.BAD_LANGUAGE,
        NoteCode.BAD_PAGE_COUNT,
        NoteCode.BAD_URL,
        NoteCode.DELETED_WITH_METADATA,
        NoteCode.FORMAT_UNKNOWN,
        NoteCode.FUTURE_DATESTAMP,
        NoteCode.ITEM_MISSING,
        NoteCode.ITEM_WITHOUT_URL,
        NoteCode.MORE_NOTES,
        NoteCode.NO_RECORDS,
        NoteCode.NOT_USED,
        NoteCode.OAI_ERROR,
        NoteCode.OUTSIDE_PROFILE,
        NoteCode.RELATION_REFUSED,
        NoteCode.UNKNOWN_ITEM_TYPE,
        NoteCode.UNKNOWN_STATUS,
        NoteCode.UNREAD_ELEMENT,
    ),
)
