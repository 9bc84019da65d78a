"""What the mapping says of one record, as a value that can be made in one process and stored by another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TypeVar

from graph.entities import Record, Source
from graph.mapping.index_entries import Said, said_of
from graph.mapping.records import mapped
from graph.patterns import DECISIVE
from graph.terms import Statement, iri

_DECISIVE = frozenset(map(iri, DECISIVE))


@dataclass(frozen=True, slots=True)
class Mapped:
    """One record, ready for the store: it replaces whatever the same source said before.

    Attributes:
        source: where the record comes from; its IRI is the named graph.
        deleted: whether the record is gone; its lines are then those of a tombstone that remembers nothing.
        lines: the triples as N-Triples, each line with its end.
        touched: the IRIs of the works and provisions whose periods have to be derived anew, in order.
        about: the IRIs of what the record is about.
        decisive: of the triples those that decide lives, where the record touches any; with written terms.
        deviations: the codes of the deviations of its document's name.
        said: what it says of names, for the index of names.
    """

    source: Source
    deleted: bool
    lines: str
    touched: tuple[str, ...] = ()
    decisive: tuple[Statement, ...] = ()
    about: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    said: Said = field(default_factory=Said)

    def __reduce__(self) -> tuple[type[Mapped], tuple[object, ...]]:
        """Pickled by position: what dataclasses do of themselves takes three times as long."""
        said = (self.lines, self.touched, self.decisive, self.about, self.deviations, self.said)
        return Mapped, (self.source, self.deleted, *said)

    @property
    def graph(self) -> str:
        """The named graph of the record."""
        return self.source.iri


_Arriving = TypeVar("_Arriving", Record, Mapped)


def placed(one: _Arriving, graph: str) -> _Arriving:
    """The same record in another named graph."""
    source = replace(one.source, iri=graph)
    if isinstance(one, Record):
        return replace(one, source=source)
    before, now = iri(one.graph), iri(graph)
    lines = re.sub(f"^{re.escape(before)} ", lambda _: f"{now} ", one.lines, flags=re.MULTILINE)
    decisive = tuple((now if node == before else node, kind, term) for node, kind, term in one.decisive)
    return replace(one, source=source, lines=lines, decisive=decisive)


def map_record(record: Record) -> Mapped:
    """What one record says; the same record always gives the same lines, so that loading twice changes nothing."""
    about = record.about
    stated, touched = mapped(record, about)
    return Mapped(
        record.source,
        record.deleted,
        "".join([f"{subject} {predicate} {term} .\n" for subject, predicate, term in stated]),
        tuple(sorted(touched)),
        tuple(one for one in stated if one[1] in _DECISIVE) if touched else (),
        about,
        tuple(one.code for one in record.document.name.deviations) if record.document is not None else (),
        said_of(record.source.iri, stated),
    )
