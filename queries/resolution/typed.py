"""Typed input: a name, a name inside an address, words, or a citation in the writer's own spelling.

Running text is read with care: a numeral in small letters is a word there more often than not. Who searches types
without capitals, commas and accents, and means a provision all the same.
"""

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


_ROMAN = r"(?=[ivxl])(?:x[lc]|l?x{0,3})(?:ix|iv|v?i{0,3})(?!\w)"
_NUMERAL = re.compile(rf"(?<!\w){_ROMAN}", re.IGNORECASE)
#: What is numbered by Roman numerals, with its number or numbers: ``incisos i, ii e iii``.
_NUMBERED = re.compile(
    r"(?<!\w)(?:incisos?|incs?\.?|t[íi]tulos?|cap[íi]tulos?|se[çc](?:[ãa]o|[õo]es)|subse[çc][ãa]o|livros?)\s+"
    rf"{_ROMAN}(?:\s*(?:,|,?\s(?:e|a|ou)\s)\s*{_ROMAN})*",
    re.IGNORECASE,
)
_UPPER = (
    r"(?:art(?:igo)?s?\.?\s*[0-9][0-9.]*[º°ªo]?(?:-[a-z]{1,2})?|§\s*[0-9]+[º°ªo]?"
    r"|par[áa]grafo\s+(?:[0-9]+[º°ªo]?|[úu]nico)|caput)"
)
#: An article or paragraph, and right behind it an item with or without its word; a lone ``l`` is none.
_ITEM = re.compile(rf"(?<!\w)({_UPPER})(?:\s*,\s*|\s+)(?!l(?!\w))(?={_ROMAN})({_ROMAN})", re.IGNORECASE)
_INNER = re.compile(
    rf"(?<!\w)({_UPPER}|(?:inciso|inc\.?)\s+{_ROMAN})\s+(?=(?:incisos?|incs?\.?|al[íi]neas?|par[áa]grafo|caput)(?!\w)|§)",
    re.IGNORECASE,
)
#: An article that was inserted: ``art 57-a``.
_INSERTED = re.compile(r"(?<!\w)(arts?\.?|artigos?)(\s*[0-9][0-9.]*[º°ªo]?-)([a-z]{1,2})(?!\w)", re.IGNORECASE)
_CONSTITUTION = re.compile(r"(?<!\w)constitui[çc][ãa]o(?!\w)", re.IGNORECASE)
#: Elsewhere than at the end ``cf`` is "confer".
_CONSTITUTION_SHORT = re.compile(r"(?<!\w)(?:cf|crfb)(?=(?:/(?:19)?88)?\s*\Z)", re.IGNORECASE)


def as_cited(text: str) -> str:
    """A text with its provisions as citations have them, and the Constitution with its capital; else as it is.

    >>> as_cited("art 5 xi da constituicao"), as_cited("titulo iv do cdc")
    ('art 5, XI da Constituição', 'titulo IV do cdc')
    >>> as_cited("cf. art 57-a do cdc"), as_cited("art 5 cf/88")
    ('cf. art 57-A do cdc', 'art 5 CF/88')
    >>> as_cited("art 121 § 2 inciso iv alinea a"), as_cited("civil e vil")
    ('art 121, § 2, inciso IV, alinea a', 'civil e vil')
    """
    text = _INSERTED.sub(lambda found: f"{found[1]}{found[2]}{found[3].upper()}", text)
    text = _ITEM.sub(lambda found: f"{found[1]}, {found[2].upper()}", text)
    text = _NUMBERED.sub(lambda found: _NUMERAL.sub(lambda one: one[0].upper(), found[0]), text)
    text = _CONSTITUTION_SHORT.sub(lambda found: found[0].upper(), _INNER.sub(r"\1, ", text))
    return _CONSTITUTION.sub("Constituição", text)
