"""What somebody typed: a name, a name inside an address, or words."""

from __future__ import annotations

import re
from urllib.parse import unquote

from graph.urn import parse

__all__ = ["LONGEST", "is_name", "out_of_address", "sensible"]

#: Longest text that is looked at, in characters: that of a name.
LONGEST = 4096

_NAME = re.compile(r"\s*(?:urn:|lex:|urn%3a|br[:;])", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"\s*https?://[^\s?#]{1,300}(?:/|\?urn=)(urn(?::|%3a)lex(?::|%3a)[^\s&#]+)", re.IGNORECASE | re.ASCII
)


def sensible(text: str) -> str:
    """The text itself.

    Raises:
        BadName: it is empty, or longer than any name and citation.
    """
    if not text.strip() or len(text) > LONGEST:
        parse(text)
    return text


def is_name(text: str) -> bool:
    """Whether a text is meant as a name: it begins like one.

    >>> is_name("urn:lex:br:federal:lei:1990"), is_name("Lei nº 8.078")
    (True, False)
    """
    return _NAME.match(text) is not None


def out_of_address(text: str) -> str | None:
    """The name in the path or the parameter ``urn`` of a web address; None where there is none.

    >>> out_of_address("https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    >>> out_of_address("http://www.lexml.gov.br/urn/urn:lex:br:federal:lei:1993;8666")
    'urn:lex:br:federal:lei:1993;8666'
    """
    found = _ADDRESS.match(text)
    return unquote(found[1]) if found is not None else None
