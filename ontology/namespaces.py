"""Closed namespaces: every RDF term that Vigente writes or queries. A term that is not listed is an error at import.

The terms of FRBRoo and CIDOC CRM keep the spelling of their published IRIs, hyphens included. Our own terms are
defined in ``vigente.ttl`` and nowhere else: :data:`VIG` reads them from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from inspect import get_annotations
from pathlib import Path
from types import MappingProxyType

from pyoxigraph import NamedNode, RdfFormat, parse
from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace, DefinedNamespaceMeta


class TermsMeta(DefinedNamespaceMeta):
    """The metaclass of namespaces: iteration yields the local names, and ``NS["name"]`` is the IRI as ``str``.

    rdflib's ``URIRef`` never equals a ``str`` of the same characters, and the embedded engine uses ``str``.
    """

    @cache  # noqa: B019 - namespaces last as long as the process
    def __getitem__(cls, name: str, default: object = None) -> str:  # type: ignore[override]  # see the docstring
        return str(cls._term(name))

    def __getattr__(cls, name: str) -> URIRef:
        if name.startswith("_"):  # no term begins with an underscore
            raise AttributeError(name)
        return cls._term(name)

    def _term(cls, name: str) -> URIRef:
        if name not in cls:
            raise AttributeError(f"expected a term of <{cls._NS}>, got {name!r}")
        return cls._NS[name]

    def __iter__(cls) -> Iterator[str]:
        """Yield the local names in the order of their list; those that are not Python identifiers come last."""
        yield from (name for name in get_annotations(cls) if not name.startswith("_"))
        yield from cls._extras

    def __len__(cls) -> int:
        return sum(1 for _ in cls)


class Terms(DefinedNamespace, metaclass=TermsMeta):
    """A closed namespace: ``NS["local-name"]`` is the IRI as ``str``, ``NS.local_name`` as rdflib's ``URIRef``.

    >>> CRM["E52_Time-Span"], FRBROO.F1_Work
    ('http://www.cidoc-crm.org/cidoc-crm/E52_Time-Span', \
rdflib.term.URIRef('http://iflastandards.info/ns/fr/frbr/frbroo/F1_Work'))
    >>> FRBROO["F15_ComplexWork"]
    Traceback (most recent call last):
    ...
    AttributeError: expected a term of <http://iflastandards.info/ns/fr/frbr/frbroo/>, got 'F15_ComplexWork'
    """

    _fail = True


class FRBROO(Terms):
    """Terms of frbroo."""

    _NS = Namespace("http://iflastandards.info/ns/fr/frbr/frbroo/")
    _extras = ["F22_Self-Contained_Expression"]

    F1_Work: URIRef
    F2_Expression: URIRef
    F3_Manifestation_Product_Type: URIRef
    F5_Item: URIRef
    F14_Individual_Work: URIRef
    F15_Complex_Work: URIRef
    F18_Serial_Work: URIRef
    F19_Publication_Work: URIRef
    F24_Publication_Expression: URIRef
    F27_Work_Conception: URIRef
    F28_Expression_Creation: URIRef
    F30_Publication_Event: URIRef
    F32_Carrier_Production_Event: URIRef
    R1_is_logical_successor_of: URIRef
    R2_is_derivative_of: URIRef
    R3_is_realised_in: URIRef
    R4_carriers_provided_by: URIRef
    R5_has_component: URIRef
    R6_carries: URIRef
    R7_is_example_of: URIRef
    R10_has_member: URIRef
    R10i_is_member_of: URIRef
    R16_initiated: URIRef
    R17_created: URIRef
    R19_created_a_realisation_of: URIRef
    R23_created_a_realisation_of: URIRef
    R24_created: URIRef
    R28_produced: URIRef


class CRM(Terms):
    """Terms of crm."""

    _NS = Namespace("http://www.cidoc-crm.org/cidoc-crm/")
    _extras = ["E52_Time-Span", "P4_has_time-span"]

    E5_Event: URIRef
    E33_Linguistic_Object: URIRef
    E39_Actor: URIRef
    E55_Type: URIRef
    E56_Language: URIRef
    P2_has_type: URIRef
    P3_has_note: URIRef
    P12_occurred_in_the_presence_of: URIRef
    P14_carried_out_by: URIRef
    P67_refers_to: URIRef
    P72_has_language: URIRef
    P82a_begin_of_the_begin: URIRef
    P82b_end_of_the_end: URIRef
    P129_is_about: URIRef
    P165_incorporates: URIRef
    P190_has_symbolic_content: URIRef


class ELI(Terms):
    """ELI 1.2; it has no ``has_version``."""

    _NS = Namespace("http://data.europa.eu/eli/ontology#")

    Format: URIRef
    LegalExpression: URIRef
    LegalResource: URIRef
    LegalResourceSubdivision: URIRef
    amends: URIRef
    changes: URIRef
    commences: URIRef
    consolidates: URIRef
    corrects: URIRef
    date_document: URIRef
    date_no_longer_in_force: URIRef
    date_publication: URIRef
    first_date_entry_in_force: URIRef
    has_member: URIRef
    id_local: URIRef
    in_force: URIRef
    is_embodied_by: URIRef
    is_member_of: URIRef
    is_part_of: URIRef
    is_realized_by: URIRef
    jurisdiction: URIRef
    language: URIRef
    number: URIRef
    passed_by: URIRef
    related_to: URIRef
    repeals: URIRef
    title: URIRef
    type_document: URIRef
    version_date: URIRef


class SCHEMA(Terms):
    """Terms of schema.org."""

    _NS = Namespace("http://schema.org/")

    Legislation: URIRef
    bookEdition: URIRef
    contentUrl: URIRef
    encodingFormat: URIRef
    hasPart: URIRef
    isbn: URIRef
    legislationAmends: URIRef
    legislationChanges: URIRef
    legislationCommences: URIRef
    legislationConsolidates: URIRef
    legislationCorrects: URIRef
    legislationDate: URIRef
    legislationDateVersion: URIRef
    legislationIdentifier: URIRef
    legislationLegalForce: URIRef
    legislationRepeals: URIRef
    position: URIRef
    spatialCoverage: URIRef
    temporalCoverage: URIRef
    workExample: URIRef


class PROV(Terms):
    """Terms of prov."""

    _NS = Namespace("http://www.w3.org/ns/prov#")

    Activity: URIRef
    Agent: URIRef
    Entity: URIRef
    endedAtTime: URIRef
    generatedAtTime: URIRef
    startedAtTime: URIRef
    wasAssociatedWith: URIRef
    wasAttributedTo: URIRef
    wasDerivedFrom: URIRef
    wasGeneratedBy: URIRef
    wasInfluencedBy: URIRef


class SKOS(Terms):
    """Terms of skos."""

    _NS = Namespace("http://www.w3.org/2004/02/skos/core#")

    Collection: URIRef
    Concept: URIRef
    ConceptScheme: URIRef
    altLabel: URIRef
    broader: URIRef
    definition: URIRef
    exactMatch: URIRef
    hasTopConcept: URIRef
    inScheme: URIRef
    member: URIRef
    narrower: URIRef
    notation: URIRef
    note: URIRef
    prefLabel: URIRef
    topConceptOf: URIRef


class DCTERMS(Terms):
    """Terms of dcterms."""

    _NS = Namespace("http://purl.org/dc/terms/")

    RightsStatement: URIRef
    abstract: URIRef
    alternative: URIRef
    conformsTo: URIRef
    creator: URIRef
    date: URIRef
    description: URIRef
    format: URIRef
    identifier: URIRef
    isPartOf: URIRef
    issued: URIRef
    language: URIRef
    license: URIRef
    modified: URIRef
    publisher: URIRef
    relation: URIRef
    rights: URIRef
    source: URIRef
    subject: URIRef
    title: URIRef
    type: URIRef


class DC(Terms):
    """All fifteen elements of Dublin Core 1.1, which take plain text."""

    _NS = Namespace("http://purl.org/dc/elements/1.1/")

    contributor: URIRef
    coverage: URIRef
    creator: URIRef
    date: URIRef
    description: URIRef
    format: URIRef
    identifier: URIRef
    language: URIRef
    publisher: URIRef
    relation: URIRef
    rights: URIRef
    source: URIRef
    subject: URIRef
    title: URIRef
    type: URIRef


class RDF(Terms):
    """Terms of rdf."""

    _NS = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")

    first: URIRef
    langString: URIRef
    nil: URIRef
    rest: URIRef
    type: URIRef


class RDFS(Terms):
    """Terms of rdfs."""

    _NS = Namespace("http://www.w3.org/2000/01/rdf-schema#")

    Datatype: URIRef
    Literal: URIRef
    comment: URIRef
    domain: URIRef
    isDefinedBy: URIRef
    label: URIRef
    range: URIRef
    seeAlso: URIRef
    subClassOf: URIRef
    subPropertyOf: URIRef


class XSD(Terms):
    """Terms of xsd."""

    _NS = Namespace("http://www.w3.org/2001/XMLSchema#")

    anyURI: URIRef
    boolean: URIRef
    date: URIRef
    dateTime: URIRef
    decimal: URIRef
    double: URIRef
    gYear: URIRef
    integer: URIRef
    string: URIRef


class OWL(Terms):
    """Terms of owl."""

    _NS = Namespace("http://www.w3.org/2002/07/owl#")

    Class: URIRef
    DatatypeProperty: URIRef
    NamedIndividual: URIRef
    ObjectProperty: URIRef
    Ontology: URIRef
    SymmetricProperty: URIRef
    disjointWith: URIRef
    sameAs: URIRef
    unionOf: URIRef
    versionIRI: URIRef
    versionInfo: URIRef


def _defined_in(file: Path, base: str) -> tuple[str, ...]:
    """Return the local names that a Turtle file of this package defines under ``base``, in its order."""
    subjects = (quad.subject for quad in parse(path=file, format=RdfFormat.TURTLE))
    iris = (subject.value for subject in subjects if isinstance(subject, NamedNode))
    return tuple(dict.fromkeys(iri.removeprefix(base) for iri in iris if iri.startswith(base)))


_VIG = "https://w3id.org/vigente/ns#"
#: Our own terms, read from the file that defines them.
VIG = TermsMeta(
    "VIG",
    (Terms,),
    {"_NS": Namespace(_VIG), "_extras": list(_defined_in(Path(__file__).with_name("vigente.ttl"), _VIG))},
)

#: Every namespace by its prefix.
NAMESPACES: Mapping[str, TermsMeta] = MappingProxyType(
    {
        "frbroo": FRBROO,
        "crm": CRM,
        "eli": ELI,
        "schema": SCHEMA,
        "prov": PROV,
        "skos": SKOS,
        "dcterms": DCTERMS,
        "dc": DC,
        "rdf": RDF,
        "rdfs": RDFS,
        "xsd": XSD,
        "owl": OWL,
        "vig": VIG,
    }
)

#: Every namespace's IRI by its prefix, for Turtle and SPARQL.
PREFIXES: Mapping[str, str] = MappingProxyType({prefix: str(space) for prefix, space in NAMESPACES.items()})
