"""What the mapping says of one record, as a value that can be made in one process and stored by another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from graph.civil import leading_day
from graph.entities import Record
from graph.mapping.records import mapped

__all__ = ["Mapped", "map_record"]


@dataclass(frozen=True, slots=True)
class Mapped:
    """One record, ready for the store: it replaces whatever the same source said before.

    Attributes:
        graph: the named graph of the record, its source's IRI.
        payload_hash: as the source has it: equal hash and loader mean nothing to do.
        loader: as above.
        provider: base URL or domain of the provider; None when nobody says.
        identifier: the record's identifier at the provider.
        datestamp: the record's datestamp as written by the provider.
        deleted: whether the source says that the record is gone.
        lines: the triples as N-Triples, each line with its end.
        touched: the IRIs of the works and provisions whose periods have to be derived anew, in order.
        deviations: the codes of the deviations of its document's name.
    """

    graph: str
    payload_hash: str
    loader: str
    provider: str | None
    identifier: str | None
    datestamp: str | None
    deleted: bool
    lines: str
    touched: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()

    @property
    def datestamp_day(self) -> date | None:
        """The day of the datestamp; None where there is none or its first ten characters are no day."""
        return leading_day(self.datestamp) if self.datestamp is not None else None


def map_record(record: Record) -> Mapped:
    """What one record says; the same record always gives the same lines, so that loading twice changes nothing."""
    lines, touched = mapped(record)
    source = record.source
    return Mapped(
        source.iri,
        source.payload_hash,
        source.loader,
        source.provider,
        source.identifier,
        source.datestamp,
        record.deleted,
        "\n".join(lines) + "\n",
        tuple(sorted(touched)),
        tuple(one.code for one in record.document.name.deviations) if record.document is not None else (),
    )
