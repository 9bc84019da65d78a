"""The triples of one record while they are being said."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graph.terms import Statement, iri, statement
from ontology.namespaces import RDF

_TYPE = iri(RDF["type"])


class Lines:
    """Triples of one record as written terms, each once, in the order in which they were said."""

    def __init__(self) -> None:
        self._said: dict[Statement, None] = {}
        self.touched: set[str] = set()

    def add(self, subject: str, predicate: str, *objects: str) -> None:
        """Objects are written terms; subject and predicate are bare IRIs."""
        written, said = iri(subject), iri(predicate)
        for term in objects:
            self._said[written, said, term] = None

    def a(self, subject: str, *classes: str) -> None:
        written = iri(subject)
        for name in classes:
            self._said[written, _TYPE, iri(name)] = None

    def link(self, subject: str, predicate: str, target: str) -> None:
        self._said[iri(subject), iri(predicate), iri(target)] = None

    def extend(self, lines: Iterable[str]) -> None:
        """N-Triples lines that are written already, without their ends."""
        self._said.update(dict.fromkeys(map(statement, lines)))

    def maybe(self, subject: str, predicate: str, value: object, write: Callable[..., str]) -> None:
        if value is not None:
            self.add(subject, predicate, write(value))

    def done(self) -> list[Statement]:
        return list(self._said)
