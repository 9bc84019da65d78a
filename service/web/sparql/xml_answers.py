"""What the engine writes as XML, made sound: it writes values, too, that have no place in XML."""

from __future__ import annotations

import re

#: The media types of answers in XML.
XML = frozenset({"application/sparql-results+xml", "application/rdf+xml"})

# XML 1.0, section 2.2: characters that no document may have, in any spelling; as UTF-8.
_NO_CHARACTER = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
# What the engine writes for a property whose IRI does not end in a name (RDF 1.1 XML Syntax, section 2.2).
_NO_NAME = re.compile(rb"<[A-Za-z_][\w.-]*:[\s/>]")


def sound_xml(body: bytes) -> bytes:
    """The same document, which an XML parser reads as it was meant.

    >>> sound_xml(b"<literal>a\\rb</literal>")
    b'<literal>a&#xD;b</literal>'

    Raises:
        ValueError: XML cannot say it.
    """
    found = _NO_CHARACTER.search(body)
    if found is not None:
        character = ord(found[0].decode("utf-8"))
        raise ValueError(f"expected characters that XML can write, got U+{character:04X} in a value")
    if _NO_NAME.search(body) is not None:
        raise ValueError("expected properties whose IRI ends in a name, as RDF/XML needs, got another")
    return body.replace(b"\r", b"&#xD;")  # a bare one is read as a line feed (XML 1.0, section 2.11)
