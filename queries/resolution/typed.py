"""What somebody typed: a name, a name inside an address, or words."""

from __future__ import annotations

import re
from urllib.parse import unquote

from graph.errors import BadName
from graph.references import Reference, read_reference
from graph.store import Store
from graph.urn import parse
from graph.vocabulary import Vocabulary
from queries.evidence import records

#: Longest text that is looked at, in characters: that of a name.
LONGEST = 4096

_NAME = re.compile(r"\s*(?:urn:|lex:|urn%3a|br[:;])", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"\s*https?://[^\s?#]{1,300}(?:/|\?urn=)(urn(?::|%3a)lex(?::|%3a)[^\s&#]+)", re.IGNORECASE | re.ASCII
)
#: What a sentence leaves behind a name that is copied out of it.
_BEHIND = re.compile(r"[\s.,;:!?)\"'”’»]+\Z")
#: Signs that are neither of names nor of the words that people write in their place.
_NO_SIGN = re.compile(r"[^\w\s:;,.@~!$\[\]()ºª°'’–—-]")


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


def shorn(text: str) -> str:
    """A text in the shape of a name without white space around it and punctuation behind it.

    >>> shorn("urn:lex:br:federal:lei:1990-09-11;8078).")
    'urn:lex:br:federal:lei:1990-09-11;8078'
    """
    return _BEHIND.sub("", text.strip())


def loosely_read(text: str, vocabulary: Vocabulary) -> Reference:
    """The reference in a text that is meant as a name and that no grammar reads; see :func:`read_reference`.

    Raises:
        BadName: it has not the shape of a name, or signs that neither names nor words have: ``8078%%%``, ``8078+``.
    """
    if _NO_SIGN.search(text):
        parse(text)
    return read_reference(text, vocabulary)


def without_marks(store: Store, text: str) -> str:
    """A text in the shape of a name without the punctuation behind it, unless it is the name of something with it."""
    bare = shorn(text)
    if bare == text or not bare:
        return text
    try:
        name = parse(text.strip())
    except BadName:
        return bare
    return text.strip() if records(store, name.iri) or records(store, name.work.iri) else bare
