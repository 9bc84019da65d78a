"""Texts in the form of a name: their prefix, length, address, and what surrounds a copied name."""

from __future__ import annotations

import re
from urllib.parse import unquote

from graph.urn import parse

#: The maximum length of a text, in characters; the same as for names.
LONGEST = 4096

_NAME = re.compile(r"\s*(?:urn:|lex:|urn%3a|br[:;])", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"\s*https?://[^\s?#]{1,300}(?:/|\?urn=)(urn(?::|%3a)lex(?::|%3a)[^\s&#]+)", re.IGNORECASE | re.ASCII
)
#: Punctuation of a sentence after a copied name.
_BEHIND = re.compile(r"[\s.,;:!?)\"'”’»]+\Z")
#: The extensions of files after a name. They name a manifestation of the document.
FILE_SUFFIXES = (".html", ".htm", ".pdf", ".xml", ".json", ".txt", ".rtf", ".docx", ".doc", ".odt")
_EXTENSION = re.compile(rf"(?:{'|'.join(map(re.escape, FILE_SUFFIXES))})\Z", re.IGNORECASE)


def check_text_length(text: str) -> str:
    """Return the text unchanged, after checking its length.

    Raises:
        BadName: it is empty or too long.
    """
    if not text.strip() or len(text) > LONGEST:
        parse(text)
    return text


def is_name(text: str) -> bool:
    """Return whether a text has the prefix of a name.

    >>> is_name("urn:lex:br:federal:lei:1990"), is_name("Lei nº 8.078")
    (True, False)
    """
    return _NAME.match(text) is not None


def name_in_address(text: str) -> str | None:
    """Return the name in the path or the parameter ``urn`` of a web address; None if there is none.

    >>> name_in_address("https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    >>> name_in_address("http://www.lexml.gov.br/urn/urn:lex:br:federal:lei:1993;8666")
    'urn:lex:br:federal:lei:1993;8666'
    """
    match = _ADDRESS.match(text)
    return unquote(match[1]) if match is not None else None


def stripped_name(text: str) -> str:
    """Return a text in the form of a name without surrounding white space, trailing punctuation and file extension.

    >>> stripped_name("urn:lex:br:federal:lei:1990-09-11;8078).")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    >>> stripped_name("urn:lex:br:federal:lei:1990-09-11;8078.html")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    """
    return _EXTENSION.sub("", _BEHIND.sub("", text.strip()))
