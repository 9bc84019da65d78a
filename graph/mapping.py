"""From entities to RDF: the only place that knows which terms say what. Entities in, N-Triples text out.

FRBRoo 2.4 and CIDOC CRM carry the levels of LexML part 1 (works, versions, texts, copies, events); ELI classes stand
beside them for readers of ELI; what neither has is in our own few terms (ontology/vigente.ttl). docs/graph.md shows
the whole with an example.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from graph.entities import Document, Event, Item, Record, Relation, RelationKind, Source, Text
from graph.lookup import keys_of, nickname_key
from graph.terms import boolean, day, iri, number, string, text, when
from graph.urn import Dialect, Forma, Name
from graph.vocabulary import Concept
from ontology.events import event_iri, rank
from ontology.iris import VOCAB, day_iri, hashed_iri, provider_iri, vocab_iri
from ontology.namespaces import CRM, DC, DCTERMS, ELI, FRBROO, PROV, RDF, RDFS, SCHEMA, SKOS, VIG, XSD

__all__ = ["RELATION_PROPERTIES", "mapped"]

#: The property of each relation of ``oai_lexml``; its subject is the document of the record.
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
}

# Relations that also state a life-cycle event of their target, with no dates of its own.
_RELATION_EVENTS = {
    RelationKind.REVOGA: "revogacao",
    RelationKind.REVOGA_DISPOSITIVO: "revogacao",
    RelationKind.DECLARA_INCONSTITUCIONAL: "declaracao.inconstitucionalidade",
    RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO: "declaracao.inconstitucionalidade",
}

# Relations that may name the whole norm although they act on a provision of it.
_ON_PROVISIONS = {RelationKind.REVOGA_DISPOSITIVO, RelationKind.DECLARA_INCONSTITUCIONAL_DISPOSITIVO}

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

_GAZETTE = "publicacao.oficial"
_LIBRARY = (("rede.virtual.bibliotecas",),)  # catalogue records of books and articles: no legal resources
_DEFAULT_FORM = Forma("texto", ("pt-br",))

_TYPE = iri(RDF["type"])


class _Lines:
    """Triples of one record as N-Triples lines, each once, in the order in which they were said."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self.touched: set[str] = set()

    def add(self, subject: str, predicate: str, *objects: str) -> None:
        """Objects are written terms; subject and predicate are bare IRIs."""
        for term in objects:
            self._lines[f"{iri(subject)} {iri(predicate)} {term} ."] = None

    def a(self, subject: str, *classes: str) -> None:
        for name in classes:
            self._lines[f"{iri(subject)} {_TYPE} {iri(name)} ."] = None

    def link(self, subject: str, predicate: str, target: str) -> None:
        self._lines[f"{iri(subject)} {iri(predicate)} {iri(target)} ."] = None

    def maybe(self, subject: str, predicate: str, value: object, write: Callable[..., str]) -> None:
        if value is not None:
            self.add(subject, predicate, write(value))

    def done(self) -> list[str]:
        return list(self._lines)


def mapped(record: Record) -> tuple[list[str], set[str]]:
    """What one record says, as N-Triples lines for the named graph ``record.source.iri``, and whose life it touches.

    The same record always gives the same lines, so that loading twice changes nothing.

    Returns:
        The lines, and the IRIs of the works and provisions whose periods have to be derived anew.
    """
    lines = _Lines()
    _source(lines, record.source, deleted=record.deleted)
    if record.document is not None:
        _document(lines, record.document)
    for event in record.events:
        _event(lines, event)
    for concept in record.concepts:
        _concept(lines, concept)
    return lines.done(), lines.touched


def _source(lines: _Lines, source: Source, *, deleted: bool) -> None:
    """The record itself (PROV-O): whose it is, and from what bytes it was read."""
    lines.a(source.iri, PROV["Entity"], VIG["RegistroFonte"])
    lines.add(source.iri, VIG["hashConteudo"], string(source.payload_hash))
    lines.add(source.iri, VIG["carregador"], string(source.loader))
    lines.maybe(source.iri, DCTERMS["identifier"], source.identifier, string)
    lines.maybe(source.iri, VIG["datestamp"], source.datestamp, string)
    lines.maybe(source.iri, VIG["origem"], source.origin, string)
    lines.maybe(source.iri, VIG["curador"], source.curator, string)
    lines.maybe(source.iri, RDFS["comment"], source.note, string)
    lines.maybe(source.iri, DC["source"], source.cited, string)
    if deleted:
        lines.add(source.iri, VIG["lapide"], boolean(True))
    if source.provider is not None:
        lines.link(source.iri, PROV["wasAttributedTo"], provider_iri(source.provider))


def _concept(lines: _Lines, concept: Concept) -> None:
    """A value of a controlled vocabulary (LexML part 6, section 4: in SKOS)."""
    node = vocab_iri(concept.scheme.value, concept.notation)
    scheme = VOCAB + concept.scheme.value
    lines.a(scheme, SKOS["ConceptScheme"])
    lines.a(node, SKOS["Concept"])
    lines.add(node, SKOS["notation"], string(concept.notation))
    lines.add(node, SKOS["prefLabel"], text(Text(concept.label, "pt-BR")))
    if concept.label_en is not None:
        lines.add(node, SKOS["prefLabel"], text(Text(concept.label_en, "en")))
    lines.add(node, SKOS["altLabel"], *(text(Text(label, "pt-BR")) for label in concept.alternative))
    lines.link(node, SKOS["inScheme"], scheme)
    if concept.broader is not None:
        lines.link(node, SKOS["broader"], vocab_iri(concept.scheme.value, concept.broader))
    else:
        lines.link(node, SKOS["topConceptOf"], scheme)


def _document(lines: _Lines, document: Document) -> None:
    name = document.name
    work = _work(lines, name)
    subject = work
    version: str | None = None
    expression: str | None = None
    provision = name.provision
    individual = name.individual
    if provision is not None:
        subject = _provision(lines, provision, work)
    if individual is not None:
        version = _version(lines, name, individual, subject)
    if name.forma is not None or (individual is not None and name.dialect is not Dialect.RFC_9676):
        expression = _expression(lines, name, version or subject)
    for property_, texts in (
        (VIG["epigrafe"], document.epigraphs),
        (VIG["apelido"], document.nicknames),
        (VIG["indexacao"], document.index_terms),
        (VIG["catalogo"], document.catalogue_notes),
    ):
        lines.add(subject, property_, *map(text, texts))
    if provision is None:
        lines.add(work, VIG["chave"], *(string(nickname_key(nickname.value)) for nickname in document.nicknames))
    lines.add(version or subject, VIG["ementa"], *map(text, document.summaries))
    for field, value in document.doctrine:
        lines.add(subject, _DOCTRINE_PROPERTIES.get(field, DC["subject"]), string(value))
    for item in document.items:
        _item(lines, item, expression or version or subject, is_text=expression is not None)
    for relation in document.relations:
        _relation(lines, relation, subject, work, expression)


def _is_gazette(name: Name) -> bool:
    return name.tipo_documento[0] == _GAZETTE


def _is_legal(name: Name) -> bool:
    """Whether readers of ELI would call it a legal resource."""
    return not _is_gazette(name) and name.autoridade != _LIBRARY


def _work(lines: _Lines, name: Name) -> str:
    """The norm, judgment, bill or gazette issue through time (LexML part 1, section 2.1.1), and what its name says."""
    work = name.work
    node = work.iri
    if _is_gazette(work):
        lines.a(node, FRBROO["F19_Publication_Work"])
        _gazette(lines, work)
    else:
        lines.a(node, FRBROO["F15_Complex_Work"])
    if _is_legal(work):
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
    lines.add(node, VIG["chave"], *map(string, keys_of(work)))
    whole = work.whole
    if whole != work:
        lines.link(node, VIG["componenteDe"], whole.iri)
    return node


def _gazette(lines: _Lines, issue: Name) -> None:
    """A gazette: the series (F18) and its issue (F19), LexML part 1, section 3.1, table 2."""
    series = hashed_iri(
        "periodico",
        ";".join((issue.local.pais, *issue.local.detalhe)),
        ",".join(";".join(s) for s in issue.autoridade),
        ";".join(issue.tipo_documento),
    )
    lines.a(series, FRBROO["F18_Serial_Work"])
    lines.link(series, FRBROO["R10_has_member"], issue.iri)


def _provision(lines: _Lines, provision: Name, work: str) -> str:
    """A provision through time, or a page of a gazette (LexML 1.0 part 2, section 11)."""
    node = provision.iri
    lines.a(node, FRBROO["F15_Complex_Work"])
    if _is_legal(provision):
        lines.a(node, ELI["LegalResourceSubdivision"])
    lines.add(node, VIG["nome"], string(provision.canonical))
    lines.link(node, VIG["dispositivoDe"], work)
    return node


def _version(lines: _Lines, name: Name, individual: Name, work: str) -> str:
    """One version and view (LexML 1.0 part 2, section 12.3), and the event that made it.

    The version date of an RFC 9676 name is an amendment's date of issue (section 7.1.2), not a start of force: it
    stays in the name. What has versions is a complex work, an issue of a gazette too.
    """
    if name.fragmento is not None:
        individual = individual.with_fragmento(name.fragmento)
    force = name.version_date if name.dialect is not Dialect.RFC_9676 else None
    node = individual.iri
    lines.a(node, FRBROO["F14_Individual_Work"])
    if _is_legal(name):
        lines.a(node, ELI["LegalResource" if name.provision is None else "LegalResourceSubdivision"])
    lines.a(work, FRBROO["F15_Complex_Work"])
    lines.link(work, FRBROO["R10_has_member"], node)
    lines.touched.add(work)
    lines.add(node, VIG["nome"], string(individual.canonical))
    lines.maybe(node, VIG["dataVersao"], force, day)
    lines.maybe(node, VIG["dataVisao"], name.view_date, day)
    lines.maybe(node, VIG["palavraVersao"], name.versao.palavra if name.versao is not None else None, string)
    if name.event is not None:
        lines.link(node, VIG["eventoVisao"], event_iri(name.event))
    lines.add(node, VIG["ordemVisao"], number(rank(name.event)))
    if name.event is not None and name.view_date is not None:
        _making(lines, name.event, name.view_date, work, node, force)
    return node


# Events that make a text or print it; every other one conceives a work of its own (LexML part 1, figures 3 and 4).
_TEXT_EVENTS = {
    "anotacao": "F28_Expression_Creation",
    "assinatura": "F28_Expression_Creation",
    "publicacao": "F30_Publication_Event",
    "republicacao": "F30_Publication_Event",
    "retificacao": "F28_Expression_Creation",
    "texto.atualizado": "F28_Expression_Creation",
}


def _making(lines: _Lines, kind: str, on: date, work: str, version: str, force: date | None) -> None:
    """The event by which a version came to be known (LexML part 1, figures 3 and 4)."""
    node = hashed_iri("evento", version)
    class_ = _TEXT_EVENTS.get(kind, "F27_Work_Conception")
    lines.a(node, CRM["E5_Event"], FRBROO[class_])
    made = FRBROO["R16_initiated"] if class_ == "F27_Work_Conception" else FRBROO["R19_created_a_realisation_of"]
    lines.link(node, made, version)
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], work)
    lines.maybe(node, VIG["dataEfeito"], force, day)
    lines.add(node, VIG["dataConhecimento"], day(on))
    _time_span(lines, node, on)


def _time_span(lines: _Lines, event: str, on: date) -> None:
    """The day as CIDOC CRM wants it: a time-span with both outer bounds."""
    span = day_iri(on)
    lines.link(event, CRM["P4_has_time-span"], span)
    lines.a(span, CRM["E52_Time-Span"])
    moment = iri(XSD["dateTime"])
    lines.add(span, CRM["P82a_begin_of_the_begin"], f'"{on.isoformat()}T00:00:00"^^{moment}')
    lines.add(span, CRM["P82b_end_of_the_end"], f'"{on.isoformat()}T23:59:59"^^{moment}')


def _expression(lines: _Lines, name: Name, realises: str) -> str:
    """The text of a version; ``texto;pt-br`` where the name doesn't say (LexML 1.0 part 2, section 13)."""
    form = name.forma or _DEFAULT_FORM
    expression = name.with_forma(form)
    node = expression.iri
    if _is_gazette(name):
        lines.a(node, FRBROO["F24_Publication_Expression"])
    else:
        lines.a(node, FRBROO["F22_Self-Contained_Expression"])
    if _is_legal(name):
        lines.a(node, ELI["LegalExpression"])
    lines.link(realises, FRBROO["R3_is_realised_in"], node)
    lines.add(node, VIG["nome"], string(expression.canonical))
    lines.link(node, CRM["P2_has_type"], vocab_iri("tipoConteudo", form.tipo))
    if form.linguas:
        lines.a(node, CRM["E33_Linguistic_Object"])
    for language in form.linguas:
        lines.link(node, CRM["P72_has_language"], vocab_iri("lingua", language))
    return node


def _item(lines: _Lines, item: Item, copied: str, *, is_text: bool) -> None:
    """A copy (LexML part 4, section 3.3), with the product type between copy and text where the text is known."""
    parts = (item.url, item.format, item.kind, item.publisher, item.pages, item.note)
    node = hashed_iri("item", copied, *("" if part is None else string(str(part)) for part in parts))
    lines.a(node, FRBROO["F5_Item"])
    lines.link(node, VIG["copiaDe"], copied)
    if item.url is not None:
        lines.add(node, SCHEMA["contentUrl"], f"{string(item.url)}^^{iri(XSD['anyURI'])}")
    lines.maybe(node, SCHEMA["encodingFormat"], item.format, string)
    lines.maybe(node, VIG["tipoItem"], item.kind.value if item.kind else None, string)
    lines.maybe(node, VIG["idPublicador"], item.publisher, string)
    lines.maybe(node, VIG["qtdPaginas"], item.pages, number)
    lines.maybe(node, VIG["nota"], item.note, string)
    if is_text:
        product = hashed_iri("formato", copied, string(item.format or ""))
        lines.a(product, FRBROO["F3_Manifestation_Product_Type"], ELI["Format"])
        lines.link(copied, FRBROO["R4_carriers_provided_by"], product)
        lines.link(node, FRBROO["R7_is_example_of"], product)


def _relation(lines: _Lines, relation: Relation, subject: str, work: str, expression: str | None) -> None:
    target = relation.target
    lines.link(subject, RELATION_PROPERTIES[relation.kind], target.iri)
    if target.is_reference:  # which document is meant has to be found first
        return
    if relation.kind is RelationKind.PUBLICACAO_OFICIAL and _is_gazette(target):
        issue = _work(lines, target)
        if target.provision is not None:
            _provision(lines, target.provision, issue)
        if expression is not None:
            printed = hashed_iri("texto-publicado", issue)
            lines.a(printed, FRBROO["F24_Publication_Expression"])
            lines.link(issue, FRBROO["R3_is_realised_in"], printed)
            lines.link(printed, CRM["P165_incorporates"], expression)
    kind = _RELATION_EVENTS.get(relation.kind)
    touched = target.provision or target.work
    if kind is None or (relation.kind in _ON_PROVISIONS and target.provision is None):
        return  # of a norm that loses a provision, not known which, nothing ends
    _happening(lines, hashed_iri("evento", kind, touched.canonical, work), kind, touched, work)


def _happening(lines: _Lines, node: str, kind: str, touched: Name, cause: str | None) -> None:
    """A life-cycle event: what it is, on which work or provision it acts, which norm or judgment caused it."""
    lines.a(node, CRM["E5_Event"])
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], touched.iri)
    lines.touched.add(touched.iri)
    if cause is not None:
        lines.link(node, VIG["causadoPor"], cause)


def _event(lines: _Lines, event: Event) -> None:
    """A life-cycle event that a source states with its own dates."""
    cause = event.cause.work.iri if event.cause is not None else None
    touched = event.target.provision or event.target.work
    node = hashed_iri("evento", event.kind, touched.canonical, cause or "", str(event.effect), str(event.known))
    _happening(lines, node, event.kind, touched, cause)
    lines.maybe(node, VIG["dataEfeito"], event.effect, when)
    lines.maybe(node, VIG["dataConhecimento"], event.known, when)
    if event.known is not None and event.known.exact is not None:
        _time_span(lines, node, event.known.exact)
