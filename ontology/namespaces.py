"""Closed namespaces: every RDF term that Vigente writes or asks for, and an error at once for any other.

The terms of FRBRoo and CIDOC CRM keep the spelling of their published IRIs, hyphens included. Our own terms are
defined in ``vigente.ttl`` and nowhere else: :data:`VIG` reads them from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from pyoxigraph import NamedNode, RdfFormat, parse


class TermError(AttributeError, KeyError):
    """A term that a closed namespace does not have; names the nearest ones it has."""

    def __init__(self, prefix: str, base: str, asked: str, nearest: Iterable[str], listed: str) -> None:
        self.asked = asked
        self.nearest = tuple(nearest)
        near = f"; nearest: {', '.join(self.nearest)}" if self.nearest else ""
        self.message = f"expected a term of {prefix}: <{base}>, got {asked!r}{near} (the terms are listed in {listed})"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class ClosedNamespace:
    """The terms of one namespace: ``NS["local-name"]`` or ``NS.local_name`` gives the IRI as a ``str``.

    An attribute writes ``_`` for the hyphens of a local name; the brackets take the exact name only.

    >>> CRM["E52_Time-Span"] == CRM.E52_Time_Span == "http://www.cidoc-crm.org/cidoc-crm/E52_Time-Span"
    True
    >>> FRBROO.F15_ComplexWork
    Traceback (most recent call last):
    ...
    ontology.namespaces.TermError: expected a term of frbroo: <http://iflastandards.info/ns/fr/frbr/frbroo/>, \
got 'F15_ComplexWork'; nearest: F15_Complex_Work (the terms are listed in ontology/namespaces.py)

    Args:
        prefix: the prefix in PREFIXES, e.g. ``"crm"``.
        base: the namespace's IRI, which each local name is added to.
        terms: the local names, exactly as they are published.
        listed: the file in which a reader finds them.
    """

    __slots__ = ("_base", "_iris", "_listed", "_prefix", "_spoken")

    def __init__(self, prefix: str, base: str, terms: Iterable[str], listed: str = "ontology/namespaces.py") -> None:
        self._prefix = prefix
        self._base = base
        self._listed = listed
        self._iris = {term: base + term for term in terms}
        self._spoken = {term.replace("-", "_"): iri for term, iri in self._iris.items()}

    def __getitem__(self, term: str) -> str:
        try:
            return self._iris[term]
        except KeyError:
            raise self._unknown(term) from None

    def __getattr__(self, name: str) -> str:
        if name.startswith("_"):  # no term begins so: let copying and inspection see a plain absence
            raise AttributeError(name)
        try:
            return self._spoken[name]
        except KeyError:
            raise self._unknown(name) from None

    def _unknown(self, asked: str) -> TermError:
        nearest = get_close_matches(asked, self._iris, n=3, cutoff=0.75)
        return TermError(self._prefix, self._base, asked, nearest, self._listed)

    def __contains__(self, term: object) -> bool:
        return term in self._iris

    def __iter__(self) -> Iterator[str]:
        """The local names, in the order of their list."""
        return iter(self._iris)

    def __len__(self) -> int:
        return len(self._iris)

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self._spoken])

    def __str__(self) -> str:
        """The namespace's IRI."""
        return self._base

    def __repr__(self) -> str:
        return f"<closed namespace {self._prefix}: {self._base} ({len(self)} terms)>"


FRBROO = ClosedNamespace(
    "frbroo",
    "http://iflastandards.info/ns/fr/frbr/frbroo/",
    (
        "F1_Work",
        "F2_Expression",
        "F3_Manifestation_Product_Type",
        "F5_Item",
        "F14_Individual_Work",
        "F15_Complex_Work",
        "F18_Serial_Work",
        "F19_Publication_Work",
        "F22_Self-Contained_Expression",
        "F24_Publication_Expression",
        "F27_Work_Conception",
        "F28_Expression_Creation",
        "F30_Publication_Event",
        "F32_Carrier_Production_Event",
        "R1_is_logical_successor_of",
        "R2_is_derivative_of",
        "R3_is_realised_in",
        "R4_carriers_provided_by",
        "R5_has_component",
        "R6_carries",
        "R7_is_example_of",
        "R10_has_member",
        "R10i_is_member_of",
        "R16_initiated",
        "R17_created",
        "R19_created_a_realisation_of",
        "R23_created_a_realisation_of",
        "R24_created",
        "R28_produced",
    ),
)

CRM = ClosedNamespace(
    "crm",
    "http://www.cidoc-crm.org/cidoc-crm/",
    (
        "E5_Event",
        "E33_Linguistic_Object",
        "E39_Actor",
        "E52_Time-Span",
        "E55_Type",
        "E56_Language",
        "P2_has_type",
        "P3_has_note",
        "P4_has_time-span",
        "P12_occurred_in_the_presence_of",
        "P14_carried_out_by",
        "P67_refers_to",
        "P72_has_language",
        "P82a_begin_of_the_begin",
        "P82b_end_of_the_end",
        "P129_is_about",
        "P165_incorporates",
        "P190_has_symbolic_content",
    ),
)

#: ELI 1.2; it has no ``has_version``.
ELI = ClosedNamespace(
    "eli",
    "http://data.europa.eu/eli/ontology#",
    (
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
    ),
)

SCHEMA = ClosedNamespace(
    "schema",
    "http://schema.org/",
    (
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
        "workExample",
    ),
)

PROV = ClosedNamespace(
    "prov",
    "http://www.w3.org/ns/prov#",
    (
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
    ),
)

SKOS = ClosedNamespace(
    "skos",
    "http://www.w3.org/2004/02/skos/core#",
    (
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
    ),
)

DCTERMS = ClosedNamespace(
    "dcterms",
    "http://purl.org/dc/terms/",
    (
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
    ),
)

#: All fifteen elements of Dublin Core 1.1, which take plain text.
DC = ClosedNamespace(
    "dc",
    "http://purl.org/dc/elements/1.1/",
    (
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
    ),
)

RDF = ClosedNamespace(
    "rdf",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    ("first", "langString", "nil", "rest", "type"),
)

RDFS = ClosedNamespace(
    "rdfs",
    "http://www.w3.org/2000/01/rdf-schema#",
    (
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
    ),
)

XSD = ClosedNamespace(
    "xsd",
    "http://www.w3.org/2001/XMLSchema#",
    ("anyURI", "boolean", "date", "dateTime", "decimal", "double", "gYear", "integer", "string"),
)

OWL = ClosedNamespace(
    "owl",
    "http://www.w3.org/2002/07/owl#",
    (
        "Class",
        "DatatypeProperty",
        "NamedIndividual",
        "ObjectProperty",
        "Ontology",
        "SymmetricProperty",
        "disjointWith",
        "sameAs",
        "unionOf",
        "versionIRI",
        "versionInfo",
    ),
)


def _defined_in(file: Path, base: str) -> tuple[str, ...]:
    """The local names that a Turtle file of ours defines under ``base``, in its order."""
    subjects = (quad.subject for quad in parse(path=file, format=RdfFormat.TURTLE))
    iris = (subject.value for subject in subjects if isinstance(subject, NamedNode))
    return tuple(dict.fromkeys(iri.removeprefix(base) for iri in iris if iri.startswith(base)))


_VIG = "https://w3id.org/vigente/ns#"
#: Our own terms, read from the file that defines them.
VIG = ClosedNamespace(
    "vig", _VIG, _defined_in(Path(__file__).with_name("vigente.ttl"), _VIG), listed="ontology/vigente.ttl"
)

#: Every namespace by its prefix.
NAMESPACES: Mapping[str, ClosedNamespace] = MappingProxyType(
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
