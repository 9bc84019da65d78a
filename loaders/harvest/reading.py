"""What arrived, as the loaders read it: records with the harvest that brought them, tombstones, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import TypeAlias

from graph.entities import Record, Source
from graph.harvests import HarvestRun
from graph.quarantine import Refusal
from loaders.documents import SourceDocument
from loaders.harvest.archive import PageKind
from loaders.harvest.state import moment, written
from loaders.oai_pmh import ProviderFault
from loaders.outcomes import Outcome
from loaders.sources.normas import KIND as NORMAS
from loaders.sources.normas import read_normas
from loaders.sources.oai_lexml import KIND, LOADER, read_oai_lexml, record_iri

_COUNTS = ("loaded", "unchanged", "deleted", "refused")


@dataclass(frozen=True, slots=True)
class Came:
    """The harvest that something came by.

    Attributes:
        url: base URL of the provider, as it was asked: answers may name another.
        began: when the harvest began (UTC).
        software: name and version of what harvests.
    """

    url: str
    set: str | None
    began: datetime
    software: str

    @property
    def run(self) -> HarvestRun:
        """The harvest, as far as it is known while it runs."""
        return HarvestRun(self.url, self.began, self.software, self.set)


def read_page(came: Came, fetched: datetime, document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """The records of an answer to ListRecords, GetRecord or (deletions only) ListIdentifiers.

    Args:
        fetched: when it came (UTC).
        provider: not needed: the harvest knows it.
    """
    del provider
    return read_oai_lexml(document, provider=came.url, run=came.run.iri, fetched=fetched)


def read_norma(came: Came, fetched: datetime, document: SourceDocument, provider: str | None) -> Iterable[Outcome]:
    """The one record of an answer of the API of normas.leg.br; arguments as for :func:`read_page`."""
    del provider
    return read_normas(document, provider=came.url, run=came.run.iri, fetched=fetched)


#: Reads what a provider answered: the harvest, the moment, the answer, and a provider that is not needed.
AnswerReader: TypeAlias = Callable[[Came, datetime, SourceDocument, str | None], Iterable[Outcome]]
#: How each kind of answer is read, now and when it is read again.
READERS: Mapping[PageKind, AnswerReader] = MappingProxyType({PageKind.PAGE: read_page, PageKind.NORMA: read_norma})
_SOURCES: Mapping[PageKind, str] = MappingProxyType({PageKind.PAGE: KIND, PageKind.NORMA: NORMAS})


def withdrawn(identifiers: Iterable[str], label: str, came: Came, noticed: datetime) -> Iterator[Record]:
    """Tombstones of records that the provider no longer lists: when they went is not known, when it was noticed is."""
    for identifier in identifiers:
        digest = sha256(f"missing\x1f{identifier}".encode("utf-8", "surrogatepass")).hexdigest()
        source = Source(record_iri(identifier, came.url), KIND, digest, LOADER, came.url, identifier, origin=label)
        yield Record(replace(source, run=came.run.iri, fetched=noticed, missing_since=noticed.date()), None)


def missing_payload(identifiers: Iterable[str]) -> bytes:
    """How identifiers that are no longer listed are kept.

    >>> missing_identifiers(missing_payload(["oai:a:b/1"]))
    ['oai:a:b/1']
    """
    return json.dumps(list(identifiers)).encode()


def missing_identifiers(payload: bytes) -> list[str]:
    """What :func:`missing_payload` wrote."""
    found: list[str] = json.loads(payload)
    return found


def run_payload(run: HarvestRun) -> bytes:
    """How what became of a harvest is kept."""
    said = {name: getattr(run, name) for name in _COUNTS}
    return json.dumps(
        {**said, "since": run.since, "until": run.until, "ended": run.ended and written(run.ended)}
    ).encode()


def run_of(came: Came, payload: bytes) -> HarvestRun:
    """What :func:`run_payload` wrote of a harvest."""
    said = json.loads(payload)
    ended = said.pop("ended")
    return replace(came.run, **said, ended=ended and moment(ended))


def refused_page(fault: ProviderFault, kind: PageKind, label: str, provider: str, identifier: str | None) -> Refusal:
    """What came and is no answer of that kind, for the quarantine; ``identifier`` where one record was asked for."""
    return Refusal(
        origin=label,
        position="whole page",
        identifier=identifier,
        code=str(fault.code),
        problem=f"{fault.url}: {fault.problem}",
        expected=fault.expected,
        kind=_SOURCES[kind],
        payload=fault.payload,
        provider=provider,
        truncated=True,
    )
