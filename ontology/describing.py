"""Closed namespaces to describe a dataset, its services, queries and quality: VoID, DCAT 3, SHACL, CSVW, DQV, FOAF."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ontology.namespaces import PREFIXES, ClosedNamespace

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

#: Shapes Constraint Language (W3C Recommendation, 2017): shapes, reports, and queries as resources.
SH = ClosedNamespace(
    "sh",
    "http://www.w3.org/ns/shacl#",
    (
        "IRI",
        "Info",
        "NodeShape",
        "Parameter",
        "PropertyShape",
        "SPARQLExecutable",
        "SPARQLSelectExecutable",
        "ValidationReport",
        "ValidationResult",
        "Violation",
        "Warning",
        "alternativePath",
        "class",
        "conforms",
        "datatype",
        "declare",
        "defaultValue",
        "description",
        "focusNode",
        "hasValue",
        "in",
        "inversePath",
        "languageIn",
        "lessThan",
        "lessThanOrEquals",
        "maxCount",
        "message",
        "minCount",
        "minInclusive",
        "namespace",
        "nodeKind",
        "optional",
        "or",
        "order",
        "parameter",
        "path",
        "pattern",
        "prefix",
        "prefixes",
        "property",
        "result",
        "resultMessage",
        "resultPath",
        "resultSeverity",
        "select",
        "severity",
        "sourceConstraintComponent",
        "sourceShape",
        "sparql",
        "targetClass",
        "targetSubjectsOf",
        "uniqueLang",
        "value",
    ),
    _LISTED,
)

#: Metadata Vocabulary for Tabular Data (W3C Recommendation, 2015): the columns of an answer.
CSVW = ClosedNamespace(
    "csvw",
    "http://www.w3.org/ns/csvw#",
    ("Column", "Schema", "column", "datatype", "name", "tableSchema"),
    _LISTED,
)

#: Data Quality Vocabulary (W3C Working Group Note, 2016).
DQV = ClosedNamespace(
    "dqv",
    "http://www.w3.org/ns/dqv#",
    (
        "Metric",
        "QualityMeasurement",
        "computedOn",
        "expectedDataType",
        "hasQualityMeasurement",
        "inDimension",
        "isMeasurementOf",
        "value",
    ),
    _LISTED,
)

#: Dimensions of quality (DQV, section 7.1; the list of Zaveri and others).
LDQD = ClosedNamespace(
    "ldqd",
    "http://www.w3.org/2016/05/ldqd#",
    ("completeness", "consistency", "semanticAccuracy", "syntacticValidity", "trustworthiness"),
    _LISTED,
)

FOAF = ClosedNamespace("foaf", "http://xmlns.com/foaf/0.1/", ("primaryTopic",), _LISTED)

#: Each of them by its prefix.
DESCRIBING: Mapping[str, ClosedNamespace] = MappingProxyType(
    {"void": VOID, "dcat": DCAT, "sh": SH, "csvw": CSVW, "dqv": DQV, "ldqd": LDQD, "foaf": FOAF}
)
#: Their prefixes, with those of the graph.
DESCRIBING_PREFIXES: Mapping[str, str] = MappingProxyType(
    {**PREFIXES, **{prefix: str(space) for prefix, space in DESCRIBING.items()}}
)
