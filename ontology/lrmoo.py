"""LRMoo 1.0 (IFLA, 2024), as far as the graph is projected into it: FRBRoo's successor, with R4 and R10 reversed."""

from __future__ import annotations

from ontology.namespaces import ClosedNamespace

LRMOO = ClosedNamespace(
    "lrmoo",
    "http://iflastandards.info/ns/lrm/lrmoo/",
    (
        "F1_Work",
        "F2_Expression",
        "F3_Manifestation",
        "F5_Item",
        "F18_Serial_Work",
        "F27_Work_Creation",
        "F28_Expression_Creation",
        "F30_Manifestation_Creation",
        "R1_is_logical_successor_of",
        "R3_is_realised_in",
        "R4_embodies",
        "R5_has_component",
        "R7_exemplifies",
        "R10_is_member_of",
        "R16_created",
        "R19_created_a_realisation_of",
    ),
    "ontology/lrmoo.py",
)
