"""One ``oai_lexml`` record: from its ``LexML`` element to a document and what could not be read of it.

The format has three namespaces in use and two generations (LexML part 4, section 3.3 and annex 1, and the schema that
followed): elements are matched by local name, in any order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit

from graph.entities import Document, Item, ItemKind, Relation, RelationKind, Text
from graph.errors import BadName, BadRecord
from graph.urn import parse
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import identity, shown
from loaders.xml import SPACE, Element, bounded, local_name, namespace, plain_text, spaced, value

OAI_NAMESPACE = "http://www.openarchives.org/OAI/2.0/"
#: Where ``LexML`` and its children are found: the schema's, the one of part 4's examples, and the envelope's.
NAMESPACES = ("http://www.lexml.gov.br/oai_lexml", "http://www.lexml.gov.br/", OAI_NAMESPACE)

_DEFAULT_LANGUAGE = "pt-br"
_LANGUAGE = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*", re.ASCII)
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_PAGES = re.compile(r"[0-9]{1,9}", re.ASCII)
_SCHEMES = frozenset({"http", "https", "ftp"})
_ORDINARY_URL = re.compile(r"(?:https?|ftp)://[A-Za-z0-9.-]*[A-Za-z0-9](?::[0-9]{1,4})?(?:[/?#]|$)")
_WITHOUT_URL = frozenset({ItemKind.PHYSICAL_OBJECT, ItemKind.UNAVAILABLE_CONTENT})
_DOCTRINE = "Doutrina"
_DOCTRINE_FIELDS = frozenset(
    {"Autor", "Titulo", "Forma", "Lingua", "Ano", "Responsabilidade", "Classe", "ClasseUDC", "ClasseDDC", "ClasseBBD"}
    | {"Imprenta", "Edicao", "DescricaoFisica", "ISBN", "Oculto"}
)
_MAX_NOTES = 100
_TEXT_FIELDS = ("Epigrafe", "Apelido", "Ementa", "Indexacao", "Catalogo")
_ITEM_KINDS = {kind.value: kind for kind in ItemKind}
_RELATION_KINDS = {kind.value: kind for kind in RelationKind if kind.harvested}


@dataclass(slots=True)
class Read:
    """What was read of one ``LexML`` element.

    Attributes:
        document: what the record says.
        notes: pairs (code, message) of what was left out, in document order.
    """

    document: Document
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Parts:
    """The children of one ``LexML`` element, collected by what they are."""

    names: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    texts: dict[str, list[Text]] = field(default_factory=lambda: {name: [] for name in _TEXT_FIELDS})
    doctrine: list[tuple[str, str]] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)

    untold: int = 0

    def note(self, code: NoteCode, message: str) -> None:
        if len(self.notes) < _MAX_NOTES:
            self.notes.append((code, message))
        else:
            self.untold += 1


def read_lexml(element: Element) -> Read:
    """The document of a ``LexML`` element.

    Raises:
        BadRecord: in another namespace, without exactly one ``DocumentoIndividual``, or with one that is no identity.
    """
    if local_name(element.tag) != "LexML" or namespace(element.tag) not in NAMESPACES:
        raise BadRecord(
            RefusalCode.WRONG_NAMESPACE,
            f"the record is <{local_name(element.tag)}> in the namespace {shown(namespace(element.tag))}",
            f"<LexML> in one of {', '.join(NAMESPACES)}; LexML part 4, section 3.3",
        )
    parts = _Parts()
    for child in element.iterchildren("*"):
        _child(parts, child)
    if not parts.names:
        raise BadRecord(
            RefusalCode.NO_DOCUMENT,
            "the record has no DocumentoIndividual, or an empty one",
            "one DocumentoIndividual with a name, LexML part 4, section 3.3",
        )
    if len(parts.names) > 1:
        raise BadRecord(
            RefusalCode.SEVERAL_DOCUMENTS,
            f"the record has {len(parts.names)} DocumentoIndividual: {', '.join(shown(n) for n in parts.names[:3])}",
            "one record for each document, LexML part 4, section 3.3",
        )
    document = Document(
        name=identity(parts.names[0]),
        items=tuple(parts.items),
        epigraphs=tuple(parts.texts["Epigrafe"]),
        nicknames=tuple(parts.texts["Apelido"]),
        summaries=tuple(parts.texts["Ementa"]),
        index_terms=tuple(parts.texts["Indexacao"]),
        catalogue_notes=tuple(parts.texts["Catalogo"]),
        doctrine=tuple(parts.doctrine),
        relations=tuple(parts.relations),
    )
    if parts.untold:
        parts.notes.append((NoteCode.MORE_NOTES, f"{parts.untold} more notes on this record are not shown"))
    return Read(document, parts.notes)


@lru_cache(maxsize=1024)
def _field_of(tag: str) -> str | None:
    """The local name of a child that belongs to the format; None for one of another namespace.

    Without a namespace: SAPL and others write ``<lexml:LexML>`` around children without prefix.
    """
    return local_name(tag) if namespace(tag) in {*NAMESPACES, ""} else None


def _child(parts: _Parts, child: Element) -> None:
    name = _field_of(child.tag)
    if name in parts.texts:
        text = bounded(plain_text(child))
        if text:
            parts.texts[name].append(Text(text, _language(parts, child)))
    elif name == "DocumentoIndividual":
        text = bounded(value(child))
        if text:
            parts.names.append(text)
    elif name == "Item":
        _item(parts, child)
    elif name == "Relacionamento":
        _relation(parts, child)
    elif name is not None and name.startswith(_DOCTRINE) and name[len(_DOCTRINE) :] in _DOCTRINE_FIELDS:
        text = bounded(plain_text(child))
        if text:
            parts.doctrine.append((name[len(_DOCTRINE) :], text))
    else:
        said = shown(plain_text(child))
        parts.note(NoteCode.UNREAD_ELEMENT, f"<{shown(child.tag)}> is not in oai_lexml and was not read: {said}")


def _language(parts: _Parts, element: Element) -> str:
    """The language of a text: ``pt-br`` where the record doesn't say (annex 1), ``und`` where it says no language."""
    written = element.get(_XML_LANG)
    if written is None:
        return _DEFAULT_LANGUAGE
    language = written.strip(SPACE).replace("_", "-").lower()
    if _LANGUAGE.fullmatch(language):
        return language
    parts.note(NoteCode.BAD_LANGUAGE, f"xml:lang={shown(written)} of {local_name(element.tag)} is no language tag")
    return "und"


def _item(parts: _Parts, element: Element) -> None:
    url = value(element)
    written = element.get("tipo")
    kind = _ITEM_KINDS.get(written.strip(SPACE)) if written is not None else None
    if written is not None and kind is None:
        parts.note(NoteCode.UNKNOWN_ITEM_TYPE, f"Item/@tipo={shown(written)} is not in the schema: left open")
    if url and not _is_absolute(url):
        parts.note(NoteCode.BAD_URL, f"Item {shown(url)} is not an absolute http, https or ftp address: left out")
        return
    if not url and kind not in _WITHOUT_URL:
        parts.note(NoteCode.ITEM_WITHOUT_URL, f"an Item of tipo {shown(written or '')} has no address: left out")
        return
    pages: int | None = None
    # `paginas` in annex 1, `qtdPaginas` in the schema that followed.
    count = element.get("qtdPaginas", element.get("paginas"))
    if count is not None:
        if _PAGES.fullmatch(count.strip(SPACE)):
            pages = int(count)
        else:
            parts.note(NoteCode.BAD_PAGE_COUNT, f"{shown(count)} is no number of pages: left out")
    parts.items.append(
        Item(
            url=url or None,
            format=_attribute(element, "formato"),
            kind=kind,
            publisher=_attribute(element, "idPublicador"),
            pages=pages,
            note=_attribute(element, "nota"),
        )
    )


def _attribute(element: Element, name: str) -> str | None:
    """An attribute with its white space normalised; None when it is absent or empty."""
    return spaced(element.get(name) or "") or None


def _is_absolute(url: str) -> bool:
    if _ORDINARY_URL.match(url):
        return True
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.hostname)


def _relation(parts: _Parts, element: Element) -> None:
    written = (element.get("tipo") or "").strip(SPACE)
    target = value(element)
    kind = _RELATION_KINDS.get(written)
    if kind is None:
        parts.note(
            NoteCode.RELATION_REFUSED,
            f"Relacionamento/@tipo={shown(written)} is not in the schema; its target is {shown(target)}",
        )
        return
    try:
        parts.relations.append(Relation(kind, parse(target)))
    except BadName as error:
        parts.note(NoteCode.RELATION_REFUSED, f"the target {shown(target)} of {written}: {error}")
