"""Closed namespaces to describe a dataset and to project it: VoID, DCAT 3, SHACL, CSVW, DQV, FOAF, LRMoo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ontology.namespaces import PREFIXES, Terms

#: Describing Linked Datasets with the VoID Vocabulary (W3C Interest Group Note, 2011).
VOID = Terms(
    "http://rdfs.org/ns/void#",
    "Dataset",
    "DatasetDescription",
    "classPartition",
    "classes",
    "dataDump",
    "distinctSubjects",
    "entities",
    "exampleResource",
    "properties",
    "property",
    "propertyPartition",
    "sparqlEndpoint",
    "triples",
    "uriSpace",
    "vocabulary",
    "class",
)

#: Data Catalog Vocabulary, version 3 (W3C Recommendation, 2024).
DCAT = Terms(
    "http://www.w3.org/ns/dcat#",
    "DataService",
    "Dataset",
    "Distribution",
    "accessService",
    "accessURL",
    "distribution",
    "downloadURL",
    "endpointDescription",
    "endpointURL",
    "keyword",
    "landingPage",
    "servesDataset",
    "version",
)

#: Shapes Constraint Language (W3C Recommendation, 2017): shapes, reports, and queries as resources.
SH = Terms(
    "http://www.w3.org/ns/shacl#",
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
    "conforms",
    "datatype",
    "declare",
    "defaultValue",
    "description",
    "focusNode",
    "hasValue",
    "inversePath",
    "languageIn",
    "lessThan",
    "lessThanOrEquals",
    "maxCount",
    "message",
    "minCount",
    "minInclusive",
    "namespace",
    "name",
    "nodeKind",
    "optional",
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
    "class",
    "in",
    "or",
)

#: Metadata Vocabulary for Tabular Data (W3C Recommendation, 2015): the columns of an answer.
CSVW = Terms(
    "http://www.w3.org/ns/csvw#",
    "Column",
    "Schema",
    "column",
    "datatype",
    "name",
    "tableSchema",
    "title",
)

#: Data Quality Vocabulary (W3C Working Group Note, 2016).
DQV = Terms(
    "http://www.w3.org/ns/dqv#",
    "Metric",
    "QualityMeasurement",
    "computedOn",
    "expectedDataType",
    "hasQualityMeasurement",
    "inDimension",
    "isMeasurementOf",
    "value",
)

#: Dimensions of quality (DQV, section 7.1; the list of Zaveri and others).
LDQD = Terms(
    "http://www.w3.org/2016/05/ldqd#",
    "completeness",
    "consistency",
    "semanticAccuracy",
    "syntacticValidity",
    "trustworthiness",
)

#: Terms of foaf.
FOAF = Terms(
    "http://xmlns.com/foaf/0.1/",
    "Agent",
    "name",
    "primaryTopic",
)

#: SPARQL 1.1 Service Description (W3C Recommendation, 2013).
SD = Terms(
    "http://www.w3.org/ns/sparql-service-description#",
    "Dataset",
    "Graph",
    "SPARQL11Query",
    "Service",
    "UnionDefaultGraph",
    "defaultDataset",
    "defaultGraph",
    "endpoint",
    "feature",
    "resultFormat",
    "supportedLanguage",
)

#: These namespaces, by prefix.
DESCRIBING: Mapping[str, Terms] = MappingProxyType(
    {"void": VOID, "dcat": DCAT, "sh": SH, "csvw": CSVW, "dqv": DQV, "ldqd": LDQD, "foaf": FOAF}
)
#: The IRI of each of these namespaces and of those of the graph, by prefix.
DESCRIBING_PREFIXES: Mapping[str, str] = MappingProxyType(
    {**PREFIXES, **{prefix: str(space) for prefix, space in DESCRIBING.items()}}
)

#: LRMoo 1.0 (IFLA, 2024), as far as the graph is projected into it: FRBRoo's successor, with R4 and R10 reversed.
LRMOO = Terms(
    "http://iflastandards.info/ns/lrm/lrmoo/",
    "F1_Work",
    "F2_Expression",
    "F3_Manifestation",
    "F5_Item",
    "F18_Serial_Work",
    "F27_Work_Creation",
    "F28_Expression_Creation",
    "F30_Manifestation_Creation",
    "F32_Item_Production_Event",
    "R1_is_logical_successor_of",
    "R2_is_derivative_of",
    "R3_is_realised_in",
    "R4_embodies",
    "R5_has_component",
    "R7_exemplifies",
    "R10_is_member_of",
    "R16_created",
    "R17_created",
    "R19_created_a_realisation_of",
    "R24_created",
    "R28_produced",
)
