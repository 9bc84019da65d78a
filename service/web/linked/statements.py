"""Statements that the service makes of itself: triples from terms of the closed namespaces."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256

import pyoxigraph as ox

from ontology.namespaces import RDF, XSD

_Value = str | int | date | datetime | ox.NamedNode | ox.BlankNode | ox.Literal


def iri(text: str) -> ox.NamedNode:
    """An IRI as a term."""
    return ox.NamedNode(text)


@dataclass(slots=True)
class Statements:
    """Triples, in the making."""

    triples: list[ox.Triple] = field(default_factory=list)

    def say(self, subject: ox.NamedNode | ox.BlankNode, *said: tuple[str, _Value]) -> None:
        """State properties of a subject; a ``str`` is a text, numbers, days and moments are typed."""
        self.triples.extend(ox.Triple(subject, iri(name), _term(value)) for name, value in said)

    def be(self, subject: ox.NamedNode | ox.BlankNode, kind: str, *said: tuple[str, _Value]) -> None:
        """State the class of a subject, and its properties."""
        self.say(subject, (RDF["type"], iri(kind)), *said)

    def part(self, whole: ox.NamedNode, link: str, *said: tuple[str, _Value]) -> None:
        """State something without a name of its own, and to what it belongs; the same is the same every time."""
        digest = sha256("\x1f".join([whole.value, link, *(f"{name} {_term(value)}" for name, value in said)]).encode())
        node = ox.BlankNode(f"b{digest.hexdigest()[:24]}")
        self.say(whole, (link, node))
        self.say(node, *said)


def _term(value: _Value) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, datetime):
        return ox.Literal(value.isoformat(timespec="seconds"), datatype=iri(XSD["dateTime"]))
    if isinstance(value, date):
        return ox.Literal(value.isoformat(), datatype=iri(XSD["date"]))
    return ox.Literal(value) if isinstance(value, str | int) else value
