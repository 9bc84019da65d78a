"""Records passed on: what harvests brought, published again unaltered by the rules for aggregators.

Source: "Guidelines for Aggregators, Caches and Proxies" of OAI-PMH 2.0, and the schema ``provenance.xsd``.

A record keeps its identifier where that is one of the scheme ``oai`` and no other provider's record has it here; else
it gets one of ours. Datestamps are ours. ``about`` tells where the record came from, with what its provider told
around it. Deletions are passed on, also of records that the provider no longer lists.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape

from graph.entities import Record
from graph.errors import BadName
from graph.publication import Batch
from graph.store.published import HARVEST
from graph.urn import Name
from loaders.documents import SourceDocument
from loaders.harvest.archive import Entry, PageKind, RunContext, archived, missing_identifiers, read_page
from loaders.publishing.metadata import canonical, names_of_sets, sets_of
from loaders.xml import Element, iter_elements, local_name, namespace, value

_PROVENANCE = "http://www.openarchives.org/OAI/2.0/provenance"
_IDENTIFIER = re.compile(
    r"oai:([a-zA-Z][a-zA-Z0-9\-]*(?:\.[a-zA-Z][a-zA-Z0-9\-]*)+):[a-zA-Z0-9\-_.!~*'();/?:@&=+$,%]+", re.ASCII
)
_NOT_IN_SETS = re.compile(r"[^A-Za-z0-9\-_.!~*'()]", re.ASCII)
_SEEN = "harvested:"


@dataclass(slots=True)
class PassedOn:
    """What was passed on.

    Attributes:
        pages: kept payloads that were read.
        minted: records that got an identifier of ours.
        own: records of ours that came back from another provider, and are not published twice.
        refused: records that the harvest refused.
        other: kept payloads that are no answer of OAI-PMH.
    """

    pages: int = 0
    minted: int = 0
    own: int = 0
    refused: int = 0
    other: int = 0
    providers: Counter[str] = field(default_factory=Counter)


def pass_on(batch: Batch, folder: Path, domain: str, system: str) -> PassedOn:
    """Publish what harvests brought since the last time.

    Args:
        batch: what it is written to.
        folder: the folder of the store, which is open for writing: no harvest is under way.
        domain, system: what identifiers of ours begin with.

    Raises:
        StoreDamaged: a kept payload cannot be read.
    """
    done = PassedOn()
    # who was harvested first keeps an identifier that two providers give
    for entry in sorted(archived(folder / HARVEST), key=lambda one: (one.fetched, str(one.file), one.offset)):
        key = f"{_SEEN}{entry.file.relative_to(folder / HARVEST)}"
        if entry.offset < int(batch.setting(key) or 0):
            continue
        _Passing(batch, entry, domain, system, done).run()
        batch.set(key, str(entry.offset + entry.length))
    return done


@dataclass(slots=True)
class _Passing:
    """Passes on one kept payload."""

    batch: Batch
    entry: Entry
    domain: str
    system: str
    done: PassedOn

    def run(self) -> None:
        if self.entry.kind is PageKind.MISSING:
            for identifier in missing_identifiers(self.entry.payload()):
                self._put(identifier, None, None, None)
        elif self.entry.kind is PageKind.PAGE:
            self._page(self.entry.payload())
        elif self.entry.kind is not PageKind.RUN:
            self.done.other += 1

    def _page(self, payload: bytes) -> None:
        entry = self.entry
        self.done.pages += 1
        came = RunContext(entry.url, entry.set, entry.run, entry.software)
        document = SourceDocument(entry.label, lambda: io.BytesIO(payload))
        taken: dict[str, Name | None] = {}
        for outcome in read_page(came, entry.fetched, document, None):
            if isinstance(outcome, Record) and outcome.source.identifier is not None:
                taken[outcome.source.identifier] = None if outcome.document is None else outcome.document.name
        for record in iter_elements(io.BytesIO(payload), {"record", "header"}):
            header = record if local_name(record.tag) == "header" else _child(record, "header")
            identifier = "" if header is None else _value(header, "identifier")
            if header is None or identifier not in taken:
                self.done.refused += header is None or local_name(record.tag) == "record"
                continue
            lexml = _content(_child(record, "metadata"))
            name = taken[identifier]
            if name is None or lexml is None:
                self._put(identifier, None, None, None)
            else:
                about = self._about(identifier, _value(header, "datestamp"), namespace(lexml.tag), record)
                self._put(identifier, canonical(lexml), about, name)

    def _put(self, identifier: str, metadata: bytes | None, about: bytes | None, name: Name | None) -> None:
        url = self.entry.url
        match = _IDENTIFIER.fullmatch(identifier)
        if match is not None and match[1].lower() == self.domain.lower():
            self.done.own += 1
            return
        kept = self.batch.identifier_of(url, identifier)
        if kept is None:
            holder = self.batch.source_of(identifier)
            if match is not None and holder is None:
                kept = identifier
            else:
                self.done.minted += 1
                kept = f"oai:{self.domain}:{self.system}/{quote(url, safe='')}/{quote(identifier, safe='')}"
        specs = [_provider_set(url)] if metadata is not None or self.batch.source_of(kept) is None else []
        if name is not None:
            specs.extend(_sets(name))
        for spec, told in (pair for one in specs for pair in names_of_sets(*one)):
            self.batch.name_set(spec, told)
        if self.batch.put(kept, metadata, [spec for spec, _ in specs], source=url, origin=identifier, about=about):
            self.done.providers[url] += 1

    def _about(self, identifier: str, datestamp: str, metadata_namespace: str, record: Element) -> bytes:
        """Where the record came from, with what its provider told of where it came from."""
        nested = b"".join(
            canonical(origin)
            for about in record.iterchildren("*")
            if local_name(about.tag) == "about"
            for provenance in about.iterchildren(f"{{{_PROVENANCE}}}provenance")
            for origin in provenance.iterchildren(f"{{{_PROVENANCE}}}originDescription")
        )
        told = (
            f'<provenance xmlns="{_PROVENANCE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            f'xsi:schemaLocation="{_PROVENANCE} http://www.openarchives.org/OAI/2.0/provenance.xsd">'
            f'<originDescription harvestDate="{self.entry.fetched:%Y-%m-%dT%H:%M:%SZ}" altered="false">'
            f"<baseURL>{escape(self.entry.url)}</baseURL><identifier>{escape(identifier)}</identifier>"
            f"<datestamp>{escape(datestamp)}</datestamp>"
            f"<metadataNamespace>{escape(metadata_namespace)}</metadataNamespace>"
        )
        return told.encode() + nested + b"</originDescription></provenance>"


def _sets(name: Name) -> Iterator[tuple[str, str]]:
    try:
        yield from sets_of(name)
    except (BadName, ValueError):  # a name of another country has other parts
        return


def _provider_set(url: str) -> tuple[str, str]:
    """The set of a provider, with its name.

    >>> _provider_set("https://www.example.org:8080/oai/lexml?x=1")
    ('provedor:www.example.org-8080:oai:lexml:x_1', 'www.example.org-8080;oai;lexml;x=1')
    """
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].replace(":", "-")
    pieces = [host, *(piece for piece in f"{parts.path}/{parts.query}".split("/") if piece)]
    return ":".join(("provedor", *(_NOT_IN_SETS.sub("_", piece) for piece in pieces))), ";".join(pieces)


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element.iterchildren("*") if local_name(child.tag) == name), None)


def _value(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else value(child)


def _content(metadata: Element | None) -> Element | None:
    return None if metadata is None else next(metadata.iterchildren("*"), None)
