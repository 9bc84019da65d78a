"""``oai_dc`` of an ``oai_lexml`` record: unqualified Dublin Core (OAI-PMH 2.0, section 2.4)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from loaders.xml import Element, iter_elements, local_name, plain_text

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ELEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "Epigrafe": "title",
        "DoutrinaTitulo": "title",
        "Apelido": "title",
        "DoutrinaAutor": "creator",
        "Indexacao": "subject",
        "Ementa": "description",
        "DoutrinaAno": "date",
        "DocumentoIndividual": "identifier",
        "Item": "identifier",
        "DoutrinaLingua": "language",
        "Relacionamento": "relation",
    }
)
#: The order of the elements, for people; the schema has none.
_ORDER = ("title", "creator", "subject", "description", "date", "format", "identifier", "language", "relation")
_HEAD = (
    b'<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
    b'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    b'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ '
    b'http://www.openarchives.org/OAI/2.0/oai_dc.xsd">'
)


def dublin_core(metadata: bytes) -> bytes:
    """The ``oai_dc:dc`` element of a record.

    >>> b"<dc:title>Lei 1</dc:title>" in dublin_core(b"<LexML><Epigrafe>Lei 1</Epigrafe></LexML>")
    True

    Args:
        metadata: an ``oai_lexml`` element, as :mod:`graph.publication` keeps it.
    """
    elements = iter_elements(io.BytesIO(metadata), {"LexML"})
    found = sorted((pair for lexml in elements for pair in _said(lexml)), key=lambda pair: _ORDER.index(pair[0]))
    return _HEAD + "".join(text for _, text in found).encode() + b"</oai_dc:dc>"


def _said(lexml: Element) -> Iterator[tuple[str, str]]:
    for child in lexml.iterchildren("*"):
        element = _ELEMENTS.get(local_name(child.tag))
        text = plain_text(child)
        if element is not None and text:
            language = child.get(_XML_LANG)
            told = "" if language is None else f" xml:lang={quoteattr(language)}"
            yield element, f"<dc:{element}{told}>{escape(text)}</dc:{element}>"
        form = child.get("formato")
        if form and local_name(child.tag) == "Item":
            yield "format", f"<dc:format>{escape(form)}</dc:format>"
