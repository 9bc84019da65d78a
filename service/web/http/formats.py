"""The formats of SPARQL answers, in the order in which equals are preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pyoxigraph as ox

#: Answers to SELECT and ASK, by media type.
RESULTS: Mapping[str, ox.QueryResultsFormat] = MappingProxyType(
    {
        "application/sparql-results+json": ox.QueryResultsFormat.JSON,
        "application/sparql-results+xml": ox.QueryResultsFormat.XML,
        "text/csv": ox.QueryResultsFormat.CSV,
        "text/tab-separated-values": ox.QueryResultsFormat.TSV,
        "application/json": ox.QueryResultsFormat.JSON,
    }
)
#: Answers to CONSTRUCT and DESCRIBE, by media type.
GRAPHS: Mapping[str, ox.RdfFormat] = MappingProxyType(
    {
        "text/turtle": ox.RdfFormat.TURTLE,
        "application/n-triples": ox.RdfFormat.N_TRIPLES,
        "application/rdf+xml": ox.RdfFormat.RDF_XML,
        "application/ld+json": ox.RdfFormat.JSON_LD,
        "text/n3": ox.RdfFormat.N3,
        "application/n-quads": ox.RdfFormat.N_QUADS,
        "application/trig": ox.RdfFormat.TRIG,
    }
)
#: What ``?format=`` may say, and the media types that it stands for: of results, of graphs, or one of each.
SHORT_NAMES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "json": ("application/sparql-results+json", "application/ld+json"),
        "xml": ("application/sparql-results+xml", "application/rdf+xml"),
        "csv": ("text/csv",),
        "tsv": ("text/tab-separated-values",),
        "ttl": ("text/turtle",),
        "nt": ("application/n-triples",),
        "rdf": ("application/rdf+xml",),
        "jsonld": ("application/ld+json",),
        "n3": ("text/n3",),
        "nq": ("application/n-quads",),
        "trig": ("application/trig",),
    }
)
#: Other names that clients use for the same.
_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "srj": "json",
        "application/sparql-results+json": "json",
        "application/json": "json",
        "srx": "xml",
        "application/sparql-results+xml": "xml",
        "application/xml": "xml",
        "text/xml": "xml",
        "text/csv": "csv",
        "text/tab-separated-values": "tsv",
        "turtle": "ttl",
        "text/turtle": "ttl",
        "application/turtle": "ttl",
        "application/x-turtle": "ttl",
        "ntriples": "nt",
        "n-triples": "nt",
        "application/n-triples": "nt",
        "text/plain": "nt",
        "rdfxml": "rdf",
        "rdf+xml": "rdf",
        "rdf-xml": "rdf",
        "rdf/xml": "rdf",
        "application/rdf+xml": "rdf",
        "json-ld": "jsonld",
        "ld+json": "jsonld",
        "application/ld+json": "jsonld",
        "text/n3": "n3",
        "text/rdf+n3": "n3",
        "application/n3": "n3",
        "nquads": "nq",
        "n-quads": "nq",
        "application/n-quads": "nq",
        "application/trig": "trig",
    }
)


def media_types_of(names: Sequence[str]) -> Sequence[str]:
    """The media types that values of ``?format=`` stand for; none where a value is unknown or two mean different ones.

    >>> media_types_of(["Turtle"]), media_types_of(["json", "application/json"])
    (('text/turtle',), ('application/sparql-results+json', 'application/ld+json'))
    >>> media_types_of(["yaml"]), media_types_of(["csv", "tsv"])
    ((), ())
    """
    known = {_ALIASES.get(name, name) for name in (one.strip().lower().replace(" ", "+") for one in names)}
    return SHORT_NAMES.get(known.pop(), ()) if len(known) == 1 else ()
