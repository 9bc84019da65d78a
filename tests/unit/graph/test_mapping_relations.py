"""Tests of the mapping of relations and events to triples: which of them end, suspend or restore a norm."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record, RelationKind
from graph.mapping import RELATION_PROPERTIES
from ontology.namespaces import CRM, ELI, FRBROO, PROV, VIG
from tests.support.record_triples import Triples

Make = Callable[..., Record]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
PUBLISHED = f"{CODE}@1991-03-11;publicacao;1990-09-12"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
VOCAB = "https://w3id.org/vigente/vocab/"
ID = "https://w3id.org/vigente/id/"


@pytest.mark.parametrize("kind", list(RelationKind))
def test_every_relation_has_its_own_property(kind: RelationKind, record: Make) -> None:
    triples = Triples(record(PUBLISHED, (kind.value, LAW)))
    assert triples.of(CODE, RELATION_PROPERTIES[kind]) == [LAW]
    assert len(set(RELATION_PROPERTIES.values())) == len(RelationKind) == len(RELATION_PROPERTIES)


ENDS = {
    "revoga": "revogacao",
    "revoga.dispositivo": "revogacao",
    "declara.inconstitucional": "declaracao.inconstitucionalidade",
    "declara.inconstitucional.dispositivo": "declaracao.inconstitucionalidade",
}


@pytest.mark.parametrize("kind", list(RelationKind))
@pytest.mark.parametrize("target", [LAW, f"{LAW}!art2", f"{LAW}@2001-03-06;publicacao;2001-03-06"])
def test_ending_relations_are_mapped_to_events(kind: RelationKind, target: str, record: Make) -> None:
    """Check also a source that states that a provision is revoked, but not which one: the norm is not revoked."""
    triples = Triples(record(CODE, (kind.value, target)))
    events = triples.all_of(CRM["E5_Event"])
    if kind not in ENDS or (kind.endswith(".dispositivo") and "!" not in target):
        assert events == []
        assert triples.touched == set()
        return
    (node,) = events
    touched = target.partition("@")[0]
    assert triples.of(node, CRM["P2_has_type"]) == [f"{VOCAB}evento/{ENDS[kind]}"]
    assert triples.of(node, VIG["alvo"]) == [touched]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]
    assert triples.of(node, VIG["dataEfeito"]) == triples.of(node, VIG["dataConhecimento"]) == []
    assert triples.touched == {touched}


def test_revoking_provision_acts_as_its_norm(record: Make) -> None:
    """Check that the cause of the revocation is the norm of the provision, because the norm has the dates."""
    triples = Triples(record(f"{CODE}!art119", ("revoga", LAW)))
    (node,) = triples.all_of(CRM["E5_Event"])
    assert triples.of(f"{CODE}!art119", ELI["repeals"]) == [LAW]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]


def test_relation_to_a_reference_creates_no_event(record: Make) -> None:
    reference = "urn:lex:br:federal:lei:lei.maria.penha"
    triples = Triples(record(CODE, ("revoga", reference), ("publicacao.oficial", f"{GAZETTE}:2007-01-10")))
    assert triples.of(CODE, ELI["repeals"]) == [reference]
    assert triples.all_of(CRM["E5_Event"]) == triples.all_of(FRBROO["F19_Publication_Work"]) == []
    assert triples.touched == set()


@pytest.mark.parametrize(
    ("effect", "known", "written"),
    [
        ("2004-02-01", "2004-01-15", ("2004-02-01", "2004-01-15", 1)),
        ("2004", "2004", ("2004", "2004", 0)),
        ("2004-02-01/2004-03-01", "2004-01-15/..", ("2004-02-01/2004-03-01", "2004-01-15/..", 0)),
        (None, None, (None, None, 0)),
    ],
)
def test_event_dates_are_written(
    effect: str | None, known: str | None, written: tuple[str | None, str | None, int], record: Make, event: Make
) -> None:
    cause = f"{CODE}@1991-03-11;publicacao;1990-09-12"
    stated = event("suspensao", f"{LAW}@2001-03-06!2001-03-06", effect, known, cause)
    triples = Triples(record(CODE, events=[stated]))
    (node,) = triples.all_of(CRM["E5_Event"])
    assert triples.of(node, VIG["alvo"]) == [LAW]
    assert triples.of(node, VIG["causadoPor"]) == [CODE]
    assert triples.touched == {LAW}
    assert triples.of(node, VIG["dataEfeito"]) == ([written[0]] if written[0] else [])
    assert triples.of(node, VIG["dataConhecimento"]) == ([written[1]] if written[1] else [])
    assert len(triples.of(node, CRM["P4_has_time-span"])) == written[2]


def test_deletion_keeps_only_the_record(deletion: Make) -> None:
    triples = Triples(deletion("a"))
    assert triples.touched == set()
    (node,) = {s for s, _, _ in triples.all}
    assert triples.classes(node) == {"prov:Entity", "vig:RegistroFonte"}
    assert triples.of(node, VIG["lapide"]) == ["true"]
    assert triples.of(node, PROV["wasAttributedTo"]) == [f"{ID}provedor/https%3A%2F%2Fprovedor.example%2Foai"]
