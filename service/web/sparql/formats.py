"""The formats of SPARQL answers, in the order in which equals are preferred."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pyoxigraph as ox

__all__ = ["GRAPHS", "RESULTS"]

#: Answers to SELECT and ASK, by media type.
RESULTS: Mapping[str, ox.QueryResultsFormat] = MappingProxyType(
    {
        "application/sparql-results+json": ox.QueryResultsFormat.JSON,
        "application/sparql-results+xml": ox.QueryResultsFormat.XML,
        "text/csv": ox.QueryResultsFormat.CSV,
        "text/tab-separated-values": ox.QueryResultsFormat.TSV,
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
