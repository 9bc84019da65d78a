"""The triples of one record while they are being said."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graph.terms import iri
from ontology.namespaces import RDF

__all__ = ["Lines"]

_TYPE = iri(RDF["type"])


class Lines:
    """Triples of one record as N-Triples lines, each once, in the order in which they were said."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self.touched: set[str] = set()

    def add(self, subject: str, predicate: str, *objects: str) -> None:
        """Objects are written terms; subject and predicate are bare IRIs."""
        for term in objects:
            self._lines[f"{iri(subject)} {iri(predicate)} {term} ."] = None

    def a(self, subject: str, *classes: str) -> None:
        for name in classes:
            self._lines[f"{iri(subject)} {_TYPE} {iri(name)} ."] = None

    def link(self, subject: str, predicate: str, target: str) -> None:
        self._lines[f"{iri(subject)} {iri(predicate)} {iri(target)} ."] = None

    def extend(self, lines: Iterable[str]) -> None:
        """Lines that are written already."""
        self._lines.update(dict.fromkeys(lines))

    def maybe(self, subject: str, predicate: str, value: object, write: Callable[..., str]) -> None:
        if value is not None:
            self.add(subject, predicate, write(value))

    def done(self) -> list[str]:
        return list(self._lines)
