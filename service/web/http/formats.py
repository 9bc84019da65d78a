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
    }
)
