"""Structured texts as LexML XML 1.0 (LexML part 3), which ``vigente load`` reads back with the same words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from lxml import etree

from graph.urn import Name, parse
from graph.wording.citations import Context, cite_ends
from graph.wording.provisions import ELEMENTS, SIGNATURE
from graph.wording.tables import paragraphs_and_tables
from loaders.articulated.occurrences import Occurrence, StructuredText

NAMESPACE = "http://www.lexml.gov.br/1.0"
_LINKS = "http://www.w3.org/1999/xlink"
_HREF = f"{{{_LINKS}}}href"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_NAMESPACES = cast("Mapping[str, str]", {None: NAMESPACE, "xlink": _LINKS})
_TITLE_PARTS = {kind: ELEMENTS[kind] for kind in ("epigrafe", "ementa", "preambulo")}
#: The elements below Articulacao.
_ELEMENTS = {kind: element for kind, element in ELEMENTS.items() if kind not in _TITLE_PARTS} | {
    "dpg": "DispositivoGenerico",
}
_GROUPS = frozenset({"prt", "liv", "tit", "cap", "sec", "sub", "agh"})


#: The least confidence of a citation that becomes a link.
_SURE = 0.9
_NOTHING: Mapping[str, Name] = {}


def current_wordings(provisions: Iterable[Occurrence]) -> tuple[list[Occurrence], list[Occurrence]]:
    """Return the current wording of each provision, and the unstruck occurrences that are left out.

    Returns:
        The current text, in order; and two kinds of unstruck occurrences: those that repeat the identifier of a chosen
        one without an editorial note, and those whose container is not in the current text.
    """
    listed = list(provisions)
    times: dict[str, list[Occurrence]] = {}
    for occurrence in listed:
        times.setdefault(occurrence.id, []).append(occurrence)
    kept: set[int] = set()
    doubled: list[Occurrence] = []
    for occurrences in times.values():
        unstruck = [placed for placed in occurrences if not placed.struck]
        if not unstruck:
            continue
        chosen = unstruck[-1] if any(placed.notes for placed in unstruck[1:]) or len(unstruck) == 1 else unstruck[0]
        kept.add(id(chosen))
        if chosen is unstruck[0]:
            doubled += unstruck[1:]
    current_ids = {placed.id for placed in listed if id(placed) in kept}
    now = [placed for placed in listed if id(placed) in kept]
    orphans = [placed for placed in now if placed.within is not None and placed.within not in current_ids]
    lost = {id(orphan) for orphan in orphans}
    return [placed for placed in now if id(placed) not in lost], doubled + orphans


def to_xml(
    text: StructuredText, name: Name | None, changed: Mapping[str, Name] = _NOTHING
) -> tuple[bytes, list[Occurrence]]:
    """Return the current text as a LexML XML document in UTF-8, with its citations as links.

    Args:
        text: the text with its provisions.
        name: the norm's name; without it the document has no ``Identificacao``.
        changed: the norm that a quotation changes, by the identifier of the provision that contains the quotation; it
            becomes the ``xml:base`` of the ``Alteracao`` (LexML part 3, section 3).

    Returns:
        The document, and the occurrences of provisions that the format cannot express.
    """
    root = etree.Element(_tag("LexML"), nsmap=_NAMESPACES)
    if name is not None:
        metadata = etree.SubElement(root, _tag("Metadado"))
        etree.SubElement(metadata, _tag("Identificacao"), URN=name.canonical)
    now, left = current_wordings(text.provisions)
    reasons = [placed for placed in now if placed.prefix == "justificacao"]
    bill = etree.SubElement(root, _tag("ProjetoNorma")) if reasons else root
    norm = etree.SubElement(bill, _tag("Norma"))
    first = etree.SubElement(norm, _tag("ParteInicial"))
    for occurrence in now:
        if occurrence.prefix in _TITLE_PARTS:
            part = etree.SubElement(first, _tag(_TITLE_PARTS[occurrence.prefix]), id=occurrence.id)
            if occurrence.prefix == "preambulo":
                _write_paragraphs(part, occurrence.paragraphs)
            else:
                _put_text(part, " ".join(occurrence.paragraphs))
    annexes = [placed for placed in now if placed.prefix == "anx"]
    inside = [placed for placed in now if not placed.id.startswith("anx") and placed.prefix in _ELEMENTS]
    writer = _Writer(name, changed)
    writer.nest(etree.SubElement(norm, _tag("Articulacao")), None, inside)
    last = [placed for placed in now if placed.prefix in {"localdatafecho", SIGNATURE}]
    if last:
        end = etree.SubElement(norm, _tag("ParteFinal"))
        for occurrence in last:
            element = "LocalDataFecho" if occurrence.prefix == "localdatafecho" else "Assinatura"
            _write_paragraphs(etree.SubElement(end, _tag(element), id=occurrence.id), occurrence.paragraphs)
    if annexes:
        holder = etree.SubElement(norm, _tag("Anexos"))
        for annex in annexes:
            writer.annex(holder, annex, [placed for placed in now if placed.id.startswith(f"{annex.id}_")])
    for occurrence in reasons:
        part = etree.SubElement(bill, _tag("Justificacao"), id=occurrence.id)
        _write_paragraphs(part, [*filter(None, [occurrence.heading]), *occurrence.paragraphs])
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=False), left


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


class _Writer:
    """Writes the provisions of a norm, with links for the citations in their texts."""

    def __init__(self, name: Name | None, changed: Mapping[str, Name]) -> None:
        self._norm = None if name is None else name.work.canonical
        self._changed = changed

    def annex(self, holder: etree._Element, annex: Occurrence, parts: Sequence[Occurrence]) -> None:
        """Write an annex with the root of its kind: articles, or a text (LexML part 3, annex 1)."""
        kind, body = ("DocumentoArticulado", "Articulacao") if parts else ("DocumentoGenerico", "PartePrincipal")
        root = etree.SubElement(etree.SubElement(holder, _tag("Anexo")), _tag(kind))
        root = etree.SubElement(root, _tag(body))
        element = etree.SubElement(root, _tag("DispositivoGenerico"), id=annex.id, nome="anexo")
        _write_text(element, "Rotulo", annex.label)
        title = "NomeAgrupador" if annex.heading and not annex.label else "TituloDispositivo"
        _write_text(element, title, annex.heading)
        self._paragraphs(element, annex)
        if parts:
            self.nest(root, element, parts)

    def nest(self, root: etree._Element, top: etree._Element | None, provisions: Sequence[Occurrence]) -> None:
        """Write each provision in the element of its container, without recursion."""
        made: dict[str, etree._Element] = {}
        if top is not None and (fragment := top.get("id")) is not None:
            made[fragment] = top
        for provision in provisions:
            above = made.get(provision.within) if provision.within is not None else None
            element = etree.SubElement(
                above if above is not None else root, _tag(_ELEMENTS[provision.prefix]), id=provision.id
            )
            made[provision.id] = element
            if provision.prefix == "alt" and (norm := self._changed.get(provision.within or "")) is not None:
                element.set(_BASE, norm.canonical)
            if provision.opens:
                element.set("abreAspas", "s")
            if provision.closes:
                element.set("fechaAspas", "s")
            if provision.mark:
                element.set("notaAlteracao", provision.mark)
            if provision.omitted and provision.prefix != "omi":
                element.set("textoOmitido", "s")
            if provision.prefix == "art":
                _write_text(element, "TituloDispositivo", provision.heading)
            _write_text(element, "Rotulo", provision.label)
            if provision.prefix in _GROUPS:
                _write_text(element, "NomeAgrupador", provision.heading)
            elif provision.prefix != "art":
                _write_text(element, "TituloDispositivo", provision.heading)
            if provision.prefix not in _GROUPS and provision.prefix not in {"art", "alt", "omi"}:
                self._paragraphs(element, provision)

    def _paragraphs(self, element: etree._Element, provision: Occurrence) -> None:
        context = Context(self._norm)
        if provision.quoted:  # the words of another norm, of the same place
            context = Context(place=context.where if context.where != "br" else None)
        _write_paragraphs(element, provision.paragraphs, context)


def _write_text(parent: etree._Element, name: str, words: str | None) -> None:
    if words:
        _put_text(etree.SubElement(parent, _tag(name)), words)


def _put_text(element: etree._Element, words: str) -> None:
    element.text = "".join(_remove_forbidden(words))


def _write_paragraphs(parent: etree._Element, paragraphs: Sequence[str], context: Context | None = None) -> None:
    """Write paragraphs and tables; with a context, the citations in paragraphs as links."""
    lines = (line for words in paragraphs for line in words.split("\n"))
    for block in paragraphs_and_tables(lines):
        if isinstance(block, str):
            paragraph = etree.SubElement(parent, _tag("p"))
            _put_text(paragraph, block)
            if context is not None:
                _link_citations(paragraph, context)
            continue
        table = etree.SubElement(parent, _tag("table"))
        for row in block:
            line = etree.SubElement(table, _tag("tr"))
            for cell in row:
                _put_text(etree.SubElement(line, _tag("td")), cell)


def _link_citations(paragraph: etree._Element, context: Context) -> None:
    """Replace the recognised citations of a paragraph with links (LexML part 3, section 7)."""
    words, end = paragraph.text or "", 0
    for citation in cite_ends(words, context):
        if citation.confidence < _SURE or citation.start < end or parse(citation.name).is_reference:
            continue
        before = words[end : citation.start]
        last = paragraph[-1] if len(paragraph) else None
        if last is None:
            paragraph.text = before
        else:
            last.tail = before
        link = etree.SubElement(paragraph, _tag("span"))
        link.set(_HREF, citation.name)
        link.text, end = words[citation.start : citation.end], citation.end
    if len(paragraph):
        paragraph[-1].tail = words[end:]


def _remove_forbidden(words: str) -> Iterator[str]:
    """Return the characters that XML 1.0 allows (section 2.2)."""
    for char in words:
        if char >= " " or char in "\t\n\r":
            yield char if not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff" else "\ufffd"
