"""Metadata of published records: written from fields, taken from a record, and the sets that a name belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from graph.urn import Name
from loaders.xml import Element

#: The namespace of ``oai_lexml`` (the schema in use; LexML part 4, annex 1).
LEXML = "http://www.lexml.gov.br/oai_lexml"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NOT_IN_SETS = re.compile(r"[^A-Za-z0-9\-_.!~*'()]", re.ASCII)
_GROUPS = {
    "lugar": "Lugar da norma",
    "autoridade": "Autoridade emitente",
    "tipo": "Tipo de documento",
    "provedor": "Provedor de dados",
}


@dataclass(frozen=True, slots=True)
class Copy:
    """Where a document can be read (``Item``; LexML part 4, section 3.3)."""

    url: str
    format: str


@dataclass(frozen=True, slots=True)
class Fields:
    """What a record says of one document; texts are in Portuguese.

    Attributes:
        name: of the document, without fragment.
        publisher: the number that LexML gave to the publisher (``idPublicador``); None where it gave none.
        gazette: the name of the official publication (``publicacao.oficial``).
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    epigraph: str | None = None
    nicknames: tuple[str, ...] = ()
    summary: str | None = None
    publisher: str | None = None
    gazette: Name | None = None


def written(fields: Fields) -> bytes:
    """The ``oai_lexml`` element of a document, as :func:`canonical` writes it."""
    namespaces: dict[str | None, str] = {None: LEXML}
    root = etree.Element(f"{{{LEXML}}}LexML", nsmap=namespaces)  # type: ignore[arg-type] # the stubs forbid None
    for copy in fields.copies:
        item = etree.SubElement(root, f"{{{LEXML}}}Item", {"formato": copy.format, "tipo": "conteudo"})
        item.text = copy.url
        if fields.publisher is not None:
            item.set("idPublicador", fields.publisher)
    for element, text in (
        ("DocumentoIndividual", fields.name.canonical),
        ("Epigrafe", fields.epigraph),
        *(("Apelido", nickname) for nickname in fields.nicknames),
        ("Ementa", fields.summary),
    ):
        if text:
            etree.SubElement(root, f"{{{LEXML}}}{element}").text = text
    if fields.gazette is not None:
        relation = etree.SubElement(root, f"{{{LEXML}}}Relacionamento", {"tipo": "publicacao.oficial"})
        relation.text = fields.gazette.canonical
    return canonical(root)


def canonical(element: Element) -> bytes:
    """An element in exclusive canonical XML: the same bytes from whatever answer it is taken.

    Comments, processing instructions and white space stay. Prefixes that stand in values alone are not declared; no
    record of ``oai_lexml`` has such.
    """
    tail, element.tail = element.tail, None
    try:
        return etree.tostring(element, method="c14n", exclusive=True, with_comments=True)
    finally:
        element.tail = tail


def sets_of(name: Name) -> Iterator[tuple[str, str]]:
    """The sets of a document, each with its name: place, authority and type, wider ones around narrower.

    >>> from graph.urn import parse
    >>> [spec for spec, _ in sets_of(parse("urn:lex:br;sao.paulo;campinas:municipal:lei:2012-05-15;99901"))]
    ['lugar:br:sao.paulo:campinas', 'autoridade:municipal', 'tipo:lei']
    """
    place, authority, kind = name.canonical.split(":")[2:5]
    for group, text in (("lugar", place), ("autoridade", authority), ("tipo", kind)):
        parts = [_NOT_IN_SETS.sub("_", part) for part in text.split(";") if part]
        if parts:
            yield ":".join((group, *parts)), text


def names_of_sets(spec: str, name: str) -> Iterator[tuple[str, str]]:
    """A set and those around it, each with its name."""
    group, *parts = spec.split(":")
    yield group, _GROUPS[group]
    told: Sequence[str] = name.split(";")
    for n in range(1, len(parts) + 1):
        yield ":".join((group, *parts[:n])), ";".join(told[:n])
