"""Relations from the document of a record to other names, and the life-cycle events that some of them state."""

from __future__ import annotations

from graph.entities import Relation, RelationKind
from graph.mapping.events import map_happening
from graph.mapping.lines import Lines
from graph.mapping.works import is_gazette, map_provision, map_work
from graph.urn import Name, from_iri, parse
from ontology.iris import hashed_iri
from ontology.namespaces import CRM, ELI, FRBROO, VIG

#: The property of each relation; its subject is the document of the record.
RELATION_PROPERTIES = {
    RelationKind.SUCESSOR_LOGICO_DE: FRBROO["R1_is_logical_successor_of"],
    RelationKind.PUBLICACAO_OFICIAL: VIG["publicadoEm"],
    RelationKind.EQUIVALENTE_A: VIG["equivalenteA"],
    RelationKind.PARECER_DE: VIG["parecerDe"],
    RelationKind.PARTE_DE: VIG["parteDe"],
    RelationKind.PETICAO_INICIAL_DE: VIG["peticaoInicialDe"],
    RelationKind.EMENDA_DE: VIG["emendaDe"],
    RelationKind.DECLARA_INCONSTITUCIONAL: VIG["declaraInconstitucional"],
    RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO: VIG["declaraInconstitucionalDispositivo"],
    RelationKind.REFERENCIA: CRM["P67_refers_to"],
    RelationKind.MEMBRO_DE: VIG["membroDe"],
    RelationKind.SUCESSIVO_OU_PRECEDENTE_DE: VIG["sucessivoOuPrecedenteDe"],
    RelationKind.REVOGA: ELI["repeals"],
    RelationKind.REVOGA_DISPOSITIVO: VIG["revogaDispositivo"],
    RelationKind.REGULAMENTA: VIG["regulamenta"],
    RelationKind.ALTERA: ELI["amends"],
    RelationKind.CORRELATO_A: VIG["correlatoA"],
    RelationKind.EM_CONFORMIDADE_COM: VIG["emConformidadeCom"],
    RelationKind.OBRA_COMPLEMENTAR: VIG["complementadaPor"],
    RelationKind.PROJETO_DE_ORIGEM: VIG["projetoDeOrigem"],
    RelationKind.JULGADO_DE_ORIGEM: VIG["julgadoDeOrigem"],
    RelationKind.MENSAGEM_DE_VETO: VIG["mensagemDeVeto"],
}

# Relations that also state a life-cycle event of their target, with no dates of its own.
_RELATION_EVENTS = {
    RelationKind.REVOGA: "revogacao",
    RelationKind.REVOGA_DISPOSITIVO: "revogacao",
    RelationKind.DECLARA_INCONSTITUCIONAL: "declaracao.inconstitucionalidade",
    RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO: "declaracao.inconstitucionalidade",
}

#: The types of a law that a provisional measure may become.
_LAWS = frozenset({"lei", "lei.complementar"})

# Relations that may name the whole norm although they act on a provision of it.
_ON_PROVISIONS = {RelationKind.REVOGA_DISPOSITIVO, RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO}


def map_relation(lines: Lines, relation: Relation, subject: str, work: str, expression: str | None) -> None:
    target = relation.target
    lines.link(subject, RELATION_PROPERTIES[relation.kind], target.iri)
    if target.is_reference:  # which document is meant has to be found first
        return
    if relation.kind is RelationKind.PUBLICACAO_OFICIAL and is_gazette(target):
        issue = map_work(lines, target)
        if target.provision is not None:
            map_provision(lines, target.provision, issue)
        if expression is not None:
            printed = hashed_iri("texto-publicado", issue)
            lines.a(printed, FRBROO["F24_Publication_Expression"])
            lines.link(issue, FRBROO["R3_is_realised_in"], printed)
            lines.link(printed, CRM["P165_incorporates"], expression)
    kind = _RELATION_EVENTS.get(relation.kind)
    if relation.kind is RelationKind.SUCESSOR_LOGICO_DE and _converts(work, target):
        kind = "conversao"
    touched = target.provision or target.work
    if kind is None or (relation.kind in _ON_PROVISIONS and target.provision is None):
        return  # of a norm that loses a provision, not known which, nothing ends
    map_happening(lines, hashed_iri("evento", kind, touched.canonical, work), kind, touched, work)


def _converts(work: str, target: Name) -> bool:
    """Whether a successor makes a law of a provisional measure (Constitution, art. 62)."""
    successor = parse(from_iri(work)).tipo_documento[0]
    return target.tipo_documento[0] == "medida.provisoria" and successor in _LAWS
