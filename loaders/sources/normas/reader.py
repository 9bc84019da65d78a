"""normas.leg.br: from the bytes of an answer of the API, or of a file that holds one, to one record.

The only open source of histories by provision. Its days are those on which the amending norms were signed, not those of
their entry into force: they say since when a wording is the current one. Every answer that rests on them says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.urn import Name
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import identity
from loaders.outcomes import Note, Outcome, refuse_file
from loaders.sources.normas.norm import read_norm, read_versions
from loaders.sources.normas.tree import read_tree
from loaders.sources.normas.values import SHAPE, Reading
from ontology.iris import hashed_iri

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
