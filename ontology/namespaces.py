"""Closed namespaces: every RDF term that Vigente writes or queries. A term that is not listed is an error at import.

The terms of FRBRoo and CIDOC CRM keep the spelling of their published IRIs, hyphens included. Our own terms are
defined in ``vigente.ttl`` and nowhere else: :data:`VIG` reads them from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from pyoxigraph import NamedNode, RdfFormat, parse


class Terms(Mapping[str, str]):
    """A closed namespace: the IRI of each of its terms by local name. ``str()`` of it is the namespace's own IRI.

    >>> CRM["E52_Time-Span"]
    'http://www.cidoc-crm.org/cidoc-crm/E52_Time-Span'
    >>> FRBROO["F15_ComplexWork"]
    Traceback (most recent call last):
    ...
    AttributeError: expected a term of <http://iflastandards.info/ns/fr/frbr/frbroo/>, got 'F15_ComplexWork'

    Args:
        base: the IRI of the namespace.
        names: the local names of its terms.
    """

    def __init__(self, base: str, *names: str) -> None:
        self._base = base
        self._iris = {name: base + name for name in names}

    def __getitem__(self, name: str) -> str:
        try:
            return self._iris[name]
        except KeyError:
            raise AttributeError(f"expected a term of <{self._base}>, got {name!r}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._iris

    def __iter__(self) -> Iterator[str]:
        return iter(self._iris)

    def __len__(self) -> int:
        return len(self._iris)

    def __str__(self) -> str:
        return self._base


FRBROO = Terms(
    "http://iflastandards.info/ns/fr/frbr/frbroo/",
    "F1_Work",
    "F2_Expression",
    "F3_Manifestation_Product_Type",
    "F4_Manifestation_Singleton",
    "F5_Item",
    "F14_Individual_Work",
    "F15_Complex_Work",
    "F16_Container_Work",
    "F17_Aggregation_Work",
    "F18_Serial_Work",
    "F19_Publication_Work",
    "F23_Expression_Fragment",
    "F24_Publication_Expression",
    "F27_Work_Conception",
    "F28_Expression_Creation",
    "F30_Publication_Event",
    "F32_Carrier_Production_Event",
    "R1_is_logical_successor_of",
    "R2_is_derivative_of",
    "R3_is_realised_in",
    "R4_carriers_provided_by",
    "R4i_comprises_carriers_of",
    "R5_has_component",
    "R6_carries",
    "R7_is_example_of",
    "R10_has_member",
    "R10i_is_member_of",
    "R16_initiated",
    "R17_created",
    "R18_created",
    "R19_created_a_realisation_of",
    "R23_created_a_realisation_of",
    "R24_created",
    "R28_produced",
    "F22_Self-Contained_Expression",
)
CRM = Terms(
    "http://www.cidoc-crm.org/cidoc-crm/",
    "E5_Event",
    "E7_Activity",
    "E12_Production",
    "E33_Linguistic_Object",
    "E39_Actor",
    "E65_Creation",
    "P2_has_type",
    "P3_has_note",
    "P12_occurred_in_the_presence_of",
    "P14_carried_out_by",
    "P67_refers_to",
    "P72_has_language",
    "P82a_begin_of_the_begin",
    "P82b_end_of_the_end",
    "P108_has_produced",
    "P128_carries",
    "P129_is_about",
    "P165_incorporates",
    "P190_has_symbolic_content",
    "E52_Time-Span",
    "P4_has_time-span",
)
#: ELI 1.2; it has no ``has_version``.
ELI = Terms(
    "http://data.europa.eu/eli/ontology#",
    "Format",
    "LegalExpression",
    "LegalResource",
    "LegalResourceSubdivision",
    "amends",
    "changes",
    "commences",
    "consolidates",
    "corrects",
    "date_document",
    "date_no_longer_in_force",
    "date_publication",
    "first_date_entry_in_force",
    "has_member",
    "id_local",
    "in_force",
    "is_embodied_by",
    "is_member_of",
    "is_part_of",
    "is_realized_by",
    "jurisdiction",
    "language",
    "number",
    "passed_by",
    "related_to",
    "repeals",
    "title",
    "type_document",
    "version_date",
)
SCHEMA = Terms(
    "http://schema.org/",
    "Legislation",
    "bookEdition",
    "contentUrl",
    "encodingFormat",
    "hasPart",
    "isbn",
    "legislationAmends",
    "legislationChanges",
    "legislationCommences",
    "legislationConsolidates",
    "legislationCorrects",
    "legislationDate",
    "legislationDateVersion",
    "legislationIdentifier",
    "legislationLegalForce",
    "legislationRepeals",
    "position",
    "spatialCoverage",
    "temporalCoverage",
    "url",
    "workExample",
)
PROV = Terms(
    "http://www.w3.org/ns/prov#",
    "Activity",
    "Agent",
    "Entity",
    "endedAtTime",
    "generatedAtTime",
    "startedAtTime",
    "wasAssociatedWith",
    "wasAttributedTo",
    "wasDerivedFrom",
    "wasGeneratedBy",
    "wasInfluencedBy",
)
SKOS = Terms(
    "http://www.w3.org/2004/02/skos/core#",
    "Collection",
    "Concept",
    "ConceptScheme",
    "altLabel",
    "broader",
    "definition",
    "exactMatch",
    "hasTopConcept",
    "inScheme",
    "member",
    "narrower",
    "notation",
    "note",
    "prefLabel",
    "topConceptOf",
)
DCTERMS = Terms(
    "http://purl.org/dc/terms/",
    "RightsStatement",
    "abstract",
    "alternative",
    "conformsTo",
    "creator",
    "date",
    "description",
    "format",
    "identifier",
    "isPartOf",
    "issued",
    "language",
    "license",
    "modified",
    "publisher",
    "relation",
    "rights",
    "source",
    "subject",
    "title",
    "type",
)
#: All fifteen elements of Dublin Core 1.1, which take plain text.
DC = Terms(
    "http://purl.org/dc/elements/1.1/",
    "contributor",
    "coverage",
    "creator",
    "date",
    "description",
    "format",
    "identifier",
    "language",
    "publisher",
    "relation",
    "rights",
    "source",
    "subject",
    "title",
    "type",
)
RDF = Terms(
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "first",
    "langString",
    "nil",
    "rest",
    "type",
)
RDFS = Terms(
    "http://www.w3.org/2000/01/rdf-schema#",
    "Datatype",
    "Literal",
    "comment",
    "domain",
    "isDefinedBy",
    "label",
    "range",
    "seeAlso",
    "subClassOf",
    "subPropertyOf",
)
XSD = Terms(
    "http://www.w3.org/2001/XMLSchema#",
    "anyURI",
    "boolean",
    "date",
    "dateTime",
    "decimal",
    "double",
    "gYear",
    "integer",
    "string",
)
OWL = Terms(
    "http://www.w3.org/2002/07/owl#",
    "Class",
    "DatatypeProperty",
    "NamedIndividual",
    "ObjectProperty",
    "Ontology",
    "SymmetricProperty",
    "disjointWith",
    "inverseOf",
    "propertyChainAxiom",
    "sameAs",
    "unionOf",
    "versionIRI",
    "versionInfo",
)


def _defined_in(file: Path, base: str) -> tuple[str, ...]:
    """Return the local names that a Turtle file of this package defines under ``base``, in its order."""
    subjects = (quad.subject for quad in parse(path=file, format=RdfFormat.TURTLE))
    iris = (subject.value for subject in subjects if isinstance(subject, NamedNode))
    return tuple(dict.fromkeys(iri.removeprefix(base) for iri in iris if iri.startswith(base)))


_VIG = "https://w3id.org/vigente/ns#"
#: Our own terms, read from the file that defines them.
VIG = Terms(_VIG, *_defined_in(Path(__file__).with_name("vigente.ttl"), _VIG))

#: Every namespace by its prefix.
NAMESPACES: Mapping[str, Terms] = MappingProxyType(
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
