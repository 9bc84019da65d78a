"""The triples that the mapping writes for one record, for look-ups in tests."""

from __future__ import annotations

import pyoxigraph as ox

from graph.entities import Record
from graph.mapping import mapped
from graph.urn import to_iri
from ontology.namespaces import NAMESPACES, RDF


class Triples:
    """The triples of one record; subjects may be given as names."""

    def __init__(self, record: Record) -> None:
        statements, self.touched = mapped(record, record.about)
        self.lines = [f"{subject} {predicate} {term} ." for subject, predicate, term in statements]
        quads = ox.parse("\n".join(self.lines).encode(), format=ox.RdfFormat.N_TRIPLES)
        self.all = [(str(q.subject)[1:-1], q.predicate.value, _value(q.object)) for q in quads]

    def of(self, subject: str, predicate: str) -> list[str]:
        return sorted(o for s, p, o in self.all if (s, p) == (to_iri(subject), predicate))

    def into(self, predicate: str, target: str) -> list[str]:
        return sorted(s for s, p, o in self.all if (p, o) == (predicate, to_iri(target)))

    def classes(self, subject: str) -> set[str]:
        return {short(class_iri) for class_iri in self.of(subject, RDF["type"])}

    def all_of(self, class_: str) -> list[str]:
        return sorted(s for s, p, o in self.all if (p, o) == (RDF["type"], class_))

    def has_subject(self, subject: str) -> bool:
        """Return whether any triple has this subject."""
        return any(s == to_iri(subject) for s, _, _ in self.all)


def _value(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def short(iri: str) -> str:
    return next(f"{p}:{iri.removeprefix(str(space))}" for p, space in NAMESPACES.items() if iri.startswith(str(space)))
