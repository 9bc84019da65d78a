"""A harvest run: one reading of one set of one provider, with what became of its records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ontology.iris import hashed_iri


@dataclass(frozen=True, slots=True)
class HarvestRun:
    """One harvest of a provider (over OAI-PMH: OAI-PMH 2.0, sections 2.6, 2.7 and 4.5).

    Attributes:
        provider: base URL of the provider, of OAI-PMH or of the API of normas.leg.br.
        started: when it began, an aware datetime in UTC.
        software: name and version of what harvested, e.g. ``"vigente/0.1.0"``.
        set: the ``setSpec`` that was asked for; None where all records were.
        since, until: the bounds ``from`` and ``until`` as they were asked for, both included; None where left out.
        ended: when it was over, likewise in UTC; None while it runs, and for ever where it was killed.
        loaded, unchanged, deleted, refused: how many records became what, as a summary counts them.
    """

    provider: str
    started: datetime
    software: str
    set: str | None = None
    since: str | None = None
    until: str | None = None
    ended: datetime | None = None
    loaded: int = 0
    unchanged: int = 0
    deleted: int = 0
    refused: int = 0

    @property
    def iri(self) -> str:
        """The run itself: provider, set and start identify it, so that it can be told before it is over.

        >>> from datetime import UTC
        >>> HarvestRun("https://oai.example/oai", datetime(2026, 3, 1, 12, tzinfo=UTC), "vigente/0.1.0").iri
        'https://w3id.org/vigente/id/colheita/0e4c586750184c545863b9bf70fa5144'
        """
        return hashed_iri("colheita", self.provider, self.set or "", self.started.isoformat())
