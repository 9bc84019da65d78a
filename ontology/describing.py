"""Closed namespaces for describing a dataset, its services and its queries: VoID, DCAT 3, SHACL, and a word of FOAF."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ontology.namespaces import PREFIXES, ClosedNamespace

__all__ = ["DCAT", "DESCRIBING", "DESCRIBING_PREFIXES", "FOAF", "SH", "VOID"]

_LISTED = "ontology/describing.py"

#: Describing Linked Datasets with the VoID Vocabulary (W3C Interest Group Note, 2011).
VOID = ClosedNamespace(
    "void",
    "http://rdfs.org/ns/void#",
    (
        "Dataset",
        "DatasetDescription",
        "class",
        "classPartition",
        "classes",
        "entities",
        "exampleResource",
        "properties",
        "property",
        "propertyPartition",
        "sparqlEndpoint",
        "triples",
        "uriSpace",
        "vocabulary",
    ),
    _LISTED,
)

#: Data Catalog Vocabulary, version 3 (W3C Recommendation, 2024).
DCAT = ClosedNamespace(
    "dcat",
    "http://www.w3.org/ns/dcat#",
    (
        "DataService",
        "Dataset",
        "Distribution",
        "accessService",
        "accessURL",
        "distribution",
        "endpointDescription",
        "endpointURL",
        "servesDataset",
        "version",
    ),
    _LISTED,
)

#: Shapes Constraint Language (W3C Recommendation, 2017), section 5.3 and its vocabulary: queries as resources.
SH = ClosedNamespace(
    "sh",
    "http://www.w3.org/ns/shacl#",
    (
        "IRI",
        "Parameter",
        "SPARQLExecutable",
        "SPARQLSelectExecutable",
        "datatype",
        "defaultValue",
        "description",
        "nodeKind",
        "optional",
        "order",
        "parameter",
        "path",
        "select",
    ),
    _LISTED,
)

FOAF = ClosedNamespace("foaf", "http://xmlns.com/foaf/0.1/", ("primaryTopic",), _LISTED)

#: Each of them by its prefix.
DESCRIBING: Mapping[str, ClosedNamespace] = MappingProxyType({"void": VOID, "dcat": DCAT, "sh": SH, "foaf": FOAF})
#: Their prefixes, with those of the graph.
DESCRIBING_PREFIXES: Mapping[str, str] = MappingProxyType(
    {**PREFIXES, **{prefix: str(space) for prefix, space in DESCRIBING.items()}}
)
