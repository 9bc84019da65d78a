"""OAI-PMH responses with oai_lexml records of fictional norms, as text and as files."""

from __future__ import annotations

from pathlib import Path

LEXML = "http://www.lexml.gov.br/oai_lexml"
NAME = "urn:lex:br:federal:lei:2001-02-03;99901"
PROVIDER = "https://oai.exemplo.gov.br/p"


def oai_record(
    identifier: str, name: str = NAME, inside: str = "", *, day: str = "2026-01-01", status: str = ""
) -> str:
    """Return a record with these elements after its name; one with the status ``gone`` is deleted, without metadata."""
    header = f"<identifier>{identifier}</identifier><datestamp>{day}</datestamp>"
    if status == "gone":
        return f'<record><header status="deleted">{header}</header></record>'
    lexml = f'<LexML xmlns="{LEXML}"><DocumentoIndividual>{name}</DocumentoIndividual>{inside}</LexML>'
    return f'<record><header status="{status}">{header}</header><metadata>{lexml}</metadata></record>'


def oai_page(*records: str, request: str = PROVIDER) -> bytes:
    """Return a response to ListRecords."""
    return (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request>{request}</request>'
        f"<ListRecords>{''.join(records)}</ListRecords></OAI-PMH>"
    ).encode()


def page_file(path: Path, *records: str) -> Path:
    """Write a response to ListRecords; return its path."""
    path.write_bytes(oai_page(*records))
    return path
