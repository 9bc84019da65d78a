"""normas.leg.br: from an answer of the API, or a file that holds one, to one record; what it says of the norm itself.

A publication dates what anyone could know, never from when the norm is in force: that the source does not say, so the
versions that follow have an open start (``inicio.vigencia``, docs/explanation/time.md).

The only open source of histories by provision. Its days are those on which the amending norms were signed, not those of
their entry into force: they say since when a wording is the current one. Every answer that rests on them says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256

from graph.entities import Document, Item, ItemKind, Record, Relation, RelationKind, Source, Text
from graph.errors import BadRecord
from graph.urn import Name, Versao
from graph.wording.folding import folded
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import identity, shown
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.normas.tree import read_tree
from loaders.sources.normas.values import SHAPE, Reading, kinds_of, listed, name_in
from ontology.iris import hashed_iri

#: What is read of the norm, and what repeats its name or is about the answer: docs/reference/sources.md says which.
_KEYS = frozenset(
    {"headline", "abstract", "keywords", "about", "alternateName", "citation", "legislationAmends", "sameAs"}
    | {"legislationGeneratedProcess", "encoding", "datePublished", "legislationDate", "legislationIdentifier"}
    | {"hasPart", "workExample"}
    | {"@context", "@type", "@id", "name", "legislationType", "legislationPassedBy", "legislationJurisdiction"}
    | {"spatialCoverage", "publisher", "inLanguage", "license", "dateModified", "sdPublisher", "sdDatePublished"}
    | {"sdLicense", "temporalCoverage", "legislationLegalForce", "additionalType", "version"}
)
_ENCODING_KEYS = frozenset(
    {"@type", "@id", "name", "contentUrl", "encodingFormat", "additionalType", "datePublished", "isBasedOn", "version"}
    | {"isPartOf", "inLanguage", "license", "publisher", "legislationLegalValue", "encodesCreativeWork"}
    | {"legislationLegalVersion"}
)
#: Kinds of publication, as ``additionalType`` of an encoding says them, and the event that each is.
_PUBLICATIONS = {
    "publicacaooriginal": "publicacao",
    "publicacao": "publicacao",
    "republicacao": "republicacao",
    "retificacao": "retificacao",
}
_MEDIA_TYPE = "http://www.iana.org/assignments/media-types/"
#: An alternate name that only repeats type, number and day: ``LEI-13709-2018-08-14``.
_REPEATED = re.compile(r"[A-Z]+(?:-[0-9A-Z.]+)+", re.ASCII)
_EDITION = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\s*$", re.ASCII)
_OPEN = "inicio.vigencia"


def read_norm(reading: Reading, root: Mapping[str, object]) -> Document:
    """The document that an answer is about."""
    headline = reading.text(root.get("headline"), "headline")
    abstract = reading.text(root.get("abstract"), "abstract")
    terms = [reading.text(one, "keywords") for one in listed(root.get("keywords"))]
    names = [reading.text(one, "alternateName") for one in listed(root.get("alternateName"))]
    subjects = [_subject(one) for one in reading.objects(root.get("about"), "about")]
    reading.unknown_keys(root, _KEYS)
    return Document(
        reading.work,
        items=tuple(dict.fromkeys((*_copies(reading, root), *_pages(reading, root)))),
        epigraphs=(Text(headline),) if headline else (),
        nicknames=tuple(Text(one) for one in names if one and not _REPEATED.fullmatch(one)),
        summaries=(Text(abstract),) if abstract else (),
        index_terms=tuple(Text(one) for one in dict.fromkeys((*terms, *subjects)) if one),
        relations=tuple(dict.fromkeys(_relations(reading, root))),
    )


def read_versions(reading: Reading, root: Mapping[str, object]) -> tuple[tuple[Name, Name | None], ...]:
    """The signed text and each publication, as versions with a known view and an open start; none without publication.

    A record without a day of publication dates nothing: the day of signature stands in the name already.
    """
    published = dict(_publications(reading, root))
    if not published:
        return ()
    signed = reading.day(root.get("legislationDate"), "legislationDate")
    first = {(signed, "assinatura"): None} if signed is not None and signed <= min(day for day, _ in published) else {}
    return tuple(
        (reading.work.with_versao(Versao(palavra=_OPEN, evento=event, visao=(day,))), None)
        for day, event in sorted({**first, **dict.fromkeys(published)})
    )


def _publications(reading: Reading, root: Mapping[str, object]) -> Iterator[tuple[tuple[date, str], None]]:
    """The days of publication and republication, each with its event."""
    original = reading.day(root.get("datePublished"), "datePublished")
    told: set[date] = {original} if original is not None else set()
    for encoding in reading.objects(root.get("encoding"), "encoding"):
        event = next((_PUBLICATIONS[kind] for kind in _said(encoding) if kind in _PUBLICATIONS), None)
        day = reading.day(encoding.get("datePublished"), "datePublished") or _edition(encoding)
        if event == "publicacao" and day is not None:
            told.add(day)
            original = original or day
        elif event is not None and day is not None:
            yield (day, event), None
    if len(told) > 1:
        days = ", ".join(map(str, sorted(told)))
        reading.note(NoteCode.SAME_DAY, f"several days are given for the first publication: {days}; {original} counts")
    if original is not None:
        yield (original, "publicacao"), None


def _said(encoding: Mapping[str, object]) -> list[str]:
    """What an encoding says that it is, folded."""
    return [folded(kind) for kind in kinds_of(encoding.get("additionalType"))]


def _edition(encoding: Mapping[str, object]) -> date | None:
    """The day of the issue of the gazette that an encoding is based on, where that alone says it."""
    for based in listed(encoding.get("isBasedOn")):
        for issue in listed(based.get("isPartOf")) if isinstance(based, dict) else ():
            name = issue.get("name") if isinstance(issue, dict) else None
            found = _EDITION.search(name) if isinstance(name, str) and len(name) <= 1_000 else None
            if found is not None:
                try:
                    return date.fromisoformat(found[1])
                except ValueError:
                    return None
    return None


def _copies(reading: Reading, root: Mapping[str, object]) -> Iterator[Item]:
    """The copies of the text at the publisher, and the printed ones with gazette, day and page."""
    for encoding in reading.objects(root.get("encoding"), "encoding"):
        reading.unknown_keys(encoding, _ENCODING_KEYS)
        url, form = encoding.get("contentUrl"), encoding.get("encodingFormat")
        note = reading.text(encoding.get("name"), "name")
        if isinstance(url, str) and url.startswith(("https://", "http://")):
            yield Item(url, form.removeprefix(_MEDIA_TYPE) if isinstance(form, str) else None, note=note)
        elif url is not None:
            reading.note(NoteCode.BAD_URL, f"contentUrl {shown(str(url)[:200])} is no absolute address: left out")
        for based in reading.objects(encoding.get("isBasedOn"), "isBasedOn"):
            printed = [reading.text(based.get("name"), "name")]
            printed += [
                reading.text(one.get("name"), "name") for one in reading.objects(based.get("isPartOf"), "isPartOf")
            ]
            told = "; ".join(filter(None, printed))
            if told:
                yield Item(None, kind=ItemKind.PHYSICAL_OBJECT, note=told)


def _pages(reading: Reading, root: Mapping[str, object]) -> Iterator[Item]:
    """Pages about the norm at other publishers: what ``sameAs`` names, and the bill that it came from."""
    for same in listed(root.get("sameAs")):
        name = name_in(same)
        if isinstance(same, str) and same.startswith(("https://", "http://")):
            if name is None:
                yield Item(same, kind=ItemKind.METADATA)
        elif name is None:
            reading.drop("is no address, under 'sameAs'", same)
    for process in reading.objects(root.get("legislationGeneratedProcess"), "legislationGeneratedProcess"):
        url = process.get("@id")
        if name_in(process) is None and isinstance(url, str) and url.startswith(("https://", "http://")):
            yield Item(url, kind=ItemKind.METADATA, note=reading.text(process.get("name"), "name"))


def _relations(reading: Reading, root: Mapping[str, object]) -> Iterator[Relation]:
    for cited in listed(root.get("citation")):
        name = name_in(cited)
        if name is not None:
            yield Relation(RelationKind.REFERENCIA, name)
        else:
            reading.drop("is no name, under 'citation'", cited)
    for amended in listed(root.get("legislationAmends")):
        name = name_in(amended)
        if name is not None:
            yield Relation(RelationKind.ALTERA, name.work)
        else:
            reading.drop("is no name, under 'legislationAmends'", amended)
    for same in listed(root.get("sameAs")):
        name = name_in(same)
        if name is not None and name.work != reading.work:
            yield Relation(RelationKind.EQUIVALENTE_A, name)
    for process in reading.objects(root.get("legislationGeneratedProcess"), "legislationGeneratedProcess"):
        name = name_in(process)
        if name is not None:
            yield Relation(RelationKind.PROJETO_DE_ORIGEM, name)


def _subject(about: Mapping[str, object]) -> str | None:
    """A subject by its name, else by the last part of its address."""
    name, address = about.get("name"), about.get("@id")
    if isinstance(name, str) and name.strip():
        return " ".join(name.split())
    if isinstance(address, str):
        return address.rpartition(":")[2].rpartition("/")[2].replace(".", " ").strip() or None
    return None


KIND = "normas"
LOADER = "normas/4"

#: How many MiB an answer may have.
_LARGEST = 64
_MAX_NOTES = 100


def read_normas(
    document: SourceDocument, *, provider: str | None = None, run: str | None = None, fetched: datetime | None = None
) -> Iterator[Outcome]:
    """The one record of an answer of the API, or of a file that holds one; or its refusal.

    Args:
        provider: base URL of the API, where a harvest asked it; the norm's name is the record's identifier there.
        run: IRI of the harvest run.
        fetched: when the answer came, an aware datetime in UTC.
    """
    identifier: str | None = None
    try:
        raw = document.whole(_LARGEST)
        root = _json(raw)
        work = _work(root)
        identifier = None if provider is None else work.canonical
        reading = Reading(work)
        record = _record(reading, root, document.label, sha256(raw).hexdigest())
    except (BadRecord, OSError) as error:
        yield replace(refuse_file(document, error, kind=KIND, provider=provider), identifier=identifier)
        return
    source = replace(record.source, provider=provider, identifier=identifier, run=run, fetched=fetched)
    record = replace(record, source=source)
    name = record.document.name.canonical if record.document is not None else None
    notes = sorted(reading.notes, key=lambda note: not note[-1])  # what was dropped comes first
    for code, message, count, dropped in notes[:_MAX_NOTES]:
        yield Note(code, message, document.label, "document", name, count, dropped)
    if len(notes) > _MAX_NOTES:
        message = f"{len(notes) - _MAX_NOTES} more notes on this document are not shown"
        yield Note(NoteCode.MORE_NOTES, message, document.label, "document", name)
    yield record


def _json(raw: bytes) -> Mapping[str, object]:
    try:
        found: object = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the file, 0x{raw[error.start]:02X}, is not UTF-8"
        raise BadRecord(RefusalCode.BAD_ENCODING, problem, "UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_JSON, f"the file is no JSON: {error}", SHAPE) from None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if not isinstance(found, dict):
        raise BadRecord(RefusalCode.BAD_JSON, "the file holds no JSON object", SHAPE)
    return found


def _work(root: Mapping[str, object]) -> Name:
    written = root.get("legislationIdentifier")
    if not isinstance(written, str):
        problem = "the answer has no legislationIdentifier: the API echoes a name that it does not know"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, SHAPE)
    return identity(written).work


def _record(reading: Reading, root: Mapping[str, object], label: str, digest: str) -> Record:
    tree = read_tree(reading, root)
    document = read_norm(reading, root)
    versions = read_versions(reading, root)
    reading.settle()
    work = reading.work
    source = Source(hashed_iri("normas", work.canonical), KIND, digest, LOADER, origin=label, wording_dates=True)
    return Record(
        source,
        document,
        events=tuple(dict.fromkeys(tree.events)),
        versions=versions,
        provisions=tuple(tree.provisions),
    )
