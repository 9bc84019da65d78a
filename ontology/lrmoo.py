"""LRMoo 1.0 (IFLA, 2024), as far as the graph is projected into it: FRBRoo's successor, with R4 and R10 reversed."""

from __future__ import annotations

from rdflib import Namespace, URIRef

from ontology.namespaces import Terms


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
