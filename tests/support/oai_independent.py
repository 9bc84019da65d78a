"""A provider of another project: the server library ``oai_repo`` on 127.0.0.1, with fictional norms.

The library implements the arguments, errors, tokens and pages of OAI-PMH. It does not support deletions (OAI-PMH 2.0,
section 2.5.1): this module adds them to its answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import oai_repo  # type: ignore[import-untyped]
from lxml import etree

from loaders.xml import Element
from tests.support.oai_server import OaiServer, identifier

OAI = "{http://www.openarchives.org/OAI/2.0/}"
LEXML = "http://www.lexml.gov.br/oai_lexml"
_STAMP = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(slots=True)
class Norm:
    """A fictional norm. A change applies to the next answer. ``lexml`` replaces the whole metadata of the record."""

    number: int
    stamp: datetime
    sets: tuple[str, ...]
    deleted: bool = False
    summary: str = "Norma fictícia."
    lexml: Element | None = None


def norms(count: int) -> dict[str, Norm]:
    """Return norms from 99901 up, by identifier: one for each hour, every seventh deleted, in two nested sets."""
    made = (
        Norm(
            99901 + number,
            datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number),
            ("normas", "normas:leis") if number % 3 else ("normas",),
            deleted=number % 7 == 6,
        )
        for number in range(count)
    )
    return {identifier(norm.number): norm for norm in made}


class _Data(oai_repo.DataInterface):  # type: ignore[misc]
    """The data interface that the library requires."""

    def __init__(self, held: dict[str, Norm], limit: int, url: str) -> None:
        self.held = held
        self.limit = limit
        self._url = url

    def get_identify(self) -> oai_repo.Identify:
        return oai_repo.Identify(
            repository_name="Arquivo Fictício",
            base_url=self._url,
            admin_email=["arquivo@example.org"],
            earliest_datestamp="2026-01-01T00:00:00Z",
            deleted_record="persistent",
            granularity="YYYY-MM-DDThh:mm:ssZ",
        )

    def is_valid_identifier(self, identifier: str) -> bool:
        return identifier in self.held

    def get_metadata_formats(self, identifier: str | None = None) -> list[oai_repo.MetadataFormat]:  # noqa: ARG002
        return [oai_repo.MetadataFormat("oai_lexml", "http://projeto.lexml.gov.br/esquemas/oai_lexml.xsd", LEXML)]

    def get_record_header(self, identifier: str) -> oai_repo.RecordHeader:
        norm = self.held[identifier]
        return oai_repo.RecordHeader(identifier, norm.stamp.strftime(_STAMP), list(norm.sets))

    def get_record_metadata(self, identifier: str, metadataprefix: str) -> Element:  # noqa: ARG002
        norm = self.held[identifier]
        if norm.lexml is not None:
            return deepcopy(norm.lexml)
        lexml = etree.Element(f"{{{LEXML}}}LexML", nsmap={"lexml": LEXML})
        for name, text in (
            ("DocumentoIndividual", f"urn:lex:br:federal:lei:2001-02-03;{norm.number}"),
            ("Epigrafe", f"Lei fictícia nº {norm.number}"),
            ("Ementa", norm.summary),
        ):
            etree.SubElement(lexml, f"{{{LEXML}}}{name}").text = text
        return lexml

    def get_record_abouts(self, identifier: str) -> list[Element]:  # noqa: ARG002
        return []

    def list_set_specs(
        self,
        identifier: str | None = None,  # noqa: ARG002
        cursor: int = 0,  # noqa: ARG002
    ) -> tuple[list[str], int, None]:
        specs = sorted({spec for norm in self.held.values() for spec in norm.sets})
        return specs, len(specs), None

    def get_set(self, setspec: str) -> oai_repo.Set:
        return oai_repo.Set(setspec, f"Conjunto {setspec}", [])

    def list_identifiers(
        self,
        metadataprefix: str,  # noqa: ARG002
        filter_from: datetime | None = None,
        filter_until: datetime | None = None,
        filter_set: str | None = None,
        cursor: int = 0,
    ) -> tuple[Sequence[str], int, None]:
        names = [
            name
            for name, norm in sorted(self.held.items(), key=lambda pair: (pair[1].stamp, pair[0]))
            if (filter_from is None or filter_from <= norm.stamp)
            and (filter_until is None or norm.stamp <= filter_until)
            and (filter_set is None or filter_set in norm.sets)
        ]
        return names[cursor : cursor + self.limit], len(names), None


class IndependentProvider(OaiServer):
    """A server of norms, for use in a ``with`` block.

    Args:
        held: the norms by identifier; they may be changed between requests.
        limit: the maximum number of records on a page.
    """

    def __init__(self, held: dict[str, Norm], limit: int = 50) -> None:
        super().__init__(lambda asked: self.answer(asked.arguments))
        self.held = held
        self.requests: list[dict[str, str]] = []
        self._repository = oai_repo.OAIRepository(_Data(held, limit, self.url))

    def __enter__(self) -> IndependentProvider:
        super().__enter__()
        return self

    def answer(self, arguments: dict[str, str]) -> bytes:
        """Return the answer of the library, with deletions added."""
        self.requests.append(dict(arguments))
        root = etree.fromstring(bytes(self._repository.process(arguments)))
        for header in root.iter(f"{OAI}header"):
            if self.held[header.findtext(f"{OAI}identifier") or ""].deleted:
                header.set("status", "deleted")
                for metadata in header.itersiblings(f"{OAI}metadata"):
                    metadata.getparent().remove(metadata)  # type: ignore[union-attr]
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8")
