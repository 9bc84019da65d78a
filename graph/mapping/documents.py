"""What one record says of one name: its work, its version, its text and the copies of it."""

from __future__ import annotations

from collections.abc import Iterable

from graph.counting import Counting
from graph.entities import Document, Item
from graph.mapping.events import making_of, map_cause, map_making
from graph.mapping.lines import Lines
from graph.mapping.relations import map_relation
from graph.mapping.works import DEFAULT_FORM, is_gazette, is_legal, map_provision, map_work
from graph.terms import boolean, day, iri, number, string, text
from graph.urn import Dialect, Name
from ontology.events import FIRST_TEXT_EVENTS, event_iri, rank
from ontology.iris import hashed_iri, vocab_iri
from ontology.namespaces import CRM, DC, ELI, FRBROO, SCHEMA, VIG, XSD

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
    """What a record says of its document; with ``has_text`` the record holds its words too."""
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
    for item in document.items:
        _item(lines, item, expression or version or subject, is_text=expression is not None)
    for relation in document.relations:
        map_relation(lines, relation, subject, work, expression)


def map_versions(
    lines: Lines,
    document: Name,
    versions: Iterable[tuple[Name, Name | None]],
    counted: Iterable[tuple[Name, Counting]] = (),
) -> None:
    """Versions and views of a document's work or provision with their causes, each with its text in the document's
    form; then how their first days of force were counted.

    Where another norm caused the first text of a provision, it inserted the provision: before there was none.
    """
    for version, cause in versions:
        named = version.with_forma(document.forma or DEFAULT_FORM)
        node = _version(lines, named, version.individual or version, (version.provision or version.work).iri)
        _expression(lines, named, node)
        if cause is not None:
            map_cause(lines, making_of(node), cause)
            inserted = version.provision is not None and version.event in FIRST_TEXT_EVENTS
            if inserted and cause.work != version.work:
                lines.add(node, VIG["insercao"], boolean(True))
    for version, counting in counted:
        lines.add(making_of(version.iri), VIG["contagem"], string(str(counting)))


def _version(lines: Lines, name: Name, individual: Name, work: str) -> str:
    """One version and view (LexML 1.0 part 2, section 12.3), and the event that made it.

    The version date of an RFC 9676 name is an amendment's date of issue (section 7.1.2), not a start of force: it
    stays in the name. What has versions is a complex work, an issue of a gazette too.
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
    lines.maybe(node, VIG["dataVersao"], force, day)
    lines.maybe(node, VIG["dataVisao"], name.view_date, day)
    lines.maybe(node, VIG["palavraVersao"], name.versao.palavra if name.versao is not None else None, string)
    if name.event is not None:
        lines.link(node, VIG["eventoVisao"], event_iri(name.event))
    lines.add(node, VIG["ordemVisao"], number(rank(name.event)))
    if name.event is not None and name.view_date is not None:
        map_making(lines, name.event, name.view_date, work, node, force)
    return node


def _expression(lines: Lines, name: Name, realises: str) -> str:
    """The text of a version; ``texto;pt-br`` where the name doesn't say (LexML 1.0 part 2, section 13)."""
    form = name.forma or DEFAULT_FORM
    expression = name.with_forma(form)
    node = expression.iri
    if is_gazette(name):
        lines.a(node, FRBROO["F24_Publication_Expression"])
    else:
        lines.a(node, FRBROO["F22_Self-Contained_Expression"])
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


def _item(lines: Lines, item: Item, copied: str, *, is_text: bool) -> None:
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
