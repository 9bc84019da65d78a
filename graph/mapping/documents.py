"""Maps norms and provisions of a record to triples: works, versions, texts, copies, relations and events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from graph.civil import Counting, When
from graph.entities import (
    Coverage,
    Document,
    Event,
    Item,
    ItemKind,
    Participation,
    Provision,
    Record,
    Relation,
    RelationKind,
    Role,
    Wording,
)
from graph.terms import Statement, boolean, day, iri, number, statement, string, text, when
from graph.time.kinds import Situation
from graph.urn import Dialect, Forma, Fragmento, Name, RfcParts, from_iri, parse
from graph.wording.provisions import is_part_of_article
from ontology.events import FIRST_TEXT_EVENTS, OVERTURNED_VETOES, EventKind, event_iri, interprets, rank
from ontology.iris import day_iri, hashed_iri, making_event_iri, vocab_iri
from ontology.namespaces import CRM, DC, ELI, FRBROO, RDF, RDFS, SCHEMA, VIG, XSD

# The triples of one record during mapping.


_TYPE = iri(RDF["type"])


class Lines:
    """The triples of one record as terms in N-Triples, each once, in the order in which they were added."""

    def __init__(self) -> None:
        self._statements: dict[Statement, None] = {}
        self.touched: set[str] = set()

    def add(self, subject: str, predicate: str, *objects: str) -> None:
        """Add triples. Objects are terms in N-Triples; subject and predicate are bare IRIs."""
        subject_term, predicate_term = iri(subject), iri(predicate)
        for term in objects:
            self._statements[subject_term, predicate_term, term] = None

    def a(self, subject: str, *classes: str) -> None:
        written = iri(subject)
        for name in classes:
            self._statements[written, _TYPE, iri(name)] = None

    def link(self, subject: str, predicate: str, target: str) -> None:
        self._statements[iri(subject), iri(predicate), iri(target)] = None

    def extend(self, lines: Iterable[str]) -> None:
        """Add lines of N-Triples, given without line feeds."""
        self._statements.update(dict.fromkeys(map(statement, lines)))

    def add_if_present(self, subject: str, predicate: str, value: object, write: Callable[..., str]) -> None:
        if value is not None:
            self.add(subject, predicate, write(value))

    def done(self) -> list[Statement]:
        return list(self._statements)


# The triples of one name: work, version, text, copies, relations and events (LexML part 1).


# Events that make or print a text; every other event conceives a separate work (LexML part 1, figures 3 and 4).
_TEXT_EVENTS: Mapping[str, str] = {
    EventKind.ANOTACAO: "F28_Expression_Creation",
    EventKind.ASSINATURA: "F28_Expression_Creation",
    EventKind.PUBLICACAO: "F30_Publication_Event",
    EventKind.REPUBLICACAO: "F30_Publication_Event",
    EventKind.RETIFICACAO: "F28_Expression_Creation",
    EventKind.TEXTO_ATUALIZADO: "F28_Expression_Creation",
}


def map_cause(lines: Lines, event: str, cause: Name) -> None:
    """Map the cause of an event: a norm, judgment or provision; a provision's norm is added."""
    provision = cause.provision
    lines.link(event, VIG["causadoPor"], (provision or cause.work).iri)
    if provision is not None:
        place_provision(lines, provision, cause.work.iri)


def map_making_event(lines: Lines, kind: str, on: date, work: str, version: str, force: date | None) -> None:
    """Map the event that made a version known (LexML part 1, figures 3 and 4)."""
    node = making_event_iri(version)
    class_ = _TEXT_EVENTS.get(kind, "F27_Work_Conception")
    lines.a(node, CRM["E5_Event"], FRBROO[class_])
    made = FRBROO["R16_initiated"] if class_ == "F27_Work_Conception" else FRBROO["R19_created_a_realisation_of"]
    lines.link(node, made, version)
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], work)
    lines.add_if_present(node, VIG["dataEfeito"], force, day)
    lines.add(node, VIG["dataConhecimento"], day(on))
    _time_span(lines, node, on)


def _map_creation(lines: Lines, name: Name, version: str, text: str) -> None:
    """Map the text, and the original, that the event of a version created (LexML part 1, figure 3).

    A translation, or an image of the text, has an event of its own, which no name states.

    Args:
        name: the name of the version, with its event.
        version: the IRI of the version.
        text: the IRI of its text.
    """
    if name.event not in _TEXT_EVENTS or name.view_date is None or (name.forma or DEFAULT_FORM) != DEFAULT_FORM:
        return
    event = making_event_iri(version)
    lines.link(event, FRBROO["R24_created" if is_gazette(name) else "R17_created"], text)
    if name.event == _SIGNED and name.fragmento is None:
        original = hashed_iri("original", version)
        lines.a(original, FRBROO["F4_Manifestation_Singleton"])
        lines.link(event, FRBROO["R18_created"], original)
        lines.link(original, CRM["P128_carries"], text)


def _time_span(lines: Lines, event: str, on: date) -> None:
    """Map a day as a time-span with both outer bounds, as CIDOC CRM requires."""
    span = day_iri(on)
    lines.link(event, CRM["P4_has_time-span"], span)
    lines.a(span, CRM["E52_Time-Span"])
    moment = iri(XSD["dateTime"])
    lines.add(span, CRM["P82a_begin_of_the_begin"], f'"{on.isoformat()}T00:00:00"^^{moment}')
    lines.add(span, CRM["P82b_end_of_the_end"], f'"{on.isoformat()}T23:59:59"^^{moment}')


def map_event_type(lines: Lines, node: str, kind: str, touched: Name, cause: str | None) -> None:
    """Map the type, target and cause of a life-cycle event."""
    lines.a(node, CRM["E5_Event"])
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], touched.iri)
    lines.touched.add(touched.iri)
    if touched.provision is not None and not interprets(kind):
        lines.link(touched.iri, VIG["vidaPropriaEm"], touched.work.iri)
    if cause is not None:
        lines.link(node, VIG["causadoPor"], cause)


def map_event(lines: Lines, event: Event) -> None:
    """Map a life-cycle event that a source states with its own dates."""
    cause = (event.cause.provision or event.cause.work).iri if event.cause is not None else ""
    touched = event.target.provision or event.target.work
    wording = _member(event.wording) if event.wording is not None else None
    further = [part for part in (wording, "" if event.undoes else "false") if part]
    days = str(event.effect), str(event.known)
    node = hashed_iri("evento", event.kind, touched.canonical, cause, *days, *further)
    map_event_type(lines, node, event.kind, touched, None)
    if event.cause is not None:
        map_cause(lines, node, event.cause)
    lines.add_if_present(node, VIG["dataEfeito"], event.effect, when)
    lines.add_if_present(node, VIG["dataConhecimento"], event.known, when)
    lines.add_if_present(node, VIG["contagem"], str(event.counted) if event.counted is not None else None, string)
    if wording is not None:
        lines.link(node, VIG["restauraRedacao"], wording)
    if not event.undoes:
        lines.add(node, VIG["desfazEfeitos"], boolean(False))
    if event.known is not None and event.known.exact is not None:
        _time_span(lines, node, event.known.exact)


def _member(version: Name) -> str:
    """Return the IRI of a version of a norm or provision, without its form."""
    individual = version.individual or version
    return individual.with_fragmento(version.fragmento).iri if version.fragmento is not None else individual.iri


_GAZETTE = "publicacao.oficial"
_SIGNED = EventKind.ASSINATURA
#: The class of a set of documents. A record that states it says no more of the set than the relation does.
_CONTAINER = FRBROO["F16_Container_Work"]
#: The kinds of copies that do not carry the text.
_WITHOUT_TEXT = frozenset({ItemKind.METADATA, ItemKind.UNAVAILABLE_CONTENT})
#: The form in the IRI of a text whose name states no form (LexML 1.0 part 2, section 13).
DEFAULT_FORM = Forma("texto", ("pt-br",))
_LIBRARY = (("rede.virtual.bibliotecas",),)  # catalogue records of books and articles: not legal resources


def is_gazette(name: Name) -> bool:
    return name.tipo_documento[0] == _GAZETTE


def is_legal(name: Name) -> bool:
    """Return whether the document is a legal resource in the sense of ELI."""
    return not is_gazette(name) and name.autoridade != _LIBRARY


def map_work(lines: Lines, name: Name) -> str:
    """Map the norm, judgment, bill or gazette issue as a work (LexML part 1, section 2.1.1), and the parts of its
    name."""
    work = name.work
    node = work.iri
    if is_gazette(work):
        lines.a(node, FRBROO["F19_Publication_Work"], FRBROO["F17_Aggregation_Work"])
        _gazette(lines, work)
    else:
        lines.a(node, FRBROO["F15_Complex_Work"])
    if is_legal(work):
        lines.a(node, ELI["LegalResource"])
    lines.add(node, VIG["nome"], string(work.canonical))
    lines.link(node, VIG["localidade"], vocab_iri("localidade", ";".join((work.local.pais, *work.local.detalhe))))
    for subject in work.autoridade:
        lines.link(node, VIG["autoridade"], vocab_iri("autoridade", ";".join(subject)))
    lines.link(node, VIG["tipoDocumento"], vocab_iri("tipoDocumento", ";".join(work.tipo_documento)))
    if work.representative_date is not None:
        lines.add(node, VIG["dataRepresentativa"], day(work.representative_date))
    elif work.representative_year is not None:
        lines.add(node, VIG["dataRepresentativa"], f'"{work.representative_year:04d}"^^{iri(XSD["gYear"])}')
    for identifier in work.descritor.identificadores:
        lines.add(node, VIG["numero"], string(identifier))
    document = work.whole
    if document != work:
        lines.link(node, VIG["componenteDe"], document.iri)
        # A component ends with its document. The changes that it made to other works may then fall.
        lines.touched.add(node)
    return node


def _gazette(lines: Lines, issue: Name) -> None:
    """Map a gazette: the series (F18) and its issue (F19), LexML part 1, section 3.1, table 2."""
    series = hashed_iri(
        "periodico",
        ";".join((issue.local.pais, *issue.local.detalhe)),
        ",".join(";".join(s) for s in issue.autoridade),
        ";".join(issue.tipo_documento),
    )
    lines.a(series, FRBROO["F18_Serial_Work"])
    lines.link(series, FRBROO["R10_has_member"], issue.iri)


def _map_printed_issue(lines: Lines, issue: Name) -> str:
    """Map what an issue of a gazette prints, as its editor arranged it, and the publication (LexML part 1, figure 3).

    The day of the publication is the date of the issue.

    Returns:
        The IRI of the publication expression.
    """
    printed = hashed_iri("texto-publicado", issue.iri)
    event = hashed_iri("evento", printed)
    lines.a(printed, FRBROO["F24_Publication_Expression"])
    lines.link(issue.iri, FRBROO["R3_is_realised_in"], printed)
    lines.a(event, FRBROO["F30_Publication_Event"])
    lines.link(event, FRBROO["R24_created"], printed)
    return printed


def map_provision(lines: Lines, provision: Name, work: str) -> str:
    """Map a provision as a work, or a page of a gazette (LexML 1.0 part 2, section 11)."""
    node = provision.iri
    lines.a(node, FRBROO["F15_Complex_Work"])
    if is_legal(provision):
        lines.a(node, ELI["LegalResourceSubdivision"])
    lines.add(node, VIG["nome"], string(provision.canonical))
    place_provision(lines, provision, work)
    return node


def place_provision(lines: Lines, provision: Name, work: str) -> None:
    """Map the place of a provision by its name: its norm, and its containers, each in the next."""
    lines.link(provision.iri, VIG["dispositivoDe"], work)
    inner = provision.iri
    for holder in _containers(provision):
        outer = f"{work}!{holder}"
        lines.link(inner, VIG["contidoEm"], outer)
        inner = outer


def _containers(provision: Name) -> Iterator[str]:
    """Yield the identifiers of the containers of a provision, the nearest first, as its identifier states them
    (LexML part 3, sections 5.3 and 5.4)."""
    parts = provision.fragmento.partes if provision.fragmento is not None else ()
    if len(parts) != 1 or not isinstance(parts[0], str):
        return
    holder = parts[0].rpartition("_")[0]
    while identifier := holder.strip("._-"):
        yield identifier
        holder = identifier.rpartition("_")[0]


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

# Relations that also state a life-cycle event of their target, without its dates.
_RELATION_EVENTS = {
    RelationKind.REVOGA: EventKind.REVOGACAO,
    RelationKind.REVOGA_DISPOSITIVO: EventKind.REVOGACAO,
    RelationKind.DECLARA_INCONSTITUCIONAL: EventKind.DECLARACAO_INCONSTITUCIONALIDADE,
    RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO: EventKind.DECLARACAO_INCONSTITUCIONALIDADE,
}

#: The document types into which a provisional measure may be converted.
_LAWS = frozenset({"lei", "lei.complementar"})

# Relations that may name the whole norm although they concern a provision of it.
_ON_PROVISIONS = {RelationKind.REVOGA_DISPOSITIVO, RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO}


def map_relation(lines: Lines, relation: Relation, subject: str, work: str, expression: str | None) -> None:
    target = relation.target
    lines.link(subject, RELATION_PROPERTIES[relation.kind], target.iri)
    if target.is_reference:  # a reference must first be resolved to a document
        return
    if relation.kind is RelationKind.PUBLICACAO_OFICIAL and is_gazette(target):
        issue = map_work(lines, target)
        if target.provision is not None:
            map_provision(lines, target.provision, issue)
        if expression is not None:
            lines.link(_map_printed_issue(lines, target.work), CRM["P165_incorporates"], expression)
    if relation.kind is RelationKind.MEMBRO_DE:
        lines.a(target.iri, _CONTAINER)
    kind = _RELATION_EVENTS.get(relation.kind)
    if relation.kind is RelationKind.SUCESSOR_LOGICO_DE and _is_conversion(work, target):
        kind = EventKind.CONVERSAO
    touched = target.provision or target.work
    if kind is None or (relation.kind in _ON_PROVISIONS and target.provision is None):
        return  # the norm loses an unknown provision, so it does not end
    map_event_type(lines, hashed_iri("evento", kind, touched.canonical, work), kind, touched, work)


def _is_conversion(work: str, target: Name) -> bool:
    """Return whether a successor converts a provisional measure into law (Constitution, art. 62)."""
    successor = parse(from_iri(work)).tipo_documento[0]
    return target.tipo_documento[0] == "medida.provisoria" and successor in _LAWS


# Fields of Doutrina* elements in Dublin Core (elements 1.1: their values are plain text) and schema.org.
_DOCTRINE_PROPERTIES = {
    "Autor": DC["creator"],
    "Titulo": DC["title"],
    "Forma": DC["type"],
    "Lingua": DC["language"],
    "Ano": DC["date"],
    "Responsabilidade": DC["contributor"],
    "Imprenta": DC["publisher"],
    "DescricaoFisica": DC["format"],
    "ISBN": SCHEMA["isbn"],
    "Edicao": SCHEMA["bookEdition"],
    "Oculto": VIG["indexacaoOculta"],
}


def map_document(lines: Lines, document: Document, *, has_text: bool = False) -> None:
    """Map the document of a record; with ``has_text`` the record also has its text."""
    name = document.name
    work = map_work(lines, name)
    subject = work
    version: str | None = None
    expression: str | None = None
    provision = name.provision
    individual = name.individual
    if provision is not None:
        subject = map_provision(lines, provision, work)
    if individual is not None:
        version = _version(lines, name, individual, subject)
    if has_text or name.forma is not None or (individual is not None and name.dialect is not Dialect.RFC_9676):
        expression = _expression(lines, name, version or subject)
        if version is not None:
            _map_creation(lines, name, version, expression)
    elif name.rfc is not None and (name.rfc.lingua is not None or name.rfc.manifestacao):
        expression = _foreign_expression(lines, name, name.rfc, version or subject)
    for property_, texts in (
        (VIG["epigrafe"], document.epigraphs),
        (VIG["apelido"], document.nicknames),
        (VIG["indexacao"], document.index_terms),
        (VIG["catalogo"], document.catalogue_notes),
    ):
        lines.add(subject, property_, *map(text, texts))
    lines.add(version or subject, VIG["ementa"], *map(text, document.summaries))
    for field, value in document.doctrine:
        lines.add(subject, _DOCTRINE_PROPERTIES.get(field, DC["subject"]), string(value))
    copied = expression or version or subject
    if document.items and expression is None and copied == work and is_gazette(name):
        expression = _map_printed_issue(lines, name.work)
    for item in document.items:
        _item(lines, item, copied, expression)
    for relation in document.relations:
        map_relation(lines, relation, subject, work, expression)


def map_versions(
    lines: Lines,
    document: Name,
    versions: Iterable[tuple[Name, Name | None]],
    counted: Iterable[tuple[Name, Counting]] = (),
) -> None:
    """Map versions and views of a document's work or provision with their causes, each with its text in the document's
    form. Then map how their first days of force were counted.

    If another norm caused the first text of a provision, it inserted the provision, which did not exist before.
    """
    for version, cause in versions:
        named = version.with_forma(document.forma or DEFAULT_FORM)
        node = _version(lines, named, version.individual or version, (version.provision or version.work).iri)
        _map_creation(lines, named, node, _expression(lines, named, node))
        if cause is not None:
            map_cause(lines, making_event_iri(node), cause)
            inserted = version.provision is not None and version.event in FIRST_TEXT_EVENTS
            if inserted and cause.work != version.work:
                lines.add(node, VIG["insercao"], boolean(True))
    for version, counting in counted:
        lines.add(making_event_iri(version.iri), VIG["contagem"], string(str(counting)))


def _version(lines: Lines, name: Name, individual: Name, work: str) -> str:
    """Map one version and view (LexML 1.0 part 2, section 12.3), and the event that made it.

    The version date of an RFC 9676 name is an amendment's date of issue (section 7.1.2), not a start of force, so it
    stays in the name. Every work with versions is a complex work, including an issue of a gazette.
    """
    if name.fragmento is not None:
        individual = individual.with_fragmento(name.fragmento)
    force = name.version_date if name.dialect is not Dialect.RFC_9676 else None
    node = individual.iri
    lines.a(node, FRBROO["F14_Individual_Work"])
    if is_legal(name):
        lines.a(node, ELI["LegalResource" if name.provision is None else "LegalResourceSubdivision"])
    lines.a(work, FRBROO["F15_Complex_Work"])
    lines.link(work, FRBROO["R10_has_member"], node)
    lines.touched.add(work)
    if name.provision is not None:
        lines.link(work, VIG["vidaPropriaEm"], name.work.iri)
    lines.add(node, VIG["nome"], string(individual.canonical))
    lines.add_if_present(node, VIG["dataVersao"], force, day)
    lines.add_if_present(node, VIG["dataVisao"], name.view_date, day)
    lines.add_if_present(node, VIG["palavraVersao"], name.versao.palavra if name.versao is not None else None, string)
    if name.event is not None:
        lines.link(node, VIG["eventoVisao"], event_iri(name.event))
    lines.add(node, VIG["ordemVisao"], number(rank(name.event)))
    if name.event is not None and name.view_date is not None:
        map_making_event(lines, name.event, name.view_date, work, node, force)
    return node


def _expression(lines: Lines, name: Name, realises: str) -> str:
    """Map the text of a version; ``texto;pt-br`` if the name has no form (LexML 1.0 part 2, section 13)."""
    form = name.forma or DEFAULT_FORM
    expression = name.with_forma(form)
    node = expression.iri
    if is_gazette(name):
        lines.a(node, FRBROO["F24_Publication_Expression"])
    else:
        lines.a(node, FRBROO["F22_Self-Contained_Expression"])
        parts = name.fragmento.partes if name.fragmento is not None else ()
        if len(parts) == 1 and isinstance(parts[0], str) and is_part_of_article(parts[0]):
            lines.a(node, FRBROO["F23_Expression_Fragment"])
    if is_legal(name):
        lines.a(node, ELI["LegalExpression"])
    lines.link(realises, FRBROO["R3_is_realised_in"], node)
    lines.add(node, VIG["nome"], string(expression.canonical))
    lines.link(node, CRM["P2_has_type"], vocab_iri("tipoConteudo", form.tipo))
    if form.linguas:
        lines.a(node, CRM["E33_Linguistic_Object"])
    for language in form.linguas:
        lines.link(node, CRM["P72_has_language"], vocab_iri("lingua", language))
    return node


def _foreign_expression(lines: Lines, name: Name, parts: RfcParts, realises: str) -> str | None:
    """Map the text and the manifestation that a name states (RFC 9676, sections 5.6 and 5.7).

    Returns:
        The text; None if the name states no language.
    """
    text_name, sign, _ = name.canonical.partition("$")
    text = parse(text_name).iri if parts.lingua is not None else None
    if text is not None and parts.lingua is not None:
        lines.a(text, FRBROO["F22_Self-Contained_Expression"], CRM["E33_Linguistic_Object"])
        lines.link(realises, FRBROO["R3_is_realised_in"], text)
        lines.add(text, VIG["nome"], string(text_name))
        lines.link(text, CRM["P72_has_language"], vocab_iri("lingua", parts.lingua))
    if sign:
        product = name.iri
        lines.a(product, FRBROO["F3_Manifestation_Product_Type"])
        lines.link(text or realises, FRBROO["R4_carriers_provided_by"], product)
        lines.add(product, VIG["nome"], string(name.canonical))
        lines.add(product, SCHEMA["encodingFormat"], string(parts.manifestacao[0][0].replace("-", "/", 1)))
    return text


def _item(lines: Lines, item: Item, copied: str, text: str | None) -> None:
    """Map a copy (LexML part 4, section 3.3), with the product type between copy and text if the text is known.

    A page with metadata, or a copy that is not available, does not carry the text. A physical copy was produced; no
    source states the day.
    """
    parts = (item.url, item.format, item.kind, item.publisher, item.pages, item.note)
    node = hashed_iri("item", copied, *("" if part is None else string(str(part)) for part in parts))
    lines.a(node, FRBROO["F5_Item"])
    lines.link(node, VIG["copiaDe"], copied)
    if item.url is not None:
        lines.add(node, SCHEMA["contentUrl"], f"{string(item.url)}^^{iri(XSD['anyURI'])}")
    lines.add_if_present(node, SCHEMA["encodingFormat"], item.format, string)
    lines.add_if_present(node, VIG["tipoItem"], item.kind.value if item.kind else None, string)
    lines.add_if_present(node, VIG["idPublicador"], item.publisher, string)
    lines.add_if_present(node, VIG["qtdPaginas"], item.pages, number)
    lines.add_if_present(node, CRM["P3_has_note"], item.note, string)
    lines.add_if_present(node, VIG["ancoras"], " ".join(map("#".join, item.anchors)) or None, string)
    if item.kind is ItemKind.PHYSICAL_OBJECT:
        production = hashed_iri("evento", node)
        lines.a(production, FRBROO["F32_Carrier_Production_Event"])
        lines.link(production, FRBROO["R28_produced"], node)
    if text is None:
        return
    product = hashed_iri("formato", text, string(item.format or ""))
    lines.a(product, FRBROO["F3_Manifestation_Product_Type"])
    if copied == text:
        lines.a(product, ELI["Format"])
    lines.link(text, FRBROO["R4_carriers_provided_by"], product)
    lines.link(node, FRBROO["R7_is_example_of"], product)
    if item.kind not in _WITHOUT_TEXT:
        lines.link(node, FRBROO["R6_carries"], text)


def map_participations(lines: Lines, record: Record, document: Name) -> None:
    """Map those who took part in an act, each by the activity (crm:P14).

    The vote conceived the act; the others made its text. The text states no day. The signature is the event that made
    the signed version, if the record has it.
    """
    work = document.work
    signed = next((v for v in (document, *(v for v, _ in record.versions)) if v.event == _SIGNED and v.view_date), None)
    for part in record.participations:
        node = hashed_iri("evento", part.role, work.canonical)
        if part.role is Role.SIGNED and signed is not None:
            node = making_event_iri((signed.individual or signed).iri)
        elif part.role is Role.VOTED:
            lines.a(node, FRBROO["F27_Work_Conception"])
            lines.link(node, FRBROO["R16_initiated"], work.iri)
        else:
            lines.a(node, FRBROO["F28_Expression_Creation"])
            lines.link(node, FRBROO["R19_created_a_realisation_of"], work.iri)
        lines.link(node, CRM["P2_has_type"], event_iri(part.role))
        actor = _actor(lines, part, work)
        lines.a(actor, CRM["E39_Actor"])
        lines.link(node, CRM["P14_carried_out_by"], actor)


def _actor(lines: Lines, part: Participation, work: Name) -> str:
    """Return the IRI of an actor. A federal authority is that of the vocabulary; one of a state or municipality has its
    place in the IRI; a person with a name is the one of this act, because names do not identify persons."""
    place = ";".join((work.local.pais, *work.local.detalhe))
    if part.authority is not None:
        authority = vocab_iri("autoridade", part.authority)
        if not work.local.detalhe:
            return authority
        actor = hashed_iri("ator", place, part.authority)
        lines.link(actor, CRM["P2_has_type"], authority)
        return actor
    actor = hashed_iri("ator", work.canonical, part.name or "")
    lines.add_if_present(actor, RDFS["label"], part.name, string)
    return actor


def map_notes(lines: Lines, record: Record, work: Name) -> None:
    """Map the editorial notes on a norm and its provisions. The IRIs of the notes are in the order of the source."""
    for index, note in enumerate(record.notes, 1):
        node = f"{hashed_iri('nota', record.source.iri, work.canonical)}/{index:05}"
        lines.link(f"{work.iri}!{note.fragment}" if note.fragment is not None else work.iri, VIG["nota"], node)
        lines.add(node, VIG["tipoNota"], string(note.kind.value))
        lines.add(node, CRM["P3_has_note"], string(note.text))
        if note.target is not None:
            lines.link(node, VIG["notaCita"], note.target.iri)
        lines.add_if_present(node, SCHEMA["url"], note.url, string)
        if note.struck:
            lines.add(node, VIG["notaRiscada"], boolean(True))


# Provisions, their wordings and their texts: most of the triples of a norm, so this code is optimised for speed.
#
# A wording has its own version only if that version changed it. Text that a later version leaves unchanged refers to
# the version that made it. The text of a whole version refers to the texts of its parts (R5), from which it can be
# composed.


_WORK = f"{_TYPE} {iri(FRBROO['F15_Complex_Work'])} ."
_SUBDIVISION = f"{_TYPE} {iri(ELI['LegalResourceSubdivision'])} ."
_VERSION = f"{_TYPE} {iri(FRBROO['F14_Individual_Work'])} ."
_TEXT = f"{_TYPE} {iri(FRBROO['F22_Self-Contained_Expression'])} ."
_FRAGMENT = f"{_TYPE} {iri(FRBROO['F23_Expression_Fragment'])} ."
_NAME = iri(VIG["nome"])
_PROVISION_OF = iri(VIG["dispositivoDe"])
_WITHIN = iri(VIG["contidoEm"])
_OWN_LIFE = iri(VIG["vidaPropriaEm"])
_OCCUPIED = iri(VIG["ocupadoPor"])
_WORDS = iri(VIG["daRedacaoA"])
_MEMBER = iri(FRBROO["R10_has_member"])
_REALISED = iri(FRBROO["R3_is_realised_in"])
_COMPONENT = iri(FRBROO["R5_has_component"])
_CITES = iri(CRM["P67_refers_to"])
_CONTENT = iri(CRM["P190_has_symbolic_content"])
_LABEL = iri(VIG["rotulo"])
_HEADING = iri(VIG["nomeAgrupador"])
_MARKUP = iri(VIG["marcacao"])
_SITUATION = iri(VIG["situacaoTexto"])
_ORDER = iri(VIG["ordem"])
_UNSTRUCK = iri(VIG["naoTachado"])
_INFERRED = iri(VIG["causaInferida"])
_INSERTS = iri(VIG["insercao"])


_COVERED = {Coverage.WHOLE: VIG["textoCompleto"], Coverage.HISTORY: VIG["textoComposto"]}


@dataclass(frozen=True, slots=True)
class _Edition:
    """The data shared by all wordings of one version: the prefixes of their IRIs and the triples with their dates."""

    name: Name | None
    version: str | None
    text: str
    dates: tuple[str, ...]
    first: bool


def map_provisions(lines: Lines, record: Record, document: Name) -> None:
    """Map the provisions of a record whose document has that name.

    Provisions with their own history are marked as touched, unless the record has the complete text of one version.
    They have several wordings in the record, or a wording that presupposes an earlier one.
    """
    editions: dict[str | None, _Edition] = {}
    work, form = document.work, document.forma or DEFAULT_FORM
    for version, _ in record.versions if record.coverage is Coverage.HISTORY else ():
        if version.event != _SIGNED:  # a signed text is not published: no source has it
            editions[version.canonical] = _edition(work, version, form)
    base, legal = work.iri, is_legal(work)
    anchored = {document.individual, *(version for version, _ in record.versions)}
    superseded = _superseded_provisions(record.provisions)
    for provision in record.provisions:
        node = f"{base}!{provision.fragment}"
        statements = [
            f"<{node}> {_WORK}",
            f"<{node}> {_NAME} {string(f'{work.canonical}!{provision.fragment}')} .",
            f"<{node}> {_PROVISION_OF} <{base}> .",
        ]
        if legal:
            statements.append(f"<{node}> {_SUBDIVISION}")
        if provision.within is not None:
            statements.append(f"<{node}> {_WITHIN} <{base}!{provision.within}> .")
        place, comma, _ = provision.fragment.partition(",")
        if comma:
            statements.append(f"<{base}!{place}> {_OCCUPIED} <{node}> .")
        if provision.words is not None:
            statements.append(f"<{node}> {_WORDS} {iri(provision.words.iri)} .")
        for wording in provision.wordings:
            key = wording.version.canonical if wording.version is not None else None
            edition = editions.get(key)
            if edition is None:
                edition = editions[key] = _edition(work, wording.version, form)
            _wording(statements, node, provision, wording, edition)
        if record.coverage is not Coverage.WHOLE and _has_own_history(provision, anchored, editions):
            statements.append(f"<{node}> {_OWN_LIFE} <{base}> .")
            lines.touched.add(node)
        lines.extend(statements)
        for event in (*_veto_events(work, provision), *_supersession_events(work, provision, superseded)):
            map_event(lines, event)
    covered = _COVERED.get(record.coverage)
    if covered is not None:
        for edition in editions.values():
            lines.add(edition.text, covered, boolean(True))


def _veto_events(work: Name, provision: Provision) -> Iterator[Event]:
    """Yield the veto of a provision that a source first prints as vetoed, with the days of the version that prints it.

    Then yield its first wording, if its version has a day: the veto was overturned, or another norm made the wording.
    Yield nothing if an earlier wording precedes the vetoed one, which never replaced it.
    """
    vetoed = list(takewhile(lambda wording: wording.situation is Situation.VETADO, provision.wordings))
    days = _days_of_version(vetoed[0].version) if vetoed else None
    if days is None:
        return
    fragment = Fragmento((provision.fragment,))
    target = work.with_fragmento(fragment)
    yield Event(EventKind.VETO, target, *days, vetoed[0].cause)
    for wording in provision.wordings[len(vetoed) : len(vetoed) + 1]:
        version = wording.version
        if version is None or version.event in OVERTURNED_VETOES:  # this event restores the provision itself
            continue
        if version.version_date is not None and version.view_date is not None:
            begun, known = When.on(version.version_date), When.on(version.view_date)
            yield Event(
                EventKind.REDACAO, target, begun, known, wording.cause, wording=version.with_fragmento(fragment)
            )


def _superseded_provisions(provisions: Iterable[Provision]) -> set[str]:
    """Return the provisions of which a source has only words that it says were replaced, with their parts.

    A wording that another one of the source follows was in force before that one.
    """
    superseded: set[str] = set()
    for provision in provisions:  # a container precedes its parts
        situation = provision.wordings[-1].situation if provision.wordings else None
        if situation is Situation.SUPERADO or (situation is None and provision.within in superseded):
            superseded.add(provision.fragment)
    return superseded


def _supersession_events(work: Name, provision: Provision, superseded: Collection[str]) -> Iterator[Event]:
    """Yield the replacement of the last wording of a source by one that it does not have.

    It had effect on some day between that of the norm and the first day of force of the version with the words.

    Args:
        superseded: the provisions of the source with such a wording.
    """
    days = _days_of_version(provision.wordings[-1].version) if provision.fragment in superseded else None
    if days is None:
        return
    target = work.with_fragmento(Fragmento((provision.fragment,)))
    oldest, (effect, known) = target.oldest_day, days
    since = effect.first if oldest is None or oldest > effect.first else oldest
    yield Event(EventKind.SUPERACAO, target, When(since, effect.last), known)


def _days_of_version(version: Name | None) -> tuple[When, When] | None:
    """Return the first day of force and the day of knowledge of a version, or common bounds; None without them."""
    if version is None:
        return None
    if version.version_date is not None and version.view_date is not None:
        return When.on(version.version_date), When.on(version.view_date)
    if version.versao is not None and version.versao.visao_periodo:
        bounds = When(version.versao.visao[0], version.versao.visao[-1])
        return bounds, bounds
    return None


def _edition(work: Name, version: Name | None, form: Forma) -> _Edition:
    text = (version or work).with_forma(form)
    if version is None:
        return _Edition(None, None, text.iri, (), first=True)
    dates = [f"{iri(VIG['ordemVisao'])} {number(rank(version.event))} ."]
    if version.version_date is not None:
        dates.append(f"{iri(VIG['dataVersao'])} {day(version.version_date)} .")
    if version.view_date is not None:
        dates.append(f"{iri(VIG['dataVisao'])} {day(version.view_date)} .")
    if version.event is not None:
        dates.append(f"{iri(VIG['eventoVisao'])} {iri(event_iri(version.event))} .")
    if version.versao is not None and version.versao.palavra is not None:
        dates.append(f"{iri(VIG['palavraVersao'])} {string(version.versao.palavra)} .")
    first = version.event is None or version.event in FIRST_TEXT_EVENTS
    return _Edition(version, version.iri, text.iri, tuple(dates), first)


def _has_own_history(
    provision: Provision, anchored: Collection[Name | None], editions: Mapping[str | None, _Edition]
) -> bool:
    """Return whether a provision has other wordings than one in the first text of the norm."""
    if len(provision.wordings) != 1:
        return bool(provision.wordings)
    version = provision.wordings[0].version
    return version is not None and not (version in anchored and editions[version.canonical].first)


def _wording(statements: list[str], node: str, provision: Provision, wording: Wording, edition: _Edition) -> None:
    text = f"<{edition.text}!{provision.fragment}>"
    if edition.version is not None and edition.name is not None and _has_no_words(provision, wording):
        version = f"<{edition.version}!{provision.fragment}>"
        statements += [f"<{node}> {_MEMBER} {version} .", f"{version} {_VERSION}"]
        statements.extend(f"{version} {dated}" for dated in edition.dates)
        statements.extend(_making_statements(node, wording, provision, edition.name, edition.version))
        return
    if edition.version is None or edition.name is None:
        statements.append(f"<{node}> {_REALISED} {text} .")
    else:
        version = f"<{edition.version}!{provision.fragment}>"
        statements.append(f"<{node}> {_MEMBER} {version} .")
        statements.append(f"{version} {_VERSION}")
        statements.extend(f"{version} {dated}" for dated in edition.dates)
        statements.append(f"{version} {_REALISED} {text} .")
    statements.append(f"<{edition.text}> {_COMPONENT} {text} .")
    statements.append(f"{text} {_TEXT}")
    if is_part_of_article(provision.fragment):
        statements.append(f"{text} {_FRAGMENT}")
    statements.append(f"{text} {_ORDER} {number(provision.order)} .")
    for property_, value in (
        (_LABEL, wording.label),
        (_HEADING, wording.heading),
        (_CONTENT, wording.text),
        (_MARKUP, wording.markup),
        (_SITUATION, wording.situation),
    ):
        if value is not None:
            statements.append(f"{text} {property_} {string(value)} .")
    statements.extend(f"{text} {_CITES} {iri(cited.iri)} ." for cited in wording.cites)
    if wording.unstruck:
        statements.append(f"{text} {_UNSTRUCK} {boolean(True)} .")
    if wording.inferred:
        statements.append(f"{text} {_INFERRED} {boolean(True)} .")
    if edition.version is not None and edition.name is not None:
        statements.extend(_making_statements(node, wording, provision, edition.name, edition.version))


def _has_no_words(provision: Provision, wording: Wording) -> bool:
    """Return whether a wording only states that a version exists: no text, and no position in a document."""
    parts = (wording.label, wording.heading, wording.text, wording.markup, wording.situation)
    return provision.order == 0 and not any(parts)


def _making_statements(node: str, wording: Wording, provision: Provision, edition: Name, version: str) -> Iterator[str]:
    """Yield the statements that a version inserts the provision, and which act made the version."""
    if wording.inserts:
        yield f"<{version}!{provision.fragment}> {_INSERTS} {boolean(True)} ."
    if wording.cause is None:
        return
    yield from _creation_statements(node, f"<{version}!{provision.fragment}>", wording.cause, edition)
    causing = wording.cause.provision
    if causing is not None:
        yield f"{iri(causing.iri)} {_PROVISION_OF} {iri(wording.cause.work.iri)} ."


def _creation_statements(node: str, version: str, cause: Name, edition: Name) -> Iterator[str]:
    """Yield the statements on the event that made a wording of a provision, and its cause."""
    event = iri(hashed_iri("evento", version[1:-1], cause.canonical))
    yield f"{event} {_TYPE} {iri(CRM['E5_Event'])} ."
    yield f"{event} {_TYPE} {iri(FRBROO['F27_Work_Conception'])} ."
    yield f"{event} {iri(CRM['P2_has_type'])} {iri(event_iri(edition.event or EventKind.ALTERACAO))} ."
    yield f"{event} {iri(VIG['alvo'])} <{node}> ."
    yield f"{event} {iri(VIG['causadoPor'])} {iri((cause.provision or cause.work).iri)} ."
    yield f"{event} {iri(FRBROO['R16_initiated'])} {version} ."
    if edition.version_date is not None:
        yield f"{event} {iri(VIG['dataEfeito'])} {day(edition.version_date)} ."
    if edition.view_date is not None:
        yield f"{event} {iri(VIG['dataConhecimento'])} {day(edition.view_date)} ."
