"""Closed namespaces to describe a dataset and to project it: VoID, DCAT 3, SHACL, CSVW, DQV, FOAF, LRMoo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rdflib import Namespace, URIRef

from ontology.namespaces import PREFIXES, Terms, TermsMeta


class VOID(Terms):
    """Describing Linked Datasets with the VoID Vocabulary (W3C Interest Group Note, 2011)."""

    _NS = Namespace("http://rdfs.org/ns/void#")
    _extras = ["class"]

    Dataset: URIRef
    DatasetDescription: URIRef
    classPartition: URIRef
    classes: URIRef
    dataDump: URIRef
    distinctSubjects: URIRef
    entities: URIRef
    exampleResource: URIRef
    properties: URIRef
    property: URIRef
    propertyPartition: URIRef
    sparqlEndpoint: URIRef
    triples: URIRef
    uriSpace: URIRef
    vocabulary: URIRef


class DCAT(Terms):
    """Data Catalog Vocabulary, version 3 (W3C Recommendation, 2024)."""

    _NS = Namespace("http://www.w3.org/ns/dcat#")

    DataService: URIRef
    Dataset: URIRef
    Distribution: URIRef
    accessService: URIRef
    accessURL: URIRef
    distribution: URIRef
    downloadURL: URIRef
    endpointDescription: URIRef
    endpointURL: URIRef
    keyword: URIRef
    landingPage: URIRef
    servesDataset: URIRef
    version: URIRef


class SH(Terms):
    """Shapes Constraint Language (W3C Recommendation, 2017): shapes, reports, and queries as resources."""

    _NS = Namespace("http://www.w3.org/ns/shacl#")
    _extras = ["class", "in", "or"]

    IRI: URIRef
    Info: URIRef
    NodeShape: URIRef
    Parameter: URIRef
    PropertyShape: URIRef
    SPARQLExecutable: URIRef
    SPARQLSelectExecutable: URIRef
    ValidationReport: URIRef
    ValidationResult: URIRef
    Violation: URIRef
    Warning: URIRef
    alternativePath: URIRef
    conforms: URIRef
    datatype: URIRef
    declare: URIRef
    defaultValue: URIRef
    description: URIRef
    focusNode: URIRef
    hasValue: URIRef
    inversePath: URIRef
    languageIn: URIRef
    lessThan: URIRef
    lessThanOrEquals: URIRef
    maxCount: URIRef
    message: URIRef
    minCount: URIRef
    minInclusive: URIRef
    namespace: URIRef
    name: URIRef
    nodeKind: URIRef
    optional: URIRef
    order: URIRef
    parameter: URIRef
    path: URIRef
    pattern: URIRef
    prefix: URIRef
    prefixes: URIRef
    property: URIRef
    result: URIRef
    resultMessage: URIRef
    resultPath: URIRef
    resultSeverity: URIRef
    select: URIRef
    severity: URIRef
    sourceConstraintComponent: URIRef
    sourceShape: URIRef
    sparql: URIRef
    targetClass: URIRef
    targetSubjectsOf: URIRef
    uniqueLang: URIRef
    value: URIRef


class CSVW(Terms):
    """Metadata Vocabulary for Tabular Data (W3C Recommendation, 2015): the columns of an answer."""

    _NS = Namespace("http://www.w3.org/ns/csvw#")

    Column: URIRef
    Schema: URIRef
    column: URIRef
    datatype: URIRef
    name: URIRef
    tableSchema: URIRef
    title: URIRef


class DQV(Terms):
    """Data Quality Vocabulary (W3C Working Group Note, 2016)."""

    _NS = Namespace("http://www.w3.org/ns/dqv#")

    Metric: URIRef
    QualityMeasurement: URIRef
    computedOn: URIRef
    expectedDataType: URIRef
    hasQualityMeasurement: URIRef
    inDimension: URIRef
    isMeasurementOf: URIRef
    value: URIRef


class LDQD(Terms):
    """Dimensions of quality (DQV, section 7.1; the list of Zaveri and others)."""

    _NS = Namespace("http://www.w3.org/2016/05/ldqd#")

    completeness: URIRef
    consistency: URIRef
    semanticAccuracy: URIRef
    syntacticValidity: URIRef
    trustworthiness: URIRef


class FOAF(Terms):
    """Terms of foaf."""

    _NS = Namespace("http://xmlns.com/foaf/0.1/")

    Agent: URIRef
    name: URIRef
    primaryTopic: URIRef


class SD(Terms):
    """SPARQL 1.1 Service Description (W3C Recommendation, 2013)."""

    _NS = Namespace("http://www.w3.org/ns/sparql-service-description#")

    Dataset: URIRef
    Graph: URIRef
    SPARQL11Query: URIRef
    Service: URIRef
    UnionDefaultGraph: URIRef
    defaultDataset: URIRef
    defaultGraph: URIRef
    endpoint: URIRef
    feature: URIRef
    resultFormat: URIRef
    supportedLanguage: URIRef


#: These namespaces, by prefix.
DESCRIBING: Mapping[str, TermsMeta] = MappingProxyType(
    {"void": VOID, "dcat": DCAT, "sh": SH, "csvw": CSVW, "dqv": DQV, "ldqd": LDQD, "foaf": FOAF}
)
#: The IRI of each of these namespaces and of those of the graph, by prefix.
DESCRIBING_PREFIXES: Mapping[str, str] = MappingProxyType(
    {**PREFIXES, **{prefix: str(space) for prefix, space in DESCRIBING.items()}}
)


# LRMoo 1.0 (IFLA, 2024), as far as the graph is projected into it: FRBRoo's successor, with R4 and R10 reversed.


class LRMOO(Terms):
    """Terms of lrmoo."""

    _NS = Namespace("http://iflastandards.info/ns/lrm/lrmoo/")

    F1_Work: URIRef
    F2_Expression: URIRef
    F3_Manifestation: URIRef
    F5_Item: URIRef
    F18_Serial_Work: URIRef
    F27_Work_Creation: URIRef
    F28_Expression_Creation: URIRef
    F30_Manifestation_Creation: URIRef
    R1_is_logical_successor_of: URIRef
    R3_is_realised_in: URIRef
    R4_embodies: URIRef
    R5_has_component: URIRef
    R7_exemplifies: URIRef
    R10_is_member_of: URIRef
    R16_created: URIRef
    R19_created_a_realisation_of: URIRef
