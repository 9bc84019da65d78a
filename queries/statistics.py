"""The statistics of a store: quads, entities by class, and the last day of each provider."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeAlias

from pydantic import PlainSerializer

from graph.store import Store
from queries.catalogue import named
from queries.documents import Horizon, document


def _by_class(counts: tuple[tuple[str, int], ...]) -> dict[str, int]:
    return dict(counts)


_Counts: TypeAlias = Annotated[tuple[tuple[str, int], ...], PlainSerializer(_by_class)]


@dataclass(frozen=True, slots=True)
class Stats:
    """The statistics of a store.

    Attributes:
        quads: the number of statements, each counted in every record that states it.
        classes: the number of entities by the IRI of their class.
        known_up_to: for each provider, the newest datestamp harvested from it.
    """

    quads: int
    classes: _Counts
    known_up_to: Horizon

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/json.md."""
        return document(self)


def stats(store: Store) -> Stats:
    """Return the statistics of a store."""
    classes = ((str(row["classe"]), int(str(row["entidades"]))) for row in named("statistics").rows(store))
    horizons = (
        (str(row["provedor"]), row["horizonte"])
        for row in named("providers").rows(store)
        if isinstance(row["horizonte"], date)
    )
    return Stats(len(store), tuple(classes), tuple(horizons))
